//! Reductions and scans, with built-in and user-written combine functions.

use crate::builtin::{Args, Builtin, calling_method, function, method};
use crate::builtins::shape::reshaped;
use crate::checked::{BinaryOp, Block, CompareOp, Element, OpKind, Type, Value};
use crate::context::Context;
use crate::context::Extremum;
use crate::context::NanRule;
use crate::error::R;
use crate::interpreter::{Emitter, Interpreter};
use crate::value::{Spanned, Val};
use tk_diag::Span;
use tk_types::ScalarType;

pub(crate) const TABLE: &[Builtin] = &[
    method("sum", &["input", "axis?", "keep_dims?", "dtype?", "reduction_ordering?"], sum),
    method("xor_sum", &["input", "axis?", "keep_dims?"], |c, a| integer_reduction(c, a, BinaryOp::Xor)),
    method("reduce_or", &["input", "axis?", "keep_dims?"], |c, a| integer_reduction(c, a, BinaryOp::Or)),
    method("max", &["input", "axis?", "return_indices?", "return_indices_tie_break_left?", "keep_dims?"], |c, a| {
        extremum(c, a, Extremum::Greatest)
    }),
    method("min", &["input", "axis?", "return_indices?", "return_indices_tie_break_left?", "keep_dims?"], |c, a| {
        extremum(c, a, Extremum::Least)
    }),
    method("argmax", &["input", "axis?", "tie_break_left?", "keep_dims?"], |c, a| {
        arg_extremum(c, a, Extremum::Greatest)
    }),
    method("argmin", &["input", "axis?", "tie_break_left?", "keep_dims?"], |c, a| arg_extremum(c, a, Extremum::Least)),
    calling_method("reduce", &["input", "axis", "combine_fn", "keep_dims?"], reduce),
    calling_method("associative_scan", &["input", "axis", "combine_fn", "reverse?"], associative_scan),
    method("cumsum", &["input", "axis?", "reverse?", "dtype?"], |c, a| cumulative(c, a, true)),
    method("cumprod", &["input", "axis?", "reverse?", "dtype?"], |c, a| cumulative(c, a, false)),
    method("histogram", &["input", "num_bins", "mask?"], histogram),
    function("_sum_combine", &["a", "b"], |c, a| {
        c.binary(tk_grammar::ast::BinaryOp::Add, &a.value("a"), &a.value("b"))
    }),
    function("_elementwise_max", &["a", "b"], |c, a| {
        c.extremum(Extremum::Greatest, NanRule::Loses, &a.value("a"), &a.value("b")).map(Val::Value)
    }),
    function("_elementwise_min", &["a", "b"], |c, a| {
        c.extremum(Extremum::Least, NanRule::Loses, &a.value("a"), &a.value("b")).map(Val::Value)
    }),
];

/// How an extremum with its index is taken.
#[derive(Clone, Copy)]
struct IndexedOptions {
    /// Of equal elements the first counts.
    tie_left: bool,
    keep_dims: bool,
}

/// How to combine two groups of scalars inside a reduction or scan: with operations, or by a function of the program, for which
/// the emitter is the interpreter.
type Combine<'c, E> = &'c mut dyn FnMut(&mut E, &[Value]) -> R<Vec<Value>>;

impl Context {
    fn reduced_tensor<'a>(&mut self, args: &Args<'a>) -> R<Value> {
        let arg = args.receiver();
        let value = self.value_of(&format!("the argument of `{}`", args.builtin.name), &arg)?;
        self.need_tensor(args.builtin.name, value, arg.span)?;
        Ok(value)
    }

    fn need_tensor(&self, name: &str, value: Value, span: Span) -> R<()> {
        if self.builder.ty(value).is_tensor() {
            return Ok(());
        }
        let message = format!("`{name}` needs a tensor, not the scalar {}", self.builder.ty(value));
        Err(self.error(tk_diag::SHAPE_MISMATCH, span, message, "").help("A scalar needs no reduction.").into())
    }

    /// The axes of a reduction, sorted: all of them, one, or those of a tuple.
    fn axes<'a>(&self, arg: Option<&Spanned<'a>>, rank: usize) -> R<Vec<u32>> {
        let Some(arg) = arg else { return Ok((0..rank as u32).collect()) };
        let Val::Tuple(items) = &arg.val else { return Ok(vec![self.axis(arg, rank)?]) };
        let one = |item: &Val<'a>| self.axis(&Spanned { val: item.clone(), span: arg.span }, rank);
        let mut axes = items.iter().map(one).collect::<R<Vec<u32>>>()?;
        axes.sort_unstable();
        if axes.is_empty() || axes.windows(2).any(|pair| pair[0] == pair[1]) {
            let message = "the axes of a reduction must be different, and there must be one";
            return Err(self
                .error(tk_diag::BAD_ARGUMENT, arg.span, message, "")
                .help("Name each axis once, as in `axis=(0, 1)`, or leave `axis` out for all of them.")
                .into());
        }
        Ok(axes)
    }

    /// A reduction by one op.
    pub(crate) fn reduce_with(
        &mut self,
        value: Value,
        axes: &[u32],
        keep_dims: bool,
        span: Span,
        op: BinaryOp,
    ) -> R<Value> {
        let mut combine = |cx: &mut Context, args: &[Value]| {
            let ty = cx.builder.ty(args[0]).clone();
            Ok(vec![cx.builder.emit(OpKind::Binary(op), &[args[0], args[1]], ty)])
        };
        Ok(reduce_values(self, &[value], axes, keep_dims, span, &mut combine)?[0])
    }

    /// The greatest or least element; elements below 32 bits are widened first, as the language defines.
    pub(crate) fn reduce_extremum(
        &mut self,
        which: Extremum,
        value: Value,
        axes: &[u32],
        keep_dims: bool,
        span: Span,
    ) -> R<Value> {
        let value = match self.builder.ty(value).number() {
            Some(scalar) if scalar.bits() < 32 => {
                let wide = if scalar.is_float() { ScalarType::F32 } else { ScalarType::I32 };
                self.cast_scalar(value, wide, span)?
            }
            Some(_) => value,
            None => {
                let message = format!("pointers have no order: {}", self.builder.ty(value));
                return Err(self
                    .error(tk_diag::TYPE_MISMATCH, span, message, "")
                    .help("Load the values first.")
                    .into());
            }
        };
        let mut combine =
            |cx: &mut Context, args: &[Value]| Ok(vec![cx.extremum_of(which, NanRule::Loses, args[0], args[1])]);
        Ok(reduce_values(self, &[value], axes, keep_dims, span, &mut combine)?[0])
    }

    /// The extremum and its index: along one axis, or in the row-major order of several.
    fn reduce_with_index(
        &mut self,
        which: Extremum,
        value: Value,
        axes: &[u32],
        options: IndexedOptions,
        span: Span,
    ) -> R<(Value, Value)> {
        let IndexedOptions { tie_left, keep_dims } = options;
        if self.builder.ty(value).number().is_none() {
            let message = format!("pointers have no order: {}", self.builder.ty(value));
            return Err(self.error(tk_diag::TYPE_MISMATCH, span, message, "").help("Load the values first.").into());
        }
        let shape = self.builder.ty(value).shape.clone();
        let index = self.reduced_index(&shape, axes);
        let mut combine = |cx: &mut Context, args: &[Value]| cx.combine_indexed(which, tie_left, args);
        let results = reduce_values(self, &[value, index], axes, keep_dims, span, &mut combine)?;
        Ok((results[0], results[1]))
    }

    /// The i32 index of every element among those that are reduced with it, row-major over the axes.
    fn reduced_index(&mut self, shape: &[u32], axes: &[u32]) -> Value {
        let mut sum: Option<Value> = None;
        let mut stride = 1_i128;
        for &axis in axes.iter().rev() {
            let length = shape[axis as usize];
            let mut index = self.iota(shape.len(), axis, length);
            if stride != 1 {
                let stride = self.builder.int(stride, self.builder.ty(index).clone());
                index = self.builder.binary(BinaryOp::MulI, index, stride);
            }
            let index = self.builder.broadcast(index, shape);
            sum = Some(sum.map_or(index, |sum| self.builder.binary(BinaryOp::AddI, sum, index)));
            stride *= i128::from(length);
        }
        sum.unwrap_or_else(|| {
            self.builder.int(0, Type { element: Element::Scalar(ScalarType::I32), shape: shape.to_vec() })
        })
    }

    /// 0, 1, 2, … along one axis, i32, with dimensions of 1 elsewhere.
    pub(crate) fn iota(&mut self, rank: usize, axis: u32, length: u32) -> Value {
        let ty = Type { element: Element::Scalar(ScalarType::I32), shape: vec![length] };
        let mut index = self.builder.emit(OpKind::MakeRange { start: 0, end: length as i32 }, &[], ty);
        for other in (0..rank as u32).filter(|d| *d != axis) {
            index = self.builder.expand_dim(index, other);
        }
        index
    }

    /// (value, index) of the better of two; equal values go to the lower index when `tie_left`.
    fn combine_indexed(&mut self, which: Extremum, tie_left: bool, args: &[Value]) -> R<Vec<Value>> {
        let [v1, i1, v2, i2] = [args[0], args[1], args[2], args[3]];
        let float = self.builder.ty(v1).number().is_some_and(ScalarType::is_float);
        let signed = self.builder.ty(v1).number().is_some_and(ScalarType::is_signed_int);
        let better = match which {
            Extremum::Greatest if float => CompareOp::GtF,
            Extremum::Least if float => CompareOp::LtF,
            Extremum::Greatest if signed => CompareOp::GtS,
            Extremum::Least if signed => CompareOp::LtS,
            Extremum::Greatest => CompareOp::GtU,
            Extremum::Least => CompareOp::LtU,
        };
        let equal = if float { CompareOp::EqF } else { CompareOp::EqI };
        let bool = Type::scalar(ScalarType::I1);
        let tie = tie_left.then(|| {
            let same = self.builder.emit(OpKind::Compare(equal), &[v1, v2], bool.clone());
            let first = self.builder.emit(OpKind::Compare(CompareOp::LtS), &[i1, i2], bool.clone());
            self.builder.emit(OpKind::Binary(BinaryOp::And), &[same, first], bool.clone())
        });
        let mut take = self.builder.emit(OpKind::Compare(better), &[v1, v2], bool.clone());
        if let Some(tie) = tie {
            take = self.builder.emit(OpKind::Binary(BinaryOp::Or), &[take, tie], bool);
        }
        let (value_type, index_type) = (self.builder.ty(v1).clone(), self.builder.ty(i1).clone());
        let value = self.builder.emit(OpKind::Select, &[take, v1, v2], value_type);
        let index = self.builder.emit(OpKind::Select, &[take, i1, i2], index_type);
        Ok(vec![value, index])
    }

    /// The type that sums are made in: narrow integers widen to 32 bits of the same sign, bools to u32.
    fn sum_type<'a>(&self, value: Value, dtype: Option<&Spanned<'a>>, span: Span) -> R<ScalarType> {
        if let Some(dtype) = dtype {
            return self.scalar_dtype("`dtype`", dtype);
        }
        match self.builder.ty(value).number() {
            Some(scalar) if scalar.is_int() && scalar.bits() < 32 => {
                Ok(if scalar.is_signed_int() { ScalarType::I32 } else { ScalarType::U32 })
            }
            Some(scalar) => Ok(scalar),
            None => {
                let message = format!("pointers cannot be added: {}", self.builder.ty(value));
                Err(self.error(tk_diag::TYPE_MISMATCH, span, message, "").help("Load the values first.").into())
            }
        }
    }
}

/// Reduces tensors of one shape along some axes, which are sorted; scalars come out when no dimension is left.
pub(crate) fn reduce_values<E: Emitter + ?Sized>(
    emitter: &mut E,
    inputs: &[Value],
    axes: &[u32],
    keep_dims: bool,
    span: Span,
    combine: Combine<'_, E>,
) -> R<Vec<Value>> {
    let cx = emitter.cx();
    let shape = cx.builder.ty(inputs[0]).shape.clone();
    let mut operands = inputs.to_vec();
    // A reduction of everything is one op, which needs no order of the elements.
    let whole = axes.len() == shape.len() && shape.len() > 1 && shape.iter().all(|d| d.is_power_of_two());
    if whole {
        for operand in &mut operands {
            let numel = cx.builder.ty(*operand).numel() as u32;
            *operand = reshaped(cx, *operand, vec![numel], true, span)?;
        }
    }
    for &axis in (if whole { &[0][..] } else { axes }).iter().rev() {
        operands = reduce_axis(emitter, operands, axis, span, &mut *combine)?;
    }
    if keep_dims {
        let builder = &mut emitter.cx().builder;
        for operand in &mut operands {
            for &axis in axes {
                *operand = builder.expand_dim(*operand, if builder.ty(*operand).is_tensor() { axis } else { 0 });
            }
        }
    }
    Ok(operands)
}

/// Reduces along one axis and takes it out.
fn reduce_axis<E: Emitter + ?Sized>(
    emitter: &mut E,
    operands: Vec<Value>,
    axis: u32,
    span: Span,
    combine: Combine<'_, E>,
) -> R<Vec<Value>> {
    let block = combine_block(emitter, &operands, span, combine)?;
    let builder = &mut emitter.cx().builder;
    let types = operands.iter().map(|value| {
        let mut ty = builder.ty(*value).clone();
        ty.shape.remove(axis as usize);
        ty
    });
    let types: Vec<Type> = types.collect();
    Ok(builder.op(OpKind::Reduce { axis }, operands, types, vec![block]))
}

/// The block that combines two groups of scalars.
fn combine_block<E: Emitter + ?Sized>(
    emitter: &mut E,
    operands: &[Value],
    span: Span,
    combine: Combine<'_, E>,
) -> R<Block> {
    let builder = &mut emitter.cx().builder;
    builder.open_block();
    let scalars: Vec<Type> =
        operands.iter().map(|value| Type { element: builder.ty(*value).element.clone(), shape: Vec::new() }).collect();
    let args: Vec<Value> = scalars.iter().chain(&scalars).map(|ty| builder.block_argument(ty.clone(), None)).collect();
    let yields = combine(emitter, &args);
    let cx = emitter.cx();
    let mut block = cx.builder.close_block();
    block.yields = yields?;
    let found: Vec<Type> = block.yields.iter().map(|value| cx.builder.ty(*value).clone()).collect();
    if found == scalars {
        return Ok(block);
    }
    let list = |types: &[Type]| types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let message = format!("the combine function must return ({}), and returns ({})", list(&scalars), list(&found));
    Err(cx
        .error(tk_diag::TYPE_MISMATCH, span, message, "combined here")
        .help("It takes two groups of scalars and returns one group of the same types.")
        .into())
}

fn sum<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let value = cx.reduced_tensor(args)?;
    let axes = cx.axes(args.given("axis"), cx.builder.ty(value).shape.len())?;
    let keep = args.flag(cx, "keep_dims", false)?;
    let scalar = cx.sum_type(value, args.given("dtype"), args.value("input").span)?;
    let value = cx.cast_scalar(value, scalar, args.span)?;
    let op = if scalar.is_float() { BinaryOp::AddF } else { BinaryOp::AddI };
    cx.reduce_with(value, &axes, keep, args.span, op).map(Val::Value)
}

fn integer_reduction<'a>(cx: &mut Context, args: &Args<'a>, op: BinaryOp) -> R<Val<'a>> {
    let value = cx.reduced_tensor(args)?;
    if !cx.builder.ty(value).number().is_some_and(ScalarType::is_int) {
        let message = format!("`{}` works on integers, not on {}", args.builtin.name, cx.builder.ty(value));
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, args.value("input").span, message, "")
            .help("Cast with `bitcast=True`.")
            .into());
    }
    let axes = cx.axes(args.given("axis"), cx.builder.ty(value).shape.len())?;
    let keep = args.flag(cx, "keep_dims", false)?;
    cx.reduce_with(value, &axes, keep, args.span, op).map(Val::Value)
}

fn extremum<'a>(cx: &mut Context, args: &Args<'a>, which: Extremum) -> R<Val<'a>> {
    let value = cx.reduced_tensor(args)?;
    let axes = cx.axes(args.given("axis"), cx.builder.ty(value).shape.len())?;
    let keep = args.flag(cx, "keep_dims", false)?;
    if !args.flag(cx, "return_indices", false)? {
        return cx.reduce_extremum(which, value, &axes, keep, args.span).map(Val::Value);
    }
    let tie_left = args.flag(cx, "return_indices_tie_break_left", true)?;
    let (value, index) =
        cx.reduce_with_index(which, value, &axes, IndexedOptions { tie_left, keep_dims: keep }, args.span)?;
    Ok(Val::tuple(vec![Val::Value(value), Val::Value(index)]))
}

fn arg_extremum<'a>(cx: &mut Context, args: &Args<'a>, which: Extremum) -> R<Val<'a>> {
    let value = cx.reduced_tensor(args)?;
    let axes = cx.axes(args.given("axis"), cx.builder.ty(value).shape.len())?;
    let tie_left = args.flag(cx, "tie_break_left", true)?;
    let keep = args.flag(cx, "keep_dims", false)?;
    let (_, index) =
        cx.reduce_with_index(which, value, &axes, IndexedOptions { tie_left, keep_dims: keep }, args.span)?;
    Ok(Val::Value(index))
}

/// The tensors of a reduction or scan: one, or a tuple of equal shapes.
fn inputs<'a>(cx: &mut Context, args: &Args<'a>) -> R<(Vec<Value>, bool)> {
    let arg = args.value("input");
    let Val::Tuple(items) = &arg.val else { return Ok((vec![cx.reduced_tensor(args)?], false)) };
    let mut values = Vec::with_capacity(items.len());
    for item in items.iter() {
        let item = Spanned { val: item.clone(), span: arg.span };
        let value = cx.value_of(&format!("an input of `{}`", args.builtin.name), &item)?;
        cx.need_tensor(args.builtin.name, value, arg.span)?;
        values.push(value);
    }
    let Some(first) = values.first() else {
        let message = format!("`{}` needs at least one tensor", args.builtin.name);
        return Err(cx
            .error(tk_diag::ARGUMENT_COUNT, arg.span, message, "")
            .help("Pass a tensor or a tuple of tensors.")
            .into());
    };
    let shape = &cx.builder.ty(*first).shape;
    if let Some(odd) = values.iter().find(|value| cx.builder.ty(**value).shape != *shape) {
        let message = format!(
            "`{}` needs inputs of one shape, not {} and {}",
            args.builtin.name,
            cx.builder.ty(*first),
            cx.builder.ty(*odd)
        );
        return Err(cx.error(tk_diag::SHAPE_MISMATCH, arg.span, message, "").help("Broadcast them first.").into());
    }
    Ok((values, true))
}

fn outputs<'a>(results: Vec<Value>, tuple: bool) -> Val<'a> {
    if tuple { Val::tuple(results.into_iter().map(Val::Value).collect::<Vec<_>>()) } else { Val::Value(results[0]) }
}

/// Combines by a function of the program.
fn by_function<'i, 'a: 'i>(
    function: &Spanned<'a>,
    span: Span,
) -> impl FnMut(&mut (dyn Interpreter<'a> + 'i), &[Value]) -> R<Vec<Value>> {
    move |interpreter, scalars| interpreter.combine(function, scalars, span)
}

fn reduce<'a>(interpreter: &mut dyn Interpreter<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let cx = interpreter.cx();
    let (values, tuple) = inputs(cx, args)?;
    let axes = cx.axes(args.given("axis"), cx.builder.ty(values[0]).shape.len())?;
    let keep = args.flag(cx, "keep_dims", false)?;
    let function = args.value("combine_fn");
    let mut combine = by_function(&function, args.span);
    let results = reduce_values(interpreter, &values, &axes, keep, args.span, &mut combine)?;
    Ok(outputs(results, tuple))
}

fn scan<E: Emitter + ?Sized>(
    emitter: &mut E,
    values: &[Value],
    axis: u32,
    reverse: bool,
    span: Span,
    combine: Combine<'_, E>,
) -> R<Vec<Value>> {
    let block = combine_block(emitter, values, span, combine)?;
    let builder = &mut emitter.cx().builder;
    let types = values.iter().map(|value| builder.ty(*value).clone()).collect();
    Ok(builder.op(OpKind::Scan { axis, reverse }, values.to_vec(), types, vec![block]))
}

fn associative_scan<'a>(interpreter: &mut dyn Interpreter<'a>, args: &Args<'a>) -> R<Val<'a>> {
    let cx = interpreter.cx();
    let (values, tuple) = inputs(cx, args)?;
    let axis = cx.axis(&args.value("axis"), cx.builder.ty(values[0]).shape.len())?;
    let reverse = args.flag(cx, "reverse", false)?;
    let function = args.value("combine_fn");
    let mut combine = by_function(&function, args.span);
    let results = scan(interpreter, &values, axis, reverse, args.span, &mut combine)?;
    Ok(outputs(results, tuple))
}

/// Cumulative sums or products. Those of 16-bit floats are made in fp32 and rounded once: each is then as near as its type can say,
/// where a sum that is rounded at each step is off by some hundredths after a few dozen steps.
fn cumulative<'a>(cx: &mut Context, args: &Args<'a>, sum: bool) -> R<Val<'a>> {
    let value = cx.reduced_tensor(args)?;
    let rank = cx.builder.ty(value).shape.len();
    let axis = match args.given("axis") {
        Some(arg) => cx.axis(arg, rank)?,
        None => 0,
    };
    let reverse = args.flag(cx, "reverse", false)?;
    let scalar = cx.sum_type(value, args.given("dtype"), args.value("input").span)?;
    let within = if scalar.is_float() && scalar.bits() == 16 { ScalarType::F32 } else { scalar };
    let value = cx.cast_scalar(value, within, args.span)?;
    let op = match (sum, scalar.is_float()) {
        (true, true) => BinaryOp::AddF,
        (true, false) => BinaryOp::AddI,
        (false, true) => BinaryOp::MulF,
        (false, false) => BinaryOp::MulI,
    };
    let mut combine = |cx: &mut Context, scalars: &[Value]| {
        let ty = cx.builder.ty(scalars[0]).clone();
        Ok(vec![cx.builder.emit(OpKind::Binary(op), &[scalars[0], scalars[1]], ty)])
    };
    let result = scan(cx, &[value], axis, reverse, args.span, &mut combine)?[0];
    cx.cast_scalar(result, scalar, args.span).map(Val::Value)
}

fn histogram<'a>(cx: &mut Context, args: &Args<'a>) -> R<Val<'a>> {
    let value = cx.reduced_tensor(args)?;
    let ty = cx.builder.ty(value).clone();
    if ty.shape.len() != 1 || !ty.number().is_some_and(|scalar| scalar.is_int() && scalar.bits() == 32) {
        let message = format!("`histogram` needs a 1-D tensor of 32-bit integers, not {ty}");
        return Err(cx
            .error(tk_diag::TYPE_MISMATCH, args.value("input").span, message, "")
            .help("Cast with `.to(tl.int32)` or flatten with `tl.ravel`.")
            .into());
    }
    let bins_arg = args.value("num_bins");
    let bins = cx.constant_int("`num_bins`", &bins_arg)?;
    let shape = cx.checked_shape(&[bins], bins_arg.span)?;
    let mut operands = vec![value];
    let mask = args.given("mask").is_some();
    if let Some(arg) = args.given("mask") {
        let mask = cx.mask_argument(arg)?;
        operands.push(cx.broadcast_to("the mask", arg, mask, &ty.shape)?);
    }
    let result = Type { element: Element::Scalar(ScalarType::I32), shape };
    Ok(Val::Value(cx.builder.emit(OpKind::Histogram { mask }, &operands, result)))
}
