//! `wmma.mma` and `mma.sync.m8n8k4` of f16: products whose fragments lie otherwise than those of `mma.sync.m16n8`.
//!
//! PTX leaves open how the fragments of `wmma` lie; here element number e of a matrix, row after row, belongs to lane e / (elements per
//! lane). Sums are formed as in [`super::mma`].

use super::mma::{integer, widen};
use super::{Flow, Machine, Step, not_all};
use crate::number::F16;
use crate::ops::canonical;
use crate::program::{Element, FragmentLayout, Major, Op, Product, Slot, Sums};
use crate::warp::Warp;

/// Which matrix of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    A,
    B,
    Sums,
}

/// Where an element is: products of quad pairs are four in one.
#[derive(Clone, Copy)]
struct Place {
    group: usize,
    row: usize,
    column: usize,
}

/// A matrix of each group, row after row.
struct Matrices<T> {
    columns: usize,
    groups: Vec<Vec<T>>,
}

impl<T: Copy + Default> Matrices<T> {
    fn new(groups: usize, rows: usize, columns: usize) -> Self {
        Self { columns, groups: vec![vec![T::default(); rows * columns]; groups] }
    }

    fn get(&self, Place { group, row, column }: Place) -> T {
        self.groups[group][row * self.columns + column]
    }

    fn set(&mut self, Place { group, row, column }: Place, value: T) {
        self.groups[group][row * self.columns + column] = value;
    }
}

impl Machine<'_> {
    pub(super) fn product(&mut self, warp: &mut Warp, index: usize, (op, number): (&Op, u32), active: u32) -> Step {
        if !self.gather(warp, index, warp.alive) {
            return Ok(Flow::Select);
        }
        if active != u32::MAX {
            return Err(not_all(warp, active, "matrix product, which needs 32"));
        }
        let product = &self.env.program.products[number as usize];
        if self.reads_undefined(warp, op, active) {
            self.vary(warp, op, active, |_, warp| {
                multiply(warp, product);
                Ok(())
            })?;
        } else {
            multiply(warp, product);
        }
        Ok(Flow::Next)
    }
}

/// Where element `e` of a lane's fragment is; `bits` are those of a sum.
fn place(product: &Product, part: Part, lane: usize, e: usize, bits: usize) -> Place {
    let FragmentLayout::QuadPairs { a, b } = product.layout else {
        let (rows, columns) = product.size(part);
        let at = lane * (rows * columns / 32) + e;
        return Place { group: 0, row: at / columns, column: at % columns };
    };
    let (group, upper) = (lane % 16 / 4, lane / 16 * 4);
    let (row, column) = match (part, bits) {
        (Part::A, _) if a == Major::Row => (lane % 4 + upper, e),
        (Part::A, _) => (e + upper, lane % 4),
        (Part::B, _) if b == Major::Row => (lane % 4, e + upper),
        (Part::B, _) => (e, lane % 4 + upper),
        (Part::Sums, 16) => (lane % 4 + upper, e),
        (Part::Sums, _) => ((lane & 1) + (e & 2) + upper, (e & 4) + (lane & 2) + (e & 1)),
    };
    Place { group, row, column }
}

impl Product {
    fn size(&self, part: Part) -> (usize, usize) {
        match part {
            Part::A => (self.m, self.k),
            Part::B => (self.k, self.n),
            Part::Sums => (self.m, self.n),
        }
    }

    fn groups(&self) -> usize {
        match self.layout {
            FragmentLayout::QuadPairs { .. } => 4,
            FragmentLayout::Rows => 1,
        }
    }

    /// Elements of a matrix that a lane holds; `wmma` may hold them twice.
    fn per_lane(&self, part: Part) -> usize {
        let (rows, columns) = self.size(part);
        rows * columns * self.groups() / 32
    }
}

/// The matrices of one part, each element from its bits.
fn read<T: Copy + Default>(
    warp: &Warp,
    product: &Product,
    part: Part,
    (slots, bits): (&[Slot], usize),
    value: impl Fn(u64) -> T,
) -> Matrices<T> {
    let (rows, columns) = product.size(part);
    let mut matrices = Matrices::new(product.groups(), rows, columns);
    let per = (32 / bits).max(1);
    for lane in 0..32 {
        for e in 0..product.per_lane(part) {
            let register = warp.reg(slots[e / per])[lane];
            let element = if bits == 64 { register } else { register >> (e % per * bits) & ((1 << bits) - 1) };
            matrices.set(place(product, part, lane, e, bits), value(element));
        }
    }
    matrices
}

fn sum_bits(sums: Sums) -> usize {
    match sums {
        Sums::Half => 16,
        Sums::Single | Sums::Integer(_) => 32,
        Sums::Double => 64,
    }
}

fn write<T: Copy + Default>(warp: &mut Warp, product: &Product, sums: &Matrices<T>, bits_of: impl Fn(T) -> u64) {
    let bits = sum_bits(product.d_sums);
    let per = (32 / bits).max(1);
    for (r, slot) in product.d.iter().enumerate() {
        let value = |lane: usize| {
            let element = |i: usize| bits_of(sums.get(place(product, Part::Sums, lane, r * per + i, bits)));
            (0..per).fold(0, |value, i| value | element(i) << (i * bits % 64))
        };
        let out = std::array::from_fn(value);
        warp.set_reg(*slot, &out, u32::MAX);
    }
}

/// Adds the products of k = 0, 1, … one by one.
fn add<T: Copy + Default>(
    product: &Product,
    a: &Matrices<T>,
    b: &Matrices<T>,
    sums: &mut Matrices<T>,
    f: impl Fn(T, T, T) -> T,
) {
    for group in 0..product.groups() {
        for row in 0..product.m {
            for column in 0..product.n {
                let at = Place { group, row, column };
                let sum = (0..product.k).fold(sums.get(at), |sum, k| {
                    f(a.get(Place { group, row, column: k }), b.get(Place { group, row: k, column }), sum)
                });
                sums.set(at, sum);
            }
        }
    }
}

fn multiply(warp: &mut Warp, product: &Product) {
    let element = product.element;
    let (a, b) = ((product.a.as_slice(), element.bits()), (product.b.as_slice(), product.b_element.bits()));
    let c = (product.c.as_slice(), sum_bits(product.c_sums));
    match element {
        Element::S8 | Element::U8 => {
            let a = read(warp, product, Part::A, a, |bits| i64::from(integer(element, bits)));
            let b = read(warp, product, Part::B, b, |bits| i64::from(integer(product.b_element, bits)));
            let mut sums = read(warp, product, Part::Sums, c, |bits| i64::from(bits as u32 as i32));
            add(product, &a, &b, &mut sums, |x, y, sum| sum + x * y);
            write(warp, product, &sums, |sum| product.d_sums.integer(sum));
        }
        Element::F64 => {
            let [a, b, mut sums] = [(Part::A, a), (Part::B, b), (Part::Sums, c)]
                .map(|(part, from)| read(warp, product, part, from, f64::from_bits));
            add(product, &a, &b, &mut sums, f64::mul_add);
            write(warp, product, &sums, f64::to_bits);
        }
        Element::F16 | Element::BF16 | Element::TF32 | Element::E4M3 | Element::E5M2 => {
            let a = read(warp, product, Part::A, a, |bits| widen(element, bits));
            let b = read(warp, product, Part::B, b, |bits| widen(product.b_element, bits));
            let wide = |bits: u64| match product.c_sums {
                Sums::Half => F16(bits as u16).to_f32(),
                Sums::Single | Sums::Double | Sums::Integer(_) => f32::from_bits(bits as u32),
            };
            let mut sums = read(warp, product, Part::Sums, c, wide);
            add(product, &a, &b, &mut sums, |x, y, sum| sum + x * y);
            write(warp, product, &sums, |sum| match product.d_sums {
                Sums::Half => u64::from(F16::from_f32(sum).0),
                Sums::Single | Sums::Double | Sums::Integer(_) => canonical(sum),
            });
        }
    }
}
