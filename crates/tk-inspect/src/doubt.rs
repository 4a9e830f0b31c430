//! Errors that hang on what was guessed: where the parameters behind an error could be something else, it is not told.

use crate::near::Neighbours;
use crate::verdict::{Attempt, Guessed, calls, gets_past, is_same, stands_later};
use std::collections::BTreeSet;
use tk_diag::{Diagnostic, Label, Span};
use tk_grammar::ast::Module;
use tk_guess::{Behind, Question};
use tk_types::{ArgType, ConstValue};

/// Sizes are from here; what is smaller can be a flag, a mode or a count.
const SIZE: i128 = 8;

impl Guessed<'_> {
    /// Whether other arguments than those of this attempt can make an error none.
    pub(crate) fn is_doubtful(&self, attempt: &Attempt<'_>, error: &Diagnostic) -> bool {
        match error.code {
            tk_diag::TYPE_MISMATCH => self.hangs_on_types(attempt, error),
            tk_diag::UNKNOWN_NAME if self.is_of_a_function_around(error) => true,
            tk_diag::UNKNOWN_NAME => {
                let place = error.labels.first().map(|label| label.span);
                place.is_some_and(|place| tk_guess::is_attribute(self.module, place))
                    && self.is_open_behind(attempt, error, Question::Types)
            }
            // Other functions pass constants for parameters that do not say so; launches cannot.
            tk_diag::NOT_CONSTEXPR => {
                let has_constexpr = self.function.params.iter().any(|param| self.module.is_constexpr_param(param));
                let is_helper = attempt.given.is_none() && !has_constexpr && calls(error).next().is_some();
                is_helper || self.guesses.takes_an_instance(self.function)
            }
            tk_diag::ASSERTION_FAILED | tk_diag::NOT_POWER_OF_TWO => {
                self.is_open_behind(attempt, error, Question::Sizes)
            }
            // A name that a function does not take is wrong whatever it is given.
            tk_diag::BAD_ARGUMENT if error.message.contains("has no parameter") => false,
            tk_diag::SHAPE_MISMATCH | tk_diag::BAD_ARGUMENT => {
                let behind = self.behind(error, Question::Sizes);
                let open = self.open(attempt, &behind);
                (is_of_its_value(error) && !open.is_empty())
                    || (is_of_a_scalar(error) && self.is_open_behind(attempt, error, Question::Types))
                    || (behind.divides && !open.is_empty())
                    || open.iter().any(|name| is_no_size(attempt, name))
                    || (error.code == tk_diag::BAD_ARGUMENT && self.hangs_on_a_number(attempt, error))
            }
            _ => false,
        }
    }

    /// One parameter can be tried as all that it can be. Two can be wrong together, and what a constant can be is anything.
    fn hangs_on_types(&self, attempt: &Attempt<'_>, error: &Diagnostic) -> bool {
        if self.unpacks_a_call(error) {
            return false;
        }
        let place = error.labels.first().map(|label| label.span);
        if place.and_then(|place| tk_guess::callee(self.module, place)).is_some_and(|name| self.is_open(attempt, &name))
        {
            return true;
        }
        let behind = self.behind(error, Question::Types);
        let open = self.open(attempt, &behind);
        // A constant is guessed as a number, and this one is a tuple. What has a length is no number either.
        let is_constant = error.message.starts_with("the constant");
        let is_tuple =
            error.message.ends_with("has no length") || is_constant && error.message.ends_with("cannot be indexed");
        if is_tuple && open.iter().any(|name| !name.ends_with("ptr")) {
            return true;
        }
        let is_described = |name: &String| self.guesses.is_described(self.function, name);
        if behind.params.iter().any(is_described) {
            return true;
        }
        let is_size = |name: &str| matches!(constant(attempt, name), Some(ConstValue::Int(SIZE..)));
        let kinds: Vec<&String> = open.iter().filter(|name| !is_size(name)).collect();
        match kinds.as_slice() {
            [] => false,
            [name] => {
                let near = Neighbours::of(self.module, self.function, attempt.given);
                let is_constexpr = self
                    .function
                    .params
                    .iter()
                    .any(|param| param.name.text == **name && self.module.is_constexpr_param(param));
                is_constexpr
                    || near.of_one(&attempt.args, name).iter().any(|args| match self.inspect(args) {
                        Ok(_) => true,
                        Err(errors) => {
                            // Sizes that go with one type need not go with another, and are guessed as constants are.
                            let is_guessed = |one: &Diagnostic| {
                                stands_later(self.module, error, one)
                                    || self.hangs_on_constants(one)
                                    || one.code == tk_diag::SHAPE_MISMATCH
                                        && self.is_open_behind(attempt, one, Question::Sizes)
                            };
                            let others: Vec<Diagnostic> = errors.into_iter().filter(|one| !is_guessed(one)).collect();
                            is_taken_away(self.module, error, &attempt.errors, &others)
                        }
                    })
            }
            _ => true,
        }
    }

    /// Whether a function around the kernel gives the name that is not known: a program that runs has it.
    fn is_of_a_function_around(&self, error: &Diagnostic) -> bool {
        let Some(place) = error.labels.first().map(|label| label.span) else { return false };
        let name = error.message.split('`').nth(1).unwrap_or_default();
        tk_guess::is_bound_around(self.module, place, name)
    }

    /// How many values a call gives hangs on no type.
    fn unpacks_a_call(&self, error: &Diagnostic) -> bool {
        let [target, value, ..] = error.labels.as_slice() else { return false };
        tk_guess::is_tuple(self.module, target.span) && !tk_guess::is_value(self.module, value.span)
    }

    /// Whether a number of the launch is behind it: launches make a 1 a constant, and a guess cannot know.
    fn hangs_on_a_number(&self, attempt: &Attempt<'_>, error: &Diagnostic) -> bool {
        let open = self.open(attempt, &self.behind(error, Question::Types));
        let numbers =
            attempt.args.iter().filter(|arg| open.contains(&arg.name) && matches!(arg.ty, ArgType::Scalar(_)));
        numbers.into_iter().any(|number| {
            let mut args = attempt.args.clone();
            let one = args.iter_mut().filter(|arg| arg.name == number.name);
            one.for_each(|arg| arg.ty = ArgType::Constexpr(ConstValue::Int(1)));
            // It is asked for or not: what comes of it elsewhere says nothing of this place.
            self.inspect(&args).err().is_none_or(|errors| !errors.iter().any(|other| is_same(other, error)))
        })
    }

    /// What stands behind the places that an error names.
    fn behind(&self, error: &Diagnostic, question: Question) -> Behind {
        let calls: Vec<&Label> = calls(error).collect();
        let is_place = |label: &&Label| {
            !label.text.ends_with("comes from here") && calls.iter().all(|call| call.span != label.span)
        };
        let places: Vec<Span> = error.labels.iter().filter(is_place).map(|label| label.span).collect();
        let calls: Vec<Span> = calls.iter().map(|label| label.span).collect();
        tk_guess::behind(self.module, &calls, &places, question)
    }

    /// Whether a parameter behind an error was guessed.
    fn is_open_behind(&self, attempt: &Attempt<'_>, error: &Diagnostic, question: Question) -> bool {
        !self.open(attempt, &self.behind(error, question)).is_empty()
    }

    /// Of the parameters behind an error those that were guessed. What has the methods of a descriptor is one.
    fn open(&self, attempt: &Attempt<'_>, behind: &Behind) -> BTreeSet<String> {
        let is_descriptor =
            |name: &str| attempt.args.iter().any(|arg| arg.name == name && matches!(arg.ty, ArgType::Descriptor(_)));
        let is_open = |name: &&String| !is_descriptor(name) && self.is_open(attempt, name);
        behind.params.iter().filter(is_open).cloned().collect()
    }

    fn is_open(&self, attempt: &Attempt<'_>, name: &str) -> bool {
        self.guesses.is_open(self.function, attempt.given, name)
    }
}

/// Whether an error is about the value of a constant, which is guessed as a size: an axis, a stride, or a dimension or a range that
/// becomes 0 by a division.
fn is_of_its_value(error: &Diagnostic) -> bool {
    error.message.starts_with("invalid axis")
        || ["must be positive, and 0 is not", "and 0 is not above 0", "must be the constant 1"]
            .iter()
            .any(|end| error.message.ends_with(end))
}

/// Whether a block or a tuple is asked for where a number is: functions take all of them, and a guess is a number.
fn is_of_a_scalar(error: &Diagnostic) -> bool {
    error.message.starts_with("a reshape") && error.message.contains(" has 1 where ")
        || error.message.ends_with("of a tensor that has 0")
}

/// The constant that an attempt gives a parameter.
fn constant<'a>(attempt: &'a Attempt<'_>, name: &str) -> Option<&'a ConstValue> {
    attempt.args.iter().find(|arg| arg.name == name).and_then(|arg| arg.constant())
}

/// Whether a constant that a size is made of was guessed as something that is none.
fn is_no_size(attempt: &Attempt<'_>, name: &str) -> bool {
    constant(attempt, name).is_some_and(|value| !matches!(value, ConstValue::Int(SIZE..)))
}

/// Whether an error is gone with other arguments, and nothing else came in its statement or before it.
fn is_taken_away(module: &Module, error: &Diagnostic, before: &[Diagnostic], after: &[Diagnostic]) -> bool {
    let (old, new): (Vec<&Diagnostic>, Vec<&Diagnostic>) =
        after.iter().partition(|one| before.iter().any(|other| is_same(one, other)));
    let new: Vec<Diagnostic> = new.into_iter().cloned().collect();
    old.iter().all(|one| !is_same(one, error)) && gets_past(module, error, &new)
}
