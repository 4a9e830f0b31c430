//! `wgmma.fence`, `commit_group`, `wait_group` and `mma_async`.

use super::collective::{element, shape};
use super::{Call, Decoder};
use crate::program::*;
use crate::report::AccessKind;
use tk_diag::{BAD_PTX, Result};
use tk_ptx::{Immediate, Operand, Type};

impl Decoder<'_> {
    /// Decodes a wgmma instruction; `false` when it is none that PTX has.
    pub(super) fn wgmma(&mut self, call: &Call<'_>) -> Result<bool> {
        let op = match call.words.first().copied() {
            Some("fence") => Op::WgmmaFence,
            Some("commit_group") => Op::WgmmaCommit,
            Some("wait_group") => match call.operand(0) {
                Some(Operand::Immediate(Immediate::Int(left @ 0..=7))) => Op::WgmmaWait { left: *left as u32 },
                _ => return Err(self.fail(BAD_PTX, "wgmma.wait_group takes a number from 0 to 7")),
            },
            Some("mma_async") => return self.mma_async(call),
            _ => return Ok(false),
        };
        if !call.has("sync") || !call.has("aligned") {
            return Ok(false);
        }
        self.emit(op);
        Ok(true)
    }

    /// `wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {d}, a, b, scale-d{, -1|1, -1|1}{, transpose…}`.
    fn mma_async(&mut self, call: &Call<'_>) -> Result<bool> {
        let shape = call.words.iter().find_map(|w| shape(w));
        let types: Vec<&str> = call.words.iter().copied().filter(|w| is_type(w)).collect();
        let (Some((64, n, k)), [result, a_type, b_type]) = (shape, types.as_slice()) else { return Ok(false) };
        let (Some(a_type), Some(b_type)) = (element(a_type), element(b_type)) else { return Ok(false) };
        if call.has("sp") || !supported(n, k, a_type, b_type, result) {
            return Ok(false);
        }
        let [d, a, b, scale, rest @ ..] = call.operands else { return Err(self.malformed(call)) };
        let overflow = if call.has("satfinite") { Overflow::Saturates } else { Overflow::Wraps };
        let Some(sums) = Sums::named(result, overflow) else { return Ok(false) };
        let d = self.group(d, |x, o| x.destination(o))?;
        let registers = if sums == Sums::Half { n / 4 } else { n / 2 };
        let left = match a {
            Operand::Vector(_) => Left::Registers(self.group(a, |x, o| x.source(o, Type::B32))?),
            single => Left::Shared(self.source(single, Type::B64)?),
        };
        if d.len() != registers || matches!(&left, Left::Registers(slots) if slots.len() != 4) {
            return Err(self.malformed(call));
        }
        let right = self.source(b, Type::B64)?;
        let accumulate = self.pred_source(scale)?;
        let immediates = rest.iter().map(|o| match o {
            Operand::Immediate(Immediate::Int(value @ -1..=1)) => Ok(*value),
            _ => Err(self.malformed(call)),
        });
        let immediates = immediates.collect::<Result<Vec<i128>>>()?;
        let integer = matches!(a_type, Element::S8 | Element::U8);
        let wide = a_type.bits() == 16;
        let transposes = if wide { 1 + usize::from(left.descriptor().is_some()) } else { 0 };
        if immediates.len() != if integer { 0 } else { 2 + transposes } {
            return Err(self.malformed(call));
        }
        let flag = |index: usize, value: i128| immediates.get(index) == Some(&value);
        if !integer && [0, 1].iter().any(|i| flag(*i, 0)) {
            return Err(self.fail(BAD_PTX, "imm-scale-a and imm-scale-b are 1 or -1"));
        }
        let sign = |index: usize| if !integer && flag(index, -1) { Sign::Negated } else { Sign::Kept };
        let order = |transposed: bool| if transposed { Order::OuterFirst } else { Order::InnerFirst };
        let (order_a, order_b) =
            (order(transposes == 2 && flag(2, 1)), order(transposes > 0 && flag(1 + transposes, 1)));
        let site = self.site(AccessKind::Wgmma, Memory::Shared, 128);
        let wgmma = Wgmma {
            n,
            a: DotOperand { element: a_type, sign: sign(0), order: order_a },
            b: DotOperand { element: b_type, sign: sign(1), order: order_b },
            sums,
            d,
            left,
            right,
            accumulate,
            site,
        };
        self.program.wgmmas.push(wgmma);
        self.emit(Op::Wgmma(self.program.wgmmas.len() as u32 - 1));
        Ok(true)
    }
}

fn is_type(word: &str) -> bool {
    matches!(word, "f16" | "f32" | "s32") || element(word).is_some()
}

/// The combinations of PTX, without single-bit integers.
fn supported(n: usize, k: usize, a: Element, b: Element, result: &str) -> bool {
    use Element::{BF16, E4M3, E5M2, F16, S8, TF32, U8};
    let columns = n.is_multiple_of(8) && (8..=256).contains(&n);
    let depth = k * a.bits() == 256;
    let types = match a {
        F16 => b == F16 && matches!(result, "f16" | "f32"),
        BF16 | TF32 => b == a && result == "f32",
        E4M3 | E5M2 => matches!(b, E4M3 | E5M2) && matches!(result, "f16" | "f32"),
        // Integer products have fewer widths: multiples of 16 beyond 32, and 8 and 24.
        S8 | U8 => matches!(b, S8 | U8) && result == "s32" && (n.is_multiple_of(16) || matches!(n, 8 | 24)),
        _ => false,
    };
    columns && depth && types
}
