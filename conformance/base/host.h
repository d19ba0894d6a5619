/* The host as records name it: the machine, its software, and the part of the caller's environment
 * that reaches the driver.
 *
 *     const struct host_machine machine = host_machine_read();   // CPU, hypervisor
 *     const struct host_system system = host_system_read();      // kernel, libc, container
 *     const struct host_identity own = host_identity_read();     // name, id, boot time
 *     environment_apply();   // in a worker, before it loads the driver
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The machine that makes the host calls; a ceiling of their time applies only to it. */
struct host_machine {
    char cpu[96];        /* the model that the system reports, or "unknown" */
    char hypervisor[32]; /* "none", a hypervisor's own name, or "unknown" */
};

/* This machine. */
struct host_machine host_machine_read(void);

/* The machine by the text of /proc/cpuinfo and by `vendor`, the hypervisor's own name ("":
 * unknown).
 */
struct host_machine host_machine_parse(const char *cpuinfo, const char *vendor);

/* The host's software. */
struct host_system {
    char kernel[192];   /* "Linux 6.1.0-18-amd64 x86_64" */
    char libc[64];      /* "glibc 2.36"; "" if unknown */
    char container[64]; /* "docker", "kubernetes", ... if detected; "": none */
};

/* This machine. */
struct host_system host_system_read(void);

/* What distinguishes this machine from the others of a fleet, and this boot from earlier ones; ""
 * for what the system does not report. */
struct host_identity {
    char name[65];    /* the host's name */
    char machine[33]; /* an id that only this program derives, 32 hex digits */
    char booted[24]; /* "2026-11-21T07:00:00Z"; a second more or less from one reading to another */
};

/* This machine. */
struct host_identity host_identity_read(void);

/* The id for this program of the machine whose /etc/machine-id has that text: the same that
 * `systemd-id128 machine-id --app-specific=34e82cb6848e4940a3f5bb750f98ea2d` prints. machine-id(5)
 * calls the text itself confidential: it cannot be computed from this. "" if it is no id. */
void host_identity_machine(const char *machine_id, char ret[33]);

/* HMAC-SHA256 of the application's id, keyed by that of the machine, the first half marked as a
 * random UUID: sd_id128_get_app_specific(3). */
void host_identity_derive(const unsigned char machine[16], const unsigned char application[16],
                          char ret[33]);

/* The time of the boot by the text of /proc/stat, or "". */
void host_identity_booted(const char *stat, char ret[24]);

/* Returns true if the host lacks what every worker needs: descriptors, a process, memory, /proc,
 * and `for_gpu` unlimited addresses. *ret_text says what: "too few file descriptors (ulimit -n):
 * Too many open files". Whatever a driver answers on such a host says nothing of the GPU's
 * stack. */
bool host_system_lacks(bool for_gpu, char *ret_text, size_t text_bytes);

/* Returns how many file descriptors can be opened, `most` or HOST_DESCRIPTORS at most; errno says
 * why there are no more. A worker needs some, and a driver opens tens of files for a GPU. */
enum { HOST_DESCRIPTORS = 64 };
int host_free_descriptors(int most);

/* Number of CPUs that this process may run on, from 1 to 256. */
int host_cores(void);

/* The container according to the text of /proc/1/cgroup; "" if none is detected. */
const char *host_system_container(const char *cgroup);

/* The treatment of a variable of the environment. */
enum environment_deed {
    ENVIRONMENT_RECORDED, /* workers get it as it is */
    ENVIRONMENT_CLEARED,  /* workers do not get it */
    ENVIRONMENT_SET,      /* workers get another value */
    ENVIRONMENT_HIDES,    /* workers get it; it may hide GPUs from them */
};

struct environment_rule {
    const char *name; /* a shell pattern */
    enum environment_deed deed;
    const char *value; /* of ENVIRONMENT_SET */
    const char *why;
};

/* The first rule whose name matches applies. */
extern const struct environment_rule environment_rules[];
extern const size_t environment_rule_count;

/* One variable as recorded: "NAME=value", in printable ASCII, truncated if it is long, and without
 * its value if the name marks it as a secret. */
enum { ENVIRONMENT_TEXT_BYTES = 320 };
struct environment_variable {
    const struct environment_rule *rule;
    char text[ENVIRONMENT_TEXT_BYTES];
};

/* Advances to the next variable that a rule matches, in the order of their texts; `it` is all 0
 * before the first. Returns false after the last. */
bool environment_next(struct environment_variable *it);

/* The variables with one effect, joined by ", ", as many as fit, and "..." for the rest. Returns
 * false if there are none. */
bool environment_join(enum environment_deed deed, char *ret_text, size_t text_bytes);

/* The variables that may hide GPUs from the driver, joined; false if there are none. */
bool environment_hides(char *ret_text, size_t text_bytes);

/* Applies the rules: a worker does, before it loads the driver. */
void environment_apply(void);
