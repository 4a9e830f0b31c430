//! The layouts of a kernel's final IR: which there are, on which shapes and lines, and their pictures.

use super::facts::{Layout, Lines};
use std::collections::{BTreeMap, BTreeSet};
use tk_layout::{Encoding, describe, draw_svg};

/// Pictures of one kernel at most.
const MOST: usize = 12;

/// The layouts that the lines of a form name, each on the largest tensor that has it, in order of their names.
pub(super) fn pictures(form: &Lines) -> Vec<Layout> {
    let ir = &form.text.join("\n");
    let mut aliases: BTreeMap<&str, &str> = BTreeMap::new();
    for line in ir.lines().filter(|line| line.starts_with('#') && line.contains("= #ttg.")) {
        if let Some((name, text)) = line.split_once(" = ") {
            aliases.insert(name, text);
        }
    }
    let mut found = Vec::new();
    for (name, text) in &aliases {
        let Some((tensor, shape, bits)) = largest(ir, name) else { continue };
        let Ok(encoding) = Encoding::parse(&expanded(text, &aliases)) else { continue };
        let (Ok(words), Ok(svg)) = (describe(&encoding, &shape), draw_svg(&encoding, &shape, bits)) else { continue };
        let lines = lines_with(form, name);
        found.push(Layout { name: (*name).to_string(), text: (*text).to_string(), tensor, words, svg, lines });
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// The lines of the source whose values have the layout.
fn lines_with(form: &Lines, name: &str) -> Vec<u32> {
    let is_named = |text: &str| {
        text.match_indices(name)
            .any(|(at, _)| !text[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    let rows = form.text.iter().zip(&form.sources).filter(|(text, source)| **source > 0 && is_named(text));
    let lines: BTreeSet<u32> = rows.map(|(_, source)| *source).collect();
    lines.into_iter().collect()
}

/// A layout's text with the aliases in it written out.
fn expanded(text: &str, aliases: &BTreeMap<&str, &str>) -> String {
    let mut out = text.to_string();
    for _ in 0..4 {
        // Longer names first, so that `#mma1` is not taken for `#mma`.
        for (name, meaning) in aliases.iter().rev() {
            out = out
                .replace(&format!("{name},"), &format!("{meaning},"))
                .replace(&format!("{name}}}"), &format!("{meaning}}}"));
        }
    }
    out
}

/// The largest tensor or buffer with this layout: its spelling, shape and element width.
fn largest(ir: &str, name: &str) -> Option<(String, Vec<i64>, u32)> {
    let mut best: Option<(i64, String, Vec<i64>, u32)> = None;
    for opening in ["tensor<", "memdesc<"] {
        for (at, _) in ir.match_indices(opening) {
            let body = &ir[at + opening.len()..];
            let Some((ty, rest)) = body.split_once(", ") else { continue };
            let is_it = rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(['>', ',']));
            let Some((shape, bits)) = parts(ty).filter(|_| is_it) else { continue };
            let count: i64 = shape.iter().product();
            if best.as_ref().is_none_or(|(most, ..)| *most < count) {
                best = Some((count, ty.to_string(), shape, bits));
            }
        }
    }
    best.map(|(_, ty, shape, bits)| (ty, shape, bits))
}

/// `64x64xf16` → its shape and the bits of an element.
fn parts(ty: &str) -> Option<(Vec<i64>, u32)> {
    let mut shape = Vec::new();
    let mut rest = ty;
    while let Some((size, more)) = rest.split_once('x') {
        let Ok(size) = size.parse::<i64>() else { break };
        shape.push(size);
        rest = more;
    }
    let digits: String = rest.chars().filter(char::is_ascii_digit).collect();
    let bits = if rest.starts_with('!') { 64 } else { digits.get(..2).or(digits.get(..1))?.parse().ok()? };
    (!shape.is_empty()).then_some((shape, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_layout_is_drawn_on_its_largest_tensor() {
        let ir = "#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>\n\
                  %0 = x : tensor<16x16xf16, #blocked>\n%1 = y : tensor<32x64x!tt.ptr<f16>, #blocked> -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>\n";
        let mut form = super::super::lines::plain(ir);
        form.sources = vec![0, 7, 9];
        let found = pictures(&form);
        assert_eq!((found.len(), found[0].tensor.as_str()), (1, "32x64x!tt.ptr<f16>"));
        assert_eq!(found[0].lines, [7, 9]);
        assert!(found[0].svg.starts_with("<svg"));
    }
}
