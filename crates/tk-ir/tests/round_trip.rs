//! Triton's own dumps parse, verify, and come back as the same text.

use tk_diag::{SourceFile, Style, render};
use tk_ir::{Context, Module, OpKind, PrintOptions, WalkResult};

const LOCATIONS: PrintOptions = PrintOptions { locations: true, generic: false, is_anonymous: false };
const GENERIC: PrintOptions = PrintOptions { locations: true, generic: true, is_anonymous: false };

fn files(folder: &str) -> Vec<SourceFile> {
    let folder = format!("{}/tests/data/{folder}", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no files in {folder}");
    let read = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        SourceFile::new(path.file_name().unwrap().to_string_lossy(), text)
    };
    paths.into_iter().map(read).collect()
}

/// Text without locations and blank lines, for comparison with what Triton printed.
fn plain(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with("#loc")).collect()
}

fn strip_locations(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(" loc(") {
        out.push_str(&rest[..start]);
        let mut depth = 0;
        let length = rest[start..].bytes().position(|b| {
            depth += i32::from(b == b'(') - i32::from(b == b')');
            b == b')' && depth == 0
        });
        rest = &rest[start + length.expect("balanced") + 1..];
    }
    out.push_str(rest);
    out
}

/// Without the names of values: those of region arguments are not part of the text, so later ones differ too.
fn without_names(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('%') {
        let name = &rest[start + 1..];
        let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c))).unwrap_or(name.len());
        out += &rest[..start + 1];
        rest = &name[end..];
    }
    out + rest
}

fn check_round_trip(source: &SourceFile) {
    let context = Context::new();
    let module = Module::parse(&context, source).unwrap_or_else(|error| panic!("{}", render(&error, Style::Plain)));
    module.verify().unwrap();
    for options in [LOCATIONS, GENERIC] {
        let text = module.print(options);
        let again = Module::parse(&context, &SourceFile::new("printed.mlir", text.clone()));
        let again = again.unwrap_or_else(|error| panic!("{}: {error:?}\n{text}", source.name()));
        assert_eq!(text, again.print(options), "{} does not come back", source.name());
        assert_eq!(module.print(LOCATIONS), again.print(LOCATIONS), "{} changes meaning", source.name());
    }
    module.op().walk(&mut |op| {
        assert_ne!(op.kind(), OpKind::Other, "{} has no kind", op.name());
        WalkResult::Advance
    });
}

/// Prints as it was written, but for locations and names.
fn check_same_text(source: &SourceFile) {
    let context = Context::new();
    let printed = Module::parse(&context, source).unwrap().print(PrintOptions::default());
    let (printed, theirs) = (without_names(&printed), without_names(&strip_locations(source.text())));
    let (ours, theirs) = (plain(&printed), plain(&theirs));
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs, "in {}", source.name());
    }
    assert_eq!(ours.len(), theirs.len(), "in {}", source.name());
}

#[test]
fn dumps_of_triton_3_6_come_back_and_print_as_triton_printed_them() {
    for source in files("triton-3.6") {
        check_round_trip(&source);
        check_same_text(&source);
    }
}

#[test]
fn every_other_operation_prints_as_it_is_written() {
    for source in files(".") {
        check_round_trip(&source);
        if std::env::var_os("TK_BLESS").is_some() {
            let context = Context::new();
            let text = Module::parse(&context, &source).unwrap().print(PrintOptions::default());
            std::fs::write(format!("{}/tests/data/{}", env!("CARGO_MANIFEST_DIR"), source.name()), text).unwrap();
            continue;
        }
        check_same_text(&source);
    }
}

#[test]
fn dumps_of_triton_3_9_come_back() {
    for source in files("triton-3.9") {
        check_round_trip(&source);
    }
}
