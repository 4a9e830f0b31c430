"""Builds extension modules of Python from C, for programs that bring a launcher or a helper of their own."""

import hashlib
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sysconfig
import tempfile

from . import cache


def _compiler():
    named = os.environ.get("CC")
    found = named or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if found is None:
        raise RuntimeError("Failed to find C compiler. Please specify via CC environment variable.")
    return found


def _build(name, source, folder, library_dirs, include_dirs, libraries, ccflags):
    """Compiles a file of C into a shared library in a folder."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    library = os.path.join(folder, f"{name}{suffix}")
    include_dirs = [*include_dirs, folder, sysconfig.get_paths()["include"]]
    command = [_compiler(), source, "-O3", "-shared", "-fPIC", "-Wno-psabi", "-o", library]
    command += [f"-l{one}" for one in libraries] + [f"-L{one}" for one in library_dirs] + [f"-I{one}" for one in include_dirs]
    subprocess.run([*command, *ccflags], check=True, stdout=subprocess.DEVNULL)
    return library


def _load(name, path):
    spec = importlib.util.spec_from_loader(name, importlib.machinery.ExtensionFileLoader(name, path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_module_from_src(src, name, library_dirs=None, include_dirs=None, libraries=None, ccflags=None):
    """The module of a text of C. It is built once and then taken from the cache; what does not load there is built again."""
    lists = [list(one or []) for one in (library_dirs, include_dirs, libraries, ccflags)]
    told = (src, *lists, sysconfig.get_config_var("EXT_SUFFIX"), cache.triton_key())
    manager = cache.get_cache_manager(hashlib.sha256(repr(told).encode()).hexdigest())
    file = f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    known = manager.get_file(file)
    if known is not None:
        try:
            return _load(name, known)
        except (ImportError, OSError):
            pass  # It is damaged, or of another machine.
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, f"{name}.c")
        with open(source, "w") as out:
            out.write(src)
        with open(_build(name, source, folder, *lists), "rb") as built:
            return _load(name, manager.put(built.read(), file, binary=True))
