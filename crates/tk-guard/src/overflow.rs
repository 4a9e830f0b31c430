//! The warning for 32-bit arithmetic that can overflow on its way to an address, with the ranges that prove it.

use crate::bounds::of_type;
use crate::defs::{Defs, each_op};
use crate::family::is_movement;
use crate::{Bounds, Interval, Ranges, UnknownSizes};
use rustc_hash::FxHashSet;
use tk_check::checked::{CastKind, Kernel, Literal, Op, OpKind, Value};
use tk_diag::{Diagnostic, INT32_OFFSET};

/// Most causes told of one kernel: the first ones are enough to act on.
const MAX_CAUSES: usize = 4;
/// Longest piece of source text that stands for a value without a name.
const MAX_TEXT: usize = 40;

/// One warning per place where a 32-bit offset can first overflow, in source order.
pub fn overflow_warnings(kernel: &Kernel, ranges: &Ranges, bounds: &Bounds) -> Vec<Diagnostic> {
    let defs = Defs::new(kernel);
    let slice = defs.address_slice(kernel);
    let mut causes: Vec<&Op> = Vec::new();
    let mut places = FxHashSet::default();
    each_op(&kernel.body, &mut |op| {
        let Some(result) = op.results.first() else { return };
        // What a guess takes for bytes need not be any.
        let least = if bounds.unknown_sizes == UnknownSizes::Realistic { 32 } else { 1 };
        let number = kernel.ty(*result).number();
        let is_signed = number.is_some_and(|scalar| scalar.is_signed_int() && scalar.bits() >= least);
        let is_cause = ranges.overflow(*result).is_some_and(|overflow| overflow.is_cause);
        // A sum inside a function of the language is not the program's doing.
        let is_written = kernel.file.slice(op.loc.span).contains(['+', '-', '*', '<']);
        if is_signed && is_cause && is_written && slice.contains(result) && places.insert((op.loc.span, op.loc.call)) {
            causes.push(op);
        }
    });
    // What is only assumed deserves one word per kernel.
    let is_assumed = bounds.unknown_sizes == UnknownSizes::Realistic && bounds.args.is_empty();
    let most = if is_assumed { 1 } else { MAX_CAUSES };
    let hidden = causes.len().saturating_sub(most);
    let teller = Teller { kernel, ranges, bounds, defs };
    let mut told: Vec<Diagnostic> = causes.iter().take(most).map(|op| teller.warning(op)).collect();
    if let Some(last) = told.last_mut().filter(|_| hidden > 0) {
        let more = if hidden == 1 { "one more expression".to_string() } else { format!("{hidden} more expressions") };
        last.notes.push(format!("{more} of `{}` can overflow", kernel.name));
    }
    told
}

struct Teller<'k> {
    kernel: &'k Kernel,
    ranges: &'k Ranges,
    bounds: &'k Bounds,
    defs: Defs<'k>,
}

impl Teller<'_> {
    fn warning(&self, op: &Op) -> Diagnostic {
        let result = op.results[0];
        let exact = self.ranges.overflow(result).map_or(Interval::of(0), |overflow| overflow.exact);
        let scalar = self.kernel.ty(result).number().map_or("int32", |scalar| scalar.tl_name());
        let range = self.kernel.ty(result).number().map_or(Interval::of(0), of_type);
        let file = &self.kernel.file;
        let text = file.slice(op.loc.span);
        let what = if text.is_empty() || text.len() > MAX_TEXT || text.contains('\n') {
            "this offset".into()
        } else {
            format!("`{text}`")
        };
        let (reach, limit) = if exact.high > range.high { (exact.high, range.high) } else { (exact.low, range.low) };
        let label = format!("can reach {reach}; {scalar} ends at {limit}");
        let mut warning = Diagnostic::warning(
            INT32_OFFSET,
            format!("{what} can overflow {scalar} before it becomes an address"),
        )
        .at(file, op.loc.span, label);
        let mut call = op.loc.call;
        while let Some(site) = call.and_then(|index| self.kernel.call_sites.get(index as usize)) {
            warning = warning.at(file, site.span, "in this call");
            call = site.call;
        }
        for operand in &op.operands {
            if let Some((name, reason)) = self.because(*operand) {
                warning = warning.note(format!("{name} is {}{reason}", self.ranges.of(*operand)));
            }
        }
        warning.help(format!(
            "Cast an operand with `.to(tl.int64)` before this operation, or let --index-width auto do it. If the sizes stay small, say so with `# tk: allow({})`.",
            INT32_OFFSET.slug
        ))
    }

    /// A name for an operand, and where its range comes from; nothing for constants and for ranges of tensors.
    fn because(&self, value: Value) -> Option<(String, String)> {
        let (source, op) = self.source(value);
        let named = self.kernel.values[value.0 as usize].name.as_deref();
        let name = named.or(self.kernel.values[source.0 as usize].name.as_deref());
        let grid = |axis: u32| {
            let size = self.bounds.grid[(axis as usize).min(2)];
            let (low, high) = (size.low, size.high);
            if low == high {
                format!("the grid has {high} programs along axis {axis}")
            } else {
                format!("a grid of up to {high} programs")
            }
        };
        let kind = op.map(|op| &op.kind);
        if let Some(OpKind::Constant(Literal::Int(_)) | OpKind::MakeRange { .. }) = kind {
            return None;
        }
        let is_param = self.kernel.params.iter().any(|param| param.value == source);
        let reason = if let Some(OpKind::ProgramId { axis } | OpKind::NumPrograms { axis }) = kind {
            format!(": {}", grid(*axis))
        } else if is_param && name.is_some_and(|name| self.bounds.known(name).is_none()) {
            " as assumed".to_string()
        } else if is_param {
            format!(" {}", self.bounds.source)
        } else {
            String::new()
        };
        let text = op
            .map(|op| self.kernel.file.slice(op.loc.span))
            .filter(|text| !text.is_empty() && text.len() <= MAX_TEXT && !text.contains('\n'));
        Some((format!("`{}`", name.or(text)?), reason))
    }

    /// The value behind changes of shape and width, and its op.
    fn source(&self, mut value: Value) -> (Value, Option<&Op>) {
        while let Some(op) = self.defs.op(value) {
            let passes = is_movement(&op.kind) || matches!(op.kind, OpKind::Cast(CastKind::ExtS | CastKind::ExtU));
            match op.operands.first() {
                Some(operand) if passes && op.operands.len() == 1 => value = *operand,
                _ => return (value, Some(op)),
            }
        }
        (value, None)
    }
}
