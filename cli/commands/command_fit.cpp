// SPDX-License-Identifier: Apache-2.0
// komuz fit: looks for a formula for a column of a table.
#include "cli/commands/command.h"
#include "cli/fit/fit_run.h"

namespace komuz::cli {
namespace {

Exit run(Args& args, Terminal& terminal) {
  FitRequest request;
  if (const Problem problem = services::read_fit_request(args, request))
    return terminal.usage_error("fit", problem.text());
  return run_fit(request, terminal);
}

}  // namespace

const Command kFitCommand = {
    .name = "fit",
    .summary = "look for a formula for a column of a table",
    .usage =
        "  komuz fit TABLE [OPTIONS]\n"
        "TABLE is CSV or JSONL with a header. Formulas of the other columns are searched, and the\n"
        "best one of each size is shown, with its error on rows that the search has not seen. By\n"
        "these it says which formula to take.\n",
    .examples =
        "  komuz fit examples/sketches/periods.csv --generations 40\n"
        "  komuz fit data.csv --target price --ignore id --time 5m --best price.komuz\n"
        "  komuz fit data.csv --operators \"+ - * /\" --select knee --folds 5\n",
    .arguments = {files("csv tsv jsonl ndjson gz"), 1},
    .options = services::fit_options(),
    .run = run,
};

}  // namespace komuz::cli
