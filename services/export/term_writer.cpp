// SPDX-License-Identifier: Apache-2.0
#include "services/export/term_writer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "engine/values/value_text.h"
#include "lang/builtins.h"
#include "lang/nodes.h"

namespace komuz::services {
namespace {

constexpr std::string_view kHelperPrefix = "km_";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
u32 bits_of(Scalar type) { return type == Scalar::Bool ? 1 : scalar_bytes(type) * 8; }

Scalar unsigned_of(Scalar type) {
  switch (scalar_bytes(type)) {
    case 1: return Scalar::U8;
    case 4: return Scalar::U32;
    default: return Scalar::U64;
  }
}
bool is_finite_cell(Scalar type, u64 cell) {
  return std::isfinite(type == Scalar::F64 ? std::bit_cast<f64>(cell)
                                           : std::bit_cast<f32>(static_cast<u32>(cell)));
}
std::string printed(Scalar type, u64 cell) {
  std::string text;
  engine::print_scalar(text, type, cell, engine::ValueStyle::Source);
  return text;
}
// An operand that has delimiters around it needs no parentheses.
bool is_enclosed(std::string_view text, size_t begin, size_t end) {
  size_t before = begin;
  while (before > 0 && text[before - 1] == ' ') --before;
  size_t behind = end;
  while (behind < text.size() && text[behind] == ' ') ++behind;
  if (before == 0 || behind == text.size()) return false;
  const std::string_view first = text.substr(0, begin), last = text.substr(end);
  if (first.ends_with("<mrow>") && last.starts_with("</mrow>")) return true;
  if (last.starts_with("\\right") && (first.ends_with("\\left(") || first.ends_with("\\left|") ||
                                      first.ends_with("\\left[") || first.ends_with(", ")))
    return true;
  if (first.ends_with("\\left(") && last.starts_with(",")) return true;
  const char left = text[before - 1], right = text[behind];
  return (left == '(' || left == ',' || left == '{') &&
         (right == ')' || right == ',' || right == '}');
}
bool is_nonzero(const ScriptFunction& f, u32 operand) {
  const Term& term = f.terms[operand];
  if (term.kind != TermKind::Constant) return false;
  if (term.type == Scalar::F64) return std::bit_cast<f64>(term.cell) != 0;
  return term.cell != 0;
}

}  // namespace

std::string_view op_spelling(Op op, Scalar type) {
  for (u32 n = 0; n < kNodeCount; ++n) {
    const NodeRow& row = node_row(static_cast<Node>(n));
    const bool computes =
        row.node_class == NodeClass::Arithmetic || row.node_class == NodeClass::Shift ||
        row.node_class == NodeClass::Compare || row.node_class == NodeClass::Unary;
    if (computes && row.op == op) return row.spelling;
  }
  for (const BuiltinRow& row : kBuiltins)
    if (row.op == op && (row.target == Scalar::None || row.target == type)) return row.name;
  return op_row(op).mnemonic;
}

std::string refused_number(const Term& constant) {
  const bool is_nan = constant.type == Scalar::F64 && std::isnan(std::bit_cast<f64>(constant.cell));
  return is_nan ? "a NaN" : "a number of " + std::string(scalar_name(constant.type));
}

std::string TermWriter::number_end(Scalar type, bool is_least) const {
  const bool is_signed = scalar_class(type) == ScalarClass::Signed;
  const u32 bits = bits_of(type);
  const u64 most = is_signed    ? (u64{1} << (bits - 1)) - 1
                   : bits == 64 ? ~u64{0}
                                : (u64{1} << bits) - 1;
  const SyntaxForm form = is_least
                              ? (is_signed ? SyntaxForm::LeastSigned : SyntaxForm::LeastUnsigned)
                              : (is_signed ? SyntaxForm::MostSigned : SyntaxForm::MostUnsigned);
  std::string digits =
      is_least ? (is_signed ? "-" + std::to_string(most + 1) : "0") : std::to_string(most);
  std::string out;
  const std::string_view text = table_.form(form);
  for (size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '$') {
      out += text[k];
      continue;
    }
    ++k;
    if (text[k] == 'v') out += digits;
    if (text[k] == 't') out += scalar_name(type);
    if (text[k] == 'B') out += std::to_string(bits);
  }
  return out;
}

void TermWriter::use_helper(std::string_view name, Scalar type) {
  uses_.helpers.emplace(std::string(name), type);
}

std::string TermWriter::expand(std::string_view text, std::span<const Piece> operands, u8 level,
                               TemplateTypes types, const Words& words, bool is_choice) {
  std::string out;
  // A choice that binds like an operand has words between its parts.
  const bool has_words = is_choice && level == kOperandLevel;
  const size_t start = text.starts_with("<mrow>") ? std::string_view("<mrow>").size() : 0;
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    const char next = k + 1 < text.size() ? text[k + 1] : '\0';
    if ((c == '$' || c == '%') && next >= '0' && next <= '2') {
      const size_t number = static_cast<size_t>(next - '0');
      if (number >= operands.size()) continue;
      const Piece& piece = operands[number];
      u8 need = kOperandLevel;
      if (c == '$') {
        const bool is_single = level != table_.levels.comparison &&
                               (level != table_.levels.either || table_.levels.both != level);
        if (has_words || is_enclosed(text, k, k + 2))
          need = 0;
        else if (is_choice ? number == 2 : k == start && is_single)
          need = level;
        else
          need = std::min<u8>(static_cast<u8>(level + 1), kOperandLevel);
      }
      out += piece.level < need ? in_parentheses(piece.text) : piece.text;
      ++k;
      continue;
    }
    if (c == '{' && target_ == ExportTarget::Sql) {
      const size_t bar = text.find('|', k), end = text.find('}', k);
      out += is_duckdb_ ? text.substr(bar + 1, end - bar - 1) : text.substr(k + 1, bar - k - 1);
      k = end;
      continue;
    }
    if (c == '@' && is_word(next)) {
      size_t end = k + 1;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string_view name = text.substr(k + 1, end - k - 1);
      Scalar of = Scalar::None;
      if (end + 2 < text.size() && text[end] == ':' && text[end + 1] == '$') {
        of = text[end + 2] == 'a' ? types.other : types.type;
        end += 3;
      }
      use_helper(name, of);
      out += kHelperPrefix;
      out += name;
      if (of != Scalar::None) out += "_" + std::string(scalar_name(of));
      k = end - 1;
      continue;
    }
    if (c != '$') {
      out += c;
      continue;
    }
    const std::string_view rest = text.substr(k + 1);
    if (rest.starts_with("MIN") || rest.starts_with("MAX")) {
      out += number_end(types.type, rest.starts_with("MIN"));
      k += 3;
    } else if (rest.starts_with("NAN")) {
      out += types.type == Scalar::F32 ? "0x7FC00000" : "0x7FF8000000000000";
      k += 3;
    } else if (rest.starts_with("mul")) {
      out += types.type == Scalar::F32 ? "__fmul_rn" : "__dmul_rn";
      k += 3;
    } else {
      ++k;
      const auto word = words.find(next);
      if (word != words.end()) {
        out += word->second;
        continue;
      }
      switch (next) {
        case 'T': out += type_name(types.type); break;
        case 't': out += scalar_name(types.type); break;
        case 'a': out += scalar_name(types.other); break;
        case 'U': out += table_.types[static_cast<u8>(unsigned_of(types.type))]; break;
        case 'B': out += std::to_string(bits_of(types.type)); break;
        case 'f': out += types.type == Scalar::F32 ? "f" : ""; break;
        case 's':
          out += target_ == ExportTarget::Cuda ? "__host__ __device__ static" : "static";
          break;
        case 'I': out += scalar_class(types.type) == ScalarClass::Signed ? "IntN" : "UintN"; break;
        default:
          out += '$';
          out += next;
          break;
      }
    }
  }
  return out;
}

std::string TermWriter::in_parentheses(const std::string& text) const {
  const std::string_view form = table_.form(SyntaxForm::Parentheses);
  if (form.empty()) return "(" + text + ")";
  std::string out(form);
  return out.replace(out.find("$v"), 2, text);
}

std::string TermWriter::line(SyntaxForm form, const Words& words, TemplateTypes types) {
  return expand(table_.form(form), {}, 0, types, words, false);
}

std::string TermWriter::type_name(Scalar type) {
  if (is_reference(type)) return line(SyntaxForm::SliceType, {}, {referred(type)});
  return std::string(table_.types[static_cast<u8>(type)]);
}

Piece TermWriter::part(std::vector<Piece>& operands) {
  std::string text = expand(table_.form(SyntaxForm::Part), operands, kOperandLevel, {}, {}, false);
  const u8 level = text.starts_with('&') ? table_.levels.sign : kOperandLevel;
  return {std::move(text), level};
}

Piece TermWriter::constant(Scalar type, u64 cell) const {
  const auto form = [&](SyntaxForm wanted, const std::string& value, const std::string& wide) {
    std::string out;
    const std::string_view text = table_.form(wanted);
    for (size_t k = 0; k < text.size(); ++k) {
      const char next = k + 1 < text.size() ? text[k + 1] : '\0';
      if (text[k] != '$') {
        out += text[k];
        continue;
      }
      ++k;
      if (next == 'v') out += value;
      if (next == 'w') out += wide;
      if (next == 't') out += scalar_name(type);
      if (next == 'T') out += table_.types[static_cast<u8>(type)];
    }
    return out;
  };
  Piece piece;
  if (target_ == ExportTarget::Sql && is_float(type) && table_.form(SyntaxForm::Float64) == "$v" &&
      !is_finite_cell(type, cell)) {
    piece.text = special_of_sql(type, cell);
    if (piece.text.starts_with('-')) piece.level = table_.levels.sign;
    return piece;
  }
  if (type == Scalar::Bool) {
    piece.text = table_.form(cell != 0 ? SyntaxForm::True : SyntaxForm::False);
    return piece;
  }
  if (is_float(type)) {
    const bool is_wide = type == Scalar::F64;
    const f64 value =
        is_wide ? std::bit_cast<f64>(cell) : std::bit_cast<f32>(static_cast<u32>(cell));
    if (value != value) {
      piece.text = table_.form(is_wide ? SyntaxForm::Nan64 : SyntaxForm::Nan32);
    } else if (value - value != 0) {
      piece.text = table_.form(is_wide ? SyntaxForm::Infinity64 : SyntaxForm::Infinity32);
      if (value < 0) piece = {"-" + piece.text, table_.levels.sign};
    } else {
      const std::string wide = printed(Scalar::F64, std::bit_cast<u64>(value));
      const bool is_negative = std::signbit(value);
      const std::string size = printed(type, cell).substr(is_negative ? 1 : 0);
      return number(is_wide ? SyntaxForm::Float64 : SyntaxForm::Float32, size,
                    wide.substr(is_negative ? 1 : 0), type, is_negative);
    }
    return piece;
  }
  const std::string digits = printed(type, cell);
  // A spreadsheet keeps 15 digits of a number.
  if (target_ == ExportTarget::Excel && digits.size() > 15) return piece;
  // SQLite takes what does not fit 64 bits with a sign for a REAL.
  const bool is_sqlite = target_ == ExportTarget::Sql && !is_duckdb_;
  if (is_sqlite && type == Scalar::U64 && cell >> 63 != 0) return piece;
  const bool is_notation = target_ == ExportTarget::Latex || target_ == ExportTarget::Mathml;
  if (is_notation)
    return number(SyntaxForm::Integer, digits.starts_with('-') ? digits.substr(1) : digits, digits,
                  type, digits.starts_with('-'));
  if (type == Scalar::I64 && cell == u64{1} << 63) {
    piece.text = number_end(type, true);
    if (piece.text == digits) piece.text = form(SyntaxForm::Integer, digits, digits);
  } else {
    piece.text = form(SyntaxForm::Integer, digits, digits);
    // C takes decimals above its largest signed number for an error.
    const bool is_c = target_ == ExportTarget::C || target_ == ExportTarget::Cuda;
    if (is_c && type == Scalar::U64 && cell >> 63 != 0) piece.text += "u";
  }
  if (piece.text.starts_with('-')) piece.level = table_.levels.sign;
  return piece;
}

std::string TermWriter::special_of_sql(Scalar type, u64 cell) const {
  const f64 value =
      type == Scalar::F64 ? std::bit_cast<f64>(cell) : std::bit_cast<f32>(static_cast<u32>(cell));
  if (value != value) return "NULL";
  const std::string infinity = is_duckdb_ ? "CAST('infinity' AS DOUBLE)" : "9e999";
  return value < 0 ? "-" + infinity : infinity;
}

// The literal of a finite number without its sign, as people of the target write it.
Piece TermWriter::number(SyntaxForm form, const std::string& size, const std::string& wide,
                         Scalar type, bool is_negative) const {
  std::string digits = size, exponent;
  const size_t e = digits.find('e');
  if (e != std::string::npos) {
    exponent = digits.substr(e + 1);
    if (exponent.starts_with('+')) exponent.erase(0, 1);
    digits.resize(e);
  }
  std::string plain = digits;
  if (plain.ends_with(".0")) plain.resize(plain.size() - 2);
  Piece piece;
  switch (target_) {
    case ExportTarget::Latex:
      piece.text = plain;
      if (!exponent.empty()) piece = {plain + " \\cdot {10}^{" + exponent + "}", 13};
      break;
    case ExportTarget::Mathml:
      piece.text = "<mn>" + plain + "</mn>";
      if (!exponent.empty())
        piece = {"<mrow><mn>" + plain + "</mn><mo>&#x22C5;</mo><msup><mn>10</mn><mn>" + exponent +
                     "</mn></msup></mrow>",
                 13};
      break;
    case ExportTarget::Excel: piece = spreadsheet_number(plain, exponent); break;
    case ExportTarget::Sql: piece.text = digits + "e" + (exponent.empty() ? "0" : exponent); break;
    default: {
      const std::string_view text = table_.form(form);
      if (text.empty()) return piece;  // the target has no such numbers
      for (size_t k = 0; k < text.size(); ++k) {
        if (text[k] != '$') {
          piece.text += text[k];
          continue;
        }
        ++k;
        if (text[k] == 'v')
          piece.text += (is_negative && text.size() > 2 && text[0] != '$' ? "-" : "") + size;
        if (text[k] == 'w') piece.text += (is_negative && text[0] != '$' ? "-" : "") + wide;
        if (text[k] == 't') piece.text += scalar_name(type);
        if (text[k] == 'T') piece.text += table_.types[static_cast<u8>(type)];
      }
      if (is_negative && text[0] == '$') piece = {"-" + piece.text, table_.levels.sign};
      return piece;
    }
  }
  if (!is_negative) return piece;
  const std::string sign = target_ == ExportTarget::Mathml ? "<mo>&#x2212;</mo>" : "-";
  piece = {
      sign + (piece.level < kOperandLevel && target_ == ExportTarget::Excel ? "(" + piece.text + ")"
                                                                            : piece.text),
      table_.levels.sign};
  if (target_ == ExportTarget::Mathml) piece.text = "<mrow>" + piece.text + "</mrow>";
  return piece;
}

// Excel keeps 15 digits of a number that is typed: longer ones are a sum of two. Numbers below the smallest that has all digits
// are 0 there, and LibreOffice takes them for an error.
Piece TermWriter::spreadsheet_number(const std::string& digits, const std::string& exponent) {
  constexpr f64 kLeast = 2.3e-308;
  const std::string tail = exponent.empty() ? "" : "E" + exponent;
  const f64 whole = std::strtod((digits + tail).c_str(), nullptr);
  if (whole < kLeast) return {"0", kOperandLevel};
  u32 count = 0;
  bool has_started = false;
  for (const char c : digits) {
    if (c >= '1' && c <= '9') has_started = true;
    if (has_started && c != '.') ++count;
  }
  if (count <= 15) return {digits + tail, kOperandLevel};
  std::string rounded = digits;
  u32 seen = 0;
  has_started = false;
  for (char& c : rounded) {
    if (c >= '1' && c <= '9') has_started = true;
    if (has_started && c != '.' && ++seen > 15) c = '0';
  }
  while (rounded.find('.') != std::string::npos &&
         (rounded.ends_with('0') || rounded.ends_with('.'))) {
    const bool was_point = rounded.ends_with('.');
    rounded.pop_back();
    if (was_point) break;
  }
  const f64 high = std::strtod((rounded + tail).c_str(), nullptr);
  if (whole - high < kLeast) return {rounded + tail, kOperandLevel};
  char low[40];
  std::snprintf(low, sizeof low, "%.15G", whole - high);
  if (high + std::strtod(low, nullptr) != whole) return {digits + tail, kOperandLevel};
  return {rounded + tail + " + " + low, 12};
}

Piece TermWriter::operation(const ScriptFunction& f, const Term& term,
                            std::vector<Piece>& operands) {
  Piece piece;
  const auto by_form = [&](SyntaxForm form, u8 level, bool is_choice) {
    const std::string_view text = table_.form(form);
    if (text.empty()) {
      refusal_ = is_choice ? "a condition" : "a lazy operator";
      return;
    }
    piece.level = level;
    piece.text = expand(text, operands, level, {term.type, Scalar::None}, {}, is_choice);
  };
  if (term.kind == TermKind::Choose) {
    const bool has_own = term.type == Scalar::Bool && !table_.form(SyntaxForm::ChooseTruth).empty();
    by_form(has_own ? SyntaxForm::ChooseTruth : SyntaxForm::Choose, table_.levels.choose, true);
    return piece;
  }
  if (term.kind == TermKind::AndThen || term.kind == TermKind::OrElse) {
    const bool both = term.kind == TermKind::AndThen;
    by_form(both ? SyntaxForm::AndThen : SyntaxForm::OrElse,
            both ? table_.levels.both : table_.levels.either, false);
    return piece;
  }
  if (term.kind == TermKind::Power) {
    Words words;
    words['n'] = std::to_string(term.number);
    piece.text = expand(table_.form(SyntaxForm::Power), operands, table_.levels.sign + 1,
                        {term.type, Scalar::None}, words, false);
    piece.level = static_cast<u8>(table_.levels.sign + 1);
    return piece;
  }
  if (is_float(term.operand_type))
    uses_.has_floats = true;
  else
    uses_.has_integers = true;
  const std::span<const u32> numbers = f.operands_of(term);
  for (const OperationRow& row : table_.operations) {
    if (row.op != term.op || (row.types & type_bit(term.operand_type)) == 0) continue;
    if (term.other_type != Scalar::None && (row.others & type_bit(term.other_type)) == 0) continue;
    if (row.needs_nonzero && !is_nonzero(f, numbers.back())) continue;
    if (row.is_measured) uses_.measured.insert(term.op);
    piece.level = row.level;
    if (row.text == "$0") return operands[0];
    piece.text =
        expand(row.text, operands, row.level, {term.operand_type, term.other_type}, {}, false);
    return piece;
  }
  refusal_ = "`" + std::string(op_spelling(term.op, term.operand_type)) + "` of " +
             std::string(scalar_name(op_row(term.op).form == OpForm::Convert ? term.other_type
                                                                             : term.operand_type));
  return piece;
}

std::string TermWriter::index(const ScriptFunction& f, u32 term, const std::string& text,
                              u32 length, bool is_known) {
  if (is_known && f.terms[term].kind == TermKind::Constant)
    return line(SyntaxForm::ConstantIndex, {{'v', std::to_string(f.terms[term].cell)}});
  return line(is_known ? SyntaxForm::KnownIndex : SyntaxForm::Index,
              {{'v', text}, {'l', constant(Scalar::I64, length).text}});
}

std::string TermWriter::helpers() {
  // Texts of helpers name others.
  std::map<std::pair<std::string, Scalar>, std::string> texts;
  for (bool has_more = true; has_more;) {
    has_more = false;
    const auto used = uses_.helpers;
    for (const auto& [name, type] : used) {
      if (texts.contains({name, type})) continue;
      has_more = true;
      const TargetHelper* const row = table_.helper(name);
      texts[{name, type}] =
          row == nullptr ? "" : expand(row->text, {}, 0, {type, Scalar::None}, {}, false);
    }
  }
  // What a helper needs stands before it.
  std::string out;
  std::set<std::string> written;
  const auto is_ready = [&](const std::string& text, const std::string& own) {
    for (const auto& [key, other] : texts) {
      std::string name = std::string(kHelperPrefix) + key.first;
      if (key.second != Scalar::None) name += "_" + std::string(scalar_name(key.second));
      if (name == own || written.contains(name)) continue;
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        if (at + name.size() == text.size() || !is_word(text[at + name.size()])) return false;
    }
    return true;
  };
  const bool is_python = target_ == ExportTarget::Python || target_ == ExportTarget::Numpy ||
                         target_ == ExportTarget::Sympy;
  for (size_t left = texts.size(); left > 0;) {
    const size_t before = left;
    for (const auto& [key, text] : texts) {
      std::string name = std::string(kHelperPrefix) + key.first;
      if (key.second != Scalar::None) name += "_" + std::string(scalar_name(key.second));
      if (written.contains(name) || !is_ready(text, name)) continue;
      out += text;
      out += is_python ? "\n\n" : "\n";
      written.insert(name);
      --left;
    }
    if (left == before) break;
  }
  return out;
}

}  // namespace komuz::services
