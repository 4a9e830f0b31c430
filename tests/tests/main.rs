//! Everything end to end, one program: it links MLIR.

mod addresses;
mod arguments;
mod cases;
mod check;
mod conversions;
mod copies_ahead;
mod counts;
mod coverage;
mod docs;
mod dots;
mod explain;
mod explanations;
mod forms;
mod hostile;
mod instructions;
mod loops;
mod pairs;
mod pipelines;
mod program_order;
mod registers;
mod repositories;
mod safety;
mod suite;
mod turns;
mod tutorial;
mod why;
