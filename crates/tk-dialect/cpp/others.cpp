// The other dialects and the C functions in one piece: reading MLIR's headers takes most of the time that it takes to compile them.
#include "ttg.cpp"
#include "ttng.cpp"
#include "own.cpp"
#include "accessors.cpp"
