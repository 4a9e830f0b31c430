#!/usr/bin/env python3
"""Runs Triton's tutorials, as they are, under tk and under Triton, and draws their plots with a line of each: `tutorial_plots.py FOLDER --out OUT`.

FOLDER has `01-vector-add.py` and the others. Needs a Python with torch, Triton and a GPU. Each tutorial runs in a process of its own for each
side, with its checks; both processes stay until the end, and measure in turns, one at a time: each point of a line that the compiler makes
`--turns` times, so that what the GPU does meanwhile comes to both sides. A figure is the median of its turns. The other lines, those of torch
and cuBLAS, are measured once, under tk. Of a benchmark `--points` sizes are measured, from the smallest to the largest, or those of `--at`.
`--match` takes only the plots whose names have one of its texts, `--tuning W,R` lets autotuning of both sides measure for W and R ms.

Tutorial 09 has no benchmark that draws; its kernels are lines of a plot of one size here, after its own checks. `--warm` measures nothing:
every chosen point is run once, so that caches have its kernels; `--share I/N` does that for every Nth point. Writes a CSV file and a plot for
each benchmark and the output of every process, and prints the least share of Triton's speed that tk has in each, with how far turns of one
side are apart. `--seconds` is what the measurements of one tutorial may take. Without a GPU, `--sides tk` with TK_DEVICE=sim runs programs that
measure tensors of the CPU.
"""

import argparse
import csv
import json
import os
import runpy
import statistics
import subprocess
import sys
import time
from multiprocessing.connection import Connection, Pipe
from pathlib import Path

# A line of this name is made by the compiler.
COMPILED = "triton"


def thin(values, points):
    """So many of the values, the first and the last among them."""
    values = list(values)
    if len(values) <= points or points < 2:
        return values[:points] if points < 2 else values
    return [values[round(at * (len(values) - 1) / (points - 1))] for at in range(points)]


def size_of(x):
    """What stands for a point on the axis: the first of its values."""
    return x[0] if isinstance(x, (list, tuple)) else x


def chosen(xs, options):
    """The points to measure: those of `--at` that the benchmark has, or some of all."""
    if not options.at:
        return thin(xs, options.points)
    wanted = {int(text) for text in options.at.split(",")}
    return [x for x in xs if size_of(x) in wanted]


def is_of_lines(benchmark, options):
    return not options.match or any(text in benchmark.plot_name for text in options.match.split(","))


# In the processes of the sides.


class Served:
    """What a child does with a benchmark: it tells the parent what there is to measure, and measures what the parent asks for."""

    def __init__(self, options, channel):
        self.options, self.channel = options, channel

    def run(self, mark, *args, show_plots=False, print_data=False, save_path="", return_df=False, **extra):
        benchmarks = mark.benchmarks if isinstance(mark.benchmarks, (list, tuple)) else [mark.benchmarks]
        benchmarks = [benchmark for benchmark in benchmarks if is_of_lines(benchmark, self.options)]
        points = [chosen(benchmark.x_vals, self.options) for benchmark in benchmarks]
        told = [
            {
                "plot": benchmark.plot_name,
                "xs": [size_of(x) for x in xs],
                "lines": list(benchmark.line_names),
                "compiled": [COMPILED in str(line).lower() for line in benchmark.line_vals],
                "is_time": "(ms)" in benchmark.ylabel,
            }
            for benchmark, xs in zip(benchmarks, points)
        ]
        self.channel.send(told)
        while (order := self.channel.recv()) is not None:
            plot, point, line = order
            try:
                self.channel.send(self.measure(benchmarks[plot], points[plot][point], line, mark.fn, extra))
            except Exception as error:  # The other points may work.
                print(f"{told[plot]['plot']} at {told[plot]['xs'][point]}: {error!r}", flush=True)
                self.channel.send(None)

    @staticmethod
    def measure(benchmark, x, line, function, extra):
        values = list(x) if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
        point = dict(zip(benchmark.x_names, values))
        result = function(**point, **{benchmark.line_arg: benchmark.line_vals[line]}, **benchmark.args, **extra)
        return float(result[0] if isinstance(result, (tuple, list)) else result)


def persistent_products(module, triton, options):
    """The kernels of tutorial 09 as the lines of a plot, after its own checks."""
    import torch

    size = 8192
    if not options.warm:
        module["validate"](32, 32, 32, torch.float16)
    module["validate"](size, size, 512, torch.float16)
    kernels = {
        "naive": lambda a, b: module["matmul"](a, b.T),
        "persistent": lambda a, b: module["matmul_persistent"](a, b.T),
        "TMA": lambda a, b: module["matmul_tma"](a, b, False),
        "TMA persistent": lambda a, b: module["matmul_tma_persistent"](a, b, False),
        "descriptor persistent": lambda a, b: module["matmul_descriptor_persistent"](a, b, False),
        "descriptor persistent ws": lambda a, b: module["matmul_descriptor_persistent"](a, b, True),
    }

    def measured(K, kernel):
        a = torch.randn((size, K), device="cuda", dtype=torch.float16)
        b = torch.randn((size, K), device="cuda", dtype=torch.float16)
        work = kernels.get(kernel.removeprefix(f"{COMPILED} "), lambda a, b: torch.matmul(a, b.T))
        return 2e-9 * size * size * K / triton.testing.do_bench(lambda: work(a, b))

    lines = ["torch", *(f"{COMPILED} {name}" for name in kernels)]
    names = ["torch", *(f"Triton [{name}]" for name in kernels)]
    benchmark = triton.testing.Benchmark(["K"], [512], "kernel", lines, names, "persistent-matmul", {}, ylabel="TFLOPS")
    triton.testing.perf_report(benchmark)(measured).run()


def child(options):
    """Runs one tutorial under one side, and measures what the parent asks for."""
    if options.side == "tk":
        import tk

        tk.as_triton()
    import triton
    import triton.testing

    channel = Connection(options.child)
    served = Served(options, channel)
    triton.testing.Mark.run = lambda mark, *args, **named: served.run(mark, *args, **named)
    real = triton.testing.do_bench
    if options.warm:
        shape_autotuning(triton, options.share, lambda work, quantiles=None: (work(), [1.0, 1.0, 1.0])[1])
        triton.testing.do_bench = lambda work, quantiles=None, **named: (work(), [1.0, 1.0, 1.0] if quantiles else 1.0)[1]
    elif options.tuning:
        warmup, rep = map(float, options.tuning.split(","))
        shape_autotuning(triton, None, lambda work, quantiles: real(work, warmup=warmup, rep=rep, quantiles=quantiles))
    sys.argv = [str(options.folder)]
    if options.folder.name.startswith("09"):
        persistent_products(runpy.run_path(str(options.folder), run_name="tutorial"), triton, options)
    else:
        runpy.run_path(str(options.folder), run_name="__main__")
    channel.send([])


def shape_autotuning(triton, share, do_bench):
    """Lets autotuners measure by another function, and have only their share of the configurations."""
    inner = triton.runtime.autotuner.Autotuner.__init__

    def init(self, fn, arg_names, configs, *args, **named):
        if share:
            at, count = map(int, share.split("/"))
            configs = configs[at % len(configs) :: count] if configs else configs
        inner(self, fn, arg_names, configs, *args, **named)
        self._do_bench = do_bench

    triton.runtime.autotuner.Autotuner.__init__ = init


# In the parent.


class Side:
    """One side of a tutorial: a process that measures when it is asked to."""

    def __init__(self, path, side, options):
        self.name, self.number, self.start = side, path.name[:2], time.time()
        self.channel, theirs = Pipe()
        self.log = options.out / f"{self.number}-{side}.log"
        command = [sys.executable, __file__, str(path), "--child", str(theirs.fileno()), "--side", side, "--out", str(options.out)]
        for name in ("points", "at", "match", "tuning", "share"):
            if getattr(options, name):
                command += [f"--{name}", str(getattr(options, name))]
        command += ["--warm"] if options.warm else []
        with open(self.log, "w") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, pass_fds=[theirs.fileno()])
        theirs.close()
        self.code = None

    def receive(self, ends):
        """What the process says next; nothing where it ended, or the time did."""
        try:
            if self.channel.poll(max(0.0, ends - time.time())):
                return self.channel.recv()
        except (EOFError, OSError):
            pass
        self.end(124 if self.process.poll() is None else None)
        return None

    def measure(self, order, ends):
        if self.code is not None:
            return None
        try:
            self.channel.send(order)
        except OSError:
            return self.receive(ends)
        return self.receive(ends)

    def end(self, code=None):
        """Waits for the end of the process, or kills it for a reason, and says how it ended."""
        if self.code is not None:
            return
        if code is not None:
            self.process.kill()
        try:
            found = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code, found = 124, self.process.wait()
        self.code = code if code is not None else found
        last = next((line for line in reversed(self.log.read_text(errors="replace").splitlines()) if line.strip()), "")
        how = "ok" if self.code == 0 else f"FAILED ({self.code}): {last[:200]}"
        print(f"{self.number}\t{self.name}\t{how}\t{time.time() - self.start:.1f} s", flush=True)


def points_of(plots):
    """What there is to measure, point by point: the number of the plot, the point and the line, and what it is called."""
    for at, plot in enumerate(plots):
        for point, x in enumerate(plot["xs"]):
            for line, name in enumerate(plot["lines"]):
                yield (at, point, line), {**{key: plot[key] for key in ("plot", "is_time")}, "x": x, "line": name}, plot["compiled"][line]


def measure_plots(plots, sides, options, ends):
    """The rows of the plots that all sides have announced."""
    rows = []
    for order, row, is_compiled in points_of(plots):
        takers = [side for side in sides if is_compiled or side.name == "tk" and not options.warm]
        values, failed = {side.name: [] for side in takers}, None
        for turn in range(options.turns if is_compiled and not options.warm else 1):
            for side in takers if turn % 2 == 0 else reversed(takers):
                if time.time() > ends:
                    break
                value = side.measure(order, ends + options.grace) if failed != side.name else None
                if value is None:
                    failed = side.name
                else:
                    values[side.name].append(value)
        rows += [{**row, "side": side, "compiled": is_compiled, "values": found} for side, found in values.items() if found]
    return rows


def run_tutorial(path, options):
    """The measurements of one tutorial, and whether both sides ended well."""
    sides = [Side(path, side, options) for side in options.sides.split(",")]
    rows, ends = [], time.time() + options.seconds + options.grace
    while True:
        told = [side.receive(ends) for side in sides if side.code is None]
        going = [side for side in sides if side.code is None]
        told = [plots for plots in told if plots]
        if not told or not going:
            break
        # The time of the measurements begins when all checks are done.
        if not rows:
            ends = time.time() + options.seconds
        rows += measure_plots(told[0], going, options, ends)
        ends = max(ends, time.time()) + options.grace
        for side in going:
            if side.code is None:
                side.channel.send(None)
    for side in sides:
        side.end()
    (options.out / f"{path.name[:2]}.json").write_text(json.dumps(rows))
    return rows, all(side.code == 0 for side in sides)


def lines_of(rows):
    """The measurements of one plot by line: those of the compiler have the name of the side."""
    found = {}
    for row in rows:
        line = row["line"] if not row["compiled"] else f"{row['line'].replace('Triton', '').strip(' []')} {row['side']}".strip()
        found.setdefault(line, {})[row["x"]] = row["values"]
    return found


def draw(name, lines, path):
    """A picture of one plot, where matplotlib is there."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as pyplot
    except ImportError:
        return
    figure, axes = pyplot.subplots()
    for line, values in lines.items():
        axes.plot(sorted(values), [values[x] for x in sorted(values)], "-" if line.endswith("tk") else "--", label=line)
    axes.set_xscale("log", base=2)
    axes.set_title(name)
    axes.legend()
    figure.savefig(path)
    pyplot.close(figure)


def summarise(number, rows, out):
    """Writes the plots of one tutorial, and prints for each the share of Triton's speed at every point, and the least."""
    for name in dict.fromkeys(row["plot"] for row in rows):
        of_plot = [row for row in rows if row["plot"] == name]
        turns = lines_of(of_plot)
        medians = {line: {x: statistics.median(values) for x, values in points.items()} for line, points in turns.items()}
        stem = "".join(one if one.isalnum() or one in "-_." else "-" for one in f"{number}-{name}")
        xs = sorted({x for values in medians.values() for x in values})
        with open(out / f"{stem}.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["x", *medians])
            table.writerows([x, *(values.get(x, "") for values in medians.values())] for x in xs)
        draw(name, medians, out / f"{stem}.png")
        shares = {
            (x, line): (value / other) ** (-1 if of_plot[0]["is_time"] else 1)
            for line, values in medians.items()
            if line.endswith("tk")
            for x, value in values.items()
            if (other := medians.get(f"{line[:-2]}triton", {}).get(x))
        }
        if not shares:
            print(f"{number}\t{name}\tonly {', '.join(medians)}", flush=True)
            continue
        apart = max((max(one) - min(one)) / statistics.median(one) for points in turns.values() for one in points.values())
        (x, line), least = min(shares.items(), key=lambda item: item[1])
        below = sum(share < 0.98 for share in shares.values())
        print(f"{number}\t{name}\t{len(shares)} points\tleast {least:.3f} at {x:g} ({line})\t{below} below 0.98\tturns up to {apart:.3f} apart", flush=True)
        for line in dict.fromkeys(line for _, line in shares):
            print(f"\t{line}: " + "  ".join(f"{x:g}: {medians[line][x]:.4g} ({share:.3f})" for (x, own), share in shares.items() if own == line), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("numbers", nargs="*", help="such as 01 03; otherwise all")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--points", type=int, default=5)
    parser.add_argument("--at", help="sizes, with commas between them")
    parser.add_argument("--match", help="texts of names of plots, with commas between them")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--tuning", help="milliseconds of warming up and of measuring one configuration, with a comma between them")
    parser.add_argument("--warm", action="store_true", help="only compile")
    parser.add_argument("--share", help="with --warm: the configurations I, I+N, … of each autotuner, as I/N")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--grace", type=float, default=60, help="seconds besides, for imports, compilations and checks")
    parser.add_argument("--sides", default="tk,triton")
    parser.add_argument("--side", choices=["tk", "triton"], help=argparse.SUPPRESS)
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.folder = options.folder.resolve()
    if options.child is not None:
        child(options)
        return 0
    options.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("MPLBACKEND", "Agg")
    is_well = True
    for path in sorted(options.folder.glob("[0-9][0-9]-*.py")):
        if options.numbers and path.name[:2] not in options.numbers:
            continue
        rows, ended_well = run_tutorial(path, options)
        is_well &= ended_well
        if not options.warm:
            summarise(path.name[:2], rows, options.out)
    return int(not is_well)


if __name__ == "__main__":
    sys.exit(main())
