"""Random kernels without products of matrices that models need beside them: quantisation, recurrences by steps, rotations, losses, optimizers, small products of vectors."""
from generate_elements import FLOATS, Text
from generated import Program


def quantised(draw):
    """Numbers of few bits and their scales: of rows, groups or tiles, written and read, two to eight numbers in a word."""
    columns = draw.choice((128, 256, 1024, 2048, 4096))
    rows = max(64, draw.choice((1, 4)) * (1 << 22) // columns)
    warps = draw.choice((1, 2, 4, 4, 8))
    group = min(columns, draw.choice((16, 32, 64, 128, 128)))
    of = draw.choice(('rows', 'groups', 'groups', 'tiles', 'packed', 'unpacked', 'unpacked', 'read'))
    kind = draw.choice(FLOATS)
    low = draw.choice(('i8', 'fp8e4nv'))
    c = columns if of == 'rows' else min(columns, max(group, draw.choice((128, 256, 512, 1024))))
    r = max(1, min(draw.choice((1, 1, 4, 8, 16, 32)), 32 * 32 * warps // c))
    program = Program('quantised', [of, f'{rows}x{columns}', f'{r}x{c}', f'group {group}', kind, low, f'warps {warps}'], num_warps=warps)
    most, cast = ('127.0', 'tl.int8') if low == 'i8' else ('448.0', 'tl.float8e4nv')
    names = {'x_ptr': kind} if of in ('rows', 'groups', 'tiles', 'packed') else {'q_ptr': 'i32' if draw.likely(0.5) else 'u8'} if of == 'unpacked' else {'q_ptr': low}
    for name, each in names.items():
        if each in ('i32', 'u8', 'i8'):
            program.integers(name, each, rows * columns, -128 if each == 'i8' else 0, 255 if each == 'u8' else 127 if each == 'i8' else (1 << 31) - 1)
        else:
            program.floats(name, each, rows * columns)
    scales = rows * columns // 16 + rows
    program.floats('s_ptr', 'fp32', scales) if of in ('unpacked', 'read') else program.written('s_ptr', 'fp32', scales)
    if of in ('unpacked', 'read'):
        program.written('out_ptr', kind, rows * columns * 8)
    elif of == 'packed' or low == 'i8':
        program.integers('out_ptr', 'u8' if of == 'packed' else 'i8', rows * columns, 0, 0)
    else:
        program.written('out_ptr', low, rows * columns)
    program.add('r = (tl.program_id(0) * R + tl.arange(0, R))[:, None]\nc = (tl.program_id(1) * C + tl.arange(0, C))[None, :]')
    masked = rows % r > 0 or draw.likely(0.4)
    mask, other = (', mask=r < rows', ', mask=r < rows, other=0.0') if masked else ('', '')
    {'rows': scale_of_rows, 'groups': scales_of_groups, 'tiles': scale_of_tile, 'packed': packed, 'unpacked': unpacked, 'read': read}[of](program, draw, mask, other, masked, most, cast)
    program.size('rows', rows)
    program.size('stride', columns)
    for name, value in (('R', r), ('C', c), ('G', group), ('PER', 8 if names.get('q_ptr') == 'i32' else 2)):
        program.constant(name, value)
    program.grid = (-(-rows // r), columns // c, 1)
    return program


def rounded(value, cast, draw):
    if cast == 'tl.int8':
        return draw.choice(('tl.floor({} + 0.5).to(tl.int8)', '{}.to(tl.int8)', 'tl.clamp(tl.floor({} + 0.5), -127.0, 127.0).to(tl.int8)')).format(value)
    return draw.choice(('{}.to(tl.float8e4nv)', 'tl.clamp({}, -448.0, 448.0).to(tl.float8e4nv)')).format(value)


def scale_of_rows(program, draw, mask, other, masked, most, cast):
    program.add(f'''
x = tl.load(x_ptr + r * stride + c{other}).to(tl.float32)
s = tl.maximum(tl.max(tl.abs(x), 1), 1e-6) / {most}
tl.store(s_ptr + tl.program_id(0) * R + tl.arange(0, R), s{mask.replace("r < rows", "tl.program_id(0) * R + tl.arange(0, R) < rows")})
q = x / s[:, None]
tl.store(out_ptr + r * stride + c, {rounded("q", cast, draw)}{mask})''')


def scales_of_groups(program, draw, mask, other, masked, most, cast):
    program.add(f'''
x = tl.load(x_ptr + r * stride + c{other}).to(tl.float32)
g = tl.reshape(x, [R, C // G, G])
s = tl.maximum(tl.max(tl.abs(g), 2), 1e-6) / {most}
q = tl.reshape(g / s[:, :, None], [R, C])
tl.store(out_ptr + r * stride + c, {rounded("q", cast, draw)}{mask})
tl.store(s_ptr + r * (stride // G) + tl.program_id(1) * (C // G) + tl.arange(0, C // G)[None, :], s{mask})''')


def scale_of_tile(program, draw, mask, other, masked, most, cast):
    program.add(f'''
x = tl.load(x_ptr + r * stride + c{other}).to(tl.float32)
s = tl.maximum(tl.max(tl.abs(x)), 1e-6) / {most}
q = x / s
tl.store(out_ptr + r * stride + c, {rounded("q", cast, draw)}{mask})
tl.store(s_ptr + tl.program_id(0) * tl.num_programs(1) + tl.program_id(1), s)''')


def packed(program, draw, mask, other, masked, most, cast):
    halves = draw.likely(0.5)
    program.traits.append('halves' if halves else 'pairs')
    program.add(f'x = tl.load(x_ptr + r * stride + c{other}).to(tl.float32)\ns = tl.maximum(tl.max(tl.abs(x)), 1e-6) / 7.0\nq = (tl.clamp(x / s, -8.0, 7.0) + 8.0).to(tl.uint8)')
    program.add('low, high = tl.split(tl.permute(tl.reshape(q, [R, 2, C // 2]), (0, 2, 1)))' if halves else 'low, high = tl.split(tl.reshape(q, [R, C // 2, 2]))')
    program.add(f'''
tl.store(out_ptr + r * (stride // 2) + tl.program_id(1) * (C // 2) + tl.arange(0, C // 2)[None, :], low | (high << 4){mask})
tl.store(s_ptr + tl.program_id(0) * tl.num_programs(1) + tl.program_id(1), s)''')


def unpacked(program, draw, mask, other, masked, most, cast):
    other = other.replace('0.0', '0')
    form = draw.choice(('same word', 'shifted', 'halves', 'interleaved'))
    if form in ('halves', 'interleaved'):
        program.traits.append(form)
        program.add(f'''
q = tl.load(q_ptr + r * (stride // 2) + c{other})
s = tl.load(s_ptr + r * (stride // G) + c // G{other})
low = ((q & 15).to(tl.float32) - 8.0) * s
high = (((q >> 4) & 15).to(tl.float32) - 8.0) * s''')
        if form == 'halves':
            program.add(f'tl.store(out_ptr + r * stride * 2 + c, low{mask})\ntl.store(out_ptr + r * stride * 2 + stride + c, high{mask})')
        else:
            program.add(f'tl.store(out_ptr + r * stride * 2 + tl.program_id(1) * C * 2 + tl.arange(0, 2 * C)[None, :], tl.interleave(low, high){mask})')
        return
    program.traits.append(form)
    program.add(f'''
q = tl.load(q_ptr + r * (stride // PER) + c // PER{other})
s = tl.load(s_ptr + r * (stride // G) + c // G{other})
z = tl.load(s_ptr + (c // G) % 16)
x = ({"(q >> ((c % PER) * 4)) & 15" if form == "same word" else "(q >> (4 * (c & (PER - 1)))) & 0xF"}).to(tl.float32)
tl.store(out_ptr + r * stride + c, {draw.choice(("(x - 8.0) * s", "(x - z) * s", "x * s - z"))}{mask})''')


def read(program, draw, mask, other, masked, most, cast):
    where = draw.choice(('r * (stride // G) + c // G', 'r', '(r // G) * (stride // G) + c // G'))
    program.traits.append(where)
    plain = other.replace(', other=0.0', '')
    program.add(f'q = tl.load(q_ptr + r * stride + c{plain}).to(tl.float32)\ns = tl.load(s_ptr + {where}{other})\ntl.store(out_ptr + r * stride + c, q * s{mask})')


def steps(draw):
    """Recurrences whose loop takes one step of time: states of vectors and of matrices, with inputs that each step loads."""
    length = draw.choice((128, 512, 1024))
    heads = draw.choice((64, 256, 1024))
    d, n = draw.choice(((64, 1), (128, 1), (256, 1), (16, 16), (32, 16), (64, 16), (64, 64), (128, 8)))
    warps = draw.choice((1, 1, 2, 4))
    while d * n > 64 * 32 * warps:
        warps *= 2
    kind = draw.choice(FLOATS)
    of = draw.choice(('gates', 'delta', 'selective', 'selective')) if n > 1 else 'gates'
    program = Program('steps', [of, kind, f'{heads}x{length}', f'{d}x{n}', f'warps {warps}'], num_warps=warps, num_stages=draw.choice((1, 2, 3)))
    moving = draw.likely(0.5)
    backwards = draw.likely(0.25)
    program.traits += ['pointers move' if moving else 'addresses', 'backwards' if backwards else 'forwards']
    for name in ('x_ptr', 'a_ptr'):
        program.floats(name, kind, heads * length * d, 0.5)
    for name in ('b_ptr', 'c_ptr'):
        program.floats(name, kind, heads * length * n, 0.5)
    program.floats('s_ptr', 'fp32', d * n)
    program.written('y_ptr', kind, heads * length * d)
    program.written('h_ptr', 'fp32', heads * d * n)
    program.add('head = tl.program_id(0)\ni = tl.arange(0, D)\nj = tl.arange(0, N)')
    program.add('h = tl.zeros([D], tl.float32)' if n == 1 else 'h = tl.zeros([D, N], tl.float32)')
    if of == 'selective':
        program.add('s = tl.load(s_ptr + i[:, None] * N + j[None, :])')
    last = ' + (length - 1) * D' if backwards else ''
    if moving:
        program.add(''.join(f'\n{each}_at = {each}_ptr + head * length * D + i{last}' for each in 'xay'))
        program.add(''.join(f'\n{each}_at = {each}_ptr + head * length * N + j{last.replace("D", "N")}' for each in 'bc') if n > 1 else '')
    program.add('for t in range(0, length):')
    time = '(length - 1 - t)' if backwards else 't'
    at = {each: f'{each}_at' if moving else f'{each}_ptr + (head * length + {time}) * {"D + i" if each in "xay" else "N + j"}' for each in 'xaybc'}
    program.add(f'x = tl.load({at["x"]}).to(tl.float32)\na = tl.load({at["a"]}).to(tl.float32)', 2)
    if n > 1:
        program.add(f'b = tl.load({at["b"]}).to(tl.float32)\nc = tl.load({at["c"]}).to(tl.float32)', 2)
    if n == 1:
        program.add(draw.choice(('h = h * tl.sigmoid(a) + x', 'g = tl.sigmoid(a)\nh = g * h + (1.0 - g) * x', 'h = tl.exp(-tl.abs(a)) * h + x')) + '\ny = h', 2)
    elif of == 'gates':
        program.add('h = h * tl.sigmoid(a)[:, None] + x[:, None] * b[None, :]\ny = tl.sum(h * c[None, :], 1)', 2)
    elif of == 'delta':
        program.add('v = x - tl.sum(h * b[None, :], 1)\nh = h * 0.95 + (tl.sigmoid(a) * v)[:, None] * b[None, :] * 0.1\ny = tl.sum(h * c[None, :], 1)', 2)
    else:
        program.add('dt = tl.where(a > 20.0, a, tl.log(1.0 + tl.exp(a)))\nh = h * tl.exp(dt[:, None] * -tl.abs(s)) + (dt * x)[:, None] * b[None, :]\ny = tl.sum(h * c[None, :], 1)', 2)
    program.add(f'tl.store({at["y"]}, y)', 2)
    if moving:
        sign = '-' if backwards else '+'
        program.add(''.join(f'\n{each}_at {sign}= D' for each in 'xay') + (''.join(f'\n{each}_at {sign}= N' for each in 'bc') if n > 1 else ''), 2)
    program.add('tl.store(h_ptr + head * D * N + ' + ('i' if n == 1 else 'i[:, None] * N + j[None, :]') + ', h)')
    program.size('length', length)
    program.constant('D', d)
    program.constant('N', n)
    program.grid = (heads, 1, 1)
    return program


def rotations(draw):
    """Rotary positions: halves or pairs, of a tile of heads or in a loop over them, in place or not."""
    dim = draw.choice((64, 128, 128, 256))
    heads, tokens = draw.choice(((32, 4096), (8, 8192), (12, 3000), (40, 1024)))
    warps = draw.choice((1, 2, 4, 4, 8))
    of = draw.choice(('halves', 'halves', 'pairs', 'split', 'turned'))
    looped = draw.likely(0.4)
    kind = draw.choice(FLOATS)
    h = 1 << (heads - 1).bit_length() if draw.likely(0.5) else draw.choice((1, 2, 4, 8))
    while h * dim > 64 * 32 * warps:
        h //= 2
    program = Program('rotations', [of, f'{tokens}x{heads}x{dim}', f'heads {h}', 'loop' if looped else 'tile', kind, f'warps {warps}'], num_warps=warps)
    total = tokens * heads * dim
    in_place = draw.likely(0.4)
    program.traits.append('in place' if in_place else 'copied')
    program.floats('x_ptr', kind, total)
    out = 'x_ptr' if in_place else program.written('out_ptr', kind, total)
    table = draw.choice(('fp32', kind))
    program.floats('cos_ptr', table, tokens * dim)
    program.floats('sin_ptr', table, tokens * dim)
    program.add('t = tl.program_id(0)\nj = tl.arange(0, DIM // 2)')
    pairs = of == 'split'
    program.add('cos = tl.load(cos_ptr + t * (DIM // 2) + j).to(tl.float32)[None, :]\nsin = tl.load(sin_ptr + t * (DIM // 2) + j).to(tl.float32)[None, :]')
    depth = 1 + looped
    program.add('for begin in range(0, heads, H):' if looped else '', 1)
    program.add(('head = begin + tl.arange(0, H)' if looped else 'head = tl.program_id(1) * H + tl.arange(0, H)') + '\nok = (head < heads)[:, None]\nat = t * heads * DIM + head[:, None] * DIM', depth)
    if of in ('halves', 'pairs'):
        first, second = ('j[None, :]', 'j[None, :] + DIM // 2') if of == 'halves' else ('2 * j[None, :]', '2 * j[None, :] + 1')
        program.add(f'''
a = tl.load(x_ptr + at + {first}, mask=ok, other=0.0).to(tl.float32)
b = tl.load(x_ptr + at + {second}, mask=ok, other=0.0).to(tl.float32)
tl.store({out} + at + {first}, a * cos - b * sin, mask=ok)
tl.store({out} + at + {second}, b * cos + a * sin, mask=ok)''', depth)
    elif of == 'split':
        program.add(f'''
x = tl.load(x_ptr + at + tl.arange(0, DIM)[None, :], mask=ok, other=0.0).to(tl.float32)
a, b = tl.split(tl.reshape(x, [H, DIM // 2, 2]))
y = tl.interleave(a * cos - b * sin, b * cos + a * sin)
tl.store({out} + at + tl.arange(0, DIM)[None, :], y, mask=ok)''', depth)
    else:
        program.add(f'''
i = tl.arange(0, DIM)
x = tl.load(x_ptr + at + i[None, :], mask=ok, other=0.0).to(tl.float32)
y = tl.load(x_ptr + at + ((i + DIM // 2) % DIM)[None, :], mask=ok, other=0.0).to(tl.float32)
y = tl.where((i < DIM // 2)[None, :], -y, y)
c2 = tl.load(cos_ptr + t * (DIM // 2) + i % (DIM // 2)).to(tl.float32)[None, :]
s2 = tl.load(sin_ptr + t * (DIM // 2) + i % (DIM // 2)).to(tl.float32)[None, :]
tl.store({out} + at + i[None, :], x * c2 + y * s2, mask=ok)''', depth)
        program.arguments = [each for each in program.arguments if each['name'] != 'out_ptr'] if in_place else program.arguments
        if in_place:  # Elements are read by threads other than the one that writes them.
            program.written('out_ptr', kind, total)
            program.body = [line.replace('tl.store(x_ptr', 'tl.store(out_ptr') for line in program.body]
    program.size('heads', heads) if draw.likely(0.5) else program.constant('heads', heads)
    program.constant('DIM', dim)
    program.constant('H', h)
    program.grid = (tokens, 1 if looped else -(-heads // h), 1)
    return program


def losses(draw):
    """Losses of rows with labels: in one block or online in loops, with gradients, ignored rows, smoothing and caps."""
    words = draw.choice((1000, 4096, 32000, 50257))
    rows = max(256, draw.choice((1, 2)) * (1 << 24) // words)
    kind = draw.choice(FLOATS)
    whole = words <= 4096
    block = 1 << (words - 1).bit_length() if whole else draw.choice((1024, 2048, 4096, 8192))
    warps = draw.choice((2, 4, 4, 8, 16))
    while block > 64 * 32 * warps:
        warps *= 2
    of = draw.choice(('loss', 'loss', 'gradient', 'both', 'divergence'))
    cap, smooth, ignored = draw.likely(0.3), draw.likely(0.3), draw.likely(0.5)
    program = Program('losses', [of, kind, f'{rows}x{words}', f'block {block}', f'warps {warps}'] + ['cap'] * cap + ['smoothing'] * smooth + ['ignored'] * ignored, num_warps=warps, num_stages=draw.choice((1, 2, 3)))
    program.floats('x_ptr', kind, rows * words)
    program.floats('p_ptr', kind, rows * words, positive=True)
    program.integers('label_ptr', 'i64', rows, -3 if ignored else 0, words - 1)
    program.written('loss_ptr', 'fp32', rows)
    program.written('grad_ptr', kind, rows * words)
    program.add('row = tl.program_id(0).to(tl.int64)\nlabel = tl.load(label_ptr + row)\nx_at = x_ptr + row * stride')
    if ignored:
        program.add('if label < 0:\n    tl.store(loss_ptr + row, 0.0)\n    return')
    capped = '30.0 * (2.0 * tl.sigmoid(2.0 * {} / 30.0) - 1.0)' if cap else '{}'
    load = lambda name, other: f'tl.load({name} + c, mask=c < words, other={other}).to(tl.float32)'
    depth = 1 if whole else 2
    loop = '' if whole else 'for begin in range(0, words, BLOCK):'
    columns = 'c = tl.arange(0, BLOCK)' if whole else 'c = begin + tl.arange(0, BLOCK)'
    least = '-6e4' if kind == 'fp16' else '-float("inf")'
    program.add('most = -1e30\ntotal = 0.0\nsums = 0.0')
    program.add(loop)
    program.add(columns + f'\nx = {capped.format(load("x_at", least if not cap else "-6e4"))}', depth)
    program.add('new = tl.maximum(most, tl.max(x, 0))\ntotal = total * tl.exp(most - new) + tl.sum(tl.exp(x - new), 0)\nmost = new', depth)
    if smooth:
        program.add('sums += tl.sum(tl.where(c < words, x, 0.0), 0)', depth)
    program.add('lse = most + tl.log(total)')
    if of in ('loss', 'both'):
        program.add(f'chosen = {capped.format("tl.load(x_at + label).to(tl.float32)")}\nloss = lse - chosen' + ('\nloss = 0.9 * loss + 0.1 * (lse - sums / words)' if smooth else '') + '\ntl.store(loss_ptr + row, loss)')
    if of == 'divergence':
        program.add('loss = tl.zeros([BLOCK], tl.float32)')
        program.add(loop)
        program.add(columns + f'\nx = {capped.format(load("x_at", "0.0"))}\np = {load("p_ptr + row * stride", "0.0")}\nloss += tl.where(p > 0.0, p * (tl.log(p) - (x - lse)), 0.0)', depth)
        program.add('tl.store(loss_ptr + row, tl.sum(loss, 0))')
    if of in ('gradient', 'both'):
        program.add(loop)
        program.add(columns + f'\nx = {capped.format(load("x_at", least if not cap else "-6e4"))}\ng = tl.exp(x - lse)\ng = tl.where(c == label, g - 1.0, g)' + ('\ng = g * (1.0 - (x / 30.0) * (x / 30.0))' if cap else '') + '\ntl.store(grad_ptr + row * stride + c, g * scale, mask=c < words)', depth)
    program.number('scale', 0.25)
    program.size('stride', words)
    program.size('words', words) if draw.likely(0.7) else program.constant('words', words)
    program.constant('BLOCK', block)
    program.grid = (rows, 1, 1)
    return program


def updates(draw):
    """Optimizers: parameters with their moments, in blocks, with moments of 8 bits, norms that are added up, random rounding."""
    total = draw.choice((1 << 20, 1 << 23, 3000000, 1 << 24))
    warps = draw.choice((2, 4, 4, 8))
    block = 32 * warps * draw.choice((2, 4, 8, 16, 32))
    of = draw.choice(('adam', 'adam', 'lion', 'momentum', 'eight bits', 'norm', 'dropout', 'dropout'))
    kind, state = draw.choice(FLOATS), draw.choice(('fp32', 'bf16'))
    program = Program('updates', [of, kind, state, f'{total}', f'block {block}', f'warps {warps}'], num_warps=warps)
    program.floats('p_ptr', kind, total)
    program.floats('g_ptr', kind, total)
    program.floats('m_ptr', state, total)
    program.floats('v_ptr', state, total, positive=True)
    program.integers('q_ptr', 'u8', total, 0, 255)
    program.floats('code_ptr', 'fp32', 256)
    program.written('s_ptr', 'fp32', total // block + 2)
    wide = draw.likely(0.3)
    program.add(('start = tl.program_id(0).to(tl.int64) * BLOCK' if wide else 'start = tl.program_id(0) * BLOCK') + '\ni = start + tl.arange(0, BLOCK)\nok = i < total')
    get = lambda name: f'{name[0]} = tl.load({name} + i, mask=ok, other=0.0).to(tl.float32)'
    program.add('\n'.join(get(name) for name in ('p_ptr', 'g_ptr')))
    if of == 'adam':
        program.add(get('m_ptr') + '\n' + get('v_ptr') + '''
p = p * (1.0 - rate * 0.01)
m = 0.9 * m + 0.1 * g
v = 0.999 * v + 0.001 * g * g
p = p - rate * (m / 0.1) / (tl.sqrt(v / 0.01) + 1e-8)
tl.store(m_ptr + i, m, mask=ok)
tl.store(v_ptr + i, v, mask=ok)
tl.store(p_ptr + i, p, mask=ok)''')
    elif of == 'lion':
        program.add(get('m_ptr') + '''
u = 0.9 * m + 0.1 * g
p = p * (1.0 - rate * 0.1) - rate * tl.where(u > 0.0, 1.0, tl.where(u < 0.0, -1.0, 0.0))
tl.store(m_ptr + i, 0.99 * m + 0.01 * g, mask=ok)
tl.store(p_ptr + i, p, mask=ok)''')
    elif of == 'momentum':
        program.add(get('m_ptr') + '\nm = 0.9 * m + g\ntl.store(m_ptr + i, m, mask=ok)\ntl.store(p_ptr + i, p - rate * (g + 0.9 * m), mask=ok)')
    elif of == 'eight bits':
        program.add('''
q = tl.load(q_ptr + i, mask=ok, other=0)
m = tl.load(code_ptr + q) * tl.load(s_ptr + tl.program_id(0))
m = 0.9 * m + 0.1 * g
s = tl.max(tl.abs(m), 0)
tl.store(q_ptr + i, (m / tl.maximum(s, 1e-8) * 127.0 + 128.0).to(tl.uint8), mask=ok)
tl.store(p_ptr + i, p - rate * m, mask=ok)''')
    elif of == 'norm':
        program.add('tl.store(s_ptr + tl.program_id(0), tl.sum(g * g, 0))' if draw.likely(0.5) else 'tl.atomic_add(s_ptr, tl.sum(g * g, 0))')
    else:
        form = draw.choice(('tl.rand(seed, i)', 'tl.rand(seed, i.to(tl.int32))', 'tl.randint(seed, i).to(tl.uint32).to(tl.float32) / 4294967296.0'))
        program.add(f'keep = {form} > 0.1\nx = tl.where(keep, p / 0.9, 0.0) + g\ntl.store(m_ptr + i, x, mask=ok)')
        if draw.likely(0.4):
            program.add('tl.store(q_ptr + i, keep.to(tl.uint8), mask=ok)')
    program.number('rate', 0.001)
    program.size('seed', 42)
    program.size('total', total)
    program.constant('BLOCK', block)
    program.grid = (-(-total // block), 1, 1)
    return program


def vectors(draw):
    """Matrices times one or few vectors, by multiplication and sums: decoding, scores, gates of experts."""
    inputs, outputs = draw.choice(((4096, 4096), (2048, 8192), (4096, 256), (8192, 1024), (1000, 3000)))
    count = draw.choice((1, 1, 2, 4))
    warps = draw.choice((1, 2, 4, 4, 8))
    n, k = draw.choice(((1, 1024), (2, 512), (4, 512), (16, 128), (32, 64), (64, 64), (8, 256)))
    of = draw.choice(('rows', 'rows', 'columns', 'bytes', 'attention'))
    while n * k > 32 * 32 * warps:
        k //= 2
    kind = draw.choice(FLOATS)
    weight = 'i8' if of == 'bytes' else kind
    inside = draw.likely(0.5)
    program = Program('vectors', [of, kind, f'{inputs} to {outputs}', f'{n}x{k}', 'reduced inside' if inside else 'blocks', f'count {count}', f'warps {warps}'], num_warps=warps, num_stages=draw.choice((1, 2, 3, 4)))
    program.floats('x_ptr', kind, inputs * count)
    program.integers('w_ptr', 'i8', inputs * outputs, -128, 127) if of == 'bytes' else program.floats('w_ptr', kind, inputs * outputs)
    program.floats('b_ptr', 'fp32', outputs)
    program.written('y_ptr', kind, outputs * count)
    program.add('n = tl.program_id(0) * N + tl.arange(0, N)\nrow = tl.program_id(1)')
    program.add(f'a = tl.zeros([N{"" if inside else ", K"}], tl.float32)')
    program.add('for begin in range(0, inputs, K):\n    k = begin + tl.arange(0, K)')
    exact = inputs % k == 0 and outputs % n == 0
    mask = '' if exact else ', mask=(n < outputs)[:, None] & (k < inputs)[None, :], other=0'
    program.add('x = tl.load(x_ptr + row * inputs + k' + ('' if exact else ', mask=k < inputs, other=0.0') + ').to(tl.float32)', 2)
    where = 'k[None, :] * outputs + n[:, None]' if of == 'columns' else 'n[:, None] * inputs + k[None, :]'
    program.add(f'w = tl.load(w_ptr + {where}{mask}).to(tl.float32)', 2)
    if of == 'attention':
        program.add('w = tl.exp(-tl.abs(w))', 2)
    program.add('a += tl.sum(w * x[None, :], 1)' if inside else 'a += w * x[None, :]', 2)
    program.add(f'y = {"a" if inside else "tl.sum(a, 1)"} + tl.load(b_ptr + n' + ('' if exact else ', mask=n < outputs, other=0.0') + ')')
    program.add('tl.store(y_ptr + row * outputs + n, y' + ('' if exact else ', mask=n < outputs') + ')')
    program.size('inputs', inputs)
    program.size('outputs', outputs)
    program.constant('N', n)
    program.constant('K', k)
    program.grid = (-(-outputs // n), count, 1)
    return program
