"""Configurations of a kernel, and the choice among them."""

import builtins
import contextlib
import os
import time
from concurrent.futures import ThreadPoolExecutor

from .. import _native, knobs
from ..errors import AutotunerError, CompileTimeAssertionFailure, OutOfResources, PTXASError
from . import _gpus, tuned
from ._async_compile import AsyncCompileMode, active_mode
from .jit import KernelInterface

_OPTIONS = ("num_warps", "num_stages", "num_ctas", "maxnreg")
_ADDED = (*_OPTIONS, "ir_override")

# What takes a configuration out of the choice.
_UNFIT = (OutOfResources, PTXASError, CompileTimeAssertionFailure)


class Config:
    """Values of constexpr parameters, and options of the compilation."""

    def __init__(
        self,
        kwargs,
        num_warps=4,
        num_stages=3,
        num_ctas=1,
        maxnreg=None,
        pre_hook=None,
        ir_override=None,
        num_buffers_warp_spec=0,
        num_consumer_groups=0,
        reg_dec_producer=0,
        reg_inc_consumer=0,
        minRegAutoWS=None,
        maxRegAutoWS=None,
    ):
        self.kwargs = kwargs
        self.num_warps = num_warps
        self.num_stages = num_stages
        self.num_ctas = num_ctas
        self.maxnreg = maxnreg
        self.pre_hook = pre_hook
        self.ir_override = ir_override

    def __setstate__(self, state):
        self.__init__({})
        self.__dict__.update(state)

    def all_kwargs(self):
        """The arguments that a launch of this configuration adds."""
        found = self.kwargs.copy()
        for name in _ADDED:
            value = getattr(self, name)
            if value is not None:
                found[name] = value
        return found

    def __str__(self):
        values = [f"{name}: {value}" for name, value in self.kwargs.items()]
        values += [f"{name}: {getattr(self, name)}" for name in _OPTIONS]
        return ", ".join(values)

    def _identity(self):
        return (*self.all_kwargs().items(), self.pre_hook)

    def __hash__(self):
        return hash(self._identity())

    def __eq__(self, other):
        return isinstance(other, Config) and self._identity() == other._identity()


class Autotuner(KernelInterface):
    """A kernel that measures its configurations when its key changes, and keeps the fastest."""

    def __init__(
        self,
        fn,
        arg_names,
        configs,
        key,
        reset_to_zero,
        restore_value,
        pre_hook=None,
        post_hook=None,
        prune_configs_by=None,
        warmup=None,
        rep=None,
        use_cuda_graph=False,
        do_bench=None,
        cache_results=False,
    ):
        self.configs = configs or [Config({})]
        self.keys = key
        self.cache = {}
        self.arg_names = arg_names
        self.fn = fn
        self.base_fn = fn
        while not hasattr(self.base_fn, "params") and hasattr(self.base_fn, "fn"):
            self.base_fn = self.base_fn.fn
        self.cache_results = cache_results
        self.reset_to_zero = list(reset_to_zero or ())
        self.restore_value = list(restore_value or ())
        self.restore_copies = {}
        self.user_defined_pre_hook, self.user_defined_post_hook = bool(pre_hook), bool(post_hook)
        self.pre_hook = pre_hook or self._prepare
        self.post_hook = post_hook or self._restore
        pruning = prune_configs_by or {}
        self.perf_model = pruning.get("perf_model")
        self.configs_top_k = pruning.get("top_k", 1.0)
        self.early_config_prune = pruning.get("early_config_prune")
        self.num_warmups, self.num_reps, self.use_cuda_graph = warmup, rep, use_cuda_graph
        self._do_bench = do_bench
        self.nargs = None
        self.best_config = None
        self.configs_timings = None
        self.bench_time = None
        # By configuration: the kernels of those that were tried for the key at hand, or why there is none.
        self._compiled = {}

    def __getattr__(self, name):
        if name in ("fn", "base_fn"):
            raise AttributeError(name)
        return getattr(self.fn, name)

    def _prepare(self, kwargs, reset_only=False):
        for name in self.reset_to_zero:
            if kwargs[name] is not None:
                _zero(kwargs[name])
        if not reset_only:
            self.restore_copies = {name: _copy(kwargs[name]) for name in self.restore_value if kwargs[name] is not None}

    def _restore(self, kwargs, exception):
        for name, copy in self.restore_copies.items():
            _assign(kwargs[name], copy)
        self.restore_copies = {}

    @property
    def do_bench(self):
        if self._do_bench is not None:
            return self._do_bench
        from .. import testing

        if self.use_cuda_graph:
            return lambda work, quantiles: testing.do_bench_cudagraph(work, quantiles=quantiles)
        times = {name: value for name, value in (("warmup", self.num_warmups), ("rep", self.num_reps)) if value is not None}
        return lambda work, quantiles: testing.do_bench(work, quantiles=quantiles, **times)

    def measures_itself(self):
        """Whether the program has a part in measuring."""
        has_hooks = self.pre_hook != self._prepare or self.post_hook != self._restore
        is_own = any(getattr(type(self), name) is not getattr(Autotuner, name) for name in ("_bench", "_prepare", "_restore", "do_bench"))
        return has_hooks or is_own or self._do_bench is not None or self.use_cuda_graph

    def _bench(self, *args, config, **meta):
        conflicts = meta.keys() & config.kwargs.keys()
        if conflicts:
            names = ", ".join(sorted(conflicts))
            raise ValueError(f"Conflicting meta-parameters: both the launch and the configuration give {names}.")
        current = {**meta, **config.all_kwargs()}
        is_first = True

        def work():
            nonlocal is_first
            with self._hooks(config, current):
                if is_first:
                    is_first, self._compiled[config] = False, self._compile(args, current)
                self.fn.run(*args, **current)

        try:
            return self.do_bench(work, quantiles=(0.5, 0.2, 0.8))
        except _UNFIT as error:
            self._compiled[config] = str(error)
            if knobs.autotuning.print:
                print(f"tk: {config} is left out: {error}", flush=True)
            return [float("inf")] * 3

    @contextlib.contextmanager
    def _hooks(self, config, current):
        """Calls the hooks before and after one run of a configuration, also where the run fails."""
        full = {**self.nargs, **current}
        if config.pre_hook is not None:
            config.pre_hook(full)
        self.pre_hook(full)
        try:
            yield
        except Exception as error:
            try:
                self.post_hook(full, exception=error)
            finally:
                raise
        self.post_hook(full, exception=None)

    def _compile(self, args, current):
        """The kernel that is compiled for a configuration."""
        arguments = {name: value for name, value in current.items() if name not in ("grid", "warmup")}
        return self.fn.warmup(*args, grid=(1,), **arguments)

    def _compile_all(self, configs, args, kwargs):
        """Compiles for all configurations, on all cores. What does not compile says so when it is its turn to be measured."""
        if active_mode.get() is not None:
            return
        with ThreadPoolExecutor(builtins.min(len(configs), os.cpu_count() or 1)) as executor, AsyncCompileMode(executor, ignore_errors=True):
            for config in configs:
                current = {**kwargs, **config.all_kwargs()}
                if config.pre_hook is not None:
                    config.pre_hook({**self.nargs, **current})
                with contextlib.suppress(*_UNFIT):
                    self._compile(args, current)

    def prune_configs(self, kwargs):
        """The configurations that are worth measuring for these arguments."""
        pruned = self.configs
        if self.early_config_prune:
            pruned = self.early_config_prune(self.configs, self.nargs, **kwargs)
            if not pruned:
                raise AutotunerError(
                    "No valid autotuner configs after pruning. `early_config_prune` should return at least one config."
                )
        if self.perf_model:
            top_k = self.configs_top_k
            if isinstance(top_k, float) and top_k <= 1.0:
                top_k = builtins.max(1, int(len(self.configs) * top_k))
            elif not isinstance(top_k, int):
                raise TypeError("top_k of prune_configs_by is a share, at most 1.0, or a number of configurations")
            if len(pruned) > top_k:
                times = {config: self.perf_model(**self.nargs, **kwargs, **config.all_kwargs()) for config in pruned}
                pruned = sorted(times, key=times.get)[:top_k]
        return pruned

    def check_disk_cache(self, tuning_key, configs, bench_fn):
        """Whether the times of the configurations are on the disk; else `bench_fn` measures them, and they are stored."""
        is_kept = bool(tuning_key) and all(config.pre_hook is None for config in configs)
        timings = tuned.load(self, tuning_key) if is_kept else None
        if timings is not None:
            self._decide(tuning_key, timings)
            return True
        bench_fn()
        if is_kept:
            tuned.store(self, tuning_key, self.configs_timings)
        return False

    def _decide(self, key, timings):
        best = builtins.min(timings, key=lambda config: timings[config][0])
        if timings[best][0] == float("inf"):
            raise OutOfResources("no configuration of the kernel fits the GPU")
        self.cache[key], self.configs_timings = best, timings

    def _key_text(self, given):
        """The key as files of results have it: `M=512 N=512 float16 float16`."""
        words = [f"{name}={list(given[name].shape) if getattr(given[name], 'shape', ()) else given[name]}" for name in self.keys if name in given]
        for name, value in given.items():
            tensor = value.base if hasattr(value, "block_shape") else value
            if name in self.arg_names and hasattr(tensor, "dtype"):
                words.append(str(tensor.dtype).removeprefix("torch."))
        return " ".join(words)

    def _tune(self, key, args, kwargs):
        """Chooses the configuration of a new key; whether it was known."""
        pruned = list(self.prune_configs(kwargs))
        text, self._compiled = self._key_text({**self.nargs, **kwargs}), {}
        shipped = tuned.shipped(self.base_fn.__name__, text, pruned) if len(pruned) > 1 else None
        if shipped is not None:
            self.cache[key], self.configs_timings = shipped, {}
            return True

        def benchmark():
            start = time.time()
            if len(pruned) == 1:
                self.cache[key], self.configs_timings = pruned[0], {}
            elif _native.is_simulator():
                self.cache[key], self.configs_timings = self._first_that_fits(pruned, args, kwargs), {}
            else:
                self._compile_all(pruned, args, kwargs)
                self._decide(key, _gpus.measure(self, pruned, args, kwargs, lambda config: self._bench(*args, config=config, **kwargs)))
            self.bench_time = time.time() - start
            self.pre_hook({**self.nargs, **kwargs, **self.cache[key].all_kwargs()}, reset_only=True)

        is_measured, was_kept = len(pruned) > 1 and not _native.is_simulator(), False
        if is_measured and (self.cache_results or knobs.autotuning.cache):
            was_kept = self.check_disk_cache(key, pruned, benchmark)
        else:
            benchmark()
        if len(pruned) > 1:
            decision = "Remembered" if was_kept else "Measured" if is_measured else "FirstThatFits"
            timings, seconds = self.configs_timings, 0.0 if was_kept else self.bench_time
            compiled = [self._compiled.get(config) for config in pruned]
            tuned.found(self.base_fn.__name__, text, pruned, self.cache[key], timings, compiled, decision, seconds)
        return was_kept

    def _first_that_fits(self, configs, args, kwargs):
        """The simulator's times say nothing of a GPU."""
        failure = None
        for config in configs:
            current = {**kwargs, **config.all_kwargs()}
            try:
                with self._hooks(config, current):
                    self._compiled[config] = self._compile(args, current)
                return config
            except _UNFIT as error:
                failure, self._compiled[config] = error, str(error)
        raise failure

    def run(self, *args, **kwargs):
        self.nargs = dict(zip(self.arg_names, args))
        if len(self.configs) > 1:
            given = {**self.nargs, **kwargs}
            key = [given[name] for name in self.keys if name in given]
            key += [str(arg.dtype) for name, arg in given.items() if name in self.arg_names and hasattr(arg, "dtype")]
            key = tuple(key)
            if key not in self.cache:
                was_kept = self._tune(key, args, kwargs)
                if knobs.autotuning.print and not was_kept:
                    print(
                        f"Autotuning kernel {self.base_fn.__name__} with key {key} took {self.bench_time:.2f} s,\n"
                        f"best config selected: {self.cache[key]};",
                        flush=True,
                    )
            config = self.cache[key]
        else:
            config = self.configs[0]
        self.best_config = config
        kwargs.update(config.all_kwargs())
        if config.pre_hook is not None:
            config.pre_hook({**self.nargs, **kwargs})
        result = self.fn.run(*args, **kwargs)
        self.nargs = None
        return result

    def warmup(self, *args, **kwargs):
        self.nargs = dict(zip(self.arg_names, args))
        kernels = [self.fn.warmup(*args, **{**kwargs, **config.all_kwargs()}) for config in self.prune_configs(kwargs)]
        self.nargs = None
        return kernels


class Heuristics(KernelInterface):
    """A kernel of whose parameters some are computed from the others."""

    def __init__(self, fn, arg_names, values):
        self.fn = fn
        self.arg_names = arg_names
        self.values = values

    def __getattr__(self, name):
        if name == "fn":
            raise AttributeError(name)
        return getattr(self.fn, name)

    def _computed(self, args, kwargs):
        given = {**dict(zip(self.arg_names, args)), **kwargs}
        for name, value in self.values.items():
            kwargs[name] = value({**given, **kwargs})
        return kwargs

    def run(self, *args, **kwargs):
        return self.fn.run(*args, **self._computed(args, kwargs))

    def warmup(self, *args, **kwargs):
        return self.fn.warmup(*args, **self._computed(args, kwargs))


def autotune(
    configs,
    key,
    prune_configs_by=None,
    reset_to_zero=None,
    restore_value=None,
    pre_hook=None,
    post_hook=None,
    warmup=None,
    rep=None,
    use_cuda_graph=False,
    do_bench=None,
    cache_results=False,
):
    """Measures the configurations whenever the values of the arguments in `key` are new, and keeps the fastest."""

    def decorate(fn):
        return Autotuner(
            fn,
            fn.arg_names,
            configs,
            key,
            reset_to_zero,
            restore_value,
            pre_hook=pre_hook,
            post_hook=post_hook,
            prune_configs_by=prune_configs_by,
            warmup=warmup,
            rep=rep,
            use_cuda_graph=use_cuda_graph,
            do_bench=do_bench,
            cache_results=cache_results,
        )

    return decorate


def heuristics(values):
    """Computes parameters from the other arguments: `values` has a function for each."""

    def decorate(fn):
        return Heuristics(fn, fn.arg_names, values)

    return decorate


def _zero(tensor):
    if hasattr(tensor, "zero_"):
        tensor.zero_()
    else:
        tensor[...] = 0


def _copy(tensor):
    return tensor.clone() if hasattr(tensor, "clone") else tensor.copy()


def _assign(tensor, copy):
    if hasattr(tensor, "copy_"):
        tensor.copy_(copy)
    else:
        tensor[...] = copy
