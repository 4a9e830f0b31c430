//! Sessions on the simulator: programs through the whole compiler, with what the session keeps of them.

use tk::{ArgShape, Decision, DeviceChoice, Session, SourceFile, TuneReport, Unwatched};
use tk_diag::{Result, Style};
use tk_grammar::literal::{Assignment, read_assignment};
use tk_host::{HostProgram, LaunchArg, LaunchRequest, Launcher, Newest};

const HEADER: &str = "import torch\nimport triton\nimport triton.language as tl\n";

const ADD: &str = "\
@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)
";

fn parse(text: &str) -> tk_grammar::ast::Module {
    let file = SourceFile::new("k.tk", format!("{HEADER}{text}"));
    tk::parse(&file).unwrap_or_else(|faults| panic!("{}", tk_diag::render(&faults[0], Style::Plain)))
}

/// Runs a program and returns what it printed and the session.
fn try_run(text: &str) -> (Result<String>, Session<Unwatched>) {
    let module = parse(text);
    let mut session = Session::open(DeviceChoice::Sim, Unwatched, &module.file).unwrap();
    let mut output = Vec::new();
    let result = HostProgram::new(module).run_main(&[], &mut session, &mut output);
    (result.map(|()| String::from_utf8(output).unwrap()), session)
}

#[track_caller]
fn run(text: &str) -> (String, Session<Unwatched>) {
    let (result, session) = try_run(text);
    (result.unwrap_or_else(|fault| panic!("{}", tk_diag::render(&fault, Style::Plain))), session)
}

#[test]
fn the_simulator_takes_the_first_configuration_that_fits() {
    let (output, mut session) = run(r#"
@triton.autotune(
    configs=[triton.Config({'BLOCK': block, 'LIMIT': 64}, num_warps=warps) for block in (256, 128, 64, 32) for warps in (2, 1)],
    key=['n'])
@triton.jit
def copy(x, out, n, BLOCK: tl.constexpr, LIMIT: tl.constexpr):
    tl.static_assert(BLOCK <= LIMIT, "too wide")
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)

def main():
    for n in (100, 100, 33):
        x = torch.randn(n)
        out = torch.empty_like(x)
        copy[lambda meta: (triton.cdiv(n, meta['BLOCK']),)](x, out, n)
        torch.testing.assert_close(out, x, rtol=0, atol=0)
    print(copy.best_config)
"#);
    assert_eq!(output, "BLOCK: 64, LIMIT: 64, num_warps: 2, num_ctas: 1, num_stages: 3, maxnreg: None\n");
    let reports: Vec<TuneReport> = session.take_tunings();
    assert_eq!(reports.len(), 2, "one for each value of n");
    assert_eq!((reports[0].winner, reports[0].decision, reports[0].trials.len()), (4, Decision::FirstThatFits, 5));
    assert_eq!((reports[0].key.as_str(), reports[1].key.as_str()), ("n=100 float32 float32", "n=33 float32 float32"));
    assert!(
        reports[0].trials[..4].iter().all(|trial| trial.outcome.as_ref().is_err_and(|why| why.contains("too wide")))
    );
    let records = session.take_records();
    assert_eq!(records.len(), 3);
    assert_eq!(records[0].configuration_text().as_deref(), Some("BLOCK=64 LIMIT=64 num_warps=2 num_stages=3"));
    assert!(records[0].resource_line().contains("configuration BLOCK=64"), "{}", records[0].resource_line());
    assert!(session.take_tunings().is_empty());
}

/// The kernel walks `x` with stride 1 unless `stride` says otherwise.
#[test]
fn launches_are_warned_of_tensors_whose_strides_the_kernel_does_not_get() {
    let kernel = |step: &str| {
        parse(&format!(
            "@triton.jit\ndef k(x, y, stride, n, BLOCK: tl.constexpr):\n    at = tl.arange(0, BLOCK)\n    \
             tl.store(y + at, tl.load(x + at{step}, mask=at < n), mask=at < n)\n"
        ))
    };
    let warned = |step: &str, x: (&[usize], &[usize]), stride: i128| {
        let args = [
            ArgShape::Tensor { shape: x.0, strides: x.1 },
            ArgShape::Tensor { shape: &[64], strides: &[1] },
            ArgShape::Int(stride),
            ArgShape::Int(64),
            ArgShape::Int(64),
        ];
        let found = tk::stride_warnings(&kernel(step), "k", &args, None);
        assert!(found.iter().all(|warning| warning.code == tk_diag::NOT_CONTIGUOUS && warning.message.contains("`x`")));
        found.len()
    };
    assert_eq!(warned("", (&[64], &[1]), 1), 0);
    assert_eq!(warned("", (&[64], &[2]), 1), 1);
    assert_eq!(warned("", (&[64], &[2]), 2), 1, "the stride is passed and never read");
    assert_eq!(warned(" * stride", (&[64], &[2]), 2), 0);
    assert_eq!(warned(" * stride", (&[64], &[3]), 2), 1);
    // A transposed matrix is odd in both dimensions; one row of it, in the stride that is left.
    assert_eq!(warned("", (&[8, 16], &[1, 8]), 1), 1);
    assert_eq!(warned(" * stride", (&[1, 16], &[1, 8]), 8), 0);
    assert!(tk::stride_warnings(&kernel(""), "another", &[], None).is_empty());

    let (_, mut session) = run("@triton.jit
def k(x, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at))

def main():
    y = torch.empty(8)
    k[(1,)](torch.ones(16)[::2], y, BLOCK=8)
    k[(1,)](torch.ones(16)[:8], y, BLOCK=8)
");
    let warnings = session.take_warnings();
    assert_eq!(warnings.iter().filter(|warning| warning.code == tk_diag::NOT_CONTIGUOUS).count(), 1, "{warnings:?}");
}

#[test]
fn too_much_shared_memory_is_passed_over_and_told() {
    let text = |sizes: &str| {
        format!(
            r#"
@triton.autotune(configs=[triton.Config({{'BINS': bins}}, num_warps=4) for bins in {sizes}], key=[])
@triton.jit
def count(x, out, BINS: tl.constexpr):
    values = tl.load(x + tl.arange(0, 128))
    tl.store(out + tl.arange(0, BINS), tl.histogram(values, BINS))

def main():
    x = torch.randint(0, 256, (128,), dtype=torch.int32)
    out = torch.zeros(131072, dtype=torch.int32)
    count[(1,)](x, out)
    torch.testing.assert_close(out[:256].to(torch.int64), torch.bincount(x, minlength=256))
    print(count.best_config.kwargs)
"#
        )
    };
    let (output, mut session) = run(&text("(65536, 256)"));
    assert_eq!(output, "{'BINS': 256}\n");
    let report = session.take_tunings().remove(0);
    let why = report.trials[0].outcome.as_ref().unwrap_err();
    assert!(why.contains("bytes of shared memory"), "{why}");
    assert!(report.to_string().contains(why.as_str()), "{report}");

    let fault = try_run(&text("(131072, 65536)")).0.unwrap_err();
    assert_eq!(fault.code, tk_diag::TOO_MUCH_SHARED_MEMORY);
    assert!(fault.notes.iter().any(|note| note.contains("none of the 2 configurations of `count`")), "{fault:?}");
    assert!(!fault.labels.is_empty(), "{fault:?}");
}

#[test]
fn errors_in_a_tuned_kernel_are_not_passed_over() {
    let text = "
@triton.autotune(configs=[triton.Config({'B': 16}), triton.Config({'B': 32})], key=[])
@triton.jit
def k(x, B: tl.constexpr):
    tl.store(x, undefined)
x = torch.zeros(4)
k[(1,)](x)
";
    assert_eq!(try_run(text).0.unwrap_err().code, tk_diag::UNKNOWN_NAME);
}

#[test]
fn tensors_keep_their_values_through_launches_and_host_writes() {
    let (output, session) = run(&format!(
        "{ADD}
def main():
    x = torch.arange(0, 100, dtype=torch.int32)
    y = torch.ones_like(x)
    out = torch.zeros_like(x)
    for i in range(5):
        add[(2,)](x, out, out, 100, BLOCK=64)
    print(out.sum().item())
    out[3] = 1000
    add[(2,)](out[1:], y, out[1:], 99, BLOCK=64)
    print(out[:5].tolist())
    view = out[50:]
    add[(1,)](view, y, view, 50, BLOCK=64)
    out[0] = -5
    print(out[0].item(), out[49].item(), out[50].item(), view[0].item())
    print(triton.testing.do_bench(lambda: add[(2,)](x, y, out, 100, BLOCK=64)) > 0)
    print(out[7].item())
"
    ));
    assert_eq!(output, "24750\n[0, 6, 11, 1001, 21]\n-5 246 252 252\nTrue\n8\n");
    drop(session);
}

/// Remembers what every buffer was after its launch.
struct Spy {
    session: Session<Unwatched>,
    newest: Vec<Newest>,
}

impl Launcher for Spy {
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()> {
        self.session.launch(request)?;
        for (_, arg) in &request.args {
            if let LaunchArg::Buffer { buffer, .. } = arg {
                self.newest.push(buffer.newest());
            }
        }
        Ok(())
    }

    fn bench(&mut self, requests: &[LaunchRequest<'_>], options: &tk_host::BenchOptions) -> Result<Vec<f64>> {
        self.session.bench(requests, options)
    }

    fn device_name(&self) -> String {
        self.session.device_name()
    }

    fn property(&self, property: tk_host::DeviceProperty) -> Option<i128> {
        self.session.property(property)
    }
}

#[test]
fn a_launch_leaves_the_bytes_on_the_device() {
    let module = parse(&format!("{ADD}x = torch.zeros(8)\nadd[(1,)](x, x, x, 8, BLOCK=8)\nprint(x.sum().item())\n"));
    let session = Session::open(DeviceChoice::Sim, Unwatched, &module.file).unwrap();
    let mut spy = Spy { session, newest: Vec::new() };
    let mut output = Vec::new();
    HostProgram::new(module).run_main(&[], &mut spy, &mut output).unwrap();
    assert_eq!(spy.newest, [Newest::Device; 3]);
    assert_eq!(output, b"0.0\n");
}

#[test]
fn kernels_are_compiled_once_per_signature() {
    let (_, mut session) = run(&format!(
        "{ADD}
def main():
    x = torch.zeros(64)
    for n in (64, 48, 63, 62, 1, 64):
        add[(1,)](x, x, x, n, BLOCK=64)
    add[(1,)](x[1:], x, x, 32, BLOCK=64)
    add[(1,)](x, x, x, 32, BLOCK=64, num_warps=2)
"
    ));
    let records = session.take_records();
    let mut images: Vec<usize> = records.iter().map(|record| std::sync::Arc::as_ptr(&record.image) as usize).collect();
    let signatures: Vec<&str> = records.iter().map(|record| record.signature.as_str()).collect();
    assert_eq!(signatures[0], "x: *fp32:16, y: *fp32:16, out: *fp32:16, n: i32:16, BLOCK: =64");
    assert!(signatures[4].contains("n: =1"), "{}", signatures[4]);
    assert_eq!((images[0], images[2]), (images[1], images[3]));
    assert_eq!(images[0], images[5]);
    images.sort_unstable();
    images.dedup();
    assert_eq!(images.len(), 5);
}

#[test]
fn kernels_read_the_constants_that_the_program_has() {
    let text = "
SCALE = 3
UNREAD = 1
OFFSET: tl.constexpr = len([1, 2]) * SCALE

@triton.jit
def scaled(x, n):
    return x * SCALE + n

@triton.jit
def fill(out, n):
    UNREAD = 7
    tl.store(out + tl.arange(0, 32), scaled(tl.arange(0, 32), n) + OFFSET + UNREAD)

def main():
    out = torch.empty(32, dtype=torch.int32)
    fill[(1,)](out, 5)
    torch.testing.assert_close(out, torch.arange(0, 32, dtype=torch.int32) * SCALE + 12 + OFFSET, rtol=0, atol=0)
    print(SCALE, OFFSET)
";
    for (given, expected) in [(&[][..], "3 6\n"), (&["SCALE=10"], "10 20\n"), (&["OFFSET=1", "SCALE=2"], "2 1\n")] {
        let module = parse(text);
        let mut session = Session::open(DeviceChoice::Sim, Unwatched, &module.file).unwrap();
        let read = |text: &&str| read_assignment(&SourceFile::new("-D", *text)).unwrap();
        let definitions: Vec<Assignment> = given.iter().map(read).collect();
        let mut output = Vec::new();
        let result = HostProgram::new(module).run_main(&definitions, &mut session, &mut output);
        result.unwrap_or_else(|fault| panic!("{}", tk_diag::render(&fault, Style::Plain)));
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }
}

#[test]
fn a_constant_that_changes_compiles_again_where_it_is_read() {
    let (output, mut session) = run("
SCALE = 1
OTHER = 1

@triton.jit
def fill(out):
    OTHER = 5
    tl.store(out + tl.arange(0, 32), tl.arange(0, 32) * SCALE + OTHER)

def main():
    global SCALE, OTHER
    out = torch.empty(32, dtype=torch.int32)
    for scale, other in [(1, 1), (1, 2), (4, 2), (1, 3)]:
        SCALE = scale
        OTHER = other
        fill[(1,)](out)
        print(out[2].item(), end=' ')
");
    assert_eq!(output, "7 7 13 7 ");
    let records = session.take_records();
    let image = |at: usize| std::sync::Arc::as_ptr(&records[at].image);
    assert_eq!((image(0), image(0), image(0)), (image(1), image(3), image(0)));
    assert_ne!(image(0), image(2));
}

/// The signature of the first launch of a program.
fn signature(text: &str) -> String {
    let (_, mut session) = run(text);
    session.take_records().remove(0).signature
}

/// Sizes are 64; what the kernel does with them is `body`, and `called` may stand in front.
fn sized(called: &str, body: &str) -> String {
    format!(
        "{called}\
@triton.jit
def k(x, n, B: tl.constexpr):
    at = tl.arange(0, B)
    a = tl.load(x + at[:, None] * n + at[None, :])
{body}    tl.store(x + at[:, None] * n + at[None, :], a)

def main():
    k[(1,)](torch.ones(64, 64, dtype=torch.float16), 64, B=64)
"
    )
}

#[test]
fn whole_blocks_are_noticed_where_a_kernel_has_one_dot() {
    let twice = "@triton.jit\ndef product(a):\n    return tl.dot(a, a)\n\n";
    let cases = [
        ("", "    a = tl.dot(a, a).to(tl.float16)\n", "n: i32:64"),
        (twice, "    a = product(a).to(tl.float16)\n", "n: i32:64"),
        (
            "",
            "    # b.dot(a) is not a dot, and tl.dot(a, b) is none either\n    tl.static_assert(B != 1, \".dot(\")\n",
            "n: i32:16",
        ),
        ("", "    a = tl.dot(tl.dot(a, a).to(tl.float16), a).to(tl.float16)\n", "n: i32:16"),
        ("", "    a = tl.dot(a, a).to(tl.float16) # not .dot( but one dot\n", "n: i32:64"),
    ];
    for (called, body, expected) in cases {
        let signature = signature(&sized(called, body));
        assert!(signature.contains(&format!("{expected}, ")), "{body}: {signature}");
    }
}

#[test]
fn quoted_constexprs_are_constants_of_a_launch() {
    for spelling in ["\"tl.constexpr\"", "'constexpr'", "triton.language.constexpr", "static"] {
        let text = format!(
            "from triton.language import constexpr as static
@triton.jit
def fill(x, BLOCK: {spelling}):
    tl.store(x + tl.arange(0, BLOCK), BLOCK)

def main():
    x = torch.zeros(16, dtype=torch.int32)
    fill[(1,)](x, 16)
    print(x.sum().item())
"
        );
        let (output, mut session) = run(&text);
        assert_eq!(output, "256\n", "{spelling}");
        assert_eq!(session.take_records()[0].signature, "x: *i32:16, BLOCK: =16", "{spelling}");
    }
}
