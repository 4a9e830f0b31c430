"""Records the kernels that torch.compile makes of models and of single operations, as record.py does, for speed.py.

usage: record_inductor.py OUT [--seconds N] [--processes N] [--only TEXT]       all programs, many at once
       record_inductor.py OUT --program NAME                                   one
The models are of transformers, with random weights and few layers; the rest are operations whose kernels models do not have. Needs torch,
Triton, transformers and a GPU.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import time

from record import Recorder, Storages

import inductor_programs


def install(recorder):
    """Records the launches of Inductor's kernels, which do not go through those of Triton."""
    import torch._inductor.config as config
    import torch._inductor.runtime.triton_heuristics as heuristics
    config.use_static_cuda_launcher = config.use_static_triton_launcher = False
    config.compile_threads = 1
    config.force_disable_caches = True
    run, make_launcher = heuristics.CachingAutotuner.run, heuristics.TritonCompileResult.make_launcher
    known = {}

    def make(result):
        launcher = make_launcher(result)
        launcher.recorded = result.kernel
        return launcher

    def recorded(tuner, *args, stream, benchmark_run=False, **kwargs):
        plain = lambda: run(tuner, *args, stream=stream, benchmark_run=benchmark_run, **kwargs)
        if benchmark_run or recorder.measuring or id(tuner) in known:
            return plain()
        known[id(tuner)] = tuner
        name = tuner.fn.__name__
        try:
            constants = heuristics.get_constexprs(tuner.fn)
            signature = list(tuner.triton_meta['signature'])
            names = [each for at, each in enumerate(signature) if at not in constants]
            storages, values = Storages(), dict(zip([*names, *tuner.inductor_meta.get('extra_launcher_args', ())], args))
            rows = [recorder.argument(each, values[each], storages) if each in values else {'name': each, 'other': True} for each in signature]
        except Exception as error:
            recorder.reasons[name] = repr(error)[:200]
            return plain()
        with recorder.quiet():
            result = plain()
        try:
            (launcher,) = tuner.launchers
            grid = heuristics.GridExpr.from_meta(tuner.inductor_meta, launcher.config).eval_slow(values)
            size = sum(each['bytes'] for each in storages.rows)
            recorder.write(tuner.fn, launcher.recorded, rows, storages, [int(each) for each in grid], size)
        except Exception as error:
            recorder.reasons[name] = repr(error)[:200]
        return result

    heuristics.TritonCompileResult.make_launcher = make
    heuristics.CachingAutotuner.run = recorded


def run_all(options):
    """Every program in a process of its own, so many at once."""
    options.out.mkdir(parents=True, exist_ok=True)
    waiting = [name for name in inductor_programs.PROGRAMS if re.search(options.only, name)]
    ends, running = time.time() + options.seconds, {}
    while (waiting or running) and time.time() < ends:
        while waiting and len(running) < options.processes:
            name = waiting.pop(0)
            log = (options.out / f'{name}.log').open('w')
            running[name] = subprocess.Popen([sys.executable, __file__, str(options.out), '--program', name], stdout=log, stderr=subprocess.STDOUT)
        time.sleep(0.5)
        for name, child in list(running.items()):
            if child.poll() is not None:
                print(f'{name}: {"ok" if child.returncode == 0 else child.returncode}', flush=True)
                del running[name]
    for name, child in running.items():
        child.kill()
        print(f'{name}: the time is over', flush=True)
    print(f'{len(list(options.out.glob("*.json")))} launches; not run: {waiting}', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--seconds', type=float, default=300)
    parser.add_argument('--processes', type=int, default=14)
    parser.add_argument('--only', default='')
    parser.add_argument('--program')
    options = parser.parse_args()
    options.out = options.out.resolve()
    if not options.program:
        return run_all(options)
    recorder = Recorder(options.out, 'inductor', pathlib.Path('/nowhere'))
    install(recorder)
    try:
        inductor_programs.run(options.program)
    finally:
        for name, reason in recorder.reasons.items():
            print(f'not recorded: {name}: {reason}', flush=True)


if __name__ == '__main__':
    main()
