/* The model of occupancy against the vectors of its page. */
#include "conformance/model/device_info.h"

#include <limits.h>

#include "cuda/image.h"
#include "spec/testing.h"

enum { WORD_BYTES = 64, WORDS = 12 };

/* The words of a row of a table: "| a | b |". Returns how many, 0 for another line. */
static int read_row(const char *line, char ret_words[WORDS][WORD_BYTES])
{
    int count = 0;
    for (line = *line == '|' ? line + 1 : ""; count < WORDS; count++) {
        int letters = 0;
        if (sscanf(line, " %63[^ |] |%n", ret_words[count], &letters) != 1 || letters == 0)
            break;
        line += letters;
    }
    return count;
}

static FILE *open_page(void)
{
    FILE *page = fopen(getenv("OCCUPANCY_PAGE"), "r");
    ck_assert_ptr_nonnull(page);
    return page;
}

/* A device of the documents, which count without units, partitions and reserve. */
static bool find_document_device(const char *name, struct sm_limits *ret)
{
    char line[512], words[WORDS][WORD_BYTES];
    bool found = false;
    FILE *page = open_page();
    while (!found && fgets(line, sizeof line, page))
        found = read_row(line, words) == 5 && strcmp(words[0], name) == 0;
    fclose(page);
    *ret = (struct sm_limits){.warp_size = 32,
                              .block_threads = 512,
                              .threads = atoi(words[1]),
                              .blocks = atoi(words[2]),
                              .registers = atoi(words[3]),
                              .register_unit = 1,
                              .partitions = 1,
                              .shared_bytes = atoi(words[4]),
                              .block_shared = atoi(words[4]),
                              .shared_unit = 1};
    return found;
}

static void check_vector(char words[WORDS][WORD_BYTES])
{
    struct sm_limits sm;
    int architecture = 0;
    char limits[OCCUPANCY_TEXT_BYTES];
    const struct block_needs needs = {
        .threads = atoi(words[2]), .registers = atoi(words[3]), .shared_bytes = atoi(words[4])};
    if (sscanf(words[1], "sm_%d", &architecture) == 1)
        ck_assert(sm_limits_of(architecture, &sm));
    else
        ck_assert_msg(find_document_device(words[1], &sm), "%s", words[1]);
    const struct occupancy got = occupancy_of(&sm, &needs);
    for (int limit = 0; limit < OCCUPANCY_LIMIT_COUNT; limit++) {
        const char *word = words[5 + limit];
        ck_assert_int_eq(got.allowed[limit], strcmp(word, "-") == 0 ? INT_MAX : atoi(word));
    }
    ck_assert_int_eq(got.blocks, atoi(words[9]));
    ck_assert_int_eq(got.warps, atoi(words[10]));
    ck_assert_str_eq(occupancy_limits_text(&got, limits), words[11]);
}

START_TEST(vectors_hold, "occupancy.blocks.least", "occupancy.blocks.threads",
           "occupancy.blocks.registers", "occupancy.blocks.shared")
{
    char line[512], words[WORDS][WORD_BYTES];
    int count = 0;
    FILE *page = open_page();
    while (fgets(line, sizeof line, page)) {
        if (read_row(line, words) != WORDS || strncmp(words[0], "occupancy.", 10) != 0)
            continue;
        check_vector(words);
        count++;
    }
    fclose(page);
    ck_assert_int_eq(count, 27);
}

START_TEST(architectures_are_known, "occupancy.architectures.known")
{
    struct sm_limits sm, hopper;
    const char *text = image_architectures;
    for (char *end; *text; text = end + (*end == ' '))
        ck_assert(sm_limits_of((int)strtol(text, &end, 10), &sm));
    ck_assert(sm_limits_of(90, &hopper));
    ck_assert(!sm_limits_of(99, &sm));
    ASSERT_BYTES_EQUAL(&sm, &hopper, sizeof sm);
    ck_assert(!sm_limits_of(30, &sm));
    ck_assert_int_eq(sm.threads, 1024);
}

START_TEST(blocks_are_the_kernels, "occupancy.info.block")
{
    const struct kernel kernel = {
        .block = {32, 32}, .block_halves = true, .thread_shared_bytes = 8};
    const struct code_figures figures = {.registers = 40, .shared_bytes = 100};
    struct kernel whole = kernel;
    struct sm_limits sm;
    struct block_needs needs;
    sm_limits_of(90, &sm);
    ck_assert(block_needs_of(&sm, &kernel, &figures, &needs));
    ck_assert_int_eq(needs.threads, 1024);
    ck_assert_int_eq(needs.registers, 40);
    ck_assert_int_eq(needs.shared_bytes, 8192 + 100);
    sm.block_threads = 512;
    ck_assert(block_needs_of(&sm, &kernel, &figures, &needs));
    ck_assert_int_eq(needs.threads, 256);
    ck_assert_int_eq(needs.shared_bytes, 2048 + 100);
    whole.block_halves = false;
    ck_assert(!block_needs_of(&sm, &whole, &figures, &needs));
}

/* A kernel that opts in may have all of an SM's shared memory but the reserve. */
START_TEST(blocks_opt_in, "occupancy.blocks.shared")
{
    static const struct {
        int architecture;
        unsigned bytes;
        int blocks; /* -1: none can be planned */
    } rows[] = {{75, 49920, 1}, {75, 65537, -1}, {80, 49920, 3},  {86, 49920, 2},
                {90, 49920, 4}, {90, 232448, 1}, {90, 232449, -1}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const struct kernel kernel = {
            .block = {16, 8}, .shared_bytes = rows[row].bytes, .opts_in = true};
        struct kernel unasked = kernel;
        struct sm_limits sm;
        struct block_needs needs;
        sm_limits_of(rows[row].architecture, &sm);
        ck_assert_int_eq(
            block_needs_of(&sm, &kernel, &(struct code_figures){.registers = 16}, &needs),
            rows[row].blocks >= 0);
        if (rows[row].blocks >= 0)
            ck_assert_int_eq(occupancy_of(&sm, &needs).blocks, rows[row].blocks);
        unasked.opts_in = false;
        ck_assert(!block_needs_of(&sm, &unasked, &(struct code_figures){.registers = 16}, &needs));
    }
}

START_TEST(percent_is_of_warps, "occupancy.blocks.least")
{
    struct sm_limits sm;
    sm_limits_of(90, &sm);
    const struct occupancy occupancy = occupancy_of(
        &sm, &(struct block_needs){.threads = 256, .registers = 33, .shared_bytes = 0});
    ck_assert_double_eq(occupancy_percent(&occupancy), 75);
}
