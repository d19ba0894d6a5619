/* The shrinker against arbitrary failures: it ends, it stays within its tries, every candidate is
 * valid and less than the last failure, and the result fails. */
#include <string.h>

#include "fuzz/generator.h"
#include "fuzz/random.h"
#include "fuzz/shrink.h"
#include "fuzz/targets/target.h"
#include "fuzz/test/case_equal.h"

enum { TRIES_MAX = 3000 };

struct bug {
    uint8_t least[ALGORITHM_AXES_MAX];   /* fails only where an axis is at least that, */
    uint8_t modulus[ALGORITHM_AXES_MAX]; /* is a multiple of that, where it is not 0, */
    uint64_t key;                        /* and a hash of the case says so */
    struct fuzz_case last;
    uint64_t tried;
};

static bool fails(const struct bug *bug, const struct fuzz_case *test_case)
{
    uint64_t word = bug->key;
    for (int index = 0; index < test_case->algorithm->axis_count; index++) {
        if (test_case->axis[index] < bug->least[index])
            return false;
        if (bug->modulus[index] && test_case->axis[index] % bug->modulus[index] != 0)
            return false;
        word = random_word(word, (uint64_t)test_case->axis[index]);
    }
    return bug->key % 4 != 0 || word % 4 != 0;
}

static bool run_bug(void *context, const struct fuzz_case *candidate)
{
    struct bug *bug = context;
    struct axes_error wrong;
    MUST(algorithm_axes_valid(candidate->algorithm, candidate->axis, &wrong));
    MUST(shrink_compare(candidate, &bug->last) < 0);
    MUST(case_elements(candidate) <= case_elements(&bug->last));
    for (int operand = 0; operand < candidate->algorithm->operand_count; operand++)
        MUST(case_operand_bytes(candidate, operand) <= case_operand_bytes(&bug->last, operand));
    MUST(++bug->tried <= TRIES_MAX);
    if (!fails(bug, candidate))
        return false;
    bug->last = *candidate;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct bug bug = {0};
    struct generator generator;
    struct {
        uint8_t algorithm, tier;
        uint64_t index, key;
    } start = {0};
    const size_t head_bytes = 18;
    if (bytes < head_bytes)
        return 0;
    start.algorithm = data[0];
    start.tier = data[1];
    memcpy(&start.index, data + 2, 8);
    memcpy(&start.key, data + 10, 8);
    bytes -= head_bytes;
    for (size_t index = 0; index < bytes && index < 2 * ALGORITHM_AXES_MAX; index++)
        (index & 1 ? bug.modulus : bug.least)[index / 2] = data[head_bytes + index];
    bug.key = start.key;
    generator_open(&generator, algorithms[start.algorithm % algorithm_count],
                   (enum tier)(start.tier % TIER_COUNT), start.key, 0);
    generator_case(&generator, start.index % generator.count, &bug.last);
    if (!fails(&bug, &bug.last))
        bug.key |= 1; /* no hash: only the bounds, which the first case need not meet either */
    struct fuzz_case test_case = bug.last;
    struct shrink_report report = shrink(&test_case, run_bug, &bug, TRIES_MAX);
    MUST(report.tried == bug.tried && report.accepted <= report.tried);
    MUST(case_equal(&test_case, &bug.last));
    MUST(report.complete == (report.tried < TRIES_MAX));
    if (report.complete) { /* a case that no tactic makes simpler stays as it is */
        bug.tried = 0;
        MUST(shrink(&test_case, run_bug, &bug, TRIES_MAX).accepted == 0);
    }
    return 0;
}
