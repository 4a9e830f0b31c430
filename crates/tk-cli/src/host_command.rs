//! `tk run`, `tk test`, `tk bench`: the host functions of a `.tk` file.

use crate::Output;
use crate::arguments::{RunArgs, TestArgs};
use crate::failure::Failure;

pub(crate) fn run(_args: &RunArgs, _output: &mut Output<'_>) -> Result<(), Failure> {
    Err(Failure::usage("not yet"))
}
pub(crate) fn test(_args: &TestArgs, _output: &mut Output<'_>) -> Result<(), Failure> {
    Err(Failure::usage("not yet"))
}
pub(crate) fn bench(_args: &TestArgs, _output: &mut Output<'_>) -> Result<(), Failure> {
    Err(Failure::usage("not yet"))
}
