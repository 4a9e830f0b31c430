"""Times tk beside Triton on the launches that record.py recorded.

usage: speed.py compile TK RECORDED CHECKOUTS MADE [--ptxas PATH] [--only TEXT] [--processes N]     no GPU needed
       speed.py time RECORDED MADE[,MADE…] RESULTS.jsonl [--only TEXT] [--seconds N]               needs a GPU and torch
       speed.py table RESULTS.jsonl MADE RECORDED [--all]
       speed.py times MADE RECORDED [--longest N]
compile writes MADE/KEY.ptx, and with ptxas MADE/KEY.cubin, and what is counted of both sides to MADE/KEY.json. time launches Triton's and tk's code
on equal arguments, compares every element of every buffer, and times both in turns: medians, the L2 cache overwritten before each launch, and what a
kernel reads and writes made as it was. Code in further folders MADE is timed beside them.
table prints the geometric mean of Triton's time over tk's, and the rows below 0.97 with what differs in the code;
times what compiling took, the whole process of tk beside the stages of Triton without the start of Python.
"""
import argparse
import concurrent.futures
import ctypes
import json
import math
import multiprocessing
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

import counts

SECONDS = 120
TURNS, LAUNCHES = 5, 8
# Launches of fewer microseconds have so many turns: one moves by 5 % from turn to turn, whatever its code.
SHORT, TURNS_OF_SHORT = 20, 25
# The multiples that signatures of tk tell of beyond 16.
LEAST_MULTIPLE, MOST_MULTIPLE = 32, 1024
# Numbers of CUtensorMapDataType, and bytes.
MAP_TYPES = {'u8': (0, 1), 'i8': (0, 1), 'fp8e4nv': (0, 1), 'fp8e5': (0, 1), 'u16': (1, 2), 'i16': (1, 2), 'u32': (2, 4), 'i32': (3, 4), 'u64': (4, 8),
             'i64': (5, 8), 'fp16': (6, 2), 'fp32': (7, 4), 'fp64': (8, 8), 'bf16': (9, 2)}
NUMBERS = {'fp32': ctypes.c_float, 'fp64': ctypes.c_double, 'i1': ctypes.c_uint8, 'u1': ctypes.c_uint8, 'i8': ctypes.c_int8, 'u8': ctypes.c_uint8,
           'i16': ctypes.c_int16, 'u16': ctypes.c_uint16, 'i32': ctypes.c_int32, 'u32': ctypes.c_uint32, 'i64': ctypes.c_int64, 'u64': ctypes.c_uint64}


def recordings(folder, only=''):
    rows = [json.loads(path.read_text()) for path in sorted(folder.glob('*.json'))]
    return [row for row in rows if re.search(only, row['key'])]


def dots_of(command):
    """How many products a kernel has under its constants, as a launch of tk counts them; 0 where it does not check. A function that is called and
    not inlined counts once."""
    done = subprocess.run(command + ['--emit', 'checked'], capture_output=True, text=True, timeout=SECONDS, errors='replace')
    return done.stdout.count(' = Dot {') if done.returncode == 0 else 0


def multiples_of(row):
    """What a launch of tk says of integers that fill whole blocks, where the kernel has one product: crates/tk-launch/src/specialise.rs."""
    sizes = [int(each['constant']) for each in row['arguments'] if each['type'] == 'constexpr' and re.fullmatch(r'\d+', each['constant'])]
    sizes = [size for size in sizes if LEAST_MULTIPLE <= size <= MOST_MULTIPLE and size & (size - 1) == 0]
    known = {each['name']: [size for size in sizes if each['value'] % size == 0]
             for each in row['arguments'] if each['type'] in ('i32', 'i64') and each.get('multiple') == 16 and each['value'] > 0}
    return {name: max(fitting) for name, fitting in known.items() if fitting}


def asked_warps(recorded, row):
    """The warps that the launch asked for. Where Triton gave work to warps of their own, its code runs with more: `num_warps` of the recording."""
    said = recorded / f'{row["key"]}.ttgir'
    warps = re.search(r'"ttg\.num-warps" = (\d+)', said.read_text()) if said.exists() else None
    return int(warps[1]) if warps else row['num_warps']


def named(row):
    """The kernel as tk takes it. Of those that are defined within functions and classes several may have one name; each begins at a line of its own."""
    return f'{row["kernel"]}:{row["line"]}' if '.' in row.get('qualified', '') else row['kernel']


def command_of(tk, recorded, checkouts, row, out):
    """What compiles the kernel of a recording with tk."""
    root, file = checkouts / row['project'], checkouts / row['project'] / row['file']
    if row['file'].startswith('sources/'):
        # What a project wrote at run time imports the project, whose folder has to hold it.
        root = root / 'src' if (root / 'src').is_dir() else root
        file = root / f'generated_{pathlib.Path(row["file"]).name}'
        shutil.copyfile(recorded / row['file'], file)
    program = [str(tk), 'compile', str(file), '--root', str(root), '--kernel', named(row), '--target', 'sm_90a']
    options = ['--num-warps', str(asked_warps(recorded, row)), '--num-stages', str(row['num_stages'])]
    for axis, size in enumerate(row['grid'][:3]):
        options += ['--bound', f'grid.{axis}={size}']
    for argument in row['arguments']:
        if argument['type'] == 'constexpr':
            options += ['--constexpr', f'{argument["name"]}={literal(argument["constant"])}']
    for name, constant in row.get('closure', {}).items():
        options += ['--constexpr', f'{name}={literal(constant)}']
    multiples = multiples_of(row)
    if multiples and dots_of(program + options + ['--signature', signature(row, {})]) != 1:
        multiples = {}
    return program + options + ['--signature', signature(row, multiples), '--json', '-o', str(out)]


def literal(constant):
    """A recorded constant as tk reads it: of a member of an enumeration its value, which is what comparisons see."""
    member = re.fullmatch(r'<[\w.]+: (.*)>', constant)
    return member[1] if member else constant


def signature(row, multiples):
    """The types of a launch's arguments, with what integers are known to be multiples of."""
    known = lambda argument: f':{multiples.get(argument["name"], 16)}' if argument.get('multiple') else ''
    return ','.join(argument['type'] + known(argument) for argument in row['arguments'] if argument['type'] != 'constexpr')


def compile_one(options, row):
    """Writes the code of tk and the counts of both; says what went wrong where something did."""
    out = options.made / f'{row["key"]}.ptx'
    try:
        command = command_of(options.tk, options.recorded, options.checkouts, row, out)
        began = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, errors='replace')
    except subprocess.TimeoutExpired:
        return {'key': row['key'], 'error': 'takes too long'}
    seconds = round(time.perf_counter() - began, 3)
    if done.returncode:
        return {'key': row['key'], 'error': done.stderr[:1500], 'seconds': seconds}
    image = json.loads(done.stdout)
    made = {'key': row['key'], 'image': image, 'seconds': seconds}
    made['tk'] = counts.count(out.read_text()) | {'shared_bytes': image['shared_bytes']}
    theirs = row['triton']
    made['triton'] = counts.count((options.recorded / f'{row["key"]}.ptx').read_text()) | {
        'shared_bytes': theirs['shared'], 'registers': theirs['registers'], 'spills': theirs['spills']}
    made['triton']['ctas'] = counts.ctas(made['triton'], row['num_warps'])
    if options.ptxas:
        command = command_of(options.tk, options.recorded, options.checkouts, row, out.with_suffix('.cubin')) + ['--emit', 'cubin']
        began = time.perf_counter()
        assembled = subprocess.run(command, capture_output=True, text=True, env=os.environ | {'TK_PTXAS': str(options.ptxas)})
        made['assembled_seconds'] = round(time.perf_counter() - began, 3)
        if assembled.returncode:
            return made | {'error': 'ptxas: ' + (assembled.stderr or assembled.stdout)[:500]}
        image = json.loads(assembled.stdout)
        if image['num_warps'] != made['image']['num_warps']:
            # Machine code of what spills is made for more warps: the PTX of these says what it is given.
            command = command_of(options.tk, options.recorded, options.checkouts, row, out)
            command[command.index('--num-warps') + 1] = str(image['num_warps'])
            subprocess.run(command, capture_output=True, timeout=SECONDS)
            made['tk'] = counts.count(out.read_text()) | {'shared_bytes': image['shared_bytes']}
        made['image'] = image
        made['tk'] |= {'registers': image['registers'], 'spills': image['spill_bytes']}
        made['tk']['ctas'] = counts.ctas(made['tk'], image['num_warps'])
    return made


def compile_all(options):
    options.made.mkdir(parents=True, exist_ok=True)
    rows = recordings(options.recorded, options.only)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
        for made in pool.map(lambda row: compile_one(options, row), rows):
            (options.made / f'{made["key"]}.json').write_text(json.dumps(made))
            if 'error' in made:
                failed += 1
                first = [line for line in made['error'].splitlines() if line.strip()]
                print(f'{made["key"]}: {first[0][:200] if first else "?"}', flush=True)
    print(f'{len(rows) - failed} of {len(rows)} compiled', flush=True)


class Driver:
    """The few calls of the CUDA driver that a launch needs."""

    def __init__(self):
        self.cuda = ctypes.CDLL('libcuda.so.1')

    def check(self, code, what):
        if code:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(code, ctypes.byref(text))
            raise RuntimeError(f'{what}: {(text.value or b"?").decode()}')

    def load(self, code, entry, shared):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.cuda.cuModuleLoadData(ctypes.byref(module), code), 'cuModuleLoadData')
        self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, entry.encode()), 'cuModuleGetFunction')
        if shared > 49152:
            self.check(self.cuda.cuFuncSetAttribute(function, 8, shared), 'cuFuncSetAttribute')
        return function


    def map_of_pointer(self, parameter, values):
        """The 128 bytes of a tensor map that a launch of tk makes of a pointer and a stride: crates/tk-runtime/src/argument.rs."""
        bytes_of = (ctypes.c_uint8 * (128 + 64))()
        at = -ctypes.addressof(bytes_of) % 64
        sizes = [values[parameter[f'{name}_parameter']].value if f'{name}_parameter' in parameter else parameter.get(name, 2 ** 31 - 1) for name in ('columns', 'rows')]
        number, size = MAP_TYPES[parameter['type']]
        box = list(reversed(parameter['box']))
        code = self.cuda.cuTensorMapEncodeTiled(
            ctypes.c_void_p(ctypes.addressof(bytes_of) + at), number, len(box), ctypes.c_void_p(values[parameter['base']].value),
            (ctypes.c_uint64 * 2)(*(max(1, each) for each in sizes)), (ctypes.c_uint64 * 1)(values[parameter['stride']].value * size),
            (ctypes.c_uint32 * 2)(*box), (ctypes.c_uint32 * 2)(1, 1), 0, {0: 0, 32: 1, 64: 2, 128: 3}[parameter['swizzle_bytes']], 2,
            int(parameter['padding'] == 'nan'))
        self.check(code, 'cuTensorMapEncodeTiled')
        return (ctypes.c_uint8 * 128).from_buffer(bytes_of, at)


class Launch:
    """A loaded function with its arguments, ready to be launched again and again."""

    def __init__(self, driver, function, row, shared, warps, values, ptx, entry, scratch, parameters):
        header = re.search(r'\.entry\s+' + re.escape(entry) + r'\s*\((.*?)\)', ptx, re.S)
        values = values + [driver.map_of_pointer(each, values) for each in parameters if each['kind'] == 'map_of_pointer']
        count = len(re.findall(r'\.param\b', header[1])) if header else len(values)
        if count < len(values):
            raise RuntimeError(f'the PTX has {count} parameters and the launch {len(values)}')
        self.values = values + [ctypes.c_uint64(scratch)] * (count - len(values))
        self.arguments = (ctypes.c_void_p * max(count, 1))(*[ctypes.addressof(value) for value in self.values])
        self.driver, self.function, self.grid, self.shared, self.threads = driver, function, row['grid'][:3], shared, 32 * warps
        self.cooperative = row.get('cooperative')

    def __call__(self, stream):
        launch = self.driver.cuda.cuLaunchCooperativeKernel if self.cooperative else self.driver.cuda.cuLaunchKernel
        rest = () if self.cooperative else (None,)
        code = launch(self.function, *self.grid, self.threads, 1, 1, self.shared, ctypes.c_void_p(stream), self.arguments, *rest)
        self.driver.check(code, 'cuLaunchKernel')


def storage(described, contents, index, seed, torch):
    """A buffer as the recorded one: its integers, or random floats of its mean and deviation."""
    dtype = getattr(torch, described['dtype'])
    if described.get('kept'):
        return torch.from_numpy(contents[str(index)]).cuda()
    elements = max(1, -(-described['bytes'] // dtype.itemsize))
    generator = torch.Generator(device='cuda')
    generator.manual_seed(seed * 1000 + index)
    if dtype.is_floating_point:
        if 'mean' not in described:
            return torch.zeros(elements, dtype=dtype, device='cuda').view(torch.uint8)
        values = torch.empty(elements, dtype=dtype, device='cuda')
        step = 1 << 26
        for at in range(0, elements, step):
            part = torch.randn(min(step, elements - at), device='cuda', generator=generator) * described['deviation'] + described['mean']
            values[at:at + step] = (part.abs() if described.get('least', -1) >= 0 else part).to(dtype)
        return values.view(torch.uint8)
    least, greatest = described.get('least', 0), described.get('greatest', 0)
    values = torch.randint(least, greatest + 1, (elements,), device='cuda', generator=generator, dtype=torch.int64) if elements < 1 << 28 else torch.zeros(elements, device='cuda')
    return values.to(dtype).view(torch.uint8)


def buffers_of(recorded, row, torch):
    import numpy
    path = recorded / f'{row["key"]}.npz'
    contents = dict(numpy.load(path)) if path.exists() else {}
    return [storage(described, contents, index, 1, torch) for index, described in enumerate(row['storages'])]


def values_of(row, buffers):
    values = []
    for argument in row['arguments']:
        if argument['type'] == 'constexpr':
            continue
        if 'storage' in argument:
            values.append(ctypes.c_uint64(buffers[argument['storage']].data_ptr() + argument['offset']))
        else:
            values.append(NUMBERS[argument['type']](argument['value']))
    return values


def perturbed(row, index, buffer, torch):
    """A buffer whose floats are moved by a rounding of their type at most, that of tf32 where they have more bits: what Triton makes of it
    says how far numbers of this kernel can be apart that are both right."""
    dtype = getattr(torch, kind_of(row, index))
    if not dtype.is_floating_point or dtype.itemsize < 2:
        return buffer.clone()
    size = buffer.numel() // dtype.itemsize * dtype.itemsize
    values = buffer[:size].view(dtype)
    step = max(torch.finfo(dtype).eps, 2.0 ** -11)
    generator = torch.Generator(device='cuda')
    generator.manual_seed(index)
    signs = torch.randint(0, 2, values.shape, device='cuda', generator=generator).to(torch.float32) * 2 - 1
    return torch.cat([(values.to(torch.float32) * (1 + signs * step)).to(dtype).view(torch.uint8), buffer[size:]])


def kind_of(row, index):
    return row['storages'][index]['dtype']


def compare(row, before, triton, again, tk, torch):
    """Elements that differ, those where Triton differs from itself, the largest error and whether anything was written."""
    narrow = {described['dtype'] for described in row['storages']}
    unit = 1.6e-2 if narrow & {'bfloat16', 'float8_e4m3fn', 'float8_e5m2'} else 4e-3 if 'float16' in narrow else 2e-3
    outside = unstable = 0
    written, worst = False, 0.0
    for index, (start, a, a2, b) in enumerate(zip(before, triton, again, tk)):
        dtype = getattr(torch, kind_of(row, index))
        written = written or not torch.equal(start, a)
        if torch.equal(a, b):
            continue
        size = a.numel() // dtype.itemsize * dtype.itemsize
        a, a2, b = (each[:size].view(dtype) for each in (a, a2, b))
        if not dtype.is_floating_point:
            outside += int((a != b).sum())
            unstable += int((a != a2).sum())
            continue
        for x, y, first in ((a, b, True), (a, a2, False)):
            x, y = x.double() if x.numel() < 1 << 27 else x.float(), y.double() if y.numel() < 1 << 27 else y.float()
            finite = x.isfinite() & y.isfinite()
            scale = x[finite].abs().mean().clamp(min=1e-6) if finite.any() else 1.0
            same = (x == y) | (x.isnan() & y.isnan())
            error = torch.where(same, 0.0, torch.where(finite, (x - y).abs() / (x.abs() + scale), math.inf))
            if first:
                worst, outside = max(worst, float(error.max())), outside + int((error > unit).sum())
            else:
                unstable += int((error > unit).sum())
    return outside, unstable, worst, written


def what_moves(before, once, twice, torch):
    """The buffers that a kernel writes, by place, with what they begin with, where a second launch on what the first one left gives something else: it works
    in place, or adds to what it finds. Launched again and again it would be timed on other numbers than the recorded ones, such as zeros or infinities, by
    which it may branch differently."""
    if all(torch.equal(first, second) for first, second in zip(once, twice)):
        return []
    return [(index, start) for index, (start, first) in enumerate(zip(before, once)) if not torch.equal(start, first)]


def timed(launches, restore, flush, torch):
    """Medians in microseconds of launches in turns. `restore` runs before each, outside of what is timed, and before the L2 cache is overwritten."""
    stream = torch.cuda.current_stream().cuda_stream
    times = [[] for _ in launches]
    for turn in range(TURNS_OF_SHORT):
        if turn >= TURNS and min(map(statistics.median, times)) > SHORT:
            break
        for index in range(len(launches)) if turn % 2 == 0 else reversed(range(len(launches))):
            events = []
            for _ in range(LAUNCHES):
                restore()
                flush.zero_()
                start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                start.record()
                launches[index](stream)
                end.record()
                events.append((start, end))
            torch.cuda.synchronize()
            times[index] += [start.elapsed_time(end) * 1e3 for start, end in events]
    return [statistics.median(each) for each in times]


class Code:
    """The code of a kernel by one compiler, loaded, and what the driver says of it."""

    def __init__(self, driver, row, cubin, ptx, entry, shared, warps, scratch, parameters):
        self.driver, self.row, self.entry, self.shared, self.warps, self.scratch = driver, row, entry, shared, warps, scratch
        self.parameters = parameters
        self.ptx = ptx.read_text()
        self.function = driver.load(cubin.read_bytes() if cubin.exists() else self.ptx.encode() + b'\0', entry, shared)

    def on(self, buffers):
        return Launch(self.driver, self.function, self.row, self.shared, self.warps, values_of(self.row, buffers), self.ptx, self.entry, self.scratch,
                      self.parameters)

    def resources(self):
        """Registers and bytes of local memory of a thread."""
        value, found = ctypes.c_int(), []
        for attribute in (4, 3):  # CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES
            self.driver.check(self.driver.cuda.cuFuncGetAttribute(ctypes.byref(value), attribute, self.function), 'cuFuncGetAttribute')
            found.append(value.value)
        return found


def judge(recorded, folders, row, torch, driver, flush, scratch):
    result = {'key': row['key'], 'project': row['project'], 'kernel': row['kernel']}
    made = json.loads((folders[0] / f'{row["key"]}.json').read_text())
    if 'error' in made:
        return result | {'status': 'not compiled', 'error': made['error'][:300]}
    before = buffers_of(recorded, row, torch)
    copies = [[each.clone() for each in before] for _ in range(3)]
    of = lambda folder, entry, shared, warps, parameters: Code(
        driver, row, folder / f'{row["key"]}.cubin', folder / f'{row["key"]}.ptx', entry, shared, warps, scratch, parameters)
    triton = of(recorded, row['triton']['name'], row['triton']['shared'], row['num_warps'], [])
    ours, names = [], []
    for folder in folders:
        path = folder / f'{row["key"]}.json'
        image = json.loads(path.read_text()).get('image') if path.exists() else None
        if image:
            ours.append(of(folder, image['kernel'], image['shared_bytes'], image['num_warps'], image['parameters']))
            names.append(folder.name)
    stream = torch.cuda.current_stream().cuda_stream
    for launch in (triton.on(copies[0]), triton.on(copies[1]), ours[0].on(copies[2])):
        launch(stream)
        torch.cuda.synchronize()
    outside, unstable, worst, written = compare(row, before, *copies, torch)
    status = 'unstable' if unstable else 'differs' if outside else 'close' if worst else 'equal' if written else 'idle'
    result |= {'status': status, 'outside': outside, 'unstable': unstable, 'worst': worst}
    if status == 'differs':
        moved = [perturbed(row, index, each, torch) for index, each in enumerate(before)]
        triton.on(moved)(stream)
        torch.cuda.synchronize()
        count, _, most, _ = compare(row, before, copies[0], copies[0], moved, torch)
        result |= {'perturbed': count, 'perturbed_worst': most, 'status': 'sensitive' if outside <= 2 * count else 'differs'}
    # A second launch on what the first one left says whether the kernel reads what it writes.
    triton.on(copies[1])(stream)
    torch.cuda.synchronize()
    moving = what_moves(before, copies[0], copies[1], torch)

    def restore():
        for index, start in moving:
            copies[2][index].copy_(start)

    triton_time, tk_time, *others = timed([code.on(copies[2]) for code in (triton, *ours)], restore, flush, torch)
    return result | {'triton_us': round(triton_time, 3), 'tk_us': round(tk_time, 3), 'ratio': round(triton_time / tk_time, 4),
                     'others_us': {name: round(each, 3) for name, each in zip(names[1:], others)},
                     'resources': {name: code.resources() for name, code in zip(('triton', *names), (triton, *ours))}}


def work(recorded, folders, rows, pipe):
    import torch
    torch.cuda.init()
    flush = torch.empty(256 << 20, dtype=torch.uint8, device='cuda')
    scratch = torch.zeros(1 << 28, dtype=torch.uint8, device='cuda')
    driver = Driver()
    for row in rows:
        pipe.send({'start': row['key']})
        try:
            result = judge(recorded, folders, row, torch, driver, flush, scratch.data_ptr())
        except Exception as error:
            fatal = 'CUDA' in str(error) and 'memory' not in str(error)
            result = {'key': row['key'], 'project': row['project'], 'kernel': row['kernel'], 'status': 'failed', 'error': str(error)[:300], 'fatal': fatal}
        pipe.send(result)
        if result.get('fatal'):
            os._exit(1)
        del result
        torch.cuda.empty_cache()
    pipe.send(None)


def time_all(options):
    folders = [pathlib.Path(folder) for folder in options.made.split(',')]
    left = [row for row in recordings(options.recorded, options.only) if (folders[0] / f'{row["key"]}.json').exists()]
    until = time.time() + options.seconds
    with options.results.open('a') as file:
        while left and time.time() < until:
            here, there = multiprocessing.Pipe()
            child = multiprocessing.Process(target=work, args=(options.recorded, folders, left, there), daemon=True)
            child.start()
            there.close()
            current = None
            while True:
                try:
                    said = here.recv() if here.poll(min(30, max(1, until - time.time()))) else 'late'
                except EOFError:
                    said = 'ended'
                if said is None:
                    left = []
                    break
                if isinstance(said, dict) and 'start' in said:
                    current = said['start']
                    continue
                if isinstance(said, str):
                    if current is None:
                        left = []
                        break
                    said = {'key': current, 'status': 'stopped', 'error': said, 'fatal': True}
                file.write(json.dumps(said) + '\n')
                file.flush()
                left = [row for row in left if row['key'] != said['key']]
                if said.get('fatal') or time.time() > until:
                    break
            child.kill()
            child.join()
    print(f'{len(left)} rows not timed', flush=True)


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else 0.0


def table(options):
    rows = {}
    for line in options.results.read_text().splitlines():
        row = json.loads(line)
        rows[row['key']] = row
    said = {row['key']: row for row in recordings(options.recorded)}
    statuses = {}
    for row in rows.values():
        statuses[row['status']] = statuses.get(row['status'], 0) + 1
    timed_rows = sorted((row for row in rows.values() if 'ratio' in row), key=lambda row: row['ratio'])
    ratios = [row['ratio'] for row in timed_rows]
    print(f'{len(rows)} launches, {statuses}')
    print(f'{len(ratios)} timed: geometric mean {mean(ratios):.3f}, below 0.97: {sum(ratio < 0.97 for ratio in ratios)}, below 0.95: {sum(ratio < 0.95 for ratio in ratios)}, '
          f'level or faster: {sum(ratio >= 1 for ratio in ratios)}')
    projects = {}
    for row in timed_rows:
        projects.setdefault(row['project'], []).append(row['ratio'])
    for name, each in sorted(projects.items()):
        print(f'  {name}: {len(each)} launches, {mean(each):.3f}, least {min(each):.3f}')
    for row in timed_rows:
        if row['ratio'] < 0.97 or options.all:
            path = options.made / f'{row["key"]}.json'
            made = json.loads(path.read_text()) if path.exists() else {}
            differs = counts.worse(made) if 'tk' in made else {}
            text = ', '.join(f'{name} {ours} ({theirs})' for name, (ours, theirs) in differs.items())
            print(f'{row["ratio"]:.3f}  {row["tk_us"]:9.2f} µs ({row["triton_us"]:9.2f})  {row["key"]} w{said[row["key"]]["num_warps"]}: {text}')
    for row in rows.values():
        if row['status'] in ('differs', 'failed', 'stopped', 'not compiled'):
            print(f'{row["status"]}: {row["key"]} {row.get("error", "")[:160]!r} {row.get("outside", "")} {row.get("worst", "")}')


def compile_times(options):
    """Prints how long compiling took beside Triton, where the recording says how long it took there."""
    parts = {'to PTX': [], 'with ptxas': []}
    for row in recordings(options.recorded, options.only):
        path, stages = options.made / f'{row["key"]}.json', row['triton'].get('microseconds')
        made = json.loads(path.read_text()) if path.exists() else {}
        if not stages or 'assembled_seconds' not in made:
            continue
        assembling = stages.get('cubin', 0) / 1e6
        whole = sum(stages.values()) / 1e6
        parts['to PTX'].append({'tk': made['seconds'], 'triton': whole - assembling, 'key': row['key']})
        parts['with ptxas'].append({'tk': made['assembled_seconds'], 'triton': whole, 'key': row['key']})
    for name, rows in parts.items():
        if not rows:
            continue
        for row in rows:
            row['ratio'] = row['tk'] / row['triton']
        rows.sort(key=lambda row: -row['ratio'])
        median = {each: statistics.median(row[each] for row in rows) for each in ('tk', 'triton', 'ratio')}
        print(f'{name}: {len(rows)} launches, median {median["tk"]:.3f} s ({median["triton"]:.3f}), ratio in the median {median["ratio"]:.3f}, '
              f'in the mean {mean([row["ratio"] for row in rows]):.3f}, longer than Triton: {sum(row["ratio"] > 1 for row in rows)}')
        for row in rows[:options.longest]:
            print(f'  {row["ratio"]:.3f}  {row["tk"]:.3f} s ({row["triton"]:.3f})  {row["key"]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest='step', required=True)
    making = steps.add_parser('compile')
    making.add_argument('tk', type=pathlib.Path)
    for name in ('recorded', 'checkouts', 'made'):
        making.add_argument(name, type=pathlib.Path)
    making.add_argument('--ptxas')
    making.add_argument('--processes', type=int, default=os.cpu_count())
    timing = steps.add_parser('time')
    timing.add_argument('recorded', type=pathlib.Path)
    timing.add_argument('made')
    timing.add_argument('results', type=pathlib.Path)
    timing.add_argument('--seconds', type=float, default=300)
    showing = steps.add_parser('table')
    for name in ('results', 'made', 'recorded'):
        showing.add_argument(name, type=pathlib.Path)
    showing.add_argument('--all', action='store_true')
    compiling = steps.add_parser('times')
    for name in ('made', 'recorded'):
        compiling.add_argument(name, type=pathlib.Path)
    compiling.add_argument('--longest', type=int, default=12, help='how many of those that took longest beside Triton are named')
    for step in (making, timing, compiling):
        step.add_argument('--only', default='')
    options = parser.parse_args()
    {'compile': compile_all, 'time': time_all, 'table': table, 'times': compile_times}[options.step](options)


if __name__ == '__main__':
    multiprocessing.set_start_method('spawn')
    main()
