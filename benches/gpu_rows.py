"""What benches/gpu.py measures: one Row per line of its tables, each with the function of a .tk file that both compilers run
and, where there is one, the library's way to do the same."""
import dataclasses
from dataclasses import dataclass, field

# Groups that take long or are in other tables, too.
ONLY_WHEN_NAMED = ('best', 'lengths', 'worklog', 'examples')

SQUARES = (512, 1024, 2048, 4096, 8192)
TALL = tuple((m, n, k) for m in (16, 64, 4096) for n in (4096, 14336) for k in (4096, 14336))


# For a row that draws the GPU's full power: milliseconds of unmeasured runs, and of each of the ten replays of a graph. Both are
# long, so that every contestant meets the clocks that the power allows: capturing a graph in Python takes long enough for the
# power to recover, and replays of 4 ms would measure what it recovered to.
HEAVY = {'warmup': 250, 'replay': 30}
LIGHT = {'warmup': 25, 'replay': 4}


@dataclass
class Row:
    group: str  # the table it stands in, and what --only chooses
    label: str  # the line of the table
    path: str  # the .tk file, from the root of the repository
    function: str  # returns milliseconds: [alone after a flush, back to back]
    arguments: dict = field(default_factory=dict)  # numbers, booleans, names of torch types
    work: float = 0.0  # operations or bytes of one run; 0 when the function returns figures of its own
    unit: str = 'TFLOP/s'
    library: str = ''  # a function of gpu_library.py
    series: tuple = ()  # (plot, x): the plot that has this row as a point
    quick: bool = False  # also in --quick
    error: str = ''  # the label of the error row that says how exact the kernel is

    def figures(self, milliseconds):
        """Work per time by both rules, in the unit of the row. A single figure stands for launches alone."""
        values = milliseconds if isinstance(milliseconds, (list, tuple)) else [milliseconds, None]
        scale = 1e-9 if self.unit == 'TFLOP/s' else 1e-6
        return [self.work / value * scale if value and self.work else value for value in values]

    @property
    def launch(self):
        """The function that launches the kernel and measures nothing."""
        return self.function.replace('bench_', 'launch_', 1)

    def launch_arguments(self):
        """What `launch` takes, besides the number of launches."""
        return {name: value for name, value in self.arguments.items() if name not in HEAVY}


def product_error(dtype, column_major):
    return f'{dtype} product, B {"column" if column_major else "row"}-major'


def matmul(group, sizes, dtype, column_major, series=(), quick=False):
    m, n, k = sizes
    shape = f'{m}' if m == n == k else f'{m}x{n}x{k}'
    return Row(
        group, f'{dtype} {shape}, B {"column" if column_major else "row"}-major', 'benches/gpu/matmul.tk', 'bench_matmul',
        {'M': m, 'N': n, 'K': k, 'dtype': dtype, 'column_major': column_major,
         **(HEAVY if m * n * k >= 2048**3 else LIGHT)}, 2.0 * m * n * k,
        library='matmul', series=series, quick=quick, error=product_error(dtype, column_major))


def matmul_rows():
    for dtype in ('float16', 'bfloat16'):
        for column_major in (False, True):
            plot = f'{dtype}, B {"column" if column_major else "row"}-major'
            for size in SQUARES:
                quick = dtype == 'float16' and size in (512, 4096, 8192)
                yield matmul('matmul', (size,) * 3, dtype, column_major, (plot, size), quick)
    for dtype in ('float16', 'bfloat16'):
        for column_major in (False, True):
            for sizes in TALL:
                quick = dtype == 'float16' and sizes[1:] == (4096, 4096) and not column_major
                yield matmul('tall', sizes, dtype, column_major, quick=quick)


FEW = (1, 16, 32, 64, 128)
WEIGHTS = ((4096, 4096), (14336, 4096), (4096, 14336), (7168, 2048))


def few_rows():
    """Few rows against weights of N x K, by the example that splits the inner dimension."""
    for dtype in ('bfloat16', 'float16'):
        for m in FEW:
            for n, k in WEIGHTS:
                yield Row('few', f'{dtype} {m}x{n}x{k}', 'examples/matmul_few_rows.tk', 'bench_few_rows',
                          {'M': m, 'N': n, 'K': k, 'dtype': dtype, **LIGHT}, 2.0 * m * n * k, library='best_matmul',
                          quick=dtype == 'bfloat16' and (n, k) == (4096, 4096))


LARGE = (1024, 2048, 4096, 8192, 16384)


def best_rows():
    """Square products beside the better of the two libraries."""
    for dtype in ('bfloat16', 'float16'):
        for column_major in (False, True):
            for size in LARGE:
                row = matmul('best', (size,) * 3, dtype, column_major, quick=dtype == 'bfloat16' and size == 4096)
                yield dataclasses.replace(row, library='best_matmul')


def worklog_rows():
    """Square products beside those that were written by hand for one GPU (gpu_worklog.py)."""
    for size in (4096, 8192):
        row = matmul('worklog', (size,) * 3, 'bfloat16', True)
        yield dataclasses.replace(row, library='worklog_matmul')


def other_types():
    for size in SQUARES:
        yield matmul('fp8', (size,) * 3, 'float8_e5m2', True, ('fp8 e5m2', size), size >= 4096)
    for size in (4096, 8192):
        yield matmul('fp8', (size,) * 3, 'float8_e4m3fn', True)
    for column_major in (False, True):
        for size in SQUARES:
            plot = f'tf32, B {"column" if column_major else "row"}-major'
            yield matmul('tf32', (size,) * 3, 'float32', column_major, (plot, size), size == 4096)
    for size in SQUARES[1:]:
        yield matmul('int8', (size,) * 3, 'int8', True, ('int8', size), size == 4096)


def descriptor_rows():
    for kind, label in (('tma', 'tma'), ('persistent', 'tma persistent'), ('device', 'persistent, descriptors of the kernel')):
        for size in SQUARES[1:]:
            yield Row('descriptors', f'{label} float16 {size}', 'benches/gpu/descriptors.tk', 'bench_matmul',
                      {'kind': kind, 'M': size, 'N': size, 'K': size, 'dtype': 'float16',
                       **(HEAVY if size >= 2048 else LIGHT)},
                      2.0 * size**3, library='matmul_descriptors', series=(f'float16, {label}', size), quick=size >= 4096,
                      error=f'{kind} product')


def attention_rows():
    for head_dim in (64, 128):
        for causal in (False, True):
            for path, how in (('attention', 'pointers'), ('descriptors', 'descriptors')):
                label = f'f16, head dim {head_dim}, {"causal" if causal else "full"}, {how}'
                work = 4.0 * 128 * 4096 * 4096 * head_dim * (0.5 if causal else 1.0)
                yield Row('attention', label, f'benches/gpu/{path}.tk', 'bench_attention',
                          {'head_dim': head_dim, 'causal': causal, **HEAVY}, work, library='attention', quick=True,
                          error=f'attention, {how}')


# Tokens of all sequences together, and the size of all heads together.
TOKENS, HEADS_TOGETHER = 16384, 2048
LENGTHS = (1024, 2048, 4096, 8192, 16384)


def length_rows():
    """Attention at every length of a sequence, the tokens being as many; with one head of keys for one or for eight of queries."""
    for dtype in ('bfloat16', 'float16'):
        for head_dim, shared_by in ((64, 1), (128, 1), (128, 8), (256, 1)):
            for causal in (False, True):
                for n_ctx in LENGTHS:
                    heads = TOKENS // n_ctx * HEADS_TOGETHER // head_dim
                    label = f'{dtype}, head dim {head_dim}, {"causal" if causal else "full"}, {n_ctx} tokens'
                    yield Row('lengths', label + (f', {shared_by} to one' if shared_by > 1 else ''),
                              'benches/gpu/attention_tiles.tk', 'bench_attention',
                              {'head_dim': head_dim, 'causal': causal, 'heads': heads, 'shared_by': shared_by, 'n_ctx': n_ctx,
                               'dtype': dtype, **HEAVY},
                              4.0 * heads * n_ctx * n_ctx * head_dim * (0.5 if causal else 1.0), library='attention',
                              quick=dtype == 'bfloat16' and n_ctx == 4096, error='attention, descriptors')


def memory_rows():
    for n in (2**24, 2**27):
        yield Row('memory', f'vector_add f32, {n}', 'benches/gpu/memory.tk', 'bench_vector_add', {'n': n}, 12.0 * n, 'GB/s',
                  'vector_add', quick=True)
    for columns in (1024, 4096, 16384):
        yield Row('memory', f'softmax f32, 8192 rows of {columns}', 'benches/gpu/memory.tk', 'bench_softmax',
                  {'rows': 8192, 'columns': columns}, 8.0 * 8192 * columns, 'GB/s', 'softmax', quick=True, error='softmax')
    for columns in (1024, 4096, 8192):
        yield Row('memory', f'layer norm f16, 8192 rows of {columns}', 'benches/gpu/memory.tk', 'bench_layer_norm',
                  {'rows': 8192, 'columns': columns}, 4.0 * 8192 * columns, 'GB/s', 'layer_norm', quick=True,
                  error='layer norm')


def error_rows():
    """The functions that return a relative error in millionths; rows name them in `error`."""
    for dtype, layouts in (('float16', (False, True)), ('bfloat16', (False, True)), ('float32', (False, True)),
                           ('float8_e5m2', (True,)), ('float8_e4m3fn', (True,)), ('int8', (True,))):
        for column_major in layouts:
            yield Row('errors', product_error(dtype, column_major), 'benches/gpu/matmul.tk', 'measure_error',
                      {'M': 512, 'N': 512, 'K': 512, 'dtype': dtype, 'column_major': column_major})
    for kind in ('tma', 'persistent', 'device'):
        yield Row('errors', f'{kind} product', 'benches/gpu/descriptors.tk', 'measure_error', {'kind': kind})
    for path, how in (('attention', 'pointers'), ('descriptors', 'descriptors')):
        yield Row('errors', f'attention, {how}', f'benches/gpu/{path}.tk', 'measure_attention_error')
    yield Row('errors', 'softmax', 'benches/gpu/memory.tk', 'measure_softmax_error')
    yield Row('errors', 'layer norm', 'benches/gpu/memory.tk', 'measure_layer_norm_error')


# Examples that measure themselves: every bench_* of these files is a row, in the unit it returns.
EXAMPLES = ('matmul_tma.tk', 'matmul_persistent.tk', 'attention_descriptors.tk')


def example_rows(module):
    """What other tables say too, with the examples' own configurations; `module` loads a file as a Python module."""
    for name in EXAMPLES:
        path = f'examples/{name}'
        for function in (known for known in dir(module(path)) if known.startswith('bench_')):
            yield Row('examples', f'{name} {function}', path, function, unit='as the file says')


def all_rows(with_examples=False, module=None):
    """Every row that is timed, in the order of the tables."""
    rows = [*matmul_rows(), *best_rows(), *worklog_rows(), *few_rows(), *other_types(), *descriptor_rows(), *attention_rows(),
            *length_rows(), *memory_rows()]
    return rows + (list(example_rows(module)) if with_examples else [])
