"""Runs planned kernels under Triton and as tk's PTX on the same inputs, on a GPU, and compares every element.

usage: agree.py TK CASES_FOLDER RESULTS.jsonl [PROCESSES]
Each case runs twice under Triton, which shows kernels whose programs race, and once as tk's code.  Statuses: equal
(every bit), close (tolerance of the narrowest float that the kernel computes with), differs, unstable (Triton does not
agree with itself), idle (nothing was written), triton-failed, tk-failed.  Needs torch, Triton and a GPU.
"""
import ctypes
import importlib.util
import json
import multiprocessing
import pathlib
import re
import sys
import time

import plan

SECONDS = 60


class Driver:
    """The few calls of the CUDA driver that a launch needs."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")

    def check(self, code, what):
        if code:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorName(code, ctypes.byref(text))
            raise RuntimeError(f"{what}: {(text.value or b'?').decode()}")

    def launch(self, ptx, case, values, scratch):
        log = ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size
        pointers = (ctypes.c_void_p * 2)(ctypes.addressof(log), 4096)
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        code = self.cuda.cuModuleLoadDataEx(ctypes.byref(module), ptx, 2, options, pointers)
        if code:
            raise RuntimeError("the driver refuses the PTX: " + log.value.decode()[:300])
        entry = case["image"]["kernel"]
        self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, entry.encode()), "cuModuleGetFunction")
        shared = case["image"]["shared_bytes"]
        self.check(self.cuda.cuFuncSetAttribute(function, 8, shared), "cuFuncSetAttribute")
        header = re.search(r"\.entry\s+" + re.escape(entry) + r"\s*\((.*?)\)", ptx.decode(), re.S)
        count = len(re.findall(r"\.param\b", header[1])) if header else len(values)
        values = values + [ctypes.c_uint64(scratch)] * (count - len(values))
        if count != len(values):
            raise RuntimeError(f"the PTX has {count} parameters and the launch {len(values)}")
        args = (ctypes.c_void_p * count)(*[ctypes.addressof(v) for v in values])
        threads = 32 * case["image"]["num_warps"]
        self.check(self.cuda.cuLaunchKernel(function, *case["grid"], threads, 1, 1, shared, None, args, None), "cuLaunchKernel")
        self.check(self.cuda.cuCtxSynchronize(), "the kernel")
        self.cuda.cuModuleUnload(module)


NUMBERS = {"fp32": ctypes.c_float, "fp64": ctypes.c_double, "i1": ctypes.c_uint8, "i8": ctypes.c_int8, "u8": ctypes.c_uint8,
           "i16": ctypes.c_int16, "i32": ctypes.c_int32, "u32": ctypes.c_uint32, "i64": ctypes.c_int64}


def inputs(case, torch):
    """The buffers of a case, from a seed of its own."""
    generator = torch.Generator(device="cuda")
    generator.manual_seed(int(case["key"][:8], 16))
    n, out = case["elements"], []
    for a in case["arguments"]:
        if a["kind"] != "buffer":
            out.append(None)
            continue
        dtype = getattr(torch, a["dtype"])
        if a["values"] in ("normal", "positive"):
            x = torch.randn((n,), device="cuda", generator=generator)
            out.append((x.abs() + 0.5 if a["values"] == "positive" else x).to(dtype))
        elif a["values"] == "rising":
            out.append((torch.arange(0, n, device="cuda", dtype=torch.int32) * 16 % 4096).to(dtype))
        elif a["values"] == "length":
            out.append(torch.full((n,), 16, device="cuda", dtype=dtype))
        else:
            top = 2 if a["dtype"] == "bool" else 4
            out.append(torch.randint(0, top, (n,), device="cuda", generator=generator).to(dtype))
    return out


def with_triton(folder, case, buffers, torch):
    import triton.language as tl

    spec = importlib.util.spec_from_file_location("k" + case["key"], folder / f"{case['key']}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    values = {}
    for a, buffer in zip(case["arguments"], buffers):
        text = a.get("text")
        values[a["name"]] = buffer if a["kind"] == "buffer" else eval(text, {"tl": tl}) if text else a["value"]
    options = {"num_warps": case["warps"], "num_stages": case["stages"]}
    getattr(module, case["kernel"])[tuple(case["grid"])](**(options | values))
    torch.cuda.synchronize()


def with_tk(tk, folder, case, buffers, torch, driver):
    ptx = plan.assembled(tk, folder, case).read_bytes()
    values = []
    for a, buffer in zip(case["arguments"], buffers):
        if a["kind"] == "buffer":
            values.append(ctypes.c_uint64(buffer.data_ptr()))
        elif a["kind"] == "number" and not (a["value"] == 1 and a["type"][0] in "iu" and a["type"] != "i1"):
            values.append(NUMBERS[a["type"]](a["value"]))
    scratch = torch.zeros(1 << 24, dtype=torch.uint8, device="cuda")
    driver.launch(ptx + b"\0", case, values, scratch.data_ptr())


def raw(x, torch):
    return x.view({1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()])


def compare(case, before, triton, tk, torch):
    """(bits differ, outside the tolerance, largest error relative to the tolerance's unit, elements written)"""
    narrow = {a["dtype"] for a in case["arguments"] if a["kind"] == "buffer"}
    text_dot = case["dot"]
    unit = 8e-3 if "bfloat16" in narrow else 1e-3 if "float16" in narrow else 1e-3 if text_dot else 1e-5
    bits = outside = written = 0
    worst = 0.0
    for start, a, b in zip(before, triton, tk):
        if start is None:
            continue
        written += int((raw(a, torch) != raw(start, torch)).sum())
        bits += int((raw(a, torch) != raw(b, torch)).sum())
        if a.is_floating_point():
            x, y = a.double(), b.double()
            same = (x == y) | (x.isnan() & y.isnan())
            finite = x.isfinite() & y.isfinite()
            scale = x[finite].abs().mean() if finite.any() else torch.tensor(0.0)
            error = (x - y).abs() / (x.abs() + scale.clamp(min=1e-6))
            error = torch.where(same, 0.0, torch.where(finite, error, float("inf")))
            worst = max(worst, float(error.max()))
            outside += int((error > 2 * unit).sum())
        else:
            outside += int((a != b).sum())
    return bits, outside, worst, written


def judge(tk, folder, case, torch, driver):
    row = {"key": case["key"], "kernel": case["kernel"], "repository": case["repository"]}
    before = inputs(case, torch)
    copy = lambda: [None if x is None else x.clone() for x in before]
    one, two, ours = copy(), copy(), copy()
    case["dot"] = "dot(" in (folder / f"{case['key']}.py").read_text()
    try:
        with_triton(folder, case, one, torch)
        with_triton(folder, case, two, torch)
    except Exception as error:
        if "CUDA" in str(error):
            raise
        return row | {"status": "triton-failed", "error": str(error)[-300:]}
    try:
        with_tk(tk, folder, case, ours, torch, driver)
    except RuntimeError as error:
        fatal = "the kernel" in str(error)
        return row | {"status": "tk-failed", "error": str(error)[:300], "fatal": fatal}
    self_bits, self_outside, _, _ = compare(case, before, one, two, torch)
    bits, outside, worst, written = compare(case, before, one, ours, torch)
    status = "idle" if not written and not bits else "equal" if not bits else "close" if not outside else "unstable" if self_outside else "differs"
    return row | {"status": status, "bits": bits, "outside": outside, "worst": worst, "written": written, "self_bits": self_bits}


def work(tk, folder, cases, pipe):
    import torch

    torch.cuda.init()
    torch.zeros(1, device="cuda")
    driver = Driver()
    for case in cases:
        pipe.send({"start": case["key"]})
        try:
            row = judge(tk, folder, case, torch, driver)
        except Exception as error:
            row = {"key": case["key"], "kernel": case["kernel"], "repository": case["repository"],
                   "status": "triton-failed", "error": str(error)[-300:], "fatal": True}
        pipe.send(row)
        if row.get("fatal"):
            return
    pipe.send(None)


def lane(tk, folder, cases, results):
    """Runs cases in a child process; a new child where one ends early."""
    left = list(cases)
    while left:
        here, there = multiprocessing.Pipe()
        child = multiprocessing.Process(target=work, args=(tk, folder, left, there))
        child.start()
        there.close()
        current = None
        while True:
            try:
                row = here.recv() if here.poll(SECONDS) else "late"
            except EOFError:
                row = "ended"
            if row is None:
                left = []
                break
            if isinstance(row, str):
                failed = current or left[0]["key"]
                results.put({"key": failed, "status": "stopped", "error": row})
                left = [c for c in left if c["key"] != failed]
                break
            if "start" in row:
                current = row["start"]
                continue
            results.put(row)
            left = [c for c in left if c["key"] != row["key"]]
            if row.get("fatal"):
                break
        child.kill()
        child.join()
    results.put(None)


def main(tk, folder, out, processes="8"):
    folder, processes = pathlib.Path(folder), int(processes)
    cases = json.loads((folder / "cases.json").read_text())
    results, lanes = multiprocessing.Queue(), []
    for i in range(processes):
        lanes.append(multiprocessing.Process(target=lane, args=(tk, folder, cases[i::processes], results)))
        lanes[-1].start()
    started, running, counts = time.time(), processes, {}
    with open(out, "w") as file:
        while running:
            row = results.get()
            if row is None:
                running -= 1
                continue
            counts[row["status"]] = counts.get(row["status"], 0) + 1
            file.write(json.dumps(row) + "\n")
            file.flush()
            if row["status"] not in ("equal", "close", "idle"):
                print(json.dumps(row)[:400], flush=True)
    print(counts, f"{time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    main(*sys.argv[1:])
