/* Identity of this program; the build writes the values (build_info.c.in). */
#pragma once

extern const char build_version[];  /* "0.1.0" */
extern const char build_commit[];   /* as git describes it; "unknown" outside a checkout */
extern const char build_compiler[]; /* "gcc 12.2.0" */
