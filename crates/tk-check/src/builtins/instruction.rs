//! Functions of libdevice that are one instruction, or a few: arithmetic and conversions with a rounding mode, and bits.
//!
//! Their names say what they do: `add_rz` adds and rounds toward zero, `double2ll_ru` converts upward. All are exact, or rounded
//! once as they say.

use crate::builtin::{Args, Builtin, function};
use crate::checked::{Element, OpKind, Type};
use crate::context::Context;
use crate::error::R;
use crate::value::Placed;
use crate::value::Val;
use tk_types::ScalarType;
use tk_types::ScalarType::{F32, F64, I32, I64, U32, U64};

/// Functions of one, two and three arguments.
macro_rules! of {
    ($params:expr; $($name:literal)*) => { [$(function($name, $params, run)),*] };
}

const ONE: &[Builtin] = &of!(&["x"];
    "rcp_rz" "rcp_rd" "rcp_ru" "sqrt_rz" "sqrt_rd" "sqrt_ru"
    "double2float_rn" "double2float_rz" "double2float_rd" "double2float_ru"
    "double2int_rn" "double2int_rz" "double2int_rd" "double2int_ru"
    "double2uint_rn" "double2uint_rz" "double2uint_rd" "double2uint_ru"
    "double2ll_rn" "double2ll_rz" "double2ll_rd" "double2ll_ru"
    "double2ull_rn" "double2ull_rz" "double2ull_rd" "double2ull_ru"
    "float2int_rn" "float2int_rz" "float2int_rd" "float2int_ru"
    "float2uint_rn" "float2uint_rz" "float2uint_rd" "float2uint_ru"
    "float2ll_rn" "float2ll_rz" "float2ll_rd" "float2ll_ru"
    "float2ull_rn" "float2ull_rz" "float2ull_rd" "float2ull_ru"
    "int2float_rn" "int2float_rz" "int2float_rd" "int2float_ru"
    "uint2float_rn" "uint2float_rz" "uint2float_rd" "uint2float_ru"
    "ll2float_rn" "ll2float_rz" "ll2float_rd" "ll2float_ru"
    "ull2float_rn" "ull2float_rz" "ull2float_rd" "ull2float_ru"
    "int2double_rn" "uint2double_rn"
    "ll2double_rn" "ll2double_rz" "ll2double_rd" "ll2double_ru"
    "ull2double_rn" "ull2double_rz" "ull2double_rd" "ull2double_ru"
    "double2loint" "double2hiint" "clz" "popc" "brev" "ffs" "llrint" "rcp64h"
);
const TWO: &[Builtin] = &of!(&["x", "y"];
    "add_rz" "add_rd" "add_ru" "sub_rz" "sub_rd" "sub_ru" "mul_rz" "mul_rd" "mul_ru" "div_rz" "div_rd" "div_ru"
    "hiloint2double" "mulhi" "mul24" "hadd" "rhadd"
);
const THREE: &[Builtin] = &of!(&["x", "y", "z"]; "fma_rz" "fma_rd" "fma_ru" "byte_perm" "sad");

pub(crate) const TABLES: [&[Builtin]; 3] = [ONE, TWO, THREE];

/// One form of a function: PTX for arguments of these types.
struct Form {
    inputs: Vec<ScalarType>,
    output: ScalarType,
    asm: String,
}

fn form(inputs: &[ScalarType], output: ScalarType, asm: impl Into<String>) -> Form {
    Form { inputs: inputs.to_vec(), output, asm: asm.into() }
}

fn suffix(ty: ScalarType) -> &'static str {
    match ty {
        F32 => "f32",
        F64 => "f64",
        I32 => "s32",
        U32 => "u32",
        I64 => "s64",
        _ => "u64",
    }
}

/// The type that a conversion's name calls this.
fn named_type(word: &str) -> Option<ScalarType> {
    Some(match word {
        "float" => F32,
        "double" => F64,
        "int" => I32,
        "uint" => U32,
        "ll" => I64,
        "ull" => U64,
        _ => return None,
    })
}

/// The forms of a function by its name.
fn forms(name: &str) -> Vec<Form> {
    let Some((stem, mode)) = name.rsplit_once('_').filter(|(_, mode)| matches!(*mode, "rn" | "rz" | "rd" | "ru"))
    else {
        return bit_forms(name);
    };
    // PTX calls rounding down and up `rm` and `rp`, for minus and plus.
    let mode = match mode {
        "rd" => "rm",
        "ru" => "rp",
        other => other,
    };
    if let Some((from, to)) = stem.split_once('2')
        && let (Some(from), Some(to)) = (named_type(from), named_type(to))
    {
        let integral = if to.is_int() { "i" } else { "" };
        let asm = format!("cvt.{mode}{integral}.{}.{} $0, $1;", suffix(to), suffix(from));
        return vec![form(&[from], to, asm)];
    }
    let (count, operands) = match stem {
        "rcp" | "sqrt" => (1, "$1"),
        "fma" => (3, "$1, $2, $3"),
        _ => (2, "$1, $2"),
    };
    let one = |ty: ScalarType| form(&vec![ty; count], ty, format!("{stem}.{mode}.{} $0, {operands};", suffix(ty)));
    vec![one(F32), one(F64)]
}

fn bit_forms(name: &str) -> Vec<Form> {
    let both = |a: (ScalarType, &str), b: (ScalarType, &str), output: Option<ScalarType>| {
        [a, b].map(|(ty, asm)| form(&[ty], output.unwrap_or(ty), asm)).into()
    };
    match name {
        "clz" => both((I32, "clz.b32 $0, $1;"), (I64, "clz.b64 $0, $1;"), Some(I32)),
        "popc" => both((I32, "popc.b32 $0, $1;"), (I64, "popc.b64 $0, $1;"), Some(I32)),
        "brev" => both((I32, "brev.b32 $0, $1;"), (I64, "brev.b64 $0, $1;"), None),
        "ffs" => {
            // The lowest set bit alone; its leading zeros count from the other end, and zero has all of them.
            let text = |bits: u32| {
                format!(
                    "{{ .reg .b{bits} t; .reg .b32 n; neg.s{bits} t, $1; and.b{bits} t, t, $1; clz.b{bits} n, t; \
                     sub.s32 $0, {bits}, n; }}"
                )
            };
            vec![form(&[I32], I32, text(32)), form(&[I64], I32, text(64))]
        }
        "llrint" => both((F32, "cvt.rni.s64.f32 $0, $1;"), (F64, "cvt.rni.s64.f64 $0, $1;"), Some(I64)),
        "rcp64h" => vec![form(&[F64], F64, "rcp.approx.ftz.f64 $0, $1;")],
        "double2loint" => vec![form(&[F64], I32, "{ .reg .b32 t; mov.b64 {$0, t}, $1; }")],
        "double2hiint" => vec![form(&[F64], I32, "{ .reg .b32 t; mov.b64 {t, $0}, $1; }")],
        "hiloint2double" => vec![form(&[I32, I32], F64, "mov.b64 $0, {$2, $1};")],
        "mulhi" => {
            [I32, U32, I64, U64].map(|ty| form(&[ty, ty], ty, format!("mul.hi.{} $0, $1, $2;", suffix(ty)))).into()
        }
        "mul24" => [I32, U32].map(|ty| form(&[ty, ty], ty, format!("mul24.lo.{} $0, $1, $2;", suffix(ty)))).into(),
        "hadd" => halves("and", "add"),
        "rhadd" => halves("or", "sub"),
        "byte_perm" => vec![form(&[I32, I32, I32], I32, "prmt.b32 $0, $1, $2, $3;")],
        "sad" => vec![
            form(&[I32, I32, U32], I32, "sad.s32 $0, $1, $2, $3;"),
            form(&[U32, U32, U32], U32, "sad.u32 $0, $1, $2, $3;"),
        ],
        _ => Vec::new(),
    }
}

/// The mean of two integers without overflow: what they share plus (or minus) half of what they do not.
fn halves(shared: &str, combine: &str) -> Vec<Form> {
    let one = |ty: ScalarType| {
        let asm = format!(
            "{{ .reg .b32 x, y; xor.b32 x, $1, $2; shr.{0} x, x, 1; {shared}.b32 y, $1, $2; {combine}.{0} $0, y, x; }}",
            suffix(ty)
        );
        form(&[ty, ty], ty, asm)
    };
    vec![one(I32), one(U32)]
}

fn constraint(ty: ScalarType) -> &'static str {
    match ty {
        F32 => "f",
        F64 => "d",
        I32 | U32 => "r",
        _ => "l",
    }
}

/// Whether an argument of one type may be given where a form takes another: itself, or a narrower one of its kind.
fn accepts(wanted: ScalarType, given: ScalarType) -> bool {
    wanted == given
        || wanted.is_float() && given.is_float() && given.bits() <= wanted.bits()
        || wanted.is_int() && given.is_int() && given.bits() <= wanted.bits()
}

fn run<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let name = args.builtin.name;
    let mut inputs = Vec::with_capacity(args.slots.len());
    for arg in args.all() {
        inputs.push(cx.value_of(&format!("an argument of `{name}`"), &arg)?);
    }
    let given: Vec<Option<ScalarType>> = inputs.iter().map(|value| cx.builder.ty(*value).number()).collect();
    let forms = forms(name);
    let exact = |form: &&Form| form.inputs.iter().zip(&given).all(|(wanted, given)| Some(*wanted) == *given);
    let close =
        |form: &&Form| form.inputs.iter().zip(&given).all(|(wanted, given)| given.is_some_and(|g| accepts(*wanted, g)));
    let Some(form) = forms.iter().find(exact).or_else(|| forms.iter().find(close)) else {
        let list = |form: &Form| form.inputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let known: Vec<String> = forms.iter().map(|form| format!("({})", list(form))).collect();
        let found: Vec<String> = inputs.iter().map(|value| cx.builder.ty(*value).to_string()).collect();
        let message = format!("`{name}` does not take ({})", found.join(", "));
        let help = format!("It takes {}; cast with `.to(…)`.", known.join(" or "));
        return Err(cx.error(tk_diag::TYPE_MISMATCH, args.span, message, "").help(help).into());
    };
    for (input, wanted) in inputs.iter_mut().zip(&form.inputs) {
        *input = cx.cast_scalar(*input, *wanted, args.span)?;
    }
    for i in 1..inputs.len() {
        let lead = inputs[0];
        inputs[0] =
            cx.broadcast_pair(&format!("`{name}`"), Placed::new(lead, args.span), Placed::new(inputs[i], args.span))?.0;
    }
    let shape = cx.builder.ty(inputs[0]).shape.clone();
    for input in &mut inputs {
        *input = cx.builder.broadcast(*input, &shape);
    }
    let mut constraints = format!("={}", constraint(form.output));
    for input in &form.inputs {
        constraints.push(',');
        constraints.push_str(constraint(*input));
    }
    let kind = OpKind::InlineAsm { asm: form.asm.clone(), constraints, pure: true, pack: 1 };
    Ok(Val::Value(cx.builder.emit(kind, &inputs, Type { element: Element::Scalar(form.output), shape })))
}
