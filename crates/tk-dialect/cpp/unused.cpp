// Functions of MLIR's C API to which melior refers and which tk never calls.
//
// Where MLIR defines them, they need every dialect, every pass and all targets of LLVM: half of each program that is linked, and a
// thousand options that constructors register at each start of a process. The linker takes these definitions instead, because they come
// first, and drops them, because nothing that is kept calls them.
#include <cstdlib>

#define UNUSED(name)                                                                                                                       \
  extern "C" void name() { std::abort(); }

UNUSED(mlirRegisterAllDialects)
UNUSED(mlirRegisterAllLLVMTranslations)
UNUSED(mlirRegisterAllPasses)
UNUSED(mlirExecutionEngineCreate)
UNUSED(mlirExecutionEngineDestroy)
UNUSED(mlirExecutionEngineDumpToObjectFile)
UNUSED(mlirExecutionEngineInitialize)
UNUSED(mlirExecutionEngineInvokePacked)
UNUSED(mlirExecutionEngineLookup)
UNUSED(mlirExecutionEngineLookupPacked)
UNUSED(mlirExecutionEngineRegisterSymbol)
