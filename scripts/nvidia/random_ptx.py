#!/usr/bin/env python3
"""Runs the programs of `random-ptx --out FILE` on a GPU and says which bits differ from the simulator's.

  cargo run -p tk-random-ptx -- --out programs.jsonl && gzip programs.jsonl      on any machine
  scripts/nvidia/random_ptx.py programs.jsonl.gz --out differences.json          on one with a GPU
  cargo run -p tk-random-ptx -- --first N --count 1 --print --values             what the simulator computes for program N

For each slot of a program's output (a register of all threads) the file has a checksum. Of slots that differ, `differences.json` has
what the GPU computed, as hexadecimal 64-bit words in the order of threads. A program that differs is run once more as ptxas makes it
with -O0, where a ptxas is found: one that is `same unoptimised` is one of which the optimiser makes something else. The exit code is 1
when a program differs or cannot run.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import multiprocessing
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from driver import CudaError, Gpu

# Programs that a process runs before another one begins.
CHUNK = 40
# Slots of a program whose values are kept.
MOST_SLOTS = 4


def read(path):
    """The header and the programs of a file."""
    opened = gzip.open if path.endswith('.gz') else open
    with opened(path, 'rt') as file:
        header, *rows = (json.loads(line) for line in file)
    header['pool'] = struct.pack(f'<{len(header["pool"])}I', *header['pool'])
    return header, rows


def differences(header, row, output):
    """The slots whose checksums differ, and the values of the first."""
    threads = header['grid'] * header['block']
    size = 8 * threads
    parts = [output[size * i:size * (i + 1)] for i in range(header['slots'])] + [output[size * header['slots']:]]
    slots = [i for i, part in enumerate(parts) if zlib.crc32(part) != row['checksums'][i]]
    words = {i: [f'{word:x}' for (word,) in struct.iter_unpack('<Q', parts[i])] for i in slots[:MOST_SLOTS]}
    return slots, words


def unoptimised(ptx):
    """A program as ptxas assembles it with -O0; nothing without a ptxas."""
    tool = shutil.which('ptxas')
    if tool is None:
        return None
    target = re.search(r'^\.target\s+(\w+)', ptx, re.MULTILINE)[1]
    with tempfile.TemporaryDirectory() as folder:
        source, result = os.path.join(folder, 'program.ptx'), os.path.join(folder, 'program.cubin')
        with open(source, 'w') as file:
            file.write(ptx)
        done = subprocess.run([tool, '-arch', target, '-O0', source, '-o', result], capture_output=True)
        if done.returncode:
            return None
        with open(result, 'rb') as file:
            return file.read()


def run_module(gpu, header, row, module):
    """The slots that differ, and the values of the first, of a program as this module has it. The module is gone afterwards."""
    size, inputs = header['output_bytes'], 4 * header['input_words']
    start = 4 * row['offset']
    source, target = gpu.allocate(inputs), gpu.allocate(size)
    gpu.write(source, header['pool'][start:start + inputs])
    gpu.write(target, bytes(size))
    parameters = [struct.pack('<Q', source), struct.pack('<Q', target)]
    gpu.launch(gpu.function(module, row['name']), (header['grid'], 1, 1), (header['block'], 1, 1), parameters)
    slots, words = differences(header, row, gpu.read(target, size))
    gpu.free(source)
    gpu.free(target)
    gpu.unload(module)
    return slots, words


def run_one(gpu, header, row):
    """What became of one program: `same`, `same unoptimised`, `different` or `refused`, with what there is to say."""
    try:
        module = gpu.load(row['ptx'])
    except CudaError as error:
        return {'name': row['name'], 'outcome': 'refused', 'error': str(error)}
    slots, words = run_module(gpu, header, row, module)
    if not slots:
        return {'name': row['name'], 'outcome': 'same'}
    image = unoptimised(row['ptx'])
    if image is not None and not run_module(gpu, header, row, gpu.load(image))[0]:
        return {'name': row['name'], 'outcome': 'same unoptimised', 'slots': slots, 'values': words}
    return {'name': row['name'], 'outcome': 'different', 'slots': slots, 'values': words}


def run_chunk(header, rows):
    """Runs programs until one of them breaks the context; the results, and the programs that are left."""
    gpu, results = Gpu(), []
    for place, row in enumerate(rows):
        try:
            results.append(run_one(gpu, header, row))
        except CudaError as error:
            results.append({'name': row['name'], 'outcome': 'failed', 'error': str(error)})
            if error.is_lasting:
                return results, rows[place + 1:]
    return results, []


def run_all(header, rows, jobs, end):
    """The results of all programs that could begin before `end`."""
    results = []
    context = multiprocessing.get_context('spawn')
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=context, max_tasks_per_child=1) as pool:
        waiting = {pool.submit(run_chunk, header, rows[i:i + CHUNK]) for i in range(0, len(rows), CHUNK)}
        while waiting:
            done, waiting = concurrent.futures.wait(waiting, 1, concurrent.futures.FIRST_COMPLETED)
            for future in done:
                found, left = future.result()
                results += found
                if left:
                    waiting.add(pool.submit(run_chunk, header, left))
            if time.monotonic() > end:
                waiting = {future for future in waiting if not future.cancel()}
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('file')
    parser.add_argument('--out', default='differences.json')
    parser.add_argument('--jobs', type=int, default=8)
    parser.add_argument('--seconds', type=float, default=100)
    options = parser.parse_args()
    header, rows = read(options.file)
    results = run_all(header, rows, options.jobs, time.monotonic() + options.seconds)
    counts = collections.Counter(result['outcome'] for result in results)
    counts['not run'] = len(rows) - len(results)
    print(', '.join(f'{count} {outcome}' for outcome, count in counts.items() if count))
    told = [result for result in results if result['outcome'] != 'same']
    with open(options.out, 'w') as file:
        json.dump({'seed': header['seed'], 'counts': counts, 'results': told}, file)
    wrong = any(result['outcome'] != 'same unoptimised' for result in told)
    return 1 if wrong or counts['not run'] else 0


if __name__ == '__main__':
    sys.exit(main())
