//! PTX as a value: parse it, look at it, count it, print it.
//!
//! [`parse`] reads what LLVM's NVPTX backend prints (PTX 6 to 9, with inline assembly) into a [`Module`];
//! `module.to_string()` prints it back, and the printed text parses to an equal module.
//! [`rewrite`] writes texts again, for what ptxas makes of them. Debug sections are skipped. No instruction is interpreted here: an opcode is a word with modifiers, whose first part is a
//! [`Mnemonic`] where PTX has it.

mod ast;
mod constants;
mod control_flow;
mod declarations;
mod in_flight;
mod lexer;
mod liveness;
mod memory_waits;
mod mnemonic;
mod operands;
mod parser;
mod print;
mod reflect;
pub mod rewrite;
mod straight_accesses;
mod types;

pub use ast::*;
pub use memory_waits::LoopLoads;
pub use mnemonic::{Mnemonic, Successor};
pub use parser::parse;
pub use reflect::{Parameter, Requirement};
pub use straight_accesses::StraightAccesses;
pub use types::{Linkage, Space, Type};
