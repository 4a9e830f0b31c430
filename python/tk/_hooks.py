"""What programs are told of compilations and launches: called by the extension module."""

import time
from dataclasses import dataclass

from . import _native, knobs
from .compiler import metadata
from .runtime._async_compile import active_mode


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


# When compilations began that a listener will be told of.
_began = {}


def before_compilation(function, key, types, options, is_warmup):
    """Before a kernel is compiled, or taken from the disk. A kernel in return is used instead; any other truth means that none is wanted."""
    if knobs.compilation.listener is not None:
        _began[key] = time.perf_counter()
    hook = knobs.runtime.jit_cache_hook
    if hook is not None and hook(**_told(function, key, types, options, is_warmup), already_compiled=False):
        return True
    mode = active_mode.get()
    return None if mode is None else mode.before_compilation(function, key, types, options, is_warmup)


def _told(function, key, types, options, is_warmup):
    """What the hooks of compilations get."""
    names = [param.name for param in function.params]
    is_plain = len(types) == len(names)
    signature = {name: one[0].split(":")[0] for name, one in zip(names, types)} if is_plain else {}
    constants = {(at,): one[1] for at, one in enumerate(types) if one[0] == "constexpr"} if is_plain else {}
    attributes = {(at,): [["tt.divisibility", 16]] for at, one in enumerate(types) if one[0].endswith(":16")}
    settings = ", ".join(f"{name}={value}" for name, value in options.items())
    shown = ", ".join(one[0] for one in types)
    return {
        "key": key,
        "repr": f"{function.__name__}[{settings}]({shown})",
        "fn": JitFunctionInfo(function.__module__, function.__qualname__, function),
        "compile": {
            "key": key,
            **options,
            "signature": signature,
            "device": _native.current_device()[0],
            "constants": constants,
            "configs": [attributes],
            "extern_libs": (),
            "launch_cooperative_grid": False,
            "is_warmup": is_warmup,
            "specialization_data": function.specialization_data(types, options),
        },
        "is_manual_warmup": is_warmup,
    }


@dataclass(frozen=True)
class JitFunctionInfo:
    """The function that a hook is told of."""

    module: str
    name: str
    jit_function: object


def name(function, kernel):
    """Names a new kernel as the `repr` of its function says."""
    if function._repr is None:
        return
    types, names = kernel.types(), [param.name for param in function.params]
    if len(types) == len(names):
        signature = {name: one[0].split(":")[0] for name, one in zip(names, types)}
        constants = {name: one[1] for name, one in zip(names, types) if one[0] == "constexpr"}
        kernel.show_as(str(function._repr(Specialization(function, signature, constants))))


@dataclass(frozen=True)
class Specialization:
    """What a kernel is compiled for, by the names of the parameters."""

    fn: object
    signature: dict
    constants: dict


def loading(name, key, begins):
    """Before and after a kernel is loaded on a device."""
    hook = knobs.runtime.kernel_load_start_hook if begins else knobs.runtime.kernel_load_end_hook
    if hook:
        hook(None, None, name, {}, key)


def compiled(function, kernel, was_cached, is_warmup):
    """After a compilation, or after a kernel was taken from the disk."""
    hook = knobs.runtime.jit_post_compile_hook
    if hook is not None:
        figures = kernel.figures()
        told = _told(function, kernel.hash, kernel.types(), kernel.asked_options(), is_warmup)
        told["compile"] = {**figures, **told["compile"]}
        hook(**told, already_compiled=was_cached)
    listener = knobs.compilation.listener
    if listener is not None:
        elapsed = round((time.perf_counter() - _began.pop(kernel.hash, time.perf_counter())) * 1e6)
        compiling, storing = kernel.microseconds()
        # Everything else: reading the text, looking on the disk, loading the kernel on the device.
        rest = max(elapsed - compiling - storing, 1)
        times = knobs.CompileTimes([("compile", compiling)] if compiling else [], rest, storing)
        listener(src=function, metadata=metadata(kernel)._asdict(), metadata_group={}, times=times, cache_hit=was_cached)


knobs.on_launch_hooks(_native.set_launch_hooks)

def _told_of_language(fp_fusion, portable):
    _native.set_default_fp_fusion(fp_fusion)
    _native.set_portable(portable)


knobs.on_language(_told_of_language)
