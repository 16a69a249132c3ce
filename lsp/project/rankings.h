// SPDX-License-Identifier: Apache-2.0
// What evaluations have left of the documents that are open: rankings of sketches, and how tests have ended. A step
// of an evaluation makes another one.
#pragma once
#include <memory>
#include <string>

#include "lsp/project/by_document.h"
#include "lsp/text/documents.h"
#include "services/editor/test_runs.h"
#include "services/variants/rank_sketch.h"

namespace komuz::lsp {

struct Ranking {
  DocumentRef document;         // that was looked at last
  std::string problem;          // why that has no ranking; empty: it has one, or will
  bool has_errors = false;      // … which is that the text has errors
  bool is_running = false;      // a step is still to come
  services::RankedRef ranked;   // the last one that there was; null: none yet
  DocumentRef ranked_document;  // … and what it is of
  std::shared_ptr<const services::RankingQuestion>
      question;  // of the document that was looked at last; null: its head has not been read yet
  std::string cases;       // the file of cases, as the head names it
  std::string cases_path;  // … and where it is
  u32 top = 0;
  engine::ScoreKind score = engine::ScoreKind::Exact;

  // Is it about this text, and finished?
  [[nodiscard]] bool is_of(const Document& now) const {
    return ranked != nullptr && ranked_document->text == now.text;
  }
  [[nodiscard]] bool is_done(const Document& now) const {
    return is_of(now) && problem.empty() && !is_running && document->text == now.text;
  }
};
using Rankings = ByDocument<Ranking>;
using RankingRef = Rankings::Ref;

struct TestedDocument {
  DocumentRef document;
  services::TestRuns tests;
};
using TestedDocuments = ByDocument<TestedDocument>;

}  // namespace komuz::lsp
