//! The rules of each op: how many operands and results it has, and how their types go together.
//!
//! One function for each op, and one place that says which is whose, so that a new op cannot be forgotten.

use super::Check;
use crate::checked::{BinaryOp, CastKind, CompareOp, Element, OpKind, Type, UnaryOp};
use tk_types::ScalarType;

/// An op and the types of its values.
pub(super) struct Typed<'t> {
    pub(super) kind: &'t OpKind,
    pub(super) operands: Vec<&'t Type>,
    pub(super) results: Vec<&'t Type>,
}

impl Typed<'_> {
    fn operand(&self, index: usize) -> Result<&Type, &'static str> {
        self.operands.get(index).copied().ok_or("an operand is missing")
    }

    fn result(&self) -> Result<&Type, &'static str> {
        self.results.first().copied().ok_or("the result is missing")
    }

    fn counts(&self, operands: usize, results: usize) -> Check {
        let fine = self.operands.len() == operands && self.results.len() == results;
        need(fine, "the number of operands or results is wrong")
    }

    /// Checks the op against its rules.
    pub(super) fn check(&self) -> Check {
        use OpKind::*;
        match self.kind {
            Constant(_) => self.constant(),
            ProgramId { .. } | NumPrograms { .. } => self.index(),
            MakeRange { start, end } => self.make_range(*start, *end),
            Splat => self.splat(),
            Unsplat => self.unsplat(),
            ExpandDims { axis } => self.expand_dims(*axis),
            Broadcast => self.broadcast(),
            Reshape { .. } => self.reshape(),
            Trans { order } => self.trans(order),
            Join => self.join(),
            Split => self.split(),
            Binary(kind) => self.binary(*kind),
            Compare(kind) => self.compare(*kind),
            Unary(kind) => self.unary(*kind),
            Select => self.select(),
            Fma | Clamp { .. } => self.float_triple(),
            Cast(kind) => self.cast(*kind),
            AddPtr => self.add_ptr(),
            Load { mask, other, .. } => self.load(*mask, *other),
            Store { mask, .. } => self.store(*mask),
            AtomicRmw { mask, .. } => self.atomic_rmw(*mask),
            AtomicCas { .. } => self.atomic_cas(),
            Dot { .. } => self.dot(),
            Reduce { axis } => self.reduce(*axis),
            Scan { axis, .. } => self.scan(*axis),
            Histogram { mask } => self.histogram(*mask),
            Gather { axis } => self.gather(*axis),
            For(_) => self.counted_loop(),
            While(_) => self.open_loop(),
            If => self.branch(),
            InlineAsm { .. } => self.inline_asm(),
            Assume => self.assume(),
            Hint { numbers, .. } => self.hint(numbers),
            Assert { mask, .. } => self.assert(*mask),
            Guard { .. } => self.guard(),
            Print { .. } | Barrier => self.silent(),
            // The verifier compares calls with the functions that they name.
            Call { .. } | Extern { .. } | MakeDescriptor { .. } => Ok(()),
            DescriptorLoad { .. } => descriptor_block(self.operand(0)?, self.result()?),
            DescriptorStore | DescriptorReduce(_) => descriptor_block(self.operand(0)?, self.operand(1)?),
            DescriptorGather => descriptor_rows(self.operand(0)?, self.operand(1)?, self.result()?),
            DescriptorScatter => descriptor_rows(self.operand(0)?, self.operand(1)?, self.operand(3)?),
        }
    }
}

fn need(fine: bool, what: &str) -> Check {
    if fine { Ok(()) } else { Err(what.to_string()) }
}

/// Ops without operands.
impl Typed<'_> {
    fn constant(&self) -> Check {
        self.counts(0, 1)
    }

    fn index(&self) -> Check {
        self.counts(0, 1)?;
        need(*self.result()? == Type::scalar(ScalarType::I32), "the result is not i32")
    }

    fn make_range(&self, start: i32, end: i32) -> Check {
        self.counts(0, 1)?;
        need(
            self.result()?.shape == [(end - start) as u32] && self.result()?.number() == Some(ScalarType::I32),
            "the range has another type",
        )
    }
}

/// Ops that change the shape alone.
impl Typed<'_> {
    fn splat(&self) -> Check {
        self.counts(1, 1)?;
        need(
            !self.operand(0)?.is_tensor()
                && self.result()?.is_tensor()
                && self.operand(0)?.element == self.result()?.element,
            "it takes a scalar to a tensor",
        )
    }

    fn unsplat(&self) -> Check {
        self.counts(1, 1)?;
        need(
            self.operand(0)?.is_tensor()
                && self.operand(0)?.numel() == 1
                && !self.result()?.is_tensor()
                && self.operand(0)?.element == self.result()?.element,
            "it takes one element to a scalar",
        )
    }

    fn expand_dims(&self, axis: u32) -> Check {
        self.counts(1, 1)?;
        let mut shape = self.operand(0)?.shape.clone();
        need(!shape.is_empty() && axis as usize <= shape.len(), "the axis is out of range")?;
        shape.insert(axis as usize, 1);
        need(
            self.result()?.shape == shape && self.operand(0)?.element == self.result()?.element,
            "the result has another shape",
        )
    }

    fn broadcast(&self) -> Check {
        self.counts(1, 1)?;
        let (from, to) = (self.operand(0)?, self.result()?);
        let grows =
            from.shape.len() == to.shape.len() && from.shape.iter().zip(&to.shape).all(|(f, t)| f == t || *f == 1);
        need(grows && from.is_tensor() && from.element == to.element, "only dimensions of 1 grow")
    }

    fn reshape(&self) -> Check {
        self.counts(1, 1)?;
        need(
            self.operand(0)?.numel() == self.result()?.numel()
                && self.operand(0)?.element == self.result()?.element
                && self.operand(0)?.is_tensor(),
            "the number of elements changes",
        )
    }

    fn trans(&self, order: &[u32]) -> Check {
        self.counts(1, 1)?;
        let shape: Vec<u32> =
            order.iter().filter_map(|d| self.operand(0).ok()?.shape.get(*d as usize).copied()).collect();
        need(
            self.result()?.shape == shape && shape.len() == self.operand(0)?.shape.len(),
            "the result has another shape",
        )
    }

    fn join(&self) -> Check {
        self.counts(2, 1)?;
        let mut ty = self.operand(0)?.clone();
        ty.shape.push(2);
        need(
            self.operand(0)? == self.operand(1)? && *self.result()? == ty && ty.shape.len() > 1,
            "both sides and the result must agree",
        )
    }

    fn split(&self) -> Check {
        self.counts(1, 2)?;
        let mut ty = self.operand(0)?.clone();
        need(ty.shape.pop() == Some(2) && *self.result()? == ty, "the last dimension must be 2")
    }
}

/// Ops on elements, each by itself.
impl Typed<'_> {
    fn binary(&self, kind: BinaryOp) -> Check {
        self.counts(2, 1)?;
        need(
            self.operand(0)? == self.operand(1)? && self.operand(0)? == self.result()?,
            "operands and result differ in type",
        )?;
        let scalar = self.operand(0)?.number().ok_or("it works on numbers")?;
        need(binary_accepts(kind, scalar), "the element type does not fit the operation")
    }

    fn compare(&self, kind: CompareOp) -> Check {
        self.counts(2, 1)?;
        let float = format!("{kind:?}").ends_with('F');
        need(
            self.operand(0)? == self.operand(1)? && *self.result()? == self.operand(0)?.with_scalar(ScalarType::I1),
            "operands and result do not agree",
        )?;
        need(
            self.operand(0)?.number().is_some_and(|s| s.is_float() == float),
            "the element type does not fit the comparison",
        )
    }

    fn unary(&self, kind: UnaryOp) -> Check {
        self.counts(1, 1)?;
        let scalar = self.operand(0)?.number().ok_or("it works on numbers")?;
        need(self.operand(0)? == self.result()?, "operand and result differ in type")?;
        need(scalar.is_float() != matches!(kind, UnaryOp::AbsI), "the element type does not fit the operation")
    }

    fn select(&self) -> Check {
        self.counts(3, 1)?;
        let condition = self.operand(0)?;
        need(condition.number() == Some(ScalarType::I1), "the condition is not i1")?;
        need(
            self.operand(1)? == self.operand(2)? && self.operand(1)? == self.result()?,
            "the sides and the result differ in type",
        )?;
        need(condition.shape.is_empty() || condition.shape == self.result()?.shape, "the condition has another shape")
    }

    fn float_triple(&self) -> Check {
        self.counts(3, 1)?;
        let float = self.operand(0)?.number().is_some_and(ScalarType::is_float);
        need(
            float
                && self.operand(0)? == self.operand(1)?
                && self.operand(0)? == self.operand(2)?
                && self.operand(0)? == self.result()?,
            "all types must be one float type",
        )
    }

    fn cast(&self, kind: CastKind) -> Check {
        self.counts(1, 1)?;
        need(
            self.operand(0)?.shape == self.result()?.shape && cast_accepts(kind, self.operand(0)?, self.result()?),
            "the cast does not fit its types",
        )
    }

    fn add_ptr(&self) -> Check {
        self.counts(2, 1)?;
        let integer = self.operand(1)?.number().is_some_and(|s| s.is_signed_int() || s == ScalarType::U64);
        need(
            self.operand(0)? == self.result()?
                && self.operand(0)?.pointee().is_some()
                && self.operand(0)?.shape == self.operand(1)?.shape
                && integer,
            "it adds a signed offset of the same shape",
        )
    }
}

/// Accesses through pointers.
impl Typed<'_> {
    fn load(&self, mask: bool, other: bool) -> Check {
        self.counts(1 + usize::from(mask) + usize::from(other), 1)?;
        let pointee = self.operand(0)?.pointee().ok_or("it loads through a pointer")?;
        need(
            *self.result()? == self.operand(0)?.with(pointee.clone()),
            "the result is not what the pointer points to",
        )?;
        need(!mask || *self.operand(1)? == self.operand(0)?.with_scalar(ScalarType::I1), "the mask has another type")?;
        need(!other || self.operand(2)? == self.result()?, "`other` has another type")
    }

    fn store(&self, mask: bool) -> Check {
        self.counts(2 + usize::from(mask), 0)?;
        let pointee = self.operand(0)?.pointee().ok_or("it stores through a pointer")?;
        need(
            *self.operand(1)? == self.operand(0)?.with(pointee.clone()),
            "the value is not what the pointer points to",
        )?;
        need(!mask || *self.operand(2)? == self.operand(0)?.with_scalar(ScalarType::I1), "the mask has another type")
    }

    fn atomic_rmw(&self, mask: bool) -> Check {
        self.counts(2 + usize::from(mask), 1)?;
        let pointee = self.operand(0)?.pointee().ok_or("it works through a pointer")?;
        need(
            *self.operand(1)? == self.operand(0)?.with(pointee.clone()) && self.operand(1)? == self.result()?,
            "the value is not what the pointer points to",
        )?;
        need(!mask || *self.operand(2)? == self.operand(0)?.with_scalar(ScalarType::I1), "the mask has another type")
    }

    fn atomic_cas(&self) -> Check {
        self.counts(3, 1)?;
        let pointee = self.operand(0)?.pointee().ok_or("it works through a pointer")?;
        let ty = self.operand(0)?.with(pointee.clone());
        need(
            *self.operand(1)? == ty && *self.operand(2)? == ty && *self.result()? == ty,
            "the values are not what the pointer points to",
        )
    }
}

/// Ops that combine elements of a dimension.
impl Typed<'_> {
    fn dot(&self) -> Check {
        self.counts(3, 1)?;
        let (x, y, z) = (self.operand(0)?, self.operand(1)?, self.operand(2)?);
        let rank = x.shape.len();
        need(
            z == self.result()? && (rank == 2 || rank == 3) && y.shape.len() == rank && z.shape.len() == rank,
            "the ranks do not agree",
        )?;
        need(
            x.shape[rank - 1] == y.shape[rank - 2] && z.shape[rank - 2..] == [x.shape[rank - 2], y.shape[rank - 1]],
            "the dimensions do not agree",
        )
    }

    fn reduce(&self, axis: u32) -> Check {
        need(
            !self.operands.is_empty() && self.operands.len() == self.results.len(),
            "inputs and results differ in number",
        )?;
        for (input, result) in self.operands.iter().zip(&self.results) {
            let mut ty = (*input).clone();
            need((axis as usize) < ty.shape.len(), "the axis is out of range")?;
            ty.shape.remove(axis as usize);
            need(**result == ty, "a result has another type")?;
        }
        Ok(())
    }

    fn scan(&self, axis: u32) -> Check {
        need(self.operands == self.results, "inputs and results differ")?;
        need((axis as usize) < self.operand(0)?.shape.len(), "the axis is out of range")
    }

    fn histogram(&self, mask: bool) -> Check {
        self.counts(1 + usize::from(mask), 1)?;
        need(self.operand(0)?.shape.len() == 1 && self.result()?.shape.len() == 1, "it counts along one dimension")
    }

    fn gather(&self, axis: u32) -> Check {
        self.counts(2, 1)?;
        need(
            self.result()?.shape == self.operand(1)?.shape
                && self.result()?.element == self.operand(0)?.element
                && (axis as usize) < self.operand(0)?.shape.len(),
            "the result has another type",
        )
    }
}

/// Loops and branches.
impl Typed<'_> {
    fn counted_loop(&self) -> Check {
        need(self.operands.len() == self.results.len() + 3, "carried values differ in number")?;
        need(
            self.operand(0)? == self.operand(1)?
                && self.operand(0)? == self.operand(2)?
                && !self.operand(0)?.is_tensor()
                && self.operand(0)?.number().is_some_and(ScalarType::is_int),
            "the bounds are not of one integer type",
        )?;
        need(self.operands[3..] == self.results, "a carried value changes its type")
    }

    fn open_loop(&self) -> Check {
        need(self.operands == self.results, "a carried value changes its type")
    }

    fn branch(&self) -> Check {
        need(
            self.operands.len() == 1 && *self.operand(0)? == Type::scalar(ScalarType::I1),
            "the condition is not an i1",
        )
    }
}

/// Ops for their effect, and inline PTX.
impl Typed<'_> {
    fn inline_asm(&self) -> Check {
        need(!self.results.is_empty(), "it returns nothing")
    }

    fn assume(&self) -> Check {
        self.counts(1, 0)?;
        need(*self.operand(0)? == Type::scalar(ScalarType::I1), "the condition is not an i1")
    }

    fn hint(&self, numbers: &[u32]) -> Check {
        self.counts(1, 0)?;
        need(self.operand(0)?.shape.len().max(1) == numbers.len(), "there is not one number for each dimension")
    }

    fn assert(&self, mask: bool) -> Check {
        self.counts(1 + usize::from(mask), 0)?;
        need(self.operand(0)?.number() == Some(ScalarType::I1), "the condition is not i1")
    }

    fn guard(&self) -> Check {
        self.counts(2, 0)?;
        need(self.operand(1)?.number() == Some(ScalarType::I64), "the value is not i64")
    }

    fn silent(&self) -> Check {
        need(self.results.is_empty(), "it has results")
    }
}

fn binary_accepts(kind: BinaryOp, scalar: ScalarType) -> bool {
    use BinaryOp::*;
    match kind {
        AddF | SubF | MulF | DivF | DivRnF | RemF | MinNumF | MaxNumF | MinimumF | MaximumF => scalar.is_float(),
        DivS | RemS | MinS | MaxS => scalar.is_signed_int(),
        DivU | RemU | MinU | MaxU => scalar.is_int() && !scalar.is_signed_int(),
        AddI | SubI | MulI | And | Or | Xor | Shl | ShrS | ShrU | MulHiU => scalar.is_int(),
    }
}

fn cast_accepts(kind: CastKind, from: &Type, to: &Type) -> bool {
    let (Some(a), Some(b)) = (from.number(), to.number()) else {
        let pointer = |ty: &Type| matches!(ty.element, Element::Pointer { .. });
        let wide = |ty: &Type| ty.number().is_some_and(|s| s.is_int() && s.bits() == 64);
        return match kind {
            CastKind::Bitcast => pointer(from) && pointer(to),
            CastKind::IntToPtr => wide(from) && pointer(to),
            CastKind::PtrToInt => pointer(from) && wide(to),
            _ => false,
        };
    };
    match kind {
        CastKind::ExtS | CastKind::ExtU => a.is_int() && b.is_int() && a.bits() < b.bits(),
        CastKind::Trunc => a.is_int() && b.is_int() && a.bits() > b.bits(),
        CastKind::SIToFp => a.is_signed_int() && b.is_float() && !b.is_fp8(),
        CastKind::UIToFp => a.is_int() && !a.is_signed_int() && b.is_float() && !b.is_fp8(),
        CastKind::FpToSI => a.is_float() && b.is_signed_int(),
        CastKind::FpToUI => a.is_float() && b.is_int() && !b.is_signed_int(),
        CastKind::FpExt => a.is_float() && b.is_float() && a.bits() < b.bits() && !a.is_fp8(),
        CastKind::FpTrunc { .. } => a.is_float() && b.is_float() && a.bits() > b.bits() && !b.is_fp8(),
        CastKind::FpToFp { .. } => a.is_float() && b.is_float() && a != b && (a.is_fp8() || b.is_fp8()),
        CastKind::Bitcast => a.bits() == b.bits(),
        CastKind::IntToPtr | CastKind::PtrToInt => false,
    }
}

/// A block that goes through a descriptor.
fn descriptor_block(descriptor: &Type, block: &Type) -> Check {
    match &descriptor.element {
        Element::Descriptor { element, block: shape } if block.number() == Some(*element) && block.shape == *shape => {
            Ok(())
        }
        other => Err(format!("{block} does not go through {other}")),
    }
}

/// Rows that are gathered or scattered through a descriptor of one row.
fn descriptor_rows(descriptor: &Type, rows: &Type, block: &Type) -> Check {
    match &descriptor.element {
        Element::Descriptor { element, block: shape }
            if block.number() == Some(*element)
                && shape.first() == Some(&1)
                && block.shape == [&rows.shape[..], &shape[1..]].concat() =>
        {
            Ok(())
        }
        other => Err(format!("{block} does not go through {other}")),
    }
}
