/* The driver of a fuzz target if there is no libFuzzer: runs every file that is named, and every
 * file of every folder that is named. */
#include <dirent.h>
#include <string.h>

#include "fuzz/targets/target.h"

/* The whole file, or NULL; the caller frees. Every read past its end is one past the allocation. */
static uint8_t *read_file(const char *path, size_t *ret_bytes)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t bytes = 0, room = 0;
    if (file == NULL)
        return NULL;
    for (;;) {
        if (bytes == room) {
            room = room ? 2 * room : 4096;
            uint8_t *grown = realloc(data, room);
            if (grown == NULL)
                break;
            data = grown;
        }
        size_t count = fread(data + bytes, 1, room - bytes, file);
        bytes += count;
        if (count == 0)
            break;
    }
    uint8_t *exact = NULL;
    if (data != NULL && feof(file) && (exact = malloc(bytes ? bytes : 1)) != NULL)
        memcpy(exact, data, bytes);
    fclose(file);
    free(data);
    *ret_bytes = bytes;
    return exact;
}

/* The target's own mutants of an input, the same every time. How many; below 0 without memory. */
static int run_mutants(const uint8_t *data, size_t bytes)
{
    enum { MUTANTS = 150, MORE_BYTES = 256 };
    uint8_t *mutant = malloc(bytes + MORE_BYTES);
    for (unsigned seed = 0; mutant && seed < MUTANTS; seed++) {
        memcpy(mutant, data, bytes);
        LLVMFuzzerTestOneInput(mutant,
                               LLVMFuzzerCustomMutator(mutant, bytes, bytes + MORE_BYTES, seed));
    }
    free(mutant);
    return mutant ? MUTANTS : -1;
}

static int run_file(const char *path)
{
    size_t bytes;
    uint8_t *data = read_file(path, &bytes);
    if (data == NULL)
        return -1;
    LLVMFuzzerTestOneInput(data, bytes);
    int mutants = LLVMFuzzerCustomMutator ? run_mutants(data, bytes) : 0;
    free(data);
    return mutants < 0 ? -1 : 1 + mutants;
}

/* How many inputs were run; below 0 if something could not be read. */
static int run_path(const char *path)
{
    struct dirent **entries;
    int entry_count = scandir(path, &entries, NULL, alphasort);
    if (entry_count < 0)
        return run_file(path);
    int total = 0;
    for (int index = 0; index < entry_count; index++) {
        char *name = NULL;
        if (total >= 0 && entries[index]->d_name[0] != '.') {
            int count = asprintf(&name, "%s/%s", path, entries[index]->d_name) < 0 ? -1 : 0;
            count = count < 0 ? count : run_file(name);
            total = count < 0 ? count : total + count;
            free(name);
        }
        free(entries[index]);
    }
    free(entries);
    return total;
}

int main(int argc, char **argv)
{
    int total = 0;
    for (int index = 1; index < argc; index++) {
        int count = run_path(argv[index]);
        if (count < 0) {
            fprintf(stderr, "%s: cannot be read\n", argv[index]);
            return 2;
        }
        total += count;
    }
    printf("%d inputs\n", total);
    return total > 0 ? 0 : 2;
}
