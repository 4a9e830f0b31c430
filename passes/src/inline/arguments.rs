//! What is known of the arguments of functions that stay: what all of their calls say.
//!
//! Code behind a call is compiled for any argument. A pointer that every call knows to be aligned, such as one of the kernel's own, would be
//! read element by element there, since nothing but the attributes of its parameter says so.

use crate::analysis::axis_flow::analyze_without_tensor_hints;
use crate::attributes::DIVISIBILITY;
use rustc_hash::FxHashMap;
use tk_ir::Value;
use tk_ir::ops::{CallOp, FuncOp};

/// The largest divisor that is written down; no access asks for more.
const MOST_DIVISOR: u64 = 1 << 30;

/// Gives the parameters of functions that are called the divisors that all calls know. Functions come before those that they call. A public
/// one is called by programs as well.
pub(super) fn know_arguments(functions: &[FuncOp<'_>]) {
    let mut known: FxHashMap<&str, Vec<u64>> = FxHashMap::default();
    for function in functions {
        if let Some(divisors) = known.remove(function.name()).filter(|_| !function.is_public()) {
            write_down(*function, &divisors);
        }
        let calls: Vec<CallOp<'_>> = function.op.descendants().into_iter().filter_map(CallOp::cast).collect();
        if calls.is_empty() {
            continue;
        }
        let facts = analyze_without_tensor_hints(function.op);
        let divisor_of = |value: Value<'_>| match is_address_or_number(value) {
            true => facts.get(value).overall_divisor().min(MOST_DIVISOR),
            false => 1,
        };
        for call in calls {
            let divisors: Vec<u64> = call.operands().into_iter().map(divisor_of).collect();
            known
                .entry(call.callee())
                .and_modify(|all| all.iter_mut().zip(&divisors).for_each(|(all, one)| *all = (*all).min(*one)))
                .or_insert(divisors);
        }
    }
}

fn is_address_or_number(value: Value<'_>) -> bool {
    value.ty().is_ptr() || value.ty().int_bits().is_some_and(|bits| bits > 1)
}

/// A parameter keeps what is said of it already, where that is more.
fn write_down(function: FuncOp<'_>, divisors: &[u64]) {
    let context = function.op.context();
    for (index, divisor) in divisors.iter().enumerate() {
        let said = function.arg_attr(index, DIVISIBILITY).and_then(|said| said.as_int()).unwrap_or(1);
        if *divisor > said.max(1) as u64 {
            function.set_arg_attr(index, DIVISIBILITY, context.i32_attr(*divisor as i32));
        }
    }
}
