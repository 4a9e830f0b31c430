"""Autotuning, heuristics and measurements."""

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
