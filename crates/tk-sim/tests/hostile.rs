//! Kernels that would take all time or memory: each ends within the limit that was set, with an error that says which.

use crate::device::Device;
use std::time::{Duration, Instant};
use tk_diag::Result;
use tk_sim::{Arg, Report};

const TUNABLES: &str = "GLIBC_TUNABLES";
const HEAD: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n";

/// Runs a kernel `k(memory)` of this body for at most two seconds: what became of it, in less than ten.
fn run(before: &str, body: &str, grid: [u32; 3], threads: u32) -> Result<Report> {
    let mut device = Device::new();
    device.config.limits.time = Some(Duration::from_secs(2));
    device.config.limits.steps_per_cta = u64::MAX;
    let memory = device.upload(vec![0; 4096]);
    let text = format!("{HEAD}{before}.visible .entry k(.param .u64 memory)\n{{\n{body}\nret;\n}}\n");
    let began = Instant::now();
    let result = device.run(&text, "k", grid, threads, 0, &[Arg::from(memory)]);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    result
}

#[track_caller]
fn fails(code: &str, result: Result<Report>) -> String {
    let error = result.map(|_| ()).unwrap_err();
    assert_eq!(error.code.slug, code, "{}", error.message);
    error.message.clone()
}

#[test]
fn endless_loops() {
    let body = ".reg .b32 %r<2>;\nmov.b32 %r0, 0;\nAGAIN: add.u32 %r0, %r0, 1;\nbra AGAIN;";
    assert_eq!(fails("run-limit", run("", body, [1, 1, 1], 32)), "the launch took longer than 2 s");
    assert_eq!(fails("run-limit", run("", body, [1000, 1, 1], 1024)), "the launch took longer than 2 s");
}

#[test]
fn spins_that_something_changes() {
    // Each turn changes the word that it waits for, so nobody is stuck.
    let body = ".reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n.reg .pred %p;\nld.param.u64 %rd0, [memory];\n\
        AGAIN: atom.global.add.u32 %r0, [%rd0], 2;\nsetp.ne.u32 %p, %r0, 1;\n@%p bra AGAIN;";
    fails("run-limit", run("", body, [4, 1, 1], 32));
}

#[test]
fn endless_printing() {
    let before = ".extern .func (.param .b32 result) vprintf(.param .b64 format, .param .b64 arguments);\n\
        .global .align 1 .b8 text[12] = {104, 101, 108, 108, 111, 32, 119, 111, 114, 108, 100, 0};\n";
    let call = "{\n.param .b64 a;\n.param .b64 b;\n.param .b32 r;\nst.param.b64 [a], %rd0;\nst.param.b64 [b], 0;\n\
        call.uni (r), vprintf, (a, b);\nld.param.b32 %r0, [r];\n}";
    let start =
        ".reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n.reg .pred %p;\nmov.u64 %rd1, text;\ncvta.global.u64 %rd0, %rd1;\n";
    fails("run-limit", run(before, &format!("{start}AGAIN: {call}\nbra AGAIN;"), [1, 1, 1], 32));
    // Of much printing that ends, what is kept ends with a line that says so.
    let many = format!(
        "{start}mov.b32 %r1, 400;\nAGAIN: {call}\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p, %r1, 0;\n@%p bra AGAIN;"
    );
    let report = run(before, &many, [1, 1, 1], 32).unwrap();
    assert_eq!(report.printed.first().map(String::as_str), Some("hello world"));
    assert_eq!(report.printed.last().map(String::as_str), Some("(the kernel prints more than is kept)"));
    assert!(report.printed.len() <= 10_100, "{}", report.printed.len());
}

#[test]
fn grids_of_two_billion() {
    assert_eq!(fails("run-limit", run("", "", [i32::MAX as u32, 1, 1], 32)), "the launch took longer than 2 s");
    fails("run-limit", run("", "", [i32::MAX as u32, 65535, 65535], 1024));
}

#[test]
fn gigabytes() {
    let locals = |bytes: u64| {
        run("", &format!(".local .b8 much[{bytes}];\n.reg .b64 %rd;\nmov.u64 %rd, much;"), [1, 1, 1], 1024)
    };
    fails("too-large", locals(1 << 30));
    let variables: String = (0..40).map(|i| format!(".global .align 4 .b8 much{i}[1073741824];\n")).collect();
    let message = fails("too-large", run(&variables, "", [1, 1, 1], 32));
    assert_eq!(message, "the variables of this module have more than 1 GiB together");
    fails("too-much-shared-memory", run("", ".shared .b8 much[1073741824];", [1, 1, 1], 32));
    let registers = ".reg .b64 %rd<4000000>;\nld.param.u64 %rd0, [memory];";
    match run("", registers, [1 << 20, 1, 1], 1024) {
        Ok(report) => assert_eq!(report.ctas, 1 << 20),
        Err(error) => assert!(["too-large", "run-limit"].contains(&error.code.slug), "{}", error.message),
    }
}

#[test]
fn untouched_memory_costs_nothing() {
    // Tests have fresh memory overwritten (.cargo/config.toml), which touches it.
    if std::env::var_os(TUNABLES).is_some() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "hostile::untouched_memory_costs_nothing"]).env_remove(TUNABLES);
        assert!(again.status().unwrap().success());
        return;
    }
    let began = Instant::now();
    let mut device = Device::new();
    let buffers: Vec<_> = (0..4).map(|_| device.memory.allocate(4 << 30)).collect();
    let text = format!(
        "{HEAD}.visible .entry k(.param .u64 memory)\n{{\n.reg .b64 %rd0;\n.reg .b32 %r<2>;\nld.param.u64 %rd0, [memory];\n\
         mov.u32 %r0, 7;\nst.global.b32 [%rd0+2147483648], %r0;\nld.global.b32 %r1, [%rd0+2147483648];\n\
         st.global.b32 [%rd0], %r1;\nret;\n}}\n"
    );
    device.run(&text, "k", [1, 1, 1], 1, 0, &[Arg::from(buffers[3])]).unwrap();
    assert_eq!(device.memory.read_at(buffers[3], 0, 4).unwrap(), [7, 0, 0, 0]);
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = status.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0);
    assert!(pages * 4096 < 4 << 30, "16 GiB are allocated, and {} MiB are resident", pages * 4 / 1024);
}
