// SPDX-License-Identifier: Apache-2.0
// komuz search: finds good variants of a sketch in some generations.
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/programs/native_run.h"
#include "cli/programs/tier_run.h"
#include "engine/search/search.h"
#include "services/options/evaluation_request.h"

namespace komuz::cli {
namespace {

Exit run(Args& args, Terminal& terminal) {
  return run_evaluation(services::EvaluationKind::Search, args, terminal);
}

}  // namespace

constinit const Command kSearchCommand = {
    .name = "search",
    .summary = "search for good variants of a sketch",
    .usage =
        "  komuz search SKETCH --cases FILE [OPTIONS]\n"
        "  komuz search SKETCH --harness FILE [--cases FILE] [OPTIONS]\n"
        "SKETCH is a program with holes (`komuz sketch` shows them). The search evaluates one\n"
        "generation of variants after another, as `komuz eval` does, and ranks all of them. For a\n"
        "given seed it finds the same with any number of threads and on any device.\n",
    .examples =
        "  komuz search examples/sketches/formula.komuz --cases examples/sketches/periods.csv \\\n"
        "      --score squared --generations 15 --population 40\n"
        "  komuz search sketch.komuz --cases cases.csv --score squared --method local --time 10\n"
        "  komuz search sketch.komuz --cases cases.csv --score r2 --target 0.999 --generations "
        "1000\n",
    .arguments = {files("komuz"), 1},
    .options = services::evaluation_options(services::EvaluationKind::Search),
    .run = run,
};

}  // namespace komuz::cli
