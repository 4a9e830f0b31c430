//! Launch arguments: what a caller passes, checked against the kernel's parameters and packed for the device.

use crate::Buffer;
use crate::descriptor::{MapBytes, TensorDescriptor, TensorMap};
use tk_diag::{BAD_LAUNCH, Diagnostic, Result};
use tk_types::{ImageParam, KernelImage, ParamKind, ScalarKind, ScalarType, TensorMapSpec};

/// One run-time argument of a launch, in the order of [`KernelImage::arguments`].
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// The address this many bytes into a buffer.
    Buffer(&'a Buffer, usize),
    /// An address in memory of the device that the caller keeps alive until the kernel has run.
    Address(u64),
    /// A tensor descriptor.
    Descriptor(TensorDescriptor<'a>),
    /// A null pointer.
    Null,
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

impl<'a> Arg<'a> {
    /// The buffer that the kernel can reach through this argument.
    pub(crate) fn buffer(&self) -> Option<&'a Buffer> {
        match self {
            Arg::Buffer(buffer, _) => Some(buffer),
            Arg::Descriptor(descriptor) => Some(descriptor.buffer),
            _ => None,
        }
    }

    /// The element type of a descriptor.
    fn element(&self) -> Option<ScalarType> {
        match self {
            Arg::Descriptor(descriptor) => Some(descriptor.element),
            _ => None,
        }
    }
}

/// The numbers a scalar argument can carry.
enum Number {
    Bool(bool),
    Int(i128),
    Float(f64),
}

/// What one parameter of the entry point gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// At most 8 bytes, little-endian.
    Word(u64),
    /// A tensor map.
    Map(Box<MapBytes>),
}

impl Slot {
    /// The first `count` bytes.
    pub(crate) fn bytes(&self, count: usize) -> Vec<u8> {
        match self {
            Slot::Word(word) => word.to_le_bytes().into_iter().take(count).collect(),
            Slot::Map(map) => map.0.iter().copied().take(count).collect(),
        }
    }
}

/// Makes the tensor maps of one device.
pub(crate) type MapMaker<'m> = &'m dyn Fn(&TensorMap<'_>) -> Result<MapBytes>;

/// Packs arguments into one slot per parameter of the image.
pub(crate) fn pack(image: &KernelImage, args: &[Arg<'_>], maps: MapMaker<'_>) -> Result<Vec<Slot>> {
    if args.len() != image.arguments().count() {
        return Err(wrong_count(image, args.len()));
    }
    let mut slots = Vec::with_capacity(image.params.len() + 1);
    for ((_, param), arg) in image.arguments().zip(args) {
        match &param.kind {
            ParamKind::Scalar(ty) => slots.push(Slot::Word(promised_number(image, param, *ty, arg)?)),
            ParamKind::Pointer(_) => slots.push(Slot::Word(pointer(image, param, arg)?)),
            ParamKind::TensorMap(spec) => {
                let descriptor = descriptor(image, param, arg, (spec.element, spec.block.len()))?;
                let map =
                    maps(&descriptor.map(spec)).map_err(|error| named(image, param, &error.message, error.help))?;
                slots.push(Slot::Map(Box::new(map)));
                push_extents(descriptor, &mut slots);
            }
            ParamKind::DescriptorBase { element, rank } => {
                // A pointer has lost the sign of its integers.
                let same = |given: &ScalarType| given.mlir_name() == element.mlir_name();
                let element = arg.element().filter(same).unwrap_or(*element);
                let descriptor = descriptor(image, param, arg, (element, *rank as usize))?;
                slots.push(Slot::Word(descriptor.address()));
                push_extents(descriptor, &mut slots);
            }
            ParamKind::MapOfPointer { .. } => {}
        }
    }
    for param in &image.params {
        if let ParamKind::MapOfPointer { map, base, stride } = &param.kind {
            let map = map_of_pointer(image, param, map, (slots.get(*base as usize), slots.get(*stride as usize)))?;
            slots.push(Slot::Map(Box::new(maps(&map)?)));
        }
    }
    Ok(slots)
}

/// A number that keeps what the signature promised of it.
fn promised_number(image: &KernelImage, param: &ImageParam, ty: ScalarType, arg: &Arg<'_>) -> Result<u64> {
    let word = number(image, param, ty, arg)?;
    let value = match number_of(ty, word) {
        Some(Number::Int(value)) if !param.facts.hold_of(value) => value,
        _ => return Ok(word),
    };
    let message = format!("the kernel was compiled for {}, and {value} is none", param.facts);
    Err(named(image, param, &message, Some(PROMISED.into())))
}

const PROMISED: &str = "launch it with what its signature promises, or compile it without that promise";

/// The map of a tensor that begins at one parameter, and whose rows are another apart.
fn map_of_pointer<'a>(
    image: &KernelImage,
    param: &ImageParam,
    spec: &'a TensorMapSpec,
    slots: (Option<&Slot>, Option<&Slot>),
) -> Result<TensorMap<'a>> {
    let (Some(Slot::Word(address)), Some(Slot::Word(stride))) = slots else {
        return Err(Diagnostic::bug(format!("`{}` has a tensor map of no pointer", image.entry)).boxed());
    };
    let stride = i64::from(*stride as u32 as i32);
    TensorMap::without_end(spec, *address, stride)
        .map_err(|message| named(image, param, &message, Some(PROMISED.into())))
}

/// The sizes and strides that follow a descriptor.
fn push_extents(descriptor: &TensorDescriptor<'_>, slots: &mut Vec<Slot>) {
    slots.extend(descriptor.shape.iter().map(|size| Slot::Word(*size as u32 as u64)));
    slots.extend(descriptor.strides.iter().map(|stride| Slot::Word(*stride as u64)));
}

fn wrong_count(image: &KernelImage, got: usize) -> Box<Diagnostic> {
    let names: Vec<&str> = image.arguments().map(|(_, param)| param.name.as_str()).collect();
    let message = format!("`{}` takes {} run-time arguments, but the launch gives {got}", image.entry, names.len());
    let diagnostic = Diagnostic::error(BAD_LAUNCH, message);
    match names.get(got..) {
        Some(missing) if !missing.is_empty() => diagnostic.help(format!("missing: {}", missing.join(", "))).boxed(),
        _ => diagnostic.help(format!("the arguments are: {}", names.join(", "))).boxed(),
    }
}

/// An error about one argument.
fn named(image: &KernelImage, param: &ImageParam, message: &str, help: Option<String>) -> Box<Diagnostic> {
    let error = Diagnostic::error(BAD_LAUNCH, format!("`{}`, argument `{}`: {message}", image.entry, param.name));
    match help {
        Some(help) => error.help(help).boxed(),
        None => error.boxed(),
    }
}

fn descriptor<'d, 'a>(
    image: &KernelImage,
    param: &ImageParam,
    arg: &'d Arg<'a>,
    (element, rank): (ScalarType, usize),
) -> Result<&'d TensorDescriptor<'a>> {
    let Arg::Descriptor(descriptor) = arg else {
        let message = "the kernel takes a tensor descriptor";
        return Err(named(image, param, message, Some("pass a TensorDescriptor".into())));
    };
    descriptor.check(element, rank).map_err(|message| {
        let help = "descriptors need rows that start at multiples of 16 bytes and a contiguous last dimension; \
                    pad the tensor, or use pointers";
        named(image, param, &message, Some(help.into()))
    })?;
    Ok(descriptor)
}

fn pointer(image: &KernelImage, param: &ImageParam, arg: &Arg<'_>) -> Result<u64> {
    let refuse = |message: String| Err(named(image, param, &message, None));
    match *arg {
        Arg::Null => Ok(0),
        Arg::Address(address) => Ok(address),
        Arg::Buffer(buffer, offset) if offset <= buffer.len() => Ok(buffer.address() + offset as u64),
        Arg::Buffer(buffer, offset) => {
            refuse(format!("byte {offset} is past the end of a buffer of {} bytes", buffer.len()))
        }
        Arg::Descriptor(_) => refuse("the kernel takes a pointer, not a tensor descriptor; pass a tensor".into()),
        _ => refuse("the kernel takes a pointer, not a number; pass a tensor".into()),
    }
}

fn number(image: &KernelImage, param: &ImageParam, ty: ScalarType, arg: &Arg<'_>) -> Result<u64> {
    let refuse = |message: String| Err(named(image, param, &message, None));
    let number = match *arg {
        Arg::Buffer(..) | Arg::Address(_) | Arg::Null => {
            return refuse(format!("the kernel takes a {ty}, not a tensor"));
        }
        Arg::Descriptor(_) => return refuse(format!("the kernel takes a {ty}, not a tensor descriptor")),
        Arg::Scalar(given, bits) if given == ty => return Ok(bits & low_bits(ty.bytes() * 8)),
        Arg::Scalar(given, bits) => match number_of(given, bits) {
            Some(number) => number,
            None => return refuse(format!("the kernel takes a {ty}, not a {given}")),
        },
        Arg::Bool(value) => Number::Bool(value),
        Arg::I32(value) => Number::Int(value.into()),
        Arg::I64(value) => Number::Int(value.into()),
        Arg::F32(value) => Number::Float(value.into()),
        Arg::F64(value) => Number::Float(value),
    };
    convert(number, ty).or_else(refuse)
}

/// The value as the bits of `ty`, or the sentence that says why it does not fit.
fn convert(number: Number, ty: ScalarType) -> Result<u64, String> {
    match (ty.kind(), number) {
        (ScalarKind::Float, Number::Float(value)) => float_bits(value, ty),
        (ScalarKind::Float, Number::Int(value)) => float_bits(value as f64, ty),
        (ScalarKind::Float, Number::Bool(value)) => float_bits(f64::from(u8::from(value)), ty),
        (_, Number::Bool(value)) => Ok(u64::from(value)),
        (_, Number::Int(value)) => {
            let (low, high) = int_range(ty);
            if (low..=high).contains(&value) {
                return Ok(value as u64 & low_bits(ty.bytes() * 8));
            }
            Err(format!("{value} does not fit {ty}, which holds {low} to {high}"))
        }
        (_, Number::Float(value)) => Err(format!("the kernel takes a {ty}, not the float {value:?}")),
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

fn float_bits(value: f64, ty: ScalarType) -> Result<u64, String> {
    match ty {
        ScalarType::F64 => Ok(value.to_bits()),
        ScalarType::F32 => Ok((value as f32).to_bits().into()),
        ScalarType::F16 => Ok(half::f16::from_f64(value).to_bits().into()),
        ScalarType::BF16 => Ok(half::bf16::from_f64(value).to_bits().into()),
        _ => Err(format!("a number cannot become a {ty}; pass fp32")),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, DeviceChoice};
    use tk_types::Facts;

    fn image(params: Vec<ImageParam>) -> KernelImage {
        KernelImage {
            entry: "k".into(),
            ptx: String::new(),
            cubin: None,
            params,
            num_warps: 4,
            num_ctas: 1,
            shared_bytes: 0,
            global_scratch_bytes: 0,
            target: "sm_90a".into(),
            resources: Default::default(),
        }
    }

    fn packed(image: &KernelImage, args: &[Arg<'_>]) -> Result<Vec<Slot>> {
        pack(image, args, &|map| map.encode_for_simulator())
    }

    fn pack_scalar(ty: ScalarType, arg: Arg<'_>) -> Result<u64, String> {
        match packed(&image(vec![ImageParam::scalar("p0", ty)]), &[arg]) {
            Ok(slots) => match slots[..] {
                [Slot::Word(word)] => Ok(word),
                _ => Err("not one word".into()),
            },
            Err(diagnostic) => Err(diagnostic.message),
        }
    }

    #[test]
    fn integers_convert_when_they_fit() {
        assert_eq!(pack_scalar(ScalarType::I32, Arg::I64(-1)), Ok(0xffff_ffff));
        assert_eq!(pack_scalar(ScalarType::I64, Arg::I32(-1)), Ok(u64::MAX));
        assert_eq!(pack_scalar(ScalarType::U64, Arg::Scalar(ScalarType::U32, 7)), Ok(7));
        assert_eq!(pack_scalar(ScalarType::I8, Arg::Scalar(ScalarType::I16, 0xff80)), Ok(0x80));
        assert_eq!(pack_scalar(ScalarType::I1, Arg::Bool(true)), Ok(1));
        assert!(pack_scalar(ScalarType::I32, Arg::I64(1 << 31)).unwrap_err().contains("2147483648 does not fit i32"));
        assert!(pack_scalar(ScalarType::U8, Arg::I32(-1)).is_err());
        assert!(pack_scalar(ScalarType::I1, Arg::I32(2)).is_err());
    }

    #[test]
    fn floats_round_to_the_parameter() {
        assert_eq!(pack_scalar(ScalarType::F32, Arg::F64(0.1)), Ok(0.1f32.to_bits().into()));
        assert_eq!(pack_scalar(ScalarType::F16, Arg::F32(1.5)), Ok(0x3e00));
        assert_eq!(pack_scalar(ScalarType::BF16, Arg::F32(-2.0)), Ok(0xc000));
        assert_eq!(pack_scalar(ScalarType::F64, Arg::I32(3)), Ok(3.0f64.to_bits()));
        assert!(pack_scalar(ScalarType::I32, Arg::F32(1.0)).unwrap_err().contains("float 1.0"));
        assert_eq!(pack_scalar(ScalarType::F8E5M2, Arg::Scalar(ScalarType::F8E5M2, 0x1ff)), Ok(0xff));
        assert!(pack_scalar(ScalarType::F8E5M2, Arg::F32(1.0)).is_err());
    }

    #[test]
    fn counts_and_kinds_are_checked() {
        let two = image(vec![ImageParam::pointer("p0", None), ImageParam::scalar("p1", ScalarType::I32)]);
        let error = packed(&two, &[Arg::Null]).unwrap_err();
        assert_eq!((error.code.slug, error.help.as_deref()), ("bad-launch", Some("missing: p1")));
        assert!(packed(&two, &[Arg::I32(1), Arg::I32(1)]).unwrap_err().message.contains("takes a pointer"));
        assert!(packed(&two, &[Arg::Null, Arg::Null]).unwrap_err().message.contains("not a tensor"));
        assert_eq!(packed(&two, &[Arg::Null, Arg::I32(5)]).unwrap(), [Slot::Word(0), Slot::Word(5)]);
    }

    const F16: ScalarType = ScalarType::F16;

    /// A kernel that takes a descriptor of 64 x 64 blocks of f16 and a number; with tensor maps, or without.
    fn takes_descriptor(maps: bool) -> KernelImage {
        let spec = TensorMapSpec { element: F16, block: vec![64, 64], swizzle_bytes: 128, pad_nan: true };
        let kind = match maps {
            true => ParamKind::TensorMap(spec),
            false => ParamKind::DescriptorBase { element: F16, rank: 2 },
        };
        let extents = [ScalarType::I32, ScalarType::I32, ScalarType::I64, ScalarType::I64];
        let mut params = vec![ImageParam::new("d", kind)];
        params.extend(extents.map(|ty| ImageParam::scalar("d", ty)));
        params.push(ImageParam::scalar("n", ScalarType::I32));
        image(params)
    }

    #[test]
    fn a_descriptor_fills_its_sizes_and_strides() {
        let device = Device::open(DeviceChoice::Sim).unwrap();
        let buffer = device.allocate(1 << 14).unwrap();
        let (shape, strides) = ([50, 100], [104, 1]);
        let descriptor =
            TensorDescriptor { buffer: &buffer, offset: 32, element: F16, shape: &shape, strides: &strides };
        let args = [Arg::Descriptor(descriptor), Arg::I32(7)];
        let rest = [50, 100, 104, 1, 7].map(Slot::Word);
        let slots = packed(&takes_descriptor(false), &args).unwrap();
        assert_eq!(slots[0], Slot::Word(buffer.address() + 32));
        assert_eq!(slots[1..], rest);
        let slots = packed(&takes_descriptor(true), &args).unwrap();
        assert_eq!(slots[1..], rest);
        let expected = tk_sim::TensorMap {
            address: buffer.address() + 32,
            element: tk_sim::TensorElement::F16,
            sizes: vec![100, 50],
            strides: vec![208],
            block: vec![64, 64],
            element_strides: vec![1, 1],
            swizzle_bytes: 128,
            fill_nan: true,
        };
        assert_eq!(slots[0].bytes(128), tk_sim::encode_tensor_map(&expected).unwrap());
        let error = packed(&takes_descriptor(true), &args[..1]).unwrap_err();
        assert_eq!(error.help.as_deref(), Some("missing: n"));
        let error = packed(&takes_descriptor(true), &[Arg::Buffer(&buffer, 0), Arg::I32(7)]).unwrap_err();
        assert!(error.message.contains("`d`: the kernel takes a tensor descriptor"), "{}", error.message);
    }

    #[test]
    fn numbers_keep_what_was_promised() {
        let with = |suffix: u32, value: i64| {
            let facts = Facts::from_suffix(suffix, true).unwrap_or_default();
            let param = ImageParam { facts, ..ImageParam::scalar("n", ScalarType::I32) };
            packed(&image(vec![param]), &[Arg::I64(value)]).map_err(|error| error.message)
        };
        for (suffix, value) in [(1, 7), (16, 32), (16, 0), (16, -16), (64, 64), (64, 640)] {
            assert!(with(suffix, value).is_ok(), "{suffix} {value}");
        }
        assert!(with(16, 8).unwrap_err().contains("`n`: the kernel was compiled for a multiple of 16, and 8 is none"));
        for value in [0, -64, 32, 100] {
            let error = with(64, value).unwrap_err();
            assert!(error.contains(&format!("a positive multiple of 64, and {value} is none")), "{error}");
        }
    }

    #[test]
    fn maps_of_pointers_are_made_of_what_is_passed() {
        let device = Device::open(DeviceChoice::Sim).unwrap();
        let buffer = device.allocate(1 << 14).unwrap();
        let map = TensorMapSpec { element: F16, block: vec![64, 32], swizzle_bytes: 64, pad_nan: false };
        let of_pointer = ParamKind::MapOfPointer { map, base: 0, stride: 1 };
        let kernel = image(vec![
            ImageParam::pointer("x", Some(F16)),
            ImageParam::scalar("stride", ScalarType::I32),
            ImageParam::new("x", of_pointer),
        ]);
        let with = |offset: usize, stride: i32| packed(&kernel, &[Arg::Buffer(&buffer, offset), Arg::I32(stride)]);
        let expected = tk_sim::TensorMap {
            address: buffer.address() + 32,
            element: tk_sim::TensorElement::F16,
            sizes: vec![i32::MAX as u32; 2],
            strides: vec![208],
            block: vec![32, 64],
            element_strides: vec![1, 1],
            swizzle_bytes: 64,
            fill_nan: false,
        };
        let slots = with(32, 104).unwrap();
        assert_eq!((&slots[0], &slots[1]), (&Slot::Word(buffer.address() + 32), &Slot::Word(104)));
        assert_eq!(slots[2].bytes(128), tk_sim::encode_tensor_map(&expected).unwrap());
        assert!(with(2, 104).unwrap_err().message.contains("argument `x`: its address was to be a multiple of 16"));
        for stride in [0, -104, 4, 100] {
            let error = with(32, stride).unwrap_err();
            assert!(error.message.contains(&format!("positive multiple of 16 bytes, and is {stride}")), "{error:?}");
        }
        assert!(packed(&kernel, &[Arg::Null]).unwrap_err().help.unwrap().contains("missing: stride"));
    }

    #[test]
    fn descriptors_that_the_hardware_refuses_are_refused() {
        let device = Device::open(DeviceChoice::Sim).unwrap();
        let buffer = device.allocate(1 << 14).unwrap();
        let refused = |offset: usize, element: ScalarType, shape: &[i64], strides: &[i64]| {
            let descriptor = TensorDescriptor { buffer: &buffer, offset, element, shape, strides };
            [true, false].map(|maps| {
                packed(&takes_descriptor(maps), &[Arg::Descriptor(descriptor), Arg::I32(7)]).unwrap_err().message
            })
        };
        const BIG: i64 = i32::MAX as i64 + 1;
        type Case = (usize, ScalarType, &'static [i64], &'static [i64], &'static str);
        let cases: [Case; 10] = [
            (8, F16, &[50, 100], &[104, 1], "starts 8 bytes after a multiple of 16"),
            (1 << 15, F16, &[50, 100], &[104, 1], "past the end"),
            (0, ScalarType::BF16, &[50, 100], &[104, 1], "a descriptor of fp16, not of bf16"),
            (0, F16, &[50], &[1], "its block has 2 dimensions, its shape 1"),
            (0, F16, &[0, 100], &[104, 1], "a dimension of 0"),
            (0, F16, &[50, BIG], &[104, 1], "a dimension of 2147483648"),
            (0, F16, &[50, 100], &[100, 1], "a stride of 100 elements is 200 bytes"),
            (0, F16, &[50, 100], &[-104, 1], "a stride of -104 elements"),
            (0, F16, &[50, 100], &[1 << 40, 1], "below 2^40"),
            (0, F16, &[50, 100], &[1, 104], "its last stride is 104"),
        ];
        for (offset, element, shape, strides, expected) in cases {
            for message in refused(offset, element, shape, strides) {
                assert!(message.contains(expected), "{message}");
            }
        }
    }
}
