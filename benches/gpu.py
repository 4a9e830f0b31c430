"""tk beside Triton on the same .tk files, in one run on one GPU.

  python3 benches/gpu.py [--tk target/release/tk] [--out DIR] [--repeat 3] [FILE…]

Each bench_* function of each file gives a figure (GB/s or TFLOP/s, as the file says; more is better). tk and Triton take
turns, `--repeat` times each, and the table shows the median of each and the ratio tk / Triton. Needs a GPU and Python with
torch and triton. Writes gpu.json and gpu.md to DIR.
"""
import argparse, glob, json, os, statistics, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(here)


def figures(command, what):
    """One figure per bench function from lines of JSON: {"function": …, "result": …}."""
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        print(f'{what} failed:\n{run.stdout}{run.stderr}', file=sys.stderr)
    rows = (json.loads(line) for line in run.stdout.splitlines() if line.startswith('{'))
    return {row['function']: row.get('result') for row in rows}


def tk_figures(tk, path):
    return figures([tk, 'bench', path, '--device', 'cuda', '--json'], f'tk bench {path}')


def triton_figures(path):
    script = os.path.join(root, 'examples', 'run_with_triton.py')
    return figures([sys.executable, script, path, '--bench'], f'triton bench {path}')


def median(values):
    values = [v for v in values if v is not None]
    return statistics.median(values) if values else None


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('files', nargs='*')
    p.add_argument('--tk', default=os.path.join(root, 'target', 'release', 'tk'))
    p.add_argument('--out', default='.')
    p.add_argument('--repeat', type=int, default=3)
    a = p.parse_args()
    files = a.files or sorted(glob.glob(os.path.join(root, 'examples', '*.tk')))
    table = []
    for path in files:
        ours, theirs = {}, {}
        for _ in range(a.repeat):
            for name, figure in tk_figures(a.tk, path).items():
                ours.setdefault(name, []).append(figure)
            for name, figure in triton_figures(path).items():
                theirs.setdefault(name, []).append(figure)
        for name in sorted(set(ours) | set(theirs)):
            mine, other = median(ours.get(name, [])), median(theirs.get(name, []))
            ratio = mine / other if mine and other else None
            table.append({'file': os.path.basename(path), 'bench': name, 'tk': mine, 'triton': other, 'ratio': ratio})
            show = lambda v, f: format(v, f) if v is not None else '-'
            print(f"{os.path.basename(path):22} {name:28} tk {show(mine, '10.1f')}  triton {show(other, '10.1f')}  ratio {show(ratio, '.3f')}", flush=True)
    os.makedirs(a.out, exist_ok=True)
    with open(os.path.join(a.out, 'gpu.json'), 'w') as f:
        json.dump(table, f, indent=1)
    with open(os.path.join(a.out, 'gpu.md'), 'w') as f:
        f.write('| file | bench | tk | Triton | tk / Triton |\n|---|---|---|---|---|\n')
        for r in table:
            cells = [r['file'], r['bench']] + [('%.1f' % r[k]) if r[k] is not None else '-' for k in ('tk', 'triton')]
            cells.append('%.3f' % r['ratio'] if r['ratio'] else '-')
            f.write('| ' + ' | '.join(cells) + ' |\n')


main()
