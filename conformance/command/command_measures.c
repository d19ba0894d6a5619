/* `assay bench`, `codegen` and `gate`: what is asked of the stack besides `run`. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/bits/run.h"
#include "conformance/codegen/codegen.h"
#include "conformance/compare/comparison.h"
#include "conformance/command/commands.h"
#include "conformance/command/gaps_made.h"
#include "conformance/gate/gate.h"
#include "conformance/model/program_text.h"
#include "conformance/programs/programs.h"
#include "conformance/report/live.h"
#include "conformance/speed/bench.h"

int command_bench(const struct command *command, struct options *options)
{
    struct live *live = live_of(command->name, options, NULL);
    return live_end(live, measure_run(&speed_measure, options, live_sink(live)));
}

int command_codegen(const struct command *command, struct options *options)
{
    struct live *live = live_of(command->name, options, comparison_against);
    return live_end(live, measure_run(&codegen_measure, options, live_sink(live)));
}

int command_gate(const struct command *command, struct options *options)
{
    (void)command;
    options->gaps = gaps_line;
    return gate_run(options);
}
