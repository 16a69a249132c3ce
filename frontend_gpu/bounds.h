// SPDX-License-Identifier: Apache-2.0
// Numbers of functions, slots of variables, the call graph and the bounds of recursion.
#pragma once
#include "frontend_gpu/emit_node.h"
#include "frontend_gpu/literal.h"
#include "frontend_gpu/modules.h"
#include "lang/recursion_note.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

inline constexpr u32 kMaxFunctions = 64;
inline constexpr u32 kMaxRec = 4096, kDefaultRec = 64;
inline constexpr u32 kMaxSlots = 8192;

struct ItemCounts {
  u32 functions = 0, entries = 0;  // `fn`; all that run
  u32 constants = 0, types = 0;
  u32 open = 0;  // `fn` without a body
};
HD ItemCounts combine(ItemCounts a, ItemCounts b) {
  return {a.functions + b.functions, a.entries + b.entries, a.constants + b.constants,
          a.types + b.types, a.open + b.open};
}

// Of each doc example the item that it stands above, behind other examples: where a bound of recursion stands else.
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
        if (own.functions != 0 && before.functions >= kMaxFunctions)
          report(g, c, c.item_name[item] != kNone ? c.item_name[item] : c.item_node[item],
                 DiagnosticCode::TooManyFunctions);
        if (own.open != 0 && !c.keeps_open && module_of(c, c.item_node[item]) == 0)
          report(g, c, c.item_body[item], DiagnosticCode::MissingBody);
      });
  g.once([&] { find_named_items(c); });
  c.functions = total.functions;
  c.entries = total.entries;
  c.open_functions = total.open;
  c.constant_items = total.constants;
  // Items of no other kind are without error: there is nothing but `;`.
  if (total.entries + total.constants + total.types + total.open + c.use_items == 0)
    g.once([&] {
      if (c.flags[kFailed] == 0) report(g, c, 0, DiagnosticCode::EmptyProgram);
    });
}

// Of a program in error there may be too many names to look at each other.
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
    case BindKind::For:  // of a range: next, bound, variable
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

// Slots of what nodes keep follow those of the variables. Few nodes keep anything: these are listed.
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

// What lies together needs no slots of its own.
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

template <class G>
HD void list_calls(G& g, Columns& c) {
  g.for_each(c.uses, [&](u32 u) {
    const Index i = c.use_node[u], ref = c.ref[i];
    const bool calls = is_callee(node_context(c, i)) || c.role[i] == Role::Function;
    if (ref >= kBuiltinRef || !calls) return;
    const u32 callee = c.item_ordinal[c.item[c.bind_node[ref]]];
    if (callee < kMaxFunctions) g.or_into(c.item_calls[c.item[i]], 1ull << callee);
  });
}

// The number behind `rec`: 0 without one, more than kMaxRec for a wrong one.
HD u32 written_rec(const Columns& c, Index item) {
  const Index bound = c.item_bound[item];
  if (bound == kNone) return 0;
  u64 value = 0;
  if (node_kind(c, bound) == Node::Int) {
    const Literal literal =
        integer_literal(node_text(c, bound), node_length(c, bound), Scalar::U32, false);
    value = literal.error == DiagnosticCode::None ? literal.cell : 0;
  } else {
    const Index ref = c.ref[bound];
    if (ref >= kBuiltinRef || c.bind_kind[ref] != BindKind::Constant) return kMaxRec + 1;
    const TypeId type = c.bind_type[ref];
    if (!is_scalar(type) || !is_integer(as_scalar(type))) return kMaxRec + 1;
    value = c.constants[c.item_constant[c.item[c.bind_node[ref]]]];
  }
  return value >= 1 && value <= kMaxRec ? static_cast<u32>(value) : kMaxRec + 1;
}

// Of a function f that is in a cycle, a way back to itself: the shortest where that passes two others at most. `reach` says
// which functions each one calls directly or by way of others.
HD_COLD RecursionNote note_recursion(const Columns& c, u32 f, u32 bound, const Index* item_of,
                                     const u64* reach, u32 n) {
  RecursionNote note{bound};
  u64 callers = 0, returning = 0;
  for (u32 g = 0; g < n; ++g) {
    callers |= (c.item_calls[item_of[g]] >> f & 1) << g;
    returning |= (reach[g] >> f & 1) << g;
  }
  const auto name_of = [&](u64 functions) {
    const u32 g = static_cast<u32>(std::countr_zero(functions));
    return u32{c.token_start[c.token[c.item_name[item_of[g]]]]};
  };
  const u64 direct = c.item_calls[item_of[f]];
  if ((direct >> f & 1) != 0) return note;
  if ((direct & callers) != 0) {
    note.first = name_of(direct & callers);
    return note;
  }
  // Back by one function more, else by several.
  for (u32 several = 0; several < 2; ++several) {
    for (u64 left = direct & returning; left != 0; left &= left - 1) {
      const u32 g = static_cast<u32>(std::countr_zero(left));
      const u64 behind = c.item_calls[item_of[g]] & ~(1ull << g);
      const u64 next = behind & (several != 0 ? returning : callers);
      if (next == 0) continue;
      note.first = name_of(1ull << g);
      note.second = name_of(next);
      note.more = several != 0;
      return note;
    }
  }
  return note;
}

// Every function of a cycle needs one bound; a missing one is taken from its cycle, or is kDefaultRec.
template <class G>
HD void bound_recursion(G& g, Columns& c) {
  g.once([&] {
    u64 reach[kMaxFunctions];
    Index item_of[kMaxFunctions];
    u32 written[kMaxFunctions];
    const u32 n = c.functions < kMaxFunctions ? c.functions : kMaxFunctions;
    for (Index item = 0; item < c.items; ++item) {
      const u32 f = c.item_ordinal[item];
      if (f >= n) continue;
      item_of[f] = item;
      reach[f] = c.item_calls[item];
      written[f] = written_rec(c, item);
      if (written[f] > kMaxRec) report(g, c, c.item_bound[item], DiagnosticCode::RecRange);
    }
    for (u32 via = 0; via < n; ++via)
      for (u32 f = 0; f < n; ++f)
        if (reach[f] >> via & 1) reach[f] |= reach[via];
    for (u32 f = 0; f < n; ++f) {
      const Index item = item_of[f], name = c.item_name[item];
      if ((reach[f] >> f & 1) == 0) {
        if (written[f] != 0) report_note(g, c, name, DiagnosticCode::UselessRec);
        continue;
      }
      if (is_space(c, item)) {
        report(g, c, name, DiagnosticCode::SpaceCycle);
        continue;
      }
      u32 bound = 0;
      for (u32 other = 0; other < n; ++other) {
        const bool together = (reach[f] >> other & 1) != 0 && (reach[other] >> f & 1) != 0;
        if (!together || written[other] == 0) continue;
        if (bound == 0) bound = written[other];
        if (written[f] != 0 && written[other] != written[f])
          report(g, c, name, DiagnosticCode::RecDiffers, written[f], written[other]);
      }
      if (bound == 0) bound = kDefaultRec;
      if (written[f] == 0) {
        const RecursionNote note = note_recursion(c, f, bound, item_of, reach, n);
        report_note(g, c, name, DiagnosticCode::MissingRec, note.low(), note.high());
      }
      c.item_rec[item] = static_cast<u16>(bound);
    }
  });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
