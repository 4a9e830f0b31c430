//! Calls: arguments, helpers inlined at the call, and calls of the language's functions.

use crate::builtin::{Builtin, Run};
use crate::builtins;
use crate::check::{Checker, Frame};
use crate::checked::Value;
use crate::context::Context;
use crate::error::{R, Stop};
use crate::interpreter::{Emitter, Interpreter};
use crate::outline::Callee;
use crate::record::{is_builder, is_builder_argument};
use crate::syntax::is_constexpr_function;
use crate::trace::Role;
use crate::value::Scope;
use crate::value::{CallArgs, Class, Closure, Spanned, Val};
use std::rc::Rc;
use tk_diag::{Diagnostic, Span};
use tk_grammar::ast::{Argument, Expr, ExprKind, FunctionDef, Ident, ParamKind};

/// The decorator of a function of the host that can make anything of it.
fn unknown_decorator(function: &FunctionDef) -> Option<&Expr> {
    const KNOWN: [&str; 6] = ["staticmethod", "classmethod", "property", "cache", "lru_cache", "wraps"];
    let is_known = |decorator: &&Expr| {
        let callee = match &decorator.kind {
            ExprKind::Call { func, .. } => func,
            _ => *decorator,
        };
        callee.dotted_name().is_some_and(|name| name.rsplit('.').next().is_some_and(|last| KNOWN.contains(&last)))
    };
    let is_plain = function.role.is_none() && !function.is_jit() && !is_constexpr_function(function);
    function.decorators.iter().find(|decorator| is_plain && !is_known(decorator))
}

/// Deepest chain of inlined calls.
const MAX_CALLS: usize = 64;

impl<'a> Checker<'a> {
    pub(crate) fn call(&mut self, expr: &'a Expr, func: &'a Expr, args: &'a [Argument]) -> R<Val<'a>> {
        let callee = self.eval(func)?;
        if let Val::Builtin(builtin) = &callee
            && builtin.name == "static_assert"
        {
            return self.static_assert(expr.span, args);
        }
        let args = self.call_args(args)?;
        self.cx.builder.set_span(expr.span);
        match callee {
            Val::Bound(receiver, function) if is_builder(function) => match &*receiver {
                Val::Record(record) => self.call_builder(record, function, args, func, expr.span),
                _ => self.apply(Val::Bound(receiver, function), args, expr.span, func.span),
            },
            callee => self.apply(callee, args, expr.span, func.span),
        }
    }

    fn call_args(&mut self, args: &'a [Argument]) -> R<CallArgs<'a>> {
        let mut out = CallArgs { positional: Vec::with_capacity(args.len()), named: Vec::new() };
        for arg in args {
            match arg {
                Argument::Positional(value) => out.positional.push(self.eval_spanned(value)?),
                // tk's functions need nobody to make their operations.
                Argument::Keyword(name, _) if self.frame().interpreted && is_builder_argument(&name.text) => {}
                Argument::Keyword(name, value) => {
                    let arg = self.eval_spanned(value)?;
                    out.named.push((&name.text, name.span, arg));
                }
                Argument::Star(value) => {
                    let arg = self.eval_spanned(value)?;
                    let Some(items) = arg.val.items() else {
                        let message = format!("{} cannot be spread into arguments", self.cx.describe(&arg.val));
                        return Err(self
                            .cx
                            .error(tk_diag::TYPE_MISMATCH, arg.span, message, "")
                            .help("Spread a tuple.")
                            .into());
                    };
                    out.positional.extend(items.iter().map(|item| Spanned { val: item.clone(), span: arg.span }));
                }
                Argument::DoubleStar(value) => {
                    return Err(self.cx.unsupported(value.span, "`**` in a call", "Name the arguments."));
                }
            }
        }
        Ok(out)
    }

    /// Calls any meaning.
    pub(crate) fn apply(&mut self, callee: Val<'a>, mut args: CallArgs<'a>, span: Span, func: Span) -> R<Val<'a>> {
        match callee {
            Val::Builtin(builtin) => self.call_builtin(builtin, args, span),
            Val::Method(receiver, builtin) if matches!(*receiver, Val::Str(_)) => match &*receiver {
                Val::Str(text) => self.cx.string_method(text, builtin.name, args, span),
                _ => Ok(Val::None),
            },
            Val::Method(receiver, builtin) => {
                args.positional.insert(0, Spanned { val: (*receiver).clone(), span: func });
                self.call_builtin(builtin, args, span)
            }
            Val::Function(function) => self.inline(function, args, span).map(|val| val.val),
            Val::Bound(receiver, function) => {
                args.positional.insert(0, Spanned { val: (*receiver).clone(), span: func });
                self.inline(function, args, span).map(|val| val.val)
            }
            Val::Closure(closure) => self.inline_closure(&closure, args, span).map(|val| val.val),
            Val::RecordClass(class) => self.construct_record(&class, args, span),
            Val::TypeMethod(ty, name) => Ok(self.type_method(&ty, name)),
            Val::Class(class) => self.construct(class, args, span),
            Val::Type(ty) if !ty.is_tensor() => {
                let Some(arg) = args.positional.first() else {
                    return Err(self
                        .cx
                        .error(tk_diag::ARGUMENT_COUNT, span, format!("`{ty}(…)` needs a value"), "")
                        .help("Pass one value.")
                        .into());
                };
                let value = self.cx.value_of("the value of a cast", arg)?;
                self.cx.cast(value, &ty.element, None, span).map(Val::Value)
            }
            other => {
                let message = format!("{} cannot be called", self.cx.describe(&other));
                Err(self
                    .cx
                    .error(tk_diag::TYPE_MISMATCH, func, message, "")
                    .help("Call a `@triton.jit` function or a function of `tl`.")
                    .into())
            }
        }
    }

    /// Calls a function of the language.
    fn call_builtin(&mut self, builtin: &'static Builtin, args: CallArgs<'a>, span: Span) -> R<Val<'a>> {
        let args = self.cx.bind_arguments(builtin, args, span)?;
        let saved = self.cx.builder.set_span(span);
        let result = match builtin.run {
            Run::Emits(run) => builtins::emit(&mut self.cx, run, &args),
            Run::Calls(run) => run(self, &args),
        };
        self.cx.builder.set_span(saved);
        result
    }

    fn construct(&mut self, class: Class, args: CallArgs<'a>, span: Span) -> R<Val<'a>> {
        let first = args.positional.into_iter().next();
        match (class, first) {
            // As in Triton, a tensor stays what it is: where a constant is asked for, that is said there.
            (Class::Constexpr, Some(arg)) => Ok(arg.val),
            (Class::ConstexprType, Some(arg)) if arg.val.is_constant() => Ok(Val::ConstantType(Rc::new(arg.val))),
            (Class::Tuple | Class::List, Some(arg)) => Ok(Val::Tuple(self.cx.static_items(&arg)?)),
            (Class::Tuple | Class::List, None) => Ok(Val::tuple(Vec::new())),
            (Class::Str, Some(arg)) if arg.val.is_constant() => Ok(Val::str(&self.cx.python_str(&arg.val))),
            (Class::Dtype, Some(arg)) => {
                let element = self.cx.element_dtype("the name of a type", &arg)?;
                Ok(Val::ty(crate::checked::Type { element, shape: Vec::new() }))
            }
            (Class::PointerType, Some(arg)) => {
                let pointee = Box::new(self.cx.element_dtype("the element type of a pointer", &arg)?);
                let element = crate::checked::Element::Pointer { pointee, constant: false };
                Ok(Val::ty(crate::checked::Type { element, shape: Vec::new() }))
            }
            _ => {
                let message = format!("`{class:?}` cannot be constructed in a kernel");
                Err(self.cx.error(tk_diag::UNSUPPORTED, span, message, "").help("Use the functions of `tl`.").into())
            }
        }
    }

    /// Runs a function of the file in place of its call.
    pub(crate) fn inline(&mut self, function: &'a FunctionDef, args: CallArgs<'a>, span: Span) -> R<Spanned<'a>> {
        if function.is_operation() {
            return Err(self.foreign_operation(function, span).into());
        }
        if let Some(decorator) = unknown_decorator(function) {
            return Err(self.made_by(function, decorator, span).into());
        }
        let interpreted = self.is_interpreted(function, &args);
        if !function.is_jit() && !interpreted {
            let message = format!("`{}` is a host function and cannot be called from a kernel", function.name.text);
            return Err(self
                .cx
                .error(tk_diag::UNSUPPORTED, span, message, "called here")
                .at(&self.cx.file, function.name.span, "defined without `@triton.jit`")
                .help("Put `@triton.jit` above it; functions without it run at compile time, on constants.")
                .into());
        }
        let bound = self.bind_parameters(function, args, span)?;
        if !interpreted && let Some(result) = self.outlined(Callee { function, closure: None }, &bound, span)? {
            return Ok(result);
        }
        let own = interpreted.then_some(function);
        let frame = Frame { interpreted, function: own, ..Frame::default() };
        self.run_inlined(function, bound, frame, span).map(|(result, _)| result)
    }

    /// Runs a function inside a function in place of its call.
    fn inline_closure(&mut self, closure: &Rc<Closure<'a>>, args: CallArgs<'a>, span: Span) -> R<Spanned<'a>> {
        let function = closure.function;
        let bound = self.bind_parameters(function, args, span)?;
        let callee = Callee { function, closure: Some(closure.clone()) };
        if function.is_jit()
            && let Some(result) = self.outlined(callee, &bound, span)?
        {
            return Ok(result);
        }
        let own = (!function.is_jit()).then_some(function);
        let interpreted = own.is_some();
        let frame = Frame { interpreted, function: own, closure: Some(closure.clone()), ..Frame::default() };
        self.run_inlined(function, bound, frame, span).map(|(result, _)| result)
    }

    /// The error for an operation that another compiler adds to the language.
    pub(crate) fn foreign_operation(&self, function: &FunctionDef, span: Span) -> Diagnostic {
        let message = format!("`{}` is an operation of another compiler, which tk does not have", function.name.text);
        self.cx
            .error(tk_diag::FOREIGN_OPERATION, span, message, "called here")
            .at(&self.cx.file, function.name.span, "its code makes IR of that compiler")
            .help("Write it with functions of `tl`, such as `tl.inline_asm_elementwise`, in a `@triton.jit` function.")
    }

    fn made_by(&self, function: &FunctionDef, decorator: &Expr, span: Span) -> Diagnostic {
        let name = &function.name.text;
        let message = format!("`{name}` has a decorator that tk does not know, which says what it is in a kernel");
        self.cx
            .error(tk_diag::FOREIGN_OPERATION, span, message, "called here")
            .at(&self.cx.file, decorator.span, "this decorator")
            .help("Functions of kernels have `@triton.jit`, functions that run at compile time `@triton.constexpr_function`.")
    }

    /// Runs a function in its own frame, and gives what it returns and its variables.
    pub(crate) fn run_inlined(
        &mut self,
        function: &'a FunctionDef,
        bound: Vec<(&'a str, Spanned<'a>)>,
        frame: Frame<'a>,
        span: Span,
    ) -> R<(Spanned<'a>, Scope<'a>)> {
        if self.frames.len() >= MAX_CALLS {
            let message = format!("calls of `{}` nest more than {MAX_CALLS} deep", function.name.text);
            let help = "A recursion must end at a condition on constexprs.";
            return Err(self.cx.error(tk_diag::NESTING_TOO_DEEP, span, message, "").help(help).into());
        }
        self.step(span)?;
        self.enter(span)?;
        let call = self.call_sites.len() as u32;
        let caller = self.cx.builder.loc();
        self.call_sites.push(crate::checked::Loc { span, call: caller.call });
        let saved = self.cx.builder.set_span(span);
        let interpreted = frame.interpreted;
        self.push_frame(Frame { call: (!frame.outlined).then_some(call), ..frame });
        for (name, arg) in bound {
            let param = function.params.iter().find(|param| self.trace.is_some() && param.name.text == name);
            if let Some(param) = param {
                self.note(param.name.span, Role::Bound, &arg.val);
            }
            self.frame_mut().scope.insert(name, crate::value::Binding { val: arg.val, span: arg.span });
        }
        let result = if interpreted { self.interpret(function) } else { self.exec_function(function) };
        let scope = self.pop_frame().scope;
        self.cx.builder.set_span(saved);
        self.leave();
        match result {
            // The error leaves the frame, which `report` would name.
            Err(Stop::Error(error)) if interpreted => Err(error.at(&self.cx.file, span, "in this call").into()),
            result => result.map(|result| (result, scope)),
        }
    }

    pub(crate) fn bind_parameters(
        &mut self,
        function: &'a FunctionDef,
        args: CallArgs<'a>,
        span: Span,
    ) -> R<Vec<(&'a str, Spanned<'a>)>> {
        let mut bound: Vec<(&'a str, Spanned<'a>)> = Vec::with_capacity(function.params.len());
        let mut positional = args.positional.into_iter();
        let mut named = args.named;
        self.check_names(function, &named)?;
        for param in &function.params {
            let name = param.name.text.as_str();
            let mut take_named = || named.iter().position(|(n, ..)| *n == name).map(|i| named.swap_remove(i));
            let arg = match param.kind {
                ParamKind::VarArgs => {
                    let items: Vec<Val<'a>> = positional.by_ref().map(|arg| arg.val).collect();
                    bound.push((name, Spanned { val: Val::tuple(items), span }));
                    continue;
                }
                ParamKind::KeywordArgs => {
                    if named.is_empty() {
                        continue;
                    }
                    return Err(self.cx.unsupported(param.name.span, "`**kwargs`", "Name the parameters."));
                }
                ParamKind::KeywordOnly => None,
                ParamKind::Normal | ParamKind::PositionalOnly => positional.next(),
            };
            let keyword = take_named();
            let arg = match (arg, keyword) {
                (Some(_), Some((_, name_span, _))) => {
                    let message = format!("`{}` is given `{name}` twice", function.name.text);
                    return Err(self
                        .cx
                        .error(tk_diag::ARGUMENT_COUNT, name_span, message, "")
                        .help("Remove one of the two.")
                        .into());
                }
                (Some(arg), None) | (None, Some((_, _, arg))) => arg,
                (None, None) => match &param.default {
                    Some(default) => self.default_value(default)?,
                    None => {
                        let message = format!("`{}` needs an argument for `{name}`", function.name.text);
                        return Err(self
                            .cx
                            .error(tk_diag::ARGUMENT_COUNT, span, message, "missing in this call")
                            .at(&self.cx.file, param.name.span, "the parameter")
                            .help("Pass it, or give the parameter a default.")
                            .into());
                    }
                },
            };
            bound.push((name, arg));
        }
        if let Some(extra) = positional.next() {
            let count = crate::builtin::arguments(function.params.len());
            let message = format!("`{}` takes at most {count}", function.name.text);
            return Err(self
                .cx
                .error(tk_diag::ARGUMENT_COUNT, extra.span, message, "one too many")
                .at(&self.cx.file, function.name.span, "defined here")
                .help("Remove it.")
                .into());
        }
        Ok(bound)
    }

    /// Keyword arguments that no parameter takes.
    fn check_names(&self, function: &FunctionDef, named: &[(&'a str, Span, Spanned<'a>)]) -> R<()> {
        if function.params.iter().any(|param| param.kind == ParamKind::KeywordArgs) {
            return Ok(());
        }
        let known = || function.params.iter().map(|p| p.name.text.as_str());
        let Some((wrong, at, _)) = named.iter().find(|(name, ..)| known().all(|p| p != *name)) else { return Ok(()) };
        let help = tk_diag::nearest(wrong, known()).map_or_else(
            || "Its definition lists the parameters.".to_string(),
            |near| format!("Did you mean `{near}`?"),
        );
        let name = &function.name.text;
        Err(self
            .cx
            .error(tk_diag::BAD_ARGUMENT, *at, format!("`{name}` has no parameter `{wrong}`"), "")
            .at(&self.cx.file, function.name.span, "defined here")
            .help(help)
            .into())
    }

    /// A default value, evaluated where the function is defined.
    fn default_value(&mut self, default: &'a Expr) -> R<Spanned<'a>> {
        let val = self.evaluate_constant(default, default.span)?;
        Ok(Spanned { val, span: default.span })
    }

    fn static_assert(&mut self, span: Span, args: &'a [Argument]) -> R<Val<'a>> {
        let exprs: Vec<&'a Expr> = args
            .iter()
            .filter_map(|arg| match arg {
                Argument::Positional(expr) | Argument::Keyword(_, expr) => Some(expr),
                _ => None,
            })
            .collect();
        let (Some(condition), true) = (exprs.first(), exprs.len() <= 2) else {
            let message = "`static_assert` takes a condition and a message";
            return Err(self
                .cx
                .error(tk_diag::ARGUMENT_COUNT, span, message, "")
                .help("Write `tl.static_assert(condition, \"message\")`.")
                .into());
        };
        let test = self.eval_spanned(condition)?;
        if self.cx.constant_bool("the condition of `static_assert`", &test)? {
            return Ok(Val::None);
        }
        let message = match exprs.get(1).map(|expr| self.eval(expr)) {
            Some(Ok(val)) => format!("static assertion failed: {}", self.cx.python_str(&val)),
            Some(Err(Stop::Error(_) | Stop::Poisoned)) | None => "static assertion failed".to_string(),
        };
        let help = "The condition is evaluated at compile time for this specialisation.";
        Err(self.cx.error(tk_diag::ASSERTION_FAILED, condition.span, message, "this is false").help(help).into())
    }
}

impl Emitter for Checker<'_> {
    fn cx(&mut self) -> &mut Context {
        &mut self.cx
    }
}

impl<'a> Interpreter<'a> for Checker<'a> {
    fn combine(&mut self, function: &Spanned<'a>, args: &[Value], span: Span) -> R<Vec<Value>> {
        let positional = args.iter().map(|v| Spanned { val: Val::Value(*v), span }).collect();
        let call = CallArgs { positional, named: Vec::new() };
        let loops = self.frame().loops;
        self.combining += 1;
        let result = self.apply(function.val.clone(), call, span, function.span);
        self.combining -= 1;
        self.frame_mut().loops = loops;
        let result = result?;
        let parts: Rc<[Val<'a>]> = match &result {
            Val::Tuple(items) => items.clone(),
            other => Rc::from(vec![other.clone()]),
        };
        parts
            .iter()
            .map(|part| self.cx.value_of("what a combine function returns", &Spanned { val: part.clone(), span }))
            .collect()
    }

    fn map(&mut self, function: &Spanned<'a>, args: Vec<Spanned<'a>>, shape: Vec<u32>, span: Span) -> R<Val<'a>> {
        let outer = self.cx.mapped.replace(shape);
        let call = CallArgs { positional: args, named: Vec::new() };
        let result = self.apply(function.val.clone(), call, span, function.span);
        self.cx.mapped = outer;
        result
    }

    fn attribute_of(&mut self, value: &Spanned<'a>, name: &str, span: Span) -> R<Val<'a>> {
        self.member(value, &Ident { text: name.to_string(), span })
    }

    fn has_name(&mut self, part: usize, name: &str) -> bool {
        self.file_has_name(part, name)
    }
}
