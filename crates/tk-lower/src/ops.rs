//! The table: which MLIR op each checked op becomes.

use crate::{Lowering, attributes};
use tk_check::checked::{BinaryOp, CastKind, Element, Hint, Literal, Op, OpKind as Checked, UnaryOp};
use tk_diag::Result;
use tk_ir::{Attribute, Block, Location, OpKind, OpSpec, Type, Value};

impl<'c> Lowering<'c, '_> {
    /// Lowers one op to the end of `target`.
    pub(crate) fn op(&mut self, op: &Op, target: Block<'c>) -> Result<()> {
        let at = self.locations.of_op(op);
        if let Some(replaced) = self.expanded(op, target, at)? {
            self.values.insert(op.results[0], replaced);
            return Ok(());
        }
        let mut spec = self.spec(op, at)?;
        for (hint, values) in &op.hints {
            let name = match hint {
                Hint::Divisibility => "tt.divisibility",
                Hint::Contiguity => "tt.contiguity",
                Hint::Constancy => "tt.constancy",
            };
            spec = spec.attr(name, self.hint(values));
        }
        let created = target.append(spec.create(at));
        self.bind(&op.results, created);
        Ok(())
    }

    /// A hint as `dense<…> : tensor<Nxi32>`, the form Triton gives it.
    fn hint(&self, values: &[u32]) -> Attribute<'c> {
        let i32_type = self.context.i(32);
        let items: Vec<Attribute<'c>> =
            values.iter().map(|value| self.context.int_attr(i32_type, i64::from(*value))).collect();
        self.context.dense_attr(self.context.tensor(&[values.len() as i64], i32_type, None), &items)
    }

    /// Checked ops that are more than one MLIR op; gives the value of their result.
    fn expanded(&mut self, op: &Op, target: Block<'c>, at: Location<'c>) -> Result<Option<Value<'c>>> {
        match &op.kind {
            Checked::Clamp { propagate_nan } => {
                let [x, low, high] = self.operands(op)?;
                let (upper, lower) = match propagate_nan {
                    true => (OpKind::ArithMinimumF, OpKind::ArithMaximumF),
                    false => (OpKind::ArithMinNumF, OpKind::ArithMaxNumF),
                };
                let ty = [x.ty()];
                let capped = target.append(OpSpec::new(upper).operands(&[x, high]).results(&ty).create(at)).result(0);
                let raised = OpSpec::new(lower).operands(&[low, capped]).results(&ty).create(at);
                Ok(Some(target.append(raised).result(0)))
            }
            Checked::Select => {
                let [condition, yes, no] = self.operands(op)?;
                let select = OpSpec::new(OpKind::ArithSelect).operands(&[condition, yes, no]).results(&[yes.ty()]);
                Ok(Some(target.append(select.create(at)).result(0)))
            }
            _ => Ok(None),
        }
    }

    fn operands<const N: usize>(&self, op: &Op) -> Result<[Value<'c>; N]> {
        let values = self.values(&op.operands)?;
        let count = values.len();
        values.try_into().map_err(|_| {
            tk_diag::Diagnostic::bug(format!("a checked {:?} has {count} operands instead of {N}", op.kind)).boxed()
        })
    }

    fn spec(&mut self, op: &Op, at: Location<'c>) -> Result<OpSpec<'c>> {
        match &op.kind {
            Checked::For(hints) => return self.for_loop(op, hints, at),
            Checked::If => return self.if_op(op, at),
            Checked::While => return self.while_loop(op, at),
            Checked::Reduce { axis } => {
                let spec = self.combining(op, OpKind::TtReduce, OpKind::TtReduceReturn, at)?;
                return Ok(spec.attr("axis", self.i32(i64::from(*axis))));
            }
            Checked::Scan { axis, reverse } => {
                let spec = self.combining(op, OpKind::TtScan, OpKind::TtScanReturn, at)?;
                return Ok(spec.attr("axis", self.i32(i64::from(*axis))).attr("reverse", self.flag(*reverse)));
            }
            _ => {}
        }
        let (kind, attributes) = self.simple(op);
        let spec = OpSpec::new(kind).operands(&self.values(&op.operands)?).results(&self.types(&op.results));
        Ok(attributes.into_iter().fold(spec, |spec, (name, value)| spec.attr(name, value)))
    }

    /// Ops that are one MLIR op without regions: its kind and attributes.
    fn simple(&self, op: &Op) -> (OpKind, Vec<(&'static str, Attribute<'c>)>) {
        let plain = |kind| (kind, Vec::new());
        match &op.kind {
            Checked::Constant(literal) => {
                (OpKind::ArithConstant, vec![("value", self.constant(*literal, self.ty(op.results[0])))])
            }
            Checked::ProgramId { axis } => (OpKind::TtGetProgramId, vec![("axis", self.i32(i64::from(*axis)))]),
            Checked::NumPrograms { axis } => (OpKind::TtGetNumPrograms, vec![("axis", self.i32(i64::from(*axis)))]),
            Checked::MakeRange { start, end } => {
                (OpKind::TtMakeRange, vec![("start", self.i32(i64::from(*start))), ("end", self.i32(i64::from(*end)))])
            }
            Checked::Splat => plain(OpKind::TtSplat),
            Checked::Unsplat => plain(OpKind::TtUnsplat),
            Checked::ExpandDims { axis } => (OpKind::TtExpandDims, vec![("axis", self.i32(i64::from(*axis)))]),
            Checked::Broadcast => plain(OpKind::TtBroadcast),
            Checked::Reshape { allow_reorder: true } => {
                (OpKind::TtReshape, vec![("allow_reorder", self.context.unit_attr())])
            }
            Checked::Reshape { allow_reorder: false } => plain(OpKind::TtReshape),
            Checked::Trans { order } => {
                let order: Vec<i32> = order.iter().map(|dim| *dim as i32).collect();
                (OpKind::TtTrans, vec![("order", self.context.i32_array(&order))])
            }
            Checked::Join => plain(OpKind::TtJoin),
            Checked::Split => plain(OpKind::TtSplit),
            Checked::Binary(binary) => plain(binary_kind(*binary)),
            Checked::Compare(compare) => {
                let (float, predicate) = attributes::predicate(*compare);
                let kind = if float { OpKind::ArithCmpF } else { OpKind::ArithCmpI };
                (kind, vec![("predicate", self.context.int_attr(self.context.i(64), predicate))])
            }
            Checked::Unary(unary) => plain(unary_kind(*unary)),
            Checked::Fma => plain(OpKind::MathFma),
            Checked::Cast(cast) => self.cast(op, *cast),
            Checked::AddPtr => plain(OpKind::TtAddPtr),
            Checked::Extern { symbol } => {
                let path = self.kernel.options.libdevice.as_deref().unwrap_or_default();
                let texts = [("libname", "libdevice"), ("libpath", path), ("symbol", symbol)];
                let mut attributes: Vec<_> =
                    texts.into_iter().map(|(name, text)| (name, self.context.string_attr(text))).collect();
                attributes.push(("pure", self.flag(true)));
                (OpKind::TtExternElementwise, attributes)
            }
            Checked::Call { function } => {
                let name = self.kernel.functions.get(*function as usize).map_or("", |function| &function.name);
                (OpKind::TtCall, vec![("callee", self.context.symbol_attr(name))])
            }
            Checked::Assume => (OpKind::LlvmIntrAssume, vec![("op_bundle_sizes", self.context.i32_array(&[]))]),
            Checked::Barrier => plain(OpKind::GpuBarrier),
            _ => self.memory_or_rest(op),
        }
    }

    fn memory_or_rest(&self, op: &Op) -> (OpKind, Vec<(&'static str, Attribute<'c>)>) {
        match &op.kind {
            Checked::Load { mask, other, cache, eviction, volatile } => (
                OpKind::TtLoad,
                vec![
                    ("operandSegmentSizes", self.context.i32_array(&[1, i32::from(*mask), i32::from(*other)])),
                    ("cache", self.i32(attributes::cache(*cache))),
                    ("evict", self.i32(attributes::eviction(*eviction))),
                    ("isVolatile", self.flag(*volatile)),
                ],
            ),
            Checked::Store { cache, eviction, .. } => (
                OpKind::TtStore,
                vec![
                    ("cache", self.i32(attributes::cache(*cache))),
                    ("evict", self.i32(attributes::eviction(*eviction))),
                ],
            ),
            Checked::AtomicRmw { op, semantics, scope, .. } => (
                OpKind::TtAtomicRmw,
                vec![
                    ("atomic_rmw_op", self.i32(attributes::atomic(*op))),
                    ("sem", self.i32(attributes::semantics(*semantics))),
                    ("scope", self.i32(attributes::scope(*scope))),
                ],
            ),
            Checked::AtomicCas { semantics, scope } => (
                OpKind::TtAtomicCas,
                vec![
                    ("sem", self.i32(attributes::semantics(*semantics))),
                    ("scope", self.i32(attributes::scope(*scope))),
                ],
            ),
            Checked::Dot { precision, max_imprecise_acc } => (
                OpKind::TtDot,
                vec![
                    ("inputPrecision", self.i32(attributes::precision(*precision))),
                    ("maxNumImpreciseAcc", self.i32(i64::from(*max_imprecise_acc))),
                ],
            ),
            Checked::Histogram { .. } => (OpKind::TtHistogram, Vec::new()),
            Checked::Gather { axis } => (OpKind::TtGather, vec![("axis", self.i32(i64::from(*axis)))]),
            Checked::InlineAsm { asm, constraints, pure, pack } => (
                OpKind::TtElementwiseInlineAsm,
                vec![
                    ("asm_string", self.context.string_attr(asm)),
                    ("constraints", self.context.string_attr(constraints)),
                    ("pure", self.flag(*pure)),
                    ("packed_element", self.i32(i64::from(*pack))),
                ],
            ),
            Checked::Assert { message, .. } => (OpKind::TtAssert, vec![("message", self.context.string_attr(message))]),
            Checked::Guard { site } => (OpKind::TtGuard, vec![("site", self.i32(i64::from(*site)))]),
            Checked::Print { prefix, hex } => {
                let signed: Vec<i32> = op.operands.iter().map(|v| i32::from(self.is_signed(*v))).collect();
                (
                    OpKind::TtPrint,
                    vec![
                        ("prefix", self.context.string_attr(prefix)),
                        ("hex", self.flag(*hex)),
                        ("isSigned", self.context.i32_array(&signed)),
                    ],
                )
            }
            Checked::MakeDescriptor { padding_nan } => {
                (OpKind::TtMakeTensorDescriptor, vec![("padding", self.i32(attributes::padding(*padding_nan).into()))])
            }
            Checked::DescriptorLoad { cache, eviction } => (
                OpKind::TtDescriptorLoad,
                vec![
                    ("cache", self.i32(attributes::cache(*cache))),
                    ("evict", self.i32(attributes::eviction(*eviction))),
                ],
            ),
            Checked::DescriptorReduce(reduction) => {
                (OpKind::TtDescriptorReduce, vec![("kind", self.i32(attributes::descriptor_reduction(*reduction)))])
            }
            Checked::DescriptorGather => (OpKind::TtDescriptorGather, Vec::new()),
            Checked::DescriptorScatter => (OpKind::TtDescriptorScatter, Vec::new()),
            _ => (OpKind::TtDescriptorStore, Vec::new()),
        }
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

    /// The attribute of a constant: a number, or a splat of it.
    fn constant(&self, literal: Literal, ty: Type<'c>) -> Attribute<'c> {
        let element = ty.element();
        let scalar = match literal {
            Literal::Int(value) if element.float().is_none() => self.context.int_attr(element, value as i64),
            Literal::Int(value) => self.context.float_attr(element, value as f64),
            Literal::Float(value) => self.context.float_attr(element, value),
        };
        if ty.is_tensor() { self.context.splat_attr(ty, scalar) } else { scalar }
    }

    fn cast(&self, op: &Op, cast: CastKind) -> (OpKind, Vec<(&'static str, Attribute<'c>)>) {
        let rounding = |toward_zero: bool| vec![("rounding", self.i32(if toward_zero { 0 } else { 1 }))];
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
            CastKind::FpTrunc { toward_zero: true } => return (OpKind::TtFpToFp, rounding(true)),
            CastKind::FpToFp { toward_zero } if self.narrows(op) => return (OpKind::TtFpToFp, rounding(toward_zero)),
            CastKind::FpToFp { .. } => OpKind::TtFpToFp,
            CastKind::Bitcast if self.touches_pointer(op) => OpKind::TtBitcast,
            CastKind::Bitcast => OpKind::ArithBitcast,
            CastKind::IntToPtr => OpKind::TtIntToPtr,
            CastKind::PtrToInt => OpKind::TtPtrToInt,
        };
        (kind, Vec::new())
    }

    fn narrows(&self, op: &Op) -> bool {
        self.ty(op.results[0]).element_bits() < self.ty(op.operands[0]).element_bits()
    }

    fn touches_pointer(&self, op: &Op) -> bool {
        matches!(self.kernel.ty(op.operands[0]).element, Element::Pointer { .. })
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
        UnaryOp::Ceil => OpKind::MathCeil,
    }
}
