//! `tk tune` on the simulator, and a program that takes what it found.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Runs tk in this process: exit code, standard output, standard error.
fn tk(words: &[&str]) -> (i32, String, String) {
    let words: Vec<String> = words.iter().map(ToString::to_string).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = tk_cli::run(&words, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

const PROGRAM: &str = "
import torch
import triton
import triton.language as tl

@triton.autotune(
    configs=[triton.Config({'BLOCK': block}, num_warps=warps) for block in (32, 256) for warps in (1, 4)],
    key=['n'],
)
@triton.jit
def accumulate(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(y + at, mask=at < n) + tl.load(x + at, mask=at < n), mask=at < n)

def main(n=1024):
    x = torch.ones((n,), device='cuda')
    y = torch.ones((n,), device='cuda')
    accumulate[lambda meta: (triton.cdiv(n, meta['BLOCK']),)](x, y, n)
    torch.testing.assert_close(y, 2.0 * x)
    print('checked', n)
";

#[test]
fn the_simulator_ranks_by_its_counts_and_programs_take_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (file, out, plot) = (path("program.tk"), path("tuned.json"), path("tuned.svg"));
    std::fs::write(&file, PROGRAM).unwrap();
    let (code, text, err) = tk(&["tune", &file, "--device", "sim", "--out", &out, "--plot", &plot]);
    assert_eq!(code, 0, "{text}{err}");
    assert!(text.contains("4 configurations, counted by the simulator, not timed"), "{text}");
    assert!(text.contains("the simulator ranks by what it counts"), "{text}");
    // What the program prints comes first.
    assert!(text.starts_with("checked 1024\n"), "{text}");
    let (code, document, err) = tk(&["tune", &file, "--device", "sim", "--json"]);
    assert!(code == 0 && !document.contains("checked") && err.contains("checked 1024\n"), "{document}{err}");
    let winner = text.lines().find(|line| line.starts_with('*')).unwrap();
    let cells: Vec<&str> = winner.split_whitespace().collect();
    // A warp that adds eight elements for each lane has fewer instructions than eight that add one.
    assert_eq!(cells[1..3], ["256", "1"], "{text}");
    let drawn = std::fs::read_to_string(&plot).unwrap();
    assert_eq!((drawn.matches("<rect").count(), drawn.matches("#1a7f37").count()), (5, 1), "{drawn}");

    let configuration = |words: &[&str]| {
        let (code, text, err) = tk(words);
        assert_eq!(code, 0, "{text}{err}");
        let line = text.lines().find(|line| line.contains("configuration")).unwrap_or_default().to_string();
        line.split("configuration ").nth(1).unwrap_or_default().to_string()
    };
    let run = ["run", &file, "--device", "sim"];
    assert!(configuration(&run).starts_with("BLOCK=32 num_warps=1"));
    let tuned = [&run[..], &["--tuned", &out]].concat();
    assert!(configuration(&tuned).starts_with("BLOCK=256 num_warps=1"));
    // What was found for other sizes says nothing of these.
    assert!(configuration(&[&tuned[..], &["-D", "n=2048"]].concat()).starts_with("BLOCK=32"));

    let json = tk(&["tune", &file, "--device", "sim", "--json"]).1;
    let reports = tk::read_tunings("json", &json).unwrap();
    assert_eq!((reports.len(), reports[0].trials.len(), reports[0].decision), (1, 4, tk::Decision::Counted));
}

#[test]
fn files_that_are_no_results_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("program.tk"), PROGRAM).unwrap();
    let whole = tk(&["tune", &path("program.tk"), "--device", "sim", "--json"]).1;
    let far = whole.replace("\"winner\": 2", "\"winner\": 99");
    assert_ne!(far, whole);
    for text in
        ["", "{}", "[1, 2]", &whole[..whole.len() / 2], &far, &whole.replace("\"version\": 1", "\"version\": 2")]
    {
        std::fs::write(path("tuned.json"), text).unwrap();
        let (code, _, err) = tk(&["run", &path("program.tk"), "--device", "sim", "--tuned", &path("tuned.json")]);
        assert!(code == 1 && err.contains("holds no results of autotuning"), "{text}: {code} {err}");
    }
    let plain = root().join("examples/vector_add.tk").display().to_string();
    let (code, _, err) = tk(&["tune", &plain, "--device", "sim"]);
    assert!(code == 1 && err.contains("launches no kernel with several configurations"), "{err}");
}
