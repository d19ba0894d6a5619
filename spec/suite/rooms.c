/* The one table of the rooms (rooms.h). README.md's table has the same rows in the same order. */
#include "spec/suite/rooms.h"

static const char *const rooms[] = {
    "conformance", /* main.c */
    "conformance/command",
    "conformance/gate",
    "conformance/compare",
    "conformance/report",
    "conformance/floors",
    "conformance/codegen",
    "conformance/programs",
    "conformance/speed",
    "conformance/bits",
    "conformance/session",
    "conformance/plan",
    "conformance/supervise",
    "conformance/worker",
    "conformance/work",
    "conformance/wire",
    "conformance/record",
    "conformance/model",
    "conformance/base",
    "fuzz",
    "cuda",
    "cpu_ref",
    "spec",
};

static const struct arrow apart[] = {
    {"cuda", "cpu_ref", "a mistake in what kernels and golden share would be invisible"},
    {"cuda", "fuzz", "so would one in what kernels and cases share"},
};

/* Arrows that break a rule, each with a reason that a reader accepts. A row fails when no include
 * matches it, or none that breaks a rule: mend the arrow and remove its row. */
static const struct arrow excepted[] = {
    {NULL, NULL, NULL},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const struct house the_house = {
    .rooms = rooms,
    .room_count = COUNT(rooms),
    .apart = apart,
    .apart_count = COUNT(apart),
    .excepted = excepted,
};
