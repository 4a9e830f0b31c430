//! `Module`: owns the IR of one file.

use super::*;
use crate::verify::{self, Broken};
use crate::{OpKind, guard};
use mlir_sys::MlirOperation;
use tk_diag::{BAD_IR, Diagnostic, Result, SourceFile, Span};

/// A `builtin.module` and everything in it.
pub struct Module<'c> {
    raw: MlirOperation,
    context: &'c Context,
}

/// How to print a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintOptions {
    /// With `loc(…)` on every operation.
    pub locations: bool,
    /// In MLIR's generic form.
    pub generic: bool,
}

impl<'c> Module<'c> {
    /// Parses and verifies MLIR text. The error names the place in `source`.
    pub fn parse(context: &'c Context, source: &SourceFile) -> Result<Self> {
        guard::check_nesting(source)?;
        context.start_capture();
        // SAFETY: as in `mlir!`; text and name live until the call returns.
        let raw = unsafe {
            tk_dialect::raw::tkParseModule(context.raw(), string_ref(source.text()), string_ref(source.name()))
        };
        if raw.ptr.is_null() {
            return Err(context.captured_as_error(source));
        }
        let module = Self { raw, context };
        match verify::check(&module) {
            Ok(()) => Ok(module),
            Err(broken) => Err(error_at(&broken, source)),
        }
    }

    /// An empty module.
    pub fn new(context: &'c Context, location: Location<'c>) -> Self {
        let module = mlir!(mlirModuleCreateEmpty(location.raw));
        Self { raw: mlir!(mlirModuleGetOperation(module)), context }
    }

    /// Its context.
    pub fn context(&self) -> &'c Context {
        self.context
    }

    /// The module as text.
    pub fn print(&self, options: PrintOptions) -> String {
        let flags = mlir!(mlirOpPrintingFlagsCreate());
        if options.locations {
            mlir!(mlirOpPrintingFlagsEnableDebugInfo(flags, true, false));
        }
        if options.generic {
            mlir!(mlirOpPrintingFlagsPrintGenericOpForm(flags));
        }
        mlir!(mlirOpPrintingFlagsPrintNameLocAsPrefix(flags));
        let text = printed(|callback, out| mlir!(mlirOperationPrintWithFlags(self.raw, flags, callback, out)));
        mlir!(mlirOpPrintingFlagsDestroy(flags));
        text + "\n"
    }

    /// The `builtin.module` operation.
    pub fn op(&self) -> Op<'c> {
        Op::new(self.raw, self.context)
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
        Self { raw: mlir!(mlirOperationClone(self.raw)), context: self.context }
    }

    /// MLIR's verifier and tk's; a failure is a fault of tk's own.
    pub fn verify(&self) -> Result<()> {
        self.op().verify()?;
        verify::check(self).map_err(|broken| {
            Diagnostic::bug(broken.message).note(format!("in {:?} at {:?}", broken.op, broken.op.loc())).boxed()
        })
    }

    /// Runs upstream passes in textual pipeline form, such as `canonicalize,cse`.
    pub fn run_mlir_passes(&self, pipeline: &str) -> Result<()> {
        self.context.start_capture();
        let manager = mlir!(mlirPassManagerCreate(self.context.raw()));
        mlir!(mlirPassManagerEnableVerifier(manager, false));
        let top = mlir!(mlirPassManagerGetAsOpPassManager(manager));
        let mut parsed = false;
        let complaint = printed(|callback, out| {
            parsed = mlir!(mlirOpPassManagerAddPipeline(top, string_ref(pipeline), callback, out)).value != 0;
        });
        let ran = parsed && mlir!(mlirPassManagerRunOnOp(manager, self.raw)).value != 0;
        mlir!(mlirPassManagerDestroy(manager));
        match (parsed, ran) {
            (false, _) => Err(Diagnostic::bug(format!("`{pipeline}` is not a pass pipeline: {complaint}")).boxed()),
            (true, false) => Err(self.context.captured_as_bug()),
            (true, true) => Ok(()),
        }
    }
}

/// The error of an operation in the text of `source`, at its place there when it has no location of its own.
fn error_at(broken: &Broken<'_>, source: &SourceFile) -> Box<Diagnostic> {
    let error = Diagnostic::error(BAD_IR, &broken.message).help("the operation parses, but no kernel can mean this");
    match broken.op.loc().file_line_col() {
        Some((file, line, column)) if file == source.name() => {
            error.at(source, context::byte_span(source, line, column), "").boxed()
        }
        Some((file, line, column)) => error
            .at(source, Span::default(), "")
            .note(format!("the operation came from {file}:{line}:{column}"))
            .boxed(),
        None => error.at(source, Span::default(), "").boxed(),
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        mlir!(mlirOperationDestroy(self.raw))
    }
}

impl std::fmt::Debug for Module<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print(PrintOptions::default()))
    }
}
