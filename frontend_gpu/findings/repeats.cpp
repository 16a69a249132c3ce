// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/repeats.h"

#include "mend/mend.h"
#include "mend/source_text.h"

namespace komuz::frontend {

bool Repeats::was_told(const Finding& finding) const {
  const Diagnostic& d = finding.diagnostic;
  const bool is_unknown = d.code() == DiagnosticCode::UnknownName ||
                          d.code() == DiagnosticCode::UnknownFunction ||
                          d.code() == DiagnosticCode::UnknownType;
  return is_unknown &&
         told_.contains({finding.item, d.code(), 0, 0, source_at(source_, d.begin, d.length)});
}

bool Repeats::contain(const Finding& finding) {
  const Diagnostic& d = finding.diagnostic;
  const std::string_view word = source_at(source_, d.begin, d.length);
  switch (d.code()) {
    case DiagnosticCode::NotVariable:  // one edit changes the declaration
      if (d.a == 0 && d.b == 0) return false;
      return !told_.emplace(finding.item, d.code(), d.a, d.b, word).second;
    case DiagnosticCode::UnknownName:
    case DiagnosticCode::UnknownFunction:
    case DiagnosticCode::UnknownType:
      if (diagnostic_fix(d, source_)) return false;
      return !told_.emplace(finding.item, d.code(), 0, 0, word).second;
    default: return false;
  }
}

}  // namespace komuz::frontend
