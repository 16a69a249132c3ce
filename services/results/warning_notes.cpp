// SPDX-License-Identifier: Apache-2.0
#include "services/results/warning_notes.h"

#include <algorithm>

#include "base/counts.h"
#include "engine/results/failure_text.h"

namespace komuz::services {

void Warnings::add(const engine::Results& results, u32 row) {
  const engine::ResultRow& r = results.rows[row];
  if (r.diagnostics == 0 || r.duplicate_of != engine::kNone ||
      r.status == engine::Status::CompileError)
    return;
  for (u32 k = 0; k < r.diagnostics; ++k)
    add(results.id(row), results.diagnostics[r.diagnostics_begin + k], Source::Row);
}

void Warnings::add(std::string_view id, const engine::DiagnosticText& warning, Source source) {
  if (warning.severity != Severity::Warning) return;
  auto kind = std::ranges::find(kinds_, warning.code, &Kind::code);
  if (kind == kinds_.end())
    kind = kinds_.insert(kinds_.end(), {std::string(warning.code), std::string(id), warning.message,
                                        warning.begin, source});
  else if (kind->last_id == id)
    return;
  kind->last_id = id;
  ++kind->programs;
}

std::vector<Note> Warnings::notes() const {
  constexpr size_t kMost = 3;
  std::vector<Note> notes;
  for (const Kind& kind : kinds_) {
    if (notes.size() == kMost) break;
    const std::string place = engine::place_text("", kind.place.line, kind.place.column);
    const std::string explained = "`komuz explain " + kind.code + "` says more";
    const bool is_one = kind.programs == 1;
    const std::string all =
        kind.source == Source::Row ? ", `--json OUT` names all" : ", `komuz check` tells all";
    notes.push_back({(is_one ? "" : "of " + counted(kind.programs, "program") + " the first, ") +
                         kind.id + ":" + place + ": " + kind.message,
                     is_one ? explained : explained + all});
  }
  if (kinds_.size() > kMost)
    notes.push_back(
        {counted(kinds_.size() - kMost, "other kind") + " of warnings of programs that run",
         "`komuz check` tells all of a program"});
  return notes;
}

}  // namespace komuz::services
