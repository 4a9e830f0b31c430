//! Bulk copies and tensor maps: `cp.async.bulk`, `cp.reduce.async.bulk`, `tensormap.*`.

use super::{Call, Decoder};
use crate::program::*;
use crate::report::AccessKind;
use crate::tensor_map::{MapField, field};
use tk_diag::{BAD_PTX, Result};
use tk_ptx::{Immediate, Operand, Space, Type};

impl Call<'_> {
    /// Whom a fence of tensor maps reaches.
    pub(super) fn map_scope(&self) -> MapScope {
        if self.has("gpu") || self.has("sys") { MapScope::Gpu } else { MapScope::Cta }
    }
}

impl Decoder<'_> {
    /// `cp.async.bulk…` and `cp.reduce.async.bulk…`; `false` when the simulator has not that form.
    pub(super) fn bulk(&mut self, call: &Call<'_>) -> Result<bool> {
        if call.has("commit_group") {
            self.emit(Op::BulkCommit);
            return Ok(true);
        }
        if call.has("wait_group") {
            let Some(Operand::Immediate(Immediate::Int(left))) = call.operand(0) else {
                return Err(self.malformed(call));
            };
            let left = (*left).clamp(0, 1 << 20) as u32;
            self.emit(Op::BulkWait { left, read_only: call.has("read") });
            return Ok(true);
        }
        if call.has("prefetch") {
            self.emit(Op::Nothing);
            return Ok(true);
        }
        // Other box shapes and byte masks are not simulated.
        let refused = |w: &&&str| w.starts_with("im2col") || w.starts_with("tile::") || **w == "cp_mask";
        if call.words.iter().any(|w| refused(&w)) {
            return Ok(false);
        }
        let mut spaces = call.words.iter().filter_map(|w| Space::parse(w));
        let kind = match (spaces.next(), spaces.next()) {
            (Some(Space::Shared), Some(Space::Global)) => BulkKind::Load,
            (Some(Space::Global), Some(Space::Shared)) => BulkKind::Store,
            (Some(Space::Shared), Some(Space::Shared)) => BulkKind::CopyShared,
            _ => return Ok(false),
        };
        let completion = if kind == BulkKind::Store { "bulk_group" } else { "mbarrier::complete_tx::bytes" };
        let reduce = call.has("reduce");
        if !call.has(completion) || (reduce && kind != BulkKind::Store) {
            return Ok(false);
        }
        let update = if reduce { Some(self.bulk_update(call)?) } else { None };
        let tensor = call.has("tensor");
        let (shared, other) = if kind == BulkKind::Store { (1, 0) } else { (0, 1) };
        let (base, offset, _) = self.address(self.operand(call, other)?)?;
        let other = ((base, offset), self.operand(call, other)?);
        let coordinates = if tensor { Some(self.coordinates(call, other.1)?) } else { None };
        let (base, offset, _) = self.address(self.operand(call, shared)?)?;
        let bytes = if tensor { self.literal(0) } else { self.source(self.operand(call, 2)?, Type::U32)? };
        let after = if tensor { 2 } else { 3 };
        let barrier = match kind {
            BulkKind::Store => (self.literal(0), 0),
            BulkKind::Load | BulkKind::CopyShared | BulkKind::Registers => {
                let (slot, offset, _) = self.address(self.operand(call, after)?)?;
                (slot, offset)
            }
        };
        let multicast = match call.words.iter().any(|w| w.starts_with("multicast")) {
            true if kind == BulkKind::Load => Some(self.source(self.operand(call, after + 1)?, Type::B16)?),
            true => return Ok(false),
            false => None,
        };
        let site = self.site(AccessKind::Bulk, Memory::Global, 128);
        let (shared, other) = ((base, offset), other.0);
        let values = Vec::new();
        let bulk = Bulk { kind, coordinates, shared, other, bytes, values, barrier, multicast, update, site };
        self.program.bulks.push(bulk);
        self.emit(Op::Bulk(self.program.bulks.len() as u32 - 1));
        Ok(true)
    }

    /// `st.async.shared::cluster.mbarrier::complete_tx::bytes{.v2|.v4}.b32|.b64 [a], b, [mbarrier]`.
    pub(super) fn store_async(&mut self, call: &Call<'_>) -> Result<bool> {
        let ([place, value, barrier], Some(ty)) = (call.operands, call.ty()) else { return Err(self.malformed(call)) };
        if !call.has("mbarrier::complete_tx::bytes") || !matches!(ty.bytes(), 4 | 8) {
            return Ok(false);
        }
        let values = self.group(value, |decoder, operand| decoder.source(operand, ty))?;
        let (shared, barrier) = (self.address(place)?, self.address(barrier)?);
        let (shared, barrier) = ((shared.0, shared.1), (barrier.0, barrier.1));
        let (other, bytes) = ((self.literal(0), 0), self.literal(ty.bytes().into()));
        let site = self.site(AccessKind::Bulk, Memory::Shared, 32);
        let (kind, coordinates, multicast, update) = (BulkKind::Registers, None, None, None);
        let bulk = Bulk { kind, coordinates, shared, other, bytes, values, barrier, multicast, update, site };
        self.program.bulks.push(bulk);
        self.emit(Op::Bulk(self.program.bulks.len() as u32 - 1));
        Ok(true)
    }

    /// The reduction of a `cp.reduce`: its name, and what it does unless a tensor map has to say the type.
    fn bulk_update(&mut self, call: &Call<'_>) -> Result<BulkUpdate> {
        let known = crate::ops::ATOMICS.iter().find(|name| call.has(name));
        let Some(name) = known.copied().filter(|name| !matches!(*name, "cas" | "exch")) else {
            return Err(self.malformed(call));
        };
        if call.has("tensor") {
            return Ok((name, None));
        }
        let Some(ty) = call.ty() else { return Err(self.malformed(call)) };
        match crate::ops::update(name, ty) {
            Some(update) if matches!(ty.bytes(), 2 | 4 | 8) => Ok((name, Some((update, ty.bytes())))),
            _ => Err(self.malformed(call)),
        }
    }

    /// `[map, {x, y}]`: as many coordinates as the opcode has dimensions.
    fn coordinates(&mut self, call: &Call<'_>, operand: &Operand) -> Result<Vec<Slot>> {
        let Operand::Address(address) = operand else { return Err(self.malformed(call)) };
        let rank = (1..=5).find(|rank| call.words.iter().any(|w| *w == ["1d", "2d", "3d", "4d", "5d"][rank - 1]));
        match address.more.as_slice() {
            [Operand::Vector(items)] if Some(items.len()) == rank => {
                items.iter().map(|item| self.source(item, Type::S32)).collect()
            }
            _ => Err(self.fail(BAD_PTX, "a tensor copy needs one coordinate per dimension")),
        }
    }

    /// `tensormap.replace.tile.FIELD.space.b1024.type [map], {ordinal,} value` and `tensormap.cp_fenceproxy`.
    pub(super) fn tensormap(&mut self, call: &Call<'_>) -> Result<bool> {
        if call.has("cp_fenceproxy") {
            let [destination, source, ..] = call.operands else { return Err(self.malformed(call)) };
            let (to, from) = (self.address(destination)?, self.address(source)?);
            let (slots, offsets, scope) = ([to.0, from.0], [to.1, from.1], call.map_scope());
            self.emit(Op::CopyMap { slots, offsets, scope });
            return Ok(true);
        }
        let Some(MapField { at, bytes, entries }) = call.words.iter().find_map(|w| field(w)) else {
            return Ok(false);
        };
        if !call.has("replace") {
            return Ok(false);
        }
        let (base, offset, _) = self.address(self.operand(call, 0)?)?;
        let (ordinal, value) = match call.operands {
            [_, value] if entries == 1 => (0, value),
            [_, Operand::Immediate(Immediate::Int(ordinal)), value] if (0..i128::from(entries)).contains(ordinal) => {
                (*ordinal as u32, value)
            }
            _ => return Err(self.malformed(call)),
        };
        let value = self.source(value, Type::B64)?;
        let memory = match call.words.iter().find_map(|w| Space::parse(w)) {
            Some(Space::Shared) => Memory::Shared,
            Some(Space::Global) => Memory::Global,
            _ => Memory::Generic,
        };
        let field = TensorMapField { base, offset, value, at: at + ordinal * bytes, bytes, memory };
        self.program.map_fields.push(field);
        self.emit(Op::ReplaceField(self.program.map_fields.len() as u32 - 1));
        Ok(true)
    }
}
