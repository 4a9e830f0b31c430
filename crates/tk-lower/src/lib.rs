//! Checked kernel to tt IR: one checked op becomes about one MLIR op.
//!
//! Nothing is decided here; what the words of a checked kernel mean is settled in `tk-check`, and what they become later
//! is settled by the passes. The ops carry the variable names and places of the source.

#![deny(clippy::wildcard_enum_match_arm)]

mod attributes;
mod control;
mod locations;
mod ops;
mod types;

use locations::Locations;
use rustc_hash::FxHashMap;
use tk_check::checked::{self, Kernel, Value};
use tk_diag::{Diagnostic, Result};
use tk_ir::{Attribute, Block, Context, Module, Op, OpKind, OpSpec, Type};
use tk_types::Facts;

/// Builds a module with one public `tt.func` from a checked kernel, and private ones from its functions.
///
/// # Errors
/// A bug diagnostic when the kernel breaks the promises of [`tk_check::checked`].
pub fn lower<'c>(context: &'c Context, kernel: &Kernel) -> Result<Module<'c>> {
    let mut locations = Locations::new(context, kernel);
    let at = locations.of_span(kernel.params.first().map(|p| p.span).unwrap_or_default());
    let module = Module::new(context, at);
    let inputs: Vec<Type<'c>> = kernel.params.iter().map(|p| types::of(context, kernel.ty(p.value))).collect();
    let region = context.region();
    let entry = region.new_block(&[], at);
    for (param, ty) in kernel.params.iter().zip(&inputs) {
        let place = locations.of_span(param.span);
        entry.add_argument(*ty, context.name_loc(&param.name, place));
    }
    let function = OpSpec::new(OpKind::TtFunc)
        .attr("sym_name", context.string_attr(&kernel.name))
        .attr("sym_visibility", context.string_attr("public"))
        .attr("function_type", context.type_attr(context.function_type(&inputs, &[])))
        .attr("arg_attrs", argument_attributes(context, kernel))
        .attr("noinline", context.bool_attr(false))
        .region(region)
        .create(at);
    module.body().append(function);
    let mut lowering = Lowering { context, kernel, locations, values: FxHashMap::default(), before_hints: Vec::new() };
    for (param, argument) in kernel.params.iter().zip(entry.arguments()) {
        lowering.values.insert(param.value, argument);
    }
    lowering.block_into(&kernel.body, entry)?;
    entry.append(OpSpec::new(OpKind::TtReturn).create(at));
    kernel.functions.iter().try_for_each(|function| lowering.function(function, &module))?;
    Ok(module)
}

fn argument_attributes<'c>(context: &'c Context, kernel: &Kernel) -> Attribute<'c> {
    let attributes: Vec<Attribute<'c>> = kernel
        .params
        .iter()
        .map(|param| {
            let number = |value: u32| context.int_attr(context.i(32), i64::from(value));
            let Facts { multiple_of, is_positive } = param.facts;
            let divisibility = (multiple_of > 1).then(|| (tk_ir::attributes::DIVISIBILITY, number(multiple_of)));
            let positive = is_positive.then(|| (tk_ir::attributes::POSITIVE, number(1)));
            let descriptor = param.descriptor;
            let padding = descriptor.pad_nan.then(|| (tk_ir::attributes::PADDING, number(attributes::padding(true))));
            let ragged = descriptor.ragged.then(|| (tk_ir::attributes::RAGGED, number(1)));
            context
                .dict_attr(&divisibility.into_iter().chain(positive).chain(padding).chain(ragged).collect::<Vec<_>>())
        })
        .collect();
    context.array_attr(&attributes)
}

/// The state of one lowering: which IR value each checked value became.
struct Lowering<'c, 'k> {
    context: &'c Context,
    kernel: &'k Kernel,
    locations: Locations<'c, 'k>,
    values: FxHashMap<Value, tk_ir::Value<'c>>,
    /// What values were before hints in the blocks that are being lowered, in the order of the hints.
    before_hints: Vec<(Value, tk_ir::Value<'c>)>,
}

impl<'c> Lowering<'c, '_> {
    /// Lowers the ops of a block to the end of `target`; the yields, and what hints in the block changed, are left to the caller.
    fn block_into(&mut self, block: &checked::Block, target: Block<'c>) -> Result<()> {
        block.ops.iter().try_for_each(|op| self.op(op, target))
    }

    /// A private function, at the end of the module.
    fn function(&mut self, function: &checked::Function, module: &Module<'c>) -> Result<()> {
        let (context, at) = (self.context, self.locations.of_span(function.span));
        let (inputs, results) = (self.types(&function.body.args), self.types(&function.body.yields));
        let region = self.region(&function.body, OpKind::TtReturn, at)?;
        let function = OpSpec::new(OpKind::TtFunc)
            .attr("sym_name", context.string_attr(&function.name))
            .attr("sym_visibility", context.string_attr("private"))
            .attr("function_type", context.type_attr(context.function_type(&inputs, &results)))
            .attr("noinline", context.bool_attr(function.is_noinline))
            .region(region)
            .create(at);
        module.body().append(function);
        Ok(())
    }

    fn value(&self, value: Value) -> Result<tk_ir::Value<'c>> {
        let found = self.values.get(&value).copied();
        found.ok_or_else(|| Diagnostic::bug(format!("checked value {} is used before it is defined", value.0)).boxed())
    }

    fn values(&self, values: &[Value]) -> Result<Vec<tk_ir::Value<'c>>> {
        values.iter().map(|value| self.value(*value)).collect()
    }

    fn ty(&self, value: Value) -> Type<'c> {
        types::of(self.context, self.kernel.ty(value))
    }

    fn types(&self, values: &[Value]) -> Vec<Type<'c>> {
        values.iter().map(|value| self.ty(*value)).collect()
    }

    /// Records that the results of `op` are these checked values.
    fn bind(&mut self, results: &[Value], op: Op<'c>) {
        for (index, result) in results.iter().enumerate() {
            self.values.insert(*result, op.result(index));
        }
    }

    fn bind_arguments(&mut self, arguments: &[Value], block: Block<'c>) {
        for (index, argument) in arguments.iter().enumerate() {
            self.values.insert(*argument, block.argument(index));
        }
    }
}
