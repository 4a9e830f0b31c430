//! The structural verifier: every operand is defined before its use and in scope, and types agree with the rules of each op.
//!
//! It runs after every check of a debug build and in tests. A failure is a bug of the checker, never of the user.

use super::{BinaryOp, Block, CastKind, Element, Kernel, Op, OpKind, Type, UnaryOp, Value};
use rustc_hash::FxHashSet;
use tk_diag::Diagnostic;
use tk_types::ScalarType;

/// Checks a kernel; the error is a bug diagnostic that names the op.
pub fn verify(kernel: &Kernel) -> tk_diag::Result<()> {
    let mut verifier = Verifier { kernel, defined: FxHashSet::default() };
    for param in &kernel.params {
        verifier.defined.insert(param.value);
    }
    verifier.block(&kernel.body, None)?;
    verifier.expect_yields(&kernel.body, &[], None)?;
    verifier.defined.clear();
    kernel.functions.iter().try_for_each(|function| verifier.block(&function.body, None))
}

struct Verifier<'k> {
    kernel: &'k Kernel,
    defined: FxHashSet<Value>,
}

type Check = Result<(), String>;

fn args_of_call(given: &[&Type], wanted: &[&Type]) -> Check {
    if given == wanted { Ok(()) } else { Err("arguments or results have other types than the function".into()) }
}

impl Verifier<'_> {
    fn block(&mut self, block: &Block, around: Option<&Op>) -> tk_diag::Result<()> {
        let mut local: Vec<Value> = block.args.clone();
        self.defined.extend(&block.args);
        for op in &block.ops {
            self.op(op)?;
            for result in &op.results {
                if !self.defined.insert(*result) {
                    return Err(self.bug(Some(op), format!("{result} is defined twice")));
                }
                local.push(*result);
            }
        }
        for value in &block.yields {
            if !self.defined.contains(value) {
                return Err(self.bug(around, format!("{value} is yielded and not defined")));
            }
        }
        for value in local {
            self.defined.remove(&value);
        }
        Ok(())
    }

    fn op(&mut self, op: &Op) -> tk_diag::Result<()> {
        for value in op.operands.iter().chain(&op.results) {
            if value.0 as usize >= self.kernel.values.len() {
                return Err(self.bug(Some(op), format!("{value} has no type")));
            }
        }
        if let Some(value) = op.operands.iter().find(|value| !self.defined.contains(value)) {
            return Err(self.bug(Some(op), format!("{value} is used and not defined")));
        }
        self.types(op).map_err(|what| self.bug(Some(op), what))?;
        for block in &op.blocks {
            self.block(block, Some(op))?;
        }
        self.control(op)
    }

    fn bug(&self, op: Option<&Op>, what: String) -> Box<Diagnostic> {
        let kind = op.map_or("the kernel".to_string(), |op| format!("{:?}", op.kind));
        let bug = Diagnostic::bug(format!("a checked kernel is not well formed: {kind}: {what}"));
        match op {
            Some(op) => bug.at(&self.kernel.file, op.loc.span, "").boxed(),
            None => bug.boxed(),
        }
    }

    fn ty(&self, value: Value) -> &Type {
        self.kernel.ty(value)
    }

    fn list(&self, values: &[Value]) -> Vec<&Type> {
        values.iter().map(|value| self.ty(*value)).collect()
    }

    fn expect_yields(&self, block: &Block, wanted: &[&Type], op: Option<&Op>) -> tk_diag::Result<()> {
        if self.list(&block.yields) == wanted {
            return Ok(());
        }
        let list = |types: &[&Type]| types.iter().map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ");
        let what = format!("a block yields ({}) where ({}) is due", list(&self.list(&block.yields)), list(wanted));
        Err(self.bug(op, what))
    }

    /// Block arguments and yields of control flow, reductions and scans.
    fn control(&self, op: &Op) -> tk_diag::Result<()> {
        let results = self.list(&op.results);
        let blocks = match op.kind {
            OpKind::If | OpKind::While => 2,
            OpKind::For(_) | OpKind::Reduce { .. } | OpKind::Scan { .. } => 1,
            _ => 0,
        };
        if op.blocks.len() != blocks {
            return Err(self.bug(Some(op), format!("it has {} blocks instead of {blocks}", op.blocks.len())));
        }
        let args = |block: &Block, wanted: &[&Type]| {
            if self.list(&block.args) == wanted {
                Ok(())
            } else {
                Err(self.bug(Some(op), "block arguments have other types".into()))
            }
        };
        match &op.kind {
            OpKind::If => {
                for block in &op.blocks {
                    args(block, &[])?;
                    self.expect_yields(block, &results, Some(op))?;
                }
            }
            OpKind::For(_) => {
                let operands = self.list(&op.operands);
                let index = operands.first().copied();
                let wanted: Vec<&Type> = index.into_iter().chain(operands.iter().skip(3).copied()).collect();
                args(&op.blocks[0], &wanted)?;
                self.expect_yields(&op.blocks[0], &results, Some(op))?;
            }
            OpKind::While => {
                let bool = Type::scalar(ScalarType::I1);
                let condition: Vec<&Type> = std::iter::once(&bool).chain(results.iter().copied()).collect();
                args(&op.blocks[0], &results)?;
                args(&op.blocks[1], &results)?;
                self.expect_yields(&op.blocks[0], &condition, Some(op))?;
                self.expect_yields(&op.blocks[1], &results, Some(op))?;
            }
            OpKind::Reduce { .. } | OpKind::Scan { .. } => {
                let scalars: Vec<Type> = op
                    .operands
                    .iter()
                    .map(|v| Type { element: self.ty(*v).element.clone(), shape: Vec::new() })
                    .collect();
                let once: Vec<&Type> = scalars.iter().collect();
                let twice: Vec<&Type> = scalars.iter().chain(&scalars).collect();
                args(&op.blocks[0], &twice)?;
                self.expect_yields(&op.blocks[0], &once, Some(op))?;
            }
            OpKind::Call { function } => {
                let Some(function) = self.kernel.functions.get(*function as usize) else {
                    return Err(self.bug(Some(op), "it calls a function that is not there".into()));
                };
                args_of_call(&self.list(&op.operands), &self.list(&function.body.args))
                    .and_then(|()| args_of_call(&self.list(&function.body.yields), &results))
                    .map_err(|what| self.bug(Some(op), what))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn types(&self, op: &Op) -> Check {
        let a = |i: usize| op.operands.get(i).map(|value| self.ty(*value)).ok_or("an operand is missing");
        let r = || op.results.first().map(|value| self.ty(*value)).ok_or("the result is missing");
        let need = |fine: bool, what: &str| if fine { Ok(()) } else { Err(what.to_string()) };
        let counts = |operands: usize, results: usize| {
            need(
                op.operands.len() == operands && op.results.len() == results,
                "the number of operands or results is wrong",
            )
        };
        match &op.kind {
            OpKind::Constant(_) => counts(0, 1),
            OpKind::ProgramId { .. } | OpKind::NumPrograms { .. } => {
                counts(0, 1)?;
                need(*r()? == Type::scalar(ScalarType::I32), "the result is not i32")
            }
            OpKind::MakeRange { start, end } => {
                counts(0, 1)?;
                need(
                    r()?.shape == [(end - start) as u32] && r()?.number() == Some(ScalarType::I32),
                    "the range has another type",
                )
            }
            OpKind::Splat => {
                counts(1, 1)?;
                need(
                    !a(0)?.is_tensor() && r()?.is_tensor() && a(0)?.element == r()?.element,
                    "it takes a scalar to a tensor",
                )
            }
            OpKind::Unsplat => {
                counts(1, 1)?;
                need(
                    a(0)?.is_tensor() && a(0)?.numel() == 1 && !r()?.is_tensor() && a(0)?.element == r()?.element,
                    "it takes one element to a scalar",
                )
            }
            OpKind::ExpandDims { axis } => {
                counts(1, 1)?;
                let mut shape = a(0)?.shape.clone();
                need(!shape.is_empty() && *axis as usize <= shape.len(), "the axis is out of range")?;
                shape.insert(*axis as usize, 1);
                need(r()?.shape == shape && a(0)?.element == r()?.element, "the result has another shape")
            }
            OpKind::Broadcast => {
                counts(1, 1)?;
                let (from, to) = (a(0)?, r()?);
                let grows = from.shape.len() == to.shape.len()
                    && from.shape.iter().zip(&to.shape).all(|(f, t)| f == t || *f == 1);
                need(grows && from.is_tensor() && from.element == to.element, "only dimensions of 1 grow")
            }
            OpKind::Reshape { .. } => {
                counts(1, 1)?;
                need(
                    a(0)?.numel() == r()?.numel() && a(0)?.element == r()?.element && a(0)?.is_tensor(),
                    "the number of elements changes",
                )
            }
            OpKind::Trans { order } => {
                counts(1, 1)?;
                let shape: Vec<u32> = order.iter().filter_map(|d| a(0).ok()?.shape.get(*d as usize).copied()).collect();
                need(r()?.shape == shape && shape.len() == a(0)?.shape.len(), "the result has another shape")
            }
            OpKind::Join => {
                counts(2, 1)?;
                let mut ty = a(0)?.clone();
                ty.shape.push(2);
                need(a(0)? == a(1)? && *r()? == ty && ty.shape.len() > 1, "both sides and the result must agree")
            }
            OpKind::Split => {
                counts(1, 2)?;
                let mut ty = a(0)?.clone();
                need(ty.shape.pop() == Some(2) && *r()? == ty, "the last dimension must be 2")
            }
            OpKind::Binary(kind) => {
                counts(2, 1)?;
                need(a(0)? == a(1)? && a(0)? == r()?, "operands and result differ in type")?;
                let scalar = a(0)?.number().ok_or("it works on numbers")?;
                need(binary_accepts(*kind, scalar), "the element type does not fit the operation")
            }
            OpKind::Compare(kind) => {
                counts(2, 1)?;
                let float = format!("{kind:?}").ends_with('F');
                need(a(0)? == a(1)? && *r()? == a(0)?.with_scalar(ScalarType::I1), "operands and result do not agree")?;
                need(
                    a(0)?.number().is_some_and(|s| s.is_float() == float),
                    "the element type does not fit the comparison",
                )
            }
            OpKind::Unary(kind) => {
                counts(1, 1)?;
                let scalar = a(0)?.number().ok_or("it works on numbers")?;
                need(a(0)? == r()?, "operand and result differ in type")?;
                need(scalar.is_float() != matches!(kind, UnaryOp::AbsI), "the element type does not fit the operation")
            }
            OpKind::Select => {
                counts(3, 1)?;
                let condition = a(0)?;
                need(condition.number() == Some(ScalarType::I1), "the condition is not i1")?;
                need(a(1)? == a(2)? && a(1)? == r()?, "the sides and the result differ in type")?;
                need(condition.shape.is_empty() || condition.shape == r()?.shape, "the condition has another shape")
            }
            OpKind::Fma | OpKind::Clamp { .. } => {
                counts(3, 1)?;
                let float = a(0)?.number().is_some_and(ScalarType::is_float);
                need(float && a(0)? == a(1)? && a(0)? == a(2)? && a(0)? == r()?, "all types must be one float type")
            }
            OpKind::Cast(kind) => {
                counts(1, 1)?;
                need(a(0)?.shape == r()?.shape && cast_accepts(*kind, a(0)?, r()?), "the cast does not fit its types")
            }
            OpKind::AddPtr => {
                counts(2, 1)?;
                let integer = a(1)?.number().is_some_and(|s| s.is_signed_int() || s == ScalarType::U64);
                need(
                    a(0)? == r()? && a(0)?.pointee().is_some() && a(0)?.shape == a(1)?.shape && integer,
                    "it adds a signed offset of the same shape",
                )
            }
            OpKind::Load { mask, other, .. } => {
                counts(1 + usize::from(*mask) + usize::from(*other), 1)?;
                let pointee = a(0)?.pointee().ok_or("it loads through a pointer")?;
                need(*r()? == a(0)?.with(pointee.clone()), "the result is not what the pointer points to")?;
                need(!*mask || *a(1)? == a(0)?.with_scalar(ScalarType::I1), "the mask has another type")?;
                need(!*other || a(2)? == r()?, "`other` has another type")
            }
            OpKind::Store { mask, .. } => {
                counts(2 + usize::from(*mask), 0)?;
                let pointee = a(0)?.pointee().ok_or("it stores through a pointer")?;
                need(*a(1)? == a(0)?.with(pointee.clone()), "the value is not what the pointer points to")?;
                need(!*mask || *a(2)? == a(0)?.with_scalar(ScalarType::I1), "the mask has another type")
            }
            OpKind::AtomicRmw { mask, .. } => {
                counts(2 + usize::from(*mask), 1)?;
                let pointee = a(0)?.pointee().ok_or("it works through a pointer")?;
                need(
                    *a(1)? == a(0)?.with(pointee.clone()) && a(1)? == r()?,
                    "the value is not what the pointer points to",
                )?;
                need(!*mask || *a(2)? == a(0)?.with_scalar(ScalarType::I1), "the mask has another type")
            }
            OpKind::AtomicCas { .. } => {
                counts(3, 1)?;
                let pointee = a(0)?.pointee().ok_or("it works through a pointer")?;
                let ty = a(0)?.with(pointee.clone());
                need(*a(1)? == ty && *a(2)? == ty && *r()? == ty, "the values are not what the pointer points to")
            }
            OpKind::Dot { .. } => {
                counts(3, 1)?;
                let (x, y, z) = (a(0)?, a(1)?, a(2)?);
                let rank = x.shape.len();
                need(
                    z == r()? && (rank == 2 || rank == 3) && y.shape.len() == rank && z.shape.len() == rank,
                    "the ranks do not agree",
                )?;
                need(
                    x.shape[rank - 1] == y.shape[rank - 2]
                        && z.shape[rank - 2..] == [x.shape[rank - 2], y.shape[rank - 1]],
                    "the dimensions do not agree",
                )
            }
            OpKind::Reduce { axis } => {
                need(
                    !op.operands.is_empty() && op.operands.len() == op.results.len(),
                    "inputs and results differ in number",
                )?;
                for (input, result) in op.operands.iter().zip(&op.results) {
                    let mut ty = self.ty(*input).clone();
                    need((*axis as usize) < ty.shape.len(), "the axis is out of range")?;
                    ty.shape.remove(*axis as usize);
                    need(*self.ty(*result) == ty, "a result has another type")?;
                }
                Ok(())
            }
            OpKind::Scan { axis, .. } => {
                need(self.list(&op.operands) == self.list(&op.results), "inputs and results differ")?;
                need((*axis as usize) < a(0)?.shape.len(), "the axis is out of range")
            }
            OpKind::Histogram { mask } => {
                counts(1 + usize::from(*mask), 1)?;
                need(a(0)?.shape.len() == 1 && r()?.shape.len() == 1, "it counts along one dimension")
            }
            OpKind::Gather { axis } => {
                counts(2, 1)?;
                need(
                    r()?.shape == a(1)?.shape && r()?.element == a(0)?.element && (*axis as usize) < a(0)?.shape.len(),
                    "the result has another type",
                )
            }
            OpKind::InlineAsm { .. } => need(!op.results.is_empty(), "it returns nothing"),
            OpKind::For(_) => {
                need(op.operands.len() == op.results.len() + 3, "carried values differ in number")?;
                need(
                    a(0)? == a(1)?
                        && a(0)? == a(2)?
                        && !a(0)?.is_tensor()
                        && a(0)?.number().is_some_and(ScalarType::is_int),
                    "the bounds are not of one integer type",
                )?;
                need(self.list(&op.operands[3..]) == self.list(&op.results), "a carried value changes its type")
            }
            OpKind::While => {
                need(self.list(&op.operands) == self.list(&op.results), "a carried value changes its type")
            }
            OpKind::If => {
                need(op.operands.len() == 1 && *a(0)? == Type::scalar(ScalarType::I1), "the condition is not an i1")
            }
            OpKind::Call { .. } | OpKind::Extern { .. } => Ok(()),
            OpKind::Assume => {
                counts(1, 0)?;
                need(*a(0)? == Type::scalar(ScalarType::I1), "the condition is not an i1")
            }
            OpKind::Assert { mask, .. } => {
                counts(1 + usize::from(*mask), 0)?;
                need(a(0)?.number() == Some(ScalarType::I1), "the condition is not i1")
            }
            OpKind::Guard { .. } => {
                counts(2, 0)?;
                need(a(1)?.number() == Some(ScalarType::I64), "the value is not i64")
            }
            OpKind::Print { .. } | OpKind::Barrier => need(op.results.is_empty(), "it has results"),
            OpKind::MakeDescriptor { .. } => Ok(()),
            OpKind::DescriptorLoad { .. } => descriptor_block(a(0)?, r()?),
            OpKind::DescriptorStore | OpKind::DescriptorReduce(_) => descriptor_block(a(0)?, a(1)?),
            OpKind::DescriptorGather => descriptor_rows(a(0)?, a(1)?, r()?),
            OpKind::DescriptorScatter => descriptor_rows(a(0)?, a(1)?, a(3)?),
        }
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
