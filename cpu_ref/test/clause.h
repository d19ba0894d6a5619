/* CLAUSE as in spec/testing.h, for programs that are also built where Check is missing: the
 * benchmark, and the digest on foreign machines. */
#ifndef ASSAY_CPU_REF_TEST_CLAUSE_H
#define ASSAY_CPU_REF_TEST_CLAUSE_H

#define CLAUSE(id) ((void)("" id))

#endif
