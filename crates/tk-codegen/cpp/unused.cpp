// Functions of llvm-sys to which inkwell refers and which tk never calls: they need all targets of LLVM, and tk has one. The linker takes
// these definitions instead, because they come first, and drops them, because nothing that is kept calls them.
#include <cstdlib>

#define UNUSED(name)                                                                                                                       \
  extern "C" void name() { std::abort(); }

UNUSED(LLVM_InitializeAllTargetInfos)
UNUSED(LLVM_InitializeAllTargets)
UNUSED(LLVM_InitializeAllTargetMCs)
UNUSED(LLVM_InitializeAllAsmPrinters)
UNUSED(LLVM_InitializeAllAsmParsers)
UNUSED(LLVM_InitializeAllDisassemblers)
UNUSED(LLVM_InitializeNativeTarget)
UNUSED(LLVM_InitializeNativeAsmParser)
UNUSED(LLVM_InitializeNativeAsmPrinter)
UNUSED(LLVM_InitializeNativeDisassembler)
