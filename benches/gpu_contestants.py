"""Who takes part in benches/gpu.py: tk, Triton and the libraries, each asked for a function of a .tk file (or its equal) by name.

An answer is {'result': …, 'kernels': [{'kernel', 'registers', 'spills', 'configuration'}, …], 'tuned': [report, …]}."""
import importlib.machinery
import importlib.util
import inspect
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What the .tk files import from beside them is found there by Python, too.
sys.path.append(str(ROOT / 'benches' / 'gpu'))


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
        give_launches_time(triton)
        fill_replays(triton)
        tune_one_by_one(triton)

    def tune_by(self, measure):
        """Replaces what autotuning measures a configuration by: `measure(call, quantiles)` returns milliseconds, one per quantile."""
        import triton
        triton.runtime.Autotuner.do_bench = property(lambda _tuner: measure)

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


# Overwriting the L2 cache takes 60 microseconds, and Python as long or longer to launch a jitted function (60 to 91 with three tensor
# descriptors), whose wait is measured as if the kernel took it. So before single launches the cache is overwritten this many times; longer
# measurements have their launches queued ahead.
FLUSHES = 3

# Launches of do_bench that only estimate how long one takes. The cache is overwritten once before each, whatever is measured after them.
ESTIMATES = 5

# Milliseconds of a run above which 0.6 microseconds more or less do not matter to the tuning.
LONG = 0.1


def give_launches_time(triton):
    """Makes do_bench overwrite the cache long enough for a single launch from Python to be queued before the clock starts."""
    driver, measure = triton.runtime.driver.active, triton.testing.do_bench
    clear = driver.clear_cache

    def do_bench(call, warmup=25, rep=100, **more):
        cleared = 0

        def clear_often(cache):
            nonlocal cleared
            cleared += 1
            for _ in range(1 if rep or cleared <= ESTIMATES else FLUSHES):
                clear(cache)
        driver.clear_cache = clear_often
        return measure(call, warmup=warmup, rep=rep, **more)
    triton.testing.do_bench = do_bench


def fill_replays(triton):
    """Makes the replays of do_bench_cudagraph last as long as `rep` says. It divides `rep` by the time that five launches from Python
    take, several times that of a short kernel, and so its graphs would be short, draw full power for less time than those of a faster
    host, and run at higher clocks."""
    measure = triton.testing.do_bench_cudagraph

    def do_bench_cudagraph(call, rep=20, **more):
        own = measure(call, rep=1, return_mode='median')
        return measure(call, rep=rep * max(1.0, launched(call) / own), **more)
    triton.testing.do_bench_cudagraph = do_bench_cudagraph


def launched(call, launches=5):
    """Milliseconds from one launch of a call to the next, as this host launches it."""
    import torch
    call()
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(launches):
        call()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end) / launches


def tune_one_by_one(triton):
    """Makes autotuning measure short runs as the .tk files do: launches that queue up meet one of two states (docs/measurements.md), and
    the tuner would take a configuration that met the better one."""
    tuner, measure = triton.runtime.Autotuner, triton.testing.do_bench
    as_asked = inspect.getattr_static(tuner, 'do_bench').func

    def do_bench(self):
        asked = as_asked(self)

        def timed(call, quantiles):
            about = measure(call, warmup=5, rep=5, return_mode='median')
            if about > LONG:
                return asked(call, quantiles=quantiles)
            times = [measure(call, warmup=0, rep=0, return_mode='median') for _ in range(21)]
            return triton.testing._summarize_statistics(times, quantiles, None)
        return timed
    tuner.do_bench = property(do_bench)


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
