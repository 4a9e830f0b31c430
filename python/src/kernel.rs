//! Compiled kernels as Python sees them.

use crate::compile::{Compiled, Form, TextForm};
use crate::device::{Place, Spot, has_launch_hooks};
use crate::entries::Entries;
use crate::error;
use crate::launch::launch;
use crate::memory_unsafe;
use crate::value::Value;
use crate::warm::{passed, queue};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use std::sync::Arc;
use tk_types::{CompileOptions, ConstValue};

/// The most registers of a thread.
const MOST_REGISTERS: u32 = 255;

/// `functools.partial`.
static PARTIAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// A kernel that was compiled for one specialisation.
#[pyclass(frozen, dict, module = "tk._native")]
pub(crate) struct CompiledKernel {
    pub(crate) compiled: Arc<Compiled>,
    /// How many parameters its function has.
    pub(crate) parameters: usize,
    /// Once a program has asked for it.
    metadata: PyOnceLock<Py<PyAny>>,
}

#[pymethods]
impl CompiledKernel {
    /// The name of the entry point.
    #[getter]
    fn name(&self) -> &str {
        self.compiled.shown.get().unwrap_or(&self.compiled.image.entry)
    }

    /// Gives the kernel the name that its function's `repr` makes for it.
    fn show_as(&self, name: String) {
        let _ = self.compiled.shown.set(name);
    }

    /// Registers per thread. Where the device does not know, as on the simulator, it is the most that a thread can have, so that what
    /// programs compute of it is never too good.
    #[getter]
    fn n_regs(&self) -> u32 {
        self.compiled
            .loaded
            .first()
            .and_then(|kernel| kernel.registers())
            .or(self.compiled.form.options.maxnreg)
            .unwrap_or(MOST_REGISTERS)
    }

    /// Words that are spilled per thread, where the device knows.
    #[getter]
    fn n_spills(&self) -> Option<u32> {
        self.compiled.loaded.first()?.spill_bytes().map(|bytes| bytes / 4)
    }

    /// Most threads of a CTA.
    #[getter]
    fn n_max_threads(&self) -> u32 {
        self.compiled.image.num_warps * 32
    }

    /// Shared memory in bytes.
    #[getter]
    fn shared(&self) -> u32 {
        self.compiled.image.shared_bytes
    }

    /// A name that differs whenever the machine code may differ.
    #[getter]
    fn hash(&self) -> &str {
        &self.compiled.hash
    }

    /// What the kernel is compiled for, as `tk compile --signature` writes it, with names.
    #[getter]
    fn signature(&self) -> String {
        self.compiled.form.args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    /// What the kernel is compiled for, one entry for each that the compiler sees: `("*fp32:16",)`, or `("constexpr", value)`.
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        types(py, &self.compiled.form)
    }

    /// Microseconds of compiling and of writing the kernel to the disk; nothing of both where it was there already.
    fn microseconds(&self) -> (u128, u128) {
        (self.compiled.times.compiling.as_micros(), self.compiled.times.storing.as_micros())
    }

    /// What the kernel was asked for with, by the names that launches have for it: it may run in fewer warps.
    fn asked_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        options(py, &self.compiled.form.options)
    }

    /// Options and resources by the names that Triton's metadata has.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (image, options, figures) = (&self.compiled.image, &self.compiled.form.options, PyDict::new(py));
        figures.set_item("name", &image.entry)?;
        figures.set_item("hash", &self.compiled.hash)?;
        figures.set_item("num_warps", image.num_warps)?;
        figures.set_item("num_stages", options.num_stages)?;
        figures.set_item("num_ctas", image.num_ctas)?;
        figures.set_item("maxnreg", options.maxnreg)?;
        figures.set_item("shared", image.shared_bytes)?;
        figures.set_item("global_scratch_size", image.global_scratch_bytes)?;
        figures.set_item("enable_fp_fusion", options.fp_fusion)?;
        figures.set_item("debug", options.debug)?;
        figures.set_item("arch", self.compiled.form.target.compute_capability().number())?;
        Ok(figures)
    }

    /// The text, or the machine code, of one form: `source`, `ttir`, `ttgir`, `llir`, `ptx`, `cubin`; `source-plain` is the source without
    /// places and names of variables.
    fn form<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let image = &self.compiled.image;
        let form = match name {
            "source" => TextForm::First,
            "source-plain" => TextForm::FirstPlain,
            "ttir" => TextForm::Tt,
            "ttgir" => TextForm::Ttg,
            "llir" => TextForm::Llvm,
            "ptx" => return Ok(image.ptx.clone().into_pyobject(py)?.into_any()),
            "cubin" => {
                let cubin = py.detach(|| self.compiled.cubin()).map_err(|faults| error::exception(py, &faults))?;
                return match cubin {
                    Some(cubin) => Ok(PyBytes::new(py, &cubin).into_any()),
                    None => Err(PyKeyError::new_err("cubin: tk found no ptxas, and the driver assembled the kernel")),
                };
            }
            _ => return Err(PyKeyError::new_err(name.to_string())),
        };
        let text = py.detach(|| self.compiled.text(form)).map_err(|faults| error::exception(py, &faults))?;
        Ok(text.into_pyobject(py)?.into_any())
    }

    /// The objects among the arguments of its function that have memory, tuples and descriptors taken apart.
    fn tensors<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let entries = self.entries(args)?;
        let passed = self.compiled.runtime.iter().filter_map(|at| match &entries.values[*at] {
            Value::Tensor(tensor) => Some(tensor.object.clone()),
            Value::Descriptor(descriptor) => Some(descriptor.base.object.clone()),
            _ => None,
        });
        Ok(passed.collect())
    }

    /// Options and resources, with Triton's names.
    #[getter]
    fn metadata<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if let Some(known) = this.metadata.get(py) {
            return Ok(known.bind(py).clone());
        }
        let made = py.import("tk.compiler")?.call_method1("metadata", (slf,))?;
        Ok(this.metadata.get_or_init(py, || made.unbind()).bind(py).clone())
    }

    /// The forms of the kernel by name.
    #[getter]
    fn asm<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("tk.compiler")?.call_method1("Forms", (slf,))
    }

    /// Loads a kernel that was compiled for a target on the current device.
    fn _init_handles(&self, py: Python<'_>) -> PyResult<()> {
        let spot = Spot::current(py)?;
        if self.compiled.loaded.on(spot.map(|spot| spot.ordinal)).is_some() {
            return Ok(());
        }
        let place = Place::at(py, spot)?;
        let load = || self.compiled.load(&place.device, place.ordinal).map(|_| ());
        py.detach(load).map_err(|faults| error::exception(py, &faults))
    }

    /// Launches it as launchers of frameworks do, which give the grid, the stream, what only concerns other compilers, and the arguments
    /// of the function in their order.
    #[pyo3(signature = (x, y, z, stream, function, packed_metadata, launch_metadata, enter_hook, exit_hook, *args))]
    #[expect(clippy::too_many_arguments, reason = "the order is that of Triton's launchers")]
    fn run(
        &self,
        py: Python<'_>,
        x: u32,
        y: u32,
        z: u32,
        stream: usize,
        function: &Bound<'_, PyAny>,
        packed_metadata: &Bound<'_, PyAny>,
        launch_metadata: &Bound<'_, PyAny>,
        enter_hook: &Bound<'_, PyAny>,
        exit_hook: &Bound<'_, PyAny>,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<()> {
        let _ = (function, packed_metadata, launch_metadata, enter_hook, exit_hook);
        let spot = Spot::current(py)?.map(|spot| Spot { stream: memory_unsafe::stream(stream), ..spot });
        self.launch_at(py, spot, [x, y, z], args)
    }

    /// `kernel[grid](…)`.
    fn __getitem__<'py>(slf: Bound<'py, Self>, grid: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let partial = PARTIAL.import(py, "functools", "partial")?;
        partial.call1((slf.getattr(intern!(py, "launch"))?, grid))
    }

    /// Launches it with the arguments of its function, in their order, constants included.
    #[pyo3(signature = (grid, *args))]
    fn launch(&self, py: Python<'_>, grid: &Bound<'_, PyAny>, args: &Bound<'_, PyTuple>) -> PyResult<()> {
        let axes = crate::value::grid(grid, &|| Ok(PyDict::new(py)))?;
        self.launch_at(py, Spot::current(py)?, axes, args)
    }
}

impl CompiledKernel {
    pub(crate) fn new(compiled: Arc<Compiled>, parameters: usize) -> Self {
        Self { compiled, parameters, metadata: PyOnceLock::new() }
    }

    /// Launches it with the arguments of its function, on a GPU the short way where they allow it.
    fn launch_at(&self, py: Python<'_>, spot: Option<Spot>, grid: [u32; 3], args: &Bound<'_, PyTuple>) -> PyResult<()> {
        if let Some(spot) = spot
            && !has_launch_hooks()
            && let Some(kernel) = self.compiled.loaded.on(Some(spot.ordinal))
            && let Some(passed) = passed(args, &self.compiled.runtime)?
        {
            return queue(py, &kernel, spot, grid, &passed);
        }
        launch(py, &Place::at(py, spot)?, &self.compiled, grid, &self.entries(args)?.values, None)
    }

    /// The arguments of the function, in their order, constants included.
    pub(crate) fn entries<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Entries<'py>> {
        let declared = &self.compiled.form.root.declared;
        let mut entries = Entries::default();
        for (index, object) in args.iter().enumerate().take(self.parameters) {
            let role = declared.get(index).map(|param| param.role).unwrap_or_default();
            entries.add(index, Value::of(&object)?, role);
        }
        Ok(entries)
    }
}

/// What a kernel is compiled for: see [`CompiledKernel::types`].
pub(crate) fn types<'py>(py: Python<'py>, form: &Form) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    let one = |arg: &tk_types::Argument| match arg.constant() {
        Some(value) => ("constexpr", constant(py, value)?).into_pyobject(py),
        None => (arg.spec().to_string(),).into_pyobject(py),
    };
    form.args.iter().map(one).collect()
}

/// The options that a kernel is compiled with, by the names that launches have for them.
pub(crate) fn options<'py>(py: Python<'py>, options: &CompileOptions) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    named.set_item("num_warps", options.num_warps)?;
    named.set_item("num_stages", options.num_stages)?;
    named.set_item("num_ctas", options.num_ctas)?;
    named.set_item("maxnreg", options.maxnreg)?;
    named.set_item("enable_fp_fusion", options.fp_fusion)?;
    named.set_item("debug", options.debug)?;
    Ok(named)
}

/// A constant of a compilation as Python has it.
fn constant<'py>(py: Python<'py>, value: &ConstValue) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        ConstValue::None => py.None().into_bound(py),
        ConstValue::Bool(value) => value.into_bound_py_any(py)?,
        ConstValue::Int(value) => value.into_bound_py_any(py)?,
        ConstValue::Float(value) => value.into_bound_py_any(py)?,
        ConstValue::Str(text) | ConstValue::Function(text) => text.into_bound_py_any(py)?,
        ConstValue::Dtype(ty) => py.import("tk.language.core")?.call_method1("str_to_ty", (ty.to_string(),))?,
        ConstValue::Tuple(items) => {
            let items: Vec<_> = items.iter().map(|item| constant(py, item)).collect::<PyResult<_>>()?;
            PyTuple::new(py, items)?.into_any()
        }
    })
}
