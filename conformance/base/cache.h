/* A cache of compiled code and the like in a folder of the user's own: $XDG_CACHE_HOME/assay, or
 * ~/.cache/assay. Entries are named by a digest of all that they are made of, and hold a digest of
 * themselves: one that is damaged is ignored. Two programs may use it at once. If there is no such
 * folder, or no room in it, nothing is kept. It has at most CACHE_BYTES_MAX, and a sixteenth more
 * for each program that writes to it: the least recently used entries go. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/reason.h"

struct cache_key {
    uint64_t words[2];
};

/* The key of these parts, with their bounds: ("ab", "c") is not ("a", "bc"). */
struct cache_part {
    const void *bytes;
    size_t count;
};
struct cache_key cache_key(const struct cache_part *parts, int part_count);

/* The key of a file's bytes. False with the reason. */
bool cache_key_of_file(const char *path, struct cache_key *ret, struct reason *ret_reason);

/* In hexadecimal digits. Returns `ret_text`. */
enum { CACHE_KEY_TEXT_BYTES = 33 };
const char *cache_key_text(const struct cache_key *key, char ret_text[CACHE_KEY_TEXT_BYTES]);

/* The entry with that key, for free(), or NULL. */
void *cache_read(const struct cache_key *key, size_t *ret_count);

/* Keeps an entry, completely or not at all. It sometimes trims the folder to CACHE_BYTES_MAX. */
void cache_write(const struct cache_key *key, const void *bytes, size_t count);

/* Deletes the least recently used entries until the rest has at most `bytes_max` bytes. Files that
 * are not entries are kept and do not count. Another program that reads an entry meanwhile gets all
 * of it or nothing. */
#define CACHE_BYTES_MAX ((uint64_t)1 << 30)
void cache_trim(uint64_t bytes_max);
