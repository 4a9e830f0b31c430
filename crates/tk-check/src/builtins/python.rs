//! Python's own functions and those of the packages `triton` and `math`.

use super::{debug, math};
use crate::builtin::calling;
use crate::builtin::{Args, Builtin, function};
use crate::checked::{Element, Value};
use crate::context::Context;
use crate::context::Extremum;
use crate::error::{R, Stop};
use crate::interpreter::Interpreter;
use crate::modules::module_member;
use crate::value::ModuleKind;
use crate::value::RecordClass;
use crate::value::{Class, Number, Spanned, Val};
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::BinaryOp;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    function("range", debug::RANGE, debug::range),
    function("len", &["x"], len),
    function("min", &["*args", "propagate_nan?"], |c, a| extremum(c, a, Extremum::Least)),
    function("max", &["*args", "propagate_nan?"], |c, a| extremum(c, a, Extremum::Greatest)),
    function("abs", &["x"], abs),
    function("int", &["x"], |c, a| convert(c, a, Class::Int)),
    function("float", &["x"], |c, a| convert(c, a, Class::Float)),
    function("bool", &["x"], |c, a| convert(c, a, Class::Bool)),
    function("print", &["*values"], print),
    function("isinstance", &["x", "kind"], isinstance),
    calling("hasattr", &["x", "name"], hasattr),
    calling("getattr", &["x", "name", "default?"], getattr),
    function("enumerate", &["items", "start?"], enumerate),
    function("zip", &["*args"], zip),
    function("reversed", &["items"], |c, a| {
        c.static_items(&a.value("items")).map(|items| Val::tuple(items.iter().rev().cloned().collect::<Vec<_>>()))
    }),
    function("round", &["x"], round),
    function("bin", &["x"], |c, a| digits(c, a, |sign, n| format!("{sign}{n:#b}"))),
    function("hex", &["x"], |c, a| digits(c, a, |sign, n| format!("{sign}{n:#x}"))),
    function("oct", &["x"], |c, a| digits(c, a, |sign, n| format!("{sign}{n:#o}"))),
    function("sum", &["items"], sum),
    function("any", &["items"], |c, a| truths(c, a).map(|truths| Val::Bool(truths.contains(&true)))),
    function("all", &["items"], |c, a| truths(c, a).map(|truths| Val::Bool(!truths.contains(&false)))),
    function("pow", &["x", "y"], |c, a| c.binary(BinaryOp::Pow, &a.value("x"), &a.value("y"))),
    function("divmod", &["x", "y"], |c, a| {
        let quotient = c.binary(BinaryOp::FloorDiv, &a.value("x"), &a.value("y"))?;
        Ok(Val::tuple(vec![quotient, c.binary(BinaryOp::Mod, &a.value("x"), &a.value("y"))?]))
    }),
];

/// A number as text, from its sign and its magnitude.
fn digits<'a>(cx: &mut Context, args: &Args<'a>, written: fn(&str, u128) -> String) -> R<Val<'a>> {
    let number = cx.constant_int("the number", &args.value("x"))?;
    Ok(Val::str(&written(if number < 0 { "-" } else { "" }, number.unsigned_abs())))
}

const IMPORTED: &[Builtin] = &[
    function("namedtuple", &["typename", "field_names"], |c, a| named_tuple(c, a, "field_names")),
    function("NamedTuple", &["typename", "fields"], |c, a| named_tuple(c, a, "fields")),
];

/// `n.bit_length()`: the bits of the magnitude.
pub(crate) static BIT_LENGTH: Builtin = function("bit_length", &["x"], |c, a| {
    let number = c.constant_int("the number of `bit_length`", &a.value("x"))?;
    Ok(Val::Int((128 - number.unsigned_abs().leading_zeros()).into()))
});

/// A function of Python's standard library that kernels' files import: of `collections` and `typing`.
pub(crate) fn imported(name: &str) -> Option<&'static Builtin> {
    IMPORTED.iter().find(|builtin| builtin.name == name)
}

/// `namedtuple("Pair", ["a", "b"])`, `namedtuple("Pair", "a b")`, `NamedTuple("Pair", [("a", tl.tensor), …])`.
fn named_tuple<'a>(cx: &mut Context, args: &Args<'a>, fields: &str) -> R<Val<'a>> {
    let name = cx.constant_str("the name of a named tuple", &args.value("typename"))?;
    let arg = args.value(fields);
    let mut fields: Vec<Rc<str>> = Vec::new();
    if let Val::Str(text) = &arg.val {
        fields.extend(text.split([' ', ',']).filter(|word| !word.is_empty()).map(Rc::from));
    } else {
        for item in cx.static_items(&arg)?.iter() {
            let first = item.items().and_then(|pair| pair.first()).unwrap_or(item).clone();
            fields.push(cx.constant_str("a field of a named tuple", &Spanned { val: first, span: arg.span })?);
        }
    }
    Ok(Val::RecordClass(Rc::new(RecordClass::named_tuple(name, fields))))
}

/// The truth of each item, all constants.
fn truths<'a>(cx: &mut Context, args: &Args<'a>) -> R<Vec<bool>> {
    let arg = args.value("items");
    let items = cx.static_items(&arg)?;
    let truth = |item: &Val<'a>| cx.constant_bool("an item", &Spanned { val: item.clone(), span: arg.span });
    items.iter().map(truth).collect()
}

/// `triton.…`: host functions that make sense of constants in a kernel too.
pub(crate) const HOST: &[Builtin] = &[
    function("cdiv", &["x", "y"], |c, a| math::cdiv(c, &a.value("x"), &a.value("y"))),
    function("next_power_of_2", &["n"], next_power_of_2),
];

const MATH: &[Builtin] = &[
    function("log2", &["x"], |c, a| float_of(c, a, f64::log2)),
    function("log", &["x"], |c, a| float_of(c, a, f64::ln)),
    function("exp", &["x"], |c, a| float_of(c, a, f64::exp)),
    function("sqrt", &["x"], |c, a| float_of(c, a, f64::sqrt)),
    function("floor", &["x"], |c, a| int_of(c, a, f64::floor)),
    function("ceil", &["x"], |c, a| int_of(c, a, f64::ceil)),
];

/// A function of Python's `math` on constants.
pub(crate) fn math_function(name: &str) -> Option<&'static Builtin> {
    MATH.iter().find(|builtin| builtin.name == name)
}

/// All functions of Python's `math` on constants.
pub(crate) fn math_functions() -> &'static [Builtin] {
    MATH
}

fn constant<'a>(cx: &Context, args: &Args<'a>) -> R<Number> {
    let arg = args.value("x");
    let what = format!("the argument of `{}`", args.builtin.name);
    arg.val.number().ok_or_else(|| {
        let error = cx.not_constexpr(&what, &arg, "a number");
        match super::language_names().find(|known| *known == args.builtin.name) {
            Some(known) => error.help(format!("`math` is for constants. Use `tl.{known}`.")).into(),
            None => error.into(),
        }
    })
}

fn float_of<'a>(cx: &Context, args: &Args<'a>, f: fn(f64) -> f64) -> R<Val<'a>> {
    constant(cx, args).map(|number| Val::Float(f(number.as_f64())))
}

fn int_of<'a>(cx: &Context, args: &Args<'a>, f: fn(f64) -> f64) -> R<Val<'a>> {
    match constant(cx, args)? {
        Number::Float(x) => whole(cx, args, f(x)),
        other => Ok(Val::Int(other.as_int().unwrap_or_default())),
    }
}

fn whole<'a>(cx: &Context, args: &Args<'a>, x: f64) -> R<Val<'a>> {
    if x.is_finite() && x.abs() < 1e37 {
        return Ok(Val::Int(x as i128));
    }
    let message = format!("{} has no integer value", Number::Float(x));
    Err(cx.error(tk_diag::TOO_LARGE, args.value("x").span, message, "").help("Use a finite number.").into())
}

fn next_power_of_2<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let n = cx.constant_int("the argument of `next_power_of_2`", &args.value("n"))?;
    let next =
        u128::try_from(n.max(1)).ok().and_then(u128::checked_next_power_of_two).and_then(|n| i128::try_from(n).ok());
    next.map(Val::Int).ok_or_else(|| {
        cx.error(tk_diag::TOO_LARGE, args.span, "there is no such power of two", "")
            .help("Use a smaller number.")
            .into()
    })
}

fn len<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("x");
    match &arg.val {
        val if val.items().is_some() => Ok(Val::Int(val.items().map_or(0, |items| items.len()) as i128)),
        Val::Str(text) => Ok(Val::Int(text.chars().count() as i128)),
        Val::Value(value) if cx.builder.ty(*value).is_tensor() => Ok(Val::Int(cx.builder.ty(*value).shape[0].into())),
        other => {
            let message = format!("{} has no length", cx.describe(other));
            Err(cx
                .error(tk_diag::TYPE_MISMATCH, arg.span, message, "")
                .help("Tuples, strings and tensors have one.")
                .into())
        }
    }
}

fn extremum<'a>(cx: &mut Context, args: &Args<'a>, which: Extremum) -> R<Val<'a>> {
    let nan = cx.nan_option(args.given("propagate_nan"))?;
    let items: Vec<Spanned<'a>> = match args.rest.as_slice() {
        [Spanned { val: Val::Tuple(items), span }] => {
            items.iter().map(|val| Spanned { val: val.clone(), span: *span }).collect()
        }
        rest => rest.to_vec(),
    };
    let mut items = items.into_iter();
    let Some(mut best) = items.next() else {
        let message = format!("`{}` needs values", args.builtin.name);
        return Err(cx.error(tk_diag::ARGUMENT_COUNT, args.span, message, "").help("Pass at least two.").into());
    };
    for item in items {
        let val = match (best.val.number(), item.val.number()) {
            (Some(a), Some(b)) => {
                let replace =
                    if which == Extremum::Greatest { b.as_f64() > a.as_f64() } else { b.as_f64() < a.as_f64() };
                if replace { item.val } else { best.val }
            }
            _ => Val::Value(cx.extremum(which, nan, &best, &item)?),
        };
        best = Spanned { val, span: args.span };
    }
    Ok(best.val)
}

fn abs<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("x");
    match &arg.val {
        Val::Value(value) => math::absolute(cx, *value, arg.span).map(Val::Value),
        Val::Float(f) => Ok(Val::Float(f.abs())),
        _ => {
            let number = constant(cx, args)?.as_int().unwrap_or_default();
            Ok(Val::Int(number.checked_abs().unwrap_or(number)))
        }
    }
}

fn convert<'a>(cx: &mut Context, args: &Args<'a>, class: Class) -> R<Val<'a>> {
    let arg = args.value("x");
    if let Val::Value(value) = arg.val {
        return convert_value(cx, &arg, value, class);
    }
    if let Val::Str(text) = &arg.val {
        return parse_number(cx, text, arg.span, class);
    }
    let number = constant(cx, args)?;
    match class {
        Class::Float => Ok(Val::Float(number.as_f64())),
        Class::Bool => Ok(Val::Bool(number.as_f64() != 0.0)),
        _ => match number {
            Number::Float(x) => whole(cx, args, x.trunc()),
            other => Ok(Val::Int(other.as_int().unwrap_or_default())),
        },
    }
}

fn convert_value<'a>(cx: &mut Context, arg: &Spanned<'a>, value: Value, class: Class) -> R<Val<'a>> {
    if cx.builder.ty(value).is_tensor() {
        let message = format!("`int`, `float` and `bool` convert single values, not {}", cx.builder.ty(value));
        return Err(cx.error(tk_diag::TYPE_MISMATCH, arg.span, message, "").help("Use `.to(…)` for tensors.").into());
    }
    let scalar = match (class, cx.builder.ty(value).number()) {
        (Class::Float, _) => ScalarType::F32,
        (Class::Bool, _) => ScalarType::I1,
        (_, Some(scalar)) if scalar.is_int() && scalar != ScalarType::I1 => scalar,
        _ => ScalarType::I32,
    };
    cx.cast(value, &Element::Scalar(scalar), None, arg.span).map(Val::Value)
}

fn parse_number<'a>(cx: &Context, text: &str, span: Span, class: Class) -> R<Val<'a>> {
    let word = text.trim().to_lowercase();
    let parsed = match class {
        Class::Float => match word.trim_start_matches(['+', '-']) {
            "inf" | "infinity" if word.starts_with('-') => Some(Val::Float(f64::NEG_INFINITY)),
            "inf" | "infinity" => Some(Val::Float(f64::INFINITY)),
            "nan" => Some(Val::Float(f64::NAN)),
            _ => word.parse().ok().map(Val::Float),
        },
        Class::Bool => Some(Val::Bool(!text.is_empty())),
        _ => word.parse().ok().map(Val::Int),
    };
    parsed.ok_or_else(|| {
        let message = format!("{text:?} is not a number");
        cx.error(tk_diag::BAD_ARGUMENT, span, message, "").help("Write digits, \"inf\" or \"nan\".").into()
    })
}

/// `print` on the device: its first argument is the text.
fn print<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let mut rest = args.rest.clone();
    if rest.is_empty() {
        return Ok(Val::None);
    }
    let prefix = match &rest[0].val {
        Val::Str(_) => rest.remove(0),
        _ => Spanned { val: Val::str(""), span: args.span },
    };
    debug::device_print(cx, &prefix, &rest, false)
}

fn isinstance<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (x, kind) = (args.value("x"), args.value("kind"));
    let kinds: Vec<Val<'a>> = match &kind.val {
        Val::Tuple(items) => items.to_vec(),
        other => vec![other.clone()],
    };
    for one in &kinds {
        let is = match one {
            Val::Class(class) => is_instance(&x.val, *class),
            Val::Builtin(builtin) => match builtin.name {
                "int" => is_instance(&x.val, Class::Int),
                "float" => is_instance(&x.val, Class::Float),
                "bool" => is_instance(&x.val, Class::Bool),
                _ => false,
            },
            Val::None => matches!(x.val, Val::None),
            Val::RecordClass(class) => matches!(&x.val, Val::Record(record) if record.class.same(class)),
            other => {
                return Err(cx
                    .not_constexpr(
                        "the second argument of `isinstance`",
                        &Spanned { val: other.clone(), span: kind.span },
                        "a class",
                    )
                    .into());
            }
        };
        if is {
            return Ok(Val::Bool(true));
        }
    }
    Ok(Val::Bool(false))
}

fn is_instance(val: &Val<'_>, class: Class) -> bool {
    match class {
        Class::Tensor => matches!(val, Val::Value(_)),
        Class::Constexpr => !matches!(val, Val::Value(_) | Val::Tuple(_) | Val::Record(_)),
        Class::Tuple | Class::List => val.items().is_some(),
        Class::Str => matches!(val, Val::Str(_)),
        Class::Int => matches!(val, Val::Int(_) | Val::Bool(_)),
        Class::Float => matches!(val, Val::Float(_)),
        Class::Bool => matches!(val, Val::Bool(_)),
        Class::Dtype => matches!(val, Val::Type(_)),
        Class::PointerType => matches!(val, Val::Type(ty) if !ty.is_tensor() && ty.pointee().is_some()),
        Class::BlockType => matches!(val, Val::Type(ty) if ty.is_tensor()),
        Class::ConstexprType => matches!(val, Val::ConstantType(_)),
        Class::Const | Class::PropagateNan => false,
        Class::TensorDescriptor => matches!(val, Val::Descriptor(_)),
    }
}

/// Whether a module has a member; of other things the answer is yes, and the use of the attribute tells.
fn hasattr<'a>(interpreter: &mut dyn Interpreter<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let cx = interpreter.cx();
    let name = cx.constant_str("the second argument of `hasattr`", &args.value("name"))?;
    Ok(Val::Bool(match args.value("x").val {
        Val::Module(ModuleKind::File(part)) => interpreter.has_name(part, &name),
        Val::Module(ModuleKind::Foreign | ModuleKind::Absent(_)) => {
            let what = "the first argument of `hasattr`";
            return Err(cx.not_constexpr(what, &args.value("x"), "a module of the language").into());
        }
        Val::Module(kind) => module_member(kind, &name).is_some(),
        Val::None => false,
        _ => true,
    }))
}

/// An attribute whose name is a constant.
fn getattr<'a>(interpreter: &mut dyn Interpreter<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let name = interpreter.cx().constant_str("the second argument of `getattr`", &args.value("name"))?;
    let found = interpreter.attribute_of(&args.value("x"), &name, args.span);
    match (found, args.given("default")) {
        (Err(Stop::Error(error)), Some(default)) if error.code == tk_diag::UNKNOWN_NAME => Ok(default.val.clone()),
        (found, _) => found,
    }
}

/// Pairs of a compile-time index and an item.
fn enumerate<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let start = match args.given("start") {
        Some(arg) => cx.constant_int("the start of `enumerate`", arg)?,
        None => 0,
    };
    let items = cx.static_items(&args.value("items"))?;
    let pairs =
        items.iter().zip(0_i128..).map(|(item, i)| Val::tuple(vec![Val::Int(start.saturating_add(i)), item.clone()]));
    Ok(Val::tuple(pairs.collect::<Vec<_>>()))
}

/// Tuples of the first items, the second items, and so on, as many as the shortest argument has.
fn zip<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let columns = args.rest.iter().map(|arg| cx.static_items(arg)).collect::<R<Vec<_>>>()?;
    let length = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    let row = |i: usize| Val::tuple(columns.iter().map(|column| column[i].clone()).collect::<Vec<_>>());
    Ok(Val::tuple((0..length).map(row).collect::<Vec<_>>()))
}

fn round<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    int_of(cx, args, f64::round_ties_even)
}

fn sum<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("items");
    let Val::Tuple(items) = &arg.val else {
        let message = format!("Python's `sum` adds a tuple, not {}", cx.describe(&arg.val));
        return Err(cx.error(tk_diag::TYPE_MISMATCH, arg.span, message, "").help("Use `tl.sum` for tensors.").into());
    };
    let mut total = Spanned { val: Val::Int(0), span: arg.span };
    for item in items.iter() {
        let item = Spanned { val: item.clone(), span: arg.span };
        total.val = cx.binary(BinaryOp::Add, &total, &item)?;
    }
    Ok(total.val)
}
