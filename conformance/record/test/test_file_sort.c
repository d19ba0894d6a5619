/* What a file is, by its text (file_sort.h). */
#include <string.h>

#include "conformance/record/file_sort.h"
#include "conformance/record/limit_file.h"
#include "conformance/record/record.h"
#include "spec/testing.h"

#define RECORD "{\"record\":\"assay\",\"version\":1}\n{\"device\":{}}\n"

static const struct {
    const char *text, *sort;
} files[] = {
    {RECORD, FILE_RECORD},
    {"{\n  \"floors\": \"assay\",\n  \"version\": 1}\n", FILE_FLOORS},
    {"{\"budgets\": \"assay\"}", FILE_BUDGETS},
    {"\n {\"gpu_file\": \"assay\"}", FILE_GPU},
    {"{\"gate\":\"assay\",\"version\":1}\n", "the output of gate --format json"},
    {"{\"comparison\":\"assay\"}\n", "the output of compare --format json"},
    {"# a list\n\nx | abs.s16 | ptxas 12.0.140 | trigger abs | | 0x0123456789abcdef\n", FILE_KNOWN},
    {"# cases\nmatmul m=1 n=2 k=3 fill=uniform seed=1\n", FILE_CASES},
    {"after offset_copy n=3 seed=1\n", FILE_CASES},
    {"{\"record\":\"essay\"}\n", NULL},
    {"{\"record\":3}\n", NULL},
    {"{\"floors\": \"assay\"", NULL}, /* cut short */
    {"no_algorithm m=1\n", NULL},
    {"matmul\n", NULL},
    {"a | b\n", NULL},
    {"# nothing\n", NULL},
    {"\177ELF", NULL},
    {"[]", NULL},
    {"", NULL},
};

START_TEST(a_file_is_known_by_its_text, "runner.input.sort")
{
    for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
        const char *sort = file_sort(files[index].text, strlen(files[index].text));
        ck_assert_msg((sort == NULL) == (files[index].sort == NULL) &&
                          (sort == NULL || strcmp(sort, files[index].sort) == 0),
                      "%s is %s", files[index].text, sort ? sort : "unknown");
    }
    ck_assert_ptr_null(file_sort("\0\0{", 3));
}

static void take_nothing(void *context, const struct record_entry *entry)
{
    (void)context, (void)entry;
}

static bool refuse(const json_t *root, char ret_path[FORM_PATH_BYTES], struct reason *ret_reason)
{
    (void)root;
    ret_path[0] = 0;
    return reason_set(ret_reason, REASON_INPUT, "wrong in itself");
}

/* Each reader names a file of another sort, and of its own sort says what is wrong in it. */
START_TEST(each_reader_names_another_sort, "runner.input.sort")
{
    static const struct limit_file floors = {.section = FILE_FLOORS, .check = refuse},
                                   gpu = {.check = refuse};
    static const struct limit_file *const readers[] = {&floors, &gpu, NULL};
    static const char *const wanted[] = {FILE_FLOORS, FILE_GPU, FILE_RECORD};
    for (size_t reader = 0; reader < 3; reader++)
        for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
            const char *text = files[index].text, *sort = files[index].sort;
            char words[128];
            struct reason reason = {.text = ""};
            if (sort && reader == 2 && strcmp(sort, FILE_RECORD) == 0)
                continue; /* it is read */
            if (readers[reader])
                ck_assert_ptr_null(limit_file_parse(readers[reader], "a.json", text, &reason));
            else
                ck_assert(!record_read("a.json", text, strlen(text), take_nothing, NULL, &reason));
            /* A file of one GPU has floors as a section. */
            const bool is_own = sort == NULL || strcmp(sort, wanted[reader]) == 0 ||
                                (reader == 0 && strcmp(sort, FILE_GPU) == 0);
            snprintf(words, sizeof words, "a.json: this is %s, not %s", sort ? sort : "",
                     wanted[reader]);
            if (is_own)
                ASSERT_LACKS(reason.text, "this is");
            else
                ck_assert_str_eq(reason.text, words);
        }
}
