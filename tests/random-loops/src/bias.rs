//! Which statements are frequent.

use crate::classes::Class;
use crate::elements;
use crate::program::Program;
use crate::value::Size;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::ops::RangeInclusive;

/// Which programs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Programs {
    /// Loops with products.
    Loops(Bias),
    /// No products: elements and what they meet for.
    Elements,
    /// About one kind of statement.
    Class(Class),
}

impl Programs {
    const ALL: [Self; 27] = [
        Self::Loops(Bias::Even),
        Self::Loops(Bias::Mixing),
        Self::Loops(Bias::Branches),
        Self::Loops(Bias::Chains),
        Self::Loops(Bias::Operands),
        Self::Loops(Bias::Addresses),
        Self::Loops(Bias::Rows),
        Self::Loops(Bias::Reductions),
        Self::Loops(Bias::Ahead),
        Self::Loops(Bias::Held),
        Self::Loops(Bias::Turns),
        Self::Loops(Bias::Across),
        Self::Elements,
        Self::Class(Class::Batches),
        Self::Class(Class::Online),
        Self::Class(Class::Time),
        Self::Class(Class::Inner),
        Self::Class(Class::Ragged),
        Self::Class(Class::Records),
        Self::Class(Class::Updates),
        Self::Class(Class::Columns),
        Self::Class(Class::Windows),
        Self::Class(Class::Keys),
        Self::Class(Class::Tables),
        Self::Class(Class::Masks),
        Self::Class(Class::Again),
        Self::Class(Class::Halves),
    ];

    /// The program of a seed, as a file.
    pub(crate) fn text(self, seed: u64) -> String {
        match self {
            Programs::Loops(bias) => Program::new(seed, bias).text(),
            Programs::Elements => elements::Program::new(seed).text(),
            Programs::Class(class) => class.text(seed, &self.name()),
        }
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
    }
}

impl ValueEnum for Programs {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Programs::Loops(bias) => bias.to_possible_value(),
            Programs::Elements => Some(
                PossibleValue::new("elements").help("No products: loads, arithmetic, functions, reductions, scans"),
            ),
            Programs::Class(class) => class.to_possible_value(),
        }
    }
}

/// A mixture of statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bias {
    /// A little of everything.
    Even,
    /// More copies and mixtures of accumulators.
    Mixing,
    /// More branches and loops in the loop.
    Branches,
    /// Products of products.
    Chains,
    /// Operands that are computed.
    Operands,
    /// Addresses that are loaded, and hints about pointers.
    Addresses,
    /// Block pointers, and many pointers that are computed in the loop.
    Rows,
    /// Reductions between loads and what is computed from them, and products that need none of each other.
    Reductions,
    /// A product of its own first, and no other: what the loop computes with it comes while the next one runs.
    Ahead,
    /// A product first whose left operand does not change in the loop, and products of what the loop makes of it.
    Held,
    /// Two products first, each waited for and computed on before the next: two groups of warps multiply in turns.
    Turns,
    /// Few rows in a loop of one stage, where operands in rows across K go through buffers, and logarithms of sums.
    Across,
}

/// A kind of statement that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An accumulator becomes a product, and mostly a sum with itself.
    Product,
    /// A product of its own, and mostly something made of it.
    Temporary,
    /// An accumulator becomes another one.
    Assign,
    /// Accumulators change places.
    Swap,
    /// An accumulator becomes something computed from itself.
    Change,
    /// Something computed from one accumulator is added to one.
    Mix,
    Branch,
    Loop,
    /// An accumulator is stored in every iteration.
    Store,
    /// A reduction, and mostly something computed with it.
    Row,
    /// A block is added to an accumulator.
    Load,
    /// An accumulator becomes one of two by a condition.
    Select,
    /// The counter changes.
    Scalar,
}

/// Products between which the sums change, and whose operands lie across K.
const ACROSS: &[(Kind, u32)] = &[
    (Kind::Product, 10),
    (Kind::Temporary, 3),
    (Kind::Change, 8),
    (Kind::Mix, 2),
    (Kind::Row, 2),
    (Kind::Load, 1),
    (Kind::Select, 1),
    (Kind::Store, 1),
];

/// Loads and products of their own between reductions.
const REDUCTIONS: &[(Kind, u32)] = &[
    (Kind::Product, 5),
    (Kind::Temporary, 8),
    (Kind::Row, 10),
    (Kind::Load, 8),
    (Kind::Mix, 3),
    (Kind::Change, 2),
    (Kind::Branch, 1),
    (Kind::Select, 1),
    (Kind::Store, 1),
];

/// How loops of a bias are made, beside the statements in them.
pub(crate) struct Form {
    /// Statements of a body.
    pub(crate) statements: RangeInclusive<usize>,
    /// Numbers of accumulators, each as likely as it is frequent.
    pub(crate) accumulators: &'static [usize],
    /// Statements of products with which the body begins, where it begins with any.
    pub(crate) products_first: Option<usize>,
    /// Sizes of the dimension that a product adds over, each as likely as it is frequent.
    pub(crate) inner: &'static [Size],
    /// How often an operand is computed from a sum.
    pub(crate) operands_of_sums: f64,
    /// The left operand of a first product does not change in the loop.
    pub(crate) first_left_is_fixed: bool,
}

impl Form {
    const USUAL: Self = Self {
        statements: 2..=9,
        accumulators: &[1, 2, 2, 3, 3, 4],
        products_first: None,
        inner: &[Size::K, Size::K, Size::K, Size::N, Size::M],
        operands_of_sums: 0.12,
        first_left_is_fixed: false,
    };
    /// Few sums and statements, behind a product.
    const SHORT: Self = Self { statements: 2..=5, accumulators: &[1, 1, 1, 2], products_first: Some(1), ..Self::USUAL };
    /// Dimensions over which products of products add.
    const CHAINED: &'static [Size] = &[Size::K, Size::N, Size::N];
}

impl Bias {
    pub(crate) fn form(self) -> Form {
        match self {
            Bias::Ahead => Form::SHORT,
            Bias::Held => {
                Form { inner: Form::CHAINED, operands_of_sums: 0.5, first_left_is_fixed: true, ..Form::SHORT }
            }
            Bias::Turns => Form { statements: 4..=6, products_first: Some(4), ..Form::SHORT },
            Bias::Across => Form { statements: 2..=6, accumulators: &[1, 1, 2], ..Form::USUAL },
            Bias::Chains => Form { inner: Form::CHAINED, operands_of_sums: 0.35, ..Form::USUAL },
            Bias::Even
            | Bias::Mixing
            | Bias::Branches
            | Bias::Operands
            | Bias::Addresses
            | Bias::Rows
            | Bias::Reductions => Form::USUAL,
        }
    }

    /// The statements that can be drawn, and how often each is.
    pub(crate) fn weights(self) -> Vec<(Kind, f64)> {
        let weights: &[(Kind, u32)] = match self {
            Bias::Even | Bias::Addresses | Bias::Rows => &[
                (Kind::Product, 10),
                (Kind::Temporary, 3),
                (Kind::Assign, 2),
                (Kind::Swap, 1),
                (Kind::Change, 3),
                (Kind::Mix, 3),
                (Kind::Branch, 3),
                (Kind::Loop, 1),
                (Kind::Store, 1),
                (Kind::Row, 2),
                (Kind::Load, 2),
                (Kind::Select, 1),
                (Kind::Scalar, 1),
            ],
            Bias::Reductions => REDUCTIONS,
            Bias::Mixing => &[
                (Kind::Product, 10),
                (Kind::Temporary, 2),
                (Kind::Assign, 7),
                (Kind::Swap, 4),
                (Kind::Change, 2),
                (Kind::Mix, 7),
                (Kind::Branch, 4),
                (Kind::Select, 2),
            ],
            Bias::Branches => &[
                (Kind::Product, 10),
                (Kind::Assign, 3),
                (Kind::Swap, 1),
                (Kind::Mix, 3),
                (Kind::Branch, 10),
                (Kind::Loop, 3),
                (Kind::Store, 2),
                (Kind::Select, 3),
                (Kind::Load, 2),
                (Kind::Scalar, 2),
            ],
            Bias::Chains | Bias::Held => &[
                (Kind::Product, 6),
                (Kind::Temporary, 8),
                (Kind::Assign, 2),
                (Kind::Change, 3),
                (Kind::Mix, 3),
                (Kind::Row, 5),
                (Kind::Branch, 2),
                (Kind::Store, 1),
                (Kind::Load, 1),
            ],
            Bias::Ahead | Bias::Turns => &[
                (Kind::Assign, 2),
                (Kind::Change, 4),
                (Kind::Mix, 6),
                (Kind::Branch, 3),
                (Kind::Row, 5),
                (Kind::Load, 2),
                (Kind::Select, 1),
                (Kind::Store, 1),
                (Kind::Scalar, 1),
            ],
            Bias::Across => ACROSS,
            Bias::Operands => &[
                (Kind::Product, 12),
                (Kind::Temporary, 2),
                (Kind::Assign, 2),
                (Kind::Mix, 2),
                (Kind::Load, 3),
                (Kind::Branch, 4),
                (Kind::Loop, 1),
                (Kind::Change, 1),
                (Kind::Store, 2),
            ],
        };
        weights.iter().map(|(kind, weight)| (*kind, f64::from(*weight))).collect()
    }

    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
    }
}
