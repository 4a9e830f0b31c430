// What the generated C++ of the dialects tt, ttg and ttng needs: includes, memory resources, type helpers, one trait.
#ifndef TK_DIALECTS_H
#define TK_DIALECTS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tk::tt {

struct GlobalMemory : mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "GlobalMemory"; }
};
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "SharedMemory"; }
};

// Element type of a tensor; the type itself when it is none.
mlir::Type elementOf(mlir::Type type);
// The type with every pointer replaced by what it points to; null when there is no pointer.
mlir::Type pointeeLike(mlir::Type type);
// `i1`, or a tensor of `i1` with the shape and layout of the type.
mlir::Type boolLike(mlir::Type type);

// Operands and results that are tensors with a layout have one layout.
mlir::LogicalResult verifySameEncoding(mlir::Operation *op);
template <typename ConcreteOp>
struct SameEncoding : mlir::OpTrait::TraitBase<ConcreteOp, SameEncoding> {
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameEncoding(op); }
};

} // namespace tk::tt

#include "tt_dialect.h.inc"
#include "tt_enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tt_attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tt_types.h.inc"
#define GET_OP_CLASSES
#include "tt_ops.h.inc"

#endif
