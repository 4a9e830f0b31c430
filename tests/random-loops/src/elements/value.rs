//! Values of programs without products: their shape, their type, how large they may be, and how far from the exact number.

/// How a value lies in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A number for each element.
    Block,
    /// One for each row.
    Rows,
    /// One for each column.
    Columns,
    /// One number.
    Number,
}

impl Shape {
    /// The shape of what is computed from both.
    pub(super) fn with(self, other: Self) -> Self {
        match (self, other) {
            (own, other) if own == other => own,
            (Shape::Number, other) | (other, Shape::Number) => other,
            _ => Shape::Block,
        }
    }
}

/// The type that a kernel computes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Float,
    Int,
}

impl Kind {
    pub(super) fn kernel(self) -> &'static str {
        match self {
            Kind::Float => "tl.float32",
            Kind::Int => "tl.int32",
        }
    }

    pub(super) fn host(self) -> &'static str {
        match self {
            Kind::Float => "torch.float64",
            Kind::Int => "torch.int64",
        }
    }

    /// A whole number of this type.
    pub(super) fn number(self, value: i64) -> String {
        match self {
            Kind::Float => format!("{value}.0"),
            Kind::Int => value.to_string(),
        }
    }
}

/// Whole numbers up to this are exact, with some room for what adds to them.
const LARGEST_FLOAT: f64 = 4_194_304.0;
const LARGEST_INT: f64 = 1_073_741_824.0;
/// Where a value is off at all, it may be this large and this far off.
const LARGEST_INEXACT: f64 = 1e5;
const FURTHEST: f64 = 1e-2;

/// How large a value may be, in magnitude, and how far off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) most: f64,
    /// Zero: it is a whole number, and exact.
    pub(super) error: f64,
}

impl Range {
    pub(super) fn whole(most: f64) -> Self {
        Self { most, error: 0.0 }
    }

    pub(super) fn is_whole(self) -> bool {
        self.error == 0.0
    }

    /// The larger of both.
    pub(super) fn or(self, other: Self) -> Self {
        Self { most: self.most.max(other.most), error: self.error.max(other.error) }
    }

    /// The sum of so many such values.
    pub(super) fn times(self, count: usize) -> Self {
        let count = count as f64;
        Self { most: count * self.most, error: count * self.error }.rounded()
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self { most: self.most + other.most, error: self.error + other.error }.rounded()
    }

    pub(super) fn product(self, other: Self) -> Self {
        let error = self.most * other.error + other.most * self.error + self.error * other.error;
        Self { most: self.most * other.most, error }.rounded()
    }

    /// A function of it that changes at most so many times as much, and is at most `most`.
    pub(super) fn through(self, slope: f64, most: f64) -> Self {
        Self { most, error: slope * self.error + ROUNDING * most.max(1.0) }
    }

    /// What is not exact is rounded, too.
    fn rounded(self) -> Self {
        if self.is_whole() { self } else { Self { error: self.error + ROUNDING * self.most, ..self } }
    }

    fn is_possible(self, kind: Kind) -> bool {
        let largest = match kind {
            Kind::Float => LARGEST_FLOAT,
            Kind::Int => LARGEST_INT,
        };
        if self.is_whole() { self.most <= largest } else { self.most <= LARGEST_INEXACT && self.error <= FURTHEST }
    }
}

/// Of a result in f32 how far a function or a sum may be off, relative to the largest one.
const ROUNDING: f64 = 2e-6;

/// A variable, which kernel and reference call alike.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) kind: Kind,
    pub(super) range: Range,
}

impl Value {
    /// Its text where a value of `shape` is made of it.
    pub(super) fn spread(&self, shape: Shape) -> String {
        match (self.shape, shape) {
            (Shape::Rows, Shape::Block) => format!("{}[:, None]", self.name),
            (Shape::Columns, Shape::Block) => format!("{}[None, :]", self.name),
            _ => self.name.clone(),
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.range.is_whole()
    }
}

/// A value that has no name yet.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) kernel: String,
    pub(super) host: String,
    pub(super) shape: Shape,
    pub(super) kind: Kind,
    pub(super) range: Range,
}

impl Expression {
    /// `@` stands for the module of functions, `tl` or `torch`.
    pub(super) fn alike(text: &str, shape: Shape, kind: Kind, range: Range) -> Self {
        Self::new(text.replace('@', "tl."), text.replace('@', "torch."), shape, kind, range)
    }

    pub(super) fn new(kernel: String, host: String, shape: Shape, kind: Kind, range: Range) -> Self {
        Self { kernel, host, shape, kind, range }
    }

    /// Nothing where a value may become too large, or too far off.
    pub(super) fn possible(self) -> Option<Self> {
        self.range.is_possible(self.kind).then_some(self)
    }
}
