"""Compilations and launches by several threads at the same time."""

import unittest
from threading import Barrier, Thread

import numpy as np

import tk
import tk.language as tl

THREADS = 8


@tk.jit
def scale_kernel(x_ptr, out_ptr, n, BY: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < n) * BY, mask=at < n)


class Threads(unittest.TestCase):
    def test_one_kernel_with_its_own_constant_in_each(self):
        start, failures = Barrier(THREADS), []

        def work(by):
            x = np.arange(100, dtype=np.int32)
            start.wait()
            for turn in range(6):
                # The first constant is that of all threads, the second one its own.
                for factor in (3, 10 + by):
                    out = np.zeros_like(x)
                    kernel = scale_kernel[(tk.cdiv(100 - turn, 32),)](x, out, 100 - turn, BY=factor, BLOCK=32)
                    want = np.where(np.arange(100) < 100 - turn, x * factor, 0)
                    if not np.array_equal(out, want) or "tt.func" not in kernel.asm["ttir"]:
                        failures.append((by, turn, factor))

        threads = [Thread(target=work, args=(by,)) for by in range(THREADS)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual(failures, [])
        # One kernel for each constant and each kind of number of elements.
        names = {kernel.hash for kernel in scale_kernel.kept()}
        self.assertEqual(len(scale_kernel.kept()), len(names))


if __name__ == "__main__":
    unittest.main()
