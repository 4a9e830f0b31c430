// Dialect ttng: operations of NVIDIA GPUs from sm_90 on.
#ifndef TK_TTNG_OPS
#define TK_TTNG_OPS

include "ttg_base.td"

def TTNG_Dialect : Dialect {
  let name = "ttng";
  let summary = "wgmma, mbarriers and the tensor memory accelerator";
  let cppNamespace = "::tk::ttng";
  let dependentDialects = ["::tk::tt::TTDialect", "::tk::ttg::TTGDialect", "::mlir::gpu::GPUDialect"];
}

class TTNG_Op<string mnemonic, list<Trait> traits = []> : Op<TTNG_Dialect, mnemonic, traits>;

// ---- wgmma ----

def TTNG_WarpGroupDotOp : TTNG_Op<"warp_group_dot", [Derived<"c", "d", "$_self">]> {
  let arguments = (ins TTG_TensorOrMemDesc:$a, Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$b, TT_FpIntTensor:$c,
    Optional<I1>:$useC, DefaultValuedAttr<TT_InputPrecision, "::tk::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc, DefaultValuedAttr<BoolAttr, "false">:$isAsync);
  let results = (outs TT_FpIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? attr-dict `:` type($a) `*` qualified(type($b)) `->` type($d)
  }];
}
def TTNG_WarpGroupDotWaitOp : TTNG_Op<"warp_group_dot_wait", [AllTypesMatch<["inputs", "outputs"]>]> {
  let arguments = (ins Variadic<TTG_TensorOrMemDesc>:$inputs, I32Attr:$pendings, UnitAttr:$warpGroupLocal);
  let results = (outs Variadic<TTG_TensorOrMemDesc>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

// ---- Fences and cluster barriers ----

def TTNG_FenceAsyncSharedOp : TTNG_Op<"fence_async_shared"> {
  let arguments = (ins BoolAttr:$bCluster);
  let assemblyFormat = "attr-dict";
}
def TTNG_FenceMBarrierInitReleaseClusterOp : TTNG_Op<"fence_mbarrier_init_release_cluster"> {
  let assemblyFormat = "attr-dict";
}
class TTNG_ClusterOp<string mnemonic> : TTNG_Op<mnemonic> {
  let arguments = (ins DefaultValuedAttr<BoolAttr, "false">:$relaxed);
  let assemblyFormat = "attr-dict";
}
def TTNG_ClusterBarrierOp : TTNG_ClusterOp<"cluster_barrier">;
def TTNG_ClusterArriveOp : TTNG_ClusterOp<"cluster_arrive">;
def TTNG_ClusterWaitOp : TTNG_Op<"cluster_wait"> {
  let assemblyFormat = "attr-dict";
}

// ---- Turns of two warp groups ----

// Waits until it is this warp group's turn.
def TTNG_TakeTurnOp : TTNG_Op<"take_turn"> {
  let assemblyFormat = "attr-dict";
}
// The other warp group has its turn; with `group`, only that one gives it away.
def TTNG_GiveTurnOp : TTNG_Op<"give_turn"> {
  let arguments = (ins OptionalAttr<I32Attr>:$group);
  let assemblyFormat = "attr-dict";
}

// ---- mbarriers ----

class Barrier<list<MemoryEffect> effects> : Arg<TTG_MemDescType, "", effects>;

def TTNG_InitBarrierOp : TTNG_Op<"init_barrier"> {
  let arguments = (ins Barrier<[MemWrite<SharedMemory>]>:$alloc, I32Attr:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
}
def TTNG_InvalBarrierOp : TTNG_Op<"inval_barrier"> {
  let arguments = (ins Barrier<[MemWrite<SharedMemory>]>:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
}
def TTNG_BarrierExpectOp : TTNG_Op<"barrier_expect"> {
  let arguments = (ins Barrier<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$alloc, I32Attr:$size, I1:$pred,
                       OptionalAttr<I32Attr>:$fromCTA);
  let assemblyFormat = "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))";
}
def TTNG_WaitBarrierOp : TTNG_Op<"wait_barrier", [AttrSizedOperandSegments]> {
  let arguments = (ins Barrier<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$alloc, I32:$phase, Optional<I1>:$pred,
                       Variadic<TTG_MemDescType>:$deps);
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict `:` qualified(type($alloc)) (`,` type($deps)^)?
  }];
}
def TTNG_ArriveBarrierOp : TTNG_Op<"arrive_barrier"> {
  let arguments = (ins Barrier<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$alloc, I32Attr:$count, Optional<I1>:$pred,
                       OptionalAttr<I32Attr>:$fromCTA, DefaultValuedOptionalAttr<I32Attr, "0">:$multicastCTA);
  let assemblyFormat = "$alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))";
}
def TTNG_AsyncCopyMbarrierArriveOp : TTNG_Op<"async_copy_mbarrier_arrive"> {
  let arguments = (ins Barrier<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$barrier, UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
}

// ---- Tensor memory accelerator ----

class Desc<list<MemoryEffect> effects> : Arg<TT_TensorDescType, "", effects>;

def TTNG_AsyncTMACopyGlobalToLocalOp : TTNG_Op<"async_tma_copy_global_to_local", [AttrSizedOperandSegments]> {
  let arguments = (ins Desc<[MemRead<GlobalMemory>]>:$desc, Variadic<I32>:$coord, Variadic<I16>:$offsets,
    Barrier<[MemWrite<SharedMemory>]>:$barrier, Arg<TTG_MemDescType, "", [MemWrite<SharedMemory>]>:$result, I1:$pred,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, UnitAttr:$multicast, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = [{
    $desc `[` $coord `]` (`offsets` `=` `[` $offsets^ `]`)? $result `,` $barrier `,` $pred
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict
    `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
}
def TTNG_AsyncTMACopyLocalToGlobalOp : TTNG_Op<"async_tma_copy_local_to_global"> {
  let arguments = (ins Desc<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc, Variadic<I32>:$coord,
    Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = "$desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))";
}
def TTNG_AsyncTMAReduceOp : TTNG_Op<"async_tma_reduce"> {
  let arguments = (ins TT_DescriptorReduceKind:$kind, Desc<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
    Variadic<I32>:$coord, Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src);
  let assemblyFormat = [{
    $kind `,` $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
}
def TTNG_AsyncTMAGatherOp : TTNG_Op<"async_tma_gather"> {
  let arguments = (ins Desc<[MemRead<GlobalMemory>]>:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset,
    Barrier<[MemWrite<SharedMemory>]>:$barrier, Arg<TTG_MemDescType, "", [MemWrite<SharedMemory>]>:$result, I1:$pred,
    UnitAttr:$multicast, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` $result `,` $barrier `,` $pred attr-dict `:` type(operands)
  }];
}
def TTNG_AsyncTMAScatterOp : TTNG_Op<"async_tma_scatter"> {
  let arguments = (ins Desc<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc, RankedTensorOf<[I32]>:$x_offsets,
    I32:$y_offset, Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` $src attr-dict `:` type(operands)";
}
def TTNG_AsyncTMAStoreWaitOp : TTNG_Op<"async_tma_store_wait"> {
  let arguments = (ins I32Attr:$pendings, UnitAttr:$read_only);
  let assemblyFormat = "attr-dict";
}
def TTNG_TMAStoreTokenWaitOp : TTNG_Op<"tma_store_token_wait"> {
  let arguments = (ins Variadic<TTG_AsyncToken>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
}
def TTNG_AsyncTMAPrefetchOp : TTNG_Op<"async_tma_prefetch"> {
  let arguments = (ins Desc<[MemRead<GlobalMemory>]>:$desc, Variadic<I32>:$coord, I1:$pred);
  let assemblyFormat = "$desc `[` $coord `]` `,` $pred attr-dict `:` qualified(type($desc))";
}
def TTNG_ReinterpretTensorDescOp : TTNG_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let arguments = (ins TT_Ptr:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}
def TTNG_TensormapCreateOp : TTNG_Op<"tensormap_create",
      [MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>, AttrSizedOperandSegments]> {
  let arguments = (ins TT_Ptr:$desc_ptr, TT_Ptr:$global_address, Variadic<I32>:$box_dim, Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride, Variadic<I32>:$element_stride, I32Attr:$elem_type, I32Attr:$interleave_layout,
    I32Attr:$swizzle_mode, I32Attr:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,`
    `[` $element_stride `]` attr-dict `:` functional-type(operands, results)
  }];
}
def TTNG_TensormapFenceproxyAcquireOp : TTNG_Op<"tensormap_fenceproxy_acquire", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let arguments = (ins TT_Ptr:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

#endif
