/* The machine that makes the host calls: what a ceiling of their time belongs to. */
#ifndef ASSAY_CONFORMANCE_BASE_HOST_MACHINE_H
#define ASSAY_CONFORMANCE_BASE_HOST_MACHINE_H

struct host_machine {
    char cpu[96];        /* the model as the system names it, or "unknown" */
    char hypervisor[32]; /* "none", the word that a hypervisor has for itself, or "unknown" */
};

/* This machine. */
struct host_machine host_machine_read(void);

/* Of the text of /proc/cpuinfo; `vendor`: what a hypervisor calls itself, "" where nobody can say.
 */
struct host_machine host_machine_parse(const char *cpuinfo, const char *vendor);

#endif
