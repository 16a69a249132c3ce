// SPDX-License-Identifier: Apache-2.0
// What is known of the values of a draft: which may trap, which are constants, and the signs of floats. Facts of a
// node follow from those of its children.
#pragma once
#include <array>
#include <optional>
#include <unordered_map>

#include "lang/ops.h"
#include "services/simplify/draft.h"

namespace komuz::services {

// A value as an operation of ops.def on others.
struct Operation {
  enum class Form : u8 { None, Pure, If, And, Or };
  Form form = Form::None;
  Instruction instruction = {};
  u8 count = 0;
  std::array<u32, 3> operand = {};
  u32 builtin = kNone;  // its row, if it is a call
};

struct Fact {
  // It neither traps nor takes fuel, and changes nothing.
  bool is_calm = false;
  // It changes nothing: it may trap, or take fuel.
  bool is_pure = false;
  bool is_never_minus_zero = false;
  bool is_never_negative = false;  // never below zero: a zero of either sign, or a NaN, may be
  bool is_positive = false;        // above zero, or a NaN
  std::optional<u64> cell = {};    // a constant; it is calm then
};

class Facts {
 public:
  explicit Facts(const Draft& draft);

  [[nodiscard]] const Fact& operator[](u32 n) const { return facts_[n]; }
  // Of a node whose children's facts are known.
  void learn(u32 n);
  // Of a node below which something changed that may trap.
  void forget_calm(u32 n) { facts_[n].is_calm = false; }
  [[nodiscard]] Operation operation_of(u32 n) const;

 private:
  [[nodiscard]] Fact fact_of(u32 n) const;
  [[nodiscard]] Fact of_operation(u32 n, const Operation& operation) const;
  void add_signs(const Operation& operation, Fact& fact) const;
  [[nodiscard]] Fact of_name(u32 n) const;

  const Draft& draft_;
  std::vector<Fact> facts_;
  std::unordered_map<u32, u32> binding_of_;  // of the name in a `let`
  std::unordered_map<u32, Fact> bindings_;   // of values that a `let` binds
};

// What is inside of parentheses that only group.
[[nodiscard]] u32 inside(const Draft& draft, u32 n);
// Are both the same, token by token? False also where they are long.
[[nodiscard]] bool are_same(const Draft& draft, u32 a, u32 b);
// The elements of a list with commas, in order.
[[nodiscard]] std::vector<u32> elements_of(const Draft& draft, u32 list);

}  // namespace komuz::services
