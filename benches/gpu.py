"""tk, Triton and the libraries (cuBLAS, cuDNN) side by side on one GPU, in one run, on the same .tk files.

  python3 benches/gpu.py [--tk target/release/tk] [--out DIR] [--only matmul,attention] [--turns 2] [--budget 500]
  python3 benches/gpu.py --bars [--out DIR]     what an earlier run says of every bar; needs no GPU

The three take turns on every row, in rotating order, so that they share what power and clocks do; a figure is the median of the
turns, by two rules that must not be compared with each other: `alone` (each launch by itself after the L2 cache was flushed,
triton.testing.do_bench) and `queued` (a graph of launches back to back, triton.testing.do_bench_cudagraph: launching and the flush are
left out). All rows have their first turn before any has its second; `--budget SECONDS` stops there, and what is left of it goes to rows
whose ratio is close to its bar. Groups: matmul tall few fp8 tf32 int8 descriptors attention memory errors, and those which are only run
when named: best lengths worklog examples. `--fixed-clock [LABEL]` counts cycles at fixed clocks (ncu) for the rows whose label contains
LABEL, else for those within 2 % of their bar. Writes gpu.md, gpu.json, a plot per kind of matmul (SVG) and tuned.txt to DIR. Needs a GPU and Python with torch and
triton.
"""
import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import gpu_bars
import gpu_compile_ahead
import gpu_contestants
import gpu_cycles
import gpu_report
import gpu_rows
import gpu_schedule
import gpu_statistics
from gpu_contestants import ROOT
from gpu_statistics import CONTESTANTS, RULES

# Samples of each relative error; each draws new inputs.
ERROR_SAMPLES = 3
# Seconds that the budget keeps back for writing, and the share of it for cycles where they are asked for.
RESERVE, CYCLES_SHARE = 3, 0.5


class Bench:
    """A run: what takes part, what is measured, and what was."""

    def __init__(self, args, contestants):
        self.args, self.contestants, self.started = args, contestants, time.time()
        self.data = {'machine': '', 'rows': [], 'errors': {}, 'checks': {}}
        self.rows, self.tuned = [], []

    def elapsed(self):
        return time.time() - self.started

    def left(self):
        return self.args.budget - self.elapsed()

    def add(self, row):
        self.rows.append(row)
        self.data['rows'].append({
            'group': row.group, 'label': row.label, 'unit': row.unit, 'series': row.series, 'arguments': row.arguments,
            'error': row.error, 'turns': {name: [] for name in CONTESTANTS}, 'kernels': {}, 'again': {},
            'failed': {name: 'left out by --without' for name in self.args.without}})

    def compile_ahead(self, errors):
        """Has Triton's kernels compiled, by many processes at once, before anything is measured."""
        gpu_compile_ahead.compile_ahead([*self.rows, *(gpu_rows.error_rows() if errors else ())])
        print(f"[{self.elapsed():5.0f} s] Triton's kernels are compiled", flush=True)

    def measure(self):
        """Turns until every row has its least number and nothing is doubtful any more, or the budget is spent."""
        kept = RESERVE + (CYCLES_SHARE * self.args.budget if self.args.fixed_clock is not None else 0)
        while True:
            at = gpu_schedule.next_row(self.data['rows'], self.args.turns, self.left() - kept)
            if at is None:
                return
            self.turn(self.rows[at], self.data['rows'][at])

    def turn(self, row, entry):
        """One turn of a row. A contestant that fails is left out of this and later turns, and told."""
        if gpu_schedule.turns_of(entry) == 0 and row.work:
            self.tune(row, entry)
        begun = time.time()
        for name in gpu_schedule.order(gpu_schedule.turns_of(entry)):
            skipped = name in entry['failed'] or (name == 'library' and not row.library)
            entry['turns'][name].append(None if skipped else self.sample(name, row, entry))
        self.ask_again(row, entry)
        entry['seconds'] = time.time() - begun
        self.show(entry)

    def tune(self, row, entry):
        """Compiles and tunes before the first turn: tk tunes for a second without a gap, Triton compiles in between, and so they would
        leave the GPU at different clocks for the figures."""
        for name in ('tk', 'triton'):
            try:
                if name in entry['failed']:
                    continue
                answer = self.contestants[name].ask(row.path, row.launch, {'launches': 1, **row.launch_arguments()})
                self.tuned += [f'{row.label}\n{text}' for text in answer['tuned']]
            except Exception as error:
                self.leave_out(name, entry, error)

    def leave_out(self, name, entry, error):
        entry['failed'][name] = reason(error)
        print(f'  {name} failed: {reason(error)}', flush=True)

    def ask_again(self, row, entry):
        """Who stands apart in this turn has a second try, whoever it is, and the better figures of the two count."""
        for name in gpu_schedule.order(gpu_schedule.turns_of(entry)) if row.work else ():
            turns = entry['turns'][name]
            if turns[-1] and gpu_statistics.is_stray(entry, name):
                turns[-1] = gpu_statistics.better(turns[-1], self.sample(name, row, entry))
                entry['again'][name] = entry['again'].get(name, 0) + 1

    def sample(self, name, row, entry):
        """The figures of one contestant by both rules, or None."""
        try:
            function = row.library if name == 'library' else row.function
            answer = self.contestants[name].ask(row.path, function, row.arguments)
            self.tuned += [f'{row.label}\n{text}' for text in answer['tuned']]
            if answer['kernels']:
                entry['kernels'][name] = answer['kernels'][-1]
            return row.figures(answer['result'])
        except Exception as error:
            self.leave_out(name, entry, error)
            return None

    def show(self, entry):
        cells = []
        for rule in RULES:
            figures = ' '.join(f'{name} {gpu_report.number(gpu_statistics.figure(entry, name, rule)):>7}' for name in CONTESTANTS)
            ratios = ' '.join(gpu_report.ratio(gpu_statistics.compare(entry, rule, other)) for other in CONTESTANTS[1:])
            cells.append(f'{rule}: {figures} | {ratios}')
        turn = gpu_schedule.turns_of(entry)
        print(f"[{self.elapsed():5.0f} s] {entry['label']:40} turn {turn}  {'   '.join(cells)}", flush=True)

    def errors(self):
        """Relative errors of both compilers against computations in float64, in millionths."""
        for row in gpu_rows.error_rows():
            by = self.data['errors'].setdefault(row.label, {'tk': [], 'triton': []})
            for name in ('tk', 'triton'):
                try:
                    for _ in range(ERROR_SAMPLES):
                        by[name].append(self.contestants[name].ask(row.path, row.function, row.arguments)['result'])
                except Exception as error:
                    print(f'  error of {row.label}, {name}: {reason(error)}', flush=True)
            shown = ' '.join(f'{name} {", ".join(f"{value:.4g}" for value in by[name])}' for name in by)
            print(f'[{self.elapsed():5.0f} s] error of {row.label}: {shown} (millionths)', flush=True)

    def checks(self):
        """What must simply be right: the tests of the f64 and int8 products."""
        files = [str(ROOT / 'examples' / name) for name in ('matmul_f64.tk', 'matmul_int8.tk')]
        done = subprocess.run([self.args.tk, 'test', *files, '--device', 'cuda'], capture_output=True, text=True, check=False)
        self.data['checks']['f64 and int8 tests'] = done.returncode == 0
        print(f'tests of f64 and int8 products: {"pass" if done.returncode == 0 else done.stdout + done.stderr}', flush=True)

    def fixed_clock(self):
        """Cycles at fixed clocks for the rows that were asked for."""
        ncu = gpu_cycles.find_ncu()
        if ncu is None:
            sys.exit('--fixed-clock needs ncu, which is not in PATH nor in /usr/local/cuda/bin')
        self.contestants['tk'].close()
        for row, entry in zip(self.rows, self.data['rows']):
            named = self.args.fixed_clock and self.args.fixed_clock in row.label
            near = not self.args.fixed_clock and any(
                known and abs(known.ratio - demand.least) < 0.02 for demand, known in
                ((demand, gpu_statistics.compare(entry, demand.rule, demand.other)) for demand in gpu_bars.demands(entry)))
            if not (named or near) or not {'tk', 'triton'} <= entry['kernels'].keys() or self.left() < RESERVE:
                continue
            try:
                entry['cycles'] = gpu_cycles.of_row(ncu, self.args.tk, row, entry['kernels'])
                counts = entry['cycles']
                print(f"[{self.elapsed():5.0f} s] {row.label}: cycles tk {counts['tk']:.0f} triton {counts['triton']:.0f}, "
                      f"tk / Triton {counts['tk'] / counts['triton']:.4f}", flush=True)
            except Exception as error:
                print(f'  cycles of {row.label}: {reason(error)}', flush=True)

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / 'gpu.json').write_text(json.dumps(self.data, indent=1))
        (folder / 'gpu.md').write_text(gpu_report.markdown(self.data))
        (folder / 'tuned.txt').write_text('\n'.join(self.tuned))
        for name, svg in gpu_report.plots(self.data['rows']).items():
            (folder / name).write_text(svg)


def reason(error):
    """The last line of a message, which says most; the type of an exception without one."""
    lines = [line for line in str(error).splitlines() if line.strip(' ^')]
    return f'{type(error).__name__}: {lines[-1].strip()[:200]}' if lines else type(error).__name__


def in_order(rows, only):
    """The rows of the groups that are named, in the order of the names; where none is, all but those that must be named."""
    if only:
        return [row for group in only for row in rows if row.group == group]
    return [row for row in rows if row.group not in gpu_rows.ONLY_WHEN_NAMED]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tk', default=os.environ.get('TK', gpu_contestants.default_tk()))
    parser.add_argument('--out', default='gpu-results', type=pathlib.Path)
    parser.add_argument('--only', default='', help='groups, separated by commas, in the order in which they run')
    parser.add_argument('--without', nargs='+', default=[], choices=CONTESTANTS[1:], help='contestants that are left out')
    parser.add_argument('--rows', default='', help='only rows whose label this regular expression finds')
    parser.add_argument('--quick', action='store_true', help='a few rows of every group')
    parser.add_argument('--turns', type=int, default=1, help='the least number of turns of each row')
    parser.add_argument('--budget', '--seconds', dest='budget', type=float, default=600, help='seconds for everything')
    parser.add_argument('--fixed-clock', nargs='?', const='', metavar='LABEL', help='cycles at fixed clocks by ncu')
    parser.add_argument('--bars', action='store_true', help='only say what DIR/gpu.json shows of every bar')
    return parser.parse_args()


def main():
    args = arguments()
    # Who is stopped from outside (a batch system, `timeout`) still writes what was measured.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if args.bars:
        if not (args.out / 'gpu.json').exists():
            sys.exit(f'{args.out}/gpu.json is not there; --out names the folder of a run')
        print(gpu_bars.text(json.loads((args.out / 'gpu.json').read_text())))
        return
    only = [name for name in args.only.split(',') if name]
    import torch
    contestants = {'tk': gpu_contestants.Tk(args.tk), 'triton': gpu_contestants.Triton(), 'library': gpu_contestants.Library()}
    bench = Bench(args, contestants)
    bench.data['machine'] = (f"{torch.cuda.get_device_name()}; Triton {contestants['triton'].version}, torch "
                             f"{torch.__version__}, CUDA {torch.version.cuda}")
    print(bench.data['machine'], flush=True)
    for row in in_order(gpu_rows.all_rows('examples' in only, contestants['triton'].module), only):
        if (row.quick or not args.quick) and re.search(args.rows, row.label):
            bench.add(row)
    errors = not only or 'errors' in only
    try:
        if 'triton' not in args.without:
            bench.compile_ahead(errors)
        if errors:
            bench.errors()
            bench.checks()
        bench.measure()
        if args.fixed_clock is not None:
            bench.fixed_clock()
    finally:
        contestants['tk'].close()
        bench.write(args.out)
    print(f"{len(bench.rows)} rows in {bench.elapsed():.0f} s; tables in {args.out}/gpu.md\n{gpu_bars.text(bench.data)}", flush=True)


if __name__ == '__main__':
    main()
