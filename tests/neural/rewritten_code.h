// SPDX-License-Identifier: Apache-2.0
// Code that does the same in another way: integer operations are replaced by others at random.
#pragma once
#include <optional>
#include <set>

#include "base/random.h"
#include "lang/ops/eval_cells.h"

namespace komuz::test {

class Rewriter {
 public:
  Rewriter(const Code& code, Random& random) : from_(code), random_(random) {}

  // How many operations were replaced is in `replaced`.
  Code run() {
    to_ = from_;
    to_.instructions.clear();
    to_.places.clear();
    for (u32 f = 0; f < from_.functions.size(); ++f) rewrite(from_.functions[f], to_.functions[f]);
    return to_;
  }
  u32 replaced = 0;

 private:
  static bool has_target(OpForm form) {
    return form == OpForm::Branch || form == OpForm::Jump || form == OpForm::ShortCircuit ||
           form == OpForm::Loop || form == OpForm::End;
  }

  void rewrite(const Function& f, Function& out) {
    const u32 size = f.code_end - f.code_begin;
    std::set<u32> targets;
    for (u32 k = 0; k < size; ++k)
      if (const Instruction i = at(f, k); has_target(op_row(i.op).form)) targets.insert(i.b);
    out.code_begin = static_cast<u32>(to_.instructions.size());
    std::vector<u32> moved(size + 1);
    for (u32 k = 0; k < size; ++k) {
      place_ = from_.places[f.code_begin + k];
      moved[k] = static_cast<u32>(to_.instructions.size()) - out.code_begin;
      const bool is_pair = k + 1 < size && at(f, k).op == Op::LoadConst && !targets.contains(k + 1);
      if (is_pair && random_.one_in(2) && with_constant(at(f, k), at(f, k + 1))) {
        moved[k + 1] = moved[k];
        ++k;
        ++replaced;
      } else if (random_.one_in(2) && alone(at(f, k))) {
        ++replaced;
      } else {
        put(at(f, k));
      }
    }
    out.code_end = static_cast<u32>(to_.instructions.size());
    moved[size] = out.code_end - out.code_begin;
    for (u32 k = out.code_begin; k < out.code_end; ++k)
      if (Instruction& i = to_.instructions[k]; has_target(op_row(i.op).form)) i.b = moved[i.b];
  }

  [[nodiscard]] Instruction at(const Function& f, u32 number) const {
    return from_.instructions[f.code_begin + number];
  }
  void put(Instruction i) {
    to_.instructions.push_back(i);
    to_.places.push_back(place_);
  }
  void put(Op op, Scalar type) { put({op, type, 0, 0}); }
  void put_constant(Scalar type, u64 cell) {
    to_.constants.push_back(canonical_cell(type, cell));
    put({Op::LoadConst, type, 0, static_cast<u32>(to_.constants.size() - 1)});
  }

  static std::optional<Op> opposite(Op op) {
    switch (op) {
      case Op::Eq: return Op::Ne;
      case Op::Ne: return Op::Eq;
      case Op::Lt: return Op::Ge;
      case Op::Ge: return Op::Lt;
      case Op::Le: return Op::Gt;
      case Op::Gt: return Op::Le;
      default: return std::nullopt;
    }
  }

  bool alone(Instruction i) {
    const bool is_equality = i.op == Op::Eq || i.op == Op::Ne;
    if (const auto other = opposite(i.op); other && (is_equality || !is_float(i.type))) {
      put(*other, i.type);
      put(Op::Not, Scalar::Bool);
      return true;
    }
    if (i.op == Op::Xor && i.type == Scalar::Bool) {
      put(Op::Ne, Scalar::Bool);
      return true;
    }
    if (i.op == Op::Not && is_integer(i.type)) {
      put_constant(i.type, ~u64{0});
      put(Op::Xor, i.type);
      return true;
    }
    if (i.op == Op::AddWrap || i.op == Op::SubWrap) {
      put(Op::Not, i.type);
      put_constant(i.type, 1);
      put(Op::AddWrap, i.type);
      put(i.op == Op::AddWrap ? Op::SubWrap : Op::AddWrap, i.type);
      return true;
    }
    if (i.op == Op::Add && is_float(i.type)) {
      // a - (-b), to the bit
      put(Op::Neg, i.type);
      put(Op::Sub, i.type);
      return true;
    }
    return false;
  }

  // An operation whose last operand is known.
  bool with_constant(Instruction load, Instruction i) {
    const u64 cell = from_.constants[load.b];
    if (!is_integer(i.type) || load.type != i.type) return false;
    const bool is_sum = i.op == Op::Add || i.op == Op::Sub;
    if (is_sum && is_signed(i.type)) {
      const u64 negative = canonical_cell(i.type, u64{0} - cell);
      if (negative == canonical_cell(i.type, cell)) return false;
      put_constant(i.type, negative);
      put(i.op == Op::Add ? Op::Sub : Op::Add, i.type);
      return true;
    }
    if (i.op == Op::Mul && cell == 2) {
      put({Op::Copy, i.type, 0, 0});
      put(Op::Add, i.type);
      return true;
    }
    if (i.op == Op::MulWrap && cell == 3) {
      put({Op::Copy, i.type, 0, 0});
      put({Op::Copy, i.type, 0, 0});
      put(Op::AddWrap, i.type);
      put(Op::AddWrap, i.type);
      return true;
    }
    return false;
  }

  const Code& from_;
  Random& random_;
  Code to_;
  u32 place_ = 0;
};

}  // namespace komuz::test
