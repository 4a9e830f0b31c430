//! Calls that stay calls: functions under `@triton.jit(noinline=True)`, and all of them in the text for readers
//! ([`crate::check_calls`]).
//!
//! Such a function is checked once for each combination of argument types and constants, in a block of its own, and called
//! from everywhere. Numbers known at compile time are part of the combination and no arguments. What a call cannot pass on,
//! or a function body cannot hold, is inlined as any other function, and the kernel keeps the reason.

use crate::check::{Calls, Checker, Frame};
use crate::checked::{Block, Element, Function, Op, OpKind, Type, Value};
use crate::error::R;
use crate::value::{Closure, Spanned, Val};
use crate::value::{leaves_of, refill};
use std::fmt::Write;
use std::rc::Rc;
use tk_diag::Span;
use tk_grammar::ast::FunctionDef;

/// A function that is called.
#[derive(Clone, Debug)]
pub(crate) struct Callee<'a> {
    pub(crate) function: &'a FunctionDef,
    /// What it sees of the function that it stands in.
    pub(crate) closure: Option<Rc<Closure<'a>>>,
}

impl<'a> Callee<'a> {
    fn is(&self, other: &Callee<'a>) -> bool {
        let closures = match (&self.closure, &other.closure) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        closures && std::ptr::eq(self.function, other.function)
    }
}

/// One combination of a function and what is known of its arguments.
#[derive(Debug)]
pub(crate) struct Outlined<'a> {
    callee: Callee<'a>,
    /// The types and constants of its arguments, in words.
    key: String,
    /// Its number in [`crate::checked::Kernel::functions`] and the pattern of its results; nothing while it is being checked, and
    /// a reason where it is inlined.
    made: Made<'a>,
}

#[derive(Debug)]
enum Made<'a> {
    Open,
    Function(u32, Val<'a>),
    Inlined,
}

impl<'a> Checker<'a> {
    /// Calls a function that is kept apart; nothing when it has to be inlined.
    pub(crate) fn outlined(
        &mut self,
        callee: Callee<'a>,
        bound: &[(&'a str, Spanned<'a>)],
        span: Span,
    ) -> R<Option<Spanned<'a>>> {
        let function = callee.function;
        if self.calls == Calls::Inlined && !function.is_noinline() {
            return Ok(None);
        }
        let (mut key, mut leaves) = (String::new(), Vec::new());
        for (name, arg) in bound {
            if let (Val::Value(value), true) = (&arg.val, function.is_noinline()) {
                self.cx.passed_by_triton(&function.name.text, name, self.cx.builder.ty(*value), span)?;
            }
            if let Err(why) = self.describe_part(&arg.val, &mut key, &mut leaves) {
                self.note_inlined(function, why);
                return Ok(None);
            }
        }
        if self.cx.mapped.is_some() || self.combining > 0 {
            self.note_inlined(function, "it is called for single elements");
            return Ok(None);
        }
        let known = self.outlined.iter().position(|known| known.callee.is(&callee) && known.key == key);
        let at = match known {
            Some(at) => at,
            None => {
                let at = self.outlined.len();
                self.outlined.push(Outlined { callee: callee.clone(), key, made: Made::Open });
                let made = match self.outline(&callee, bound, &leaves, span) {
                    Ok(Some((number, results))) => Made::Function(number, results),
                    Ok(None) => Made::Inlined,
                    Err(stop) => {
                        self.outlined.truncate(at);
                        return Err(stop);
                    }
                };
                self.outlined[at].made = made;
                at
            }
        };
        let (number, pattern) = match &self.outlined[at].made {
            Made::Function(number, pattern) => (*number, pattern.clone()),
            Made::Inlined => return Ok(None),
            Made::Open => return Err(self.calls_itself(function, span)),
        };
        let types = self.functions[number as usize]
            .body
            .yields
            .iter()
            .map(|value| self.cx.builder.ty(*value).clone())
            .collect();
        let operands = leaves.into_iter().filter(|leaf| self.is_passed(*leaf)).collect();
        let results = self.cx.builder.op(OpKind::Call { function: number }, operands, types, Vec::new());
        Ok(Some(Spanned { val: refill(&pattern, &mut results.into_iter()), span }))
    }

    fn calls_itself(&self, function: &FunctionDef, span: Span) -> crate::error::Stop {
        let name = &function.name.text;
        let message = format!("`{name}` is marked `noinline` and calls itself with arguments of the same types");
        self.cx
            .error(tk_diag::UNSUPPORTED, span, message, "")
            .at(&self.cx.file, function.name.span, "defined here")
            .help("A GPU function has no stack to recurse on: write a loop, or let a constexpr end the recursion.")
            .into()
    }

    /// Whether a call passes a value on. Numbers are what the function is made for; readers see that they are given.
    fn is_passed(&self, value: Value) -> bool {
        self.calls == Calls::Kept || self.cx.builder.literal_of(value).is_none()
    }

    /// Adds what a call depends on to its key, and the values that it passes on; an error says what cannot be passed.
    fn describe_part(&self, val: &Val<'a>, key: &mut String, leaves: &mut Vec<Value>) -> Result<(), &'static str> {
        let written = match val {
            Val::Value(value) => {
                let ty = self.cx.builder.ty(*value);
                if matches!(ty.element, Element::Descriptor { .. }) {
                    return Err("a descriptor is an argument");
                }
                leaves.push(*value);
                match self.cx.builder.literal_of(*value) {
                    Some(literal) => write!(key, "{ty}={literal};"),
                    None => write!(key, "{ty};"),
                }
            }
            Val::Tuple(items) => {
                key.push('(');
                items.iter().try_for_each(|item| self.describe_part(item, key, leaves))?;
                key.write_str(")")
            }
            Val::Record(record) => {
                write!(key, "{}(", record.class.name).map_err(|_| "its name is not text")?;
                record.parts.iter().try_for_each(|part| self.describe_part(part, key, leaves))?;
                key.write_str(")")
            }
            Val::None | Val::Bool(_) | Val::Int(_) | Val::Float(_) | Val::Str(_) | Val::Type(_) => {
                write!(key, "{val:?};")
            }
            Val::Function(function) => write!(key, "{}@{};", function.name.text, function.name.span.start),
            Val::Closure(closure) => write!(key, "{}@{:p};", closure.function.name.text, Rc::as_ptr(closure)),
            Val::Builtin(builtin) => write!(key, "tl.{};", builtin.name),
            Val::PropagateNan(_) | Val::Class(_) | Val::ConstantType(_) => write!(key, "{val:?};"),
            Val::BlockPointer(_) => return Err("a block pointer is an argument"),
            Val::Descriptor(_) => return Err("a descriptor is an argument"),
            _ => return Err("an argument is no number, pointer, tensor or constant"),
        };
        written.map_err(|_| "its arguments have no name")
    }

    /// Checks the function for these arguments; nothing when its body has to be inlined.
    fn outline(
        &mut self,
        callee: &Callee<'a>,
        bound: &[(&'a str, Spanned<'a>)],
        leaves: &[Value],
        span: Span,
    ) -> R<Option<(u32, Val<'a>)>> {
        let Callee { function, closure } = callee.clone();
        let (warnings, printed) = (self.cx.warnings.len(), self.cx.printed.len());
        self.cx.builder.open_block();
        let mut inner = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let ty = self.cx.builder.ty(*leaf).clone();
            let literal = self.cx.builder.literal_of(*leaf);
            let argument = self.is_passed(*leaf).then(|| self.cx.builder.block_argument(ty.clone(), None));
            inner.push(match (literal, argument) {
                (Some(literal), _) => self.cx.builder.literal(literal, ty),
                (None, Some(argument)) => argument,
                (None, None) => self.cx.builder.block_argument(ty, None),
            });
        }
        // Its place among the functions: callers stand before what they call.
        let place = self.functions.len();
        self.functions.push(Function {
            name: self.name_of(callee, bound),
            body: Block::default(),
            is_noinline: function.is_noinline(),
            span: function.name.span,
        });
        let mut inner = inner.into_iter();
        let arguments = bound
            .iter()
            .map(|(name, arg)| (*name, Spanned { val: refill(&arg.val, &mut inner), span: arg.span }))
            .collect();
        let frame = Frame { outlined: true, closure, ..Frame::default() };
        let result = self.run_inlined(function, arguments, frame, span);
        let mut body = self.cx.builder.close_block();
        let (result, _) = result.inspect_err(|_| self.forget_outlined(place))?;
        let mut yields = Vec::new();
        let reason = match leaves_of(&result.val, &mut yields) {
            false => Some("its result has no one value"),
            true => self.reason_to_inline(&body, &yields),
        };
        if let Some(why) = reason {
            self.note_inlined(function, why);
            self.forget_outlined(place);
            self.cx.warnings.truncate(warnings);
            self.cx.printed.truncate(printed);
            return Ok(None);
        }
        body.yields = yields;
        self.functions[place].body = body;
        Ok(Some((place as u32, result.val)))
    }

    /// A name that no function has yet.
    fn name_of(&self, callee: &Callee<'a>, bound: &[(&'a str, Spanned<'a>)]) -> String {
        let number = self.functions.len();
        if self.calls == Calls::Kept {
            let name = self.mangled(callee, bound);
            let is_taken = self.functions.iter().any(|function| function.name == name);
            return if is_taken { format!("{name}{number}") } else { name };
        }
        // Names of PTX are ASCII.
        let name = &callee.function.name.text;
        let stem = if name.is_ascii() { name.as_str() } else { "function" };
        format!("{stem}__{number}")
    }

    fn reason_to_inline(&self, body: &Block, yields: &[Value]) -> Option<&'static str> {
        let is_descriptor = |ty: &Type| matches!(ty.element, Element::Descriptor { .. });
        if yields.iter().any(|value| is_descriptor(self.cx.builder.ty(*value))) {
            return Some("it gives back a descriptor");
        }
        let odd = |value: &Value| self.cx.builder.ty(*value).shape.iter().any(|dim| !dim.is_power_of_two());
        if body.args.iter().chain(yields).any(odd) {
            return Some("a dimension is no power of two");
        }
        any_op(body, &mut |op| matches!(op.kind, OpKind::MakeDescriptor { .. })).then_some("it makes a descriptor")
    }

    /// Forgets the functions from `count` on, whose values are gone.
    pub(crate) fn forget_outlined(&mut self, count: usize) {
        self.functions.truncate(count);
        self.outlined.retain(|known| !matches!(known.made, Made::Function(number, _) if number as usize >= count));
    }

    fn note_inlined(&mut self, function: &FunctionDef, why: &str) {
        if !function.is_noinline() {
            return;
        }
        let note = format!("`{}` is inlined although it is marked noinline: {why}", function.name.text);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Whether a test holds for an op of a block, nested ones included.
fn any_op(block: &Block, test: &mut impl FnMut(&Op) -> bool) -> bool {
    block.ops.iter().any(|op| test(op) || op.blocks.iter().any(|inner| any_op(inner, test)))
}
