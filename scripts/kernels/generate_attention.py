"""Random kernels of attention, forward: masks, biases, page tables and ways to keep the sums, as serving and training code writes them."""
from generated import Program

TILES = {32: [(128, 64, 4), (64, 64, 4), (128, 128, 4), (64, 32, 2)], 64: [(128, 64, 4), (64, 64, 4), (128, 128, 8), (64, 32, 4), (128, 32, 4), (64, 128, 4), (128, 64, 8), (16, 64, 4)],
         128: [(128, 64, 8), (64, 64, 4), (128, 128, 8), (128, 32, 4), (64, 32, 4), (128, 64, 4), (16, 64, 4), (16, 32, 2)]}


class Attention:
    """What is drawn of one kernel."""

    def __init__(self, draw):
        self.kind = draw.often('bf16', 'fp16', 'fp32', share=0.55)
        self.dim = draw.often(64, 32, 128, share=0.4)
        self.bm, self.bn, self.warps = draw.choice(TILES[self.dim])
        self.stages = draw.choice((1, 2, 2, 3, 4))
        self.length = draw.choice((1024, 2048, 2048, 4096, 1500))
        self.batch, self.heads = draw.choice(((1, 16), (4, 8), (2, 16), (2, 32)))
        if self.bm == 16:
            self.length, self.heads = 4096, 32
        self.group = draw.often(1, 2, 4, 8, share=0.6)
        self.heads_last = draw.likely(0.5)
        self.mask = draw.often('none', 'causal', 'causal_loop', 'window', 'lengths', 'segments', 'bias', 'alibi', 'both', share=0.2)
        self.score = draw.often('exp2', 'exp', 'softcap', 'sigmoid', 'relu', 'guarded', 'prescaled', share=0.3)
        self.key_layout = draw.choice(('across', 'trans', 'block_ptr'))
        self.value_early = draw.likely(0.3)
        self.pages = draw.likely(0.12) and self.key_layout != 'block_ptr'
        self.keeps_log = draw.likely(0.4)
        self.extra_value = draw.often('none', 'keys_scale', 'int8', 'dropout', share=0.8)
        if self.key_layout == 'block_ptr' and self.extra_value == 'int8':
            self.extra_value = 'none'
        self.negative = draw.choice(("float('-inf')", '-1.0e30'))

    def traits(self):
        said = [self.kind, f'd{self.dim}', f'{self.bm}x{self.bn}', f'{self.batch}x{self.heads}x{self.length}', self.mask, self.score, self.key_layout]
        said += [f'group {self.group}'] * (self.group > 1) + ['heads last'] * self.heads_last + ['value early'] * self.value_early + ['pages'] * self.pages
        return said + ['log'] * self.keeps_log + [self.extra_value] * (self.extra_value != 'none')


def draw(random):
    p = Attention(random)
    program = Program('attention', p.traits(), num_warps=p.warps, num_stages=p.stages)
    declare(program, p)
    before(program, p)
    body(program, p)
    behind(program, p)
    return program


def declare(program, p):
    keys = p.heads // p.group
    program.floats('q_ptr', p.kind, p.batch * p.heads * (p.length + 128) * p.dim)
    for name in ('k_ptr', 'v_ptr'):
        if p.extra_value == 'int8':
            program.integers(name, 'i8', p.batch * keys * (p.length + 128) * p.dim, -127, 127)
        else:
            program.floats(name, p.kind, p.batch * keys * (p.length + 128) * p.dim)
    program.written('o_ptr', p.kind, p.batch * p.heads * p.length * p.dim)
    if p.keeps_log:
        program.written('l_ptr', 'fp32', p.batch * p.heads * p.length)
    if p.mask in ('lengths', 'both'):
        program.integers('lengths_ptr', 'i32', p.batch, p.length // 2, p.length)
    if p.mask == 'segments':
        program.integers('segments_ptr', 'i32', p.batch * p.length, 0, 1)
    if p.mask == 'bias':
        program.floats('bias_ptr', p.kind, p.heads * p.length * (p.length + 16))
    if p.mask == 'alibi':
        program.floats('slopes_ptr', 'fp32', p.heads, 0.1, positive=True)
    if p.pages:
        program.integers('pages_ptr', 'i32', p.batch * (p.length // 16 + 16), 0, p.batch * p.length // 16 - 1)
    if p.extra_value in ('keys_scale', 'int8'):
        program.floats('ks_ptr', 'fp32', p.batch * keys * p.length + 128, 0.01)
    program.number('scale', p.dim ** -0.5 * (0.01 if p.extra_value == 'int8' else 1.0))
    program.size('length', p.length)
    step, head = (p.heads * p.dim, p.dim) if p.heads_last else (p.dim, p.length * p.dim)
    kstep, khead = (keys * p.dim, p.dim) if p.heads_last else (p.dim, p.length * p.dim)
    for name, value in (('stride_qb', p.heads * p.length * p.dim), ('stride_qh', head), ('stride_qm', step), ('stride_kb', keys * p.length * p.dim), ('stride_kh', khead), ('stride_kn', kstep)):
        program.size(name, value)
    for name, value in (('HEADS', p.heads), ('GROUP', p.group), ('DIM', p.dim), ('BLOCK_M', p.bm), ('BLOCK_N', p.bn)):
        program.constant(name, value)
    program.grid = (-(-p.length // p.bm), p.batch * p.heads, 1)


def before(program, p):
    program.add('''
start_m = tl.program_id(0)
batch = tl.program_id(1) // HEADS
head = tl.program_id(1) % HEADS
q_at = batch.to(tl.int64) * stride_qb + head.to(tl.int64) * stride_qh
k_at = batch.to(tl.int64) * stride_kb + (head // GROUP).to(tl.int64) * stride_kh
offs_m = start_m * BLOCK_M + tl.arange(0, BLOCK_M)
offs_n = tl.arange(0, BLOCK_N)
offs_d = tl.arange(0, DIM)
q = tl.load(q_ptr + q_at + offs_m[:, None] * stride_qm + offs_d[None, :], mask=offs_m[:, None] < length, other=0.0)''')
    if p.score == 'prescaled':
        program.add('q = (q * (scale * 1.44269504)).to(q.dtype)')
    program.add({'lengths': 'length_k = tl.load(lengths_ptr + batch)', 'both': 'length_k = tl.load(lengths_ptr + batch)'}.get(p.mask, 'length_k = length'))
    if p.mask == 'segments':
        program.add('segment_m = tl.load(segments_ptr + batch * length + offs_m, mask=offs_m < length, other=-1)')
    if p.mask == 'alibi':
        program.add('slope = tl.load(slopes_ptr + head)')
    if p.key_layout == 'block_ptr':
        program.add('''
k_block = tl.make_block_ptr(k_ptr + k_at, (DIM, length), (1, stride_kn), (0, 0), (DIM, BLOCK_N), (0, 1))
v_block = tl.make_block_ptr(v_ptr + k_at, (length, DIM), (stride_kn, 1), (0, 0), (BLOCK_N, DIM), (1, 0))''')
        if p.mask == 'window':
            program.add('first = tl.maximum(start_m * BLOCK_M - 512, 0) // BLOCK_N * BLOCK_N\nk_block = tl.advance(k_block, (0, first))\nv_block = tl.advance(v_block, (first, 0))')
    program.add('acc = tl.zeros((BLOCK_M, DIM), dtype=tl.float32)')
    if p.score not in ('sigmoid', 'relu'):
        program.add(f'row_max = tl.full((BLOCK_M,), {p.negative}, dtype=tl.float32)\nrow_sum = tl.zeros((BLOCK_M,), dtype=tl.float32)')


def body(program, p):
    end = {'causal': 'start_m * BLOCK_M', 'causal_loop': 'tl.minimum((start_m + 1) * BLOCK_M, length)', 'both': 'tl.minimum((start_m + 1) * BLOCK_M, length_k)',
           'window': 'tl.minimum((start_m + 1) * BLOCK_M, length)', 'alibi': 'tl.minimum((start_m + 1) * BLOCK_M, length)'}.get(p.mask, 'length_k')
    first = '0'
    if p.mask == 'window':
        first = 'first' if p.key_layout == 'block_ptr' else 'tl.maximum(start_m * BLOCK_M - 512, 0) // BLOCK_N * BLOCK_N'
    ragged = bool(p.length % p.bn) or p.mask in ('lengths', 'both')
    one_loop(program, p, first, end, masked=p.mask != 'causal', ragged=ragged)
    if p.mask == 'causal':
        one_loop(program, p, 'start_m * BLOCK_M', 'tl.minimum((start_m + 1) * BLOCK_M, length)', masked=True, ragged=ragged)


def loads(p, ragged):
    """The loads of keys and values of the iteration that starts at `n`."""
    if p.key_layout == 'block_ptr':
        check = ', boundary_check=({},), padding_option="zero"' if ragged else ''
        return f'k = tl.load(k_block{check.format(1)})', f'v = tl.load(v_block{check.format(0)})'
    rows = 'n + offs_n'
    keep = lambda axis: f', mask=(n + offs_n){axis} < length_k, other=0' + ('' if p.extra_value == 'int8' else '.0') if ragged else ''
    lines = ''
    if p.pages:
        lines = 'page = tl.load(pages_ptr + batch * (length // 16) + (n + offs_n) // 16)\nrow = page * 16 + (n + offs_n) % 16\n'
        rows = 'row'
    base = '' if p.pages else ' + k_at'
    across, along = f'({rows})[None, :] * stride_kn + offs_d[:, None]', f'({rows})[:, None] * stride_kn + offs_d[None, :]'
    if p.key_layout == 'across':
        key = f'k = tl.load(k_ptr{base} + {across}{keep("[None, :]")})'
    else:
        key = f'k = tl.trans(tl.load(k_ptr{base} + {along}{keep("[:, None]")}))'
    return lines + key, f'v = tl.load(v_ptr{base} + {along}{keep("[:, None]")})'


def one_loop(program, p, first, end, masked, ragged):
    program.add(f'for n in range({first}, {end}, BLOCK_N):')
    key, value = loads(p, ragged)
    program.add(key, 2)
    if p.value_early:
        program.add(value, 2)
    if p.extra_value == 'int8':
        program.add('k = k.to(q.dtype)', 2)
    program.add('s = tl.dot(q, k)', 2)
    if p.extra_value in ('keys_scale', 'int8'):
        program.add('s = s * tl.load(ks_ptr + batch * length + n + offs_n)[None, :]', 2)
    units = ' * 1.44269504' if p.score == 'exp2' else ''
    if p.score != 'prescaled':
        program.add(f's = s * (scale{units})', 2)
    if p.score == 'softcap':
        program.add('s = 30.0 * (2.0 / (1.0 + tl.exp(-2.0 * s / 30.0)) - 1.0)', 2)
    if p.mask == 'bias':
        program.add('s += tl.load(bias_ptr + head * length * length + offs_m[:, None] * length + (n + offs_n)[None, :], mask=(offs_m < length)[:, None] & ((n + offs_n) < length)[None, :], other=0.0).to(tl.float32)', 2)
    if p.mask == 'alibi':
        program.add('s += slope * ((n + offs_n)[None, :] - offs_m[:, None]).to(tl.float32)', 2)
    tests = ['(n + offs_n)[None, :] < length_k'] * ragged
    if masked and p.mask in ('causal', 'causal_loop', 'window', 'both', 'alibi'):
        tests.append('offs_m[:, None] >= (n + offs_n)[None, :]')
    if p.mask == 'window':
        tests.append('offs_m[:, None] < (n + offs_n)[None, :] + 512')
    if p.mask == 'segments':
        program.add('segment_n = tl.load(segments_ptr + batch * length + n + offs_n, mask=n + offs_n < length, other=-2)', 2)
        tests.append('segment_m[:, None] == segment_n[None, :]')
    joined = ' & '.join(f'({test})' for test in tests)
    weights(program, p, joined)
    if p.extra_value == 'dropout':
        program.add('p = tl.where(tl.rand(11, offs_m[:, None] * length + (n + offs_n)[None, :]) > 0.1, p / 0.9, 0.0)', 2)
    if not p.value_early:
        program.add(value, 2)
    if p.extra_value == 'int8':
        program.add('v = v.to(q.dtype)', 2)
    program.add('acc = tl.dot(p.to(v.dtype), v, acc)' if p.kind != 'fp32' else 'acc += tl.dot(p, v)', 2)
    if p.key_layout == 'block_ptr':
        program.add('k_block = tl.advance(k_block, (0, BLOCK_N))\nv_block = tl.advance(v_block, (BLOCK_N, 0))', 2)


def weights(program, p, tests):
    """From scores `s` to weights `p`, with the running sums."""
    if p.score in ('sigmoid', 'relu'):
        program.add('p = tl.sigmoid(s)' if p.score == 'sigmoid' else 'p = tl.maximum(s, 0.0)\np = p * p', 2)
        if tests:
            program.add(f'p = tl.where({tests}, p, 0.0)', 2)
        return
    if tests:
        program.add(f's = tl.where({tests}, s, {p.negative})', 2)
    exp = 'tl.exp2' if p.score in ('exp2', 'prescaled') else 'tl.exp'
    program.add('new_max = tl.maximum(row_max, tl.max(s, 1))', 2)
    guarded = p.score == 'guarded' or 'inf' in p.negative and p.mask in ('window', 'segments', 'lengths', 'both')
    if guarded:
        program.add(f'safe = tl.where(new_max == {p.negative}, 0.0, new_max)', 2)
    shift = 'safe' if guarded else 'new_max'
    program.add(f'p = {exp}(s - {shift}[:, None])\ncorrection = {exp}(row_max - {shift})\nrow_sum = row_sum * correction + tl.sum(p, 1)\nacc = acc * correction[:, None]\nrow_max = new_max', 2)


def behind(program, p):
    if p.score not in ('sigmoid', 'relu'):
        program.add('row_sum = tl.where(row_sum == 0.0, 1.0, row_sum)\nacc = acc / row_sum[:, None]')
        if p.keeps_log:
            program.add('tl.store(l_ptr + tl.program_id(1) * length + offs_m, row_max + tl.log(row_sum), mask=offs_m < length)')
    program.add('tl.store(o_ptr + q_at + offs_m[:, None] * stride_qm + offs_d[None, :], acc.to(o_ptr.dtype.element_ty), mask=offs_m[:, None] < length)')
