//! Why a kernel is as fast as it is, as data: what is slow, the line that made it so, and the reason.
//!
//! The passes fill in a [`Why`] from the IR; an assembler adds spills, and what only a launch on the simulator can tell is [`Measured`]. Both together
//! become [`Finding`]s, which the report, `tk explain` and JSON show alike.

mod access;
mod conversion;
mod findings;
mod measured;
mod registers;

pub use access::{AccessKind, Loss, NarrowAccess, Reason, Subject};
pub use conversion::{Anchor, Conversion, Often, Price, Wish};
pub use findings::{Finding, Topic, Weight};
pub use measured::{Conflict, Measured, SharedUse, SharedWork, Spill};
pub use registers::{Held, Registers};

use serde::{Deserialize, Serialize};
use std::fmt;

/// A place in a source file. Line 0 is no place.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The file as the program names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Place {
    /// The last part of the path.
    pub fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }

    /// Whether it is known.
    pub fn is_known(&self) -> bool {
        self.line > 0
    }

    /// How a text that stands at `here` names this place: the file is left out where it is the same one.
    pub fn seen_from(&self, here: &Place) -> String {
        if !self.is_known() {
            "an unknown line".to_string()
        } else if self.file == here.file {
            format!("line {}", self.line)
        } else {
            self.to_string()
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file_name(), self.line)
    }
}

/// What a compilation knows of the speed of its kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// Accesses to global memory that move less at once than they could.
    pub accesses: Vec<NarrowAccess>,
    /// Conversions between layouts that are left.
    pub conversions: Vec<Conversion>,
    /// Where most registers are live; nothing where no tensor is.
    pub registers: Option<Registers>,
    /// Operations that use shared memory.
    pub shared: Vec<SharedUse>,
    /// Lines at which an assembler keeps registers in memory, where there was one.
    pub spills: Vec<Spill>,
}
