//! `map_elementwise`: a function of single elements on whole tensors.
//!
//! The function runs once, on the tensors themselves. A branch whose condition differs between elements runs both ways and
//! selects; a `while` runs until no element wants to go on, and elements that are done keep their values. So only operations
//! without effects may stand under such conditions.

use super::shape::reshaped;
use crate::builtin::{Args, Builtin, calling};
use crate::checked::{BinaryOp, OpKind, Value};
use crate::context::Context;
use crate::error::R;
use crate::interpreter::Interpreter;
use crate::value::Placed;
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[calling("map_elementwise", &["scalar_fn", "*args", "pack?"], map_elementwise)];

fn map_elementwise<'a>(interpreter: &mut dyn Interpreter<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let cx = interpreter.cx();
    let scalar_fn = args.value("scalar_fn");
    let mut inputs = Vec::with_capacity(args.rest.len());
    for arg in &args.rest {
        inputs.push(Placed::new(cx.value_of("an argument of `map_elementwise`", arg)?, arg.span));
    }
    let Some(mut lead) = inputs.first().copied() else {
        let error = cx.error(tk_diag::ARGUMENT_COUNT, args.span, "`map_elementwise` needs a tensor", "");
        return Err(error.help("Pass the function and its arguments.").into());
    };
    for input in &inputs[1..] {
        lead.value = cx.broadcast_pair("`map_elementwise`", lead, *input)?.0;
    }
    let shape = cx.builder.ty(lead.value).shape.clone();
    let pack = args.int(cx, "pack", 1)?;
    let last = shape.last().copied().unwrap_or(1);
    let Some(pack) =
        u32::try_from(pack).ok().filter(|pack| pack.is_power_of_two() && last.is_power_of_two() && *pack <= last)
    else {
        let message = format!("`pack` must be a power of two and at most {last}, not {pack}");
        let error = cx.error(tk_diag::BAD_ARGUMENT, args.span, message, "");
        return Err(error.help("Leave it out to map single elements.").into());
    };
    let mut parts = Vec::new();
    for Placed { value, span } in inputs {
        let input = cx.builder.broadcast(value, &shape);
        for j in 0..pack {
            let part = if pack == 1 { input } else { cx.every(input, shape.len() as u32 - 1, pack, j, span)? };
            parts.push(Spanned { val: Val::Value(part), span });
        }
    }
    let inner = parts.first().map_or(shape.clone(), |part| match part.val {
        Val::Value(value) => cx.builder.ty(value).shape.clone(),
        _ => shape.clone(),
    });
    let result = interpreter.map(&scalar_fn, parts, inner.clone(), args.span)?;
    let cx = interpreter.cx();
    let single = result.items().is_none();
    let items: Vec<Val<'a>> = result.items().map_or_else(|| vec![result.clone()], |items| items.to_vec());
    if !items.len().is_multiple_of(pack as usize) {
        let message =
            format!("with `pack={pack}` the function must return a multiple of {pack} values, not {}", items.len());
        let error = cx.error(tk_diag::ARGUMENT_COUNT, args.span, message, "");
        return Err(error.help("Return the results of one output for all packed elements, then the next.").into());
    }
    let mut values = Vec::with_capacity(items.len());
    for item in items {
        let value = cx.value_of("what a mapped function returns", &Spanned { val: item, span: args.span })?;
        values.push(cx.builder.broadcast(value, &inner));
    }
    let mut outputs = Vec::new();
    for group in values.chunks(pack as usize) {
        let whole = cx.woven(group, args.span)?;
        outputs.push(Val::Value(reshaped(cx, whole, shape.clone(), false, args.span)?));
    }
    match outputs.as_slice() {
        [only] if single || pack > 1 => Ok(only.clone()),
        _ => Ok(Val::tuple(outputs)),
    }
}

impl Context {
    /// Element 0 of every tensor, then element 1 of every tensor, and so on; there is a power of two of them.
    fn woven(&mut self, parts: &[Value], span: Span) -> R<Value> {
        if let [only] = parts {
            return Ok(*only);
        }
        let every_second = |start: usize| parts.iter().skip(start).step_by(2).copied().collect::<Vec<Value>>();
        let (even, odd) = (self.woven(&every_second(0), span)?, self.woven(&every_second(1), span)?);
        if self.builder.ty(even) != self.builder.ty(odd) {
            let message = format!(
                "packed results must have one type, not {} and {}",
                self.builder.ty(even),
                self.builder.ty(odd)
            );
            let error = self.error(tk_diag::TYPE_MISMATCH, span, message, "");
            return Err(error.help("Cast them with `.to(…)`.").into());
        }
        let mut ty = self.builder.ty(even).clone();
        ty.shape.push(2);
        let pair = self.builder.emit(OpKind::Join, &[even, odd], ty);
        let mut shape = self.builder.ty(even).shape.clone();
        if let Some(last) = shape.last_mut() {
            *last *= 2;
        }
        reshaped(self, pair, shape, false, span)
    }

    /// `yes` where the condition holds, else `no`, in the condition's shape.
    pub(crate) fn select_element(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let shape = self.builder.ty(condition).shape.clone();
        let [yes, no] = [yes, no].map(|value| self.builder.broadcast(value, &shape));
        let ty = self.builder.ty(yes).clone();
        self.builder.emit(OpKind::Select, &[condition, yes, no], ty)
    }

    /// i1: whether a condition holds for any element.
    pub(crate) fn any_element(&mut self, condition: Value, span: Span) -> R<Value> {
        let word = self.cast_scalar(condition, ScalarType::I32, span)?;
        let axes: Vec<u32> = (0..self.builder.ty(word).shape.len() as u32).collect();
        let any = self.reduce_with(word, &axes, false, span, BinaryOp::Or)?;
        Ok(self.not_zero(any))
    }
}
