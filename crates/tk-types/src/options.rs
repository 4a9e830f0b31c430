//! Options of one compilation, as launches and `triton.Config` give them.

/// How to compile a kernel. The defaults are Triton's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompileOptions {
    /// Warps per CTA: a power of two, 1 to 32.
    pub num_warps: u32,
    /// Buffers of a software pipeline.
    pub num_stages: u32,
    /// CTAs per cluster.
    pub num_ctas: u32,
    /// Upper bound of registers per thread, for ptxas.
    pub maxnreg: Option<u32>,
    /// Contract `x * y + z` to a fused multiply-add.
    pub fp_fusion: bool,
    /// Compile `device_assert` and overflow checks.
    pub debug: bool,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self { num_warps: 4, num_stages: 3, num_ctas: 1, maxnreg: None, fp_fusion: true, debug: false }
    }
}
