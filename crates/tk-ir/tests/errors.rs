//! Text that is not IR gives an error at its place, and never a crash.

use tk_diag::{Diagnostic, Severity, SourceFile, Style, render};
use tk_ir::{Context, Module};

fn error(text: &str) -> Box<Diagnostic> {
    let context = Context::new();
    let error = Module::parse(&context, &SourceFile::new("bad.mlir", text)).expect_err("must not parse");
    assert_eq!(error.severity, Severity::Error, "{error:?}");
    assert!(!error.labels.is_empty(), "no place: {error:?}");
    assert!(!error.message.contains('\n') && !error.message.ends_with('.'), "{}", error.message);
    assert!(render(&error, Style::Plain).len() < 10_000);
    error
}

/// The error's place and message.
fn told(text: &str) -> (u32, u32, String) {
    let error = error(text);
    let at = error.labels[0].file.as_ref().unwrap().line_column(error.labels[0].span.start);
    (at.line, at.column, error.message.clone())
}

#[test]
fn broken_text_is_told_where() {
    for (text, line, column, words) in [
        ("tt.func @k() {\n  tt.retrun\n}", 2, 3, "tt.retrun"),
        ("tt.func @k() {\n  foo.bar\n}", 2, 3, "foo"),
        ("tt.func @k(%a: i32) {\n  %0 = arith.addi %a, %b : i32\n  tt.return\n}", 2, 23, "undeclared"),
        ("tt.func @k(%a: i32) {\n  %0 = arith.addi %a, %a : f99\n  tt.return\n}", 2, 27, ""),
        ("tt.func @k(%p: !tt.pointer<f32>) {\n  tt.return\n}", 1, 20, "pointer"),
        ("#b = #ttg.blocked<{sizePerThread = [1]}>", 1, 39, ""),
        ("tt.func @k() {\n  tt.return", 2, 11, ""),
        ("tt.func @k(%p: !tt.ptr<f32>) {\n  %0 = tt.load %p : f32\n  tt.return\n}", 2, 8, "ptr"),
        ("tt.func @k() -> i32 {\n  tt.return\n}", 2, 3, "types"),
        ("tt.func @k() {\n  tt.call @nobody() : () -> ()\n  tt.return\n}", 2, 3, "nobody"),
        ("garbage \u{1F980} text", 1, 9, "unexpected character"),
        ("tt.func @\"\u{1F980}\"() {\n  tt.return\n} oops", 3, 3, ""),
        ("tt.func @\"\u{1F980}\"() oops", 1, 16, ""),
    ] {
        let (l, c, message) = told(text);
        assert_eq!((l, c), (line, column), "{text}: {message}");
        assert!(message.contains(words), "{text}: {message}");
    }
}

#[test]
fn operations_without_meaning_are_told_where() {
    let layout = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>";
    let reduce = |axis: u32, argument: &str| {
        format!(
            "%0 = \"tt.reduce\"(%x) <{{axis = {axis} : i32}}> ({{
             ^bb0(%a: f32, %b: {argument}):
               tt.reduce.return %a : f32
             }}) : (tensor<8x4xf32>) -> tensor<8xf32>"
        )
    };
    for (op, words) in [
        ("%0 = tt.make_range {start = 0 : i32, end = 4 : i32} : tensor<8xi32>".into(), "`end - start`"),
        ("%0 = tt.make_range {start = 4 : i32, end = 0 : i32} : tensor<8xi32>".into(), "end after its start"),
        ("%0 = tt.make_range {start = 0 : i32, end = 6 : i32} : tensor<6xi32>".into(), "powers of two"),
        ("%0 = tt.expand_dims %x {axis = 7 : i32} : tensor<8x4xf32> -> tensor<8x4x1xf32>".into(), "axis"),
        ("%0 = tt.broadcast %x : tensor<8x4xf32> -> tensor<8x8xf32>".into(), "size 1"),
        ("%0 = tt.trans %x {order = array<i32: 0, 0>} : tensor<8x4xf32> -> tensor<8x4xf32>".into(), "once"),
        ("%0 = tt.trans %x {order = array<i32: 5, -7>} : tensor<8x4xf32> -> tensor<8x4xf32>".into(), "once"),
        ("%0 = tt.reshape %x : tensor<8x4xf32> -> tensor<8x8xf32>".into(), "as many elements"),
        ("%0 = tt.dot %x, %x, %x : tensor<8x4xf32> * tensor<8x4xf32> -> tensor<8x4xf32>".into(), "M×K"),
        ("%0 = tt.splat %x : tensor<8x4xf32> -> tensor<8x4xf32>".into(), "scalar"),
        ("%0 = tt.bitcast %x : tensor<8x4xf32> -> tensor<8x4xf16>".into(), "one width"),
        (format!("%0 = ttg.convert_layout %x : tensor<8x4xf32> -> tensor<8x4xf32, {layout}>"), "1 dimensions"),
        (reduce(2, "f32"), "axis"),
        (reduce(1, "i32"), "two elements"),
    ] {
        let (line, column, message) = told(&format!("tt.func @k(%x: tensor<8x4xf32>) {{\n  {op}\n  tt.return\n}}"));
        assert_eq!((line, column), (2, 8), "{op}: {message}");
        assert!(message.contains(words), "{op}: {message}");
    }
}

#[test]
fn gathers_fit_what_they_take_from() {
    let memory = "!ttg.memdesc<8x4xf32, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, #ttg.shared_memory>";
    for (indices, result, axis, words) in [
        ("1x4xi32", "1x4xf32", 2, "an axis within it"),
        ("4xi32", "4xf32", 0, "indices of its rank"),
        ("1x4xi32", "8x4xf32", 0, "the shape and the layout of its indices"),
        ("1x8xi32", "1x8xf32", 0, "of its size but along the axis"),
        ("1x4xi32", "1x4xf32", 1, "of its size but along the axis"),
    ] {
        for (op, source, [open, close]) in
            [("tt.gather", "tensor<8x4xf32>", ["(", ")"]), ("ttg.local_gather", memory, ["", ""])]
        {
            let types = format!("{open}{source}, tensor<{indices}>{close}");
            let op = format!("%0 = {op} %x[%i] {{axis = {axis} : i32}} : {types} -> tensor<{result}>");
            let text = format!("tt.func @k(%x: {source}, %i: tensor<{indices}>) {{\n  {op}\n  tt.return\n}}");
            let (line, column, message) = told(&text);
            assert_eq!((line, column), (2, 8), "{op}: {message}");
            assert!(message.contains(words), "{op}: {message}");
        }
    }
}

#[test]
fn a_negative_axis_is_told_at_the_attribute() {
    let op = "%0 = tt.expand_dims %x {axis = -1 : i32} : tensor<8x4xf32> -> tensor<8x4x1xf32>";
    let (line, column, message) = told(&format!("tt.func @k(%x: tensor<8x4xf32>) {{\n  {op}\n  tt.return\n}}"));
    assert_eq!((line, column), (2, 26), "{message}");
    assert!(message.contains("'axis'") && message.contains("non-negative"), "{message}");
}

#[test]
fn an_empty_file_is_an_empty_module() {
    let context = Context::new();
    let module = Module::parse(&context, &SourceFile::new("empty.mlir", "")).unwrap();
    assert!(module.functions().is_empty());
}

#[test]
fn bombs_of_nesting_are_refused() {
    for bomb in ["(", "[", "{", "<", "module {", "tensor<", "loc(callsite(", "- ", "#a<{x = "] {
        let text = format!("module attributes {{a = {}", bomb.repeat(100_000));
        assert_eq!(error(&text).code.slug, "nesting-too-deep", "{bomb}");
    }
    let chain: String =
        (1..100_000).map(|i| format!("#a{i} = #ttg.slice<{{dim = 0, parent = #a{}}}>\n", i - 1)).collect();
    assert_eq!(error(&format!("#a0 = #ttg.shared_memory\n{chain}")).code.slug, "nesting-too-deep");
    let context = Context::new();
    assert_eq!(context.parse_type(&"tensor<".repeat(100_000)), None);
    assert_eq!(context.parse_attr(&"[".repeat(100_000)), None);
}

#[test]
fn the_deepest_nesting_that_is_read_fits_the_stack() {
    let deep = |open: &str, close: &str, depth: usize| format!("{}{}", open.repeat(depth), close.repeat(depth));
    let depth = tk_ir::MAX_NESTING - 2;
    let context = Context::new();
    for text in [
        format!("module attributes {{a = {}}} {{}}", deep("[", "]", depth)),
        deep("module {\n", "}\n", depth),
        format!("module {{}} loc({}unknown{})", "\"a\"(".repeat(depth), ")".repeat(depth)),
    ] {
        if let Ok(module) = Module::parse(&context, &SourceFile::new("deep.mlir", text)) {
            assert!(!module.print(Default::default()).is_empty());
        }
    }
}

#[test]
fn a_line_of_ten_megabytes_is_read_or_refused() {
    error(&"a".repeat(10_000_000));
    error(&format!("module attributes {{tk.a = \"{}", "x".repeat(10_000_000)));
    let long = format!("module attributes {{tk.a = \"{}\"}} {{}}", "x".repeat(10_000_000));
    let context = Context::new();
    let module = Module::parse(&context, &SourceFile::new("long.mlir", long)).unwrap_or_else(|error| panic!("{error}"));
    assert!(module.op().attr("tk.a").is_some());
}

#[test]
fn text_in_other_encodings_does_not_crash() {
    let context = Context::new();
    for text in ["\0\0\0", "module {\0}", "\u{FEFF}module {}"] {
        let _ = Module::parse(&context, &SourceFile::new("bytes.mlir", text));
    }
    error("tt.func @k() { \u{0} }");
    error("\u{FEFF}module {");
}
