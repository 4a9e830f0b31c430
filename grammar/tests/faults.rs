//! What people are told: the message and the place of each error, in order.

use tk_diag::SourceFile;
use tk_grammar::ast::{Stmt, StmtKind};

/// `line:column message` of every error.
fn faults(text: &str) -> Vec<String> {
    let file = SourceFile::new("k.tk", text);
    let faults = tk_grammar::parse(&file).err().unwrap_or_default();
    let line = |fault: &tk_diag::Diagnostic| {
        let at = file.line_column(fault.labels[0].span.start);
        format!("{}:{} {}", at.line, at.column, fault.message)
    };
    faults.iter().map(line).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(faults(text), expected, "{text}");
}

#[test]
fn missing_parts_are_named() {
    check("def f(x)\n    return x\n", &["1:9 a `:` is missing after `def …`"]);
    check("while True\n   pass\n", &["1:11 a `:` is missing after `while …`"]);
    check("for i range(3):\n   pass\n", &["1:7 `in` is missing before `range`"]);
    check("x = 1 +\n", &["1:8 a value is missing after `+`"]);
    check("from x import\n", &["1:14 a name is missing after `import`"]);
    check("f(a b)\n", &["1:5 a comma or an operator is missing before `b`"]);
    check("x = a b\n", &["1:7 unexpected `b`: expected an operator or the end of the line"]);
    check("x = = 2\n", &["1:5 unexpected `=`: expected a value"]);
}

#[test]
fn brackets_say_where_they_were_opened() {
    check("def f(a, b:\n    return a\n", &["1:6 `(` is never closed"]);
    check("x = [1, 2)\n", &["1:10 `)` cannot close `[`"]);
    check("x = 1)\n", &["1:6 `)` closes nothing"]);
    check("x = f(1,\n", &["1:6 `(` is never closed"]);
    let file = SourceFile::new("k.tk", "y = (1, 2\nz = 3\n");
    let fault = tk_grammar::parse(&file).unwrap_err().remove(0);
    assert_eq!(fault.labels[1].span.start, 4, "{fault:?}");
}

#[test]
fn usual_slips_have_their_own_words() {
    check("if x = 1:\n    pass\n", &["1:6 `=` assigns and cannot stand in a condition"]);
    check("if a:\n  pass\nelse if x:\n  pass\n", &["3:6 `else if` is written `elif`"]);
    check("print 'x'\n", &["1:7 `print` is a function"]);
    check("def if(): pass\n", &["1:5 `if` is a keyword and cannot be a name"]);
    check("f(1) = 3\n", &["1:1 cannot assign to the result of a call"]);
    check("a == b = 3\n", &["1:1 cannot assign to a comparison"]);
    check("a, b += 2\n", &["1:1 an operator with `=` needs a name, an attribute or a subscript, not a tuple"]);
    check("x = (a = 1)\n", &["1:8 `=` cannot stand here"]);
    check("x = a ? b\n", &["1:7 `?` is not part of the language"]);
    check("x =\u{a0}1\n", &["1:4 the invisible character U+00A0 is not allowed here"]);
    check("x = 1 \\ \ny = 2\n", &["1:7 a `\\` that continues a line must be its last character"]);
}

/// `line:column message` of the statements that tk reads and does not run.
fn unsupported(text: &str) -> Vec<String> {
    let file = SourceFile::new("k.tk", text);
    let module = tk_grammar::parse(&file).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut found = Vec::new();
    let mut open: Vec<&Stmt> = module.body.iter().rev().collect();
    while let Some(stmt) = open.pop() {
        match &stmt.kind {
            StmtKind::Unsupported(fault) => {
                let at = file.line_column(fault.labels[0].span.start);
                found.push(format!("{}:{} {}", at.line, at.column, fault.message));
            }
            StmtKind::FunctionDef(function) => open.extend(function.body.iter().rev()),
            _ => {}
        }
    }
    found
}

#[test]
fn python_that_is_not_run_waits_until_it_is_reached() {
    assert_eq!(unsupported("async def f(): pass\n"), ["1:1 `async` is not supported"]);
    assert_eq!(unsupported("async def f():\n    await g()\nx = 1\n"), ["1:1 `async` is not supported"]);
    let text = "def f(x):\n    match x:\n        case 1:\n            return 2\n        case _:\n            pass\n    return 3\n";
    assert_eq!(unsupported(text), ["2:5 the `match` statement is not supported"]);
    assert_eq!(
        unsupported("def f(x):\n    y = yield x\n    yield\n"),
        ["2:9 `yield` is not supported", "3:5 `yield` is not supported"]
    );
    assert_eq!(unsupported("match x:\n    case (a): f(a)\n"), ["1:1 the `match` statement is not supported"]);
    check("match = {1: f(a b)}\n", &["1:17 a comma or an operator is missing before `b`"]);
    check("match x:\n    a b\n", &["2:7 unexpected `b`: expected an operator or the end of the line"]);
}

/// A function is there before somebody calls it.
#[test]
fn functions_that_are_not_run_have_their_names() {
    let text = "def a(): yield\nclass C:\n    pass\n@d\nasync  def b_1(x):\n    await x\nx = 1\n";
    let file = SourceFile::new("k.tk", text);
    let module = tk_grammar::parse(&file).unwrap();
    let names = module.body.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::FunctionDef(function) => Some((function.name.text.as_str(), file.slice(function.name.span))),
        _ => None,
    });
    assert_eq!(names.collect::<Vec<_>>(), [("a", "a"), ("b_1", "b_1")]);
    assert_eq!(unsupported(text), ["1:10 `yield` is not supported", "5:1 `async` is not supported"]);
}

#[test]
fn numbers_and_strings_are_checked() {
    check("x = 0777\n", &["1:5 a decimal number may not start with 0"]);
    check("x = 12ab\n", &["1:5 `12ab` is not a decimal number"]);
    check("x = 1__0\n", &["1:5 `1__0` is not a decimal number"]);
    check(&format!("x = {}\n", u128::MAX), &["1:5 this number does not fit 128 bits"]);
    check("x = 'abc\ny = 1\n", &["1:5 this string is not closed"]);
    check("x = '''abc\ny = 1\n", &["1:5 this triple-quoted string is not closed"]);
    check("x = '\\x4'\n", &["1:6 `\\x` must be followed by 2 hexadecimal digits"]);
    check("x = '\\ud800'\n", &["1:6 this escape is not a Unicode character"]);
    check("x = b'é'\n", &["1:7 a bytes string holds ASCII characters only"]);
    check("x = 'a' b'b'\n", &["1:6 a text string and a bytes string cannot be joined"]);
    check("x = f'{}'\n", &["1:7 an f-string field without a value"]);
    check("x = f'a}'\n", &["1:8 a single `}` in an f-string"]);
    check("x = f'{a b}'\n", &["1:10 unexpected `b`: expected an operator or the end of the line"]);
    check("x = f'{a!z}'\n", &["1:9 a conversion is `!r`, `!s` or `!a`"]);
}

#[test]
fn indentation_is_checked() {
    check("  x = 1\n", &["1:3 this line is indented, but no block starts before it"]);
    check("def f():\nx = 1\n", &["1:1 `def …:` must be followed by an indented block"]);
    check("def f():\n", &["1:1 `def …:` must be followed by an indented block"]);
    check("if a:\n    x\n  y\n", &["3:3 this indentation fits no block around it"]);
    check("if a:\n\tx\n        y\n", &["3:1 tabs and spaces are mixed, so the indentation is not clear"]);
    check("else:\n  pass\n", &["1:1 this `else` belongs to no `if`, `for` or `while` before it"]);
    check("try:\n  pass\nx = 1\n", &["1:1 this `try` has neither `except` nor `finally`"]);
    check("@foo\nx = 3\n", &["1:2 a decorator must be followed by `def` or `class`"]);
}

#[test]
fn parameters_and_arguments_are_checked() {
    check("def f(x, x): pass\n", &["1:10 the parameter `x` appears twice"]);
    check("def f(x=1, y): pass\n", &["1:12 the parameter `y` without a default follows one with a default"]);
    check("def f(*): pass\n", &["1:7 a `*` alone must be followed by a parameter"]);
    check("def f(**k, x): pass\n", &["1:9 nothing may follow `**k`"]);
    check("f(a=1, 2)\n", &["1:8 a positional argument follows the keyword argument `a`"]);
    check("f(x for x in y, 1)\n", &["1:3 a generator beside other arguments needs parentheses"]);
}

#[test]
fn one_error_does_not_hide_the_next() {
    check(
        "x = (\ndef f(:):\n  y = = 1\n  z = 2\nw = 3 3\n",
        &[
            "1:5 `(` is never closed",
            "2:7 unexpected `:`: expected a name or `)`",
            "3:7 unexpected `=`: expected a value",
            "5:7 unexpected `3`: expected an operator or the end of the line",
        ],
    );
    assert_eq!(faults(&"x = = 1\n".repeat(100)).len(), 20);
}
