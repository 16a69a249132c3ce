// SPDX-License-Identifier: Apache-2.0
#include "lang/diagnostics.h"

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
  Place place;
  u32 line_start = 0;
  const size_t end = offset < source.size() ? offset : source.size();
  for (size_t k = 0; k < end; ++k) {
    if (source[k] != '\n') continue;
    ++place.line;
    line_start = static_cast<u32>(k + 1);
  }
  place.column = static_cast<u32>(end) - line_start + 1;
  return place;
}

}  // namespace komuz
