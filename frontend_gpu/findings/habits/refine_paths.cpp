// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/findings/habits/refine_paths.h"

#include "frontend_gpu/findings/habits/refine_signs.h"

namespace komuz::frontend {

namespace {

// `f::<T>(…)`. `first` is the `<`.
bool refine_call_types_from(const Columns& c, i64 first, Diagnostic& row) {
  if (text_of(c, first) != "<") return false;
  u32 depth = 0;
  for (i64 k = first; k - first < kLongestLook && k < static_cast<i64>(c.tokens); ++k) {
    const std::string_view word = text_of(c, k);
    if (word == "<") ++depth;
    if (word == ";" || word == "{") return false;
    const u32 closed = word == ">" ? 1 : word == ">>" ? 2 : 0;
    if (closed > depth) return false;
    depth -= closed;
    if (closed != 0 && depth == 0) return refine_call_types(c, k, row);
  }
  return false;
}
// `Vec::new()`, `List::with_capacity(8)`. `last` is the second `:`.
bool refine_empty_list(const Columns& c, i64 last, Diagnostic& row) {
  const std::string_view type = text_of(c, last - 2), made = text_of(c, last + 1);
  const bool is_list =
      type == "Vec" || type == "List" || type == "Bytes" || type == "String" || type == "VecDeque";
  if (!is_list || (made != "new" && made != "with_capacity") || text_of(c, last + 2) != "(")
    return false;
  i64 end = last + 3;
  while (end < static_cast<i64>(c.tokens) && end - last < kLongestLook && text_of(c, end) != ")" &&
         text_of(c, end) != "(")
    ++end;
  if (text_of(c, end) != ")") return false;
  become(row, DiagnosticCode::EmptyList, 0, 0);
  move_to(c, row, static_cast<Index>(last) - 2, static_cast<Index>(end));
  return true;
}

}  // namespace

bool refine_call_types(const Columns& c, i64 last, Diagnostic& row) {
  u32 depth = 0;
  for (i64 k = last; k > 1 && last - k < kLongestLook; --k) {
    const std::string_view word = text_of(c, k);
    if (word == ">") ++depth;
    if (word == ">>") depth += 2;
    if (depth == 0) return false;
    if (word != "<" || --depth != 0) continue;
    if (text_of(c, k - 1) != ":" || text_of(c, k - 2) != ":" || !touches_next(c, k - 2))
      return false;
    become(row, DiagnosticCode::CallTypeArguments, 0, 0);
    move_to(c, row, static_cast<Index>(k) - 2, static_cast<Index>(last));
    return true;
  }
  return false;
}

bool refine_path(const Columns& c, Index t, Diagnostic& row) {
  const auto is_mark = [&c](i64 k) {  // the first half of `::`
    return text_of(c, k) == ":" && text_of(c, k + 1) == ":" && touches_next(c, k);
  };
  const i64 mark = is_mark(t) ? i64{t} : i64{t} - 1;
  if (!is_mark(mark)) return false;
  i64 first = mark, last = mark + 1;
  for (u32 k = 0; k < kLongestLook; ++k) {
    if (touches_next(c, first - 1) && is_name_part(c, first - 1)) --first;
    if (!touches_next(c, first - 1) || !is_mark(first - 2)) break;
    first -= 2;
  }
  for (u32 k = 0; k < kLongestLook && is_name_part(c, last + 1) && is_mark(last + 2); ++k)
    last += 3;
  if (refine_call_types_from(c, last + 1, row) || refine_empty_list(c, last, row)) return true;
  become(row, DiagnosticCode::PathOperator);
  move_to(c, row, static_cast<Index>(first), static_cast<Index>(last));
  return true;
}

bool refine_variant(const Columns& c, Index t, Diagnostic& row) {
  const auto is_capitalised = [&c](i64 k) {
    const std::string_view word = text_of(c, k);
    return !word.empty() && word[0] >= 'A' && word[0] <= 'Z';
  };
  const i64 dot = text_of(c, t) == "." ? i64{t} : i64{t} + 1;
  if (text_of(c, dot) != "." || !is_capitalised(dot - 1) || !is_capitalised(dot + 1)) return false;
  become(row, DiagnosticCode::PathOperator);
  move_to(c, row, static_cast<Index>(dot) - 1, static_cast<Index>(dot));
  return true;
}

}  // namespace komuz::frontend
