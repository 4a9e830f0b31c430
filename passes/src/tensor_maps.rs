//! Tensor maps that a kernel makes: 128 bytes of scratch memory of the CTA for each, which TMA reads.
//!
//! Filling a map in takes hundreds of cycles, most of which are the way to global memory and back. So each map has a warp that makes it, and
//! maps that are made in a row are made at once. No thread copies by a map before all have met; `insert-barriers` sees to that.
//!
//! A map that is made in a loop is written again, so nothing may copy by it any more. Loads have been waited for: every thread waits for
//! their `mbarrier`, also the ones that write the map. Of stores each thread knows only its own, so all are waited for, and a barrier follows.

use crate::analysis::descriptor_groups::descriptor_groups;
use crate::attributes::{Threads, WARP};
use crate::control_flow::loop_depth;
use crate::operations::memory::is_ordered_access;
use crate::tma_lowering::store_wait;
use rustc_hash::FxHashSet;
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::MakeTensorDescriptorOp;
use tk_ir::{Builder, Module, Op, OpKind, Type, Value};
use tk_layout::tensor_map::copy_box;
use tk_types::ScalarType;

/// Bytes of a tensor map, and their alignment.
pub(crate) const MAP_BYTES: i32 = 128;

/// Gives every descriptor that is still to be made a map of its own.
pub(crate) fn make_maps(module: &Module<'_>, function: Op<'_>) -> Result<()> {
    let made: Vec<MakeTensorDescriptorOp<'_>> =
        function.descendants().into_iter().filter_map(MakeTensorDescriptorOp::cast).collect();
    if made.is_empty() {
        return Ok(());
    }
    let mut maps = TensorMapWriter::of(module, function)?;
    for make in made {
        let mut builder = Builder::before(make.op);
        let memory = map_memory(&mut builder, 1);
        maps.write(make, memory)?;
    }
    Ok(())
}

/// Scratch memory for `count` maps.
pub(crate) fn map_memory<'c>(builder: &mut Builder<'c>, count: u32) -> Value<'c> {
    let context = builder.context();
    let alloc = [("nbytes", context.i32_attr(MAP_BYTES * count as i32)), ("alignment", context.i32_attr(MAP_BYTES))];
    builder.create(OpKind::TtgGlobalScratchAlloc, &[], &[context.ptr(context.i(8))], &alloc).result(0)
}

/// How the maps of a function are made.
pub(crate) struct TensorMapWriter {
    num_warps: u32,
    next_warp: u32,
    /// The operations that make descriptors by which something is stored.
    stored_through: FxHashSet<usize>,
}

impl TensorMapWriter {
    pub(crate) fn of(module: &Module<'_>, function: Op<'_>) -> Result<Self> {
        let is_stored_through = |value: &Value<'_>| value.users().iter().any(|(user, _)| is_ordered_access(*user));
        let groups = descriptor_groups(function).into_iter().filter(|group| group.values.iter().any(is_stored_through));
        let stored_through = groups.flat_map(|group| group.values).filter_map(|value| Some(value.defining_op()?.id()));
        Ok(Self { num_warps: Threads::of(module)?.num_warps, next_warp: 0, stored_through: stored_through.collect() })
    }

    /// Writes the map of a descriptor to `memory`, in the place of the operation that makes the descriptor; gives the last of the new operations.
    pub(crate) fn write<'c>(&mut self, make: MakeTensorDescriptorOp<'c>, memory: Value<'c>) -> Result<Op<'c>> {
        let (op, context) = (make.op, make.op.context());
        let ty = op.result(0).ty();
        let mut builder = Builder::before(op);
        if loop_depth(op) > 0 && self.stored_through.contains(&op.id()) {
            store_wait(&mut builder);
        }
        let warp = (WARP, context.i32_attr((self.next_warp % self.num_warps) as i32));
        self.next_warp += 1;
        create(&mut builder, make, memory)?.set_attr(warp.0, warp.1);
        builder.create(OpKind::TtngTensormapFenceproxyAcquire, &[memory], &[], &[warp]);
        let descriptor = builder.create(OpKind::TtngReinterpretTensorDescriptor, &[memory], &[ty], &[]);
        op.result(0).replace_all_uses_with(descriptor.result(0));
        op.erase();
        Ok(descriptor)
    }
}

/// What a tensor map says of one block.
struct BlockOfMap {
    /// Elements along each axis, slowest first.
    boxes: Vec<i64>,
    /// Bytes of a row of the swizzle; 0 without one.
    swizzle: u32,
    /// The number of the element type.
    element: u32,
    bits: u32,
}

impl BlockOfMap {
    /// `None` where no tensor map describes blocks of this type.
    fn of(block: Type<'_>) -> Option<Self> {
        let bits = block.element_bits();
        let (boxes, swizzle) = copy_box(&*block.layout()?, &block.shape(), bits)?;
        Some(Self { boxes, swizzle, element: element_number(block.element())?, bits })
    }
}

/// `ttng.tensormap_create`, fastest axis first.
fn create<'c>(builder: &mut Builder<'c>, make: MakeTensorDescriptorOp<'c>, memory: Value<'c>) -> Result<Op<'c>> {
    let context = builder.context();
    let ty = make.op.result(0).ty();
    let Some(block) = ty.descriptor_block().and_then(BlockOfMap::of) else {
        return Err(Diagnostic::bug(format!("no tensor map describes {ty}")).boxed());
    };
    let BlockOfMap { boxes, swizzle, element, bits } = block;
    let (mut shape, mut strides) = (make.shape(), make.strides());
    shape.reverse();
    strides.pop();
    strides.reverse();
    let size = builder.int(context.i(64), i64::from(bits / 8));
    let strides: Vec<_> = strides.into_iter().map(|stride| builder.binary(OpKind::ArithMulI, stride, size)).collect();
    let boxes: Vec<_> = boxes.iter().rev().map(|size| builder.i32(*size as i32)).collect();
    let ones: Vec<_> = shape.iter().map(|_| builder.i32(1)).collect();
    let segments: Vec<i32> = [1, 1, boxes.len(), shape.len(), strides.len(), ones.len()].map(|n| n as i32).to_vec();
    let operands: Vec<Value<'_>> = [vec![memory, make.base()], boxes, shape, strides, ones].concat();
    let number = |value: u32| context.i32_attr(value as i32);
    let attributes = [
        ("operandSegmentSizes", context.i32_array(&segments)),
        ("elem_type", number(element)),
        ("interleave_layout", number(0)),
        ("swizzle_mode", number(if swizzle == 0 { 0 } else { (swizzle / 16).ilog2() })),
        ("fill_mode", number(make.pads_with_nan().into())),
    ];
    Ok(builder.create(OpKind::TtngTensormapCreate, &operands, &[], &attributes))
}

/// The number of an element type in a tensor map (PTX, `tensormap.replace`, field `elemtype`).
fn element_number(element: Type<'_>) -> Option<u32> {
    if let Some(float) = element.float() {
        return Some(match float {
            ScalarType::F16 => 6,
            ScalarType::F32 => 7,
            ScalarType::F64 => 9,
            ScalarType::BF16 => 10,
            // Bytes: no unit of TMA looks at them.
            ScalarType::F8E4M3
            | ScalarType::F8E5M2
            | ScalarType::F8E4B15
            | ScalarType::F8E4M3B8
            | ScalarType::F8E5M2B16 => 0,
            ScalarType::I1
            | ScalarType::I8
            | ScalarType::I16
            | ScalarType::I32
            | ScalarType::I64
            | ScalarType::U8
            | ScalarType::U16
            | ScalarType::U32
            | ScalarType::U64 => return None,
        });
    }
    let signed = u32::from(element.is_signed_int());
    Some(match element.int_bits()? {
        8 => 0,
        16 => 1,
        32 => 2 + signed,
        64 => 4 + signed,
        _ => return None,
    })
}
