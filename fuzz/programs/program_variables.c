/* Variables of a program that is made, so that little is computed in vain: a value that no reader
 * is sure to hand on stays where it is until the program's end, where every variable is an output,
 * or is folded into another one. */
#include <string.h>

#include "fuzz/programs/program_maker.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Arguments of which every bit goes on into the result, as bits from argument 1 on. */
static const struct {
    uint16_t operation;
    uint8_t arguments;
} keeping[] = {{OPERATION_add, 3},         {OPERATION_sub, 3},         {OPERATION_xor, 3},
               {OPERATION_not, 1},         {OPERATION_not_pred, 1},    {OPERATION_neg, 1},
               {OPERATION_brev, 1},        {OPERATION_brev_64, 1},     {OPERATION_mad_lo, 4},
               {OPERATION_mad_hi, 4},      {OPERATION_mad_wide, 4},    {OPERATION_mad_hi_64, 4},
               {OPERATION_mad_hi_64_u, 4}, {OPERATION_mad24_lo, 4},    {OPERATION_mad24_lo_u, 4},
               {OPERATION_mad24_hi, 4},    {OPERATION_sad, 4},         {OPERATION_add_carry, 12},
               {OPERATION_sub_borrow, 12}, {OPERATION_add_words, 15},  {OPERATION_sub_words, 15},
               {OPERATION_mad_carry, 8},   {OPERATION_mad_words, 12},  {OPERATION_pack_16, 3},
               {OPERATION_pack_32, 3},     {OPERATION_pack_4x16, 15},  {OPERATION_dp4a, 4},
               {OPERATION_dp4a_us, 4},     {OPERATION_dp4a_su, 4},     {OPERATION_dp2a_lo, 4},
               {OPERATION_dp2a_hi, 4},     {OPERATION_add_u16x2, 3},   {OPERATION_add_s16x2, 3},
               {OPERATION_bits_of_f32, 1}, {OPERATION_bits_of_f64, 1}, {OPERATION_neg_f32, 1},
               {OPERATION_neg_f64, 1},     {OPERATION_cvt_f64_f32, 1}};

bool maker_keeps(int operation, int argument)
{
    for (int row = 0; row < COUNT(keeping); row++)
        if (keeping[row].operation == operation)
            return keeping[row].arguments >> argument & 1;
    return false;
}

static int add_variable(struct maker *maker, enum program_class of_class, bool is_input)
{
    struct program *program = maker->program;
    struct variables *variables = &maker->variables[of_class];
    int index = program->variable_count++;
    program->variable[index] = (struct program_variable){
        .number = (uint16_t)index, .of_class = (uint8_t)of_class, .is_input = is_input};
    program->variable[index].bits =
        is_input ? program->input_count++ : draw_bits(&maker->draw, of_class);
    maker->value[index] = is_input ? VALUE_NEW : VALUE_KEPT;
    if (variables->count == 0)
        memset(variables->recent, index, sizeof variables->recent);
    variables->of[variables->count++] = (uint8_t)index;
    return index;
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

void maker_variables(struct maker *maker)
{
    uint32_t classes = chosen_classes(maker);
    uint64_t more = 1 + maker->it->statements / 16;
    for (int of_class = 0; of_class < PROGRAM_CLASSES; of_class++) {
        struct variables *variables = &maker->variables[of_class];
        variables->control = -1;
        if (!(classes >> of_class & 1))
            continue;
        variables->wanted = (of_class == CLASS_PREDICATE ? 8 : 5) +
                            (int)draw_below(&maker->draw, more < 6 ? more : 6);
        for (int index = 0; index < 2; index++)
            add_variable(maker, (enum program_class)of_class, true);
        if (maker->blocks.count > 0 && (of_class == CLASS_PREDICATE || of_class == CLASS_32)) {
            variables->control = add_variable(maker, (enum program_class)of_class, true);
            maker->value[variables->control] = VALUE_CONTROL;
        }
    }
}

/* One of the class whose value is that, from a random one on; -1: none. */
static int find_value(struct maker *maker, enum program_class of_class, enum value value)
{
    const struct variables *variables = &maker->variables[of_class];
    if (variables->count == 0)
        return -1;
    int start = (int)draw_below(&maker->draw, (uint64_t)variables->count);
    for (int step = 0; step < variables->count; step++) {
        int variable = variables->of[(start + step) % variables->count];
        if (maker->value[variable] == value)
            return variable;
    }
    return -1;
}

/* If its value goes on whole, a variable whose value has to: that was read, or not yet. Else half
 * of the time one that nobody read yet, or one that was written a moment ago, or any. */
int maker_draw_variable(struct maker *maker, enum program_class of_class, bool is_kept)
{
    const struct variables *variables = &maker->variables[of_class];
    int variable = variables->of[draw_below(&maker->draw, (uint64_t)variables->count)];
    uint64_t way = draw_below(&maker->draw, 8);
    if (way < 3)
        return variables->recent[draw_below(&maker->draw, RECENT)];
    int wanted = way == 7 ? -1 : is_kept ? find_value(maker, of_class, VALUE_READ) : -1;
    if (wanted < 0 && way < 7)
        wanted = find_value(maker, of_class, VALUE_NEW);
    return wanted >= 0 ? wanted : variable;
}

/* Most of what differs in an argument of it differs in the result, in one thread or another: no
 * comparison, no index, no vote. */
static bool hands_on(const struct program_statement *statement)
{
    static const uint32_t groups = UINT32_C(1) << GROUP_ARITHMETIC | UINT32_C(1) << GROUP_LOGIC |
                                   UINT32_C(1) << GROUP_BITS | UINT32_C(1) << GROUP_WIDE |
                                   UINT32_C(1) << GROUP_PACKED | UINT32_C(1) << GROUP_CONVERT;
    const struct operation *operation = &operations[statement->operation];
    enum program_type type = (enum program_type)statement->type;
    return groups >> operation->group & 1 && operation_has_result(operation) &&
           statement->operation != OPERATION_mov &&
           operation_class(operation, type, 0) != CLASS_PREDICATE;
}

static void read_one(struct maker *maker, const struct program_statement *statement, int index)
{
    int variable = statement->argument[index].variable;
    bool is_whole = maker_keeps(statement->operation, index);
    if (maker->value[variable] == VALUE_CONTROL)
        return;
    if (is_whole ||
        (!maker->is_lossy[variable] && hands_on(statement) && draw_chance(&maker->draw, 1, 10))) {
        maker->loses |= !is_whole || maker->is_lossy[variable];
        maker->value[variable] = VALUE_KEPT;
    } else if (maker->value[variable] == VALUE_NEW) {
        maker->value[variable] = VALUE_READ;
    }
}

/* If threads diverge, the others still hold the value. */
void maker_read(struct maker *maker, const struct place *place,
                const struct program_statement *statement)
{
    maker->loses = false;
    for (int index = 0; index < PROGRAM_ARGUMENTS_MAX; index++) {
        const struct program_argument *argument = &statement->argument[index];
        if (argument->kind != ARGUMENT_VARIABLE)
            continue;
        bool is_alone = place->is_uniform;
        for (int other = 0; other < PROGRAM_ARGUMENTS_MAX; other++)
            is_alone &= other == index || statement->argument[other].kind != ARGUMENT_VARIABLE ||
                        statement->argument[other].variable != argument->variable;
        if (is_alone)
            read_one(maker, statement, index);
        else if (maker->value[argument->variable] == VALUE_NEW)
            maker->value[argument->variable] = VALUE_READ;
    }
}

static void is_written(struct maker *maker, enum program_class of_class, int variable)
{
    uint8_t *recent = maker->variables[of_class].recent;
    maker->value[variable] = VALUE_NEW;
    maker->is_lossy[variable] = maker->loses;
    memmove(&recent[1], &recent[0], RECENT - 1);
    recent[0] = (uint8_t)variable;
}

/* Now and then one of the statement's arguments, so that what was computed goes on; else one whose
 * value is kept elsewhere, or a new one. */
int maker_draw_result(struct maker *maker, const struct program_statement *statement,
                      enum program_class of_class)
{
    struct program *program = maker->program;
    /* In a program of one operation every result is seen: each has a variable that nothing
     * reads. */
    if (maker->it->operation >= 0 && program->variable_count < PROGRAM_VARIABLES_MAX) {
        program->variable[program->variable_count] = (struct program_variable){
            .number = program->variable_count, .of_class = (uint8_t)of_class};
        return program->variable_count++;
    }
    int result = -1;
    bool is_argument = draw_chance(&maker->draw, 1, 4);
    for (int place = 0; is_argument && place < PROGRAM_ARGUMENTS_MAX; place++) {
        const struct program_argument *argument = &statement->argument[place];
        if (argument->kind == ARGUMENT_VARIABLE &&
            maker->program->variable[argument->variable].of_class == of_class &&
            maker->value[argument->variable] == VALUE_KEPT)
            result = argument->variable;
    }
    if (result < 0)
        result = find_value(maker, of_class, VALUE_KEPT);
    if (result < 0 && maker->program->variable_count < PROGRAM_VARIABLES_MAX)
        result = add_variable(maker, of_class, false);
    if (result < 0)
        result = find_value(maker, of_class, VALUE_READ);
    if (result < 0)
        result = find_value(maker, of_class, VALUE_NEW);
    is_written(maker, of_class, result);
    return result;
}

/* One whose value is not kept: rather one that was read. */
static int find_old(struct maker *maker, enum program_class of_class)
{
    int variable = find_value(maker, of_class, VALUE_READ);
    return variable >= 0 ? variable : find_value(maker, of_class, VALUE_NEW);
}

/* Two variables of integers become one: x = x + y. */
static bool fold_pair(struct maker *maker, enum program_class of_class,
                      struct program_statement *ret)
{
    static const uint16_t ways[] = {OPERATION_add, OPERATION_sub, OPERATION_xor};
    static const uint8_t types[PROGRAM_CLASSES] = {
        [CLASS_16] = TYPE_U16, [CLASS_32] = TYPE_U32, [CLASS_64] = TYPE_U64};
    int gone = find_old(maker, of_class);
    enum value value = maker->value[gone];
    maker->value[gone] = VALUE_KEPT;
    int other = find_old(maker, of_class);
    if (other < 0) {
        maker->value[gone] = (uint8_t)value;
        return false;
    }
    ret->operation =
        of_class == CLASS_PREDICATE ? OPERATION_xor : ways[draw_below(&maker->draw, COUNT(ways))];
    ret->type = types[of_class];
    ret->argument[0] = (struct program_argument){ARGUMENT_VARIABLE, (uint8_t)other, 0};
    ret->argument[1] = (struct program_argument){ARGUMENT_VARIABLE, (uint8_t)gone, 0};
    ret->result = (uint8_t)other;
    maker->loses = maker->is_lossy[gone] || maker->is_lossy[other];
    is_written(maker, of_class, other);
    return true;
}

/* No sum of binary32 or binary64 keeps its arguments, so their bits go into an integer. */
static void fold_number(struct maker *maker, const struct place *place, enum program_class of_class,
                        struct program_statement *ret)
{
    enum program_class to = of_class == CLASS_F32 ? CLASS_32 : CLASS_64;
    if (maker_fold(maker, place, to, ret))
        return;
    int gone = find_old(maker, of_class);
    maker->value[gone] = VALUE_KEPT;
    maker->loses = maker->is_lossy[gone];
    ret->operation = of_class == CLASS_F32 ? OPERATION_bits_of_f32 : OPERATION_bits_of_f64;
    ret->type = of_class == CLASS_F32 ? TYPE_U32 : TYPE_U64;
    ret->argument[0] = (struct program_argument){ARGUMENT_VARIABLE, (uint8_t)gone, 0};
    ret->result = (uint8_t)maker_draw_result(maker, ret, to);
}

bool maker_fold(struct maker *maker, const struct place *place, enum program_class of_class,
                struct program_statement *ret)
{
    const struct variables *variables = &maker->variables[of_class];
    const bool has_room = (variables->count < variables->wanted || variables->count < 2) &&
                          maker->program->variable_count < PROGRAM_VARIABLES_MAX;
    if (maker->it->operation >= 0 || place->is_cases || has_room ||
        find_value(maker, of_class, VALUE_KEPT) >= 0)
        return false;
    if (of_class != CLASS_F32 && of_class != CLASS_F64)
        return fold_pair(maker, of_class, ret);
    fold_number(maker, place, of_class, ret);
    return true;
}
