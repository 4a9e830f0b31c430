//! Literals of the command line: what they are, and what is said of those that are none.

use tk_diag::SourceFile;
use tk_grammar::literal::{Literal, read_assignment, read_assignments, read_front, read_literal};

fn file(text: &str) -> SourceFile {
    SourceFile::new("--constexpr", text)
}

fn read(text: &str) -> Literal {
    read_literal(&file(text)).unwrap_or_else(|error| panic!("{text}: {}", error.message))
}

fn text(text: &str) -> Literal {
    Literal::Str(text.into())
}

#[test]
fn literals_are_those_of_the_language() {
    let int = Literal::Int;
    let cases = [
        ("128", int(128)),
        ("-3", int(-3)),
        ("+3", int(3)),
        ("0x10", int(16)),
        ("-0b11", int(-3)),
        ("0o17", int(15)),
        ("1_000", int(1000)),
        ("1e-5", Literal::Float(1e-5)),
        ("-.5", Literal::Float(-0.5)),
        ("-inf", Literal::Float(f64::NEG_INFINITY)),
        ("float('-inf')", Literal::Float(f64::NEG_INFINITY)),
        ("-float(\"inf\")", Literal::Float(f64::NEG_INFINITY)),
        ("(1, float(\"inf\"))", Literal::Tuple(vec![int(1), Literal::Float(f64::INFINITY)])),
        ("True", Literal::Bool(true)),
        ("None", Literal::None),
        ("'a, b'", text("a, b")),
        (r#""it's \"so\"""#, text("it's \"so\"")),
        ("'a' 'b'", text("ab")),
        ("tl.float16", Literal::Name("tl.float16".into())),
        ("relu", Literal::Name("relu".into())),
        (
            "(1, (-2, x), 'y',)",
            Literal::Tuple(vec![int(1), Literal::Tuple(vec![int(-2), Literal::Name("x".into())]), text("y")]),
        ),
        ("[]", Literal::Tuple(Vec::new())),
    ];
    for (text, wanted) in cases {
        assert_eq!(read(text), wanted, "{text}");
    }
}

#[test]
fn what_starts_like_no_literal_stands_for_itself() {
    for bare in ["leaky-relu", "float(x)", "float('x')", "/tmp/x.txt", "don't", "a b", "", "é!", "in", "**"] {
        match read(bare) {
            Literal::Str(read) => assert_eq!(read, bare),
            other => panic!("{bare}: {other:?}"),
        }
    }
}

#[test]
fn commas_inside_strings_and_brackets_do_not_separate() {
    let read = read_assignments(&file("A=1, S=\"x,y\",T=(1, 'a,b'),D=tl.float16,")).unwrap();
    let names: Vec<&str> = read.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["A", "S", "T", "D"]);
    assert_eq!(read[1].value, text("x,y"));
    assert_eq!(read[2].value, Literal::Tuple(vec![Literal::Int(1), text("a,b")]));
    assert_eq!(read_assignment(&file("path=a,b=c")).unwrap().value, text("a,b=c"));
    assert_eq!(read_front(&file("'a,b',fp32")).unwrap(), (text("a,b"), 5));
}

#[test]
fn errors_say_where_and_what_to_write() {
    let cases = [
        ("A=1,B=12ab", "`12ab` is not a decimal number", "12ab"),
        ("A=2024-01-01", "", "2024-01-01"),
        ("A=1+2", "`1+2` is not a literal", "1+2"),
        ("A=(1, f(2))", "`f(2)` is not a literal", "f(2)"),
        ("A=\"x,B=2", "this string is not closed", "\"x,B=2"),
        ("A=1,y", "`y` is not NAME=VALUE", "y"),
        ("1=2", "`1=2` is not NAME=VALUE", "1=2"),
        ("A={1: 2}", "`{1: 2}` is not a literal", "{1: 2}"),
    ];
    for (text, message, place) in cases {
        let file = file(text);
        let error = read_assignments(&file).unwrap_err();
        assert!(error.message.contains(message), "{text}: {}", error.message);
        assert!(place.contains(file.slice(error.labels[0].span)), "{text}: {}", file.slice(error.labels[0].span));
    }
}
