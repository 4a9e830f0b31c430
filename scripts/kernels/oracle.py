"""Looks for a launch of each collected kernel that Triton compiles, on a machine without a GPU.

usage: oracle.py OUT…      OUT is a folder that collect.py wrote
OUT/launches.jsonl gets one line per kernel: its signature, constants, warps and stages, and what Triton said and needed.
Every kernel has a child process of its own that is stopped after a while, so that no kernel can stop the run.
"""
import ast
import hashlib
import importlib.util
import json
import multiprocessing
import os
import pathlib
import signal
import sys
import time

import foreign
import guess

ATTEMPTS, SECONDS, COMPILING = 40, 12, 30


def compile_kernel(fn, values, warps, stages, until):
    """The last stage's text and what the stages tell of it; the stage's exception where it fails."""
    import triton.language as tl
    from triton._C.libtriton import ir
    from triton.backends.compiler import Language
    from triton.compiler import ASTSource
    from triton.compiler.compiler import make_backend
    from triton.runtime import driver

    signature, constants, attributes = {}, {}, {}
    for i, name in enumerate(fn.arg_names):
        value = values[name]
        if isinstance(value, guess.Constant):
            signature[name] = "constexpr"
            constants[(i,)] = eval(value.text, {"tl": tl, "float": float})
            continue
        signature[name] = value
        if value.startswith("*") or is_extent(name, value):
            attributes[(i,)] = [["tt.divisibility", 16]]
    source = ASTSource(fn, signature=signature, constexprs=constants, attrs=attributes)
    target = driver.active.get_current_target()
    backend = make_backend(target)
    options = backend.parse_options({"num_warps": warps, "num_stages": stages})
    context, metadata, steps = ir.context(), {}, {}
    ir.load_dialects(context)
    backend.load_dialects(context)
    backend.add_stages(steps, options, Language.TRITON)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    for name, step in steps.items():
        if until == "front":
            return module
        module = step(module, metadata)
        if name == until:
            break
    return module, metadata


def is_extent(name, value):
    """Strides and widths of tensors are multiples of 16 in most launches."""
    return value in ("i32", "i64") and ("stride" in name.lower() or name in ("K", "N", "D", "hidden_size", "n_cols"))


def spelled(values):
    """The signature and the constants as `tk compile` reads them."""
    types = []
    for name, value in values.items():
        if not isinstance(value, guess.Constant):
            types.append(value + (":16" if value.startswith("*") or is_extent(name, value) else ""))
    return ",".join(types), {n: v.text for n, v in values.items() if isinstance(v, guess.Constant)}


def innermost(error):
    while getattr(error, "__cause__", None) is not None:
        error = error.__cause__
    return error


def line_of(error):
    node = getattr(error, "node", None)
    return getattr(node, "lineno", None)


def search(folder, row):
    """The result line of one kernel."""
    text = (folder / row["text"]).read_text()
    result = {"key": row["key"], "kernel": row["kernel"], "file": row["file"], "text": row["text"]}
    plan = guess.Guess(text, row)
    spec = importlib.util.spec_from_file_location("kernel_" + row["key"], folder / row["text"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    fn = getattr(module, row["kernel"])
    offset = fn.starting_line_number - 1
    start, tried = time.time(), set()
    for attempt in range(ATTEMPTS):
        values = plan.values()
        mark = json.dumps(spelled(values))
        if mark in tried or "tensordesc" in values.values():
            if "tensordesc" in values.values():
                return result | {"oracle": "descriptor", "error": "takes a tensor descriptor"}
            plan.change(attempt, None)
            continue
        tried.add(mark)
        try:
            signal.alarm(5)
            compile_kernel(fn, values, plan.warps, plan.stages, "front")
            signal.alarm(0)
            break
        except Exception as error:
            signal.alarm(0)
            line = line_of(error)
            first_text = f"{type(innermost(error)).__name__}: {str(innermost(error))[:300]}"
            result.setdefault("error", first_text)
            if "make_block_ptr" in first_text or "block_ptr" in first_text and "AttributeError" in first_text:
                signature, constants = spelled(values)
                return result | {"oracle": "block pointer", "signature": signature, "constants": constants,
                                 "warps": plan.warps, "stages": plan.stages}
            result["last"] = first_text
            plan.change(attempt, line + offset if line else None)
        if time.time() - start > SECONDS:
            return result | {"oracle": "refused"}
    else:
        return result | {"oracle": "refused"}
    result.pop("error", None), result.pop("last", None)
    result["signature"], result["constants"] = spelled(values)
    result["warps"], result["stages"] = plan.warps, plan.stages
    yield_partial(result | {"oracle": "crashed"})
    began = time.perf_counter()
    try:
        compile_kernel(fn, values, plan.warps, plan.stages, "ptx")
    except Exception as error:
        return result | {"oracle": "failed", "error": f"{type(error).__name__}: {str(error)[:300]}"}
    return result | {"oracle": "ptx", "seconds": round(time.perf_counter() - began, 3)}


PIPE = None


def slow(*_):
    raise TimeoutError("the front end takes too long")


def yield_partial(result):
    PIPE.send(("partial", result))


def work(pipe):
    global PIPE
    PIPE = pipe
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1), os.dup2(quiet, 2)
    signal.signal(signal.SIGALRM, slow)
    foreign.install("/nonexistent")
    while True:
        folder, row = pipe.recv()
        try:
            result = search(pathlib.Path(folder), row)
        except Exception as error:
            result = {"key": row["key"], "kernel": row["kernel"], "file": row["file"], "text": row["text"],
                      "oracle": "refused", "error": f"{type(error).__name__}: {str(error)[:300]}"}
        pipe.send(("done", result))


class Child:
    def __init__(self):
        self.start()

    def start(self):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=work, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def ask(self, folder, row):
        self.pipe.send((str(folder), row))
        last = {"key": row["key"], "kernel": row["kernel"], "file": row["file"], "text": row["text"], "oracle": "crashed"}
        until = time.time() + SECONDS + COMPILING
        try:
            while self.pipe.poll(max(0, until - time.time())):
                kind, last = self.pipe.recv()
                if kind == "done":
                    return last
            last["error"] = "takes too long"
        except (EOFError, ConnectionError):
            last["error"] = "the process ended"
        self.process.kill()
        self.process.join()
        self.start()
        return last


def main(folders):
    child = Child()
    for folder in map(pathlib.Path, folders):
        rows = [json.loads(line) for line in (folder / "kernels.jsonl").read_text().splitlines()]
        done = folder / "launches.jsonl"
        known = {json.loads(line)["key"] for line in done.read_text().splitlines()} if done.exists() else set()
        counts = {}
        with done.open("a") as out:
            for row in rows:
                if "text" not in row or row["key"] in known:
                    continue
                result = child.ask(folder, row)
                counts[result["oracle"]] = counts.get(result["oracle"], 0) + 1
                out.write(json.dumps(result) + "\n")
                out.flush()
        print(folder.name, counts, flush=True)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main(sys.argv[1:])
