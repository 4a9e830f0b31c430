// Enum attributes of dialect ttg.
#ifndef TK_TTG_ENUMS
#define TK_TTG_ENUMS

include "mlir/IR/EnumAttr.td"

// The memory that a barrier orders.
def Local : I32BitEnumAttrCaseBit<"Local", 0, "local">;
def GlobalRead : I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">;
def GlobalWrite : I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">;
def TensorRead : I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">;
def TensorWrite : I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">;
def TTG_AddrSpace : I32BitEnumAttr<"AddrSpace", "", [
  I32BitEnumAttrCaseNone<"None", "none">, Local, GlobalRead, GlobalWrite, TensorRead, TensorWrite,
  I32BitEnumAttrCaseGroup<"All", [Local, GlobalRead, GlobalWrite, TensorRead, TensorWrite], "all">]> {
  let cppNamespace = "::tk::ttg";
  let separator = "|";
  let printBitEnumPrimaryGroups = 1;
}

#endif
