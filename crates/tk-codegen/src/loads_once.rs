//! What a load brings is not loaded again.
//!
//! A window that moves along a row by one element is a load of the block for each place of the window. Where a thread has eight elements of the row, one of
//! these loads moves all of them at once, and the others, whose blocks begin between aligned addresses, an element at a time: all but one of these elements
//! came with the first. So do scales of a group that each step of a loop loads, when its steps are written out. Each load goes through the L1 cache by itself,
//! which answers a line in a cycle, and lanes that lie 16 bytes apart take four lines for four bytes each.
//!
//! Here addresses show what they have in common, as a register and a number. Of loads with one register, one condition and the same hints to caches the wider one
//! stays, where the first of them stands; the others become moves of its registers. That needs that nothing between them may write to memory or wait for somebody
//! who does: they stand in one stretch of computations and loads ([`stretches`]). What a condition leaves out is zero in all of them.
//!
//! Where few of the loads go, ptxas orders the others anew, for better or worse: at least a part of them has to go ([`LEAST`]), and a larger one beside products of
//! tensor cores, where loads are seldom what takes the time ([`LEAST_BESIDE_PRODUCTS`]).
//!
//! 1. Find stretches and their loads.  2. Choose which load brings which others ([`Plan`]).  3. Write moves.

use crate::ptx_lines::{is_computation, is_name, is_nothing, is_place, registers, unguarded, written_registers};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::ops::Range;

/// One in so many loads goes, at least. On an H200 28 kernels with as many or more were level to 2.9 times as fast, the worst at 0.99 of its speed; of two
/// with fewer one was at 0.97 (docs/measurements.md, "What a load brings is not loaded again").
const LEAST: usize = 10;

/// The same in kernels with products: eleven with as many or more were level to 1.7 times as fast, and three with fewer at 0.92 of their
/// speed.
const LEAST_BESIDE_PRODUCTS: usize = 4;

/// The PTX without loads of what other loads bring.
pub(crate) fn with_loads_once(ptx: String) -> String {
    let lines: Vec<&str> = ptx.lines().collect();
    let all = lines.iter().filter(|line| is_load(line)).count();
    let mut plan = Plan::default();
    for stretch in stretches(&lines) {
        plan.add(&lines, stretch);
    }
    let least = if ptx.contains("mma.") { LEAST_BESIDE_PRODUCTS } else { LEAST };
    if plan.taken == 0 || plan.taken * least < all { ptx } else { plan.written(&lines) }
}

fn is_load(line: &str) -> bool {
    unguarded(line).starts_with("ld.global")
}

/// Ranges of lines that only load and compute.
fn stretches(lines: &[&str]) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), 0);
    for (at, line) in lines.iter().enumerate() {
        let loads = is_load(line) || unguarded(line).starts_with("ld.shared");
        if !(loads || is_nothing(line) || is_place(line) || is_name(line) || is_computation(line)) {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..lines.len());
    found
}

/// What loads have to share.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Access<'t> {
    /// `@%p1`, or nothing.
    guard: &'t str,
    /// What stands in the name between the memory and the width.
    qualifiers: &'t str,
    base: &'t str,
    /// What follows the address: how caches keep the line.
    policy: &'t str,
}

impl<'t> Access<'t> {
    fn registers(&self) -> impl Iterator<Item = &'t str> {
        [self.guard, self.base, self.policy].into_iter().flat_map(registers)
    }
}

/// A load, with the lines before it that say what its registers are where its condition is false.
struct Load<'t> {
    lines: Range<usize>,
    access: Access<'t>,
    offset: i64,
    /// Bytes of a register of it.
    word: usize,
    words: Vec<&'t str>,
}

impl<'t> Load<'t> {
    /// `None` for other instructions, loads that ask anew each time, and where registers are not as wide as memory, or not zero without the condition.
    fn of(lines: &[&'t str], start: usize, at: usize) -> Option<Self> {
        let text: &'t str = lines[at].trim();
        let (name, operands) = unguarded(text).split_once(char::is_whitespace)?;
        let (qualifiers, bits) = name.strip_prefix("ld.global")?.rsplit_once(".b")?;
        let word = bits.parse::<usize>().ok()? / 8;
        let qualifiers =
            [".v2", ".v4", ".v8"].iter().find_map(|count| qualifiers.strip_suffix(count)).unwrap_or(qualifiers);
        let operands = operands.trim_start();
        let (target, rest) = match operands.strip_prefix('{') {
            Some(list) => list.split_once('}')?,
            None => operands.split_once(',')?,
        };
        let words: Vec<&str> = registers(target).collect();
        let (address, policy) = rest.split_once('[')?.1.split_once(']')?;
        let address = address.trim();
        let base = registers(address).next()?;
        let offset = offset_of(address.strip_prefix(base)?)?;
        let guard = if text.starts_with('@') { text.split_whitespace().next()? } else { "" };
        let access = Access { guard, qualifiers, base, policy: policy.trim() };
        let begin = if guard.is_empty() { at } else { first_zero(lines, start, at, &words)? };
        // `.cv` asks for what memory has now.
        let is_fresh = qualifiers.contains(".cv");
        let is_known = !is_fresh && !words.is_empty() && words.iter().all(|register| holds(register, word));
        is_known.then_some(Self { lines: begin..at + 1, access, offset, word, words })
    }

    fn bytes(&self) -> usize {
        self.word * self.words.len()
    }

    /// Where in it the first byte of another load of the same access lies, if it brings all of that.
    fn place_of(&self, other: &Self) -> Option<usize> {
        let place = usize::try_from(other.offset.checked_sub(self.offset)?).ok()?;
        let can_part = matches!((self.word, other.word), (8, 8 | 4) | (4, 4 | 2 | 1) | (2, 2 | 1) | (1, 1));
        let is_inside = place % other.word == 0 && place + other.bytes() <= self.bytes();
        (can_part && is_inside).then_some(place)
    }

    /// The moves that take the registers of another load, which begins at `place`, from those of this one.
    fn moves_to(&self, other: &Self, place: usize) -> Vec<String> {
        let parts = other.words.iter().enumerate().map(|(number, register)| {
            let byte = place + number * other.word;
            part_of(self.words[byte / self.word], self.word, register, other.word, byte % self.word)
        });
        parts.collect()
    }
}

/// The number that is added to the register of an address: nothing, `+8`, `+-8` or `+ -8`.
fn offset_of(rest: &str) -> Option<i64> {
    let rest = rest.trim();
    if rest.is_empty() { Some(0) } else { rest.strip_prefix('+')?.trim().parse().ok() }
}

/// A register of so many bytes, by its name.
fn holds(register: &str, bytes: usize) -> bool {
    match bytes {
        1 | 2 => register.starts_with("%rs"),
        4 => register.strip_prefix("%r").is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit())),
        8 => register.starts_with("%rd"),
        _ => false,
    }
}

/// The first of the lines directly before a load that set its registers to zero, if all of them are.
fn first_zero(lines: &[&str], start: usize, at: usize, words: &[&str]) -> Option<usize> {
    let begin = at.checked_sub(words.len()).filter(|begin| *begin >= start)?;
    let mut zeroed: Vec<&str> = lines[begin..at].iter().filter_map(|line| zeroed_register(line)).collect();
    let mut words = words.to_vec();
    zeroed.sort_unstable();
    words.sort_unstable();
    (zeroed == words).then_some(begin)
}

/// `%r1` of `mov.u32 %r1, 0x0;`.
fn zeroed_register(line: &str) -> Option<&str> {
    let (name, operands) = line.trim().split_once(char::is_whitespace)?;
    let (register, value) = operands.trim_end_matches(';').split_once(',')?;
    let is_zero = name.starts_with("mov.") && matches!(value.trim(), "0x0" | "0");
    is_zero.then_some(register.trim())
}

/// An instruction that moves the bytes from `place` of a register with `bytes` of them to another register.
fn part_of(from: &str, bytes: usize, to: &str, wanted: usize, place: usize) -> String {
    let bits = 8 * bytes.max(2);
    if bytes == wanted {
        return format!("\tmov.b{bits} \t{to}, {from};");
    }
    match (bytes, wanted, place) {
        (4, 1, _) => {
            format!("\t{{ .reg .b32 %part; bfe.u32 %part, {from}, {}, 8; cvt.u16.u32 {to}, %part; }}", 8 * place)
        }
        (2, 1, 0) => format!("\tand.b16 \t{to}, {from}, 255;"),
        (2, 1, _) => format!("\tshr.u16 \t{to}, {from}, 8;"),
        (_, _, 0) => format!("\t{{ .reg .b{} %part; mov.b{bits} {{{to}, %part}}, {from}; }}", bits / 2),
        _ => format!("\t{{ .reg .b{} %part; mov.b{bits} {{%part, {to}}}, {from}; }}", bits / 2),
    }
}
/// Which lines become others.
#[derive(Default)]
struct Plan {
    /// What stands in place of lines: nothing, moves, or a load with moves.
    instead: FxHashMap<usize, Vec<String>>,
    /// Loads that go.
    taken: usize,
}

impl Plan {
    /// The loads of a stretch that others bring.
    fn add(&mut self, lines: &[&str], stretch: Range<usize>) {
        let mut groups: FxHashMap<Access<'_>, Vec<Load<'_>>> = FxHashMap::default();
        for load in stretch.clone().filter_map(|at| Load::of(lines, stretch.start, at)) {
            groups.entry(load.access.clone()).or_default().push(load);
        }
        for mut loads in groups.into_values().filter(|loads| loads.len() > 1) {
            loads.sort_by_key(|load| (Reverse(load.bytes()), load.lines.start));
            while !loads.is_empty() {
                let wide = loads.remove(0);
                let (brought, rest) = loads.into_iter().partition(|load| wide.place_of(load).is_some());
                loads = rest;
                self.take(lines, &wide, brought);
            }
        }
    }

    /// Lets a load bring others, if its registers and its address are the same wherever they stand.
    fn take(&mut self, lines: &[&str], wide: &Load<'_>, mut brought: Vec<Load<'_>>) {
        brought.sort_by_key(|load| load.lines.start);
        let (Some(first), Some(last)) = (brought.first(), brought.last()) else { return };
        let begin = first.lines.start.min(wide.lines.start);
        let end = last.lines.end.max(wide.lines.end);
        if !keeps_meaning(lines, begin..end, wide) {
            return;
        }
        self.taken += brought.len();
        let mut text: Vec<String> = Vec::new();
        if begin < wide.lines.start {
            text.extend(lines[wide.lines.clone()].iter().map(|line| (*line).to_string()));
            self.leave_out(wide.lines.clone());
        }
        for load in &brought {
            text.extend(wide.place_of(load).into_iter().flat_map(|place| wide.moves_to(load, place)));
            self.leave_out(load.lines.clone());
            self.instead.insert(load.lines.end - 1, std::mem::take(&mut text));
        }
    }

    fn leave_out(&mut self, lines: Range<usize>) {
        self.instead.extend(lines.map(|at| (at, Vec::new())));
    }

    fn written(&self, lines: &[&str]) -> String {
        let mut text = String::new();
        for (at, line) in lines.iter().enumerate() {
            let instead = self.instead.get(&at);
            let line = if instead.is_some() { None } else { Some(*line) };
            for line in instead.into_iter().flatten().map(String::as_str).chain(line) {
                text.push_str(line);
                text.push('\n');
            }
        }
        text
    }
}

/// Nothing else in the range writes what the address and the condition are made of, or registers of the load, or reads these before it.
fn keeps_meaning(lines: &[&str], range: Range<usize>, load: &Load<'_>) -> bool {
    let is_address = |register: &str| load.access.registers().any(|of_access| of_access == register);
    let is_word = |register: &str| load.words.contains(&register);
    let keeps = |at: usize| {
        let reads_early = at < load.lines.start && registers(lines[at]).any(is_word);
        let writes = written_registers(lines[at]).into_iter().any(|register| is_address(register) || is_word(register));
        !reads_early && !writes
    };
    !load.words.iter().any(|word| is_address(word)) && range.filter(|at| !load.lines.contains(at)).all(keeps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel with these lines between two numbers that are its address and its condition, and a store.
    fn kernel(body: &str) -> String {
        format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n.reqntid 128\n{{\n\t.reg .pred \t%p<9>;\n\t.reg .b16 \
             \t%rs<99>;\n\t.reg .b32 \t%r<99>;\n\t.reg .b64 \t%rd<99>;\n\tld.param.b64 \t%rd1, [p];\n\tmov.u32 \t%r1, %tid.x;\n\tsetp.lt.s32 \t%p1, %r1, \
             9;\n{body}\tst.global.b32 \t[%rd1], %r1;\n\tret;\n}}\n"
        )
    }

    fn masked(register: &str, bits: u32, offset: i64) -> String {
        format!(
            "\t// begin inline asm\n\tmov.u{bits} {register}, 0x0;\n\t@%p1 ld.global.b{bits} {register}, [ %rd1 + {offset} ];\n\t// end inline asm\n"
        )
    }

    const WIDE: &str =
        "\tmov.u32 %r10, 0x0;\n\tmov.u32 %r11, 0x0;\n\t@%p1 ld.global.v2.b32 { %r10, %r11 }, [ %rd1 + -8 ];\n";

    fn stays(body: &str) {
        assert_eq!(with_loads_once(kernel(body)), kernel(body));
    }

    #[test]
    fn a_wide_load_comes_first_and_brings_the_others() {
        let body = masked("%rs1", 16, -6)
            + "\tadd.s32 \t%r3, %r1, 1;\n"
            + WIDE
            + &masked("%r12", 32, -4)
            + &masked("%rs2", 16, -2)
            + &masked("%rs3", 16, 0);
        let text = with_loads_once(kernel(&body));
        assert_eq!(text.matches("ld.global").count(), 2, "{text}");
        let place = |what: &str| text.find(what);
        assert!(place("ld.global.v2") < place("{%part, %rs1}, %r10;") && place("%rs1}") < place("add.s32"), "{text}");
        assert!(text.contains("mov.b32 \t%r12, %r11;") && text.contains("{%part, %rs2}, %r11;"), "{text}");
        assert_eq!(text.matches("mov.u32 %r10, 0x0;").count(), 1);
        assert!(tk_ptx::parse(&tk_diag::SourceFile::new("kernel.ptx", &text)).is_ok());
    }

    #[test]
    fn equal_loads_become_one_and_bytes_are_taken_from_words() {
        let body = "\tld.global.b32 \t%r5, [%rd1+4];\n\tld.global.b32 \t%r6, [%rd1+4];\n\tld.global.b8 \t%rs5, [%rd1+6];\n\tld.global.b16 \t%rs6, \
                    [%rd1+16];\n\tld.global.b8 \t%rs7, [%rd1+16];\n\tld.global.b8 \t%rs8, [%rd1+17];\n";
        let text = with_loads_once(kernel(body));
        assert_eq!(text.matches("ld.global").count(), 2, "{text}");
        for part in [
            "mov.b32 \t%r6, %r5;",
            "bfe.u32 %part, %r5, 16, 8;",
            "and.b16 \t%rs7, %rs6, 255;",
            "shr.u16 \t%rs8, %rs6, 8;",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(tk_ptx::parse(&tk_diag::SourceFile::new("kernel.ptx", &text)).is_ok());
    }

    #[test]
    fn what_may_be_other_bytes_is_loaded() {
        let one = "\tld.global.b32 \t%r5, [%rd1+4];\n";
        let again = "\tld.global.b32 \t%r6, [%rd1+4];\n";
        stays(&format!("{one}\tst.global.b32 \t[%rd1+4], %r1;\n{again}"));
        stays(&format!("{one}\tbar.sync \t0;\n{again}"));
        stays(&format!("{one}\tadd.s64 \t%rd1, %rd1, 4;\n{again}"));
        stays(&format!("{one}\tmov.b32 \t%r5, %r1;\n{again}"));
        stays(&format!("{one}\tld.global.nc.b32 \t%r6, [%rd1+4];\n"));
        stays(&format!("{one}\tld.global.b32 \t%r6, [%rd2+4];\n"));
        stays("\tld.global.cv.b32 \t%r5, [%rd1+4];\n\tld.global.cv.b32 \t%r6, [%rd1+4];\n");
        stays(&format!("{one}\tld.global.b32 \t%r6, [%rd1+6];\n"));
        stays("\tld.global.b64 \t%rd1, [%rd1+8];\n\tld.global.b64 \t%rd2, [%rd1+8];\n");
        // Another condition, and registers that are not zero without it.
        stays(&(masked("%r5", 32, 4) + again));
        stays(&(masked("%r5", 32, 4) + "\tmov.b32 \t%r6, %r1;\n\t@%p1 ld.global.b32 %r6, [ %rd1 + 4 ];\n"));
        // What is read before the wide load is an older number.
        stays(&(masked("%r5", 32, -8) + "\tadd.s32 \t%r3, %r10, 1;\n" + WIDE));
    }

    #[test]
    fn a_tenth_goes_and_a_quarter_beside_products() {
        let product = "\tmma.sync.aligned \t%r90;\n";
        let others = |count: usize| {
            (0..count)
                .map(|at| format!("\tld.global.b32 \t%r{}, [%rd1+{}];\n", at + 20, 8 * at + 64))
                .collect::<String>()
        };
        let twice = "\tld.global.b32 \t%r5, [%rd1];\n\tld.global.b32 \t%r6, [%rd1];\n";
        stays(&format!("{product}{twice}{}", others(3)));
        let text = with_loads_once(kernel(&format!("{product}{twice}{}", others(2))));
        assert_eq!(text.matches("ld.global").count(), 3);
        let text = with_loads_once(kernel(&format!("{twice}{}", others(8))));
        assert_eq!(text.matches("ld.global").count(), 9);
        stays(&format!("{twice}{}", others(9)));
    }
}
