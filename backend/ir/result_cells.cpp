// SPDX-License-Identifier: Apache-2.0
#include "backend/ir/result_cells.h"

#include "backend/ir/ir_values.h"

namespace komuz::backend::ir {
namespace {

template <class T>
llvm::Value* cell_of(llvm::Value* value) {
  if constexpr (std::is_floating_point_v<T>)
    return code_of(convert_lanes<Ir<u64>>(canonical_bits(Ir<T>(value))));
  else
    return converted(value, std::is_signed_v<T>, Type::I64, true);
}

}  // namespace

llvm::Value* result_cell(llvm::Value* value, Scalar type) {
  switch (type) {
    case Scalar::None:
      break;
// clang-format would join the #include to the macro.
// clang-format off
#define SCALAR(Name, spelling, T, bytes, cls) \
  case Scalar::Name: return cell_of<T>(value);
#include "lang/types.def"
      // clang-format on
  }
  return value;
}

}  // namespace komuz::backend::ir
