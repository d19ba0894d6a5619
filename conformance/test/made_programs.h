/* Generated programs of a session by hand. */
#pragma once

#include "conformance/programs/programs.h"
#include "conformance/test/fake_worker.h"
#include "spec/testing.h"

static inline void made_programs_release(void *made)
{
    struct programs *programs = made;
    pthread_mutex_destroy(&programs->lock);
    pthread_cond_destroy(&programs->changed);
}

/* Programs through these rows of one device, the host. Kept till the test ends. */
static inline struct programs *made_programs(const struct options *options,
                                             struct programs_row *rows, size_t count)
{
    struct programs *programs = testing_new(sizeof *programs);
    struct session *session = testing_new(sizeof *session);
    session->options = options;
    session->device_count = 1;
    session->devices[0].info.id.kind = DEVICE_HOST;
    programs->session = session;
    programs->rows = rows;
    programs->row_count = count;
    ck_assert_int_eq(pthread_mutex_init(&programs->lock, NULL), 0);
    ck_assert_int_eq(pthread_cond_init(&programs->changed, NULL), 0);
    testing_keep(programs, made_programs_release);
    return programs;
}

/* What is done through workers that do as the script says. */
static inline void made_programs_work(struct programs *programs, const char *script,
                                      void (*work)(struct programs *programs))
{
    fake_worker_script(script);
    programs->clients = clients_open(1, 1, session_open_client, programs->session);
    ck_assert_ptr_nonnull(programs->clients);
    work(programs);
    clients_close(programs->clients);
}
