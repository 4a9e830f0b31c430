"""Kernels with one access of an engine each: a tensor copy (TMA) into or out of shared memory, or a wgmma that reads its operands there.

All have the same parameters: the map of a matrix of 256 x 256 f16, memory, and a number that no sum is.
"""
from dataclasses import dataclass

CTAS = 4
ROWS = COLUMNS = 256
MAGIC = 0x5EED5EED
SHARED = 40960

TEMPLATE = '''.version 8.6
.target sm_90a
.address_size 64
.visible .entry {name}(.param .align 64 .b8 map[128], .param .u64 memory, .param .u32 magic)
{{
	.reg .b64 %map, %memory, %state, %left, %right;
	.reg .b32 %me, %magic, %base, %barrier, %sum, %row, %zero, %place;
	.reg .pred %one, %done, %never;
	.shared .align 1024 .b8 shared[{shared}];
	.shared .align 8 .b64 barrier;
{registers}	mov.b64 %map, map;
	cvta.param.u64 %map, %map;
	ld.param.u64 %memory, [memory];
	ld.param.u32 %magic, [magic];
	mov.u32 %me, %tid.x;
	mov.u32 %row, %ctaid.x;
	shl.b32 %row, %row, 6;
	setp.eq.u32 %one, %me, 0;
	mov.u32 %base, shared;
	mov.u32 %barrier, barrier;
	mov.u32 %zero, 0;
	mov.u32 %sum, %me;
{access}
	setp.eq.u32 %never, %sum, %magic;
	@%never st.global.b32 [%memory], %sum;
	ret;
}}
'''

LOAD = '''	@%one mbarrier.init.shared.b64 [%barrier], 1;
	@%one fence.mbarrier_init.release.cluster;
	bar.sync 0;
	@%one mbarrier.arrive.expect_tx.shared.b64 %state, [%barrier], {size};
	@%one cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%base], [%map, {{%zero, %row}}], [%barrier];
WAIT:
	mbarrier.try_wait.parity.shared.b64 %done, [%barrier], 0;
	@!%done bra WAIT;'''

STORE = '''	fence.proxy.async.shared::cta;
	bar.sync 0;
	@%one cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%map, {{%zero, %row}}], [%base];
	cp.async.bulk.commit_group;
	cp.async.bulk.wait_group 0;'''


@dataclass
class Engine:
    """A kernel: its access, the threads of a CTA, and the box of its map with its swizzle."""
    name: str
    access: str
    threads: int = 32
    box: tuple = (64, 64)
    swizzle: int = 128
    registers: str = ''

    def ptx(self):
        """The text of the kernel."""
        return TEMPLATE.format(name=self.name, shared=SHARED, registers=self.registers, access=self.access)

    def sim_arguments(self):
        """What `tk sim` is given besides the file."""
        box = 'x'.join(map(str, self.box))
        arguments = [f'map:f16[{ROWS},{COLUMNS}]:{box}:{self.swizzle}=0', 'i32[4]=0', f'u32={MAGIC}']
        return ['--grid', str(CTAS), '--threads', str(self.threads), '--check', 'none',
                *[word for argument in arguments for word in ('--arg', argument)]]


def copy(name, text, box, swizzle):
    """A tensor copy."""
    return Engine(name, text.format(size=2 * box[0] * box[1]), 32, box, swizzle)


def product(name, width, left='shared', swizzle=1):
    """A wgmma of 64 x width x 16; `swizzle` is the field of the descriptors: 0 for none, 1 for 128 bytes, 2 for 64, 3 for 32."""
    count = width // 2
    # Rows of 128, 64, 32 or 16 bytes, eight of which follow each other.
    stride = {0: 16, 1: 64, 2: 32, 3: 16}[swizzle]
    fields = swizzle << 62 | stride << 32 | (8 if swizzle == 0 else 1) << 16
    registers = f'\t.reg .b32 %d<{count}>, %a<4>;\n'
    values = ', '.join(f'%d{i}' for i in range(count))
    first = '%left' if left == 'shared' else '{%a0, %a1, %a2, %a3}'
    transposes = '0, 0' if left == 'shared' else '0'
    access = ('\tshr.u32 %place, %base, 4;\n\tand.b32 %place, %place, 0x3fff;\n\tcvt.u64.u32 %left, %place;\n'
              f'\tor.b64 %left, %left, {fields:#x};\n\tadd.u64 %right, %left, 512;\n'
              + ''.join(f'\tmov.b32 %d{i}, 0;\n' for i in range(count)) + ''.join(f'\tmov.b32 %a{i}, 0;\n' for i in range(4))
              + '\tsetp.ne.u32 %done, %base, 0xffff;\n\twgmma.fence.sync.aligned;\n'
              f'\twgmma.mma_async.sync.aligned.m64n{width}k16.f32.f16.f16 {{{values}}}, {first}, %right, %done, 1, 1, {transposes};\n'
              '\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n'
              + ''.join(f'\txor.b32 %sum, %sum, %d{i};\n' for i in range(count)))
    return Engine(name, access, 128, registers=registers)


def engines():
    """The kernels of the table."""
    return [
        copy('tma_load_128', LOAD, (64, 64), 128), copy('tma_load_64', LOAD, (64, 32), 64),
        copy('tma_load_32', LOAD, (64, 16), 32), copy('tma_load_none', LOAD, (64, 64), 0),
        copy('tma_load_wide', LOAD, (32, 256), 0), copy('tma_load_narrow', LOAD, (64, 8), 0),
        copy('tma_store_128', STORE, (64, 64), 128), copy('tma_store_none', STORE, (64, 64), 0),
        copy('tma_store_narrow', STORE, (64, 8), 0),
        product('wgmma_n8', 8), product('wgmma_n64', 64), product('wgmma_n128', 128), product('wgmma_n256', 256),
        product('wgmma_n64_registers', 64, 'registers'), product('wgmma_n256_registers', 256, 'registers'),
        product('wgmma_n64_none', 64, swizzle=0), product('wgmma_n64_64', 64, swizzle=2), product('wgmma_n64_32', 64, swizzle=3),
    ]
