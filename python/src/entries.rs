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
    /// Adds an argument. A tuple of which parts are passed at run time, and one with named fields, is a constant that says its length or the
    /// names, and then its parts.
    pub(crate) fn add(&mut self, param: usize, value: Value<'py>, role: ParamRole) {
        let is_split = role != ParamRole::Constexpr || has_names(&value);
        self.add_part(param, value, is_split);
    }

    fn add_part(&mut self, param: usize, value: Value<'py>, is_split: bool) {
        let (words, items) = match value {
            Value::Record(fields, items) if is_split && !items.is_empty() => {
                (fields.into_iter().map(ConstValue::Str).collect(), items)
            }
            Value::Tuple(items) if is_split && !items.is_empty() => (vec![ConstValue::None; items.len()], items),
            value => {
                self.params.push(param);
                self.values.push(value);
                return;
            }
        };
        self.params.push(param);
        self.values.push(Value::Constant(ConstValue::Tuple(words)));
        items.into_iter().for_each(|item| self.add_part(param, item, is_split));
    }
}

/// Whether something has fields with names, which a constant alone would lose.
fn has_names(value: &Value<'_>) -> bool {
    match value {
        Value::Record(..) => true,
        Value::Tuple(items) => items.iter().any(has_names),
        Value::Tensor(_) | Value::Descriptor(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_) => false,
        Value::Constant(_) | Value::Function(_) | Value::Object(_) => false,
    }
}
