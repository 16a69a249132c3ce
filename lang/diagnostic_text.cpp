// SPDX-License-Identifier: Apache-2.0
// Words and edits for diagnostics: the edge where rows become sentences.
#include <algorithm>

#include "lang/aliases.h"
#include "lang/diagnostics.h"
#include "lang/traps.h"
#include "lang/types.h"

namespace komuz {

namespace {

constexpr std::string_view kFeatureTexts[] = {
#define FEATURE(Name, text) text,
#include "lang/features.def"
};

// See frontend_gpu/type_brief.h.
std::string brief_text(u32 packed) {
  std::string out;
  u32 elements[9] = {};  // of each open tuple; of none
  u32 depth = 0;
  for (i32 shift = 28; shift >= 0; shift -= 4) {
    const u32 digit = packed >> shift & 15;
    if (digit == 0) break;
    if (digit != 0xD && elements[depth]++ != 0) out += ", ";
    if (digit <= 8) out += scalar_name(static_cast<Scalar>(digit));
    switch (digit) {
      case 0x9: out += "integer literal"; break;
      case 0xA: out += "float literal"; break;
      case 0xB: out += "()"; break;
      case 0xC:
        out += "(";
        elements[++depth] = 0;
        break;
      case 0xD:
        out += elements[depth] == 1 ? ",)" : ")";
        if (depth != 0) --depth;
        break;
      case 0xE: out += "…"; break;
      case 0xF: out += "nothing"; break;
      default: break;
    }
  }
  if (out == "integer literal") return "an integer literal";
  if (out == "float literal") return "a float literal";
  return out.empty() ? "no value" : "`" + out + "`";
}

std::string_view source_at(std::string_view source, u32 begin, u32 length) {
  if (begin >= source.size()) return {};
  return source.substr(begin, length);
}

// The source under a span on one line, shortened.
std::string shown(std::string_view text) {
  constexpr size_t kLongest = 40;
  const size_t whole = text.size();
  size_t length = std::min({text.find('\n'), whole, kLongest});
  while (length > 0 && length < whole && (text[length] & 0xC0) == 0x80)
    --length;  // no half character
  const bool cut = length < whole;
  text = text.substr(0, length);
  return std::string(text) + (cut ? "…" : "");
}

std::string filled(std::string_view slot, const Diagnostic& d, std::string_view source) {
  const std::string_view at = source_at(source, d.begin, d.length);
  if (slot == "at") return shown(at);
  if (slot == "a") return std::to_string(d.a);
  if (slot == "b") return std::to_string(d.b);
  if (slot == "type a") return brief_text(d.a);
  if (slot == "type b") return brief_text(d.b);
  if (slot == "word a") return shown(source_at(source, d.a, d.b));
  if (slot == "trap a") return std::string(trap_name(static_cast<Trap>(d.a)));
  if (slot == "feature a")
    return std::string(d.a < std::size(kFeatureTexts) ? kFeatureTexts[d.a] : "this");
  if (slot == "alias") {
    const AliasRow* const row = find_alias(at);
    return row == nullptr ? "" : "; write `" + std::string(row->right) + "`";
  }
  return "{" + std::string(slot) + "}";
}

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The bytes from a span's begin to the end of the word before it: a place to insert behind an operand.
u32 behind_previous(std::string_view source, u32 at) {
  while (at > 0 && (source[at - 1] == ' ' || source[at - 1] == '\t')) --at;
  return at;
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
// Does a word or a closing bracket stand before byte `at`, blanks apart?
bool stands_behind_operand(std::string_view source, u32 at) {
  const size_t last = source.substr(0, at).find_last_not_of(" \t");
  return last != std::string_view::npos && (is_word(source[last]) || source[last] == ')');
}
// Does a word stand behind byte `at`, blanks apart?
bool stands_before_word(std::string_view source, u32 at) {
  const size_t next = source.find_first_not_of(" \t", at);
  return next != std::string_view::npos && next != at && is_word(source[next]);
}

}  // namespace

std::string diagnostic_message(const Diagnostic& d, std::string_view source) {
  const std::string_view form = diagnostic_row(d.code()).message;
  std::string out;
  for (size_t k = 0; k < form.size();) {
    const size_t open = form.find('{', k), close = form.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) {
      out += form.substr(k);
      break;
    }
    out += form.substr(k, open - k);
    out += filled(form.substr(open + 1, close - open - 1), d, source);
    k = close + 1;
  }
  return out;
}

std::optional<Edit> diagnostic_fix(const Diagnostic& d, std::string_view source) {
  const std::string at(source_at(source, d.begin, d.length));
  const u32 begin = d.begin, end = d.begin + static_cast<u32>(at.size());
  const auto replace = [&](std::string text) { return Edit{begin, end, std::move(text)}; };
  switch (d.code()) {
    case DiagnosticCode::IntegerForFloat: return Edit{end, end, ".0"};
    case DiagnosticCode::ReservedWord:
      if (stands_before_word(source, end)) return std::nullopt;  // it is meant as a keyword
      return replace(at + "_");
    case DiagnosticCode::AddressOfOperator: return replace("");
    case DiagnosticCode::LetMut: return replace("var");
    case DiagnosticCode::IncrementOperator:
      if (!stands_behind_operand(source, d.begin)) return std::nullopt;  // `++k`
      return replace(at == "++" ? " += 1" : " -= 1");
    case DiagnosticCode::ReturnWithoutValue: return replace("return ()");
    case DiagnosticCode::UnknownName:
    case DiagnosticCode::UnknownType:
    case DiagnosticCode::WordOperator: {
      const AliasRow* const row = find_alias(at);
      if (row == nullptr) return std::nullopt;
      return replace(std::string(row->right));
    }
    case DiagnosticCode::AsConversion: {
      if (d.a == 0) return std::nullopt;
      u32 type = end;
      while (type < source.size() && source[type] == ' ') ++type;
      u32 stop = type;
      while (stop < source.size() && is_name_byte(source[stop])) ++stop;
      const u32 first = d.a - 1, last = behind_previous(source, begin);
      const std::string operand(source_at(source, first, last - first));
      if (stop == type) return std::nullopt;
      return Edit{first, stop,
                  std::string(source_at(source, type, stop - type)) +
                      (operand[0] == '(' ? operand : "(" + operand + ")")};
    }
    case DiagnosticCode::PrefixAfterTighter:
      if (d.b == 0) return std::nullopt;
      return Edit{begin, d.b, "(" + std::string(source_at(source, begin, d.b - begin)) + ")"};
    case DiagnosticCode::ChainedComparison:
      if (d.b == 0) return std::nullopt;
      return Edit{begin, begin, "&& " + std::string(source_at(source, d.a, d.b)) + " "};
    case DiagnosticCode::NotVariable:
      if (d.a == 0) return std::nullopt;
      return Edit{d.a - 1, d.a + 2, "var"};
    case DiagnosticCode::NumberSuffix: {
      size_t k = 0;
      while (k < at.size() && at[k] != 'i' && at[k] != 'u' && at[k] != 'f') ++k;
      return replace(at.substr(k) + "(" + at.substr(0, k) + ")");
    }
    case DiagnosticCode::NegatedUnsigned: return replace("0 -% ");
    case DiagnosticCode::UselessRec: {
      // From behind `-> T` to the bound: found in the text behind the name.
      const size_t body = source.find('{', end), rec = source.find(" rec ", end);
      if (rec == std::string_view::npos || rec > body) return std::nullopt;
      size_t stop = rec + 5;
      while (stop < source.size() && is_name_byte(source[stop])) ++stop;
      return Edit{static_cast<u32>(rec), static_cast<u32>(stop), ""};
    }
    case DiagnosticCode::MissingRec: {
      const size_t body = source.find('{', end);
      if (body == std::string_view::npos) return std::nullopt;
      const u32 place = behind_previous(source, static_cast<u32>(body));
      return Edit{place, place, " rec " + std::to_string(d.a)};
    }
    default: return std::nullopt;
  }
}

}  // namespace komuz
