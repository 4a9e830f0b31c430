"""Draws public kernels at random for scripts/kernels/mains.py, and runs a main of ten lines beside each untouched file.

usage: draw.py FOLDER [--count N] [--seed S]                  names the kernels that are drawn
       draw.py FOLDER --mains MAINS --tk TK [--out TABLE.tsv]  runs MAINS/NAME.py for each, beside its file

FOLDER has a checkout of each repository under its own name, without the owner's.  The kernels are those of tests/corpus/kernels.tsv that Triton
compiles and whose file is there.  A main imports the launcher or the kernel, makes tensors, launches and compares with a
reference; its first line, `# FILE KERNEL`, says which one it is for.  It is copied into the root of the checkout for the run and
removed afterwards; nothing else of the checkout is changed.  Mains use other people's names, so they are not kept here: the table is,
tests/corpus/mains.tsv.
"""
import argparse
import csv
import pathlib
import random
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "corpus" / "kernels.tsv"


def population(folder):
    """Repository, file and kernel of each row that Triton compiles and whose file is in the folder."""
    with TABLE.open() as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["Triton"] == "compiles"]
    found = {(row["repository"], row["file"], row["kernel"]) for row in rows}
    return sorted(one for one in found if (folder / one[0].split("/")[1] / one[1]).is_file())


def drawn(folder, count, seed):
    return random.Random(seed).sample(population(folder), count)


def run(folder, name, file, main, tk, seconds):
    """The result of one main in a line, and how long it took."""
    checkout = folder / name.split("/")[1]
    checkout = checkout / "src" if file.startswith("src/") else checkout
    beside = checkout / "tk_main_of_draw.py"
    beside.write_text(main.read_text())
    before = time.monotonic()
    try:
        done = subprocess.run([tk, "run", str(beside), "--device", "sim"],
                              capture_output=True, text=True, timeout=seconds, errors="replace")
        lines = [line for line in done.stderr.splitlines() if line.startswith(("error", "bug"))]
        result = "works" if done.returncode == 0 else (lines[-1] if lines else f"exit {done.returncode}")
    except subprocess.TimeoutExpired:
        result = f"over {seconds} s"
    finally:
        beside.unlink()
    return result, time.monotonic() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--mains", type=pathlib.Path)
    parser.add_argument("--tk")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    kernels = drawn(options.folder, options.count, options.seed)
    if options.mains is None:
        for number, kernel in enumerate(kernels):
            print(f"{number:02}", *kernel, sep="\t")
        return
    rows, works = [], 0
    for number, (name, file, kernel) in enumerate(kernels):
        path = options.mains / f"{number:02}.py"
        result, seconds = ("no main", 0.0) if not path.is_file() else run(options.folder, name, file, path, options.tk, options.seconds)
        works += result == "works"
        rows.append((name, file, kernel, result))
        print(f"{number:02} {seconds:6.1f} s  {file} {kernel}: {result}", flush=True)
    print(f"{works} of {len(rows)} work")
    if options.out:
        with options.out.open("w", newline="") as table:
            writer = csv.writer(table, delimiter="\t", lineterminator="\n")
            writer.writerow(("repository", "file", "kernel", "tk run"))
            writer.writerows(rows)


if __name__ == "__main__":
    main()
