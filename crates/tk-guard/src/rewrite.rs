//! Rebuilding a kernel op by op: new values, and the list that ops are appended to.

use tk_check::checked::{
    Block, CastKind, CompareOp, GUARD_HOLDS, Kernel, Literal, Loc, Op, OpKind, Type, Value, ValueInfo,
};
use tk_types::ScalarType;

/// A kernel whose body is being rebuilt.
pub(crate) struct Rewriter {
    pub(crate) kernel: Kernel,
    /// The block that is being written.
    pub(crate) ops: Vec<Op>,
    /// Where ops written now come from.
    pub(crate) loc: Loc,
    /// Checks that wait for the loads after them: a check branches, and no load moves over a branch.
    later: Vec<Op>,
}

impl Rewriter {
    pub(crate) fn new(kernel: Kernel) -> Self {
        Self { kernel, ops: Vec::new(), loc: Loc { span: Default::default(), call: None }, later: Vec::new() }
    }

    pub(crate) fn ty(&self, value: Value) -> Type {
        self.kernel.ty(value).clone()
    }

    /// A value without an op.
    pub(crate) fn value(&mut self, ty: Type, name: Option<String>) -> Value {
        let value = Value(self.kernel.values.len() as u32);
        self.kernel.values.push(ValueInfo::new(ty, name));
        value
    }

    /// Appends an op with one result.
    pub(crate) fn emit(&mut self, kind: OpKind, operands: &[Value], ty: Type) -> Value {
        let result = self.value(ty, None);
        self.push(kind, operands.to_vec(), vec![result]);
        result
    }

    /// Appends an op.
    pub(crate) fn push(&mut self, kind: OpKind, operands: Vec<Value>, results: Vec<Value>) {
        let (blocks, hints) = (Vec::new(), Vec::new());
        self.ops.push(Op { kind, operands, results, blocks, loc: self.loc, hints });
    }

    /// An integer, of the shape of `ty`.
    pub(crate) fn int(&mut self, value: i128, ty: Type) -> Value {
        self.emit(OpKind::Constant(Literal::Int(value)), &[], ty)
    }

    /// A signed integer as 64 bits.
    pub(crate) fn extended(&mut self, value: Value) -> Value {
        let wide = self.ty(value).with_scalar(ScalarType::I64);
        self.emit(OpKind::Cast(CastKind::ExtS), &[value], wide)
    }

    /// A scalar in the shape of another value.
    pub(crate) fn shaped(&mut self, scalar: Value, like: Value) -> Value {
        let ty = Type { element: self.ty(scalar).element, shape: self.ty(like).shape };
        if ty.is_tensor() { self.emit(OpKind::Splat, &[scalar], ty) } else { scalar }
    }

    /// A comparison.
    pub(crate) fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Value {
        let ty = self.ty(a).with_scalar(ScalarType::I1);
        self.emit(OpKind::Compare(op), &[a, b], ty)
    }

    /// Records `value` at a site of the record where `holds` is false.
    pub(crate) fn guard(&mut self, record: Value, site: u32, holds: Value, value: Value) {
        let ty = self.ty(value);
        let fine = self.int(GUARD_HOLDS.into(), ty.clone());
        let told = self.emit(OpKind::Select, &[holds, fine, value], ty);
        self.push(OpKind::Guard { site }, vec![record, told], Vec::new());
    }

    /// Keeps what `write` writes for the next [`Self::settle`].
    pub(crate) fn later(&mut self, write: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.ops);
        write(self);
        let written = std::mem::replace(&mut self.ops, before);
        self.later.extend(written);
    }

    /// Writes the checks that wait: before anything is stored, before control goes elsewhere, and at the end of a block.
    pub(crate) fn settle(&mut self) {
        self.ops.append(&mut self.later);
    }

    /// Whether checks may not wait any longer when this op comes.
    pub(crate) fn settles(op: &Op) -> bool {
        !op.blocks.is_empty()
            || matches!(op.kind, OpKind::Store { .. } | OpKind::AtomicRmw { .. } | OpKind::AtomicCas { .. })
    }

    /// The body, taken out to be rebuilt.
    pub(crate) fn take_body(&mut self) -> Block {
        std::mem::take(&mut self.kernel.body)
    }
}
