import triton
import triton.language as tl

TABLE = (1, 4, 5, 9)


@triton.jit
def gate(x):
    return x * 100


def square_of(index):
    return TABLE[index]


@triton.constexpr_function
def pick(index):
    return square_of(index)
