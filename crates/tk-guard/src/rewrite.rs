//! Rebuilding a kernel op by op, with the builder of checked kernels, and checks that wait for a good place.

use tk_check::checked::{
    Block, Builder, CastKind, CompareOp, GUARD_HOLDS, Kernel, Literal, Loc, Op, OpKind, Type, Value,
};
use tk_types::ScalarType;

/// A kernel whose body is being rebuilt.
pub(crate) struct Rewriter {
    /// Without its values, which the builder has.
    kernel: Kernel,
    builder: Builder,
    /// Checks that wait for the loads after them: a check branches, and no load moves over a branch.
    later: Vec<Op>,
}

impl Rewriter {
    /// A rewriter for a kernel, and the body that it is to rebuild.
    pub(crate) fn new(mut kernel: Kernel) -> (Self, Block) {
        let (values, body) = (std::mem::take(&mut kernel.values), std::mem::take(&mut kernel.body));
        (Self { kernel, builder: Builder::new(values), later: Vec::new() }, body)
    }

    /// The kernel with this body.
    pub(crate) fn finish(self, body: Block) -> Kernel {
        let (values, _) = self.builder.finish();
        Kernel { values, body, ..self.kernel }
    }

    /// Opens a block; ops go there until [`Self::close_block`].
    pub(crate) fn open_block(&mut self) {
        self.builder.open_block();
    }

    /// Closes the innermost block and gives its ops.
    pub(crate) fn close_block(&mut self) -> Vec<Op> {
        self.builder.close_block().ops
    }

    /// Says where ops written from now on come from.
    pub(crate) fn set_loc(&mut self, loc: Loc) {
        self.builder.set_loc(loc);
    }

    pub(crate) fn ty(&self, value: Value) -> Type {
        self.builder.ty(value).clone()
    }

    /// A value that something else defines, in place of `like` and with its name.
    pub(crate) fn value_like(&mut self, like: Value, ty: Type) -> Value {
        let name = self.builder.values()[like.0 as usize].name.clone();
        self.builder.value(ty, name)
    }

    /// Appends an op with one result.
    pub(crate) fn emit(&mut self, kind: OpKind, operands: &[Value], ty: Type) -> Value {
        self.builder.emit(kind, operands, ty)
    }

    /// Appends an op that is there already.
    pub(crate) fn push(&mut self, op: Op) {
        self.builder.push(op);
    }

    /// An integer, of the shape of `ty`.
    pub(crate) fn int(&mut self, value: i128, ty: Type) -> Value {
        self.builder.literal(Literal::Int(value), ty)
    }

    /// A signed integer as 64 bits.
    pub(crate) fn extended(&mut self, value: Value) -> Value {
        self.builder.cast_number(CastKind::ExtS, value, ScalarType::I64)
    }

    /// A scalar in the shape of another value.
    pub(crate) fn shaped(&mut self, scalar: Value, like: Value) -> Value {
        let shape = self.builder.ty(like).shape.clone();
        self.builder.splat(scalar, &shape)
    }

    /// A comparison.
    pub(crate) fn compare(&mut self, op: CompareOp, a: Value, b: Value) -> Value {
        self.builder.compare(op, a, b)
    }

    /// Records `value` at a site of the record where `holds` is false.
    pub(crate) fn guard(&mut self, record: Value, site: u32, holds: Value, value: Value) {
        let fine = self.int(GUARD_HOLDS.into(), self.ty(value));
        let told = self.builder.select(holds, fine, value);
        self.builder.effect(OpKind::Guard { site }, vec![record, told]);
    }

    /// Keeps what `write` writes for the next [`Self::settle`].
    pub(crate) fn later(&mut self, write: impl FnOnce(&mut Self)) {
        self.open_block();
        write(self);
        let written = self.close_block();
        self.later.extend(written);
    }

    /// Writes the checks that wait: before anything is stored, before control goes elsewhere, and at the end of a block.
    pub(crate) fn settle(&mut self) {
        self.builder.extend(self.later.drain(..));
    }
}
