//! The tests of the simulator, one program.

mod bulk;
mod device;
mod hopper;
mod instructions;
mod kernels;
mod matmul;
mod order;
mod dots_in_flight;
mod triton;
mod wgmma;
mod wgmma_layouts;
