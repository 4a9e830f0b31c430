"""What programs are told of compilations and launches: called by the extension module."""

import time

from . import _native, knobs
from .compiler import metadata


class LaunchMetadata:
    """What a launch hook gets: `get()` gives the name of the kernel, the kernel and the grid."""

    def __init__(self, data):
        self.data = data

    def get(self):
        return self.data

    def __getitem__(self, name):
        return self.data[name]


def launched(kernel, grid, function=None, arguments=None):
    """What the hooks of one launch get: its own `launch_metadata` comes on top."""
    data = {"name": kernel.name, "function": kernel, "grid": tuple(grid)}
    own = getattr(function, "launch_metadata", None)
    if own is not None:
        data.update(own(tuple(grid), kernel, arguments))
    return LaunchMetadata(data)


def enter(data):
    knobs.runtime.launch_enter_hook(data)


def exit(data):
    knobs.runtime.launch_exit_hook(data)


def compiled(function, kernel, was_cached, is_warmup):
    """After a compilation, or after a kernel was taken from the disk."""
    hook = knobs.runtime.jit_post_compile_hook
    if hook is not None:
        hook(
            key=kernel.hash,
            repr=f"{kernel.name}[{kernel.signature}]",
            fn=function,
            compile={
                "key": kernel.hash,
                **kernel.figures(),
                "signature": kernel.signature,
                "specialization_data": function.specialization_data(kernel),
            },
            is_manual_warmup=is_warmup,
            already_compiled=was_cached,
        )
    listener = knobs.compilation.listener
    if listener is not None:
        listener(src=function, metadata=vars(metadata(kernel)), metadata_group={}, times=time.time(), cache_hit=was_cached)


knobs.on_launch_hooks(_native.set_launch_hooks)
