// SPDX-License-Identifier: Apache-2.0
// komuz eval: candidates and cases in, a ranking out.
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/programs/native_run.h"
#include "cli/programs/tier_run.h"

namespace komuz::cli {
namespace {

Exit run(Args& args, Terminal& terminal) {
  return run_evaluation(services::EvaluationKind::Eval, args, terminal);
}

}  // namespace

constinit const Command kEvalCommand = {
    .name = "eval",
    .summary = "compile, run and rank many candidate programs on cases",
    .usage =
        "  komuz eval CANDIDATES… --cases FILE [OPTIONS]\n"
        "  komuz eval CANDIDATES… --harness FILE [--cases FILE] [OPTIONS]\n"
        "CANDIDATES are program files, folders (all *.komuz below them), a .jsonl with\n"
        "{\"id\": …, \"source\": …} on each line, or `-` for such lines on standard input.\n",
    .examples =
        "  komuz eval examples/regression/candidates.jsonl --cases examples/regression/cases.csv "
        "\\\n"
        "      --score squared --top 5\n"
        "  komuz eval examples/collatz --cases examples/collatz/cases.jsonl \\\n"
        "      --input input1 --output output1\n"
        "  komuz eval examples/braking/candidates --harness examples/braking/harness.komuz \\\n"
        "      --cases examples/braking/roads.csv --minimize\n"
        "  komuz eval a.komuz b.komuz --cases cases.csv --tolerance 1e-9 --json report.json\n"
        "  ./proposer | komuz eval - --cases cases.csv --json -    # a line out for each line in\n",
    .arguments = {files("komuz kbc kasm jsonl ndjson")},
    .options = services::evaluation_options(services::EvaluationKind::Eval),
    .run = run,
};

}  // namespace komuz::cli
