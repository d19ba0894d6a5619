/* The one table of the rooms (rooms.h). README.md's table has the same rows in the same order. */
#include "spec/suite/rooms.h"

static const char *const rooms[] = {
    "conformance", /* main.c */
    "conformance/command",
    "conformance/report",
    "conformance/floors",
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

/* A mistake in anything that the kernels and the golden shared would be invisible. */
static const struct arrow apart[] = {
    {"cuda", "cpu_ref"},
    {"cuda", "fuzz"},
};

/* Arrows that break a rule, each with its reason. Mend the arrow and remove its row: a row that no
 * include matches fails. Add a row only with a reason that a reader accepts. */
static const struct arrow excepted[] = {
    /* The table names every kernel's folder, and each of them builds on cuda/'s own headers. */
    {"cuda/kernels.c", "cuda"},
    /* A kernel includes device.h, whose host side is the emulation, which serves as the driver. */
    {"cuda/device.h", "cuda/host"},
    /* What driver.c is made of, shown to its tests. */
    {"cuda/libcuda.h", "cuda/driver.h"},
    /* The benchmark of the emulation launches the kernels that test it. */
    {"cuda/host/bench_emulation.c", "cuda/host/test_call.h"},
    /* A struct and the functions that start on it are one header. */
    {"conformance/work/checker.c", "conformance/work/stream.h"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

const struct house the_house = {
    .rooms = rooms,
    .room_count = COUNT(rooms),
    .apart = apart,
    .apart_count = COUNT(apart),
    .excepted = excepted,
    .excepted_count = COUNT(excepted),
};
