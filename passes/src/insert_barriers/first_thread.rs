//! Loads of one element that are only stored again, as in `tl.store(p, tl.load(p) + x)`.
//!
//! One thread stores an element, and all threads load it. Each load would have to wait at a barrier for the store before it, and the store behind it for
//! the loads of all other threads. Where nothing but the stores of single elements uses what is loaded, the thread that stores is the only one that has
//! to load: it finds what it stored itself, and nobody waits. A load by one thread is predicated, so that it is done where it saves a barrier.

use crate::analysis::global_aliases::parameters_of;
use crate::attributes::FIRST_THREAD;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use rustc_hash::FxHashSet;
use tk_ir::ops::LoadOp;
use tk_ir::{Op, Type, Value};

/// Operations behind a load that are looked at.
const MOST_OPERATIONS: usize = 64;

/// Such loads, where single elements are stored through their parameter.
pub(super) fn loads_to_store(function: Op<'_>) -> Vec<Op<'_>> {
    let ops = function.descendants();
    let stores: Vec<Op<'_>> = ops.iter().copied().filter(|op| is_store_of_one(*op)).collect();
    let may_meet = |load: &Op<'_>| stores.iter().any(|store| share_parameter(load.operand(0), store.operand(0)));
    let is_wanted = |op: &Op<'_>| is_load_of_one(*op) && is_only_stored(op.result(0));
    ops.into_iter().filter(is_wanted).filter(may_meet).collect()
}

pub(super) fn leave_to_first_thread(loads: &[Op<'_>]) {
    loads.iter().for_each(|load| load.set_attr(FIRST_THREAD, load.context().unit_attr()));
}

pub(super) fn leave_to_all(loads: &[Op<'_>]) {
    for load in loads {
        load.remove_attr(FIRST_THREAD);
    }
}

/// Both pointers may be of one parameter.
fn share_parameter(a: Value<'_>, b: Value<'_>) -> bool {
    match (parameters_of(a), parameters_of(b)) {
        (Some(a), Some(b)) => a.iter().any(|parameter| b.contains(parameter)),
        _ => true,
    }
}

/// Only the first thread makes this access.
pub(super) fn is_of_first_thread(op: Op<'_>) -> bool {
    is_store_of_one(op) || op.attr(FIRST_THREAD).is_some()
}

fn is_of_one(op: Op<'_>, access: Access) -> bool {
    global_memory(op.kind()) == GlobalMemory::Pointers(access) && !op.operand(0).ty().is_tensor()
}

fn is_store_of_one(op: Op<'_>) -> bool {
    is_of_one(op, Access::Write)
}

/// What the program says of order and caches stays as it is.
fn is_load_of_one(op: Op<'_>) -> bool {
    is_of_one(op, Access::Read) && LoadOp::cast(op).is_some_and(|load| !load.is_volatile())
}

/// Arithmetic on single values leads to stores of single elements, and to nothing else.
fn is_only_stored(loaded: Value<'_>) -> bool {
    let (mut pending, mut seen) = (vec![loaded], FxHashSet::default());
    while let Some(value) = pending.pop() {
        for (user, _) in value.users() {
            if is_store_of_one(user) || !seen.insert(user.id()) {
                continue;
            }
            let is_arithmetic = user.is_memory_effect_free() && user.num_regions() == 0 && !user.is_terminator();
            let gives_numbers = user.results().iter().all(|result| is_number(result.ty()));
            if !is_arithmetic || !gives_numbers || seen.len() > MOST_OPERATIONS {
                return false;
            }
            pending.extend(user.results());
        }
    }
    !seen.is_empty() || loaded.has_uses()
}

fn is_number(ty: Type<'_>) -> bool {
    ty.is_int() || ty.is_float() || ty.is_ptr()
}
