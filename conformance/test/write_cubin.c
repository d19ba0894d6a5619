/* Writes a made fatbin to a file, for tests that are scripts:
 *     write_cubin FILE ARCHITECTURE FUNCTION REGISTERS LOCAL_BYTES SHARED_BYTES CODE_BYTES
 *         [HOLDS] */
#include "conformance/test/made_cubin.h"

int main(int argc, char **argv)
{
    CLAUSE("codegen.images.read");
    if (argc < 8 || argc > 9)
        return EXIT_FAILURE;
    const struct made_cubin made = {.architecture = atoi(argv[2]),
                                    .entry = argv[3],
                                    .registers = (uint32_t)atoi(argv[4]),
                                    .frame_bytes = (uint32_t)atoi(argv[5]),
                                    .shared_bytes = (uint64_t)atoi(argv[6]),
                                    .code_bytes = (uint64_t)atoi(argv[7]),
                                    .holds = argc > 8 ? atoi(argv[8]) : 0};
    const struct cubin_bytes fatbin = made_fatbin(&made);
    FILE *output = fopen(argv[1], "wb");
    const bool good = output && fwrite(fatbin.first, 1, fatbin.count, output) == fatbin.count;
    free((void *)(uintptr_t)fatbin.first);
    return output && fclose(output) == 0 && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
