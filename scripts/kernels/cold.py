"""Cold compilation of recorded launches with tk and with Triton, one after the other on an otherwise idle machine.

usage: cold.py TK RECORDED[,RECORDED…] CHECKOUTS RESULTS.jsonl [--count N] [--seconds N] [--ptxas PATH] [--seed N] [--processes N]
       cold.py --table RESULTS.jsonl
N launches of those that record.py recorded are drawn at random. Of tk the whole process is timed, from its start to the cubin; of Triton the call of
triton.compile in a process that has imported the kernel's module and compiled another kernel, with its cache empty. Both use one ptxas, on one thread.
Each compiles three times, in alternating order, and the medians are kept; with --processes several projects take turns at the same time, each on a core. Where there is a GPU, what Triton compiles to launch the kernel, a module in C
for each signature, is timed too: a first launch waits for it. tk has nothing of the kind. Prints the median of the ratios, the launches that take longer,
and what a process takes that imports triton. Needs torch, Triton and ptxas.
"""
import argparse
import concurrent.futures
import importlib
import importlib.util
import json
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import record
import speed

HERE = pathlib.Path(__file__).resolve().parent
# How often each compiles each launch.
TURNS = 3
# Until so many seconds have gone by a project has to have its first result.
IMPORT_SECONDS = 40


def module_of(recorded, checkouts, row):
    """The module that defines the kernel."""
    if row['project'] == 'inductor':
        # The decorator of torch.compile tunes; what it decorates is the kernel.
        text = (recorded / row['file']).read_text().replace('triton_helpers.set_driver_to_gpu()', '')
        text = re.sub(r'@triton_heuristics\..*?(?=@triton\.jit)', '', text, flags=re.S)
        file = pathlib.Path(tempfile.mkdtemp()) / 'kernel.py'
        file.write_text(text)
    elif row['file'].startswith('sources/'):
        file = recorded / row['file']
    else:
        file = checkouts / row['project'] / row['file']
        if row['module'] != '__main__' and 'test' not in row['module']:
            return importlib.import_module(row['module'])
    spec = importlib.util.spec_from_file_location(f'kernel_{abs(hash(str(file)))}', file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def source_of(recorded, checkouts, row):
    """What triton.compile takes for the launch."""
    import triton
    import triton.language as tl
    function = module_of(recorded, checkouts, row)
    for name in row['qualified'].split('.'):
        function = getattr(function, name)
    while not isinstance(function, triton.runtime.JITFunction):
        function = function.fn
    arguments = row['arguments']
    member = lambda text: re.sub(r'^<[\w.]+: (.*)>$', r'\1', text)
    names = {'tl': tl, 'float': float}
    return triton.compiler.ASTSource(
        function, {each['name']: each['type'] for each in arguments},
        {(at,): eval(member(each['constant']), names) for at, each in enumerate(arguments) if each['type'] == 'constexpr'},
        {(at,): [['tt.divisibility', 16]] for at, each in enumerate(arguments) if each.get('multiple')})


def by_triton(source, row):
    """Compiles with an empty cache; the seconds that it took, the seconds of ptxas in them, and the kernel."""
    import triton
    from triton.backends.compiler import GPUTarget
    stages = {}
    triton.knobs.compilation.listener = lambda *, src, metadata, metadata_group, times, cache_hit: stages.update(dict(times.lowering_stages))
    options = {'num_warps': row['num_warps'], 'num_stages': row['num_stages']} | ({'maxnreg': row['maxnreg']} if row.get('maxnreg') else {})
    shutil.rmtree(os.environ['TRITON_CACHE_DIR'], ignore_errors=True)
    began = time.perf_counter()
    kernel = triton.compile(source, target=GPUTarget('cuda', 90, 32), options=options)
    return time.perf_counter() - began, stages.get('cubin', 0) / 1e6, kernel


def launcher_seconds(kernel):
    """The seconds in which Triton makes what launches the kernel, with an empty cache; nothing without a GPU."""
    import torch
    import triton
    if not torch.cuda.is_available():
        return 0
    began = time.perf_counter()
    triton.runtime.driver.active.launcher_cls(kernel.src, kernel.metadata)
    return time.perf_counter() - began


def by_tk(options, recorded, row, cubin):
    """Runs tk; the seconds of its process."""
    out = pathlib.Path(tempfile.gettempdir()) / f'cold-{os.getpid()}.{"cubin" if cubin else "ptx"}'
    command = speed.command_of(options.tk, recorded, options.checkouts, row, out) + (['--emit', 'cubin'] if cubin else [])
    began = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {'TK_PTXAS': options.ptxas}, close_fds=False, timeout=60)
    seconds = time.perf_counter() - began
    if done.returncode:
        raise RuntimeError('tk: ' + done.stderr.decode(errors='replace')[:200])
    return seconds


def compare(options, recorded, row, turn):
    """One launch with both compilers."""
    source = source_of(recorded, options.checkouts, row)
    times = {'tk': [], 'triton': [], 'tk_ptx': [], 'triton_ptx': [], 'triton_launch': []}
    # A process of some milliseconds is at times stopped for as many: the median of three is kept.
    for again in range(TURNS):
        if (turn + again) % 2:
            times['tk'].append(by_tk(options, recorded, row, True))
        theirs, assembling, kernel = by_triton(source, row)
        times['triton'].append(theirs)
        times['triton_ptx'].append(theirs - assembling)
        times['triton_launch'].append(theirs + launcher_seconds(kernel))
        if (turn + again) % 2 == 0:
            times['tk'].append(by_tk(options, recorded, row, True))
        times['tk_ptx'].append(by_tk(options, recorded, row, False))
    code = lambda text: re.sub(r'(?m)^\s*(\.loc|\.file|\.version|//).*$', '', text.split('.section')[0])
    known = recorded / f'{row["key"]}.ptx'
    return {name: round(statistics.median(each), 4) for name, each in times.items()} | {
        'same': code(kernel.asm['ptx']) == code(known.read_text()) if known.exists() else None}


def project_of(options, launches, turn, results):
    """The launches of one project, in a process of its own, which imports the project; the first is compiled once before."""
    import triton
    triton.knobs.compilation.always_compile = True
    os.environ['TRITON_CACHE_DIR'] += f'-{os.getpid()}'
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    programs = json.loads((HERE / 'programs.json').read_text())
    for at, (recorded, key) in enumerate([launches[0], *launches]):
        row, result = json.loads((recorded / f'{key}.json').read_text()), {'key': key}
        program, root = programs.get(row['project'], {}), options.checkouts / row['project']
        if not at:
            sys.path[:0] = [str((root / each).resolve()) for each in program.get('path', ['.'])]
            sys.meta_path.append(record.Stubs(set(program.get('stub', '').split(','))))
        try:
            result |= compare(options, recorded, row, turn + at)
        except BaseException as error:
            result['error'] = f'{type(error).__name__}: {error}'[:200]
        if at:
            results.send(result)
    results.send(None)


def draw(options):
    found = [(folder, path.stem) for folder in options.recorded for path in sorted(folder.glob('*.json'))]
    random.Random(options.seed).shuffle(found)
    by_project = {}
    for folder, key in found[: options.count]:
        by_project.setdefault(key.split('-')[0] + str(json.loads((folder / f'{key}.json').read_text())['project']), []).append((folder, key))
    return list(by_project.values())


def start(child):
    """Starts a process; libraries refuse that while one of their own threads is at work."""
    for _ in range(100):
        try:
            return child.start()
        except RuntimeError:
            time.sleep(0.1)
    child.start()


def measure(options):
    import torch  # noqa: F401
    import torch._inductor.runtime.triton_heuristics  # noqa: F401
    import triton  # noqa: F401
    until, lock = time.time() + options.seconds, threading.Lock()
    with tempfile.TemporaryDirectory() as cache, options.results.open('w') as file:
        os.environ |= {'TRITON_CACHE_DIR': f'{cache}/triton', 'TRITON_PTXAS_PATH': options.ptxas}

        def run(turn, launches):
            if time.time() > until:
                return
            here, there = multiprocessing.Pipe()
            child = multiprocessing.Process(target=project_of, args=(options, launches, turn, there), daemon=True)
            start(child)
            there.close()
            patience = IMPORT_SECONDS
            try:
                while here.poll(max(0, min(patience, until - time.time()))) and (result := here.recv()):
                    patience = options.seconds
                    with lock:
                        file.write(json.dumps(result) + '\n')
                        file.flush()
            except EOFError:
                pass
            child.kill()
            child.join()

        with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
            list(pool.map(run, *zip(*enumerate(draw(options)))))
    table(options.results)


def table(results):
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    timed = [row for row in rows if 'tk' in row]
    if not timed:
        print(f'none of {len(rows)} compiled;', {row.get('error') for row in rows[:6]})
        return
    print(f'{len(timed)} launches, {len(rows) - len(timed)} of Triton or tk did not compile; {sum(bool(row["same"]) for row in timed)} with the recorded PTX')
    figures = [('with ptxas', 'tk', 'triton'), ('to PTX', 'tk_ptx', 'triton_ptx')]
    if all(row['triton_launch'] > row['triton'] for row in timed):
        figures.append(('with ptxas and what launches the kernel', 'tk', 'triton_launch'))
    for name, ours, theirs in figures:
        ratios = sorted(row[ours] / row[theirs] for row in timed)
        print(f'{name}: median ratio {statistics.median(ratios):.3f}, quarter {ratios[len(ratios) // 4]:.3f}, three quarters {ratios[3 * len(ratios) // 4]:.3f}; '
              f'medians {statistics.median(row[ours] for row in timed) * 1e3:.1f} ms and {statistics.median(row[theirs] for row in timed) * 1e3:.1f} ms; '
              f'sums {sum(row[ours] for row in timed):.2f} s and {sum(row[theirs] for row in timed):.2f} s; longer than Triton: {sum(ratio > 1 for ratio in ratios)}')
    began = time.perf_counter()
    subprocess.run([sys.executable, '-c', 'import triton'], check=True)
    print(f'a process that imports triton and does nothing: {(time.perf_counter() - began) * 1e3:.0f} ms')
    for row in sorted(timed, key=lambda row: -row['tk'] / row['triton'])[:15]:
        print(f'  {row["tk"] / row["triton"]:.2f}  tk {row["tk"] * 1e3:.0f} ms (to PTX {row["tk_ptx"] * 1e3:.0f}), Triton {row["triton"] * 1e3:.0f} ms ({row["triton_ptx"] * 1e3:.0f})  {row["key"][:90]}')
    for row in [row for row in rows if 'error' in row][:6]:
        print('  not compiled:', row['key'][:60], row['error'][:120])


def main():
    if sys.argv[1:2] == ['--table']:
        table(pathlib.Path(sys.argv[2]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tk', type=pathlib.Path)
    parser.add_argument('recorded', type=lambda text: [pathlib.Path(each) for each in text.split(',')])
    parser.add_argument('checkouts', type=pathlib.Path)
    parser.add_argument('results', type=pathlib.Path)
    parser.add_argument('--count', type=int, default=150)
    parser.add_argument('--seconds', type=float, default=90)
    parser.add_argument('--seed', type=int, default=15)
    parser.add_argument('--processes', type=int, default=1)
    parser.add_argument('--ptxas', default=None)
    options = parser.parse_args()
    if options.ptxas is None:
        import triton
        options.ptxas = str(pathlib.Path(triton.__file__).parent / 'backends/nvidia/bin/ptxas')
    measure(options)


if __name__ == '__main__':
    multiprocessing.set_start_method('fork')
    main()
