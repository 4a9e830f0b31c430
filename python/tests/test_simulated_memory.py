"""What the simulator puts back into the memory of a program."""

import sys
import types
import unittest
from unittest import mock

import numpy as np
import tk
import tk.language as tl


class Storage:
    """The memory behind a tensor, as torch tells of it."""

    def __init__(self, array):
        self.array = array

    def data_ptr(self):
        return self.array.ctypes.data

    def nbytes(self):
        return self.array.nbytes


class Tensor:
    """A tensor of the CPU, as torch has it."""

    device = types.SimpleNamespace(type="cpu")
    layout = "strided"

    def __init__(self, array):
        self.array = array

    def untyped_storage(self):
        return Storage(self.array)


TORCH = types.SimpleNamespace(Tensor=Tensor, strided="strided")


@tk.jit
def change(x_ptr, seen_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    number = tl.load(x_ptr + at) ^ 0xFF00
    tl.store(x_ptr + at, number, mask=at < n)
    tl.store(seen_ptr + at, number)


@tk.jit
def gather(table_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    first = tl.load(table_ptr).to(tl.pointer_type(tl.float32))
    second = tl.load(table_ptr + 1).to(tl.pointer_type(tl.float32))
    tl.store(out_ptr + at, tl.load(first + at) - tl.load(second + at))


class Addresses(unittest.TestCase):
    def test_numbers_that_looked_like_addresses_are_those_of_the_kernel(self):
        tensor = Tensor(np.arange(64, dtype=np.float32))
        # Memory that nobody wrote to often holds addresses of what was there before.
        x = np.full(8, tensor.array.ctypes.data + 16, np.int64)
        before, seen = x.copy(), np.zeros(8, np.int64)
        with mock.patch.dict(sys.modules, torch=TORCH):
            change[(1,)](x, seen, 5, BLOCK=8)
        self.assertTrue((seen != before ^ 0xFF00).all(), "the simulated GPU has addresses of its own")
        np.testing.assert_array_equal(x[:5], seen[:5])
        np.testing.assert_array_equal(x[5:], before[5:])

    def test_addresses_that_are_only_read_stay(self):
        first, second = (Tensor(np.random.rand(16).astype(np.float32)) for _ in range(2))
        table = np.array([tensor.array.ctypes.data for tensor in (first, second)], np.int64)
        before, out = table.copy(), np.zeros(16, np.float32)
        with mock.patch.dict(sys.modules, torch=TORCH):
            gather[(1,)](table, out, BLOCK=16)
        np.testing.assert_array_equal(out, first.array - second.array)
        np.testing.assert_array_equal(table, before)
