// Dialect tt: its enums, types and type constraints. Spelling follows Triton's textual IR.
#ifndef TK_TT_BASE
#define TK_TT_BASE

include "tt_enums.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let summary = "Block-level kernels before layouts are chosen";
  let cppNamespace = "::tk::tt";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::ub::UBDialect"
  ];
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

// Effects on memory are told apart by where the memory is.
def GlobalMemory : Resource<"::tk::tt::GlobalMemory">;
def SharedMemory : Resource<"::tk::tt::SharedMemory">;

// Triton 3.9 writes cache hints as one attribute; earlier versions as two enums. Both are read.
def TT_CachePolicy : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let parameters = (ins EnumParameter<TT_CacheModifier>:$cache_modifier,
                        EnumParameter<TT_EvictionPolicy>:$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

def TT_PointerType : TypeDef<TT_Dialect, "Pointer"> {
  let mnemonic = "ptr";
  let summary = "Pointer to elements; address space 1 is global memory";
  let parameters = (ins "::mlir::Type":$pointee, DefaultValuedParameter<"int", "1">:$addressSpace);
  let assemblyFormat = "`<` $pointee (`,` $addressSpace^)? `>`";
}

def TT_TensorDescType : TypeDef<TT_Dialect, "TensorDesc"> {
  let mnemonic = "tensordesc";
  let summary = "Descriptor of a tensor in global memory that is read and written in blocks";
  let parameters = (ins "::mlir::RankedTensorType":$block);
  let hasCustomAssemblyFormat = 1;
}

// Which axis or position: a number that is not negative.
def TT_Index : ConfinedAttr<I32Attr, [IntNonNegative]>;

def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16, F32, F64], "floating-point">;
def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor]>;
def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_BoolLike : AnyTypeOf<[I1, TT_BoolTensor]>;
def TT_Int : AnyTypeOf<[I1, I<4>, I8, I16, I32, I64], "integer">;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;
def TT_I64Like : AnyTypeOf<[I64, RankedTensorOf<[I64]>]>;
def TT_Ptr : DialectType<TT_Dialect, CPred<"::mlir::isa<::tk::tt::PointerType>($_self)">, "pointer",
                         "::tk::tt::PointerType">;
def TT_PtrTensor : RankedTensorOf<[TT_Ptr]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor]>;
def TT_FpIntTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Type : AnyTypeOf<[TT_FloatLike, TT_IntLike, TT_PtrLike]>;

// All operands and results that are tensors with a layout have the same one.
def SameEncoding : NativeOpTrait<"SameEncoding"> { let cppNamespace = "::tk::tt"; }

// `derived` has the type `expression` (of `$_self`) of `source`.
class Derived<string derived, string source, string expression>
    : TypesMatchWith<derived # " does not fit " # source, source, derived, expression>;

// The same for an optional operand that is there only when there are more than `index` operands.
class OptionalDerived<string derived, string source, string expression, int index>
    : TypesMatchWith<derived # " does not fit " # source, source, derived, expression,
                     "($_op.getNumOperands() <= " # index # ") || std::equal_to<>()">;

#endif
