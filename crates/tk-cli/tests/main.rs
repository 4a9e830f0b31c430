//! The program `tk` from outside, in one test program: a test that waits for a browser, an editor or cargo leaves its core to another one.

mod ahead_of_time;
mod documents;
mod editor;
mod explain;
mod rehearsal;
mod scripts;
mod sharing;
mod simulation;
mod tuning;
mod tutorial;
