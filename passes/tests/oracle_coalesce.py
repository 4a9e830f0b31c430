"""Random tt kernels and the layouts that the reference compiler's coalesce pass gives their accesses.

  python oracle_coalesce.py [COUNT] > data/coalesce_oracle.txt       (with the interpreter that has Triton 3.9.0)

Each case is a TTIR module, then one `// layout:` line per access to global memory, in program order, then the number of layout conversions that
the reference keeps after remove-layout-conversions. The test runs tk's passes on the module and compares. Seeds are fixed, so the file only changes when this generator does.
"""
import random
import re
import sys
import tempfile

from triton._C.libtriton import ir, nvidia, passes

DTYPES = ['f16', 'bf16', 'f32', 'f64', 'i8', 'i16', 'i32', 'i64']


class Kernel:
    """Writes one function, statement by statement."""

    def __init__(self, rng):
        self.rng, self.lines, self.args, self.count, self.indent = rng, [], [], 0, '    '

    def name(self):
        self.count += 1
        return f'%{self.count}'

    def emit(self, text):
        name = self.name()
        self.lines.append(f'{self.indent}{name} = {text}')
        return name

    def pointer(self, dtype):
        name = f'%p{len(self.args)}'
        hint = self.rng.choice([16, 16, 16, 8, 4, None])
        self.args.append(f'{name}: !tt.ptr<{dtype}>' + (f' {{tt.divisibility = {hint} : i32}}' if hint else ''))
        return name

    def scalar(self):
        name = f'%n{len(self.args)}'
        hint = self.rng.choice([16, 16, 8, None])
        self.args.append(f'{name}: i32' + (f' {{tt.divisibility = {hint} : i32}}' if hint else ''))
        return name

    def constant(self, value, shape=None):
        if shape is None:
            return self.emit(f'arith.constant {value} : i32')
        return self.emit(f'arith.constant dense<{value}> : {tensor(shape, "i32")}')

    def splat(self, value, shape, ty='i32'):
        return self.emit(f'tt.splat {value} : {ty} -> {tensor(shape, ty)}')

    def binary(self, op, a, b, shape):
        return self.emit(f'{op} {a}, {b} : {tensor(shape, "i32")}')

    def range(self, size):
        start = self.rng.choice([0, 0, 0, 0, size, 4])
        return self.emit(f'tt.make_range {{end = {start + size} : i32, start = {start} : i32}} : {tensor([size], "i32")}')

    def index(self, size):
        """Indices along one axis: a block offset plus a range, perhaps with arithmetic on top."""
        rng, shape = self.rng, [size]
        value = self.range(size)
        if rng.random() < 0.7:
            pid = self.emit('tt.get_program_id x : i32')
            step = rng.choice([self.constant(size), self.constant(size), self.scalar(), self.constant(12)])
            base = self.emit(f'arith.muli {pid}, {step} : i32')
            value = self.binary('arith.addi', self.splat(base, shape), value, shape)
        for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
            value = self.twist(value, shape)
        return value

    def twist(self, value, shape):
        rng = self.rng
        kind = rng.choice(['rem', 'rem', 'div', 'mul', 'add', 'addn', 'subn', 'min', 'select', 'shl', 'multiple'])
        known = lambda *values: self.constant(rng.choice(values), shape)
        if kind == 'rem':
            other = rng.choice([self.splat(self.scalar(), shape), known(8, 16, 64, 12)])
            return self.binary('arith.remsi', value, other, shape)
        if kind == 'div':
            return self.binary('arith.divsi', value, known(1, 2, 4, 16), shape)
        if kind == 'mul':
            return self.binary('arith.muli', value, known(1, 1, 2, 3), shape)
        if kind == 'add':
            return self.binary('arith.addi', value, known(0, 1, 2, 4, 8, 16), shape)
        if kind in ('addn', 'subn'):
            op = 'arith.addi' if kind == 'addn' else 'arith.subi'
            return self.binary(op, value, self.splat(self.scalar(), shape), shape)
        if kind == 'min':
            return self.binary('arith.minsi', value, known(0, 64), shape)
        if kind == 'shl':
            return self.binary('arith.shli', value, known(0, 1), shape)
        if kind == 'multiple':
            hint = rng.choice([4, 8, 16])
            one = known(0)
            return self.emit(f'arith.addi {value}, {one} {{tt.divisibility = dense<{hint}> : tensor<1xi32>}} : {tensor(shape, "i32")}')
        limit = self.binary('arith.cmpi slt,', value, self.splat(self.scalar(), shape), shape)
        zero = known(0)
        ty = tensor(shape, 'i32')
        return self.emit(f'arith.select {limit}, {value}, {zero} : {tensor(shape, "i1")}, {ty}')

    def spread(self, index, size, axis, shape):
        """An index along one axis as a tensor of the full shape, times a stride."""
        rng, rank = self.rng, len(shape)
        current = [size]
        for at in range(rank):
            if at == axis:
                continue
            new = current[:]
            new.insert(at, 1)
            index = self.emit(f'tt.expand_dims {index} {{axis = {at} : i32}} : {tensor(current, "i32")} -> {tensor(new, "i32")}')
            current = new
        return index, current

    def broadcast(self, value, small, shape, ty='i32'):
        if small == shape:
            return value
        return self.emit(f'tt.broadcast {value} : {tensor(small, ty)} -> {tensor(shape, ty)}')

    def offsets(self, indices, shape):
        rng, rank = self.rng, len(shape)
        contiguous = rng.choice(list(range(rank)) + [rank - 1, rank - 1, None])
        total = None
        for axis, index in enumerate(indices):
            part, small = self.spread(index, shape[axis], axis, shape)
            if axis != contiguous:
                stride = rng.choice([self.scalar(), self.scalar(), self.constant(rng.choice([16, 64, 1000, 3]))])
                part = self.binary('arith.muli', part, self.splat(stride, small), small)
            part = self.broadcast(part, small, shape)
            total = part if total is None else self.binary('arith.addi', total, part, shape)
        return total

    def pointers(self, dtype, offsets, shape):
        ty = f'!tt.ptr<{dtype}>'
        base = self.splat(self.pointer(dtype), shape, ty)
        return self.emit(f'tt.addptr {base}, {offsets} : {tensor(shape, ty)}, {tensor(shape, "i32")}')

    def mask(self, offsets, shape):
        if self.rng.random() < 0.5:
            return None
        return self.binary('arith.cmpi slt,', offsets, self.splat(self.scalar(), shape), shape)

    def load(self, pointers, mask, dtype, shape):
        tail = f', {mask}' if mask else ''
        return self.emit(f'tt.load {pointers}{tail} : {tensor(shape, f"!tt.ptr<{dtype}>")}')

    def store(self, pointers, value, mask, dtype, shape):
        tail = f', {mask}' if mask else ''
        self.lines.append(f'{self.indent}tt.store {pointers}, {value}{tail} : {tensor(shape, f"!tt.ptr<{dtype}>")}')

    def text(self):
        body = '\n'.join(self.lines)
        return f'module {{\n  tt.func public @kernel({", ".join(self.args)}) {{\n{body}\n    tt.return\n  }}\n}}\n'


def tensor(shape, element):
    return f'tensor<{"x".join(map(str, shape))}x{element}>'


def shape_of(rng):
    rank = rng.choice([1, 1, 2, 2, 2, 3])
    if rank == 1:
        return [rng.choice([64, 128, 256, 1024, 2048])]
    if rank == 2:
        return [rng.choice([8, 16, 32, 64, 128]), rng.choice([16, 32, 64, 128, 256])]
    return [rng.choice([2, 4, 8]), rng.choice([4, 8, 16]), rng.choice([8, 16, 32, 64])]


def copy_kernel(k, shape):
    """Loads through one to two pointers, stores through another; possibly with other strides, so transposed."""
    rng = k.rng
    dtype = rng.choice(DTYPES)
    indices = [k.index(size) for size in shape]
    first = k.offsets(indices, shape)
    value = k.load(k.pointers(dtype, first, shape), k.mask(first, shape), dtype, shape)
    if rng.random() < 0.4:
        other = rng.choice(DTYPES)
        again = first if rng.random() < 0.5 else k.offsets(indices, shape)
        k.load(k.pointers(other, again, shape), None, other, shape)
    out = first if rng.random() < 0.5 else k.offsets(indices, shape)
    k.store(k.pointers(dtype, out, shape), value, k.mask(out, shape), dtype, shape)


def loop_kernel(k, shape):
    """A loop that loads and moves its pointers on."""
    rng = k.rng
    dtype = rng.choice(['f16', 'f32', 'bf16'])
    offsets = k.offsets([k.index(size) for size in shape], shape)
    pointers = k.pointers(dtype, offsets, shape)
    ty, pty = tensor(shape, dtype), tensor(shape, f'!tt.ptr<{dtype}>')
    zero = k.emit(f'arith.constant dense<0.0> : {ty}')
    step = k.constant(rng.choice([1, 3, 4, 16, 32, 64]), shape) if rng.random() < 0.6 else k.splat(k.scalar(), shape)
    low, high, one = k.constant(0), k.scalar(), k.constant(rng.choice([1, 16, 32]))
    result, induction, acc, moving = k.name(), k.name(), k.name(), k.name()
    k.lines.append(f'    {result}:2 = scf.for {induction} = {low} to {high} step {one} iter_args({acc} = {zero}, {moving} = {pointers}) -> ({ty}, {pty}) : i32 {{')
    k.indent = '      '
    place = moving
    if rng.random() < 0.4:
        place = k.emit(f'tt.addptr {moving}, {k.splat(induction, shape)} : {pty}, {tensor(shape, "i32")}')
    value = k.load(place, None, dtype, shape)
    total = k.emit(f'arith.addf {acc}, {value} : {ty}')
    moved = k.emit(f'tt.addptr {moving}, {step} : {pty}, {tensor(shape, "i32")}')
    k.lines.append(f'      scf.yield {total}, {moved} : {ty}, {pty}')
    k.lines.append('    }')
    k.indent = '    '
    out = k.pointers(dtype, offsets, shape)
    k.store(out, f'{result}#0', None, dtype, shape)


def atomic_kernel(k, shape):
    rng = k.rng
    dtype, op = rng.choice([('f16', 'fadd'), ('f32', 'fadd'), ('i32', 'add'), ('i32', 'max'), ('bf16', 'fadd')])
    offsets = k.offsets([k.index(size) for size in shape], shape)
    pointers = k.pointers(dtype, offsets, shape)
    value = k.load(k.pointers(dtype, offsets, shape), None, dtype, shape)
    true = k.emit(f'arith.constant dense<true> : {tensor(shape, "i1")}')
    types = f'({tensor(shape, f"!tt.ptr<{dtype}>")}, {tensor(shape, dtype)}, {tensor(shape, "i1")}) -> {tensor(shape, dtype)}'
    k.emit(f'tt.atomic_rmw {op}, acq_rel, gpu, {pointers}, {value}, {true} : {types}')


def generate(seed):
    rng = random.Random(seed)
    k = Kernel(rng)
    kind = rng.choice([copy_kernel] * 6 + [loop_kernel] * 3 + [atomic_kernel])
    kind(k, shape_of(rng))
    return k.text(), rng.choice([1, 2, 4, 4, 4, 8])


def oracle(text, num_warps, more=()):
    ctx = ir.context()
    ir.load_dialects(ctx)
    nvidia.load_dialects(ctx)
    with tempfile.NamedTemporaryFile('w', suffix='.mlir') as f:
        f.write(text)
        f.flush()
        module = ir.parse_mlir_module(f.name, ctx)
    module.context = ctx
    pm = ir.pass_manager(ctx)
    passes.ttir.add_convert_to_ttgpuir(pm, 'cuda:90', num_warps, 32, 1)
    passes.ttgpuir.add_coalesce(pm)
    for add in more:
        add(pm)
    pm.run(module, 'oracle')
    return module.str_nodebug()


def layouts(text):
    aliases = dict(re.findall(r'^(#\w+) = (#ttg.*)$', text, re.M))
    found = []
    for line in text.splitlines():
        if re.search(r'tt\.(load|store|atomic_rmw|atomic_cas) ', line):
            found.append(aliases[re.search(r'!tt\.ptr<\w+>, (#\w+)>', line).group(1)])
    return found


if __name__ == '__main__':
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 260):
        text, num_warps = generate(seed)
        print(f'// case {seed} warps {num_warps}')
        print(text, end='')
        for layout in layouts(oracle(text, num_warps)):
            print(f'// layout: {layout}')
        cleaned = oracle(text, num_warps, [passes.ttgpuir.add_remove_layout_conversions, passes.common.add_canonicalizer, passes.common.add_cse])
        print(f'// conversions: {cleaned.count("ttg.convert_layout")}')
