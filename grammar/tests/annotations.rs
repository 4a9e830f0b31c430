//! Which annotations make constants at compile time.

use tk_diag::SourceFile;
use tk_grammar::parse;

#[test]
fn constexprs_are_known_under_every_spelling() {
    let spellings = [
        ("tl.constexpr", true),
        ("constexpr", true),
        ("triton.language.constexpr", true),
        ("language.constexpr", true),
        ("\"tl.constexpr\"", true),
        ("'constexpr'", true),
        ("tl.constexpr[int]", true),
        ("static", true),
        ("'static'", true),
        ("again", true),
        ("circle", false),
        ("int", false),
        ("\"i32\"", false),
        ("\"*fp32\"", false),
        ("\"not a constexpr\"", false),
        ("tl.const", false),
        ("myconstexpr", false),
        ("f().constexpr", false),
    ];
    for (spelling, expected) in spellings {
        let text = format!(
            "from triton.language import constexpr as static\nagain = static\ncircle = circle\n\
             def k(BLOCK: {spelling}):\n    pass\n"
        );
        let module = parse(&SourceFile::new("k.tk", text)).unwrap();
        let function = module.function("k").unwrap();
        let annotation = function.params[0].annotation.as_ref().unwrap();
        assert_eq!(module.is_constexpr(annotation), expected, "{spelling}");
    }
}
