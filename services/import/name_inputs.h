// SPDX-License-Identifier: Apache-2.0
// The inputs of a formula → the parameters of its function. Names get the rule that columns of tables have (engine/cases/column_names.h).
#pragma once
#include <span>
#include <unordered_map>

#include "services/import/define_functions.h"
#include "services/import/tokens.h"

namespace komuz::services {

// What `--input` or `--signature` says: the inputs in order, each with its name in programs.
struct StatedInput {
  std::string name;       // in the formula
  std::string parameter;  // in the program; empty: one is made of the name
};

class InputNames {
 public:
  // `defined`: functions of the user's own; they outlive this.
  InputNames(FormulaFormat format, std::span<const StatedInput> stated,
             std::span<const DefinedFunction> defined = {});

  // True if the user has named this input.
  [[nodiscard]] bool is_stated(std::string_view name) const;
  // Finds the inputs of a formula, in order, and marks the calls among its names. What is neither an input nor anything that the
  // format knows is a problem.
  Problem find(const FormulaLine& line, FormulaTokens& tokens);

  // Of the formula that find() has seen last: the inputs whose parameter has another name, which nobody has stated.
  [[nodiscard]] std::vector<StatedInput> renamed() const;
  // Of the formula that find() has seen last.
  [[nodiscard]] const std::vector<std::string>& parameters() const { return parameters_; }
  // Empty: the name is no input.
  [[nodiscard]] std::string_view parameter_of(std::string_view name) const;

 private:
  [[nodiscard]] std::string key_of(std::string_view name) const;
  [[nodiscard]] Problem check_name(const FormulaLine& line, const FormulaToken& token,
                                   bool has_bracket) const;
  [[nodiscard]] size_t stated_place(std::string_view name) const;
  Problem add(const FormulaLine& line, const FormulaToken& token);
  void name_parameters();

  FormulaFormat format_;
  std::vector<StatedInput> stated_;
  std::span<const DefinedFunction> defined_;
  bool is_given_ = false;            // inputs are stated, or the formula declares them
  std::vector<StatedInput> inputs_;  // of the formula
  std::unordered_map<std::string, size_t> places_;  // key of a name → its input
  std::vector<std::string> parameters_;
};

}  // namespace komuz::services
