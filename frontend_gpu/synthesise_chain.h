// SPDX-License-Identifier: Apache-2.0
// synthesise_types of chains: what each operation makes of the elements that it gets.
#pragma once
#include "frontend_gpu/chains.h"
#include "frontend_gpu/type_lengths.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct SynthesiseChain {
  G& g;
  Columns& c;

  HD_COLD TypeId operator()(Index i, Collection operation) const {
    if (count_arguments(c, i) != collection_row(static_cast<u32>(operation)).arguments)
      return kTypeError;
    const TypeId source = c.type[first_argument(c, i)];
    if (!has_elements(c, source)) return kTypeError;
    const Container from = container_of(c, source);
    const TypeId held = settled(held_type(c, source));
    switch (operation) {
      case Collection::Map: {
        const TypeId made = settled(c.type[last_argument(c, i)]);
        return name_type(i, {from.form, false, from.count, is_value(made) ? made : kTypeError});
      }
      case Collection::Filter: {
        const bool counted = from.form == TypeForm::Array;
        return name_type(i, {counted ? TypeForm::List : from.form, false, from.count, held});
      }
      case Collection::Fold: return fold_type(c, i);
      case Collection::Count: return type_of(Scalar::I64);
      case Collection::All:
      case Collection::Any:
      case Collection::Contains: return type_of(Scalar::Bool);
      case Collection::Find: return name_type(i, {TypeForm::Option, false, 0, held});
      case Collection::Sum:
      case Collection::Min:
      case Collection::Max: return held;
      case Collection::List: {
        const u32 count = length_of(c, last_argument(c, i));
        if (count != 0) return name_type(i, {TypeForm::List, false, count, held});
        report(g, c, last_argument(c, i), DiagnosticCode::BadLength);
        return kTypeError;
      }
      case Collection::Some:
      case Collection::None:
      case Collection::IsSome:
      case Collection::IsNone:
      case Collection::Or:
      case Collection::Len:
      case Collection::IsEmpty:
      case Collection::Get:
      case Collection::First:
      case Collection::Last:
      case Collection::Push:
      case Collection::Pop:
      case Collection::Swap: break;
    }
    return kTypeError;
  }

 private:
  HD TypeId name_type(Index i, const Container& own) const {
    c.cell[i] = own.packed();
    return settled(kTypeTuple + i);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
