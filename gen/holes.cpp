// SPDX-License-Identifier: Apache-2.0
// Holes of sketches: choices, grids, and expressions from spaces.
#include "gen/expressions.h"
#include "gen/values.h"

namespace komuz::gen {

namespace {

// The ends are in order. Those of floats are mostly above zero. One grid of floats in eight has all of them.
std::string grid_text(Random& random, Scalar type) {
  const u32 low = random.below(9), high = low + 1 + random.below(20);
  const bool inclusive = random.below(2) != 0;
  const std::string_view dots = inclusive ? "..=" : "..";
  if (!is_float(type)) {
    const bool falls = is_signed(type) && random.one_in(4);
    return std::string(falls ? "-" : "") + std::to_string(low) + std::string(dots) +
           std::to_string(high);
  }
  if (random.one_in(8)) return "real";
  const u32 steps = (inclusive ? 2 : 1) + random.below(5);
  std::string text = std::to_string(low) + ".25" + std::string(dots) + std::to_string(high) +
                     ".5, steps: " + std::to_string(steps);
  if (random.one_in(3)) text += ", log: true";
  return text;
}

}  // namespace

// Each name is used once, because holes of one name would have to agree.
std::string ExpressionWriter::hole_name() {
  return random_.one_in(3) ? "?" : "?h" + std::to_string(scope_.holes_named++);
}

Expression ExpressionWriter::hole(const TypeCode& type, u32 depth) {
  const bool is_number = is_scalar_code(type) && scalar_of(type) != Scalar::Bool;
  if (is_number && random_.one_in(3))
    return {hole_name() + "(" + grid_text(random_, scalar_of(type)) + ")", kLeafLevel, true};
  std::vector<const SpaceSignature*> fitting;
  for (const SpaceSignature& space : scope_.spaces)
    if (space.result == type) fitting.push_back(&space);
  if (!fitting.empty() && random_.below(2) != 0) {
    const SpaceSignature& space = *fitting[random_.below(fitting.size())];
    std::vector<std::string> arguments;
    for (const TypeCode& parameter : space.parameters)
      arguments.push_back(write(parameter, depth).text);
    return {"?" + space.name + "(" + joined(arguments, ", ") + ")"};
  }
  // Literals of arrays and the like take their types from their surroundings, which say nothing among
  // alternatives.
  const bool anchors = !is_scalar_code(type);
  std::vector<std::string> alternatives;
  bool open = true;
  for (u32 k = 1 + random_.below(4); k > 0; --k) {
    const Expression e = anchors ? anchored(type, depth) : write(type, depth);
    alternatives.push_back(e.text);
    open = open && e.open;
  }
  return {hole_name() + "[" + joined(alternatives, ", ") + "]", kLeafLevel, open};
}

}  // namespace komuz::gen
