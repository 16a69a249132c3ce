// SPDX-License-Identifier: Apache-2.0
// The hashes of lane_hash.h, for the instruction set of the including source. Everything is in that set's namespace,
// and nothing comes from the standard library: an inline function that the linker could share would bring
// instructions that the processor may lack.
#pragma once
#include "lang/ops/eval_cells.h"
#include "tests/vm/lane_hash.h"

namespace komuz::test {
inline namespace KOMUZ_ISA_NAMESPACE {

template <class V>
HD Element<V> lane(const V& v, u32 i) {
  if constexpr (is_scalar<V>) {
    return v;
  } else {
    return v[i];
  }
}

template <class V>
HD V lanes_of_cells(const u64* cells) {
  if constexpr (is_scalar<V>) {
    return value_of_cell<V>(*cells);
  } else {
    V v{};
    for (u32 i = 0; i < lane_count<V>; ++i) v[i] = value_of_cell<Element<V>>(cells[i]);
    return v;
  }
}

// The outcomes of all lanes; values become cells of Result.
template <class Result, class V, Trap first, Trap second>
HD u64 add_lanes(u64 hash, const Evaluated<V, first, second>& e) {
  for (u32 i = 0; i < lane_count<V>; ++i) {
    const Trap trap = lane(e.first, i) ? first : lane(e.second, i) ? second : Trap::None;
    const u64 value = trap == Trap::None ? cell_of_value(static_cast<Result>(lane(e.value, i))) : 0;
    hash = add_outcome(hash, value, trap);
  }
  return hash;
}
template <class M>
HD u64 add_mask(u64 hash, const M& mask) {
  for (u32 i = 0; i < lane_count<M>; ++i)
    hash = add_outcome(hash, lane(mask, i) ? 1 : 0, Trap::None);
  return hash;
}

// One vector's worth of operands from `at` on.
template <Op op, OpForm form, Scalar type, class V, class Other>
HD u64 add_group(u64 hash, const OperandCells& cells, u32 at) {
  using T = Element<V>;
  const auto operand = [&](u32 n) { return cells.operands[n] + at; };
  if constexpr (form == OpForm::Convert) {
    return add_lanes<T>(hash, evaluate_convert<op, V>(lanes_of_cells<Other>(operand(0))));
  } else {
    const V a = lanes_of_cells<V>(operand(0));
    if constexpr (form == OpForm::Unary && type == Scalar::Bool) {
      return add_lanes<T>(hash, evaluate_not_bool(a));
    } else if constexpr (form == OpForm::Unary) {
      return add_lanes<T>(hash, evaluate_unary<op>(a));
    } else if constexpr (form == OpForm::Predicate) {
      return add_mask(hash, evaluate_predicate<op>(a));
    } else if constexpr (form == OpForm::Count) {
      return add_lanes<i64>(hash, evaluate_count<op>(a));
    } else if constexpr (form == OpForm::Shift) {
      return add_lanes<T>(hash, evaluate_shift<op>(a, lanes_of_cells<Other>(operand(1))));
    } else {
      const V b = lanes_of_cells<V>(operand(1));
      if constexpr (form == OpForm::Binary) {
        return add_lanes<T>(hash, evaluate_binary<op>(a, b));
      } else if constexpr (form == OpForm::Compare) {
        return add_mask(hash, evaluate_compare<op>(a, b));
      } else if constexpr (form == OpForm::Order) {
        return add_lanes<i64>(hash, evaluate_order(a, b));
      } else {
        const V c = lanes_of_cells<V>(operand(2));
        if constexpr (form == OpForm::Near) {
          return add_mask(hash, evaluate_near(a, b, c));
        } else {
          return add_lanes<T>(hash, evaluate_ternary<op>(a, b, c));
        }
      }
    }
  }
}

template <Op op, OpForm form, Scalar type, class V, class Other>
u64 hash_groups(const OperandCells& cells) {
  u64 hash = 0;
  for (u32 at = 0; at < cells.count; at += lane_count<V>)
    hash = add_group<op, form, type, V, LanesAs<V, Other>>(hash, cells, at);
  return hash;
}

template <Op op, OpForm form, Scalar type, class T, class Other>
u64 hash_by_width(u32 vector_bytes, const OperandCells& cells) {
  switch (vector_bytes) {
    case 16: return hash_groups<op, form, type, Vector<T, 16>, Other>(cells);
    case 32: return hash_groups<op, form, type, Vector<T, 32>, Other>(cells);
    case 64: return hash_groups<op, form, type, Vector<T, 64>, Other>(cells);
    default: return hash_groups<op, form, type, T, Other>(cells);
  }
}

// Chooses the other type of a shift or a conversion.
template <Op op, OpForm form, Scalar type, class T>
u64 hash_by_other(Instruction i, u32 vector_bytes, const OperandCells& cells) {
  if constexpr (form == OpForm::Shift || form == OpForm::Convert) {
    switch (static_cast<Scalar>(i.a)) {
      case Scalar::None: break;
#define SCALAR(Name, spelling, Other, bytes, cls)                             \
  case Scalar::Name:                                                          \
    if constexpr (form == OpForm::Shift ? is_integer(Scalar::Name)            \
                                        : converts_from<op, T>(Scalar::Name)) \
      return hash_by_width<op, form, type, T, Other>(vector_bytes, cells);    \
    break;
#include "lang/types.def"
    }
    return 0;
  } else {
    return hash_by_width<op, form, type, T, T>(vector_bytes, cells);
  }
}

template <Op op, OpForm form, TypeSet types>
u64 hash_by_type(Instruction i, u32 vector_bytes, const OperandCells& cells) {
  if constexpr (is_pure_form(form)) {
    switch (i.type) {
      case Scalar::None: break;
#define SCALAR(Name, spelling, T, bytes, cls)                                  \
  case Scalar::Name:                                                           \
    if constexpr ((types & type_bit(Scalar::Name)) != 0)                       \
      return hash_by_other<op, form, Scalar::Name, T>(i, vector_bytes, cells); \
    break;
#include "lang/types.def"
    }
  }
  return 0;
}

inline u64 hash_lanes(Instruction i, u32 vector_bytes, const OperandCells& cells) {
  using namespace type_set;
  switch (i.op) {
#define OP(Name, mnemonic, form, types, traps, meaning) \
  case Op::Name:                                        \
    return hash_by_type<Op::Name, OpForm::form, types>(i, vector_bytes, cells);
#include "lang/ops.def"
  }
  return 0;
}

}  // namespace KOMUZ_ISA_NAMESPACE
}  // namespace komuz::test
