// SPDX-License-Identifier: Apache-2.0
// Random blocks of statements.
#pragma once
#include <string>

#include "gen/expressions.h"
#include "gen/gen.h"

namespace komuz::gen {

class StatementWriter {
 public:
  StatementWriter(Random& random, Scope& scope, const Options& options)
      : random_(random), scope_(scope), options_(options), expressions_(random, scope) {}

  // The lines of a function's body: statements, then the result.
  std::string body(const TypeCode& result);
  // Statements alone.
  std::string statements(const TypeCode& result, u32 depth, u32 indent);

 private:
  std::string statement(u32 depth, u32 indent);
  std::string declaration();
  std::string pattern();
  std::string assignment();
  std::string update();
  std::string swap();
  std::string conditional(u32 depth, u32 indent);
  std::string counted_loop(u32 depth, u32 indent);
  std::string loop(u32 depth, u32 indent);
  std::string leave();
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
};

}  // namespace komuz::gen
