/* The table of algorithms: where elements lie, what is refused, what is moved. */
#include <stddef.h>

#include "fuzz/test/made_case.h"

/* Marks every element of the operand; fails on one outside the span or marked twice. */
static unsigned char *mark_elements(const struct view *view)
{
    unsigned char *marks = calloc((size_t)(view->origin + view->span) + 1, 1);
    for (int64_t row = 0; row < view->rows; row++) {
        for (int64_t column = 0; column < view->columns; column++) {
            int64_t at =
                view->origin + view->first + row * view->row_stride + column * view->column_stride;
            if (at < view->origin || at >= view->origin + view->span || marks[at])
                ck_abort_msg("row %ld column %ld: stray or met twice", (long)row, (long)column);
            marks[at] = 1;
        }
    }
    return marks;
}

START_TEST(elements_are_distinct_and_inside, "cases.view.inside")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_SMOKE, 1);
        for (uint64_t number = 0; number < 200; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            for (int operand = 0; operand < algorithms[index]->operand_count; operand++) {
                struct view view = case_view(&test_case, operand);
                free(mark_elements(&view));
                ck_assert_uint_eq(case_operand_bytes(&test_case, operand),
                                  (size_t)((view.origin + view.span) * view.element_bytes));
            }
        }
    }
}

/* The golden, given two different backgrounds, makes every element the same and leaves every other
 * byte as it was: so it writes where the view says, and nowhere else. */
static void check_golden_writes(const struct fuzz_case *test_case)
{
    const struct algorithm *algorithm = test_case->algorithm;
    int output = algorithm->operand_count - 1;
    size_t bytes = case_operand_bytes(test_case, output);
    struct view view = case_view(test_case, output);
    unsigned char *marks = mark_elements(&view);
    unsigned char *results[2];
    for (int run = 0; run < 2; run++) {
        void *operands[ALGORITHM_OPERANDS_MAX];
        void *memory[ALGORITHM_OPERANDS_MAX] = {NULL};
        for (int operand = 0; operand <= output; operand++) {
            struct view other = case_view(test_case, operand);
            size_t other_bytes = case_operand_bytes(test_case, operand);
            memory[operand] = malloc(other_bytes + 1);
            memset(memory[operand], operand == output ? 0x11 * (run + 1) : 0, other_bytes);
            operands[operand] =
                (unsigned char *)memory[operand] + other.origin * other.element_bytes;
        }
        algorithm->golden(test_case->axis, operands);
        for (int operand = 0; operand < output; operand++)
            free(memory[operand]);
        results[run] = memory[output];
    }
    for (size_t at = 0; at < bytes; at++) {
        bool element = marks[at / (size_t)view.element_bytes];
        if ((results[0][at] == results[1][at]) != element || (!element && results[0][at] != 0x11))
            ck_abort_msg("%s: byte %zu", algorithm->name, at);
    }
    free(results[0]);
    free(results[1]);
    free(marks);
}

START_TEST(golden_writes_where_the_view_says, "cases.view.inside")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_SMOKE, 2);
        for (uint64_t number = 0; number < 100; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            check_golden_writes(&test_case);
        }
    }
}

START_TEST(views_have_the_documented_addresses, "cases.view.inside")
{
    static const struct {
        const char *line;
        int operand;
        struct view view;
    } rows[] = {
        {"matmul m=3 n=5 k=4 lda=7 a_offset=2 fill=uniform seed=1",
         0,
         {2, 0, 3, 4, 7, 1, 4, 21, true}},
        {"matmul m=3 n=5 k=4 ldb=6 b_offset=1 fill=uniform seed=1",
         1,
         {1, 0, 4, 5, 6, 1, 4, 24, true}},
        {"matmul m=3 n=5 k=4 ldc=8 c_offset=9 fill=uniform seed=1",
         2,
         {9, 0, 3, 5, 8, 1, 4, 24, true}},
        {"matmul m=3 n=0 k=4 fill=uniform seed=1", 2, {0, 0, 3, 0, 1, 1, 4, 3, true}},
        {"aat m=3 k=2 lda=4 fill=uniform seed=1", 0, {0, 0, 3, 2, 4, 1, 4, 12, true}},
        {"aat m=3 k=2 ldc=5 c_offset=1 fill=uniform seed=1", 1, {1, 0, 3, 3, 5, 1, 4, 15, true}},
        {"adjacent_difference n=9 b_offset=3 fill=uniform seed=1",
         1,
         {3, 0, 1, 9, 10, 1, 4, 9, false}},
        {"offset_copy n=4 offset=3 element=16 source_offset=2 fill=uniform seed=1",
         0,
         {2, 3, 1, 4, 8, 1, 16, 7, false}},
        {"offset_copy n=0 offset=3 fill=uniform seed=1", 1, {0, 3, 1, 0, 4, 1, 4, 3, false}},
        {"strided_copy n=4 stride=3 element=2 fill=uniform seed=1",
         1,
         {0, 0, 1, 4, 11, 3, 2, 10, false}},
        {"shared_stride n=4 stride=3 element=16 target_offset=5 fill=uniform seed=1",
         1,
         {5, 0, 1, 4, 5, 1, 16, 4, false}},
        {"shared_copy n=300 copy_count=2 element=8 source_offset=3 fill=uniform seed=1",
         0,
         {3, 0, 1, 300, 301, 1, 8, 300, false}},
        {"texture_fetch n=4 width=3 height=2 ld=5 texel=2 channels=4 texels_offset=7 fill=uniform "
         "seed=1",
         0,
         {7, 0, 2, 3, 5, 1, 8, 10, true}},
        {"texture_fetch n=4 width=3 height=2 coords_offset=1 fill=uniform seed=1",
         1,
         {1, 0, 2, 4, 4, 1, 4, 8, true}},
        {"texture_fetch n=4 width=3 height=0 channels=2 target_offset=1 fill=uniform seed=1",
         2,
         {1, 0, 1, 4, 5, 1, 8, 4, false}},
        {"strided_copy n=0 stride=3 fill=uniform seed=1", 1, {0, 0, 1, 0, 1, 3, 4, 0, false}},
    };
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        struct fuzz_case test_case = made_case(rows[index].line);
        struct view view = case_view(&test_case, rows[index].operand);
        ASSERT_BYTES_EQUAL(&view, &rows[index].view, offsetof(struct view, is_matrix));
        ck_assert_int_eq(view.is_matrix, rows[index].view.is_matrix);
    }
}

START_TEST(arguments_come_in_the_order_of_the_call, "cases.view.inside")
{
    for (int index = 0; index < algorithm_count; index++) {
        char path[300], line[200], expected[200] = "", *rest, *name;
        snprintf(path, sizeof path, CORPUS_FOLDER "/../../cuda/%s/call.h", algorithms[index]->name);
        FILE *file = fopen(path, "r");
        for (int axis = 0; axis < algorithms[index]->axis_count; axis++)
            if (axis_is_argument(&algorithms[index]->axes[axis]))
                sprintf(expected + strlen(expected), "%s ", algorithms[index]->axes[axis].name);
        rest = expected;
        while (file && fgets(line, sizeof line, file)) {
            char *end = strchr(line, ';');
            if (strncmp(line, "    long long ", 14) != 0 || end == NULL)
                continue;
            *end = 0;
            for (name = strtok(line + 14, ", "); name; name = strtok(NULL, ", ")) {
                const size_t bytes = strcspn(rest, " ");
                ck_assert_msg(bytes > 0 && strncmp(name, rest, bytes) == 0, "%s: %s", path, name);
                ck_assert(name[bytes] == 0 || strcmp(name + bytes, "_count") == 0);
                rest += bytes + 1;
            }
        }
        /* A copy of the driver's has no kernel, and no call. */
        ck_assert_msg(file ? *rest == 0 : strcmp(algorithms[index]->name, "host_copy") == 0,
                      "%s: %s", path, rest);
        if (file)
            fclose(file);
        ck_assert_ptr_eq(algorithm_find(algorithms[index]->name), algorithms[index]);
    }
    ck_assert_ptr_null(algorithm_find("matmu"));
    ck_assert_int_eq(algorithm_axis(algorithms[0], "ldb"), 4);
    ck_assert_int_eq(algorithm_axis(algorithms[0], "ld"), -1);
}

START_TEST(traffic_counts_each_element_once, "cases.view.traffic")
{
    static const struct {
        const char *line;
        struct traffic traffic;
    } rows[] = {
        {"matmul m=3 n=5 k=4 lda=9 fill=uniform seed=1", {(12 + 20) * 4, 15 * 4, 120}},
        {"aat m=3 k=4 fill=uniform seed=1", {12 * 4, 9 * 4, 72}},
        {"adjacent_difference n=7 fill=uniform seed=1", {28, 28, 7}},
        {"offset_copy n=7 offset=5 element=8 fill=uniform seed=1", {56, 56, 0}},
        {"strided_copy n=7 stride=5 element=2 fill=uniform seed=1", {14, 14, 0}},
        {"table_lookup n=7 entries=3 rounds=4 element=2 fill=uniform seed=1", {6 + 28, 14, 21}},
        {"sliding_window n=7 hot=3 resident=2 fill=uniform seed=1", {12 + 28, 28, 0}},
        {"sliding_window n=7 hot=0 resident=2 fill=uniform seed=1", {0, 0, 0}},
        {"table_lookup n=7 entries=0 fill=uniform seed=1", {0, 0, 0}},
        {"variable_scope n=7 launches=3 reload=2 fill=uniform seed=1", {28 + 84, 28, 21}},
        {"thread_array n=7 length=3 rounds=4 element=2 fill=uniform seed=1", {18 + 28, 14, 56}},
        {"thread_array n=0 length=3 fill=uniform seed=1", {0, 0, 0}},
        {"texture_fetch n=7 width=5 height=0 texel=2 channels=2 fill=uniform seed=1",
         {5 * 4 + 28, 56, 0}},
        {"texture_fetch n=7 width=5 height=3 ld=9 texel=0 filter=1 fill=uniform seed=1",
         {15 + 56, 28, 56}},
        {"texture_fetch n=7 width=0 height=3 fill=uniform seed=1", {0, 0, 0}},
        {"shared_stride n=7 stride=5 rounds=4 element=2 fill=uniform seed=1", {14, 14, 21}},
        {"shared_copy n=7 copy_count=5 element=8 fill=uniform seed=1", {56, 56, 0}},
        /* 2^22 * 2^22 * 2^22 operations are more than 64 bits hold */
        {"matmul m=2097152 n=2097152 k=2097152 fill=uniform seed=1",
         {UINT64_C(1) << 45, UINT64_C(1) << 44, UINT64_MAX}},
    };
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        struct fuzz_case test_case = made_case(rows[index].line);
        struct traffic traffic = algorithm_traffic(test_case.algorithm, test_case.axis);
        ASSERT_BYTES_EQUAL(&traffic, &rows[index].traffic, sizeof traffic);
        ck_assert(case_cost_s(&test_case) > 0);
    }
}

START_TEST(absurd_axes_are_refused, "cases.text.range")
{
    static const int64_t extremes[] = {
        INT64_MIN,        -1,       INT64_C(1) << 42, INT64_C(1) << 44, INT64_C(1) << 45,
        INT64_C(1) << 62, INT64_MAX};
    struct axes_error wrong;
    for (int index = 0; index < algorithm_count; index++) {
        const struct algorithm *algorithm = algorithms[index];
        for (int axis = 0; axis < algorithm->axis_count; axis++) {
            for (size_t extreme = 0; extreme < sizeof extremes / sizeof extremes[0]; extreme++) {
                int64_t values[ALGORITHM_AXES_MAX];
                for (int other = 0; other < algorithm->axis_count; other++)
                    values[other] = algorithm->axes[other].kind == AXIS_ELEMENT ? 16
                                    : algorithm->axes[other].kind == AXIS_TEXEL ? GOLDEN_TEXEL_F32
                                    : algorithm->axes[other].kind == AXIS_CHANNELS ? 4
                                    : algorithm->axes[other].kind == AXIS_ADDRESS  ? 3
                                    : algorithm->axes[other].kind == AXIS_FLAG     ? 1
                                                                                   : 8;
                ck_assert_msg(algorithm_axes_valid(algorithm, values, &wrong), "%s", wrong.message);
                if (extremes[extreme] == INT64_C(1) << 42 && algorithm == &algorithm_host_copy &&
                    algorithm->axes[axis].kind == AXIS_PLACEMENT) /* of bytes: within the span */
                    continue;
                values[axis] = extremes[extreme];
                strcpy(wrong.message, "");
                ck_assert(!algorithm_axes_valid(algorithm, values, &wrong));
                ck_assert_str_ne(wrong.message, "");
            }
            int64_t all[ALGORITHM_AXES_MAX];
            for (int other = 0; other < algorithm->axis_count; other++)
                all[other] = INT64_C(1) << 44;
            ck_assert(!algorithm_axes_valid(algorithm, all, &wrong));
        }
    }
}
