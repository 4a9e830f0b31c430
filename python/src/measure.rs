//! Measuring configurations of a kernel: on the caller's GPU, and on copies of the arguments on other GPUs of the process.
//!
//! The second is for autotuning on all GPUs at once (`tk.runtime._gpus` says when and how). What is measured there runs without the interpreter's
//! lock, so that the threads of several GPUs do not wait for each other.

use crate::device::{self, Place};
use crate::error;
use crate::kernel::CompiledKernel;
use crate::launch::{bases, device_args};
use crate::value::Tensor;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tk_diag::{Diagnostic, Result};
use tk_launch::{Arg, BenchSettings, Buffer, Device, Kernel};

/// Bytes before and behind each range that is copied. A kernel may read past its tensors and find other memory of the program there; on
/// the other GPU it is to find memory, too.
const GUARD: usize = 32 << 20;

/// Addresses keep their remainder by this, and with it whatever alignment kernels were compiled for.
const ALIGNMENT: usize = 2 << 20;

/// The median of the times and the quantiles that autotuning asks for.
const QUANTILES: [f64; 3] = [0.5, 0.2, 0.8];

/// Memory of the program: where it begins and how many bytes.
type Range = (u64, usize);

/// A range with its place among the copies.
struct Region {
    address: u64,
    bytes: usize,
    at: usize,
}

/// What a configuration launches: the kernel, its grid, and all arguments of its function in their order.
type Launch = (Py<CompiledKernel>, [u32; 3], Py<PyTuple>);

/// Copies of the arguments of launches on another GPU, freed when nobody has them.
#[pyclass(frozen, module = "tk._native")]
pub(crate) struct Copies {
    ordinal: usize,
    device: Device,
    memory: Buffer,
    regions: Vec<Region>,
}

#[pymethods]
impl Copies {
    /// Copies ranges of the memory of the GPU `source` to the GPU `ordinal`. The ranges do not overlap.
    #[new]
    fn new(py: Python<'_>, ordinal: usize, source: usize, ranges: Vec<Range>) -> PyResult<Self> {
        let (device, source) = (device::gpu(py, ordinal)?, device::gpu(py, source)?);
        let (regions, bytes) = places(&ranges);
        let copied = py.detach(|| -> Result<Buffer> {
            let memory = device.allocate(bytes)?;
            // An allocation is aligned less than the ranges may be, so places are relative to the next multiple.
            let start = (memory.address() as usize).next_multiple_of(ALIGNMENT) - memory.address() as usize;
            for region in &regions {
                device.copy_from(&source, region.address, (&memory, start + region.at), region.bytes)?;
            }
            Ok(memory)
        });
        let memory = copied.map_err(|fault| error::one(py, &fault))?;
        let start = (memory.address() as usize).next_multiple_of(ALIGNMENT) - memory.address() as usize;
        let regions = regions.into_iter().map(|region| Region { at: start + region.at, ..region }).collect();
        Ok(Self { ordinal, device, memory, regions })
    }

    /// Times launches one after the other, each by the rules of `do_bench`: the median with the quantiles of a fifth and four fifths, in
    /// milliseconds, or why there is none. Before each run some ranges are zeroed and others get back what was copied.
    fn measure(
        &self,
        py: Python<'_>,
        launches: Vec<Launch>,
        zeroed: Vec<Range>,
        restored: Vec<Range>,
        warmup_ms: f64,
        measure_ms: f64,
    ) -> PyResult<Vec<Py<PyAny>>> {
        let zeroed = self.all_found(&zeroed)?;
        let restored = self.all_found(&restored)?;
        let saved = py.detach(|| self.save(&restored)).map_err(|fault| error::one(py, &fault))?;
        let settings = BenchSettings { warmup_ms, measure_ms, ..BenchSettings::default() };
        let mut answers = Vec::with_capacity(launches.len());
        for (kernel, grid, args) in launches {
            let kernel = kernel.get();
            let entries = kernel.entries(args.bind(py))?;
            let address = |tensor: &Tensor<'_>| self.address(tensor);
            let bases = bases(&self.device, &entries.values, &address)?;
            let args = device_args(&kernel.compiled, &entries.values, &bases, &|tensor, _| address(tensor))?;
            let timed = py.detach(|| {
                let load = kernel.compiled.load(&self.device, Some(self.ordinal));
                let loaded = load.map_err(|mut faults| Box::new(faults.swap_remove(0)));
                let times = loaded.and_then(|kernel| self.times(&kernel, grid, &args, (&zeroed, &saved), &settings));
                // After a fault inside a kernel the GPU answers nothing any more.
                self.device.synchronise().map(|()| times)
            });
            answers.push(match timed.map_err(|fault| error::one(py, &fault))? {
                Ok(times) => times.into_pyobject(py)?.into_any().unbind(),
                Err(fault) => fault.message.clone().into_pyobject(py)?.into_any().unbind(),
            });
        }
        Ok(answers)
    }
}

/// A place among the copies with its bytes.
type Found = (usize, usize);

impl Copies {
    /// Where the copy of what is at an address is, and how many bytes follow in its range. Tensors may follow each other in memory: the end
    /// of one is the begin of the next then, whose copy is elsewhere.
    fn find(&self, address: u64) -> Option<Found> {
        let offset = |region: &Region| usize::try_from(address.checked_sub(region.address)?).ok();
        let found = |region: &Region, last: usize| {
            let offset = offset(region).filter(|offset| *offset <= last)?;
            Some((region.at + offset, region.bytes - offset))
        };
        let inside = self.regions.iter().find_map(|region| found(region, region.bytes.saturating_sub(1)));
        inside.or_else(|| self.regions.iter().find_map(|region| found(region, region.bytes)))
    }

    fn all_found(&self, ranges: &[Range]) -> PyResult<Vec<Found>> {
        let one = |(address, bytes): &Range| match self.find(*address) {
            Some((at, most)) if *bytes <= most => Ok((at, *bytes)),
            _ => Err(PyValueError::new_err("a range is not among those that were copied")),
        };
        ranges.iter().map(one).collect()
    }

    /// The address on this GPU.
    fn address(&self, tensor: &Tensor<'_>) -> PyResult<u64> {
        match self.find(tensor.address) {
            _ if tensor.address == 0 => Ok(0),
            Some((at, _)) if tensor.is_on_gpu => Ok(self.memory.address() + at as u64),
            _ => Err(PyValueError::new_err("an argument is not among what was copied")),
        }
    }

    /// Copies of ranges as they are now.
    fn save(&self, ranges: &[Found]) -> Result<Vec<(Found, Buffer)>> {
        let save = |(at, bytes): &Found| {
            let saved = self.device.allocate(*bytes)?;
            self.device.copy((&self.memory, *at), (&saved, 0), *bytes)?;
            Ok(((*at, *bytes), saved))
        };
        ranges.iter().map(save).collect()
    }

    fn times(
        &self,
        kernel: &Kernel,
        grid: [u32; 3],
        args: &[Arg<'_>],
        (zeroed, saved): (&[Found], &[(Found, Buffer)]),
        settings: &BenchSettings,
    ) -> Result<Vec<f64>> {
        let prepare = &mut || {
            for (at, bytes) in zeroed {
                self.device.fill_range(&self.memory, *at..at + bytes, 0)?;
            }
            saved.iter().try_for_each(|((at, bytes), saved)| self.device.copy((saved, 0), (&self.memory, *at), *bytes))
        };
        let run = &mut || kernel.launch(grid, args).map(|_| ());
        let result = self.device.bench_prepared(settings, prepare, run)?;
        Ok(QUANTILES.map(|fraction| result.quantile_ms(fraction)).to_vec())
    }
}

/// Where ranges are in a buffer that begins at a multiple of the alignment, and its bytes with what may be lost by that.
fn places(ranges: &[Range]) -> (Vec<Region>, usize) {
    let mut end = GUARD;
    let place = |(address, bytes): &Range| {
        let at = end.next_multiple_of(ALIGNMENT) + (*address % ALIGNMENT as u64) as usize;
        end = at + bytes + GUARD;
        Region { address: *address, bytes: *bytes, at }
    };
    let regions = ranges.iter().map(place).collect();
    (regions, end + ALIGNMENT)
}

/// The other GPUs of the machine that are like the caller's, and of whose memory at least this share is free. They stay open; of the others nothing
/// is kept.
#[pyfunction]
pub(crate) fn idle_gpus(py: Python<'_>, least_free: f64) -> PyResult<Vec<usize>> {
    let own = Place::current(py)?;
    let info = own.device.info();
    let all = tk_launch::list_gpus().map_err(|fault| error::one(py, &fault))?;
    let is_like_it = |other: &tk_launch::DeviceInfo| {
        let same = |info: &tk_launch::DeviceInfo| (info.name.clone(), info.compute_capability, info.multiprocessors);
        other.ordinal != info.ordinal && same(other) == same(info)
    };
    let others: Vec<usize> = all.iter().filter(|gpu| is_like_it(gpu)).filter_map(|gpu| gpu.ordinal).collect();
    let open = |ordinal: usize| {
        let device = Device::open_gpu(ordinal).ok()?;
        let free = device.free_bytes().ok()? as f64;
        (free >= least_free * device.info().memory_bytes as f64).then_some((ordinal, device))
    };
    let opened: Vec<_> = py.detach(|| {
        std::thread::scope(|scope| {
            let threads: Vec<_> = others.iter().map(|ordinal| scope.spawn(move || open(*ordinal))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
        })
    });
    Ok(opened.into_iter().map(|(ordinal, device)| device::keep_gpu(ordinal, device)).collect())
}

/// Milliseconds of each run of `work` on the caller's GPU, after its L2 cache was overwritten: what `do_bench` does with torch, without it.
/// `work` launches on the default stream.
#[pyfunction]
pub(crate) fn times_of(py: Python<'_>, work: Py<PyAny>, warmup_ms: f64, measure_ms: f64) -> PyResult<Vec<f64>> {
    let device = Place::current(py)?.device;
    let settings = BenchSettings { warmup_ms, measure_ms, ..BenchSettings::default() };
    let mut failure = None;
    let mut call = || {
        Python::attach(|py| work.call0(py).map(|_| ())).map_err(|raised| {
            failure = Some(raised);
            Diagnostic::bug("the work to be timed raised an error").boxed()
        })
    };
    let timed = py.detach(|| device.bench(&settings, &mut call));
    match (failure, timed) {
        (Some(raised), _) => Err(raised),
        (None, timed) => timed.map(|result| result.times_ms).map_err(|fault| error::one(py, &fault)),
    }
}
