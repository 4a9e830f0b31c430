//! The tests of the language server, one program: scripted sessions over a connection in memory.

mod client;
mod editing;
mod hostile;
mod session;
mod typing;
