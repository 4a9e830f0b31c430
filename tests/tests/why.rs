//! What tk says of slow lines: `tests/why/slow.tk` has kernels with one planted slowness each, `tests/why/good.tk` has kernels with none, and the
//! examples have none either when their arguments are as kind as can be.

use serde_json::Value;
use tk_tests::{root, run_tk};

/// A kernel of a file of kernels, with what its comments say.
struct Planted {
    name: String,
    signature: String,
    options: Vec<String>,
    /// What is to be said of lines.
    expected: Vec<Expected>,
}

struct Expected {
    line: u64,
    text: String,
}

/// The kernels of a file: `# compile: SIGNATURE [CONSTANTS] [OPTION…]` stands before each.
fn planted(file: &str) -> Vec<Planted> {
    let text = std::fs::read_to_string(root().join(file)).expect("the kernels are there");
    let parts: Vec<(usize, &str)> =
        text.match_indices("# compile: ").map(|(at, mark)| (at + mark.len(), mark)).collect();
    let ends = parts.iter().skip(1).map(|(at, mark)| at - mark.len()).chain([text.len()]);
    parts.iter().zip(ends).map(|((start, _), end)| read(&text, *start, end)).collect()
}

fn read(text: &str, start: usize, end: usize) -> Planted {
    let part = &text[start..end];
    let first = text[..start].lines().count() as u64;
    let mut words = part.lines().next().expect("a signature").split_whitespace().map(str::to_string);
    let (signature, constants) = (words.next().expect("a signature"), words.next());
    let mut options: Vec<String> = words.collect();
    options.extend(constants.into_iter().flat_map(|constants| ["--constexpr".to_string(), constants]));
    let expected = marks(part, first);
    let name = part.split_once("def ").and_then(|(_, rest)| rest.split_once('(')).expect("a function").0.to_string();
    Planted { name, signature, options, expected }
}

/// What the comments of a text whose first line is line `first` say of lines.
fn marks(text: &str, first: u64) -> Vec<Expected> {
    let lines = || text.lines().enumerate().map(|(index, line)| (first + index as u64, line));
    let named: Vec<(u64, &str)> =
        lines().filter_map(|(number, line)| Some((number, line.split_once("  # @")?.1))).collect();
    let resolved = |line: u64, text: &str| {
        let text = text.replace("@here", &format!("line {line}"));
        named.iter().fold(text, |text, (number, name)| text.replace(&format!("@{name}"), &format!("line {number}")))
    };
    let said = lines().flat_map(|(line, text)| text.split("  # slow: ").skip(1).map(move |said| (line, said)));
    let marked = said.map(|(line, said)| Expected { line, text: resolved(line, said) });
    marked.collect()
}

/// What tk says of the speed of a kernel.
fn findings(file: &str, kernel: &str, signature: &str, options: &[String]) -> Vec<Value> {
    image(file, kernel, signature, options)["findings"].as_array().expect("a list").clone()
}

/// What tk says of a kernel, as data.
pub(crate) fn image(file: &str, kernel: &str, signature: &str, options: &[String]) -> Value {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let fixed = ["compile", file, "--kernel", kernel, "--signature", signature, "--target", "sm_90a", "--json"];
    let args: Vec<String> = fixed.iter().map(|arg| (*arg).to_string()).chain(options.iter().cloned()).collect();
    let outcome = run_tk(&args);
    assert_eq!(outcome.exit, 0, "{kernel}: {}", outcome.text);
    let json = outcome.text.lines().next().expect("the document comes before the messages");
    serde_json::from_str(json).expect("JSON")
}

/// Those that say that something is slow.
fn slow(findings: &[Value]) -> Vec<&Value> {
    findings.iter().filter(|finding| finding["weight"] == "slow").collect()
}

fn text(finding: &Value) -> String {
    format!("line {}: {}", finding["place"]["line"], finding["text"].as_str().unwrap_or_default())
}

/// What is missing of what is expected, and what is told beside it.
fn differences(told: &[&Value], expected: &[Expected]) -> Vec<String> {
    let fits = |finding: &Value, wanted: &Expected| {
        finding["place"]["line"] == wanted.line && text(finding).contains(&wanted.text)
    };
    let missing = expected.iter().filter(|wanted| !told.iter().any(|finding| fits(finding, wanted)));
    let more = told.iter().filter(|finding| !expected.iter().any(|wanted| fits(finding, wanted)));
    let missing = missing.map(|wanted| format!("line {} should say {:?}", wanted.line, wanted.text));
    missing.chain(more.map(|finding| text(finding))).collect()
}

/// Kernels with one planted slowness each, and at least how many there are.
const SLOW: [(&str, usize); 3] =
    [("tests/why/slow.tk", 30), ("tests/why/conversions.tk", 7), ("tests/why/registers.tk", 6)];

#[test]
fn planted_slowness_is_told_with_its_line_and_reason() {
    let mut problems = Vec::new();
    for (file, least) in SLOW {
        let kernels = planted(file);
        assert!(kernels.len() >= least, "{file} has {} kernels", kernels.len());
        for Planted { name, signature, options, expected } in &kernels {
            if expected.is_empty() {
                problems.push(format!("{name} expects nothing"));
            }
            let findings = findings(file, name, signature, options);
            let told = slow(&findings);
            problems.extend(differences(&told, expected).into_iter().map(|problem| format!("{name}: {problem}")));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn nothing_is_told_of_kernels_that_are_not_slow() {
    let kernels = planted("tests/why/good.tk");
    assert!(kernels.len() >= 15, "{} kernels", kernels.len());
    let mut problems = Vec::new();
    for Planted { name, signature, options, .. } in &kernels {
        let findings = findings("tests/why/good.tk", name, signature, options);
        problems.extend(slow(&findings).into_iter().map(|finding| format!("{name}: {}", text(finding))));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// What is slow in examples, however kind their arguments are: the file, the line, and a part of the sentence.
const SLOW_EXAMPLES: &[(&str, u64, &str)] = &[
    // Sizes, strides and addresses of each product come from memory.
    ("grouped_gemm.tk", 59, "it is computed from what is loaded"),
    ("grouped_gemm.tk", 60, "it is computed from what is loaded"),
    ("grouped_gemm.tk", 65, "it is computed from what is loaded"),
    // Two warp groups have half of the queries each, and all of their gradients' terms.
    ("attention_backward.tk", 50, "64x64xbf16 from the layout of the product"),
    ("attention_backward.tk", 53, "64x64xbf16 from the layout of the product"),
    // Values choose the bins.
    ("histogram.tk", 26, "it is computed from what is loaded (line 24)"),
];

/// The kernels of the examples as `tests/counts/conversions.tsv` lists them, each number a multiple of 16.
#[test]
fn nothing_is_told_of_examples_beside_what_is_slow_in_them() {
    let table = std::fs::read_to_string(root().join("tests/counts/conversions.tsv")).expect("the table is there");
    let (mut problems, mut count) = (Vec::new(), 0);
    for row in table.lines().skip(1) {
        let row: Vec<&str> = row.split('\t').collect();
        let [_, file, kernel, warps, stages, signature, constants] = row[..] else { panic!("a row of seven columns") };
        let kind = |part: &str| if part == "i32" { "i32:16".to_string() } else { part.to_string() };
        // The commas in the brackets of a descriptor are followed by numbers, which stay as they are.
        let signature: Vec<String> = signature.split(',').map(kind).collect();
        let options = ["--constexpr", constants, "--num-warps", warps, "--num-stages", stages].map(str::to_string);
        let findings = findings(&format!("examples/{file}"), kernel, &signature.join(","), &options);
        count += 1;
        let is_known = |finding: &&Value| {
            let says = |line: u64, part: &str| finding["place"]["line"] == line && text(finding).contains(part);
            SLOW_EXAMPLES.iter().any(|(known, line, part)| *known == file && says(*line, part))
        };
        let told = slow(&findings).into_iter().filter(|finding| !is_known(finding));
        problems.extend(told.map(|finding| format!("{file} {kernel} {constants}: {}", text(finding))));
    }
    assert!(count > 100, "{count} kernels");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn run(args: &[&str]) -> String {
    std::env::set_current_dir(root()).expect("the workspace root is there");
    let outcome = run_tk(&args.iter().map(|arg| (*arg).to_string()).collect::<Vec<_>>());
    assert_eq!(outcome.exit, 0, "{args:?}: {}", outcome.text);
    outcome.text
}

#[test]
fn bank_conflicts_are_told_with_what_the_line_does_in_shared_memory() {
    for file in ["tests/why/conflicts.tk", "tests/why/shared.tk"] {
        let json: Value = serde_json::from_str(&run(&["run", file, "--device", "sim", "--json"])).expect("JSON");
        let launches = json["launches"].as_array().expect("a list");
        let findings: Vec<Value> =
            launches.iter().flat_map(|launch| launch["findings"].as_array().expect("a list").clone()).collect();
        let expected = marks(&std::fs::read_to_string(root().join(file)).expect("the kernels are there"), 1);
        let problems = differences(&slow(&findings), &expected);
        assert!(problems.is_empty(), "{file}: {}", problems.join("\n"));
    }
}

const RAGGED: [&str; 6] =
    ["--kernel", "tail_of_any_length", "--signature", "*fp32:16,*fp32:16,i32", "--constexpr", "BLOCK=1024"];

#[test]
fn the_same_is_said_in_the_report_on_the_page_and_by_the_compiler() {
    let sentence =
        "load of 32 of 128 bits: the mask of line 11 changes per element: `n` is not known to be a multiple of 4";
    let compiled = run(&[&["compile", "tests/why/slow.tk", "--why", "--emit", "ptx"], &RAGGED[..]].concat());
    assert!(compiled.contains(&format!("slow.tk:12         !access     {sentence}")), "{compiled}");
    let short = ["--kernel", "short_blocks", "--signature", "*fp32:16,*fp32:16", "--constexpr", "BLOCK=128"];
    let compiled = run(&[&["compile", "tests/why/good.tk", "--why"], &short[..]].concat());
    assert!(compiled.contains(" access     load of 32 of 128 bits: 128 threads share 128 elements"), "{compiled}");
    let page = root().join("target").join("why.html").display().to_string();
    run(&[&["explain", "tests/why/slow.tk", "-o", &page], &RAGGED[..]].concat());
    let page = std::fs::read_to_string(&page).expect("the page is there");
    let (_, data) = page.split_once("id=\"data\">").expect("the facts are in the page");
    let (data, _) = data.split_once("</script>").expect("they end");
    let facts: Value = serde_json::from_str(data).expect("JSON");
    let notes = facts["kernels"][0]["notes"].as_array().expect("a list");
    let note = notes.iter().find(|note| note["text"] == sentence).expect("the page has the sentence");
    assert_eq!((&note["line"], &note["about"], &note["level"]), (&12.into(), &"access".into(), &"bad".into()));
    assert_eq!(note["because_of"], serde_json::json!([11]), "the mask is the reason");
    let report = run(&["run", "tests/why/conflicts.tk", "--device", "sim"]);
    assert!(report.contains("conflicts.tk:12    !conflict   124 bank conflicts of shared loads"), "{report}");
}
