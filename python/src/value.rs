//! Arguments of a launch: what a Python object is to a kernel.
//!
//! What an object is depends on its type alone, and that is found out once per type. A tensor costs one call of a C function where its type
//! has DLPack's table of them, else a call of `data_ptr` and a look at its `dtype`, whose meaning is remembered per object.

use crate::exchange_unsafe::Exchange;
use crate::hand_over::{self, Producer};
use crate::memory_unsafe::{self, HostRange};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard};
use tk_types::{ConstValue, DescriptorType, ScalarType};

/// The kinds of memory that DLPack tells apart and that kernels reach.
const DLPACK_CPU: i32 = 1;
const DLPACK_CUDA: i32 = 2;
const DLPACK_PINNED: i32 = 3;
const DLPACK_MANAGED: i32 = 13;

/// Bytes that descriptors count in.
const DESCRIPTOR_UNIT: i64 = 16;

/// One argument.
#[derive(Clone, Debug)]
pub(crate) enum Value<'py> {
    Tensor(Tensor<'py>),
    Descriptor(Box<Descriptor<'py>>),
    Int(i128),
    Float(f64),
    Bool(bool),
    /// What no kernel gets at run time.
    Constant(ConstValue),
    /// A jit function.
    Function(Bound<'py, PyAny>),
    /// An object of any other class, which only constants may be.
    Object(Bound<'py, PyAny>),
    Tuple(Vec<Value<'py>>),
    /// A named tuple, or an object of a dataclass, with `Class.field` for each item.
    Record(Vec<String>, Vec<Value<'py>>),
}

/// Memory with an element type.
#[derive(Clone, Debug)]
pub(crate) struct Tensor<'py> {
    pub(crate) dtype: ScalarType,
    pub(crate) address: u64,
    pub(crate) is_on_gpu: bool,
    /// Its owner says that nobody may write to it.
    pub(crate) is_read_only: bool,
    pub(crate) object: Bound<'py, PyAny>,
    kind: Kind,
    /// What DLPack told; its capsule keeps the memory.
    lent: Option<(HostRange, Bound<'py, PyAny>)>,
}

/// A tensor descriptor.
#[derive(Clone, Debug)]
pub(crate) struct Descriptor<'py> {
    pub(crate) base: Tensor<'py>,
    pub(crate) ty: DescriptorType,
    pub(crate) shape: Vec<i64>,
    pub(crate) strides: Vec<i64>,
}

/// What the objects of a type are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    None,
    Bool,
    Int,
    Float,
    Text,
    Tuple,
    List,
    /// `data_ptr()` and `dtype`: torch, and wrappers of its tensors.
    DataPtr,
    /// `__array_interface__`: numpy.
    Array,
    /// `__cuda_array_interface__`.
    CudaArray,
    /// `__dlpack__`, of those that say it in no other way.
    Dlpack,
    Descriptor,
    /// `__dataclass_fields__`.
    Dataclass,
    Constexpr,
    /// An element type of the language, of torch or of numpy.
    Dtype,
    Function,
    /// A function of the language.
    Known,
    /// A number of numpy.
    Item,
    Other,
}

/// What is known of types and of element types, by the addresses of their objects, which are kept alive.
#[derive(Default)]
struct Registry {
    types: FxHashMap<usize, (Known, Py<PyType>)>,
    dtypes: FxHashMap<usize, (ScalarType, Py<PyAny>)>,
}

/// What is known of a type.
#[derive(Clone, Copy)]
struct Known {
    kind: Kind,
    /// DLPack's functions for its objects, where it has them.
    exchange: Option<Exchange>,
}

static REGISTRY: PyOnceLock<Mutex<Registry>> = PyOnceLock::new();

fn registry(py: Python<'_>) -> MutexGuard<'_, Registry> {
    let registry = REGISTRY.get_or_init(py, Mutex::default);
    registry.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// An argument that is one word to the driver, or a constant that is not taken apart.
pub(crate) enum Short<'v, 'py> {
    Tensor {
        dtype: ScalarType,
        address: u64,
        is_on_gpu: bool,
    },
    Int(i64),
    Float(f64),
    Bool(bool),
    None,
    Dtype(ScalarType),
    Text(&'v Bound<'py, PyString>),
    /// Everything else: see [`Value`].
    Long,
}

/// What an object is, where that is said in one word.
pub(crate) fn short<'v, 'py>(object: &'v Bound<'py, PyAny>, recent: &Recent) -> PyResult<Short<'v, 'py>> {
    let known = known(object, recent)?;
    Ok(match known.kind {
        Kind::None => Short::None,
        Kind::Bool => Short::Bool(object.is_truthy()?),
        Kind::Int => object.cast::<PyInt>().ok().and_then(|int| int.extract().ok()).map_or(Short::Long, Short::Int),
        Kind::Float => object.cast::<PyFloat>().map_or(Short::Long, |float| Short::Float(float.value())),
        Kind::Text => object.cast::<PyString>().map_or(Short::Long, Short::Text),
        Kind::DataPtr => {
            let (address, dtype, is_on_gpu) = data_ptr(object, known.exchange)?;
            Short::Tensor { dtype, address, is_on_gpu }
        }
        Kind::Dtype => Short::Dtype(dtype(object)?),
        _ => Short::Long,
    })
}

/// Address, element type and place of a tensor of torch, or of what wraps one.
fn data_ptr(object: &Bound<'_, PyAny>, exchange: Option<Exchange>) -> PyResult<(u64, ScalarType, bool)> {
    let py = object.py();
    if let Some(described) = exchange.and_then(|exchange| exchange.describe(object)) {
        return Ok((described.address, described.dtype, described.is_on_gpu));
    }
    let address = object.call_method0(intern!(py, "data_ptr"))?.extract()?;
    let is_on_gpu = match object.getattr_opt(intern!(py, "is_cuda"))? {
        Some(is_cuda) => is_cuda.is_truthy()?,
        None => object.getattr(intern!(py, "base"))?.getattr(intern!(py, "is_cuda"))?.is_truthy()?,
    };
    Ok((address, dtype(&object.getattr(intern!(py, "dtype"))?)?, is_on_gpu))
}

impl<'py> Value<'py> {
    /// What an object is.
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let kind = kind(object)?;
        Ok(match kind {
            Kind::None => Value::Constant(ConstValue::None),
            Kind::Bool => Value::Bool(object.is_truthy()?),
            Kind::Int => Value::Int(integer(object)?),
            Kind::Float => Value::Float(object.extract()?),
            Kind::Text => Value::Constant(ConstValue::Str(object.extract()?)),
            Kind::Tuple | Kind::List => {
                let items: PyResult<Vec<_>> = object.try_iter()?.map(|item| Value::of(&item?)).collect();
                match object.getattr_opt(intern!(object.py(), "_fields"))? {
                    Some(fields) if kind == Kind::Tuple => {
                        let class = object.get_type().name()?;
                        let named = |field| format!("{class}.{field}");
                        Value::Record(fields.extract::<Vec<String>>()?.into_iter().map(named).collect(), items?)
                    }
                    _ => Value::Tuple(items?),
                }
            }
            Kind::DataPtr | Kind::Array | Kind::CudaArray | Kind::Dlpack => Value::Tensor(Tensor::of(object, kind)?),
            Kind::Descriptor => Value::Descriptor(Box::new(Descriptor::of(object)?)),
            // What is wrapped as a constant is one for every parameter, inside tuples, too.
            Kind::Constexpr => match Value::of(&object.getattr(intern!(object.py(), "value"))?)? {
                Value::Int(value) => Value::Constant(ConstValue::Int(value)),
                Value::Float(value) => Value::Constant(ConstValue::Float(value)),
                Value::Bool(value) => Value::Constant(ConstValue::Bool(value)),
                value => value,
            },
            Kind::Dtype => Value::Constant(ConstValue::Dtype(dtype(object)?)),
            Kind::Known => {
                let path = object.getattr(intern!(object.py(), "__tk_path__"))?.extract()?;
                Value::Constant(ConstValue::Function(path))
            }
            Kind::Function => Value::Function(object.clone()),
            Kind::Dataclass => {
                let (class, mut names, mut items) = (object.get_type().name()?, Vec::new(), Vec::new());
                for field in object.getattr(intern!(object.py(), "__dataclass_fields__"))?.try_iter()? {
                    let field = field?.cast_into::<PyString>().map_err(PyErr::from)?;
                    names.push(format!("{class}.{field}"));
                    items.push(Value::of(&object.getattr(field)?)?);
                }
                Value::Record(names, items)
            }
            Kind::Item => Value::of(&object.call_method0(intern!(object.py(), "item"))?)?,
            // Kernels are compiled for each object, as Triton does it for those that can be told apart by their hash.
            Kind::Other if object.hash().is_ok() => Value::Object(object.clone()),
            Kind::Other => return Err(no_argument(object)),
        })
    }

    /// As a constant of the compilation; nothing for tensors. `function` names jit functions and objects.
    pub(crate) fn constant(&self, function: &dyn Fn(&Bound<'py, PyAny>) -> Option<String>) -> Option<ConstValue> {
        Some(match self {
            Value::Int(value) => ConstValue::Int(*value),
            Value::Float(value) => ConstValue::Float(*value),
            Value::Bool(value) => ConstValue::Bool(*value),
            Value::Constant(value) => value.clone(),
            Value::Tuple(items) | Value::Record(_, items) => {
                ConstValue::Tuple(items.iter().map(|item| item.constant(function)).collect::<Option<_>>()?)
            }
            Value::Function(object) | Value::Object(object) => ConstValue::Function(function(object)?),
            Value::Tensor(_) | Value::Descriptor(_) => return None,
        })
    }
}

/// What a thread asked of the registry lately, by the address of the object. The registry keeps every object that it knows, so no address
/// becomes that of another.
pub(crate) struct Recent {
    types: Entries<Known>,
    dtypes: Entries<ScalarType>,
}

/// Each with the address of what it is known of.
type Entries<T> = [Cell<Option<(usize, T)>>; RECENT];

/// Entries of a thread's memory.
const RECENT: usize = 32;

thread_local! {
    static OF_THREAD: Recent = const {
        Recent { types: [const { Cell::new(None) }; RECENT], dtypes: [const { Cell::new(None) }; RECENT] }
    };
}

impl Recent {
    /// Does something with what the thread knows, which costs less once for a launch than once for each argument.
    pub(crate) fn with<T>(work: impl FnOnce(&Self) -> T) -> T {
        OF_THREAD.with(work)
    }
}

fn place(key: usize) -> usize {
    (key >> 4 ^ key >> 10) % RECENT
}

fn recall<T: Copy>(entries: &Entries<T>, key: usize) -> Option<T> {
    entries[place(key)].get().and_then(|(known, value)| (known == key).then_some(value))
}

fn remember<T: Copy>(entries: &Entries<T>, key: usize, value: T) {
    entries[place(key)].set(Some((key, value)));
}

impl<'py> Tensor<'py> {
    fn of(object: &Bound<'py, PyAny>, kind: Kind) -> PyResult<Self> {
        let py = object.py();
        if kind == Kind::Dlpack {
            return Self::of_dlpack(object);
        }
        if kind == Kind::DataPtr {
            let exchange = Recent::with(|recent| known(object, recent))?.exchange;
            let (address, dtype, is_on_gpu) = data_ptr(object, exchange)?;
            let (object, is_read_only) = (object.clone(), false);
            return Ok(Self { dtype, address, is_on_gpu, is_read_only, object, kind, lent: None });
        }
        let is_on_gpu = kind == Kind::CudaArray;
        let (interface, dtype) = if is_on_gpu {
            let interface = object.getattr(intern!(py, "__cuda_array_interface__"))?;
            let dtype = typestr(&interface.get_item("typestr")?)?;
            (interface, dtype)
        } else {
            let dtype = dtype(&object.getattr(intern!(py, "dtype"))?)?;
            (object.getattr(intern!(py, "__array_interface__"))?, dtype)
        };
        let (address, is_read_only) = interface.get_item("data")?.extract()?;
        Ok(Self { dtype, address, is_on_gpu, is_read_only, object: object.clone(), kind, lent: None })
    }

    /// Who has to be asked before a kernel on a GPU may use it.
    pub(crate) fn producer(&self) -> Producer {
        match self.kind {
            Kind::Dlpack if self.is_on_gpu => Producer::Dlpack,
            Kind::CudaArray => Producer::CudaArray,
            _ => Producer::Nobody,
        }
    }

    /// Whether it is memory of the host that GPUs reach.
    pub(crate) fn is_pinned(&self) -> PyResult<bool> {
        let py = self.object.py();
        match self.object.getattr_opt(intern!(py, "is_pinned"))? {
            Some(asked) => asked.call0()?.is_truthy(),
            None if self.kind == Kind::Dlpack => {
                let device = self.object.call_method0(intern!(py, "__dlpack_device__"))?;
                Ok(device.get_item(0)?.extract::<i32>()? == DLPACK_PINNED)
            }
            None => Ok(false),
        }
    }

    /// A tensor by DLPack, whose consumers ask for the version that they know first.
    fn of_dlpack(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let (device, _): (i32, i32) = object.call_method0(intern!(object.py(), "__dlpack_device__"))?.extract()?;
        let stream = matches!(device, DLPACK_CUDA | DLPACK_MANAGED).then_some(hand_over::NO_STREAM);
        let capsule = hand_over::capsule(object, stream)?;
        let lent = memory_unsafe::lent(&capsule)?;
        let dtype = lent
            .element
            .ok_or_else(|| PyTypeError::new_err("kernels have no elements of the type that DLPack says"))?;
        let is_on_gpu = match lent.device {
            DLPACK_CPU | DLPACK_PINNED => false,
            DLPACK_CUDA | DLPACK_MANAGED => true,
            other => {
                return Err(PyTypeError::new_err(format!("kernels do not reach memory of DLPack's device {other}")));
            }
        };
        let (address, is_read_only, object) = (lent.range.address as u64, lent.is_read_only, object.clone());
        let lent = Some((lent.range, capsule));
        Ok(Self { dtype, address, is_on_gpu, is_read_only, object, kind: Kind::Dlpack, lent })
    }

    /// The memory on the host that the tensor is part of: all that its strides may reach.
    pub(crate) fn storage(&self) -> PyResult<HostRange> {
        let py = self.object.py();
        if let Some((range, _)) = &self.lent {
            return Ok(*range);
        }
        if self.kind == Kind::DataPtr {
            let object = match self.object.hasattr(intern!(py, "untyped_storage"))? {
                true => self.object.clone(),
                false => self.object.getattr(intern!(py, "base"))?,
            };
            let storage = object.call_method0(intern!(py, "untyped_storage"))?;
            let (address, bytes) =
                (storage.call_method0("data_ptr")?.extract()?, storage.call_method0("nbytes")?.extract()?);
            return Ok(HostRange { address, bytes });
        }
        let mut array = self.object.clone();
        loop {
            let base = array.getattr(intern!(py, "base"))?;
            if base.is_none() || kind(&base)? != Kind::Array {
                break;
            }
            array = base;
        }
        let (address, _): (usize, bool) =
            array.getattr(intern!(py, "__array_interface__"))?.get_item("data")?.extract()?;
        Ok(HostRange { address, bytes: array.getattr("nbytes")?.extract()? })
    }
}

impl<'py> Descriptor<'py> {
    fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let base = match Value::of(&object.getattr("base")?)? {
            Value::Tensor(tensor) => tensor,
            _ => return Err(PyTypeError::new_err("the base of a TensorDescriptor is a tensor")),
        };
        let numbers = |name: &str| -> PyResult<Vec<i64>> {
            object.getattr(name)?.try_iter()?.map(|item| integer(&item?).map(|value| value as i64)).collect()
        };
        let (shape, strides, block) = (numbers("shape")?, numbers("strides")?, numbers("block_shape")?);
        let padding = object.getattr_opt("padding")?.map(|padding| padding.extract::<String>()).transpose()?;
        let row = shape.last().copied().unwrap_or(1) * i64::from(base.dtype.bytes());
        let ty = DescriptorType {
            element: base.dtype,
            block: block.iter().map(|size| *size as u32).collect(),
            pad_nan: padding.is_some_and(|padding| padding == "nan"),
            ragged: row % DESCRIPTOR_UNIT != 0,
        };
        Ok(Self { base, ty, shape, strides })
    }
}

/// Says that an object is nothing that a kernel takes.
pub(crate) fn no_argument(object: &Bound<'_, PyAny>) -> PyErr {
    match object.get_type().qualname() {
        Ok(name) => PyTypeError::new_err(format!("kernels take tensors, numbers and constants, not {name}")),
        Err(error) => error,
    }
}

/// An integer of at most 128 bits.
pub(crate) fn integer(object: &Bound<'_, PyAny>) -> PyResult<i128> {
    match object.extract::<i64>() {
        Ok(value) => Ok(value.into()),
        Err(_) => object.call_method0("__index__")?.extract(),
    }
}

/// Says that an integer has no type in kernels.
///
/// # Errors
/// An `OverflowError` for those beyond 64 bits.
pub(crate) fn check_range(value: i128, param: &str) -> PyResult<()> {
    if value < i128::from(i64::MIN) || value > i128::from(u64::MAX) {
        return Err(PyOverflowError::new_err(format!("argument `{param}`: {value} does not fit 64 bits")));
    }
    Ok(())
}

/// What the objects of the type of `object` are.
fn kind(object: &Bound<'_, PyAny>) -> PyResult<Kind> {
    Recent::with(|recent| known(object, recent)).map(|known| known.kind)
}

fn known(object: &Bound<'_, PyAny>, recent: &Recent) -> PyResult<Known> {
    let key = object.get_type_ptr() as usize;
    match recall(&recent.types, key) {
        Some(known) => Ok(known),
        None => {
            let known = look_up(object, key)?;
            remember(&recent.types, key, known);
            Ok(known)
        }
    }
}

#[cold]
fn look_up(object: &Bound<'_, PyAny>, key: usize) -> PyResult<Known> {
    let known = registry(object.py()).types.get(&key).map(|(known, _)| *known);
    if let Some(known) = known {
        return Ok(known);
    }
    let (ty, kind) = (object.get_type(), classify(object)?);
    let exchange = if kind == Kind::DataPtr { Exchange::of(&ty)? } else { None };
    let known = Known { kind, exchange };
    registry(object.py()).types.insert(key, (known, ty.unbind()));
    Ok(known)
}

fn classify(object: &Bound<'_, PyAny>) -> PyResult<Kind> {
    let ty = object.get_type();
    let name = ty.name()?.to_string();
    let has = |attribute: &str| ty.hasattr(attribute);
    let is_array =
        ty.mro().iter().any(|base| base.getattr("__name__").is_ok_and(|name| name.eq("ndarray").unwrap_or(false)));
    Ok(if object.is_none() {
        Kind::None
    } else if object.is_instance_of::<PyBool>() {
        Kind::Bool
    } else if object.is_instance_of::<PyInt>() {
        Kind::Int
    } else if object.is_instance_of::<PyFloat>() {
        Kind::Float
    } else if object.is_instance_of::<PyString>() {
        Kind::Text
    } else if object.is_instance_of::<PyTuple>() {
        Kind::Tuple
    } else if object.is_instance_of::<PyList>() {
        Kind::List
    } else if name == "Known" {
        Kind::Known
    } else if name == "constexpr" {
        Kind::Constexpr
    } else if has("data_ptr")? {
        Kind::DataPtr
    } else if has("__cuda_array_interface__")? {
        Kind::CudaArray
    } else if is_array {
        Kind::Array
    } else if has("__dlpack__")? && has("__dlpack_device__")? {
        Kind::Dlpack
    } else if has("__array_interface__")? && has("item")? {
        Kind::Item
    } else if object.hasattr("block_shape")? && object.hasattr("base")? {
        Kind::Descriptor
    } else if has("__dataclass_fields__")? {
        Kind::Dataclass
    } else if name.contains("dtype") || name.contains("DType") {
        Kind::Dtype
    } else if object.hasattr("fn")? && object.hasattr("run")? {
        Kind::Function
    } else if has("__index__")? {
        Kind::Int
    } else {
        Kind::Other
    })
}

/// The element type that an object of the language, of torch or of numpy names.
pub(crate) fn dtype(object: &Bound<'_, PyAny>) -> PyResult<ScalarType> {
    let key = object.as_ptr() as usize;
    if let Some(ty) = Recent::with(|recent| recall(&recent.dtypes, key)) {
        return Ok(ty);
    }
    let known = registry(object.py()).dtypes.get(&key).map(|(ty, _)| *ty);
    if let Some(ty) = known {
        Recent::with(|recent| remember(&recent.dtypes, key, ty));
        return Ok(ty);
    }
    let text = match object.getattr_opt("name")? {
        Some(name) => name.extract::<String>()?,
        None => object.str()?.to_string(),
    };
    let name = text.trim_start_matches("torch.").trim_start_matches("tl.");
    let ty =
        named_type(name).ok_or_else(|| PyTypeError::new_err(format!("kernels have no elements of type {text}")))?;
    registry(object.py()).dtypes.insert(key, (ty, object.clone().unbind()));
    Ok(ty)
}

fn named_type(name: &str) -> Option<ScalarType> {
    Some(match name {
        "bool" | "bool_" => ScalarType::I1,
        "float8_e4m3fn" | "float8_e4m3" => ScalarType::F8E4M3,
        "float8_e5m2" => ScalarType::F8E5M2,
        "float8_e4m3fnuz" => ScalarType::F8E4M3B8,
        "float8_e5m2fnuz" => ScalarType::F8E5M2B16,
        _ => return ScalarType::all().find(|ty| ty.tl_name() == name).or_else(|| ScalarType::parse(name)),
    })
}

/// The type of `<f4` and the like.
fn typestr(text: &Bound<'_, PyAny>) -> PyResult<ScalarType> {
    let text: String = text.extract()?;
    let ty = match text.trim_start_matches(['<', '|', '=']) {
        "b1" => "i1",
        "i1" => "i8",
        "i2" => "i16",
        "i4" => "i32",
        "i8" => "i64",
        "u1" => "u8",
        "u2" => "u16",
        "u4" => "u32",
        "u8" => "u64",
        "f2" => "fp16",
        "f4" => "fp32",
        "f8" => "fp64",
        _ => "",
    };
    ScalarType::parse(ty).ok_or_else(|| PyTypeError::new_err(format!("kernels have no elements of type {text}")))
}

/// Programs along each axis, of a grid that is a number, a tuple, or a function of the arguments by name.
pub(crate) fn grid<'py>(
    grid: &Bound<'py, PyAny>,
    arguments: &dyn Fn() -> PyResult<Bound<'py, PyDict>>,
) -> PyResult<[u32; 3]> {
    if grid.is_callable() {
        return axes(&grid.call1((arguments()?,))?);
    }
    axes(grid)
}

fn axes(grid: &Bound<'_, PyAny>) -> PyResult<[u32; 3]> {
    let size = |value: &Bound<'_, PyAny>| -> PyResult<u32> {
        let number = value.extract::<i64>().or_else(|_| integer(value).map(|value| value as i64))?;
        u32::try_from(number)
            .map_err(|_| PyValueError::new_err(format!("a grid has no {number} programs along an axis")))
    };
    let mut axes = [1; 3];
    if let Ok(sizes) = grid.cast::<PyTuple>() {
        if sizes.len() > axes.len() {
            return Err(too_many_axes());
        }
        for (axis, value) in axes.iter_mut().zip(sizes.iter_borrowed()) {
            *axis = size(&value)?;
        }
        return Ok(axes);
    }
    if kind(grid)? == Kind::Int {
        axes[0] = size(grid)?;
        return Ok(axes);
    }
    for (at, value) in grid.try_iter()?.enumerate() {
        *axes.get_mut(at).ok_or_else(too_many_axes)? = size(&value?)?;
    }
    Ok(axes)
}

fn too_many_axes() -> PyErr {
    PyValueError::new_err("a grid has one to three axes")
}
