//! Says in the type of every tensor descriptor how its blocks lie in shared memory.
//!
//! The hardware copies a block as the tensor map says, so the layout belongs to the descriptor and not to its users. Rows get the widest
//! swizzle that they fill: `wgmma` reads that in place, transposed too, and threads read it without bank conflicts. Blocks of one axis, and
//! those smaller than a tile of the swizzle, lie in plain rows.

use crate::analysis::descriptor_groups::descriptor_groups;
use crate::convert_to_ttg::require_ttg;
use crate::{Pass, PassContext, shared_encodings};
use tk_diag::Result;
use tk_ir::ops::FuncOp;
use tk_ir::{Module, Op, Type};
use tk_layout::{Encoding, NvmmaSharedEncoding, SwizzledSharedEncoding};

/// The pass.
pub const PASS: Pass = Pass {
    name: "optimize-descriptor-encoding",
    summary: "choose how blocks of tensor descriptors lie in shared memory",
    run,
};

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    require_ttg(module)?;
    let context = module.context();
    for function in module.functions() {
        for group in descriptor_groups(function) {
            for value in group.values {
                let Some(block) = value.ty().descriptor_block().filter(|block| block.encoding().is_none()) else {
                    continue;
                };
                value.set_type(context.tensor_desc(block.with_layout(&block_layout(block))));
            }
        }
        update_signature(function);
    }
    Ok(())
}

/// The type of a function says what its parameters now are.
pub(crate) fn update_signature(function: Op<'_>) {
    let Some((view, ty)) = FuncOp::cast(function).and_then(|view| Some((view, view.ty()?))) else { return };
    let inputs: Vec<Type<'_>> = view.args().into_iter().map(|argument| argument.ty()).collect();
    if inputs != ty.function_inputs() {
        let context = function.context();
        let ty = context.function_type(&inputs, &ty.function_results());
        function.set_attr("function_type", context.type_attr(ty));
    }
}

/// The layout in shared memory of a block of a descriptor.
fn block_layout(block: Type<'_>) -> Encoding {
    let shape = block.shape();
    let order: Vec<u32> = (0..shape.len() as u32).rev().collect();
    let rows = (shape.len() > 1).then(|| shared_encodings::nvmma(&shape, &order, block.element_bits()));
    let is_swizzled =
        |layout: &Encoding| matches!(layout, Encoding::NvmmaShared(nvmma) if nvmma.swizzling_byte_width >= 32);
    rows.filter(is_swizzled).unwrap_or_else(|| shared_encodings::plain(&order))
}

/// The layout of a buffer of `rank` axes for blocks of a descriptor, which may have further leading axes of size 1.
pub(crate) fn buffer_layout(descriptor: Type<'_>, rank: usize) -> Option<Encoding> {
    let layout = descriptor.descriptor_block()?.layout()?;
    Some(match &*layout {
        Encoding::NvmmaShared(own) => Encoding::NvmmaShared(NvmmaSharedEncoding { rank: rank as u32, ..own.clone() }),
        Encoding::SwizzledShared(own) => {
            Encoding::SwizzledShared(SwizzledSharedEncoding { order: (0..rank as u32).rev().collect(), ..own.clone() })
        }
        Encoding::PaddedShared(_) | Encoding::SharedLinear(_) => Encoding::clone(&layout),
        // Layouts of registers: no block lies so.
        Encoding::Blocked(_)
        | Encoding::Slice(_)
        | Encoding::NvidiaMma(_)
        | Encoding::DotOp(_)
        | Encoding::Linear(_) => return None,
    })
}
