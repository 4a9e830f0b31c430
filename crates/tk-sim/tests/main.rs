//! The tests of the simulator, one program.

mod bulk;
mod caches;
mod device;
mod dots_in_flight;
mod global_order;
mod hopper;
mod hostile;
mod instructions;
mod kernels;
mod matmul;
mod order;
mod others;
mod planted;
mod triton;
mod undefined;
mod wgmma;
mod wgmma_layouts;
