//! Registers of wgmma: each rule of PTX about fences and waits, broken and kept.

use crate::device::Device;
use tk_diag::{BAD_PTX, DATA_RACE};
use tk_sim::Arg;

const FENCE: &str = "wgmma.fence.sync.aligned;\n";
const COMMIT: &str = "wgmma.commit_group.sync.aligned;\n";
const WAIT: &str = "wgmma.wait_group.sync.aligned 0;\n";
/// Adds to four sums, by A from memory.
const PRODUCT: &str =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd1, %rd1, %p1, 1, 1, 0, 0;\n";
/// The same with four other sums.
const OTHER: &str =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f4, %f5, %f6, %f7}, %rd1, %rd1, %p1, 1, 1, 0, 0;\n";
/// Adds to eight sums, the first four among them.
const WIDE: &str = "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, %rd1, %rd1, %p1, 1, 1, 0, 0;\n";
/// A from registers.
const FROM_REGISTERS: &str = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r10, %r11, %r12, %r13}, %rd1, %p1, 1, 1, 0;\n";
const STORE: &str = "st.global.f32 [%rd4], %f0;\n";

/// A kernel of one warpgroup: 2 KiB of zeros in shared memory, sums of 1.0, then `body`.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.7
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry k(.param .u64 out)
{{
    .reg .pred %p<4>;
    .reg .b32 %r<20>;
    .reg .f32 %f<8>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd4, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd4, %rd4, %rd5;
    shl.b32 %r2, %r1, 4;
    mov.b32 %r3, tile;
    add.s32 %r4, %r3, %r2;
    mov.b32 %r5, 0;
    st.shared.v4.b32 [%r4], {{%r5, %r5, %r5, %r5}};
    fence.proxy.async.shared::cta;
    bar.sync 0;
    shr.u32 %r6, %r3, 4;
    cvt.u64.u32 %rd1, %r6;
    or.b64 %rd1, %rd1, {};
    setp.eq.s32 %p1, %r5, 0;
    mov.f32 %f0, 1.0;
    mov.f32 %f1, 1.0;
    mov.f32 %f2, 1.0;
    mov.f32 %f3, 1.0;
    mov.f32 %f4, 1.0;
    mov.f32 %f5, 1.0;
    mov.f32 %f6, 1.0;
    mov.f32 %f7, 1.0;
    mov.b32 %r10, 0;
    mov.b32 %r11, 0;
    mov.b32 %r12, 0;
    mov.b32 %r13, 0;
{body}
    ret;
}}
",
        // Groups of eight rows lie 256 bytes apart, the two halves of a row 128.
        (256u64 >> 4) << 32 | (128 >> 4) << 16
    )
}

fn run(parts: &[&str]) -> (String, tk_diag::Result<f32>) {
    let ptx = kernel(&parts.concat());
    let mut device = Device::new();
    let out = device.upload(vec![0; 512]);
    let result = device.run(&ptx, "k", [1, 1, 1], 128, 4096, &[Arg::from(out)]);
    let result = result.map(|_| device.floats(out)[5]);
    (ptx, result)
}

/// The kernel runs and stores this sum.
#[track_caller]
fn gives(parts: &[&str], sum: f32) {
    let (ptx, result) = run(parts);
    assert_eq!(result.unwrap_or_else(|e| panic!("{ptx}{}", tk_diag::render(&e, tk_diag::Style::Plain))), sum);
}

/// The kernel stops with these words, at the part with this number.
#[track_caller]
fn stops(parts: &[&str], at: usize, code: tk_diag::Code, words: &str) {
    let (ptx, result) = run(parts);
    let error = result.expect_err("the run must stop");
    let text = tk_diag::render(&error, tk_diag::Style::Plain);
    assert!(error.code == code && text.contains(words), "{text}");
    let line = |part: usize| kernel(&parts[..part].concat()).lines().count() - 3 + 1;
    let place = format!("kernel.ptx:{}:", line(at));
    assert!(text.contains(&place), "{place} in\n{ptx}\n{text}");
}

#[test]
fn products_that_are_fenced_and_waited_for() {
    gives(&[FENCE, PRODUCT, COMMIT, WAIT, STORE], 1.0);
    // One fence for a chain of one shape, also across groups and after a wait.
    gives(&[FENCE, PRODUCT, PRODUCT, COMMIT, PRODUCT, COMMIT, WAIT, PRODUCT, COMMIT, WAIT, STORE], 1.0);
    // Sums are changed between two products.
    gives(&[FENCE, PRODUCT, COMMIT, WAIT, "add.f32 %f0, %f0, %f0;\n", FENCE, PRODUCT, COMMIT, WAIT, STORE], 2.0);
    // Other registers than the product's may be accessed as one likes.
    gives(&[FENCE, "add.f32 %f4, %f4, %f4;\n", PRODUCT, COMMIT, "add.f32 %f4, %f4, %f4;\n", WAIT, STORE], 1.0);
    gives(&[FENCE, FROM_REGISTERS, COMMIT, WAIT, "mov.b32 %r10, 5;\n", STORE], 1.0);
    gives(&[FENCE, PRODUCT, COMMIT, WAIT, FENCE, WIDE, COMMIT, WAIT, STORE], 1.0);
    // The first of two groups is there, the second is not.
    gives(&[FENCE, PRODUCT, COMMIT, OTHER, COMMIT, "wgmma.wait_group.sync.aligned 1;\n", STORE, WAIT], 1.0);
    gives(
        &[
            "mov.b32 %r14, 0;\n$L_again:\n",
            FENCE,
            PRODUCT,
            COMMIT,
            WAIT,
            "add.f32 %f0, %f0, 0f3F800000;\nadd.s32 %r14, %r14, 1;\nsetp.lt.s32 %p2, %r14, 3;\n@%p2 bra $L_again;\n",
            STORE,
        ],
        4.0,
    );
}

#[test]
fn a_fence_before_the_first_product() {
    stops(&[PRODUCT, COMMIT, WAIT, STORE], 0, DATA_RACE, "without a `wgmma.fence.sync.aligned`");
}

#[test]
fn a_fence_after_every_access() {
    let words = "was accessed since the last `wgmma.fence.sync.aligned`";
    let write = "mov.f32 %f3, 0f00000000;\n";
    stops(&[FENCE, write, PRODUCT, COMMIT, WAIT], 2, DATA_RACE, words);
    stops(&[FENCE, PRODUCT, COMMIT, WAIT, write, PRODUCT, COMMIT, WAIT], 5, DATA_RACE, words);
    // Reading counts, for the next product writes the register.
    stops(&[FENCE, PRODUCT, COMMIT, WAIT, STORE, PRODUCT, COMMIT, WAIT], 5, DATA_RACE, words);
    // So does A in registers.
    stops(&[FENCE, "mov.b32 %r12, 1;\n", FROM_REGISTERS, COMMIT, WAIT], 2, DATA_RACE, words);
    // The report shows the access.
    let text = tk_diag::render(&run(&[FENCE, write, PRODUCT]).1.unwrap_err(), tk_diag::Style::Plain);
    assert!(text.contains("mov.f32 %f3, 0f00000000") && text.contains("accesses the register"), "{text}");
    // A loop that changes its sums needs the fence inside.
    let change = "add.f32 %f0, %f0, %f0;\nadd.s32 %r14, %r14, 1;\nsetp.lt.s32 %p2, %r14, 3;\n@%p2 bra $L_again;\n";
    let label = "mov.b32 %r14, 0;\n$L_again:\n";
    stops(&[FENCE, label, PRODUCT, COMMIT, WAIT, change, STORE], 2, DATA_RACE, words);
}

#[test]
fn a_fence_between_different_products() {
    let words = "another one used otherwise since the last `wgmma.fence";
    stops(&[FENCE, PRODUCT, COMMIT, WAIT, WIDE, COMMIT, WAIT], 4, DATA_RACE, words);
    // Sums of one product are the operand of another.
    let chained = PRODUCT.replace("%f0, %f1, %f2, %f3", "%r10, %r11, %r12, %r13");
    stops(&[FENCE, &chained, COMMIT, WAIT, FROM_REGISTERS, COMMIT, WAIT], 4, DATA_RACE, words);
    gives(&[FENCE, &chained, COMMIT, WAIT, FENCE, FROM_REGISTERS, COMMIT, WAIT, STORE], 1.0);
}

#[test]
fn registers_in_flight() {
    let read = "read of a wgmma result before wait_group";
    stops(&[FENCE, PRODUCT, COMMIT, STORE, WAIT], 3, DATA_RACE, read);
    // A group that was never committed is covered by no wait.
    stops(&[FENCE, PRODUCT, WAIT, STORE], 3, DATA_RACE, read);
    // The wait leaves the newest group.
    let one = "wgmma.wait_group.sync.aligned 1;\n";
    stops(&[FENCE, OTHER, COMMIT, PRODUCT, COMMIT, one, STORE], 6, DATA_RACE, read);
    let write = "write of a wgmma result before wait_group";
    stops(&[FENCE, PRODUCT, COMMIT, "mov.f32 %f1, 0f00000000;\n", WAIT], 3, DATA_RACE, write);
    // A vector load writes the registers too.
    let load = "ld.global.v2.f32 {%f0, %f1}, [%rd4];\n";
    stops(&[FENCE, PRODUCT, COMMIT, load, WAIT], 3, DATA_RACE, write);
    let operand = "write to an operand register of a wgmma before wait_group";
    stops(&[FENCE, FROM_REGISTERS, COMMIT, "mov.b32 %r13, 1;\n", WAIT], 3, DATA_RACE, operand);
    // Reading an operand does no harm.
    gives(&[FENCE, FROM_REGISTERS, COMMIT, "add.s32 %r14, %r13, 1;\n", WAIT, STORE], 1.0);
}

#[test]
fn operations_that_share_registers() {
    let words = "belongs to another one in flight";
    stops(&[FENCE, PRODUCT, COMMIT, FENCE, WIDE, COMMIT, WAIT], 4, DATA_RACE, words);
    stops(&[FENCE, WIDE, COMMIT, FENCE, PRODUCT, COMMIT, WAIT], 4, DATA_RACE, words);
}

#[test]
fn one_warp_is_no_warpgroup() {
    let ptx = kernel(&[FENCE, PRODUCT, COMMIT, WAIT].concat());
    let mut device = Device::new();
    let out = device.upload(vec![0; 512]);
    let error = device.run(&ptx, "k", [1, 1, 1], 96, 4096, &[Arg::from(out)]).unwrap_err();
    assert!(error.code == BAD_PTX && error.message.contains("a warpgroup is four whole warps"), "{}", error.message);
}
