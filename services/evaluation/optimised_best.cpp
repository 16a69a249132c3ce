// SPDX-License-Identifier: Apache-2.0
#include "services/evaluation/optimised_best.h"

#include <nlohmann/json.hpp>

#include "engine/cases/signature.h"
#include "frontend_gpu/expand.h"
#include "lang/copy_code.h"
#include "lang/reached_functions.h"
#include "lang/text/code_file.h"
#include "neural/decode/open_model.h"
#include "neural/optimise/optimise.h"

namespace komuz::services {
namespace {

// One of the best, compiled once more.
class Recompiled {
 public:
  Recompiled(const EvaluationRequest& request, const RankedProgram& program,
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
  [[nodiscard]] NamedSource source_of(u32 place) {
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

OptimisedBest optimise_best(const EvaluationRequest& request,
                            std::span<const RankedProgram> programs,
                            const frontend::Options& compiling, const OptimiseEvents& events) {
  OptimisedBest out;
  neural::OptimiseOptions options = request.optimise;
  options.threads = request.options.machines.threads;
  nlohmann::ordered_json objects = nlohmann::ordered_json::array();
  for (const RankedProgram& program : programs) {
    Recompiled compiled(request, program, compiling);
    const std::vector<u32> functions = compiled.refusal().empty()
                                           ? reached_functions(compiled.code(), compiled.entry())
                                           : std::vector<u32>();
    neural::Optimised optimised;
    if (compiled.refusal().empty()) {
      events.watch([&](const engine::Watch& watch) {
        options.watch = &watch;
        optimised = neural::optimise(compiled.code(), functions, options);
      });
    } else {
      optimised = refused(compiled.refusal());
    }
    OptimisedProgram shown{
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
    if (events.on_program) events.on_program(shown);
    const nlohmann::ordered_json found = optimised_json(shown);
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

Problem ask_authors(Authors authors, neural::OptimiseOptions& options) {
  options.by_teacher = authors == Authors::Teacher || authors == Authors::All;
  if (authors != Authors::Model && authors != Authors::All) return {};
  Result<const neural::Model*> model = neural::open_model();
  if (model.problem()) return std::move(model).problem();
  options.model = model.value();
  return {};
}

std::string code_file_of(const Code& code) {
  std::vector<u8> bytes;
  write_code_file(code.view(), bytes);
  return {bytes.begin(), bytes.end()};
}

}  // namespace komuz::services
