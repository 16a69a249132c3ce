// SPDX-License-Identifier: Apache-2.0
// How a sketch that is open in an editor is ranked: what its head says (services/editor/head_lines.h) goes before the settings of its
// workspace, and cases that are named go before those of an attached session. Reads no file: it says which ones are to be read.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "services/session/live_session.h"

namespace komuz::services {

// What stands for lines of the head that a text does not have.
struct RankingSettings {
  std::string harness, cases, score;  // empty: not set
  u32 top = 0;                        // at most kMostTop; 0: not set
};
struct RankingSources {
  RankingSettings settings;
  std::optional<std::string> sent;              // the name of cases that the client has sent
  const LiveSession::Cases* session = nullptr;  // null: no session is attached, or it has none
};

enum class RankingWish : u8 {
  None,
  Own,       // its head names cases, or its client sends them
  IfSketch,  // cases are there for all sketches, and it may be one
};
// Looks at the head alone, and for a hole.
[[nodiscard]] RankingWish ranking_wish(std::string_view text, const RankingSources& sources);

struct RankingPlan {
  std::string
      problem;  // why nothing can be ranked, in words, with what can be done; empty: files may say more
  enum class From : u8 { File, Client, Session } from = From::File;
  std::string cases;    // their file, as whoever names it does
  std::string harness;  // the program that scores, as it is named; empty: there is none
  u32 top = 10;
  std::string output;  // the column of what is expected; empty: `expected`
  engine::TableForm form;
  std::vector<std::string> inputs;  // as engine::CaseFields has them
  engine::ScoreKind score = engine::ScoreKind::Exact;
  f64 tolerance = 0;
  std::optional<f64> measure;
};
[[nodiscard]] RankingPlan plan_ranking(std::string_view text, const RankingSources& sources);

}  // namespace komuz::services
