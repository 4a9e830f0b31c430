//! From source to artifact: the one place that knows the order of the stages.
//!
//! [`Unit`] says what to compile, [`compile`] runs every stage and shows each intermediate form to a [`Watcher`].
//! No files, no terminal, no device: those belong to `tk` and `tk-cli`.

mod address_steps;
mod assembling;
mod back_end;
mod bank_conflicts;
mod compile;
mod dots;
mod even_turns;
mod fewer_at_once;
mod fewer_stages;
mod foreign;
mod loads_first;
mod loads_together;
mod machine_code;
mod machine_loops;
mod machine_waits;
mod more_warps;
mod not_told;
mod one_more;
mod optimize;
mod origin;
mod places;
mod products;
mod prototype;
mod residents;
mod resume;
mod stages;
mod turns;
mod unit;
mod waits_for_more;
mod watch;

pub use assembling::{Assemble, Assembled, assemble};
pub use compile::{Compilation, Until, can_overflow, compile, count_dots, first_text, overflows};
pub use optimize::{Optimized, Steps, find_step, optimize, passes};
pub use places::{Made, PlaceFact, place_facts};
pub use prototype::{Prototype, prototype};
pub use resume::{FormRequest, Given, compile_form, replace_code};
pub use tk_guard::{Bounds, Guards, Hidden, Interval};
pub use unit::Unit;
pub use watch::{Form, Step, Unwatched, Watcher};
