// SPDX-License-Identifier: Apache-2.0
// The types that a program makes: none may contain itself, and each must be one that a value of fits. What is in error is no
// type for the passes behind this one: its item has no `item_result`.
#pragma once
#include "frontend_gpu/fields.h"
#include "frontend_gpu/put_type_codes.h"
#include "frontend_gpu/type_brief.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// How deep types may hold types.
inline constexpr u32 kMaxTypeDepth = 64;

// With its names; a signature holds up to 256 types.
inline constexpr u32 kMaxTypeBytes = 1024;
HD_COLD bool fits(const Columns& c, TypeId type) {
  const Spelling s = spell(c, type);
  return s.fits() && (has_error(s) || type_code_bytes(c, type) <= kMaxTypeBytes);
}

template <class G>
class CheckTypeItem {
 public:
  HD CheckTypeItem(G& g, Columns& c) : g_(g), c_(c) {}

  // Of a type whose depth is known.
  HD_COLD void operator()(Index item) const {
    const Index name = c_.item_name[item], right = c_.item_result[item];
    if (is_builtin(name)) return report(g_, c_, name, DiagnosticCode::BuiltinType);
    if (node_kind(c_, right) != Node::Call) return check_size(name, declared_type(c_, right));
    const TypeId type = record_type(c_, item);
    if (type == kTypeError) return;
    const Index constructor = c_.left[right], fields = tuple_node(type);
    // One constructor of another name, or without fields, is an alternative of a sum.
    const bool is_record = c_.right[fields] != kNone && node_kind(c_, constructor) == Node::Name &&
                           same_text(c_, name, constructor);
    if (!is_record) return report(g_, c_, constructor, DiagnosticCode::NotSupported, kFeatureSums);
    const u32 count = count_elements(c_, fields);
    bool named = node_length(c_, name) <= kMaxTypeName && count <= kMaxTypeElements;
    if (named) {
      ElementsBackwards elements(c_, fields);
      for (Index f = elements.next(); f != kNone; f = elements.next()) {
        if (!is_field(c_, f)) continue;
        named &= node_length(c_, c_.left[f]) <= kMaxTypeName;
        if (stands_before(fields, f)) report(g_, c_, c_.left[f], DiagnosticCode::DuplicateName);
      }
    }
    if (!named) return report(g_, c_, name, DiagnosticCode::TypeTooWide);
    check_size(name, type);
  }

 private:
  HD bool is_builtin(Index name) const {
    const u32 length = node_length(c_, name);
    if (scalar_spelled(c_, name) != kTypePending) return true;
    constexpr u64 kList = 0x7473'694C, kBytes = 0x73'6574'7942, kOption = 0x6E6F'6974'704F;
    const u64 text = length <= 6 ? load_text(node_text(c_, name), length) : 0;
    return text == kList || text == kBytes || text == kOption;
  }
  HD void check_size(Index name, TypeId type) const {
    if (is_tuple(type) && !fits(c_, type)) report(g_, c_, name, DiagnosticCode::TypeTooWide);
  }
  // Is there a field of the same name before this one?
  HD bool stands_before(Index fields, Index field) const {
    ElementsBackwards elements(c_, fields);
    for (Index f = elements.next(); f != kNone; f = elements.next())
      if (f < field && is_field(c_, f) && same_text(c_, c_.left[f], c_.left[field])) return true;
    return false;
  }

  G& g_;
  Columns& c_;
};

// Depths of types, in item_constant_state: 1 of one that holds none, kInError.
template <class G>
class MeasureTypes {
 public:
  static constexpr u8 kUnknown = 0, kInError = 255;

  HD MeasureTypes(G& g, Columns& c) : g_(g), c_(c) {}

  // Rounds in the order of the source, until nothing new is known. A chain of types in the other order takes a round for
  // each, but is too deep before it takes many.
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

  // The item that a node of a type names; kNone: none.
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
  // Does the way through the first type of unknown depth that each names lead back to where it starts?
  [[nodiscard]] HD bool comes_back(Index from) const {
    Index at = from;
    for (u32 step = 0; step <= kMaxTypeDepth; ++step) {
      at = c_.item_slot_base[at];
      if (at == kNone || at == from) return at == from;
    }
    return false;
  }
  // Of a type of unknown depth: the first such type that it names. Slots are counted later.
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

// Tuples that types spell: each must be one that a Spelling holds.
template <class G>
HD_COLD void check_tuple_types(G& g, Columns& c) {
  g.for_each(c.brackets, [&](u32 b) {
    const Index paren = c.bracket_node[b];
    const bool opens = (c.bracket_key[b] & 1) == 0;
    if (!opens || node_context(c, paren) != Context::Type) return;
    if (node_kind(c, paren) == Node::Paren && has_comma(c, paren) && !fits(c, kTypeTuple + paren))
      report(g, c, paren, DiagnosticCode::TupleTooWide);
  });
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
  g.for_each(c.items, [&](u32 item) {
    if (is_type(item) && c.item_result[item] != kNone) CheckTypeItem<G>(g, c)(item);
  });
  g.for_each(c.items, [&](u32 item) {
    if (!is_type(item) || c.item_result[item] == kNone) return;
    const Index right = c.item_result[item];
    const bool sum = node_kind(c, right) == Node::Call && c.error[c.left[right]] != 0;
    if (sum || c.error[c.item_name[item]] != 0) c.item_result[item] = kNone;
  });
}

template <class G>
HD void check_type_items(G& g, Columns& c) {
  if (c.flags[kTypes] != 0) check_made_types(g, c);
  check_tuple_types(g, c);
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
