//! Operators of programs, and how they are written.

/// An operator with two operands of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOp {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Minimum,
    Maximum,
    ShiftLeft,
    ShiftRight,
    /// In a kernel, division truncates.
    Divide,
    /// In a kernel, the remainder has the sign of the dividend.
    Remainder,
}

impl BinaryOp {
    /// The sign, or the name of the function behind `tl.`.
    pub(crate) fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Minimum => "minimum",
            BinaryOp::Maximum => "maximum",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Divide => "//",
            BinaryOp::Remainder => "%",
        }
    }

    /// Whether it is written as a function.
    pub(crate) fn is_function(self) -> bool {
        matches!(self, BinaryOp::Minimum | BinaryOp::Maximum)
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOp {
    Negative,
    Not,
    Abs,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompareOp {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl CompareOp {
    pub(crate) const ALL: [CompareOp; 6] = [
        CompareOp::Less,
        CompareOp::LessOrEqual,
        CompareOp::Greater,
        CompareOp::GreaterOrEqual,
        CompareOp::Equal,
        CompareOp::NotEqual,
    ];

    /// The sign.
    pub(crate) fn text(self) -> &'static str {
        match self {
            CompareOp::Less => "<",
            CompareOp::LessOrEqual => "<=",
            CompareOp::Greater => ">",
            CompareOp::GreaterOrEqual => ">=",
            CompareOp::Equal => "==",
            CompareOp::NotEqual => "!=",
        }
    }
}

/// A reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    Sum,
    Min,
    Max,
    XorSum,
}

impl Reduction {
    /// The name of the function behind `tl.`.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Reduction::Sum => "sum",
            Reduction::Min => "min",
            Reduction::Max => "max",
            Reduction::XorSum => "xor_sum",
        }
    }

    /// What it does with two elements.
    pub(crate) fn op(self) -> BinaryOp {
        match self {
            Reduction::Sum => BinaryOp::Add,
            Reduction::Min => BinaryOp::Minimum,
            Reduction::Max => BinaryOp::Maximum,
            Reduction::XorSum => BinaryOp::Xor,
        }
    }
}

/// A scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    /// `cumsum`.
    Sum,
    /// `associative_scan` with a function that gives the larger.
    Maximum,
}

impl Scan {
    /// What it does with two elements.
    pub(crate) fn op(self) -> BinaryOp {
        match self {
            Scan::Sum => BinaryOp::Add,
            Scan::Maximum => BinaryOp::Maximum,
        }
    }
}
