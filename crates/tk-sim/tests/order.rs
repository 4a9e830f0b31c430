//! mbarriers, proxies and tensor maps: each rule about the order of threads and engines, broken and kept.

use crate::device::{Device, u32s};
use tk_diag::{BAD_PTX, Code, DATA_RACE, DEADLOCK};
use tk_sim::{Arg, TensorElement, TensorMap, encode_tensor_map};

/// Orders in which warps begin and copies land.
const SEEDS: std::ops::Range<u64> = 0..6;

/// A kernel of two warps (`%p1`: thread 0, `%p2`: warp 0, `%p3`: thread 32). `%r3` is shared memory, `%r4` and `%r5` have room for mbarriers,
/// `%rd1` is a tensor map in global memory, `%rd2` 256 bytes of input, `%rd3` output, `%rd4` a flag; `%r7` is this thread's word.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.7
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 tile[];
.visible .entry k(.param .u64 map, .param .u64 in, .param .u64 out, .param .u64 flag)
{{
    .reg .pred %p<9>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<20>;
    .shared .align 8 .b64 bars[2];
    ld.param.u64 %rd1, [map];
    ld.param.u64 %rd2, [in];
    ld.param.u64 %rd3, [out];
    ld.param.u64 %rd4, [flag];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    setp.eq.s32 %p1, %r1, 0;
    setp.lt.s32 %p2, %r1, 32;
    setp.eq.s32 %p3, %r1, 32;
    mov.b32 %r3, tile;
    mov.b32 %r4, bars;
    add.s32 %r5, %r4, 8;
    shl.b32 %r6, %r1, 2;
    add.s32 %r7, %r3, %r6;
{body}
    ret;
}}
"
    )
}

/// A tensor of 8 rows of 32 words, boxes of 4 rows of 16.
fn map(address: u64) -> TensorMap {
    TensorMap {
        address,
        element: TensorElement::U32,
        sizes: vec![32, 8],
        strides: vec![128],
        block: vec![16, 4],
        element_strides: vec![1, 1],
        swizzle_bytes: 64,
        fill_nan: false,
    }
}

fn run(body: &str, ctas: u32, seed: u64) -> tk_diag::Result<Vec<u32>> {
    let mut device = Device::new();
    device.config.seed = seed;
    let input = device.upload(u32s(&(0..256).collect::<Vec<u32>>()));
    let map = device.upload(encode_tensor_map(&map(input.address())).unwrap().to_vec());
    let (out, flag) = (device.upload(vec![0; 1024]), device.upload(vec![0; 4]));
    device.run(&kernel(body), "k", [ctas, 1, 1], 64, 4096, &[map, input, out, flag].map(Arg::from))?;
    Ok(device.words(out))
}

#[track_caller]
fn runs_on(body: &str, ctas: u32) {
    for seed in SEEDS {
        let result = run(body, ctas, seed);
        result.unwrap_or_else(|e| panic!("seed {seed}\n{}", tk_diag::render(&e, tk_diag::Style::Plain)));
    }
}

#[track_caller]
fn runs(body: &str) {
    runs_on(body, 1);
}

/// The kernel stops for every seed with these words, and says at which line.
#[track_caller]
fn stops_on(body: &str, ctas: u32, code: Code, words: &[&str]) {
    for seed in SEEDS {
        let error = run(body, ctas, seed).expect_err("the run must stop");
        let text = tk_diag::render(&error, tk_diag::Style::Plain);
        assert!(error.code == code && text.contains("this PTX instruction"), "seed {seed}\n{text}");
        assert!(words.iter().any(|words| text.contains(words)), "seed {seed}\n{text}");
    }
}

#[track_caller]
fn stops(body: &str, code: Code, words: &str) {
    stops_on(body, 1, code, &[words]);
}

/// `body` runs; without its line `part` it stops with these words.
#[track_caller]
fn needs(body: &str, part: &str, code: Code, words: &str) {
    runs(body);
    assert!(body.contains(part), "{part}");
    stops(&body.replace(part, ""), code, words);
}

const SYNC: &str = "bar.sync 0;\n";
const INIT: &str = "@%p1 mbarrier.init.shared::cta.b64 [%r4], 1;\nbar.sync 0;\n";
const ARRIVE: &str = "@%p1 mbarrier.arrive.shared::cta.b64 _, [%r4];\n";

/// All threads wait for a phase of the mbarrier at a register.
fn wait(at: &str, parity: u32, label: &str) -> String {
    format!("{label}:\nmbarrier.try_wait.parity.shared::cta.b64 %p5, [{at}], {parity};\n@!%p5 bra {label};\n")
}

#[test]
fn initialisation_is_ordered_before_use() {
    let done = wait("%r4", 0, "W");
    runs(&format!("{INIT}{ARRIVE}{done}"));
    let body =
        format!("@%p1 mbarrier.init.shared::cta.b64 [%r4], 64;\nmbarrier.arrive.shared::cta.b64 _, [%r4];\n{done}");
    // With the seeds that let warp 1 begin, it comes before there is an mbarrier.
    for seed in SEEDS {
        let error = run(&body, 1, seed).unwrap_err();
        let late = error.code == DATA_RACE && error.message.contains("races with its initialisation by thread 0");
        assert!(late || error.message.contains("there is no mbarrier"), "{}", error.message);
        assert_eq!(late, seed % 2 == 0);
    }
    stops(&format!("{SYNC}{ARRIVE}"), tk_diag::UNINITIALISED, "there is no mbarrier");
}

#[test]
fn an_mbarrier_ends_before_the_next() {
    let first = format!("{INIT}{ARRIVE}{}", wait("%r4", 0, "W"));
    let end = format!("{SYNC}@%p1 mbarrier.inval.shared::cta.b64 [%r4];\n{SYNC}");
    let again = format!("{INIT}{ARRIVE}{}", wait("%r4", 0, "X"));
    needs(&format!("{first}{end}{again}"), &end, BAD_PTX, "where an mbarrier is in use");
    // Compilers write an mbarrier twice before anybody uses it.
    runs(&format!("@%p1 mbarrier.init.shared::cta.b64 [%r4], 1;\n{first}"));
    // Another thread may still look at it.
    let early = "@%p1 mbarrier.inval.shared::cta.b64 [%r4];\n";
    let text = format!("{INIT}@%p3 mbarrier.arrive.shared::cta.b64 _, [%r4];\n{}{early}", wait("%r4", 0, "W"));
    stops_on(&text, 1, DATA_RACE, &["`mbarrier.inval` races"]);
}

#[test]
fn the_memory_of_an_mbarrier_is_its_own() {
    let first = format!("{INIT}{ARRIVE}{}{SYNC}", wait("%r4", 0, "W"));
    stops(&format!("{first}@%p1 st.shared.b32 [%r4], 1;\n"), BAD_PTX, "where an mbarrier lies");
    stops(&format!("{first}@%p1 ld.shared.b32 %r8, [%r4+4];\n"), BAD_PTX, "where an mbarrier lies");
    runs(&format!("{first}@%p1 mbarrier.inval.shared::cta.b64 [%r4];\n@%p1 st.shared.b32 [%r4], 1;\n"));
    let overwritten = format!("{INIT}@%p1 st.shared.b32 [%r4], 7;\n{ARRIVE}");
    stops(&overwritten, BAD_PTX, "was overwritten between its initialisation and its use");
}

#[test]
fn counts_of_arrivals() {
    stops(&format!("{INIT}mbarrier.arrive.shared::cta.b64 _, [%r4], 2;\n"), BAD_PTX, "waits for only 1 more of 1");
    let two = "@%p1 mbarrier.init.shared::cta.b64 [%r4], 2;\nbar.sync 0;\n";
    let both = format!("{two}{ARRIVE}@%p3 mbarrier.arrive.shared::cta.b64 _, [%r4];\n{}", wait("%r4", 0, "W"));
    needs(&both, ARRIVE, DEADLOCK, "still waits for 1 of 2 arrivals");
    // Nobody arrives at all.
    stops(&format!("{INIT}{}", wait("%r4", 0, "W")), DEADLOCK, "still waits for 1 of 1 arrivals");
}

#[test]
fn a_deadlock_says_what_each_warp_waits_for() {
    let body = format!("{INIT}@!%p2 bra B;\n{}bra END;\nB:\nbar.sync 1;\nEND:", wait("%r4", 0, "W"));
    let error = run(&body, 1, 0).unwrap_err();
    let text = tk_diag::render(&error, tk_diag::Style::Plain);
    let line = |words: &str| kernel(&body).lines().position(|line| line.contains(words)).unwrap() + 1;
    let first = format!("warp 0, PTX line {}: the mbarrier at shared address", line("try_wait"));
    let second = format!("warp 1, PTX line {}: barrier 1 waits for 64 threads, and 32 have come", line("bar.sync 1"));
    assert!(error.code == DEADLOCK && text.contains(&first) && text.contains(&second), "{text}");
    // Half a warp, and a warp that has left.
    let body = format!(
        "@!%p2 exit;\n{INIT}and.b32 %r8, %r1, 1;\nsetp.eq.s32 %p6, %r8, 0;\n@%p6 bra B;\n{}B:\nbar.sync 1;\n",
        wait("%r4", 0, "W")
    );
    let text = tk_diag::render(&run(&body, 1, 0).unwrap_err(), tk_diag::Style::Plain);
    assert!(text.contains("16 lanes of warp 0, PTX line") && text.contains("warp 1: left the kernel"), "{text}");
}

#[test]
fn states_of_old_phases() {
    let body = |phases: usize| {
        let arrive = "@%p1 mbarrier.arrive.shared::cta.b64 %rd9, [%r4];\n";
        let first = "@%p1 mbarrier.arrive.shared::cta.b64 %rd8, [%r4];\n";
        format!("{INIT}{first}{}@%p1 mbarrier.test_wait.shared::cta.b64 %p5, [%r4], %rd8;\n", arrive.repeat(phases))
    };
    runs(&body(0));
    stops(&body(1), BAD_PTX, "a wait for phase 0 of the mbarrier");
    stops(&body(2), BAD_PTX, "a wait for phase 0 of the mbarrier");
}

/// Warp 1 waits for phases by parity; warp 0 completes them, and does not go on before warp 1 has seen each.
#[test]
fn phases_that_pass_unseen() {
    let init =
        "@%p1 mbarrier.init.shared::cta.b64 [%r4], 1;\n@%p1 mbarrier.init.shared::cta.b64 [%r5], 1;\nbar.sync 0;\n";
    let late = "nanosleep.u32 10;\n".repeat(4);
    let seen = wait("%r5", 0, "SEEN");
    let body = format!(
        "{init}@!%p2 bra CONSUMER;\n{late}{ARRIVE}{seen}{ARRIVE}bra END;\nCONSUMER:\n{}@%p3 mbarrier.arrive.shared::cta.b64 _, [%r5];\n{}END:\n",
        wait("%r4", 0, "FIRST"),
        wait("%r4", 1, "SECOND")
    );
    runs(&body);
    stops_on(&body.replace(&seen, ""), 1, DATA_RACE, &["completed unseen"]);
}

const COPY: &str = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd2], 256, [%r4];\n";

#[test]
fn bytes_of_copies() {
    let expect = |bytes: u32| format!("@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], {bytes};\n");
    let body = |bytes: u32| format!("{INIT}{}@%p1 {COPY}{}", expect(bytes), wait("%r4", 0, "W"));
    runs(&body(256));
    stops(&body(512), DEADLOCK, "still waits for 256 bytes");
    stops(&body(128), DEADLOCK, "nothing, but 128 bytes came that no thread expected");
    // Expected bytes and the arrival may come after the copy.
    runs(&format!("{INIT}@%p1 {COPY}{}{}", expect(256), wait("%r4", 0, "W")));
}

const WRITE: &str = "st.shared.b32 [%r7], %r1;\n";
const STORE: &str = "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r3], 128;\n";
const STORED: &str = "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";

/// A copy by one thread sees what others wrote when they fenced it and a barrier, of the CTA or the warp, is between.
#[test]
fn copies_of_what_other_lanes_wrote() {
    let fence = "fence.proxy.async.shared::cta;\n";
    // 128 bytes are what warp 0 wrote.
    for barrier in [SYNC, "bar.warp.sync -1;\n"] {
        let body = format!("{WRITE}{fence}{barrier}{STORE}{STORED}");
        needs(&body, fence, DATA_RACE, "may miss what thread");
        needs(&body, barrier, DATA_RACE, "races: thread");
        // The fence may stand behind the barrier.
        runs(&format!("{WRITE}{barrier}{fence}{STORE}{STORED}"));
        // A fence of one thread hands over what is ordered before it, not what other lanes wrote.
        runs(&format!("{WRITE}{barrier}@%p1 {fence}{STORE}{STORED}"));
        stops(&format!("{WRITE}@%p1 {fence}{barrier}{STORE}{STORED}"), DATA_RACE, "may miss what thread");
    }
    // One's own writes need no barrier.
    let own = "@%p1 st.shared.v4.b32 [%r3], {%r1, %r1, %r1, %r1};\n";
    let body = format!("{own}@%p1 {fence}{STORE}{STORED}").replace(", 128;", ", 16;");
    needs(&body, &format!("@%p1 {fence}"), DATA_RACE, "may miss what thread 0");
}

/// One lane arrives for its warp: the others have to be done.
#[test]
fn arrivals_for_others() {
    let meet = "bar.warp.sync -1;\n";
    let body = format!(
        "{INIT}@!%p2 bra READ;\n{WRITE}{meet}{ARRIVE}bra END;\nREAD:\n{}ld.shared.b32 %r8, [%r7+-128];\nEND:\n",
        wait("%r4", 0, "W")
    );
    runs(&body);
    stops(&body.replace(meet, ""), DATA_RACE, "a read races: thread");
    // Every lane for itself needs no meeting.
    let each = body.replace(meet, "").replace(ARRIVE, "mbarrier.arrive.shared::cta.b64 _, [%r4];\n");
    runs(&each.replace("[%r4], 1;\nbar", "[%r4], 32;\nbar"));
}

/// Thread 0 changes the map, thread 32 loads by it.
fn by_changed_map(release: &str, between: &str, acquire: &str) -> String {
    format!(
        "{INIT}@%p1 tensormap.replace.tile.global_dim.global.b1024.b32 [%rd1], 1, 8;\n{release}{between}{acquire}\
         @%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 256;\n@%p3 {LOAD}{}",
        wait("%r4", 0, "W")
    )
}

const LOAD: &str =
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {0, 0}], [%r4];\n";
const RELEASE: &str = "@%p1 fence.proxy.tensormap::generic.release.gpu;\n";
const ACQUIRE: &str = "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\n";

#[test]
fn tensor_maps_within_a_cta() {
    let body = by_changed_map(RELEASE, SYNC, ACQUIRE);
    needs(&body, RELEASE, DATA_RACE, "changed and not released since");
    needs(&body, ACQUIRE, DATA_RACE, "changed and not acquired since by this warp");
    stops(&by_changed_map(RELEASE, SYNC, &format!("@%p2 {ACQUIRE}")), DATA_RACE, "not acquired since by this warp");
    // One warp may acquire for all, when a barrier follows.
    runs(&by_changed_map(RELEASE, "", &format!("@%p2 {ACQUIRE}{SYNC}")));
    // Without the barrier, the acquire may come first or behind.
    let unordered = [
        "acquired without a barrier behind the release",
        "not released since",
        "not acquired since",
        "while a copy by it is in flight",
    ];
    stops_on(&by_changed_map(RELEASE, "", ACQUIRE), 1, DATA_RACE, &unordered);
    // A release by another thread counts when the change is ordered before it.
    let other = RELEASE.replace("%p1", "%p3");
    runs(&by_changed_map(&format!("{SYNC}{other}"), SYNC, ACQUIRE));
    stops(&by_changed_map(&other, SYNC, ACQUIRE), DATA_RACE, "not released since");
}

#[test]
fn tensor_maps_change_when_no_copy_uses_them() {
    let change = "@%p3 tensormap.replace.tile.global_dim.global.b1024.b32 [%rd1], 1, 4;\n";
    let body = by_changed_map(RELEASE, SYNC, ACQUIRE);
    runs(&format!("{body}{change}"));
    let waited = wait("%r4", 0, "W");
    stops(&body.replace(&waited, &format!("{change}{waited}")), DATA_RACE, "while a copy by it is in flight");
    let by_another = change.replace("%p3", "%p1");
    runs(&format!("{body}{SYNC}{by_another}"));
    // Thread 0 never waited, so that the copy of thread 32 may still come.
    let (before, _) = body.split_once("W:").unwrap();
    let waits_alone = format!("{before}@!%p3 bra GO;\n{waited}GO:\n{by_another}");
    stops_on(
        &waits_alone,
        1,
        DATA_RACE,
        &["races with a copy by it", "while a copy by it is in flight", "not released since"],
    );
}

/// CTA 0 changes the map and raises a flag; CTA 1 waits for the flag and loads.
#[test]
fn tensor_maps_between_ctas() {
    let body = |release: &str, acquire: &str| {
        format!(
            "{INIT}setp.eq.s32 %p6, %r2, 0;\n@!%p6 bra USE;\n\
             @%p1 tensormap.replace.tile.global_dim.global.b1024.b32 [%rd1], 1, 8;\n{release}\
             @%p1 st.release.gpu.global.b32 [%rd4], 1;\nbra END;\n\
             USE:\nld.acquire.gpu.global.b32 %r8, [%rd4];\nsetp.eq.s32 %p7, %r8, 0;\n@%p7 nanosleep.u32 10;\n@%p7 bra USE;\n{acquire}\
             @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 256;\n@%p1 {LOAD}{}END:\n",
            wait("%r4", 0, "W")
        )
    };
    runs_on(&body(RELEASE, ACQUIRE), 2);
    stops_on(&body("", ACQUIRE), 2, DATA_RACE, &["not released since"]);
    stops_on(&body(RELEASE, ""), 2, DATA_RACE, &["not acquired since by this warp"]);
    let narrow = |fence: &str| fence.replace(".gpu", ".cta");
    stops_on(&body(&narrow(RELEASE), ACQUIRE), 2, DATA_RACE, &["the scope of one CTA"]);
    stops_on(&body(RELEASE, &narrow(ACQUIRE)), 2, DATA_RACE, &["the scope of one CTA"]);
}
