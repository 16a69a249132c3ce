// SPDX-License-Identifier: Apache-2.0
#include "bench/programs.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/random.h"

namespace komuz::bench {

namespace {

// The programs follow from this way to draw, and so do the figures in docs/measurements.md.
class Random : public komuz::Random {
 public:
  using komuz::Random::Random;
  u32 below(u32 n) { return static_cast<u32>(next() % n); }
  bool chance(u32 percent) { return below(100) < percent; }
  template <size_t N>
  const char* pick(const char* const (&choices)[N]) {
    return choices[below(N)];
  }
};

enum class Type { I64, F64 };
const char* type_name(Type t) { return t == Type::I64 ? "i64" : "f64"; }

struct Variable {
  std::string name;
  Type type;
  bool changes;  // a `var`
};
struct Signature {
  std::string name;
  std::vector<Type> parameters;
  Type result;
};

class ProgramWriter {
 public:
  // Functions of long programs are long, so that a program has no more functions than are allowed.
  ProgramWriter(u64 seed, u32 bytes)
      : random_(seed), fewest_statements_(std::max(2u, bytes / kBytesOfStatements)) {}

  std::string program(u32 bytes, bool fails) {
    while (text_.size() < bytes) function();
    if (fails) {
      const size_t last = text_.rfind("}\n");
      text_.insert(last, "    + missing\n");
    }
    return std::move(text_);
  }

 private:
  void function() {
    Signature own{"step" + std::to_string(functions_.size()), {}, random_type()};
    variables_.clear();
    names_ = 0;
    text_ += functions_.empty() ? "pub fn " : "\nfn ";
    text_ += own.name + "(";
    for (u32 k = 0, n = 1 + random_.below(3); k < n; ++k) {
      own.parameters.push_back(random_type());
      declare(own.parameters.back(), false);
      text_ += (k == 0 ? "" : ", ") + variables_.back().name + ": " + type_name(own.parameters[k]);
    }
    text_ += std::string(") -> ") + type_name(own.result) + " {\n";
    for (u32 k = 0, n = fewest_statements_ + random_.below(4); k < n; ++k) statement(1);
    indent(1);
    expression(own.result, 2);
    text_ += "\n}\n";
    functions_.push_back(std::move(own));
  }

  void statement(u32 depth) {
    indent(depth);
    const u32 kind = random_.below(depth < 3 ? 10 : 5);
    if (kind < 3) return let();
    if (kind < 5) return assign();
    if (kind < 8) {
      text_ += "if ";
      condition();
      block(depth);
      if (random_.chance(60)) {
        text_ += " else";
        block(depth);
      }
    } else if (kind == 8) {
      const std::string name = "i" + std::to_string(names_++);
      text_ += "for " + name + " in 0.." + std::to_string(1 + random_.below(9));
      variables_.push_back({name, Type::I64, false});
      block(depth);
      variables_.pop_back();
    } else {
      text_ += "while ";
      condition();
      block(depth);
    }
    text_ += "\n";
  }
  void let() {
    const Type type = random_type();
    const bool changes = random_.chance(40);
    const size_t at = text_.size();
    expression(type, 2);
    declare(type, changes);  // after its value, which does not see it
    text_.insert(at, std::string(changes ? "var " : "let ") + variables_.back().name + " = ");
    text_ += ";\n";
  }
  void assign() {
    std::vector<const Variable*> places;
    for (const Variable& v : variables_)
      if (v.changes) places.push_back(&v);
    if (places.empty()) return let();
    const Variable& place = *places[random_.below(static_cast<u32>(places.size()))];
    static constexpr const char* kAssignments[] = {" = ", " += ", " -= "};
    text_ += place.name + random_.pick(kAssignments);
    expression(place.type, 2);
    text_ += ";\n";
  }
  void block(u32 depth) {
    const size_t visible = variables_.size();
    text_ += " {\n";
    for (u32 k = 0, n = 1 + random_.below(2); k < n; ++k) statement(depth + 1);
    indent(depth);
    text_ += "}";
    variables_.resize(visible);
  }

  void condition() {
    comparison();
    while (random_.chance(30)) {
      text_ += random_.chance(50) ? " && " : " || ";
      comparison();
    }
  }
  void comparison() {
    static constexpr const char* kComparisons[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    const Type type = random_type();
    expression(type, 1);
    text_ += random_.pick(kComparisons);
    expression(type, 1);
  }
  void expression(Type type, u32 depth) {
    if (depth == 0 || random_.chance(20)) return operand(type);
    if (random_.chance(12) && call(type)) return;
    const bool parenthesised = random_.chance(40);
    static constexpr const char* kIntegers[] = {" + ", " - ", " * ", " % ", " / "};
    static constexpr const char* kFloats[] = {" + ", " - ", " * ", " / "};
    if (parenthesised) text_ += "(";
    expression(type, depth - 1);
    text_ += type == Type::I64 ? random_.pick(kIntegers) : random_.pick(kFloats);
    expression(type, depth - 1);
    if (parenthesised) text_ += ")";
  }
  void operand(Type type) {
    std::vector<const Variable*> fitting;
    for (const Variable& v : variables_)
      if (v.type == type) fitting.push_back(&v);
    if (!fitting.empty() && random_.chance(70)) {
      text_ += fitting[random_.below(static_cast<u32>(fitting.size()))]->name;
      return;
    }
    text_ += std::to_string(random_.below(100));
    if (type == Type::F64) text_ += "." + std::to_string(random_.below(1000));
  }
  bool call(Type result) {
    std::vector<size_t> fitting;
    for (size_t k = 0; k < functions_.size(); ++k)
      if (functions_[k].result == result) fitting.push_back(k);
    if (fitting.empty()) return false;
    const Signature& callee = functions_[fitting[random_.below(static_cast<u32>(fitting.size()))]];
    text_ += callee.name + "(";
    for (size_t k = 0; k < callee.parameters.size(); ++k) {
      if (k != 0) text_ += ", ";
      expression(callee.parameters[k], 1);
    }
    text_ += ")";
    return true;
  }

  void declare(Type type, bool changes) {
    static constexpr const char* kStems[] = {"count", "total", "mass",   "rate", "left",
                                             "value", "t",     "limit_", "x",    "energy"};
    variables_.push_back({random_.pick(kStems) + std::to_string(names_++), type, changes});
  }
  Type random_type() { return random_.chance(50) ? Type::I64 : Type::F64; }
  void indent(u32 depth) { text_.append(4 * depth, ' '); }

  // The size of a program with as many functions as are allowed and one statement in each.
  static constexpr u32 kBytesOfStatements = 2400;

  Random random_;
  u32 fewest_statements_;
  std::string text_;
  std::vector<Signature> functions_;
  std::vector<Variable> variables_;
  u32 names_ = 0;
};

Sources write_programs(u32 count, u32 bytes, u64 seed, bool fails) {
  Sources sources;
  for (u32 k = 0; k < count; ++k)
    sources.add(ProgramWriter(seed * 0x1'0000'0000u + k, bytes).program(bytes, fails));
  return sources;
}

void write_expression(Random& random, u32 operators, bool parenthesised, std::string& out) {
  static constexpr const char* kOperands[] = {"x", "y", "z", "w",     "x",     "y",     "z",
                                              "w", "a", "b", "3.123", "5.123", "7.123", "9.123"};
  static constexpr const char* kOperators[] = {"+", "-", "*", "/"};
  if (operators == 0) {
    out += random.pick(kOperands);
    return;
  }
  const u32 left = random.below(operators);
  if (parenthesised) out += "(";
  write_expression(random, left, parenthesised, out);
  out += random.pick(kOperators);
  write_expression(random, operators - 1 - left, parenthesised, out);
  if (parenthesised) out += ")";
}

}  // namespace

Sources make_programs(u32 count, u32 bytes, u64 seed) {
  return write_programs(count, bytes, seed, false);
}
Sources make_failing_programs(u32 count, u32 bytes, u64 seed) {
  return write_programs(count, bytes, seed, true);
}

std::vector<std::string> make_expressions(u32 count, u64 seed) {
  Random random(seed);
  std::vector<std::string> made(count);
  for (std::string& text : made) {
    const u32 operators = 3 + random.below(21);  // the mean is 13: 27 nodes
    const bool parenthesised = random.chance(50);
    text = "(";
    write_expression(random, operators, parenthesised, text);
    text += ")";
  }
  return made;
}

std::vector<std::string> expressions() {
  const char* const path = std::getenv("KOMUZ_EXPRTK");
  if (path == nullptr) return make_expressions(4703, 1);
  std::vector<std::string> read;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (!line.empty()) read.push_back(line);
  return read;
}
const char* expressions_origin() {
  return std::getenv("KOMUZ_EXPRTK") != nullptr ? "from KOMUZ_EXPRTK" : "generated";
}

std::string expression_program(const std::string& expression, const char* type) {
  std::string text = "pub fn f(";
  for (const char* name : {"a", "b", "c", "x", "y", "z", "w"})
    text += std::string(name[0] == 'a' ? "" : ", ") + name + ": " + type;
  return text + ") -> " + type + " { " + expression + " }";
}

Sources make_expression_programs(const std::vector<std::string>& expressions, const char* type) {
  Sources sources;
  for (const std::string& e : expressions) sources.add(expression_program(e, type));
  return sources;
}

}  // namespace komuz::bench
