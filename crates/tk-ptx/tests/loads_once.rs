//! What a wider load brings is not loaded again.

use tk_diag::SourceFile;
use tk_ptx::parse;
use tk_ptx::rewrite::{Rewrite, rewritten};

fn with_loads_once(text: String) -> String {
    rewritten(text, &[Rewrite::LoadsOnce])
}

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
    assert!(parse(&SourceFile::new("kernel.ptx", &text)).is_ok());
}

#[test]
fn equal_loads_become_one_and_bytes_are_taken_from_words() {
    let body = "\tld.global.b32 \t%r5, [%rd1+4];\n\tld.global.b32 \t%r6, [%rd1+4];\n\tld.global.b8 \t%rs5, [%rd1+6];\n\tld.global.b16 \t%rs6, \
                [%rd1+16];\n\tld.global.b8 \t%rs7, [%rd1+16];\n\tld.global.b8 \t%rs8, [%rd1+17];\n";
    let text = with_loads_once(kernel(body));
    assert_eq!(text.matches("ld.global").count(), 2, "{text}");
    for part in
        ["mov.b32 \t%r6, %r5;", "bfe.u32 %part, %r5, 16, 8;", "and.b16 \t%rs7, %rs6, 255;", "shr.u16 \t%rs8, %rs6, 8;"]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(parse(&SourceFile::new("kernel.ptx", &text)).is_ok());
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
        (0..count).map(|at| format!("\tld.global.b32 \t%r{}, [%rd1+{}];\n", at + 20, 8 * at + 64)).collect::<String>()
    };
    let twice = "\tld.global.b32 \t%r5, [%rd1];\n\tld.global.b32 \t%r6, [%rd1];\n";
    stays(&format!("{product}{twice}{}", others(3)));
    let text = with_loads_once(kernel(&format!("{product}{twice}{}", others(2))));
    assert_eq!(text.matches("ld.global").count(), 3);
    let text = with_loads_once(kernel(&format!("{twice}{}", others(8))));
    assert_eq!(text.matches("ld.global").count(), 9);
    stays(&format!("{twice}{}", others(9)));
}
