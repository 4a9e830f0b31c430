"""Autotuning on all GPUs of a machine at once: on a driver of two GPUs without a GPU, whose launches take a microsecond for each program, and
on the second GPU a tenth more."""

import itertools
import os
import random
import subprocess
import sys
import tempfile
import unittest

from tk.runtime import _gpus

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "bench"))
import stub_driver  # noqa: E402

PROGRAM = '''
import ctypes
import os

import tk
import tk.language as tl

driver = ctypes.CDLL(os.environ["TK_STUB_DRIVER"])
for name in ("launches_on", "filled", "copied", "taken", "allocated", "word_on"):
    getattr(driver, "stub_" + name).restype = ctypes.c_uint64


class Storage:
    def __init__(self, address, bytes):
        self.told = address, bytes

    def data_ptr(self):
        return self.told[0]

    def nbytes(self):
        return self.told[1]


class Tensor:
    """A part of a storage, without memory."""

    is_cuda = True

    def __init__(self, address, count, offset=0, dtype=tl.float32, gaps=False):
        self.address, self.count, self.offset, self.dtype, self.gaps = address, count, offset, dtype, gaps
        self.shape = (count,)

    def data_ptr(self):
        return self.address + 4 * self.offset

    def untyped_storage(self):
        return Storage(self.address, 4 * (self.count + self.offset))

    def is_contiguous(self):
        return not self.gaps

    def numel(self):
        return self.count

    def element_size(self):
        return 4

    def zero_(self):
        pass

    def clone(self):
        return self

    def copy_(self, other):
        pass


COUNT = int(os.environ.get("COUNT", "8"))
CONFIGS = [tk.Config({{"BLOCK": 16 << at, "KIND": kind}}, num_warps=1) for at in range((COUNT + 1) // 2) for kind in (0, 1)][:COUNT]


@tk.autotune(CONFIGS, key=["n"], reset_to_zero=["out"], restore_value=["sums"], {options})
@tk.heuristics({{"IS_EVEN": lambda args: args["n"] % args["BLOCK"] == 0}})
@tk.jit
def kernel(x, out, sums, n, BLOCK: tl.constexpr, KIND: tl.constexpr, IS_EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    {body}
    tl.store(out + at, tl.load(x + at, mask=at < n) + KIND, mask=at < n)
    tl.atomic_add(sums, 1.0)


# The second tensor begins where the first ends, as tensors of torch do.
x, out = Tensor((1 << 30) + 0x12340, 996, offset=4), Tensor((1 << 30) + 0x12340 + 4000, 1000)
sums = Tensor((1 << 30) + 0x12340 + 4000, 1, offset=1000, gaps={gaps})
# Of two configurations with blocks of one size that of kind 1 is faster: the last one of an even number, which the second GPU measures.
driver.stub_watch(1)
kernel[lambda meta: (2 * tk.cdiv(meta["n"], meta["BLOCK"]) + 1 - meta["KIND"],)](x, out, sums, 1000)
best = kernel.best_config
print(
    best.kwargs["BLOCK"],
    best.kwargs["KIND"],
    driver.stub_launches_on(0) > 0,
    driver.stub_launches_on(1) > 0,
    driver.stub_taken(1),
    driver.stub_filled(1) > 0 and driver.stub_filled(1) % 4000,
    driver.stub_copied(1) > 4 and driver.stub_copied(1) % 4,
    len(kernel.configs_timings),
)
# Copies are aligned as what they are copies of.
there = driver.stub_word_on(1)
assert there == 0 or there != x.data_ptr() and there % (2 << 20) == x.data_ptr() % (2 << 20), hex(there)
# The copies are gone; what is left overwrites the cache.
assert driver.stub_allocated(1) in (0, 256 << 20), driver.stub_allocated(1)
'''

TIMES = '''
import os
import sys

import tk
import tk.language as tl

sys.path.insert(0, os.environ["BENCH"])
from launch import Memory


@tk.jit
def kernel(x):
    tl.store(x, 1.0)


x = Memory(1 << 20, tl.float32)
# A microsecond for each program.
print([round(1e3 * time, 3) for time in tk.testing.do_bench(lambda: kernel[(70,)](x), quantiles=[0.5, 0.2, 0.8])])
print(len(tk.testing.do_bench(lambda: kernel[(1000,)](x), warmup=1, rep=20, return_mode="all")))
try:
    tk.testing.do_bench(lambda: 1 // 0)
except ZeroDivisionError as error:
    print(error)
'''

# What of the answers says that one GPU measured everything.
ALONE = ["True", "False", "0", "False", "False"]


class Decisions(unittest.TestCase):
    def test_the_choice_is_that_of_the_gpu_of_the_launch(self):
        """For any times whose ratios on the two GPUs differ by less than the limit, whoever measured what."""
        source = random.Random(5)
        for _ in range(300):
            count = source.randint(1, 12)
            truth = {at: source.uniform(1, 3) if source.random() < 0.9 else float("inf") for at in range(count)}
            factor = source.uniform(0.7, 1.4)
            noise = {at: source.uniform(1, _gpus.CLOSE**0.5) for at in truth}
            split = source.randint(0, count)
            own = {at: [truth[at], 0, 0] for at in range(split)}
            # Times of the other GPU are compared with those of this one, so a slower GPU keeps its own share in the game, and a faster one loses none.
            elsewhere = {at: [truth[at] * noise[at] * (1 if own else factor), 0, 0] for at in range(split, count)}
            measured = []

            def bench(at, truth=truth, measured=measured):
                measured.append(at)
                return [truth[at], 0, 0]

            times = _gpus.decided(own, elsewhere, bench)
            self.assertEqual(set(times), set(truth))
            best = min(times, key=lambda at: times[at][0])
            self.assertEqual(times[best][0], min(truth.values()), (truth, elsewhere))
            self.assertTrue(best < split or best in measured)

    def test_what_is_hopeless_is_not_measured_again(self):
        own, elsewhere = {"a": [1.0, 1, 1]}, {"b": [1.2, 1, 1], "c": [1.3, 1, 1]}
        again = {"b": [0.9, 1, 1], "c": [0.1, 1, 1]}
        times = _gpus.decided(own, elsewhere, again.__getitem__)
        self.assertEqual((times["b"][0], times["c"][0]), (0.9, 1.3))
        # Where the promising ones disappoint, the next ones get their turn.
        worse = {"b": [5.0, 1, 1], "c": [2.0, 1, 1]}
        times = _gpus.decided({}, elsewhere, worse.__getitem__)
        self.assertEqual(times, worse)


class TwoGpus(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder, cls.library = folder.name, stub_driver.build(folder.name)

    def run_program(self, options="", body="pass", gaps=False, **environment):
        if self.library is None:
            self.skipTest("there is no C compiler")
        path = os.path.join(self.folder, "program.py")
        with open(path, "w") as file:
            file.write(PROGRAM.format(options=options, body=body, gaps=gaps))
        given = {**stub_driver.environment(self.library), **environment}
        if "TK_DEVICE" not in environment:
            del given["TK_DEVICE"]
        for name in (*_gpus._COUNTS, "TK_AUTOTUNING_GPUS"):
            if name not in environment:
                given.pop(name, None)
        ran = subprocess.run([sys.executable, path], env=given, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        *said, answers = ran.stdout.strip().splitlines()
        return answers.split(), "\n".join(said)

    def test_both_measure_and_the_choice_is_the_same(self):
        for count in (8, 11):
            alone, _ = self.run_program(COUNT=str(count), TK_AUTOTUNING_GPUS="1")
            self.assertEqual(alone[2:7], ALONE)
            both, said = self.run_program(COUNT=str(count), TK_PRINT_AUTOTUNING="1")
            self.assertIn(f"2 GPUs measure {count} configurations", said)
            # The storage of `out` and `sums` is one; `x` is another. Before each run `out` is zeroed and `sums` brought back.
            self.assertEqual(both[2:], ["True", "True", str(4 * 1000 + 4 * 1001), "0", "0", str(count)])
            self.assertEqual(both[:2], alone[:2])
            self.assertEqual(both[:2], [str(16 << (count + 1) // 2 - 1), str(1 - count % 2)])

    def test_it_measures_alone_where_another_gpu_would_not_do_the_same(self):
        cases = [
            ({"COUNT": "7"}, "from 8 configurations on"),
            ({"TK_AUTOTUNING_GPUS": "1"}, "TK_AUTOTUNING_GPUS"),
            ({"TK_DEVICE": "0"}, "TK_DEVICE names it"),
            ({"WORLD_SIZE": "2"}, "one of several"),
            ({"STUB_TAKEN": "30"}, "nobody uses"),
            ({"options": "pre_hook=lambda args, reset_only=False: None"}, "hooks"),
            ({"options": "do_bench=lambda work, quantiles: (work(), [1.0, 1.0, 1.0])[1]"}, "hooks"),
            ({"body": "tl.store((n.to(tl.int64) + 4096).to(tl.pointer_type(tl.float32)), 1.0)"}, "no argument"),
            ({"body": """tl.inline_asm_elementwise("st.global.b32 [$1], $0; mov.b32 $0, 0;", "=r,l", [n.to(tl.int64)], tl.int32, False, 1)"""}, "no argument"),
            ({"gaps": True}, "has gaps"),
        ]
        for changed, reason in cases:
            answers, said = self.run_program(TK_PRINT_AUTOTUNING="1", **changed)
            self.assertIn(reason, said, changed)
            self.assertEqual(answers[2:7], ALONE, changed)

    def test_a_gpu_that_fails_leaves_its_share_to_the_other(self):
        answers, said = self.run_program(TK_PRINT_AUTOTUNING="1", STUB_FAULTY="1")
        self.assertIn("GPU 1 measures no configurations any more", said)
        self.assertEqual((answers[:2], answers[-1]), (["128", "1"], "8"))

    def test_runs_are_timed_on_the_gpu_without_torch(self):
        if self.library is None:
            self.skipTest("there is no C compiler")
        path = os.path.join(self.folder, "times.py")
        with open(path, "w") as file:
            file.write(TIMES)
        environment = {**stub_driver.environment(self.library), "BENCH": os.path.dirname(stub_driver.__file__)}
        ran = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        times, runs, raised = ran.stdout.splitlines()
        self.assertEqual((times, raised), ("[70.0, 70.0, 70.0]", "integer division or modulo by zero"))
        # The estimate counts what overwrites the cache: 65536 programs.
        self.assertIn(int(runs), range(1, 21))

    def test_ranges_are_joined_where_they_overlap(self):
        class Kernel:
            def tensors(self, args):
                return args

        class Array:
            def __init__(self, address, count, strides=None):
                self.__cuda_array_interface__ = {"data": (address, False), "shape": (count,), "strides": strides, "typestr": "<f4"}

        source = random.Random(7)
        for _ in range(200):
            arrays = [Array(source.randint(1, 60), source.randint(0, 6), source.choice([None, (4,), (8,)])) for _ in range(source.randint(1, 6))]
            ranges = _gpus._ranges([(Kernel(), (1, 1, 1), arrays), None], [])
            touched = set()
            for array in arrays:
                told = array.__cuda_array_interface__
                step = told["strides"][0] if told["strides"] else 4
                for at in range(told["shape"][0]):
                    touched.update(range(told["data"][0] + at * step, told["data"][0] + at * step + 4))
            covered = [set(range(address, address + size)) for address, size in ranges]
            self.assertTrue(touched <= set().union(*covered))
            for one, other in itertools.combinations(covered, 2):
                self.assertFalse(one & other)
        with self.assertRaises(_gpus.NotShared):
            _gpus._ranges([(Kernel(), (1, 1, 1), [Array(16, 4, (-4,))])], [])
        with self.assertRaises(_gpus.NotShared):
            _gpus._ranges([(Kernel(), (1, 1, 1), [object()])], [])


if __name__ == "__main__":
    unittest.main()
