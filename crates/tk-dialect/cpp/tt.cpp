// Dialect tt: registration, the few custom parsers and printers, effects that depend on attributes, inlining.
#include "tk.h"

using namespace mlir;
using namespace tk::tt;

namespace {

// Everything may be inlined; a `tt.return` becomes the values of the call.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Operation *, bool) const final { return true; }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
  void handleTerminator(Operation *op, Block *next) const final {
    if (auto ret = dyn_cast<ReturnOp>(op)) {
      OpBuilder builder(op);
      cf::BranchOp::create(builder, op->getLoc(), next, ret.getSrcs());
      op->erase();
    }
  }
  void handleTerminator(Operation *op, ValueRange results) const final {
    for (auto [result, operand] : llvm::zip(results, cast<ReturnOp>(op).getSrcs()))
      result.replaceAllUsesWith(operand);
  }
};

} // namespace

Type tk::tt::elementOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getElementType() : type;
}

static Type withElement(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && element ? Type(tensor.clone(element)) : element;
}

Type tk::tt::pointeeLike(Type type) {
  auto pointer = dyn_cast<PointerType>(elementOf(type));
  return pointer ? withElement(type, pointer.getPointee()) : Type();
}

Type tk::tt::boolLike(Type type) { return withElement(type, IntegerType::get(type.getContext(), 1)); }

LogicalResult tk::tt::verifySameEncoding(Operation *op) {
  Attribute encoding;
  auto check = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.getEncoding())
      return true;
    if (!encoding)
      encoding = tensor.getEncoding();
    return encoding == tensor.getEncoding();
  };
  if (llvm::all_of(op->getOperandTypes(), check) && llvm::all_of(op->getResultTypes(), check))
    return success();
  return op->emitOpError("needs one layout for all its operands and results");
}

// `tensor<4x8xf16, layout>` as Triton 3.6 writes it, or `4x8xf16, layout` as 3.9 does.
Type TensorDescType::parse(AsmParser &parser) {
  RankedTensorType block;
  if (parser.parseLess())
    return {};
  Type type;
  llvm::SMLoc loc = parser.getCurrentLocation();
  OptionalParseResult parsed = parser.parseOptionalType(type);
  if (parsed.has_value()) {
    block = dyn_cast_or_null<RankedTensorType>(type);
    if (failed(*parsed))
      return {};
  } else {
    SmallVector<int64_t> shape;
    Attribute layout;
    if (parser.parseDimensionList(shape, false) || parser.parseType(type))
      return {};
    if (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(layout))
      return {};
    if (RankedTensorType::isValidElementType(type))
      block = RankedTensorType::get(shape, type, layout);
  }
  if (parser.parseGreater())
    return {};
  if (!block)
    return parser.emitError(loc, "expected the tensor type of a block"), Type();
  return get(parser.getContext(), block);
}

void TensorDescType::print(AsmPrinter &printer) const { printer << '<' << getBlock() << '>'; }

void LoadOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
  if (getIsVolatile())
    effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

template <typename Op>
static void effectsUnlessPure(Op op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (op.getPure())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), GlobalMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), GlobalMemory::get());
}

void ExternElementwiseOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effectsUnlessPure(*this, effects);
}
void ElementwiseInlineAsmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effectsUnlessPure(*this, effects);
}
Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}
Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto type = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                 function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(parser, result, false, getFunctionTypeAttrName(result.name), type,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, false, getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (llvm::equal(getOperandTypes(), function.getFunctionType().getResults()))
    return success();
  return emitOpError("returns other types than its function");
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!function)
    return emitOpError() << "calls '" << getCallee() << "', which is not a function";
  auto type = function.getFunctionType();
  if (llvm::equal(getOperandTypes(), type.getInputs()) && llvm::equal(getResultTypes(), type.getResults()))
    return success();
  return emitOpError() << "does not fit the type of '" << getCallee() << "'";
}

void TTDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tt_types.cpp.inc"
      >();
}

void TTDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tt_attrs.cpp.inc"
      >();
}

void TTDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tt_ops.cpp.inc"
      >();
  addInterfaces<Inliner>();
}

#include "tt_dialect.cpp.inc"
#include "tt_enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tt_attrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tt_types.cpp.inc"
#define GET_OP_CLASSES
#include "tt_ops.cpp.inc"
