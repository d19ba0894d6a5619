/* Which part of a plan a shard has, and which shard a scheduler's task is (shard.h). Clauses:
 * shard.option.value, shard.auto.scheduler, shard.auto.refused, shard.plan.dealt. */
#include "conformance/plan/shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number of digits alone, at most `most`. False without one. */
static bool read_number(const char **text, uint64_t most, uint64_t *ret)
{
    uint64_t value = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && value <= most; at++)
        value = 10 * value + (uint64_t)(*at - '0');
    const bool is_number = at > *text && value <= most;
    *text = at;
    *ret = value;
    return is_number;
}

bool shard_parse(const char *text, struct shard *ret)
{
    static const char automatic[] = "auto", same[] = ":same";
    uint64_t number = 0, count = 0;
    const bool is_auto = strncmp(text, automatic, strlen(automatic)) == 0;
    if (is_auto)
        text += strlen(automatic);
    else if (!read_number(&text, SHARDS_MAX, &number) || number == 0)
        return false;
    const bool has_count = *text == '/';
    text += has_count;
    if (has_count && (!read_number(&text, SHARDS_MAX, &count) || count == 0 || count < number))
        return false;
    const bool is_same = strcmp(text, same) == 0;
    if ((*text && !is_same) || (!has_count && !is_auto))
        return false;
    *ret = (struct shard){.number = (uint32_t)number, .count = (uint32_t)count, .is_same = is_same};
    return true;
}

/* What a scheduler tells its tasks. */
static const struct scheduler {
    const char *number, *count, *first, *step; /* variables; NULL: it has none */
} schedulers[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN",
     "SLURM_ARRAY_TASK_STEP"},
    {"SLURM_PROCID", "SLURM_NTASKS", NULL, NULL},
    {"JOB_COMPLETION_INDEX", NULL, NULL, NULL},
};

/* The value of a variable, or `standard` if it is not set. False with the reason if it is no
 * number. */
static bool read_variable(const char *name, uint64_t standard, uint64_t *ret,
                          struct reason *ret_reason)
{
    const char *text = name ? getenv(name) : NULL, *at = text;
    *ret = standard;
    if (text == NULL || (read_number(&at, UINT32_MAX, ret) && *at == 0))
        return true;
    return reason_set(ret_reason, REASON_INPUT, "%s is not a number: '%.64s'", name, text);
}

/* The scheduler whose variables are set. A batch script is its only task: one whose count is 1 or
 * not set gives way to another. NULL with the reason if there is none, or several. */
static const struct scheduler *find_scheduler(struct reason *ret_reason)
{
    const struct scheduler *found = NULL;
    bool is_found_alone = false;
    for (size_t row = 0; row < sizeof schedulers / sizeof schedulers[0]; row++) {
        const struct scheduler *it = &schedulers[row];
        uint64_t count;
        if (getenv(it->number) == NULL)
            continue;
        if (!read_variable(it->count, 0, &count, ret_reason))
            return NULL;
        const bool is_alone = it->count && count <= 1;
        if (found && !is_found_alone && !is_alone) {
            reason_set(ret_reason, REASON_INPUT,
                       "%s and %s are both set: name the shard, for example 3/8", found->number,
                       it->number);
            return NULL;
        }
        if (found == NULL || (is_found_alone && !is_alone)) {
            found = it;
            is_found_alone = is_alone;
        }
    }
    if (found == NULL)
        reason_set(ret_reason, REASON_INPUT,
                   "none of %s, %s and %s is set: name the shard, for example 3/8",
                   schedulers[0].number, schedulers[1].number, schedulers[2].number);
    return found;
}

bool shard_of_scheduler(struct shard *shard, struct reason *ret_reason)
{
    const uint64_t named = shard->count;
    uint64_t id, count, first, step;
    if (shard->number > 0)
        return true;
    const struct scheduler *it = find_scheduler(ret_reason);
    if (it == NULL || !read_variable(it->number, 0, &id, ret_reason) ||
        !read_variable(it->count, it->count ? 0 : named, &count, ret_reason) ||
        !read_variable(it->first, 0, &first, ret_reason) ||
        !read_variable(it->step, 1, &step, ret_reason))
        return false;
    const char *missing = it->first && getenv(it->first) == NULL ? it->first
                          : count == 0                           ? it->count
                                                                 : NULL;
    if (missing)
        return reason_set(ret_reason, REASON_INPUT, "%s is set, but %s is not", it->number,
                          missing);
    if (count == 0)
        return reason_set(ret_reason, REASON_INPUT,
                          "%s is set, but no variable has the number of shards: name it, for "
                          "example auto/8",
                          it->number);
    if (named && named != count)
        return reason_set(ret_reason, REASON_INPUT, "%s is %" PRIu64 ", not %" PRIu64, it->count,
                          count, named);
    const bool is_in_step = step > 0 && id >= first && (id - first) % step == 0;
    const uint64_t place = is_in_step ? (id - first) / step : count;
    if (count > SHARDS_MAX || place >= count)
        return reason_set(ret_reason, REASON_INPUT,
                          "%s is %" PRIu64 ": shards need numbers from %" PRIu64 " on, %" PRIu64
                          " in steps of %" PRIu64 ", at most %d",
                          it->number, id, first, count, step, SHARDS_MAX);
    shard->number = (uint32_t)place + 1;
    shard->count = (uint32_t)count;
    return true;
}

/* Of each shard, if the plan is long enough. */
enum { BLOCKS = 16 };

static uint64_t block_of(const struct shard *shard, uint64_t count)
{
    const uint64_t numbers = count / ((uint64_t)BLOCKS * shard->count);
    return numbers > 0 ? numbers : 1;
}

bool shard_is_part(const struct shard *shard)
{
    return shard->count > 0 && !shard->is_same;
}

bool shard_has(const struct shard *shard, uint64_t count, uint64_t index)
{
    return !shard_is_part(shard) ||
           index / block_of(shard, count) % shard->count == shard->number - 1;
}

uint64_t shard_size(const struct shard *shard, uint64_t count)
{
    if (!shard_is_part(shard))
        return count;
    const uint64_t block = block_of(shard, count), round = block * shard->count;
    const uint64_t before = block * (shard->number - 1), rest = count % round;
    const uint64_t in_rest = rest > before ? rest - before : 0;
    return count / round * block + (in_rest < block ? in_rest : block);
}

uint64_t shard_at(const struct shard *shard, uint64_t count, uint64_t place)
{
    if (!shard_is_part(shard))
        return place;
    const uint64_t block = block_of(shard, count);
    return (place / block * shard->count + shard->number - 1) * block + place % block;
}

const char *shard_text(const struct shard *shard, char ret_text[SHARD_TEXT_BYTES])
{
    snprintf(ret_text, SHARD_TEXT_BYTES, "shard %" PRIu32 " of %" PRIu32 "%s", shard->number,
             shard->count, shard->is_same ? " (same cases)" : "");
    return ret_text;
}

const char *shard_value(const struct shard *shard, char ret_text[SHARD_TEXT_BYTES])
{
    snprintf(ret_text, SHARD_TEXT_BYTES, "%" PRIu32 "/%" PRIu32 "%s", shard->number, shard->count,
             shard->is_same ? ":same" : "");
    return ret_text;
}
