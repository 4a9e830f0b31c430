"""Arithmetic of launches."""


def cdiv(x, y):
    """How many blocks of `y` hold `x`."""
    return (x + y - 1) // y


def next_power_of_2(n):
    """The least power of two that is not below `n`."""
    return 1 << max(n - 1, 0).bit_length() if n > 0 else 0


cdiv.__tk_path__ = "triton.cdiv"
next_power_of_2.__tk_path__ = "triton.next_power_of_2"
