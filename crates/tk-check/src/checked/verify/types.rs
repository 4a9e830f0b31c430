//! The rules of each op: how many operands and results it has, and how their types go together.
//!
//! One function for each family of ops, and one place that says which op is of which family, so that a new op cannot be forgotten.

use super::Check;
use crate::checked::{BinaryOp, CastKind, Element, OpKind, Type, UnaryOp};
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

    /// Checks the op against the rules of its family.
    pub(super) fn check(&self) -> Check {
        use OpKind::*;
        match self.kind {
            Constant(_) | ProgramId { .. } | NumPrograms { .. } | MakeRange { .. } => sources(self),
            Splat | Unsplat | ExpandDims { .. } | Broadcast | Reshape { .. } | Trans { .. } | Join | Split => {
                shapes(self)
            }
            Binary(_) | Compare(_) | Unary(_) | Select | Fma | Clamp { .. } | Cast(_) | AddPtr => elementwise(self),
            Load { .. } | Store { .. } | AtomicRmw { .. } | AtomicCas { .. } => memory(self),
            Dot { .. } | Reduce { .. } | Scan { .. } | Histogram { .. } | Gather { .. } => across(self),
            For(_) | While | If => control(self),
            InlineAsm { .. } | Assume | Assert { .. } | Guard { .. } | Print { .. } | Barrier => statements(self),
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
fn sources(t: &Typed<'_>) -> Check {
    match t.kind {
        OpKind::Constant(_) => t.counts(0, 1),
        OpKind::ProgramId { .. } | OpKind::NumPrograms { .. } => {
            t.counts(0, 1)?;
            need(*t.result()? == Type::scalar(ScalarType::I32), "the result is not i32")
        }
        OpKind::MakeRange { start, end } => {
            t.counts(0, 1)?;
            need(
                t.result()?.shape == [(end - start) as u32] && t.result()?.number() == Some(ScalarType::I32),
                "the range has another type",
            )
        }
        _ => Ok(()),
    }
}

/// Ops that change the shape alone.
fn shapes(t: &Typed<'_>) -> Check {
    match t.kind {
        OpKind::Splat => {
            t.counts(1, 1)?;
            need(
                !t.operand(0)?.is_tensor() && t.result()?.is_tensor() && t.operand(0)?.element == t.result()?.element,
                "it takes a scalar to a tensor",
            )
        }
        OpKind::Unsplat => {
            t.counts(1, 1)?;
            need(
                t.operand(0)?.is_tensor()
                    && t.operand(0)?.numel() == 1
                    && !t.result()?.is_tensor()
                    && t.operand(0)?.element == t.result()?.element,
                "it takes one element to a scalar",
            )
        }
        OpKind::ExpandDims { axis } => {
            t.counts(1, 1)?;
            let mut shape = t.operand(0)?.shape.clone();
            need(!shape.is_empty() && *axis as usize <= shape.len(), "the axis is out of range")?;
            shape.insert(*axis as usize, 1);
            need(
                t.result()?.shape == shape && t.operand(0)?.element == t.result()?.element,
                "the result has another shape",
            )
        }
        OpKind::Broadcast => {
            t.counts(1, 1)?;
            let (from, to) = (t.operand(0)?, t.result()?);
            let grows =
                from.shape.len() == to.shape.len() && from.shape.iter().zip(&to.shape).all(|(f, t)| f == t || *f == 1);
            need(grows && from.is_tensor() && from.element == to.element, "only dimensions of 1 grow")
        }
        OpKind::Reshape { .. } => {
            t.counts(1, 1)?;
            need(
                t.operand(0)?.numel() == t.result()?.numel()
                    && t.operand(0)?.element == t.result()?.element
                    && t.operand(0)?.is_tensor(),
                "the number of elements changes",
            )
        }
        OpKind::Trans { order } => {
            t.counts(1, 1)?;
            let shape: Vec<u32> =
                order.iter().filter_map(|d| t.operand(0).ok()?.shape.get(*d as usize).copied()).collect();
            need(t.result()?.shape == shape && shape.len() == t.operand(0)?.shape.len(), "the result has another shape")
        }
        OpKind::Join => {
            t.counts(2, 1)?;
            let mut ty = t.operand(0)?.clone();
            ty.shape.push(2);
            need(
                t.operand(0)? == t.operand(1)? && *t.result()? == ty && ty.shape.len() > 1,
                "both sides and the result must agree",
            )
        }
        OpKind::Split => {
            t.counts(1, 2)?;
            let mut ty = t.operand(0)?.clone();
            need(ty.shape.pop() == Some(2) && *t.result()? == ty, "the last dimension must be 2")
        }
        _ => Ok(()),
    }
}

/// Ops on elements, each by itself.
fn elementwise(t: &Typed<'_>) -> Check {
    match t.kind {
        OpKind::Binary(kind) => {
            t.counts(2, 1)?;
            need(t.operand(0)? == t.operand(1)? && t.operand(0)? == t.result()?, "operands and result differ in type")?;
            let scalar = t.operand(0)?.number().ok_or("it works on numbers")?;
            need(binary_accepts(*kind, scalar), "the element type does not fit the operation")
        }
        OpKind::Compare(kind) => {
            t.counts(2, 1)?;
            let float = format!("{kind:?}").ends_with('F');
            need(
                t.operand(0)? == t.operand(1)? && *t.result()? == t.operand(0)?.with_scalar(ScalarType::I1),
                "operands and result do not agree",
            )?;
            need(
                t.operand(0)?.number().is_some_and(|s| s.is_float() == float),
                "the element type does not fit the comparison",
            )
        }
        OpKind::Unary(kind) => {
            t.counts(1, 1)?;
            let scalar = t.operand(0)?.number().ok_or("it works on numbers")?;
            need(t.operand(0)? == t.result()?, "operand and result differ in type")?;
            need(scalar.is_float() != matches!(kind, UnaryOp::AbsI), "the element type does not fit the operation")
        }
        OpKind::Select => {
            t.counts(3, 1)?;
            let condition = t.operand(0)?;
            need(condition.number() == Some(ScalarType::I1), "the condition is not i1")?;
            need(
                t.operand(1)? == t.operand(2)? && t.operand(1)? == t.result()?,
                "the sides and the result differ in type",
            )?;
            need(condition.shape.is_empty() || condition.shape == t.result()?.shape, "the condition has another shape")
        }
        OpKind::Fma | OpKind::Clamp { .. } => {
            t.counts(3, 1)?;
            let float = t.operand(0)?.number().is_some_and(ScalarType::is_float);
            need(
                float
                    && t.operand(0)? == t.operand(1)?
                    && t.operand(0)? == t.operand(2)?
                    && t.operand(0)? == t.result()?,
                "all types must be one float type",
            )
        }
        OpKind::Cast(kind) => {
            t.counts(1, 1)?;
            need(
                t.operand(0)?.shape == t.result()?.shape && cast_accepts(*kind, t.operand(0)?, t.result()?),
                "the cast does not fit its types",
            )
        }
        OpKind::AddPtr => {
            t.counts(2, 1)?;
            let integer = t.operand(1)?.number().is_some_and(|s| s.is_signed_int() || s == ScalarType::U64);
            need(
                t.operand(0)? == t.result()?
                    && t.operand(0)?.pointee().is_some()
                    && t.operand(0)?.shape == t.operand(1)?.shape
                    && integer,
                "it adds a signed offset of the same shape",
            )
        }
        _ => Ok(()),
    }
}

/// Accesses through pointers.
fn memory(t: &Typed<'_>) -> Check {
    match t.kind {
        OpKind::Load { mask, other, .. } => {
            t.counts(1 + usize::from(*mask) + usize::from(*other), 1)?;
            let pointee = t.operand(0)?.pointee().ok_or("it loads through a pointer")?;
            need(*t.result()? == t.operand(0)?.with(pointee.clone()), "the result is not what the pointer points to")?;
            need(!*mask || *t.operand(1)? == t.operand(0)?.with_scalar(ScalarType::I1), "the mask has another type")?;
            need(!*other || t.operand(2)? == t.result()?, "`other` has another type")
        }
        OpKind::Store { mask, .. } => {
            t.counts(2 + usize::from(*mask), 0)?;
            let pointee = t.operand(0)?.pointee().ok_or("it stores through a pointer")?;
            need(*t.operand(1)? == t.operand(0)?.with(pointee.clone()), "the value is not what the pointer points to")?;
            need(!*mask || *t.operand(2)? == t.operand(0)?.with_scalar(ScalarType::I1), "the mask has another type")
        }
        OpKind::AtomicRmw { mask, .. } => {
            t.counts(2 + usize::from(*mask), 1)?;
            let pointee = t.operand(0)?.pointee().ok_or("it works through a pointer")?;
            need(
                *t.operand(1)? == t.operand(0)?.with(pointee.clone()) && t.operand(1)? == t.result()?,
                "the value is not what the pointer points to",
            )?;
            need(!*mask || *t.operand(2)? == t.operand(0)?.with_scalar(ScalarType::I1), "the mask has another type")
        }
        OpKind::AtomicCas { .. } => {
            t.counts(3, 1)?;
            let pointee = t.operand(0)?.pointee().ok_or("it works through a pointer")?;
            let ty = t.operand(0)?.with(pointee.clone());
            need(
                *t.operand(1)? == ty && *t.operand(2)? == ty && *t.result()? == ty,
                "the values are not what the pointer points to",
            )
        }
        _ => Ok(()),
    }
}

/// Ops that combine elements of a dimension.
fn across(t: &Typed<'_>) -> Check {
    match t.kind {
        OpKind::Dot { .. } => {
            t.counts(3, 1)?;
            let (x, y, z) = (t.operand(0)?, t.operand(1)?, t.operand(2)?);
            let rank = x.shape.len();
            need(
                z == t.result()? && (rank == 2 || rank == 3) && y.shape.len() == rank && z.shape.len() == rank,
                "the ranks do not agree",
            )?;
            need(
                x.shape[rank - 1] == y.shape[rank - 2] && z.shape[rank - 2..] == [x.shape[rank - 2], y.shape[rank - 1]],
                "the dimensions do not agree",
            )
        }
        OpKind::Reduce { axis } => {
            need(!t.operands.is_empty() && t.operands.len() == t.results.len(), "inputs and results differ in number")?;
            for (input, result) in t.operands.iter().zip(&t.results) {
                let mut ty = (*input).clone();
                need((*axis as usize) < ty.shape.len(), "the axis is out of range")?;
                ty.shape.remove(*axis as usize);
                need(**result == ty, "a result has another type")?;
            }
            Ok(())
        }
        OpKind::Scan { axis, .. } => {
            need(t.operands == t.results, "inputs and results differ")?;
            need((*axis as usize) < t.operand(0)?.shape.len(), "the axis is out of range")
        }
        OpKind::Histogram { mask } => {
            t.counts(1 + usize::from(*mask), 1)?;
            need(t.operand(0)?.shape.len() == 1 && t.result()?.shape.len() == 1, "it counts along one dimension")
        }
        OpKind::Gather { axis } => {
            t.counts(2, 1)?;
            need(
                t.result()?.shape == t.operand(1)?.shape
                    && t.result()?.element == t.operand(0)?.element
                    && (*axis as usize) < t.operand(0)?.shape.len(),
                "the result has another type",
            )
        }
        _ => Ok(()),
    }
}

/// Loops and branches.
fn control(t: &Typed<'_>) -> Check {
    match t.kind {
        OpKind::For(_) => {
            need(t.operands.len() == t.results.len() + 3, "carried values differ in number")?;
            need(
                t.operand(0)? == t.operand(1)?
                    && t.operand(0)? == t.operand(2)?
                    && !t.operand(0)?.is_tensor()
                    && t.operand(0)?.number().is_some_and(ScalarType::is_int),
                "the bounds are not of one integer type",
            )?;
            need(t.operands[3..] == t.results, "a carried value changes its type")
        }
        OpKind::While => need(t.operands == t.results, "a carried value changes its type"),
        OpKind::If => {
            need(t.operands.len() == 1 && *t.operand(0)? == Type::scalar(ScalarType::I1), "the condition is not an i1")
        }
        _ => Ok(()),
    }
}

/// Ops for their effect, and inline PTX.
fn statements(t: &Typed<'_>) -> Check {
    match t.kind {
        OpKind::InlineAsm { .. } => need(!t.results.is_empty(), "it returns nothing"),
        OpKind::Assume => {
            t.counts(1, 0)?;
            need(*t.operand(0)? == Type::scalar(ScalarType::I1), "the condition is not an i1")
        }
        OpKind::Assert { mask, .. } => {
            t.counts(1 + usize::from(*mask), 0)?;
            need(t.operand(0)?.number() == Some(ScalarType::I1), "the condition is not i1")
        }
        OpKind::Guard { .. } => {
            t.counts(2, 0)?;
            need(t.operand(1)?.number() == Some(ScalarType::I64), "the value is not i64")
        }
        OpKind::Print { .. } | OpKind::Barrier => need(t.results.is_empty(), "it has results"),
        _ => Ok(()),
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
