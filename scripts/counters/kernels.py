"""Kernels with one access each: their PTX, which bytes their lanes access, and how they are launched.

All have the same parameters: memory, the offset of each lane in bytes, the lanes that take part, and a number that no load finds. Offsets
are a parameter, so that nothing but the access itself uses the memory that is counted.
"""
import random
from dataclasses import dataclass

LANES = 32
CTAS = 4
WARPS = 2
ALL = 0xFFFFFFFF
# Bytes that each warp may access.
SPAN = 16384
SHARED_SPAN = 16384
MAGIC = 0x5EED5EED


@dataclass
class Kernel:
    """A kernel with one access. `operation` is a key of OPERATIONS, `bytes` what a lane accesses."""
    name: str
    operation: str
    bytes: int
    offsets: list
    active: int = ALL
    suffix: str = ''

    @property
    def is_shared(self):
        return OPERATIONS[self.operation].is_shared

    def ptx(self):
        """The text of the kernel."""
        return TEMPLATE.format(name=self.name, access=access(self), shared=SHARED_SPAN * WARPS,
                               span=SHARED_SPAN if self.is_shared else SPAN)

    def sim_arguments(self):
        """What `tk sim` is given besides the file."""
        fields = ','.join(f'i32={offset}' for offset in self.offsets)
        memory = f'i32[{SPAN * CTAS * WARPS // 4}]=0'
        arguments = [memory, '{' + fields + '}', f'u32={self.active}', f'u32={MAGIC}']
        return ['--grid', str(CTAS), '--threads', str(LANES * WARPS), '--check', 'none',
                *[word for argument in arguments for word in ('--arg', argument)]]


@dataclass
class Operation:
    """What a kernel does with its memory, and the counters of it."""
    text: str
    is_shared: bool = False


TYPES = {1: ('u8', 1, 'b16'), 2: ('b16', 1, 'b16'), 4: ('b32', 1, 'b32'), 8: ('b32', 2, 'b32'), 16: ('b32', 4, 'b32')}

OPERATIONS = {
    'load': Operation('@%on ld.global{v}.{ty} {values}, [%address];'),
    'store': Operation('@%on st.global{v}.{ty} [%address], {values};'),
    'reduce': Operation('@%on red.global.add.u32 [%address], %value0;'),
    'atomic': Operation('@%on atom.global.add.u32 %value0, [%address], %value1;'),
    'copy': Operation('@%on cp.async.{cache}.shared.global [%own], [%address], {bytes};\n\tcp.async.wait_all;\n'
                      '\t@%never ld.shared.b32 %value0, [%own];'),
    'bulk load': Operation('@%one mbarrier.init.shared.b64 [%barrier], 1;\n\t@%one fence.mbarrier_init.release.cluster;\n'
                           '\tbar.sync 0;\n\t@%one mbarrier.arrive.expect_tx.shared.b64 %state, [%barrier], {size};\n'
                           '\t@%one cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%base], [%data], '
                           '{size}, [%barrier];\n'
                           'WAIT:\n\tmbarrier.try_wait.parity.shared.b64 %done, [%barrier], 0;\n\t@!%done bra WAIT;'),
    'bulk store': Operation('fence.proxy.async.shared::cta;\n\tbar.sync 0;\n'
                            '\t@%one cp.async.bulk.global.shared::cta.bulk_group [%data], [%base], {size};\n'
                            '\tcp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;'),
    'shared load': Operation('@%on ld.shared{v}.{ty} {values}, [%place];', True),
    'shared store': Operation('@%on st.shared{v}.{ty} [%place], {values};\n\tbar.sync 0;\n'
                              '\t@%never ld.shared.b32 %value0, [%own];', True),
    'shared reduce': Operation('@%on red.shared.add.u32 [%place], %value0;\n\tbar.sync 0;\n'
                               '\t@%never ld.shared.b32 %value0, [%own];', True),
    'ldmatrix': Operation('ldmatrix.sync.aligned.m8n8.x{n}{trans}.shared.b16 {registers}, [%place];', True),
    'stmatrix': Operation('stmatrix.sync.aligned.m8n8.x{n}{trans}.shared.b16 [%place], {registers};\n\tbar.sync 0;\n'
                          '\t@%never ld.shared.b32 %value0, [%own];', True),
}

TEMPLATE = '''.version 8.6
.target sm_90a
.address_size 64
.visible .entry {name}(.param .u64 memory, .param .align 4 .b8 offsets[128], .param .u32 active, .param .u32 magic)
{{
	.reg .b64 %data, %address, %table, %wide, %state;
	.reg .b32 %me, %lane, %warp, %offset, %active, %magic, %bit, %base, %place, %own, %sum, %barrier, %global;
	.reg .b32 %value<4>;
	.reg .b16 %narrow<4>;
	.reg .pred %on, %never, %one, %done;
	.shared .align 1024 .b8 shared[{shared}];
	.shared .align 8 .b64 barrier;
	ld.param.u64 %data, [memory];
	ld.param.u32 %active, [active];
	ld.param.u32 %magic, [magic];
	mov.u32 %me, %tid.x;
	and.b32 %lane, %me, 31;
	shr.u32 %warp, %me, 5;
	mov.u32 %global, %ctaid.x;
	mad.lo.u32 %global, %global, 2, %warp;
	mov.b64 %table, offsets;
	mad.wide.u32 %table, %lane, 4, %table;
	ld.param.u32 %offset, [%table];
	shr.u32 %bit, %active, %lane;
	and.b32 %bit, %bit, 1;
	setp.ne.u32 %on, %bit, 0;
	setp.eq.u32 %never, %magic, %lane;
	setp.eq.u32 %one, %me, 0;
	mad.wide.u32 %data, %global, {span}, %data;
	cvt.u64.u32 %wide, %offset;
	add.u64 %address, %data, %wide;
	mov.u32 %base, shared;
	mov.u32 %barrier, barrier;
	mad.lo.u32 %base, %warp, {span}, %base;
	add.u32 %place, %base, %offset;
	mad.lo.u32 %own, %lane, 16, %base;
	mov.u32 %value0, %lane;
	mov.u32 %value1, %me;
	mov.u32 %value2, %warp;
	mov.u32 %value3, %global;
	cvt.u16.u32 %narrow0, %lane;
	{access}
	cvt.u32.u16 %sum, %narrow0;
	add.u32 %sum, %sum, %value0;
	add.u32 %sum, %sum, %value1;
	add.u32 %sum, %sum, %value2;
	add.u32 %sum, %sum, %value3;
	@%never st.global.b32 [%data], %sum;
	ret;
}}
'''


def access(kernel):
    """The instructions of a kernel's access."""
    text = OPERATIONS[kernel.operation].text
    ty, count, kind = TYPES.get(kernel.bytes, TYPES[16])
    names = [f'%{"narrow" if kind == "b16" else "value"}{i}' for i in range(count)]
    values = names[0] if count == 1 else '{' + ', '.join(names) + '}'
    matrices = int(kernel.suffix[0]) if 'matrix' in kernel.operation else 1
    registers = '{' + ', '.join(f'%value{i}' for i in range(matrices)) + '}'
    return text.format(v='' if count == 1 else f'.v{count}', ty=ty, values=values, bytes=kernel.bytes, size=SPAN // 4,
                       cache='cg' if kernel.bytes == 16 else 'ca', n=matrices, registers=registers,
                       trans='.trans' if kernel.suffix.endswith('t') else '')


def steps(by, start=0):
    """Each lane `by` bytes after the one before."""
    return [start + by * lane for lane in range(LANES)]


def over(function):
    """The offset of each lane by its number."""
    return [function(lane) for lane in range(LANES)]


def kernels():
    """The kernels of the table."""
    shared_row = over(lambda lane: lane % 8 * 16 + lane // 8 * 128)
    rows = [
        ('ld_b32', 'load', 4, steps(4)), ('ld_b8', 'load', 1, steps(1)), ('ld_b16', 'load', 2, steps(2)),
        ('ld_b64', 'load', 8, steps(8)), ('ld_b128', 'load', 16, steps(16)),
        ('ld_b32_stride_8', 'load', 4, steps(8)), ('ld_b32_stride_32', 'load', 4, steps(32)),
        ('ld_b32_stride_128', 'load', 4, steps(128)), ('ld_b32_offset_4', 'load', 4, steps(4, 4)),
        ('ld_b32_broadcast', 'load', 4, steps(0)), ('ld_b32_backwards', 'load', 4, steps(-4, 124)),
        ('ld_b32_pairs', 'load', 4, over(lambda lane: lane // 2 * 4)), ('ld_b128_stride_32', 'load', 16, steps(32)),
        ('ld_b64_offset_8', 'load', 8, steps(8, 8)), ('ld_b32_transposed', 'load', 4, over(lambda lane: lane * 512 % 16384)),
        ('ld_b128_repeated', 'load', 16, over(lambda lane: lane % 4 * 16)),
        ('st_b32', 'store', 4, steps(4)), ('st_b8', 'store', 1, steps(1)), ('st_b64_stride_16', 'store', 8, steps(16)),
        ('st_b128', 'store', 16, steps(16)), ('st_b32_stride_128', 'store', 4, steps(128)),
        ('st_b16_offset_2', 'store', 2, steps(2, 2)), ('st_b128_stride_64', 'store', 16, steps(64)),
        ('red_b32', 'reduce', 4, steps(4)), ('red_b32_same', 'reduce', 4, steps(0)), ('atom_b32', 'atomic', 4, steps(4)),
        ('atom_b32_stride_32', 'atomic', 4, steps(32)),
        ('cp_async_16', 'copy', 16, steps(16)), ('cp_async_4', 'copy', 4, steps(4)), ('cp_async_8', 'copy', 8, steps(32)),
        ('lds_b32', 'shared load', 4, steps(4)), ('lds_b32_stride_8', 'shared load', 4, steps(8)),
        ('lds_b32_stride_128', 'shared load', 4, steps(128)), ('lds_b16', 'shared load', 2, steps(2)),
        ('lds_b64', 'shared load', 8, steps(8)), ('lds_b64_stride_16', 'shared load', 8, steps(16)),
        ('lds_b64_repeated', 'shared load', 8, over(lambda lane: lane % 16 * 8)),
        ('lds_b64_broadcast', 'shared load', 8, steps(0)),
        ('lds_b128', 'shared load', 16, steps(16)), ('lds_b128_stride_32', 'shared load', 16, steps(32)),
        ('lds_b128_repeated', 'shared load', 16, over(lambda lane: lane % 8 * 16)),
        ('lds_b128_quads', 'shared load', 16, over(lambda lane: lane // 4 * 16)),
        ('lds_b128_broadcast', 'shared load', 16, steps(0)),
        ('sts_b32', 'shared store', 4, steps(4)), ('sts_b32_stride_8', 'shared store', 4, steps(8)),
        ('sts_b8', 'shared store', 1, steps(1)), ('sts_b64', 'shared store', 8, steps(8)),
        ('sts_b128', 'shared store', 16, steps(16)), ('sts_b128_stride_32', 'shared store', 16, steps(32)),
        ('reds_b32', 'shared reduce', 4, steps(4)),
        ('bulk_load', 'bulk load', 4, steps(0)), ('bulk_store', 'bulk store', 4, steps(0)),
    ]
    made = [Kernel(*row) for row in rows]
    made += [Kernel('ld_b32_half', 'load', 4, steps(4), 0xFFFF), Kernel('ld_b32_odd', 'load', 4, steps(4), 0xAAAAAAAA),
             Kernel('st_b32_one', 'store', 4, steps(4), 1 << 7), Kernel('lds_b128_half', 'shared load', 16, steps(16), 0xFFFF)]
    made += [Kernel('ldmatrix_4', 'ldmatrix', 16, shared_row, suffix='4'),
             Kernel('ldmatrix_4_stride_128', 'ldmatrix', 16, steps(128), suffix='4'),
             Kernel('ldmatrix_2_trans', 'ldmatrix', 16, shared_row, suffix='2t'),
             Kernel('ldmatrix_1', 'ldmatrix', 16, shared_row, suffix='1'),
             Kernel('stmatrix_4', 'stmatrix', 16, shared_row, suffix='4'),
             Kernel('stmatrix_4_stride_64', 'stmatrix', 16, steps(64), suffix='4')]
    return made


def probes(seed=1, count=96):
    """Random addresses of shared memory, from which the rule of wavefronts can be read."""
    draw, made = random.Random(seed), []
    for number in range(count):
        size = (8, 16, 4)[number % 3] if number % 6 != 5 else 8
        operation = 'shared store' if number % 4 == 3 else 'shared load'
        style = number // 3 % 8
        if style < 3:
            places = draw.choice((2, 3, 5, 8, 12, 16, 24, 48))
            offsets = over(lambda lane: size * draw.randrange(places))
        elif style < 5:
            order = [draw.randrange(64) for _ in range(8)]
            offsets = over(lambda lane: size * (order[lane // 4] if style == 3 else order[lane % 8]))
        elif style == 5:
            by = draw.choice((1, 2, 3, 4, 5, 6, 8, 16))
            offsets = over(lambda lane: size * by * lane % 8192)
        elif style == 6:
            offsets = over(lambda lane: size * draw.randrange(512))
        else:
            bits = [draw.choice((1, 2, 4, 8, 16, 32, 64)) for _ in range(5)]
            offsets = over(lambda lane: size * sum(bits[i] for i in range(5) if lane >> i & 1))
        active = draw.choice((ALL, ALL, 0xFFFF, 0x55555555, draw.getrandbits(32) | 1))
        # Writes of different values to one place are no fault within a warp.
        made.append(Kernel(f'probe_{number}', operation, size, offsets, active))
    return made + equal_probes(draw)


def equal_probes(draw):
    """Probes whose lanes access the same addresses as others whose numbers differ in some bits: in all of the warp, or in one part of it."""
    made = []
    for size in (8, 16):
        for operation in ('shared load', 'shared store'):
            for bits in range(1, 32):
                if bits.bit_count() > 2:
                    continue
                for places in (4, 64):
                    chosen = [size * draw.randrange(places) for _ in range(LANES)]
                    offsets = over(lambda lane: chosen[lane & ~bits])
                    made.append(Kernel(f'equal_{len(made)}', operation, size, offsets))
        for bit in (1, 2, 4):
            for part in (0xFFFF, 0xFFFF0000, 0xFF, 0xFF00FF, 0xFFFFFFF0, 0x0F0F0F0F):
                # Equal in one part, different in the other; and the other part left out.
                chosen = [size * draw.randrange(6) for _ in range(LANES)]
                offsets = over(lambda lane: chosen[lane & ~bit if part >> lane & 1 else lane])
                made.append(Kernel(f'equal_{len(made)}', 'shared load', size, offsets))
                made.append(Kernel(f'equal_{len(made)}', 'shared load', size, offsets, part))
            # One of two equal lanes left out: does it count as equal?
            chosen = [size * draw.randrange(6) for _ in range(LANES)]
            some = sum(1 << lane for lane in range(LANES) if not lane & bit or draw.random() < 0.5)
            made.append(Kernel(f'equal_{len(made)}', 'shared load', size, over(lambda lane: chosen[lane]), some))
    return made
