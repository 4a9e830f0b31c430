/* What a program of nvcc links of the runtime and the driver, doing nothing: no GPU is there, and nothing is launched. */
#include <stddef.h>
typedef int E;
void **__cudaRegisterFatBinary(void *p) { static void *h; return &h; }
void __cudaRegisterFatBinaryEnd(void **h) {}
void __cudaUnregisterFatBinary(void **h) {}
void __cudaRegisterFunction(void **h, const char *f, char *d, const char *n, int l, void *t, void *b, void *bd, void *gd, int *w) {}
void __cudaRegisterVar(void **h, char *v, char *a, const char *n, int e, size_t s, int c, int g) {}
char __cudaInitModule(void **h) { return 0; }
unsigned __cudaPushCallConfiguration(unsigned long long a, unsigned b, unsigned long long c, unsigned d, size_t s, void *t) { return 0; }
E __cudaPopCallConfiguration(void *g, void *b, size_t *s, void *t) { return 0; }
E cudaGetLastError(void) { return 0; }
const char *cudaGetErrorString(E e) { return "no error"; }
E cudaGetDevice(int *d) { *d = 0; return 0; }
E cudaDeviceGetAttribute(int *v, int a, int d) { *v = 4; return 0; }
E cudaLaunchKernel(const void *f) { return 0; }
E cudaLaunchKernelExC(const void *c, const void *f, void **a) { return 0; }
E cudaFuncSetAttribute(const void *f, int a, int v) { return 0; }
E cudaOccupancyMaxActiveClusters(int *n, const void *f, const void *c) { *n = 2; return 0; }
E cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int b, size_t s) { *n = 1; return 0; }
E cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *f, int b, size_t s, unsigned g) { *n = 1; return 0; }
E cudaMemsetAsync(void *p, int v, size_t n, void *s) { return 0; }
E cudaMemcpy(void *d, const void *s, size_t n, int k) { return 0; }
E cudaMemcpyAsync(void *d, const void *s, size_t n, int k, void *t) { return 0; }
E cudaGetDeviceProperties(void *p, int d) { return 0; }
E __cudaGetKernel(void **k, const void *f) { *k = 0; return 0; }
E __cudaLaunchKernel(void *k) { return 0; }
E __cudaLaunchKernel_ptsz(void *k) { return 0; }
E cudaGetDeviceCount(int *n) { *n = 1; return 0; }
E cudaStreamSynchronize(void *s) { return 0; }
E cudaDeviceSynchronize(void) { return 0; }
E cudaMalloc(void **p, size_t n) { return 2; }
E cudaFree(void *p) { return 0; }
E cudaPeekAtLastError(void) { return 0; }
const char *cudaGetErrorName(E e) { return "cudaSuccess"; }
E cudaFuncGetAttributes(void *a, const void *f) { return 0; }
E cudaGetSymbolAddress(void **p, const void *s) { return 0; }
E cudaGetDriverEntryPointByVersion(const char *s, void **p, unsigned v, unsigned long long f, int *r) { *p = 0; return 1; }
E cuGetErrorString(E e, const char **s) { *s = ""; return 0; }
E cuTensorMapEncodeIm2col(void) { return 1; }
E cudaDriverGetVersion(int *v) { *v = 13000; return 0; }
E cuDriverGetVersion(int *v) { *v = 13000; return 0; }
E cuTensorMapReplaceAddress(void *m, void *a) { return 1; }
E cudaRuntimeGetVersion(int *v) { *v = 13000; return 0; }
