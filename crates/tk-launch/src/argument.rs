//! Launch arguments: what a caller passes, checked against the kernel's parameters and packed for the device.

use crate::Buffer;
use tk_diag::{BAD_LAUNCH, Diagnostic, Result};
use tk_types::{ImageParam, KernelImage, ScalarKind, ScalarType};

/// One run-time argument of a launch, in the order of [`KernelImage::params`].
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// The address this many bytes into a buffer.
    Buffer(&'a Buffer, usize),
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

/// The numbers a scalar argument can carry.
enum Number {
    Bool(bool),
    Int(i128),
    Float(f64),
}

/// Packs arguments into one 8-byte little-endian slot per entry parameter; hidden parameters are null.
pub(crate) fn pack(image: &KernelImage, hidden: usize, args: &[Arg<'_>]) -> Result<Vec<u64>> {
    if args.len() != image.params.len() {
        return Err(wrong_count(image, args.len()));
    }
    let mut slots = Vec::with_capacity(args.len() + hidden);
    for (param, arg) in image.params.iter().zip(args) {
        slots.push(pack_one(image, param, arg)?);
    }
    slots.resize(args.len() + hidden, 0);
    Ok(slots)
}

fn wrong_count(image: &KernelImage, got: usize) -> Box<Diagnostic> {
    let names: Vec<&str> = image.params.iter().map(|param| param.name.as_str()).collect();
    let message = format!("`{}` takes {} run-time arguments, but the launch gives {got}", image.entry, names.len());
    let diagnostic = Diagnostic::error(BAD_LAUNCH, message);
    match names.get(got..) {
        Some(missing) if !missing.is_empty() => diagnostic.help(format!("missing: {}", missing.join(", "))).boxed(),
        _ => diagnostic.help(format!("the arguments are: {}", names.join(", "))).boxed(),
    }
}

fn pack_one(image: &KernelImage, param: &ImageParam, arg: &Arg<'_>) -> Result<u64> {
    let refuse = |message: String| {
        Err(Diagnostic::error(BAD_LAUNCH, format!("`{}`, argument `{}`: {message}", image.entry, param.name)).boxed())
    };
    let number = match (param.scalar, *arg) {
        (None, Arg::Null) => return Ok(0),
        (None, Arg::Buffer(buffer, offset)) if offset <= buffer.len() => return Ok(buffer.address() + offset as u64),
        (None, Arg::Buffer(buffer, offset)) => {
            return refuse(format!("byte {offset} is past the end of a buffer of {} bytes", buffer.len()));
        }
        (None, _) => return refuse("the kernel takes a pointer, not a number; pass a tensor".into()),
        (Some(ty), Arg::Buffer(..) | Arg::Null) => return refuse(format!("the kernel takes a {ty}, not a tensor")),
        (Some(ty), Arg::Scalar(given, bits)) if given == ty => return Ok(bits & low_bits(ty.bytes() * 8)),
        (Some(ty), Arg::Scalar(given, bits)) => match number_of(given, bits) {
            Some(number) => number,
            None => return refuse(format!("the kernel takes a {ty}, not a {given}")),
        },
        (Some(_), Arg::Bool(value)) => Number::Bool(value),
        (Some(_), Arg::I32(value)) => Number::Int(value.into()),
        (Some(_), Arg::I64(value)) => Number::Int(value.into()),
        (Some(_), Arg::F32(value)) => Number::Float(value.into()),
        (Some(_), Arg::F64(value)) => Number::Float(value),
    };
    let Some(ty) = param.scalar else { return Err(Diagnostic::bug("a pointer took a number").boxed()) };
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

    fn image(types: &[Option<ScalarType>]) -> KernelImage {
        let param = |(i, scalar): (usize, &Option<ScalarType>)| ImageParam {
            name: format!("p{i}"),
            scalar: *scalar,
            pointee: None,
        };
        KernelImage {
            entry: "k".into(),
            ptx: String::new(),
            cubin: None,
            params: types.iter().enumerate().map(param).collect(),
            num_warps: 4,
            num_ctas: 1,
            shared_bytes: 0,
            target: "sm_90a".into(),
            resources: Default::default(),
        }
    }

    fn pack_scalar(ty: ScalarType, arg: Arg<'_>) -> Result<u64, String> {
        pack(&image(&[Some(ty)]), 0, &[arg]).map(|slots| slots[0]).map_err(|diagnostic| diagnostic.message)
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
        let two = image(&[None, Some(ScalarType::I32)]);
        let error = pack(&two, 0, &[Arg::Null]).unwrap_err();
        assert_eq!((error.code.slug, error.help.as_deref()), ("bad-launch", Some("missing: p1")));
        assert!(pack(&two, 0, &[Arg::I32(1), Arg::I32(1)]).unwrap_err().message.contains("takes a pointer"));
        assert!(pack(&two, 0, &[Arg::Null, Arg::Null]).unwrap_err().message.contains("not a tensor"));
        assert_eq!(pack(&two, 2, &[Arg::Null, Arg::I32(5)]).unwrap(), [0, 5, 0, 0]);
    }
}
