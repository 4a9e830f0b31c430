// Dialect ttng: registration.
#include "ttng.h"

using namespace mlir;

namespace {

struct TTNGInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void tk::ttng::TTNGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "ttng_ops.cpp.inc"
      >();
  addInterfaces<TTNGInliner>();
}

#include "ttng_dialect.cpp.inc"
#define GET_OP_CLASSES
#include "ttng_ops.cpp.inc"
