// Dialect ttg: layouts and types of a kernel whose tensors are distributed over the threads of a CTA.
//
// A layout keeps its fields as written (lists as array attributes); tk-layout reads and writes their text. The fields that split a
// tensor over the CTAs of a cluster are kept when present.
#ifndef TK_TTG_BASE
#define TK_TTG_BASE

include "tt_base.td"
include "ttg_enums.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let summary = "Kernels whose tensors have layouts";
  let cppNamespace = "::tk::ttg";
  let dependentDialects = ["::tk::tt::TTDialect", "::mlir::gpu::GPUDialect"];
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

class TTG_Attr<string name, string word> : AttrDef<TTG_Dialect, name> { let mnemonic = word; }

def Ints : AttrParameter<"::mlir::ArrayAttr", "list of integers">;
def OptionalInts : OptionalParameter<"::mlir::ArrayAttr", "list of integers">;

// A layout with named fields; the ones about clusters come last and are optional.
class TTG_Layout<string name, string word, dag fields> : TTG_Attr<name, word> {
  let parameters = !con(fields, (ins OptionalInts:$CTAsPerCGA, OptionalInts:$CTASplitNum, OptionalInts:$CTAOrder,
                                     OptionalInts:$CGALayout));
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
}

def TTG_Blocked : TTG_Layout<"BlockedEncoding", "blocked",
  (ins Ints:$sizePerThread, Ints:$threadsPerWarp, Ints:$warpsPerCTA, Ints:$order)>;
def TTG_NvidiaMma : TTG_Layout<"NvidiaMmaEncoding", "nvidia_mma",
  (ins "unsigned":$versionMajor, "unsigned":$versionMinor, Ints:$warpsPerCTA, OptionalInts:$instrShape)>;
def TTG_SwizzledShared : TTG_Layout<"SwizzledSharedEncoding", "swizzled_shared",
  (ins "unsigned":$vec, "unsigned":$perPhase, "unsigned":$maxPhase, Ints:$order)>;
def TTG_NvmmaShared : TTG_Layout<"NVMMASharedEncoding", "nvmma_shared",
  (ins "unsigned":$swizzlingByteWidth, "bool":$transposed, "unsigned":$elementBitWidth,
       DefaultValuedParameter<"bool", "false">:$fp4Padded, DefaultValuedParameter<"unsigned", "2">:$rank)>;

def TTG_Slice : TTG_Attr<"SliceEncoding", "slice"> {
  let parameters = (ins "unsigned":$dim, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
}
def TTG_DotOperand : TTG_Attr<"DotOperandEncoding", "dot_op"> {
  let parameters = (ins "unsigned":$opIdx, "::mlir::Attribute":$parent, DefaultValuedParameter<"unsigned", "0">:$kWidth);
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
}
def TTG_Linear : TTG_Attr<"LinearEncoding", "linear"> {
  // `register` is a word of C++, so the fields are read and written by hand.
  let parameters = (ins Ints:$reg, Ints:$lane, Ints:$warp, Ints:$block);
  let assemblyFormat = "`<` `{` custom<Bases>($reg, $lane, $warp, $block) `}` `>`";
}
def TTG_SharedLinear : TTG_Attr<"SharedLinearEncoding", "shared_linear"> {
  let parameters = (ins Ints:$offset, OptionalInts:$block, "unsigned":$alignment);
  let assemblyFormat = "`<` `{` struct($offset, $block) `}` `,` `alignment` `=` $alignment `>`";
}
def TTG_PaddedShared : TTG_Attr<"PaddedSharedEncoding", "padded_shared"> {
  let parameters = (ins Ints:$paddings, OptionalInts:$order, OptionalInts:$shape, OptionalInts:$offset, OptionalInts:$block,
                        OptionalInts:$CGALayout);
  let assemblyFormat = [{
    `<` `[` custom<Paddings>($paddings) `]` `{` struct($order, $shape, $offset, $block, $CGALayout) `}` `>`
  }];
}
def TTG_SharedMemorySpace : TTG_Attr<"SharedMemorySpace", "shared_memory">;

def TTG_AsyncToken : TypeDef<TTG_Dialect, "AsyncToken"> {
  let mnemonic = "async.token";
  let summary = "Orders asynchronous copies and those who wait for them";
}
def TTG_MemDescType : TypeDef<TTG_Dialect, "MemDesc", [ShapedTypeInterface]> {
  let mnemonic = "memdesc";
  let summary = "View of a buffer in shared memory";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "::mlir::Attribute":$encoding,
                        "::mlir::Attribute":$memorySpace, "bool":$mutableMemory, ArrayRefParameter<"int64_t">:$allocShape);
  let extraClassDeclaration = [{
    MemDescType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const {
      return get(getContext(), shape.value_or(getShape()), elementType, getEncoding(), getMemorySpace(),
                 getMutableMemory(), shape.value_or(getAllocShape()));
    }
    bool hasRank() const { return true; }
  }];
  let hasCustomAssemblyFormat = 1;
}
def TTG_TensorOrMemDesc : AnyTypeOf<[AnyRankedTensor, TTG_MemDescType]>;

#endif
