//! The kernel of docs/tutorial.md is wrong and slow at the start and right and fast at the end: each step has the fault that the page says, and
//! what the simulator counts falls from step to step. The table of the page is made of these counts (`TK_BLESS=1`).

use serde_json::Value;
use tk_tests::{root, run_tk};

const PAGE: &str = "docs/tutorial.md";
const BEGIN: &str = "<!-- figures -->\n";
const END: &str = "<!-- end -->";

/// The steps whose kernel is wrong, and the code of the error.
const WRONG: [(&str, &str); 4] = [
    ("1-first.tk", "out-of-bounds"),
    ("2-checked.tk", "out-of-bounds"),
    ("3-inside.tk", "uninitialised"),
    ("4-zeroed.tk", "data-race"),
];

/// The steps whose kernel is right, and what the table says of them.
const RIGHT: [(&str, &str); 5] = [
    ("5-right.tk", "a program for each pixel"),
    ("6-tiles.tk", "a block of pixels for each program"),
    ("7-wide.tk", "four pixels for each load of a thread"),
    ("8-one-pass.tk", "each logit once"),
    ("9-fast.tk", "one warp for each program"),
];

fn tk(words: &[&str]) -> (i32, String) {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let outcome = run_tk(&words.iter().map(ToString::to_string).collect::<Vec<_>>());
    (outcome.exit, outcome.text)
}

fn path(step: &str) -> String {
    format!("examples/tutorial/{step}")
}

#[test]
fn the_first_steps_are_wrong_as_the_page_says_and_the_others_are_right() {
    for (step, code) in WRONG {
        let (exit, text) = tk(&["test", &path(step), "--device", "sim"]);
        assert!(exit == 1 && text.contains(&format!("error[{code}]")), "{step}: {text}");
    }
    for (step, _) in RIGHT {
        let (exit, text) = tk(&["test", &path(step), "--device", "sim"]);
        assert!(exit == 0 && text.contains("0 failed"), "{step}: {text}");
        let (exit, text) = tk(&["check", &path(step), "--deny-warnings"]);
        assert_eq!(exit, 0, "{step}: {text}");
    }
}

/// What the simulator counts in the launch of `main()`.
struct Counts {
    warp_instructions: u64,
    requests: u64,
    sectors: u64,
    /// Passes through the banks of shared memory.
    wavefronts: u64,
    /// What makes the kernel slower, but for gathers.
    slow_lines: usize,
}

fn counts(step: &str) -> Counts {
    let (exit, text) = tk(&["run", &path(step), "--device", "sim", "--json"]);
    assert_eq!(exit, 0, "{step}: {text}");
    let json = text.lines().find(|line| line.starts_with("{\"")).expect("a line of JSON");
    let launch = serde_json::from_str::<Value>(json).expect("JSON")["launches"][0].clone();
    let (_, report) = tk(&["run", &path(step), "--device", "sim", "--memory-report"]);
    let total = report.lines().find_map(|line| line.strip_prefix("total: ")).expect("a line of totals");
    let before = |word: &str| {
        let (number, _) = total.split_once(word).expect("the totals name it");
        number.split_whitespace().last().and_then(|number| number.parse().ok()).expect("a number")
    };
    let shared = report.lines().skip_while(|line| !line.starts_with("shared memory")).skip(1);
    let shared = shared.take_while(|line| line.contains(".tk:") && !line.starts_with("total"));
    let wavefronts = shared.filter_map(|line| line.split_whitespace().nth(4)?.parse::<u64>().ok()).sum();
    let findings = launch["findings"].as_array().expect("a list");
    Counts {
        warp_instructions: launch["warp_instructions"].as_u64().expect("a number"),
        requests: before(" global requests"),
        sectors: before(" sectors"),
        wavefronts,
        slow_lines: findings.iter().filter(|finding| finding["weight"] == "slow" && !is_gather(finding)).count(),
    }
}

/// Places that the labels choose are no fault of the kernel.
fn is_gather(finding: &Value) -> bool {
    finding["text"].as_str().is_some_and(|text| text.contains("it is computed from what is loaded"))
}

#[test]
fn the_kernel_is_slow_at_the_start_and_fast_at_the_end() {
    let steps: Vec<Counts> = RIGHT.iter().map(|(step, _)| counts(step)).collect();
    let [first, .., last] = &steps[..] else { panic!("steps") };
    assert!(first.sectors > 7 * last.sectors, "{} and {} sectors", first.sectors, last.sectors);
    assert!(first.requests > 5 * last.requests, "{} and {} requests", first.requests, last.requests);
    assert!(first.warp_instructions > 2 * last.warp_instructions, "{}", last.warp_instructions);
    assert!(steps.windows(2).all(|pair| pair[1].sectors <= pair[0].sectors + pair[0].sectors / 100));
    assert!(last.wavefronts == 0 && last.slow_lines == 0, "{} findings", last.slow_lines);
    // Every eight logits are a sector, which is fetched once; labels and weights come on top.
    let logits = 150 * 1000 / 8;
    assert!(last.sectors > logits && last.sectors < logits + logits / 10, "{} sectors", last.sectors);
    compare_table(&table(&steps));
}

fn table(steps: &[Counts]) -> String {
    let mut text = String::from(
        "| step | | warp instructions | requests | sectors | wavefronts of shared memory | lines with `!`, without gathers |\n|---|---|--:|--:|--:|--:|--:|\n",
    );
    for ((step, what), counts) in RIGHT.iter().zip(steps) {
        let number = |value: u64| with_commas(value);
        text += &format!(
            "| [{step}](../examples/tutorial/{step}) | {what} | {} | {} | {} | {} | {} |\n",
            number(counts.warp_instructions),
            number(counts.requests),
            number(counts.sectors),
            number(counts.wavefronts),
            counts.slow_lines,
        );
    }
    text
}

/// `1212200` as `1,212,200`.
fn with_commas(value: u64) -> String {
    let digits = value.to_string();
    let places = digits.len();
    let part = |(at, digit): (usize, char)| {
        let comma = if at > 0 && (places - at).is_multiple_of(3) { "," } else { "" };
        format!("{comma}{digit}")
    };
    digits.chars().enumerate().map(part).collect()
}

fn compare_table(fresh: &str) {
    let page = std::fs::read_to_string(root().join(PAGE)).expect("the page is there");
    let (before, rest) = page.split_once(BEGIN).expect("the page has a table");
    let (shown, after) = rest.split_once(END).expect("the table has an end");
    if shown != fresh && std::env::var_os("TK_BLESS").is_some() {
        let whole = format!("{before}{BEGIN}{fresh}{END}{after}");
        std::fs::write(root().join(PAGE), whole).expect("the page can be written");
    } else {
        assert_eq!(shown, fresh, "{PAGE} is out of date; run the test with TK_BLESS=1");
    }
}

/// The code on the page is that of the steps.
#[test]
fn the_page_shows_lines_of_the_steps() {
    let steps = WRONG.iter().chain(&RIGHT).map(|(step, _)| root().join(path(step)));
    let texts: Vec<String> = steps.map(|step| std::fs::read_to_string(step).expect("the step is there")).collect();
    let page = std::fs::read_to_string(root().join(PAGE)).expect("the page is there");
    let blocks: Vec<&str> = page.split("```python\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() > 5, "{} blocks", blocks.len());
    for block in blocks {
        assert!(texts.iter().any(|text| text.contains(block)), "no step has the block\n{block}");
    }
}
