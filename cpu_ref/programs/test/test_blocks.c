/* Blocks, memory, and what threads do together, by programs made by hand. */
#include "cpu_ref/programs/test/build_program.h"
#include "spec/testing.h"

static uint64_t output[OUTPUT_WORDS];
static uint64_t input[PROGRAM_THREADS_MAX * 4];

/* A program whose first variable is the thread's number, of 32 bits. */
static struct program numbered(uint32_t threads)
{
    struct program program = {.threads = threads};
    build_input(&program, CLASS_32);
    for (uint32_t thread = 0; thread < threads; thread++)
        input[thread] = thread;
    return program;
}

enum { THREAD = 0 };

static void build_add(struct program *program, int variable, uint64_t number)
{
    build_statement(program, OPERATION_add, TYPE_U32, variable);
    build_argument(program, variable);
    build_number(program, number);
}

START_TEST(statements_keep_step, "programs.statement.step")
{
    struct program program = numbered(40);
    const int other = build_constant(&program, CLASS_32, 0);
    build_add(&program, THREAD, 100);
    build_statement(&program, OPERATION_sub, TYPE_U32, other);
    build_number(&program, 139);
    build_argument(&program, THREAD);
    build_statement(&program, OPERATION_shared_exchange, TYPE_U32, THREAD);
    build_argument(&program, THREAD);
    build_argument(&program, other);
    program_interpret(&program, input, output);
    for (uint32_t thread = 0; thread < 40; thread++)
        ck_assert_uint_eq(build_result(&program, output, THREAD, thread), 139 - thread);
}

START_TEST(if_takes_one_side, "programs.block.if")
{
    struct program program = numbered(8);
    const int holds = build_constant(&program, CLASS_PREDICATE, 0);
    build_statement(&program, OPERATION_setp_lt, TYPE_U32, holds);
    build_argument(&program, THREAD);
    build_number(&program, 3);
    const int block = build_statement(&program, OPERATION_if, TYPE_PREDICATE, -1);
    build_argument(&program, holds);
    build_add(&program, THREAD, 10);
    /* What its body does to the argument is of no matter for who takes the otherwise. */
    build_statement(&program, OPERATION_not_pred, TYPE_PREDICATE, holds);
    build_argument(&program, holds);
    build_add(&program, THREAD, 20);
    build_end(&program, block, 1);
    program_interpret(&program, input, output);
    for (uint32_t thread = 0; thread < 8; thread++)
        ck_assert_uint_eq(build_result(&program, output, THREAD, thread),
                          thread + (thread < 3 ? 10 : 20));
}

START_TEST(loop_takes_its_turns, "programs.block.loop")
{
    for (uint64_t turns = 0; turns <= PROGRAM_LOOP_MAX; turns++) {
        struct program program = numbered(2);
        const int outer = build_statement(&program, OPERATION_loop, TYPE_U32, -1);
        build_number(&program, turns);
        const int inner = build_statement(&program, OPERATION_loop, TYPE_U32, -1);
        build_number(&program, 3);
        build_add(&program, THREAD, 1);
        build_end(&program, inner, 0);
        build_add(&program, THREAD, 100);
        build_end(&program, outer, 0);
        program_interpret(&program, input, output);
        ck_assert_uint_eq(output[1], 1 + turns * 103);
    }
}

START_TEST(while_leaves_threads_behind, "programs.block.while")
{
    struct program program = numbered(12);
    const int goes = build_constant(&program, CLASS_PREDICATE, 1);
    const int turns = build_constant(&program, CLASS_32, 0);
    const int block = build_statement(&program, OPERATION_while, TYPE_PREDICATE, -1);
    build_argument(&program, goes);
    build_number(&program, 5);
    build_add(&program, turns, 1);
    build_statement(&program, OPERATION_setp_lt, TYPE_U32, goes); /* thread t takes t turns */
    build_argument(&program, turns);
    build_argument(&program, THREAD);
    build_end(&program, block, 0);
    program_interpret(&program, input, output);
    for (uint32_t thread = 0; thread < 12; thread++)
        ck_assert_uint_eq(build_result(&program, output, turns, thread), thread < 1   ? 1
                                                                         : thread > 5 ? 5
                                                                                      : thread);
}

START_TEST(switch_takes_one_statement, "programs.block.switch")
{
    struct program program = numbered(20);
    const int block = build_statement(&program, OPERATION_switch, TYPE_U32, -1);
    build_argument(&program, THREAD);
    build_add(&program, THREAD, 100);
    const int loop = build_statement(&program, OPERATION_loop, TYPE_U32, -1);
    build_number(&program, 2);
    build_add(&program, THREAD, 1000);
    build_add(&program, THREAD, 1000);
    build_end(&program, loop, 0);
    build_add(&program, THREAD, 300);
    build_end(&program, block, 0);
    program_interpret(&program, input, output);
    static const uint64_t added[8] = {100, 4000, 300};
    for (uint32_t thread = 0; thread < 20; thread++)
        ck_assert_uint_eq(output[thread], thread + added[thread % 8]);
}

START_TEST(call_runs_its_body, "programs.block.call")
{
    struct program program = numbered(2);
    const int block = build_statement(&program, OPERATION_call, TYPE_U32, -1);
    build_add(&program, THREAD, 5);
    build_add(&program, THREAD, 7);
    build_end(&program, block, 0);
    program_interpret(&program, input, output);
    ck_assert_uint_eq(output[1], 13);
}

static void build_store(struct program *program, int operation, enum program_type type,
                        uint64_t index, uint64_t low, uint64_t high)
{
    build_statement(program, operation, type, -1);
    build_number(program, index);
    build_number(program, low);
    if (operation_arguments(&operations[operation]) == 3)
        build_number(program, high);
}

/* What a load of element `index` gives, after the program's statements. */
static uint64_t loaded(struct program program, int operation, enum program_type type,
                       uint64_t index)
{
    const int result =
        build_constant(&program, operation_class(&operations[operation], type, 0), 0);
    build_statement(&program, operation, type, result);
    build_number(&program, index);
    program_interpret(&program, NULL, output);
    return build_result(&program, output, result, 0);
}

START_TEST(indices_are_modulo, "programs.memory.modulo")
{
    static const int rows[2][14] = {
        {OPERATION_local_store_2x64, OPERATION_local_store, OPERATION_local_store_8,
         OPERATION_local_store_2x16, OPERATION_local_store_4x32, OPERATION_local_load,
         OPERATION_local_load_s8, OPERATION_local_load_u8, OPERATION_local_load_2x16,
         OPERATION_local_load_2x32, OPERATION_local_load_4x16, OPERATION_local_load_4x32,
         OPERATION_local_load_2x64, OPERATION_local_store_4x16},
        {OPERATION_global_store_2x64, OPERATION_global_store, OPERATION_global_store_8,
         OPERATION_global_store_2x16, OPERATION_global_store_4x32, OPERATION_global_load,
         OPERATION_global_load_s8, OPERATION_global_load_u8, OPERATION_global_load_2x16,
         OPERATION_global_load_2x32, OPERATION_global_load_4x16, OPERATION_global_load_4x32,
         OPERATION_global_load_2x64, OPERATION_global_store_4x16}};
    for (int space = 0; space < 2; space++) {
        const int *row = rows[space];
        struct program program = {.threads = 1};
        build_store(&program, row[0], TYPE_U64, 7, 0x1716151413121110, 0x1f1e1d1c1b1a1918);
        build_store(&program, row[1], TYPE_U16, 32 * 5 + 25, 0xb3b2, 0); /* bytes 50, 51 */
        build_store(&program, row[2], TYPE_U32, 64 + 52, 0xeeeeee84, 0); /* byte 52 */
        build_store(&program, row[4], TYPE_U32, 6, 0x0000000200000001, 0x0000000400000003);
        build_store(&program, row[13], TYPE_U16, 9, 0x0004000300020001, 0); /* bytes 8 to 15 */
        ck_assert_uint_eq(loaded(program, row[5], TYPE_U64, 0xfffffffe), 0x17161584b3b21110);
        ck_assert_uint_eq(loaded(program, row[5], TYPE_U32, 12), 0xb3b21110);
        ck_assert_uint_eq(loaded(program, row[5], TYPE_U16, 25), 0xb3b2);
        ck_assert_uint_eq(loaded(program, row[6], TYPE_S32, 52), 0xffffff84);
        ck_assert_uint_eq(loaded(program, row[7], TYPE_U32, 52 + 640), 0x84);
        ck_assert_uint_eq(loaded(program, row[8], TYPE_U16, 12), 0xb3b21110);
        ck_assert_uint_eq(loaded(program, row[9], TYPE_U32, 14), 0x17161584b3b21110);
        ck_assert_uint_eq(loaded(program, row[10], TYPE_U16, 1), 0x0004000300020001);
        ck_assert_uint_eq(loaded(program, row[11], TYPE_U32, 10), 0x0000000e0000000a);
        ck_assert_uint_eq(loaded(program, row[12], TYPE_U64, 2),
                          0x0000000200000001 + 3 * 0x0000000400000003ull);
    }
    struct program program = {.threads = 1};
    for (uint32_t word = 0; word < PROGRAM_TABLE_WORDS; word++)
        program.table[word] = 0x01010101 * word;
    ck_assert_uint_eq(loaded(program, OPERATION_table_load, TYPE_U16, 128 + 127), 0x3f3f);
    ck_assert_uint_eq(loaded(program, OPERATION_table_load, TYPE_U32, 64 + 5), 0x05050505);
    ck_assert_uint_eq(loaded(program, OPERATION_table_load, TYPE_U64, 33), 0x0303030302020202);
    ck_assert_uint_eq(loaded(program, OPERATION_table_load_abs, TYPE_U32, 8 * 9), 0x08080808);
    ck_assert_uint_eq(loaded(program, OPERATION_table_load_abs, TYPE_U32, 7), 0x01010101);
    ck_assert_uint_eq(loaded(program, OPERATION_table_load_abs, TYPE_U16, 0xfffffffd), 0x0101);
    build_store(&program, OPERATION_global_store_4x32, TYPE_U32, 1, 0x0000000200000001,
                0x0000000400000003); /* words 4 to 7: 1, 2, 3, 4 */
    ck_assert_uint_eq(loaded(program, OPERATION_global_load_abs, TYPE_U32, 2), 3);
}

START_TEST(atomics_give_what_was_there, "programs.memory.private")
{
    static const struct {
        int operation;
        enum program_type type;
        uint64_t old, value, becomes;
    } rows[] = {
        {OPERATION_global_atom_add, TYPE_U32, 0xffffffff, 2, 1},
        {OPERATION_global_atom_add, TYPE_U64, 0xffffffff, 2, 0x100000001},
        {OPERATION_global_atom_min, TYPE_S32, 1, 0xfffffffe, 0xfffffffe},
        {OPERATION_global_atom_min, TYPE_U32, 1, 0xfffffffe, 1},
        {OPERATION_global_atom_max, TYPE_S64, 1, (uint64_t)1 << 63, 1},
        {OPERATION_global_atom_max, TYPE_U64, 1, (uint64_t)1 << 63, (uint64_t)1 << 63},
        {OPERATION_global_atom_and, TYPE_U32, 12, 10, 8},
        {OPERATION_global_atom_or, TYPE_U32, 12, 10, 14},
        {OPERATION_global_atom_xor, TYPE_U64, 12, 10, 6},
        {OPERATION_global_atom_exch, TYPE_U32, 12, 10, 10},
        {OPERATION_global_atom_inc, TYPE_U32, 5, 5, 0},
        {OPERATION_global_atom_inc, TYPE_U32, 4, 5, 5},
        {OPERATION_global_atom_dec, TYPE_U32, 0, 5, 5},
        {OPERATION_global_atom_dec, TYPE_U32, 6, 5, 5},
        {OPERATION_global_atom_dec, TYPE_U32, 5, 5, 4},
    };
    for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
        struct program program = {.threads = 2};
        const enum program_type type = rows[index].type;
        const int old = build_constant(&program, type_class(type), 0);
        build_store(&program, OPERATION_global_store, type_bits(type) == 32 ? TYPE_U32 : TYPE_U64,
                    2, rows[index].old, 0);
        build_statement(&program, rows[index].operation, type, old);
        build_number(&program, 2 + 16); /* 16 elements of 32 bits, 8 of 64 */
        build_number(&program, rows[index].value);
        program_interpret(&program, NULL, output);
        for (uint32_t thread = 0; thread < 2; thread++) {
            ck_assert_uint_eq(build_result(&program, output, old, thread), rows[index].old);
            ck_assert_uint_eq(build_own(&program, output, thread, type_bits(type) == 32 ? 1 : 2),
                              rows[index].becomes);
        }
    }
    struct program program = {.threads = 1};
    const int old = build_constant(&program, CLASS_32, 0);
    for (uint64_t compare = 0; compare < 3; compare++) { /* the second one finds the first one's */
        build_statement(&program, OPERATION_global_atom_cas, TYPE_U32, old);
        build_number(&program, 0);
        build_number(&program, compare);
        build_number(&program, compare + 1);
    }
    program_interpret(&program, NULL, output);
    ck_assert_uint_eq(build_result(&program, output, old, 0), 2);
    ck_assert_uint_eq(build_own(&program, output, 0, 0), 3);
}
