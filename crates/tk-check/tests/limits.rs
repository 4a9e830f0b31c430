//! Deep, long and endless programs: each ends in a kernel or in an error, within the stack of an ordinary thread.

use crate::request::check_k;
use tk_check::{bind_signature, configurations, kernels, read_constant, read_signature};
use tk_diag::{Diagnostic, SourceFile};
use tk_grammar::ast::Module;
use tk_types::{ArgSpec, ArgType, CompileOptions, ConstValue, NamedConstant, ScalarType};

fn parse(text: &str) -> Result<Module, Vec<Diagnostic>> {
    let text = format!("import triton\nimport triton.language as tl\n\n{text}");
    tk_grammar::parse(&SourceFile::new("k.tk", text))
}

/// The code of the first error of kernel `k(x, n)`, or nothing when it checks.
fn outcome(text: &str) -> Option<&'static str> {
    let module = match parse(text) {
        Ok(module) => module,
        Err(errors) => return Some(errors[0].code.slug),
    };
    let specs = read_signature("*fp32,i32").unwrap();
    let args = match bind_signature(&module, "k", Some(&specs), &[]) {
        Ok(args) => args,
        Err(errors) => return Some(errors[0].code.slug),
    };
    check_k(&module, &args).err().map(|errors| errors[0].code.slug)
}

fn kernel(body: &str) -> String {
    format!("@triton.jit\ndef k(x, n):\n{body}")
}

#[test]
fn long_chains_are_no_deep_recursion() {
    let sum = vec!["n"; 150].join(" + ");
    assert_eq!(outcome(&kernel(&format!("    tl.store(x, {sum})\n"))), None);
    let lines: String = (0..5000).map(|i| format!("    a{i} = n + {i}\n")).collect();
    assert_eq!(outcome(&kernel(&lines)), None);
}

#[test]
fn deep_programs_end_in_an_error() {
    // Half of the 2 MiB that a Rust thread has by default, so that a caller has room of its own.
    let stack = std::env::var("TK_STACK").ok().and_then(|text| text.parse().ok()).unwrap_or(1 << 20);
    std::thread::Builder::new().stack_size(stack).spawn(deep_programs).unwrap().join().unwrap();
}

fn deep_programs() {
    for depth in [50, 240, 290, 1000] {
        let nested = format!("    tl.store(x, {}n{})\n", "tl.abs(".repeat(depth), ")".repeat(depth));
        let expected = if depth < 100 { None } else { Some("nesting-too-deep") };
        assert!([expected, None].contains(&outcome(&kernel(&nested))), "calls nested {depth} deep");
        let mut ifs = String::new();
        for level in 0..depth {
            ifs.push_str(&format!("{}if n > {level}:\n", " ".repeat(level + 1)));
        }
        ifs.push_str(&format!("{}tl.store(x, n)\n", " ".repeat(depth + 1)));
        assert!([expected, None].contains(&outcome(&kernel(&ifs))), "branches nested {depth} deep");
    }
    let recursive = "@triton.jit\ndef f(a, d: tl.constexpr):\n    if d == 0:\n        return a\n    return tl.abs(tl.abs(f(a + 1, d - 1)))\n\n";
    assert_eq!(outcome(&format!("{recursive}{}", kernel("    tl.store(x, f(n, 20))\n"))), None);
    assert_eq!(outcome(&format!("{recursive}{}", kernel("    tl.store(x, f(n, 1000))\n"))), Some("nesting-too-deep"));
}

#[test]
fn endless_work_is_stopped() {
    let inner = "        for j in tl.static_range(90000):\n            for l in tl.static_range(90000):\n                n += 1\n";
    let text = kernel(&format!("    for i in tl.static_range(90000):\n{inner}"));
    assert_eq!(outcome(&text), Some("too-large"));
    let helpers: String =
        (1..40).map(|i| format!("@triton.jit\ndef f{i}(a):\n    return f{}(a) + f{}(a)\n\n", i - 1, i - 1)).collect();
    let text = format!("@triton.jit\ndef f0(a):\n    return a + 1\n\n{helpers}{}", kernel("    tl.store(x, f39(n))\n"));
    assert_eq!(outcome(&text), Some("too-large"));
    for twice in ["t = t + t", "t = (t, t)", "t: tl.constexpr = (t, t)", "t: tl.constexpr = t * 2", "t = [t, n] * 2"] {
        let lines = format!("    {twice}\n").repeat(60);
        assert_eq!(outcome(&kernel(&format!("    t: tl.constexpr = (1, 2)\n{lines}"))), Some("too-large"), "{twice}");
    }
    assert_eq!(
        outcome(&kernel("    t: tl.constexpr = () * 100000000000\n    s: tl.constexpr = (1,) * 100000000000\n")),
        Some("too-large")
    );
}

#[test]
fn signatures_come_from_annotations_defaults_and_configurations() {
    let text = "@triton.autotune(configs=[triton.Config({'BLOCK': 64}, num_warps=8, num_stages=2), triton.Config({'BLOCK': 32})], key=['n'])\n@triton.jit\ndef k(x: \"*fp16\", n: tl.int64, eps: float, p: tl.pointer_type(tl.int8), extra=None, BLOCK: tl.constexpr = 8, MODE: tl.constexpr = \"a\"):\n    pass\n";
    let module = parse(text).unwrap();
    assert_eq!(kernels(&module).len(), 1);
    let args = bind_signature(&module, "k", None, &[NamedConstant::new("MODE", read_constant("b").unwrap())]).unwrap();
    let types: Vec<ArgType> = args.into_iter().map(|arg| arg.ty).collect();
    let pointer = |element| ArgType::Pointer { element, constant: false };
    let constant = ArgType::Constexpr;
    let wanted = vec![
        pointer(ScalarType::F16),
        ArgType::Scalar(ScalarType::I64),
        ArgType::Scalar(ScalarType::F32),
        pointer(ScalarType::I8),
        constant(ConstValue::None),
        constant(ConstValue::Int(64)),
        constant(ConstValue::Str("b".to_string())),
    ];
    assert_eq!(types, wanted);
    let configs = configurations(&module, "k", &CompileOptions::default());
    assert_eq!(configs.len(), 2);
    assert_eq!((configs[0].options.num_warps, configs[0].options.num_stages, configs[1].options.num_warps), (8, 2, 4));
}

#[test]
fn wrong_signatures_say_what_is_missing() {
    let module = parse("@triton.jit\ndef k(x, n, BLOCK: tl.constexpr):\n    pass\n").unwrap();
    let spec = |text: &str| read_signature(text).unwrap();
    let bind = |specs: Option<&[ArgSpec]>, constexprs: &[NamedConstant]| -> String {
        let errors = bind_signature(&module, "k", specs, constexprs).unwrap_err();
        errors.iter().map(|error| error.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let block = [NamedConstant::new("BLOCK", ConstValue::Int(1))];
    assert_eq!(bind(Some(&spec("*fp32,i32")), &[]), "the constexpr `BLOCK` of `k` has no value");
    assert_eq!(
        bind(None, &block),
        "the type of the parameter `x` of `k` is not known; the type of the parameter `n` of `k` is not known"
    );
    assert_eq!(
        bind(Some(&spec("*fp32,i32,i32")), &block),
        "the signature has 3 types, and `k` has 2 run-time parameters"
    );
    let wrong = [NamedConstant::new("BLOCK", ConstValue::Int(1)), NamedConstant::new("BLCK", ConstValue::Int(1))];
    assert_eq!(bind(Some(&spec("*fp32,i32")), &wrong), "`k` has no parameter `BLCK`");
    assert!(bind_signature(&module, "kk", None, &[]).unwrap_err()[0].help.as_ref().unwrap().contains("`k`"));
}
