//! Values and shapes: constants, ranges, splats, dots and the rest that touches no memory.

use super::{InputPrecision, RoundingMode, view};
use crate::{Attribute, Value};

view! {
    /// `arith.constant`.
    ConstantOp = ArithConstant {}
    /// `tt.get_program_id` or `tt.get_num_programs`.
    ProgramIdOp = TtGetProgramId | TtGetNumPrograms {}
    /// `tt.make_range`.
    MakeRangeOp = TtMakeRange {
        /// The tensor of `i32`.
        result = result 0;
    }
    /// `tt.splat`.
    SplatOp = TtSplat {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
    }
    /// `tt.expand_dims`.
    ExpandDimsOp = TtExpandDims {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
    }
    /// `tt.broadcast`.
    BroadcastOp = TtBroadcast {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
    }
    /// `tt.reshape`.
    ReshapeOp = TtReshape {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
    }
    /// `tt.trans` or `ttg.memdesc_trans`.
    TransOp = TtTrans | TtgMemDescTrans {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
    }
    /// `tt.dot`.
    DotOp = TtDot {
        /// Left operand, `M × K`.
        a = operand 0;
        /// Right operand, `K × N`.
        b = operand 1;
        /// What is added, `M × N`.
        c = operand 2;
        /// `a · b + c`.
        result = result 0;
    }
    /// `ttg.convert_layout`.
    ConvertLayoutOp = TtgConvertLayout {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
    }
    /// `tt.fp_to_fp`.
    FpToFpOp = TtFpToFp {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
    }
    /// `tt.histogram`.
    HistogramOp = TtHistogram {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
        /// Which elements count; all when `None`.
        mask = optional 1;
    }
    /// `tt.gather`.
    GatherOp = TtGather {
        /// The operand.
        src = operand 0;
        /// The result.
        result = result 0;
        /// The indices along the axis.
        indices = operand 1;
    }
    /// `tt.elementwise_inline_asm`.
    InlineAsmOp = TtElementwiseInlineAsm {}
}

impl<'c> ConstantOp<'c> {
    /// The constant.
    pub fn value(self) -> Option<Attribute<'c>> {
        self.op.attr("value")
    }

    /// The integer of a scalar or of every element of a splat.
    pub fn int(self) -> Option<i64> {
        self.value()?.as_splat_int()
    }

    /// The float of a scalar or of every element of a splat.
    pub fn float(self) -> Option<f64> {
        self.value()?.as_splat_float()
    }
}

impl<'c> Value<'c> {
    /// The constant that defines this value.
    pub fn constant(self) -> Option<Attribute<'c>> {
        ConstantOp::cast(self.defining_op()?)?.value()
    }

    /// The integer this value is known to be, the same for every element.
    pub fn constant_int(self) -> Option<i64> {
        self.constant()?.as_splat_int()
    }

    /// The float this value is known to be, the same for every element.
    pub fn constant_float(self) -> Option<f64> {
        self.constant()?.as_splat_float()
    }
}

impl ProgramIdOp<'_> {
    /// 0, 1 or 2.
    pub fn axis(self) -> usize {
        self.op.required_int("axis") as usize
    }
}

impl MakeRangeOp<'_> {
    /// First element.
    pub fn start(self) -> i64 {
        self.op.required_int("start")
    }

    /// One past the last element.
    pub fn end(self) -> i64 {
        self.op.required_int("end")
    }
}

impl ExpandDimsOp<'_> {
    /// Where the new dimension of size 1 is.
    pub fn axis(self) -> usize {
        self.op.required_int("axis") as usize
    }
}

impl ReshapeOp<'_> {
    /// Elements may be put in any order.
    pub fn allow_reorder(self) -> bool {
        self.op.attr("allow_reorder").is_some()
    }

    /// The layout was chosen for speed and is to be kept.
    pub fn efficient_layout(self) -> bool {
        self.op.attr("efficient_layout").is_some()
    }
}

impl TransOp<'_> {
    /// Dimension `i` of the result is dimension `order[i]` of the operand.
    pub fn order(self) -> Vec<usize> {
        let order = self.op.attr("order").and_then(|order| order.as_ints()).unwrap_or_default();
        order.into_iter().map(|dim| dim as usize).collect()
    }
}

impl DotOp<'_> {
    /// How f32 operands are multiplied.
    pub fn input_precision(self) -> InputPrecision {
        self.op.int_attr("inputPrecision").and_then(InputPrecision::from_number).unwrap_or(InputPrecision::Ieee)
    }

    /// Products of fp8 operands that may be summed with low precision.
    pub fn max_num_imprecise_acc(self) -> i64 {
        self.op.required_int("maxNumImpreciseAcc")
    }
}

impl FpToFpOp<'_> {
    /// How to round when narrowing.
    pub fn rounding(self) -> Option<RoundingMode> {
        self.op.int_attr("rounding").and_then(RoundingMode::from_number)
    }
}

impl GatherOp<'_> {
    /// The gathered dimension.
    pub fn axis(self) -> usize {
        self.op.required_int("axis") as usize
    }
}

impl<'c> InlineAsmOp<'c> {
    /// The PTX text.
    pub fn asm(self) -> &'c str {
        self.op.str_attr("asm_string").unwrap_or_default()
    }

    /// LLVM's constraints.
    pub fn constraints(self) -> &'c str {
        self.op.str_attr("constraints").unwrap_or_default()
    }

    /// It has no side effects.
    pub fn pure_asm(self) -> bool {
        self.op.int_attr("pure") == Some(1)
    }

    /// Elements given to each instance.
    pub fn packed_element(self) -> i64 {
        self.op.required_int("packed_element")
    }
}
