// SPDX-License-Identifier: Apache-2.0
// Random checked bytecode, rich in what parts lanes: nested arms, lazy operators, loops with exits of all kinds, early
// returns, calls and recursion, traps. The generator of gen/ writes source; this one reaches code that no source makes.
#pragma once
#include "tests/vm/code_builder.h"
#include "tests/vm/edge_values.h"

namespace komuz::test {

class RandomProgram {
 public:
  explicit RandomProgram(u64 seed) : random_(seed) {}

  // Three functions that may call those before them; the second one calls itself too. The last one is the entry.
  Code make() {
    for (u32 f = 0; f < 3; ++f) make_function(f);
    return builder_.code;
  }

 private:
  static constexpr Scalar kTypes[] = {Scalar::I64, Scalar::F64, Scalar::I32,
                                      Scalar::U8,  Scalar::F32, Scalar::Bool};
  static constexpr u32 kVariablesPerType = 2;

  void make_function(u32 number) {
    builder_.function("f", {Scalar::I64, Scalar::F64, Scalar::U8},
                      two_results(number) ? std::vector<Scalar>{Scalar::F32, Scalar::I64}
                                          : std::vector<Scalar>{Scalar::I64},
                      number == 1 ? u16(2 + random_.below(4)) : u16(0));
    number_ = number;
    budget_ = 30 + random_.below(60);
    loops_ = 0;
    variables_.assign(kScalarCount, {});
    for (Scalar type : kTypes) {
      for (u32 k = 0; k < kVariablesPerType; ++k) {
        const u16 slot = builder_.variable(type);
        constant(type);
        builder_.store(slot);
        variables_[u32(type)].push_back(slot);
      }
    }
    variables_[u32(Scalar::I64)].push_back(0);
    variables_[u32(Scalar::F64)].push_back(1);
    variables_[u32(Scalar::U8)].push_back(2);
    statements(3 + random_.below(4), 0);
    results();
    builder_.end_function();
  }
  static bool two_results(u32 function) { return function == 0; }

  void results() {
    if (two_results(number_)) expression(Scalar::F32, 2);
    expression(Scalar::I64, 3);
  }

  void statements(u32 count, u32 depth) {
    for (u32 k = 0; k < count && budget_ > 0; ++k) statement(depth);
  }

  void statement(u32 depth) {
    --budget_;
    const u32 kind = random_.below(depth < 4 ? 12 : 5);
    if (kind < 4) {
      assign();
    } else if (kind == 4) {
      rare_statement();
    } else if (kind < 7) {
      expression(Scalar::Bool, 2);
      builder_.if_();
      statements(1 + random_.below(3), depth + 1);
      if (random_.below(2) == 0) {
        builder_.else_();
        statements(1 + random_.below(3), depth + 1);
      }
      builder_.end_if();
    } else if (kind < 9) {
      for_loop(depth);
    } else if (kind == 9) {
      while_loop(depth);
    } else if (loops_ > 0) {
      expression(Scalar::Bool, 2);
      builder_.if_();
      const u16 out = u16(random_.below(loops_));
      if (random_.below(2) == 0)
        builder_.break_(out);
      else
        builder_.continue_(out);
      builder_.end_if();
    } else {
      assign();
    }
  }

  void assign() {
    const Scalar type = kTypes[random_.below(6)];
    expression(type, 3);
    builder_.store(variable(type));
  }

  void rare_statement() {
    const u32 kind = random_.below(5);
    if (kind == 0) {
      builder_.tick();
    } else if (kind == 1) {
      expression(Scalar::Bool, 3);
      expression(Scalar::Bool, 1);
      builder_.op(Op::Or, Scalar::Bool).emit(Op::Assert);
    } else if (kind == 2) {
      expression(Scalar::Bool, 2);
      builder_.if_();
      results();
      builder_.emit(Op::Return).end_if();
    } else if (kind == 3) {  // a variable that lives in one arm only
      const u16 local = builder_.variable(Scalar::I64);
      expression(Scalar::Bool, 1);
      builder_.if_();
      expression(Scalar::I64, 2);
      builder_.store(local).load(local).store(variable(Scalar::I64));
      builder_.end_if();
    } else {
      expression(Scalar::Bool, 1);
      expression(Scalar::Bool, 1);
      builder_.op(Op::And, Scalar::Bool).if_();
      builder_.emit(Op::TrapNow, Scalar::None, u16(Trap::Hole)).end_if();
    }
  }

  void for_loop(u32 depth) {
    const Scalar type = random_.below(2) == 0 ? Scalar::I64 : Scalar::U8;
    const u16 next = builder_.variable(type);
    builder_.variable(type);
    const u16 value = builder_.variable(type);
    small(type);
    builder_.store(next);
    small(type);
    builder_.store(u16(next + 1));
    ++loops_;
    builder_.loop().for_next(next, random_.below(2) == 0);
    if (random_.below(4) != 0) builder_.tick();
    builder_.load(value).store(variable(type));
    statements(1 + random_.below(4), depth + 1);
    builder_.end_loop();
    --loops_;
  }

  void while_loop(u32 depth) {
    const u16 left = builder_.variable(Scalar::I64);
    builder_.i64_constant(i64(random_.below(9))).store(left);
    ++loops_;
    builder_.loop();
    expression(Scalar::Bool, 2);
    builder_.break_if_false();
    builder_.emit(Op::Limit, Scalar::None, left).tick();
    statements(1 + random_.below(3), depth + 1);
    builder_.end_loop();
    --loops_;
  }

  // A value from 0 to 7 that differs from case to case.
  void small(Scalar type) {
    builder_.load(variable(Scalar::I64)).i64_constant(7).op(Op::And);
    if (type != Scalar::I64) builder_.op(Op::Convert, type, Scalar::I64);
  }

  u16 variable(Scalar type) {
    const auto& all = variables_[u32(type)];
    return all[random_.below(u32(all.size()))];
  }
  void constant(Scalar type) { builder_.constant(type, EdgeStream(type, random_.next()).next()); }

  void expression(Scalar type, u32 depth) {
    if (depth == 0 || random_.below(6) == 0) {
      if (random_.below(3) == 0)
        constant(type);
      else
        builder_.load(variable(type));
      return;
    }
    const u32 kind = random_.below(9);
    if (kind == 0) {
      expression(Scalar::Bool, depth - 1);
      builder_.if_();
      expression(type, depth - 1);
      builder_.else_(1);
      expression(type, depth - 1);
      builder_.end_if();
    } else if (kind == 1 && type == Scalar::I64 && budget_ > 10) {
      call();
    } else if (kind == 2) {  // a value of another type
      const Scalar from = kTypes[random_.below(6)];
      if (type == Scalar::Bool) {
        expression(from, depth - 1);
        expression(from, depth - 1);
        builder_.op(Op::Ne, from);
      } else {
        expression(from, depth - 1);
        builder_.op(is_integer(type) && is_integer(from) ? Op::Wrap : Op::Convert, type, from);
      }
    } else {
      operation(type, depth);
    }
  }

  void operation(Scalar type, u32 depth) {
    static constexpr Op kInteger[] = {Op::Add,     Op::Sub,     Op::Mul, Op::Div, Op::Rem,
                                      Op::AddWrap, Op::MulWrap, Op::And, Op::Xor, Op::Max,
                                      Op::SubWrap, Op::DivFloor};
    static constexpr Op kFloat[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Min, Op::Div0};
    static constexpr Op kCompare[] = {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge};
    if (type == Scalar::Bool) {
      const u32 kind = random_.below(4);
      if (kind == 0) {
        expression(Scalar::Bool, depth - 1);
        if (random_.below(2) == 0)
          builder_.and_then();
        else
          builder_.or_else();
        expression(Scalar::Bool, depth - 1);
        builder_.end_lazy();
      } else {
        const Scalar operand = kTypes[random_.below(5)];
        expression(operand, depth - 1);
        expression(operand, depth - 1);
        builder_.op(kCompare[random_.below(6)], operand);
      }
      return;
    }
    expression(type, depth - 1);
    expression(type, depth - 1);
    builder_.op(is_float(type) ? kFloat[random_.below(6)] : kInteger[random_.below(12)], type);
  }

  void call() {
    budget_ -= 5;
    const u32 callee = number_ == 1 ? random_.below(2) : number_ == 0 ? 0 : random_.below(number_);
    if (number_ == 0) return builder_.load(variable(Scalar::I64)), void();
    expression(Scalar::I64, 1);
    expression(Scalar::F64, 1);
    expression(Scalar::U8, 0);
    builder_.call(u16(callee));
    if (two_results(callee)) builder_.project(1, 2, 1);
  }

  Random random_;
  CodeBuilder builder_;
  u32 number_ = 0;
  u32 budget_ = 0;
  u32 loops_ = 0;
  std::vector<std::vector<u16>> variables_;
};

}  // namespace komuz::test
