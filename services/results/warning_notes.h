// SPDX-License-Identifier: Apache-2.0
// Candidates that run, and of which the compiler warns: they are right as they are written, and mostly meant otherwise.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/results.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// Keeps of each warning the first program that has it, while results come, as their details may not stay.
class Warnings {
 public:
  // Every row, in input order.
  void add(const engine::Results& results, u32 row);
  // Where a diagnostic of a program stands, which says where more are told; only warnings count.
  enum class Source : u8 { Row, Program };
  void add(std::string_view id, const engine::DiagnosticText& warning, Source source);

  // One for each of the first few warnings, and one for all others.
  [[nodiscard]] std::vector<Note> notes() const;

 private:
  struct Kind {
    std::string code;
    std::string id, message;  // of the first program
    Place place;
    Source source = Source::Row;
    std::string last_id = {};
    u64 programs = 0;
  };
  std::vector<Kind> kinds_;
};

}  // namespace komuz::services
