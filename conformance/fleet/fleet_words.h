/* The sentences of a fleet, which every format has. */
#pragma once

#include "conformance/fleet/fleet_judged.h"
#include "conformance/report/chart.h"

enum { FLEET_WORDS_BYTES = 1024 };

/* "1,000 machines, 7,938 GPUs: 6,338 NVIDIA H200, 1,600 NVIDIA H100 80GB HBM3". */
const char *fleet_words_all(const struct fleet *fleet, char ret_text[FLEET_WORDS_BYTES]);

/* "1 machine FAIL, 5 machines DIFFERS, 989 machines SAME; 1 file cut short". */
const char *fleet_words_counts(const struct fleet *fleet, char ret_text[FLEET_WORDS_BYTES]);

/* What machines are compared with. */
const char *fleet_words_base(const struct fleet *fleet, char ret_text[FLEET_WORDS_BYTES]);

/* "In 368,000 looks at speeds and times 0.01 false alarms are expected; a GPU that is slower by 1.3
 * % in DRAM, ... is found in 99 of 100". "" if no figures were compared. */
const char *fleet_words_speeds(const struct fleet *fleet, char ret_text[FLEET_WORDS_BYTES]);

/* "DRAM"; and how much slower a GPU is whose figures differ by that logarithm: a fraction of the
 * speed, or of the time that is added. */
const char *fleet_sort_name(enum figure_sort sort);
double fleet_found(enum figure_sort sort, double shift);

/* "NVIDIA H200, 2,534 GPUs: -1.7 % in offset_copy/scalar through sass, ... and 3 more figures". */
const char *fleet_words_sort(const struct fleet_sort *sort, char ret_text[FLEET_WORDS_BYTES]);

/* "driver: 580.159.04 on 900 machines". */
const char *fleet_words_group(const struct fleet_group *group, char ret_text[FLEET_WORDS_BYTES]);

/* What differs, a section a row: the machines in which something does, and in which it is worse.
 * Empty if nothing differs; to be closed. */
void fleet_table_sections(const struct fleet *fleet, struct table *ret);

/* How many GPUs have which model, driver and clocks, the most frequent first. To be closed. */
void fleet_table_stacks(const struct fleet *fleet, struct table *ret);
