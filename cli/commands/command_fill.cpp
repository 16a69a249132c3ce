// SPDX-License-Identifier: Apache-2.0
// komuz fill: writes a variant of a sketch as a plain program.
#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/evaluation/read_logs.h"
#include "cli/files/whole_file.h"
#include "cli/programs/sketch_file.h"
#include "cli/terminal/bar_watch.h"
#include "engine/cases/read_cases.h"
#include "engine/log/log_header.h"
#include "engine/sketch/fill.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/unused_copies.h"
#include "services/evaluation/best_texts.h"
#include "services/evaluation/unprotected_best.h"
#include "services/options/table_options.h"
#include "services/results/fitted_line.h"
#include "services/results/ranked_name.h"
#include "services/results/ranking_text.h"
#include "services/simplify/simplify.h"

namespace komuz::cli {
namespace {

constexpr OptionRow kOptions[] = {
    {"literal", {}, "print the text of the sketch with its holes filled, and simplify nothing"},
    {"log", "LOG", "the log in which VARIANT is a rank, as @1; repeat the option for each shard",
     files(services::kLogEndings)},
    {"unprotect", "CASES",
     "write `/`, log and sqrt for div0, log0 and sqrt0 where none of these cases needs them",
     files(services::kCasesEndings)},
    {"input", "FIELD",
     "with --unprotect: a column that parameters take, by name, else in order; repeat it for each"},
    services::kSeparatorOption,
    services::kDecimalOption,
    services::kSkipMissingOption,
    kHarnessOption,
    kHarnessEntryOption,
};

// What a log says of a variant.
struct Ranked {
  std::string name;
  std::string entry;                      // of the run; empty: the only `pub fn`
  std::optional<engine::ScoreLine> line;  // of a score that fits one
};
// The variant that has this rank in the logs.
Exit find_ranked(const Args& args, const std::string& path, const std::string& sketch,
                 std::string_view shown, Terminal& terminal, Ranked& out) {
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
  const Result<u32> row = services::ranked_row(results, shown);
  if (row.problem()) return terminal.usage_error("fill", row.problem().message());
  out.name = results.id(row.value());
  out.entry = engine::header_text(logs.header(), "entry").value_or("");
  out.line = logs.line_of(results, row.value());
  return Exit::Success;
}

// The cases whose columns the program takes.
Exit read_table(const Args& args, const std::string& path, Interrupt& interrupt, Terminal& terminal,
                engine::CasesTable& out) {
  engine::CaseFields fields;
  fields.has_expectations = false;
  for (const std::string_view input : args.values("input")) fields.inputs.emplace_back(input);
  if (const Problem wrong = services::read_table_form(args, "unprotect", fields.form))
    return terminal.usage_error("fill", wrong.message());
  std::string bytes;
  const BarWatch bar(terminal, &interrupt, interrupt.token());
  if (const Problem unread = read_whole_file(path, kCasesLimit, bar, bytes))
    return terminal.input_error(unread.message(), unread.remedy());
  if (const Problem error = engine::read_cases(path, std::move(bytes), fields, out, bar))
    return terminal.input_error(error.text());
  if (const services::Note note = services::left_out_note(out); !note.message.empty())
    terminal.note(note.message, note.remedy);
  return Exit::Success;
}

// The first option that has no meaning beside the others.
std::string find_conflict(const Args& args) {
  const bool unprotects = args.value("unprotect").has_value();
  if (unprotects && args.has("literal"))
    return "`--unprotect` simplifies, and `--literal` does not: either of the two";
  if (unprotects && args.value("harness"))
    return "`--unprotect` asks the cases, whose columns the program takes, and a harness calls it "
           "with others: leave it out";
  if (!unprotects && args.value("input"))
    return "`--input` is about a table: add `--unprotect CASES`";
  return {};
}

Exit run(Args& args, Terminal& terminal) {
  if (args.has_rest) return terminal.usage_error("fill", "`--` has no meaning here");
  if (const std::string conflict = find_conflict(args); !conflict.empty())
    return terminal.usage_error("fill", conflict);
  engine::TableForm unused;
  if (const Problem wrong = services::read_table_form(args, "unprotect", unused))
    return terminal.usage_error("fill", wrong.message());
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
  Ranked ranked{.name = variant, .entry = {}, .line = {}};
  if (is_rank)
    if (const Exit found = find_ranked(args, path, file.source, variant, terminal, ranked);
        found != Exit::Success)
      return found;
  engine::Decisions decisions;
  if (const Problem problem = engine::read_variant_name(*file.plan, ranked.name, decisions))
    return terminal.usage_error("fill", problem.message());
  std::string text;
  engine::Fill fill(file.source, *file.plan);
  if (fill.write(decisions, text))
    engine::drop_unused_copies(file.copies, static_cast<u32>(file.program.source.size()), fill,
                               text);
  const Library* const library =
      file.program.project ? &file.program.project->modules().library() : nullptr;
  const bool is_literal = args.has("literal");
  if (ranked.line && !is_literal) {
    Result<std::string> fitted = services::with_line(text, ranked.entry, *ranked.line, library);
    if (fitted.problem()) return terminal.input_error(fitted.problem().message());
    text = std::move(fitted).value();
  }
  text = services::shown_program(
      text, is_literal ? services::TextOrigin::Given : services::TextOrigin::Variant, library);
  services::Note note;
  if (const auto cases = args.value("unprotect")) {
    Interrupt interrupt;
    engine::CasesTable table;
    if (const Exit read = read_table(args, std::string(*cases), interrupt, terminal, table);
        read != Exit::Success)
      return read;
    const Result<std::string> plain = services::unprotected_best(text,
                                                                 {.entry = ranked.entry,
                                                                  .tables = {&table},
                                                                  .library = library,
                                                                  .fuel = kDefaultFuel,
                                                                  .stop = interrupt.token()},
                                                                 note);
    if (plain.problem())
      return terminal.input_error(plain.problem().message(), plain.problem().remedy());
    text = plain.value();
  } else if (!is_literal) {
    note = services::unsimplified_note(text);
  }
  terminal.out.write(text);
  terminal.out.flush();
  if (!note.message.empty()) terminal.note(note.message, note.remedy);
  return Exit::Success;
}

}  // namespace

constinit const Command kFillCommand = {
    .name = "fill",
    .summary = "print a variant of a sketch as a plain program",
    .usage =
        "  komuz fill SKETCH VARIANT [--literal | --unprotect CASES] [--harness FILE]\n"
        "  komuz fill SKETCH [@RANK] --log LOG [--literal | --unprotect CASES] [--harness FILE]\n"
        "VARIANT is the number of a variant, as `komuz eval` shows it: '#12'. If the sketch has\n"
        "2^64 variants or more, VARIANT is the list of its decisions: '#[3,0,17]'. @3 is the "
        "third\n"
        "in the ranking of a log, as its column `rank` counts; without a rank it is the best, @1. "
        "The\n"
        "program is simplified: it gives the same values, to the bit, for the same fuel. With a "
        "log of\n"
        "`--score correlation` it has the line that the score fits.\n",
    .examples =
        "  komuz fill examples/sketches/formula.komuz '#123'\n"
        "  komuz fill examples/sketches/formula.komuz '#123' > best.komuz\n"
        "  komuz fill sketch.komuz @1 --log run.jsonl\n"
        "  komuz fill sketch.komuz @1 --log run.jsonl --unprotect data.csv\n",
    .arguments = {files("komuz"), 1},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
