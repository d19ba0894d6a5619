/* Writes what is hardest to embed, for the test of embed's round trip: every byte, each followed by
 * a digit, and what could be taken for an escape or a trigraph. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *output = argc == 2 ? fopen(argv[1], "wb") : NULL;
    if (output == NULL)
        return EXIT_FAILURE;
    for (int byte = 0; byte < 256; byte++)
        fprintf(output, "%c7", byte);
    fputs("?\?=?\?/\\n\\\"\"'\\0", output);
    return fclose(output) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
