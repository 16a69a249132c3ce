// SPDX-License-Identifier: Apache-2.0
// Checks the types that a program makes: no type may contain itself, and values of each must fit. Later passes do
// not see a type in error: its item has no `item_result`.
#pragma once
#include "frontend_gpu/questions/fields.h"
#include "frontend_gpu/questions/type_brief.h"
#include "frontend_gpu/tree/shape.h"
#include "frontend_gpu/types/put_type_codes.h"
#include "frontend_gpu/types/type_lengths.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// The most types that may be nested.
inline constexpr u32 kMaxTypeDepth = 64;

HD_COLD bool fits(const Columns& c, TypeId type) {
  return is_small(c, type) &&
         (has_error(spell(c, type)) || type_code_bytes(c, type) <= kMaxTypeBytes);
}

template <class G>
class CheckTypeItem {
 public:
  HD CheckTypeItem(G& g, Columns& c) : g_(g), c_(c) {}

  // Checks a type whose depth is known.
  HD_COLD void operator()(Index item) const {
    const Index name = c_.item_name[item], right = c_.item_result[item];
    if (is_builtin(name)) return report(g_, c_, name, DiagnosticCode::BuiltinType);
    const TypeId type = made_type(c_, item);
    if (type == kTypeError) {
      if (node_kind(c_, right) != Node::Call) check_size(name, declared_type(c_, right));
      return;
    }
    bool named = node_length(c_, name) <= kMaxTypeName;
    if (is_record(c_, type)) {
      named &= check_fields(tuple_node(type));
    } else {
      u32 count = 0;
      Alternatives alternatives(c_, type);
      for (Index a = alternatives.next(); a != kNone; a = alternatives.next(), ++count) {
        named &= node_length(c_, a) <= kMaxTypeName;
        const u8 first = node_text(c_, a)[0];
        if (first < 'A' || first > 'Z') report(g_, c_, a, DiagnosticCode::LowerConstructor);
        const Index fields = fields_of(c_, a);
        if (fields == kNone || node_context(c_, fields) == Context::Skipped) continue;
        if (c_.right[fields] == kNone) report(g_, c_, a, DiagnosticCode::ConstructorBare);
        named &= check_fields(fields);
      }
      named &= count <= kMaxTypeElements;
    }
    if (!named) return report(g_, c_, name, DiagnosticCode::TypeTooWide);
    check_size(name, type);
  }

 private:
  // Checks the number of fields, and their names.
  HD bool check_fields(Index fields) const {
    const u32 count = count_elements(c_, fields);
    bool named = count <= kMaxTypeElements;
    if (!named) return false;
    ElementsBackwards elements(c_, fields);
    for (Index f = elements.next(); f != kNone; f = elements.next()) {
      if (!is_field(c_, f)) continue;
      named &= node_length(c_, c_.left[f]) <= kMaxTypeName;
      if (count <= kMaxTypeElements && stands_before(fields, f))
        report(g_, c_, c_.left[f], DiagnosticCode::DuplicateName);
    }
    return named;
  }
  HD bool is_builtin(Index name) const {
    return scalar_spelled(c_, name) != kTypePending ||
           container_word(c_, name) != ContainerWord::None;
  }
  HD void check_size(Index name, TypeId type) const {
    if (is_tuple(type) && !fits(c_, type)) report(g_, c_, name, DiagnosticCode::TypeTooWide);
  }
  // True if a field of the same name stands before this one.
  HD bool stands_before(Index fields, Index field) const {
    ElementsBackwards elements(c_, fields);
    for (Index f = elements.next(); f != kNone; f = elements.next())
      if (f < field && is_field(c_, f) && same_text(c_, c_.left[f], c_.left[field])) return true;
    return false;
  }

  G& g_;
  Columns& c_;
};

// The depths of types, in item_constant_state: 1 for a type that holds no other, or kInError.
template <class G>
class MeasureTypes {
 public:
  static constexpr u8 kUnknown = 0, kInError = 255;

  HD MeasureTypes(G& g, Columns& c) : g_(g), c_(c) {}

  // Goes through the types in the order of the source until nothing new is known. A chain of types in the other
  // order takes a round for each type, but it is found too deep before that takes long.
  HD_COLD void all() const {
    for (u32 round = 0; round <= kMaxTypeDepth; ++round) {
      bool moved = false;
      for (Index item = 0; item < c_.items; ++item) {
        if (!is_type(item) || depth(item) != kUnknown) continue;
        measure(item);
        moved |= depth(item) != kUnknown;
      }
      if (!moved) break;
    }
    for (Index item = 0; item < c_.items; ++item)
      if (is_type(item) && depth(item) == kUnknown) c_.item_slot_base[item] = first_unknown(item);
    bool said = false;
    for (Index item = 0; item < c_.items; ++item) {
      if (!is_type(item)) continue;
      said |= depth(item) == kInError;
      if (depth(item) != kUnknown || !comes_back(item)) continue;
      said = true;
      report(g_, c_, c_.item_name[item], DiagnosticCode::RecursiveType);
    }
    for (Index item = 0; item < c_.items; ++item) {
      if (!is_type(item) || depth(item) != kUnknown) continue;
      if (!said) report(g_, c_, c_.item_name[item], DiagnosticCode::RecursiveType);
      said = true;
      c_.item_constant_state[item] = kInError;
    }
  }

 private:
  [[nodiscard]] HD bool is_type(Index item) const { return c_.item_kind[item] == ItemKind::Type; }
  [[nodiscard]] HD u8 depth(Index item) const { return c_.item_constant_state[item]; }

  // The item that a node of a type names; kNone: it names none.
  [[nodiscard]] HD Index named_item(Index i) const {
    if (node_kind(c_, i) != Node::Name || c_.role[i] != Role::TypeName) return kNone;
    const Index ref = scalar_spelled(c_, i) == kTypePending ? Index{c_.ref[i]} : kNone;
    return ref == kNone ? kNone : Index{c_.item[c_.bind_node[ref]]};
  }
  HD void measure(Index item) const {
    const Index right = c_.item_result[item];
    if (right == kNone || c_.item_name[item] == kNone) {
      c_.item_constant_state[item] = kInError;
      return;
    }
    u32 deepest = 0;
    for (Index i = c_.begin[right]; i < c_.end[right]; ++i) {
      const Index other = named_item(i);
      if (other == kNone) continue;
      if (depth(other) == kUnknown) return;
      if (depth(other) == kInError) {
        c_.item_constant_state[item] = kInError;
        return;
      }
      deepest = deepest > depth(other) ? deepest : depth(other);
    }
    if (deepest < kMaxTypeDepth) {
      c_.item_constant_state[item] = static_cast<u8>(deepest + 1);
      return;
    }
    report(g_, c_, c_.item_name[item], DiagnosticCode::TypeTooDeep, kMaxTypeDepth);
    c_.item_constant_state[item] = kInError;
  }
  // True if a walk comes back to `from`: it goes from a type to the first type of unknown depth that this names.
  [[nodiscard]] HD bool comes_back(Index from) const {
    Index at = from;
    for (u32 step = 0; step <= kMaxTypeDepth; ++step) {
      at = c_.item_slot_base[at];
      if (at == kNone || at == from) return at == from;
    }
    return false;
  }
  // The first type of unknown depth that a type names.
  [[nodiscard]] HD Index first_unknown(Index item) const {
    const Index right = c_.item_result[item];
    for (Index i = c_.begin[right]; i < c_.end[right]; ++i) {
      const Index other = named_item(i);
      if (other != kNone && depth(other) == kUnknown) return other;
    }
    return kNone;
  }

  G& g_;
  Columns& c_;
};

// Checks an array or the like that a type spells. All types are measured by now.
template <class G>
HD_COLD void check_container(G& g, Columns& c, Index bracket) {
  const TypeId type = declared_type(c, bracket);
  if (type == kTypeError) return;
  const TypeId held = held_type(c, type);
  const bool in_error = held == kTypeError || (is_tuple(held) && has_error(spell(c, held)));
  if (!in_error && type_cells(c, held) == 0)
    return report(g, c, bracket, DiagnosticCode::ElementCells, type_brief(c, held));
  if (!fits(c, type)) report(g, c, bracket, DiagnosticCode::TupleTooWide);
}
// Checks tuples that types spell: a Spelling must hold each.
template <class G>
HD_COLD void check_tuple_types(G& g, Columns& c) {
  g.for_each(c.brackets, [&](u32 b) {
    const Index paren = c.bracket_node[b];
    const bool opens = (c.bracket_key[b] & 1) == 0;
    const bool in_type = node_context(c, paren) == Context::Type;
    if (!(opens & (in_type | (node_kind(c, paren) == Node::Bracket)))) return;
    if (is_type_bracket(c, paren)) return check_container<G>(g, c, paren);
    if (in_type && node_kind(c, paren) == Node::Paren && has_comma(c, paren) &&
        !fits(c, kTypeTuple + paren))
      report(g, c, paren, DiagnosticCode::TupleTooWide);
  });
}

// Counts the cells that the alternatives of a sum need. The sums that they hold have been counted.
HD_COLD void count_sum(Columns& c, TypeId sum) {
  ScalarCounts most;
  Alternatives alternatives(c, sum);
  for (Index a = alternatives.next(); a != kNone; a = alternatives.next()) {
    const Index fields = fields_of(c, a);
    if (fields == kNone || node_context(c, fields) == Context::Skipped) continue;
    ScalarCounts own;
    ElementsBackwards elements(c, fields);
    for (Index f = elements.next(); f != kNone; f = elements.next())
      for_each_block(c, element_type(c, f),
                     [&](Scalar scalar, u32 count) { own.add(scalar, count); });
    most.cover(own);
  }
  keep_sum_counts(c, sum, most);
}
// Counts sums that hold no others first.
HD_COLD void count_sums(Columns& c) {
  for (u32 depth = 1; depth <= kMaxTypeDepth; ++depth)
    for (Index item = 0; item < c.items; ++item) {
      const bool now = c.item_kind[item] == ItemKind::Type && c.item_constant_state[item] == depth;
      if (!now) continue;
      if (const TypeId type = made_type(c, item); is_sum(c, type)) count_sum(c, type);
    }
}

template <class G>
HD_COLD void check_made_types(G& g, Columns& c) {
  g.for_each(c.items, [&](u32 item) { c.item_constant_state[item] = 0; });
  g.once([&] { MeasureTypes<G>(g, c).all(); });
  constexpr u8 kInError = MeasureTypes<G>::kInError;
  const auto is_type = [&](u32 item) { return c.item_kind[item] == ItemKind::Type; };
  g.for_each(c.items, [&](u32 item) {
    if (is_type(item) && c.item_constant_state[item] == kInError) c.item_result[item] = kNone;
  });
  g.once([&] { count_sums(c); });
  g.for_each(c.items, [&](u32 item) {
    if (is_type(item) && c.item_result[item] != kNone) CheckTypeItem<G>(g, c)(item);
  });
  g.for_each(c.items, [&](u32 item) {
    if (is_type(item) && c.item_result[item] != kNone && c.error[c.item_name[item]] != 0)
      c.item_result[item] = kNone;
  });
}

template <class G>
HD void check_type_items(G& g, Columns& c) {
  if (c.flags[kContainers] != 0) measure_containers(g, c);
  if (c.flags[kTypes] != 0) check_made_types(g, c);
  check_tuple_types(g, c);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
