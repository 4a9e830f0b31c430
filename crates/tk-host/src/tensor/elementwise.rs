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

/// Unary functions with a result of the same type; integers become `float32` where torch makes them so.
pub(crate) fn unary(name: &str, tensor: &Tensor) -> Option<Tensor> {
    if let Some(result) = kind_preserving(name, tensor) {
        return Some(result);
    }
    let f: fn(f64) -> f64 = match name {
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "expm1" => f64::exp_m1,
        "log" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "log1p" => f64::ln_1p,
        "sqrt" => f64::sqrt,
        "rsqrt" => |x| 1.0 / x.sqrt(),
        "reciprocal" => |x| 1.0 / x,
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "tanh" => f64::tanh,
        "sigmoid" => sigmoid,
        "erf" => libm::erf,
        "silu" => |x| x * sigmoid(x),
        "gelu" => |x| 0.5 * x * (1.0 + libm::erf(x * std::f64::consts::FRAC_1_SQRT_2)),
        "gelu_tanh" => |x| 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x)).tanh()),
        "softplus" => |x| if x > 20.0 { x } else { x.exp().ln_1p() },
        _ => return None,
    };
    let dtype = if tensor.dtype.is_float() { tensor.dtype } else { F32 };
    Some(Array::Float(tensor.floats().mapv_into(f)).to_tensor(dtype))
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A function of one element.
type FloatFunction = fn(f64) -> f64;

/// Functions that keep integers integers, and the tests that give booleans.
fn kind_preserving(name: &str, tensor: &Tensor) -> Option<Tensor> {
    let test: Option<fn(f64) -> bool> = match name {
        "isnan" => Some(f64::is_nan),
        "isinf" => Some(f64::is_infinite),
        "isfinite" => Some(f64::is_finite),
        "logical_not" => Some(|x| x == 0.0),
        _ => None,
    };
    if let Some(test) = test {
        let result = tensor.floats().mapv(|x| i64::from(test(x)));
        return Some(Array::Int(result).to_tensor(I1));
    }
    let (float, int): (FloatFunction, fn(i64) -> i64) = match name {
        "abs" => (f64::abs, i64::wrapping_abs),
        "neg" => (|x| -x, i64::wrapping_neg),
        "floor" => (f64::floor, |x| x),
        "ceil" => (f64::ceil, |x| x),
        "round" => (f64::round_ties_even, |x| x),
        "trunc" => (f64::trunc, |x| x),
        "sign" => (|x| if x == 0.0 || x.is_nan() { x } else { x.signum() }, i64::signum),
        "square" => (|x| x * x, |x| x.wrapping_mul(x)),
        "relu" => (|x| if x.is_nan() { x } else { x.max(0.0) }, |x| x.max(0)),
        _ => return None,
    };
    let array = match tensor.array() {
        Array::Float(array) => Array::Float(array.mapv_into(float)),
        Array::Int(array) => Array::Int(array.mapv_into(int)),
    };
    Some(array.to_tensor(tensor.dtype))
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
