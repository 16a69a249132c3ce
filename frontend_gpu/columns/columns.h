// SPDX-License-Identifier: Apache-2.0
// The columns that the passes fill, one after the other. An element of a column is named by its number in a list: a
// block of 64 source bytes, a token, a node (in source order), a bracket, a binding, a use, an item. kNone: no such
// element.
#pragma once
#include "frontend_gpu/columns/column.h"
#include "frontend_gpu/columns/column_counts.h"
#include "frontend_gpu/columns/kept_head.h"
#include "frontend_gpu/columns/tables.h"
#include "frontend_gpu/columns/type_id.h"
#include "frontend_gpu/columns/work_meter.h"
#include "frontend_gpu/text/byte_masks.h"
#include "frontend_gpu/text/lex_block.h"
#include "lang/code.h"

namespace komuz::frontend::inline KOMUZ_PASSES {

using Index = u32;
inline constexpr Index kNone = ~0u;

// A name refers to a binding, or, from this number on, to a built-in: a function, a constant, or a name of a later
// version.
inline constexpr Index kBuiltinRef = 0xFFFF'8000u;

enum class ItemKind : u8 { Other, Function, Test, Example, Prop, Constant, Type, Use, Module };
// True for items that run, called or by themselves.
HD bool is_entry(ItemKind kind) { return kind >= ItemKind::Function && kind <= ItemKind::Prop; }
enum class BindKind : u8 {
  Function,
  Constant,
  Type,
  Constructor,
  Import,  // a name that a `use` lists
  Module,  // the name that it gives a module
  Parameter,
  Let,
  Var,
  For,
  Pattern,  // of an arm of `match`
  Lambda,   // a parameter
  Limit,    // the counter of a loop
  Match,    // the value that a `match` looks at
};
// True for variables that the compiler adds. No name finds them.
HD bool is_hidden(BindKind kind) { return kind >= BindKind::Limit; }

// The types of columns.def, by their names there.
struct ColumnTypes {
  using u8 = komuz::u8;
  using u16 = komuz::u16;
  using u32 = komuz::u32;
  using u64 = komuz::u64;
  using Index = storage::Index;
  using TypeId = storage::TypeId;
  using Count = storage::Count;
  using BindKind = KOMUZ_PASSES::BindKind;
  using ItemKind = KOMUZ_PASSES::ItemKind;
  using Role = frontend::Role;
  using Instruction = komuz::Instruction;
};

struct Columns : ColumnCounts {
#ifdef KOMUZ_COMPACT_PASSES
#define COLUMN(list, Type, name) \
  Cells<ColumnTypes::Type, compact_room::list, compact_room::before(compact_room::list)> name;
#else
#define COLUMN(list, Type, name) Column<ColumnTypes::Type> name;
#endif
#include "frontend_gpu/columns/columns.def"
#ifdef KOMUZ_COMPACT_PASSES
  const KeptHead* head = &kNoHead;  // what the columns hold of the program already
#endif
#ifndef KOMUZ_NARROW_PASSES
  WorkMeter* meter = nullptr;  // of the serial group; null: work is not counted
#endif
};

// What the columns hold of the program already. Only the compact ones keep anything.
#ifdef KOMUZ_COMPACT_PASSES
inline constexpr bool kKeepsHeads = true;
inline const KeptHead& kept_head(const Columns& c) { return *c.head; }
inline void drop_head(Columns& c) { c.head = &kNoHead; }
#else
inline constexpr bool kKeepsHeads = false;
HD constexpr KeptHead kept_head(const Columns&) { return {}; }
HD void drop_head(Columns&) {}
#endif

// Counts work that primitives do not know of: steps of a loop inside of one. Only the serial group counts it.
HD void count_work([[maybe_unused]] const Columns& c, [[maybe_unused]] u32 steps) {
#if !defined(KOMUZ_NARROW_PASSES) && !defined(KOMUZ_CHECKED_PASSES)
  if (c.meter != nullptr) c.meter->count(steps);
#endif
}

// The most instructions that a node makes.
inline constexpr u32 kMaxOwnCode = 2624;
inline constexpr u32 kUnlimitedRoom = ~0u;

enum Flag : u8 {
  kFailed,     // there is an error
  kNoted,      // there is a warning or note
  kIrregular,  // a `,` has no operand on its left, a bracket no mate, or `pub` stands where it may not
  kTypes,      // there are `type` items
  kModules,     // there are `use` items
  kMatches,     // there are `match` expressions
  kHoles,       // there are holes or spaces
  kContainers,  // there are brackets or strings in types or values, lambdas, or ranges in parentheses
  kCrowded,     // there are so many bindings of one name that chains of them take too long to walk
  kAsserts,     // there are `assert` statements
  kFolded,      // an operation makes no code any more
  kShares,      // an operation has the value of one before it
  kUnused,      // a statement makes no code any more
  kKnownVariables,  // the value of a variable does not depend on the run
  kFlags
};

HD void clear_flags(Columns& c) {
  for (u32 flag = 0; flag < kFlags; ++flag) c.flags[flag] = 0;
}

// Marks a node with its first diagnostic. Later passes leave marked nodes alone.
template <class G>
HD_COLD void report(G& g, Columns& c, Index node, DiagnosticCode code, u32 a = 0, u32 b = 0) {
  if (c.error[node] == 0) {
    c.error[node] = static_cast<u8>(code);
    c.error_a[node] = a;
    c.error_b[node] = b;
  }
  g.raise(c.flags[kFailed]);
}
// Marks a node with a warning or note.
template <class G>
HD_COLD void report_note(G& g, Columns& c, Index node, DiagnosticCode code, u32 a = 0, u32 b = 0) {
  if (c.error[node] != 0) return;
  c.error[node] = static_cast<u8>(code);
  c.error_a[node] = a;
  c.error_b[node] = b;
  g.raise(c.flags[kNoted]);
}
static_assert(kPassDiagnosticCount <= 256);

HD Node node_kind(const Columns& c, Index i) { return static_cast<Node>(c.kind[i]); }
HD Context node_context(const Columns& c, Index i) { return static_cast<Context>(c.context[i]); }
HD Token token_at(const Columns& c, i64 t) {  // -2 … tokens + 1
  return static_cast<Token>(c.token_kind[t] & ~kFirstOnLine);
}
HD const u8* token_text(const Columns& c, Index t) { return c.source + c.token_start[t]; }
HD const u8* node_text(const Columns& c, Index i) { return token_text(c, c.token[i]); }
HD u32 node_length(const Columns& c, Index i) { return c.token_length[c.token[i]]; }

}  // namespace komuz::frontend::inline KOMUZ_PASSES
