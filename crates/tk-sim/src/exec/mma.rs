//! `mma.sync`: D = A·B + C on fragments spread over the lanes of a warp.
//!
//! Floating-point results are summed in f32 (f64 for f64): starting from C, the products of k = 0, 1, … are added one by one,
//! each sum rounded to nearest. Products of f16, bf16, tf32 and fp8 numbers are exact in f32. Tensor cores sum in another,
//! undocumented order with fewer bits, so last digits differ from a GPU's.

use super::{Flow, Machine, Step};
use crate::lanes::Lanes;
use crate::number::{BF16, E4M3, E5M2, F16};
use crate::ops::canonical;
use crate::program::{Element, Mma, Op, Slot, Sums};
use crate::warp::Warp;

/// Largest fragment: 16 by 32.
const MOST: usize = 16 * 32;

impl Machine<'_> {
    pub(super) fn mma(&mut self, warp: &mut Warp, index: usize, (op, number): (&Op, u32), active: u32) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        if active != u32::MAX {
            return Err(super::not_all(warp, active, "matrix product, which needs 32"));
        }
        let mma = &self.env.program.mmas[number as usize];
        if self.reads_undefined(warp, op, active) {
            let run = |_: &mut Self, warp: &mut Warp| {
                multiply(warp, mma, active);
                Ok(())
            };
            self.vary(warp, op, active, run)?;
        } else {
            multiply(warp, mma, active);
        }
        Ok(Flow::Next)
    }
}

fn multiply(warp: &mut Warp, mma: &Mma, active: u32) {
    match mma.a_type {
        Element::S8 | Element::U8 => integers(warp, mma, active),
        Element::F64 => doubles(warp, mma, active),
        Element::F16 | Element::BF16 | Element::TF32 | Element::E4M3 | Element::E5M2 => singles(warp, mma, active),
    }
}

/// Calls `put(row, column, bits)` for every element of A, of `bits` bits.
fn read_a(warp: &Warp, mma: &Mma, mut put: impl FnMut(usize, usize, u64)) {
    let bits = mma.a_type.bits();
    let per = (32 / bits).max(1);
    let halves = mma.m / 8;
    for (r, slot) in mma.a.iter().enumerate() {
        let register = warp.reg(*slot);
        for (lane, value) in register.iter().enumerate() {
            let (row, column) = (lane / 4 + 8 * (r % halves), lane % 4 * per + r / halves * 4 * per);
            for e in 0..per {
                put(row, column + e, part(*value, e, bits));
            }
        }
    }
}

/// Calls `put(row, column, bits)` for every element of B.
fn read_b(warp: &Warp, mma: &Mma, mut put: impl FnMut(usize, usize, u64)) {
    let bits = mma.b_type.bits();
    let per = (32 / bits).max(1);
    for (r, slot) in mma.b.iter().enumerate() {
        let register = warp.reg(*slot);
        for (lane, value) in register.iter().enumerate() {
            for e in 0..per {
                put(lane % 4 * per + e + r * 4 * per, lane / 4, part(*value, e, bits));
            }
        }
    }
}

#[inline(always)]
fn part(value: u64, index: usize, bits: usize) -> u64 {
    if bits == 64 { value } else { value >> (index * bits) & ((1 << bits) - 1) }
}

/// Row and column of element `e` of accumulator register `r` with one element per register.
#[inline(always)]
fn result_place(lane: usize, r: usize) -> (usize, usize) {
    (lane / 4 + 8 * (r / 2), lane % 4 * 2 + r % 2)
}

pub(super) fn widen(element: Element, bits: u64) -> f32 {
    match element {
        Element::F16 => F16(bits as u16).to_f32(),
        Element::BF16 => BF16(bits as u16).to_f32(),
        // The low 13 bits of a tf32 operand are ignored.
        Element::TF32 => f32::from_bits(bits as u32 & 0xFFFF_E000),
        Element::E4M3 => E4M3.decode(bits) as f32,
        Element::E5M2 => E5M2.decode(bits) as f32,
        // Integers and doubles are never widened to single precision.
        Element::S8 | Element::U8 | Element::F64 => 0.0,
    }
}

/// An integer element; 0 of a float, whose products are computed elsewhere.
pub(super) fn integer(element: Element, bits: u64) -> i32 {
    match element {
        Element::S8 => i32::from(bits as u8 as i8),
        Element::U8 => i32::from(bits as u8),
        Element::F16 | Element::BF16 | Element::TF32 | Element::E4M3 | Element::E5M2 | Element::F64 => 0,
    }
}

fn singles(warp: &mut Warp, mma: &Mma, active: u32) {
    let mut a = [0f32; MOST];
    let mut b = [[0f32; 8]; 32];
    read_a(warp, mma, |row, column, bits| a[row * mma.k + column] = widen(mma.a_type, bits));
    read_b(warp, mma, |row, column, bits| b[row][column] = widen(mma.b_type, bits));
    let mut sums = [[0f32; 8]; 16];
    for (r, slot) in mma.c.iter().enumerate() {
        let register = warp.reg(*slot);
        for (lane, value) in register.iter().enumerate() {
            if mma.sums == Sums::Half {
                for e in 0..2 {
                    sums[lane / 4 + 8 * r][lane % 4 * 2 + e] = F16((*value >> (16 * e)) as u16).to_f32();
                }
            } else {
                let (row, column) = result_place(lane, r);
                sums[row][column] = f32::from_bits(*value as u32);
            }
        }
    }
    for (row, sums) in sums.iter_mut().enumerate().take(mma.m) {
        for k in 0..mma.k {
            let x = a[row * mma.k + k];
            for (sum, y) in sums.iter_mut().zip(&b[k]) {
                *sum += x * y;
            }
        }
    }
    write(warp, &mma.d, active, |lane, r| {
        if mma.sums == Sums::Half {
            let half = |e: usize| u64::from(F16::from_f32(sums[lane / 4 + 8 * r][lane % 4 * 2 + e]).0);
            half(1) << 16 | half(0)
        } else {
            let (row, column) = result_place(lane, r);
            canonical(sums[row][column])
        }
    });
}

fn integers(warp: &mut Warp, mma: &Mma, active: u32) {
    let mut a = [0i32; MOST];
    let mut b = [[0i32; 8]; 32];
    read_a(warp, mma, |row, column, bits| a[row * mma.k + column] = integer(mma.a_type, bits));
    read_b(warp, mma, |row, column, bits| b[row][column] = integer(mma.b_type, bits));
    let mut sums = [[0i64; 8]; 16];
    for (r, slot) in mma.c.iter().enumerate() {
        for (lane, value) in warp.reg(*slot).iter().enumerate() {
            let (row, column) = result_place(lane, r);
            sums[row][column] = i64::from(*value as u32 as i32);
        }
    }
    for (row, sums) in sums.iter_mut().enumerate().take(mma.m) {
        for k in 0..mma.k {
            let x = a[row * mma.k + k];
            for (sum, y) in sums.iter_mut().zip(&b[k]) {
                *sum += i64::from(x * y);
            }
        }
    }
    write(warp, &mma.d, active, |lane, r| {
        let (row, column) = result_place(lane, r);
        mma.sums.integer(sums[row][column])
    });
}

fn doubles(warp: &mut Warp, mma: &Mma, active: u32) {
    let mut a = [0f64; MOST];
    let mut b = [[0f64; 8]; 32];
    read_a(warp, mma, |row, column, bits| a[row * mma.k + column] = f64::from_bits(bits));
    read_b(warp, mma, |row, column, bits| b[row][column] = f64::from_bits(bits));
    let mut sums = [[0f64; 8]; 16];
    for (r, slot) in mma.c.iter().enumerate() {
        for (lane, value) in warp.reg(*slot).iter().enumerate() {
            let (row, column) = result_place(lane, r);
            sums[row][column] = f64::from_bits(*value);
        }
    }
    for (row, sums) in sums.iter_mut().enumerate().take(mma.m) {
        for k in 0..mma.k {
            let x = a[row * mma.k + k];
            for (sum, y) in sums.iter_mut().zip(&b[k]) {
                *sum = x.mul_add(*y, *sum);
            }
        }
    }
    write(warp, &mma.d, active, |lane, r| {
        let (row, column) = result_place(lane, r);
        sums[row][column].to_bits()
    });
}

fn write(warp: &mut Warp, slots: &[Slot], active: u32, value: impl Fn(usize, usize) -> u64) {
    for (r, slot) in slots.iter().enumerate() {
        let mut out: Lanes = [0; 32];
        for (lane, out) in out.iter_mut().enumerate() {
            *out = value(lane, r);
        }
        warp.set_reg(*slot, &out, active);
    }
}
