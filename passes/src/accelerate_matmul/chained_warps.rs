//! How the warps of products that are computed from each other share their results.
//!
//! The second product of attention reads the first one's result. Whole rows (or columns) in a warp let it do so without other warps, and keep
//! reductions along rows in the warp. A tile of few rows has no rows for all warps: two of them would compute the same, at 32 rows and four
//! warps half of all work. Then all products of the chain get one distribution, the one with the least work and the least operands for
//! a warp, because results go from one to the next in registers only where both have the same.

use super::fed_by;
use rustc_hash::{FxHashMap, FxHashSet};
use tk_ir::Op;
use tk_ir::ops::DotOp;

/// Rows and columns of an `mma.sync`.
const ROWS: i64 = 16;
const COLUMNS: i64 = 8;

/// Warps along M and N of the products of each chain.
pub(super) struct ChainedWarps {
    num_warps: u32,
    /// By operation: what all products of its chain share.
    shared: FxHashMap<usize, [u32; 2]>,
}

impl ChainedWarps {
    /// Of the dots that become `mma.sync`.
    pub(super) fn of(dots: &[DotOp<'_>], num_warps: u32) -> Self {
        let mut shared = FxHashMap::default();
        for chain in chains(dots) {
            let products: Vec<Product> = chain.iter().filter_map(|dot| Product::of(*dot)).collect();
            if let Some(warps) = common(&products, num_warps) {
                shared.extend(chain.iter().map(|dot| (dot.op.id(), warps)));
            }
        }
        Self { num_warps, shared }
    }

    /// The warps of a product that is in a chain.
    pub(super) fn warps(&self, dot: DotOp<'_>) -> [u32; 2] {
        let own = || Product::of(dot).map_or([self.num_warps, 1], |product| product.lines(self.num_warps));
        self.shared.get(&dot.op.id()).copied().unwrap_or_else(own)
    }
}

/// The sizes of a product.
#[derive(Clone, Copy)]
struct Product {
    m: i64,
    n: i64,
    k: i64,
}

impl Product {
    /// `None` for batches of products.
    fn of(dot: DotOp<'_>) -> Option<Self> {
        let (result, left) = (dot.result().ty().shape(), dot.a().ty().shape());
        match (result.as_slice(), left.as_slice()) {
            ([m, n], [_, k]) => Some(Self { m: *m, n: *n, k: *k }),
            _ => None,
        }
    }

    /// Whole rows in each warp, or whole columns where there are more of them.
    fn lines(self, num_warps: u32) -> [u32; 2] {
        if self.m >= self.n { [num_warps, 1] } else { [1, num_warps] }
    }

    /// Several warps compute the same.
    fn repeats(self, warps: [u32; 2]) -> bool {
        self.m < ROWS * i64::from(warps[0]) || self.n < COLUMNS * i64::from(warps[1])
    }

    /// What a warp multiplies, and the elements of operands that it reads.
    fn work(self, warps: [u32; 2]) -> (i64, i64) {
        let part = |size: i64, least: i64, warps: u32| (size / i64::from(warps)).max(least);
        let (rows, columns) = (part(self.m, ROWS, warps[0]), part(self.n, COLUMNS, warps[1]));
        (rows * columns * self.k, (rows + columns) * self.k)
    }
}

/// What all products of a chain share, where they would not anyway or some would compute things twice: whole rows if all have enough.
fn common(products: &[Product], num_warps: u32) -> Option<[u32; 2]> {
    let lines: Vec<[u32; 2]> = products.iter().map(|product| product.lines(num_warps)).collect();
    let repeats = products.iter().zip(&lines).any(|(product, warps)| product.repeats(*warps));
    if !repeats && lines.windows(2).all(|pair| pair[0] == pair[1]) {
        return None;
    }
    let rows = [num_warps, 1];
    Some(if products.iter().any(|product| product.repeats(rows)) { best(products, num_warps) } else { rows })
}

/// The distribution with the least work for a warp, then with the least operands, then with the most warps along rows. Operands that a loop
/// reads from registers count like the others: leaving them out was faster for one kernel of attention and slower for two, which then had
/// more registers.
fn best(products: &[Product], num_warps: u32) -> [u32; 2] {
    let all = (0..=num_warps.max(1).ilog2()).map(|exponent| [num_warps >> exponent, 1 << exponent]);
    let cost = |warps: &[u32; 2]| {
        products
            .iter()
            .map(|product| product.work(*warps))
            .fold((0, 0), |(work, operands), (more, read)| (work + more, operands + read))
    };
    all.min_by_key(cost).unwrap_or([num_warps, 1])
}

/// The dots of which some are computed from others, within one iteration.
fn chains<'c>(dots: &[DotOp<'c>]) -> Vec<Vec<DotOp<'c>>> {
    let feeds: FxHashMap<usize, FxHashSet<usize>> =
        dots.iter().map(|dot| (dot.op.id(), fed_by(*dot).into_iter().map(Op::id).collect())).collect();
    let is_fed =
        |one: &DotOp<'c>, other: &DotOp<'c>| feeds.get(&one.op.id()).is_some_and(|fed| fed.contains(&other.op.id()));
    let mut chains: Vec<Vec<DotOp<'c>>> = Vec::new();
    for dot in dots {
        let is_linked = |chain: &Vec<DotOp<'c>>| chain.iter().any(|other| is_fed(dot, other) || is_fed(other, dot));
        let (linked, others): (Vec<_>, Vec<_>) = chains.into_iter().partition(is_linked);
        chains = others;
        chains.push(linked.into_iter().flatten().chain([*dot]).collect());
    }
    chains
}
