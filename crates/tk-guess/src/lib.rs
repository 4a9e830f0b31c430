//! Plausible launches of a kernel without a signature: which parameters are pointers, and values for the rest.
//!
//! A launch in the host code of the file is the best source. Where there is none, or it says too little, a guess comes from
//! how the body uses a parameter (what is added to an address is an integer, what is loaded through is a pointer, what is
//! called is a function) and from how people name things. A kernel that checks under one guess is right for at least that
//! launch; one that checks under none may be wrong, or needs a launch that was not guessed.

mod arithmetic;
mod behind;
mod blocks;
mod faults;
mod host;
mod known;
mod launches;
mod places;
mod statements;
mod tensors;
mod tuples;
mod uses;
mod values;
mod walk;

pub use behind::{Behind, Question, behind, callee, is_attribute, is_bound_around, is_tuple, is_value};
pub use launches::{Given, Said, Sizes};
pub use statements::statement_end;

use blocks::Blocks;
use known::{Known, Tensor};
use launches::Launches;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, HashSet};
use tk_check::{bind_signature, configurations};
use tk_diag::{Diagnostic, Span};
use tk_grammar::ast::{ExprKind, FunctionDef, Module, Param, ParamKind, Stmt, StmtKind};
use tk_types::{ArgSpec, ArgType, Argument, CompileOptions, ConstValue, DescriptorType, NamedConstant, ScalarType};
use uses::{Uses, UsesOf, integers_of};
use values::{Constants, Evidence, may_name_a_type, run_time};
use walk::Walk;

/// The attempt in which every size that is guessed is another one, so that shapes go together by right and not by chance.
pub const DISTINCT: u64 = u64::MAX;
/// The sizes of that attempt.
const SIZES: [i128; 6] = [64, 32, 128, 16, 256, 512];

/// The jit functions of a file; of two with one name the one that the name means in the end.
fn jit_functions(module: &Module) -> Vec<&FunctionDef> {
    let functions: Vec<&FunctionDef> = module.functions().filter(|function| function.is_jit()).collect();
    let mut meant: HashMap<&str, Option<Span>> = HashMap::new();
    for one in &functions {
        let name = one.name.text.as_str();
        meant.entry(name).or_insert_with(|| module.function(name).map(|function| function.span));
    }
    functions.into_iter().filter(|one| meant.get(one.name.text.as_str()) == Some(&Some(one.span))).collect()
}

/// The jit functions that are launched rather than called: the file launches them, or they return nothing, touch memory and no other
/// jit function of the file calls them.
pub fn kernels(module: &Module) -> Vec<&FunctionDef> {
    let functions: Vec<(&FunctionDef, Walk<'_>)> =
        jit_functions(module).into_iter().map(|one| (one, Walk::of(&one.body))).collect();
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
        !walk.returns_value && !function.params.is_empty() && !called && !walk.takes_blocks(function)
    };
    let launched = functions.iter().filter(|function| is_launched(function)).map(|(function, _)| *function);
    launched.filter(|function| uses.function(function).touches_memory()).collect()
}

/// The jit functions that are no kernels and that no other jit function of the file calls: other files call them, or a decorator
/// makes kernels of them.
pub fn functions(module: &Module) -> Vec<&FunctionDef> {
    let known = kernels(module);
    let functions = jit_functions(module);
    let called: HashSet<String> = functions
        .iter()
        .flat_map(|caller| {
            let walk = Walk::of(&caller.body);
            walk.called
                .iter()
                .filter(|name| **name != caller.name.text)
                .map(|name| name.to_string())
                .collect::<Vec<_>>()
        })
        .collect();
    let is_kernel = |function: &FunctionDef| known.iter().any(|kernel| kernel.name.text == function.name.text);
    functions.into_iter().filter(|one| !is_kernel(one) && !called.contains(&one.name.text)).collect()
}

/// Whether some jit function of the file assigns to this name before this place: whether it is there can depend on constants.
pub fn assigns_before(module: &Module, name: &str, place: u32) -> bool {
    let functions = module.functions().filter(|function| function.is_jit());
    let mut walks = functions.into_iter().map(|function| Walk::of(&function.body));
    walks.any(|walk| walk.assigned.iter().any(|one| one.name == name && one.value.span.start < place))
}

/// The names that a function assigns.
pub fn assigned_in(function: &FunctionDef) -> Vec<&str> {
    behind::assigned_in(&function.body)
}

/// Visits the names that the top of a file binds with an annotation, such as `tl.constexpr`.
pub fn annotated<'m>(body: &'m [Stmt], visit: &mut dyn FnMut(&'m str)) {
    for stmt in body {
        if let StmtKind::AnnAssign { target, .. } = &stmt.kind
            && let ExprKind::Name(name) = &target.kind
        {
            visit(name);
        }
        stmt.kind.blocks().into_iter().for_each(|block| annotated(block, visit));
    }
}

/// The guesses for the kernels of one file.
pub struct Guesses<'m> {
    module: &'m Module,
    launches: Launches,
}

impl<'m> Guesses<'m> {
    /// Those for a file.
    pub fn of(module: &'m Module) -> Self {
        Self { module, launches: Launches::of(module) }
    }

    /// The launches in the file that say every constexpr of a kernel: it has to be right in each.
    pub fn complete(&self, function: &FunctionDef) -> Vec<&Given> {
        let tuned = tuned(self.module, function);
        let has_value = |name: &str| tuned.iter().any(|known| known.name == name);
        let launches = self.launches.of_kernel(&function.name.text);
        launches.iter().filter(|given| given.is_complete(self.module, function, &has_value)).collect()
    }

    /// The launches in the file that leave some constexpr open.
    pub fn partial(&self, function: &FunctionDef) -> Vec<&Given> {
        let complete = self.complete(function);
        self.launches.of_kernel(&function.name.text).iter().filter(|given| !complete.contains(given)).collect()
    }

    /// Launches and descriptors in the host code that cannot work, as warnings; several times where the code is walked several times.
    pub fn faults(&self) -> &[Diagnostic] {
        &self.launches.faults
    }

    /// Whether a guess says what a parameter is: no launch does, and no annotation, default or configuration.
    pub fn is_open(&self, function: &FunctionDef, given: Option<&Given>, name: &str) -> bool {
        let Some(index) = function.params.iter().position(|param| param.name.text == name) else { return false };
        let param = &function.params[index];
        let is_constexpr = self.module.is_constexpr_param(param);
        let has_value = param.default.as_ref().is_some_and(|default| !matches!(default.kind, ExprKind::None));
        let is_known = match is_constexpr {
            true => has_value || tuned(self.module, function).iter().any(|known| known.name == name),
            false => param.annotation.as_ref().is_some_and(may_name_a_type),
        };
        !is_known && given.is_none_or(|given| given.says(index) != Said::Everything)
    }

    /// Whether a function takes an instance of a class, which no launch passes: only other functions call it.
    pub fn takes_an_instance(&self, function: &FunctionDef) -> bool {
        let is_class = |name: String| {
            let last = name.rsplit('.').next().unwrap_or_default().to_string();
            last.starts_with(char::is_uppercase) && !["Tensor", "TensorDescriptor", "Any"].contains(&last.as_str())
        };
        let annotations = function.params.iter().filter_map(|param| param.annotation.as_ref());
        annotations.filter_map(|annotation| annotation.dotted_name()).any(is_class)
    }

    /// Whether a parameter is what old programs passed as a pointer to a descriptor, and which nothing takes any more.
    pub fn is_described(&self, function: &FunctionDef, name: &str) -> bool {
        UsesOf::new(self.module).function(function).described.contains(name)
    }

    /// Arguments for a kernel: what a launch gives, and guesses for the rest. Each attempt is another guess.
    ///
    /// # Errors
    /// Those of binding the arguments to the parameters.
    pub fn arguments(
        &self,
        function: &FunctionDef,
        given: Option<&Given>,
        attempt: u64,
    ) -> Result<Vec<Argument>, Vec<Diagnostic>> {
        let tuned = tuned(self.module, function);
        let uses = UsesOf::new(self.module).function(function);
        let integers = integers_of(function, &uses.pointers);
        let mut guess = Guess {
            module: self.module,
            uses: &uses,
            integers: &integers,
            attempt,
            dice: Dice(ChaCha8Rng::seed_from_u64(attempt)),
            element: element(attempt),
            specs: Vec::new(),
            constexprs: Vec::new(),
            tuples: Vec::new(),
            descriptors: Vec::new(),
            sizes: SIZES.iter().cycle(),
        };
        for (index, param) in function.params.iter().enumerate() {
            let packed = matches!(param.kind, ParamKind::VarArgs | ParamKind::KeywordArgs);
            if !packed && tuned.iter().all(|known| known.name != param.name.text) {
                let known = given.and_then(|given| given.values.get(index)).unwrap_or(&Known::Unknown);
                guess.parameter(param, known);
            }
        }
        guess.blocks(function, &tuned);
        let bound = bind_signature(self.module, function.known_as(), Some(&guess.specs), &guess.constexprs)?;
        Ok(tuples::unpacked(bound, &guess.tuples))
    }
}

/// The constexprs of the first configuration of an autotuned kernel.
fn tuned(module: &Module, function: &FunctionDef) -> Vec<NamedConstant> {
    let configurations = configurations(module, function.known_as(), &CompileOptions::default());
    configurations.into_iter().next().map(|config| config.constexprs).unwrap_or_default()
}

/// A guess that is being made, parameter by parameter.
struct Guess<'g, 'm> {
    module: &'m Module,
    uses: &'g Uses,
    integers: &'g HashSet<String>,
    attempt: u64,
    dice: Dice,
    /// What tensors are made of that nothing is known of.
    element: ScalarType,
    specs: Vec<ArgSpec>,
    constexprs: Vec<NamedConstant>,
    /// Tuples with run-time parts, by name.
    tuples: Vec<(String, Vec<ArgSpec>)>,
    /// Descriptors of unknown blocks: their places in `specs`.
    descriptors: Vec<(usize, String)>,
    /// Sizes that no constexpr has yet.
    sizes: std::iter::Cycle<std::slice::Iter<'static, i128>>,
}

impl Guess<'_, '_> {
    fn parameter(&mut self, param: &Param, known: &Known) {
        let name = param.name.text.as_str();
        if self.module.is_constexpr_param(param) {
            let value = known.constant().map(Some).unwrap_or_else(|| self.constant(param));
            self.constexprs.extend(value.map(|value| NamedConstant::new(name, value)));
            return;
        }
        if self.uses.described.contains(name) {
            return self.unknown(param);
        }
        match known {
            Known::Constant(value @ (ConstValue::Int(_) | ConstValue::Float(_) | ConstValue::Bool(_))) => {
                match tuples::number(value) {
                    ArgType::Constexpr(value) => self.constexprs.push(NamedConstant::new(name, value)),
                    _ if param.annotation.is_some() => self.unknown(param),
                    ty => self.run_time(ty),
                }
            }
            Known::Constant(value) => self.constexprs.push(NamedConstant::new(name, value.clone())),
            Known::Items(items) => self.tuple(name, &tuples::Shape::of(items)),
            Known::Tensor(Tensor { element: Some(element), .. }) => {
                self.run_time(ArgType::Pointer { element: *element, constant: false });
            }
            Known::Tensor(Tensor { element: None, .. }) => {
                let ty = match self.type_of(param) {
                    pointer @ ArgType::Pointer { .. } => pointer,
                    _ => ArgType::Pointer { element: self.element, constant: false },
                };
                self.run_time(ty);
            }
            // A block of one element is a promise: the hook of a configuration sets it.
            Known::Descriptor { block: Some(block), element } if block.iter().any(|dim| *dim > 1) => {
                let element = element.unwrap_or(self.element);
                let ty = DescriptorType { element, block: block.clone(), pad_nan: false, ragged: false };
                self.run_time(ArgType::Descriptor(ty));
            }
            Known::Descriptor { .. } | Known::Table(_) | Known::Size(_) | Known::Unknown => self.unknown(param),
        }
    }

    fn run_time(&mut self, ty: ArgType) {
        self.specs.push(ArgSpec::of(ty));
    }

    fn evidence(&self) -> Evidence<'_> {
        Evidence { uses: self.uses, integers: self.integers, element: self.element }
    }

    fn type_of(&self, param: &Param) -> ArgType {
        run_time(&param.name.text, param.annotation.as_ref(), self.evidence())
    }

    /// A run-time parameter that no launch says anything of.
    fn unknown(&mut self, param: &Param) {
        let name = param.name.text.as_str();
        let none = matches!(param.default.as_ref().map(|default| &default.kind), Some(ExprKind::None));
        if none && self.dice.choose(self.attempt, 2) == 0 {
            self.constexprs.push(NamedConstant::new(name, ConstValue::None));
            return;
        }
        if let Some(shape) = self.uses.tuples.get(name).filter(|_| param.annotation.is_none()) {
            let ones = self.dice.choose(self.attempt, 2) == 1;
            let shape = tuples::Shape::used(shape, self.evidence());
            self.tuple(name, &if ones { shape.of_ones() } else { shape });
            return;
        }
        let is_described = self.uses.described.contains(name) || !self.uses.pointers.contains(name);
        if self.uses.descriptors.contains_key(name) && is_described {
            self.descriptors.push((self.specs.len(), name.to_string()));
        }
        self.run_time(self.type_of(param));
    }

    fn tuple(&mut self, name: &str, shape: &tuples::Shape) {
        self.constexprs.push(NamedConstant::new(name, ConstValue::Tuple(Vec::new())));
        self.tuples.push((name.to_string(), shape.parts()));
    }

    /// A constexpr that no launch says; nothing where it has its default.
    fn constant(&mut self, param: &Param) -> Option<ConstValue> {
        let name = param.name.text.as_str();
        let constants = Constants { module: self.module, uses: self.uses };
        let candidates = constants.of(name, param.default.as_ref());
        if self.attempt == DISTINCT && candidates.first() == Some(&Some(ConstValue::Int(SIZES[0]))) {
            return self.sizes.next().map(|size| ConstValue::Int(*size));
        }
        let at = self.dice.choose(self.attempt, candidates.len() as u64) as usize;
        candidates.get(at).cloned().flatten()
    }

    /// Gives descriptors of unknown blocks theirs, now that the constexprs are chosen.
    fn blocks(&mut self, function: &FunctionDef, tuned: &[NamedConstant]) {
        if self.descriptors.is_empty() {
            return;
        }
        let shapes = Walk::of(&function.body).shapes;
        let shape = self.dice.choose(self.attempt, shapes.len() as u64 + 1).checked_sub(1);
        let shape = shape.and_then(|at| shapes.get(at as usize).copied());
        let (blocks, known) = (Blocks::of(self.module), [tuned, &self.constexprs].concat());
        for (at, name) in std::mem::take(&mut self.descriptors) {
            let Some(used) = self.uses.descriptors.get(&name) else { continue };
            let block = blocks.block(&name, *used, &known, shape);
            let ty = DescriptorType { element: self.element, block, pad_nan: false, ragged: false };
            self.specs[at].ty = ArgType::Descriptor(ty);
        }
    }
}

/// What tensors are made of that nothing is known of: floats first, later integers too.
fn element(attempt: u64) -> ScalarType {
    match attempt {
        6 | 7 => ScalarType::I8,
        8 | 9 => ScalarType::I32,
        _ => [ScalarType::F16, ScalarType::F32, ScalarType::BF16][(attempt % 3) as usize],
    }
}

/// Random choices that are the same in every run.
struct Dice(ChaCha8Rng);

impl Dice {
    /// The first choice in the first attempts, a random one later.
    fn choose(&mut self, attempt: u64, count: u64) -> u64 {
        let drawn = self.0.random_range(0..count.max(1));
        match attempt {
            0..=2 | 6 | 8 | DISTINCT => 0,
            3..=5 | 7 | 9 => 1.min(count.saturating_sub(1)),
            _ => drawn,
        }
    }
}
