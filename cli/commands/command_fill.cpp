// SPDX-License-Identifier: Apache-2.0
// komuz fill: writes a variant of a sketch as a plain program.
#include "cli/commands/command.h"
#include "cli/evaluation/best_texts.h"
#include "cli/evaluation/evaluation.h"
#include "cli/evaluation/read_logs.h"
#include "cli/programs/sketch_file.h"
#include "engine/log/log_header.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "services/results/ranked_name.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"literal", {}, "print the text of the sketch with its holes filled, and simplify nothing"},
    {"log", "LOG", "the log in which VARIANT is a rank, as @1; repeat the option for each shard",
     files(kLogEndings)},
    kHarnessOption,
    kHarnessEntryOption,
};

// The name of the variant that has this rank in the logs.
Exit find_ranked(const Args& args, const std::string& path, const std::string& sketch,
                 std::string_view shown, Terminal& terminal, std::string& out) {
  engine::MergedLogs logs;
  engine::Results results;
  const std::vector<std::string_view> words = args.values("log");
  const std::vector<std::string> paths(words.begin(), words.end());
  if (const Exit read = read_logs(paths, engine::MergedLogs::Take::Whole, terminal, logs, results);
      read != Exit::Success)
    return read;
  const std::string& log = paths.front();
  const std::optional<std::string> logged = engine::header_text(logs.header(), "sketch");
  if (!logged)
    return terminal.input_error("`" + log + "` is the log of programs, and not of a sketch",
                                "`komuz merge " + log + " --best OUT` writes the best of them");
  if (*logged != sketch)
    return terminal.input_error("`" + log + "` is the log of another sketch than `" + path + "`",
                                "give the sketch as it was in that run; `komuz merge " + log +
                                    " --best OUT` writes the best variant");
  const Result<std::string> name = services::ranked_name(results, shown);
  if (name.problem()) return terminal.usage_error("fill", name.problem().message());
  out = name.value();
  return Exit::Success;
}

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("fill", "`--` has no meaning here");
  const bool has_log = args.value("log").has_value();
  if (args.positional.empty() || args.positional.size() > 2 ||
      (args.positional.size() == 1 && !has_log))
    return terminal.usage_error("fill", "name a sketch and one of its variants, such as '#12'");
  std::string variant(args.positional.size() == 2 ? args.positional[1] : services::kBestRank);
  const bool is_rank = services::is_rank(variant);
  if (is_rank && !has_log)
    return terminal.usage_error(
        "fill", "`" + variant + "` is a rank: `--log LOG` names the log that it is of");
  if (!is_rank && has_log)
    return terminal.usage_error(
        "fill", "`--log` is for a rank, such as @1: `" + variant + "` names a variant without it");
  std::optional<Harness> harness;
  if (const Exit opened = open_harness(args, "fill", terminal, harness); opened != Exit::Success)
    return opened;
  SketchFile file;
  const std::string path(args.positional[0]);
  const Exit loaded = load_sketch(path, harness ? &*harness : nullptr, terminal, file);
  if (loaded != Exit::Success) return loaded;
  if (is_rank)
    if (const Exit found = find_ranked(args, path, file.program.source, variant, terminal, variant);
        found != Exit::Success)
      return found;
  engine::Decisions decisions;
  if (const Problem problem = engine::read_variant_name(*file.plan, variant, decisions))
    return terminal.usage_error("fill", problem.message());
  std::string text;
  (void)engine::Fill(file.program.source, *file.plan).write(decisions, text);
  const TextOrigin origin = args.has("literal") ? TextOrigin::Given : TextOrigin::Variant;
  terminal.out.write(shown_program(
      text, origin, file.program.project ? &file.program.project->modules().library() : nullptr));
  return Exit::Success;
}

}  // namespace

constinit const Command kFillCommand = {
    .name = "fill",
    .summary = "print a variant of a sketch as a plain program",
    .usage =
        "  komuz fill SKETCH VARIANT [--literal] [--harness FILE]\n"
        "  komuz fill SKETCH [@RANK] --log LOG [--literal] [--harness FILE]\n"
        "VARIANT is the number of a variant, as `komuz eval` shows it: '#12'. If the sketch has\n"
        "2^64 variants or more, VARIANT is the list of its decisions: '#[3,0,17]'. @3 is the "
        "third\n"
        "in the ranking of a log; without a rank it is the best, @1. The program is simplified: "
        "it\n"
        "gives the same values, to the bit, for the same fuel.\n",
    .examples =
        "  komuz fill examples/sketches/formula.komuz '#123'\n"
        "  komuz fill examples/sketches/formula.komuz '#123' > best.komuz\n"
        "  komuz fill sketch.komuz @1 --log run.jsonl\n",
    .arguments = {files("komuz"), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
