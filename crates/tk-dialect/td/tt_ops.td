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
def TT_IntToPtrOp : TT_Cast<"int_to_ptr", TT_I64Like, TT_PtrLike> {
  let summary = "A pointer from a number";
}
def TT_PtrToIntOp : TT_Cast<"ptr_to_int", TT_PtrLike, TT_I64Like> {
  let summary = "The number of a pointer";
}
def TT_BitcastOp : TT_Cast<"bitcast", TT_Type, TT_Type> {
  let summary = "The same bits as another type";
}

def TT_FpToFpOp : TT_Op<"fp_to_fp", [Pure, Elementwise, SameOperandsAndResultShape, SameEncoding]> {
  let summary = "A float as another float type";
  let arguments = (ins TT_FloatLike:$src, Arg<OptionalAttr<TT_RoundingMode>, "How to round when narrowing">:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$src attr-dict (`,` `rounding` `=` $rounding^)? `:` type($src) `->` type($result)";
}
def TT_ClampFOp : TT_Op<"clampf", [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "The value between two bounds that is nearest";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max, TT_PropagateNan:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($result)";
}
def TT_PreciseSqrtOp : TT_Op<"precise_sqrt", [Pure, Elementwise, SameOperandsAndResultType]> {
  let summary = "Square root, rounded as IEEE 754 says";
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
def TT_PreciseDivFOp : TT_Binary<"precise_divf", TT_FloatLike> {
  let summary = "Quotient, rounded as IEEE 754 says";
}
def TT_ApproxDivFOp : TT_Binary<"approx_divf", TT_FloatLike> {
  let summary = "Quotient, approximate";
}
def TT_MulhiUIOp : TT_Binary<"mulhiui", TT_IntLike> {
  let summary = "The upper half of an unsigned product";
}

def TT_AddPtrOp : TT_Op<"addptr", [Pure, Elementwise, SameOperandsAndResultShape, SameEncoding,
                                   Derived<"ptr", "result", "$_self">]> {
  let summary = "A pointer some elements further";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
}

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [Elementwise, SameEncoding,
      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "A function of another library, applied to each element";
  let arguments = (ins Variadic<TT_Type>:$srcs, StrAttr:$libname, StrAttr:$libpath,
    Arg<StrAttr, "The name of the function">:$symbol, Arg<BoolAttr, "It has no side effects">:$pure);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}
def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [Elementwise, SameEncoding,
      DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "PTX, applied to each element or to several at once";
  let arguments = (ins Arg<StrAttr, "The PTX text">:$asm_string, Arg<StrAttr, "LLVM's constraints">:$constraints,
    Arg<BoolAttr, "It has no side effects">:$pure, Arg<I32Attr, "Elements given to each instance">:$packed_element,
    Variadic<AnyType>:$args);
  let results = (outs Variadic<TT_Type>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
}
def TT_MapElementwiseOp : TT_Op<"map_elementwise", [SameEncoding, SameOperandsAndResultShape, RecursiveMemoryEffects]> {
  let summary = "A region that is run for each element";
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region AnyRegion:$scalarOp);
}
def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return",
      [Pure, Terminator, ReturnLike, HasParent<"MapElementwiseOp">]> {
  let summary = "The results of the region of tt.map_elementwise";
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

// ---- Programs and shapes ----

class TT_ProgramOp<string mnemonic> : TT_Op<mnemonic, [Pure]> {
  let arguments = (ins TT_ProgramDim:$axis);
  let results = (outs I32:$result);
  let assemblyFormat = "$axis attr-dict `:` type($result)";
}
def TT_GetProgramIdOp : TT_ProgramOp<"get_program_id"> {
  let summary = "Which program of the grid this is, along an axis";
}
def TT_GetNumProgramsOp : TT_ProgramOp<"get_num_programs"> {
  let summary = "Programs of the grid along an axis";
}

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "The numbers from start to end, end not included";
  let arguments = (ins Arg<I32Attr, "First element">:$start, Arg<I32Attr, "One past the last element">:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def TT_SplatOp : TT_Op<"splat", [Pure, SameOperandsAndResultElementType]> {
  let summary = "A tensor whose elements are all one scalar";
  let arguments = (ins TT_Type:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}
def TT_UnsplatOp : TT_Op<"unsplat", [Pure, Derived<"result", "src", "::tk::tt::elementOf($_self)">]> {
  let summary = "The scalar in a tensor of one element";
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
  let summary = "A tensor with one more dimension, of size 1";
  let arguments = (ins TT_Tensor:$src, Arg<TT_Index, "Where the new dimension of size 1 is">:$axis);
}
// Both layouts place the elements of the source alike; they may be spelled differently, as those of two matrix instructions.
def TT_BroadcastOp : TT_ShapeOp<"broadcast"> {
  let summary = "A tensor whose dimensions of size 1 are repeated";
}
def TT_TransOp : TT_ShapeOp<"trans"> {
  let summary = "A tensor whose dimensions are permuted";
  let arguments = (ins TT_Tensor:$src,
    Arg<DenseI32ArrayAttr, "Dimension i of the result is dimension order[i] of the operand">:$order);
}
def TT_ReshapeOp : TT_ShapeOp<"reshape"> {
  let summary = "A tensor of the same elements with another shape";
  let arguments = (ins TT_Tensor:$src, Arg<UnitAttr, "Elements may be put in any order">:$allow_reorder,
    Arg<UnitAttr, "The layout was chosen for speed and is to be kept">:$efficient_layout);
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
def TT_CatOp : TT_TwoTensors<"cat", [NoMemoryEffect, SameOperandsAndResultElementType]> {
  let summary = "The elements of two tensors, in any order";
}
def TT_JoinOp : TT_TwoTensors<"join", [Pure, SameOperandsAndResultElementType]> {
  let summary = "Two tensors side by side in a new last dimension";
}
def TT_SplitOp : TT_Op<"split", [Pure, Derived<"outRHS", "outLHS", "$_self">]> {
  let summary = "The two halves of a last dimension of size 2";
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$outLHS, TT_Tensor:$outRHS);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($outLHS)";
}
def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "Elements chosen by index along an axis";
  let arguments = (ins TT_Tensor:$src, Arg<TT_IntTensor, "The indices along the axis">:$indices,
    Arg<TT_Index, "The dimension along which elements are chosen">:$axis, UnitAttr:$efficient_layout);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}
def TT_HistogramOp : TT_Op<"histogram", [Pure, OptionalDerived<"mask", "src", "::tk::tt::boolLike($_self)", 1>]> {
  let summary = "How often each number is there";
  let arguments = (ins TT_IntTensor:$src,
    Arg<Optional<TT_BoolLike>, "Which elements count; all when there is none">:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src) `->` type($result)";
}

// ---- Reductions and products ----

def TT_ReduceOp : TT_Op<"reduce", [Pure, SameOperandsShape, SingleBlock]> {
  let summary = "Tensors without one dimension, whose elements are combined";
  let arguments = (ins Arg<Variadic<TT_Tensor>, "The tensors, of one shape">:$srcs,
    Arg<TT_Index, "The dimension that goes away">:$axis);
  let results = (outs Variadic<TT_Type>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
}
def TT_ScanOp : TT_Op<"scan", [Pure, SameEncoding, SameOperandsAndResultShape, SingleBlock]> {
  let summary = "Tensors whose elements are combined with all before them along an axis";
  let arguments = (ins Arg<Variadic<TT_Tensor>, "The tensors, of one shape">:$srcs,
    Arg<TT_Index, "The dimension along which it runs">:$axis, Arg<BoolAttr, "From the end to the beginning">:$reverse);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region SizedRegion<1>:$combineOp);
}
class TT_CombineReturn<string mnemonic, string parent>
    : TT_Op<mnemonic, [Pure, Terminator, ReturnLike, HasParent<parent>]> {
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "$result attr-dict `:` type($result)";
}
def TT_ReduceReturnOp : TT_CombineReturn<"reduce.return", "ReduceOp"> {
  let summary = "The results of the region of tt.reduce";
}
def TT_ScanReturnOp : TT_CombineReturn<"scan.return", "ScanOp"> {
  let summary = "The results of the region of tt.scan";
}

def TT_DotOp : TT_Op<"dot", [Pure, Derived<"c", "result", "$_self">]> {
  let summary = "Product of two matrices plus a third, or of batches of them";
  let arguments = (ins Arg<TT_FpIntTensor, "Left operand, M×K">:$a, Arg<TT_FpIntTensor, "Right operand, K×N">:$b,
    Arg<TT_FpIntTensor, "What is added, M×N">:$c,
    Arg<DefaultValuedAttr<TT_InputPrecision, "::tk::tt::InputPrecision::Ieee">, "How f32 operands are multiplied">:$inputPrecision,
    Arg<DefaultValuedAttr<I32Attr, "0">, "Products of fp8 operands that may be summed with low precision">:$maxNumImpreciseAcc);
  let results = (outs TT_FpIntTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:` type($a) `*` type($b) `->` type($result)
  }];
}
def TT_DotScaledOp : TT_Op<"dot_scaled", [Pure, AttrSizedOperandSegments, Derived<"c", "result", "$_self">]> {
  let summary = "Product of matrices in formats with shared scales";
  let arguments = (ins RankedTensorOf<[TT_Float, I8]>:$a, RankedTensorOf<[TT_Float, I8]>:$b, TT_FloatTensor:$c,
    Optional<RankedTensorOf<[TT_Float, I8]>>:$a_scale, Optional<RankedTensorOf<[TT_Float, I8]>>:$b_scale,
    TT_ScaleDotElemType:$a_elem_type, TT_ScaleDotElemType:$b_elem_type, BoolAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack, DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = [{
    $a (`scale` $a_scale^)? `,` $b (`scale` $b_scale^)? `,` $c `lhs` `=` $a_elem_type `rhs` `=` $b_elem_type attr-dict
    `:` type($a) (`,` type($a_scale)^)? `*` type($b) (`,` type($b_scale)^)? `->` type($result)
  }];
}

// ---- Memory ----

def TT_LoadOp : TT_Op<"load", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
      Derived<"result", "ptr", "::tk::tt::pointeeLike($_self)">,
      OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 1>,
      OptionalDerived<"other", "ptr", "::tk::tt::pointeeLike($_self)", 2>]> {
  let summary = "Loads through a pointer or a tensor of pointers";
  let arguments = (ins Arg<TT_PtrLike, "A pointer or a tensor of pointers">:$ptr,
    Arg<Optional<TT_BoolLike>, "Which elements to load; all when there is none">:$mask,
    Arg<Optional<TT_Type>, "What masked-out elements are; undefined when there is none">:$other,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::None">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::Normal">:$evict,
    Arg<DefaultValuedAttr<BoolAttr, "false">, "It may not be removed or repeated">:$isVolatile,
    OptionalAttr<AnyAttr>:$cachePolicy);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}
def TT_StoreOp : TT_Op<"store", [
      Derived<"value", "ptr", "::tk::tt::pointeeLike($_self)">,
      OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 2>]> {
  let summary = "Stores through a pointer or a tensor of pointers";
  let arguments = (ins Arg<TT_PtrLike, "A pointer or a tensor of pointers", [MemWrite<GlobalMemory>]>:$ptr,
    Arg<TT_Type, "What to store">:$value,
    Arg<Optional<TT_BoolLike>, "Which elements to store; all when there is none">:$mask,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::None">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::Normal">:$evict,
    OptionalAttr<AnyAttr>:$cachePolicy, UnitAttr:$ignore_cta);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
}

class TT_Atomic<string mnemonic, list<Trait> traits> : TT_Op<mnemonic, traits>;
def TT_AtomicLoadOp : TT_Atomic<"atomic_load", [
      Derived<"result", "ptr", "::tk::tt::pointeeLike($_self)">, OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 1>]> {
  let summary = "Loads with memory order";
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
    Optional<TT_BoolLike>:$mask, TT_MemSemantic:$sem, TT_MemScope:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)";
}
def TT_AtomicStoreOp : TT_Atomic<"atomic_store", [
      Derived<"value", "ptr", "::tk::tt::pointeeLike($_self)">, OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 2>]> {
  let summary = "Stores with memory order";
  let arguments = (ins Arg<TT_PtrLike, "", [MemWrite<GlobalMemory>]>:$ptr, TT_Type:$value, Optional<TT_BoolLike>:$mask,
    TT_MemSemantic:$sem, TT_MemScope:$scope);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` type($ptr)";
}
def TT_AtomicPollOp : TT_Atomic<"atomic_poll", [SameEncoding,
      Derived<"result", "expected", "::tk::tt::boolLike($_self)">]> {
  let summary = "Waits until memory has an expected value, or until time is over";
  let arguments = (ins Arg<TT_PtrLike, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr, TT_IntLike:$expected,
    Optional<I64>:$timeout, TT_MemSemantic:$sem, TT_MemScope:$scope);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict
    `:` qualified(type($ptr)) `,` type($expected) `->` type($result)
  }];
}
def TT_AtomicRmwOp : TT_Atomic<"atomic_rmw", [
      Derived<"value", "ptr", "::tk::tt::pointeeLike($_self)">, Derived<"result", "value", "$_self">,
      OptionalDerived<"mask", "ptr", "::tk::tt::boolLike($_self)", 2>]> {
  let summary = "Reads, changes and writes memory in one step";
  let arguments = (ins Arg<TT_RmwOp, "What it does">:$atomic_rmw_op,
    Arg<TT_PtrLike, "A pointer or a tensor of pointers", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
    Arg<TT_Type, "The other operand">:$value,
    Arg<Optional<TT_BoolLike>, "Which elements take part; all when there is none">:$mask,
    Arg<TT_MemSemantic, "Memory order">:$sem, Arg<TT_MemScope, "Among whom">:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $value (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
}
def TT_AtomicCasOp : TT_Atomic<"atomic_cas", [
      Derived<"compare", "ptr", "::tk::tt::pointeeLike($_self)">, Derived<"value", "compare", "$_self">,
      Derived<"result", "value", "$_self">]> {
  let summary = "Writes memory if it has an expected value, in one step";
  let arguments = (ins Arg<TT_PtrLike, "A pointer or a tensor of pointers", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$ptr,
    Arg<TT_Type, "The value expected">:$compare, Arg<TT_Type, "The value to put there when it was">:$value,
    Arg<TT_MemSemantic, "Memory order">:$sem, Arg<TT_MemScope, "Among whom">:$scope);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "$sem `,` $scope `,` $ptr `,` $compare `,` $value attr-dict `:` functional-type(operands, $result)";
}

def TT_MakeTensorDescriptorOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "A descriptor of a tensor in global memory";
  let arguments = (ins Arg<TT_Ptr, "Address of the first element">:$base,
    Arg<Variadic<I32>, "Elements along each axis">:$shape,
    Arg<Variadic<I64>, "Elements from one index to the next along each axis">:$strides,
    Arg<DefaultValuedAttr<TT_PaddingOption, "::tk::tt::PaddingOption::Zero">, "What elements outside the tensor are read as">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)";
}
def TT_DescriptorLoadOp : TT_Op<"descriptor_load"> {
  let summary = "Loads a block of the tensor of a descriptor";
  let arguments = (ins Arg<TT_TensorDescType, "The descriptor", [MemRead<GlobalMemory>]>:$desc,
    Arg<Variadic<I32>, "Where the block starts, along each axis of the descriptor">:$indices,
    DefaultValuedAttr<TT_CacheModifier, "::tk::tt::CacheModifier::None">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tk::tt::EvictionPolicy::Normal">:$evict,
    OptionalAttr<AnyAttr>:$cachePolicy);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
}
def TT_DescriptorStoreOp : TT_Op<"descriptor_store"> {
  let summary = "Stores a block of the tensor of a descriptor";
  let arguments = (ins Arg<TT_TensorDescType, "The descriptor", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
    Arg<TT_Tensor, "The block">:$src,
    Arg<Variadic<I32>, "Where the block starts, along each axis of the descriptor">:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}
def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce"> {
  let summary = "Combines a block with that of the tensor of a descriptor";
  let arguments = (ins Arg<TT_DescriptorReduceKind, "How">:$kind,
    Arg<TT_TensorDescType, "The descriptor", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
    Arg<TT_Tensor, "The block">:$src,
    Arg<Variadic<I32>, "Where the block starts, along each axis of the descriptor">:$indices);
  let assemblyFormat = "$kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}
def TT_DescriptorGatherOp : TT_Op<"descriptor_gather"> {
  let summary = "Loads rows of the tensor of a descriptor";
  let arguments = (ins Arg<TT_TensorDescType, "The descriptor", [MemRead<GlobalMemory>]>:$desc,
    Arg<RankedTensorOf<[I16, I32]>, "The rows, a tensor of one dimension">:$rows, Arg<I32, "The first column">:$column);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$desc `[` $rows `,` $column `]` attr-dict `:` functional-type(operands, results)";
}
def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter"> {
  let summary = "Stores rows of the tensor of a descriptor";
  let arguments = (ins Arg<TT_TensorDescType, "The descriptor", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
    Arg<RankedTensorOf<[I16, I32]>, "The rows, a tensor of one dimension">:$rows,
    Arg<I32, "The first column">:$column, Arg<TT_Tensor, "The rows to store">:$src);
  let assemblyFormat = "$desc `[` $rows `,` $column `]` `,` $src attr-dict `:` type(operands)";
}

// ---- Debugging and grids ----

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Prints values from the kernel";
  let arguments = (ins Arg<StrAttr, "The text before the values">:$prefix,
    Arg<BoolAttr, "Integers are printed in base 16">:$hex, Arg<Variadic<TT_Type>, "The values">:$args,
    Arg<DenseI32ArrayAttr, "For each value, whether its integers are signed">:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
}
def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Ends the kernel unless a condition holds";
  let arguments = (ins Arg<TT_BoolLike, "What must hold, a scalar or a tensor of i1">:$condition,
    Arg<StrAttr, "What to say when it does not">:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}
def TT_GridDependencyWaitOp : TT_Op<"grid_dependency_wait",
      [MemoryEffects<[MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>]> {
  let summary = "Waits for the grids that this one depends on";
  let assemblyFormat = "attr-dict";
}
def TT_GridDependencyLaunchDependentsOp : TT_Op<"grid_dependency_launch_dependents",
      [MemoryEffects<[MemWrite<GlobalMemory>]>]> {
  let summary = "Lets the grids start that depend on this one";
  let assemblyFormat = "attr-dict";
}

// ---- Functions ----

def TT_FuncOp : TT_Op<"func", [AffineScope, AutomaticAllocationScope, CallableOpInterface, FunctionOpInterface,
                               IsolatedFromAbove, HasParent<"::mlir::ModuleOp">]> {
  let summary = "A kernel, or a function that kernels call";
  let arguments = (ins Arg<SymbolNameAttr, "Its name">:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility, OptionalAttr<DictArrayAttr>:$arg_attrs,
    OptionalAttr<DictArrayAttr>:$res_attrs);
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
  let summary = "Ends a function";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "attr-dict ($srcs^ `:` type($srcs))?";
  let hasVerifier = 1;
}
def TT_CallOp : TT_Op<"call", [CallOpInterface, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a function";
  let arguments = (ins Arg<FlatSymbolRefAttr, "The name of the called function">:$callee, Variadic<AnyType>:$operands,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
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
