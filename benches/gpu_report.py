"""The tables (Markdown) and plots of benches/gpu.py from the data of gpu.json. Nothing here needs a GPU."""
import statistics

import gpu_bars
import gpu_statistics
import svg_plot
from gpu_statistics import CONTESTANTS, RULES, compare, figure

TITLES = {'alone': 'Each launch alone, L2 flushed', 'queued': 'Launches back to back'}
HEADS = ('row', 'tk', 'Triton', 'library', 'tk / Triton', 'tk / library', 'turns', 'registers tk, Triton', 'spills tk, Triton',
         'error tk, Triton (1e-6)', 'cycles tk / Triton')


def number(value, form='.1f'):
    return '-' if value is None else format(value, form)


def ratio(known):
    """A ratio with the spread of its turns: `0.993 ± 0.012`."""
    if known is None:
        return '-'
    return f'{known.ratio:.3f}' + (f' ± {known.spread / 2:.3f}' if known.turns > 1 else '')


def pair(values, form=''):
    return ', '.join(number(value, form) for value in values)


def cells(entry, rule, errors):
    """One line of a table."""
    kernels = [entry.get('kernels', {}).get(who, {}) for who in ('tk', 'triton')]
    against = {other: compare(entry, rule, other) for other in ('triton', 'library')}
    error = errors.get(entry.get('error') or '', {})
    cycles = entry.get('cycles', {})
    return [
        entry['label'],
        *(number(figure(entry, who, rule)) for who in CONTESTANTS),
        ratio(against['triton']),
        ratio(against['library']),
        str(sum(value is not None for value in gpu_statistics.samples(entry, 'tk', rule))),
        pair(kernel.get('registers') for kernel in kernels),
        pair(kernel.get('spills') for kernel in kernels),
        pair((statistics.median(error[who]) if error.get(who) else None for who in ('tk', 'triton')), '.4g'),
        number(cycles['tk'] / cycles['triton'] if cycles.get('tk') and cycles.get('triton') else None, '.4f'),
    ]


def line(values):
    return '| ' + ' | '.join(values) + ' |'


def summary(rows):
    """One line per table: how many rows, and tk against Triton by both rules: the least ratio, and the rows behind."""
    out = [line(['table', 'rows', *(f'{rule}: least tk / Triton, rows behind' for rule in RULES)]), '|---|---|---|---|']
    for group in dict.fromkeys(entry['group'] for entry in rows):
        entries = [entry for entry in rows if entry['group'] == group]
        columns = [group, str(len(entries))]
        for rule in RULES:
            ratios = [known.ratio for known in (compare(entry, rule, 'triton') for entry in entries) if known]
            columns.append(f'{min(ratios):.3f}, {sum(value < 1 for value in ratios)}' if ratios else '-')
        out.append(line(columns))
    return out


def markdown(data):
    """All tables, with the bars before them."""
    rows, errors = data['rows'], data['errors']
    out = [data['machine'], '', *summary(rows), '', '```text', gpu_bars.text(data), '```']
    for group in dict.fromkeys(entry['group'] for entry in rows):
        entries = [entry for entry in rows if entry['group'] == group]
        out.append(f'\n## {group}\n')
        for rule in RULES:
            shown = [entry for entry in entries if any(figure(entry, who, rule) for who in CONTESTANTS)]
            if shown:
                out += [f'{TITLES[rule]} ({shown[0]["unit"]}; ± half the spread of the turns):\n', line(HEADS), '|---' * len(HEADS) + '|']
                out += [line(cells(entry, rule, errors)) for entry in shown]
                out.append('')
    failed = [f"- {entry['label']}, {who}: {why}" for entry in rows for who, why in entry.get('failed', {}).items()]
    return '\n'.join(out + (['\n## Failures\n', *failed] if failed else [])) + '\n'


def plots(rows):
    """The SVG files of products over their size: {file name: text}."""
    series = {}
    for entry in rows:
        if entry.get('series'):
            name, x = entry['series']
            for who, label in (('tk', 'tk'), ('triton', 'Triton'), ('library', 'cuBLAS')):
                for rule in RULES:
                    if figure(entry, who, rule):
                        series.setdefault((name, rule), {}).setdefault(label, []).append((x, figure(entry, who, rule)))
    out = {}
    for (name, rule), points in series.items():
        file = f'matmul-{name}-{rule}'.replace(',', '').replace(' ', '-') + '.svg'
        out[file] = svg_plot.plot(f'matmul {name} ({TITLES[rule]})', 'M = N = K', 'TFLOP/s', points)
    return out
