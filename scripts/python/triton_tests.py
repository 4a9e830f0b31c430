#!/usr/bin/env python3
"""Runs Triton's own tests under tk: `triton_tests.py FOLDER --out results.tsv [TESTS…]`, where FOLDER is a checkout of Triton.

Runs with a Python that has torch and pytest. With TK_DEVICE=sim the tensors are on the CPU and the simulator runs the kernels. Of the
parametrisations of a test, `--sample` many are drawn by `--seed`; `--budget` is the seconds that all may take, `--timeout` those of one.
Every result is written as soon as it is there: name, outcome, seconds and the last line of the reason. `--under triton` runs the installed
Triton instead, for comparison. Only names and results are kept, never the tests.
"""

import argparse
import importlib.util
import os
import random
import re
import signal
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

# In the order of what they say for their time.
TESTS = (
    "language/test_core.py language/test_conversions.py language/test_standard.py language/test_random.py language/test_tuple.py "
    "language/test_annotations.py language/test_decorator.py language/test_libdevice.py language/test_compile_errors.py "
    "language/test_tensor_descriptor.py language/test_matmul.py language/test_mxfp.py language/test_pipeliner.py language/test_module.py "
    "runtime/test_launch.py runtime/test_autotuner.py runtime/test_specialize.py runtime/test_cache.py runtime/test_bindings.py "
    "runtime/test_driver.py runtime/test_subproc.py runtime/test_compilation_listener.py runtime/test_autotune_listener.py"
).split()


class Timeout(BaseException):
    """A test that took too long; no `except Exception` stops it."""


class Plugin:
    """Draws the tests, gives them their device, stops those that take too long, and writes what became of them."""

    def __init__(self, options):
        self.options = options
        self.start = time.time()
        self.outcomes = Counter()
        self.file = open(options.out, "w")

    def pytest_collection_modifyitems(self, items):
        groups = defaultdict(list)
        for item in items:
            groups[item.nodeid.split("[")[0]].append(item)
        draw = random.Random(self.options.seed)
        items[:] = [item for group in groups.values() for item in draw.sample(group, min(self.options.sample, len(group)))]

    def pytest_runtest_protocol(self, item):
        if time.time() - self.start > self.options.budget:
            self.write(item.nodeid, "not run", 0, "the time is spent")
            return True
        return None

    def pytest_runtest_call(self, item):
        signal.signal(signal.SIGALRM, self.too_long)
        signal.alarm(self.options.timeout)

    def pytest_runtest_teardown(self, item):
        signal.alarm(0)

    def too_long(self, number, frame):
        raise Timeout(f"more than {self.options.timeout} s")

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or report.outcome != "passed" and report.when == "setup":
            self.write(report.nodeid, report.outcome, report.duration, self.reason(report))

    @staticmethod
    def reason(report):
        if report.outcome == "passed":
            return ""
        if isinstance(report.longrepr, tuple):
            return report.longrepr[-1]
        crash = getattr(report.longrepr, "reprcrash", None)
        return getattr(crash, "message", None) or str(report.longrepr)

    def write(self, name, outcome, seconds, reason):
        self.outcomes[outcome] += 1
        reason = re.sub(r"0x[0-9a-f]+", "0x…", " ".join(reason.split()))[:300]
        self.file.write(f"{name}\t{outcome}\t{seconds:.2f}\t{reason}\n")
        self.file.flush()


def fixtures():
    """The fixtures of Triton's own `conftest.py`, which asks for options of its own."""
    import pytest

    class Fixtures:
        @pytest.fixture
        def device(self):
            return "cpu" if os.environ.get("TK_DEVICE") == "sim" else "cuda"

        @pytest.fixture
        def fresh_triton_cache(self, tmp_path, monkeypatch):
            monkeypatch.setenv("TK_CACHE_DIR", str(tmp_path))
            monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
            return str(tmp_path)

        @pytest.fixture
        def fresh_knobs(self, monkeypatch):
            from triton import knobs

            with knobs.runtime.scope(), knobs.compilation.scope(), knobs.autotuning.scope():
                yield knobs

        @pytest.fixture
        def with_allocator(self):
            import torch
            import triton

            device = "cpu" if os.environ.get("TK_DEVICE") == "sim" else "cuda"
            triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=device))
            yield
            triton.set_allocator(None)

    return Fixtures()


def helpers(folder):
    """Triton's helpers of its tests, as the module that the tests import."""
    if os.environ.get("TK_DEVICE") == "sim":
        # Their tests ask what the GPU of torch can do; the simulator is one like an H200.
        import torch

        torch.cuda.get_device_capability = lambda device=None: (9, 0)
        torch.cuda.get_device_name = lambda device=None: "simulator"
    path = folder / "python/triton/_internal_testing.py"
    spec = importlib.util.spec_from_file_location("triton._internal_testing", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["triton._internal_testing"] = module
    spec.loader.exec_module(module)
    sys.modules["triton"]._internal_testing = module


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="*", help="files under python/test/unit, with `::name` for single tests")
    parser.add_argument("--out", type=Path, default=Path("triton-tests.tsv"))
    parser.add_argument("--sample", type=int, default=3, help="parametrisations of a test")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--budget", type=float, default=300, help="seconds of all tests")
    parser.add_argument("--timeout", type=int, default=30, help="seconds of one test")
    parser.add_argument("--under", choices=["tk", "triton"], default="tk")
    options = parser.parse_intermixed_args()
    options.out = options.out.resolve()
    if options.under == "tk":
        import tk

        tk.as_triton()
    import pytest

    helpers(options.folder)
    unit = options.folder / "python/test/unit"
    wanted = options.tests or TESTS
    paths = [str(unit / test) for test in wanted if (unit / test.split("::")[0]).exists()]
    plugin = Plugin(options)
    arguments = ["-q", "--tb=short", "-p", "no:cacheprovider", "--noconftest", "--rootdir", str(unit), "--color=no", "--show-capture=no", "--continue-on-collection-errors"]
    pytest.main([*arguments, *paths], plugins=[plugin, fixtures()])
    print("\t".join(f"{outcome} {count}" for outcome, count in sorted(plugin.outcomes.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
