"""Aggregates and functions that run at compile time, as Triton's front end takes them, and the text that a kernel begins with."""

import collections
import contextlib
import dataclasses
import enum
import io
import os
import re
import sys
import tempfile
import types
import unittest

import numpy as np

import tk
import tk.language as tl


@tk.jit
def doubled(x):
    return x + x


Span = collections.namedtuple("Span", "first last")


@dataclasses.dataclass(frozen=True)
class Shape:
    rows: int
    span: Span


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Word(str, enum.Enum):
    RED = "red"
    GREEN = "green"


CHOSEN, SHAPE, SAME_SHAPE = Color.GREEN, Shape(3, Span(4, 5)), Shape(3, Span(4, 5))


@tk.jit
def sum_of_shape(out_ptr, shape: tl.constexpr):
    rows: tl.constexpr = shape.rows
    tl.store(out_ptr, rows * 100 + shape.span.first * 10 + shape.span[1])


@tk.jit
def index_of_word(out_ptr, word: tl.constexpr):
    if word == Word.RED:
        tl.store(out_ptr, 1)
    elif word == Word.GREEN:
        tl.store(out_ptr, 2)
    else:
        tl.store(out_ptr, 3)


@tk.jit
def compare_objects(out_ptr):
    tl.store(out_ptr, 1 if CHOSEN == Color.GREEN else 0)
    tl.store(out_ptr + 1, 1 if CHOSEN == Color.RED else 0)
    tl.store(out_ptr + 2, 1 if SHAPE == SAME_SHAPE else 0)
    tl.store(out_ptr + 3, 1 if SHAPE != SAME_SHAPE else 0)


class Mode(enum.Enum):
    """Members that are no numbers and no texts to a kernel."""

    QUICK = ("fast", 4)
    EXACT = ("exact", 7)

    @property
    def factor(self):
        return self.value[1]


class Layout:
    """An object of a class that kernels know nothing of."""

    def __init__(self, mode, scale, rows=3):
        self.mode, self.scale, self.rows = mode, scale, rows


@tk.jit
def factor_of(mode):
    return mode.factor


@tk.jit
def use_mode(out_ptr, mode: tl.constexpr):
    if mode == Mode.QUICK:
        tl.store(out_ptr, 1)
    elif mode is Mode.EXACT:
        tl.store(out_ptr, 2)
    tl.store(out_ptr + 1, factor_of(mode))
    # As everywhere, `.value` of a constant is what it holds.
    tl.store(out_ptr + 2, 1 if mode.value == Mode.QUICK else 0)
    tl.store(out_ptr + 3, mode.value.value[1])
    tl.static_print("mode", mode)


@tk.jit
def twice_of(x):
    return x * 2


@tk.jit
def thrice_of(x):
    return x * 3


@tk.jit
def use_layout(out_ptr, layout: tl.constexpr, more: tl.constexpr = None):
    tl.store(out_ptr, layout.scale(layout.rows))
    tl.store(out_ptr + 1, layout.mode.factor)
    if more is not None:
        tl.store(out_ptr + 2, more[1].rows + more[0])


@tk.jit
def factor_of_run_time(out_ptr, mode):
    tl.store(out_ptr, 1)


@tk.jit
def missing_of_layout(out_ptr, layout: tl.constexpr):
    tl.store(out_ptr, layout.columns)


@tl.core._aggregate
class Pair:
    first: tl.tensor
    second: tl.tensor

    def __init__(self, first, second):
        self.first = first
        self.second = second

    @staticmethod
    def twice(value):
        return Pair(value, value)

    @tk.jit
    def total(self):
        return self.first + self.take_second()

    def take_second(self, _semantic=None):
        return self.second

    def __getitem__(self, index: tl.constexpr, _semantic=None):
        if index == 0:
            return self.first
        assert index == 1
        return self.second

    def change(self, first, _semantic=None):
        self.first = first


@tl.core._aggregate
class Counted:
    value: tl.tensor

    def __init__(self, _semantic=None):
        self.value = tl.arange(0, 8, _semantic=_semantic)

    @tk.jit
    def __getitem__(self, by):
        return doubled(self.value) + by


@tk.constexpr_function
def adder(amount):
    amount = tl.constexpr(amount)

    @tk.jit
    def add(x):
        return doubled(x) + amount

    return add


@tk.jit
def parts_kernel(out):
    at = tl.arange(0, 8)
    pair = Pair(at, 7)
    tl.store(out + at, pair.total())
    tl.store(out + 8 + at, pair[0] * pair[1])
    tl.store(out + 16 + at, Counted()[1])
    tl.store(out + 24 + at, Pair.twice(at).total())


@tk.jit
def changes_kernel(out, n):
    at = tl.arange(0, 8)
    pair = Pair(at, at)
    pair.change(at * 2)
    for i in range(n):
        pair.change(pair.first + i)
    tl.store(out + at, pair.first)
    i = 0
    while i < n:
        i += 1
        pair.change(pair.first * 2)
    tl.store(out + 8 + at, pair.first)
    if n > 2:
        pair.change(pair.second)
    tl.store(out + 16 + at, pair.first)


@tk.jit
def change_in_a_function(pair):
    pair.change(pair.second)
    return pair


@tk.jit
def copies_kernel(out):
    at = tl.arange(0, 8)
    pair = Pair(at, at * 3)
    tl.store(out + at, change_in_a_function(pair).first)
    tl.store(out + 8 + at, pair.first)


@tk.jit
def shared_kernel(out):
    pair = Pair(tl.arange(0, 8), tl.arange(0, 8))
    other = pair
    pair.change(pair.second * 2)
    tl.store(out + tl.arange(0, 8), other.first)


@tk.jit
def closures_kernel(out):
    at = tl.arange(0, 8)
    three: tl.constexpr = adder(3)
    five: tl.constexpr = adder(5)
    tl.store(out + at, three(at))
    tl.store(out + 8 + at, five(at))


def zeros(count):
    return np.zeros(count, np.int32)


class Aggregates(unittest.TestCase):
    at = np.arange(8, dtype=np.int32)

    def test_methods_and_items(self):
        out = zeros(32)
        parts_kernel[(1,)](out)
        np.testing.assert_array_equal(out.reshape(4, 8), [self.at + 7, self.at * 7, self.at * 2 + 1, self.at * 2])

    def test_fields_that_methods_change(self):
        for n in (0, 2, 3):
            out = zeros(24)
            changes_kernel[(1,)](out, n)
            first = self.at * 2 + sum(range(n))
            second = first * 2**n
            np.testing.assert_array_equal(out.reshape(3, 8), [first, second, self.at if n > 2 else second])

    def test_a_function_changes_its_own_record(self):
        out = zeros(16)
        copies_kernel[(1,)](out)
        np.testing.assert_array_equal(out.reshape(2, 8), [self.at * 3, self.at])

    def test_a_change_that_two_variables_would_see_is_an_error(self):
        with self.assertRaisesRegex(tk.CompilationError, "a change of a record that several variables hold"):
            shared_kernel[(1,)](zeros(8))

    def test_functions_that_are_made_at_compile_time(self):
        out = zeros(16)
        closures_kernel[(1,)](out)
        np.testing.assert_array_equal(out.reshape(2, 8), [self.at * 2 + 3, self.at * 2 + 5])


class Source(unittest.TestCase):
    def test_the_first_text_has_calls(self):
        kernel = closures_kernel.warmup(zeros(16), grid=(1,))
        text = kernel.asm["source"]
        self.assertEqual(len(re.findall(r"tt\.call @\"test_aggregates\.adder\.<locals>\.add__i32S8S__\d*\"", text)), 2, text)
        self.assertEqual(len(re.findall(r"tt\.call @test_aggregates\.doubled__i32S8S__", text)), 2, text)
        self.assertNotIn("tt.call", kernel.asm["ttir"])
        self.assertNotIn("loc(", kernel.form("source-plain"))


class Files(unittest.TestCase):
    """IR and PTX in files without a kernel."""

    def test_they_compile_and_run(self):
        out = zeros(16)
        kernel = closures_kernel[(1,)](out)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("source", "ttir", "ttgir", "llir", "ptx"):
                path = os.path.join(folder, f"kernel.{name}")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(kernel.asm[name])
                again = zeros(16)
                tk.compile(path)[(1,)](again)
                np.testing.assert_array_equal(again, out, name)

    def test_types_come_from_the_function(self):
        text = """
        tt.func @fill(%out: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %by: f32, %n: i64) {
          %count = arith.sitofp %n : i64 to f32
          %value = arith.mulf %by, %count : f32
          tt.store %out, %value : !tt.ptr<f32>
          tt.return
        }
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fill.ttir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            out = np.zeros(4, np.float32)
            kernel = tk.compile(path, options={"num_warps": 1})
            kernel[(1,)](out, 2.5, 3)
        self.assertEqual(out[0], 7.5)
        self.assertEqual((kernel.name, kernel.metadata.num_warps), ("fill", 1))
        self.assertEqual(kernel.src.signature, {0: "*fp32:16", 1: "fp32", 2: "i64"})

    def test_what_is_no_file_of_ir(self):
        with self.assertRaises(FileNotFoundError):
            tk.compile("nothing.ttir")
        with self.assertRaises(TypeError):
            tk.compile(7)


@tk.jit
def overwrite_kernel(table):
    at = tl.arange(0, 4)
    tl.store(table + at, at.to(tl.int64) + 1, mask=at < 3)


class Objects(unittest.TestCase):
    """Objects of the program that kernels are given or name."""

    def test_constants_keep_the_names_of_their_fields(self):
        out = np.zeros(1, np.int32)
        for shape, expected in ((Shape(1, Span(2, 3)), 123), (Shape(4, Span(5, 6)), 456), (Shape(4, Span(5, 1)), 451)):
            sum_of_shape[(1,)](out, shape)
            self.assertEqual(out[0], expected)
        swapped = collections.namedtuple("Swapped", "last first")
        sum_of_shape[(1,)](out, Shape(1, swapped(2, 3)))
        self.assertEqual(out[0], 133)

    def test_members_of_enumerations_of_texts_are_their_texts(self):
        out = np.zeros(1, np.int32)
        for word, expected in ((Word.RED, 1), (Word.GREEN, 2), ("green", 2), ("blue", 3)):
            index_of_word[(1,)](out, word)
            self.assertEqual(out[0], expected)

    def test_objects_are_equal_where_they_are_in_the_program(self):
        out = np.zeros(4, np.int32)
        compare_objects[(1,)](out)
        np.testing.assert_array_equal(out, [1, 0, 1, 0])


    def test_objects_are_constants(self):
        out = np.zeros(4, np.int32)
        cases = (Mode.QUICK, [1, 4, 1, 4], True), (Mode.EXACT, [2, 7, 0, 7], True), (Mode.QUICK, [1, 4, 1, 4], False)
        for mode, expected, is_new in cases:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                use_mode[(1,)](out, mode)
            np.testing.assert_array_equal(out, expected)
            self.assertEqual(printed.getvalue(), f"mode {mode}\n" if is_new else "")

    def test_objects_have_objects_and_functions(self):
        out = np.zeros(4, np.int32)
        for mode, scale, rows in ((Mode.QUICK, twice_of, 3), (Mode.EXACT, thrice_of, 5), (Mode.EXACT, twice_of, 5)):
            use_layout[(1,)](out, Layout(mode, scale, rows), more=(10, Layout(mode, scale, rows + 1)))
            np.testing.assert_array_equal(out[:3], [rows * (2 if scale is twice_of else 3), mode.factor, rows + 11])
        use_layout[(1,)](out, Layout(Mode.QUICK, twice_of))
        np.testing.assert_array_equal(out[:2], [6, 4])

    def test_equal_objects_share_a_kernel(self):
        out = np.zeros(4, np.int32)
        hashes = {use_layout.warmup(out, Layout(Mode.QUICK, twice_of, rows), grid=(1,)).hash for rows in (3, 4, 3, 4)}
        self.assertEqual(len(hashes), 2)

    def test_objects_that_kernels_do_not_take(self):
        out = np.zeros(4, np.int32)
        for kernel, argument in ((use_mode, {"fast": 1}), (use_mode, lambda: 1), (factor_of_run_time, Mode.QUICK), (factor_of_run_time, (Mode.QUICK,))):
            with self.assertRaisesRegex(TypeError, "kernels take tensors, numbers and constants, not (dict|function|Mode)"):
                kernel[(1,)](out, argument)
        with self.assertRaisesRegex(tk.errors.CompilationError, "an object of the class `Layout` has no `columns`"):
            missing_of_layout[(1,)](out, Layout(Mode.QUICK, twice_of))


class Tables(unittest.TestCase):
    """Memory that happens to hold addresses of the program's tensors."""

    def test_what_a_kernel_writes_over_addresses_is_all_taken_over(self):
        class Tensor:
            device, layout = types.SimpleNamespace(type="cpu"), "strided"

            def __init__(self, array):
                self.array = array

            def untyped_storage(self):
                return types.SimpleNamespace(data_ptr=lambda: self.array.ctypes.data, nbytes=lambda: self.array.nbytes)

        target = Tensor(np.zeros(64, np.float32))
        address = target.array.ctypes.data
        table = np.array([address, address + 4, address + 8, address + 12], np.int64)
        had, sys.modules["torch"] = sys.modules.get("torch"), types.SimpleNamespace(Tensor=Tensor, strided="strided")
        try:
            overwrite_kernel[(1,)](table)
        finally:
            sys.modules.pop("torch")
            if had is not None:
                sys.modules["torch"] = had
        np.testing.assert_array_equal(table, [1, 2, 3, address + 12])


if __name__ == "__main__":
    unittest.main()
