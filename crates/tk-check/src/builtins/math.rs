//! Elementwise functions.

use crate::builtin::{Args, Builtin, function, method};
use crate::checked::{BinaryOp, Element, OpKind, Type, UnaryOp, Value};
use crate::context::Context;
use crate::context::Extremum;
use crate::context::NanRule;
use crate::error::R;
use crate::value::Placed;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_grammar::ast;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    method("exp", &["x"], |c, a| c.unary_float(UnaryOp::Exp, a)),
    method("exp2", &["x"], |c, a| c.unary_float(UnaryOp::Exp2, a)),
    method("log", &["x"], |c, a| c.unary_float(UnaryOp::Log, a)),
    method("log2", &["x"], |c, a| c.unary_float(UnaryOp::Log2, a)),
    method("sin", &["x"], |c, a| c.unary_float(UnaryOp::Sin, a)),
    method("cos", &["x"], |c, a| c.unary_float(UnaryOp::Cos, a)),
    method("erf", &["x"], |c, a| c.unary_float(UnaryOp::Erf, a)),
    method("tanh", &["x"], |c, a| c.unary_float(UnaryOp::Tanh, a)),
    method("sqrt", &["x"], |c, a| c.unary_float(UnaryOp::Sqrt, a)),
    method("sqrt_rn", &["x"], |c, a| c.unary_float(UnaryOp::SqrtRn, a)),
    method("rsqrt", &["x"], |c, a| c.unary_float(UnaryOp::Rsqrt, a)),
    method("floor", &["x"], |c, a| c.unary_float(UnaryOp::Floor, a)),
    method("ceil", &["x"], |c, a| c.unary_float(UnaryOp::Ceil, a)),
    method("abs", &["x"], abs),
    method("logical_and", &["x", "other"], |c, a| {
        c.logical(ast::BoolOp::And, &a.value("x"), &a.value("other")).map(Val::Value)
    }),
    method("logical_or", &["x", "other"], |c, a| {
        c.logical(ast::BoolOp::Or, &a.value("x"), &a.value("other")).map(Val::Value)
    }),
    method("sigmoid", &["x"], sigmoid),
    method("softmax", &["x", "dim?", "keep_dims?", "ieee_rounding?"], softmax),
    method("cdiv", &["x", "div"], |c, a| cdiv(c, &a.value("x"), &a.value("div"))),
    function("add", &["x", "y", "sanitize_overflow?"], |c, a| operator(c, a, ast::BinaryOp::Add)),
    function("sub", &["x", "y", "sanitize_overflow?"], |c, a| operator(c, a, ast::BinaryOp::Sub)),
    function("mul", &["x", "y", "sanitize_overflow?"], |c, a| operator(c, a, ast::BinaryOp::Mul)),
    function("minimum", &["x", "y", "propagate_nan?"], |c, a| extremum(c, a, Extremum::Least)),
    function("maximum", &["x", "y", "propagate_nan?"], |c, a| extremum(c, a, Extremum::Greatest)),
    function("clamp", &["x", "min", "max", "propagate_nan?"], clamp),
    function("fma", &["x", "y", "z"], fma),
    function("div_rn", &["x", "y"], div_rn),
    function("fdiv", &["x", "y", "ieee_rounding?", "approx?"], fdiv),
    function("umulhi", &["x", "y"], umulhi),
    function("where", &["condition", "x", "y"], select),
    function("swizzle2d", &["i", "j", "size_i", "size_j", "size_g"], swizzle2d),
];

impl Context {
    /// A function of one float. 16-bit and 8-bit floats are computed in fp32 and cast back; integers are an error.
    pub(crate) fn unary_float<'a>(&mut self, op: UnaryOp, args: &Args<'a>) -> R<Val<'a>> {
        let arg = args.value("x");
        let value = self.value_of(&format!("the argument of `{}`", args.builtin.name), &arg)?;
        self.float_function(args.builtin.name, op, value, arg.span).map(Val::Value)
    }

    /// See [`Self::unary_float`].
    pub(crate) fn float_function(&mut self, name: &str, op: UnaryOp, value: Value, span: Span) -> R<Value> {
        let scalar = self.float_argument(name, value, span)?;
        let wide = if scalar.bits() < 32 { self.cast_scalar(value, ScalarType::F32, span)? } else { value };
        let ty = self.builder.ty(wide).clone();
        let result = self.builder.emit(OpKind::Unary(op), &[wide], ty);
        self.cast_scalar(result, scalar, span)
    }

    /// The float type of a value, or the error that names the function.
    pub(crate) fn float_argument(&self, name: &str, value: Value, span: Span) -> R<ScalarType> {
        match self.builder.ty(value).number().filter(|scalar| scalar.is_float()) {
            Some(scalar) => Ok(scalar),
            None => {
                let found = self.builder.ty(value).to_string();
                let message = format!("`{name}` works on floats, not on {found}");
                Err(self
                    .error(tk_diag::TYPE_MISMATCH, span, message, found)
                    .help("Cast with `.to(tl.float32)`.")
                    .into())
            }
        }
    }

    /// A derived argument of a composite function: a value at the place of the call.
    pub(crate) fn here<'a>(&self, value: Value) -> Spanned<'a> {
        Spanned { val: Val::Value(value), span: self.builder.loc().span }
    }

    /// `propagate_nan`.
    pub(crate) fn nan_option<'a>(&self, arg: Option<&Spanned<'a>>) -> R<NanRule> {
        match arg.map(|arg| (&arg.val, arg)) {
            None | Some((Val::PropagateNan(false), _)) => Ok(NanRule::Loses),
            Some((Val::PropagateNan(true), _)) => Ok(NanRule::Wins),
            Some((_, arg)) => {
                Err(self.not_constexpr("`propagate_nan`", arg, "`tl.PropagateNan.ALL` or `.NONE`").into())
            }
        }
    }
}

fn operator<'a>(cx: &mut Context, args: &Args<'a>, op: ast::BinaryOp) -> R<Val<'a>> {
    cx.binary(op, &args.value("x"), &args.value("y"))
}

fn extremum<'a>(cx: &mut Context, args: &Args<'a>, which: Extremum) -> R<Val<'a>> {
    let nan = cx.nan_option(args.given("propagate_nan"))?;
    cx.extremum(which, nan, &args.value("x"), &args.value("y")).map(Val::Value)
}

fn abs<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("x");
    let value = cx.value_of("the argument of `abs`", &arg)?;
    absolute(cx, value, arg.span).map(Val::Value)
}

/// The absolute value; unsigned integers are their own.
pub(crate) fn absolute(cx: &mut Context, value: Value, span: Span) -> R<Value> {
    let ty = cx.builder.ty(value).clone();
    match ty.number() {
        Some(scalar) if scalar.is_fp8() => {
            let wide = cx.cast_scalar(value, ScalarType::F32, span)?;
            let ty = cx.builder.ty(wide).clone();
            let result = cx.builder.emit(OpKind::Unary(UnaryOp::AbsF), &[wide], ty);
            cx.cast_scalar(result, scalar, span)
        }
        Some(scalar) if scalar.is_float() => Ok(cx.builder.emit(OpKind::Unary(UnaryOp::AbsF), &[value], ty)),
        Some(scalar) if scalar.is_signed_int() => Ok(cx.builder.emit(OpKind::Unary(UnaryOp::AbsI), &[value], ty)),
        Some(_) => Ok(value),
        None => {
            let message = format!("`abs` works on numbers, not on {ty}");
            Err(cx.error(tk_diag::TYPE_MISMATCH, span, message, "").help("Load the value first.").into())
        }
    }
}

fn sigmoid<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("x");
    let value = cx.value_of("the argument of `sigmoid`", &arg)?;
    let scalar = cx.float_argument("sigmoid", value, arg.span)?;
    let wide = if scalar.bits() < 32 { cx.cast_scalar(value, ScalarType::F32, arg.span)? } else { value };
    let negative = cx.negate(wide, arg.span)?;
    let power = cx.float_function("sigmoid", UnaryOp::Exp, negative, arg.span)?;
    let one = Spanned { val: Val::Int(1), span: arg.span };
    let sum = cx.runtime_binary(ast::BinaryOp::Add, &one, &cx.here(power))?;
    let result = cx.runtime_binary(ast::BinaryOp::Div, &one, &cx.here(sum))?;
    cx.cast_scalar(result, scalar, arg.span).map(Val::Value)
}

fn softmax<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let arg = args.value("x");
    let value = cx.value_of("the argument of `softmax`", &arg)?;
    cx.float_argument("softmax", value, arg.span)?;
    let rank = cx.builder.ty(value).shape.len();
    let axis = match args.given("dim") {
        Some(dim) => cx.axis(dim, rank)?,
        None => cx.axis(&Spanned { val: Val::Int(0), span: arg.span }, rank)?,
    };
    let precise = args.flag(cx, "ieee_rounding", false)?;
    let greatest = cx.reduce_extremum(Extremum::Greatest, value, &[axis], true, args.span)?;
    let shifted = cx.runtime_binary(ast::BinaryOp::Sub, &arg, &cx.here(greatest))?;
    let power = cx.float_function("softmax", UnaryOp::Exp, shifted, arg.span)?;
    let total = cx.reduce_with(power, &[axis], true, args.span, BinaryOp::AddF)?;
    let (power, total) = (cx.here(power), cx.here(total));
    if precise {
        return cx.arithmetic("`softmax`", &power, &total, BinaryOp::DivRnF, BinaryOp::DivRnF).map(Val::Value);
    }
    cx.runtime_binary(ast::BinaryOp::Div, &power, &total).map(Val::Value)
}

/// `(x + div - 1) // div`, evaluated now for constants.
pub(crate) fn cdiv<'a>(cx: &mut Context, x: &Spanned<'a>, div: &Spanned<'a>) -> R<Val<'a>> {
    let one = Spanned { val: Val::Int(1), span: div.span };
    let less = Spanned { val: cx.binary(ast::BinaryOp::Sub, div, &one)?, span: div.span };
    let sum = Spanned { val: cx.binary(ast::BinaryOp::Add, x, &less)?, span: x.span };
    cx.binary(ast::BinaryOp::FloorDiv, &sum, div)
}

fn clamp<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let nan = cx.nan_option(args.given("propagate_nan"))?;
    let ([x, low, high], ty) =
        cx.promote_three("`clamp`", [&args.value("x"), &args.value("min"), &args.value("max")])?;
    if ty.number().is_some_and(ScalarType::is_float) {
        return Ok(Val::Value(cx.builder.emit(
            OpKind::Clamp { propagate_nan: nan == NanRule::Wins },
            &[x, low, high],
            ty,
        )));
    }
    let raised = cx.extremum_of(Extremum::Greatest, nan, x, low);
    Ok(Val::Value(cx.extremum_of(Extremum::Least, nan, raised, high)))
}

pub(crate) fn fma<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let (values, ty) = cx.promote_three("`fma`", [&args.value("x"), &args.value("y"), &args.value("z")])?;
    if !ty.number().is_some_and(ScalarType::is_float) {
        let message = format!("`fma` works on floats, not on {ty}");
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, args.span, message, "")
            .help("Write `x * y + z` for integers.")
            .into());
    }
    Ok(Val::Value(cx.builder.emit(OpKind::Fma, &values, ty)))
}

/// A division rounded to nearest even, in fp32 at least.
pub(crate) fn div_rn<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    division(cx, args, BinaryOp::DivRnF)
}

fn division<'a>(cx: &mut Context, args: &Args<'a>, op: BinaryOp) -> R<Val<'a>> {
    let pair = cx.promote(&format!("`{}`", args.builtin.name), &args.value("x"), &args.value("y"), true)?;
    if pair.scalar.is_int() {
        let message = format!("`{}` works on floats, not on {}", args.builtin.name, pair.ty);
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, args.span, message, "")
            .help("Use `/`, which converts integers to fp32.")
            .into());
    }
    Ok(Val::Value(cx.builder.emit(OpKind::Binary(op), &[pair.lhs, pair.rhs], pair.ty)))
}

fn fdiv<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let precise = args.flag(cx, "ieee_rounding", false)?;
    division(cx, args, if precise { BinaryOp::DivRnF } else { BinaryOp::DivF })
}

fn umulhi<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let pair = cx.promote("`umulhi`", &args.value("x"), &args.value("y"), false)?;
    if !pair.scalar.is_int() || pair.scalar.bits() < 32 {
        let message = format!("`umulhi` works on 32-bit and 64-bit integers, not on {}", pair.ty);
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, args.span, message, "")
            .help("Cast with `.to(tl.uint32)`.")
            .into());
    }
    Ok(Val::Value(cx.builder.emit(OpKind::Binary(BinaryOp::MulHiU), &[pair.lhs, pair.rhs], pair.ty)))
}

fn select<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let condition_arg = args.value("condition");
    let condition = cx.value_of("the condition of `where`", &condition_arg)?;
    let ty = cx.builder.ty(condition).clone();
    if ty.number() != Some(ScalarType::I1) {
        let message = format!("tl.where with a non-boolean condition is deprecated. Got {ty}");
        cx.deprecated(&message, condition_arg.span, "Compare it: `tl.where(condition != 0, …)`.");
    }
    let condition = cx.boolean(condition, condition_arg.span)?;
    cx.select_between(condition, condition_arg.span, &args.value("x"), &args.value("y")).map(Val::Value)
}

impl Context {
    /// `x` where the i1 condition holds, else `y`; both promoted and broadcast with it.
    pub(crate) fn select_between<'a>(
        &mut self,
        condition: Value,
        span: Span,
        x: &Spanned<'a>,
        y: &Spanned<'a>,
    ) -> R<Value> {
        let (a, b, element) = self.select_operands(x, y)?;
        let (condition, a) = self.broadcast_pair("`where`", Placed::new(condition, span), Placed::new(a, x.span))?;
        let shape = self.builder.ty(condition).shape.clone();
        let b = self.builder.broadcast(b, &shape);
        Ok(self.builder.emit(OpKind::Select, &[condition, a, b], Type { element, shape }))
    }

    fn select_operands<'a>(&mut self, x: &Spanned<'a>, y: &Spanned<'a>) -> R<(Value, Value, Element)> {
        if let (Val::Value(a), Val::Value(b)) = (&x.val, &y.val) {
            let (a, b) = (*a, *b);
            if self.builder.ty(a).pointee().is_some() && self.builder.ty(a).element == self.builder.ty(b).element {
                let (a, b) = self.broadcast_pair("`where`", Placed::new(a, x.span), Placed::new(b, y.span))?;
                let element = self.builder.ty(a).element.clone();
                return Ok((a, b, element));
            }
        }
        let pair = self.promote("`where`", x, y, false)?;
        Ok((pair.lhs, pair.rhs, pair.ty.element))
    }
}

/// Row-major program indices to indices grouped in bands of `size_g` rows, column-major within a band.
fn swizzle2d<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    use ast::BinaryOp as B;
    let [i, j, size_i, size_j, size_g] = ["i", "j", "size_i", "size_j", "size_g"].map(|name| args.value(name));
    let span = args.span;
    let mut op =
        |op: B, a: &Spanned<'a>, b: &Spanned<'a>| -> R<Spanned<'a>> { Ok(Spanned { val: cx.binary(op, a, b)?, span }) };
    let row_start = op(B::Mul, &i, &size_j)?;
    let linear = op(B::Add, &row_start, &j)?;
    let group_size = op(B::Mul, &size_g, &size_j)?;
    let group = op(B::FloorDiv, &linear, &group_size)?;
    let first_row = op(B::Mul, &group, &size_g)?;
    let rows_left = op(B::Sub, &size_i, &first_row)?;
    let rows = Spanned { val: Val::Value(cx.extremum(Extremum::Least, NanRule::Loses, &rows_left, &size_g)?), span };
    let mut op =
        |op: B, a: &Spanned<'a>, b: &Spanned<'a>| -> R<Spanned<'a>> { Ok(Spanned { val: cx.binary(op, a, b)?, span }) };
    let within = op(B::Mod, &linear, &group_size)?;
    let row = op(B::Mod, &within, &rows)?;
    let new_i = op(B::Add, &first_row, &row)?;
    let new_j = op(B::FloorDiv, &within, &rows)?;
    Ok(Val::tuple(vec![new_i.val, new_j.val]))
}
