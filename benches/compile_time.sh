#!/usr/bin/env bash
# Cold compile times of tk on this machine: fresh process, .tk file to PTX, median of 15 runs, in milliseconds.
# With ORACLE_PYTHON and ORACLE set to the reference compiler's interpreter and script, its stages are shown beside.
set -euo pipefail
cd "$(dirname "$0")/.."
tk=${TK:-target/release/tk}

cold() { # label, arguments of tk compile
  local label=$1; shift
  local times=()
  for _ in $(seq 15); do
    local start end
    start=$(date +%s%N)
    "$tk" compile "$@" --target sm_90a -o /dev/null
    end=$(date +%s%N)
    times+=($(((end - start) / 1000)))
  done
  printf '%s\n' "${times[@]}" | sort -n | awk -v label="$label" '{ v[NR] = $1 } END { printf "%-28s tk %8.1f ms (least %.1f)\n", label, v[int((NR + 1) / 2)] / 1e3, v[1] / 1e3 }'
}

oracle() { # arguments of oracle.py compile
  [ -n "${ORACLE:-}" ] || return 0
  "${ORACLE_PYTHON:-python3}" "$ORACLE" compile "$@" --times 2>&1 >/dev/null | tail -n 1
}

add="examples/vector_add.tk"
cold 'vector_add' "$add" --kernel add_kernel --signature '*fp32:16,*fp32:16,*fp32:16,i32:16' --constexpr BLOCK_SIZE=1024
oracle "$add" add_kernel --signature '*fp32:16,*fp32:16,*fp32:16,i32:16' --constexpr BLOCK_SIZE=1024
mm="examples/matmul.tk"
signature='*fp16:16,*fp16:16,*fp16:16,i32:16,i32:16,i32:16,i32:16,i32=1,i32:16,i32=1,i32:16,i32=1'
cold 'matmul 128x256x64' "$mm" --kernel matmul_kernel_grouped --signature "$signature" --constexpr BLOCK_SIZE_M=128,BLOCK_SIZE_N=256,BLOCK_SIZE_K=64,GROUP_SIZE_M=8 --num-warps 8 --num-stages 3
oracle "$mm" matmul_kernel_grouped --signature "$signature" --constexpr BLOCK_SIZE_M=128 --constexpr BLOCK_SIZE_N=256 --constexpr BLOCK_SIZE_K=64 --constexpr GROUP_SIZE_M=8 --num-warps 8 --num-stages 3
