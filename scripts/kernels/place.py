"""Compiles with tk every kernel that Triton compiles, in the file where it stands and with what that imports.

usage: place.py TK SOURCES FOLDER…       SOURCES holds a checkout under the name of each folder that oracle.py worked on
FOLDER/places.jsonl gets one line per kernel. Option: --root (imports may be looked for in the whole checkout).
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess

SECONDS = 60


def compile_in_place(options, folder, launch):
    checkout = options.sources / folder.name
    command = [options.tk, "compile", str(checkout / launch["file"]), "--kernel", launch["kernel"], "--target", "sm_90a",
               "--signature", launch["signature"], "--num-warps", str(launch["warps"]), "--emit", "checked"]
    if options.root:
        command += ["--root", str(checkout)]
    for name, value in launch["constants"].items():
        command += ["--constexpr", f"{name}={value}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, errors="replace")
    except subprocess.TimeoutExpired:
        return {"key": launch["key"], "place": f"no end after {SECONDS} s"}
    if done.returncode == 0:
        return {"key": launch["key"], "place": "compiles"}
    lines = [line for line in done.stderr.splitlines() if line.startswith("error") or "panicked" in line]
    return {"key": launch["key"], "place": (lines or ["nothing said"])[0][:120], "said": done.stderr[:1500]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tk")
    parser.add_argument("sources", type=pathlib.Path)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--root", action="store_true")
    options = parser.parse_args()
    good = total = 0
    for folder in options.folders:
        path = folder / "launches.jsonl"
        launches = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
        launches = [launch for launch in launches if launch["oracle"] == "ptx"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            rows = list(pool.map(lambda launch: compile_in_place(options, folder, launch), launches))
        (folder / "places.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        good, total = good + sum(row["place"] == "compiles" for row in rows), total + len(rows)
        for row in rows:
            if row["place"] != "compiles":
                print(folder.name, row["key"], row["place"])
    print(f"{good} of {total} compile in their own files")


if __name__ == "__main__":
    main()
