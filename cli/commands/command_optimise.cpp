// SPDX-License-Identifier: Apache-2.0
// komuz optimise: cheaper code for programs, proved equal to what it replaces.
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/commands/command.h"
#include "cli/evaluation/evaluation.h"
#include "cli/files/file_writer.h"
#include "cli/files/json_line.h"
#include "cli/files/outputs.h"
#include "cli/programs/each_program.h"
#include "cli/programs/model_errors.h"
#include "cli/programs/program.h"
#include "engine/cases/signature.h"
#include "lang/reached_functions.h"
#include "lang/text/code_file.h"
#include "services/evaluation/optimised_best.h"
#include "services/results/optimised_text.h"

namespace komuz::cli {
namespace {

// Of each function, before and after.
constexpr f64 kSecondsOfMeasuring = 0.2;

constexpr OptionRow kOptions[] = {
    {"output", "OUT", "write the bytecode of the cheaper program, which runs like any other",
     files("kbc"), 'o'},
    {"entry", "NAME", "only this function and what it calls; default: all functions"},
    {"by", "AUTHOR",
     "who proposes code besides the rules: teacher (default), model, all, or rules (nobody else)",
     one_of(services::kAuthorChoices)},
    {"risk", "R",
     "also take code without a proof, if tests show that it differs on less than this share of "
     "guided inputs, such as 0.001"},
    {"accept-tested", "", "the same as --risk 0.001"},
    {"confidence", "P", "of what tests show (default 0.95)"},
    {"inputs", "N", "guided inputs that executed instructions are counted on (default 256)"},
    {"seed", "N", "of the inputs (default 0)"},
    {"resources", "N", "work of the solver for each proposal, in its own units (default 4000000)"},
    services::kThreadsOption,
    {"stats", "", "say at the end how long it took, and after how many runs it has paid"},
    {"show", "", "the code of each window, before and after"},
    {"json", "", "one object for each program, one a line"},
};

struct Request {
  neural::OptimiseOptions options;
  u64 inputs = 0;
  std::string entry, output;
  bool as_json = false, shows_code = false, has_stats = false;
};

class Optimise {
 public:
  Optimise(const Request& request, Terminal& terminal) : request_(request), terminal_(terminal) {}

  Exit run(const std::string& path) {
    Program program;
    if (const Exit loaded = load_correct_program(
            path, request_.as_json ? ErrorForm::Lines : ErrorForm::Text, terminal_, program);
        loaded != Exit::Success)
      return loaded;
    const CodeView code = program.code.view();
    std::vector<u32> functions(code.functions.size());
    std::iota(functions.begin(), functions.end(), 0u);
    if (!request_.entry.empty()) {
      const engine::EntryChoice entry = engine::choose_entry(code, request_.entry);
      if (!entry.refusal.empty())
        return terminal_.usage_error("optimise", path + ": " + entry.refusal);
      functions = reached_functions(code, static_cast<u32>(entry.function));
    }
    const Clock::time_point start = Clock::now();
    const neural::Optimised optimised = neural::optimise(code, functions, request_.options);
    const f64 seconds = std::chrono::duration<f64>(Clock::now() - start).count();
    services::OptimisedProgram shown{
        .program = {program.path, code, [&program](u32 place) { return program.source_of(place); }},
        .optimised = optimised,
        .executed = {},
        .seed = request_.options.judge.seed,
        .shows_code = request_.shows_code};
    if (!optimised.cheaper.empty())
      for (const u32 function : functions)
        if (code.functions[function].is_public)
          shown.executed.push_back(
              {function,
               neural::count_executed(code, optimised.code.view(), function, request_.inputs,
                                      shown.seed, neural::kCountedTicks)});
    terminal_.out.write(request_.as_json ? json_line(services::optimised_json(shown))
                                         : services::optimised_text(shown, terminal_.out.style()));
    if (optimised.is_interrupted) return Exit::Interrupted;
    if (request_.has_stats) say_stats(shown, seconds);
    if (!request_.output.empty()) {
      std::vector<u8> bytes;
      write_code_file(optimised.code.view(), bytes);
      const std::string text(bytes.begin(), bytes.end());
      if (request_.output == "-")
        terminal_.out.write(text);
      else if (const auto error = write_file(request_.output, text))
        return terminal_.input_error(error.message(), error.remedy());
    }
    return optimised.refusal.empty() ? Exit::Success : Exit::Failure;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void say_stats(const services::OptimisedProgram& shown, f64 seconds) {
    std::vector<services::MeasuredRow> rows;
    for (const services::ExecutedRow& row : shown.executed)
      if (row.executed.before != 0)
        rows.push_back(
            {row.function,
             neural::measure_runs(shown.program.code, shown.optimised.code.view(), row.function,
                                  shown.seed, neural::kCountedTicks, kSecondsOfMeasuring)});
    terminal_.err.write(services::measured_text(shown, rows, seconds));
  }

  const Request& request_;
  Terminal& terminal_;
};

Exit run(Args& args, Terminal& terminal) {
  Request request;
  neural::JudgeOptions& judge = request.options.judge;
  const services::Authors authors = static_cast<services::Authors>(args.choice("by"));
  judge.risk = args.amount("risk", args.has("accept-tested") ? 0.001 : 0);
  judge.confidence = args.amount("confidence", judge.confidence);
  judge.seed = args.number("seed", 0, 0, ~u64{0});
  judge.resources = args.number("resources", neural::kProofResources, 0, 0xFFFF'FFFF);
  request.options.teach.resources = judge.resources;
  request.inputs = args.number("inputs", neural::kCountedInputs, 1, 1u << 20);
  request.options.threads = static_cast<u32>(args.number("threads", 0, 1, 1024));
  request.entry = args.value("entry").value_or("");
  request.output = args.value("output").value_or("");
  request.as_json = args.has("json");
  request.shows_code = args.has("show");
  request.has_stats = args.has("stats");
  if (!args.error().empty()) return terminal.usage_error("optimise", args.error());
  if (args.has_rest) return terminal.usage_error("optimise", "`--` has no meaning here");
  if (args.positional.empty())
    return terminal.usage_error("optimise", "name programs: `komuz optimise FILE`");
  if (judge.risk >= 1)
    return terminal.usage_error("optimise", "`--risk` is a share below 1, such as 0.001");
  if (judge.confidence <= 0 || judge.confidence >= 1)
    return terminal.usage_error("optimise",
                                "`--confidence` is a number between 0 and 1, such as 0.99");
  if (const Problem problem = services::ask_authors(authors, request.options))
    return report_model_problem(problem, terminal);
  std::vector<std::string> paths;
  const u64 unread = find_programs(args.positional, terminal, paths);
  if (!request.output.empty()) {
    if (paths.size() > 1)
      return terminal.usage_error("optimise", "`-o` is for one program: name one");
    if (request.output == "-")
      return terminal.usage_error("optimise", "standard output has the report: add `-o FILE`");
    const Output output{"-o", request.output, false};
    if (const Exit checked = check_outputs(std::span(&output, 1), paths, terminal);
        checked != Exit::Success)
      return checked;
  }
  Exit exit = unread > 0 ? Exit::InputOutput : Exit::Success;
  return work_on_each(paths, terminal, exit,
                      [&](const std::string& path, const engine::Watch& watch) {
                        request.options.watch = &watch;
                        return Optimise(request, terminal).run(path);
                      });
}

}  // namespace

constinit const Command kOptimiseCommand = {
    .name = "optimise",
    .summary = "find cheaper code for programs, and prove that it is equal",
    .usage =
        "  komuz optimise FILES… [-o OUT.kbc] [--by rules] [--show] [--json]\n"
        "Results, traps and ticks of the cheaper program are those of the given one.\n",
    .examples =
        "  komuz optimise examples/tour.komuz --show\n"
        "  komuz optimise candidate.komuz -o cheaper.kbc && komuz run cheaper.kbc -- 7\n",
    .arguments = {files(kProgramEndings)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
