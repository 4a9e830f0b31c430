//! Pictures of layouts as SVG: which thread holds which element, colored by warp and lane.
//!
//! Neighbours in a row that one thread holds are one rectangle, so a picture shows at a glance how many elements a thread has in
//! a run. Shared layouts are colored by the bank that each element lies in.

use crate::{Dim, Encoding, LinearLayout};
use std::fmt::Write;

/// Rows and columns drawn at most.
const MOST: u32 = 64;
/// Width and height of one element.
const CELL: u32 = 12;
/// Room for numbers at the edges.
const MARGIN: u32 = 34;
/// Banks of shared memory, and bytes of each.
const BANKS: u32 = 32;

/// Who holds an element, or where it lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Thread { warp: u32, lane: u32 },
    Bank(u32),
}

impl Owner {
    fn color(self) -> String {
        match self {
            // Warps differ in hue, lanes in lightness.
            Owner::Thread { warp, lane } => {
                format!("hsl({}, 60%, {}%)", warp * 137 % 360, 45 + lane * 40 / 32)
            }
            Owner::Bank(bank) => format!("hsl({}, 65%, 60%)", bank * 360 / BANKS),
        }
    }

    fn label(self) -> String {
        match self {
            Owner::Thread { warp, lane } => format!("{}", warp * 32 + lane),
            Owner::Bank(bank) => format!("{bank}"),
        }
    }

    fn title(self) -> String {
        match self {
            Owner::Thread { warp, lane } => format!("thread {} (warp {warp}, lane {lane})", warp * 32 + lane),
            Owner::Bank(bank) => format!("bank {bank}"),
        }
    }
}

/// Draws the last two axes of a tensor under a layout, at most 64 rows and columns. `element_bits` is used for banks.
///
/// # Errors
/// The layout does not fit the shape.
pub fn draw_svg(encoding: &Encoding, shape: &[i64], element_bits: u32) -> Result<String, String> {
    let layout = encoding.to_linear(shape)?;
    let inverse = layout.pseudo_invert()?;
    let dims: Vec<Dim> = layout.out_dims().collect();
    let (column_dim, row_dim) = (dims.last().copied(), dims.len().checked_sub(2).map(|at| dims[at]));
    let size = |dim: Option<Dim>| dim.map_or(1, |dim| layout.out_size(dim));
    let (rows, columns) = (size(row_dim).min(MOST), size(column_dim).min(MOST));
    let owner = |row: u32, column: u32| {
        let mut place: Vec<(Dim, u32)> = row_dim.map(|dim| (dim, row)).into_iter().collect();
        place.extend(column_dim.map(|dim| (dim, column)));
        let at = inverse.apply(&place);
        let of = |dim: Dim| at.iter().find(|(name, _)| *name == dim).map_or(0, |(_, at)| *at);
        match encoding {
            Encoding::PaddedShared(padded) => Owner::Bank(bank(padded.pad(of(Dim::Offset)), element_bits)),
            _ if !encoding.is_distributed() => Owner::Bank(bank(of(Dim::Offset), element_bits)),
            _ => Owner::Thread { warp: of(Dim::Warp), lane: of(Dim::Lane) },
        }
    };
    Ok(picture(rows, columns, &owner, &layout))
}

fn bank(offset: u32, element_bits: u32) -> u32 {
    (u64::from(offset) * u64::from(element_bits.max(1)) / 32 % u64::from(BANKS)) as u32
}

fn picture(rows: u32, columns: u32, owner: &dyn Fn(u32, u32) -> Owner, layout: &LinearLayout) -> String {
    let (width, height) = (MARGIN + columns * CELL + 2, MARGIN + rows * CELL + 2);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"8\">\n"
    );
    for row in 0..rows {
        if row % 8 == 0 {
            let _ = writeln!(svg, "<text x=\"4\" y=\"{}\">{row}</text>", MARGIN + row * CELL + 9);
        }
        let mut column = 0;
        while column < columns {
            let here = owner(row, column);
            let run = (column..columns).take_while(|next| owner(row, *next) == here).count() as u32;
            let (x, y) = (MARGIN + column * CELL, MARGIN + row * CELL);
            let _ = write!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{CELL}\" fill=\"{}\" stroke=\"#fff\" stroke-width=\"0.6\"><title>{} from ({row}, {column})</title></rect>",
                run * CELL,
                here.color(),
                here.title()
            );
            let label = here.label();
            if run * CELL >= 5 * label.len() as u32 + 2 {
                let _ = write!(svg, "<text x=\"{}\" y=\"{}\">{label}</text>", x + 2, y + 9);
            }
            svg.push('\n');
            column += run;
        }
    }
    for column in (0..columns).step_by(8) {
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{column}</text>", MARGIN + column * CELL, MARGIN - 6);
    }
    let whole: Vec<u32> = layout.out_dims().map(|dim| layout.out_size(dim)).collect();
    if whole.iter().any(|size| *size > MOST) {
        let _ = writeln!(svg, "<text x=\"4\" y=\"10\">the first {rows} rows and {columns} columns</text>");
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_thread_are_one_rectangle() {
        let text =
            "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>";
        let encoding = Encoding::parse(text).unwrap();
        let svg = draw_svg(&encoding, &[8, 16], 16).unwrap();
        assert_eq!(svg.matches("<rect").count(), 32);
        assert!(svg.contains("thread 31 (warp 0, lane 31) from (7, 12)"), "{svg}");
        assert!(draw_svg(&encoding, &[512, 512], 16).unwrap().contains("the first 64 rows and 64 columns"));
    }
}
