// SPDX-License-Identifier: Apache-2.0
// The yardstick of the front end: a plain single-pass compiler by recursive descent and precedence climbing. It
// types and emits as it goes, and shares nothing with frontend_gpu except the tables of lang/.
//
// Its language: `fn` of scalar types, defined before use; `let`, `var`, `=` `+=` …; arithmetic, comparisons, `&&`,
// `||`, calls of functions and of built-ins on one type; `if`/`else`, `for … in a..b`, `while` without `limit`;
// decimal literals, `true`, `false`. It takes valid programs. It refuses other programs, or makes nonsense of them,
// which a checker refuses. It makes no diagnostics and no identity, and does not check that its text is UTF-8.
#pragma once
#include <string_view>
#include <vector>

#include "bench/plain_lexer.h"
#include "lang/builtins.h"
#include "lang/code.h"

namespace komuz::bench {

class RecursiveDescent {
 public:
  // Fills `out` as the front end would, except for what the checker adds. Returns false for a program outside of
  // its language. A zero byte must stand behind `source`.
  [[nodiscard]] bool compile(std::string_view source, Code& out);

 private:
  // An expression whose code is written. An open one has only literals in it, which take the type that is wanted.
  struct Operand {
    Scalar type = Scalar::None;  // None: ()
    bool open = false;
    u32 begin = 0, end = 0;  // its instructions
    u32 place = 0;           // the token of its root
  };
  struct Local {
    std::string_view name;
    Scalar type;
    u16 slot;
  };

  // Items
  void function();
  void parameters(Function& f);
  [[nodiscard]] Scalar type_name();

  // Statements
  Operand block(Scalar want);
  [[nodiscard]] bool statement();  // false: an expression follows
  void declaration();
  void assignment();
  void for_loop();
  void while_loop();
  Operand conditional(Scalar want);

  // Expressions
  Operand expression(u32 level, Scalar want);
  Operand primary(Scalar want);
  Operand infix(Operand left, Scalar want);
  Operand prefix(Scalar want);
  Operand number(bool negative);
  Operand name(Scalar want);
  Operand call(std::string_view callee, Scalar want);
  Operand call_function(const Function& f, u32 number, u32 place);
  Operand call_builtin(const BuiltinRow& row, u32 place, Scalar want);
  [[nodiscard]] Operand operand(Scalar type, bool open, u32 begin, u32 place) const {
    return {type, open, begin, here(), place};
  }
  [[nodiscard]] Scalar join(Operand& left, Operand& right);
  void close(Operand& operand, Scalar type);
  [[nodiscard]] u64 float_cell(PlainToken token, Scalar type) const;

  // Tokens
  void advance() {
    token_ = ahead_;
    ahead_ = lexer_.next();
  }
  [[nodiscard]] bool take(Token kind) {
    if (token_.kind != kind) return false;
    advance();
    return true;
  }
  u32 demand(Token kind);  // takes it and returns its position
  [[nodiscard]] std::string_view text(PlainToken t) const {
    return source_.substr(t.begin, t.end - t.begin);
  }

  // Code
  [[nodiscard]] u32 here() const { return static_cast<u32>(out_->instructions.size()); }
  [[nodiscard]] u32 target() const { return here() - function_begin_; }
  void put(Op op, Scalar type, u32 a, u32 b, u32 place) {
    out_->instructions.push_back({op, type, static_cast<u16>(a), b});
    out_->places.push_back(place);
  }
  void put_constant(Scalar type, u64 cell, u32 place) {
    put(Op::LoadConst, type, 0, static_cast<u32>(out_->constants.size()), place);
    out_->constants.push_back(cell);
  }
  u16 new_slot(Scalar type);
  [[nodiscard]] const Local* find(std::string_view name) const;

  std::string_view source_;
  PlainLexer lexer_{""};
  PlainToken token_, ahead_;
  Code* out_ = nullptr;
  std::vector<Local> locals_;
  u32 function_begin_ = 0;
  u32 slots_begin_ = 0;
  bool sound_ = true;
};

}  // namespace komuz::bench
