//! The binary `tk`: arguments, files, colours and exit codes.
fn main() {}
