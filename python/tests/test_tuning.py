"""Autotuning, heuristics and measurements."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import tk
import tk.language as tl


@tk.autotune(
    configs=[tk.Config({"BLOCK": 1 << 17}, num_warps=4), tk.Config({"BLOCK": 64}, num_warps=2)], key=["n"], reset_to_zero=["out_ptr"]
)
@tk.heuristics({"IS_EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@tk.jit
def tuned_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr, IS_EVEN: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if IS_EVEN:
        tl.store(out_ptr + at, tl.load(x_ptr + at))
    else:
        tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < n), mask=at < n)


class Tuning(unittest.TestCase):
    def test_the_choice_is_kept_for_its_key(self):
        for n in (100, 128, 100):
            x, out = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
            tuned_kernel[lambda meta: (tk.cdiv(n, meta["BLOCK"]),)](x, out, n)
            np.testing.assert_array_equal(out, x)
        self.assertEqual(len(tuned_kernel.cache), 2)
        self.assertIn(tuned_kernel.best_config, tuned_kernel.configs)
        self.assertEqual(tuned_kernel.arg_names[:3], ["x_ptr", "out_ptr", "n"])

    def test_an_autotuner_of_a_program_has_what_those_of_triton_have(self):
        class Own(tk.runtime.autotuner.Autotuner):
            def run(self, *args, **kwargs):
                self.cache[()] = self.configs[1]
                return super().run(*args, **kwargs)

        configs = [tk.Config({"BLOCK": size}) for size in (16, 32)]
        jit = tuned_kernel.fn
        tuner = Own(jit, jit.arg_names, configs, [], ["out_ptr"], ["x_ptr"], pre_hook=None, cache_results=False)
        self.assertFalse(tuner.user_defined_pre_hook or tuner.user_defined_post_hook)
        x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
        key = (str(x.dtype), str(out.dtype))
        tuner.cache[key] = configs[1]
        tuner[(2,)](x, out, 64)
        self.assertEqual(tuner.best_config, configs[1])
        tuner.pre_hook({"x_ptr": None, "out_ptr": None})

    def test_hooks_are_called_for_configurations_that_do_not_fit(self):
        calls = []

        def before(arguments, reset_only=False):
            calls.append("reset" if reset_only else "before")

        def after(arguments, exception):
            calls.append(type(exception).__name__)

        configs = [tk.Config({}, num_warps=128), tk.Config({"BLOCK": 64})]
        configs[0].kwargs["BLOCK"] = 64
        kernel = tk.autotune(configs, key=[], pre_hook=before, post_hook=after)(tuned_kernel.fn)
        x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
        kernel[(1,)](x, out, 64)
        self.assertEqual(calls, ["before", "OutOfResources", "before", "NoneType", "reset"])
        self.assertEqual(kernel.best_config.num_warps, 4)

    def test_pruning_that_leaves_nothing_is_an_error(self):
        tuner = tk.autotune([tk.Config({"BLOCK": 16}), tk.Config({"BLOCK": 32})], key=[], prune_configs_by={"early_config_prune": lambda *args, **kwargs: []})
        with self.assertRaisesRegex(tk.TritonError, "No valid autotuner configs after pruning"):
            tuner(tuned_kernel.fn)[(1,)](np.zeros(64, np.float32), np.zeros(64, np.float32), 64)

    def test_configurations_are_pruned(self):
        configs = [tk.Config({"BLOCK": size}) for size in (16, 32, 64)]
        tuner = tk.autotune(configs, key=[], prune_configs_by={"early_config_prune": lambda configs, args, **kwargs: configs[1:2]})
        kernel = tuner(tuned_kernel.fn)
        x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
        kernel[(2,)](x, out, 64)
        self.assertEqual(kernel.best_config.kwargs, {"BLOCK": 32})
        np.testing.assert_array_equal(out, x)

    def test_reports(self):
        bench = tk.testing.Benchmark(["n"], [1, 2], "provider", ["a", "b"], ["A", "B"], "plot", {})

        @tk.testing.perf_report(bench)
        def measure(n, provider):
            return n * (2.0 if provider == "a" else 3.0), 0.0, 1.0

        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            measure.run(save_path=folder)
            with open(f"{folder}/plot.csv") as file:
                self.assertEqual(file.read(), "n,A,B\n1,2.0,3.0\n2,4.0,6.0\n")
        self.assertGreater(tk.testing.do_bench(lambda: None), 0)
        self.assertEqual(len(tk.testing.do_bench(lambda: None, quantiles=[0.5, 0.2, 0.8])), 3)


PROGRAM = """
import numpy as np
import tk
import tk.language as tl

{prepare}


@tk.autotune(configs=[tk.Config({{"BLOCK": size}}, num_warps=warps) for size, warps in ((32, 128), (64, 2), (128, 4))], key=["n"])
@tk.jit
def scale_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < n) * 2, mask=at < n)


def main(n=100):
    x, out = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
    scale_kernel[lambda meta: (tk.cdiv(n, meta["BLOCK"]),)](x, out, n)
    np.testing.assert_array_equal(out, 2 * x)
    print(scale_kernel.best_config.kwargs["BLOCK"])


main()
main(100)
main(77)
{finish}
"""


class Files(unittest.TestCase):
    """Results that go with a program."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "tuned.json")
        self.program = os.path.join(folder.name, "program.py")

    def run_program(self, prepare="", finish="", **environment):
        """The blocks that a program takes for 100 elements, twice, and for 77."""
        with open(self.program, "w") as file:
            file.write(PROGRAM.format(prepare=prepare, finish=finish))
        ran = subprocess.run(
            [sys.executable, self.program], env={**os.environ, "TK_DEVICE": "sim", **environment}, capture_output=True, text=True
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [int(line) for line in ran.stdout.split()]

    def written(self):
        with open(self.path) as file:
            return json.load(file)

    def write(self, value):
        with open(self.path, "w") as file:
            json.dump(value, file)

    def test_results_are_written_and_read(self):
        self.assertEqual(self.run_program(finish=f"tk.runtime.write_tunings({self.path!r})"), [64, 64, 64])
        written = self.written()
        self.assertEqual((written["format"], written["version"]), ("tk-tunings", 1))
        self.assertEqual([result["key"] for result in written["tunings"]], ["n=100 float32 float32", "n=77 float32 float32"])
        first = written["tunings"][0]
        self.assertEqual((first["kernel"], first["device"], first["decision"]), ("scale_kernel", "simulator (sm_90a)", "FirstThatFits"))
        settings = [[["BLOCK", str(size)], ["num_warps", str(warps)], ["num_stages", "3"]] for size, warps in ((32, 128), (64, 2), (128, 4))]
        self.assertEqual([trial["settings"] for trial in first["trials"]], settings)
        self.assertIn("Err", first["trials"][0]["outcome"])
        self.assertEqual(first["winner"], 1)
        # Another winner is taken where the key is the same, by a variable or a call.
        first["winner"] = 2
        self.write(written)
        self.assertEqual(self.run_program(TK_TUNED=self.path), [128, 128, 64])
        self.assertEqual(self.run_program(prepare=f"tk.runtime.use_tunings({self.path!r})"), [128, 128, 64])
        # Of two results that of this build goes first, and otherwise the last.
        older = {**first, "winner": 1, "found_with": "tk of another day"}
        self.write({**written, "tunings": [first, older]})
        self.assertEqual(self.run_program(TK_TUNED=self.path), [128, 128, 64])
        for changed in ({"device": "another"}, {"kernel": "other"}, {"trials": first["trials"][1:], "winner": 1}):
            self.write({**written, "tunings": [{**first, **changed}]})
            self.assertEqual(self.run_program(TK_TUNED=self.path), [64, 64, 64], changed)

    def test_files_that_are_none_are_errors(self):
        self.run_program(finish=f"tk.runtime.write_tunings({self.path!r})")
        written = self.written()
        first = written["tunings"][0]
        wrong = [
            {},
            [],
            {**written, "version": 2},
            {**written, "tunings": [{}]},
            {**written, "tunings": [{**first, "winner": 0}]},
            {**written, "tunings": [{**first, "winner": 3}]},
            {**written, "tunings": [{**first, "winner": -1}]},
            {**written, "tunings": [{**first, "kernel": 1}]},
            {**written, "tunings": [{**first, "trials": [{"settings": [[1, 2]], "outcome": {"Ok": {}}}], "winner": 0}]},
        ]
        for value in wrong:
            self.write(value)
            with self.assertRaisesRegex(ValueError, "holds no results of autotuning"):
                tk.runtime.use_tunings(self.path)
        with open(self.path, "w") as file:
            file.write("[" * 100000)
        with self.assertRaisesRegex(ValueError, "holds no results of autotuning"):
            tk.runtime.use_tunings(self.path)


class Profiler(unittest.TestCase):
    def test_launches_and_scopes_are_timed(self):
        import contextlib
        import io
        import os
        import tempfile

        from tk import profiler
        from tk.profiler import viewer

        def metadata(grid, kernel, args):
            return {"name": f"{kernel.name} n={args['n']}", "flops32": 2 * args["n"]}

        kernel = tk.jit(tuned_kernel.fn.fn.fn, launch_metadata=metadata)
        x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "times")
            session = profiler.start(name, hook="triton")
            kernel[(1,)](x, out, 64, BLOCK=64, IS_EVEN=True)
            profiler.deactivate(session)
            kernel[(1,)](x, out, 64, BLOCK=64, IS_EVEN=True)
            profiler.activate(session)
            with profiler.scope("copy", {"bytes": 512}):
                out[:] = x
            profiler.finalize()
            kernel[(1,)](x, out, 64, BLOCK=64, IS_EVEN=True)
            rows, metrics = viewer.parse(["gflop32/s", "time/ms"], f"{name}.hatchet")
        self.assertEqual([(row["name"], row["count"]) for row in rows], [("tuned_kernel n=64", 1), ("copy", 1)])
        self.assertEqual((rows[0]["metrics"], metrics), ({"flops32": 128}, ["gflop32/s", "time/ms"]))
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            viewer.print_tree(rows, metrics)
        self.assertIn("tuned_kernel n=64", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
