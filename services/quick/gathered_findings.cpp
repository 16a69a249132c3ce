// SPDX-License-Identifier: Apache-2.0
#include "services/quick/gathered_findings.h"

#include <algorithm>
#include <optional>
#include <string>

#include "lang/source_places.h"

namespace komuz::services {
namespace {

// Lines without anything. So many that no other number grows as a place does.
constexpr u32 kShift = 509;

// A number of a finding, and the same behind the blanks.
std::optional<u32> in_whole(const GatheredText& gathered, u32 number, u32 behind) {
  if (number == behind) return number;
  if (behind - number != kShift) return std::nullopt;
  // A place, or what a type is called by (frontend_gpu/questions/type_brief.h).
  constexpr u32 kMark = 0xFF00'0000u, kTypeMark = 0xE000'0000u;
  const u32 mark = number & kMark;
  if (mark != 0 && mark != kTypeMark) return std::nullopt;
  return mark | gathered.place_of(number & ~kMark);
}

// False: it cannot be told.
bool tell_in_whole(const GatheredText& gathered, Diagnostic& d, const Diagnostic& behind) {
  const bool is_same =
      behind.begin == d.begin + kShift && behind.length == d.length && behind.code() == d.code();
  const std::optional<u32> a = in_whole(gathered, d.a, behind.a),
                           b = in_whole(gathered, d.b, behind.b);
  const u32 begin = gathered.place_of(d.begin);
  const bool is_whole = d.length == 0 || gathered.place_of(d.end() - 1) == begin + d.length - 1;
  if (!is_same || !is_whole || !a || !b) return false;
  d.begin = begin;
  d.a = *a;
  d.b = *b;
  return true;
}

}  // namespace

bool tell_in_whole(const frontend::Options& options, const std::stop_token& stop,
                   const GatheredText& gathered, frontend::Compilation& out) {
  for (Function& function : out.code.functions)
    if (file_of(function.place) == 0) function.place = gathered.place_of(function.place);
  if (out.diagnostics.empty() || gathered.has_all_places()) return true;
  frontend::Compiler compiler(options);
  compiler.stop_when(stop);
  frontend::Compilation behind;
  compiler.compile(std::string(kShift, '\n') + gathered.text(), behind);
  if (behind.stopped || behind.diagnostics.size() != out.diagnostics.size()) return false;
  for (size_t k = 0; k < out.diagnostics.size(); ++k)
    if (!tell_in_whole(gathered, out.diagnostics[k], behind.diagnostics[k])) return false;
  return true;
}

}  // namespace komuz::services
