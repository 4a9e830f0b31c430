//! Options of one compilation, as launches and `triton.Config` give them.

use std::sync::Arc;

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
    /// What the compiled kernel checks while it runs.
    pub sanitize: Sanitize,
    /// How wide the arithmetic of addresses is.
    pub index_width: IndexWidth,
    /// The bitcode file that the functions of libdevice come from; without one they are tk's own.
    pub libdevice: Option<Arc<str>>,
    /// Each product by `wgmma` is waited for where it is issued. Set where ptxas would make them wait anyway, and badly.
    pub products_wait: bool,
}

/// Checks that a kernel makes while it runs; a launch reports the first thing they find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sanitize {
    /// 32-bit arithmetic that feeds an address does not wrap around.
    pub overflow: bool,
    /// Every access lies in the memory of the pointer argument it comes from.
    pub bounds: bool,
}

impl Sanitize {
    /// Whether anything is checked.
    pub fn is_on(self) -> bool {
        self.overflow || self.bounds
    }
}

/// The width of integers that feed an address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IndexWidth {
    /// As the program has it: 32 bits unless it casts.
    #[default]
    Written,
    /// 64 bits for the expressions whose range may pass 32 bits.
    Auto,
    /// 64 bits for every sum and product.
    Wide,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            num_warps: 4,
            num_stages: 3,
            num_ctas: 1,
            maxnreg: None,
            fp_fusion: true,
            debug: false,
            sanitize: Sanitize::default(),
            index_width: IndexWidth::default(),
            libdevice: None,
            products_wait: false,
        }
    }
}
