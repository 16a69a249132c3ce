// SPDX-License-Identifier: Apache-2.0
// komuz explain: what a diagnostic or a trap means.
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/json_line.h"
#include "services/explain.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"json", "", "an object for each, a line each"},
};

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("explain", "`--` has no meaning here");
  const bool is_json = args.has("json");
  const bool lists = args.positional.empty();
  std::vector<services::Topic> topics;
  if (lists) {
    topics = services::explained_topics();
    for (const services::Topic& topic : topics) args.positional.push_back(topic.name);
  }
  std::string text;
  for (size_t k = 0; k < args.positional.size(); ++k) {
    const auto explanation = services::explain(args.positional[k]);
    if (!explanation)
      return terminal.usage_error(
          "explain", services::unknown_topic(args.positional[k], "; `komuz explain` lists them"));
    if (is_json)
      text += json_line(services::explanation_json(*explanation));
    else if (lists)
      text += services::render_topic(explanation->topic);
    else
      text += (k == 0 ? "" : "\n") + services::render_explanation(*explanation);
  }
  terminal.out.write(text);
  return Exit::Success;
}

}  // namespace

constinit const Command kExplainCommand = {
    .name = "explain",
    .summary = "say what a diagnostic or a trap means, with examples",
    .usage =
        "  komuz explain [NAMES…] [--json]\n"
        "NAMES are codes of diagnostics, such as K0401, and traps, such as DIV_ZERO. Without "
        "names\n"
        "all of them are listed.\n",
    .examples =
        "  komuz explain K0401\n"
        "  komuz explain OVERFLOW DIV_ZERO\n"
        "  komuz explain --json    # all, for an editor or a prompt\n",
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
