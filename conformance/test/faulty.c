/* The program with a driver whose call fails: FAULT=CALL:ERROR names which call of a worker's host
 * driver, from 1, and its error; ASSAY_HOSTILE makes calls misbehave (hostile_driver.h). The linker
 * puts these two functions around the program's own. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/test/faults.h"
#include "conformance/test/hostile_driver.h"
#include "cpu_ref/test/clause.h"

int __real_worker_main(void);
int __wrap_worker_main(void);
void __real_driver_open_host(struct cuda_driver *ret);
void __wrap_driver_open_host(struct cuda_driver *ret);

static bool is_worker;

int __wrap_worker_main(void)
{
    CLAUSE("runner.fault.honest");
    is_worker = true;
    return __real_worker_main();
}

void __wrap_driver_open_host(struct cuda_driver *ret)
{
    const char *fault = getenv("FAULT");
    int call, error;
    __real_driver_open_host(ret);
    if (is_worker && fault && sscanf(fault, "%d:%d", &call, &error) == 2)
        faults_wrap(ret, call, error);
    if (is_worker)
        hostile_wrap(ret);
}
