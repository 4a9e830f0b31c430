"""What the tables of benches/gpu.py must show, bar by bar, and whether they do: computed from the data of gpu.json alone.

A bar is met when every ratio it asks for is at or above it, taken to the two decimals that bars have: a third says nothing, because five
turns leave a ratio in doubt by 0.009, and kernels that only move memory are level with each other (docs/measurements.md). Rows that need
the rounding are listed all the same, with the spread of their turns. What no benchmark can show is said to be elsewhere."""
import statistics
from dataclasses import dataclass, field

import gpu_statistics

# Below this many multiplications launching decides, so only launches back to back are compared.
SMALL = 2048**3

# From this much work on Triton's products with B column-major fall to 508-519 TFLOP/s, and tk's must be so much faster. They do not fall
# when Triton tunes 256x128x32 for rows of B, where that is not the fastest, and takes it for columns of B, too: its key has no strides.
TALL_COLUMNS, FALLEN, BESIDE_FALLEN = 4096**3, 540.0, 1.15


@dataclass
class Demand:
    """A ratio that a row must reach."""
    rule: str  # alone, queued
    other: str  # triton, library
    least: float


@dataclass
class Bar:
    name: str
    met: object  # True, False, or None where the data do not say
    detail: str
    behind: list = field(default_factory=list)


def demands(entry):
    """The ratios that the bars ask of a row."""
    group, arguments = entry['group'], entry.get('arguments', {})
    work = arguments.get('M', 0) * arguments.get('N', 0) * arguments.get('K', 0)
    rules = ('queued',) if 0 < work < SMALL else gpu_statistics.RULES
    wanted = []
    if group in ('matmul', 'tall'):
        if arguments['column_major'] and work >= TALL_COLUMNS:
            return [Demand(rule, 'triton', BESIDE_FALLEN if has_fallen(entry, rule) else 1.0) for rule in rules]
        wanted = [('triton', 1.0)]
    elif group in ('few', 'best'):
        return [Demand('queued', 'library', 0.97)]
    elif group == 'worklog':
        return [Demand('queued', 'library', 1.0)]
    elif group == 'lengths':
        return [Demand('queued', 'library', 0.96)]
    elif group == 'descriptors' and arguments['kind'] != 'device':
        wanted = [('triton', 1.0)] + ([('library', 0.9)] if arguments['M'] >= 4096 else [])
    elif group == 'tf32':
        wanted = [('library', 0.9)]
    elif group in ('fp8', 'attention', 'memory'):
        wanted = [('triton', 1.0)]
    return [Demand(rule, other, least) for other, least in wanted for rule in rules]


def has_fallen(entry, rule):
    """Whether Triton's figure is one of those that it falls to; taken for granted before it is measured."""
    known = gpu_statistics.figure(entry, 'triton', rule) if entry.get('turns') else None
    return known is None or known < FALLEN


def speed_bar(name, rows, groups):
    """Whether every demand on the rows of some groups is met."""
    entries = [entry for entry in rows if entry['group'] in groups]
    behind, level, unknown, asked = [], [], 0, 0
    for entry in entries:
        for demand in demands(entry):
            asked += 1
            known = gpu_statistics.compare(entry, demand.rule, demand.other)
            if known is None:
                unknown += 1
            elif round(known.ratio, 3) < demand.least:
                within = ', within it' if known.ratio + known.spread >= demand.least else ''
                turns = f'spread {known.spread:.3f} in {known.turns} turns{within}' if known.turns > 1 else 'one turn'
                line = f"{entry['label']}, {demand.rule}: {known.ratio:.3f} of {demand.other}, bar {demand.least:.2f} ({turns})"
                (behind if round(known.ratio, 2) < demand.least else level).append(line)
    if not asked:
        return Bar(name, None, 'not measured')
    reached = asked - unknown - len(behind)
    detail = f'{reached} of {asked} ratios reach it' + (f', {len(level)} of them by rounding' if level else '')
    detail += f', {unknown} have no figure' if unknown else ''
    return Bar(name, not behind and not unknown, detail, behind + [f'by rounding: {line}' for line in level])


def spill_bar(rows):
    """No bytes of spills, or fewer than Triton's, in every row that has a speed bar. Triton counts words of four bytes."""
    behind, known = [], 0
    for entry in (entry for entry in rows if demands(entry)):
        mine, theirs = (entry.get('kernels', {}).get(who, {}).get('spills') for who in ('tk', 'triton'))
        known += mine is not None
        if mine and not (theirs is not None and 4 * theirs > mine):
            behind.append(f"{entry['label']}: {mine} bytes, Triton {'?' if theirs is None else 4 * theirs}")
    detail = f'{known - len(behind)} of {known} rows' if known else 'not measured'
    return Bar('6a no spills, or Triton spills more', not behind if known else None, detail, behind)


def error_bar(errors):
    """The error of tk at or below Triton's. Where inputs are random it may be above by as much as either's samples differ, and by a
    thousandth in any case, because the order of a sum moves its last bit."""
    behind, known = [], 0
    for label, by in errors.items():
        if not (by.get('tk') and by.get('triton')):
            continue
        known += 1
        mine, theirs = statistics.median(by['tk']), statistics.median(by['triton'])
        if mine - theirs > max(0.001 * theirs, *(max(values) - min(values) for values in (by['tk'], by['triton']))):
            behind.append(f'{label}: {mine:.4g} against {theirs:.4g} millionths')
    detail = f'{known - len(behind)} of {known} kinds' if known else 'not measured'
    return Bar('6b relative error no worse than Triton\'s', not behind if known else None, detail, behind)


def right_bar(errors, checks):
    """int8 products exact, f64 products right by the tests of their example."""
    exact = [value for label, by in errors.items() if label.startswith('int8') for value in by.get('tk', [])]
    tests = checks.get('f64 and int8 tests')
    if not exact or tests is None:
        return Bar('3c int8 and f64 right', None, 'not measured')
    right = max(exact) == 0 and tests
    return Bar('3c int8 and f64 right', right, f'greatest int8 error {max(exact):g}, tests {"pass" if tests else "fail"}')


def elsewhere(name, where):
    return Bar(name, None, where)


def bars(data):
    """Every bar, in the order of the list in docs/performance.md."""
    rows, errors, checks = data.get('rows', []), data.get('errors', {}), data.get('checks', {})
    return [
        speed_bar('1 f16 and bf16 products', rows, ('matmul', 'tall')),
        speed_bar('1a few rows', rows, ('few',)),
        speed_bar('1b products beside the better library', rows, ('best',)),
        speed_bar('1c products beside those written by hand', rows, ('worklog',)),
        speed_bar('2 products through descriptors', rows, ('descriptors',)),
        speed_bar('3a fp8 products', rows, ('fp8',)),
        speed_bar('3b tf32 products', rows, ('tf32',)),
        right_bar(errors, checks),
        speed_bar('4 attention', rows, ('attention',)),
        speed_bar('4a lengths of attention', rows, ('lengths',)),
        speed_bar('5 vector_add, softmax, layer_norm', rows, ('memory',)),
        spill_bar(rows),
        error_bar(errors),
        elsewhere('6c no bank conflicts in main loops', 'cargo test -p tk-tests --test suite counts::'),
        elsewhere('7 compile time', 'benches/compile_time.sh'),
        elsewhere('8 sanitizers, random configurations, repetitions', 'scripts/test-gpu'),
    ]


def text(data):
    """One line per bar, with the rows behind below it."""
    words = {True: 'met', False: 'NOT MET', None: '-'}
    out = []
    for bar in bars(data):
        out.append(f'{words[bar.met]:8}{bar.name}: {bar.detail}')
        out += [f'          {line}' for line in bar.behind]
    return '\n'.join(out)
