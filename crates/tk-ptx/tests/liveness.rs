//! The count of live registers against paths: a value is needed at a place when a use can be reached from it before a write.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_diag::SourceFile;
use tk_ptx::{Function, Module, parse};

fn read(text: &str) -> Module {
    parse(&SourceFile::new("k.ptx", text)).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)))
}

fn peak(body: &str) -> u32 {
    let registers = ".reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<64>;\n.reg .b64 %rd<8>;\n";
    let module = read(&format!(".version 8.0\n.target sm_90a\n.visible .entry k()\n{{\n{registers}{body}\nret;\n}}\n"));
    let peaks: Vec<u32> = module.entries().map(Function::peak_registers).collect();
    peaks[0]
}

#[test]
fn values_count_from_their_write_to_their_last_use() {
    assert_eq!(peak(""), 0);
    assert_eq!(peak("mov.b32 %r1, 1;"), 1);
    assert_eq!(peak("mov.b32 %r1, 1;\nmov.b32 %r2, 2;\nadd.s32 %r3, %r1, %r2;"), 2);
    // The operands and the result may share a register.
    assert_eq!(peak("mov.b64 %rd1, 1;\nadd.s64 %rd1, %rd1, 1;\nst.global.b64 [%rd1], %rd1;"), 2);
    assert_eq!(peak("mov.b16 %h1, 1;\nmov.b64 %rd1, 1;\nsetp.eq.s64 %p1, %rd1, 0;\nst.global.b16 [%rd1], %h1;"), 3);
    // Both halves are there at once.
    assert_eq!(peak("mov.b64 %rd1, 1;\nmov.b64 {%r1, %r2}, %rd1;\nst.global.v2.b32 [%rd1], {%r1, %r2};"), 4);
}

#[test]
fn each_instruction_says_what_lives_at_it() {
    let text = ".version 8.0\n.target sm_90a\n.visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nmov.b64 %rd1, 1;\nmov.b32 %r1, 2;\nadd.s32 %r2, %r1, 3;\n\
                st.global.v2.b32 [%rd1], {%r1, %r2};\nmov.b32 %r3, 4;\nret;\n}\n";
    let file = SourceFile::new("k.ptx", text);
    let module = parse(&file).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    let live = module.entries().flat_map(Function::live_registers);
    let found: Vec<(u32, u32)> = live.map(|live| (file.line_column(live.place.0.start).line, live.registers)).collect();
    assert_eq!(found, [(7, 2), (8, 3), (9, 4), (10, 4), (11, 1), (12, 0)]);
}

#[test]
fn what_a_guard_leaves_is_still_needed() {
    // Without the guard the first value would be dead from the start.
    assert_eq!(peak("mov.b32 %r1, 1;\nmov.b32 %r2, 2;\nmov.b32 %r1, %r2;\nst.shared.b32 [%r1], 0;"), 1);
    let guarded =
        "mov.b32 %r1, 1;\nmov.b32 %r2, 2;\nmov.b32 %r3, 2;\n@%p1 mov.b32 %r1, %r2;\nst.shared.b32 [%r1], %r3;";
    assert_eq!(peak(guarded), 3);
}

#[test]
fn a_product_reads_and_writes_its_sums() {
    let product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1, %r2, %r3, %r4}, %rd1, %rd2, 1, 1, 1, 0, 0;";
    // Four sums from before the loop to behind it, two descriptors and a counter in it.
    let text = format!(
        "L:\n{product}\nadd.s32 %r9, %r9, 1;\nsetp.lt.s32 %p1, %r9, 4;\n@%p1 bra L;\nst.shared.v4.b32 [%r9], {{%r1, %r2, %r3, %r4}};"
    );
    assert_eq!(peak(&text), 4 + 2 + 2 + 1);
}

#[test]
fn labels_belong_to_their_braces() {
    let wait =
        "{\n.reg .pred done;\nWAIT:\nmbarrier.try_wait.parity.shared.b64 done, [%r1], %r2;\n@!done bra WAIT;\n}\n";
    assert_eq!(peak(&format!("mov.b32 %r1, 0;\nmov.b32 %r2, 0;\n{wait}{wait}")), 2);
}

/// One made-up instruction: `d = a + b`, perhaps guarded, or a branch.
#[derive(Clone, Copy)]
enum Made {
    Add { d: usize, a: usize, b: usize, guarded: bool },
    Branch { to: usize, always: bool },
}

/// Registers of the made-up programs.
const REGISTERS: usize = 9;

/// `register` is needed before instruction `at`: a walk forwards over every path.
fn needed(program: &[Made], register: usize, at: usize) -> bool {
    let mut seen = vec![false; program.len()];
    let mut pending = vec![at];
    while let Some(at) = pending.pop() {
        if at >= program.len() || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        match program[at] {
            Made::Add { a, b, .. } if a == register || b == register => return true,
            Made::Add { d, guarded, .. } if d == register && !guarded => {}
            Made::Add { .. } => pending.push(at + 1),
            Made::Branch { to, always } => {
                pending.push(to);
                if !always {
                    pending.push(at + 1);
                }
            }
        }
    }
    false
}

#[test]
fn random_programs_agree_with_paths() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for round in 0..400 {
        let length = 1 + random.random_range(0..24);
        let program: Vec<Made> = (0..length)
            .map(|_| match random.random_range(0..5) {
                0 => Made::Branch { to: random.random_range(0..length), always: random.random_range(0..4) == 0 },
                _ => Made::Add {
                    d: random.random_range(0..REGISTERS),
                    a: random.random_range(0..REGISTERS),
                    b: random.random_range(0..REGISTERS),
                    guarded: random.random_range(0..5) == 0,
                },
            })
            .collect();
        let text: Vec<String> = program
            .iter()
            .enumerate()
            .map(|(at, made)| match made {
                Made::Add { d, a, b, guarded } => {
                    format!("L{at}: {}add.s32 %r{d}, %r{a}, %r{b};", if *guarded { "@%p1 " } else { "" })
                }
                Made::Branch { to, always } => format!("L{at}: {}bra L{to};", if *always { "" } else { "@%p2 " }),
            })
            .collect();
        // Where control cannot come to, nothing is asked: the walk counts there too, and so does the check.
        let mut most = 0;
        for at in 0..length {
            let count = |at: usize, extra: Option<usize>| {
                (0..REGISTERS).filter(|register| Some(*register) == extra || needed(&program, *register, at)).count()
            };
            most = most.max(count(at, None));
            if let Made::Add { d, .. } = program[at] {
                most = most.max(count(at + 1, Some(d)));
            }
        }
        assert_eq!(peak(&text.join("\n")) as usize, most, "round {round}:\n{}", text.join("\n"));
    }
}
