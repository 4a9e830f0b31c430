//! Writes what `tk-ir` says about operations from ODS: `kinds.rs` (the kinds), `views.rs` (typed views) and `enums.rs` (enum attributes).
//!
//! `tk-dialect` gives the records of its `td/kinds.td` as JSON. An operation that is added there has its kind and its view at the
//! next build, and every exhaustive match over the kinds asks about it.

mod enums;
mod kinds;
mod ods;
mod views;

use ods::Ods;
use std::path::{Path, PathBuf};

fn main() {
    let records =
        std::env::var("DEP_TKDIALECTS_ODS").expect("the build script of tk-dialect says where the records are");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let ods = Ods::read(Path::new(&records));
    for (name, text) in [("kinds", kinds::text(&ods)), ("views", views::text(&ods)), ("enums", enums::text(&ods))] {
        let path = out.join(name).with_extension("rs");
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    }
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed={records}");
}
