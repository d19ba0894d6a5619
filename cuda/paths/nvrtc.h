/* NVRTC, the compiler of CUDA C that is a library: a version of it that is opened at run time. A
 * compiler may crash or hang, and two versions share the names of their parts: each is opened in a
 * process of its own (conformance/worker/nvrtc_tool.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { NVRTC_TEXT_BYTES = 512, NVRTC_VERSION_BYTES = 24, NVRTC_ARCHS_MAX = 64 };

struct nvrtc {
    char name[NVRTC_VERSION_BYTES]; /* its version: "12.9.86"; "12.9" where its PTX does not say
                                       more */
    int arch_count;
    int archs[NVRTC_ARCHS_MAX]; /* that it compiles for: 75, 80, 86 ... */
#define CALL(member, name, parameters) int(*member) parameters;
#include "cuda/paths/nvrtc_calls.def"
};

/* Opens the library. False with the reason: it cannot be loaded, or lacks a function. */
bool nvrtc_open(const char *path, struct nvrtc *ret, char ret_why[NVRTC_TEXT_BYTES]);

/* Its version, "12.9.86", or "12.9" where it does not name the third number in what it compiles.
 * False with the reason: it compiles nothing, for one. */
bool nvrtc_version(const struct nvrtc *nvrtc, char ret_version[NVRTC_VERSION_BYTES],
                   char ret_why[NVRTC_TEXT_BYTES]);

enum nvrtc_form { NVRTC_CUBIN, NVRTC_PTX };

/* The architecture that a device of this compute capability gets code for: the highest that the
 * library has and the device runs, which for machine code is one of the same major number. 0: none.
 */
int nvrtc_arch(const struct nvrtc *nvrtc, enum nvrtc_form form, int compute_capability);

struct nvrtc_code {
    char *bytes; /* of malloc; PTX ends with a 0 */
    size_t count;
};

/* Compiles a text, which includes nothing, for an architecture that the library has, with options
 * (up to a NULL) and at a level of its assembler ("-O0" to "-O3", or NULL: its own, 3). Messages
 * have the name where the text does not say #line. False with the first error. */
enum { NVRTC_OPTIONS_MAX = 16 };
bool nvrtc_compile(const struct nvrtc *nvrtc, const char *text, const char *name,
                   enum nvrtc_form form, int arch, const char *const *options, const char *level,
                   struct nvrtc_code *ret, char ret_why[NVRTC_TEXT_BYTES]);
