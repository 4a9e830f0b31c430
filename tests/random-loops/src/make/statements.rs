//! The statements that can be drawn.

use super::{Around, Maker};
use crate::bias::{Bias, Kind};
use crate::draw::Choose;
use crate::statement::{Assign, Statement, Texts};
use crate::value::{SUM, Shape, Size, Value};
use rand::Rng;
use rand::seq::SliceRandom;

/// What a product is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Addend {
    Itself,
    Other,
    Nothing,
    Computed,
}

impl Maker<'_> {
    /// Statements of a kind; where there can be none of it, a product.
    pub(super) fn statement_of(&mut self, kind: Kind, depth: usize) -> Vec<Statement> {
        match kind {
            Kind::Product => self.draw_product(),
            Kind::Temporary => self.draw_temporary(),
            Kind::Assign => {
                let target = self.target();
                let value = self.any_sum(Some(&target));
                vec![Statement::assign(&target, value)]
            }
            Kind::Swap => self.draw_swap(),
            Kind::Change => {
                let target = self.target();
                let value = self.changed_sum(&Value::variable(&target, SUM));
                vec![Statement::assign(&target, value)]
            }
            Kind::Mix => self.draw_mix(),
            Kind::Branch => self.draw_branch(depth),
            Kind::Loop => self.draw_loop(depth),
            Kind::Store => self.draw_store(),
            Kind::Row => self.draw_row(),
            Kind::Load => self.draw_load(),
            Kind::Select => self.draw_select(),
            Kind::Scalar => self.draw_scalar(),
        }
    }

    fn draw_product(&mut self) -> Vec<Statement> {
        let others = if self.bias == Bias::Mixing { 5.0 } else { 2.0 };
        let kinds = [(Addend::Itself, 10.0), (Addend::Other, others), (Addend::Nothing, 1.0), (Addend::Computed, 1.5)];
        let (target, kind) = (self.target(), self.random.weighted(&kinds));
        let inner = self.random.pick(self.bias.form().inner);
        let mut statements = Vec::new();
        let left = self.operand(Shape::Block(Size::M, inner), &mut statements);
        let right = self.operand(Shape::Block(inner, Size::N), &mut statements);
        let addend = match kind {
            Addend::Itself => Some(Value::variable(&target, SUM)),
            Addend::Other => Some(self.any_sum(None)),
            Addend::Nothing => None,
            Addend::Computed => Some(self.changed_sum(&Value::variable(&target, SUM))),
        };
        statements.push(self.product(&target, left, right, addend, None));
        statements
    }

    fn draw_temporary(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        let shapes = [SUM, SUM, Shape::Block(Size::M, Size::K), Shape::Block(Size::M, Size::M)];
        let (shape, inner) = (self.random.pick(&shapes), self.random.pick(&[Size::K, Size::K, Size::N]));
        let (rows, columns) = shape.ends();
        let left = self.operand(Shape::Block(rows, inner), &mut statements);
        let right = self.operand(Shape::Block(inner, columns), &mut statements);
        let known = self.scope().sums.of_shape(shape);
        let name = self.fresh('s');
        let has_addend = !known.is_empty() && self.random.chance(0.25);
        let addend = has_addend.then(|| Value::variable(&self.one_of(&known), shape));
        statements.push(self.product(&name, left, right, addend, None));
        self.scope_mut().sums.insert(&name, shape);
        // A temporary mostly has a user at once.
        let (target, value) = (self.target(), Value::variable(&name, shape));
        if shape == SUM && self.random.chance(0.4) {
            let clamped = self.clamped(&value, -4, 4);
            statements.push(self.sum_of(&target, clamped));
        } else if self.random.chance(0.6) {
            let right = self.operand(Shape::Block(columns, Size::N), &mut statements);
            let left = self.as_block(&value);
            let addend = Value::variable(&target, SUM);
            statements.push(self.product(&target, left, right, Some(addend), None));
        }
        statements
    }

    /// A product of two blocks from memory that starts at zero, and is added to a sum.
    pub(super) fn draw_first_product(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        let shape = Shape::Block(Size::M, Size::K);
        let left = if self.bias.form().first_left_is_fixed { self.fixed_block(shape) } else { self.load(shape, None) };
        let shape = Shape::Block(Size::K, Size::N);
        let right = if self.bias == Bias::Turns { self.new_block(shape) } else { self.load(shape, None) };
        let name = self.fresh('s');
        statements.push(self.product(&name, left, right, None, None));
        self.scope_mut().sums.insert(&name, SUM);
        let (target, value) = (self.target(), Value::variable(&name, SUM));
        let clamped = self.clamped(&value, -4, 4);
        statements.push(self.sum_of(&target, clamped));
        statements
    }

    fn draw_swap(&mut self) -> Vec<Statement> {
        let mut names = Vec::new();
        for name in &self.setting.accumulators {
            if !self.setting.quiet.contains(name) || self.random.chance(0.1) {
                names.push(name.clone());
            }
        }
        if names.len() < 2 {
            return self.draw_product();
        }
        names.shuffle(self.random);
        names.truncate(self.random.random_range(2..=names.len()));
        let mut values: Vec<Value> = names.iter().map(|name| Value::variable(name, SUM)).collect();
        values.rotate_left(1);
        vec![Statement::Assign(Assign { targets: names, values, written: None })]
    }

    fn draw_mix(&mut self) -> Vec<Statement> {
        let (target, mut value, most) = (self.target(), self.any_sum(None), self.random.pick(&[1, 4, 4, 16]));
        if self.random.chance(0.6) {
            value = self.clamped(&value, -most, most);
        } else if self.random.chance(0.4) {
            value = self.changed_sum(&value);
        }
        vec![self.sum_of(&target, value)]
    }

    fn draw_select(&mut self) -> Vec<Statement> {
        let first = self.any_sum(None);
        let Texts { kernel, host } = self.condition();
        let second = self.any_sum(Some(&first.kernel));
        let value = Value::new(
            format!("{} if {kernel} else {}", first.kernel, second.kernel),
            format!("{} if {host} else {}", first.host, second.host),
            SUM,
            first.bound.or(&second.bound),
        );
        vec![Statement::assign(&self.target(), value)]
    }

    /// A block that is added to an accumulator.
    fn draw_load(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        let target = self.target();
        let is_here = self.random.chance(0.5);
        let mut value = self.load(SUM, is_here.then_some(&mut statements));
        if self.random.chance(0.3) {
            value = self.changed_block(&value);
        }
        let kernel = format!("({}).to(tl.{})", value.kernel, self.setting.element.sum());
        statements.push(self.sum_of(&target, Value { kernel, ..value }));
        statements
    }

    /// An accumulator that is stored in every iteration. Every such statement has a place of its own, in loops within the loop none.
    fn draw_store(&mut self) -> Vec<Statement> {
        if self.around.contains(&Around::Loop) {
            return self.draw_product();
        }
        let (name, number, at) = (self.any_sum(None).kernel, self.early, self.setting.at());
        self.early += 1;
        let row = format!("({number} * (last + 1) + {at}) * M");
        let kernel = if self.setting.stores_by_descriptor {
            format!("early.store([{row}, 0], {name})")
        } else {
            format!("tl.store(early + ({row} + lane_M)[:, None] * N + lane_N[None, :], {name})")
        };
        let host = format!("early[{row}:({number} * (last + 1) + {at} + 1) * M] = {name}");
        vec![Statement::Plain(Texts::new(kernel, host))]
    }

    fn draw_scalar(&mut self) -> Vec<Statement> {
        if !self.setting.has_counter {
            return self.draw_product();
        }
        let at = self.setting.at();
        let texts = [
            "count += 1".to_string(),
            format!("count += {at} % 2"),
            "count = count * 2 % 5 + 1".to_string(),
            format!("count = ({at} + 2 * count) % 7"),
        ];
        vec![Statement::Plain(Texts::alike(self.one_of(&texts)))]
    }

    fn draw_branch(&mut self, depth: usize) -> Vec<Statement> {
        let condition = self.condition();
        let then = self.statements_within(Around::Branch, depth, 3);
        let has_other = self.random.chance(0.5);
        let otherwise = if has_other { self.statements_within(Around::Branch, depth, 2) } else { Vec::new() };
        vec![Statement::Branch { condition, then, otherwise }]
    }

    fn draw_loop(&mut self, depth: usize) -> Vec<Statement> {
        let name = self.fresh('j');
        let by_step = format!("range(0, {} % 3)", self.setting.at());
        let Texts { kernel, host } = self.random.pick(&[
            Texts::new("range(0, inner)", "range(0, 2)"),
            Texts::alike("range(0, 2)"),
            Texts::new("tl.static_range(2)", "range(0, 2)"),
            Texts::alike(by_step),
        ]);
        let header = Texts::new(format!("{name} in {kernel}"), format!("{name} in {host}"));
        vec![Statement::Loop { header, most_rounds: 2, body: self.statements_within(Around::Loop, depth, 2) }]
    }
}
