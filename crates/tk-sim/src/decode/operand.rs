//! Operands to slots.

use super::{Call, Decoder};
use crate::program::*;
use tk_diag::{BAD_PTX, Result, UNSUPPORTED};
use tk_ptx::{Base, Immediate, Operand, Register, Type};

use super::variables::{LIBRARY_SHARED, SHARED_START, VariablePlace};

impl Decoder<'_> {
    /// The slot of a register that is not a predicate.
    pub(crate) fn register(&self, register: Register) -> Result<Slot> {
        if self.frame.function.register_type(register) == Type::Pred {
            let name = self.frame.function.register_name(register);
            return Err(self.fail(BAD_PTX, format!("`{name}` is a predicate, and a value is needed here")));
        }
        Ok(self.frame.slots[register.0 as usize])
    }

    /// The slot of a predicate register.
    pub(crate) fn predicate(&self, register: Register) -> Result<PredSlot> {
        if self.frame.function.register_type(register) != Type::Pred {
            let name = self.frame.function.register_name(register);
            return Err(self.fail(BAD_PTX, format!("`{name}` is not a predicate, and one is needed here")));
        }
        Ok(self.frame.slots[register.0 as usize])
    }

    /// The predicate of one side of a pair; a scratch one for `_`.
    pub(crate) fn predicate_or_scratch(&mut self, register: Option<Register>) -> Result<PredSlot> {
        match register {
            Some(register) => self.predicate(register),
            None => Ok(self.new_pred()),
        }
    }

    /// The operand at an index, which must be there.
    pub(crate) fn operand<'a>(&self, call: &'a Call<'_>, index: usize) -> Result<&'a Operand> {
        call.operand(index).ok_or_else(|| self.malformed(call))
    }

    /// The slot an operand writes; `_` gets a slot that nothing reads.
    pub(crate) fn destination(&mut self, operand: &Operand) -> Result<Slot> {
        match operand {
            Operand::Register(register) => self.register(*register),
            Operand::Sink => Ok(self.new_slot()),
            _ => Err(self.fail(BAD_PTX, "a register is needed as destination")),
        }
    }

    /// Width in bits of a destination register.
    pub(crate) fn width(&self, operand: &Operand) -> u32 {
        match operand {
            Operand::Register(register) => self.frame.function.register_type(*register).bits(),
            _ => 64,
        }
    }

    /// The predicate an operand writes.
    pub(crate) fn pred_destination(&mut self, operand: &Operand) -> Result<PredSlot> {
        match operand {
            Operand::Register(register) => self.predicate(*register),
            Operand::Sink => Ok(self.new_pred()),
            _ => Err(self.fail(BAD_PTX, "a predicate is needed as destination")),
        }
    }

    /// The predicate an operand reads.
    pub(crate) fn pred_source(&self, operand: &Operand) -> Result<Pred> {
        match operand {
            Operand::Register(register) => Ok(Pred { slot: self.predicate(*register)?, negated: false }),
            Operand::Not(register) => Ok(Pred { slot: self.predicate(*register)?, negated: true }),
            Operand::Immediate(Immediate::Int(value)) => Ok(if *value == 0 { Pred::FALSE } else { Pred::TRUE }),
            _ => Err(self.fail(BAD_PTX, "a predicate is needed here")),
        }
    }

    /// The slot an operand of type `ty` is read from.
    pub(crate) fn source(&mut self, operand: &Operand, ty: Type) -> Result<Slot> {
        match operand {
            Operand::Register(register) => self.register(*register),
            Operand::Immediate(immediate) => Ok(self.literal(immediate_bits(*immediate, ty))),
            Operand::Special(name) => self.special(name),
            Operand::Symbol(name, offset) => self.symbol(name, *offset),
            _ => Err(self.fail(BAD_PTX, "a register or a number is needed here")),
        }
    }

    /// The slot that holds a constant.
    pub(crate) fn literal(&mut self, bits: u64) -> Slot {
        if let Some(slot) = self.literals.get(&bits) {
            return *slot;
        }
        let slot = self.new_slot();
        self.literals.insert(bits, slot);
        self.program.literals.push((slot, bits));
        slot
    }

    /// The slot that holds the address of a variable within its space, or a special constant.
    pub(crate) fn symbol(&mut self, name: &str, offset: i64) -> Result<Slot> {
        if name == "WARP_SZ" {
            return Ok(self.literal(32));
        }
        match self.find_variable(name) {
            Some(VariablePlace::Global(index)) => Ok(self.global_address(index, offset)),
            Some(VariablePlace::Shared(at)) => Ok(self.shared_address((i64::from(at) + offset) as u64)),
            Some(VariablePlace::Local(at) | VariablePlace::Param(at)) => {
                Ok(self.literal((i64::from(at) + offset) as u64))
            }
            None if offset == 0 && self.module.function(name).is_some() => {
                Ok(self.literal(super::call::function_address(self.module, name)))
            }
            None => Err(self.fail(BAD_PTX, format!("`{name}` is not declared"))),
        }
    }

    /// In a cluster, each CTA has its own.
    fn shared_address(&mut self, address: u64) -> Slot {
        if let Some(slot) = self.shared_addresses.get(&address) {
            return *slot;
        }
        let slot = self.new_slot();
        self.shared_addresses.insert(address, slot);
        self.program.shared_addresses.push((slot, address));
        slot
    }

    fn global_address(&mut self, index: usize, offset: i64) -> Slot {
        if let Some(slot) = self.addresses.get(&(index, offset)) {
            return *slot;
        }
        let slot = self.new_slot();
        self.addresses.insert((index, offset), slot);
        self.program.addresses.push((slot, index, offset));
        slot
    }

    fn special(&mut self, name: &str) -> Result<Slot> {
        let Some(special) = special_of(name) else {
            return Err(self.fail(UNSUPPORTED, format!("the simulator does not know the register `{name}`")));
        };
        if name.starts_with("%reserved_smem_offset_") {
            self.program.shared_start = 0;
        }
        if let Some(slot) = self.specials.get(&special) {
            return Ok(*slot);
        }
        let slot = self.new_slot();
        self.specials.insert(special, slot);
        self.program.specials.push((slot, special));
        Ok(slot)
    }

    /// Base slot, offset and, for a symbol, where it lies.
    pub(crate) fn address(&mut self, operand: &Operand) -> Result<(Slot, i64, Option<VariablePlace>)> {
        let Operand::Address(address) = operand else {
            return Err(self.fail(BAD_PTX, "an address in brackets is needed here"));
        };
        match &address.base {
            Base::Register(register) => Ok((self.register(*register)?, address.offset, None)),
            Base::Absolute => Ok((self.literal(0), address.offset, None)),
            Base::Symbol(name) => {
                let place = self.find_variable(name);
                Ok((self.symbol(name, 0)?, address.offset, place))
            }
        }
    }
}

/// The bits of a literal in a register of type `ty`.
pub(crate) fn immediate_bits(immediate: Immediate, ty: Type) -> u64 {
    let bits = match (immediate, ty) {
        (Immediate::Int(value), _) => value as u64,
        (Immediate::F32(bits), Type::F64) => f64::from(f32::from_bits(bits)).to_bits(),
        (Immediate::F32(bits), _) => u64::from(bits),
        (Immediate::F64(bits), Type::F32) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        (Immediate::F64(bits), _) => bits,
    };
    if ty.bits() >= 64 { bits } else { bits & ((1 << ty.bits()) - 1) }
}

fn special_of(name: &str) -> Option<Special> {
    let (base, axis) = match name.split_once('.') {
        Some((base, "x")) => (base, 0),
        Some((base, "y")) => (base, 1),
        Some((base, "z")) => (base, 2),
        Some((_, "w")) => return Some(Special::Constant(0)),
        Some(_) => return None,
        None => (name, 0),
    };
    Some(match base {
        "%tid" => Special::Tid(axis),
        "%ntid" => Special::Ntid(axis),
        "%ctaid" => Special::Ctaid(axis),
        "%clusterid" => Special::ClusterId(axis),
        "%nctaid" => Special::Nctaid(axis),
        "%nclusterid" => Special::Nclusterid(axis),
        "%cluster_ctaid" => Special::ClusterCtaid(axis),
        "%cluster_nctaid" => Special::ClusterNctaid(axis),
        "%cluster_ctarank" => Special::ClusterRank,
        "%cluster_nctarank" => Special::ClusterSize,
        "%is_explicit_cluster" => Special::IsExplicitCluster,
        "%laneid" => Special::LaneId,
        "%warpid" => Special::WarpId,
        "%nwarpid" => Special::Nwarpid,
        "%smid" => Special::SmId,
        "%nsmid" => Special::NsmId,
        "%gridid" => Special::GridId,
        "%lanemask_eq" => Special::LaneMask(LaneOrder::Equal),
        "%lanemask_lt" => Special::LaneMask(LaneOrder::Less),
        "%lanemask_le" => Special::LaneMask(LaneOrder::LessEqual),
        "%lanemask_gt" => Special::LaneMask(LaneOrder::Greater),
        "%lanemask_ge" => Special::LaneMask(LaneOrder::GreaterEqual),
        "%dynamic_smem_size" => Special::DynamicShared,
        "%total_smem_size" | "%aggr_smem_size" => Special::TotalShared,
        "%reserved_smem_offset_begin" | "%reserved_smem_offset_0" => Special::Constant(0),
        "%reserved_smem_offset_1" => Special::Constant(LIBRARY_SHARED),
        "%reserved_smem_offset_end" | "%reserved_smem_offset_cap" => Special::Constant(SHARED_START),
        _ if base.starts_with("%envreg") => Special::Constant(0),
        _ => return None,
    })
}
