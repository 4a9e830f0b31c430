//! Broken PTX gives one located error and never a panic.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tk_diag::{Diagnostic, SourceFile};
use tk_ptx::parse;

fn fail(text: &str) -> Box<Diagnostic> {
    match parse(&SourceFile::new("k.ptx", text)) {
        Ok(_) => panic!("this must not parse"),
        Err(error) => {
            assert!(!error.labels.is_empty(), "an error has a place: {error}");
            error
        }
    }
}

fn body(text: &str) -> String {
    format!(".version 8.0\n.target sm_80\n.entry k()\n{{\n.reg .b32 %r<3>;\n{text}\n}}\n")
}

#[test]
fn errors_say_what_and_where() {
    let cases = [
        ("", "no"),
        ("hello", "expected a directive"),
        (".version x", "version"),
        (&body("mov.b32 %r7, 1;"), "`%r7` is not declared"),
        (&body("mov.b32 %r1, 1"), "expected `;`"),
        (&body("mov.b32 %r1, [;"), "expected a name"),
        (&body("mov.b32 %r1, {%r1;"), "expected `}`"),
        (&body("mov.b32 %r1, 0xZZ;"), "expected a number"),
        (&body("@%r9 ret;"), "not declared"),
        (&body("MOV %r1;"), "neither an instruction"),
        (&body("add.s32 %r1, %r2, é;"), "character"),
        (&body(".pragma \"no end"), "quotes"),
        (&body(".reg .b32 %q<4000000000>;"), "registers"),
        (&body(".loc 1 2"), "expected a number"),
        (".version 8.0\n.entry k() {", "no closing"),
        (".version 8.0\n.section .debug_info {", "no closing"),
        (".version 8.0\n.global .b8 x[4] = {1, 2", "expected"),
    ];
    for (text, part) in cases {
        let error = fail(text);
        assert!(error.message.contains(part), "{:?} gives {}", text, error.message);
    }
}

#[test]
fn huge_inputs_are_answered() {
    let error = fail(&body(&"{".repeat(100_000)));
    assert_eq!(error.code.slug, "nesting-too-deep");
    let error = fail(&"x".repeat(10_000_000));
    assert!(error.message.len() < 500);
    let error = fail(&body(&format!("add.s32 {};", "%r1, ".repeat(2_000_000))));
    assert!(error.message.contains("operand"));
    fail(&format!(".version 8.0\n{}", "(".repeat(100_000)));
    fail(&body(&"[".repeat(100_000)));
    fail(&format!(".version 8.0 .global .b8 x = {}", "{".repeat(100_000)));
}

#[test]
fn every_prefix_and_every_damage_is_answered_without_a_panic() {
    let text = include_str!("data/softmax_kernel.ptx");
    for end in (0..text.len().min(12_000)).step_by(37) {
        let _ = parse(&SourceFile::new("k.ptx", &text[..end]));
    }
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..150 {
        let mut bytes = text.as_bytes()[..8_000].to_vec();
        for _ in 0..4 {
            let at = random.random_range(0..bytes.len());
            bytes[at] = random.random_range(0..0x80);
        }
        let _ = parse(&SourceFile::new("k.ptx", String::from_utf8_lossy(&bytes)));
    }
}
