//! The text form of launch signatures, read and printed: `*fp16:16,i32:16,i32=1,fp32`.

use crate::argument::{ArgSpec, ArgType, Argument, DescriptorType};
use crate::facts::{Facts, MOST_MULTIPLE};
use crate::{ConstValue, ScalarKind, ScalarType};

/// Reads the literal at the front of a text, up to a comma or the end: the constant, and the length of its text. The error is a sentence.
pub type LiteralReader<'r> = &'r dyn Fn(&str) -> Result<(ConstValue, usize), String>;

/// Parses `*fp16:16,i32:16,i32=1,tensordesc<fp16[128,64]>`: the run-time arguments in order. `:16` marks a multiple of 16, `:32` to
/// `:1024` a positive multiple of that power of two, `=1` a fixed value, with its type in front or without; a descriptor that pads with NaN
/// is `tensordesc<fp16[128,64],nan>`, and one of a tensor whose last size is no multiple of 16 bytes `tensordesc<fp16[128,64],ragged>`.
/// `literal` reads the fixed values.
///
/// # Errors
/// A sentence that names the part that is wrong.
pub fn parse_signature(text: &str, literal: LiteralReader<'_>) -> Result<Vec<ArgSpec>, String> {
    let (mut rest, mut specs) = (text, Vec::new());
    while !rest.is_empty() {
        let end = end_of_type(rest);
        let (part, mut after) = (rest[..end].trim(), &rest[end..]);
        if let Some(value) = after.strip_prefix('=') {
            let (constant, length) = literal(value)?;
            check_constant(part, &constant, value[..length].trim())?;
            specs.push(ArgSpec::constant(constant));
            after = &value[length..];
        } else if !part.is_empty() {
            specs.push(parse_arg(part)?);
        }
        rest = after.strip_prefix(',').unwrap_or_default();
    }
    Ok(specs)
}

/// Where a type ends: at a comma outside brackets, at `=`, or with the text.
fn end_of_type(text: &str) -> usize {
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'[' => depth += 1,
            b'>' | b']' => depth -= 1,
            b',' | b'=' if depth <= 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// Whether a constant is one of the type in front of it, which may be left out.
fn check_constant(ty: &str, constant: &ConstValue, text: &str) -> Result<(), String> {
    if ty.is_empty() {
        return Ok(());
    }
    let ty = scalar(ty, &format!("{ty}={text}"))?;
    let is_one = match constant {
        ConstValue::Bool(_) => ty.kind() == ScalarKind::Bool,
        ConstValue::Int(_) => true,
        ConstValue::Float(_) => ty.is_float(),
        ConstValue::None
        | ConstValue::Str(_)
        | ConstValue::Dtype(_)
        | ConstValue::Tuple(_)
        | ConstValue::Function(_) => false,
    };
    if is_one { Ok(()) } else { Err(format!("`{ty}={text}`: {text} is no {ty}; leave the type out before `=`")) }
}

impl ArgType {
    /// The type that a text names: `*fp32`, `i64`, `tensordesc<fp16[128,64]>`. Nothing for other texts.
    pub fn parse(text: &str) -> Option<Self> {
        parse_arg(text.trim()).ok().map(|spec| spec.ty)
    }
}

/// Most dimensions of a tensor descriptor.
const MAX_RANK: usize = 5;

fn parse_descriptor(inner: &str, part: &str) -> Result<DescriptorType, String> {
    let wrong = || {
        format!("`{part}`: a descriptor is written tensordesc<fp16[128,64]>; `,nan` or `,ragged` may follow the block")
    };
    let (element, rest) = inner.strip_suffix('>').and_then(|inner| inner.split_once('[')).ok_or_else(wrong)?;
    let (sizes, rest) = rest.split_once(']').ok_or_else(wrong)?;
    let (mut pad_nan, mut ragged) = (false, false);
    let mut words = rest.split(',').map(str::trim);
    if words.next() != Some("") {
        return Err(wrong());
    }
    for word in words {
        match word {
            "zero" => pad_nan = false,
            "nan" => pad_nan = true,
            "ragged" => ragged = true,
            _ => return Err(wrong()),
        }
    }
    let block: Vec<u32> =
        sizes.split(',').map(|size| size.trim().parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
    if block.len() > MAX_RANK || block.contains(&0) {
        return Err(format!("`{part}`: a block has 1 to {MAX_RANK} dimensions of at least one element"));
    }
    Ok(DescriptorType { element: scalar(element, part)?, block, pad_nan, ragged })
}

fn parse_arg(part: &str) -> Result<ArgSpec, String> {
    if let Some(inner) = part.strip_prefix("tensordesc<") {
        return Ok(ArgSpec::of(ArgType::Descriptor(parse_descriptor(inner, part)?)));
    }
    let (ty, suffix) = match part.split_once(':') {
        None => (part, None),
        Some((ty, suffix)) => (ty, Some(suffix)),
    };
    let ty = match ty.strip_prefix('*') {
        Some(element) => {
            let (element, constant) = match element.strip_prefix('k') {
                Some(rest) => (rest, true),
                None => (element, false),
            };
            ArgType::Pointer { element: scalar(element, part)?, constant }
        }
        None => ArgType::Scalar(scalar(ty, part)?),
    };
    let facts = match suffix {
        None => Facts::NONE,
        Some(suffix) => parse_facts(suffix, matches!(ty, ArgType::Scalar(_))).ok_or_else(|| {
            format!("`{part}`: `:16`, `:32` and so on to `:{MOST_MULTIPLE}` may follow a type, not `:{suffix}`")
        })?,
    };
    Ok(ArgSpec { ty, facts })
}

/// What the number behind the `:` of a type says.
fn parse_facts(suffix: &str, is_number: bool) -> Option<Facts> {
    Facts::from_suffix(suffix.parse().ok()?, is_number)
}

fn scalar(name: &str, part: &str) -> Result<ScalarType, String> {
    ScalarType::parse(name.trim()).ok_or_else(|| format!("`{part}`: `{name}` is not a type; write fp16, bf16, fp32, fp64, i1, i8 to i64, u8 to u64, or `*` before one of them"))
}

impl std::fmt::Display for ArgSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.ty {
            ArgType::Scalar(ty) => write!(f, "{ty}")?,
            ArgType::Pointer { element, constant } => write!(f, "*{}{element}", if *constant { "k" } else { "" })?,
            ArgType::Descriptor(descriptor) => write!(f, "{descriptor}")?,
            ArgType::Constexpr(value) => write!(f, "={value}")?,
        }
        if self.facts.multiple_of > 1 { write!(f, ":{}", self.facts.multiple_of) } else { Ok(()) }
    }
}

/// With the name in front: `x: *fp16:16`.
impl std::fmt::Display for Argument {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.spec())
    }
}

impl std::fmt::Display for DescriptorType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes: Vec<String> = self.block.iter().map(u32::to_string).collect();
        let padding = if self.pad_nan { ",nan" } else { "" };
        let ragged = if self.ragged { ",ragged" } else { "" };
        write!(f, "tensordesc<{}[{}]{padding}{ragged}>", self.element, sizes.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads integers; what reads all literals is tested where it is.
    fn parse(text: &str) -> Result<Vec<ArgSpec>, String> {
        parse_signature(text, &|rest| {
            let end = rest.find(',').unwrap_or(rest.len());
            let value = rest[..end].parse().map_err(|_| format!("`{rest}` is no integer"))?;
            Ok((ConstValue::Int(value), end))
        })
    }

    #[test]
    fn signatures_print_as_they_parse() {
        let args = parse("*fp16:16, i32:16,*kbf16,fp32,i64:256").unwrap();
        let printed: Vec<String> = args.iter().map(ToString::to_string).collect();
        assert_eq!(printed.join(","), "*fp16:16,i32:16,*kbf16,fp32,i64:256");
        assert!(args[4].facts.is_positive && !args[0].facts.is_positive && !args[1].facts.is_positive);
        assert_eq!(parse("i32=1,fp16").unwrap()[0].ty, ArgType::Constexpr(ConstValue::Int(1)));
        assert_eq!(ArgType::parse(" *kfp32 ").map(|ty| ArgSpec::of(ty).to_string()), Some("*kfp32".to_string()));
        assert_eq!((ArgType::parse("i32=1"), ArgType::parse("tl.constexpr")), (None, None));
        let args = parse("i32,tensordesc<fp16[128, 64]>, tensordesc<u8[16],nan>,tensordesc<fp16[8],nan,ragged>,tensordesc<fp16[8],ragged>,*fp32").unwrap();
        let printed: Vec<String> = args.iter().map(ToString::to_string).collect();
        assert_eq!(
            printed.join(" "),
            "i32 tensordesc<fp16[128,64]> tensordesc<u8[16],nan> tensordesc<fp16[8],nan,ragged> tensordesc<fp16[8],ragged> *fp32"
        );
        for wrong in
            ["", "fp16", "fp16[", "fp16[]>", "fp16[a]>", "fp16[1,2,3,4,5,6]>", "fp16[0]>", "x[4]>", "fp16[4],one>"]
        {
            assert!(parse(&format!("i32,tensordesc<{wrong}")).is_err(), "{wrong}");
        }
        assert!(parse("*fp17").unwrap_err().contains("fp17"));
        for wrong in ["i32:8", "i32:48", "i32:2048", "i32:-16", "i32:", "i32:99999999999"] {
            assert!(parse(wrong).unwrap_err().contains(":16"), "{wrong}");
        }
    }
}
