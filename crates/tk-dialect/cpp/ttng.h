// Declarations of dialect ttng.
#ifndef TK_TTNG_H
#define TK_TTNG_H

#include "ttg.h"

#include "ttng_dialect.h.inc"
#define GET_OP_CLASSES
#include "ttng_ops.h.inc"

#endif
