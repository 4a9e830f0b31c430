//! On which multiprocessor each CTA of a launch begins, and beside which half of L2 that lies.
//!
//! This is the order of one H100 (132 multiprocessors in eight clusters, `%smid` of CTAs and latencies of lines say where they are). Which
//! multiprocessors are out of use differs from GPU to GPU, and with it the sizes and sides of clusters.

/// A cluster of multiprocessors (GPC). Multiprocessors are numbered as the CTAs of a launch that fills the GPU come to them.
struct Group {
    first: usize,
    size: usize,
    side: usize,
}

/// Multiprocessors of the GPU that this is the order of.
const ALL: usize = 132;
/// So many CTAs come first, to one side: the part of the first cluster that has the lowest numbers here.
const EARLY: usize = 8;
/// Launches of so many CTAs at most are spread over the clusters. Where between 16 and 48 the limit lies was not measured.
const FEW: usize = 32;
/// The clusters, in the order in which a launch of few CTAs comes to them, without the multiprocessors of the first CTAs.
const GROUPS: [Group; 8] = [
    Group { first: 76, size: 8, side: 0 },
    Group { first: 84, size: 16, side: 1 },
    Group { first: 100, size: 16, side: 1 },
    Group { first: 116, size: 16, side: 1 },
    Group { first: 8, size: 16, side: 0 },
    Group { first: 24, size: 16, side: 0 },
    Group { first: 40, size: 18, side: 1 },
    Group { first: 58, size: 18, side: 0 },
];

/// The multiprocessors in the order in which so many CTAs come to them. Few are spread over the clusters, others fill one cluster after the
/// other.
pub(crate) fn order(multiprocessors: usize, ctas: usize) -> Vec<usize> {
    if multiprocessors != ALL || ctas > FEW {
        return (0..multiprocessors.max(1)).collect();
    }
    let most = GROUPS.iter().map(|group| group.size).max().unwrap_or(0);
    let spread = (0..most)
        .flat_map(|turn| GROUPS.iter().filter(move |group| turn < group.size).map(move |group| group.first + turn));
    (0..EARLY).chain(spread).collect()
}

/// The half of L2 beside a multiprocessor, of so many; fewer or more are on sides in the same proportions.
pub(crate) fn side_of(multiprocessor: usize, multiprocessors: usize) -> usize {
    let place = multiprocessor * ALL / multiprocessors.max(1);
    GROUPS.iter().find(|group| (group.first..group.first + group.size).contains(&place)).map_or(0, |group| group.side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_multiprocessor_comes_once() {
        for ctas in [1, 12, FEW, FEW + 1, 1000] {
            let mut all = order(ALL, ctas);
            all.sort_unstable();
            assert_eq!(all, (0..ALL).collect::<Vec<usize>>());
        }
        assert_eq!(order(9, 4), (0..9).collect::<Vec<usize>>());
    }

    #[test]
    fn half_of_the_multiprocessors_are_beside_each_half() {
        for multiprocessors in [ALL, 2 * ALL] {
            let beside = (0..multiprocessors).filter(|at| side_of(*at, multiprocessors) == 1).count();
            assert_eq!(2 * beside, multiprocessors);
        }
        // What latencies say of the CTAs of a small launch.
        let sides: Vec<usize> = order(ALL, 12)[..12].iter().map(|at| side_of(*at, ALL)).collect();
        assert_eq!(sides, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
    }
}
