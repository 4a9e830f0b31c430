#!/usr/bin/env bash
# Cross-entropy with more logits than int32 can count, on the GPU of this machine: what tk check says, what
# happens without help, with --sanitize overflow and with --index-width auto, and what each costs, beside Triton (GB/s).
# usage: benches/cross_entropy_overflow.sh [TK]     TK: the binary (default target/release/tk)
# Needs a GPU with 8 GB of free memory; Triton's figures need python3 with torch and triton.
# The exit code is 0 when each step does what it should. Takes about a minute.
set -uo pipefail
cd "$(dirname "$0")/.."
tk=${1:-target/release/tk}
file=benches/gpu/cross_entropy_overflow.tk
failed=0

# step TEXT EXIT NEEDLE COMMAND…: runs the command, shows the interesting lines and compares exit code and output.
step() {
  local text=$1 exit=$2 needle=$3 log code
  shift 3
  log=$("$@" 2>&1)
  code=$?
  printf '== %s\n' "$text"
  grep -vE 'registers|^  help' <<<"$log" | head -n 12
  if { [ "$exit" != any ] && [ $code -ne "$exit" ]; } || ! grep -q "$needle" <<<"$log"; then
    printf 'NOT AS EXPECTED: exit %s, wanted %s with "%s"\n' $code "$exit" "$needle"
    failed=1
  fi
}

check() { "$tk" check "$file" --deny-warnings --bound "grid=$1" --bound stride_row=128256 --bound n_cols=128256; }
run() { "$tk" run "$file" --device cuda "$@"; }

step 'tk check, 16,744 rows: no offset passes 2^31' 0 'nothing to report' check 16744
step 'tk check, 16,745 rows: one does' 1 'can reach 2147518464' check 16745
step 'as written, 16,744 rows' 0 'agree' run -D rows=16744
for rows in 16745 17000; do
  step "as written, $rows rows: warned of, and wrong or refused by the GPU" 1 'warning\[int32-offset\]' run -D rows=$rows
  step "--sanitize overflow, $rows rows" 1 'offset-overflow' run -D rows=$rows --sanitize overflow
  step "--sanitize bounds, $rows rows" 1 'out-of-bounds' run -D rows=$rows --sanitize bounds
  step "--index-width auto, $rows rows" 0 'agree' run -D rows=$rows --index-width auto
  step "--index-width 64, $rows rows" 0 'agree' run -D rows=$rows --index-width 64
  step "64-bit program id in the source, $rows rows" 0 'agree' run -D rows=$rows -D fixed=True
  step "64-bit program id, every check, $rows rows" 0 'agree' run -D rows=$rows -D fixed=True --sanitize bounds,overflow
done

figure() { # rows, function, options: GB/s, the median of three
  local rows=$1 function=$2
  shift 2
  printf "$function rows=$rows\n%.0s" 1 2 3 | "$tk" bench "$file" --device cuda --requests "$@" 2>/dev/null |
    sed -n 's/.*"result": *\([0-9]*\).*/\1/p' | sort -n | sed -n 2p
}
row() { printf '| %-34s | %13s | %13s |\n' "$1" "$2" "$3"; }
triton() { # function, rows
  python3 - "$file" "$1" "$2" <<'PYTHON' 2>/dev/null
import importlib.machinery, importlib.util, statistics, sys
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader('cross_entropy_overflow', sys.argv[1])
module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(module)
print('%.0f' % statistics.median(getattr(module, sys.argv[2])(rows=int(sys.argv[3])) for _ in range(3)))
PYTHON
}

echo '== GB/s of reading the logits (bf16, 128,256 words); below 2^31 elements and above'
row '' '16,384 rows' '17,000 rows'
row 'as written' "$(figure 16384 bench_narrow)" 'wrong'
row '--index-width auto' "$(figure 16384 bench_narrow --index-width auto)" "$(figure 17000 bench_narrow --index-width auto)"
row '--index-width 64' "$(figure 16384 bench_narrow --index-width 64)" "$(figure 17000 bench_narrow --index-width 64)"
row '--sanitize overflow' "$(figure 16384 bench_narrow --sanitize overflow)" 'stopped'
row '--sanitize bounds' "$(figure 16384 bench_narrow --sanitize bounds)" 'stopped'
row '64-bit program id' "$(figure 16384 bench_fixed)" "$(figure 17000 bench_fixed)"
row '64-bit id, --sanitize overflow' "$(figure 16384 bench_fixed --sanitize overflow)" "$(figure 17000 bench_fixed --sanitize overflow)"
row '64-bit id, --sanitize bounds' "$(figure 16384 bench_fixed --sanitize bounds)" "$(figure 17000 bench_fixed --sanitize bounds)"
row 'Triton, as written' "$(triton bench_narrow 16384)" 'wrong'
row 'Triton, 64-bit program id' "$(triton bench_fixed 16384)" "$(triton bench_fixed 17000)"
exit $failed
