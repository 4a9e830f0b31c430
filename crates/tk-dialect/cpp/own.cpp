// Dialect tk: registration.
#include "own.h"

using namespace mlir;

namespace {

struct OwnInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void tk::own::TKDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tk_ops.cpp.inc"
      >();
  addInterfaces<OwnInliner>();
}

#include "tk_dialect.cpp.inc"
#define GET_OP_CLASSES
#include "tk_ops.cpp.inc"
