//! The C functions of `cpp/`, for `ffi.rs` of tk-ir.
#![allow(unsafe_code, reason = "this file declares foreign functions")]

use mlir_sys::{MlirAttribute, MlirContext, MlirDialectRegistry, MlirOperation, MlirStringRef, MlirType};

unsafe extern "C" {
    /// Registers the dialects that tk uses, and MLIR's own passes by name.
    pub fn tkRegisterDialects(registry: MlirDialectRegistry);

    /// Parses a module (functions without one are put into one); null and diagnostics on failure.
    pub fn tkParseModule(context: MlirContext, text: MlirStringRef, name: MlirStringRef) -> MlirOperation;

    /// The operation before this one in its block, or null.
    pub fn tkOperationPrevious(op: MlirOperation) -> MlirOperation;
    /// Drops the uses of the results and everything inside, then destroys the operation.
    pub fn tkOperationErase(op: MlirOperation);
    /// A hash of all that verifiers look at, in and inside the operation.
    pub fn tkOperationFingerprint(op: MlirOperation) -> u64;
    /// All attributes, inherent ones too, as a dictionary.
    pub fn tkOperationGetAttributes(op: MlirOperation) -> MlirAttribute;
    /// No side effects, and speculatable.
    pub fn tkOperationIsPure(op: MlirOperation) -> bool;
    /// No side effects.
    pub fn tkOperationIsMemoryEffectFree(op: MlirOperation) -> bool;
    /// Has the terminator trait.
    pub fn tkOperationIsTerminator(op: MlirOperation) -> bool;

    /// Element of a dense elements attribute as a scalar attribute; null when there is none.
    pub fn tkDenseElementsGet(attribute: MlirAttribute, index: isize) -> MlirAttribute;

    /// Sizes of a ranked tensor or a `!ttg.memdesc` and their number; 0 for other types.
    pub fn tkTypeGetShape(ty: MlirType, rank: *mut usize) -> *const i64;

    /// `!tt.ptr`.
    pub fn tkPointerTypeGet(pointee: MlirType, address_space: u32) -> MlirType;
    /// Is it `!tt.ptr`?
    pub fn tkTypeIsPointer(ty: MlirType) -> bool;
    /// Pointee of a `!tt.ptr`.
    pub fn tkPointerTypeGetPointee(ty: MlirType) -> MlirType;
    /// Address space of a `!tt.ptr`.
    pub fn tkPointerTypeGetAddressSpace(ty: MlirType) -> u32;

    /// `!tt.tensordesc` of a ranked tensor type.
    pub fn tkTensorDescTypeGet(block: MlirType) -> MlirType;
    /// Is it `!tt.tensordesc`?
    pub fn tkTypeIsTensorDesc(ty: MlirType) -> bool;
    /// The ranked tensor type of a `!tt.tensordesc`.
    pub fn tkTensorDescTypeGetBlock(ty: MlirType) -> MlirType;

    /// `!ttg.memdesc`.
    pub fn tkMemDescTypeGet(
        rank: isize,
        shape: *const i64,
        element: MlirType,
        encoding: MlirAttribute,
        memory_space: MlirAttribute,
        mutable_memory: bool,
        alloc_rank: isize,
        alloc_shape: *const i64,
    ) -> MlirType;
    /// Is it `!ttg.memdesc`?
    pub fn tkTypeIsMemDesc(ty: MlirType) -> bool;
    /// Layout of a `!ttg.memdesc`.
    pub fn tkMemDescTypeGetEncoding(ty: MlirType) -> MlirAttribute;
    /// Memory space of a `!ttg.memdesc`.
    pub fn tkMemDescTypeGetMemorySpace(ty: MlirType) -> MlirAttribute;
    /// Mutability of a `!ttg.memdesc`.
    pub fn tkMemDescTypeIsMutable(ty: MlirType) -> bool;
    /// Rank of the allocation of a `!ttg.memdesc`.
    pub fn tkMemDescTypeGetAllocRank(ty: MlirType) -> isize;
    /// Size of the allocation of a `!ttg.memdesc` along a dimension.
    pub fn tkMemDescTypeGetAllocDim(ty: MlirType, dim: isize) -> i64;

    /// `!ttg.async.token`.
    pub fn tkAsyncTokenTypeGet(context: MlirContext) -> MlirType;
    /// Is it `!ttg.async.token`?
    pub fn tkTypeIsAsyncToken(ty: MlirType) -> bool;
}
