//! Generates C++ from `td/` and compiles it with `cpp/`.
fn main() {}
