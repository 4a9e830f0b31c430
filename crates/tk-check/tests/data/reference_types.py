"""Asks the reference compiler for the type of every expression in expressions.txt and writes it after the `=>`.

Usage: python reference_types.py expressions.txt   (needs the `triton` package; no GPU)
"""
import contextlib, importlib.util, io, os, sys, tempfile

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler.compiler import make_backend
from triton._C.libtriton import ir

TYPES = {'i1': 'int1', 'i8': 'int8', 'i16': 'int16', 'i32': 'int32', 'i64': 'int64', 'u8': 'uint8', 'u16': 'uint16',
         'u32': 'uint32', 'u64': 'uint64', 'f16': 'float16', 'bf16': 'bfloat16', 'f32': 'float32', 'f64': 'float64',
         'e5': 'float8e5', 'e4': 'float8e4nv'}
PRELUDE = ''.join(f'    {n} = tl.full([16], 1, tl.float32).to(tl.{t})\n    s{n} = tl.full([], 1, tl.float32).to(tl.{t})\n' for n, t in TYPES.items())
PRELUDE += '    m = tl.full([16, 32], 1, tl.float32)\n    mi = tl.full([16, 32], 1, tl.int32)\n    h = tl.full([32, 32], 1, tl.float16)\n'
PRELUDE += '    b = tl.full([32, 32], 1, tl.bfloat16)\n    q = tl.full([32, 32], 1, tl.int8)\n    p = p0 + tl.arange(0, 16)\n    r = tl.arange(0, 16)\n'


def spelled(ty):
    """The type as tk prints it: `fp32[16, 32]`, `*i8`."""
    shape = ''
    if ty.startswith('<['):
        dims, ty = ty[2:].split('], ', 1)
        shape, ty = '[' + dims.replace("'", '') + ']', ty[:-1]
    stars = ty.count('pointer<')
    ty = ty.replace('pointer<', '').rstrip('>')
    return '*' * stars + ty.replace('uint', 'u').replace('int', 'i') + shape


def used(expression):
    import ast
    names = {n.id for n in ast.walk(ast.parse(expression)) if isinstance(n, ast.Name)}
    return ''.join(line + '\n' for line in PRELUDE.splitlines() if line.split('=')[0].strip() in names or line.strip().startswith('p ='))


def main(path):
    lines = open(path).read().splitlines()
    exprs = [l.split('=>')[0].strip() for l in lines]
    text = 'import triton\nimport triton.language as tl\n'
    for i, e in enumerate(exprs):
        if e and not e.startswith('#'):
            text += f'\n@triton.jit\ndef k{i}(p0, n, C: tl.constexpr):\n{used(e)}    value = {e}\n    tl.static_print("type", value.type)\n'
    f = tempfile.NamedTemporaryFile('w', suffix='.py', delete=False)
    f.write(text)
    f.close()
    spec = importlib.util.spec_from_file_location('expressions', f.name)
    mod = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mod)
    tgt = GPUTarget('cuda', 90, 32)
    be = make_backend(tgt)
    opts = be.parse_options({})
    out = []
    for i, (line, e) in enumerate(zip(lines, exprs)):
        if not e or e.startswith('#'):
            out.append(line)
            continue
        src = ASTSource(getattr(mod, f'k{i}'), signature={'p0': '*fp32', 'n': 'i32', 'C': 'constexpr'}, constexprs={(2,): 4})
        ctx = ir.context()
        ir.load_dialects(ctx)
        be.load_dialects(ctx)
        shown = io.StringIO()
        try:
            with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(io.StringIO()):
                src.make_ir(tgt, opts, be.get_codegen_implementation(opts), be.get_module_map(), ctx)
            ty = [l for l in shown.getvalue().splitlines() if l.startswith('type ')][-1][5:]
            ty = spelled(ty)
        except Exception as err:
            ty = 'error'
        out.append(f'{e} => {ty}')
    os.unlink(f.name)
    open(path, 'w').write('\n'.join(out) + '\n')


main(sys.argv[1])
