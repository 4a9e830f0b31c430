"""Numbers of the microscaling formats of the Open Compute Project, on tensors of torch: 4-bit floats (E2M1) and scales (E8M0)."""

import math

import torch

# The magnitudes of E2M1 by their three bits. There is neither infinity nor NaN.
_MAGNITUDES = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)

# The exponent of a scale is its byte less this; the last byte is NaN.
_BIAS = 127
_NAN = 255


class _Numbers:
    """Bytes in `data`, of a tensor of floats or of a size that is filled later."""

    def __init__(self, data=None, size=None, device=None):
        if data is None and size is None:
            raise ValueError("Either parameter data or size must be provided")
        self.device = device
        if data is None:
            self.size = size if isinstance(size, tuple) else (size,)
            return
        if not isinstance(data, torch.Tensor):
            raise TypeError("data is a tensor of torch")
        self.device, self.size = data.device, tuple(data.shape)
        self.data = self._encoded(data)

    def _random(self, low, high):
        self.data = torch.randint(low, high, self.size, dtype=torch.uint8, device=self.device)
        return self

    def to(self, dtype):
        """The numbers as floats of 32 bits."""
        if dtype != torch.float32:
            raise TypeError(f"the numbers become torch.float32, not {dtype}")
        return self._decoded()


class MXFP4Tensor(_Numbers):
    """Floats of 4 bits, one in each byte of `data`: sign, two bits of the exponent, one of the mantissa."""

    def random(self):
        """Fills the size with any of them."""
        return self._random(0, 16)

    def _decoded(self):
        magnitudes = torch.tensor(_MAGNITUDES, dtype=torch.float32, device=self.data.device)
        value = magnitudes[(self.data & 7).long()]
        return torch.where(self.data >= 8, -value, value)

    @staticmethod
    def _encoded(values):
        """The nearest, of two the one with an even mantissa; what is too big, infinite or NaN becomes the biggest."""
        magnitude = values.abs().float()
        magnitude = torch.where(magnitude.isfinite(), magnitude, torch.full_like(magnitude, _MAGNITUDES[-1]))
        code = torch.zeros_like(values, dtype=torch.uint8)
        for at, (low, high) in enumerate(zip(_MAGNITUDES, _MAGNITUDES[1:])):
            middle = (low + high) / 2
            is_above = magnitude > middle if at % 2 == 0 else magnitude >= middle
            code += is_above.to(torch.uint8)
        return code | (torch.signbit(values).to(torch.uint8) << 3)

    def to_packed_tensor(self, dim):
        """Two numbers in each byte along a dimension, the first in the low bits; an odd number of them is padded with zero."""
        data = self.data
        assert 0 <= dim < data.ndim, f"there is no dimension {dim} of {data.ndim}"
        if data.shape[dim] % 2:
            data = torch.cat([data, torch.zeros_like(data.narrow(dim, 0, 1))], dim)
        pairs = data.unflatten(dim, (-1, 2))
        return pairs.select(dim + 1, 0) | (pairs.select(dim + 1, 1) << 4)

    @staticmethod
    def unpack_packed_tensor(packed_tensor, dim, original_shape):
        """One number in each byte again, as many as `original_shape` has."""
        pairs = torch.stack((packed_tensor & 15, packed_tensor >> 4), dim + 1)
        return pairs.flatten(dim, dim + 1).narrow(dim, 0, original_shape[dim]).to(torch.uint8)


class MXScaleTensor(_Numbers):
    """Powers of two, as the exponents with a bias of 127."""

    def random(self, low=None, high=None):
        """Fills the size with scales from `low` to `high`."""
        least = 0 if low is None else max(0, int(math.log2(low)) + _BIAS)
        most = _NAN - 1 if high is None else min(_NAN - 1, max(0, int(math.log2(high)) + _BIAS))
        if least > most:
            raise ValueError(f"there is no scale from {low} to {high}")
        return self._random(least, most + 1)

    def _decoded(self):
        value = torch.exp2(self.data.float() - _BIAS)
        return torch.where(self.data == _NAN, torch.full_like(value, math.nan), value)

    @staticmethod
    def _encoded(values):
        """The biggest that is not above; what is not positive or not finite becomes NaN."""
        is_number = values.isfinite() & (values > 0)
        exponent = torch.floor(torch.log2(torch.where(is_number, values, torch.ones_like(values)))) + _BIAS
        return torch.where(is_number, exponent.clamp(0, _NAN - 1), torch.full_like(exponent, _NAN)).to(torch.uint8)
