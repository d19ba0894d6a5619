/* Counts the lines that a reader of records passes on. */
#pragma once

#include <string.h>

#include "conformance/record/record.h"
#include "conformance/test/ended.h"
#include "spec/testing.h"

static inline void counted_line(void *context, const struct record_entry *entry)
{
    (void)entry;
    ++*(int *)context;
}

typedef bool counted_reader(const char *path, const char *text, size_t bytes, record_taker *take,
                            void *context, struct reason *ret_reason);

/* The number of lines that record_read or records_read passes on, or -1 with the reason. */
static inline int counted(counted_reader *read, const char *text, size_t bytes,
                          struct reason *ret_reason)
{
    int count = 0;
    ret_reason->text[0] = 0;
    return read("r", text, bytes, counted_line, &count, ret_reason) ? count : -1;
}

/* The text with the ends of its records, until the test ends. */
static inline char *counted_ended(const char *text)
{
    char *all = ended_text(text, strlen(text), &(size_t){0});
    testing_keep(all, free);
    return all;
}
