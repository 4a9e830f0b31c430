//! Linear algebra over F2 on vectors of at most 64 bits: a vector is a `u64`, addition is exclusive or.
//!
//! [`Span`] is a basis kept in echelon form by incremental elimination. It remembers how each kept vector was made from the
//! inserted ones, so it also solves linear systems.

/// A subspace of F2^64 together with the combination of inserted vectors that makes each of its rows.
#[derive(Clone, Debug, Default)]
pub struct Span {
    /// Rows `(vector, combination)`; no two rows share their highest bit, and rows are kept by descending highest bit.
    rows: Vec<(u64, u128)>,
    inserted: u32,
}

impl Span {
    /// The span of `vectors`, inserted in order.
    pub fn of(vectors: impl IntoIterator<Item = u64>) -> Self {
        let mut span = Self::default();
        for vector in vectors {
            span.insert(vector);
        }
        span
    }

    /// Adds the next vector; true when it was independent of the earlier ones. At most 128 vectors can be told apart in solutions.
    pub fn insert(&mut self, vector: u64) -> bool {
        let own = 1u128.checked_shl(self.inserted).unwrap_or(0);
        self.inserted += 1;
        let (rest, combination) = self.reduce(vector);
        if rest == 0 {
            return false;
        }
        let at = self.rows.partition_point(|(row, _)| *row > rest);
        self.rows.insert(at, (rest, combination ^ own));
        true
    }

    /// What is left of `vector` after elimination, and the combination of inserted vectors that was subtracted.
    fn reduce(&self, vector: u64) -> (u64, u128) {
        let (mut rest, mut combination) = (vector, 0);
        for (row, made_of) in &self.rows {
            if rest & (1 << (63 - row.leading_zeros())) != 0 {
                rest ^= row;
                combination ^= made_of;
            }
        }
        (rest, combination)
    }

    /// Whether `vector` is a sum of inserted vectors.
    pub fn contains(&self, vector: u64) -> bool {
        self.reduce(vector).0 == 0
    }

    /// The inserted vectors (bit i = i-th inserted) whose sum is `vector`. Vectors that were dependent when inserted are never used.
    pub fn solve(&self, vector: u64) -> Option<u128> {
        let (rest, combination) = self.reduce(vector);
        (rest == 0).then_some(combination)
    }

    /// Dimension of the subspace.
    pub fn rank(&self) -> usize {
        self.rows.len()
    }
}

/// Basis of the intersection of the spans of `a` and `b`.
pub fn intersection(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut all = Span::of(a.iter().copied());
    let mut common = Vec::new();
    let mut kept = Span::default();
    for &vector in b {
        let before = all.clone();
        if all.insert(vector) {
            continue;
        }
        // The vector is a sum of vectors of `a` and earlier ones of `b`; its part in `a` lies in both spans.
        let combination = before.solve(vector).unwrap_or(0);
        let part =
            a.iter().enumerate().filter(|(i, _)| *i < 128 && combination >> i & 1 == 1).fold(0, |sum, (_, v)| sum ^ v);
        if kept.insert(part) {
            common.push(part);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all_sums(vectors: &[u64]) -> std::collections::BTreeSet<u64> {
        (0u64..1 << vectors.len())
            .map(|mask| vectors.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).fold(0, |sum, (_, v)| sum ^ v))
            .collect()
    }

    proptest! {
        #[test]
        fn span_agrees_with_enumeration(vectors in prop::collection::vec(0u64..64, 0..7), probe in 0u64..64) {
            let span = Span::of(vectors.iter().copied());
            let sums = all_sums(&vectors);
            prop_assert_eq!(1 << span.rank(), sums.len());
            prop_assert_eq!(span.contains(probe), sums.contains(&probe));
            if let Some(solution) = span.solve(probe) {
                let sum = vectors.iter().enumerate().filter(|(i, _)| solution >> i & 1 == 1).fold(0, |sum, (_, v)| sum ^ v);
                prop_assert_eq!(sum, probe);
            }
        }

        #[test]
        fn intersection_agrees_with_enumeration(a in prop::collection::vec(0u64..64, 0..6), b in prop::collection::vec(0u64..64, 0..6)) {
            let both: std::collections::BTreeSet<u64> = all_sums(&a).intersection(&all_sums(&b)).copied().collect();
            prop_assert_eq!(all_sums(&intersection(&a, &b)), both);
        }
    }
}
