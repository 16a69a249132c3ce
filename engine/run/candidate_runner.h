// SPDX-License-Identifier: Apache-2.0
// One candidate, from source to result row. A workspace for one thread; knows of no other candidate.
#pragma once
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/candidates/own_signatures.h"
#include "engine/run/candidate_code.h"
#include "engine/run/case_runner.h"
#include "mend/stated_entry.h"

namespace komuz::engine {

class CandidateRunner {
 public:
  explicit CandidateRunner(const EvaluateOptions& options);

  // From now on a stop cuts short what is identified, compiled and matched with cases, too.
  void stop_when(const std::stop_token& stop);

  // What is compiled next.
  [[nodiscard]] frontend::TextHash identify(const Candidate& candidate);

  // Compiles what has been identified last, and finds the entry; what it finds wrong goes to `out`, which is then done.
  // True: there is an entry, and signature() and run() are about it. Not done when stopped before that.
  bool compile(const Candidate& candidate, const std::stop_token& stop, CandidateResult& out);
  // What is compiled of the candidate that was identified last, where a device may compile it (TextCode), until the next one is.
  [[nodiscard]] std::string_view text_of(const Candidate& candidate);
  // The same as compile() of source `number` of the batch that `device` compiled last, which is text_of the candidate.
  bool read(const frontend::BatchCompiler& device, u32 number, const Candidate& candidate,
            const std::stop_token& stop, CandidateResult& out);
  [[nodiscard]] Signature signature() const;

  // From now on candidates may have other parameters than the suite, which are matched with the columns of the cases.
  enum class CasesKind : u8 { Ranked, HeldOut };
  void use(OwnSignatures& own, CasesKind kind);

  // identify(), compile() and accept() of a candidate. True: it may be run.
  [[nodiscard]] bool take(const Candidate& candidate, const Suite& suite,
                          const std::stop_token& stop, CandidateResult& out);

  // Has the entry the suite's signature, or the same result and parameters of its own that fit the cases? If not, the candidate is
  // refused. The entry becomes one that takes the cases (slice_entry.h). Not done when stopped.
  bool accept(const Suite& suite, CandidateResult& out);
  // Runs the entry on the cases of the suite, until the limits end it, and scores it. Not done when stopped, or set aside.
  void run(std::string_view source, const Suite& suite, const ScoreLimits& limits,
           const CaseBudget& budget, const std::stop_token& stop, CandidateResult& out);
  // The same, as the only candidate. Not done when stopped.
  void run_alone(std::string_view source, const Suite& suite, const ScoreLimits& limits,
                 const std::stop_token& stop, CandidateResult& out);
  // With which budget it is run first.
  [[nodiscard]] CaseBudget first_budget() const { return cases_.first_budget(); }

  // What the entry gives on a case, right or wrong, of the program that run() was about last.
  void show_case(std::string_view source, const Suite& suite, u32 case_index, Failure& out);
  // What the entry gives on the first cases, one number each; a NaN where it traps.
  void list_values(const Suite& suite, u32 cases, std::vector<f64>& out);

  [[nodiscard]] CandidateScorer& scorer() { return cases_.scorer(); }

  // What the texts of the sketch's variants are compiled with; No: they use no modules.
  [[nodiscard]] frontend::Expanded expand_sketch(frontend::ExpandedText& out);

  // What was compiled last, for who runs it elsewhere.
  [[nodiscard]] Code& code() { return supplied_.compilation->code; }
  [[nodiscard]] u32 entry() const { return entry_; }
  // What has been accepted takes other columns than the suite has.
  [[nodiscard]] bool has_own_arguments() const { return has_own_arguments_; }

 private:
  [[nodiscard]] CandidateCode& code_of(const Candidate& candidate) const;
  [[nodiscard]] TextCode& texts_of(const Candidate& candidate) const;
  [[nodiscard]] const frontend::Compilation& compilation() const { return *supplied_.compilation; }
  // Has the entry the suite's signature? The suite is the same one from candidate to candidate.
  [[nodiscard]] bool fits(const Suite& suite);
  [[nodiscard]] bool takes_same_columns(const Suite& suite);
  // True: it has parameters of its own that fit. Else the candidate is refused, or a stop came.
  bool match_own(const Suite& suite, CandidateResult& out);
  void refuse_signature(const Suite& suite, CandidateResult& out);
  [[nodiscard]] const CaseArguments& matched() const;
  [[nodiscard]] const CaseArguments& arguments(const Suite& suite) const;
  bool find_entry(const Candidate& candidate, const std::stop_token& stop, CandidateResult& out);
  // Was the entry's head made of the stated signature, so that its parameters are those, whatever they are called?
  bool has_stated_head_ = false;
  [[nodiscard]] std::optional<StatedEntry> state_entry(std::string_view source) const;
  bool fix(std::string_view source, const std::stop_token& stop, CandidateResult& out);
  void keep_diagnostics(std::string_view source, CandidateResult& out) const;
  void note_powers(std::string_view source, CandidateResult& out) const;
  void note_holes(std::string_view source, CandidateResult& out) const;

  const EvaluateOptions& options_;
  std::unique_ptr<CompiledCode> texts_;
  VariantCode variants_;                         // where there is a sketch
  std::optional<frontend::BatchReader> reader_;  // where a device compiles
  SuppliedCode supplied_;                        // that was compiled last
  // Where all variants have one entry and signature: what was found of the first.
  std::optional<u32> bound_entry_;
  bool bound_fits_ = false;
  std::stop_token stop_;  // of stop_when()
  OwnSignatures* own_ = nullptr;
  CasesKind kind_ = CasesKind::Ranked;
  std::shared_ptr<const OwnSignatures::Match> match_;  // of the last one with parameters of its own
  bool has_own_arguments_ = false;
  ArgumentKeeper keeper_;
  u32 entry_ = 0;
  CaseRunner cases_;
};

}  // namespace komuz::engine
