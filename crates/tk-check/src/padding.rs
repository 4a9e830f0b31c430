//! Dimensions that are no power of two: every tensor is stored in the next larger powers of two, and what could see the
//! padding is masked.
//!
//! The checker works with the shapes of the program, so `x.shape`, broadcasting and errors show them. This last step makes
//! them powers of two. The padding holds anything; so memory accesses, assertions and histograms get a mask, reductions and
//! reverse scans replace it by what changes nothing, products make it zero along K, and a reshape that moves padding becomes
//! a gather. Elementwise ops need nothing. Blocks of descriptors are padded like tensors: a load reads more of the tensor, and a
//! write says which elements are the program's, as products do of their results.

mod blocks;
mod reshape;

use crate::checked::{
    BinaryOp, Block, Builder, CastKind, CompareOp, Element, Hint, Kernel, Loc, Op, OpKind, Type, Value, ValueInfo,
    integer_like,
};
use tk_diag::{Diagnostic, SourceFile};
use tk_types::ScalarType;

/// Makes every dimension of a kernel a power of two. The error names an op that cannot work on a part of a tensor.
pub(crate) fn pad(kernel: &mut Kernel) -> Result<(), Box<Diagnostic>> {
    let odd = |value: &ValueInfo| value.ty.shape.iter().chain(block_of(value)).any(|d| !d.is_power_of_two());
    if !kernel.values.iter().any(odd) {
        return Ok(());
    }
    let shapes = kernel.values.iter().map(|value| value.ty.shape.clone()).collect();
    for value in &mut kernel.values {
        let block = match &mut value.ty.element {
            Element::Descriptor { block, .. } => block.iter_mut(),
            Element::Scalar(_) | Element::Pointer { .. } => Default::default(),
        };
        for dim in value.ty.shape.iter_mut().chain(block) {
            *dim = dim.next_power_of_two();
        }
    }
    let builder = Builder::new(std::mem::take(&mut kernel.values));
    let mut padder = Padder { builder, shapes, file: &kernel.file };
    padder.block(&mut kernel.body)?;
    kernel.functions.iter_mut().try_for_each(|function| padder.block(&mut function.body))?;
    kernel.values = padder.builder.finish().0;
    Ok(())
}

/// The block of a descriptor.
fn block_of(value: &ValueInfo) -> &[u32] {
    match &value.ty.element {
        Element::Descriptor { block, .. } => block,
        Element::Scalar(_) | Element::Pointer { .. } => &[],
    }
}

struct Padder<'k> {
    builder: Builder,
    /// The shapes of the program; values that this step makes have none.
    shapes: Vec<Vec<u32>>,
    file: &'k SourceFile,
}

impl Padder<'_> {
    fn block(&mut self, block: &mut Block) -> Result<(), Box<Diagnostic>> {
        self.builder.open_block();
        let outer = self.builder.loc();
        for mut op in std::mem::take(&mut block.ops) {
            for inner in &mut op.blocks {
                self.block(inner)?;
            }
            self.builder.set_loc(op.loc);
            self.op(&mut op)?;
            self.builder.push(op);
        }
        self.builder.set_loc(outer);
        block.ops = self.builder.close_block().ops;
        Ok(())
    }

    /// The shape that the program gives a value.
    fn shape(&self, value: Value) -> &[u32] {
        self.shapes.get(value.0 as usize).unwrap_or(&self.builder.ty(value).shape)
    }

    fn is_padded(&self, value: Value) -> bool {
        self.shape(value).iter().any(|d| !d.is_power_of_two())
    }

    fn op(&mut self, op: &mut Op) -> Result<(), Box<Diagnostic>> {
        let touched = op.operands.iter().chain(&op.results).any(|value| self.is_padded(*value));
        if !touched {
            return Ok(());
        }
        use OpKind::*;
        match &mut op.kind {
            MakeRange { start, end } => {
                let length = (i64::from(*end) - i64::from(*start)).unsigned_abs().next_power_of_two();
                let last = i64::from(*start) + length as i64;
                *end =
                    i32::try_from(last).map_err(|_| self.refuse(op.loc, "a range that ends at the largest integer"))?;
            }
            Load { mask, .. } => {
                let has = std::mem::replace(mask, true);
                self.mask_operand(op, 1, has);
            }
            Store { mask, .. } | AtomicRmw { mask, .. } => {
                let has = std::mem::replace(mask, true);
                self.mask_operand(op, 2, has);
            }
            Assert { mask, .. } | Histogram { mask } => {
                if self.is_padded(op.operands[0]) {
                    let has = std::mem::replace(mask, true);
                    self.mask_operand(op, 1, has);
                }
            }
            Dot { .. } => {
                self.say_what_a_product_has(op);
                self.dot(op);
            }
            Gather { .. } => op.operands[1] = self.zero_padding(op.operands[1]),
            Reduce { axis } | Scan { axis, reverse: true } => {
                let axis = *axis;
                self.neutral_padding(op, axis);
            }
            Reshape { .. } => self.reshape(op),
            AtomicCas { .. } => return Err(self.refuse(op.loc, "`atomic_cas`")),
            Print { .. } => return Err(self.refuse(op.loc, "printing")),
            InlineAsm { pure: false, .. } => return Err(self.refuse(op.loc, "inline assembly with side effects")),
            DescriptorStore | DescriptorReduce(_) => self.say_what_is_inside(op, op.operands[1]),
            DescriptorGather | DescriptorScatter => {
                return Err(self.refuse(op.loc, "a gather or scatter by a descriptor"));
            }
            // A forward scan meets the padding last, and these work on each element by itself or on none.
            Scan { reverse: false, .. } => {}
            Constant(_) | ProgramId { .. } | NumPrograms { .. } => {}
            // The block that is loaded is padded with its neighbors.
            MakeDescriptor { .. } | DescriptorLoad { .. } => {}
            Splat | Unsplat | ExpandDims { .. } | Broadcast | Trans { .. } | Join | Split => {}
            Binary(_) | Compare(_) | Unary(_) | Select | Fma | Clamp { .. } | Cast(_) | AddPtr | Extern { .. } => {}
            InlineAsm { pure: true, .. } | Assume | Hint { .. } | Barrier => {}
            // Their blocks are padded by themselves. Functions that are kept apart take and give powers of two, and guards are
            // made of kernels that are padded.
            For(_) | While(_) | If | Call { .. } | Guard { .. } => {}
        }
        Ok(())
    }

    /// Notes the program's shape of a padded value on the operation that computes or writes it.
    fn say_what_is_inside(&self, op: &mut Op, value: Value) {
        if self.is_padded(value) {
            op.hints.push((Hint::Inside, self.shape(value).to_vec()));
        }
    }

    /// Notes the program's shape of a product and its terms, where one of them is padded.
    fn say_what_a_product_has(&self, op: &mut Op) {
        let terms = self.shape(op.operands[0]).last().copied().unwrap_or(1);
        if self.is_padded(op.results[0]) || !terms.is_power_of_two() {
            let sizes = self.shape(op.results[0]).iter().copied().chain([terms]).collect();
            op.hints.push((Hint::Inside, sizes));
        }
    }

    fn refuse(&self, loc: Loc, what: &str) -> Box<Diagnostic> {
        let message = format!("{what} needs dimensions that are powers of two");
        let error = Diagnostic::error(tk_diag::NOT_POWER_OF_TWO, message).at(self.file, loc.span, "");
        Box::new(error.help("Use the next power of two and mask what lies outside."))
    }

    /// Restricts the mask at an operand's index to the elements that the first operand has in the program.
    fn mask_operand(&mut self, op: &mut Op, index: usize, has: bool) {
        let inside = self.inside(op.operands[0]);
        if has {
            op.operands[index] = self.builder.binary(BinaryOp::And, inside, op.operands[index]);
        } else {
            op.operands.insert(index, inside);
        }
    }

    /// The i32 index along a dimension, of this (padded) shape.
    fn index(&mut self, shape: &[u32], axis: usize) -> Value {
        let mut index = self.builder.range(0, shape[axis] as i32);
        for other in (0..shape.len()).filter(|other| *other != axis) {
            index = self.builder.expand_dim(index, other as u32);
        }
        self.builder.broadcast(index, shape)
    }

    /// i1: whether an element is one of the program's along this dimension.
    fn inside_axis(&mut self, value: Value, axis: usize) -> Value {
        let limit = self.shape(value)[axis];
        let shape = self.builder.ty(value).shape.clone();
        let index = self.index(&shape, axis);
        let limit = self.builder.int(limit.into(), self.builder.ty(index).clone());
        let inside = self.builder.compare(CompareOp::LtS, index, limit);
        self.builder.info_mut(inside).leaves_padding_out = true;
        inside
    }

    /// i1: whether an element is one of the program's.
    fn inside(&mut self, value: Value) -> Value {
        let odd: Vec<usize> = self.odd_axes(value);
        let mut all: Option<Value> = None;
        for axis in odd {
            let one = self.inside_axis(value, axis);
            all = Some(all.map_or(one, |all| self.builder.binary(BinaryOp::And, all, one)));
        }
        all.unwrap_or_else(|| {
            let ty = self.builder.ty(value).with_scalar(ScalarType::I1);
            self.builder.int(1, ty)
        })
    }

    fn odd_axes(&self, value: Value) -> Vec<usize> {
        self.shape(value).iter().enumerate().filter(|(_, d)| !d.is_power_of_two()).map(|(axis, _)| axis).collect()
    }

    /// Zero wherever an integer tensor has padding.
    fn zero_padding(&mut self, value: Value) -> Value {
        if !self.is_padded(value) {
            return value;
        }
        let inside = self.inside(value);
        let zero = self.builder.int(0, self.builder.ty(value).clone());
        self.builder.select(inside, value, zero)
    }

    /// The padding of K becomes zero on both sides, since anything times it may be NaN.
    fn dot(&mut self, op: &mut Op) {
        for (operand, from_end) in [(0, 1), (1, 2)] {
            let value = op.operands[operand];
            let axis = self.shape(value).len() - from_end;
            if self.shape(value)[axis].is_power_of_two() {
                continue;
            }
            let inside = self.inside_axis(value, axis);
            let (word, restore) = self.as_word(value);
            let zero = self.builder.int(0, self.builder.ty(word).clone());
            let masked = self.builder.select(inside, word, zero);
            // Who multiplies no padding takes the operand as it was.
            let sizes = self.shape(value).to_vec();
            self.builder.hint(masked, Hint::Inside, sizes);
            op.operands[operand] = self.restored(masked, &restore);
        }
    }

    /// The bits of a tensor as integers of at least 8 bits, and the type to give back.
    fn as_word(&mut self, value: Value) -> (Value, Type) {
        let ty = self.builder.ty(value).clone();
        let (kind, word) = match &ty.element {
            Element::Scalar(ScalarType::I1) => (CastKind::ExtU, ScalarType::I8),
            Element::Scalar(scalar) if scalar.is_int() => return (value, ty),
            Element::Scalar(scalar) => (CastKind::Bitcast, integer_like(*scalar)),
            Element::Pointer { .. } | Element::Descriptor { .. } => (CastKind::PtrToInt, ScalarType::I64),
        };
        (self.builder.cast_number(kind, value, word), ty)
    }

    fn restored(&mut self, word: Value, restore: &Type) -> Value {
        let kind = match &restore.element {
            Element::Scalar(ScalarType::I1) => CastKind::Trunc,
            Element::Scalar(scalar) if scalar.is_int() => return word,
            Element::Scalar(_) => CastKind::Bitcast,
            Element::Pointer { .. } | Element::Descriptor { .. } => CastKind::IntToPtr,
        };
        let to = self.builder.ty(word).with(restore.element.clone());
        self.builder.cast(kind, word, to)
    }
}
