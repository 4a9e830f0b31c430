//! The few calls of LLVM's C API that inkwell does not offer safely: byte offsets, and a compile unit for line directives only;
//! and two of its C++ interface, from `cpp/`, for functions that are long.
//!
//! `DebugDirectivesOnly` makes LLVM print `.file` and `.loc` and nothing else. The two kinds that inkwell knows add DWARF sections
//! and the `debug` target option, with which ptxas drops optimisation.
#![allow(unsafe_code, reason = "the door to LLVM's C API")]

use inkwell::builder::{Builder, BuilderError};
use inkwell::context::{AsContextRef, Context};
use inkwell::llvm_sys::core::{
    LLVMGetModuleContext, LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMMetadataAsValue,
    LLVMSetCurrentDebugLocation2, LLVMSetMetadata,
};
use inkwell::llvm_sys::debuginfo::*;
use inkwell::llvm_sys::prelude::{LLVMBool, LLVMContextRef, LLVMDIBuilderRef, LLVMMetadataRef, LLVMModuleRef};
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::module::Module;
use inkwell::types::IntType;
use inkwell::values::{AsValueRef, FunctionValue, InstructionValue, IntValue, PointerValue};
use std::ffi::{CStr, c_char, c_uint};

/// `DICompileUnit::DebugDirectivesOnly`, which has no name in the C API.
const DEBUG_DIRECTIVES_ONLY: c_uint = 3;

unsafe extern "C" {
    /// The C API's function with the emission kind as the number it is cast to, so that kinds without a C name can be given.
    #[link_name = "LLVMDIBuilderCreateCompileUnit"]
    fn create_compile_unit(
        builder: LLVMDIBuilderRef,
        language: c_uint,
        file: LLVMMetadataRef,
        producer: *const c_char,
        producer_length: usize,
        optimised: LLVMBool,
        flags: *const c_char,
        flags_length: usize,
        runtime_version: c_uint,
        split_name: *const c_char,
        split_name_length: usize,
        kind: c_uint,
        dwo_id: c_uint,
        split_inlining: LLVMBool,
        for_profiling: LLVMBool,
        sysroot: *const c_char,
        sysroot_length: usize,
        sdk: *const c_char,
        sdk_length: usize,
    ) -> LLVMMetadataRef;
}

unsafe extern "C" {
    fn tkSkipPasses(context: LLVMContextRef, preparation_too: LLVMBool);
    fn tkSplitBlocks(module: LLVMModuleRef, most: c_uint);
}

/// Keeps straight-line strength reduction, and if `preparation_too` the preparation for instruction selection, from running on
/// modules of this one's context. LLVM's own option for that concerns the whole process.
pub(crate) fn skip_passes(module: &Module<'_>, preparation_too: bool) {
    // SAFETY: module and context are alive, and what the context is told to ask lives as long as the process.
    unsafe { tkSkipPasses(LLVMGetModuleContext(module.as_mut_ptr()), preparation_too.into()) }
}

/// Cuts blocks of more than `most` instructions, phis and the last one not counted, into several that follow each other.
pub(crate) fn split_blocks(module: &Module<'_>, most: u32) {
    // SAFETY: the module is alive, and no builder stands in its blocks any more.
    unsafe { tkSplitBlocks(module.as_mut_ptr(), most) }
}

/// Sets an option of LLVM's that has no other door, such as `-nvptx-short-ptr`; once per process.
pub(crate) fn set_llvm_options(options: &[&CStr]) {
    let mut arguments = vec![c"tk".as_ptr()];
    arguments.extend(options.iter().map(|option| option.as_ptr()));
    // SAFETY: the strings live until the call returns, which copies what it needs; there are as many as the count says.
    unsafe { LLVMParseCommandLineOptions(arguments.len() as i32, arguments.as_ptr(), std::ptr::null()) }
}

/// `pointer` moved by `bytes`.
pub(super) fn byte_offset<'l>(
    builder: &Builder<'l>,
    byte: IntType<'l>,
    pointer: PointerValue<'l>,
    bytes: IntValue<'l>,
) -> Result<PointerValue<'l>, BuilderError> {
    // SAFETY: the source element type is `i8` and there is one index, which is what an instruction of this form takes.
    unsafe { builder.build_gep(byte, pointer, &[bytes], "") }
}

/// Marks the branch back to the start of a loop with what LLVM and ptxas are asked to leave as it is, by LLVM's names.
pub(super) fn mark_loop(context: &Context, branch: InstructionValue<'_>, names: &[&str]) {
    let kind = context.get_kind_id("llvm.loop");
    let context = context.as_ctx_ref();
    // SAFETY: context and branch are alive, and strings are passed with their lengths and copied. The first operand of a loop's mark is the
    // mark itself: it is made with a node that holds its place, which is gone once it is replaced.
    unsafe {
        let place = LLVMTemporaryMDNode(context, std::ptr::null_mut(), 0);
        let mut operands = vec![place];
        for name in names {
            let name = LLVMMDStringInContext2(context, name.as_ptr().cast(), name.len());
            operands.push(LLVMMDNodeInContext2(context, [name].as_mut_ptr(), 1));
        }
        let mark = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
        LLVMMetadataReplaceAllUsesWith(place, mark);
        LLVMSetMetadata(branch.as_value_ref(), kind, LLVMMetadataAsValue(context, mark));
    }
}

/// A debug location or scope; lives as long as its LLVM context.
#[derive(Clone, Copy)]
pub(super) struct DebugNode(LLVMMetadataRef);

/// Makes the line information of one function.
pub(super) struct LineTable<'l> {
    context: &'l Context,
    builder: LLVMDIBuilderRef,
    function: DebugNode,
}

impl<'l> LineTable<'l> {
    /// Line information for `function` of `module`, which starts at `line` of `file`.
    pub(super) fn new(
        context: &'l Context,
        module: &Module<'l>,
        function: FunctionValue<'l>,
        file: &str,
        line: u32,
    ) -> Self {
        let name = function.get_name().to_bytes().to_vec();
        let (null, producer, c99) = (std::ptr::null(), b"tk", 12 - 1);
        // SAFETY: the module is alive; every string is passed with its length and copied; metadata lives in the context.
        unsafe {
            let builder = LLVMCreateDIBuilder(module.as_mut_ptr());
            let file_node = file_node(builder, file);
            let unit = create_compile_unit(
                builder,
                c99,
                file_node,
                producer.as_ptr().cast(),
                producer.len(),
                1,
                null,
                0,
                0,
                null,
                0,
                DEBUG_DIRECTIVES_ONLY,
                0,
                0,
                0,
                null,
                0,
                null,
                0,
            );
            let ty = LLVMDIBuilderCreateSubroutineType(builder, file_node, std::ptr::null_mut(), 0, 0);
            let (text, length) = (name.as_ptr().cast(), name.len());
            let program = LLVMDIBuilderCreateFunction(
                builder, unit, text, length, text, length, file_node, line, ty, 0, 1, line, 0, 1,
            );
            LLVMSetSubprogram(function.as_value_ref(), program);
            Self { context, builder, function: DebugNode(program) }
        }
    }

    /// The scope for places of the function that lie in another file.
    pub(super) fn scope_in(&self, file: &str) -> DebugNode {
        // SAFETY: builder and function scope are alive; the string is copied.
        unsafe {
            let file = file_node(self.builder, file);
            DebugNode(LLVMDIBuilderCreateLexicalBlockFile(self.builder, self.function.0, file, 0))
        }
    }

    /// The scope of the function's own file.
    pub(super) fn function_scope(&self) -> DebugNode {
        self.function
    }

    /// A place in a scope.
    pub(super) fn location(&self, scope: DebugNode, line: u32, column: u32) -> DebugNode {
        let context = self.context.as_ctx_ref();
        // SAFETY: context and scope are alive.
        DebugNode(unsafe { LLVMDIBuilderCreateDebugLocation(context, line, column, scope.0, std::ptr::null_mut()) })
    }

    /// Instructions built from now on carry `location`.
    pub(super) fn apply(&self, builder: &Builder<'l>, location: DebugNode) {
        // SAFETY: both are alive.
        unsafe { LLVMSetCurrentDebugLocation2(builder.as_mut_ptr(), location.0) }
    }
}

/// # Safety
/// `builder` is alive.
unsafe fn file_node(builder: LLVMDIBuilderRef, path: &str) -> LLVMMetadataRef {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    // SAFETY: strings are passed with their lengths and copied.
    unsafe {
        LLVMDIBuilderCreateFile(builder, name.as_ptr().cast(), name.len(), directory.as_ptr().cast(), directory.len())
    }
}

impl Drop for LineTable<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `LLVMCreateDIBuilder` and disposed of once, after being finalised.
        unsafe {
            LLVMDIBuilderFinalize(self.builder);
            LLVMDisposeDIBuilder(self.builder);
        }
    }
}
