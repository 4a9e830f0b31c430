//! The rules of axis info against brute force: random expressions are computed element by element, and every claim about every
//! intermediate result is checked on the elements.

use super::axis_info::AxisInfo;
use super::axis_rules::{self as rules, BinaryOp};
use super::axis_shapes as shapes;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_ir::ops::CmpI;

/// Random numbers that are the same in every run, so that failures repeat.
struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.random_range(0..bound)
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A tensor: its elements in row-major order, and what the rules say.
#[derive(Clone, Debug)]
struct Tensor {
    shape: Vec<u64>,
    values: Vec<i64>,
    info: AxisInfo,
    text: String,
}

const BITS: u32 = 32;
const SHAPES: &[&[u64]] = &[&[32], &[8, 16], &[4, 4, 8]];

impl Tensor {
    /// Every claim holds; `unit` is one step of a run.
    fn check(&self, unit: i64) {
        let rank = self.shape.len();
        assert_eq!(self.info.rank(), rank, "{}", self.text);
        let strides: Vec<usize> = (0..rank).map(|d| self.shape[d + 1..].iter().product::<u64>() as usize).collect();
        for (at, &value) in self.values.iter().enumerate() {
            for (d, &stride) in strides.iter().enumerate() {
                let index = (at / stride) as u64 % self.shape[d];
                let first = |run: u64| self.values[at - (index % run.min(self.shape[d])) as usize * stride];
                let (c, k) = (self.info.contiguity[d], self.info.constancy[d]);
                assert_eq!(
                    value,
                    first(c) + (index % c) as i64 * unit,
                    "contiguity of {} at {at}: {self:?}",
                    self.text
                );
                assert_eq!(value, first(k), "constancy of {} at {at}: {self:?}", self.text);
                let divisor = self.info.divisibility[d].min(1 << 40) as i64;
                assert_eq!(first(c) % divisor, 0, "divisibility of {} at {at}: {self:?}", self.text);
            }
            assert!(self.info.constant.is_none_or(|constant| constant == value), "constant of {}", self.text);
            assert!(!self.info.non_negative || value >= 0, "sign of {} at {at}", self.text);
        }
    }

    fn fill(shape: &[u64], value: i64, info: AxisInfo, text: String) -> Self {
        let values = vec![value; shape.iter().product::<u64>() as usize];
        Self { shape: shape.to_vec(), values, info: shapes::splat(&info, shape), text }
    }
}

/// A range along one axis, broadcast to the whole shape by the rules under test.
fn range(random: &mut Random, shape: &[u64]) -> Tensor {
    let axis = random.below(shape.len());
    let start = random.pick(&[0, 0, 4, 16, 64, 3]);
    let mut info = AxisInfo::range(start, start + shape[axis] as i64);
    let mut small = vec![shape[axis]];
    for d in 0..shape.len() {
        if d != axis {
            info = shapes::expand_dims(&info, d);
            small.insert(d, 1);
        }
    }
    let stride = shape[axis + 1..].iter().product::<u64>();
    let count = shape.iter().product::<u64>();
    let values = (0..count).map(|at| start + ((at / stride) % shape[axis]) as i64).collect();
    let info = shapes::broadcast(&info, &small, shape);
    Tensor { shape: shape.to_vec(), values, info, text: format!("range{axis}({start})") }
}

fn leaf(random: &mut Random, shape: &[u64]) -> Tensor {
    match random.below(5) {
        0 | 1 => range(random, shape),
        2 => {
            let value = random.pick(&[0, 1, -1, 2, 3, 4, 7, 8, 12, 15, 16, -16, -8, 31, 64, 100]);
            Tensor::fill(shape, value, AxisInfo::constant(value, &[1]), format!("{value}"))
        }
        _ => {
            // An argument: its value is one of many that its facts allow.
            let divisor = random.pick(&[1, 2, 8, 16]);
            let non_negative = random.below(2) == 0;
            let value = (random.below(9) as i64 - if non_negative { 0 } else { 4 }) * divisor;
            let info = AxisInfo::new(vec![1], vec![divisor as u64], vec![1]).with_non_negative(non_negative);
            Tensor::fill(shape, value, info, format!("arg({value} by {divisor})"))
        }
    }
}

const OPS: &[BinaryOp] = &[
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::DivS,
    BinaryOp::DivU,
    BinaryOp::RemS,
    BinaryOp::RemU,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::ShrS,
    BinaryOp::ShrU,
    BinaryOp::MinS,
    BinaryOp::MaxS,
    BinaryOp::MinU,
    BinaryOp::MaxU,
];

/// `None` where the expression does what the rules take for granted nobody does: wrap around, divide by zero or what is not
/// negative by something negative.
fn binary(random: &mut Random, lhs: &Tensor, rhs: &Tensor) -> Option<Tensor> {
    let op = random.pick(OPS);
    let mut values = Vec::with_capacity(lhs.values.len());
    for (&a, &b) in lhs.values.iter().zip(&rhs.values) {
        if matches!(op, BinaryOp::DivS | BinaryOp::DivU) && b < 0 {
            return None;
        }
        let value = rules::evaluate(op, a, b, BITS)?;
        let exact = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Shl => a.checked_shl(b as u32)?,
            BinaryOp::DivS | BinaryOp::DivU | BinaryOp::RemS | BinaryOp::RemU | BinaryOp::And | BinaryOp::Or => value,
            BinaryOp::Xor | BinaryOp::ShrS | BinaryOp::ShrU => value,
            BinaryOp::MinS | BinaryOp::MaxS | BinaryOp::MinU | BinaryOp::MaxU => value,
        };
        if exact != value || value.abs() > 1 << 28 {
            return None;
        }
        values.push(value);
    }
    let info = rules::binary(op, &lhs.info, &rhs.info, &lhs.shape, BITS);
    Some(Tensor { shape: lhs.shape.clone(), values, info, text: format!("({} {op:?} {})", lhs.text, rhs.text) })
}

fn compare(random: &mut Random, lhs: &Tensor, rhs: &Tensor) -> Tensor {
    let predicate = CmpI::ALL[random.below(10)];
    let holds = |(a, b): (&i64, &i64)| -i64::from(rules::holds(predicate, *a, *b, BITS));
    let values = lhs.values.iter().zip(&rhs.values).map(holds).collect();
    let info = rules::compare(predicate, &lhs.info, &rhs.info, &lhs.shape, BITS);
    Tensor { shape: lhs.shape.clone(), values, info, text: format!("({} {predicate:?} {})", lhs.text, rhs.text) }
}

fn select(condition: &Tensor, yes: &Tensor, no: &Tensor) -> Tensor {
    let choose = |at: usize| if condition.values[at] != 0 { yes.values[at] } else { no.values[at] };
    let values = (0..yes.values.len()).map(choose).collect();
    let info = rules::select(&condition.info, false, [&yes.info, &no.info], 1);
    let text = format!("({} ? {} : {})", condition.text, yes.text, no.text);
    Tensor { shape: yes.shape.clone(), values, info, text }
}

/// An expression of some depth, every part of it checked.
fn expression(random: &mut Random, shape: &[u64], depth: usize) -> Option<Tensor> {
    if depth == 0 {
        let leaf = leaf(random, shape);
        leaf.check(1);
        return Some(leaf);
    }
    let less = random.below(depth);
    let lhs = expression(random, shape, depth - 1)?;
    let rhs = expression(random, shape, less)?;
    let result = if random.below(6) == 0 {
        let condition = compare(random, &lhs, &rhs);
        condition.check(1);
        select(&condition, &lhs, &rhs)
    } else {
        binary(random, &lhs, &rhs)?
    };
    result.check(1);
    Some(result)
}

#[test]
fn every_claim_about_random_expressions_holds() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(1));
    let mut finished = 0;
    for round in 0..60_000 {
        let shape = random.pick(SHAPES);
        finished += usize::from(expression(&mut random, shape, 1 + round % 4).is_some());
    }
    assert!(finished > 15_000, "only {finished} expressions were usable");
}

#[test]
fn every_claim_about_pointers_and_shapes_holds() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(2));
    let mut finished = 0;
    for _ in 0..20_000 {
        let shape = random.pick(SHAPES);
        let (Some(first), Some(second)) = (expression(&mut random, shape, 2), expression(&mut random, shape, 1)) else {
            continue;
        };
        let bytes = random.pick(&[1u64, 2, 4, 8]);
        let divisor = random.pick(&[1u64, 4, 16]);
        let base = AxisInfo::new(vec![1], vec![divisor], vec![1]);
        let start = Tensor::fill(shape, (random.below(99) as u64 * divisor) as i64, base, "base".into());
        let step = |pointer: &Tensor, offset: &Tensor| Tensor {
            shape: shape.to_vec(),
            values: pointer.values.iter().zip(&offset.values).map(|(p, o)| p + o * bytes as i64).collect(),
            info: rules::addptr(&pointer.info, &offset.info, bytes),
            text: format!("addptr{bytes}({}, {})", pointer.text, offset.text),
        };
        let once = step(&start, &first);
        let twice = step(&once, &second);
        once.check(bytes as i64);
        twice.check(bytes as i64);
        let joined = once.info.join(&twice.info, bytes);
        Tensor { info: joined.clone(), ..once.clone() }.check(bytes as i64);
        Tensor { info: joined, ..twice.clone() }.check(bytes as i64);
        let cast = rules::pointer_bitcast(&twice.info, bytes, 16);
        Tensor { info: cast, ..twice.clone() }.check(16);
        reshape_everywhere(&twice, bytes);
        finished += 1;
    }
    assert!(finished > 5_000, "only {finished} expressions were usable");
}

fn reshape_everywhere(tensor: &Tensor, unit: u64) {
    let count = tensor.shape.iter().product::<u64>();
    let mut targets =
        vec![vec![count], vec![1, count], vec![count / 2, 2], vec![2, count / 8, 4], vec![count / 16, 1, 16]];
    targets.extend(SHAPES.iter().filter(|shape| shape.iter().product::<u64>() == count).map(|shape| shape.to_vec()));
    for to in targets {
        let info = shapes::reshape(&tensor.info, &tensor.shape, &to, unit);
        let text = format!("reshape {:?} to {to:?} of {}", tensor.shape, tensor.text);
        Tensor { shape: to, info, values: tensor.values.clone(), text }.check(unit as i64);
    }
    let rank = tensor.shape.len();
    let order: Vec<usize> = (0..rank).rev().collect();
    let shape: Vec<u64> = order.iter().map(|&d| tensor.shape[d]).collect();
    let strides: Vec<usize> = (0..rank).map(|d| tensor.shape[d + 1..].iter().product::<u64>() as usize).collect();
    let mut values = Vec::new();
    for at in 0..count as usize {
        let (mut rest, mut source) = (at, 0);
        for d in (0..rank).rev() {
            source += rest % shape[d] as usize * strides[order[d]];
            rest /= shape[d] as usize;
        }
        values.push(tensor.values[source]);
    }
    let info = shapes::transpose(&tensor.info, &order);
    Tensor { shape, values, info, text: format!("transpose of {}", tensor.text) }.check(unit as i64);
}
