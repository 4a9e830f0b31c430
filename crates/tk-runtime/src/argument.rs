//! Launch arguments: what a caller passes, checked against the kernel's parameters and packed for the device.
//!
//! Packing allocates nothing as long as it succeeds; a refusal says what is wrong by numbers, which become an [`Error`] with names only
//! where somebody reads it.

use crate::descriptor::{Descriptor, MapBytes, TensorMap};
use crate::{DeviceAddress, Error};
use smallvec::SmallVec;
use tk_image::{ImageParam, KernelImage, NumberLimit, ParamKind, TensorMapSpec};
use tk_types::{Facts, ScalarKind, ScalarType};

/// One run-time argument of a launch, in the order of [`KernelImage::arguments`].
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// An address in memory that lives until the kernel has run.
    Address(DeviceAddress),
    /// A tensor descriptor.
    Descriptor(Descriptor<'a>),
    /// `True` or `False`.
    Bool(bool),
    /// An integer; converted to the parameter's type when its value fits.
    I32(i32),
    /// An integer; converted to the parameter's type when its value fits.
    I64(i64),
    /// A float; rounded to the parameter's type.
    F32(f32),
    /// A float; rounded to the parameter's type.
    F64(f64),
    /// The bits of a scalar of exactly this type, in the low bytes.
    Scalar(ScalarType, u64),
}

/// What one parameter of the entry point gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// At most 8 bytes, little-endian.
    Word(u64),
    /// A tensor map.
    Map(MapBytes),
}

/// One slot per parameter; those of usual kernels lie on the stack.
pub type Slots = SmallVec<[Slot; 24]>;

impl Slot {
    /// The first `count` bytes.
    pub fn bytes(&self, count: usize) -> Vec<u8> {
        match self {
            Slot::Word(word) => word.to_le_bytes().into_iter().take(count).collect(),
            Slot::Map(map) => map.0.iter().copied().take(count).collect(),
        }
    }
}

/// What is wrong with an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the sentence that each prints says what its fields are")]
pub enum ArgumentFault {
    NumberForPointer,
    DescriptorForPointer,
    PointerForNumber { wanted: ScalarType },
    DescriptorForNumber { wanted: ScalarType },
    NotDescriptor,
    OtherScalar { wanted: ScalarType, given: ScalarType },
    FloatForInteger { wanted: ScalarType, value: f64 },
    OutOfRange { wanted: ScalarType, value: i128, low: i128, high: i128 },
    NotRounded { wanted: ScalarType },
    Promise { facts: Facts, value: i128 },
    Limit { limit: NumberLimit, value: i128 },
    DescriptorElement { wanted: ScalarType, given: ScalarType },
    DescriptorRank { rank: usize, sizes: usize, strides: usize },
    DescriptorAddress { over: u64 },
    DescriptorSize { size: i64 },
    LastStride { stride: i64 },
    Stride { stride: i64, element: ScalarType },
    MapAddress,
    MapStride { stride: i64 },
}

impl ArgumentFault {
    /// Whether the kernel was compiled for other values than this, so that another variant may take it.
    pub fn is_promise(&self) -> bool {
        use ArgumentFault::*;
        matches!(self, Promise { .. } | Limit { .. } | MapAddress | MapStride { .. })
    }

    /// Whether it is about a descriptor that the hardware cannot have.
    pub fn is_descriptor(&self) -> bool {
        use ArgumentFault::*;
        match self {
            DescriptorElement { .. } | DescriptorRank { .. } | DescriptorAddress { .. } => true,
            DescriptorSize { .. } | LastStride { .. } | Stride { .. } => true,
            NumberForPointer | DescriptorForPointer | PointerForNumber { .. } | DescriptorForNumber { .. } => false,
            NotDescriptor | OtherScalar { .. } | FloatForInteger { .. } | OutOfRange { .. } => false,
            NotRounded { .. } | Promise { .. } | Limit { .. } | MapAddress | MapStride { .. } => false,
        }
    }
}

impl std::fmt::Display for ArgumentFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use ArgumentFault::*;
        match *self {
            NumberForPointer => f.write_str("the kernel takes a pointer, not a number; pass a tensor"),
            DescriptorForPointer => f.write_str("the kernel takes a pointer, not a tensor descriptor; pass a tensor"),
            PointerForNumber { wanted } => write!(f, "the kernel takes a {wanted}, not a tensor"),
            DescriptorForNumber { wanted } => write!(f, "the kernel takes a {wanted}, not a tensor descriptor"),
            NotDescriptor => f.write_str("the kernel takes a tensor descriptor"),
            OtherScalar { wanted, given } => write!(f, "the kernel takes a {wanted}, not a {given}"),
            FloatForInteger { wanted, value } => write!(f, "the kernel takes a {wanted}, not the float {value:?}"),
            OutOfRange { wanted, value, low, high } => {
                write!(f, "{value} does not fit {wanted}, which holds {low} to {high}")
            }
            NotRounded { wanted } => write!(f, "a number cannot become a {wanted}; pass fp32"),
            Promise { facts, value } => write!(f, "the kernel was compiled for {facts}, and {value} is none"),
            Limit { limit: NumberLimit { low, high, .. }, value } => {
                write!(f, "the kernel was compiled for {low} to {high}, and this is {value}")
            }
            DescriptorElement { wanted, given } => {
                write!(f, "the kernel was compiled for a descriptor of {wanted}, not of {given}")
            }
            DescriptorRank { rank, sizes, strides } => {
                write!(f, "its block has {rank} dimensions, its shape {sizes} and its strides {strides}")
            }
            DescriptorAddress { over } => {
                write!(f, "its tensor starts {over} bytes after a multiple of 16 bytes")
            }
            DescriptorSize { size } => {
                write!(f, "its shape has a dimension of {size}; sizes are 1 to {}", i32::MAX)
            }
            LastStride { stride } => {
                write!(f, "its last stride is {stride}, and the last dimension must be contiguous")
            }
            Stride { stride, element } => {
                let bytes = i128::from(stride) * i128::from(element.bytes());
                write!(
                    f,
                    "a stride of {stride} elements is {bytes} bytes, and strides are multiples of 16 bytes below 2^40"
                )
            }
            MapAddress => f.write_str("its address was to be a multiple of 16 bytes, and is not"),
            MapStride { stride } => {
                write!(f, "the stride of its rows was to be a positive multiple of 16 bytes, and is {stride} elements")
            }
        }
    }
}

/// Why arguments were not packed; [`Self::error`] says it with names.
#[derive(Debug)]
pub enum Refusal {
    /// Too many or too few of them.
    Count(usize),
    /// A parameter, by its number, and what is wrong with its argument.
    Argument(usize, ArgumentFault),
    /// The driver did not make a tensor map for a parameter.
    Map(usize, Error),
}

impl Refusal {
    /// Whether another variant of the kernel may take the arguments.
    pub fn is_promise(&self) -> bool {
        matches!(self, Refusal::Argument(_, fault) if fault.is_promise())
    }

    /// With the names of the kernel.
    pub fn error(self, image: &KernelImage) -> Error {
        match self {
            Refusal::Count(given) => {
                let names = image.arguments().map(|(_, param)| param.name.clone()).collect();
                Error::ArgumentCount { entry: image.entry.clone(), names, given }
            }
            Refusal::Argument(at, fault) => {
                let argument = image.params.get(at).map_or_else(String::new, |param| param.name.clone());
                Error::Argument { entry: image.entry.clone(), argument, fault: Box::new(fault) }
            }
            Refusal::Map(_, error) => error,
        }
    }
}

/// Makes the tensor maps of one device.
pub type MapMaker<'m> = &'m dyn Fn(&TensorMap<'_>) -> Result<MapBytes, Error>;

/// Packs arguments into one slot per parameter of the image, hidden ones left out. The slots are empty before.
///
/// # Errors
/// An argument that does not fit, or that the kernel was not compiled for.
pub fn pack(image: &KernelImage, args: &[Arg<'_>], maps: MapMaker<'_>, slots: &mut Slots) -> Result<(), Refusal> {
    let mut rest = args.iter();
    for (at, param) in image.arguments() {
        let Some(arg) = rest.next() else { return Err(Refusal::Count(args.len())) };
        let wrong = |fault: ArgumentFault| Refusal::Argument(at, fault);
        match &param.kind {
            ParamKind::Scalar(ty) => {
                slots.push(Slot::Word(promised_number(image, at, *ty, arg).map_err(wrong)?));
            }
            ParamKind::Pointer(_) => slots.push(Slot::Word(pointer(param, arg).map_err(wrong)?)),
            ParamKind::TensorMap(spec) => {
                let descriptor = descriptor(arg).map_err(wrong)?;
                descriptor.check(spec.element, spec.block.len()).map_err(wrong)?;
                slots.push(Slot::Map(maps(&descriptor.map(spec)).map_err(|error| Refusal::Map(at, error))?));
                push_extents(descriptor, slots);
            }
            ParamKind::DescriptorBase { element, rank } => {
                let descriptor = descriptor(arg).map_err(wrong)?;
                // A pointer has lost the sign of its integers.
                let is_same = descriptor.element.mlir_name() == element.mlir_name();
                let element = if is_same { descriptor.element } else { *element };
                descriptor.check(element, *rank as usize).map_err(wrong)?;
                slots.push(Slot::Word(descriptor.address.raw()));
                push_extents(descriptor, slots);
            }
            ParamKind::MapOfPointer { .. } => {}
        }
    }
    if rest.next().is_some() {
        return Err(Refusal::Count(args.len()));
    }
    for (at, param) in image.params.iter().enumerate() {
        if let ParamKind::MapOfPointer { map, base, stride } = &param.kind {
            let map = map_of_pointer(map, slots.get(*base as usize), slots.get(*stride as usize))
                .map_err(|fault| Refusal::Argument(at, fault))?;
            slots.push(Slot::Map(maps(&map).map_err(|error| Refusal::Map(at, error))?));
        }
    }
    Ok(())
}

/// A number that keeps what the signature promised of it.
fn promised_number(image: &KernelImage, at: usize, ty: ScalarType, arg: &Arg<'_>) -> Result<u64, ArgumentFault> {
    let (word, facts) = (number(ty, arg)?, image.params[at].facts);
    let limit = image.limits.of(at);
    if facts == Facts::NONE && limit.is_none() {
        return Ok(word);
    }
    match (number_of(ty, word), limit) {
        (Some(Number::Int(value)), _) if !facts.hold_of(value) => Err(ArgumentFault::Promise { facts, value }),
        (Some(Number::Int(value)), Some(limit)) if value < limit.low || value > limit.high => {
            Err(ArgumentFault::Limit { limit, value })
        }
        _ => Ok(word),
    }
}

/// The map of a tensor that begins at one parameter, and whose rows are another apart.
fn map_of_pointer<'a>(
    spec: &'a TensorMapSpec,
    address: Option<&Slot>,
    stride: Option<&Slot>,
) -> Result<TensorMap<'a>, ArgumentFault> {
    let (Some(Slot::Word(address)), Some(Slot::Word(stride))) = (address, stride) else {
        // An image that is valid has both.
        return Err(ArgumentFault::MapAddress);
    };
    TensorMap::without_end(spec, *address, i64::from(*stride as u32 as i32))
}

/// The sizes and strides that follow a descriptor.
fn push_extents(descriptor: &Descriptor<'_>, slots: &mut Slots) {
    slots.extend(descriptor.shape.iter().map(|size| Slot::Word(*size as u32 as u64)));
    slots.extend(descriptor.strides.iter().map(|stride| Slot::Word(*stride as u64)));
}

fn descriptor<'d, 'a>(arg: &'d Arg<'a>) -> Result<&'d Descriptor<'a>, ArgumentFault> {
    match arg {
        Arg::Descriptor(descriptor) => Ok(descriptor),
        _ => Err(ArgumentFault::NotDescriptor),
    }
}

fn pointer(param: &ImageParam, arg: &Arg<'_>) -> Result<u64, ArgumentFault> {
    let address = match arg {
        Arg::Address(address) => address.raw(),
        Arg::Descriptor(_) => return Err(ArgumentFault::DescriptorForPointer),
        Arg::Bool(_) | Arg::I32(_) | Arg::I64(_) | Arg::F32(_) | Arg::F64(_) | Arg::Scalar(..) => {
            return Err(ArgumentFault::NumberForPointer);
        }
    };
    if address.is_multiple_of(u64::from(param.facts.multiple_of)) {
        return Ok(address);
    }
    Err(ArgumentFault::Promise { facts: param.facts, value: address.into() })
}

/// The numbers a scalar argument can carry.
enum Number {
    Bool(bool),
    Int(i128),
    Float(f64),
}

fn number(wanted: ScalarType, arg: &Arg<'_>) -> Result<u64, ArgumentFault> {
    let number = match *arg {
        Arg::Address(_) => return Err(ArgumentFault::PointerForNumber { wanted }),
        Arg::Descriptor(_) => return Err(ArgumentFault::DescriptorForNumber { wanted }),
        Arg::Scalar(given, bits) if given == wanted => return Ok(bits & low_bits(wanted.bytes() * 8)),
        Arg::Scalar(given, bits) => match number_of(given, bits) {
            Some(number) => number,
            None => return Err(ArgumentFault::OtherScalar { wanted, given }),
        },
        Arg::Bool(value) => Number::Bool(value),
        Arg::I32(value) => Number::Int(value.into()),
        Arg::I64(value) => Number::Int(value.into()),
        Arg::F32(value) => Number::Float(value.into()),
        Arg::F64(value) => Number::Float(value),
    };
    convert(number, wanted)
}

/// The value as the bits of `ty`.
fn convert(number: Number, ty: ScalarType) -> Result<u64, ArgumentFault> {
    match (ty.kind(), number) {
        (ScalarKind::Float, Number::Float(value)) => float_bits(value, ty),
        (ScalarKind::Float, Number::Int(value)) => float_bits(value as f64, ty),
        (ScalarKind::Float, Number::Bool(value)) => float_bits(f64::from(u8::from(value)), ty),
        (ScalarKind::Bool | ScalarKind::Int, Number::Bool(value)) => Ok(u64::from(value)),
        (ScalarKind::Bool | ScalarKind::Int, Number::Int(value)) => {
            let (low, high) = int_range(ty);
            if (low..=high).contains(&value) {
                return Ok(value as u64 & low_bits(ty.bytes() * 8));
            }
            Err(ArgumentFault::OutOfRange { wanted: ty, value, low, high })
        }
        (ScalarKind::Bool | ScalarKind::Int, Number::Float(value)) => {
            Err(ArgumentFault::FloatForInteger { wanted: ty, value })
        }
    }
}

fn int_range(ty: ScalarType) -> (i128, i128) {
    match ty.is_signed_int() {
        true => (-(1i128 << (ty.bits() - 1)), (1i128 << (ty.bits() - 1)) - 1),
        false => (0, (1i128 << ty.bits()) - 1),
    }
}

fn low_bits(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn float_bits(value: f64, ty: ScalarType) -> Result<u64, ArgumentFault> {
    match ty {
        ScalarType::F64 => Ok(value.to_bits()),
        ScalarType::F32 => Ok((value as f32).to_bits().into()),
        ScalarType::F16 => Ok(half::f16::from_f64(value).to_bits().into()),
        ScalarType::BF16 => Ok(half::bf16::from_f64(value).to_bits().into()),
        _ => Err(ArgumentFault::NotRounded { wanted: ty }),
    }
}

fn number_of(ty: ScalarType, bits: u64) -> Option<Number> {
    let bits = bits & low_bits(ty.bytes() * 8);
    Some(match ty {
        ScalarType::I1 => Number::Bool(bits != 0),
        ScalarType::F64 => Number::Float(f64::from_bits(bits)),
        ScalarType::F32 => Number::Float(f32::from_bits(bits as u32).into()),
        ScalarType::F16 => Number::Float(half::f16::from_bits(bits as u16).into()),
        ScalarType::BF16 => Number::Float(half::bf16::from_bits(bits as u16).into()),
        _ if ty.is_signed_int() => {
            let unused = 64 - ty.bits();
            Number::Int((((bits << unused) as i64) >> unused).into())
        }
        _ if ty.is_unsigned_int() => Number::Int(bits.into()),
        _ => return None,
    })
}
