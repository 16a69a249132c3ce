// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/variants.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/counts.h"
#include "engine/report.h"
#include "engine/single_run.h"
#include "engine/value_text.h"
#include "repl/text_styles.h"
#include "services/display_text.h"

namespace komuz::repl {

namespace {

using Json = nlohmann::ordered_json;

Answer input_error(const Input& input, const engine::InputError& error) {
  if (error.file.empty()) return refused(input, error.text());
  Answer answer = refused(input, {});
  answer.text = "error: " + error.text() + "\n";
  return answer;
}

bool is_sampled(const VariantSettings& settings, const engine::VariantCount& count) {
  return settings.choice.samples || !count.is_exact || count.exact > VariantSettings::kMostVariants;
}
engine::VariantChoice choice_of(const VariantSettings& settings,
                                const engine::VariantCount& count) {
  engine::VariantChoice choice = settings.choice;
  if (is_sampled(settings, count) && !choice.samples) choice.samples = VariantSettings::kSample;
  return choice;
}

std::string variants_text(const engine::VariantCount& count) {
  return engine::count_text(count) +
         (count.is_exact && count.exact == 1 ? " variant" : " variants");
}

void add_program(Json& object, LineSketch& line, const engine::Decisions& decisions) {
  object["program"] = line.line_text(decisions);
  object["decisions"] = Json::array();
  for (const LineSketch::Decided& decided : line.decided_elsewhere(decisions))
    object["decisions"].push_back(
        {{"name", decided.name.empty() ? Json(nullptr) : Json(decided.name)},
         {"text", decided.text}});
}

// What a plain program gives, as text and JSON; or what is wrong, as text alone.
struct RunText {
  std::string text, json;
};
RunText run_once(frontend::Compiler& compiler, const std::string& source, std::string_view entry,
                 u64 fuel, const std::stop_token& stop) {
  frontend::Compilation program;
  compiler.compile(source, program);
  if (!program.ok) return {"does not compile", {}};
  const CodeView code = program.code.view();
  const size_t function = code.find_function(entry);
  engine::SingleRun run;
  engine::run_single(code, static_cast<u32>(function), {}, fuel, run, &stop);
  if (run.trap != Trap::None) return {"trap " + std::string(trap_name(run.trap)), {}};
  const std::string_view type = code.result_type(code.functions[function]);
  RunText out;
  engine::print_value(out.text, type, run.value, engine::ValueStyle::Source);
  engine::print_value(out.json, type, run.value, engine::ValueStyle::Json);
  return out;
}

}  // namespace

bool Variants::names_column(std::string_view text) const {
  if (!cases_.is_there()) return false;
  return std::ranges::any_of(words_of(text),
                             [&](std::string_view word) { return cases_.has_parameter(word); });
}

bool Variants::runs_once() const {
  return !cases_.is_there() && !engine::is_value_score(settings_.score);
}

const engine::Device& Variants::device() {
  if (!device_) device_ = engine::open_device(settings_.device);
  return *device_;
}

// No word of the line, of what it needs, or of the cases.
std::string Variants::function_name(std::string_view text) const {
  std::string taken(text);
  for (const auto& definition : session_.definitions().all()) taken += " " + definition->name;
  for (const services::SnippetName& parameter : cases_.parameters()) taken += " " + parameter.name;
  const std::vector<std::string_view> words = words_of(taken);
  std::string name = "variant";
  for (u32 k = 2; std::ranges::find(words, name) != words.end(); ++k)
    name = "variant" + std::to_string(k);
  return name;
}

std::unique_ptr<LineSketch> Variants::read_line(const Input& input, Answer& answer) {
  const std::string function = function_name(input.text);
  Session::LineProgram program;
  if (!session_.write_program(input, cases_.parameters(), function, program, answer)) return {};
  std::optional<engine::SketchProgram> sketch =
      engine::read_sketch(program.source, {.library = &session_.modules().library()});
  if (!sketch) {
    answer = refused(input, "what this becomes does not compile");
    return {};
  }
  return std::make_unique<LineSketch>(std::move(*sketch), program, function);
}

Answer Variants::evaluate(const Input& input, const std::stop_token& stop) {
  Answer answer;
  std::unique_ptr<LineSketch> line = read_line(input, answer);
  if (!line && names_column(input.text))
    answer.note += "columns are " + cases_.types() + "; `:cases " + cases_.file() +
                   " (…)` gives them other types\n";
  if (!line) return answer;
  const engine::VariantCount count = line->plan().count();
  if (count.is_exact && count.exact == 0)
    return refused(input,
                   "this has no variants; a space needs an alternative without its own name");
  line_ = std::move(line);
  results_.reset();
  listed_.clear();
  if (runs_once()) {
    answer = list_values(stop);
  } else {
    engine::SketchCandidates candidates(line_->sketch().source, line_->plan(),
                                        choice_of(settings_, count));
    answer = run(input, candidates, options(), nullptr, stop);
  }
  return answer;
}

bool Variants::check(const Input& input, std::string& type, Answer& answer) {
  const std::unique_ptr<LineSketch> line = read_line(input, answer);
  if (!line) return false;
  type = line->type();
  if (engine::has_decisions(line->plan().sketch()))
    type += ", " + variants_text(line->plan().count());
  return true;
}

Answer Variants::search(const Input& words, const engine::SearchOptions& options,
                        const std::stop_token& stop) {
  if (runs_once())
    return refused(words,
                   "a search needs a score: `:cases FILE`, or `:score maximize` where the line is "
                   "worth one");
  engine::EvaluateOptions how = this->options();
  how.epoch = how.device_epoch = options.population;
  how.sink_needs_rows = true;
  if (engine::learns_from_cases(options.kind)) how.case_scores = engine::CaseScores::ForSink;
  engine::SearchCandidates candidates(line_->sketch().source, line_->plan(), options);
  Answer answer = run(words, candidates, how, &candidates, stop);
  if (answer.kind != AnswerKind::Variants) return answer;
  answer.text += services::search_line(candidates);
  Json members = Json::parse(answer.members);
  members["generations"] = candidates.generations();
  members["exhausted"] = candidates.is_exhausted();
  answer.members = members.dump();
  return answer;
}

engine::EvaluateOptions Variants::options() {
  engine::EvaluateOptions options;
  options.entry = line_->entry();
  options.word = engine::RunWord::Line;
  options.score = settings_.score;
  options.tolerance = settings_.tolerance;
  options.fuel = session_.fuel();
  options.modules = &session_.modules();
  options.sketch = &line_->sketch();
  options.keep_details = settings_.keeps_details;
  options.ranks_later = style_.columns.has_value();  // somebody waits
  if (options.ranks_later) options.best_rows = settings_.top;
  options.compiler = device().compiler.get();
  options.device = device().warps.get();
  return options;
}

Answer Variants::run(const Input& input, engine::CandidateSource& candidates,
                     engine::EvaluateOptions options, engine::ResultSink* sink,
                     const std::stop_token& stop) {
  const engine::CasesTable once = engine::single_case();
  auto results = std::make_unique<engine::Results>();
  engine::MaybeError error;
  {
    const std::unique_ptr<engine::ProgressSink> progress =
        make_progress_ ? make_progress_() : nullptr;
    error = engine::evaluate(candidates, cases_.is_there() ? cases_.table() : once, options,
                             *results, sink, progress.get(), stop);
  }
  if (error) return input_error(input, *error);
  results_ = std::move(results);
  ranked_ = options.best_rows;
  Answer answer;
  tell_ranking(services::TableRows::Best, answer);
  if (!results_->complete)
    answer.note = "interrupted after " + counted(results_->candidates(), "variant") + "\n";
  return answer;
}

const engine::Results* Variants::results() {
  if (results_) engine::rank_all(*results_);
  return results_.get();
}

engine::Decisions Variants::decisions_of(std::string_view id) const {
  engine::Decisions decisions;
  const bool is_known = engine::read_variant_name(line_->plan(), id, decisions).empty();
  return is_known ? decisions : engine::Decisions();
}

void Variants::tell_ranking(services::TableRows which, Answer& answer) {
  const bool is_head =
      results_->head && which == services::TableRows::Best && settings_.top <= ranked_;
  const engine::Results& results = is_head ? *results_->head : *this->results();
  const std::vector<u32> shown = services::shown_rows(results, which, settings_.top);
  const services::ProgramText programs = [&](u32 row) {
    const engine::Decisions decisions = decisions_of(results.id(row));
    return decisions.empty() ? std::string() : line_->whole_text(decisions);
  };
  frontend::Compiler lexer;
  services::PaintProgram paint;
  if (style_.style.colors)
    paint = [&](std::string_view program) { return colored(lexer, program); };
  answer.kind = AnswerKind::Variants;
  answer.text =
      services::ranking_table(results, shown, style_.columns, style_.style, programs, paint) +
      services::counts_line(results);
  if (which == services::TableRows::ParetoFront) answer.text += services::front_line(results);
  const engine::VariantCount count = line_->plan().count();
  if (!count.is_exact || count.exact > results.candidates())
    answer.text +=
        "of " + variants_text(count) + "; `:samples N` draws more, `:search` looks for good ones\n";
  Json members;
  members["type"] = line_->type();
  members["variants"] = count.is_exact ? Json(count.exact) : Json(nullptr);
  members["evaluated"] = results.candidates();
  members["cases"] = results.cases;
  members["complete"] = results_->complete;
  members["score"] = engine::score_name(results.score);
  members["ranking"] = Json::array();
  for (const u32 row : shown) {
    std::string text;
    engine::write_row_json(text, results, row);
    Json& object = members["ranking"].emplace_back(Json::parse(text));
    add_program(object, *line_, decisions_of(results.id(row)));
  }
  answer.members = members.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Answer Variants::ranking(const Input& words, services::TableRows which) {
  if (!results_)
    return refused(
        words,
        "no line has been ranked; a line with holes is, on `:cases FILE` or by `:score maximize`");
  Answer answer;
  tell_ranking(which, answer);
  return answer;
}

Answer Variants::show_again(const Input& words, const std::stop_token& stop) {
  if (results_ || !runs_once()) return ranking(words, services::TableRows::Best);
  return list_values(stop);
}

std::string Variants::whole_name(std::string_view shown, std::string& out) const {
  constexpr std::string_view kCut = "…";
  out = shown;
  if (!shown.ends_with(kCut)) return {};
  const std::string_view start = shown.substr(0, shown.size() - kCut.size());
  std::set<std::string_view> found;
  const auto look_at = [&](std::string_view name) {
    if (name.starts_with(start)) found.insert(name);
  };
  for (const std::string& name : listed_) look_at(name);
  if (results_) {
    const engine::Results& shown_last = results_->head ? *results_->head : *results_;
    for (const u32 row : shown_last.ranking)
      if (shown_last.rows[row].duplicate_of == engine::kNone) look_at(shown_last.id(row));
  }
  if (found.size() == 1) {
    out = *found.begin();
    return {};
  }
  return "`" + std::string(shown) + "` is the beginning of " +
         (found.empty() ? "no name" : counted(found.size(), "name")) +
         " of a variant that was looked at; JSON has whole ones, as of `:export FILE.json`";
}

Answer Variants::list_values(const std::stop_token& stop) {
  const engine::VariantCount count = line_->plan().count();
  engine::VariantChoice choice = choice_of(settings_, count);
  if (choice.samples) choice.samples = std::min<u64>(*choice.samples, settings_.top);
  engine::SketchCandidates candidates(line_->sketch().source, line_->plan(), choice);
  engine::CandidateBatch batch;
  candidates.read(batch, settings_.top);
  frontend::Compiler compiler({.library = &session_.modules().library()});
  Answer answer;
  answer.kind = AnswerKind::Variants;
  Json members;
  members["type"] = line_->type();
  members["variants"] = count.is_exact ? Json(count.exact) : Json(nullptr);
  members["values"] = Json::array();
  listed_.clear();
  std::vector<std::array<std::string, 3>> lines;
  std::vector<bool> has_value;
  std::array<size_t, 2> widths{};
  for (const engine::Candidate& candidate : batch.rows) {
    const engine::Decisions decisions(candidate.decisions.begin(), candidate.decisions.end());
    const RunText run = candidate.error.empty() ? run_once(compiler, line_->program_text(decisions),
                                                           line_->entry(), session_.fuel(), stop)
                                                : RunText{std::string(candidate.error), {}};
    if (stop.stop_requested()) break;
    listed_.emplace_back(candidate.id);
    lines.push_back({services::fitted(candidate.id, services::kShortIdWidth), run.text,
                     line_->whole_text(decisions)});
    has_value.push_back(!run.json.empty());
    for (size_t k = 0; k < widths.size(); ++k)
      widths[k] = std::max(widths[k], services::shown_width(lines.back()[k]));
    Json& value = members["values"].emplace_back(Json{{"id", candidate.id}});
    value["value"] = run.json.empty() ? Json(nullptr) : Json::parse(run.json);
    add_program(value, *line_, decisions);
    if (run.json.empty()) value["problem"] = run.text;
  }
  if (stop.stop_requested()) answer.note = "interrupted\n";
  for (size_t row = 0; row < lines.size(); ++row) {
    const auto& line = lines[row];
    std::string text;
    for (size_t k = 0; k < widths.size(); ++k)
      text += line[k] + std::string(widths[k] - services::shown_width(line[k]) + 2, ' ');
    text = services::fitted(text + line[2], style_.columns.value_or(~0u));
    const size_t number = std::min(line[0].size(), text.size());
    if (style_.style.colors && has_value[row])
      text.replace(number, std::string::npos, colored(compiler, text.substr(number)));
    answer.text += text + "\n";
  }
  answer.text += lines.size() == count.exact && count.is_exact
                     ? variants_text(count) + "\n"
                     : grouped(lines.size()) + " of " + variants_text(count) +
                           "; `:cases FILE` or `:score maximize` ranks them\n";
  answer.members = members.dump(-1, ' ', false, Json::error_handler_t::replace);
  return answer;
}

engine::WriteDetails Variants::details(const std::stop_token& stop) {
  return [this, stop](std::string& out, u32 row) {
    engine::Decisions decisions;
    engine::Results one;
    const bool is_kept =
        settings_.keeps_details ||
        !engine::read_variant_name(line_->plan(), results_->id(row), decisions).empty() ||
        evaluate_one(decisions, engine::CaseScores::None, stop, one).has_value() ||
        one.rows.size() != 1;
    if (is_kept)
      engine::write_details_json(out, *results_, row);
    else
      engine::write_details_json(out, one, 0);
  };
}

engine::MaybeError Variants::evaluate_one(const engine::Decisions& decisions,
                                          engine::CaseScores scores, const std::stop_token& stop,
                                          engine::Results& out) {
  const std::string id = engine::variant_name(line_->plan(), decisions);
  const engine::Candidate candidate{id, line_->sketch().source, {}, decisions};
  engine::CandidateList list({&candidate, 1});
  engine::EvaluateOptions how = options();
  how.case_scores = scores;
  how.keep_details = true;
  const engine::CasesTable once = engine::single_case();
  return engine::evaluate(list, cases_.is_there() ? cases_.table() : once, how, out, nullptr,
                          nullptr, stop);
}

}  // namespace komuz::repl
