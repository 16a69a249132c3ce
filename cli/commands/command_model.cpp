// SPDX-License-Identifier: Apache-2.0
// komuz model: what so many programs would take, by the paper's equations and by what was measured here.
#include <array>
#include <nlohmann/json.hpp>

#include "cli/commands/command.h"
#include "cli/files/file_writer.h"
#include "cli/files/json_line.h"
#include "cli/files/outputs.h"
#include "cli/files/whole_file.h"
#include "cli/process/interrupt.h"
#include "cli/programs/device_errors.h"
#include "cli/terminal/progress_bar.h"
#include "engine/device.h"
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

// The GPUs of the paper's equations, none, and those of this machine.
constexpr std::string_view kGpuNames[] = {
#define GPU(name, ...) name,
#include "services/model/gpus.def"
    "cpu", "cuda"};
constexpr std::string_view kOwnGpus = "cuda";

// A line of help with numbers of tables.
class HelpText {
 public:
  constexpr HelpText& add(std::string_view text) {
    for (const char c : text) text_[size_++] = c;
    return *this;
  }
  // With commas between thousands, and one digit behind the point if it is not 0.
  constexpr HelpText& add(f64 number) {
    const auto tenths = static_cast<u64>(number * 10 + 0.5);
    u64 place = 1;
    u32 digits = 1;
    for (; tenths / 10 / place >= 10; place *= 10) ++digits;
    for (; digits != 0; --digits, place /= 10) {
      text_[size_++] = static_cast<char>('0' + tenths / 10 / place % 10);
      if (digits % 3 == 1 && digits != 1) text_[size_++] = ',';
    }
    if (tenths % 10 == 0) return *this;
    text_[size_++] = '.';
    text_[size_++] = static_cast<char>('0' + tenths % 10);
    return *this;
  }
  [[nodiscard]] constexpr std::string_view text() const { return {text_.data(), size_}; }

 private:
  std::array<char, 320> text_{};
  size_t size_ = 0;
};
constexpr HelpText kDeviceHelp = [] {
  HelpText help;
  help.add("the GPU of the paper's equations: ");
  for (const Gpu& gpu : kGpus) {
    help.add(gpu.name).add(&gpu == kGpus ? " (default: " : " (").add(gpu.cores);
    help.add(" cores at ").add(gpu.watts).add(" W), ");
  }
  return help.add("or cpu: none; with --measure also cuda, or GPUs such as cuda:0,1");
}();
constexpr HelpText kWattsHelp = HelpText()
                                    .add("that a busy thread takes (default ")
                                    .add(kThreadWatts)
                                    .add("); measured energy does not need it");

constexpr OptionRow kOptions[] = {
    {"programs", "N", "how many programs (default 1000)"},
    {"size", "BYTES", "of each of them (default 1000)"},
    {"cases", "N", "on which each is run (default 256)"},
    {"device", "NAME", kDeviceHelp.text(), one_of(kGpuNames)},
    {"threads", "N", "of our CPU (default 1)"},
    {"watts", "W", kWattsHelp.text()},
    {"measure", "", "measure it here, too: generated programs are compiled and run"},
    services::kProgressOption,
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

class RoundsBar final : public engine::ProgressSink {
 public:
  RoundsBar(Terminal& terminal, Interrupt& interrupt) : bar_(terminal), interrupt_(interrupt) {
    interrupt_.set_tick([this] { bar_.tick(); });
  }
  ~RoundsBar() override { interrupt_.set_tick({}); }
  RoundsBar(const RoundsBar&) = delete;
  RoundsBar& operator=(const RoundsBar&) = delete;

  void on_progress(u64 done, std::optional<u64> total) override {
    bar_.update({.done = done, .total = total, .noun = "programs"});
  }
  void clear() { bar_.clear(); }

 private:
  ProgressBar bar_;
  Interrupt& interrupt_;
};

// `choice`: the GPUs that are measured; none: the processor.
Exit measured(const ModelReport& report, u32 rounds, size_t tier,
              const std::optional<engine::DeviceChoice>& choice, std::optional<Measured>& out,
              Terminal& terminal) {
  Interrupt interrupt;
  MeasuredRun run = {static_cast<neural::TierChoice>(tier), report.size, report.threads, rounds};
  engine::Devices devices;
  if (choice) {
    Result<engine::Devices> opened = engine::open_devices(*choice);
    if (opened.problem()) return report_no_gpu(opened.problem(), terminal);
    devices = std::move(opened).value();
    run.devices = &devices;
  }
  RoundsBar bar(terminal, interrupt);
  Result<Measured> made = measure(run, interrupt.token(), &bar);
  bar.clear();
  const Problem& problem = made.problem();
  if (!problem) {
    out = std::move(made).value();
    return Exit::Success;
  }
  if (problem.is(ProblemKind::Stop)) {
    terminal.error("interrupted");
    return Exit::Interrupted;
  }
  if (problem.is(ProblemKind::Device))
    return report_device_error(problem.message(), problem.remedy(), terminal);
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
  const size_t tier = args.choice("tier");
  std::optional<engine::DeviceChoice> own_gpus;
  if (const auto named = args.value("device");
      named && (*named == kOwnGpus || named->starts_with(std::string(kOwnGpus) + ":"))) {
    Result<engine::DeviceChoice> read = engine::read_device_choice("--device", *named);
    if (const Problem& problem = read.problem())
      return terminal.usage_error("model", problem.text());
    own_gpus = std::move(read).value();
    report.gpu = &kGpus[0];
    if (!args.has("measure"))
      return terminal.usage_error("model", "`--device " + std::string(*named) +
                                               "` is a GPU that is measured: give `--measure`");
  } else if (const size_t device = args.choice("device"); device < std::size(kGpus)) {
    report.gpu = &kGpus[device];
  }
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
  for (const std::string_view needs : {"rounds", "tier", "progress"})
    if (args.has(needs) && !args.has("measure"))
      return terminal.usage_error(
          "model", "`--" + std::string(needs) + "` is of what is measured: give `--measure`");
  const std::string plot(args.value("plot").value_or(""));
  const Output outputs[] = {{.option = "--plot", .path = plot, .is_drawing = true}};
  if (const Exit checked = check_outputs(outputs, {}, terminal); checked != Exit::Success)
    return checked;

  if (args.has("measure"))
    if (const Exit made = measured(report, rounds, tier, own_gpus, report.measured, terminal);
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
