import torch
import triton
import triton.language as tl

SHIFT: tl.constexpr = 1
GAIN_OF_FILE = 2


@triton.jit
def helper(x):
    return x * GAIN_OF_FILE


@triton.jit
def gate(x):
    return helper(x) + SHIFT


@triton.jit
def renamed(x):
    return x - SHIFT


@triton.jit
def scaled_kernel(x, out, scale, N: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(out + offsets, tl.load(x + offsets) * scale + SHIFT)


def launch(x, scale):
    out = torch.empty_like(x)
    scaled_kernel[(1,)](x, out, scale, x.numel())
    return out
