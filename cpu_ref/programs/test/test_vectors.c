/* What each operation of generated programs computes, by vectors, and that no other operation in
 * its place gives the same. */
#include <inttypes.h>

#include "cpu_ref/programs/operations.h"
#include "spec/testing.h"

static const struct vector {
    uint16_t operation;
    uint8_t type;
    uint64_t value[1 + PROGRAM_ARGUMENTS_MAX]; /* the result, then the arguments */
} vectors[] = {
#define VECTOR(name, of_type, ...) {OPERATION_##name, TYPE_##of_type, {__VA_ARGS__}},
#include "spec/operation_vectors.def"
#undef VECTOR
};
enum { VECTORS = sizeof vectors / sizeof *vectors };

/* Pairs that compute the same where both have a type. */
static const uint16_t equal[][2] = {
    {OPERATION_add_u16x2, OPERATION_add_s16x2},
    {OPERATION_add_u16x2, OPERATION_vadd2},
    {OPERATION_add_s16x2, OPERATION_vadd2},
    {OPERATION_min_u16x2, OPERATION_vmin2},
    {OPERATION_max_u16x2, OPERATION_vmax2},
    {OPERATION_cvt_of_s8, OPERATION_cvt_s8},
    {OPERATION_cvt_of_u8, OPERATION_cvt_u8},
    {OPERATION_cvt_s16, OPERATION_cvt_u16},
    {OPERATION_cvt_s32, OPERATION_cvt_u32},
    {OPERATION_cvt_s64, OPERATION_cvt_u64},
    {OPERATION_mov, OPERATION_cvt_s16},
    {OPERATION_mov, OPERATION_cvt_u16},
    {OPERATION_mov, OPERATION_cvt_s32},
    {OPERATION_mov, OPERATION_cvt_u32},
    {OPERATION_mov, OPERATION_cvt_s64},
    {OPERATION_mov, OPERATION_cvt_u64},
    /* of what is not negative, or may not be, to zero is down */
    {OPERATION_cvt_rz_f32_u32, OPERATION_cvt_rm_f32_u32},
    {OPERATION_cvt_rz_f32_u64, OPERATION_cvt_rm_f32_u64},
    {OPERATION_cvt_rz_f64_u64, OPERATION_cvt_rm_f64_u64},
    {OPERATION_cvt_rzi_u32_f32, OPERATION_cvt_rmi_u32_f32},
    {OPERATION_cvt_rzi_u32_f64, OPERATION_cvt_rmi_u32_f64},
    {OPERATION_cvt_rzi_u64_f32, OPERATION_cvt_rmi_u64_f32},
    {OPERATION_cvt_rzi_u64_f64, OPERATION_cvt_rmi_u64_f64},
    {OPERATION_sqrt_rz_f32, OPERATION_sqrt_rm_f32},
    {OPERATION_sqrt_rz_f64, OPERATION_sqrt_rm_f64},
};

static bool is_equal(int left, int right)
{
    for (size_t index = 0; index < sizeof equal / sizeof *equal; index++)
        if ((equal[index][0] == left && equal[index][1] == right) ||
            (equal[index][0] == right && equal[index][1] == left))
            return true;
    return false;
}

/* It needs neither memory nor other threads. */
static bool is_of_vectors(int row)
{
    switch (operations[row].group) {
    case GROUP_LOCAL:
    case GROUP_TABLE:
    case GROUP_GLOBAL:
    case GROUP_SHARED:
    case GROUP_WARP:
    case GROUP_ATOMIC:
    case GROUP_CONTROL:
        return false;
    default:
        return true;
    }
}

/* What the row makes of the vector's arguments. */
static uint64_t computed(const struct vector *vector, int row)
{
    const struct operation *operation = &operations[row];
    const enum program_type type = (enum program_type)vector->type;
    struct program program = {.threads = 1, .variable_count = 1, .statement_count = 1};
    program.variable[0].of_class = (uint8_t)operation_class(operation, type, 0);
    struct program_statement *statement = &program.statement[0];
    statement->operation = (uint16_t)row;
    statement->type = vector->type;
    for (int place = 1; place <= operation_arguments(operation); place++) {
        uint64_t bound;
        struct program_argument *argument = &statement->argument[place - 1];
        if (operation_is_constant(operation, type, place, &bound)) {
            *argument =
                (struct program_argument){.kind = ARGUMENT_CONSTANT, .bits = vector->value[place]};
            continue;
        }
        const int index = program.variable_count++;
        program.variable[index] =
            (struct program_variable){.of_class = (uint8_t)operation_class(operation, type, place),
                                      .bits = vector->value[place]};
        *argument =
            (struct program_argument){.kind = ARGUMENT_VARIABLE, .variable = (uint8_t)index};
    }
    uint64_t output[2 + PROGRAM_ARGUMENTS_MAX + PROGRAM_PRIVATE_BYTES / 8];
    program_interpret(&program, NULL, output);
    return output[0];
}

START_TEST(results_are_the_definitions, "programs.operation.value")
{
    for (int index = 0; index < VECTORS; index++) {
        const struct vector *it = &vectors[index];
        const uint64_t got = computed(it, it->operation);
        if (got != it->value[0])
            ck_abort_msg("%s.%s of %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 ": got %" PRIx64
                         ", expected %" PRIx64,
                         operations[it->operation].name, type_name((enum program_type)it->type),
                         it->value[1], it->value[2], it->value[3], it->value[4], got, it->value[0]);
    }
}

START_TEST(every_type_has_vectors, "programs.operation.value")
{
    int types[OPERATIONS] = {0};
    for (int index = 0; index < VECTORS; index++)
        types[vectors[index].operation] |= 1 << vectors[index].type;
    for (int row = 0; row < OPERATIONS; row++)
        ck_assert_msg(types[row] == (is_of_vectors(row) ? operations[row].types : 0),
                      "%s has vectors of other types than its own", operations[row].name);
}

static bool may_replace(int row, int other, enum program_type type)
{
    const struct operation *left = &operations[row], *right = &operations[other];
    if (!is_of_vectors(other) || !(right->types >> type & 1) ||
        operation_arguments(left) != operation_arguments(right))
        return false;
    for (int place = 0; place <= operation_arguments(left); place++) {
        uint64_t bound;
        if (operation_class(left, type, place) != operation_class(right, type, place) ||
            operation_is_constant(left, type, place, &bound) !=
                operation_is_constant(right, type, place, &bound))
            return false;
    }
    return true;
}

/* Vectors of one operation and type lie together. */
static bool is_seen(int first, int end, int other)
{
    for (int index = first; index < end; index++)
        if (computed(&vectors[index], other) != vectors[index].value[0])
            return true;
    return false;
}

START_TEST(another_operation_is_seen, "programs.operation.seen")
{
    int mutants = 0;
    for (int first = 0, end; first < VECTORS; first = end) {
        const struct vector *it = &vectors[first];
        for (end = first; end < VECTORS && vectors[end].operation == it->operation &&
                          vectors[end].type == it->type;)
            end++;
        for (int other = 0; other < OPERATIONS; other++) {
            if (other == it->operation ||
                !may_replace(it->operation, other, (enum program_type)it->type))
                continue;
            mutants++;
            if (is_seen(first, end, other) == is_equal(it->operation, other))
                ck_abort_msg("%s.%s for %s: %s", operations[other].name,
                             type_name((enum program_type)it->type), operations[it->operation].name,
                             is_equal(it->operation, other) ? "differs" : "no vector differs");
        }
    }
    ck_assert_int_gt(mutants, 5000);
}
