// The C functions that src/code/ffi.rs declares for long functions: what LLVM's C API does not offer.
#include "llvm-c/Core.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"

using namespace llvm;

namespace {

// Passes of the code generator ask it, by their names, whether they are wanted. It has no state, so contexts share it.
struct Gate final : OptPassGate {
  explicit Gate(bool preparation) : preparation(preparation) {}
  bool shouldRunPass(StringRef pass, StringRef) const override {
    return pass != "slsr" && (preparation || pass != "codegenprepare");
  }
  bool isEnabled() const override { return true; }

private:
  const bool preparation;
};

} // namespace

extern "C" {

void tkSkipPasses(LLVMContextRef context, LLVMBool preparation_too) {
  static Gate with_preparation(true), without_preparation(false);
  unwrap(context)->setOptPassGate(preparation_too ? without_preparation : with_preparation);
}

void tkSplitBlocks(LLVMModuleRef module, unsigned most) {
  for (Function &function : *unwrap(module)) {
    // A cut puts the rest behind its block, so the walk comes to it next.
    for (BasicBlock &block : function) {
      auto next = block.getFirstNonPHIIt();
      for (unsigned count = 0; count < most && next != block.end(); ++count)
        ++next;
      if (next != block.end() && !next->isTerminator())
        block.splitBasicBlock(next);
    }
  }
}
}
