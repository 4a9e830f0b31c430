"""Runs kernels of nvcc's PTX on the simulator and on a GPU, on the same inputs, and compares every element.

usage: nvcc_agree.py plan TK PTX CASES [--count N] [--each N] [--processes N] [--seed N]       no GPU, numpy
       nvcc_agree.py run CASES RESULTS.jsonl                                   a GPU, numpy
PTX has the files of nvcc_corpus.py. plan draws kernels whose parameters are pointers and numbers, and looks for a launch of each that the
simulator runs without a report, writes something, and gives the same for two orders of warps and programs. A pointer is a buffer of
65536 elements of its type (c++filt says which), floats of [-1, 1] or integers below 16; an integer is a size. CASES gets the PTX, cases.json and
what the simulator wrote. run says for every case whether all bits are equal, or how far floats are apart.
"""
import argparse
import collections
import concurrent.futures
import json
import multiprocessing
import pathlib
import random
import re
import struct
import subprocess
import tempfile
import zlib

import numpy

ELEMENTS = 65536
# Types of C++ by their names: what the simulator calls them, numpy's type, and how struct packs a parameter.
TYPES = {
    'float': ('f32', numpy.float32, 'f'), 'double': ('f64', numpy.float64, 'd'), '__half': ('f16', numpy.float16, None),
    'int': ('i32', numpy.int32, 'i'), 'unsigned int': ('i32', numpy.int32, 'I'), 'char': ('i8', numpy.int8, 'b'),
    'signed char': ('i8', numpy.int8, 'b'), 'unsigned char': ('i8', numpy.int8, 'B'), 'short': ('i16', numpy.int16, 'h'),
    'unsigned short': ('i16', numpy.int16, 'H'), 'long': ('i64', numpy.int64, 'q'), 'unsigned long': ('i64', numpy.int64, 'Q'),
    'long long': ('i64', numpy.int64, 'q'), 'unsigned long long': ('i64', numpy.int64, 'Q'), 'bool': ('i8', numpy.int8, 'B'),
    'float4': ('f32', numpy.float32, None), 'float2': ('f32', numpy.float32, None), 'int4': ('i32', numpy.int32, None),
    'uint4': ('i32', numpy.int32, None), 'uchar4': ('i8', numpy.int8, None), 'half': ('f16', numpy.float16, None), 'void': ('f32', numpy.float32, None),
}
BLOCKS = [(256, 1), (32, 1), (16, 16), (32, 8), (128, 1), (8, 8), (32, 32), (1024, 1), (64, 1)]
GRIDS = [(4, 1), (4, 4), (1, 1), (16, 1)]
SIZES = [64, 256, 1024, 32, 16, 128]
TRIES = 14
STEPS = 400000


def entries(path):
    """The kernels of a file whose parameters are pointers and numbers: name, parameters of PTX, threads, whether shared memory is of the launch."""
    text = path.read_text(errors='replace')
    for match in re.finditer(r'\.entry\s+([\w$]+)\s*\((.*?)\)(.*?)\{', text, re.S):
        name, parameters, directives = match.groups()
        kinds = re.findall(r'\.param\s+(\.\w+)', parameters)
        if not kinds or '[' in parameters or '.reqnctapercluster' in directives:
            continue
        wanted = re.search(r'\.reqntid\s+(\d+)(?:,\s*(\d+))?', directives)
        most = re.search(r'\.maxntid\s+(\d+)', directives)
        yield {'name': name, 'kinds': kinds, 'threads': [int(wanted[1]), int(wanted[2] or 1)] if wanted else None, 'most': int(most[1]) if most else 1024,
               'dynamic': bool(re.search(r'\.extern\s+\.shared', text))}


def alone(text, name):
    """The text of a file without the other kernels: a GPU's driver compiles all that is there."""
    kept, skips, depth = [], False, 0
    for line in text.splitlines(keepends=True):
        found = re.match(r'(?:\.visible |\.weak )?\.entry\s+([\w$]+)', line)
        skips = skips or bool(found and found[1] != name)
        if not skips:
            kept.append(line)
            continue
        code = line.split('//')[0]
        depth += code.count('{') - code.count('}')
        skips = depth > 0 or '}' not in code
    return ''.join(kept)


def types_of(name):
    """The types of a kernel's parameters in C++, or None."""
    said = subprocess.run(['c++filt', name], capture_output=True, text=True).stdout.strip()
    if not said.endswith(')'):
        return None
    depth = 0
    for at in range(len(said) - 1, -1, -1):
        depth += {')': 1, '(': -1}.get(said[at], 0)
        if depth == 0:
            break
    inside, parts, depth, current = said[at + 1:-1], [], 0, ''
    for letter in inside:
        depth += {'<': 1, '(': 1, '>': -1, ')': -1}.get(letter, 0)
        if letter == ',' and depth == 0:
            parts.append(current)
            current = ''
        else:
            current += letter
    return [re.sub(r'\b(const|volatile|restrict|__restrict__)\b|&', '', part).strip() for part in [*parts, current]]


def arguments_of(entry):
    """For each parameter its kind, `buffer` or `number`, and its type, or None when one is neither."""
    types = types_of(entry['name'])
    if types is None or len(types) != len(entry['kinds']):
        return None
    found = []
    for spelled, kind in zip(types, entry['kinds']):
        pointed = spelled.endswith('*')
        base = re.sub(r'\s+', ' ', spelled.rstrip('* ').strip())
        if spelled.count('*') > 1 or base not in TYPES or pointed and kind != '.u64' or not pointed and TYPES[base][2] is None:
            return None
        found.append({'kind': 'buffer' if pointed else 'number', 'type': base})
    return found if any(each['kind'] == 'buffer' for each in found) else None


def contents(argument, index):
    """The elements of a buffer before the launch."""
    generator = numpy.random.RandomState(1000 + index)
    kind = TYPES[argument['type']][1]
    if numpy.issubdtype(kind, numpy.floating):
        return (generator.random_sample(ELEMENTS) * 2 - 1).astype(kind)
    return generator.randint(0, 16, ELEMENTS).astype(kind)


def number(argument, size):
    return 0.5 if argument['type'] in ('float', 'double') else size if argument['type'] not in ('char', 'signed char', 'unsigned char', 'bool') else 1


def simulate(tk, path, entry, case, seed, folder):
    """The buffers after a launch on the simulator, or None with the error."""
    command = [str(tk), 'sim', str(path), '--entry', entry['name'], '--grid', ','.join(map(str, case['grid'])), '--threads', ','.join(map(str, case['block'])),
               '--shared', str(case['shared']), '--seed', str(seed), '--max-steps', str(STEPS), '--memory', 'false']
    saved = []
    for index, argument in enumerate(case['arguments']):
        kind = TYPES[argument['type']][0]
        if argument['kind'] == 'number':
            command += ['--arg', f'{kind}={argument["value"]}']
            continue
        place = folder / f'in{index}.npy'
        if not place.exists():
            numpy.save(place, contents(argument, index))
        saved.append((index, folder / f'out{index}.npy'))
        command += ['--arg', str(place), '--save', f'{index}={saved[-1][1]}']
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, errors='replace')
    except subprocess.TimeoutExpired:
        return None, 'late'
    if done.returncode:
        return None, (done.stderr.strip().splitlines() or ['?'])[0]
    return {index: numpy.load(place) for index, place in saved}, ''


def plan_one(tk, path, entry, seed):
    """A launch of a kernel that works, with the buffers that it changes; or why there is none."""
    arguments = arguments_of(entry)
    if arguments is None:
        return None, 'parameters'
    generator = random.Random(f'{seed}{entry["name"]}')
    blocks = [tuple(entry['threads'])] if entry['threads'] else [block for block in BLOCKS if block[0] * block[1] <= entry['most']]
    launches = [(block, grid, size) for block in blocks for grid in GRIDS for size in SIZES]
    launches = launches[:1] + generator.sample(launches[1:], min(TRIES, len(launches)) - 1)
    reason = 'no launch'
    for block, grid, size in launches:
        case = {'grid': [*grid, 1], 'block': [*block, 1], 'shared': 16384 if entry['dynamic'] else 0,
                'arguments': [each | ({'value': number(each, size)} if each['kind'] == 'number' else {}) for each in arguments]}
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            after, error = simulate(tk, path, entry, case, 0, folder)
            if after is None:
                reason = error
                if 'does not know' in error or 'body' in error:
                    return None, error
                continue
            changed = sum(after[index].tobytes() != contents(case['arguments'][index], index).tobytes() for index in after)
            again, error = simulate(tk, path, entry, case, 3, folder)
        if not changed:
            reason = 'writes nothing'
        elif again is None or any(after[index].tobytes() != again[index].tobytes() for index in after):
            reason = error or 'depends on the order'
        else:
            return (case, after), ''
    return None, reason


def plan(options):
    options.cases.mkdir(parents=True, exist_ok=True)
    by_project = collections.defaultdict(list)
    for path in sorted(options.ptx.glob('*.ptx')):
        for entry in entries(path):
            if arguments_of(entry) is not None:
                by_project[path.name.split('-')[0] + ('-samples' if path.name.startswith('cuda-') else '')].append((path, entry))
    drawn = []
    for name, found in by_project.items():
        random.Random(f'{options.seed}{name}').shuffle(found)
        per_file = collections.Counter()
        kept = []
        for path, entry in found:
            per_file[path] += 1
            if per_file[path] <= options.each:
                kept.append((path, entry))
        print(f'{name}: {len(found)} kernels of pointers and numbers, {len(kept)} drawn', flush=True)
        drawn += [(at, name, path, entry) for at, (path, entry) in enumerate(kept)]
    drawn.sort(key=lambda each: each[0])
    cases, reasons = [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
        pending = {}
        for (_, name, path, entry) in drawn[:options.count]:
            pending[pool.submit(plan_one, options.tk, path, entry, options.seed)] = (name, path, entry)
        for future in concurrent.futures.as_completed(pending):
            name, path, entry = pending[future]
            found, reason = future.result()
            if not found:
                reasons[re.sub(r'\d+', 'N', reason)[:100]] += 1
                print(f'- {path.name} {entry["name"][:60]}: {reason[:140]}', flush=True)
                continue
            case, after = found
            key = f'case{len(cases):03}'
            (options.cases / f'{key}.ptx').write_text(alone(path.read_text(errors='replace'), entry['name']))
            case |= {'key': key, 'project': name, 'ptx': path.name, 'entry': entry['name'],
                     'checksums': {str(index): zlib.crc32(each.tobytes()) for index, each in after.items()}}
            numpy.savez_compressed(options.cases / f'{key}.npz', **{
                str(index): each for index, each in after.items() if each.tobytes() != contents(case['arguments'][index], index).tobytes()})
            cases.append(case)
            (options.cases / 'cases.json').write_text(json.dumps(cases, indent=1))
    print(f'{len(cases)} cases; {dict(reasons.most_common(20))}')


def run_case(folder, case, pipe):
    """One case on the GPU; what is said of it goes into the pipe."""
    from driver import Gpu
    gpu = Gpu()
    function = gpu.function(gpu.load((folder / f'{case["key"]}.ptx').read_text()), case['entry'])
    buffers, parameters = {}, []
    for index, argument in enumerate(case['arguments']):
        if argument['kind'] == 'number':
            parameters.append(struct.pack('<' + TYPES[argument['type']][2], argument['value']))
            continue
        before = contents(argument, index)
        buffers[index] = gpu.allocate(before.nbytes)
        gpu.write(buffers[index], before.tobytes())
        parameters.append(struct.pack('<Q', buffers[index]))
    gpu.launch(function, case['grid'], case['block'], parameters, case['shared'])
    expected = dict(numpy.load(folder / f'{case["key"]}.npz'))
    differ, worst, unit = 0, 0.0, 1e-5
    for index, address in buffers.items():
        before = contents(case['arguments'][index], index)
        raw = gpu.read(address, before.nbytes)
        if zlib.crc32(raw) == case['checksums'][str(index)]:
            continue
        got, wanted = numpy.frombuffer(raw, before.dtype), expected.get(str(index), before)
        unlike = got.view(numpy.uint8).reshape(len(got), -1) != wanted.view(numpy.uint8).reshape(len(got), -1)
        differ += int(unlike.any(axis=1).sum())
        if numpy.issubdtype(before.dtype, numpy.floating):
            # Two units in the last place of halves: matrix products sum in another order.
            unit = max(unit, 2.0 ** -9 if before.dtype == numpy.float16 else 1e-5)
            a, b = got.astype(numpy.float64), wanted.astype(numpy.float64)
            both = numpy.isfinite(a) & numpy.isfinite(b)
            scale = numpy.abs(b[both]).mean() if both.any() else 1.0
            error = numpy.where(both, numpy.abs(a - b) / (numpy.abs(b) + scale), numpy.where((a == b) | (numpy.isnan(a) & numpy.isnan(b)), 0, numpy.inf))
            worst = max(worst, float(error.max()))
        else:
            worst = float('inf')
    pipe.send({'status': 'equal' if not differ else 'close' if worst < unit else 'differs', 'differ': differ, 'worst': worst})


def judged(folder, case):
    """The row of a case, which runs in a process of its own, since a fault on the GPU ends a process."""
    here, there = multiprocessing.Pipe()
    child = multiprocessing.Process(target=run_case, args=(folder, case, there))
    child.start()
    there.close()
    try:
        said = here.recv() if here.poll(60) else {'status': 'late'}
    except EOFError:
        said = {'status': 'failed'}
    child.kill()
    child.join()
    return {'key': case['key'], 'project': case['project'], 'ptx': case['ptx'], 'entry': case['entry'], **said}


def run(options):
    cases = json.loads((options.cases / 'cases.json').read_text())
    counts = collections.Counter()
    with options.results.open('w') as file, concurrent.futures.ThreadPoolExecutor(8) as pool:
        for row in pool.map(lambda case: judged(options.cases, case), cases):
            counts[row['status']] += 1
            file.write(json.dumps(row) + '\n')
            if row['status'] != 'equal':
                print(row, flush=True)
    print(f'{len(cases)} cases: {dict(counts)}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest='step', required=True)
    planning = steps.add_parser('plan')
    for name in ('tk', 'ptx', 'cases'):
        planning.add_argument(name, type=pathlib.Path)
    planning.add_argument('--count', type=int, default=160, help='kernels that are tried')
    planning.add_argument('--each', type=int, default=3, help='kernels of a file')
    planning.add_argument('--processes', type=int, default=2)
    planning.add_argument('--seed', type=int, default=1)
    running = steps.add_parser('run')
    for name in ('cases', 'results'):
        running.add_argument(name, type=pathlib.Path)
    options = parser.parse_args()
    {'plan': plan, 'run': run}[options.step](options)


if __name__ == '__main__':
    multiprocessing.set_start_method('spawn')
    main()
