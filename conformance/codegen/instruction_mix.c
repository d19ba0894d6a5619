/* Runs nvdisasm, and counts instructions in its text (instruction_mix.h). Clauses:
 * codegen.mix.counted, codegen.mix.loop, codegen.mix.absent. */
#include "conformance/codegen/instruction_mix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/array.h"
#include "conformance/base/input_file.h"
#include "conformance/base/process.h"

enum { NAME_BYTES = 256, INSTRUCTION_BYTES = 16, LOOPS_MAX = 1024, NOWHERE = -1 };

struct instruction {
    uint32_t offset;
    const char *mnemonic; /* in the text */
    const char *target;   /* of a branch: the label's name in the text; else NULL */
};

struct label {
    const char *name; /* up to a ':' */
    size_t index;     /* of the instruction after it */
};

/* From the first instruction to the last branch back to it. */
struct loop {
    size_t first, last;
};

struct disassembly {
    struct instruction *instructions;
    size_t instruction_count;
    struct label *labels;
    size_t label_count;
    struct loop loops[LOOPS_MAX];
    int loop_count;
};

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* A line of an instruction: its offset in hexadecimal digits between comment marks, perhaps a
 * predicate, its name. False for another line. */
static bool read_instruction(const char *line, struct instruction *ret)
{
    unsigned offset;
    int letters = 0;
    const char *at = line + strspn(line, " \t");
    if (sscanf(at, "/*%8x*/%n", &offset, &letters) != 1 || letters == 0)
        return false;
    at += letters;
    at += strspn(at, " \t");
    if (*at == '@') /* "@P0" or "@!UP1" */
        at += strcspn(at, " \t\n");
    at += strspn(at, " \t");
    if (*at < 'A' || *at > 'Z')
        return false; /* an encoding alone */
    *ret = (struct instruction){.offset = offset, .mnemonic = at};
    if (begins(at, "BRA")) {
        const char *target = strstr(at, "`(");
        ret->target = target && target < next_line(at) ? target + 2 : NULL;
    }
    return true;
}

/* The instruction that a branch goes to, or NOWHERE. */
static long target_of(const struct disassembly *it, const struct instruction *branch)
{
    const size_t letters = branch->target ? strcspn(branch->target, ")\n") : 0;
    for (size_t index = 0; letters > 0 && index < it->label_count; index++)
        if (strncmp(it->labels[index].name, branch->target, letters) == 0 &&
            it->labels[index].name[letters] == ':')
            return (long)it->labels[index].index;
    return NOWHERE;
}

static bool holds(const struct loop *outer, const struct loop *inner)
{
    return outer != inner && outer->first <= inner->first && outer->last >= inner->last;
}

static bool begins_as_one(const char *mnemonic, const char *const *names)
{
    while (*names && !begins(mnemonic, *names))
        names++;
    return *names != NULL;
}

static struct mix_counts count(const struct disassembly *it, size_t first, size_t last)
{
    static const char *const loads[] = {"LD", "TEX", "TLD", "TXD", NULL},
                             *const stores[] = {"ST", "RED", NULL},
                             *const barriers[] = {"BAR", "WARPSYNC", NULL};
    struct mix_counts ret = {.total = (uint32_t)(last + 1 - first)};
    for (size_t index = first; index <= last; index++) {
        const char *mnemonic = it->instructions[index].mnemonic;
        /* LDGDEPBAR waits and loads nothing, REDUX is arithmetic over a warp. */
        ret.loads += begins_as_one(mnemonic, loads) && !begins(mnemonic, "LDGDEPBAR");
        ret.stores += begins_as_one(mnemonic, stores) && !begins(mnemonic, "REDUX");
        ret.barriers += begins_as_one(mnemonic, barriers);
        ret.ffma += begins(mnemonic, "FFMA");
    }
    return ret;
}

static uint32_t work_of(const struct mix_counts *it)
{
    return it->loads + it->stores + it->ffma;
}

/* Takes the loop where it is hotter than the one before. */
static void take_loop(const struct disassembly *it, const struct loop *loop, struct code_mix *ret)
{
    int depth = 1;
    for (int index = 0; index < it->loop_count; index++) {
        if (holds(loop, &it->loops[index]))
            return;
        depth += holds(&it->loops[index], loop);
    }
    const struct mix_counts counts = count(it, loop->first, loop->last);
    if (ret->has_loop && (depth < ret->loop_depth ||
                          (depth == ret->loop_depth && work_of(&counts) <= work_of(&ret->loop))))
        return;
    const uint32_t offset = it->instructions[loop->first].offset;
    ret->has_loop = true;
    ret->loop = counts;
    ret->loop_depth = depth;
    ret->loop_offset = offset;
    ret->loop_bytes = it->instructions[loop->last].offset - offset + INSTRUCTION_BYTES;
}

static bool read_mix(const char *text, const char *function, struct disassembly *it,
                     struct code_mix *ret, struct reason *ret_reason)
{
    char label[NAME_BYTES];
    snprintf(label, sizeof label, ".text.%s:", function);
    const char *line = text;
    while (*line && !begins(line, label))
        line = next_line(line);
    if (*line == 0)
        return reason_set(ret_reason, REASON_INPUT, "nvdisasm shows no function %.100s", function);
    for (line = next_line(line); *line && !begins(line, "\t.section") && !begins(line, "//-");
         line = next_line(line)) {
        struct instruction instruction;
        if (begins(line, ".L")) {
            if (!ARRAY_ROOM(it->labels, it->label_count))
                return reason_set(ret_reason, REASON_SYSTEM, "no memory for what nvdisasm printed");
            it->labels[it->label_count++] =
                (struct label){.name = line, .index = it->instruction_count};
        } else if (read_instruction(line, &instruction)) {
            if (!ARRAY_ROOM(it->instructions, it->instruction_count))
                return reason_set(ret_reason, REASON_SYSTEM, "no memory for what nvdisasm printed");
            it->instructions[it->instruction_count++] = instruction;
        }
    }
    if (it->instruction_count == 0)
        return reason_set(ret_reason, REASON_INPUT, "nvdisasm shows no instruction of %.100s",
                          function);
    /* Every branch backwards but one to itself, which ends a function; those to one place are one
     * loop.
     */
    for (size_t index = 0; index < it->instruction_count; index++) {
        const long target = target_of(it, &it->instructions[index]);
        int at = 0;
        if (target == NOWHERE || (size_t)target >= index)
            continue;
        while (at < it->loop_count && it->loops[at].first != (size_t)target)
            at++;
        if (at == LOOPS_MAX)
            continue;
        it->loops[at] = (struct loop){(size_t)target, index};
        it->loop_count += at == it->loop_count;
    }
    *ret = (struct code_mix){.function = count(it, 0, it->instruction_count - 1)};
    for (int index = 0; index < it->loop_count; index++)
        take_loop(it, &it->loops[index], ret);
    return true;
}

bool mix_read(const char *text, const char *function, struct code_mix *ret,
              struct reason *ret_reason)
{
    struct disassembly it = {.loop_count = 0};
    const bool good = read_mix(text, function, &it, ret, ret_reason);
    free(it.instructions);
    free(it.labels);
    return good;
}

static bool is_program(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 && S_ISREG(status.st_mode) && access(name, X_OK) == 0;
}

/* Takes the program of a folder, or of the part of it below. */
static bool take_from(const char *folder, size_t letters, const char *below,
                      struct disassembler *ret)
{
    const int length =
        snprintf(ret->program, sizeof ret->program, "%.*s%s/nvdisasm", (int)letters, folder, below);
    return letters > 0 && length < (int)sizeof ret->program && is_program(ret->program);
}

bool disassembler_find(const char *name, struct disassembler *ret, struct reason *ret_reason)
{
    static const char toolkit[] = "/usr/local/cuda";
    /* In a toolkit, and in a wheel of CUDA 12 or of 13. */
    static const char *const places[] = {"", "/bin", "/nvidia/cu13/bin",
                                         "/nvidia/cuda_nvdisasm/bin"};
    for (const char *at = getenv("PATH"); name == NULL && at && *at;) {
        const size_t letters = strcspn(at, ":");
        if (take_from(at, letters, "", ret))
            return true;
        at += letters + (at[letters] == ':');
    }
    if (name == NULL && take_from(toolkit, strlen(toolkit), "/bin", ret))
        return true;
    for (size_t index = 0; name && index < sizeof places / sizeof places[0]; index++)
        if (take_from(name, strlen(name), places[index], ret))
            return true;
    /* A word without a slash is a file here, and no program of PATH. */
    if (name && strlen(name) + 2 < sizeof ret->program && is_program(name)) {
        snprintf(ret->program, sizeof ret->program, "%s%s", strchr(name, '/') ? "" : "./", name);
        return true;
    }
    ret->program[0] = 0;
    return name ? reason_set(ret_reason, REASON_INPUT,
                             "%.300s is neither nvdisasm nor a folder that contains it", name)
                : reason_set(ret_reason, REASON_ABSENT,
                             "no nvdisasm in PATH: name one with --nvdisasm");
}

void disassembler_close(struct disassembler *it)
{
    free(it->text);
    it->text = NULL;
}

/* nvdisasm has no option for its output. */
static bool run(const struct disassembler *it, int input, int output, double limit_s,
                struct reason *ret_reason)
{
    static const char script[] = "exec \"$0\" -c " TOOL_INPUT " >" TOOL_OUTPUT;
    const struct tool_run run = {.words = {"/bin/sh", "-c", script, it->program},
                                 .input = input,
                                 .output = output,
                                 .limit_s = limit_s};
    struct tool_end end;
    char text[REASON_TEXT_BYTES];
    if (!tool_run(&run, &end, ret_reason))
        return false;
    if (tool_is_good(&end))
        return true;
    const size_t letters = strcspn(end.errors, "\n");
    return reason_set(ret_reason, REASON_BROKEN, "%s: %s%s%.*s", it->program,
                      tool_end_text(&run, &end, text), letters ? ": " : "",
                      letters < 200 ? (int)letters : 200, end.errors);
}

const char *disassemble(struct disassembler *it, struct cubin_bytes cubin, double limit_s,
                        struct reason *ret_reason)
{
    if (it->last.first != cubin.first) {
        free(it->text);
        it->last = cubin;
        const int input = tool_file(cubin.first, cubin.count, &it->reason);
        const int output = input < 0 ? -1 : tool_file("", 0, &it->reason);
        size_t bytes;
        it->text = output >= 0 && run(it, input, output, limit_s, &it->reason)
                       ? input_read_memory(INPUT_CODE, output, &bytes, &it->reason)
                       : NULL;
        if (input >= 0)
            close(input);
        if (output >= 0)
            close(output);
    }
    if (it->text == NULL)
        *ret_reason = it->reason;
    return it->text;
}
