//! What the literals of command lines and signatures mean to a kernel; [`tk_grammar::literal`] reads them.

use tk_diag::{Result, SourceFile};
use tk_grammar::literal::{Literal, read_assignments, read_front, read_literal};
use tk_types::{ArgSpec, ConstValue, NamedConstant, ScalarType};

/// What a literal is as a compile-time constant. A name is a type where it names one (`tl.float16`, `fp16`), and a string otherwise.
pub fn constant_of(literal: &Literal) -> ConstValue {
    match literal {
        Literal::None => ConstValue::None,
        Literal::Bool(value) => ConstValue::Bool(*value),
        Literal::Int(value) => ConstValue::Int(*value),
        Literal::Float(value) => ConstValue::Float(*value),
        Literal::Str(text) => ConstValue::Str(text.clone()),
        Literal::Name(name) => {
            let member = ["tl.", "triton.language.", "torch."].into_iter().find_map(|module| name.strip_prefix(module));
            let ty = ScalarType::parse(member.unwrap_or(name)).filter(|_| name != "B");
            ty.map_or_else(|| ConstValue::Str(name.clone()), ConstValue::Dtype)
        }
        Literal::Tuple(items) => ConstValue::Tuple(items.iter().map(constant_of).collect()),
    }
}

/// The constant that a text is.
///
/// # Errors
/// What is no literal, with its place in the text.
pub fn read_constant(text: &str) -> Result<ConstValue> {
    read_literal(&SourceFile::new("the constant", text)).map(|literal| constant_of(&literal))
}

/// The constants that an option of the command line gives names: `A=1,S="x,y"`.
///
/// # Errors
/// What is no assignment or no literal, with its place in the text.
pub fn read_constants(option: &str, text: &str) -> Result<Vec<NamedConstant>> {
    let read = read_assignments(&SourceFile::new(option, text))?;
    Ok(read.into_iter().map(|one| NamedConstant::new(one.name, constant_of(&one.value))).collect())
}

/// The types of a launch signature: `*fp16:16,i32:16,i32=1`.
///
/// # Errors
/// A sentence that names the part that is wrong.
pub fn read_signature(text: &str) -> std::result::Result<Vec<ArgSpec>, String> {
    tk_types::parse_signature(text, &|rest| {
        let (literal, length) = read_front(&SourceFile::new("the signature", rest)).map_err(|error| error.message)?;
        Ok((constant_of(&literal), length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_python_literals() {
        let cases = [
            ("128", ConstValue::Int(128)),
            ("-3", ConstValue::Int(-3)),
            ("0x10", ConstValue::Int(16)),
            ("1e-5", ConstValue::Float(1e-5)),
            ("True", ConstValue::Bool(true)),
            ("None", ConstValue::None),
            ("tl.float16", ConstValue::Dtype(ScalarType::F16)),
            ("triton.language.float16", ConstValue::Dtype(ScalarType::F16)),
            ("bf16", ConstValue::Dtype(ScalarType::BF16)),
            ("B", ConstValue::Str("B".into())),
            ("'fp16'", ConstValue::Str("fp16".into())),
            ("\"x,y\"", ConstValue::Str("x,y".into())),
            ("relu", ConstValue::Str("relu".into())),
            ("", ConstValue::Str(String::new())),
            (
                "(1, 2.5, x)",
                ConstValue::Tuple(vec![ConstValue::Int(1), ConstValue::Float(2.5), ConstValue::Str("x".into())]),
            ),
            ("inf", ConstValue::Str("inf".into())),
            ("é", ConstValue::Str("é".into())),
        ];
        for (text, wanted) in cases {
            assert_eq!(read_constant(text).unwrap(), wanted, "{text}");
        }
    }

    #[test]
    fn constants_in_signatures_are_literals_too() {
        let specs = read_signature("*fp16:16,i32=0x10, =\"a,b\",fp32=-1.5,i1=True,=None,i32:32").unwrap();
        let printed: Vec<String> = specs.iter().map(ToString::to_string).collect();
        assert_eq!(printed, ["*fp16:16", "=16", "=\"a,b\"", "=-1.5", "=True", "=None", "i32:32"]);
        for (wrong, part) in [("i32=x", "i32"), ("i32=1.5", "1.5"), ("i32=1+1", "1+1"), ("*fp32=1", "*fp32")] {
            let error = read_signature(&format!("fp32,{wrong}")).unwrap_err();
            assert!(error.contains(part), "{wrong}: {error}");
        }
    }
}
