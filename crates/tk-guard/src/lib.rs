//! What a checked kernel does that its author may not want, found before it runs or while it runs.
//!
//! A checked kernel comes in. [`warnings`] says what its text shows: 32-bit offsets that can wrap around, and other traps.
//! [`protect`] gives the same kernel with wider offsets, or with checks that record what goes wrong while it runs. The crate
//! sits between `tk-check` and `tk-lower`, so everything it adds is ordinary checked ops.

#![deny(clippy::wildcard_enum_match_arm)]

mod access;
mod bounds;
mod defs;
mod division;
mod family;
mod interval;
mod masked;
mod overflow;
mod precision;
mod ranges;
mod rewrite;
mod sites;
mod wide;

pub use bounds::{Bounds, UnknownSizes};
pub use interval::Interval;
pub use overflow::overflow_warnings;
pub use ranges::{Overflow, Ranges};
pub use sites::{Guards, Hidden, Site, SiteKind, WORDS_PER_SITE};
pub use wide::can_overflow;

use tk_check::checked::Kernel;
use tk_diag::Diagnostic;
use tk_types::IndexWidth;

/// Everything the text of a kernel shows, in source order: overflows under these bounds, and the traps of the language.
pub fn warnings(kernel: &Kernel, bounds: &Bounds) -> Vec<Diagnostic> {
    let ranges = Ranges::new(kernel, bounds);
    let mut found = overflow_warnings(kernel, &ranges, bounds);
    found.extend(traps(kernel, &ranges));
    found.sort_by_key(|warning| warning.labels.first().map(|label| label.span));
    found
}

/// What to say of a kernel that is compiled as it is written. Overflows are told where something is known of the sizes, since
/// without that any product could overflow.
///
/// # Errors
/// A bug in tk: functions that are kept apart do not fit their calls.
pub fn all_warnings(kernel: &Kernel, bounds: &Bounds) -> tk_diag::Result<Vec<Diagnostic>> {
    if !kernel.functions.is_empty() {
        return all_warnings(&kernel.clone().inlined()?, bounds);
    }
    Ok(match *bounds == Bounds::any() {
        false => warnings(kernel, bounds),
        true => traps(kernel, &Ranges::new(kernel, &Bounds::assumed())),
    })
}

/// The traps of the language that a kernel steps into, whatever its launch: divisions that truncate, values that no mask
/// covers, precision that is lost silently.
pub fn traps(kernel: &Kernel, ranges: &Ranges) -> Vec<Diagnostic> {
    let mut found = division::warnings(kernel, ranges);
    found.extend(masked::warnings(kernel));
    found.extend(precision::warnings(kernel));
    found
}

/// The kernel with the index width and the checks that its options ask for, and what its checks mean.
pub fn protect(kernel: Kernel, bounds: &Bounds) -> (Kernel, Guards) {
    let options = kernel.options.clone();
    let mut guards = Guards::default();
    let mut kernel = kernel;
    if options.index_width != IndexWidth::Written || options.sanitize.overflow {
        kernel = wide::widen(kernel, bounds, &mut guards);
    }
    if options.sanitize.bounds {
        kernel = access::guard_accesses(kernel, &mut guards);
    }
    (kernel, guards)
}
