// The C functions that src/raw.rs declares: what MLIR's own C API does not offer, and the types of tt and ttg.
#include "own.h"
#include "ttng.h"

#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

extern "C" {

void tkRegisterDialects(MlirDialectRegistry registry) {
  static const bool passes = [] {
    registerTransformsPasses();
    return true;
  }();
  (void)passes;
  unwrap(registry)->insert<arith::ArithDialect, math::MathDialect, scf::SCFDialect, cf::ControlFlowDialect, ub::UBDialect,
                           gpu::GPUDialect, LLVM::LLVMDialect, NVVM::NVVMDialect, tk::tt::TTDialect, tk::ttg::TTGDialect,
                           tk::ttng::TTNGDialect, tk::own::TKDialect>();
}

MlirOperation tkParseModule(MlirContext context, MlirStringRef text, MlirStringRef name) {
  // The lexer reads the byte after the text, so it gets a copy that ends in a null byte.
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(unwrap(text), unwrap(name)), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(unwrap(context)));
  return wrap(module ? module.release().getOperation() : nullptr);
}

MlirOperation tkOperationPrevious(MlirOperation op) { return wrap(unwrap(op)->getPrevNode()); }

void tkOperationErase(MlirOperation raw) {
  Operation *op = unwrap(raw);
  op->dropAllDefinedValueUses();
  op->dropAllReferences();
  op->erase();
}

// What the verifiers of MLIR and of tk look at, in the order of the walk: two equal values mean that nothing of it has changed in between.
uint64_t tkOperationFingerprint(MlirOperation root) {
  llvm::hash_code hash = 0;
  unwrap(root)->walk<WalkOrder::PreOrder>([&hash](Operation *op) {
    hash = llvm::hash_combine(hash, op, op->getBlock(), op->getName().getAsOpaquePointer(),
                              op->getDiscardableAttrDictionary().getAsOpaquePointer(), op->hashProperties());
    for (Value operand : op->getOperands())
      hash = llvm::hash_combine(hash, operand.getAsOpaquePointer());
    for (Type type : op->getResultTypes())
      hash = llvm::hash_combine(hash, type.getAsOpaquePointer());
    for (Block *successor : op->getSuccessors())
      hash = llvm::hash_combine(hash, successor);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        hash = llvm::hash_combine(hash, &region, &block);
        for (BlockArgument argument : block.getArguments())
          hash = llvm::hash_combine(hash, argument.getAsOpaquePointer(), argument.getType().getAsOpaquePointer());
      }
  });
  return static_cast<size_t>(hash);
}

MlirAttribute tkOperationGetAttributes(MlirOperation op) { return wrap(Attribute(unwrap(op)->getAttrDictionary())); }

bool tkOperationIsPure(MlirOperation op) { return isPure(unwrap(op)); }
bool tkOperationIsMemoryEffectFree(MlirOperation op) { return isMemoryEffectFree(unwrap(op)); }
bool tkOperationIsTerminator(MlirOperation op) { return unwrap(op)->hasTrait<OpTrait::IsTerminator>(); }

MlirAttribute tkDenseElementsGet(MlirAttribute raw, intptr_t index) {
  auto elements = dyn_cast<DenseElementsAttr>(unwrap(raw));
  if (!elements || index < 0 || index >= elements.getNumElements())
    return wrap(Attribute());
  return wrap(*(elements.getValues<Attribute>().begin() + index));
}

MlirType tkPointerTypeGet(MlirType pointee, uint32_t space) {
  Type type = unwrap(pointee);
  return wrap(Type(tk::tt::PointerType::get(type.getContext(), type, space)));
}
bool tkTypeIsPointer(MlirType type) { return isa<tk::tt::PointerType>(unwrap(type)); }
MlirType tkPointerTypeGetPointee(MlirType type) { return wrap(cast<tk::tt::PointerType>(unwrap(type)).getPointee()); }
uint32_t tkPointerTypeGetAddressSpace(MlirType type) {
  return cast<tk::tt::PointerType>(unwrap(type)).getAddressSpace();
}

MlirType tkTensorDescTypeGet(MlirType block) {
  auto tensor = cast<RankedTensorType>(unwrap(block));
  return wrap(Type(tk::tt::TensorDescType::get(tensor.getContext(), tensor)));
}
bool tkTypeIsTensorDesc(MlirType type) { return isa<tk::tt::TensorDescType>(unwrap(type)); }
MlirType tkTensorDescTypeGetBlock(MlirType type) {
  return wrap(Type(cast<tk::tt::TensorDescType>(unwrap(type)).getBlock()));
}

using tk::ttg::MemDescType;
const int64_t *tkTypeGetShape(MlirType raw, size_t *rank) {
  Type type = unwrap(raw);
  llvm::ArrayRef<int64_t> shape;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    shape = tensor.getShape();
  else if (auto memory = dyn_cast<MemDescType>(type))
    shape = memory.getShape();
  *rank = shape.size();
  return shape.data();
}
MlirType tkMemDescTypeGet(intptr_t rank, const int64_t *shape, MlirType element, MlirAttribute encoding,
                          MlirAttribute space, bool isMutable, intptr_t allocRank, const int64_t *allocShape) {
  Type type = unwrap(element);
  return wrap(Type(MemDescType::get(type.getContext(), ArrayRef(shape, rank), type, unwrap(encoding), unwrap(space),
                                    isMutable, ArrayRef(allocShape, allocRank))));
}
bool tkTypeIsMemDesc(MlirType type) { return isa<MemDescType>(unwrap(type)); }
MlirAttribute tkMemDescTypeGetEncoding(MlirType type) { return wrap(cast<MemDescType>(unwrap(type)).getEncoding()); }
MlirAttribute tkMemDescTypeGetMemorySpace(MlirType type) {
  return wrap(cast<MemDescType>(unwrap(type)).getMemorySpace());
}
bool tkMemDescTypeIsMutable(MlirType type) { return cast<MemDescType>(unwrap(type)).getMutableMemory(); }
intptr_t tkMemDescTypeGetAllocRank(MlirType type) { return cast<MemDescType>(unwrap(type)).getAllocShape().size(); }
int64_t tkMemDescTypeGetAllocDim(MlirType type, intptr_t dim) {
  return cast<MemDescType>(unwrap(type)).getAllocShape()[dim];
}

MlirType tkAsyncTokenTypeGet(MlirContext context) {
  return wrap(Type(tk::ttg::AsyncTokenType::get(unwrap(context))));
}
bool tkTypeIsAsyncToken(MlirType type) { return isa<tk::ttg::AsyncTokenType>(unwrap(type)); }

} // extern "C"
