/* How a compiler is started (compiler.h). */
#include "cuda/paths/compiler.h"

int compiler_program(const struct compiler *compiler, const char *file, const char **ret_words)
{
    int count = 0;
    if (compiler->command) {
        ret_words[count++] = "/proc/self/exe";
        ret_words[count++] = compiler->command;
    }
    ret_words[count++] = file;
    return count;
}
