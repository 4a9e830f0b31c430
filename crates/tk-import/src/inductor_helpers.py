# The functions that kernels written by torch.compile call from `torch._inductor.runtime.triton_helpers`, in the language of kernels, so that
# such files compile where torch is not installed. Names and parameters are those that the files use.

import triton
import triton.language as tl
from triton.language import math
from triton.language.extra import libdevice


@triton.jit
def promote_to_tensor(x):
    return x + tl.zeros((1,), tl.int1)


@triton.jit
def is_floating(x):
    return promote_to_tensor(x).dtype.is_floating()


@triton.jit
def div_floor_integer(a, b):
    # `//` rounds to zero here, and Python's rounds down.
    quotient = a // b
    rounds_down = (a % b != 0) & ((a < 0) != (b < 0))
    return tl.where(rounds_down, quotient - 1, quotient)


@triton.jit
def remainder_integer(a, b):
    # Python's remainder has the sign of the divisor.
    remainder = a % b
    has_other_sign = (remainder != 0) & ((remainder < 0) != (b < 0))
    return tl.where(has_other_sign, remainder + b, remainder)


@triton.jit
def minimum(a, b):
    takes_a = a < b
    if is_floating(a):
        takes_a |= a != a
    return tl.where(takes_a, a, b)


@triton.jit
def maximum(a, b):
    takes_a = a > b
    if is_floating(a):
        takes_a |= a != a
    return tl.where(takes_a, a, b)


@triton.jit
def min2(a, dim):
    return tl.reduce(a, dim, minimum)


@triton.jit
def max2(a, dim):
    return tl.reduce(a, dim, maximum)


@triton.jit
def _first_of(takes_a, is_tie, a_value, a_index, b_value, b_index):
    # NaN comes before everything, and of equal values the first.
    if is_floating(a_value):
        takes_a |= (a_value != a_value) & (b_value == b_value)
        is_tie |= (a_value != a_value) & (b_value != b_value)
        takes_a &= (b_value == b_value) | is_tie
    takes_a |= is_tie & (a_index < b_index)
    return tl.where(takes_a, a_value, b_value), tl.where(takes_a, a_index, b_index)


@triton.jit
def minimum_with_index(a_value, a_index, b_value, b_index):
    return _first_of(a_value < b_value, a_value == b_value, a_value, a_index, b_value, b_index)


@triton.jit
def maximum_with_index(a_value, a_index, b_value, b_index):
    return _first_of(a_value > b_value, a_value == b_value, a_value, a_index, b_value, b_index)


@triton.jit
def min_with_index(value, index, dim):
    return tl.reduce((value, index), dim, minimum_with_index)


@triton.jit
def max_with_index(value, index, dim):
    return tl.reduce((value, index), dim, maximum_with_index)


@triton.jit
def _multiply(a, b):
    return a * b


@triton.jit
def prod(input, axis):
    return tl.reduce(input, axis, _multiply)


@triton.jit
def _or(a, b):
    return a | b


@triton.jit
def any(a, dim):
    return tl.reduce(a, dim, _or)


@triton.jit
def exp(x, use_fast_math: tl.constexpr):
    if use_fast_math:
        return math.exp(x)
    else:
        return libdevice.exp(x)


@triton.jit
def online_softmax_reduce(lhs_max, lhs_sum, dim, use_fast_math: tl.constexpr):
    greatest = max2(lhs_max, dim)
    kept = tl.expand_dims(greatest, dim)
    # Where everything is masked, the difference of two infinities would be NaN.
    below = tl.where(kept == float("-inf"), 0, lhs_max - kept)
    return greatest, tl.sum(lhs_sum * exp(below, use_fast_math), dim)


@triton.jit
def online_softmax_combine(lhs_max, lhs_sum, rhs_max, use_fast_math: tl.constexpr):
    # The right side is one new element, whose sum is 1.
    greatest = maximum(lhs_max, rhs_max)
    is_masked = greatest == float("-inf")
    scale = tl.where(is_masked, 1.0, exp(lhs_max - greatest, use_fast_math))
    added = tl.where(is_masked, 1.0, exp(rhs_max - greatest, use_fast_math))
    return greatest, lhs_sum * scale + added


@triton.jit
def welford_reduce(value, mean, m2, weight, first_iteration):
    if first_iteration:
        return value, tl.zeros_like(m2), tl.full(weight.shape, 1, weight.dtype)
    else:
        count = weight + 1
        delta = value - mean
        moved = mean + delta / count
        return moved, m2 + delta * (value - moved), count


@triton.jit
def welford_combine(mean_1, m2_1, weight_1, mean_2, m2_2, weight_2):
    count = weight_1 + weight_2
    share = tl.where(count == 0.0, 0.0, weight_2 / count)
    delta = mean_2 - mean_1
    return mean_1 + delta * share, m2_1 + m2_2 + delta * delta * weight_1 * share, count


@triton.jit
def welford(mean, m2, weight, dim):
    return tl.reduce((mean, m2, weight), dim, welford_combine)


@triton.jit
def device_assert_then(cond, msg, r):
    tl.device_assert(cond, msg)
    return r


@triton.jit
def randint64(seed, offset, low, high):
    first, second, _third, _fourth = tl.randint4x(seed, offset)
    bits = first.to(tl.uint64) | (second.to(tl.uint64) << 32)
    size = high - low
    return (bits % size.to(tl.uint64)).to(tl.int64) + low


@triton.jit
def frexp(x):
    exponent = libdevice.ilogb(x) + 1
    return tl.where(x == 0, 0, libdevice.ldexp(x, -exponent)), tl.where(x == 0, 0, exponent)
