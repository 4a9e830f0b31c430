"""Random kernels without products: pointwise, with reductions of whole rows, in loops, of columns, and with scans."""
from generated import Program

UNARY = ['tl.exp(-tl.abs({}))', 'tl.log(tl.abs({}) + 1.0)', 'tl.sqrt(tl.abs({}))', 'tl.sigmoid({})', 'tl.erf({})', 'tl.sin({})', 'tl.abs({})', '-{}', 'tl.maximum({}, 0.0)',
         '{} * tl.sigmoid({})', '0.5 * {} * (1.0 + tl.erf({} * 0.70710678))', 'tl.rsqrt({} * {} + 1.0)', '2.0 * tl.sigmoid(2.0 * {}) - 1.0', 'tl.floor({})', 'tl.clamp({}, -1.5, 1.5)',
         '{}.to(tl.bfloat16).to(tl.float32)', 'tl.exp2({} * 0.1)', 'tl.cos({})', '{} * {}']
BINARY = ['{} + {}', '{} - {}', '{} * {}', '{} / (tl.abs({}) + 1.0)', 'tl.maximum({}, {})', 'tl.minimum({}, {})', 'tl.where({0} < {1}, {0}, 0.5 * {1})', 'tl.where({} > 0.0, {}, 0.0)', 'tl.fma({0}, {1}, {0})']
FLOATS = ('bf16', 'fp16', 'fp32')
REDUCTIONS = ('sum', 'sum', 'max', 'min', 'mean')


class Text:
    """Names of values, and the lines that compute them."""

    def __init__(self, program, draw):
        self.program, self.draw, self.count = program, draw, 0

    def name(self, text, depth=1):
        self.count += 1
        self.program.add(f'v{self.count} = {text}', depth)
        return f'v{self.count}'

    def expression(self, values, steps, depth=1):
        """Computes on values; what comes out depends on all of them."""
        values = list(values)
        for _ in range(steps):
            at = self.draw.randrange(len(values))
            form = self.draw.choice(UNARY)
            values[at] = self.name(form.format(*[values[at]] * form.count('{}')), depth)
        while len(values) > 1:
            one, other = values.pop(self.draw.randrange(len(values))), values.pop(self.draw.randrange(len(values)))
            values.append(self.name(self.draw.choice(BINARY).format(one, other), depth))
        return values[0]


def size_of_block(draw, warps, most=32):
    """Elements of a block for so many warps: 2 to `most` of a thread."""
    return 32 * warps * 2 ** draw.randint(1, most.bit_length() - 1)


def input_kind(draw):
    return draw.often('bf16', 'fp16', 'fp32', 'u8', 'i32', share=0.4)


def pointer(program, name, kind, elements):
    if kind in ('u8', 'i32'):
        return program.integers(name, kind, elements, 0, 100)
    return program.floats(name, kind, elements)


def pointwise(draw):
    """What torch.compile writes of element by element operations: one axis, whose indices are taken apart."""
    warps = draw.choice((1, 2, 4, 4, 4, 8))
    block = size_of_block(draw, warps, 16)
    columns = draw.choice((64, 128, 768, 1024, 1000, 4096))
    rows = max(1, draw.choice((1, 2, 4, 8, 16)) * (1 << 20) // columns)
    total = rows * columns
    program = Program('pointwise', [f'{rows}x{columns}', f'block {block}', f'warps {warps}'], num_warps=warps)
    text, count = Text(program, draw), draw.randint(1, 5)
    accesses = {'same': 'x', 'column': 'x % COLUMNS', 'row': 'x // COLUMNS', 'twice': '2 * x', 'pairs': '2 * (x // 2) + 1', 'turned': '(x % COLUMNS) * (TOTAL // COLUMNS) + x // COLUMNS',
                'shifted': 'x + 1', 'flipped': 'x // COLUMNS * COLUMNS + (COLUMNS - 1 - x % COLUMNS)', 'half': 'x // 2', 'gathered': None}
    masked = draw.often('x < TOTAL', 'none', share=0.5) if total % block == 0 else 'x < TOTAL'
    program.add('x = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)')
    values = []
    for at in range(count):
        access = draw.often('same', *list(accesses)[1:], share=0.5)
        program.traits.append(access)
        kind = input_kind(draw)
        pointer(program, f'in{at}', kind, 2 * total + 1024)
        mask = masked if masked != 'none' else 'None'
        if draw.likely(0.15):
            condition = draw.choice(('x % COLUMNS < COLUMNS // 2', 'x % COLUMNS >= 3', 'x % 2 == 0'))
            mask = condition if mask == 'None' else f'({mask}) & ({condition})'
            program.traits.append('condition')
        index = accesses[access]
        if access == 'gathered':
            program.integers(f'index{at}', draw.choice(('i32', 'i64')), total + 1024, 0, total - 1)
            index = text.name(f'tl.load(index{at} + {draw.choice(("x", "x // COLUMNS"))}, {masked if masked != "none" else "None"}' + (', other=0)' if masked != 'none' else ')'))
        values.append(text.name(f'tl.load(in{at} + {index}, {mask}' + (', other=0.0)' if mask != 'None' else ')') + '.to(tl.float32)'))
    outputs = draw.often(1, 2, 3, share=0.7)
    for at in range(outputs):
        out = draw.choice(FLOATS)
        program.written(f'out{at}', out, 2 * total + 1024)
        result = text.expression(draw.sample(values, draw.randint(max(1, count - 1), count)), draw.randint(0, 6))
        where = draw.often('x', '(x % COLUMNS) * (TOTAL // COLUMNS) + x // COLUMNS', '2 * x', share=0.85)
        program.add(f'tl.store(out{at} + {where}, {result}' + (f', {masked})' if masked != 'none' else ')'))
    program.constant('TOTAL', total) if draw.likely(0.7) else program.size('TOTAL', total)
    program.constant('COLUMNS', columns)
    program.constant('BLOCK', block)
    program.grid = (-(-total // block), 1, 1)
    return program


def loads(program, text, draw, count, rows, columns, mask, depth=1, index='r * stride + c'):
    """Loads of tiles, rows and columns. `r` and `c` are the indices, of shapes [R, 1] and [1, C]."""
    values, tiles = [], 0
    for at in range(count):
        access = 'tile' if at == 0 else draw.often('tile', 'column', 'row', share=0.5)
        kind = draw.choice(FLOATS)
        name = f'in{len(program.storages)}'
        pointer(program, name, kind, rows * columns if access == 'tile' else max(rows, columns))
        where, by = {'tile': (index, mask), 'column': ('c', 'c < columns' if 'c <' in mask else ''), 'row': ('r', 'r < rows' if 'r <' in mask else '')}[access]
        values.append((access, text.name(f'tl.load({name} + {where}' + (f', {by}, other=0.0)' if by else ')') + '.to(tl.float32)', depth)))
        program.traits.append(access)
    return values


def reduced(text, draw, value, columns, axis=1, depth=1):
    kind = draw.choice(REDUCTIONS)
    text.program.traits.append(kind)
    form = {'sum': 'tl.sum({}, {})', 'mean': f'(tl.sum({{}}, {{}}) / {columns})', 'max': 'tl.max({}, {})', 'min': 'tl.min({}, {})'}[kind]
    return text.name(form.format(value, axis) + ('[:, None]' if axis == 1 else '[None, :]'), depth)


def shape_of_rows(draw):
    columns = draw.choice((64, 96, 128, 256, 512, 768, 1000, 1024, 2048, 3072, 4096, 8192))
    rows = max(16, draw.choice((1, 4, 16)) * (1 << 20) // columns)
    return rows, columns


def whole_rows(draw):
    """Each program has some rows in registers: norms, softmaxes, losses, quantisations."""
    rows, columns = shape_of_rows(draw)
    block = 1 << (columns - 1).bit_length()
    warps = draw.choice((1, 2, 4, 8, 16))
    most = max(1, 32 * 32 * warps // block)
    r = min(most, draw.choice((1, 1, 2, 4, 8, 16)))
    while block * r > 64 * 32 * warps:
        warps *= 2
    program = Program('rows', [f'{rows}x{columns}', f'{r}x{block}', f'warps {warps}'], num_warps=warps)
    text = Text(program, draw)
    exact = columns == block and rows % r == 0
    mask = ' & '.join(['(r < rows)'] * (not exact or draw.likely(0.3)) + ['(c < columns)'] * (columns != block))
    program.add('r = (tl.program_id(0) * R + tl.arange(0, R))[:, None]\nc = tl.arange(0, C)[None, :]')
    values = loads(program, text, draw, draw.randint(1, 4), rows, columns, mask)
    names = [value for _, value in values]
    inner = text.expression(names, draw.randint(0, 3))
    reductions = []
    for _ in range(draw.randint(1, 3)):
        source = inner if columns == block else text.name(f'tl.where(c < columns, {inner}, 0.0)')
        reductions.append(reduced(text, draw, source, columns))
        inner = text.expression([inner, reductions[-1]], draw.randint(0, 2))
    finish(program, text, draw, [inner, *draw.sample(names, min(len(names), 2))], reductions, mask, rows, columns)
    constants(program, rows, columns, r, block)
    return program


def finish(program, text, draw, values, reductions, mask, rows, columns):
    """Writes the tile, perhaps a second one, and numbers of rows."""
    tail = f', {mask})' if mask else ')'
    for at in range(draw.often(1, 2, share=0.75)):
        result = text.expression(values[:draw.randint(1, len(values))], draw.randint(0, 2))
        program.written(f'out{at}', draw.choice(FLOATS), rows * columns)
        program.add(f'tl.store(out{at} + r * stride + c, {result} + tl.zeros([R, C], tl.float32){tail}')
    if draw.likely(0.4):
        program.written('sums', 'fp32', rows)
        program.add(f'tl.store(sums + r, {reductions[0]}' + (', r < rows)' if 'r <' in mask else ')'))
        program.traits.append('writes sums')


def constants(program, rows, columns, r, block):
    program.size('rows', rows)
    program.size('stride', columns)
    program.constant('columns', columns)
    program.constant('R', r)
    program.constant('C', block)
    program.grid = (-(-rows // r), 1, 1)


def looped_rows(draw):
    """Rows that a loop goes over: what it adds up is reduced behind it or in it; a second loop writes."""
    rows, columns = shape_of_rows(draw)
    rows, columns = max(rows // 8, 16), columns * draw.choice((1, 4, 8))
    warps = draw.choice((1, 2, 4, 8, 16))
    r = draw.choice((1, 1, 1, 2, 4, 8, 16))
    block = max(32, min(1 << (columns - 1).bit_length(), size_of_block(draw, warps, 16) // r))
    program = Program('loops', [f'{rows}x{columns}', f'{r}x{block}', f'warps {warps}'], num_warps=warps, num_stages=draw.choice((1, 2, 3)))
    text = Text(program, draw)
    exact = columns % block == 0
    mask = ' & '.join(['(r < rows)'] * (rows % r > 0 or draw.likely(0.5)) + ['(c < columns)'] * (not exact))
    kind = draw.choice(('blocks', 'blocks', 'rows', 'online'))
    program.traits.append(kind)
    shape = '[R, C]' if kind == 'blocks' else '[R]'
    count = draw.randint(1, 3)
    forms = [draw.choice(('sum', 'sum', 'max')) for _ in range(count)] if kind != 'online' else ['max', 'sum']
    program.add('r = (tl.program_id(0) * R + tl.arange(0, R))[:, None]')
    for at, form in enumerate(forms):
        program.add(f'a{at} = tl.full({shape}, {"-1e30" if form == "max" else "0.0"}, tl.float32)')
    program.add('for begin in range(0, columns, C):')
    program.add('c = begin + tl.arange(0, C)[None, :]', 2)
    names = [value for _, value in loads(program, text, draw, draw.randint(1, 3), rows, columns, mask, 2)]
    inner = text.expression(names, draw.randint(0, 3), 2)
    if not exact:
        inner = text.name(f'tl.where(c < columns, {inner}, {"-1e30" if "max" in forms else "0.0"})', 2)
    program.add(f'whole = {inner} + tl.zeros([R, C], tl.float32)', 2)
    if kind == 'online':
        program.add('most = tl.maximum(a0, tl.max(whole, 1))\na1 = a1 * tl.exp(a0 - most) + tl.sum(tl.exp(whole - most[:, None]), 1)\na0 = most', 2)
    for at, form in enumerate(forms if kind != 'online' else []):
        value = 'whole' if at == 0 else 'whole * whole' if at == 1 else 'tl.abs(whole)'
        value = value if kind == 'blocks' else f'tl.{form}({value}, 1)'
        program.add(f'a{at} = a{at} + {value}' if form == 'sum' else f'a{at} = tl.maximum(a{at}, {value})', 2)
    reductions = [text.name((f'tl.{form}(a{at}, 1)' if kind == 'blocks' else f'a{at}') + '[:, None]') for at, form in enumerate(forms)]
    if draw.likely(0.6):
        program.traits.append('second loop')
        program.add('for begin in range(0, columns, C):')
        program.add('c = begin + tl.arange(0, C)[None, :]', 2)
        name = program.arguments[0]['name']
        value = text.name(f'tl.load({name} + r * stride + c' + (f', {mask}, other=0.0)' if mask else ')') + '.to(tl.float32)', 2)
        result = text.expression([value, *reductions], draw.randint(0, 3), 2)
        program.written('out', draw.choice(FLOATS), rows * columns)
        program.add(f'tl.store(out + r * stride + c, {result}' + (f', {mask})' if mask else ')'), 2)
    else:
        for at, value in enumerate(reductions):
            program.written(f'out{at}', 'fp32', rows)
            program.add(f'tl.store(out{at} + r, {value}' + (', r < rows)' if 'r <' in mask else ')'))
    constants(program, rows, columns, r, block)
    return program


def column_sums(draw):
    """Sums over rows, of columns that programs share out: gradients of weights and biases."""
    columns = draw.choice((64, 256, 768, 1024, 4096, 8192))
    rows = draw.choice((1, 4)) * (1 << 22) // columns
    warps = draw.choice((2, 4, 4, 8))
    c = min(columns & -columns, draw.choice((16, 32, 64, 128, 256)))
    r = max(1, size_of_block(draw, warps, 16) // c)
    parts = draw.choice((1, 4, 16, 64))
    program = Program('columns', [f'{rows}x{columns}', f'{r}x{c}', f'warps {warps}', f'parts {parts}'], num_warps=warps, num_stages=draw.choice((1, 2, 3)))
    text = Text(program, draw)
    inside = draw.likely(0.4)
    program.traits.append('reduced inside' if inside else 'blocks')
    program.add('c = (tl.program_id(0) * C + tl.arange(0, C))[None, :]')
    program.add('first = tl.program_id(1) * (rows // PARTS)')
    program.add(f'a = tl.zeros({"[C]" if inside else "[R, C]"}, tl.float32)\nb = tl.zeros({"[C]" if inside else "[R, C]"}, tl.float32)')
    program.add('for begin in range(0, rows // PARTS, R):')
    program.add('r = (first + begin + tl.arange(0, R))[:, None]', 2)
    mask = '' if rows // parts % r == 0 else '(r < first + rows // PARTS)'
    names = [value for _, value in loads(program, text, draw, draw.randint(1, 3), rows, columns, mask, 2)]
    inner = text.expression(names, draw.randint(0, 3), 2)
    if mask:
        inner = text.name(f'tl.where({mask}, {inner}, 0.0)', 2)
    two = draw.likely(0.5)
    program.add(f'a += tl.sum({inner}, 0)' if inside else f'a += {inner}', 2)
    if two:
        program.add(f'b += tl.sum({inner} * {names[0]}, 0)' if inside else f'b += {inner} * {names[0]}', 2)
    for at in range(1 + two):
        value = 'ab'[at] if inside else f'tl.sum({"ab"[at]}, 0)'
        program.written(f'out{at}', 'fp32', parts * columns)
        program.add(f'tl.store(out{at} + tl.program_id(1) * stride + c, ({value})[None, :])')
    constants(program, rows, columns, r, c)
    program.constant('PARTS', parts)
    program.grid = (columns // c, parts, 1)
    return program


def scans(draw):
    """Cumulative sums and recurrences along one axis of a tile, whole or carried through a loop."""
    columns = draw.choice((64, 128, 256, 512, 1024, 2048))
    rows = draw.choice((1, 4)) * (1 << 20) // columns
    warps = draw.choice((1, 2, 4, 8))
    r = draw.choice((1, 1, 2, 4, 16, 32))
    block = min(columns, max(32, size_of_block(draw, warps, 16) // r))
    program = Program('scans', [f'{rows}x{columns}', f'{r}x{block}', f'warps {warps}'], num_warps=warps)
    text = Text(program, draw)
    across = draw.likely(0.4)
    where = 'c * rows + r' if across else 'r * stride + c'
    program.traits.append('across' if across else 'along')
    looped = block < columns
    depth = 1 + looped
    program.add('r = (tl.program_id(0) * R + tl.arange(0, R))[:, None]')
    if looped:
        program.add('carried = tl.zeros([R, 1], tl.float32)\nfor begin in range(0, columns, C):')
    program.add(f'c = {"begin + " if looped else ""}tl.arange(0, C)[None, :]', depth)
    names = [value for _, value in loads(program, text, draw, draw.randint(1, 2), rows, columns, '', depth, where)]
    inner = text.name(text.expression(names, draw.randint(0, 2), depth) + ' + tl.zeros([R, C], tl.float32)', depth)
    reverse = not looped and draw.likely(0.3)
    total = text.name(f'tl.cumsum({inner}, 1{", reverse=True" if reverse else ""})', depth)
    if looped:
        total = text.name(f'{total} + carried', depth)
        program.add(f'carried = carried + tl.sum({inner}, 1)[:, None]', depth)
    for at in range(draw.often(1, 2, share=0.7)):
        result = text.expression([total, names[0]][:draw.randint(1, 2)], draw.randint(0, 2), depth)
        program.written(f'out{at}', draw.choice(FLOATS), rows * columns)
        program.add(f'tl.store(out{at} + {where}, {result})', depth)
    constants(program, rows, columns, r, block)
    return program
