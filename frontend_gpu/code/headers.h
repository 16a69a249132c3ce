// SPDX-License-Identifier: Apache-2.0
// The rows beside the instructions. A scan of their sizes gives each entry the place of its rows. The program is
// without errors. A binding's number is what its name refers to; the bindings of parameters follow the binding of
// their function.
#pragma once
#include "frontend_gpu/code/bounds.h"
#include "frontend_gpu/code/emit.h"
#include "frontend_gpu/code/header_rows.h"
#include "frontend_gpu/code/side_entries.h"
#include "frontend_gpu/types/put_type_codes.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

HD u32 name_bytes(const Columns& c, Index name, bool quoted) {
  const u32 length = node_length(c, name), quotes = quoted ? 2 : 0;
  return length > quotes ? length - quotes : 0;
}
HD u32 first_parameter(const Columns& c, Index item) {
  return c.item_kind[item] == ItemKind::Function ? c.ref[c.item_name[item]] + 1
                                                 : first_binding(c, item);
}
HD bool has_parameters(const Columns& c, Index item) {
  return c.item_kind[item] == ItemKind::Function || c.item_kind[item] == ItemKind::Prop;
}

// The item that gives an entry its name. A doc example has the name of the item below it, which number_functions
// has found.
HD Index named_item(const Columns& c, Index item) {
  return c.item_kind[item] == ItemKind::Example ? Index{c.item_bound[item]} : item;
}
HD bool is_quoted(const Columns& c, Index name) { return node_kind(c, name) == Node::String; }
HD u32 item_name_bytes(const Columns& c, Index item) {
  const Index name = c.item_name[named_item(c, item)];
  return name_bytes(c, name, is_quoted(c, name));
}

HD HeaderSizes entry_header_sizes(const Columns& c, Index item) {
  HeaderSizes sizes{1, item_name_bytes(c, item), 4, c.item_slots[item], 0};
  if (!has_parameters(c, item)) return sizes;
  if (c.item_kind[item] == ItemKind::Function)
    sizes.types = 2 + type_code_bytes(c, result_type(c, item));
  for (u32 b = first_parameter(c, item); is_parameter_of(c, item, b); ++b) {
    sizes.types += type_code_bytes(c, c.bind_type[b]);
    sizes.names += node_length(c, c.bind_node[b]);
    ++sizes.parameters;
  }
  return sizes;
}

HD HeaderSizes item_header_sizes(const Columns& c, Index item) {
  return c.item_function[item] == kNone ? HeaderSizes{} : entry_header_sizes(c, item);
}
// The sizes for a function without a body.
HD_COLD HeaderSizes open_header_sizes(const Columns& c, Index item) {
  return c.item_open[item] == kNone ? HeaderSizes{} : entry_header_sizes(c, item);
}

// The comma between the arguments of a `traps` call.
HD Index traps_comma(const Columns& c, u32 number) {
  return c.right[c.right[c.traps_node[number]]];
}

// Type codes for the ranges of a property's parameters: `()`, or (T, T, bool).
inline constexpr u32 kNoRangeCodes = 2, kRangeCodes = 5, kRangeCells = 3;

HD_COLD HeaderSizes ranges_header_sizes(const Columns& c, Index item) {
  HeaderSizes sizes{1, item_name_bytes(c, item), 4, 0, 0};
  for (u32 b = first_binding(c, item); is_parameter_of(c, item, b); ++b)
    sizes.types += range_of_parameter(c, b) == kNone ? kNoRangeCodes : kRangeCodes;
  return sizes;
}
// The number of slots of a `traps` call's entry: up to the last slot that something in its argument takes.
HD_COLD u32 traps_slots(const Columns& c, Index argument) {
  const Index begin = c.begin[argument], end = c.end[argument];
  u32 slots = 0;
  const auto take = [&](u32 first, u32 count) {
    if (count != 0 && first + count > slots) slots = first + count;
  };
  count_work(c, end - begin);
  for (Index i = begin; keeps_values(c) && i < end; ++i)
    if (const u32 cells = kept_cells(c, i); cells != 0) take(kept_slot(c, i), cells);
  for (u32 b = first_binding_from(c, begin); b < c.binds && c.bind_node[b] < end; ++b)
    take(c.bind_slot[b], binding_slots(c, b));
  return slots;
}
HD HeaderSizes traps_header_sizes(const Columns& c, u32 number) {
  const Index item = c.item[c.traps_node[number]];
  if (c.item_kind[item] == ItemKind::Prop) return ranges_header_sizes(c, item);
  const Index argument = c.left[traps_comma(c, number)];
  return {1, item_name_bytes(c, item), 2 + type_code_bytes(c, c.type[argument]),
          traps_slots(c, argument), 0};
}

// Writes the rows of one entry behind those of the entries before it.
class WriteHeader {
 public:
  HD WriteHeader(const Columns& c, const HeaderRows& rows, const HeaderSizes& before)
      : c_(c), rows_(rows), at_(before) {
    f_.name_begin = at_.names;
    f_.types_begin = at_.types;
    f_.slots_begin = at_.slots;
    f_.parameters_begin = at_.parameters;
  }

  HD void item(Index item) {
    f_.code_begin = c_.item_code[item];
    f_.code_end = code_end(c_, c_.item_body[item]);
    entry(item);
  }
  // Writes the rows of a function without a body; `at`: where all code ends.
  HD_COLD void open(Index item, u32 at) {
    f_.code_begin = f_.code_end = at;
    f_.owner = static_cast<u16>(module_of(c_, c_.item_node[item]));
    entry(item);
    rows_.functions[at_.functions - 1].kind = FunctionKind::Open;
  }

  // `begin` and `end` bound its code.
  HD void side_entry(u32 number, u32 begin, u32 end) {
    const Index item = c_.item[c_.traps_node[number]];
    f_.owner = static_cast<u16>(c_.item_function[item]);
    f_.code_begin = begin;
    f_.code_end = end;
    name(item);
    (void)type(kTypeUnit);
    if (c_.item_kind[item] == ItemKind::Prop)
      ranges(item);
    else
      traps_entry(number);
    rows_.functions[at_.functions++] = f_;
  }

  // Writes the rows of the only entry, whose header is kept.
  HD void kept(const KeptHeader& header) {
    std::memcpy(rows_.names, header.name_bytes, header.names);
    std::memcpy(rows_.types, header.types, header.parameters + 3);
    std::memcpy(rows_.parameter_names, header.parameter_names,
                header.parameters * sizeof(NameRange));
    f_ = header.function;
    f_.code_begin = c_.item_code[0];
    f_.code_end = code_end(c_, c_.item_body[0]);
    f_.rec = c_.item_rec[0];
    slots(c_.item_slots[0], c_.item_node[0], item_end(c_, 0),
          first_parameter(c_, 0) + header.parameters);
    std::memcpy(rows_.slot_types, header.types + 2, header.parameters);
    rows_.functions[0] = f_;
  }

  // Where the rows of the next entry go.
  [[nodiscard]] HD const HeaderSizes& behind() const { return at_; }

 private:
  HD void entry(Index item) {
    f_.kind = kind_of(c_.item_kind[item]);
    // A space is no entry: it is expanded where a hole names it.
    f_.is_public = c_.item_public[item] != 0 && !is_space(c_, item);
    f_.rec = c_.item_rec[item];
    name(item);
    if (has_parameters(c_, item))
      parameters(item);
    else
      (void)type(kTypeUnit);
    const bool is_function = c_.item_kind[item] == ItemKind::Function;
    f_.result_cells = static_cast<u16>(type(is_function ? result_type(c_, item) : kTypeUnit));
    slots(c_.item_slots[item], c_.item_node[item], item_end(c_, item),
          has_parameters(c_, item) ? first_parameter(c_, item) : first_binding(c_, item));
    rows_.functions[at_.functions++] = f_;
  }

  HD void traps_entry(u32 number) {
    const Index comma = traps_comma(c_, number);
    const Index trap = c_.right[comma], value = c_.left[comma];
    f_.kind = FunctionKind::Traps;
    f_.expected_trap = trap_from_word(node_text(c_, trap), node_length(c_, trap));
    f_.place = c_.token_start[c_.token[c_.begin[value]]];
    f_.result_cells = static_cast<u16>(type(c_.type[value]));
    slots(traps_slots(c_, value), c_.begin[value], c_.end[value],
          first_binding_from(c_, c_.begin[value]));
  }
  HD_COLD void ranges(Index item) {
    f_.kind = FunctionKind::Ranges;
    const u32 first = first_binding(c_, item), codes = at_.types;
    at_.types += 2;
    u32 b = first;
    for (; is_parameter_of(c_, item, b); ++b) {
      (void)type(kTypeUnit);
      if (range_of_parameter(c_, b) == kNone) continue;
      rows_.types[at_.types - 1] = kRangeCells;
      (void)type(c_.bind_type[b]);
      (void)type(c_.bind_type[b]);
      (void)type(type_of(Scalar::Bool));
      f_.result_cells = static_cast<u16>(f_.result_cells + kRangeCells);
    }
    rows_.types[codes] = kTupleCode;
    rows_.types[codes + 1] = static_cast<u8>(b - first);
  }
  HD void text(const u8* bytes, u32 length) {
    char* const to = rows_.names + at_.names;
    for (u32 k = 0; k < length; ++k) to[k] = static_cast<char>(bytes[k]);
    at_.names += length;
  }
  HD static FunctionKind kind_of(ItemKind kind) {
    return kind == ItemKind::Function  ? FunctionKind::Function
           : kind == ItemKind::Example ? FunctionKind::Example
           : kind == ItemKind::Prop    ? FunctionKind::Prop
                                       : FunctionKind::Test;
  }
  HD void name(Index item) {
    const Index node = c_.item_name[named_item(c_, item)];
    const bool quoted = is_quoted(c_, node);
    text(node_text(c_, node) + (quoted ? 1 : 0), name_bytes(c_, node, quoted));
    f_.name_end = at_.names;
    f_.place = c_.token_start[c_.token[c_.item_name[item]]];
  }
  // Writes a type; returns its number of cells.
  HD u32 type(TypeId id) {
    if (!is_scalar(id)) return spelled_type(settled(id));
    rows_.types[at_.types++] = static_cast<u8>(id);
    return 1;
  }
  HD_COLD u32 spelled_type(TypeId id) {
    (void)put_type_codes(c_, id, [&](u8 code) { rows_.types[at_.types++] = code; });
    return type_cells(c_, id);
  }
  HD void parameters(Index item) {
    const u32 codes = at_.types, first = first_parameter(c_, item);
    at_.types += 2;
    u32 b = first, cells = 0;
    for (; is_parameter_of(c_, item, b); ++b) {
      const Index node = c_.bind_node[b];
      cells += type(c_.bind_type[b]);
      const u32 begin = at_.names;
      text(node_text(c_, node), node_length(c_, node));
      rows_.parameter_names[at_.parameters++] = {begin, at_.names};
    }
    rows_.types[codes] = kTupleCode;
    rows_.types[codes + 1] = static_cast<u8>(b - first);
    f_.parameter_slots = static_cast<u16>(cells);
  }
  // Writes the types of the slots of nodes [begin, end), in the order of their bindings. b is the first binding
  // that has slots.
  HD void slots(u32 count, Index begin, Index end, u32 b) {
    f_.slots = static_cast<u16>(count);
    u8* const types = rows_.slot_types + at_.slots;
    for (u32 k = 0; k < f_.slots; ++k) types[k] = static_cast<u8>(Scalar::I64);
    at_.slots += f_.slots;
    if (keeps_values(c_)) kept_slots(types, begin, end);
    for (; b < c_.binds && c_.bind_node[b] < end; ++b) {
      const u32 slot = c_.bind_slot[b];
      const TypeId type = c_.bind_type[b];
      switch (c_.bind_kind[b]) {
        case BindKind::Function:
        case BindKind::Constant:
        case BindKind::Type:
        case BindKind::Constructor:
        case BindKind::Import:
        case BindKind::Module:
        case BindKind::Limit: break;  // an i64
        case BindKind::Match:
        case BindKind::Pattern: matched_slots(types + slot, b); break;
        case BindKind::For:
          if (counts(c_, b)) {
            for (u32 k = 0; k < 3; ++k) types[slot + k] = static_cast<u8>(type);
            break;
          }
          [[fallthrough]];
        case BindKind::Parameter:
        case BindKind::Lambda:
        case BindKind::Let:
        case BindKind::Var:
          if (is_scalar(type))
            types[slot] = static_cast<u8>(type);
          else
            spelled_slots(types + slot, type);
          break;
      }
    }
  }
  // Writes the types of slots that nodes keep.
  HD_COLD void kept_slots(u8* types, Index begin, Index end) {
    count_work(c_, end - begin);
    for (Index i = begin; i < end; ++i) {
      if (kept_cells(c_, i) == 0) continue;
      u8* to = types + kept_slot(c_, i);
      for_each_kept_block(c_, i, [&](Scalar scalar, u32 count) {
        for (u32 k = 0; k < count; ++k) *to++ = static_cast<u8>(scalar);
      });
    }
  }
  HD_COLD void matched_slots(u8* types, u32 b) {
    const Index node = c_.bind_node[b];
    if (c_.bind_kind[b] == BindKind::Pattern) {
      if (has_own_slots(c_, b)) spelled_slots(types, c_.bind_type[b]);
    } else if (matched_variable(c_, node) == kNone) {
      spelled_slots(types, c_.type[node]);
    }
  }
  HD_COLD void spelled_slots(u8* types, TypeId type) {
    for_each_cell(c_, type, [&](Scalar cell) { *types++ = static_cast<u8>(cell); });
  }

  const Columns& c_;
  const HeaderRows& rows_;
  HeaderSizes at_;
  Function f_;
};

// The header of a kept head, if there is no other one; null: there are others, or it is not kept.
HD const KeptHeader* only_kept_header([[maybe_unused]] const Columns& c) {
  if constexpr (kKeepsHeads)
    if (c.items == 1 && c.traps == 0 && c.open_functions == 0) return kept_head(c).header;
  return nullptr;
}

// Sums the sizes of all headers.
template <class G>
HD HeaderSizes count_headers(G& g, const Columns& c) {
  if (const KeptHeader* const kept = only_kept_header(c); kept != nullptr)
    return {1, kept->names, kept->parameters + 3, c.item_slots[0], kept->parameters};
  const auto nothing = [](u32, const HeaderSizes&, const HeaderSizes&) {};
  const HeaderSizes items = g.scan(
      c.items, HeaderSizes{}, [&](u32 item) { return item_header_sizes(c, item); }, nothing);
  const HeaderSizes entries = g.scan(
      c.traps, items, [&](u32 k) { return traps_header_sizes(c, k); }, nothing);
  return c.open_functions == 0
             ? entries
             : g.scan(
                   c.items, entries, [&](u32 item) { return open_header_sizes(c, item); }, nothing);
}

// Writes the rows of the entries of items.
struct MakeItemHeaders {
  const Columns& c;
  const HeaderRows& rows;

  HD HeaderSizes count(u32 item) const { return item_header_sizes(c, item); }
  HD HeaderSizes write(u32 item, const HeaderSizes& before) const {
    if (c.item_function[item] == kNone) return {};
    WriteHeader header(c, rows, before);
    header.item(item);
    return difference(header.behind(), before);
  }
};
// Writes the rows of the side entries. The code of functions ends at `functions_code`, that of side entries at
// `all_code`.
struct MakeTrapsHeaders {
  const Columns& c;
  const HeaderRows& rows;
  u32 functions_code, all_code;

  HD HeaderSizes count(u32 k) const { return traps_header_sizes(c, k); }
  HD HeaderSizes write(u32 k, const HeaderSizes& before) const {
    WriteHeader header(c, rows, before);
    const u32 end = k + 1 < c.traps ? functions_code + c.traps_code[k + 1] : all_code;
    header.side_entry(k, functions_code + c.traps_code[k], end);
    return difference(header.behind(), before);
  }
};

// Writes the rows of functions without a body, which stand behind all others.
struct MakeOpenHeaders {
  const Columns& c;
  const HeaderRows& rows;
  u32 all_code;

  HD HeaderSizes count(u32 item) const { return open_header_sizes(c, item); }
  HD HeaderSizes write(u32 item, const HeaderSizes& before) const {
    if (c.item_open[item] == kNone) return {};
    WriteHeader header(c, rows, before);
    header.open(item, all_code);
    return difference(header.behind(), before);
  }
};

template <class G>
HD void write_headers(G& g, const Columns& c, u32 functions_code, u32 all_code,
                      const HeaderRows& rows) {
  if (const KeptHeader* const kept = only_kept_header(c); kept != nullptr)
    return WriteHeader(c, rows, {}).kept(*kept);
  const HeaderSizes items = g.expand(c.items, HeaderSizes{}, MakeItemHeaders{c, rows});
  const HeaderSizes entries =
      g.expand(c.traps, items, MakeTrapsHeaders{c, rows, functions_code, all_code});
  if (c.open_functions != 0) (void)g.expand(c.items, entries, MakeOpenHeaders{c, rows, all_code});
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
