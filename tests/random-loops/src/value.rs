//! Expressions: their text in the kernel and in the reference, their shape, and how large they may be.

use std::collections::BTreeMap;
use std::fmt;

/// A size of the problem's blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    M,
    N,
    K,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A shape by the names of its sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// One dimension.
    Row(Size),
    /// Two dimensions.
    Block(Size, Size),
}

/// The shape of accumulators.
pub(crate) const SUM: Shape = Shape::Block(Size::M, Size::N);

impl Shape {
    /// With rows and columns exchanged.
    pub(crate) fn transposed(self) -> Self {
        match self {
            Shape::Row(_) => self,
            Shape::Block(rows, columns) => Shape::Block(columns, rows),
        }
    }

    /// The first and the last size.
    pub(crate) fn ends(self) -> (Size, Size) {
        match self {
            Shape::Row(size) => (size, size),
            Shape::Block(rows, columns) => (rows, columns),
        }
    }
}

/// What stands between the parentheses of a tuple.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Row(size) => write!(f, "{size},"),
            Shape::Block(rows, columns) => write!(f, "{rows}, {columns}"),
        }
    }
}

/// A value may become larger than its type has exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooLarge;

/// How large the variables may be, in magnitude.
pub(crate) type Bounds = BTreeMap<String, i64>;

/// How large a value may be, in magnitude, given how large the variables may be.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Constant(i64),
    Variable(String),
    Sum(Box<Bound>, Box<Bound>),
    Scaled(i64, Box<Bound>),
    /// A matrix product with so many terms in each sum.
    Dot(i64, Box<Bound>, Box<Bound>),
    Larger(Box<Bound>, Box<Bound>),
    /// A value that was clamped.
    AtMost(i64, Box<Bound>),
    /// A value that must not be larger than this.
    Limited(i64, Box<Bound>),
}

impl Bound {
    /// The bound as a number.
    pub(crate) fn of(&self, bounds: &Bounds) -> Result<i64, TooLarge> {
        Ok(match self {
            Bound::Constant(value) => *value,
            Bound::Variable(name) => *bounds.get(name).expect("a variable is assigned before it is read"),
            Bound::Sum(a, b) => a.of(bounds)? + b.of(bounds)?,
            Bound::Scaled(factor, a) => factor * a.of(bounds)?,
            Bound::Dot(terms, a, b) => terms * a.of(bounds)? * b.of(bounds)?,
            Bound::Larger(a, b) => a.of(bounds)?.max(b.of(bounds)?),
            Bound::AtMost(most, a) => a.of(bounds)?.min(*most),
            Bound::Limited(most, a) => {
                let found = a.of(bounds)?;
                if found > *most {
                    return Err(TooLarge);
                }
                found
            }
        })
    }

    pub(crate) fn plus(&self, other: &Bound) -> Bound {
        Bound::Sum(Box::new(self.clone()), Box::new(other.clone()))
    }

    pub(crate) fn times(&self, factor: i64) -> Bound {
        Bound::Scaled(factor, Box::new(self.clone()))
    }

    pub(crate) fn or(&self, other: &Bound) -> Bound {
        Bound::Larger(Box::new(self.clone()), Box::new(other.clone()))
    }

    pub(crate) fn limited(self, most: i64) -> Bound {
        Bound::Limited(most, Box::new(self))
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// As the kernel writes it.
    pub(crate) kernel: String,
    /// As the reference writes it.
    pub(crate) host: String,
    pub(crate) shape: Shape,
    pub(crate) bound: Bound,
}

impl Value {
    pub(crate) fn new(kernel: impl Into<String>, host: impl Into<String>, shape: Shape, bound: Bound) -> Self {
        Self { kernel: kernel.into(), host: host.into(), shape, bound }
    }

    /// An expression that both sides write alike.
    pub(crate) fn alike(text: impl Into<String>, shape: Shape, bound: Bound) -> Self {
        let text = text.into();
        Self { kernel: text.clone(), host: text, shape, bound }
    }

    pub(crate) fn variable(name: &str, shape: Shape) -> Self {
        Self::alike(name, shape, Bound::Variable(name.to_string()))
    }

    /// Whether the kernel writes it as a name, to which a method can be applied without parentheses.
    pub(crate) fn is_name(&self) -> bool {
        is_name(&self.kernel)
    }

    /// What the reference writes for its transposition.
    pub(crate) fn host_transposed(&self) -> String {
        if is_name(&self.host) { format!("{}.T", self.host) } else { format!("({}).T", self.host) }
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
