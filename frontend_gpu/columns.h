// SPDX-License-Identifier: Apache-2.0
// The columns that the passes fill, one after the other. A column's element is named by a number of its list: a block
// of 64 source bytes, a token, a node (in source order), a bracket, a binding, a use, an item. kNone: no such element.
#pragma once
#include "frontend_gpu/byte_masks.h"
#include "frontend_gpu/lex_block.h"
#include "frontend_gpu/tables.h"
#include "frontend_gpu/type_id.h"

namespace komuz::frontend {

using Index = u32;
inline constexpr Index kNone = ~0u;

// What a name refers to: a binding, or one of the built-ins (functions, constants, then names of later versions).
inline constexpr Index kBuiltinRef = 0xFFFF'0000u;

enum class ItemKind : u8 { Other, Function, Test, Constant };
enum class BindKind : u8 { Function, Constant, Parameter, Let, Var, For, Limit };

struct Columns {
  // Source, padded by kPadding blanks on either side.
  static constexpr u32 kPadding = 128;
  const u8* source;
  u32 bytes, blocks;

  // Blocks
  ByteMasks* masks;
  u64 *starts, *extend, *floaty;  // blocks + 1

  // Tokens; two sentinels stand before the first and behind the last
  u32 tokens;
  u32* token_start;
  u16* token_length;
  u8* token_kind;  // Token, and kFirstOnLine

  // Nodes
  u32 nodes;
  u8* kind;     // Node
  u8* context;  // Context
  u16* key;     // depth · 64 + node_key
  Index* token;
  Index* item;
  Index *left, *right;  // children
  Index *begin, *end;   // the subtree is nodes [begin, end)
  Index* order;         // by rank in post-order, the node
  Index* rank;
  u8* lazy_left;     // is it what `&&` or `||` looks at first?
  Index* owner;      // the nearest Body, Block, Let, Var, Const or `traps` call around it
  TypeId* type;      // what it gives; final after check_types
  TypeId* want;      // what its surroundings expect; kTypePending: nothing
  Index* ref;        // Name: binding or built-in; Int, Float, Char: nothing
  u64* cell;         // of a literal: its value
  u32* offset;       // where its own instructions start in its region
  u32* constant_at;  // where its own constants start
  u8* own_code;      // how many instructions it makes itself
  u8* error;         // DiagnosticCode
  u32 *error_a, *error_b;

  // Brackets
  u32 brackets;
  u16* bracket_key;  // 2 · depth outside it, + 1 for a closing one
  Index* bracket_token;
  Index* bracket_node;  // the opener's node, or the node before a closer
  Index* bracket_mate;
  u8* bracket_error;
  Index* bracket_other;  // of a mismatched closer: its opener

  // Bindings and uses, in source order
  u32 binds, uses;
  Index* bind_node;
  Index *bind_from, *bind_until;  // nodes that see it
  Index* bind_next;               // next in its hash chain
  u32* bind_hash;
  BindKind* bind_kind;
  TypeId* bind_type;
  u32* bind_slot;
  Index* use_node;
  Index* heads;  // hash table of chains
  u32 head_mask;

  // Items
  u32 items;
  Index* item_node;    // its ItemEnd node
  Index* item_body;    // its Body node, or the Const node
  Index* item_name;    // the node of its name
  Index* item_result;  // the node of its result type
  Index* item_bound;   // the node behind `rec`
  ItemKind* item_kind;
  u8* item_public;
  u8* item_broken;       // a bracket of it does not match: nothing else is checked
  Index* item_function;  // its number among functions and tests
  Index* item_ordinal;   // its number among functions
  u32* item_code;        // where its code starts
  u8* item_known;        // of a constant: is its value in the pool?
  u32* item_slots;
  u32* item_slot_base;  // sum of the slots of all items before it
  u16* item_rec;
  u32* item_constant;  // of a constant: index of its first cell in the constants
  u64* item_calls;     // bit f: calls function f

  u32 traps;  // `traps` calls
  Index* traps_node;
  u32* traps_code;  // where the code of the argument starts in its region

  u32 functions, entries;  // `fn` items; `fn` and `test` items
  u32* flags;              // kFlags words that any element may raise
};

enum Flag : u8 {
  kFailed,  // there is an error
  kNoted,   // there is a warning or note
  kFlags
};

// Marks a node with its first diagnostic; later passes leave marked nodes alone.
template <class G>
HD void report(G& g, Columns& c, Index node, DiagnosticCode code, u32 a = 0, u32 b = 0) {
  if (c.error[node] == 0) {
    c.error[node] = static_cast<u8>(code);
    c.error_a[node] = a;
    c.error_b[node] = b;
  }
  g.raise(c.flags[kFailed]);
}
// The same for what is no error.
HD void report_note(Columns& c, Index node, DiagnosticCode code, u32 a = 0, u32 b = 0) {
  if (c.error[node] != 0) return;
  c.error[node] = static_cast<u8>(code);
  c.error_a[node] = a;
  c.error_b[node] = b;
  c.flags[kNoted] = 1;
}
static_assert(kDiagnosticCount <= 256);

HD Node node_kind(const Columns& c, Index i) { return static_cast<Node>(c.kind[i]); }
HD Context node_context(const Columns& c, Index i) { return static_cast<Context>(c.context[i]); }
HD Token token_at(const Columns& c, i64 t) {  // -2 … tokens + 1
  return static_cast<Token>(c.token_kind[t] & ~kFirstOnLine);
}
HD const u8* token_text(const Columns& c, Index t) { return c.source + c.token_start[t]; }
HD const u8* node_text(const Columns& c, Index i) { return token_text(c, c.token[i]); }
HD u32 node_length(const Columns& c, Index i) { return c.token_length[c.token[i]]; }

// A bump allocator for columns.
class ColumnLayout {
 public:
  explicit ColumnLayout(u8* memory) : memory_(memory) {}
  template <class T>
  void take(T*& column, size_t n) {
    column = reinterpret_cast<T*>(memory_ + used_);
    used_ += (n * sizeof(T) + 63) & ~size_t{63};
  }
  [[nodiscard]] size_t used() const { return used_; }

 private:
  u8* memory_;
  size_t used_ = 0;
};

}  // namespace komuz::frontend
