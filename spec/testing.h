/* What every unit test uses: the clause it checks, bit-exact assertions, and TAP output for
 * Meson. A test names its clause as the first statement of its body:
 *     CLAUSE("matmul.order.ascending"); */
#ifndef ASSAY_SPEC_TESTING_H
#define ASSAY_SPEC_TESTING_H

#include <check.h>
#include <stddef.h>

/* Cites the clause. Nothing at run time; the spec suite reads it in the source. */
#define CLAUSE(id) ((void)("" id))

/* Fails with the first differing byte's offset and both sides' bytes around it. */
void testing_bytes_equal(const void *got, const void *expected, size_t bytes, const char *file,
                         int line);
#define ASSERT_BYTES_EQUAL(got, expected, bytes)                                                   \
    testing_bytes_equal(got, expected, bytes, __FILE__, __LINE__)

/* Fails with the index, both sides' bits and values of the first float that differs; every NaN
 * equals every NaN, and +0 differs from -0. */
void testing_floats_equal(const float *got, const float *expected, size_t count, const char *file,
                          int line);
#define ASSERT_FLOATS_EQUAL(got, expected, count)                                                  \
    testing_floats_equal(got, expected, count, __FILE__, __LINE__)

/* A test function and its name in the report. */
struct testing_test {
    const char *name;
    const TTest *test;
};

/* Runs every test of the list (the last has a NULL name) in a fork each, prints flat TAP on stdout
 * with details on stderr, and returns what main() returns: 0, as TAP has the verdict. Names on the
 * command line select tests. */
int testing_main(int argc, char **argv, const char *suite, const struct testing_test *tests);

#endif
