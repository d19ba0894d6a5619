/* The sources in the program are those that nvcc compiles: the files of the tree, each header in
 * the place where it is included. */
#include "cuda/image.h"
#include "cuda/kernel.h"
#include "spec/testing.h"

#include <stdbool.h>

/* Goes through the text as through the file, and what it includes; returns where it ends there. */
static const char *follow(const char *text, const char *name)
{
    char path[4096], line[4096], included[256], place[300];
    int number = 0;
    snprintf(path, sizeof path, "%s/%s", getenv("CUDA_FOLDER"), name);
    FILE *input = fopen(path, "r");
    ck_assert_msg(input != NULL, "cannot open %s", path);
    snprintf(place, sizeof place, "#line 1 \"%s\"\n", name);
    ck_assert_msg(strncmp(text, place, strlen(place)) == 0, "%s: %.80s", name, text);
    text += strlen(place);
    while (fgets(line, sizeof line, input)) {
        number++;
        if (sscanf(line, " # include \"%255[^\"]\"", included) == 1) {
            text = follow(text, included);
            snprintf(line, sizeof line, "#line %d \"%s\"\n", number + 1, name);
        }
        ck_assert_msg(strncmp(text, line, strlen(line)) == 0, "%s:%d: %s against %.80s", name,
                      number, line, text);
        text += strlen(line);
    }
    fclose(input);
    return text;
}

START_TEST(every_line_of_the_files, "driver.texts.whole")
{
    ck_assert_int_eq(kernel_text_count, image_count);
    for (int index = 0; index < kernel_text_count; index++) {
        const struct kernel_text *text = &kernel_texts[index];
        ck_assert_str_eq(text->unit, images[index].unit);
        ck_assert_ptr_eq(kernel_text_of(text->unit), text);
        ck_assert_uint_eq(text->bytes, strlen(text->text) + 1);
        const char *first = strstr(text->text, "#line 1 ");
        ck_assert_ptr_nonnull(first);
        ck_assert_ptr_eq(follow(first, text->name), text->text + text->bytes - 1);
        ASSERT_LACKS(text->text, "#include");
    }
    ck_assert_ptr_null(kernel_text_of("no_unit"));
    ck_assert_uint_eq(strspn(kernel_texts_digest, "0x123456789abcdef"), 18);
}

START_TEST(what_a_unit_needs_is_in_its_text, "driver.texts.whole")
{
    for (int index = 0; index < kernel_count; index++) {
        if (kernels[index].unit[0] == 0) /* the driver's own */
            continue;
        const int needs = kernels[index].needs_compute;
        const char *text = kernel_text_of(kernels[index].unit)->text;
        char expected[160] = "";
        if (needs > 0)
            snprintf(expected, sizeof expected,
                     "#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < %d\n"
                     "#error needs compute capability %d.%d\n#endif\n",
                     10 * needs, needs / 10, needs % 10);
        ck_assert_msg(strncmp(text, expected, strlen(expected)) == 0 &&
                          strncmp(text + strlen(expected), "#line 1 ", 8) == 0,
                      "%s: %.160s", kernels[index].unit, text);
    }
}

START_TEST(the_options_of_nvcc, "driver.texts.whole")
{
    static const char *const expected[] = {"-fmad=true", "-ftz=false", "-prec-div=true",
                                           "-prec-sqrt=true"};
    for (size_t index = 0; index < sizeof expected / sizeof expected[0]; index++) {
        const char *const *option = kernel_text_options;
        while (*option && strcmp(*option, expected[index]) != 0)
            option++;
        ck_assert_msg(*option != NULL, "no %s", expected[index]);
    }
}
