//! Launch arguments: what a caller passes, checked against the kernel's parameters and packed for the device.
//!
//! Packing allocates nothing as long as it succeeds; a refusal says what is wrong by numbers, which become an [`Error`] with names only
//! where somebody reads it.

use crate::descriptor::{Descriptor, MapBytes, TensorMap};
use crate::{DeviceAddress, Error};
use smallvec::SmallVec;
use std::ffi::c_void;
use tk_image::{ImageParam, KernelImage, MapEnd, NumberLimit, ParamKind, TensorMapSpec};
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

impl Slot {
    /// The first `count` bytes.
    pub fn bytes(&self, count: usize) -> Vec<u8> {
        match self {
            Slot::Word(word) => word.to_le_bytes().into_iter().take(count).collect(),
            Slot::Map(map) => map.0.iter().copied().take(count).collect(),
        }
    }
}

/// One slot per parameter; those of usual kernels lie on the stack. Words and tensor maps, which are sixteen times as long and rare, are
/// kept apart.
#[derive(Debug, Default)]
pub struct Slots {
    /// One for each parameter; nothing is said by those of tensor maps.
    words: SmallVec<[u64; 32]>,
    /// The tensor maps, in the order of their parameters.
    maps: SmallVec<[PlacedMap; 8]>,
}

#[derive(Debug)]
struct PlacedMap {
    /// The number of its parameter.
    at: usize,
    bytes: MapBytes,
}

impl Slots {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a word.
    pub fn push_word(&mut self, word: u64) {
        self.words.push(word);
    }

    fn push_map(&mut self, bytes: MapBytes) {
        self.maps.push(PlacedMap { at: self.words.len(), bytes });
        self.words.push(0);
    }

    /// Removes them all.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.maps.clear();
    }

    /// The word of a parameter, where it is none of a tensor map.
    fn word(&self, at: usize) -> Option<u64> {
        self.words.get(at).copied().filter(|_| self.maps.iter().all(|map| map.at != at))
    }

    /// What every parameter gets.
    pub fn iter(&self) -> impl Iterator<Item = Slot> + '_ {
        let mut maps = self.maps.iter().peekable();
        self.words.iter().enumerate().map(move |(at, word)| match maps.next_if(|map| map.at == at) {
            Some(map) => Slot::Map(map.bytes),
            None => Slot::Word(*word),
        })
    }

    /// Where what each parameter gets lies.
    pub(crate) fn places(&mut self) -> SmallVec<[*mut c_void; 32]> {
        let mut places: SmallVec<[*mut c_void; 32]> =
            self.words.iter_mut().map(|word| std::ptr::from_mut(word).cast()).collect();
        for map in &mut self.maps {
            places[map.at] = std::ptr::from_mut(&mut map.bytes).cast();
        }
        places
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
                slots.push_word(promised_number(image, at, *ty, arg).map_err(wrong)?);
            }
            ParamKind::Pointer(_) => slots.push_word(pointer(param, arg).map_err(wrong)?),
            ParamKind::TensorMap(spec) => {
                let descriptor = descriptor(arg).map_err(wrong)?;
                descriptor.check(spec.element, spec.block.len()).map_err(wrong)?;
                slots.push_map(maps(&descriptor.map(spec)).map_err(|error| Refusal::Map(at, error))?);
                push_extents(descriptor, slots);
            }
            ParamKind::DescriptorBase { element, rank } => {
                let descriptor = descriptor(arg).map_err(wrong)?;
                // A pointer has lost the sign of its integers.
                let is_same = descriptor.element.mlir_name() == element.mlir_name();
                let element = if is_same { descriptor.element } else { *element };
                descriptor.check(element, *rank as usize).map_err(wrong)?;
                slots.push_word(descriptor.address.raw());
                push_extents(descriptor, slots);
            }
            ParamKind::MapOfPointer { .. } => {}
        }
    }
    if rest.next().is_some() {
        return Err(Refusal::Count(args.len()));
    }
    for (at, param) in image.params.iter().enumerate() {
        if let ParamKind::MapOfPointer { map, base, stride, rows, columns } = &param.kind {
            let sizes = [columns, rows].map(|end| size_of(*end, slots));
            let map = map_of_pointer(map, slots.word(*base as usize), slots.word(*stride as usize), sizes)
                .map_err(|fault| Refusal::Argument(at, fault))?;
            slots.push_map(maps(&map).map_err(|error| Refusal::Map(at, error))?);
        }
    }
    Ok(())
}

/// What a parameter that is one word asks of its argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    kind: PlainKind,
    /// The low bits that are zero.
    zeros: u64,
    is_positive: bool,
}

#[derive(Clone, Copy, Debug)]
enum PlainKind {
    Pointer,
    I32,
    I64,
    F32,
    Bool,
}

impl Plain {
    /// The parameters of a kernel that takes pointers and usual numbers alone; nothing for others.
    pub(crate) fn all_of(image: &KernelImage) -> Option<Box<[Self]>> {
        let one = |param: &ImageParam| {
            let kind = match &param.kind {
                ParamKind::Pointer(_) => PlainKind::Pointer,
                ParamKind::Scalar(ScalarType::I32) => PlainKind::I32,
                ParamKind::Scalar(ScalarType::I64) => PlainKind::I64,
                ParamKind::Scalar(ScalarType::F32) if param.facts == Facts::NONE => PlainKind::F32,
                ParamKind::Scalar(ScalarType::I1) if param.facts == Facts::NONE => PlainKind::Bool,
                ParamKind::Scalar(_) | ParamKind::TensorMap(_) => return None,
                ParamKind::DescriptorBase { .. } | ParamKind::MapOfPointer { .. } => return None,
            };
            let multiple = u64::from(param.facts.multiple_of);
            multiple.is_power_of_two().then_some(Self {
                kind,
                zeros: multiple - 1,
                is_positive: param.facts.is_positive,
            })
        };
        if !image.limits.numbers.is_empty() {
            return None;
        }
        image.params.iter().map(one).collect()
    }

    /// The word of an argument that is right; nothing for one that is not, and for those that [`pack`] has to convert.
    fn word(self, arg: &Arg<'_>) -> Option<u64> {
        let integer = |value: i64| {
            let is_promised = value as u64 & self.zeros == 0 && (value > 0 || !self.is_positive);
            is_promised.then_some(value)
        };
        match (self.kind, *arg) {
            (PlainKind::Pointer, Arg::Address(address)) => Some(address.raw()).filter(|raw| raw & self.zeros == 0),
            (PlainKind::I32, Arg::I64(value)) => {
                integer(i32::try_from(value).ok()?.into()).map(|value| value as u32 as u64)
            }
            (PlainKind::I32, Arg::I32(value)) => integer(value.into()).map(|value| value as u32 as u64),
            (PlainKind::I64, Arg::I64(value)) => integer(value).map(|value| value as u64),
            (PlainKind::F32, Arg::F64(value)) => Some((value as f32).to_bits().into()),
            (PlainKind::F32, Arg::F32(value)) => Some(value.to_bits().into()),
            (PlainKind::Bool, Arg::Bool(value)) => Some(value.into()),
            _ => None,
        }
    }
}

/// Packs arguments that are right for parameters that are plain, and says whether all are. The slots are empty before; otherwise they are
/// to be packed anew.
pub(crate) fn pack_plain(params: &[Plain], args: &[Arg<'_>], slots: &mut Slots) -> bool {
    params.len() == args.len()
        && params.iter().zip(args).all(|(param, arg)| match param.word(arg) {
            Some(word) => {
                slots.words.push(word);
                true
            }
            None => false,
        })
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

/// Elements of a map along a dimension; a map has at least one.
fn size_of(end: MapEnd, slots: &Slots) -> u64 {
    match end {
        MapEnd::Nowhere => TensorMap::NO_END,
        MapEnd::At(elements) => elements.into(),
        MapEnd::Parameter(index) => {
            slots.word(index as usize).map_or(1, |word| i64::from(word as u32 as i32).max(1) as u64)
        }
    }
}

/// The map of a tensor that begins at one parameter, and whose rows are another apart. Its sizes start with the columns.
fn map_of_pointer<'a>(
    spec: &'a TensorMapSpec,
    address: Option<u64>,
    stride: Option<u64>,
    sizes: [u64; 2],
) -> Result<TensorMap<'a>, ArgumentFault> {
    let (Some(address), Some(stride)) = (address, stride) else {
        // An image that is valid has both.
        return Err(ArgumentFault::MapAddress);
    };
    TensorMap::of_pointer(spec, address, i64::from(stride as u32 as i32), sizes)
}

/// The sizes and strides that follow a descriptor.
fn push_extents(descriptor: &Descriptor<'_>, slots: &mut Slots) {
    descriptor.shape.iter().for_each(|size| slots.push_word(*size as u32 as u64));
    descriptor.strides.iter().for_each(|stride| slots.push_word(*stride as u64));
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
        // Odd numbers are true as Python reads them and by their low bit, which others keep of them. Even ones are not.
        (ScalarKind::Bool, Number::Int(value)) if value % 2 != 0 => Ok(1),
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
