// SPDX-License-Identifier: Apache-2.0
// The rows that stand beside the instructions, as passes: sizes by a scan, then every entry writes its own. What a device
// does; the host appends them one after the other (assemble.cpp), and a test compares the two.
#pragma once
#include "frontend_gpu/emit.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

// Rows and bytes of each kind, of one entry or of those before it.
struct HeaderSizes {
  u32 functions = 0, names = 0, types = 0, slots = 0, parameters = 0;
};
HD HeaderSizes combine(const HeaderSizes& a, const HeaderSizes& b) {
  return {a.functions + b.functions, a.names + b.names, a.types + b.types, a.slots + b.slots,
          a.parameters + b.parameters};
}

// Where the rows go.
struct HeaderRows {
  Function* functions;
  char* names;
  u8* types;
  u8* slot_types;
  NameRange* parameter_names;
};

HD u32 name_bytes(const Columns& c, Index name, bool quoted) {
  const u32 length = node_length(c, name), quotes = quoted ? 2 : 0;
  return length > quotes ? length - quotes : 0;
}
HD u32 code_bytes_of_type(const Columns& c, TypeId type) { return spell(c, settled(type)).length; }

HD HeaderSizes item_header_sizes(const Columns& c, Index item) {
  if (c.item_function[item] == kNone) return {};
  const bool is_function = c.item_kind[item] == ItemKind::Function;
  HeaderSizes sizes{1, name_bytes(c, c.item_name[item], !is_function), 4, c.item_slots[item], 0};
  if (!is_function) return sizes;
  sizes.types = 2 + code_bytes_of_type(c, result_type(c, item));
  ElementsBackwards elements(c, parameters_of(c, item));
  for (Index colon = elements.next(); colon != kNone; colon = elements.next()) {
    sizes.types += code_bytes_of_type(c, parameter_type(c, colon));
    sizes.names += node_length(c, c.left[colon]);
    ++sizes.parameters;
  }
  return sizes;
}

// The comma between the arguments of a `traps` call.
HD Index traps_comma(const Columns& c, u32 number) {
  return c.right[c.right[c.traps_node[number]]];
}

HD HeaderSizes traps_header_sizes(const Columns& c, u32 number) {
  const Index item = c.item[c.traps_node[number]];
  return {1, name_bytes(c, c.item_name[item], true),
          2 + code_bytes_of_type(c, c.type[c.left[traps_comma(c, number)]]), c.item_slots[item], 0};
}

// Writes the rows of one entry, behind those of the entries before it.
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
    const bool is_function = c_.item_kind[item] == ItemKind::Function;
    f_.kind = is_function ? FunctionKind::Function : FunctionKind::Test;
    f_.is_public = c_.item_public[item] != 0;
    f_.rec = c_.item_rec[item];
    f_.code_begin = c_.item_code[item];
    f_.code_end = code_end(c_, c_.item_body[item]);
    name(c_.item_name[item], !is_function);
    if (is_function) {
      parameters(parameters_of(c_, item));
      f_.result_cells = static_cast<u16>(type(result_type(c_, item)));
    } else {
      (void)type(kTypeUnit);
      (void)type(kTypeUnit);
    }
    slots(item);
    rows_.functions[at_.functions] = f_;
  }

  // `begin` and `end`: its code.
  HD void traps_entry(u32 number, u32 begin, u32 end) {
    const Index comma = traps_comma(c_, number), item = c_.item[c_.traps_node[number]];
    const Index trap = c_.right[comma], value = c_.left[comma];
    f_.kind = FunctionKind::Traps;
    f_.owner = static_cast<u16>(c_.item_function[item]);
    f_.expected_trap = trap_from_word(node_text(c_, trap), node_length(c_, trap));
    f_.code_begin = begin;
    f_.code_end = end;
    name(c_.item_name[item], true);
    f_.place = c_.token_start[c_.token[c_.begin[value]]];
    (void)type(kTypeUnit);
    f_.result_cells = static_cast<u16>(type(c_.type[value]));
    slots(item);
    rows_.functions[at_.functions] = f_;
  }

 private:
  HD void text(const u8* bytes, u32 length) {
    for (u32 k = 0; k < length; ++k) rows_.names[at_.names++] = static_cast<char>(bytes[k]);
  }
  HD void name(Index node, bool quoted) {
    text(node_text(c_, node) + (quoted ? 1 : 0), name_bytes(c_, node, quoted));
    f_.name_end = at_.names;
    f_.place = c_.token_start[c_.token[node]];
  }
  // Its cells.
  HD u32 type(TypeId id) {
    const Spelling s = spell(c_, settled(id));
    for (u32 k = 0; k < s.length; ++k) rows_.types[at_.types++] = s.codes[k];
    return type_cells(c_, settled(id));
  }
  HD void parameters(Index paren) {
    const u32 count = count_elements(c_, paren);
    rows_.types[at_.types++] = kTupleCode;
    rows_.types[at_.types++] = static_cast<u8>(count);
    u32 cells = 0;
    for (u32 k = 0; k < count; ++k) {
      const Index colon = element_at(c_, paren, k), node = c_.left[colon];
      cells += type(parameter_type(c_, colon));
      const u32 begin = at_.names;
      text(node_text(c_, node), node_length(c_, node));
      rows_.parameter_names[at_.parameters++] = {begin, at_.names};
    }
    f_.parameter_slots = static_cast<u16>(cells);
  }
  // Slots in the order of the bindings of the item.
  HD void slots(Index item) {
    f_.slots = static_cast<u16>(c_.item_slots[item]);
    u8* const types = rows_.slot_types + at_.slots;
    for (u32 k = 0; k < f_.slots; ++k) types[k] = static_cast<u8>(Scalar::I64);
    for (u32 b = first_binding(item); b < c_.binds && c_.item[c_.bind_node[b]] == item; ++b) {
      u32 slot = c_.bind_slot[b];
      switch (c_.bind_kind[b]) {
        case BindKind::Function:
        case BindKind::Constant:
        case BindKind::Limit: break;  // an i64
        case BindKind::For:
          for (u32 k = 0; k < 3; ++k) types[slot + k] = static_cast<u8>(u32{c_.bind_type[b]});
          break;
        case BindKind::Parameter:
        case BindKind::Let:
        case BindKind::Var: {
          const Spelling s = spell(c_, c_.bind_type[b]);
          for (u32 k = 0; k < s.length; ++k) {
            if (s.codes[k] == kTupleCode)
              ++k;
            else
              types[slot++] = s.codes[k];
          }
          break;
        }
      }
    }
  }
  // Bindings are in source order.
  [[nodiscard]] HD u32 first_binding(Index item) const {
    u32 low = 0, high = c_.binds;
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (c_.item[c_.bind_node[middle]] < item)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  const Columns& c_;
  const HeaderRows& rows_;
  HeaderSizes at_;
  Function f_;
};

// The sizes of all headers.
template <class G>
HD HeaderSizes count_headers(G& g, const Columns& c) {
  const HeaderSizes items = g.scan(
      c.items, HeaderSizes{}, [&](u32 item) { return item_header_sizes(c, item); },
      [](u32, const HeaderSizes&, const HeaderSizes&) {});
  return g.scan(
      c.traps, items, [&](u32 k) { return traps_header_sizes(c, k); },
      [](u32, const HeaderSizes&, const HeaderSizes&) {});
}

// Writes them. The code of functions ends at `functions_code`, that of the entries of `traps` behind it at `all_code`.
template <class G>
HD void write_headers(G& g, const Columns& c, u32 functions_code, u32 all_code,
                      const HeaderRows& rows) {
  const HeaderSizes items = g.scan(
      c.items, HeaderSizes{}, [&](u32 item) { return item_header_sizes(c, item); },
      [&](u32 item, const HeaderSizes& before, const HeaderSizes& own) {
        if (own.functions != 0) WriteHeader(c, rows, before).item(item);
      });
  (void)g.scan(
      c.traps, items, [&](u32 k) { return traps_header_sizes(c, k); },
      [&](u32 k, const HeaderSizes& before, const HeaderSizes&) {
        const u32 end = k + 1 < c.traps ? functions_code + c.traps_code[k + 1] : all_code;
        WriteHeader(c, rows, before).traps_entry(k, functions_code + c.traps_code[k], end);
      });
}

}  // namespace komuz::frontend::inline KOMUZ_PASSES
