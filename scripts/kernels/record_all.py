"""Runs the test programs of public projects under record.py, many at once.

usage: record_all.py OUT CHECKOUTS [--seconds N] [--processes N] [--each N] [--only PROJECT,…] [--seed N] [--known FILE] [--skip LOG] [--longest N]
CHECKOUTS has a folder for each project of programs.json, which says what is run there. The files are drawn in turn from the projects,
in random order, until the time is over; OUT/log.jsonl says how each ended. FILE has lines
of a project and a kernel that earlier draws had: these are not kept. LOG is the log.jsonl of an earlier draw: its files are not run again.
Needs torch, Triton, pytest and a GPU.
"""
import argparse
import itertools
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent


def jobs_of(name, program, root, seed):
    """The files to run, with whether pytest runs them and, of programs, the arguments that stand behind the pattern."""
    found = []
    for kind in ('tests', 'programs'):
        for each in program.get(kind, []):
            pattern, *arguments = each.split()
            found += [(path, kind == 'tests', tuple(arguments)) for path in sorted(root.glob(pattern))]
    without = program.get('without')
    found = [job for job in dict.fromkeys(found) if not (without and re.search(without, job[0].name))]
    random.Random(f'{seed}{name}').shuffle(found)
    return [{'project': name, 'file': path, 'tests': tests, 'arguments': arguments, 'program': program, 'root': root}
            for path, tests, arguments in found]


def prepare(program, root):
    """What a checkout needs before its tests are imported: links that the project's build makes, generated files, packages that are no packages."""
    steps = program.get('prepare', {})
    for name in steps.get('remove', []):
        (root / name).unlink(missing_ok=True)
    for name, text in steps.get('write', {}).items():
        (root / name).write_text(text)
    for name, place in steps.get('link', {}).items():
        link = root / name
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.exists():
            link.symlink_to(os.path.relpath(root / place, link.parent), target_is_directory=True)


def run(job, options):
    """One file in a process group of its own; how it ended."""
    program, root = job['program'], job['root']
    command = [sys.executable, str(HERE / 'record.py'), str(options.out), job['project'], str(root), '--seed', str(options.seed),
               '--pick', str(program.get('pick', 12))]
    if program.get('stub'):
        command += ['--stub', program['stub']]
    command += ['pytest', str(job['file'])] if job['tests'] else [str(job['file']), *job['arguments']]
    path = os.pathsep.join(str((root / each).resolve()) for each in program.get('path', ['.']))
    environment = dict(os.environ, PYTHONPATH=path, TRITON_CACHE_DIR=str(options.out / 'cache'), OMP_NUM_THREADS='1', MKL_NUM_THREADS='1',
                       TOKENIZERS_PARALLELISM='false', TRITON_PRINT_AUTOTUNING='0')
    written = '-'.join([job['project'], *job['file'].relative_to(root).with_suffix('').parts, *job['arguments']])
    log = options.out / 'logs' / f'{re.sub("[^A-Za-z0-9_.-]", "", written)}.txt'
    log.parent.mkdir(parents=True, exist_ok=True)
    began = time.time()
    with log.open('w') as text:
        child = subprocess.Popen(command, cwd=root, env=environment, stdout=text, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                 start_new_session=True)
        try:
            status = child.wait(timeout=max(1, min(options.longest, options.until - time.time())))
        except subprocess.TimeoutExpired:
            status = 'late'
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        child.wait()
    said = [line for line in log.read_text(errors='replace').splitlines() if line.strip()]
    return {'project': job['project'], 'file': str(job['file'].relative_to(root)), 'arguments': job['arguments'], 'status': status,
            'seconds': round(time.time() - began, 1), 'said': said[-1][:200] if said else ''}


def thin(out, each, known):
    """Keeps at most so many launches of a kernel, drawn by the hash in their names, and none of those that are known."""
    kernels = {}
    for path in sorted(out.glob('*.json'), key=lambda path: path.stem[::-1]):
        row = json.loads(path.read_text())
        kernels.setdefault((row['project'], row['file'], row['kernel']), []).append(path)
    for kernel, paths in kernels.items():
        kept = 0 if (kernel[0], kernel[2]) in known else each
        for path in paths[kept:]:
            for ending in ('.json', '.cubin', '.ptx', '.ttgir', '.npz'):
                path.with_suffix(ending).unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('checkouts', type=pathlib.Path)
    parser.add_argument('--seconds', type=float, default=300)
    parser.add_argument('--processes', type=int, default=14)
    parser.add_argument('--each', type=int, default=3, help='launches of a kernel that are kept')
    parser.add_argument('--only', default='')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--known', type=pathlib.Path, help='projects and kernels, one pair a line, that are not kept')
    parser.add_argument('--skip', type=pathlib.Path, help='the log of an earlier draw, whose files are not run again')
    parser.add_argument('--longest', type=float, default=150, help='seconds after which a file is stopped')
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    options.until = time.time() + options.seconds
    programs = json.loads((HERE / 'programs.json').read_text())
    chosen = [name for name in programs if not options.only or name in options.only.split(',')]
    for name in chosen:
        prepare(programs[name], (options.checkouts / name).resolve())
    queues = [jobs_of(name, programs[name], (options.checkouts / name).resolve(), options.seed) for name in chosen]
    earlier = [json.loads(line) for line in options.skip.read_text().splitlines()] if options.skip else []
    ran = {(row['project'], row['file'], tuple(row.get('arguments', []))) for row in earlier}
    queues = [[job for job in jobs if (job['project'], str(job['file'].relative_to(job['root'])), job['arguments']) not in ran] for jobs in queues]
    queue = [job for row in itertools.zip_longest(*queues) for job in row if job]
    lock = threading.Lock()

    def worker():
        while time.time() < options.until:
            with lock:
                if not queue:
                    return
                job = queue.pop(0)
            row = run(job, options)
            with lock, (options.out / 'log.jsonl').open('a') as file:
                file.write(json.dumps(row) + '\n')

    threads = [threading.Thread(target=worker) for _ in range(options.processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    known = {tuple(line.split()) for line in options.known.read_text().splitlines()} if options.known else set()
    thin(options.out, options.each, known)
    counts = {}
    for path in options.out.glob('*.json'):
        project = json.loads(path.read_text())['project']
        counts[project] = counts.get(project, 0) + 1
    print(f'{sum(counts.values())} launches: {counts}; {len(queue)} files not run', flush=True)


if __name__ == '__main__':
    main()
