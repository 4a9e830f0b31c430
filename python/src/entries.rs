//! The arguments of a launch, one entry for each that the compiler sees.

use crate::value::Value;
use tk_launch::ParamRole;
use tk_types::ConstValue;

/// The arguments of a launch, with tuples taken apart.
#[derive(Default)]
pub(crate) struct Entries<'py> {
    /// The parameter of each.
    pub(crate) params: Vec<usize>,
    pub(crate) values: Vec<Value<'py>>,
}

impl<'py> Entries<'py> {
    /// Adds an argument. A tuple of which parts are passed at run time is a constant that says its length, and then its parts.
    pub(crate) fn add(&mut self, param: usize, value: Value<'py>, role: ParamRole) {
        match value {
            Value::Record(fields, items) if role != ParamRole::Constexpr && !items.is_empty() => {
                self.params.push(param);
                let names = fields.iter().map(|field| ConstValue::Str(field.clone())).collect();
                self.values.push(Value::Constant(ConstValue::Tuple(names)));
                items.into_iter().for_each(|item| self.add(param, item, role));
            }
            Value::Tuple(items) if role != ParamRole::Constexpr && !items.is_empty() => {
                self.params.push(param);
                let length = ConstValue::Tuple(vec![ConstValue::None; items.len()]);
                self.values.push(Value::Constant(length));
                items.into_iter().for_each(|item| self.add(param, item, role));
            }
            value => {
                self.params.push(param);
                self.values.push(value);
            }
        }
    }
}
