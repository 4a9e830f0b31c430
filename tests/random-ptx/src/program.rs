//! One random program: straight lines, branches, loops, shared, local and global memory, and what it writes at its end.
//!
//! Every register holds an input at first. At the end each thread writes all of its registers: slot `s` of thread `t` is the 64-bit word
//! `s * THREADS + t` of the output, behind which lie the words that atomics change.

use crate::form::{Class, Form, Operand, Where};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;

/// Threads of a CTA.
pub(crate) const BLOCK: u32 = 64;
/// CTAs.
pub(crate) const GRID: u32 = 2;
/// Threads of a launch.
pub(crate) const THREADS: u32 = BLOCK * GRID;
/// Words of 32 bits that each thread reads.
const INPUTS: u32 = 32;
/// Words of 32 bits that a launch reads.
pub(crate) const INPUT_WORDS: u32 = INPUTS * THREADS;
/// 64-bit words of the output that atomics change: one of each thread, and 16 of all.
const ATOMIC_WORDS: u32 = THREADS + 16;
/// Words of local memory of a thread.
const LOCAL_WORDS: u32 = 16;
/// Bytes of shared memory: 16 of each thread, and 64 that all change.
const SHARED_BYTES: u32 = 16 * BLOCK + 64;

/// Registers of a class.
fn count(class: Class) -> u32 {
    match class {
        Class::Half => 6,
        Class::Word => 12,
        Class::Long => 7,
        Class::Predicate => 4,
    }
}

/// Slots of the output.
pub(crate) fn slots() -> u32 {
    Class::ALL.into_iter().map(count).sum()
}

/// Bytes of the output.
pub(crate) fn output_bytes() -> u64 {
    8 * u64::from(slots() * THREADS + ATOMIC_WORDS)
}

/// A generator of one program.
pub(crate) struct Writer<'a> {
    random: ChaCha8Rng,
    forms: &'a [Form],
    text: String,
    labels: u32,
    /// Instructions that may still be made.
    left: u32,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(random: ChaCha8Rng, forms: &'a [Form]) -> Self {
        Self { random, forms, text: String::new(), labels: 0, left: 0 }
    }

    /// A program of many statements.
    pub(crate) fn mixed(mut self, name: &str) -> String {
        self.left = self.random.random_range(20..60);
        while self.left > 0 {
            self.statement(0);
        }
        self.finish(name)
    }

    /// A program of one form, several times with other registers.
    pub(crate) fn single(mut self, name: &str, form: &Form) -> String {
        for _ in 0..4 {
            self.instruction(form);
        }
        self.finish(name)
    }

    fn below(&mut self, n: u32) -> u32 {
        self.random.random_range(0..n)
    }

    fn register(&mut self, class: Class) -> String {
        format!("{}{}", class.prefix(), self.below(count(class)))
    }

    fn line(&mut self, text: &str) {
        match long_shift_amount(text) {
            Some((before, amount)) => {
                let _ = writeln!(self.text, "\tmov.b32 %index, {amount};\n\t{before} %index;");
            }
            None => _ = writeln!(self.text, "\t{text};"),
        }
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    /// One statement inside of so many branches and loops.
    fn statement(&mut self, depth: u32) {
        self.left = self.left.saturating_sub(1);
        match (self.below(24), depth) {
            (0, 0..2) => self.branch(depth),
            (1, 0..2) => self.repeat(depth),
            (2, 0) => self.exchange(),
            (3, 0) => self.shared_atomics(),
            (4, _) => self.own_atomic(),
            (5, _) => self.common_atomic(),
            (6, _) => self.local(),
            (7, 0..2) => self.switch(depth),
            (8, _) => self.call(),
            (9..=10, _) => self.predicated(depth),
            _ => self.any_instruction(depth),
        }
    }

    fn any_instruction(&mut self, depth: u32) {
        loop {
            let Some(form) = self.forms.choose(&mut self.random) else { return };
            let fits = match form.place {
                Where::Everywhere => true,
                Where::Converged => depth == 0,
                Where::Alone => false,
            };
            if fits {
                self.instruction(form);
                return;
            }
        }
    }

    fn instruction(&mut self, form: &Form) {
        let text = self.filled(form);
        self.line(&text);
    }

    fn filled(&mut self, form: &Form) -> String {
        let mut chosen: Vec<(Operand, String)> = Vec::new();
        let writes_two = form.operands.iter().filter(|operand| operand.is_written()).count() > 1;
        for operand in &form.operands {
            // Of two registers that are written, none may be the other, or be read.
            let apart = |other: &Operand| match other.is_written() {
                true => operand.is_written() || writes_two && operand.class == Class::Predicate,
                false => form.needs_two_sources() && !operand.is_written(),
            };
            let taken = |name: &str| chosen.iter().any(|(other, known)| known == name && apart(other));
            let name = loop {
                let name = self.register(operand.class);
                if !taken(&name) {
                    break name;
                }
            };
            chosen.push((*operand, name));
        }
        let number = self.below(256);
        let name = |letter: char| chosen.iter().find(|c| c.0.letter == letter).map(|c| c.1.clone());
        form.fill(|letter| name(letter).unwrap_or_else(|| number.to_string()))
    }

    /// An instruction of one line that some threads leave out.
    fn predicated(&mut self, depth: u32) {
        let Some(form) = self.forms.choose(&mut self.random) else { return };
        if !form.can_be_guarded() {
            return self.any_instruction(depth);
        }
        let text = self.filled(form);
        let guard = self.register(Class::Predicate);
        if text.contains(&guard) {
            // A guard that the instruction writes.
            return self.line(&text);
        }
        let not = if self.below(2) == 0 { "!" } else { "" };
        self.line(&format!("@{not}{guard} {text}"));
    }

    fn body(&mut self, depth: u32) {
        for _ in 0..self.random.random_range(1..6) {
            self.statement(depth + 1);
        }
    }

    fn branch(&mut self, depth: u32) {
        let (otherwise, end) = (self.label(), self.label());
        let guard = self.register(Class::Predicate);
        self.line(&format!("@{guard} bra {otherwise}"));
        self.body(depth);
        self.line(&format!("bra {end}"));
        let _ = writeln!(self.text, "{otherwise}:");
        if self.below(2) == 0 {
            self.body(depth);
        }
        let _ = writeln!(self.text, "{end}:");
    }

    /// A loop that each thread runs one to four times.
    fn repeat(&mut self, depth: u32) {
        let (start, by) = (self.label(), self.register(Class::Word));
        let counter = format!("%count{depth}");
        self.line(&format!("and.b32 {counter}, {by}, 3"));
        let _ = writeln!(self.text, "{start}:");
        self.body(depth);
        self.line(&format!("setp.ne.u32 %again, {counter}, 0"));
        self.line(&format!("sub.u32 {counter}, {counter}, 1"));
        self.line(&format!("@%again bra {start}"));
    }

    /// An indexed branch to one of three places.
    fn switch(&mut self, depth: u32) {
        let (targets, end) = ([self.label(), self.label(), self.label()], self.label());
        let (table, by) = (self.label(), self.register(Class::Word));
        let _ = writeln!(self.text, "{table}: .branchtargets {};", targets.join(", "));
        self.line(&format!("rem.u32 %index, {by}, 3"));
        self.line(&format!("brx.idx %index, {table}"));
        for target in &targets {
            let _ = writeln!(self.text, "{target}:");
            self.body(depth);
            self.line(&format!("bra {end}"));
        }
        let _ = writeln!(self.text, "{end}:");
    }

    fn call(&mut self) {
        let [a, b, d] = [(); 3].map(|()| self.register(Class::Word));
        let _ = writeln!(
            self.text,
            "\t{{\n\t.param .b32 a;\n\t.param .b32 b;\n\t.param .b32 out;\n\tst.param.b32 [a], {a};\n\tst.param.b32 [b], {b};\n\
             \tcall (out), helper, (a, b);\n\tld.param.b32 {d}, [out];\n\t}}"
        );
    }

    /// A vector of words or halves, with its text.
    fn vector(&mut self) -> (u32, Class, Vec<String>) {
        let (class, length) = *[
            (Class::Word, 1),
            (Class::Word, 2),
            (Class::Word, 4),
            (Class::Long, 1),
            (Class::Long, 2),
            (Class::Half, 1),
            (Class::Half, 2),
            (Class::Half, 4),
        ]
        .choose(&mut self.random)
        .unwrap_or(&(Class::Word, 1));
        let mut parts: Vec<String> = Vec::new();
        while parts.len() < length {
            let part = self.register(class);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        (length as u32, class, parts)
    }

    /// Each thread stores 16 bytes of shared memory and loads those of another.
    fn exchange(&mut self) {
        let (length, class, parts) = self.vector();
        let (suffix, braces) = vector_text(length, class, &parts);
        let (first, second) = (self.register(Class::Long), self.register(Class::Long));
        self.line(&format!("st.shared.v2.b64 [%own], {{{first}, {second}}}"));
        self.line(&format!("st.shared{suffix} [%own], {braces}"));
        self.line("bar.sync 0");
        let (step, add) = (2 * self.below(32) + 1, self.below(64));
        self.line(&format!("mad.lo.u32 %index, %me, {step}, {add}"));
        self.line("and.b32 %index, %index, 63");
        self.line("mad.lo.u32 %index, %index, 16, %base");
        let narrow = ["u8", "s8", "u16", "s16", "b32"].choose(&mut self.random).copied().unwrap_or("b32");
        if self.below(2) == 0 {
            let (d, at) = (self.register(Class::Word), 4 * self.below(4));
            self.line(&format!("ld.shared.{narrow} {d}, [%index+{at}]"));
        } else {
            let (length, class, parts) = self.vector();
            let (suffix, braces) = vector_text(length, class, &parts);
            self.line(&format!("ld.shared{suffix} {braces}, [%index]"));
        }
        self.line("bar.sync 0");
    }

    /// Sums and the like of all threads of a CTA in one of 16 words.
    fn shared_atomics(&mut self) {
        let (by, value, d) = (self.register(Class::Word), self.register(Class::Word), self.register(Class::Word));
        let name = ["add.u32", "and.b32", "or.b32", "xor.b32", "min.s32", "max.u32", "min.u32", "max.s32"];
        let name = name.choose(&mut self.random).copied().unwrap_or("add.u32");
        self.line("shl.b32 %index, %me, 2");
        self.line("and.b32 %index, %index, 60");
        self.line("add.u32 %index, %index, %common");
        self.line(&format!("@%first st.shared.b32 [%index], {}", self.labels));
        self.line("bar.sync 0");
        self.line(&format!("and.b32 %place, {by}, 15"));
        self.line("mad.lo.u32 %place, %place, 4, %common");
        self.line(&format!("red.shared.{name} [%place], {value}"));
        self.line("bar.sync 0");
        self.line(&format!("ld.shared.b32 {d}, [%index]"));
        self.line("bar.sync 0");
    }

    /// An atomic at a place of the thread's own, in global memory.
    fn own_atomic(&mut self) {
        let words =
            ["exch.b32", "add.u32", "add.f32", "inc.u32", "dec.u32", "and.b32", "xor.b32", "min.s32", "max.u32"];
        let longs = ["exch.b64", "add.u64", "or.b64", "min.s64", "max.u64", "add.f64"];
        let space = "global";
        match self.below(5) {
            0 | 1 => {
                let name = words.choose(&mut self.random).copied().unwrap_or("add.u32");
                let (d, a) = (self.register(Class::Word), self.register(Class::Word));
                self.line(&format!("atom.{space}.{name} {d}, [%atomic], {a}"));
            }
            2 => {
                let name = longs.choose(&mut self.random).copied().unwrap_or("add.u64");
                let (d, a) = (self.register(Class::Long), self.register(Class::Long));
                self.line(&format!("atom.{space}.{name} {d}, [%atomic], {a}"));
            }
            3 => {
                let [d, a, b] = [(); 3].map(|()| self.register(Class::Word));
                self.line(&format!("atom.{space}.cas.b32 {d}, [%atomic], {a}, {b}"));
            }
            _ => {
                let ty = ["f16x2", "bf16x2"].choose(&mut self.random).copied().unwrap_or("f16x2");
                let (d, a) = (self.register(Class::Word), self.register(Class::Word));
                self.line(&format!("atom.{space}.add.noftz.{ty} {d}, [%atomic], {a}"));
            }
        }
    }

    /// A reduction of all threads of the launch, in one of 16 words.
    fn common_atomic(&mut self) {
        // The same operation in the whole program, so that the order does not matter.
        let (by, value) = (self.register(Class::Word), self.register(Class::Long));
        self.line(&format!("and.b32 %index, {by}, 15"));
        self.line("mad.wide.u32 %address, %index, 8, %all");
        self.line(&format!("red.global.add.u64 [%address], {value}"));
    }

    /// Local memory at a place that the thread computes.
    fn local(&mut self) {
        let (by, value, other, d) = (
            self.register(Class::Word),
            self.register(Class::Word),
            self.register(Class::Word),
            self.register(Class::Word),
        );
        self.line(&format!("and.b32 %index, {by}, {}", LOCAL_WORDS - 1));
        self.line("mad.lo.u32 %index, %index, 4, %stack");
        self.line(&format!("st.local.b32 [%index], {value}"));
        self.line(&format!("and.b32 %index, {other}, {}", LOCAL_WORDS - 1));
        self.line("mad.lo.u32 %index, %index, 4, %stack");
        self.line(&format!("ld.local.b32 {d}, [%index]"));
    }

    fn finish(self, name: &str) -> String {
        let (text, beginning, end) = (&self.text, beginning(), end());
        let mut registers = String::new();
        for class in Class::ALL {
            let _ = writeln!(registers, "\t.reg .{} {}<{}>;", class.ty(), class.prefix(), count(class));
        }
        let helper = if text.contains("helper") { HELPER } else { "" };
        format!(
            ".version 8.6\n.target sm_90a\n.address_size 64\n{helper}\
             .visible .entry {name}(.param .u64 in, .param .u64 out)\n.reqntid {BLOCK}, 1, 1\n{{\n{registers}\
             \t.reg .b32 %me, %cta, %thread, %index, %place, %own, %base, %common, %stack, %count0, %count1, %value;\n\
             \t.reg .b64 %in, %out, %all, %atomic, %address, %wide;\n\t.reg .pred %again, %first;\n\
             \t.shared .align 16 .b8 memory[{SHARED_BYTES}];\n\t.local .align 16 .b8 locals[{}];\n\
             {beginning}{text}{end}\tret;\n}}\n",
            4 * LOCAL_WORDS
        )
    }
}

/// A function that programs call.
const HELPER: &str = ".func (.param .b32 out) helper(.param .b32 a, .param .b32 b)\n{\n\t.reg .b32 %a, %b, %c;\n\
    \t.reg .pred %q;\n\tld.param.b32 %a, [a];\n\tld.param.b32 %b, [b];\n\tsetp.lt.s32 %q, %a, %b;\n\t@%q bra OTHER;\n\
    \tmul.hi.u32 %c, %a, %b;\n\tbra.uni DONE;\nOTHER:\n\txor.b32 %c, %a, %b;\nDONE:\n\tst.param.b32 [out], %c;\n\tret;\n}\n";

fn vector_text(length: u32, class: Class, parts: &[String]) -> (String, String) {
    match length {
        1 => (format!(".{}", class.ty()), parts[0].clone()),
        _ => (format!(".v{length}.{}", class.ty()), format!("{{{}}}", parts.join(", "))),
    }
}

/// Addresses, and inputs in all registers.
fn beginning() -> String {
    let mut lines = vec![
        "ld.param.b64 %in, [in]".to_string(),
        "ld.param.b64 %out, [out]".to_string(),
        "mov.u32 %me, %tid.x".to_string(),
        "mov.u32 %cta, %ctaid.x".to_string(),
        format!("mad.lo.u32 %thread, %cta, {BLOCK}, %me"),
        "mov.u32 %base, memory".to_string(),
        "mad.lo.u32 %own, %me, 16, %base".to_string(),
        format!("add.u32 %common, %base, {}", 16 * BLOCK),
        "setp.lt.u32 %first, %me, 16".to_string(),
        "mov.u32 %stack, locals".to_string(),
        format!("add.u64 %all, %out, {}", 8 * slots() * THREADS),
        "mad.wide.u32 %atomic, %thread, 8, %all".to_string(),
        "add.u64 %atomic, %atomic, 128".to_string(),
        "mad.wide.u32 %address, %thread, 4, %in".to_string(),
        "mad.wide.u32 %wide, %thread, 8, %in".to_string(),
    ];
    let words = count(Class::Word);
    for i in 0..words {
        lines.push(format!("ld.global.b32 %w{i}, [%address+{}]", 4 * THREADS * i));
    }
    for i in 0..count(Class::Long) {
        lines.push(format!("ld.global.b64 %l{i}, [%wide+{}]", 4 * THREADS * (words + 2 * i)));
    }
    let rest = words + 2 * count(Class::Long);
    for i in 0..count(Class::Half) {
        // Halves of words: the lower ones and the upper ones in turn.
        let at = 4 * THREADS * (rest + i / 2) + 2 * (i % 2);
        lines.push(format!("ld.global.b16 %h{i}, [%address+{at}]"));
    }
    lines.push(format!("ld.global.b32 %value, [%address+{}]", 4 * THREADS * (INPUTS - 1)));
    for i in 0..count(Class::Predicate) {
        lines.push(format!("and.b32 %index, %value, {}", 1 << (5 * i)));
        lines.push(format!("setp.ne.u32 %p{i}, %index, 0"));
    }
    for i in 0..LOCAL_WORDS {
        lines.push(format!("st.local.b32 [%stack+{}], {i}", 4 * i));
    }
    lines.into_iter().map(|line| format!("\t{line};\n")).collect()
}

/// Writes of all registers.
fn end() -> String {
    let mut out = String::from("\tmad.wide.u32 %address, %thread, 8, %out;\n");
    let mut slot = 0;
    for class in Class::ALL {
        for i in 0..count(class) {
            let name = format!("{}{i}", class.prefix());
            let convert = match class {
                Class::Half => format!("cvt.u64.u16 %wide, {name}"),
                Class::Word => format!("cvt.u64.u32 %wide, {name}"),
                Class::Long => format!("mov.b64 %wide, {name}"),
                Class::Predicate => format!("selp.b64 %wide, 1, 0, {name}"),
            };
            let _ = write!(out, "\t{convert};\n\tst.global.b64 [%address+{}], %wide;\n", 8 * slot * THREADS);
            slot += 1;
        }
    }
    out
}

/// The last operand of a shift of 64 bits, and what is before it. ptxas 12.8 and 13.0 take the bits of a register that an instruction of f32
/// wrote last for a number there, and convert it to an integer; a copy of the register is taken as it is.
fn long_shift_amount(text: &str) -> Option<(&str, &str)> {
    let is_shift = ["shl.b64", "shr.u64", "shr.s64"].iter().any(|name| text.contains(name));
    text.rsplit_once(' ').filter(|_| is_shift && !text.contains('\n'))
}
