"""Records the launches of Triton kernels that a program makes, for speed.py.

usage: record.py OUT PROJECT ROOT [--pick N] [--seed N] [--stub NAME,…] PROGRAM [ARGUMENT…]
PROGRAM is a Python file, or pytest; of pytest's tests N are drawn at random. ROOT is the checkout: files are named relative to it.
--stub names modules that are not installed and that the program imports but does not use. Of each compiled kernel the launch with the
most bytes is kept: OUT/NAME.json (arguments, grid, options, what Triton made of it), .cubin, .ptx, .ttgir and, with the contents of the integer
tensors, .npz; OUT/sources has the text of files outside ROOT, OUT/times what each compilation took, by Triton's hash of the kernel. Floats are kept as mean and deviation. Launches while an autotuner
measures are not recorded; it tries at most eight configurations, drawn at random. Needs torch, Triton and a GPU.
"""
import argparse
import contextlib
import hashlib
import importlib.abc
import importlib.machinery
import inspect
import json
import pathlib
import random
import re
import runpy
import sys
import types
import unittest.mock

INTEGERS_KEPT = 4 << 20
CONFIGURATIONS = 8


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that are mocks."""

    def __init__(self, names):
        self.names = names

    def find_spec(self, name, path=None, target=None):
        parts = name.split('.')
        if any('.'.join(parts[:count]) in self.names for count in range(1, len(parts) + 1)):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        class Mocked(types.ModuleType):
            def __getattr__(self, name):
                if name.startswith('__'):
                    raise AttributeError(name)
                return unittest.mock.MagicMock()
        return Mocked(spec.name)

    def exec_module(self, module):
        module.__path__ = []


class Unrecordable(Exception):
    """A launch with something that a recording does not hold; says what."""


def spelled(value):
    """A constant as `tk compile --constexpr` reads it."""
    import triton
    value = getattr(value, 'value', value) if type(value).__name__ == 'constexpr' else value
    if isinstance(value, triton.language.dtype):
        return f'tl.{value}' if str(value)[0] not in 'fbi' else 'tl.' + dtype_name(str(value))
    if isinstance(value, float) and value in (float('inf'), float('-inf')):
        return f'float("{value}")'
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, tuple):
        return '(' + ''.join(spelled(each) + ', ' for each in value) + ')'
    raise Unrecordable(f'a constant of type {type(value).__name__}')


def dtype_name(text):
    names = {'fp16': 'float16', 'fp32': 'float32', 'fp64': 'float64', 'bf16': 'bfloat16', 'i1': 'int1', 'fp8e4nv': 'float8e4nv', 'fp8e5': 'float8e5'}
    return names.get(text, re.sub(r'^(u?)i(\d+)$', r'\1int\2', text))


class Storages:
    """The allocations behind the tensors of a launch, each once."""

    def __init__(self):
        self.rows, self.places, self.contents = [], {}, {}

    def add(self, tensor):
        """Index of the allocation and offset in it, in bytes."""
        import torch
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in self.places:
            self.places[storage.data_ptr()] = len(self.rows)
            self.rows.append(self.described(tensor, storage, torch))
        return self.places[storage.data_ptr()], tensor.data_ptr() - storage.data_ptr()

    def described(self, tensor, storage, torch):
        row = {'bytes': storage.nbytes(), 'dtype': str(tensor.dtype).removeprefix('torch.')}
        if not tensor.numel():
            return row
        if tensor.is_floating_point() or tensor.is_complex():
            flat = torch.view_as_real(tensor) if tensor.is_complex() else tensor
            if row['dtype'].startswith('complex'):
                row['dtype'] = 'float32'
            sample = flat.detach().flatten()[: 1 << 20].float()
            sample = sample[sample.isfinite()]
            if sample.numel() > 1:
                row |= {'mean': float(sample.mean()), 'deviation': float(sample.std()), 'least': float(sample.min())}
            return row
        if storage.nbytes() <= INTEGERS_KEPT:
            whole = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(storage)
            self.contents[str(len(self.rows))] = whole.cpu().numpy()
            return row | {'kept': True}
        sample = tensor.detach().flatten()[: 1 << 22].to(torch.int64)
        return row | {'least': int(sample.min()), 'greatest': int(sample.max())}


class Recorder:
    def __init__(self, out, project, root):
        self.out, self.project, self.root = out, project, root.resolve()
        self.best, self.measuring, self.reasons = {}, 0, {}

    @contextlib.contextmanager
    def quiet(self):
        self.measuring += 1
        try:
            yield
        finally:
            self.measuring -= 1

    def install(self):
        import triton
        from triton.runtime.autotuner import Autotuner
        recorder, run = self, triton.runtime.JITFunction.run
        bench, prune = Autotuner._bench, Autotuner.prune_configs

        def recorded(function, *args, grid, warmup, **kwargs):
            if recorder.measuring or warmup:
                return run(function, *args, grid=grid, warmup=warmup, **kwargs)
            return recorder.launch(run, function, args, grid, kwargs)

        def benched(tuner, *args, **kwargs):
            with recorder.quiet():
                return bench(tuner, *args, **kwargs)

        def pruned(tuner, *args, **kwargs):
            found = list(prune(tuner, *args, **kwargs))
            return random.Random(1).sample(found, CONFIGURATIONS) if len(found) > CONFIGURATIONS else found

        triton.runtime.JITFunction.run = recorded
        Autotuner._bench, Autotuner.prune_configs = benched, pruned
        triton.knobs.compilation.listener = self.compiled

    def compiled(self, *, src, metadata, metadata_group, times, cache_hit):
        """Keeps the microseconds of each stage of a compilation, also for other processes, which find the kernel in the cache."""
        if not cache_hit:
            folder = self.out / 'times'
            folder.mkdir(parents=True, exist_ok=True)
            stages = {'ir': times.ir_initialization} | dict(times.lowering_stages)
            (folder / f'{metadata["hash"]}.json').write_text(json.dumps(stages))

    def launch(self, run, function, args, grid, kwargs):
        plain = lambda: run(function, *args, grid=grid, warmup=False, **kwargs)
        try:
            bound = function.signature.bind(*args, **{k: v for k, v in kwargs.items() if k in function.signature.parameters})
            bound.apply_defaults()
            values = dict(bound.arguments)
            tensors = {name: value for name, value in values.items() if hasattr(value, 'data_ptr')}
            size = sum(tensor_of(each).untyped_storage().nbytes() for each in tensors.values())
            quick = (id(function), tuple(sorted((k, str(v)) for k, v in kwargs.items() if not hasattr(v, 'data_ptr') and not callable(v))),
                     tuple(str(tensor_of(each).dtype) for each in tensors.values()))
            if size <= 1.5 * self.best.get(quick, -1):
                return plain()
            grid_now = grid(values) if callable(grid) else grid
            storages, rows = Storages(), []
            for name, value in values.items():
                rows.append(self.argument(name, value, storages))
        except Unrecordable as reason:
            self.reasons[function.__name__] = str(reason)
            return plain()
        except Exception as error:
            self.reasons[getattr(function, '__name__', '?')] = repr(error)[:200]
            return plain()
        self.best[quick] = size
        kernel = plain()
        try:
            self.write(function, kernel, rows, storages, [int(each) for each in grid_now], size)
        except Unrecordable as reason:
            self.reasons[function.__name__] = str(reason)
        except Exception as error:
            self.reasons[function.__name__] = repr(error)[:200]
        return kernel

    def argument(self, name, value, storages):
        if hasattr(value, 'data_ptr'):
            storage, offset = storages.add(tensor_of(value))
            return {'name': name, 'storage': storage, 'offset': offset, 'shape': list(tensor_of(value).shape)}
        if type(value).__name__ == 'TensorDescriptor':
            raise Unrecordable('a tensor descriptor')
        if isinstance(value, (bool, int, float)) or hasattr(value, 'item'):
            return {'name': name, 'value': value.item() if hasattr(value, 'item') else value}
        return {'name': name, 'other': True}

    def write(self, function, kernel, rows, storages, grid, size):
        source, metadata = kernel.src, kernel.metadata
        if getattr(metadata, 'num_ctas', 1) != 1:
            raise Unrecordable('a cluster')
        names = list(source.signature)
        for at, row in enumerate(rows):
            kind = source.signature[row['name']]
            if not isinstance(kind, str):
                raise Unrecordable('a tuple')
            if kind.startswith('tensordesc'):
                raise Unrecordable('a tensor descriptor')
            row['type'] = kind
            if kind == 'constexpr':
                row['constant'] = spelled(source.constants[(at,)])
                row.pop('value', None)
            elif any('divisibility' in str(each) for each in source.attrs.get((at,), [])):
                row['multiple'] = 16
            row.pop('other', None)
        assert names == [row['name'] for row in rows], 'the order of the arguments'
        file = pathlib.Path(inspect.getsourcefile(function.fn)).resolve()
        text = file.read_text()
        if self.root in file.parents:
            place = str(file.relative_to(self.root))
        else:
            place = 'sources/' + hashlib.sha1(text.encode()).hexdigest()[:12] + '.py'
            (self.out / 'sources').mkdir(parents=True, exist_ok=True)
            (self.out / place).write_text(text)
        key = f'{self.project}-{function.__name__[:120]}-{kernel.hash[:10]}'
        row = {'key': key, 'project': self.project, 'kernel': function.__name__, 'qualified': function.fn.__qualname__, 'file': place,
               'line': function.starting_line_number, 'module': function.__module__, 'closure': closure_of(function.fn),
               'grid': grid + [1] * (3 - len(grid)), 'bytes': size,
               'num_warps': metadata.num_warps, 'num_stages': metadata.num_stages, 'maxnreg': getattr(metadata, 'maxnreg', None),
               'cooperative': bool(getattr(metadata, 'launch_cooperative_grid', False)), 'arguments': rows, 'storages': storages.rows,
               'triton': {'name': metadata.name, 'shared': metadata.shared, 'registers': kernel.n_regs, 'spills': kernel.n_spills,
                          'scratch': getattr(metadata, 'global_scratch_size', 0) or 0}}
        times = self.out / 'times' / f'{kernel.hash}.json'
        if times.exists():
            row['triton']['microseconds'] = json.loads(times.read_text())
        known = self.out / f'{key}.json'
        if known.exists() and json.loads(known.read_text())['bytes'] >= size:
            return
        (self.out / f'{key}.cubin').write_bytes(kernel.asm['cubin'])
        (self.out / f'{key}.ptx').write_text(kernel.asm['ptx'])
        (self.out / f'{key}.ttgir').write_text(kernel.asm['ttgir'])
        if storages.contents:
            import numpy
            numpy.savez_compressed(self.out / f'{key}.npz', **storages.contents)
        known.write_text(json.dumps(row))


def closure_of(function):
    """The constants that a function reads of those around it, by name."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        with contextlib.suppress(Unrecordable, ValueError):
            found[name] = spelled(cell.cell_contents)
    return found


def tensor_of(value):
    """The tensor of an argument; wrappers that give its memory another type have it as `base`."""
    while not hasattr(value, 'untyped_storage'):
        value = value.base if hasattr(value, 'base') else value.unwrap()
    return value


class Picked:
    """A plugin of pytest that keeps some of the tests, at random."""

    def __init__(self, count, seed):
        self.count, self.seed = count, seed

    def pytest_collection_modifyitems(self, items):
        by_function = {}
        for item in items:
            by_function.setdefault(item.originalname if hasattr(item, 'originalname') else item.name, []).append(item)
        generator = random.Random(self.seed)
        kept = [generator.choice(group) for group in by_function.values()]
        generator.shuffle(kept)
        items[:] = kept[: self.count]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('project')
    parser.add_argument('root', type=pathlib.Path)
    parser.add_argument('--pick', type=int, default=12)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--stub', default='')
    parser.add_argument('program')
    parser.add_argument('arguments', nargs=argparse.REMAINDER)
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.stub:
        sys.meta_path.append(Stubs(set(options.stub.split(','))))
    recorder = Recorder(options.out, options.project, options.root)
    recorder.install()
    try:
        if options.program == 'pytest':
            import pytest
            arguments = ['-q', '--no-header', '-p', 'no:cacheprovider', '--timeout=90', *options.arguments]
            pytest.main(arguments, plugins=[Picked(options.pick, options.seed)])
        else:
            sys.argv = [options.program, *options.arguments]
            sys.path.insert(0, str(pathlib.Path(options.program).resolve().parent))
            runpy.run_path(options.program, run_name='__main__')
    finally:
        for name, reason in recorder.reasons.items():
            print(f'not recorded: {name}: {reason}', flush=True)


if __name__ == '__main__':
    main()
