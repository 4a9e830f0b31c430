import triton
import triton.language as tl
from .not_here import more

TABLE = {"a": 1}


@triton.jit
def gelu_fast(x):
    return x * tl.sigmoid(1.702 * x)


@triton.jit
def wrong(x):
    return x + tl.arange(0, 3 * x.numel)


@triton.jit
def inner(x):
    return tl.dot(x, x)


@triton.jit
def outer(x):
    return inner(x) * 2


def on_host(x):
    return x


@triton.jit
def needs_more(x):
    return more(x)
