//! The text form of launch signatures, read and printed: `*fp16:16,i32:16,i32=1,fp32`.

use crate::argument::{ArgSpec, ArgType, Argument, DescriptorType};
use crate::facts::{Facts, MOST_MULTIPLE};
use crate::{ConstValue, ScalarType};

/// Parses `*fp16:16,i32:16,i32=1,tensordesc<fp16[128,64]>`: the run-time arguments in order. `:16` marks a multiple of 16, `:32` to
/// `:1024` a positive multiple of that power of two, `=1` a fixed value; a descriptor that pads with NaN is `tensordesc<fp16[128,64],nan>`, and one of a tensor whose last size is no multiple of
/// 16 bytes `tensordesc<fp16[128,64],ragged>`.
/// The error is a sentence that names the part that is wrong.
pub fn parse_signature(text: &str) -> Result<Vec<ArgSpec>, String> {
    parts(text).into_iter().map(str::trim).filter(|part| !part.is_empty()).map(parse_arg).collect()
}

/// The text between the commas outside brackets.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'[' => depth += 1,
            b'>' | b']' => depth -= 1,
            b',' if depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
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
    if let Some((ty, value)) = part.split_once('=') {
        scalar(ty, part)?;
        let value =
            value.trim().parse::<i128>().map_err(|_| format!("`{part}`: the value after `=` is not an integer"))?;
        return Ok(ArgSpec::constant(ConstValue::Int(value)));
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

    #[test]
    fn signatures_print_as_they_parse() {
        let args = parse_signature("*fp16:16, i32:16,*kbf16,fp32,i64:256").unwrap();
        let printed: Vec<String> = args.iter().map(ToString::to_string).collect();
        assert_eq!(printed.join(","), "*fp16:16,i32:16,*kbf16,fp32,i64:256");
        assert!(args[4].facts.is_positive && !args[0].facts.is_positive && !args[1].facts.is_positive);
        assert_eq!(parse_signature("i32=1").unwrap()[0].ty, ArgType::Constexpr(ConstValue::Int(1)));
        let args = parse_signature("i32,tensordesc<fp16[128, 64]>, tensordesc<u8[16],nan>,tensordesc<fp16[8],nan,ragged>,tensordesc<fp16[8],ragged>,*fp32").unwrap();
        let printed: Vec<String> = args.iter().map(ToString::to_string).collect();
        assert_eq!(
            printed.join(" "),
            "i32 tensordesc<fp16[128,64]> tensordesc<u8[16],nan> tensordesc<fp16[8],nan,ragged> tensordesc<fp16[8],ragged> *fp32"
        );
        for wrong in
            ["", "fp16", "fp16[", "fp16[]>", "fp16[a]>", "fp16[1,2,3,4,5,6]>", "fp16[0]>", "x[4]>", "fp16[4],one>"]
        {
            assert!(parse_signature(&format!("i32,tensordesc<{wrong}")).is_err(), "{wrong}");
        }
        assert!(parse_signature("*fp17").unwrap_err().contains("fp17"));
        for wrong in ["i32:8", "i32:48", "i32:2048", "i32:-16", "i32:", "i32:99999999999"] {
            assert!(parse_signature(wrong).unwrap_err().contains(":16"), "{wrong}");
        }
    }
}
