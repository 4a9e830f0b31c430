"""Programs that import Triton run on tk as they are."""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = '''
import importlib
import numpy as np
import sys
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda.libdevice import rsqrt
from triton.runtime import driver
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import JITFunction
from triton.tools.tensor_descriptor import TensorDescriptor
import triton.testing
import triton.compiler as tc


@triton.autotune([triton.Config({"BLOCK": 32})], key=[])
@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=1.0)
    tl.store(out_ptr + at, libdevice.tanh(x) + rsqrt(x) + tl.math.exp2(x), mask=at < n)


def main():
    x = np.linspace(0.5, 2, 50, dtype=np.float32)
    out = np.empty_like(x)
    kernel[lambda meta: (triton.cdiv(50, meta["BLOCK"]),)](x, out, 50)
    np.testing.assert_allclose(out, np.tanh(x) + x**-0.5 + np.exp2(x), rtol=1e-5)
    assert isinstance(kernel, Autotuner) and isinstance(kernel.fn, JITFunction), kernel
    assert driver.active.get_current_target().backend == "cuda"
    assert triton.language.float16 == tl.float16
    try:
        triton.nonsense
    except AttributeError as error:
        assert "nonsense" in str(error), error
    try:
        importlib.import_module("triton.nonsense")
    except ModuleNotFoundError as error:
        assert "triton.nonsense" in str(error), error
    else:
        raise AssertionError("there is no such module")
    print("ran", sys.argv[1:], triton.__name__)


if __name__ == "__main__":
    main()
'''

# A package that says it is Triton, as where Triton is installed.
INSTALLED = "raise ImportError('this is the other Triton')\n"


class AsTriton(unittest.TestCase):
    def run_program(self, command, **environment):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as file:
                file.write(PROGRAM)
            os.mkdir(os.path.join(folder, "triton"))
            with open(os.path.join(folder, "triton", "__init__.py"), "w") as file:
                file.write(INSTALLED)
            command = [part.replace("FILE", path) for part in command]
            return subprocess.run(
                [sys.executable, *command], env={**os.environ, **environment}, capture_output=True, text=True, cwd=folder
            )

    def test_by_a_module(self):
        result = self.run_program(["-m", "tk", "FILE", "a", "b"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "ran ['a', 'b'] tk\n")

    def test_by_a_call(self):
        code = "import tk, runpy; tk.as_triton(); tk.as_triton(); runpy.run_path('FILE', run_name='__main__')"
        result = self.run_program(["-c", code])
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_by_the_environment(self):
        result = self.run_program(["-c", "import tk, runpy; runpy.run_path('FILE', run_name='__main__')"], TK_AS_TRITON="1")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
