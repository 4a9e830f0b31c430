//! Launch arguments on buffers of a device, GPU or simulator. `tk-runtime` checks them against the kernel's parameters and packs them.

use crate::Buffer;
use crate::descriptor::TensorDescriptor;
use crate::memory_unsafe::address;
use smallvec::SmallVec;
use tk_diag::{BAD_LAUNCH, Diagnostic, Result};
use tk_image::KernelImage;
use tk_runtime::Descriptor;
use tk_types::ScalarType;

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

/// Arguments as both kinds of device take them.
pub(crate) type DeviceArgs<'a> = SmallVec<[tk_runtime::Arg<'a>; 24]>;

impl<'a> Arg<'a> {
    /// The buffer that the kernel can reach through this argument.
    pub(crate) fn buffer(&self) -> Option<&'a Buffer> {
        match self {
            Arg::Buffer(buffer, _) => Some(buffer),
            Arg::Descriptor(descriptor) => Some(descriptor.buffer),
            _ => None,
        }
    }

    /// With the address instead of the buffer; a sentence where that is past its end.
    fn on_device(self) -> Result<tk_runtime::Arg<'a>, String> {
        use tk_runtime::Arg as Device;
        Ok(match self {
            Arg::Buffer(buffer, offset) => Device::Address(address(place(buffer, offset)?)),
            Arg::Address(number) => Device::Address(address(number)),
            Arg::Null => Device::Address(address(0)),
            Arg::Descriptor(TensorDescriptor { buffer, offset, element, shape, strides }) => {
                let address = address(place(buffer, offset)?);
                Device::Descriptor(Descriptor { address, element, shape, strides })
            }
            Arg::Bool(value) => Device::Bool(value),
            Arg::I32(value) => Device::I32(value),
            Arg::I64(value) => Device::I64(value),
            Arg::F32(value) => Device::F32(value),
            Arg::F64(value) => Device::F64(value),
            Arg::Scalar(ty, bits) => Device::Scalar(ty, bits),
        })
    }
}

fn place(buffer: &Buffer, offset: usize) -> Result<u64, String> {
    if offset <= buffer.len() {
        return Ok(buffer.address() + offset as u64);
    }
    Err(format!("byte {offset} is past the end of a buffer of {} bytes", buffer.len()))
}

/// The arguments with addresses instead of buffers.
pub(crate) fn on_device<'a>(image: &KernelImage, args: &[Arg<'a>]) -> Result<DeviceArgs<'a>> {
    let one = |(at, arg): (usize, &Arg<'a>)| {
        arg.on_device().map_err(|message| {
            let name = image.arguments().nth(at).map_or("", |(_, param)| param.name.as_str());
            Diagnostic::error(BAD_LAUNCH, format!("`{}`, argument `{name}`: {message}", image.entry)).boxed()
        })
    };
    args.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::encode_for_simulator;
    use crate::{Device, DeviceChoice, fault};
    use tk_image::{ImageParam, MapEnd, ParamKind, TensorMapSpec};
    use tk_runtime::{Slot, Slots, pack};
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
            limits: Default::default(),
        }
    }

    fn packed(image: &KernelImage, args: &[Arg<'_>]) -> Result<Vec<Slot>> {
        let (args, mut slots) = (on_device(image, args)?, Slots::new());
        match pack(image, &args, &encode_for_simulator, &mut slots) {
            Ok(()) => Ok(slots.iter().collect()),
            Err(refusal) => Err(fault::diagnostic(refusal.error(image), image)),
        }
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
        assert_eq!(pack_scalar(ScalarType::I1, Arg::I32(3)), Ok(1));
        assert_eq!(pack_scalar(ScalarType::I1, Arg::I64(-1)), Ok(1));
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
        let (rows, columns) = (MapEnd::Parameter(2), MapEnd::Nowhere);
        let of_pointer = ParamKind::MapOfPointer { map, base: 0, stride: 1, rows, columns };
        let kernel = image(vec![
            ImageParam::pointer("x", Some(F16)),
            ImageParam::scalar("stride", ScalarType::I32),
            ImageParam::scalar("rows", ScalarType::I32),
            ImageParam::new("x", of_pointer),
        ]);
        let with_rows = |offset: usize, stride: i32, rows: i32| {
            packed(&kernel, &[Arg::Buffer(&buffer, offset), Arg::I32(stride), Arg::I32(rows)])
        };
        let with = |offset: usize, stride: i32| with_rows(offset, stride, 50);
        let expected = tk_sim::TensorMap {
            address: buffer.address() + 32,
            element: tk_sim::TensorElement::F16,
            sizes: vec![i32::MAX as u32, 50],
            strides: vec![208],
            block: vec![32, 64],
            element_strides: vec![1, 1],
            swizzle_bytes: 64,
            fill_nan: false,
        };
        let slots = with(32, 104).unwrap();
        assert_eq!((&slots[0], &slots[1]), (&Slot::Word(buffer.address() + 32), &Slot::Word(104)));
        assert_eq!(slots[3].bytes(128), tk_sim::encode_tensor_map(&expected).unwrap());
        // A map has a row, which the kernel does not ask for.
        let one_row = tk_sim::TensorMap { sizes: vec![i32::MAX as u32, 1], ..expected };
        let slots = with_rows(32, 104, -7).unwrap();
        assert_eq!(slots[3].bytes(128), tk_sim::encode_tensor_map(&one_row).unwrap());
        assert!(with(2, 104).unwrap_err().message.contains("argument `x`: its address was to be a multiple of 16"));
        for stride in [0, -104, 4, 100] {
            let error = with(32, stride).unwrap_err();
            assert!(error.message.contains(&format!("positive multiple of 16 bytes, and is {stride}")), "{error:?}");
        }
        assert!(packed(&kernel, &[Arg::Null]).unwrap_err().help.unwrap().contains("missing: stride, rows"));
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
