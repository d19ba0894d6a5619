/* A shard: the part of a plan that one machine of many carries out. `assay merge` joins the records
 * of all shards to one verdict. Number 3 of 8:
 *
 *     struct shard shard;
 *     if (shard_parse("3/8", &shard))              // or "auto", which asks the scheduler:
 *         if (shard_of_scheduler(&shard, &reason))
 *             for (uint64_t index = 0; index < count; index++)
 *                 if (shard_has(&shard, count, index))
 *                     ...                          // case `index` of the plan's `count`
 *
 * A plan is cut into blocks of consecutive numbers, some 16 for each shard, which are dealt in
 * turn: each shard gets cases of all sorts, and a record says in a few ranges which. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "conformance/base/reason.h"

enum {
    SHARDS_MAX = 65536,
    SHARD_SEED = 1, /* of shards without --seed: they must all have the same */
    SHARD_TEXT_BYTES = 48
};

struct shard {
    uint32_t number, count; /* 3 of 8; both 0: the plan is not divided */
    bool is_same;           /* each shard has the whole plan: the results of all must agree */
};

/* Reads "3/8", "auto" or "auto/8", and ":same" after it. The number of auto is 0, its count 0 or
 * what is named. False if the text is none of these. */
bool shard_parse(const char *text, struct shard *ret);

/* Fills in what `auto` leaves open, from the variables of Slurm's arrays and tasks or of an indexed
 * Job of Kubernetes; does nothing for a shard that has its number. Nothing else reads these
 * variables. False with the reason if they are not set, or contradict each other or the named
 * count. */
bool shard_of_scheduler(struct shard *shard, struct reason *ret_reason);

/* True if a shard has a part of the plan, and others have the rest. */
bool shard_is_part(const struct shard *shard);

/* True if number `index` < count is the shard's. */
bool shard_has(const struct shard *shard, uint64_t count, uint64_t index);

/* How many of `count` numbers are the shard's. */
uint64_t shard_size(const struct shard *shard, uint64_t count);

/* The shard's number `place` < shard_size(), in ascending order. */
uint64_t shard_at(const struct shard *shard, uint64_t count, uint64_t place);

/* "shard 3 of 8", or "shard 3 of 8 (same cases)". Returns `ret_text`. */
const char *shard_text(const struct shard *shard, char ret_text[SHARD_TEXT_BYTES]);

/* As --shard takes it: "3/8:same". Returns `ret_text`. */
const char *shard_value(const struct shard *shard, char ret_text[SHARD_TEXT_BYTES]);
