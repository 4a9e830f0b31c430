//! What nothing wrote: where it counts it is reported, at the instruction marked `// here`, and nowhere else.

use crate::device::{Device, u32s};
use tk_diag::{Style, UNINITIALISED};
use tk_sim::{Arg, Report};

/// `%rd1` is 4 KiB of which the first 64 words are written, with their numbers; `%rd2` is 4 KiB of zeros; `%rd5` this thread's word in the
/// first, `%rd6` in the second; `%r9` this thread's word of the upper half of the first, which nothing wrote.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.7
.target sm_90a
.address_size 64
.extern .shared .align 128 .b8 tile[];
.extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 args);
.global .align 1 .b8 text[4] = {{37, 100, 10, 0}};
.visible .entry k(.param .u64 data, .param .u64 out)
{{
    .reg .pred %p<9>;
    .reg .b16 %rs<9>;
    .reg .b32 %r<40>;
    .reg .b64 %rd<20>;
    .reg .f32 %f<9>;
    .local .align 16 .b8 own[64];
    ld.param.u64 %rd1, [data];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd5, %rd1, %rd3;
    add.s64 %rd6, %rd2, %rd3;
    mov.u32 %r2, tile;
    cvt.u32.u64 %r3, %rd3;
    add.u32 %r4, %r2, %r3;
    ld.global.b32 %r9, [%rd5+2048];
    ld.global.b32 %r8, [%rd5];
{body}
    ret;
}}
"
    )
}

fn run(body: &str) -> tk_diag::Result<(Report, Vec<u32>)> {
    let mut device = Device::new();
    let data = device.poison(4096);
    device.memory.set_name(data, "data");
    device.memory.set_element_bytes(data, 4);
    device.memory.write(data, &u32s(&std::array::from_fn::<u32, 64, _>(|i| i as u32))).unwrap();
    let out = device.upload(vec![0; 4096]);
    let report = device.run(&kernel(body), "k", [1, 1, 1], 64, 8192, &[data, out].map(Arg::from))?;
    Ok((report, device.words(out)))
}

#[track_caller]
fn runs(body: &str) -> Vec<u32> {
    let result = run(body);
    result.unwrap_or_else(|e| panic!("{body}\n{}", tk_diag::render(&e, Style::Plain))).1
}

#[track_caller]
fn stops(body: &str, words: &[&str]) {
    let Err(error) = run(body) else { panic!("nothing was found:\n{body}") };
    let shown = tk_diag::render(&error, Style::Plain);
    assert_eq!(error.code, UNINITIALISED, "{shown}");
    let line = 1 + kernel(body).lines().position(|line| line.ends_with("// here")).expect("a mark");
    let found = shown.lines().any(|l| l.trim_start().starts_with(&format!("{line} |")));
    assert!(found && words.iter().all(|words| shown.contains(words)), "line {line}, {words:?}:\n{shown}");
}

#[test]
fn what_counts() {
    let data = "depends on memory that nothing wrote";
    let element = "element 512 of `data` (byte 2048 of 4096)";
    stops("st.global.b32 [%rd6], %r9; // here", &["the value that this writes to memory", data, element, "read here"]);
    stops(
        "add.s32 %r10, %r9, 1; mul.lo.s32 %r10, %r10, %r8; add.s32 %r10, %r10, %r9;\nst.global.b32 [%rd6], %r10; // here",
        &[data, element],
    );
    stops("setp.eq.s32 %p1, %r9, 5;\n@%p1 bra A; // here\nA:", &["the direction of this branch", data, element]);
    stops(
        "setp.lt.s32 %p1, %r9, 5;\n@%p1 st.global.b32 [%rd6], %r8; // here",
        &["the predicate of this instruction", data],
    );
    stops(
        "setp.lt.s32 %p1, %r9, 5;\n@%p1 ld.global.b32 %r10, [%rd6]; // here",
        &["the predicate of this instruction", data],
    );
    stops(
        "cvt.u64.u32 %rd7, %r9; add.s64 %rd7, %rd7, %rd2;\nld.global.b32 %r10, [%rd7]; // here",
        &["the address of this read", data],
    );
    stops(
        "cvt.u64.u32 %rd7, %r9; add.s64 %rd7, %rd7, %rd2;\nst.global.b32 [%rd7], %r8; // here",
        &["the address of this write", data],
    );
    stops("red.global.add.u32 [%rd6], %r9; // here", &["this atomic update", data]);
    stops("red.global.add.u32 [%rd5+2048], %r8; // here", &["this atomic update", element]);
    stops("atom.global.cas.b32 %r10, [%rd5+2048], 0, 1; // here", &["this atomic update", element]);
    stops(
        "and.b32 %r10, %r9, 31;\nshfl.sync.idx.b32 %r11, %r8, %r10, 31, -1; // here",
        &["the lane that this shuffle reads"],
    );
    stops("and.b32 %r10, %r9, 15;\nbar.sync %r10; // here", &["this barrier", data]);
    stops("mov.u64 %rd7, %rd1;\nst.global.b32 [%rd2], %r20; // here", &["depends on a register that nothing wrote"]);
    stops("@%p5 bra A; // here\nA:", &["depends on a predicate that nothing wrote"]);
    stops(
        "ld.local.b32 %r10, [own+8];\nst.global.b32 [%rd6], %r10; // here",
        &["depends on local memory that nothing wrote"],
    );
    stops(
        "setp.lt.s32 %p1, %r1, 8; @%p1 ld.global.b32 %r20, [%rd5];\nst.global.b32 [%rd6], %r20; // here",
        &["lanes that the mask of a load leaves out", "thread 8"],
    );
}

#[test]
fn what_does_not_count() {
    // Loads, copies and sums that nobody looks at.
    runs("add.s32 %r10, %r9, 1; setp.lt.s32 %p1, %r10, 3; selp.b32 %r11, %r10, %r9, %p1; mov.b64 %rd7, {%r10, %r11};");
    runs(
        "setp.lt.s32 %p1, %r1, 8; @%p1 ld.global.b32 %r20, [%rd5]; add.s32 %r20, %r20, 1; @%p1 st.global.b32 [%rd6], %r20;",
    );
    // What takes another value's place.
    runs("setp.lt.s32 %p1, %r1, 99; selp.b32 %r10, %r8, %r9, %p1; st.global.b32 [%rd6], %r10;");
    runs("xor.b32 %r10, %r9, %r9; xor.b32 %r20, %r20, %r20; st.global.v2.b32 [%rd2], {%r10, %r20};");
    runs("and.b32 %r10, %r9, 0; mul.lo.s32 %r11, %r9, 0; or.b32 %r10, %r10, %r11; st.global.b32 [%rd6], %r10;");
    runs(
        "setp.lt.s32 %p1, %r9, 5; setp.lt.s32 %p2, %r1, 0; and.pred %p3, %p1, %p2; @%p3 bra A; st.global.b32 [%rd6], %r8; A:",
    );
    runs("setp.lt.s32 %p2, %r1, 0; setp.lt.and.s32 %p3, %r9, 5, %p2; @%p3 bra A; st.global.b32 [%rd6], %r8; A:");
    runs("setp.lt.s32 %p1, %r1, 99; setp.lt.s32 %p2, %r9, 0; or.pred %p3, %p1, %p2; @%p3 st.global.b32 [%rd6], %r8;");
    // Memory that an exchange fills.
    let got = runs(
        "atom.global.exch.b32 %r10, [%rd5+2048], %r8; ld.global.b32 %r11, [%rd5+2048]; st.global.b32 [%rd6], %r11;",
    );
    assert_eq!(got[63], 63);
}

#[test]
fn bytes_of_a_register() {
    // Two bytes of the words from 1024 on are written.
    let half = "cvt.u16.u32 %rs1, %r1; st.global.b16 [%rd5+1024], %rs1; ld.global.b32 %r10, [%rd5+1024];\n";
    stops(&format!("{half}st.global.b32 [%rd6], %r10; // here"), &["depends on memory"]);
    stops(&format!("{half}mov.b32 {{%rs2, %rs3}}, %r10;\nst.global.b16 [%rd6], %rs3; // here"), &["depends on memory"]);
    stops(&format!("{half}shr.u32 %r11, %r10, 15;\nst.global.b32 [%rd6], %r11; // here"), &["depends on memory"]);
    for defined in [
        "mov.b32 {%rs2, %rs3}, %r10; st.global.b16 [%rd6], %rs2;",
        "st.global.b16 [%rd6], %r10;",
        "and.b32 %r11, %r10, 0xFFFF; st.global.b32 [%rd6], %r11;",
        "shl.b32 %r11, %r10, 16; st.global.b32 [%rd6], %r11;",
        "prmt.b32 %r11, %r10, 0, 0x4410; st.global.b32 [%rd6], %r11;",
        "cvt.u32.u16 %r11, %r10; st.global.b32 [%rd6], %r11;",
        "bfe.u32 %r11, %r10, 4, 8; st.global.b32 [%rd6], %r11;",
    ] {
        let got = runs(&format!("{half}{defined}"));
        assert_ne!(got[63], 0, "{defined}");
    }
    // A sign is extended with what is undefined.
    stops(
        "ld.global.s16 %r10, [%rd5+2048]; shr.u32 %r10, %r10, 31;\nst.global.b32 [%rd6], %r10; // here",
        &["depends on memory"],
    );
    runs("ld.global.u16 %r10, [%rd5+2048]; shr.u32 %r10, %r10, 16; st.global.b32 [%rd6], %r10;");
}

#[test]
fn through_other_memory() {
    let element = "element 512 of `data`";
    let shared = "st.shared.b32 [%r4], %r9; bar.sync 0; ld.shared.b32 %r10, [%r4];\n";
    stops(&format!("{shared}st.global.b32 [%rd6], %r10; // here"), &[element]);
    runs(&format!("{shared}st.shared.b32 [%r4], %r8; ld.shared.b32 %r10, [%r4]; st.global.b32 [%rd6], %r10;"));
    runs(&format!("{shared}st.shared.b16 [%r4], %r8; ld.shared.u16 %r10, [%r4]; st.global.b32 [%rd6], %r10;"));
    stops(
        &format!("{shared}st.shared.b16 [%r4], %r8; ld.shared.b32 %r10, [%r4];\nst.global.b32 [%rd6], %r10; // here"),
        &[element],
    );
    stops("st.shared.b32 [%r4], %r9;\natom.shared.add.u32 %r10, [%r4], 1; // here", &["this atomic update", element]);
    stops(
        "st.local.b32 [own+4], %r9; ld.local.v2.b32 {%r10, %r11}, [own];\nst.global.b32 [%rd6], %r11; // here",
        &[element],
    );
    runs("st.local.v2.b32 [own], {%r9, %r8}; ld.local.b32 %r11, [own+4]; st.global.b32 [%rd6], %r11;");
    let copy = "add.s64 %rd7, %rd5, 2048; cp.async.ca.shared.global [%r4], [%rd7], 4; cp.async.wait_all; ld.shared.b32 %r10, [%r4];\n";
    stops(&format!("{copy}st.global.b32 [%rd6], %r10; // here"), &[element]);
    runs(copy);
    let bulk = |from: &str| {
        format!(
        "setp.eq.s32 %p1, %r1, 0; @%p1 mbarrier.init.shared::cta.b64 [%r2+4096], 1; bar.sync 0;
        add.s32 %r30, %r2, 4096; @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r30], 256; add.s64 %rd7, %rd1, {from};
        @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd7], 256, [%r30];
        W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r30], 0; @!%p2 bra W; ld.shared.b32 %r10, [%r4];\n"
    )
    };
    stops(&format!("{}st.global.b32 [%rd6], %r10; // here", bulk("2048")), &[element]);
    runs(&format!("{}st.global.b32 [%rd6], %r10;", bulk("0")));
    stops(
        &format!(
            "{}fence.proxy.async; bar.sync 0;\n@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 128; // here\ncp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
            bulk("2048")
        ),
        &["what this copy reads", element],
    );
}

#[test]
fn between_lanes() {
    // Lane 3 of each warp has an undefined value.
    let one = "and.b32 %r12, %r1, 31; setp.eq.s32 %p4, %r12, 3; selp.b32 %r10, %r9, %r8, %p4;\n";
    stops(
        &format!("{one}shfl.sync.idx.b32 %r11, %r10, 3, 31, -1;\nst.global.b32 [%rd6], %r11; // here"),
        &["element 515 of `data`"],
    );
    runs(&format!("{one}shfl.sync.idx.b32 %r11, %r10, 4, 31, -1; st.global.b32 [%rd6], %r11;"));
    stops(
        &format!("{one}redux.sync.add.s32 %r11, %r10, -1;\nst.global.b32 [%rd6], %r11; // here"),
        &["depends on memory"],
    );
    stops(
        &format!("{one}match.any.sync.b32 %r11, %r10, -1;\nst.global.b32 [%rd6], %r11; // here"),
        &["depends on memory"],
    );
    let vote = format!("{one}setp.lt.s32 %p5, %r10, 4;\n");
    stops(
        &format!("{vote}vote.sync.ballot.b32 %r11, %p5, -1;\nst.global.b32 [%rd6], %r11; // here"),
        &["depends on memory"],
    );
    // Some lane says yes, whatever lane 3 says.
    runs(&format!(
        "{vote}setp.ge.s32 %p6, %r1, 0; setp.lt.or.s32 %p5, %r10, 4, %p6; vote.sync.all.pred %p7, %p5, -1; @%p7 st.global.b32 [%rd6], %r8;"
    ));
}

#[test]
fn rows_and_columns_of_products() {
    // A: registers r10 to r13, of which row 0 is undefined in lane 0; B and C are zeros and ones.
    let product = "mov.b32 %r14, 0x3C003C00; mov.b32 %r15, 0; setp.eq.s32 %p4, %r1, 0; selp.b32 %r10, %r9, %r14, %p4;
        mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r20, %r21, %r22, %r23}, {%r10, %r14, %r14, %r14}, {%r14, %r14}, {%r15, %r15, %r15, %r15};\n";
    // Lanes 0 to 3 have row 0, and row 8 in the upper registers.
    runs(&format!("{product}setp.gt.u32 %p5, %r1, 3; @%p5 st.global.b32 [%rd6], %r20; st.global.b32 [%rd6], %r22;"));
    stops(&format!("{product}st.global.b32 [%rd6], %r20; // here"), &["depends on memory", "thread 0"]);
    // A matrix through shared memory: row 0 of 8 is undefined.
    let matrix = "mov.b32 %r15, 0; st.shared.b32 [%r4], %r15; setp.lt.s32 %p4, %r1, 4; @%p4 st.shared.b32 [%r4], %r9; bar.sync 0;
        and.b32 %r16, %r1, 7; shl.b32 %r16, %r16, 4; add.s32 %r16, %r16, %r2;\n";
    let plain = format!(
        "{matrix}ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r20}}, [%r16];\nand.b32 %r18, %r1, 31; setp.ge.u32 %p5, %r18, 4;\n"
    );
    runs(&format!("{plain}@%p5 st.global.b32 [%rd6], %r20;"));
    stops(&format!("{plain}st.global.b32 [%rd6], %r20; // here"), &["depends on memory"]);
    // Transposed, the undefined elements are the lower halves of the first lane of each four.
    let transposed = plain.replace("x1.shared", "x1.trans.shared");
    runs(&format!("{transposed}and.b32 %r17, %r1, 3; setp.ne.s32 %p5, %r17, 0; @%p5 st.global.b32 [%rd6], %r20;"));
    runs(&format!("{transposed}shr.u32 %r20, %r20, 16; st.global.b32 [%rd6], %r20;"));
    stops(&format!("{transposed}st.global.b32 [%rd6], %r20; // here"), &["depends on memory"]);
}

#[test]
fn what_is_printed() {
    let print = |value: &str| {
        format!(
        "st.local.b32 [own], {value}; cvta.local.u64 %rd8, own; mov.u64 %rd9, text; cvta.global.u64 %rd9, %rd9; setp.ne.s32 %p1, %r1, 0; @%p1 bra END;
        {{
        .param .b64 first; .param .b64 second; .param .b32 status;
        st.param.b64 [first], %rd9; st.param.b64 [second], %rd8;
        call.uni (status), vprintf, (first, second); // here
        }}
        END:"
    )
    };
    stops(&print("%r9"), &["a value that this prints", "element 512 of `data`"]);
    let report = run(&print("%r8")).map(|(report, _)| report.printed);
    assert_eq!(report.unwrap(), ["0\n"]);
}
