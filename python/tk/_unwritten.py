"""Memory that nothing has written, as the simulator sees it.

Torch writes its memory without telling tk. So what `torch.empty` and its kin give is filled with a word that is drawn when the program begins,
and words that still have it when a kernel is launched count as unwritten (`python/src/unwritten.rs`).
"""

import functools
import os
import sys

from . import _native

# Functions of torch, and methods of its tensors, that give memory as it is.
_FUNCTIONS = ("empty", "empty_like", "empty_strided", "empty_permuted")
_METHODS = ("new_empty", "new_empty_strided")

_is_watching = False


def _word():
    return bytes(_native.unwritten_word())


def fill(memory):
    """Fills a contiguous array or tensor with the word; what is no whole word of its own stays."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(memory, torch.Tensor):
        if memory.device.type != "cpu" or not memory.is_contiguous():
            raise ValueError("only contiguous tensors of the CPU can be made unwritten")
        _fill_bytes(torch, _bytes_of(torch, memory))
        return
    import numpy

    array = numpy.asarray(memory)
    if not array.flags.c_contiguous:
        raise ValueError("only contiguous arrays can be made unwritten")
    flat = array.reshape(-1).view(numpy.uint8)
    first = -flat.ctypes.data % 4 if flat.size else 0
    words = flat[first : first + (flat.size - first) // 4 * 4].view("<u4")
    words[...] = int.from_bytes(_word(), "little")


def _bytes_of(torch, tensor):
    """The bytes of a contiguous tensor."""
    width, start = tensor.element_size(), tensor.storage_offset() * tensor.element_size()
    whole = torch.tensor([], dtype=torch.uint8).set_(tensor.untyped_storage())
    return whole[start : start + tensor.numel() * width]


def _fill_bytes(torch, flat):
    first = -flat.data_ptr() % 4 if flat.numel() else 0
    words = flat[first : first + (flat.numel() - first) // 4 * 4]
    if words.numel():
        words.view(torch.int32).fill_(int.from_bytes(_word(), "little", signed=True))


def watch():
    """Makes the results of `torch.empty` and its kin unwritten, where torch is loaded and `TK_DEVICE=sim` asks for the simulator."""
    global _is_watching
    torch = sys.modules.get("torch")
    if _is_watching or os.environ.get("TK_DEVICE") != "sim" or not hasattr(torch, "empty_permuted") or not hasattr(torch, "compiler"):
        return
    _is_watching = True
    for owner, names in ((torch, _FUNCTIONS), (torch.Tensor, _METHODS)):
        for name in names:
            setattr(owner, name, _wrapped(torch, getattr(owner, name)))


def _wrapped(torch, function):
    @functools.wraps(function)
    def empty(*args, **kwargs):
        result = function(*args, **kwargs)
        # Memory that somebody else gave, and what compilers of torch trace, are none of this.
        if kwargs.get("out") is None and not torch.compiler.is_compiling() and _is_plain(torch, result):
            _fill_bytes(torch, torch.tensor([], dtype=torch.uint8).set_(result.untyped_storage()))
        return result

    return empty


def _is_plain(torch, tensor):
    """Whether this is memory of the CPU, and nothing that only looks like it."""
    return type(tensor) is torch.Tensor and tensor.device.type == "cpu" and tensor.layout == torch.strided
