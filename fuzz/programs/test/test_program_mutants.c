/* The generator is held to what it finds: miscompiles that are seeded into programs, as a compiler
 * would make them, must change some output soon. */
#include "fuzz/programs/draw.h"
#include "fuzz/programs/program_case.h"
#include "fuzz/programs/program_parts.h"
#include "fuzz/programs/test/program_check.h"
#include "spec/testing.h"

enum {
    PROGRAMS = 500,
    MEDIAN = 20,
    WORDS_MAX = (PROGRAM_VARIABLES_MAX + 8) * PROGRAM_THREADS_MAX,
};

/* What is wrong with a statement of the operation. */
enum wrong {
    REPLACED, /* it is another operation */
    UNSIGNED, /* its operands are taken for unsigned ones */
    SWAPPED,  /* its first two arguments */
    LAST_TWO, /* its last two arguments */
    LATER,    /* its first argument is the second one: a lost operand */
    CARRY,    /* the sum of the high words alone */
    CONSTANT, /* a constant argument is one more */
    ZERO,     /* a constant argument is 0 */
    LANE,     /* its second argument is 0 */
    DROPPED,  /* it is not done */
    HOISTED,  /* it is done before the statement before it */
    INVERTED, /* its two parts are taken for each other */
    ALWAYS,   /* its body is done by all */
};

static const struct mutant {
    const char *name;
    enum operation_id operation;
    enum wrong wrong;
    enum operation_id by;
} mutants[] = {
    {"wrong operation", OPERATION_add, REPLACED, OPERATION_sub},
    {"wrong immediate", OPERATION_add, CONSTANT, 0},
    {"swapped operands", OPERATION_sub, SWAPPED, 0},
    {"immediate of a packed sum lost", OPERATION_add_u16x2, ZERO, 0},
    {"product's low half for its high one", OPERATION_mul_hi, REPLACED, OPERATION_mul_lo},
    {"wide product without sign extension", OPERATION_mul_wide, UNSIGNED, 0},
    {"high product of unsigned words", OPERATION_mul_hi, UNSIGNED, 0},
    {"sign bit lost in a product and sum", OPERATION_mad_wide, UNSIGNED, 0},
    {"saturation lost", OPERATION_add_sat, REPLACED, OPERATION_add},
    {"minimum of unsigned words", OPERATION_min, UNSIGNED, 0},
    {"maximum for a minimum", OPERATION_min, REPLACED, OPERATION_max},
    {"absolute value lost", OPERATION_abs, REPLACED, OPERATION_neg},
    {"quotient for a remainder", OPERATION_rem_u, REPLACED, OPERATION_div_u},
    {"carry lost", OPERATION_add_carry, CARRY, OPERATION_add},
    {"borrow lost", OPERATION_sub_borrow, CARRY, OPERATION_sub},
    {"another table of three-input logic", OPERATION_lop3, CONSTANT, 0},
    {"or for an exclusive or", OPERATION_xor, REPLACED, OPERATION_or},
    {"logical shift for an arithmetic one", OPERATION_shr, UNSIGNED, 0},
    {"shift by a wrong immediate", OPERATION_shl, CONSTANT, 0},
    {"funnel shift to the other side", OPERATION_shf_l_wrap, REPLACED, OPERATION_shf_r_wrap},
    {"funnel shift that wraps where it clamps", OPERATION_shf_r_clamp, REPLACED,
     OPERATION_shf_r_wrap},
    {"field's place and length swapped", OPERATION_bfe_u, LAST_TWO, 0},
    {"field not extended by its sign", OPERATION_szext_clamp, REPLACED, OPERATION_szext_wrap},
    {"bytes of the other word", OPERATION_prmt, SWAPPED, 0},
    {"selector of bytes off by one", OPERATION_prmt, CONSTANT, 0},
    {"dot product of unsigned bytes", OPERATION_dp4a, UNSIGNED, 0},
    {"halves of a dot product", OPERATION_dp2a_lo, REPLACED, OPERATION_dp2a_hi},
    {"halves packed in the wrong order", OPERATION_pack_16, SWAPPED, 0},
    {"less for less or equal", OPERATION_setp_le, REPLACED, OPERATION_setp_lt},
    {"comparison of unsigned words", OPERATION_setp_lt, UNSIGNED, 0},
    {"selection the other way round", OPERATION_selp, SWAPPED, 0},
    {"sign extension dropped", OPERATION_cvt_s64, UNSIGNED, 0},
    {"saturation of a conversion lost", OPERATION_cvt_sat_s8, REPLACED, OPERATION_cvt_s8},
    {"rounded towards zero", OPERATION_fma_rn_f32, REPLACED, OPERATION_fma_rz_f32},
    {"division rounded up", OPERATION_div_rn_f64, REPLACED, OPERATION_div_rp_f64},
    {"conversion cut where it rounds", OPERATION_cvt_rni_s32_f32, REPLACED,
     OPERATION_cvt_rzi_s32_f32},
    {"store dropped", OPERATION_local_store, DROPPED, 0},
    {"store to global memory dropped", OPERATION_global_store, DROPPED, 0},
    {"load hoisted above a store", OPERATION_local_load, HOISTED, 0},
    {"wrong element", OPERATION_table_load, CONSTANT, 0},
    {"byte not extended by its sign", OPERATION_local_load_s8, REPLACED, OPERATION_local_load_u8},
    {"atomic sum that only stores", OPERATION_global_atom_add, REPLACED,
     OPERATION_global_atom_exch},
    {"barrier dropped: the thread's own word", OPERATION_shared_exchange, LATER, OPERATION_mov},
    {"wrong lane", OPERATION_shfl_bfly, REPLACED, OPERATION_shfl_idx},
    {"lane 0 for all lanes", OPERATION_shfl_idx, LANE, 0},
    {"vote of any for all", OPERATION_vote_all, REPLACED, OPERATION_vote_any},
    {"minimum over lanes, unsigned", OPERATION_redux_min, UNSIGNED, 0},
    {"one turn more", OPERATION_loop, CONSTANT, 0},
    {"branch the other way round", OPERATION_if, INVERTED, 0},
    {"predicate of a branch lost", OPERATION_if, ALWAYS, 0},
    {"wrong case", OPERATION_switch, CONSTANT, 0},
    {"call dropped", OPERATION_call, DROPPED, 0},
};
enum { MUTANTS = sizeof mutants / sizeof *mutants };

static struct program_case it;
static struct program whole, mutated;
static uint64_t input[WORDS_MAX], expected[WORDS_MAX], got[WORDS_MAX];

static enum program_type unsigned_type(enum program_type type)
{
    return type == TYPE_S16   ? TYPE_U16
           : type == TYPE_S32 ? TYPE_U32
           : type == TYPE_S64 ? TYPE_U64
                              : type;
}

static void change_constant(struct program_statement *statement, bool is_zero)
{
    const struct operation *operation = &operations[statement->operation];
    for (int place = 1; place <= operation_arguments(operation); place++) {
        struct program_argument *argument = &statement->argument[place - 1];
        enum program_class of_class = operation_class(operation, statement->type, place);
        uint64_t bound = 0;
        operation_is_constant(operation, statement->type, place, &bound);
        if (argument->kind == ARGUMENT_CONSTANT)
            argument->bits = is_zero      ? 0
                             : bound != 0 ? (argument->bits + 1) % bound
                                          : class_cut(of_class, argument->bits + 1);
    }
}

static void swap(struct program_argument *one, struct program_argument *other)
{
    struct program_argument kept = *one;
    *one = *other;
    *other = kept;
}

/* An `if` whose parts are taken for each other: its predicate is a constant's place no more. */
static void invert(struct program *program, int index)
{
    struct program_statement *statement = &program->statement[index];
    struct program_statement kept[PROGRAM_STATEMENTS_MAX];
    size_t then = (size_t)(statement->body - statement->otherwise),
           otherwise = statement->otherwise;
    memcpy(kept, statement + 1, sizeof *kept * statement->body);
    memcpy(statement + 1, kept + then, sizeof *kept * otherwise);
    memcpy(statement + 1 + otherwise, kept, sizeof *kept * then);
    statement->otherwise = (uint16_t)then;
}

static void spoil(struct program *program, int index, const struct mutant *mutant, bool *dropped)
{
    struct program_statement *statement = &program->statement[index];
    struct program_argument *argument = statement->argument;
    int arguments = operation_arguments(&operations[statement->operation]);
    switch (mutant->wrong) {
    case CARRY:
        argument[0] = argument[2];
        argument[1] = argument[3];
        memset(&argument[2], 0, 2 * sizeof *argument);
        statement->operation = (uint16_t)mutant->by;
        break;
    case LATER:
        memset(&argument[1], 0, 3 * sizeof *argument);
        statement->operation = (uint16_t)mutant->by;
        break;
    case REPLACED:
        statement->operation = (uint16_t)mutant->by;
        if (!(operations[mutant->by].types >> statement->type & 1))
            statement->type = (uint8_t)unsigned_type(statement->type);
        break;
    case UNSIGNED:
        statement->type = (uint8_t)unsigned_type(statement->type);
        break;
    case SWAPPED:
        swap(&argument[0], &argument[1]);
        break;
    case LAST_TWO:
        swap(&argument[arguments - 2], &argument[arguments - 1]);
        break;
    case CONSTANT:
    case ZERO:
        change_constant(statement, mutant->wrong == ZERO);
        break;
    case LANE:
        argument[1] = (struct program_argument){.kind = ARGUMENT_CONSTANT};
        break;
    case HOISTED:
        if (index > 0 && program->statement[index - 1].body == 0) {
            struct program_statement kept = *statement;
            *statement = statement[-1];
            statement[-1] = kept;
        }
        break;
    case INVERTED:
        invert(program, index);
        break;
    case DROPPED:
        for (int at = index; at <= index + statement->body; at++)
            dropped[program->statement[at].number] = true;
        break;
    case ALWAYS:
        dropped[statement->number] = true;
        break;
    }
}

/* The mutant of the whole program; false if that is the same or no program. */
static bool mutate(const struct mutant *mutant)
{
    bool dropped[PROGRAM_STATEMENTS_MAX] = {false};
    int statement;
    bool has_changed = false;
    mutated = whole;
    for (int index = 0; index < mutated.statement_count; index++) {
        if (mutated.statement[index].operation != mutant->operation)
            continue;
        spoil(&mutated, index, mutant, dropped);
        has_changed = true;
    }
    program_drop(&mutated, dropped);
    return has_changed && program_check(&mutated, &statement) == NULL;
}

/* Programs until the mutant is seen; 0: not within PROGRAMS. */
static void hunt(int *ret_found)
{
    int left = MUTANTS;
    memset(ret_found, 0, sizeof *ret_found * MUTANTS);
    for (int index = 0; index < PROGRAMS && left > 0; index++) {
        bool is_known = false;
        program_case_pick(6, (uint64_t)index, &it);
        program_case_make(&it, &whole);
        for (int row = 0; row < MUTANTS; row++) {
            if (ret_found[row] != 0 || !mutate(&mutants[row]))
                continue;
            if (!is_known) {
                program_case_inputs(&it, &whole, input);
                program_interpret(&whole, input, expected);
                is_known = true;
            }
            program_interpret(&mutated, input, got);
            if (memcmp(expected, got, program_output_words(&whole) * sizeof *got) != 0) {
                ret_found[row] = index + 1;
                left--;
            }
        }
    }
}

static int by_number(const void *one, const void *other)
{
    return *(const int *)one - *(const int *)other;
}

START_TEST(seeded_miscompiles_are_found, "program_cases.mutants.found")
{
    int found[MUTANTS];
    hunt(found);
    for (int row = 0; row < MUTANTS; row++) {
        fprintf(stderr, "%s: %d programs\n", mutants[row].name, found[row]);
        ck_assert_msg(found[row] != 0, "%s: not within %d programs", mutants[row].name, PROGRAMS);
    }
    qsort(found, MUTANTS, sizeof *found, by_number);
    fprintf(stderr, "%d mutants, median %d, at most %d programs\n", MUTANTS, found[MUTANTS / 2],
            found[MUTANTS - 1]);
    ck_assert_int_ge(MUTANTS, 30);
    ck_assert_int_lt(found[MUTANTS / 2], MEDIAN);
}
