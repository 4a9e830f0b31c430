//! Arguments from the command line to the launch: literals, annotations, and options that nothing reads.

use tk_tests::{Outcome, root, run_tk};

/// A program in target/, and its path.
fn program(name: &str, text: &str) -> String {
    let folder = root().join("target").join("arguments");
    std::fs::create_dir_all(&folder).expect("target/ can be written");
    let path = folder.join(name);
    let header = "import torch\nimport triton\nimport triton.language as tl\n\n\n";
    std::fs::write(&path, format!("{header}{text}")).expect("a program can be written");
    path.display().to_string()
}

fn tk(args: &[&str]) -> Outcome {
    run_tk(&args.iter().map(|arg| arg.to_string()).collect::<Vec<_>>())
}

#[track_caller]
fn assert_told(outcome: &Outcome, exit: i32, parts: &[&str]) {
    assert_eq!(outcome.exit, exit, "{}", outcome.text);
    for part in parts {
        assert!(outcome.text.contains(part), "{part} is missing in\n{}", outcome.text);
    }
}

const CONSTANTS: &str = "\
@triton.jit
def k(x, S: tl.constexpr, N: tl.constexpr = 1, T: tl.constexpr = None):
    tl.static_print(S)
    tl.static_print(N)
    tl.static_print(T)
    tl.store(x, N)
";

#[test]
fn constants_of_the_command_line_are_literals() {
    let file = program("constants.tk", CONSTANTS);
    let compile = |constexprs: &[&str]| {
        let options = constexprs.iter().flat_map(|text| ["--constexpr", text]);
        tk(&["compile", &file, "--signature", "*fp32:16", "--emit", "checked"]
            .into_iter()
            .chain(options)
            .collect::<Vec<_>>())
    };
    assert_told(&compile(&["S=\"x,y\",N=0x10", "T=(1, 'a,b')"]), 0, &["x,y\n", "\n16\n", "a,b"]);
    assert_told(&compile(&["S='it' 's', N=-1_0"]), 0, &["its\n", "\n-10\n"]);
    assert_told(&compile(&["S=leaky-relu,N=1e-3"]), 0, &["leaky-relu\n", "\n0.001\n"]);
    assert_told(&compile(&["S=x,N=1+1"]), 1, &["`1+1` is not a literal", "--constexpr:1:7"]);
    assert_told(&compile(&["S=\"x,y"]), 1, &["this string is not closed", "--constexpr:1:3"]);
    assert_told(&compile(&["S=a,b"]), 1, &["`b` is not NAME=VALUE", "--constexpr:1:5"]);
    let fixed = tk(&["compile", &file, "--signature", "*fp32:16,i32=0x10", "--constexpr", "S=1", "--emit", "checked"]);
    assert!(fixed.exit != 0 && fixed.text.contains("the signature has 2 types"), "{}", fixed.text);
}

const MAIN: &str = "\
def main(n=1, name=\"none\", scale=1.0, flag=False, dtype=torch.float32):
    print(n + 1, name, scale * 2, flag, dtype)
";

#[test]
fn definitions_are_literals() {
    let file = program("definitions.tk", MAIN);
    let run = |definitions: &[&str]| {
        let options = definitions.iter().flat_map(|text| ["-D", text]);
        tk(&["run", &file, "--device", "sim"].into_iter().chain(options).collect::<Vec<_>>())
    };
    assert_told(&run(&["n=0x10"]), 0, &["17 none 2.0 False torch.float32"]);
    assert_told(&run(&["n=-1_000", "name=\"a, b\"", "scale=2.5e-1"]), 0, &["-999 a, b 0.5 False"]);
    assert_told(&run(&["name=a,b=c", "flag=True", "dtype=torch.float16"]), 0, &["2 a,b=c 2.0 True torch.float16"]);
    assert_told(&run(&["n=12ab"]), 1, &["`12ab` is not a decimal number", "-D:1:3"]);
    assert_told(&run(&["n"]), 1, &["`n` is not NAME=VALUE"]);
}

#[test]
fn quoted_constexprs_are_constants_everywhere() {
    for (index, spelling) in ["\"tl.constexpr\"", "'constexpr'", "tl.constexpr", "static"].into_iter().enumerate() {
        let text = format!(
            "from triton.language import constexpr as static

@triton.jit
def fill(x, BLOCK: {spelling}):
    tl.store(x + tl.arange(0, BLOCK), BLOCK)

def main():
    x = torch.zeros(16, dtype=torch.int32)
    fill[(1,)](x, 16)
    print(\"sum\", x.sum().item())
"
        );
        let file = program(&format!("quoted-{index}.tk"), &text);
        assert_told(&tk(&["run", &file, "--device", "sim"]), 0, &["sum 256"]);
        assert_told(&tk(&["check", &file]), 0, &["1 kernel, nothing to report"]);
        let compiled = tk(&["compile", &file, "--signature", "*i32:16", "--constexpr", "BLOCK=16"]);
        assert_told(&compiled, 0, &[".entry fill"]);
    }
}

#[test]
fn options_that_nothing_reads_are_told_once() {
    let text = "\
@triton.jit(launch_metadata=lambda grid, kernel, args: {})
def k(x, n):
    for i in tl.range(0, n, disallow_acc_multi_buffer=True):
        tl.store(x + i, 1.0)
    for i in tl.range(0, n, warp_specialize=True, disable_licm=True, disallow_acc_multi_buffer=True):
        tl.store(x + i, 1.0)

def main():
    x = torch.zeros(4)
    for _ in range(3):
        k[(1,)](x, 4, waves_per_eu=2, launch_pdl=False)
";
    let file = program("unused.tk", text);
    let run = tk(&["run", &file, "--device", "sim"]);
    let told = ["launch_metadata", "disallow_acc_multi_buffer", "waves_per_eu"];
    for name in told {
        let message = format!("warning[unused-option]: tk does nothing with `{name}` yet");
        assert_eq!(run.text.matches(&message).count(), 1, "{name}:\n{}", run.text);
    }
    assert_eq!((run.exit, run.text.matches("[unused-option]").count()), (0, told.len()), "{}", run.text);
    let check = tk(&["check", &file]);
    assert_eq!(check.text.matches("[unused-option]").count(), 2, "{}", check.text);
    assert_told(&tk(&["run", &file, "--device", "sim", "--allow", "unused-option"]), 0, &[]);
}

const WITHIN: &str = "\
def make_one(SIZE):
    @triton.jit
    def kernel(x):
        tl.store(x, SIZE)

def make_two(triton, tl):
    @triton.jit
    def kernel(x, n):
        tl.store(x, n)
";

#[test]
fn kernels_within_functions_are_named_with_them_or_with_a_line() {
    let path = program("within.py", WITHIN);
    let file = path.as_str();
    let compile = |kernel: &str, signature: &str, rest: &[&str]| {
        let words = ["compile", file, "--kernel", kernel, "--signature", signature];
        tk(&words.iter().chain(rest).copied().collect::<Vec<_>>())
    };
    for name in ["make_one.kernel", "make_one.<locals>.kernel", "kernel:7", "make_one.kernel:9"] {
        assert_told(&compile(name, "*fp32:16", &["--constexpr", "SIZE=3"]), 0, &[".entry kernel", "1077936128"]);
    }
    for name in ["make_two.kernel", "kernel:12"] {
        assert_told(&compile(name, "*fp32:16,fp32", &[]), 0, &[".entry kernel"]);
    }
    let missing = ["error[unknown-name]: `SIZE` is a parameter of `make_one` and has no value here", "within.py:9:21"];
    assert_told(&compile("make_one.kernel", "*fp32:16", &[]), 1, &missing);
    let several = ["defines 2 kernels `kernel`", "line 7: `make_one.kernel`", "line 12: `make_two.kernel`"];
    assert_told(&compile("kernel", "*fp32:16", &[]), 1, &several);
    let none = tk(&["compile", file, "--signature", "*fp32:16"]);
    assert_told(&none, 1, &["--kernel make_one.kernel | make_two.kernel"]);
    assert_told(&compile("make_three.kernel", "*fp32:16", &[]), 1, &["defines no kernel `make_three.kernel`"]);
    for name in ["make_one.kernel", "make_two.kernel", "kernel:12"] {
        assert_told(&tk(&["check", file, "--kernel", name]), 0, &["1 kernel, nothing to report"]);
    }
    let folder = root().join("target/arguments/within").display().to_string();
    let build = ["build", file, "--kernel", "kernel:7", "--signature", "*fp32:16", "--constexpr", "SIZE=3"];
    let rest = ["--target", "sm_90a", "--output", folder.as_str(), "--json"];
    assert_told(&tk(&[&build[..], &rest[..]].concat()), 0, &["\"kernels\":[\"kernel\"]"]);
}
