//! Which register slots an operation reads and writes.
//!
//! Asked when a kernel is decoded, to find the instructions that touch registers of wgmmas, and when such an instruction runs.

use crate::program::*;

/// Marks every instruction that touches an accumulator or a register operand of a wgmma.
pub(crate) fn watch_dots(program: &mut Program) {
    if program.wgmmas.is_empty() {
        return;
    }
    let mut registers = std::mem::take(&mut program.dot_registers);
    program
        .wgmmas
        .iter()
        .flat_map(|wgmma| wgmma.d.iter().chain(wgmma.left.registers()))
        .for_each(|slot| registers.insert(*slot));
    let touches = |op: &Op| {
        let mut found = false;
        slots(program, op, &mut |slot, _| found |= registers.contains(slot));
        found
    };
    let watched: Vec<bool> = program.code.iter().map(|instruction| touches(&instruction.op)).collect();
    for (instruction, watched) in program.code.iter_mut().zip(watched) {
        instruction.watched = watched;
    }
    program.dot_registers = registers;
}

/// Calls `f(slot, written)` for every 64-bit slot that an operation touches; predicates are left out.
pub(crate) fn slots(program: &Program, op: &Op, f: &mut impl FnMut(Slot, bool)) {
    match op {
        Op::One { d, a, .. } => all(f, &[*d], &[*a]),
        Op::Two { d, a, b, .. } | Op::Select { d, a, b, .. } => all(f, &[*d], &[*a, *b]),
        Op::Three { d, a, b, c, .. } => all(f, &[*d], &[*a, *b, *c]),
        Op::Compare { a, b, .. } => all(f, &[], &[*a, *b]),
        Op::Register(op) => register_slots(program, op, f),
        Op::Lanes(op) => lane_slots(op, f),
        Op::BranchIndexed { index, .. } => all(f, &[], &[*index]),
        Op::Load(index) => {
            let access = &program.accesses[*index as usize];
            all(f, pool(program, access.regs, access.count), &[access.base]);
        }
        Op::Store(index) => {
            let access = &program.accesses[*index as usize];
            all(f, &[], &[access.base]);
            all(f, &[], pool(program, access.regs, access.count));
        }
        Op::Atomic(index) => atomic(program, &program.atomics[*index as usize], f),
        Op::Mma(index) => mma(&program.mmas[*index as usize], f),
        Op::Product(index) => product(&program.products[*index as usize], f),
        Op::Matrix(index) => matrix(&program.matrices[*index as usize], f),
        Op::Copy(index) => {
            let copy = &program.copies[*index as usize];
            all(f, &[], &[copy.destination, copy.source, copy.source_bytes]);
        }
        Op::Mbarrier(index) => {
            let operation = &program.mbarriers[*index as usize];
            all(f, &[operation.result], &[operation.base, operation.operand]);
        }
        Op::Barrier { kind, id, threads, .. } => {
            all(f, &[], &[*id]);
            all(f, &[], threads.as_slice());
            if let BarrierKind::Popc(d, _) = kind {
                f(*d, true);
            }
        }
        Op::Bulk(index) => bulk(&program.bulks[*index as usize], f),
        Op::ReplaceField(index) => {
            let field = &program.map_fields[*index as usize];
            all(f, &[], &[field.base, field.value]);
        }
        Op::CopyMap { slots, .. } => all(f, &[], slots),
        Op::MapRank { d, a, rank } => all(f, &[*d], &[*a, *rank]),
        Op::FenceMap(fence) => {
            if let Some((base, _)) = fence.acquired {
                f(base, false);
            }
        }
        Op::Call { link, .. } => f(*link, true),
        Op::NoFunction { address } => f(*address, false),
        Op::Return { link } => f(*link, false),
        // Their registers have rules of their own, which are checked where they are issued.
        Op::Wgmma(_) => {}
        // What the functions of the driver take lies in local memory.
        Op::External(_) => {}
        Op::Combine { .. }
        | Op::Branch { .. }
        | Op::Exit
        | Op::Trap
        | Op::WgmmaFence
        | Op::WgmmaCommit
        | Op::WgmmaWait { .. }
        | Op::FenceProxy(_)
        | Op::CopyCommit
        | Op::CopyWait { .. }
        | Op::BulkCommit
        | Op::BulkWait { .. }
        | Op::Fence { .. }
        | Op::SetRegisters { .. }
        | Op::ClusterArrive { .. }
        | Op::PutAway { .. }
        | Op::TakeBack { .. }
        | Op::ClusterWait { .. }
        | Op::Yield
        | Op::Nothing => {}
    }
}

fn register_slots(program: &Program, op: &RegisterOp, f: &mut impl FnMut(Slot, bool)) {
    match op {
        RegisterOp::Convert { d, a, .. } | RegisterOp::Window { d, a, .. } | RegisterOp::RankOf { d, a } => {
            all(f, &[*d], &[*a])
        }
        RegisterOp::Carry { d, a, b, .. } => all(f, &[*d], &[*a, *b]),
        RegisterOp::Four { d, operands, .. } => all(f, &[*d], pool(program, *operands, 4)),
        RegisterOp::Pack { d, parts, count, .. } => all(f, &[*d], pool(program, *parts, *count)),
        RegisterOp::Unpack { parts, count, a, .. } => all(f, pool(program, *parts, *count), &[*a]),
        RegisterOp::Clock { d, .. } => all(f, &[*d], &[]),
        RegisterOp::IsSpace { a, .. } => all(f, &[], &[*a]),
    }
}

fn lane_slots(op: &LaneOp, f: &mut impl FnMut(Slot, bool)) {
    match op {
        LaneOp::Match { d, a, members, .. } | LaneOp::Reduce { d, a, members, .. } => all(f, &[*d], &[*a, *members]),
        LaneOp::Transpose { d, a } => all(f, &[*d], &[*a]),
        LaneOp::Shuffle { d, a, b, c, members, .. } => all(f, &[*d], &[*a, *b, *c, *members]),
        LaneOp::Vote { d, members, .. } | LaneOp::Elect { d, members, .. } => all(f, &[*d], &[*members]),
        LaneOp::ActiveMask { d } => all(f, &[*d], &[]),
        LaneOp::WarpBarrier { members } => all(f, &[], &[*members]),
    }
}

fn mma(mma: &Mma, f: &mut impl FnMut(Slot, bool)) {
    all(f, &mma.d, &mma.a);
    all(f, &[], &mma.b);
    all(f, &[], &mma.c);
}

fn product(product: &Product, f: &mut impl FnMut(Slot, bool)) {
    all(f, &product.d, &product.a);
    all(f, &[], &product.b);
    all(f, &[], &product.c);
}

fn bulk(bulk: &Bulk, f: &mut impl FnMut(Slot, bool)) {
    all(f, &[], &[bulk.shared.0, bulk.other.0, bulk.bytes, bulk.barrier.0]);
    all(f, &[], bulk.coordinates.as_deref().unwrap_or_default());
    all(f, &[], bulk.multicast.as_slice());
    all(f, &[], &bulk.values);
}

fn matrix(matrix: &Matrix, f: &mut impl FnMut(Slot, bool)) {
    let (written, read) = if matrix.store { (&[][..], &matrix.regs[..]) } else { (&matrix.regs[..], &[][..]) };
    all(f, written, read);
    all(f, &[], &[matrix.base]);
}

fn atomic(program: &Program, atomic: &Atomic, f: &mut impl FnMut(Slot, bool)) {
    let access = &atomic.access;
    let written = if atomic.returns { pool(program, access.regs, access.count) } else { &[] };
    all(f, written, pool(program, atomic.operands, access.count));
    all(f, &[], &[access.base, atomic.second]);
}

fn pool(program: &Program, first: u32, count: u32) -> &[Slot] {
    &program.pool[first as usize..(first + count) as usize]
}

fn all(f: &mut impl FnMut(Slot, bool), written: &[Slot], read: &[Slot]) {
    for slot in read {
        f(*slot, false);
    }
    for slot in written {
        f(*slot, true);
    }
}

/// Calls `f(predicate, written)` for every predicate that an operation touches, its guard left out.
pub(crate) fn preds(program: &Program, op: &Op, f: &mut impl FnMut(PredSlot, bool)) {
    match op {
        Op::Compare { p, q, combine, .. } => {
            if let Some(other) = combine.checked_sub(1).map(|index| program.combines[index as usize].1) {
                f(other.slot, false);
            }
            all(f, &[*p, *q], &[]);
        }
        Op::Select { p, .. } => f(p.slot, false),
        Op::Combine { d, a, b, .. } => all(f, &[*d], &[a.slot, b.slot]),
        Op::Register(RegisterOp::Carry { carry_in, writes, .. }) => {
            if *carry_in == CarryIn::Read {
                f(program.carry, false);
            }
            if *writes {
                f(program.carry, true);
            }
        }
        Op::Register(RegisterOp::IsSpace { p, .. }) => f(*p, true),
        Op::Lanes(LaneOp::Shuffle { p, .. } | LaneOp::Match { p, .. } | LaneOp::Elect { p, .. }) => f(*p, true),
        Op::Lanes(LaneOp::Vote { p, a, .. }) => all(f, &[*p], &[a.slot]),
        Op::Barrier { kind: BarrierKind::Popc(_, a), .. } => f(a.slot, false),
        Op::Barrier { kind: BarrierKind::And(d, a) | BarrierKind::Or(d, a), .. } => all(f, &[*d], &[a.slot]),
        Op::Copy(index) => f(program.copies[*index as usize].ignore.slot, false),
        Op::Mbarrier(index) => f(program.mbarriers[*index as usize].answer, true),
        Op::Wgmma(index) => f(program.wgmmas[*index as usize].accumulate.slot, false),
        Op::Register(_)
        | Op::Lanes(_)
        | Op::Barrier { kind: BarrierKind::Sync | BarrierKind::Arrive, .. }
        | Op::One { .. }
        | Op::Two { .. }
        | Op::Three { .. }
        | Op::Load(_)
        | Op::Store(_)
        | Op::Atomic(_)
        | Op::Branch { .. }
        | Op::BranchIndexed { .. }
        | Op::Call { .. }
        | Op::NoFunction { .. }
        | Op::Return { .. }
        | Op::Exit
        | Op::Trap
        | Op::External(_)
        | Op::SetRegisters { .. }
        | Op::ClusterArrive { .. }
        | Op::PutAway { .. }
        | Op::TakeBack { .. }
        | Op::ClusterWait { .. }
        | Op::MapRank { .. }
        | Op::Mma(_)
        | Op::Product(_)
        | Op::Matrix(_)
        | Op::WgmmaFence
        | Op::WgmmaCommit
        | Op::WgmmaWait { .. }
        | Op::FenceProxy(_)
        | Op::CopyCommit
        | Op::CopyWait { .. }
        | Op::Bulk(_)
        | Op::BulkCommit
        | Op::BulkWait { .. }
        | Op::ReplaceField(_)
        | Op::FenceMap(_)
        | Op::CopyMap { .. }
        | Op::Fence { .. }
        | Op::Yield
        | Op::Nothing => {}
    }
}
