// SPDX-License-Identifier: Apache-2.0
// What the columns of a program have in common in every build of the passes: where the source is, how long the
// lists are, and the lengths of the arrays for short programs.
#pragma once
#include <bit>

#include "frontend_gpu/text/byte_masks.h"

namespace komuz::frontend {

struct ColumnCounts {
  // The source, padded by kPadding blanks on either side. The host provides it and the classes of its bytes.
  static constexpr u32 kPadding = 128;
  const u8* source;
  ByteMasks* masks;
  u32 bytes, blocks;

  u32 tokens, nodes, brackets;
  u32 live_nodes;  // elements of live
  u32 binds, uses, head_mask;
  u32 items, traps;
  u32 functions, entries;  // `fn` items; `fn` and `test` items; only those with bodies
  u32 open_functions;      // `fn` items without a body
  u32 modules, use_items;
  bool keeps_open;     // functions of the program itself may lack bodies
  bool is_plain;       // code as the text has it, without optimise.h
  bool infers_result;  // the result of the first function has the type of its body
  u32 constant_items;
  u32 code_room;    // room for instructions of a region, and for constants
  u32 traps_begin;  // the first instruction of the region of the arguments of `traps`
  u32 open;         // elements of listed
};

// Programs of at most so many bytes and tokens fit into arrays. The lengths of the lists are chosen so that columns
// of four-byte elements start 1,088 bytes apart, modulo a page. So they do not compete for the same lines of the L1
// cache.
inline constexpr u32 kCompactBytes = 8192, kCompactTokens = 1416;
namespace compact_room {
inline constexpr u32 blocks = kCompactBytes / 64 + 8, tokens = kCompactTokens + 80, flags = 16,
                     nodes = 4368, rare = nodes, brackets = kCompactTokens + 40, names = brackets,
                     heads = 2064, items = brackets, room = nodes + 1600, code = 2 * room;
static_assert(nodes >= 3 * (kCompactTokens + 8) + 64 && nodes * 4 % 4096 == 1088);
// The number of heads that resolve_names uses for the most names.
static_assert(heads >= std::bit_ceil(kCompactTokens + 31));
// Two sentinels stand before the first token.
constexpr u32 before(u32 list) { return list == tokens ? 4 : 0; }
}  // namespace compact_room

}  // namespace komuz::frontend
