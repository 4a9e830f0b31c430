//! What a launch's values tell the compiler: the specialisation of arguments, with Triton's rules.
//!
//! | value | signature |
//! |---|---|
//! | integer 1 | fixed to 1, unless its type is annotated or the kernel opts out |
//! | other integer | `i32` if it fits, else `i64`, else `u64`; `:16` when a multiple of 16, `:32` to `:1024` where [`whole_blocks`] is asked |
//! | tensor | pointer to its element type; `:16` when its address is a multiple of 16 |
//! | tensor descriptor | element type, block shape and padding; sizes and strides are not looked at |
//! | float, bool | `fp32`, `i1`; never more is assumed |
//! | `None`, string, element type, jit function, `tl.constexpr` parameter | fixed to the value |
//!
//! An annotation such as `n: "i64"` fixes the type; the multiple of 16 is still noticed.
//! The rules are those of `python/triton/runtime/jit.py` and `specialize.cc` of Triton 3.9.

use tk_diag::{BAD_LAUNCH, Diagnostic, Result, UNSUPPORTED};
use tk_types::{ArgSpec, ArgType, Argument, ConstValue, DescriptorType, Facts, ScalarType, USUAL_MULTIPLE};

/// One value of a launch, as host code hands it over.
#[derive(Clone, Debug, PartialEq)]
pub enum LaunchValue {
    /// A tensor in device memory.
    Tensor {
        /// Element type.
        dtype: ScalarType,
        /// Address of its first element on the device.
        address: u64,
    },
    /// A tensor descriptor.
    Descriptor(DescriptorType),
    /// Anything that is not a tensor.
    Value(ConstValue),
    /// What is a constant whatever the parameter says.
    Constant(ConstValue),
}

/// What a kernel declares about one of its parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeclaredParam {
    /// Its name.
    pub name: String,
    /// The type of a string annotation: `"*fp32"`, `"i64"`.
    pub annotation: Option<ArgType>,
    /// What its annotation makes of it.
    pub role: ParamRole,
    /// What launches may assume of its values.
    pub specialisation: Specialisation,
}

/// What the annotation of a parameter makes of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParamRole {
    /// A run-time argument.
    #[default]
    Plain,
    /// `tl.const`: a pointer that may not be stored through.
    Const,
    /// `tl.constexpr`: a constant at compile time.
    Constexpr,
}

/// What a launch may assume of the values of a parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Specialisation {
    /// That it is 1, or a multiple of 16.
    #[default]
    Full,
    /// `do_not_specialize_on_alignment`: that it is 1; a multiple of 16 is not noticed.
    NotAlignment,
    /// `do_not_specialize`: nothing.
    Nothing,
}

/// The signature of a launch with these values, one entry per declared parameter.
pub fn specialise(values: &[LaunchValue], declared: &[DeclaredParam]) -> Result<Vec<Argument>> {
    if values.len() != declared.len() {
        let message = format!("the kernel declares {} parameters, but {} values came", declared.len(), values.len());
        return Err(Diagnostic::error(BAD_LAUNCH, message).boxed());
    }
    let one = |(value, param): (&LaunchValue, &DeclaredParam)| Ok(specialise_one(value, param)?.named(&param.name));
    values.iter().zip(declared).map(one).collect()
}

/// An argument that fills whole blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeBlocks {
    /// Which of the arguments it is.
    pub argument: usize,
    /// What is known of it then.
    pub facts: Facts,
}

/// The integers that fill whole blocks: positive multiples of 16 that are also multiples of a constexpr, which is the size of a block as
/// far as anyone can tell. So much is told apart for kernels only that are compiled otherwise for it.
pub fn whole_blocks(args: &[Argument], values: &[LaunchValue]) -> Vec<WholeBlocks> {
    let sizes = || args.iter().filter_map(block_size);
    let whole = |(argument, (arg, value)): (usize, (&Argument, &LaunchValue))| {
        let LaunchValue::Value(ConstValue::Int(value)) = value else { return None };
        let fitting = sizes().filter(|facts| arg.facts == Facts::USUAL && facts.hold_of(*value));
        fitting.max_by_key(|facts| facts.multiple_of).map(|facts| WholeBlocks { argument, facts })
    };
    args.iter().zip(values).enumerate().filter_map(whole).collect()
}

/// What is known of a number that fills blocks as long as this constant.
fn block_size(arg: &Argument) -> Option<Facts> {
    let ConstValue::Int(size) = arg.constant()? else { return None };
    Facts::positive_multiple(u32::try_from(*size).ok()?)
}

fn usual_facts(is_known: bool) -> Facts {
    if is_known { Facts::USUAL } else { Facts::NONE }
}

fn specialise_one(value: &LaunchValue, param: &DeclaredParam) -> Result<ArgSpec> {
    let constant = match value {
        LaunchValue::Tensor { dtype, address } => return tensor(*dtype, *address, param),
        LaunchValue::Descriptor(descriptor) => return described(descriptor, param),
        LaunchValue::Constant(constant) => return Ok(ArgSpec::constant(constant.clone())),
        LaunchValue::Value(constant) => constant,
    };
    if param.role == ParamRole::Constexpr {
        return Ok(ArgSpec::constant(constant.clone()));
    }
    if let Some(ArgType::Pointer { element, .. }) = &param.annotation
        && *constant != ConstValue::None
    {
        let message =
            format!("argument `{}` is annotated as a pointer to {element}, but the value is {constant}", param.name);
        return Err(Diagnostic::error(BAD_LAUNCH, message).help("pass a tensor").boxed());
    }
    match constant {
        ConstValue::Int(value) => integer(*value, param),
        ConstValue::Bool(_) => Ok(scalar(annotated_or(param, ScalarType::I1))),
        ConstValue::Float(_) => Ok(scalar(annotated_or(param, ScalarType::F32))),
        ConstValue::Tuple(items) => tuple(items, param),
        other => Ok(ArgSpec::constant(other.clone())),
    }
}

fn described(descriptor: &DescriptorType, param: &DeclaredParam) -> Result<ArgSpec> {
    let refuse = |message: String, help: &str| Err(Diagnostic::error(BAD_LAUNCH, message).help(help).boxed());
    if param.role == ParamRole::Constexpr {
        let message = format!("`{}` is a tl.constexpr parameter, but the launch gives a tensor descriptor", param.name);
        return refuse(message, "remove the annotation, or pass a constant");
    }
    match &param.annotation {
        Some(ArgType::Scalar(ty) | ArgType::Pointer { element: ty, .. }) => {
            let message =
                format!("argument `{}` is annotated with {ty}, but the launch gives a descriptor", param.name);
            refuse(message, "remove the annotation, or pass what it says")
        }
        _ => Ok(ArgSpec::of(ArgType::Descriptor(descriptor.clone()))),
    }
}

fn tensor(dtype: ScalarType, address: u64, param: &DeclaredParam) -> Result<ArgSpec> {
    if param.role == ParamRole::Constexpr {
        let message = format!("`{}` is a tl.constexpr parameter, but the launch gives a tensor", param.name);
        return Err(Diagnostic::error(BAD_LAUNCH, message).help("remove the annotation, or pass a constant").boxed());
    }
    let ty = match &param.annotation {
        Some(ty @ ArgType::Pointer { .. }) => ty.clone(),
        Some(ArgType::Scalar(ty)) => {
            let message = format!("argument `{}` is annotated as {ty}, but the launch gives a tensor", param.name);
            return Err(Diagnostic::error(BAD_LAUNCH, message).help("pass a number").boxed());
        }
        Some(ArgType::Descriptor(_)) => {
            let message =
                format!("argument `{}` is annotated as a descriptor, but the launch gives a tensor", param.name);
            return Err(Diagnostic::error(BAD_LAUNCH, message).help("pass a TensorDescriptor").boxed());
        }
        _ => ArgType::Pointer { element: dtype, constant: param.role == ParamRole::Const },
    };
    Ok(ArgSpec { ty, facts: usual_facts(address.is_multiple_of(USUAL_MULTIPLE.into()) && notices_alignment(param)) })
}

fn integer(value: i128, param: &DeclaredParam) -> Result<ArgSpec> {
    let facts = usual_facts(Facts::USUAL.hold_of(value) && notices_alignment(param));
    if let Some(ArgType::Scalar(ty)) = &param.annotation {
        // A float or bool parameter assumes nothing of an integer that is passed for it.
        let facts = if ty.is_signed_int() || ty.is_unsigned_int() { facts } else { Facts::NONE };
        return Ok(ArgSpec { ty: ArgType::Scalar(*ty), facts });
    }
    if value == 1 && param.specialisation != Specialisation::Nothing {
        return Ok(ArgSpec::constant(ConstValue::Int(1)));
    }
    let ty = if i32::try_from(value).is_ok() {
        ScalarType::I32
    } else if i64::try_from(value).is_ok() {
        ScalarType::I64
    } else if u64::try_from(value).is_ok() {
        ScalarType::U64
    } else {
        let message = format!("argument `{}`: {value} does not fit 64 bits", param.name);
        return Err(Diagnostic::error(BAD_LAUNCH, message).boxed());
    };
    Ok(ArgSpec { ty: ArgType::Scalar(ty), facts })
}

/// A tuple of constants is a constant. One with run-time parts has no signature of its own yet.
fn tuple(items: &[ConstValue], param: &DeclaredParam) -> Result<ArgSpec> {
    let is_run_time = |item: &ConstValue| {
        matches!(item, ConstValue::Int(value) if *value != 1)
            || matches!(item, ConstValue::Float(_) | ConstValue::Bool(_))
    };
    if items.iter().any(is_run_time) {
        let message = format!("argument `{}` is a tuple with run-time numbers", param.name);
        let help = "annotate the parameter with tl.constexpr, or pass its parts one by one";
        return Err(Diagnostic::error(UNSUPPORTED, message).help(help).boxed());
    }
    Ok(ArgSpec::constant(ConstValue::Tuple(items.to_vec())))
}

fn notices_alignment(param: &DeclaredParam) -> bool {
    param.specialisation == Specialisation::Full
}

fn annotated_or(param: &DeclaredParam, otherwise: ScalarType) -> ScalarType {
    match param.annotation {
        Some(ArgType::Scalar(ty)) => ty,
        _ => otherwise,
    }
}

fn scalar(ty: ScalarType) -> ArgSpec {
    ArgSpec::of(ArgType::Scalar(ty))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(name: &str) -> DeclaredParam {
        DeclaredParam { name: name.into(), ..DeclaredParam::default() }
    }

    fn annotated(ty: ArgType) -> DeclaredParam {
        DeclaredParam { annotation: Some(ty), ..plain("x") }
    }

    fn int(value: i128) -> LaunchValue {
        LaunchValue::Value(ConstValue::Int(value))
    }

    fn one(value: LaunchValue, param: DeclaredParam) -> String {
        match specialise(&[value], &[param]) {
            Ok(args) => args[0].spec().to_string(),
            Err(error) => error.message,
        }
    }

    #[test]
    fn integers_follow_their_value() {
        let cases: &[(i128, &str)] = &[
            (0, "i32:16"),
            (1, "=1"),
            (2, "i32"),
            (-1, "i32"),
            (-32, "i32:16"),
            (1024, "i32:16"),
            (i32::MAX.into(), "i32"),
            (1 << 31, "i64:16"),
            ((1 << 31) + 1, "i64"),
            (-(1 << 31), "i32:16"),
            (1 << 63, "u64:16"),
            (u64::MAX.into(), "u64"),
        ];
        for (value, expected) in cases {
            assert_eq!(one(int(*value), plain("x")), *expected, "{value}");
        }
        assert!(one(int(1 << 64), plain("x")).contains("64 bits"));
    }

    #[test]
    fn opting_out_leaves_the_type_alone() {
        let nothing = DeclaredParam { specialisation: Specialisation::Nothing, ..plain("x") };
        let alignment = DeclaredParam { specialisation: Specialisation::NotAlignment, ..plain("x") };
        let tensor = LaunchValue::Tensor { dtype: ScalarType::F16, address: 4096 };
        assert_eq!(one(int(1), nothing.clone()), "i32");
        assert_eq!(one(int(16), nothing.clone()), "i32");
        assert_eq!(one(tensor.clone(), nothing), "*fp16");
        assert_eq!(one(int(1), alignment.clone()), "=1");
        assert_eq!(one(int(16), alignment.clone()), "i32");
        assert_eq!(one(tensor, alignment), "*fp16");
    }

    #[test]
    fn annotations_fix_the_type() {
        assert_eq!(one(int(1), annotated(ArgType::Scalar(ScalarType::I64))), "i64");
        assert_eq!(one(int(32), annotated(ArgType::Scalar(ScalarType::I64))), "i64:16");
        assert_eq!(one(int(32), annotated(ArgType::Scalar(ScalarType::F32))), "fp32");
        let pointer = ArgType::Pointer { element: ScalarType::F32, constant: false };
        let tensor = LaunchValue::Tensor { dtype: ScalarType::F32, address: 8 };
        assert_eq!(one(tensor.clone(), annotated(pointer.clone())), "*fp32");
        assert!(one(int(3), annotated(pointer)).contains("annotated as a pointer"));
        assert!(one(tensor, annotated(ArgType::Scalar(ScalarType::I32))).contains("annotated as i32"));
    }

    #[test]
    fn descriptors_are_known_by_their_blocks() {
        let ty = DescriptorType { element: ScalarType::F16, block: vec![128, 64], pad_nan: true, ragged: false };
        let value = LaunchValue::Descriptor(ty);
        assert_eq!(one(value.clone(), plain("x")), "tensordesc<fp16[128,64],nan>");
        assert!(
            one(value.clone(), DeclaredParam { role: ParamRole::Constexpr, ..plain("x") }).contains("tl.constexpr")
        );
        assert!(one(value, annotated(ArgType::Scalar(ScalarType::I32))).contains("annotated with i32"));
    }

    #[test]
    fn whole_blocks_are_noticed() {
        let sizes =
            [64, 256, 48, 4096].map(|size| (int(size), DeclaredParam { role: ParamRole::Constexpr, ..plain("B") }));
        let numbers = [512, 192, 80, 0, -512, 8, 100].map(|number| (int(number), plain("n")));
        let (values, params): (Vec<_>, Vec<_>) = sizes.into_iter().chain(numbers).unzip();
        let mut args = specialise(&values, &params).unwrap();
        whole_blocks(&args, &values).into_iter().for_each(|whole| args[whole.argument].facts = whole.facts);
        let texts: Vec<String> = args[4..].iter().map(|arg| arg.spec().to_string()).collect();
        assert_eq!(texts, ["i32:256", "i32:64", "i32:16", "i32:16", "i32:16", "i32", "i32"]);
    }

    #[test]
    fn other_values_follow_the_table() {
        let value = |constant| LaunchValue::Value(constant);
        assert_eq!(one(value(ConstValue::Bool(true)), plain("x")), "i1");
        assert_eq!(one(value(ConstValue::Float(1.0)), plain("x")), "fp32");
        assert_eq!(one(value(ConstValue::None), plain("x")), "=None");
        assert_eq!(one(value(ConstValue::Str("relu".into())), plain("x")), "=\"relu\"");
        let constexpr = DeclaredParam { role: ParamRole::Constexpr, ..plain("BLOCK") };
        assert_eq!(one(int(128), constexpr.clone()), "=128");
        let tensor = LaunchValue::Tensor { dtype: ScalarType::BF16, address: 2 };
        assert!(one(tensor.clone(), constexpr).contains("tl.constexpr"));
        assert_eq!(one(tensor, DeclaredParam { role: ParamRole::Const, ..plain("x") }), "*kbf16");
        assert!(specialise(&[int(1)], &[]).is_err());
        let tuple = ConstValue::Tuple(vec![ConstValue::Int(4)]);
        assert!(one(value(tuple), plain("x")).contains("tuple"));
    }
}
