"""Tensor descriptors that the host makes."""

from dataclasses import dataclass
from typing import Any, List


@dataclass
class TensorDescriptor:
    """A tensor of which a kernel copies blocks: `base` has the memory; sizes and strides are in elements."""

    base: Any
    shape: List[int]
    strides: List[int]
    block_shape: List[int]
    padding: str = "zero"
    round_f32_to_tf32: bool = False

    def __post_init__(self):
        rank = len(self.shape)
        assert 0 < rank <= 5, f"a tensor descriptor has 1 to 5 dimensions, not {rank}"
        assert len(self.strides) == rank, f"{rank} sizes and {len(self.strides)} strides"
        assert len(self.block_shape) == rank, f"{rank} sizes and {len(self.block_shape)} sizes of a block"
        assert self.strides[-1] == 1, "the last dimension of a tensor descriptor is contiguous"
        assert self.padding in ("zero", "nan"), f"{self.padding!r} is no padding of a descriptor"
        assert not self.round_f32_to_tf32, "tk rounds in the kernel: tl.dot(…, input_precision='tf32')"

    @staticmethod
    def from_tensor(tensor, block_shape, padding="zero"):
        """The descriptor of a whole tensor."""
        strides = tensor.stride() if hasattr(tensor, "data_ptr") else tuple(size // tensor.itemsize for size in tensor.strides)
        return TensorDescriptor(tensor, tensor.shape, strides, block_shape, padding)
