"""What is kept of a kernel for later processes: results of autotuning, and what it was compiled for."""

import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import tk
import tk.language as tl

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "bench"))
import stub_driver  # noqa: E402

TUNED = '''
import os
import sys

import tk
import tk.language as tl

sys.path.insert(0, os.environ["BENCH"])
from launch import Memory

measured = []


def bench(work, quantiles):
    work()
    measured.append(1)
    return [4.0 - len(measured), 4.0, 4.0]


@tk.autotune([tk.Config({"BLOCK": size}) for size in (16, 32, 64)], key=["n"], do_bench=bench, cache_results=True)
@tk.jit
def kernel(a, n, BLOCK: tl.constexpr):
    tl.store(a + tl.arange(0, BLOCK), n)


kernel[(1,)](Memory(1 << 20, tl.float32), int(sys.argv[1]))
print(len(measured), kernel.best_config.kwargs["BLOCK"])
'''


@tk.jit
def add_pair(out, pair, n, KIND: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.static_assert(pair[1] == 4)
    tl.store(out + at, pair[0] + pair[1], mask=at < n)


@tk.jit
def scaled(x, out, n, factor, KIND: tl.constexpr, DTYPE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at, mask=at < n) * factor
    if KIND == "twice":
        value = value * 2
    tl.store(out + at, value.to(DTYPE), mask=at < n)


class Kept(unittest.TestCase):
    def tuned(self, folder, library, n):
        path = os.path.join(folder, "program.py")
        with open(path, "w") as file:
            file.write(TUNED)
        environment = {**stub_driver.environment(library), "BENCH": os.path.dirname(stub_driver.__file__), "TK_CACHE": "1", "TK_CACHE_DIR": folder}
        result = subprocess.run([sys.executable, path, str(n)], env=environment, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.split()

    def test_results_of_autotuning_are_measured_once(self):
        with tempfile.TemporaryDirectory() as folder:
            library = stub_driver.build(folder)
            if library is None:
                self.skipTest("there is no C compiler")
            self.assertEqual(self.tuned(folder, library, 5), ["3", "64"])
            self.assertEqual(self.tuned(folder, library, 5), ["0", "64"])
            self.assertEqual(self.tuned(folder, library, 6), ["3", "64"])
            kept = os.path.join(folder, "tuning")
            for name in os.listdir(kept):
                with open(os.path.join(kept, name), "w") as file:
                    file.write('{"timings": [["nonsense", [1, 2, 3]]]}')
            self.assertEqual(self.tuned(folder, library, 5), ["3", "64"])

    def test_a_kernel_is_compiled_again_from_what_the_hook_was_told(self):
        told = []
        tk.knobs.runtime.jit_post_compile_hook = lambda **kwargs: told.append(kwargs["compile"]["specialization_data"])
        try:
            x, out = np.arange(20, dtype=np.float32), np.zeros(20, np.float16)
            kernel = scaled[(1,)](x, out, 20, 0.5, "twice", tl.float16, BLOCK=32)
            np.testing.assert_array_equal(out, x)
        finally:
            tk.knobs.runtime.jit_post_compile_hook = None
        scaled.forget()
        again = scaled.preload(told[0])
        self.assertEqual((again.hash, again.signature), (kernel.hash, kernel.signature))
        with self.assertRaisesRegex(RuntimeError, "no specialization data of tk"):
            scaled.preload('{"name": "scaled"}')
        with self.assertRaisesRegex(RuntimeError, "Specialization data is for"):
            add_pair.preload(told[0])

    def test_a_source_compiles_for_types(self):
        types = {"x": "*fp32", "out": "*fp16", "n": "i32", "factor": "fp32", "KIND": "constexpr", "DTYPE": "constexpr", "BLOCK": "constexpr"}
        constants = {"KIND": "twice", (5,): tl.float16, "BLOCK": 64}
        source = tk.compiler.ASTSource(scaled, types, constants, {(0,): [["tt.divisibility", 16]]})
        kernel = tk.compile(source, options={"num_warps": 2})
        self.assertIn("x: *fp32:16, out: *fp16, n: i32", kernel.signature)
        self.assertEqual((kernel.metadata.num_warps, kernel.src.fn), (2, scaled))
        x, out = np.arange(20, dtype=np.float32), np.zeros(20, np.float16)
        kernel.run(1, 1, 1, 0, kernel.function, kernel.packed_metadata, None, None, None, x, out, 20, 0.5, "twice", tl.float16, 64)
        np.testing.assert_array_equal(out, x)
        with self.assertRaisesRegex(TypeError, "neither type nor constant for `n`"):
            tk.compile(tk.compiler.ASTSource(scaled, {"x": "*fp32", "out": "*fp16"}, constants))
        with self.assertRaisesRegex(TypeError, "`\\*nonsense` of `x`"):
            tk.compile(tk.compiler.ASTSource(scaled, {**types, "x": "*nonsense"}, constants))

    def test_wrapped_constants_stay_constants_in_tuples(self):
        out = np.zeros(8, np.int32)
        add_pair[(1,)](out, (5, tl.constexpr(4)), 8, "none", BLOCK=8)
        np.testing.assert_array_equal(out, np.full(8, 9))

    def test_a_kernel_gets_another_text(self):
        kernel = tk.JITFunction(scaled.fn)
        kernel._unsafe_update_src(kernel.src.replace("value * 2", "value * 3"))
        x, out, same = np.arange(8, dtype=np.float32), np.zeros(8, np.float32), np.zeros(8, np.float32)
        kernel[(1,)](x, out, 8, 1.0, "twice", tl.float32, BLOCK=8)
        scaled[(1,)](x, same, 8, 1.0, "twice", tl.float32, BLOCK=8)
        np.testing.assert_array_equal(out, x * 3)
        np.testing.assert_array_equal(same, x * 2)


if __name__ == "__main__":
    unittest.main()
