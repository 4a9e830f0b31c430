"""Compiles Triton's kernels of some rows before anything is measured, in as many processes as there are processors; as a script it is one
of those processes. They stay in Triton's cache on disk, where the process that measures finds them: compiling one after the other took two
minutes of a run of benches/gpu.py."""
import contextlib
import json
import os
import subprocess
import sys
import time

import gpu_contestants

# The arguments that no kernel is compiled for: rows that differ in nothing else have the same kernels.
SIZES = ('M', 'N', 'K', 'n')

# Seconds after which what is not compiled is left to the process that measures.
LIMIT = 90


def jobs(rows):
    """Lists of what to call, as path, function and arguments; calls with the same kernels are in one list."""
    lists = {}
    for row in rows:
        arguments = row.launch_arguments()
        if row.work:
            job = [row.path, row.launch, {'launches': 1, **arguments}]
        elif row.group == 'errors':
            job = [row.path, row.function, arguments]
        else:
            continue
        kernels = (row.group, row.path, row.launch, *((name, value) for name, value in arguments.items() if name not in SIZES))
        lists.setdefault(kernels, []).append(job)
    return list(lists.values())


def compile_ahead(rows, limit=LIMIT):
    """Compiles what the rows launch under Triton. What fails is told by the process that measures."""
    lists = jobs(rows)
    count = min(len(lists), os.cpu_count() or 1)
    workers = [subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, text=True) for _ in range(count)]
    end = time.time() + limit
    for at, worker in enumerate(workers):
        # One that ended before it read anything leaves its jobs to the process that measures.
        with contextlib.suppress(BrokenPipeError):
            worker.stdin.write(json.dumps(sum(lists[at::count], [])))
            worker.stdin.close()
    for worker in workers:
        try:
            worker.wait(max(0, end - time.time()))
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()


def run_once(call, quantiles):
    """Stands for a measurement of the autotuner: every configuration is compiled and launched, none is timed."""
    call()
    return [1.0 for _ in quantiles]


def main():
    contestant = gpu_contestants.Triton()
    contestant.tune_by(run_once)
    for path, function, arguments in json.load(sys.stdin):
        try:
            contestant.ask(path, function, arguments)
        except Exception:
            # The process that measures meets it, too, and tells.
            pass


if __name__ == '__main__':
    main()
