//! What a meaning is in words, and what of it is known at compile time.

use crate::checked::Literal;
use crate::constant;
use crate::context::Context;
use crate::error::{R, Stop};
use crate::value::{RangeSpec, Spanned, Val};
use std::rc::Rc;
use tk_diag::{Diagnostic, Span};
use tk_grammar::ast::BinaryOp;

impl Context {
    /// A compile-time value as Python's `str` shows it.
    pub(crate) fn python_str<'a>(&self, val: &Val<'a>) -> String {
        match val {
            Val::Str(s) => s.to_string(),
            Val::Type(ty) => self.type_in_words(ty),
            Val::Value(value) => self.value_in_words(self.builder.ty(*value)),
            Val::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.python_str(item)).collect();
                format!("({})", items.join(", "))
            }
            // What says of itself what it is has that in quotes.
            Val::Object(object) => {
                let own = object.description.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
                own.unwrap_or(&object.description).to_string()
            }
            other => other.number().map_or_else(|| self.describe(other), |number| number.to_string()),
        }
    }

    /// `lhs op rhs` of any two meanings.
    pub(crate) fn binary<'a>(&mut self, op: BinaryOp, lhs: &Spanned<'a>, rhs: &Spanned<'a>) -> R<Val<'a>> {
        if matches!(lhs.val, Val::Value(_)) || matches!(rhs.val, Val::Value(_)) {
            return self.runtime_binary(op, lhs, rhs).map(Val::Value);
        }
        constant::binary(op, &lhs.val, &rhs.val).map_err(|fault| {
            let code = match fault {
                constant::Fault::Operands => tk_diag::TYPE_MISMATCH,
                constant::Fault::DivisionByZero => tk_diag::BAD_ARGUMENT,
                constant::Fault::OutOfRange | constant::Fault::TooLong => tk_diag::TOO_LARGE,
            };
            let message = format!("`{}` {}", op.symbol(), fault.message());
            let under = |val: &Val<'a>| self.describe(val);
            self.error(code, lhs.span, message, under(&lhs.val))
                .at(&self.file, rhs.span, under(&rhs.val))
                .help("Both sides are compile-time constants and follow Python's rules.")
                .into()
        })
    }

    /// The items of something that is unrolled: a tuple, or a range of constants.
    pub(crate) fn static_items<'a>(&mut self, source: &Spanned<'a>) -> R<Rc<[Val<'a>]>> {
        match &source.val {
            val if val.items().is_some() => Ok(val.items().cloned().unwrap_or_default()),
            Val::Range(range) => {
                let range = range.clone();
                let numbers = self.unrolled(&range, source.span)?;
                Ok(numbers.into_iter().map(Val::Int).collect())
            }
            other => {
                let message = format!("{} cannot be iterated", self.describe(other));
                let help = "Iterate `range(…)`, `tl.range(…)`, `tl.static_range(…)` or a tuple.";
                Err(self.error(tk_diag::UNSUPPORTED, source.span, message, "").help(help).into())
            }
        }
    }

    /// The numbers of a range of constants.
    pub(crate) fn unrolled<'a>(&self, range: &RangeSpec<'a>, span: Span) -> R<Vec<i128>> {
        let start = self.constant_int("the start of an unrolled range", &range.start)?;
        let stop = self.constant_int("the end of an unrolled range", &range.stop)?;
        let step = self.constant_int("the step of an unrolled range", &range.step)?;
        if step == 0 {
            return Err(self.zero_step(range.step.span));
        }
        let distance = if step > 0 { stop.saturating_sub(start) } else { start.saturating_sub(stop) };
        let count = if distance > 0 { (distance.unsigned_abs() - 1) / step.unsigned_abs() + 1 } else { 0 };
        if count > 100_000 {
            let message = format!("an unrolled loop of {count} iterations is too long");
            return Err(self.error(tk_diag::TOO_LARGE, span, message, "").help("Use `tl.range`.").into());
        }
        // Only a range of one item has a step that is further than its end.
        Ok((0..count as i128).map(|i| if i == 0 { start } else { start + i * step }).collect())
    }

    pub(crate) fn zero_step(&self, span: Span) -> Stop {
        self.error(tk_diag::BAD_ARGUMENT, span, "the step of a range is zero", "")
            .help("Use a step such as 1 or -1.")
            .into()
    }

    /// A short description of a meaning for messages: `fp32[128]`, `4`, `None`, `the function \`f\``.
    pub(crate) fn describe<'a>(&self, val: &Val<'a>) -> String {
        match val {
            Val::Value(value) => self.builder.ty(*value).to_string(),
            Val::None => "None".into(),
            Val::Bool(_) | Val::Int(_) | Val::Float(_) => {
                val.number().map(|n| format!("the constant {n}")).unwrap_or_default()
            }
            Val::Version(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(i128::to_string).collect();
                format!("the version {}", numbers.join("."))
            }
            Val::Str(s) => format!("the string {:?}", s.chars().take(40).collect::<String>()),
            Val::Type(ty) => format!("the type {ty}"),
            Val::ConstantType(constant) => format!("the type of {}", self.describe(constant)),
            Val::Tuple(items) => {
                let items: Vec<String> = items.iter().take(6).map(|item| self.describe(item)).collect();
                format!("a tuple ({})", items.join(", "))
            }
            Val::Function(function) | Val::Bound(_, function) => format!("the function `{}`", function.name.text),
            Val::Closure(closure) => format!("the function `{}`", closure.function.name.text),
            Val::RecordClass(class) => format!("the class `{}`", class.name),
            Val::Record(record) => {
                let items: Vec<String> = record.parts.iter().take(6).map(|item| self.describe(item)).collect();
                format!("{}({})", record.class.name, items.join(", "))
            }
            Val::Builtin(builtin) | Val::Method(_, builtin) => format!("the function `{}`", builtin.name),
            Val::TypeMethod(_, name) => format!("the method `{name}`"),
            Val::Object(object) => object.description.clone(),
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
    pub(crate) fn known_int<'a>(&self, val: &Val<'a>) -> Option<i128> {
        match val {
            Val::Value(value) => match self.builder.literal_of(*value) {
                Some(Literal::Int(i)) if !self.builder.ty(*value).is_tensor() => Some(i),
                _ => None,
            },
            other => other.number()?.as_int(),
        }
    }

    /// An integer that must be known at compile time.
    pub(crate) fn constant_int<'a>(&self, what: &str, arg: &Spanned<'a>) -> R<i128> {
        self.known_int(&arg.val).ok_or_else(|| self.not_constexpr(what, arg, "an integer constant").into())
    }

    /// A flag that must be known at compile time.
    pub(crate) fn constant_bool<'a>(&self, what: &str, arg: &Spanned<'a>) -> R<bool> {
        match &arg.val {
            Val::Value(_) => self
                .known_int(&arg.val)
                .map(|i| i != 0)
                .ok_or_else(|| self.not_constexpr(what, arg, "True or False").into()),
            other => other.truth().ok_or_else(|| self.not_constexpr(what, arg, "True or False").into()),
        }
    }

    /// A string that must be known at compile time.
    pub(crate) fn constant_str<'a>(&self, what: &str, arg: &Spanned<'a>) -> R<Rc<str>> {
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
    pub(crate) fn not_constexpr<'a>(&self, what: &str, arg: &Spanned<'a>, wanted: &str) -> Diagnostic {
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
