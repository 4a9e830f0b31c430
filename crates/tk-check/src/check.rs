//! The state of one check and its entry point.
//!
//! Checking is abstract interpretation: expressions are evaluated to [`Val`]s, and whatever must happen at run time is
//! emitted as structured ops on the way. There is no typed tree in between, because constexpr evaluation, inlining and
//! type inference decide each other.

use crate::checked::{Block, DescriptorFacts, Element, Kernel, Literal, Loc, Param, Type, Value, ValueInfo};
use crate::error::R;
use crate::globals::Globals;
use crate::value::{Spanned, Val};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tk_diag::{Diagnostic, Span};
use tk_grammar::ast::{FunctionDef, Module};
use tk_target::Target;
use tk_types::{ArgType, Argument, CompileOptions, ConstValue};

/// Which kernel to check, and what is known of its launch.
pub struct CheckRequest<'a> {
    /// The parsed file.
    pub module: &'a Module,
    /// The kernel's name.
    pub kernel: &'a str,
    /// Every parameter by name; constexprs as [`ArgType::Constexpr`]. [`crate::bind_signature`] makes this list.
    pub args: &'a [Argument],
    /// Warps, stages, debug checks.
    pub options: CompileOptions,
    /// The GPU that it is compiled for; some built-in functions ask.
    pub target: Target,
}

/// A checked kernel and what a user should hear about it.
pub struct Checked {
    /// The kernel.
    pub kernel: Kernel,
    /// Things that compile but deserve a word; `static_print` output is not among them.
    pub warnings: Vec<Diagnostic>,
    /// What `tl.static_print` printed, one string per call.
    pub printed: Vec<String>,
}

/// Checks one kernel for one signature. Errors are in source order of discovery; there is at least one in an `Err`.
pub fn check(request: &CheckRequest) -> Result<Checked, Vec<Diagnostic>> {
    check_with(request, &[])
}

/// Like [`check`], where these module-level names have the values that the host gave them; [`crate::constants_read`] names those
/// that matter.
pub fn check_with(request: &CheckRequest, constants: &[(String, ConstValue)]) -> Result<Checked, Vec<Diagnostic>> {
    let Some(function) = request.module.function(request.kernel) else {
        return Err(vec![crate::signature::unknown_kernel(request.module, request.kernel)]);
    };
    let mut checker = Checker::new(request.module, request.options.clone(), request.target);
    checker.constants = constants.iter().cloned().collect();
    let params = checker.enter_kernel(function, request.args);
    match params {
        Ok(()) => checker.exec_kernel(function),
        Err(stop) => checker.report(stop),
    }
    checker.finish(function)
}

/// What is known of where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    /// How many blocks were open around the one that defines it.
    pub(crate) depth: u32,
    /// The index of the defining op in its block; `None` for block arguments.
    pub(crate) index: Option<u32>,
    /// The scalar constant that it is.
    pub(crate) literal: Option<Literal>,
}

/// A variable's meaning and where it got it.
#[derive(Clone, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) val: Val<'a>,
    pub(crate) span: Span,
}

/// The variables of one function.
pub(crate) type Scope<'a> = FxHashMap<&'a str, Binding<'a>>;

/// One function being inlined, or the kernel.
#[derive(Debug, Default)]
pub(crate) struct Frame<'a> {
    pub(crate) scope: Scope<'a>,
    /// Names annotated `x: tl.constexpr` without a value yet.
    pub(crate) promised: Vec<&'a str>,
    pub(crate) call: Option<u32>,
    /// Run-time loops open in this function.
    pub(crate) loops: u32,
    /// Whether the innermost loop has `break`, `continue` or `return` in it.
    pub(crate) jumping: bool,
    /// What a loop of it returns, as a pattern, and the types of its values.
    pub(crate) result: Option<(Val<'a>, Vec<Type>)>,
    /// Whether it runs at compile time: see [`crate::interpret`].
    pub(crate) interpreted: bool,
    /// The parameter whose fields may be assigned, in an `__init__`.
    pub(crate) constructing: Option<&'a str>,
    /// Whether it is kept apart from its callers: see [`crate::outline`].
    pub(crate) outlined: bool,
}

/// The interpreter.
pub(crate) struct Checker<'a> {
    pub(crate) file: tk_diag::SourceFile,
    pub(crate) module: &'a Module,
    /// The names of each part of the text that was looked into.
    pub(crate) globals: FxHashMap<usize, Rc<Globals<'a>>>,
    /// The module-level names whose meaning is being found: part and name.
    pub(crate) evaluating: Vec<(usize, &'a str)>,
    /// Values that the host gave to module-level names of the kernel's file.
    pub(crate) constants: FxHashMap<String, ConstValue>,
    pub(crate) values: Vec<ValueInfo>,
    pub(crate) origins: Vec<Origin>,
    /// Open blocks, innermost last.
    pub(crate) blocks: Vec<Block>,
    pub(crate) frames: Vec<Frame<'a>>,
    pub(crate) call_sites: Vec<Loc>,
    pub(crate) params: Vec<Param>,
    /// Where the op emitted next comes from.
    pub(crate) span: Span,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) printed: Vec<String>,
    pub(crate) failed: bool,
    pub(crate) options: CompileOptions,
    pub(crate) target: Target,
    /// The shape of a tensor whose elements a function is mapped over: see [`crate::builtins::map`].
    pub(crate) mapped: Option<Vec<u32>>,
    /// Functions that are kept apart, and what their calls were.
    pub(crate) functions: Vec<crate::checked::Function>,
    pub(crate) outlined: Vec<crate::outline::Outlined<'a>>,
    /// What the form of the kernel should tell its reader.
    pub(crate) notes: Vec<String>,
    /// Combine functions of reductions and scans that are open.
    pub(crate) combining: u32,
    /// Nested expressions, statements and calls, bounded by [`MAX_DEPTH`].
    pub(crate) depth: u32,
    /// Ops emitted and statements run so far, bounded by [`MAX_WORK`].
    pub(crate) work: u32,
}

/// Deepest nesting of expressions, statements and inlined calls together.
pub(crate) const MAX_DEPTH: u32 = 256;
/// Most ops and statements of one kernel; unrolling and inlining count.
pub(crate) const MAX_WORK: u32 = 500_000;

impl<'a> Checker<'a> {
    pub(crate) fn new(module: &'a Module, options: CompileOptions, target: Target) -> Self {
        Self {
            file: module.file.clone(),
            module,
            globals: FxHashMap::default(),
            evaluating: Vec::new(),
            constants: FxHashMap::default(),
            values: Vec::new(),
            origins: Vec::new(),
            blocks: vec![Block::default()],
            frames: vec![Frame::default()],
            call_sites: Vec::new(),
            params: Vec::new(),
            span: Span::default(),
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            printed: Vec::new(),
            failed: false,
            options,
            target,
            mapped: None,
            functions: Vec::new(),
            outlined: Vec::new(),
            notes: Vec::new(),
            combining: 0,
            depth: 0,
            work: 0,
        }
    }

    pub(crate) fn frame(&self) -> &Frame<'a> {
        self.frames.last().expect("the kernel's frame is always there")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("the kernel's frame is always there")
    }

    pub(crate) fn ty(&self, value: Value) -> &Type {
        &self.values[value.0 as usize].ty
    }

    /// Gives a variable its meaning and, when it is a fresh value, the value its name.
    pub(crate) fn bind(&mut self, name: &'a str, val: Val<'a>, span: Span) {
        let named = match &val {
            Val::Value(value) => Some(*value),
            Val::Descriptor(descriptor) => Some(descriptor.handle()),
            _ => None,
        };
        if let Some(value) = named {
            let info = &mut self.values[value.0 as usize];
            if info.name.is_none() {
                info.name = Some(name.to_string());
            }
        }
        self.frame_mut().scope.insert(name, Binding { val, span });
    }

    /// Counts one step of nesting; undo with [`Self::leave`].
    pub(crate) fn enter(&mut self, span: Span) -> R<()> {
        if self.depth >= MAX_DEPTH {
            return Err(self
                .error(tk_diag::NESTING_TOO_DEEP, span, "expressions and calls nest too deeply here", "")
                .help("Give parts of it names, or end a recursion with a constexpr condition.")
                .into());
        }
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Counts one unit of work, so that unrolling cannot run away.
    pub(crate) fn step(&mut self, span: Span) -> R<()> {
        self.work += 1;
        if self.work < MAX_WORK {
            return Ok(());
        }
        let message = format!("the kernel is larger than {MAX_WORK} operations after unrolling and inlining");
        Err(self
            .error(tk_diag::TOO_LARGE, span, message, "the limit is passed here")
            .help("Use `tl.range` where `tl.static_range` runs many times.")
            .into())
    }

    /// Whether the work limit is passed: everything still to run is skipped.
    pub(crate) fn exhausted(&self) -> bool {
        self.work >= MAX_WORK
    }

    fn enter_kernel(&mut self, function: &'a FunctionDef, args: &[Argument]) -> R<()> {
        for param in &function.params {
            let name = param.name.text.as_str();
            let parts: Vec<&Argument> = args.iter().filter(|arg| arg.name == name).collect();
            let Some(arg) = parts.first() else {
                let message = format!("nothing is known of the parameter `{name}`");
                return Err(self
                    .error(tk_diag::ARGUMENT_COUNT, param.name.span, message, "no type and no value")
                    .help("Give it a type in the signature, a constexpr value, or an annotation such as `\"*fp32\"`.")
                    .into());
            };
            if let Err(stop) = self.check_annotation(param) {
                self.report(stop);
                self.bind(name, Val::Poison, param.name.span);
                continue;
            }
            let val = match parts.as_slice() {
                [_] => self.kernel_argument(param, arg)?,
                _ => self.tuple_argument(param, &mut parts.into_iter())?,
            };
            self.bind(name, val, param.name.span);
        }
        Ok(())
    }

    /// A tuple with run-time parts: a constant tuple that says its length, and then its parts.
    fn tuple_argument<'s>(
        &mut self,
        param: &'a tk_grammar::ast::Param,
        parts: &mut impl Iterator<Item = &'s Argument>,
    ) -> R<Val<'a>> {
        let Some(part) = parts.next() else { return Ok(Val::None) };
        let Some(ConstValue::Tuple(items)) = part.constant() else {
            return self.kernel_argument(param, part);
        };
        let items = items.iter().map(|_| self.tuple_argument(param, &mut *parts)).collect::<R<Vec<_>>>()?;
        Ok(Val::tuple(items))
    }

    /// `BLOCK: tl.constexp`: an annotation of the language that does not exist.
    fn check_annotation(&mut self, param: &tk_grammar::ast::Param) -> R<()> {
        let Some(annotation) = &param.annotation else { return Ok(()) };
        let name = annotation.dotted_name().unwrap_or_default();
        let Some(member) = name.strip_prefix("tl.") else { return Ok(()) };
        let near = tk_diag::nearest(member, ["constexpr", "const", "tensor", "pointer_type", "dtype"]);
        let Some(near) = near.filter(|near| *near != member) else { return Ok(()) };
        let message = format!("`{name}` does not exist");
        let error = self.error(tk_diag::UNKNOWN_NAME, annotation.span, message, "an annotation");
        Err(error.help(format!("Did you mean `tl.{near}`?")).into())
    }

    fn kernel_argument(&mut self, param: &'a tk_grammar::ast::Param, arg: &Argument) -> R<Val<'a>> {
        let ty = match &arg.ty {
            ArgType::Constexpr(value) => return Ok(self.constant_value(value)),
            ArgType::Descriptor(descriptor) => return self.descriptor_argument(param, descriptor),
            ArgType::Scalar(scalar) => Type::scalar(*scalar),
            ArgType::Pointer { element, constant } => Type {
                element: Element::Pointer { pointee: Box::new(Element::Scalar(*element)), constant: *constant },
                shape: Vec::new(),
            },
        };
        let value = self.new_value(ty, None);
        self.params.push(Param {
            name: param.name.text.clone(),
            value,
            facts: arg.facts,
            descriptor: DescriptorFacts::default(),
            span: param.name.span,
        });
        Ok(Val::Value(value))
    }

    fn finish(mut self, function: &FunctionDef) -> Result<Checked, Vec<Diagnostic>> {
        if self.failed {
            if self.diagnostics.is_empty() {
                let bug = Diagnostic::bug(format!("`{}` does not check and no error says why", function.name.text));
                self.diagnostics.push(bug.at(&self.file, function.name.span, ""));
            }
            return Err(self.diagnostics);
        }
        let mut kernel = Kernel {
            name: function.name.text.clone(),
            file: self.file,
            params: self.params,
            values: self.values,
            call_sites: self.call_sites,
            body: self.blocks.pop().unwrap_or_default(),
            functions: self.functions,
            notes: self.notes,
            options: self.options,
        };
        crate::padding::pad(&mut kernel).map_err(|error| vec![*error])?;
        if cfg!(debug_assertions) {
            crate::checked::verify(&kernel).map_err(|bug| vec![*bug])?;
        }
        Ok(Checked { kernel, warnings: self.warnings, printed: self.printed })
    }

    /// A short description of a meaning for messages: `fp32[128]`, `4`, `None`, `the function \`f\``.
    pub(crate) fn describe(&self, val: &Val<'a>) -> String {
        match val {
            Val::Value(value) => self.ty(*value).to_string(),
            Val::None => "None".into(),
            Val::Bool(_) | Val::Int(_) | Val::Float(_) => {
                val.number().map(|n| format!("the constant {n}")).unwrap_or_default()
            }
            Val::Str(s) => format!("the string {:?}", s.chars().take(40).collect::<String>()),
            Val::Type(ty) => format!("the type {ty}"),
            Val::Tuple(items) => {
                let items: Vec<String> = items.iter().take(6).map(|item| self.describe(item)).collect();
                format!("a tuple ({})", items.join(", "))
            }
            Val::Function(function) | Val::Bound(_, function) => format!("the function `{}`", function.name.text),
            Val::RecordClass(class) => format!("the class `{}`", class.name),
            Val::Record(record) => {
                let items: Vec<String> = record.parts.iter().take(6).map(|item| self.describe(item)).collect();
                format!("{}({})", record.class.name, items.join(", "))
            }
            Val::Builtin(builtin) | Val::Method(_, builtin) => format!("the function `{}`", builtin.name),
            Val::TypeMethod(_, name) => format!("the method `{name}`"),
            Val::Module(module) => format!("the module `{}`", module.name()),
            Val::Class(class) => format!("the class `{class:?}`"),
            Val::PropagateNan(_) => "a PropagateNan option".into(),
            Val::Slice(_) => "a slice".into(),
            Val::Ellipsis => "`...`".into(),
            Val::Range(_) => "a range".into(),
            Val::BlockPointer(_) => "a block pointer".into(),
            Val::Descriptor(descriptor) => format!("a descriptor of blocks {}", descriptor.block_type()),
            Val::Absent(_) | Val::Poison => "nothing".into(),
        }
    }

    /// An integer known at compile time: a constant, or a variable that holds one.
    pub(crate) fn known_int(&self, val: &Val<'a>) -> Option<i128> {
        match val {
            Val::Value(value) => match self.origins[value.0 as usize].literal {
                Some(Literal::Int(i)) if !self.ty(*value).is_tensor() => Some(i),
                _ => None,
            },
            other => other.number()?.as_int(),
        }
    }

    /// An integer that must be known at compile time.
    pub(crate) fn constant_int(&self, what: &str, arg: &Spanned<'a>) -> R<i128> {
        self.known_int(&arg.val).ok_or_else(|| self.not_constexpr(what, arg, "an integer constant").into())
    }

    /// A flag that must be known at compile time.
    pub(crate) fn constant_bool(&self, what: &str, arg: &Spanned<'a>) -> R<bool> {
        match &arg.val {
            Val::Value(_) => self
                .known_int(&arg.val)
                .map(|i| i != 0)
                .ok_or_else(|| self.not_constexpr(what, arg, "True or False").into()),
            other => other.truth().ok_or_else(|| self.not_constexpr(what, arg, "True or False").into()),
        }
    }

    /// A string that must be known at compile time.
    pub(crate) fn constant_str(&self, what: &str, arg: &Spanned<'a>) -> R<Rc<str>> {
        match &arg.val {
            Val::Str(s) => Ok(s.clone()),
            other => {
                let found = self.describe(other);
                Err(self
                    .error(
                        tk_diag::BAD_ARGUMENT,
                        arg.span,
                        format!("{what} must be a string"),
                        format!("this is {found}"),
                    )
                    .help("Write a string literal or a string constexpr.")
                    .into())
            }
        }
    }

    /// The error for a run-time value, or a thing of another kind, where a constant is needed.
    pub(crate) fn not_constexpr(&self, what: &str, arg: &Spanned<'a>, wanted: &str) -> Diagnostic {
        let found = self.describe(&arg.val);
        match &arg.val {
            Val::Value(_) => self
                .error(
                    tk_diag::NOT_CONSTEXPR,
                    arg.span,
                    format!("{what} must be known at compile time"),
                    format!("this is a run-time {found}"),
                )
                .help("Make it a `tl.constexpr` parameter, or annotate the variable: `x: tl.constexpr = …`."),
            _ => self
                .error(tk_diag::BAD_ARGUMENT, arg.span, format!("{what} must be {wanted}"), format!("this is {found}"))
                .help(format!("Pass {wanted}.")),
        }
    }
}
