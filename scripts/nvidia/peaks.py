#!/usr/bin/env python3
"""Measures what a GPU can do at most: bandwidth of memory, of L2 and of shared memory, and operations per second by pipe. docs/measurements.md
has the table, and the roofline of the simulator's memory report takes it from crates/tk-sim/src/h200_peaks.tsv.

  scripts/nvidia/peaks.py --out peaks.json --table crates/tk-sim/src/h200_peaks.tsv
"""
import argparse
import ctypes
import json
import statistics
import struct
import sys

from driver import CudaError, Gpu

REPEATS = 5
HEAD = '.version 8.6\n.target sm_90a\n.address_size 64\n'
ENTRY = '.visible .entry {name}(.param .u64 memory, .param .u32 count, .param .u32 blocks)\n'
MULTIPROCESSORS = 16  # the attribute


def loop(name, registers, before, body, after, unroll, shared=''):
    """A kernel that runs `body` `count` times, `unroll` copies a turn."""
    return (f'{HEAD}{ENTRY.format(name=name)}{{\n\t.reg .b64 %memory, %address, %wide;\n'
            f'\t.reg .b32 %count, %blocks, %me, %cta, %size, %index, %sum, %step;\n\t.reg .pred %more, %never;\n{registers}{shared}'
            '\tld.param.u64 %memory, [memory];\n\tld.param.u32 %count, [count];\n\tld.param.u32 %blocks, [blocks];\n'
            '\tmov.u32 %me, %tid.x;\n\tmov.u32 %cta, %ctaid.x;\n\tmov.u32 %size, %ntid.x;\n'
            f'\tmad.lo.u32 %index, %cta, %size, %me;\n\tmov.u32 %sum, 0;\n{before}LOOP:\n{body * unroll}'
            f'\tsub.u32 %count, %count, 1;\n\tsetp.ne.u32 %more, %count, 0;\n\t@%more bra LOOP;\n{after}'
            '\tsetp.eq.u32 %never, %sum, 0x5eed5eed;\n\tmul.wide.u32 %wide, %index, 4;\n\tadd.u64 %address, %memory, %wide;\n'
            '\t@%never st.global.b32 [%address], %sum;\n\tret;\n}\n')


def arithmetic(name, instruction, kind, chains=8):
    """Independent chains of one instruction, `instruction` with D for a register and Z for another."""
    prefix = {'b32': '%v', 'b64': '%v'}[kind]
    registers = f'\t.reg .{kind} %v<{chains + 1}>;\n\t.reg .b32 %low;\n'
    convert = 'cvt.u64.u32' if kind == 'b64' else 'mov.b32'
    before = ''.join(f'\t{convert} {prefix}{i}, %index;\n' for i in range(chains + 1))
    body = ''.join('\t' + instruction.replace('D', f'{prefix}{i}').replace('Z', f'{prefix}{chains}') + ';\n'
                   for i in range(chains))
    low = 'cvt.u32.u64' if kind == 'b64' else 'mov.b32'
    after = ''.join(f'\t{low} %low, {prefix}{i};\n\txor.b32 %sum, %sum, %low;\n' for i in range(chains))
    return loop(name, registers, before, body, after, 8), chains * 8


def reads(name):
    """Each thread reads 16 bytes every so many blocks of threads."""
    registers = '\t.reg .b32 %a, %b, %c, %d;\n\t.reg .b64 %stride;\n'
    before = ('\tmul.wide.u32 %wide, %index, 16;\n\tadd.u64 %address, %memory, %wide;\n'
              '\tmul.lo.u32 %step, %blocks, %size;\n\tmul.wide.u32 %stride, %step, 16;\n')
    body = ('\tld.global.cg.v4.b32 {%a, %b, %c, %d}, [%address];\n\tadd.u64 %address, %address, %stride;\n'
            '\txor.b32 %sum, %sum, %a;\n\txor.b32 %sum, %sum, %b;\n\txor.b32 %sum, %sum, %c;\n\txor.b32 %sum, %sum, %d;\n')
    return loop(name, registers, before, body, '', 1)


def rereads(name):
    """As `reads`, of a memory that repeats: each turn reads the 16 bytes of the same place again, past L1."""
    registers = '\t.reg .b32 %a, %b, %c, %d;\n'
    before = '\tmul.wide.u32 %wide, %index, 16;\n\tadd.u64 %address, %memory, %wide;\n'
    body = ('\tld.relaxed.gpu.global.v4.b32 {%a, %b, %c, %d}, [%address];\n'
            '\txor.b32 %sum, %sum, %a;\n\txor.b32 %sum, %sum, %b;\n\txor.b32 %sum, %sum, %c;\n\txor.b32 %sum, %sum, %d;\n')
    return loop(name, registers, before, body, '', 4)


def shared_reads(name):
    """Reads of 16 bytes of shared memory without conflicts."""
    registers = '\t.reg .b32 %a, %b, %c, %d, %place;\n'
    before = '\tmov.u32 %place, rows;\n\tmad.lo.u32 %place, %me, 16, %place;\n'
    body = ('\tld.volatile.shared.v4.b32 {%a, %b, %c, %d}, [%place];\n'
            '\txor.b32 %sum, %sum, %a;\n\txor.b32 %sum, %sum, %b;\n\txor.b32 %sum, %sum, %c;\n\txor.b32 %sum, %sum, %d;\n')
    return loop(name, registers, before, body, '', 8, '\t.shared .align 16 .b8 rows[16384];\n')


def product(name, types, depth, width=256, scale=', p, 1, 1', accumulator='f32'):
    """A chain of wgmma of 64 x 256 x depth from shared memory."""
    count = width // 2
    registers = f'\t.reg .b32 %d<{count}>;\n\t.reg .b64 %left, %right;\n\t.reg .pred p;\n\t.reg .b32 %place;\n'
    before = ('\tmov.u32 %place, rows;\n\tshr.u32 %place, %place, 4;\n\tand.b32 %place, %place, 0x3fff;\n'
              '\tcvt.u64.u32 %left, %place;\n\tor.b64 %left, %left, 0x4000004000010000;\n\tmov.b64 %right, %left;\n'
              '\tsetp.eq.u32 p, %place, %place;\n' + ''.join(f'\tmov.b32 %d{i}, 0;\n' for i in range(count)))
    values = ', '.join(f'%d{i}' for i in range(count))
    one = (f'\twgmma.mma_async.sync.aligned.m64n{width}k{depth}.{accumulator}.{types} {{{values}}}, %left, %right{scale};\n')
    body = '\twgmma.fence.sync.aligned;\n' + one * 8 + '\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n'
    after = ''.join(f'\txor.b32 %sum, %sum, %d{i};\n' for i in range(count))
    shared = '\t.shared .align 1024 .b8 rows[40960];\n'
    return loop(name, registers, before, body, after, 1, shared), 8


class Clock:
    """Times launches by events."""

    def __init__(self, gpu):
        self.gpu, self.events = gpu, []
        for _ in range(2):
            event = ctypes.c_void_p()
            gpu.call('cuEventCreate', ctypes.byref(event), ctypes.c_uint(0))
            self.events.append(event)

    def seconds(self, function, grid, block, parameters):
        """The median of several launches after one that warms up."""
        times, (start, end) = [], self.events
        for _ in range(REPEATS + 1):
            self.gpu.call('cuEventRecord', start, ctypes.c_void_p())
            self.gpu.launch(function, (grid, 1, 1), (block, 1, 1), parameters)
            self.gpu.call('cuEventRecord', end, ctypes.c_void_p())
            self.gpu.call('cuEventSynchronize', end)
            passed = ctypes.c_float()
            self.gpu.call('cuEventElapsedTime', ctypes.byref(passed), start, end)
            times.append(passed.value / 1000)
        return statistics.median(times[1:])


def measure(gpu):
    """Peaks by name: bytes or operations per second."""
    clock, count = Clock(gpu), ctypes.c_int()
    gpu.call('cuDeviceGetAttribute', ctypes.byref(count), ctypes.c_int(MULTIPROCESSORS), ctypes.c_int(0))
    processors, found = count.value, {}
    memory = gpu.allocate(4 << 30)

    def time(name, text, grid, block, turns, amount, blocks=0):
        try:
            function = gpu.function(gpu.load(text), name)
            parameters = [struct.pack('<Q', memory), struct.pack('<I', turns), struct.pack('<I', blocks)]
            found[name] = amount / clock.seconds(function, grid, block, parameters)
        except CudaError as error:
            found[name] = str(error)
            if error.is_lasting:
                raise

    grid, block = processors * 8, 256
    turns = (2 << 30) // (grid * block * 16)
    time('memory_read', reads('memory_read'), grid, block, turns, turns * grid * block * 16, grid)
    time('l2_read', rereads('l2_read'), grid, block, 2000, 2000 * 4 * grid * block * 16)
    time('shared_read', shared_reads('shared_read'), processors * 2, 1024, 2000, 2000 * 8 * processors * 2 * 1024 * 16)
    for name, instruction, kind, each in [
        ('fma_f32', 'fma.rn.f32 D, D, Z, Z', 'b32', 2), ('fma_f64', 'fma.rn.f64 D, D, Z, Z', 'b64', 2),
        ('fma_f16x2', 'fma.rn.f16x2 D, D, Z, Z', 'b32', 4), ('mad_s32', 'mad.lo.s32 D, D, Z, Z', 'b32', 2),
        ('logic_b32', 'lop3.b32 D, D, Z, Z, 0x96', 'b32', 1),
        ('ex2_f32', 'ex2.approx.ftz.f32 D, D', 'b32', 1)]:
        text, number = arithmetic(name, instruction, kind)
        turns = 1000 if 'f64' not in name else 500
        time(name, text, processors * 4, 512, turns, turns * number * processors * 4 * 512 * each)
    for name, types, depth, scale, accumulator in [
        ('wgmma_f16', 'f16.f16', 16, ', p, 1, 1, 0, 0', 'f32'), ('wgmma_bf16', 'bf16.bf16', 16, ', p, 1, 1, 0, 0', 'f32'),
        ('wgmma_tf32', 'tf32.tf32', 8, ', p, 1, 1', 'f32'), ('wgmma_e4m3', 'e4m3.e4m3', 32, ', p, 1, 1', 'f32'),
        ('wgmma_s8', 's8.s8', 32, ', p', 's32')]:
        text, number = product(name, types, depth, scale=scale, accumulator=accumulator)
        time(name, text, processors * 2, 128, 4000, 4000 * number * processors * 2 * 2 * 64 * 256 * depth)
    return {'multiprocessors': processors, 'peaks': found}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--out', default='peaks.json')
    parser.add_argument('--table', help='a file of names and peaks, one each line')
    options = parser.parse_args()
    found = measure(Gpu())
    with open(options.out, 'w') as file:
        json.dump(found, file, indent=1)
    if options.table:
        rows = [f'{name}\t{value:.3e}\n' for name, value in found['peaks'].items() if not isinstance(value, str)]
        with open(options.table, 'w') as file:
            file.write(''.join(rows))
    for name, value in found['peaks'].items():
        print(f'{name:12} {value if isinstance(value, str) else f"{value / 1e12:.2f} T/s"}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
