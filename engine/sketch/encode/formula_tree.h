// SPDX-License-Identifier: Apache-2.0
// Expressions of a text as trees: operations of numbers, names, calls and holes. Variables that are bound once stand
// as what they are bound to. Each node comes behind what it is made of.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/ints.h"
#include "frontend_gpu/frontend.h"
#include "lang/sketch.h"

namespace komuz::engine {

enum class FormulaKind : u8 { Number, Name, Neg, Add, Sub, Mul, Div, Pow, Call, If, Hole, Other };

struct FormulaNode {
  FormulaKind kind = FormulaKind::Other;
  std::string_view text = {};  // of a name, and of what is called
  f64 number = 0;
  u32 hole = 0;                    // in Sketch::holes
  std::vector<u32> operands = {};  // of an If `a < b`: a, b and the two values
};

struct FormulaTree {
  static constexpr u32 kNone = ~0u;
  std::vector<FormulaNode> nodes;
  // What the only `pub fn` gives; kNone: it is no expression.
  u32 root = kNone;
  std::vector<std::string_view> parameters;  // of it
  // For each hole that is a choice, and for each space, its alternatives.
  std::vector<std::vector<u32>> choices, spaces;
};

// `c`: of a program that compiles, whose sketch this is. Texts are those of the source.
[[nodiscard]] FormulaTree read_formula_tree(const frontend::Columns& c, const Sketch& sketch);

}  // namespace komuz::engine
