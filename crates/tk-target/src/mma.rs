//! Shapes of `mma.sync` per operand type.

use crate::Target;

/// Type of the two operands of a matrix instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MmaOperand {
    /// IEEE half; accumulates in f32 or f16.
    F16,
    /// bfloat16; accumulates in f32.
    Bf16,
    /// f32 rounded to 10 bits of mantissa; accumulates in f32.
    Tf32,
    /// Double; accumulates in f64.
    F64,
    /// 8-bit integer; accumulates in i32.
    I8,
    /// 8-bit float (e4m3, e5m2); accumulates in f32.
    F8,
}

/// Rows, columns and depth of one `mma.sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaShape {
    /// Rows of the left operand and of the result.
    pub m: u32,
    /// Columns of the right operand and of the result.
    pub n: u32,
    /// Elements summed.
    pub k: u32,
}

impl MmaOperand {
    /// Bits of one operand element as it lies in registers and memory.
    pub fn bits(self) -> u32 {
        match self {
            MmaOperand::F16 | MmaOperand::Bf16 => 16,
            MmaOperand::Tf32 => 32,
            MmaOperand::F64 => 64,
            MmaOperand::I8 | MmaOperand::F8 => 8,
        }
    }
}

impl Target {
    /// The largest `mma.sync` shape for `operand`; `None` when the target has none.
    pub fn mma_shape(&self, operand: MmaOperand) -> Option<MmaShape> {
        match operand {
            MmaOperand::F64 => (self.sm >= 80).then_some(MmaShape { m: 8, n: 8, k: 4 }),
            MmaOperand::F8 => (self.sm >= 89).then_some(MmaShape { m: 16, n: 8, k: 32 }),
            other => (self.sm >= 80).then_some(MmaShape { m: 16, n: 8, k: 256 / other.bits() }),
        }
    }

    /// Depth of one `wgmma` for `operand`; `None` without `wgmma` or for a type that it does not take.
    pub fn wgmma_k(&self, operand: MmaOperand) -> Option<u32> {
        (self.has_wgmma() && operand != MmaOperand::F64).then(|| 256 / operand.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instruction_takes_256_bits_of_depth() {
        for target in Target::all() {
            assert_eq!(target.mma_shape(MmaOperand::F16), Some(MmaShape { m: 16, n: 8, k: 16 }));
            assert_eq!(target.mma_shape(MmaOperand::Tf32), Some(MmaShape { m: 16, n: 8, k: 8 }));
            assert_eq!(target.mma_shape(MmaOperand::I8), Some(MmaShape { m: 16, n: 8, k: 32 }));
            assert_eq!(target.mma_shape(MmaOperand::F8).is_some(), target.sm >= 89);
            assert_eq!(target.wgmma_k(MmaOperand::Bf16).is_some(), target.to_string() == "sm_90a");
        }
    }
}
