//! Draws the body of a program, statement by statement, and follows how large its values may become.

mod operands;
mod statements;
mod sums;

use crate::bias::{Bias, Form, Kind};
use crate::draw::Choose;
use crate::setting::{MOST_STEPS, Setting};
use crate::source::Source;
use crate::statement::{Side, Statement, follow, written};
use crate::value::{Bounds, SUM, Shape, Size, TooLarge, Value};
use rand::Rng;
use rand::seq::IndexedRandom;
use tk_cases::draw::Random;

/// A variable that has a value from before an iteration.
#[derive(Clone, Debug)]
pub(crate) struct Carried {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) next: Next,
}

/// What a carried variable becomes at the end of an iteration.
#[derive(Clone, Debug)]
pub(crate) enum Next {
    /// The block after the next iteration's own; before the loop, the first.
    Loaded(Source),
    /// This variable; before the loop, zeros.
    Variable(String),
}

/// A variable with a block from before the loop.
#[derive(Clone, Debug)]
pub(crate) struct Invariant {
    pub(crate) name: String,
    pub(crate) source: Source,
}

/// The body and what it needs around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) sources: Vec<Source>,
    /// Loads at the beginning of the body.
    pub(crate) loads: Vec<Statement>,
    /// Of these, blocks that are as tensor cores read them.
    plain: Vec<Invariant>,
    pub(crate) invariant: Vec<Invariant>,
    pub(crate) carried: Vec<Carried>,
    pub(crate) body: Vec<Statement>,
}

/// Variables of one kind that may be read, with their shapes, in the order in which they came.
#[derive(Clone, Debug, Default)]
struct Names(Vec<(String, Shape)>);

impl Names {
    fn insert(&mut self, name: &str, shape: Shape) {
        if !self.contains(name) {
            self.0.push((name.to_string(), shape));
        }
    }

    fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    fn of_shape(&self, shape: Shape) -> Vec<String> {
        self.0.iter().filter(|(_, other)| *other == shape).map(|(name, _)| name.clone()).collect()
    }
}

/// All variables that may be read.
#[derive(Clone, Debug, Default)]
struct Scope {
    blocks: Names,
    sums: Names,
    rows: Names,
}

/// What the statement that is drawn stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    Branch,
    Loop,
}

/// The body that was drawn.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) parts: Parts,
    /// Statements that store in every iteration.
    pub(crate) early: usize,
}

/// Draws one body.
pub(crate) struct Maker<'s> {
    setting: &'s Setting,
    bias: Bias,
    random: &'s mut Random,
    parts: Parts,
    /// From the whole body to the statements that are drawn.
    scopes: Vec<Scope>,
    names: usize,
    early: usize,
    around: Vec<Around>,
}

impl<'s> Maker<'s> {
    pub(crate) fn new(setting: &'s Setting, bias: Bias, random: &'s mut Random) -> Self {
        let mut scope = Scope::default();
        setting.accumulators.iter().for_each(|name| scope.sums.insert(name, SUM));
        setting.rows.iter().for_each(|row| scope.rows.insert(&row.name, Shape::Row(row.size)));
        let parts = Parts::default();
        Self { setting, bias, random, parts, scopes: vec![scope], names: 0, early: 0, around: Vec::new() }
    }

    pub(crate) fn body(mut self) -> Body {
        let mut weights = self.bias.weights();
        if self.random.chance(0.4) {
            // Some programs have many of one kind.
            let much = self.random.random_range(0..weights.len());
            weights[much].1 *= 4.0;
        }
        let Form { statements, products_first, .. } = self.bias.form();
        let count = self.random.random_range(statements);
        for _ in 0..8 * count {
            if self.parts.body.len() >= count {
                break;
            }
            let before = (self.parts.clone(), self.scopes.clone());
            let begins = products_first.is_some_and(|first| self.parts.body.len() < first);
            let left = if products_first.is_some() { Vec::new() } else { self.quiet_without_product() };
            let share = left.len() as f64 / (count - self.parts.body.len()) as f64;
            let statements = match left.first() {
                None if begins => self.draw_first_product(),
                Some(target) if self.random.chance(share.min(1.0)) => self.quiet_product(target),
                _ => self.statement(&weights, 0),
            };
            self.parts.body.extend(statements);
            if self.follow_all().is_err() {
                (self.parts, self.scopes) = before;
            }
        }
        self.need_a_product();
        Body { parts: self.parts, early: self.early }
    }

    /// Quiet accumulators that no statement assigns yet.
    fn quiet_without_product(&self) -> Vec<String> {
        let is_left = |name: &&String| !self.parts.body.iter().any(|statement| statement.targets().contains(*name));
        self.setting.quiet.iter().filter(is_left).cloned().collect()
    }

    /// Adds a product to a body that has none; the first sum of a program is always small enough.
    fn need_a_product(&mut self) {
        if written(&self.parts.body, Side::Kernel, "").iter().any(|line| line.contains("tl.dot")) {
            return;
        }
        let left = self.load(Shape::Block(Size::M, Size::K), None);
        let right = self.load(Shape::Block(Size::K, Size::N), None);
        let target = &self.setting.accumulators[0];
        let product =
            self.product(target, left, right, Some(Value::variable(target, SUM)), Some(operands::Form::Inside));
        self.parts.body.push(product);
        if self.follow_all().is_err() {
            let last = self.parts.body.len() - 1;
            self.parts.body.drain(..last);
        }
    }

    /// One or a few statements. They may read all of the scope and add to it.
    fn statement(&mut self, weights: &[(Kind, f64)], depth: usize) -> Vec<Statement> {
        let is_flat = |(kind, _): &(Kind, f64)| depth < 2 || !matches!(kind, Kind::Branch | Kind::Loop);
        let kinds: Vec<(Kind, f64)> = weights.iter().copied().filter(is_flat).collect();
        let kind = self.random.weighted(&kinds);
        self.statement_of(kind, depth)
    }

    /// Statements in a branch or loop, at most `most` draws.
    fn statements_within(&mut self, around: Around, depth: usize, most: usize) -> Vec<Statement> {
        self.scopes.push(self.scope().clone());
        self.around.push(around);
        let weights = self.bias.weights();
        let count = self.random.random_range(1..=most);
        let statements = (0..count).flat_map(|_| self.statement(&weights, depth + 1)).collect();
        self.around.pop();
        self.scopes.pop();
        statements
    }

    /// Follows the bounds through as many iterations as a launch may have.
    fn follow_all(&self) -> Result<(), TooLarge> {
        let mut bounds: Bounds = self.setting.rows.iter().map(|row| (row.name.clone(), 0)).collect();
        bounds.extend(self.parts.invariant.iter().map(|invariant| (invariant.name.clone(), 1)));
        bounds.extend(self.parts.carried.iter().map(|carried| (carried.name.clone(), 1)));
        for tile in 0..self.setting.tile_count() {
            if tile == 0 || self.setting.resets {
                bounds.extend(self.setting.accumulators.iter().map(|name| (name.clone(), 0)));
            }
            for _ in 0..MOST_STEPS {
                follow(&self.parts.loads, &mut bounds, self.setting.element.sums)?;
                follow(&self.parts.body, &mut bounds, self.setting.element.sums)?;
            }
        }
        Ok(())
    }

    // Variables.

    fn scope(&self) -> &Scope {
        self.scopes.last().expect("the scope of the body is always there")
    }

    fn scope_mut(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the scope of the body is always there")
    }

    /// A block that every statement can read.
    fn known_everywhere(&mut self, name: &str, shape: Shape) {
        self.scopes.iter_mut().for_each(|scope| scope.blocks.insert(name, shape));
    }

    fn fresh(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// One of several names, which are not none.
    fn one_of(&mut self, names: &[String]) -> String {
        names.choose(self.random).expect("there is a name").clone()
    }

    /// One of several names, quiet ones seldom.
    fn rather_loud(&mut self, names: &[String]) -> String {
        let weight = |name: &String| if self.setting.quiet.contains(name) { 0.1 } else { 1.0 };
        let weighted: Vec<(String, f64)> = names.iter().map(|name| (name.clone(), weight(name))).collect();
        self.random.weighted(&weighted)
    }

    /// An accumulator that a statement changes.
    fn target(&mut self) -> String {
        self.rather_loud(&self.setting.accumulators)
    }
}
