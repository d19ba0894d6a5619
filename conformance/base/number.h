/* Numbers that people read. */
#ifndef ASSAY_CONFORMANCE_BASE_NUMBER_H
#define ASSAY_CONFORMANCE_BASE_NUMBER_H

#include <stdint.h>

enum { NUMBER_TEXT_BYTES = 32, NUMBER_COUNT_BYTES = 64 };

/* A count and what is counted, named by its singular: "1 case", "25,039 cases", "0 tries"
 * (report.text.counts). Returns `ret_text`. */
const char *number_count(uint64_t count, const char *one, char ret_text[NUMBER_COUNT_BYTES]);

/* The parts of one whole in whole per cent that add up to 100, none further than 1 from its own
 * share; all 0 where the whole is none. */
void number_shares(const double *parts, int count, int *ret_percent);

/* Thousands apart: "25,039". Returns `ret_text`. */
const char *number_whole(uint64_t number, char ret_text[NUMBER_TEXT_BYTES]);

/* Four significant digits, thousands apart: "4,249", "478.2", "0.0394". Returns `ret_text`. */
const char *number_short(double value, char ret_text[NUMBER_TEXT_BYTES]);

/* "60 MiB", "4 KiB", "384 B". Returns `ret_text`. */
const char *number_bytes(double bytes, char ret_text[NUMBER_TEXT_BYTES]);

/* The same of a count: "16 Mi", "384". Returns `ret_text`. */
const char *number_binary(double count, char ret_text[NUMBER_TEXT_BYTES]);

/* A loss that is found, in steps of a tenth and never less than it is: 0.1862 is "-18.7 %"; "" of
 * none. Returns `ret_text`. */
const char *number_loss(double loss, char ret_text[NUMBER_TEXT_BYTES]);

#endif
