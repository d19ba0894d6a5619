/* How fast the fast form is: against the plain form, and against OpenBLAS where that is installed,
 * on one processor and on all. The forms take turns and the best of each counts, so that a noisy
 * machine affects all of them alike; one thread is timed by the processor time that it got. An
 * OpenBLAS that does not know the processor falls back to slow kernels: then say
 * OPENBLAS_CORETYPE=SkylakeX or the like. Exits 1 where the fast form is less than 10 times as fast
 * as the plain one or has other bits, 77 where the processor has no AVX2. */
#include "cpu_ref/golden.h"
#include "cpu_ref/test/clause.h"
#include "cpu_ref/test/values.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 512, SIZE_MOST = 2048, REPEATS = 7, FAST_REPEATS = 5, RATIO_LEAST = 10 };

/* cblas.h has these; the library is looked for at run time only. */
typedef void cblas_sgemm_function(int order, int transpose_a, int transpose_b, int m, int n, int k,
                                  float alpha, const float *a, int lda, const float *b, int ldb,
                                  float beta, float *c, int ldc);
typedef void set_threads_function(int count);
typedef char *core_name_function(void);
enum { CBLAS_ROW_MAJOR = 101, CBLAS_NO_TRANSPOSE = 111 };

struct openblas {
    cblas_sgemm_function *sgemm; /* NULL: not installed */
    set_threads_function *set_threads;
    core_name_function *core_name; /* which kernels it chose */
};

struct bench {
    float *a, *b, *c;
    size_t size;
    unsigned threads;
    struct openblas openblas;
};

static void run_plain(const struct bench *bench)
{
    golden_matmul((struct golden_input){bench->a, 0, bench->size},
                  (struct golden_input){bench->b, 0, bench->size},
                  (struct golden_output){bench->c, 0, bench->size}, bench->size, bench->size,
                  bench->size);
}

static void run_fast(const struct bench *bench)
{
    golden_matmul_fast((struct golden_input){bench->a, 0, bench->size},
                       (struct golden_input){bench->b, 0, bench->size},
                       (struct golden_output){bench->c, 0, bench->size}, bench->size, bench->size,
                       bench->size, bench->threads);
}

static void run_openblas(const struct bench *bench)
{
    const int size = (int)bench->size;
    bench->openblas.sgemm(CBLAS_ROW_MAJOR, CBLAS_NO_TRANSPOSE, CBLAS_NO_TRANSPOSE, size, size, size,
                          1, bench->a, size, bench->b, size, 0, bench->c, size);
}

/* Its threads sleep once they have nothing to do: they would spin on the processors that the fast
 * form's threads need next. */
static struct openblas openblas_find(void)
{
    setenv("OPENBLAS_THREAD_TIMEOUT", "4", 1);
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return (struct openblas){0};
    union {
        void *symbol;
        cblas_sgemm_function *sgemm;
        set_threads_function *set_threads;
        core_name_function *core_name;
    } sgemm = {dlsym(library, "cblas_sgemm")},
      threads = {dlsym(library, "openblas_set_num_threads")},
      core = {dlsym(library, "openblas_get_corename")};
    if (!sgemm.symbol || !threads.symbol || !core.symbol)
        return (struct openblas){0};
    return (struct openblas){sgemm.sgemm, threads.set_threads, core.core_name};
}

static double gflops(void (*form)(const struct bench *bench), const struct bench *bench)
{
    const clockid_t clock = bench->threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
    struct timespec begin, end;
    clock_gettime(clock, &begin);
    form(bench);
    clock_gettime(clock, &end);
    double time_ns = (double)(end.tv_sec - begin.tv_sec) * 1e9;
    time_ns += (double)(end.tv_nsec - begin.tv_nsec);
    return 2.0 * (double)bench->size * (double)bench->size * (double)bench->size / time_ns;
}

static double best_of(double best, double sample)
{
    return sample > best ? sample : best;
}

/* The first call of each form opens its threads and its memory: it counts, and is not the best. */
static void compare_openblas(struct bench bench)
{
    const unsigned processors = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    printf("OpenBLAS: %s kernels\n", bench.openblas.core_name());
    for (bench.threads = 1; bench.threads;
         bench.threads = bench.threads < processors ? processors : 0)
        for (bench.size = SIZE; bench.size <= SIZE_MOST; bench.size *= 2) {
            double fast = 0, openblas = 0;
            bench.openblas.set_threads((int)bench.threads);
            for (int repeat = 0; repeat < REPEATS * FAST_REPEATS; repeat++) {
                fast = best_of(fast, gflops(run_fast, &bench));
                openblas = best_of(openblas, gflops(run_openblas, &bench));
            }
            printf("golden matmul %zu^3, %u threads: fast %.1f GFLOP/s, OpenBLAS %.1f GFLOP/s, "
                   "ratio %.2f\n",
                   bench.size, bench.threads, fast, openblas, fast / openblas);
        }
}

static int measure(const struct bench *bench)
{
    double plain = 0, fast = 0;
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        plain = best_of(plain, gflops(run_plain, bench));
        for (int each = 0; each < FAST_REPEATS; each++)
            fast = best_of(fast, gflops(run_fast, bench));
    }
    printf("golden matmul %d^3, one core: plain %.2f GFLOP/s, fast %.2f GFLOP/s, ratio %.1f\n",
           SIZE, plain, fast, fast / plain);
    if (bench->openblas.sgemm)
        compare_openblas(*bench);
    else
        printf("OpenBLAS is not installed\n");
    return fast >= RATIO_LEAST * plain;
}

/* A form that is fast and wrong would be worthless. */
static int same_bits(const struct bench *bench)
{
    size_t bytes = (size_t)SIZE * SIZE * sizeof(float);
    float *plain = malloc(bytes);
    if (!plain)
        return 0;
    run_plain(bench);
    memcpy(plain, bench->c, bytes);
    values_poison(bench->c, (size_t)SIZE * SIZE);
    run_fast(bench);
    int same = memcmp(plain, bench->c, bytes) == 0;
    free(plain);
    return same;
}

static int has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return 0;
#endif
}

/* The exit status of the measurements. */
static int judge(const struct bench *bench)
{
    int fast_enough = measure(bench);
    if (!same_bits(bench)) {
        fprintf(stderr, "golden_bench: the fast form has other bits than the plain one\n");
        return 1;
    }
    if (!has_avx2())
        return 77;
    if (!fast_enough)
        fprintf(stderr, "golden_bench: the fast form is less than %d times as fast\n", RATIO_LEAST);
    return fast_enough ? 0 : 1;
}

int main(void)
{
    CLAUSE("matmul.order.ascending");
    size_t count = (size_t)SIZE_MOST * SIZE_MOST;
    struct bench bench = {malloc(count * sizeof(float)),
                          malloc(count * sizeof(float)),
                          malloc(count * sizeof(float)),
                          SIZE,
                          1,
                          openblas_find()};
    int status = 2;
    if (bench.a && bench.b && bench.c) {
        values_fill(bench.a, count, VALUES_NEAR, 1);
        values_fill(bench.b, count, VALUES_NEAR, 2);
        status = judge(&bench);
    } else {
        fprintf(stderr, "golden_bench: no memory\n");
    }
    free(bench.a);
    free(bench.b);
    free(bench.c);
    return status;
}
