"""Random kernels of linear attention in chunks: states carried over chunks, products inside a chunk, gates and decays, gradients of states."""
from generated import Program


class Chunks:
    """What is drawn of one kernel; `bt` rows are a chunk, `bk` and `bv` columns of keys and values a program's tile."""

    def __init__(self, draw):
        self.of = draw.choice(('states', 'outputs', 'states', 'outputs', 'inverse', 'scan'))
        self.kind = draw.often('bf16', 'fp16', 'fp32', share=0.65)
        self.bt = draw.often(64, 32, 128, 16, share=0.55)
        self.bk, self.bv = draw.choice(((64, 64), (32, 64), (64, 32), (64, 128), (128, 64), (32, 32), (128, 128)))
        self.dim = draw.choice((128, 128, 256))
        self.warps = draw.choice((2, 4, 4, 8))
        self.stages = draw.choice((1, 2, 3, 4))
        self.length = draw.choice((2048, 4096, 1900))
        self.heads = draw.choice((16, 32, 64))
        self.gate = draw.often('scalar', 'none', 'keys', 'constant', share=0.45)
        self.addresses = draw.choice(('block_ptr', 'pointers'))
        self.delta = draw.likely(0.35)
        self.initial = draw.likely(0.4)
        self.backwards = draw.likely(0.3)

    def traits(self):
        said = [self.of, self.kind, f'chunk {self.bt}', f'tile {self.bk}x{self.bv}', f'dim {self.dim}', f'{self.heads}x{self.length}', f'gate {self.gate}', self.addresses]
        return said + ['delta'] * self.delta + ['initial'] * self.initial + ['backwards'] * self.backwards


def draw(random):
    p = Chunks(random)
    program = Program('linear attention', p.traits(), num_warps=p.warps, num_stages=p.stages)
    chunks = -(-p.length // p.bt)
    elements = p.heads * (p.length + 128) * p.dim
    for name in ('q_ptr', 'k_ptr', 'v_ptr'):
        program.floats(name, p.kind, elements, 0.3)
    program.floats('g_ptr', 'fp32', p.heads * (p.length + 128) * (p.dim if p.gate == 'keys' else 1), 0.05, -0.1)
    state = p.heads * chunks * p.dim * p.dim
    if p.of == 'outputs':
        program.floats('h_ptr', p.kind, state, 0.3)
        program.written('o_ptr', p.kind, elements)
    elif p.of in ('states', 'scan'):
        program.written('h_ptr', p.kind, state)
        if p.of == 'scan':
            program.written('o_ptr', p.kind, elements)
        if p.delta:
            program.floats('w_ptr', p.kind, elements, 0.1)
            program.written('vn_ptr', p.kind, elements)
        if p.initial:
            program.floats('h0_ptr', 'fp32', p.heads * p.dim * p.dim)
    else:
        program.floats('beta_ptr', 'fp32', p.heads * p.length + 128, 0.2, positive=True)
        program.written('A_ptr', 'fp32', p.heads * (p.length + 128) * p.bt)
    program.number('scale', p.dim ** -0.5)
    program.size('T', p.length)
    for name, value in (('H', p.heads), ('D', p.dim), ('BT', p.bt), ('BK', p.bk), ('BV', p.bv)):
        program.constant(name, value)
    {'outputs': outputs, 'states': states, 'scan': states, 'inverse': inverse}[p.of](program, p)
    tiles = p.dim // p.bv
    program.grid = {'outputs': (tiles, chunks, p.heads), 'states': (p.dim // p.bk, tiles, p.heads), 'scan': (1, tiles, p.heads), 'inverse': (chunks, p.heads, 1)}[p.of]
    return program


def load(p, name, pointer, rows, columns, row_size, column_size, turned=False):
    """A tile of the matrix [T, D] of a head, which starts at `at`; turned, its transpose."""
    if p.addresses == 'block_ptr':
        if turned:
            return f'{name} = tl.load(tl.make_block_ptr({pointer} + at, (D, T), (1, D), ({columns}, {rows}), ({column_size}, {row_size}), (0, 1)), boundary_check=(0, 1))'
        return f'{name} = tl.load(tl.make_block_ptr({pointer} + at, (T, D), (D, 1), ({rows}, {columns}), ({row_size}, {column_size}), (1, 0)), boundary_check=(0, 1))'
    row, column = f'({rows} + tl.arange(0, {row_size}))', f'({columns} + tl.arange(0, {column_size}))'
    if turned:
        return f'{name} = tl.load({pointer} + at + {row}[None, :] * D + {column}[:, None], mask=({row} < T)[None, :], other=0.0)'
    return f'{name} = tl.load({pointer} + at + {row}[:, None] * D + {column}[None, :], mask=({row} < T)[:, None], other=0.0)'


def store(p, pointer, value, rows, columns, row_size, column_size):
    if p.addresses == 'block_ptr':
        return f'tl.store(tl.make_block_ptr({pointer} + at, (T, D), (D, 1), ({rows}, {columns}), ({row_size}, {column_size}), (1, 0)), {value}.to({pointer}.dtype.element_ty), boundary_check=(0, 1))'
    row, column = f'({rows} + tl.arange(0, {row_size}))', f'({columns} + tl.arange(0, {column_size}))'
    return f'tl.store({pointer} + at + {row}[:, None] * D + {column}[None, :], {value}.to({pointer}.dtype.element_ty), mask=({row} < T)[:, None])'


def outputs(program, p):
    program.add('''
i_v = tl.program_id(0)
i_t = tl.program_id(1)
i_h = tl.program_id(2).to(tl.int64)
at = i_h * T * D
offs_t = i_t * BT + tl.arange(0, BT)
o = tl.zeros((BT, BV), dtype=tl.float32)
A = tl.zeros((BT, BT), dtype=tl.float32)
h_at = h_ptr + (i_h * tl.cdiv(T, BT) + i_t) * D * D
for i_k in range(D // BK):''')
    program.add(load(p, 'q', 'q_ptr', 'i_t * BT', 'i_k * BK', 'BT', 'BK'), 2)
    program.add(load(p, 'k', 'k_ptr', 'i_t * BT', 'i_k * BK', 'BT', 'BK', turned=True), 2)
    if p.gate == 'keys':
        program.add('g = tl.load(g_ptr + at + offs_t[:, None] * D + (i_k * BK + tl.arange(0, BK))[None, :], mask=(offs_t < T)[:, None], other=0.0)\nq = (q * tl.exp(g)).to(q.dtype)', 2)
    program.add('h = tl.load(h_at + (i_k * BK + tl.arange(0, BK))[:, None] * D + (i_v * BV + tl.arange(0, BV))[None, :])', 2)
    program.add('o += tl.dot(q, h)\nA += tl.dot(q, k)', 2)
    if p.gate == 'scalar':
        program.add('g = tl.load(g_ptr + i_h * T + offs_t, mask=offs_t < T, other=0.0)\ng = tl.cumsum(g, 0)\no = o * tl.exp(g)[:, None]\nA = A * tl.exp(g[:, None] - g[None, :])')
    if p.gate == 'constant':
        program.add('decay = -0.01 * (i_h.to(tl.float32) + 1.0)\nn = tl.arange(0, BT).to(tl.float32)\no = o * tl.exp(n * decay)[:, None]\nA = A * tl.exp((n[:, None] - n[None, :]) * decay)')
    program.add('A = tl.where((offs_t[:, None] >= offs_t[None, :]) & (offs_t < T)[:, None], A, 0.0)')
    program.add(load(p, 'v', 'v_ptr', 'i_t * BT', 'i_v * BV', 'BT', 'BV'))
    program.add('o = o * scale + tl.dot(A.to(v.dtype), v) * scale')
    program.add(store(p, 'o_ptr', 'o', 'i_t * BT', 'i_v * BV', 'BT', 'BV'))


def states(program, p):
    whole = p.of == 'scan'
    width = 'D' if whole else 'BK'
    program.add('i_k = ' + ('0' if whole else 'tl.program_id(0)') + '''
i_v = tl.program_id(1)
i_h = tl.program_id(2).to(tl.int64)
at = i_h * T * D
chunks = tl.cdiv(T, BT)''')
    tile = f'(i_k * {width} + tl.arange(0, {width}))[:, None] * D + (i_v * BV + tl.arange(0, BV))[None, :]'
    program.add(f'h = tl.load(h0_ptr + i_h * D * D + {tile})' if p.initial else f'h = tl.zeros(({width}, BV), dtype=tl.float32)')
    program.add('for step in range(0, chunks):')
    program.add('i_t = ' + ('chunks - 1 - step' if p.backwards else 'step') + '\noffs_t = i_t * BT + tl.arange(0, BT)', 2)
    program.add(f'tl.store(h_ptr + (i_h * chunks + i_t) * D * D + {tile}, h.to(h_ptr.dtype.element_ty))', 2)
    program.add(load(p, 'k', 'k_ptr', 'i_t * BT', f'i_k * {width}', 'BT', width, turned=True), 2)
    program.add(load(p, 'v', 'v_ptr', 'i_t * BT', 'i_v * BV', 'BT', 'BV'), 2)
    if p.delta:
        program.add(load(p, 'w', 'w_ptr', 'i_t * BT', f'i_k * {width}', 'BT', width), 2)
        program.add('v_new = v - tl.dot(w, h.to(w.dtype))', 2)
        program.add(store(p, 'vn_ptr', 'v_new', 'i_t * BT', 'i_v * BV', 'BT', 'BV'), 2)
        program.add('v = v_new.to(v.dtype)', 2)
    if whole:
        program.add(load(p, 'q', 'q_ptr', 'i_t * BT', '0', 'BT', 'D'), 2)
        program.add('A = tl.dot(q, k)\nA = tl.where(offs_t[:, None] >= offs_t[None, :], A, 0.0)\no = tl.dot(A.to(v.dtype), v) + tl.dot(q, h.to(q.dtype))', 2)
        program.add(store(p, 'o_ptr', 'o', 'i_t * BT', 'i_v * BV', 'BT', 'BV'), 2)
    if p.gate == 'scalar':
        program.add('''
last = tl.load(g_ptr + i_h * T + tl.minimum(i_t * BT + BT, T) - 1)
g = tl.load(g_ptr + i_h * T + offs_t, mask=offs_t < T, other=0.0)
h = h * tl.exp(last)
v = (v * tl.exp(last - g)[:, None]).to(v.dtype)''', 2)
    if p.gate == 'constant':
        program.add('''
decay = -0.01 * (i_h.to(tl.float32) + 1.0)
h = h * tl.exp(BT * decay)
v = (v * tl.exp((BT - 1 - tl.arange(0, BT)).to(tl.float32) * decay)[:, None]).to(v.dtype)''', 2)
    if p.gate == 'keys':
        program.add(f'''
last = tl.load(g_ptr + at + (tl.minimum(i_t * BT + BT, T) - 1) * D + i_k * {width} + tl.arange(0, {width}))
g = tl.load(g_ptr + at + offs_t[None, :] * D + (i_k * {width} + tl.arange(0, {width}))[:, None], mask=(offs_t < T)[None, :], other=0.0)
h = h * tl.exp(last)[:, None]
k = (k * tl.exp(last[:, None] - g)).to(k.dtype)''', 2)
    program.add('h += tl.dot(k, v)', 2)


def inverse(program, p):
    """Products of keys with keys below the diagonal, and the inverse of one plus them by substitution."""
    program.add('''
i_t = tl.program_id(0)
i_h = tl.program_id(1).to(tl.int64)
at = i_h * T * D
offs_t = i_t * BT + tl.arange(0, BT)
beta = tl.load(beta_ptr + i_h * T + offs_t, mask=offs_t < T, other=0.0)
A = tl.zeros((BT, BT), dtype=tl.float32)
for i_k in range(D // BK):''')
    program.add(load(p, 'k', 'k_ptr', 'i_t * BT', 'i_k * BK', 'BT', 'BK'), 2)
    program.add('kb = (k * beta[:, None]).to(k.dtype)\nA += tl.dot(kb, tl.trans(k))', 2)
    if p.gate in ('scalar', 'keys'):
        program.add('g = tl.load(g_ptr + i_h * T + offs_t, mask=offs_t < T, other=0.0)\nA = A * tl.exp(g[:, None] - g[None, :])')
    program.add('A = tl.where(tl.arange(0, BT)[:, None] > tl.arange(0, BT)[None, :], A * 0.1, 0.0)')
    if p.delta:
        program.add('''
A = -A
for i in range(1, BT):
    mine = tl.arange(0, BT) == i
    row = tl.sum(tl.where(mine[:, None], A, 0.0), 0)
    row += tl.sum(row[:, None] * A, 0) * (tl.arange(0, BT) < i)
    A = tl.where(mine[:, None], row, A)
A += (tl.arange(0, BT)[:, None] == tl.arange(0, BT)[None, :]).to(tl.float32)''')
    program.add('tl.store(A_ptr + (i_h * T + offs_t)[:, None] * BT + tl.arange(0, BT)[None, :], A, mask=(offs_t < T)[:, None])')
