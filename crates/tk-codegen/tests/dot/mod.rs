//! Matrix products of every kind: tt or ttg text → PTX → the simulator → compared with an exact reference. `ptxas`, where there is
//! one (on the path or named by `PTXAS`), has to accept the PTX too.

mod fragments;
mod loops;
mod number;
mod precision;
