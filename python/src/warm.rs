//! Launches of kernels that are known, on a GPU: the short path.
//!
//! The arguments are read once, into a key and into what the driver gets; both stay on the stack. The key says what a kernel is compiled for
//! of every argument, so that a launch that is found by it needs nothing else. Arguments that are more than a tensor, a number or a constant
//! (tuples, descriptors, functions) go the long way, see [`crate::function`].

use crate::bind::Objects;
use crate::compile::{Compiled, Root};
use crate::device::Spot;
use crate::error;
use crate::kernel::CompiledKernel;
use crate::key::{class_of_word, words_of_options};
use crate::memory_unsafe;
use crate::value::{Recent, Short, short};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;
use std::sync::Arc;
use tk_launch::{DeviceAddress, DeviceArg, Kernel, ParamRole};
use tk_types::CompileOptions;

/// What a launch is looked up by.
type Words = SmallVec<[u64; 32]>;

/// What the driver gets of arguments.
pub(crate) type Passed = SmallVec<[DeviceArg<'static>; 16]>;

/// What stands for a constant, which the driver does not get, and for a null pointer.
const NOTHING: DeviceArg<'static> = DeviceArg::Address(DeviceAddress::NULL);

/// A kernel that launches are known to need.
pub(crate) struct Plan {
    pub(crate) compiled: Arc<Compiled>,
    /// The same as Python has it.
    pub(crate) kernel: Py<CompiledKernel>,
}

/// The arguments of a launch: one for each parameter.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) words: Words,
    args: Passed,
}

/// What begins the words of one kind of argument, so that no two kinds have the same.
mod tag {
    pub(super) const FLOAT: u64 = 2;
    pub(super) const BOOL: u64 = 3;
    pub(super) const TENSOR: u64 = 4;
    pub(super) const CONSTANT_INTEGER: u64 = 7;
    pub(super) const CONSTANT_FLOAT: u64 = 8;
    pub(super) const CONSTANT_BOOL: u64 = 9;
    pub(super) const NONE: u64 = 11;
    pub(super) const TEXT: u64 = 12;
    pub(super) const DTYPE: u64 = 13;
}

impl Reading {
    /// Reads the arguments of a launch; `false` where one of them goes the long way.
    pub(crate) fn read(
        &mut self,
        objects: &Objects<'_, '_>,
        options: &CompileOptions,
        root: &Root,
        ordinal: usize,
    ) -> PyResult<bool> {
        self.words.push(ordinal as u64);
        self.words.extend_from_slice(&words_of_options(options));
        Recent::with(|recent| {
            for (object, declared) in objects.iter().zip(&root.declared) {
                if !self.add(short(object, recent)?, declared.role == ParamRole::Constexpr)? {
                    return Ok(false);
                }
            }
            Ok(objects.len() == root.declared.len())
        })
    }

    fn add(&mut self, argument: Short<'_, '_>, is_constexpr: bool) -> PyResult<bool> {
        let (mut arg, words) = (NOTHING, &mut self.words);
        match argument {
            Short::Tensor { dtype, address, is_on_gpu } if is_on_gpu || address == 0 => {
                words.push(tag::TENSOR | u64::from(address % 16 == 0) << 8 | (dtype as u64) << 16);
                arg = DeviceArg::Address(memory_unsafe::device_address(address));
            }
            Short::Int(value) if is_constexpr => words.extend([tag::CONSTANT_INTEGER, value as u64]),
            Short::Int(value) => {
                words.push(class_of_word(value));
                arg = DeviceArg::I64(value);
            }
            Short::Float(value) if is_constexpr => words.extend([tag::CONSTANT_FLOAT, value.to_bits()]),
            Short::Float(value) => {
                words.push(tag::FLOAT);
                arg = DeviceArg::F64(value);
            }
            Short::Bool(value) if is_constexpr => words.extend([tag::CONSTANT_BOOL, u64::from(value)]),
            Short::Bool(value) => {
                words.push(tag::BOOL);
                arg = DeviceArg::Bool(value);
            }
            Short::None => words.push(tag::NONE),
            Short::Dtype(ty) => words.extend([tag::DTYPE, ty as u64]),
            Short::Text(text) => {
                let text = text.to_str()?.as_bytes();
                words.extend([tag::TEXT, text.len() as u64]);
                words.extend(text.chunks(8).map(|part| {
                    let mut word = [0; 8];
                    word[..part.len()].copy_from_slice(part);
                    u64::from_le_bytes(word)
                }));
            }
            Short::Tensor { .. } | Short::Long => return Ok(false),
        }
        self.args.push(arg);
        Ok(true)
    }

    /// Queues the kernel of a plan on the caller's stream.
    pub(crate) fn launch(&mut self, py: Python<'_>, plan: &Plan, spot: Spot, grid: [u32; 3]) -> PyResult<()> {
        // Those that are passed at run time, in their order.
        for (to, from) in plan.compiled.runtime.iter().enumerate() {
            self.args[to] = self.args[*from];
        }
        let Some(kernel) = plan.compiled.loaded.on(Some(spot.ordinal)) else {
            return Err(PyRuntimeError::new_err("the kernel is not loaded"));
        };
        queue(py, &kernel, spot, grid, &self.args[..plan.compiled.runtime.len()])
    }
}

/// What the driver gets of the arguments with these numbers; nothing where one of them goes the long way.
pub(crate) fn passed(args: &Bound<'_, PyTuple>, runtime: &[usize]) -> PyResult<Option<Passed>> {
    let mut passed = Passed::new();
    Recent::with(|recent| {
        for at in runtime {
            let object = args.get_borrowed_item(*at)?;
            passed.push(match short(&object, recent)? {
                Short::Tensor { address, is_on_gpu, .. } if is_on_gpu || address == 0 => {
                    DeviceArg::Address(memory_unsafe::device_address(address))
                }
                Short::Int(value) => DeviceArg::I64(value),
                Short::Float(value) => DeviceArg::F64(value),
                Short::Bool(value) => DeviceArg::Bool(value),
                Short::None => NOTHING,
                Short::Tensor { .. } | Short::Dtype(_) | Short::Text(_) | Short::Long => return Ok(None),
            });
        }
        Ok(Some(passed))
    })
}

/// Queues a kernel. Other threads of the program run meanwhile: the driver waits where too many launches are queued.
pub(crate) fn queue(
    py: Python<'_>,
    kernel: &Kernel,
    spot: Spot,
    grid: [u32; 3],
    args: &[DeviceArg<'_>],
) -> PyResult<()> {
    let queued = py.detach(|| kernel.queue(spot.stream, grid, args));
    queued.map_err(|fault| error::one(py, &fault))
}
