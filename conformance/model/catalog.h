/* All kernels and mutants, numbered. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "conformance/model/path.h"
#include "cuda/image.h"
#include "cuda/kernel.h"
#include "fuzz/case.h"

/* The number of kernels and mutants: the rows of their tables. */
enum {
    CATALOG_COUNT = 0
#define KERNEL(...)   +1
#define CALLABLE(...) +1
#include "cuda/kernels.def"
#undef KERNEL
#undef CALLABLE
#define MUTANT(...) +1
#include "cuda/mutants/mutants.def"
#undef MUTANT
};

/* Kernels are 0 to kernel_count - 1, mutants follow. */
int catalog_count(void);
const struct kernel *catalog_kernel(int id);

/* The mutant's row, or NULL for a kernel. */
const struct mutant *catalog_mutant(int id);

/* "matmul/tiled"; a mutant's is "mutant/" and its name. Returns `ret_text`. */
enum { CATALOG_NAME_BYTES = 96 };
const char *catalog_name(int id, char ret_text[CATALOG_NAME_BYTES]);

/* The same without a buffer of the caller's: it lasts as long as the block around the call. */
#define CATALOG_NAME(id) catalog_name(id, (char[CATALOG_NAME_BYTES]){0})

/* The number of the kernel or the mutant of that name, or -1. */
int catalog_find(const char *name);

/* The kernel of that name, or NULL: no mutant. */
const struct kernel *catalog_known_kernel(const char *name);

/* True if it has machine code of ours. What has none, such as a copy that the driver makes, runs
 * under the first code path of a run. */
bool catalog_has_code(const struct kernel *kernel);

/* A kernel's functions, by a number below KERNEL_ELEMENT_SIZES: one for each size of element, or
 * its one as number 0. NULL if it has none. */
const char *catalog_function(const struct kernel *kernel, int number);

/* The unit's image, or NULL if the build has none. */
const struct image *catalog_image(const char *unit);

/* The code that a path loads of the unit on a device of this compute capability, or NULL. */
const struct image *catalog_path_image(const char *unit, int path);
const void *catalog_code(const char *unit, int path, int compute_capability);

/* The first kernel whose unit has no image, or catalog_count(). */
int catalog_unbuilt(void);

/* True when `pattern` (with * and ?) matches the kernel's name, or its algorithm. */
bool catalog_matches(int id, const char *pattern);

/* True if the kernel's row accepts the case's axes. */
bool catalog_takes(const struct kernel *kernel, const struct fuzz_case *test_case);

/* True if the kernel declines the case on this GPU:
 *
 *   - its instructions need a later compute capability;
 *   - it sets a window on L2, and none of L2 can be set aside (no GPU before 8.0, no MIG instance);
 *   - the case's bits depend on the texture filter, whose bits are not known (spec/filters.def,
 *     --gpu), or the kernel uses no texture unit and cuts normalized coordinates to other bits. */
bool catalog_needs_other_gpu(const struct kernel *kernel, const struct fuzz_case *test_case,
                             const struct device_limits *limits);

/* The part of it that holds for every case: instructions and the window. */
bool catalog_lacks_hardware(const struct kernel *kernel, const struct device_limits *limits);

/* What the GPU lacks for all or some cases of the kernel, in words: "" if it lacks nothing. */
const char *catalog_lacking(const struct kernel *kernel, const struct device_limits *limits);

/* The columns of a thread if the row takes them from an axis; else 0. */
int64_t catalog_thread_columns(const struct kernel *kernel, const struct fuzz_case *test_case);

/* True if each stream has its own module of the kernel, since bound operands and the results of
 * earlier launches belong to one stream. */
bool catalog_is_apart(const struct kernel *kernel);

/* True if the kernel declines the case: by its row, or, for a mutant, without its row saying so. */
bool catalog_declines(const struct kernel *kernel, const struct fuzz_case *test_case);

/* The shapes that the row accepts, in words: "any", or "k = 32, m a multiple of 32". Returns
 * `ret_text`. */
enum { CATALOG_SHAPES_BYTES = 160 };
const char *catalog_shapes(const struct kernel *kernel, char ret_text[CATALOG_SHAPES_BYTES]);

/* Writes the kernel's call: addresses of the operands' origins, then the argument axes, in words of
 * 8 bytes. Returns the number of words. */
enum { CATALOG_CALL_WORDS_MAX = ALGORITHM_AXES_MAX + ALGORITHM_OPERANDS_MAX };
int catalog_call(const struct algorithm *algorithm, const int64_t *axis, const uint64_t *addresses,
                 uint64_t ret_words[CATALOG_CALL_WORDS_MAX]);

/* True if the program has nothing to run through the path on a GPU of that compute capability (0 is
 * one that is not known): the path is its own machine code, and all of it is of other
 * architectures. */
bool catalog_lacks_code(int path, int compute_capability);

/* True if a run on the device has the path: `names` choose it (path_is_chosen), and the program has
 * code for it, or `names` have the path's own name. The first of which that is true, or the last.
 */
bool catalog_has_path(int path, const struct device_info *device, const char *names);
int catalog_first_path(const struct device_info *device, const char *names);

/* The subject of checks, measurements, counts and records: a kernel through a code path on a
 * device. */

struct subject {
    uint16_t device; /* its place in the session */
    uint16_t kernel; /* catalog number */
    uint16_t path;   /* its row */
};

bool subject_is_same(struct subject left, struct subject right);

/* The number of subjects on `device_count` devices, a subject's index, and the subject at an index.
 * Those of a device are adjacent, those of its first kernel first, in the order of the paths. */
int subject_count(int device_count);
int subject_index(struct subject subject);
struct subject subject_at(int index);
