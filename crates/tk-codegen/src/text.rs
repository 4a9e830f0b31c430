//! LLVM IR as text: code generation goes on from it.

use crate::launch_bounds::{self, Room};
use crate::machine::{self, Machine};
use crate::{CodegenContext, Generated, library, touches_dot_in_flight};
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use std::time::Instant;
use tk_diag::{BAD_IR, Diagnostic, LineColumn, Result, SourceFile, Span};
use tk_image::KernelImage;

/// LLVM IR of one kernel.
#[derive(Clone, Debug)]
pub struct LlvmText<'a> {
    /// The text.
    pub source: &'a SourceFile,
    /// LLVM's passes have run.
    pub is_optimised: bool,
    /// What is known of the kernel besides.
    pub image: KernelImage,
}

/// Compiles LLVM IR to PTX.
///
/// # Errors
/// What LLVM says against the text.
pub fn resume(text: LlvmText<'_>, context: &CodegenContext) -> Result<Generated> {
    tk_ir::check_nesting(text.source)?;
    let start = Instant::now();
    let llvm = Context::create();
    let machine = Machine::new(&context.target)?;
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.source.text().as_bytes(), "tk");
    let module = llvm.create_module_from_ir(buffer).map_err(|why| unreadable(&why.to_string(), text.source))?;
    machine.describe(&module);
    let wrong = |why: String| {
        let message = format!("this LLVM IR is not well formed: {}", why.lines().next().unwrap_or_default());
        Diagnostic::error(BAD_IR, message).at(text.source, Span::default(), "").boxed()
    };
    module.verify().map_err(|why| wrong(why.to_string()))?;
    library::link(&module, &llvm, &machine, context.options.libdevice.as_deref())?;
    let read = start.elapsed();
    let llvm_ir_before = context.keep_llvm_ir.then(|| module.print_to_string().to_string());
    let start = Instant::now();
    if !text.is_optimised {
        // As a module is asked ([`crate::has_products`]), of which there is only the text.
        let has_products = ["mma.sync", "wgmma."].iter().any(|name| text.source.text().contains(name));
        machine.optimise(&module, has_products)?;
    }
    let optimised = start.elapsed();
    let llvm_ir = context.keep_llvm_ir.then(|| module.print_to_string().to_string());
    let start = Instant::now();
    let mut image = text.image;
    let room = Room::of(context, image.num_warps, image.shared_bytes);
    let ptx = crate::rewritten(machine.ptx(&module)?, context);
    let ptx = launch_bounds::with_chosen_ctas(ptx, &room);
    image.resources.instructions = machine::count_instructions(&ptx);
    image.ptx = ptx;
    if touches_dot_in_flight(&image.ptx) {
        return Err(wrong("an instruction uses registers of a product that may still run".to_string()));
    }
    let timings = vec![("emit-llvm", read), ("llvm", optimised), ("ptx", start.elapsed())];
    Ok(Generated { llvm_ir_before, llvm_ir, image, timings, touches_dot_in_flight: false })
}

/// What LLVM's parser says: `tk:12:3: error: expected type`, and the line with a mark.
fn unreadable(message: &str, source: &SourceFile) -> Box<Diagnostic> {
    let mut parts = message.lines().next().unwrap_or_default().splitn(4, ':').map(str::trim);
    let mut number = || parts.nth(1).and_then(|text| text.parse().ok());
    let line = number();
    let column = parts.next().and_then(|text| text.parse().ok());
    let what = parts.next().map(|what| what.trim_start_matches("error:").trim()).unwrap_or(message);
    let at = line.zip(column).map_or(0, |(line, column)| source.offset(LineColumn { line, column })) as usize;
    let text = source.text();
    let mut start = at.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let width = text[start..].chars().next().map_or(0, char::len_utf8);
    Diagnostic::error(BAD_IR, what).at(source, Span::new(start, start + width), "").boxed()
}
