//! `@triton.autotune` and `@triton.heuristics`, and buffers whose bytes are on a device.

use crate::{Mock, program, run_with};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use tk_diag::{Diagnostic, Result};
use tk_host::{
    BenchOptions, BufferRef, DeviceCopy, DeviceProperty, LaunchArg, LaunchRequest, Launcher, Newest, TuneRequest,
};

/// A device that chooses the candidate with the greatest `BM` and remembers what it was asked.
pub(crate) struct Tuner {
    pub(crate) mock: Mock<'static>,
    pub(crate) asked: Vec<String>,
}

impl Tuner {
    fn new() -> Self {
        Self { mock: Mock::idle(), asked: Vec::new() }
    }
}

impl Launcher for Tuner {
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()> {
        self.mock.launch(request)
    }

    fn tune(&mut self, request: &TuneRequest<'_>) -> Result<usize> {
        let size = |at: &usize| {
            let launch = &request.candidates[*at].launch;
            launch.args.iter().find_map(|(name, arg)| match arg {
                LaunchArg::Constexpr(tk_types::ConstValue::Int(size)) if *name == "BM" => Some(*size),
                _ => None,
            })
        };
        let texts: Vec<String> = request
            .candidates
            .iter()
            .map(|candidate| {
                let settings: Vec<String> = candidate.settings.iter().map(|(n, v)| format!("{n}={v}")).collect();
                format!("{:?} {}", candidate.launch.grid, settings.join(" "))
            })
            .collect();
        let region = |region: &tk_host::Region| format!("{}+{}", region.start, region.bytes);
        let reset: Vec<String> = request.reset_to_zero.iter().chain(&request.restore_value).map(region).collect();
        let times = request.options;
        let line = format!(
            "{} [{}] {} | {} | {} {}",
            request.kernel,
            request.key,
            texts.join("; "),
            reset.join(" "),
            times.warmup_ms,
            times.rep_ms
        );
        self.asked.push(line);
        Ok((0..request.candidates.len()).max_by_key(size).unwrap_or(0))
    }

    fn bench(&mut self, requests: &[LaunchRequest<'_>], options: &BenchOptions) -> Result<Vec<f64>> {
        self.mock.bench(requests, options)
    }

    fn device_name(&self) -> String {
        "tuner".into()
    }

    fn property(&self, property: DeviceProperty) -> Option<i128> {
        self.mock.property(property)
    }
}

const HEADER: &str = "import torch, triton\nimport triton.language as tl\n";

#[track_caller]
pub(crate) fn tuned(text: &str) -> (Tuner, String) {
    let mut tuner = Tuner::new();
    let output = run_with(&format!("{HEADER}{text}"), &[], &mut tuner);
    let output = output.unwrap_or_else(|d| panic!("{}", tk_diag::render(&d, tk_diag::Style::Plain)));
    (tuner, output)
}

#[track_caller]
fn refused(text: &str) -> Box<Diagnostic> {
    run_with(&format!("{HEADER}{text}"), &[], &mut Tuner::new()).expect_err("the program fails")
}

#[test]
fn computed_configurations_are_chosen_once_per_key() {
    let (tuner, output) = tuned(
        r#"
def get_configs(stages):
    return [triton.Config({'BM': bm, 'BN': 32}, num_stages=s, num_warps=w) for bm in (32, 64) for s, w in [(stages, 4)]] \
        + [triton.Config({'BM': 16, 'BN': 8}, maxnreg=128)]

@triton.autotune(configs=get_configs(5), key=['M', 'absent'], reset_to_zero=['x'], restore_value=['y'], warmup=3, rep=7)
@triton.heuristics({'EVEN': lambda args: args['M'] % args['BM'] == 0, 'TWICE': lambda args: args['EVEN'] * 2})
@triton.jit
def k(x, y, M, BM: tl.constexpr, BN: tl.constexpr, EVEN: tl.constexpr, TWICE: tl.constexpr, f: tl.constexpr = None):
    pass

def main():
    x = torch.zeros((4, 6), dtype=torch.bfloat16)
    y = torch.zeros(8)
    grid = lambda meta: (triton.cdiv(meta['M'], meta['BM']), meta['BN'])
    k[grid](x[1:, 2], y, 128)
    print(k.best_config)
    k[grid](x, y, M=100)
    k[grid](x[1:, 2], y, 128)
    k[grid](x, y.to(torch.float16), M=100)
    k[(0,)](x, y, 5)
    print(k.best_config.kwargs['BM'], k.best_config.num_warps, k.best_config.all_kwargs()['num_stages'], len(k.configs))
"#,
    );
    let candidates = |grids: [&str; 3]| {
        format!(
            "{} BM=32 BN=32 num_warps=4 num_stages=5; {} BM=64 BN=32 num_warps=4 num_stages=5; \
             {} BM=16 BN=8 num_warps=4 num_stages=3 maxnreg=128",
            grids[0], grids[1], grids[2]
        )
    };
    let of_100 = candidates(["[4, 32, 1]", "[2, 32, 1]", "[7, 8, 1]"]);
    let expected = [
        format!(
            "k [M=128 bfloat16 float32] {} | 16+26 0+32 | 3 7",
            candidates(["[4, 32, 1]", "[2, 32, 1]", "[8, 8, 1]"])
        ),
        format!("k [M=100 bfloat16 float32] {of_100} | 0+48 0+32 | 3 7"),
        format!("k [M=100 bfloat16 float16] {of_100} | 0+48 0+16 | 3 7"),
    ];
    assert_eq!(tuner.asked, expected);
    assert_eq!(tuner.mock.log.len(), 4);
    assert_eq!(tuner.mock.log[0], "k[2, 32, 1](x=*bf16@16 y=*fp32@0 M=128 BM:64 BN:32 EVEN:True TWICE:2 f:None) w4 s5");
    assert_eq!(tuner.mock.log[2], tuner.mock.log[0]);
    assert_eq!(output, "BM: 64, BN: 32, num_warps: 4, num_ctas: 1, num_stages: 5, maxnreg: None\n64 4 5 3\n");
}

#[test]
fn pruning_sees_arguments_and_configurations() {
    let (tuner, output) = tuned(
        r#"
def early(configs, named_args, **kwargs):
    print(sorted(named_args.keys()), sorted(kwargs.keys()))
    return [c for c in configs if c.kwargs['BM'] <= named_args['M'] and c.num_warps == kwargs['warps']]

def model(x, M, warps, BM, num_warps, num_stages, num_ctas):
    return -BM

@triton.autotune([triton.Config({'BM': bm}, num_warps=4) for bm in (8, 16, 32, 64, 128)], ['M'],
                 prune_configs_by={'early_config_prune': early, 'perf_model': model, 'top_k': 2})
@triton.jit
def k(x, M, warps, BM: tl.constexpr):
    pass

@triton.autotune([triton.Config({'BM': bm}) for bm in (8, 16, 32, 64)], ['M'],
                 prune_configs_by={'perf_model': lambda BM, **other: BM, 'top_k': 0.25})
@triton.jit
def one(x, M, BM: tl.constexpr):
    pass

x = torch.zeros(4)
k[(1,)](x, 64, warps=4)
one[(1,)](x, 64)
print(one.best_config.kwargs)
"#,
    );
    let line = "k [M=64 float32] [1, 1, 1] BM=64 num_warps=4 num_stages=3; [1, 1, 1] BM=32 num_warps=4 num_stages=3 |  | 25 100";
    assert_eq!(tuner.asked, [line], "one configuration is no choice");
    assert_eq!(output, "['M', 'x'] ['warps']\n{'BM': 8}\n");
}

#[test]
fn hooks_run_before_the_launch_and_decorators_in_their_order() {
    let (tuner, output) = tuned(
        r#"
def hook(args):
    print('hook', args['BM'], args['E'])
    args['x'].fill_(args['BM'])

configs = [triton.Config({'BM': bm}, pre_hook=hook) for bm in (8, 16)]

def outside(args):
    assert 'BM' not in args
    return args['M'] > 1

@triton.jit
def raw(x, M, BM: tl.constexpr, E: tl.constexpr):
    pass

k = triton.heuristics({'E': outside})(triton.autotune(configs, key=['E'])(raw))
x = torch.zeros(1)
k[(1,)](x, 5)
print(x.item())
k[(1,)](x, 7)
raw[(1,)](x, 7, 3, E=1, num_warps=1)
single = triton.autotune(configs=[], key=[])(raw)
single[(1,)](x, 1, 2, 3)
print(single.best_config)
"#,
    );
    assert_eq!(tuner.asked.len(), 1);
    assert!(tuner.asked[0].starts_with("k [E=True float32] ".replace('k', "raw").as_str()), "{}", tuner.asked[0]);
    assert_eq!(tuner.mock.log.len(), 4);
    assert_eq!(
        output,
        "hook 8 True\nhook 16 True\nhook 16 True\n16.0\nhook 16 True\n\
         num_warps: 4, num_ctas: 1, num_stages: 3, maxnreg: None\n"
    );
}

#[test]
fn wrong_tuning_says_what_is_wrong() {
    let two = "[triton.Config({'BM': 1}), triton.Config({'BM': 2})]";
    let kernel = "@triton.jit\ndef k(x, M, BM: tl.constexpr):\n    pass\nx = torch.zeros(4)\n";
    for (decorator, call, message) in [
        (two, "k[(1,)](x, 1, BM=3)", "`BM` is set by the autotuner of `k` and cannot be given at the launch"),
        (
            two,
            "k[(1,)](x, 1, num_warps=8)",
            "`num_warps` is set by the autotuner of `k` and cannot be given at the launch",
        ),
        (
            two,
            "k[(1,)](x, 1, num_stages=8)",
            "`num_stages` is set by the autotuner of `k` and cannot be given at the launch",
        ),
        (two, "k.best_config", "`k` has no best_config yet"),
        (two, "print()\nk.num_warps = 3", "the attribute `num_warps` of a kernel cannot be set"),
        ("[triton.Config({'BN': 1})]", "k[(1,)](x, 1)", "a configuration sets `BN`, which is no parameter of `k`"),
        ("[1, 2]", "0", "autotune needs triton.Config values, not a int"),
        ("[triton.Config({}, num_warps=3)]", "k[(1,)](x, 1, 2)", "num_warps is 3; it must be a power of 2, at most 32"),
        (
            &format!("{two}, reset_to_zero=['M']"),
            "k[(1,)](x, 1)",
            "reset_to_zero and restore_value name `M`, which is no tensor of this launch",
        ),
        (&format!("{two}, pre_hook=print"), "0", "`pre_hook` of triton.autotune is not available here"),
        (&format!("{two}, prune_configs_by={{'best': print}}"), "0", "prune_configs_by has no entry `best`"),
        (
            &format!("{two}, prune_configs_by={{'early_config_prune': lambda c, a: []}}"),
            "k[(1,)](x, 1)",
            "ValueError: early_config_prune left no configuration of `k`",
        ),
        (
            &format!("{two}, prune_configs_by={{'perf_model': print, 'top_k': 1.5}}"),
            "k[(1,)](x, 1)",
            "top_k is a number of configurations, or a share of them that is at most 1.0",
        ),
    ] {
        let fault = refused(&format!("@triton.autotune(key=['M'], configs={decorator})\n{kernel}{call}\n"));
        assert_eq!(fault.message, message, "{decorator} {call}");
        assert!(!fault.labels.is_empty(), "{decorator} {call}");
    }
}

/// A device whose launches write 7 into every byte, some time later.
#[derive(Default)]
struct Lazy {
    shared: Rc<Shared>,
}

#[derive(Default)]
struct Shared {
    fetches: Cell<usize>,
    breaks: Cell<bool>,
    fault: RefCell<Option<Box<Diagnostic>>>,
}

struct Copy(Rc<Shared>);

impl DeviceCopy for Copy {
    fn fetch(&self, bytes: &mut [u8]) {
        self.0.fetches.set(self.0.fetches.get() + 1);
        match self.0.breaks.get() {
            true => *self.0.fault.borrow_mut() = Some(Diagnostic::error(tk_diag::OUT_OF_BOUNDS, "a fault").boxed()),
            false => bytes.fill(7),
        }
    }
}

impl Launcher for Lazy {
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()> {
        for (_, arg) in &request.args {
            if let LaunchArg::Buffer { buffer, .. } = arg {
                if buffer.newest() == Newest::Host {
                    buffer.set_device_copy(Rc::new(Copy(self.shared.clone())));
                }
                buffer.set_newest(Newest::Device);
            }
        }
        Ok(())
    }

    fn fault(&mut self) -> Option<Box<Diagnostic>> {
        self.shared.fault.borrow_mut().take()
    }

    fn finish(&mut self) -> Result<()> {
        self.fault().map_or(Ok(()), Err)
    }

    fn bench(&mut self, _: &[LaunchRequest<'_>], _: &BenchOptions) -> Result<Vec<f64>> {
        Ok(vec![1.0])
    }

    fn device_name(&self) -> String {
        "lazy".into()
    }

    fn property(&self, _: DeviceProperty) -> Option<i128> {
        None
    }
}

const LAZY: &str = "import torch, triton\n@triton.jit\ndef k(x):\n    pass\n";

#[test]
fn bytes_are_fetched_when_somebody_looks() {
    let mut lazy = Lazy::default();
    let text = format!(
        "{LAZY}x = torch.zeros(4, dtype=torch.int8)\ny = x[2:]\nfor i in range(10):\n    k[(1,)](x)\nprint(y.shape, x.dtype)\n\
         print(y.tolist(), x.sum().item())\nx[0] = 1\nprint(x.tolist())\nk[(1,)](y)\nk[(1,)](x)\n"
    );
    let output = run_with(&text, &[], &mut lazy).unwrap();
    assert_eq!(output, "(2,) torch.int8\n[7, 7] 28\n[1, 7, 7, 7]\n");
    assert_eq!(lazy.shared.fetches.get(), 1);
}

#[test]
fn a_late_fault_stops_the_program_before_it_prints() {
    for (body, line) in [("print(x.sum())", 7), ("y = x + 1\nassert 1 == 2", 8), ("assert x[0] == 5", 7)] {
        let mut lazy = Lazy::default();
        lazy.shared.breaks.set(true);
        let text = format!("{LAZY}x = torch.zeros(4)\nk[(1,)](x)\n{body}\n");
        let mut output = Vec::new();
        let fault = program(&text).run_main(&[], &mut lazy, &mut output).unwrap_err();
        assert_eq!((fault.code, output.len()), (tk_diag::OUT_OF_BOUNDS, 0), "{body}");
        if let Some(label) = fault.labels.first() {
            let file = label.file.as_ref().unwrap();
            assert_eq!(
                (label.text.as_str(), file.line_column(label.span.start).line),
                ("noticed here", line),
                "{body}"
            );
        }
    }
}

#[test]
fn writing_on_the_host_keeps_what_the_device_wrote() {
    let buffer = BufferRef::new(vec![0; 4]);
    assert_eq!(buffer.newest(), Newest::Host);
    buffer.set_device_copy(Rc::new(Copy(Rc::default())));
    assert_eq!(buffer.newest(), Newest::Both);
    buffer.set_newest(Newest::Device);
    buffer.bytes_mut()[0] = 1;
    assert_eq!((buffer.newest(), buffer.bytes().as_slice()), (Newest::Host, [1, 7, 7, 7].as_slice()));
}
