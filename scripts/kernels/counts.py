"""Counts of what tk and Triton make of the same launches: a check of speed that needs no GPU.

usage: counts.py TK FOLDER… [--ptxas PATH] [--keys TEXT] [--json FILE]
FOLDER is one that oracle.py worked on; the Python that runs this needs Triton. The PTX of both stays in FOLDER/ptx. What is counted is
static: instructions of the text by class, those of the innermost loops, shared memory, and with ptxas registers and spills. A kernel is
listed where tk is worse in a class by more than the class allows; the summary says how many kernels are, by class.
"""
import argparse
import collections
import dataclasses
import json
import multiprocessing
import pathlib
import re
import signal
import subprocess
import sys
import time

SECONDS = 60


@dataclasses.dataclass
class Class:
    """Something that is counted, and by how much tk may have more (or, where more is better, less) of it."""
    name: str
    tell: str
    factor: float = 1.0
    slack: float = 0.0
    more_is_better: bool = False

    def is_worse(self, ours, theirs):
        if self.more_is_better:
            return ours * self.factor + self.slack < theirs
        return ours > theirs * self.factor + self.slack


CLASSES = [
    Class('dots', 'dots on tensor cores', more_is_better=True, factor=8),
    Class('scalar_dots', 'dots not on tensor cores'),
    Class('scalar_fma', 'scalar multiply-adds', 1.5, 64),
    Class('asynchronous', 'asynchronous copies', more_is_better=True, factor=64),
    Class('load_width', 'bytes of a load from global memory, mean', more_is_better=True, factor=1.3),
    Class('store_width', 'bytes of a store to global memory, mean', more_is_better=True, factor=1.3),
    Class('loads', 'loads from global memory', 1.3, 2),
    Class('stores', 'stores to global memory', 1.3, 2),
    Class('loop_loads', 'loads from global memory in innermost loops', 1.0, 0),
    Class('loop_barriers', 'barriers in innermost loops', 1.0, 0),
    Class('barriers', 'barriers', 1.5, 2),
    Class('shared_accesses', 'loads and stores of shared memory', 1.5, 8),
    Class('shuffles', 'shuffles', 1.5, 4),
    Class('loop_instructions', 'instructions of the longest innermost loop', 1.25, 8),
    Class('instructions', 'instructions', 1.5, 64),
    Class('shared_bytes', 'bytes of shared memory', 1.15, 1024),
    Class('registers', 'registers', 1.2, 8),
    Class('spills', 'bytes of spills', 1.0, 0),
    Class('ctas', 'CTAs of a multiprocessor', more_is_better=True),
]

LABEL = re.compile(r'^(\$?[\w$]+):')
TARGET = re.compile(r'\bbra(?:\.uni)?\s+(\$?[\w$]+)')
ELEMENT = re.compile(r'\.[bfus](8|16|32|64|128)\b')
VECTOR = re.compile(r'\.v([248])\b')


def instructions_of(text):
    """Lines with an instruction, and labels, in order; without directives, comments and declarations."""
    for line in text.splitlines():
        line = line.split('//')[0].strip()
        if not line or line[0] in '.{}()/':
            continue
        yield from (part.strip() + ';' if not part.strip().endswith(':') else part.strip() for part in line.split(';') if part.strip())


def width(operation):
    """Bytes that one thread moves."""
    element = ELEMENT.search(operation)
    vector = VECTOR.search(operation)
    return (int(element[1]) // 8 if element else 4) * (int(vector[1]) if vector else 1)


def mnemonic(line):
    words = line.split()
    return words[1] if words[0].startswith('@') and len(words) > 1 else words[0]


def innermost_loops(lines):
    """Pairs of first and last line of the loops that contain no other: a branch back and the label it goes to."""
    labels, loops = {}, []
    for at, line in enumerate(lines):
        label = LABEL.match(line)
        if label:
            labels[label[1]] = at
        target = TARGET.search(line)
        if target and target[1] in labels:
            loops.append((labels[target[1]], at))
    return [loop for loop in loops if not any(other != loop and loop[0] <= other[0] and other[1] <= loop[1] for other in loops)]


def is_dot(name):
    return name.startswith(('mma.sync', 'wgmma.mma_async'))


def is_global_load(name):
    return name.startswith('ld.global')


def is_barrier(name):
    return name.startswith(('bar.sync', 'barrier.sync', 'bar.warp', 'bar.cta', 'barrier.cta.sync')) and 'warp' not in name


def mean_width(names):
    widths = [width(name) for name in names]
    return round(sum(widths) / len(widths), 2) if widths else 16


def count(text):
    """The classes that the text of PTX tells."""
    lines = list(instructions_of(text))
    names = [mnemonic(line) for line in lines]
    loads = [name for name in names if is_global_load(name)]
    stores = [name for name in names if name.startswith('st.global')]
    loops = [names[first:last + 1] for first, last in innermost_loops(lines)]
    return {
        'dots': sum(map(is_dot, names)),
        'scalar_fma': sum(name.startswith('fma.') for name in names),
        'asynchronous': sum(name.startswith(('cp.async.c', 'cp.async.bulk.tensor')) and 'commit' not in name for name in names),
        'load_width': mean_width(loads),
        'store_width': mean_width(stores),
        'loads': len(loads),
        'stores': len(stores),
        'loop_loads': sum(is_global_load(name) for loop in loops for name in loop),
        'loop_barriers': sum(is_barrier(name) for loop in loops for name in loop),
        'barriers': sum(map(is_barrier, names)),
        'shared_accesses': sum(name.startswith(('ld.shared', 'st.shared', 'ldmatrix', 'stmatrix')) for name in names),
        'shuffles': sum(name.startswith('shfl') for name in names),
        'loop_instructions': max(map(len, loops), default=0),
        'instructions': len(names),
    }


def assemble(ptxas, path):
    """Registers and bytes of spills, or what ptxas said."""
    done = subprocess.run([ptxas, '-v', '--gpu-name=sm_90a', str(path), '-o', '/dev/null'], capture_output=True, text=True)
    if done.returncode:
        return {'ptxas': (done.stderr or done.stdout)[:200]}
    registers = re.search(r'Used (\d+) registers', done.stderr)
    spills = re.search(r'(\d+) bytes spill stores', done.stderr)
    return {'registers': int(registers[1]) if registers else 0, 'spills': int(spills[1]) if spills else 0}


def ctas(counts, warps):
    """CTAs that fit on a multiprocessor of an H200: 65536 registers, 227 KiB of shared memory, 64 warps, 32 CTAs."""
    registers = -(-counts['registers'] * 32 // 256) * 256 * warps
    shared = counts['shared_bytes'] + 1024
    return min(65536 // max(registers, 1), 228 * 1024 // shared, 64 // warps, 32)


def compile_with_tk(tk, folder, launch, path):
    command = [tk, 'compile', str(folder / launch['text']), '--kernel', launch['kernel'], '--target', 'sm_90a', '--json',
               '--signature', launch['signature'], '--num-warps', str(launch['warps']),
               '--num-stages', str(launch['stages']), '-o', str(path)]
    for name, value in launch['constants'].items():
        command += ['--constexpr', f'{name}={value}']
    began = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, errors='replace')
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        return None
    said = json.loads(done.stdout)
    # Where each is, and why, is for a person; Triton does not say, so all are listed.
    dots = said.get('scalar_dots', [])
    return {'shared_bytes': said.get('shared_bytes', 0), 'seconds': round(time.perf_counter() - began, 3),
            'scalar_dots': len(dots), 'reasons': dots}


def compile_with_triton(folder, launch, path, pipe):
    """In a process of its own: writes the PTX and tells bytes of shared memory."""
    import importlib.util
    import foreign
    import guess
    import oracle
    foreign.install('/nonexistent')
    spec = importlib.util.spec_from_file_location('kernel_' + launch['key'], folder / launch['text'])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    fn = getattr(module, launch['kernel'])
    types = iter(launch['signature'].split(','))
    values = {name: guess.Constant(launch['constants'][name]) if name in launch['constants'] else next(types).removesuffix(':16')
              for name in fn.arg_names}
    began = time.perf_counter()
    text, metadata = oracle.compile_kernel(fn, values, launch['warps'], launch['stages'], 'ptx')
    path.write_text(text)
    pipe.send({'shared_bytes': metadata.get('shared', 0), 'seconds': round(time.perf_counter() - began, 3)})


def in_a_process(folder, launch, path):
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(target=compile_with_triton, args=(folder, launch, path, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(SECONDS) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def counted(options, folder, launch):
    """Counts of both compilers, or None where one did not compile it."""
    (folder / 'ptx').mkdir(exist_ok=True)
    result = {}
    for name in ('tk', 'triton'):
        path = folder / 'ptx' / f'{launch["key"]}.{name}.ptx'
        kept = path.with_suffix('.json')
        if name == 'triton' and kept.exists():
            result[name] = json.loads(kept.read_text())
            continue
        made = compile_with_tk(options.tk, folder, launch, path) if name == 'tk' else in_a_process(folder, launch, path)
        if made is None:
            return None
        counts = count(path.read_text()) | made
        if options.ptxas:
            counts |= assemble(options.ptxas, path)
        if 'registers' in counts:
            counts['ctas'] = ctas(counts, launch['warps'])
        kept.write_text(json.dumps(counts))
        result[name] = counts
    return result


def worse(result):
    """The classes in which tk is worse, with both figures."""
    ours, theirs = result['tk'], {'scalar_dots': 0} | result['triton']
    return {each.name: (ours[each.name], theirs[each.name]) for each in CLASSES
            if each.name in ours and each.name in theirs and each.is_worse(ours[each.name], theirs[each.name])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('tk')
    parser.add_argument('folders', nargs='+', type=pathlib.Path)
    parser.add_argument('--ptxas', help='registers, spills and CTAs, too')
    parser.add_argument('--keys', default='', help='only kernels whose key begins so')
    parser.add_argument('--json', type=pathlib.Path, help='every count of every kernel')
    options = parser.parse_args()
    totals, kernels, every = collections.Counter(), 0, []
    seconds = collections.Counter()
    for folder in options.folders:
        for launch in map(json.loads, (folder / 'launches.jsonl').read_text().splitlines()):
            if launch.get('oracle') != 'ptx' or not launch['key'].startswith(options.keys):
                continue
            result = counted(options, folder, launch)
            if result is None:
                print(f'{folder.name} {launch["key"]} {launch["kernel"]}: not compiled', flush=True)
                continue
            kernels += 1
            found = worse(result)
            totals.update(found.keys())
            for name in ('tk', 'triton'):
                seconds[name] += result[name]['seconds']
            every.append({'folder': folder.name, 'key': launch['key'], 'kernel': launch['kernel'], **result})
            if found:
                said = ', '.join([f'{name} {ours} ({theirs})' for name, (ours, theirs) in found.items()] + result['tk'].get('reasons', []))
                print(f'{folder.name} {launch["key"]} {launch["kernel"]}: {said}', flush=True)
    print(f'\n{kernels} kernels; worse than Triton, by class:')
    for each in CLASSES:
        print(f'{totals[each.name]:6}  {each.tell}')
    if options.json:
        options.json.write_text(json.dumps(every))


if __name__ == '__main__':
    multiprocessing.set_start_method('spawn')
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    main()
