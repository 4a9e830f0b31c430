//! Emission of ops: values, blocks, constants and the bookkeeping around them.

use crate::check::{Checker, Origin};
use crate::checked::{BinaryOp, Block, CastKind, Element, Hint, Literal, Loc, Op, OpKind, Type, Value, ValueInfo};
use crate::error::R;
use crate::value::{Number, Val};
use tk_diag::Span;
use tk_types::ScalarType;

impl<'a> Checker<'a> {
    /// A value without an op: a parameter or a block argument.
    pub(crate) fn new_value(&mut self, ty: Type, name: Option<String>) -> Value {
        let value = Value(self.values.len() as u32);
        self.values.push(ValueInfo::new(ty, name));
        self.origins.push(Origin { depth: self.blocks.len() as u32, index: None, literal: None });
        value
    }

    /// The place that ops emitted now come from.
    pub(crate) fn loc(&self) -> Loc {
        Loc { span: self.span, call: self.frame().call }
    }

    /// Emits an op with any number of results.
    pub(crate) fn emit_op(
        &mut self,
        kind: OpKind,
        operands: Vec<Value>,
        results: Vec<Type>,
        blocks: Vec<Block>,
    ) -> Vec<Value> {
        self.work = self.work.saturating_add(1);
        let depth = self.blocks.len() as u32;
        let index = self.current().ops.len() as u32;
        let mut values = Vec::with_capacity(results.len());
        for ty in results {
            values.push(Value(self.values.len() as u32));
            self.values.push(ValueInfo::new(ty, None));
            self.origins.push(Origin { depth, index: Some(index), literal: None });
        }
        let op = Op { kind, operands, results: values.clone(), blocks, loc: self.loc(), hints: Vec::new() };
        self.current().ops.push(op);
        values
    }

    /// Emits an op with one result. There is no arithmetic on 8-bit floats: it happens in f32 and is rounded once.
    pub(crate) fn emit(&mut self, kind: OpKind, operands: &[Value], ty: Type) -> Value {
        use OpKind::{Binary, Clamp, Compare, Fma, Unary};
        let computes = matches!(kind, Unary(_) | Binary(_) | Compare(_) | Fma | Clamp { .. });
        if computes && operands.iter().any(|operand| self.ty(*operand).number().is_some_and(ScalarType::is_fp8)) {
            return self.emit_wide(kind, operands, ty);
        }
        self.emit_op(kind, operands.to_vec(), vec![ty], Vec::new())[0]
    }

    /// `a op b` of two values of one type.
    pub(crate) fn scalar_op(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.ty(a).clone();
        self.emit(OpKind::Binary(op), &[a, b], ty)
    }

    fn emit_wide(&mut self, kind: OpKind, operands: &[Value], ty: Type) -> Value {
        let convert = OpKind::Cast(CastKind::FpToFp { toward_zero: false });
        let wide: Vec<Value> = operands
            .iter()
            .map(|operand| {
                let wide = self.ty(*operand).with_scalar(ScalarType::F32);
                self.emit(convert.clone(), &[*operand], wide)
            })
            .collect();
        match ty.number() {
            Some(scalar) if scalar.is_fp8() => {
                let result = self.emit(kind, &wide, ty.with_scalar(ScalarType::F32));
                self.emit(convert, &[result], ty)
            }
            _ => self.emit(kind, &wide, ty),
        }
    }

    /// Emits an op without results.
    pub(crate) fn emit_void(&mut self, kind: OpKind, operands: Vec<Value>) {
        self.emit_op(kind, operands, Vec::new(), Vec::new());
    }

    fn current(&mut self) -> &mut Block {
        self.blocks.last_mut().expect("the kernel's block is always open")
    }

    /// Opens a block; ops go there until [`Self::close_block`].
    pub(crate) fn open_block(&mut self) {
        self.blocks.push(Block::default());
    }

    /// Adds an argument to the innermost open block.
    pub(crate) fn block_arg(&mut self, ty: Type, name: Option<&str>) -> Value {
        let value = self.new_value(ty, name.map(str::to_string));
        self.current().args.push(value);
        value
    }

    /// Closes the innermost block.
    pub(crate) fn close_block(&mut self) -> Block {
        self.blocks.pop().unwrap_or_default()
    }

    /// A constant of this type; a tensor is filled with it.
    pub(crate) fn literal(&mut self, literal: Literal, ty: Type) -> Value {
        let scalar = !ty.is_tensor();
        let value = self.emit(OpKind::Constant(literal), &[], ty);
        if scalar {
            self.origins[value.0 as usize].literal = Some(literal);
        }
        value
    }

    /// An integer constant in the element type of `ty`, as a float where that is one.
    pub(crate) fn int_literal(&mut self, value: i128, ty: Type) -> Value {
        let literal = match ty.number() {
            Some(scalar) if scalar.is_float() => Literal::Float(value as f64),
            _ => Literal::Int(value),
        };
        self.literal(literal, ty)
    }

    /// A Python number in an element type. Integers that do not fit and negative numbers for unsigned types are errors.
    pub(crate) fn number(&mut self, number: Number, ty: Type, span: Span) -> R<Value> {
        let Some(scalar) = ty.number() else {
            let message = format!("the constant {number} cannot become {ty}");
            return Err(self
                .error(tk_diag::TYPE_MISMATCH, span, message, "")
                .help("Cast an integer to the pointer type with `.to`.")
                .into());
        };
        let literal = match (scalar.is_float(), number) {
            // Conversions to 8-bit floats saturate, so constants do, too.
            (true, number) if scalar == ScalarType::F8E4M3 => Literal::Float(number.as_f64().clamp(-448.0, 448.0)),
            (true, number) if scalar == ScalarType::F8E5M2 => Literal::Float(number.as_f64().clamp(-57344.0, 57344.0)),
            (true, number) => Literal::Float(number.as_f64()),
            (false, Number::Float(0.0)) => Literal::Int(0),
            (false, Number::Float(f)) => {
                let message =
                    format!("the constant {} cannot become {scalar} without losing its fraction", Number::Float(f));
                return Err(self
                    .error(tk_diag::TYPE_MISMATCH, span, message, "a float constant")
                    .help("Write an integer, or use a float type.")
                    .into());
            }
            (false, number) => Literal::Int(self.fitting(number, scalar, span)?),
        };
        Ok(self.literal(literal, ty))
    }

    fn fitting(&self, number: Number, scalar: ScalarType, span: Span) -> R<i128> {
        let value = number.as_int().unwrap_or_default();
        let (low, high) = int_range(scalar);
        if value >= low && value <= high {
            return Ok(value);
        }
        let message = format!("the constant {number} does not fit {scalar}");
        let help = if value < 0 && low == 0 {
            "Cast the unsigned operand to a signed type first."
        } else {
            "Cast the other operand to a wider type first."
        };
        Err(self.error(tk_diag::TOO_LARGE, span, message, format!("{scalar} holds {low} to {high}")).help(help).into())
    }

    /// A number as a value of its natural type.
    pub(crate) fn natural_number(&mut self, number: Number, span: Span) -> R<Value> {
        match number.natural_type() {
            Some(scalar) => self.number(number, Type::scalar(scalar), span),
            None => {
                let message = format!("the constant {number} does not fit any integer type");
                Err(self
                    .error(tk_diag::TOO_LARGE, span, message, "needs more than 64 bits")
                    .help("The widest types are int64 and uint64.")
                    .into())
            }
        }
    }

    /// Any number or value as a value; other meanings are errors that say what `what` needs.
    pub(crate) fn value_of(&mut self, what: &str, arg: &crate::value::Spanned<'a>) -> R<Value> {
        match &arg.val {
            Val::Value(value) => Ok(*value),
            other => match other.number() {
                Some(number) => self.natural_number(number, arg.span),
                None => {
                    let found = self.describe(other);
                    Err(self
                        .error(
                            tk_diag::TYPE_MISMATCH,
                            arg.span,
                            format!("{what} must be a tensor or a number"),
                            format!("this is {found}"),
                        )
                        .help("Pass a run-time value or a numeric constant.")
                        .into())
                }
            },
        }
    }

    /// Zero (or a null pointer) of any type: the value of a variable on a path that never uses it.
    pub(crate) fn placeholder(&mut self, ty: &Type) -> Value {
        match &ty.element {
            Element::Pointer { .. } => {
                let zero = self.int_literal(0, ty.with_scalar(ScalarType::I64));
                self.emit(OpKind::Cast(crate::checked::CastKind::IntToPtr), &[zero], ty.clone())
            }
            _ => self.int_literal(0, ty.clone()),
        }
    }

    /// Asserts a fact about a value at its defining op or parameter.
    pub(crate) fn hint(&mut self, value: Value, hint: Hint, numbers: Vec<u32>) {
        let origin = self.origins[value.0 as usize];
        let Some(index) = origin.index else {
            if let (Hint::Divisibility, Some(param)) = (hint, self.params.iter_mut().find(|p| p.value == value)) {
                param.facts.multiple_of = param.facts.multiple_of.max(numbers.first().copied().unwrap_or(1));
            }
            return;
        };
        let block = (origin.depth as usize).checked_sub(1).and_then(|depth| self.blocks.get_mut(depth));
        let Some(op) = block.and_then(|block| block.ops.get_mut(index as usize)) else { return };
        if op.results.contains(&value) {
            op.hints.retain(|(known, _)| *known != hint);
            op.hints.push((hint, numbers));
        }
    }
}

/// The least and greatest value of an integer type.
pub(crate) fn int_range(scalar: ScalarType) -> (i128, i128) {
    let bits = scalar.bits();
    if scalar.is_signed_int() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}
