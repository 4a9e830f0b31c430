import triton
import triton.language as tl

from ..shadows import gate

__all__ = ["LIMIT", "joined", "largest", "total", "Pair"]
LIMIT = 99
_HIDDEN = 1


@triton.jit
def joined(a, b):
    return a + b


@triton.jit
def total(x):
    return tl.reduce(x, 0, joined)


@triton.jit
def largest(x):
    return tl.max(gate(x), 0) / 100


@triton.aggregate
class Pair:
    sum: tl.tensor
    most: tl.tensor

    @triton.jit
    def spread(self):
        return self.sum - self.most, total_of(self.sum, self.most)


@triton.jit
def total_of(a, b):
    return joined(a, b)
