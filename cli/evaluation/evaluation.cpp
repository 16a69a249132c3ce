// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/evaluation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "base/counts.h"
#include "base/machine/memory.h"
#include "cli/evaluation/evaluation_sinks.h"
#include "cli/evaluation/open_sketch.h"
#include "cli/evaluation/show_results.h"
#include "cli/files/outputs.h"
#include "cli/files/whole_file.h"
#include "cli/process/interrupt.h"
#include "cli/process/version.h"
#include "cli/programs/device_errors.h"
#include "cli/programs/harness.h"
#include "cli/programs/model_errors.h"
#include "cli/programs/native_run.h"
#include "cli/programs/program_warnings.h"
#include "cli/programs/tier_run.h"
#include "cli/terminal/bar_watch.h"
#include "cli/terminal/end_process.h"
#include "cli/terminal/out_of_memory.h"
#include "engine/cases/signature.h"
#include "engine/cases/split_cases.h"
#include "engine/engine.h"
#include "mend/standard_uses.h"
#include "services/evaluation/best_programs.h"
#include "services/evaluation/evaluated_sketch.h"
#include "services/evaluation/evaluation_log.h"
#include "services/evaluation/optimised_best.h"
#include "services/files/candidate_input.h"
#include "services/files/project.h"
#include "services/options/evaluation_request.h"
#include "services/results/ranking_text.h"

namespace komuz::cli {
namespace {

// Only people at a terminal see times: output that is compared or kept holds none.
std::string speed_line(double seconds, u64 candidates, u64 bytes) {
  const auto per_second = static_cast<u64>(static_cast<double>(candidates) / seconds);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), " programs/s, %.1f MB/s of input, %.3f s\n",
                static_cast<double>(bytes) / 1e6 / seconds, seconds);
  return grouped(per_second) + text.data();
}

// Remarks on all candidates. Variants need none on names and signatures, which are given by the sketch.
void say_notes(const services::EvaluationRequest& request, const engine::Results& results,
               RowSink& rows, Terminal& terminal) {
  const auto say = [&](const services::Note& note) {
    if (!note.message.empty()) terminal.note(note.message, note.remedy);
  };
  say(services::exact_note(results));
  say(services::scale_note(results));
  if (results.typed && request.harness_path.empty())
    say(services::order_note(results, request.input_names));
  if (const engine::SketchProgram* const sketch = request.options.programs.sketch;
      sketch != nullptr)
    add_warnings(request.candidates[0], sketch->source, WarningsOf::Program,
                 services::compile_options(request), rows.warnings());
  else
    add_file_warnings(request.candidates, *request.options.programs.modules,
                      services::compile_options(request), rows.warnings());
  say_warnings(rows.warnings(), terminal);
  if (request.options.programs.sketch != nullptr) return;
  say(services::equal_ids_note(rows.equal_ids()));
  if (!request.options.programs.signature) say(services::signature_note(results));
}

void say_damages(const engine::ResultLog& log, Terminal& terminal) {
  const services::Note damages = services::damages_note(log);
  if (!damages.message.empty()) terminal.warning(damages.message, damages.remedy);
}

Exit interrupted(const services::EvaluationRequest& request, const engine::Results& results,
                 Terminal& terminal) {
  terminal.error(
      "interrupted after " + counted(results.candidates(), "candidate"),
      request.log_path.empty() ? "" : "`--resume " + request.log_path + "` goes on from there");
  return Exit::Interrupted;
}

Exit out_of_memory(const services::EvaluationRequest& request, const engine::Results& results,
                   Terminal& terminal) {
  terminal.error(out_of_memory_text(" after " + counted(results.candidates(), "candidate")),
                 request.log_path.empty()
                     ? "give it more; without `--json`, `--plot` and `--pareto` it takes less, and "
                       "with a `--log` it can go on"
                     : "`--resume " + request.log_path + "` goes on from there, with more");
  return Exit::Memory;
}

// For a run that was not stopped, and yet is incomplete.
Exit cut_short(const services::EvaluationRequest& request, const engine::Results& results,
               Terminal& terminal) {
  const engine::MachineOptions& machines = request.options.machines;
  const u32 epoch = std::max(machines.epoch, machines.devices_epoch());
  const bool has_numbers = results.candidates() < engine::kNone - epoch;
  const std::string after = " after " + counted(results.candidates(), "candidate");
  if (!has_numbers)
    return terminal.input_error("a run has no more numbers" + after,
                                request.search ? "search on with another `--seed`"
                                               : "evaluate them in parts, such as `--shard 1/2`");
  return report_device_error("the memory of the GPU is full" + after,
                             request.search ? "search for less long, or use `--device cpu`"
                                            : "use fewer `--samples`, or `--device cpu`",
                             terminal);
}

std::vector<Output> outputs_of(const services::EvaluationRequest& request) {
  return {{request.resumes ? "--resume" : "--log", request.log_path, false, false, true},
          {"--json", request.json_path, true},
          {"--plot", request.plot_path, false, true},
          {"--best", request.best_path, true}};
}
std::vector<std::string> inputs_of(const services::EvaluationRequest& request) {
  std::vector<std::string> inputs;
  // The reader of the candidates reports missing ones.
  static_cast<void>(services::find_sources(request.candidates, inputs));
  std::ranges::replace(inputs, std::string("-"), std::string("/dev/stdin"));  // it may be a file
  inputs.push_back(request.cases_path);
  inputs.push_back(request.held_out_path);
  inputs.push_back(request.harness_path);
  inputs.insert(inputs.end(), request.start_paths.begin(), request.start_paths.end());
  return inputs;
}

std::vector<std::string> paths_of(std::span<const Output> outputs) {
  std::vector<std::string> paths;
  for (const Output& output : outputs)
    if (!output.path.empty() && output.path != "-") paths.push_back(output.path);
  return paths;
}

// Warns before a run whose best candidate might have no held-out result. It is no error, since perhaps nobody takes
// the column.
void note_missing_columns(const services::EvaluationRequest& request,
                          const engine::CasesTable& cases, const engine::CasesTable& held_out,
                          Terminal& terminal) {
  if (request.options.programs.signature || !cases.by_name || !held_out.by_name) return;
  for (const std::string& column : cases.columns) {
    if (std::ranges::find(held_out.columns, column) != held_out.columns.end()) continue;
    terminal.note(request.held_out_path + " has no column `" + column + "`, which " +
                      request.cases_path + " has",
                  "whoever takes it has no result there");
    return;
  }
}

// Takes the cases that `--split` holds out.
Exit split(const services::EvaluationRequest& request, engine::CasesTable& cases,
           engine::CasesTable& held_out, Terminal& terminal) {
  const size_t all = cases.rows.size();
  if (all < 2)
    return terminal.input_error(
        "`--split` needs two cases, and " + request.cases_path + " has " + std::to_string(all),
        "hold out cases of another file by `--held-out`");
  const size_t moved = engine::cases_in_share(all, *request.split);
  const services::Note note = services::split_note(cases, moved, "`--split-seed N` draws others");
  terminal.note(note.message, note.remedy);
  held_out = engine::split_cases(cases, moved, request.split_seed);
  return Exit::Success;
}

// The modules of candidates are known once these are read.
void say_left_out(const services::ProjectFiles& files, Terminal& terminal) {
  for (const std::string& path : files.left_out())
    terminal.note(path + " is no module of this run, which writes it",
                  "name another file to write, if candidates use it");
}

Exit evaluate_request(services::EvaluationRequest& request, const engine::CasesTable& cases,
                      const services::ProjectFiles& files, Interrupt& interrupt, NativeRun& native,
                      TierRun& tier, Terminal& terminal) {
  std::vector<const engine::CasesTable*> tables = {&cases};
  if (request.options.ranking.held_out != nullptr)
    tables.push_back(request.options.ranking.held_out);
  const Result<engine::Devices> opened = engine::open_devices(request.device);
  if (opened.problem()) return report_no_gpu(opened.problem(), terminal);
  const engine::Devices& devices = opened.value();
  engine::use_devices(devices, request.options.machines);
  services::CandidateInput input;
  RowSink rows(request, terminal.out);
  std::optional<services::EvaluatedSketch> sketch;
  if (const Exit read = open_sketch(request, cases, interrupt.token(), rows, terminal, sketch);
      read != Exit::Success)
    return read;
  if (const Exit stay = check_inputs_stay(outputs_of(request), files.left_out(), terminal);
      stay != Exit::Success)
    return stay;
  if (!sketch)
    if (const auto error = input.open(request.candidates, interrupt.token()))
      return terminal.input_error(error.message(), error.remedy());
  if (request.only_checks) return Exit::Success;
  rows.answer_ranks(input);

  engine::ResultLog log;
  const auto tell_wait = [&] {
    terminal.note("another run is writing " + request.log_path, "it is waited for");
  };
  if (const auto error = services::open_log(
          request, cases, kVersion, {.stop = interrupt.token(), .on_begin = tell_wait}, log)) {
    if (!error.is(ProblemKind::Stop)) return terminal.input_error(error.text());
    terminal.error("interrupted while the run that writes " + request.log_path + " was waited for");
    return Exit::Interrupted;
  }
  if (!request.log_path.empty()) request.options.details.log = &log;
  if (sketch) sketch->set_replay([&log] { return log.has_more(); });

  request.options.details.keeps_rest = true;
  BarSink bar(input, request.options.programs.shard.of, terminal, interrupt);
  engine::Results results;
  const auto start = std::chrono::steady_clock::now();
  std::optional<services::BestPrograms> best_programs;
  if (told_programs(request) != 0 && !sketch)
    best_programs.emplace(input.source(), rows, told_programs(request));
  engine::CandidateSource* candidates = sketch ? &sketch->source() : &input.source();
  engine::ResultSink* sink = &rows;
  if (sketch && sketch->sink() != nullptr) sink = sketch->sink();
  if (best_programs) {
    candidates = &*best_programs;
    sink = &*best_programs;
  }
  const auto error =
      engine::evaluate(*candidates, cases, request.options, results, sink, &bar, interrupt.token());
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  bar.clear();
  interrupt.work_ended();
  say_damages(log, terminal);
  if (error.is(ProblemKind::Device))
    return report_device_error(error.message(), error.remedy(), terminal);
  // If the log failed there are results, which must not be lost. A log with further lines belongs to another run, and
  // keeps them.
  const bool has_results = request.options.details.log != nullptr && results.typed &&
                           results.candidates() != 0 && !log.has_more();
  if (error && !has_results) {
    // If no case fits there are no results: the run may begin anew with other cases.
    if (request.options.details.log != nullptr && !results.typed) log.discard();
    return terminal.input_error(error.text());
  }
  if (interrupt.requested()) results.complete = false;
  const Problem problem = results.complete && !sketch ? input.problem() : Problem();
  if (results.candidates() == 0 && results.complete && sketch && sketch->is_late())
    return terminal.input_error("the time was up before a variant was done",
                                "give the search more of it, such as `--time 10`");
  // The ranking of no candidates is an answer, too.
  if (results.candidates() == 0 && results.complete && !problem && rows.has_answered_ranks())
    return Exit::Success;
  if (results.candidates() == 0 && results.complete && request.options.programs.shard.of == 1)
    return problem ? terminal.input_error(problem.message(), problem.remedy())
                   : terminal.input_error("there are no candidates",
                                          "give program files, a folder of them, or JSONL");
  const std::string gpus = devices.name();
  Exit exit = show_results({.request = request,
                            .results = results,
                            .rows = rows,
                            .gpu = gpus,
                            .sketch = sketch,
                            .best_programs = best_programs ? &*best_programs : nullptr,
                            .log = log,
                            .has_details = !error,
                            .tables = std::move(tables)},
                           interrupt, terminal);
  static_cast<void>(within_memory("what is to be noted is not said", terminal, [&] {
    say_notes(request, results, rows, terminal);
    say_left_out(files, terminal);
    return Exit::Success;
  }));
  if (error)
    exit = terminal.input_error(error.text());
  else if (!results.complete && exit != Exit::InputOutput)
    exit = interrupt.requested()        ? interrupted(request, results, terminal)
           : machine::is_memory_short() ? out_of_memory(request, results, terminal)
                                        : cut_short(request, results, terminal);
  if (problem) exit = terminal.input_error(problem.message(), problem.remedy());
  if (terminal.err.is_terminal())
    terminal.err.write(speed_line(time.count(), results.candidates(), input.bytes_read()));
  if (interrupt.requested()) {
    tier.tell();
    native.tell();
    end_process(terminal, exit);
  }
  return exit;
}

// Compiles the harness, and takes from it the settings that every candidate is run with.
Exit take_harness(services::EvaluationRequest& request, engine::ModuleLoader& modules,
                  Terminal& terminal) {
  engine::EvaluateOptions& options = request.options;
  const Exit opened = open_harness(request.harness_path, options.programs.entry, modules, terminal,
                                   options.programs.harness);
  if (opened != Exit::Success) return opened;
  const CodeView code = modules.library()[options.programs.harness].code.view();
  options.programs.signature =
      engine::signature_of(code, code.functions[code.find_function(options.programs.entry)]);
  if (request.cases_path.empty() && !options.programs.signature->names.empty())
    return terminal.input_error("`" + options.programs.entry + "` of the harness is " +
                                    options.programs.signature->text() + ", and there are no cases",
                                "give the rows that it is run with by `--cases FILE`");
  return Exit::Success;
}

static_assert(kCasesLimit.bytes == engine::kMaxCaseBytes);

Exit read_cases(const services::EvaluationRequest& request, const std::string& path,
                Interrupt& interrupt, Terminal& terminal, engine::CasesTable& out) {
  std::string bytes;
  Problem unread;
  Problem error;
  {
    const BarWatch bar(terminal, &interrupt, interrupt.token());
    unread = read_whole_file(path, kCasesLimit, bar, bytes);
    if (!unread && !bar.is_stopped())
      error = engine::read_cases(path, std::move(bytes), request.fields, out, bar);
  }
  if (unread) return terminal.input_error(unread.message(), unread.remedy());
  if (interrupt.requested()) {
    terminal.error("interrupted while " + path + " was read: no candidate has been run");
    end_process(terminal, Exit::Interrupted);
  }
  if (!error) return Exit::Success;
  terminal.error(error.text());
  return error.is(ProblemKind::Option) ? Exit::Usage : Exit::InputOutput;
}

}  // namespace

Exit run_evaluation(services::EvaluationKind kind, Args& args, Terminal& terminal) {
  services::EvaluationRequest request;
  if (const Problem problem = services::read_request(kind, args, request))
    return terminal.usage_error(request.command(), problem.message());
  NativeRun native(args, terminal);
  TierRun tier(args, terminal);
  if (!args.error().empty()) return terminal.usage_error(request.command(), args.error());
  request.options.machines.native = native.tier();
  request.options.machines.cheaper = tier.cheaper();
  if (request.optimised != 0)
    if (const Problem problem = services::ask_authors(request.authors, request.optimise))
      return report_model_problem(problem, terminal);

  Interrupt interrupt;
  const std::vector<Output> outputs = outputs_of(request);
  if (const Exit checked = check_outputs(outputs, inputs_of(request), terminal);
      checked != Exit::Success)
    return checked;
  // Modules are looked for beside the harness first.
  services::Project project(
      request.harness_path.empty() ? std::string(request.candidates[0]) : request.harness_path,
      {.stack_limit = request.options.limits.stack_limit});
  project.files().add_folder_of(std::string(request.candidates[0]));
  project.files().leave_out(paths_of(outputs));
  request.options.programs.modules = &project.modules();
  if (request.options.programs.fix)
    project.modules().load(standard_use_items());  // a fix may name any
  if (!request.harness_path.empty())
    if (const Exit opened = take_harness(request, project.modules(), terminal);
        opened != Exit::Success)
      return opened;
  engine::CasesTable cases = engine::single_case(), held_out;
  if (!request.cases_path.empty())
    if (const Exit read = read_cases(request, request.cases_path, interrupt, terminal, cases);
        read != Exit::Success)
      return read;
  if (!request.held_out_path.empty()) {
    if (const Exit read = read_cases(request, request.held_out_path, interrupt, terminal, held_out);
        read != Exit::Success)
      return read;
    request.options.ranking.held_out = &held_out;
    note_missing_columns(request, cases, held_out, terminal);
  }
  if (request.split) {
    if (const Exit done = split(request, cases, held_out, terminal); done != Exit::Success)
      return done;
    request.options.ranking.held_out = &held_out;
  }
  if (!request.fields.inputs.empty()) request.input_names = cases.columns;
  for (const services::Note& note :
       {services::names_note(cases), services::left_out_note(cases),
        services::left_out_note(held_out), services::constants_note(cases)})
    if (!note.message.empty()) terminal.note(note.message, note.remedy);
  return evaluate_request(request, cases, project.files(), interrupt, native, tier, terminal);
}

}  // namespace komuz::cli
