// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/assemble.h"

#include <algorithm>
#include <span>

#include "frontend_gpu/emit_node.h"

namespace komuz::frontend {

namespace {

class Assembler {
 public:
  Assembler(const Columns& c, Code& code) : c_(c), code_(code) {}

  void function(Index item, u32 begin, u32 end) {
    Function f;
    f.kind = c_.item_kind[item] == ItemKind::Test ? FunctionKind::Test : FunctionKind::Function;
    f.is_public = c_.item_public[item] != 0;
    f.rec = c_.item_rec[item];
    f.code_begin = begin;
    f.code_end = end;
    name(f, c_.item_name[item], f.kind == FunctionKind::Test);
    f.types_begin = static_cast<u32>(code_.types.size());
    f.parameters_begin = static_cast<u32>(code_.parameter_names.size());
    f.slots_begin = static_cast<u32>(code_.slot_types.size());
    if (f.kind == FunctionKind::Function) {
      parameters(f, parameters_of(c_, item));
      f.result_cells = static_cast<u16>(type(result_type(c_, item)));
    } else {
      type(kTypeUnit);
      type(kTypeUnit);
    }
    f.slots = static_cast<u16>(c_.item_slots[item]);
    slot_types(f, item);
    code_.functions.push_back(f);
  }

  void traps_entry(u32 number, u32 begin, u32 end) {
    const Index call = c_.traps_node[number], comma = c_.right[c_.right[call]];
    Function f;
    f.kind = FunctionKind::Traps;
    f.owner = static_cast<u16>(c_.item_function[c_.item[call]]);
    const Index trap = c_.right[comma];
    f.expected_trap =
        trap_from_name({reinterpret_cast<const char*>(node_text(c_, trap)), node_length(c_, trap)});
    f.code_begin = begin;
    f.code_end = end;
    name(f, c_.item_name[c_.item[call]], true);
    f.place = c_.token_start[c_.token[c_.begin[c_.left[comma]]]];
    f.types_begin = static_cast<u32>(code_.types.size());
    f.parameters_begin = static_cast<u32>(code_.parameter_names.size());
    f.slots_begin = static_cast<u32>(code_.slot_types.size());
    type(kTypeUnit);
    f.result_cells = static_cast<u16>(type(c_.type[c_.left[comma]]));
    f.slots = static_cast<u16>(c_.item_slots[c_.item[call]]);
    slot_types(f, c_.item[call]);
    code_.functions.push_back(f);
  }

 private:
  void name(Function& f, Index node, bool quoted) {
    const u32 skip = quoted ? 1 : 0, length = node_length(c_, node);
    f.name_begin = static_cast<u32>(code_.names.size());
    if (length > 2 * skip)
      code_.names.append(reinterpret_cast<const char*>(node_text(c_, node)) + skip,
                         length - 2 * skip);
    f.name_end = static_cast<u32>(code_.names.size());
    f.place = c_.token_start[c_.token[node]];
  }
  // Adds the type's codes; returns its cells.
  u32 type(TypeId id) {
    const Spelling s = spell(c_, settled(id));
    code_.types.insert(code_.types.end(), s.codes, s.codes + s.length);
    return type_cells(c_, settled(id));
  }
  void parameters(Function& f, Index paren) {
    const u32 count = count_elements(c_, paren);
    code_.types.push_back(kTupleCode);
    code_.types.push_back(static_cast<u8>(count));
    u32 cells = 0;
    Index colons[kMaxParameters];
    ElementsBackwards elements(c_, paren);
    for (u32 k = count; k-- > 0;) colons[k] = elements.next();
    for (const Index colon : std::span(colons, count)) {
      const Index node = c_.left[colon];
      cells += type(parameter_type(c_, colon));
      const u32 begin = static_cast<u32>(code_.names.size());
      code_.names.append(reinterpret_cast<const char*>(node_text(c_, node)), node_length(c_, node));
      code_.parameter_names.push_back({begin, static_cast<u32>(code_.names.size())});
    }
    f.parameter_slots = static_cast<u16>(cells);
  }
  // Slots in the order of the bindings of the item.
  void slot_types(const Function& f, Index item) {
    code_.slot_types.resize(f.slots_begin + f.slots, static_cast<u8>(Scalar::I64));
    u8* const slots = code_.slot_types.data() + f.slots_begin;
    const Index* const first = c_.bind_node;
    const Index* const end = first + c_.binds;
    const Index* at = std::lower_bound(first, end, c_.item_node[item]);
    for (; at != end && c_.item[*at] == item; ++at) {
      const u32 b = static_cast<u32>(at - first);
      u32 slot = c_.bind_slot[b];
      switch (c_.bind_kind[b]) {
        case BindKind::Function:
        case BindKind::Constant:
        case BindKind::Limit:  // an i64
          break;
        case BindKind::For: std::fill_n(slots + slot, 3, static_cast<u8>(c_.bind_type[b])); break;
        case BindKind::Parameter:
        case BindKind::Let:
        case BindKind::Var: {
          const Spelling s = spell(c_, c_.bind_type[b]);
          for (u32 k = 0; k < s.length; ++k) {
            if (s.codes[k] == kTupleCode)
              ++k;
            else
              slots[slot++] = s.codes[k];
          }
          break;
        }
      }
    }
  }

  const Columns& c_;
  Code& code_;
};

}  // namespace

void assemble_functions(const Columns& c, u32 functions_code, u32 all_code, Code& code) {
  Assembler assembler(c, code);
  for (Index item = 0; item < c.items; ++item) {
    if (c.item_function[item] == kNone) continue;
    assembler.function(item, c.item_code[item], code_end(c, c.item_body[item]));
  }
  for (u32 k = 0; k < c.traps; ++k) {
    const u32 end = k + 1 < c.traps ? functions_code + c.traps_code[k + 1] : all_code;
    assembler.traps_entry(k, functions_code + c.traps_code[k], end);
  }
}

}  // namespace komuz::frontend
