//! The tests of code generation, one program: it links MLIR and LLVM.

mod assembler;
mod dot;
mod harness;
mod hopper;
mod operations;
mod run;
