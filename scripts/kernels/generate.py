"""Writes random kernels of the kinds that people write, with launches that speed.py times beside Triton.

usage: generate.py OUT [--seed S] [--count N] [--families products,attention,…]        needs Triton, no GPU
OUT/tests and OUT/checkouts are what speed.py takes as RECORDED and CHECKOUTS. Each kernel is drawn from its family's choices: how programs are
numbered, how operands are addressed, masked, converted and computed, what stands between products, tile sizes, warps and stages. A kernel that
Triton refuses is left out, and said so: it says nothing about speed.
"""
import argparse
import ast
import importlib.util
import json
import pathlib

import generate_attention
import generate_elements
import generate_experts
import generate_gradients
import generate_linear_attention
import generate_numbers
import generate_places
import generate_products
from generated import Draw

FAMILIES = {'products': generate_products.draw, 'attention': generate_attention.draw, 'gradients': generate_gradients.draw, 'linear': generate_linear_attention.draw, 'experts': generate_experts.draw,
            'pointwise': generate_elements.pointwise, 'rows': generate_elements.whole_rows, 'loops': generate_elements.looped_rows,
            'columns': generate_elements.column_sums, 'scans': generate_elements.scans,
            'tables': generate_places.tables, 'segments': generate_places.segments, 'largest': generate_places.largest, 'turned': generate_places.turned,
            'neighborhoods': generate_places.neighborhoods, 'quantised': generate_numbers.quantised, 'steps': generate_numbers.steps,
            'rotations': generate_numbers.rotations, 'losses': generate_numbers.losses, 'updates': generate_numbers.updates, 'vectors': generate_numbers.vectors}


# Shared memory that a CTA can have on a GPU of compute capability 9.0, in bytes.
MOST_SHARED = 227 * 1024


def compiled_by_triton(function, program):
    """Triton's code of the launch. Raises where Triton refuses it, at the launch as well."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    signature = {each['name']: each['type'] for each in program.arguments}
    constants = {each['name']: ast.literal_eval(each['constant']) for each in program.arguments if each['type'] == 'constexpr'}
    multiples = {(at,): [['tt.divisibility', 16]] for at, each in enumerate(program.arguments) if each.get('multiple')}
    source = ASTSource(function, signature, constants, multiples)
    kernel = triton.compile(source, target=GPUTarget('cuda', 90, 32), options={'num_warps': program.num_warps, 'num_stages': program.num_stages})
    if kernel.metadata.shared > MOST_SHARED:
        raise ValueError(f'{kernel.metadata.shared} bytes of shared memory')
    return kernel


def write(out, name, program):
    """Writes the kernel, what Triton makes of it and its launch."""
    module = pathlib.Path(out / 'checkouts' / 'generated' / f'{name}.py')
    module.write_text(program.source(name))
    specification = importlib.util.spec_from_file_location(name, module)
    loaded = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(loaded)
    kernel = compiled_by_triton(getattr(loaded, name), program)
    tests = out / 'tests'
    (tests / f'{name}.ptx').write_text(kernel.asm['ptx'])
    (tests / f'{name}.cubin').write_bytes(kernel.asm['cubin'])
    row = {'key': name, 'project': 'generated', 'kernel': name, 'qualified': name, 'file': f'{name}.py', 'line': 1, 'module': name, 'grid': list(program.grid),
           'bytes': sum(each['bytes'] for each in program.storages), 'num_warps': program.num_warps, 'num_stages': program.num_stages, 'maxnreg': None,
           'cooperative': False, 'arguments': program.arguments, 'storages': program.storages, 'traits': program.traits,
           'triton': {'name': kernel.metadata.name, 'shared': kernel.metadata.shared, 'registers': 0, 'spills': 0, 'scratch': 0, 'microseconds': {}}}
    (tests / f'{name}.json').write_text(json.dumps(row))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--count', type=int, default=40, help='kernels of each family')
    parser.add_argument('--families', default=','.join(FAMILIES))
    options = parser.parse_args()
    for folder in ('tests', 'checkouts/generated'):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    for family in options.families.split(','):
        written = 0
        for number in range(options.count):
            name = f'{family}_{options.seed}_{number}'
            program = FAMILIES[family](Draw(f'{family} {options.seed} {number}'))
            try:
                write(options.out, name, program)
                written += 1
            except Exception as error:
                print(f'{name}: {", ".join(program.traits)}: {type(error).__name__} {str(error).strip().splitlines()[-1][:160] if str(error).strip() else ""}', flush=True)
        print(f'{family}: {written} of {options.count}', flush=True)


if __name__ == '__main__':
    main()
