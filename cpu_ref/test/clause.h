/* CLAUSE as in spec/testing.h, for programs that are also built where Check is missing: the
 * benchmark, and the digest on foreign machines. */
#pragma once

#define CLAUSE(id) ((void)("" id))
