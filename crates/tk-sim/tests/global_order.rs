//! Global memory between warps and CTAs: each rule about order, broken and kept. A broken rule is reported at the instruction that is
//! marked `// here`, with the other one, `// there`.

use crate::device::{Device, u32s};
use tk_diag::{BAD_LAUNCH, BAD_PTX, Code, DATA_RACE, DEADLOCK, Style, UNSUPPORTED};
use tk_sim::Arg;

/// Orders in which warps begin.
const SEEDS: std::ops::Range<u64> = 0..4;

/// Two warps per CTA unless a test says otherwise. `%rd1` is 4 KiB of data, of zeros; `%rd2` is 256 bytes of flags, of zeros; `%rd5` this
/// thread's word of the data, `%rd6` its word in a part for its CTA; `%p1`: thread 0, `%p2`: CTA 0.
fn kernel(header: &str, body: &str) -> String {
    format!(
        ".version 8.7
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 tile[];
.visible .entry k(.param .u64 data, .param .u64 flags){header}
{{
    .reg .pred %p<9>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<20>;
    ld.param.u64 %rd1, [data];
    ld.param.u64 %rd2, [flags];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %nctaid.x;
    setp.eq.s32 %p1, %r1, 0;
    setp.eq.s32 %p2, %r2, 0;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd5, %rd1, %rd3;
    mul.wide.u32 %rd4, %r2, 512;
    add.s64 %rd6, %rd5, %rd4;
{body}
    ret;
}}
"
    )
}

struct Launch {
    ctas: u32,
    threads: u32,
}

fn run(text: &str, Launch { ctas, threads }: Launch, seed: u64) -> tk_diag::Result<Vec<u32>> {
    let mut device = Device::new();
    device.config.seed = seed;
    let (data, flags) = (device.upload(vec![0; 4096]), device.upload(u32s(&[0; 64])));
    device.run(text, "k", [ctas, 1, 1], threads, 4096, &[data, flags].map(Arg::from))?;
    Ok(device.words(data))
}

#[track_caller]
fn runs(ctas: u32, body: &str) {
    for seed in SEEDS {
        let result = run(&kernel("", body), Launch { ctas, threads: 64 }, seed);
        result.unwrap_or_else(|e| panic!("seed {seed}\n{}", tk_diag::render(&e, Style::Plain)));
    }
}

/// The line of a mark, from 1.
fn marked(text: &str, mark: &str) -> Option<String> {
    text.lines().position(|line| line.ends_with(mark)).map(|line| (line + 1).to_string())
}

#[track_caller]
fn stops_in(text: &str, code: Code, message: &str, launch: fn() -> Launch) {
    for seed in SEEDS {
        let error = run(text, launch(), seed).expect_err(&format!("seed {seed}: nothing was found"));
        let shown = tk_diag::render(&error, Style::Plain);
        assert_eq!(error.code, code, "{shown}");
        assert!(shown.contains(message), "seed {seed}: no `{message}` in\n{shown}");
        for line in ["// here", "// there"].into_iter().filter_map(|mark| marked(text, mark)) {
            assert!(
                shown.lines().any(|l| l.trim_start().starts_with(&format!("{line} |"))),
                "no line {line}:\n{shown}"
            );
        }
    }
}

#[track_caller]
fn stops(ctas: u32, code: Code, message: &str, body: &str) {
    let launch = if ctas == 1 { || Launch { ctas: 1, threads: 64 } } else { || Launch { ctas: 4, threads: 64 } };
    stops_in(&kernel("", body), code, message, launch);
}

/// Several CTAs race in most schedules, and in the others their accesses happen to be ordered.
#[track_caller]
fn stops_mostly(code: Code, message: &str, body: &str) {
    let errors = |seed| run(&kernel("", body), Launch { ctas: 4, threads: 64 }, seed).err();
    let errors: Vec<_> = (0..8).filter_map(errors).collect();
    assert!(!errors.is_empty(), "nothing was found");
    for error in errors {
        let shown = tk_diag::render(&error, Style::Plain);
        assert_eq!(error.code, code, "{shown}");
        assert!(shown.contains(message), "no `{message}` in\n{shown}");
    }
}

#[test]
fn two_programs_write_one_address() {
    stops(4, DATA_RACE, "wrote another value", "st.global.b32 [%rd5], %r2; // here");
    stops(4, DATA_RACE, "wrote another value", "add.s32 %r5, %r2, 1; st.global.b16 [%rd5+2], %r5; // here");
    stops(4, DATA_RACE, "wrote another value", "add.s32 %r5, %r2, 1; st.global.v2.b32 [%rd1], {%r5, %r5}; // here");
    stops(
        4,
        DATA_RACE,
        "races",
        "@%p1 red.global.gpu.relaxed.add.u32 [%rd1], 1; // here\n@%p1 st.global.b32 [%rd1], 77; // there",
    );
    // One value, or places of their own.
    runs(4, "st.global.b32 [%rd5], 7;");
    runs(4, "st.global.b32 [%rd6], %r2;");
    runs(4, "st.global.b32 [%rd5], 7; ld.global.b32 %r5, [%rd5]; st.global.b32 [%rd6+2048], %r5;");
}

#[test]
fn updates_that_are_not_atomic() {
    let update = "ld.global.b32 %r5, [%rd1]; // here\nadd.s32 %r5, %r5, 1;\n@%p1 st.global.b32 [%rd1], %r5; // there";
    stops(4, DATA_RACE, "CTA (", update);
    // Alone, with the loads of all warps that compilers make, there is no fault.
    runs(1, update);
    runs(4, "@%p1 red.global.gpu.relaxed.add.u32 [%rd1], 1;");
    runs(4, "@%p1 atom.global.gpu.acq_rel.add.u32 %r5, [%rd1], 1;");
    // Atomic for the CTA alone.
    stops(4, DATA_RACE, "races", "@%p1 atom.global.cta.relaxed.add.u32 %r5, [%rd1], 1; // here");
    runs(1, "atom.global.cta.relaxed.add.u32 %r5, [%rd1], 1;");
}

/// CTA 0 writes, says so, and the others read.
fn flag(publish: &str, wait: &str) -> String {
    format!(
        "@!%p2 bra READ;
        add.s32 %r5, %r1, 1;
        st.global.b32 [%rd5], %r5; // there
        {publish}
        ret;
        READ: {wait}
        ld.global.b32 %r6, [%rd5]; // here
        st.global.b32 [%rd6], %r6;"
    )
}

const WAIT: &str = "ld.acquire.gpu.global.b32 %r7, [%rd2]; setp.eq.s32 %p3, %r7, 0; @%p3 bra READ; bar.sync 0;";

#[test]
fn flags() {
    // Either access may come first in a schedule.
    let race = "races";
    let release = "bar.sync 0; @%p1 st.release.gpu.global.b32 [%rd2], 1;";
    runs(3, &flag(release, WAIT));
    runs(3, &flag("bar.sync 0; @%p1 atom.global.gpu.release.exch.b32 %r8, [%rd2], 1;", WAIT));
    runs(3, &flag("bar.sync 0; @%p1 red.global.gpu.release.add.u32 [%rd2], 1;", WAIT));
    runs(3, &flag("bar.sync 0; fence.acq_rel.gpu; @%p1 st.relaxed.gpu.global.b32 [%rd2], 1;", WAIT));
    runs(3, &flag("bar.sync 0; membar.gl; @%p1 st.volatile.global.b32 [%rd2], 1;", WAIT));
    let fenced =
        "ld.relaxed.gpu.global.b32 %r7, [%rd2]; setp.eq.s32 %p3, %r7, 0; @%p3 bra READ; fence.acq_rel.gpu; bar.sync 0;";
    runs(3, &flag(release, fenced));
    let swap = "atom.global.gpu.acq_rel.cas.b32 %r7, [%rd2], 1, 1; setp.eq.s32 %p3, %r7, 0; @%p3 bra READ; bar.sync 0;";
    runs(3, &flag(release, swap));
    // No release, or too early, or for the CTA alone.
    stops_mostly(DATA_RACE, race, &flag("bar.sync 0; @%p1 st.relaxed.gpu.global.b32 [%rd2], 1;", WAIT));
    stops_mostly(
        DATA_RACE,
        race,
        &flag("bar.sync 0; fence.acq_rel.cta; @%p1 st.relaxed.gpu.global.b32 [%rd2], 1;", WAIT),
    );
    stops_mostly(DATA_RACE, race, &flag("@%p1 st.release.gpu.global.b32 [%rd2], 1;", WAIT));
    // No acquire.
    let relaxed = "ld.relaxed.gpu.global.b32 %r7, [%rd2]; setp.eq.s32 %p3, %r7, 0; @%p3 bra READ; bar.sync 0;";
    stops_mostly(DATA_RACE, race, &flag(release, relaxed));
    let volatile = "ld.volatile.global.b32 %r7, [%rd2]; setp.eq.s32 %p3, %r7, 0; @%p3 bra READ; bar.sync 0;";
    stops_mostly(DATA_RACE, race, &flag(release, volatile));
    // One thread acquires, and no barrier hands it to the others.
    let one = "@!%p1 bra GO; LOOP: ld.acquire.gpu.global.b32 %r7, [%rd2]; setp.eq.s32 %p3, %r7, 0; @%p3 bra LOOP; GO:";
    stops_mostly(DATA_RACE, race, &flag(release, one));
    // Nobody waits.
    stops_mostly(DATA_RACE, race, &flag(release, ""));
}

/// Each CTA adds 1 to all words under a lock.
fn lock(before: &str, after: &str) -> String {
    format!(
        "TRY: @%p1 atom.global.gpu.acquire.cas.b32 %r7, [%rd2], 0, 1;
        setp.ne.s32 %p3, %r7, 0; @%p3 bra TRY; bar.sync 0;
        ld.global.b32 %r5, [%rd5];
        add.s32 %r5, %r5, 1;
        {before}
        st.global.b32 [%rd5], %r5;
        {after}"
    )
}

#[test]
fn locks() {
    let free = "@%p1 atom.global.gpu.release.exch.b32 %r7, [%rd2], 0;";
    let init = |text: String| format!("mov.u32 %r7, 0;\n{text}");
    for seed in SEEDS {
        let text = kernel("", &init(lock("", &format!("bar.sync 0; {free}"))));
        let got = run(&text, Launch { ctas: 5, threads: 64 }, seed).unwrap();
        assert!(got[..64].iter().all(|x| *x == 5));
    }
    stops_mostly(DATA_RACE, "races", &init(lock("", free)));
    stops_mostly(DATA_RACE, "races", &init(lock(free, "")));
    stops_mostly(
        DATA_RACE,
        "races",
        &init(lock("", "bar.sync 0; @%p1 atom.global.gpu.relaxed.exch.b32 %r7, [%rd2], 0;")),
    );
    let weak = lock("", "bar.sync 0; @%p1 st.global.b32 [%rd2], 0;");
    stops_mostly(DATA_RACE, "races", &init(weak));
}

#[test]
fn read_only_loads_of_what_the_kernel_wrote() {
    stops(
        1,
        DATA_RACE,
        "`ld.global.nc`",
        "add.s32 %r5, %r1, 1; st.global.b32 [%rd5], %r5; // there\nbar.sync 0; ld.global.nc.b32 %r6, [%rd5]; // here",
    );
    runs(4, "ld.global.nc.b32 %r6, [%rd5]; st.global.b32 [%rd6+2048], %r6;");
}

#[test]
fn warps_of_one_cta() {
    let swapped = "mul.wide.u32 %rd7, %r1, 4; sub.s64 %rd8, %rd1, %rd7; add.s64 %rd8, %rd8, 252; add.s32 %r5, %r1, 1;";
    let kernel = |between: &str| {
        format!(
            "{swapped}\nst.global.b32 [%rd5], %r5;\n{between}\nld.global.b32 %r6, [%rd8];\nst.global.b32 [%rd5+1024], %r6;"
        )
    };
    runs(1, &kernel("bar.sync 0;"));
    stops(1, DATA_RACE, "no barrier orders", &kernel(""));
    stops(1, DATA_RACE, "no barrier orders", &kernel("bar.warp.sync -1;"));
    stops(
        1,
        DATA_RACE,
        "no barrier orders",
        "shr.u32 %r5, %r1, 5; add.s32 %r5, %r5, 1; st.global.b32 [%rd1], %r5; // here",
    );
}

#[test]
fn loads_that_all_warps_make_of_what_one_of_them_stores() {
    // Lanes 0 to 31 of both warps load the same words, by two instructions, and the first warp replaces them.
    let replicated =
        "and.b32 %r5, %r1, 31; mul.wide.u32 %rd7, %r5, 4; add.s64 %rd7, %rd1, %rd7; setp.lt.u32 %p2, %r1, 32;
        ld.global.b32 %r6, [%rd7]; ld.global.b32 %r7, [%rd7]; add.s32 %r6, %r6, %r7; add.s32 %r6, %r6, 1;
        @%p2 st.global.b32 [%rd7], %r6;";
    runs(1, replicated);
    // A load behind the store may find either value, which is seen where it comes after the store.
    let late = "xor.b32 %r8, %r1, 32; shr.u32 %r8, %r8, 5; setp.eq.s32 %p2, %r8, 1; @!%p2 ld.global.b32 %r6, [%rd7];";
    let text = kernel("", &format!("{replicated}\n{late}"));
    let found = SEEDS.filter(|seed| run(&text, Launch { ctas: 1, threads: 64 }, *seed).is_err()).count();
    assert!(found > 0);
    // What the other warp loads is not what the first loads and stores.
    let swapped = "mul.wide.u32 %rd7, %r1, 4; sub.s64 %rd8, %rd1, %rd7; add.s64 %rd8, %rd8, 252;
        ld.global.b32 %r6, [%rd5]; add.s32 %r6, %r6, 1; st.global.b32 [%rd8], %r6;";
    stops(1, DATA_RACE, "no barrier orders", swapped);
}

#[test]
fn ctas_that_wait_for_what_never_comes() {
    let never = "LOOP: ld.acquire.gpu.global.b32 %r5, [%rd2]; // here\nsetp.eq.s32 %p3, %r5, 0; @%p3 bra LOOP;";
    stops(4, DEADLOCK, "byte 0 of the buffer", never);
    let taken =
        "TRY: atom.global.gpu.acquire.cas.b32 %r7, [%rd2], 0, 1; // here\nsetp.ne.s32 %p3, %r7, 0; @%p3 bra TRY;";
    stops(4, DEADLOCK, "waits for", taken);
    // A barrier of all CTAs, more than a GPU holds.
    let all = "@%p1 red.global.gpu.add.u32 [%rd2], 1;
        LOOP: ld.acquire.gpu.global.b32 %r5, [%rd2]; // here
        setp.lt.u32 %p3, %r5, %r3; @%p3 bra LOOP;";
    stops_in(&kernel("", all), DEADLOCK, "132 multiprocessors", || Launch { ctas: 300, threads: 1024 });
    run(&kernel("", all), Launch { ctas: 200, threads: 1024 }, 0).unwrap();
}

#[test]
fn what_is_not_modelled_is_refused() {
    let one = || Launch { ctas: 1, threads: 64 };
    stops_in(&kernel("\n.reqnctapercluster 2", ""), BAD_LAUNCH, "clusters of [2, 1, 1] do not divide", one);
    let blocks = "\n.reqnctapercluster 1 .reqntid 64 .blocksareclusters";
    stops_in(&kernel(blocks, ""), UNSUPPORTED, ".blocksareclusters", one);
    run(&kernel("\n.reqnctapercluster 1", ""), one(), 0).unwrap();
    let text = kernel("", "").replace(".param .u64 flags)", ".param .u64 flags, .param .u32 n)");
    run(&text, one(), 0).unwrap();
    let read = text.replace("    ret;", "ld.param.u32 %r5, [n]; // here\n    ret;");
    stops_in(&read, BAD_LAUNCH, "parameter 2, `n`", one);
}

#[test]
fn blocks_of_several_dimensions() {
    let body = "mov.u32 %r5, %tid.y; mov.u32 %r6, %tid.z; mov.u32 %r7, %ntid.x; mov.u32 %r8, %ntid.y;
        mad.lo.s32 %r9, %r6, %r8, %r5; mad.lo.s32 %r9, %r9, %r7, %r1;
        mul.wide.u32 %rd7, %r9, 4; add.s64 %rd7, %rd1, %rd7; mad.lo.s32 %r10, %r6, 100, %r5; st.global.b32 [%rd7], %r10;";
    let got = run(&kernel("\n.reqntid 4, 8, 2", body), Launch { ctas: 1, threads: 64 }, 0).unwrap();
    for (i, value) in got[..64].iter().enumerate() {
        assert_eq!(*value as usize, i / 32 * 100 + i / 4 % 8);
    }
}

#[test]
fn lanes_that_are_not_there() {
    let half = "setp.lt.s32 %p3, %r1, 16; and.b32 %r9, %r1, 31; setp.lt.u32 %p4, %r9, 16;\n";
    let shuffle = |lanes: &str, by: &str| {
        format!("{half}@!%p4 bra END; shfl.sync.down.b32 %r5, %r1, {by}, {lanes}, 0xffff; // here\nEND:")
    };
    stops(1, BAD_PTX, "does not take part", &shuffle("31", "8"));
    stops(
        1,
        BAD_PTX,
        "does not take part",
        &format!("{half}@!%p4 exit; shfl.sync.idx.b32 %r5, %r1, 20, 31, -1; // here"),
    );
    // Segments of 16 lanes.
    runs(1, &shuffle("0x100f", "8"));
    let address =
        "mov.b32 %r8, tile; shl.b32 %r9, %r1, 2; add.s32 %r10, %r8, %r9; st.shared.b32 [%r10], %r1; bar.sync 0;\n";
    let matrix = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r8];";
    runs(1, &format!("{address}{matrix}"));
    stops(1, BAD_PTX, "only 16 of 32 lanes", &format!("{half}{address}@%p4 {matrix} // here"));
    stops(1, BAD_PTX, "needs 32", &format!("{half}{address}@!%p4 exit; {matrix} // here"));
}

#[test]
fn barriers_in_branches() {
    let half = "and.b32 %r9, %r1, 31; setp.lt.u32 %p4, %r9, 16;\n";
    let both = format!("{half}@%p4 bra A; bar.sync 0; bra END; A: bar.sync 0; // here\nEND:");
    stops(1, DEADLOCK, "never come to the same instruction", &both);
    stops(1, BAD_PTX, "only 16 of 32 lanes", &format!("{half}@%p4 bar.sync 0; // here"));
    // Without `.aligned` the halves may come by different ways; whole warps always may.
    runs(1, &format!("{half}@%p4 bra A; barrier.sync 0; bra END; A: barrier.sync 0; END:"));
    runs(1, "setp.lt.s32 %p4, %r1, 32; @%p4 bra A; bar.sync 0; bra END; A: bar.sync 0; END:");
    runs(1, &format!("{half}@%p4 exit; bar.sync 0;"));
}

#[test]
fn registers_change_hands() {
    let split = |first: &str, second: &str| {
        let first = format!("setp.lt.s32 %p4, %r1, 128; @!%p4 bra B;\n{first}\nbra END;\nB: {second}\nEND:");
        kernel("\n.maxnreg 128", &first)
    };
    let two = || Launch { ctas: 1, threads: 256 };
    let (more, fewer) = ("setmaxnreg.inc.sync.aligned.u32", "setmaxnreg.dec.sync.aligned.u32");
    run(&split(&format!("{fewer} 40;"), &format!("{more} 216;")), two(), 0).unwrap();
    stops_in(
        &split(&format!("{fewer} 104;"), &format!("{more} 232; // here")),
        DEADLOCK,
        "waits for 232 registers",
        two,
    );
    stops_in(&split("", &format!("{more} 232; // here")), DEADLOCK, "waits for 232 registers", two);
    stops_in(&split(&format!("{fewer} 136; // here"), ""), BAD_PTX, "by a warp that has 128", two);
    stops_in(&split(&format!("{fewer} 40;"), &format!("{more} 120; // here")), BAD_PTX, "by a warp that has 128", two);
    stops_in(&split(&format!("{fewer} 20; // here"), ""), BAD_PTX, "multiples of 8 from 24", two);
    let one_warp = format!("setp.lt.s32 %p4, %r1, 32; @!%p4 bra END; {fewer} 40; // here\nEND:");
    stops_in(&kernel("\n.maxnreg 128", &one_warp), BAD_PTX, "only some of the four warps", two);
}

/// Every CTA adds to every word of the data, and which two of them meet first depends on the cores: the report does not.
#[test]
fn the_report_of_a_race_is_the_same_on_every_run() {
    let add = "mov.u32 %r7, 3000;
WAIT:
    sub.s32 %r7, %r7, 1; setp.ne.s32 %p3, %r7, 0; @%p3 bra WAIT;
    ld.global.b32 %r5, [%rd5]; add.s32 %r5, %r5, %r2; add.s32 %r5, %r5, 1; st.global.b32 [%rd5], %r5;";
    let text = kernel("", add);
    let report = |threads: usize| {
        let mut device = Device::new();
        device.config.threads = threads;
        let (data, flags) = (device.upload(vec![0; 4096]), device.upload(u32s(&[0; 64])));
        let error = device.run(&text, "k", [96, 1, 1], 64, 4096, &[data, flags].map(Arg::from)).expect_err("a race");
        assert_eq!(error.code, DATA_RACE);
        tk_diag::render(&error, Style::Plain)
    };
    let alone = report(1);
    for _ in 0..40 {
        assert_eq!(report(8), alone);
    }
}

/// What the first run wrote is undone before one core runs the launch again: every CTA counts, and the count is that of one run.
#[test]
fn a_launch_that_is_run_again_finds_memory_as_it_was() {
    let body = "@%p1 atom.global.relaxed.gpu.add.u32 %r5, [%rd2], 1; st.global.b32 [%rd6], %r1; bar.sync 0; \
                ld.global.b32 %r6, [%rd5]; add.s32 %r6, %r6, %r2; add.s32 %r6, %r6, 1; st.global.b32 [%rd5], %r6;";
    let text = kernel("", body);
    let memory = |threads: usize| {
        let mut device = Device::new();
        device.config.threads = threads;
        let (data, flags) = (device.upload(vec![0; 1 << 16]), device.upload(u32s(&[0; 64])));
        let error = device.run(&text, "k", [96, 1, 1], 64, 4096, &[data, flags].map(Arg::from)).expect_err("a race");
        assert_eq!(error.code, DATA_RACE, "{}", tk_diag::render(&error, Style::Plain));
        (device.words(flags)[0], device.words(data))
    };
    let alone = memory(1);
    assert!(alone.0 > 0);
    for _ in 0..10 {
        assert_eq!(memory(8), alone);
    }
}
