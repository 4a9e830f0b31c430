//! `tk sim`: buffers from and to files of numpy, structs, blocks of two dimensions, seeds, limits, JSON.

use std::path::Path;
use std::process::{Command, Output};

/// Adds a number of a struct to each element of a buffer: `struct { int n; float value; }`.
const ADD: &str = "
.version 8.7
.target sm_90a
.address_size 64
.visible .entry add(.param .u64 x, .param .u64 y, .param .align 4 .b8 how[8])
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [x];
    ld.param.u64 %rd2, [y];
    ld.param.u32 %r1, [how];
    ld.param.f32 %f1, [how+4];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %tid.y;
    mov.u32 %r4, %ntid.x;
    mad.lo.s32 %r5, %r3, %r4, %r2;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 ret;
    mul.wide.s32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.f32 %f2, [%rd4];
    add.f32 %f3, %f2, %f1;
    st.global.f32 [%rd5], %f3;
    ret;
}
";

/// Waits for a flag that nobody sets, or counts without end.
const STUCK: &str = "
.version 8.7
.target sm_90a
.address_size 64
.visible .entry waits(.param .u64 flag)
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [flag];
LOOP:
    ld.acquire.gpu.global.b32 %r1, [%rd1];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra LOOP;
    ret;
}
.visible .entry counts(.param .u64 flag)
{
    .reg .b32 %r<3>;
    mov.b32 %r1, 0;
LOOP:
    add.s32 %r1, %r1, 1;
    bra LOOP;
}
";

fn tk(folder: &Path, file: &str, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tk")).current_dir(folder).arg("sim").arg(file).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stdout)))
}

/// A file of numpy with 24 numbers, 0 to 23, of 32 bits.
fn array(path: &Path) {
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 6), }");
    bytes.extend(header.as_bytes());
    (0..24).for_each(|i| bytes.extend((i as f32).to_le_bytes()));
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn buffers_from_files_and_structs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("add.ptx"), ADD).unwrap();
    array(&folder.path().join("x.npy"));
    let common = ["--threads", "8,4", "--arg", "x.npy", "--arg", "f32[24]=x.npy"];
    let args = [&common[..], &["--arg", "{i32=24, f32=0.5}", "--save", "1=y.npy", "--json", "--print", "3"]].concat();
    let output = tk(folder.path(), "add.ptx", &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let found = json(&output);
    assert_eq!(found["arguments"][0]["shape"], serde_json::json!([4, 6]));
    assert_eq!(found["arguments"][1]["elements"], serde_json::json!(["0.5", "1.5", "2.5"]));
    assert!(found["memory"].as_array().is_some_and(|rows| rows.len() == 2), "{found}");
    let saved = std::fs::read(folder.path().join("y.npy")).unwrap();
    let last = f32::from_le_bytes(saved[saved.len() - 4..].try_into().unwrap());
    assert_eq!((saved.len(), last), (128 + 96, 23.5));
    // What was saved can be read again.
    let again =
        ["--threads", "8,4", "--arg", "y.npy", "--arg", "f32[24]", "--arg", "{i32=24, f32=1}", "--memory", "false"];
    let output = tk(folder.path(), "add.ptx", &[&again[..], &["--print", "1"]].concat());
    assert_eq!(text(&output.stdout).lines().last(), Some("argument 1: 1.5"), "{}", text(&output.stderr));
    for (arg, words) in
        [("none.npy", "none.npy"), ("f32[23]=x.npy", "shape [4, 6]"), ("{map:f32[1]:1:0}", "fields of a struct")]
    {
        let output = tk(folder.path(), "add.ptx", &["--arg", arg]);
        assert!(!output.status.success() && text(&output.stderr).contains(words), "{arg}: {}", text(&output.stderr));
    }
}

/// Lines that a kernel prints have one end.
#[test]
fn printed_lines_are_lines() {
    const KERNEL: &str = "@triton.jit\ndef k(x_ptr):\n    tl.device_print(\"x: \", tl.load(x_ptr))\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.tk"), KERNEL).unwrap();
    let mut compile = Command::new(env!("CARGO_BIN_EXE_tk"));
    let args = ["compile", "k.tk", "--signature", "*i32", "--num-warps", "1", "--output", "k.ptx"];
    let output = compile.current_dir(folder.path()).args(args).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = tk(folder.path(), "k.ptx", &["--arg", "i32[1]=7"]);
    let printed = text(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert!(output.status.success() && lines[0].contains("x: 7"), "{printed}{}", text(&output.stderr));
    assert!(lines.iter().all(|line| !line.is_empty()), "{printed}");
}

#[test]
fn checks_and_seeds() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("add.ptx"), ADD).unwrap();
    let args = ["--threads", "32", "--arg", "f32[32]", "--arg", "f32[32]=0", "--arg", "{i32=32, f32=1}"];
    let run = |more: &[&str]| tk(folder.path(), "add.ptx", &[&args[..], more].concat());
    let output = run(&["--json"]);
    assert!(!output.status.success());
    assert_eq!(json(&output)["error"]["code"], "uninitialised", "{}", text(&output.stdout));
    let fault = json(&output)["fault"].clone();
    assert_eq!((fault["kind"].clone(), fault["thread"]["lane"].clone()), ("uninitialised".into(), 0.into()), "{fault}");
    assert!(fault["place"]["ptx"].as_str().is_some_and(|ptx| ptx.starts_with("st.global")), "{fault}");
    assert!(text(&output.stderr).contains("element 0 of `argument 0`"), "{}", text(&output.stderr));
    assert!(run(&["--check", "none"]).status.success());
    assert!(run(&["--check", "shared-races,global-races", "--seed", "3"]).status.success());
    assert!(!run(&["--check", "uninitialised", "--seed", "2"]).status.success());
}

/// Each CTA of a cluster writes the rank of the other, which it reads from its shared memory.
const NEIGHBOUR: &str = ".version 8.7
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<3>;
    .shared .b32 mine;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %cluster_ctarank;
    mov.u32 %r2, %ctaid.x;
    st.shared.b32 [mine], %r1;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    xor.b32 %r3, %r1, 1;
    mov.u32 %r4, mine;
    mapa.shared::cluster.u32 %r5, %r4, %r3;
    ld.shared::cluster.b32 %r6, [%r5];
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd2, %rd2, %rd1;
    st.global.b32 [%rd2], %r6;
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;
    ret;
}
";

#[test]
fn clusters() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.ptx"), NEIGHBOUR).unwrap();
    let common = ["--threads", "1", "--grid", "4", "--arg", "i32[4]", "--memory", "false", "--print", "4", "--cluster"];
    let run = |cluster: &str| tk(folder.path(), "k.ptx", &[&common[..], &[cluster]].concat());
    let output = run("2");
    assert_eq!(text(&output.stdout).lines().last(), Some("argument 0: 1 0 1 0"), "{}", text(&output.stderr));
    let wrong = [("3", "do not divide"), ("1", "of a cluster of 1"), ("x", "write X or X,Y,Z"), ("32", "1 to 16")];
    for (cluster, words) in wrong {
        let output = run(cluster);
        assert!(!output.status.success() && text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}

#[test]
fn programs_that_do_not_end() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("stuck.ptx"), STUCK).unwrap();
    let run = |entry: &str, more: &[&str]| {
        tk(folder.path(), "stuck.ptx", &[&["--entry", entry, "--arg", "i32[1]=0", "--json"][..], more].concat())
    };
    let found = json(&run("waits", &[]))["error"].clone();
    assert_eq!(found["code"], "deadlock", "{found}");
    let words = found.to_string();
    assert!(words.contains("element 0 of `argument 0`") && words.contains("writes no global memory"), "{words}");
    let found = json(&run("counts", &["--max-steps", "100000"]))["error"].clone();
    assert_eq!(found["code"], "run-limit", "{found}");
}
