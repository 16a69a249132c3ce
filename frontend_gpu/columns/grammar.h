// SPDX-License-Identifier: Apache-2.0
// The grammar: what may stand where, as a table by context and kind of node. check_shape looks things up in it.
#pragma once
#include "frontend_gpu/columns/role.h"

namespace komuz::frontend {

enum class Context : u8 {
#define CONTEXT(Name, name) Name,
#include "frontend_gpu/columns/grammar.def"
};
inline constexpr u32 kContextCount = 0
#define CONTEXT(Name, name) +1
#include "frontend_gpu/columns/grammar.def"
    ;

enum Feature : u8 {
#define FEATURE(Name, text) kFeature##Name,
#include "lang/features.def"
};

// What check_shape asks of a node of a kind. Kinds without kUnusual are done without a branch.
inline constexpr u8 kNeedsLeft = 1, kNeedsRight = 2, kStartsSubtree = 4, kOwnsChildren = 8,
                    kUnusual = 16;
// These kinds are also done without a branch unless the program is irregular (Flag). Whatever `stands` checks of
// these kinds, it checks in irregular programs alone. A new check there must raise that flag, too.
inline constexpr u8 kMayBeIrregular = 32;
// These kinds are done without a branch unless there are matches or holes.
inline constexpr u8 kMayMatch = 64;
// These kinds are done without a branch unless a child has the same precedence.
inline constexpr u8 kIsLone = 128;

// What else check_shape does if there is no error.
enum class CloserLook : u8 {
  No,
  Notes,    // note_item
  Traps,    // looks closer at what may call `traps`
  InTraps,  // looks closer inside the arguments of `traps`
  Yes,      // always looks closer
};

// What a node in a context makes of its children, or the diagnostic that it cannot stand there; and its role. It is
// one word, which check_shape reads at once.
struct alignas(8) GrammarRule {
  Context left = Context::Skipped, right = Context::Skipped;
  u8 error = 0;   // DiagnosticCode
  u8 detail = 0;  // with an error, a Feature; without one, a CloserLook
  Role role = Role::Skipped;
  u8 type = 0;   // of the role
  u8 shape = 0;  // of the kind
  i8 owns = 0;   // all bits if the shape has kOwnsChildren

  [[nodiscard]] HD CloserLook closer_look() const { return static_cast<CloserLook>(detail); }
};
static_assert(sizeof(GrammarRule) == 8);

// A power of two, so that a row is found by a shift.
inline constexpr u32 kGrammarColumns = 128;
static_assert(kNodeCount <= kGrammarColumns);
using GrammarRow = GrammarRule[kGrammarColumns];  // by kind of node

// Fills the kContextCount rows.
void fill_grammar(GrammarRow* rows);

}  // namespace komuz::frontend
