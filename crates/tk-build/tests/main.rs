//! The tests of bundles, one program: it links MLIR.

mod bundles;
