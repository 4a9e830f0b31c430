//! Tensor maps made by the kernel itself: 128 opaque bytes in global memory, filled field by field.
//!
//! Each CTA has its own scratch memory for them, a hidden last parameter of the kernel. The first warp fills a map in place and
//! releases it to the proxy that reads maps; everyone acquires it after a barrier.

use super::Emitter;
use crate::code::{Asm, IntTest, Reg, Ty};
use std::fmt::Write;
use tk_diag::Result;
use tk_ir::{Op, OpKind};

/// Bytes of a tensor map.
const MAP_BYTES: i64 = 128;

/// `ttg.global_scratch_alloc`: the part of the CTA's scratch memory that was planned for it.
pub(super) fn emit_scratch<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let Some(scratch) = emitter.global_scratch.clone() else {
        return Err(emitter.bug(op, "the kernel has no scratch memory"));
    };
    let offset =
        scratch.offset_of(op).ok_or_else(|| emitter.bug(op, "it is not part of the kernel's scratch memory"))?;
    let code = &mut emitter.code;
    let mut read = |register: &str, axis: &str| {
        code.intrinsic(&format!("llvm.nvvm.read.ptx.sreg.{register}.{axis}"), Ty::I32, &[])
    };
    let (x, y, z) = (read("ctaid", "x"), read("ctaid", "y"), read("ctaid", "z"));
    let (columns, rows) = (read("nctaid", "x"), read("nctaid", "y"));
    let above = code.mul(z, rows);
    let above = code.add(above, y);
    let above = code.mul(above, columns);
    let cta = code.add(above, x);
    let cta = code.zext(cta, Ty::I64);
    let bytes = code.int(Ty::I64, scratch.bytes.into());
    let bytes = code.mul(cta, bytes);
    let own = code.ptr_add(scratch.parameter, bytes);
    let address = own.with_offset(own.offset() + i64::from(offset));
    emitter.define_scalar(op.result(0), address);
    Ok(())
}

/// Scratch memory of a kernel in global memory.
#[derive(Clone)]
pub(crate) struct GlobalScratch {
    /// The hidden parameter.
    pub(crate) parameter: Reg,
    /// Bytes of each CTA.
    pub(crate) bytes: u32,
    offsets: Vec<(usize, u32)>,
}

impl GlobalScratch {
    /// Bytes per CTA, and where each allocation in `function` starts; nothing when there are none.
    pub(crate) fn plan(function: Op<'_>) -> (u32, Vec<(usize, u32)>) {
        let mut end = 0u32;
        let mut offsets = Vec::new();
        for op in function.descendants() {
            if op.kind() != OpKind::TtgGlobalScratchAlloc {
                continue;
            }
            let number = |name: &str| op.int_attr(name).and_then(|value| u32::try_from(value).ok());
            let alignment = number("alignment").unwrap_or(1).max(1);
            let start = end.next_multiple_of(alignment);
            offsets.push((op.id(), start));
            end = start + number("nbytes").unwrap_or(0);
        }
        // Every CTA's part is aligned as the first one is.
        (end.next_multiple_of(MAP_BYTES as u32), offsets)
    }

    /// The planned memory behind a parameter.
    pub(crate) fn new(parameter: Reg, bytes: u32, offsets: Vec<(usize, u32)>) -> Self {
        Self { parameter, bytes, offsets }
    }

    fn offset_of(&self, op: Op<'_>) -> Option<u32> {
        self.offsets.iter().find(|(id, _)| *id == op.id()).map(|(_, offset)| *offset)
    }
}

/// `ttng.tensormap_create`.
pub(super) fn emit_create<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let map = emitter.scalar(op.operand(0))?;
    let base = emitter.scalar(op.operand(1))?;
    let mut lists = Vec::with_capacity(4);
    for segment in 2..6 {
        let values: Result<Vec<Reg>> = op.segment(segment).into_iter().map(|value| emitter.scalar(value)).collect();
        lists.push(values?);
    }
    let number = |name: &str| op.int_attr(name).unwrap_or(0);
    let mut text = String::from("{\n\t");
    let mut inputs = vec![map, base];
    // Operands: 0 the map, 1 the tensor, 2 whether the lane is the first, 3 its word of the map, 4 whether its warp is the first.
    let threads = emitter.threads();
    let code = &mut emitter.code;
    let (none, warp_size, four) = (code.i32(0), code.i32(32), code.i32(4));
    inputs.push(code.icmp(IntTest::Eq, threads.thread, none));
    let byte = code.mul(threads.thread, four);
    let byte = code.zext(byte, Ty::I64);
    inputs.push(code.ptr_add(map, byte));
    inputs.push(code.icmp(IntTest::Ult, threads.thread, warp_size));
    _ = write!(text, "@$4 st.global.b32 [ $3 ], 0;\n\tbar.warp.sync -1;\n\t");
    let mut field = |name: &str, bits: u32, value: &str| {
        _ = write!(text, "@$2 tensormap.replace.tile.{name}.global.b1024.b{bits} [ $0 ], {value};\n\t");
    };
    field("global_address", 64, "$1");
    field("rank", 32, &(lists[0].len() as i64 - 1).to_string());
    let names = [("box_dim", 32), ("global_dim", 32), ("global_stride", 64), ("element_stride", 32)];
    for ((name, bits), values) in names.into_iter().zip(&lists) {
        for (axis, value) in values.iter().enumerate() {
            field(name, bits, &format!("{axis}, ${}", inputs.len()));
            inputs.push(*value);
        }
    }
    field("elemtype", 32, &number("elem_type").to_string());
    field("interleave_layout", 32, &number("interleave_layout").to_string());
    field("swizzle_mode", 32, &number("swizzle_mode").to_string());
    field("fill_mode", 32, &number("fill_mode").to_string());
    text.push_str("@$2 fence.proxy.tensormap::generic.release.gpu;\n\tbar.warp.sync -1;\n\t}");
    emitter.code.asm(Asm::new(text).inputs(&inputs))?;
    Ok(())
}

/// `ttng.tensormap_fenceproxy_acquire`.
pub(super) fn emit_acquire<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let map = emitter.scalar(op.operand(0))?;
    emitter.code.barrier()?;
    emitter
        .code
        .asm(Asm::new(format!("fence.proxy.tensormap::generic.acquire.gpu [ $0 ], {MAP_BYTES};")).input(map))?;
    Ok(())
}

/// `ttng.reinterpret_tensor_descriptor`: a descriptor is the address of its tensor map.
pub(super) fn emit_reinterpret<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let map = emitter.scalar(op.operand(0))?;
    emitter.define_scalar(op.result(0), map);
    Ok(())
}
