//! What a function does with its parameters, through the functions it calls.

use crate::places::{self, Asked};
use crate::tuples::Taken;
use crate::walk::{Assignment, Call, DescriptorUse, Walk, bases, names_in, offsets};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use tk_grammar::ast::{Argument, Expr, ExprKind, FunctionDef, Module};

/// Calls inside calls that are looked into.
const DEPTH: usize = 6;

/// What parameters are used for.
#[derive(Default)]
pub(crate) struct Uses {
    /// Those whose values reach the address of an access.
    pub(crate) pointers: HashSet<String>,
    /// Those through which addresses are loaded.
    pub(crate) tables: HashSet<String>,
    /// Those that are tested as they are: `if FLAG`.
    pub(crate) flags: HashSet<String>,
    /// Tensor descriptors.
    pub(crate) descriptors: HashMap<String, DescriptorUse>,
    /// Of those, the ones that old programs pass as pointers to descriptors.
    pub(crate) described: HashSet<String>,
    /// Tuples, and how they are taken apart.
    pub(crate) tuples: HashMap<String, Taken>,
    /// Those that atomic operations go through.
    pub(crate) atomics: HashSet<String>,
    /// Pointers to bytes.
    pub(crate) bytes: HashSet<String>,
    /// What the places where they stand ask of them.
    pub(crate) places: Vec<Asked>,
}

/// The uses in the functions of one file, each found once.
pub(crate) struct UsesOf<'m> {
    module: &'m Module,
    known: HashMap<(&'m str, usize), Rc<Uses>>,
}

impl<'m> UsesOf<'m> {
    pub(crate) fn new(module: &'m Module) -> Self {
        Self { module, known: HashMap::new() }
    }

    /// Of the parameters of one function.
    pub(crate) fn function(&mut self, function: &'m FunctionDef) -> Rc<Uses> {
        self.at_depth(function, 0)
    }

    fn at_depth(&mut self, function: &'m FunctionDef, depth: usize) -> Rc<Uses> {
        let key = (function.name.text.as_str(), depth);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let walk = Walk::of(&function.body);
        let Walk { pointers, tables, flags, descriptors, described, tuples, atomics, mut places, .. } = walk;
        let params: HashSet<&str> = function.params.iter().map(|param| param.name.text.as_str()).collect();
        places.extend(places::called(&walk.calls, &params));
        let bytes = sources_of(&walk.scales, &walk.assigned);
        let mut uses = Uses { pointers, tables, flags, descriptors, described, tuples, atomics, bytes, places };
        // What is indexed and is no address, and whose length is asked for, is a tuple of numbers; so is every parameter that is indexed.
        let is_given = |name: &str| params.contains(name) && walk.assigned.iter().all(|one| one.name != name);
        let is_tuple = |name: &str| walk.measured.contains(name) || is_given(name);
        for (name, count) in walk.indexed.iter().filter(|(name, _)| is_tuple(name)) {
            let parts = (0..*count).map(|_| Taken::Part(name.clone())).collect();
            uses.tuples.entry(name.clone()).or_insert(Taken::Parts(parts));
        }
        let is_followed = |call: &&Call<'_>| depth < DEPTH && call.function != function.name.text;
        for call in walk.calls.iter().filter(is_followed) {
            let Some(callee) = self.module.function(&call.function).filter(|callee| callee.is_jit()) else { continue };
            let inner = self.at_depth(callee, depth + 1);
            for (i, arg) in call.args.iter().enumerate() {
                match arg {
                    Argument::Positional(value) => {
                        if let Some(param) = callee.params.get(i) {
                            uses.pass(&inner, &param.name.text, value);
                        }
                    }
                    Argument::Keyword(name, value) => uses.pass(&inner, &name.text, value),
                    Argument::Star(_) | Argument::DoubleStar(_) => {}
                }
            }
        }
        for names in [&mut uses.pointers, &mut uses.tables, &mut uses.atomics] {
            close(names, &walk.assigned);
        }
        // A descriptor that is given another name.
        for Assignment { name, value } in walk.assigned.iter().rev() {
            if let (Some(used), ExprKind::Name(source)) = (uses.descriptors.get(name).copied(), &value.kind) {
                uses.descriptors.entry(source.clone()).or_insert(used);
            }
        }
        let uses = Rc::new(uses);
        self.known.insert(key, uses.clone());
        uses
    }
}

impl Uses {
    /// The function does something that can be seen from outside.
    pub(crate) fn touches_memory(&self) -> bool {
        !self.pointers.is_empty() || !self.descriptors.is_empty()
    }

    /// `value` is passed as `param` of a function with these uses.
    fn pass(&mut self, callee: &Uses, param: &str, value: &Expr) {
        if callee.pointers.contains(param) {
            bases(value, &mut self.pointers);
        }
        if callee.tables.contains(param) {
            bases(value, &mut self.tables);
        }
        if callee.atomics.contains(param) {
            bases(value, &mut self.atomics);
        }
        if let ExprKind::Name(name) = &value.kind {
            self.flags.extend(callee.flags.contains(param).then(|| name.clone()));
            self.descriptors.extend(callee.descriptors.get(param).map(|used| (name.clone(), *used)));
            self.tuples.extend(callee.tuples.get(param).map(|taken| (name.clone(), taken.clone())));
            let asked = callee.places.iter().filter(|asked| asked.name == param);
            self.places.extend(asked.map(|asked| Asked { name: name.clone(), place: asked.place.clone() }));
        }
    }
}

/// Adds what the names are assigned from.
fn close(names: &mut HashSet<String>, assigned: &[Assignment<'_>]) {
    loop {
        let before = names.len();
        for Assignment { name, value } in assigned {
            if names.contains(name) {
                bases(value, names);
            }
        }
        if names.len() == before {
            return;
        }
    }
}

/// The names that expressions are computed from; of what is loaded, the pointer.
fn sources_of(exprs: &[&Expr], assigned: &[Assignment<'_>]) -> HashSet<String> {
    let mut names = HashSet::new();
    exprs.iter().for_each(|expr| names_in(expr, &mut names));
    for Assignment { name, value } in assigned.iter().rev() {
        if names.contains(name) {
            names_in(value, &mut names);
        }
    }
    names
}

/// Names that are used as integers: in offsets of addresses, bounds of ranges, and integer operators; and pointers whose loads are.
pub(crate) fn integers_of(function: &FunctionDef, pointers: &HashSet<String>) -> HashSet<String> {
    let walk = Walk::of(&function.body);
    let mut integers = HashSet::new();
    for expr in &walk.integral {
        names_in(expr, &mut integers);
    }
    for expr in walk.addresses.iter().copied() {
        offsets(expr, pointers, &mut integers);
    }
    for assignment in walk.assigned.iter().filter(|assignment| pointers.contains(&assignment.name)) {
        offsets(assignment.value, pointers, &mut integers);
    }
    loop {
        let before = integers.len();
        for assignment in walk.assigned.iter().filter(|assignment| !pointers.contains(&assignment.name)) {
            if integers.contains(&assignment.name) {
                names_in(assignment.value, &mut integers);
            }
        }
        if integers.len() == before {
            return integers;
        }
    }
}
