// Enum attributes of dialect tt, with the numbers and words of Triton. Each case says what it means.
#ifndef TK_TT_ENUMS
#define TK_TT_ENUMS

include "mlir/IR/EnumAttr.td"

class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tk::tt";
}
class Case<string name, int number, string word, string meaning> : I32EnumAttrCase<name, number, word> {
  string description = meaning;
}

def TT_CacheModifier : TT_Enum<"CacheModifier", "Where a load or store may be cached", [
  Case<"None", 1, "none", "The default">, Case<"Ca", 2, "ca", "All levels">, Case<"Cg", 3, "cg", "L2 only">,
  Case<"Wb", 4, "wb", "Write back">, Case<"Cs", 5, "cs", "Streaming">, Case<"Wt", 6, "wt", "Write through">,
  Case<"Cv", 7, "cv", "Volatile">]>;
def TT_EvictionPolicy : TT_Enum<"EvictionPolicy", "How soon a cache line may go", [
  Case<"Normal", 1, "evict_normal", "The default">, Case<"First", 2, "evict_first", "Before others">,
  Case<"Last", 3, "evict_last", "After others">]>;
def TT_MemSemantic : TT_Enum<"MemSemantic", "Memory order of an atomic operation", [
  Case<"Relaxed", 1, "relaxed", "No order">, Case<"Acquire", 2, "acquire", "Later accesses stay later">,
  Case<"Release", 3, "release", "Earlier accesses stay earlier">, Case<"AcquireRelease", 4, "acq_rel", "Both">]>;
def TT_MemScope : TT_Enum<"MemScope", "Among whom an atomic operation is atomic", [
  Case<"Gpu", 1, "gpu", "One GPU">, Case<"Cta", 2, "cta", "One CTA">, Case<"System", 3, "sys", "Everything">]>;
def TT_RmwOp : TT_Enum<"RmwOp", "What an atomic read-modify-write does", [
  Case<"And", 1, "and", "Bitwise and">, Case<"Or", 2, "or", "Bitwise or">, Case<"Xor", 3, "xor", "Bitwise exclusive or">,
  Case<"Add", 4, "add", "Integer sum">, Case<"FAdd", 5, "fadd", "Float sum">, Case<"Max", 6, "max", "Signed maximum">,
  Case<"Min", 7, "min", "Signed minimum">, Case<"UMax", 8, "umax", "Unsigned maximum">,
  Case<"UMin", 9, "umin", "Unsigned minimum">, Case<"Exchange", 10, "exch", "Exchange">]>;
def TT_DescriptorReduceKind : TT_Enum<"DescriptorReduceKind", "How a block is combined with memory", [
  Case<"Add", 1, "add", "Sum">, Case<"Min", 2, "min", "Minimum">, Case<"Max", 3, "max", "Maximum">,
  Case<"Inc", 4, "inc", "One more, or zero at the limit">, Case<"Dec", 5, "dec", "One less, or the limit at zero">,
  Case<"And", 6, "and", "Bitwise and">, Case<"Or", 7, "or", "Bitwise or">,
  Case<"Xor", 8, "xor", "Bitwise exclusive or">]>;
def TT_ProgramDim : TT_Enum<"ProgramDim", "An axis of the grid", [
  Case<"X", 0, "x", "The first">, Case<"Y", 1, "y", "The second">, Case<"Z", 2, "z", "The third">]>;
def TT_RoundingMode : TT_Enum<"RoundingMode", "Rounding of a float conversion", [
  Case<"TowardZero", 0, "rtz", "Toward zero">, Case<"NearestEven", 1, "rtne", "To nearest, ties to even">]>;
def TT_PropagateNan : TT_Enum<"PropagateNan", "What becomes of NaN", [
  Case<"None", 0, "none", "The other operand is the result">, Case<"All", 0xFFFF, "all", "The result is NaN">]>;
def TT_PaddingOption : TT_Enum<"PaddingOption", "What lies outside the tensor of a descriptor", [
  Case<"Zero", 1, "zero", "Zeros">, Case<"Nan", 2, "nan", "NaN">]>;
def TT_InputPrecision : TT_Enum<"InputPrecision", "How a dot of f32 operands is computed", [
  Case<"Tf32", 0, "tf32", "Operands cut to tf32">, Case<"Tf32x3", 1, "tf32x3", "Three tf32 products">,
  Case<"Ieee", 2, "ieee", "f32 multiply-add">, Case<"Bf16x3", 3, "bf16x3", "Three bf16 products">,
  Case<"Bf16x6", 4, "bf16x6", "Six bf16 products">]>;
def TT_ScaleDotElemType : TT_Enum<"ScaleDotElemType", "The format of an operand of a scaled dot", [
  Case<"E4M3", 0, "e4m3", "8 bits, 4 of them exponent">, Case<"E5M2", 1, "e5m2", "8 bits, 5 of them exponent">,
  Case<"E2M3", 2, "e2m3", "6 bits, 2 of them exponent">, Case<"E3M2", 3, "e3m2", "6 bits, 3 of them exponent">,
  Case<"E2M1", 4, "e2m1", "4 bits, 2 of them exponent">, Case<"Bf16", 5, "bf16", "bf16">,
  Case<"Fp16", 6, "fp16", "f16">]>;

#endif
