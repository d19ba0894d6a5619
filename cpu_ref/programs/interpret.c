/* Runs a program statement by statement, each for all threads that are in it (program.h). */
#include "cpu_ref/programs/program.h"

#include <stddef.h>
#include <string.h>

#include "cpu_ref/programs/compute.h"

/* A block of threads as it runs. It is large: what is of no thread of the program stays unset. */
struct machine {
    const struct program *program;
    unsigned char table[PROGRAM_TABLE_WORDS * 4];
    unsigned char array[PROGRAM_THREADS_MAX][PROGRAM_PRIVATE_BYTES];
    unsigned char own[PROGRAM_THREADS_MAX][PROGRAM_PRIVATE_BYTES];
    uint64_t variable[PROGRAM_VARIABLES_MAX][PROGRAM_THREADS_MAX];
};

/* The threads that run a statement. */
struct active {
    bool is[PROGRAM_THREADS_MAX];
};

static const struct computation *computation_of(int operation)
{
    static const struct computation *const tables[] = {compute_integer, compute_packed,
                                                       compute_float, compute_memory};
    for (size_t index = 0; index < sizeof tables / sizeof *tables; index++)
        if (tables[index][operation].function)
            return &tables[index][operation];
    return NULL;
}

static uint64_t argument_of(const struct machine *machine, const struct program_argument *argument,
                            uint32_t thread)
{
    return argument->kind == ARGUMENT_CONSTANT ? argument->bits
                                               : machine->variable[argument->variable][thread];
}

static struct step step_of(const struct program_statement *it, int variant)
{
    return (struct step){.bits = type_bits((enum program_type)it->type),
                         .is_signed = type_is_signed((enum program_type)it->type),
                         .variant = variant};
}

static int result_bits(const struct program_statement *it)
{
    return class_bits(operation_class(&operations[it->operation], (enum program_type)it->type, 0));
}

static void run_apart(struct machine *machine, const struct program_statement *it,
                      const struct active *active)
{
    const struct operation *operation = &operations[it->operation];
    const struct computation *computation = computation_of(it->operation);
    const int count = operation_arguments(operation), bits = result_bits(it);
    const bool has_result = operation_has_result(operation);
    struct step step = step_of(it, computation->variant);
    step.table = machine->table;
    for (uint32_t thread = 0; thread < machine->program->threads; thread++) {
        if (!active->is[thread])
            continue;
        uint64_t argument[PROGRAM_ARGUMENTS_MAX] = {0};
        for (int index = 0; index < count; index++)
            argument[index] = argument_of(machine, &it->argument[index], thread);
        step.array = machine->array[thread];
        step.own = machine->own[thread];
        const uint64_t result = computation->function(&step, argument);
        if (has_result)
            machine->variable[it->result][thread] = low_bits(result, bits);
    }
}

static void run_together(struct machine *machine, const struct program_statement *it)
{
    const struct operation *operation = &operations[it->operation];
    const struct togetherness *together = &compute_together[it->operation];
    const struct step step = step_of(it, together->variant);
    const uint32_t threads = machine->program->threads;
    const int bits = result_bits(it);
    uint64_t argument[PROGRAM_ARGUMENTS_MAX][PROGRAM_THREADS_MAX];
    for (int index = 0; index < operation_arguments(operation); index++)
        for (uint32_t thread = 0; thread < threads; thread++)
            argument[index][thread] = argument_of(machine, &it->argument[index], thread);
    uint64_t result[PROGRAM_THREADS_MAX];
    memcpy(result, machine->variable[it->result], threads * sizeof *result);
    together->function(&step, threads, (const uint64_t(*)[PROGRAM_THREADS_MAX])argument, result);
    for (uint32_t thread = 0; thread < threads; thread++)
        machine->variable[it->result][thread] = low_bits(result[thread], bits);
}

/* The threads of `active` whose first argument, modulo `modulus`, is `value`. */
static struct active those_of(const struct machine *machine, const struct program_statement *it,
                              const struct active *active, uint64_t modulus, uint64_t value)
{
    struct active those = {{false}};
    for (uint32_t thread = 0; thread < machine->program->threads; thread++)
        those.is[thread] =
            active->is[thread] && argument_of(machine, &it->argument[0], thread) % modulus == value;
    return those;
}

static void run(struct machine *machine, int first, int end, const struct active *active);

static void run_switch(struct machine *machine, int place, const struct active *active)
{
    const struct program_statement *it = &machine->program->statement[place];
    /* The cases are chosen before any of them writes. */
    struct active those[PROGRAM_CASES];
    for (int index = 0; index < PROGRAM_CASES; index++)
        those[index] = those_of(machine, it, active, PROGRAM_CASES, (uint64_t)index);
    const int end = place + 1 + it->body;
    int at = place + 1;
    for (int index = 0; index < PROGRAM_CASES && at < end; index++) {
        const int next = at + 1 + machine->program->statement[at].body;
        run(machine, at, next, &those[index]);
        at = next;
    }
}

static void run_block(struct machine *machine, int place, const struct active *active)
{
    const struct program_statement *it = &machine->program->statement[place];
    const int first = place + 1, end = first + it->body;
    if (it->operation == OPERATION_if) {
        const struct active then = those_of(machine, it, active, 2, 1);
        const struct active otherwise = those_of(machine, it, active, 2, 0);
        run(machine, first, end - it->otherwise, &then);
        run(machine, end - it->otherwise, end, &otherwise);
    } else if (it->operation == OPERATION_switch) {
        run_switch(machine, place, active);
    } else if (it->operation == OPERATION_while) {
        struct active those = *active;
        for (uint64_t iteration = 0; iteration < it->argument[1].bits; iteration++) {
            those = those_of(machine, it, &those, 2, 1);
            run(machine, first, end, &those);
        }
    } else {
        const uint64_t iterations = it->operation == OPERATION_loop ? it->argument[0].bits : 1;
        for (uint64_t iteration = 0; iteration < iterations; iteration++)
            run(machine, first, end, active);
    }
}

static void run(struct machine *machine, int first, int end, const struct active *active)
{
    for (int place = first; place < end;) {
        const struct program_statement *it = &machine->program->statement[place];
        if (operations[it->operation].is_block)
            run_block(machine, place, active);
        else if (operations[it->operation].is_together)
            run_together(machine, it);
        else
            run_apart(machine, it, active);
        place += 1 + it->body;
    }
}

static void start(struct machine *machine, const uint64_t *input)
{
    const struct program *program = machine->program;
    memset(machine->array, 0, program->threads * sizeof *machine->array);
    memset(machine->own, 0, program->threads * sizeof *machine->own);
    for (int index = 0; index < PROGRAM_TABLE_WORDS * 4; index++)
        machine->table[index] = (unsigned char)(program->table[index / 4] >> index % 4 * 8);
    for (int index = 0; index < program->variable_count; index++) {
        const struct program_variable *it = &program->variable[index];
        const int bits = class_bits((enum program_class)it->of_class);
        for (uint32_t thread = 0; thread < program->threads; thread++)
            machine->variable[index][thread] = low_bits(
                it->is_input ? input[it->bits * program->threads + thread] : it->bits, bits);
    }
}

static uint64_t stored(enum program_class of_class, uint64_t bits)
{
    if (of_class == CLASS_F32 && (bits & 0x7fffffff) > 0x7f800000)
        return 0x7fffffff;
    if (of_class == CLASS_F64 && (bits & INT64_MAX) > 0x7ff0000000000000)
        return INT64_MAX;
    return bits;
}

static void store(const struct machine *machine, uint64_t *ret_output)
{
    const struct program *program = machine->program;
    memset(ret_output, 0, program_output_words(program) * sizeof *ret_output);
    for (uint32_t index = 0; index < program->variable_count; index++)
        for (uint32_t thread = 0; thread < program->threads; thread++)
            ret_output[index * program->threads + thread] =
                stored((enum program_class)program->variable[index].of_class,
                       machine->variable[index][thread]);
    for (uint32_t thread = 0; thread < program->threads; thread++)
        for (uint32_t word = 0; word < PROGRAM_PRIVATE_BYTES / 8; word++) {
            uint64_t value = 0;
            for (int index = 0; index < 8; index++)
                value |= (uint64_t)machine->own[thread][word * 8 + (uint32_t)index] << index * 8;
            ret_output[program_own_word(program, thread) + word] = value;
        }
}

void program_interpret(const struct program *program, const uint64_t *input, uint64_t *ret_output)
{
    struct machine machine;
    machine.program = program;
    start(&machine, input);
    struct active all;
    memset(&all, true, sizeof all);
    run(&machine, 0, program->statement_count, &all);
    store(&machine, ret_output);
}
