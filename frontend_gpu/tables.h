// SPDX-License-Identifier: Apache-2.0
// What the passes look up: made once from the tables of lang/, constant afterwards, plain data that a device can hold.
#pragma once
#include <cstring>

#include "base/hash.h"
#include "lang/builtins.h"
#include "lang/diagnostics.h"
#include "lang/tokens.h"

namespace komuz::frontend {

enum class Context : u8 {
#define CONTEXT(Name) Name,
#include "frontend_gpu/grammar.def"
};
inline constexpr u32 kContextCount = 0
#define CONTEXT(Name) +1
#include "frontend_gpu/grammar.def"
    ;

enum Feature : u8 {
#define FEATURE(Name, text) kFeature##Name,
#include "lang/features.def"
};

// What a node in a context makes of its children, or the diagnostic that it cannot stand there.
struct GrammarRule {
  Context left = Context::Skipped, right = Context::Skipped;
  u8 error = 0;  // DiagnosticCode
  u8 feature =
      0;  // of NotSupported: a Feature; without an error: is it part of the item's head (note_item)?
};

// What check_shape asks of a node of a kind; the kinds without kUnusual are done without a branch.
inline constexpr u8 kNeedsLeft = 1, kNeedsRight = 2, kStartsSubtree = 4, kOwnsChildren = 8,
                    kUnusual = 16;

// What a token adds to the tree, by what stands on its left. Packed into one word, so that the pass reads it at once:
// the accessors say where what lies.
struct LayoutRule {
  u64 bits = 0;

  HD Node insert() const { return static_cast<Node>(bits & 0xFF); }     // None: nothing is inserted
  HD Node node() const { return static_cast<Node>(bits >> 8 & 0xFF); }  // None: a closing bracket
  HD u32 insert_key() const { return bits >> 16 & 0xFF; }
  HD u32 node_key() const { return bits >> 24 & 0xFF; }
  HD u32 error() const { return bits >> 32 & 0xFF; }  // DiagnosticCode of the token's node
  HD u32 nodes() const { return bits >> 40 & 0xF; }   // how many nodes that makes
  HD bool opens() const { return (bits >> 44 & 1) != 0; }
  HD bool closes() const { return (bits >> 45 & 1) != 0; }
  HD bool item() const { return (bits >> 46 & 1) != 0; }  // starts an item
  HD bool loop() const { return (bits >> 47 & 1) != 0; }  // `while`: a leaf LoopStart before it
  HD static LayoutRule make(Node insert, Node node, u32 error, u32 flags) {
    const u64 nodes = (insert != Node::None) + (node != Node::None) + (flags / kLoop);
    return {static_cast<u64>(insert) | static_cast<u64>(node) << 8 |
            static_cast<u64>(komuz::node_key(insert)) << 16 |
            static_cast<u64>(komuz::node_key(node)) << 24 | static_cast<u64>(error) << 32 |
            nodes << 40 | static_cast<u64>(flags) << 44};
  }
  static constexpr u32 kOpens = 1, kCloses = 2, kItem = 4, kLoop = 8;
};
enum LeftNeighbour : u8 { kNoOperand, kOperand, kBlock, kPower, kLeftNeighbours };  // kPower: `**`

struct BuiltinEntry {
  u64 text = 0;  // its first 8 bytes
  u32 hash = 0;
  u16 id_plus_one = 0;  // 0: empty
};

struct Tables {
  static constexpr u32 kWordSlots = 512;
  static constexpr u32 kBuiltinSlots = 1024;

  u64 word_text[kWordSlots];  // keywords and operators by their bytes; no two in one slot
  u8 word_token[kWordSlots];
  u8 first_byte[256];  // Token of a token that is neither, by its first byte
  LayoutRule layout[kLeftNeighbours][2][kTokenCount];  // [left][on a new line]
  u8 neighbourly[kTokenCount];  // does it, or what follows it, need more than this table?
  u8 left_class[kTokenCount];   // LeftNeighbour that a token is to the one behind it
  GrammarRule grammar[kContextCount][kNodeCount];
  u8 key[kNodeCount];  // node_key
  u8 children[kNodeCount];
  u8 shape[kNodeCount];
  BuiltinEntry builtins[kBuiltinSlots];  // open addressing by name_hash
};
[[nodiscard]] const Tables& tables();

// A perfect hash of the words, given mix_text of their bytes: its factor was found by trying random ones.
HD u32 word_slot(u64 mixed) { return static_cast<u32>(mixed >> 55); }
static_assert(Tables::kWordSlots == 1u << (64 - 55));

}  // namespace komuz::frontend
