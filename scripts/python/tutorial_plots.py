#!/usr/bin/env python3
"""Runs Triton's tutorials, as they are, under tk and under Triton, and draws their plots with a line of each: `tutorial_plots.py FOLDER --out OUT`.

FOLDER has `01-vector-add.py` and the others. Needs a Python with torch, Triton and a GPU. Each tutorial runs in a process of its own for each
side, with its checks. Of a benchmark `--points` sizes are measured, from the smallest to the largest, and the lines that the compiler makes;
the other lines, those of torch and cuBLAS, are measured under tk. Writes a CSV file and a plot for each benchmark, the output of every
process, and prints the least share of Triton's speed that tk has in each. `--seconds` is what the measurements of one tutorial may take
under one side. Without a GPU, `--sides tk` with TK_DEVICE=sim runs programs that measure tensors of the CPU.
"""

import argparse
import csv
import json
import os
import runpy
import subprocess
import sys
import time
from pathlib import Path

# A line of this name is made by the compiler.
COMPILED = "triton"


def thin(values, points):
    """So many of the values, the first and the last among them."""
    values = list(values)
    if len(values) <= points or points < 2:
        return values[:points] if points < 2 else values
    return [values[round(at * (len(values) - 1) / (points - 1))] for at in range(points)]


def measure(benchmark, function, options, ends, extra):
    """The rows of one benchmark: x, line and value."""
    for x in thin(benchmark.x_vals, options.points):
        values = list(x) if isinstance(x, (list, tuple)) else [x] * len(benchmark.x_names)
        for line, name in zip(benchmark.line_vals, benchmark.line_names):
            is_compiled = COMPILED in str(line).lower()
            if not is_compiled and options.side != "tk":
                continue
            if time.time() > ends:
                print(f"{benchmark.plot_name}: the time is spent at {values}", flush=True)
                return
            point = dict(zip(benchmark.x_names, values))
            result = function(**point, **{benchmark.line_arg: line}, **benchmark.args, **extra)
            value = result[0] if isinstance(result, (tuple, list)) else result
            yield {"plot": benchmark.plot_name, "x": values[0], "line": name, "compiled": is_compiled, "value": float(value)}


def child(options):
    """Runs one tutorial under one side, and writes what its benchmarks measured."""
    if options.side == "tk":
        import tk

        tk.as_triton()
    import triton.testing

    rows = []
    ends = [None]

    def run(self, *args, show_plots=False, print_data=False, save_path="", return_df=False, **extra):
        ends[0] = ends[0] or time.time() + options.seconds
        benchmarks = self.benchmarks if isinstance(self.benchmarks, (list, tuple)) else [self.benchmarks]
        for benchmark in benchmarks:
            rows.extend(measure(benchmark, self.fn, options, ends[0], extra))

    triton.testing.Mark.run = run
    path, out = str(options.folder), options.out
    sys.argv = [path]
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        Path(out).write_text(json.dumps(rows))


def lines_of(name, rows):
    """The measurements of one plot by line: those of the compiler have the name of the side."""
    found = {}
    for side, row in rows:
        if row["plot"] == name:
            line = row["line"] if not row["compiled"] else f"{row['line'].replace('Triton', '').strip(' []')} {side}".strip()
            found.setdefault(line, {})[row["x"]] = row["value"]
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
    """Writes the plots of one tutorial, and prints a line for each: the least share of Triton's speed, and where."""
    for name in dict.fromkeys(row["plot"] for _, row in rows):
        lines = lines_of(name, rows)
        stem = "".join(one if one.isalnum() or one in "-_." else "-" for one in f"{number}-{name}")
        xs = sorted({x for values in lines.values() for x in values})
        with open(out / f"{stem}.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["x", *lines])
            table.writerows([x, *(values.get(x, "") for values in lines.values())] for x in xs)
        draw(name, lines, out / f"{stem}.png")
        shares = {
            (x, line): value / lines[f"{line[:-2]}triton"][x]
            for line, values in lines.items()
            if line.endswith("tk")
            for x, value in values.items()
            if lines.get(f"{line[:-2]}triton", {}).get(x)
        }
        if shares:
            (x, line), least = min(shares.items(), key=lambda item: item[1])
            below = sum(share < 0.98 for share in shares.values())
            print(f"{number}\t{name}\t{len(shares)} points\tleast {least:.3f} at {x:g} ({line})\t{below} below 0.98", flush=True)
        else:
            print(f"{number}\t{name}\tonly {', '.join(lines)}", flush=True)


def run_side(path, side, options):
    """The measurements of one tutorial under one side, and whether it ended well."""
    number = path.name[:2]
    out, log = options.out / f"{number}-{side}.json", options.out / f"{number}-{side}.log"
    out.unlink(missing_ok=True)
    command = [sys.executable, __file__, str(path), "--child", "--side", side, "--out", str(out)]
    command += ["--points", str(options.points), "--seconds", str(options.seconds)]
    start = time.time()
    with open(log, "w") as file:
        try:
            code = subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, timeout=options.seconds + options.grace).returncode
        except subprocess.TimeoutExpired:
            code = 124
    rows = json.loads(out.read_text()) if out.exists() else []
    last = next((line for line in reversed(log.read_text(errors="replace").splitlines()) if line.strip()), "")
    print(f"{number}\t{side}\t{'ok' if code == 0 else f'FAILED ({code}): {last[:200]}'}\t{time.time() - start:.1f} s", flush=True)
    return [(side, row) for row in rows], code == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("numbers", nargs="*", help="such as 01 03; otherwise all")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--points", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--grace", type=float, default=60, help="seconds besides, for imports, compilations and checks")
    parser.add_argument("--sides", default="tk,triton")
    parser.add_argument("--side", choices=["tk", "triton"], help=argparse.SUPPRESS)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options)
        return 0
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("MPLBACKEND", "Agg")
    is_well = True
    for path in sorted(options.folder.resolve().glob("[0-9][0-9]-*.py")):
        if options.numbers and path.name[:2] not in options.numbers:
            continue
        rows = []
        for side in options.sides.split(","):
            measured, ended_well = run_side(path, side, options)
            rows += measured
            is_well &= ended_well
        summarise(path.name[:2], rows, options.out)
    return int(not is_well)


if __name__ == "__main__":
    sys.exit(main())
