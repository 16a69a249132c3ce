// SPDX-License-Identifier: Apache-2.0
#include "lang/diagnostic_types.h"
#include "lang/recursion_note.h"
#include "mend/edits.h"
#include "mend/function_head.h"
#include "mend/habits/from_forms.h"
#include "mend/habits/from_items.h"
#include "mend/habits/from_matches.h"
#include "mend/habits/from_text.h"
#include "mend/habits/from_uses.h"
#include "mend/indented_block.h"
#include "mend/type_edits.h"

namespace komuz {

namespace {

size_t find_outside_comments(std::string_view source, std::string_view wanted, size_t at) {
  for (; at < source.size() && !source.substr(at).starts_with(wanted); ++at)
    if (source.substr(at, 2) == "//") at = std::min(source.find('\n', at), source.size() - 1);
  return at < source.size() ? at : std::string_view::npos;
}

// Replaces the number of a constant that only bounds recursion.
std::optional<Edit> constant_bound_edit(std::string_view name, u32 bound, std::string_view source) {
  size_t item = std::string_view::npos;
  for (size_t at = source.find(name); at != std::string_view::npos;
       at = source.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at > 0 && is_word(source[at - 1])) || (end < source.size() && is_word(source[end])))
      continue;
    const std::string_view before = source.substr(0, at);
    if (before.ends_with("const ") && item == std::string_view::npos)
      item = end;
    else if (!before.ends_with("rec "))
      return std::nullopt;
  }
  const size_t mark = item == std::string_view::npos ? item : source.find('=', item);
  if (mark == std::string_view::npos) return std::nullopt;
  const u32 begin = behind_gap(source, static_cast<u32>(mark) + 1);
  const std::string_view number = word_at(source, begin);
  const u32 end = begin + static_cast<u32>(number.size());
  if (!are_digits(number) || source_at(source, end, 1) != ";") return std::nullopt;
  return Edit{begin, end, std::to_string(bound)};
}
}  // namespace

std::optional<Edit> fix_record(const Fix& fix) {
  if (fix.d.a <= fix.end) return std::nullopt;
  return fix.replace_to(fix.d.a, record_text(between(fix.source, fix.begin, fix.d.a)));
}

// `pub` before the `type` of a name
std::optional<Edit> fix_private_type(const Fix& fix) {
  constexpr std::string_view kType = "type";
  const u32 end = behind_previous(fix.source, fix.begin);
  if (!fix.source.substr(0, end).ends_with(kType)) return std::nullopt;
  return Fix::insert(end - static_cast<u32>(kType.size()), "pub ");
}

std::optional<Edit> fix_signature(const Fix& fix) {
  return head_edit(fix.end, source_at(fix.source, fix.d.a, fix.d.b), fix.source);
}

std::optional<Edit> fix_foreign_function(const Fix& fix) {
  if (fix.at == "=") return block_of_value(fix.begin, fix.source);
  if (fix.d.b == kWithoutFn) return Edit{fix.begin, fix.begin, "fn "};
  if (fix.d.b == kNoEdit) return function_edit(fix.begin, fix.source);
  const std::optional<Edit> block = put_into_braces(fix.source, fix.d.a);
  if (!block) return std::nullopt;
  return Edit{fix.begin, block->end,
              "fn" + std::string(between(fix.source, fix.end, fix.d.a)) + block->text};
}

std::optional<Edit> fix_type_brackets(const Fix& fix) {
  if (fix.d.b == kNoEdit) return std::nullopt;
  if (fix.at.starts_with('[') && fix.at != "[")
    return fix.replace_unless_empty(type_behind_brackets(fix.at));
  if (source_at(fix.source, fix.begin, 2) != "[]") return std::nullopt;
  u32 first = fix.begin;
  while (first > 0 && is_word(fix.source[first - 1])) --first;
  return Edit{first, fix.begin + 2, "[" + std::string(between(fix.source, first, fix.begin)) + "]"};
}

std::optional<Edit> fix_type_before_name(const Fix& fix) {
  if (fix.d.a == kWithoutColon) return fix.replace_unless_empty(parameters_with_colons(fix.at));
  if (fix.d.b == kNoEdit) return std::nullopt;
  return fix.replace((fix.d.a == kOfParameter ? "" : "var ") + declaration(fix.at));
}

// For a variable: `i64` to `u64` in the range of `for i in 0..10`; otherwise adds `: u64`.
std::optional<Edit> fix_stated_type(const Fix& fix) {
  const std::string type = type_text(fix.d.a, fix.source);
  const u32 in = behind_gap(fix.source, fix.end);
  if (word_at(fix.source, in) != "in") return Fix::insert(fix.end, ": " + type);
  const u32 first = behind_gap(fix.source, in + 2);
  const std::string_view number = word_at(fix.source, first);
  return Edit{first, first + static_cast<u32>(number.size()),
              type + "(" + std::string(number) + ")"};
}

std::optional<Edit> fix_missing_value(const Fix& fix) {
  const std::string_view value = first_value(source_at(fix.source, fix.d.a, fix.d.b));
  if (value.empty()) return std::nullopt;
  return Fix::insert(fix.d.a + fix.d.b, " = " + std::string(value));
}

std::optional<Edit> fix_immutable(const Fix& fix) {
  if (fix.d.b != 0) return Fix::insert(fix.d.b, " var " + fix.at + " = " + fix.at + ";");
  if (fix.d.a == 0) return std::nullopt;
  return Edit{fix.d.a - 1, fix.d.a + 2, "var"};
}

// `&`, including a following `mut`
std::optional<Edit> fix_reference(const Fix& fix) {
  if (word_at(fix.source, fix.end) != "mut") return fix.replace("");
  u32 stop = fix.end + 3;
  while (stop < fix.source.size() && fix.source[stop] == ' ') ++stop;
  return Edit{fix.begin, stop, ""};
}

// Writes `=>` for `->` and `|` for commas between patterns, or joins a guard's line to its pattern.
std::optional<Edit> fix_arm(const Fix& fix) {
  if (fix.at == "->") return fix.replace("=>");
  if (fix.d.a == 0) return joined_patterns(fix.begin, fix.source);
  if (!trimmed(between(fix.source, fix.d.b, fix.d.a)).empty()) return std::nullopt;
  return Edit{fix.d.b, fix.d.a, " "};
}

std::optional<Edit> fix_use(const Fix& fix) {
  const std::string uses = uses_of(fix.at);
  return fix.replace_unless_empty(uses.empty() ? use_of_name(fix.at) : uses);
}

std::optional<Edit> fix_constant_type(const Fix& fix) {
  const std::string_view type = type_of_literal(fix.source, fix.end);
  if (type.empty()) return std::nullopt;
  return Fix::insert(fix.end, ": " + std::string(type));
}

// From the end of `-> T` to the bound, which is searched for behind the name.
std::optional<Edit> fix_useless_bound(const Fix& fix) {
  constexpr std::string_view kRec = " rec ";
  const size_t body = find_outside_comments(fix.source, "{", fix.end),
               rec = find_outside_comments(fix.source, kRec, fix.end);
  if (rec == std::string_view::npos || rec > body) return std::nullopt;
  const u32 bound = static_cast<u32>(rec + kRec.size());
  const std::string_view number = word_at(fix.source, bound);
  return Edit{static_cast<u32>(rec), bound + static_cast<u32>(number.size()), ""};
}

std::optional<Edit> fix_missing_bound(const Fix& fix) {
  const size_t body = find_outside_comments(fix.source, "{", fix.end);
  if (body == std::string_view::npos) return std::nullopt;
  return Fix::insert(behind_previous(fix.source, static_cast<u32>(body)),
                     " rec " + std::to_string(RecursionNote::of(fix.d.a, fix.d.b).bound));
}

std::optional<Edit> fix_large_bound(const Fix& fix) {
  if (!are_digits(fix.at)) return constant_bound_edit(fix.at, fix.d.a, fix.source);
  return fix.replace(std::to_string(fix.d.a));
}

}  // namespace komuz
