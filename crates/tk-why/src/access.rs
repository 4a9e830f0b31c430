//! Accesses to global memory that are narrower than they could be.

use crate::Place;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// It reads to registers.
    Load,
    /// It writes.
    Store,
    /// It reads, combines and writes.
    Atomic,
    /// It reads to shared memory.
    Copy,
}

impl AccessKind {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
            AccessKind::Atomic => "atomic",
            AccessKind::Copy => "copy",
        }
    }
}

/// An access that moves fewer bits at once than one instruction can.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NarrowAccess {
    /// Where it stands.
    pub place: Place,
    /// What it does.
    pub kind: AccessKind,
    /// Bits that a thread moves at once.
    pub bits: u32,
    /// Bits that a thread could move at once.
    pub possible_bits: u32,
    /// What keeps it narrow, the narrowest first; each alone would do so.
    pub losses: Vec<Loss>,
}

/// One thing that keeps an access narrow.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Loss {
    /// What of the access is not known to be as it has to be.
    pub subject: Subject,
    /// Bits that it leaves.
    pub bits: u32,
    /// Why.
    pub reason: Reason,
    /// The line at which it was lost.
    pub place: Place,
}

/// What of an access has to be known for elements to move together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// Neighbouring elements are neighbours in memory.
    Neighbours,
    /// The first of them is aligned.
    Alignment,
    /// They share their mask.
    Mask,
    /// A thread holds them.
    Layout,
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// An argument, or another number that the kernel gets, is not known to be a multiple.
    UnknownMultiple {
        /// What the program calls it.
        name: String,
        /// Of what it would have to be a multiple.
        of: u64,
    },
    /// The address that an argument holds is not known to be a multiple of so many bytes.
    UnknownAddress {
        /// What the program calls it.
        name: String,
        /// Of how many bytes it would have to be a multiple.
        bytes: u64,
    },
    /// A number of the code is not a multiple.
    NoMultiple {
        /// The number.
        value: i64,
        /// Of what it would have to be a multiple.
        of: u64,
    },
    /// The number of a program is a multiple of nothing.
    ProgramNumber {
        /// Of what it would have to be a multiple.
        of: u64,
    },
    /// Neighbouring elements are so far apart.
    Stride {
        /// Bytes from one element to the next.
        bytes: u64,
    },
    /// How far neighbouring elements are apart is known at run time alone.
    UnknownStride {
        /// What the program calls it; empty where it has no name.
        name: String,
    },
    /// Neighbouring elements are in falling order.
    Descends,
    /// Neighbouring elements repeat one number.
    Repeats,
    /// It is computed from what a load reads.
    Loaded,
    /// It changes from element to element.
    PerElement,
    /// A comparison with the last element that belongs to it: the one behind it is no boundary of vectors.
    Inclusive,
    /// A quotient or remainder of what may be negative.
    MayBeNegative,
    /// A minimum or maximum with another number.
    Clamped,
    /// A choice between two.
    Chosen,
    /// Two that both change from element to element meet in one operation.
    Combined,
    /// A loop changes it from one iteration to the next.
    Carried,
    /// Elements of several rows follow each other.
    Reshaped,
    /// An operation of which nothing is known.
    Computed {
        /// The operation.
        operation: String,
    },
    /// There are few elements for each thread.
    FewElements {
        /// Elements of the tensor.
        elements: u64,
        /// Threads of the CTA.
        threads: u32,
    },
    /// The layout has few of these elements side by side in a thread.
    FewInThread {
        /// The layout.
        layout: String,
    },
    /// Shared memory has other elements side by side than global memory.
    OtherOrder,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::UnknownMultiple { name, of } => write!(f, "`{name}` is not known to be a multiple of {of}"),
            Reason::UnknownAddress { name, bytes } => {
                write!(f, "the address `{name}` is not known to be a multiple of {bytes} bytes")
            }
            Reason::NoMultiple { value, of } => write!(f, "{value} is not a multiple of {of}"),
            Reason::ProgramNumber { of } => write!(f, "the number of the program is not a multiple of {of}"),
            Reason::Stride { bytes } => write!(f, "neighbouring elements are {bytes} bytes apart"),
            Reason::UnknownStride { name } if name.is_empty() => {
                f.write_str("how far neighbouring elements are apart is known at run time only")
            }
            Reason::UnknownStride { name } => {
                write!(f, "neighbouring elements are `{name}` apart, which is known at run time only")
            }
            Reason::Descends => f.write_str("neighbouring elements are in falling order"),
            Reason::Repeats => f.write_str("neighbouring elements repeat one number"),
            Reason::Loaded => f.write_str("it is computed from what is loaded"),
            Reason::PerElement => f.write_str("it changes per element"),
            Reason::Inclusive => f.write_str("the comparison includes its bound, so it ends inside of a vector"),
            Reason::MayBeNegative => f.write_str("what is divided may be negative"),
            Reason::Clamped => f.write_str("a minimum or maximum cuts it off"),
            Reason::Chosen => f.write_str("it is chosen element by element"),
            Reason::Combined => f.write_str("two numbers that both change per element meet"),
            Reason::Carried => f.write_str("the loop changes it from one iteration to the next"),
            Reason::Reshaped => f.write_str("a reshape puts elements of several rows side by side"),
            Reason::Computed { operation } => write!(f, "nothing is known of what `{operation}` computes"),
            Reason::FewElements { elements, threads } => {
                write!(f, "{threads} threads share {elements} elements")
            }
            Reason::FewInThread { layout } => {
                write!(f, "a thread holds few elements side by side in the layout of {layout}")
            }
            Reason::OtherOrder => f.write_str("shared memory has other elements side by side than global memory"),
        }
    }
}

impl Loss {
    /// It in words, for a text that stands at `here`.
    pub fn text(&self, here: &Place) -> String {
        let line = self.place.seen_from(here);
        match self.subject {
            Subject::Neighbours | Subject::Layout => format!("{} ({line})", self.reason),
            Subject::Alignment => format!("not aligned: {} ({line})", self.reason),
            Subject::Mask if self.reason == Reason::PerElement => format!("the mask of {line} changes per element"),
            Subject::Mask => format!("the mask of {line} changes per element: {}", self.reason),
        }
    }
}

impl NarrowAccess {
    /// More could move at once with the same elements on the same threads.
    pub fn is_slow(&self) -> bool {
        self.losses.iter().any(|loss| !matches!(loss.reason, Reason::FewElements { .. }))
    }

    /// The places that the words name.
    pub fn named(&self) -> Vec<&Place> {
        self.losses.iter().map(|loss| &loss.place).collect()
    }

    /// It in words.
    pub fn text(&self) -> String {
        let losses: Vec<String> = self.losses.iter().map(|loss| loss.text(&self.place)).collect();
        format!("{} of {} of {} bits: {}", self.kind.name(), self.bits, self.possible_bits, losses.join("; "))
    }
}
