// Declarations of dialect tk.
#ifndef TK_OWN_H
#define TK_OWN_H

#include "tk.h"

#include "tk_dialect.h.inc"
#define GET_OP_CLASSES
#include "tk_ops.h.inc"

#endif
