//! Statements in which elements meet: reductions, scans, norms, and what is carried over a loop.

use super::maker::Maker;
use super::value::{Expression, Kind, Range, Shape, Value};
use crate::draw::Choose;

/// What a loop carries.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    way: Way,
    /// Its variables.
    pub(super) results: Vec<Value>,
}

/// How a loop goes on with what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// A sum of each element.
    Sum,
    /// The greatest of each element.
    Max,
    /// A sum of each row: elements meet in every iteration.
    RowSum,
    /// The greatest of each row, and where it is.
    Best,
    /// The greatest of each row, and a sum of exponentials that is scaled when it changes.
    Online,
}

/// What a `Max` begins with.
const LOWEST: i64 = -1_000_000;

impl Maker<'_> {
    /// A sum, a greatest or least element of a value along an axis.
    pub(super) fn reduction(&mut self) -> Option<()> {
        let value = self.pick(|value| value.shape != Shape::Number)?;
        let (height, width) = (self.setting.height, self.setting.width);
        let (axis, count, shape) = match value.shape {
            Shape::Block if self.setting.is_flat || self.random.chance(0.7) => (self.row_axis(), width, self.of_row()),
            Shape::Block => (0, height, Shape::Columns),
            Shape::Rows => (0, height, Shape::Number),
            Shape::Columns | Shape::Number => (0, width, Shape::Number),
        };
        let name = &value.name;
        let (kernel, host, range) = match self.random.pick(&["sum", "sum", "max", "min", "xor"]) {
            "max" => (format!("tl.max({name}, axis={axis})"), format!("{name}.amax({axis})"), value.range),
            "min" => (format!("tl.min({name}, axis={axis})"), format!("{name}.amin({axis})"), value.range),
            "xor" if value.kind == Kind::Int && count <= 64 => {
                let most = 2.0f64.powi(value.range.most.max(1.0).log2().floor() as i32 + 1);
                (format!("tl.xor_sum({name}, axis={axis})"), format!("xor_sum({name}, {axis})"), Range::whole(most))
            }
            _ => (format!("tl.sum({name}, axis={axis})"), format!("{name}.sum({axis})"), value.range.times(count)),
        };
        self.define(Expression::new(kernel, host, shape, value.kind, range).possible()?);
        Some(())
    }

    /// The place of the greatest or least element of each row.
    pub(super) fn place(&mut self) -> Option<()> {
        let value = self.pick(|value| value.shape == Shape::Block && value.is_whole())?;
        let (axis, shape, name) = (self.row_axis(), self.of_row(), &value.name);
        let side = self.random.pick(&["max", "min"]);
        let range = Range::whole(self.setting.width as f64);
        let host = format!("{name}.arg{side}({axis})");
        if self.random.chance(0.5) {
            let kernel = format!("tl.arg{side}({name}, axis={axis})");
            self.define(Expression::new(kernel, host, shape, Kind::Int, range));
        } else {
            let (best, at) = (self.fresh(), self.fresh());
            self.line(
                &format!("{best}, {at} = tl.{side}({name}, axis={axis}, return_indices=True)"),
                &format!("{best}, {at} = {name}.a{side}({axis}), {host}"),
            );
            self.values.push(Value { name: best, shape, ..value.clone() });
            self.values.push(Value { name: at, shape, kind: Kind::Int, range });
        }
        Some(())
    }

    /// A reduction of two values at once.
    pub(super) fn pair(&mut self) -> Option<()> {
        let one = self.pick(|value| value.shape == Shape::Block)?;
        let two = self.pick(|value| value.shape == Shape::Block && value.kind == one.kind)?;
        let (axis, shape) = (self.row_axis(), self.of_row());
        let sum = one.range.times(self.setting.width);
        Expression::alike("", shape, one.kind, sum).possible()?;
        let (first, second, a, b) = (self.fresh(), self.fresh(), &one.name, &two.name);
        self.line(
            &format!("{first}, {second} = tl.reduce(({a}, {b}), {axis}, sum_and_max)"),
            &format!("{first}, {second} = {a}.sum({axis}), {b}.amax({axis})"),
        );
        self.values.push(Value { name: first, shape, kind: one.kind, range: sum });
        self.values.push(Value { name: second, shape, ..two.clone() });
        Some(())
    }

    /// Sums, or greatest elements, up to each element of a row or column.
    pub(super) fn scan(&mut self) -> Option<()> {
        let value = self.pick(|value| value.shape == Shape::Block)?;
        let name = &value.name;
        let (axis, count) = if self.setting.is_flat || self.random.chance(0.7) {
            (self.row_axis(), self.setting.width)
        } else {
            (0, self.setting.height)
        };
        let is_reverse = self.random.chance(0.3);
        let more = if is_reverse { ", reverse=True" } else { "" };
        let flipped = |text: String| if is_reverse { format!("{text}.flip({axis})") } else { text };
        let start = flipped(name.clone());
        let (kernel, host, range) = if self.random.chance(0.7) || count > 64 {
            (
                format!("tl.cumsum({name}, axis={axis}{more})"),
                format!("{start}.cumsum({axis})"),
                value.range.times(count),
            )
        } else {
            let kernel = format!("tl.associative_scan({name}, {axis}, larger{more})");
            (kernel, format!("cummax({start}, {axis})"), value.range)
        };
        self.define(Expression::new(kernel, flipped(host), value.shape, value.kind, range).possible()?);
        Some(())
    }

    /// A recurrence along each row whose factors are 1 and -1.
    pub(super) fn recurrence(&mut self) -> Option<()> {
        let is_wanted = |value: &Value| value.shape == Shape::Block && value.is_whole() && value.kind == Kind::Float;
        let (value, factor) = (self.pick(is_wanted)?, self.pick(is_wanted)?);
        let (axis, width) = (self.row_axis(), self.setting.width);
        let range = value.range.times(width);
        Expression::alike("", Shape::Block, Kind::Float, range).possible()?;
        if width > 64 {
            return None;
        }
        let name = self.fresh();
        let (a, b) = (format!("{} > 0.0, 1.0, -1.0", factor.name), &value.name);
        self.line(
            &format!("{name}_factor, {name} = tl.associative_scan((tl.where({a}), {b}), {axis}, linear)"),
            &format!("{name} = recurrence({b} * 0.0 + torch.where({a}), {b}, {axis})"),
        );
        self.values.push(Value { name, shape: Shape::Block, kind: Kind::Float, range });
        Some(())
    }

    /// Sums of some rows or columns of a block, which a loop takes one by one, and the block itself.
    pub(super) fn gathers(&mut self) -> Option<()> {
        if self.setting.is_flat {
            return None;
        }
        let value = self.pick(|value| value.shape == Shape::Block)?;
        let (steps, counter) = (self.random.pick(&[1, 2, 3, 5]), self.fresh());
        let range = value.range.times(steps + 1);
        let sum = self.define(Expression::alike(&value.name, Shape::Block, value.kind, range).possible()?).name;
        let (x, start) = (&value.name, self.random.pick(&[0, 1, 3]));
        let (kernel, host) = if self.random.chance(0.5) {
            let number = format!("({counter} + {start}) % R");
            (format!("tl.gather({x}, tl.full((1, C), {number}, tl.int32), 0)"), format!("{x}[{number}][None, :]"))
        } else {
            let number = format!("({counter} + {start}) % C");
            (format!("tl.gather({x}, tl.full((R, 1), {number}, tl.int16), 1)"), format!("{x}[:, {number}][:, None]"))
        };
        self.open(&format!("for {counter} in range({steps}):"));
        self.line(&format!("{sum} += {kernel}"), &format!("{sum} = {sum} + {host}"));
        self.close_branch();
        Some(())
    }

    /// Sums, or greatest elements, of groups of neighbors, for each element of the group.
    pub(super) fn groups(&mut self) -> Option<()> {
        let value = self.pick(|value| value.shape == Shape::Block)?;
        let (name, width) = (&value.name, self.setting.width);
        let size = self.random.pick(&[2, 4, 8]);
        let groups = width / size;
        let is_sum = self.random.chance(0.5);
        let range = if is_sum { value.range.times(size) } else { value.range };
        let axis = self.row_axis() + 1;
        let rows = if self.setting.is_flat { "" } else { "R, " };
        let all = if self.setting.is_flat { "[:, None]" } else { "[:, :, None]" };
        let (split, whole) = (format!("{rows}{groups}, {size}"), self.block_shape());
        let function = if is_sum { "sum" } else { "max" };
        let host_function = if is_sum { "sum" } else { "amax" };
        let kernel = format!(
            "tl.reshape(tl.broadcast_to(tl.{function}(tl.reshape({name}, ({split})), axis={axis}){all}, ({split})), {whole})"
        );
        let host = format!("{name}.reshape({split}).{host_function}({axis}){all}.expand({split}).reshape({whole})");
        self.define(Expression::new(kernel, host, Shape::Block, value.kind, range).possible()?);
        Some(())
    }

    /// A softmax of each row, of the columns that are there.
    pub(super) fn softmax(&mut self) -> Option<()> {
        if !self.has_columns {
            return None;
        }
        let value = self.pick(|value| value.shape == Shape::Block && value.kind == Kind::Float)?;
        let range = Range::through(Range { most: 1.0, error: value.range.error }, 1.0, 1.0);
        Expression::alike("", Shape::Block, Kind::Float, range).possible()?;
        let known = if self.setting.is_flat { "col_mask" } else { "col_mask[None, :]" };
        let (axis, name) = (self.row_axis(), self.fresh());
        let over_row = |made: &str| self.over_row(&format!("{name}_{made}"));
        let (most, sum) = (over_row("most"), over_row("sum"));
        self.both_at(&format!("{name}_scores = @where({known}, {}, float('-inf'))", value.name));
        self.line(
            &format!("{name}_most = tl.max({name}_scores, axis={axis})"),
            &format!("{name}_most = {name}_scores.amax({axis})"),
        );
        self.both_at(&format!("{name}_powers = @exp(({name}_scores - {most}) * 0.125)"));
        self.line(
            &format!("{name}_sum = tl.sum({name}_powers, axis={axis})"),
            &format!("{name}_sum = {name}_powers.sum({axis})"),
        );
        self.both(&format!("{name} = {name}_powers / {sum}"));
        self.values.push(Value { name, shape: Shape::Block, kind: Kind::Float, range });
        Some(())
    }

    /// Each row less its mean, over a root of its variance.
    pub(super) fn norm(&mut self) -> Option<()> {
        let is_small = |value: &Value| value.is_whole() && value.range.most <= 64.0;
        let value = self.pick(|value| value.shape == Shape::Block && value.kind == Kind::Float && is_small(value))?;
        let most = value.range.most;
        let range = Range { most: 2.0 * most, error: 4e-7 * most * (most + 6.0) };
        let (axis, name, input) = (self.row_axis(), self.fresh(), &value.name);
        let (mean, root) = (self.over_row(&format!("{name}_mean")), self.over_row(&format!("{name}_root")));
        self.line(
            &format!("{name}_mean = tl.sum({input}, axis={axis}) / C"),
            &format!("{name}_mean = {input}.sum({axis}) / C"),
        );
        self.both(&format!("{name}_left = {input} - {mean}"));
        self.line(
            &format!("{name}_root = tl.rsqrt(tl.sum({name}_left * {name}_left, axis={axis}) / C + 1.0)"),
            &format!("{name}_root = torch.rsqrt(({name}_left * {name}_left).sum({axis}) / C + 1.0)"),
        );
        self.both(&format!("{name} = {name}_left * {root}"));
        self.values.push(Value { name, shape: Shape::Block, kind: Kind::Float, range });
        Some(())
    }

    /// The sum of a block and what is computed from it with rows and columns exchanged, or in another shape.
    pub(super) fn turn(&mut self) -> Option<()> {
        let value = self.pick(|value| value.shape == Shape::Block)?;
        let (name, kind) = (&value.name, value.kind);
        let one = kind.number(1);
        let (kernel, host) = if self.setting.is_flat {
            (format!("tl.flip({name}, 0)"), format!("{name}.flip(0)"))
        } else if self.random.chance(0.6) {
            (format!("tl.trans(tl.trans({name}) + {one})"), format!("({name}.T + {one}).T"))
        } else {
            let (turned, whole) = ("(C, R)", self.block_shape());
            let kernel =
                format!("tl.trans(tl.reshape(tl.reshape({name}, {turned}) + {one}, {turned})).reshape({whole})");
            (kernel, format!("({name}.reshape{turned} + {one}).T.reshape{whole}"))
        };
        let range = value.range.plus(Range::whole(1.0));
        self.define(Expression::new(kernel, host, Shape::Block, kind, range).possible()?);
        Some(())
    }

    /// Each row in order.
    pub(super) fn sort(&mut self) -> Option<()> {
        let value = self.pick(|value| value.shape == Shape::Block && value.is_whole())?;
        if self.setting.width > 128 {
            return None;
        }
        let (axis, name) = (self.row_axis(), &value.name);
        let (kernel, host) = (format!("tl.sort({name}, dim={axis})"), format!("{name}.sort({axis})[0]"));
        self.define(Expression::new(kernel, host, Shape::Block, value.kind, value.range));
        Some(())
    }

    // What loops carry.

    /// Variables that a loop carries, with what they are before it. `shape` is that of values that are there in every iteration.
    pub(super) fn carried(&mut self, shape: Shape) -> Vec<Carried> {
        let rows: &[Way] = if shape == Shape::Block { &[Way::RowSum, Way::Best, Way::Online] } else { &[] };
        let is_of_tiles = self.has_columns;
        let ways = [&[Way::Sum, Way::Sum, Way::Max][..], if is_of_tiles { &[] } else { rows }].concat();
        let count = self.random.pick(&[1, 1, 2, 3]);
        (0..count)
            .map(|_| self.random.pick(&ways))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|way| self.begin(way, shape))
            .collect()
    }

    fn begin(&mut self, way: Way, shape: Shape) -> Carried {
        let kind =
            if way == Way::Online { Kind::Float } else { self.random.pick(&[Kind::Float, Kind::Float, Kind::Int]) };
        let (of_row, row_shape) = (self.of_row(), if self.setting.is_flat { None } else { Some("(R,)") });
        let (of_block, block_shape) = match shape {
            Shape::Block => (Shape::Block, Some(self.block_shape())),
            Shape::Rows | Shape::Columns | Shape::Number => (Shape::Columns, Some("(C,)")),
        };
        let parts = match way {
            Way::Sum => vec![(of_block, block_shape, kind, 0)],
            Way::Max => vec![(of_block, block_shape, kind, LOWEST)],
            Way::RowSum => vec![(of_row, row_shape, kind, 0)],
            Way::Best => vec![(of_row, row_shape, kind, LOWEST), (of_row, row_shape, Kind::Int, 0)],
            Way::Online => vec![(of_row, row_shape, kind, LOWEST), (of_row, row_shape, kind, 0)],
        };
        let results = parts.into_iter().map(|(shape, size, kind, value)| {
            let name = self.fresh();
            let number = kind.number(value);
            let (kernel, host) = (kind.kernel(), kind.host());
            let (size, host_size) = size.map_or(("None", "()"), |size| (size, size));
            let start = match size {
                "None" => format!("{name} = tl.full([], {number}, dtype={kernel})"),
                size => format!("{name} = tl.full({size}, {number}, dtype={kernel})"),
            };
            self.line(&start, &format!("{name} = torch.full({host_size}, {number}, device=DEVICE, dtype={host})"));
            Value { name, shape, kind, range: Range::whole(value.abs() as f64) }
        });
        Carried { way, results: results.collect() }
    }

    /// What the end of an iteration does to what the loop carries; there are at most `rounds`.
    pub(super) fn go_on(&mut self, carried: &[Carried], rounds: usize) {
        for one in carried {
            let found = self.go_on_with(one, rounds);
            self.carried_ranges(found);
        }
    }

    fn go_on_with(&mut self, carried: &Carried, rounds: usize) -> Vec<(String, Range)> {
        let own = carried.results[0].clone();
        let shape = match carried.way {
            Way::Sum | Way::Max => own.shape,
            Way::RowSum | Way::Best | Way::Online => Shape::Block,
        };
        let (axis, width) = (self.row_axis(), self.setting.width);
        let is_exact = carried.way == Way::Best;
        let fits = |value: &Value| {
            let largest = value.range.times(rounds * width);
            value.shape == shape
                && value.kind == own.kind
                && (value.is_whole() || !is_exact && carried.way != Way::Online)
                && Expression::alike("", shape, own.kind, largest).possible().is_some()
        };
        let name = &own.name;
        let Some(value) = self.pick(fits) else {
            return carried.results.iter().map(|result| (result.name.clone(), result.range)).collect();
        };
        let new = &value.name;
        let most = Range::whole(LOWEST.abs() as f64).or(value.range);
        match carried.way {
            Way::Sum => {
                self.both(&format!("{name} += {new}"));
                vec![(name.clone(), value.range.times(rounds))]
            }
            Way::Max => {
                self.both_at(&format!("{name} = @maximum({name}, {new})"));
                vec![(name.clone(), most)]
            }
            Way::RowSum => {
                self.line(&format!("{name} += tl.sum({new}, axis={axis})"), &format!("{name} += {new}.sum({axis})"));
                vec![(name.clone(), value.range.times(rounds * width))]
            }
            Way::Best => {
                let at = &carried.results[1].name;
                let (best, place) = (self.fresh(), self.fresh());
                self.line(
                    &format!("{best}, {place} = tl.max({new}, axis={axis}, return_indices=True)"),
                    &format!("{best}, {place} = {new}.amax({axis}), {new}.argmax({axis})"),
                );
                self.both_at(&format!("{at} = @where({best} > {name}, {place} + start, {at})"));
                self.both_at(&format!("{name} = @maximum({name}, {best})"));
                vec![(name.clone(), most), (at.clone(), Range::whole((rounds * width) as f64))]
            }
            Way::Online => {
                let sum = &carried.results[1].name;
                let before = self.fresh();
                let (over, started) = (self.over_row(name), &before);
                self.both(&format!("{started} = {name}"));
                self.line(
                    &format!("{name} = tl.maximum({started}, tl.max({new}, axis={axis}))"),
                    &format!("{name} = torch.maximum({started}, {new}.amax({axis}))"),
                );
                let powers = format!("exp(({new} - {over}) * 0.125)");
                let scaled = format!("{sum} * @exp(({started} - {name}) * 0.125)");
                self.line(
                    &format!("{sum} = {} + tl.sum(tl.{powers}, axis={axis})", scaled.replace('@', "tl.")),
                    &format!("{sum} = {} + torch.{powers}.sum({axis})", scaled.replace('@', "torch.")),
                );
                let most = (rounds * width) as f64;
                vec![(name.clone(), most_of(&value)), (sum.clone(), Range { most, error: 4e-6 * most })]
            }
        }
    }

    /// What is carried can be read behind the loop, with the ranges that were found in it.
    pub(super) fn finish(&mut self, carried: &[Carried]) {
        for (way, value) in carried.iter().flat_map(|carried| carried.results.iter().map(|value| (carried.way, value)))
        {
            let range = self.range_of(&value.name).unwrap_or(value.range);
            self.values.push(Value { range, ..value.clone() });
            if value.shape == Shape::Block {
                self.over_rows(way, &Value { range, ..value.clone() });
            }
        }
    }

    /// What a loop over columns carried for each element becomes a number of each row.
    fn over_rows(&mut self, way: Way, value: &Value) {
        let (axis, name) = (self.row_axis(), &value.name);
        let (kernel, host, range) = match way {
            Way::Max => (format!("tl.max({name}, axis={axis})"), format!("{name}.amax({axis})"), value.range),
            Way::Sum | Way::RowSum | Way::Best | Way::Online => {
                let range = value.range.times(self.setting.width);
                (format!("tl.sum({name}, axis={axis})"), format!("{name}.sum({axis})"), range)
            }
        };
        self.define(Expression::new(kernel, host, self.of_row(), value.kind, range));
    }
}

fn most_of(value: &Value) -> Range {
    Range::whole(LOWEST.abs() as f64).or(value.range)
}
