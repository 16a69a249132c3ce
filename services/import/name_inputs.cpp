// SPDX-License-Identifier: Apache-2.0
#include "services/import/name_inputs.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "engine/cases/column_names.h"
#include "mend/near_miss.h"
#include "mend/source_text.h"
#include "services/display_text.h"
#include "services/import/write_program.h"

namespace komuz::services {

InputNames::InputNames(FormulaFormat format, std::span<const StatedInput> stated,
                       std::span<const DefinedFunction> defined)
    : format_(format), stated_(stated.begin(), stated.end()), defined_(defined) {}

std::string InputNames::key_of(std::string_view name) const {
  std::string key(name);
  if (format_row(format_).capitals == Capitals::Ignored)
    for (char& c : key)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  // \mathrm{x1} and x_{1} are one.
  if (format_ == FormulaFormat::Latex) std::erase(key, '_');
  return key;
}

bool InputNames::is_stated(std::string_view name) const {
  return std::ranges::any_of(
      stated_, [&](const StatedInput& input) { return key_of(input.name) == key_of(name); });
}

std::string_view InputNames::parameter_of(std::string_view name) const {
  const auto place = places_.find(key_of(name));
  return place == places_.end() ? std::string_view{} : parameters_[place->second];
}

// Where inputs are stated, `X1` of gplearn is the second one. The number of inputs: it is none.
size_t InputNames::stated_place(std::string_view name) const {
  if (const auto known = places_.find(key_of(name)); known != places_.end()) return known->second;
  const FormatRow& row = format_row(format_);
  if (row.indexed.empty() || !name.starts_with(row.indexed)) return inputs_.size();
  const std::string_view digits = name.substr(row.indexed.size());
  size_t index = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool is_number = error == std::errc{} && stop == digits.data() + digits.size();
  return is_number && index >= row.first_index ? std::min(index - row.first_index, inputs_.size())
                                               : inputs_.size();
}

Problem InputNames::check_name(const FormulaLine& line, const FormulaToken& token,
                               bool has_bracket) const {
  const std::string title(format_row(format_).title);
  const std::string shown = "`" + printable(token.text, 40) + "`";
  if (const std::string_view reason = reason_of_absence(format_, token.text); !reason.empty())
    return input_problem(
        line.place(token.at),
        "import cannot read " + shown + " of " + title + ": " + std::string(reason),
        "leave the formula out, or write that part in another way");
  if (is_function(format_, token.text))
    return input_problem(line.place(token.at), shown + " is a function of " + title,
                         "its arguments stand in brackets behind it");
  if (!has_bracket) return {};
  const std::vector<std::string_view> names = function_names(format_);
  const std::string_view near = nearest_word(token.text, names);
  return input_problem(line.place(token.at),
                       shown + " is no function that import knows of " + title,
                       near.empty() ? "docs/import.md lists what it reads"
                                    : "did you mean `" + std::string(near) + "`?");
}

Problem InputNames::add(const FormulaLine& line, const FormulaToken& token) {
  if (!is_given_) {
    if (places_.try_emplace(key_of(token.text), inputs_.size()).second)
      inputs_.push_back({token.text, {}});
    return {};
  }
  const size_t place = stated_place(token.text);
  if (place < inputs_.size()) {
    places_.try_emplace(key_of(token.text), place);
    return {};
  }
  std::vector<std::string_view> names;
  for (const StatedInput& input : inputs_) names.push_back(input.name);
  const std::string_view near = nearest_word(token.text, names);
  return input_problem(line.place(token.at),
                       "`" + printable(token.text, 40) + "` is none of the inputs",
                       near.empty() ? "name all that the formulas have, as in `--input a,b`"
                                    : "did you mean `" + std::string(near) + "`?");
}

Problem InputNames::find(const FormulaLine& line, FormulaTokens& tokens) {
  inputs_.clear();
  places_.clear();
  if (tokens.has_parameters && stated_.empty())
    for (const std::string& name : tokens.parameters) inputs_.push_back({name, {}});
  else
    inputs_ = stated_;
  is_given_ = tokens.has_parameters || !stated_.empty();
  for (size_t k = 0; k < inputs_.size(); ++k) places_.try_emplace(key_of(inputs_[k].name), k);
  for (size_t k = 0; k < tokens.tokens.size(); ++k) {
    FormulaToken& token = tokens.tokens[k];
    if (token.kind != FormulaTokenKind::Name || token.is_call) continue;
    if (is_given_ && places_.contains(key_of(token.text))) continue;
    const bool has_bracket =
        k + 1 < tokens.tokens.size() && tokens.tokens[k + 1].kind == FormulaTokenKind::Open;
    const bool joins = format_row(format_).joined == Joined::Letters;
    const bool is_defined = find_defined(defined_, format_, token.text) != nullptr;
    token.is_call = !joins && has_bracket && (is_defined || is_function(format_, token.text));
    if (token.is_call || !find_constant(format_, token.text).empty()) continue;
    if (Problem problem = check_name(line, token, has_bracket && !joins)) return problem;
    if (Problem problem = add(line, token)) return problem;
  }
  name_parameters();
  return {};
}

std::vector<StatedInput> InputNames::renamed() const {
  std::vector<StatedInput> out;
  for (size_t k = 0; k < inputs_.size(); ++k)
    if (inputs_[k].parameter.empty() && inputs_[k].name != parameters_[k])
      out.push_back({inputs_[k].name, parameters_[k]});
  return out;
}

// A name of a function that a program may call is no parameter: it would hide the function.
void InputNames::name_parameters() {
  std::vector<std::string_view> header;
  for (const StatedInput& input : inputs_)
    header.push_back(input.parameter.empty() ? input.name : input.parameter);
  parameters_ = engine::names_of_columns(header);
  std::unordered_set<std::string_view> taken(parameters_.begin(), parameters_.end());
  for (std::string& name : parameters_) {
    const auto is_function_name = [this](std::string_view word) {
      return may_be_called(word) ||
             std::ranges::any_of(defined_, [word](const DefinedFunction& function) {
               return function.called == word;
             });
    };
    if (!is_function_name(name)) continue;
    std::string other = name + "_";
    while (taken.contains(other) || is_function_name(other)) other += "_";
    name = std::move(other);
  }
}

}  // namespace komuz::services
