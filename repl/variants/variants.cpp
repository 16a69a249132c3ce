// SPDX-License-Identifier: Apache-2.0
#include "repl/variants/variants.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/counts.h"
#include "base/machine/memory.h"
#include "engine/results/report.h"
#include "engine/support/json_text.h"
#include "engine/testing/single_run.h"
#include "engine/values/value_text.h"
#include "mend/builtin_words.h"
#include "mend/source_text.h"
#include "repl/definitions.h"
#include "repl/input.h"
#include "repl/text_styles.h"
#include "services/display_text.h"
#include "services/editor/head_lines.h"
#include "services/results/fitted_line.h"
#include "services/results/ranked_name.h"

namespace komuz::repl {

namespace {

Answer input_error(const Input& input, const Problem& error) {
  if (error.place().file.empty()) return refused(input, error.text());
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

// The fields of objects are written as text: a tree of values allocates when it goes, and ends the process where memory is short.
void add_text(std::string& out, std::string_view name, std::string_view text) {
  out.append(", \"").append(name).append("\": ");
  engine::append_json_string(out, text);
}
void add_field(std::string& out, std::string_view name, std::string_view json) {
  out.append(", \"").append(name).append("\": ").append(json);
}
// … and the last ones of an object.
void end_with_program(std::string& out, LineSketch& line, const engine::Decisions& decisions) {
  add_text(out, "program", line.line_text(decisions));
  add_field(out, "decisions", "[");
  bool is_first = true;
  for (const services::Decided& decided : line.decided_elsewhere(decisions)) {
    out += std::exchange(is_first, false) ? "{\"name\": " : ", {\"name\": ";
    if (decided.name.empty())
      out += "null";
    else
      engine::append_json_string(out, decided.name);
    add_text(out, "text", decided.text);
    out += '}';
  }
  out += "]}";
}

RunText run_once(frontend::Compiler& compiler, const std::string& source, std::string_view entry,
                 u64 fuel, const std::stop_token& stop) {
  frontend::Compilation program;
  compiler.compile(source, program);
  if (!program.ok) return {"does not compile", {}};
  const CodeView code = program.code.view();
  const size_t function = code.find_function(entry);
  engine::SingleRun run;
  engine::run_single(code, static_cast<u32>(function), {}, fuel, run, &stop);
  if (run.trap != Trap::None) return {"trap " + std::string(trap_name(run.trap)), {}, run.trap};
  const std::string_view type = code.result_type(code.functions[function]);
  RunText out;
  engine::print_value(out.text, type, run.value, engine::ValueStyle::Source);
  engine::print_value(out.json, type, run.value, engine::ValueStyle::Json);
  return out;
}

// Reports the best score so far. `next`: a further listener for rows; null: none.
class BestSink final : public engine::ResultSink {
 public:
  BestSink(engine::ResultSink* next, VariantProgress* progress)
      : next_(next), progress_(progress) {}

  void on_result(const engine::Results& results, u32 row) override {
    if (next_ != nullptr) next_->on_result(results, row);
    const engine::ResultRow& r = results.rows[row];
    if (progress_ == nullptr || !r.scored || std::isnan(r.score)) return;
    const bool is_better =
        engine::is_larger_better(results.score) ? r.score > best_ : r.score < best_;
    if (std::exchange(has_best_, true) && !is_better) return;
    best_ = r.score;
    progress_->on_best(services::score_text(results.score, r));
  }
  [[nodiscard]] bool needs_best_alone() const override {
    return next_ == nullptr || next_->needs_best_alone();
  }

 private:
  engine::ResultSink* next_;
  VariantProgress* progress_;
  bool has_best_ = false;
  f64 best_ = 0;
};

// True for a `=` that is no part of a comparison or of `=>`.
bool assigns(std::string_view text) {
  for (size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    const char before = at == 0 ? ' ' : text[at - 1];
    const char behind = at + 1 == text.size() ? ' ' : text[at + 1];
    if (behind == '=') {
      ++at;
      continue;
    }
    if (behind != '>' && before != '<' && before != '>' && before != '!') return true;
  }
  return false;
}

}  // namespace

bool Variants::names_column(std::string_view text) const {
  if (!cases_.is_there()) return false;
  return std::ranges::any_of(words_of(text),
                             [&](std::string_view word) { return cases_.has_parameter(word); });
}

bool Variants::may_name_column(std::string_view text) const {
  if (!cases_.is_there()) return false;
  return std::ranges::any_of(words_of(text), [&](std::string_view word) {
    return std::ranges::any_of(cases_.parameters(), [word](const services::SnippetName& column) {
      return is_same_but_for_case(column.name, word);
    });
  });
}

// A variable or definition of the session takes precedence.
bool Variants::is_hidden_constant(std::string_view name) const {
  return cases_.has_parameter(name) && names_builtin_constant(name) &&
         session_.variables().find(name) == nullptr &&
         session_.definitions().find_name(name) == nullptr;
}

bool Variants::hides_constant(std::string_view text) const {
  if (!cases_.is_there() || starts_item(text) || assigns(text)) return false;
  const std::vector<std::string_view> words = words_of(text);
  return std::ranges::find(words, "let") == words.end() &&
         std::ranges::any_of(words,
                             [&](std::string_view word) { return is_hidden_constant(word); });
}

void Variants::imply_score() {
  using engine::ScoreKind;
  const std::string_view type = line_ ? std::string_view(line_->type()) : cases_.expected();
  const bool is_squared = cases_.is_there() && !settings_.score &&
                          (type == "f64" || type == "f32") && !cases_.has_tolerances();
  implied_score_ = is_squared ? ScoreKind::SquaredError : ScoreKind::Exact;
}

std::optional<services::LiveSession::Cases> Variants::live_cases(
    const std::optional<services::LiveSession::Cases>& known) const {
  if (!cases_.is_there() || engine::is_value_score(score())) return std::nullopt;
  services::LiveSession::Cases out;
  out.file = cases_.file();
  const bool is_known = known && *known->bytes == cases_.bytes();
  out.bytes = is_known ? known->bytes : std::make_shared<const std::string>(cases_.bytes());
  out.output = cases_.named_target();
  out.form = cases_.reading().form;
  out.inputs = cases_.reading().inputs;
  out.score = score();
  out.tolerance = settings_.tolerance;
  out.measure = settings_.measure;
  out.top = static_cast<u32>(std::min<size_t>(settings_.top, services::kMostTop));
  return out;
}

std::string Variants::follow_score() {
  imply_score();
  if (std::exchange(told_score_, implied_score_) == implied_score_ || settings_.score ||
      !cases_.is_there())
    return {};
  return implied_score_ == engine::ScoreKind::SquaredError
             ? "floats are ranked by squared errors; `:score exact 1e-9` counts right cases\n"
             : "lines are ranked by the number of right cases\n";
}

bool Variants::runs_once() const { return !cases_.is_there() && !engine::is_value_score(score()); }

Problem Variants::open_devices() {
  if (devices_) return {};
  Result<engine::Devices> opened = engine::open_devices(settings_.device);
  Problem problem = opened.problem();
  devices_ = problem ? engine::Devices() : std::move(opened).value();
  return problem;
}

const engine::Devices& Variants::devices() {
  static_cast<void>(open_devices());
  return *devices_;
}

// No word of the line, of its definitions, or of the cases.
std::string Variants::function_name(std::string_view text) const {
  std::string taken(text);
  for (const Definition& definition : session_.definitions().all()) taken += " " + definition.name;
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
  if (!line && may_name_column(input.text))
    answer.note += "columns are " + cases_.types() + "; `:cases " + cases_.file() +
                   " (…)` gives them other types\n";
  if (!line) return answer;
  const engine::VariantCount count = line->plan().count();
  if (count.is_exact && count.exact == 0)
    return refused(input,
                   "this has no variants; a space needs an alternative without its own name");
  if (line->plan().is_too_large())
    return refused(input,
                   "every variant of this has more than 65,536 decisions; let its spaces nest less "
                   "deeply, by a smaller `depth`");
  line_ = std::move(line);
  results_.reset();
  listed_.clear();
  const std::string note = follow_score();
  if (runs_once()) {
    answer = list_values(stop);
  } else if (line_->plan().has_reals()) {
    engine::SearchOptions fitting;
    fitting.seed = settings_.choice.seed;
    answer = search(input, fitting, stop);
    if (settings_.choice.samples)
      answer.note +=
          "`:samples` has no meaning for this line: a search fits its numbers; `:search evolve 20` "
          "says for how long\n";
  } else {
    engine::SketchCandidates candidates(line_->sketch().source, line_->plan(),
                                        choice_of(settings_, count));
    answer = run(input, candidates, options(), nullptr, stop);
  }
  answer.note.insert(0, note);
  return answer;
}

bool Variants::check_input(const Input& input, std::string& type, Answer& answer) {
  const bool is_item = starts_item(input.text);
  const bool may_vary =
      hides_constant(input.text) || (!is_item && input.text.find('?') != std::string_view::npos);
  if (!may_vary && session_.check(input, type, answer)) return true;
  if (!may_vary && (is_item || !names_column(input.text))) return false;
  answer = {};
  return check(input, type, answer);
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
  how.machines.epoch = how.machines.device_epoch = options.population;
  engine::SearchOptions settled = options;
  engine::settle(line_->plan(), settled, how);
  engine::SearchCandidates candidates(line_->sketch().source, line_->plan(), settled);
  Answer answer = run(words, candidates, how, &candidates, stop);
  if (answer.kind != AnswerKind::Variants) return answer;
  answer.text += services::search_line(candidates);
  answer.members.pop_back();
  add_field(answer.members, "generations", std::to_string(candidates.generations()));
  add_field(answer.members, "exhausted", candidates.is_exhausted() ? "true}" : "false}");
  return answer;
}

engine::EvaluateOptions Variants::options() {
  engine::EvaluateOptions options;
  options.programs.entry = line_->entry();
  options.programs.word = engine::RunWord::Line;
  options.ranking.score = score();
  options.ranking.tolerance = settings_.tolerance;
  options.ranking.measure = settings_.measure;
  options.limits.fuel = session_.fuel();
  options.limits.candidate_budget = settings_.budget;
  options.limits.states_budget = ":budget N";
  options.programs.modules = &session_.modules();
  options.programs.sketch = &line_->sketch();
  options.details.keep_details = settings_.keeps_details;
  options.ranking.ranks_later = style_.columns.has_value();  // somebody waits
  if (cases_.held_out() != nullptr && !runs_once()) {
    options.ranking.held_out = cases_.held_out();
    options.ranking.shown_best = settings_.top;
    options.ranking.ranks_later = false;  // the shown ones run once more
  }
  if (options.ranking.ranks_later) options.ranking.best_rows = settings_.top;
  options.machines.native = session_.native();
  engine::use_devices(devices(), options.machines);
  return options;
}

Answer Variants::run(const Input& input, engine::CandidateSource& candidates,
                     engine::EvaluateOptions options, engine::ResultSink* sink,
                     const std::stop_token& stop) {
  const engine::CasesTable once = engine::single_case();
  auto results = std::make_unique<engine::Results>();
  Problem error;
  {
    const std::unique_ptr<VariantProgress> progress = make_progress_ ? make_progress_() : nullptr;
    BestSink best(sink, progress.get());
    error = engine::evaluate(candidates, cases_.is_there() ? cases_.table() : once, options,
                             *results, &best, progress.get(), stop);
  }
  if (error) return input_error(input, error);
  results_ = std::move(results);
  ranked_ = options.ranking.best_rows;
  Answer answer;
  tell_ranking(services::TableRows::Best, answer);
  if (!results_->complete)
    answer.note =
        (machine::is_memory_short() ? "the memory is full after " : "interrupted after ") +
        counted(results_->candidates(), "variant") + "\n";
  return answer;
}

std::string Variants::line_members() const {
  const engine::VariantCount count = line_->plan().count();
  std::string members = "{\"type\": ";
  engine::append_json_string(members, line_->type());
  add_field(members, "variants", count.is_exact ? std::to_string(count.exact) : "null");
  return members;
}

const engine::Results* Variants::results() {
  if (results_) engine::rank_all(*results_);
  return results_.get();
}

engine::Decisions Variants::decisions_of(std::string_view id) const {
  engine::Decisions decisions;
  const bool is_known = !engine::read_variant_name(line_->plan(), id, decisions);
  return is_known ? decisions : engine::Decisions();
}

void Variants::tell_ranking(services::TableRows which, Answer& answer) {
  const bool is_head =
      results_->head && which == services::TableRows::Best && settings_.top <= ranked_;
  const engine::Results& results = is_head ? *results_->head : *this->results();
  const std::vector<u32> shown = services::shown_rows(results, which, settings_.top);
  told_rows_ = which;
  const services::ProgramText programs = [&](u32 row) {
    return line_->whole_text(decisions_of(results.id(row)));
  };
  frontend::Compiler lexer;
  services::PaintProgram paint;
  if (style_.style.colors)
    paint = [&](std::string_view program) { return colored(lexer, program); };
  answer.kind = AnswerKind::Variants;
  answer.text = services::ranking_table(results, which, shown, style_.columns, style_.style,
                                        {services::ProgramForm::Line, programs, paint}) +
                services::counts_line(results) + services::line_text(results) +
                services::held_out_text(results, style_.style.width);
  if (which == services::TableRows::ParetoFront) answer.text += services::front_line(results);
  const engine::VariantCount count = line_->plan().count();
  if (!count.is_exact || count.exact > results.candidates())
    answer.text +=
        "of " + variants_text(count) + "; `:samples N` draws more, `:search` looks for good ones\n";
  std::string members = line_members();
  add_field(members, "evaluated", std::to_string(results.candidates()));
  add_field(members, "cases", std::to_string(results.cases));
  add_field(members, "complete", results_->complete ? "true" : "false");
  add_text(members, "score", engine::score_name(results.score));
  add_field(members, "ranking", "[");
  for (const u32 row : shown) {
    if (row != shown.front()) members += ", ";
    engine::write_row_json(members, results, row);
    // Its `program` is the number of the code: here it is the line.
    members.pop_back();
    end_with_program(members, *line_, decisions_of(results.id(row)));
  }
  answer.members = members + "]}";
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

Result<std::string> Variants::ranked_name(std::string_view text) {
  if (!results_)
    return input_problem("`" + std::string(text) +
                         "` is a rank of the last table, and there is none: a line with holes is "
                         "ranked on `:cases FILE` or by `:score maximize`");
  if (told_rows_ != services::TableRows::Behaviours)
    return services::ranked_name(results_->head ? *results_->head : *results_, text);
  // Behaviours are ranked by themselves.
  const Result<u64> rank = services::read_rank(text);
  if (rank.problem()) return rank.problem();
  const engine::Results& all = *results();
  const std::vector<u32> shown = services::shown_rows(all, told_rows_, rank.value());
  if (shown.size() < rank.value() || all.rows[shown.back()].rank == 0)
    return input_problem("nobody has the rank `" + std::string(text) + "` in the last table");
  return std::string(all.id(shown.back()));
}

Problem Variants::whole_name(std::string_view shown, std::string& out) {
  constexpr std::string_view kCut = "…";
  if (services::is_rank(shown)) {
    Result<std::string> name = ranked_name(shown);
    if (name.problem()) return std::move(name).problem();
    out = std::move(name).value();
    return {};
  }
  out = shown;
  const size_t cut = shown.find(kCut);
  if (cut == std::string_view::npos) return {};
  const std::string_view start = shown.substr(0, cut), end = shown.substr(cut + kCut.size());
  std::set<std::string_view> found;
  const auto look_at = [&](std::string_view name) {
    if (name.size() >= start.size() + end.size() && name.starts_with(start) && name.ends_with(end))
      found.insert(name);
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
  return input_problem(
      "`" + std::string(shown) + "` stands for " +
      (found.empty() ? "no name" : counted(found.size(), "name")) +
      " of a variant that was looked at; JSON has whole ones, as of `:export FILE.json`");
}

std::vector<Variants::ListedValue> Variants::run_listed(const std::stop_token& stop) {
  engine::VariantChoice choice = choice_of(settings_, line_->plan().count());
  if (choice.samples) choice.samples = std::min<u64>(*choice.samples, settings_.top);
  engine::SketchCandidates candidates(line_->sketch().source, line_->plan(), choice);
  engine::CandidateBatch batch;
  candidates.read(batch, settings_.top);
  frontend::Compiler compiler({.library = &session_.modules().library()});
  std::vector<ListedValue> list;
  for (const engine::Candidate& candidate : batch.rows) {
    ListedValue value{std::string(candidate.id), {}, {std::string(candidate.error), {}}};
    if (candidate.error.empty() && engine::decisions_of(line_->plan(), candidate, value.decisions))
      value.run = run_once(compiler, line_->program_text(value.decisions), line_->entry(),
                           session_.fuel(), stop);
    if (stop.stop_requested()) break;
    list.push_back(std::move(value));
  }
  return list;
}

// "#0  2.0  x * 1.0", one on each line, in columns.
std::string Variants::listed_text(std::span<const ListedValue> list) {
  std::vector<std::array<std::string, 2>> starts;
  std::array<size_t, 2> widths{};
  for (const ListedValue& value : list) {
    starts.push_back(
        {services::fitted_at_both_ends(value.id, services::kShortIdWidth), value.run.text});
    for (size_t k = 0; k < widths.size(); ++k)
      widths[k] = std::max(widths[k], services::shown_width(starts.back()[k]));
  }
  frontend::Compiler lexer;
  std::string text;
  for (size_t row = 0; row < list.size(); ++row) {
    std::string line;
    for (size_t k = 0; k < widths.size(); ++k)
      line +=
          starts[row][k] + std::string(widths[k] - services::shown_width(starts[row][k]) + 2, ' ');
    line = services::fitted(line + line_->whole_text(list[row].decisions),
                            style_.columns.value_or(~0u));
    const size_t number = std::min(starts[row][0].size(), line.size());
    if (style_.style.colors && list[row].run.is_value())
      line.replace(number, std::string::npos, colored(lexer, line.substr(number)));
    text += line + "\n";
  }
  return text;
}

Answer Variants::list_values(const std::stop_token& stop) {
  const std::vector<ListedValue> list = run_listed(stop);
  const engine::VariantCount count = line_->plan().count();
  Answer answer;
  answer.kind = AnswerKind::Variants;
  if (stop.stop_requested()) answer.note = "interrupted\n";
  if (std::ranges::any_of(list, [](const ListedValue& one) { return one.run.trap == Trap::Fuel; }))
    answer.note += fuel_note(session_.fuel());
  answer.text = listed_text(list) + (count.is_exact && list.size() == count.exact
                                         ? variants_text(count) + "\n"
                                         : grouped(list.size()) + " of " + variants_text(count) +
                                               "; `:cases FILE` or `:score maximize` ranks them\n");
  std::string members = line_members();
  add_field(members, "values", "[");
  listed_.clear();
  for (const ListedValue& one : list) {
    if (!listed_.empty()) members += ", ";
    listed_.push_back(one.id);
    members += "{\"id\": ";
    engine::append_json_string(members, one.id);
    add_field(members, "value", one.run.is_value() ? one.run.json : "null");
    end_with_program(members, *line_, one.decisions);
    if (one.run.is_value()) continue;
    members.pop_back();
    add_text(members, "problem", one.run.text);
    members += '}';
  }
  answer.members = members + "]}";
  return answer;
}

Result<std::string> Variants::program_of(const engine::Decisions& decisions,
                                         const std::stop_token& stop) {
  std::string program = line_->program_text(decisions);
  if (runs_once() || !engine::fits_line(score())) return program;
  engine::Results one;
  if (Problem error = evaluate_one(decisions, engine::CaseScores::None, stop, one)) return error;
  if (one.rows.empty() || !one.rows[0].scored) return program;
  if (!one.best_line) return input_problem("the line of this variant does not fit an f64");
  return services::with_line(program, line_->entry(), *one.best_line,
                             &session_.modules().library());
}

engine::WriteDetails Variants::details(const std::stop_token& stop) {
  return [this, stop](std::string& out, u32 row) {
    engine::Decisions decisions;
    engine::Results one;
    const bool is_kept = settings_.keeps_details ||
                         engine::read_variant_name(line_->plan(), results_->id(row), decisions) ||
                         evaluate_one(decisions, engine::CaseScores::None, stop, one) ||
                         one.rows.size() != 1;
    if (is_kept)
      engine::write_details_json(out, *results_, row);
    else
      engine::write_details_json(out, one, 0);
  };
}

Problem Variants::evaluate_one(const engine::Decisions& decisions, engine::CaseScores scores,
                               const std::stop_token& stop, engine::Results& out) {
  const std::string id = engine::variant_name(line_->plan(), decisions);
  const engine::Candidate candidate{id, line_->sketch().source, {}, decisions};
  engine::CandidateList list({&candidate, 1});
  engine::EvaluateOptions how = options();
  how.details.case_scores = scores;
  how.details.keep_details = true;
  how.ranking.held_out = nullptr;
  const engine::CasesTable once = engine::single_case();
  return engine::evaluate(list, cases_.is_there() ? cases_.table() : once, how, out, nullptr,
                          nullptr, stop);
}

}  // namespace komuz::repl
