"""Who takes part in benches/gpu.py: tk, Triton and the libraries, each asked for a function of a .tk file (or its equal) by name.

An answer is {'result': …, 'kernels': [{'kernel', 'registers', 'spills', 'configuration'}, …], 'tuned': [report, …]}."""
import concurrent.futures
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def default_tk():
    """The tk of a bundle, which lies beside this folder; else that of a release build."""
    bundled = ROOT / 'tk'
    return str(bundled if bundled.is_file() else ROOT / 'target' / 'release' / 'tk')


class Tk:
    """`tk bench --requests`, one process per file, which keeps its device and kernels between requests."""

    def __init__(self, binary, device='cuda'):
        self.binary, self.device, self.processes = binary, device, {}

    def ask(self, path, function, arguments):
        process = self.processes.get(path)
        if process is None or process.poll() is not None:
            command = [self.binary, 'bench', str(ROOT / path), '--device', self.device, '--requests']
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
            self.processes[path] = process
        request = ' '.join([function, *(f'{name}={value}' for name, value in arguments.items())])
        process.stdin.write(request + '\n')
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise RuntimeError(f'tk stopped with {process.wait()} at: {request}')
        answer = json.loads(answer)
        if 'error' in answer:
            raise RuntimeError(answer['error'])
        kernels = [{'kernel': kernel.get('kernel'), 'registers': kernel.get('registers'), 'spills': kernel.get('spill_bytes'),
                    'configuration': kernel.get('configuration')} for kernel in answer.get('kernels') or []]
        return {'result': answer['result'], 'kernels': kernels, 'tuned': answer.get('tuned', [])}

    def close(self):
        for process in self.processes.values():
            process.stdin.close()
            process.wait()
            process.stdout.close()
        self.processes.clear()


class Triton:
    """The same files as Python modules, in this process."""

    def __init__(self):
        self.modules, self.kernels = {}, {}
        import triton
        self.version = triton.__version__
        launch = triton.runtime.JITFunction.run

        # What a launch returns is the compiled kernel, which knows its registers and spills.
        def run(function, *args, **kwargs):
            kernel = launch(function, *args, **kwargs)
            self.kernels[function.__name__] = kernel
            return kernel
        triton.runtime.JITFunction.run = run
        compile_at_once(triton)

    def module(self, path):
        if path not in self.modules:
            name = pathlib.Path(path).stem + '_tk'
            loader = importlib.machinery.SourceFileLoader(name, str(ROOT / path))
            module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
            loader.exec_module(module)
            self.modules[path] = module
        return self.modules[path]

    def tuner(self, path, kernel):
        """The autotuner of a kernel, or None."""
        known = getattr(self.module(path), kernel, None)
        while known is not None and not hasattr(known, 'configs'):
            known = getattr(known, 'fn', None)
        return known

    def ask(self, path, function, arguments):
        self.kernels.clear()
        result = called(getattr(self.module(path), function), arguments)
        kernels = []
        for name, kernel in self.kernels.items():
            best = getattr(self.tuner(path, name), 'best_config', None)
            kernels.append({'kernel': name, 'registers': getattr(kernel, 'n_regs', None), 'spills': getattr(kernel, 'n_spills', None),
                            'configuration': str(best) if best else None})
        return {'result': result, 'kernels': kernels, 'tuned': []}


def compile_at_once(triton):
    """Compiles the configurations of a tuning on all cores, as tk does, before the first is timed; Triton's tuner would compile one after
    the other. What is timed and chosen stays the same. A configuration that does not compile is left to the tuner, which refuses it."""
    compilations = getattr(triton.runtime, '_async_compile', None)
    if compilations is None:
        return
    tuner, pool = triton.runtime.Autotuner, concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 2))
    prune = tuner.prune_configs

    def pruned(self, keywords):
        kept = prune(self, keywords)
        with compilations.AsyncCompileMode(pool, ignore_errors=True):
            for config in kept:
                everything = {**self.nargs, **keywords, **config.all_kwargs()}
                if config.pre_hook:
                    config.pre_hook(everything)
                self.fn.run(*self.nargs.values(), **{**keywords, **config.all_kwargs(), 'warmup': True})
        return kept
    tuner.prune_configs = pruned


class Library:
    """cuBLAS and cuDNN through torch: the functions of gpu_library.py."""

    def ask(self, _path, function, arguments):
        import gpu_library
        return {'result': called(getattr(gpu_library, function), arguments), 'kernels': [], 'tuned': []}


def called(function, arguments):
    """What a function of this process returns; its memory goes back to the device, where others need it."""
    import torch
    try:
        return function(**{name: getattr(torch, value) if name == 'dtype' else value for name, value in arguments.items()})
    finally:
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
