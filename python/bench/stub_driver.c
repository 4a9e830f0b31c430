/* A CUDA driver without a GPU: enough of libcuda for a device to open, kernels to load, and launches to be counted and looked at.
 *
 * Built by stub_driver.py for tests and benchmarks of what a launch costs before the driver. Nothing runs on it. */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef struct {
    unsigned grid[3], block[3], shared;
    void *stream;
    void *attributes;
    unsigned attribute_count;
} LaunchConfig;

enum { SUCCESS = 0, INVALID_VALUE = 1, ILLEGAL_ADDRESS = 700, MOST_WORDS = 64 };

static uint64_t launches;
static LaunchConfig last;
static uint64_t words[MOST_WORDS];
static unsigned words_wanted;
static uint64_t next_address = 1 << 20;
/* A context is the number of its device and one; each thread has its own. */
static _Thread_local void *context = (void *)1;
static void *launch_context;
/* Which stream waited for which last. */
static void *waiting, *waited;

typedef struct {
    void *stream;
    double milliseconds;
} Event;

/* What each GPU did. Its clock goes on by a microsecond for each program of a launch, on the second one by a tenth more. */
typedef struct {
    double milliseconds;
    uint64_t launches, filled, copied, taken, memory, word;
} Device;
enum { DEVICES = 2 };
static Device devices[DEVICES];
static Device *current_device(void) {
    uintptr_t at = (uintptr_t)context - 1;
    return &devices[at < DEVICES ? at : 0];
}
/* Whether launches on the second GPU fail. */
static int is_faulty;
static uint64_t waits;

/* What tests ask. */
uint64_t stub_launches(void) { return launches; }
void stub_watch(unsigned count) { words_wanted = count < MOST_WORDS ? count : MOST_WORDS; }
uint64_t stub_word(unsigned index) { return index < words_wanted ? words[index] : 0; }
uint64_t stub_context(void) { return (uint64_t)(uintptr_t)launch_context; }
uint64_t stub_stream(void) { return (uint64_t)(uintptr_t)last.stream; }
uint64_t stub_waits(void) { return waits; }
uint64_t stub_waiting(void) { return (uint64_t)(uintptr_t)waiting; }
uint64_t stub_waited(void) { return (uint64_t)(uintptr_t)waited; }
uint64_t stub_launches_on(unsigned device) { return devices[device].launches; }
/* Bytes that were filled, copied on the GPU and taken from another one, and those that are allocated. */
uint64_t stub_filled(unsigned device) { return devices[device].filled; }
uint64_t stub_copied(unsigned device) { return devices[device].copied; }
uint64_t stub_taken(unsigned device) { return devices[device].taken; }
uint64_t stub_allocated(unsigned device) { return devices[device].memory; }
/* The first word of its last launch, where words are watched. */
uint64_t stub_word_on(unsigned device) { return devices[device].word; }
unsigned stub_grid(unsigned axis) { return axis < 3 ? last.grid[axis] : 0; }

CUresult cuInit(unsigned flags) { return flags ? INVALID_VALUE : SUCCESS; }
/* From 12.4 on a driver says what parameters a kernel has, which this one does not know. */
CUresult cuDriverGetVersion(int *version) { *version = 12030; return SUCCESS; }
CUresult cuDeviceGetCount(int *count) { *count = 2; return SUCCESS; }
CUresult cuDeviceGet(int *device, int ordinal) { *device = ordinal; return SUCCESS; }
CUresult cuDeviceGetName(char *name, int length, int device) {
    (void)device;
    strncpy(name, "a driver without a GPU", (size_t)length);
    return SUCCESS;
}
CUresult cuDeviceTotalMem_v2(size_t *bytes, int device) { (void)device; *bytes = (size_t)1 << 37; return SUCCESS; }
CUresult cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    switch (attribute) {
    case 16: *value = 132; break;       /* multiprocessors */
    case 38: *value = 50 << 20; break;  /* bytes of L2 */
    case 75: *value = 9; break;         /* compute capability */
    case 76: *value = 0; break;
    case 82: *value = 65536; break;     /* registers of a multiprocessor */
    case 97: *value = 232448; break;    /* shared memory of a CTA */
    default: *value = 0;
    }
    return SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(void **retained, int device) { *retained = (void *)(uintptr_t)(device + 1); return SUCCESS; }
CUresult cuDevicePrimaryCtxRelease_v2(int device) { (void)device; return SUCCESS; }
CUresult cuCtxSetCurrent(void *wanted) { context = wanted; return SUCCESS; }
CUresult cuCtxGetCurrent(void **current) { *current = context; return SUCCESS; }
CUresult cuCtxSynchronize(void) { return is_faulty && current_device() != devices ? ILLEGAL_ADDRESS : SUCCESS; }
CUresult cuModuleLoadDataEx(void **module, const void *image, unsigned count, void *options, void **values) {
    (void)image; (void)count; (void)options; (void)values;
    *module = (void *)1;
    return SUCCESS;
}
CUresult cuModuleUnload(void *module) { (void)module; return SUCCESS; }
CUresult cuModuleGetFunction(void **function, void *module, const char *name) {
    (void)module; (void)name;
    *function = (void *)1;
    return SUCCESS;
}
CUresult cuFuncGetAttribute(int *value, int attribute, void *function) {
    (void)function;
    *value = attribute == 4 ? 32 : 0; /* registers */
    return SUCCESS;
}
CUresult cuFuncSetAttribute(void *function, int attribute, int value) { (void)function; (void)attribute; (void)value; return SUCCESS; }
/* Each allocation says its bytes before it, so that what is freed is known. */
typedef struct {
    uint64_t address, bytes;
} Block;
enum { MOST_BLOCKS = 4096 };
static Block blocks[DEVICES][MOST_BLOCKS];
CUresult cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    *address = __atomic_fetch_add(&next_address, (bytes + 255) / 256 * 256, __ATOMIC_RELAXED);
    Device *device = current_device();
    Block *block = blocks[device - devices];
    for (unsigned at = 0; at < MOST_BLOCKS; at++)
        if (!block[at].address) {
            block[at] = (Block){*address, bytes};
            device->memory += bytes;
            break;
        }
    return SUCCESS;
}
CUresult cuMemFree_v2(uint64_t address) {
    Device *device = current_device();
    Block *block = blocks[device - devices];
    for (unsigned at = 0; at < MOST_BLOCKS; at++)
        if (block[at].address == address) {
            device->memory -= block[at].bytes;
            block[at] = (Block){0, 0};
        }
    return SUCCESS;
}
CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    /* What others take of the second GPU, in hundredths. */
    const char *others = current_device() == &devices[1] ? getenv("STUB_TAKEN") : NULL;
    *total = (size_t)1 << 37;
    *free_bytes = *total / 100 * (100 - (others ? (size_t)atoi(others) : 0));
    return SUCCESS;
}
CUresult cuMemsetD8Async(uint64_t address, unsigned char value, size_t bytes, void *stream) {
    (void)address; (void)stream;
    if (value == 0) current_device()->filled += bytes;
    return SUCCESS;
}
CUresult cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
    (void)to; (void)from; (void)stream;
    current_device()->copied += bytes;
    return SUCCESS;
}
CUresult cuMemcpyPeer(uint64_t to, void *to_context, uint64_t from, void *from_context, size_t bytes) {
    (void)to; (void)from; (void)from_context;
    devices[(uintptr_t)to_context - 1].taken += bytes;
    return SUCCESS;
}
CUresult cuTensorMapEncodeTiled(void *map, int element, unsigned rank, void *address, const uint64_t *sizes, const uint64_t *strides,
                                const unsigned *box, const unsigned *steps, int interleave, int swizzle, int promotion, int fill) {
    (void)element; (void)rank; (void)sizes; (void)strides; (void)box; (void)steps;
    (void)interleave; (void)swizzle; (void)promotion; (void)fill;
    memset(map, 0, 128);
    memcpy(map, &address, sizeof address);
    return SUCCESS;
}
CUresult cuLaunchKernelEx(const LaunchConfig *config, void *function, void **parameters, void **extra) {
    (void)function; (void)extra;
    launches += 1;
    launch_context = context;
    Device *device = current_device();
    device->launches += 1;
    device->milliseconds += 1e-3 * config->grid[0] * (device == devices ? 1.0 : 1.1);
    if (device != devices && getenv("STUB_FAULTY")) is_faulty = 1;
    last = *config;
    for (unsigned at = 0; at < words_wanted; at++) memcpy(&words[at], parameters[at], sizeof words[at]);
    if (words_wanted) device->word = words[0];
    return SUCCESS;
}
CUresult cuEventCreate(void **event, unsigned flags) {
    (void)flags;
    *event = calloc(1, sizeof(Event));
    return *event ? SUCCESS : 2;
}
CUresult cuEventRecord(void *event, void *stream) {
    *(Event *)event = (Event){stream, current_device()->milliseconds};
    return SUCCESS;
}
CUresult cuEventDestroy_v2(void *event) { free(event); return SUCCESS; }
CUresult cuEventSynchronize(void *event) { (void)event; return cuCtxSynchronize(); }
CUresult cuEventElapsedTime(float *milliseconds, void *from, void *to) {
    *milliseconds = (float)(((Event *)to)->milliseconds - ((Event *)from)->milliseconds);
    return SUCCESS;
}
CUresult cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
    (void)flags;
    waits += 1;
    waiting = stream, waited = ((Event *)event)->stream;
    return SUCCESS;
}
CUresult cuGetErrorString(CUresult status, const char **text) {
    *text = status ? "the driver without a GPU refuses" : "no error";
    return SUCCESS;
}

/* DLPack's table of C functions, as torch has it for its tensors, with tensors of the CPU as if they were on a GPU. */
typedef struct {
    void *data;
    int32_t device_type, device_id, rank;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} Tensor;
typedef struct {
    uint32_t major, minor;
    void *older, *allocate, *export, *import;
    int (*describe)(void *object, Tensor *out);
    int (*stream)(int device, int ordinal, void **out);
} Exchange;

static Exchange pretended;
static int (*describe_really)(void *object, Tensor *out);

static int describe_on_gpu(void *object, Tensor *out) {
    int status = describe_really(object, out);
    out->device_type = 2;
    return status;
}
static int default_stream(int device, int ordinal, void **out) {
    (void)device; (void)ordinal;
    *out = NULL;
    return 0;
}
void *stub_exchange(const Exchange *real) {
    pretended = *real;
    describe_really = real->describe;
    pretended.describe = describe_on_gpu;
    pretended.stream = default_stream;
    return &pretended;
}
