//! Operators on run-time values: promotion, broadcasting, then one op.

use crate::checked::{BinaryOp, CompareOp, Element, Literal, OpKind, Type, UnaryOp, Value};
use crate::context::int_range;
use crate::context::{Context, Extremum, NanRule};
use crate::error::R;
use crate::promote::{NoCommonType, Side, common_type};
use crate::value::CallArgs;
use crate::value::Placed;
use crate::value::{Number, Spanned, Val};
use tk_diag::Span;
use tk_grammar::ast;
use tk_types::ScalarType;

/// Two operands of one element type and one shape.
pub(crate) struct Pair {
    pub(crate) lhs: Value,
    pub(crate) rhs: Value,
    pub(crate) ty: Type,
    pub(crate) scalar: ScalarType,
}

impl Context {
    /// `lhs op rhs` where at least one side is a run-time value.
    pub(crate) fn runtime_binary<'a>(&mut self, op: ast::BinaryOp, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Value> {
        use ast::BinaryOp as B;
        match op {
            B::Add | B::Sub if self.is_pointer(&lhs.val) || self.is_pointer(&rhs.val) => {
                self.pointer_arithmetic(op, lhs, rhs)
            }
            B::Add => self.arithmetic("`+`", lhs, rhs, BinaryOp::AddI, BinaryOp::AddF),
            B::Sub => self.arithmetic("`-`", lhs, rhs, BinaryOp::SubI, BinaryOp::SubF),
            B::Mul => self.arithmetic("`*`", lhs, rhs, BinaryOp::MulI, BinaryOp::MulF),
            B::Div => self.true_division(lhs, rhs),
            B::FloorDiv => self.floor_division(lhs, rhs),
            B::Mod => self.remainder(lhs, rhs),
            B::BitAnd => self.bitwise("`&`", lhs, rhs, BinaryOp::And),
            B::BitOr => self.bitwise("`|`", lhs, rhs, BinaryOp::Or),
            B::BitXor => self.bitwise("`^`", lhs, rhs, BinaryOp::Xor),
            B::Shl => self.bitwise("`<<`", lhs, rhs, BinaryOp::Shl),
            B::Shr => {
                let side = if matches!(lhs.val, Val::Value(_)) { lhs } else { rhs };
                let signed = self.number_type(&side.val).is_some_and(ScalarType::is_signed_int);
                self.bitwise("`>>`", lhs, rhs, if signed { BinaryOp::ShrS } else { BinaryOp::ShrU })
            }
            B::Pow => self.power(lhs, rhs),
            B::MatMul => Err(self.no_operator("`@`", lhs, rhs, "Use `tl.dot(a, b)`.").into()),
        }
    }

    /// `x ** y`: products for small whole exponents, roots for one half, and `pow` of floats for the rest.
    fn power<'a>(&mut self, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Value> {
        let whole = self.known_int(&rhs.val).and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=64).contains(n));
        if let (Val::Value(_), Some(exponent)) = (&lhs.val, whole) {
            let mut result: Option<Spanned<'a>> = None;
            let mut square = lhs.clone();
            let mut left = exponent;
            while left > 0 {
                if left % 2 == 1 {
                    result = Some(match result {
                        None => square.clone(),
                        Some(known) => self.product(&known, &square)?,
                    });
                }
                left /= 2;
                if left > 0 {
                    square = self.product(&square, &square)?;
                }
            }
            if let Some(Spanned { val: Val::Value(value), .. }) = result {
                return Ok(value);
            }
        }
        let is_float = |val: &Val<'a>| self.number_type(val).is_some_and(ScalarType::is_float);
        let pow = crate::builtins::libdevice_function("pow").filter(|_| is_float(&lhs.val) || is_float(&rhs.val));
        let Some(pow) = pow else {
            let help = "Whole constants up to 64 and floats work; cast one side with `.to(tl.float32)`.";
            return Err(self.no_operator("`**`", lhs, rhs, help).into());
        };
        let span = lhs.span.to(rhs.span);
        let given = CallArgs { positional: vec![lhs.clone(), rhs.clone()], named: Vec::new() };
        match crate::builtins::call(self, pow, given, span)? {
            Val::Value(value) => Ok(value),
            _ => Err(self.no_operator("`**`", lhs, rhs, "Use `libdevice.pow`.").into()),
        }
    }

    fn product<'a>(&mut self, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Spanned<'a>> {
        let value = self.arithmetic("`**`", lhs, rhs, BinaryOp::MulI, BinaryOp::MulF)?;
        Ok(Spanned { val: Val::Value(value), span: lhs.span })
    }

    fn no_operator<'a>(&self, op: &str, lhs: &Spanned<'a>, rhs: &Spanned<'a>, help: &str) -> tk_diag::Diagnostic {
        let message = format!("{op} does not work on run-time values");
        let under = format!("{} and {}", self.describe(&lhs.val), self.describe(&rhs.val));
        self.error(tk_diag::UNSUPPORTED, lhs.span.to(rhs.span), message, under).help(help)
    }

    fn is_pointer<'a>(&self, val: &Val<'a>) -> bool {
        matches!(val, Val::Value(value) if self.builder.ty(*value).pointee().is_some())
    }

    /// The number type of a value or constant.
    pub(crate) fn number_type<'a>(&self, val: &Val<'a>) -> Option<ScalarType> {
        match val {
            Val::Value(value) => self.builder.ty(*value).number(),
            other => other.number()?.natural_type(),
        }
    }

    /// Both operands promoted and broadcast. `what` names the operation in errors.
    pub(crate) fn promote<'a>(&mut self, what: &str, lhs: &Spanned<'a>, rhs: &Spanned<'a>, division: bool) -> R<Pair> {
        let (a, b) = (self.side(what, lhs, rhs)?, self.side(what, rhs, lhs)?);
        let scalar = match common_type(a, b, division) {
            Ok(scalar) => scalar,
            Err(why) => return Err(self.no_common_type(what, lhs, rhs, why).into()),
        };
        let shape = match (&lhs.val, &rhs.val) {
            (Val::Value(a), Val::Value(b)) => {
                self.common_shape(what, Placed::new(*a, lhs.span), Placed::new(*b, rhs.span))?
            }
            (Val::Value(v), _) | (_, Val::Value(v)) => self.builder.ty(*v).shape.clone(),
            _ => Vec::new(),
        };
        let lhs = self.operand(lhs, scalar, &shape)?;
        let rhs = self.operand(rhs, scalar, &shape)?;
        Ok(Pair { lhs, rhs, ty: Type { element: Element::Scalar(scalar), shape }, scalar })
    }

    /// An operand in the computation's type and shape. A constant is emitted in its final type, so that it is rounded once.
    fn operand<'a>(&mut self, arg: &Spanned<'a>, scalar: ScalarType, shape: &[u32]) -> R<Value> {
        match &arg.val {
            Val::Value(value) => {
                let cast = self.cast_scalar(*value, scalar, arg.span)?;
                Ok(self.builder.broadcast(cast, shape))
            }
            other => {
                let number = other.number().unwrap_or(Number::Int(0));
                self.number(number, Type { element: Element::Scalar(scalar), shape: shape.to_vec() }, arg.span)
            }
        }
    }

    fn side<'a>(&self, what: &str, arg: &Spanned<'a>, other: &Spanned<'a>) -> R<Side> {
        let found = match &arg.val {
            Val::Value(value) => match self.builder.ty(*value).number() {
                Some(ty) => return Ok(Side { ty, is_number: false }),
                None => self.builder.ty(*value).to_string(),
            },
            val => match val.number() {
                Some(number) => match number.natural_type() {
                    Some(ty) => return Ok(Side { ty, is_number: true }),
                    None => {
                        let message = format!("the constant {number} does not fit any integer type");
                        let help = "The widest types are int64 and uint64.";
                        return Err(self
                            .error(tk_diag::TOO_LARGE, arg.span, message, "needs more than 64 bits")
                            .help(help)
                            .into());
                    }
                },
                None => self.describe(val),
            },
        };
        let message = format!("{what} does not work on {found}");
        let help = if self.is_pointer(&arg.val) {
            "Pointers take `+` and `-` with integers only; load what they point to with `tl.load`."
        } else {
            "Operands must be tensors or numbers."
        };
        Err(self
            .error(tk_diag::TYPE_MISMATCH, arg.span, message, found)
            .at(&self.file, other.span, self.describe(&other.val))
            .help(help)
            .into())
    }

    fn no_common_type<'a>(
        &self,
        what: &str,
        lhs: &Spanned<'a>,
        rhs: &Spanned<'a>,
        why: NoCommonType,
    ) -> tk_diag::Diagnostic {
        let (a, b) = (self.describe(&lhs.val), self.describe(&rhs.val));
        let (message, help) = match why {
            NoCommonType::Fp8WithInt => (
                format!("{what} has no common type for {a} and {b}"),
                "Cast the 8-bit float with `.to(tl.float32)` first.",
            ),
            NoCommonType::MixedSignedness => (
                format!("Cannot use {what} with {a} and {b} because they have different signedness"),
                "Cast one of them so that both are signed or both unsigned.",
            ),
        };
        self.error(tk_diag::TYPE_MISMATCH, lhs.span, message, a).at(&self.file, rhs.span, b).help(help)
    }

    pub(crate) fn arithmetic<'a>(
        &mut self,
        what: &str,
        lhs: &Spanned<'a>,
        rhs: &Spanned<'a>,
        int: BinaryOp,
        float: BinaryOp,
    ) -> R<Value> {
        let pair = self.promote(what, lhs, rhs, false)?;
        let op = if pair.scalar.is_float() { float } else { int };
        Ok(self.builder.emit(OpKind::Binary(op), &[pair.lhs, pair.rhs], pair.ty))
    }

    fn true_division<'a>(&mut self, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Value> {
        let pair = self.promote("`/`", lhs, rhs, true)?;
        let (mut a, mut b, mut ty) = (pair.lhs, pair.rhs, pair.ty);
        if pair.scalar.is_int() {
            a = self.cast_scalar(a, ScalarType::F32, lhs.span)?;
            b = self.cast_scalar(b, ScalarType::F32, rhs.span)?;
            ty = ty.with_scalar(ScalarType::F32);
        }
        Ok(self.builder.emit(OpKind::Binary(BinaryOp::DivF), &[a, b], ty))
    }

    /// `//` of run-time integers; it truncates, as on the GPU.
    pub(crate) fn floor_division<'a>(&mut self, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Value> {
        let pair = self.promote("`//`", lhs, rhs, true)?;
        if pair.scalar.is_float() {
            let message = "`//` works on integers only".to_string();
            return Err(self
                .error(tk_diag::TYPE_MISMATCH, lhs.span, message, self.describe(&lhs.val))
                .at(&self.file, rhs.span, self.describe(&rhs.val))
                .help("Write `tl.floor(a / b)` for floats.")
                .into());
        }
        let op = if pair.scalar.is_signed_int() { BinaryOp::DivS } else { BinaryOp::DivU };
        Ok(self.builder.emit(OpKind::Binary(op), &[pair.lhs, pair.rhs], pair.ty))
    }

    fn remainder<'a>(&mut self, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Value> {
        let pair = self.promote("`%`", lhs, rhs, true)?;
        let op = match pair.scalar {
            ty if ty.is_float() => BinaryOp::RemF,
            ty if ty.is_signed_int() => BinaryOp::RemS,
            _ => BinaryOp::RemU,
        };
        Ok(self.builder.emit(OpKind::Binary(op), &[pair.lhs, pair.rhs], pair.ty))
    }

    /// `&`, `|`, `^` and shifts: integers and bools only.
    pub(crate) fn bitwise<'a>(&mut self, what: &str, lhs: &Spanned<'a>, rhs: &Spanned<'a>, op: BinaryOp) -> R<Value> {
        for (arg, other) in [(lhs, rhs), (rhs, lhs)] {
            if self.number_type(&arg.val).is_some_and(ScalarType::is_float) {
                let (a, b) = (self.describe(&lhs.val), self.describe(&rhs.val));
                let message = format!("invalid operands of type {a} and {b}: {what} works on integers and bools only");
                return Err(self
                    .error(tk_diag::TYPE_MISMATCH, arg.span, message, self.describe(&arg.val))
                    .at(&self.file, other.span, self.describe(&other.val))
                    .help("Comparisons bind looser than `&` and `|`: put them in parentheses, or cast with `.to(tl.int32)`.")
                    .into());
            }
        }
        let pair = self.promote(what, lhs, rhs, false)?;
        Ok(self.builder.emit(OpKind::Binary(op), &[pair.lhs, pair.rhs], pair.ty))
    }

    fn pointer_arithmetic<'a>(&mut self, op: ast::BinaryOp, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Value> {
        let subtract = op == ast::BinaryOp::Sub;
        let (pointer, offset) = if self.is_pointer(&lhs.val) { (lhs, rhs) } else { (rhs, lhs) };
        let both = self.is_pointer(&lhs.val) && self.is_pointer(&rhs.val);
        let integer = self.number_type(&offset.val).is_some_and(ScalarType::is_int);
        if both || !integer || subtract && self.is_pointer(&rhs.val) {
            let message = format!(
                "`{}` does not work on {} and {}",
                op.symbol(),
                self.describe(&lhs.val),
                self.describe(&rhs.val)
            );
            return Err(self
                .error(tk_diag::TYPE_MISMATCH, pointer.span, message, self.describe(&pointer.val))
                .at(&self.file, offset.span, self.describe(&offset.val))
                .help("A pointer takes an integer offset, counted in elements.")
                .into());
        }
        let Val::Value(base) = pointer.val else { return Err(crate::error::Stop::Poisoned) };
        let mut by = self.value_of("an offset", offset)?;
        if subtract {
            by = self.negate(by, offset.span)?;
        }
        let (base, by) =
            self.broadcast_pair("pointer arithmetic", Placed::new(base, pointer.span), Placed::new(by, offset.span))?;
        self.offset_pointer(base, by, offset.span)
    }

    /// pointer + offset of the same shape. An unsigned offset below 64 bits is zero-extended, since the op reads it as signed.
    pub(crate) fn offset_pointer(&mut self, base: Value, offset: Value, span: Span) -> R<Value> {
        let scalar = self.builder.ty(offset).number().unwrap_or(ScalarType::I32);
        let offset = match scalar {
            s if s.is_signed_int() || s.bits() == 64 => offset,
            _ => self.cast_scalar(offset, ScalarType::I64, span)?,
        };
        let ty = self.builder.ty(base).clone();
        Ok(self.builder.emit(OpKind::AddPtr, &[base, offset], ty))
    }

    /// `-value`.
    pub(crate) fn negate(&mut self, value: Value, span: Span) -> R<Value> {
        let ty = self.builder.ty(value).clone();
        match ty.number() {
            None => Err(self
                .error(tk_diag::TYPE_MISMATCH, span, format!("unary `-` does not work on {ty}"), "")
                .help("Negate an integer offset instead.")
                .into()),
            Some(scalar) if scalar.is_float() => Ok(self.builder.emit(OpKind::Unary(UnaryOp::NegF), &[value], ty)),
            Some(_) => {
                if let Some(Literal::Int(i)) = self.builder.literal_of(value) {
                    let (low, high) = int_range(ty.number().unwrap_or(ScalarType::I32));
                    if (low..=high).contains(&-i) {
                        return Ok(self.builder.literal(Literal::Int(-i), ty));
                    }
                }
                let zero = self.builder.int(0, ty.clone());
                Ok(self.builder.emit(OpKind::Binary(BinaryOp::SubI), &[zero, value], ty))
            }
        }
    }

    /// `~value`, which is logical not on i1.
    pub(crate) fn invert(&mut self, value: Value, span: Span) -> R<Value> {
        let ty = self.builder.ty(value).clone();
        let Some(scalar) = ty.number().filter(|s| s.is_int()) else {
            let message = format!("`~` works on integers and bools only, not on {ty}");
            return Err(self
                .error(tk_diag::TYPE_MISMATCH, span, message, "")
                .help("Use `not` for a condition.")
                .into());
        };
        let ones = if scalar.is_signed_int() { -1 } else { int_range(scalar).1 };
        let ones = self.builder.literal(Literal::Int(ones), ty.clone());
        Ok(self.builder.emit(OpKind::Binary(BinaryOp::Xor), &[value, ones], ty))
    }

    /// `not value`.
    pub(crate) fn logical_not(&mut self, value: Value, span: Span) -> R<Value> {
        let value = self.boolean(value, span)?;
        self.invert(value, span)
    }

    /// A comparison of which at least one side is a run-time value.
    pub(crate) fn compare<'a>(&mut self, op: ast::CompareOp, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Value> {
        use ast::CompareOp as C;
        let what = match op {
            C::Eq => "`==`",
            C::NotEq => "`!=`",
            C::Lt => "`<`",
            C::LtEq => "`<=`",
            C::Gt => "`>`",
            _ => "`>=`",
        };
        let pair = self.promote(what, lhs, rhs, false)?;
        let (float, signed, unsigned) = match op {
            C::Eq => (CompareOp::EqF, CompareOp::EqI, CompareOp::EqI),
            C::NotEq => (CompareOp::NeF, CompareOp::NeI, CompareOp::NeI),
            C::Lt => (CompareOp::LtF, CompareOp::LtS, CompareOp::LtU),
            C::LtEq => (CompareOp::LeF, CompareOp::LeS, CompareOp::LeU),
            C::Gt => (CompareOp::GtF, CompareOp::GtS, CompareOp::GtU),
            _ => (CompareOp::GeF, CompareOp::GeS, CompareOp::GeU),
        };
        let op = match pair.scalar {
            s if s.is_float() => float,
            s if s.is_signed_int() => signed,
            _ => unsigned,
        };
        Ok(self.builder.emit(OpKind::Compare(op), &[pair.lhs, pair.rhs], pair.ty.with_scalar(ScalarType::I1)))
    }

    /// `lhs and rhs`, `lhs or rhs` of run-time values: both are evaluated.
    pub(crate) fn logical<'a>(&mut self, op: ast::BoolOp, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Value> {
        let mut sides =
            [self.value_of("an operand of `and` or `or`", lhs)?, self.value_of("an operand of `and` or `or`", rhs)?];
        for (side, span) in sides.iter_mut().zip([lhs.span, rhs.span]) {
            *side = self.boolean(*side, span)?;
        }
        let (what, op) = match op {
            ast::BoolOp::And => ("`and`", BinaryOp::And),
            ast::BoolOp::Or => ("`or`", BinaryOp::Or),
        };
        let (a, b) = self.broadcast_pair(what, Placed::new(sides[0], lhs.span), Placed::new(sides[1], rhs.span))?;
        let ty = self.builder.ty(a).clone();
        Ok(self.builder.emit(OpKind::Binary(op), &[a, b], ty))
    }

    /// The smaller or greater of two values, as `tl.minimum` and `tl.maximum` define it.
    pub(crate) fn extremum<'a>(
        &mut self,
        which: Extremum,
        nan: NanRule,
        lhs: &Spanned<'a>,
        rhs: &Spanned<'a>,
    ) -> R<Value> {
        let what = match which {
            Extremum::Least => "`minimum`",
            Extremum::Greatest => "`maximum`",
        };
        let pair = self.promote(what, lhs, rhs, false)?;
        Ok(self.extremum_of(which, nan, pair.lhs, pair.rhs))
    }

    /// The smaller or greater of two values of one type.
    pub(crate) fn extremum_of(&mut self, which: Extremum, nan: NanRule, lhs: Value, rhs: Value) -> Value {
        let scalar = self.builder.ty(lhs).number().unwrap_or(ScalarType::I32);
        let op = match which {
            Extremum::Greatest if scalar.is_float() && nan == NanRule::Wins => BinaryOp::MaximumF,
            Extremum::Least if scalar.is_float() && nan == NanRule::Wins => BinaryOp::MinimumF,
            Extremum::Greatest if scalar.is_float() => BinaryOp::MaxNumF,
            Extremum::Least if scalar.is_float() => BinaryOp::MinNumF,
            Extremum::Greatest if scalar.is_signed_int() => BinaryOp::MaxS,
            Extremum::Least if scalar.is_signed_int() => BinaryOp::MinS,
            Extremum::Greatest => BinaryOp::MaxU,
            Extremum::Least => BinaryOp::MinU,
        };
        self.builder.binary(op, lhs, rhs)
    }

    /// The common type and shape of three operands; constants take part only against the run-time ones together.
    pub(crate) fn promote_three<'a>(&mut self, what: &str, args: [&Spanned<'a>; 3]) -> R<([Value; 3], Type)> {
        let mut tensor: Option<ScalarType> = None;
        let mut number: Option<ScalarType> = None;
        for (i, arg) in args.iter().enumerate() {
            let side = self.side(what, arg, args[(i + 1) % 3])?;
            let slot = if side.is_number { &mut number } else { &mut tensor };
            let merged = match *slot {
                None => side.ty,
                Some(so_far) => {
                    let a = Side { ty: so_far, is_number: false };
                    let b = Side { ty: side.ty, is_number: false };
                    common_type(a, b, false).map_err(|why| self.no_common_type(what, args[0], arg, why))?
                }
            };
            *slot = Some(merged);
        }
        let scalar = match (tensor, number) {
            (Some(t), Some(n)) => {
                let (a, b) = (Side { ty: t, is_number: false }, Side { ty: n, is_number: true });
                common_type(a, b, false).map_err(|why| self.no_common_type(what, args[0], args[1], why))?
            }
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => ScalarType::F32,
        };
        let shape = self.shape_of_all(what, args)?;
        let mut out = [Value(0); 3];
        for (slot, arg) in out.iter_mut().zip(args) {
            *slot = match arg.val {
                Val::Value(value) => {
                    let cast = self.cast_scalar(value, scalar, arg.span)?;
                    self.broadcast_to(what, arg, cast, &shape)?
                }
                _ => self.operand(arg, scalar, &shape)?,
            };
        }
        Ok((out, Type { element: Element::Scalar(scalar), shape }))
    }

    /// The shape that all values among the arguments grow to, which none of them need have: a column, a row and a column make a matrix.
    fn shape_of_all(&self, what: &str, args: [&Spanned<'_>; 3]) -> R<Vec<u32>> {
        let mut placed: Vec<Placed> = Vec::new();
        let mut shape: Vec<u32> = Vec::new();
        for arg in args {
            let Val::Value(value) = arg.val else { continue };
            let this = Placed::new(value, arg.span);
            let mut grown = self.builder.ty(value).shape.clone();
            for earlier in &placed {
                grown = longest(grown, self.common_shape(what, *earlier, this)?);
            }
            shape = longest(grown, shape);
            placed.push(this);
        }
        Ok(shape)
    }
}

/// The longer of each two dimensions of shapes that go together; the last ones belong to each other.
fn longest(a: Vec<u32>, b: Vec<u32>) -> Vec<u32> {
    let (mut long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    let first = long.len() - short.len();
    for (dimension, other) in long[first..].iter_mut().zip(short) {
        *dimension = other.max(*dimension);
    }
    long
}
