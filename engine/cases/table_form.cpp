// SPDX-License-Identifier: Apache-2.0
#include "engine/cases/table_form.h"

#include <algorithm>
#include <iterator>

namespace komuz::engine {
namespace {

const Separator* find_separator_of(char character) {
  const auto* const found = std::ranges::find(kSeparators, character, &Separator::character);
  return found == std::end(kSeparators) ? nullptr : found;
}

}  // namespace

std::string_view separator_name(char separator) {
  const Separator* const found = find_separator_of(separator);
  return found == nullptr ? std::string_view() : found->name;
}

bool is_missing_word(std::string_view text) {
  return std::ranges::find(kMissingWords, text) != std::end(kMissingWords);
}

Problem read_form_option(std::string_view name, std::string_view value, TableForm& out) {
  if (name == kFormOptions[0].name) {
    if (value == "\t") value = "tab";
    if (value == " ") value = "blank";
    const auto* const found = std::ranges::find(kSeparators, value, &Separator::word);
    if (found == std::end(kSeparators))
      return input_problem("`--separator` takes `,`, `;`, `|`, `tab` or `blank`, not " +
                           shown(value));
    out.separator = found->character;
  } else if (name == kFormOptions[1].name) {
    if (value != "," && value != ".")
      return input_problem("`--decimal` takes `,` or `.`, not " + shown(value));
    out.has_decimal_commas = value == ",";
  } else if (name == kFormOptions[2].name) {
    out.skips_missing = true;
  } else if (name == kFormOptions[3].name) {
    if (value.empty())
      return input_problem("`--weights` takes the name of a column, such as `--weights w`");
    out.weights = value;
  }
  return {};
}

std::string form_text(const TableForm& form, std::string (*word)(std::string_view)) {
  std::string out;
  const auto add = [&out](const FormOption& option, std::string_view value) {
    out += (out.empty() ? "--" : " --") + std::string(option.name);
    if (!value.empty()) out += " " + std::string(value);
  };
  if (const Separator* const separator = find_separator_of(form.separator))
    add(kFormOptions[0], separator->word);
  if (form.has_decimal_commas) add(kFormOptions[1], ",");
  if (form.skips_missing) add(kFormOptions[2], {});
  if (!form.weights.empty()) add(kFormOptions[3], word(form.weights));
  return out;
}

}  // namespace komuz::engine
