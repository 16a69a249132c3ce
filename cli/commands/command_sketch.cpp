// SPDX-License-Identifier: Apache-2.0
// komuz sketch: lists the open decisions of a sketch.
#include <nlohmann/json.hpp>

#include "cli/commands/command.h"
#include "cli/files/json_line.h"
#include "cli/programs/program_warnings.h"
#include "cli/programs/sketch_file.h"
#include "services/results/sketch_text.h"
#include "services/variants/propose_sketch.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"for", "SIGNATURE",
     "propose a sketch for a function, such as 'fn(xs: [i64]) -> i64', and print it"},
    {"json", "", "one object, for a program that fills the sketch"},
    kHarnessOption,
    kHarnessEntryOption,
};

Exit propose(const Args& args, std::string_view signature, Terminal& terminal) {
  for (const std::string_view name : {"harness", "entry"})
    if (args.value(name))
      return terminal.usage_error("sketch", "`--for` proposes a sketch, and `--" +
                                                std::string(name) + "` is about one that is there");
  if (!args.positional.empty() || args.has("json"))
    return terminal.usage_error(
        "sketch",
        "`--for` proposes a sketch: write it to a file, and `komuz sketch FILE` reads it");
  const Result<std::string> text = services::propose_sketch(signature);
  if (text.problem())
    return terminal.input_error(text.problem().message(), text.problem().remedy());
  terminal.out.write(text.value());
  return Exit::Success;
}

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("sketch", "`--` has no meaning here");
  if (const auto signature = args.value("for")) return propose(args, *signature, terminal);
  if (args.positional.size() != 1) return terminal.usage_error("sketch", "name one sketch");
  std::optional<Harness> harness;
  if (const Exit opened = open_harness(args, "sketch", terminal, harness); opened != Exit::Success)
    return opened;
  SketchFile file;
  const Exit loaded =
      load_sketch(std::string(args.positional[0]), harness ? &*harness : nullptr, terminal, file);
  if (loaded != Exit::Success) return loaded;
  const std::string& source = file.program.source;
  terminal.out.write(args.has("json") ? json_line(services::sketch_json(file.source, *file.plan))
                                      : services::sketch_text(file.source, *file.plan));
  terminal.out.flush();
  if (!file.program.is_harness) {
    services::Warnings warnings;
    frontend::Options options{.library = &file.program.project->modules().library()};
    if (harness) options.harness = harness->number;
    if (harness) options.harness_entry = harness->entry;
    add_warnings(args.positional[0], source, WarningsOf::BesideCompiling, options, warnings);
    say_warnings(warnings, terminal);
  }
  if (const engine::VariantCount count = file.plan->count(); count.is_exact && count.exact == 0)
    terminal.note("`" + std::string(args.positional[0]) + "` has no variants",
                  "a space needs an alternative without its own name");
  return Exit::Success;
}

}  // namespace

constinit const Command kSketchCommand = {
    .name = "sketch",
    .summary = "list the decisions of a sketch",
    .usage =
        "  komuz sketch SKETCH [--harness FILE] [--json]\n"
        "  komuz sketch --for SIGNATURE\n"
        "SKETCH is a program with holes: choices `?n[a, b]`, grids `?n(0.0..1.0, steps: 8)`,\n"
        "expressions from spaces `?s(x)`, and free holes `?n`. --for proposes one for a function "
        "of\n"
        "numbers, bools, and slices, lists and arrays of these: a start for `komuz search`.\n",
    .examples =
        "  komuz sketch examples/sketches/formula.komuz\n"
        "  komuz sketch --for 'fn(xs: [i64], n: i64) -> i64' > lists.komuz\n"
        "  komuz sketch examples/sketches/formula.komuz --json    # with the names in scope at "
        "each\n"
        "                                                         # free hole, for a prompt\n",
    .arguments = {files("komuz"), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
