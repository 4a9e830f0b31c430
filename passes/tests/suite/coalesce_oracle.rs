//! Coalesce against the reference compiler on random kernels (`oracle_coalesce.py` makes them).
//!
//! `data/coalesce_differences.txt` lists where we choose otherwise, on purpose: `seed access layout: reason`. A difference that is not listed
//! fails, and so does a listed one that is gone.

use crate::{folder, run};
use std::collections::{BTreeMap, BTreeSet};

struct Case<'t> {
    seed: &'t str,
    num_warps: u32,
    text: String,
    layouts: Vec<&'t str>,
    /// Conversions that the reference keeps.
    conversions: usize,
}

fn cases(data: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in data.lines() {
        if let Some(head) = line.strip_prefix("// case ") {
            let (seed, warps) = head.split_once(" warps ").expect("a case head");
            cases.push(Case {
                seed,
                num_warps: warps.parse().unwrap(),
                text: String::new(),
                layouts: Vec::new(),
                conversions: 0,
            });
            continue;
        }
        let case = cases.last_mut().expect("a case before its text");
        if let Some(layout) = line.strip_prefix("// layout: ") {
            case.layouts.push(layout);
        } else if let Some(conversions) = line.strip_prefix("// conversions: ") {
            case.conversions = conversions.parse().unwrap();
        } else {
            case.text.extend([line, "\n"]);
        }
    }
    cases
}

/// The layout of each access, in program order, with aliases spelled out.
fn layouts_of(text: &str) -> Vec<String> {
    let aliases: BTreeMap<&str, &str> =
        text.lines().filter_map(|line| line.split_once(" = ")).filter(|(name, _)| name.starts_with('#')).collect();
    let accesses =
        text.lines().filter(|line| ["tt.load ", "tt.store ", "tt.atomic_rmw "].iter().any(|op| line.contains(op)));
    accesses
        .map(|line| {
            let start = line.find("!tt.ptr<").expect("a tensor of pointers");
            let rest = &line[start..];
            let alias = &rest[rest.find(", ").expect("a layout") + 2..];
            let alias = &alias[..alias.find('>').expect("the end of a type")];
            aliases.get(alias).unwrap_or(&alias).to_string()
        })
        .collect()
}

#[test]
fn coalesce_chooses_what_the_reference_chooses_on_random_kernels() {
    let data = std::fs::read_to_string(folder("data/coalesce_oracle.txt")).expect("the oracle's answers");
    let listed = std::fs::read_to_string(folder("data/coalesce_differences.txt")).unwrap_or_default();
    let entries = listed.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let listed: BTreeSet<&str> = entries.map(|line| line.split_once("}>: ").expect("layout and reason").0).collect();
    let cases = cases(&data);
    assert!(cases.len() >= 200);
    let mut found = BTreeSet::new();
    for case in &cases {
        let ours = run("case.mlir", &case.text, "convert-to-ttg,coalesce", "sm_90a", (case.num_warps, 3));
        assert!(ours.contains("tt.func"), "case {}: {ours}", case.seed);
        let ours = layouts_of(&ours);
        assert_eq!(ours.len(), case.layouts.len(), "case {}", case.seed);
        for (index, (ours, reference)) in ours.iter().zip(&case.layouts).enumerate() {
            if ours != reference {
                found.insert(format!("{} {index} {}", case.seed, ours.trim_end_matches("}>")));
            }
        }
    }
    let new: Vec<&String> = found.iter().filter(|entry| !listed.contains(entry.as_str())).collect();
    let gone: Vec<&&str> = listed.iter().filter(|entry| !found.contains(**entry)).collect();
    assert!(new.is_empty() && gone.is_empty(), "new differences:\n{new:#?}\ndifferences that are gone:\n{gone:#?}");
}

/// The whole pipeline runs, verified after every step, and keeps no more conversions than the reference (where both start from the
/// same layouts).
#[test]
fn random_kernels_keep_no_more_conversions_than_in_the_reference() {
    let data = std::fs::read_to_string(folder("data/coalesce_oracle.txt")).expect("the oracle's answers");
    let differences = std::fs::read_to_string(folder("data/coalesce_differences.txt")).unwrap_or_default();
    let differences: Vec<&str> = differences.lines().collect();
    let mut worse = Vec::new();
    for case in cases(&data) {
        let ours = run("case.mlir", &case.text, "tt,ttg,llvm", "sm_90a", (case.num_warps, 3));
        assert!(ours.contains("tt.func"), "case {}: {ours}", case.seed);
        let kept = ours.matches("ttg.convert_layout").count();
        let starts_otherwise = differences.iter().any(|line| line.split(' ').next() == Some(case.seed));
        if kept > case.conversions && !starts_otherwise {
            worse.push(format!("{}: {kept} instead of {}", case.seed, case.conversions));
        }
    }
    assert!(worse.is_empty(), "{worse:#?}");
}
