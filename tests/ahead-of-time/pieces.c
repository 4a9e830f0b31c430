/* Launches the kernels of pieces.tk, and prints the launches that are refused: their status and what is said of it. */
#include "pieces.h"

#include <stdio.h>
#include <string.h>

/* The stand-in for the driver, or the driver, whose context a program makes by itself. */
#include <dlfcn.h>
static int use_the_gpu(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW), *context = NULL;
    if (!library) return 0;
    int (*start)(unsigned), (*retain)(void **, int), (*use)(void *);
    void *found[3] = {dlsym(library, "cuInit"), dlsym(library, "cuDevicePrimaryCtxRetain"), dlsym(library, "cuCtxSetCurrent")};
    memcpy(&start, &found[0], sizeof start);
    memcpy(&retain, &found[1], sizeof retain);
    memcpy(&use, &found[2], sizeof use);
    return start(0) == 0 && retain(&context, 0) == 0 && use(context) == 0;
}

static int failures;

static void launched(pieces_status status) {
    if (status == PIECES_OK) return;
    printf("unexpected %d: %s\n", status, pieces_message());
    failures++;
}

static void refused(pieces_status status) {
    if (status == PIECES_OK) failures++;
    printf("%d: %s\n", status, pieces_message());
}

int main(int count, char **words) {
    (void)words;
    use_the_gpu();
    pieces_module *module = NULL;
    pieces_status status = pieces_load(&module);
    if (status) {
        printf("%d: %s\n", status, pieces_message());
        return 1;
    }
    if (count > 1) {
        puts("loaded");
        pieces_unload(module);
        return 0;
    }
    void *stream = (void *)5;
    pieces_scale_args scale = {.x_ptr = 0x1000, .y_ptr = 0x2000, .n = 1000, .factor = 2.5f};
    launched(pieces_scale(module, stream, (pieces_grid){8, 1, 1}, &scale)); /* 1000 is no multiple of 16: the second variant */
    scale.n = 832;
    launched(pieces_scale(module, NULL, (pieces_grid){7, 1, 1}, &scale));
    launched(pieces_scale(module, NULL, (pieces_grid){0, 1, 1}, &scale)); /* runs nothing */
    scale.n = 65537;
    refused(pieces_scale(module, NULL, (pieces_grid){1, 1, 1}, &scale));
    scale.n = -1;
    refused(pieces_scale(module, NULL, (pieces_grid){1, 1, 1}, &scale));
    scale.n = 16;
    refused(pieces_scale(module, NULL, (pieces_grid){513, 1, 1}, &scale));
    refused(pieces_scale(module, NULL, (pieces_grid){1, 65536, 1}, &scale));

    pieces_copy_block_args copy = {.source = {0x3000, {50, 100}, {104, 1}}, .to = {0x4000, {50, 100}, {104, 1}}};
    pieces_copy_block_args wrong = copy;
    launched(pieces_copy_block(module, NULL, (pieces_grid){2, 2, 1}, &copy));
    wrong.source.address = 0x3008;
    refused(pieces_copy_block(module, NULL, (pieces_grid){2, 2, 1}, &wrong));
    wrong = copy;
    wrong.source.strides[0] = 100;
    refused(pieces_copy_block(module, NULL, (pieces_grid){2, 2, 1}, &wrong));
    wrong = copy;
    wrong.source.strides[1] = 2;
    refused(pieces_copy_block(module, NULL, (pieces_grid){2, 2, 1}, &wrong));
    wrong = copy;
    wrong.source.shape[0] = 0;
    refused(pieces_copy_block(module, NULL, (pieces_grid){2, 2, 1}, &wrong));
    pieces_product_args product = {.a_ptr = 0x1000, .b_ptr = 0x2000, .c_ptr = 0x3000, .M = 0, .N = 64, .K = 64};
    refused(pieces_product(module, NULL, (pieces_grid){1, 1, 1}, &product));

    pieces_own_descriptors_args own = {.x_ptr = 0x1000, .y_ptr = 0x2000, .rows = 48, .columns = 80, .scratch = 0x5000};
    printf("scratch %d\n", (int)(pieces_own_descriptors_scratch_bytes((pieces_grid){1, 2, 1})));
    launched(pieces_own_descriptors(module, NULL, (pieces_grid){2, 2, 1}, &own));
    pieces_unload(module);
    return failures != 0;
}
