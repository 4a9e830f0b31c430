//! `torch.testing`.

use crate::exception::Result;
use crate::interpreter::args::need;
use crate::interpreter::{Args, convert};
use crate::tensor::Tensor;
use crate::tensor::compare::{self, CheckDtype, Tolerance};
use crate::value::Value;

/// `torch.testing.assert_close`.
pub(super) fn assert_close<'a>(mut args: Args<'a>) -> Result<Value<'a>> {
    args.ignore(&["check_device", "check_stride", "check_layout", "allow_subclasses", "msg"]);
    let name = "assert_close";
    let [actual, expected, relative, absolute, nan, check] =
        args.bind(name, ["actual", "expected", "rtol", "atol", "equal_nan", "check_dtype"])?;
    let side = |value: Option<Value<'a>>, what: &str| -> Result<Tensor> {
        Ok(convert::need_operand(&need(value, name, what)?, what)?.tensor)
    };
    let (actual, expected) = (side(actual, "actual")?, side(expected, "expected")?);
    let given = |value: Option<Value<'a>>| {
        value
            .filter(|value| !matches!(value, Value::None))
            .map(|value| convert::float(&value, "a tolerance"))
            .transpose()
    };
    let (a, b) = (compare::default_tolerance(actual.dtype), compare::default_tolerance(expected.dtype));
    let default = (a.0.max(b.0), a.1.max(b.1));
    let (relative, absolute) = match (given(relative)?, given(absolute)?) {
        (None, None) => default,
        (Some(relative), Some(absolute)) => (relative, absolute),
        // torch asks for both or neither; the one that is missing is 0 here, which is the stricter reading.
        (relative, absolute) => (relative.unwrap_or(0.0), absolute.unwrap_or(0.0)),
    };
    let truth = |value: Option<Value<'a>>, default: bool| value.map_or(Ok(default), |value| value.truth());
    let tolerance = Tolerance { relative, absolute, nan_equals_nan: truth(nan, false)? };
    let check = if truth(check, true)? { CheckDtype::Yes } else { CheckDtype::No };
    compare::assert_close(&actual, &expected, tolerance, check)?;
    Ok(Value::None)
}
