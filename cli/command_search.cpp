// SPDX-License-Identifier: Apache-2.0
// komuz search: the best variants of a sketch that are found in some generations.
#include "cli/command.h"
#include "cli/evaluation.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"cases", "FILE", "the cases, CSV or JSONL (needed without a harness)"},
    {"harness", "FILE", "a program that scores candidates: the sketch defines its open functions"},
    {"maximize", "", "with a harness: the largest score is the best (default)"},
    {"minimize", "", "… the smallest"},
    {"method", "NAME", "evolve (default), local or random"},
    {"population", "N", "variants of a generation (default 500)"},
    {"generations", "N", "default 100"},
    {"time", "SECONDS", "begin no generation after that; how far it came is said"},
    {"seed", "N", "where chance starts from (default 0)"},
    {"score", "KIND", "exact (default), absolute or squared"},
    {"tolerance", "T", "exact: |actual - expected| <= T * max(1, |actual|, |expected|); default 0"},
    {"entry", "NAME", "the function to run; else the only `pub fn`, of a harness `score`"},
    {"signature", "TEXT", "of the entry, as 'fn(x: f64) -> f64'"},
    {"expand", "", "compile variants from their texts, though the sketch's code could be bound"},
    {"top", "N", "rows of the table (default 10)"},
    {"json", "OUT", "write the report as JSON; `-` is standard output, instead of the table"},
    {"threads", "N", "default: one for each processor"},
    {"device", "NAME", "auto (default: a GPU where there is one), cpu or cuda"},
    {"fuel", "N", "ticks that a case may use (default 1000000)"},
    {"input", "FIELD", "the field of the next parameter; once for each parameter, in order"},
    {"output", "FIELD", "the field of the expected value (default `expected`)"},
};

Exit run(Args& args, Terminal& terminal) {
  return run_evaluation(EvaluationKind::Search, args, terminal);
}

}  // namespace

constinit const Command kSearchCommand = {
    .name = "search",
    .summary = "search for good variants of a sketch",
    .usage =
        "  komuz search SKETCH --cases FILE [OPTIONS]\n"
        "  komuz search SKETCH --harness FILE [--cases FILE] [OPTIONS]\n"
        "SKETCH is a program with holes (`komuz sketch` shows them). A generation after the other\n"
        "is evaluated as `komuz eval` does; the ranking is of all variants that were looked at.\n"
        "For a seed the same is found with any number of threads and on any device.\n",
    .examples =
        "  komuz search examples/sketches/formula.komuz --cases examples/sketches/periods.csv \\\n"
        "      --score squared --generations 15 --population 40\n"
        "  komuz search sketch.komuz --cases cases.csv --score squared --method local --time 10\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
