// SPDX-License-Identifier: Apache-2.0
// komuz model: what so many programs would take, by the paper's equations and by what was measured here.
#include <nlohmann/json.hpp>

#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/files/json_line.h"
#include "cli/files/outputs.h"
#include "cli/files/whole_file.h"
#include "cli/process/interrupt.h"
#include "services/model/draw_overtaking.h"
#include "services/model/fit_constants.h"
#include "services/model/measure.h"
#include "services/model/model_text.h"
#include "services/options/evaluation_options.h"

namespace komuz::cli {
namespace {

using namespace services::model;

constexpr u64 kMostPrograms = 1'000'000'000'000, kMostSize = 1'000'000'000, kMostCases = 1u << 31;
constexpr FileLimit kMeasurementsLimit = {"a file of measurements", size_t{1} << 26};

// The GPUs of the paper's equations, and none.
constexpr std::string_view kGpuNames[] = {
#define GPU(name, ...) name,
#include "services/model/gpus.def"
    "cpu"};

constexpr OptionRow kOptions[] = {
    {"programs", "N", "how many programs (default 1000)"},
    {"size", "BYTES", "of each of them (default 1000)"},
    {"cases", "N", "on which each is run (default 256)"},
    {"device", "NAME",
     "the GPU of the paper's equations: paper (default: 10,000 cores at 300 W), h200 (16,896 at "
     "700 W), or cpu: none",
     one_of(kGpuNames)},
    {"threads", "N", "of our CPU (default 1)"},
    {"watts", "W", "that a busy thread takes (default 5.5); measured energy does not need it"},
    {"measure", "", "measure it here, too: generated programs are compiled and run"},
    {"rounds", "N", "that are measured (default 5)"},
    {"tier", "NAME",
     "the way that is measured: traditional (default), neural (some 70 ms of a core for a program "
     "of 1,000 bytes) or hybrid",
     one_of(neural::kTierNames)},
    {"plot", "OUT.svg", "draw where one way overtakes another in programs and size", files("svg")},
    {"fit", "FILE",
     "constants for the lines of `--measure --json` in a file, and how well half of the sizes "
     "predicts the others",
     files("jsonl")},
    {"json", "", "one object, for a program to read"},
    services::kMemoryOption,
};

Exit fit(const std::string& path, Terminal& terminal) {
  std::string text;
  if (const Problem problem = read_whole_file(path, kMeasurementsLimit, {}, text))
    return terminal.input_error(problem.message(), problem.remedy());
  const Result<std::vector<Measurement>> read = read_measurements(path, text);
  if (const Problem& problem = read.problem()) return terminal.input_error(problem.text());
  const Result<std::vector<FittedWay>> ways = fit_ways(path, read.value());
  if (const Problem& problem = ways.problem()) return terminal.input_error(problem.text());
  terminal.out.write(rows_of(ways.value()));
  terminal.out.write(quality_of(ways.value()));
  return Exit::Success;
}

Exit measured(const ModelReport& report, u32 rounds, size_t tier, std::optional<Measured>& out,
              Terminal& terminal) {
  Interrupt interrupt;
  const MeasuredRun run = {static_cast<neural::TierChoice>(tier), report.size, report.threads,
                           rounds};
  Result<Measured> made = measure(run, interrupt.token());
  const Problem& problem = made.problem();
  if (!problem) {
    out = std::move(made).value();
    return Exit::Success;
  }
  if (problem.is(ProblemKind::Stop)) {
    terminal.error("interrupted");
    return Exit::Interrupted;
  }
  if (problem.is(ProblemKind::Option)) {
    terminal.error(problem.message(), problem.remedy());
    return Exit::Usage;
  }
  return terminal.input_error(problem.message(), problem.remedy());
}

Exit run(Args& args, Terminal& terminal) {
  ModelReport report;
  report.size = {args.number("programs", report.size.programs, 1, kMostPrograms),
                 args.number("size", report.size.bytes, 1, kMostSize),
                 args.number("cases", report.size.cases, 1, kMostCases)};
  report.threads = static_cast<u32>(args.number("threads", 1, 1, 1024));
  report.watts = args.amount("watts", kThreadWatts);
  report.states_watts = args.has("watts");
  const u32 rounds = static_cast<u32>(args.number("rounds", 5, 1, 1000));
  const size_t device = args.choice("device"), tier = args.choice("tier");
  if (device < std::size(kGpus)) report.gpu = &kGpus[device];
  if (!args.error().empty()) return terminal.usage_error("model", args.error());
  if (args.has_rest || !args.positional.empty())
    return terminal.usage_error("model", "`komuz model` takes options alone");
  if (const auto path = args.value("fit")) {
    for (const std::string_view other : {"measure", "plot", "json"})
      if (args.has(other))
        return terminal.usage_error("model",
                                    "`--fit` does not go with `--" + std::string(other) + "`");
    return fit(std::string(*path), terminal);
  }
  for (const std::string_view needs : {"rounds", "tier"})
    if (args.has(needs) && !args.has("measure"))
      return terminal.usage_error(
          "model", "`--" + std::string(needs) + "` is of what is measured: give `--measure`");
  const std::string plot(args.value("plot").value_or(""));
  const Output outputs[] = {{.option = "--plot", .path = plot, .is_drawing = true}};
  if (const Exit checked = check_outputs(outputs, {}, terminal); checked != Exit::Success)
    return checked;

  if (args.has("measure"))
    if (const Exit made = measured(report, rounds, tier, report.measured, terminal);
        made != Exit::Success)
      return made;
  terminal.out.write(args.has("json") ? json_line(model_json(report)) : model_text(report));
  if (plot.empty()) return Exit::Success;
  const OvertakingQuestion question = {
      .cases = report.size.cases,
      .threads = report.threads,
      .gpu = report.gpu == nullptr ? &kGpus[0] : report.gpu,
  };
  if (const Problem problem = write_file(plot, draw_overtaking(question)))
    return terminal.input_error(problem.message(), problem.remedy());
  return Exit::Success;
}

}  // namespace

constinit const Command kModelCommand = {
    .name = "model",
    .summary = "predict what many programs take, by the paper's equations and by ours",
    .usage =
        "  komuz model [--programs N] [--size BYTES] [--cases N] [--device NAME] [--measure] "
        "[--json]\n"
        "  komuz model --plot OUT.svg\n"
        "  komuz model --fit FILE\n"
        "Says which latency, energy and memory the paper's equations give for a CPU and for its "
        "three\n"
        "ways on a GPU, and what ours take on one CPU by constants that were measured.\n",
    .examples =
        "  komuz model --programs 10000 --size 400\n"
        "  komuz model --programs 10000 --size 400 --measure    # beside this machine\n"
        "  komuz model --plot overtaking.svg\n",
    .arguments = {{}, 0},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
