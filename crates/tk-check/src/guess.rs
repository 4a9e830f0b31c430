//! Plausible launches of a kernel whose signature nobody gave: which parameters are pointers, and values for the rest.
//!
//! A guess comes from how the body uses a parameter (what is added to an address is an integer, what is loaded through is a
//! pointer) and from how people name things. A kernel that checks under one guess is right for at least that launch; one
//! that checks under none may be wrong, or needs a launch that nobody guessed.

mod blocks;
mod uses;
mod values;
mod walk;

use crate::signature::configurations;
use blocks::Blocks;
use std::collections::{HashMap, HashSet};
use tk_grammar::ast::{ExprKind, FunctionDef, Module, ParamKind};
use tk_types::{ArgSpec, ArgType, CompileOptions, ConstValue, DescriptorType, ScalarType};
use uses::{UsesOf, integers_of};
use values::{constants, is_constexpr, run_time};
use walk::Walk;

/// The jit functions that are launched rather than called: they return nothing and no other jit function of the file calls them.
pub fn kernels(module: &Module) -> Vec<&FunctionDef> {
    let functions: Vec<(&FunctionDef, Walk<'_>)> =
        module.functions().filter(|function| function.is_jit()).map(|one| (one, Walk::of(&one.body))).collect();
    let mut callers: HashMap<&str, HashSet<&str>> = HashMap::new();
    for (caller, walk) in &functions {
        walk.called.iter().for_each(|called| {
            callers.entry(called).or_default().insert(&caller.name.text);
        });
    }
    let mut uses = UsesOf::new(module);
    let is_launched = |(function, walk): &(&FunctionDef, Walk<'_>)| {
        let name = function.name.text.as_str();
        let called = callers.get(name).is_some_and(|callers| callers.iter().any(|caller| *caller != name));
        !walk.returns_value && !function.params.is_empty() && !called
    };
    let launched = functions.iter().filter(|function| is_launched(function)).map(|(function, _)| *function);
    launched.filter(|function| uses.function(function).touches_memory()).collect()
}

/// A signature and constexprs; each attempt is another one.
pub fn launch(module: &Module, function: &FunctionDef, attempt: u64) -> (Vec<ArgSpec>, Vec<(String, ConstValue)>) {
    let uses = UsesOf::new(module).function(function);
    let integers = integers_of(function, &uses.pointers);
    let tuned = configurations(module, &function.name.text, &CompileOptions::default());
    let tuned = tuned.into_iter().next().map(|config| config.constexprs).unwrap_or_default();
    let mut dice = Dice(attempt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let element = element(attempt);
    let (mut specs, mut constexprs, mut descriptors) = (Vec::new(), Vec::new(), Vec::new());
    for param in &function.params {
        let name = param.name.text.as_str();
        if matches!(param.kind, ParamKind::VarArgs | ParamKind::KeywordArgs) {
            continue;
        }
        if tuned.iter().any(|(known, _)| known == name) {
            continue;
        }
        let constexpr = param.annotation.as_ref().is_some_and(is_constexpr);
        if !constexpr {
            let none = matches!(param.default.as_ref().map(|d| &d.kind), Some(ExprKind::None));
            if none && dice.choose(attempt, 2) == 0 {
                constexprs.push((name.to_string(), ConstValue::None));
                continue;
            }
            if let (Some(rank), false) = (uses.descriptors.get(name), uses.pointers.contains(name)) {
                descriptors.push((specs.len(), name, *rank));
            }
            let ty = run_time(name, param.annotation.as_ref(), (&uses, &integers), element);
            specs.push(ArgSpec { ty, divisible_by_16: false });
            continue;
        }
        let candidates = match uses.flags.contains(name) {
            true => vec![Some(ConstValue::Bool(false)), Some(ConstValue::Bool(true))],
            false => constants(name, param.default.as_ref()),
        };
        let at = dice.choose(attempt, candidates.len() as u64) as usize;
        if let Some(value) = &candidates[at] {
            constexprs.push((name.to_string(), value.clone()));
        }
    }
    if !descriptors.is_empty() {
        let (blocks, known) = (Blocks::of(module), [&tuned[..], &constexprs].concat());
        for (at, name, rank) in descriptors {
            let block = blocks.block(name, rank, &known);
            specs[at].ty = ArgType::Descriptor(DescriptorType { element, block, pad_nan: false, ragged: false });
        }
    }
    (specs, constexprs)
}

/// What tensors are made of that nothing is known of: floats first, later integers too.
fn element(attempt: u64) -> ScalarType {
    match attempt {
        6 | 7 => ScalarType::I8,
        _ => [ScalarType::F16, ScalarType::F32, ScalarType::BF16][(attempt % 3) as usize],
    }
}

/// A small deterministic generator (splitmix64).
struct Dice(u64);

impl Dice {
    /// The first choice in the first attempts, a random one later.
    fn choose(&mut self, attempt: u64, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        match attempt {
            0..=2 | 6 => 0,
            3..=5 | 7 => 1.min(count.saturating_sub(1)),
            _ => z % count.max(1),
        }
    }
}
