/* A stand-in for the CUDA driver, for tests on machines without a GPU. It has the calls that tk-runtime and the C sources of `tk build`
 * make, keeps memory in that of the host, runs nothing, and writes what it is asked for to the file that FAKE_CUDA_LOG names:
 *
 *     load ptx|machine-code
 *     map type=6 rank=2 address=0x10 sizes=100,50 strides=208 box=64,64 swizzle=3 fill=1
 *     launch entry=k grid=1,2,3 block=128,1,1 cluster=1 shared=0 stream=0x0 params=0100…,00
 *     wait stream=0x5 for=0x7
 *     free
 *
 * Launches in other contexts than that of the first GPU have context=1 before their parameters, and frees are told with
 * FAKE_CUDA_LOG_FREES=1.
 * The bytes of parameters are taken with the sizes that the header of the entry says. FAKE_CUDA_CAPABILITY (90) is the GPU,
 * FAKE_CUDA_PARAM_MORE is added to the bytes that cuFuncGetParamInfo answers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARAMS 64

typedef struct {
    char *text;
} Module;

typedef struct {
    char name[256];
    size_t sizes[MOST_PARAMS], offsets[MOST_PARAMS];
    size_t count;
} Function;

typedef struct {
    unsigned grid[3], block[3], shared;
    void *stream;
    struct {
        unsigned id;
        char pad[4];
        unsigned value[16];
    } *attributes;
    unsigned attribute_count;
} LaunchConfig;

/* As in the driver, each thread has its own. */
static _Thread_local void *current;
static char context[64];

static FILE *log_file(void) {
    const char *path = getenv("FAKE_CUDA_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    return file ? file : fopen("/dev/null", "w");
}

static int number(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

int cuInit(unsigned flags) { return flags == 0 ? 0 : 1; }
int cuDriverGetVersion(int *version) { *version = 12080; return 0; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
int cuDeviceGet(int *device, int ordinal) { *device = ordinal; return ordinal < 2 ? 0 : 101; }
int cuDeviceGetName(char *name, int length, int device) { snprintf(name, length, "fake %d", device); return 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int device) { (void)device; *bytes = 1u << 30; return 0; }

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    int capability = number("FAKE_CUDA_CAPABILITY", 90);
    switch (attribute) {
    case 75: *value = capability / 10; break;
    case 76: *value = capability % 10; break;
    case 16: *value = 132; break;
    case 97: *value = 232448; break;
    case 82: *value = 65536; break;
    default: *value = 0;
    }
    return 0;
}

int cuDevicePrimaryCtxRetain(void **out, int device) { *out = context + device; return 0; }
int cuDevicePrimaryCtxRelease_v2(int device) { (void)device; return 0; }
int cuCtxGetCurrent(void **out) { *out = current; return 0; }
int cuCtxSetCurrent(void *to) { current = to; return 0; }
int cuCtxGetDevice(int *device) {
    if (!current) return 201;
    *device = (int)((char *)current - context);
    return 0;
}
int cuCtxSynchronize(void) { return current ? 0 : 201; }
int cuStreamSynchronize(void *stream) { (void)stream; return 0; }

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    if (!current) return 201;
    *address = (uint64_t)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *address ? 0 : 2;
}
int cuMemFree_v2(uint64_t address) {
    if (!current) return 201;
    free((void *)(uintptr_t)address);
    if (number("FAKE_CUDA_LOG_FREES", 0)) {
        FILE *file = log_file();
        fprintf(file, "free\n");
        fclose(file);
    }
    return 0;
}
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) { memcpy((void *)(uintptr_t)to, from, bytes); return 0; }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) { memcpy(to, (void *)(uintptr_t)from, bytes); return 0; }
int cuMemcpyPeer(uint64_t to, void *to_context, uint64_t from, void *from_context, size_t bytes) {
    if (current != to_context || to_context == from_context) return 201;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return 0;
}
int cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    *free_bytes = (size_t)(1 + ((char *)current - context)) << 30;
    *total = (size_t)4 << 30;
    return 0;
}
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *stream) {
    (void)stream;
    memset((void *)(uintptr_t)to, value, bytes);
    return 0;
}

int cuStreamCreate(void **stream, unsigned flags) { (void)flags; *stream = (void *)0x57; return 0; }
int cuStreamDestroy_v2(void *stream) { (void)stream; return 0; }
int cuStreamBeginCapture_v2(void *stream, int mode) {
    (void)stream, (void)mode;
    FILE *file = log_file();
    fprintf(file, "capture\n");
    fclose(file);
    return 0;
}
int cuStreamEndCapture(void *stream, void **graph) { (void)stream; *graph = (void *)0x61; return 0; }
int cuGraphInstantiateWithFlags(void **run, void *graph, unsigned long long flags) {
    (void)graph, (void)flags;
    *run = (void *)0x62;
    return 0;
}
int cuGraphLaunch(void *run, void *stream) {
    (void)run;
    FILE *file = log_file();
    fprintf(file, "replay stream=%p\n", stream);
    fclose(file);
    return 0;
}
int cuGraphExecDestroy(void *run) { (void)run; return 0; }
int cuGraphDestroy(void *graph) { (void)graph; return 0; }

int cuModuleLoadDataEx(void **out, const char *code, unsigned count, void *options, void *values) {
    (void)count, (void)options, (void)values;
    if (!current) return 201;
    int is_machine_code = memcmp(code, "\177ELF", 4) == 0;
    if (strstr(code, "bogus")) return 218;
    Module *module = malloc(sizeof *module);
    module->text = strdup(code);
    *out = module;
    FILE *file = log_file();
    fprintf(file, "load %s\n", is_machine_code ? "machine-code" : "ptx");
    fclose(file);
    return 0;
}
int cuModuleLoadData(void **out, const char *code) { return cuModuleLoadDataEx(out, code, 0, NULL, NULL); }
int cuModuleUnload(Module *module) {
    free(module->text);
    free(module);
    return 0;
}

/* One parameter of the header: `.param .align 64 .b8 d[128]` or `.param .u64 .ptr .global .align 16 x`. */
static void read_parameter(Function *function, const char *text, const char *end, size_t *place) {
    size_t bytes = 0, elements = 1, alignment = 0;
    for (const char *at = text; at < end; at++) {
        unsigned value;
        if (at[0] == '.' && strchr("busf", at[1]) && sscanf(at + 2, "%u", &value) == 1 && !bytes) bytes = value / 8;
        if (!bytes && strncmp(at, ".align ", 7) == 0) alignment = strtoul(at + 7, NULL, 10);
        if (at[0] == '[') elements = strtoul(at + 1, NULL, 10);
    }
    if (!alignment) alignment = bytes;
    size_t offset = (*place + alignment - 1) / alignment * alignment;
    function->offsets[function->count] = offset;
    function->sizes[function->count++] = bytes * elements;
    *place = offset + bytes * elements;
}

int cuModuleGetFunction(void **out, Module *module, const char *name) {
    char header[300];
    snprintf(header, sizeof header, ".entry %s(", name);
    const char *at = strstr(module->text, header);
    if (!at) return 500;
    at += strlen(header);
    const char *end = strchr(at, ')');
    Function *function = calloc(1, sizeof *function);
    snprintf(function->name, sizeof function->name, "%s", name);
    size_t place = 0;
    while (at < end) {
        const char *comma = memchr(at, ',', end - at);
        const char *stop = comma ? comma : end;
        if (strstr(at, ".param") && strstr(at, ".param") < stop && function->count < MOST_PARAMS)
            read_parameter(function, at, stop, &place);
        at = stop + 1;
    }
    *out = function;
    return 0;
}

int cuFuncGetAttribute(int *value, int attribute, void *function) {
    (void)function;
    *value = attribute == 4 ? 32 : 0;
    return 0;
}
int cuFuncSetAttribute(void *function, int attribute, int value) {
    FILE *file = log_file();
    fprintf(file, "attribute entry=%s %d=%d\n", ((Function *)function)->name, attribute, value);
    fclose(file);
    return 0;
}

int cuFuncGetParamInfo(Function *function, size_t index, size_t *offset, size_t *bytes) {
    if (index >= function->count) return 1;
    *offset = function->offsets[index];
    *bytes = function->sizes[index] + number("FAKE_CUDA_PARAM_MORE", 0);
    return 0;
}

static void print_list(FILE *file, const char *name, const uint64_t *values, unsigned count) {
    fprintf(file, " %s=", name);
    for (unsigned i = 0; i < count; i++) fprintf(file, "%s%llu", i ? "," : "", (unsigned long long)values[i]);
}

int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const uint64_t *sizes,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps, int interleave,
                           int swizzle, int promotion, int fill) {
    (void)interleave, (void)promotion;
    if (!current) return 201;
    if ((uintptr_t)map % 64 || (uintptr_t)address % 16) return 1;
    uint64_t boxes[5];
    for (unsigned i = 0; i < rank; i++) {
        if (steps[i] != 1) return 1;
        boxes[i] = box[i];
    }
    memset(map, 0xab, 128);
    FILE *file = log_file();
    fprintf(file, "map type=%d rank=%u address=%p", type, rank, address);
    print_list(file, "sizes", sizes, rank);
    print_list(file, "strides", strides, rank - 1);
    print_list(file, "box", boxes, rank);
    fprintf(file, " swizzle=%d fill=%d\n", swizzle, fill);
    fclose(file);
    return 0;
}

int cuLaunchKernelEx(const LaunchConfig *config, Function *function, void **params, void **extra) {
    if (!current || extra) return 201;
    /* FAKE_CUDA_LOG_LAUNCHES=0: nothing is written, since that allocates. */
    if (!number("FAKE_CUDA_LOG_LAUNCHES", 1)) return 0;
    FILE *file = log_file();
    const unsigned *grid = config->grid, *block = config->block;
    unsigned cluster = config->attribute_count ? config->attributes[0].value[0] : 1;
    fprintf(file, "launch entry=%s grid=%u,%u,%u block=%u,%u,%u cluster=%u shared=%u stream=%p ", function->name, grid[0],
            grid[1], grid[2], block[0], block[1], block[2], cluster, config->shared, config->stream);
    if (current != context) fprintf(file, "context=%d ", (int)((char *)current - context));
    fprintf(file, "params=");
    for (size_t i = 0; i < function->count; i++) {
        const unsigned char *bytes = params[i];
        if (i) fputc(',', file);
        for (size_t j = 0; j < function->sizes[i]; j++) fprintf(file, "%02x", bytes[j]);
    }
    fputc('\n', file);
    fclose(file);
    return 0;
}

int cuLaunchKernel(Function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **params, void **extra) {
    LaunchConfig config = {{gx, gy, gz}, {bx, by, bz}, shared, stream, NULL, 0};
    return cuLaunchKernelEx(&config, function, params, extra);
}

int cuGetErrorString(int status, const char **text) {
    static char sentence[64];
    snprintf(sentence, sizeof sentence, "fake error %d", status);
    *text = sentence;
    return 0;
}

/* What cudarc's safe layer asks for besides. */
int cuDeviceGetUuid_v2(void *uuid, int device) { memset(uuid, device, 16); return 0; }
int cuCtxSetFlags(unsigned flags) { (void)flags; return 0; }
static void *recorded; /* What the last event was recorded on. */
int cuEventCreate(void **event, unsigned flags) { (void)flags; *event = (void *)0x77; return 0; }
int cuEventRecord(void *event, void *stream) { (void)event; recorded = stream; return 0; }
int cuEventSynchronize(void *event) { (void)event; return 0; }
int cuEventDestroy_v2(void *event) { (void)event; return 0; }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
    (void)event, (void)flags;
    FILE *file = log_file();
    fprintf(file, "wait stream=0x%llx for=0x%llx\n", (unsigned long long)(uintptr_t)stream, (unsigned long long)(uintptr_t)recorded);
    fclose(file);
    return 0;
}
int cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream) { (void)stream; return cuMemAlloc_v2(address, bytes); }
int cuMemFreeAsync(uint64_t address, void *stream) { (void)stream; return cuMemFree_v2(address); }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) { (void)stream; return cuMemcpyHtoD_v2(to, from, bytes); }
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) { (void)stream; return cuMemcpyDtoH_v2(to, from, bytes); }
