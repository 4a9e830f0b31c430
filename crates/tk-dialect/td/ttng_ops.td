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

def TTNG_WarpGroupDotOp : TTNG_Op<"warp_group_dot", [Derived<"c", "result", "$_self">]> {
  let summary = "Product of matrices by wgmma, asynchronous or not";
  let arguments = (ins Arg<TTG_TensorOrMemDesc, "Left operand: shared memory, or a tensor in registers">:$a,
    Arg<TTG_MemDescType, "Right operand: shared memory", [MemRead<SharedMemory>]>:$b,
    Arg<TT_FpIntTensor, "The accumulator">:$c, Arg<Optional<I1>, "When false, the accumulator counts as zero">:$useC,
    DefaultValuedAttr<TT_InputPrecision, "::tk::tt::InputPrecision::Ieee">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "The result is only there after a ttng.warp_group_dot_wait">:$isAsync);
  let results = (outs TT_FpIntTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? attr-dict `:` type($a) `*` qualified(type($b)) `->` type($result)
  }];
}
def TTNG_WarpGroupDotWaitOp : TTNG_Op<"warp_group_dot_wait", [AllTypesMatch<["inputs", "outputs"]>]> {
  let summary = "Waits until all but some asynchronous products are done";
  let arguments = (ins Variadic<TTG_TensorOrMemDesc>:$inputs,
    Arg<I32Attr, "Products that may still be under way">:$pendings, UnitAttr:$warpGroupLocal);
  let results = (outs Variadic<TTG_TensorOrMemDesc>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

// ---- Fences and cluster barriers ----

def TTNG_FenceAsyncSharedOp : TTNG_Op<"fence_async_shared"> {
  let summary = "Orders accesses to shared memory before those of the asynchronous proxy";
  let arguments = (ins BoolAttr:$bCluster);
  let assemblyFormat = "attr-dict";
}
def TTNG_FenceMbarrierInitReleaseClusterOp : TTNG_Op<"fence_mbarrier_init_release_cluster"> {
  let summary = "Makes new mbarriers known to the cluster";
  let assemblyFormat = "attr-dict";
}
class TTNG_ClusterOp<string mnemonic> : TTNG_Op<mnemonic> {
  let arguments = (ins DefaultValuedAttr<BoolAttr, "false">:$relaxed);
  let assemblyFormat = "attr-dict";
}
def TTNG_ClusterBarrierOp : TTNG_ClusterOp<"cluster_barrier"> {
  let summary = "Waits for all threads of the cluster";
}
def TTNG_ClusterArriveOp : TTNG_ClusterOp<"cluster_arrive"> {
  let summary = "Arrives at the barrier of the cluster";
}
def TTNG_ClusterWaitOp : TTNG_Op<"cluster_wait"> {
  let summary = "Waits at the barrier of the cluster";
  let assemblyFormat = "attr-dict";
}

// ---- mbarriers ----

class Barrier<list<MemoryEffect> effects> : Arg<TTG_MemDescType, "", effects>;

def TTNG_InitBarrierOp : TTNG_Op<"init_barrier"> {
  let summary = "Makes an mbarrier";
  let arguments = (ins Barrier<[MemWrite<SharedMemory>]>:$alloc, Arg<I32Attr, "Arrivals of a phase">:$count);
  let assemblyFormat = "$alloc `,` $count attr-dict `:` qualified(type($alloc))";
}
def TTNG_InvalBarrierOp : TTNG_Op<"inval_barrier"> {
  let summary = "Ends the life of an mbarrier";
  let arguments = (ins Barrier<[MemWrite<SharedMemory>]>:$alloc);
  let assemblyFormat = "$alloc attr-dict `:` qualified(type($alloc))";
}
def TTNG_BarrierExpectOp : TTNG_Op<"barrier_expect"> {
  let summary = "Tells an mbarrier how many bytes will come";
  let arguments = (ins Barrier<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$alloc, Arg<I32Attr, "Bytes">:$size,
    I1:$pred, OptionalAttr<I32Attr>:$fromCTA);
  let assemblyFormat = "$alloc `,` $size attr-dict `,` $pred `:` qualified(type($alloc))";
}
def TTNG_WaitBarrierOp : TTNG_Op<"wait_barrier", [AttrSizedOperandSegments]> {
  let summary = "Waits for a phase of an mbarrier";
  let arguments = (ins Barrier<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$alloc, I32:$phase, Optional<I1>:$pred,
                       Variadic<TTG_MemDescType>:$deps);
  let assemblyFormat = [{
    $alloc `,` $phase (`,` $pred^)? (`deps` $deps^)? attr-dict `:` qualified(type($alloc)) (`,` type($deps)^)?
  }];
}
def TTNG_ArriveBarrierOp : TTNG_Op<"arrive_barrier"> {
  let summary = "Arrives at an mbarrier";
  let arguments = (ins Barrier<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$alloc,
    Arg<I32Attr, "How many arrivals this is">:$count, Optional<I1>:$pred, OptionalAttr<I32Attr>:$fromCTA,
    DefaultValuedOptionalAttr<I32Attr, "0">:$multicastCTA);
  let assemblyFormat = "$alloc `,` $count (`,` $pred^)? attr-dict `:` qualified(type($alloc))";
}
def TTNG_AsyncCopyMbarrierArriveOp : TTNG_Op<"async_copy_mbarrier_arrive"> {
  let summary = "Arrives at an mbarrier when the copies of this thread are done";
  let arguments = (ins Barrier<[MemRead<SharedMemory>, MemWrite<SharedMemory>]>:$barrier, UnitAttr:$noIncrement);
  let assemblyFormat = "$barrier attr-dict `:` qualified(type($barrier))";
}

// ---- Tensor memory accelerator ----

class Desc<list<MemoryEffect> effects> : Arg<TT_TensorDescType, "", effects>;

def TTNG_AsyncTmaCopyGlobalToLocalOp : TTNG_Op<"async_tma_copy_global_to_local", [AttrSizedOperandSegments]> {
  let summary = "Starts a copy of a block from global to shared memory by TMA";
  let arguments = (ins Desc<[MemRead<GlobalMemory>]>:$desc, Variadic<I32>:$coord, Variadic<I16>:$offsets,
    Barrier<[MemWrite<SharedMemory>]>:$barrier, Arg<TTG_MemDescType, "Where to", [MemWrite<SharedMemory>]>:$result,
    I1:$pred, DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::None">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::Normal">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, UnitAttr:$multicast, OptionalAttr<AnyAttr>:$cachePolicy,
    Arg<Optional<I16>, "A bit for each CTA of the cluster that gets the block">:$targets);
  let assemblyFormat = [{
    $desc `[` $coord `]` (`offsets` `=` `[` $offsets^ `]`)? $result `,` $barrier `,` $pred (`to` $targets^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict
    `:` qualified(type($desc)) `,` qualified(type($barrier)) `->` qualified(type($result))
  }];
}
def TTNG_AsyncTmaCopyLocalToGlobalOp : TTNG_Op<"async_tma_copy_local_to_global"> {
  let summary = "Starts a copy of a block from shared to global memory by TMA";
  let arguments = (ins Desc<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc, Variadic<I32>:$coord,
    Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = "$desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))";
}
def TTNG_AsyncTmaReduceOp : TTNG_Op<"async_tma_reduce"> {
  let summary = "Starts to combine a block in shared memory with one in global memory by TMA";
  let arguments = (ins TT_DescriptorReduceKind:$kind, Desc<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
    Variadic<I32>:$coord, Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src);
  let assemblyFormat = [{
    $kind `,` $desc `[` $coord `]` $src attr-dict `:` qualified(type($desc)) `,` qualified(type($src))
  }];
}
def TTNG_AsyncTmaGatherOp : TTNG_Op<"async_tma_gather"> {
  let summary = "Starts a copy of rows from global to shared memory by TMA";
  let arguments = (ins Desc<[MemRead<GlobalMemory>]>:$desc, RankedTensorOf<[I32]>:$rows, I32:$column,
    Barrier<[MemWrite<SharedMemory>]>:$barrier, Arg<TTG_MemDescType, "", [MemWrite<SharedMemory>]>:$result, I1:$pred,
    UnitAttr:$multicast, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = [{
    $desc `[` $rows `,` $column `]` $result `,` $barrier `,` $pred attr-dict `:` type(operands)
  }];
}
def TTNG_AsyncTmaScatterOp : TTNG_Op<"async_tma_scatter"> {
  let summary = "Starts a copy of rows from shared to global memory by TMA";
  let arguments = (ins Desc<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc, RankedTensorOf<[I32]>:$rows,
    I32:$column, Arg<TTG_MemDescType, "", [MemRead<SharedMemory>]>:$src, OptionalAttr<AnyAttr>:$cachePolicy);
  let assemblyFormat = "$desc `[` $rows `,` $column `]` $src attr-dict `:` type(operands)";
}
def TTNG_AsyncTmaStoreWaitOp : TTNG_Op<"async_tma_store_wait"> {
  let summary = "Waits until TMA has done all but some groups of stores";
  let arguments = (ins I32Attr:$pendings, UnitAttr:$read_only);
  let assemblyFormat = "attr-dict";
}
def TTNG_TmaStoreTokenWaitOp : TTNG_Op<"tma_store_token_wait"> {
  let summary = "Waits for stores by TMA";
  let arguments = (ins Variadic<TTG_AsyncToken>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
}
def TTNG_AsyncTmaPrefetchOp : TTNG_Op<"async_tma_prefetch"> {
  let summary = "Starts to bring a block into L2 by TMA";
  let arguments = (ins Desc<[MemRead<GlobalMemory>]>:$desc, Variadic<I32>:$coord, I1:$pred);
  let assemblyFormat = "$desc `[` $coord `]` `,` $pred attr-dict `:` qualified(type($desc))";
}
def TTNG_ReinterpretTensorDescriptorOp : TTNG_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "A pointer to a tensor map as a descriptor";
  let arguments = (ins TT_Ptr:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}
def TTNG_TensormapCreateOp : TTNG_Op<"tensormap_create",
      [MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>, AttrSizedOperandSegments]> {
  let summary = "Writes a tensor map to memory";
  let arguments = (ins TT_Ptr:$desc_ptr, TT_Ptr:$global_address, Variadic<I32>:$box_dim, Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride, Variadic<I32>:$element_stride, I32Attr:$elem_type, I32Attr:$interleave_layout,
    I32Attr:$swizzle_mode, I32Attr:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,`
    `[` $element_stride `]` attr-dict `:` functional-type(operands, results)
  }];
}
def TTNG_TensormapFenceproxyAcquireOp : TTNG_Op<"tensormap_fenceproxy_acquire", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Makes a tensor map in memory known to TMA";
  let arguments = (ins TT_Ptr:$desc_ptr);
  let assemblyFormat = "$desc_ptr attr-dict `:` qualified(type($desc_ptr))";
}

#endif
