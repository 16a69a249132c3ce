// SPDX-License-Identifier: Apache-2.0
// Lists the scalars of the results of all functions of a code, for lowering.
#pragma once
#include "base/rows.h"
#include "lang/code.h"
#include "lang/type_walk.h"

namespace komuz::vm {

// Those of function f begin at begins[f]. False: a list has no room.
template <class Types, class Begins>
[[nodiscard]] HD_CALL bool list_result_types(const CodeView& code, Types& types, Begins& begins) {
  types.clear();
  begins.clear();
  const std::string_view codes = code.type_codes();
  for (const Function& f : code.functions) {
    if (!has_room(begins, 1) || !has_room(types, f.result_cells)) return false;
    begins.push_back(static_cast<u32>(types.size()));
    const size_t result = skip_type(codes, f.types_begin);
    for_each_cell(codes_between(codes, result, skip_type(codes, result)),
                  [&](Scalar cell) { types.push_back(static_cast<u8>(cell)); });
  }
  return true;
}

}  // namespace komuz::vm
