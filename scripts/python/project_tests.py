#!/usr/bin/env python3
"""Runs a project's tests under tk: `project_tests.py PROJECT FOLDER --out results.tsv [TESTS…]`, where FOLDER is a checkout of it.

PROJECT is `triton`, whose own tests of its language and runtime are run, or one of `scripts/kernels/programs.json`, which says where its
tests are. Runs with a Python that has torch and pytest. With TK_DEVICE=sim the tensors are on the CPU and the simulator runs the kernels.
Of the parametrisations of a test, `--sample` many are drawn by `--seed`, and `--processes` share them, one of every test first; with `--all`
every one is run, in the order of a hash, so that what has run when the time is spent is a fair draw of all. `--budget` is the seconds that
all may take, `--timeout` those of one. Every result is written as soon as it is there: name, outcome, seconds, the last line of the reason,
and for how many parametrisations it stands. `--under triton` runs the installed Triton instead; `--compare OTHER.tsv` lists what passes
there and not here, and two shares: of the results, and of the tests that they stand for, where a test with 300 parametrisations of which 3
were drawn counts 300. A fault of the GPU may be the work of an earlier test, so OUT.faults has a line for each: the test that met it, and
those that ran before it in its process, in order.
Only names and results are kept, never the tests.
"""

import argparse
import atexit
import contextlib
import hashlib
import importlib.metadata
import importlib.util
import inspect
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
from collections import Counter, defaultdict
from itertools import zip_longest
from pathlib import Path
from threading import Thread

PROGRAMS = Path(__file__).resolve().parents[1] / "kernels/programs.json"

# Of Triton's tests, those of what programs use.
TESTS = ("language/test_*.py", "runtime/test_*.py")

# The exit code of a process whose GPU context a kernel spoilt.
GPU_FAULT = 77

# What the reasons of tests that meet such a fault say.
GPU_FAULTS = r"CUDA error|illegal memory|misaligned address|illegal instruction|launch failure"

# So many processes of a share in a row may be ended by one of their first tests before it is given up.
MOST_ENDED = 5
FIRST_TESTS = 20


class Timeout(BaseException):
    """A test that took too long; no `except Exception` stops it."""


class Plugin:
    """Draws the tests, gives them their device, stops those that take too long, and writes what became of them."""

    def __init__(self, options):
        self.options = options
        self.start = time.time()
        self.outcomes = Counter()
        self.weights = {}
        # The tests that this process has run, in order.
        self.ran = []
        self.file = open(options.out, "a" if options.done else "w")

    def pytest_collection_modifyitems(self, items):
        chosen = self.all_of(items) if self.options.all else self.sample_of(items)
        items[:] = chosen[self.options.shard :: self.options.processes][self.options.done :]

    def all_of(self, items):
        """Every parametrisation (that a file names), in the order of a hash of its name and the seed: those that have run when the time is spent
        are a fair draw of all, and the same one under every compiler."""
        wanted = [item for item in items if not self.options.only or item.nodeid in self.options.only]
        return sorted(wanted, key=lambda item: hashlib.sha256(f"{self.options.seed} {item.nodeid}".encode()).digest())

    def sample_of(self, items):
        """A draw of the parametrisations of each test, one of every test first."""
        groups = defaultdict(list)
        for item in items:
            groups[item.nodeid.split("[")[0]].append(item)
        draws = []
        for name, group in groups.items():
            drawn = self.drawn(name, group)
            self.weights.update((item.nodeid, len(group) / len(drawn)) for item in drawn)
            draws.append(drawn)
        # One parametrisation of every test, then the second ones: where the time is spent early, every test has some results.
        turns = [[item for item in turn if item is not None] for turn in zip_longest(*draws)]
        if self.options.shuffle:
            for turn in turns:
                turn.sort(key=lambda item: random.Random(f"{self.options.seed} {item.nodeid}").random())
        return [item for turn in turns for item in turn]

    def drawn(self, name, group):
        """The parametrisations of a test that are run: those that a file names, or a draw of those that another file does not name."""
        if self.options.only:
            return [item for item in group if item.nodeid in self.options.only]
        # A draw of its own for each test, so that a test that one side does not have moves no other.
        draw = random.Random(f"{self.options.seed} {name}")
        fresh = [item for item in group if item.nodeid not in self.options.new_to]
        return draw.sample(fresh, min(self.options.sample, len(fresh)))

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
        self.file.write(f"{name}\t{outcome}\t{seconds:.2f}\t{reason}\t{self.weights.get(name, 1):.2f}\n")
        self.file.flush()
        if re.search(GPU_FAULTS, reason):
            with faults_of(self.options.out).open("a") as file:
                file.write("\t".join((name, *self.ran)) + "\n")
            os._exit(GPU_FAULT)
        self.ran += [name] if outcome != "not run" else []


def faults_of(out):
    """The file beside one of results that says which tests met a fault of the GPU."""
    return Path(f"{out}.faults")


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

            with knobs.runtime.scope(), knobs.compilation.scope(), knobs.autotuning.scope(), knobs.language.scope():
                yield knobs

        @pytest.fixture
        def fresh_knobs_except_libraries(self, fresh_knobs):
            yield fresh_knobs

        @pytest.fixture
        def with_allocator(self):
            import torch
            import triton

            device = "cpu" if os.environ.get("TK_DEVICE") == "sim" else "cuda"
            triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device=device))
            yield
            triton.set_allocator(None)

    return Fixtures()


def use_tk_in_children():
    """Lets the processes that tests start import tk for Triton, too."""
    import tk

    folder = tempfile.mkdtemp(prefix="tk-site-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    Path(folder, "sitecustomize.py").write_text("import tk\n")
    paths = [folder, str(Path(tk.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    os.environ.update(TK_AS_TRITON="1", PYTHONPATH=os.pathsep.join(path for path in paths if path))


def pretend_gpu():
    """Projects ask torch what the GPU can do when they are imported, and for tensors on it; the simulator is one like an H200."""
    import torch

    torch.cuda.get_device_capability = lambda device=None: (9, 0)
    torch.cuda.get_device_name = lambda device=None: "simulator"
    torch.cuda.synchronize = torch.cuda.empty_cache = lambda *args: None
    torch.cuda.current_device, torch.cuda.device_count = lambda: 0, lambda: 1
    torch.cuda.device = lambda device=None: contextlib.nullcontext()
    torch.Tensor.cuda = lambda tensor, *args, **kwargs: tensor

    def on_cpu(value):
        names_gpu = isinstance(value, str) and value.startswith("cuda") or isinstance(value, torch.device) and value.type == "cuda"
        return torch.device("cpu") if names_gpu else value

    class OnCpu(torch.overrides.TorchFunctionMode):
        """Makes tensors of the CPU where a program asks for those of a GPU."""

        def __torch_function__(self, function, types, args=(), kwargs=None):
            return function(*map(on_cpu, args), **{name: on_cpu(value) for name, value in (kwargs or {}).items()})

    OnCpu().__enter__()


def function_of(kernel):
    """The Python function that decorators made a kernel of."""
    while hasattr(kernel, "fn"):
        kernel = kernel.fn
    return kernel


def draw_configurations(options):
    """Lets autotuning try only some configurations of each kernel, the same ones under every compiler."""
    from triton.runtime.autotuner import Autotuner

    make = Autotuner.__init__

    def make_smaller(tuner, fn, *args, **kwargs):
        make(tuner, fn, *args, **kwargs)
        draw = random.Random(f"{options.seed} {function_of(fn).__name__}")
        tuner.configs = draw.sample(tuner.configs, min(options.configurations, len(tuner.configs)))

    Autotuner.__init__ = make_smaller


def helpers(folder):
    """Triton's helpers of its tests, as the module that the tests import."""
    path = folder / "python/triton/_internal_testing.py"
    spec = importlib.util.spec_from_file_location("triton._internal_testing", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["triton._internal_testing"] = module
    spec.loader.exec_module(module)
    sys.modules["triton"]._internal_testing = module


def filecheck_program():
    """LLVM's FileCheck, where it is installed, or the one that an installed Triton has."""
    folders = [os.environ.get("LLVM_SYS_221_PREFIX", "/usr/lib/llvm-22") + "/bin", *os.environ.get("PATH", "").split(os.pathsep)]
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        folders.append(str(importlib.metadata.distribution("triton").locate_file("triton")))
    return shutil.which("FileCheck", path=os.pathsep.join(folders))


def first_text(kernel, args=(), kwargs=None, target=None):
    """The first IR of a kernel, as Triton's parser writes it, for the GPU that its tests name; a `CompilationError` where there is none."""
    return kernel.warmup(*args, grid=(1,), arch=f"sm{target.arch if target else 100}", **(kwargs or {})).form("source-plain")


def check_text(name, text, expected):
    """Holds a text of IR against `CHECK` lines, by FileCheck; `name` is Triton's and unused."""
    program = filecheck_program()
    if program is None:
        raise NotImplementedError("FileCheck of LLVM is not installed")
    with tempfile.TemporaryDirectory() as folder:
        lines, written = Path(folder, "lines"), Path(folder, "written")
        lines.write_text(expected)
        written.write_text(text)
        checked = subprocess.run([program, lines, "--input-file", written], capture_output=True, text=True)
    if checked.returncode != 0:
        raise ValueError(f"the text is another one: {checked.stderr}")


def check_first_text(kernel):
    """Holds the first IR of a kernel against the `CHECK` lines in the kernel."""
    check_text(kernel.__name__, first_text(kernel), inspect.getsource(kernel.fn))


def use_filecheck():
    """What Triton's tests of its own IR import: tk's text is held against what they expect of Triton's."""
    module = types.ModuleType("triton._filecheck")

    def checked(kernel):
        return lambda: check_first_text(kernel)

    module.filecheck_test, module.run_filecheck_test, module.run_filecheck = checked, check_first_text, check_text
    module.run_parser = first_text
    sys.modules["triton._filecheck"] = sys.modules["triton"]._filecheck = module


def arguments_of_pytest(options):
    """What to run, and where from, as arguments of pytest."""
    common = ["-q", "--tb=short", "-p", "no:cacheprovider", "--color=no", "--show-capture=no", "--continue-on-collection-errors"]
    if options.project == "triton":
        helpers(options.folder)
        if options.under == "tk":
            use_filecheck()
        unit = options.folder / "python/test/unit"
        paths = [unit / test for test in options.tests] or [path for pattern in TESTS for path in sorted(unit.glob(pattern))]
        return [*common, "--noconftest", "--rootdir", str(unit), *map(str, paths)]
    program = json.loads(PROGRAMS.read_text())[options.project]
    os.chdir(options.folder)
    sys.path[:0] = [str(options.folder / path) for path in program.get("path", ["."])]
    wanted = options.tests or [path for pattern in program["tests"] for path in sorted(options.folder.glob(pattern))]
    left_out = program.get("without")
    paths = [str(path) for path in wanted if not (left_out and re.search(left_out, Path(path).name))]
    return [*common, "--rootdir", str(options.folder), *paths]


def run(options):
    """Runs the tests, or this process's share of them."""
    if options.under == "tk":
        if options.project == "triton":
            # Triton's own tests ask what it refuses, too.
            os.environ.setdefault("TK_PORTABLE", "1")
        import tk

        tk.as_triton()
        use_tk_in_children()
    if os.environ.get("TK_DEVICE") == "sim":
        pretend_gpu()
    if options.configurations:
        draw_configurations(options)
    import pytest

    arguments = arguments_of_pytest(options)
    plugin = Plugin(options)
    pytest.main(arguments, plugins=[plugin, *([fixtures()] if options.project == "triton" else [])])
    print("\t".join(f"{outcome} {count}" for outcome, count in sorted(plugin.outcomes.items())))


def share(options):
    """Lets processes run the tests, and joins what they wrote."""
    parts = [Path(f"{options.out}.{at}") for at in range(options.processes)]
    threads = [Thread(target=run_part, args=(at, part, options)) for at, part in enumerate(parts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    options.out.write_text("".join(sorted(line for part in parts if part.exists() for line in part.open())))
    faults = "".join(faults_of(part).read_text() for part in parts if faults_of(part).exists())
    if faults:
        faults_of(options.out).write_text(faults)


def run_part(at, part, options):
    """Runs a share of the tests; a new process goes on where one was ended by its test, or by a fault of the GPU, after which no launch of its process works."""
    for file in (part, faults_of(part)):
        file.unlink(missing_ok=True)
    ends = time.time() + options.budget
    done, ended = 0, 0
    while (left := ends - time.time()) > 0 and ended < MOST_ENDED:
        command = [sys.executable, *sys.argv, "--shard", str(at), "--done", str(done), "--budget", str(left), "--out", str(part)]
        with open(f"{part}.log", "a") as log:
            child = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
            try:
                code = child.wait(timeout=left + options.timeout)
            except subprocess.TimeoutExpired:
                child.kill()
                return
        if code == 0:
            return
        before, done = done, len(part.read_text().splitlines()) if part.exists() else 0
        if code != GPU_FAULT:
            # The test that ended its process is the first that wrote nothing.
            ended = ended + 1 if done - before < FIRST_TESTS else 1
            print(f"process {at} ended with {code} after {done} tests", flush=True)
            with part.open("a") as file:
                file.write("\n")
            done += 1


def rows(path):
    """The rows of a file of results. A line of fewer columns was being written when its process was ended."""
    found = (line.rstrip("\n").split("\t") for line in open(path))
    return [row for row in found if len(row) in (4, 5)]


def outcomes(path):
    """The outcome and the reason of every test in a file of results."""
    return {row[0]: (row[1], row[3]) for row in rows(path)}


def weights(path):
    """For how many parametrisations each result stands; one in files that do not say it. What was drawn and not run, is stood for by the results of its test."""
    found = {row[0]: float(row[4]) if len(row) == 5 else 1.0 for row in rows(path)}
    results = outcomes(path)
    whole, told = defaultdict(float), Counter()
    for name, weight in found.items():
        whole[name.split("[")[0]] += weight
        told[name.split("[")[0]] += results[name][0] != "not run"
    return {name: whole[name.split("[")[0]] / max(1, told[name.split("[")[0]]) for name in found}


def shares(passed, both, weight):
    """How many of the tests pass, as a share of the results and of the parametrisations that they stand for."""
    total, good = (sum(weight.get(name, 1.0) for name in names) for names in (both, passed))
    results = f"{len(passed)} of {len(both)} that pass there pass here ({100 * len(passed) / max(1, len(both)):.1f} %)"
    return f"{results}; of the {total:.0f} parametrisations that they stand for {100 * good / max(1, total):.2f} %"


def names_of(path):
    """The tests that a file of results has an outcome of."""
    return frozenset(name for name, (outcome, _) in outcomes(path).items() if outcome != "not run")


def is_comparable(name, here, collected):
    """Whether a test was run here, or cannot be, as its file does not import. Parametrisations that another device has are left out."""
    return here[name][0] != "not run" if name in here else name.split("[")[0] not in collected


def compare(options):
    """Says how many of the tests that pass under the other pass here, and lists the rest."""
    here, there = outcomes(options.out), outcomes(options.compare)
    collected = {name.split("[")[0] for name in here}
    both = [name for name, (outcome, _) in there.items() if outcome == "passed" and is_comparable(name, here, collected)]
    absent = ("failed", "it was not collected")
    failed = [name for name in both if here.get(name, absent)[0] != "passed"]
    for name in sorted(failed):
        print("\t".join((name, *here.get(name, absent))))
    print(shares(set(both) - set(failed), both, weights(options.compare)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project")
    parser.add_argument("folder", type=Path)
    parser.add_argument("tests", nargs="*", help="files (of Triton's: under python/test/unit), with `::name` for single tests")
    parser.add_argument("--out", type=Path, default=Path("project-tests.tsv"))
    parser.add_argument("--sample", type=int, default=3, help="parametrisations of a test")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--all", action="store_true", help="every parametrisation, in the order of a hash of its name and the seed, in place of a sample")
    parser.add_argument("--shuffle", action="store_true", help="in an order drawn by the seed, for where not all will be run")
    parser.add_argument("--only", type=names_of, default=frozenset(), metavar="TSV", help="exactly the tests that a file of results names")
    parser.add_argument("--new-to", type=names_of, default=frozenset(), metavar="TSV", help="draw none that a file of results has an outcome of")
    parser.add_argument("--configurations", type=int, metavar="N", help="draw so many for each kernel that is tuned; otherwise all are tried")
    parser.add_argument("--budget", type=float, default=300, help="seconds of all tests")
    parser.add_argument("--timeout", type=int, default=30, help="seconds of one test")
    parser.add_argument("--under", choices=["tk", "triton"], default="tk")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--shard", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--done", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--compare", type=Path, metavar="TSV")
    options = parser.parse_intermixed_args()
    options.out, options.folder = options.out.resolve(), options.folder.resolve()
    if options.shard is None:
        faults_of(options.out).unlink(missing_ok=True)
    if options.processes > 1 and options.shard is None:
        share(options)
    else:
        is_whole = options.shard is None
        options.shard = options.shard or 0
        run(options)
        if not is_whole:
            return 0
    if options.compare:
        compare(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
