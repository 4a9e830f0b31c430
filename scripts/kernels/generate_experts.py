"""Random products of mixtures of experts: rows of tokens that a table names, weights that the block's expert chooses, weights and tokens in 8 or 4 bits."""
from generated import Program

TILES = [(16, 64, 128, 4), (16, 128, 64, 4), (32, 64, 64, 4), (32, 128, 64, 4), (64, 64, 64, 4), (64, 64, 128, 4), (64, 128, 64, 4), (64, 128, 64, 8),
         (128, 64, 64, 4), (128, 64, 64, 8), (128, 128, 64, 8), (128, 128, 64, 4), (64, 128, 128, 4), (128, 128, 128, 8), (64, 256, 64, 8), (64, 32, 128, 4)]
# Experts, rows that each has room for, columns and inner size of the weights.
SHAPES = [(8, 512, 2048, 2048), (8, 256, 4096, 1024), (16, 128, 1024, 2048), (32, 64, 2048, 1024), (32, 128, 1024, 2048), (8, 1024, 1024, 2048), (64, 32, 1024, 1024)]
# Elements of K, and columns of a weight, that share a scale.
GROUP = 128


class Experts:
    """What is drawn of one kernel."""

    def __init__(self, draw):
        self.kind = draw.often('bf16', 'fp16', 'fp8', 'fp8 widened', 'w8', 'i8', 'w4', share=0.25)
        self.bm, self.bn, self.bk, self.warps = draw.choice(TILES)
        self.experts, self.room, self.n, self.k = draw.choice(SHAPES)
        self.stages = draw.choice((2, 3, 3, 4))
        self.order = draw.choice(('experts', 'blocks', 'grouped'))
        self.gathers = draw.likely(0.65)
        self.gates = draw.often('one', 'two', 'halves', share=0.6)
        self.scales = draw.often('groups', 'rows', share=0.7) if self.kind in ('fp8', 'fp8 widened', 'w8', 'i8') else 'groups'
        self.scales_across = draw.likely(0.4)
        self.addresses = draw.choice(('stepped', 'computed'))
        self.inner = draw.likely(0.3)
        self.columns = draw.likely(0.6)
        self.epilogue = draw.often('plain', 'routed', 'bias', 'scatter', share=0.4)
        self.accumulates = draw.likely(0.4)
        self.zeros = self.kind == 'w4' and draw.likely(0.5)

    def traits(self):
        said = [self.kind, f'{self.bm}x{self.bn}x{self.bk}', f'{self.experts}x{self.room}x{self.n}x{self.k}', self.order, self.addresses, self.gates, f'scales of {self.scales}']
        said += ['gathers'] * self.gathers + ['scales across'] * self.scales_across + ['inner'] * self.inner + ['columns'] * self.columns + ['zeros'] * self.zeros
        return said + [self.epilogue] * (self.epilogue != 'plain') + ['accumulates'] * self.accumulates

    def scaled_tokens(self):
        return self.kind in ('fp8', 'fp8 widened', 'i8')


def draw(random):
    p = Experts(random)
    program = Program('experts', p.traits(), num_warps=p.warps, num_stages=p.stages)
    declare(program, p)
    place(program, p)
    operands(program, p)
    loop(program, p)
    epilogue(program, p)
    return program


def declare(program, p):
    slots, weights = p.experts * p.room, 1 if p.gates == 'one' else 2
    token = {'fp16': 'fp16', 'fp8': 'fp8e4nv', 'fp8 widened': 'fp8e4nv', 'i8': 'i8'}.get(p.kind, 'bf16')
    if token == 'i8':
        program.integers('x_ptr', 'i8', (slots + 256) * p.k, -128, 127)
    else:
        program.floats('x_ptr', token, (slots + 256) * p.k)
    elements = (p.experts * p.n * weights + 256) * p.k
    if p.kind == 'w4':
        program.integers('w_ptr', 'u8', elements // 2, 0, 255)
    elif p.kind == 'i8':
        program.integers('w_ptr', 'i8', elements, -128, 127)
    else:
        program.floats('w_ptr', 'fp8e4nv' if p.kind in ('fp8', 'fp8 widened', 'w8') else token, elements)
    out = 'fp16' if p.kind == 'fp16' else 'bf16'
    program.written('y_ptr', 'fp32' if p.epilogue == 'scatter' else out, (slots + 256) * p.n)
    groups = -(-p.k // GROUP)
    if p.scaled_tokens():
        program.floats('xs_ptr', 'fp32', (slots + 256) * groups, 0.1, positive=True)
    if p.kind not in ('bf16', 'fp16'):
        program.floats('ws_ptr', 'fp32' if p.kind != 'w4' else 'bf16', (p.experts * weights + 1) * (p.n + 256) * groups, 0.1, positive=True)
    if p.zeros:
        program.integers('zeros_ptr', 'u8', (p.experts * weights + 1) * (p.n + 256) * groups, 0, 15)
    if p.gathers or p.epilogue == 'scatter':
        program.integers('tokens_ptr', 'i32', slots + 256, 0, slots - 1)
    if p.order == 'experts':
        program.integers('counts_ptr', 'i32', p.experts, p.room // 2, p.room)
    else:
        program.integers('experts_ptr', 'i32', -(-slots // p.bm) + 1, 0, p.experts - 1)
        program.integers('filled_ptr', 'i32', 1, slots - p.bm, slots)
    if p.epilogue in ('routed', 'scatter'):
        program.floats('routed_ptr', 'fp32', slots + 256)
    if p.epilogue == 'bias':
        program.floats('bias_ptr', out, p.experts * p.n + 256)
    columns, rows = -(-p.n // p.bn), -(-p.room // p.bm) if p.order == 'experts' else -(-slots // p.bm)
    for name, value in (('N', p.n), ('K', p.k), ('slots', slots), ('stride_xm', p.k), ('stride_xk', 1), ('stride_we', weights * p.n * p.k), ('stride_wn', p.k), ('stride_wk', 1), ('stride_ym', p.n)):
        program.size(name, value)
    if p.scaled_tokens():
        program.size('stride_xsm', 1 if p.scales_across else groups)
        program.size('stride_xsk', slots if p.scales_across else 1)
    for name, value in (('ROOM', p.room), ('BLOCK_M', p.bm), ('BLOCK_N', p.bn), ('BLOCK_K', p.bk), ('GROUP', GROUP)):
        program.constant(name, value)
    program.grid = (columns, rows, p.experts) if p.order == 'experts' else (rows * columns, 1, 1)


def place(program, p):
    """Which tile of which expert a program computes."""
    if p.order == 'experts':
        return program.add('''
pid_n = tl.program_id(0)
pid_m = tl.program_id(1)
expert = tl.program_id(2)
count = tl.load(counts_ptr + expert)
if pid_m * BLOCK_M >= count:
    return
offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
slot = expert * ROOM + offs_m
row_mask = offs_m < count''')
    program.add({'blocks': '''
pid = tl.program_id(0)
num_n = tl.cdiv(N, BLOCK_N)
pid_m = pid // num_n
pid_n = pid % num_n''', 'grouped': '''
pid = tl.program_id(0)
num_m = tl.cdiv(slots, BLOCK_M)
num_n = tl.cdiv(N, BLOCK_N)
in_group = 16 * num_n
first = pid // in_group * 16
size = min(num_m - first, 16)
pid_m = first + (pid % in_group) % size
pid_n = (pid % in_group) // size'''}[p.order])
    program.add('''
filled = tl.load(filled_ptr)
if pid_m * BLOCK_M >= filled:
    return
slot = pid_m * BLOCK_M + tl.arange(0, BLOCK_M).to(tl.int64)
row_mask = slot < filled
expert = tl.load(experts_ptr + pid_m).to(tl.int64)''')


def operands(program, p):
    program.add('token = tl.load(tokens_ptr + slot, mask=row_mask, other=0)' if p.gathers else 'token = slot')
    program.add(f'''
offs_n = {'pid_n * BLOCK_N + tl.arange(0, BLOCK_N)' if p.columns else '(pid_n * BLOCK_N + tl.arange(0, BLOCK_N)) % N'}
offs_k = tl.arange(0, BLOCK_K)
w_base = w_ptr + expert * stride_we{' // 2' if p.kind == 'w4' else ''}''')
    at = 'offs_k[:, None] // 2' if p.kind == 'w4' else 'offs_k[:, None]'
    stride = '(stride_wn // 2)' if p.kind == 'w4' else 'stride_wn'
    if p.addresses == 'stepped':
        program.add(f'''
x_ptrs = x_ptr + token[:, None] * stride_xm + offs_k[None, :] * stride_xk
w_ptrs = w_base + offs_n[None, :] * {stride} + {at} * stride_wk''')
        if p.gates != 'one':
            program.add(f'u_ptrs = w_ptrs + N * {stride}')
    if p.scaled_tokens():
        program.add('xs_ptrs = xs_ptr + token * stride_xsm')
    groups = 'tl.cdiv(K, GROUP)'
    if p.kind in ('fp8', 'fp8 widened', 'w8', 'i8'):
        halves = '(N // GROUP)' if p.scales == 'groups' else 'N'
        weights = f'expert * {halves}' if p.gates == 'one' else f'expert * 2 * {halves}'
        place = f'({weights} + offs_n // GROUP) * {groups}' if p.scales == 'groups' else f'{weights} + offs_n'
        program.add(f'ws_ptrs = ws_ptr + {place}')
        if p.gates != 'one':
            program.add(f'us_ptrs = ws_ptrs + {halves}{f" * {groups}" if p.scales == "groups" else ""}')
        if p.scales == 'rows':
            program.add('w_scale = tl.load(ws_ptrs)')
            if p.gates != 'one':
                program.add('u_scale = tl.load(us_ptrs)')
            if p.scaled_tokens():
                program.add('x_scale = tl.load(xs_ptrs, mask=row_mask, other=0.0)')
    if p.kind == 'w4':
        weights = 'expert * N' if p.gates == 'one' else 'expert * 2 * N'
        program.add(f'ws_at = ({weights} + offs_n)[None, :] * {groups}')
    number = 'tl.int32' if p.kind == 'i8' and p.scales == 'rows' else 'tl.float32'
    program.add(f'acc = tl.zeros((BLOCK_M, BLOCK_N), dtype={number})')
    if p.gates != 'one':
        program.add(f'acc_up = tl.zeros((BLOCK_M, BLOCK_N), dtype={number})')


def masks(p):
    """Mask and other of rows, and of weights."""
    zero = '0' if p.kind == 'i8' else '0.0'
    of = lambda tests, other: f', mask={" & ".join(tests)}, other={other}' if tests else ''
    inner_x, inner_w = ['(offs_k < K - k)[None, :]'] * p.inner, ['(offs_k < K - k)[:, None]'] * p.inner
    return of(['row_mask[:, None]'] + inner_x, zero), of(['(offs_n < N)[None, :]'] * p.columns + inner_w, '0' if p.kind in ('i8', 'w4') else '0.0')


def loop(program, p):
    """An iteration: the tokens' block, then each weight's, each scaled as its kind is."""
    add = lambda text: program.add(text, 2)
    program.add('for k in range(0, K, BLOCK_K):')
    x_mask, w_mask = masks(p)
    stepped = p.addresses == 'stepped'
    inner = '((k + offs_k) // 2)' if p.kind == 'w4' else '(k + offs_k)'
    stride = '(stride_wn // 2)' if p.kind == 'w4' else 'stride_wn'
    add(f'x = tl.load({"x_ptrs" if stepped else "x_ptr + token[:, None] * stride_xm + (k + offs_k)[None, :] * stride_xk"}{x_mask})')
    groups = p.kind in ('fp8', 'fp8 widened', 'w8', 'i8') and p.scales == 'groups'
    if groups and p.scaled_tokens():
        add('x_scale = tl.load(xs_ptrs + k // GROUP * stride_xsk, mask=row_mask, other=0.0)')
    if p.kind == 'fp8 widened':
        add('x = (x.to(tl.float32) * x_scale[:, None]).to(tl.bfloat16)' if groups else 'x = x.to(tl.bfloat16)')
    for weight, scales, sum_of, first in (('w', 'ws', 'acc', True), ('u', 'us', 'acc_up', False))[:1 if p.gates == 'one' else 2]:
        shift = '' if first else f' + N * {stride}'
        add(f'{weight} = tl.load({f"{weight}_ptrs" if stepped else f"w_base + offs_n[None, :] * {stride} + {inner}[:, None] * stride_wk{shift}"}{w_mask})')
        if groups:
            add(f'{weight}_scale = tl.load({scales}_ptrs + k // GROUP)')
        if p.kind == 'w4':
            add(f'{weight} = ({weight} >> ((k + offs_k) % 2 * 4).to(tl.uint8)[:, None]) & 15')
            at = f'ws_at + {"k // GROUP" if p.bk <= GROUP and not p.inner else "((k + offs_k) // GROUP)[:, None]"}{"" if first else " + N * tl.cdiv(K, GROUP)"}'
            add(f'{weight}_scale = tl.load(ws_ptr + {at})')
            zero = f'tl.load(zeros_ptr + {at}).to(tl.float32)' if p.zeros else '8.0'
            add(f'{weight} = (({weight}.to(tl.float32) - {zero}) * {weight}_scale.to(tl.float32)).to(tl.bfloat16)')
        elif p.kind in ('fp8 widened', 'w8'):
            add(f'{weight} = ({weight}.to(tl.float32) * {weight}_scale[None, :]).to(tl.bfloat16)' if groups else f'{weight} = {weight}.to(tl.bfloat16)')
        integers = ', out_dtype=tl.int32' if p.kind == 'i8' else ''
        if groups and p.kind in ('fp8', 'i8'):
            add(f'{sum_of} += tl.dot(x, {weight}{integers}){".to(tl.float32)" if integers else ""} * x_scale[:, None] * {weight}_scale[None, :]')
        else:
            add(f'{sum_of} = tl.dot(x, {weight}, {sum_of}{integers})' if p.accumulates else f'{sum_of} += tl.dot(x, {weight}{integers})')
    if stepped:
        add('x_ptrs += BLOCK_K * stride_xk')
        step = 'BLOCK_K // 2' if p.kind == 'w4' else 'BLOCK_K'
        add(f'w_ptrs += {step} * stride_wk' + ('' if p.gates == 'one' else f'\nu_ptrs += {step} * stride_wk'))


def epilogue(program, p):
    both = ['acc'] if p.gates == 'one' else ['acc', 'acc_up']
    if p.kind == 'i8' and p.scales == 'rows':
        program.add('\n'.join(f'{each} = {each}.to(tl.float32)' for each in both))
    if p.kind in ('fp8', 'fp8 widened', 'w8', 'i8') and p.scales == 'rows':
        scale = '[None, :]' + (' * x_scale[:, None]' if p.scaled_tokens() else '')
        program.add('acc = acc * w_scale' + scale + ('' if p.gates == 'one' else f'\nacc_up = acc_up * u_scale{scale}'))
    if p.gates == 'two':
        program.add('acc = acc * tl.sigmoid(acc) * acc_up')
    if p.gates == 'halves':
        program.add('acc = acc_up * (acc / (1.0 + tl.exp(-acc)))')
    if p.epilogue == 'bias':
        program.add('acc += tl.load(bias_ptr + expert * N + offs_n).to(tl.float32)[None, :]')
    if p.epilogue in ('routed', 'scatter'):
        program.add('acc = acc * tl.load(routed_ptr + slot, mask=row_mask, other=0.0)[:, None]')
    program.add('columns = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)\nmask = row_mask[:, None] & (columns < N)[None, :]')
    if p.epilogue == 'scatter':
        program.add('row = tl.load(tokens_ptr + slot, mask=row_mask, other=0)\ntl.atomic_add(y_ptr + row[:, None] * stride_ym + columns[None, :], acc, mask=mask)')
    else:
        program.add('tl.store(y_ptr + slot[:, None] * stride_ym + columns[None, :], acc.to(y_ptr.dtype.element_ty), mask=mask)')
