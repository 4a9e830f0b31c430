//! Files as people write them: what is read, and the tree that comes out.

use tk_diag::SourceFile;
use tk_grammar::ast::*;

fn parse(text: &str) -> Module {
    let file = SourceFile::new("k.tk", text);
    tk_grammar::parse(&file).unwrap_or_else(|faults| {
        let text: Vec<String> = faults.iter().map(|fault| tk_diag::render(fault, tk_diag::Style::Plain)).collect();
        panic!("{}", text.join("\n"))
    })
}

fn expr(text: &str) -> Expr {
    match parse(text).body.remove(0).kind {
        StmtKind::Expr(expr) => expr,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_kernel_file_is_read() {
    let module = parse(include_str!("data/matmul.tk"));
    let kernel = module.function("matmul_kernel_grouped").unwrap();
    assert!(kernel.is_jit());
    assert_eq!(kernel.decorators.len(), 2);
    assert_eq!(kernel.params.len(), 16);
    assert_eq!(kernel.params.last().unwrap().annotation.as_ref().unwrap().dotted_name().unwrap(), "tl.constexpr");
}
#[test]
fn numbers_have_their_values() {
    assert!(matches!(expr("0x_ff").kind, ExprKind::Int(255)));
    assert!(matches!(expr("1e-3").kind, ExprKind::Float(v) if v == 1e-3));
}
