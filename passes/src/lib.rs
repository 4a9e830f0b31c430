//! One file per pass.
