/* assay: the command line. Clauses: runner.help.everywhere, runner.device.path. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/build_info.h"
#include "conformance/base/reason.h"
#include "conformance/command/commands.h"
#include "conformance/base/file.h"
#include "conformance/base/output.h"
#include "conformance/model/catalog.h"
#include "conformance/model/finding.h"
#include "conformance/work/device.h"
#include "conformance/base/verdict.h"
#include "conformance/worker/worker.h"

static int command_help(int argc, char **argv);

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
    bool launches; /* kernels, which must have been built */
} commands[] = {
    {"run", command_run, "[PATTERN...]         check kernels against the golden model", true},
    {"replay", command_replay, "'CASE' [PATTERN...]  check one case again", true},
    {"mutants", command_mutants,
     "[PATTERN...]         show that kernels wrong on purpose are caught", true},
    {"bench", command_bench, "[PATTERN...]         measure kernels against their floors", true},
    {"floors", command_floors, "RECORD...            make floors of what benches measured", false},
    {"report", command_report,
     "RECORD...            show what records say; -o FILE.html: as a page", false},
    {"list", command_list, "[PATTERN...]         show kernels, algorithms and fills", false},
    {"info", command_info, "                     show what was built and which devices there are",
     false},
    {"help", command_help, "                     show this", false},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const char options_help[] =
    "Options of run (replay takes those marked *):\n"
    "  *--device auto|host|all|cuda:N[,cuda:M...]\n"
    "                                  auto: all GPUs, or the CPU where there is none\n"
    "   --expect-gpus N                fewer than N GPUs are no PASS (bench takes it too)\n"
    "  *--path sass|ptx|ptx-lowest|all code compiled offline, by the driver from the newest PTX\n"
    "                                  that the GPU takes or from the oldest, or all (default)\n"
    "   --tier smoke|standard|deep     how many cases: seconds, the default, hours\n"
    "   --tier huge                    index products past 2^31 and 2^32, up to 36 GiB a case\n"
    "   --cases N                      so many cases in place of the tier's, beside the corpus\n"
    "   --time S                       hand out no more cases after S seconds\n"
    "   --seed N                       which random cases, in which order (default: the time)\n"
    "  *--timeout S                    a check may take S seconds beyond its size's due (10)\n"
    "  *--format text|tap|json         what goes to standard output\n"
    "  *--exit-zero                    with --format tap: status 0 in place of 1, 3 and 77\n"
    "  *-o, --output FILE              write the record\n"
    "   --resume FILE                  go on with the deep run that FILE is the record of\n"
    "   --after 'CASE'                 replay: this case first, in the same worker; repeatable\n"
    "   --corpus DIR                   run the *.case files of DIR first, keep failures there\n"
    "   --jobs N                       workers on the host, threads on a GPU\n"
    "   --careful                      one check at a time\n"
    "Options of mutants: --device, --path, --seed, --timeout, --format and --exit-zero.\n"
    "Options of bench, beside --device, --path, --seed, --timeout, --format, --exit-zero, "
    "--output:\n"
    "   --samples N                    so many samples a repeat (30)\n"
    "   --repeats N                    so many repeats, 3 to 32 (3)\n"
    "   --sweep                        then the documents' figures point by point, without floors\n"
    "   --bytes N                      operands of N bytes, without floors\n"
    "   --floors FILE                  in place of the floors that travel in the program\n"
    "Options of floors, beside --output:\n"
    "   --floors FILE                  the file that is kept but for what was measured\n"
    "   --vouch                        GPUs that were below a floor count as healthy: you say so\n"
    "A PATTERN is a kernel (matmul/tiled), a shell pattern ('*/naive') or an algorithm.\n"
    "Exit status: 0 all passed, 1 something does not conform, 2 bad usage or input,\n"
    "3 inconclusive, 77 nothing could run, 99 the harness failed.\n";

int command_end(const char *name, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "assay %s: standard output could not be written\n", name);
    return EXIT_STATUS_HARNESS;
}

int command_status(const struct options *options, int status)
{
    bool reached_verdict = status == EXIT_STATUS_FAIL || status == EXIT_STATUS_INCONCLUSIVE ||
                           status == EXIT_STATUS_NOTHING_RAN;
    return options->exit_zero && reached_verdict ? EXIT_STATUS_PASS : status;
}

int command_nothing(const char *name, const struct options *options, const char *why)
{
    if (options->format == FORMAT_TAP) {
        printf("1..0 # SKIP %s\n", why);
        return command_end(name, EXIT_STATUS_NOTHING_RAN);
    }
    fprintf(stderr, "assay %s: %s\n", name, why);
    return EXIT_STATUS_NOTHING_RAN;
}

bool command_output_is_free(const char *name, const char *output, const char *input)
{
    if (output == NULL || input == NULL || !file_same(output, input))
        return true;
    fprintf(stderr, "assay %s: -o %s: the command reads that file: name another file\n", name,
            output);
    return false;
}

bool command_has_path(const char *name, const struct options *options, int ordinal,
                      const char *line, int *ret_status)
{
    const char *path = path_name(options_first_path(options));
    bool is_named = false;
    for (int other = 0; other < PATH_HOST; other++)
        is_named = is_named || !options->paths[other];
    struct reason reason;
    if (!is_named || ordinal != DEVICE_ORDINAL_HOST)
        return true;
    if (strcmp(options->device, "host") == 0) {
        fprintf(stderr,
                "assay %s: --path %s is a path of a GPU, which --device host is not: leave one of "
                "them out\n",
                name, path);
        *ret_status = EXIT_STATUS_USAGE;
        return false;
    }
    reason_set(&reason, REASON_INPUT, "--path %s is a path of a GPU, and nothing is run on %s",
               path, line);
    *ret_status = command_nothing(name, options, reason.text);
    return false;
}

/* A closed standard output must not become the number of the record that is opened next: what would
 * be written there goes to a file that refuses it. */
static void keep_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            return; /* no /dev/null: as it was */
}

static int command_help(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        fprintf(stderr, "assay help: takes no words; usage: assay help\n");
        return EXIT_STATUS_USAGE;
    }
    printf("assay %s: proves that a GPU stack computes right, against a golden model\n\n",
           build_version);
    for (int index = 0; index < COMMAND_COUNT; index++)
        printf("  assay %-7s %s\n", commands[index].name, commands[index].help);
    printf("\n%s", options_help);
    return command_end("help", EXIT_STATUS_PASS);
}

/* As `assay run --help`. Further words behind it are a mistake, told by the command itself. */
static bool asks_help(int argc, char **argv)
{
    return argc == 3 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0);
}

/* A kernel that the build left out is a mistake in the tree, and no failure of a GPU. */
static bool kernels_are_built(const char *command)
{
    char name[CATALOG_NAME_BYTES];
    int id = catalog_unbuilt();
    if (id == catalog_count())
        return true;
    fprintf(stderr,
            "assay %s: kernel %s: its unit %s is not in this program: list its file in "
            "cuda/meson.build and build again; nothing is run\n",
            command, catalog_name(id, name), catalog_kernel(id)->unit);
    return false;
}

static int run_command(int index, int argc, char **argv)
{
    if (asks_help(argc, argv))
        return command_help(1, argv);
    if (commands[index].launches && !kernels_are_built(commands[index].name))
        return EXIT_STATUS_HARNESS;
    return commands[index].run(argc - 1, argv + 1);
}

/* A name with a line break would make two lines of a one-line message. */
static bool words_are_lines(int argc, char **argv)
{
    for (int index = 1; index < argc; index++) {
        if (strpbrk(argv[index], "\n\r") == NULL)
            continue;
        fprintf(stderr,
                "assay: word %d of the line has a line break: no name and no case has one\n",
                index);
        return false;
    }
    return true;
}

static int run_program(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (!words_are_lines(argc, argv))
        return EXIT_STATUS_USAGE;
    if (strcmp(name, "worker") == 0)
        return worker_main();
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (strcmp(name, "--version") == 0) {
        printf("assay %s (%s)\n", build_version, build_commit);
        return command_end(name, EXIT_STATUS_PASS);
    }
    for (int index = 0; index < COMMAND_COUNT; index++)
        if (strcmp(name, commands[index].name) == 0)
            return run_command(index, argc, argv);
    if (name[0])
        fprintf(stderr, "assay: no command '%s'; `assay help` shows them\n", name);
    else
        fprintf(stderr, "assay: which command? `assay help` shows them\n");
    return EXIT_STATUS_USAGE;
}

/* What a thread of the program runs. */
struct program {
    int argc;
    char **argv;
};

/* It ends the process, as main() would: a thread that returned would take what the emulation has
 * set up for it (its signal stack) away before the process ends. */
static void *run_on_thread(void *context)
{
    struct program *program = context;
    exit(run_program(program->argc, program->argv));
}

/* Every thread gets a stack of its own size, and so does the program: what `ulimit -s` leaves may
 * not hold a compiler of the driver's, and a crash of that would be blamed on a kernel
 * (runner.limits.stack). Signals are the program's to answer. */
static int run_with_stack(struct program *program)
{
    static const size_t stack_bytes = (size_t)8 << 20;
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, stack_bytes) != 0 ||
        pthread_setattr_default_np(&attributes) != 0 ||
        pthread_create(&thread, &attributes, run_on_thread, program) != 0) {
        fprintf(stderr, "assay: no memory for a stack of 8 MiB\n");
        return EXIT_STATUS_HARNESS;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_join(thread, NULL); /* for as long as the process lives */
    return EXIT_STATUS_HARNESS;
}

int main(int argc, char **argv)
{
    struct program program = {.argc = argc, .argv = argv};
    /* A reader that is gone, a dead worker, a file as large as it may become: errors to report. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    keep_standard_files();
    output_open();
    return run_with_stack(&program);
}
