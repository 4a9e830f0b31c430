//! Checked kernel to tt IR.
