"""The target of a compilation."""

from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class GPUTarget:
    """A GPU: `cuda`, its compute capability as a number, and the threads of a warp."""

    backend: str
    arch: Union[int, str]
    warp_size: int


def __getattr__(name):
    raise AttributeError(f"tk.backends.compiler has no `{name}`")
