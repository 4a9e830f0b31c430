//! `Module`: owns the IR of one file.

use crate::context::byte_span;
use crate::verify::{self, Broken};
use crate::{Block, Context, Location, Op, OpKind, ffi, guard};
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use melior::pass::PassManager;
use tk_diag::{BAD_IR, Diagnostic, Result, SourceFile, Span};

/// A `builtin.module` and everything in it.
pub struct Module<'c> {
    melior: melior::ir::Module<'c>,
    context: &'c Context,
}

/// How to print a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintOptions {
    /// With `loc(…)` on every operation.
    pub locations: bool,
    /// In MLIR's generic form.
    pub generic: bool,
    /// Values have MLIR's own names, not those of the program's variables.
    pub is_anonymous: bool,
}

impl<'c> Module<'c> {
    /// Parses and verifies MLIR text. The error names the place in `source`.
    pub fn parse(context: &'c Context, source: &SourceFile) -> Result<Self> {
        guard::check_nesting(source)?;
        context.start_capture();
        let Some(melior) = ffi::parse_module(context.melior(), source.text(), source.name()) else {
            return Err(context.captured_as_error(source));
        };
        let module = Self { melior, context };
        match verify::check(&module) {
            Ok(()) => Ok(module),
            Err(broken) => Err(error_at(&broken, source)),
        }
    }

    /// An empty module.
    pub fn new(context: &'c Context, location: Location<'c>) -> Self {
        Self { melior: melior::ir::Module::new(location.melior), context }
    }

    /// Its context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The module as text.
    pub fn print(&self, options: PrintOptions) -> String {
        let mut flags = OperationPrintingFlags::new();
        if options.locations {
            flags = flags.enable_debug_info(true, false);
        }
        if options.generic {
            flags = flags.print_generic_operation_form();
        }
        if !options.is_anonymous {
            ffi::name_values_by_location(&flags);
        }
        match self.melior.as_operation().to_string_with_flags(flags) {
            Ok(text) => text + "\n",
            Err(error) => panic!("MLIR escapes what is not ASCII, but: {error}"),
        }
    }

    /// The `builtin.module` operation.
    pub fn op(&self) -> Op<'c> {
        Op::new(ffi::top_op(&self.melior), self.context)
    }

    /// The block that holds its functions.
    pub fn body(&self) -> Block<'c> {
        match self.op().region(0).first_block() {
            Some(block) => block,
            None => self.op().region(0).new_block(&[], self.op().loc()),
        }
    }

    /// Its `tt.func` operations, in order.
    pub fn functions(&self) -> Vec<Op<'c>> {
        self.body().ops().into_iter().filter(|op| op.kind() == OpKind::TtFunc).collect()
    }

    /// A deep copy.
    pub fn clone_module(&self) -> Module<'c> {
        let copy = melior::ir::Operation::clone(&self.melior.as_operation());
        match melior::ir::Module::from_operation(copy) {
            Some(melior) => Self { melior, context: self.context },
            None => unreachable!("the copy of a module is a module"),
        }
    }

    /// MLIR's verifier and tk's; a failure is a fault of tk's own.
    pub fn verify(&self) -> Result<()> {
        self.op().verify()?;
        verify::check(self).map_err(|broken| {
            Diagnostic::bug(broken.message).note(format!("in {:?} at {:?}", broken.op, broken.op.loc())).boxed()
        })
    }

    /// A hash of all that verifiers look at: operations and blocks with their order and addresses, operands, types and attributes. Where two of them are
    /// equal, nothing has changed in between that [`verify`](Self::verify) could find.
    pub fn fingerprint(&self) -> u64 {
        ffi::fingerprint(ffi::top_op(&self.melior))
    }

    /// Runs upstream passes in textual pipeline form, such as `canonicalize,cse`.
    pub fn run_mlir_passes(&self, pipeline: &str) -> Result<()> {
        self.context.start_capture();
        let manager = PassManager::new(self.context.melior());
        manager.enable_verifier(false);
        let anchored = format!("builtin.module({pipeline})");
        if let Err(error) = melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), &anchored) {
            let reason = match error {
                melior::Error::ParsePassPipeline(reason) => reason,
                other => other.to_string(),
            };
            return Err(Diagnostic::bug(format!("`{pipeline}` is not a pass pipeline: {reason}")).boxed());
        }
        manager.run(&mut ffi::module_mut(&self.melior)).map_err(|_| self.context.captured_as_bug())
    }
}

/// The error of an operation in the text of `source`, at its place there when it has no location of its own.
fn error_at(broken: &Broken<'_>, source: &SourceFile) -> Box<Diagnostic> {
    let error = Diagnostic::error(BAD_IR, &broken.message).help("the operation parses, but no kernel can mean this");
    match broken.op.loc().file_line_col() {
        Some((file, line, column)) if file == source.name() => {
            error.at(source, byte_span(source, line, column), "").boxed()
        }
        Some((file, line, column)) => error
            .at(source, Span::default(), "")
            .note(format!("the operation came from {file}:{line}:{column}"))
            .boxed(),
        None => error.at(source, Span::default(), "").boxed(),
    }
}

impl std::fmt::Debug for Module<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print(PrintOptions::default()))
    }
}
