"""Random kernels whose places are loaded: rows of tables, neighbors of segments, the largest of rows; and tiles that are turned or shifted."""
from generate_elements import FLOATS, Text
from generated import Program

CALCULATIONS = ('{}', '{} * 0.5', 'tl.exp(-tl.abs({}))', 'tl.maximum({}, 0.0)', '{} * tl.sigmoid({})')


def calculated(draw, value):
    form = draw.choice(CALCULATIONS)
    return form.format(*[value] * form.count('{}'))


def tables(draw):
    """Rows of a table that indices name: embeddings, bags of them, tokens of experts, and rows that are added to a table."""
    columns = draw.choice((64, 96, 128, 256, 512, 768, 1024, 2048))
    rows, table = draw.choice((2048, 4096, 16384)), draw.choice((1000, 8192, 50000))
    warps = draw.choice((1, 2, 4, 4, 8))
    c = min(1 << (columns - 1).bit_length(), draw.choice((64, 128, 256, 512, 1024)))
    r = max(1, min(draw.choice((1, 1, 4, 16, 32)), 32 * 32 * warps // c))
    of = draw.choice(('embedding', 'bag', 'bag', 'added', 'columns', 'combined'))
    kind, out = draw.choice(FLOATS), draw.choice(FLOATS)
    program = Program('tables', [of, f'{rows}x{columns} of {table}', f'{r}x{c}', kind, out, f'warps {warps}'], num_warps=warps, num_stages=draw.choice((1, 2, 3)))
    index = draw.choice(('i32', 'i64'))
    bag = draw.choice((2, 4, 8, 16))
    known = draw.likely(0.5)
    program.floats('table_ptr', kind, table * columns)
    program.integers('index_ptr', index, max(rows * bag, columns), 0, (columns if of == 'columns' else table) - 1)
    program.floats('weight_ptr', 'fp32', rows * bag)
    program.written('out_ptr', 'fp32' if of == 'added' else out, max(table, rows) * columns)
    mask = ' & '.join(['(r < rows)[:, None]'] * (rows % r > 0 or draw.likely(0.5)) + ['(c < columns)[None, :]'] * (columns % c > 0))
    rest = f', mask={mask}' if mask else ''
    other = rest + ', other=0.0' * bool(mask)
    by = ', mask=r < rows' + ', other=0' if '(r <' in mask else ''
    program.add('r = tl.program_id(0) * R + tl.arange(0, R)\nc = tl.program_id(1) * C + tl.arange(0, C)')
    wide = '.to(tl.int64)' if index == 'i32' and draw.likely(0.4) else ''
    if of in ('embedding', 'added'):
        program.add(f'place = tl.load(index_ptr + r{by}){wide}')
    if of == 'embedding':
        program.add(f'x = tl.load(table_ptr + place[:, None] * stride + c[None, :]{other}).to(tl.float32)')
        program.add(f'tl.store(out_ptr + r[:, None] * stride + c[None, :], {calculated(draw, "x")}{rest})')
    elif of == 'added':
        program.add(f'x = tl.load(table_ptr + (r % table)[:, None] * stride + c[None, :]{other}).to(tl.float32)')
        program.add(f'tl.atomic_add(out_ptr + place[:, None] * stride + c[None, :], {calculated(draw, "x")}{rest})')
    elif of == 'columns':
        program.add('place = tl.load(index_ptr + c' + (', mask=c < columns, other=0' if 'columns' in mask else '') + ')')
        program.add(f'x = tl.load(table_ptr + (r % table)[:, None] * stride + place[None, :]{other}).to(tl.float32)')
        program.add(f'tl.store(out_ptr + r[:, None] * stride + c[None, :], {calculated(draw, "x")}{rest})')
    else:
        program.add('total = tl.zeros([R, C], tl.float32)')
        program.add('for k in range(' + ('BAG' if known else 'bag') + '):' if draw.likely(0.8) else 'for k in tl.static_range(BAG):')
        program.add(f'place = tl.load(index_ptr + r * BAG + k{by}){wide}', 2)
        if of == 'combined':
            program.add(f'weight = tl.load(weight_ptr + r * BAG + k{by})', 2)
        program.add(f'x = tl.load(table_ptr + place[:, None] * stride + c[None, :]{other}).to(tl.float32)', 2)
        program.add(f'total += {calculated(draw, "x")}' + (' * weight[:, None]' if of == 'combined' else ''), 2)
        program.add(f'tl.store(out_ptr + r[:, None] * stride + c[None, :], total{rest})')
    for name, value in (('rows', rows), ('stride', columns), ('table', table), ('bag', bag)):
        program.size(name, value)
    for name, value in (('columns', columns), ('R', r), ('C', c), ('BAG', bag)):
        program.constant(name, value)
    program.grid = (-(-rows // r), -(-columns // c), 1)
    return program


def segments(draw):
    """Segments whose lengths are loaded: sums, largest and softmaxes of rows, of neighbors as well."""
    columns = draw.choice((16, 32, 64, 128, 256))
    count, longest = draw.choice(((512, 256), (4096, 32), (1024, 128), (128, 2048), (16384, 12)))
    warps = draw.choice((1, 1, 2, 4, 8))
    c = min(columns, draw.choice((16, 32, 64, 128)))
    r = max(1, min(draw.choice((1, 1, 4, 8, 16, 32)), 32 * 16 * warps // c))
    of = draw.choice(('sum', 'max', 'softmax', 'write'))
    neighbors = draw.likely(0.5)
    kind = draw.choice(FLOATS)
    program = Program('segments', [of, 'neighbors' if neighbors else 'rows', f'{count} of {longest}', f'{r}x{c}', kind, f'warps {warps}'], num_warps=warps, num_stages=draw.choice((1, 2, 3)))
    index = draw.choice(('i32', 'i64'))
    program.integers('length_ptr', index, count, 0, longest)
    program.integers('neighbor_ptr', index, count * longest, 0, count * longest - 1)
    program.floats('x_ptr', kind, count * longest * columns)
    program.floats('weight_ptr', 'fp32', count * longest)
    program.written('out_ptr', draw.choice(FLOATS), (count * longest if of == 'write' else count) * columns)
    program.add('''
segment = tl.program_id(0)
length = tl.load(length_ptr + segment)
first = segment * longest
c = tl.program_id(1) * C + tl.arange(0, C)''')
    if draw.likely(0.3):
        program.add('if length == 0:\n    return')
    single = r == 1 and draw.likely(0.7)
    program.traits.append('one row' if single else 'tile')
    shape = '[C]' if single else '[R, C]'
    program.add(f'a = tl.full({shape}, {"-1e30" if of == "max" else "0.0"}, tl.float32)' + ('\nmost = -1e30\ntotal = 0.0' if of == 'softmax' else ''))
    step = 1 if single else r
    program.add('for begin in range(0, length, R):' if step == r else 'for begin in range(length):')
    row = 'first + begin' if single else '(first + begin + tl.arange(0, R))'
    by = '' if single else ', mask=begin + tl.arange(0, R) < length, other=0'
    program.add(f'row = tl.load(neighbor_ptr + {row}{by})' if neighbors else f'row = {row}', 2)
    spread, across = ('row', 'c') if single else ('row[:, None]', 'c[None, :]')
    inside = '' if single else ', mask=(begin + tl.arange(0, R) < length)[:, None]'
    other = '' if single else f', other={"-1e30" if of == "max" and kind != "fp16" else "-6e4" if of == "max" else "0.0"}'
    program.add(f'x = tl.load(x_ptr + {spread} * stride + {across}{inside}{other}).to(tl.float32)', 2)
    if of == 'softmax':
        program.add(f'w = tl.load(weight_ptr + {row}{by.replace("other=0", "other=-1e30")})', 2)
        most = 'w' if single else 'tl.max(w, 0)'
        program.add(f'''
new = tl.maximum(most, {most})
a = a * tl.exp(most - new) + tl.exp(w - new){"" if single else "[:, None]"} * x
total = total * tl.exp(most - new) + {"tl.exp(w - new)" if single else "tl.sum(tl.exp(w - new), 0)"}
most = new''', 2)
    elif of == 'write':
        program.add(f'tl.store(out_ptr + ({row}){"" if single else "[:, None]"} * stride + {across}, {calculated(draw, "x")}{inside})', 2)
    else:
        program.add('a = tl.maximum(a, x)' if of == 'max' else 'a += ' + calculated(draw, 'x'), 2)
    if of != 'write':
        result = 'a' if single else f'tl.{"max" if of == "max" else "sum"}(a, 0)'
        result = f'{result} / total' if of == 'softmax' else result
        program.add(f'tl.store(out_ptr + segment * stride + c, {result})')
    program.size('stride', columns)
    program.size('longest', longest) if draw.likely(0.5) else program.constant('longest', longest)
    program.constant('R', r)
    program.constant('C', c)
    program.grid = (count, columns // c, 1)
    return program


def largest(draw):
    """The largest of rows and where they are: once, some of them one after the other, sorted; and elements that are counted."""
    columns = draw.choice((8, 16, 60, 64, 128, 256, 1000, 2048))
    rows = min(1 << 16, (1 << 22) // columns)
    block = 1 << (columns - 1).bit_length()
    warps = draw.choice((1, 1, 2, 4, 8))
    r = max(1, min(draw.choice((1, 1, 4, 16, 64)), 32 * 16 * warps // block))
    of = draw.choice(('argmax', 'several', 'several', 'sort', 'topk', 'softmax of several', 'counts'))
    kind, k = draw.choice(FLOATS), draw.choice((2, 4, 8))
    k = min(k, block)
    program = Program('largest', [of, f'{rows}x{columns}', f'{r}x{block}', kind, f'warps {warps}', f'k {k}'], num_warps=warps)
    program.floats('x_ptr', kind, rows * columns)
    program.written('value_ptr', kind, rows * max(k + 1, block))
    program.integers('place_ptr', draw.choice(('i32', 'i64')), rows * max(k, block), 0, 0)
    program.add('r = tl.program_id(0) * R + tl.arange(0, R)\nc = tl.arange(0, C)')
    mask = ' & '.join(['(r < rows)[:, None]'] * (rows % r > 0 or draw.likely(0.5)) + ['(c < columns)[None, :]'] * (columns != block))
    wide = draw.likely(0.6) or kind == 'bf16'
    program.add(f'x = tl.load(x_ptr + r[:, None] * columns + c[None, :]' + (f', mask={mask}, other=-float("inf"))' if mask else ')') + '.to(tl.float32)' * wide)
    by = ', mask=r < rows' if '(r <' in mask else ''
    if of == 'argmax':
        program.add(f'tl.store(place_ptr + r, tl.argmax(x, 1){by})\ntl.store(value_ptr + r, tl.max(x, 1){by})')
    elif of in ('several', 'softmax of several'):
        program.add('total = tl.zeros([R], tl.float32)\nfirst = tl.max(x, 1)')
        program.add(draw.choice(('for at in tl.static_range(K):', 'for at in range(K):')))
        program.add(draw.choice(('most = tl.max(x, 1)\nplace = tl.argmax(x, 1)', 'most, place = tl.max(x, 1, return_indices=True)')), 2)
        program.add(f'tl.store(place_ptr + r * K + at, place{by})', 2)
        value = 'tl.exp((most - first).to(tl.float32))' if of != 'several' else 'most'
        program.add(f'tl.store(value_ptr + r * K + at, {value}{by})\ntotal += {value}', 2)
        program.add('x = tl.where(c[None, :] == place[:, None], -float("inf"), x)', 2)
        if of != 'several':
            program.add(f'tl.store(value_ptr + rows * K + r, total{by})')
    elif of == 'sort':
        program.add(f'tl.store(value_ptr + r[:, None] * C + c[None, :], tl.sort(x, 1{draw.choice(("", ", descending=True"))})' + (f', mask=(r < rows)[:, None])' if by else ')'))
    elif of == 'topk':
        program.add('t = tl.topk(x, K, 1)\ntl.store(value_ptr + r[:, None] * K + tl.arange(0, K)[None, :], t' + (', mask=(r < rows)[:, None])' if by else ')'))
    else:
        program.add('bins = tl.histogram(((tl.reshape(x, [R * C]).to(tl.float32) + 4.0) * 4.0).to(tl.int32) & 31, 32)\ntl.atomic_add(place_ptr + tl.arange(0, 32), bins.to(place_ptr.dtype.element_ty))')
    program.size('rows', rows)
    for name, value in (('columns', columns), ('R', r), ('C', block), ('K', k)):
        program.constant(name, value)
    program.grid = (-(-rows // r), 1, 1)
    return program


def turned(draw):
    """Tiles that are written the other way round, whole or with numbers of rows and columns: transposes and permutations."""
    rows, columns, batches = draw.choice(((1024, 1024, 4), (2048, 512, 4), (1000, 777, 4), (4096, 64, 16), (128, 4096, 8)))
    warps = draw.choice((1, 2, 4, 4, 8))
    r, c = draw.choice(((32, 32), (64, 64), (16, 64), (128, 32), (64, 16), (8, 128)))
    kind = draw.choice((*FLOATS, 'u8', 'i32'))
    out = kind if kind in ('u8', 'i32') else draw.choice(FLOATS)
    program = Program('turned', [f'{batches}x{rows}x{columns}', f'{r}x{c}', kind, out, f'warps {warps}'], num_warps=warps)
    total = batches * rows * columns
    for name in ('x_ptr', 'out_ptr', 'same_ptr')[:draw.choice((2, 3))]:
        integers = kind in ('u8', 'i32')
        if name == 'x_ptr':
            program.integers(name, kind, total, 0, 100) if integers else program.floats(name, kind, total)
        else:
            program.integers(name, out, total, 0, 0) if integers else program.written(name, out, total)
    program.floats('row_ptr', 'fp32', rows)
    exact = rows % r == 0 and columns % c == 0
    mask = '' if exact and draw.likely(0.6) else '(r < rows)[:, None] & (c < columns)[None, :]'
    program.add('r = tl.program_id(0) * R + tl.arange(0, R)\nc = tl.program_id(1) * C + tl.arange(0, C)\nat = tl.program_id(2) * rows * columns')
    program.add('x = tl.load(x_ptr + at + r[:, None] * columns + c[None, :]' + (f', mask={mask}, other=0)' if mask else ')'))
    if kind not in ('u8', 'i32') and draw.likely(0.5):
        program.add('x = x.to(tl.float32) * tl.load(row_ptr + r' + (', mask=r < rows, other=0.0)' if mask else ')') + '[:, None]')
        program.traits.append('numbers of rows')
    tail = f', mask={mask})' if mask else ')'
    if draw.likely(0.4):
        program.traits.append('trans')
        program.add('tl.store(out_ptr + at + c[:, None] * rows + r[None, :], tl.trans(x)' + (', mask=(c < columns)[:, None] & (r < rows)[None, :])' if mask else ')'))
    else:
        program.add(f'tl.store(out_ptr + at + c[None, :] * rows + r[:, None], x{tail}')
    if any(each['name'] == 'same_ptr' for each in program.arguments):
        program.add(f'tl.store(same_ptr + at + r[:, None] * columns + c[None, :], x{tail}')
        program.traits.append('written as it is, too')
    program.size('rows', rows)
    program.size('columns', columns)
    program.constant('R', r)
    program.constant('C', c)
    program.grid = (-(-rows // r), -(-columns // c), batches)
    return program


def neighborhoods(draw):
    """Rows and pixels with those beside them: causal convolutions along time, pooling, differences."""
    of = draw.choice(('causal', 'causal', 'pool', 'pixels'))
    warps = draw.choice((1, 2, 4, 4, 8))
    kind, out, width = draw.choice(FLOATS), draw.choice(FLOATS), draw.choice((2, 3, 4))
    program = Program('neighborhoods', [of, kind, out, f'width {width}', f'warps {warps}'], num_warps=warps)
    text = Text(program, draw)
    if of == 'causal':
        length, channels = draw.choice(((2048, 1024), (4096, 768), (1000, 2048)))
        t, c = draw.choice(((8, 128), (16, 64), (64, 32), (1, 256), (128, 16), (32, 128)))
        t = max(1, min(t, 32 * 32 * warps // c))
        along = draw.likely(0.5)
        program.traits += [f'{length}x{channels}', f'{t}x{c}', 'channels last' if along else 'time last']
        program.floats('x_ptr', kind, 4 * length * channels)
        program.floats('w_ptr', kind, channels * width)
        program.written('out_ptr', out, 4 * length * channels)
        program.add('t = tl.program_id(0) * T + tl.arange(0, T)\nc = tl.program_id(1) * C + tl.arange(0, C)\nat = tl.program_id(2) * length * channels\na = tl.zeros([T, C], tl.float32)')
        program.add('for k in tl.static_range(WIDTH):' if draw.likely(0.6) else 'for k in range(WIDTH):')
        where = '[:, None] * channels + c[None, :]' if along else '[:, None] + c[None, :] * length'
        program.add(f'''
s = t - (WIDTH - 1) + k
x = tl.load(x_ptr + at + s{where}, mask=((s >= 0) & (s < length))[:, None] & (c < channels)[None, :], other=0.0).to(tl.float32)
w = tl.load(w_ptr + c * WIDTH + k, mask=c < channels, other=0.0).to(tl.float32)
a += x * w[None, :]''', 2)
        program.add(f'tl.store(out_ptr + at + t{where}, {calculated(draw, "a")}, mask=(t < length)[:, None] & (c < channels)[None, :])')
        program.size('length', length)
        program.size('channels', channels)
        program.constant('T', t)
        program.constant('C', c)
        program.grid = (-(-length // t), -(-channels // c), 4)
    else:
        height, wide, planes = draw.choice(((128, 128, 256), (224, 224, 64), (56, 56, 512)))
        block = 32 * warps * draw.choice((1, 2, 4, 8))
        stride = width if of == 'pool' else 1
        program.traits += [f'{planes}x{height}x{wide}', f'block {block}']
        program.floats('x_ptr', kind, planes * height * wide)
        outs = (height // stride) * (wide // stride)
        program.written('out_ptr', out, planes * outs)
        program.add('p = tl.program_id(1)\nx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\ninside = x < OUTS\ny = x // OUT_WIDE\nx = x % OUT_WIDE\na = tl.full([BLOCK], ' + ('-1e30' if of == 'pool' else '0.0') + ', tl.float32)')
        program.add('for i in range(WIDTH):\n    for j in range(WIDTH):' if draw.likely(0.5) else 'for i in tl.static_range(WIDTH):\n    for j in tl.static_range(WIDTH):')
        if of == 'pool':
            program.add('v = tl.load(x_ptr + p * HEIGHT * WIDE + (y * WIDTH + i) * WIDE + x * WIDTH + j, mask=inside, other=-6e4).to(tl.float32)\na = tl.maximum(a, v)', 3)
        else:
            program.add('u = y + i - WIDTH // 2\nv = x + j - WIDTH // 2\nok = inside & (u >= 0) & (u < HEIGHT) & (v >= 0) & (v < WIDE)\na += tl.load(x_ptr + p * HEIGHT * WIDE + u * WIDE + v, mask=ok, other=0.0).to(tl.float32)', 3)
        program.add('tl.store(out_ptr + p * OUTS + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), ' + text.expression(['a'], draw.randint(0, 2)) + ', mask=inside)')
        for name, value in (('OUTS', outs), ('OUT_WIDE', wide // stride), ('HEIGHT', height), ('WIDE', wide), ('BLOCK', block)):
            program.constant(name, value)
        program.grid = (-(-outs // block), planes, 1)
    program.constant('WIDTH', width)
    return program
