//! Merges loop-carried values that are always the same.
//!
//! When a value is needed in two layouts, `remove-layout-conversions` lets a loop carry it twice; if the two layouts become one later, the loop
//! computes and keeps everything twice. Ordinary elimination of common subexpressions does not see that: the two differ as long as they come from
//! different carried values, and the carried values differ as long as what is yielded differs.
//!
//! So equality is assumed first and then refuted. Carried values that start equal form a class. Under the assumption that classes hold,
//! the operations of the body are numbered; members of a class whose yielded values have different numbers part; until nothing parts.
//!
//! 1. Classes.  2. Refine.  3. Members of a class become its first.

use crate::control_flow::{loops_of, remove_dead};
use crate::{Pass, PassContext};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use tk_diag::Result;
use tk_ir::ops::ForOp;
use tk_ir::{Module, Op, Value};

/// The pass.
pub const PASS: Pass = Pass { name: "loop-aware-cse", summary: "merge loop-carried values that are always equal", run };

fn run(module: &Module<'_>, _: &PassContext) -> Result<()> {
    for function in module.functions() {
        let merged = inner_first(function).into_iter().map(|view| merge(view, &classes(view))).sum::<usize>();
        if merged > 0 {
            remove_dead(function);
            module.run_mlir_passes("cse")?;
        }
    }
    Ok(())
}

/// The loops in the order in which they end: what one merges lets those around and behind it merge.
fn inner_first(function: Op<'_>) -> Vec<ForOp<'_>> {
    let (mut order, mut open): (Vec<ForOp<'_>>, Vec<ForOp<'_>>) = (Vec::new(), Vec::new());
    for view in loops_of(function) {
        while let Some(ended) = open.pop_if(|outer| !outer.op.contains(view.op)) {
            order.push(ended);
        }
        open.push(view);
    }
    order.extend(open.into_iter().rev());
    order
}

/// For each carried value, the first one that is always equal to it.
fn classes(view: ForOp<'_>) -> Vec<usize> {
    let arguments = view.iter_args();
    let yielded = view.yielded();
    let inits = view.init_args();
    let mut class = firsts(inits.iter().zip(&arguments).map(|(init, argument)| (init.id(), argument.ty().id())));
    while has_company(&class) {
        let numbers = number(view, &class);
        let of = |value: &Value<'_>| numbers.get(&value.id()).copied().unwrap_or(value.id());
        let refined = firsts(class.iter().zip(&yielded).map(|(class, next)| (*class, of(next))));
        if refined == class {
            break;
        }
        class = refined;
    }
    class
}

fn has_company(class: &[usize]) -> bool {
    class.iter().enumerate().any(|(index, first)| index != *first)
}

/// For each key, where it occurs first.
fn firsts<K: Eq + Hash>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut seen = FxHashMap::default();
    keys.enumerate().map(|(index, key)| *seen.entry(key).or_insert(index)).collect()
}

/// What an operation computes; types and attributes by their identities.
#[derive(PartialEq, Eq, Hash)]
struct Expression<'c> {
    name: &'c str,
    /// The numbers of its operands.
    operands: Vec<usize>,
    types: Vec<usize>,
    attributes: Vec<(&'c str, usize)>,
}

/// A number for every value that operations of the body make or are given; equal numbers are equal values if the classes hold. Values
/// from outside have their identities, which are addresses, and so no small numbers.
fn number(view: ForOp<'_>, class: &[usize]) -> FxHashMap<usize, usize> {
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let mut known: FxHashMap<Expression<'_>, usize> = FxHashMap::default();
    let arguments = view.iter_args();
    for (argument, first) in arguments.iter().zip(class) {
        numbers.insert(argument.id(), arguments[*first].id());
    }
    let mut next = 0;
    for op in view.body().ops().into_iter().filter(|op| op.num_regions() == 0 && op.is_memory_effect_free()) {
        let operands = op.operands().into_iter().map(|value| numbers.get(&value.id()).copied().unwrap_or(value.id()));
        let expression = Expression {
            name: op.name(),
            operands: operands.collect(),
            types: op.results().into_iter().map(|result| result.ty().id()).collect(),
            attributes: op.attrs().into_iter().map(|(name, value)| (name, value.id())).collect(),
        };
        let first = *known.entry(expression).or_insert(next);
        let results = op.results();
        next += if first == next { results.len() } else { 0 };
        numbers.extend(results.into_iter().enumerate().map(|(index, result)| (result.id(), first + index)));
    }
    numbers
}

/// Lets the members of each class be its first one; how many there were.
fn merge(view: ForOp<'_>, class: &[usize]) -> usize {
    let (arguments, results) = (view.iter_args(), view.results());
    let members = class.iter().enumerate().filter(|(index, first)| index != *first);
    let mut merged = 0;
    for (index, &first) in members {
        arguments[index].replace_all_uses_with(arguments[first]);
        results[index].replace_all_uses_with(results[first]);
        merged += 1;
    }
    merged
}
