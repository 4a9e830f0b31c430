//! Loads, stores and atomic operations of programs without products.

use super::maker::Maker;
use super::setting::{Form, MOST_TILES};
use super::source::{ELEMENTS, Effect, Element, Extent, Source, Target, Way};
use super::value::{Expression, Kind, Range, Shape, Value};
use crate::draw::Choose;
use rand::Rng;

/// Half of what an addition at the same time as others may reach.
const MOST_ADDED: f64 = 1_048_576.0;
/// Tensors of results.
const MOST_TARGETS: usize = 14;

impl Maker<'_> {
    /// A block.
    pub(super) fn load_block(&mut self) {
        self.load_of(&[Shape::Block]);
    }

    /// A block, mostly, or numbers of rows or columns.
    pub(super) fn load(&mut self) {
        let blocks = [Shape::Block; 5];
        self.load_of(&[&blocks[..], &[Shape::Rows, Shape::Columns, Shape::Number]].concat());
    }

    /// A tensor of one of these shapes that was loaded before, perhaps, or a new one.
    fn load_of(&mut self, shapes: &[Shape]) {
        let shapes: Vec<Shape> = shapes.iter().copied().filter(|shape| self.is_here(*shape)).collect();
        if shapes.is_empty() {
            return;
        }
        let shape = self.random.pick(&shapes);
        let known: Vec<Source> = self.body.sources.iter().filter(|source| source.shape == shape).cloned().collect();
        let source = if !known.is_empty() && (self.body.sources.len() > 5 || self.random.chance(0.3)) {
            self.random.pick(&known)
        } else {
            let source = self.new_source(shape);
            self.body.sources.push(source.clone());
            source
        };
        let loaded = self.loaded(&source);
        self.define(loaded);
    }

    /// Values of this shape can be loaded and stored here.
    fn is_here(&self, shape: Shape) -> bool {
        match shape {
            Shape::Block => self.has_columns && self.has_tile,
            Shape::Columns => self.has_columns && !self.setting.is_flat,
            Shape::Rows => self.has_tile && !self.setting.is_flat,
            Shape::Number => self.has_tile,
        }
    }

    /// The sum of two blocks of one type, of which one lies in rows and the other in columns, and reductions of it: either block may be converted for the
    /// sum, and what is reduced follows it.
    pub(super) fn meeting(&mut self) -> Option<()> {
        if !self.is_here(Shape::Block) || self.setting.is_flat {
            return None;
        }
        // Norms are of floats.
        let first = Source { kind: Kind::Float, ..self.new_source(Shape::Block) };
        let mut blocks = Vec::new();
        for way in self.random.pick(&[[Way::Masked, Way::Turned], [Way::Turned, Way::Masked]]) {
            let name = format!("x{}", self.body.sources.len());
            let source = Source { name, way, most: first.most.min(16), ..first.clone() };
            self.body.sources.push(source.clone());
            let loaded = self.loaded(&source);
            blocks.push(self.define(loaded));
        }
        let range = blocks[0].range.plus(blocks[1].range);
        let text = format!("{} + {}", blocks[0].name, blocks[1].name);
        self.define(Expression::alike(&text, Shape::Block, first.kind, range).possible()?);
        self.reduction();
        self.norm();
        if self.random.chance(0.5) {
            self.reduction();
        }
        Some(())
    }

    fn new_source(&mut self, shape: Shape) -> Source {
        let element = &ELEMENTS[self.random.random_range(0..ELEMENTS.len())];
        let way = match shape {
            Shape::Block => {
                self.random.pick(&[Way::Masked, Way::Masked, Way::Masked, Way::Chosen, Way::Gathered, Way::Turned])
            }
            Shape::Rows | Shape::Columns => self.random.pick(&[Way::Masked, Way::Chosen]),
            Shape::Number => Way::Masked,
        };
        let kind = if element.is_int && self.random.chance(0.6) { Kind::Int } else { Kind::Float };
        let most = self.random.pick(&[1, 2, 5, 16, 60]);
        let hint = self.random.pick(&["", "", "", ", eviction_policy='evict_first'", ", eviction_policy='evict_last'"]);
        Source {
            name: format!("x{}", self.body.sources.len()),
            element,
            shape,
            way,
            kind,
            most: most.min(element.exact),
            other: self.random.pick(&[0, 0, 0, 1, -3, 7]),
            hint,
        }
    }

    fn loaded(&mut self, source: &Source) -> Expression {
        let Source { name, other, hint, .. } = source;
        let (kernel_type, dtype) = (source.kind.kernel(), source.kind.host());
        let mut tensor = name.clone();
        if source.way == Way::Gathered {
            let at = format!("{name}_at");
            self.line(&format!("{at} = tl.load({name}_order + cols, mask=col_mask, other=0)"), "");
            tensor = format!("{name}[:, {name}_order.to(torch.int64)]");
        }
        let column = if source.way == Way::Gathered { format!("{name}_at") } else { "cols".to_string() };
        let is_turned = source.way == Way::Turned;
        let (row, column) = match (self.setting.is_flat, is_turned) {
            (true, false) => (format!("tile * {name}_stride"), column),
            (true, true) => ("tile".to_string(), format!("{column} * {name}_stride")),
            (false, false) => (format!("rows[:, None] * {name}_stride"), format!("{column}[None, :]")),
            (false, true) => ("rows[:, None]".to_string(), format!("{column}[None, :] * {name}_stride")),
        };
        let (pointers, mask, host) = match source.shape {
            Shape::Block => (
                format!("{name} + {row} + {column}"),
                "mask",
                format!("block({tensor}, tile, column, {other}, {dtype})"),
            ),
            Shape::Rows => {
                (format!("{name} + rows"), "row_mask", format!("part({name}, tile * R, R, {other}, {dtype})"))
            }
            Shape::Columns => {
                (format!("{name} + cols"), "col_mask", format!("part({name}, column, C, {other}, {dtype})"))
            }
            Shape::Number => (format!("{name} + tile"), "", format!("{name}[tile].to({dtype})")),
        };
        let number = self.number_of(source);
        let kernel = match source.way {
            _ if mask.is_empty() => format!("tl.load({pointers}).to({kernel_type})"),
            Way::Chosen => {
                let other = source.kind.number(*other);
                format!("tl.where({mask}, tl.load({pointers}, mask={mask}{hint}).to({kernel_type}), {other})")
            }
            Way::Masked | Way::Gathered | Way::Turned => {
                format!("tl.load({pointers}, mask={mask}, other={number}{hint}).to({kernel_type})")
            }
        };
        Expression::new(kernel, host, source.shape, source.kind, source.range())
    }

    /// A block that was loaded is loaded again under narrower masks, of which each has a part of the columns, and what is made of these parts is put together.
    pub(super) fn parts(&mut self) -> Option<()> {
        let is_wanted =
            |source: &&Source| source.shape == Shape::Block && matches!(source.way, Way::Masked | Way::Turned);
        let known: Vec<Source> = self.body.sources.iter().filter(is_wanted).cloned().collect();
        if known.is_empty() || !self.is_here(Shape::Block) {
            return None;
        }
        let source = self.random.pick(&known);
        let Source { kind, most, .. } = source;
        let edge = self.random.random_range(1..self.setting.width + 1);
        let function = match kind {
            Kind::Int => self.random.pick(&["@abs(#)", "# * 2", "# - 1"]),
            Kind::Float => self.random.pick(&["@abs(#)", "# * 2.0", "@sin(#)"]),
        };
        let mut sum = Vec::new();
        for comparison in [format!("cols < {edge}"), format!("cols >= {edge}")] {
            let part =
                if self.setting.is_flat { format!("({comparison})") } else { format!("({comparison})[None, :]") };
            let other = self.random.pick(&[source.other, source.other, 0, 2]);
            let own = Source { other, way: source.way, ..source.clone() };
            let Expression { kernel, host, .. } = self.loaded(&own);
            let name = self.fresh();
            let narrower = kernel.replace("mask=mask", &format!("mask=mask & {part}"));
            self.line(
                &format!("{name} = {narrower}"),
                &format!("{name} = torch.where(mask & {part}, {host}, {other})"),
            );
            let otherwise = kind.number(self.random.pick(&[0, 0, 3]));
            sum.push(format!("@where({part}, {}, {otherwise})", function.replace('#', &name)));
        }
        let largest = (most.max(source.other.abs()).max(2) * 2 + 1) as f64;
        let range = Range { most: 2.0 * largest + 6.0, error: 0.0 };
        let range = if function.contains("sin") { range.through(1.0, range.most) } else { range };
        self.define(Expression::alike(&sum.join(" + "), Shape::Block, kind, range).possible()?);
        Some(())
    }

    /// What stands for missing elements, in the type of the tensor.
    fn number_of(&self, source: &Source) -> String {
        if source.element.is_int { source.other.to_string() } else { format!("{}.0", source.other) }
    }

    /// Stores one of the values.
    pub(super) fn store_one(&mut self) -> Option<()> {
        let value = self.pick(|_| true)?;
        self.store(&value).then_some(())
    }

    /// Stores a value into a tensor of its own, where its shape has a place here.
    pub(super) fn store(&mut self, value: &Value) -> bool {
        let in_columns_loop = self.setting.form == Form::Columns && self.has_columns;
        let extent = match value.shape {
            Shape::Block => Extent::Whole,
            Shape::Rows => Extent::Rows,
            Shape::Columns => Extent::TileColumns,
            Shape::Number => Extent::Tiles,
        };
        // A later block of columns would overwrite it.
        let is_overwritten = in_columns_loop && matches!(value.shape, Shape::Rows | Shape::Number);
        if is_overwritten || !self.is_here(value.shape) || !self.has_tile || self.body.targets.len() > MOST_TARGETS {
            return false;
        }
        let target = self.target(value, extent, Effect::Store);
        self.write(&target, value);
        true
    }

    /// Stores a sum that a program carries over its tiles.
    pub(super) fn store_of_program(&mut self, value: &Value) {
        let target = self.target(value, Extent::ProgramColumns, Effect::Store);
        self.write(&target, value);
    }

    fn target(&mut self, value: &Value, extent: Extent, effect: Effect) -> Target {
        let fits = |element: &&Element| match value.kind {
            Kind::Int => element.is_int && value.range.most <= element.exact as f64,
            Kind::Float if value.is_whole() => !element.is_int && value.range.most <= element.exact as f64,
            Kind::Float => matches!(element.torch, "float32" | "float64"),
        };
        let fitting: Vec<&'static Element> = ELEMENTS.iter().filter(fits).collect();
        let element = match effect {
            Effect::Store => self.random.pick(&fitting),
            Effect::Add | Effect::Max => {
                fitting.iter().copied().find(|element| element.torch.ends_with("32")).unwrap_or(fitting[0])
            }
        };
        let name = format!("out{}", self.body.targets.len());
        let target = Target { name, element, extent, effect, range: value.range };
        self.body.targets.push(target.clone());
        target
    }

    fn write(&mut self, target: &Target, value: &Value) {
        let (name, value) = (&target.name, &value.name);
        let expected = format!("{name}_expected");
        let is_flat = self.setting.is_flat;
        let (pointers, mask, host) = match target.extent {
            Extent::Whole if is_flat => {
                ("tile * n_cols + cols".to_string(), "mask", format!("put({expected}, tile, column, {value})"))
            }
            Extent::Whole => (
                "rows[:, None] * n_cols + cols[None, :]".to_string(),
                "mask",
                format!("put({expected}, tile, column, {value})"),
            ),
            Extent::Rows => ("rows".to_string(), "row_mask", format!("put_part({expected}, tile * R, {value})")),
            Extent::Columns => ("cols".to_string(), "col_mask", String::new()),
            Extent::TileColumns => {
                ("tile * n_cols + cols".to_string(), "col_mask", format!("put_row({expected}, tile, column, {value})"))
            }
            Extent::ProgramColumns => (
                "program * n_cols + cols".to_string(),
                "col_mask",
                format!("put_row({expected}, program, column, {value})"),
            ),
            Extent::Tiles => ("tile".to_string(), "", format!("{expected}[tile] = {value}")),
        };
        let mask = if mask.is_empty() { String::new() } else { format!(", mask={mask}") };
        let (function, host) = match target.effect {
            Effect::Store => ("store", host),
            Effect::Add => ("atomic_add", format!("add_part({expected}, column, {value})")),
            Effect::Max => ("atomic_max", format!("raise_part({expected}, column, {value})")),
        };
        self.line(&format!("tl.{function}({name} + {pointers}, {value}{mask})"), &host);
    }

    /// Adds numbers of columns to those of other programs, or takes the greatest of all.
    pub(super) fn atomic(&mut self) -> Option<()> {
        let shape = if self.setting.is_flat { Shape::Block } else { Shape::Columns };
        if !self.is_here(shape) || !self.has_tile || self.body.targets.len() > MOST_TARGETS {
            return None;
        }
        let value = self.pick(|value| value.shape == shape && value.is_whole())?;
        let effect = if value.kind == Kind::Int && self.random.chance(0.5) { Effect::Max } else { Effect::Add };
        let range = match effect {
            Effect::Add => Range::whole(value.range.most * MOST_TILES as f64),
            Effect::Max | Effect::Store => value.range,
        };
        if range.most > MOST_ADDED {
            return None;
        }
        let target = self.target(&Value { range, ..value.clone() }, Extent::Columns, effect);
        self.write(&target, &value);
        Some(())
    }
}
