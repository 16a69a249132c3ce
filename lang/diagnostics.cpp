// SPDX-License-Identifier: Apache-2.0
#include "lang/diagnostics.h"

#include <algorithm>

namespace komuz {

namespace {

constexpr DiagnosticRow kRows[] = {
    {"K0000", Severity::Note, "nothing"},
#define DIAGNOSTIC(Name, code, severity, message) {code, Severity::severity, message},
#include "lang/diagnostics.def"
#define HOST_DIAGNOSTIC(Name, code, severity, message) {code, Severity::severity, message},
#include "lang/diagnostics.def"
};
static_assert(sizeof(kRows) / sizeof(kRows[0]) == kDiagnosticCount);

}  // namespace

const DiagnosticRow& diagnostic_row(DiagnosticCode code) {
  const u16 number = static_cast<u16>(code);
  return kRows[number < kDiagnosticCount ? number : 0];
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  return "error";
}

Place place_of(std::string_view source, u32 offset) {
  const std::string_view before = source.substr(0, offset);
  const size_t line_start = before.rfind('\n') + 1;  // 0: there is none
  return {.line = static_cast<u32>(std::ranges::count(before, '\n')) + 1,
          .column = static_cast<u32>(before.size() - line_start) + 1};
}

}  // namespace komuz
