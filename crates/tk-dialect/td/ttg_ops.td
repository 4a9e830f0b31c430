// Dialect ttg: operations.
#ifndef TK_TTG_OPS
#define TK_TTG_OPS

include "ttg_base.td"

class TTG_Op<string mnemonic, list<Trait> traits = []> : Op<TTG_Dialect, mnemonic, traits>;

def TTG_ConvertLayoutOp : TTG_Op<"convert_layout",
      [Pure, SameOperandsAndResultShape, SameOperandsAndResultElementType]> {
  let arguments = (ins TT_Tensor:$src, UnitAttr:$force_warp_shuffle);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

// ---- Shared memory ----

def TTG_LocalAllocOp : TTG_Op<"local_alloc", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins Optional<TT_Tensor>:$src, OptionalAttr<I32Attr>:$alignment);
  let results = (outs TTG_MemDescType:$result);
  let assemblyFormat = "($src^)? attr-dict `:` functional-type(operands, results)";
}
def TTG_LocalDeallocOp : TTG_Op<"local_dealloc"> {
  let arguments = (ins Arg<TTG_MemDescType, "", [MemFree<SharedMemory>]>:$src);
  let assemblyFormat = "$src attr-dict `:` qualified(type($src))";
}
def TTG_LocalLoadOp : TTG_Op<"local_load"> {
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src, Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src (`token` $token^)? attr-dict `:` qualified(type($src)) `->` type($result)";
}
def TTG_LocalStoreOp : TTG_Op<"local_store"> {
  let arguments = (ins TT_Tensor:$src, Arg<TTG_MemDescType, "", [MemWrite<SharedMemory>]>:$dst);
  let assemblyFormat = "$src `,` $dst attr-dict `:` type($src) `->` qualified(type($dst))";
}
def TTG_LocalGatherOp : TTG_Op<"local_gather"> {
  let arguments = (ins Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src, TT_IntTensor:$indices, I32Attr:$axis,
                       Optional<TTG_AsyncToken>:$token);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $src `[` $indices `]` (`token` $token^)? attr-dict `:` qualified(type($src)) `,` type($indices) `->` type($result)
  }];
}
def TTG_LocalScatterOp : TTG_Op<"local_scatter"> {
  let arguments = (ins Arg<TTG_MemDescType, "", [MemWrite<SharedMemory>]>:$dst, TT_Tensor:$values, TT_IntTensor:$indices,
                       I32Attr:$axis, Optional<TTG_AsyncToken>:$token);
  let assemblyFormat = [{
    $dst `[` $indices `]` `,` $values (`token` $token^)? attr-dict
    `:` qualified(type($dst)) `,` type($indices) `,` type($values)
  }];
}
def TTG_LocalAtomicScatterRMWOp : TTG_Op<"local_atomic_scatter_rmw", [Derived<"result", "values", "$_self">,
      OptionalDerived<"mask", "values", "::tk::tt::boolLike($_self)", 3>]> {
  let arguments = (ins TT_RMWOp:$atomic_rmw_op,
    Arg<TTG_MemDescType, "", [MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$dst, TT_Tensor:$values,
    TT_IntTensor:$indices, Optional<TT_BoolTensor>:$mask, I32Attr:$axis);
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
def TTG_MemDescReshapeOp : TTG_View<"memdesc_reshape">;
def TTG_MemDescReinterpretOp : TTG_View<"memdesc_reinterpret">;
def TTG_MemDescTransOp : TTG_View<"memdesc_trans"> {
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$order);
}
def TTG_MemDescIndexOp : TTG_View<"memdesc_index"> {
  let arguments = (ins TTG_MemDescType:$src, I32:$index);
  let assemblyFormat = "$src `[` $index `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))";
}
def TTG_MemDescSubsliceOp : TTG_View<"memdesc_subslice"> {
  let arguments = (ins TTG_MemDescType:$src, DenseI32ArrayAttr:$offsets);
  let assemblyFormat = [{
    $src `[` custom<Offsets>($offsets) `]` attr-dict `:` qualified(type($src)) `->` qualified(type($result))
  }];
}

// ---- Asynchronous copies ----

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [AttrSizedOperandSegments,
      OptionalDerived<"mask", "src", "::tk::tt::boolLike($_self)", 2>,
      OptionalDerived<"other", "src", "::tk::tt::pointeeLike($_self)", 3>]> {
  let arguments = (ins Arg<TT_PtrTensor, "", [MemRead<GlobalMemory>]>:$src,
    Arg<TTG_MemDescType, "", [MemWrite<SharedMemory>]>:$result, Optional<TT_BoolTensor>:$mask, Optional<TT_Type>:$other,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, DefaultValuedAttr<I32Attr, "1">:$contiguity,
    OptionalAttr<AnyAttr>:$cachePolicy);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict `:` type($src) `->` type($result)
  }];
}
def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group"> {
  let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
  let results = (outs TTG_AsyncToken:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}
def TTG_AsyncWaitOp : TTG_Op<"async_wait"> {
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

// ---- The CTA ----

def TTG_BarrierOp : TTG_Op<"barrier"> {
  let arguments = (ins TTG_AddrSpace:$addrSpace);
  let assemblyFormat = "custom<AddrSpaces>($addrSpace) attr-dict";
}
def TTG_WarpIdOp : TTG_Op<"warp_id", [Pure]> {
  let arguments = (ins UnitAttr:$omitUniformHint);
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}
def TTG_GlobalScratchAllocOp : TTG_Op<"global_scratch_alloc"> {
  let arguments = (ins I32Attr:$nbytes, I32Attr:$alignment, UnitAttr:$third_party_allocation,
                       UnitAttr:$shared_cluster_state);
  let results = (outs Arg<TT_Ptr, "", [MemAlloc<GlobalMemory>]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}
def TTG_Fp4ToFpOp : TTG_Op<"fp4_to_fp", [Pure]> {
  let arguments = (ins RankedTensorOf<[I8]>:$src, I32Attr:$axis);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

// ---- Software pipelines ----

def TTG_PredicateStageOp : TTG_Op<"predicate_stage", [Pure, AllTypesMatch<["iv", "ub", "step"]>]> {
  let arguments = (ins AnySignlessIntegerOrIndex:$iv, AnySignlessIntegerOrIndex:$ub, AnySignlessIntegerOrIndex:$step,
                       I32Attr:$maxStage, I32Attr:$stage);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $iv `,` $ub `,` $step `maxStage` $maxStage `stage` $stage attr-dict `:` type($iv) `->` type($result)
  }];
}
def TTG_MaskOp : TTG_Op<"mask", [SingleBlock]> {
  let arguments = (ins I1:$pred);
  let results = (outs Variadic<AnyType>:$result);
  let regions = (region SizedRegion<1>:$region);
}
def TTG_MaskReturnOp : TTG_Op<"mask.return", [Pure, Terminator, ReturnLike, HasParent<"MaskOp">]> {
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
  let arguments = (ins Variadic<AnyType>:$explicitCaptures);
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
  let hasVerifier = 1;
}
def TTG_WarpYieldOp : TTG_Op<"warp_yield", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializeOp">]> {
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
}
def TTG_WarpReturnOp : TTG_Op<"warp_return", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializePartitionsOp">]> {
  let assemblyFormat = "attr-dict";
}

#endif
