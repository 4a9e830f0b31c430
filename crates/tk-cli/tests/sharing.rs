//! What processes and machines share: one cache for eight compilers, a remote one for copies of tk, bundles and results of tuning that go
//! with programs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command to a good end, and gives what it printed.
fn run(command: &mut Command) -> String {
    let output: Output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// What a command that is refused says.
fn refused(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{command:?}\n{}", text(&output.stdout));
    text(&output.stderr)
}

fn tk() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tk"));
    command.env_remove("TK_CACHE").env_remove("TK_CACHE_REMOTE").env("TK_PTXAS", "/no/such/ptxas");
    command
}

const KERNELS: usize = 50;
const PROCESSES: usize = 8;

/// A list with fifty kernels: one function with fifty constants.
fn fifty(folder: &Path) -> PathBuf {
    let kernel = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef fill(x, V: tl.constexpr):\n    \
                  tl.store(x + tl.arange(0, 32), V)\n";
    std::fs::write(folder.join("fill.tk"), kernel).unwrap();
    let entry = |value: usize| {
        format!(
            "[[kernel]]\nfile = \"fill.tk\"\nname = \"fill_{value}\"\nsignature = \"*i32\"\nconstexpr = {{ V = {value} }}\n"
        )
    };
    let list = folder.join("list.toml");
    let entries: String = (0..KERNELS).map(entry).collect();
    std::fs::write(&list, format!("[bundle]\ntargets = [\"sm_80\"]\n{entries}")).unwrap();
    list
}

/// `N compilations for sm_80 (M of them from the cache)`: M.
fn from_the_cache(said: &str) -> usize {
    let start = said.split('(').nth(1).unwrap_or_else(|| panic!("{said}"));
    start.split(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("{said}"))
}

#[test]
fn eight_compilers_compile_each_of_fifty_kernels_once() {
    let folder = tempfile::tempdir().unwrap();
    let (list, cache) = (fifty(folder.path()), folder.path().join("cache"));
    let start = |number: usize| {
        let mut command = tk();
        command.arg("build").arg(&list).arg("-o").arg(folder.path().join(format!("out{number}")));
        command.env("TK_CACHE_DIR", &cache).stdout(Stdio::piped()).spawn().unwrap()
    };
    let processes: Vec<_> = (0..PROCESSES).map(start).collect();
    let outputs: Vec<Output> = processes.into_iter().map(|process| process.wait_with_output().unwrap()).collect();
    assert!(outputs.iter().all(|output| output.status.success()));
    let found: usize = outputs.iter().map(|output| from_the_cache(&text(&output.stdout))).sum();
    assert_eq!(found, (PROCESSES - 1) * KERNELS, "each is compiled once");
    let bundles =
        (0..PROCESSES).map(|number| std::fs::read(folder.path().join(format!("out{number}/list.tkb"))).unwrap());
    let bundles: Vec<Vec<u8>> = bundles.collect();
    assert!(bundles.iter().all(|bundle| *bundle == bundles[0]));
    assert_eq!(std::fs::read_dir(&cache).unwrap().count(), KERNELS, "one file for each, and no lock");
}

/// Another machine has its own file of tk, written at another time and in another place, and its own cache.
#[test]
fn machines_with_equal_builds_share_what_they_compile() {
    let folder = tempfile::tempdir().unwrap();
    let (list, remote) = (fifty(folder.path()), folder.path().join("remote"));
    let copy = folder.path().join("copy-of-tk");
    std::fs::copy(env!("CARGO_BIN_EXE_tk"), &copy).unwrap();
    let early = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    std::fs::File::options().append(true).open(&copy).unwrap().set_modified(early).unwrap();
    let build = |program: &Path, cache: &str| {
        let mut command = Command::new(program);
        command.env("TK_CACHE_REMOTE", format!("file://{}", remote.display())).env_remove("TK_CACHE");
        command.env("TK_PTXAS", "/no/such/ptxas").env("TK_CACHE_DIR", folder.path().join(cache));
        from_the_cache(&run(command.arg("build").arg(&list).arg("-o").arg(folder.path().join("out"))))
    };
    assert_eq!(build(Path::new(env!("CARGO_BIN_EXE_tk")), "here"), 0);
    assert_eq!(build(&copy, "there"), KERNELS);
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
fn a_bundle_that_promises_all_kernels_is_enough_or_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let example = root().join("examples/vector_add.tk");
    let mut build = tk();
    build.env("TK_PTXAS", stand_in_for_ptxas(folder.path())).env("TK_CACHE", "0");
    build.arg("build").arg(&example).args(["--kernel", "add_kernel", "--at-run-time", "nothing", "--target", "sm_90a"]);
    build.args(["--signature", "*fp32:16,*fp32:16,*fp32:16,i32:16", "--constexpr", "BLOCK_SIZE=1024", "-o"]);
    run(build.arg(folder.path()));
    let bundle = folder.path().join("vector_add.tkb");
    let start = |n: &str| {
        let mut command = tk();
        command.arg("run").arg(&example).args(["--device", "sim", "-D", n, "--bundle"]).arg(&bundle);
        command
    };
    let said = run(&mut start("n=4096"));
    assert!(said.contains("4096 elements agree with the reference"), "{said}");
    let error = refused(&mut start("n=1000"));
    for part in [
        "`add_kernel` for ",
        "`n_elements: i32`",
        "is not in the bundle `vector_add`, which promises that nothing is compiled at run time",
        "[[kernel]]",
        "signature = \"*fp32:16,*fp32:16,*fp32:16,i32\"",
        "constexpr = { BLOCK_SIZE = 1024 }",
    ] {
        assert!(error.contains(part), "{part}\n{error}");
    }
    std::fs::write(&bundle, "something else").unwrap();
    assert!(refused(&mut start("n=4096")).contains("vector_add.tkb: "));
}

const TUNED: &str = "
import torch
import triton
import triton.language as tl

@triton.autotune(
    configs=[triton.Config({'BLOCK': block}, num_warps=warps) for block in (32, 256) for warps in (1, 4)],
    key=['n'],
)
@triton.jit
def twice(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)

def main():
    for n in (64, 1000, 64, 2048, 4096, 300):
        x = torch.ones((n,), device='cuda')
        y = torch.zeros((n,), device='cuda')
        twice[lambda meta: (triton.cdiv(n, meta['BLOCK']),)](x, y, n)
        torch.testing.assert_close(y, 2.0 * x)
";

/// Processes that share the work come to the same results, in the same order.
#[test]
fn processes_share_what_there_is_to_tune() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tuned.tk"), TUNED).unwrap();
    let tune = |name: &str, words: &[&str]| {
        let out = folder.path().join(name);
        let mut command = tk();
        command.arg("tune").arg(folder.path().join("tuned.tk")).args(["--device", "sim", "--out"]).arg(&out);
        run(command.args(words));
        let mut value: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(out).unwrap()).unwrap();
        let all = value["tunings"].as_array_mut().unwrap();
        all.iter_mut().for_each(|one| drop(one.as_object_mut().unwrap().remove("seconds")));
        all.clone()
    };
    let alone = tune("alone.json", &[]);
    assert_eq!(alone.len(), 5, "there is something to share");
    assert_eq!(tune("two.json", &["--processes", "2"]), alone);
    assert_eq!(tune("five.json", &["--processes", "5"]), alone);
    let error =
        refused(tk().arg("tune").arg(folder.path().join("absent.tk")).args(["--device", "sim", "--processes", "2"]));
    assert!(error.contains("absent.tk"), "{error}");
}

#[test]
fn results_of_tuning_become_entries_of_a_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let (example, tuned) = (root().join("examples/autotune.tk"), folder.path().join("tuned.json"));
    run(tk().arg("tune").arg(&example).args(["--device", "sim", "--out"]).arg(&tuned));
    let results: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&tuned).unwrap()).unwrap();
    let (kernel, key) =
        (results["tunings"][0]["kernel"].as_str().unwrap(), results["tunings"][0]["key"].as_str().unwrap());
    let list = |file: &str| {
        let path = folder.path().join("list.toml");
        let signature = "*fp32:16,*fp32:16,i32,i32,i32";
        let text = format!(
            "[bundle]\nname = \"kernels\"\ntargets = [\"sm_80\"]\n[[kernel]]\nfile = {example:?}\nkernel = {kernel:?}\n\
             name = \"tuned\"\nconstexpr = {{ EVEN = false }}\nsignature = {signature:?}\ntuned = {file:?}\n"
        );
        std::fs::write(&path, text).unwrap();
        let mut command = tk();
        command.arg("build").arg(path).arg("-o").arg(folder.path()).env("TK_CACHE", "0");
        command
    };
    run(&mut list("tuned.json"));
    let bundle = tk::Bundle::from_bytes(&std::fs::read(folder.path().join("kernels.tkb")).unwrap()).unwrap();
    let entry = bundle.tuned("tuned", key, "any GPU").unwrap_or_else(|| panic!("{:?}", bundle.tunings));
    let winner = results["tunings"][0]["winner"].as_u64().unwrap() as usize;
    for setting in results["tunings"][0]["trials"][winner]["settings"].as_array().unwrap() {
        let (name, value) = (setting[0].as_str().unwrap(), setting[1].as_str().unwrap());
        let constant = entry.constants.iter().find(|constant| constant.name == name);
        let image = &entry.variants[0].images[0];
        match constant {
            Some(constant) => assert_eq!(constant.value, value, "{name}"),
            None if name == "num_warps" => assert_eq!(image.num_warps.to_string(), value),
            None => {}
        }
    }
    assert!(refused(&mut list("absent.json")).contains("absent.json"));
    std::fs::write(folder.path().join("other.json"), "{\"format\":\"tk-tunings\",\"version\":1,\"tunings\":[]}")
        .unwrap();
    assert!(refused(&mut list("other.json")).contains("it has no result for"));
}
