// SPDX-License-Identifier: Apache-2.0
#include "engine/run/candidate_runner.h"

#include <algorithm>
#include <limits>

#include "base/characters.h"
#include "engine/candidates/load_modules.h"
#include "engine/cases/slice_entry.h"
#include "engine/run/block_budget.h"
#include "engine/run/find_signature.h"
#include "engine/sketch/sketch_program.h"
#include "engine/values/value_text.h"
#include "frontend_gpu/expand.h"
#include "mend/caret_powers.h"
#include "mend/mend.h"

namespace komuz::engine {
namespace {

std::string signature_option(const Signature& own) { return "--signature 'fn" + own.text() + "'"; }

// What makes `komuz eval` run candidates whose parameters no column is called after: columns are taken in their order. Empty:
// some is, or they are not as many.
std::string options_to_run(const Signature& own, const CasesTable& table) {
  if (!table.by_name || own.names.size() != table.columns.size()) return {};
  if (std::ranges::find_first_of(table.columns, own.names) != table.columns.end()) return {};
  std::string text = signature_option(own);
  for (const std::string& column : table.columns) text += " --input " + shell_word(column);
  return text;
}

DiagnosticText in_words(const Diagnostic& diagnostic, std::string_view source) {
  const DiagnosticRow& row = diagnostic_row(diagnostic.code());
  DiagnosticText text;
  text.code = row.code;
  text.severity = row.severity;
  text.begin = place_of(source, diagnostic.begin);
  text.end = place_of(source, diagnostic.end());
  text.message = diagnostic_message(diagnostic, source);
  std::optional<Edit> fix = diagnostic_fix(diagnostic, source);
  text.has_fix = fix.has_value();
  if (!fix) return text;
  text.fix_begin = place_of(source, fix->begin);
  text.fix_end = place_of(source, fix->end);
  text.fix = std::move(*fix);
  return text;
}

}  // namespace

CandidateRunner::CandidateRunner(const EvaluateOptions& options)
    : options_(options), texts_(std::make_unique<CompiledCode>(options)), cases_(options) {
  if (options.machines.compiler != nullptr) reader_.emplace(compile_options(options));
  if (options.programs.sketch != nullptr)
    variants_ = open_variant_code(options, texts_->compiler());
}

void CandidateRunner::stop_when(const std::stop_token& stop) {
  texts_->compiler().stop_when(stop);
  if (reader_) reader_->stop_when(stop);
  stop_ = stop;
}

CandidateCode& CandidateRunner::code_of(const Candidate& candidate) const {
  return candidate.is_variant() ? *variants_.code : *texts_;
}

TextCode& CandidateRunner::texts_of(const Candidate& candidate) const {
  return candidate.is_variant() ? *variants_.texts : *texts_;
}

frontend::TextHash CandidateRunner::identify(const Candidate& candidate) {
  return code_of(candidate).identify(candidate);
}

std::string_view CandidateRunner::text_of(const Candidate& candidate) {
  return texts_of(candidate).text_of(candidate);
}

bool CandidateRunner::compile(const Candidate& candidate, const std::stop_token& stop,
                              CandidateResult& out) {
  if (code_of(candidate).compile(candidate, supplied_)) return find_entry(candidate, stop, out);
  refuse("these are no decisions of the sketch", out);
  return false;
}

bool CandidateRunner::read(const frontend::BatchCompiler& device, u32 number,
                           const Candidate& candidate, const std::stop_token& stop,
                           CandidateResult& out) {
  texts_of(candidate).read(device, number, *reader_, candidate, supplied_);
  return find_entry(candidate, stop, out);
}

bool CandidateRunner::take(const Candidate& candidate, const Suite& suite,
                           const std::stop_token& stop, CandidateResult& out) {
  static_cast<void>(identify(candidate));
  return compile(candidate, stop, out) && accept(suite, out);
}

// What states the signature of its entry makes of a text with errors: an option, or a harness that leaves one function open.
std::optional<StatedEntry> CandidateRunner::state_entry(std::string_view source) const {
  if (options_.programs.harness == kNoModule) {
    if (!options_.programs.signature) return std::nullopt;
    const std::string name = options_.programs.entry.empty() ? "f" : options_.programs.entry;
    return with_stated_entry(source, "pub fn " + name + options_.programs.signature->text(),
                             options_.programs.entry.empty() ? EntryName::Any : EntryName::Stated);
  }
  const auto& open = options_.programs.modules->library()[options_.programs.harness].open;
  if (open.size() != 1) return std::nullopt;
  return with_stated_entry(source, open.front().text, EntryName::Stated);
}

// Compiles what the edits make of the text in its place. False when stopped.
bool CandidateRunner::fix(std::string_view source, const std::stop_token& stop,
                          CandidateResult& out) {
  const std::optional<StatedEntry> stated = state_entry(source);
  FixedSource fixed =
      options_.programs.fix(texts_->compiler(), stated ? stated->text : source, stop);
  if (stop.stop_requested()) return false;
  has_stated_head_ = stated.has_value();
  if (stated)
    fixed.fixes.insert(fixed.fixes.begin(),
                       {diagnostic_row(DiagnosticCode::OpenSignature).code, 1, stated->message});
  if (fixed.fixes.empty()) return true;
  out.fixed = std::move(fixed);
  out.row.fixed = true;
  texts_->compiler().compile(out.fixed.text, *supplied_.compilation);
  supplied_.text = out.fixed.text;
  return true;
}

bool CandidateRunner::find_entry(const Candidate& candidate, const std::stop_token& stop,
                                 CandidateResult& out) {
  if (compilation().stopped) return false;
  has_stated_head_ = false;
  if (!compilation().ok && options_.programs.fix && !candidate.is_variant() &&
      !fix(candidate.source, stop, out))
    return false;
  keep_diagnostics(supplied_.text, out);
  if (!compilation().ok) {
    out.row.status = Status::CompileError;
    out.done = true;
    return false;
  }
  if (options_.programs.sketch == nullptr) note_holes(supplied_.text, out);
  const CodeView code = compilation().code.view();
  out.row.code_bytes =
      supplied_.bound_bytes ? *supplied_.bound_bytes : static_cast<u32>(code_bytes(code));
  if (supplied_.has_one_entry && bound_entry_) {
    entry_ = *bound_entry_;
    return true;
  }
  const bool is_stated = options_.programs.signature && options_.programs.harness == kNoModule;
  EntryChoice choice =
      is_stated ? choose_entry(code, options_.programs.entry, *options_.programs.signature)
                : choose_entry(code, options_.programs.entry);
  if (!choice.refusal.empty()) {
    refuse(std::move(choice.refusal), out);
    return false;
  }
  entry_ = static_cast<u32>(choice.function);
  if (supplied_.has_one_entry) bound_entry_ = entry_;
  if (!candidate.is_variant()) note_powers(supplied_.text, out);
  return true;
}

// A sketch among other candidates is run as it stands, and traps HOLE where it has holes of its own.
void CandidateRunner::note_holes(std::string_view source, CandidateResult& out) const {
  const Code& code = compilation().code;
  bool has_holes = false;
  for (size_t k = 0; k < code.instructions.size() && !has_holes; ++k) {
    const Instruction& i = code.instructions[k];
    const bool is_free = i.op == Op::TrapNow && i.a == static_cast<u32>(Trap::Hole);
    has_holes = (i.op == Op::LoadHole || is_free) && file_of(code.places[k]) == 0;
  }
  // A hole that takes an expression from a space of a module has no code of its own.
  const bool may_take_spaces =
      source.find('?') != std::string_view::npos && source.find("use ") != std::string_view::npos;
  if (!has_holes && !may_take_spaces) return;
  const std::optional<SketchProgram> sketch =
      read_sketch(std::string(source), compile_options(options_));
  if (!sketch || sketch->plan.sketch().holes.empty()) return;
  DiagnosticText& note = out.diagnostics.emplace_back();
  note.code = kSketchCode;
  note.severity = Severity::Note;
  const Hole& first = sketch->plan.sketch().holes.front();
  note.begin = place_of(source, first.span.begin);
  note.end = place_of(source, first.span.end);
  note.message = open_holes_text(sketch->plan);
}

// What runs as it is written, and was mostly meant otherwise.
void CandidateRunner::note_powers(std::string_view source, CandidateResult& out) const {
  for (const Diagnostic& power : powers_of_carets(source)) {
    if (out.diagnostics.size() == options_.details.diagnostics_per_candidate) return;
    out.diagnostics.push_back(in_words(power, source));
  }
}

// It names more than any of its variants does, and what is not needed of a module is not linked.
frontend::Expanded CandidateRunner::expand_sketch(frontend::ExpandedText& out) {
  frontend::TextHash unused;
  return texts_->compiler().expand(options_.programs.sketch->source, out, unused);
}

Signature CandidateRunner::signature() const {
  return signature_of(compilation().code.view(), compilation().code.functions[entry_]);
}

void CandidateRunner::keep_diagnostics(std::string_view own, CandidateResult& out) const {
  const std::string_view source = compilation().text.empty() ? own : compilation().text;
  for (const Diagnostic& diagnostic : compilation().diagnostics) {
    if (out.diagnostics.size() == options_.details.diagnostics_per_candidate) return;
    out.diagnostics.push_back(in_words(diagnostic, source));
  }
}

bool CandidateRunner::fits(const Suite& suite) {
  if (supplied_.has_one_entry && bound_fits_) return true;
  const CodeView code = compilation().code.view();
  const Function& entry = code.functions[entry_];
  // Its parameters are in the order of the stated ones: else it would not have got their types.
  if (has_stated_head_ && has_signature(code, entry, suite.signature, false)) return true;
  bool fits = has_signature(code, entry, suite.signature, suite.by_name);
  // Where the suite's columns are taken in order, none of another order or number has been named.
  if (fits && !suite.by_name && own_ != nullptr &&
      !has_signature(code, entry, suite.signature, true))
    fits = !own_->names_column(signature().names);
  bound_fits_ = fits && supplied_.has_one_entry;
  return fits;
}

void CandidateRunner::use(OwnSignatures& own, CasesKind kind) {
  own_ = &own;
  kind_ = kind;
}

const CaseArguments& CandidateRunner::matched() const {
  return kind_ == CasesKind::HeldOut ? match_->held_out : match_->arguments;
}

const CaseArguments& CandidateRunner::arguments(const Suite& suite) const {
  return has_own_arguments_ ? matched() : suite;
}

bool CandidateRunner::accept(const Suite& suite, CandidateResult& out) {
  has_own_arguments_ = false;
  if (!fits(suite) && !takes_same_columns(suite)) {
    if (stop_.stop_requested() || !match_own(suite, out)) return false;
    has_own_arguments_ = true;
  }
  const CaseArguments& taken = arguments(suite);
  if (!taken.has_slices) return true;
  std::string reason =
      add_slice_entry(code(), entry_, taken.case_types, options_.limits.stack_limit);
  if (reason.empty()) return true;
  refuse("with the longest slices of the cases, " + std::move(reason), out);
  return false;
}

// Where inputs are named, a stated signature says types and columns, whatever parameters are called.
bool CandidateRunner::takes_same_columns(const Suite& suite) {
  const CodeView code = compilation().code.view();
  if (own_ == nullptr || !options_.programs.signature || own_->table().fields.empty() ||
      !has_signature(code, code.functions[entry_], suite.signature, false))
    return false;
  match_ = own_->find(signature(), stop_);
  return match_ && match_->problem.empty() && TypedColumns::are_same(matched(), suite);
}

bool CandidateRunner::match_own(const Suite& suite, CandidateResult& out) {
  const CodeView code = compilation().code.view();
  const Function& entry = code.functions[entry_];
  const bool may_be_own = own_ != nullptr && !options_.programs.signature &&
                          options_.programs.sketch == nullptr &&
                          code.result_type(entry) == suite.signature.result_type;
  if (!may_be_own) {
    refuse_signature(suite, out);
    return false;
  }
  if (!match_ || !has_signature(code, entry, match_->arguments.signature, true))
    match_ = own_->find(signature(), stop_);
  if (!match_) return false;
  const std::string& problem =
      kind_ == CasesKind::HeldOut ? match_->held_out_problem : match_->problem;
  if (problem.empty()) return true;
  refuse("the cases do not fit its entry: " + problem, out);
  const Signature own = signature();
  // Where no options run it, its columns are missing, and not its signature is in the way.
  if (std::string remedy = options_to_run(own, own_->table()); !remedy.empty())
    out.other_signature = {own.text(), std::move(remedy), 1};
  return false;
}

void CandidateRunner::refuse_signature(const Suite& suite, CandidateResult& out) {
  const Signature own = signature();
  if (!options_.programs.result_type.empty() && own.result_type != options_.programs.result_type)
    return refuse_result(own, options_, out);
  std::string reason = "its entry is " + bounded(own.text()) + ", but ";
  reason += options_.programs.signature ? "--signature says " : "the first that the cases fit is ";
  reason += bounded(suite.signature.text());
  std::string remedy;
  if (own_ != nullptr && !options_.programs.signature) {
    const std::shared_ptr<const OwnSignatures::Match> match = own_->find(own, stop_);
    if (!match) return;
    remedy = match->problem.empty() ? signature_option(own) : options_to_run(own, own_->table());
  }
  constexpr size_t kMostRemedy = 400;  // what is longer nobody copies
  if (!remedy.empty() && remedy.size() <= kMostRemedy)
    reason += "; `" + remedy + "` runs such candidates instead";
  refuse(std::move(reason), out);
  out.other_signature = {own.text(), std::move(remedy), 1};
}

void CandidateRunner::run(std::string_view source, const Suite& suite, const ScoreLimits& limits,
                          const CaseBudget& budget, const std::stop_token& stop,
                          CandidateResult& out) {
  const CaseArguments& taken = arguments(suite);
  cases_.run({compilation().code.view(), entry_, source, taken}, suite, limits, budget, stop, out);
  if (has_own_arguments_ && out.has_failure) keeper_.keep(taken, out.failure);
}

void CandidateRunner::run_alone(std::string_view source, const Suite& suite,
                                const ScoreLimits& limits, const std::stop_token& stop,
                                CandidateResult& out) {
  CaseBudget budget = first_budget();
  budget.ticks = options_.limits.candidate_budget.value_or(budget_alone(options_.limits.fuel));
  budget.is_final = true;
  run(source, suite, limits, budget, stop, out);
}

void CandidateRunner::show_case(std::string_view source, const Suite& suite, u32 case_index,
                                Failure& out) {
  constexpr u32 kRows = 64;  // columns are aligned to
  const CaseArguments& taken = arguments(suite);
  const CaseRunner::Program program{compilation().code.view(), entry_, source, taken};
  const u32 begin = case_index / kRows * kRows, rows = std::min(kRows, suite.count - begin);
  cases_.begin_program();
  const OutcomesView outcomes =
      cases_.run_cases(program, suite, begin, rows, options_.limits.fuel, {});
  CandidateResult shown;
  scorer().show_case(program.code, source, case_index - begin, case_index, outcomes, shown);
  if (has_own_arguments_) keeper_.keep(taken, shown.failure);
  out = std::move(shown.failure);
}

void CandidateRunner::list_values(const Suite& suite, u32 cases, std::vector<f64>& out) {
  constexpr u32 kSlice = 256;
  const CaseRunner::Program program{compilation().code.view(), entry_, {}, arguments(suite)};
  out.clear();
  cases_.begin_program();
  for (u32 begin = 0, rows = 0; begin < cases; begin += rows) {
    rows = std::min(kSlice, cases - begin);
    const OutcomesView view =
        cases_.run_cases(program, suite, begin, rows, options_.limits.fuel, {});
    for (u32 i = 0; i < rows; ++i)
      out.push_back(view.traps[i] == Trap::None ? cell_as_f64(suite.result_types[0], view.values[i])
                                                : std::numeric_limits<f64>::quiet_NaN());
  }
}

}  // namespace komuz::engine
