//! Checked types as MLIR types. Signedness and constness are lost here, except in descriptors; the ops carry them.

use tk_check::checked::{Element, Type};
use tk_ir::Context;

/// The MLIR type of a checked type.
pub(crate) fn of<'c>(context: &'c Context, ty: &Type) -> tk_ir::Type<'c> {
    let element = element(context, &ty.element);
    if ty.shape.is_empty() {
        return element;
    }
    let shape: Vec<i64> = ty.shape.iter().map(|dim| i64::from(*dim)).collect();
    context.tensor(&shape, element, None)
}

fn element<'c>(context: &'c Context, element: &Element) -> tk_ir::Type<'c> {
    match element {
        Element::Scalar(scalar) => context.scalar(*scalar),
        Element::Pointer { pointee, .. } => context.ptr(self::element(context, pointee)),
        Element::Descriptor { element, block } => {
            let shape: Vec<i64> = block.iter().map(|dim| i64::from(*dim)).collect();
            // Reductions by descriptors have no sign of their own, so integers keep theirs here, as in Triton.
            context.tensor_desc(context.tensor(&shape, context.signed_scalar(*element), None))
        }
    }
}
