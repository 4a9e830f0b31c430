"""Kernels in the shape of Triton's tutorials, on numpy arrays and the simulator."""

import os
import tempfile
import unittest
from unittest import mock

import numpy as np

import tk
import tk.language as tl
from helpers import ops
from helpers.ops import scaled


@tk.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(axis=0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + y, mask=mask)


@tk.jit
def softmax_kernel(out_ptr, in_ptr, in_stride, out_stride, rows, columns, BLOCK: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        columns_of = tl.arange(0, BLOCK)
        mask = columns_of < columns
        x = tl.load(in_ptr + row * in_stride + columns_of, mask=mask, other=-float("inf"))
        numerator = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * out_stride + columns_of, numerator / tl.sum(numerator, axis=0), mask=mask)


@tk.jit
def leaky_relu(x):
    return tl.where(x >= 0, x, 0.01 * x)


@tk.jit
def matmul_kernel(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, ACTIVATION: tl.constexpr,
):
    tiles_n = tl.cdiv(N, BLOCK_N)
    pid = tl.program_id(0)
    rows = (pid // tiles_n) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = (pid % tiles_n) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rows[:, None] * stride_am + k[None, :] * stride_ak
    b_ptrs = b_ptr + k[:, None] * stride_bk + columns[None, :] * stride_bn
    accumulator = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BLOCK_K)):
        left = K - step * BLOCK_K
        a = tl.load(a_ptrs, mask=(rows[:, None] < M) & (k[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=(k[:, None] < left) & (columns[None, :] < N), other=0.0)
        accumulator = tl.dot(a, b, accumulator)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    if ACTIVATION == "leaky_relu":
        accumulator = leaky_relu(accumulator)
    c_ptrs = c_ptr + rows[:, None] * stride_cm + columns[None, :] * stride_cn
    tl.store(c_ptrs, accumulator.to(tl.float16), mask=(rows[:, None] < M) & (columns[None, :] < N))


@tk.jit
def layer_norm_kernel(x_ptr, y_ptr, w_ptr, b_ptr, mean_ptr, stride, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    columns = tl.arange(0, BLOCK)
    mask = columns < N
    x = tl.load(x_ptr + row * stride + columns, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / N
    centred = tl.where(mask, x - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, axis=0) / N + eps)
    tl.store(mean_ptr + row, mean)
    w = tl.load(w_ptr + columns, mask=mask)
    b = tl.load(b_ptr + columns, mask=mask)
    tl.store(y_ptr + row * stride + columns, centred * scale * w + b, mask=mask)


def strides(array):
    return [stride // array.itemsize for stride in array.strides]


class Tutorials(unittest.TestCase):
    def setUp(self):
        self.random = np.random.default_rng(7)

    def test_vector_add_of_ragged_sizes_and_dtypes(self):
        for n in (1, 31, 1000):
            for dtype in (np.float32, np.float16, np.int32):
                x = (self.random.random(n) * 100).astype(dtype)
                y = (self.random.random(n) * 100).astype(dtype)
                out = np.empty_like(x)
                add_kernel[lambda meta: (tk.cdiv(n, meta["BLOCK"]),)](x, y, out, n, BLOCK=128)
                np.testing.assert_array_equal(out, x + y)

    def test_softmax_with_a_grid_from_the_compiled_kernel(self):
        x = self.random.standard_normal((13, 77)).astype(np.float32)
        y = np.empty_like(x)
        block = tk.next_power_of_2(77)
        arguments = (y, x, strides(x)[0], strides(y)[0], 13, 77)
        kernel = softmax_kernel.warmup(*arguments, BLOCK=block, num_warps=2, grid=(1,))
        kernel._init_handles()
        self.assertGreaterEqual(kernel.metadata.shared, 0)
        self.assertEqual(kernel.metadata.num_warps, 2)
        kernel[(4, 1, 1)](*arguments, block)
        exponent = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
        np.testing.assert_allclose(y, exponent / exponent.sum(axis=1, keepdims=True), rtol=1e-5)

    def test_matmul_with_an_activation(self):
        for m, n, k in ((64, 64, 64), (33, 50, 70)):
            a = self.random.standard_normal((m, k)).astype(np.float16)
            b = self.random.standard_normal((n, k)).astype(np.float16).T
            for activation in ("", "leaky_relu"):
                c = np.empty((m, n), np.float16)
                grid = lambda meta: (tk.cdiv(m, meta["BLOCK_M"]) * tk.cdiv(n, meta["BLOCK_N"]),)
                matmul_kernel[grid](
                    a, b, c, m, n, k, *strides(a), *strides(b), *strides(c),
                    BLOCK_M=32, BLOCK_N=32, BLOCK_K=32, ACTIVATION=activation, num_stages=2,
                )
                exact = a.astype(np.float64) @ b.astype(np.float64)
                exact = np.where(exact >= 0, exact, 0.01 * exact) if activation else exact
                np.testing.assert_allclose(c, exact, rtol=2e-3, atol=2e-2)

    def test_layer_norm(self):
        x = self.random.standard_normal((5, 100)).astype(np.float16)
        w, b = self.random.random(100).astype(np.float32), self.random.random(100).astype(np.float32)
        y, mean = np.empty_like(x), np.empty(5, np.float32)
        layer_norm_kernel[(5,)](x, y, w, b, mean, 100, 100, 1e-5, BLOCK=128)
        exact = x.astype(np.float64)
        np.testing.assert_allclose(mean, exact.mean(axis=1), atol=1e-6)
        scaled_rows = (exact - exact.mean(axis=1, keepdims=True)) / np.sqrt(exact.var(axis=1, keepdims=True) + 1e-5)
        np.testing.assert_allclose(y, scaled_rows * w + b, rtol=2e-3, atol=2e-3)


LIMIT = 3
FACTORS = (2, 5)


class Settings:
    bias = 4


def made(operation):
    """A kernel over a function that it closes over: two of them share their text."""

    @tk.jit
    def apply(x_ptr, out_ptr, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(out_ptr + at, operation(tl.load(x_ptr + at)))

    return apply


@tk.jit
def doubled(x):
    return x * 2


@tk.jit
def negated(x):
    return -x


@tk.jit
def names_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    x = scaled(x, LIMIT) + ops.shifted(x) + ops.inner.WIDTH + Settings.bias
    for factor in tl.static_range(2):
        x += FACTORS[factor]
    tl.store(out_ptr + at, x)


@tk.constexpr_function
def half(n):
    return n // 2


@tk.jit
def passed_kernel(x_ptr, out_ptr, function: tl.constexpr, numbers, BLOCK: tl.constexpr, dtype: tl.constexpr = tl.float32):
    at = tl.arange(0, half(BLOCK))
    x = function(tl.load(x_ptr + at)) * numbers[0] + numbers[1]
    tl.store(out_ptr + at, x.to(dtype))


class Holder:
    """A class with a kernel in it."""

    @tk.jit
    def kernel(out_ptr, value: tl.constexpr):
        tl.store(out_ptr, value)


class Names(unittest.TestCase):
    def setUp(self):
        self.x = np.arange(16, dtype=np.float32)
        self.out = np.zeros(16, np.float32)

    def test_names_come_from_the_program(self):
        names_kernel[(1,)](self.x, self.out, BLOCK=16)
        np.testing.assert_array_equal(self.out, self.x * 3 * 10 + (self.x + 100) + 8 + 4 + 7)

    def test_two_closures_of_one_text_are_two_kernels(self):
        for function, sign in ((doubled, 2), (negated, -1)):
            made(function)[(1,)](self.x, self.out, BLOCK=16)
            np.testing.assert_array_equal(self.out, sign * self.x)

    def test_functions_tuples_and_types_are_arguments(self):
        for function, sign in ((doubled, 2), (negated, -1), (doubled, 2)):
            passed_kernel[(1,)](self.x, self.out, function, (3.0, 7), BLOCK=32)
            np.testing.assert_array_equal(self.out, sign * self.x * 3 + 7)
        passed_kernel[(1,)](self.x, self.out, tl.sqrt, (1, 0), BLOCK=32)
        np.testing.assert_allclose(self.out, np.sqrt(self.x), rtol=1e-6)
        narrow = np.zeros(16, np.float16)
        passed_kernel[(1,)](self.x, narrow, doubled, (1, 0), BLOCK=32, dtype=tl.float16)
        np.testing.assert_array_equal(narrow, 2 * self.x)

    def test_kernels_in_classes(self):
        Holder.kernel[(1,)](self.out, 42)
        self.assertEqual(self.out[0], 42)

    def test_a_global_that_changes_is_an_error_until_it_is_as_before(self):
        global LIMIT
        names_kernel[(1,)](self.x, self.out, BLOCK=16)
        LIMIT = 4
        try:
            with self.assertRaisesRegex(RuntimeError, "Global variable LIMIT has changed since we compiled this kernel, from 3 to 4"):
                names_kernel[(1,)](self.x, self.out, BLOCK=16)
        finally:
            LIMIT = 3
        names_kernel[(1,)](self.x, self.out, BLOCK=16)

    def test_views_share_their_memory(self):
        table = np.zeros((4, 16), np.float32)
        add_kernel[(1,)](self.x, self.x, table[2], 16, BLOCK=16)
        np.testing.assert_array_equal(table[2], 2 * self.x)
        self.assertEqual(table[[0, 1, 3]].sum(), 0)
        column = np.zeros((16, 3), np.float32)
        add_kernel[(1,)](table[2], table[2], table[2], 16, BLOCK=16)
        np.testing.assert_array_equal(table[2], 4 * self.x)
        self.assertEqual(column.sum(), 0)


class Specialisation(unittest.TestCase):
    def signature(self, kernel, *args, **kwargs):
        return kernel.warmup(*args, grid=(1,), **kwargs).signature

    def test_values_are_specialised_as_triton_does(self):
        x = np.zeros(64, np.float32)
        for n, expected in ((1, "n: =1"), (16, "i32:16"), (17, "n: i32"), (1 << 40, "i64:16"), ((1 << 63) + 1, "u64")):
            text = self.signature(add_kernel, x, x, x, n, BLOCK=16)
            self.assertIn(expected.split(": ")[-1], text, n)
        self.assertIn("x_ptr: *fp32:16", self.signature(add_kernel, x, x, x, 3, BLOCK=16).replace("x_ptr=", "x_ptr: "))

    def test_do_not_specialize(self):
        @tk.jit(do_not_specialize=["n"], do_not_specialize_on_alignment=[0])
        def kernel(x_ptr, n):
            tl.store(x_ptr, n)

        x = np.zeros(64, np.int32)
        one, sixteen = self.signature(kernel, x, 1), self.signature(kernel, x, 16)
        self.assertEqual(one, sixteen)
        self.assertNotIn(":16", one)

    def test_none_is_a_constant(self):
        @tk.jit
        def kernel(out_ptr, bias_ptr):
            if bias_ptr is None:
                tl.store(out_ptr, 1)
            else:
                tl.store(out_ptr, tl.load(bias_ptr))

        out, bias = np.zeros(1, np.int32), np.full(1, 9, np.int32)
        kernel[(1,)](out, None)
        self.assertEqual(out[0], 1)
        kernel[(1,)](out, bias)
        self.assertEqual(out[0], 9)


    def test_memory_that_nobody_may_write_to(self):
        @tk.jit
        def copy(x_ptr, out_ptr):
            at = tl.arange(0, 8)
            tl.store(out_ptr + at, tl.load(x_ptr + at))

        constant, out = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
        constant.flags.writeable = False
        copy[(1,)](constant, out)
        np.testing.assert_array_equal(out, constant)
        out[:] = 5
        # numpy lends such an array by DLPack from 2.1 on.
        has_flags = tuple(map(int, np.__version__.split(".")[:2])) >= (2, 1)
        for target in (constant, Lent(constant, True))[: 1 + has_flags]:
            with self.assertRaisesRegex(ValueError, "writes to the memory of `out_ptr`, which is read-only"):
                copy[(1,)](out, target)
        np.testing.assert_array_equal(constant, np.arange(8))
        # What one argument may not write, another may.
        view = out[:]
        view.flags.writeable = False
        copy[(1,)](view, out)


class Hooks(unittest.TestCase):
    def test_launches_and_compilations_are_told(self):
        seen = []
        enter = lambda metadata: seen.append(("enter", metadata.get()["name"]))
        knobs = tk.knobs
        knobs.runtime.launch_enter_hook.add(enter)
        knobs.runtime.launch_exit_hook = lambda metadata: seen.append(("exit", metadata.get()["name"]))
        knobs.runtime.jit_post_compile_hook = lambda **compilation: seen.append(("compiled", compilation["fn"].jit_function.__name__))
        try:
            out = np.zeros(8, np.int32)
            kernel = tk.jit(Holder.kernel.fn)
            kernel[(1,)](out, 7)
            kernel[(1,)](out, 7)
        finally:
            knobs.runtime.launch_enter_hook.remove(enter)
            knobs.runtime.launch_exit_hook = None
            knobs.runtime.jit_post_compile_hook = None
        kernel[(1,)](out, 7)
        self.assertEqual(seen, [("compiled", "kernel"), *[("enter", "kernel"), ("exit", "kernel")] * 2])

    def test_listeners_are_told_times(self):
        told = []
        tk.knobs.compilation.listener = lambda **compilation: told.append((compilation["times"], compilation["cache_hit"]))
        try:
            tk.jit(Holder.kernel.fn)[(1,)](np.zeros(8, np.int32), 7)
        finally:
            tk.knobs.compilation.listener = None
        ((times, was_cached),) = told
        self.assertFalse(was_cached)
        self.assertGreater(times.ir_initialization, 0)
        self.assertGreater(times.total_lowering, 0)
        self.assertEqual(times.total, times.ir_initialization + times.total_lowering + times.store_results)

    def test_tools_are_looked_for_beside_ptxas(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, TK_PTXAS=os.path.join(folder, "ptxas")):
            tool = os.path.join(folder, "nvdisasm")
            with open(tool, "w") as file:
                file.write("#!/bin/sh\necho release 13.7, V13.7.1\n")
            os.chmod(tool, 0o755)
            self.assertEqual((tk.knobs.nvidia.nvdisasm.path, tk.knobs.nvidia.nvdisasm.version), (tool, "13.7"))
            self.assertEqual(tk.knobs.nvidia.ptxas.path, os.environ["TK_PTXAS"])

    def test_hooks_before_a_run(self):
        seen = []
        kernel = tk.jit(Holder.kernel.fn)
        kernel.add_pre_run_hook(lambda *args, **kwargs: seen.append(args[1]))
        kernel[(1,)](np.zeros(8, np.int32), 5)
        self.assertEqual(seen, [5])


class FakeTensor:
    """What torch's tensors say of themselves."""

    is_cuda = False

    def __init__(self, array, storage):
        self.array, self.storage, self.dtype = array, storage, array.dtype

    def data_ptr(self):
        return self.array.ctypes.data

    def untyped_storage(self):
        return self

    def nbytes(self):
        return self.storage.nbytes


class FakeStorage(FakeTensor):
    def data_ptr(self):
        return self.storage.ctypes.data


class Tensors(unittest.TestCase):
    def test_memory_behind_data_ptr(self):
        storage = np.arange(96, dtype=np.float32)
        x = FakeTensor(storage[16:32], storage)
        x.untyped_storage = lambda: FakeStorage(storage, storage)
        add_kernel[(1,)](x, x, x, 16, BLOCK=16)
        np.testing.assert_array_equal(storage[16:32], 2 * np.arange(16, 32))
        np.testing.assert_array_equal(storage[32:], np.arange(32, 96))

    def test_another_element_type(self):
        bits = np.zeros(16, np.uint32)
        x = FakeTensor(bits, bits)
        x.untyped_storage = lambda: FakeStorage(bits, bits)
        ones = np.ones(16, np.float32)
        add_kernel[(1,)](ones, ones, tk.reinterpret(x, tl.float32), 16, BLOCK=16)
        np.testing.assert_array_equal(bits.view(np.float32), 2 * ones)


class Lent:
    """What says where its memory is by DLPack alone, in the version that it was made for."""

    def __init__(self, array, has_versions):
        self.array, self.has_versions = array, has_versions

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **kwargs):
        if kwargs and not self.has_versions:
            raise TypeError("unexpected keyword argument 'max_version'")
        return self.array.__dlpack__(**kwargs)


class Dlpack(unittest.TestCase):
    def test_memory_is_lent(self):
        versions = (False, True) if int(np.__version__.split(".")[0]) >= 2 else (False,)
        for has_versions in versions:
            for dtype in (np.float32, np.int16, np.uint8):
                storage = np.arange(100).astype(dtype)
                x, out = storage[10:40], np.zeros(30, dtype)
                add_kernel[(1,)](Lent(x, has_versions), Lent(x, has_versions), Lent(out, has_versions), 30, BLOCK=32)
                np.testing.assert_array_equal(out, x + x)

    def test_its_end_is_known(self):
        x, out = np.ones((4, 8), np.float32)[:, :4], np.zeros(64, np.float32)
        with self.assertRaises(tk.errors.OutOfBoundsError):
            add_kernel[(1,)](Lent(x, False), Lent(x, False), out, 64, BLOCK=64)

    def test_what_kernels_do_not_have_is_refused(self):
        with self.assertRaisesRegex(TypeError, "no elements of the type"):
            add_kernel[(1,)](Lent(np.zeros(4, np.complex64), False), 0, 0, 4, BLOCK=4)


class Descriptors(unittest.TestCase):
    def test_blocks_are_copied(self):
        @tk.jit
        def kernel(source, target, ROWS: tl.constexpr):
            row = tl.program_id(0) * ROWS
            target.store([row, 0], source.load([row, 0]) + 1)

        x = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)
        y = np.zeros_like(x)
        block = [8, 32]
        make = tk.tools.tensor_descriptor.TensorDescriptor.from_tensor
        kernel[(2,)](make(x, block), make(y, block), ROWS=8)
        np.testing.assert_array_equal(y, x + 1)


if __name__ == "__main__":
    unittest.main()
