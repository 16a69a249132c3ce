// SPDX-License-Identifier: Apache-2.0
// What the passes look up: made once from the tables of lang/, constant afterwards, plain data that a device can hold.
#pragma once
#include <cstring>

#include "base/hash.h"
#include "frontend_gpu/role.h"
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

// What check_shape asks of a node of a kind; the kinds without kUnusual are done without a branch.
inline constexpr u8 kNeedsLeft = 1, kNeedsRight = 2, kStartsSubtree = 4, kOwnsChildren = 8,
                    kUnusual = 16;
// … unless there are gaps (Flag).
inline constexpr u8 kMayGap = 32;

// What a node in a context makes of its children, or the diagnostic that it cannot stand there; and what it is there.
// One word, which check_shape reads at once.
struct alignas(8) GrammarRule {
  Context left = Context::Skipped, right = Context::Skipped;
  u8 error = 0;  // DiagnosticCode
  u8 feature =
      0;  // of NotSupported: a Feature; without an error: is it part of the item's head (note_item)?
  Role role = Role::Skipped;
  u8 type = 0;   // of its role
  u8 shape = 0;  // of its kind
};
static_assert(sizeof(GrammarRule) == 8);

// What a token adds to the tree, by what stands on its left. Packed into one word, so that the pass reads it at once:
// the accessors say where what lies. Bytes 0 to 2 are the kinds of the nodes that the token makes, in source order, None
// for none of them; bytes 4 to 6 are their keys.
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
  HD u32 error() const {
    return static_cast<u32>(bits >> 56);
  }                                                      // DiagnosticCode of the token's node
  HD bool gap() const { return (bits >> 29 & 1) != 0; }  // a `,` without an operand on its left
  HD u32 flags() const { return bits >> 26 & 15; }       // kOpens, kCloses, kItem, kGap
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
  static constexpr u32 kOpens = 1, kCloses = 2, kItem = 4, kGap = 8;
};
static_assert(static_cast<u8>(Node::None) == 0);
enum LeftNeighbour : u8 {
  kNoOperand,
  kOperand,
  kBlock,
  kPower,  // `**`
  kPub,    // `pub`, which has started the item
  kLeftNeighbours
};

struct BuiltinEntry {
  u64 text = 0;  // its first 8 bytes
  u32 hash = 0;
  u16 id_plus_one = 0;  // 0: empty
};

struct Tables {
  static constexpr u32 kWordSlots = 512;
  static constexpr u32 kBuiltinSlots = 1024;
  static constexpr u32 kTokenRoom = kFirstOnLine;  // all that is not that bit

  u64 word_text[kWordSlots];  // keywords and operators by their bytes; no two in one slot
  u8 word_token[kWordSlots];
  u8 first_byte[256];                       // Token of a token that is neither, by its first byte
  LayoutRule layout[kLeftNeighbours][256];  // by the byte in the column token_kind
  u8 neighbourly[kTokenRoom];  // does it, or what follows it, need more than this table?
  u8 left_class[kTokenRoom];   // LeftNeighbour that a token is to the one behind it
  GrammarRule grammar[kContextCount]
                     [128];  // by kind; a power of two, so that a row is found by a shift
  u8 key[kNodeCount];        // node_key
  u8 children[kNodeCount];
  BuiltinEntry builtins[kBuiltinSlots];  // open addressing by name_hash
};
[[nodiscard]] const Tables& tables();

// A perfect hash of the words, given mix_text of their bytes: its factor was found by trying random ones.
inline constexpr u32 kWordSlotShift = 55;
HD u32 word_slot(u64 mixed) { return static_cast<u32>(mixed >> kWordSlotShift); }
static_assert(Tables::kWordSlots == 1u << (64 - kWordSlotShift));

}  // namespace komuz::frontend
