// SPDX-License-Identifier: Apache-2.0
// komuz explain: explains a diagnostic or a trap.
#include <nlohmann/json.hpp>
#include <span>

#include "cli/commands/command.h"
#include "cli/files/json_line.h"
#include "services/display_text.h"
#include "services/explain.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"json", "", "one object for each code, one a line"},
};

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const services::Topic& topic : services::explained_topics()) names.emplace_back(topic.name);
  return names;
}

services::Explained all() {
  services::Explained all;
  all.is_list = true;
  for (const services::Topic& topic : services::explained_topics())
    if (auto explanation = services::explain(topic.name))
      all.explanations.push_back(std::move(*explanation));
  return all;
}

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("explain", "`--` has no meaning here");
  const services::Explained asked =
      args.positional.empty() ? all() : services::find_explanations(args.positional);
  if (asked.unknown) {
    const std::string_view otherwise =
        asked.is_list ? ", nor a text with such words; `komuz explain` lists them"
                      : "; `komuz explain` lists them";
    return terminal.usage_error("explain", services::unknown_topic(*asked.unknown, otherwise));
  }
  std::string text;
  for (const services::Explanation& explanation : asked.explanations) {
    if (args.has("json"))
      text += json_line(services::explanation_json(explanation));
    else if (asked.is_list)
      text += services::render_topic(explanation.topic);
    else
      text += (text.empty() ? "" : "\n") + services::render_explanation(explanation);
  }
  const services::RenderStyle style = terminal.out.style();
  const bool is_wrapped = style.wraps && !args.has("json") && !asked.is_list;
  terminal.out.write(is_wrapped ? services::wrapped_paragraphs(text, style.width) : text);
  return Exit::Success;
}

}  // namespace

constinit const Command kExplainCommand = {
    .name = "explain",
    .summary = "explain a diagnostic or a trap, with examples",
    .usage =
        "  komuz explain [NAMES… | WORDS…] [--json]\n"
        "NAMES are codes of diagnostics, such as K0401, or traps, such as DIV_ZERO. WORDS are a\n"
        "search: it lists the codes whose texts have all of them, or words that begin with them.\n"
        "Without names or words all codes are listed.\n",
    .examples =
        "  komuz explain K0401\n"
        "  komuz explain OVERFLOW DIV_ZERO\n"
        "  komuz explain closed bracket    # whose texts have both words\n"
        "  komuz explain --json            # all, for an editor or a prompt\n",
    .arguments = {one_of(topic_names)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
