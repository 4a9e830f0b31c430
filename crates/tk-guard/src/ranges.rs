//! The range of every integer of a checked kernel, by interval arithmetic.
//!
//! One forward walk gives each value the interval of what it can be. A loop is walked at most three times: with its first
//! values, with anything at all, and with what the steps found there add up to over the greatest number of turns. That is
//! exact for `offset += step`, the form in which offsets are carried, and never too narrow for the rest.
//!
//! Where the exact result of 32-bit arithmetic can leave its type, the op is remembered with the interval that shows it.
//! What is computed from it has the range of its type and is not remembered again: the cause is worth a message, its
//! consequences are not.
//!
//! Where sizes are not known and [realistic ones](crate::UnknownSizes) are asked for, every range also has its grounds, and what
//! rests on assumed sizes is cut to what such a value realistically is: a product of two sizes is the size of something again.

use crate::bounds::{Grounds, UnknownSizes, of_type};
use crate::defs::Defs;
use crate::family::Family;
use crate::{Bounds, Interval};
use rustc_hash::FxHashMap;
use tk_check::checked::{BinaryOp, Block, Element, Kernel, Literal, Op, OpKind, UnaryOp, Value};
use tk_types::ScalarType;

/// Loops inside loops that are walked with care; deeper ones are walked once, with anything at all.
const MAX_DEPTH: u32 = 6;
/// Parts of the names of kernels and parameters that work on rows as long as a vocabulary.
const LOGITS: [&str; 3] = ["logit", "cross_entropy", "vocab"];
/// Parts of the names of their parameters that say how long such a row is.
const ROWS: [&str; 3] = ["stride", "col", "class"];
/// Parts of the names of what such a kernel has one of for each row, or a few.
const SHORT: [&str; 8] = ["loss", "_id", "label", "target", "lse", "ratio", "mask", "weight"];
/// Sums in a row through which the step of a carried value is followed.
const MAX_LINKS: u32 = 8;

/// What the analysis found.
pub struct Ranges {
    of: Vec<Interval>,
    overflows: FxHashMap<Value, Overflow>,
}

/// Arithmetic whose exact result can leave its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// What the exact result can be.
    pub exact: Interval,
    /// No operand comes from another overflow, or from something that nothing is known of.
    pub is_cause: bool,
}

impl Ranges {
    /// Analyses a kernel under assumptions about its launch.
    pub fn new(kernel: &Kernel, bounds: &Bounds) -> Self {
        let of = kernel.values.iter().map(|info| info.ty.number().map_or(of_type(ScalarType::I64), of_type)).collect();
        let spoiled = vec![false; kernel.values.len()];
        let grounds = vec![Grounds::Known; kernel.values.len()];
        let overflows = FxHashMap::default();
        let mut walk = Walk { kernel, defs: Defs::new(kernel), bounds, of, spoiled, grounds, overflows, depth: 0 };
        walk.parameters();
        walk.block(&kernel.body);
        Self { of: walk.of, overflows: walk.overflows }
    }

    /// What a value can be; for a tensor, any of its elements.
    pub fn of(&self, value: Value) -> Interval {
        self.of.get(value.0 as usize).copied().unwrap_or_else(|| of_type(ScalarType::I64))
    }

    /// The overflow of a result of 32 bits or less, if it can have one.
    pub fn overflow(&self, value: Value) -> Option<Overflow> {
        self.overflows.get(&value).copied()
    }
}

/// A carried value over all iterations.
struct Grown {
    range: Interval,
    spoiled: bool,
    grounds: Grounds,
}

struct Walk<'k> {
    kernel: &'k Kernel,
    defs: Defs<'k>,
    bounds: &'k Bounds,
    of: Vec<Interval>,
    /// Values that an earlier overflow can have made anything.
    spoiled: Vec<bool>,
    /// What their ranges rest on.
    grounds: Vec<Grounds>,
    overflows: FxHashMap<Value, Overflow>,
    depth: u32,
}

impl Walk<'_> {
    fn parameters(&mut self) {
        for param in &self.kernel.params {
            let Some(scalar) = self.kernel.ty(param.value).number() else { continue };
            let at = param.value.0 as usize;
            match self.bounds.known(&param.name) {
                Some(range) => self.of[at] = of_type(scalar).meet(range),
                None => {
                    self.grounds[at] = self.of_parameter(&param.name);
                    self.of[at] = self.bounds.unknown(scalar, self.grounds[at]);
                }
            }
        }
    }

    /// What an argument that nothing is known of rests on, by its name and those around it.
    fn of_parameter(&self, name: &str) -> Grounds {
        let names = self.kernel.params.iter().map(|param| param.name.as_str()).chain([self.kernel.name.as_str()]);
        let has_logits = names.map(str::to_lowercase).any(|name| LOGITS.iter().any(|part| name.contains(part)));
        let name = name.to_lowercase();
        let is_row = name == "v" || ROWS.iter().any(|part| name.contains(part));
        let is_row = is_row && !SHORT.iter().any(|part| name.contains(part));
        let is_vocabulary = name.contains("vocab") || (has_logits && is_row);
        if is_vocabulary { Grounds::Vocabulary } else { Grounds::Size }
    }

    fn get(&self, value: Value) -> Interval {
        self.of[value.0 as usize]
    }

    /// What a result rests on: the least sure of what it is computed from.
    fn rests_on(&self, values: &[Value]) -> Grounds {
        values.iter().map(|value| self.grounds[value.0 as usize]).max().unwrap_or(Grounds::Known)
    }

    fn scalar(&self, value: Value) -> Option<ScalarType> {
        match self.kernel.ty(value).element {
            Element::Scalar(scalar) => Some(scalar).filter(|scalar| scalar.is_int()),
            Element::Pointer { .. } | Element::Descriptor { .. } => None,
        }
    }

    fn top(&self, value: Value) -> Interval {
        of_type(self.scalar(value).unwrap_or(ScalarType::I64))
    }

    fn is_spoiled(&self, value: Value) -> bool {
        self.spoiled[value.0 as usize]
    }

    /// Sets a range, cut to the type, and to what is realistic where it rests on what is assumed.
    fn set(&mut self, value: Value, range: Interval, spoiled: bool, grounds: Grounds) {
        let (top, at) = (self.top(value), value.0 as usize);
        let range = if top.contains(range) { range } else { top };
        self.of[at] = match self.bounds.unknown_sizes {
            UnknownSizes::Possible => range,
            UnknownSizes::Realistic => grounds.realistic(range),
        };
        self.spoiled[at] = spoiled;
        self.grounds[at] = grounds;
    }

    /// Sets what nothing is known of: it says which of something.
    fn set_top(&mut self, value: Value, spoiled: bool) {
        self.set(value, self.top(value), spoiled, Grounds::Index);
    }

    fn copy(&mut self, to: Value, from: &[Value]) {
        let Some(range) = from.iter().map(|value| self.get(*value)).reduce(Interval::join) else { return };
        let spoiled = from.iter().any(|value| self.is_spoiled(*value));
        self.set(to, range, spoiled, self.rests_on(from));
    }

    fn block(&mut self, block: &Block) {
        for op in &block.ops {
            self.op(op);
        }
    }

    fn op(&mut self, op: &Op) {
        match Family::of(&op.kind) {
            Family::For => self.for_loop(op),
            Family::While => self.while_loop(op),
            Family::If => self.branch(op),
            Family::Combination => self.combine(op),
            Family::Movement => {
                self.of_integers(op, |walk| op.results.iter().for_each(|to| walk.copy(*to, &op.operands)))
            }
            Family::Select => self.of_integers(op, |walk| walk.copy(op.results[0], &op.operands[1..])),
            Family::Arithmetic | Family::Bitcast => self.arithmetic(op),
            Family::Mixture => self.mixture(op),
            Family::Source => {
                let grounds = self.of_source(&op.kind);
                self.leaf(op, grounds, |walk, scalar| walk.source(&op.kind, scalar));
            }
            // What is loaded can be anything that the bounds allow.
            Family::Access(_) => {
                self.leaf(op, Grounds::Index, |walk, scalar| walk.bounds.unknown(scalar, Grounds::Index));
            }
            Family::Descriptor => self.descriptor(op),
            Family::Function | Family::AddPtr | Family::Foreign | Family::Statement => {
                self.leaf(op, Grounds::Index, |_, scalar| of_type(scalar));
            }
        }
    }

    /// Walks on with an op whose first result is an integer.
    fn of_integers(&mut self, op: &Op, walk: impl FnOnce(&mut Self)) {
        if op.results.first().is_some_and(|result| self.scalar(*result).is_some()) {
            walk(self);
        }
    }

    /// Sets the range of a result that does not depend on those of operands.
    fn leaf(&mut self, op: &Op, grounds: Grounds, range: impl FnOnce(&Self, ScalarType) -> Interval) {
        let Some(result) = op.results.first().copied() else { return };
        let Some(scalar) = self.scalar(result) else { return };
        let range = range(self, scalar);
        self.set(result, range, false, grounds);
    }

    /// What a value of no operands rests on.
    fn of_source(&self, kind: &OpKind) -> Grounds {
        let is_unknown = |axis: u32| !self.bounds.is_known_grid((axis as usize).min(2));
        if matches!(kind, OpKind::ProgramId { axis } if is_unknown(*axis)) {
            return Grounds::Index;
        }
        if matches!(kind, OpKind::NumPrograms { axis } if is_unknown(*axis)) { Grounds::Size } else { Grounds::Known }
    }

    fn source(&self, kind: &OpKind, scalar: ScalarType) -> Interval {
        let grid = |axis: u32| self.bounds.grid[(axis as usize).min(2)];
        if let OpKind::Constant(Literal::Int(value)) = kind {
            Interval::of(*value)
        } else if let OpKind::ProgramId { axis } = kind {
            Interval::new(0, (grid(*axis).high - 1).max(0))
        } else if let OpKind::NumPrograms { axis } = kind {
            grid(*axis)
        } else if let OpKind::MakeRange { start, end } = kind {
            Interval::new((*start).into(), i128::from(*end - 1).max((*start).into()))
        } else {
            of_type(scalar)
        }
    }

    fn descriptor(&mut self, op: &Op) {
        let loads = matches!(op.kind, OpKind::DescriptorLoad { .. });
        self.leaf(op, Grounds::Index, |walk, scalar| {
            if loads { walk.bounds.unknown(scalar, Grounds::Index) } else { of_type(scalar) }
        });
    }

    fn mixture(&mut self, op: &Op) {
        if let OpKind::Gather { .. } = op.kind {
            return self.of_integers(op, |walk| walk.copy(op.results[0], &op.operands[..1]));
        }
        let counts = matches!(op.kind, OpKind::Histogram { .. });
        let grounds = if counts { Grounds::Known } else { Grounds::Index };
        self.leaf(op, grounds, |walk, scalar| {
            if counts { Interval::new(0, walk.kernel.ty(op.operands[0]).numel().into()) } else { of_type(scalar) }
        });
    }

    fn arithmetic(&mut self, op: &Op) {
        let Some(result) = op.results.first().copied() else { return };
        let Some(scalar) = self.scalar(result) else { return };
        if let OpKind::Binary(binary) = op.kind {
            return self.binary(op, binary, scalar);
        }
        let (from, grounds) = (self.get(op.operands[0]), self.rests_on(&op.operands));
        if op.kind == OpKind::Unary(UnaryOp::AbsI) {
            let far = from.low.saturating_abs().max(from.high.saturating_abs());
            let range = if from.low >= 0 { from } else { Interval::new(0, far) };
            return self.set(result, range, false, grounds);
        }
        // A cast changes what the new type does not hold: negative numbers of the other sign, large ones of fewer bits.
        let is_integer = self.scalar(op.operands[0]).is_some();
        let range = if is_integer && of_type(scalar).contains(from) { from } else { of_type(scalar) };
        let grounds = if is_integer { grounds } else { Grounds::Index };
        self.set(result, range, self.is_spoiled(op.operands[0]), grounds);
    }

    fn binary(&mut self, op: &Op, binary: BinaryOp, scalar: ScalarType) {
        let (result, top) = (op.results[0], of_type(scalar));
        let (a, b) = (self.get(op.operands[0]), self.get(op.operands[1]));
        let grounds = self.rests_on(&op.operands);
        let spoiled = self.is_spoiled(op.operands[0]) || self.is_spoiled(op.operands[1]);
        self.overflows.remove(&result);
        let (a, b) = if binary == BinaryOp::MulI { self.factors(op, a, b) } else { (a, b) };
        let range = match outcome(binary, a, b) {
            Outcome::Exact(exact) => {
                let leaves = !top.contains(exact);
                if leaves && scalar.bits() <= 32 && scalar != ScalarType::I1 {
                    self.overflows.insert(result, Overflow { exact, is_cause: !spoiled });
                }
                return self.set(result, exact, spoiled || leaves, grounds);
            }
            Outcome::Within(range) => Some(range),
            Outcome::Unknown => None,
        };
        // A remainder or a minimum tames what overflowed before it.
        let tamed = range.is_some_and(|range| top.contains(range) && range != top) && spoiled;
        let grounds = if range.is_some() { grounds } else { grounds.max(Grounds::Index) };
        self.set(result, range.unwrap_or(top), spoiled && !tamed, grounds);
    }

    /// The factors of a product. Of two that rest on assumed sizes one counts: the other says how many.
    fn factors(&self, op: &Op, a: Interval, b: Interval) -> (Interval, Interval) {
        let is_counted = |at: usize| self.grounds[op.operands[at].0 as usize] == Grounds::Index;
        let is_realistic = self.bounds.unknown_sizes == UnknownSizes::Realistic;
        if is_realistic && is_counted(0) && is_counted(1) { (a, Grounds::Size.realistic(b)) } else { (a, b) }
    }

    fn branch(&mut self, op: &Op) {
        op.blocks.iter().for_each(|block| self.block(block));
        for (index, result) in op.results.iter().enumerate() {
            let yields: Vec<Value> = op.blocks.iter().filter_map(|block| block.yields.get(index).copied()).collect();
            self.copy(*result, &yields);
        }
    }

    fn for_loop(&mut self, op: &Op) {
        let Some(body) = op.blocks.first() else { return };
        let (lower, upper, step) = (self.get(op.operands[0]), self.get(op.operands[1]), self.get(op.operands[2]));
        let (index, turns) = if step.low > 0 {
            let last = upper.high.saturating_sub(1).max(lower.low);
            let turns = (upper.high.saturating_sub(lower.low).max(0) + step.low - 1) / step.low;
            (Interval::new(lower.low, last), Some(turns))
        } else {
            (self.top(body.args[0]), None)
        };
        let grounds = self.rests_on(&op.operands[..3]);
        let grounds = if turns.is_some() { grounds } else { grounds.max(Grounds::Index) };
        self.set(body.args[0], index, false, grounds);
        self.carried(body, &body.args[1..], &op.operands[3..], turns);
        for (result, (next, start)) in op.results.iter().zip(body.yields.iter().zip(&op.operands[3..])) {
            self.copy(*result, &[*next, *start]);
        }
    }

    /// Walks the body of a loop until its carried values have ranges that hold on every turn.
    fn carried(&mut self, body: &Block, args: &[Value], starts: &[Value], turns: Option<i128>) {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            for (arg, start) in args.iter().zip(starts) {
                self.copy(*arg, &[*start]);
            }
            self.block(body);
            let holds = args.iter().zip(&body.yields).all(|(arg, next)| self.get(*arg).contains(self.get(*next)));
            if holds {
                self.depth -= 1;
                return;
            }
        }
        for arg in args {
            self.set_top(*arg, true);
        }
        self.block(body);
        if let (Some(turns), true) = (turns, self.depth <= MAX_DEPTH) {
            let grown: Vec<Option<Grown>> =
                (0..args.len()).map(|i| self.after(args[i], starts[i], body.yields[i], turns)).collect();
            for (arg, grown) in args.iter().zip(grown) {
                if let Some(Grown { range, spoiled, grounds }) = grown {
                    self.set(*arg, range, spoiled, grounds);
                }
            }
            self.block(body);
        }
        self.depth -= 1;
    }

    /// The range of a carried value over all turns: of a value that stays, or grows by steps that do not depend on it.
    fn after(&self, arg: Value, start: Value, next: Value, turns: i128) -> Option<Grown> {
        self.scalar(arg)?;
        let step = self.step_of(arg, next, MAX_LINKS)?;
        let total = Interval::new(0, turns.max(1) - 1) * step;
        let range = self.get(start) + total;
        Some(Grown { range, spoiled: self.is_spoiled(start), grounds: self.rests_on(&[start, next]) })
    }

    /// `value - arg` where `value` is a chain of sums over `arg`, of which `links` are looked at.
    fn step_of(&self, arg: Value, value: Value, links: u32) -> Option<Interval> {
        if value == arg {
            return Some(Interval::of(0));
        }
        let links = links.checked_sub(1)?;
        let sum = self.defs.op(value)?;
        let step = |on: usize| self.step_of(arg, *sum.operands.get(on)?, links);
        if sum.kind == OpKind::Binary(BinaryOp::AddI) {
            let on_left = step(0).map(|step| step + self.get(sum.operands[1]));
            return on_left.or_else(|| Some(step(1)? + self.get(sum.operands[0])));
        }
        let is_difference = sum.kind == OpKind::Binary(BinaryOp::SubI);
        if is_difference { Some(step(0)? - self.get(sum.operands[1])) } else { None }
    }

    fn while_loop(&mut self, op: &Op) {
        for block in &op.blocks {
            for arg in &block.args {
                self.set_top(*arg, false);
            }
        }
        op.blocks.iter().for_each(|block| self.block(block));
        for (index, result) in op.results.iter().enumerate() {
            let passed = op.blocks.first().and_then(|block| block.yields.get(index + 1)).copied();
            self.copy(*result, passed.as_slice());
        }
    }

    /// Sums over an axis multiply the range; choices of one element keep it; anything else may give anything.
    fn combine(&mut self, op: &Op) {
        let Some(block) = op.blocks.first() else { return };
        let (OpKind::Reduce { axis } | OpKind::Scan { axis, .. }) = op.kind else { return };
        let shape = &self.kernel.ty(op.operands[0]).shape;
        let count = i128::from(shape.get(axis as usize).copied().unwrap_or(1));
        let combines = Combines::of(block);
        for (result, input) in op.results.iter().zip(&op.operands) {
            if self.scalar(*result).is_none() {
                continue;
            }
            let from = self.rests_on(&[*input]);
            let (range, grounds) = match combines {
                Combines::Chooses => (self.get(*input), from),
                Combines::Adds => (self.get(*input) * Interval::new(1, count), from),
                Combines::Computes => (self.top(*result), Grounds::Index),
            };
            self.set(*result, range, self.is_spoiled(*input), grounds);
        }
    }
}

/// What the block of a reduction does with two elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combines {
    /// It gives one of them.
    Chooses,
    /// It gives their sum.
    Adds,
    /// Anything.
    Computes,
}

impl Combines {
    fn of(block: &Block) -> Self {
        if block.ops.iter().all(|op| chooses(&op.kind)) {
            Self::Chooses
        } else if matches!(block.ops.as_slice(), [only] if only.kind == OpKind::Binary(BinaryOp::AddI)) {
            Self::Adds
        } else {
            Self::Computes
        }
    }
}

/// Whether an op in the block of a reduction gives one of its operands, or decides which.
fn chooses(kind: &OpKind) -> bool {
    use BinaryOp::{And, MaxNumF, MaxS, MaxU, MaximumF, MinNumF, MinS, MinU, MinimumF, Or};
    matches!(
        kind,
        OpKind::Compare(_)
            | OpKind::Select
            | OpKind::Constant(_)
            | OpKind::Binary(MinS | MinU | MaxS | MaxU | And | Or | MaxNumF | MinNumF | MaximumF | MinimumF)
    )
}

/// What is known of the result of integer arithmetic.
enum Outcome {
    /// It is in this range before it is cut to its type.
    Exact(Interval),
    /// It is in this range.
    Within(Interval),
    Unknown,
}

fn outcome(binary: BinaryOp, a: Interval, b: Interval) -> Outcome {
    let within = |range: Option<Interval>| range.map_or(Outcome::Unknown, Outcome::Within);
    match binary {
        BinaryOp::AddI => Outcome::Exact(a + b),
        BinaryOp::SubI => Outcome::Exact(a - b),
        BinaryOp::MulI => Outcome::Exact(a * b),
        BinaryOp::Shl => a.shifted_left(b).map_or(Outcome::Unknown, Outcome::Exact),
        BinaryOp::DivS | BinaryOp::DivU => within(a.quotient(b)),
        BinaryOp::RemS | BinaryOp::RemU => within(a.remainder(b)),
        BinaryOp::MinS | BinaryOp::MinU => Outcome::Within(a.min(b)),
        BinaryOp::MaxS | BinaryOp::MaxU => Outcome::Within(a.max(b)),
        BinaryOp::ShrS | BinaryOp::ShrU => within(a.shifted_right(b)),
        // No bit is set that a natural operand has not.
        BinaryOp::And => {
            let natural = [a, b].into_iter().filter(|range| range.low >= 0).map(|range| range.high).min();
            within(natural.map(|high| Interval::new(0, high)))
        }
        BinaryOp::Or | BinaryOp::Xor => within((a.low >= 0 && b.low >= 0).then(|| bits_of(a, b))),
        BinaryOp::MulHiU
        | BinaryOp::AddF
        | BinaryOp::SubF
        | BinaryOp::MulF
        | BinaryOp::DivF
        | BinaryOp::DivRnF
        | BinaryOp::RemF
        | BinaryOp::MinNumF
        | BinaryOp::MaxNumF
        | BinaryOp::MinimumF
        | BinaryOp::MaximumF => Outcome::Unknown,
    }
}

/// Everything that has no more bits than the wider of two ranges of natural numbers.
fn bits_of(a: Interval, b: Interval) -> Interval {
    let bits = 128 - (a.high | b.high).leading_zeros();
    Interval::new(0, (1i128 << bits.min(126)) - 1)
}
