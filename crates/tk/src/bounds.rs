//! Ranges of arguments and of the grid, as command lines and lists of kernels write them.

use tk_driver::{Bounds, Interval};

/// Adds ranges to `base`, which holds for everything that they do not name: `n=1..65536`, `grid=4096`, `grid.1=8`, several of them also in
/// one text with commas.
///
/// # Errors
/// A sentence that begins with the text that is wrong.
pub fn read_bounds(texts: &[String], mut base: Bounds) -> Result<Bounds, String> {
    for text in texts.iter().flat_map(|text| text.split(',')) {
        let wrong = || format!("{text}: write NAME=VALUE or NAME=LOW..HIGH, with integers");
        let (name, range) = text.split_once('=').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().replace('_', "").parse::<i128>().ok();
        let range = match range.split_once("..") {
            Some((low, high)) => Some((number(low), number(high.trim_start_matches('=')))),
            None => Some((number(range), number(range))),
        };
        let Some((Some(low), Some(high))) = range else { return Err(wrong()) };
        if low > high {
            return Err(format!("{text}: {low} is greater than {high}"));
        }
        let range = Interval::new(low, high);
        match name.trim() {
            "grid" | "grid.0" => base.grid[0] = range,
            "grid.1" => base.grid[1] = range,
            "grid.2" => base.grid[2] = range,
            name => base.args.push((name.to_string(), range)),
        }
        base.source = "as `--bound` says";
    }
    Ok(base)
}
