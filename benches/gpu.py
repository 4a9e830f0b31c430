"""tk, Triton and the libraries (cuBLAS, cuDNN) side by side on one GPU, in one run, on the same .tk files.

  python3 benches/gpu.py [--tk target/release/tk] [--out DIR] [--only matmul,attention] [--quick] [--turns 2]

The three take turns on every row, so that they share what power and clocks do; a figure is the median of the turns, by two
rules that must not be compared with each other: `alone` (each launch by itself after the L2 cache was flushed,
triton.testing.do_bench) and `queued` (a graph of launches back to back, triton.testing.do_bench_cudagraph: launching and
the flush are left out). Groups: matmul tall fp8 tf32 int8 descriptors attention memory errors, and examples, which is only run when named. Writes gpu.md, gpu.json, a plot
per kind of matmul (SVG) and tuned.txt to DIR. Needs a GPU and Python with torch and triton.
"""
import argparse
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import gpu_rows
import svg_plot

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONTESTANTS = ('tk', 'triton', 'library')


class Tk:
    """`tk bench --requests`, one process per file, which keeps its device and kernels between requests."""

    def __init__(self, binary):
        self.binary, self.processes = binary, {}

    def ask(self, path, line):
        process = self.processes.get(path)
        if process is None or process.poll() is not None:
            command = [self.binary, 'bench', str(ROOT / path), '--device', 'cuda', '--requests']
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
            self.processes[path] = process
        process.stdin.write(line + '\n')
        process.stdin.flush()
        answer = process.stdout.readline()
        if not answer:
            raise RuntimeError(f'tk stopped with {process.wait()} at: {line}')
        answer = json.loads(answer)
        if 'error' in answer:
            raise RuntimeError(answer['error'])
        return answer

    def close(self, path=None):
        for process in [self.processes.pop(path)] if path else list(self.processes.values()):
            process.stdin.close()
            process.wait()


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

    def module(self, path):
        if path not in self.modules:
            name = pathlib.Path(path).stem + '_tk'
            loader = importlib.machinery.SourceFileLoader(name, str(ROOT / path))
            module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
            loader.exec_module(module)
            self.modules[path] = module
        return self.modules[path]

    def ask(self, path, function, arguments):
        self.kernels.clear()
        module = self.module(path)
        result = getattr(module, function)(**torch_arguments(arguments))
        kernels = []
        for name, kernel in self.kernels.items():
            tuner = getattr(module, name, None)
            best = getattr(tuner, 'best_config', None) or getattr(getattr(tuner, 'fn', None), 'best_config', None)
            kernels.append({'kernel': name, 'registers': getattr(kernel, 'n_regs', None), 'spills': getattr(kernel, 'n_spills', None),
                            'configuration': str(best) if best else None})
        return {'result': result, 'kernels': kernels}


def torch_arguments(arguments):
    import torch
    return {name: getattr(torch, value) if name == 'dtype' else value for name, value in arguments.items()}


def library_times(row):
    import gpu_library
    return getattr(gpu_library, row.library)(**torch_arguments(row.arguments))


def free_memory():
    import torch
    torch.cuda.synchronize()
    torch.cuda.empty_cache()


class Bench:
    def __init__(self, args):
        self.args, self.tk, self.triton = args, Tk(args.tk), Triton()
        self.table, self.tuned, self.started = [], [], time.time()

    def measure(self, row):
        """One row: every contestant in every turn, then medians. One that fails is left out and told."""
        samples, notes, failed = {name: [] for name in CONTESTANTS}, {}, set()
        for turn in range(self.args.turns):
            # The order is reversed from turn to turn: nobody is always the first on a cool GPU.
            for name in CONTESTANTS if turn % 2 == 0 else reversed(CONTESTANTS):
                if name in failed or (name == 'library' and not row.library):
                    continue
                try:
                    samples[name].append(self.sample(name, row, notes))
                except Exception as error:
                    failed.add(name)
                    notes[f'{name} failed'] = reason(error)
                    print(f'  {name} failed: {reason(error)}', flush=True)
        entry = {'group': row.group, 'label': row.label, 'unit': row.unit, 'notes': notes, 'series': row.series}
        for name in CONTESTANTS:
            good = [pair for pair in samples[name] if pair]
            for i, rule in enumerate(('alone', 'queued')):
                figures = [row.figure(pair[i]) for pair in good if pair[i]]
                entry[f'{name} {rule}'] = statistics.median(figures) if figures else None
        self.table.append(entry)
        self.show(entry)

    def sample(self, name, row, notes):
        if name == 'tk':
            answer = self.tk.ask(row.path, row.line())
            self.tuned += [f'{row.label}\n{text}' for text in answer.get('tuned', [])]
            if answer.get('kernels'):
                kernel = answer['kernels'][-1]
                notes['tk kernel'] = f"{kernel.get('registers')} registers, {kernel.get('spill_bytes')} bytes of spills; {kernel.get('configuration')}"
                notes['tk spills'] = kernel.get('spill_bytes')
            return answer['result']
        try:
            if name == 'library':
                return library_times(row)
            answer = self.triton.ask(row.path, row.function, row.arguments)
            for kernel in answer['kernels'][-1:]:
                notes['triton kernel'] = f"{kernel['registers']} registers, {kernel['spills']} spills; {kernel['configuration']}"
                notes['triton spills'] = kernel['spills']
            return answer['result']
        finally:
            free_memory()

    def show(self, entry):
        cells = []
        for rule in ('alone', 'queued'):
            mine, other, best = (entry[f'{name} {rule}'] for name in CONTESTANTS)
            cells.append(f'{rule}: tk {text(mine)} triton {text(other)} lib {text(best)} | {ratio(mine, other)} {ratio(mine, best)}')
        print(f"[{time.time() - self.started:5.0f} s] {entry['label']:40} {'   '.join(cells)}", flush=True)

    def errors(self):
        """Relative errors of both compilers against float64 products, in millionths."""
        for dtype in ('float16', 'bfloat16', 'float8_e5m2', 'float32', 'int8'):
            arguments = {'M': 512, 'N': 512, 'K': 512, 'dtype': dtype, 'column_major': True}
            row = gpu_rows.Row('errors', f'{dtype} 512', 'benches/gpu/matmul.tk', 'measure_error', arguments, unit='1e-6')
            entry = {'group': 'errors', 'label': row.label, 'unit': 'millionths', 'notes': {}, 'series': ()}
            try:
                entry['tk alone'] = self.tk.ask(row.path, row.line())['result']
                entry['triton alone'] = self.triton.ask(row.path, row.function, arguments)['result']
                print(f"error of {row.label}: tk {entry['tk alone']:.3f} triton {entry['triton alone']:.3f} (millionths)", flush=True)
            except Exception as error:
                print(f'  {row.label}: {reason(error)}', flush=True)
            self.table.append(entry)

    def examples(self):
        """The bench_* functions of examples that measure themselves, in the unit they return."""
        for name in gpu_rows.EXAMPLES:
            path = f'examples/{name}'
            if not (ROOT / path).exists():
                print(f'{path} is not here', flush=True)
                continue
            for function in [name for name in dir(self.triton.module(path)) if name.startswith('bench_')]:
                entry = {'group': 'examples', 'label': f'{name} {function}', 'unit': 'as the file says', 'notes': {}, 'series': ()}
                mine, other = [], []
                for _ in range(self.args.turns):
                    for into, ask in ((mine, lambda: self.tk.ask(path, function)), (other, lambda: self.triton.ask(path, function, {}))):
                        try:
                            into.append(ask()['result'])
                        except Exception as error:
                            print(f'  {path} {function}: {reason(error)}', flush=True)
                free_memory()
                # A single figure is a rate; a pair is milliseconds by both rules.
                for who, values in (('tk', mine), ('triton', other)):
                    for i, rule in enumerate(('alone', 'queued')):
                        column = [v[i] if isinstance(v, (list, tuple)) else v for v in values if isinstance(v, (list, tuple)) or i == 0]
                        entry[f'{who} {rule}'] = statistics.median(column) if column else None
                        entry[f'library {rule}'] = None
                self.table.append(entry)
                self.show(entry)

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / 'gpu.json').write_text(json.dumps(self.table, indent=1))
        (folder / 'gpu.md').write_text(markdown(self.table))
        (folder / 'tuned.txt').write_text('\n'.join(self.tuned))
        plots = {}
        for entry in self.table:
            if entry['series']:
                name, x = entry['series']
                for who, label in (('tk', 'tk'), ('triton', 'Triton'), ('library', 'cuBLAS')):
                    for rule in ('alone', 'queued'):
                        if entry.get(f'{who} {rule}'):
                            plots.setdefault((name, rule), {}).setdefault(label, []).append((x, entry[f'{who} {rule}']))
        for (name, rule), series in plots.items():
            how = 'each launch alone, L2 flushed' if rule == 'alone' else 'launches back to back'
            file = f"matmul-{name}-{rule}".replace(',', '').replace(' ', '-') + '.svg'
            (folder / file).write_text(svg_plot.plot(f'matmul {name} ({how})', 'M = N = K', 'TFLOP/s', series))


def reason(error):
    """The last line of a message, which says most; the type of an exception without one."""
    lines = [line for line in str(error).splitlines() if line.strip(' ^')]
    return f'{type(error).__name__}: {lines[-1].strip()[:200]}' if lines else type(error).__name__


def text(value):
    return f'{value:7.1f}' if value is not None else '      -'


def ratio(mine, other):
    return f'{mine / other:.3f}' if mine and other else '-'


def summary(table):
    """One line per table: how many rows, and tk against Triton by both rules: the least ratio, and the rows behind."""
    out = ['| table | rows | alone: least tk / Triton, rows behind | queued: least tk / Triton, rows behind |', '|---|---|---|---|']
    for group in dict.fromkeys(entry['group'] for entry in table if entry['group'] != 'errors'):
        rows = [entry for entry in table if entry['group'] == group]
        cells = [group, str(len(rows))]
        for rule in ('alone', 'queued'):
            pairs = [(entry.get(f'tk {rule}'), entry.get(f'triton {rule}')) for entry in rows]
            ratios = [mine / other for mine, other in pairs if mine and other]
            cells.append(f'{min(ratios):.3f}, {sum(value < 1 for value in ratios)}' if ratios else '-')
        out.append('| ' + ' | '.join(cells) + ' |')
    return out


def markdown(table):
    out = summary(table)
    for group in dict.fromkeys(entry['group'] for entry in table):
        rows = [entry for entry in table if entry['group'] == group]
        out.append(f'\n## {group}\n')
        for rule, title in (('alone', 'Each launch alone, L2 flushed'), ('queued', 'Launches back to back')):
            shown = [entry for entry in rows if any(entry.get(f'{name} {rule}') for name in CONTESTANTS)]
            if not shown:
                continue
            out += [f'{title} ({rows[0]["unit"]}):\n', '| row | tk | Triton | library | tk / Triton | tk / library | spills tk, Triton |',
                    '|---|---|---|---|---|---|---|']
            for entry in shown:
                mine, other, best = (entry.get(f'{name} {rule}') for name in CONTESTANTS)
                spills = [entry['notes'].get(f'{name} spills') for name in ('tk', 'triton')]
                spills = ', '.join('-' if value is None else str(value) for value in spills)
                cells = [entry['label'], *(text(v).strip() for v in (mine, other, best)), ratio(mine, other), ratio(mine, best), spills]
                out.append('| ' + ' | '.join(cells) + ' |')
            out.append('')
    return '\n'.join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tk', default=os.environ.get('TK', str(ROOT / 'target' / 'release' / 'tk')))
    parser.add_argument('--out', default='gpu-results')
    parser.add_argument('--only', default='', help='groups, separated by commas')
    parser.add_argument('--quick', action='store_true', help='a few rows of every group')
    parser.add_argument('--turns', type=int, default=2)
    parser.add_argument('--seconds', type=float, default=1e9, help='start no row after this many seconds')
    args = parser.parse_args()
    only = [name for name in args.only.split(',') if name]
    wanted = lambda group: not only or group in only
    bench = Bench(args)
    import torch
    device = torch.cuda.get_device_name()
    print(f'{device}; Triton {bench.triton.version}, torch {torch.__version__}, CUDA {torch.version.cuda}', flush=True)
    out = pathlib.Path(args.out)
    late = lambda: time.time() - bench.started > args.seconds
    try:
        for row in gpu_rows.all_rows():
            if wanted(row.group) and (row.quick or not args.quick) and (ROOT / row.path).exists() and not late():
                bench.measure(row)
        # These repeat what other tables say, with the examples' own configurations: only when asked for.
        if 'examples' in only and not late():
            bench.examples()
        if wanted('errors') and not late():
            bench.errors()
    finally:
        bench.tk.close()
        bench.write(out)
    losing = [e for e in bench.table if e['group'] != 'errors' and e.get('tk alone') and e.get('triton alone') and e['tk alone'] < e['triton alone']]
    print(f'{len(bench.table)} rows in {time.time() - bench.started:.0f} s; tk is behind Triton in {len(losing)}; tables in {out}/gpu.md', flush=True)


if __name__ == '__main__':
    main()
