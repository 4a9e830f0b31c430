//! Why a kernel is as fast as it is, read off the IR: facts alone, nothing is changed.
//!
//! [`of_accesses`] looks before `vectorize-memory` chooses widths, since hints go there; [`of_layouts`] looks at the IR that code generation
//! gets. Both name lines of the source; a kernel whose operations carry no places has no findings.

mod accesses;
mod conversions;
mod losses;
mod registers;
mod shared;

pub use accesses::of_accesses;

use crate::PassContext;
use crate::convert_to_ttg::require_ttg;
use tk_ir::{Location, Module, Type};
use tk_why::{Place, Why};

/// Most findings of one kind that are kept.
const MOST: usize = 200;

/// Conversions, registers and uses of shared memory of the finished ttg IR; `accesses` of the result are empty.
pub fn of_layouts(module: &Module<'_>, cx: &PassContext) -> Why {
    let Ok(threads) = require_ttg(module) else { return Why::default() };
    let limit = cx.target.register_budget(threads.num_warps, 1).min(cx.options.maxnreg.unwrap_or(u32::MAX));
    let mut why = Why::default();
    for function in module.functions() {
        why.conversions.extend(conversions::of(function));
        why.shared.extend(shared::of(function));
        let registers = registers::of(function, limit);
        let estimate = |registers: &Option<tk_why::Registers>| registers.as_ref().map_or(0, |most| most.estimate);
        if estimate(&registers) > estimate(&why.registers) {
            why.registers = registers;
        }
    }
    keep_each_once(&mut why.conversions);
    keep_each_once(&mut why.shared);
    why
}

/// Passes copy operations, to several iterations for instance; each finding is told once.
fn keep_each_once<T: Clone + Eq + std::hash::Hash>(findings: &mut Vec<T>) {
    let mut seen = rustc_hash::FxHashSet::default();
    findings.retain(|finding| seen.insert(finding.clone()));
    findings.truncate(MOST);
}

/// The place of an operation or a value in the source.
fn place(location: Location<'_>) -> Place {
    let known = location.file_line_col();
    known.map_or_else(Place::default, |(file, line, column)| Place { file: file.to_string(), line, column })
}

/// `128x256xf32`.
fn tensor_text(ty: Type<'_>) -> String {
    let shape: Vec<String> = ty.shape().iter().map(i64::to_string).collect();
    match ty.pointee() {
        Some(pointee) => format!("{}x!{pointee}*", shape.join("x")),
        None if shape.is_empty() => ty.to_string(),
        None => format!("{}x{}", shape.join("x"), ty.element()),
    }
}
