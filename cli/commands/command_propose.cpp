// SPDX-License-Identifier: Apache-2.0
// komuz propose: what the model proposes for windows of programs, and what became of it.
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/gpu/devices.h"
#include "cli/commands/command.h"
#include "cli/files/json_line.h"
#include "cli/programs/device_errors.h"
#include "cli/programs/each_program.h"
#include "cli/programs/model_errors.h"
#include "cli/programs/program.h"
#include "engine/cases/signature.h"
#include "engine/device.h"
#include "lang/reached_functions.h"
#include "neural/decode/open_device.h"
#include "neural/decode/open_model.h"
#include "services/options/evaluation_options.h"
#include "services/results/proposed_text.h"

namespace komuz::cli {
namespace {

constexpr std::string_view kMethodNames[] = {
#define DECODE_METHOD(Name, spelling, meaning) spelling,
#include "neural/decode/methods.def"
};

constexpr OptionRow kOptions[] = {
    {"count", "K", "candidates for each window, at most 4096 (default 16)", {}, 'k'},
    {"method", "METHOD",
     "how words are chosen: unique (default) and beam give different candidates, sample may give "
     "one several times, greedy gives one",
     one_of(kMethodNames)},
    {"temperature", "T",
     "of unique and sample, to 100: 0 takes the most probable words (default), 1 draws them as the "
     "model says; the least above 0 is 0.001"},
    {"nucleus", "P", "of sample: draw from the most probable words with this share (default 1)"},
    {"entry", "NAME", "only this function and what it calls; default: all functions"},
    {"seed", "N", "of draws, and of the inputs that proposals are compared on (default 0)"},
    {"resources", "N", "work of the solver for each proposal, in its own units (default 4000000)"},
    {"device", "NAME",
     "where the model is calculated: auto (default: as it pays, docs/neural.md), cpu or cuda",
     one_of(engine::kDeviceNames)},
    {"json", "", "one object for each program, one a line"},
};

struct Request {
  neural::ProposeOptions options;
  std::string entry;
  bool as_json = false;
};

Exit propose(const Request& request, const std::string& path, const neural::Model& model,
             Terminal& terminal) {
  Program program;
  if (const Exit loaded = load_correct_program(
          path, request.as_json ? ErrorForm::Lines : ErrorForm::Text, terminal, program);
      loaded != Exit::Success)
    return loaded;
  const CodeView code = program.code.view();
  std::vector<u32> functions(code.functions.size());
  std::iota(functions.begin(), functions.end(), 0u);
  if (!request.entry.empty()) {
    const engine::EntryChoice entry = engine::choose_entry(code, request.entry);
    if (!entry.refusal.empty()) return terminal.usage_error("propose", path + ": " + entry.refusal);
    functions = reached_functions(code, static_cast<u32>(entry.function));
  }
  const neural::ProposedWindows proposed =
      neural::propose_windows(code, functions, model, request.options);
  if (const Problem& problem = proposed.problem)
    return report_device_error(problem.message(), problem.remedy(), terminal);
  const services::ProposedProgram shown{
      .program = {program.path, code, [&program](u32 place) { return program.source_of(place); }},
      .proposed = proposed};
  terminal.out.write(request.as_json ? json_line(services::proposed_json(shown))
                                     : services::proposed_text(shown, terminal.out.style()));
  return proposed.is_interrupted ? Exit::Interrupted : Exit::Success;
}

// The GPU that is asked for, or that pays; without a device: the processor.
Result<neural::OpenedModelDevice> open_device(const engine::DeviceChoice& choice, u32 candidates,
                                              const neural::Model& model) {
  if (choice.kind == engine::DeviceKind::Cpu) return neural::OpenedModelDevice();
  if (choice.kind == engine::DeviceKind::Cuda)
    return choice.gpus.empty() ? neural::open_model_device(model)
                               : neural::open_model_device(model, choice.gpus[0]);
  if (!neural::is_worth_a_device(candidates)) return neural::OpenedModelDevice();
  Result<neural::OpenedModelDevice> opened = neural::open_model_device(model);
  return opened.problem() ? neural::OpenedModelDevice() : std::move(opened);
}

Exit run(Args& args, Terminal& terminal) {
  Request request;
  neural::DecodeOptions& decode = request.options.decode;
  decode.count = static_cast<u32>(args.number("count", 16, 1, neural::kMostCandidates));
  decode.method = static_cast<neural::DecodeMethod>(args.choice("method"));
  decode.temperature = args.amount("temperature", 0);
  decode.nucleus = args.amount("nucleus", 1);
  decode.seed = request.options.seed = args.number("seed", 0, 0, ~u64{0});
  request.options.resources = args.number("resources", neural::kProofResources, 0, 0xFFFF'FFFF);
  request.entry = args.value("entry").value_or("");
  request.as_json = args.has("json");
  const Result<engine::DeviceChoice> chosen = services::device_choice(args);
  if (!args.error().empty()) return terminal.usage_error("propose", args.error());
  if (args.has_rest) return terminal.usage_error("propose", "`--` has no meaning here");
  if (args.positional.empty())
    return terminal.usage_error("propose", "name programs: `komuz propose FILE`");
  if (const Problem& problem = chosen.problem())
    return terminal.usage_error("propose", problem.text());
  const engine::DeviceChoice& device = chosen.value();
  if (args.has("device") && (device.gpus.size() > 1 || device.takes_all))
    return terminal.usage_error("propose",
                                "the model is calculated on one GPU: name one, such as "
                                "`--device cuda" +
                                    (device.takes_all ? "" : ":" + std::to_string(device.gpus[0])) +
                                    "`");
  if (decode.temperature > 100 ||
      (decode.temperature != 0 && decode.temperature < neural::kLeastTemperature))
    return terminal.usage_error("propose",
                                "`--temperature` is 0, or a number from 0.001 to 100, such as 0.8");
  if (decode.nucleus <= 0 || decode.nucleus > 1)
    return terminal.usage_error("propose", "`--nucleus` is a share above 0, such as 0.95");
  const Result<const neural::Model*> model = neural::open_model();
  if (const Problem& problem = model.problem()) return report_model_problem(problem, terminal);
  const Result<neural::OpenedModelDevice> opened =
      open_device(device, decode.count, *model.value());
  if (const Problem& problem = opened.problem())
    return gpu::find_devices().problem
               ? report_no_gpu(problem, terminal)
               : report_device_error(problem.message(), problem.remedy(), terminal);
  request.options.device = opened.value().device.get();
  std::vector<std::string> paths;
  Exit exit =
      find_programs(args.positional, terminal, paths) > 0 ? Exit::InputOutput : Exit::Success;
  return work_on_each(paths, terminal, exit,
                      [&](const std::string& path, const engine::Watch& watch) {
                        request.options.watch = &watch;
                        return propose(request, path, *model.value(), terminal);
                      });
}

}  // namespace

constinit const Command kProposeCommand = {
    .name = "propose",
    .summary = "show the code that the model proposes, and which of it is proved equal",
    .usage =
        "  komuz propose FILES… [-k COUNT] [--method METHOD] [--temperature T] [--json]\n"
        "For each window, a stretch of code that only computes, the model (docs/neural.md) writes\n"
        "candidates. Each is compared with the window. Nothing is changed: see `komuz optimise`.\n",
    .examples =
        "  komuz propose examples/tour.komuz -k 4\n"
        "  komuz propose candidate.komuz -k 64 --method sample --temperature 0.8 --json\n",
    .arguments = {files(kProgramEndings)},
    .options = kOptions,
    .run = run,
};

}  // namespace komuz::cli
