/* The table of code paths: what each loads, and which a name asks for. */
#include "conformance/model/path.h"
#include "spec/testing.h"

static const struct image_ptx ptx[] = {{.compute_capability = 75, .text = (const void *)"lowest"},
                                       {.compute_capability = 90, .text = (const void *)"higher"}};
static const struct image image = {
    .unit = "unit", .fatbin = (const void *)"fatbin", .ptx = ptx, .ptx_count = 2};

static struct {
    const void *image;
    unsigned options;
    int name;
    void *value;
} loaded;

static cu_result note_load(cu_module *ret, const void *code, unsigned option_count, int *options,
                           void **values)
{
    *ret = NULL;
    loaded.image = code;
    loaded.options = option_count;
    loaded.name = option_count ? options[0] : 0;
    loaded.value = option_count ? values[0] : NULL;
    return CU_SUCCESS;
}

static const void *load(const struct source *source, int compute_capability, const char *options)
{
    const struct cuda_driver driver = {.module_load_data = note_load};
    cu_module module;
    const void *code = source->find("unit", &image, compute_capability);
    ck_assert_int_eq(source->load(&driver, code, options, &module), CU_SUCCESS);
    return loaded.image;
}

START_TEST(each_path_loads_its_own_code, "driver.path.ptx")
{
    static const struct {
        const char *path;
        int compute_capability;
        const char *code;
    } table[] = {{"sass", 90, "fatbin"},       {"ptx", 90, "higher"},        {"ptx", 80, "lowest"},
                 {"ptx-lowest", 90, "lowest"}, {"ptx-lowest", 80, "lowest"}, {"host", 0, "unit"}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        const int path = path_find(table[row].path);
        ck_assert_int_ge(path, 0);
        ck_assert_str_eq(load(path_row(path)->source, table[row].compute_capability, NULL),
                         table[row].code);
        ck_assert_uint_eq(loaded.options, 0);
    }
    ck_assert_ptr_null(source_ptx_highest.find("unit", NULL, 90));
    ck_assert_ptr_null(source_ptx_lowest.find("unit", NULL, 90));
    ck_assert_ptr_null(source_fatbin.find("unit", NULL, 90));
}

START_TEST(options_reach_the_compiler, "driver.path.options")
{
    ck_assert_str_eq(load(&source_ptx_highest, 90, "-O0"), "higher");
    ck_assert_uint_eq(loaded.options, 1);
    ck_assert_int_eq(loaded.name, CU_JIT_OPTIMIZATION_LEVEL);
    ck_assert_uint_eq((uintptr_t)loaded.value, 0);
    load(&source_ptx_lowest, 90, "-O3");
    ck_assert_uint_eq((uintptr_t)loaded.value, 3);
}

START_TEST(names_choose_paths, "runner.device.path")
{
    char names[PATH_NAMES_BYTES];
    const int sass = path_find("sass"), lowest = path_find("ptx-lowest");
    ck_assert(strstr(path_choices(", ", names), "sass, ptx") && !strstr(names, "host"));
    ck_assert_int_eq(path_find("ptx-"), -1);
    ck_assert(path_is_among(sass, NULL) && path_is_among(sass, "all"));
    ck_assert(path_is_among(lowest, "sass,ptx-lowest") && path_is_among(sass, "sass,ptx-lowest"));
    ck_assert(!path_is_among(path_find("ptx"), "sass,ptx-lowest") && !path_is_among(sass, ""));
    ck_assert_int_eq(path_first(DEVICE_GPU, "ptx-lowest"), lowest);
    ck_assert_int_eq(path_first(DEVICE_HOST, "ptx-lowest"), path_find("host"));
    ck_assert(path_loads_alike(path_find("ptx"), lowest) && !path_loads_alike(sass, lowest));
}

/* Rows that a user names, or a record. */
START_TEST(rows_are_added, "driver.path.named")
{
    static const struct path_addition bad[] = {
        {.name = "ptx", .like = "ptx", .options = "-O0"},
        {.name = "fast", .like = "none", .options = "-O0"},
        {.name = "fast", .like = "sass", .options = "-O0"},
        {.name = "fast", .like = "host", .options = "-O0"},
        {.name = "fast", .like = "ptx", .options = "-O5"},
        {.name = "fast", .like = "ptx", .options = "-O"},
        {.name = "fast", .like = "ptx", .options = "-O00"},
        {.name = "fast", .like = "ptx", .options = ""},
        {.name = "Fast", .like = "ptx", .options = "-O0"},
        {.name = "", .like = "ptx", .options = "-O0"},
        {.name = "a b", .like = "ptx", .options = "-O0"},
        {.name = "fast", .like = "ptx", .options = "-O0", .tool = "/bin/ptxas"},
        {.name = "fast", .like = "ptxas", .options = "-O0"},
        {.name = "fast", .like = "ptxas", .options = "-O4", .tool = "/bin/ptxas"},
        {.name = "ptx", .like = "ptxas", .tool = "/bin/ptxas"},
        {.name = "fast", .like = "sass", .images = "/no/such/file"},
    };
    static const char *const none[] = {"ptx-O5",      "ptx-O", "sass-O0", "host-O0",
                                       "ptx-lowest-", "all",   "",        "ptx-O0-O0"};
    const int count = path_count(), plain = path_find("ptx");
    struct reason reason;
    char names[PATH_NAMES_BYTES];
    for (size_t row = 0; row < sizeof bad / sizeof bad[0]; row++) {
        reason.text[0] = 0;
        ck_assert_msg(!path_add(&bad[row], &reason) && reason.text[0], "row %zu", row);
    }
    for (size_t row = 0; row < sizeof none / sizeof none[0]; row++)
        ck_assert_int_eq(path_find_or_add(none[row]), -1);
    ck_assert_int_eq(path_count(), count);
    ck_assert_ptr_null(path_added(0));
    ck_assert_int_eq(path_find_or_add("ptx"), plain);
    const int slow = path_find_or_add("ptx-O0"), lowest = path_find_or_add("ptx-lowest-O3");
    ck_assert_int_eq(slow, count);
    ck_assert_int_eq(lowest, count + 1);
    ck_assert_int_eq(path_find_or_add("ptx-O0"), slow);
    ck_assert_int_eq(path_find("ptx-lowest-O3"), lowest);
    ck_assert_str_eq(path_row(slow)->options, "-O0");
    ck_assert_ptr_eq(path_row(slow)->source, path_row(plain)->source);
    ck_assert(path_row(lowest)->notes_sms && !path_row(slow)->notes_sms);
    ck_assert(!path_loads_alike(slow, plain) && !path_loads_alike(slow, lowest));
    ck_assert(!path_is_among(slow, NULL) && !path_is_among(slow, "all"));
    ck_assert(path_is_among(slow, "all,ptx-O0") && path_is_among(plain, "all,ptx-O0"));
    ck_assert(!path_is_among(lowest, "all,ptx-O0") && !path_is_among(plain, "ptx-O0"));
    ASSERT_LACKS(path_choices(", ", names), "ptx-O0");
    /* What a worker gets makes the same rows. */
    ck_assert_str_eq(path_added(0)->name, "ptx-O0");
    ck_assert_str_eq(path_added(1)->like, "ptx-lowest");
    ck_assert_str_eq(path_added(1)->options, "-O3");
    ck_assert_ptr_null(path_added(2));
}

/* Rows of compilers that a user names. */
START_TEST(compilers_are_added, "driver.candidate.named")
{
    static const struct path_addition rows[] = {
        {.name = "ptxas-12.6.20", .like = "ptxas", .options = "", .tool = "/one/ptxas"},
        {.name = "ptxas-12.6.20-O1", .like = "ptxas", .options = "-O1", .tool = "/one/ptxas"},
        {.name = "ptxas-13.0.88-O1", .like = "ptxas", .options = "-O1", .tool = "/other/ptxas"}};
    struct reason reason;
    int paths[3];
    ck_assert(path_find("ptxas") < 0 && path_find_or_add("ptxas-O1") < 0);
    for (int row = 0; row < 3; row++) {
        ck_assert_msg(path_add(&rows[row], &reason), "%s", reason.text);
        paths[row] = path_find(rows[row].name);
        ck_assert(path_is_among(paths[row], NULL) && !path_is_among(paths[row], "ptx"));
        ck_assert_str_eq(path_row(paths[row])->tool, rows[row].tool);
        ck_assert_ptr_eq(path_row(paths[row])->source, &source_ptxas);
    }
    ck_assert(!path_add(&rows[0], &reason));
    ck_assert_ptr_null(path_row(paths[0])->options);
    ck_assert(!path_loads_alike(paths[0], paths[1]) && !path_loads_alike(paths[1], paths[2]));
    ck_assert(path_loads_alike(paths[1], paths[1]));
    ck_assert_str_eq(load(&source_ptxas, 90, NULL), "higher"); /* what was made is handed on */
}

START_TEST(ptxas_is_understood, "driver.candidate.refused")
{
    char version[COMPILER_VERSION_BYTES];
    struct compiler_words words;
    static const char errors[] =
        "ptxas a.ptx, line 9; fatal   : Unsupported .version 9.0; current\n"
        "ptxas fatal   : Ptx assembly aborted due to errors\n";
    static const char *const none[] = {"", "release 12.6", ", V", ", V12.6.20.12345.678"};
    ck_assert(compiler_ptxas.version("Cuda tools, release 12.6, V12.6.20\nBuild", version));
    ck_assert_str_eq(version, "12.6.20");
    for (size_t index = 0; index < sizeof none / sizeof none[0]; index++)
        ck_assert(!compiler_ptxas.version(none[index], version));
    compiler_ptxas.words(90, "-O1", "in", "out", &words);
    ck_assert_int_eq(words.count, 6);
    ck_assert_str_eq(words.words[0], "-arch=sm_90");
    ck_assert_str_eq(words.words[2], "-O1");
    compiler_ptxas.words(120, NULL, "in", "out", &words);
    ck_assert_int_eq(words.count, 5);
    ASSERT_HAS(compiler_ptxas.refusal(errors), "Unsupported");
    ck_assert_ptr_null(compiler_ptxas.refusal("ptxas a.ptx, line 9; error   : Feature"));
    ck_assert_ptr_eq(compiler_ptxas.complaint(errors), errors);
    ck_assert_str_eq(compiler_ptxas.complaint(""), "");
    ck_assert_str_eq(compiler_ptxas.complaint("one\ntwo\n"), "two\n");
}
