//! What a failing program tells: the message, the place, the calls that led there.

use crate::{Mock, failure, program};
use tk_grammar::literal::{Assignment, Literal};
use tk_host::{Arrays, HostArray, Limits};

#[test]
fn errors_have_a_place_and_the_calls() {
    let fault = failure("def inner(x):\n    return x + undefined\ndef outer():\n    return inner(1)\nouter()");
    assert_eq!((fault.code, fault.message.as_str()), (tk_diag::UNKNOWN_NAME, "`undefined` is not defined"));
    let file = fault.labels[0].file.clone().unwrap();
    assert_eq!(file.slice(fault.labels[0].span), "undefined");
    assert_eq!(fault.notes, ["in `inner`, called at k.tk:8:12", "in `outer`, called at k.tk:9:1"]);
}

#[test]
fn messages_are_in_the_users_terms() {
    for (body, message) in [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("[1][5]", "IndexError: index 5 is out of range for a list of 1"),
        ("{}['x']", "KeyError: the dict has no key 'x'"),
        ("raise ValueError('bad thing')", "ValueError: bad thing"),
        ("raise RuntimeError", "RuntimeError"),
        ("1 + 'a'", "`+` does not take a int and a str"),
        ("f = lambda a, b: a\nf(1)", "`<lambda>` is called without `b`"),
        ("def f(a): pass\nf(1, 2)", "`f` takes 1 arguments, but 2 are given"),
        ("def f(a): pass\nf(b=2, a=1)", "`f` has no parameter `b`"),
        ("a, b = 1, 2, 3", "ValueError: 3 values for 2 names"),
        ("2 ** 200", "the result of `**` does not fit 128 bits"),
        ("assert torch.zeros(3).sum() > 1, f'sum is {1}'", "sum is 1"),
        ("torch.zeros(2, 3) + torch.zeros(4)", "shapes (2, 3) and (4,) do not broadcast: dimension 1 is 3 and 4"),
        ("torch.zeros(2, 3) @ torch.zeros(4, 5)", "matmul of (2, 3) and (4, 5): the inner dimensions differ"),
        ("torch.zeros(2, 3).view(7)", "shape (7) is not possible for 6 elements (the tensor is (2, 3))"),
        ("if torch.zeros(2) > 0: pass", "ValueError: the truth of a tensor of shape (2,) is ambiguous"),
        ("torch.zeros(10**10, 10**10)", "a tensor of shape (10000000000, 10000000000) is too large"),
        ("[0] * 10**12", "repeating this list makes too many items"),
        ("torch.softmx(torch.zeros(2), 0)", "`torch.softmx` is not available in host code"),
        ("torch.zeros(2).summ()", "a Tensor has no attribute `summ` here"),
        ("torch.sum(torch.zeros(2), dimm=0)", "`sum` has no argument `dimm` here"),
        (
            "class A:\n    def __eq__(self, o):\n        pass\nA()",
            "instances of the class `A` are not made here: it has `__eq__`",
        ),
        ("import triton.language as tl\ntl.load(1)", "`tl.load` works in kernels only"),
        ("import numpy as np\nnp.zeros(3)", "`numpy.zeros` is not available in host code"),
        ("torch.zeros(3)[5]", "IndexError: index 5 is out of range for dimension 0 of size 3"),
        ("x = torch.zeros(3)\nx.grad = None", "the attribute `grad` of a Tensor cannot be set"),
        ("f = lambda: 0\nf.cache = {}", "the attribute `cache` of a function cannot be set"),
        (
            "F.cross_entropy(torch.zeros(2, 3), torch.tensor([0, 1]), torch.ones(3))",
            "`cross_entropy` does not take `weight` here",
        ),
        (
            "F.cross_entropy(torch.zeros(2, 3), torch.tensor([0, 1]), label_smoothing=0.1)",
            "`cross_entropy` does not take `label_smoothing` here",
        ),
        (
            "F.cross_entropy(torch.zeros(2, 3), torch.tensor([0, 1]), reduction='sun')",
            "ValueError: `cross_entropy` has no reduction `sun`",
        ),
        ("torch.bincount(torch.tensor([1]), weights=torch.ones(1))", "`bincount` does not take `weights` here"),
        ("torch.zeros(3, dtype=torch.int32).mean()", "mean needs a float tensor, not torch.int32"),
    ] {
        assert_eq!(failure(body).message, message, "{body}");
    }
}

#[test]
fn assert_close_says_what_differs() {
    let fault = failure(
        "a = torch.zeros(2, 3)\nb = a.clone()\nb[1, 2] = 0.5\nb[0, 0] = 0.25\ntorch.testing.assert_close(a, b)",
    );
    assert_eq!(fault.message, "the tensors are not close: 2 of 6 elements differ (33.3 %)");
    assert_eq!(fault.notes[0], "the greatest difference is 0.5 at index (1, 2): 0.0 where 0.5 is expected");
    let fault = failure("torch.testing.assert_close(torch.zeros(2), torch.zeros(2, dtype=torch.float16))");
    assert_eq!(fault.message, "the tensors have different types: torch.float32 and torch.float16");
    let fault = failure("torch.testing.assert_close(torch.zeros(2), torch.zeros(3))");
    assert_eq!(fault.message, "the tensors have different shapes: (2,) and (3,)");
    failure("torch.testing.assert_close(torch.tensor([float('nan')]), torch.tensor([float('nan')]))");
    crate::script("torch.testing.assert_close(torch.tensor([1.0]), torch.tensor([1.000001]))");
    failure("torch.testing.assert_close(torch.tensor([1.0]), torch.tensor([1.0001]))");
    failure("torch.testing.assert_close(torch.tensor([1.0]), torch.tensor([float('inf')]), rtol=1e9, atol=1e9)");
}

#[test]
fn endless_programs_end() {
    let run = |text: &str| {
        let program = program(text).with_limits(Limits { steps: 200_000, depth: 300, ..Limits::default() });
        program.run_main(&[], &mut Mock::idle(), &mut std::io::sink()).unwrap_err()
    };
    for text in [
        "def main():\n    while True: pass\n",
        "def main():\n    for i in range(10**30): pass\n",
        "def main():\n    try:\n        while True: pass\n    except Exception: pass\n",
        "def f(n): return f(n + 1)\ndef main(): f(0)\n",
        "def main():\n    x = []\n    x.append(x)\n    while True: x = [x, x]\n",
        "f = lambda: f()\ndef main(): f()\n",
        "def main():\n    f = None\n    while True: f = lambda f=f: f\n",
        "def main():\n    d = {}\n    while True: d = {'k': (d,)}\n",
    ] {
        assert_eq!(run(text).code, tk_diag::RUN_LIMIT, "{text}");
    }
    let fault = run("def f(n): return f(n + 1)\ndef main(): f(0)\n");
    assert_eq!(fault.notes.len(), 9, "{:?}", fault.notes);
}

#[test]
fn tensors_have_a_limit_together() {
    let run = |body: &str| {
        let limits = Limits { tensor_bytes: 1 << 20, ..Limits::default() };
        let text = format!("import torch\ndef main():\n{body}\n    print('end')\n");
        let mut output = Vec::new();
        let result = program(&text).with_limits(limits).run_main(&[], &mut Mock::idle(), &mut output);
        result.map(|()| String::from_utf8(output).unwrap())
    };
    for body in [
        "    x = torch.zeros(1 << 19)",
        "    x = torch.empty(600000, dtype=torch.int8)\n    y = torch.rand(1 << 17)",
        "    x = torch.zeros(1 << 16)\n    y = [x.clone() for i in range(10)]",
        "    x = [torch.zeros(1 << 12) for i in range(100)]",
        "    x = []\n    while True: x.append(torch.ones(1 << 12) + 1)",
        // What is computed with takes 8 bytes an element meanwhile.
        "    x = torch.zeros(1 << 18, dtype=torch.int8)\n    x.to(torch.float32)",
        "    x = torch.zeros(1 << 18, dtype=torch.int8)\n    x.sum()",
        "    x = torch.zeros(1 << 18, dtype=torch.bool)\n    ~x",
    ] {
        let fault = run(body).unwrap_err();
        assert_eq!(fault.code, tk_diag::TOO_LARGE, "{body}");
        assert!(fault.message.contains("the limit is 1048576"), "{}", fault.message);
    }
    // What is let go of makes room.
    let body = "    for i in range(100):\n        x = torch.zeros(1 << 15)\n        y = x + 1\n        del x, y";
    assert_eq!(run(body).unwrap(), "end\n");
    let body = "    try:\n        x = torch.zeros(1 << 19)\n    except MemoryError:\n        print('caught')";
    assert_eq!(run(body).unwrap(), "caught\nend\n");
}

/// Nobody looks at the elements, so the tensor takes no memory.
#[test]
fn tensors_may_have_more_elements_than_32_bits_count() {
    let body = "    x = torch.empty(70000, 70000, dtype=torch.int8)\n    y = x[65000:, 1:]\n    \
                print(x.numel(), y.shape, y.stride(0), y.storage_offset(), x.view(-1).shape, x.is_contiguous())";
    let limits = Limits { tensor_bytes: 1 << 33, ..Limits::default() };
    let text = format!("import torch\ndef main():\n{body}\n");
    let mut output = Vec::new();
    program(&text).with_limits(limits).run_main(&[], &mut Mock::idle(), &mut output).unwrap();
    assert_eq!(String::from_utf8(output).unwrap(), "4900000000 (5000, 69999) 70000 4550000001 (4900000000,) True\n");
}

#[test]
fn sequences_that_double_stop_before_memory_does() {
    for body in [
        "x = [1]\nwhile True: x += x",
        "x = [1]\nwhile True: x = x + x",
        "x = (1,)\nwhile True: x = x + x",
        "x = 'a'\nwhile True: x += x",
        "x = 'a'\nwhile True: x = f'{x}{x}'",
        "x = 'ab'\nwhile True: x = x.replace('a', x)",
        "x = 'ab'\nwhile True: x = x.join([x, x])",
        "x = [1]\nwhile True: x.extend(x)",
        "list(range(10**20))",
    ] {
        assert_eq!(failure(body).code, tk_diag::TOO_LARGE, "{body}");
    }
}

#[test]
fn extreme_numbers_are_no_panic() {
    let mut panics = Vec::new();
    for expr in [
        "-x",
        "abs(x)",
        "x // -1",
        "x % -1",
        "x * x",
        "x - 1",
        "triton.cdiv(1, x)",
        "x in range(0, 10, -1)",
        "range(x, -x - 1)[0:1]",
        "[1][x]",
        "[1, 2][x:]",
        "torch.zeros(3)[x:]",
        "torch.zeros(3)[x]",
        "torch.zeros(2, 0).sum()",
        "torch.zeros(0).max()",
        "torch.zeros(3, 0).max(dim=0)",
        "torch.arange(x)",
        "torch.zeros(x)",
        "torch.zeros(3).view(x)",
        "x << x",
        "1 << -x",
        "x ** 3",
        "f'{x:d}{x:,}{x:x}'",
        "round(x, -3)",
        "divmod(x, -1)",
        "torch.zeros(3).select(0, x)",
        "torch.tensor(x)",
        "torch.zeros(2, 3).permute(x, 0)",
        "torch.arange(0, 1, x)",
        "torch.linspace(0, 1, 10**15)",
        "torch.randint(x, 5, (2,))",
        "torch.zeros(3).unsqueeze(x)",
        "torch.empty_strided((2, 2), (10**18, 1))",
        "torch.zeros(2, 3).repeat(10**10, 10**10)",
        "torch.eye(10**9)",
        "math.gcd(x, 0)",
        "math.lcm(x, 3)",
        "int(1e300)",
        "str(x)[0:3:x]",
        "list(range(5))[::x]",
        "torch.zeros(4).narrow(0, x, x)",
        "torch.zeros(4).split(10**30)",
        "torch.zeros(0).argmax()",
        "torch.zeros(0, 3).softmax(1)",
        "torch.zeros(0, 3).sum(0)",
        "torch.histc(torch.zeros(0))",
        "torch.bincount(torch.tensor([2**62]))",
        "torch.zeros(3).expand(x, 3)",
        "torch.cat([torch.zeros(0), torch.zeros(2)])",
        "torch.zeros(2, 2).tril(x)",
        "torch.zeros(1).item() // 0",
        "torch.tensor([1]) // 0",
        "torch.tensor([2**63])",
    ] {
        let text = format!(
            "import torch\nimport math\nimport triton\ndef main():\n    x = -2**126 - 2**126\n    print({expr})\n"
        );
        let run = || program(&text).run_main(&[], &mut Mock::idle(), &mut std::io::sink()).is_ok();
        if std::panic::catch_unwind(run).is_err() {
            panics.push(expr);
        }
    }
    assert!(panics.is_empty(), "{panics:?}");
    assert_eq!(crate::value("(torch.zeros(2, 0) @ torch.zeros(0, 3)).tolist()"), "[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]");
}

#[test]
fn deep_expressions_do_not_overflow_the_stack() {
    let text = format!(
        "def main():\n    x = 1{}\n    f = lambda n: 0 if n == 0 else {}f(n - 1)\n    f(200)\n",
        " + 1".repeat(900),
        "-".repeat(150)
    );
    let program = program(&text);
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let handle = thread.spawn(move || program.run_main(&[], &mut Mock::idle(), &mut std::io::sink()).is_ok()).unwrap();
    assert!(handle.join().unwrap());
}

#[test]
fn statements_that_are_not_there_name_the_python_package() {
    let fault = failure("torch.zeros(3).no_such_method()");
    assert!(fault.help.as_deref().is_some_and(|help| help.contains("python -m tk")), "{:?}", fault.help);
    let fault = failure("def f():\n    yield 1\nf()");
    assert_eq!(fault.message, "`yield` is not supported in host code");
    assert!(fault.help.as_deref().is_some_and(|help| help.contains("python -m tk")), "{:?}", fault.help);
}

#[test]
fn parameters_of_main_are_given_once_and_by_their_names() {
    let program = program("def main(x=1, y=2):\n    pass\n");
    let literal = |name: &str| Assignment { name: name.into(), value: Literal::Int(3) };
    let array = HostArray { ty: tk_types::ScalarType::F32, shape: vec![1], bytes: vec![0; 4] };
    let told = |literals: &[&str], arrays: &[&str]| {
        let given = arrays.iter().map(|name| (name.to_string(), array.clone())).collect();
        let literals: Vec<Assignment> = literals.iter().map(|name| literal(name)).collect();
        let arrays = Arrays { given, wanted: 0 };
        let result = program.run_main_with(&literals, &arrays, &mut Mock::idle(), &mut std::io::sink());
        result.err().map(|error| error.message.clone()).unwrap_or_default()
    };
    assert_eq!(told(&["x"], &["y"]), "");
    assert!(told(&["x", "x"], &[]).ends_with("`-D x=…`: `x` is given twice"));
    assert!(told(&["x"], &["x"]).ends_with("`--load x=…`: `x` is given twice"));
    assert!(told(&[], &["y", "y"]).ends_with("`--load y=…`: `y` is given twice"));
    assert!(told(&["z"], &[]).ends_with("`-D z=…`: `main` has no parameter and the file no constant `z`"));
    assert!(told(&[], &["z"]).ends_with("`--load z=…`: `main` has no parameter and the file no constant `z`"));
}

/// What host code does not have is an error where a name of it is used, and not a value.
#[test]
fn what_is_not_here_is_an_error_where_it_is_used() {
    for (value, message) in [
        ("3j", "there are no complex numbers in host code"),
        ("1 + 2 * 3j", "there are no complex numbers in host code"),
        ("torch.fft.rfft(torch.zeros(3))", "`torch.fft.rfft` is not available in host code"),
    ] {
        assert_eq!(crate::script(&format!("Z = 1\nZ = {value}\nprint('fine')")), "fine\n");
        for used in ["print(Z)", "Z * 2", "f(Z)", "[Z]"] {
            let fault = failure(&format!("def f(x): pass\nZ = 1\nZ = {value}\n{used}"));
            assert!(fault.message.ends_with(message), "{value}, {used}: {}", fault.message);
        }
    }
}
