//! How the threads of a launch are arranged: warps in CTAs, CTAs in clusters, clusters in the grid.
//!
//! The simulator runs clusters; a launch without any has clusters of one CTA. Warps are numbered within their cluster, those of the CTA
//! of rank 0 first. An address of shared memory has the rank of its CTA in its upper bits: on an H200 the memory of CTA 1 begins at 0x1000400.

/// Where the rank of a CTA begins in an address of shared memory.
pub(crate) const RANK_SHIFT: u32 = 24;

/// Most CTAs of a cluster, which a kernel has to ask a GPU for beyond 8.
pub(crate) const MOST_CTAS: u32 = 16;

/// Most warps of a cluster: marks of accesses number them, and engines, in 8 bits.
pub(crate) const MOST_WARPS: u32 = 192;

/// The rank of the CTA in whose shared memory an address lies.
#[inline]
pub(crate) fn rank_of(address: u64) -> u32 {
    (address >> RANK_SHIFT) as u32 & 0xFF
}

/// The address at the same place in the shared memory of another CTA.
#[inline]
pub(crate) fn at_rank(address: u64, rank: u32) -> u64 {
    address & !(0xFF << RANK_SHIFT) | u64::from(rank) << RANK_SHIFT
}

/// The arrangement of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// CTAs of the grid by axis.
    pub(crate) grid: [u32; 3],
    /// CTAs of a cluster by axis.
    pub(crate) cluster: [u32; 3],
    pub(crate) threads_per_cta: u32,
    pub(crate) warps_per_cta: u32,
}

impl Geometry {
    /// A launch whose grid the clusters divide.
    pub(crate) fn new(grid: [u32; 3], cluster: [u32; 3], threads_per_cta: u32) -> Self {
        Self { grid, cluster, threads_per_cta, warps_per_cta: threads_per_cta.div_ceil(32) }
    }

    /// CTAs of a cluster.
    pub(crate) fn size(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Clusters of the grid by axis.
    pub(crate) fn clusters(&self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.grid[axis] / self.cluster[axis])
    }

    /// Clusters of the grid.
    pub(crate) fn count(&self) -> u64 {
        self.clusters().into_iter().map(u64::from).product()
    }

    /// The rank of the CTA that a warp of a cluster is in.
    pub(crate) fn rank(&self, warp: u32) -> u32 {
        warp / self.warps_per_cta
    }

    /// The number of a warp of a cluster in its CTA.
    pub(crate) fn in_cta(&self, warp: u32) -> u32 {
        warp % self.warps_per_cta
    }

    /// Where a cluster is among all, by axis.
    pub(crate) fn place(&self, cluster: u64) -> [u32; 3] {
        axes(cluster, self.clusters())
    }

    /// Where a CTA is within its cluster, by axis.
    pub(crate) fn within(&self, rank: u32) -> [u32; 3] {
        axes(u64::from(rank), self.cluster)
    }

    /// Coordinates of a CTA in the grid.
    pub(crate) fn cta(&self, cluster: u64, rank: u32) -> [u32; 3] {
        let (place, within) = (self.place(cluster), self.within(rank));
        [0, 1, 2].map(|axis| place[axis] * self.cluster[axis] + within[axis])
    }

    /// The same in words, `CTA (x, y, z)`.
    pub(crate) fn cta_in_words(&self, cluster: u64, rank: u32) -> String {
        let [x, y, z] = self.cta(cluster, rank);
        format!("CTA ({x}, {y}, {z})")
    }
}

fn axes(index: u64, [x, y, _]: [u32; 3]) -> [u32; 3] {
    let (x, y) = (u64::from(x), u64::from(y));
    [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every CTA of the grid is in one cluster, at one rank.
    #[test]
    fn clusters_cover_the_grid() {
        let geometry = Geometry::new([4, 6, 2], [2, 3, 1], 96);
        let mut ctas: Vec<[u32; 3]> = (0..geometry.count())
            .flat_map(|cluster| (0..geometry.size()).map(move |rank| geometry.cta(cluster, rank)))
            .collect();
        ctas.sort_unstable();
        ctas.dedup();
        assert_eq!(ctas.len(), 48);
        assert!(ctas.iter().all(|[x, y, z]| *x < 4 && *y < 6 && *z < 2));
        assert_eq!((geometry.rank(7), geometry.in_cta(7)), (2, 1));
    }

    #[test]
    fn addresses_have_ranks() {
        let remote = at_rank(0x400, 3);
        assert_eq!((rank_of(remote), rank_of(0x400), at_rank(remote, 0)), (3, 0, 0x400));
    }
}
