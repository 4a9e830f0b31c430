"""Random kernels of the gradients of attention: of keys and values (a loop over queries), of queries (a loop over keys), or all in one with atomics."""
from generated import Program

TILES = {32: [(64, 64, 4), (128, 128, 4), (32, 128, 4)], 64: [(64, 64, 4), (128, 128, 8), (32, 128, 4), (64, 128, 8), (32, 64, 4), (16, 64, 4), (128, 32, 4)],
         128: [(64, 64, 4), (64, 64, 8), (32, 128, 8), (64, 128, 8), (32, 64, 4), (16, 64, 4), (32, 32, 4), (128, 64, 8)]}


class Gradients:
    """What is drawn of one kernel: blocks of `bl` rows run through the loop, `bf` rows stay."""

    def __init__(self, draw):
        self.kind = draw.often('bf16', 'fp16', share=0.6)
        self.dim = draw.often(64, 32, 128, share=0.5)
        self.bl, self.bf, self.warps = draw.choice(TILES[self.dim])
        self.stages = draw.choice((1, 2, 2, 3))
        self.of = draw.choice(('keys', 'queries', 'keys', 'all'))
        self.length = draw.choice((1024, 2048, 2048, 1400))
        self.heads = draw.choice((32, 48))
        self.causal = draw.often('loop', 'none', 'start', share=0.4)
        self.turned = draw.likely(0.5)
        self.log2 = draw.likely(0.6)
        self.bias = draw.often('none', 'bias', 'softcap', 'dropout', share=0.75)
        self.masked = self.length % self.bl != 0 or self.length % self.bf != 0 or draw.likely(0.3)

    def traits(self):
        return [self.kind, f'd{self.dim}', f'loop {self.bl} stay {self.bf}', f'{self.heads}x{self.length}', self.of, f'causal {self.causal}'] + ['turned'] * self.turned + \
            ['exp2'] * self.log2 + [self.bias] * (self.bias != 'none') + ['masked'] * self.masked


def draw(random):
    p = Gradients(random)
    program = Program('gradients', p.traits(), num_warps=p.warps, num_stages=p.stages)
    elements = p.heads * (p.length + 128) * p.dim
    for name in ('q_ptr', 'k_ptr', 'v_ptr', 'do_ptr'):
        program.floats(name, p.kind, elements)
    for name in ('dk_ptr', 'dv_ptr') if p.of != 'queries' else ():
        program.written(name, p.kind, elements)
    if p.of != 'keys':
        program.written('dq_ptr', 'fp32' if p.of == 'all' else p.kind, elements)
    program.floats('log_ptr', 'fp32', p.heads * p.length + 128, 1.0, 6.0)
    program.floats('delta_ptr', 'fp32', p.heads * p.length + 128)
    if p.bias == 'bias':
        program.floats('bias_ptr', p.kind, p.length * p.length + 128)
    program.number('scale', p.dim ** -0.5)
    program.size('length', p.length)
    program.size('stride_h', p.length * p.dim)
    program.size('stride_m', p.dim)
    for name, value in (('DIM', p.dim), ('BLOCK_L', p.bl), ('BLOCK_F', p.bf)):
        program.constant(name, value)
    program.grid = (-(-p.length // p.bf), p.heads, 1)
    before(program, p)
    loop(program, p)
    behind(program, p)
    return program


def keep(p, offsets, axis='[:, None]'):
    return f', mask=({offsets} < length){axis}, other=0.0' if p.masked else ''


def before(program, p):
    program.add('''
head = tl.program_id(1).to(tl.int64)
offs_f = tl.program_id(0) * BLOCK_F + tl.arange(0, BLOCK_F)
offs_d = tl.arange(0, DIM)
at = head * stride_h
f_at = at + offs_f[:, None] * stride_m + offs_d[None, :]''')
    if p.of == 'queries':
        program.add(f'q = tl.load(q_ptr + f_at{keep(p, "offs_f")})\ndo = tl.load(do_ptr + f_at{keep(p, "offs_f")})')
        program.add(f'log = tl.load(log_ptr + head * length + offs_f{keep(p, "offs_f", "")})\ndelta = tl.load(delta_ptr + head * length + offs_f{keep(p, "offs_f", "")})')
        program.add('dq = tl.zeros((BLOCK_F, DIM), dtype=tl.float32)')
    else:
        program.add(f'k = tl.load(k_ptr + f_at{keep(p, "offs_f")})\nv = tl.load(v_ptr + f_at{keep(p, "offs_f")})')
        program.add('dk = tl.zeros((BLOCK_F, DIM), dtype=tl.float32)\ndv = tl.zeros((BLOCK_F, DIM), dtype=tl.float32)')


def loop(program, p):
    first, end = '0', 'length'
    if p.causal == 'start' and p.of == 'queries':
        end = 'tl.minimum((tl.program_id(0) + 1) * BLOCK_F, length)'
    elif p.causal == 'start':
        first = 'tl.program_id(0) * BLOCK_F // BLOCK_L * BLOCK_L'
    program.add(f'for start in range({first}, {end}, BLOCK_L):')
    program.add('offs_l = start + tl.arange(0, BLOCK_L)\nl_at = at + offs_l[:, None] * stride_m + offs_d[None, :]', 2)
    if p.of == 'queries':
        of_queries(program, p)
    else:
        of_keys(program, p)


def scores(program, p, queries, keys, log):
    """From products `s` to weights `p`; the axes say which of the two holds queries."""
    program.add('s = s * scale', 2)
    if p.bias == 'bias':
        at, row = (f'{queries} * length + {keys}', f' & ({queries} < length)' if p.masked else '')
        tests = f', mask=({keys} < length){row}, other=0.0' if p.masked else ''
        program.add(f's += tl.load(bias_ptr + {at}{tests}).to(tl.float32)', 2)
    if p.bias == 'softcap':
        program.add('t = 2.0 / (1.0 + tl.exp(-2.0 * s / 20.0)) - 1.0\ns = 20.0 * t', 2)
    program.add(f'p = tl.exp2(s * 1.44269504 - {log})' if p.log2 else f'p = tl.exp(s - {log})', 2)
    tests = [f'{queries} >= {keys}'] * (p.causal != 'none') + [f'({keys} < length) & ({queries} < length)'] * p.masked
    if tests:
        program.add(f'p = tl.where({" & ".join(f"({each})" for each in tests)}, p, 0.0)', 2)


def of_keys(program, p):
    program.add(f'q = tl.load(q_ptr + l_at{keep(p, "offs_l")})', 2)
    program.add(f'log = tl.load(log_ptr + head * length + offs_l{keep(p, "offs_l", "")})', 2)
    if p.turned:
        program.add('s = tl.dot(k, tl.trans(q))', 2)
        scores(program, p, 'offs_l[None, :]', 'offs_f[:, None]', 'log[None, :]')
    else:
        program.add('s = tl.dot(q, tl.trans(k))', 2)
        scores(program, p, 'offs_l[:, None]', 'offs_f[None, :]', 'log[:, None]')
    turn = (lambda value: value) if p.turned else (lambda value: f'tl.trans({value})')
    program.add(f'do = tl.load(do_ptr + l_at{keep(p, "offs_l")})', 2)
    program.add(f'delta = tl.load(delta_ptr + head * length + offs_l{keep(p, "offs_l", "")})', 2)
    dropped = 'p'
    if p.bias == 'dropout':
        program.add('kept = tl.rand(3, ' + ('offs_l[None, :] * length + offs_f[:, None]' if p.turned else 'offs_l[:, None] * length + offs_f[None, :]') + ') > 0.1', 2)
        dropped = 'tl.where(kept, p, 0.0)'
    program.add(f'dv += tl.dot({turn(f"{dropped}.to(do.dtype)")}, do)', 2)
    program.add('dp = tl.dot(v, tl.trans(do))' if p.turned else 'dp = tl.dot(do, tl.trans(v))', 2)
    if p.bias == 'dropout':
        program.add('dp = tl.where(kept, dp, 0.0)', 2)
    program.add('ds = p * (dp - delta' + ('[None, :]' if p.turned else '[:, None]') + ')', 2)
    if p.bias == 'softcap':
        program.add('ds = ds * (1.0 - t * t)', 2)
    program.add('ds = (ds * scale).to(q.dtype)', 2)
    program.add(f'dk += tl.dot({turn("ds")}, q)', 2)
    if p.of == 'all':
        program.add(f'dq = tl.dot({"tl.trans(ds)" if p.turned else "ds"}, k)', 2)
        program.add('tl.atomic_add(dq_ptr + l_at, dq' + (', mask=(offs_l < length)[:, None]' if p.masked else '') + ", sem='relaxed')", 2)


def of_queries(program, p):
    program.add(f'k = tl.load(k_ptr + l_at{keep(p, "offs_l")})\nv = tl.load(v_ptr + l_at{keep(p, "offs_l")})', 2)
    program.add('s = tl.dot(q, tl.trans(k))', 2)
    scores(program, p, 'offs_f[:, None]', 'offs_l[None, :]', 'log[:, None]')
    program.add('dp = tl.dot(do, tl.trans(v))', 2)
    if p.bias == 'dropout':
        program.add('dp = tl.where(tl.rand(3, offs_f[:, None] * length + offs_l[None, :]) > 0.1, dp, 0.0)', 2)
    program.add('ds = p * (dp - delta[:, None])', 2)
    if p.bias == 'softcap':
        program.add('ds = ds * (1.0 - t * t)', 2)
    program.add('dq = tl.dot(ds.to(k.dtype), k, dq)', 2)


def behind(program, p):
    rows = ', mask=(offs_f < length)[:, None]' if p.masked else ''
    if p.of == 'queries':
        program.add(f'tl.store(dq_ptr + f_at, (dq * scale).to(dq_ptr.dtype.element_ty){rows})')
    else:
        program.add(f'tl.store(dk_ptr + f_at, dk.to(dk_ptr.dtype.element_ty){rows})\ntl.store(dv_ptr + f_at, dv.to(dv_ptr.dtype.element_ty){rows})')
