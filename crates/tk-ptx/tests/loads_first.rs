//! Loads before what is computed of them, with a branch behind them.

use tk_diag::SourceFile;
use tk_ptx::rewrite::Rewrite;
use tk_ptx::{Module, parse};

fn read(text: &str) -> Module {
    parse(&SourceFile::new("k.ptx", text)).unwrap_or_else(|e| panic!("{}", tk_diag::render(&e, tk_diag::Style::Plain)))
}

/// A kernel with this body.
fn kernel(body: &str) -> String {
    let registers =
        "\t.reg .pred %p<4>;\n\t.reg .b16 %rs<4>;\n\t.reg .b32 %r<16>;\n\t.reg .f32 %f<4>;\n\t.reg .b64 %rd<4>;\n";
    format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n\n.visible .entry k()\n{{\n{registers}$L__func_begin0:\n{body}\tret;\n}}\n"
    )
}

/// The body of a kernel whose loads come first, behind the condition that the branches ask for.
fn first(body: &str) -> Option<String> {
    let text = read(&kernel(body)).rewritten(Rewrite::LoadsFirst)?;
    assert!(
        text.contains("{\n\t.reg .pred \t%never, %again;\n\t.reg .b32 \t%programs;\n\t.reg .pred %p<4>;\n"),
        "{text}"
    );
    // What is written is read again.
    read(&text);
    let begin = "$L__func_begin0:\n\tmov.u32 \t%programs, %nctaid.x;\n\tsetp.eq.b32 \t%never, %programs, 0;\n";
    let (_, body) = text.split_once(begin).unwrap_or_else(|| panic!("{text}"));
    Some(body.strip_suffix("}\n").unwrap_or_else(|| panic!("{text}")).to_string())
}

const LOADS: [&str; 2] = ["\tld.global.b32 \t%r1, [%rd1];\n", "\tld.global.v2.b32 \t{%r2, %r3}, [%rd1+8];\n"];
const COMPUTED: &str = "\tadd.s32 \t%r4, %r1, 1;\n";
const BRANCH: &str = "\t@%never bra \t$L__loads0_apart;\n$L__loads0:\n";
const APART: &str = "$L__loads0_apart:\n\tnot.b32 \t%r1, %r1;\n\tnot.b32 \t%r2, %r2;\n\tsetp.ne.b32 \t%again, %r1, 0;\n\t@%again bra \t$L__loads0_apart;\n\tbra.uni \t$L__loads0;\n";

#[test]
fn loads_come_before_what_is_computed() {
    let [one, two] = LOADS;
    let given = format!("{one}{COMPUTED}{two}");
    assert_eq!(first(&given), Some(format!("{one}{two}{BRANCH}{COMPUTED}\tret;\n{APART}")));
    assert_eq!(first(&format!("{one}{COMPUTED}")), None, "one load");
    let address = "\tmul.wide.s32 \t%rd2, %r9, 4;\n";
    let (by_address, apart) = (two.replace("%rd1", "%rd2"), APART);
    let given = format!("{one}{COMPUTED}{address}{by_address}");
    assert_eq!(
        first(&given),
        Some(format!("{one}{address}{by_address}{BRANCH}{COMPUTED}\tret;\n{apart}")),
        "its address"
    );
}

#[test]
fn loads_pass_nothing_that_may_write_what_they_read() {
    let [one, two] = LOADS;
    for fence in [
        "\tst.global.b32 \t[%rd3], %r1;\n",
        "\tatom.global.add.u32 \t%r5, [%rd3], %r1;\n",
        "\tbar.sync \t0;\n",
        "$L__BB0_2:\n",
        "\t@%p1 bra \t$L__func_begin0;\n",
        "\tld.volatile.global.b32 \t%r5, [%rd1];\n",
        "\tmov.u32 \t%r5, %clock;\n",
        "\tadd.cc.s32 \t%r5, %r1, 1;\n",
        "\tadd.s32 \t%r5, %r1, 1; add.s32 \t%r6, %r1, 1;\n",
    ] {
        assert_eq!(first(&format!("{one}{fence}{two}")), None, "{fence}");
    }
    let store = "\tst.global.b32 \t[%rd3], %r4;\n";
    let given = format!("{one}{COMPUTED}{two}{store}");
    assert_eq!(first(&given), Some(format!("{one}{two}{BRANCH}{COMPUTED}{store}\tret;\n{APART}")));
}

#[test]
fn registers_that_are_written_twice_keep_their_order() {
    let [one, two] = LOADS;
    // The number goes up behind what reads it, and before the load that needs it.
    let counter = "\tadd.s32 \t%r4, %r1, %r9;\n\tadd.s32 \t%r9, %r9, 4;\n\tmul.wide.s32 \t%rd2, %r9, 4;\n";
    assert_eq!(first(&format!("{one}{counter}{}", two.replace("%rd1", "%rd2"))), None);
    let reused = "\tadd.s32 \t%r4, %r2, 1;\n";
    assert_eq!(first(&format!("{one}{reused}{two}")), None, "it reads what the load writes");
    let floats = "\tld.global.f32 \t%f1, [%rd1];\n\tld.global.f32 \t%f2, [%rd1+4];\n";
    assert_eq!(first(floats), None, "bits of floats have no `not`");
}

#[test]
fn masks_and_places_go_with_their_loads() {
    let inline = |predicate: u32, to: u32| {
        format!(
            "\t// begin inline asm\n\tmov.u16 %rs{to}, 0x0;\n\t@%p{predicate} ld.global.b8 %rs{to}, [ %rd1 + {to} ];\n\t// end inline asm\n"
        )
    };
    let location = |line: u32| format!("\t.loc\t1 {line} 5\n");
    let mask = "\tsetp.lt.s32 \t%p2, %r9, 7;\n";
    let computed = "\tcvt.u32.u16 \t%r4, %rs1;\n";
    let header = ".file 1 \"k.py\"\n";
    let given = [&location(3), &inline(1, 1), &location(4), computed, &location(5), mask, &inline(2, 2)];
    let given = given.map(|part| part.to_string()).concat();
    let expected = [
        &location(3),
        &inline(1, 1),
        &location(5),
        mask,
        &inline(2, 2),
        BRANCH,
        &location(4),
        computed,
        &location(5),
        "\tret;\n",
    ];
    let expected = expected.map(|part| part.to_string()).concat();
    let text = kernel(&given).replace(".address_size 64\n", &format!(".address_size 64\n{header}"));
    let text = read(&text).rewritten(Rewrite::LoadsFirst).unwrap_or_default();
    assert!(text.contains(&expected), "{text}");
    let changed =
        "$L__loads0_apart:\n\tnot.b16 \t%rs1, %rs1;\n\tnot.b16 \t%rs2, %rs2;\n\tsetp.ne.b16 \t%again, %rs1, 0;\n";
    assert!(text.contains(changed), "{text}");
    assert_eq!(read(&text).rewritten(Rewrite::LoadsFirst), None, "once is enough");
}
