/* A module of generated programs on one device: made from their lines, interpreted, rendered,
 * compiled through a code path, launched, and compared word by word. */
#ifndef ASSAY_CONFORMANCE_WORK_PROGRAM_MODULE_H
#define ASSAY_CONFORMANCE_WORK_PROGRAM_MODULE_H

#include "conformance/model/program_job.h"
#include "conformance/work/opened_device.h"
#include "cpu_ref/programs/program.h"

/* One program of the module, and where its words lie in the module's buffers. */
struct module_program {
    struct program program;
    size_t input_at, output_at; /* in words */
    char name[16];              /* of its kernel */
};

struct program_module {
    int count;
    size_t input_words, output_words; /* of all programs together */
    struct module_program *programs;
    uint64_t *inputs;
    uint64_t *before;   /* the outputs as they are before the launch: nowhere what is expected */
    uint64_t *expected; /* and as the golden has them */
    uint64_t *got;
};

/* Makes the programs of the job, their inputs and what the golden gives. False with the reason. */
bool program_module_make(const struct program_job *job, struct program_module *ret,
                         struct reason *ret_reason);

/* Compares `got` with what is expected, word by word. */
void program_module_compare(const struct program_module *module, struct program_result *ret);

void program_module_free(struct program_module *module);

/* The module's text in the language that the path takes, for free(); NULL with the reason. */
char *program_module_text(const struct program_module *module, const struct program_job *job,
                          struct reason *ret_reason);

#endif
