// SPDX-License-Identifier: Apache-2.0
#include "engine/fit/fit_sketch.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "engine/cases/column_names.h"

namespace komuz::engine {
namespace {

constexpr u32 kSumDepth = 3, kProductDepth = 3, kPolynomialDepth = 4;

class SketchWriter {
 public:
  SketchWriter(const FitData& data, const FitSketchOptions& options) : options_(options) {
    for (const FitInput& input : data.inputs) {
      taken_.insert(input.name);
      inputs_.push_back(input.name);
      parameters_ += (parameters_.empty() ? "" : ", ") + input.name + ": f64";
      arguments_ += (arguments_.empty() ? "" : ", ") + input.name;
    }
    function_ = function_name(data);
    taken_.insert(function_);
    term_ = free_name("term");
    sum_ = free_name("sum");
    polynomial_ = free_name("polynomial");
    product_ = free_name("product");
  }

  std::string write() {
    const bool adds = has("+"), divides = has("/"), multiplies = has("*");
    std::vector<std::string> forms = {expand(term_)};
    if (adds) {
      forms.push_back(expand(sum_));
      if (multiplies) forms.push_back(expand(polynomial_));
      if (divides) forms.push_back(expand(sum_) + " / (" + expand(term_) + " + " + expand(sum_) + ")");
      if (divides && multiplies)
        forms.push_back(expand(polynomial_) + " / (" + expand(product_) + " + " + expand(polynomial_) + ")");
    }
    if (multiplies) forms.push_back(expand(term_) + " * " + expand(term_));
    std::string body = forms.size() == 1 ? forms[0] : choice(forms);
    if (options_.has_line) body = "?(real) + ?(real) * " + body;
    out_ = "pub fn " + function_ + "(" + parameters_ + ") -> f64 { " + body + " }\n";
    write_terms(adds, divides, multiplies);
    if (adds) write_space(sum_, kSumDepth, {"?(real) * " + expand(term_), sum_ + " + " + sum_});
    if (adds && multiplies) {
      std::vector<std::string> products = {"1.0"};
      products.insert(products.end(), inputs_.begin(), inputs_.end());
      products.push_back(product_ + " * " + product_);
      products.push_back(product_ + " ** 2");
      write_space(product_, kProductDepth, products);
      write_space(polynomial_, kPolynomialDepth,
                  {"?(real) * " + expand(product_), polynomial_ + " + " + polynomial_});
    }
    return out_;
  }

 private:
  [[nodiscard]] std::string free_name(std::string name) {
    while (!taken_.insert(name).second) name += '_';
    return name;
  }
  [[nodiscard]] std::string expand(const std::string& space) const {
    return "?" + space + "(" + arguments_ + ")";
  }
  [[nodiscard]] bool has(std::string_view name) const {
    return std::ranges::any_of(options_.operators, [name](u32 k) { return kOperators[k].name == name; });
  }
  static std::string choice(const std::vector<std::string>& alternatives) {
    std::string out = "?[";
    for (size_t k = 0; k < alternatives.size(); ++k) out += (k == 0 ? "" : ", ") + alternatives[k];
    return out + "]";
  }
  static std::string with_operands(std::string_view text, const std::string& operand) {
    std::string out;
    for (const char c : text)
      if (c == '@')
        out += operand;
      else
        out += c;
    return out;
  }
  void write_space(const std::string& name, u32 depth, const std::vector<std::string>& alternatives) {
    out_ += "\nspace " + name + "(" + parameters_ + ") -> f64 depth " + std::to_string(depth) + " {\n";
    for (const std::string& alternative : alternatives) out_ += "    " + alternative + ",\n";
    out_ += "}\n";
  }
  void write_terms(bool adds, bool divides, bool multiplies) {
    std::vector<std::string> alternatives = inputs_, functions, of_polynomials;
    alternatives.push_back("?(real)");
    for (const u32 k : options_.operators) {
      const Operator& one = kOperators[k];
      if (one.group == OperatorGroup::Together) {
        alternatives.push_back(with_operands(one.text, term_));
        continue;
      }
      functions.push_back(with_operands(one.text, term_));
      if (one.name == "exp") functions.push_back("exp(-" + term_ + ")");
      if (one.takes_sums) of_polynomials.push_back(with_operands(one.text, expand(polynomial_)));
    }
    if (!functions.empty()) alternatives.push_back(choice(functions));
    if (adds && multiplies) {
      if (divides) of_polynomials.push_back("1.0 / (?(real) + " + expand(polynomial_) + ")");
      if (!of_polynomials.empty()) alternatives.push_back(choice(of_polynomials));
    }
    write_space(term_, options_.depth, alternatives);
  }

  const FitSketchOptions& options_;
  std::set<std::string> taken_;
  std::vector<std::string> inputs_;
  std::string parameters_, arguments_, function_, term_, sum_, polynomial_, product_, out_;
};

}  // namespace

std::string function_name(const FitData& data) {
  std::string name = is_program_name(data.target_name) ? data.target_name : usable_name(data.target_name);
  const auto is_input = [&](const FitInput& one) { return one.name == name; };
  while (std::ranges::any_of(data.inputs, is_input)) name += '_';
  return name;
}

std::string fit_sketch(const FitData& data, const FitSketchOptions& options) {
  return SketchWriter(data, options).write();
}

}  // namespace komuz::engine
