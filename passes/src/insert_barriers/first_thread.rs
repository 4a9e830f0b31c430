//! Loads of single elements that only the first thread needs.
//!
//! A single element is stored by the first thread. Where all that comes from a load are such stores, as in a count or a running sum that a program
//! keeps in memory, the other threads need not load it, and nobody has to wait: the first thread finds what it stored itself.
//!
//! True for loads of single elements from a parameter through which single elements are stored, whose values reach nothing but such stores: no
//! tensor, no condition of a branch or a loop, no address of another load.

use super::global_memory::is_of_first_thread;
use crate::analysis::global_aliases::parameters_of;
use crate::attributes::FIRST_THREAD;
use crate::control_flow::flows_into;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use rustc_hash::FxHashSet;
use tk_ir::{Op, Value};

/// Operations behind a load that are looked at.
const MOST_USERS: usize = 64;

/// Marks the loads of a function.
pub(super) fn mark(function: Op<'_>) {
    let ops = function.descendants();
    let is = |access: Access| move |op: &&Op<'_>| global_memory(op.kind()) == GlobalMemory::Pointers(access);
    let is_single = |op: &&Op<'_>| !op.operand(0).ty().is_tensor();
    let stored: Vec<Option<_>> =
        ops.iter().filter(is(Access::Write)).filter(is_single).map(|op| parameters_of(op.operand(0))).collect();
    let is_stored = |load: &Op<'_>| {
        let read = parameters_of(load.operand(0));
        stored.iter().any(|written| match (written, &read) {
            (Some(written), Some(read)) => written.iter().any(|parameter| read.contains(parameter)),
            (Some(_) | None, Some(_) | None) => true,
        })
    };
    let loads = ops.iter().filter(is(Access::Read)).filter(is_single).filter(|load| is_stored(load));
    for load in loads.filter(|load| only_reaches_single_stores(load.result(0))).copied().collect::<Vec<_>>() {
        load.set_attr(FIRST_THREAD, load.context().unit_attr());
    }
}

fn only_reaches_single_stores(value: Value<'_>) -> bool {
    let (mut pending, mut seen) = (vec![value], FxHashSet::default());
    while let Some(value) = pending.pop() {
        if !seen.insert(value.id()) {
            continue;
        }
        for (user, operand) in value.users() {
            let flows = flows_into(user, operand);
            let is_number = user.is_pure() && user.num_regions() == 0 && user.results().iter().all(is_single_number);
            if !flows.is_empty() {
                pending.extend(flows);
            } else if is_number && !user.is_terminator() {
                pending.extend(user.results());
            } else if !(is_of_first_thread(user) && global_memory(user.kind()) == GlobalMemory::Pointers(Access::Write))
            {
                return false;
            }
        }
        if seen.len() > MOST_USERS {
            return false;
        }
    }
    true
}

fn is_single_number(value: &Value<'_>) -> bool {
    let ty = value.ty();
    !ty.is_tensor() && (ty.is_int_like() || ty.is_float_like() || ty.is_ptr_like())
}
