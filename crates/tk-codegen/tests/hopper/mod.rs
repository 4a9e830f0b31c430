//! Hopper's own instructions: ttg text of the reference compiler → our PTX → the simulator, which checks every wait, fence and
//! descriptor → compared with an exact reference. `ptxas`, where there is one, must accept the PTX, not spill, and not have to wait
//! for `wgmma` where the program does not.

mod assembled;
mod attention;
mod damaged;
mod descriptor_passes;
mod descriptors;
mod made_descriptors;
mod numbers;
mod pairs;
mod products;
mod repeated;
mod views;
