//! What melior has not: every `unsafe` block of this crate, and all that it calls of mlir-sys and of `tk-dialect`'s C functions.
//!
//! Each function says why melior cannot do it. Those that others would want too are marked *upstream:* with what melior would
//! call them; they take and give melior's types, so that they can be offered as they stand.
//!
//! One condition holds for all of them. Handles are made from pointers that MLIR returned; their context outlives them, which is
//! what the lifetime `'c` says; and nobody uses a handle of IR that was erased. "Alive" below means that.
#![allow(unsafe_code, reason = "this file is the door to what melior has not")]

use crate::{Attribute, MemDesc, Type};
use melior::StringRef;
use melior::dialect::DialectRegistry;
use melior::ir::block::BlockArgument;
use melior::ir::operation::{OperationPrintingFlags, OperationRefMut, OperationResult};
use melior::ir::{
    self, AttributeLike, BlockLike, BlockRef, Identifier, Operation, OperationRef, RegionLike, RegionRef,
};
use melior::ir::{TypeLike, ValueLike};
use mlir_sys::{MlirAttribute, MlirOpOperand, MlirStringRef};
use std::mem::ManuallyDrop;
use tk_dialect::raw as tk;

/// Calls a function of MLIR's C API or of `tk-dialect`.
macro_rules! call {
    ($function:path, $($argument:expr),*) => {
        // SAFETY: the arguments are raw forms of handles that are alive, or point to text and lists that live until the call
        // returns; the function checks, or its caller here has checked, that the handles are of the kind it wants.
        unsafe { $function($($argument),*) }
    };
}

/// A handle of melior over a pointer that MLIR returned, `None` for null.
macro_rules! handle {
    ($melior:ty, $raw:expr) => {{
        let raw = $raw;
        // SAFETY: the pointer comes from MLIR and is null or belongs to something that is alive.
        unsafe { <$melior>::from_option_raw(raw) }
    }};
}

// ---- Handles that are copied freely ----
//
// melior tells what owns IR from what refers to it, and hands out references with the lifetime of their owner. Passes of tk hold
// handles across changes of the IR, as C++ does, so ownership is given up when something is made and taken back where melior
// wants to have it. The condition above is what melior's lifetimes would have checked.

/// The operation of a module, with the lifetime of the context: melior lends it for as long as the module is borrowed.
pub(crate) fn top_op<'c>(module: &ir::Module<'c>) -> OperationRef<'c, 'c> {
    // SAFETY: the operation is alive, and its module outlives its use.
    unsafe { OperationRef::from_raw(module.as_operation().to_raw()) }
}

/// A module for [`melior::pass::PassManager::run`], which wants a mutable one; modules of tk are changed through handles.
pub(crate) fn module_mut<'c>(module: &ir::Module<'c>) -> ManuallyDrop<ir::Module<'c>> {
    // SAFETY: the module is alive while it is borrowed, and `ManuallyDrop` leaves it to its owner.
    ManuallyDrop::new(unsafe { ir::Module::from_raw(module.to_raw()) })
}

/// The handle that melior changes an operation through. Upstream: `OperationRef::to_mut`.
pub(crate) fn op_mut<'c>(op: OperationRef<'c, 'c>) -> OperationRefMut<'c, 'c> {
    // SAFETY: the operation is alive; MLIR allows several mutable handles.
    unsafe { OperationRefMut::from_raw(op.to_raw()) }
}

/// A new operation that belongs to nobody until it is put into a block. Upstream: `Operation::leak`, like `Box::leak`.
pub(crate) fn lend_op(op: Operation<'_>) -> OperationRef<'_, '_> {
    // SAFETY: the operation is alive, and `into_raw` keeps it from being destroyed.
    unsafe { OperationRef::from_raw(op.into_raw()) }
}

/// The ownership of a detached operation, for melior's functions that put one into a block.
pub(crate) fn owned_op<'c>(op: OperationRef<'c, 'c>) -> Operation<'c> {
    // SAFETY: the operation is alive and in no block, and the caller gives the result to a block at once.
    unsafe { Operation::from_raw(op.to_raw()) }
}

/// A new block that belongs to nobody until it is put into a region. Upstream: `Block::leak`.
pub(crate) fn lend_block(block: ir::Block<'_>) -> BlockRef<'_, '_> {
    // SAFETY: the block is alive, and `into_raw` keeps it from being destroyed.
    unsafe { BlockRef::from_raw(block.into_raw()) }
}

/// The ownership of a block without a region, for melior's functions that put one into a region.
pub(crate) fn owned_block<'c>(block: BlockRef<'c, 'c>) -> ir::Block<'c> {
    // SAFETY: the block is alive and in no region, and the caller gives the result to a region at once.
    unsafe { ir::Block::from_raw(block.to_raw()) }
}

/// A new region that belongs to nobody until an operation is made of it. Upstream: `Region::leak`.
pub(crate) fn lend_region(region: ir::Region<'_>) -> RegionRef<'_, '_> {
    // SAFETY: the region is alive, and `into_raw` keeps it from being destroyed.
    unsafe { RegionRef::from_raw(region.into_raw()) }
}

/// The ownership of a region without an operation, for melior's builder. melior has no `Region::from_raw`.
pub(crate) fn owned_region<'c>(region: RegionRef<'c, 'c>) -> ir::Region<'c> {
    let lent: &ir::Region<'c> = &region;
    // SAFETY: a region is a pointer to what MLIR holds, so a copy of its bytes is the region; it is alive, nobody else owns
    // it, and the caller gives the result to an operation at once.
    unsafe { std::ptr::read(lent) }
}

/// The attribute at an address that [`Attribute::id`] gave, in the same context: tables of tk cannot hold borrowed handles.
pub(crate) fn attribute_at<'c>(address: usize) -> ir::Attribute<'c> {
    // SAFETY: attributes live as long as their context, which the caller holds.
    unsafe { ir::Attribute::from_raw(MlirAttribute { ptr: address as *const _ }) }
}

// ---- What melior has, at a price ----

/// The text of an identifier. melior lends it for as long as the identifier on the stack. Upstream: `Identifier::as_str`.
pub(crate) fn identifier<'c>(name: Identifier<'c>) -> &'c str {
    as_str(call!(mlir_sys::mlirIdentifierStr, name.to_raw()))
}

/// The text of a string or of a reference to a symbol. melior's `StringRef::as_str` panics when it is empty and cuts a null
/// byte at its end. Upstream: a correction of `StringRef::as_str`.
pub(crate) fn text(attribute: ir::Attribute<'_>) -> Option<&str> {
    let raw = attribute.to_raw();
    if attribute.is_string() {
        return Some(as_str(call!(mlir_sys::mlirStringAttrGetValue, raw)));
    }
    attribute.is_flat_symbol_ref().then(|| as_str(call!(mlir_sys::mlirFlatSymbolRefAttrGetValue, raw)))
}

/// Text that MLIR keeps as long as its context, up to the first byte that is no UTF-8.
fn as_str<'c>(text: MlirStringRef) -> &'c str {
    if text.length == 0 {
        return "";
    }
    // SAFETY: MLIR gives a pointer to `length` bytes, which live as long as their context.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length) };
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// An attribute of an operation by name. melior allocates an error when there is none, and passes ask for many that are not
/// there. Upstream: `OperationLike::attribute` could give an `Option`.
pub(crate) fn attribute<'c>(op: OperationRef<'c, 'c>, name: &str) -> Option<ir::Attribute<'c>> {
    let raw = call!(mlir_sys::mlirOperationGetAttributeByName, op.to_raw(), StringRef::new(name).to_raw());
    handle!(ir::Attribute, raw)
}

/// All attributes of an operation as a dictionary. melior, like the C API, gives one at a time, and for each of them MLIR makes
/// this dictionary anew. Upstream: `OperationLike::attribute_dictionary`, once the C API has it.
pub(crate) fn attributes<'c>(op: OperationRef<'c, 'c>) -> ir::Attribute<'c> {
    // SAFETY: the operation is alive; the dictionary lives as long as its context.
    unsafe { ir::Attribute::from_raw(tk::tkOperationGetAttributes(op.to_raw())) }
}

/// A value as a result. melior's conversion prints the value into an error when it is none. Upstream: `Value::as_result`.
pub(crate) fn as_result<'c>(value: ir::Value<'c, 'c>) -> Option<OperationResult<'c, 'c>> {
    // SAFETY: the value is alive and a result.
    value.is_operation_result().then(|| unsafe { OperationResult::from_raw(value.to_raw()) })
}

/// A value as an argument: its block and its index. melior's conversion prints the value into an error when it is none, and the
/// block it gives lives as long as the argument on the stack. Upstream: `Value::as_argument`.
pub(crate) fn as_argument<'c>(value: ir::Value<'c, 'c>) -> Option<(BlockRef<'c, 'c>, usize)> {
    if !value.is_block_argument() {
        return None;
    }
    // SAFETY: the value is alive and an argument, and so is its block.
    unsafe {
        let argument = BlockArgument::from_raw(value.to_raw());
        Some((BlockRef::from_raw(argument.owner().to_raw()), argument.argument_number()))
    }
}

/// Removes an argument of a block that has no uses, which melior cannot know.
pub(crate) fn erase_argument(block: BlockRef<'_, '_>, index: usize) {
    // SAFETY: the caller has checked that the argument exists and has no uses.
    unsafe { block.erase_argument(index) }
}

/// Sizes as melior's tensor types take them.
pub(crate) fn sizes(shape: &[i64]) -> &[u64] {
    // SAFETY: both are integers of 64 bits.
    unsafe { std::slice::from_raw_parts(shape.as_ptr().cast(), shape.len()) }
}

/// Sizes of a tensor or memory descriptor; empty for anything else. melior asks MLIR three times for each of them, and knows
/// no memory descriptors. Upstream: `ShapedTypeLike::shape`, once the C API has it.
pub(crate) fn shape(ty: ir::Type<'_>) -> &[i64] {
    let mut rank = 0;
    let sizes = call!(tk::tkTypeGetShape, ty.to_raw(), &raw mut rank);
    if rank == 0 {
        return &[];
    }
    // SAFETY: MLIR keeps `rank` sizes with the type, which lives as long as its context.
    unsafe { std::slice::from_raw_parts(sizes, rank) }
}

// ---- What MLIR's C API has, and melior has not ----

/// No attribute, where melior wants one. Upstream: `Location::fused` could take an `Option`.
pub(crate) fn no_attribute<'c>() -> ir::Attribute<'c> {
    // SAFETY: the function that this is for takes null.
    unsafe { ir::Attribute::from_raw(MlirAttribute { ptr: std::ptr::null() }) }
}

/// A use of a value: an operand of an operation. Upstream, as it stands: melior notes that `MlirOpOperand` is not wrapped.
#[derive(Clone, Copy)]
pub(crate) struct Use<'c> {
    raw: MlirOpOperand,
    value: ir::Value<'c, 'c>,
}

impl<'c> Use<'c> {
    fn new(raw: MlirOpOperand, value: ir::Value<'c, 'c>) -> Option<Self> {
        (!raw.ptr.is_null()).then_some(Self { raw, value })
    }

    /// The operation.
    pub(crate) fn owner(self) -> OperationRef<'c, 'c> {
        // SAFETY: an operation that uses a value is alive as long as the use is.
        unsafe { OperationRef::from_raw(mlir_sys::mlirOpOperandGetOwner(self.raw)) }
    }

    /// Which of its operands.
    pub(crate) fn operand_number(self) -> usize {
        call!(mlir_sys::mlirOpOperandGetOperandNumber, self.raw) as usize
    }

    fn next(&self) -> Option<Self> {
        Self::new(call!(mlir_sys::mlirOpOperandGetNextUse, self.raw), self.value)
    }
}

/// The uses of a value, newest first. Upstream: `ValueLike::uses`.
pub(crate) fn uses<'c>(value: ir::Value<'c, 'c>) -> impl Iterator<Item = Use<'c>> {
    let first = call!(mlir_sys::mlirValueGetFirstUse, value.to_raw());
    std::iter::successors(Use::new(first, value), Use::next)
}

/// Every use of `value` becomes one of `other`. melior does it through a rewriter only. Upstream: `ValueLike::replace_all_uses_with`.
pub(crate) fn replace_all_uses(value: ir::Value<'_, '_>, other: ir::Value<'_, '_>) {
    call!(mlir_sys::mlirValueReplaceAllUsesOfWith, value.to_raw(), other.to_raw())
}

/// Moves the blocks of `source` into `region`, whose own are destroyed. Upstream: `RegionLike::take_body`.
pub(crate) fn take_body(region: RegionRef<'_, '_>, source: RegionRef<'_, '_>) {
    call!(mlir_sys::mlirRegionTakeBody, region.to_raw(), source.to_raw())
}

/// The flags of `array<i1: …>`. Upstream: `DenseBoolArrayAttribute`, beside those of other integers.
pub(crate) fn flags(attribute: ir::Attribute<'_>) -> impl Iterator<Item = bool> {
    let raw = attribute.to_raw();
    let count = if attribute.is_dense_bool_array() { call!(mlir_sys::mlirDenseArrayGetNumElements, raw) } else { 0 };
    (0..count).map(move |index| call!(mlir_sys::mlirDenseBoolArrayGetElement, raw, index))
}

/// Prints an operation without what is in its regions. Upstream: `OperationPrintingFlags::skip_regions`.
pub(crate) fn skip_regions(flags: &OperationPrintingFlags) {
    call!(mlir_sys::mlirOpPrintingFlagsSkipRegions, flags.to_raw())
}

/// Prints values with the names in their locations. Upstream: `OperationPrintingFlags::print_name_locations_as_prefix`.
pub(crate) fn name_values_by_location(flags: &OperationPrintingFlags) {
    call!(mlir_sys::mlirOpPrintingFlagsPrintNameLocAsPrefix, flags.to_raw())
}

// ---- What MLIR's C API has not: functions of tk-dialect about operations and attributes ----

/// Registers the dialects that tk uses. melior has handles for some of MLIR's, and none for `math`, `ub` and tk's own.
pub(crate) fn register_dialects(registry: &DialectRegistry) {
    call!(tk::tkRegisterDialects, registry.to_raw())
}

/// Parses a module. melior's function takes no name of the file and ends at a null byte; functions without a module around them
/// get one. `None` after a diagnostic.
pub(crate) fn parse_module<'c>(context: &'c melior::Context, text: &str, name: &str) -> Option<ir::Module<'c>> {
    let (text, name) = (StringRef::new(text).to_raw(), StringRef::new(name).to_raw());
    handle!(Operation, call!(tk::tkParseModule, context.to_raw(), text, name)).and_then(ir::Module::from_operation)
}

/// The operation before this one in its block. A `todo!` in melior, because the C API has no such function.
pub(crate) fn previous<'c>(op: OperationRef<'c, 'c>) -> Option<OperationRef<'c, 'c>> {
    handle!(OperationRef, call!(tk::tkOperationPrevious, op.to_raw()))
}

/// Destroys an operation in a block with all that is in it, and before that every use of its results and of what is in it.
pub(crate) fn erase(op: OperationRef<'_, '_>) {
    call!(tk::tkOperationErase, op.to_raw())
}

/// A hash of all that verifiers look at, in and inside an operation. A walk from here asks for ten things of each operation, and each through C; this is one
/// call, which makes no list.
pub(crate) fn fingerprint(op: OperationRef<'_, '_>) -> u64 {
    call!(tk::tkOperationFingerprint, op.to_raw())
}

/// No side effects, and speculatable.
pub(crate) fn is_pure(op: OperationRef<'_, '_>) -> bool {
    call!(tk::tkOperationIsPure, op.to_raw())
}

/// No side effects.
pub(crate) fn is_memory_effect_free(op: OperationRef<'_, '_>) -> bool {
    call!(tk::tkOperationIsMemoryEffectFree, op.to_raw())
}

/// Ends a block.
pub(crate) fn is_terminator(op: OperationRef<'_, '_>) -> bool {
    call!(tk::tkOperationIsTerminator, op.to_raw())
}

/// One element of a dense elements attribute as a scalar attribute. melior's and MLIR's functions are one for each width.
pub(crate) fn dense_element<'c>(attribute: ir::Attribute<'c>, index: usize) -> Option<ir::Attribute<'c>> {
    handle!(ir::Attribute, call!(tk::tkDenseElementsGet, attribute.to_raw(), index as isize))
}

// ---- The types of tt and ttg ----

/// A type over a pointer that `tk-dialect` returned.
macro_rules! dialect_type {
    ($function:path, $($argument:expr),*) => {
        // SAFETY: as in `call!`; types live as long as their context.
        unsafe { ir::Type::from_raw($function($($argument),*)) }
    };
}

/// `!tt.ptr<pointee, address_space>`.
pub(crate) fn pointer_type(pointee: ir::Type<'_>, address_space: u32) -> ir::Type<'_> {
    dialect_type!(tk::tkPointerTypeGet, pointee.to_raw(), address_space)
}

/// It is a `!tt.ptr`.
pub(crate) fn is_pointer(ty: ir::Type<'_>) -> bool {
    call!(tk::tkTypeIsPointer, ty.to_raw())
}

/// Pointee and address space of a `!tt.ptr`.
pub(crate) fn pointer_parts(ty: ir::Type<'_>) -> Option<(ir::Type<'_>, u32)> {
    is_pointer(ty).then(|| {
        let pointee = dialect_type!(tk::tkPointerTypeGetPointee, ty.to_raw());
        (pointee, call!(tk::tkPointerTypeGetAddressSpace, ty.to_raw()))
    })
}

/// `!tt.tensordesc` of a ranked tensor.
pub(crate) fn tensor_desc_type(block: ir::Type<'_>) -> ir::Type<'_> {
    assert!(block.is_ranked_tensor(), "a descriptor is of a tensor, not of {block}");
    dialect_type!(tk::tkTensorDescTypeGet, block.to_raw())
}

/// The tensor of a `!tt.tensordesc`.
pub(crate) fn tensor_desc_block(ty: ir::Type<'_>) -> Option<ir::Type<'_>> {
    let is = call!(tk::tkTypeIsTensorDesc, ty.to_raw());
    is.then(|| dialect_type!(tk::tkTensorDescTypeGetBlock, ty.to_raw()))
}

/// `!ttg.async.token`.
pub(crate) fn token_type(context: &melior::Context) -> ir::Type<'_> {
    dialect_type!(tk::tkAsyncTokenTypeGet, context.to_raw())
}

/// It is `!ttg.async.token`.
pub(crate) fn is_token(ty: ir::Type<'_>) -> bool {
    call!(tk::tkTypeIsAsyncToken, ty.to_raw())
}

/// It is a `!ttg.memdesc`.
pub(crate) fn is_memdesc(ty: ir::Type<'_>) -> bool {
    call!(tk::tkTypeIsMemDesc, ty.to_raw())
}

/// `!ttg.memdesc` of its parts.
pub(crate) fn memdesc_type<'c>(parts: &MemDesc<'c>) -> ir::Type<'c> {
    let (shape, alloc) = (&parts.shape, &parts.alloc_shape);
    let (element, encoding) = (parts.element.melior.to_raw(), parts.encoding.melior.to_raw());
    let space = parts.memory_space.melior.to_raw();
    dialect_type!(
        tk::tkMemDescTypeGet,
        shape.len() as isize,
        shape.as_ptr(),
        element,
        encoding,
        space,
        parts.mutable,
        alloc.len() as isize,
        alloc.as_ptr()
    )
}

/// The layout of a `!ttg.memdesc`; `None` for another type.
pub(crate) fn memdesc_encoding(ty: ir::Type<'_>) -> Option<ir::Attribute<'_>> {
    is_memdesc(ty).then(|| handle!(ir::Attribute, call!(tk::tkMemDescTypeGetEncoding, ty.to_raw())))?
}

/// The parts of a type that is a `!ttg.memdesc`.
pub(crate) fn memdesc_parts(ty: Type<'_>) -> MemDesc<'_> {
    assert!(is_memdesc(ty.melior), "{ty} is no memory descriptor");
    let (raw, context) = (ty.melior.to_raw(), ty.context);
    let sizes = 0..call!(tk::tkMemDescTypeGetAllocRank, raw);
    // SAFETY: attributes of a type live as long as the context.
    let attribute = |raw: MlirAttribute| Attribute::new(unsafe { ir::Attribute::from_raw(raw) }, context);
    MemDesc {
        shape: shape(ty.melior).to_vec(),
        element: Type::new(dialect_type!(mlir_sys::mlirShapedTypeGetElementType, raw), context),
        encoding: attribute(call!(tk::tkMemDescTypeGetEncoding, raw)),
        memory_space: attribute(call!(tk::tkMemDescTypeGetMemorySpace, raw)),
        mutable: call!(tk::tkMemDescTypeIsMutable, raw),
        alloc_shape: sizes.map(|dim| call!(tk::tkMemDescTypeGetAllocDim, raw, dim)).collect(),
    }
}
