//! Operands of products: blocks from memory, what is computed from them, and sums that are made operands.

use super::{Carried, Invariant, Maker, Next};
use crate::bias::Bias;
use crate::draw::Choose;
use crate::source::{Axis, Source, Transposition, Way};
use crate::statement::{Assign, Statement};
use crate::value::{Bound, Shape, Size, Value};

/// From where a new block comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    /// The block of the iteration.
    Now,
    /// The same, loaded in the iteration before.
    Prefetched,
    /// The block of the iteration before.
    Before,
    /// The first block, from before the loop.
    Invariant,
    /// The first block, loaded in each iteration.
    Unchanged,
    /// The block that a tensor of numbers says.
    Indirect,
    /// The blocks from the last to the first.
    Backwards,
}

/// How a product and what it is added to are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Inside,
    Before,
    Behind,
    Minus,
}

/// What can be computed from a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Wide,
    /// A number for each row or column.
    Scaled,
    Lower,
    Select,
    Twice,
    Clamp,
    Minus,
    Plus,
}

impl Maker<'_> {
    /// A variable with a block from memory: one that is known, transposed perhaps, or a new one. A load that does not stand at the
    /// beginning of the body is added to `here`.
    pub(super) fn load(&mut self, shape: Shape, here: Option<&mut Vec<Statement>>) -> Value {
        let is_full = self.parts.sources.len() >= self.setting.most_sources;
        let known = self.scope().blocks.of_shape(shape);
        if !known.is_empty() && (is_full || self.random.chance(0.7)) {
            return Value::variable(&self.one_of(&known), shape);
        }
        let known = self.scope().blocks.of_shape(shape.transposed());
        if !known.is_empty() && (is_full || self.random.chance(0.6)) {
            let name = self.one_of(&known);
            return self.transposed(&Value::variable(&name, shape.transposed()));
        }
        let same: Vec<Source> = self.parts.sources.iter().filter(|source| source.shape == shape).cloned().collect();
        let source = if !same.is_empty() && self.random.chance(0.3) {
            self.random.pick(&same)
        } else {
            self.new_source(shape, None)
        };
        self.load_of(source, here)
    }

    /// A new variable with a block of a source.
    fn load_of(&mut self, source: Source, here: Option<&mut Vec<Statement>>) -> Value {
        let (shape, name) = (source.shape, self.fresh('x'));
        let from = match source.way {
            Way::Moving | Way::Hinted | Way::Block => {
                self.random.weighted(&[(From::Now, 10.0), (From::Invariant, 1.0)])
            }
            Way::Descriptor | Way::Pointers | Way::Masked | Way::Gathered | Way::Wide | Way::Uneven => {
                self.random.weighted(&[
                    (From::Now, 10.0),
                    (From::Unchanged, if self.bias == Bias::Operands { 4.0 } else { 1.0 }),
                    (From::Prefetched, 1.5),
                    (From::Before, 1.5),
                    (From::Invariant, 1.0),
                    (From::Indirect, if self.bias == Bias::Addresses { 6.0 } else { 0.7 }),
                    (From::Backwards, 0.7),
                ])
            }
        };
        let at = self.setting.at();
        let here = here.filter(|_| !source.way.is_carried());
        match from {
            From::Prefetched => {
                self.parts.carried.push(Carried { name: name.clone(), shape, next: Next::Loaded(source) });
            }
            From::Before => {
                let now = self.fresh('x');
                self.parts.loads.push(self.load_statement(&now, &source, at, at));
                self.known_everywhere(&now, shape);
                self.parts.carried.push(Carried { name: name.clone(), shape, next: Next::Variable(now) });
            }
            From::Invariant => self.parts.invariant.push(Invariant { name: name.clone(), source }),
            From::Now | From::Unchanged | From::Indirect | From::Backwards => {
                let (kernel_at, host_at) = match from {
                    From::Indirect => (format!("tl.load(index + {at})"), format!("index[{at}]")),
                    From::Backwards => (format!("last - {at}"), format!("last - {at}")),
                    From::Unchanged => ("0".to_string(), "0".to_string()),
                    _ => (at.to_string(), at.to_string()),
                };
                let statement = self.load_statement(&name, &source, &kernel_at, &host_at);
                if let Some(here) = here {
                    here.push(statement);
                    self.scope_mut().blocks.insert(&name, shape);
                    return Value::variable(&name, shape);
                }
                self.parts.loads.push(statement);
            }
        }
        self.known_everywhere(&name, shape);
        Value::variable(&name, shape)
    }

    /// A block as the tensor cores read it in place: of 16-bit numbers any, of others one that lies along the axis of the sum.
    fn plain_load(&mut self, shape: Shape, is_right: bool) -> Value {
        let is_transposed = if self.setting.element.bytes == 2 { self.random.chance(0.35) } else { is_right };
        let is_known = |block: &&Invariant| {
            let source = &block.source;
            source.shape == shape
                && source.is_transposed() == is_transposed
                && self.scope().blocks.contains(&block.name)
        };
        let known: Vec<String> = self.parts.plain.iter().filter(is_known).map(|block| block.name.clone()).collect();
        if !known.is_empty() && self.random.chance(0.7) {
            return Value::variable(&self.one_of(&known), shape);
        }
        let (name, source) = (self.fresh('x'), self.new_source(shape, Some(is_transposed)));
        let is_unchanged = !source.way.is_carried() && self.random.chance(0.25);
        let at = if is_unchanged { "0" } else { self.setting.at() };
        self.parts.loads.push(self.load_statement(&name, &source, at, at));
        self.parts.plain.push(Invariant { name: name.clone(), source });
        self.known_everywhere(&name, shape);
        Value::variable(&name, shape)
    }

    /// A variable with a block that no other has.
    pub(super) fn new_block(&mut self, shape: Shape) -> Value {
        let source = self.new_source(shape, None);
        self.load_of(source, None)
    }

    /// A variable with a block from before the loop.
    pub(super) fn fixed_block(&mut self, shape: Shape) -> Value {
        let (name, source) = (self.fresh('x'), self.new_source(shape, None));
        self.parts.invariant.push(Invariant { name: name.clone(), source });
        self.known_everywhere(&name, shape);
        Value::variable(&name, shape)
    }

    fn new_source(&mut self, shape: Shape, is_transposed: Option<bool>) -> Source {
        let is_transposed = is_transposed.unwrap_or_else(|| self.random.chance(0.35));
        let way = self.random.pick(&self.setting.ways);
        let cut = if way == Way::Masked { self.random.pick(&[0, 3, 8]) } else { 0 };
        let transposition = match is_transposed {
            false => Transposition::None,
            true if way != Way::Descriptor && self.random.chance(0.6) => Transposition::Strides,
            true => self.random.pick(&[Transposition::Method, Transposition::Function]),
        };
        let name = format!("p{}", self.parts.sources.len());
        let axis = self.random.pick(&[Axis::Rows, Axis::Columns]);
        let source = Source { name, shape, axis, transposition, way, cut };
        self.parts.sources.push(source.clone());
        source
    }

    fn load_statement(&self, name: &str, source: &Source, at: &str, host_at: &str) -> Statement {
        let kernel = source.load(at, self.setting.element);
        let host = format!("{}_blocks[{host_at}]", source.name);
        Statement::assign(name, Value::new(kernel, host, source.shape, Bound::Constant(1)))
    }

    pub(super) fn transposed(&mut self, value: &Value) -> Value {
        let kernel = if value.is_name() && self.random.chance(0.5) {
            format!("{}.T", value.kernel)
        } else {
            format!("tl.trans({})", value.kernel)
        };
        Value::new(kernel, value.host_transposed(), value.shape.transposed(), value.bound.clone())
    }

    pub(super) fn clamped(&mut self, value: &Value, low: i64, high: i64) -> Value {
        let element = self.setting.element;
        let (lowest, highest) = (element.number(low), element.number(high));
        let kernel = if !element.is_int() && self.random.chance(0.4) {
            format!("tl.clamp({}, {lowest}, {highest})", value.kernel)
        } else {
            format!("tl.minimum(tl.maximum({}, {lowest}), {highest})", value.kernel)
        };
        let host = format!("torch.clamp({}, {low}, {high})", value.host);
        Value::new(kernel, host, value.shape, Bound::AtMost(high.max(-low), Box::new(value.bound.clone())))
    }

    /// A sum as an operand: clamped, so that its type has it exactly.
    pub(super) fn as_block(&mut self, value: &Value) -> Value {
        let most = self.random.pick(&[1, 2, 4]);
        let clamped = self.clamped(value, -most, most);
        Value { kernel: format!("{}.to(tl.{})", clamped.kernel, self.setting.element.kernel), ..clamped }
    }

    /// Something computed from a block, of the block's type.
    pub(super) fn changed_block(&mut self, value: &Value) -> Value {
        let all = [
            Change::Wide,
            Change::Scaled,
            Change::Lower,
            Change::Select,
            Change::Twice,
            Change::Clamp,
            Change::Minus,
            Change::Plus,
        ];
        let change = self.random.pick(if self.setting.element.is_fp8() { &all[..4] } else { &all });
        let (element, most) = (self.setting.element, self.setting.element.exact);
        let Value { kernel, host, shape, bound } = value.clone();
        match change {
            Change::Wide => {
                let factor: i64 = self.random.pick(&[2, 3, -1]);
                let kernel = format!("({kernel}.to(tl.{}) * {factor}).to(tl.{})", element.sum(), element.kernel);
                Value::new(kernel, format!("({host}) * {factor}"), shape, bound.times(factor.abs()).limited(most))
            }
            Change::Scaled => {
                let (rows, columns) = shape.ends();
                let (size, index) = self.random.pick(&[(rows, "[:, None]"), (columns, "[None, :]")]);
                let factor = format!("(1 + lane_{size} % 2){index}");
                let kernel = format!("({kernel}.to(tl.{}) * {factor}).to(tl.{})", element.sum(), element.kernel);
                let on_host = format!("(1 + torch.arange({}, device=DEVICE) % 2){index}", self.setting.sizes.of(size));
                Value::new(kernel, format!("({host}) * {on_host}"), shape, bound.times(2).limited(most))
            }
            Change::Lower => {
                let (rows, columns) = shape.ends();
                let zeros = format!("tl.zeros(({shape}), dtype=tl.{})", element.kernel);
                let is_lower = format!("lane_{rows}[:, None] >= lane_{columns}[None, :]");
                Value::new(
                    format!("tl.where({is_lower}, {kernel}, {zeros})"),
                    format!("torch.tril({host})"),
                    shape,
                    bound,
                )
            }
            Change::Select => {
                let other = self.other_block(value);
                let even = format!("{} % 2 == 0", self.setting.at());
                let host = format!("({host} if {even} else {})", other.host);
                let kernel = if self.random.chance(0.5) {
                    format!("tl.where({even}, {kernel}, {})", other.kernel)
                } else {
                    format!("({kernel} if {even} else {})", other.kernel)
                };
                Value::new(kernel, host, shape, bound.or(&other.bound))
            }
            Change::Clamp => {
                let (low, high) = (self.random.pick(&[0, -1]), self.random.pick(&[1, 2]));
                self.clamped(value, low, high)
            }
            Change::Minus => Value::new(format!("(-{kernel})"), format!("(-({host}))"), shape, bound),
            Change::Plus => {
                let other = self.other_block(value);
                let texts = (format!("({kernel} + {})", other.kernel), format!("({host} + {})", other.host));
                Value::new(texts.0, texts.1, shape, bound.plus(&other.bound).limited(most))
            }
            Change::Twice => {
                Value::new(format!("({kernel} * 2)"), format!("({host} * 2)"), shape, bound.times(2).limited(most))
            }
        }
    }

    /// Another block of the same shape; the same one where there is no other.
    fn other_block(&mut self, value: &Value) -> Value {
        let mut names = self.scope().blocks.of_shape(value.shape);
        if names.iter().any(|name| *name != value.kernel) {
            names.retain(|name| *name != value.kernel);
        }
        if names.is_empty() { value.clone() } else { Value::variable(&self.one_of(&names), value.shape) }
    }

    pub(super) fn operand(&mut self, shape: Shape, here: &mut Vec<Statement>) -> Value {
        let share = self.bias.form().operands_of_sums;
        let sums = self.scope().sums.of_shape(shape);
        if !sums.is_empty() && self.random.chance(share) {
            let name = self.one_of(&sums);
            return self.as_block(&Value::variable(&name, shape));
        }
        let sums = self.scope().sums.of_shape(shape.transposed());
        if !sums.is_empty() && self.random.chance(share / 3.0) {
            let name = self.one_of(&sums);
            let block = self.as_block(&Value::variable(&name, shape.transposed()));
            return self.transposed(&block);
        }
        let is_here = self.random.chance(0.4);
        let mut value = self.load(shape, is_here.then_some(here));
        for _ in 0..2 {
            if self.random.chance(if self.bias == Bias::Operands { 0.45 } else { 0.2 }) {
                value = self.changed_block(&value);
            }
        }
        value
    }

    /// `target` becomes a product, and the sum with `addend`.
    pub(super) fn product(
        &mut self,
        target: &str,
        left: Value,
        right: Value,
        addend: Option<Value>,
        form: Option<Form>,
    ) -> Statement {
        let ((rows, inner), (_, columns)) = (left.shape.ends(), right.shape.ends());
        let shape = Shape::Block(rows, columns);
        let element = self.setting.element;
        let options = match element.torch {
            "int8" => ", out_dtype=tl.int32".to_string(),
            "float32" => format!(", input_precision='{}'", self.random.pick(&["tf32", "tf32", "tf32", "ieee"])),
            _ => String::new(),
        };
        let dot = format!("tl.dot({}, {}", left.kernel, right.kernel);
        let host = format!("({}) @ ({})", left.host, right.host);
        let terms = self.setting.sizes.of(inner) as i64;
        let bound = Bound::Dot(terms, Box::new(left.bound), Box::new(right.bound));
        let forms = [Form::Inside, Form::Inside, Form::Inside, Form::Before, Form::Behind, Form::Minus];
        let form = form.unwrap_or_else(|| self.random.pick(&forms));
        let Some(addend) = addend else {
            return Statement::assign(target, Value::new(format!("{dot}{options})"), host, shape, bound));
        };
        let sign = if form == Form::Minus { '-' } else { '+' };
        let added = &addend.kernel;
        let kernel = match form {
            Form::Inside => format!("{dot}, {added}{options})"),
            Form::Behind => format!("{dot}{options}) + {added}"),
            Form::Before | Form::Minus => format!("{added} {sign} {dot}{options})"),
        };
        let in_place = added == target && matches!(form, Form::Before | Form::Minus);
        let value = Value::new(kernel, format!("{} {sign} {host}", addend.host), shape, bound.plus(&addend.bound));
        Statement::Assign(Assign {
            targets: vec![target.to_string()],
            values: vec![value],
            written: in_place.then(|| format!("{target} {sign}= {dot}{options})")),
        })
    }

    /// A sum of products of blocks that the tensor cores read in place.
    pub(super) fn quiet_product(&mut self, target: &str) -> Vec<Statement> {
        let mut left = self.plain_load(Shape::Block(Size::M, Size::K), false);
        let right = self.plain_load(Shape::Block(Size::K, Size::N), true);
        if self.random.chance(0.4) {
            left = self.changed_block(&left);
        }
        let addend = Value::variable(target, Shape::Block(Size::M, Size::N));
        vec![self.product(target, left, right, Some(addend), None)]
    }
}
