//! Other orders of the multiply-adds of a product, in the text of a kernel.
//!
//! A product by multiply-add goes through k in steps: each adds to all sums of a thread, and the additions of a step do not wait for each other. In which
//! order they stand says which registers ptxas gives them.
//!
//! What a step loads from shared memory, and computes of that, stays in its order and comes before the multiply-adds. Nothing passes anything else: a
//! branch, a label, a barrier, a store, inline assembly. A line that needs a sum, or writes what a multiply-add reads or writes, begins the next step.

use std::collections::HashSet;

/// An order of the multiply-adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Each step goes from the last sum to the first one.
    Reversed,
    /// The second step does, the fourth, and so on: each begins with the sums that the one before ends with.
    ThereAndBack,
    /// The first step does, the third, and so on.
    BackAndThere,
}

impl Order {
    pub(crate) const ALL: [Self; 3] = [Self::Reversed, Self::ThereAndBack, Self::BackAndThere];

    /// Whether a step goes from the last sum to the first one, after so many others.
    fn reverses(self, steps_before: usize) -> bool {
        match self {
            Self::Reversed => true,
            Self::ThereAndBack => steps_before % 2 == 1,
            Self::BackAndThere => steps_before.is_multiple_of(2),
        }
    }
}

/// Multiply-adds of a step. Fewer are no product.
const FEWEST: usize = 8;

/// What may stand in a step beside multiply-adds: loads from shared memory whose order nobody else sees, and what makes operands and addresses.
const BEFORE: [&str; 8] = ["ld.shared.", "cvt.", "add.s32", "shl.b32", "and.b32", "mov.b32", "mov.b64", "prmt.b32"];

/// A line of a kernel.
#[derive(Clone, Copy)]
struct Line<'p> {
    text: &'p str,
    /// The directive that says which line of the program it comes from; empty before the first one.
    place: &'p str,
}

/// What a line of a step does.
struct Parts<'p> {
    is_multiply_add: bool,
    written: Vec<&'p str>,
    read: Vec<&'p str>,
}

impl<'p> Parts<'p> {
    /// Of a line that may be part of a step.
    fn of(text: &'p str) -> Option<Self> {
        let statement = text.trim().strip_suffix(';').filter(|statement| !statement.contains(';'))?;
        let (opcode, operands) = statement.split_once(char::is_whitespace)?;
        let is_multiply_add = matches!(opcode, "fma.rn.f32" | "fma.rn.ftz.f32");
        if !is_multiply_add && !BEFORE.iter().any(|before| opcode.starts_with(before)) {
            return None;
        }
        let end = if operands.trim_start().starts_with('{') { '}' } else { ',' };
        let (written, read) = operands.split_once(end)?;
        Some(Self { is_multiply_add, written: registers(written), read: registers(read) })
    }
}

/// The registers that operands name.
fn registers(operands: &str) -> Vec<&str> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || "%_$".contains(letter);
    operands.split(|letter| !is_of_name(letter)).filter(|name| name.starts_with('%')).collect()
}

/// Lines whose multiply-adds do not wait for each other.
#[derive(Default)]
struct Step<'p> {
    /// All lines, in the order of the text.
    lines: Vec<Line<'p>>,
    before: Vec<Line<'p>>,
    multiply_adds: Vec<Line<'p>>,
    /// By multiply-adds.
    written: HashSet<&'p str>,
    read: HashSet<&'p str>,
}

impl<'p> Step<'p> {
    /// A line may stand before the multiply-adds of the step, or among them.
    fn takes(&self, parts: &Parts<'p>) -> bool {
        let is_free = |register: &&str| !self.written.contains(*register);
        parts.read.iter().all(is_free) && parts.written.iter().all(|to| is_free(to) && !self.read.contains(to))
    }

    fn add(&mut self, line: Line<'p>, parts: Parts<'p>) {
        self.lines.push(line);
        if parts.is_multiply_add {
            self.multiply_adds.push(line);
            self.written.extend(parts.written);
            self.read.extend(parts.read);
        } else {
            self.before.push(line);
        }
    }
}

/// A text as it is written again.
struct Text<'p> {
    order: Order,
    text: String,
    /// What the last line came from.
    place: &'p str,
    /// Steps of products so far.
    steps: usize,
}

impl<'p> Text<'p> {
    fn line(&mut self, line: Line<'p>) {
        let places = if line.place == self.place { None } else { Some(line.place) };
        for text in places.into_iter().chain([line.text]) {
            self.text.push_str(text);
            self.text.push('\n');
        }
        self.place = line.place;
    }

    fn step(&mut self, step: &mut Step<'p>) {
        let Step { lines, before, mut multiply_adds, .. } = std::mem::take(step);
        if multiply_adds.len() < FEWEST {
            lines.into_iter().for_each(|line| self.line(line));
            return;
        }
        if self.order.reverses(self.steps) {
            multiply_adds.reverse();
        }
        self.steps += 1;
        before.into_iter().chain(multiply_adds).for_each(|line| self.line(line));
    }
}

/// The text with the multiply-adds of its products in another order. Nothing where it has no products.
pub(crate) fn reordered(ptx: &str, order: Order) -> Option<String> {
    let mut text = Text { order, text: String::with_capacity(ptx.len()), place: "", steps: 0 };
    let (mut step, mut place, mut is_inline) = (Step::default(), "", false);
    for line in ptx.lines() {
        if line.trim_start().starts_with(".loc") {
            place = line;
            continue;
        }
        is_inline = (is_inline || line.contains("// begin inline asm")) && !line.contains("// end inline asm");
        let (parts, line) = (if is_inline { None } else { Parts::of(line) }, Line { text: line, place });
        if !parts.as_ref().is_some_and(|parts| step.takes(parts)) {
            text.step(&mut step);
        }
        match parts {
            Some(parts) => step.add(line, parts),
            None => text.line(line),
        }
    }
    text.step(&mut step);
    (text.steps > 0).then_some(text.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many multiply-adds to sums with names that begin like this.
    fn adds(sums: &str, from: &str, order: impl Iterator<Item = usize>) -> String {
        order.map(|at| format!("\tfma.rn.f32 \t%{sums}{at}, %x1, %y{at}, %{from}{at};\n")).collect()
    }

    const LOAD: &str = "\tld.shared.v2.b32 \t{%y1, %y2}, [%a1+16];\n";

    #[test]
    fn steps_are_reversed_behind_their_loads() {
        let text = |first: String, second: String, load_at: [&str; 2]| {
            let [early, late] = load_at;
            format!("{{\n{early}{first}{late}{second}\tbar.sync \t0;\n}}\n")
        };
        let next_load = "\tld.shared.b32 \t%z1, [%a1+4];\n";
        let given = text(adds("b", "a", 1..9), adds("c", "b", 1..9), [LOAD, next_load]);
        let [back, there] = [|sums, from| adds(sums, from, (1..9).rev()), |sums, from| adds(sums, from, 1..9)];
        let moved = [&format!("{LOAD}{next_load}"), ""];
        assert_eq!(reordered(&given, Order::Reversed), Some(text(back("b", "a"), back("c", "b"), moved)));
        assert_eq!(reordered(&given, Order::ThereAndBack), Some(text(there("b", "a"), back("c", "b"), moved)));
        assert_eq!(reordered(&given, Order::BackAndThere), Some(text(back("b", "a"), there("c", "b"), moved)));
    }

    #[test]
    fn nothing_passes_what_it_depends_on() {
        let first = adds("b", "a", 1..9);
        let back = adds("b", "a", (1..9).rev());
        for stays in [
            "\tbar.sync \t0;\n",
            "$L__BB0_2:\n",
            "\tst.shared.b32 \t[%a1], %b1;\n",
            "\tadd.s32 \t%y1, %a1, 4;\n",
            "\tmov.b32 \t%q1, %b3;\n",
            "\tcvt.rn.f16.f32 \t%b2, %q1;\n",
            "\t// begin inline asm\n\tmov.b32 \t%q1, %q2;\n\t// end inline asm\n",
        ] {
            let text = |adds: &str| format!("{LOAD}{adds}{stays}{LOAD}");
            let late = format!("{LOAD}{back}{stays}{LOAD}");
            assert_eq!(reordered(&text(&first), Order::Reversed), Some(late), "{stays}");
        }
        let few = adds("b", "a", 1..8);
        assert_eq!(reordered(&few, Order::Reversed), None, "no product");
        let inline = format!("\t// begin inline asm\n{first}\t// end inline asm\n");
        assert_eq!(reordered(&inline, Order::Reversed), None, "somebody else's order");
    }

    #[test]
    fn lines_keep_their_places() {
        let [one, two] = ["\t.loc\t1 4 2\n", "\t.loc\t1 5 2\n"];
        let (sums, first) = (adds("b", "a", 1..9), adds("b", "a", (2..9).rev()));
        let (head, tail) = sums.split_at(sums.len() / 8);
        let given = format!("{one}{head}{two}{tail}{one}\tret;\n");
        assert_eq!(reordered(&given, Order::Reversed), Some(format!("{two}{first}{one}{head}\tret;\n")));
    }
}
