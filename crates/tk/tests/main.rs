//! The tests of sessions, one program: it links MLIR.

mod descriptors;
mod fingerprint;
mod imports;
mod machine_code;
mod session;
