// What a launch costs the program without tk: the driver's cuLaunchKernel alone, of the kernel with ten arguments that launch_cost launches, in
// batches as long as its own. Prints a line of JSON with nanoseconds on the default stream and on a stream of its own, by pointers to arguments
// and by one buffer that holds them all.
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCH = 200, BATCHES = 300, WARM_UP = 10, ARGUMENTS = 10 };

typedef int (*call)();

static const char *PTX =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry nothing(.param .u64 x, .param .u64 y, .param .u64 z, .param .u32 m, "
    ".param .u32 n, .param .u32 k, .param .u32 stride, .param .u32 alpha, .param .u32 beta, .param .u64 seed)\n{ ret; }\n";

static call find(void *driver, const char *name) {
  call found = (call)dlsym(driver, name);
  if (!found) {
    fprintf(stderr, "bare_launch: the driver has no %s\n", name);
    exit(1);
  }
  return found;
}

static void expect(int status, const char *what) {
  if (status) {
    fprintf(stderr, "bare_launch: %s gave %d\n", what, status);
    exit(1);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) {
    fprintf(stderr, "bare_launch: %s\n", dlerror());
    return 1;
  }
  int device = 0;
  void *context = NULL, *module = NULL, *function = NULL, *own = NULL;
  expect(find(driver, "cuInit")(0), "cuInit");
  expect(find(driver, "cuDeviceGet")(&device, 0), "cuDeviceGet");
  expect(find(driver, "cuDevicePrimaryCtxRetain")(&context, device), "cuDevicePrimaryCtxRetain");
  expect(find(driver, "cuCtxSetCurrent")(context), "cuCtxSetCurrent");
  expect(find(driver, "cuModuleLoadData")(&module, PTX), "cuModuleLoadData");
  expect(find(driver, "cuModuleGetFunction")(&function, module, "nothing"), "cuModuleGetFunction");
  expect(find(driver, "cuStreamCreate")(&own, 1), "cuStreamCreate");
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **) =
      (int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))find(
          driver, "cuLaunchKernel");
  call synchronise = find(driver, "cuCtxSynchronize");

  struct {
    uint64_t x, y, z;
    uint32_t m, n, k, stride;
    float alpha, beta;
    uint64_t seed;
  } buffer = {0, 0, 0, 16, 16, 16, 16, 0.5f, 2.0f, 0};
  void *pointers[ARGUMENTS] = {&buffer.x, &buffer.y, &buffer.z, &buffer.m, &buffer.n, &buffer.k, &buffer.stride, &buffer.alpha, &buffer.beta, &buffer.seed};
  size_t size = sizeof buffer;
  // CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE, CU_LAUNCH_PARAM_END
  void *whole[] = {(void *)1, &buffer, (void *)2, &size, (void *)0};

  const char *names[] = {"default_stream", "own_stream", "default_stream_one_buffer", "own_stream_one_buffer"};
  printf("{");
  for (int way = 0; way < 4; way++) {
    static double times[BATCHES];
    void *stream = way % 2 ? own : NULL;
    // A stand-in for the driver may know the first way of passing arguments alone.
    if (way >= 2 && launch(function, 1, 1, 1, 128, 1, 1, 0, stream, NULL, whole)) break;
    for (int batch = -WARM_UP; batch < BATCHES; batch++) {
      double start = now();
      for (int at = 0; at < BATCH; at++) {
        buffer.seed = (uint64_t)at;
        expect(launch(function, 1, 1, 1, 128, 1, 1, 0, stream, way < 2 ? pointers : NULL, way < 2 ? NULL : whole), "cuLaunchKernel");
      }
      double elapsed = (now() - start) / BATCH;
      expect(synchronise(), "cuCtxSynchronize");
      if (batch >= 0) times[batch] = elapsed;
    }
    qsort(times, BATCHES, sizeof *times, by_size);
    printf("%s\"%s\":{\"median_ns\":%.0f,\"best_ns\":%.0f}", way ? "," : "", names[way], times[BATCHES / 2], times[0]);
  }
  printf("}\n");
  return 0;
}
