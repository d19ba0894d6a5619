/* A program that is no script, for tests that want a compiler: it becomes the script that lies
 * beside it, FILE.sh, with the same words. A copy with more bytes at its end is another program. */
#include <unistd.h>

#include "spec/testing.h"

int main(int argc, char **argv)
{
    char script[4096];
    CLAUSE("driver.candidate.cached");
    if (argc < 1 || snprintf(script, sizeof script, "%s.sh", argv[0]) >= (int)sizeof script)
        return 126;
    execv(script, argv);
    return 127;
}
