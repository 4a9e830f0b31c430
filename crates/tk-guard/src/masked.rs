//! The warning for values that a masked load leaves undefined and that are used later as if they were there.
//!
//! A load with a mask and without `other` gives elements of which nothing is known where the mask is false. That is harmless
//! while they stay in their places: arithmetic on them and a store under the same mask never show them. It is not harmless
//! once they are mixed with others: by a reduction, a scan or a product along a dimension in which the mask varies, or by a
//! store without a mask.
//!
//! The analysis follows each such load forward and remembers along which dimensions undefined elements lie. `tl.where`
//! ends it, since that is how programs replace them.

use crate::defs::{Defs, bounds_of, each_op, yields_of};
use crate::family::{Access, Family};
use rustc_hash::FxHashMap;
use tk_check::checked::{CastKind, Kernel, Op, OpKind, Value};
use tk_diag::{Diagnostic, MASKED_VALUE_USED, Span};

/// One dimension per bit: along which an element may be undefined while its neighbour is not.
type Dims = u32;

/// What is known of a value with undefined elements.
#[derive(Clone, Copy)]
struct Undefined {
    dims: Dims,
    load: Span,
}

pub(crate) fn warnings(kernel: &Kernel) -> Vec<Diagnostic> {
    let defs = Defs::new(kernel);
    let mut flow = Flow { kernel, defs, undefined: FxHashMap::default(), found: Vec::new() };
    // Twice, so that what a loop carries around is seen at its start.
    for _ in 0..2 {
        each_op(&kernel.body, &mut |op| flow.op(op));
    }
    flow.found
}

struct Flow<'k> {
    kernel: &'k Kernel,
    defs: Defs<'k>,
    undefined: FxHashMap<Value, Undefined>,
    found: Vec<Diagnostic>,
}

impl Flow<'_> {
    fn op(&mut self, op: &Op) {
        match Family::of(&op.kind) {
            Family::Access(Access::Load { masked: true }) => self.loaded(op),
            Family::Access(Access::Store { masked: false }) => self.stored(op),
            Family::Access(
                Access::Load { masked: false }
                | Access::Store { masked: true }
                | Access::Update { .. }
                | Access::CompareAndSwap,
            ) => {}
            Family::Combination => self.combined(op),
            Family::Mixture => {
                if let OpKind::Dot { .. } = op.kind {
                    self.dot(op);
                }
            }
            Family::Select => {
                if self.leaves_padding_out(op.operands[0]) {
                    self.pass(&op.operands[1..], &op.results, |dims| dims);
                }
            }
            Family::For | Family::While => self.carry(op),
            Family::If => {
                for (index, result) in op.results.iter().enumerate() {
                    self.pass(&yields_of(op, index), &[*result], |dims| dims);
                }
            }
            Family::Movement => self.moved(op),
            Family::Arithmetic | Family::Bitcast => self.pass(&op.operands, &op.results, |dims| dims),
            // Comparisons make conditions, which `tl.where` and masks consume; addresses that are made of numbers are checked elsewhere.
            Family::Function => {
                if !matches!(op.kind, OpKind::Compare(_) | OpKind::Cast(CastKind::IntToPtr)) {
                    self.pass(&op.operands, &op.results, |dims| dims);
                }
            }
            // Nothing undefined goes in, or nothing is known of where it comes out.
            Family::Source | Family::AddPtr | Family::Descriptor | Family::Foreign | Family::Statement => {}
        }
    }

    /// A load with a mask and without `other` leaves elements undefined.
    fn loaded(&mut self, op: &Op) {
        let OpKind::Load { other: false, .. } = op.kind else { return };
        let dims = self.varies(op.operands[1], MAX_LINKS);
        if dims != 0 && self.kernel.ty(op.results[0]).is_tensor() {
            self.undefined.insert(op.results[0], Undefined { dims, load: op.loc.span });
        }
    }

    /// Changes of shape that keep elements of a dimension together; others rearrange them too freely to follow.
    fn moved(&mut self, op: &Op) {
        if let OpKind::ExpandDims { axis } = op.kind {
            let below = (1u32 << axis) - 1;
            self.pass(&op.operands, &op.results, |dims| dims & below | (dims & !below) << 1);
        }
        if let OpKind::Trans { order } = &op.kind {
            self.pass(&op.operands, &op.results, |dims| {
                order.iter().enumerate().filter(|(_, from)| dims >> **from & 1 == 1).map(|(to, _)| 1 << to).sum()
            });
        }
        if op.kind == OpKind::Broadcast {
            self.pass(&op.operands, &op.results, |dims| dims);
        }
    }

    fn combined(&mut self, op: &Op) {
        if let OpKind::Reduce { axis } | OpKind::Scan { axis, .. } = op.kind {
            self.along(op, axis, matches!(op.kind, OpKind::Reduce { .. }));
        }
    }

    fn pass(&mut self, from: &[Value], to: &[Value], dims: impl Fn(Dims) -> Dims) {
        let all: Vec<Undefined> = from.iter().filter_map(|value| self.undefined.get(value).copied()).collect();
        let Some(first) = all.first() else { return };
        let joined = all.iter().fold(0, |sum, one| sum | dims(one.dims));
        for value in to {
            self.undefined.insert(*value, Undefined { dims: joined, load: first.load });
        }
    }

    fn carry(&mut self, op: &Op) {
        let first = usize::from(Family::of(&op.kind) == Family::For);
        for (index, result) in op.results.iter().enumerate() {
            let start = op.operands.get(bounds_of(op) + index).copied();
            let next = op.blocks.last().and_then(|body| body.yields.get(index)).copied();
            let from: Vec<Value> = [start, next].into_iter().flatten().collect();
            let args: Vec<Value> =
                op.blocks.iter().filter_map(|block| block.args.get(first + index)).copied().collect();
            self.pass(&from, &args, |dims| dims);
            self.pass(&from, &[*result], |dims| dims);
        }
    }

    fn along(&mut self, op: &Op, axis: u32, removes: bool) {
        for (input, result) in op.operands.iter().zip(&op.results) {
            let Some(undefined) = self.undefined.get(input).copied() else { continue };
            if undefined.dims >> axis & 1 == 1 {
                self.warn(op.loc.span, undefined.load, "mixes all elements along this dimension");
                continue;
            }
            let below = (1u32 << axis) - 1;
            let dims = if removes { undefined.dims & below | undefined.dims >> 1 & !below } else { undefined.dims };
            self.undefined.insert(*result, Undefined { dims, ..undefined });
        }
    }

    /// Of a product only the inner dimension is summed over.
    fn dot(&mut self, op: &Op) {
        let rank = self.kernel.ty(op.results[0]).shape.len() as u32;
        let mut outer = 0;
        for (side, inner) in [(0, rank - 1), (1, rank - 2)] {
            let Some(undefined) = self.undefined.get(&op.operands[side]).copied() else { continue };
            if undefined.dims >> inner & 1 == 1 {
                self.warn(op.loc.span, undefined.load, "sums over this dimension");
            } else {
                outer |= undefined.dims;
                self.undefined.insert(op.results[0], Undefined { dims: outer, ..undefined });
            }
        }
    }

    fn stored(&mut self, op: &Op) {
        if let Some(undefined) = self.undefined.get(&op.operands[1]).copied() {
            self.warn(op.loc.span, undefined.load, "stores every element, without a mask");
        }
    }

    fn warn(&mut self, span: Span, load: Span, what: &str) {
        let seen = |warning: &Diagnostic| warning.labels.first().is_some_and(|label| label.span == span);
        if self.found.iter().any(seen) {
            return;
        }
        let message = "elements that a mask left out are used here; what they are is undefined";
        self.found.push(
            Diagnostic::warning(MASKED_VALUE_USED, message)
                .at(&self.kernel.file, span, what)
                .at(&self.kernel.file, load, "loaded with a mask and without `other`")
                .help("Give the load `other=` with a value that does no harm here, such as 0.0 for sums and -float('inf') for maxima."),
        );
    }

    /// Whether a mask is false only in what the program cannot see.
    fn leaves_padding_out(&self, mask: Value) -> bool {
        self.kernel.values[mask.0 as usize].leaves_padding_out
    }

    /// Along which dimensions the elements of a mask can differ.
    fn varies(&self, value: Value, links: u32) -> Dims {
        if self.leaves_padding_out(value) {
            return 0;
        }
        let rank = self.kernel.ty(value).shape.len() as u32;
        let all = (1u32 << rank.min(31)) - 1;
        let (Some(op), Some(links)) = (self.defs.op(value), links.checked_sub(1)) else { return all };
        let of_all = |flow: &Self| {
            let tensors = op.operands.iter().filter(|value| flow.kernel.ty(**value).is_tensor());
            tensors.fold(0, |dims, value| dims | flow.varies(*value, links))
        };
        match Family::of(&op.kind) {
            Family::Movement => self.varies_moved(op, links, all),
            Family::Arithmetic if matches!(op.kind, OpKind::Unary(_)) => all,
            Family::Arithmetic | Family::Bitcast | Family::Select => of_all(self),
            Family::Function if matches!(op.kind, OpKind::Compare(_) | OpKind::Cast(_)) => of_all(self),
            Family::Source if matches!(op.kind, OpKind::Constant(_)) => 0,
            Family::Function
            | Family::Source
            | Family::AddPtr
            | Family::Access(_)
            | Family::Descriptor
            | Family::Combination
            | Family::Mixture
            | Family::Foreign
            | Family::For
            | Family::While
            | Family::If
            | Family::Statement => all,
        }
    }

    /// See [`Self::varies`], of what a change of shape gives.
    fn varies_moved(&self, op: &Op, links: u32, all: Dims) -> Dims {
        let source = op.operands[0];
        if op.kind == OpKind::Splat {
            return 0;
        }
        if op.kind == OpKind::Broadcast {
            let from = self.kernel.ty(source).shape.iter().enumerate();
            let kept: Dims = from.filter(|(_, size)| **size > 1).map(|(dim, _)| 1 << dim).sum();
            return self.varies(source, links) & kept;
        }
        let OpKind::ExpandDims { axis } = op.kind else { return all };
        let (below, dims) = ((1u32 << axis) - 1, self.varies(source, links));
        dims & below | (dims & !below) << 1
    }
}

/// How far the shape of a mask is followed through ops.
const MAX_LINKS: u32 = 60;
