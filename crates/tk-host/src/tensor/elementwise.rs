//! Element by element: unary functions, operators with broadcasting, and `where`.

use super::Tensor;
use super::array::{Array, broadcast_shape, promote};
use crate::exception::{Exception, Result};
use ndarray::{ArrayD, IxDyn, Zip};
use tk_types::ScalarKind;
use tk_types::ScalarType::{self, *};

/// One side of an operator.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) tensor: Tensor,
    /// A Python number, whose type gives way to that of a tensor.
    pub(crate) is_number: bool,
}

impl Operand {
    pub(crate) fn tensor(tensor: Tensor) -> Self {
        Self { tensor, is_number: false }
    }

    pub(crate) fn float(value: f64) -> Self {
        Self { tensor: Tensor::from_bytes(F64, Vec::new(), value.to_le_bytes().to_vec()), is_number: true }
    }

    pub(crate) fn int(value: i64) -> Self {
        Self { tensor: Tensor::from_bytes(I64, Vec::new(), value.to_le_bytes().to_vec()), is_number: true }
    }

    pub(crate) fn bool(value: bool) -> Self {
        Self { tensor: Tensor::from_bytes(I1, Vec::new(), vec![u8::from(value)]), is_number: true }
    }

    /// The type it counts as when it decides the type of the result: a Python float is torch's default, `float32`.
    fn own_type(&self) -> ScalarType {
        if self.is_number && self.tensor.dtype == F64 { F32 } else { self.tensor.dtype }
    }

    /// Numbers, and tensors without dimensions, only raise the kind of the other side's type.
    fn is_weak(&self) -> bool {
        self.is_number || self.tensor.rank() == 0
    }
}

/// The type that torch gives the result of an operator.
pub(crate) fn result_type(left: &Operand, right: &Operand) -> ScalarType {
    let (l, r) = (left.own_type(), right.own_type());
    let rank = |operand: &Operand| (!operand.is_weak(), !operand.is_number);
    let (strong, weak) = match rank(left).cmp(&rank(right)) {
        std::cmp::Ordering::Equal => return promote(l, r),
        std::cmp::Ordering::Greater => (l, r),
        std::cmp::Ordering::Less => (r, l),
    };
    if weak.kind() > strong.kind() { weak } else { strong }
}

/// Operators on two tensors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Maximum,
    Minimum,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LogicalAnd,
    LogicalOr,
}

impl Operator {
    fn is_comparison(self) -> bool {
        use Operator::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge | LogicalAnd | LogicalOr)
    }

    fn floats(self, a: f64, b: f64) -> Option<f64> {
        let truth = |value: bool| if value { 1.0 } else { 0.0 };
        Some(match self {
            Operator::Add => a + b,
            Operator::Sub => a - b,
            Operator::Mul => a * b,
            Operator::Div => a / b,
            Operator::FloorDiv => (a / b).floor(),
            Operator::Mod => crate::number::float_mod(a, b),
            Operator::Pow => a.powf(b),
            Operator::Maximum => {
                if a.is_nan() || b.is_nan() {
                    f64::NAN
                } else {
                    a.max(b)
                }
            }
            Operator::Minimum => {
                if a.is_nan() || b.is_nan() {
                    f64::NAN
                } else {
                    a.min(b)
                }
            }
            Operator::Eq => truth(a == b),
            Operator::Ne => truth(a != b),
            Operator::Lt => truth(a < b),
            Operator::Le => truth(a <= b),
            Operator::Gt => truth(a > b),
            Operator::Ge => truth(a >= b),
            Operator::LogicalAnd => truth(a != 0.0 && b != 0.0),
            Operator::LogicalOr => truth(a != 0.0 || b != 0.0),
            Operator::BitAnd | Operator::BitOr | Operator::BitXor | Operator::Shl | Operator::Shr => return None,
        })
    }

    fn ints(self, a: i64, b: i64) -> Option<i64> {
        Some(match self {
            Operator::Add => a.wrapping_add(b),
            Operator::Sub => a.wrapping_sub(b),
            Operator::Mul => a.wrapping_mul(b),
            Operator::Div => return None,
            Operator::FloorDiv if b == 0 => return None,
            Operator::Mod if b == 0 => return None,
            Operator::FloorDiv => a.wrapping_div(b) - i64::from(a.wrapping_rem(b) != 0 && (a < 0) != (b < 0)),
            Operator::Mod => {
                let rest = a.wrapping_rem(b);
                if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
            }
            Operator::Pow => match u32::try_from(b) {
                Ok(exponent) => a.wrapping_pow(exponent),
                Err(_) => return None,
            },
            Operator::BitAnd => a & b,
            Operator::BitOr => a | b,
            Operator::BitXor => a ^ b,
            Operator::Shl => {
                if (0..64).contains(&b) {
                    a << b
                } else {
                    0
                }
            }
            Operator::Shr => a >> b.clamp(0, 63),
            Operator::Maximum => a.max(b),
            Operator::Minimum => a.min(b),
            Operator::Eq => i64::from(a == b),
            Operator::Ne => i64::from(a != b),
            Operator::Lt => i64::from(a < b),
            Operator::Le => i64::from(a <= b),
            Operator::Gt => i64::from(a > b),
            Operator::Ge => i64::from(a >= b),
            Operator::LogicalAnd => i64::from(a != 0 && b != 0),
            Operator::LogicalOr => i64::from(a != 0 || b != 0),
        })
    }
}

/// Applies an operator with broadcasting; the result has torch's type for it.
pub(crate) fn binary(op: Operator, left: &Operand, right: &Operand) -> Result<Tensor> {
    let common = result_type(left, right);
    let divides = op == Operator::Div && common.is_int();
    let dtype = match op {
        _ if op.is_comparison() => I1,
        _ if divides => F32,
        _ => common,
    };
    let shape = broadcast_shape(&left.tensor.shape, &right.tensor.shape)?;
    let elements = super::checked_count(&shape)?;
    super::check_work(left.tensor.count().saturating_add(right.tensor.count()).saturating_add(elements))?;
    let bits = matches!(op, Operator::BitAnd | Operator::BitOr | Operator::BitXor | Operator::Shl | Operator::Shr);
    if bits && common.is_float() {
        return Err(Exception::ty(format!(
            "bit operators need integers or booleans, not {}",
            super::torch_name(common)
        )));
    }
    if common.is_float() || divides {
        let (a, b) = (left.tensor.floats(), right.tensor.floats());
        let result = zip(&a, &b, &shape, |a, b| op.floats(a, b).unwrap_or(f64::NAN))?;
        return Ok(Array::Float(result).to_tensor(dtype));
    }
    let (a, b) = (left.tensor.ints(), right.tensor.ints());
    let mut failed = false;
    let result = zip(&a, &b, &shape, |a, b| {
        op.ints(a, b).unwrap_or_else(|| {
            failed = true;
            0
        })
    })?;
    if failed {
        let message = match op {
            Operator::Pow => "an integer tensor to a negative power".to_string(),
            _ => "an integer tensor is divided by zero".to_string(),
        };
        return Err(Exception::new("ZeroDivisionError", tk_diag::HOST_ERROR, message));
    }
    Ok(Array::Int(result).to_tensor(dtype))
}

/// Applies `f` to the elements of two arrays broadcast to `shape`.
fn zip<T: Copy>(a: &ArrayD<T>, b: &ArrayD<T>, shape: &[usize], mut f: impl FnMut(T, T) -> T) -> Result<ArrayD<T>> {
    let fail = || Exception::shape("shapes do not broadcast");
    let a = a.broadcast(IxDyn(shape)).ok_or_else(fail)?;
    let b = b.broadcast(IxDyn(shape)).ok_or_else(fail)?;
    Ok(Zip::from(&a).and(&b).map_collect(|a, b| f(*a, *b)))
}

/// `torch.where(condition, a, b)`.
pub(crate) fn choose(condition: &Tensor, left: &Operand, right: &Operand) -> Result<Tensor> {
    let dtype = result_type(left, right);
    let shape = broadcast_shape(&left.tensor.shape, &right.tensor.shape)?;
    let shape = broadcast_shape(&condition.shape, &shape)?;
    let sizes: Vec<i128> = shape.iter().map(|size| *size as i128).collect();
    // The condition, the choices and both sides.
    super::check_work(super::checked_count(&shape)?.saturating_mul(6))?;
    let chosen = condition.expand(&sizes)?.read(super::number::read_i64);
    let (a, b) = (left.tensor.expand(&sizes)?, right.tensor.expand(&sizes)?);
    let pick = |i: usize, yes: i64| if yes != 0 { (true, i) } else { (false, i) };
    let picks: Vec<(bool, usize)> = chosen.iter().enumerate().map(|(i, yes)| pick(i, *yes)).collect();
    let array = if dtype.is_float() {
        let (a, b) = (a.read(super::number::read_f64), b.read(super::number::read_f64));
        let values = picks.iter().map(|(yes, i)| if *yes { a[*i] } else { b[*i] }).collect();
        Array::Float(from_vec(&shape, values)?)
    } else {
        let (a, b) = (a.read(super::number::read_i64), b.read(super::number::read_i64));
        let values = picks.iter().map(|(yes, i)| if *yes { a[*i] } else { b[*i] }).collect();
        Array::Int(from_vec(&shape, values)?)
    };
    Ok(array.to_tensor(dtype))
}

/// An array of this shape; the values are in row-major order.
pub(crate) fn from_vec<T>(shape: &[usize], values: Vec<T>) -> Result<ArrayD<T>> {
    ArrayD::from_shape_vec(IxDyn(shape), values).map_err(|_| Exception::shape("the elements do not fill the shape"))
}

/// A function of one element.
#[derive(Clone, Copy)]
pub(crate) enum Unary {
    /// The result has the type of the tensor; integers become `float32`.
    Float(fn(f64) -> f64),
    /// The result has the type of the tensor, integers included.
    Keeping(fn(f64) -> f64, fn(i64) -> i64),
    /// The result is boolean.
    Test(fn(f64) -> bool),
}

/// The functions of one element, by torch's names.
pub(crate) const UNARY: &[(&str, Unary)] = &[
    ("exp", Unary::Float(f64::exp)),
    ("exp2", Unary::Float(f64::exp2)),
    ("expm1", Unary::Float(f64::exp_m1)),
    ("log", Unary::Float(f64::ln)),
    ("log2", Unary::Float(f64::log2)),
    ("log10", Unary::Float(f64::log10)),
    ("log1p", Unary::Float(f64::ln_1p)),
    ("sqrt", Unary::Float(f64::sqrt)),
    ("rsqrt", Unary::Float(|x| 1.0 / x.sqrt())),
    ("reciprocal", Unary::Float(|x| 1.0 / x)),
    ("sin", Unary::Float(f64::sin)),
    ("cos", Unary::Float(f64::cos)),
    ("tan", Unary::Float(f64::tan)),
    ("tanh", Unary::Float(f64::tanh)),
    ("sigmoid", Unary::Float(sigmoid)),
    ("erf", Unary::Float(libm::erf)),
    ("silu", Unary::Float(|x| x * sigmoid(x))),
    ("softplus", Unary::Float(|x| if x > 20.0 { x } else { x.exp().ln_1p() })),
    ("logsigmoid", Unary::Float(|x| x.min(0.0) - (-x.abs()).exp().ln_1p())),
    ("isnan", Unary::Test(f64::is_nan)),
    ("isinf", Unary::Test(f64::is_infinite)),
    ("isfinite", Unary::Test(f64::is_finite)),
    ("logical_not", Unary::Test(|x| x == 0.0)),
    ("abs", Unary::Keeping(f64::abs, i64::wrapping_abs)),
    ("neg", Unary::Keeping(|x| -x, i64::wrapping_neg)),
    ("floor", Unary::Keeping(f64::floor, |x| x)),
    ("ceil", Unary::Keeping(f64::ceil, |x| x)),
    ("round", Unary::Keeping(f64::round_ties_even, |x| x)),
    ("trunc", Unary::Keeping(f64::trunc, |x| x)),
    ("sign", Unary::Keeping(|x| if x == 0.0 || x.is_nan() { x } else { x.signum() }, i64::signum)),
    ("square", Unary::Keeping(|x| x * x, |x| x.wrapping_mul(x))),
    ("relu", Unary::Keeping(|x| if x.is_nan() { x } else { x.max(0.0) }, |x| x.max(0))),
];

/// `gelu`, exactly.
pub(crate) const GELU: Unary = Unary::Float(|x| 0.5 * x * (1.0 + libm::erf(x * std::f64::consts::FRAC_1_SQRT_2)));

/// `gelu` with `approximate='tanh'`.
pub(crate) const GELU_TANH: Unary =
    Unary::Float(|x| 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x)).tanh()));

/// The function of one element with this name, of all elements of a tensor.
pub(crate) fn unary(name: &str, tensor: &Tensor) -> Option<Tensor> {
    UNARY.iter().find(|(known, _)| *known == name).map(|(_, function)| function.apply(tensor))
}

impl Unary {
    /// The function of all elements of a tensor.
    pub(crate) fn apply(self, tensor: &Tensor) -> Tensor {
        match self {
            Unary::Float(f) => {
                let dtype = if tensor.dtype.is_float() { tensor.dtype } else { F32 };
                Array::Float(tensor.floats().mapv_into(f)).to_tensor(dtype)
            }
            Unary::Keeping(float, int) => {
                let array = match tensor.array() {
                    Array::Float(array) => Array::Float(array.mapv_into(float)),
                    Array::Int(array) => Array::Int(array.mapv_into(int)),
                };
                array.to_tensor(tensor.dtype)
            }
            Unary::Test(test) => Array::Int(tensor.floats().mapv(|x| i64::from(test(x)))).to_tensor(I1),
        }
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// `~x`: of booleans the logical, of integers the bitwise complement.
pub(crate) fn invert(tensor: &Tensor) -> Result<Tensor> {
    super::check_work(tensor.count())?;
    match tensor.dtype.kind() {
        ScalarKind::Bool => Ok(Array::Int(tensor.ints().mapv_into(|x| 1 - x)).to_tensor(I1)),
        ScalarKind::Int => Ok(Array::Int(tensor.ints().mapv_into(|x| !x)).to_tensor(tensor.dtype)),
        ScalarKind::Float => Err(Exception::ty("`~` needs integers or booleans")),
    }
}
