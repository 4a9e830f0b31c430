//! Files as people write them: what is read, and the tree that comes out.

use tk_diag::SourceFile;
use tk_grammar::ast::*;
use tk_grammar::functions::{Named, own_name};

#[track_caller]
fn parse(text: &str) -> Module {
    let file = SourceFile::new("k.tk", text);
    tk_grammar::parse(&file).unwrap_or_else(|faults| {
        let text: Vec<String> = faults.iter().map(|fault| tk_diag::render(fault, tk_diag::Style::Plain)).collect();
        panic!("{}", text.join("\n"))
    })
}

#[track_caller]
fn expr(text: &str) -> Expr {
    match parse(text).body[0].kind.clone() {
        StmtKind::Expr(expr) => expr,
        other => panic!("{other:?}"),
    }
}

/// An expression with all its parentheses, which shows what binds to what.
fn show(expr: &Expr) -> String {
    let list = |items: &[Expr]| items.iter().map(show).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::Str(text) => format!("{text:?}"),
        ExprKind::Tuple(items) => format!("({},)", list(items)),
        ExprKind::List(items) => format!("[{}]", list(items)),
        ExprKind::Set(items) => format!("{{{}}}", list(items)),
        ExprKind::Unary { op, operand } => format!("({op:?} {})", show(operand)),
        ExprKind::Binary { op, left, right } => format!("({} {} {})", show(left), op.symbol(), show(right)),
        ExprKind::BoolOp { op, values } => format!("({op:?} {})", list(values)),
        ExprKind::Compare { left, rest } => {
            let rest: Vec<String> = rest.iter().map(|(op, right)| format!(" {op:?} {}", show(right))).collect();
            format!("({}{})", show(left), rest.concat())
        }
        ExprKind::IfElse { test, body, orelse } => format!("({} if {} else {})", show(body), show(test), show(orelse)),
        ExprKind::Call { func, args } => {
            let args: Vec<String> = args.iter().map(show_argument).collect();
            format!("{}({})", show(func), args.join(", "))
        }
        ExprKind::Attribute { value, name } => format!("{}.{}", show(value), name.text),
        ExprKind::Subscript { value, index } => format!("{}[{}]", show(value), show(index)),
        ExprKind::Slice { lower, upper, step } => {
            let part = |part: &Option<Box<Expr>>| part.as_deref().map(show).unwrap_or_default();
            format!("{}:{}:{}", part(lower), part(upper), part(step))
        }
        ExprKind::Lambda { params, body } => {
            let names: Vec<&str> = params.iter().map(|param| param.name.text.as_str()).collect();
            format!("(lambda {}: {})", names.join(", "), show(body))
        }
        ExprKind::Starred(value) => format!("*{}", show(value)),
        ExprKind::Walrus { name, value } => format!("({} := {})", name.text, show(value)),
        ExprKind::ListComp { element, clauses } => format!("[{}{}]", show(element), show_clauses(clauses)),
        ExprKind::GeneratorExp { element, clauses } => format!("({}{})", show(element), show_clauses(clauses)),
        ExprKind::SetComp { element, clauses } => format!("{{{}{}}}", show(element), show_clauses(clauses)),
        ExprKind::DictComp { key, value, clauses } => {
            format!("{{{}: {}{}}}", show(key), show(value), show_clauses(clauses))
        }
        other => format!("{other:?}"),
    }
}

fn show_argument(argument: &Argument) -> String {
    match argument {
        Argument::Positional(value) => show(value),
        Argument::Keyword(name, value) => format!("{}={}", name.text, show(value)),
        Argument::Star(value) => format!("*{}", show(value)),
        Argument::DoubleStar(value) => format!("**{}", show(value)),
    }
}

fn show_clauses(clauses: &[Comprehension]) -> String {
    let clause = |clause: &Comprehension| {
        let conditions: Vec<String> = clause.conditions.iter().map(|c| format!(" if {}", show(c))).collect();
        format!(" for {} in {}{}", show(&clause.target), show(&clause.iter), conditions.concat())
    };
    clauses.iter().map(clause).collect()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(show(&expr(text)), expected, "{text}");
}

#[test]
fn a_kernel_file_is_read() {
    let module = parse(include_str!("data/matmul.tk"));
    let kernel = module.function("matmul_kernel_grouped").unwrap();
    assert!(kernel.is_jit());
    assert_eq!(kernel.decorators.len(), 2);
    assert_eq!(kernel.params.len(), 16);
    assert_eq!(kernel.params.last().unwrap().annotation.as_ref().unwrap().dotted_name().unwrap(), "tl.constexpr");
    assert!(!module.function("matmul").unwrap().is_jit());
}

#[test]
fn the_kernels_of_the_articles_are_read() {
    let module = parse(include_str!("data/articles.tk"));
    assert_eq!(module.functions().filter(|function| function.is_jit()).count(), 7);
}

#[test]
fn operators_bind_as_in_python() {
    check("a + b * c - d", "((a + (b * c)) - d)");
    check("-a ** -b ** c", "(Neg (a ** (Neg (b ** c))))");
    check("a | b ^ c & d << e + f @ g", "(a | (b ^ (c & (d << (e + (f @ g))))))");
    check("not a == b and c or d", "(Or (And (Not (a Eq b)), c), d)");
    check("a < b <= c != d is not e not in f", "(a Lt b LtEq c NotEq d IsNot e NotIn f)");
    check("a if b else c if d else e", "(a if b else (c if d else e))");
    check("a // b % c / d", "(((a // b) % c) / d)");
    check("lambda x, *y: x if y else 0", "(lambda x, y: (x if y else 0))");
    check("~a.b(c)[d].e", "(Invert a.b(c)[d].e)");
    check("(y := f(x), *z)", "((y := f(x)), *z,)");
    check("a and b and (c and d)", "(And a, b, (And c, d))");
}

#[test]
fn indices_arguments_and_displays() {
    check("x[:, None]", "x[(::, None,)]");
    check("x[1:2:3, ..., a:]", "x[(1:2:3, Ellipsis, a::,)]");
    check(
        "kernel[(1, 2)](x, N=3, *a, **k)",
        "kernel[((1, 2,))](x, N=3, *a, **k)".replace("((1, 2,))", "(1, 2,)").as_str(),
    );
    check("f(x for x in y if x if not z)", "f((x for x in y if x if (Not z)))");
    check("[(i, j) for i in a for j in b]", "[(i, j,) for i in a for j in b]");
    check("{k: v for k, v in d.items()}", "{k: v for (k, v,) in d.items()}");
    check("{x for x, in y}", "{x for (x,) in y}");
    check("{1, *a}", "{1, *a}");
    check("[*a, *b,]", "[*a, *b]");
    check("(1,)", "(1,)");
    check("()", "(,)");
}

#[test]
fn numbers_have_their_values() {
    for (text, value) in [("0x_ff", 255), ("0b1010", 10), ("0O17", 15), ("1_000", 1000), ("00", 0), ("0", 0)] {
        assert!(matches!(expr(text).kind, ExprKind::Int(v) if v == value), "{text}");
    }
    assert!(matches!(expr(&i128::MAX.to_string()).kind, ExprKind::Int(i128::MAX)));
    for (text, value) in
        [("1e-3", 1e-3), ("1E5", 1e5), (".5", 0.5), ("2.", 2.0), ("1_0.2_5e1_0", 10.25e10), ("1e400", f64::INFINITY)]
    {
        assert!(matches!(expr(text).kind, ExprKind::Float(v) if v == value), "{text}");
    }
}

#[test]
fn strings_have_their_values() {
    for (text, value) in [
        (r"'a\n\t\\\'\x41\u00e9\101\q'", "a\n\t\\'A\u{e9}A\\q"),
        (r#"r'\n' "x" '''y"'z'''"#, "\\nxy\"'z"),
        ("'a' \\\n  'b'", "ab"),
        ("('a'\n # c\n 'b')", "ab"),
        ("'''a\r\nb'''", "a\nb"),
        ("'a\\\nb'", "ab"),
        ("''", ""),
        ("\"\"\"\"x\"\"\"", "\"x"),
        ("u'é'", "é"),
    ] {
        assert!(matches!(&expr(text).kind, ExprKind::Str(v) if v == value), "{text}: {:?}", expr(text));
    }
    assert!(matches!(&expr(r"b'a\xff' rb'\x'").kind, ExprKind::Bytes(v) if v == b"a\xff\\x"));
}

#[test]
fn f_strings_keep_their_fields() {
    let ExprKind::FString(parts) = expr("f'a{{{x!r:>{w}}b' 'c{' rf'\\{y=:.3f}{d[\"k\"]}'").kind else { panic!() };
    let shown: Vec<String> = parts.iter().map(show_part).collect();
    assert_eq!(shown, ["a{", "<x !r >|<w>>", "bc{\\y=", "<y :.3f>", "<d[\"k\"]>"]);
    let ExprKind::FString(parts) = expr("f'{a == b} {x = } {(lambda: 1)()} {f\"{y}\"}'").kind else { panic!() };
    let shown: Vec<String> = parts.iter().map(show_part).collect();
    assert_eq!(shown[..3], ["<(a Eq b)>", " x = ", "<x !r>"]);
    // An expression may go over several lines (PEP 701); text may not.
    let ExprKind::FString(parts) = expr("f\"a {\n    (x - y)\n    :.2e}\"").kind else { panic!() };
    assert_eq!(parts.iter().map(show_part).collect::<Vec<_>>(), ["a ", "<(x - y) :.2e>"]);
    for text in ["x = f'a\n{b}'", "x = f'a{b:\n}'", "x = f'{b\n"] {
        assert!(tk_grammar::parse(&SourceFile::new("k.tk", text)).is_err(), "{text}");
    }
    let file = SourceFile::new("k.tk", "x = f'ab{cd}'");
    let module = tk_grammar::parse(&file).unwrap();
    let StmtKind::Assign { value: Expr { kind: ExprKind::FString(parts), .. }, .. } = &module.body[0].kind else {
        panic!()
    };
    let FStringPart::Value { value, .. } = &parts[1] else { panic!() };
    assert_eq!(file.slice(value.span), "cd");
}

fn show_part(part: &FStringPart) -> String {
    match part {
        FStringPart::Text(text) => text.clone(),
        FStringPart::Value { value, conversion, format } => {
            let conversion = conversion.map(|c| format!(" !{c}")).unwrap_or_default();
            let format = format.as_ref().map(|format| format!(" :{format}")).unwrap_or_default();
            format!("<{}{conversion}{format}>", show(value))
        }
        FStringPart::Formatted { value, conversion, format } => {
            let format: Vec<String> = format.iter().map(show_part).collect();
            let conversion = conversion.map(|c| format!(" !{c}")).unwrap_or_default();
            format!("<{}{conversion} {}>", show(value), format.join("|"))
        }
    }
}

#[test]
fn statements_of_every_kind() {
    let module = parse(include_str!("data/statements.tk"));
    let kinds: Vec<String> = module
        .body
        .iter()
        .map(|stmt| format!("{:?}", stmt.kind).split([' ', '(', '{']).next().unwrap_or_default().to_string())
        .collect();
    let expected = "Expr Import ImportFrom ImportFrom ImportFrom Assign Assign AugAssign AnnAssign AnnAssign \
        If For While With Try Assert Raise Delete ClassDef FunctionDef FunctionDef Pass Pass Expr Assign Assign";
    assert_eq!(kinds.join(" "), expected.split_whitespace().collect::<Vec<_>>().join(" "));
    let function = module.function("g").unwrap();
    let kinds: Vec<ParamKind> = function.params.iter().map(|param| param.kind).collect();
    use ParamKind::*;
    assert_eq!(kinds, [PositionalOnly, Normal, VarArgs, KeywordOnly, KeywordArgs]);
    let StmtKind::Try { handlers, orelse, finally, .. } = &module.body[14].kind else { panic!() };
    assert_eq!((handlers.len(), orelse.len(), finally.len()), (2, 1, 1));
}

#[test]
fn items_of_with_may_stand_in_parentheses() {
    for text in [
        "with (a as b, c as d):\n    pass\n",
        "with (\n    a as b,\n    c(1, (2, 3)) as d,\n):\n    pass\n",
        "with (a) as b, (c) as d:\n    pass\n",
        "with (a as b), c as d:\n    pass\n",
    ] {
        let parsed = tk_grammar::parse(&SourceFile::new("k.py", text));
        let items = parsed.ok().and_then(|module| match &module.body[0].kind {
            StmtKind::With { items, .. } => Some(items.iter().filter(|item| item.target.is_some()).count()),
            _ => None,
        });
        let wanted = if text.starts_with("with (a as b), c") { None } else { Some(2) };
        assert_eq!(items, wanted, "{text}");
    }
}

#[test]
fn functions_are_device_code_where_jit_is_applied_to_them() {
    let module = parse(
        "def f(x):\n    pass\n\ndef g(x):\n    pass\n\nh = triton.jit(f)\n\ndef make():\n    @triton.jit\n    def inner(p):\n        pass\n    return inner\n",
    );
    let jit: Vec<&str> = module.functions().filter(|one| one.is_jit()).map(|one| one.name.text.as_str()).collect();
    assert_eq!(jit, ["f", "inner"]);
}

#[test]
fn line_ends_and_encodings() {
    for text in [
        "if a:\r\n  x = 1\r\n  y = 2\r\n",
        "\u{feff}if a:\n  x = 1\n  y = 2",
        "if a:\n\tx = 1\n\n# c\n      # c\n\ty = 2 # c",
        "\x0c\nif a:\n  x = 1\n\x0c  y = 2\n",
        "if a: x = 1; y = 2;\n",
        "if a:\r  x = 1\r  y = 2\r",
        "if \\\n a:\n  x = \\\n1\n  y = (2\n)\n   ",
    ] {
        let module = parse(text);
        let StmtKind::If { body, .. } = &module.body[0].kind else { panic!("{text:?}") };
        assert_eq!((module.body.len(), body.len()), (1, 2), "{text:?}");
    }
    assert!(parse("").body.is_empty() && parse("# only\n   \n\t").body.is_empty());
    assert!(matches!(&expr("größe_µ").kind, ExprKind::Name(name) if name == "größe_µ"));
    for name in ["match", "case", "type", "print", "_"] {
        parse(&format!("{name} = {name}({name}=1)\n"));
    }
}

#[test]
fn spans_cover_what_was_written() {
    let text = "@d\ndef f(a):\n    return a . b [ 1 ] ( c )  # end\n\nx = 1\n";
    let module = parse(text);
    let StmtKind::FunctionDef(function) = &module.body[0].kind else { panic!() };
    assert_eq!(module.file.slice(function.span), "def f(a):\n    return a . b [ 1 ] ( c )");
    let StmtKind::Return(Some(value)) = &function.body[0].kind else { panic!() };
    assert_eq!(module.file.slice(value.span), "a . b [ 1 ] ( c )");
    assert_eq!(module.file.slice(module.body[1].span), "x = 1");
}

#[test]
fn functions_under_conditions_are_found_and_the_first_branch_wins() {
    let text = "if a:\n    def f(x):\n        pass\nelse:\n    def f(x, y):\n        pass\n\
        try:\n    def g(x):\n        pass\nexcept E:\n    def g(x, y):\n        pass\n\
        class C:\n    def method(self):\n        pass\n";
    let module = parse(text);
    for name in ["f", "g"] {
        assert_eq!(module.function(name).map(|function| function.params.len()), Some(1), "{name}");
    }
    assert_eq!(module.functions().count(), 4);
}

const MADE: &str = "\
@jit
def alone(): pass
def make(n):
    @triton.autotune(
        configs=[])
    @triton.jit
    def kernel(a):
        pass
    class C:
        @jit
        def kernel(a, b): pass
def other():
    if n:
        @jit
        def kernel(a, b, c): pass
    else:
        @jit
        def kernel(a, b, c, d): pass
def only():
    @jit
    def single(a, b, c, d, e): pass
if x:
    def branch(a): pass
else:
    def branch(a, b): pass
";

#[test]
fn functions_of_one_name_are_told_apart_by_what_they_stand_in_and_by_lines() {
    let module = parse(MADE);
    let parameters = |name: &str| match module.choose(name) {
        Named::One(function) => function.params.len(),
        other => panic!("{name}: {other:?}"),
    };
    for (name, wanted) in [
        ("alone", 0),
        ("make.kernel", 1),
        ("make.<locals>.kernel", 1),
        ("make.kernel:4", 1),
        ("kernel:7", 1),
        ("kernel:8", 1),
        ("C.kernel", 2),
        ("make.<locals>.C.kernel", 2),
        ("other.kernel:14", 3),
        ("kernel:18", 4),
        ("single", 5),
        ("only.single", 5),
        ("branch", 1),
        ("branch:25", 2),
    ] {
        assert_eq!(parameters(name), wanted, "{name}");
    }
    for (name, count) in [("kernel", 4), ("other.kernel", 2)] {
        assert!(matches!(module.choose(name), Named::Several(all) if all.len() == count), "{name}");
    }
    for name in ["kernel:1", "nobody.kernel", "kernel:x", "make", "alone.kernel", "", ".", ":4"] {
        let found = module.choose(name);
        assert!(matches!(found, Named::Nothing) == (name != "make"), "{name}: {found:?}");
    }
    assert_eq!(["make.<locals>.kernel:4", "kernel", "a.b"].map(own_name), ["kernel", "kernel", "b"]);
}

#[test]
fn every_function_has_a_name_that_means_it_alone() {
    let module = parse(MADE);
    let known: Vec<&str> = module.functions().map(FunctionDef::known_as).collect();
    let kernels = ["make.kernel", "make.C.kernel", "other.kernel:14", "other.kernel:17", "single"];
    for name in kernels.iter().chain(&["alone", "make", "other", "only", "branch", "branch:25"]) {
        assert!(known.contains(name), "{name}: {known:?}");
    }
    for function in module.functions() {
        let name = function.known_as();
        assert!(matches!(module.choose(name), Named::One(found) if found.span == function.span), "{name}");
    }
}
