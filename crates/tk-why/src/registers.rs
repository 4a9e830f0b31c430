//! Where most registers are live, by tk's own estimate.

use crate::Place;
use serde::{Deserialize, Serialize};

/// The place at which tensors take most registers of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Registers {
    /// The operation there.
    pub place: Place,
    /// 32-bit registers of a thread that tensors take there, by tk's estimate. Addresses, masks and scalars are left out.
    pub estimate: u32,
    /// 32-bit registers that a thread can have in a CTA of this size.
    pub limit: u32,
    /// The tensors that are live there, the largest first.
    pub held: Vec<Held>,
}

/// A tensor that is live.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Held {
    /// What the program calls it; empty where it has no name.
    pub name: String,
    /// Where it is made.
    pub place: Place,
    /// `128x256xf32`.
    pub tensor: String,
    /// Bytes of each thread.
    pub bytes: u32,
}

/// Tensors that a text names.
const NAMED: usize = 4;

impl Registers {
    /// More than a thread can have: the rest is kept in memory.
    pub fn is_slow(&self) -> bool {
        self.estimate > self.limit
    }

    /// The places that the words name.
    pub fn named(&self) -> Vec<&Place> {
        self.held.iter().take(NAMED).map(|held| &held.place).collect()
    }

    /// It in words.
    pub fn text(&self) -> String {
        let held: Vec<String> = self.held.iter().take(NAMED).map(|held| held.text(&self.place)).collect();
        let more = match self.held.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", {more} more"),
        };
        let spills = if self.is_slow() { ", so tensors spill" } else { "" };
        let (estimate, limit) = (self.estimate, self.limit);
        format!("most live here: tensors take about {estimate} of {limit} registers{spills}: {}{more}", held.join(", "))
    }
}

impl Held {
    fn text(&self, here: &Place) -> String {
        let name = if self.name.is_empty() { String::new() } else { format!("`{}` ", self.name) };
        format!("{name}{} of {} ({} bytes)", self.tensor, self.place.seen_from(here), self.bytes)
    }
}
