//! Autotuning on the simulator, measured as on a GPU: kernels that change what they read give the results of one launch.
//!
//! Its times say nothing about a GPU; what counts is that a contest launches every kernel many times and leaves no trace.

use crate::session::{Session, Unwatched};
use tk_diag::{Diagnostic, Result, SourceFile, Style};
use tk_host::{BenchOptions, BufferRef, DeviceProperty, HostProgram, LaunchRequest, Launcher, TuneRequest};
use tk_launch::{DeviceChoice, TuneReport};

/// A session that measures on the simulator instead of taking the first configuration that fits.
struct Measuring {
    session: Session<Unwatched>,
    reports: Vec<TuneReport>,
}

impl Launcher for Measuring {
    fn launch(&mut self, request: &LaunchRequest<'_>) -> Result<()> {
        self.session.launch(request)
    }

    fn tune(&mut self, request: &TuneRequest<'_>) -> Result<usize> {
        let report = self.session.measure(request)?;
        self.reports.push(report);
        Ok(self.reports.last().map_or(0, |report| report.winner))
    }

    fn bench(&mut self, requests: &[LaunchRequest<'_>], options: &BenchOptions) -> Result<Vec<f64>> {
        self.session.bench(requests, options)
    }

    fn address(&mut self, buffer: &BufferRef) -> Result<u64> {
        self.session.address(buffer)
    }

    fn fault(&mut self) -> Option<Box<Diagnostic>> {
        self.session.fault()
    }

    fn finish(&mut self) -> Result<()> {
        self.session.finish()
    }

    fn device_name(&self) -> String {
        self.session.device_name()
    }

    fn property(&self, property: DeviceProperty) -> Option<i128> {
        self.session.property(property)
    }
}

/// Adds one to `x` in place and counts its programs in `programs`; with the arguments of `@triton.autotune` after the configurations.
/// A run that finds `x` more than `limit` ahead writes where nothing is, which the simulator reports.
fn program(tuning: &str, limit: u32) -> String {
    format!(
        "\
import torch
import triton
import triton.language as tl

@triton.autotune(
    configs=[triton.Config({{'BLOCK': block}}) for block in (64, 256, 128, 32)],
    key=['n']{tuning})
@triton.jit
def bump(x, programs, n, LIMIT: tl.constexpr, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK >= 64, 'too narrow')
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n)
    tl.store(x + at, value + 1, mask=at < n)
    tl.store(x + at + (1 << 28), value, mask=(at < n) & (value - at > LIMIT))
    tl.atomic_add(programs, 1)

def main(n=1000):
    x = torch.arange(0, n, device='cuda', dtype=torch.int32)
    programs = torch.zeros((1,), device='cuda', dtype=torch.int32)
    grid = lambda meta: (triton.cdiv(n, meta['BLOCK']),)
    bump[grid](x, programs, n, LIMIT={limit})
    assert torch.equal(x, torch.arange(1, n + 1, device='cuda', dtype=torch.int32)), 'the first launch'
    count = triton.cdiv(n, bump.best_config.kwargs['BLOCK'])
    assert programs.item() == count, f'{{programs.item()}} programs, not {{count}}'
    bump[grid](x, programs, n, LIMIT={limit})
    assert torch.equal(x, torch.arange(2, n + 2, device='cuda', dtype=torch.int32)), 'the second launch'
"
    )
}

fn tuned(tuning: &str, limit: u32) -> TuneReport {
    let file = SourceFile::new("bump.tk", program(tuning, limit));
    let shown = |fault: &Diagnostic| tk_diag::render(fault, Style::Plain);
    let module = tk_grammar::parse(&file).unwrap_or_else(|faults| panic!("{}", shown(&faults[0])));
    let session = Session::open(DeviceChoice::Sim, Unwatched, &module.file).unwrap();
    let mut measuring = Measuring { session, reports: Vec::new() };
    let ran = HostProgram::new(module).run_main(&[], &mut measuring, &mut std::io::sink());
    ran.unwrap_or_else(|fault| panic!("{}", shown(&fault)));
    assert_eq!(measuring.reports.len(), 1, "one key");
    measuring.reports.remove(0)
}

#[test]
fn a_contest_leaves_no_trace() {
    // Restored contents are 0 ahead in every timed run, and 1 ahead in the second launch of the program.
    for (tuning, limit) in [
        ("", 1 << 20),
        (", restore_value=['x']", 1),
        (", reset_to_zero=['programs']", 1 << 20),
        (", restore_value=['x'], reset_to_zero=['programs']", 1),
        (", restore_value=['x'], reset_to_zero=['programs'], use_cuda_graph=True", 1),
    ] {
        let report = tuned(tuning, limit);
        let rounds: Vec<Option<usize>> =
            report.trials.iter().map(|trial| Some(trial.outcome.as_ref().ok()?.time?.round)).collect();
        assert!(rounds[..3].iter().all(Option::is_some), "{report}");
        assert_eq!(rounds[3], None, "{report}");
        let (_, figures) = report.chosen().unwrap();
        let time = figures.time.unwrap();
        // One that is level with the fastest may have been chosen.
        assert!(time.ms > 0.0 && time.runs > 0 && time.ms <= time.winner_ms * 1.01, "{report}");
    }
}
