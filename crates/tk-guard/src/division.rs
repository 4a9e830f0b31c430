//! The warning for `//` and `%` of a number that can be negative: they truncate, where Python's round down.

use crate::Ranges;
use crate::defs::{Defs, each_op};
use crate::family::is_movement;
use rustc_hash::FxHashSet;
use tk_check::checked::{BinaryOp, Kernel, OpKind, Value};
use tk_diag::{Diagnostic, TRUNCATING_DIVISION};

/// How far a difference is looked for behind the left side.
const MAX_LINKS: u32 = 6;

/// Whether a value is negative because of a difference or a constant in the expression that it is. Ranges alone are too wide to
/// say so: that of a quotient includes divisors which never occur.
fn subtracts(defs: &Defs<'_>, ranges: &Ranges, value: Value, links: u32) -> bool {
    let (Some(op), Some(links)) = (defs.op(value), links.checked_sub(1)) else { return false };
    if ranges.of(value).low >= 0 {
        return false;
    }
    if matches!(op.kind, OpKind::Binary(BinaryOp::SubI) | OpKind::Constant(_)) {
        return true;
    }
    let passes = matches!(op.kind, OpKind::Binary(BinaryOp::AddI | BinaryOp::MulI) | OpKind::Cast(_));
    (passes || is_movement(&op.kind)) && op.operands.iter().any(|operand| subtracts(defs, ranges, *operand, links))
}

/// One warning per place. What loads and arguments hold is taken for natural unless the bounds say otherwise, so a warning
/// means that the kernel itself makes the number negative, by a difference or a negation.
pub(crate) fn warnings(kernel: &Kernel, ranges: &Ranges) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let defs = Defs::new(kernel);
    let mut places = FxHashSet::default();
    each_op(&kernel.body, &mut |op| {
        let OpKind::Binary(binary @ (BinaryOp::DivS | BinaryOp::RemS)) = op.kind else { return };
        let divides = binary == BinaryOp::DivS;
        let symbol = if divides { "//" } else { "%" };
        let (dividend, divisor) = (ranges.of(op.operands[0]), ranges.of(op.operands[1]));
        let whole = crate::bounds::of_type(kernel.ty(op.operands[0]).number().unwrap_or(tk_types::ScalarType::I32));
        // A range that is the whole type is one that nothing is known of, and -1 // 1 is the same under both rules.
        let says_nothing = dividend == whole || dividend.low == i128::from(i32::MIN);
        // A function of the language that divides is not the program's doing.
        let is_written = kernel.file.slice(op.loc.span).contains(symbol);
        let is_exact = divisor.low == divisor.high && divisor.low == 1;
        if dividend.low >= 0
            || says_nothing
            || is_exact
            || !is_written
            || !subtracts(&defs, ranges, op.operands[0], MAX_LINKS)
            || !places.insert(op.loc.span)
        {
            return;
        }
        let (low, by) = (dividend.low, divisor.high.max(1));
        let (here, python) = if divides { (low / by, low.div_euclid(by)) } else { (low % by, low.rem_euclid(by)) };
        let mut warning = Diagnostic::warning(
            TRUNCATING_DIVISION,
            format!("`{symbol}` truncates in a kernel, and its left side can be negative"),
        )
        .at(&kernel.file, op.loc.span, format!("the left side can be {low}"));
        if here != python {
            warning = warning.note(format!("{low} {symbol} {by} is {here} here and {python} in Python"));
        }
        found.push(warning.help(if divides {
            "Add a multiple of the divisor first, so that the left side is never negative, or correct the result with `tl.where`."
        } else {
            "Add the divisor to the result where it is negative: `r = a % b`, then `tl.where(r < 0, r + b, r)`."
        }));
    });
    found
}
