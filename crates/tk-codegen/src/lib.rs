//! ttg IR to LLVM IR to PTX.
