//! The tests of sessions, one program: it links MLIR.

mod begun;
mod cubins;
mod descriptors;
mod even_turns;
mod fewer_at_once;
mod fingerprint;
mod imports;
mod machine_code;
mod not_told;
mod session;
