// SPDX-License-Identifier: Apache-2.0
// What the columns of a program have in common in every build of the passes: where its source is and how long its lists
// are; and the lengths of the arrays that take short programs.
#pragma once
#include <bit>

#include "frontend_gpu/text/byte_masks.h"

namespace komuz::frontend {

struct ColumnCounts {
  // Source, padded by kPadding blanks on either side; it and the classes of its bytes come from the host.
  static constexpr u32 kPadding = 128;
  const u8* source;
  ByteMasks* masks;
  u32 bytes, blocks;

  u32 tokens, nodes, brackets;
  u32 live_nodes;  // elements of live
  u32 binds, uses, head_mask;
  u32 items, traps;
  u32 functions, entries;  // `fn` items; `fn` and `test` items; all of them with bodies
  u32 open_functions;      // those without
  u32 modules, use_items;
  bool keeps_open;     // may functions of the program itself have no body?
  bool is_plain;       // code as the text has it, without optimise.h?
  bool infers_result;  // has the result of the first function the type of its body?
  u32 constant_items;
  u32 code_room;    // instructions of a region, and constants, that there is room for
  u32 traps_begin;  // where the region of the arguments of `traps` starts among the instructions
  u32 open;         // elements of listed
};

// Programs of at most so many bytes and tokens fit into arrays. The lengths of the lists are such that columns of four
// bytes an element start 1,088 bytes apart modulo a page: they do not compete for the same lines of the L1 cache.
inline constexpr u32 kCompactBytes = 8192, kCompactTokens = 1416;
namespace compact_room {
inline constexpr u32 blocks = kCompactBytes / 64 + 8, tokens = kCompactTokens + 80, flags = 16,
                     nodes = 4368, rare = nodes, brackets = kCompactTokens + 40, names = brackets,
                     heads = 2064, items = brackets, room = nodes + 1600, code = 2 * room;
static_assert(nodes >= 3 * (kCompactTokens + 8) + 64 && nodes * 4 % 4096 == 1088);
// As many heads as resolve_names takes for the most names.
static_assert(heads >= std::bit_ceil(kCompactTokens + 31));
// Two sentinels stand before the first token.
constexpr u32 before(u32 list) { return list == tokens ? 4 : 0; }
}  // namespace compact_room

}  // namespace komuz::frontend
