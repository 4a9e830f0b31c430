//! Conversions between layouts that are left, who wants them, and what they cost.

use crate::Place;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A conversion between two layouts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Conversion {
    /// Where it stands.
    pub place: Place,
    /// The tensor, as `128x256xf32`.
    pub tensor: String,
    /// Who has it in the layout before.
    pub from: Wish,
    /// Who wants it in the layout after.
    pub to: Wish,
    /// What it costs each time.
    pub price: Price,
    /// How often it runs.
    pub often: Often,
}

/// How often a conversion runs in a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Often {
    /// Outside of loops.
    Once,
    /// In a loop around other loops, or in a branch of a loop.
    InSomeIterations {
        /// The loop.
        around: Place,
    },
    /// In every iteration of a loop that has no loop inside.
    InEveryIteration {
        /// The loop.
        around: Place,
    },
}

/// Who wants a layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wish {
    /// What the operation is.
    pub anchor: Anchor,
    /// Where it stands.
    pub place: Place,
    /// The layout in the text of IR.
    pub layout: String,
}

/// What has a layout of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// A load from global memory.
    Load,
    /// A store to global memory.
    Store,
    /// An atomic access to global memory.
    Atomic,
    /// A matrix product: its result, or an operand.
    Product,
    /// A block that a descriptor or a buffer of shared memory holds.
    Buffer,
    /// A reduction along an axis.
    Reduction,
    /// A scan along an axis.
    Scan,
    /// A gather or a histogram.
    Gather,
    /// Another shape of the same elements.
    Shape,
    /// A computation that takes any layout.
    Computation,
}

impl Anchor {
    /// The words in reports.
    pub fn name(self) -> &'static str {
        match self {
            Anchor::Load => "the load",
            Anchor::Store => "the store",
            Anchor::Atomic => "the atomic access",
            Anchor::Product => "the product",
            Anchor::Buffer => "the block in shared memory",
            Anchor::Reduction => "the reduction",
            Anchor::Scan => "the scan",
            Anchor::Gather => "the gather",
            Anchor::Shape => "the change of shape",
            Anchor::Computation => "the computation",
        }
    }
}

/// What a conversion costs each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Price {
    /// Each thread has its elements already.
    Nothing,
    /// Values move between the lanes of each warp.
    Shuffles {
        /// Shuffles of each thread.
        count: u32,
    },
    /// Values go through shared memory.
    Shared {
        /// Bytes that a CTA writes, and as many that it reads at least.
        moved_bytes: u64,
        /// Bytes of shared memory.
        scratch_bytes: u32,
        /// Times that all threads of the CTA meet in it.
        barriers: u32,
    },
    /// It cannot be planned.
    Unknown,
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let several = |count: u32, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        match self {
            Price::Nothing => f.write_str("costs nothing"),
            Price::Shuffles { count } => write!(f, "costs {} per thread", several(*count, "shuffle")),
            Price::Shared { moved_bytes, barriers, .. } => {
                write!(f, "costs {moved_bytes} bytes through shared memory and {}", several(*barriers, "barrier"))
            }
            Price::Unknown => f.write_str("costs an unknown amount"),
        }
    }
}

impl Conversion {
    /// It goes through shared memory in every iteration of a loop.
    pub fn is_slow(&self) -> bool {
        match self.price {
            Price::Shared { .. } => matches!(self.often, Often::InEveryIteration { .. }),
            Price::Nothing | Price::Shuffles { .. } | Price::Unknown => false,
        }
    }

    /// The places that the words name.
    pub fn named(&self) -> Vec<&Place> {
        let around = match &self.often {
            Often::Once => None,
            Often::InSomeIterations { around } | Often::InEveryIteration { around } => Some(around),
        };
        [&self.from.place, &self.to.place].into_iter().chain(around).collect()
    }

    /// It in words.
    pub fn text(&self) -> String {
        let side = |wish: &Wish| format!("{} of {}", wish.anchor.name(), wish.place.seen_from(&self.place));
        let around = match &self.often {
            Often::Once => String::new(),
            Often::InSomeIterations { around } => format!(", in the loop of {}", around.seen_from(&self.place)),
            Often::InEveryIteration { around } => {
                format!(", in every iteration of the loop of {}", around.seen_from(&self.place))
            }
        };
        let (from, to) = (side(&self.from), side(&self.to));
        format!("{} from the layout of {from} to that of {to}: {}{around}", self.tensor, self.price)
    }
}
