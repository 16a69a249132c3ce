// SPDX-License-Identifier: Apache-2.0
// The memory of one program's columns on the host. Two stages: what the length of the source bounds, and what the
// number of tokens bounds. Nothing is allocated once it has seen its largest program.
#pragma once
#include <cstring>
#include <string_view>

#include "base/group/arena.h"
#include "frontend_gpu/columns.h"

namespace komuz::frontend {

class ColumnMemory {
 public:
  // Fills the columns with 0xCD first, so that a pass that reads what none has written is seen.
  bool poison = false;

  // Copies the source and makes room for blocks and tokens.
  void begin(Columns& c, std::string_view source) {
    c.bytes = static_cast<u32>(source.size());
    c.blocks = (c.bytes + 63) / 64;
    u8* text = nullptr;
    const auto place = [&](ColumnLayout& at) {
      const size_t blocks = c.blocks + 1, tokens = c.bytes + 16;
      at.take(text, Columns::kPadding * 2 + blocks * 64);
      at.take(c.masks, blocks);
      at.take(c.starts, blocks);
      at.take(c.extend, blocks + 1);
      at.take(c.floaty, blocks + 1);
      at.take(c.token_start, tokens);
      at.take(c.token_length, tokens);
      at.take(c.token_kind, tokens);
      at.take(c.flags, kFlags);
    };
    lay_out(text_memory_, place);
    std::memset(text, ' ', Columns::kPadding);
    text[Columns::kPadding - 1] = '\n';
    u8* const copy = text + Columns::kPadding;
    std::memcpy(copy, source.data(), source.size());
    std::memset(copy + source.size(), ' ', Columns::kPadding + (c.blocks + 1) * 64 - source.size());
    copy[source.size()] = '\n';
    c.source = copy;
    c.token_start += 2;  // for the sentinels
    c.token_length += 2;
    c.token_kind += 2;
    c.flags[kFailed] = c.flags[kNoted] = 0;
  }

  // Makes room for everything that the number of tokens bounds.
  void reserve_nodes(Columns& c) {
    const auto place = [&](ColumnLayout& at) {
      const size_t tokens = c.tokens + 8, nodes = 3 * tokens;
      at.take(c.kind, nodes);
      at.take(c.context, nodes);
      at.take(c.error, nodes);
      at.take(c.lazy_left, nodes);
      at.take(c.own_code, nodes);
      at.take(c.key, nodes);
      for (Index** column :
           {&c.token, &c.item, &c.left, &c.right, &c.begin, &c.end, &c.order, &c.rank, &c.owner,
            &c.type, &c.want, &c.ref, &c.offset, &c.constant_at, &c.error_a, &c.error_b})
        at.take(*column, nodes);
      at.take(c.cell, nodes);
      at.take(c.bracket_key, tokens);
      at.take(c.bracket_error, tokens);
      for (Index** column : {&c.bracket_token, &c.bracket_node, &c.bracket_mate})
        at.take(*column, tokens);
      for (Index** column : {&c.bind_node, &c.bind_from, &c.bind_until, &c.bind_next, &c.bind_hash,
                             &c.bind_type, &c.bind_slot, &c.use_node, &c.traps_node, &c.traps_code})
        at.take(*column, tokens);
      at.take(c.bind_kind, tokens);
      at.take(c.heads, 4 * tokens + 64);
      for (Index** column : {&c.item_node, &c.item_body, &c.item_name, &c.item_result,
                             &c.item_bound, &c.item_function, &c.item_ordinal, &c.item_slots,
                             &c.item_slot_base, &c.item_constant, &c.item_code})
        at.take(*column, tokens);
      at.take(c.item_kind, tokens);
      at.take(c.item_public, tokens);
      at.take(c.item_broken, tokens);
      at.take(c.item_known, tokens);
      at.take(c.item_rec, tokens);
      at.take(c.item_calls, tokens);
    };
    lay_out(node_memory_, place);
  }

 private:
  // Once to measure, once to place.
  template <class Place>
  void lay_out(Arena& arena, const Place& place) const {
    ColumnLayout measure(nullptr);
    place(measure);
    u8* const memory = arena.reserve(measure.used());
    if (poison) std::memset(memory, 0xCD, measure.used());
    ColumnLayout columns(memory);
    place(columns);
  }

  Arena text_memory_, node_memory_;
};

}  // namespace komuz::frontend
