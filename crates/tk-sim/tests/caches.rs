//! The model of caches, by kernels whose hits can be counted by hand.

use crate::device::Device;
use tk_sim::{Arg, CacheConfig, CacheCounts};

/// Each CTA accesses `count` lines of 128 bytes, `step` bytes apart, from `CTA * apart` on; its warp accesses a line by one instruction.
fn kernel(access: &str) -> String {
    format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n\
         .visible .entry k(.param .u64 memory, .param .u32 apart, .param .u32 step, .param .u32 count)\n{{\n\
         .reg .pred %p;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n\
         ld.param.b64 %rd1, [memory];\nld.param.b32 %r1, [apart];\nld.param.b32 %r2, [step];\nld.param.b32 %r3, [count];\n\
         mov.u32 %r4, %tid.x;\nmov.u32 %r5, %ctaid.x;\n\
         mad.wide.u32 %rd1, %r4, 4, %rd1;\nmad.wide.u32 %rd1, %r5, %r1, %rd1;\ncvt.u64.u32 %rd2, %r2;\nmov.u32 %r6, 0;\n\
         NEXT: {access}\nadd.u64 %rd1, %rd1, %rd2;\nsub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p, %r3, 0;\n@%p bra NEXT;\nret;\n}}\n"
    )
}

const LOAD: &str = "ld.global.b32 %r6, [%rd1];";

/// What caches did for the access of `ctas` CTAs.
fn counts(access: &str, config: &str, ctas: u32, [apart, step, count]: [u32; 3]) -> CacheCounts {
    let mut device = Device::new();
    device.config.caches = Some(config.parse::<CacheConfig>().unwrap());
    device.config.checks.global_races = false;
    let memory = device.upload(vec![0; (ctas * (apart + 128) + step * count) as usize]);
    let args = [Arg::from(memory), Arg::from(apart), Arg::from(step), Arg::from(count)];
    let report = device.run(&kernel(access), "k", [ctas, 1, 1], 32, 0, &args).unwrap();
    report.memory.cache_totals()
}

#[test]
fn multiprocessors_share_l2_and_ctas_of_one_share_l1() {
    let reads = |config: &str| counts(LOAD, config, 2, [0, 128, 10]);
    let apart = reads("halves=1,multiprocessors=2,ctas=1");
    assert_eq!(apart, CacheCounts { l1_hits: 0, l2_reads: 80, l2_hits: 40, l2_writes: 0, ..CacheCounts::default() });
    let together = reads("halves=1,multiprocessors=1,ctas=2");
    assert_eq!(together, CacheCounts { l1_hits: 40, l2_reads: 40, l2_hits: 0, l2_writes: 0, ..CacheCounts::default() });
    assert_eq!(reads("halves=1,multiprocessors=1,ctas=1"), together, "one after the other");
}

#[test]
fn volatile_loads_leave_l1_out() {
    let found = counts("ld.volatile.global.b32 %r6, [%rd1];", "halves=1,multiprocessors=1,ctas=1", 2, [0, 128, 10]);
    assert_eq!(found, CacheCounts { l1_hits: 0, l2_reads: 80, l2_hits: 40, l2_writes: 0, ..CacheCounts::default() });
}

#[test]
fn sweeps_over_more_than_l2_holds_find_nothing() {
    // Each CTA reads all lines, one CTA after the other; L1 is left out.
    let access = "ld.volatile.global.b32 %r6, [%rd1];";
    let rate =
        |lines: u32| counts(access, "halves=1,multiprocessors=1,ctas=1,kib=64,ways=512", 3, [0, 128, lines]).l2_hits;
    assert_eq!(rate(512), 2 * 512 * 4, "64 KiB");
    assert_eq!(rate(513), 0, "a line more, in a cache of one set");
}

#[test]
fn fewer_ways_are_fewer_hits() {
    let access = "ld.volatile.global.b32 %r6, [%rd1];";
    let hits = |ways: u32| {
        counts(access, &format!("halves=1,multiprocessors=1,ctas=1,kib=64,ways={ways}"), 2, [0, 128, 500]).l2_hits
    };
    assert!(hits(1) < hits(512), "{} {}", hits(1), hits(512));
    assert_eq!(hits(512), 500 * 4);
}

#[test]
fn writes_reach_l2_and_make_l1_old() {
    let access = "ld.global.b32 %r6, [%rd1];\nst.global.b32 [%rd1], %r6;";
    let mut device = Device::new();
    device.config.caches = Some("halves=1,multiprocessors=1,ctas=1".parse().unwrap());
    device.config.checks.global_races = false;
    let memory = device.upload(vec![0; 4096]);
    let args = [Arg::from(memory), Arg::from(0u32), Arg::from(128u32), Arg::from(8u32)];
    let report = device.run(&kernel(access), "k", [2, 1, 1], 32, 0, &args).unwrap();
    let [load, store] = [0, 1].map(|row| report.memory.rows[row].cache.unwrap());
    assert_eq!(load, CacheCounts { l1_hits: 0, l2_reads: 64, l2_hits: 32, l2_writes: 0, ..CacheCounts::default() });
    assert_eq!(store, CacheCounts { l1_hits: 0, l2_reads: 0, l2_hits: 0, l2_writes: 64, ..CacheCounts::default() });
    assert!(report.memory.to_string().contains("L2: reads of 2 KiB, 50.0 % hits, 1 KiB from memory; writes of 2 KiB"));
}

#[test]
fn the_order_of_ctas_decides_what_is_found() {
    // CTAs i and i + 16 read the same line, and L2 holds eight: neighbours in a strided order find it.
    let body = "and.b32 %r5, %r5, 15;\nmad.wide.u32 %rd1, %r5, 128, %rd1;\nld.volatile.global.b32 %r6, [%rd1];";
    let hits = |order: &str| {
        let config = format!("halves=1,multiprocessors=1,ctas=1,kib=1,ways=8,order={order}");
        counts(body, &config, 32, [0, 128, 1]).l2_hits
    };
    assert_eq!([hits("16"), hits("forwards"), hits("backwards")], [16 * 4, 0, 0]);
}

#[test]
fn each_half_of_l2_keeps_copies_of_what_the_other_has() {
    // Every line is read by all of 8 multiprocessors, four of which are beside each half, at the same time: both halves ask for it once.
    let access = "ld.volatile.global.b32 %r6, [%rd1];";
    let lines = 2048;
    let found = counts(access, "multiprocessors=8,ctas=1", 8, [0, 128, lines]);
    let sectors = u64::from(4 * lines);
    assert_eq!(found.l2_reads, 8 * sectors);
    assert_eq!(found.from_memory(), sectors, "each line once");
    assert_eq!((found.l2_hits, found.l2_other_half), (6 * sectors, sectors));
    // One after the other, each 256 lines behind the next. A line that is first read from the other half takes a copy there and is then found
    // at home; one that is first read at home is asked for once more, from the other half.
    let found = counts(access, "multiprocessors=8,ctas=1", 8, [256 * 128, 128, lines]);
    let distinct = u64::from(4 * (lines + 7 * 256));
    assert_eq!((found.l2_reads, found.from_memory()), (8 * sectors, distinct));
    let share = found.l2_other_half as f64 / distinct as f64;
    assert!(share > 0.2 && share < 0.7, "{share}");
}

#[test]
fn atomics_and_writes_go_to_the_home_of_their_line() {
    let found = counts("red.global.add.u32 [%rd1], %r4;", "multiprocessors=8,ctas=1", 8, [0, 128, 64]);
    assert_eq!(found, CacheCounts { l2_reads: 8 * 256, l2_hits: 7 * 256, ..CacheCounts::default() });
    let found = counts(
        "st.global.b32 [%rd1], %r4;\nld.volatile.global.b32 %r7, [%rd1];",
        "multiprocessors=8,ctas=1",
        1,
        [0, 128, 64],
    );
    assert_eq!((found.l2_writes, found.l2_hits + found.l2_other_half, found.from_memory()), (256, 256, 0));
}

#[test]
fn nothing_is_kept_where_no_caches_are_asked_for() {
    let mut device = Device::new();
    let memory = device.upload(vec![0; 4096]);
    let args = [Arg::from(memory), Arg::from(0u32), Arg::from(128u32), Arg::from(8u32)];
    let report = device.run(&kernel(LOAD), "k", [2, 1, 1], 32, 0, &args).unwrap();
    assert!(report.memory.caches.is_none() && report.memory.rows[0].cache.is_none());
    assert!(!report.memory.to_string().contains("L2"));
}
