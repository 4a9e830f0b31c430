//! Accesses to registers of products in flight: by hand, and random programs against all ways through them.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use tk_diag::SourceFile;
use tk_ptx::{Module, parse};

const FROM_MEMORY: &str = "{%r0, %r1, %r2, %r3}, %rd0, %rd1, 1, 1, 1, 0, 0;";
const FROM_REGISTERS: &str = "{%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7}, %rd1, 1, 1, 1, 0;";

/// A kernel with this body.
fn kernel(body: &str) -> Module {
    let registers = ".reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<8>;\n";
    let text = format!(".version 8.0\n.target sm_90a\n.visible .entry k()\n{{\n{registers}{body}\nret;\n}}\n");
    let source = SourceFile::new("k.ptx", text);
    parse(&source).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)))
}

/// The text of the instruction that touches a product in flight.
fn touched(body: &str) -> Option<String> {
    let module = kernel(body);
    let mut touched = module.functions.iter().filter_map(|function| function.touches_dot_in_flight());
    touched.next().map(|place| module.source.slice(place.0).to_owned())
}

/// A product of these operands, as a group.
fn group(operands: &str) -> String {
    format!("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {operands}\nwgmma.commit_group.sync.aligned;\n")
}

fn wait(pending: usize) -> String {
    format!("wgmma.wait_group.sync.aligned {pending};\n")
}

#[test]
fn accumulators_are_left_alone_until_the_wait() {
    let product = group(FROM_MEMORY);
    assert_eq!(touched(&format!("mov.b32 %r0, 0;\n{product}{}mov.b32 %r9, %r0;", wait(0))), None);
    assert_eq!(touched(&format!("{product}mov.b32 %r9, %r0;\n{}", wait(0))).unwrap(), "mov.b32 %r9, %r0");
    assert_eq!(touched(&format!("{product}mov.b32 %r0, %r9;\n{}", wait(0))).unwrap(), "mov.b32 %r0, %r9");
    assert_eq!(touched(&format!("{product}mov.b32 %r8, %r9;\n{}", wait(0))), None);
    // Without a commit there is no group to wait for.
    let (issue, _) = product.split_once('\n').unwrap();
    assert!(touched(&format!("{issue}\n{}mov.b32 %r9, %r0;", wait(0))).is_some());
}

#[test]
fn groups_that_are_waited_for_right_behind_them_have_nothing_beside_them() {
    let waits = |body: &str| kernel(body).functions.iter().all(|function| function.waits_for_each_dot());
    let product = group(FROM_MEMORY);
    let (issue, _) = product.split_once('\n').unwrap();
    let passage = format!("{{\n.reg .b64 next;\n{issue}\nadd.s64 next, %rd1, 128;\n{product}}}\n");
    let once = format!("{passage}{}", wait(0));
    assert!(waits("mov.b32 %r0, 0;") && waits(&format!("{once}mov.b32 %r9, %r0;\n{once}")));
    assert!(!waits(&format!("{passage}mov.b32 %r8, %r9;\n{}", wait(0))), "beside the group");
    assert!(!waits(&format!("{{\n{issue}\n}}\nmov.b32 %r8, %r9;\n{once}")), "among its dots");
    assert!(!waits(&format!("{passage}{passage}{}", wait(0))), "two groups");
    assert!(!waits(&format!("{passage}{}{}", wait(1), wait(0))) && !waits(&passage), "not all");
}

#[test]
fn words_of_the_left_operand_may_be_read_but_not_written() {
    let product = group(FROM_REGISTERS);
    assert_eq!(touched(&format!("{product}mov.b32 %r9, %r4;\n{}mov.b32 %r4, 0;", wait(0))), None);
    assert_eq!(touched(&format!("{product}mov.b32 %r4, 0;\n{}", wait(0))).unwrap(), "mov.b32 %r4, 0");
    // A product must not read the sums of another as its operand either.
    let chained = "{%r8, %r9, %r10, %r11}, {%r0, %r1, %r2, %r3}, %rd1, 1, 1, 1, 0;";
    assert!(touched(&format!("{product}{}{}", group(chained), wait(0))).is_some());
    assert_eq!(touched(&format!("{product}{}{}{}", wait(0), group(chained), wait(0))), None);
}

#[test]
fn a_wait_leaves_the_newest_groups_in_flight() {
    let (first, second) = (group(FROM_MEMORY), group("{%r8, %r9, %r10, %r11}, %rd0, %rd1, 1, 1, 1, 0, 0;"));
    assert_eq!(touched(&format!("{first}{second}{}mov.b32 %r20, %r0;\n{}", wait(1), wait(0))), None);
    assert!(touched(&format!("{first}{second}{}mov.b32 %r20, %r8;\n{}", wait(1), wait(0))).is_some());
    assert!(touched(&format!("{first}{second}{}mov.b32 %r20, %r0;\n{}", wait(2), wait(0))).is_some());
    // The same sums again are of the newest group.
    assert!(touched(&format!("{first}{first}{}mov.b32 %r20, %r0;\n{}", wait(1), wait(0))).is_some());
}

#[test]
fn a_product_of_the_iteration_before_is_in_flight() {
    let looped = |before: &str, behind: &str| {
        touched(&format!("L:\n{before}{}{behind}@%p1 bra L;\n{}mov.b32 %r9, %r0;", group(FROM_MEMORY), wait(0)))
    };
    assert_eq!(looped("", ""), None);
    assert_eq!(looped("mov.b32 %r9, %r0;\n", &wait(0)), None);
    assert_eq!(looped("mov.b32 %r9, %r0;\n", "").unwrap(), "mov.b32 %r9, %r0");
    assert_eq!(looped("@%p2 bra M;\nmov.b32 %r9, %r0;\nM:\n", "").unwrap(), "mov.b32 %r9, %r0");
}

/// One made-up instruction.
#[derive(Clone, Copy, Debug)]
enum Made {
    /// Adds to register `sum`, and reads its left operand from `word` if that is one.
    Product {
        sum: usize,
        word: Option<usize>,
    },
    Commit,
    Wait(usize),
    Move {
        to: usize,
        from: usize,
    },
    Branch {
        to: usize,
        always: bool,
    },
}

const REGISTERS: usize = 4;

impl Made {
    fn draw(random: &mut ChaCha8Rng, length: usize) -> Self {
        match random.random_range(0..9) {
            0..3 => {
                let sum = random.random_range(0..REGISTERS);
                let word =
                    Some(random.random_range(0..REGISTERS)).filter(|word| *word != sum && random.random_bool(0.4));
                Self::Product { sum, word }
            }
            3..5 => Self::Commit,
            5 => Self::Wait(random.random_range(0..3)),
            6 | 7 => Self::Move { to: random.random_range(0..REGISTERS), from: random.random_range(0..REGISTERS) },
            _ => Self::Branch { to: random.random_range(0..length), always: random.random_bool(0.2) },
        }
    }

    fn text(self) -> String {
        match self {
            Self::Product { sum, word } => {
                let left = word.map_or("%rd0".to_owned(), |word| format!("{{%r{word}}}"));
                format!("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{%r{sum}}}, {left}, %rd1, 1, 1, 1, 0;")
            }
            Self::Commit => "wgmma.commit_group.sync.aligned;".to_owned(),
            Self::Wait(pending) => format!("wgmma.wait_group.sync.aligned {pending};"),
            Self::Move { to, from } => format!("mov.b32 %r{to}, %r{from};"),
            Self::Branch { to, always } => format!("{}bra L{to};", if always { "" } else { "@%p2 " }),
        }
    }
}

/// What runs at a place: groups, oldest first, of products as (sum, word). The last one is not committed.
type Running = Vec<Vec<(usize, Option<usize>)>>;

/// Groups behind these many make no difference to waits.
const KEPT: usize = 4;

/// Some way through the program touches a product in flight: every state that control can reach is looked at.
fn some_way_touches(program: &[Made]) -> bool {
    let mut seen = HashSet::new();
    let mut pending: Vec<(usize, Running)> = vec![(0, vec![Vec::new()])];
    while let Some((at, mut running)) = pending.pop() {
        if at >= program.len() || !seen.insert((at, running.clone())) {
            continue;
        }
        let sums = |register: usize| running.iter().flatten().any(|(sum, _)| *sum == register);
        let words = |register: usize| running.iter().flatten().any(|(_, word)| *word == Some(register));
        match program[at] {
            Made::Product { sum, word } => {
                if word.is_some_and(sums) || words(sum) {
                    return true;
                }
                let newest = running.last_mut().unwrap();
                if !newest.contains(&(sum, word)) {
                    newest.push((sum, word));
                    newest.sort_unstable();
                }
            }
            Made::Commit => {
                running.push(Vec::new());
                // A bounded number of states: what is older than any wait asks for runs on as the oldest group.
                while running.len() > KEPT + 1 {
                    let oldest = running.remove(0);
                    running[0].extend(oldest);
                    running[0].sort_unstable();
                    running[0].dedup();
                }
            }
            Made::Wait(pending) => {
                let ended = (running.len() - 1).saturating_sub(pending);
                running.drain(..ended);
            }
            Made::Move { to, from } => {
                if sums(from) || sums(to) || words(to) {
                    return true;
                }
            }
            Made::Branch { to, always } => {
                pending.push((to, running.clone()));
                if always {
                    continue;
                }
            }
        }
        pending.push((at + 1, running));
    }
    false
}

#[test]
fn random_programs_agree_with_all_ways_through_them() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut touching, mut clean) = (0, 0);
    for round in 0..3000 {
        let length = random.random_range(1..14);
        let program: Vec<Made> = (0..length).map(|_| Made::draw(&mut random, length)).collect();
        let text: Vec<String> =
            program.iter().enumerate().map(|(at, made)| format!("L{at}: {}", made.text())).collect();
        let text = text.join("\n");
        let expected = some_way_touches(&program);
        *if expected { &mut touching } else { &mut clean } += 1;
        assert_eq!(touched(&text).is_some(), expected, "round {round}:\n{text}");
    }
    assert!(touching > 500 && clean > 500, "{touching} touching, {clean} clean");
}
