/* The program of a line. Swarm testing: each program has a random subset of the types, of the
 * groups of operations and of the operations in them (Groce et al., "Swarm testing", 2012), so that
 * some programs are dense in what others lack. */
#include "fuzz/programs/program_case.h"

#include <string.h>

#include "cpu_ref/programs/operations.h"
#include "fuzz/programs/draw.h"
#include "fuzz/programs/program_check.h"
#include "fuzz/programs/program_edit.h"

enum {
    CHOICES_MAX = 2048, /* rows of the table times their types */
    TURNS_MAX = 64,     /* of a statement, through all loops around it */
    BODY_MAX = 12,      /* statements of one body, nested ones counted too */
    RECENT = 3          /* variables written last, which arguments prefer */
};

/* An operation of one type. */
struct choice {
    uint16_t operation;
    uint8_t type;
};

/* The choices of one group that stay in this program. */
struct choices {
    uint16_t first;
    uint16_t count;
};

/* Where statements are made: in how many blocks, and who comes there. */
struct place {
    int depth;
    uint64_t turns;
    bool is_uniform;
};

struct maker {
    struct draw draw;
    const struct program_case *it;
    struct program *program;
    struct choice choice[CHOICES_MAX];
    int choice_count;
    struct choices straight[OPERATION_GROUPS];
    int groups[OPERATION_GROUPS]; /* that have straight choices */
    int group_count;
    struct choices blocks;
    int first_of[PROGRAM_CLASSES]; /* variables of a class are neighbours */
    int count_of[PROGRAM_CLASSES];
    bool is_read[PROGRAM_VARIABLES_MAX]; /* since it was written last */
    uint8_t recent[PROGRAM_CLASSES][RECENT];
};

/* Of an operation alone: every row of that name; else half of what the mix or the seed allows. */
static bool is_chosen(struct maker *maker, int row, uint32_t groups)
{
    if (maker->it->operation >= 0)
        return row == maker->it->operation;
    return draw_chance(&maker->draw, 1, 2) && (groups >> operations[row].group & 1) != 0;
}

static void choose_rows(struct maker *maker, int group, bool are_blocks, uint32_t groups,
                        uint32_t types, struct choices *ret)
{
    ret->first = (uint16_t)maker->choice_count;
    for (int row = 0; row < (int)OPERATIONS; row++) {
        const struct operation *operation = &operations[row];
        if (operation->is_block != are_blocks || (!are_blocks && operation->group != group) ||
            !is_chosen(maker, row, groups))
            continue;
        for (int type = 0; type < PROGRAM_TYPES; type++)
            if ((operation->types & types) >> type & 1 && maker->choice_count < CHOICES_MAX)
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

/* The swarm. Where a draw leaves nothing, the next one may not. */
static void choose(struct maker *maker)
{
    for (int try = 0; try < 16 && maker->group_count == 0; try++) {
        uint32_t groups = drawn_set(&maker->draw, OPERATION_GROUPS);
        uint32_t types = drawn_set(&maker->draw, PROGRAM_TYPES) | UINT32_C(1) << TYPE_PREDICATE;
        if (maker->it->mix != 0)
            groups = maker->it->mix;
        if (maker->it->operation >= 0 || try == 15)
            types = UINT32_MAX;
        maker->choice_count = 0;
        for (int group = 0; group < OPERATION_GROUPS; group++) {
            choose_rows(maker, group, false, groups, types, &maker->straight[group]);
            if (maker->straight[group].count > 0)
                maker->groups[maker->group_count++] = group;
        }
        choose_rows(maker, 0, true, groups, types, &maker->blocks);
    }
}

/* The classes of all operands of what is chosen, as a set. */
static uint32_t chosen_classes(const struct maker *maker)
{
    uint32_t classes = 0;
    uint64_t bound;
    for (int index = 0; index < maker->choice_count; index++) {
        const struct operation *operation = &operations[maker->choice[index].operation];
        enum program_type type = maker->choice[index].type;
        if (operation_has_result(operation))
            classes |= UINT32_C(1) << operation_class(operation, type, 0);
        for (int place = 1; place <= operation_arguments(operation); place++)
            if (!operation_is_constant(operation, type, place, &bound))
                classes |= UINT32_C(1) << operation_class(operation, type, place);
    }
    return classes;
}

/* Some variables of each class: a longer program has more of them, so that much of what it computes
 * is there at its end. */
static void make_variables(struct maker *maker)
{
    struct program *program = maker->program;
    uint32_t classes = chosen_classes(maker);
    uint64_t more = 1 + maker->it->statements / 8;
    for (int of_class = 0; of_class < PROGRAM_CLASSES; of_class++) {
        if (!(classes >> of_class & 1))
            continue;
        int count = 2 + (int)draw_below(&maker->draw, more < 9 ? more : 9);
        maker->first_of[of_class] = program->variable_count;
        maker->count_of[of_class] = count;
        for (int index = 0; index < count; index++) {
            struct program_variable *variable = &program->variable[program->variable_count];
            variable->number = program->variable_count;
            variable->of_class = (uint8_t)of_class;
            variable->is_input = index < 2 || draw_chance(&maker->draw, 1, 3);
            maker->is_read[program->variable_count] = !variable->is_input;
            variable->bits = variable->is_input
                                 ? program->input_count++
                                 : draw_bits(&maker->draw, (enum program_class)of_class);
            maker->recent[of_class][index % RECENT] = (uint8_t)program->variable_count++;
        }
        for (int index = count; index < RECENT; index++)
            maker->recent[of_class][index] = (uint8_t)maker->first_of[of_class];
    }
}

/* Of three one that was written a moment ago, one that nobody read yet, and any. */
static int draw_variable(struct maker *maker, enum program_class of_class)
{
    int first = maker->first_of[of_class];
    int count = maker->count_of[of_class];
    int start = (int)draw_below(&maker->draw, (uint64_t)count);
    int variable = first + start;
    uint64_t way = draw_below(&maker->draw, 3);
    if (way == 0)
        variable = maker->recent[of_class][draw_below(&maker->draw, RECENT)];
    for (int step = 0; way == 1 && step < count; step++) {
        int other = first + (start + step) % count;
        if (maker->is_read[other])
            continue;
        variable = other;
        break;
    }
    maker->is_read[variable] = true;
    return variable;
}

/* Of an operation alone every result is seen: each has a variable of its own, which nobody reads.
 */
static int add_result(struct program *program, enum program_class of_class)
{
    program->variable[program->variable_count] =
        (struct program_variable){.number = program->variable_count, .of_class = (uint8_t)of_class};
    return program->variable_count++;
}

/* Now and then one of the statement's arguments, so that what was computed goes on; else a
 * variable whose value was read: what nobody read yet is lost where it is written over. */
static int draw_result(struct maker *maker, const struct program_statement *statement,
                       enum program_class of_class)
{
    if (maker->it->operation >= 0 && maker->program->variable_count < PROGRAM_VARIABLES_MAX)
        return add_result(maker->program, of_class);
    int first = maker->first_of[of_class];
    int count = maker->count_of[of_class];
    int start = (int)draw_below(&maker->draw, (uint64_t)count);
    int result = first + start;
    bool is_found = false;
    bool is_kept = draw_chance(&maker->draw, 1, 4);
    for (int place = 0; is_kept && place < PROGRAM_ARGUMENTS_MAX; place++) {
        int variable = statement->argument[place].variable;
        if (statement->argument[place].kind == ARGUMENT_VARIABLE && variable >= first &&
            variable < first + count) {
            result = variable;
            is_found = true;
        }
    }
    for (int step = 0; !is_found && step < count; step++) {
        int variable = first + (start + step) % count;
        is_found = maker->is_read[variable];
        result = is_found ? variable : result;
    }
    maker->is_read[result] = false;
    memmove(&maker->recent[of_class][1], &maker->recent[of_class][0], RECENT - 1);
    maker->recent[of_class][0] = (uint8_t)result;
    return result;
}

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

static void draw_arguments(struct maker *maker, const struct operation *operation,
                           struct program_statement *statement)
{
    int arguments = operation_arguments(operation);
    /* One at most: of constants alone a compiler computes the result itself. */
    uint64_t constant = draw_below(&maker->draw, 3 * (uint64_t)arguments + 1);
    for (int place = 1; place <= arguments; place++) {
        struct program_argument *argument = &statement->argument[place - 1];
        enum program_class of_class = operation_class(operation, statement->type, place);
        uint64_t bound = 0;
        bool is_alone = operation_is_constant(operation, statement->type, place, &bound);
        if (is_alone || (uint64_t)place == constant) {
            argument->kind = ARGUMENT_CONSTANT;
            argument->bits = draw_constant(maker, of_class, is_alone, bound);
        } else {
            argument->kind = ARGUMENT_VARIABLE;
            argument->variable = (uint8_t)draw_variable(maker, of_class);
        }
    }
}

static struct program_statement *add_statement(struct maker *maker, struct choice choice)
{
    struct program *program = maker->program;
    const struct operation *operation = &operations[choice.operation];
    struct program_statement *statement = &program->statement[program->statement_count];
    statement->number = program->statement_count++;
    statement->operation = choice.operation;
    statement->type = choice.type;
    draw_arguments(maker, operation, statement);
    if (operation_has_result(operation))
        statement->result =
            (uint8_t)draw_result(maker, statement, operation_class(operation, statement->type, 0));
    return statement;
}

/* One that may stand there; false where some draws find none. */
static bool draw_choice(struct maker *maker, const struct place *place, struct choice *ret)
{
    for (int try = 0; try < 16; try++) {
        int group = maker->groups[draw_below(&maker->draw, (uint64_t)maker->group_count)];
        const struct choices *choices = &maker->straight[group];
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
    struct program_statement *block = add_statement(maker, choice);
    struct place within = {place->depth + 1, place->turns,
                           place->is_uniform && !operation_is_apart(choice.operation)};
    if (choice.operation == OPERATION_loop || choice.operation == OPERATION_while) {
        uint64_t turns_max = TURNS_MAX / place->turns;
        uint64_t *turns = &block->argument[choice.operation == OPERATION_while].bits;
        *turns = *turns > turns_max ? turns_max : *turns;
        within.turns *= *turns > 1 ? *turns : 1;
    }
    uint32_t otherwise = choice.operation == OPERATION_if && draw_chance(&maker->draw, 1, 2)
                             ? (uint32_t)draw_below(&maker->draw, count - 1)
                             : 0;
    make_statements(maker, &within, count - 1 - otherwise);
    uint16_t middle = program->statement_count;
    make_statements(maker, &within, otherwise);
    block->otherwise = (uint16_t)(program->statement_count - middle);
    block->body = (uint16_t)(program->statement_count - (block - program->statement) - 1);
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
            add_statement(maker, choice);
        }
        count -= made;
    }
}

/* For the compiler alone: a bound on registers makes it spill. */
static void draw_limits(struct draw *draw, struct program *program)
{
    static const uint8_t limits[] = {24, 32, 40, 48};
    uint64_t word = draw_below(draw, 16);
    if (word < sizeof limits)
        program->register_limit = limits[word];
    else if (word < 7)
        program->blocks_minimum = (uint16_t)(1 + draw_below(draw, 4));
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
    make_variables(&maker);
    for (int index = 0; index < PROGRAM_TABLE_WORDS; index++)
        ret->table[index] = (uint32_t)draw_bits(&maker.draw, CLASS_32);
    draw_limits(&maker.draw, ret);
    if (maker.group_count > 0)
        make_statements(&maker, &(struct place){.turns = 1, .is_uniform = true}, it->statements);
    set_arguments(it, ret);
    program_drop(ret, it->dropped);
    program_prune(ret);
}
