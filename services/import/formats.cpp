// SPDX-License-Identifier: Apache-2.0
#include "services/import/formats.h"

#include <algorithm>

#include "mend/source_text.h"

namespace komuz::services {
namespace {

constexpr u32 bit(FormulaFormat format) { return u32{1} << static_cast<u32>(format); }

// clang-format off
#define FORMAT(Id, ...) [[maybe_unused]] constexpr u32 k##Id = bit(FormulaFormat::Id);
#include "services/import/formats.def"
// clang-format on

constexpr u32 kAll = ~u32{0};
constexpr u32 kCalculating = kAll & ~kGplearn;
constexpr u32 kInfix = kAll & ~kGplearn & ~kDeap;
constexpr u32 kCompared = kInfix & ~kOperon;
constexpr u32 kCaret = kInfix & ~kPython;
constexpr u32 kInverse = kSympy | kDeap | kPython | kPysr | kExprtk | kExcel | kOctave | kLatex;
constexpr u32 kNaturalLog =
    kSympy | kDeap | kPython | kOperon | kMuparser | kExprtk | kOctave | kLatex;
constexpr u32 kRounding = kSympy | kDeap | kPython | kOperon | kPysr | kExprtk | kOctave | kLatex;

constexpr FormatRow kFormats[] = {
#define FORMAT(Id, name, title, capitals, side, minus, joined, truth, indexed, first, comments) \
  {FormulaFormat::Id,                                                                           \
   name,                                                                                        \
   title,                                                                                       \
   Capitals::capitals,                                                                          \
   PowerSide::side,                                                                             \
   MinusOfPower::minus,                                                                         \
   Joined::joined,                                                                              \
   TruthForm::truth,                                                                            \
   indexed,                                                                                     \
   first,                                                                                       \
   comments},
#include "services/import/formats.def"
};

constexpr OperatorRow kOperators[] = {
#define INFIX(formats, spelling, Name, precedence) \
  {formats, spelling, FormulaOperation::Name, precedence, OperatorPlace::Infix},
#define PREFIX(formats, spelling, Name, precedence) \
  {formats, spelling, FormulaOperation::Name, precedence, OperatorPlace::Prefix},
#define POSTFIX(formats, spelling, Name, precedence) \
  {formats, spelling, FormulaOperation::Name, precedence, OperatorPlace::Postfix},
#include "services/import/operators.def"
};
constexpr OperatorRow kJoinedProduct = {kAll, "", FormulaOperation::Multiply, 70,
                                        OperatorPlace::Infix};

constexpr FunctionRow kFunctions[] = {
#define FUNCTION(formats, name, arguments, Type, Form, text) \
  {formats, name, arguments, WrittenType::Type, WrittenForm::Form, text},
#include "services/import/functions.def"
};

struct NameRow {
  u32 formats;
  std::string_view name, text;
};
#define CONSTANT(formats, name, text) {formats, name, text},
constexpr NameRow kConstants[] = {
#include "services/import/constants.def"
};
#undef CONSTANT
#define CONSTANT(...)
#define ABSENT(formats, name, reason) {formats, name, reason},
constexpr NameRow kAbsent[] = {
#include "services/import/constants.def"
};

constexpr HelperFunction kHelpers[] = {
#define HELPER(name, text) {#name, text},
#include "services/import/helpers.def"
};

[[nodiscard]] bool is_same_name(FormulaFormat format, std::string_view a, std::string_view b) {
  return a == b || (format_row(format).capitals == Capitals::Ignored && is_same_but_for_case(a, b));
}
template <class Row>
[[nodiscard]] bool is_row_of(const Row& row, FormulaFormat format, std::string_view name) {
  return (row.formats & bit(format)) != 0 && is_same_name(format, row.name, name);
}
[[nodiscard]] std::string_view text_of(std::span<const NameRow> rows, FormulaFormat format,
                                       std::string_view name) {
  const auto row =
      std::ranges::find_if(rows, [&](const NameRow& r) { return is_row_of(r, format, name); });
  return row == rows.end() ? std::string_view{} : row->text;
}

}  // namespace

std::span<const FormatRow> formula_formats() { return kFormats; }
const FormatRow& format_row(FormulaFormat format) { return kFormats[static_cast<size_t>(format)]; }

std::optional<FormulaFormat> find_format(std::string_view name) {
  for (const FormatRow& row : kFormats)
    if (row.name == name) return row.format;
  return std::nullopt;
}

const OperatorRow* find_operator(FormulaFormat format, OperatorPlace place, std::string_view text) {
  const OperatorRow* found = nullptr;
  for (const OperatorRow& row : kOperators) {
    if ((row.formats & bit(format)) == 0 || row.place != place) continue;
    const size_t length = row.spelling.size();
    if (found != nullptr && found->spelling.size() >= length) continue;
    if (!is_same_name(format, text.substr(0, length), row.spelling)) continue;
    // A word ends where the word does.
    const bool is_part =
        is_word(row.spelling.back()) && text.size() > length && is_word(text[length]);
    if (!is_part) found = &row;
  }
  return found;
}

const OperatorRow& joined_product() { return kJoinedProduct; }

bool is_function(FormulaFormat format, std::string_view name) {
  return std::ranges::any_of(kFunctions,
                             [&](const FunctionRow& row) { return is_row_of(row, format, name); });
}

const FunctionRow* find_function(FormulaFormat format, std::string_view name, size_t arguments) {
  for (const FunctionRow& row : kFunctions)
    if (is_row_of(row, format, name) && row.takes(arguments)) return &row;
  return nullptr;
}

std::string argument_counts(FormulaFormat format, std::string_view name) {
  std::string text;
  for (const FunctionRow& row : kFunctions) {
    if (!is_row_of(row, format, name)) continue;
    if (row.has_any_number()) return "one or more arguments";
    text += (text.empty() ? "" : " or ") + std::to_string(row.arguments.size());
  }
  return text + (text == "1" ? " argument" : " arguments");
}

std::vector<std::string_view> function_names(FormulaFormat format) {
  std::vector<std::string_view> names;
  for (const FunctionRow& row : kFunctions)
    if ((row.formats & bit(format)) != 0) names.push_back(row.name);
  return names;
}

std::string_view find_constant(FormulaFormat format, std::string_view name) {
  return text_of(kConstants, format, name);
}
std::string_view reason_of_absence(FormulaFormat format, std::string_view name) {
  return text_of(kAbsent, format, name);
}

std::span<const HelperFunction> helper_functions() { return kHelpers; }

}  // namespace komuz::services
