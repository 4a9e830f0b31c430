//! The kernels of a session, found again by what they were compiled for.
//!
//! A warm launch must cost microseconds, so the look-up hashes the specialised arguments and compares them, and never
//! touches the text of the file: a file is known by where its statements lie, and an entry keeps those alive.

use crate::declared::declared_params;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use tk_driver::{Bounds, Guards};
use tk_grammar::ast::{FunctionDef, Module};
use tk_image::KernelImage;
use tk_launch::{DeclaredParam, Kernel};
use tk_types::{ArgType, Argument, CompileOptions, ConstValue, NamedConstant};

/// A kernel on the device with what its launches need.
pub(crate) struct Loaded {
    pub(crate) kernel: Kernel,
    /// What it uses; the text of the code is left out.
    pub(crate) summary: Arc<KernelImage>,
    /// As `--signature` takes it, with names.
    pub(crate) signature: String,
    /// The positions of the arguments that remain at run time.
    pub(crate) runtime: Vec<usize>,
    /// What its checks mean.
    pub(crate) guards: Guards,
}

impl Loaded {
    pub(crate) fn new(kernel: Kernel, args: &[Argument], guards: Guards) -> Rc<Self> {
        let summary = KernelImage { ptx: String::new(), cubin: None, ..kernel.image().clone() };
        let signature: Vec<String> = args.iter().map(Argument::to_string).collect();
        let runtime = (0..args.len()).filter(|at| args[*at].is_runtime()).collect();
        Rc::new(Self { kernel, summary: Arc::new(summary), signature: signature.join(", "), runtime, guards })
    }
}

/// What a kernel is compiled for.
#[derive(Clone, Copy)]
pub(crate) struct Form<'a> {
    pub(crate) module: &'a Module,
    pub(crate) kernel: &'a str,
    pub(crate) args: &'a [Argument],
    /// The module-level constants that the kernel reads.
    pub(crate) globals: &'a [NamedConstant],
    pub(crate) options: &'a CompileOptions,
    pub(crate) bounds: &'a Bounds,
}

/// A [`Form`] that keeps what it says.
struct OwnForm {
    module: Module,
    kernel: String,
    args: Vec<Argument>,
    globals: Vec<NamedConstant>,
    options: CompileOptions,
    bounds: Bounds,
}

impl OwnForm {
    fn of(form: Form<'_>) -> Self {
        Self {
            module: form.module.clone(),
            kernel: form.kernel.to_string(),
            args: form.args.to_vec(),
            globals: form.globals.to_vec(),
            options: form.options.clone(),
            bounds: form.bounds.clone(),
        }
    }

    fn is(&self, form: Form<'_>) -> bool {
        place(&self.module) == place(form.module)
            && self.kernel == form.kernel
            && self.options == *form.options
            && self.bounds == *form.bounds
            && self.args.len() == form.args.len()
            && self.args.iter().zip(form.args).all(|(a, b)| is_same_argument(a, b))
            && self.globals.len() == form.globals.len()
            && self.globals.iter().zip(form.globals).all(|(a, b)| a.name == b.name && is_same_value(&a.value, &b.value))
    }
}

/// What is known of forms, by their hashes.
struct Forms<T>(FxHashMap<u64, Vec<(OwnForm, T)>>);

impl<T> Forms<T> {
    fn find(&self, form: Form<'_>) -> Option<&T> {
        self.0.get(&hash(form))?.iter().find(|(own, _)| own.is(form)).map(|(_, value)| value)
    }

    fn insert(&mut self, form: Form<'_>, value: T) {
        self.0.entry(hash(form)).or_default().push((OwnForm::of(form), value));
    }
}

impl<T> Default for Forms<T> {
    fn default() -> Self {
        Self(FxHashMap::default())
    }
}

/// Loaded kernels, and what kernels declare about their parameters.
#[derive(Default)]
pub(crate) struct LoadedKernels {
    loaded: Forms<Rc<Loaded>>,
    /// Of forms without facts about whole blocks: whether these facts matter to them.
    wants_whole_blocks: Forms<bool>,
    /// By the places of the file and of the kernel's name in it: two kernels of one file may have one name.
    declared: FxHashMap<(usize, u32), Declared>,
    constants: FxHashMap<usize, Constants>,
}

/// What a kernel declares, with the file whose place is in its key.
struct Declared {
    _module: Module,
    params: Rc<[DeclaredParam]>,
}

/// The module-level names that kernels of a file read, with the file whose place is the key.
struct Constants {
    _module: Module,
    names: Rc<[String]>,
}

impl LoadedKernels {
    pub(crate) fn find(&self, form: Form<'_>) -> Option<Rc<Loaded>> {
        self.loaded.find(form).cloned()
    }

    pub(crate) fn insert(&mut self, form: Form<'_>, loaded: Rc<Loaded>) {
        self.loaded.insert(form, loaded);
    }

    /// Whether a kernel is compiled otherwise for sizes that are whole blocks, which `decide` says of a form that is new.
    pub(crate) fn wants_whole_blocks(&mut self, form: Form<'_>, decide: impl FnOnce() -> bool) -> bool {
        match self.wants_whole_blocks.find(form) {
            Some(known) => *known,
            None => {
                let wanted = decide();
                self.wants_whole_blocks.insert(form, wanted);
                wanted
            }
        }
    }

    /// Those of a launch's constants that kernels of the file read.
    pub(crate) fn globals(&mut self, module: &Module, all: &[NamedConstant]) -> Vec<NamedConstant> {
        let read = || Constants { _module: module.clone(), names: tk_check::constants_read(module).into() };
        let names = &self.constants.entry(place(module)).or_insert_with(read).names;
        all.iter().filter(|one| names.binary_search(&one.name).is_ok()).cloned().collect()
    }

    /// What the function declares about its parameters.
    pub(crate) fn declared(&mut self, module: &Module, function: &FunctionDef) -> Rc<[DeclaredParam]> {
        let key = (place(module), function.name.span.start);
        let declare = || Declared { _module: module.clone(), params: declared_params(module, function).into() };
        self.declared.entry(key).or_insert_with(declare).params.clone()
    }
}

/// Where the statements lie. While a clone of the module lives, no other file's can lie there.
fn place(module: &Module) -> usize {
    module.body.as_ptr() as usize
}

fn hash(form: Form<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    place(form.module).hash(&mut hasher);
    form.kernel.hash(&mut hasher);
    form.options.hash(&mut hasher);
    for arg in form.args {
        arg.facts.hash(&mut hasher);
        match &arg.ty {
            ArgType::Scalar(ty) => ty.hash(&mut hasher),
            ArgType::Pointer { element, constant } => (element, constant).hash(&mut hasher),
            ArgType::Descriptor(descriptor) => descriptor.hash(&mut hasher),
            ArgType::Constexpr(value) => hash_value(value, &mut hasher),
        }
    }
    form.globals.iter().for_each(|one| hash_value(&one.value, &mut hasher));
    hasher.finish()
}

fn hash_value(value: &ConstValue, hasher: &mut FxHasher) {
    match value {
        ConstValue::None => 0u8.hash(hasher),
        ConstValue::Bool(value) => value.hash(hasher),
        ConstValue::Int(value) => value.hash(hasher),
        ConstValue::Float(value) => value.to_bits().hash(hasher),
        ConstValue::Str(text) | ConstValue::Function(text) => text.hash(hasher),
        ConstValue::Dtype(ty) => ty.hash(hasher),
        ConstValue::Tuple(items) => items.iter().for_each(|item| hash_value(item, hasher)),
    }
}

/// Whether two arguments of one parameter are alike.
fn is_same_argument(a: &Argument, b: &Argument) -> bool {
    let same = match (&a.ty, &b.ty) {
        (ArgType::Constexpr(a), ArgType::Constexpr(b)) => is_same_value(a, b),
        (a, b) => a == b,
    };
    same && a.facts == b.facts
}

/// Floats are compared by their bits: -0.0 compiles to other code than 0.0, and a NaN is the constant it was.
fn is_same_value(a: &ConstValue, b: &ConstValue) -> bool {
    match (a, b) {
        (ConstValue::Float(a), ConstValue::Float(b)) => a.to_bits() == b.to_bits(),
        (ConstValue::Tuple(a), ConstValue::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_value(a, b))
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_told_apart_by_their_bits() {
        let float = ConstValue::Float;
        let tuple = |value: f64| ConstValue::Tuple(vec![ConstValue::Int(1), float(value)]);
        assert!(is_same_value(&float(f64::NAN), &float(f64::NAN)) && is_same_value(&tuple(2.0), &tuple(2.0)));
        assert!(!is_same_value(&float(0.0), &float(-0.0)) && !is_same_value(&tuple(0.0), &tuple(-0.0)));
        assert!(!is_same_value(&ConstValue::Int(1), &ConstValue::Bool(true)));
        assert!(!is_same_value(&ConstValue::Str("a".into()), &ConstValue::Function("a".into())));
    }
}
