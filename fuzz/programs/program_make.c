/* The program of a line: its statements, one after another, and blocks of them.
 *
 * Swarm testing: each program has a random subset of the types, of the groups of operations and of
 * the operations in them (Groce et al., "Swarm testing", 2012), so that some programs are dense in
 * what others lack. */
#include <string.h>

#include "fuzz/programs/program_parts.h"
#include "fuzz/programs/program_maker.h"

/* The operations and types that the draws allow. */
struct allowed {
    uint32_t groups;
    uint32_t types;
    bool are_costly; /* operations that compilers take long for */
};

static void choose_rows(struct maker *maker, int group, bool are_blocks,
                        const struct allowed *allowed, struct choices *ret)
{
    ret->first = (uint16_t)maker->choice_count;
    for (int row = 0; row < (int)OPERATIONS; row++) {
        const struct operation *operation = &operations[row];
        if (operation->is_block != are_blocks || (!are_blocks && operation->group != group))
            continue;
        /* Every row of the case's only operation; else half of the rows that the mix or the seed
         * allows. */
        const bool is_chosen = maker->it->operation >= 0
                                   ? row == maker->it->operation
                                   : draw_chance(&maker->draw, 1, 2) &&
                                         (allowed->groups >> operation->group & 1) != 0 &&
                                         (allowed->are_costly || !operation->is_costly);
        if (!is_chosen)
            continue;
        for (int type = 0; type < PROGRAM_TYPES; type++)
            if ((operation->types & allowed->types) >> type & 1 &&
                maker->choice_count < CHOICES_MAX)
                maker->choice[maker->choice_count++] =
                    (struct choice){(uint16_t)row, (uint8_t)type};
    }
    ret->count = (uint16_t)(maker->choice_count - ret->first);
}

static uint32_t drawn_set(struct draw *draw, int bits)
{
    uint32_t all = (UINT32_C(1) << bits) - 1;
    uint32_t set = (uint32_t)draw_word(draw) & all;
    return set != 0 ? set : all;
}

/* Chooses the operations of the program: drawn again if nothing is left. */
static void choose(struct maker *maker)
{
    enum { MANY = 10 };
    for (int try = 0; try < 16 && maker->group_count == 0; try++) {
        struct allowed allowed;
        allowed.groups = drawn_set(&maker->draw, OPERATION_GROUPS);
        allowed.types = drawn_set(&maker->draw, PROGRAM_TYPES) | UINT32_C(1) << TYPE_PREDICATE;
        allowed.are_costly = draw_chance(&maker->draw, 1, 6) || try == 15;
        /* And the groups with many costly operations, since few programs have them. */
        int count[OPERATION_GROUPS] = {0};
        for (int row = 0; allowed.are_costly && row < (int)OPERATIONS; row++)
            if (operations[row].is_costly && ++count[operations[row].group] == MANY)
                allowed.groups |= UINT32_C(1) << operations[row].group;
        if (draw_chance(&maker->draw, 1, 2))
            allowed.groups &= ~(UINT32_C(1) << GROUP_CONTROL);
        if (maker->it->mix != 0)
            allowed.groups = maker->it->mix;
        if (maker->it->operation >= 0 || try == 15)
            allowed.types = UINT32_MAX;
        maker->choice_count = 0;
        for (int group = 0; group < OPERATION_GROUPS; group++) {
            choose_rows(maker, group, false, &allowed, &maker->straight[group]);
            if (maker->straight[group].count > 0)
                maker->groups[maker->group_count++] = group;
        }
        choose_rows(maker, 0, true, &allowed, &maker->blocks);
    }
}

enum {
    ITERATIONS_MAX = 16, /* of a statement, through all loops around it */
    BODY_MAX = 12        /* statements of one body, nested ones counted too */
};

/* A constant below the bound (0: none): its ends are likely. is_alone: where no variable may be. */
static uint64_t draw_constant(struct maker *maker, enum program_class of_class, bool is_alone,
                              uint64_t bound)
{
    if (bound == 0) {
        /* A constant of any bits is a mask of lanes: of all of them, or of some. */
        return is_alone && draw_chance(&maker->draw, 1, 2) ? class_cut(of_class, UINT64_MAX)
                                                           : draw_bits(&maker->draw, of_class);
    }
    switch (draw_below(&maker->draw, 4)) {
    case 0:
        return bound - 1;
    case 1:
        return draw_below(&maker->draw, bound < 3 ? bound : 3);
    default:
        return draw_below(&maker->draw, bound);
    }
}

/* Places and lengths of bits: arguments as bits from argument 1 on. Beyond the width most of them
 * leave nothing of what they are done to. */
static bool is_amount(int operation, int place)
{
    static const struct {
        uint16_t operation;
        uint8_t places;
    } rows[] = {{OPERATION_shl, 2},           {OPERATION_shr, 2},        {OPERATION_bfe, 6},
                {OPERATION_bfe_u, 6},         {OPERATION_bfi, 12},       {OPERATION_szext_clamp, 2},
                {OPERATION_szext_clamp_u, 2}, {OPERATION_bmsk_clamp, 3}, {OPERATION_shf_l_clamp, 4},
                {OPERATION_shf_r_clamp, 4}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        if (rows[row].operation == operation)
            return rows[row].places >> (place - 1) & 1;
    return false;
}

/* A variable that the statement does not have yet, if three draws find one. */
static int draw_argument(struct maker *maker, const struct program_statement *statement,
                         enum program_class of_class, int argument)
{
    bool is_kept = maker_keeps(statement->operation, argument);
    int variable = maker_draw_variable(maker, of_class, is_kept);
    for (int try = 0; try < 3; try++) {
        bool is_other = true;
        for (int place = 0; place < PROGRAM_ARGUMENTS_MAX; place++)
            is_other &= statement->argument[place].kind != ARGUMENT_VARIABLE ||
                        statement->argument[place].variable != variable;
        if (is_other)
            break;
        variable = maker_draw_variable(maker, of_class, is_kept);
    }
    return variable;
}

/* One constant at most, but for amounts: a compiler folds a statement of constants. */
static void draw_arguments(struct maker *maker, const struct operation *operation,
                           struct program_statement *statement)
{
    int arguments = operation_arguments(operation);
    uint64_t constant = draw_below(&maker->draw, 3 * (uint64_t)arguments + 1);
    for (int place = 1; place <= arguments; place++) {
        struct program_argument *argument = &statement->argument[place - 1];
        enum program_class of_class = operation_class(operation, statement->type, place);
        uint64_t bound = 0;
        bool is_alone = operation_is_constant(operation, statement->type, place, &bound);
        bool is_within = is_amount(statement->operation, place) && draw_chance(&maker->draw, 1, 2);
        if (is_within) {
            argument->kind = ARGUMENT_CONSTANT;
            argument->bits =
                draw_below(&maker->draw, (uint64_t)type_bits((enum program_type)statement->type));
        } else if (is_alone || (uint64_t)place == constant) {
            argument->kind = ARGUMENT_CONSTANT;
            argument->bits = draw_constant(maker, of_class, is_alone, bound);
        } else {
            argument->kind = ARGUMENT_VARIABLE;
            argument->variable = (uint8_t)draw_argument(maker, statement, of_class, place - 1);
        }
    }
}

static struct program_statement *add_statement(struct maker *maker, const struct place *place,
                                               struct choice choice)
{
    const struct operation *operation = &operations[choice.operation];
    struct program *program = maker->program;
    struct program_statement *statement = &program->statement[program->statement_count];
    statement->number = program->statement_count++;
    statement->operation = choice.operation;
    statement->type = choice.type;
    draw_arguments(maker, operation, statement);
    maker_read(maker, place, statement);
    if (operation_has_result(operation))
        statement->result = (uint8_t)maker_draw_result(
            maker, statement, operation_class(operation, statement->type, 0));
    return statement;
}

/* One that may stand there; false if some draws find none. */
static bool draw_choice(struct maker *maker, const struct place *place, struct choice *ret)
{
    enum { SOME = 24 };
    for (int try = 0; try < 16; try++) {
        /* A group of few choices is drawn less often, one of many no more than one of some. */
        const struct choices *choices;
        do
            choices = &maker->straight[maker->groups[draw_below(&maker->draw,
                                                                (uint64_t)maker->group_count)]];
        while (draw_below(&maker->draw, SOME) >= choices->count);
        *ret = maker->choice[choices->first + draw_below(&maker->draw, choices->count)];
        if (place->is_uniform || !operations[ret->operation].is_together)
            return true;
    }
    return false;
}

static void make_statements(struct maker *maker, const struct place *place, uint32_t count);

/* A block with its body: at most `count` statements in all. */
static void make_block(struct maker *maker, const struct place *place, uint32_t count)
{
    const struct choices *blocks = &maker->blocks;
    struct choice choice = maker->choice[blocks->first + draw_below(&maker->draw, blocks->count)];
    struct program *program = maker->program;
    struct program_statement *block = add_statement(maker, place, choice);
    struct place within = {.depth = place->depth + 1,
                           .iterations = place->iterations,
                           .is_uniform = place->is_uniform && !operation_is_apart(choice.operation),
                           .is_cases = choice.operation == OPERATION_switch};
    if (choice.operation == OPERATION_loop || choice.operation == OPERATION_while) {
        /* How often the body runs. */
        const uint64_t most = ITERATIONS_MAX / place->iterations;
        uint64_t *times = &block->argument[block->operation == OPERATION_while].bits;
        if (*times == 0 && draw_chance(&maker->draw, 7, 8))
            *times = 2;
        *times = *times > most ? most : *times;
        within.iterations *= *times > 1 ? *times : 1;
    }
    /* The condition of a block: an input that nothing changes, which differs between threads, or
     * any. */
    struct program_argument *argument = &block->argument[0];
    const enum program_class of_class = type_class((enum program_type)block->type);
    if (choice.operation != OPERATION_loop && argument->kind == ARGUMENT_VARIABLE &&
        draw_chance(&maker->draw, place->depth == 0 ? 3 : 1, 4))
        argument->variable = (uint8_t)maker->variables[of_class].control;
    uint32_t otherwise = choice.operation == OPERATION_if && draw_chance(&maker->draw, 1, 2)
                             ? (uint32_t)draw_below(&maker->draw, count - 1)
                             : 0;
    make_statements(maker, &within, count - 1 - otherwise);
    uint16_t middle = program->statement_count;
    make_statements(maker, &within, otherwise);
    block->otherwise = (uint16_t)(program->statement_count - middle);
    block->body = (uint16_t)(program->statement_count - (block - program->statement) - 1);
}

/* The statement, and before it those that make room for its result. Returns how many. */
static uint32_t make_statement(struct maker *maker, const struct place *place, struct choice choice,
                               uint32_t count)
{
    const struct operation *operation = &operations[choice.operation];
    uint32_t made = 0;
    struct program_statement fold = {0};
    while (made < count && operation_has_result(operation) &&
           maker_fold(maker, place, operation_class(operation, (enum program_type)choice.type, 0),
                      &fold)) {
        fold.number = maker->program->statement_count;
        maker->program->statement[maker->program->statement_count++] = fold;
        fold = (struct program_statement){0};
        made++;
    }
    if (made < count) {
        add_statement(maker, place, choice);
        made++;
    }
    return made;
}

/* At most `count` statements: where nothing of the mix may stand, fewer. */
static void make_statements(struct maker *maker, const struct place *place, uint32_t count)
{
    while (count > 0) {
        struct choice choice;
        uint32_t made = 1;
        if (maker->blocks.count > 0 && place->depth < PROGRAM_DEPTH_MAX && count > 2 &&
            draw_chance(&maker->draw, 1, 6)) {
            made =
                2 + (uint32_t)draw_below(&maker->draw, (count < BODY_MAX ? count : BODY_MAX) - 1);
            make_block(maker, place, made);
        } else if (draw_choice(maker, place, &choice)) {
            made = make_statement(maker, place, choice, count);
        }
        count -= made;
    }
}

/* All of them; the last ones read the thread's array. */
static void make_all(struct maker *maker)
{
    enum { READING = PROGRAM_PRIVATE_BYTES / 16 * 2 };
    const struct place place = {.iterations = 1, .is_uniform = true};
    uint32_t count = maker->it->statements;
    bool has_array = maker->straight[GROUP_LOCAL].count > 0 && maker->it->operation < 0;
    if (has_array && count > 2 * READING)
        count -= READING;
    make_statements(maker, &place, count);
    /* Reads the whole array, so that every store to it is seen. */
    for (int part = 0; count < maker->it->statements && part < PROGRAM_PRIVATE_BYTES / 16; part++) {
        struct choice choice = {OPERATION_local_load_4x32, TYPE_U32};
        make_statement(maker, &place, choice, 2);
        struct program_statement *last =
            &maker->program->statement[maker->program->statement_count - 1];
        if (last->operation == choice.operation)
            last->argument[0] =
                (struct program_argument){.kind = ARGUMENT_CONSTANT, .bits = (uint64_t)part};
    }
}

static void set_arguments(const struct program_case *it, struct program *program)
{
    for (int index = 0; index < it->set_count; index++) {
        const struct program_set *set = &it->set[index];
        if (set->statement >= program->statement_count)
            continue;
        struct program_statement *statement = &program->statement[set->statement];
        const struct operation *operation = &operations[statement->operation];
        if (set->argument > operation_arguments(operation))
            continue;
        uint64_t bound = 0;
        uint64_t bits =
            class_cut(operation_class(operation, statement->type, set->argument), set->bits);
        if (operation_is_constant(operation, statement->type, set->argument, &bound) && bound != 0)
            bits = bits < bound ? bits : bound - 1;
        statement->argument[set->argument - 1] =
            (struct program_argument){.kind = ARGUMENT_CONSTANT, .bits = bits};
    }
}

void program_case_make(const struct program_case *it, struct program *ret)
{
    struct maker maker = {.draw = {.seed = it->seed}, .it = it, .program = ret};
    memset(ret, 0, sizeof *ret);
    ret->threads = it->threads;
    choose(&maker);
    maker_variables(&maker);
    for (int index = 0; index < PROGRAM_TABLE_WORDS; index++)
        ret->table[index] = (uint32_t)draw_bits(&maker.draw, CLASS_32);
    /* Limits for the compiler: a bound on registers makes it spill. */
    static const uint8_t limits[] = {24, 32, 40, 48};
    uint64_t word = draw_below(&maker.draw, 16);
    if (word < sizeof limits)
        ret->register_limit = limits[word];
    else if (word < 7)
        ret->blocks_minimum = (uint16_t)(1 + draw_below(&maker.draw, 4));
    if (maker.group_count > 0)
        make_all(&maker);
    set_arguments(it, ret);
    program_drop(ret, it->dropped);
    program_prune(ret);
}
