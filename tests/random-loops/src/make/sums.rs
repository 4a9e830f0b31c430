//! What is computed from accumulators, and conditions.

use super::Maker;
use crate::bias::Bias;
use crate::draw::Choose;
use crate::statement::{Assign, Statement, Texts};
use crate::value::{Bound, SUM, Shape, Size, Value};

/// What can be computed from a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Twice,
    Minus,
    Clamp,
    Abs,
    Larger,
    Plus,
    Where,
    Step,
    Row,
    Logarithm,
}

/// The largest number of which a logarithm is drawn. With 0.35 added, no logarithm of a whole number up to it, nor twice its natural one, is within 7e-4
/// of a whole number.
const MOST_OF_LOGARITHM: i64 = 1000;
/// 2^-140, which times a whole number is a denormal number, or one of the smallest others.
const SMALL: &str = "7.174648137343064e-43";

impl Maker<'_> {
    /// A sum, another one than `but` where there is one.
    pub(super) fn any_sum(&mut self, but: Option<&str>) -> Value {
        let mut names = self.scope().sums.of_shape(SUM);
        if names.iter().any(|name| Some(name.as_str()) != but) {
            names.retain(|name| Some(name.as_str()) != but);
        }
        Value::variable(&self.rather_loud(&names), SUM)
    }

    /// `target` becomes the sum with something.
    pub(super) fn sum_of(&mut self, target: &str, addend: Value) -> Statement {
        let bound = Bound::Variable(target.to_string()).plus(&addend.bound);
        let in_place = self.random.chance(0.5);
        Statement::Assign(Assign {
            targets: vec![target.to_string()],
            written: in_place.then(|| format!("{target} += {}", addend.kernel)),
            values: vec![Value::new(
                format!("{target} + {}", addend.kernel),
                format!("{target} + {}", addend.host),
                addend.shape,
                bound,
            )],
        })
    }

    /// Something computed from a sum.
    pub(super) fn changed_sum(&mut self, value: &Value) -> Value {
        use Change::{Abs, Clamp, Larger, Minus, Plus, Row, Step, Twice, Where};
        if self.bias == Bias::Across && self.random.chance(0.5) {
            return self.computed_from(value, Change::Logarithm);
        }
        let changes = [Twice, Minus, Clamp, Clamp, Abs, Larger, Plus, Where, Step, Row];
        let possible = if self.scope().rows.0.is_empty() { &changes[..9] } else { &changes };
        let change = self.random.pick(possible);
        self.computed_from(value, change)
    }

    fn computed_from(&mut self, value: &Value, change: Change) -> Value {
        use Change::{Abs, Clamp, Larger, Logarithm, Minus, Plus, Row, Step, Twice, Where};
        let Value { kernel, host, shape, bound } = value.clone();
        let other = self.any_sum(Some(&kernel));
        match change {
            Twice => Value::new(format!("({kernel} * 2)"), format!("({host} * 2)"), shape, bound.times(2)),
            Minus => Value::new(format!("(-{kernel})"), format!("(-{host})"), shape, bound),
            Clamp => {
                let most = self.random.pick(&[2, 4, 16]);
                self.clamped(value, -most, most)
            }
            Abs => Value::new(format!("tl.abs({kernel})"), format!("torch.abs({host})"), shape, bound),
            Plus => {
                let texts = (format!("({kernel} + {})", other.kernel), format!("({host} + {})", other.host));
                Value::new(texts.0, texts.1, shape, bound.plus(&other.bound))
            }
            Step => {
                let step = format!("+ {} % 3)", self.setting.at());
                let bound = bound.plus(&Bound::Constant(2));
                Value::new(format!("({kernel} {step}"), format!("({host} {step}"), shape, bound)
            }
            Row => {
                let (name, row) = self.random.pick(&self.scope().rows.0.clone());
                let row = format!("{name}{}", across(row));
                let bound = bound.plus(&Bound::Variable(name));
                Value::new(format!("({kernel} + {row})"), format!("({host} + {row})"), shape, bound)
            }
            Larger => {
                let texts = (format!("{kernel}, {}", other.kernel), format!("{host}, {}", other.host));
                let (kernel, host) = (format!("tl.maximum({})", texts.0), format!("torch.maximum({})", texts.1));
                Value::new(kernel, host, shape, bound.or(&other.bound))
            }
            Logarithm => {
                let Value { kernel, host, shape, .. } = self.clamped(value, 0, MOST_OF_LOGARITHM);
                // The last number is the logarithm of 2^140.
                let (function, factor, back) =
                    self.random.pick(&[("log2", 1, "140.0"), ("log", 2, "97.04060527839233")]);
                let logarithm = if self.random.chance(0.4) {
                    format!("(tl.{function}({kernel} * {SMALL}) + {back})")
                } else {
                    format!("tl.{function}({kernel})")
                };
                // That of zero is minus infinity.
                let kernel = format!("tl.maximum(tl.floor({logarithm} * {factor}.0 + 0.35), -3.0)");
                let host = format!("torch.clamp(torch.floor(torch.{function}({host}) * {factor} + 0.35), -3, 100)");
                Value::new(kernel, host, shape, Bound::Constant(14))
            }
            Where => {
                let one = self.setting.element.number(1);
                let kernel = format!("tl.where({0} > {one}, {kernel}, {0})", other.kernel);
                let host = format!("torch.where({0} > 1, {host}, {0})", other.host);
                Value::new(kernel, host, shape, bound.or(&other.bound))
            }
        }
    }

    /// A reduction of a sum, and mostly something computed with it.
    pub(super) fn draw_row(&mut self) -> Vec<Statement> {
        let size = self.random.pick(&[Size::M, Size::M, Size::N]);
        let (shape, axis, other) = match size {
            Size::M => (Shape::Row(size), 1, Size::N),
            Size::N | Size::K => (Shape::Row(size), 0, Size::M),
        };
        let (value, target) = (self.any_sum(None), self.target());
        let known: Vec<String> =
            self.setting.rows.iter().filter(|row| row.size == size).map(|row| row.name.clone()).collect();
        let is_carried = !known.is_empty() && self.random.chance(0.6);
        let name = if is_carried { self.one_of(&known) } else { self.fresh('r') };
        let mut reduced = if self.random.chance(0.6) {
            let host = format!("{}.amax(dim={axis})", value.host);
            Value::new(format!("tl.max({}, {axis})", value.kernel), host, shape, value.bound)
        } else {
            let value = self.clamped(&value, -1, 2);
            let bound = value.bound.times(self.setting.sizes.of(other) as i64);
            let host = format!("{}.sum(dim={axis})", value.host);
            Value::new(format!("tl.sum({}, {axis})", value.kernel), host, shape, bound)
        };
        if is_carried && self.random.chance(0.6) {
            let bound = reduced.bound.or(&Bound::Variable(name.clone()));
            let kernel = format!("tl.maximum({name}, {})", reduced.kernel);
            reduced = Value::new(kernel, format!("torch.maximum({name}, {})", reduced.host), shape, bound);
        }
        let mut statements = vec![Statement::assign(&name, reduced)];
        self.scope_mut().rows.insert(&name, shape);
        if self.random.chance(0.7) {
            let row = Value::variable(&name, shape);
            let result = self.with_row(&target, &row);
            statements.push(Statement::assign(&target, result));
        }
        statements
    }

    /// A sum scaled with a row, or less a row.
    fn with_row(&mut self, target: &str, row: &Value) -> Value {
        let (factor, index) = (self.clamped(row, -1, 2), across(row.shape));
        let bound = Bound::Variable(target.to_string());
        if self.random.chance(0.5) {
            let kernel = format!("{target} * {}{index}", factor.kernel);
            return Value::new(kernel, format!("{target} * {}{index}", factor.host), SUM, bound.times(2));
        }
        Value::alike(format!("{target} - {}{index}", row.kernel), SUM, bound.plus(&row.bound))
    }

    pub(super) fn condition(&mut self) -> Texts {
        let at = self.setting.at();
        if self.random.chance(0.15) {
            return Texts::new(format!("tl.load(index + {at}) % 2 == 0"), format!("index[{at}] % 2 == 0"));
        }
        if self.random.chance(0.15) {
            let name = self.any_sum(None).kernel;
            let eight = self.setting.element.number(8);
            return Texts::new(format!("tl.max({name}) > {eight}"), format!("{name}.max().item() > 8"));
        }
        let mut texts = vec![format!("{at} % 2 == 0"), format!("{at} > 0"), format!("{at} == last")];
        texts.extend(["k % 3 != 1", "k == 0", "steps > 2"].map(String::from));
        if self.setting.has_counter {
            texts.extend(vec!["count % 3 == 0".to_string(); 3]);
        }
        Texts::alike(self.one_of(&texts))
    }
}

/// The index that spreads a row over a block.
fn across(row: Shape) -> &'static str {
    if row == Shape::Row(Size::M) { "[:, None]" } else { "[None, :]" }
}
