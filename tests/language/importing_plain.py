# Beside imports.tk: a file that is no package.
import triton
import triton.language as tl

SHIFT = tl.constexpr(20)
calls = 0


@triton.jit
def shifted(x):
    return x + SHIFT


@triton.jit
def double(x):
    return x + x + 0.5


@triton.jit
def names_kernel(x, out, N: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(out + offsets, tl.load(x + offsets) - 5)


@triton.jit
def apply_other(x, out, F: tl.constexpr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(out + offsets, F(tl.load(x + offsets)))


def counted():
    global calls
    calls += 1
    return calls
