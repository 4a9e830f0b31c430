//! What a compilation depends on besides its unit: this build of tk, and the `ptxas` of this machine. Neither has a path or a time in it,
//! so that machines share what they compile.

use std::path::Path;
use tk_driver::Unit;

/// A name of this build of tk: its version, and a hash of the sources, of LLVM's libraries by names and sizes, and of the version of rustc.
/// It is the same where the same is built from the same, and it is another after every change of the compiler.
pub fn build_name() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), "-", env!("TK_BUILD"))
}

/// The key of a unit in caches, on a machine with this build and the `ptxas` that is found here.
pub fn cache_key(unit: &Unit<'_>) -> String {
    cache_key_with(unit, tk_launch::find_ptxas().as_deref())
}

/// The key of a unit in caches whose machine code is made by this `ptxas`, or by none.
pub fn cache_key_with(unit: &Unit<'_>, ptxas: Option<&Path>) -> String {
    let assembler = ptxas.map_or_else(|| "none".to_string(), tk_launch::ptxas_identity);
    unit.cache_key(&format!("{}, ptxas {assembler}", build_name()))
}
