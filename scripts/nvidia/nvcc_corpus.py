"""Compiles public CUDA C++ to PTX with nvcc, and counts which of its kernels the simulator decodes.

usage: nvcc_corpus.py compile NVCC CHECKOUTS PTX [--include DIR,…] [--processes N] [--seconds N] [--draw N] [--only TEXT]
       nvcc_corpus.py table DECODES PTX TABLE.tsv
CHECKOUTS has cuda-samples, cutlass, ThunderKittens and LeetCUDA. Every .cu file that is no Blackwell kernel is compiled for sm_90a, of cutlass
N examples at random; PTX/NAME.ptx is one file's, PTX/log.jsonl says how each compilation ended.
DECODES is the example `decodes` of tk-sim. TABLE.tsv has a row for each file: kernels, those that decode, why others do not. The PTX is not kept
in the repository. --include names the folders of headers that are not nvcc's own (cuBLAS, cuRAND and others). torch/extension.h is replaced by
declarations, since only kernels matter. Needs nvcc 13.0 (PyPI: nvidia-cuda-nvcc, nvidia-cuda-crt, nvidia-nvvm, nvidia-cuda-runtime,
nvidia-cuda-cccl, nvidia-curand) and a host compiler; no GPU.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import re
import subprocess
import time

# Per project: the files, those left out, folders of headers and options.
PROJECTS = {
    'cuda-samples': {'files': ['Samples/**/*.cu', 'cpp/**/*.cu'], 'without': r'nvrtc|/vulkan', 'include': ['Common', 'cpp/Common'], 'options': ['-std=c++17', '--extended-lambda', '-rdc=true']},
    'cutlass': {'files': ['examples/**/*.cu'], 'without': r'blackwell|sm100|sm101|sm103|sm120|sm_100|geforce|distributed|/7[0-9]_|/8[0-9]_|/9[0-9]_',
                'include': ['include', 'tools/util/include', 'examples/common', 'test/unit', 'test', 'tools/library/include', 'test/unit/common'],
                'options': ['-std=c++17', '--expt-relaxed-constexpr', '--expt-extended-lambda', '-DCUTLASS_ARCH_MMA_SM90_SUPPORTED=1'], 'drawn': True},
    'ThunderKittens': {'files': ['kernels/**/*.cu', 'tests/**/*.cu'], 'without': r'b200|b300|blackwell|mxfp8|nvfp4|cublas|baselines',
                       'include': ['include', 'tests/testing_commons', 'tests', 'prototype', '.'],
                       'options': ['-std=c++20', '--expt-relaxed-constexpr', '--extended-lambda', '-DKITTENS_HOPPER', '-DKITTENS_SM90', '-DTEST_INTENSITY=1', '-DTEST_ALL']},
    'LeetCUDA': {'files': ['**/*.cu'], 'without': '', 'include': ['../cutlass/include'],
                 'options': ['-std=c++17', '--expt-relaxed-constexpr', '--extended-lambda']},
}

TORCH = r'''
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>
namespace torch {
enum ScalarType { kHalf, kFloat16, kFloat, kFloat32, kDouble, kFloat64, kInt, kInt32, kInt8, kChar, kLong, kInt64, kByte, kUInt8, kBool,
                  kBFloat16, kFloat8_e4m3fn, kFloat8_e5m2, Float, Half, BFloat16 };
using Dtype = ScalarType;
enum DeviceType { kCUDA, kCPU };
struct Device { Device(DeviceType, int = 0) {} int index() const { return 0; } bool is_cuda() const { return true; } };
struct TensorOptions {
  template <class... A> TensorOptions dtype(A...) const { return {}; }
  template <class... A> TensorOptions device(A...) const { return {}; }
  ScalarType dtype() const { return kFloat; }
};
inline std::ostream &operator<<(std::ostream &out, TensorOptions) { return out; }
inline std::ostream &operator<<(std::ostream &out, std::vector<int64_t>) { return out; }
struct Tensor {
  int64_t size(int64_t) const { return 0; }
  std::vector<int64_t> sizes() const { return {}; }
  int64_t stride(int64_t) const { return 0; }
  int64_t dim() const { return 0; }
  int64_t numel() const { return 0; }
  void *data_ptr() const { return nullptr; }
  template <class T> T *data_ptr() const { return nullptr; }
  template <class T> T item() const { return T(); }
  TensorOptions options() const { return {}; }
  ScalarType dtype() const { return kFloat; }
  ScalarType scalar_type() const { return kFloat; }
  Device device() const { return Device(kCUDA); }
  bool is_contiguous() const { return true; }
  bool is_cuda() const { return true; }
  Tensor contiguous() const { return {}; }
  Tensor view(std::vector<int64_t>) const { return {}; }
};
inline std::ostream &operator<<(std::ostream &out, const Tensor &) { return out; }
template <class... A> Tensor zeros(A...) { return {}; }
inline Tensor zeros(std::initializer_list<int64_t>, TensorOptions = {}) { return {}; }
inline Tensor empty(std::initializer_list<int64_t>, TensorOptions = {}) { return {}; }
template <class... A> Tensor tensor(A...) { return {}; }
template <class... A> Tensor max(A...) { return {}; }
template <class... A> Tensor zeros_like(A...) { return {}; }
template <class... A> Tensor empty_like(A...) { return {}; }
}
namespace at {
using namespace torch;
namespace cuda { inline cudaStream_t getCurrentCUDAStream(int = 0) { return nullptr; } struct CUDAGuard { template <class... A> CUDAGuard(A...) {} }; }
}
namespace c10 { using namespace torch; namespace cuda { using at::cuda::CUDAGuard; } }
namespace pybind11 { struct arg { arg(const char *) {} template <class T> arg &operator=(T) { return *this; } }; }
namespace py = pybind11;
#define TORCH_CHECK(...)
#define AT_ASSERTM(...)
#define TORCH_EXTENSION_NAME stand_in
#define PYBIND11_MODULE(name, module) template <class Module> void define_module(Module &module)
#define TORCH_LIBRARY(name, module) template <class Module> void define_library(Module &module)
'''
STAND_INS = ['torch/extension.h', 'torch/types.h', 'torch/all.h', 'torch/torch.h', 'ATen/cuda/CUDAContext.h', 'c10/cuda/CUDAGuard.h', 'ATen/ATen.h']


def stand_ins(folder):
    """Writes the declarations that take the place of torch's headers; the folder."""
    for name in STAND_INS:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TORCH if name == 'torch/extension.h' else '#include <torch/extension.h>\n')
    return folder


def chosen(name, project, root, draw, seed):
    """The files of a project that are compiled."""
    files = sorted({path for pattern in project['files'] for path in root.glob(pattern)})
    left_out = re.compile(project['without']) if project['without'] else None
    files = [path for path in files if not (left_out and left_out.search(str(path.relative_to(root))))]
    if project.get('drawn') and len(files) > draw:
        files = random.Random(f'{seed}{name}').sample(files, draw)
    return [(name, path.relative_to(root)) for path in files]


def compile_one(options, stands, name, path):
    """Compiles one file; the row of the log."""
    project, root = PROJECTS[name], (options.checkouts / name).resolve()
    out = options.ptx / ('-'.join([name, *path.with_suffix('').parts]) + '.ptx')
    command = [str(options.nvcc), '-ptx', '-arch=sm_90a', '-w', *project['options'], '-o', str(out)]
    command += [f'-I{root / each}' for each in project['include']]
    command += [f'-I{parent / each}' for parent in (root / path).parents[:3] for each in ('', 'utils', 'inc')]
    command += [f'-I{stands}', *[f'-I{each}' for each in options.include.split(',') if each], str(root / path)]
    began = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds, errors='replace')
    except subprocess.TimeoutExpired:
        out.unlink(missing_ok=True)
        return {'project': name, 'file': str(path), 'status': 'late'}
    errors = [line for line in done.stderr.splitlines() if 'error' in line]
    row = {'project': name, 'file': str(path), 'status': done.returncode, 'seconds': round(time.time() - began, 1), 'ptx': out.name}
    return row | ({'error': errors[0][-240:] if errors else done.stderr[-240:]} if done.returncode else {})


def compile_all(options):
    options.ptx = options.ptx.resolve()
    options.ptx.mkdir(parents=True, exist_ok=True)
    stands = stand_ins(options.ptx / 'stand-ins')
    jobs = [job for name, project in PROJECTS.items() for job in chosen(name, project, options.checkouts / name, options.draw, options.seed)]
    jobs = [job for job in jobs if re.search(options.only, f'{job[0]}/{job[1]}')]
    random.Random(options.seed).shuffle(jobs)
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool, (options.ptx / 'log.jsonl').open('a') as log:
        for row in pool.map(lambda job: compile_one(options, stands, *job), jobs):
            log.write(json.dumps(row) + '\n')
            log.flush()
            counts[row['project'], 'compiled' if row['status'] == 0 else 'late' if row['status'] == 'late' else 'failed'] += 1
    for key, count in sorted(counts.items()):
        print(*key, count)


def spelled(reason):
    """A reason without what is special to one kernel, so that reasons can be counted."""
    return re.sub(r'[`"\'][^`"\']*[`"\']', lambda found: found[0] if len(found[0]) < 40 else '…', reason).replace('\t', ' ')


def table(options):
    """Asks `decodes` for every file and writes the table."""
    rows = [json.loads(line) for line in (options.ptx / 'log.jsonl').read_text().splitlines()]
    rows = {(row['project'], row['file']): row for row in rows if row['status'] == 0}
    reasons, kernels, known, lines = collections.Counter(), 0, 0, []
    for (project, file), row in sorted(rows.items()):
        path = options.ptx / row['ptx']
        done = subprocess.run([str(options.decodes), str(path)], capture_output=True, text=True, errors='replace')
        said = done.stdout.splitlines()
        count = len(re.findall(r'^(?:\.visible |\.weak )*\.(?:visible \.|weak \.)?entry\s', path.read_text(errors='replace'), re.M))
        refused = [spelled(line.removeprefix(f'{path}').split(': ', 1)[-1]) for line in said[:-1]]
        match = re.match(r'(\d+) kernels decode, (\d+) are refused; (\d+) files cannot be read', said[-1]) if said else None
        decoded = int(match[1]) if match else 0
        if match and match[3] == '1' or not match:
            refused = refused[:1] * max(count, 1) if refused else ['the tool ended']
        kernels, known = kernels + decoded + len(refused), known + decoded
        reasons.update(refused)
        if decoded or refused:
            counted = '; '.join(f'{text} ({number})' for text, number in collections.Counter(refused).most_common())
            lines.append(f'{project}\t{file}\t{decoded + len(refused)}\t{decoded}\t{counted}')
    options.table.write_text('project\tfile\tkernels\tdecode\trefused\n' + '\n'.join(lines) + '\n')
    print(f'{known} of {kernels} kernels of {len(lines)} files decode ({100 * known / max(kernels, 1):.1f} %)')
    for reason, count in reasons.most_common():
        print(f'{count:5} {reason}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest='step', required=True)
    making = steps.add_parser('compile')
    for name in ('nvcc', 'checkouts', 'ptx'):
        making.add_argument(name, type=pathlib.Path)
    making.add_argument('--include', default='')
    making.add_argument('--processes', type=int, default=2)
    making.add_argument('--seconds', type=float, default=90)
    making.add_argument('--draw', type=int, default=80)
    making.add_argument('--seed', type=int, default=1)
    making.add_argument('--only', default='')
    counting = steps.add_parser('table')
    for name in ('decodes', 'ptx', 'table'):
        counting.add_argument(name, type=pathlib.Path)
    options = parser.parse_args()
    {'compile': compile_all, 'table': table}[options.step](options)


if __name__ == '__main__':
    main()
