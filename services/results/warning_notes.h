// SPDX-License-Identifier: Apache-2.0
// Candidates that run but have warnings of the compiler: they are correct as written, but mostly meant otherwise.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/results/results.h"
#include "services/results/ranking_text.h"

namespace komuz::services {

// Keeps the first program for each warning while results come, since their details may not be kept.
class Warnings {
 public:
  // Called for every row, in input order.
  void add(const engine::Results& results, u32 row);
  // The place of a program's diagnostic, which decides where further ones are reported. Only warnings count.
  enum class Source : u8 { Row, Program };
  void add(std::string_view id, const engine::DiagnosticText& warning, Source source);

  // A note for each of the first few warnings, and one for all others.
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
