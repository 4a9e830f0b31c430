//! Builtins that make, walk and order containers.

use super::super::args::need;
use super::super::evaluate::{Items, set_of};
use super::super::operators::order;
use super::super::{Args, Interpreter, MAX_ITEMS, convert};
use crate::exception::{Exception, Result};
use crate::value::{Dict, Value, range_length};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;
use tk_grammar::ast::BinaryOp;

pub(super) fn any<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    has(interpreter, args.one("any")?, true).map(Value::Bool)
}

pub(super) fn all<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    has(interpreter, args.one("all")?, false).map(|found| Value::Bool(!found))
}

/// Whether an item has this truth; later ones are not looked at.
fn has<'a>(interpreter: &mut Interpreter<'a, '_>, items: Value<'a>, wanted: bool) -> Result<bool> {
    for item in interpreter.items(&items)? {
        if item.truth()? == wanted {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn enumerate<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [items, start] = args.bind("enumerate", ["iterable", "start"])?;
    let items = interpreter.collect(&need(items, "enumerate", "iterable")?)?;
    let start = start.map_or(Ok(0), |start| convert::int(&start, "start"))?;
    let pair = |(i, item): (usize, Value<'a>)| Value::tuple(vec![Value::Int(start + i as i128), item]);
    Ok(Value::list(items.into_iter().enumerate().map(pair).collect()))
}

pub(super) fn zip<'a>(interpreter: &mut Interpreter<'a, '_>, mut args: Args<'a>) -> Result<Value<'a>> {
    args.ignore(&["strict"]);
    args.only("zip", &["strict"])?;
    let columns = args.positional.iter().map(|column| interpreter.items(column)).collect::<Result<Vec<_>>>()?;
    Ok(Value::list(zipped(columns)?))
}

pub(super) fn map<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    args.only("map", &[])?;
    let function = need(args.positional.first().cloned(), "map", "function")?;
    let columns = args.positional[1..].iter().map(|column| interpreter.items(column)).collect::<Result<Vec<_>>>()?;
    let rows = zipped(columns)?;
    let mut out = Vec::with_capacity(rows.len());
    for row in rows {
        let Value::Tuple(row) = row else { continue };
        out.push(interpreter.call(&function, Args::of(row.to_vec(), args.span))?);
    }
    Ok(Value::list(out))
}

pub(super) fn filter<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let span = args.span;
    let [function, items] = args.bind("filter", ["function", "iterable"])?;
    let function = need(function, "filter", "function")?;
    let mut out = Vec::new();
    for item in interpreter.collect(&need(items, "filter", "iterable")?)? {
        let keep = match function {
            Value::None => item.truth()?,
            _ => interpreter.call(&function, Args::of(vec![item.clone()], span))?.truth()?,
        };
        if keep {
            out.push(item);
        }
    }
    Ok(Value::list(out))
}

pub(super) fn reversed<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let mut items = interpreter.collect(&args.one("reversed")?)?;
    items.reverse();
    Ok(Value::list(items))
}

pub(super) fn list<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    optional_items(interpreter, "list", args).map(Value::list)
}

pub(super) fn tuple<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    optional_items(interpreter, "tuple", args).map(Value::tuple)
}

pub(super) fn set<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    set_of(optional_items(interpreter, "set", args)?)
}

fn optional_items<'a>(interpreter: &mut Interpreter<'a, '_>, name: &str, args: Args<'a>) -> Result<Vec<Value<'a>>> {
    let [items] = args.bind(name, ["iterable"])?;
    items.map_or(Ok(Vec::new()), |items| interpreter.collect(&items))
}

pub(super) fn dict<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let mut dict = Dict::default();
    match args.positional.as_slice() {
        [] => {}
        [Value::Dict(other)] => dict = other.borrow().clone(),
        [pairs] => {
            for pair in interpreter.collect(pairs)? {
                match interpreter.collect(&pair)?.as_slice() {
                    [key, value] => dict.insert(key.clone(), value.clone())?,
                    _ => return Err(Exception::value("`dict` needs pairs of a key and a value")),
                }
            }
        }
        _ => return Err(Exception::ty("`dict` takes one argument by position")),
    }
    for (name, value) in args.named {
        dict.insert(Value::Str(name), value)?;
    }
    Ok(Value::Dict(Rc::new(RefCell::new(dict))))
}

pub(super) fn range<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    args.only("range", &[])?;
    let ints =
        args.positional.iter().map(|value| convert::int(value, "an argument of range")).collect::<Result<Vec<_>>>()?;
    match ints.as_slice() {
        [stop] => Ok(Value::Range(0, *stop, 1)),
        [start, stop] => Ok(Value::Range(*start, *stop, 1)),
        [_, _, 0] => Err(Exception::value("the step of a range must not be 0")),
        [start, stop, step] => Ok(Value::Range(*start, *stop, *step)),
        _ => Err(Exception::ty("`range` takes one to three arguments")),
    }
}

pub(super) fn slice<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    args.only("slice", &[])?;
    let parts = match args.positional.as_slice() {
        [stop] => [Value::None, stop.clone(), Value::None],
        [start, stop] => [start.clone(), stop.clone(), Value::None],
        [start, stop, step] => [start.clone(), stop.clone(), step.clone()],
        _ => return Err(Exception::ty("`slice` takes one to three arguments")),
    };
    Ok(Value::Slice(Rc::new(parts)))
}

pub(super) fn len<'a>(_: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let length = match &args.one("len")? {
        Value::Str(text) => text.chars().count(),
        Value::Tuple(items) => items.len(),
        Value::List(items) => items.borrow().len(),
        Value::Dict(dict) | Value::Set(dict) => dict.borrow().entries().len(),
        Value::Range(start, stop, step) => return Ok(Value::Int(range_length(*start, *stop, *step))),
        Value::Tensor(tensor) if tensor.rank() > 0 => tensor.shape[0],
        other => return Err(Exception::ty(format!("a {} has no length", other.class()))),
    };
    Ok(Value::Int(length as i128))
}

pub(super) fn extreme<'a>(interpreter: &mut Interpreter<'a, '_>, name: &str, mut args: Args<'a>) -> Result<Value<'a>> {
    let key = args.take("key");
    let default = args.take("default");
    args.only(name, &["key", "default"])?;
    let items = match args.positional.as_slice() {
        [only] => interpreter.collect(only)?,
        many => many.to_vec(),
    };
    let wanted = if name == "max" { Ordering::Greater } else { Ordering::Less };
    let mut best: Option<(Value<'a>, Value<'a>)> = None;
    for item in items {
        let rank = match &key {
            Some(key) => interpreter.call(key, Args::of(vec![item.clone()], args.span))?,
            None => item.clone(),
        };
        let better = match &best {
            None => true,
            Some((_, old)) => order(&rank, old)? == Some(wanted),
        };
        if better {
            best = Some((item, rank));
        }
    }
    best.map(|best| best.0).or(default).ok_or_else(|| Exception::value(format!("`{name}` of nothing")))
}

pub(super) fn sum<'a>(interpreter: &mut Interpreter<'a, '_>, args: Args<'a>) -> Result<Value<'a>> {
    let [items, start] = args.bind("sum", ["iterable", "start"])?;
    let items = need(items, "sum", "iterable")?;
    let mut total = start.unwrap_or(Value::Int(0));
    for item in interpreter.items(&items)? {
        interpreter.step()?;
        total = interpreter.binary(BinaryOp::Add, &total, &item)?;
    }
    Ok(total)
}

pub(super) fn sorted<'a>(interpreter: &mut Interpreter<'a, '_>, mut args: Args<'a>) -> Result<Value<'a>> {
    let key = args.take("key");
    let reverse = args.take("reverse").map_or(Ok(false), |reverse| reverse.truth())?;
    let span = args.span;
    let items = interpreter.collect(&args.one("sorted")?)?;
    Ok(Value::list(interpreter.sort(items, key, reverse, span)?))
}

impl<'a> Interpreter<'a, '_> {
    /// Sorts items by their keys, or by themselves; equal ones keep their order.
    pub(crate) fn sort(
        &mut self,
        items: Vec<Value<'a>>,
        key: Option<Value<'a>>,
        reverse: bool,
        span: tk_diag::Span,
    ) -> Result<Vec<Value<'a>>> {
        let mut ranked = Vec::with_capacity(items.len());
        for item in items {
            let rank = match &key {
                Some(key) => self.call(key, Args::of(vec![item.clone()], span))?,
                None => item.clone(),
            };
            ranked.push((rank, item));
        }
        let ranked = merge_sort(ranked, &mut |a, b| {
            let found = order(&a.0, &b.0)?.unwrap_or(Ordering::Equal);
            Ok(if reverse { found.reverse() } else { found })
        })?;
        Ok(ranked.into_iter().map(|(_, item)| item).collect())
    }
}

/// A stable sort whose comparison may fail; unlike the standard one it bears orders that are not total, as with NaN.
fn merge_sort<T>(mut items: Vec<T>, compare: &mut dyn FnMut(&T, &T) -> Result<Ordering>) -> Result<Vec<T>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let right = items.split_off(items.len() / 2);
    let mut left = merge_sort(items, compare)?.into_iter().peekable();
    let mut right = merge_sort(right, compare)?.into_iter().peekable();
    let mut out = Vec::with_capacity(left.len() + right.len());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let first = if compare(b, a)?.is_lt() { &mut right } else { &mut left };
        out.extend(first.next());
    }
    out.extend(left);
    out.extend(right);
    Ok(out)
}

fn zipped<'a>(mut columns: Vec<Items<'a>>) -> Result<Vec<Value<'a>>> {
    let mut rows = Vec::new();
    while !columns.is_empty() {
        let row: Option<Vec<Value<'a>>> = columns.iter_mut().map(Iterator::next).collect();
        let Some(row) = row else { break };
        if rows.len() >= MAX_ITEMS {
            return Err(Exception::overflow("`zip` makes too many items"));
        }
        rows.push(Value::tuple(row));
    }
    Ok(rows)
}
