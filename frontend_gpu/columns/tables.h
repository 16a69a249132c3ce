// SPDX-License-Identifier: Apache-2.0
// The tables in which the passes look things up. They are made once from the tables of lang/, do not change, and
// are plain data, so a device can hold them.
#pragma once
#include <cstring>

#include "base/hash.h"
#include "frontend_gpu/columns/grammar.h"
#include "lang/builtins.h"
#include "lang/diagnostics.h"
#include "lang/tokens.h"

namespace komuz::frontend {

// What a token adds to the tree, given what stands on its left: up to three nodes, in source order. It is one word,
// which the pass reads at once:
//
//   byte  0, 1, 2   kinds of an inserted node, of the leaf LoopStart and of the token's own node; None: no such node
//         3         the number of these nodes, in two bits; above them the flags
//         4, 5, 6   keys of the nodes
//         7         DiagnosticCode of the token's own node
struct LayoutRule {
  u64 bits = 0;

  HD Node insert() const { return static_cast<Node>(bits & 0xFF); }  // None: nothing is inserted
  HD bool loop() const { return (bits >> 8 & 0xFF) != 0; }  // `while`: a leaf LoopStart before it
  HD Node node() const { return static_cast<Node>(bits >> 16 & 0xFF); }  // None: a closing bracket
  HD u32 nodes() const { return bits >> 24 & 3; }  // how many nodes that makes
  HD bool opens() const { return (bits >> 26 & 1) != 0; }
  HD bool closes() const { return (bits >> 27 & 1) != 0; }
  HD bool item() const { return (bits >> 28 & 1) != 0; }  // starts an item
  HD u32 insert_key() const { return bits >> 32 & 0xFF; }
  HD u32 loop_key() const { return bits >> 40 & 0xFF; }
  HD u32 node_key() const { return bits >> 48 & 0xFF; }
  HD u32 error() const { return static_cast<u32>(bits >> 56); }
  HD bool gap() const { return (bits >> 29 & 1) != 0; }  // a `,` without an operand on its left
  HD bool match() const { return (bits >> 30 & 1) != 0; }
  HD bool hole() const { return (bits >> 31 & 1) != 0; }
  // Nodes stand before its own.
  HD bool inserts() const { return (bits & 0xFFFF) != 0; }
  // It has an error, or raises a flag of the program.
  HD bool is_rare() const {
    return (bits & (u64{0xFF} << 56 | u64{kGap | kMatch | kHole} << 26)) != 0;
  }
  HD u32 flags() const { return bits >> 26 & 63; }  // kOpens, kCloses, kItem, kGap, kMatch, kHole
  HD static LayoutRule make(Node insert, bool loop, Node node, u32 error, u32 flags) {
    const Node kinds[3] = {insert, loop ? Node::LoopStart : Node::None, node};
    LayoutRule rule{static_cast<u64>(error) << 56 | static_cast<u64>(flags) << 26};
    for (u32 k = 0; k < 3; ++k) {
      rule.bits |= static_cast<u64>(kinds[k]) << 8 * k;
      rule.bits |= static_cast<u64>(komuz::node_key(kinds[k])) << (32 + 8 * k);
      rule.bits += static_cast<u64>(kinds[k] != Node::None) << 24;
    }
    return rule;
  }
  static constexpr u32 kOpens = 1, kCloses = 2, kItem = 4, kGap = 8, kMatch = 16, kHole = 32;
};
static_assert(static_cast<u8>(Node::None) == 0);
enum LeftNeighbour : u8 {
  kNoOperand,
  kOperand,
  kBlock,
  kPower,  // `**`
  kPub,    // a `pub` that starts an item
  kLeftNeighbours
};

struct BuiltinEntry {
  u64 text = 0;  // the first 8 bytes of the name
  u32 hash = 0;
  u16 id_plus_one = 0;  // 0: empty
};

struct Tables {
  static constexpr u32 kWordSlots = 512;
  static constexpr u32 kBuiltinSlots = 1024;
  static constexpr u32 kTokenRoom = kFirstOnLine;  // numbers of tokens lie below that bit

  u64 word_text[kWordSlots];  // keywords and operators by their bytes; no two share a slot
  u8 word_token[kWordSlots];
  u8 first_byte[256];                       // the Token of any other token, by its first byte
  LayoutRule layout[kLeftNeighbours][256];  // by the byte in the column token_kind
  u8 neighbourly[kTokenRoom];  // whether the token, or one behind it, needs more than this table
  u8 left_class[kTokenRoom];   // the LeftNeighbour that a token is to the next one
  GrammarRule grammar[kContextCount][kGrammarColumns];
  u8 children[kNodeCount];               // kMust… and kMay…
  BuiltinEntry builtins[kBuiltinSlots];  // open addressing by name_hash
};
[[nodiscard]] const Tables& tables();

// A perfect hash of the language's words, given mix_text of their bytes. Its factor was found by trying random
// ones.
inline constexpr u32 kWordSlotShift = 55;
HD u32 word_slot(u64 mixed) { return static_cast<u32>(mixed >> kWordSlotShift); }
static_assert(Tables::kWordSlots == 1u << (64 - kWordSlotShift));

}  // namespace komuz::frontend
