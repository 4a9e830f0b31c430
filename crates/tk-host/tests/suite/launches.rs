//! Kernel launches: how arguments, grids, configurations and constants reach the device.

use crate::{Mock, program, run_with};
use tk_host::{LaunchArg, LaunchRequest};
use tk_types::ScalarType;

const ADD: &str = r#"
import torch
import triton
import triton.language as tl

SCALE = 3

@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr, alpha=1.0):
    pass

def add(x, y):
    out = torch.empty_like(x)
    n = out.numel()
    grid = lambda META: (triton.cdiv(n, META['BLOCK']),)
    add_kernel[grid](x, y, out, n, BLOCK=128, num_warps=8)
    return out

def main(n=1000):
    torch.manual_seed(0)
    x = torch.randn(n, device='cuda')
    y = torch.rand(n + 4, device='cuda')[4:]
    torch.testing.assert_close(add(x, y), x + y)
    print("ok")
"#;

/// Adds on the host what the kernel would add.
fn add(request: &LaunchRequest<'_>) {
    let read = |at: usize| match &request.args[at].1 {
        LaunchArg::Buffer { buffer, byte_offset, dtype: ScalarType::F32 } => {
            let bytes = buffer.bytes()[*byte_offset..].to_vec();
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect::<Vec<f32>>()
        }
        other => panic!("{other:?}"),
    };
    let (x, y) = (read(0), read(1));
    let LaunchArg::Buffer { buffer, byte_offset, .. } = &request.args[2].1 else { panic!() };
    let mut out = buffer.bytes_mut();
    for (i, chunk) in out[*byte_offset..].chunks_exact_mut(4).enumerate() {
        chunk.copy_from_slice(&(x[i] + y[i]).to_le_bytes());
    }
}

#[test]
fn a_launch_carries_buffers_grid_options_and_defaults() {
    let mut mock = Mock::new(add);
    assert_eq!(run_with(ADD, &[("n", "1000")], &mut mock).unwrap(), "ok\n");
    assert_eq!(
        mock.log,
        ["add_kernel[8, 1, 1](x_ptr=*fp32@0 y_ptr=*fp32@16 out_ptr=*fp32@0 n=1000 BLOCK:128 alpha=1.0) w8 s3"]
    );
    let mut globals = Vec::new();
    let mut spy = Mock::new(|request| globals = request.globals.clone());
    let _ = run_with(ADD, &[], &mut spy);
    drop(spy);
    assert_eq!(
        globals,
        [
            tk_types::NamedConstant::new("SCALE", tk_types::ConstValue::Int(3)),
            tk_types::NamedConstant::new("add_kernel", tk_types::ConstValue::Function("add_kernel".into())),
            tk_types::NamedConstant::new("tl", tk_types::ConstValue::Function("triton.language".into())),
        ]
    );
}

#[test]
fn heuristics_set_parameters_and_options() {
    let text = r#"
import torch
import triton
import triton.language as tl

@triton.heuristics({'BLOCK': lambda args: triton.next_power_of_2(args['n'])})
@triton.heuristics({'num_warps': lambda args: 8 if args['BLOCK'] > 64 else 2, 'num_stages': lambda args: 5})
@triton.jit
def k(x, n, BLOCK: tl.constexpr):
    pass

def main():
    x = torch.zeros(4)
    k[(1,)](x, 100)
    k[(1,)](x, 60)
"#;
    let mut mock = Mock::new(|_| ());
    run_with(text, &[], &mut mock).unwrap();
    assert_eq!(mock.log, ["k[1, 1, 1](x=*fp32@0 n=100 BLOCK:128) w8 s5", "k[1, 1, 1](x=*fp32@0 n=60 BLOCK:64) w2 s5"]);
    let error = run_with(&text.replace("'num_stages'", "'STAGES'"), &[], &mut mock).expect_err("no such parameter");
    assert_eq!(error.message, "heuristics set `STAGES`, which is no parameter or option");
}

#[test]
fn memory_that_nothing_wrote_is_noticed() {
    let fault = run_with(ADD, &[], &mut Mock::idle()).unwrap_err();
    assert_eq!(fault.message, "element (0,) of a tensor of shape (1000,) is read, and nothing has written it");
    assert_eq!(fault.code, tk_diag::UNINITIALISED);
    assert!(fault.help.as_deref().unwrap_or_default().contains("torch.empty"), "{fault:?}");
}

#[test]
fn wrong_launches_say_what_is_wrong() {
    let header = "import torch\nimport triton\nimport triton.language as tl\n@triton.jit\ndef k(x_ptr, n, BLOCK: tl.constexpr):\n    pass\nx = torch.zeros(4)\n";
    for (call, message, help) in [
        ("k[(1,)](x, 4)", "the kernel `k` is launched without `BLOCK`", "give a value"),
        ("k[(1,)](x, 4, 8, 9)", "the kernel `k` takes 3 arguments, but 4 are given", ""),
        ("k[(1,)](x, 4, BLOK=8)", "the kernel `k` has no parameter `BLOK`", "did you mean `BLOCK`?"),
        ("k[(1,)](x, 4, 8, n=3)", "the kernel `k` gets `n` twice", ""),
        ("k[(1,)](x, 4, 8, num_warps=3)", "num_warps is 3; it must be a power of 2, at most 32", ""),
        ("k[(1,)]([1, 2], 4, 8)", "`x_ptr` of the kernel `k` cannot be a list", "torch.tensor"),
        ("print()\nk.cache = 3", "the attribute `cache` of a kernel cannot be set", "at the launch"),
        ("k[(1,)](x, 2**64, 8)", "`n` of the kernel `k` is 18446744073709551616, which does not fit 64 bits", ""),
        ("k[(1,)](x, 4, x)", "`BLOCK` is a constexpr and cannot be a Tensor", "constexpr parameters"),
        ("k[(1.5,)](x, 4, 8)", "size 0 of the grid must be an integer, not a float", "triton.cdiv"),
        ("k[(1, 2, 3, 4)](x, 4, 8)", "a grid has 1 to 3 sizes, not 4", ""),
        ("k[(-1,)](x, 4, 8)", "size 0 of the grid is -1; it can be 0 to 2147483647", ""),
        ("k['a'](x, 4, 8)", "a grid is a tuple of 1 to 3 integers or a function of one, not a str", ""),
        ("k(x, 4, 8)", "the kernel `k` is called without a grid", "k[grid]"),
    ] {
        let fault = run_with(&format!("{header}{call}\n"), &[], &mut Mock::idle()).unwrap_err();
        assert_eq!(fault.message, message, "{call}");
        assert!(fault.help.clone().unwrap_or_default().contains(help), "{call}: {fault:?}");
        let file = fault.labels[0].file.as_ref().unwrap();
        assert_eq!(file.line_column(fault.labels[0].span.start).line, 8 + call.matches('\n').count() as u32, "{call}");
    }
}

#[test]
fn large_unsigned_numbers_arrive_whole() {
    let text = "import torch\nimport triton\n@triton.jit\ndef k(x, n):\n    pass\n\
                n = torch.full((1,), 2**64 - 3, dtype=torch.uint64)\nk[(1,)](n, n.item())\nk[(1,)](n, -2**63)\n\
                print(int(n), n[0].item() == 2**64 - 3)\n";
    let mut mock = Mock::idle();
    assert_eq!(run_with(text, &[], &mut mock).unwrap(), "18446744073709551613 True\n");
    assert_eq!(mock.log[0], "k[1, 1, 1](x=*u64@0 n=18446744073709551613) w4 s3");
    assert_eq!(mock.log[1], "k[1, 1, 1](x=*u64@0 n=-9223372036854775808) w4 s3");
}

#[test]
fn a_device_error_keeps_its_place_and_names_the_launch() {
    struct Broken;
    impl tk_host::Launcher for Broken {
        fn launch(&mut self, request: &LaunchRequest<'_>) -> tk_diag::Result<()> {
            let kernel = request.module.function(request.kernel).unwrap();
            let diagnostic = tk_diag::Diagnostic::error(tk_diag::OUT_OF_BOUNDS, "a store is out of bounds");
            Err(diagnostic.at(&request.module.file, kernel.name.span, "here").boxed())
        }
        fn bench(&mut self, _: &[LaunchRequest<'_>], _: &tk_host::BenchOptions) -> tk_diag::Result<Vec<f64>> {
            Ok(vec![])
        }
        fn device_name(&self) -> String {
            "broken".into()
        }
        fn property(&self, _: tk_host::DeviceProperty) -> Option<i128> {
            None
        }
    }
    let fault = run_with(ADD, &[], &mut Broken).unwrap_err();
    assert_eq!((fault.code, fault.labels.len()), (tk_diag::OUT_OF_BOUNDS, 2));
    assert_eq!(fault.labels[1].text, "launched here");
    assert_eq!(fault.notes, ["in `add`, called at k.tk:23:32"]);
}

#[test]
fn benchmarks_time_launches_and_make_tables() {
    let text = format!(
        "{ADD}\n@triton.testing.perf_report(triton.testing.Benchmark(x_names=['n'], x_vals=[2**i for i in range(4, 6)],\n\
         \x20   line_arg='provider', line_vals=['tk', 'torch'], line_names=['tk', 'Torch'], ylabel='GB/s', plot_name='add', args={{}}))\n\
         def benchmark(n, provider):\n    x = torch.rand(n)\n    quantiles = [0.5, 0.0, 1.0]\n\
         \x20   if provider == 'torch': return 7.0\n\
         \x20   ms, low, high = triton.testing.do_bench(lambda: add(x, x), quantiles=quantiles)\n    return ms, high, low\n\
         def bench_add():\n    ms = triton.testing.do_bench(lambda: (add(torch.ones(2), torch.ones(2)), None))\n    print(ms)\n    return ms\n"
    );
    let program = program(&text);
    assert_eq!(program.benches(), ["benchmark", "bench_add"]);
    let mut output = Vec::new();
    let tables = program.run_bench("benchmark", &mut Mock::new(add), &mut output).unwrap().tables;
    assert_eq!(tables.len(), 1);
    assert_eq!(
        (tables[0].name.as_str(), &tables[0].x_values),
        ("add", &vec![vec!["16".to_string()], vec!["32".to_string()]])
    );
    assert_eq!(
        (tables[0].lines[0].values.clone(), tables[0].lines[1].values.clone()),
        (vec![3.0, 3.0], vec![7.0, 7.0])
    );
    assert!(String::from_utf8(output).unwrap().contains("16  3.000000  7.000000"));
    let mut output = Vec::new();
    let outcome = program.run_bench("bench_add", &mut Mock::new(add), &mut output).unwrap();
    assert_eq!((outcome.figures, outcome.tables.len()), (vec![3.0], 0));
    assert_eq!(String::from_utf8(output).unwrap(), "3.0\n");
}
