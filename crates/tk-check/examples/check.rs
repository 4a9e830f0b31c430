//! Checks one kernel and prints it: `check FILE KERNEL SIGNATURE [NAME=VALUE…]`; `--time` measures.

use std::time::Instant;
use tk_check::{CheckRequest, bind_signature, check, read_constant, read_signature};
use tk_diag::{Diagnostic, SourceFile, Style, render};
use tk_target::Target;
use tk_types::{CompileOptions, NamedConstant};

fn fail(errors: Vec<Diagnostic>) -> ! {
    for error in errors {
        eprint!("{}", render(&error, Style::Plain));
    }
    std::process::exit(1)
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let time = args.iter().position(|arg| arg == "--time").map(|at| args.remove(at)).is_some();
    let [path, kernel, signature, constexprs @ ..] = args.as_slice() else {
        eprintln!("usage: check FILE KERNEL SIGNATURE [NAME=VALUE…]");
        std::process::exit(2)
    };
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| {
        eprintln!("{path}: {error}");
        std::process::exit(1)
    });
    let module = tk_grammar::parse(&SourceFile::new(path.as_str(), text)).unwrap_or_else(|errors| fail(errors));
    let specs = read_signature(signature).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(1)
    });
    let constexprs: Vec<_> = constexprs
        .iter()
        .filter_map(|text| text.split_once('='))
        .map(|(name, value)| NamedConstant::new(name, read_constant(value).expect("a constant")))
        .collect();
    let bound = bind_signature(&module, kernel, Some(&specs), &constexprs).unwrap_or_else(|errors| fail(errors));
    let options = CompileOptions { debug: true, ..CompileOptions::default() };
    let request = CheckRequest { module: &module, kernel, args: &bound, options, target: Target::default() };
    let checked = check(&request).unwrap_or_else(|errors| fail(errors));
    for line in &checked.printed {
        eprintln!("{line}");
    }
    print!("{}", checked.kernel);
    if time {
        const ROUNDS: u32 = 200;
        let start = Instant::now();
        for _ in 0..ROUNDS {
            let _ = std::hint::black_box(check(&request));
        }
        eprintln!("check: {:.1} us", start.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS));
    }
}
