//! The parts of descriptors, wherever they come from: parameters, `tt.make_tensor_descriptor`, selections, loops and branches.
//!
//! Everything is looked at before anything changes, and what is known of a value is kept in the program itself: behind every descriptor goes a
//! stand-in, one operation with the parts as results. Accesses, loops and branches use these results without asking where they come
//! from; at the end every stand-in gives way to the real parts. So no table names values that a change may have erased, and the order of
//! the changes does not matter.

use super::ALIGNMENT;
use super::access::Accesses;
use crate::analysis::descriptor_groups::{DescriptorGroup, is_access};
use crate::attributes::DIVISIBILITY;
use crate::control_flow::{NewCarried, NewResult, extend_for, extend_if};
use crate::operations::control::{Control, control};
use tk_diag::{Diagnostic, Result};
use tk_ir::ops::{ForOp, FuncOp, IfOp, MakeTensorDescriptorOp};
use tk_ir::{Builder, Op, OpKind, Type, Value};

/// What a descriptor consists of.
#[derive(Clone, Debug)]
pub(super) struct Parts<'c> {
    /// Address of the first element.
    pub(super) base: Value<'c>,
    /// Elements along each axis, as `i64`.
    pub(super) shape: Vec<Value<'c>>,
    /// Elements from one index to the next along each axis but the last, where it is 1, as `i64`.
    pub(super) strides: Vec<Value<'c>>,
    /// How elements outside the tensor read.
    pub(super) padding: Padding<Value<'c>>,
}

/// How elements outside of a tensor read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Padding<T> {
    Zero,
    Nan,
    /// As NaN where this is true: descriptors of both kinds meet.
    Either(T),
}

/// What all descriptors of a group have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form<'c> {
    rank: usize,
    element: Type<'c>,
    padding: Padding<()>,
}

impl<'c> Form<'c> {
    /// The form of a group, all of whose values come from where parts can be known.
    pub(super) fn of(function: FuncOp<'c>, group: &DescriptorGroup<'c>) -> Result<Self> {
        let mut paddings = Vec::new();
        for value in &group.values {
            paddings
                .extend(DescriptorSource::of(function, *value).ok_or_else(|| unknown(*value))?.pads_with_nan(function));
        }
        let padding = match (paddings.contains(&true), paddings.contains(&false)) {
            (true, true) => Padding::Either(()),
            (true, false) => Padding::Nan,
            (false, _) => Padding::Zero,
        };
        let block = group.values.first().and_then(|value| value.ty().descriptor_block());
        let block = block.ok_or_else(|| Diagnostic::bug("a group of descriptors without a descriptor").boxed())?;
        Ok(Self { rank: block.shape().len(), element: signless(block.element()), padding })
    }

    /// The types of the parts: base, sizes, strides, and the padding where it is no constant.
    fn types(self) -> Vec<Type<'c>> {
        let context = self.element.context();
        let mut types = vec![context.i(64); 2 * self.rank];
        types[0] = context.ptr(self.element);
        types.extend((self.padding == Padding::Either(())).then(|| context.i(1)));
        types
    }

    fn parts(self, values: &[Value<'c>]) -> Parts<'c> {
        let (shape, rest) = values[1..].split_at(self.rank);
        let (strides, padding) = rest.split_at(self.rank - 1);
        let padding = match self.padding {
            Padding::Zero => Padding::Zero,
            Padding::Nan => Padding::Nan,
            Padding::Either(()) => Padding::Either(padding[0]),
        };
        Parts { base: values[0], shape: shape.to_vec(), strides: strides.to_vec(), padding }
    }
}

/// Where a descriptor comes from.
enum DescriptorSource<'c> {
    /// A parameter of the kernel, with its number.
    Parameter(usize),
    Made(MakeTensorDescriptorOp<'c>),
    Selected(Op<'c>),
    /// A loop carries it, or a loop or a branch gives it.
    Flow,
}

impl<'c> DescriptorSource<'c> {
    fn of(function: FuncOp<'c>, value: Value<'c>) -> Option<Self> {
        if let Some(op) = value.defining_op() {
            return match control(op.kind()) {
                Control::For | Control::If => Some(Self::Flow),
                Control::Plain if op.kind() == OpKind::ArithSelect => Some(Self::Selected(op)),
                Control::Plain => MakeTensorDescriptorOp::cast(op).map(Self::Made),
                Control::While | Control::Yield | Control::Condition | Control::Opaque => None,
            };
        }
        let (block, index) = value.block_argument()?;
        if Some(block) != function.body() {
            let is_carried = index > 0 && block.parent_op()?.kind() == OpKind::ScfFor;
            return is_carried.then_some(Self::Flow);
        }
        // Sizes and strides follow a descriptor.
        let rank = value.ty().descriptor_block()?.shape().len();
        (index + 2 * rank < function.args().len()).then_some(Self::Parameter(index))
    }

    fn pads_with_nan(&self, function: FuncOp<'c>) -> Option<bool> {
        match self {
            Self::Parameter(index) => {
                let padding =
                    function.arg_attr(*index, tk_ir::attributes::PADDING).and_then(|padding| padding.as_int());
                Some(padding == Some(tk_ir::attributes::PADDING_NAN))
            }
            Self::Made(make) => Some(make.pads_with_nan()),
            Self::Selected(_) | Self::Flow => None,
        }
    }
}

/// Does everything that is done with the descriptors of these groups with their parts. The operations that made or passed on the
/// descriptors stay, without accesses.
pub(super) fn take_apart<'c>(function: FuncOp<'c>, groups: &[(DescriptorGroup<'c>, Form<'c>)]) -> Result<()> {
    for (group, form) in groups {
        for value in &group.values {
            let stand_in = Builder::after_value(*value).create(STAND_IN, &[*value], &form.types(), &[]);
            let parts = form.parts(&stand_in.results());
            for (access, _) in value.users().into_iter().filter(|(user, _)| is_access(*user)) {
                Accesses::rewrite(access, &parts)?;
            }
        }
    }
    let mut real: Vec<(Op<'c>, Vec<Value<'c>>)> = Vec::new();
    for (group, form) in groups {
        for value in &group.values {
            real.extend(at_source(function, *value, *form).and_then(|parts| Some((stand_in(*value)?, parts))));
        }
    }
    // From here on the values of the groups may be gone: a loop with more values is another operation.
    for op in function.op.descendants() {
        match control(op.kind()) {
            Control::For => through_loop(op, &mut real),
            Control::If => through_branch(op, &mut real),
            // No descriptor flows through these: its source would be unknown.
            Control::While | Control::Yield | Control::Condition | Control::Opaque | Control::Plain => {}
        }
    }
    for (stand_in, parts) in real {
        for (result, part) in stand_in.results().into_iter().zip(parts) {
            result.replace_all_uses_with(part);
        }
        stand_in.erase();
    }
    Ok(())
}

/// From a descriptor to its parts, until all of them are known.
const STAND_IN: OpKind = OpKind::BuiltinUnrealizedConversionCast;

fn stand_in(value: Value<'_>) -> Option<Op<'_>> {
    value.users().into_iter().map(|(user, _)| user).find(|user| user.kind() == STAND_IN && user.num_results() > 1)
}

fn stand_in_parts(value: Value<'_>) -> Vec<Value<'_>> {
    stand_in(value).map(|op| op.results()).unwrap_or_default()
}

/// The parts of a descriptor that no loop or branch passes on.
fn at_source<'c>(function: FuncOp<'c>, value: Value<'c>, form: Form<'c>) -> Option<Vec<Value<'c>>> {
    let source = DescriptorSource::of(function, value)?;
    let mut builder = Builder::after_value(value);
    let mut parts = match source {
        DescriptorSource::Parameter(index) => of_parameter(function, index, form, &mut builder),
        DescriptorSource::Made(make) => of_make(make, &mut builder),
        DescriptorSource::Selected(op) => {
            let pairs = stand_in_parts(op.operand(1)).into_iter().zip(stand_in_parts(op.operand(2)));
            return Some(pairs.map(|(yes, no)| builder.select(op.operand(0), yes, no)).collect());
        }
        DescriptorSource::Flow => return None,
    };
    if form.padding == Padding::Either(()) {
        parts.push(builder.bool(source.pads_with_nan(function) == Some(true)));
    }
    Some(parts)
}

fn of_parameter<'c>(function: FuncOp<'c>, index: usize, form: Form<'c>, builder: &mut Builder<'c>) -> Vec<Value<'c>> {
    let (args, rank) = (function.args(), form.rank);
    // A parameter that stands for itself as a pointer, until its type changes.
    let base = builder.create(STAND_IN, &[args[index]], &[builder.context().ptr(form.element)], &[]).result(0);
    let mut parts = vec![base];
    parts.extend(args[index + 1..=index + rank].iter().map(|size| as_i64(builder, *size)));
    parts.extend_from_slice(&args[index + 1 + rank..index + 2 * rank]);
    parts
}

/// The parts of a descriptor that the kernel makes, behind it.
pub(super) fn of_made<'c>(make: MakeTensorDescriptorOp<'c>) -> Result<Parts<'c>> {
    let descriptor = make.op.result(0);
    let block = descriptor.ty().descriptor_block();
    let block = block.ok_or_else(|| Diagnostic::bug("a descriptor of no block is made").boxed())?;
    let padding = if make.pads_with_nan() { Padding::Nan } else { Padding::Zero };
    let form = Form { rank: block.shape().len(), element: signless(block.element()), padding };
    Ok(form.parts(&of_make(make, &mut Builder::after_value(descriptor))))
}

fn of_make<'c>(make: MakeTensorDescriptorOp<'c>, builder: &mut Builder<'c>) -> Vec<Value<'c>> {
    let mut parts = vec![make.base()];
    parts.extend(make.shape().into_iter().map(|size| as_i64(builder, size)));
    let bits = make.op.result(0).ty().descriptor_block().map_or(8, |block| block.element_bits());
    let mut strides = make.strides();
    strides.pop();
    let elements = ALIGNMENT * 8 / bits.max(8) as i32;
    strides.iter().for_each(|stride| promise(*stride, elements));
    promise(make.base(), ALIGNMENT);
    parts.extend(strides);
    parts
}

/// Lets a loop carry the parts of the descriptors that it carries.
fn through_loop<'c>(op: Op<'c>, real: &mut Vec<(Op<'c>, Vec<Value<'c>>)>) {
    let Some(view) = ForOp::cast(op) else { return };
    let carried: Vec<usize> = view
        .iter_args()
        .into_iter()
        .enumerate()
        .filter(|(_, value)| value.ty().descriptor_block().is_some() && stand_in(*value).is_some())
        .map(|(index, _)| index)
        .collect();
    if carried.is_empty() {
        return;
    }
    let (inits, yielded, mut first) = (view.init_args(), view.yielded(), view.init_args().len());
    let more: Vec<_> = carried
        .iter()
        .flat_map(|&index| stand_in_parts(inits[index]).into_iter().zip(stand_in_parts(yielded[index])))
        .map(|(init, next)| NewCarried { init, next, ty: init.ty() })
        .collect();
    let view = extend_for(view, &more);
    let (arguments, results) = (view.iter_args(), view.results());
    for index in carried {
        for values in [&arguments, &results] {
            let Some(stand_in) = stand_in(values[index]) else { continue };
            let count = stand_in.num_results();
            real.push((stand_in, values[first..first + count].to_vec()));
        }
        first += stand_in_parts(arguments[index]).len();
    }
}

/// Lets a branch give the parts of the descriptors that it gives.
fn through_branch<'c>(op: Op<'c>, real: &mut Vec<(Op<'c>, Vec<Value<'c>>)>) {
    let view = IfOp::cast(op).and_then(|view| Some((view, view.then_yield(), view.else_yield()?)));
    let Some((view, yes, no)) = view else { return };
    let is_taken_apart = |value: Value<'c>| value.ty().descriptor_block().is_some() && stand_in(value).is_some();
    let given: Vec<usize> = (0..op.num_results()).filter(|index| is_taken_apart(op.result(*index))).collect();
    if given.is_empty() {
        return;
    }
    let mut first = op.num_results();
    let more: Vec<_> = given
        .iter()
        .flat_map(|&index| stand_in_parts(yes.operand(index)).into_iter().zip(stand_in_parts(no.operand(index))))
        .map(|(then, otherwise)| NewResult { then, otherwise, ty: then.ty() })
        .collect();
    let results = extend_if(view, &more).op.results();
    for index in given {
        let Some(stand_in) = stand_in(results[index]) else { continue };
        let count = stand_in.num_results();
        real.push((stand_in, results[first..first + count].to_vec()));
        first += count;
    }
}

/// Writes on the operation that makes a base or a stride what a descriptor promises of it: it is a multiple of so many bytes or elements.
fn promise(value: Value<'_>, factor: i32) {
    if let Some(op) = value.defining_op().filter(|op| op.kind() != OpKind::ArithConstant && op.num_results() == 1)
        && op.attr(DIVISIBILITY).is_none()
    {
        op.set_attr(DIVISIBILITY, op.context().i32_attr(factor));
    }
}

/// The same element type without a sign: what pointers point to.
pub(super) fn signless(element: Type<'_>) -> Type<'_> {
    element.int_bits().map_or(element, |bits| element.context().i(bits))
}

pub(super) fn as_i64<'c>(builder: &mut Builder<'c>, value: Value<'c>) -> Value<'c> {
    let i64 = builder.context().i(64);
    if value.ty() == i64 { value } else { builder.cast(OpKind::ArithExtSI, value, i64) }
}

fn unknown(value: Value<'_>) -> Box<Diagnostic> {
    let message = format!("a tensor descriptor comes from where its parts are not known: {}", value.ty());
    Diagnostic::error(tk_diag::BAD_IR, message)
        .help("a target without TMA needs descriptors from parameters, `tl.make_tensor_descriptor`, `for` loops or branches")
        .boxed()
}
