// SPDX-License-Identifier: Apache-2.0
// Numbers functions, and gives variables their slots.
#pragma once
#include "frontend_gpu/code/emit_node.h"
#include "frontend_gpu/names/modules.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

inline constexpr u32 kMaxFunctions = 4096;
inline constexpr u32 kMaxSlots = 8192;

struct ItemCounts {
  u32 functions = 0, entries = 0;  // `fn` items; all items that run
  u32 constants = 0, types = 0;
  u32 open = 0;  // `fn` items without a body
};
HD ItemCounts combine(ItemCounts a, ItemCounts b) {
  return {a.functions + b.functions, a.entries + b.entries, a.constants + b.constants,
          a.types + b.types, a.open + b.open};
}

// Finds for each doc example the item below it, past other examples. The column holds a bound of recursion for
// other items.
HD void find_named_items(Columns& c) {
  for (Index item = c.items; item-- > 0;) {
    if (c.item_kind[item] != ItemKind::Example) continue;
    const bool is_last = item + 1 == c.items;  // it stands above nothing
    const Index next = is_last ? item : item + 1;
    const bool goes_on = !is_last && c.item_kind[next] == ItemKind::Example;
    c.item_bound[item] = goes_on ? Index{c.item_bound[next]} : next;
  }
}

template <class G>
HD void number_functions(G& g, Columns& c) {
  const ItemCounts total = g.scan(
      c.items, ItemCounts{},
      [&](u32 item) {
        const bool open = is_open(c, item);
        const bool function = c.item_kind[item] == ItemKind::Function && !open;
        return ItemCounts{function, is_entry(c.item_kind[item]) && !open,
                          c.item_kind[item] == ItemKind::Constant,
                          c.item_kind[item] == ItemKind::Type, open};
      },
      [&](u32 item, const ItemCounts& before, const ItemCounts& own) {
        c.item_function[item] = own.entries != 0 ? before.entries : kNone;
        c.item_ordinal[item] = own.functions != 0 ? before.functions : kNone;
        c.item_open[item] = own.open != 0 ? before.open : kNone;
        c.item_rec[item] = 0;
        c.item_slots[item] = 0;
        c.item_calls[item] = 0;
        if (own.functions != 0 && before.functions == kMaxFunctions)  // reported once
          report(g, c, c.item_name[item] != kNone ? c.item_name[item] : c.item_node[item],
                 DiagnosticCode::TooManyFunctions);
        if (own.open != 0 && !c.keeps_open && module_of(c, c.item_node[item]) == 0)
          report(g, c, c.item_body[item],
                 is_space(c, item) ? DiagnosticCode::SpaceForm : DiagnosticCode::MissingBody);
      });
  g.once([&] { find_named_items(c); });
  c.functions = total.functions;
  c.entries = total.entries;
  c.open_functions = total.open;
  c.constant_items = total.constants;
  // Without items of these kinds the program is empty: other items are in error, except for a lone `;`.
  if (total.entries + total.constants + total.types + total.open + c.use_items == 0)
    g.once([&] {
      if (c.flags[kFailed] == 0) report(g, c, 0, DiagnosticCode::EmptyProgram);
    });
}

// A program in error may have too many names to compare each with the others.
HD_COLD u32 pattern_slots(const Columns& c, u32 b) {
  return c.flags[kFailed] == 0 && has_own_slots(c, b) ? type_cells(c, c.bind_type[b]) : 0;
}
HD_COLD u32 match_slots(const Columns& c, u32 b) {
  const Index match = c.bind_node[b];
  return matched_variable(c, match) == kNone ? type_cells(c, settled(c.type[match])) : 0;
}
HD u32 binding_slots(const Columns& c, u32 b) {
  switch (c.bind_kind[b]) {
    case BindKind::Function:
    case BindKind::Constant:
    case BindKind::Type:
    case BindKind::Constructor:
    case BindKind::Import:
    case BindKind::Module: return 0;
    case BindKind::Parameter:
    case BindKind::Lambda:
    case BindKind::Let:
    case BindKind::Var: return type_cells(c, c.bind_type[b]);
    case BindKind::For:  // over a range: next, bound, variable
      return counts(c, b) ? 3 : type_cells(c, c.bind_type[b]);
    case BindKind::Pattern: return pattern_slots(c, b);
    case BindKind::Limit: return 1;
    case BindKind::Match: return match_slots(c, b);
  }
  return 0;
}
struct SlotCount {
  u32 slots = 0;
};
HD SlotCount combine(SlotCount a, SlotCount b) { return {a.slots + b.slots}; }

struct KeptCount {
  u32 slots = 0, nodes = 0;
};
HD KeptCount combine(KeptCount a, KeptCount b) { return {a.slots + b.slots, a.nodes + b.nodes}; }

// Gives slots to what nodes keep, behind those of the variables. Few nodes keep anything, so these are listed.
template <class G>
HD_COLD void place_kept(G& g, Columns& c) {
  const KeptCount total = g.scan(
      c.nodes, KeptCount{},
      [&](u32 i) {
        const u32 cells = kept_cells(c, i);
        return KeptCount{cells, cells != 0};
      },
      [&](u32 i, const KeptCount& before, const KeptCount& own) {
        g.store_if(own.nodes != 0, c.listed[before.nodes], Index{i});
        if (own.nodes != 0) c.ref[i] = before.slots;
        if (i == 0 || c.item[i - 1] != c.item[i]) c.item_slot_base[c.item[i]] = before.slots;
      });
  g.for_each(total.nodes, [&](u32 k) {
    const Index i = c.listed[k], item = c.item[i];
    c.ref[i] = c.ref[i] - c.item_slot_base[item] + c.item_slots[item];
  });
  g.for_each(total.nodes, [&](u32 k) {
    const Index i = c.listed[k];
    g.max_into(c.item_slots[c.item[i]], c.ref[i] + kept_cells(c, i));
  });
}

// A name whose cells lie together needs no slots of its own.
template <class G>
HD_COLD void place_patterns(G& g, Columns& c) {
  g.for_each(c.binds, [&](u32 b) {
    const Index i = c.bind_node[b];
    if (c.bind_kind[b] == BindKind::Pattern && lies_together(c, i))
      c.bind_value[b] = matched_slot(c, match_of_arm(c, arm_of_binding(c, b))) + first_cell(c, i);
  });
}

template <class G>
HD void place_slots(G& g, Columns& c) {
  (void)g.scan(
      c.binds, SlotCount{}, [&](u32 b) { return SlotCount{binding_slots(c, b)}; },
      [&](u32 b, const SlotCount& before, const SlotCount&) {
        const Index item = c.item[c.bind_node[b]];
        c.bind_slot[b] = before.slots;
        if (b == 0 || c.item[c.bind_node[b - 1]] != item) c.item_slot_base[item] = before.slots;
      });
  g.for_each(c.binds, [&](u32 b) {
    const Index item = c.item[c.bind_node[b]];
    c.bind_slot[b] -= c.item_slot_base[item];
    // A variable that counts lies behind the counter and its bound.
    const bool counter = c.bind_kind[b] == BindKind::For && counts(c, b);
    c.bind_value[b] = c.bind_slot[b] + (counter ? 2 : 0);
    g.max_into(c.item_slots[item], c.bind_slot[b] + binding_slots(c, b));
  });
  if (c.flags[kMatches] != 0) place_patterns(g, c);
  if (keeps_values(c)) place_kept(g, c);
  g.for_each(c.items, [&](u32 item) {
    if (c.item_slots[item] <= kMaxSlots) return;
    report(g, c, c.item_name[item] != kNone ? c.item_name[item] : c.item_node[item],
           DiagnosticCode::TooManySlots, c.item_slots[item], kMaxSlots);
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
