// SPDX-License-Identifier: Apache-2.0
#include "neural/teacher/replace_window.h"

#include "neural/windows/targets.h"

namespace komuz::neural {
namespace {

template <class T>
void splice(std::vector<T>& column, u32 begin, u32 end, const std::vector<T>& in_place) {
  const auto at = column.erase(column.begin() + begin, column.begin() + end);
  column.insert(at, in_place.begin(), in_place.end());
}

}  // namespace

void replace_window(Code& code, u32 function, u32 begin, u32 end, const Expression& expression) {
  std::vector<Instruction> made;
  write_expression(expression, expression.root(), begin, code.constants, made);
  const u32 shift = static_cast<u32>(made.size()) - (end - begin);  // modulo 2^32
  Function& f = code.functions[function];
  const u32 first = f.code_begin;
  for (u32 at = f.code_begin; at < f.code_end; ++at) {
    Instruction& i = code.instructions[at];
    const bool is_replaced = at >= first + begin && at < first + end;
    if (!is_replaced && has_target(i.op) && i.b >= end) i.b += shift;
  }
  const u32 place = code.places[first + end - 1];
  splice(code.places, first + begin, first + end, std::vector<u32>(made.size(), place));
  splice(code.instructions, first + begin, first + end, made);
  for (Function& other : code.functions) {
    if (other.code_begin > first) {
      other.code_begin += shift;
      other.code_end += shift;
    }
  }
  f.code_end += shift;
}

}  // namespace komuz::neural
