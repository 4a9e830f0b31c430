//! What a kernel prints, up to a limit.

/// Most lines of a worker.
const MOST_LINES: usize = 10_000;
/// Most bytes of a worker, as many as CUDA keeps for `printf`.
const MOST_BYTES: usize = 1 << 20;

/// Lines of `vprintf`, with the cluster that printed them.
#[derive(Default)]
pub(crate) struct Printed {
    lines: Vec<(u64, String)>,
    bytes: usize,
}

impl Printed {
    /// Nothing more is kept.
    pub(crate) fn is_full(&self) -> bool {
        self.lines.len() >= MOST_LINES || self.bytes >= MOST_BYTES
    }

    /// Keeps a line.
    pub(crate) fn add(&mut self, cluster: u64, line: String) {
        self.bytes += line.len();
        self.lines.push((cluster, line));
    }

    pub(crate) fn merge(&mut self, other: Printed) {
        self.bytes += other.bytes;
        self.lines.extend(other.lines);
    }

    /// The lines in the order of clusters, and where some may be missing a last one that says so.
    pub(crate) fn into_lines(mut self) -> Vec<String> {
        let is_full = self.is_full();
        self.lines.sort_by_key(|line| line.0);
        let end = is_full.then(|| "(the kernel prints more than is kept)".to_string());
        self.lines.into_iter().map(|line| line.1).chain(end).collect()
    }
}
