"""Compiles with tk every kernel that Triton compiles, the same signature and constants, and prints the table.

usage: compare.py TK FOLDER…       TK is the tk binary, the folders those that oracle.py worked on
FOLDER/results.jsonl gets one line per kernel: what tk said, processor seconds, and with --ptxas what ptxas said.
Options: --ptxas PATH, --again (only kernels that did not compile last time), --keys TEXT (only keys that begin so).
"""
import argparse
import collections
import json
import pathlib
import resource
import subprocess
import tempfile
import time

SECONDS = 60


def compile_with_tk(tk, folder, launch, ptx):
    """What tk said: `ptx`, or the class of failure with its first line; processor seconds."""
    command = [tk, "compile", str(folder / launch["text"]), "--kernel", launch["kernel"], "--target", "sm_90a",
               "--signature", launch["signature"], "--num-warps", str(launch["warps"]),
               "--num-stages", str(launch["stages"]), "-o", str(ptx)]
    for name, value in launch["constants"].items():
        command += ["--constexpr", f"{name}={value}"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return {"tk": "slow", "error": f"no end after {SECONDS} s", "command": command}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3)
    if done.returncode == 0:
        return {"tk": "ptx", "seconds": seconds}
    lines = [line for line in done.stderr.splitlines() if line.startswith("error") or "panicked" in line]
    first = (lines or done.stderr.splitlines() or ["nothing said"])[0]
    kind = "crash" if done.returncode < 0 or "panicked" in done.stderr else "bug" if "error[bug" in first else "error"
    return {"tk": kind, "error": first[:300], "said": done.stderr[:1500], "seconds": seconds, "command": command}


def assemble(ptxas, ptx):
    done = subprocess.run([ptxas, "-arch=sm_90a", "-O1", "-o", str(ptx) + ".cubin", str(ptx)], capture_output=True, text=True)
    return "ok" if done.returncode == 0 else (done.stderr or done.stdout)[:300]


def compare(options, folder):
    launches = [json.loads(line) for line in (folder / "launches.jsonl").read_text().splitlines()]
    path = folder / "results.jsonl"
    old = {}
    if path.exists():
        old = {r["key"]: r for r in map(json.loads, path.read_text().splitlines())}
    ptx = pathlib.Path(tempfile.mkdtemp()) / "kernel.ptx"
    for launch in launches:
        if "signature" not in launch or not launch["key"].startswith(options.keys):
            continue
        known = old.get(launch["key"])
        if known and (options.new or (options.again and known["tk"] == "ptx" and known.get("ptxas", "ok") == "ok")):
            continue
        result = {"key": launch["key"], "kernel": launch["kernel"], "file": launch["file"], "oracle": launch["oracle"],
                  "oracle_seconds": launch.get("seconds")}
        result |= compile_with_tk(options.tk, folder, launch, ptx)
        if options.ptxas and result["tk"] == "ptx":
            result["ptxas"] = assemble(options.ptxas, ptx)
        old[launch["key"]] = result
    path.write_text("".join(json.dumps(r) + "\n" for r in old.values()))
    return launches, old


def shape(message):
    """The message without names and numbers, so that equal failures count together."""
    parts = message.split("`")
    parts[1::2] = ["`" + (p if "." in p else "…") + "`" for p in parts[1::2]]
    return "".join("#" if c.isdigit() else c for c in "".join(parts))[:110]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tk")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--ptxas")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--new", action="store_true")
    parser.add_argument("--keys", default="")
    options = parser.parse_args()
    total, reasons, slower = collections.Counter(), collections.defaultdict(list), []
    print(f"{'repository':42} kernels  oracle      tk  share")
    for folder in options.folders:
        if not (folder / "launches.jsonl").exists():
            continue
        launches, results = compare(options, folder)
        good = [l["key"] for l in launches if l["oracle"] == "ptx"]
        ours = [k for k in good if k in results and results[k]["tk"] == "ptx" and results[k].get("ptxas", "ok") == "ok"]
        for key in good:
            r = results.get(key)
            if r and key not in ours:
                reasons[shape(r.get("error") or "ptxas: " + r.get("ptxas", ""))].append((folder.name, r))
            if r and key in ours and r["seconds"] > 0.5 + r["oracle_seconds"]:
                slower.append((r["seconds"], r["oracle_seconds"], folder.name, key, r["kernel"]))
        total.update(kernels=len(launches), oracle=len(good), tk=len(ours))
        share = 100 * len(ours) / max(1, len(good))
        print(f"{folder.name:42} {len(launches):7} {len(good):7} {len(ours):7} {share:5.1f} %")
    print(f"{'all':42} {total['kernels']:7} {total['oracle']:7} {total['tk']:7} {100 * total['tk'] / max(1, total['oracle']):5.1f} %")
    for reason, rows in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"{len(rows):4} {reason}")
        for folder, r in rows[:3]:
            print(f"       {folder} {r['key']} {r['kernel']}")
    for row in sorted(slower, reverse=True)[:20]:
        print("slower than the oracle:", *row)


if __name__ == "__main__":
    main()
