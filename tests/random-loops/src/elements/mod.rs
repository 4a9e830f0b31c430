//! Programs without products: loads, arithmetic, functions, reductions, scans, and loops over columns or rows.
//!
//! A seed makes one program, as with loops of products: a kernel, its reference in f64, and a test for each launch. Whole numbers stay exact and
//! have to be equal. What functions make of them is followed with a bound for its error, and never compared with anything or made whole again.

mod maker;
mod memory;
mod reductions;
mod setting;
mod source;
mod statements;
mod text;
mod value;

use maker::{Body, Maker};
use setting::Setting;
pub(crate) use source::{ELEMENTS, Element};
use tk_cases::draw::seeded;

/// All of it.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    seed: u64,
    setting: Setting,
    body: Body,
}

impl Program {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = seeded(&format!("{seed} elements"));
        let setting = Setting::draw(&mut random);
        let body = Maker::new(&setting, &mut random).body();
        Self { seed, setting, body }
    }
}
