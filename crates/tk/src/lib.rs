//! The library facade for Rust users.
