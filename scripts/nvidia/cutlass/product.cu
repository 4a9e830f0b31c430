// A product by one of CUTLASS's kernels for Hopper: prints what its launch would pass, and launches nothing.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include "cutlass/cutlass.h"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/device_kernel.h"
#include "cutlass/util/packed_stride.hpp"
using namespace cute;
#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef CLUSTER_M
#define CLUSTER_M 2
#endif
#ifndef EPILOGUE
#define EPILOGUE cutlass::epilogue::TmaWarpSpecialized
#endif
#ifndef ELEMENT
#define ELEMENT cutlass::half_t
#endif
#ifndef ALIGN
#define ALIGN 8
#endif
using Element = ELEMENT;
using BlockTile = Shape<Int<TILE_M>, _128, _64>;
using BlockCluster = Shape<Int<CLUSTER_M>, _1, _1>;
using RowMajor = cutlass::layout::RowMajor;
using ColumnMajor = cutlass::layout::ColumnMajor;
using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, BlockTile, BlockCluster, cutlass::epilogue::collective::EpilogueTileAuto, float, float,
    float, RowMajor, 4, float, RowMajor, 4, EPILOGUE>::CollectiveOp;
using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<
    cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Element, RowMajor, ALIGN, Element, ColumnMajor, ALIGN, float, BlockTile, BlockCluster,
    cutlass::gemm::collective::StageCountAutoCarveout<int(sizeof(typename Epilogue::SharedStorage))>, SCHEDULE>::CollectiveOp;
using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, Mainloop, Epilogue>;
template __global__ void cutlass::device_kernel<Kernel>(CUTLASS_GRID_CONSTANT typename Kernel::Params const);

extern "C" CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *sizes,
    const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps, CUtensorMapInterleave, CUtensorMapSwizzle swizzle,
    CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  static unsigned long long count = 0;
  unsigned long long words[16] = {0x50414d4b54ull, ++count};
  std::memcpy(map, words, sizeof words);
  std::printf("map %llu type=%d address=%p swizzle=%d fill=%d", count, int(type), address, int(swizzle), int(fill));
  for (unsigned i = 0; i < rank; ++i) std::printf(" size=%llu box=%u step=%u", (unsigned long long)sizes[i], box[i], steps[i]);
  for (unsigned i = 0; i + 1 < rank; ++i) std::printf(" stride=%llu", (unsigned long long)strides[i]);
  std::printf("\n");
  return CUDA_SUCCESS;
}

int main() {
  int const M = 256, N = 384, K = 192, L = 1;
  auto *a = reinterpret_cast<Element *>(0x1000000000ull);
  auto *b = reinterpret_cast<Element *>(0x2000000000ull);
  auto *c = reinterpret_cast<float *>(0x3000000000ull);
  auto *d = reinterpret_cast<float *>(0x4000000000ull);
  auto *workspace = reinterpret_cast<void *>(0x5000000000ull);
  auto stride_a = cutlass::make_cute_packed_stride(typename Kernel::StrideA{}, {M, K, L});
  auto stride_b = cutlass::make_cute_packed_stride(typename Kernel::StrideB{}, {N, K, L});
  auto stride_c = cutlass::make_cute_packed_stride(typename Kernel::StrideC{}, {M, N, L});
  auto stride_d = cutlass::make_cute_packed_stride(typename Kernel::StrideD{}, {M, N, L});
  cutlass::KernelHardwareInfo hardware;
  hardware.sm_count = 4;
  hardware.max_active_clusters = 4 / CLUSTER_M;
  typename Kernel::Arguments arguments{cutlass::gemm::GemmUniversalMode::kGemm, {M, N, K, L}, {a, stride_a, b, stride_b},
                                       {{1.0f, 0.5f}, c, stride_c, d, stride_d}, hardware};
  auto params = Kernel::to_underlying_arguments(arguments, workspace);
  dim3 grid = Kernel::get_grid_shape(params), block = Kernel::get_block_shape();
  std::printf("launch m=%d n=%d k=%d grid=%u,%u,%u block=%u cluster=%d shared=%d workspace=%zu\n", M, N, K, grid.x, grid.y, grid.z, block.x,
              CLUSTER_M, int(Kernel::SharedStorageSize), size_t(Kernel::get_workspace_size(arguments)));
  std::printf("params ");
  for (size_t i = 0; i < sizeof params; ++i) std::printf("%02x", reinterpret_cast<unsigned char *>(&params)[i]);
  std::printf("\n");
}
