"""Measurements and comparisons."""

import builtins
import math
import os
import statistics
import sys
import time

from . import _native, _unwritten


def _torch():
    torch = sys.modules.get("torch")
    return torch if torch is not None and torch.cuda.is_available() and not _native.is_simulator() else None


def unwritten(memory):
    """Fills a contiguous array of numpy or a tensor of torch on the CPU, so that it counts as unwritten for kernels on the simulator
    until something is written there, and gives it back. With `TK_DEVICE=sim`, what torch.empty and its kin give is unwritten already."""
    _unwritten.fill(memory)
    return memory


def _quantile(values, quantiles):
    ordered = sorted(values)

    def point(q):
        place = q * (len(ordered) - 1)
        low, high = ordered[math.floor(place)], ordered[math.ceil(place)]
        return low + (high - low) * (place - math.floor(place))

    return [point(q) for q in quantiles]


def _summarize(times, quantiles, return_mode):
    if quantiles is not None:
        found = _quantile(times, quantiles)
        return found[0] if len(found) == 1 else found
    if return_mode == "all":
        return times
    return {"min": builtins.min, "max": builtins.max, "mean": statistics.mean, "median": statistics.median}[return_mode](times)


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean"):
    """Milliseconds of `fn`: each run by itself, after the L2 cache was overwritten.

    `warmup` and `rep` are milliseconds to spend. On the simulator the figures say nothing of a GPU: `fn` runs once.
    """
    assert return_mode in ("min", "max", "mean", "median", "all"), f"return_mode cannot be {return_mode!r}"
    torch = _torch()
    if torch is None and _native.is_simulator():
        start = time.perf_counter()
        fn()
        return _summarize([(time.perf_counter() - start) * 1e3], quantiles, return_mode)
    if torch is None:
        return _summarize(_native.times_of(fn, warmup, rep), quantiles, return_mode)
    cuda = torch.cuda
    fn()
    cuda.synchronize()
    cache = torch.empty(64 << 20, dtype=torch.int32, device="cuda")
    begin, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
    begin.record()
    for _ in builtins.range(5):
        cache.zero_()
        fn()
    end.record()
    cuda.synchronize()
    estimate = builtins.max(begin.elapsed_time(end) / 5, 1e-6)
    warmups, runs = builtins.max(1, int(warmup / estimate)), builtins.max(1, int(rep / estimate))
    for _ in builtins.range(warmups):
        fn()
    events = [(cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)) for _ in builtins.range(runs)]
    for begin, end in events:
        for tensor in grad_to_none or ():
            tensor.grad = None
        cache.zero_()
        begin.record()
        fn()
        end.record()
    cuda.synchronize()
    return _summarize([begin.elapsed_time(end) for begin, end in events], quantiles, return_mode)


def do_bench_cudagraph(fn, rep=20, grad_to_none=None, quantiles=None, return_mode="mean"):
    """Milliseconds of `fn` in a CUDA graph of many runs, back to back."""
    torch = _torch()
    if torch is None:
        return do_bench(fn, quantiles=quantiles, return_mode=return_mode)
    cuda = torch.cuda
    with cuda.stream(cuda.Stream()):
        fn()
        for tensor in grad_to_none or ():
            tensor.detach_()
            tensor.requires_grad_(True)
            tensor.grad = None
        begin, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        begin.record()
        for _ in builtins.range(5):
            fn()
        end.record()
        cuda.synchronize()
        runs = builtins.max(1, int(rep / builtins.max(begin.elapsed_time(end) / 5, 1e-6)))
        graph = cuda.CUDAGraph()
        with cuda.graph(graph):
            for _ in builtins.range(runs):
                for tensor in grad_to_none or ():
                    tensor.grad = None
                fn()
        cuda.synchronize()
        times = []
        for _ in builtins.range(10):
            begin, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
            begin.record()
            graph.replay()
            end.record()
            cuda.synchronize()
            times.append(begin.elapsed_time(end) / runs)
    return _summarize(times, quantiles, return_mode)


def assert_close(x, y, atol=None, rtol=None, err_msg=""):
    """Fails unless two tensors are equal but for rounding."""
    import numpy

    def array(value):
        if hasattr(value, "detach"):
            value = value.detach().float().cpu().numpy() if value.is_floating_point() else value.detach().cpu().numpy()
        return numpy.asarray(value)

    numpy.testing.assert_allclose(
        array(x), array(y), atol=1e-2 if atol is None else atol, rtol=0.0 if rtol is None else rtol, equal_nan=True, err_msg=err_msg
    )


class Benchmark:
    """What `perf_report` measures and plots."""

    def __init__(
        self,
        x_names,
        x_vals,
        line_arg,
        line_vals,
        line_names,
        plot_name,
        args,
        xlabel="",
        ylabel="",
        x_log=False,
        y_log=False,
        styles=None,
    ):
        self.x_names, self.x_vals, self.x_log = x_names, x_vals, x_log
        self.line_arg, self.line_vals, self.line_names, self.y_log = line_arg, line_vals, line_names, y_log
        self.styles, self.xlabel, self.ylabel = styles, xlabel, ylabel
        self.plot_name, self.args = plot_name, args


class Mark:
    """A function with its benchmarks."""

    def __init__(self, fn, benchmarks):
        self.fn = fn
        self.benchmarks = benchmarks

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        """Measures, prints a table, and draws a plot where matplotlib is there."""
        one = isinstance(self.benchmarks, Benchmark)
        frames = []
        for bench in [self.benchmarks] if one else self.benchmarks:
            names, rows = self._measure(bench, kwargs)
            if save_path:
                os.makedirs(save_path, exist_ok=True)
                _write(os.path.join(save_path, f"{bench.plot_name}.csv"), names, rows)
                _plot(bench, rows, os.path.join(save_path, f"{bench.plot_name}.png"), show_plots)
            if print_data:
                print(f"{bench.plot_name}:")
                print(_table(names, rows), flush=True)
            if return_df:
                import pandas

                frames.append(pandas.DataFrame(rows, columns=names))
        return (frames[0] if one else frames) if return_df else None

    def _measure(self, bench, kwargs):
        rows = []
        for x in bench.x_vals:
            values = x if isinstance(x, (list, tuple)) else [x] * len(bench.x_names)
            assert len(values) == len(bench.x_names), f"{len(bench.x_names)} names and {len(values)} values of x"
            point = dict(zip(bench.x_names, values))
            row = list(values)
            for line in bench.line_vals:
                result = self.fn(**point, **{bench.line_arg: line}, **bench.args, **kwargs)
                row.append(result[0] if isinstance(result, (tuple, list)) else result)
            rows.append(row)
        unit = f" ({bench.ylabel})" if bench.ylabel else ""
        return [*bench.x_names, *(f"{name}{unit}" for name in bench.line_names)], rows


def _write(path, names, rows):
    with open(path, "w") as file:
        file.write(",".join(names) + "\n")
        file.writelines(",".join(str(value) for value in row) + "\n" for row in rows)


def _table(names, rows):
    texts = [names, *([f"{value:.6f}" if isinstance(value, float) else str(value) for value in row] for row in rows)]
    widths = [builtins.max(len(row[at]) for row in texts) for at in builtins.range(len(names))]
    lines = ["  ".join(text.rjust(width) for text, width in zip(row, widths)) for row in texts]
    return "\n".join(("   " if at == 0 else f"{at - 1:<3}") + line for at, line in enumerate(lines))


def _plot(bench, rows, path, show):
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        return
    pyplot.figure()
    axes = pyplot.subplot()
    for at, name in enumerate(bench.line_names):
        color, style = bench.styles[at] if bench.styles else (None, None)
        axes.plot([row[0] for row in rows], [row[len(bench.x_names) + at] for row in rows], label=name, color=color, ls=style)
    axes.legend()
    axes.set_xlabel(bench.xlabel or bench.x_names[0])
    axes.set_ylabel(bench.ylabel)
    axes.set_xscale("log" if bench.x_log else "linear")
    axes.set_yscale("log" if bench.y_log else "linear")
    pyplot.savefig(path)
    if show:
        pyplot.show()
    pyplot.close()


def perf_report(benchmarks):
    """Marks a function as one that is measured: `function.run(print_data=True)`."""
    return lambda fn: Mark(fn, benchmarks)


def __getattr__(name):
    raise AttributeError(f"tk.testing has no `{name}`")
