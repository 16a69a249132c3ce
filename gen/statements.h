// SPDX-License-Identifier: Apache-2.0
// Random blocks of statements.
#pragma once
#include <string>

#include "gen/expressions.h"
#include "gen/gen.h"

namespace komuz::gen {

// The operators that update a variable of the type, as nodes.
[[nodiscard]] std::vector<Node> updates_of(Scalar type);

class StatementWriter {
 public:
  StatementWriter(Random& random, Scope& scope, const Options& options)
      : random_(random), scope_(scope), options_(options), expressions_(random, scope) {}

  // The lines of a function's body: statements, then the result.
  std::string body(const TypeCode& result);
  // Statements without a result.
  std::string statements(const TypeCode& result, u32 depth, u32 indent);

 private:
  std::string statement(u32 depth, u32 indent);
  std::string declaration();
  // Statements about arrays, lists and Options.
  std::string container_statement(u32 depth, u32 indent);
  std::string push();
  std::string swap_elements();
  std::string assign_places();
  std::string update_place();
  std::string element_loop(u32 depth, u32 indent);
  // A pattern for an element, mostly one name.
  std::string element_pattern(const TypeCode& type);
  std::string pattern();
  std::string assignment();
  std::string update();
  std::string update_by(const std::string& place, const NodeRow& row, Scalar type);
  std::string swap();
  std::string conditional(u32 depth, u32 indent);
  std::string counted_loop(u32 depth, u32 indent);
  std::string loop(u32 depth, u32 indent);
  std::string leave();
  // A choice among statements.
  std::string choice(u32 depth, u32 indent);
  std::string alternative(u32 depth, u32 indent);
  std::string block(u32 depth, u32 indent);
  std::string value(const TypeCode& type) {
    return expressions_.write(type, random_.below(options_.depth + 1)).text;
  }
  std::string condition() { return expressions_.write(scalar_code(Scalar::Bool), 2).text; }

  Random& random_;
  Scope& scope_;
  const Options& options_;
  ExpressionWriter expressions_;
  TypeCode result_;
  u32 loops_ = 0;  // around the statement
  u32 parts_ = 0;  // names in patterns of `for`
};

}  // namespace komuz::gen
