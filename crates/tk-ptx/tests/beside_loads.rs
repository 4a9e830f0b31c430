//! What needs no load stands in a block behind the loads.

use tk_diag::SourceFile;
use tk_ptx::parse;
use tk_ptx::rewrite::{Rewrite, rewritten};

/// Instructions that need no load, at least.
const LEAST: usize = 200;

fn with_blocks(text: String) -> String {
    rewritten(text, &[Rewrite::BesideLoads])
}

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
    let text = with_blocks(kernel(LEAST, ""));
    let place = |what: &str| text.find(what);
    let [load, first, free, second, needs] =
        ["ld.global", "@%never0", "mul.lo.s32 \t%r210", "@%never1", "add.s32 \t%r2,"].map(place);
    assert!(load < first && first < free && free < second && second < needs, "{text}");
    assert!(place("st.shared") < place("bar.sync") && place("st.global") < place("$L__never:"), "{text}");
    assert_eq!(text.matches(".loc\t1 7 1\n\tmul").count(), 1);
    assert!(parse(&SourceFile::new("kernel.ptx", &text)).is_ok());
}

#[test]
fn what_is_stored_first_comes_with_what_needs_loads() {
    let stored = "\tst.global.b32 \t[%rd1+4], %r2;\n\tadd.s32 \t%r4, %r10, 7;\n";
    let text = with_blocks(kernel(LEAST, stored));
    let place = |what: &str| text.find(what);
    let [free, second, store] = ["%r4, %r10", "@%never1", "[%rd1+4]"].map(place);
    assert!(free.is_some() && free < second && second < store && store < place("[%rd1], %r3"), "{text}");
    // What is loaded behind a store may be what was stored.
    let loaded = format!("{stored}\tld.global.b32 \t%r5, [%rd1];\n");
    let text = with_blocks(kernel(LEAST, &loaded));
    assert!(text.find("@%never1") < text.find("[%rd1+4]") && text.find("[%rd1+4]") < text.find("%r5, [%rd1]"));
}

#[test]
fn other_kernels_stay() {
    let stays = |text: String| assert_eq!(with_blocks(text.clone()), text);
    stays(kernel(LEAST - 1, ""));
    stays(kernel(LEAST, "\tmov.u32 \t%r2, 7;\n"));
    stays(kernel(LEAST, "$L__BB0_1:\n\tbra \t$L__BB0_1;\n"));
}
