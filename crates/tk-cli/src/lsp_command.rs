//! `tk lsp`: a language server on standard input and output ([`tk_lsp`]), with the compiler that tells it of layouts and widths.

use crate::arguments::LspArgs;
use crate::compile_command;
use crate::failure::Failure;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};
use tk::Bounds;
use tk_diag::{Diagnostic, FILE, USAGE};
use tk_driver::{Made, PlaceFact, Unit, place_facts};
use tk_grammar::ast::Module;
use tk_inspect::Launch;
use tk_layout::{Encoding, describe};
use tk_lsp::{End, Explainer, LineFact, Subject};
use tk_target::Target;
use tk_types::{ArgType, Argument, CompileOptions, Facts};

pub(crate) fn serve(args: &LspArgs) -> Result<(), Failure> {
    let mut target = OnceLock::new();
    if let Some(name) = &args.target {
        target = OnceLock::from(compile_command::target(Some(name))?);
    }
    let lost =
        |error: std::io::Error| Diagnostic::error(FILE, format!("the connection to the editor: {error}")).boxed();
    let input = std::io::BufReader::new(std::io::stdin());
    let (connection, threads) = tk_lsp::connect(input, std::io::stdout()).map_err(lost)?;
    let served = tk_lsp::serve(&connection, Arc::new(Compiler { target }));
    drop(connection);
    threads.finish().map_err(lost)?;
    match served {
        Ok(End::Asked) => Ok(()),
        Ok(End::Alone) => Err(Diagnostic::error(FILE, "the editor went away without a word").boxed().into()),
        Err(error) => {
            let message = format!("this is no session of the Language Server Protocol: {error}");
            let help = "`tk lsp` is started by editors; docs/editor.md says how.";
            Err(Diagnostic::error(USAGE, message).help(help).boxed().into())
        }
    }
}

/// tk itself.
struct Compiler {
    /// For which GPU; that of this machine, which is looked for when it is needed.
    target: OnceLock<Target>,
}

impl Explainer for Compiler {
    fn explain(&self, module: &Module, launch: &Launch) -> Result<Vec<LineFact>, String> {
        let target = *self.target.get_or_init(tk::default_target);
        let args: Vec<Argument> = launch.args.iter().map(usual).collect();
        let unit = Unit {
            module,
            kernel: &launch.kernel,
            args: &args,
            globals: &[],
            options: CompileOptions::default(),
            target,
            bounds: Bounds::any(),
        };
        let facts = place_facts(&unit).map_err(|errors| {
            errors.first().map_or_else(|| "it has errors".to_string(), |error| error.message.clone())
        })?;
        let mut known = HashSet::new();
        let here = facts.iter().filter(|fact| fact.file == module.file.name());
        let told = here.filter(|fact| known.insert((fact.line, &fact.made, &fact.layout, &fact.shape)));
        Ok(told.flat_map(|fact| line_facts(fact, target)).collect())
    }
}

/// What launches mostly find of an argument, and a file does not say: a multiple of 16.
fn usual(arg: &Argument) -> Argument {
    match arg.ty {
        ArgType::Pointer { .. } => Argument { facts: Facts::USUAL, ..arg.clone() },
        ArgType::Scalar(ty) if ty.is_int() => Argument { facts: Facts::USUAL, ..arg.clone() },
        ArgType::Scalar(_) | ArgType::Constexpr(_) | ArgType::Descriptor(_) => arg.clone(),
    }
}

/// What a hover says of a place: of a load whose value a variable is bound to, the width is asked at the call.
fn line_facts(fact: &PlaceFact, target: Target) -> Option<LineFact> {
    let (subject, text) = match &fact.made {
        Made::Variable(name) => (Subject::Variable(name.clone()), format!("**layout** ({target}): {}", layout(fact)?)),
        Made::Access { operation, elements, bits } => {
            let width = elements * bits;
            let layout = layout(fact).map(|layout| format!("  \n**layout**: {layout}")).unwrap_or_default();
            let text = format!(
                "**width** ({target}): {width} bits, {elements} × {bits} bits at once, by `{operation}`, where addresses and integers are multiples of 16{layout}"
            );
            (Subject::Call(fact.column), text)
        }
        Made::BlockCopy(operation) => {
            (Subject::Call(fact.column), format!("**width** ({target}): a block at once by TMA, `{operation}`"))
        }
    };
    Some(LineFact { line: fact.line, subject, text })
}

/// A layout as IR writes it, and how it deals out elements in words.
fn layout(fact: &PlaceFact) -> Option<String> {
    let text = fact.layout.as_ref()?;
    let words = Encoding::parse(text).and_then(|encoding| describe(&encoding, &fact.shape));
    Some(words.map_or_else(|_| format!("`{text}`"), |words| format!("`{text}`  \n{words}")))
}
