//! Tensor descriptors: `make_tensor_descriptor`, and loads and stores of whole blocks through them.
//!
//! The hardware copies the block, fills what lies outside the tensor, and drops stores outside it; there are no masks.

use super::{Args, Builtin, function, method};
use crate::check::Checker;
use crate::checked::{CacheModifier, Element, EvictionPolicy, OpKind, Type, Value};
use crate::error::R;
use crate::value::{Spanned, Val};
use tk_types::ScalarType;

const MAKE: &[&str] = &["base", "shape", "strides", "block_shape", "padding_option?"];

pub(crate) const TABLE: &[Builtin] = &[
    function("make_tensor_descriptor", MAKE, make),
    function("_experimental_make_tensor_descriptor", MAKE, make),
    function("load_tensor_descriptor", &["desc", "offsets"], load),
    function("store_tensor_descriptor", &["desc", "offsets", "value"], store),
    function("_experimental_descriptor_load", &["desc", "offsets", "block_shape?", "dtype?"], load),
    function("_experimental_descriptor_store", &["desc", "value", "offsets"], |c, a| {
        let order = [a.at(0), a.at(2), a.at(1)];
        store_parts(c, a, order)
    }),
];

/// The methods of a descriptor.
pub(crate) const METHODS: &[Builtin] =
    &[method("load", &["desc", "offsets"], load), method("store", &["desc", "offsets", "value"], store)];

/// Most dimensions of a descriptor.
const MAX_RANK: usize = 5;
/// Fewest bytes in a row of a block: the hardware copies units of 16 bytes.
const MIN_ROW_BYTES: u32 = 16;

fn make<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let base_arg = args.at(0);
    let base = checker.pointer_argument("`make_tensor_descriptor`", &base_arg)?;
    let element = match checker.ty(base).pointee() {
        Some(Element::Scalar(scalar)) if !checker.ty(base).is_tensor() => *scalar,
        _ => {
            let found = checker.ty(base).to_string();
            let message = format!("`make_tensor_descriptor` needs a scalar pointer to numbers, not {found}");
            return Err(checker
                .error(tk_diag::TYPE_MISMATCH, base_arg.span, message, found)
                .help("Pass the pointer argument itself.")
                .into());
        }
    };
    let block = checker.shape(&args.at(3))?;
    let strides_arg = args.at(2);
    check_last_stride(checker, &strides_arg)?;
    let shape = checker.integers("the shape of a tensor descriptor", &args.at(1), ScalarType::I32)?;
    let strides = checker.integers("the strides of a tensor descriptor", &strides_arg, ScalarType::I64)?;
    check_ranks(checker, args, &block, [shape.len(), strides.len()])?;
    check_row(checker, &args.at(3), &block, element)?;
    let padding_nan = padding(checker, args.get(4), element)?;
    let operands = std::iter::once(base).chain(shape).chain(strides).collect();
    let ty = Type { element: Element::Descriptor { element, block }, shape: Vec::new() };
    let made = checker.emit_op(OpKind::MakeDescriptor { padding_nan }, operands, vec![ty], Vec::new());
    Ok(Val::Value(made[0]))
}

fn check_last_stride<'a>(checker: &Checker<'a>, strides: &Spanned<'a>) -> R<()> {
    let last = match &strides.val {
        Val::Tuple(items) => items.last().cloned(),
        other => Some(other.clone()),
    };
    if last.is_some_and(|last| checker.known_int(&last) == Some(1)) {
        return Ok(());
    }
    let message = "the last stride of a tensor descriptor must be the constant 1";
    Err(checker
        .error(tk_diag::BAD_ARGUMENT, strides.span, message, "")
        .help("Describe the tensor with its contiguous dimension last, and load with `.trans()` where needed.")
        .into())
}

fn check_ranks<'a>(checker: &Checker<'a>, args: &Args<'a>, block: &[u32], counts: [usize; 2]) -> R<()> {
    let rank = block.len();
    if rank == 0 || rank > MAX_RANK {
        let message = format!("a tensor descriptor has 1 to {MAX_RANK} dimensions, not {rank}");
        return Err(checker
            .error(tk_diag::SHAPE_MISMATCH, args.at(3).span, message, "")
            .help("Merge dimensions that are contiguous.")
            .into());
    }
    for (what, arg, count) in [("shape", 1, counts[0]), ("strides", 2, counts[1])] {
        if count != rank {
            let message = format!("the block has {rank} dimensions and `{what}` has {count}");
            return Err(checker
                .error(tk_diag::SHAPE_MISMATCH, args.at(arg).span, message, "")
                .help("Give one entry per dimension.")
                .into());
        }
    }
    Ok(())
}

fn check_row<'a>(checker: &Checker<'a>, arg: &Spanned<'a>, block: &[u32], element: ScalarType) -> R<()> {
    let last = block.last().copied().unwrap_or(1);
    if u64::from(last) * u64::from(element.bytes()) >= u64::from(MIN_ROW_BYTES) {
        return Ok(());
    }
    let message = format!(
        "a row of the block has {} bytes, and descriptors copy at least {MIN_ROW_BYTES}",
        last * element.bytes()
    );
    Err(checker
        .error(tk_diag::BAD_ARGUMENT, arg.span, message, format!("{last} elements of {element}"))
        .help("Make the last block dimension larger.")
        .into())
}

fn padding<'a>(checker: &Checker<'a>, arg: Option<&Spanned<'a>>, element: ScalarType) -> R<bool> {
    let Some(arg) = arg else { return Ok(false) };
    match &*checker.constant_str("`padding_option`", arg)? {
        "" | "zero" => Ok(false),
        "nan" if element.is_float() => Ok(true),
        "nan" => {
            let message = format!("{element} has no NaN to pad with");
            Err(checker.error(tk_diag::BAD_ARGUMENT, arg.span, message, "").help("Pad with \"zero\".").into())
        }
        other => {
            let message = format!("{other:?} is not a padding option");
            Err(checker
                .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
                .help("There are \"zero\" and \"nan\".")
                .into())
        }
    }
}

/// The descriptor with its element type and block shape.
fn descriptor<'a>(checker: &Checker<'a>, arg: &Spanned<'a>) -> R<(Value, ScalarType, Vec<u32>)> {
    if let Val::Value(value) = arg.val
        && let Element::Descriptor { element, block } = &checker.ty(value).element
    {
        return Ok((value, *element, block.clone()));
    }
    let found = checker.describe(&arg.val);
    let message = format!("a tensor descriptor is needed, not {found}");
    Err(checker
        .error(tk_diag::TYPE_MISMATCH, arg.span, message, "")
        .help("Make one with `tl.make_tensor_descriptor`.")
        .into())
}

fn offsets<'a>(checker: &mut Checker<'a>, arg: &Spanned<'a>, rank: usize) -> R<Vec<Value>> {
    let offsets = checker.integers("the offsets of a block", arg, ScalarType::I32)?;
    if offsets.len() == rank {
        return Ok(offsets);
    }
    let message = format!("the block has {rank} dimensions and there are {} offsets", offsets.len());
    Err(checker.error(tk_diag::SHAPE_MISMATCH, arg.span, message, "").help("Give one offset per dimension.").into())
}

fn load<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let (desc, element, block) = descriptor(checker, &args.at(0))?;
    let mut operands = vec![desc];
    operands.extend(offsets(checker, &args.at(1), block.len())?);
    let kind = OpKind::DescriptorLoad { cache: CacheModifier::None, eviction: EvictionPolicy::Normal };
    let ty = Type { element: Element::Scalar(element), shape: block };
    Ok(Val::Value(checker.emit(kind, &operands, ty)))
}

fn store<'a>(checker: &mut Checker<'a>, args: &Args<'a>) -> R<Val<'a>> {
    store_parts(checker, args, [args.at(0), args.at(1), args.at(2)])
}

fn store_parts<'a>(checker: &mut Checker<'a>, args: &Args<'a>, [desc, at, value]: [Spanned<'a>; 3]) -> R<Val<'a>> {
    let (handle, element, block) = descriptor(checker, &desc)?;
    let stored = checker.value_of("the value of a store", &value)?;
    let found = checker.ty(stored).clone();
    if found.shape != block {
        let message = format!("the descriptor stores blocks of shape {block:?}, not {found}");
        return Err(checker
            .error(tk_diag::SHAPE_MISMATCH, value.span, message, found.to_string())
            .help("Reshape or broadcast the value to the block.")
            .into());
    }
    let stored = checker.cast_scalar(stored, element, args.span)?;
    let mut operands = vec![handle, stored];
    operands.extend(offsets(checker, &at, block.len())?);
    checker.emit_void(OpKind::DescriptorStore, operands);
    Ok(Val::None)
}
