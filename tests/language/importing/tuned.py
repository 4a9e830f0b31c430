import triton
import triton.language as tl

from .inner import SHIFT

FACTORS = [32, 64]


@triton.autotune(configs=[triton.Config({"FACTOR": FACTORS[0]}, num_warps=2)], key=[])
@triton.jit
def tuned_kernel(x, out, N: tl.constexpr, FACTOR: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(out + offsets, tl.load(x + offsets) * FACTOR + SHIFT)
