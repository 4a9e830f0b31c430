//! The tensor memory accelerator: copies of whole blocks between global and shared memory, described by a tensor map.
//!
//! A copy reaches no further than one row of the swizzle along the contiguous axis and 256 elements along the others, so a block may
//! take several. Each warp issues some of them, by one elected thread.

use super::Emitter;
use super::memdesc::Buffer;
use super::tma_branch::{self, Issuer};
use crate::code::{Asm, IntTest, Reg};
use tk_diag::Result;
use tk_ir::{Op, Type, Value};
use tk_layout::tensor_map::copy_box;

/// The box of one copy of a block or buffer, from its type; see [`copy_box`].
pub(crate) fn tensor_box(ty: Type<'_>) -> Option<(Vec<i64>, u32)> {
    copy_box(&*ty.layout()?, &ty.shape(), ty.element_bits())
}

/// The copies that make up a block.
struct Messages {
    /// For each bit of a copy's number: how far it lies from the copy without that bit.
    bits: Vec<MessageStep>,
    rank: usize,
}

/// The distance between two copies of a block.
struct MessageStep {
    /// Along every axis, in elements.
    position: Vec<u32>,
    /// Bytes of shared memory.
    offset: u32,
}

impl Messages {
    fn of<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>, ty: Type<'c>) -> Result<Self> {
        let Some((block, _)) = tensor_box(ty) else {
            return Err(emitter.bug(op, format!("{ty} has no layout that the hardware can copy to or from")));
        };
        let buffer = Buffer::of(emitter, op, ty)?;
        let shape = ty.shape();
        let mut bits = Vec::new();
        for (axis, size) in shape.iter().enumerate().rev() {
            let mut step = block[axis];
            while step < *size {
                let mut position = vec![0; shape.len()];
                position[axis] = step as u32;
                let offset = buffer.offset(&position);
                bits.push(MessageStep { position, offset });
                step *= 2;
            }
        }
        Ok(Self { bits, rank: shape.len() })
    }

    /// Calls `issue` with coordinates, bytes into the buffer, and who issues (`None`: every warp), for each round of copies.
    fn each<'c, 'l>(
        &self,
        emitter: &mut Emitter<'c, 'l>,
        coordinates: &[Reg],
        mut issue: impl FnMut(&mut Emitter<'c, 'l>, &[Reg], Reg, Option<Reg>) -> Result<()>,
    ) -> Result<()> {
        let warp_bits = emitter.settings.num_warps.max(1).ilog2() as usize;
        let (in_warps, in_rounds) = self.bits.split_at(self.bits.len().min(warp_bits));
        let issues = if in_warps.len() < warp_bits {
            let thread = emitter.threads().thread;
            let threads = emitter.code.i32(32 << in_warps.len());
            Some(emitter.code.icmp(IntTest::Ult, thread, threads))
        } else {
            None
        };
        let along = |axis: usize| in_warps.iter().map(|step| step.position[axis]).collect::<Vec<_>>();
        let mut places = Vec::with_capacity(self.rank);
        for axis in 0..self.rank {
            places.push(emitter.in_uniform_warp(0, &along(axis)));
        }
        let offsets: Vec<u32> = in_warps.iter().map(|step| step.offset).collect();
        let offset = emitter.in_uniform_warp(0, &offsets);
        // The block may have leading axes of size 1 that the buffer lacks.
        let extra = coordinates.len().saturating_sub(self.rank);
        for round in 0..1usize << in_rounds.len() {
            let chosen =
                || in_rounds.iter().enumerate().filter(move |(bit, _)| round >> bit & 1 == 1).map(|(_, step)| step);
            let mut at = coordinates.to_vec();
            for axis in 0..self.rank.min(coordinates.len()) {
                let constant = emitter.code.i32(chosen().map(|step| i64::from(step.position[axis])).sum());
                let moved = emitter.code.add(places[axis], constant);
                at[extra + axis] = emitter.code.add(at[extra + axis], moved);
            }
            let constant = emitter.code.i32(chosen().map(|step| i64::from(step.offset)).sum());
            let bytes = emitter.code.add(offset, constant);
            issue(emitter, &at, bytes, issues)?;
        }
        Ok(())
    }
}

/// What one thread issues; operands are numbered from 0.
enum Instruction {
    One(String),
    /// One of two, by a predicate that is an operand.
    Either {
        predicate: usize,
        holds: String,
        fails: String,
    },
}

impl Instruction {
    /// What [`Self::where_it_goes`] declares.
    fn declarations(&self) -> &'static str {
        match self {
            Self::One(_) => "",
            Self::Either { .. } => "\n\t.reg .pred holds, other;",
        }
    }

    /// For threads of which those issue it that have the predicate `go`.
    fn where_it_goes(&self) -> String {
        match self {
            Self::One(text) => format!("@go {text}"),
            Self::Either { predicate, holds, fails } => {
                // With `xor.pred go, go, holds` ptxas does not know that one thread goes, and writes a loop over lanes.
                let predicates = format!(
                    "and.pred holds, go, ${predicate};\n\tnot.pred other, ${predicate};\n\tand.pred go, go, other;"
                );
                format!("{predicates}\n\t@go {fails}\n\t@holds {holds}")
            }
        }
    }

    /// For a thread that issues it in any case.
    fn always(&self) -> String {
        match self {
            Self::One(text) => text.clone(),
            Self::Either { predicate, holds, fails } => format!("@!${predicate} {fails}\n\t@${predicate} {holds}"),
        }
    }
}

/// One copy by an elected thread of each warp that `predicates` let through.
fn elected(
    emitter: &mut Emitter<'_, '_>,
    instruction: &Instruction,
    inputs: &[Reg],
    predicates: [Option<Reg>; 2],
) -> Result<()> {
    let mut condition = String::new();
    let mut asm_inputs = inputs.to_vec();
    for predicate in predicates.into_iter().flatten() {
        match predicate.constant() {
            Some(0) => return Ok(()),
            Some(_) => {}
            None => {
                condition.push_str(&format!("and.pred go, go, ${};\n\t", asm_inputs.len()));
                asm_inputs.push(predicate);
            }
        }
    }
    let (declarations, text) = (instruction.declarations(), instruction.where_it_goes());
    let text = format!(
        "{{\n\t.reg .b32 leader;\n\t.reg .pred go;{declarations}\n\telect.sync leader|go, -1;\n\t{condition}{text}\n\t}}"
    );
    emitter.code.asm(Asm::new(text).inputs(&asm_inputs))?;
    Ok(())
}

/// Descriptor and coordinates as operands: PTX wants the fastest axis first.
fn described(descriptor: Reg, coordinates: &[Reg]) -> Vec<Reg> {
    std::iter::once(descriptor).chain(coordinates.iter().rev().copied()).collect()
}

fn scalars<'c>(emitter: &Emitter<'c, '_>, values: &[Value<'c>]) -> Result<Vec<Reg>> {
    values.iter().map(|value| emitter.scalar(*value)).collect()
}

/// `ttng.async_tma_copy_global_to_local`.
pub(super) fn emit_load<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    if tma_branch::emit(emitter, op)? { Ok(()) } else { emit_load_by(emitter, op, Issuer::Chosen) }
}

/// A block is one copy, which the first warp issues.
pub(super) fn is_one_copy<'c>(emitter: &Emitter<'c, '_>, op: Op<'c>) -> bool {
    let buffer = op.segment(4).first().copied();
    buffer
        .and_then(|buffer| Messages::of(emitter, op, buffer.ty()).ok())
        .is_some_and(|messages| messages.bits.is_empty())
}

/// The CTAs that get a block.
#[derive(Clone, Copy)]
enum Receivers {
    /// The one that copies it.
    Own,
    /// Those of a mask.
    Cluster { mask: Reg },
    /// Those of a mask where `is_any`, which says that it is not zero; else the one that copies it. A multicast whose mask has one CTA would do
    /// the same and is slower than a plain copy. Both forms count the same bytes at the mbarrier of each CTA that gets them.
    OwnOrCluster { mask: Reg, is_any: Reg },
}

impl Receivers {
    fn of<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<Self> {
        let Some(mask) = op.segment(6).first().copied() else { return Ok(Self::Own) };
        let mask = emitter.scalar(mask)?;
        let none = emitter.code.int(mask.ty(), 0);
        let is_any = emitter.code.icmp(IntTest::Ne, mask, none);
        Ok(match is_any.constant() {
            Some(0) => Self::Own,
            Some(_) => Self::Cluster { mask },
            None => Self::OwnOrCluster { mask, is_any },
        })
    }

    /// The operands of [`Self::instruction`] from `first` on.
    fn operands(self) -> Vec<Reg> {
        match self {
            Self::Own => Vec::new(),
            Self::Cluster { mask } => vec![mask],
            Self::OwnOrCluster { mask, is_any } => vec![mask, is_any],
        }
    }

    /// A copy along `rank` axes with these `places`, which are what stands between its name and the mask.
    fn instruction(self, rank: usize, places: &str, first: usize) -> Instruction {
        let name = format!("cp.async.bulk.tensor.{rank}d.shared::cluster.global.mbarrier::complete_tx::bytes");
        let plain = format!("{name} {places};");
        let multicast = format!("{name}.multicast::cluster {places}, ${first};");
        match self {
            Self::Own => Instruction::One(plain),
            Self::Cluster { .. } => Instruction::One(multicast),
            Self::OwnOrCluster { .. } => Instruction::Either { predicate: first + 1, holds: multicast, fails: plain },
        }
    }
}

/// `ttng.async_tma_copy_global_to_local`, issued by one thread.
pub(super) fn emit_load_by<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>, issuer: Issuer) -> Result<()> {
    let [Some(descriptor), Some(barrier), Some(buffer), Some(condition)] =
        [0, 3, 4, 5].map(|segment| op.segment(segment).first().copied())
    else {
        return Err(emitter.bug(op, "it lacks an operand"));
    };
    let messages = Messages::of(emitter, op, buffer.ty())?;
    let (descriptor, barrier, start, condition) =
        (emitter.scalar(descriptor)?, emitter.scalar(barrier)?, emitter.scalar(buffer)?, emitter.scalar(condition)?);
    let coordinates = scalars(emitter, &op.segment(1))?;
    let receivers = Receivers::of(emitter, op)?;
    let rank = coordinates.len();
    messages.each(emitter, &coordinates, |emitter, at, offset, issues| {
        let target = emitter.code.ptr_add(start, offset);
        let places = format!(
            "[ ${} + {} ], [ $0, {} ], [ ${} + {} ]",
            rank + 1,
            target.offset(),
            Asm::vector(1, rank),
            rank + 2,
            barrier.offset(),
        );
        let mut inputs = described(descriptor, at);
        inputs.extend([target.base(), barrier.base()]);
        let instruction = receivers.instruction(rank, &places, inputs.len());
        inputs.extend(receivers.operands());
        match issuer {
            Issuer::Chosen => elected(emitter, &instruction, &inputs, [issues, Some(condition)]),
            Issuer::Only => emitter.code.asm(Asm::new(instruction.always()).inputs(&inputs)).map(drop),
        }
    })
}

/// `ttng.async_tma_copy_local_to_global`.
pub(super) fn emit_store<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    emit_out_of_shared(emitter, op, |rank| format!("cp.async.bulk.tensor.{rank}d.global.shared::cta.bulk_group"))
}

/// `ttng.async_tma_reduce`.
pub(super) fn emit_reduce<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let kind = op.int_attr("kind").and_then(reduction).ok_or_else(|| emitter.bug(op, "unknown reduction"))?;
    emit_out_of_shared(emitter, op, |rank| {
        format!("cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{kind}.bulk_group")
    })
}

/// Copies out of shared memory, as one group; `instruction` gives the instruction for a number of axes.
fn emit_out_of_shared<'c>(
    emitter: &mut Emitter<'c, '_>,
    op: Op<'c>,
    instruction: impl FnOnce(usize) -> String,
) -> Result<()> {
    let last = op.num_operands() - 1;
    let buffer = op.operand(last);
    let messages = Messages::of(emitter, op, buffer.ty())?;
    let (descriptor, start) = (emitter.scalar(op.operand(0))?, emitter.scalar(buffer)?);
    let coordinates = scalars(emitter, &op.operands()[1..last])?;
    let rank = coordinates.len();
    let instruction = instruction(rank);
    messages.each(emitter, &coordinates, |emitter, at, offset, issues| {
        let source = emitter.code.ptr_add(start, offset);
        let text = format!("{instruction} [ $0, {} ], [ ${} + {} ];", Asm::vector(1, rank), rank + 1, source.offset());
        let mut inputs = described(descriptor, at);
        inputs.push(source.base());
        elected(emitter, &Instruction::One(text), &inputs, [issues, None])
    })?;
    emitter.code.asm(Asm::new("cp.async.bulk.commit_group;"))?;
    Ok(())
}

/// The name of a reduction by its number in `tt.descriptor_reduce`.
fn reduction(kind: i64) -> Option<&'static str> {
    Some(match kind {
        1 => "add",
        2 => "min",
        3 => "max",
        4 => "inc",
        5 => "dec",
        6 => "and",
        7 => "or",
        8 => "xor",
        _ => return None,
    })
}

/// `ttng.async_tma_store_wait`: until shared memory may be written again, or until global memory is written; the other threads
/// learn it at a barrier that `insert-barriers` puts where they go on.
pub(super) fn emit_store_wait<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let pendings = op.int_attr("pendings").unwrap_or(0);
    let until = if op.attr("read_only").is_some() { ".read" } else { "" };
    emitter.code.asm(Asm::new(format!("cp.async.bulk.wait_group{until} {pendings};"))).map(drop)
}

/// `ttng.async_tma_prefetch`.
pub(super) fn emit_prefetch<'c>(emitter: &mut Emitter<'c, '_>, op: Op<'c>) -> Result<()> {
    let last = op.num_operands() - 1;
    let condition = emitter.scalar(op.operand(last))?;
    let coordinates = scalars(emitter, &op.operands()[1..last])?;
    let rank = coordinates.len();
    let thread = emitter.threads().thread;
    let threads = emitter.code.i32(32);
    let first_warp = emitter.code.icmp(IntTest::Ult, thread, threads);
    let inputs = described(emitter.scalar(op.operand(0))?, &coordinates);
    let text = format!("cp.async.bulk.prefetch.tensor.{rank}d.L2.global [ $0, {} ];", Asm::vector(1, rank));
    elected(emitter, &Instruction::One(text), &inputs, [Some(first_warp), Some(condition)])
}
