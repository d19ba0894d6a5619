/* Which layer a wrong result comes from: sets of paths that are wrong and right (path.h). */
#include "conformance/model/path.h"
#include "spec/testing.h"

static void add_like(const char *like, const char *name, const char *options, const char *tool)
{
    struct path_addition it = {.name = ""};
    struct reason reason;
    snprintf(it.like, sizeof it.like, "%s", like);
    snprintf(it.name, sizeof it.name, "%s", name);
    snprintf(it.options, sizeof it.options, "%s", options);
    snprintf(it.tool, sizeof it.tool, "%s", tool);
    ck_assert_msg(path_add(&it, &reason), "%s", reason.text);
}

static void add(const char *name, const char *options, const char *tool)
{
    add_like("ptxas", name, options, tool);
}

static void add_all(void)
{
    char name[32], options[8];
    for (int level = 0; level < 4; level++) {
        snprintf(options, sizeof options, "-O%d", level);
        snprintf(name, sizeof name, "ptxas-12.6.20%s", options);
        add(name, options, "/one");
    }
    add("ptxas-13.5.37", "", "/other");
    add("ptxas-12.0.140", "", "/old");
    add_like("nvrtc", "nvrtc-12.9.86", "", "/library");
    add_like("nvrtc", "nvrtc-12.9.86-O0", "-O0", "/library");
    add_like("nvrtc-ptx", "nvrtc-12.9.86-ptx", "", "/library");
}

/* Of names with blanks between them. */
static int take(const char *names, enum verdict verdict, struct layer_path *ret, int count)
{
    char name[64];
    for (int used; sscanf(names, " %63s%n", name, &used) == 1; names += used) {
        ret[count].path = path_find_or_add(name);
        ck_assert_msg(ret[count].path >= 0, "%s", name);
        ret[count++].verdict = verdict;
    }
    return count;
}

START_TEST(the_layer_is_named, "verdicts.layer.named")
{
    static const struct {
        const char *wrong, *right, *skipped, *words;
    } table[] = {
        {"", "sass ptx", "", ""},
        {"sass", "", "", ""},
        {"sass", "", "ptx", ""},
        {"ptxas-12.6.20-O1 ptxas-12.6.20-O2 ptxas-12.6.20-O3", "ptxas-12.6.20-O0 sass ptx", "",
         "ptxas 12.6.20 from -O1 on, right up to -O0"},
        {"ptxas-12.6.20-O3", "ptxas-12.6.20-O0 ptxas-12.6.20-O2", "ptxas-12.6.20-O1",
         "ptxas 12.6.20 from -O3 on, right up to -O2"},
        {"ptxas-12.6.20-O0 ptxas-12.6.20-O2", "ptxas-12.6.20-O1 ptxas-12.6.20-O3 sass", "",
         "ptxas 12.6.20 at some levels: wrong at -O0, -O2, right at -O1, -O3"},
        {"ptx", "sass ptx-O0 ptx-O1", "",
         "the driver's JIT from its own level on, right up to -O1"},
        {"ptx-lowest", "sass ptx", "",
         "the driver's JIT on some of its input: wrong through ptx-lowest, right through sass, "
         "ptx"},
        {"ptx ptx-lowest", "sass ptxas-13.5.37", "",
         "the driver's JIT: wrong through ptx, ptx-lowest, right through sass, ptxas-13.5.37"},
        {"ptxas-12.0.140", "sass ptx ptxas-13.5.37", "ptx-lowest",
         "ptxas 12.0.140: wrong through ptxas-12.0.140, right through sass, ptx, ptxas-13.5.37"},
        {"sass", "ptx", "",
         "ptxas of this program's toolkit: wrong through sass, right through ptx"},
        {"ptxas-12.0.140 ptxas-12.6.20-O3", "sass ptxas-12.6.20-O0", "",
         "no single compiler: wrong through ptxas-12.0.140, ptxas-12.6.20-O3, right through sass, "
         "ptxas-12.6.20-O0"},
        {"ptx ptxas-12.6.20-O3", "ptx-O0 ptxas-12.6.20-O0 ptxas-13.5.37", "",
         "optimization by more than one compiler: wrong through ptx, ptxas-12.6.20-O3, right "
         "through ptx-O0, ptxas-12.6.20-O0, ptxas-13.5.37"},
        {"nvrtc-12.9.86 nvrtc-12.9.86-ptx", "sass ptx", "",
         "the front end of nvrtc 12.9.86: wrong through nvrtc-12.9.86, nvrtc-12.9.86-ptx, right "
         "through sass, ptx"},
        {"sass ptx ptxas-13.5.37", "nvrtc-12.9.86 nvrtc-12.9.86-ptx", "",
         "the front end of nvcc of this program's toolkit: wrong through sass, ptx, ptxas-13.5.37, "
         "right through nvrtc-12.9.86, nvrtc-12.9.86-ptx"},
        {"nvrtc-12.9.86", "nvrtc-12.9.86-O0 nvrtc-12.9.86-ptx ptx", "",
         "nvrtc 12.9.86 from its own level on, right up to -O0"},
        {"ptx nvrtc-12.9.86-ptx", "sass nvrtc-12.9.86", "",
         "the driver's JIT: wrong through ptx, nvrtc-12.9.86-ptx, right through sass, "
         "nvrtc-12.9.86"},
        {"sass ptx ptxas-13.5.37", "", "ptxas-12.0.140",
         "the kernel, the hardware, or what all paths share: wrong through sass, ptx, "
         "ptxas-13.5.37"},
    };
    add_all();
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct layer_path paths[16];
        char text[LAYER_BYTES];
        int count = take(table[row].wrong, row % 2 ? VERDICT_CRASH : VERDICT_FAIL, paths, 0);
        count = take(table[row].right, VERDICT_PASS, paths, count);
        count = take(table[row].skipped, VERDICT_SKIP, paths, count);
        ck_assert_str_eq(layer_text(paths, count, text), table[row].words);
    }
}

START_TEST(a_long_list_is_cut, "verdicts.layer.named")
{
    struct layer_path paths[64];
    char name[32], text[LAYER_BYTES];
    int count = take("sass", VERDICT_FAIL, paths, 0);
    count = take("ptx", VERDICT_FAIL, paths, count);
    for (int index = 0; index < 30; index++) {
        snprintf(name, sizeof name, "ptxas-12.%d.1", index);
        add(name, "", name);
        count = take(name, VERDICT_PASS, paths, count);
    }
    layer_text(paths, count, text);
    ASSERT_HAS(text, "wrong through sass, ptx, right through ptxas-12.0.1, ");
    ck_assert_str_eq(text + strlen(text) - 3, "...");
}
