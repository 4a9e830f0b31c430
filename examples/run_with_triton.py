"""Runs .tk files under Triton and torch themselves: main and test_* functions, or bench_* functions with --bench.

usage: run_with_triton.py FILE… [--bench]
Prints one line per function; the exit code is 1 when one fails. Needs a GPU.
"""
import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import traceback


def load(path):
    name = pathlib.Path(path).stem
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def run(path, bench):
    module = load(path)
    wanted = ("bench_",) if bench else ("main", "test_")
    failures = 0
    for name, function in vars(module).items():
        if not callable(function) or not name.startswith(wanted):
            continue
        try:
            result = function()
            print(json.dumps({"file": module.__name__, "function": name, "result": result}), flush=True)
        except Exception:
            failures += 1
            traceback.print_exc()
            print(json.dumps({"file": module.__name__, "function": name, "failed": True}), flush=True)
    return failures


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    files = [argument for argument in sys.argv[1:] if argument != "--bench"]
    if not files:
        sys.exit(__doc__)
    sys.exit(min(1, sum(run(path, "--bench" in sys.argv) for path in files)))
