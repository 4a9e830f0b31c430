//! The one way by which operations of a checked kernel are made.
//!
//! A builder owns the values, what is known of where they come from, the blocks that are open, and the place that operations
//! come from. Operations go to the innermost open block. Whoever makes a kernel (the checker) or rebuilds one (padding,
//! checks at run time) does it through a builder, so that rules of all operations are here: arithmetic of 8-bit floats happens
//! in fp32, scalar constants are remembered and filled into tensors directly, and every operation has a place.

use super::{
    BinaryOp, Block, CastKind, CompareOp, Element, Hint, Literal, Loc, Op, OpClass, OpKind, Type, UnaryOp, Value,
    ValueInfo,
};
use tk_diag::Span;
use tk_types::ScalarType;

/// What is known of where a value comes from.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    /// How many blocks were open where it was made.
    depth: u32,
    /// The index of the defining op in its block; nothing for parameters and block arguments.
    index: Option<u32>,
    /// The scalar constant that it is.
    literal: Option<Literal>,
}

/// Makes values, operations and blocks. See the [module](self).
#[derive(Debug)]
pub struct Builder {
    values: Vec<ValueInfo>,
    /// One per value.
    origins: Vec<Origin>,
    /// Open blocks, innermost last.
    blocks: Vec<Block>,
    loc: Loc,
    made: u32,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

/// Places and blocks.
impl Builder {
    /// A builder with one open block, of a kernel that has these values. Nothing is known of where those come from.
    pub fn new(values: Vec<ValueInfo>) -> Self {
        Self {
            origins: vec![Origin::default(); values.len()],
            values,
            blocks: vec![Block::default()],
            loc: Loc { span: Span::default(), call: None },
            made: 0,
        }
    }

    /// All values and the outermost block.
    pub fn finish(mut self) -> (Vec<ValueInfo>, Block) {
        self.blocks.truncate(1);
        (self.values, self.blocks.pop().unwrap_or_default())
    }

    /// How many operations were made, those that are gone included.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Where operations made now come from.
    pub fn loc(&self) -> Loc {
        self.loc
    }

    /// Says where operations made from now on come from; gives the place before.
    pub fn set_loc(&mut self, loc: Loc) -> Loc {
        std::mem::replace(&mut self.loc, loc)
    }

    /// See [`Self::set_loc`]: the place alone, in the same chain of calls.
    pub fn set_span(&mut self, span: Span) -> Span {
        std::mem::replace(&mut self.loc.span, span)
    }

    /// See [`Self::set_loc`]: the chain of calls alone.
    pub fn set_call(&mut self, call: Option<u32>) -> Option<u32> {
        std::mem::replace(&mut self.loc.call, call)
    }

    fn current(&mut self) -> &mut Block {
        self.blocks.last_mut().expect("the outermost block is always open")
    }

    /// How many blocks are open; the outermost counts.
    pub fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// Opens a block; operations go there until [`Self::close_block`].
    pub fn open_block(&mut self) {
        self.reopen_block(Block::default());
    }

    /// Opens a block that has operations already; new ones go to its end.
    pub fn reopen_block(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// Adds an argument to the innermost open block.
    pub fn block_argument(&mut self, ty: Type, name: Option<&str>) -> Value {
        let value = self.value(ty, name.map(str::to_string));
        self.current().args.push(value);
        value
    }

    /// Closes the innermost block. Its yields are the caller's to set.
    pub fn close_block(&mut self) -> Block {
        self.blocks.pop().unwrap_or_default()
    }
}

/// Values.
impl Builder {
    /// All values.
    pub fn values(&self) -> &[ValueInfo] {
        &self.values
    }

    /// What is known of a value.
    pub fn info_mut(&mut self, value: Value) -> &mut ValueInfo {
        &mut self.values[value.0 as usize]
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> &Type {
        &self.values[value.0 as usize].ty
    }

    /// The scalar constant that a value is.
    pub fn literal_of(&self, value: Value) -> Option<Literal> {
        self.origins[value.0 as usize].literal
    }

    /// A value without an operation: a parameter, or what an operation pushed later defines.
    pub fn value(&mut self, ty: Type, name: Option<String>) -> Value {
        let depth = self.blocks.len() as u32;
        self.new_value(ValueInfo::new(ty, name), Origin { depth, index: None, literal: None })
    }

    fn new_value(&mut self, info: ValueInfo, origin: Origin) -> Value {
        let value = Value(self.values.len() as u32);
        self.values.push(info);
        self.origins.push(origin);
        value
    }

    /// Forgets the values from number `count` on. The caller drops the blocks that name them.
    pub fn forget_values(&mut self, count: usize) {
        self.values.truncate(count);
        self.origins.truncate(count);
    }

    /// Asserts a fact about a value from here on. The operation that gives the value says it, in place of an earlier fact of that kind,
    /// where that operation is in the same block and gives nothing else; otherwise a [`OpKind::Hint`] does.
    pub fn hint(&mut self, value: Value, hint: Hint, numbers: Vec<u32>) {
        let origin = self.origins[value.0 as usize];
        let is_here = origin.depth as usize == self.blocks.len();
        let index = origin.index.filter(|_| is_here);
        let op = index.and_then(|index| self.current().ops.get_mut(index as usize));
        match op.filter(|op| op.results == [value] && op.blocks.is_empty()) {
            Some(op) => {
                op.hints.retain(|(known, _)| *known != hint);
                op.hints.push((hint, numbers));
            }
            None => self.effect(OpKind::Hint { hint, numbers }, vec![value]),
        }
    }
}

/// Operations of any kind.
impl Builder {
    /// Appends an operation that is there already: a rewriter's.
    pub fn push(&mut self, op: Op) {
        self.current().ops.push(op);
    }

    /// Appends operations that are there already, in their order.
    pub fn extend(&mut self, ops: impl IntoIterator<Item = Op>) {
        self.current().ops.extend(ops);
    }

    /// Makes an operation with any number of results and blocks.
    pub fn op(&mut self, kind: OpKind, operands: Vec<Value>, results: Vec<Type>, blocks: Vec<Block>) -> Vec<Value> {
        self.made = self.made.saturating_add(1);
        let index = Some(self.current().ops.len() as u32);
        let origin = Origin { depth: self.blocks.len() as u32, index, literal: None };
        let results: Vec<Value> =
            results.into_iter().map(|ty| self.new_value(ValueInfo::new(ty, None), origin)).collect();
        let op = Op { kind, operands, results: results.clone(), blocks, loc: self.loc, hints: Vec::new() };
        self.push(op);
        results
    }

    /// Makes an operation with one result. There is no arithmetic on 8-bit floats: it happens in fp32 and is rounded once.
    pub fn emit(&mut self, kind: OpKind, operands: &[Value], ty: Type) -> Value {
        let computes = kind.class() == OpClass::Arithmetic;
        if computes && operands.iter().any(|operand| self.ty(*operand).number().is_some_and(ScalarType::is_fp8)) {
            return self.emit_wide(kind, operands, ty);
        }
        self.op(kind, operands.to_vec(), vec![ty], Vec::new())[0]
    }

    fn emit_wide(&mut self, kind: OpKind, operands: &[Value], ty: Type) -> Value {
        let convert = CastKind::FpToFp { toward_zero: false };
        let wide: Vec<Value> =
            operands.iter().map(|operand| self.cast_number(convert, *operand, ScalarType::F32)).collect();
        match ty.number() {
            Some(scalar) if scalar.is_fp8() => {
                let result = self.emit(kind, &wide, ty.with_scalar(ScalarType::F32));
                self.cast(convert, result, ty)
            }
            _ => self.emit(kind, &wide, ty),
        }
    }

    /// Makes an operation without results.
    pub fn effect(&mut self, kind: OpKind, operands: Vec<Value>) {
        self.op(kind, operands, Vec::new(), Vec::new());
    }
}

/// Constants.
impl Builder {
    /// A constant of this type; a tensor is filled with it.
    pub fn literal(&mut self, literal: Literal, ty: Type) -> Value {
        let is_scalar = !ty.is_tensor();
        let value = self.emit(OpKind::Constant(literal), &[], ty);
        if is_scalar {
            self.origins[value.0 as usize].literal = Some(literal);
        }
        value
    }

    /// An integer in the element type of `ty`, as a float where that is one.
    pub fn int(&mut self, value: i128, ty: Type) -> Value {
        let literal = match ty.number() {
            Some(scalar) if scalar.is_float() => Literal::Float(value as f64),
            _ => Literal::Int(value),
        };
        self.literal(literal, ty)
    }

    /// Zero, or a null pointer, of any type.
    pub fn zero(&mut self, ty: &Type) -> Value {
        match &ty.element {
            Element::Pointer { .. } => {
                let zero = self.int(0, ty.with_scalar(ScalarType::I64));
                self.cast(CastKind::IntToPtr, zero, ty.clone())
            }
            Element::Scalar(_) | Element::Descriptor { .. } => self.int(0, ty.clone()),
        }
    }
}

/// Operations on elements. Operands have one type and one shape, which the result has, too.
impl Builder {
    /// `a op b`.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.ty(a).clone();
        self.emit(OpKind::Binary(op), &[a, b], ty)
    }

    /// `op x`.
    pub fn unary(&mut self, op: UnaryOp, x: Value) -> Value {
        let ty = self.ty(x).clone();
        self.emit(OpKind::Unary(op), &[x], ty)
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, a: Value, b: Value, c: Value) -> Value {
        let ty = self.ty(a).clone();
        self.emit(OpKind::Fma, &[a, b, c], ty)
    }

    /// i1: `a op b`.
    pub fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Value {
        let ty = self.ty(a).with_scalar(ScalarType::I1);
        self.emit(OpKind::Compare(op), &[a, b], ty)
    }

    /// `yes` where the i1 condition holds, else `no`.
    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let ty = self.ty(yes).clone();
        self.emit(OpKind::Select, &[condition, yes, no], ty)
    }

    /// A change of type.
    pub fn cast(&mut self, kind: CastKind, value: Value, ty: Type) -> Value {
        self.emit(OpKind::Cast(kind), &[value], ty)
    }

    /// See [`Self::cast`]: to numbers of this type, in the same shape.
    pub fn cast_number(&mut self, kind: CastKind, value: Value, to: ScalarType) -> Value {
        let ty = self.ty(value).with_scalar(to);
        self.cast(kind, value, ty)
    }

    /// The same bits read as another type of the same width; the value itself where it has that type.
    pub fn reinterpret(&mut self, value: Value, to: ScalarType) -> Value {
        let ty = self.ty(value).with_scalar(to);
        if *self.ty(value) == ty { value } else { self.cast(CastKind::Bitcast, value, ty) }
    }
}

/// Shapes.
impl Builder {
    /// `start..end` as a 1-D i32 tensor.
    pub fn range(&mut self, start: i32, end: i32) -> Value {
        let shape = vec![end.abs_diff(start)];
        let ty = Type { element: Element::Scalar(ScalarType::I32), shape };
        self.emit(OpKind::MakeRange { start, end }, &[], ty)
    }

    /// A scalar in every element of `shape`. A constant becomes a tensor constant, which saves an operation.
    pub fn splat(&mut self, value: Value, shape: &[u32]) -> Value {
        if shape.is_empty() {
            return value;
        }
        let ty = Type { element: self.ty(value).element.clone(), shape: shape.to_vec() };
        match self.literal_of(value) {
            Some(literal) => self.literal(literal, ty),
            None => self.emit(OpKind::Splat, &[value], ty),
        }
    }

    /// Inserts a dimension of 1; a scalar becomes a tensor of one element.
    pub fn expand_dim(&mut self, value: Value, axis: u32) -> Value {
        let ty = self.ty(value);
        if !ty.is_tensor() {
            return self.splat(value, &[1]);
        }
        let mut ty = ty.clone();
        ty.shape.insert((axis as usize).min(ty.shape.len()), 1);
        self.emit(OpKind::ExpandDims { axis }, &[value], ty)
    }

    /// A value grown to a shape that it is known to broadcast to: ranks are padded with ones on the left, and dimensions of 1
    /// grow.
    pub fn broadcast(&mut self, value: Value, shape: &[u32]) -> Value {
        if self.ty(value).shape == shape {
            return value;
        }
        if !self.ty(value).is_tensor() {
            return self.splat(value, shape);
        }
        let mut value = value;
        while self.ty(value).shape.len() < shape.len() {
            value = self.expand_dim(value, 0);
        }
        if self.ty(value).shape == shape {
            return value;
        }
        let ty = Type { element: self.ty(value).element.clone(), shape: shape.to_vec() };
        self.emit(OpKind::Broadcast, &[value], ty)
    }

    /// A tensor with its elements in another shape, in row-major order; the tensor itself where it has that shape.
    pub fn reshape(&mut self, value: Value, shape: Vec<u32>) -> Value {
        if self.ty(value).shape == shape {
            return value;
        }
        let ty = Type { element: self.ty(value).element.clone(), shape };
        self.emit(OpKind::Reshape { allow_reorder: false }, &[value], ty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scalar: ScalarType, shape: &[u32]) -> Type {
        Type { element: Element::Scalar(scalar), shape: shape.to_vec() }
    }

    #[test]
    fn constant_that_is_splat_is_a_tensor_constant() {
        let mut builder = Builder::default();
        let one = builder.int(1, Type::scalar(ScalarType::I32));
        let tensor = builder.splat(one, &[4]);
        assert_eq!(builder.literal_of(one), Some(Literal::Int(1)));
        assert_eq!(builder.literal_of(tensor), None);
        let (_, block) = builder.finish();
        let kinds: Vec<OpKind> = block.ops.into_iter().map(|op| op.kind).collect();
        assert_eq!(kinds, vec![OpKind::Constant(Literal::Int(1)); 2]);
    }

    #[test]
    fn sum_of_8_bit_floats_is_computed_in_fp32() {
        let mut builder = Builder::default();
        let x = builder.value(of(ScalarType::F8E5M2, &[4]), None);
        let sum = builder.binary(BinaryOp::AddF, x, x);
        assert_eq!(builder.ty(sum), &of(ScalarType::F8E5M2, &[4]));
        let (values, block) = builder.finish();
        let add = block.ops.iter().find(|op| op.kind == OpKind::Binary(BinaryOp::AddF)).expect("there is a sum");
        assert_eq!(values[add.results[0].0 as usize].ty, of(ScalarType::F32, &[4]));
    }

    #[test]
    fn fact_is_at_the_operation_that_defines_the_value() {
        let mut builder = Builder::default();
        let parameter = builder.value(Type::scalar(ScalarType::I32), None);
        let sum = builder.binary(BinaryOp::AddI, parameter, parameter);
        builder.hint(sum, Hint::Divisibility, vec![8]);
        builder.hint(sum, Hint::Divisibility, vec![16]);
        let (_, block) = builder.finish();
        assert_eq!(block.ops[0].hints, vec![(Hint::Divisibility, vec![16])]);
    }

    #[test]
    fn fact_that_holds_in_a_part_of_the_program_is_an_operation() {
        let mut builder = Builder::default();
        let parameter = builder.value(Type::scalar(ScalarType::I32), None);
        let sum = builder.binary(BinaryOp::AddI, parameter, parameter);
        builder.open_block();
        let argument = builder.block_argument(Type::scalar(ScalarType::I32), None);
        for value in [parameter, sum, argument] {
            builder.hint(value, Hint::Divisibility, vec![16]);
        }
        let inner = builder.close_block();
        let (_, outer) = builder.finish();
        assert!(outer.ops.iter().all(|op| op.hints.is_empty()));
        let about: Vec<Value> = inner.ops.iter().map(|op| op.operands[0]).collect();
        assert_eq!(about, [parameter, sum, argument]);
    }
}
