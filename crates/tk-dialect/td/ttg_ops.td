// Dialect ttg: operations.
#ifndef TK_TTG_OPS
#define TK_TTG_OPS

include "ttg_base.td"

class TTG_Op<string mnemonic, list<Trait> traits = []> : Op<TTG_Dialect, mnemonic, traits>;

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout",
      [Pure, SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let summary = "The same tensor in another layout";
  let arguments = (ins TT_Tensor:$src, UnitAttr:$force_warp_shuffle);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

// ---- Shared memory ----

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Allocates shared memory, with a tensor in it or empty";
  let arguments = (ins Arg<Optional<TT_Tensor>, "The tensor it starts with; uninitialised when there is none">:$src,
    Arg<OptionalAttr<I32Attr>, "Bytes of which its address is a multiple, when that was asked for">:$alignment);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
}
def TTG_LocalDeallocOp : TTG_Op<"local_dealloc"> {
  let summary = "Ends the life of shared memory";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemFree<SharedMemory>]>:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}
def TTG_LocalLoadOp : TTG_Op<"local_load"> {
  let summary = "Loads a tensor from shared memory";
  let arguments = (ins Arg<TTG_MemDescType, "The memory", [MemRead<SharedMemory>]>:$src,
    Arg<Optional<TTG_AsyncToken>, "The asynchronous copy it waits for">:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)";
}
def TTG_LocalStoreOp : TTG_Op<"local_store"> {
  let summary = "Stores a tensor in shared memory";
  let arguments = (ins Arg<TT_Tensor, "The tensor">:$src,
    Arg<TTG_MemDescType, "The memory", [MemWrite<SharedMemory>]>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
}
def TTG_LocalGatherOp : TTG_Op<"local_gather"> {
  let summary = "Loads elements of shared memory by index along an axis";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src, TT_IntTensor:$indices, TT_Index:$axis,
                       Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` (`token` $token^)? attr-dict `:` qualified(type($src)) `,` type($indices) `->` type($result)
  }];
}
def TTG_LocalScatterOp : TTG_Op<"local_scatter"> {
  let summary = "Stores elements of shared memory by index along an axis";
  let arguments = (ins Arg<TTG_MemDescType, "", [MemWrite<SharedMemory>]>:$dst, TT_Tensor:$values, TT_IntTensor:$indices,
                       TT_Index:$axis, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict
    `:` qualified(type($dst)) `,` type($indices) `,` type($values)
  }];
}
def TTG_LocalAtomicScatterRmwOp : TTG_Op<"local_atomic_scatter_rmw", [Derived<"result", "values", "$_self">,
      OptionalDerived<"mask", "values", "::tk::tt::boolLike($_self)", 3>]> {
  let summary = "Changes elements of shared memory by index along an axis, each in one step";
  let arguments = (ins TT_RmwOp:$atomic_rmw_op,
    Arg<TTG_MemDescType, "", [MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$dst, TT_Tensor:$values,
    TT_IntTensor:$indices, Optional<TT_BoolTensor>:$mask, TT_Index:$axis);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $dst `[` $indices `]` `,` $values (`,` $mask^)? attr-dict `:` functional-type(operands, results)
  }];
}

class TTG_View<string mnemonic> : TTG_Op<mnemonic, [Pure]> {
  let arguments = (ins TTG_MemDescType:$src);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}
def TTG_MemDescReshapeOp : TTG_View<"memdesc_reshape"> {
  let summary = "A view with another shape";
}
def TTG_MemDescReinterpretOp : TTG_View<"memdesc_reinterpret"> {
  let summary = "A view of the same bytes as another type";
}
def TTG_MemDescTransOp : TTG_View<"memdesc_trans"> {
  let summary = "A view whose dimensions are permuted";
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
}
def TTG_MemDescIndexOp : TTG_View<"memdesc_index"> {
  let summary = "A view of one buffer of several";
  let arguments = (ins Arg<TTG_MemDescType, "Memory with a leading dimension of buffers">:$src,
    Arg<I32, "Which buffer">:$index);
  let assemblyFormat = "$src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}
def TTG_MemDescSubsliceOp : TTG_View<"memdesc_subslice"> {
  let summary = "A view of a part";
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let assemblyFormat = [{
    $src `[` custom<Offsets>($offsets) `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
}

// ---- Asynchronous copies ----

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [AttrSizedOperandSegments,
      OptionalDerived<"mask", "src", "::tk::tt::boolLike($_self)", 2>,
      OptionalDerived<"other", "src", "::tk::tt::pointeeLike($_self)", 3>]> {
  let summary = "Starts copies from global to shared memory by the threads";
  let arguments = (ins Arg<TT_PtrTensor, "Where from", [MemRead<GlobalMemory>]>:$src,
    Arg<TTG_MemDescType, "Where to", [MemWrite<SharedMemory>]>:$result,
    Arg<Optional<TT_BoolTensor>, "Which elements to copy; all when there is none">:$mask,
    Arg<Optional<TT_Type>, "What masked-out elements are">:$other,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::None">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::Normal">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, DefaultValuedAttr<I32Attr, "1">:$contiguity,
    OptionalAttr<AnyAttr>:$cachePolicy);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict `:` type($src) `->` type($result)
  }];
}
def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group"> {
  let summary = "Makes a group of the copies that were started";
  let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
  let results = (outs TTG_AsyncToken:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}
def TTG_AsyncWaitOp : TTG_Op<"async_wait"> {
  let summary = "Waits until all but some groups of copies are done";
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, Arg<I32Attr, "Groups that may still be under way">:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

// ---- The CTA ----

def TTG_BarrierOp : TTG_Op<"barrier"> {
  let summary = "Waits for all threads of the CTA, and orders memory";
  let arguments = (ins TTG_AddrSpace:$addrSpace);
  let assemblyFormat = "custom<AddrSpaces>($addrSpace) attr-dict";
}
def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let summary = "Which warp of the CTA this is";
  let arguments = (ins UnitAttr:$omitUniformHint);
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}
def TTG_GlobalScratchAllocOp : TTG_Op<"global_scratch_alloc"> {
  let summary = "Allocates global memory for one program";
  let arguments = (ins I32Attr:$nbytes, I32Attr:$alignment, UnitAttr:$third_party_allocation,
                       UnitAttr:$shared_cluster_state);
  let results = (outs Arg<TT_Ptr, "", [MemAlloc<GlobalMemory>]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}
def TTG_Fp4ToFpOp : TTG_Op<"fp4_to_fp", [Pure]> {
  let summary = "Floats of 4 bits, two in a byte, as wider floats";
  let arguments = (ins RankedTensorOf<[I8]>:$src, TT_Index:$axis);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

// ---- Software pipelines ----

def TTG_PredicateStageOp : TTG_Op<"predicate_stage", [Pure, AllTypesMatch<["iv", "ub", "step"]>]> {
  let summary = "Whether a stage of a software pipeline has an iteration to do";
  let arguments = (ins AnySignlessIntegerOrIndex:$iv, AnySignlessIntegerOrIndex:$ub, AnySignlessIntegerOrIndex:$step,
                       I32Attr:$maxStage, I32Attr:$stage);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict `:` type($iv) `->` type($result)
  }];
}
def TTG_MaskOp : TTG_Op<"mask", [SingleBlock]> {
  let summary = "Runs a region where a condition holds";
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$region);
}
def TTG_MaskReturnOp : TTG_Op<"mask.return", [Pure, Terminator, ReturnLike, HasParent<"MaskOp">]> {
  let summary = "The results of the region of ttg.mask";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}

// ---- Warp specialisation ----

def TTG_WarpSpecializeOp : TTG_Op<"warp_specialize", [RecursiveMemoryEffects]> {
  let summary = "Runs regions on different groups of warps at the same time";
  let arguments = (ins DenseI32ArrayAttr:$partitionNumWarps, OptionalAttr<DenseI32ArrayAttr>:$warpGroupStartIds,
    OptionalAttr<DenseI32ArrayAttr>:$requestedRegisters, OptionalAttr<DenseI32ArrayAttr>:$actualRegisters);
  let results = (outs Variadic<AnyType>:$defaultPassthrough);
  let regions = (region MinSizedRegion<1>:$defaultRegion, SizedRegion<1>:$partitionOpHolder);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
def TTG_WarpSpecializePartitionsOp : TTG_Op<"warp_specialize.partitions",
      [IsolatedFromAbove, RecursiveMemoryEffects, Terminator, HasParent<"WarpSpecializeOp">]> {
  let summary = "The regions of ttg.warp_specialize but the default one";
  let arguments = (ins Variadic<AnyType>:$explicitCaptures);
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
  let hasVerifier = 1;
}
def TTG_WarpYieldOp : TTG_Op<"warp_yield", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializeOp">]> {
  let summary = "The results of the default region of ttg.warp_specialize";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
}
def TTG_WarpReturnOp : TTG_Op<"warp_return", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializePartitionsOp">]> {
  let summary = "Ends a region of ttg.warp_specialize.partitions";
  let assemblyFormat = "attr-dict";
}

#endif
