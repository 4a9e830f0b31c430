"""Autotuning on all GPUs of the machine at once.

Each GPU like that of the launch gets copies of the arguments and measures a share of the configurations, in a thread of its own. What is found there
only says which configurations are hopeless: two GPUs of one model differ by some hundredths, and so do configurations. Every one that may be
the fastest is then measured on the GPU of the launch, which decides as if it had measured all of them.
"""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from .. import _native, knobs
from .jit import JITFunction

# A configuration whose time on another GPU is more than so many times that of the fastest is not measured again. Clocks, temperatures and what
# hooks add to the times of the GPU of the launch are less.
CLOSE = 1.25

# Fewer configurations for a GPU are not worth its context and its copies.
LEAST_SHARE = 4

# A GPU of whose memory more than the rest is in use works for somebody else.
_LEAST_FREE = 0.9

# Bytes of arguments, at most: copies of more take longer than they save.
_MOST_BYTES = 4 << 30

# What programs that are started several times at once find in their environment: each of them has a GPU of its own.
_COUNTS = ("WORLD_SIZE", "LOCAL_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")

# Ways to memory that is no argument: addresses made of integers or found in memory, descriptors in memory, and assembly with operands in memory.
_ELSEWHERE = re.compile(r'int_to_ptr|tt\.ptr<!tt\.ptr|reinterpret_tensor_descriptor|inline_asm "[^"]*\[')

# The other GPUs that nobody uses, once they were looked for.
_others = None


class NotShared(Exception):
    """Why configurations are measured on the GPU of the launch alone."""


def measure(tuner, configs, args, kwargs, bench):
    """The times of configurations, in their order. `bench` measures one on the GPU of the launch; the kernels of those that another GPU
    measured are told to the tuner."""
    try:
        shares = _shares(tuner, configs, args, kwargs)
    except NotShared as why:
        if knobs.autotuning.print:
            print(f"tk: one GPU measures all configurations of {tuner.base_fn.__name__}: {why}", flush=True)
        return {config: bench(config) for config in configs}
    if knobs.autotuning.print:
        print(f"tk: {len(shares) + 1} GPUs measure {len(configs)} configurations of {tuner.base_fn.__name__}", flush=True)
    taken = {config for share in shares for config in share.launches}
    with ThreadPoolExecutor(len(shares)) as executor:
        futures = [executor.submit(share.measure, tuner) for share in shares]
        own = {config: bench(config) for config in configs if config not in taken}
        elsewhere = {config: times for future in futures for config, times in future.result().items()}
    missing = [config for config in configs if config not in own and config not in elsewhere]
    own.update((config, bench(config)) for config in missing)
    times = decided(own, elsewhere, bench)
    return {config: times[config] for config in configs}


def decided(own, elsewhere, bench):
    """The times of all configurations: `own` with those of `elsewhere`, of which the close ones are measured again by `bench`."""
    own, left = dict(own), dict(elsewhere)
    while left:
        fastest = min(times[0] for times in (*own.values(), *left.values()))
        close = [config for config, times in left.items() if times[0] <= CLOSE * fastest]
        if not close:
            break
        for config in close:
            del left[config]
            own[config] = bench(config)
    return {**own, **left}


class _Share:
    """The configurations that one other GPU measures, with its copies of the arguments."""

    def __init__(self, ordinal, copies, zeroed, restored):
        self.ordinal, self.copies, self.zeroed, self.restored = ordinal, copies, zeroed, restored
        self.launches = {}

    def measure(self, tuner):
        """The times by configuration, without those that could not be measured."""
        warmup = 25 if tuner.num_warmups is None else tuner.num_warmups
        rep = 100 if tuner.num_reps is None else tuner.num_reps
        try:
            answers = self.copies.measure(list(self.launches.values()), self.zeroed, self.restored, warmup, rep)
        except Exception as error:  # noqa: BLE001: whatever it is, the GPU of the launch measures them
            _give_up(self.ordinal, error)
            return {}
        finally:
            self.copies = None
        return {config: times for config, times in zip(self.launches, answers) if not isinstance(times, str)}


def _give_up(ordinal, error):
    """Leaves a GPU alone from now on."""
    if ordinal in _others:
        _others.remove(ordinal)
    if knobs.autotuning.print:
        print(f"tk: GPU {ordinal} measures no configurations any more: {error}", flush=True)


def _shares(tuner, configs, args, kwargs):
    """What the other GPUs measure."""
    gpus = _gpus(tuner, configs)
    launches = {config: _launch(tuner.fn, args, {**kwargs, **config.all_kwargs()}) for config in configs}
    given = {**tuner.nargs, **kwargs}
    zeroed = [_span(given[name]) for name in tuner.reset_to_zero if given[name] is not None]
    restored = [_span(given[name]) for name in tuner.restore_value if given[name] is not None]
    ranges = _ranges(launches.values(), (*zeroed, *restored))
    source = _native.current_device()[0]

    def share(ordinal):
        try:
            return _Share(ordinal, _native.Copies(ordinal, source, ranges), zeroed, restored)
        except Exception as error:  # noqa: BLE001: a GPU without room is one that does not help
            _give_up(ordinal, error)
            return None

    with ThreadPoolExecutor(len(gpus)) as executor:
        shares = [made for made in executor.map(share, gpus) if made is not None]
    if not shares:
        raise NotShared("the arguments could not be copied")
    # The first share is that of the launch's own GPU.
    for at, config in enumerate(configs):
        whose = at % (len(shares) + 1)
        if whose > 0 and launches[config] is not None:
            shares[whose - 1].launches[config] = launches[config]
            tuner._compiled[config] = launches[config][0]
    return shares


def _gpus(tuner, configs):
    """The numbers of other GPUs that are worth their copies."""
    global _others
    most = len(configs) // LEAST_SHARE if knobs.autotuning.gpus is None else min(knobs.autotuning.gpus, len(configs) // LEAST_SHARE)
    if knobs.autotuning.gpus is not None and knobs.autotuning.gpus < 2:
        raise NotShared("TK_AUTOTUNING_GPUS allows no others")
    if most < 2:
        raise NotShared(f"another one is worth its copies from {2 * LEAST_SHARE} configurations on")
    if os.environ.get("TK_DEVICE"):
        raise NotShared("TK_DEVICE names it")
    if _is_one_of_many():
        raise NotShared("the program is one of several that work together")
    if tuner.measures_itself() or any(config.pre_hook is not None for config in configs):
        raise NotShared("hooks or a do_bench of the program take part")
    if knobs.runtime.launch_enter_hook or knobs.runtime.launch_exit_hook:
        raise NotShared("the program watches launches")
    if _others is None:
        _others = _native.idle_gpus(_LEAST_FREE)
    own = _native.current_device()[0]
    others = [ordinal for ordinal in _others if ordinal != own][: most - 1]
    if not others:
        raise NotShared("there is no other GPU like it that nobody uses")
    return others


def _is_one_of_many():
    for name in _COUNTS:
        count = os.environ.get(name, "")
        if count.isdigit() and int(count) > 1:
            return True
    distributed = sys.modules.get("torch.distributed")
    return distributed is not None and distributed.is_available() and distributed.is_initialized()


def _launch(fn, args, kwargs):
    """The kernel of a configuration with its grid and all arguments of its function; None where it does not compile."""
    from .autotuner import _UNFIT, Heuristics

    while isinstance(fn, Heuristics):
        fn, kwargs = fn.fn, fn._computed(args, kwargs)
    if not isinstance(fn, JITFunction) or fn.pre_run_hooks:
        raise NotShared("the kernel is launched by a function of the program")
    options = {name: value for name, value in kwargs.items() if name not in ("grid", "warmup")}
    try:
        kernel = fn.warmup(*args, **options)
    except _UNFIT:
        return None
    if kernel is None:
        return None
    named = {param.name: param.default for param in fn.params if param.has_default}
    named.update(zip(fn.arg_names, args))
    named.update(options)
    grid = kwargs["grid"](named) if callable(kwargs["grid"]) else kwargs["grid"]
    axes = [grid] if isinstance(grid, int) else list(grid)
    try:
        text = kernel.asm["ttir"]
    except Exception:  # noqa: BLE001: a kernel in a form that is past this one
        raise NotShared("what the kernel reaches is not known") from None
    if _ELSEWHERE.search(text):
        raise NotShared("the kernel may reach memory that is no argument")
    return kernel, (*map(int, axes), 1, 1)[:3], tuple(named[name] for name in fn.arg_names)


def _ranges(launches, spans):
    """The memory of all tensors among the arguments, as ranges that do not overlap."""
    found = sorted({_storage(tensor) for launch in launches if launch is not None for tensor in launch[0].tensors(launch[2])} | set(spans))
    ranges = []
    for address, size in found:
        if address == 0 or size == 0:
            continue
        if ranges and address < ranges[-1][0] + ranges[-1][1]:
            begin = ranges[-1][0]
            ranges[-1] = begin, max(ranges[-1][0] + ranges[-1][1], address + size) - begin
        else:
            ranges.append((address, size))
    if sum(size for _, size in ranges) > _MOST_BYTES:
        raise NotShared("the arguments are too large to be copied")
    return ranges


def _storage(tensor):
    """The memory that a tensor is part of: address and bytes."""
    whole = tensor if hasattr(tensor, "untyped_storage") else getattr(tensor, "base", None)
    if hasattr(whole, "untyped_storage"):
        if not whole.is_cuda:
            raise NotShared("an argument is no memory of the GPU")
        storage = whole.untyped_storage()
        return storage.data_ptr(), storage.nbytes()
    return _extent(tensor)


def _span(tensor):
    """The memory of a tensor's elements, which have to follow each other."""
    if hasattr(tensor, "is_contiguous") and hasattr(tensor, "element_size"):
        if not tensor.is_contiguous():
            raise NotShared("an argument that is reset or restored has gaps")
        return tensor.data_ptr(), tensor.numel() * tensor.element_size()
    if getattr(tensor, "__cuda_array_interface__", {}).get("strides") is not None:
        raise NotShared("an argument that is reset or restored may have gaps")
    return _extent(tensor)


def _extent(tensor):
    """From the first byte of an array to its last, by what `__cuda_array_interface__` says."""
    told = getattr(tensor, "__cuda_array_interface__", None)
    if told is None:
        raise NotShared("an argument does not say how long its memory is")
    shape, item = told["shape"], int(re.search(r"\d+$", told["typestr"]).group())
    if 0 in shape:
        return told["data"][0], 0
    strides = told.get("strides")
    if strides is None:
        elements = 1
        for size in shape:
            elements *= size
        return told["data"][0], elements * item
    if any(stride < 0 for stride in strides):
        raise NotShared("an argument has strides below zero")
    return told["data"][0], sum((size - 1) * stride for size, stride in zip(shape, strides)) + item
