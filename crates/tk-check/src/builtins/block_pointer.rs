//! Block pointers: `make_block_ptr`, `advance`, and loads and stores with `boundary_check`.
//!
//! A block pointer is sugar: it carries base, shape, strides and offsets as scalars, and an access computes pointers and masks
//! from them. Nothing of it reaches the IR.

use super::memory::Caching;
use super::memory::LoadOptions;
use crate::builtin::{Args, Builtin, function, method};
use crate::checked::{BinaryOp, CompareOp, Element, Literal, OpKind, Type, Value};
use crate::context::Context;
use crate::error::R;
use crate::value::BlockPointer;
use crate::value::Placed;
use crate::value::{Spanned, Val};
use std::rc::Rc;
use tk_diag::Span;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    function("make_block_ptr", &["base", "shape", "strides", "offsets", "block_shape", "order"], make_block_ptr),
    method("advance", &["base", "offsets"], advance),
];

fn items<'a>(arg: &Spanned<'a>) -> Vec<Spanned<'a>> {
    match &arg.val {
        Val::Tuple(items) => items.iter().map(|val| Spanned { val: val.clone(), span: arg.span }).collect(),
        _ => vec![arg.clone()],
    }
}

impl Context {
    /// Scalar integers in one type.
    pub(crate) fn integers<'a>(&mut self, what: &str, arg: &Spanned<'a>, to: ScalarType) -> R<Vec<Value>> {
        let mut out = Vec::new();
        for item in items(arg) {
            let value = match item.val.number() {
                Some(number) => self.number(number, Type::scalar(to), item.span)?,
                None => self.value_of(what, &item)?,
            };
            let ty = self.builder.ty(value).clone();
            if ty.is_tensor() || !ty.number().is_some_and(ScalarType::is_int) {
                let message = format!("{what} must be scalar integers, not {ty}");
                return Err(self
                    .error(tk_diag::TYPE_MISMATCH, arg.span, message, "")
                    .help("Pass integers or integer arguments.")
                    .into());
            }
            out.push(self.cast_scalar(value, to, item.span)?);
        }
        Ok(out)
    }

    /// The i64 index along one dimension, shaped to broadcast over the block.
    fn block_index(&mut self, pointer: &BlockPointer, dim: usize) -> Value {
        let length = pointer.block[dim];
        let range = Type { element: Element::Scalar(ScalarType::I32), shape: vec![length] };
        let range = self.builder.emit(OpKind::MakeRange { start: 0, end: length as i32 }, &[], range);
        let wide = Type { element: Element::Scalar(ScalarType::I64), shape: vec![length] };
        let range = self.builder.emit(OpKind::Cast(crate::checked::CastKind::ExtS), &[range], wide);
        let offset = Type::scalar(ScalarType::I64);
        let offset = self.builder.emit(OpKind::Cast(crate::checked::CastKind::ExtS), &[pointer.offsets[dim]], offset);
        let offset = self.builder.splat(offset, &[length]);
        let mut index = self.builder.binary(BinaryOp::AddI, offset, range);
        for other in (0..pointer.block.len()).filter(|other| *other != dim) {
            index = self.builder.expand_dim(index, other as u32);
        }
        index
    }

    /// Pointers to the block's elements, and the mask of the checked dimensions.
    fn block_access(&mut self, pointer: &BlockPointer, checked: &[u32], span: Span) -> R<(Value, Option<Value>)> {
        let mut pointers = self.builder.splat(pointer.base, &pointer.block);
        let mut mask: Option<Value> = None;
        for dim in 0..pointer.block.len() {
            let index = self.block_index(pointer, dim);
            let shape = self.builder.ty(index).shape.clone();
            let stride = self.builder.splat(pointer.strides[dim], &shape);
            let offset = self.builder.binary(BinaryOp::MulI, index, stride);
            let offset = self.builder.broadcast(offset, &pointer.block);
            pointers = self.offset_pointer(pointers, offset, span)?;
            if checked.contains(&(dim as u32)) {
                let zero = self.builder.literal(Literal::Int(0), self.builder.ty(index).clone());
                let bool = self.bool_like(index);
                let above = self.builder.emit(OpKind::Compare(CompareOp::GeS), &[index, zero], bool.clone());
                let limit = self.builder.splat(pointer.shape[dim], &shape);
                let below = self.builder.emit(OpKind::Compare(CompareOp::LtS), &[index, limit], bool);
                let inside = self.builder.binary(BinaryOp::And, above, below);
                let inside = self.builder.broadcast(inside, &pointer.block);
                mask = Some(mask.map_or(inside, |mask| self.builder.binary(BinaryOp::And, mask, inside)));
            }
        }
        Ok((pointers, mask))
    }

    fn checked_dims<'a>(&self, arg: Option<&Spanned<'a>>, rank: usize) -> R<Vec<u32>> {
        let Some(arg) = arg else { return Ok(Vec::new()) };
        items(arg).iter().map(|item| self.axis(item, rank)).collect()
    }

    /// `tl.load` of a block pointer. Outside elements are zero, or NaN where the padding says so.
    pub(crate) fn load_block<'a>(&mut self, pointer: &BlockPointer, args: &Args<'a>, options: LoadOptions) -> R<Value> {
        if let Some(given) = args.given("mask").or(args.given("other")) {
            let message = "a block pointer takes no `mask` and no `other`";
            return Err(self
                .error(tk_diag::BAD_ARGUMENT, given.span, message, "")
                .help("Use `boundary_check` and `padding_option`.")
                .into());
        }
        let nan = match args.given("padding_option") {
            None => false,
            Some(arg) => match &*self.constant_str("`padding_option`", arg)? {
                "" | "zero" => false,
                "nan" => true,
                other => {
                    let message = format!("{other:?} is not a padding option");
                    return Err(self
                        .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
                        .help("There are \"zero\" and \"nan\".")
                        .into());
                }
            },
        };
        let checked = self.checked_dims(args.given("boundary_check"), pointer.block.len())?;
        let (pointers, mask) = self.block_access(pointer, &checked, args.span)?;
        let mut other = None;
        if mask.is_some() {
            let element = self.builder.ty(pointers).pointee().cloned().unwrap_or(Element::Scalar(ScalarType::F32));
            let ty = Type { element, shape: pointer.block.clone() };
            let scalar = ty.number().unwrap_or(ScalarType::F32);
            if nan && !scalar.is_float() {
                let message = format!("{scalar} has no NaN to pad with");
                return Err(self
                    .error(tk_diag::BAD_ARGUMENT, args.span, message, "")
                    .help("Pad with \"zero\".")
                    .into());
            }
            let filler = if nan { self.builder.literal(Literal::Float(f64::NAN), ty) } else { self.builder.int(0, ty) };
            other = Some(Placed::new(filler, args.span));
        }
        self.emit_load(pointers, mask, other, options, args.span)
    }

    /// `tl.store` through a block pointer.
    pub(crate) fn store_block<'a>(&mut self, pointer: &BlockPointer, args: &Args<'a>, options: Caching) -> R<()> {
        if let Some(given) = args.given("mask") {
            let message = "a block pointer takes no `mask`";
            return Err(self
                .error(tk_diag::BAD_ARGUMENT, given.span, message, "")
                .help("Use `boundary_check`.")
                .into());
        }
        let arg = args.value("value");
        let value = self.value_of("the value of a store", &arg)?;
        let value = self.broadcast_to("the value", &arg, value, &pointer.block)?;
        let checked = self.checked_dims(args.given("boundary_check"), pointer.block.len())?;
        self.writable(pointer.base, &args.value("pointer"))?;
        let (pointers, mask) = self.block_access(pointer, &checked, args.span)?;
        self.emit_store(pointers, value, mask, options, arg.span)
    }
}

fn make_block_ptr<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let base_arg = args.value("base");
    let base = cx.pointer_argument("`make_block_ptr`", &base_arg)?;
    if cx.builder.ty(base).is_tensor() {
        let message = "`make_block_ptr` needs a scalar pointer";
        let found = cx.builder.ty(base).to_string();
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, base_arg.span, message, found)
            .help("Pass the pointer argument itself.")
            .into());
    }
    let shape = cx.integers("the shape of a block pointer", &args.value("shape"), ScalarType::I64)?;
    let strides = cx.integers("the strides of a block pointer", &args.value("strides"), ScalarType::I64)?;
    let offsets = cx.integers("the offsets of a block pointer", &args.value("offsets"), ScalarType::I32)?;
    let block = cx.shape(&args.value("block_shape"))?;
    let rank = block.len();
    for (what, count) in [("shape", shape.len()), ("strides", strides.len()), ("offsets", offsets.len())] {
        if count != rank {
            let message = format!("the block has {rank} dimensions and `{what}` has {count}");
            return Err(cx
                .error(tk_diag::SHAPE_MISMATCH, args.value(what).span, message, "")
                .help("Give one entry per dimension.")
                .into());
        }
    }
    let element = cx.builder.ty(base).element.clone();
    Ok(Val::BlockPointer(Rc::new(BlockPointer { base, element, shape, strides, offsets, block })))
}

fn advance<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let base = args.value("base");
    let Val::BlockPointer(pointer) = &base.val else {
        return Err(cx.not_constexpr("the first argument of `advance`", &base, "a block pointer").into());
    };
    let by = cx.integers("the offsets of `advance`", &args.value("offsets"), ScalarType::I32)?;
    if by.len() != pointer.block.len() {
        let message = format!("the block has {} dimensions and `offsets` has {}", pointer.block.len(), by.len());
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, args.value("offsets").span, message, "")
            .help("Give one entry per dimension.")
            .into());
    }
    let mut new = (**pointer).clone();
    for (offset, by) in new.offsets.iter_mut().zip(by) {
        if cx.known_int(&Val::Value(by)) != Some(0) {
            *offset = cx.builder.binary(BinaryOp::AddI, *offset, by);
        }
    }
    Ok(Val::BlockPointer(Rc::new(new)))
}
