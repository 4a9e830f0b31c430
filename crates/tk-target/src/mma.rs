//! Matrix instructions: which generation of tensor cores has which, and the shapes that tk emits.

use crate::{Features, Target};

/// Generations of tensor cores, by their instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TensorCores {
    /// `mma.sync` of f16, bf16, tf32, f64 and i8.
    Ampere,
    /// 8-bit floats too.
    Ada,
    /// `wgmma` beside `mma.sync`, and `mma.sync` of f64 with 16 rows. Sums of 8-bit floats keep few bits; `mma.sync` of 8-bit floats
    /// exists in PTX only, where ptxas converts the operands before every instruction.
    Hopper,
    /// `tcgen05`, which tk does not emit, beside `mma.sync`; no `wgmma`. `mma.sync` of 8-bit floats as on Hopper.
    Blackwell,
    /// `mma.sync` alone, of 8-bit floats too.
    BlackwellWorkstation,
}

/// Type of the two operands of an `mma.sync`.
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

impl std::fmt::Display for MmaShape {
    /// As PTX spells it: `m16n8k16`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { m, n, k } = self;
        write!(f, "m{m}n{n}k{k}")
    }
}

impl Target {
    /// The `mma.sync` shape that tk emits for `operand`; `None` when the tensor cores of the target multiply none by `mma.sync`.
    ///
    /// Source: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f64" and the tables behind it.
    pub fn mma_shape(&self, operand: MmaOperand) -> Option<MmaShape> {
        let of_depth = |k| MmaShape { m: 16, n: 8, k };
        match (operand, self.tensor_cores) {
            (MmaOperand::F8, TensorCores::Ampere | TensorCores::Hopper | TensorCores::Blackwell) => None,
            (MmaOperand::F64, TensorCores::Ampere | TensorCores::Ada) => Some(MmaShape { m: 8, n: 8, k: 4 }),
            (MmaOperand::F64 | MmaOperand::Tf32, _) => Some(of_depth(8)),
            (MmaOperand::F16 | MmaOperand::Bf16, _) => Some(of_depth(16)),
            (MmaOperand::I8 | MmaOperand::F8, _) => Some(of_depth(32)),
        }
    }

    /// `wgmma`: matrix instructions of four warps with operands in shared memory; an architecture-specific feature.
    pub fn has_wgmma(&self) -> bool {
        self.tensor_cores == TensorCores::Hopper && self.name.features == Features::ArchitectureSpecific
    }

    /// Whether tensor cores add up products of 8-bit floats with fewer bits than an f32 has.
    pub fn adds_fp8_imprecisely(&self) -> bool {
        self.tensor_cores == TensorCores::Hopper
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_the_shapes_of_its_tensor_cores() {
        let of_depth = |k| Some(MmaShape { m: 16, n: 8, k });
        for target in Target::all() {
            for operand in [MmaOperand::F16, MmaOperand::Bf16] {
                assert_eq!(target.mma_shape(operand), of_depth(16), "{target}");
            }
            assert_eq!(target.mma_shape(MmaOperand::Tf32), of_depth(8), "{target}");
            assert_eq!(target.mma_shape(MmaOperand::I8), of_depth(32), "{target}");
        }
    }

    /// Targets for which something is true.
    fn names(is: impl Fn(&Target) -> bool) -> Vec<String> {
        Target::all().iter().filter(|target| is(target)).map(Target::to_string).collect()
    }

    #[test]
    fn generations_differ_where_ptx_says_so() {
        let without_f8 = names(|target| target.mma_shape(MmaOperand::F8).is_none());
        for (name, is_without) in
            [("sm_80", true), ("sm_89", false), ("sm_90a", true), ("sm_100a", true), ("sm_120", false)]
        {
            assert_eq!(without_f8.iter().any(|other| other == name), is_without, "{name}");
        }
        let is_small = |target: &Target| target.mma_shape(MmaOperand::F64) == Some(MmaShape { m: 8, n: 8, k: 4 });
        assert_eq!(names(is_small), ["sm_80", "sm_86", "sm_87", "sm_89"]);
        assert_eq!(names(Target::has_wgmma), ["sm_90a"]);
        assert_eq!(names(Target::adds_fp8_imprecisely), ["sm_90", "sm_90a"]);
    }
}
