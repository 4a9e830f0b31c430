"""Writes what is kept of a corpus: a table by repository, and one line per kernel without its code.

usage: publish.py KERNELS.tsv COMMITS.tsv FOLDER… -- AGREE.jsonl…      the table goes to standard output
COMMITS.tsv names the commit that each repository was read at.
"""
import collections
import json
import pathlib
import sys

AGREES = ("equal", "close")


def read(path):
    return [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()] if pathlib.Path(path).exists() else []


def main(tsv, commits, *rest):
    split = rest.index("--")
    commit = dict(line.split("\t") for line in pathlib.Path(commits).read_text().splitlines())
    gpu = {}
    for path in rest[split + 1 :]:
        for row in read(path):
            if row["status"] in AGREES or row["key"] not in gpu:
                gpu[row["key"]] = row["status"]
    lines, total = [], collections.Counter()
    print("| repository | commit | kernels | Triton compiles | tk compiles | in its own file | agree on the GPU |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for folder in map(pathlib.Path, rest[:split]):
        results = {row["key"]: row for row in read(folder / "results.jsonl")}
        places = {row["key"]: row["place"] for row in read(folder / "places.jsonl")}
        launches, counts = read(folder / "launches.jsonl"), collections.Counter()
        if not launches:
            continue
        for launch in sorted(launches, key=lambda launch: (launch["file"], launch["kernel"])):
            key, result = launch["key"], results.get(launch["key"], {})
            good = result.get("tk") == "ptx" and result.get("ptxas", "ok") == "ok"
            counts["kernels"] += 1
            counts["oracle"] += launch["oracle"] == "ptx"
            counts["tk"] += launch["oracle"] == "ptx" and good
            place = places.get(key, "")
            counts["place"] += place == "compiles"
            counts["gpu"] += gpu.get(key) in AGREES
            said = "" if not result else "compiles" if good else result.get("error", "ptxas")[:120]
            name = folder.name.replace("+", "/")
            oracle = "compiles" if launch["oracle"] == "ptx" else launch["oracle"]
            lines.append("\t".join((name, launch["file"], launch["kernel"], key, oracle, said, place[:120], gpu.get(key, ""))))
        total += counts
        print(f"| {folder.name.replace('+', '/')} | {commit.get(folder.name, '')} | {counts['kernels']} | {counts['oracle']} "
              f"| {counts['tk']} | {counts['place']} | {counts['gpu']} |")
    print(f"| **all** | | **{total['kernels']}** | **{total['oracle']}** | **{total['tk']}** "
          f"| **{total['place']}** | **{total['gpu']}** |")
    head = "repository\tfile\tkernel\tkey\tTriton\ttk\tin its own file\tGPU\n"
    pathlib.Path(tsv).write_text(head + "".join(line.replace("\n", " ") + "\n" for line in lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
