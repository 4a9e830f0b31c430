// Dialect ttg: registration, aliases, and the parsers and printers that ODS has no words for.
#include "ttg.h"

using namespace mlir;
using namespace tk::ttg;

namespace {

// `#blocked`, `#mma`, `#shared`, … at the top of a file.
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const final {
    llvm::StringRef name = llvm::TypeSwitch<Attribute, llvm::StringRef>(attr)
        .Case<BlockedEncodingAttr>([](auto) { return "blocked"; })
        .Case<NvidiaMmaEncodingAttr>([](auto) { return "mma"; })
        .Case<LinearEncodingAttr>([](auto) { return "linear"; })
        .Case<SwizzledSharedEncodingAttr, NVMMASharedEncodingAttr, PaddedSharedEncodingAttr, SharedLinearEncodingAttr>(
            [](auto) { return "shared"; })
        .Case<SharedMemorySpaceAttr>([](auto) { return "smem"; })
        .Default([](auto) { return ""; });
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::FinalAlias;
  }
};

struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

// `16:+2, 64:+4`, kept as [16, 2, 64, 4].
static ParseResult parsePaddings(AsmParser &parser, ArrayAttr &paddings) {
  SmallVector<Attribute> numbers;
  auto pair = [&]() -> ParseResult {
    int64_t interval, padding;
    if (parser.parseInteger(interval) || parser.parseColon() || parser.parsePlus() || parser.parseInteger(padding))
      return failure();
    for (int64_t number : {interval, padding})
      numbers.push_back(parser.getBuilder().getI64IntegerAttr(number));
    return success();
  };
  if (parser.parseCommaSeparatedList(pair))
    return failure();
  paddings = parser.getBuilder().getArrayAttr(numbers);
  return success();
}

static void printPaddings(AsmPrinter &printer, ArrayAttr paddings) {
  for (size_t i = 0; i + 1 < paddings.size(); i += 2) {
    auto number = [&](size_t at) {
      auto integer = dyn_cast<IntegerAttr>(paddings[at]);
      return integer ? integer.getInt() : 0;
    };
    printer << (i ? ", " : "") << number(i) << ":+" << number(i + 1);
  }
}

// `register = [[1]], lane = [[2]], warp = [], block = []`, in any order.
static ParseResult parseBases(AsmParser &parser, ArrayAttr &reg, ArrayAttr &lane, ArrayAttr &warp, ArrayAttr &block) {
  reg = lane = warp = block = parser.getBuilder().getArrayAttr({});
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    llvm::StringRef name;
    if (failed(parser.parseOptionalKeyword(&name, {"register", "lane", "warp", "block"})))
      return parser.emitError(parser.getCurrentLocation(), "expected 'register', 'lane', 'warp' or 'block'");
    if (parser.parseEqual())
      return failure();
    ArrayAttr &bases = name == "register" ? reg : name == "lane" ? lane : name == "warp" ? warp : block;
    return parser.parseAttribute(bases);
  });
}

static void printBases(AsmPrinter &printer, ArrayAttr reg, ArrayAttr lane, ArrayAttr warp, ArrayAttr block) {
  printer << "register = " << reg << ", lane = " << lane << ", warp = " << warp << ", block = " << block;
}

// `0, 16`
static ParseResult parseOffsets(OpAsmParser &parser, DenseI32ArrayAttr &offsets) {
  SmallVector<int32_t> numbers;
  if (parser.parseCommaSeparatedList([&] { return parser.parseInteger(numbers.emplace_back()); }))
    return failure();
  offsets = parser.getBuilder().getDenseI32ArrayAttr(numbers);
  return success();
}

static void printOffsets(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr offsets) {
  llvm::interleaveComma(offsets.asArrayRef(), printer);
}

// `local|global_read`
static ParseResult parseAddrSpaces(OpAsmParser &parser, AddrSpaceAttr &spaces) {
  auto all = AddrSpace::None;
  do {
    llvm::StringRef word;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    auto space = symbolizeAddrSpace(word);
    if (!space)
      return parser.emitError(loc, "'") << word << "' is not an address space";
    all = all | *space;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  spaces = AddrSpaceAttr::get(parser.getContext(), all);
  return success();
}

static void printAddrSpaces(OpAsmPrinter &printer, Operation *, AddrSpaceAttr spaces) {
  printer << stringifyAddrSpace(spaces.getValue());
}

// `<2x64xf16, #shared, #smem, mutable, 4x64>`
Type MemDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, allocShape;
  Type element;
  Attribute encoding, space;
  if (parser.parseLess() || parser.parseDimensionList(shape, false) || parser.parseType(element) ||
      parser.parseComma() || parser.parseAttribute(encoding) || parser.parseComma() || parser.parseAttribute(space))
    return {};
  bool isMutable = false;
  allocShape = shape;
  if (succeeded(parser.parseOptionalComma())) {
    isMutable = succeeded(parser.parseOptionalKeyword("mutable"));
    if (!isMutable || succeeded(parser.parseOptionalComma())) {
      allocShape.clear();
      if (parser.parseDimensionList(allocShape, false, false))
        return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), shape, element, encoding, space, isMutable, allocShape);
}

void MemDescType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType() << ", " << getEncoding() << ", " << getMemorySpace();
  if (getMutableMemory())
    printer << ", mutable";
  if (getAllocShape() != getShape()) {
    printer << ", ";
    llvm::interleave(getAllocShape(), printer.getStream(), "x");
  }
  printer << '>';
}

// An allocation that is written once may be moved and shared; the effects of others must be seen.
void LocalAllocOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getType().getMutableMemory())
    return;
  auto result = (*this)->getOpResult(0);
  effects.emplace_back(MemoryEffects::Allocate::get(), result, tk::tt::SharedMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), result, tk::tt::SharedMemory::get());
}

WarpSpecializePartitionsOp partitionsOf(WarpSpecializeOp op) {
  Region &holder = op.getPartitionOpHolder();
  if (holder.empty() || holder.front().empty())
    return {};
  return dyn_cast<WarpSpecializePartitionsOp>(holder.front().front());
}

ParseResult WarpSpecializeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> captures;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(captures, OpAsmParser::Delimiter::Paren) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseKeyword("default") ||
      parser.parseRegion(*result.addRegion()))
    return failure();
  OperationState partitions(parser.getEncodedSourceLoc(loc), WarpSpecializePartitionsOp::getOperationName());
  SmallVector<int32_t> warps;
  while (succeeded(parser.parseOptionalKeyword(("partition" + Twine(warps.size())).str()))) {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, true) || parser.parseKeyword("num_warps") ||
        parser.parseLParen() || parser.parseInteger(warps.emplace_back()) || parser.parseRParen() ||
        parser.parseRegion(*partitions.addRegion(), arguments))
      return failure();
  }
  FunctionType type;
  if (parser.parseColon() || parser.parseType(type) ||
      parser.resolveOperands(captures, type.getInputs(), loc, partitions.operands))
    return failure();
  result.addTypes(type.getResults());
  result.addAttribute(getPartitionNumWarpsAttrName(result.name), parser.getBuilder().getDenseI32ArrayAttr(warps));
  Block &holder = result.addRegion()->emplaceBlock();
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&holder);
  builder.create(partitions);
  return success();
}

void WarpSpecializeOp::print(OpAsmPrinter &printer) {
  WarpSpecializePartitionsOp partitions = partitionsOf(*this);
  printer << '(';
  if (partitions)
    printer.printOperands(partitions.getOperands());
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getPartitionNumWarpsAttrName()});
  printer.printNewline();
  printer << "default ";
  printer.printRegion(getDefaultRegion(), false);
  if (partitions) {
    for (auto [index, region] : llvm::enumerate(partitions.getPartitionRegions())) {
      printer.printNewline();
      printer << "partition" << index << '(';
      llvm::interleaveComma(region.getArguments(), printer,
                            [&](BlockArgument argument) { printer.printRegionArgument(argument); });
      printer << ") num_warps(" << getPartitionNumWarps()[index] << ") ";
      printer.printRegion(region, false);
    }
  }
  printer << " : ";
  printer.printFunctionalType(partitions ? TypeRange(partitions.getOperandTypes()) : TypeRange(), getResultTypes());
}

LogicalResult WarpSpecializeOp::verify() {
  WarpSpecializePartitionsOp partitions = partitionsOf(*this);
  if (!partitions)
    return emitOpError("needs its partitions in its second region");
  if (partitions.getPartitionRegions().size() != getPartitionNumWarps().size())
    return emitOpError("needs a number of warps for each partition");
  auto yield = dyn_cast<WarpYieldOp>(getDefaultRegion().back().getTerminator());
  if (yield && llvm::equal(yield.getOperandTypes(), getResultTypes()))
    return success();
  return emitOpError("needs a default region that yields its results");
}

LogicalResult WarpSpecializePartitionsOp::verify() {
  for (Region &region : getPartitionRegions())
    if (!llvm::equal(region.getArgumentTypes(), getOperandTypes()))
      return emitOpError("needs partitions whose arguments have the types of the captured values");
  return success();
}

void TTGDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ttg_types.cpp.inc"
      >();
}

void TTGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ttg_attrs.cpp.inc"
      >();
}

void TTGDialect::initialize() {
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "ttg_ops.cpp.inc"
      >();
  addInterfaces<Aliases, Inliner>();
}

#include "ttg_dialect.cpp.inc"
#include "ttg_enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ttg_attrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ttg_types.cpp.inc"
#define GET_OP_CLASSES
#include "ttg_ops.cpp.inc"
