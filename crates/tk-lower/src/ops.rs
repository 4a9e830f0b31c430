//! The table: which MLIR op each checked op becomes.

use crate::attributes::Predicate;
use crate::{Lowering, attributes};
use tk_check::checked::{
    BinaryOp, CacheModifier, CastKind, CompareOp, Element, EvictionPolicy, Hint, InputPrecision, Literal, MemoryScope,
    MemorySemantics, Op, OpKind as Checked, UnaryOp,
};
use tk_diag::Result;
use tk_ir::{Attribute, Block, Location, OpKind, OpSpec, Value};
use tk_types::ScalarType;

/// The attribute of operations whose result is NaN where an operand is.
const ALL_NAN: i32 = 0xFFFF;

impl<'c> Lowering<'c, '_> {
    /// Lowers one op to the end of `target`.
    pub(crate) fn op(&mut self, op: &Op, target: Block<'c>) -> Result<()> {
        let at = self.locations.of_op(op);
        let mut spec = self.spec(op, target, at)?;
        for (hint, values) in &op.hints {
            spec = spec.attr(hint_attribute(*hint), self.hint(*hint, values));
        }
        let created = target.append(spec.create(at));
        if let Checked::Hint { .. } = op.kind {
            let before = self.values.insert(op.operands[0], created.result(0));
            self.before_hints.extend(before.map(|before| (op.operands[0], before)));
        }
        self.bind(&op.results, created);
        Ok(())
    }

    /// A hint as `dense<…> : tensor<Nxi32>`, the form Triton gives it; one of tk's as an array.
    fn hint(&self, hint: Hint, values: &[u32]) -> Attribute<'c> {
        if hint == Hint::Inside {
            let values: Vec<i32> = values.iter().map(|value| *value as i32).collect();
            return self.context.i32_array(&values);
        }
        let i32_type = self.context.i(32);
        let items: Vec<Attribute<'c>> =
            values.iter().map(|value| self.context.int_attr(i32_type, i64::from(*value))).collect();
        self.context.dense_attr(self.context.tensor(&[values.len() as i64], i32_type, None), &items)
    }

    /// The MLIR op of a checked op. Of one that is several, those before the last go to the end of `target`.
    fn spec(&mut self, op: &Op, target: Block<'c>, at: Location<'c>) -> Result<OpSpec<'c>> {
        Ok(match &op.kind {
            Checked::Constant(literal) => self.constant(op, *literal)?,
            Checked::ProgramId { axis } => self.along(op, OpKind::TtGetProgramId, *axis)?,
            Checked::NumPrograms { axis } => self.along(op, OpKind::TtGetNumPrograms, *axis)?,
            Checked::MakeRange { start, end } => self.range(op, *start, *end)?,
            Checked::Splat => self.plain(op, OpKind::TtSplat)?,
            Checked::Unsplat => self.plain(op, OpKind::TtUnsplat)?,
            Checked::ExpandDims { axis } => self.along(op, OpKind::TtExpandDims, *axis)?,
            Checked::Broadcast => self.plain(op, OpKind::TtBroadcast)?,
            Checked::Reshape { allow_reorder } => self.reshape(op, *allow_reorder)?,
            Checked::Trans { order } => self.trans(op, order)?,
            Checked::Join => self.plain(op, OpKind::TtJoin)?,
            Checked::Split => self.plain(op, OpKind::TtSplit)?,
            Checked::Binary(binary) => self.plain(op, binary_kind(*binary))?,
            Checked::Compare(compare) => self.compare(op, *compare)?,
            Checked::Unary(unary) => self.plain(op, unary_kind(*unary))?,
            Checked::Select => self.plain(op, OpKind::ArithSelect)?,
            Checked::Fma => self.plain(op, OpKind::MathFma)?,
            Checked::Clamp { propagate_nan } => self.clamp(op, *propagate_nan, target, at)?,
            Checked::Cast(cast) => self.cast(op, *cast)?,
            Checked::AddPtr => self.plain(op, OpKind::TtAddPtr)?,
            Checked::Load { mask, other, cache, eviction, volatile } => self
                .cached(op, OpKind::TtLoad, *cache, *eviction)?
                .attr("operandSegmentSizes", self.context.i32_array(&[1, i32::from(*mask), i32::from(*other)]))
                .attr("isVolatile", self.flag(*volatile)),
            Checked::Store { cache, eviction, .. } => self.cached(op, OpKind::TtStore, *cache, *eviction)?,
            Checked::AtomicRmw { op: rmw, semantics, scope, .. } => self
                .ordered(op, OpKind::TtAtomicRmw, *semantics, *scope)?
                .attr("atomic_rmw_op", self.i32(attributes::atomic(*rmw))),
            Checked::AtomicCas { semantics, scope } => self.ordered(op, OpKind::TtAtomicCas, *semantics, *scope)?,
            Checked::Dot { precision, max_imprecise_acc } => self.dot(op, *precision, *max_imprecise_acc)?,
            Checked::Reduce { axis } => self.reduce(op, *axis, at)?,
            Checked::Scan { axis, reverse } => self.scan(op, *axis, *reverse, at)?,
            Checked::Histogram { .. } => self.plain(op, OpKind::TtHistogram)?,
            Checked::Gather { axis } => self.along(op, OpKind::TtGather, *axis)?,
            Checked::InlineAsm { asm, constraints, pure, pack } => self
                .plain(op, OpKind::TtElementwiseInlineAsm)?
                .attr("asm_string", self.context.string_attr(asm))
                .attr("constraints", self.context.string_attr(constraints))
                .attr("pure", self.flag(*pure))
                .attr("packed_element", self.i32(i64::from(*pack))),
            Checked::For(hints) => self.for_loop(op, hints, at)?,
            Checked::While(hints) => self.while_loop(op, hints, at)?,
            Checked::If => self.if_op(op, at)?,
            Checked::Extern { symbol } => self.libdevice(op, symbol)?,
            Checked::Call { function } => self.call(op, *function)?,
            Checked::Assume => self.plain(op, OpKind::LlvmAssume)?.attr("op_bundle_sizes", self.context.i32_array(&[])),
            Checked::Hint { hint, numbers } => {
                let value = self.value(op.operands[0])?;
                let spec = OpSpec::new(OpKind::TkHint).operands(&[value]).results(&[value.ty()]);
                spec.attr(hint_attribute(*hint), self.hint(*hint, numbers))
            }
            Checked::Assert { message, .. } => {
                self.plain(op, OpKind::TtAssert)?.attr("message", self.context.string_attr(message))
            }
            Checked::Guard { site } => self.plain(op, OpKind::TkGuard)?.attr("site", self.i32(i64::from(*site))),
            Checked::Print { prefix, hex } => self.print(op, prefix, *hex)?,
            Checked::Barrier => self.plain(op, OpKind::GpuBarrier)?,
            Checked::MakeDescriptor { padding_nan } => self
                .plain(op, OpKind::TtMakeTensorDescriptor)?
                .attr("padding", self.i32(attributes::padding(*padding_nan).into())),
            Checked::DescriptorLoad { cache, eviction } => {
                self.cached(op, OpKind::TtDescriptorLoad, *cache, *eviction)?
            }
            Checked::DescriptorStore => self.plain(op, OpKind::TtDescriptorStore)?,
            Checked::DescriptorReduce(reduction) => self
                .plain(op, OpKind::TtDescriptorReduce)?
                .attr("kind", self.i32(attributes::descriptor_reduction(*reduction))),
            Checked::DescriptorGather => self.plain(op, OpKind::TtDescriptorGather)?,
            Checked::DescriptorScatter => self.plain(op, OpKind::TtDescriptorScatter)?,
        })
    }

    /// An op of the same operands and results.
    fn plain(&self, op: &Op, kind: OpKind) -> Result<OpSpec<'c>> {
        Ok(OpSpec::new(kind).operands(&self.values(&op.operands)?).results(&self.types(&op.results)))
    }

    fn along(&self, op: &Op, kind: OpKind, axis: u32) -> Result<OpSpec<'c>> {
        Ok(self.plain(op, kind)?.attr("axis", self.i32(i64::from(axis))))
    }

    /// An access with its wishes for caches.
    fn cached(&self, op: &Op, kind: OpKind, cache: CacheModifier, eviction: EvictionPolicy) -> Result<OpSpec<'c>> {
        Ok(self
            .plain(op, kind)?
            .attr("cache", self.i32(attributes::cache(cache)))
            .attr("evict", self.i32(attributes::eviction(eviction))))
    }

    /// An atomic access with its order among others.
    fn ordered(&self, op: &Op, kind: OpKind, sem: MemorySemantics, scope: MemoryScope) -> Result<OpSpec<'c>> {
        Ok(self
            .plain(op, kind)?
            .attr("sem", self.i32(attributes::semantics(sem)))
            .attr("scope", self.i32(attributes::scope(scope))))
    }

    fn range(&self, op: &Op, start: i32, end: i32) -> Result<OpSpec<'c>> {
        let (start, end) = (self.i32(i64::from(start)), self.i32(i64::from(end)));
        Ok(self.plain(op, OpKind::TtMakeRange)?.attr("start", start).attr("end", end))
    }

    fn dot(&self, op: &Op, precision: InputPrecision, max_imprecise_acc: u32) -> Result<OpSpec<'c>> {
        Ok(self
            .plain(op, OpKind::TtDot)?
            .attr("inputPrecision", self.i32(attributes::precision(precision)))
            .attr("maxNumImpreciseAcc", self.i32(i64::from(max_imprecise_acc))))
    }

    fn reduce(&mut self, op: &Op, axis: u32, at: Location<'c>) -> Result<OpSpec<'c>> {
        let spec = self.combining(op, OpKind::TtReduce, OpKind::TtReduceReturn, at)?;
        Ok(spec.attr("axis", self.i32(i64::from(axis))))
    }

    fn scan(&mut self, op: &Op, axis: u32, reverse: bool, at: Location<'c>) -> Result<OpSpec<'c>> {
        let spec = self.combining(op, OpKind::TtScan, OpKind::TtScanReturn, at)?;
        Ok(spec.attr("axis", self.i32(i64::from(axis))).attr("reverse", self.flag(reverse)))
    }

    fn libdevice(&self, op: &Op, symbol: &str) -> Result<OpSpec<'c>> {
        let path = self.kernel.options.libdevice.as_deref().unwrap_or_default();
        Ok(self
            .plain(op, OpKind::TtExternElementwise)?
            .attr("libname", self.context.string_attr("libdevice"))
            .attr("libpath", self.context.string_attr(path))
            .attr("symbol", self.context.string_attr(symbol))
            .attr("pure", self.flag(true)))
    }

    fn call(&self, op: &Op, function: u32) -> Result<OpSpec<'c>> {
        let name = self.kernel.functions.get(function as usize).map_or("", |function| &function.name);
        Ok(self.plain(op, OpKind::TtCall)?.attr("callee", self.context.symbol_attr(name)))
    }

    fn reshape(&self, op: &Op, allow_reorder: bool) -> Result<OpSpec<'c>> {
        let spec = self.plain(op, OpKind::TtReshape)?;
        Ok(if allow_reorder { spec.attr("allow_reorder", self.context.unit_attr()) } else { spec })
    }

    fn trans(&self, op: &Op, order: &[u32]) -> Result<OpSpec<'c>> {
        let order: Vec<i32> = order.iter().map(|dim| *dim as i32).collect();
        Ok(self.plain(op, OpKind::TtTrans)?.attr("order", self.context.i32_array(&order)))
    }

    fn compare(&self, op: &Op, compare: CompareOp) -> Result<OpSpec<'c>> {
        let (kind, number) = match attributes::predicate(compare) {
            Predicate::OfFloats(number) => (OpKind::ArithCmpF, number),
            Predicate::OfIntegers(number) => (OpKind::ArithCmpI, number),
        };
        Ok(self.plain(op, kind)?.attr("predicate", self.context.int_attr(self.context.i(64), number)))
    }

    /// A clamp, of which the target may have an instruction in single precision; of other types the smaller of a value and its upper bound, then the
    /// greater of that and the lower bound.
    fn clamp(&self, op: &Op, propagate_nan: bool, target: Block<'c>, at: Location<'c>) -> Result<OpSpec<'c>> {
        let [x, low, high] = self.operands(op)?;
        if x.ty().element().float() == Some(ScalarType::F32) {
            let nan = self.context.i32_attr(if propagate_nan { ALL_NAN } else { 0 });
            return Ok(OpSpec::new(OpKind::TtClampF)
                .operands(&[x, low, high])
                .results(&[x.ty()])
                .attr("propagateNan", nan));
        }
        let (upper, lower) = match propagate_nan {
            true => (OpKind::ArithMinimumF, OpKind::ArithMaximumF),
            false => (OpKind::ArithMinNumF, OpKind::ArithMaxNumF),
        };
        let ty = [x.ty()];
        let capped = target.append(OpSpec::new(upper).operands(&[x, high]).results(&ty).create(at)).result(0);
        Ok(OpSpec::new(lower).operands(&[low, capped]).results(&ty))
    }

    fn operands<const N: usize>(&self, op: &Op) -> Result<[Value<'c>; N]> {
        let values = self.values(&op.operands)?;
        let count = values.len();
        values.try_into().map_err(|_| {
            tk_diag::Diagnostic::bug(format!("a checked {:?} has {count} operands instead of {N}", op.kind)).boxed()
        })
    }

    fn print(&self, op: &Op, prefix: &str, hex: bool) -> Result<OpSpec<'c>> {
        let signed: Vec<i32> = op.operands.iter().map(|value| i32::from(self.is_signed(*value))).collect();
        Ok(self
            .plain(op, OpKind::TtPrint)?
            .attr("prefix", self.context.string_attr(prefix))
            .attr("hex", self.flag(hex))
            .attr("isSigned", self.context.i32_array(&signed)))
    }

    fn is_signed(&self, value: tk_check::checked::Value) -> bool {
        matches!(&self.kernel.ty(value).element, Element::Scalar(scalar) if scalar.is_signed_int())
    }

    fn i32(&self, value: i64) -> Attribute<'c> {
        self.context.int_attr(self.context.i(32), value)
    }

    fn flag(&self, value: bool) -> Attribute<'c> {
        self.context.bool_attr(value)
    }

    /// A number, or a splat of it.
    fn constant(&self, op: &Op, literal: Literal) -> Result<OpSpec<'c>> {
        let ty = self.ty(op.results[0]);
        let element = ty.element();
        let scalar = match literal {
            Literal::Int(value) if element.float().is_none() => self.context.int_attr(element, value as i64),
            Literal::Int(value) => self.context.float_attr(element, value as f64),
            Literal::Float(value) => self.context.float_attr(element, value),
        };
        let value = if ty.is_tensor() { self.context.splat_attr(ty, scalar) } else { scalar };
        Ok(self.plain(op, OpKind::ArithConstant)?.attr("value", value))
    }

    fn cast(&self, op: &Op, cast: CastKind) -> Result<OpSpec<'c>> {
        let rounding = |toward_zero: bool| self.i32(if toward_zero { 0 } else { 1 });
        let kind = match cast {
            CastKind::ExtS => OpKind::ArithExtSI,
            CastKind::ExtU => OpKind::ArithExtUI,
            CastKind::Trunc => OpKind::ArithTruncI,
            CastKind::SIToFp => OpKind::ArithSIToFP,
            CastKind::UIToFp => OpKind::ArithUIToFP,
            CastKind::FpToSI => OpKind::ArithFPToSI,
            CastKind::FpToUI => OpKind::ArithFPToUI,
            CastKind::FpExt => OpKind::ArithExtF,
            CastKind::FpTrunc { toward_zero: false } => OpKind::ArithTruncF,
            CastKind::FpTrunc { toward_zero: true } => {
                return Ok(self.plain(op, OpKind::TtFpToFp)?.attr("rounding", rounding(true)));
            }
            CastKind::FpToFp { toward_zero } if self.narrows(op) => {
                return Ok(self.plain(op, OpKind::TtFpToFp)?.attr("rounding", rounding(toward_zero)));
            }
            CastKind::FpToFp { .. } => OpKind::TtFpToFp,
            CastKind::Bitcast if self.touches_pointer(op) => OpKind::TtBitcast,
            CastKind::Bitcast => OpKind::ArithBitcast,
            CastKind::IntToPtr => OpKind::TtIntToPtr,
            CastKind::PtrToInt => OpKind::TtPtrToInt,
        };
        self.plain(op, kind)
    }

    fn narrows(&self, op: &Op) -> bool {
        self.ty(op.results[0]).element_bits() < self.ty(op.operands[0]).element_bits()
    }

    fn touches_pointer(&self, op: &Op) -> bool {
        matches!(self.kernel.ty(op.operands[0]).element, Element::Pointer { .. })
    }
}

fn hint_attribute(hint: Hint) -> &'static str {
    match hint {
        Hint::Divisibility => tk_ir::attributes::DIVISIBILITY,
        Hint::Contiguity => tk_ir::attributes::CONTIGUITY_HINT,
        Hint::Constancy => tk_ir::attributes::CONSTANCY_HINT,
        Hint::Inside => tk_ir::attributes::INSIDE,
    }
}

fn binary_kind(op: BinaryOp) -> OpKind {
    match op {
        BinaryOp::AddI => OpKind::ArithAddI,
        BinaryOp::SubI => OpKind::ArithSubI,
        BinaryOp::MulI => OpKind::ArithMulI,
        BinaryOp::DivS => OpKind::ArithDivSI,
        BinaryOp::DivU => OpKind::ArithDivUI,
        BinaryOp::RemS => OpKind::ArithRemSI,
        BinaryOp::RemU => OpKind::ArithRemUI,
        BinaryOp::And => OpKind::ArithAndI,
        BinaryOp::Or => OpKind::ArithOrI,
        BinaryOp::Xor => OpKind::ArithXOrI,
        BinaryOp::Shl => OpKind::ArithShLI,
        BinaryOp::ShrS => OpKind::ArithShRSI,
        BinaryOp::ShrU => OpKind::ArithShRUI,
        BinaryOp::MinS => OpKind::ArithMinSI,
        BinaryOp::MinU => OpKind::ArithMinUI,
        BinaryOp::MaxS => OpKind::ArithMaxSI,
        BinaryOp::MaxU => OpKind::ArithMaxUI,
        BinaryOp::MulHiU => OpKind::TtMulhiUI,
        BinaryOp::AddF => OpKind::ArithAddF,
        BinaryOp::SubF => OpKind::ArithSubF,
        BinaryOp::MulF => OpKind::ArithMulF,
        BinaryOp::DivF => OpKind::ArithDivF,
        BinaryOp::DivRnF => OpKind::TtPreciseDivF,
        BinaryOp::RemF => OpKind::ArithRemF,
        BinaryOp::MinNumF => OpKind::ArithMinNumF,
        BinaryOp::MaxNumF => OpKind::ArithMaxNumF,
        BinaryOp::MinimumF => OpKind::ArithMinimumF,
        BinaryOp::MaximumF => OpKind::ArithMaximumF,
    }
}

fn unary_kind(op: UnaryOp) -> OpKind {
    match op {
        UnaryOp::NegF => OpKind::ArithNegF,
        UnaryOp::AbsF => OpKind::MathAbsF,
        UnaryOp::AbsI => OpKind::MathAbsI,
        UnaryOp::Exp => OpKind::MathExp,
        UnaryOp::Exp2 => OpKind::MathExp2,
        UnaryOp::Log => OpKind::MathLog,
        UnaryOp::Log2 => OpKind::MathLog2,
        UnaryOp::Sin => OpKind::MathSin,
        UnaryOp::Cos => OpKind::MathCos,
        UnaryOp::Tanh => OpKind::MathTanh,
        UnaryOp::Erf => OpKind::MathErf,
        UnaryOp::Sqrt => OpKind::MathSqrt,
        UnaryOp::SqrtRn => OpKind::TtPreciseSqrt,
        UnaryOp::Rsqrt => OpKind::MathRsqrt,
        UnaryOp::Floor => OpKind::MathFloor,
        UnaryOp::RoundEven => OpKind::MathRoundEven,
        UnaryOp::Trunc => OpKind::MathTrunc,
        UnaryOp::Ceil => OpKind::MathCeil,
    }
}
