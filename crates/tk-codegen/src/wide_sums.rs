//! Addresses whose last term is a product of 32 bits, as one instruction.
//!
//! LLVM writes `mul.wide` and `add.s64`. ptxas makes one instruction of them, too, but then loads each parameter that they take by an instruction
//! whose result has to be waited for (`LDC`): these share six counters with loads, and a load may then wait for another one's data. Of
//! `mad.wide` it makes additions on the uniform unit, where the parameters of a program are operands. LLVM has an option for it
//! (`-nvptx-mad-wide-opt`), for the whole process and for every sum. Those of which several others are made are better left apart: ptxas then shares them
//! (docs/measurements.md, "Addresses are summed in one instruction").
//!
//! True for sums that are addresses or part of one other sum, in modules without products of tensor cores: with these it makes no difference in the mean.

use rustc_hash::FxHashMap;

/// A product, and where it stands.
struct Product<'t> {
    line: usize,
    /// `s32`, `u32`.
    ty: &'t str,
    left: &'t str,
    right: &'t str,
}

/// What registers a text names how often.
#[derive(Clone, Copy, Default)]
struct Uses {
    written: u32,
    read: u32,
    /// Reads as an address.
    addressed: u32,
}

/// The text with such sums as `mad.wide`.
pub(crate) fn merge(ptx: String) -> String {
    if ptx.contains("mma.") || !ptx.contains("mul.wide.") {
        return ptx;
    }
    let lines: Vec<&str> = ptx.lines().collect();
    let uses = uses_of(&lines);
    let of = |register: &str| uses.get(register).copied().unwrap_or_default();
    let mut products: FxHashMap<&str, Product<'_>> = FxHashMap::default();
    let mut changed: FxHashMap<usize, Option<String>> = FxHashMap::default();
    for (at, line) in lines.iter().enumerate() {
        let (opcode, operands) = parts(line);
        if line.starts_with('$') || line.contains("bra") {
            products.clear();
        }
        // What is in braces or behind a predicate is not told apart.
        if line.contains('{') || opcode.starts_with('@') {
            products.retain(|_, product| !line.contains(product.left) && !line.contains(product.right));
        }
        if let Some(written) = operands.first().filter(|operand| operand.starts_with('%')) {
            products.retain(|_, product| product.left != *written && product.right != *written);
        }
        match (opcode.strip_prefix("mul.wide."), &operands[..]) {
            (Some(ty), [product, left, right]) if of(product).written == 1 && of(product).read == 1 => {
                products.insert(product, Product { line: at, ty, left, right });
            }
            (None, [sum, left, right]) if opcode == "add.s64" => {
                let sum_of = of(sum);
                let is_last = sum_of.written == 1 && (sum_of.read == sum_of.addressed || sum_of.read == 1);
                let (term, other) = if products.contains_key(right) { (right, left) } else { (left, right) };
                if let Some(product) = products.remove(term).filter(|_| is_last && other.starts_with('%')) {
                    let Product { line, ty, left, right } = product;
                    changed.insert(line, None);
                    changed.insert(at, Some(format!("\tmad.wide.{ty} \t{sum}, {left}, {right}, {other};")));
                }
            }
            (Some(_) | None, _) => {}
        }
    }
    if changed.is_empty() {
        return ptx;
    }
    let mut text = String::with_capacity(ptx.len());
    for (at, line) in lines.iter().enumerate() {
        let line = match changed.get(&at) {
            Some(None) => continue,
            Some(Some(changed)) => changed,
            None => *line,
        };
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The opcode of a line, and its operands where they are in no brackets.
fn parts(line: &str) -> (&str, Vec<&str>) {
    let line = line.trim();
    let line = line.split_once("//").map_or(line, |(before, _)| before);
    let Some((opcode, operands)) = line.split_once(char::is_whitespace) else { return (line, Vec::new()) };
    let operands = operands.trim().trim_end_matches(';');
    (opcode, operands.split(',').map(str::trim).collect())
}

fn uses_of<'t>(lines: &[&'t str]) -> FxHashMap<&'t str, Uses> {
    let mut uses: FxHashMap<&str, Uses> = FxHashMap::default();
    for line in lines.iter().filter(|line| line.contains('%')) {
        let (opcode, operands) = parts(line);
        let writes = !["st.", "red.", "@", ".", "//", "bra", "cp.", "prefetch"].iter().any(|no| opcode.starts_with(no));
        for (index, operand) in operands.iter().enumerate() {
            let is_address = operand.starts_with('[');
            for register in registers_of(operand) {
                let uses = uses.entry(register).or_default();
                if index == 0 && writes && operand.starts_with('%') {
                    uses.written += 1;
                } else {
                    uses.read += 1;
                    uses.addressed += u32::from(is_address);
                }
            }
        }
    }
    uses
}

fn registers_of(operand: &str) -> impl Iterator<Item = &str> {
    let starts = operand.match_indices('%').map(|(at, _)| at);
    starts.map(|at| {
        let rest = &operand[at + 1..];
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
        &operand[at..=at + length]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_that_are_addresses_are_one_instruction() {
        let address = "\tmul.wide.s32 \t%rd3, %r1, 4;\n\tadd.s64 \t%rd4, %rd1, %rd3;\n";
        let load = "\tld.global.b32 \t%r2, [%rd4+16];\n";
        let merged = merge(format!("{address}{load}"));
        assert_eq!(merged, format!("\tmad.wide.s32 \t%rd4, %r1, 4, %rd1;\n{load}"));
        let stays = |text: String| assert_eq!(merge(text.clone()), text);
        let once = "\tadd.s64 \t%rd5, %rd4, %rd2;\n";
        assert_eq!(merge(format!("{address}{once}")), format!("\tmad.wide.s32 \t%rd4, %r1, 4, %rd1;\n{once}"));
        // It is part of another sum, too, or the product is one of another.
        stays(format!("{address}{load}\tadd.s64 \t%rd5, %rd4, %rd2;\n"));
        stays(format!("{address}{load}\tadd.s64 \t%rd5, %rd2, %rd3;\n"));
        // What is multiplied is another number by then.
        stays(address.replace("\tadd", "\tmov.b32 \t%r1, %r7;\n\tadd") + load);
        // Another block.
        stays(address.replace("\tadd", "$L__BB0_2:\n\tadd") + load);
        stays(format!("{address}{load}\tmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%f1}};\n"));
    }
}
