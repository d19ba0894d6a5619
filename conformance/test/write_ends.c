/* Writes the ends of records anew in files that a test edited, or that another tool wrote:
 * `record_end FILE...`. */
#include "conformance/base/input_file.h"
#include "conformance/test/ended.h"
#include "spec/testing.h"

int main(int argc, char **argv)
{
    CLAUSE("record.end.written");
    for (int index = 1; index < argc; index++) {
        struct reason reason = {.text = ""};
        size_t bytes, ended_bytes = 0;
        char *text = input_read(INPUT_RECORD, argv[index], &bytes, &reason);
        char *ended = text ? ended_text(text, bytes, &ended_bytes) : NULL;
        FILE *file = ended ? fopen(argv[index], "w") : NULL;
        const size_t wrote = file ? fwrite(ended, 1, ended_bytes, file) : 0;
        if (file == NULL || fclose(file) != 0 || wrote != ended_bytes) {
            fprintf(stderr, "record_end: %s: %s\n", argv[index],
                    text ? "cannot be written" : reason.text);
            return 2;
        }
        free(ended);
        free(text);
    }
    return argc < 2 ? 2 : 0;
}
