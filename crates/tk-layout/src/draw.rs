//! Text drawings of layouts for `tk layout`: a grid of elements that names their owners, and a paragraph in words.

use crate::{Dim, Encoding, LinearLayout, contiguous_per_thread};
use std::fmt::Write;

/// How many rows and columns of a tensor are drawn at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawLimits {
    /// Rows drawn.
    pub rows: u32,
    /// Columns drawn.
    pub columns: u32,
}

impl Default for DrawLimits {
    fn default() -> Self {
        Self { rows: 64, columns: 64 }
    }
}

/// [`draw_within`] the default limits.
pub fn draw(encoding: &Encoding, shape: &[i64]) -> Result<String, String> {
    draw_within(encoding, shape, DrawLimits::default())
}

/// Draws `encoding` over a tensor of `shape`: for distributed encodings who holds each element as `thread:register`, threads counted through the CTA,
/// with a mark for the warp; for shared encodings the offset of each element. The last two axes are drawn (others at 0), cut to `limits`.
pub fn draw_within(encoding: &Encoding, shape: &[i64], limits: DrawLimits) -> Result<String, String> {
    let layout = encoding.to_linear(shape)?;
    let mut text = describe_linear(encoding, &layout, shape);
    text.push_str("\n\n");
    grid(&mut text, encoding, &layout, limits)?;
    Ok(text)
}

/// One paragraph: how the tensor is dealt out, contiguity, and copies.
pub fn describe(encoding: &Encoding, shape: &[i64]) -> Result<String, String> {
    Ok(describe_linear(encoding, &encoding.to_linear(shape)?, shape))
}

fn plural(count: u32, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn describe_linear(encoding: &Encoding, layout: &LinearLayout, shape: &[i64]) -> String {
    let sizes: Vec<String> = shape.iter().map(i64::to_string).collect();
    let mut text = format!("A tensor of {} elements ", sizes.join("x"));
    if !encoding.is_distributed() {
        let _ = write!(
            text,
            "in shared memory, {} in a row in memory",
            plural(layout.num_consecutive_along_order(), "element")
        );
        if let Encoding::PaddedShared(padded) = encoding {
            let _ =
                write!(text, ", {} with padding", plural(padded.padded_size(layout.in_size(Dim::Offset)), "element"));
        }
        text.push('.');
        return text;
    }
    let [registers, lanes, warps] = [Dim::Register, Dim::Lane, Dim::Warp].map(|dim| layout.in_size(dim));
    let _ = write!(
        text,
        "over {} of {}; each thread has {}",
        plural(warps, "warp"),
        plural(lanes, "lane"),
        plural(registers, "register")
    );
    let runs: Vec<String> = contiguous_per_thread(layout).iter().map(u32::to_string).collect();
    let _ = write!(text, ", in runs of {} neighbours along the axes.", runs.join("x"));
    let copies: Vec<String> = layout
        .free_masks()
        .into_iter()
        .filter(|(_, mask)| *mask != 0)
        .map(|(dim, mask)| format!("{} along {dim}s", 1u32 << mask.count_ones()))
        .collect();
    if copies.is_empty() {
        text.push_str(" Every element is held once.");
    } else {
        let _ = write!(text, " Every element is held several times: {}.", copies.join(", "));
    }
    text
}

impl LinearLayout {
    /// Consecutive offsets that are neighbours along one axis.
    fn num_consecutive_along_order(&self) -> u32 {
        let columns = self.columns_of(Dim::Offset);
        let Some(first) = columns.first() else { return 1 };
        1 << columns.iter().enumerate().take_while(|(bit, column)| **column == first << bit).count().min(31)
    }
}

/// Marks of warps: text shading that survives copy and paste.
const SHADES: [&str; 8] = [" ", ".", ":", "+", "*", "%", "#", "@"];

fn grid(text: &mut String, encoding: &Encoding, layout: &LinearLayout, limits: DrawLimits) -> Result<(), String> {
    let inverse = layout.pseudo_invert()?;
    let dims: Vec<Dim> = layout.out_dims().collect();
    let size = |dim: Option<&Dim>| dim.map_or(1, |dim| layout.out_size(*dim));
    let (column_dim, row_dim) = (dims.last(), dims.len().checked_sub(2).map(|at| &dims[at]));
    let (all_rows, all_columns) = (size(row_dim), size(column_dim));
    let (rows, columns) = (all_rows.min(limits.rows), all_columns.min(limits.columns));
    let cell = |row: u32, column: u32| {
        let mut place: Vec<(Dim, u32)> = row_dim.map(|dim| (*dim, row)).into_iter().collect();
        place.extend(column_dim.map(|dim| (*dim, column)));
        let owner = inverse.apply(&place);
        let of = |dim: Dim| owner.iter().find(|(name, _)| *name == dim).map_or(0, |(_, at)| *at);
        match encoding {
            Encoding::PaddedShared(padded) => padded.pad(of(Dim::Offset)).to_string(),
            _ if !encoding.is_distributed() => of(Dim::Offset).to_string(),
            _ => {
                let thread = of(Dim::Warp) * layout.in_size(Dim::Lane) + of(Dim::Lane);
                format!("{}{thread}:{}", SHADES[of(Dim::Warp) as usize % SHADES.len()], of(Dim::Register))
            }
        }
    };
    let cells: Vec<Vec<String>> = (0..rows).map(|row| (0..columns).map(|column| cell(row, column)).collect()).collect();
    let width = cells.iter().flatten().map(String::len).max().unwrap_or(1).max(columns.to_string().len());
    let _ = write!(text, "{:>5} ", "");
    for column in 0..columns {
        let _ = write!(text, " {column:>width$}");
    }
    text.push('\n');
    for (row, cells) in cells.iter().enumerate() {
        let _ = write!(text, "{row:>5} ");
        cells.iter().for_each(|cell| _ = write!(text, " {cell:>width$}"));
        text.push('\n');
    }
    if rows < all_rows || columns < all_columns {
        let _ = writeln!(text, "(the first {rows} of {all_rows} rows and {columns} of {all_columns} columns)");
    }
    if encoding.is_distributed() {
        let warps = layout.in_size(Dim::Warp).min(SHADES.len() as u32);
        let marks: Vec<String> = (0..warps).map(|warp| format!("`{}` warp {warp}", SHADES[warp as usize])).collect();
        let _ = writeln!(text, "thread:register; marks: {}", marks.join(", "));
    } else {
        text.push_str("offset in elements\n");
    }
    Ok(())
}
