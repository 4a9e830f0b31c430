import triton
import triton.language as tl

NAME = "a"

from . import circle_b

NAME = NAME + " of " + circle_b.NAME


@triton.jit
def down(depth: tl.constexpr, x):
    if depth == 1:
        return tl.max(x, 0) * 0
    else:
        return circle_b.up(depth // 2, x) + tl.max(x, 0)
