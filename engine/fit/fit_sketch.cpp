// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/fit_sketch.h"

#include <algorithm>
#include <vector>

#include "engine/cases/column_names.h"
#include "engine/fit/sketch_parts.h"

namespace komuz::engine {
namespace {

constexpr u32 kProductDepth = 3, kPolynomialDepth = 4;
// Expressions whose numbers are listed nest deeper than terms: a search looks at ten of them in the time that it takes
// to fit the numbers of one formula (docs/experiments.md).
constexpr u32 kDeeper = 2;
constexpr std::string_view kListed = "?[1.0, 2.0, 0.5, PI, 3.0]";

class SketchWriter {
 public:
  SketchWriter(const FitData& data, const FitSketchOptions& options)
      : data_(data),
        options_(options),
        function_(function_name(data)),
        parts_(data, options.operators, function_) {
    expression_ = parts_.free_name("expression");
    term_ = parts_.free_name("term");
    sum_ = parts_.free_name("sum");
    polynomial_ = parts_.free_name("polynomial");
    product_ = parts_.free_name("product");
  }

  std::string write() {
    const bool adds = parts_.has("+"), divides = parts_.has("/"), multiplies = parts_.has("*");
    const std::string term = parts_.expand(term_), sum = parts_.expand(sum_);
    const std::string polynomial = parts_.expand(polynomial_), product = parts_.expand(product_);
    std::vector<std::string> forms = {parts_.expand(expression_), term};
    if (adds) {
      forms.push_back(sum);
      if (multiplies) forms.push_back(polynomial);
      if (divides) forms.push_back(sum + " / (" + term + " + " + sum + ")");
      if (divides && multiplies)
        forms.push_back(polynomial + " / (" + product + " + " + polynomial + ")");
    }
    if (multiplies) forms.push_back(term + " * " + term);
    std::string body = SketchParts::choice(forms);
    if (options_.has_line) body = "?(real) + ?(real) * " + body;
    std::string out =
        "pub fn " + function_ + "(" + parts_.parameters + ") -> f64 { " + body + " }\n\n";
    out += parts_.space(expression_, options_.depth + kDeeper, operations_of(expression_, kListed));
    out += "\n" + parts_.space(term_, options_.depth, term_alternatives());
    if (adds)
      out += "\n" + parts_.space(sum_, kSumDepth, {"?(real) * " + term, sum_ + " + " + sum_});
    if (!adds || !multiplies) return out;
    std::vector<std::string> products = {"1.0"};
    for (const FitInput& input : data_.inputs) products.push_back(input.name);
    products.push_back(product_ + " * " + product_);
    products.push_back(product_ + " ** 2");
    out += "\n" + parts_.space(product_, kProductDepth, products);
    return out + "\n" +
           parts_.space(polynomial_, kPolynomialDepth,
                        {"?(real) * " + product, polynomial_ + " + " + polynomial_});
  }

 private:
  // The inputs, these numbers, and all operations on what a space gives.
  [[nodiscard]] std::vector<std::string> operations_of(const std::string& space,
                                                       std::string_view numbers) const {
    std::vector<std::string> out, functions;
    for (const FitInput& input : data_.inputs) out.push_back(input.name);
    out.emplace_back(numbers);
    for (const u32 k : options_.operators) {
      const Operator& one = kOperators[k];
      const bool is_function = one.group != OperatorGroup::Together;
      (is_function ? functions : out).push_back(SketchParts::with_operands(one.text, space));
      if (one.name == "exp") functions.push_back("exp(-" + space + ")");
    }
    if (!functions.empty()) out.push_back(SketchParts::choice(functions));
    return out;
  }
  [[nodiscard]] std::vector<std::string> term_alternatives() const {
    std::vector<std::string> out = operations_of(term_, "?(real)"), of_sums;
    for (const u32 k : options_.operators)
      if (const Operator& one = kOperators[k]; one.takes_sums)
        of_sums.push_back(SketchParts::with_operands(one.text, parts_.expand(polynomial_)));
    if (!parts_.has("+") || !parts_.has("*")) return out;
    if (parts_.has("/")) of_sums.push_back("1.0 / (?(real) + " + parts_.expand(polynomial_) + ")");
    if (!of_sums.empty()) out.push_back(SketchParts::choice(of_sums));
    return out;
  }

  const FitData& data_;
  const FitSketchOptions& options_;
  const std::string function_;
  SketchParts parts_;
  std::string expression_, term_, sum_, polynomial_, product_;
};

}  // namespace

std::string function_name(const FitData& data) {
  std::string name =
      is_program_name(data.target_name) ? data.target_name : usable_name(data.target_name);
  const auto is_input = [&](const FitInput& one) { return one.name == name; };
  // A function of the name of an operation would take its place.
  const auto is_called = [&](const Operator& one) { return one.text.starts_with(name + "("); };
  while (std::ranges::any_of(data.inputs, is_input) || std::ranges::any_of(kOperators, is_called))
    name += '_';
  return name;
}

std::string fit_sketch(const FitData& data, const FitSketchOptions& options) {
  return SketchWriter(data, options).write();
}

}  // namespace komuz::engine
