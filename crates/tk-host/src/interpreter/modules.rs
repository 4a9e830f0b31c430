//! The modules `functools`, `itertools` and `pytest`.

use super::args::need;
use super::builtins::unknown;
use super::{Args, Interpreter, MAX_ITEMS};
use crate::exception::{Exception, Result};
use crate::value::{Partial, Value};
use std::rc::Rc;
use tk_diag::HOST_ERROR;

/// `functools.partial`.
pub(super) fn partial<'a>(args: Args<'a>) -> Result<Value<'a>> {
    let mut positional = args.positional.into_iter();
    let function = need(positional.next(), "partial", "a function")?;
    Ok(Value::Partial(Rc::new(Partial { function, positional: positional.collect(), named: args.named })))
}

/// `functools.reduce`.
pub(super) fn reduce<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let span = args.span;
    let [function, items, start] = args.bind("reduce", ["function", "iterable", "initial"])?;
    let function = need(function, "reduce", "function")?;
    let items = interpreter.collect(&need(items, "reduce", "iterable")?)?;
    let mut items = items.into_iter();
    let mut total = start.or_else(|| items.next()).ok_or_else(|| Exception::ty("`reduce` of nothing"))?;
    for item in items {
        total = interpreter.call(&function, Args::of(vec![total, item], span))?;
    }
    Ok(total)
}

pub(super) fn itertools<'a>(interpreter: &mut Interpreter<'a, '_>, name: &str, args: Args<'a>) -> Result<Value<'a>> {
    let columns = args.positional.iter().map(|column| interpreter.collect(column)).collect::<Result<Vec<_>>>()?;
    match name {
        "chain" => Ok(Value::list(columns.concat())),
        "product" => {
            let count = columns.iter().try_fold(1usize, |count, column| count.checked_mul(column.len()));
            if count.is_none_or(|count| count > MAX_ITEMS) {
                return Err(Exception::overflow("this product has too many items"));
            }
            let mut rows = vec![Vec::new()];
            for column in columns {
                let extend = |row: &Vec<Value<'a>>| {
                    column.iter().map(|item| row.iter().cloned().chain([item.clone()]).collect()).collect::<Vec<_>>()
                };
                rows = rows.iter().flat_map(extend).collect();
            }
            Ok(Value::list(rows.into_iter().map(Value::tuple).collect()))
        }
        _ => Err(unknown(&format!("itertools.{name}"))),
    }
}

pub(super) fn pytest<'a>(name: &str, args: Args<'a>) -> Result<Value<'a>> {
    match name {
        "raises" => {
            let expected = need(args.positional.into_iter().next(), "pytest.raises", "the exception")?;
            Ok(Interpreter::object("pytest.raises", vec![("expected".into(), expected)]))
        }
        "skip" => {
            Err(Exception::new("Skipped", HOST_ERROR, args.positional.first().map_or(String::new(), Value::display)))
        }
        "approx" => args.positional.into_iter().next().ok_or_else(|| unknown("pytest.approx")),
        "param" => Ok(match args.positional.as_slice() {
            [only] => only.clone(),
            many => Value::tuple(many.to_vec()),
        }),
        _ => Ok(Value::None),
    }
}
