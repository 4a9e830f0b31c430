"""Random kernels with one or two products per iteration of a loop over the inner dimension."""
from generated import Program

TILES = [(128, 128, 64, 8), (128, 128, 64, 4), (64, 128, 64, 4), (128, 64, 64, 4), (64, 64, 64, 4), (64, 64, 32, 4), (128, 128, 32, 4), (128, 128, 32, 8),
         (64, 256, 32, 4), (128, 256, 64, 8), (256, 64, 32, 4), (32, 64, 64, 4), (32, 128, 64, 4), (16, 128, 64, 4), (16, 64, 128, 4), (64, 32, 64, 4),
         (128, 32, 64, 4), (64, 64, 128, 4), (128, 64, 128, 8), (64, 64, 32, 2), (32, 32, 64, 2), (32, 32, 32, 2)]
SHAPES = [(4096, 4096, 4096), (2048, 2048, 2048), (4096, 2048, 1024), (1024, 4096, 4096), (8192, 1024, 1024), (512, 4096, 4096), (2048, 8192, 512), (3000, 2048, 1536)]
NARROW_SHAPES = [(16, 4096, 4096), (64, 8192, 2048), (128, 4096, 4096)]


class Product:
    """What is drawn of one kernel."""

    def __init__(self, draw):
        self.kind = draw.often('bf16', 'fp16', 'fp32', 'fp8e4nv', 'i8', share=0.45)
        self.bm, self.bn, self.bk, self.warps = draw.choice(TILES)
        few = self.bm <= 32 and draw.likely(0.6)
        self.m, self.n, self.k = draw.choice(NARROW_SHAPES if few else SHAPES)
        self.stages = draw.choice((2, 3, 3, 4))
        self.order = draw.often('grid', 'linear', 'grouped', 'persistent', 'batched', share=0.35)
        self.batch = draw.choice((4, 16)) if self.order == 'batched' else 1
        if self.order == 'batched':
            self.m, self.n, self.k = self.m // 4 or 16, self.n // 4, self.k // 4
        self.a_across = draw.likely(0.2)
        self.b_across = draw.likely(0.5)
        self.addresses = draw.often('stepped', 'computed', 'block_ptr', share=0.5)
        self.bounds = draw.often('rows', 'none', 'wrap', 'inner', 'all', share=0.3)
        if self.addresses == 'block_ptr':
            self.bounds = draw.choice(('none', 'all'))
        wide = self.kind in ('bf16', 'fp16')
        self.left = draw.often('plain', 'relu', 'rows', 'columns', 'gate', 'center', 'f32', share=0.6) if wide else 'plain'
        self.right = draw.often('plain', 'i8', 'i8_groups', 'u4', 'columns', share=0.65) if wide and self.addresses != 'block_ptr' else 'plain'
        if self.kind == 'fp8e4nv':
            self.right = draw.often('plain', 'block_scales', share=0.5)
        self.gather = draw.likely(0.12) and self.addresses != 'block_ptr' and self.order != 'batched'
        self.second = draw.likely(0.15) and self.addresses != 'block_ptr' and self.right == 'plain'
        self.beside = draw.often('none', 'squares', 'sums', share=0.85) if wide else 'none'
        self.epilogue = draw.often('plain', 'bias', 'silu', 'gelu', 'residual', 'rows', 'partial', 'dropout', share=0.4)
        self.split = draw.choice((2, 4)) if draw.likely(0.1) and self.order in ('grid', 'linear') and self.epilogue == 'plain' else 1
        self.accumulates = draw.likely(0.5)

    def traits(self):
        said = [self.kind, f'{self.bm}x{self.bn}x{self.bk}', f'{self.m}x{self.n}x{self.k}', self.order, self.addresses, self.bounds]
        said += [f'left {self.left}'] * (self.left != 'plain') + [f'right {self.right}'] * (self.right != 'plain') + ['a across'] * self.a_across
        said += ['b across'] * self.b_across + ['gather'] * self.gather + ['two'] * self.second + [self.beside] * (self.beside != 'none')
        return said + [self.epilogue] * (self.epilogue != 'plain') + [f'split {self.split}'] * (self.split > 1) + ['accumulates'] * self.accumulates


def draw(random):
    product = Product(random)
    program = Program('product', product.traits(), num_warps=product.warps, num_stages=product.stages)
    declare(program, product)
    depth = place(program, product)
    operands(program, product, depth)
    loop(program, product, depth)
    epilogue(program, product, depth)
    return program


def declare(program, p):
    """Arguments, buffers and the grid."""
    out = 'fp32' if p.kind in ('fp32', 'i8', 'fp8e4nv') or p.split > 1 else p.kind
    if p.kind == 'i8':
        program.integers('a_ptr', 'i8', p.batch * p.m * p.k, -128, 127)
        program.integers('b_ptr', 'i8', p.batch * p.n * p.k, -128, 127)
    else:
        program.floats('a_ptr', p.kind, p.batch * p.m * p.k + 512 * p.k)
        if p.right in ('i8', 'i8_groups'):
            program.integers('b_ptr', 'i8', p.batch * p.n * p.k, -128, 127)
        elif p.right == 'u4':
            program.integers('b_ptr', 'u8', p.batch * p.n * p.k, 0, 255)
        else:
            program.floats('b_ptr', p.kind, p.batch * p.n * p.k)
    program.written('c_ptr', out, p.batch * p.m * p.n)
    if p.left == 'gate':
        program.floats('z_ptr', p.kind, p.batch * p.m * p.k)
    if p.left in ('rows', 'columns', 'center'):
        program.floats('s_ptr', 'fp32', max(p.m, p.k))
    if p.right in ('i8', 'columns', 'u4'):
        program.floats('bs_ptr', 'fp32', max(p.n, p.k), 0.05)
    if p.right == 'i8_groups':
        program.floats('bs_ptr', p.kind, p.n * (p.k // 32), 0.05)
    if p.right == 'block_scales':
        program.floats('as_ptr', 'fp32', p.m * p.k // 32 + 64, 0.1, positive=True)
        program.floats('bs_ptr', 'fp32', p.n * p.k // 32 + 64, 0.1, positive=True)
    if p.gather:
        program.integers('rows_ptr', 'i32', p.m + 512, 0, p.m - 1)
    if p.second:
        program.floats('b2_ptr', p.kind, p.n * p.k) if p.kind != 'i8' else program.integers('b2_ptr', 'i8', p.n * p.k, -128, 127)
    if p.epilogue == 'bias':
        program.floats('bias_ptr', 'fp32' if p.kind == 'i8' else p.kind, p.n + 512)
    if p.epilogue == 'residual':
        program.floats('res_ptr', out, p.batch * p.m * p.n)
    if p.epilogue in ('rows', 'partial') or p.beside != 'none':
        program.floats('r_ptr', 'fp32', (p.m + 512) * 256)
    program.size('M', p.m)
    program.size('N', p.n)
    program.size('K', p.k)
    program.size('stride_am', 1 if p.a_across else p.k)
    program.size('stride_ak', p.m if p.a_across else 1)
    program.size('stride_bk', 1 if p.b_across else p.n)
    program.size('stride_bn', p.k if p.b_across else 1)
    program.size('stride_cm', p.n)
    for name, value in (('BLOCK_M', p.bm), ('BLOCK_N', p.bn), ('BLOCK_K', p.bk)):
        program.constant(name, value)
    rows, columns = -(-p.m // p.bm), -(-p.n // p.bn)
    if p.split > 1:
        program.constant('SPLIT', p.split)
    if p.order == 'persistent':
        program.constant('PROGRAMS', 132)
        program.grid = (min(132, rows * columns), 1, 1)
    elif p.order in ('grid', 'batched'):
        program.grid = (rows, columns, p.batch * p.split)
    else:
        program.grid = (rows * columns, 1, p.split)


def place(program, p):
    """Which tile a program computes; returns the depth of the code that follows."""
    if p.order in ('grid', 'batched'):
        program.add('pid_m = tl.program_id(0)\npid_n = tl.program_id(1)')
    if p.order == 'batched':
        program.add('batch = tl.program_id(2).to(tl.int64)\na_ptr += batch * M * K\nb_ptr += batch * N * K\nc_ptr += batch * M * N')
        if p.left == 'gate':
            program.add('z_ptr += batch * M * K')
        if p.epilogue == 'residual':
            program.add('res_ptr += batch * M * N')
    if p.order == 'linear':
        program.add('pid = tl.program_id(0)\nnum_n = tl.cdiv(N, BLOCK_N)\npid_m = pid // num_n\npid_n = pid % num_n')
    if p.order == 'persistent':
        program.add('num_n = tl.cdiv(N, BLOCK_N)\nfor tile in range(tl.program_id(0), tl.cdiv(M, BLOCK_M) * num_n, PROGRAMS):')
        program.add('pid_m = tile // num_n\npid_n = tile % num_n', 2)
        return 2
    if p.order == 'grouped':
        program.add('''
pid = tl.program_id(0)
num_m = tl.cdiv(M, BLOCK_M)
num_n = tl.cdiv(N, BLOCK_N)
in_group = 8 * num_n
first = pid // in_group * 8
size = min(num_m - first, 8)
pid_m = first + (pid % in_group) % size
pid_n = (pid % in_group) // size''')
    return 1


def operands(program, p, depth):
    """Offsets and pointers before the loop."""
    wrap = ' % {}' if p.bounds == 'wrap' else ''
    program.add(f'''
offs_m = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
offs_n = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
offs_k = tl.arange(0, BLOCK_K)
a_rows = {f'(offs_m{wrap.format("M")})' if wrap else 'offs_m'}
b_columns = {f'(offs_n{wrap.format("N")})' if wrap else 'offs_n'}''', depth)
    if p.gather:
        program.add('a_rows = tl.load(rows_ptr + offs_m)', depth)
    program.add('k_first = ' + ('tl.program_id(2) * BLOCK_K' if p.split > 1 else '0'), depth)
    if p.addresses == 'block_ptr':
        order_a, order_b = ('(0, 1)' if p.a_across else '(1, 0)'), ('(0, 1)' if p.b_across else '(1, 0)')
        program.add(f'''
a_block = tl.make_block_ptr(a_ptr, (M, K), (stride_am, stride_ak), (pid_m * BLOCK_M, k_first), (BLOCK_M, BLOCK_K), {order_a})
b_block = tl.make_block_ptr(b_ptr, (K, N), (stride_bk, stride_bn), (k_first, pid_n * BLOCK_N), (BLOCK_K, BLOCK_N), {order_b})''', depth)
        if p.left == 'gate':
            program.add(f'z_block = tl.make_block_ptr(z_ptr, (M, K), (stride_am, stride_ak), (pid_m * BLOCK_M, k_first), (BLOCK_M, BLOCK_K), {order_a})', depth)
    elif p.addresses == 'stepped':
        program.add('''
a_ptrs = a_ptr + a_rows[:, None] * stride_am + (k_first + offs_k)[None, :] * stride_ak
b_ptrs = b_ptr + (k_first + offs_k)[:, None] * stride_bk + b_columns[None, :] * stride_bn''', depth)
    if p.left in ('rows', 'center'):
        program.add('scale = tl.load(s_ptr + offs_m, mask=offs_m < M, other=0.0)', depth)
    if p.right in ('i8', 'u4'):
        program.add('b_scale = tl.load(bs_ptr + offs_n, mask=offs_n < N, other=0.0)', depth)
    number = 'tl.int32' if p.kind == 'i8' else 'tl.float32'
    program.add(f'acc = tl.zeros((BLOCK_M, BLOCK_N), dtype={number})', depth)
    if p.second:
        program.add(f'acc2 = tl.zeros((BLOCK_M, BLOCK_N), dtype={number})', depth)
    if p.beside != 'none':
        program.add('beside = tl.zeros((BLOCK_M,), dtype=tl.float32)', depth)


def loads(p):
    """The loads of an iteration that starts at column `k`."""
    zero = '0' if p.kind == 'i8' else '0.0'
    b_zero = '0' if p.kind == 'i8' or p.right in ('i8', 'i8_groups', 'u4') else '0.0'
    rows, columns, inner = p.bounds in ('rows', 'all'), p.bounds in ('rows', 'all'), p.bounds in ('inner', 'all', 'wrap')
    of = lambda tests, other: f', mask={" & ".join(tests)}, other={other}' if tests else ''
    a_mask = of(['(offs_m < M)[:, None]'] * rows + ['(offs_k < K - k)[None, :]'] * inner, zero)
    b_mask = of(['(offs_n < N)[None, :]'] * columns + ['(offs_k < K - k)[:, None]'] * inner, b_zero)
    if p.addresses == 'block_ptr':
        check = ', boundary_check=(0, 1)' if p.bounds == 'all' else ''
        return [f'a = tl.load(a_block{check})', f'b = tl.load(b_block{check})'] + [f'z = tl.load(z_block{check})'] * (p.left == 'gate')
    lines = []
    a_at = '(k + offs_k)[None, :] * stride_ak + a_rows[:, None] * stride_am'
    b_at = '(k + offs_k)[:, None] * stride_bk + b_columns[None, :] * stride_bn'
    if p.right == 'u4':
        # Two values along K share a byte.
        b_at = '((k + offs_k) // 2)[:, None] * stride_bk + b_columns[None, :] * stride_bn'
    stepped = p.addresses == 'stepped'
    lines.append(f'a = tl.load({"a_ptrs" if stepped else f"a_ptr + {a_at}"}{a_mask})')
    lines.append(f'b = tl.load({"b_ptrs" if stepped and p.right != "u4" else f"b_ptr + {b_at}"}{b_mask})')
    if p.second:
        lines.append(f'b2 = tl.load(b2_ptr + {b_at}{b_mask})')
    if p.left == 'gate':
        lines.append(f'z = tl.load(z_ptr + {a_at}{a_mask})')
    return lines


def loop(program, p, depth):
    step = 'BLOCK_K * SPLIT' if p.split > 1 else 'BLOCK_K'
    program.add(f'for k in range(k_first, K, {step}):', depth)
    inside = depth + 1
    program.add('\n'.join(loads(p)), inside)
    element = {'fp16': 'tl.float16', 'bf16': 'tl.bfloat16'}.get(p.kind)
    left = {'plain': '', 'relu': f'a = tl.maximum(a, 0.0).to({element})', 'rows': f'a = (a.to(tl.float32) * scale[:, None]).to({element})',
            'columns': f'a = (a.to(tl.float32) * tl.load(s_ptr + k + offs_k)[None, :]).to({element})',
            'gate': f'a = (a.to(tl.float32) * z.to(tl.float32) * tl.sigmoid(z.to(tl.float32))).to({element})',
            'center': f'a = (a.to(tl.float32) - scale[:, None]).to({element})', 'f32': f'a = tl.exp(tl.minimum(a.to(tl.float32), 0.0)).to({element})'}[p.left]
    right = {'plain': '', 'i8': f'b = b.to({element})', 'i8_groups': f'b = b.to({element}) * tl.load(bs_ptr + (k // 32) * N + offs_n, mask=offs_n < N, other=0.0)[None, :]',
             'u4': f'b = ((b >> ((k + offs_k) % 2 * 4).to(tl.uint8)[:, None]) & 15).to({element})', 'block_scales': '',
             'columns': f'b = (b.to(tl.float32) * tl.load(bs_ptr + k + offs_k)[:, None]).to({element})'}[p.right]
    program.add(left + '\n' + right, inside)
    if p.beside == 'squares':
        program.add('wide = a.to(tl.float32)\nbeside += tl.sum(wide * wide, 1)', inside)
    if p.beside == 'sums':
        program.add('beside += tl.sum(a.to(tl.float32), 1)', inside)
    kind = ', out_dtype=tl.int32' if p.kind == 'i8' else ''
    if p.right == 'block_scales':
        program.add('''
a_scale = tl.load(as_ptr + offs_m * (K // BLOCK_K) + k // BLOCK_K, mask=offs_m < M, other=0.0)
w_scale = tl.load(bs_ptr + (offs_n // 128) * (K // BLOCK_K) + k // BLOCK_K)
acc += tl.dot(a, b) * a_scale[:, None] * w_scale[None, :]''', inside)
    else:
        program.add(f'acc = tl.dot(a, b, acc{kind})' if p.accumulates else f'acc += tl.dot(a, b{kind})', inside)
    if p.second:
        program.add(f'acc2 = tl.dot(a, b2, acc2{kind})' if p.accumulates else f'acc2 += tl.dot(a, b2{kind})', inside)
    if p.addresses == 'stepped':
        program.add(f'a_ptrs += {step} * stride_ak\nb_ptrs += {step} * stride_bk', inside)
    if p.addresses == 'block_ptr':
        program.add(f'a_block = tl.advance(a_block, (0, {step}))\nb_block = tl.advance(b_block, ({step}, 0))', inside)
        if p.left == 'gate':
            program.add(f'z_block = tl.advance(z_block, (0, {step}))', inside)


def epilogue(program, p, depth):
    if p.kind == 'i8':
        program.add('acc = acc.to(tl.float32)', depth)
        if p.second:
            program.add('acc2 = acc2.to(tl.float32)', depth)
    if p.right in ('i8', 'u4'):
        program.add('acc = acc * b_scale[None, :]', depth)
    if p.second:
        program.add('acc = acc * tl.sigmoid(acc) * acc2', depth)
    if p.beside == 'squares':
        program.add('acc = acc * tl.rsqrt(beside / K + 1e-6)[:, None]', depth)
    if p.beside == 'sums':
        program.add('tl.store(r_ptr + offs_m, beside, mask=offs_m < M)', depth)
    program.add('''
c_at = offs_m[:, None] * stride_cm + offs_n[None, :]
c_mask = (offs_m < M)[:, None] & (offs_n < N)[None, :]''', depth)
    program.add({
        'plain': '', 'bias': 'acc += tl.load(bias_ptr + offs_n, mask=offs_n < N, other=0.0).to(tl.float32)[None, :]', 'silu': 'acc = acc * tl.sigmoid(acc)',
        'gelu': 'acc = 0.5 * acc * (1.0 + tl.erf(acc * 0.70710678))', 'residual': 'acc += tl.load(res_ptr + c_at, mask=c_mask, other=0.0).to(tl.float32)',
        'rows': 'acc = acc * tl.load(r_ptr + offs_m, mask=offs_m < M, other=0.0)[:, None]',
        'partial': 'tl.store(r_ptr + offs_m * 256 + pid_n, tl.max(acc, 1), mask=offs_m < M)',
        'dropout': 'acc = tl.where(tl.rand(17, c_at) > 0.1, acc * 1.1111, 0.0)'}[p.epilogue], depth)
    if p.split > 1:
        program.add('tl.atomic_add(c_ptr + c_at, acc, mask=c_mask)', depth)
    else:
        program.add('tl.store(c_ptr + c_at, acc.to(c_ptr.dtype.element_ty), mask=c_mask)', depth)
