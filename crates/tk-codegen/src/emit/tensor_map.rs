//! Tensor maps made by the kernel itself: 128 opaque bytes in global memory, filled field by field.
//!
//! Each CTA has its own scratch memory for them, a hidden last parameter of the kernel. One warp fills a map in, copies it there, releasing it to the
//! proxy that reads maps, and acquires it; everyone uses it after a barrier.

use super::Emitter;
use crate::code::{Asm, IntTest, Reg, Ty};
use rustc_hash::FxHashMap;
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
    /// Where each allocation starts, by the number of its operation.
    offsets: FxHashMap<usize, u32>,
}

/// Scratch memory before its parameter is known.
pub(crate) struct ScratchPlan {
    /// Bytes of each CTA; 0 when there are no allocations.
    pub(crate) bytes: u32,
    offsets: FxHashMap<usize, u32>,
}

impl ScratchPlan {
    /// The allocations in `function`, one after the other.
    pub(crate) fn of(function: Op<'_>) -> Self {
        let mut end = 0u32;
        let mut offsets = FxHashMap::default();
        for op in function.descendants() {
            if op.kind() != OpKind::TtgGlobalScratchAlloc {
                continue;
            }
            let number = |name: &str| op.int_attr(name).and_then(|value| u32::try_from(value).ok());
            let alignment = number("alignment").unwrap_or(1).max(1);
            let start = end.next_multiple_of(alignment);
            offsets.insert(op.id(), start);
            end = start + number("nbytes").unwrap_or(0);
        }
        // Every CTA's part is aligned as the first one is.
        Self { bytes: end.next_multiple_of(MAP_BYTES as u32), offsets }
    }
}

impl GlobalScratch {
    /// The planned memory behind a parameter.
    pub(crate) fn new(parameter: Reg, plan: ScratchPlan) -> Self {
        Self { parameter, bytes: plan.bytes, offsets: plan.offsets }
    }

    fn offset_of(&self, op: Op<'_>) -> Option<u32> {
        self.offsets.get(&op.id()).copied()
    }
}

/// `ttng.tensormap_create`: its warp fills the map in in shared memory, where changing a field takes tens of cycles, and copies it to where it belongs.
pub(super) fn emit_create<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let map = emitter.scalar(op.operand(0))?;
    let base = emitter.scalar(op.operand(1))?;
    let mut lists = Vec::with_capacity(4);
    for segment in 2..6 {
        let values: Result<Vec<Reg>> = op.segment(segment).into_iter().map(|value| emitter.scalar(value)).collect();
        lists.push(values?);
    }
    emitter.note_shared(op, "tensor map", MAP_BYTES as u32);
    let staging = emitter.scratch(op)?;
    let (in_warp, lane) = lane_of_warp(emitter, op);
    let code = &mut emitter.code;
    let (none, four) = (code.i32(0), code.i32(4));
    let first = code.icmp(IntTest::Eq, lane, none);
    let byte = code.mul(lane, four);
    let word = code.ptr_add(staging, byte);
    // Operands: 0 the map, 1 the tensor, 2 the copy in shared memory, 3 the lane's word of it, 4 whether it is the warp, 5 whether it is the first lane.
    let mut inputs = vec![map, base, staging.base(), word.base(), in_warp, first];
    let at = |operand: u32, offset: i64| format!("[ ${operand} + {offset} ]");
    let (staged, word) = (at(2, staging.offset()), at(3, word.offset()));
    let mut text =
        format!("{{\n\t@!$4 bra.uni made;\n\tst.shared.b32 {word}, 0;\n\tbar.warp.sync -1;\n\t@!$5 bra filled;\n\t");
    let mut field = |name: &str, bits: u32, value: &str| {
        _ = write!(text, "tensormap.replace.tile.{name}.shared::cta.b1024.b{bits} {staged}, {value};\n\t");
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
    let names = [
        ("elemtype", "elem_type"),
        ("interleave_layout", "interleave_layout"),
        ("swizzle_mode", "swizzle_mode"),
        ("fill_mode", "fill_mode"),
    ];
    for (name, attribute) in names {
        // What is zero is there already.
        if let Some(number) = op.int_attr(attribute).filter(|number| *number != 0) {
            field(name, 32, &number.to_string());
        }
    }
    _ = write!(
        text,
        "filled:\n\tbar.warp.sync -1;\n\ttensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [ $0 ], {staged}, {MAP_BYTES};\n\tmade:\n\t}}"
    );
    emitter.code.asm(Asm::new(text).inputs(&inputs))?;
    Ok(())
}

/// Whether a thread is in the warp that makes a map, and its lane there.
fn lane_of_warp<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> (Reg, Reg) {
    let warp = op.int_attr(tk_ir::attributes::WARP).unwrap_or(0);
    let thread = emitter.threads().thread;
    let code = &mut emitter.code;
    let (start, threads) = (code.i32(32 * warp), code.i32(32));
    let lane = code.sub(thread, start);
    (code.icmp(IntTest::Ult, lane, threads), lane)
}

/// `ttng.tensormap_fenceproxy_acquire`: the map's warp acquires it; `insert-barriers` has put a barrier before it is used.
///
/// The fence drops what the accelerator still knows of the memory, and ptxas does not wait until that is done (13.0; as Triton 3.9 notes, too), so a
/// wait for an empty group of copies stands behind it.
pub(super) fn emit_acquire<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let map = emitter.scalar(op.operand(0))?;
    let (in_warp, _) = lane_of_warp(emitter, op);
    let text = format!(
        "{{\n\t@!$1 bra.uni acquired;\n\tfence.proxy.tensormap::generic.acquire.gpu [ $0 ], {MAP_BYTES};\n\tcp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;\n\tacquired:\n\t}}"
    );
    emitter.code.asm(Asm::new(text).input(map).input(in_warp))?;
    Ok(())
}

/// `ttng.reinterpret_tensor_descriptor`: a descriptor is the address of its tensor map, in global memory or in the parameters.
pub(super) fn emit_reinterpret<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let map = emitter.scalar(op.operand(0))?;
    let descriptor = emitter.code.generic(map);
    emitter.define_scalar(op.result(0), descriptor);
    Ok(())
}
