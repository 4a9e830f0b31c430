"""Memory that nothing has written, on the simulator: what kernels may do with it, and what they may not."""

import importlib.util
import os
import subprocess
import sys
import textwrap
import unittest

import numpy as np

import tk
import tk.language as tl


@tk.jit
def copy(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n), mask=at < n)


@tk.jit
def add(total, x, BLOCK: tl.constexpr):
    tl.atomic_add(total, tl.sum(tl.load(x + tl.arange(0, BLOCK)), axis=0))


def unwritten(count, dtype=np.float32):
    return tk.testing.unwritten(np.empty(count, dtype))


class Unwritten(unittest.TestCase):
    def test_what_was_not_written_is_told_where_it_counts(self):
        for dtype in (np.float32, np.float16, np.int64, np.int8):
            x, y = unwritten(128, dtype), np.zeros(128, dtype)
            x[:100] = 1
            copy[(1,)](x, y, 100, BLOCK=128)
            self.assertEqual(y.sum(), 100)
            with self.assertRaisesRegex(tk.SimulationError, "`x`"):
                copy[(1,)](x, y, 104, BLOCK=128)

    def test_results_may_be_unwritten_and_are_written_afterwards(self):
        x, y, z = np.arange(256, dtype=np.float32), unwritten(256), unwritten(256)
        copy[(2,)](x, y, 256, BLOCK=128)
        copy[(2,)](y, z, 256, BLOCK=128)
        self.assertTrue(np.array_equal(z, x))

    def test_sums_begin_with_something(self):
        x = np.ones(64, np.float32)
        with self.assertRaisesRegex(tk.SimulationError, "total"):
            add[(1,)](unwritten(1), x, BLOCK=64)
        total = unwritten(1)
        total[0] = 2
        add[(1,)](total, x, BLOCK=64)
        self.assertEqual(total[0], 66)

    def test_views_share_what_they_are_views_of(self):
        whole, y = unwritten(128), np.zeros(64, np.float32)
        whole[::2] = 3
        with self.assertRaises(tk.SimulationError):
            copy[(1,)](whole[64:], y, 64, BLOCK=64)
        whole[64:] = 4
        copy[(1,)](whole[64:], y, 64, BLOCK=64)
        self.assertEqual(y.sum(), 256)
        with self.assertRaises(ValueError):
            tk.testing.unwritten(whole[::2])

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs torch")
    def test_torch_empty_is_unwritten(self):
        program = """
            import torch, tk
            from test_unwritten import copy

            y = torch.zeros(64)
            like = torch.zeros(8, 8)
            for x in (torch.empty(64), torch.empty_like(like), y.new_empty(64), torch.empty_strided((64,), (1,)), torch.empty(70)[3:67]):
                try:
                    copy[(1,)](x, y, 64, BLOCK=64)
                    raise SystemExit("nothing was said of " + str(x.shape))
                except tk.SimulationError as error:
                    assert "`x`" in str(error), error
                x.fill_(2)
                copy[(1,)](x, y, 64, BLOCK=64)
                assert y.sum() == 128
            ones = torch.empty(64).copy_(torch.ones(64))
            copy[(1,)](ones, y, 64, BLOCK=64)
            assert torch.empty(4, device="meta").shape == (4,) and torch.empty(0).numel() == 0
            assert torch.empty(3, dtype=torch.float64, pin_memory=False).dtype == torch.float64
        """
        here = os.path.dirname(os.path.abspath(__file__))
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            env={**os.environ, "TK_DEVICE": "sim", "PYTHONPATH": os.pathsep.join([here, os.environ.get("PYTHONPATH", "")])},
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
