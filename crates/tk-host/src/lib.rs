//! Runs the host functions of a .tk file.
