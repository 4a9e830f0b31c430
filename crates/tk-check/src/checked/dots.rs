//! How many dots a kernel has, which decides what else it is compiled for.

use super::{Block, Function, Kernel, OpKind};

impl Kernel {
    /// Its dots, those of a function once for each call. Of a loop that was not unrolled they count once.
    pub fn dots(&self) -> u64 {
        let mut known = vec![None; self.functions.len()];
        self.body.dots(&self.functions, &mut known)
    }
}

impl Block {
    /// The dots of a block; `known` has those of the functions that were counted.
    fn dots(&self, functions: &[Function], known: &mut [Option<u64>]) -> u64 {
        let mut count = 0u64;
        for op in &self.ops {
            if matches!(op.kind, OpKind::Dot { .. }) {
                count = count.saturating_add(1);
            }
            if let OpKind::Call { function } = op.kind {
                count = count.saturating_add(called_dots(function as usize, functions, known));
            }
            for block in &op.blocks {
                count = count.saturating_add(block.dots(functions, known));
            }
        }
        count
    }
}

/// The dots of a function that is called.
fn called_dots(function: usize, functions: &[Function], known: &mut [Option<u64>]) -> u64 {
    if let Some(count) = known[function] {
        return count;
    }
    let count = functions[function].body.dots(functions, known);
    known[function] = Some(count);
    count
}
