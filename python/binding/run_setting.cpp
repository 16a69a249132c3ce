// SPDX-License-Identifier: Apache-2.0
#include "python/binding/run_setting.h"

#include <algorithm>
#include <utility>

#include "engine/cases/signature.h"
#include "engine/cases/split_cases.h"
#include "mend/standard_uses.h"
#include "python/binding/problems.h"
#include "services/evaluation/evaluation_log.h"
#include "services/evaluation/optimised_best.h"
#include "services/files/files.h"
#include "services/files/open_harness.h"
#include "services/options/environment.h"
#include "services/results/native_text.h"
#include "services/results/tier_text.h"

namespace komuz::python {
namespace {

size_t choice_of(services::Args& args, std::string_view option, const char* variable,
                 std::string_view usual) {
  const std::string_view set = services::environment_value(variable);
  return args.choice(option, set.empty() ? usual : set);
}

// Modules are looked for beside the harness first, as for a command line.
std::string first_path(const std::vector<std::string>& words, bool has_paths) {
  const auto harness = std::ranges::find(words, "--harness");
  if (harness != words.end() && harness + 1 != words.end()) return *(harness + 1);
  return has_paths ? words.front() : std::string();
}

}  // namespace

RunSetting::RunSetting(Session& session, services::EvaluationKind kind,
                       const std::vector<std::string>& words, bool has_paths)
    : words_(words.begin(), words.end()), project(first_path(words, has_paths)) {
  if (std::string wrong = services::environment_error(); !wrong.empty())
    raise(option_problem(std::move(wrong), ""));
  project.files().add_folder_of(has_paths ? words.front() : std::string());
  const std::vector<std::string_view> views(words_.begin(), words_.end());
  services::Args args(services::evaluation_options(kind), views);
  if (Problem wrong = services::read_request(kind, args, request))
    raise(option_problem(wrong.message(), wrong.remedy()));
  // They are kept in memory in any case, as are all rows.
  request.options.details.keep_details = true;
  request.options.details.rows_without_memory = 0;
  const size_t native = choice_of(args, services::kNativeOption.name, "KOMUZ_NATIVE", "auto");
  const size_t cheaper = choice_of(args, services::kTierOption.name, "KOMUZ_TIER", "hybrid");
  says_stats_ = args.has(services::kRankingStatsOption.name);
  if (!args.error().empty()) raise(option_problem(args.error(), ""));
  if (request.optimised != 0) raise(services::ask_authors(request.authors, request.optimise));
  native_ = session.native(static_cast<engine::NativeChoice>(native));
  tier_.emplace(static_cast<neural::TierChoice>(cheaper));
  request.options.machines.native = native_.get();
  if (tier_->choice() != neural::TierChoice::Traditional)
    request.options.machines.cheaper = &*tier_;
}

void RunSetting::read(GivenTables given, const std::stop_token& stop) {
  engine::ModuleLoader& modules = project.modules();
  request.options.programs.modules = &modules;
  if (request.options.programs.fix) modules.load(standard_use_items());  // a fix may name any
  if (!request.harness_path.empty()) take_harness(modules);
  read_cases(std::move(given), stop);
}

void RunSetting::take_harness(engine::ModuleLoader& modules) {
  const std::string& path = request.harness_path;
  std::string& entry = request.options.programs.entry;
  const services::OpenedHarness opened = value_of(services::open_harness(path, entry, modules));
  if (opened.needs_too_many)
    raise(input_problem({path}, std::string(engine::ModuleLoader::kTooMany),
                        "leave some out, or join some into one"));
  using Kind = services::HarnessProblem::Kind;
  if (opened.fault.kind == Kind::HasErrors)
    raise(input_problem({path}, "the harness has errors", "`komuz check` shows them"));
  if (opened.fault.kind != Kind::None)
    raise(input_problem({}, opened.fault.message, opened.fault.remedy + opened.fault.by_option));
  request.options.programs.harness = opened.number;
  const CodeView code = modules.library()[opened.number].code.view();
  request.options.programs.signature =
      engine::signature_of(code, code.functions[code.find_function(entry)]);
  if (request.cases_path.empty() && !request.options.programs.signature->names.empty())
    raise(input_problem({},
                        "`" + entry + "` of the harness is " +
                            request.options.programs.signature->text() + ", and there are no cases",
                        "give the rows that it is run with as cases"));
}

void RunSetting::read_table(std::optional<GivenCases> given, const std::string& path,
                            const std::stop_token& stop, engine::CasesTable& table) {
  std::string bytes;
  if (!given) raise(services::read_file(path, bytes, engine::kMaxCaseBytes));
  const engine::Watch watch(stop);
  const Problem problem =
      given && given->columns
          ? engine::read_given_cases(given->name, given->columns, request.fields, table, watch)
          : engine::read_cases(given ? given->name : path,
                               given ? std::move(given->text) : std::move(bytes), request.fields,
                               table, watch);
  if (!stop.stop_requested()) raise(problem);
}

void RunSetting::read_cases(GivenTables given, const std::stop_token& stop) {
  cases = engine::single_case();
  if (!request.cases_path.empty())
    read_table(std::move(given.cases), request.cases_path, stop, cases);
  if (!request.held_out_path.empty()) {
    read_table(std::move(given.held_out), request.held_out_path, stop, held_out);
    request.options.ranking.held_out = &held_out;
  }
  if (request.split) {
    const size_t all = cases.rows.size();
    if (all < 2)
      raise(input_problem({}, "`--split` needs two cases, and there is one",
                          "hold out other cases by `--held-out`"));
    const size_t moved = engine::cases_in_share(all, *request.split);
    notes.push_back(services::split_note(cases, moved, "`--split-seed N` draws others"));
    held_out = engine::split_cases(cases, moved, request.split_seed);
    request.options.ranking.held_out = &held_out;
  }
  if (!request.fields.inputs.empty()) request.input_names = cases.columns;
  for (services::Note note : {services::names_note(cases), services::left_out_note(cases),
                              services::left_out_note(held_out), services::constants_note(cases)})
    notes.push_back(std::move(note));
}

void RunSetting::open_machines() {
  engine::use_devices(devices_.emplace(value_of(engine::open_devices(request.device))),
                      request.options.machines);
}

void RunSetting::open_log(const std::stop_token& stop) {
  if (request.log_path.empty()) return;
  raise(services::open_log(request, cases, KOMUZ_VERSION,
                           {.time = {}, .stop = stop, .on_begin = {}}, log.emplace()));
  request.options.details.log = &*log;
}

void RunSetting::close() {
  if (says_stats_ && tier_)
    stats_ = (native_ ? services::native_text(*native_) : "") + services::tier_text(*tier_);
  if (log) notes.push_back(services::damages_note(*log));
  request.options.details.log = nullptr;
  request.options.details.rows_mutex = nullptr;
  request.options.machines = {};
  cases = held_out = {};
  log.reset();
  devices_.reset();
  tier_.reset();
  native_.reset();
}

std::vector<services::Note> RunSetting::notes_on(const engine::Results& results) const {
  std::vector<services::Note> all = notes;
  all.push_back(services::exact_note(results));
  all.push_back(services::scale_note(results));
  if (results.typed && request.harness_path.empty())
    all.push_back(services::order_note(results, request.input_names));
  return all;
}

}  // namespace komuz::python
