/* Messages that do not parse, for a worker that misbehaves (fake_worker.h). */
#pragma once

#include "conformance/wire/message.h"

/* The kinds, to be named as "garbled_KIND" in a script; NULL beyond the last. */
const char *garbled_kind(int number);

/* Answers a case as the word says and ends: one message that does not parse ("garbled_KIND"), or
 * the messages of a good answer with bytes changed, left out or repeated ("fuzz_SEED"). */
_Noreturn void garbled_answer(const char *word, const struct message_case *it);
