//! What a guess gets wrong is no error of the kernel: files that are right, each with one thing that a guess cannot know.

use tk_diag::{Severity, SourceFile};
use tk_guard::Bounds;
use tk_inspect::{Findings, MAX_PER_LINE, Request, inspect_file};

const HEAD: &str = "import triton\nimport triton.language as tl\n\n";

fn findings(body: &str) -> Findings {
    let module = tk_grammar::parse(&SourceFile::new("test.py", format!("{HEAD}{body}"))).expect("it parses");
    let request = Request {
        module: &module,
        kernel: None,
        bounds: &Bounds::assumed(),
        is_portable: false,
        is_stopped: &|| false,
    };
    inspect_file(&request).expect("nothing stops it")
}

#[track_caller]
fn right(body: &str) {
    let found = findings(body);
    let errors: Vec<&str> = found
        .diagnostics
        .iter()
        .filter(|one| one.severity == Severity::Error)
        .map(|one| one.message.as_str())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert!(found.kernels + found.functions > 0);
}

#[track_caller]
fn wrong(body: &str, message: &str) {
    let found = findings(body);
    assert!(found.diagnostics.iter().any(|one| one.message.contains(message)), "{found:?}");
}

#[test]
fn types_of_two_parameters_that_go_together() {
    let dequantized = "\
@triton.jit
def product(a_ptr, b_ptr, scales_ptr, zeros_ptr, c_ptr, K, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    a = tl.load(a_ptr + i)
    b = (tl.load(b_ptr + i) >> 4) & 15
    b = b * tl.load(scales_ptr + i) - tl.load(zeros_ptr + i)
    tl.store(c_ptr + i, tl.dot(a, b))
";
    right(dequantized);
    wrong(&dequantized.replace("tl.dot(a, b)", "tl.dot(a, c)"), "`c` is not defined");
}

#[test]
fn constants_that_are_no_sizes() {
    let scaled = "\
@triton.jit
def scaled(x_ptr, largest: tl.constexpr, mode: tl.constexpr, BLOCK: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, BLOCK)).to(tl.float32)
    s = (largest / tl.clamp(tl.max(x), 1e-12, float('inf'))).to(tl.float32)
    if mode > 1:
        s = s * 2
    tl.store(x_ptr + tl.arange(0, BLOCK), x * s)

def host(x, dtype, mode=None):
    scaled[(1,)](x, largest=dtype, mode=mode, BLOCK=64)
";
    right(scaled);
    right(&scaled.replace("largest", "fp8_dtype_max"));
    wrong(&scaled.replace("float('inf')", "flot('inf')"), "`flot` is not defined");
}

#[test]
fn sizes_that_have_to_divide_each_other() {
    let grouped = "\
@triton.jit
def grouped(x_ptr, BLOCK: tl.constexpr, GROUP: tl.constexpr):
    per = BLOCK // GROUP
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    x = tl.reshape(x, [BLOCK // 128, 4, 32])
    tl.store(x_ptr + tl.arange(0, BLOCK), tl.reshape(x, [BLOCK]))
";
    right(grouped);
}

#[test]
fn what_other_functions_pass() {
    right(
        "\
@triton.jit
def add_block(pointers, k, mask, LOCK, BLOCK: tl.constexpr):
    x = tl.load(pointers, mask=mask[None, :], other=0.0)
    tl.store(pointers, x + tl.trans(k), mask=mask[None, :])
",
    );
    right(
        "\
@triton.jit
def shifted(x_ptr, strides, i_ptr, BLOCK: tl.constexpr):
    x = x_ptr + tl.program_id(0) * strides[0] + tl.arange(0, BLOCK) * strides[1]
    tl.store(x, tl.load(x) + 1)
",
    );
    right(
        "\
@triton.jit
def total(x_ptr, y_ptr, n, reduction: tl.constexpr, weight):
    if reduction == 1:
        tl.store(y_ptr, tl.load(x_ptr) / tl.load(weight))

def host(x, y, reduction=1, weight=None):
    total[(1,)](x, y, 1, reduction, weight)
",
    );
}

#[test]
fn names_that_types_have_or_not() {
    right(
        "\
@triton.jit
def largest(dtype):
    if dtype.is_floating():
        return 1.0
    return 2 ** dtype.primitive_bitwidth
",
    );
    wrong("@triton.jit\ndef largest(dtype):\n    return tl.maximun(1, 2)\n", "`tl.maximun` does not exist");
}

#[test]
fn a_definition_that_another_replaces() {
    right(
        "\
@triton.jit
def k(x_ptr, A: tl.constexpr):
    tl.store(x_ptr, A)

@triton.jit
def k(x_ptr, B: tl.constexpr):
    tl.store(x_ptr, B)

def host(x):
    k[(1,)](x, B=3)
",
    );
}

#[test]
fn a_line_with_very_many_statements_is_told_of_once_in_a_while() {
    let line = vec!["z = n > 0 & n < 5"; 20_000].join("; ");
    let found = findings(&format!("@triton.jit\ndef k(p, n):\n    {line}; tl.store(p, z)\n"));
    assert_eq!(found.diagnostics.len(), MAX_PER_LINE);
    assert_eq!(found.left_out, 20_000 - MAX_PER_LINE);
}

#[test]
fn what_triton_refuses_is_told_where_it_is_asked_for() {
    let text = "\
SCALE = 3
MODE: tl.constexpr = 1
HALF = tl.constexpr(2)
exp = tl.exp

@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    SCALED = 1
    m = 0 <= i < n
    x = exp(tl.load(x_ptr + i, mask=m, other=0.0)) * SCALE + MODE + HALF + SCALED
    x += tl.zeros((BLOCK,), tl.float32)
    tl.store(x_ptr + i, x, mask=m)

def host(x):
    k[(1,)](x, 40, BLOCK=48)
";
    let module = tk_grammar::parse(&SourceFile::new("test.py", format!("{HEAD}{text}"))).expect("it parses");
    let bounds = Bounds::assumed();
    let found = |is_portable: bool| {
        let request = Request { module: &module, kernel: None, bounds: &bounds, is_portable, is_stopped: &|| false };
        let found = inspect_file(&request).expect("nothing stops it").diagnostics;
        let told = found.into_iter().filter(|one| one.code == tk_diag::NOT_PORTABLE);
        told.map(|one| {
            one.labels[0].file.as_ref().map_or_else(String::new, |file| file.place(one.labels[0].span.start))
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(found(true), ["test.py:11:22", "test.py:13:9", "test.py:14:54", "test.py:15:20"]);
    assert!(found(false).is_empty());
}

#[test]
fn loops_that_only_load_are_told() {
    let wait = |body: &str| {
        let found = findings(&format!("@triton.jit\ndef k(flag, out):\n{body}    tl.store(out, 1.0)\n"));
        found.diagnostics.iter().filter(|one| one.code == tk_diag::DELETED_WAIT).count()
    };
    assert_eq!(wait("    while tl.load(flag) == 0:\n        pass\n"), 1);
    assert_eq!(wait("    v = tl.load(flag)\n    while v != 1:\n        v = tl.load(flag)\n"), 1);
    assert_eq!(wait("    while tl.load(flag, volatile=True) == 0:\n        pass\n"), 0);
    assert_eq!(wait("    while tl.atomic_add(flag, 0) == 0:\n        pass\n"), 0);
}

#[test]
fn an_error_in_an_argument_does_not_excuse_one_in_the_function_that_is_called() {
    let found = findings(
        "\
@triton.jit
def twice(v):
    return v + missing

@triton.jit
def k(p, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(p + i, twice(tl.load(p + i)))

def main(x):
    k[(1,)](x, BLOCK=64)
",
    );
    assert_eq!((found.unknown.len(), found.diagnostics.len()), (0, 1), "{found:?}");
    assert!(found.diagnostics[0].message.contains("`missing`"), "{found:?}");
}

#[test]
fn nothing_is_found_when_nobody_waits() {
    let text = format!("{HEAD}@triton.jit\ndef k(p):\n    return\n");
    let module = tk_grammar::parse(&SourceFile::new("test.py", text)).expect("it parses");
    let bounds = Bounds::assumed();
    let request = Request { module: &module, kernel: None, bounds: &bounds, is_portable: false, is_stopped: &|| true };
    assert!(inspect_file(&request).is_none());
}

/// The sizes of tensors and the grid of a launch are known where the file says them.
#[test]
fn offsets_of_the_launches_of_a_file_are_warned_of() {
    let warned = |grid: &str, rows: u32, stride: &str| {
        let text = format!(
            "import torch
@triton.jit
def k(x_ptr, y_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, BLOCK)
    tl.store(y_ptr + row * stride + offs, tl.load(x_ptr + offs), mask=offs < n)

def main(rows={rows}):
    x = torch.empty((rows, 128256), device='cuda', dtype=torch.bfloat16)
    y = torch.empty_like(x)
    rows, columns = x.shape
    k[{grid}](x, y, {stride}, columns, BLOCK=64)
"
        );
        let found = findings(&text).diagnostics;
        assert!(found.iter().all(|one| one.code == tk_diag::INT32_OFFSET), "{found:?}");
        !found.is_empty()
    };
    for stride in ["x.stride(0)", "y.shape[1]", "x.size(-1)", "x.numel() // rows", "columns"] {
        assert!(!warned("(rows,)", 16_744, stride), "{stride}");
        assert!(warned("(rows,)", 16_745, stride), "{stride}");
    }
    assert!(warned("(triton.cdiv(y.numel(), columns), 1)", 16_745, "x.stride(0)"));
    // The grid is not known, and the tensors are.
    assert!(warned("lambda meta: (rows,)", 17_000, "x.stride(0)"));
    assert!(!warned("lambda meta: (rows,)", 16_000, "x.stride(0)"));
}

/// What may be right under another decorator, another definition or a value that is not known is not told.
#[test]
fn launches_that_may_work_are_not_warned_of() {
    let told = |decorator: &str, launch: &str| {
        let text = format!(
            "import torch
{decorator}@triton.jit
def k(x_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x_ptr + offs, 0.0, mask=offs < n)

def main(x, n, sizes=None):
    grown = []
    grown.append(n)
    {launch}
"
        );
        let found = findings(&text).diagnostics;
        found.iter().filter(|one| one.code == tk_diag::BAD_LAUNCH).count()
    };
    assert_eq!(told("", "k[(1,)](x, n)"), 1);
    assert_eq!(told("@project.wraps(1)\n", "k[(1,)](x, n)"), 0);
    assert_eq!(told("@triton.autotune(configs=made(), key=[])\n", "k[(1,)](x, n)"), 0);
    assert_eq!(told("@triton.heuristics(values())\n", "k[(1,)](x, n)"), 0);
    assert_eq!(told("@triton.heuristics({'BLOCK': lambda args: 64})\n", "k[(1,)](x, n)"), 0);
    assert_eq!(told("", "k[(1,)](*sizes)"), 0);
    assert_eq!(told("", "k[(1,)](x, **sizes)"), 0);
    assert_eq!(told("", "k[(len(grown) - 1,)](x, n, BLOCK=64)"), 0);
    assert_eq!(told("", "k[(n // 64,)](x, n, BLOCK=64, kpack=2, isCloseVectorization=True)"), 0);
    assert_eq!(told("", "k = sizes\n    k[(1,)](x)"), 0);
    assert_eq!(told("", "k(x, n, 64)"), 1);
    // A misspelt name is one mistake, and what else is open is another.
    assert_eq!(told("", "k[(1,)](x, n, BLOKC=64)"), 1);
    assert_eq!(told("", "k[(1,)](x, BLOKC=64)"), 2);
    assert_eq!(told("", "k[(1,)](x, n, else_where=64)"), 2);
}

/// What only the guess of a constant or of a block makes wrong.
#[test]
fn guesses_of_tuples_axes_and_blocks_are_not_told() {
    let errors = |params: &str, body: &str| {
        let text = format!("@triton.jit\ndef k(x_ptr, {params}):\n{body}");
        findings(&text).diagnostics.iter().filter(|one| one.severity == tk_diag::Severity::Error).count()
    };
    let strides = "    tl.static_assert(len(STRIDES) == 2, 'two')\n    tl.store(x_ptr, 1.0)\n";
    assert_eq!(errors("STRIDES: tl.constexpr", strides), 0);
    let axis = "    x = tl.expand_dims(tl.arange(0, 16), AXIS + 1)\n    tl.store(x_ptr + x, 1.0)\n";
    assert_eq!(errors("AXIS: tl.constexpr", axis), 0);
    let block = "    tl.store(x_ptr + tl.arange(0, 16), tl.reshape(at, (8, 2)).reshape(16))\n";
    assert_eq!(errors("at", block), 0);
    let stride = "    d = tl.make_tensor_descriptor(x_ptr, [64, 64], [64, STRIDE], [16, 16])\n    d.store([0, 0], tl.zeros((16, 16), tl.float32))\n";
    assert_eq!(errors("STRIDE: tl.constexpr", stride), 0);
    // The same is wrong whatever is passed.
    let wrong = "    x = tl.expand_dims(tl.arange(0, 16), 7)\n    tl.store(x_ptr + x, 1.0)\n";
    assert_eq!(errors("AXIS: tl.constexpr", wrong), 1);
    let wrong = "    tl.static_assert(len(64) == 2, 'two')\n    tl.store(x_ptr, 1.0)\n";
    assert_eq!(errors("STRIDES: tl.constexpr", wrong), 1);
}

/// Operations of other compilers and what decorators of a project make are not there, and that is no mistake.
#[test]
fn operations_of_other_compilers_are_not_checked() {
    let kernel =
        |top: &str, body: &str| format!("{top}\n@triton.jit\ndef k(x_ptr, n):\n{body}    tl.store(x_ptr, 1)\n");
    let operation = "@core.extern\ndef wait(p, _semantic=None):\n    return _semantic.builder.create_wait(p.handle)\n";
    let hooked = "def wait(p, _builder=None):\n    return _builder.create_wait(p.handle)\n";
    let dispatched = "@other.dispatch\ndef wait(p):\n    pass\n";
    let module = "import triton.language.extra.tlx as tlx\nwait = tlx.wait\n";
    let region = "class region:\n    def __init__(self, _builder=None):\n        pass\n";
    for text in [
        kernel(operation, "    wait(x_ptr)\n"),
        kernel(hooked, "    t = wait(x_ptr)\n    t + n\n"),
        kernel(dispatched, "    t = wait(0)\n    x_ptr + t\n"),
        kernel(module, "    wait(x_ptr)\n"),
        kernel(region, "    with region() as (i, m):\n        n += i\n"),
    ] {
        right(&text);
        let found = findings(&text);
        assert_eq!(found.unknown, ["k"], "{text}");
        assert!(found.diagnostics.iter().any(|one| one.code == tk_diag::FOREIGN_OPERATION), "{text}{found:?}");
    }
    wrong(&kernel("def wait(p):\n    pass\n", "    wait(x_ptr)\n"), "`wait` is a host function");
    wrong(&kernel("", "    with tl.region():\n        pass\n"), "`tl.region` does not exist");
    wrong(&kernel(operation, "    wait(x_ptr)\n    tl.stroe(x_ptr, n)\n"), "`tl.stroe` does not exist");
}

/// Instances of classes and tuples are passed to functions, and a guess is a number or a pointer.
#[test]
fn instances_and_tuples_that_are_passed() {
    right("@triton.jit\ndef f(info: TaskInfo, x_ptr):\n    tl.store(x_ptr, info.tile())\n");
    right("@triton.jit\ndef f(info: TaskInfo, x_ptr, N):\n    tl.store(x_ptr + tl.arange(0, N), 1.0)\n");
    let helper = "@triton.jit\ndef g(x_ptr, N):\n    tl.store(x_ptr + tl.arange(0, N), 1.0)\n\n";
    right(&format!("{helper}@triton.jit\ndef f(x_ptr, N):\n    g(x_ptr, N)\n"));
    right(
        "@triton.jit\ndef f(x_ptr, ends):\n    for i in tl.static_range(len(ends)):\n        tl.store(x_ptr + i, ends[i])\n",
    );
    right("@triton.jit\ndef f(x_ptr, ends):\n    for i in tl.static_range(4):\n        tl.store(x_ptr + i, ends[i])\n");
    wrong(
        "@triton.jit\ndef f(x_ptr, N):\n    tl.store(x_ptr + tl.arange(0, N), 1.0)\n",
        "must be known at compile time",
    );
    wrong("@triton.jit\ndef f(x_ptr, n: int):\n    tl.store(x_ptr, n.tile())\n", "has no `tile`");
}

/// What types, sizes and functions that were guessed make wrong together.
#[test]
fn guesses_that_have_to_change_together() {
    let quantized = "\
@triton.jit
def quant(x):
    scale = tl.max(tl.abs(x), axis=1) / 448.0
    return (x / scale[:, None]).to(tl.float8e4nv), scale

@triton.jit
def k(a_ptr, w_ptr, y_ptr, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, ACT: tl.constexpr):
    m, n, k = tl.arange(0, BLOCK_M), tl.arange(0, BLOCK_N), tl.arange(0, BLOCK_K)
    a, scale = quant(tl.load(a_ptr + m[:, None] * BLOCK_K + k[None, :]).to(tl.float32))
    gate = tl.load(w_ptr + k[:, None] + n[None, :] * BLOCK_K)
    up = tl.load(w_ptr + k[:, None] + (n + BLOCK_N)[None, :] * BLOCK_K)
    g = tl.dot(a, gate) * scale[:, None]
    u = tl.dot(a, up) * scale[:, None]
    tl.store(y_ptr + m[:, None] * BLOCK_N + n[None, :], activated(g, ACT) * u)

@triton.jit
def activated(g, ACT: tl.constexpr):
    if ACT == 'quick_gelu':
        act = g * tl.sigmoid(1.702 * g)
    else:
        tl.static_assert(False, 'unsupported')
    return act
";
    right(quantized);
    let blocks = "\
@triton.jit
def k(x_ptr, BLOCK_K: tl.constexpr):
    SCALES: tl.constexpr = BLOCK_K // 256
    tl.store(x_ptr + tl.arange(0, SCALES), 1.0)
";
    right(blocks);
    let asserted = "\
@triton.jit
def k(flags_ptr, n):
    tl.static_assert(flags_ptr.dtype.element_ty == tl.uint32 or flags_ptr.dtype.element_ty == tl.uint64)
    tl.store(flags_ptr, n)
";
    right(asserted);
    wrong(
        &asserted
            .replace("flags_ptr.dtype.element_ty == tl.uint32 or flags_ptr.dtype.element_ty == tl.uint64", "False"),
        "assertion",
    );
    let found = "\
@triton.jit
def k(x_ptr, y_ptr, n, search: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y_ptr + at, search(x_ptr, tl.load(y_ptr + at), n))
";
    right(found);
}
