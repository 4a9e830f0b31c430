// Declarations of dialect ttg.
#ifndef TK_TTG_H
#define TK_TTG_H

#include "tk.h"

#include "ttg_dialect.h.inc"
#include "ttg_enums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ttg_attrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "ttg_types.h.inc"
#define GET_OP_CLASSES
#include "ttg_ops.h.inc"

#endif
