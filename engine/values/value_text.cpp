// SPDX-License-Identifier: Apache-2.0
#include "engine/values/value_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "engine/support/shown.h"
#include "engine/values/decimal_commas.h"
#include "frontend_gpu/text/literal_text.h"
#include "lang/cases.h"
#include "mend/odd_characters.h"

namespace komuz::engine {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The form of a number in decimal digits.
struct NumberShape {
  bool valid = false;
  bool integral = false;  // neither a fraction nor an exponent
};
// The grammar of JSON's numbers. The style Text has that of C, which NumPy and pandas write as well: `.5`, `2.`,
// `1.e+05`, `007.5`, with either sign. A leading `+` has been removed.
NumberShape number_shape(std::string_view text, ValueStyle style) {
  const bool is_json = style == ValueStyle::Json;
  size_t at = 0;
  const auto digits = [&] {
    const size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  NumberShape shape{.valid = false, .integral = true};
  if (at < text.size() && text[at] == '-') ++at;
  const size_t first = at;
  const size_t leading = digits();
  const bool has_zeros = leading > 1 && text[first] == '0';
  if (is_json && (leading == 0 || has_zeros)) return shape;
  size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    shape.integral = false;
    fraction = digits();
    if (is_json && fraction == 0) return shape;
  }
  if (leading + fraction == 0) return shape;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    shape.integral = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return shape;
  }
  // An integer with leading zeros might be octal, so it is refused.
  shape.valid = at == text.size() && !(shape.integral && has_zeros);
  return shape;
}

// Removes a `+` before a number.
std::string_view without_plus(std::string_view text, ValueStyle style) {
  const bool has_plus = style == ValueStyle::Text && text.size() > 1 && text[0] == '+' &&
                        (is_digit(text[1]) || text[1] == '.');
  return has_plus ? text.substr(1) : text;
}

ValueError wrong_kind(Scalar type, std::string_view text, std::string remedy) {
  std::string message = shown(text) + " is no " + std::string(scalar_name(type));
  if (text.empty()) message = "a value of type " + std::string(scalar_name(type)) + " is missing";
  if (const OddCharacter odd = find_odd_character(text); !odd.name.empty()) {
    message += ": it holds " + odd.name;
    remedy = odd.remedy;
  }
  return {0, std::move(message), std::move(remedy)};
}

ValueError out_of_range(Scalar type, std::string_view text, std::string more, std::string remedy) {
  return {0,
          shown(text) + " is out of range for " + std::string(scalar_name(type)) + std::move(more),
          std::move(remedy)};
}

// A text that is no number of JSON may still be a literal of the language.
frontend::LiteralText read_literal(Scalar type, std::string_view text, ValueStyle style) {
  switch (style) {
    case ValueStyle::Source:
    case ValueStyle::CommaText:
    case ValueStyle::Text: return frontend::read_literal(text, type);
    case ValueStyle::Json: return {};
  }
  return {};
}

template <class Integer>
std::optional<ValueError> parse_integer(Scalar type, std::string_view text, ValueStyle style,
                                        u64& cell) {
  const std::string_view number = without_plus(text, style);
  const NumberShape shape = number_shape(number, style);
  bool in_range = true;
  if (shape.valid && shape.integral) {
    Integer value{};
    const char* const end = number.data() + number.size();
    const auto result = std::from_chars(number.data(), end, value);
    in_range = result.ec == std::errc{} && result.ptr == end;
    cell = static_cast<u64>(value);  // extends by the sign
  } else {
    const frontend::LiteralText literal = read_literal(type, number, style);
    if (literal.fault == frontend::LiteralFault::NoLiteral) {
      return wrong_kind(type, text,
                        style == ValueStyle::Json ? "write an integer in decimal digits, such as 42"
                                                  : "write an integer such as 42 or 0x2A");
    }
    in_range = literal.fault == frontend::LiteralFault::None;
    cell = literal.cell;
  }
  if (in_range) return std::nullopt;
  return out_of_range(type, text,
                      " (" + std::to_string(std::numeric_limits<Integer>::min()) + " to " +
                          std::to_string(std::numeric_limits<Integer>::max()) + ")",
                      {});
}

// from_chars does not set numbers beyond the type's range. Those that are too small round to zero or to a subnormal,
// those that are too large are errors. strto* tells the two apart; the token's shape has been checked by then.
template <class Float>
bool parse_extreme(std::string_view text, Float& value) {
  const std::string copy(text);
  if constexpr (sizeof(Float) == 4) {
    value = std::strtof(copy.c_str(), nullptr);
  } else {
    value = std::strtod(copy.c_str(), nullptr);
  }
  return std::isfinite(value);
}

u64 float_cell(f64 value) { return value != value ? kCanonicalNan64 : std::bit_cast<u64>(value); }
u64 float_cell(f32 value) { return value != value ? kCanonicalNan32 : std::bit_cast<u32>(value); }

template <class Float>
std::optional<ValueError> parse_float(Scalar type, std::string_view text, ValueStyle style,
                                      u64& cell) {
  std::string_view word = text;
  const bool in_quotes = word.size() >= 2 && word.front() == '"' && word.back() == '"';
  if (in_quotes) word = word.substr(1, word.size() - 2);
  // In JSON they are written in quotes, since JSON lacks them, or bare, as Python's `json` writes them.
  const bool is_json_word = word == "NaN" || word == "Infinity" || word == "-Infinity";
  const bool is_word =
      in_quotes || style == ValueStyle::Json ? is_json_word : style == ValueStyle::Text;
  if (const auto special = is_word ? special_float(word) : std::nullopt)
    return cell = float_cell(static_cast<Float>(*special)), std::nullopt;
  const std::string_view number = without_plus(text, style);
  constexpr std::string_view kBeyond = "write Infinity if that is meant";
  if (in_quotes || !number_shape(number, style).valid) {
    const frontend::LiteralText literal =
        in_quotes ? frontend::LiteralText{} : read_literal(type, number, style);
    switch (literal.fault) {
      case frontend::LiteralFault::None: return cell = literal.cell, std::nullopt;
      case frontend::LiteralFault::OutOfRange:
        return out_of_range(type, text, {}, std::string(kBeyond));
      case frontend::LiteralFault::NoLiteral: break;
    }
    return wrong_kind(type, text,
                      style == ValueStyle::Json
                          ? "write a number such as 2.5, \"NaN\", \"Infinity\" or \"-Infinity\""
                          : "write a number such as 2.5, NaN, Infinity or -Infinity");
  }
  Float value{};
  const auto result = std::from_chars(number.data(), number.data() + number.size(), value);
  if (result.ec != std::errc{} && !parse_extreme(number, value))
    return out_of_range(type, text, {}, std::string(kBeyond));
  cell = float_cell(value);
  return std::nullopt;
}

// The style Text also takes the words of Python and of spreadsheets.
std::optional<ValueError> parse_bool(std::string_view text, ValueStyle style, u64& cell) {
  const bool is_text = style == ValueStyle::Text;
  if (text == "true" || (is_text && (text == "True" || text == "TRUE")))
    return cell = 1, std::nullopt;
  if (text == "false" || (is_text && (text == "False" || text == "FALSE")))
    return cell = 0, std::nullopt;
  return wrong_kind(Scalar::Bool, text, "write true or false");
}

template <class Float>
void print_float(std::string& out, Float value, ValueStyle style) {
  if (!std::isfinite(value)) {
    const bool source = style == ValueStyle::Source;
    const std::string_view word = value != value ? (source ? "NAN" : "NaN")
                                  : value > 0    ? (source ? "INF" : "Infinity")
                                                 : (source ? "-INF" : "-Infinity");
    const std::string_view quote = style == ValueStyle::Json ? "\"" : "";
    ((out += quote) += word) += quote;
    return;
  }
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  const std::string_view digits(buffer, static_cast<size_t>(end - buffer));
  out += digits;
  if (digits.find_first_of(".e") == std::string_view::npos) out += ".0";
}

template <class Integer>
void print_integer(std::string& out, Integer value) {
  char buffer[24];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

}  // namespace

std::optional<ValueError> parse_scalar(Scalar type, std::string_view text, ValueStyle style,
                                       u64& cell) {
  if (style == ValueStyle::CommaText) {
    std::string number;
    if (auto error = with_decimal_point(text, number)) return error;
    return parse_scalar(type, number, ValueStyle::Text, cell);
  }
  switch (type) {
    case Scalar::None: break;
    case Scalar::Bool: return parse_bool(text, style, cell);
    case Scalar::I32: return parse_integer<i32>(type, text, style, cell);
    case Scalar::I64: return parse_integer<i64>(type, text, style, cell);
    case Scalar::U8: return parse_integer<u8>(type, text, style, cell);
    case Scalar::U32: return parse_integer<u32>(type, text, style, cell);
    case Scalar::U64: return parse_integer<u64>(type, text, style, cell);
    case Scalar::F32: return parse_float<f32>(type, text, style, cell);
    case Scalar::F64: return parse_float<f64>(type, text, style, cell);
  }
  return ValueError{0, "a value of no type", {}};
}

void print_scalar(std::string& out, Scalar type, u64 cell, ValueStyle style) {
  switch (type) {
    case Scalar::None: return;
    case Scalar::Bool: out += cell != 0 ? "true" : "false"; return;
    case Scalar::I32:
    case Scalar::I64: print_integer(out, static_cast<i64>(cell)); return;
    case Scalar::U8:
    case Scalar::U32:
    case Scalar::U64: print_integer(out, cell); return;
    case Scalar::F32: print_float(out, std::bit_cast<f32>(static_cast<u32>(cell)), style); return;
    case Scalar::F64: print_float(out, std::bit_cast<f64>(cell), style); return;
  }
}

std::optional<f64> special_float(std::string_view text) {
  constexpr f64 kInfinity = std::numeric_limits<f64>::infinity();
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  std::string word(text.substr(0, 9));
  std::ranges::transform(word, word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  if (word == "nan") return std::numeric_limits<f64>::quiet_NaN();
  if (word == "inf" || word == "infinity") return is_negative ? -kInfinity : kInfinity;
  return std::nullopt;
}

f64 cell_as_f64(Scalar type, u64 cell) {
  switch (type) {
    case Scalar::None: return 0;
    case Scalar::I32:
    case Scalar::I64: return static_cast<f64>(static_cast<i64>(cell));
    case Scalar::Bool:
    case Scalar::U8:
    case Scalar::U32:
    case Scalar::U64: return static_cast<f64>(cell);
    case Scalar::F32: return static_cast<f64>(std::bit_cast<f32>(static_cast<u32>(cell)));
    case Scalar::F64: return std::bit_cast<f64>(cell);
  }
  return 0;
}

void append_cell_types(std::string_view type_code, std::vector<Scalar>& out) {
  for_each_cell(type_code, [&](Scalar cell) { out.push_back(cell); });
}

}  // namespace komuz::engine
