/* A matrix product and attention by kernels that were compiled ahead of time, launched and replayed from a graph, and checked against
 * the host. `--no-check` leaves the comparison out. */
#include "kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What this program uses of the driver; programs with the CUDA toolkit include <cuda.h> instead. */
extern int cuInit(unsigned);
extern int cuDevicePrimaryCtxRetain(void **, int);
extern int cuCtxSetCurrent(void *);
extern int cuCtxSynchronize(void);
extern int cuMemAlloc_v2(uint64_t *, size_t);
extern int cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
extern int cuMemcpyDtoH_v2(void *, uint64_t, size_t);
extern int cuStreamCreate(void **, unsigned);
extern int cuStreamBeginCapture_v2(void *, int);
extern int cuStreamEndCapture(void *, void **);
extern int cuGraphInstantiateWithFlags(void **, void *, unsigned long long);
extern int cuGraphLaunch(void *, void *);

enum { M = 192, N = 128, K = 96, HEADS = 2, CONTEXT = 192, HEAD_DIM = 64 };

static int is_checked = 1;

static void driver(int status, const char *what) {
    if (status == 0) return;
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(1);
}

static void kernel(kernels_status status) {
    if (status == KERNELS_OK) return;
    if (status == KERNELS_NO_VARIANT) fprintf(stderr, "the list of kernels has no signature for this launch\n");
    fprintf(stderr, "status %d: %s\n", status, kernels_message());
    exit(1);
}

/* Numbers between -1 and 1, the same in every run, on the host and on the GPU. */
static uint64_t numbers(_Float16 *values, size_t count, uint32_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (_Float16)((float)(seed >> 8) / (1 << 23) - 1.0f);
    }
    uint64_t address = 0;
    driver(cuMemAlloc_v2(&address, count * sizeof *values), "allocate");
    driver(cuMemcpyHtoD_v2(address, values, count * sizeof *values), "copy");
    return address;
}

static void check(const char *name, const _Float16 *got, const float *expected, size_t count) {
    if (!is_checked) {
        printf("%s: %zu elements\n", name, count);
        return;
    }
    float worst = 0;
    for (size_t i = 0; i < count; i++) {
        float difference = fabsf((float)got[i] - expected[i]);
        if (!(difference <= worst)) worst = difference;
    }
    printf("%s: %zu elements, largest difference %.5f\n", name, count, worst);
    if (!(worst < 0.03f)) exit(1);
}

/* Launched into a graph: the kernels were loaded before. */
static void multiply(const kernels_module *module) {
    static _Float16 a[M * K], b[K * N], c[M * N];
    static float expected[M * N];
    kernels_matmul_args args = {.a_ptr = numbers(a, M * K, 1), .b_ptr = numbers(b, K * N, 2), .c_ptr = numbers(c, M * N, 9),
                                .M = M, .N = N, .K = K, .stride_am = K, .stride_bk = N, .stride_cm = N};
    kernels_grid grid = {(M + 63) / 64 * ((N + 63) / 64), 1, 1};
    void *stream, *graph, *run;
    driver(cuStreamCreate(&stream, 1), "make a stream");
    driver(cuStreamBeginCapture_v2(stream, 0), "capture");
    kernel(kernels_matmul(module, stream, grid, &args));
    driver(cuStreamEndCapture(stream, &graph), "capture");
    driver(cuGraphInstantiateWithFlags(&run, graph, 0), "prepare the graph");
    driver(cuGraphLaunch(run, stream), "run the graph");
    driver(cuCtxSynchronize(), "multiply");
    driver(cuMemcpyDtoH_v2(c, args.c_ptr, sizeof c), "copy");
    for (int row = 0; is_checked && row < M; row++)
        for (int column = 0; column < N; column++)
            for (int i = 0; i < K; i++) expected[row * N + column] += (float)a[row * K + i] * (float)b[i * N + column];
    check("matmul", c, expected, M * N);
}

static void attend(const kernels_module *module) {
    enum { SIZE = HEADS * CONTEXT * HEAD_DIM, HEAD = CONTEXT * HEAD_DIM };
    static _Float16 q[SIZE], k[SIZE], v[SIZE], out[SIZE];
    static float expected[SIZE];
    kernels_attention_args args = {
        .q_ptr = numbers(q, SIZE, 3), .k_ptr = numbers(k, SIZE, 4), .v_ptr = numbers(v, SIZE, 5), .out_ptr = numbers(out, SIZE, 6),
        .scale = 0.125f * 1.44269504f, .stride_qh = HEAD, .stride_qm = HEAD_DIM, .stride_kh = HEAD, .stride_kn = HEAD_DIM,
        .stride_vh = HEAD, .stride_vn = HEAD_DIM, .stride_oh = HEAD, .stride_om = HEAD_DIM, .n_ctx = CONTEXT};
    kernel(kernels_attention(module, NULL, (kernels_grid){(CONTEXT + 63) / 64, HEADS, 1}, &args));
    driver(cuCtxSynchronize(), "attend");
    driver(cuMemcpyDtoH_v2(out, args.out_ptr, sizeof out), "copy");
    for (int row = 0; is_checked && row < HEADS * CONTEXT; row++) {
        int first = row / CONTEXT * CONTEXT;
        float weights[CONTEXT], sum = 0;
        for (int key = 0; key < CONTEXT; key++) {
            float score = 0;
            for (int i = 0; i < HEAD_DIM; i++) score += (float)q[row * HEAD_DIM + i] * (float)k[(first + key) * HEAD_DIM + i];
            sum += weights[key] = expf(score * 0.125f);
        }
        for (int i = 0; i < HEAD_DIM; i++)
            for (int key = 0; key < CONTEXT; key++)
                expected[row * HEAD_DIM + i] += weights[key] / sum * (float)v[(first + key) * HEAD_DIM + i];
    }
    check("attention", out, expected, SIZE);
}

int main(int count, char **words) {
    if (count > 1 && strcmp(words[1], "--no-check") == 0) is_checked = 0;
    void *context;
    driver(cuInit(0), "start the driver");
    driver(cuDevicePrimaryCtxRetain(&context, 0), "open the GPU");
    driver(cuCtxSetCurrent(context), "use the GPU");
    kernels_module *module;
    kernel(kernels_load(&module));
    multiply(module);
    attend(module);
    kernels_unload(module);
    return 0;
}
