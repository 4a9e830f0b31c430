// Dialect tt: operations.
#ifndef TK_TT_OPS
#define TK_TT_OPS

include "tt_base.td"

class TT_Op<string mnemonic, list<Trait> traits = []> : Op<TT_Dialect, mnemonic, traits>;

// ---- Elementwise ----

class TT_Cast<string mnemonic, Type from, Type to>
    : TT_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultShape, SameEncoding]> {
  let arguments = (ins from:$src);
  let results = (outs to:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}
def TT_IntToPtrOp : TT_Cast<"int_to_ptr", TT_I64Like, TT_PtrLike>;
def TT_PtrToIntOp : TT_Cast<"ptr_to_int", TT_PtrLike, TT_I64Like>;
def TT_BitcastOp : TT_Cast<"bitcast", TT_Type, TT_Type>;

def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure, Elementwise, SameOperandsAndResultShape, SameEncoding]> {
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingMode>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)";
}
def TT_ClampFOp : TT_Op<"clampf", [Pure, Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}
def TT_PreciseSqrtOp : TT_Op<"precise_sqrt", [Pure, Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}
class TT_Binary<string mnemonic, Type type>
    : TT_Op<mnemonic, [Pure, Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}
def TT_PreciseDivFOp : TT_Binary<"precise_divf", TT_FloatLike>;
def TT_ApproxDivFOp : TT_Binary<"approx_divf", TT_FloatLike>;
def TT_MulhiUIOp : TT_Binary<"mulhiui", TT_IntLike>;

def TT_AddPtrOp : TT_Op<"addptr", [Pure, Elementwise, SameOperandsAndResultShape, SameEncoding,
                                   Derived<"ptr", "result", "$_self">]> {
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [Elementwise, SameEncoding,
      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let arguments = (ins Variadic<TT_Type>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}
def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [Elementwise, SameEncoding,
      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                       Variadic<AnyType>:$args);
  let results = (outs Variadic<TT_Type>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
}
def TT_MapElementwiseOp : TT_Op<"map_elementwise", [SameEncoding, SameOperandsAndResultShape, RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
}
def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return",
      [Pure, Terminator, ReturnLike, HasParent<"MapElementwiseOp">]> {
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

// ---- Programs and shapes ----

class TT_ProgramOp<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}
def TT_GetProgramIdOp : TT_ProgramOp<"get_program_id">;
def TT_GetNumProgramsOp : TT_ProgramOp<"get_num_programs">;

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let arguments = (ins I32Attr:$start, I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def TT_SplatOp : TT_Op<"splat", [Pure, SameOperandsAndResultElementType]> {
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}
def TT_UnsplatOp : TT_Op<"unsplat", [Pure, Derived<"result", "src", "::tk::tt::elementOf($_self)">]> {
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$src attr-dict `:` type($src)";
}
class TT_ShapeOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Pure, SameOperandsAndResultElementType], traits)> {
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}
def TT_ExpandDimsOp : TT_ShapeOp<"expand_dims"> {
  let arguments = (ins TT_Tensor:$src, I32Attr:$axis);
}
// Both layouts place the elements of the source alike; they may be spelled differently, as those of two matrix instructions.
def TT_BroadcastOp : TT_ShapeOp<"broadcast">;
def TT_TransOp : TT_ShapeOp<"trans"> {
  let arguments = (ins TT_Tensor:$src, DenseI32ArrayAttr:$order);
}
def TT_ReshapeOp : TT_ShapeOp<"reshape"> {
  let arguments = (ins TT_Tensor:$src, UnitAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let assemblyFormat = [{
    $src (`allow_reorder` $allow_reorder^)? (`efficient_layout` $efficient_layout^)? attr-dict
    `:` type($src) `->` type($result)
  }];
}
class TT_TwoTensors<string mnemonic, list<Trait> traits> : TT_Op<mnemonic, !listconcat([SameTypeOperands], traits)> {
  let arguments = (ins TT_Tensor:$lhs, TT_Tensor:$rhs);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}
// The order of the elements of a `cat` is free, so running it elsewhere may change values: no effects, not speculatable.
def TT_CatOp : TT_TwoTensors<"cat", [NoMemoryEffect, SameOperandsAndResultElementType]>;
def TT_JoinOp : TT_TwoTensors<"join", [Pure, SameOperandsAndResultElementType]>;
def TT_SplitOp : TT_Op<"split", [Pure, Derived<"outRHS", "outLHS", "$_self">]> {
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
}
def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let arguments = (ins TT_Tensor:$src, TT_IntTensor:$indices, I32Attr:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}
def TT_HistogramOp : TT_Op<"histogram", [Pure, OptionalDerived<"mask", "src", "::tk::tt::boolLike($_self)", 1>]> {
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
}

// ---- Reductions and products ----

def TT_ReduceOp : TT_Op<"reduce", [Pure, SameOperandsShape, SingleBlock]> {
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
}
def TT_ScanOp : TT_Op<"scan", [Pure, SameEncoding, SameOperandsAndResultShape, SingleBlock]> {
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
}
class TT_CombineReturn<string mnemonic, string parent>
    : TT_Op<mnemonic, [Pure, Terminator, ReturnLike, HasParent<parent>]> {
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}
def TT_ReduceReturnOp : TT_CombineReturn<"reduce.return", "ReduceOp">;
def TT_ScanReturnOp : TT_CombineReturn<"scan.return", "ScanOp">;

def TT_DotOp : TT_Op<"dot", [Pure, Derived<"c", "d", "$_self">]> {
  let arguments = (ins TT_FpIntTensor:$a, TT_FpIntTensor:$b, TT_FpIntTensor:$c,
    DefaultValuedAttr<TT_InputPrecision, "::tk::tt::InputPrecision::IEEE">:$inputPrecision,
    DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_FpIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:` type($a) `*` type($b) `->` type($d)
  }];
}
def TT_DotScaledOp : TT_Op<"dot_scaled", [Pure, AttrSizedOperandSegments, Derived<"c", "d", "$_self">]> {
  let arguments = (ins RankedTensorOf<[TT_Float, I8]>:$a, RankedTensorOf<[TT_Float, I8]>:$b, TT_FloatTensor:$c,
    Optional<RankedTensorOf<[TT_Float, I8]>>:$a_scale, Optional<RankedTensorOf<[TT_Float, I8]>>:$b_scale,
    TT_ScaleDotElemType:$a_elem_type, TT_ScaleDotElemType:$b_elem_type, BoolAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack, DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$d);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($d)
  }];
}

// ---- Memory ----

def TT_LoadOp : TT_Op<"load", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
      Derived<"result", "ptr", "::tk::tt::pointeeLike($_self)">,
      OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 1>,
      OptionalDerived<"other", "ptr", "::tk::tt::pointeeLike($_self)", 2>]> {
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_Type>:$other,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile, OptionalAttr<AnyAttr>:$cachePolicy);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}
def TT_StoreOp : TT_Op<"store", [
      Derived<"value", "ptr", "::tk::tt::pointeeLike($_self)">,
      OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 2>]> {
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite<GlobalMemory>]>:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::NORMAL">:$evict,
    OptionalAttr<AnyAttr>:$cachePolicy, UnitAttr:$ignore_cta);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

class TT_Atomic<string mnemonic, list<Trait> traits> : TT_Op<mnemonic, traits>;
def TT_AtomicLoadOp : TT_Atomic<"atomic_load", [
      Derived<"result", "ptr", "::tk::tt::pointeeLike($_self)">, OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 1>]> {
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
    Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)";
}
def TT_AtomicStoreOp : TT_Atomic<"atomic_store", [
      Derived<"value", "ptr", "::tk::tt::pointeeLike($_self)">, OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 2>]> {
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite<GlobalMemory>]>:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask,
    TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)";
}
def TT_AtomicPollOp : TT_Atomic<"atomic_poll", [SameEncoding,
      Derived<"result", "expected", "::tk::tt::boolLike($_self)">]> {
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr, TT_IntLike:$expected,
    Optional<I64>:$timeout, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict
    `:` qualified(type($ptr)) `,` type($expected) `->` type($result)
  }];
}
def TT_AtomicRMWOp : TT_Atomic<"atomic_rmw", [
      Derived<"val", "ptr", "::tk::tt::pointeeLike($_self)">, Derived<"result", "val", "$_self">,
      OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 2>]> {
  let arguments = (ins TT_RMWOp:$atomic_rmw_op, Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
    TT_Type:$val, Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
}
def TT_AtomicCASOp : TT_Atomic<"atomic_cas", [
      Derived<"cmp", "ptr", "::tk::tt::pointeeLike($_self)">, Derived<"val", "cmp", "$_self">,
      Derived<"result", "val", "$_self">]> {
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
    TT_Type:$cmp, TT_Type:$val, TT_MemSemantic:$sem, TT_MemSyncScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)";
}

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let arguments = (ins TT_Ptr:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
    DefaultValuedAttr<TT_PaddingOption, "::tk::tt::PaddingOption::PAD_ZERO">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)";
}
def TT_DescriptorLoadOp : TT_Op<"descriptor_load"> {
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>]>:$desc, Variadic<I32>:$indices,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::NORMAL">:$evict, OptionalAttr<AnyAttr>:$cachePolicy);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
}
def TT_DescriptorStoreOp : TT_Op<"descriptor_store"> {
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc, TT_Tensor:$src,
    Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}
def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce"> {
  let arguments = (ins TT_DescriptorReduceKind:$kind,
    Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc, TT_Tensor:$src,
    Variadic<I32>:$indices);
  let assemblyFormat = "$kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}
def TT_DescriptorGatherOp : TT_Op<"descriptor_gather"> {
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>]>:$desc, RankedTensorOf<[I16, I32]>:$x_offsets,
    I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)";
}
def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter"> {
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
    RankedTensorOf<[I16, I32]>:$x_offsets, I32:$y_offset, TT_Tensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
}

// ---- Debugging and grids ----

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_Type>:$args, DenseI32ArrayAttr:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
}
def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}
// Not an op of Triton: each element but the least i64 is a failed check, of which a site of the record learns.
def TT_GuardOp : TT_Op<"guard", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let arguments = (ins TT_Ptr:$record, TT_IntLike:$value, I32Attr:$site);
  let assemblyFormat = "$record `,` $value attr-dict `:` type($record) `,` type($value)";
}
def TT_GridDependencyWaitOp : TT_Op<"grid_dependency_wait",
      [MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>]> {
  let assemblyFormat = "attr-dict";
}
def TT_GridDependencyLaunchDependentsOp : TT_Op<"grid_dependency_launch_dependents",
      [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let assemblyFormat = "attr-dict";
}

// ---- Functions ----

def TT_FuncOp : TT_Op<"func", [AffineScope, AutomaticAllocationScope, CallableOpInterface, FunctionOpInterface,
                               IsolatedFromAbove, HasParent<"::mlir::ModuleOp">]> {
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return isExternal() ? nullptr : &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    bool isDeclaration() { return isExternal(); }
  }];
  let hasCustomAssemblyFormat = 1;
}
def TT_ReturnOp : TT_Op<"return", [Pure, HasParent<"FuncOp">, ReturnLike, Terminator]> {
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}
def TT_CallOp : TT_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<AnyType>:$operands, OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>);
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() { return getOperandsMutable(); }
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return (*this)->getAttrOfType<::mlir::SymbolRefAttr>("callee");
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      (*this)->setAttr("callee", ::mlir::cast<::mlir::SymbolRefAttr>(callee));
    }
  }];
  let assemblyFormat = "$callee `(` $operands `)` attr-dict `:` functional-type($operands, results)";
}

#endif
