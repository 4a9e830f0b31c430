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


@triton.jit
def select_one(x, mask, dim, keep_dims=False):
    # The mask leaves one element along `dim`; as an integer it survives the sum as it is, NaN too.
    bits = x.to(tl.core.get_int_dtype(x.dtype.primitive_bitwidth, signed=False), bitcast=True)
    return tl.sum(bits * mask, dim, keep_dims=keep_dims).to(x.dtype, bitcast=True)


@triton.jit
def bucketize_binary_search(
    values,
    boundaries_ptr,
    BOUNDARIES_SIZE,
    BOUNDARIES_UNDERLYING_NUMEL,
    BOUNDARIES_STRIDE,
    boundary_indices,
    indexing_dtype,
    right,
    sorter_ptr,
    SORTER_STRIDE,
    sorter_indices,
):
    # The first boundary that is not below the value (or, closed on the left, that is above it) lies in [first, behind).
    first = tl.zeros(values.shape, dtype=indexing_dtype)
    behind = tl.full(values.shape, BOUNDARIES_SIZE, dtype=indexing_dtype)
    candidates = BOUNDARIES_SIZE + 1
    while candidates > 1:
        middle = (first + behind) // 2
        is_boundary = (middle < BOUNDARIES_SIZE) & (middle * BOUNDARIES_STRIDE + boundary_indices < BOUNDARIES_UNDERLYING_NUMEL)
        if sorter_ptr is None or SORTER_STRIDE is None:
            place = middle
        else:
            place = tl.load(sorter_ptr + sorter_indices + SORTER_STRIDE * middle, mask=is_boundary, other=0)
        boundary = tl.load(boundaries_ptr + boundary_indices + BOUNDARIES_STRIDE * place, mask=is_boundary, other=0)
        if right:
            is_behind = values >= boundary
        else:
            is_behind = values > boundary
        first = tl.where(is_behind & is_boundary, middle + 1, first)
        behind = tl.where(is_behind, behind, middle)
        candidates = (candidates + 1) // 2
    return first


@triton.jit
def _published(value, flag: tl.constexpr, BITS: tl.constexpr, PAIR: tl.constexpr):
    # A value and what is known of it, in one word that is written at once.
    width: tl.constexpr = BITS.primitive_bitwidth
    return (value.to(BITS, bitcast=True).to(PAIR) << width) | flag


@triton.jit
def exclusive_scan_decoupled_lookback(scratch_base, block_value, index, combine_fn, DTYPE_VALUE_AS_UINT: tl.constexpr, DTYPE_PACK: tl.constexpr):
    # A block says what it has itself (flag 1), adds what those before it have, up to the first that knows its whole prefix (flag 2), and
    # says its own. Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
    dtype = block_value.dtype
    width: tl.constexpr = DTYPE_VALUE_AS_UINT.primitive_bitwidth
    if index > 0:
        tl.atomic_xchg(scratch_base + index, _published(block_value, 1, DTYPE_VALUE_AS_UINT, DTYPE_PACK), sem="relaxed")
    before = tl.zeros([], dtype)
    inclusive = block_value
    is_first = True
    looked_at = index - 1
    while looked_at >= 0:
        word = tl.atomic_add(scratch_base + looked_at, 0, sem="relaxed")
        while word.to(DTYPE_VALUE_AS_UINT) == 0:
            word = tl.atomic_add(scratch_base + looked_at, 0, sem="relaxed")
        value = (word >> width).to(DTYPE_VALUE_AS_UINT).to(dtype, bitcast=True)
        before = value if is_first else combine_fn(value, before)
        is_first = False
        looked_at = tl.where(word.to(DTYPE_VALUE_AS_UINT) == 2, -1, looked_at - 1)
    if not is_first:
        inclusive = combine_fn(before, block_value)
    tl.atomic_xchg(scratch_base + index, _published(inclusive, 2, DTYPE_VALUE_AS_UINT, DTYPE_PACK), sem="relaxed")
    return before


@triton.jit
def exclusive_scan_decoupled_lookback_64(scratch_base, block_value, index, combine_fn):
    # As above, for values that fill a word: each block has a word for its flag, one for its own value, and one for its prefix.
    dtype = block_value.dtype
    one = tl.full([], 1, tl.uint64)
    if index > 0:
        tl.store(scratch_base + 3 * index + 1, block_value.to(tl.uint64, bitcast=True))
        tl.debug_barrier()
        tl.atomic_xchg(scratch_base + 3 * index, one, sem="release")
    before = tl.zeros([], dtype)
    inclusive = block_value
    is_first = True
    looked_at = index - 1
    while looked_at >= 0:
        flag = tl.atomic_add(scratch_base + 3 * looked_at, one - 1, sem="acquire")
        while flag == 0:
            flag = tl.atomic_add(scratch_base + 3 * looked_at, one - 1, sem="acquire")
        value = tl.load(scratch_base + 3 * looked_at + flag.to(tl.int32), volatile=True).to(dtype, bitcast=True)
        before = value if is_first else combine_fn(value, before)
        is_first = False
        looked_at = tl.where(flag == 2, -1, looked_at - 1)
    if not is_first:
        inclusive = combine_fn(before, block_value)
    tl.store(scratch_base + 3 * index + 2, inclusive.to(tl.uint64, bitcast=True))
    tl.debug_barrier()
    tl.atomic_xchg(scratch_base + 3 * index, one + 1, sem="release")
    return before


@triton.jit
def _comes_after(a, b, a_index, b_index, stable: tl.constexpr, descending: tl.constexpr):
    # NaN is greater than every number.
    if descending:
        after = a < b
    else:
        after = a > b
    is_tie = a == b
    if is_floating(a):
        if descending:
            after |= (b != b) & (a == a)
        else:
            after |= (a != a) & (b == b)
        is_tie |= (a != a) & (b != b)
    if stable:
        after |= is_tie & (a_index > b_index)
    return after


@triton.jit
def _of_pair(x, side: tl.constexpr, pairs: tl.constexpr):
    # Both elements of a pair get the one of this side.
    bits = tl.core.get_int_dtype(x.dtype.primitive_bitwidth, signed=True)
    is_side = (tl.arange(0, 2) == side)[None, :, None].to(bits)
    chosen = tl.sum(tl.reshape(x, pairs).to(bits, bitcast=True) * is_side, 1).to(bits)[:, None, :]
    return tl.reshape(tl.broadcast_to(chosen, pairs), x.shape).to(x.dtype, bitcast=True)


@triton.jit
def sort_with_index(x, idxs, rnumel, dim: tl.constexpr = None, stable: tl.constexpr = False, descending: tl.constexpr = False):
    # A bitonic network along the last dimension; what lies behind `rnumel` stays behind everything.
    x, idxs = tl.broadcast(x, idxs)
    tl.static_assert(dim is None or dim == len(x.shape) - 1, "only the last dimension can be sorted")
    SIZE: tl.constexpr = x.shape[len(x.shape) - 1]
    ROUNDS: tl.constexpr = tl.core.constexpr(SIZE.bit_length() - 1)
    # The place of an element in its row, without the layout of `x`.
    place = tl.reshape(tl.broadcast_to(tl.arange(0, SIZE)[None, :], [x.numel // SIZE, SIZE]), x.shape)
    for round in tl.static_range(ROUNDS):
        for step in tl.static_range(round + 1):
            DISTANCE: tl.constexpr = 2 ** (round - step)
            PAIRS: tl.constexpr = [x.numel // (2 * DISTANCE), 2, DISTANCE]
            left, right = _of_pair(x, 0, PAIRS), _of_pair(x, 1, PAIRS)
            left_index, right_index = _of_pair(idxs, 0, PAIRS), _of_pair(idxs, 1, PAIRS)
            swaps = _comes_after(left, right, left_index, right_index, stable, descending)
            if rnumel is not None:
                swaps = (swaps | (left_index >= rnumel)) & (right_index < rnumel)
            # Alternate blocks are sorted backwards, but in the last round.
            is_backwards = (place & (2 * 2**round)) != 0 if round + 1 < ROUNDS else place < 0
            both_behind = (left_index >= rnumel) & (right_index >= rnumel) if rnumel is not None else place < 0
            swaps = tl.where(is_backwards & ~both_behind, ~swaps, swaps)
            is_left = (place & DISTANCE) == 0
            takes_left = is_left ^ swaps
            x = tl.where(takes_left, left, right)
            idxs = tl.where(takes_left, left_index, right_index)
    return x, idxs
