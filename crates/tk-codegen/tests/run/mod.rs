//! ttg text → PTX → the simulator → compared with a reference, one file per family. One binary, because linking LLVM takes long.

mod control;
mod elementwise;
mod kernels;
mod layouts;
mod partial_sums;
mod warp_reductions;
