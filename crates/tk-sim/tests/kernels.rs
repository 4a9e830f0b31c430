//! Hand-written kernels: divergence, barriers, shuffles, atomics, locks, functions, copies in flight.

use crate::device::{Device, Random, u32s};
use tk_diag::{Diagnostic, SourceFile, Style, render};
use tk_sim::{Arg, Report};

/// A kernel `k(in, out)` with the thread number in %r1 and the addresses of its words of `in` and `out` in %rd1 and %rd2.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.extern .shared .align 16 .b8 dyn[];\n\
         .visible .entry k(.param .u64 .ptr .global .align 4 in, .param .u64 out)\n{{\n\
         .reg .pred %p<20>;\n.reg .b16 %rs<40>;\n.reg .b32 %r<40>;\n.reg .b64 %rd<40>;\n\
         .loc 1 1 0\nld.param.b64 %rd3, [in];\nld.param.b64 %rd4, [out];\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\nmad.lo.s32 %r4, %r2, %r3, %r1;\n\
         mad.wide.u32 %rd1, %r4, 4, %rd3;\nmad.wide.u32 %rd2, %r4, 4, %rd4;\nmov.b32 %r5, dyn;\n\
         {body}\n}}\n.file 1 \"kernel.tk\"\n"
    )
}

fn launch(body: &str, ctas: u32, threads: u32, input: &[u32], outputs: usize) -> tk_diag::Result<(Vec<u32>, Report)> {
    let mut device = Device::new();
    device.config.sources = vec![SourceFile::new("/somewhere/kernel.tk", "line one\n    y = load(x)\n")];
    device.config.limits.steps_per_cta = 50_000_000;
    let input = device.upload(u32s(input));
    let out = device.upload(u32s(&vec![0; outputs]));
    device.memory.set_name(input, "in");
    device.memory.set_name(out, "out");
    let args: [Arg; 2] = [input.into(), out.into()];
    let report = device.run(&kernel(body), "k", [ctas, 1, 1], threads, 4096, &args)?;
    Ok((device.words(out), report))
}

#[track_caller]
fn run(body: &str, ctas: u32, threads: u32, input: &[u32], outputs: usize) -> Vec<u32> {
    match launch(body, ctas, threads, input, outputs) {
        Ok((words, _)) => words,
        Err(error) => panic!("{}", render(&error, Style::Plain)),
    }
}

#[track_caller]
fn fail(body: &str, threads: u32, input: &[u32], code: &str) -> Box<Diagnostic> {
    let error = launch(body, 1, threads, input, 64).map(|_| ()).unwrap_err();
    assert_eq!(error.code.slug, code, "{}", render(&error, Style::Plain));
    error
}

fn random_words(n: usize) -> Vec<u32> {
    let mut random = Random::new(9);
    (0..n).map(|_| random.next() as u32).collect()
}

#[test]
fn loops_with_divergent_trip_counts_come_back_together() {
    // Collatz steps per thread; then a vote of the whole warp, which needs every lane.
    let body = "ld.global.b32 %r10, [%rd1]; mov.b32 %r11, 0;\n\
        LOOP: setp.le.u32 %p1, %r10, 1; @%p1 bra DONE;\n\
        and.b32 %r12, %r10, 1; setp.eq.b32 %p2, %r12, 0; add.s32 %r11, %r11, 1; @%p2 bra EVEN;\n\
        mad.lo.s32 %r10, %r10, 3, 1; bra.uni LOOP;\n\
        EVEN: shr.u32 %r10, %r10, 1; bra.uni LOOP;\n\
        DONE: vote.sync.ballot.b32 %r13, 1, -1; popc.b32 %r13, %r13; mad.lo.s32 %r11, %r13, 1000, %r11;\n\
        st.global.b32 [%rd2], %r11; ret;";
    let input: Vec<u32> = random_words(256).iter().map(|x| x % 10_000 + 1).collect();
    let got = run(body, 2, 128, &input, 256);
    for (x, got) in input.iter().zip(got) {
        let (mut x, mut steps) = (*x, 0);
        while x > 1 {
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            steps += 1;
        }
        assert_eq!(got, 32_000 + steps);
    }
}

#[test]
fn nested_branches_early_exits_and_predicated_returns() {
    let body = "ld.global.b32 %r10, [%rd1]; mov.b32 %r11, 7;\n\
        setp.lt.u32 %p1, %r10, 100; @%p1 ret;\n\
        and.b32 %r12, %r10, 3; setp.eq.b32 %p2, %r12, 0; @!%p2 bra ELSE;\n\
        and.b32 %r13, %r10, 4; setp.ne.b32 %p3, %r13, 0; @%p3 bra INNER;\n\
        mov.b32 %r11, 1; bra JOIN;\n\
        INNER: mov.b32 %r11, 2; bra JOIN;\n\
        ELSE: mov.b32 %r11, 3;\n\
        JOIN: activemask.b32 %r14; st.global.b32 [%rd2], %r11; @%p2 exit; add.s32 %r11, %r11, 10;\n\
        st.global.b32 [%rd2], %r11; ret;";
    let input: Vec<u32> = random_words(64).iter().map(|x| x % 400).collect();
    let got = run(body, 1, 64, &input, 64);
    for (x, got) in input.iter().zip(got) {
        let wanted = match x {
            x if *x < 100 => 0,
            x if x % 4 != 0 => 13,
            x if x & 4 != 0 => 2,
            _ => 1,
        };
        assert_eq!(got, wanted, "{x}");
    }
}

#[test]
fn shuffles_reduce_and_scan() {
    let body = "ld.global.b32 %r10, [%rd1]; mov.b32 %r11, %r10; mov.u32 %r20, %laneid;\n\
        shfl.sync.bfly.b32 %r12, %r11, 16, 31, -1; add.s32 %r11, %r11, %r12;\n\
        shfl.sync.bfly.b32 %r12, %r11, 8, 31, -1; add.s32 %r11, %r11, %r12;\n\
        shfl.sync.bfly.b32 %r12, %r11, 4, 31, -1; add.s32 %r11, %r11, %r12;\n\
        shfl.sync.bfly.b32 %r12, %r11, 2, 31, -1; add.s32 %r11, %r11, %r12;\n\
        shfl.sync.bfly.b32 %r12, %r11, 1, 31, -1; add.s32 %r11, %r11, %r12;\n\
        shfl.sync.up.b32 %r13|%p1, %r10, 1, 0, -1; @!%p1 mov.b32 %r13, 77; xor.b32 %r11, %r11, %r13;\n\
        shfl.sync.down.b32 %r13|%p1, %r10, 3, 0x181f, -1; selp.b32 %r14, 1, 0, %p1; add.s32 %r11, %r11, %r13;\n\
        add.s32 %r11, %r11, %r14; shfl.sync.idx.b32 %r13, %r10, %r20, 0x1807, -1; xor.b32 %r11, %r11, %r13;\n\
        redux.sync.max.s32 %r15, %r10, -1; xor.b32 %r11, %r11, %r15;\n\
        st.global.b32 [%rd2], %r11; ret;";
    let input = random_words(96);
    let got = run(body, 1, 96, &input, 96);
    for (i, got) in got.iter().enumerate() {
        let warp = &input[i / 32 * 32..i / 32 * 32 + 32];
        let lane = i % 32;
        let mut wanted = warp.iter().fold(0u32, |a, b| a.wrapping_add(*b));
        wanted ^= if lane == 0 { 77 } else { warp[lane - 1] };
        // Segments of 8 lanes: a source past the segment gives the lane itself.
        let (inside, segment) = (lane % 8 + 3 < 8, lane / 8 * 8);
        wanted = wanted.wrapping_add(warp[if inside { lane + 3 } else { lane }]).wrapping_add(u32::from(inside));
        wanted ^= warp[segment + lane % 8];
        wanted ^= warp.iter().map(|x| *x as i32).max().unwrap() as u32;
        assert_eq!(*got, wanted, "{i}");
    }
}

#[test]
fn votes_matches_and_elections() {
    let body = "ld.global.b32 %r10, [%rd1]; setp.gt.u32 %p1, %r10, 2;\n\
        vote.sync.all.pred %p2, %p1, -1; vote.sync.any.pred %p3, %p1, -1; selp.b32 %r11, 1, 0, %p2;\n\
        @%p3 or.b32 %r11, %r11, 2; match.any.sync.b32 %r12, %r10, -1; popc.b32 %r12, %r12;\n\
        mad.lo.s32 %r11, %r12, 16, %r11; elect.sync %r13|%p4, -1; @%p4 or.b32 %r11, %r11, 4096;\n\
        st.global.b32 [%rd2], %r11; ret;";
    let input: Vec<u32> = random_words(64).iter().enumerate().map(|(i, x)| x % 4 + 3 * (i as u32 / 32)).collect();
    let got = run(body, 1, 64, &input, 64);
    for (i, got) in got.iter().enumerate() {
        let warp = &input[i / 32 * 32..i / 32 * 32 + 32];
        let same = warp.iter().filter(|x| **x == input[i]).count() as u32;
        let all = warp.iter().all(|x| *x > 2);
        assert_eq!(*got, u32::from(all) | 2 | (same * 16) | if i % 32 == 0 { 4096 } else { 0 }, "{i}");
    }
}

#[test]
fn barriers_order_shared_memory() {
    // Reverse a block through shared memory, and count a predicate over the CTA.
    let body = "ld.global.b32 %r10, [%rd1]; mad.lo.s32 %r11, %r1, 4, %r5; st.shared.b32 [%r11], %r10; bar.sync 0;\n\
        sub.s32 %r12, %r3, %r1; sub.s32 %r12, %r12, 1; mad.lo.s32 %r11, %r12, 4, %r5; ld.shared.b32 %r13, [%r11];\n\
        setp.lt.s32 %p1, %r10, 0; bar.red.popc.u32 %r14, 0, %p1; bar.red.and.pred %p2, 1, %p1;\n\
        bar.red.or.pred %p3, 1, %p1; add.s32 %r13, %r13, %r14; @%p2 add.s32 %r13, %r13, 1000;\n\
        @%p3 add.s32 %r13, %r13, 2000; st.global.b32 [%rd2], %r13; ret;";
    let input = random_words(160);
    let got = run(body, 1, 160, &input, 160);
    let negative = input.iter().filter(|x| (**x as i32) < 0).count() as u32;
    for (i, got) in got.iter().enumerate() {
        assert_eq!(*got, input[159 - i].wrapping_add(negative + 2000), "{i}");
    }
}

#[test]
fn named_barriers_hand_over_between_warps() {
    // Warp 1 produces, warp 0 consumes: arrive and sync on barrier 1 with 64 threads.
    let body = "mov.u32 %r10, %laneid; mad.lo.s32 %r11, %r10, 4, %r5; setp.ge.u32 %p1, %r1, 32; @%p1 bra PRODUCE;\n\
        bar.sync 1, 64; ld.shared.b32 %r12, [%r11]; st.global.b32 [%rd2], %r12; ret;\n\
        PRODUCE: ld.global.b32 %r13, [%rd1]; st.shared.b32 [%r11], %r13; bar.arrive 1, 64; ret;";
    let input = random_words(64);
    assert_eq!(run(body, 1, 64, &input, 64)[..32], input[32..]);
}

#[test]
fn atomics_across_ctas() {
    let body = "ld.global.b32 %r10, [%rd1]; and.b32 %r11, %r10, 7; mad.wide.u32 %rd5, %r11, 4, %rd4;\n\
        atom.global.add.u32 %r12, [%rd5], 1; red.global.max.u32 [%rd4+32], %r10; red.global.min.s32 [%rd4+36], %r10;\n\
        red.global.xor.b32 [%rd4+40], %r10; cvt.u64.u32 %rd6, %r10; red.global.add.u64 [%rd4+48], %rd6;\n\
        mov.b32 %r13, 0f3F800000; red.global.add.f32 [%rd4+56], %r13; mov.b16 %rs1, 0x3C00;\n\
        red.global.add.noftz.f16 [%rd4+62], %rs1; atom.global.inc.u32 %r14, [%rd4+64], 99; ret;";
    let input = random_words(32 * 64);
    let got = run(body, 32, 64, &input, 20);
    for (bin, got) in got.iter().take(8).enumerate() {
        assert_eq!(*got, input.iter().filter(|x| **x & 7 == bin as u32).count() as u32);
    }
    assert_eq!(got[8], *input.iter().max().unwrap());
    assert_eq!(got[9] as i32, input.iter().map(|x| *x as i32).min().unwrap().min(0));
    assert_eq!(got[10], input.iter().fold(0, |a, b| a ^ b));
    let sum: u64 = input.iter().map(|x| u64::from(*x)).sum();
    assert_eq!(u64::from(got[13]) << 32 | u64::from(got[12]), sum);
    assert_eq!(f32::from_bits(got[14]), 2048.0);
    assert_eq!(half::f16::from_bits((got[15] >> 16) as u16).to_f32(), 2048.0);
    assert_eq!(got[16], (32 * 64) % 100);
}

#[test]
fn a_spin_lock_between_ctas_and_between_lanes() {
    // Every thread takes the lock, increments a plain counter, and releases.
    let body = "TRY: atom.global.acquire.gpu.cas.b32 %r10, [%rd4], 0, 1; setp.ne.b32 %p1, %r10, 0; @%p1 bra TRY;\n\
        ld.volatile.global.b32 %r11, [%rd4+4]; add.s32 %r11, %r11, 1; st.volatile.global.b32 [%rd4+4], %r11;\n\
        membar.gl; atom.global.release.gpu.exch.b32 %r12, [%rd4], 0; ret;";
    assert_eq!(run(body, 8, 64, &[0; 512], 2), [0, 8 * 64]);
}

#[test]
fn a_grid_barrier_needs_all_ctas_resident() {
    // The first CTA waits for a count that the last one completes.
    let body = "setp.ne.s32 %p1, %r1, 0; @%p1 bra WAIT; red.global.add.u32 [%rd4], 1;\n\
        WAIT: ld.acquire.gpu.global.b32 %r10, [%rd4]; mov.u32 %r11, %nctaid.x; setp.lt.u32 %p2, %r10, %r11;\n\
        @%p2 bra WAIT; st.global.b32 [%rd2+128], %r10; ret;";
    let got = run(body, 12, 32, &[0; 384], 12 * 32 + 32);
    assert!(got[32..].iter().all(|x| *x == 12));
}

#[test]
fn functions_with_parameters_and_divergent_calls() {
    let ptx = kernel(
        "ld.global.b32 %r10, [%rd1]; and.b32 %r11, %r10, 1; setp.eq.b32 %p1, %r11, 0; mov.b32 %r12, 5; @%p1 bra SKIP;\n\
         { .param .b32 param0; st.param.b32 [param0], %r10; .param .b64 param1; st.param.b64 [param1], %rd1;\n\
         .param .b32 retval0; call.uni (retval0), scale, (param0, param1); ld.param.b32 %r12, [retval0]; }\n\
         SKIP: st.global.b32 [%rd2], %r12; ret;",
    );
    let callee = ".func (.param .b32 func_retval0) scale(.param .b32 scale_param_0, .param .b64 scale_param_1)\n{\n\
         .local .align 8 .b8 depot[16];\n.reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n\
         mov.b64 %rd3, depot; cvta.local.u64 %rd4, %rd3;\n\
         ld.param.b32 %r1, [scale_param_0]; ld.param.b64 %rd1, [scale_param_1]; ld.global.b32 %r2, [%rd1];\n\
         st.b32 [%rd4+4], %r2; ld.local.b32 %r2, [%rd3+4];\n\
         setp.gt.s32 %p1, %r1, 0; @%p1 bra BIG; add.s32 %r3, %r1, %r2; bra OUT; BIG: mul.lo.s32 %r3, %r1, 3;\n\
         OUT: st.param.b32 [func_retval0], %r3; ret;\n}\n";
    let ptx = ptx.replace(".extern .shared", &format!("{callee}.extern .shared"));
    let mut device = Device::new();
    let input = random_words(64);
    let (a, b) = (device.upload(u32s(&input)), device.poison(256));
    device.run(&ptx, "k", [1, 1, 1], 64, 0, &[a.into(), b.into()]).unwrap();
    for (x, got) in input.iter().zip(device.words(b)) {
        let wanted = match x {
            x if x % 2 == 0 => 5,
            x if (*x as i32) > 0 => x.wrapping_mul(3),
            x => x.wrapping_mul(2),
        };
        assert_eq!(got, wanted, "{x}");
    }
}

#[test]
fn jump_tables() {
    let body = "ld.global.b32 %r10, [%rd1]; and.b32 %r10, %r10, 3;\n\
        TABLE: .branchtargets A, B, C, A;\n brx.idx %r10, TABLE;\n\
        A: mov.b32 %r11, 10; bra OUT; B: mov.b32 %r11, 20; bra OUT; C: mov.b32 %r11, 30;\n\
        OUT: st.global.b32 [%rd2], %r11; ret;";
    let input = random_words(64);
    let got = run(body, 1, 64, &input, 64);
    for (x, got) in input.iter().zip(got) {
        assert_eq!(got, [10, 20, 30, 10][(x & 3) as usize]);
    }
}

const COPY: &str = "mad.lo.s32 %r11, %r1, 16, %r5; mad.wide.u32 %rd5, %r1, 16, %rd3;\n\
    cp.async.cg.shared.global [%r11], [%rd5], 16; cp.async.commit_group;";

#[test]
fn copies_land_when_they_are_waited_for() {
    let body = format!(
        "{COPY} cp.async.wait_group 0; bar.sync 0; xor.b32 %r12, %r11, 16; ld.shared.b32 %r13, [%r12+4];\n\
        st.global.b32 [%rd2], %r13; ret;"
    );
    let input = random_words(128);
    let got = run(&body, 1, 32, &input, 32);
    for (i, got) in got.iter().enumerate() {
        assert_eq!(*got, input[(i ^ 1) * 4 + 1]);
    }
    // A missing wait, or one that covers too few groups, is found.
    for wait in ["", "cp.async.wait_group 1;"] {
        let body = format!("{COPY} {wait} bar.sync 0; ld.shared.b32 %r13, [%r11]; st.global.b32 [%rd2], %r13; ret;");
        let error = fail(&body, 32, &input, "uninitialised");
        assert!(error.message.contains("a copy in flight"), "{}", error.message);
    }
    // Bytes beyond src-size are zero and are not read.
    let body = "mad.lo.s32 %r11, %r1, 16, %r5; setp.lt.u32 %p1, %r1, 2; selp.b32 %r12, 8, 0, %p1; add.s64 %rd5, %rd3, 0;\n\
        cp.async.ca.shared.global [%r11], [%rd5], 16, %r12; cp.async.wait_all; ld.shared.v4.b32 {%r13, %r14, %r15, %r16}, [%r11];\n\
        add.s32 %r13, %r13, %r14; add.s32 %r13, %r13, %r15; st.global.b32 [%rd2], %r13; ret;";
    let got = run(body, 1, 32, &input[..2], 32);
    assert_eq!(got[1], input[0].wrapping_add(input[1]));
    assert_eq!(got[2..], [0; 30]);
}

#[test]
fn mbarriers_count_arrivals() {
    let body = "setp.eq.s32 %p1, %r1, 0; @%p1 mbarrier.init.shared::cta.b64 [%r5], 64; bar.sync 0;\n\
        ld.global.b32 %r10, [%rd1]; mad.lo.s32 %r11, %r1, 4, %r5; st.shared.b32 [%r11+64], %r10;\n\
        mbarrier.arrive.shared::cta.b64 _, [%r5];\n\
        WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0; @!%p2 bra WAIT;\n\
        xor.b32 %r12, %r1, 63; mad.lo.s32 %r11, %r12, 4, %r5; ld.shared.b32 %r13, [%r11+64];\n\
        st.global.b32 [%rd2], %r13; ret;";
    let input = random_words(64);
    let got = run(body, 1, 64, &input, 64);
    assert!((0..64).all(|i| got[i] == input[i ^ 63]));
}

#[test]
fn generic_addresses_find_their_space() {
    let body = "mad.lo.s32 %r11, %r1, 4, %r5; cvt.u64.u32 %rd5, %r11; cvta.shared.u64 %rd6, %rd5;\n\
        isspacep.shared %p1, %rd6; isspacep.global %p2, %rd1; st.b32 [%rd6], %r1; ld.shared.b32 %r12, [%r11];\n\
        ld.b32 %r13, [%rd1]; add.s32 %r12, %r12, %r13; @%p1 add.s32 %r12, %r12, 100; @%p2 add.s32 %r12, %r12, 1000;\n\
        st.b32 [%rd2], %r12; ret;";
    let got = run(body, 1, 64, &[5; 64], 64);
    assert!((0..64).all(|i| got[i] == i as u32 + 1105));
}

#[test]
fn the_only_cta_of_a_cluster_has_rank_0() {
    let body = "mov.b32 %r11, 7; getctarank.shared::cluster.u32 %r11, %r5; mapa.shared::cluster.u32 %r12, %r5, %r11;\n\
        sub.s32 %r12, %r12, %r5; add.s32 %r12, %r12, %r11; add.s32 %r12, %r12, %r1; st.global.b32 [%rd2], %r12; ret;";
    let got = run(body, 1, 64, &[0; 64], 64);
    assert!((0..64).all(|i| got[i] == i as u32));
}

#[test]
fn narrow_and_wide_accesses() {
    let body = "mul.wide.u32 %rd5, %r1, 3; sub.s64 %rd6, %rd1, 0; ld.global.s8 %r10, [%rd6+3]; ld.global.u16 %rs1, [%rd6];\n\
        cvt.u32.u16 %r11, %rs1; st.global.b8 [%rd2+1], %r10; st.global.b16 [%rd2+2], %rs1; shr.s32 %r10, %r10, 4;\n\
        st.global.b8 [%rd2], %r10; ret;";
    let input = random_words(64);
    let got = run(body, 1, 64, &input, 64);
    for (x, got) in input.iter().zip(got) {
        let high = (x >> 24) as u8;
        let sign = ((high as i8) >> 4) as u8;
        assert_eq!(got.to_le_bytes(), [sign, high, *x as u8, (x >> 8) as u8]);
    }
}

#[test]
fn faults_name_line_thread_and_address() {
    let input = [1u32; 64];
    let error = fail(".loc 1 2 8\nld.global.b32 %r10, [%rd1+16]; ret;", 64, &input, "out-of-bounds");
    let text = render(&error, Style::Plain);
    assert!(text.contains("/somewhere/kernel.tk:2:9") || text.contains("kernel.tk:2:8"), "{text}");
    assert!(text.contains("y = load(x)"), "{text}");
    assert!(text.contains("thread 60 of CTA (0, 0, 0)"), "{text}");
    assert!(text.contains("byte 256 of `in`, which has 256 bytes"), "{text}");
    let error = fail("ld.global.v2.b32 {%r10, %r11}, [%rd1]; ret;", 64, &input, "misaligned");
    assert!(render(&error, Style::Plain).contains("thread 1 "));
    fail("st.shared.b32 [%r5+4096], 1; ret;", 32, &input, "out-of-bounds");
    fail("ld.shared.b32 %r10, [%r5+1]; ret;", 32, &input, "misaligned");
    fail("ld.shared.b32 %r10, [%r5]; ret;", 32, &input, "uninitialised");
    fail("trap;", 32, &input, "assertion-failed");
    fail("LOOP: bra LOOP;", 32, &input, "run-limit");
    let error = fail("setp.lt.s32 %p1, %r1, 32; @%p1 bar.sync 0; @!%p1 bar.sync 1; ret;", 64, &input, "deadlock");
    assert!(error.message.contains("waits for 64 threads, and 32 have come"), "{}", error.message);
}

#[test]
fn races_in_shared_memory_are_found() {
    let input = [1u32; 128];
    let store = "mad.lo.s32 %r11, %r1, 4, %r5; st.shared.b32 [%r11], %r1;";
    let other = "xor.b32 %r12, %r1, 64; mad.lo.s32 %r12, %r12, 4, %r5;";
    let load = "ld.shared.b32 %r13, [%r12]; st.global.b32 [%rd2], %r13;";
    // Reads of what another warp wrote.
    fail(
        &format!("mov.b32 %r9, 0; {store} {other} setp.lt.s32 %p1, %r1, 64; @%p1 bra END; {load} END: ret;"),
        128,
        &input,
        "data-race",
    );
    run(&format!("{store} bar.sync 0; {other} {load} ret;"), 1, 128, &input, 128);
    // Writes over what another warp may still read.
    fail(&format!("{store} bar.sync 0; {other} {load} {store} ret;"), 128, &input, "data-race");
    run(&format!("{store} bar.sync 0; {other} {load} bar.sync 0; {store} ret;"), 1, 128, &input, 128);
    // Two threads write one word.
    fail("st.shared.b32 [%r5], %r1; ret;", 64, &input, "data-race");
    // Lanes of a warp are ordered by bar.warp.sync, and by nothing less.
    let near = "xor.b32 %r12, %r1, 1; mad.lo.s32 %r12, %r12, 4, %r5;";
    run(&format!("{store} bar.warp.sync -1; {near} {load} ret;"), 1, 128, &input, 128);
    fail(&format!("{store} {near} {load} ret;"), 128, &input, "data-race");
    // Neighbouring halves of one word belong to different threads.
    run("mad.lo.s32 %r11, %r1, 2, %r5; cvt.u16.u32 %rs1, %r1; st.shared.b16 [%r11], %rs1; ret;", 1, 128, &input, 1);
}

#[test]
fn uninitialised_global_memory_is_found_unless_allowed() {
    let mut device = Device::new();
    let (a, b) = (device.poison(128), device.poison(128));
    let ptx = kernel("ld.global.b32 %r10, [%rd1]; st.global.b32 [%rd2], %r10; ret;");
    let error = device.run(&ptx, "k", [1, 1, 1], 32, 0, &[a.into(), b.into()]).unwrap_err();
    assert_eq!(error.code.slug, "uninitialised");
    device.config.checks.uninitialised_global = false;
    device.run(&ptx, "k", [1, 1, 1], 32, 0, &[a.into(), b.into()]).unwrap();
    assert_eq!(device.words(b), [0xCDCD_CDCD; 32]);
}

#[test]
fn launches_are_checked() {
    let mut device = Device::new();
    let a = device.upload(vec![0; 256]);
    let ptx = kernel("ret;");
    let mut slug = |grid, threads, shared, args: &[Arg]| {
        device.run(&ptx, "k", grid, threads, shared, args).map(|_| "ok").unwrap_or_else(|e| e.code.slug)
    };
    assert_eq!(slug([1, 1, 1], 32, 0, &[a.into(), a.into()]), "ok");
    assert_eq!(slug([0, 1, 1], 32, 0, &[a.into(), a.into()]), "bad-launch");
    assert_eq!(slug([1, 1, 1], 2000, 0, &[a.into(), a.into()]), "bad-launch");
    assert_eq!(slug([1, 1, 1], 32, 1 << 20, &[a.into(), a.into()]), "too-much-shared-memory");
    assert_eq!(slug([1, 1, 1], 32, 0, &[a.into(), a.into(), a.into()]), "bad-launch");
    assert_eq!(slug([1, 1, 1], 32, 0, &[a.into(), Arg::from(3i32)]), "bad-launch");
    let module = tk_ptx::parse(&SourceFile::new("k.ptx", kernel("\nfrobnicate.b32 %r1, %r2; ret;"))).unwrap();
    let error = tk_sim::Program::compile(&module, "k").err().unwrap();
    let text = render(&error, Style::Plain);
    assert!(text.contains("frobnicate") && text.contains("k.ptx:"), "{text}");
    assert_eq!(tk_sim::Program::compile(&module, "other").err().unwrap().code.slug, "unknown-name");
}

#[test]
fn the_report_counts_sectors_and_bank_conflicts() {
    // Stride 2 in global memory: twice the sectors. Stride 32 words in shared memory: every lane in one bank.
    let body = ".loc 1 2 8\nmad.wide.u32 %rd5, %r1, 8, %rd3; ld.global.b32 %r10, [%rd5];\n\
        .loc 1 3 8\nst.global.b32 [%rd2], %r10; mad.lo.s32 %r11, %r1, 128, %r5; st.shared.b32 [%r11], %r1;\n\
        mad.lo.s32 %r11, %r1, 4, %r5; st.shared.b32 [%r5], 1; ret;";
    let body = body.replace("st.shared.b32 [%r5], 1;", "setp.eq.s32 %p1, %r1, 0; @%p1 st.shared.b32 [%r5+4], 1;");
    let (_, report) = launch(&body, 1, 32, &[3; 64], 64).unwrap();
    let rows = &report.memory.rows;
    assert_eq!((rows[0].line, rows[0].counts.requests, rows[0].counts.sectors), (2, 1, 8));
    assert_eq!(rows[0].counts.least_sectors, 4);
    assert_eq!(rows[0].counts.efficiency(), 0.5);
    assert_eq!((rows[1].line, rows[1].counts.sectors, rows[1].counts.least_sectors), (3, 4, 4));
    assert_eq!((rows[2].counts.wavefronts, rows[2].counts.bank_conflicts()), (32, 31));
    assert_eq!(rows[3].counts.bank_conflicts(), 0);
    let text = report.memory.to_string();
    assert!(text.contains("y = load(x)") && text.contains("50.0 %"), "{text}");
}

#[test]
fn printing_and_assertions_from_the_device() {
    let ptx = kernel(
        "setp.ne.s32 %p1, %r1, 3; @%p1 ret; mov.b64 %rd5, depot; cvta.local.u64 %rd6, %rd5; st.local.b32 [%rd5], 42;\n\
         mov.b64 %rd8, 0d3FF8000000000000; st.local.b64 [%rd5+8], %rd8; mov.b64 %rd9, format; cvta.global.u64 %rd9, %rd9;\n\
         { .param .b64 p0; st.param.b64 [p0], %rd9; .param .b64 p1; st.param.b64 [p1], %rd6; .param .b32 r0;\n\
         call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r9, [r0]; }\n\
         st.global.b32 [%rd2], %r9; ret;",
    );
    let ptx = ptx.replace(".reg .pred %p<20>;", ".local .align 8 .b8 depot[16];\n.reg .pred %p<20>;").replace(
        ".extern .shared",
        ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n\
         .global .align 1 .b8 format[10] = {120, 61, 37, 100, 32, 37, 46, 50, 102, 0};\n.extern .shared",
    );
    let mut device = Device::new();
    let a = device.upload(vec![0; 256]);
    let report = device.run(&ptx, "k", [2, 1, 1], 32, 0, &[a.into(), a.into()]).unwrap();
    assert_eq!(report.printed, ["x=42 1.50", "x=42 1.50"]);
}

#[test]
fn a_failed_assertion_names_its_message() {
    let text = |name: &str, value: &str| {
        let bytes: Vec<String> = value.bytes().chain([0]).map(|b| b.to_string()).collect();
        format!(".global .align 1 .b8 {name}[{}] = {{{}}};\n", bytes.len(), bytes.join(", "))
    };
    let declarations = text("message", "no threes") + &text("file", "k.tk") + &text("function", "kernel");
    let pass = |i: usize, name: &str| format!("mov.b64 %rd5, {name}; .param .b64 p{i}; st.param.b64 [p{i}], %rd5;\n");
    let ptx = kernel(&format!(
        "setp.ne.s32 %p1, %r1, 3; @%p1 ret;\n{{ {}{}.param .b32 p2; st.param.b32 [p2], 7;\n{}\
         .param .b64 p4; st.param.b64 [p4], 1; call.uni __assertfail, (p0, p1, p2, p3, p4); }} ret;",
        pass(0, "message"),
        pass(1, "file"),
        pass(3, "function"),
    ));
    let prototype =
        ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n";
    let ptx = ptx.replace(".extern .shared", &format!("{prototype}{declarations}.extern .shared"));
    let mut device = Device::new();
    let a = device.upload(vec![0; 256]);
    let error = device.run(&ptx, "k", [1, 1, 1], 32, 0, &[a.into(), a.into()]).unwrap_err();
    assert_eq!(error.code.slug, "assertion-failed");
    let text = render(&error, Style::Plain);
    assert!(text.contains("no threes") && text.contains("k.tk:7 in kernel") && text.contains("thread 3 "), "{text}");
}
