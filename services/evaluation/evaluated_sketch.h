// SPDX-License-Identifier: Apache-2.0
// A sketch whose variants are the candidates of an evaluation.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "engine/search/search.h"
#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/sketch_program.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// How the variants of the sketch become code, which does not show in results: "bound to the sketch's code". Empty if
// there is no sketch.
[[nodiscard]] std::string variants_text(const engine::EvaluateOptions& options);

// The decisions of variants, for a table. Both arguments outlive the result.
[[nodiscard]] ShownPrograms shown_decisions(const engine::SketchProgram& program,
                                            const engine::Results& results);

class EvaluatedSketch {
 public:
  // All variants, or a sample.
  EvaluatedSketch(engine::SketchProgram program, const engine::VariantChoice& choice);
  // The proposals of a search. `sink` is told of each result.
  EvaluatedSketch(engine::SketchProgram program, const engine::SearchOptions& search,
                  engine::ResultSink& sink);

  EvaluatedSketch(const EvaluatedSketch&) = delete;  // the candidates point to the program
  EvaluatedSketch& operator=(const EvaluatedSketch&) = delete;

  [[nodiscard]] const engine::SketchProgram& program() const { return program_; }
  [[nodiscard]] engine::CandidateSource& source();
  // The sink that evaluate() must use; null: the usual one.
  [[nodiscard]] engine::ResultSink* sink() { return search_ ? &*search_ : nullptr; }

  // For a search: see SearchCandidates.
  void set_replay(std::function<bool()> is_replayed) {
    if (search_) search_->set_replay(std::move(is_replayed));
  }

  // Null: it is no search.
  [[nodiscard]] const engine::SearchCandidates* search() const {
    return search_ ? &*search_ : nullptr;
  }
  // True if the time of a search ran out.
  [[nodiscard]] bool is_late() const { return search_ && search_->is_late(); }
  // How far a search came, and how variants became code.
  [[nodiscard]] std::string summary(const engine::EvaluateOptions& options) const;

 private:
  engine::SketchProgram program_;
  std::optional<engine::SketchCandidates> variants_;
  std::optional<engine::SearchCandidates> search_;
};

}  // namespace komuz::services
