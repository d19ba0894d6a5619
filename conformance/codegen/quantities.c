/* The numbers of machine code, a row each (quantities.h). */
#include "conformance/codegen/quantities.h"

static uint64_t registers(const struct code_figures *it)
{
    return it->registers;
}

static uint64_t local_bytes(const struct code_figures *it)
{
    return it->local_bytes;
}

static uint64_t shared_bytes(const struct code_figures *it)
{
    return it->shared_bytes;
}

static uint64_t code_bytes(const struct code_figures *it)
{
    return it->code_bytes;
}

const struct quantity quantities[QUANTITY_COUNT] = {
    {"registers", "registers a thread", registers, false, false},
    {"local", "local bytes a thread", local_bytes, false, false},
    {"shared", "static shared bytes", shared_bytes, true, false},
    {"code", "bytes of code", code_bytes, false, true},
};
