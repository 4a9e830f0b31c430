//! The dialects tt, ttg and ttng, as MLIR sees them.
