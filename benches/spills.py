"""Registers and spills of every configuration that benches/gpu.py may launch, by tk and by the reference compiler; needs no GPU.

  TK_PTXAS=…/ptxas python3 benches/spills.py [--tk target/release/tk] [--only matmul,attention] [--all] [--jobs 2]

The configurations are those of the .tk files in benches/gpu, pruned as autotuning prunes them for the rows of gpu_rows.py. With
ORACLE and ORACLE_PYTHON set to the reference compiler's script and interpreter, its PTX is assembled too; that script takes no
tensor descriptors. Prints the kernels that spill, with --all every kernel; fails when tk spills more than the reference (where there is
none: when it spills).
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types

import gpu_rows

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTHS = {'float16': 2, 'bfloat16': 2, 'float32': 4, 'float8_e5m2': 1, 'float8_e4m3fn': 1, 'int8': 1}
NAMES = {'float16': 'fp16', 'bfloat16': 'bf16', 'float32': 'fp32', 'float8_e5m2': 'fp8e5', 'float8_e4m3fn': 'fp8e4nv', 'int8': 'i8'}
RESULTS = {'float8_e5m2': 'fp16', 'float8_e4m3fn': 'fp16', 'int8': 'i32'}


class Stub(types.ModuleType):
    """torch and triton as far as the top level of the .tk files needs them."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Stub(name)

    def __call__(self, *args, **kwargs):
        return self


class Kernel:
    """A function of the file and the configurations it is tuned over."""

    def __init__(self, name, configs=(), prune=None):
        self.name, self.configs, self.prune = name, configs, prune


class Config:
    def __init__(self, kwargs, num_warps=4, num_stages=3, pre_hook=None):
        self.kwargs, self.num_warps, self.num_stages = kwargs, num_warps, num_stages


def load(path):
    """The kernels of a .tk file by name."""
    triton = Stub('triton')
    triton.Config = Config
    triton.jit = lambda function: Kernel(function.__name__)
    triton.autotune = lambda configs, prune_configs_by=None, **_: lambda kernel: Kernel(
        kernel.name, configs, (prune_configs_by or {}).get('early_config_prune'))
    modules = {'torch': Stub('torch'), 'triton': triton, 'triton.language': triton.language, 'triton.tools': Stub('tools'),
               'triton.tools.tensor_descriptor': Stub('tensor_descriptor'), 'alone': Stub('alone')}
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    space = {}
    try:
        exec(compile((ROOT / path).read_text(), path, 'exec'), space)
    finally:
        for name, module in before.items():
            sys.modules.pop(name) if module is None else sys.modules.update({name: module})
    return {name: value for name, value in space.items() if isinstance(value, Kernel)}


def job(label, path, kernel, signature, constants, config):
    constants = {**constants, **config.kwargs}
    text = ' '.join(f'{name.lower().replace("block_size_", "").replace("block_", "")}={value}' for name, value in constants.items())
    return {'label': f'{label}: {text}, {config.num_warps} warps, {config.num_stages} stages', 'path': path, 'kernel': kernel,
            'signature': signature, 'constants': constants, 'warps': config.num_warps, 'stages': config.num_stages}


def matmul_jobs(row, kernels):
    arguments = row.arguments
    dtype, m, n, k = (arguments[name] for name in ('dtype', 'M', 'N', 'K'))
    operand = types.SimpleNamespace(element_size=lambda: WIDTHS[dtype])
    kernel = kernels['matmul_kernel']
    pointers = [f'*{NAMES[dtype]}:16'] * 2 + [f'*{RESULTS.get(dtype, NAMES[dtype])}:16']
    for config in kernel.prune(kernel.configs, {'M': m, 'N': n, 'a_ptr': operand}):
        number = lambda value: f'i32:{divisor(value, config.kwargs.values())}'
        strides = ['i32=1', number(k)] if arguments['column_major'] else [number(n), 'i32=1']
        signature = ','.join([*pointers, number(m), number(n), number(k), number(k), 'i32=1', *strides, number(n), 'i32=1'])
        label = f'{dtype}, B {"column" if arguments["column_major"] else "row"}-major'
        if m % config.kwargs['BLOCK_SIZE_M']:
            label += ', part of a block of rows'
        yield job(label, row.path, kernel.name, signature, {'INTEGERS': dtype == 'int8'}, config)


def divisor(value, sizes):
    """What a launch notices of a number: the largest size of a block that divides it, or 16."""
    return max((size for size in sizes if size >= 16 and value % size == 0), default=16)


def descriptor_jobs(row, kernels):
    kind = row.arguments['kind']
    name = {'tma': 'matmul_kernel_tma', 'persistent': 'matmul_kernel_tma_persistent',
            'device': 'matmul_kernel_descriptor_persistent'}[kind]
    for config in kernels[name].configs:
        m, n, k = (config.kwargs[f'BLOCK_SIZE_{axis}'] for axis in 'MNK')
        columns = n // 2 if config.kwargs['HALVES'] else n
        blocks = [f'tensordesc<fp16[{rows},{width}]>' for rows, width in ((m, k), (n, k), (m, columns))]
        signature = ','.join([*(['*fp16:16'] * 3 if kind == 'device' else blocks), *['i32:16'] * 3])
        yield job(f'{kind} float16', row.path, name, signature, {} if kind == 'tma' else {'NUM_SMS': 132}, config)


def few_jobs(row, kernels):
    name = NAMES[row.arguments['dtype']]
    for config in kernels['few_rows_kernel'].configs:
        rows, n, k = (config.kwargs[f'BLOCK_{axis}'] for axis in 'MNK')
        if rows != max(64 if config.kwargs['TALL'] else 16, row.arguments['M']):
            continue
        types_of = [f'tensordesc<{name}[{rows},{k}]>', f'tensordesc<{name}[{n},{k}]>', f'*{name}:16', '*fp32:16', '*i32:16']
        rows_of_x = 'i32=1' if row.arguments['M'] == 1 else 'i32:16'
        yield job(f'few rows {name}', row.path, 'few_rows_kernel', ','.join([*types_of, rows_of_x, 'i32:16', 'i32:16']),
                  {}, config)


def attention_jobs(row, kernels):
    head_dim, causal = row.arguments['head_dim'], row.arguments['causal']
    kernel = kernels['attention_kernel']
    for config in kernel.configs:
        m, n = config.kwargs['BLOCK_M'], config.kwargs['BLOCK_N']
        constants = {'HEAD_DIM': head_dim, 'CAUSAL': causal}
        if row.path.endswith(('descriptors.tk', 'attention_tiles.tk')):
            name = NAMES[row.arguments.get('dtype', 'float16')]
            label = f'attention descriptors {name}'
            types_of = [f'tensordesc<{name}[{rows},{head_dim}]>' for rows in (m, n, n, m)] + ['fp32', 'i32:16']
            constants = {**constants, 'SHARED_BY': row.arguments.get('shared_by', 1)}
            if row.path.endswith('attention_tiles.tk'):
                label, types_of = f'attention tiles {name}', types_of + ['i32']
        else:
            label = 'attention pointers'
            types_of = ['*fp16:16'] * 4 + ['fp32'] + ['i32:16'] * 9
        yield job(label, row.path, kernel.name, ','.join(types_of), constants, config)


def memory_jobs(row, kernels):
    if row.library == 'vector_add':
        yield job('vector_add', row.path, 'add_kernel', ','.join(['*fp32:16'] * 3 + ['i32:16']), {'BLOCK_SIZE': 1024}, Config({}))
        return
    columns = row.arguments['columns']
    if row.library == 'softmax':
        signature = ','.join(['*fp32:16'] * 2 + ['i32:16'] * 4)
        for config in kernels['softmax_kernel'].configs:
            yield job('softmax', row.path, 'softmax_kernel', signature, {'BLOCK_SIZE': columns}, config)
        return
    signature = ','.join(['*fp16:16'] * 2 + ['*fp16:16'] * 2 + ['*fp32:16'] * 2 + ['i32:16'] * 2 + ['fp32'])
    yield job('layer norm', row.path, 'layer_norm_kernel', signature, {'BLOCK_SIZE': columns},
              Config({}, num_warps=min(max(columns // 256, 1), 8)))


JOBS = {'matmul': matmul_jobs, 'best': matmul_jobs, 'tall': matmul_jobs, 'few': few_jobs, 'fp8': matmul_jobs, 'tf32': matmul_jobs,
        'int8': matmul_jobs, 'descriptors': descriptor_jobs, 'attention': attention_jobs, 'lengths': attention_jobs, 'worklog': matmul_jobs,
        'memory': memory_jobs}


def all_jobs(groups):
    """Every kernel once, in the order of the tables."""
    files, found = {}, {}
    for row in gpu_rows.all_rows():
        if groups and row.group not in groups:
            continue
        kernels = files.setdefault(row.path, None) or load(row.path)
        files[row.path] = kernels
        for each in JOBS[row.group](row, kernels):
            found.setdefault(each['label'], each)
    return list(found.values())


def assembled_by_tk(each, tk):
    """Registers and bytes of spills, or why there are none."""
    constants = ','.join(f'{name}={value}' for name, value in each['constants'].items())
    command = [tk, 'compile', str(ROOT / each['path']), '--kernel', each['kernel'], '--signature', each['signature'],
               '--constexpr', constants, '--num-warps', str(each['warps']), '--num-stages', str(each['stages']), '--target', 'sm_90a',
               '--emit', 'cubin', '--json', '-o', os.devnull]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return None, (done.stderr.strip().splitlines() or ['failed'])[0]
    figures = json.loads(done.stderr.strip().splitlines()[-1])
    return figures['registers'], figures['spill_bytes']


def assembled_by_reference(each, ptxas):
    if 'tensordesc' in each['signature'] or 'device' in each['label']:
        return None, 'not asked'
    # It notices multiples of 16 and nothing else.
    signature = re.sub(r':\d+', ':16', each['signature'])
    command = [os.environ.get('ORACLE_PYTHON', 'python3'), os.environ['ORACLE'], 'compile', str(ROOT / each['path']), each['kernel'],
               '--signature', signature, '--num-warps', str(each['warps']), '--num-stages', str(each['stages']), '--emit', 'ptx']
    for name, value in each['constants'].items():
        command += ['--constexpr', f'{name}={value}']
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return None, (done.stderr.strip().splitlines() or ['failed'])[-1]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'kernel.ptx'
        # A ptxas that is older than the reference's assembles the same instructions under an older version's name.
        path.write_text(re.sub(r'\.version \d+\.\d+', '.version 8.7', done.stdout))
        done = subprocess.run([ptxas, '-v', '-lineinfo', '--gpu-name=sm_90a', str(path), '-o', f'{folder}/kernel.cubin'],
                              capture_output=True, text=True)
    if done.returncode:
        return None, (done.stderr.strip().splitlines() or ['failed'])[0]
    return int(re.search(r'Used (\d+) registers', done.stderr)[1]), int(re.search(r'(\d+) bytes spill stores', done.stderr)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tk', default=str(ROOT / 'target/release/tk'))
    parser.add_argument('--only', default='', help='groups of benches/gpu.py')
    parser.add_argument('--all', action='store_true', help='also kernels that do not spill')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    args = parser.parse_args()
    ptxas = os.environ.get('TK_PTXAS') or shutil.which('ptxas') or '/usr/local/cuda/bin/ptxas'
    os.environ['TK_PTXAS'] = ptxas

    def run(each):
        ours = assembled_by_tk(each, args.tk)
        return each, ours, assembled_by_reference(each, ptxas) if os.environ.get('ORACLE') else (None, 'no ORACLE')

    jobs = all_jobs(set(filter(None, args.only.split(','))))
    worse = spilled = 0
    print('| kernel | tk: registers | spills | reference: registers | spills |\n|---|---|---|---|---|')
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for each, ours, theirs in pool.map(run, jobs):
            spills = ours[1] if ours[0] is not None else 1
            spilled += spills > 0
            worse += spills > (theirs[1] if theirs[0] is not None else 0)
            if args.all or spills or theirs[0] is not None and theirs[1]:
                cells = [str(cell) if cell is not None else '–' for cell in (*ours, *theirs)]
                print(f'| {each["label"]} | {" | ".join(cells)} |', flush=True)
    print(f'\n{len(jobs)} kernels; tk spills in {spilled}, more than the reference in {worse}')
    sys.exit(worse > 0)


if __name__ == '__main__':
    main()
