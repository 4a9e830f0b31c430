"""Finds the kernels of a repository and writes each as one file of its own.

usage: collect.py REPOSITORY OUT
A kernel file contains what the kernel needs and nothing else: its text, the jit functions it calls (of other files too),
and the module-level constants.  OUT/kernels.jsonl has a line for every kernel: name, file, configurations of its
autotuner, names of its heuristics, and its launches as argument texts.  Needs Triton, no GPU.
"""
import ast
import hashlib
import importlib
import inspect
import json
import pathlib
import re
import signal
import sys
import textwrap
import types

import foreign

KINDS = (bool, int, float, str, type(None))


class Unwritable(Exception):
    """A kernel needs something that has no text of its own."""


def unwrapped(value):
    """The jit function under autotuners, heuristics and a repository's own wrappers; what they carry."""
    from triton.runtime.jit import JITFunction

    configs, heuristics = [], {}
    for _ in range(8):
        if isinstance(value, JITFunction):
            return value, configs, heuristics
        if isinstance(value, foreign.Nothing):
            return None, [], {}
        found = getattr(value, "configs", None)
        if isinstance(found, (list, tuple)):
            configs = configs or list(found)
        if isinstance(getattr(value, "values", None), dict):
            heuristics.update(value.values)
        value = getattr(value, "fn", None)
    return None, [], {}


def literal(value):
    """The Python text of a constant, or nothing."""
    import triton.language as tl

    if isinstance(value, tl.constexpr):
        inner = literal(value.value)
        return inner if inner is None or inner.startswith("tl.constexpr") else f"tl.constexpr({inner})"
    if isinstance(value, tl.dtype):
        return f"tl.{value}" if value.is_floating() or value.is_int() else None
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return f'float("{value}")'
    if isinstance(value, KINDS):
        return repr(value)
    if isinstance(value, (tuple, list)):
        parts = [literal(v) for v in value]
        if None in parts:
            return None
        return "(" + "".join(p + ", " for p in parts) + ")" if isinstance(value, tuple) else "[" + ", ".join(parts) + "]"
    return None


class Writer:
    """One kernel file in the making."""

    def __init__(self):
        self.names, self.parts, self.modules = {}, [], {}

    def function(self, fn, noinline=False):
        name = fn.__name__
        known = self.names.get(name)
        if known is fn:
            return name
        if known is not None:
            raise Unwritable(f"two things are called {name}")
        self.names[name] = fn
        source = textwrap.dedent(fn.src)
        head = "@triton.jit(noinline=True)\n" if fn.noinline else "@triton.jit\n"
        renamed = self.globals_of(ast.parse(source), fn.__globals__ | closure(fn.fn))
        if renamed:
            source = rename(source, renamed)
        self.parts.append(head + source.rstrip() + "\n")
        return name

    def plain(self, cls):
        """A constexpr function, an aggregate or a named tuple."""
        source = textwrap.dedent(inspect.getsource(cls))
        self.names[cls.__name__] = cls
        self.globals_of(ast.parse(source), vars(sys.modules[cls.__module__]))
        self.parts.append(source.rstrip() + "\n")

    def globals_of(self, tree, scope):
        local = {a.arg for a in ast.walk(tree) if isinstance(a, ast.arg)}
        local |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        annotations = {id(n) for a in ast.walk(tree) if isinstance(a, ast.arg) and a.annotation for n in ast.walk(a.annotation)}
        renamed = {}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Name) or node.id in local or node.id not in scope or id(node) in annotations:
                continue
            if node.id in renamed:
                continue
            real = self.define(node.id, scope[node.id])
            if real and real != node.id:
                renamed[node.id] = real
        return renamed

    def define(self, name, value):
        """Writes what a global name is; the name it goes by in the new file."""
        fn, _, _ = unwrapped(value) if not isinstance(value, (type, types.ModuleType)) else (None, 0, 0)
        if fn is not None:
            try:
                return self.function(fn)
            except Unwritable:
                if "two things" not in str(sys.exc_info()[1]):
                    raise
            other = fn.__name__ + "_" + hashlib.sha256(fn.src.encode()).hexdigest()[:6]
            if other not in self.names:
                self.names[other] = fn
                source = textwrap.dedent(fn.src)
                inner = self.globals_of(ast.parse(source), fn.__globals__ | closure(fn.fn))
                source = rename(source, inner | {fn.__name__: other})
                self.parts.append("@triton.jit\n" + source.rstrip() + "\n")
            return other
        if name in self.names:
            if self.names[name] is value or literal(self.names[name]) == literal(value) is not None:
                return name
            raise Unwritable(f"two things are called {name}")
        text = self.text_of(name, value)
        self.names[name] = value
        if text:
            self.parts.insert(0, text + "\n") if text.startswith(("import", "from")) else self.parts.append(text + "\n")
        return name

    def text_of(self, name, value):
        if isinstance(value, foreign.Nothing):
            return None
        if isinstance(value, types.ModuleType):
            real = value.__name__
            if real.split(".")[0] not in ("triton", "math", "numpy"):
                return self.package(name, value)
            if (name, real) in (("triton", "triton"), ("tl", "triton.language")):
                return None
            if "." not in real and name == real:
                return f"import {real}"
            head, _, tail = real.rpartition(".")
            if not head:
                return f"import {real} as {name}"
            return f"from {head} import {tail}" + (f" as {name}" if tail != name else "")
        text = literal(value)
        if text is not None:
            return f"{name} = {text}"
        module, real = getattr(value, "__module__", "") or "", getattr(value, "__name__", None)
        if module.startswith("triton.") and real:
            holder = "triton.language" if real in vars(sys.modules["triton.language"]) else module
            return f"from {holder} import {real}" + (f" as {name}" if real != name else "")
        if type(value).__name__ == "ConstexprFunction" or isinstance(value, type):
            inner = getattr(value, "fn", value)
            try:
                self.plain(inner if isinstance(inner, (type, types.FunctionType)) else value)
            except (OSError, TypeError, KeyError):
                raise Unwritable(f"the text of {name} is not known") from None
            return None
        return None

    def package(self, name, module):
        raise Unwritable(f"{name} is a module of the repository")

    def text(self):
        return "import triton\nimport triton.language as tl\n\n" + "\n\n".join(self.parts)


def closure(fn):
    if not fn.__closure__:
        return {}
    out = {}
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__):
        try:
            out[name] = cell.cell_contents
        except ValueError:
            pass
    return out


def rename(source, names):
    """The source with global names replaced, token by token so that its spelling stays."""
    tree = ast.parse(source)
    spots = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            spots.append((node.lineno, node.col_offset, node.id))
        elif isinstance(node, ast.FunctionDef) and node.name in names:
            line = source.splitlines()[node.lineno - 1]
            spots.append((node.lineno, len(line[: line.index("def ") + 4].encode()), node.name))
    lines = [line.encode() for line in source.splitlines()]
    for line, column, name in sorted(spots, reverse=True):
        text = lines[line - 1]
        lines[line - 1] = text[:column] + names[name].encode() + text[column + len(name.encode()) :]
    return b"\n".join(lines).decode()


def launches(tree, kernels):
    """Argument texts of `kernel[grid](…)` calls, by kernel name."""
    found = {}
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Subscript)):
            continue
        callee = call.func.value
        name = callee.id if isinstance(callee, ast.Name) else getattr(callee, "attr", None)
        if name in kernels:
            positional = [ast.unparse(a) for a in call.args]
            keywords = {k.arg: ast.unparse(k.value) for k in call.keywords if k.arg}
            found.setdefault(name, []).append([positional, keywords])
    return found


def called_by_others(jits):
    names = set()
    for fn in jits.values():
        for node in ast.walk(ast.parse(textwrap.dedent(fn.src))):
            if isinstance(node, ast.Call):
                names |= {a.id for a in ast.walk(node.func) if isinstance(a, ast.Name)}
    return names


def module_name(root, file):
    parts = list(file.relative_to(root).with_suffix("").parts)
    if parts[0] in ("src", "python") and not (root / parts[0] / "__init__.py").exists():
        parts = parts[1:]
    return ".".join(parts)


def collect(root, out):
    root, out = pathlib.Path(root).resolve(), pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    foreign.install(root)
    seen, rows = set(), []
    for file in sorted(root.rglob("*.py")):
        try:
            text = file.read_text()
        except UnicodeDecodeError:
            continue
        if not re.search(r"@(triton\.)?(runtime\.)?jit", text):
            continue
        rows += file_kernels(root, file, text, out, seen)
    (out / "kernels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return rows


def file_kernels(root, file, text, out, seen):
    signal.alarm(60)
    name = module_name(root, file)
    try:
        if all(part.isidentifier() for part in name.split(".")):
            module = importlib.import_module(name)
        else:
            module = types.ModuleType(file.stem)
            module.__file__ = str(file)
            sys.modules[file.stem] = module
            foreign.execute(file, module)
    except (Exception, SystemExit) as error:
        return [{"file": str(file.relative_to(root)), "failed": repr(error)[:200]}]
    finally:
        signal.alarm(0)
    jits, extras = {}, {}
    for value in list(vars(module).values()):
        fn, configs, heuristics = unwrapped(value) if not isinstance(value, (type, types.ModuleType)) else (None, 0, 0)
        if fn is not None and fn.fn.__code__.co_filename == str(file):
            jits[fn.__name__] = fn
            extras[fn.__name__] = (configs, heuristics)
    tree = ast.parse(text)
    calls, helpers, rows = launches(tree, jits), called_by_others(jits), []
    for name, fn in jits.items():
        body = ast.parse(textwrap.dedent(fn.src))
        returns = any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(body))
        if name in helpers or (returns and name not in calls) or not fn.arg_names:
            continue
        key = hashlib.sha256(ast.unparse(body).encode()).hexdigest()[:12]
        if key in seen:
            continue
        seen.add(key)
        row = {"file": str(file.relative_to(root)), "kernel": name, "key": key}
        rows.append(row)
        try:
            writer = Writer()
            writer.function(fn)
        except (Unwritable, OSError, SyntaxError, RecursionError) as error:
            row["failed"] = str(error)[:200]
            continue
        row["text"] = f"{key}_{name}.py"
        (out / row["text"]).write_text(writer.text())
        row["configs"] = [configuration(c) for c in extras[name][0][:4] if isinstance(getattr(c, "kwargs", None), dict)]
        row["heuristics"] = list(extras[name][1])
        row["launches"] = calls.get(name, [])[:6]
    return rows


def configuration(config):
    kept = {k: literal(v) for k, v in config.kwargs.items()}
    return {"kwargs": kept, "num_warps": getattr(config, "num_warps", 4), "num_stages": getattr(config, "num_stages", 3)}


if __name__ == "__main__":
    def stop(*_):
        raise TimeoutError("reading the file takes too long")

    signal.signal(signal.SIGALRM, stop)
    sys.setrecursionlimit(4000)
    rows = collect(*sys.argv[1:])
    written = sum("text" in row for row in rows)
    print(f"{sys.argv[1]}: {written} kernels written, {len(rows) - written} not")
