/* Names and calls of kernels (catalog.h). Clause: runner.kernels.image. */
#include "conformance/model/catalog.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/cubin.h"
#include "conformance/model/path.h"
#include "cuda/grid.h"

int catalog_count(void)
{
    return CATALOG_COUNT;
}

const struct kernel *catalog_kernel(int id)
{
    return id < kernel_count ? &kernels[id] : &mutants[id - kernel_count].kernel;
}

const struct mutant *catalog_mutant(int id)
{
    return id < kernel_count ? NULL : &mutants[id - kernel_count];
}

const char *catalog_name(int id, char ret_text[CATALOG_NAME_BYTES])
{
    const struct kernel *kernel = catalog_kernel(id);
    snprintf(ret_text, CATALOG_NAME_BYTES, "%s/%s",
             id < kernel_count ? kernel->algorithm : "mutant", kernel->name);
    return ret_text;
}

int catalog_find(const char *name)
{
    char each[CATALOG_NAME_BYTES];
    const char *slash = strrchr(name, '/');
    int id = slash ? catalog_count() - 1 : -1;
    while (id >= 0 && (strcmp(catalog_kernel(id)->name, slash + 1) != 0 ||
                       strcmp(catalog_name(id, each), name) != 0))
        id--;
    return id;
}

const struct kernel *catalog_known_kernel(const char *name)
{
    int id = catalog_find(name);
    return id >= 0 && id < kernel_count ? &kernels[id] : NULL;
}

bool catalog_has_code(const struct kernel *kernel)
{
    return kernel->unit[0] != 0;
}

const char *catalog_function(const struct kernel *kernel, int number)
{
    if (!catalog_has_code(kernel))
        return NULL;
    if (kernel->element_entries[KERNEL_ELEMENT_SIZES - 1])
        return kernel->element_entries[number];
    return number == 0 ? kernel->entry : NULL;
}

const struct image *catalog_image(const char *unit)
{
    for (int index = 0; index < image_count; index++)
        if (strcmp(images[index].unit, unit) == 0)
            return &images[index];
    return NULL;
}

const struct image *catalog_path_image(const char *unit, int path)
{
    const struct image_file *file = path_row(path)->images;
    return file ? unit_file_image(&file->units, unit) : catalog_image(unit);
}

const void *catalog_code(const char *unit, int path, int compute_capability)
{
    return path_row(path)->source->find(unit, catalog_path_image(unit, path), compute_capability);
}

int catalog_unbuilt(void)
{
    int id = 0;
    while (id < catalog_count() &&
           (!catalog_has_code(catalog_kernel(id)) || catalog_image(catalog_kernel(id)->unit)))
        id++;
    return id;
}

bool catalog_matches(int id, const char *pattern)
{
    char name[CATALOG_NAME_BYTES];
    catalog_name(id, name);
    return fnmatch(pattern, name, 0) == 0 ||
           (id < kernel_count && fnmatch(pattern, catalog_kernel(id)->algorithm, 0) == 0);
}

static int64_t axis_value(const struct fuzz_case *test_case, const char *name)
{
    return test_case->axis[algorithm_axis(test_case->algorithm, name)];
}

static bool meets(const struct kernel_axis *it, const struct fuzz_case *test_case)
{
    int64_t value = axis_value(test_case, it->name);
    if (it->times && __builtin_mul_overflow(value, axis_value(test_case, it->times), &value))
        value = INT64_MAX;
    return (!it->is_zero || value == 0) && (!it->equals || value == it->equals) &&
           (!it->multiple_of || value % it->multiple_of == 0) &&
           (!it->at_least || value >= it->at_least) && (!it->at_most || value <= it->at_most) &&
           (!it->above || value > axis_value(test_case, it->above));
}

bool catalog_takes(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    for (int index = 0; index < KERNEL_AXES_MAX && kernel->takes[index].name; index++)
        if (!meets(&kernel->takes[index], test_case))
            return false;
    return true;
}

bool catalog_lacks_hardware(const struct kernel *kernel, const struct device_limits *limits)
{
    return !grid_has_compute(kernel, limits) ||
           (kernel->window.operand && limits->persisting_bytes == 0) ||
           (kernel->kind == KERNEL_PEER_LAUNCH && !limits->has_peer_access);
}

static bool lacks_filter(const struct kernel *kernel, const struct device_limits *limits)
{
    return kernel->filter_axes[0] && limits->compute_capability > 0 && limits->coordinate_bits == 0;
}

const char *catalog_lacking(const struct kernel *kernel, const struct device_limits *limits)
{
    return catalog_lacks_hardware(kernel, limits)
               ? kernel->kind == KERNEL_PEER_LAUNCH
                     ? "the first GPU has no access to the second one's memory"
                     : "the GPU lacks its instructions, or L2 to set aside"
           : lacks_filter(kernel, limits)
               ? "the bits of the GPU's texture filter are not known (--gpu)"
               : "";
}

bool catalog_needs_other_gpu(const struct kernel *kernel, const struct fuzz_case *test_case,
                             const struct device_limits *limits)
{
    const bool is_unknown = lacks_filter(kernel, limits);
    if (catalog_lacks_hardware(kernel, limits))
        return true;
    for (int index = 0; is_unknown && index < KERNEL_FILTER_AXES_MAX; index++) {
        const char *name = kernel->filter_axes[index];
        if (name && axis_value(test_case, name) != 0)
            return true;
    }
    return kernel->coordinate_bits > 0 && limits->coordinate_bits > 0 &&
           kernel->coordinate_bits != limits->coordinate_bits &&
           axis_value(test_case, "normalized") != 0;
}

bool catalog_lacks_code(int path, int compute_capability)
{
    const struct path *row = path_row(path);
    const bool is_own = compute_capability > 0 && row->source->is_fatbin && row->images == NULL;
    const struct image *image = is_own ? catalog_path_image(kernels[0].unit, path) : NULL;
    return image && image->fatbin_bytes > 0 &&
           cubin_code_for((struct cubin_bytes){image->fatbin, image->fatbin_bytes},
                          compute_capability) == 0;
}

bool catalog_has_path(int path, const struct device_info *device, const char *names)
{
    return path_is_chosen(path, device->id.kind, names) &&
           (path_is_named(path, names) ||
            !catalog_lacks_code(path, device->limits.compute_capability));
}

int catalog_first_path(const struct device_info *device, const char *names)
{
    int path = 0;
    while (path < path_count() - 1 && !catalog_has_path(path, device, names))
        path++;
    return path;
}

int64_t catalog_thread_columns(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    return kernel->thread_axis ? axis_value(test_case, kernel->thread_axis) : 0;
}

bool catalog_is_apart(const struct kernel *kernel)
{
    return kernel->bindings[0].symbol || kernel->launch_axis;
}

bool catalog_declines(const struct kernel *kernel, const struct fuzz_case *test_case)
{
    return !catalog_takes(kernel, test_case) ||
           (kernel->unsaid.name && !meets(&kernel->unsaid, test_case));
}

/* Adds "m times n at most 65536" to the text, or nothing where that is not asked for. */
static void say(char text[CATALOG_SHAPES_BYTES], const struct kernel_axis *it, bool is_asked,
                const char *words, long long number)
{
    if (is_asked)
        text_add(text, CATALOG_SHAPES_BYTES, "%s%s%s%s %s %lld", text[0] ? ", " : "", it->name,
                 it->times ? " times " : "", it->times ? it->times : "", words, number);
}

const char *catalog_shapes(const struct kernel *kernel, char ret_text[CATALOG_SHAPES_BYTES])
{
    ret_text[0] = 0;
    for (int index = 0; index < KERNEL_AXES_MAX && kernel->takes[index].name; index++) {
        const struct kernel_axis *it = &kernel->takes[index];
        say(ret_text, it, it->is_zero || it->equals, "=", it->equals);
        say(ret_text, it, it->multiple_of, "a multiple of", it->multiple_of);
        say(ret_text, it, it->at_least, "at least", it->at_least);
        say(ret_text, it, it->at_most, "at most", it->at_most);
        if (it->above)
            text_add(ret_text, CATALOG_SHAPES_BYTES, "%s%s above %s", ret_text[0] ? ", " : "",
                     it->name, it->above);
    }
    return ret_text[0] ? ret_text : strcpy(ret_text, "any");
}

int catalog_call(const struct algorithm *algorithm, const int64_t *axis, const uint64_t *addresses,
                 uint64_t ret_words[CATALOG_CALL_WORDS_MAX])
{
    int count = 0;
    for (int index = 0; index < algorithm->operand_count; index++)
        ret_words[count++] = addresses[index];
    for (int index = 0; index < algorithm->axis_count; index++)
        if (axis_is_argument(&algorithm->axes[index]))
            ret_words[count++] = (uint64_t)axis[index];
    return count;
}

bool subject_is_same(struct subject left, struct subject right)
{
    return left.device == right.device && left.kernel == right.kernel && left.path == right.path;
}

int subject_count(int device_count)
{
    return device_count * catalog_count() * path_count();
}

int subject_index(struct subject subject)
{
    return (subject.device * catalog_count() + subject.kernel) * path_count() + subject.path;
}

struct subject subject_at(int index)
{
    const int pair = index / path_count();
    return (struct subject){.device = (uint16_t)(pair / catalog_count()),
                            .kernel = (uint16_t)(pair % catalog_count()),
                            .path = (uint16_t)(index % path_count())};
}
