"""Cycles of a kernel at fixed clocks, by NVIDIA's ncu: for rows where 1 % matters, because power and clocks have no say there.

A kernel is launched a few times by the launch_* function of its file, tuned before by the same run of benches/gpu.py: tk finds its
choice on the disk, and the process that runs Triton is told which configuration to take.

  python3 benches/gpu_cycles.py PATH FUNCTION ARGUMENTS KERNEL CONFIGURATION     what ncu runs for Triton; ARGUMENTS is JSON
"""
import csv
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import gpu_contestants

METRIC = 'sm__cycles_elapsed.avg'
# The first launch of a process is not counted: it meets cold caches.
SKIPPED, COUNTED = 1, 5
LAUNCHES = SKIPPED + COUNTED
PATIENCE = 90


def find_ncu():
    """Where ncu is, or None."""
    return shutil.which('ncu') or next((path for path in ('/usr/local/cuda/bin/ncu',) if os.access(path, os.X_OK)), None)


def cycles(text):
    """The cycles of each launch in the CSV that `ncu --page raw` writes: a line of names, a line of units, a line per launch."""
    rows = list(csv.DictReader(line for line in text.splitlines() if line.startswith('"')))
    return [float(row[METRIC].replace(',', '')) for row in rows[1:] if row.get(METRIC)]


def profile(ncu, command, kernel, requests=''):
    """The median of the cycles of a kernel in a process that is given `requests` on its standard input."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / 'ncu.csv'
        subprocess.run(
            [ncu, '--csv', '--page', 'raw', '--log-file', str(log), '--clock-control', 'base', '--cache-control', 'none',
             '--target-processes', 'all', '--kernel-name', f'regex:^{kernel}', '--launch-skip', str(SKIPPED),
             '--launch-count', str(COUNTED), '--metrics', METRIC, *command],
            input=requests, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        counted = cycles(log.read_text()) if log.exists() else []
    if not counted:
        raise RuntimeError(f'ncu saw no launch of {kernel}')
    return statistics.median(counted)


def of_row(ncu, tk, row, kernels):
    """Cycles of tk's and Triton's kernel of a row: {'tk': …, 'triton': …}. `kernels` is what the timed turns said of them."""
    arguments = row.launch_arguments()
    line = ' '.join([row.launch, f'launches={LAUNCHES}', *(f'{name}={value}' for name, value in arguments.items())])
    mine = [tk, 'bench', str(gpu_contestants.ROOT / row.path), '--device', 'cuda', '--requests']
    theirs = [sys.executable, __file__, row.path, row.launch, json.dumps(arguments), kernels['triton']['kernel'],
              kernels['triton']['configuration'] or '']
    return {'tk': profile(ncu, mine, kernels['tk']['kernel'], line + '\n'),
            'triton': profile(ncu, theirs, kernels['triton']['kernel'])}


def launch_triton(path, function, arguments, kernel, configuration):
    """Launches Triton's kernel in this process, untuned: with the one configuration."""
    triton = gpu_contestants.Triton()
    tuner = triton.tuner(path, kernel)
    if tuner is not None and configuration:
        tuner.configs = [config for config in tuner.configs if str(config) == configuration] or tuner.configs
    triton.ask(path, function, {'launches': LAUNCHES, **json.loads(arguments)})


if __name__ == '__main__':
    launch_triton(*sys.argv[1:])
