"""Plans launches of collected kernels that stay in their buffers, and proves them on the simulator.

usage: plan.py TK OUT COUNT FOLDER…     writes OUT/cases.json, OUT/KEY.py (the kernel) and OUT/KEY.ptx (tk's code)
A plan gives every pointer a large buffer, every stride and extent a small number, and every index small values; the
simulator, which checks each access, says whether all accesses stay inside.  agree.py then runs the plans on a GPU.
"""
import json
import pathlib
import re
import subprocess
import sys

ELEMENTS = 1 << 18
DTYPES = {"fp16": "float16", "fp32": "float32", "bf16": "bfloat16", "fp64": "float64", "i1": "bool", "i8": "int8",
          "u8": "uint8", "i16": "int16", "i32": "int32", "i64": "int64"}
SECONDS = 25


def grid_of(text):
    """Three programs along every axis that the kernel asks about, one along the others."""
    used = set(re.findall(r"(?:program_id|num_programs)\((?:axis ?= ?)?([012])\)", text))
    return [3 if "0" in used or not used else 1, 2 if "1" in used else 1, 2 if "2" in used else 1]


def strides(names):
    """Numbers for the stride parameters: of those of one tensor the last is 1, the one before it 64, then 4096."""
    families = {}
    for name in names:
        last = name.split("_")[-1]
        alone = last.lower().endswith("stride")
        families.setdefault(name if alone else name[: -len(last)] if len(last) > 2 else name[:-1], []).append(name)
    out = {}
    for members in families.values():
        for level, name in enumerate(reversed(members)):
            out[name] = 64 if len(members) == 1 else (1, 64, 4096, 16384)[min(level, 3)]
    return out


def number(name, small):
    lower = name.lower()
    if any(w in lower for w in ("head", "group", "expert", "batch", "num_", "top")) or name in ("B", "H", "G", "Z", "HQ"):
        return 4
    return 16 if small else 57 if "element" not in lower and lower not in ("n", "size", "numel") else 150


def arguments(launch, params, small):
    """One entry per parameter, in order."""
    types = iter(launch["signature"].split(",")) if launch["signature"] else iter(())
    constants, out = launch["constants"], []
    families = strides([p for p in params if p not in constants and "stride" in p.lower()])
    for name in params:
        if name in constants:
            out.append({"name": name, "kind": "constant", "text": constants[name]})
            continue
        kind = next(types).split(":")[0]
        if kind.startswith("*"):
            out.append({"name": name, "kind": "buffer", "dtype": DTYPES[kind[1:]], "values": values_of(name, kind[1:])})
        elif kind.startswith("fp"):
            out.append({"name": name, "kind": "number", "type": kind, "value": 0.5 if "eps" not in name.lower() else 1e-3})
        else:
            value = families.get(name, number(name, small))
            out.append({"name": name, "kind": "number", "type": kind, "value": 0 if kind == "i1" else value})
    return out


def values_of(name, dtype):
    lower = name.lower()
    if dtype.startswith(("fp", "bf")):
        return "positive" if any(w in lower for w in ("var", "rstd", "lse", "scale", "sum", "denom")) else "normal"
    if any(w in lower for w in ("cu_", "indptr", "offs", "start")):
        return "rising"
    return "length" if "len" in lower or "size" in lower else "index"


def tensor_text(argument):
    dtype, n = f"torch.{argument['dtype']}", ELEMENTS
    if argument["values"] in ("normal", "positive"):
        make = f"torch.randn(({n},), device='cuda', dtype=torch.float32)"
        return f"({make}.abs() + 0.5).to({dtype})" if argument["values"] == "positive" else f"{make}.to({dtype})"
    if argument["values"] == "rising":
        return f"(torch.arange(0, {n}, device='cuda', dtype=torch.int32) * 16 % 4096).to({dtype})"
    if argument["values"] == "length":
        return f"torch.full(({n},), 16, device='cuda', dtype={dtype})"
    return f"torch.randint(0, {2 if argument['dtype'] == 'bool' else 4}, ({n},), device='cuda', dtype=torch.int32).to({dtype})"


def host(text, case):
    """The kernel file with a main() that launches it, for `tk run` and run_with_triton.py."""
    lines, call = [], []
    for i, argument in enumerate(case["arguments"]):
        if argument["kind"] == "buffer":
            lines.append(f"    a{i} = {tensor_text(argument)}")
            call.append(f"{argument['name']}=a{i}")
        else:
            call.append(f"{argument['name']}={argument.get('text', argument.get('value'))}")
    grid = "(" + ", ".join(map(str, case["grid"])) + ")"
    launch = f"    {case['kernel']}[{grid}]({', '.join(call)}, num_warps={case['warps']}, num_stages={case['stages']})"
    return f"import torch\n{text}\n\ndef main():\n    torch.manual_seed(1)\n" + "\n".join(lines) + f"\n{launch}\n"


def specialised(arguments):
    """The signature that these values give at a launch."""
    out = []
    for a in arguments:
        if a["kind"] == "buffer":
            short = next(k for k, v in DTYPES.items() if v == a["dtype"])
            out.append(f"*{short}:16")
        elif a["kind"] == "number":
            whole = a["type"][0] in "iu" and a["type"] != "i1"
            mark = "=1" if whole and a["value"] == 1 else ":16" if whole and a["value"] % 16 == 0 else ""
            out.append(a["type"] + mark)
    return ",".join(out)


def run(command, seconds=SECONDS):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return None


def parameters(text, kernel):
    import ast

    function = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == kernel)
    return [a.arg for a in function.args.posonlyargs + function.args.args + function.args.kwonlyargs]


def plan(tk, out, folder, launch):
    """A proved case, or why there is none."""
    text = (folder / launch["text"]).read_text()
    reason = ""
    for small in (False, True):
        case = {"key": launch["key"], "kernel": launch["kernel"], "repository": folder.name, "file": launch["file"],
                "grid": grid_of(text), "warps": launch["warps"], "stages": launch["stages"],
                "elements": ELEMENTS, "arguments": arguments(launch, parameters(text, launch["kernel"]), small)}
        file = out / f"{launch['key']}.tk"
        file.write_text(host(text, case))
        done = run([tk, "run", str(file), "--device", "sim"])
        if done is None:
            return None, "the simulator takes too long"
        if done.returncode == 0:
            break
        lines = [l for l in (done.stderr + done.stdout).splitlines() if l.startswith(("error", "bug")) or "panicked" in l]
        reason = (lines or ["failed"])[0]
    else:
        return None, reason
    (out / f"{launch['key']}.py").write_text(text)
    try:
        assembled(tk, out, case)
    except RuntimeError as error:
        return None, str(error)
    return case, ""


def assembled(tk, folder, case):
    """tk's PTX of a case in FOLDER, with the signature of its launch; sets what is known of it."""
    ptx = folder / f"{case['key']}.ptx"
    command = [tk, "compile", str(folder / f"{case['key']}.py"), "--kernel", case["kernel"], "--target", "sm_90a", "--json",
               "--signature", specialised(case["arguments"]), "--num-warps", str(case["warps"]),
               "--num-stages", str(case["stages"]), "-o", str(ptx)]
    for a in case["arguments"]:
        command += ["--constexpr", f"{a['name']}={a['text']}"] if a["kind"] == "constant" else []
    done = run(command)
    if done is None or done.returncode != 0:
        raise RuntimeError("tk does not compile it: " + (done.stderr[:200] if done else "no end"))
    case["image"] = json.loads(done.stdout)
    return ptx


def main(tk, out, count, folders):
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    cases, reasons = [], []
    done = out / "cases.json"
    if done.exists():
        cases = json.loads(done.read_text())
    tried = {c["key"] for c in cases}
    log = out / "not.jsonl"
    if log.exists():
        tried |= {json.loads(l)["key"] for l in log.read_text().splitlines()}
    rows = []
    for folder in map(pathlib.Path, folders):
        results = folder / "results.jsonl"
        if not results.exists():
            continue
        good = {r["key"] for r in map(json.loads, results.read_text().splitlines()) if r["tk"] == "ptx"}
        for launch in map(json.loads, (folder / "launches.jsonl").read_text().splitlines()):
            if launch["key"] in good and launch["oracle"] == "ptx" and launch["key"] not in tried:
                rows.append((launch["key"], folder, launch))
    for key, folder, launch in sorted(rows, key=lambda row: row[0]):
        if len(cases) >= int(count):
            break
        case, reason = plan(tk, out, folder, launch)
        if case:
            cases.append(case)
            done.write_text(json.dumps(cases))
        else:
            with log.open("a") as file:
                file.write(json.dumps({"key": key, "kernel": launch["kernel"], "repository": folder.name, "reason": reason}) + "\n")
        print(key, folder.name, launch["kernel"], "planned" if case else reason[:150], flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
