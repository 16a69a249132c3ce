// SPDX-License-Identifier: Apache-2.0
// The instruction of a built-in function on scalars, whose arguments are on the stack.
#pragma once
#include "frontend_gpu/columns/columns.h"
#include "lang/builtins.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// `given`, `last`: the types of the first and the last argument.
template <class Sink>
HD void emit_builtin(Sink& sink, const BuiltinRow& row, Scalar given, Scalar last, Scalar result) {
  switch (row.shape) {
    case BuiltinShape::Same:
    case BuiltinShape::Predicate:
    case BuiltinShape::ToI64: return sink.op(row.op, given);
    case BuiltinShape::Shift: return sink.op(row.op, given, static_cast<u32>(last));
    case BuiltinShape::Exact: return;  // EmitContainer::exact emits it
    case BuiltinShape::Convert:
    case BuiltinShape::Wrap:
    case BuiltinShape::Bits:
    case BuiltinShape::FromBits:
      if (result != given) sink.op(row.op, result, static_cast<u32>(given));
      return;
  }
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
