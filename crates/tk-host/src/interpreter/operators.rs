//! Operators, comparison and indexing of values.

use super::instances::compared_fields;
use super::{Interpreter, MAX_ITEMS, convert};
use crate::exception::{Exception, Result};
use crate::number::{self, Number};
use crate::tensor::elementwise::{self, Operator};
use crate::tensor::index::Item;
use crate::tensor::{Tensor, linear};
use crate::value::{MAX_COMPARE_DEPTH, Value, range_length};
use std::rc::Rc;
use tk_diag::HOST_ERROR;
use tk_grammar::ast::{BinaryOp, CompareOp, UnaryOp};

impl<'a> Interpreter<'a, '_> {
    pub(crate) fn unary(&mut self, op: UnaryOp, value: &Value<'a>) -> Result<Value<'a>> {
        Ok(match (op, value) {
            (UnaryOp::Not, value) => Value::Bool(!value.truth()?),
            (UnaryOp::Neg, Value::Tensor(tensor)) => {
                crate::tensor::check_work(tensor.count())?;
                Value::Tensor(elementwise::unary("neg", tensor).unwrap_or_else(|| tensor.clone()))
            }
            (UnaryOp::Invert, Value::Tensor(tensor)) => Value::Tensor(elementwise::invert(tensor)?),
            (UnaryOp::Pos, Value::Tensor(_) | Value::Int(_) | Value::Float(_)) => value.clone(),
            (UnaryOp::Neg, Value::Float(value)) => Value::Float(-value),
            (UnaryOp::Neg, Value::Int(_) | Value::Bool(_)) => {
                let negated = convert::int(value, "the operand")?.checked_neg();
                Value::Int(negated.ok_or_else(|| Exception::overflow("the result of `-` does not fit 128 bits"))?)
            }
            (UnaryOp::Invert, Value::Int(_) | Value::Bool(_)) => Value::Int(!convert::int(value, "the operand")?),
            (_, other) => return Err(Exception::ty(format!("this operator does not take a {}", other.class()))),
        })
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
        use Value::{Bool, Dict, Float, Int, List, Str, Tensor, Tuple};
        match (left, right) {
            (Tensor(_), _) | (_, Tensor(_)) => tensor_binary(op, left, right).map(Tensor),
            (Int(_) | Bool(_), Int(_) | Bool(_)) => int_binary(op, left, right),
            (Int(_) | Bool(_) | Float(_), Int(_) | Bool(_) | Float(_)) => {
                let (a, b) = (convert::float(left, "")?, convert::float(right, "")?);
                Ok(Float(number::floats(op, a, b)?))
            }
            (Str(a), Str(b)) if op == BinaryOp::Add => {
                check_length(a.len() + b.len())?;
                Ok(Value::str(format!("{a}{b}")))
            }
            (Str(text), _) if op == BinaryOp::Mod => {
                let values = if let Tuple(items) = right { items.to_vec() } else { vec![right.clone()] };
                Ok(Value::str(crate::format::percent(text, &values)?))
            }
            (Tuple(a), Tuple(b)) if op == BinaryOp::Add => {
                check_length(a.len() + b.len())?;
                Ok(Value::tuple(a.iter().chain(b.iter()).cloned().collect()))
            }
            (List(a), List(b)) if op == BinaryOp::Add => {
                let (a, b) = (a.borrow(), b.borrow());
                check_length(a.len() + b.len())?;
                Ok(Value::list(a.iter().chain(b.iter()).cloned().collect()))
            }
            (Str(_) | Tuple(_) | List(_), Int(times)) if op == BinaryOp::Mul => repeat(left, *times),
            (Int(times), Str(_) | Tuple(_) | List(_)) if op == BinaryOp::Mul => repeat(right, *times),
            (Dict(a), Dict(b)) if op == BinaryOp::BitOr => {
                let mut joined = a.borrow().clone();
                for (key, value) in b.borrow().entries() {
                    joined.insert(key.clone(), value.clone())?;
                }
                Ok(Dict(Rc::new(std::cell::RefCell::new(joined))))
            }
            _ => {
                let classes = format!("a {} and a {}", left.class(), right.class());
                Err(Exception::ty(format!("`{}` does not take {classes}", op.symbol())))
            }
        }
    }

    pub(crate) fn compare(&mut self, op: CompareOp, left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
        let truth = match op {
            CompareOp::Is => identical(left, right),
            CompareOp::IsNot => !identical(left, right),
            CompareOp::In => self.contains(right, left)?,
            CompareOp::NotIn => !self.contains(right, left)?,
            _ if matches!(left, Value::Tensor(_)) || matches!(right, Value::Tensor(_)) => {
                return tensor_compare(op, left, right);
            }
            CompareOp::Eq => equal(left, right),
            CompareOp::NotEq => !equal(left, right),
            _ => {
                let order = order(left, right)?;
                match (op, order) {
                    (_, None) => false,
                    (CompareOp::Lt, Some(order)) => order.is_lt(),
                    (CompareOp::LtEq, Some(order)) => order.is_le(),
                    (CompareOp::Gt, Some(order)) => order.is_gt(),
                    (_, Some(order)) => order.is_ge(),
                }
            }
        };
        Ok(Value::Bool(truth))
    }

    fn contains(&mut self, container: &Value<'a>, item: &Value<'a>) -> Result<bool> {
        match (container, item) {
            (Value::Str(text), Value::Str(part)) => Ok(text.contains(&**part)),
            (Value::Dict(dict) | Value::Set(dict), _) => Ok(dict.borrow().get(&item.key()?).is_some()),
            (Value::Range(start, stop, step), Value::Int(value)) => {
                let count = range_length(*start, *stop, *step);
                let offset = value.saturating_sub(*start);
                Ok(count > 0
                    && offset.checked_rem(*step) == Some(0)
                    && offset.checked_div(*step).is_some_and(|place| (0..count).contains(&place)))
            }
            _ => Ok(self.items(container)?.any(|other| equal(&other, item))),
        }
    }

    pub(crate) fn get_item(&mut self, value: &Value<'a>, index: &Value<'a>) -> Result<Value<'a>> {
        match value {
            Value::Tensor(tensor) => Ok(Value::Tensor(tensor.get(&index_items(index)?)?)),
            Value::Kernel(kernel) => Ok(Value::Launch(Rc::new((kernel.clone(), index.clone())))),
            Value::Dict(dict) => {
                dict.borrow().get(&index.key()?).cloned().ok_or_else(|| {
                    Exception::new("KeyError", HOST_ERROR, format!("the dict has no key {}", index.repr()))
                })
            }
            Value::Path(path) if is_type_name(path) => Ok(value.clone()),
            Value::Tuple(_) | Value::List(_) | Value::Str(_) | Value::Range(..) => {
                let items = self.collect(value)?;
                match index {
                    Value::Slice(parts) => {
                        let picked = sliced(&items, parts)?;
                        Ok(match value {
                            Value::Tuple(_) => Value::tuple(picked),
                            Value::Str(_) => Value::str(picked.iter().map(Value::display).collect::<String>()),
                            _ => Value::list(picked),
                        })
                    }
                    _ => Ok(items[place(convert::int(index, "an index")?, items.len(), value.class())?].clone()),
                }
            }
            other => Err(Exception::ty(format!("a {} has no items", other.class()))),
        }
    }

    pub(crate) fn set_item(&mut self, container: &Value<'a>, index: &Value<'a>, value: Value<'a>) -> Result<()> {
        match container {
            Value::Tensor(tensor) => {
                let value = convert::need_operand(&value, "the value")?;
                tensor.set(&index_items(index)?, &value.tensor)
            }
            Value::Dict(dict) => dict.borrow_mut().insert(index.clone(), value),
            Value::List(list) => {
                let length = list.borrow().len();
                let place = place(convert::int(index, "an index")?, length, "list")?;
                list.borrow_mut()[place] = value;
                Ok(())
            }
            other => Err(Exception::ty(format!("items of a {} cannot be set", other.class()))),
        }
    }

    pub(crate) fn delete_item(&mut self, container: &Value<'a>, index: &Value<'a>) -> Result<()> {
        match container {
            Value::Dict(dict) => match dict.borrow_mut().remove(&index.key()?) {
                Some(_) => Ok(()),
                None => Err(Exception::new("KeyError", HOST_ERROR, format!("the dict has no key {}", index.repr()))),
            },
            Value::List(list) => {
                let length = list.borrow().len();
                list.borrow_mut().remove(place(convert::int(index, "an index")?, length, "list")?);
                Ok(())
            }
            other => Err(Exception::ty(format!("items of a {} cannot be deleted", other.class()))),
        }
    }
}

/// Names that annotations subscript: `list[int]`, `Optional[int]`.
fn is_type_name(path: &str) -> bool {
    ["typing.", "typing_extensions.", "collections."].iter().any(|module| path.starts_with(module))
        || matches!(path, "list" | "tuple" | "dict" | "set" | "type")
}

fn int_binary<'a>(op: BinaryOp, left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    if let (Value::Bool(a), Value::Bool(b)) = (left, right) {
        match op {
            BinaryOp::BitAnd => return Ok(Value::Bool(*a & *b)),
            BinaryOp::BitOr => return Ok(Value::Bool(*a | *b)),
            BinaryOp::BitXor => return Ok(Value::Bool(*a ^ *b)),
            _ => {}
        }
    }
    Ok(match number::ints(op, convert::int(left, "")?, convert::int(right, "")?)? {
        Number::Int(value) => Value::Int(value),
        Number::Float(value) => Value::Float(value),
    })
}

fn tensor_binary(op: BinaryOp, left: &Value<'_>, right: &Value<'_>) -> Result<Tensor> {
    if op == BinaryOp::MatMul {
        return linear::matmul(
            &convert::tensor(left, "an operand of `@`")?,
            &convert::tensor(right, "an operand of `@`")?,
        );
    }
    let what =
        |value: &Value<'_>| Exception::ty(format!("`{}` does not take a tensor and a {}", op.symbol(), value.class()));
    let a = convert::operand(left).ok_or_else(|| what(left))?;
    let b = convert::operand(right).ok_or_else(|| what(right))?;
    let operator = match op {
        BinaryOp::Add => Operator::Add,
        BinaryOp::Sub => Operator::Sub,
        BinaryOp::Mul => Operator::Mul,
        BinaryOp::Div => Operator::Div,
        BinaryOp::FloorDiv => Operator::FloorDiv,
        BinaryOp::Mod => Operator::Mod,
        BinaryOp::Pow => Operator::Pow,
        BinaryOp::BitAnd => Operator::BitAnd,
        BinaryOp::BitOr => Operator::BitOr,
        BinaryOp::BitXor => Operator::BitXor,
        BinaryOp::Shl => Operator::Shl,
        BinaryOp::Shr | BinaryOp::MatMul => Operator::Shr,
    };
    elementwise::binary(operator, &a, &b)
}

fn tensor_compare<'a>(op: CompareOp, left: &Value<'a>, right: &Value<'a>) -> Result<Value<'a>> {
    let (Some(a), Some(b)) = (convert::operand(left), convert::operand(right)) else {
        return Ok(Value::Bool(op == CompareOp::NotEq));
    };
    let operator = match op {
        CompareOp::NotEq => Operator::Ne,
        CompareOp::Lt => Operator::Lt,
        CompareOp::LtEq => Operator::Le,
        CompareOp::Gt => Operator::Gt,
        CompareOp::GtEq => Operator::Ge,
        _ => Operator::Eq,
    };
    Ok(Value::Tensor(elementwise::binary(operator, &a, &b)?))
}

/// An error when a program makes a sequence too long, as doubling one in a loop soon does.
pub(crate) fn check_length(length: usize) -> Result<()> {
    if length > MAX_ITEMS {
        return Err(Exception::overflow(format!("a sequence of {length} items is too long for host code")));
    }
    Ok(())
}

fn repeat<'a>(value: &Value<'a>, times: i128) -> Result<Value<'a>> {
    let times = usize::try_from(times.max(0)).unwrap_or(usize::MAX);
    let check = |length: usize| match length.checked_mul(times) {
        Some(count) if count <= MAX_ITEMS => Ok(()),
        _ => Err(Exception::overflow(format!("repeating this {} makes too many items", value.class()))),
    };
    match value {
        Value::Str(text) => {
            check(text.len())?;
            Ok(Value::str(text.repeat(times)))
        }
        Value::Tuple(items) => {
            check(items.len())?;
            Ok(Value::tuple(repeated(items, times)))
        }
        Value::List(items) => {
            check(items.borrow().len())?;
            Ok(Value::list(repeated(&items.borrow(), times)))
        }
        other => Ok(other.clone()),
    }
}

fn repeated<'a>(items: &[Value<'a>], times: usize) -> Vec<Value<'a>> {
    std::iter::repeat_n(items, times).flatten().cloned().collect()
}

/// `a is b`.
fn identical<'a>(left: &Value<'a>, right: &Value<'a>) -> bool {
    match (left, right) {
        (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b),
        (Value::Dict(a), Value::Dict(b)) => Rc::ptr_eq(a, b),
        (Value::Tensor(a), Value::Tensor(b)) => {
            a.buffer.id() == b.buffer.id() && a.offset == b.offset && a.shape == b.shape
        }
        (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
        (Value::Instance(a), Value::Instance(b)) => Rc::ptr_eq(a, b),
        (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Bool(_), _) | (_, Value::Bool(_)) => false,
        _ => std::mem::discriminant(left) == std::mem::discriminant(right) && equal(left, right),
    }
}

/// `a == b` of values that are not tensors. Containers nested deeper than the limit count as different.
pub(crate) fn equal<'a>(left: &Value<'a>, right: &Value<'a>) -> bool {
    equal_within(left, right, MAX_COMPARE_DEPTH)
}

fn equal_within<'a>(left: &Value<'a>, right: &Value<'a>, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Int(_) | Value::Bool(_) | Value::Float(_), Value::Int(_) | Value::Bool(_) | Value::Float(_)) => {
            convert::float(left, "").ok() == convert::float(right, "").ok()
        }
        (Value::Str(a), Value::Str(b)) => a == b,
        (Value::Tuple(a), Value::Tuple(b)) => equal_items(a, b, depth),
        (Value::List(a), Value::List(b)) => Rc::ptr_eq(a, b) || equal_items(&a.borrow(), &b.borrow(), depth),
        (Value::Dict(a), Value::Dict(b)) | (Value::Set(a), Value::Set(b)) => {
            let (a, b) = (a.borrow(), b.borrow());
            let has = |(key, value): &(Value<'a>, Value<'a>)| {
                key.key().is_ok_and(|key| b.get(&key).is_some_and(|other| equal_within(value, other, depth)))
            };
            a.entries().len() == b.entries().len() && a.entries().iter().all(has)
        }
        (Value::None, Value::None) | (Value::Ellipsis, Value::Ellipsis) => true,
        (Value::Dtype(a), Value::Dtype(b)) => a == b,
        (Value::Path(a), Value::Path(b)) => a == b,
        (Value::Range(..), Value::Range(..)) => left.repr() == right.repr(),
        (Value::Class(a), Value::Class(b)) => Rc::ptr_eq(a, b),
        (Value::Instance(a), Value::Instance(b)) => {
            let fields = || compared_fields(a, b);
            Rc::ptr_eq(a, b) || fields().is_some_and(|both| both.iter().all(|(a, b)| equal_within(a, b, depth)))
        }
        (Value::Function(a), Value::Function(b)) => Rc::ptr_eq(a, b),
        (Value::Kernel(a), Value::Kernel(b)) => Rc::ptr_eq(a, b),
        (Value::Tensor(a), Value::Tensor(b)) => a.buffer.id() == b.buffer.id() && a.offset == b.offset,
        _ => false,
    }
}

fn equal_items<'a>(a: &[Value<'a>], b: &[Value<'a>], depth: usize) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal_within(a, b, depth))
}

/// The order of two values; nothing beside a NaN.
pub(crate) fn order<'a>(left: &Value<'a>, right: &Value<'a>) -> Result<Option<std::cmp::Ordering>> {
    order_within(left, right, MAX_COMPARE_DEPTH)
}

fn order_within<'a>(left: &Value<'a>, right: &Value<'a>, depth: usize) -> Result<Option<std::cmp::Ordering>> {
    let depth = depth.checked_sub(1).ok_or_else(|| Exception::limit("these values are nested too deep to compare"))?;
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => Ok(Some(a.cmp(b))),
        (Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Tensor(_), _)
            if matches!(right, Value::Int(_) | Value::Bool(_) | Value::Float(_) | Value::Tensor(_)) =>
        {
            Ok(convert::float(left, "an operand")?.partial_cmp(&convert::float(right, "an operand")?))
        }
        (Value::Str(a), Value::Str(b)) => Ok(Some(a.cmp(b))),
        (Value::Tuple(a), Value::Tuple(b)) => order_items(a, b, depth),
        (Value::List(a), Value::List(b)) => order_items(&a.borrow(), &b.borrow(), depth),
        _ => Err(Exception::ty(format!("a {} and a {} have no order", left.class(), right.class()))),
    }
}

fn order_items<'a>(a: &[Value<'a>], b: &[Value<'a>], depth: usize) -> Result<Option<std::cmp::Ordering>> {
    for (a, b) in a.iter().zip(b) {
        if !equal(a, b) {
            return order_within(a, b, depth);
        }
    }
    Ok(Some(a.len().cmp(&b.len())))
}

fn place(index: i128, length: usize, class: &str) -> Result<usize> {
    let place = if index < 0 { index + length as i128 } else { index };
    usize::try_from(place)
        .ok()
        .filter(|place| *place < length)
        .ok_or_else(|| Exception::index(format!("index {index} is out of range for a {class} of {length}")))
}

fn slice_bound(value: &Value<'_>) -> Result<Option<i128>> {
    match value {
        Value::None => Ok(None),
        other => Ok(Some(convert::int(other, "a bound of a slice")?)),
    }
}

fn sliced<'a>(items: &[Value<'a>], parts: &[Value<'a>; 3]) -> Result<Vec<Value<'a>>> {
    let length = items.len() as i128;
    let step = slice_bound(&parts[2])?.unwrap_or(1);
    if step == 0 {
        return Err(Exception::value("the step of a slice must not be 0"));
    }
    let (low, high) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let clamp = |bound: i128| (if bound < 0 { bound + length } else { bound }).clamp(low, high);
    let start = slice_bound(&parts[0])?.map_or(if step > 0 { low } else { high }, clamp);
    let stop = slice_bound(&parts[1])?.map_or(if step > 0 { high } else { low }, clamp);
    let count = range_length(start, stop, step);
    Ok((0..count).map(|i| items[(start + i * step) as usize].clone()).collect())
}

/// The parts of an index of a tensor.
fn index_items(index: &Value<'_>) -> Result<Vec<Item>> {
    match index {
        Value::Tuple(items) => items.iter().map(index_item).collect(),
        other => Ok(vec![index_item(other)?]),
    }
}

fn index_item(value: &Value<'_>) -> Result<Item> {
    Ok(match value {
        Value::Int(index) => Item::Int(*index),
        Value::None => Item::NewAxis,
        Value::Ellipsis => Item::Ellipsis,
        Value::Slice(parts) => Item::Slice(slice_bound(&parts[0])?, slice_bound(&parts[1])?, slice_bound(&parts[2])?),
        Value::Tensor(tensor) if tensor.rank() == 0 && tensor.dtype != tk_types::ScalarType::I1 => {
            Item::Int(convert::int(value, "an index")?)
        }
        Value::Tensor(tensor) => Item::Tensor(tensor.clone()),
        Value::List(_) => {
            let indices = convert::ints(value, "an index")?;
            let bytes = indices.iter().flat_map(|index| (*index as i64).to_le_bytes()).collect();
            Item::Tensor(Tensor::from_bytes(tk_types::ScalarType::I64, vec![indices.len()], bytes))
        }
        other => return Err(Exception::ty(format!("a {} cannot index a tensor", other.class()))),
    })
}
