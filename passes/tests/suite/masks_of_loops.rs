//! Masks of random loops: one that `canonicalize` takes for a constant is that constant for all bounds that the loop may have.

use super::run;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What is compared with what, and by which predicate.
struct Mask {
    form: Form,
    /// A power of two that divides `K`.
    divisor: i64,
    lower: i64,
    step: i64,
    /// The first number of the range.
    start: i64,
    /// Elements of the block.
    block: i64,
    predicate: &'static str,
    is_turned: bool,
}

#[derive(Clone, Copy)]
enum Form {
    /// `k + range` beside `K`, in a loop to `K`.
    Sum,
    /// `range` beside `K - k`, in a loop to `K`.
    Left,
    /// `range` beside `K - k * step`, in a loop to `(K + step - 1) / step`.
    Blocks,
}

const PREDICATES: [&str; 6] = ["slt", "sle", "sgt", "sge", "eq", "ne"];

impl Mask {
    fn draw(random: &mut ChaCha8Rng) -> Self {
        let mut pick = |from: &[i64]| from[random.random_range(0..from.len())];
        let (divisor, step, block) = (pick(&[1, 16, 32, 64]), pick(&[1, 16, 32, 48, 64]), pick(&[1, 2, 16, 32, 64]));
        let start = pick(&[0, 0, 1]);
        let lower = pick(&[0, 0, 16, 64, -64]);
        let form = [Form::Sum, Form::Left, Form::Blocks][random.random_range(0..3)];
        let predicate = PREDICATES[random.random_range(0..PREDICATES.len())];
        Self { form, divisor, lower, step, start, block, predicate, is_turned: random.random() }
    }

    fn text(&self) -> String {
        let Self { divisor, lower, step, start, block, predicate, .. } = self;
        let (upper, by) = match self.form {
            Form::Sum | Form::Left => ("%K", "%step"),
            Form::Blocks => ("%blocks", "%one"),
        };
        let block_of = |value: &str, name: &str| format!("%{name} = tt.splat {value} : i32 -> tensor<{block}xi32>\n");
        let (left, right, sides) = match self.form {
            Form::Sum => {
                let sum = format!("%sum = arith.addi %ks, %range : tensor<{block}xi32>\n");
                ("%sum", "%Ks", block_of("%k", "ks") + &block_of("%K", "Ks") + &sum)
            }
            Form::Left => {
                ("%range", "%lefts", "%left = arith.subi %K, %k : i32\n".to_string() + &block_of("%left", "lefts"))
            }
            Form::Blocks => {
                let left = "%done = arith.muli %k, %step : i32\n%left = arith.subi %K, %done : i32\n";
                ("%range", "%lefts", left.to_string() + &block_of("%left", "lefts"))
            }
        };
        let (left, right) = if self.is_turned { (right, left) } else { (left, right) };
        format!(
            "module {{\ntt.func public @k(%K: i32 {{tt.divisibility = {divisor} : i32}}, %p: tensor<{block}x!tt.ptr<i1>>) {{
%lower = arith.constant {lower} : i32
%step = arith.constant {step} : i32
%one = arith.constant 1 : i32
%rest = arith.constant {} : i32
%more = arith.addi %K, %rest : i32
%blocks = arith.divsi %more, %step : i32
%range = tt.make_range {{start = {start} : i32, end = {} : i32}} : tensor<{block}xi32>
scf.for %k = %lower to {upper} step {by} : i32 {{
{sides}%mask = arith.cmpi {predicate}, {left}, {right} : tensor<{block}xi32>
tt.store %p, %mask : tensor<{block}x!tt.ptr<i1>>
}}
tt.return
}}
}}
",
            step - 1,
            start + block
        )
    }

    /// Every outcome that the mask has, for some bounds.
    fn outcomes(&self) -> [bool; 2] {
        let mut seen = [false; 2];
        for bound in (-256..=512).step_by(self.divisor as usize) {
            let (upper, by) = match self.form {
                Form::Sum | Form::Left => (bound, self.step),
                Form::Blocks => ((bound + self.step - 1) / self.step, 1),
            };
            for k in (self.lower..upper).step_by(by as usize) {
                for element in self.start..self.start + self.block {
                    let (left, right) = match self.form {
                        Form::Sum => (k + element, bound),
                        Form::Left => (element, bound - k),
                        Form::Blocks => (element, bound - k * self.step),
                    };
                    let (left, right) = if self.is_turned { (right, left) } else { (left, right) };
                    seen[usize::from(self.holds(left, right))] = true;
                }
            }
        }
        seen
    }

    fn holds(&self, left: i64, right: i64) -> bool {
        match self.predicate {
            "slt" => left < right,
            "sle" => left <= right,
            "sgt" => left > right,
            "sge" => left >= right,
            "eq" => left == right,
            "ne" => left != right,
            other => panic!("{other} is drawn from the list"),
        }
    }
}

#[test]
fn masks_that_are_constants_have_one_outcome() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let (mut folded, mut kept) = (0, 0);
    for _ in 0..600 {
        let mask = Mask::draw(&mut random);
        let (text, seen) = (mask.text(), mask.outcomes());
        let after = run("mask.mlir", &text, "canonicalize", "sm_90a", (4, 3));
        assert!(after.contains("tt.func"), "{after}\n{text}");
        if after.contains("arith.cmpi") {
            kept += 1;
            continue;
        }
        // Loops that never run have no outcome, and their stores go away.
        let is = |outcome: &str| after.contains(outcome);
        let known = [is("dense<false>") || is("constant false"), is("dense<true>") || is("constant true")];
        let is_known = seen.iter().zip(known).all(|(seen, known)| known || !seen);
        assert!(is_known, "{seen:?}\n{text}\n{after}");
        folded += 1;
    }
    assert!(folded > 100 && kept > 100, "{folded} constants, {kept} comparisons");
}
