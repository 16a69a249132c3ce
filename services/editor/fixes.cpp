// SPDX-License-Identifier: Apache-2.0
#include "services/editor/fixes.h"

#include <algorithm>

#include "base/counts.h"
#include "services/display_text.h"

namespace komuz::services {
namespace {

// A menu shows one line.
std::string quoted(std::string_view text) {
  constexpr u32 kMostColumns = 60;
  const std::string_view line = text.substr(0, text.find('\n'));
  return "`" + printable(line, kMostColumns) + (line.size() < text.size() ? " …" : "") + "`";
}
std::string_view without_line_end(std::string_view text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::string title_of(const Edit& edit, std::string_view old) {
  const std::string_view added = without_line_end(edit.text), removed = without_line_end(old);
  if (old.empty()) return "insert " + quoted(added);
  const u64 lines = 1 + static_cast<u64>(std::ranges::count(removed, '\n'));
  if (edit.text.empty()) return "remove " + (lines == 1 ? quoted(removed) : counted(lines, "line"));
  if (lines > 1) return "rewrite " + counted(lines, "line") + " as " + quoted(added);
  return "replace " + quoted(removed) + " with " + quoted(added);
}

}  // namespace

std::optional<OfferedFix> offered_fix(const Diagnostic& d, std::string_view text, size_t size) {
  std::optional<Edit> edit = diagnostic_fix(d, text);
  if (!edit || edit->end > size || edit->begin > edit->end) return std::nullopt;
  std::string title = title_of(*edit, text.substr(edit->begin, edit->end - edit->begin));
  return OfferedFix{std::move(title), std::move(*edit)};
}

std::vector<Edit> fixes_of_code(std::span<const Diagnostic> diagnostics, DiagnosticCode code,
                                std::string_view text, size_t size) {
  std::vector<Edit> edits;
  for (const Diagnostic& d : diagnostics) {
    if (d.code() != code) continue;
    if (auto fix = offered_fix(d, text, size)) edits.push_back(std::move(fix->edit));
  }
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  std::vector<Edit> apart;
  for (Edit& edit : edits)
    if (apart.empty() || edit.begin > apart.back().end) apart.push_back(std::move(edit));
  return apart;
}

}  // namespace komuz::services
