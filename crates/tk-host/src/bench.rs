//! The result of a benchmark: one row per x, one column per line.

use std::fmt::Write;

/// What one benchmark function gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BenchOutcome {
    /// The number it returned, or the numbers of a list or tuple.
    pub figures: Vec<f64>,
    /// The tables of its `perf_report`s.
    pub tables: Vec<BenchTable>,
}

/// What one `triton.testing.Benchmark` measured.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchTable {
    /// `plot_name`.
    pub name: String,
    /// The names of the x arguments.
    pub x_names: Vec<String>,
    /// The x arguments of each row, as text.
    pub x_values: Vec<Vec<String>>,
    /// The measured columns.
    pub lines: Vec<BenchLine>,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchLine {
    /// `line_names`.
    pub name: String,
    /// One value per row, in the unit that the benchmark returns.
    pub values: Vec<f64>,
}

impl BenchTable {
    /// The table as text with aligned columns.
    pub fn to_text(&self) -> String {
        let heads = self.x_names.iter().chain(self.lines.iter().map(|line| &line.name)).cloned();
        let mut rows: Vec<Vec<String>> = vec![heads.collect()];
        for (i, xs) in self.x_values.iter().enumerate() {
            let values = self.lines.iter().map(|line| line.values.get(i).map_or(String::new(), |v| format!("{v:.6}")));
            rows.push(xs.iter().cloned().chain(values).collect());
        }
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width =
            |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut out = format!("{}:\n", self.name);
        for row in &rows {
            for (cell, width) in row.iter().zip(&widths) {
                let _ = write!(out, "  {cell:>width$}");
            }
            out.push('\n');
        }
        out
    }
}
