// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_uses.h"

#include <algorithm>
#include <iterator>

#include "frontend_gpu/findings/habits/refine_text.h"
#include "lang/diagnostic_types.h"
#include "mend/habits/from_uses.h"
#include "mend/standard_uses.h"

namespace komuz::frontend {

namespace {

// The most tokens of a `use`.
constexpr u32 kLongestUse = 128;

// True for `import math` and `math.sqrt(x)` alone, which need no `use`.
bool has_builtins_alone(const Columns& c, std::string_view module) {
  bool calls = false;
  count_work(c, c.tokens);
  for (Index t = 0; t + 2 < c.tokens; ++t) {
    if (text_of(c, t) != module || text_of(c, i64{t} + 1) != ".") continue;
    if (is_standard_function(module, text_of(c, i64{t} + 2))) return false;
    calls |= text_of(c, i64{t} - 1) != ".";
  }
  return calls;
}

// A line without blanks, and without a `;`, which may be missing.
std::string marks_of(std::string_view line) {
  std::string marks;
  std::ranges::copy_if(line, std::back_inserter(marks), [](char c) {
    return std::string_view(" \t\r\n;").find(c) == std::string_view::npos;
  });
  return marks;
}

// The last token of `std::collections`, or of `numpy` behind a `use`; kNone: it is no such path.
Index end_of_foreign_path(const Columns& c, Index first) {
  constexpr std::string_view kRust[] = {"collections", "cmp", "fmt", "iter", "f64", "f32"};
  constexpr std::string_view kPython[] = {"numpy", "scipy", "typing", "collections", "heapq"};
  if (std::ranges::count(kPython, text_of(c, first)) != 0) return first;
  const bool is_rust = text_of(c, first) == "std" && text_of(c, i64{first} + 1) == ":" &&
                       std::ranges::count(kRust, text_of(c, i64{first} + 3)) != 0;
  return is_rust ? first + 3 : kNone;
}

// `from typing import List`. Takes the module. If Komuz has the module's names built in, the word itself has its
// own advice.
void refine_from(const Columns& c, Index module, Diagnostic& row) {
  const std::string_view name = text_of(c, module);
  if (!is_module_of_python(name)) return become(row, DiagnosticCode::UseForm, 0, 0);
  if (has_builtins(name)) return;
  become(row, DiagnosticCode::UnknownModule, kOfOtherLanguage, 0);
  move_to(c, row, module, module);
}

}  // namespace

bool RefineUses::has_builtins_alone(std::string_view module) {
  const auto [entry, is_new] = builtins_alone_.try_emplace(module, false);
  if (is_new) entry->second = komuz::frontend::has_builtins_alone(c_, module);
  return entry->second;
}

void RefineUses::operator()(Diagnostic& row) {
  const DiagnosticCode code = row.code();
  if (code != DiagnosticCode::UseForm && code != DiagnosticCode::UnknownModule &&
      code != DiagnosticCode::WordOperator && code != DiagnosticCode::ModuleRename)
    return;
  const Index t = token_from(c_, row.begin);
  // `use math;` lacks only `std.`.
  if (code == DiagnosticCode::UnknownModule && is_standard_module(text_of(c_, t))) return;
  Index first = t, last = t;
  while (first > 0 && t - first < kLongestUse && !is_first_on_line(c_, first)) --first;
  while (last + 1 < c_.tokens && last - t < kLongestUse && !is_first_on_line(c_, last + 1) &&
         token_at(c_, last) != Token::Semi)
    ++last;
  const std::string_view word = text_of(c_, first);
  if ((word != "use" && word != "import" && word != "from") || opener_of(c_, first) != kNone)
    return;
  if (const Index path = end_of_foreign_path(c_, first + 1); word == "use" && path != kNone) {
    become(row, DiagnosticCode::UnknownModule, kOfOtherLanguage, 0);
    return move_to(c_, row, first + 1, path);
  }
  if (code == DiagnosticCode::ModuleRename) return;
  const u32 begin = c_.token_start[first], end = end_of(c_, last);
  const std::string_view line{reinterpret_cast<const char*>(c_.source + begin), end - begin};
  const std::string of_name = code == DiagnosticCode::UnknownModule ? use_of_name(line) : "";
  std::string meant = uses_of(line);
  // Names of types have capitals, names of modules have none.
  const std::string_view name = text_of(c_, token_at(c_, last) == Token::Semi ? last - 1 : last);
  if (meant.empty() && !name.empty() && name[0] >= 'A' && name[0] <= 'Z') meant = of_name;
  if (meant.empty()) meant = use_of_path(line);
  if (meant.empty() && word == "from") return refine_from(c_, first + 1, row);
  // The line has the right form. Which modules there are is not known here.
  if (meant.empty() || marks_of(meant) == marks_of(line)) return;
  const bool imports = word == "import" && last == first + 1;
  if (imports && has_builtins_alone(text_of(c_, last))) return;
  become(row, of_name.empty() ? DiagnosticCode::UseForm : DiagnosticCode::ImportBraces, 0, 0);
  span(row, begin, end);
}

}  // namespace komuz::frontend
