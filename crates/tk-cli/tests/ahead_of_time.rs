//! Programs in C and Rust with kernels of `tk build`, compiled and run with a stand-in for the driver (`tests/fake-driver/libcuda.c`),
//! which writes down what it is asked for; and the same files on the simulator.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Runs a command to a good end.
fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    output
}

fn tk() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tk"));
    command.current_dir(root());
    command
}

/// A folder with the stand-in for the driver as `libcuda.so` and `libcuda.so.1`.
struct Driver {
    folder: tempfile::TempDir,
}

impl Driver {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = root().join("tests/fake-driver/libcuda.c");
        let library = folder.path().join("libcuda.so");
        let mut cc = Command::new("cc");
        run(cc.args(["-shared", "-fPIC", "-O1", "-Wl,-soname,libcuda.so.1"]).arg(source).arg("-o").arg(&library));
        std::fs::copy(&library, folder.path().join("libcuda.so.1")).unwrap();
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs a program with the stand-in, and gives what it printed and what the driver was asked for.
    fn run(&self, command: &mut Command) -> (Output, Vec<String>) {
        let log = self.path().join("log");
        let _ = std::fs::remove_file(&log);
        let output = command.env("LD_LIBRARY_PATH", self.path()).env("FAKE_CUDA_LOG", &log).output().unwrap();
        let text = std::fs::read_to_string(&log).unwrap_or_default();
        (output, text.lines().map(String::from).collect())
    }
}

fn built(list: &str, folder: &Path) {
    run(tk().args(["build", list, "-o"]).arg(folder).env("TK_CACHE_DIR", root().join("target/ahead-of-time-cache")));
}

/// Compiles `pieces.c` of the folder with the program of the tests.
fn compile_c(folder: &Path, driver: &Driver, is_linked: bool) -> PathBuf {
    let program = folder.join(if is_linked { "linked" } else { "opened" });
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wno-pedantic", "-O1", "-I"]).arg(folder);
    cc.arg(root().join("tests/ahead-of-time/pieces.c")).arg(folder.join("pieces.c")).arg("-o").arg(&program);
    if is_linked {
        cc.arg("-DPIECES_LINK_CUDA").arg("-L").arg(driver.path()).arg("-lcuda");
    }
    run(&mut cc);
    program
}

#[test]
fn a_c_program_asks_the_driver_for_the_right_launches() {
    let (folder, driver) = (tempfile::tempdir().unwrap(), Driver::new());
    built("tests/ahead-of-time/pieces.tk", folder.path());
    run(Command::new("c++")
        .args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"])
        .arg(folder.path().join("pieces.h")));
    for is_linked in [false, true] {
        let program = compile_c(folder.path(), &driver, is_linked);
        let (output, log) = driver.run(&mut Command::new(&program));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
        let launches: Vec<&str> = log.iter().filter(|line| !line.starts_with("load")).map(String::as_str).collect();
        let map = "ab".repeat(128);
        let expected = [
            "launch entry=scale grid=8,1,1 block=128,1,1 cluster=1 shared=0 stream=0x5 \
             params=0010000000000000,0020000000000000,e8030000,00002040"
                .to_string(),
            "launch entry=scale grid=7,1,1 block=128,1,1 cluster=1 shared=0 stream=(nil) \
             params=0010000000000000,0020000000000000,40030000,00002040"
                .to_string(),
            "map type=6 rank=2 address=0x3000 sizes=100,50 strides=208 box=64,32 swizzle=3 fill=0".to_string(),
            "map type=6 rank=2 address=0x4000 sizes=100,50 strides=208 box=64,32 swizzle=3 fill=1".to_string(),
            format!(
                "launch entry=copy_block grid=2,2,1 block=256,1,1 cluster=1 shared=SHARED stream=(nil) \
                 params={map},32000000,64000000,6800000000000000,0100000000000000,\
                 {map},32000000,64000000,6800000000000000,0100000000000000"
            ),
        ];
        assert_eq!(launches.len(), expected.len() + 1, "{launches:#?}");
        for (launch, expected) in launches.iter().zip(&expected) {
            match expected.split_once("SHARED") {
                Some((before, after)) => {
                    assert!(launch.starts_with(before) && launch.ends_with(after), "{launch}\n{expected}")
                }
                None => assert_eq!(launch, expected),
            }
        }
        let last = launches.last().unwrap();
        assert!(last.starts_with("launch entry=descriptors_of_its_own grid=2,2,1 "), "{last}");
        assert!(
            last.ends_with("params=0010000000000000,0020000000000000,30000000,50000000,0050000000000000"),
            "{last}"
        );
        refusals(&text);
        // The first variant of `scale` is a kernel of its own.
        assert_eq!(log.iter().filter(|line| *line == "load ptx").count(), 5, "{log:#?}");
        assert_eq!(log.iter().filter(|line| *line == "load machine-code").count(), 0);
        wrong_gpus(&driver, &program);
    }
}

/// What the program prints of launches that are refused.
fn refusals(text: &str) {
    for expected in [
        "6: argument `n`: the kernel was compiled for a range, which it is outside of",
        "6: argument `n`: the kernel was compiled for a range, which it is outside of",
        "6: `scale` was compiled for a grid of at most 512, 4294967295, 4294967295 programs",
        "7: a GPU takes at most 2147483647, 65535, 65535 programs",
        "5: argument `source`: its tensor does not start at a multiple of 16 bytes",
        "5: argument `source`: its strides are multiples of 16 bytes below 2^40",
        "5: argument `source`: its last dimension must be contiguous",
        "5: argument `source`: its sizes are 1 to 2147483647",
        "6: argument `M`: the kernel was compiled for a positive number",
        "scratch 512",
    ] {
        assert!(text.lines().any(|line| line == expected), "{expected}\n{text}");
    }
}

fn wrong_gpus(driver: &Driver, program: &Path) {
    let load = |name: &str, value: &str| {
        let (output, _) = driver.run(Command::new(program).arg("load").env(name, value));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(load("FAKE_CUDA_CAPABILITY", "90"), "loaded\n");
    assert_eq!(load("FAKE_CUDA_CAPABILITY", "100"), "loaded\n", "PTX for sm_80 runs on newer GPUs");
    let older = load("FAKE_CUDA_CAPABILITY", "75");
    assert_eq!(older, "3: `scale` was not compiled for a GPU of compute capability 7.5\n");
    let larger = load("FAKE_CUDA_PARAM_MORE", "4");
    assert_eq!(larger, "4: `scale`: parameter 0 of the code is another than this file says\n");
}

#[test]
fn without_a_driver_a_c_program_says_so() {
    let (folder, driver) = (tempfile::tempdir().unwrap(), Driver::new());
    built("tests/ahead-of-time/pieces.tk", folder.path());
    let program = compile_c(folder.path(), &driver, false);
    let output = Command::new(program).arg("load").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // A machine with a GPU has a driver.
    let is_right = text == "loaded\n" || text.starts_with("1: there is no CUDA driver on this machine");
    assert!(is_right, "{text}");
}

/// A shell script in place of ptxas, whose machine code is the PTX behind the first bytes of such code.
fn stand_in_for_ptxas(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("ptxas");
    let text = "#!/bin/sh\nfor last; do :; done\n\
                { printf '\\177ELF'; cat; } >\"$last\"\n";
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_promise_of_machine_code_is_kept_or_said() {
    let (folder, driver) = (tempfile::tempdir().unwrap(), Driver::new());
    let build = |ptxas: &Path| {
        let mut command = tk();
        command.args(["build", "tests/ahead-of-time/pieces.tk", "--at-run-time", "nothing", "-o"]);
        command.arg(folder.path()).env("TK_PTXAS", ptxas).env("TK_CACHE", "0").output().unwrap()
    };
    let refused = build(Path::new("/no/such/ptxas"));
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1));
    assert!(text.contains("nothing is compiled at run time, and there is no ptxas"), "{text}");
    assert!(build(&stand_in_for_ptxas(folder.path())).status.success());
    let program = compile_c(folder.path(), &driver, false);
    let (output, log) = driver.run(Command::new(&program).arg("load"));
    assert!(output.status.success());
    assert_eq!(log.iter().filter(|line| *line == "load machine-code").count(), 5, "{log:#?}");
    let (output, _) = driver.run(Command::new(&program).arg("load").env("FAKE_CUDA_CAPABILITY", "100"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("compute capability 10.0, and the bundle promises that nothing is compiled"), "{text}");
}

const MATMUL_LAUNCH: &str = "launch entry=matmul_kernel_grouped grid=6,1,1 block=128,1,1 cluster=1 ";
const ATTENTION_LAUNCH: &str = "launch entry=attention_kernel grid=3,2,1 block=128,1,1 cluster=1 ";

/// Whether the launches of the examples are among what the driver was asked for, the first also while a graph is captured.
fn has_launches_of_the_examples(log: &[String]) {
    let capture = log.iter().position(|line| line == "capture").unwrap_or_else(|| panic!("{log:#?}"));
    assert!(log[capture + 1].starts_with(MATMUL_LAUNCH) && log[capture + 1].contains("stream=0x57"), "{log:#?}");
    assert!(log[capture + 2].starts_with("replay"), "{log:#?}");
    let attention = log.iter().find(|line| line.starts_with(ATTENTION_LAUNCH)).unwrap_or_else(|| panic!("{log:#?}"));
    // The strides of heads and rows, and the number of queries.
    assert!(attention.ends_with(&format!("{}c0000000", "00300000,40000000,".repeat(4))), "{attention}");
}

#[test]
fn the_cmake_example_builds_and_launches() {
    let (folder, driver) = (tempfile::tempdir().unwrap(), Driver::new());
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(root().join("examples/ahead-of-time/c")).arg("-B").arg(folder.path());
    configure
        .arg(format!("-DTK={}", env!("CARGO_BIN_EXE_tk")))
        .arg(format!("-DCMAKE_LIBRARY_PATH={}", driver.path().display()));
    run(&mut configure);
    run(Command::new("cmake").arg("--build").arg(folder.path()));
    let (output, log) = driver.run(Command::new(folder.path().join("ahead_of_time")).arg("--no-check"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    has_launches_of_the_examples(&log);
    let (output, _) = driver.run(&mut Command::new(folder.path().join("ahead_of_time")));
    assert!(!output.status.success(), "the stand-in computes nothing, which the program finds");
}

#[test]
fn the_cargo_example_builds_and_launches() {
    let (driver, target) = (Driver::new(), root().join("target/ahead-of-time"));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--locked"]).current_dir(root().join("examples/ahead-of-time/rust"));
    // Nobody debugs it.
    cargo.env("CARGO_TARGET_DIR", &target).env("CARGO_PROFILE_DEV_DEBUG", "false");
    run(cargo.env("TK", env!("CARGO_BIN_EXE_tk")).env("RUSTFLAGS", "-D warnings"));
    let program = target.join("debug/ahead-of-time");
    let (output, log) = driver.run(Command::new(&program).arg("--no-check"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    has_launches_of_the_examples(&log);
    let (output, _) = driver.run(&mut Command::new(&program));
    assert!(!output.status.success(), "the stand-in computes nothing, which the program finds");
}

#[test]
fn a_bundle_runs_on_the_simulator_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    built("tests/ahead-of-time/pieces.tk", folder.path());
    let bundle = folder.path().join("pieces.tkb");
    let simulate = |arguments: &[&str]| tk().arg("sim").arg(&bundle).args(arguments).output().unwrap();
    let arguments = ["--entry", "scale", "--grid", "1", "--print", "2"];
    let values = ["--arg", "f32[128]=3", "--arg", "f32[128]=0", "--arg", "i32=128", "--arg", "f32=2.5"];
    let output = simulate(&[&arguments[..], &values[..]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("7.5"), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let error = String::from_utf8_lossy(&simulate(&[]).stderr).into_owned();
    assert!(error.contains("--entry scale | copy_block | own_descriptors | product"), "{error}");
    let mut bytes = std::fs::read(&bundle).unwrap();
    bytes.truncate(1000);
    std::fs::write(&bundle, bytes).unwrap();
    let output = simulate(&["--entry", "scale"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && error.contains("were cut or changed"), "{error}");
}

#[test]
fn the_cache_is_listed_verified_and_cleared() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let run = |arguments: &[&str]| {
        let output = tk().args(arguments).env("TK_CACHE_DIR", cache.path()).env_remove("TK_CACHE").output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let out = folder.path().display().to_string();
    let build = ["build", "tests/ahead-of-time/pieces.tk", "--target", "sm_80", "-o", &out];
    assert!(run(&build).1.contains("5 compilations for sm_80 (0 of them from the cache)"));
    assert!(run(&build).1.contains("5 compilations for sm_80 (5 of them from the cache)"));
    let list = run(&["cache", "list"]).1;
    assert!(list.contains(": copy_block for sm_80, 8 warps, ") && list.contains(": 5 entries, "), "{list}");
    let file = std::fs::read_dir(cache.path()).unwrap().next().unwrap().unwrap().path();
    std::fs::write(file, "something else").unwrap();
    let (code, text) = run(&["cache", "verify"]);
    assert!(code == Some(1) && text.contains("4 entries are whole, 1 were damaged and are removed"), "{text}");
    assert_eq!(run(&["cache", "verify"]).0, Some(0));
    assert!(run(&["cache", "clear"]).1.contains("4 entries removed"));
    assert!(run(&["cache", "list"]).1.contains(": 0 entries, 0 bytes"));
}

/// The blocks of a page in this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let opening = format!("```{language}\n");
    text.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_string()).collect()
}

const PAGES: [&str; 4] = ["docs/rust.md", "docs/c.md", "docs/caching.md", "docs/tuning.md"];

/// An example that a page runs with cargo, by its crate and name, with arguments.
struct Example<'a> {
    name: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> Example<'a> {
    fn of(block: &'a str) -> Option<Self> {
        let words: Vec<&str> = block.strip_prefix("cargo run -p ")?.split_whitespace().collect();
        match words[..] {
            [_, "--example", name, "--", ref arguments @ ..] => Some(Self { name, arguments: arguments.to_vec() }),
            _ => panic!("only examples of crates are run from pages: {block}"),
        }
    }

    /// Builds it beside all tests, which are there already: alone it would have other features of shared crates, and build them again.
    fn run(&self) {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--workspace", "--tests", "--example", self.name]).current_dir(root());
        run(cargo.env("CARGO_NET_OFFLINE", "true"));
        let programs = Path::new(env!("CARGO_BIN_EXE_tk")).parent().unwrap();
        run(Command::new(programs.join("examples").join(self.name)).args(&self.arguments).current_dir(root()));
    }
}

#[test]
fn commands_of_the_pages_work() {
    use std::os::unix::fs::symlink;
    let driver = Driver::new();
    let programs = Path::new(env!("CARGO_BIN_EXE_tk")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    for page in PAGES {
        let folder = tempfile::tempdir().unwrap();
        ["examples", "tests", "crates", "Cargo.toml"]
            .iter()
            .for_each(|name| symlink(root().join(name), folder.path().join(name)).unwrap());
        let blocks = blocks(page, "sh");
        assert!(!blocks.is_empty(), "{page} has no command");
        for block in blocks {
            let mut shell = Command::new("sh");
            if let Some(example) = Example::of(&block) {
                example.run();
                continue;
            }
            shell.args(["-e", "-c", &block]).current_dir(folder.path()).env("PATH", &path);
            shell.env("TK_CACHE_DIR", folder.path().join("cache")).env("CMAKE_LIBRARY_PATH", driver.path());
            shell.env("CARGO_TARGET_DIR", root().join("target/ahead-of-time")).env("CARGO_NET_OFFLINE", "true");
            // As the test of the example builds it: with debug information everything would be built again.
            shell.env("CARGO_PROFILE_DEV_DEBUG", "false");
            run(shell.env("RUSTFLAGS", "-D warnings").env("TK", env!("CARGO_BIN_EXE_tk")));
        }
    }
}

#[test]
fn code_of_the_pages_is_that_of_the_examples() {
    let rust = ["examples/ahead-of-time/rust/src/main.rs", "crates/tk/tests/launches/example.rs"];
    let examples: [(&str, &str, &[&str]); 3] = [
        ("docs/rust.md", "rust", &rust),
        ("docs/rust.md", "toml", &["examples/ahead-of-time/kernels.toml"]),
        ("docs/c.md", "c", &["examples/ahead-of-time/c/main.c"]),
    ];
    for (page, language, files) in examples {
        let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(root().join(file)).unwrap()).collect();
        let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines()).collect();
        let shown = blocks(page, language);
        assert!(!shown.is_empty(), "{page} shows no {language}");
        for line in shown.iter().flat_map(|block| block.lines()).filter(|line| !line.trim().is_empty()) {
            assert!(lines.contains(&line), "{page} shows a line that {files:?} has not: {line}");
        }
    }
}
