//! Loads, stores, atomics, address conversions and asynchronous copies.

use super::family::MemoryAccess;
use super::{Call, Decoder};
use crate::mbarrier::{Arrival, LastArrival, LaterPhases};
use crate::program::*;
use crate::report::AccessKind;
use tk_diag::{BAD_PTX, Result};
use tk_ptx::{Operand, Space, Type};

use super::variables::VariablePlace;

impl Decoder<'_> {
    /// Decodes a memory instruction; `false` for a form that the simulator has not.
    pub(super) fn memory(&mut self, call: &Call<'_>, which: MemoryAccess) -> Result<bool> {
        match which {
            MemoryAccess::Ld | MemoryAccess::Ldu => self.load_or_store(call, false),
            MemoryAccess::St if call.has("async") => self.store_async(call),
            MemoryAccess::St => self.load_or_store(call, true),
            MemoryAccess::Red if call.has("async") => Ok(false),
            MemoryAccess::Atom | MemoryAccess::Red => self.atomic(call),
            MemoryAccess::Cvta => self.cvta(call),
            MemoryAccess::Isspacep => self.isspacep(call),
            MemoryAccess::Mapa => self.mapa(call),
            MemoryAccess::Getctarank => self.getctarank(call),
            MemoryAccess::Createpolicy => {
                let d = self.destination(self.operand(call, 0)?)?;
                let a = self.literal(0);
                self.copy_slot(d, a);
                Ok(true)
            }
            MemoryAccess::Cp if !call.has("async") => Ok(false),
            MemoryAccess::Cp if call.has("bulk") => self.bulk(call),
            MemoryAccess::Cp => self.copy_async(call),
            MemoryAccess::Mbarrier => self.mbarrier(call),
            MemoryAccess::Tensormap => self.tensormap(call),
        }
    }

    /// Copies one slot to another.
    pub(super) fn copy_slot(&mut self, d: Slot, a: Slot) {
        self.emit(Op::One { f: crate::lanes::map!(u64: |a| a), d, a });
    }

    /// Numbers the counters of a memory instruction; accesses that are not counted share number 0.
    pub(super) fn site(&mut self, kind: AccessKind, memory: Memory, width: u32) -> u32 {
        if self.program.sites.is_empty() {
            let origin = self.origin();
            self.program.sites.push(Site { kind: AccessKind::Load, width: 0, origin });
        }
        if matches!(memory, Memory::Local | Memory::Param) {
            return 0;
        }
        let origin = self.origin();
        self.program.sites.push(Site { kind, width, origin });
        self.program.sites.len() as u32 - 1
    }

    /// The space of an access: named by the opcode, except that `.param` of a function is local memory.
    pub(super) fn space(&self, call: &Call<'_>, place: Option<VariablePlace>) -> Memory {
        match (call.words.iter().find_map(|w| Space::parse(w)), place) {
            (Some(Space::Global | Space::Const), _) => Memory::Global,
            (Some(Space::Shared), _) => Memory::Shared,
            (Some(Space::Local), _) => Memory::Local,
            (Some(Space::Param), Some(VariablePlace::Local(_))) => Memory::Local,
            (Some(Space::Param), _) => Memory::Param,
            (_, Some(VariablePlace::Local(_))) => Memory::Local,
            (_, Some(VariablePlace::Shared(_))) => Memory::Shared,
            _ => Memory::Generic,
        }
    }

    fn load_or_store(&mut self, call: &Call<'_>, store: bool) -> Result<bool> {
        let Some(ty) = call.ty() else { return Ok(false) };
        let (address, value) = if store { (0, 1) } else { (1, 0) };
        let (address, value) = (self.operand(call, address)?, self.operand(call, value)?);
        let (base, offset, place) = self.address(address)?;
        let memory = self.space(call, place);
        let values = match value {
            Operand::Vector(values) => values.as_slice(),
            single => std::slice::from_ref(single),
        };
        let vector = call.words.iter().find_map(|w| w.strip_prefix('v').and_then(|n| n.parse::<usize>().ok()));
        if values.len() != vector.unwrap_or(1) || !values.len().is_power_of_two() || values.len() > 8 {
            return Err(self.malformed(call));
        }
        let mut slots = Vec::with_capacity(values.len());
        let mut extend = 0;
        for value in values {
            let slot = if store { self.source(value, ty)? } else { self.destination(value)? };
            slots.push(slot);
            if ty == Type::B128 {
                slots.push(slot + 1);
            }
            if ty.is_signed() {
                extend = self.width(value).min(64);
            }
        }
        let (bytes, count) = (ty.bytes().min(8), slots.len() as u32);
        if bytes * count > 32 {
            return Err(self.fail(BAD_PTX, "an access has at most 32 bytes"));
        }
        let kind = if store { AccessKind::Store } else { AccessKind::Load };
        let site = self.site(kind, memory, bytes * count * 8);
        let regs = self.pool(&slots);
        let (order, scope, constant) = (call.order(MemoryOrder::Weak), call.scope(), call.has("nc"));
        self.program.accesses.push(Access {
            memory,
            window: call.window(memory),
            bytes,
            count,
            extend,
            base,
            offset,
            regs,
            site,
            order,
            scope,
            constant,
        });
        let index = self.program.accesses.len() as u32 - 1;
        self.emit(if store { Op::Store(index) } else { Op::Load(index) });
        Ok(true)
    }

    /// `atom` and `red` with one operand or two, scalar or vector.
    fn atomic(&mut self, call: &Call<'_>) -> Result<bool> {
        let returns = call.name == "atom";
        let skip = usize::from(returns);
        let Some(ty) = call.ty() else { return Ok(false) };
        let known = |word: &&&str| crate::ops::ATOMICS.contains(word);
        let Some(name) = call.words.iter().find(known).copied() else { return Ok(false) };
        let updates = crate::ops::update(name, ty).zip(crate::ops::global_update(name, ty));
        let Some((update, global_update)) = updates else { return Ok(false) };
        let (base, offset, place) = self.address(self.operand(call, skip)?)?;
        let memory = self.space(call, place);
        let operands = self.group(self.operand(call, skip + 1)?, |d, o| d.source(o, ty))?;
        let regs = match returns {
            true => self.group(self.operand(call, 0)?, |d, o| d.destination(o))?,
            false => Vec::new(),
        };
        if returns && regs.len() != operands.len() || !matches!(operands.len(), 1 | 2 | 4 | 8) {
            return Err(self.malformed(call));
        }
        let second = match name {
            "cas" => self.source(self.operand(call, skip + 2)?, ty)?,
            _ => self.literal(0),
        };
        let count = operands.len() as u32;
        let bytes = ty.bytes();
        if !matches!(bytes, 2 | 4 | 8) {
            return Ok(false);
        }
        let site = self.site(AccessKind::Atomic, memory, bytes * count * 8);
        let (regs, operands) = (self.pool(&regs), self.pool(&operands));
        let (order, scope) = (call.order(MemoryOrder::Relaxed), call.scope());
        let (window, extend, constant) = (call.window(memory), 0, false);
        let access = Access { memory, window, bytes, count, extend, base, offset, regs, site, order, scope, constant };
        let kind = match name {
            "cas" => AtomicKind::CompareAndSwap,
            "exch" => AtomicKind::Exchange,
            _ => AtomicKind::Update,
        };
        let half = Some(ty).filter(|_| name == "add" && count == 1 && !returns).and_then(crate::ops::half_update);
        self.program.atomics.push(Atomic { access, update, global_update, half, operands, second, returns, kind });
        self.emit(Op::Atomic(self.program.atomics.len() as u32 - 1));
        Ok(true)
    }

    /// The slots of a vector operand or of one operand.
    pub(super) fn group(
        &mut self,
        operand: &Operand,
        mut one: impl FnMut(&mut Self, &Operand) -> Result<Slot>,
    ) -> Result<Vec<Slot>> {
        match operand {
            Operand::Vector(items) => items.iter().map(|item| one(self, item)).collect(),
            single => Ok(vec![one(self, single)?]),
        }
    }

    /// `cvta.space.u64 d, a` (to generic) and `cvta.to.space.u64`.
    fn cvta(&mut self, call: &Call<'_>) -> Result<bool> {
        let [destination, source] = call.operands else { return Err(self.malformed(call)) };
        let place = match source {
            Operand::Symbol(name, _) => self.find_variable(name),
            _ => None,
        };
        let memory = self.space(call, place);
        let d = self.destination(destination)?;
        let a = self.source(source, Type::U64)?;
        self.emit(Op::Register(RegisterOp::Window { d, a, memory, to_generic: !call.has("to") }));
        Ok(true)
    }

    fn isspacep(&mut self, call: &Call<'_>) -> Result<bool> {
        let [p, a] = call.operands else { return Err(self.malformed(call)) };
        let memory = self.space(call, None);
        let (p, a) = (self.pred_destination(p)?, self.source(a, Type::U64)?);
        self.emit(Op::Register(RegisterOp::IsSpace { p, a, memory }));
        Ok(true)
    }

    fn mapa(&mut self, call: &Call<'_>) -> Result<bool> {
        let [d, a, rank] = call.operands else { return Err(self.malformed(call)) };
        let (d, a, rank) = (self.destination(d)?, self.source(a, Type::U64)?, self.source(rank, Type::U32)?);
        self.emit(Op::MapRank { d, a, rank });
        Ok(true)
    }

    fn getctarank(&mut self, call: &Call<'_>) -> Result<bool> {
        let [d, a] = call.operands else { return Err(self.malformed(call)) };
        let (d, a) = (self.destination(d)?, self.source(a, Type::U64)?);
        self.emit(Op::Register(RegisterOp::RankOf { d, a }));
        Ok(true)
    }

    fn copy_async(&mut self, call: &Call<'_>) -> Result<bool> {
        let op = match () {
            _ if call.has("commit_group") => Op::CopyCommit,
            _ if call.has("wait_all") => Op::CopyWait { left: u32::MAX },
            _ if call.has("wait_group") => match call.operand(0) {
                Some(Operand::Immediate(tk_ptx::Immediate::Int(n))) => {
                    Op::CopyWait { left: (*n).clamp(0, 1 << 20) as u32 }
                }
                _ => return Err(self.malformed(call)),
            },
            _ if call.has("mbarrier") => return self.copy_arrive(call),
            _ => return self.copy_bytes(call),
        };
        self.emit(op);
        Ok(true)
    }

    /// `cp.async.ca|cg.shared.global [dst], [src], size{, src-size | ignore}{, policy}`.
    fn copy_bytes(&mut self, call: &Call<'_>) -> Result<bool> {
        if !call.has("ca") && !call.has("cg") {
            return Ok(false);
        }
        let (destination, destination_offset, _) = self.address(self.operand(call, 0)?)?;
        let (source, source_offset, _) = self.address(self.operand(call, 1)?)?;
        let bytes = match self.operand(call, 2)? {
            Operand::Immediate(tk_ptx::Immediate::Int(n @ (4 | 8 | 16))) => *n as u32,
            _ => return Err(self.fail(BAD_PTX, "cp.async copies 4, 8 or 16 bytes")),
        };
        let cached = call.words.iter().any(|w| w.ends_with("cache_hint"));
        let extra = call.operands.len() - 3 - usize::from(cached).min(call.operands.len() - 3);
        let (mut source_bytes, mut ignore) = (None, Pred::FALSE);
        if extra > 0 {
            let operand = self.operand(call, 3)?;
            let is_predicate = match operand {
                Operand::Register(r) => self.frame.function.register_type(*r) == Type::Pred,
                Operand::Not(_) => true,
                _ => false,
            };
            if is_predicate {
                ignore = self.pred_source(operand)?;
            } else {
                source_bytes = Some(self.source(operand, Type::U32)?);
            }
        }
        let source_bytes = source_bytes.unwrap_or_else(|| self.literal(u64::from(bytes)));
        let site = self.site(AccessKind::Copy, Memory::Global, bytes * 8);
        let copy =
            AsyncCopy { destination, destination_offset, source, source_offset, bytes, source_bytes, ignore, site };
        self.program.copies.push(copy);
        self.emit(Op::Copy(self.program.copies.len() as u32 - 1));
        Ok(true)
    }

    fn copy_arrive(&mut self, call: &Call<'_>) -> Result<bool> {
        let (base, offset, _) = self.address(self.operand(call, 0)?)?;
        let (operand, result, answer) = (self.literal(1), self.new_slot(), self.new_pred());
        let kind = MbarrierKind::CopyArrive(if call.has("noinc") { CopyCount::Included } else { CopyCount::Added });
        let window = Window::Cta;
        let order = ArrivalOrder::Release;
        Ok(self.push_mbarrier(Mbarrier { kind, window, order, base, offset, operand, result, answer }))
    }

    fn push_mbarrier(&mut self, mbarrier: Mbarrier) -> bool {
        self.program.mbarriers.push(mbarrier);
        self.emit(Op::Mbarrier(self.program.mbarriers.len() as u32 - 1));
        true
    }

    fn mbarrier(&mut self, call: &Call<'_>) -> Result<bool> {
        let Some(first) = call.words.first().copied() else { return Ok(false) };
        let arrival = Arrival {
            later: if first == "arrive_drop" { LaterPhases::DoWithout } else { LaterPhases::Wait },
            last: if call.has("noComplete") { LastArrival::Forbidden } else { LastArrival::Allowed },
        };
        let phase = if call.has("parity") { PhaseName::Parity } else { PhaseName::Token };
        let kind = match first {
            "init" => MbarrierKind::Init,
            "inval" => MbarrierKind::Invalidate,
            "arrive" | "arrive_drop" if call.has("expect_tx") => MbarrierKind::ArriveExpectTx(arrival),
            "arrive" | "arrive_drop" => MbarrierKind::Arrive(arrival),
            "expect_tx" => MbarrierKind::ExpectTx,
            "complete_tx" => MbarrierKind::CompleteTx,
            "test_wait" => MbarrierKind::Test { phase, wait: Wait::Never },
            "try_wait" => MbarrierKind::Test { phase, wait: Wait::Possible },
            _ => return Ok(false),
        };
        // A result, where there is one, stands before the address.
        let Some(at) = call.operands.iter().position(|o| matches!(o, Operand::Address(_))) else {
            return Err(self.malformed(call));
        };
        let (mut result, mut answer) = (None, None);
        if at == 1 {
            match kind {
                MbarrierKind::Test { .. } => {
                    answer = Some(self.pred_destination(&call.operands[0])?);
                }
                _ => result = Some(self.destination(&call.operands[0])?),
            }
        }
        let (base, offset, _) = self.address(&call.operands[at])?;
        let operand = match call.operand(at + 1) {
            Some(operand) => self.source(operand, Type::U64)?,
            None => self.literal(1),
        };
        let result = result.unwrap_or_else(|| self.new_slot());
        let answer = answer.unwrap_or_else(|| self.new_pred());
        let window = call.window(self.space(call, None));
        let order = if call.has("relaxed") { ArrivalOrder::Relaxed } else { ArrivalOrder::Release };
        self.program.has_relaxed_arrivals |= order == ArrivalOrder::Relaxed;
        Ok(self.push_mbarrier(Mbarrier { kind, window, order, base, offset, operand, result, answer }))
    }
}
