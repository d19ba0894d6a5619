/* Tools of both renderers: text that grows, and an operation's text with its places filled. */
#pragma once

#include <stdint.h>

#include "cpu_ref/programs/operations.h"
#include "fuzz/programs/render.h"

enum { OPERAND_BYTES = 64 };

/* The strings for the places of a text (spec/operations.def). */
struct places {
    enum program_type type;                                     /* %t %u %w %x */
    const char *name;                                           /* %n */
    char operand[1 + PROGRAM_ARGUMENTS_MAX][OPERAND_BYTES];     /* %d %a %b %c %e */
    char in_register[1 + PROGRAM_ARGUMENTS_MAX][OPERAND_BYTES]; /* %A %B %C %E */
};

struct language;

/* The kernel that is being written. */
struct kernel {
    struct program_text *text;
    const struct program *program;
    const char *name;
    const struct language *language;
};

/* The differences between PTX and C in how statements are written. */
struct language {
    const char *indent;
    bool is_ptx; /* else C */
    /* Writes the constant of an argument into ret->operand[place], and what else the text wants. */
    void (*put_constant)(const struct kernel *kernel, const struct program_statement *statement,
                         int place, struct places *ret);
    /* Write a block statement with its body. */
    void (*blocks[OPERATIONS])(const struct kernel *kernel, int index, const struct places *places);
};

void text_bytes(struct program_text *text, const char *bytes, size_t count);
void text_put(struct program_text *text, const char *string);
__attribute__((format(printf, 2, 3))) void text_print(struct program_text *text, const char *format,
                                                      ...);

/* "v12" or "0x1f" at the end of the string `ret`, with no printf: every operand of every program is
 * written so. Returns the new end. */
char *place_variable(char *ret, int variable);
char *place_hexadecimal(char *ret, uint64_t bits);
char *place_word(char *ret, const char *word);

/* Writes statements first to end - 1, each its operation's text with the places filled. */
void text_statements(const struct kernel *kernel, int first, int end);

/* Writes the program's table of constants, if a statement names it: `type` is what comes before its
 * name, `suffix` what each word ends in. */
void text_table(const struct kernel *kernel, const char *type, const char *suffix);

/* Some statement's texts have that word. */
bool program_has_word(const struct program *program, const char *word);

/* Lines of the prelude, ended by NULL: what the words of a program's C text mean, for CUDA and for
 * the host. The build makes them from prelude_*.txt. */
extern const char *const prelude_cuda[];
extern const char *const prelude_host[];
