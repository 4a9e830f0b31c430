//! The layouts of a kernel's final IR: which there are, on which shapes, and their pictures.

use std::collections::BTreeMap;
use tk_layout::{Encoding, describe, draw_svg};

/// Pictures of one kernel at most.
const MOST: usize = 12;

/// A layout with a shape that has it.
pub(super) struct Picture {
    /// The alias in the IR: `#blocked`.
    pub(super) name: String,
    /// What it stands for.
    pub(super) text: String,
    /// `64x64xf16`.
    pub(super) tensor: String,
    /// How it deals out elements, in words.
    pub(super) words: String,
    pub(super) svg: String,
}

/// The layouts that IR text names, each on the largest tensor that has it, in order of their names.
pub(super) fn pictures(ir: &str) -> Vec<Picture> {
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
        found.push(Picture { name: (*name).to_string(), text: (*text).to_string(), tensor, words, svg });
        if found.len() == MOST {
            break;
        }
    }
    found
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
        let found = pictures(ir);
        assert_eq!((found.len(), found[0].tensor.as_str()), (1, "32x64x!tt.ptr<f16>"));
        assert!(found[0].svg.starts_with("<svg"));
    }
}
