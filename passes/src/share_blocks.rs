//! Runs programs one after the other that read the same large blocks.
//!
//! ```text
//! for k in range(0, inputs, K):                                                     programs along x, then along y
//!     w = load(weights + (program_id(0) * N + rows) * inputs + k + columns)         each program has N rows of the weights
//!     sum += w * load(x + program_id(1) * inputs + k + columns)                     and one row of x
//! ```
//!
//! Programs along x read all weights before the next number along y begins with them again: what the caches have no room for is read from memory once for each
//! row of x. With the numbers along y first, programs that read the same weights run at the same time, and what is read again by each number along x is x, which
//! is smaller. How large both are is known at run time only: programs are renumbered ([`crate::program_order`]) where there are several along y, and all blocks of
//! the programs along x together are larger than all of those along y.
//!
//! True for kernels without products whose programs are independent (`are_independent` of `longest-programs-first`) and too many to run at once, whose loads in
//! their innermost loops are mostly of blocks that depend on the program's number along x, and not on that along y. Products have orders that their authors chose.
//! These are larger than what depends on y ([`LARGER`]). Blocks that depend on both are read once in any order, and so is what is written: the rule is for
//! kernels that have less of these than of shared blocks ([`SHARED_PART`]).
//!
//! What it saves: [measurements](../../docs/measurements.md#programs-that-read-the-same-blocks-run-one-after-the-other).
//!
//! 1. Bytes that loads of the innermost loops read, by the axes of the grid that their addresses depend on ([`Read`]).  2. Programs get other numbers.

use crate::analysis::axis_flow::unit_of;
use crate::analysis::sources::Sources;
use crate::analysis::strides::stride_along;
use crate::analysis::{AxisFacts, axis_info};
use crate::longest_programs_first::are_independent;
use crate::operations::control::is_loop;
use crate::operations::is_dot;
use crate::operations::memory::{Access, GlobalMemory, global_memory};
use crate::program_order::{has_all_ids, renumber};
use crate::{Pass, PassContext};
use tk_diag::Result;
use tk_ir::ops::CmpI;
use tk_ir::{Builder, Module, Op, OpKind, Value};
use tk_types::Residency;

/// The pass.
pub const PASS: Pass =
    Pass { name: "share-blocks", summary: "run programs one after the other that read the same large blocks", run };

/// Shared blocks have at least so many times the bytes of those that each program has for itself.
const SHARED_PART: u64 = 4;

/// Blocks of programs along x have at least so many times the bytes of those along y. With blocks of one size a program reads as much of both, and the caches of
/// the multiprocessors, which have what programs along x share, decide: that was not measured.
const LARGER: u64 = 2;

fn run(module: &Module<'_>, cx: &PassContext) -> Result<()> {
    let ops: Vec<_> = module.functions().into_iter().flat_map(|function| function.descendants()).collect();
    if cx.options.residency != Residency::Many || !are_independent(&ops, &cx.options) {
        return Ok(());
    }
    for function in module.functions() {
        // Functions that are called see the same numbers.
        if let Some(read) = Read::of(function).filter(|read| read.is_mostly_shared() && has_all_ids(function, &ops)) {
            renumber(function, 1, |builder, programs| read.is_worth(builder, programs));
        }
    }
    Ok(())
}

/// Bytes of an iteration of the innermost loops, by the axes of the grid along which programs read others.
#[derive(Clone, Copy, Default)]
struct Read {
    /// Along x alone.
    along_x: u64,
    /// Along y alone.
    along_y: u64,
    /// Along both, and what is written.
    along_both: u64,
}

impl Read {
    /// `None` where there is no loop, or something else is in it than loads and stores through pointers that are known.
    fn of(function: Op<'_>) -> Option<Self> {
        let ops = function.descendants();
        if ops.iter().any(|op| is_dot(*op)) {
            return None;
        }
        let accesses: Vec<_> = ops.into_iter().filter(|op| global_memory(op.kind()) != GlobalMemory::None).collect();
        let deepest = accesses.iter().map(|op| loops_around(*op)).max().filter(|loops| *loops > 0)?;
        let facts = axis_info(function);
        let mut read = Self::default();
        for op in accesses.into_iter().filter(|op| loops_around(*op) == deepest) {
            read.add(op, &facts)?;
        }
        Some(read)
    }

    fn add(&mut self, op: Op<'_>, facts: &AxisFacts) -> Option<()> {
        let GlobalMemory::Pointers(access) = global_memory(op.kind()) else { return None };
        let pointer = op.operand(0);
        let bytes = bytes_of(pointer, facts);
        let axes = Sources::of(pointer)?.axes;
        let place = match (access, axes.contains(&0), axes.contains(&1)) {
            (Access::Read, true, false) => &mut self.along_x,
            (Access::Read, false, true) => &mut self.along_y,
            (Access::Read, true, true) | (Access::Write, _, _) => &mut self.along_both,
            (Access::Read, false, false) => return Some(()),
            (Access::Combine | Access::Synchronize, _, _) => return None,
        };
        *place = place.saturating_add(bytes);
        Some(())
    }

    /// Programs along y read most of what they read together, as far as the blocks of one program say.
    fn is_mostly_shared(&self) -> bool {
        self.along_y > 0
            && self.along_x >= LARGER.saturating_mul(self.along_y)
            && self.along_x >= SHARED_PART.saturating_mul(self.along_both)
    }

    /// Whether several programs share a block, and all blocks of the programs along x are larger than those along y: at most 2^31 programs, with less than 2^31
    /// bytes each.
    fn is_worth<'c>(&self, builder: &mut Builder<'c>, programs: &[Value<'c>]) -> Option<Value<'c>> {
        let [along_x, along_y] = programs[..] else { return None };
        let wide = builder.context().i(64);
        let mut all = |programs: Value<'c>, bytes: u64| {
            let bytes = builder.int(wide, i64::from(i32::try_from(bytes).unwrap_or(i32::MAX)));
            let programs = builder.cast(OpKind::ArithExtUI, programs, wide);
            builder.binary(OpKind::ArithMulI, programs, bytes)
        };
        let (first, second) = (all(along_x, self.along_x), all(along_y, self.along_y));
        let is_larger = builder.cmpi(CmpI::Ugt, first, second);
        let one = builder.i32(1);
        let is_shared = builder.cmpi(CmpI::Ugt, along_y, one);
        Some(builder.binary(OpKind::ArithAndI, is_larger, is_shared))
    }
}

fn loops_around(op: Op<'_>) -> usize {
    op.ancestors().skip(1).filter(|around| is_loop(*around)).count()
}

/// Bytes that a program reads at these pointers, as far as elements are known to be the same.
fn bytes_of(pointer: Value<'_>, facts: &AxisFacts) -> u64 {
    let shape = if pointer.ty().is_tensor() { pointer.ty().shape() } else { Vec::new() };
    let sizes = shape.into_iter().enumerate().filter(|(axis, _)| stride_along(pointer, *axis, facts) != Some(0));
    sizes.fold(unit_of(pointer.ty()), |bytes, (_, size)| bytes.saturating_mul(size.unsigned_abs()))
}
