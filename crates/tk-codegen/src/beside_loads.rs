//! What needs no load is computed while loads are under way.
//!
//! A block is loaded, and random numbers of its places are computed. ptxas moves each load down to where its number is needed, to save registers: a thread asks
//! for a part of its block, computes, waits, and asks for the next part. Barriers of a warp or a CTA move along, since nothing else stands between. Only blocks of
//! the program keep their order. So the text gets three of them: the loads, what needs none, and what does. They end in branches that nothing takes, by numbers
//! which ptxas does not know.
//!
//! True for kernels of one block, as far as the first barrier or exchange behind its first loads, or the first load behind a store, where more instructions need
//! no load than do, and than follow, and so many ([`LEAST`]), and where the grid is known to bring few CTAs. Stores to global memory keep their order, and
//! come with what needs loads: where half of the numbers were computed behind the first store, ptxas moved the other half there, too, behind the first uses of
//! what was loaded.
//!
//! Few CTAs start together and wait together. Among many there are always some
//! that load: three such launches were 1.3 % slower to 0.8 % faster, two others 3 and 7 % faster. With few CTAs eight launches were up to 1.23 times as fast on
//! an H200, and none slower (docs/measurements.md, "What needs no load is computed beside loads").
//!
//! 1. Where loads end, and what follows them ([`Text`]).  2. What needs them ([`Parts`]).  3. Write the parts.

use crate::ptx_lines::{is_computation, is_name, is_nothing, is_place, registers, unguarded, written_registers};
use rustc_hash::FxHashSet;
use tk_types::Residency;

/// Instructions that need no load, at least: in fewer cycles no load comes.
const LEAST: usize = 200;

/// The PTX with its loads, what needs none, and what does, in three blocks, where that is worth it.
pub(crate) fn with_blocks(ptx: String, residency: Residency) -> String {
    let is_few = residency.at_most().is_some();
    let written = if is_few { Text::of(&ptx).and_then(|text| text.written()) } else { None };
    written.unwrap_or(ptx)
}

/// A kernel of straight code.
struct Text<'t> {
    lines: Vec<&'t str>,
    /// Behind the last line that declares registers.
    declared: usize,
    /// Behind the last load.
    loaded: usize,
    /// The first line of what follows the computations.
    end: usize,
    /// The line that ends the kernel.
    returns: usize,
}

impl<'t> Text<'t> {
    fn of(ptx: &'t str) -> Option<Self> {
        let lines: Vec<&str> = ptx.lines().collect();
        if ptx.contains("$L__BB") {
            return None;
        }
        let is_return = |line: &&str| line.trim() == "ret;";
        if lines.iter().filter(|line| is_return(line)).count() != 1 {
            return None;
        }
        let returns = lines.iter().position(is_return)?;
        let declared = lines.iter().rposition(|line| line.trim_start().starts_with(".reg "))? + 1;
        let first = lines.iter().position(|line| is_load(line))?;
        let mut is_stored = false;
        let end = lines[first..].iter().position(|line| {
            is_stored |= is_store(line);
            if is_load(line) { is_stored } else { Line::of(line).is_none() }
        });
        let end = first + end?;
        let loaded = first + lines[first..end].iter().rposition(|line| is_load(line))? + 1;
        let has_one_entry =
            lines.iter().filter(|line| line.contains(".entry ")).count() == 1 && !ptx.contains(".func ");
        let is_before = declared < first && end <= returns && has_one_entry;
        is_before.then_some(Self { lines, declared, loaded, end, returns })
    }

    fn written(&self) -> Option<String> {
        let parts = Parts::of(self)?;
        let rest = self.lines[self.end..self.returns].iter().filter(|line| line.trim_end().ends_with(';')).count();
        if rest >= parts.free.0.len() {
            return None;
        }
        let mut out: Vec<&str> = self.lines[..self.declared].to_vec();
        out.extend(["\t.reg .pred %never<2>;", "\t.reg .b32 %lanes<2>;"]);
        out.extend(&self.lines[self.declared..self.loaded]);
        // Each lane has lanes before it, or is the first one, and none has all; each is one of those up to it.
        out.extend(["\tmov.u32 %lanes0, %lanemask_lt;", "\tsetp.eq.b32 %never0, %lanes0, -1;"]);
        out.extend(["\tmov.u32 %lanes1, %lanemask_le;", "\tsetp.eq.b32 %never1, %lanes1, 0;"]);
        out.push("\t@%never0 bra $L__never;");
        parts.free.write(&mut out);
        out.push("\t@%never1 bra $L__never;");
        parts.waiting.write(&mut out);
        out.extend(&self.lines[self.end..self.returns]);
        out.push("$L__never:");
        out.extend(&self.lines[self.returns..]);
        Some(out.join("\n") + "\n")
    }
}

/// Instructions with their places in the program.
#[derive(Default)]
struct Part<'t>(Vec<(Option<&'t str>, &'t str)>);

impl<'t> Part<'t> {
    /// Says a place where it is another one than that of the instruction before.
    fn write(&self, out: &mut Vec<&'t str>) {
        let mut said = None;
        for (place, instruction) in &self.0 {
            if let Some(place) = place.filter(|place| said != Some(*place)) {
                out.push(place);
                said = Some(place);
            }
            out.push(instruction);
        }
    }
}

/// What follows the loads.
struct Parts<'t> {
    /// What needs none of them.
    free: Part<'t>,
    /// What does, and what is written to memory.
    waiting: Part<'t>,
}

impl<'t> Parts<'t> {
    /// `None` where a register has two definitions, or little needs no load.
    fn of(text: &Text<'t>) -> Option<Self> {
        let mut defined = FxHashSet::default();
        let mut pending = FxHashSet::default();
        let mut place = None;
        for line in &text.lines[text.declared..text.loaded] {
            place = if is_place(line) { Some(*line) } else { place };
            let written = written_registers(line);
            if is_load(line) {
                pending.extend(written.iter().copied());
            }
            defined.extend(written);
        }
        let (mut free, mut waiting) = (Part::default(), Part::default());
        for line in &text.lines[text.loaded..text.end] {
            match Line::of(line)? {
                Line::Place => place = Some(*line),
                Line::Label => free.0.push((None, *line)),
                Line::Nothing => {}
                Line::Write => waiting.0.push((place, *line)),
                Line::Computation => {
                    let written = written_registers(line);
                    if written.is_empty() || !written.iter().all(|register| defined.insert(*register)) {
                        return None;
                    }
                    let needs_load = registers(line).any(|register| pending.contains(register));
                    if needs_load {
                        pending.extend(written);
                    }
                    let part = if needs_load { &mut waiting } else { &mut free };
                    part.0.push((place, *line));
                }
            }
        }
        (free.0.len() >= LEAST && free.0.len() > waiting.0.len()).then_some(Self { free, waiting })
    }
}

/// A line that may change places with others.
enum Line {
    /// Where what follows comes from in the program.
    Place,
    /// The name of a line, which debuggers know.
    Label,
    /// A comment, or an empty line.
    Nothing,
    /// It writes to memory, or orders writes to shared memory.
    Write,
    Computation,
}

impl Line {
    fn of(line: &str) -> Option<Self> {
        if is_nothing(line) {
            return Some(Self::Nothing);
        }
        if is_place(line) {
            return Some(Self::Place);
        }
        if is_name(line) {
            return Some(Self::Label);
        }
        let text = line.trim();
        if is_store(line) || text.starts_with("st.shared") || text.starts_with("bar.warp.sync") {
            return Some(Self::Write);
        }
        // What stands behind a condition leaves a register as it was where that is false, so it has another definition.
        (!text.starts_with('@') && is_computation(line)).then_some(Self::Computation)
    }
}

fn is_load(line: &str) -> bool {
    unguarded(line).starts_with("ld.global")
}

fn is_store(line: &str) -> bool {
    unguarded(line).starts_with("st.global")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loads, a chain of so many products that needs none, and a sum that does, written to shared memory and stored.
    fn kernel(products: usize, more: &str) -> String {
        let mut body = String::new();
        for at in 0..products {
            body += &format!("\t.loc\t1 {at} 1\n\tmul.lo.s32 \t%r{}, %r{}, 3;\n", at + 11, at + 10);
        }
        let last = products + 10;
        format!(
            ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n.reqntid 128\n{{\n\t.reg .b32 \t%r<{}>;\n\t.reg .b64 \
             \t%rd<2>;\n\tld.param.u64 \t%rd1, [p];\n\tmov.u32 \t%r10, %tid.x;\n\tld.global.b32 \t%r1, [%rd1];\n\tbar.warp.sync \t-1;\n\tadd.s32 \t%r2, %r1, \
             5;\n{body}{more}\tadd.s32 \t%r3, %r2, %r{last};\n\tst.shared.b32 \t[%r10], %r3;\n\tbar.sync \t0;\n\tst.global.b32 \t[%rd1], %r3;\n\tret;\n}}\n",
            last + 2
        )
    }

    #[test]
    fn loads_what_needs_none_and_what_does_are_blocks() {
        let text = with_blocks(kernel(LEAST, ""), Residency::AtMost(4));
        let place = |what: &str| text.find(what);
        let [load, first, free, second, needs] =
            ["ld.global", "@%never0", "mul.lo.s32 \t%r210", "@%never1", "add.s32 \t%r2,"].map(place);
        assert!(load < first && first < free && free < second && second < needs, "{text}");
        assert!(place("st.shared") < place("bar.sync") && place("st.global") < place("$L__never:"), "{text}");
        assert_eq!(text.matches(".loc\t1 7 1\n\tmul").count(), 1);
        assert!(tk_ptx::parse(&tk_diag::SourceFile::new("kernel.ptx", &text)).is_ok());
    }

    #[test]
    fn what_is_stored_first_comes_with_what_needs_loads() {
        let stored = "\tst.global.b32 \t[%rd1+4], %r2;\n\tadd.s32 \t%r4, %r10, 7;\n";
        let text = with_blocks(kernel(LEAST, stored), Residency::AtMost(4));
        let place = |what: &str| text.find(what);
        let [free, second, store] = ["%r4, %r10", "@%never1", "[%rd1+4]"].map(place);
        assert!(free.is_some() && free < second && second < store && store < place("[%rd1], %r3"), "{text}");
        // What is loaded behind a store may be what was stored.
        let loaded = format!("{stored}\tld.global.b32 \t%r5, [%rd1];\n");
        let text = with_blocks(kernel(LEAST, &loaded), Residency::AtMost(4));
        assert!(text.find("@%never1") < text.find("[%rd1+4]") && text.find("[%rd1+4]") < text.find("%r5, [%rd1]"));
    }

    #[test]
    fn other_kernels_stay() {
        let stays = |text: String, residency| assert_eq!(with_blocks(text.clone(), residency), text);
        stays(kernel(LEAST, ""), Residency::Many);
        stays(kernel(LEAST - 1, ""), Residency::AtMost(4));
        stays(kernel(LEAST, "\tmov.u32 \t%r2, 7;\n"), Residency::AtMost(4));
        stays(kernel(LEAST, "$L__BB0_1:\n\tbra \t$L__BB0_1;\n"), Residency::AtMost(4));
    }
}
