/* The measure of machine code: options into rows (codegen.h). Clauses: codegen.device.none,
 * codegen.device.host, codegen.path.driver, codegen.device.workers. */
#include "conformance/codegen/codegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/process.h"
#include "conformance/base/reason.h"
#include "conformance/base/text.h"
#include "conformance/model/cubin.h"
#include "conformance/session/session.h"

enum { ARCHITECTURES_MAX = 64 };

static bool open_codegen(void *state, struct session *session, struct options *options)
{
    struct codegen *codegen = state;
    struct reason reason;
    codegen->session = session;
    const bool is_named = options->given.device && !device_kind_of(options->device)->is_emulated;
    if (options->cubins && (is_named || options->expect_gpus))
        return error_line("codegen", "--cubins and %s conflict",
                          is_named ? "--device" : "--expect-gpus");
    if (!options_output_is_free(session->command, options->record, options->budgets) ||
        !options_output_is_free(session->command, options->record, options->against))
        return false;
    codegen->budgets = limit_file_open(&budgets_file, options->budgets, &reason);
    if (codegen->budgets == NULL)
        return error_line("codegen", "%s", reason.text);
    snprintf(session->budgets, sizeof session->budgets, "measured with toolkit %.20s, %.12s",
             field_budget_file_toolkit(codegen->budgets), field_budget_file_date(codegen->budgets));
    if (options->against && !against_open(options->against, &codegen->against, &reason))
        return error_line("codegen", "--against %s", reason.text);
    session->plan.without_notes = !options->given.paths;
    if (options->cubins) /* which no driver is asked for */
        options->device = device_kinds[DEVICE_HOST].label;
    if (!session_select(session, options->patterns, options->pattern_count))
        return false;
    bool has_code = false;
    for (int id = 0; id < catalog_count(); id++) {
        session->plan.selected[id] &= catalog_has_code(catalog_kernel(id));
        has_code = has_code || session->plan.selected[id];
    }
    if (!has_code)
        error_line("codegen", "%s has no machine code: the driver carries it out",
                   options->patterns[0]);
    return has_code;
}

/* Adds the architectures of the selected kernels' machine code for a path, where `names` have it,
 * to those that are known, in ascending order. */
static int join_path(const struct session *session, int path, const char *names, int *known,
                     int count)
{
    const bool is_read = path_row(path)->source->is_fatbin && path_is_among(path, names);
    for (int id = 0; is_read && id < catalog_count(); id++) {
        const struct image *image = catalog_path_image(catalog_kernel(id)->unit, path);
        int found[ARCHITECTURES_MAX], found_count = 0;
        struct reason reason;
        if (session->plan.selected[id] && image)
            found_count =
                cubin_architectures((struct cubin_bytes){image->fatbin, image->fatbin_bytes}, found,
                                    ARCHITECTURES_MAX, &reason);
        for (int index = 0; index < found_count; index++) {
            int at = 0;
            while (at < count && known[at] < found[index])
                at++;
            if ((at < count && known[at] == found[index]) || count == ARCHITECTURES_MAX)
                continue;
            memmove(known + at + 1, known + at, (size_t)(count - at) * sizeof *known);
            known[at] = found[index];
            count++;
        }
    }
    return count;
}

static bool choose_devices(void *state, int *ret_status)
{
    struct codegen *codegen = state;
    struct session *session = codegen->session;
    const struct options *options = session->options;
    const char *why = NULL;
    if (image_toolkit[0] == 0 && options->images.count == 0)
        why = "this build has no machine code: no CUDA toolkit was found when it was built";
    else if (session_is_emulated(session) && !options->cubins &&
             device_kind_of(options->device)->is_emulated)
        why = "the host device's code has no registers, shared memory or size of a GPU's; --cubins "
              "reads the machine code in this program";
    if (why) {
        *ret_status = session_nothing(session, why);
        return false;
    }
    if (!session_is_emulated(session))
        return true;
    /* Puts the architectures of the selected kernels in the place of the host device. */
    int architectures[ARCHITECTURES_MAX], count = 0;
    for (int path = 0; path < path_count(); path++)
        count = join_path(session, path, session->plan.paths, architectures, count);
    for (int path = 0; count == 0 && path < path_count(); path++)
        count = join_path(session, path, NULL, architectures, count);
    for (int index = 0; index < count; index++) {
        struct session_device *it = &session->devices[index];
        *it = (struct session_device){.opened = true};
        it->info.id = device_set_of(DEVICE_ARCHITECTURE, architectures[index]);
        it->info.index = index;
        it->info.limits.compute_capability = architectures[index];
        sm_limits_of(architectures[index], &it->info.sm);
        snprintf(it->info.name, sizeof it->info.name, "machine code for sm_%d",
                 architectures[index]);
        device_label(it->info.id, it->label);
    }
    session->device_count = count;
    snprintf(session->devices_line, sizeof session->devices_line,
             "no GPU: the machine code in this program%s, for %d architecture%s",
             session->options->images.count ? " and in the files of --images" : "", count,
             count == 1 ? "" : "s");
    /* The names of the paths of every run whose code can be read without a driver, with commas
     * between them. */
    for (int path = 0; path < path_count(); path++)
        if ((path_row(path)->source->is_fatbin || path_row(path)->source->is_cubin) &&
            path_is_among(path, NULL))
            text_join(codegen->paths, sizeof codegen->paths, ",", "%s", path_name(path));
    if (!options->given.paths)
        session->plan.paths = codegen->paths;
    return true;
}

/* A row for each function of a kernel. */
static bool plan_codegen(void *state, int *ret_status)
{
    struct codegen *codegen = state;
    struct session *session = codegen->session;
    for (int index = 0; index < subject_count(session->device_count); index++) {
        const struct subject subject = subject_at(index);
        const struct kernel *kernel = catalog_kernel(subject.kernel);
        const struct device_info *info = &session->devices[subject.device].info;
        /* nvcc makes a trap of instructions that an architecture lacks; the other compilers do not
         * get such functions. */
        const bool has_no_code =
            path_row(subject.path)->tool && kernel->needs_compute > info->limits.compute_capability;
        const bool is_planned = session_has(session, subject) && !has_no_code;
        for (int number = 0; is_planned && number < KERNEL_ELEMENT_SIZES; number++) {
            const char *function = catalog_function(kernel, number);
            if (!function)
                continue;
            if (!ARRAY_ROOM(codegen->rows, (size_t)codegen->row_count)) {
                error_line("codegen", "no memory for its rows");
                *ret_status = EXIT_STATUS_HARNESS;
                return false;
            }
            codegen->rows[codegen->row_count++] =
                (struct codegen_row){.subject = subject,
                                     .index = number,
                                     .function = function,
                                     .is_of_cubin = info->id.kind == DEVICE_ARCHITECTURE};
        }
    }
    session->plan.count = (uint64_t)codegen->row_count;
    return true;
}

/* Judges and writes what is taken, in the rows' order. One thread does so at a time, while the
 * others go on taking. */
static void write_taken(struct codegen *codegen)
{
    struct session *session = codegen->session;
    for (; codegen->done < codegen->row_count; codegen->done++) {
        struct codegen_row *row = &codegen->rows[codegen->done];
        pthread_mutex_lock(&codegen->lock);
        const bool is_taken = row->is_taken;
        pthread_mutex_unlock(&codegen->lock);
        if (!is_taken)
            return;
        codegen_judge_row(codegen, row);
        codegen_judge_occupancy(codegen, row);
        codegen_compare_row(codegen, row);
        for (; codegen->devices_written <= row->subject.device; codegen->devices_written++)
            session_write_device(session, codegen->devices_written);
        session_write_line(session, codegen_line(codegen, row, &session->zone));
        session_output_works(session);
    }
}

/* The rows of one module go to one worker, which loads it once. */
static bool take_module(void *context, struct client *client)
{
    struct codegen *codegen = context;
    pthread_mutex_lock(&codegen->lock);
    const int first = codegen->next;
    int end = first;
    while (end < codegen->row_count &&
           subject_is_same(codegen->rows[end].subject, codegen->rows[first].subject))
        end++;
    codegen->next = end;
    pthread_mutex_unlock(&codegen->lock);
    for (int index = first; index < end && !stop_is_signalled(); index++) {
        struct codegen_row *row = &codegen->rows[index];
        const double began_s = clock_now_s();
        codegen_take_row(codegen, client, row);
        row->took_s = clock_now_s() - began_s;
        pthread_mutex_lock(&codegen->lock);
        row->is_taken = true;
        pthread_mutex_unlock(&codegen->lock);
        if (pthread_mutex_trylock(&codegen->writing) == 0) {
            write_taken(codegen);
            pthread_mutex_unlock(&codegen->writing);
        }
    }
    return first < end && !stop_is_signalled();
}

static void take_codegen(void *state)
{
    enum { WORKERS_MAX = 4, WORKER_ROWS_LEAST = 24 };
    struct codegen *codegen = state;
    struct session *session = codegen->session;
    const int asked = session->options->workers;
    const int most = asked > 0 && asked < WORKERS_MAX ? asked : WORKERS_MAX;
    /* One worker where a GPU opens for one process at a time, or where there is little to ask: its
     * start takes as long as some 20 of the driver's compilations. */
    int workers = session_is_exclusive(session) ? 1 : codegen->row_count / WORKER_ROWS_LEAST;
    workers = workers < 1 ? 1 : workers > most ? most : workers;
    struct clients *clients =
        clients_open(workers, session->device_count, session_open_client, session);
    pthread_mutex_init(&codegen->lock, NULL);
    pthread_mutex_init(&codegen->writing, NULL);
    clients_work(clients, take_module, codegen);
    write_taken(codegen); /* one may have been taken while another thread was about to end */
    clients_close(clients);
    pthread_mutex_destroy(&codegen->writing);
    pthread_mutex_destroy(&codegen->lock);
}

static void judge_codegen(const void *state, struct outcome *ret)
{
    const struct codegen *codegen = state;
    for (int row = 0; row < codegen->done; row++)
        ret->counts[codegen->rows[row].finding.verdict]++;
    ret->cases_done = (uint64_t)codegen->done;
    ret->verdict = verdict_of_counts(ret->counts);
    codegen_summary(codegen, ret);
    for (int path = 0; path < path_count(); path++) {
        double took_s = 0;
        for (int row = 0; row < codegen->done; row++)
            took_s += codegen->rows[row].subject.path == path ? codegen->rows[row].took_s : 0;
        if (took_s > 0)
            session_phase(ret, path_name(path), took_s);
    }
}

static void close_codegen(void *state)
{
    struct codegen *codegen = state;
    free(codegen->rows);
    json_decref(codegen->budgets);
    against_close(&codegen->against);
}

const struct measure codegen_measure = {.command = "codegen",
                                        .state_bytes = sizeof(struct codegen),
                                        .open = open_codegen,
                                        .devices = choose_devices,
                                        .plan = plan_codegen,
                                        .take = take_codegen,
                                        .judge = judge_codegen,
                                        .close = close_codegen};
