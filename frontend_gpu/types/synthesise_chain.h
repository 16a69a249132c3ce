// SPDX-License-Identifier: Apache-2.0
// synthesise_types for chains: what each operation makes of the elements that it gets, and where its chain begins.
#pragma once
#include "frontend_gpu/questions/chains.h"
#include "frontend_gpu/types/synthesise_container.h"
#include "frontend_gpu/types/type_lengths.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

template <class G>
struct SynthesiseChain {
  G& g;
  Columns& c;

  HD_COLD TypeId operator()(Index i) const {
    find_chain_first(c, i);
    const ChainOp operation = chain_operation(c, i);
    if (count_arguments(c, i) != chain_row(operation).arguments) return kTypeError;
    const Container from = with_capacity(i, chain_input(c, i));
    if (!has_elements(from.form)) return kTypeError;
    const TypeId held = from.element;
    switch (operation) {
      case ChainOp::Map: return name_type(i, {from.form, false, from.count, made_by_lambda(i)});
      case ChainOp::Filter: {
        const bool counted = from.form == TypeForm::Array;
        return name_type(i, {counted ? TypeForm::List : from.form, false, from.count, held});
      }
      case ChainOp::Enumerate:
        return name_type(i, {from.form, false, from.count, pair(i, type_of(Scalar::I64), held)});
      case ChainOp::Zip: {
        const TypeId type = c.type[last_argument(c, i)];
        if (!has_elements(c, type)) return kTypeError;
        const Container other = container_of(c, type);
        // A slice beside it may have fewer elements.
        const bool slice = from.form == TypeForm::Slice,
                   other_slice = other.form == TypeForm::Slice;
        const TypeForm longest = from.form > other.form ? from.form : other.form;
        const TypeForm form = slice != other_slice ? TypeForm::List : longest;
        const u32 least = from.count < other.count ? from.count : other.count;
        const u32 count = slice ? other.count : other_slice ? from.count : least;
        return name_type(i, {form, false, count, pair(i, held, settled(held_type(c, type)))});
      }
      case ChainOp::StepBy:
      case ChainOp::SortBy:
      case ChainOp::Reverse: return name_type(i, {from.form, false, from.count, held});
      case ChainOp::Tabulate: {
        const u32 count = length(first_argument(c, i));
        if (count == 0) return kTypeError;
        return name_type(i, {TypeForm::Array, false, count, made_by_lambda(i)});
      }
      case ChainOp::Extend: return kTypeUnit;
      case ChainOp::Fold: return fold_type(c, i);
      case ChainOp::Count:
      case ChainOp::CountAll:
      case ChainOp::Argmin:
      case ChainOp::Argmax:
      case ChainOp::ArgminByKey:
      case ChainOp::ArgmaxByKey: return type_of(Scalar::I64);
      case ChainOp::All:
      case ChainOp::Any:
      case ChainOp::Contains: return type_of(Scalar::Bool);
      case ChainOp::Find: return name_type(i, {TypeForm::Option, false, 0, held});
      case ChainOp::Position:
        return name_type(i, {TypeForm::Option, false, 0, type_of(Scalar::I64)});
      case ChainOp::Sum:
      case ChainOp::Min:
      case ChainOp::Max:
      case ChainOp::MinByKey:
      case ChainOp::MaxByKey: return held;
      case ChainOp::List: {
        const u32 count = length(last_argument(c, i));
        return count == 0 ? kTypeError : name_type(i, {TypeForm::List, false, count, held});
      }
    }
    return kTypeError;
  }

 private:
  // A range with known ends has a known number of elements, and a view has no more than the value that it shows.
  HD Container with_capacity(Index i, const Container& from) const {
    if (from.form != TypeForm::Slice || counts_up(chain_operation(c, i))) return from;
    const Index source = chain_source(c, i);
    const u32 count = is_range(c, source) ? range_length(source) : viewed_capacity(source);
    return count == 0 ? from : Container{TypeForm::List, false, count, from.element};
  }
  // The length of a range; 0: it is not known, or the range is empty.
  HD_COLD u32 range_length(Index range) const {
    const TypeId named = settled(range_type(c, range));
    const Scalar type = is_scalar(named) ? as_scalar(named) : Scalar::I64;
    i64 first = 0, last = 0;
    const bool known = is_integer(type) && LengthValue{c}.find(c.left[range], type, first) &&
                       LengthValue{c}.find(c.right[range], type, last) && first <= last;
    const u64 between = static_cast<u64>(last) - static_cast<u64>(first);
    if (!known || between > kMaxCount) return 0;
    const u32 count =
        static_cast<u32>(between) + (node_kind(c, range) == Node::RangeInclusive ? 1 : 0);
    return count <= kMaxCount ? count : 0;
  }
  HD_COLD u32 viewed_capacity(Index source) const {
    if (!is_view(c, source)) return 0;
    while (is_view(c, source)) {
      source = inside_parentheses(c, c.left[source]);
      count_work(c, 1);
    }
    const TypeId type = c.type[source];
    return has_elements(c, type) ? container_of(c, type).count : 0;  // a slice has none
  }
  // The type of a pair. What names the operation names the type.
  HD TypeId pair(Index i, TypeId first, TypeId second) const {
    if (first == kTypeError || second == kTypeError) return kTypeError;
    c.cell[c.left[i]] = first | u64{second} << 32;
    return settled(kTypeTuple + c.left[i]);
  }
  HD TypeId made_by_lambda(Index i) const {
    const TypeId made = settled(c.type[last_argument(c, i)]);
    return is_value(made) || made == kTypeUnit ? made : kTypeError;
  }
  // The number that a node says; 0: it says none, which has been reported.
  HD u32 length(Index node) const {
    const u32 count = length_of(c, node);
    if (count == 0 && node_context(c, node) != Context::Skipped)
      report(g, c, node, DiagnosticCode::BadLength);
    return count;
  }
  HD TypeId name_type(Index i, const Container& own) const {
    c.cell[i] = own.packed();
    return settled(kTypeTuple + i);
  }
};

}  // namespace komuz::frontend::inline KOMUZ_PASSES
