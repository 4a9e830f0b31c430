//! `codegen FILE.ttgir [sm_90a]`: prints the PTX of a ttg module; for looking at what code generation makes.
//! With `TK_TIME=1` it prints how long the steps took, with `TK_LLVM=1` the LLVM IR as emitted, with `TK_LLVM=2` as optimised.

use tk_codegen::{CodegenContext, generate};
use tk_types::DotPolicy;

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("a file");
    let target = args.next().map_or_else(Default::default, |name| tk_target::Target::parse(&name).expect("a target"));
    let text = std::fs::read_to_string(&path).expect("a readable file");
    let source = tk_diag::SourceFile::new(path, text);
    let context = tk_ir::Context::new();
    let module = tk_ir::Module::parse(&context, &source).unwrap_or_else(|error| panic!("{error}"));
    let llvm = std::env::var("TK_LLVM").unwrap_or_default();
    let codegen = CodegenContext {
        target,
        options: Default::default(),
        source: Some(source),
        keep_llvm_ir: !llvm.is_empty(),
        dots: DotPolicy::Overlap,
    };
    let start = std::time::Instant::now();
    let generated = generate(&module, &codegen).unwrap_or_else(|error| panic!("{error}"));
    if std::env::var("TK_TIME").is_ok() {
        eprintln!("{:?} {:?}", start.elapsed(), generated.timings);
        let again = generate(&module, &codegen).unwrap_or_else(|error| panic!("{error}"));
        eprintln!("second time {:?}", again.timings);
    }
    match llvm.as_str() {
        "1" => println!("{}", generated.llvm_ir_before.unwrap_or_default()),
        "2" => println!("{}", generated.llvm_ir.unwrap_or_default()),
        _ => println!("{}", generated.image.ptx),
    }
}
