"""Settings of the process, under the names that programs know."""

import contextlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass


class Group:
    """Settings that belong together. One that tk does not have is an error, when it is read and when it is set."""

    def __init__(self, group, **settings):
        self.__dict__.update(_group=group, **settings)

    def __getattr__(self, name):
        raise AttributeError(f"tk.knobs.{self.__dict__.get('_group', '')} has no `{name}`")

    def __setattr__(self, name, value):
        if name not in self.__dict__:
            raise AttributeError(f"tk.knobs.{self._group} has no `{name}`")
        self.__dict__[name] = value

    @contextlib.contextmanager
    def scope(self):
        """What is set inside is as before outside."""
        before = {name: value for name, value in self.__dict__.items() if name != "_group"}
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)


def _is_set(name):
    return os.environ.get(name, "") not in ("", "0")


def _count(name):
    """The number that a variable of the environment says; None where it says none."""
    text = os.environ.get(name, "")
    return int(text) if text.isdigit() else None


class HookChain:
    """Hooks of launches, called in their order."""

    def __init__(self):
        self.calls = []

    def add(self, hook):
        if hook not in self.calls:
            self.calls.append(hook)
            _tell()

    def remove(self, hook):
        if hook in self.calls:
            self.calls.remove(hook)
            _tell()

    def __bool__(self):
        return bool(self.calls)

    def __call__(self, *args, **kwargs):
        for hook in self.calls:
            hook(*args, **kwargs)


_CHAINS = ("launch_enter_hook", "launch_exit_hook", "kernel_load_start_hook", "kernel_load_end_hook")


class _Language(Group):
    """The settings of compilations that a launch does not say itself."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)
        _tell_language()


@dataclass(frozen=True)
class CompileTimes:
    """Microseconds of a compilation. tk tells its stages apart with `tk compile --time-passes`; here all of them are one."""

    lowering_stages: list
    ir_initialization: int = 0
    store_results: int = 0

    @property
    def total_lowering(self):
        return sum(time for _, time in self.lowering_stages)

    @property
    def total(self):
        return self.ir_initialization + self.total_lowering + self.store_results


class _Runtime(Group):
    """The settings of launches, of which some hooks are chains: setting one replaces the chain's hooks."""

    def __setattr__(self, name, value):
        if name not in _CHAINS:
            super().__setattr__(name, value)
            return
        if not isinstance(value, HookChain):
            chain = HookChain()
            chain.calls = [] if value is None else [value]
            value = chain
        super().__setattr__(name, value)
        _tell()


_listener = None
_language_listener = None


def on_language(listener):
    """Says whom to tell whether products and sums are contracted by default, and whether kernels have to be portable."""
    global _language_listener
    _language_listener = listener
    _tell_language()


def _tell_language():
    if _language_listener is not None:
        _language_listener(bool(language.default_fp_fusion), bool(language.portable))


def on_launch_hooks(listener):
    """Says whom to tell whether there are hooks of launches."""
    global _listener
    _listener = listener
    _tell()


def _tell():
    if _listener is not None:
        _listener(bool(runtime.launch_enter_hook.calls or runtime.launch_exit_hook.calls))


class _Tool:
    """A program of the CUDA toolkit. tk needs none of them: without ptxas the driver assembles, and the version is that of CUDA whose PTX tk writes."""

    def __init__(self, name):
        self.name = name

    @property
    def path(self):
        """Where it is: beside the ptxas that TK_PTXAS names, on PATH, in a toolkit, or in an installed Triton, whose ptxas tk leaves alone."""
        named = os.environ.get("TK_PTXAS")
        if named and self.name == "ptxas":
            return named
        homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
        folders = [named and os.path.dirname(named), *os.environ.get("PATH", "").split(os.pathsep)]
        folders += [os.path.join(home, "bin") for home in homes if home]
        if self.name != "ptxas":
            folders += [_inside_triton("backends/nvidia/bin")]
        found = shutil.which(self.name, path=os.pathsep.join(filter(None, folders)))
        if found is None and self.name != "ptxas":
            raise RuntimeError(f"there is no {self.name} on PATH, in CUDA_HOME, or beside ptxas")
        return found

    @property
    def version(self):
        if self.path is None:
            return "12.8"
        said = subprocess.run([self.path, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"release (\d+\.\d+)", said)
        return found.group(1) if found else ""


def _inside_triton(path):
    """A path in the files of an installed Triton, which is not imported for it; None where there is none."""
    # Importing this takes longer than importing tk.
    from importlib import metadata

    try:
        return str(metadata.distribution("triton").locate_file(f"triton/{path}"))
    except metadata.PackageNotFoundError:
        return None


nvidia = Group("nvidia", **{name: _Tool(name) for name in ("ptxas", "nvdisasm", "cuobjdump")})
compilation = Group("compilation", listener=None, allow_non_constexpr_globals=_is_set("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS"))
language = _Language(
    "language",
    default_fp_fusion=os.environ.get("TRITON_DEFAULT_FP_FUSION", "1") != "0",
    # Kernels are only what Triton takes, too.
    portable=_is_set("TK_PORTABLE"),
)
runtime = _Runtime(
    "runtime",
    **{name: HookChain() for name in _CHAINS},
    jit_cache_hook=None,
    jit_post_compile_hook=None,
    override_arch=os.environ.get("TRITON_OVERRIDE_ARCH"),
    interpret=False,
    debug=_is_set("TRITON_DEBUG") or _is_set("TK_DEBUG"),
)


class _Cache(Group):
    """Where kernels and other files are kept: `TK_CACHE_DIR`, which setting `dir` sets."""

    @property
    def dir(self):
        home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        return os.environ.get("TK_CACHE_DIR") or os.path.join(home, "tk")

    def __setattr__(self, name, value):
        if name not in ("dir", "_chosen"):
            super().__setattr__(name, value)
        elif value != self._chosen:
            self.__dict__["_chosen"] = value
            os.environ.pop("TK_CACHE_DIR", None)
            if value is not None:
                os.environ["TK_CACHE_DIR"] = str(value)


cache = _Cache("cache", manager_class=None, _chosen=os.environ.get("TK_CACHE_DIR"))
autotuning = Group(
    "autotuning",
    cache=_is_set("TRITON_CACHE_AUTOTUNING") or _is_set("TK_CACHE_AUTOTUNING"),
    print=_is_set("TRITON_PRINT_AUTOTUNING") or _is_set("TK_PRINT_AUTOTUNING"),
    # How many GPUs measure at once; None for all that are like that of the launch.
    gpus=_count("TK_AUTOTUNING_GPUS"),
)


def __getattr__(name):
    raise AttributeError(f"tk.knobs has no `{name}`")
