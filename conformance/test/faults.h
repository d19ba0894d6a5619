/* A driver table whose nth call fails: with it tests reach every point at which a driver call can
 * fail. */
#pragma once

#include "cuda/driver.h"
#include "spec/testing.h"

/* Wraps the table: its functions call the old one, but call number `call` (from 1) returns
 * `error` instead, and, when the error is sticky on a GPU (illegal address, launch failure, lost
 * device), so does every call after it. One table a process can be wrapped at a time. */
void faults_wrap(struct cuda_driver *driver, int call, cu_result error);

/* The member of the table whose call was the one to fail; NULL: there were fewer calls. */
const char *faults_failed(void);
