"""What goes wrong is told with the place, as an exception."""

import inspect
import unittest

import numpy as np

import tk
import tk.language as tl


@tk.jit
def unknown_kernel(out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, wrong + at)  # noqa: F821


@tk.jit
def inner(x):
    return x + tl.zeros((3, 5), tl.float32) * tl.zeros((4, 7), tl.float32)


@tk.jit
def outer_kernel(out_ptr):
    tl.store(out_ptr, inner(1.0))


TABLE = np.zeros(4)


@tk.jit
def opaque_kernel(out_ptr):
    tl.store(out_ptr, TABLE)


@tk.jit
def copy_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at))


def line_of(kernel, text):
    lines, first = inspect.getsourcelines(kernel.fn)
    return first + next(at for at, line in enumerate(lines) if text in line)


class Errors(unittest.TestCase):
    def setUp(self):
        self.out = np.zeros(64, np.int32)

    def test_a_name_that_is_not_defined(self):
        with self.assertRaises(tk.CompilationError) as raised:
            unknown_kernel[(1,)](self.out, BLOCK=16)
        text = str(raised.exception)
        self.assertIn("`wrong` is not defined", text)
        self.assertIn(f"test_errors.py:{line_of(unknown_kernel, 'wrong + at')}:28", text)
        self.assertIn("^^^^^", text)
        self.assertEqual(raised.exception.code, "unknown-name")

    def test_an_error_in_a_function_names_the_call(self):
        with self.assertRaises(tk.CompilationError) as raised:
            outer_kernel[(1,)](self.out.astype(np.float32))
        text = str(raised.exception)
        self.assertIn(f"test_errors.py:{line_of(inner, 'return x')}", text)
        self.assertIn(f"{line_of(outer_kernel, 'inner(1.0)')}", text)

    def test_what_has_no_meaning_in_a_kernel(self):
        with self.assertRaisesRegex(tk.CompilationError, "`TABLE` is a `ndarray`"):
            opaque_kernel[(1,)](self.out)

    def test_arguments(self):
        with self.assertRaisesRegex(TypeError, "needs an argument for `BLOCK`"):
            copy_kernel[(1,)](self.out, self.out)
        with self.assertRaisesRegex(TypeError, "no parameter `BLOK`"):
            copy_kernel[(1,)](self.out, self.out, BLOCK=16, BLOK=3)
        with self.assertRaisesRegex(TypeError, "argument `x_ptr`"):
            copy_kernel[(1,)](object(), self.out, BLOCK=16)
        with self.assertRaisesRegex(ValueError, "num_warps is 3"):
            copy_kernel[(1,)](self.out, self.out, BLOCK=16, num_warps=3)
        with self.assertRaises(RuntimeError):
            copy_kernel(self.out, self.out, 16)
        with self.assertRaises(RuntimeError):
            tl.load(self.out)

    def test_functions_without_a_text(self):
        names = {"tk": tk, "tl": tl}
        exec("@tk.jit\ndef kernel(x_ptr):\n    tl.store(x_ptr, 1)\n", names)
        with self.assertRaisesRegex(TypeError, "`kernel`, whose text is not in a file"):
            names["kernel"][(1,)](self.out)

    def test_the_simulator_finds_accesses_outside(self):
        with self.assertRaises(tk.errors.OutOfBoundsError) as raised:
            copy_kernel[(1,)](self.out, np.zeros(8, np.int32), BLOCK=64)
        text = str(raised.exception)
        self.assertIn("out_ptr", text)
        self.assertIn(f"test_errors.py:{line_of(copy_kernel, 'tl.store')}", text)

    def test_the_memory_report_names_lines(self):
        copy_kernel[(1,)](self.out, np.zeros(64, np.int32), BLOCK=64)
        report = tk.simulator_report()
        self.assertIn("tl.load(x_ptr + at)", report)
        self.assertIn(f"test_errors.py:{line_of(copy_kernel, 'tl.store')}", report)

    def test_names_that_are_not_there_are_errors(self):
        for module, name in ((tk, "nonsense"), (tl, "nonsense"), (tl.math, "nonsense"), (tk.testing, "nonsense")):
            with self.assertRaisesRegex(AttributeError, "nonsense"):
                getattr(module, name)
        with self.assertRaisesRegex(AttributeError, "nonsense"):
            tk.knobs.runtime.nonsense = 1


if __name__ == "__main__":
    unittest.main()
