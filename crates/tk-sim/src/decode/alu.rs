//! Arithmetic, moves, comparisons, selections and conversions.

use super::family::Arithmetic;
use super::{Call, Decoder};
use crate::ops::{self, Convert, Function, Packed};
use crate::program::*;
use tk_diag::Result;
use tk_ptx::{Operand, Type};

impl Decoder<'_> {
    /// Decodes an instruction on registers; `false` for a form that the simulator has not.
    pub(super) fn arithmetic(&mut self, call: &Call<'_>, which: Arithmetic) -> Result<bool> {
        match which {
            Arithmetic::Mov => self.mov(call),
            Arithmetic::Setp => self.setp(call),
            Arithmetic::Set => self.set(call),
            Arithmetic::Selp => self.selp(call),
            Arithmetic::Slct => self.slct(call),
            Arithmetic::Testp => self.testp(call),
            Arithmetic::Cvt => self.cvt(call),
            Arithmetic::Shf => {
                let f = ops::funnel_shift(call.has("l"), call.has("clamp"));
                self.emit_function(call, Function::Three(f), Type::B32)
            }
            Arithmetic::Prmt => {
                let mode = call.words.iter().copied().find(|w| *w != "b32");
                match ops::prmt(mode) {
                    Some(f) => self.emit_function(call, Function::Three(f), Type::B32),
                    None => Ok(false),
                }
            }
            Arithmetic::Lop3 if call.operands.len() == 5 && call.words == ["b32"] => {
                self.emit_function(call, Function::Four(ops::lop3()), Type::B32)
            }
            Arithmetic::Lop3 => Ok(false),
            Arithmetic::Addc => self.carry(call, Sum::Add, CarryIn::Read),
            Arithmetic::Subc => self.carry(call, Sum::Subtract, CarryIn::Read),
            Arithmetic::Add if call.has("cc") => self.carry(call, Sum::Add, CarryIn::None),
            Arithmetic::Sub if call.has("cc") => self.carry(call, Sum::Subtract, CarryIn::None),
            Arithmetic::Madc => self.multiply_carry(call, CarryIn::Read),
            Arithmetic::Mad if call.has("cc") => self.multiply_carry(call, CarryIn::None),
            Arithmetic::And if call.has("pred") => self.logic(call, Logic::And),
            Arithmetic::Or if call.has("pred") => self.logic(call, Logic::Or),
            Arithmetic::Xor if call.has("pred") => self.logic(call, Logic::Xor),
            Arithmetic::Not if call.has("pred") => self.negate(call),
            Arithmetic::Add
            | Arithmetic::Sub
            | Arithmetic::Mad
            | Arithmetic::And
            | Arithmetic::Or
            | Arithmetic::Xor
            | Arithmetic::Not => self.plain(call),
        }
    }

    /// An instruction whose operands are plain registers.
    pub(super) fn plain(&mut self, call: &Call<'_>) -> Result<bool> {
        let Some(ty) = call.ty() else { return Ok(false) };
        let Some(function) = ops::find(call.name, ty, &call.mode) else { return Ok(false) };
        self.emit_function(call, function, ty)
    }

    fn emit_function(&mut self, call: &Call<'_>, function: Function, ty: Type) -> Result<bool> {
        let arity = match function {
            Function::One(_) => 1,
            Function::Two(_) => 2,
            Function::Three(_) => 3,
            Function::Four(_) => 4,
        };
        if call.operands.len() != arity + 1 {
            return Err(self.malformed(call));
        }
        let d = self.destination(&call.operands[0])?;
        let mut slots = [0; 4];
        for (i, slot) in slots.iter_mut().take(arity).enumerate() {
            let ty = source_type(call, i, arity, ty);
            *slot = self.source(&call.operands[i + 1], ty)?;
        }
        let [a, b, c, _] = slots;
        let op = match function {
            Function::One(f) => Op::One { f, d, a },
            Function::Two(f) => Op::Two { f, d, a, b },
            Function::Three(f) => Op::Three { f, d, a, b, c },
            Function::Four(f) => Op::Register(RegisterOp::Four { f, d, operands: self.pool(&slots) }),
        };
        self.emit(op);
        Ok(true)
    }

    fn mov(&mut self, call: &Call<'_>) -> Result<bool> {
        let (Some(ty), [destination, source]) = (call.ty(), call.operands) else { return Err(self.malformed(call)) };
        match (destination, source) {
            _ if ty == Type::Pred => {
                let d = self.pred_destination(destination)?;
                let a = self.pred_source(source)?;
                self.emit(Op::Combine { logic: Logic::And, d, a, b: Pred::TRUE });
            }
            (Operand::Vector(to), Operand::Vector(from)) => self.mov_vector(call, to, from, ty)?,
            (Operand::Vector(parts), _) => self.unpack(call, parts, source, ty)?,
            (_, Operand::Vector(parts)) => self.pack(call, destination, parts, ty)?,
            (_, Operand::Special(name)) if name.starts_with("%clock") || name.starts_with("%globaltimer") => {
                let d = self.destination(destination)?;
                self.emit(Op::Register(RegisterOp::Clock { d, high: name.ends_with("_hi") }));
            }
            _ if ty == Type::B128 => {
                let (d, a) = (self.destination(destination)?, self.source(source, ty)?);
                for half in 0..2 {
                    self.copy_slot(d + half, a + half);
                }
            }
            _ => return self.plain(call),
        }
        Ok(true)
    }

    /// `mov.v2.b16 {a, b}, {c, d}`: all are read before the first is written.
    fn mov_vector(&mut self, call: &Call<'_>, to: &[Operand], from: &[Operand], ty: Type) -> Result<()> {
        if to.len() != from.len() || ty == Type::B128 {
            return Err(self.malformed(call));
        }
        let sources = from.iter().map(|part| self.source(part, ty)).collect::<Result<Vec<Slot>>>()?;
        let destinations = to.iter().map(|part| self.destination(part)).collect::<Result<Vec<Slot>>>()?;
        let scratch: Vec<Slot> = sources.iter().map(|_| self.new_slot()).collect();
        scratch.iter().zip(&sources).for_each(|(to, from)| self.copy_slot(*to, *from));
        destinations.iter().zip(&scratch).for_each(|(to, from)| self.copy_slot(*to, *from));
        Ok(())
    }

    fn unpack(&mut self, call: &Call<'_>, parts: &[Operand], source: &Operand, ty: Type) -> Result<()> {
        if !matches!(parts.len(), 2 | 4 | 8) {
            return Err(self.malformed(call));
        }
        let a = self.source(source, ty)?;
        let bits = ty.bits() / parts.len() as u32;
        let slots = parts.iter().map(|part| self.destination(part)).collect::<Result<Vec<Slot>>>()?;
        if ty == Type::B128 {
            let half = slots.len() / 2;
            // Both halves are read before a part is written, unless a part is the source itself.
            for (i, slots) in slots.chunks(half).enumerate() {
                let parts = self.pool(slots);
                self.emit(Op::Register(RegisterOp::Unpack { parts, count: half as u32, a: a + i as u32, bits }));
            }
            return Ok(());
        }
        let count = slots.len() as u32;
        let parts = self.pool(&slots);
        self.emit(Op::Register(RegisterOp::Unpack { parts, count, a, bits }));
        Ok(())
    }

    fn pack(&mut self, call: &Call<'_>, destination: &Operand, parts: &[Operand], ty: Type) -> Result<()> {
        if !matches!(parts.len(), 2 | 4 | 8) {
            return Err(self.malformed(call));
        }
        let d = self.destination(destination)?;
        let bits = ty.bits() / parts.len() as u32;
        let part = [Type::B8, Type::B16, Type::B32, Type::B64].into_iter().find(|t| t.bits() == bits);
        let part = part.ok_or_else(|| self.malformed(call))?;
        let slots = parts.iter().map(|p| self.source(p, part)).collect::<Result<Vec<Slot>>>()?;
        let halves = if ty == Type::B128 { 2 } else { 1 };
        for (i, slots) in slots.chunks(slots.len() / halves).enumerate() {
            let count = slots.len() as u32;
            let parts = self.pool(slots);
            self.emit(Op::Register(RegisterOp::Pack { d: d + i as u32, parts, count, bits }));
        }
        Ok(())
    }

    /// `setp.op[.bool][.ftz].type p[|q], a, b[, c]`.
    fn setp(&mut self, call: &Call<'_>) -> Result<bool> {
        let (Some(ty), [destination, a, b, rest @ ..]) = (call.ty(), call.operands) else {
            return Err(self.malformed(call));
        };
        let packed = matches!(ty, Type::F16x2 | Type::BF16x2);
        let Some(test) = call.words.first().and_then(|op| ops::comparison(op, ty, call.mode.ftz)) else {
            return Ok(false);
        };
        let (p, q) = match destination {
            Operand::Pair(p, q) => (self.predicate_or_scratch(*p)?, self.predicate_or_scratch(*q)?),
            other => (self.pred_destination(other)?, self.new_pred()),
        };
        let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
        let combine = self.combination(call, rest)?;
        if packed {
            let scratch = self.new_pred();
            self.emit(Op::Compare { f: test, p, q: scratch, a, b, combine });
            let (high_a, high_b) = (self.new_slot(), self.new_slot());
            self.emit(Op::One { f: ops::upper(), d: high_a, a });
            self.emit(Op::One { f: ops::upper(), d: high_b, a: b });
            self.emit(Op::Compare { f: test, p: q, q: scratch, a: high_a, b: high_b, combine });
        } else {
            self.emit(Op::Compare { f: test, p, q, a, b, combine });
        }
        Ok(true)
    }

    /// The boolean that a comparison is combined with: 0 for none, else 1 + its index.
    fn combination(&mut self, call: &Call<'_>, rest: &[Operand]) -> Result<u32> {
        let logic = call.words.iter().find_map(|word| logic_of(word));
        let (Some(logic), [operand]) = (logic, rest) else { return Ok(0) };
        let pred = self.pred_source(operand)?;
        self.program.combines.push((logic, pred));
        Ok(self.program.combines.len() as u32)
    }

    /// `set.op[.bool][.ftz].dtype.stype d, a, b[, c]`.
    fn set(&mut self, call: &Call<'_>) -> Result<bool> {
        let types: Vec<Type> = call.mode.types().filter_map(Type::parse).collect();
        let ([to, ty], [destination, a, b, rest @ ..]) = (types.as_slice(), call.operands) else {
            return Err(self.malformed(call));
        };
        let test = call.words.first().and_then(|op| ops::comparison(op, *ty, call.mode.ftz));
        let packed = matches!(ty, Type::F16x2 | Type::BF16x2);
        let yes = if packed { ops::set_half(*to) } else { ops::set(*to) };
        let (Some(f), Some(yes)) = (test, yes) else { return Ok(false) };
        let d = self.destination(destination)?;
        let (a, b) = (self.source(a, *ty)?, self.source(b, *ty)?);
        let combine = self.combination(call, rest)?;
        let (yes, no) = (self.literal(yes), self.literal(0));
        if !packed {
            self.emit_set(f, [d, a, b], [yes, no], combine);
            return Ok(true);
        }
        let [low, high, high_a, high_b] = std::array::from_fn(|_| self.new_slot());
        self.emit_set(f, [low, a, b], [yes, no], combine);
        self.emit(Op::One { f: ops::upper(), d: high_a, a });
        self.emit(Op::One { f: ops::upper(), d: high_b, a: b });
        self.emit_set(f, [high, high_a, high_b], [yes, no], combine);
        let parts = self.pool(&[low, high]);
        self.emit(Op::Register(RegisterOp::Pack { d, parts, count: 2, bits: 16 }));
        Ok(true)
    }

    /// d = f(a, b) ? yes : no
    fn emit_set(&mut self, f: crate::lanes::Test, [d, a, b]: [Slot; 3], [yes, no]: [Slot; 2], combine: u32) {
        let (p, q) = (self.new_pred(), self.new_pred());
        self.emit(Op::Compare { f, p, q, a, b, combine });
        self.emit(Op::Select { d, a: yes, b: no, p: Pred { slot: p, negated: false } });
    }

    fn selp(&mut self, call: &Call<'_>) -> Result<bool> {
        let (Some(ty), [destination, a, b, p]) = (call.ty(), call.operands) else { return Err(self.malformed(call)) };
        let d = self.destination(destination)?;
        let (a, b, p) = (self.source(a, ty)?, self.source(b, ty)?, self.pred_source(p)?);
        self.emit(Op::Select { d, a, b, p });
        Ok(true)
    }

    fn slct(&mut self, call: &Call<'_>) -> Result<bool> {
        let types: Vec<Type> = call.mode.types().filter_map(Type::parse).collect();
        let ([ty, by], [destination, a, b, c]) = (types.as_slice(), call.operands) else {
            return Err(self.malformed(call));
        };
        let d = self.destination(destination)?;
        let (a, b, c) = (self.source(a, *ty)?, self.source(b, *ty)?, self.source(c, *by)?);
        self.emit(Op::Three { f: ops::slct(ty.bits() == 64, *by == Type::F32), d, a, b, c });
        Ok(true)
    }

    fn testp(&mut self, call: &Call<'_>) -> Result<bool> {
        let (Some(ty), [destination, a]) = (call.ty(), call.operands) else { return Err(self.malformed(call)) };
        let Some(f) = call.words.first().and_then(|kind| ops::testp(kind, ty)) else { return Ok(false) };
        let (p, q) = (self.pred_destination(destination)?, self.new_pred());
        let a = self.source(a, ty)?;
        self.emit(Op::Compare { f, p, q, a, b: a, combine: 0 });
        Ok(true)
    }

    /// `cvt.pack.sat.u8.s32.b32 d, a, b, c`: a and b limited to the type, above the bits of c that remain.
    fn cvt_pack(&mut self, call: &Call<'_>) -> Result<bool> {
        let (["pack", "sat", to, "s32", rest @ ..], [destination, a, b, others @ ..]) = (call.words, call.operands)
        else {
            return Ok(false);
        };
        let Some(pack) = ops::convert_pack(to) else { return Ok(false) };
        let d = self.destination(destination)?;
        let (a, b) = (self.source(a, Type::S32)?, self.source(b, Type::S32)?);
        match (pack, rest, others) {
            (ops::Pack::Whole(f), [], []) => self.emit(Op::Two { f, d, a, b }),
            (ops::Pack::Part(f), ["b32"], [c]) => {
                let c = self.source(c, Type::B32)?;
                self.emit(Op::Three { f, d, a, b, c });
            }
            _ => return Err(self.malformed(call)),
        }
        Ok(true)
    }

    fn cvt(&mut self, call: &Call<'_>) -> Result<bool> {
        if call.has("pack") {
            return self.cvt_pack(call);
        }
        let known = |w: &&&str| Type::parse(w).is_some() || matches!(**w, "tf32" | "e4m3x2" | "e5m2x2");
        let types: Vec<&str> = call.words.iter().filter(known).copied().collect();
        let ([to, from], [destination, sources @ ..]) = (types.as_slice(), call.operands) else {
            return Err(self.malformed(call));
        };
        let register = self.width(destination).min(64);
        let d = self.destination(destination)?;
        if let Some(packed) = ops::convert_packed(to, from, &call.mode) {
            let ty = if *from == "f32" { Type::F32 } else { Type::B32 };
            match (packed, sources) {
                (Packed::One(f), [a]) => {
                    let a = self.source(a, ty)?;
                    self.emit(Op::One { f, d, a });
                }
                (Packed::Two(f), [a, b]) => {
                    let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
                    self.emit(Op::Two { f, d, a, b });
                }
                _ => return Err(self.malformed(call)),
            }
            return Ok(true);
        }
        let (Some(to), Some(from), [source]) = (Type::parse(to), Type::parse(from), sources) else { return Ok(false) };
        let a = self.source(source, from)?;
        match ops::convert(to, from, register, &call.mode) {
            Some(Convert::Fast(f)) => self.emit(Op::One { f, d, a }),
            Some(Convert::General(conversion)) => {
                self.program.conversions.push(conversion);
                let conversion = self.program.conversions.len() as u32 - 1;
                self.emit(Op::Register(RegisterOp::Convert { conversion, d, a }));
            }
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Additions and subtractions that read or write the carry flag.
    fn carry(&mut self, call: &Call<'_>, sum: Sum, carry_in: CarryIn) -> Result<bool> {
        let (Some(ty), [destination, a, b]) = (call.ty(), call.operands) else { return Err(self.malformed(call)) };
        let d = self.destination(destination)?;
        let (a, b) = (self.source(a, ty)?, self.source(b, ty)?);
        let (wide, writes) = (ty.bits() == 64, call.has("cc"));
        self.emit(Op::Register(RegisterOp::Carry { d, a, b, sum, carry_in, wide, writes }));
        Ok(true)
    }

    /// `mad.lo.cc`, `madc.hi` and their kin: a product, then an addition with carry.
    fn multiply_carry(&mut self, call: &Call<'_>, carry_in: CarryIn) -> Result<bool> {
        let (Some(ty), [destination, a, b, c]) = (call.ty(), call.operands) else { return Err(self.malformed(call)) };
        let Some(Function::Two(f)) = ops::find("mul", ty, &call.mode) else { return Ok(false) };
        let d = self.destination(destination)?;
        let (a, b, c) = (self.source(a, ty)?, self.source(b, ty)?, self.source(c, ty)?);
        let product = self.new_slot();
        self.emit(Op::Two { f, d: product, a, b });
        let (wide, writes) = (ty.bits() == 64, call.has("cc"));
        self.emit(Op::Register(RegisterOp::Carry { d, a: product, b: c, sum: Sum::Add, carry_in, wide, writes }));
        Ok(true)
    }

    fn logic(&mut self, call: &Call<'_>, logic: Logic) -> Result<bool> {
        let [d, a, b] = call.operands else { return Err(self.malformed(call)) };
        let (a, b) = (self.pred_source(a)?, self.pred_source(b)?);
        let d = self.pred_destination(d)?;
        self.emit(Op::Combine { logic, d, a, b });
        Ok(true)
    }

    /// `not.pred`.
    fn negate(&mut self, call: &Call<'_>) -> Result<bool> {
        let [d, a] = call.operands else { return Err(self.malformed(call)) };
        let a = self.pred_source(a)?;
        let d = self.pred_destination(d)?;
        self.emit(Op::Combine { logic: Logic::Xor, d, a, b: Pred::TRUE });
        Ok(true)
    }
}

fn logic_of(word: &str) -> Option<Logic> {
    Some(match word {
        "and" => Logic::And,
        "or" => Logic::Or,
        "xor" => Logic::Xor,
        _ => return None,
    })
}

/// The type of source operand `index`, which differs from the instruction's for shifts, fields and wide sums.
fn source_type(call: &Call<'_>, index: usize, arity: usize, ty: Type) -> Type {
    let wide = matches!((call.name, index), ("mad", 2)) && call.has("wide");
    match (call.name, index) {
        _ if wide && ty.bits() == 32 => Type::B64,
        _ if wide => Type::B32,
        ("shl" | "shr" | "bfe" | "szext" | "bmsk", 1..) => Type::B32,
        ("bfi", 2..) => Type::B32,
        ("dp4a" | "dp2a", _) => Type::B32,
        _ if arity == 4 && index == 3 => Type::B32,
        _ => ty,
    }
}
