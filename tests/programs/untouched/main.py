import torch
from ops.scale import Scale, Sizes, add_kernel, power_kernel_of, shift_kernel

def main():
    x = torch.randn(1000, device='cuda')
    y = Scale.apply(x, 2.5)
    torch.testing.assert_close(y, x * 2.5)
    add_kernel.fn[(Sizes.blocks(1000),)](x, y, 1000, BLOCK=Sizes.BLOCK)
    shift_kernel[(1,)](y, 1000, 1.0, BLOCK=1024)
    torch.testing.assert_close(y, x * 3.5 + 1)
    for exponent in (2, 3):
        z = x.clone()
        power_kernel_of(exponent)[(1,)](z, 1000, BLOCK=1024)
        torch.testing.assert_close(z, x ** exponent)
    print('as they are')
