//! Pieces of ttg text: kernels on one block of rank 2 in layout `#a`, whose row-major offsets are `%o`.

use crate::assembler::assemble;
use crate::harness::{Kernel, module};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The shape and layout of a block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) shape: [usize; 2],
    pub(crate) layout: String,
    pub(crate) warps: u32,
    /// Before the names of its offsets, when a kernel has several blocks.
    pub(crate) prefix: &'static str,
}

impl Block {
    /// A random layout and shape of at most `2^most` elements.
    pub(crate) fn random(rng: &mut ChaCha8Rng, most: u32) -> Self {
        let warps = 1 << rng.random_range(0..4);
        let rows = rng.random_range(0..=most);
        let shape = [1 << rows, 1 << rng.random_range(0..=most - rows)];
        Self { shape, layout: crate::harness::random_blocked(rng, warps), warps, prefix: "" }
    }

    /// One row of `count` elements, each thread with `run` neighbours.
    pub(crate) fn row(count: usize, run: usize, warps: u32) -> Self {
        let layout = format!(
            "#ttg.blocked<{{sizePerThread = [1, {run}], threadsPerWarp = [1, 32], warpsPerCTA = [1, {warps}], order = [1, 0]}}>"
        );
        Self { shape: [1, count], layout, warps, prefix: "" }
    }

    pub(crate) fn count(&self) -> usize {
        self.shape[0] * self.shape[1]
    }

    /// `tensor<MxNxTY, #a>`.
    pub(crate) fn tensor(&self, ty: &str) -> String {
        format!("tensor<{}x{}x{ty}, #a>", self.shape[0], self.shape[1])
    }

    /// Makes `%name`, pointers to elements `%offsets` of `%base`.
    pub(crate) fn pointers(&self, name: &str, base: &str, offsets: &str, ty: &str) -> String {
        let (pointers, indices) = (self.tensor(&format!("!tt.ptr<{ty}>")), self.tensor("i32"));
        format!(
            "%{name}_b = tt.splat %{base} : !tt.ptr<{ty}> -> {pointers}
             %{name} = tt.addptr %{name}_b, %{offsets} : {pointers}, {indices}\n"
        )
    }

    /// Makes `%name`, the block at `%base`.
    pub(crate) fn load(&self, name: &str, base: &str, ty: &str) -> String {
        let pointers = self.pointers(&format!("{name}_p"), base, &format!("{}o", self.prefix), ty);
        format!("{pointers} %{name} = tt.load %{name}_p : {}\n", self.tensor(&format!("!tt.ptr<{ty}>")))
    }

    /// Stores `%name` at `%base`.
    pub(crate) fn store(&self, name: &str, base: &str, ty: &str) -> String {
        let pointers = self.pointers(&format!("{base}_{name}_q"), base, &format!("{}o", self.prefix), ty);
        format!("{pointers} tt.store %{base}_{name}_q, %{name} : {}\n", self.tensor(&format!("!tt.ptr<{ty}>")))
    }

    /// The text of a kernel with these parameters (names and types) and this body.
    pub(crate) fn text(&self, parameters: &[(&str, &str)], body: &str) -> String {
        let parameters: Vec<String> = parameters
            .iter()
            .map(|(name, ty)| {
                let promise = if ty.starts_with('!') { " {tt.divisibility = 16 : i32}" } else { "" };
                format!("%{name}: {ty}{promise}")
            })
            .collect();
        let function =
            format!("tt.func public @k({}) {{\n{}{body}\ntt.return\n}}", parameters.join(", "), self.offsets());
        module(&format!("#a = {}", self.layout), self.warps, &function)
    }

    /// Kernels for sm_90a and sm_80, seen by `ptxas` too.
    pub(crate) fn kernels(&self, parameters: &[(&str, &str)], body: &str) -> [Kernel; 2] {
        let text = self.text(parameters, body);
        ["sm_90a", "sm_80"].map(|target| {
            let kernel = Kernel::for_target(&text, target);
            assemble(&kernel.generated.image.ptx, target);
            kernel
        })
    }

    /// Makes the row-major offsets `%o`.
    pub(crate) fn offsets(&self) -> String {
        let ([m, n], p) = (self.shape, self.prefix);
        format!(
            "%{p}i = tt.make_range {{end = {m} : i32, start = 0 : i32}} : tensor<{m}xi32, #ttg.slice<{{dim = 1, parent = #a}}>>
             %{p}j = tt.make_range {{end = {n} : i32, start = 0 : i32}} : tensor<{n}xi32, #ttg.slice<{{dim = 0, parent = #a}}>>
             %{p}i2 = tt.expand_dims %{p}i {{axis = 1 : i32}} : tensor<{m}xi32, #ttg.slice<{{dim = 1, parent = #a}}>> -> tensor<{m}x1xi32, #a>
             %{p}j2 = tt.expand_dims %{p}j {{axis = 0 : i32}} : tensor<{n}xi32, #ttg.slice<{{dim = 0, parent = #a}}>> -> tensor<1x{n}xi32, #a>
             %{p}w = arith.constant dense<{n}> : tensor<{m}x1xi32, #a>
             %{p}r0 = arith.muli %{p}i2, %{p}w : tensor<{m}x1xi32, #a>
             %{p}rows = tt.broadcast %{p}r0 : tensor<{m}x1xi32, #a> -> tensor<{m}x{n}xi32, #a>
             %{p}columns = tt.broadcast %{p}j2 : tensor<1x{n}xi32, #a> -> tensor<{m}x{n}xi32, #a>
             %{p}o = arith.addi %{p}rows, %{p}columns : tensor<{m}x{n}xi32, #a>\n"
        )
    }
}
