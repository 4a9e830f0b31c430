//! Instructions that lanes, warps or the CTA execute together: barriers, shuffles, votes, matrices.

use super::family::Collective;
use super::{Call, Decoder};
use crate::program::*;
use crate::report::AccessKind;
use tk_diag::Result;
use tk_ptx::{Operand, Type};

impl Decoder<'_> {
    /// Decodes a collective instruction; `false` for a form that the simulator has not.
    pub(super) fn collective(&mut self, call: &Call<'_>, which: Collective) -> Result<bool> {
        match which {
            Collective::Bar | Collective::Barrier if call.has("warp") => {
                let members = self.source(self.operand(call, 0)?, Type::B32)?;
                self.emit(Op::Lanes(LaneOp::WarpBarrier { members }));
                Ok(true)
            }
            Collective::Bar | Collective::Barrier => self.barrier(call),
            // Without `.sync` they are of GPUs whose lanes could not part.
            Collective::Shfl | Collective::Vote | Collective::Match if !call.has("sync") => Ok(false),
            Collective::Shfl => self.shuffle(call),
            Collective::Vote => self.vote(call),
            Collective::Match => self.match_any(call),
            Collective::Activemask => {
                let d = self.destination(self.operand(call, 0)?)?;
                self.emit(Op::Lanes(LaneOp::ActiveMask { d }));
                Ok(true)
            }
            Collective::Redux => self.redux(call),
            Collective::Elect => self.elect(call),
            Collective::Ldmatrix => self.matrix(call, false),
            Collective::Stmatrix => self.matrix(call, true),
            Collective::Movmatrix => {
                let [d, a] = call.operands else { return Err(self.malformed(call)) };
                let (d, a) = (self.destination(d)?, self.source(a, Type::B32)?);
                self.emit(Op::Lanes(LaneOp::Transpose { d, a }));
                Ok(true)
            }
            Collective::Mma => self.mma(call),
            Collective::Wgmma => self.wgmma(call),
            Collective::Wmma => self.wmma(call),
        }
    }

    /// `bar.sync a{, b}`, `barrier.cta.arrive`, `bar.red.popc.u32 d, a{, b}, p`, `barrier.cluster.*`.
    fn barrier(&mut self, call: &Call<'_>) -> Result<bool> {
        if call.has("cluster") {
            let order = if call.has("relaxed") { ArrivalOrder::Relaxed } else { ArrivalOrder::Release };
            let aligned = call.has("aligned");
            let op = match () {
                _ if call.has("arrive") => Op::ClusterArrive { order, aligned },
                _ if call.has("wait") => Op::ClusterWait { aligned },
                _ => return Ok(false),
            };
            self.program.has_relaxed_arrivals |= matches!(op, Op::ClusterArrive { order: ArrivalOrder::Relaxed, .. });
            self.emit(op);
            return Ok(true);
        }
        let mut operands = call.operands;
        let kind = if call.has("red") {
            let (Some((first, rest)), Some(last)) = (operands.split_first(), operands.last()) else {
                return Err(self.malformed(call));
            };
            if rest.len() < 2 {
                return Err(self.malformed(call));
            }
            operands = &rest[..rest.len() - 1];
            let pred = self.pred_source(last)?;
            match () {
                _ if call.has("popc") => BarrierKind::Popc(self.destination(first)?, pred),
                _ if call.has("and") => BarrierKind::And(self.pred_destination(first)?, pred),
                _ if call.has("or") => BarrierKind::Or(self.pred_destination(first)?, pred),
                _ => return Ok(false),
            }
        } else if call.has("arrive") {
            BarrierKind::Arrive
        } else if call.has("sync") {
            BarrierKind::Sync
        } else {
            return Ok(false);
        };
        let id = match operands.first() {
            Some(operand) => self.source(operand, Type::U32)?,
            None => self.literal(0),
        };
        let threads = operands.get(1).map(|operand| self.source(operand, Type::U32)).transpose()?;
        let aligned = call.name == "bar" || call.has("aligned");
        self.emit(Op::Barrier { kind, id, threads, aligned });
        Ok(true)
    }

    /// A destination register with an optional predicate: `d|p`.
    fn pair(&mut self, operand: &Operand) -> Result<(Slot, PredSlot)> {
        match operand {
            Operand::Pair(first, second) => {
                let d = match first {
                    Some(register) => self.register(*register)?,
                    None => self.new_slot(),
                };
                Ok((d, self.predicate_or_scratch(*second)?))
            }
            single => Ok((self.destination(single)?, self.new_pred())),
        }
    }

    fn shuffle(&mut self, call: &Call<'_>) -> Result<bool> {
        let [destination, a, b, c, members] = call.operands else { return Err(self.malformed(call)) };
        let kind = match () {
            _ if call.has("up") => Shuffle::Up,
            _ if call.has("down") => Shuffle::Down,
            _ if call.has("bfly") => Shuffle::Butterfly,
            _ if call.has("idx") => Shuffle::Index,
            _ => return Ok(false),
        };
        let (d, p) = self.pair(destination)?;
        let (a, b) = (self.source(a, Type::B32)?, self.source(b, Type::B32)?);
        let (c, members) = (self.source(c, Type::B32)?, self.source(members, Type::B32)?);
        self.emit(Op::Lanes(LaneOp::Shuffle { kind, d, p, a, b, c, members }));
        Ok(true)
    }

    fn vote(&mut self, call: &Call<'_>) -> Result<bool> {
        let [destination, a, members] = call.operands else { return Err(self.malformed(call)) };
        let kind = match () {
            _ if call.has("all") => Vote::All,
            _ if call.has("any") => Vote::Any,
            _ if call.has("uni") => Vote::Uniform,
            _ if call.has("ballot") => Vote::Ballot,
            _ => return Ok(false),
        };
        let (d, p) = match kind {
            Vote::Ballot => (self.destination(destination)?, self.new_pred()),
            _ => (self.new_slot(), self.pred_destination(destination)?),
        };
        let (a, members) = (self.pred_source(a)?, self.source(members, Type::B32)?);
        self.emit(Op::Lanes(LaneOp::Vote { kind, d, p, a, members }));
        Ok(true)
    }

    fn match_any(&mut self, call: &Call<'_>) -> Result<bool> {
        let (Some(ty), [destination, a, members]) = (call.ty(), call.operands) else {
            return Err(self.malformed(call));
        };
        let (d, p) = self.pair(destination)?;
        let (a, members) = (self.source(a, ty)?, self.source(members, Type::B32)?);
        self.emit(Op::Lanes(LaneOp::Match { all: call.has("all"), d, p, a, members }));
        Ok(true)
    }

    fn redux(&mut self, call: &Call<'_>) -> Result<bool> {
        let (Some(ty), [destination, a, members]) = (call.ty(), call.operands) else {
            return Err(self.malformed(call));
        };
        let known = |word: &&&str| crate::ops::ATOMICS.contains(word);
        let name = call.words.iter().find(known).copied().unwrap_or("");
        if ty == Type::F32 && (call.has("NaN") || call.has("abs")) {
            return Ok(false);
        }
        let Some(update) = crate::ops::update(name, ty) else { return Ok(false) };
        let d = self.destination(destination)?;
        let (a, members) = (self.source(a, ty)?, self.source(members, Type::B32)?);
        self.emit(Op::Lanes(LaneOp::Reduce { update, d, a, members }));
        Ok(true)
    }

    fn elect(&mut self, call: &Call<'_>) -> Result<bool> {
        let [destination, members] = call.operands else { return Err(self.malformed(call)) };
        let (d, p) = self.pair(destination)?;
        let members = self.source(members, Type::B32)?;
        self.emit(Op::Lanes(LaneOp::Elect { d, p, members }));
        Ok(true)
    }

    /// `ldmatrix.sync.aligned.m8n8.x4{.trans}.shared.b16 {…}, [a]` and `stmatrix`.
    fn matrix(&mut self, call: &Call<'_>, store: bool) -> Result<bool> {
        if !call.has("m8n8") || !call.has("b16") {
            return Ok(false);
        }
        let (address, values) = if store { (0, 1) } else { (1, 0) };
        let (base, offset, _) = self.address(self.operand(call, address)?)?;
        let values = self.operand(call, values)?;
        let regs = match store {
            true => self.group(values, |d, o| d.source(o, Type::B32))?,
            false => self.group(values, |d, o| d.destination(o))?,
        };
        let count = [("x1", 1), ("x2", 2), ("x4", 4)].into_iter().find(|(word, _)| call.has(word)).map_or(1, |x| x.1);
        if regs.len() != count {
            return Err(self.malformed(call));
        }
        let kind = if store { AccessKind::Store } else { AccessKind::Load };
        let site = self.site(kind, Memory::Shared, 128);
        self.program.matrices.push(Matrix { store, transposed: call.has("trans"), regs, base, offset, site });
        self.emit(Op::Matrix(self.program.matrices.len() as u32 - 1));
        Ok(true)
    }

    /// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}`.
    fn mma(&mut self, call: &Call<'_>) -> Result<bool> {
        let [d, a, b, c] = call.operands else { return Ok(false) };
        let found = call.words.iter().find_map(|w| shape(w));
        let types: Vec<&str> = call.words.iter().copied().filter(|w| is_mma_type(w)).collect();
        let (Some((m, n, k)), [d_type, a_type, b_type, c_type]) = (found, types.as_slice()) else { return Ok(false) };
        let (Some(a_type), Some(b_type)) = (element(a_type), element(b_type)) else { return Ok(false) };
        if (m, n, k, a_type, b_type) == (8, 8, 4, Element::F16, Element::F16) {
            return self.mma_of_quad_pairs(call, d_type, c_type);
        }
        if d_type != c_type || !call.has("row") || !call.has("col") {
            return Ok(false);
        }
        let overflow = if call.has("satfinite") { Overflow::Saturates } else { Overflow::Wraps };
        let Some(sums) = Sums::named(d_type, overflow) else { return Ok(false) };
        let plain = ["sync", "aligned", "row", "col", "satfinite"];
        let other = |w: &&str| !plain.contains(w) && shape(w).is_none() && !is_mma_type(w);
        if call.words.iter().any(other) || !supported(m, n, k, a_type, b_type, d_type) {
            return Ok(false);
        }
        let mma = Mma {
            m,
            k,
            a_type,
            b_type,
            sums,
            d: self.group(d, |x, o| x.destination(o))?,
            a: self.group(a, |x, o| x.source(o, Type::B32))?,
            b: self.group(b, |x, o| x.source(o, Type::B32))?,
            c: self.group(c, |x, o| x.source(o, Type::B32))?,
        };
        let bits = a_type.bits();
        let result_bits = if sums == Sums::Half { 16 } else { bits.max(32) };
        let register = |elements: usize, bits: usize| elements * bits / 32 / bits.max(32);
        let sizes = [register(m * n, result_bits), register(m * k, bits), register(k * n, bits)];
        if [mma.d.len(), mma.a.len(), mma.b.len()] != sizes || mma.c.len() != sizes[0] {
            return Err(self.malformed(call));
        }
        self.program.mmas.push(mma);
        self.emit(Op::Mma(self.program.mmas.len() as u32 - 1));
        Ok(true)
    }
}

pub(super) fn shape(word: &str) -> Option<(usize, usize, usize)> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some((m.parse().ok()?, n.parse().ok()?, k.parse().ok()?))
}

fn is_mma_type(word: &str) -> bool {
    matches!(word, "f16" | "f32" | "f64" | "s32") || element(word).is_some()
}

pub(super) fn element(word: &str) -> Option<Element> {
    Some(match word {
        "f16" => Element::F16,
        "bf16" => Element::BF16,
        "tf32" => Element::TF32,
        "e4m3" => Element::E4M3,
        "e5m2" => Element::E5M2,
        "s8" => Element::S8,
        "u8" => Element::U8,
        "f64" => Element::F64,
        _ => return None,
    })
}

/// The combinations of PTX, without sub-byte integers and the old m8n8k4 of f16.
fn supported(m: usize, n: usize, k: usize, a: Element, b: Element, result: &str) -> bool {
    use Element::{BF16, E4M3, E5M2, F16, F64, S8, TF32, U8};
    let same = a == b;
    match (a, (m, n, k)) {
        (F16, (16, 8, 8 | 16)) => same && matches!(result, "f16" | "f32"),
        (BF16, (16, 8, 8 | 16)) | (TF32, (16, 8, 4 | 8)) => same && result == "f32",
        (E4M3 | E5M2, (16, 8, 16 | 32)) => matches!(b, E4M3 | E5M2) && matches!(result, "f16" | "f32"),
        (S8 | U8, (8, 8, 16) | (16, 8, 16 | 32)) => matches!(b, S8 | U8) && result == "s32",
        (F64, (8, 8, 4) | (16, 8, 4 | 8 | 16)) => same && result == "f64",
        _ => false,
    }
}
