//! The state of one check and its entry point.
//!
//! Checking is abstract interpretation: expressions are evaluated to [`Val`]s, and whatever must happen at run time is
//! emitted as structured ops on the way. There is no typed tree in between, because constexpr evaluation, inlining and
//! type inference decide each other.

use crate::around::Scopes;
use crate::checked::{DescriptorFacts, Element, Kernel, Loc, Param, Type};
use crate::context::Context;
use crate::error::R;
use crate::names::Globals;
use crate::signature::kernel_named;
use crate::trace::{Place, Role, Trace};
use crate::value::{Binding, Closure, Record, RecordClass, Scope, Val};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tk_diag::{Diagnostic, Span};
use tk_grammar::ast::{FunctionDef, Module};
use tk_target::Target;
use tk_types::{ArgType, Argument, CompileOptions, ConstValue, NamedConstant};

/// Which kernel to check, and what is known of its launch.
pub struct CheckRequest<'a> {
    /// The parsed file.
    pub module: &'a Module,
    /// The kernel's name, as [`tk_grammar::functions::choose`] takes it.
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

/// What becomes of the calls of a kernel's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Calls {
    /// The functions are run in place of their calls.
    Inlined,
    /// They stay calls where they can.
    Kept,
}

/// Checks one kernel and keeps the calls of its functions, which are named as Triton names them, as far as calls can pass on what they are
/// given. It is for readers; what is compiled has them inlined.
///
/// # Errors
/// As [`check`].
pub fn check_calls(request: &CheckRequest, constants: &[NamedConstant]) -> Result<Checked, Vec<Diagnostic>> {
    check_keeping(request, constants, Calls::Kept)
}

/// Like [`check`], where these names, module-level ones and those of functions around the kernel, have the values that the host gave them;
/// [`crate::constants_read`] names those that matter.
pub fn check_with(request: &CheckRequest, constants: &[NamedConstant]) -> Result<Checked, Vec<Diagnostic>> {
    check_keeping(request, constants, Calls::Inlined)
}

fn check_keeping(
    request: &CheckRequest,
    constants: &[NamedConstant],
    calls: Calls,
) -> Result<Checked, Vec<Diagnostic>> {
    let function = kernel_named(request.module, request.kernel).map_err(|error| vec![*error])?;
    let mut checker = Checker::new(request.module, request.options.clone(), request.target);
    checker.kernel = Some(function.name.span.start);
    checker.calls = calls;
    checker.constants = constants.iter().map(|one| (one.name.clone(), one.value.clone())).collect();
    checker.cx.unused_jit_options(function);
    let params = checker.enter_kernel(function, request.args);
    match params {
        Ok(()) => checker.exec_kernel(function),
        Err(stop) => checker.report(stop),
    }
    checker.finish(function)
}

/// Checks one kernel and says what its expressions and variables were found to be, as far as the checker came: also of a kernel with
/// errors.
pub fn trace(request: &CheckRequest) -> Vec<Place> {
    let Ok(function) = kernel_named(request.module, request.kernel) else { return Vec::new() };
    let mut checker = Checker::new(request.module, request.options.clone(), request.target);
    checker.kernel = Some(function.name.span.start);
    checker.trace = Some(Trace::default());
    if checker.enter_kernel(function, request.args).is_ok() {
        checker.exec_kernel(function);
    }
    checker.trace.map(Trace::places).unwrap_or_default()
}

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
    /// The function that runs at compile time, for functions that it defines.
    pub(crate) function: Option<&'a FunctionDef>,
    /// What a function inside a function sees of the one around it.
    pub(crate) closure: Option<Rc<Closure<'a>>>,
    /// Whether it is kept apart from its callers: see [`crate::outline`].
    pub(crate) outlined: bool,
}

/// A name whose meaning is being found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Evaluated<'a> {
    pub(crate) part: usize,
    /// The function that binds it, by its place; nothing for a module-level name.
    pub(crate) function: Option<u32>,
    pub(crate) name: &'a str,
}

/// The interpreter.
pub(crate) struct Checker<'a> {
    pub(crate) cx: Context,
    pub(crate) module: &'a Module,
    /// The kernel, by the place of its name.
    pub(crate) kernel: Option<u32>,
    /// The names of each part of the text that was looked into.
    pub(crate) globals: FxHashMap<usize, Rc<Globals<'a>>>,
    /// The same of the functions that others stand in.
    pub(crate) scopes: FxHashMap<usize, Rc<Scopes<'a>>>,
    /// What their names were found to be.
    pub(crate) around: FxHashMap<Evaluated<'a>, Val<'a>>,
    /// The names outside of kernels whose meaning is being found.
    pub(crate) evaluating: Vec<Evaluated<'a>>,
    /// Values that the host gave to module-level names of the kernel's file, and to names of functions around the kernel.
    pub(crate) constants: FxHashMap<String, ConstValue>,
    pub(crate) frames: Vec<Frame<'a>>,
    pub(crate) call_sites: Vec<Loc>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) failed: bool,
    /// What becomes of calls of functions that are not marked `noinline`.
    pub(crate) calls: Calls,
    /// Functions that are kept apart, and what their calls were.
    pub(crate) functions: Vec<crate::checked::Function>,
    pub(crate) outlined: Vec<crate::outline::Outlined<'a>>,
    /// What the form of the kernel should tell its reader.
    pub(crate) notes: Vec<String>,
    /// Combine functions of reductions and scans that are open.
    pub(crate) combining: u32,
    /// Nested expressions, statements and calls, bounded by [`MAX_DEPTH`].
    pub(crate) depth: u32,
    /// What is noted for editors, where they ask.
    pub(crate) trace: Option<Trace>,
    /// Statements run so far; ops and they together are bounded by [`MAX_WORK`].
    pub(crate) steps: u32,
}

/// Deepest nesting of expressions, statements and inlined calls together.
pub(crate) const MAX_DEPTH: u32 = 256;
/// Most ops and statements of one kernel; unrolling and inlining count.
pub(crate) const MAX_WORK: u32 = 500_000;

impl<'a> Checker<'a> {
    pub(crate) fn new(module: &'a Module, options: CompileOptions, target: Target) -> Self {
        Self {
            cx: Context::new(module.file.clone(), options, target),
            module,
            kernel: None,
            globals: FxHashMap::default(),
            scopes: FxHashMap::default(),
            around: FxHashMap::default(),
            evaluating: Vec::new(),
            constants: FxHashMap::default(),
            frames: vec![Frame::default()],
            call_sites: Vec::new(),
            diagnostics: Vec::new(),
            failed: false,
            calls: Calls::Inlined,
            functions: Vec::new(),
            outlined: Vec::new(),
            notes: Vec::new(),
            combining: 0,
            depth: 0,
            trace: None,
            steps: 0,
        }
    }

    pub(crate) fn frame(&self) -> &Frame<'a> {
        self.frames.last().expect("the kernel's frame is always there")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("the kernel's frame is always there")
    }

    /// Enters a function: what is emitted now comes from its call.
    pub(crate) fn push_frame(&mut self, frame: Frame<'a>) {
        self.cx.builder.set_call(frame.call);
        self.frames.push(frame);
    }

    /// Leaves a function.
    pub(crate) fn pop_frame(&mut self) -> Frame<'a> {
        let frame = self.frames.pop().unwrap_or_default();
        let call = self.frame().call;
        self.cx.builder.set_call(call);
        frame
    }

    /// Gives a variable its meaning and, when it is a fresh value, the value its name.
    pub(crate) fn bind(&mut self, name: &'a str, val: Val<'a>, span: Span) {
        let named = match &val {
            Val::Value(value) => Some(*value),
            Val::Descriptor(descriptor) => Some(descriptor.handle()),
            _ => None,
        };
        if let Some(value) = named {
            let info = self.cx.builder.info_mut(value);
            if info.name.is_none() {
                info.name = Some(name.to_string());
            }
        }
        self.note(span, Role::Bound, &val);
        self.frame_mut().scope.insert(name, Binding { val, span });
    }

    /// Notes what a place is, where somebody asks.
    pub(crate) fn note(&mut self, span: Span, role: Role, val: &Val<'a>) {
        if let Some(trace) = &mut self.trace {
            trace.note(&self.cx, span, role, val);
        }
    }

    /// Counts one step of nesting; undo with [`Self::leave`].
    pub(crate) fn enter(&mut self, span: Span) -> R<()> {
        if self.depth >= MAX_DEPTH {
            return Err(self
                .cx
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
        self.steps += 1;
        if !self.exhausted() {
            return Ok(());
        }
        let message = format!("the kernel is larger than {MAX_WORK} operations after unrolling and inlining");
        Err(self
            .cx
            .error(tk_diag::TOO_LARGE, span, message, "the limit is passed here")
            .help("Use `tl.range` where `tl.static_range` runs many times.")
            .into())
    }

    /// Whether the work limit is passed: everything still to run is skipped.
    pub(crate) fn exhausted(&self) -> bool {
        self.cx.builder.made().saturating_add(self.steps) >= MAX_WORK
    }

    fn enter_kernel(&mut self, function: &'a FunctionDef, args: &[Argument]) -> R<()> {
        for param in &function.params {
            let name = param.name.text.as_str();
            let parts: Vec<&Argument> = args.iter().filter(|arg| arg.name == name).collect();
            let Some(arg) = parts.first() else {
                let message = format!("nothing is known of the parameter `{name}`");
                return Err(self
                    .cx
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

    /// A tuple with run-time parts: a constant tuple that says its length, and then its parts. That of a named tuple has a text for each
    /// field, `Class.field`.
    fn tuple_argument<'s>(
        &mut self,
        param: &'a tk_grammar::ast::Param,
        parts: &mut impl Iterator<Item = &'s Argument>,
    ) -> R<Val<'a>> {
        let Some(part) = parts.next() else { return Ok(Val::None) };
        let Some(ConstValue::Tuple(items)) = part.constant() else {
            return self.kernel_argument(param, part);
        };
        let (mut fields, mut class) = (Vec::new(), None);
        for item in items {
            if let ConstValue::Str(text) = item
                && let Some((name, field)) = text.rsplit_once('.')
            {
                fields.push(Rc::from(field));
                class = Some(Rc::from(name));
            }
        }
        let items = items.iter().map(|_| self.tuple_argument(param, &mut *parts)).collect::<R<Vec<_>>>()?;
        Ok(match class.filter(|_| fields.len() == items.len()) {
            Some(name) => {
                let class = Rc::new(RecordClass::named_tuple(name, fields));
                Val::Record(Rc::new(Record { class, parts: items.into() }))
            }
            None => Val::tuple(items),
        })
    }

    /// `BLOCK: tl.constexp`: an annotation of the language that does not exist.
    fn check_annotation(&mut self, param: &tk_grammar::ast::Param) -> R<()> {
        let Some(annotation) = &param.annotation else { return Ok(()) };
        let name = annotation.dotted_name().unwrap_or_default();
        let Some(member) = name.strip_prefix("tl.") else { return Ok(()) };
        let near = tk_diag::nearest(member, ["constexpr", "const", "tensor", "pointer_type", "dtype"]);
        let Some(near) = near.filter(|near| *near != member) else { return Ok(()) };
        let message = format!("`{name}` does not exist");
        let error = self.cx.error(tk_diag::UNKNOWN_NAME, annotation.span, message, "an annotation");
        Err(error.help(format!("Did you mean `tl.{near}`?")).into())
    }

    fn kernel_argument(&mut self, param: &'a tk_grammar::ast::Param, arg: &Argument) -> R<Val<'a>> {
        let ty = match &arg.ty {
            ArgType::Constexpr(value) => return Ok(self.constant_value(value)),
            ArgType::Descriptor(descriptor) => return self.cx.descriptor_argument(param, descriptor),
            ArgType::Scalar(scalar) => Type::scalar(*scalar),
            ArgType::Pointer { element, constant } => Type {
                element: Element::Pointer { pointee: Box::new(Element::Scalar(*element)), constant: *constant },
                shape: Vec::new(),
            },
        };
        self.cx.known_to_triton(&ty.element, param.name.span)?;
        let value = self.cx.builder.value(ty, None);
        self.cx.params.push(Param {
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
                self.diagnostics.push(bug.at(&self.cx.file, function.name.span, ""));
            }
            return Err(self.diagnostics);
        }
        let Context { builder, file, options, params, warnings, printed, .. } = self.cx;
        let (values, body) = builder.finish();
        let mut kernel = Kernel {
            name: function.name.text.clone(),
            file,
            params,
            values,
            call_sites: self.call_sites,
            body,
            functions: self.functions,
            notes: self.notes,
            options,
        };
        crate::padding::pad(&mut kernel).map_err(|error| vec![*error])?;
        if cfg!(debug_assertions) {
            crate::checked::verify(&kernel).map_err(|bug| vec![*bug])?;
        }
        Ok(Checked { kernel, warnings, printed })
    }
}
