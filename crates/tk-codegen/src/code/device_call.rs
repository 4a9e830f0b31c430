//! Functions of the module that call each other: their LLVM types, calls and returns.
//!
//! A tensor is the registers that a thread holds of it, each a parameter of its own; results are one struct. PTX passes both through
//! `.param` memory, which ptxas keeps in registers where it can.

use super::flow::refused;
use super::reg::{Reg, Ty};
use super::{Code, llvm_type};
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::context::Context;
use inkwell::module::{Linkage, Module};
use inkwell::types::{BasicMetadataTypeEnum, BasicType, BasicTypeEnum};
use inkwell::values::{BasicValueEnum, FunctionValue};
use tk_diag::Result;

/// The function of this name, declared when it is not there yet.
pub(crate) fn device_function<'l>(
    context: &'l Context,
    module: &Module<'l>,
    name: &str,
    parameters: &[Ty],
    results: &[Ty],
) -> FunctionValue<'l> {
    if let Some(function) = module.get_function(name) {
        return function;
    }
    let types: Vec<BasicMetadataTypeEnum> = parameters.iter().map(|ty| llvm_type(context, *ty).into()).collect();
    let results: Vec<BasicTypeEnum> = results.iter().map(|ty| llvm_type(context, *ty)).collect();
    let ty = match results.as_slice() {
        [] => context.void_type().fn_type(&types, false),
        [one] => one.fn_type(&types, false),
        many => context.struct_type(many, false).fn_type(&types, false),
    };
    let function = module.add_function(name, ty, Some(Linkage::Internal));
    // All threads of a warp come together, since there may be barriers inside.
    for attribute in ["noinline", "nounwind", "convergent"] {
        let kind = Attribute::get_named_enum_kind_id(attribute);
        function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(kind, 0));
    }
    function
}

impl<'l> Code<'l> {
    /// Calls a function of the module and gives its results.
    pub(crate) fn call_device(&mut self, name: &str, args: &[Reg], results: &[Ty]) -> Result<Vec<Reg>> {
        let mut values: Vec<BasicValueEnum<'l>> = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value(*arg)?);
        }
        let types: Vec<Ty> = args.iter().map(|arg| arg.ty()).collect();
        let function = device_function(self.context, &self.module, name, &types, results);
        self.places.apply(&self.builder, self.place);
        let call = self.call(function, &values).map_err(refused)?;
        let convergent = Attribute::get_named_enum_kind_id("convergent");
        call.add_attribute(AttributeLoc::Function, self.context.create_enum_attribute(convergent, 0));
        self.results_of(call, results, &format!("`{name}`"))
    }

    /// Ends a function that has results.
    pub(crate) fn finish_with(&mut self, results: &[Reg]) -> Result<()> {
        let mut values = Vec::with_capacity(results.len());
        for result in results {
            values.push(self.value(*result)?);
        }
        self.places.apply(&self.builder, self.place);
        let end = match values.as_slice() {
            [] => return self.finish(),
            [one] => self.builder.build_return(Some(one)),
            many => self.builder.build_aggregate_return(many),
        };
        self.end_block(end.map_err(refused)?);
        Ok(())
    }
}
