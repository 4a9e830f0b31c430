//! Tensor descriptors: how kernels make them, and loads, stores, reductions, gathers and scatters of whole blocks through them.
//!
//! The hardware copies the block, fills what lies outside the tensor, and drops stores outside it; there are no masks. A descriptor
//! carries the sizes and strides it was made from, so that `.shape` and `.strides` cost nothing.

use crate::builtin::{Args, Builtin, function, method};
use crate::checked::{
    CacheModifier, DescriptorFacts, DescriptorReduction, Element, EvictionPolicy, OpKind, Param, Type, Value,
};
use crate::context::Context;
use crate::error::R;
use crate::value::Descriptor;
use crate::value::descriptor_type;
use crate::value::{Spanned, Val};
use std::rc::Rc;
use tk_diag::Span;
use tk_types::{DescriptorType, Facts, ScalarType};

const MAKE: &[&str] = &["base", "shape", "strides", "block_shape", "padding_option?"];
const STORE: &[&str] = &["desc", "offsets", "value"];

pub(crate) const TABLE: &[Builtin] = &[
    function("make_tensor_descriptor", MAKE, make),
    function("_experimental_make_tensor_descriptor", MAKE, make),
    function("load_tensor_descriptor", &["desc", "offsets"], load),
    function("store_tensor_descriptor", STORE, store),
    function("_experimental_descriptor_load", &["desc", "offsets", "block_shape?", "dtype?"], load),
    function("_experimental_descriptor_store", &["desc", "value", "offsets"], |c, a| {
        let order = [a.value("desc"), a.value("offsets"), a.value("value")];
        store_parts(c, a, order)
    }),
];

/// The methods of a descriptor.
pub(crate) const METHODS: &[Builtin] = &[
    method("load", &["desc", "offsets"], load),
    method("store", STORE, store),
    method("atomic_add", STORE, |c, a| reduce(c, a, DescriptorReduction::Add)),
    method("atomic_min", STORE, |c, a| reduce(c, a, DescriptorReduction::Min)),
    method("atomic_max", STORE, |c, a| reduce(c, a, DescriptorReduction::Max)),
    method("atomic_and", STORE, |c, a| reduce(c, a, DescriptorReduction::And)),
    method("atomic_or", STORE, |c, a| reduce(c, a, DescriptorReduction::Or)),
    method("atomic_xor", STORE, |c, a| reduce(c, a, DescriptorReduction::Xor)),
    method("gather", &["desc", "x_offsets", "y_offset"], gather),
    method("scatter", &["desc", "value", "x_offsets", "y_offset"], scatter),
];

/// Most dimensions of a descriptor.
const MAX_RANK: usize = 5;
/// Fewest bytes in a row of a block: the hardware copies units of 16 bytes. Strides are multiples of it too.
const UNIT_BYTES: u32 = 16;
/// Fewest rows that a gather or a scatter moves.
const MIN_GATHERED_ROWS: u32 = 8;

impl Context {
    /// A parameter that is a host-made descriptor: three kinds of parameters of the kernel, all with its name.
    pub(crate) fn descriptor_argument<'a>(
        &mut self,
        param: &tk_grammar::ast::Param,
        ty: &DescriptorType,
    ) -> R<Val<'a>> {
        let span = param.name.span;
        let dims: Vec<i128> = ty.block.iter().map(|size| i128::from(*size)).collect();
        let block = self.checked_shape(&dims, span)?;
        check_element(self, span, ty.element)?;
        check_row(self, span, &block, ty.element)?;
        let mut add = |ty: Type, descriptor: DescriptorFacts| {
            let value = self.builder.value(ty, None);
            self.params.push(Param { name: param.name.text.clone(), value, facts: Facts::NONE, descriptor, span });
            value
        };
        let facts = DescriptorFacts { pad_nan: ty.pad_nan, ragged: ty.ragged };
        let handle = add(descriptor_type(ty.element, &block), facts);
        let mut each = |scalar| -> Vec<Value> {
            block.iter().map(|_| add(Type::scalar(scalar), DescriptorFacts::default())).collect()
        };
        let (shape, strides) = (each(ScalarType::I32), each(ScalarType::I64));
        if ty.pad_nan {
            check_nan(self, span, ty.element)?;
        }
        Ok(Val::Descriptor(Rc::new(Descriptor { handle, element: ty.element, block, shape, strides })))
    }
}

fn make<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let base_arg = args.value("base");
    let base = cx.pointer_argument("`make_tensor_descriptor`", &base_arg)?;
    let element = match cx.builder.ty(base).pointee() {
        Some(Element::Scalar(scalar)) if !cx.builder.ty(base).is_tensor() => *scalar,
        _ => {
            let found = cx.builder.ty(base).to_string();
            let message = format!("`make_tensor_descriptor` needs a scalar pointer to numbers, not {found}");
            return Err(cx
                .error(tk_diag::TYPE_MISMATCH, base_arg.span, message, found)
                .help("Pass the pointer argument itself.")
                .into());
        }
    };
    check_element(cx, base_arg.span, element)?;
    let block = cx.shape(&args.value("block_shape"))?;
    let strides_arg = args.value("strides");
    check_strides(cx, &strides_arg, element)?;
    let shape = cx.integers("the shape of a tensor descriptor", &args.value("shape"), ScalarType::I32)?;
    let strides = cx.integers("the strides of a tensor descriptor", &strides_arg, ScalarType::I64)?;
    check_ranks(cx, args, &block, [shape.len(), strides.len()])?;
    check_row(cx, args.value("block_shape").span, &block, element)?;
    let padding_nan = padding(cx, args.given("padding_option"), element)?;
    let operands = std::iter::once(base).chain(shape.iter().copied()).chain(strides.iter().copied()).collect();
    let ty = descriptor_type(element, &block);
    let made = cx.builder.op(OpKind::MakeDescriptor { padding_nan }, operands, vec![ty], Vec::new());
    Ok(Val::Descriptor(Rc::new(Descriptor { handle: made[0], element, block, shape, strides })))
}

/// The last stride is 1, and those of the others that are known are multiples of 16 bytes.
fn check_strides<'a>(cx: &Context, strides: &Spanned<'a>, element: ScalarType) -> R<()> {
    let all = match &strides.val {
        Val::Tuple(items) => items.to_vec(),
        other => vec![other.clone()],
    };
    if all.last().is_none_or(|last| cx.known_int(last) != Some(1)) {
        let message = "the last stride of a tensor descriptor must be the constant 1";
        return Err(cx
            .error(tk_diag::BAD_ARGUMENT, strides.span, message, "")
            .help("Describe the tensor with its contiguous dimension last, and load with `.trans()` where needed.")
            .into());
    }
    for stride in all.iter().rev().skip(1) {
        let Some(stride) = cx.known_int(stride) else { continue };
        if stride.wrapping_mul(i128::from(element.bytes())) % i128::from(UNIT_BYTES) != 0 {
            let message = format!("a stride of {stride} elements of {element} is not a multiple of {UNIT_BYTES} bytes");
            return Err(cx
                .error(tk_diag::BAD_ARGUMENT, strides.span, message, "")
                .help("Pad the rows of the tensor, or load it with pointers.")
                .into());
        }
    }
    Ok(())
}

fn check_ranks<'a>(cx: &Context, args: &Args<'a>, block: &[u32], counts: [usize; 2]) -> R<()> {
    let rank = block.len();
    if rank == 0 || rank > MAX_RANK {
        let message = format!("a tensor descriptor has 1 to {MAX_RANK} dimensions, not {rank}");
        return Err(cx
            .error(tk_diag::SHAPE_MISMATCH, args.value("block_shape").span, message, "")
            .help("Merge dimensions that are contiguous.")
            .into());
    }
    for (what, count) in [("shape", counts[0]), ("strides", counts[1])] {
        if count != rank {
            let message = format!("the block has {rank} dimensions and `{what}` has {count}");
            return Err(cx
                .error(tk_diag::SHAPE_MISMATCH, args.value(what).span, message, "")
                .help("Give one entry per dimension.")
                .into());
        }
    }
    Ok(())
}

fn check_row(cx: &Context, span: Span, block: &[u32], element: ScalarType) -> R<()> {
    let last = block.last().copied().unwrap_or(1);
    if u64::from(last) * u64::from(element.bytes()) >= u64::from(UNIT_BYTES) {
        return Ok(());
    }
    let bytes = last * element.bytes();
    let message = format!(
        "Descriptor block shape must have at least {UNIT_BYTES} bytes in the last dimension, and this has {bytes}"
    );
    Err(cx
        .error(tk_diag::BAD_ARGUMENT, span, message, format!("{last} elements of {element}"))
        .help("Make the last block dimension larger.")
        .into())
}

/// The element types that tensor maps have.
fn check_element(cx: &Context, span: Span, element: ScalarType) -> R<()> {
    if !matches!(element, ScalarType::I1 | ScalarType::F8E4B15) {
        return Ok(());
    }
    let message = format!("tensor descriptors have no elements of type {element}");
    Err(cx
        .error(tk_diag::TYPE_MISMATCH, span, message, "")
        .help("Describe the tensor with 8-bit integers, or load it with pointers.")
        .into())
}

fn check_nan(cx: &Context, span: Span, element: ScalarType) -> R<()> {
    if element.is_float() && !element.is_fp8() {
        return Ok(());
    }
    let message = format!("descriptors of {element} cannot pad with NaN");
    Err(cx
        .error(tk_diag::BAD_ARGUMENT, span, message, "")
        .help("Pad with \"zero\"; \"nan\" is for floats of 16 bits and more.")
        .into())
}

fn padding<'a>(cx: &Context, arg: Option<&Spanned<'a>>, element: ScalarType) -> R<bool> {
    let Some(arg) = arg else { return Ok(false) };
    match &*cx.constant_str("`padding_option`", arg)? {
        "" | "zero" => Ok(false),
        "nan" => check_nan(cx, arg.span, element).map(|()| true),
        other => {
            let message = format!("{other:?} is not a padding option");
            Err(cx.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help("There are \"zero\" and \"nan\".").into())
        }
    }
}

fn descriptor<'a>(cx: &Context, arg: &Spanned<'a>) -> R<Rc<Descriptor>> {
    if let Val::Descriptor(descriptor) = &arg.val {
        return Ok(descriptor.clone());
    }
    let found = cx.describe(&arg.val);
    let message = format!("a tensor descriptor is needed, not {found}");
    Err(cx
        .error(tk_diag::TYPE_MISMATCH, arg.span, message, "")
        .help("Make one with `tl.make_tensor_descriptor`, or pass a `TensorDescriptor` to the kernel.")
        .into())
}

fn offsets<'a>(cx: &mut Context, arg: &Spanned<'a>, rank: usize) -> R<Vec<Value>> {
    let offsets = cx.integers("the offsets of a block", arg, ScalarType::I32)?;
    if offsets.len() == rank {
        return Ok(offsets);
    }
    let message = format!("the block has {rank} dimensions and there are {} offsets", offsets.len());
    Err(cx.error(tk_diag::SHAPE_MISMATCH, arg.span, message, "").help("Give one offset per dimension.").into())
}

fn load<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let desc = descriptor(cx, &args.value("desc"))?;
    let mut operands = vec![desc.handle];
    operands.extend(offsets(cx, &args.value("offsets"), desc.block.len())?);
    let kind = OpKind::DescriptorLoad { cache: CacheModifier::None, eviction: EvictionPolicy::Normal };
    Ok(Val::Value(cx.builder.emit(kind, &operands, desc.block_type())))
}

fn store<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    store_parts(cx, args, [args.value("desc"), args.value("offsets"), args.value("value")])
}

fn store_parts<'a>(cx: &mut Context, args: &Args<'a>, [desc, at, value]: [Spanned<'a>; 3]) -> R<Val<'a>> {
    let desc = descriptor(cx, &desc)?;
    let stored = stored_block(cx, &value, &desc, &desc.block)?;
    let stored = cx.cast_scalar(stored, desc.element, args.span)?;
    let mut operands = vec![desc.handle, stored];
    operands.extend(offsets(cx, &at, desc.block.len())?);
    cx.builder.effect(OpKind::DescriptorStore, operands);
    Ok(Val::None)
}

/// The value of a store, which has this shape.
fn stored_block<'a>(cx: &mut Context, value: &Spanned<'a>, desc: &Descriptor, shape: &[u32]) -> R<Value> {
    let stored = cx.value_of("the value of a store", value)?;
    let found = cx.builder.ty(stored).clone();
    if found.shape == shape && found.number().is_some() {
        return Ok(stored);
    }
    let wanted = Type { element: Element::Scalar(desc.element), shape: shape.to_vec() };
    let message = format!("the descriptor stores blocks of shape {:?}, not {found}", wanted.shape);
    Err(cx
        .error(tk_diag::SHAPE_MISMATCH, value.span, message, found.to_string())
        .help("Reshape or broadcast the value to the block.")
        .into())
}

fn reduce<'a>(cx: &mut Context, args: &Args<'a>, reduction: DescriptorReduction) -> R<Val<'a>> {
    use DescriptorReduction::{Add, Max, Min};
    use ScalarType::{BF16, F16, F32, I32, I64, U32, U64};
    let desc = descriptor(cx, &args.value("desc"))?;
    let known: &[ScalarType] = match reduction {
        Add => &[U32, I32, U64, F32, F16, BF16],
        Min | Max => &[U32, I32, U64, I64, F16, BF16],
        _ => &[U32, I32, U64, I64],
    };
    if !known.contains(&desc.element) {
        let name = args.builtin.name;
        let types: Vec<&str> = known.iter().map(|ty| ty.name()).collect();
        let message = format!("`{name}` of a descriptor does not work on {}", desc.element);
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, args.span, message, "")
            .help(format!("It works on {}.", types.join(", ")))
            .into());
    }
    let value = args.value("value");
    let stored = stored_block(cx, &value, &desc, &desc.block)?;
    let stored = cx.cast_scalar(stored, desc.element, args.span)?;
    let mut operands = vec![desc.handle, stored];
    operands.extend(offsets(cx, &args.value("offsets"), desc.block.len())?);
    cx.builder.effect(OpKind::DescriptorReduce(reduction), operands);
    Ok(Val::None)
}

fn gather<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let desc = descriptor(cx, &args.value("desc"))?;
    let (rows, column, shape) = gathered(cx, args, &desc, [args.value("x_offsets"), args.value("y_offset")])?;
    let ty = Type { element: Element::Scalar(desc.element), shape };
    Ok(Val::Value(cx.builder.emit(OpKind::DescriptorGather, &[desc.handle, rows, column], ty)))
}

fn scatter<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let desc = descriptor(cx, &args.value("desc"))?;
    let (rows, column, shape) = gathered(cx, args, &desc, [args.value("x_offsets"), args.value("y_offset")])?;
    let stored = stored_block(cx, &args.value("value"), &desc, &shape)?;
    let stored = cx.cast_scalar(stored, desc.element, args.span)?;
    cx.builder.effect(OpKind::DescriptorScatter, vec![desc.handle, rows, column, stored]);
    Ok(Val::None)
}

/// Rows and first column of a gather or scatter, and the shape of what it moves: one block of one row for each entry of `rows`.
fn gathered<'a>(
    cx: &mut Context,
    args: &Args<'a>,
    desc: &Descriptor,
    [rows, column]: [Spanned<'a>; 2],
) -> R<(Value, Value, Vec<u32>)> {
    let name = args.builtin.name;
    let wrong = |cx: &Context, span: Span, message: String, help: String| -> crate::error::Stop {
        cx.error(tk_diag::SHAPE_MISMATCH, span, message, "").help(help).into()
    };
    let [1, columns] = desc.block[..] else {
        let message = format!("`{name}` needs a descriptor whose block is one row, not {:?}", desc.block);
        return Err(wrong(cx, args.span, message, "Make the block shape `[1, columns]`.".into()));
    };
    let least = (32 / desc.element.bits().min(32)) * 8;
    if columns < least {
        let message = format!("`{name}` of {} moves at least {least} columns, not {columns}", desc.element);
        return Err(wrong(cx, args.span, message, "Make the last block dimension larger.".into()));
    }
    let row_values = cx.value_of("the rows", &rows)?;
    let ty = cx.builder.ty(row_values).clone();
    let (count, narrow) = match (&ty.shape[..], ty.number()) {
        ([count], Some(number @ (ScalarType::I16 | ScalarType::I32))) if *count >= MIN_GATHERED_ROWS => {
            (*count, number == ScalarType::I16)
        }
        _ => {
            let message = format!("the rows of `{name}` are a 1-D tensor of at least 8 i32, not {ty}");
            return Err(wrong(cx, rows.span, message, "Make them with `tl.arange` or load them.".into()));
        }
    };
    let row_values = if narrow { cx.cast_scalar(row_values, ScalarType::I32, rows.span)? } else { row_values };
    let column = cx.integers("the column", &column, ScalarType::I32)?;
    let [column] = column[..] else {
        let message = format!("`{name}` starts at one column");
        return Err(wrong(cx, args.span, message, "Pass one integer.".into()));
    };
    Ok((row_values, column, vec![count, columns]))
}
