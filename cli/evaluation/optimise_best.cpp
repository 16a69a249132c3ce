// SPDX-License-Identifier: Apache-2.0
#include "cli/evaluation/optimise_best.h"

#include <nlohmann/json.hpp>

#include "cli/files/file_writer.h"
#include "cli/terminal/bar_watch.h"
#include "engine/cases/signature.h"
#include "frontend_gpu/expand.h"
#include "lang/copy_code.h"
#include "lang/reached_functions.h"
#include "lang/text/code_file.h"
#include "neural/optimise/optimise.h"
#include "services/results/optimised_text.h"

namespace komuz::cli {
namespace {

// One of the best, compiled once more.
class Recompiled {
 public:
  Recompiled(const services::EvaluationRequest& request, const services::RankedProgram& program,
             const frontend::Options& compiling)
      : id_(program.id), text_(program.text), options_(compiling), compiler_(compiling) {
    compiler_.compile(text_, made_);
    const engine::ProgramOptions& programs = request.options.programs;
    // A log does not keep what edits made of it.
    if (!made_.ok && programs.fix) {
      text_ = programs.fix(compiler_, text_, {}).text;
      compiler_.compile(text_, made_);
    }
    if (!made_.ok) {
      refusal_ = "it does not compile by itself";
      return;
    }
    const bool is_stated = programs.signature && programs.harness == kNoModule;
    const engine::EntryChoice entry =
        is_stated ? engine::choose_entry(code(), programs.entry, *programs.signature)
                  : engine::choose_entry(code(), programs.entry);
    refusal_ = entry.refusal;
    if (refusal_.empty()) entry_ = static_cast<u32>(entry.function);
  }

  [[nodiscard]] CodeView code() const { return made_.code.view(); }
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  [[nodiscard]] u32 entry() const { return entry_; }
  [[nodiscard]] services::NamedSource source_of(u32 place) {
    if (file_of(place) == 0) return {id_, text_};
    const Module* const module =
        frontend::module_of_place(place, compiler_, text_, *options_.library, options_.harness);
    if (module == nullptr) return {id_, {}};
    return {module->file, module->text};
  }

 private:
  std::string_view id_;
  std::string text_;
  const frontend::Options& options_;
  frontend::Compiler compiler_;
  frontend::Compilation made_;
  std::string refusal_;
  u32 entry_ = 0;
};

neural::Optimised refused(std::string why) {
  neural::Optimised none;
  none.refusal = std::move(why);
  return none;
}

}  // namespace

OptimisedBest optimise_best(const services::EvaluationRequest& request,
                            std::span<const services::RankedProgram> programs,
                            const frontend::Options& compiling, Interrupt& interrupt,
                            Terminal& terminal) {
  OptimisedBest out;
  neural::OptimiseOptions options = request.optimise;
  options.threads = request.options.machines.threads;
  nlohmann::ordered_json objects = nlohmann::ordered_json::array();
  for (const services::RankedProgram& program : programs) {
    Recompiled compiled(request, program, compiling);
    const std::vector<u32> functions = compiled.refusal().empty()
                                           ? reached_functions(compiled.code(), compiled.entry())
                                           : std::vector<u32>();
    neural::Optimised optimised;
    if (compiled.refusal().empty()) {
      const BarWatch bar(terminal, &interrupt, interrupt.token());
      options.watch = &bar;
      optimised = neural::optimise(compiled.code(), functions, options);
    } else {
      optimised = refused(compiled.refusal());
    }
    services::OptimisedProgram shown{
        .program = {program.id, compiled.code(),
                    [&compiled](u32 place) { return compiled.source_of(place); }},
        .optimised = optimised,
        .executed = {},
        .seed = options.judge.seed,
        .shows_code = false};
    if (!optimised.cheaper.empty())
      shown.executed.push_back(
          {compiled.entry(),
           neural::count_executed(compiled.code(), optimised.code.view(), compiled.entry(),
                                  neural::kCountedInputs, shown.seed, neural::kCountedTicks)});
    if (request.shows_table()) {
      terminal.out.write(services::optimised_text(shown, terminal.out.style()));
      terminal.out.flush();
    }
    const nlohmann::ordered_json found = services::optimised_json(shown);
    nlohmann::ordered_json object = {{"id", program.id}};
    for (const auto& [name, value] : found.items())
      if (name != "file") object[name] = value;
    objects.push_back(std::move(object));
    out.is_interrupted = optimised.is_interrupted;
    if (&program == programs.data()) {
      if (!compiled.refusal().empty())
        out.why_no_code = program.id + ": " + compiled.refusal();
      else if (out.is_interrupted)
        out.why_no_code =
            "the best program was not optimised to the end: its bytecode is not written";
      else
        out.code = std::move(optimised.code);
    }
    if (out.is_interrupted) break;
  }
  out.json = objects.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return out;
}

Exit write_best_code(const std::string& path, const OptimisedBest& best, Terminal& terminal) {
  if (!best.code) {
    terminal.error(best.why_no_code);
    return best.is_interrupted ? Exit::Interrupted : Exit::Failure;
  }
  std::vector<u8> bytes;
  write_code_file(best.code->view(), bytes);
  const auto error = write_file(path, std::string(bytes.begin(), bytes.end()));
  return error ? terminal.input_error(error.message(), error.remedy()) : Exit::Success;
}

}  // namespace komuz::cli
