/* assay: the command line. Clauses: runner.help.everywhere, runner.exit.nagios. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/build_info.h"
#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/meaning.h"
#include "conformance/base/reason.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/model/catalog.h"
#include "conformance/record/record_fields.h"
#include "conformance/worker/nvrtc_tool.h"
#include "conformance/worker/worker.h"

/* A closed standard output must not become the number of the record that is opened next: what would
 * be written there goes to a file that refuses it. */
static void keep_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            return; /* no /dev/null: as it was */
}

static const char *const version_words[] = {"--version", "-V", "version", NULL};

static bool is_among(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words != NULL;
}

/* As `assay run --help`. Further words after it are a mistake that the command itself reports. */
static bool asks_help(int argc, char **argv)
{
    const char *last = argv[argc - 1];
    return argc >= 3 && (strcmp(last, "--help") == 0 || strcmp(last, "-h") == 0);
}

/* A kernel that the build left out is a mistake in the tree, and no failure of a GPU. */
static bool kernels_are_built(const char *command)
{
    char name[CATALOG_NAME_BYTES];
    int id = catalog_unbuilt();
    if (id == catalog_count())
        return true;
    fprintf(stderr,
            "assay %s: kernel %s: its module %s is not in this program: its row must begin "
            "a line of cuda/kernels.def; nothing is run\n",
            command, catalog_name(id, name), catalog_kernel(id)->unit);
    return false;
}

/* Without its descriptors a command could end anywhere, and each place would say something else: so
 * it does not begin. Clause: runner.limits.descriptors. */
static bool has_descriptors(const struct command *command)
{
    const int found = host_free_descriptors(command->descriptors);
    if (found == command->descriptors)
        return true;
    fprintf(stderr,
            "assay %s: ERROR: too few file descriptors (ulimit -n): %d are free of the %d that it "
            "needs: raise the limit, for example by `ulimit -n 256`; nothing runs\n",
            command->name, found, command->descriptors);
    return false;
}

static int run_command(const struct command *command, int argc, char **argv)
{
#define COMMAND(id, ...) command_##id,
    static command_function *const functions[] = {
#include "conformance/command/commands.def"
    };
#undef COMMAND
    if (asks_help(argc, argv)) {
        help_write_command(stdout, command);
        return output_end(command->name, EXIT_STATUS_PASS);
    }
    if ((command->launches && !kernels_are_built(command->name)) || !has_descriptors(command))
        return EXIT_STATUS_HARNESS;
    struct options options;
    return options_read(command, argc - 1, argv + 1, &options)
               ? functions[command - commands](command, &options)
               : EXIT_STATUS_USAGE;
}

/* A name with a line break would make two lines of a one-line message. */
static bool words_are_lines(int argc, char **argv)
{
    for (int index = 1; index < argc; index++) {
        if (strpbrk(argv[index], "\n\r") == NULL)
            continue;
        fprintf(stderr, "assay: argument %d has a line break: no name and no case has one\n",
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
    if (strcmp(name, "nvrtc") == 0)
        return nvrtc_tool_main(argc, argv);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (is_among(name, version_words)) {
        printf("assay %s (%s)\n", build_version, build_commit);
        return output_leave(output_end(name, EXIT_STATUS_PASS));
    }
    if (name[0] == 0) {
        fprintf(stderr, "assay: missing command; `assay help` lists them\n");
        return EXIT_STATUS_USAGE;
    }
    const struct command *command = command_of_user("assay", name);
    if (command == NULL)
        return EXIT_STATUS_USAGE;
    return output_leave(run_command(command, argc, argv));
}

/* True if the line has `--exit nagios`, wherever it is: bad usage ends as Nagios expects, too. */
static bool exits_for_nagios(int argc, char **argv)
{
    bool is_found = false;
    for (int index = 2; index < argc && strcmp(argv[index], "--") != 0; index++)
        is_found = is_found || strcmp(argv[index], "--exit=nagios") == 0 ||
                   (strcmp(argv[index], "--exit") == 0 && index + 1 < argc &&
                    strcmp(argv[index + 1], "nagios") == 0);
    return is_found;
}

/* The arguments of the program's thread. */
struct program {
    int argc;
    char **argv;
};

/* It ends the process, as main() would: a thread that returned would take what the emulation has
 * set up for it (its signal stack) away before the process ends. */
static void *run_on_thread(void *context)
{
    struct program *program = context;
    /* before the options are read, which sorts the words */
    const bool is_for_nagios = exits_for_nagios(program->argc, program->argv);
    const int status = run_program(program->argc, program->argv);
    exit(is_for_nagios ? meaning_nagios(status) : status);
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
    int error = pthread_attr_setstacksize(&attributes, stack_bytes);
    error = error ? error : pthread_setattr_default_np(&attributes);
    error = error ? error : pthread_create(&thread, &attributes, run_on_thread, program);
    if (error) {
        fprintf(stderr, "assay: no thread with a stack of 8 MiB: %s\n", strerror(error));
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
    /* A reader that is gone (output_leave), a worker that died, a file as large as it may become:
     * errors that a write returns. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    keep_standard_files();
    output_open();
    json_set_alloc_funcs(heap_bytes, free);
    return run_with_stack(&program);
}
