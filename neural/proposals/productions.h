// SPDX-License-Identifier: Apache-2.0
// What the alternatives of a sketch are made of, as far as a proposal network knows operations. It is read off the
// tokens: what stands in nested holes belongs to these.
#pragma once
#include <vector>

#include "engine/sketch/sketch_program.h"
#include "neural/proposals/network.h"

namespace komuz::neural {

struct Production {
  // The operations of its own; none: it is a variable, a constant, or only holes.
  std::vector<ProposedOperation> operations;
  std::vector<u32> places_of_operations;  // bytes of the text, where each is
  u32 parameter = ~0u;                    // of the space: it is that alone
  bool is_constant = false;               // it is literals or constants alone
  bool is_unknown = false;                // it has operations that no network knows
  std::vector<u32> holes;                 // that stand in it, and not in one of these

  static constexpr u32 kNone = ~0u;
};

// Of the alternatives of a choice, or of a space.
struct ProductionList {
  std::vector<Production> of;
};
struct Productions {
  std::vector<ProductionList> of_holes;   // by hole: for choices
  std::vector<ProductionList> of_spaces;  // by space
  // By hole, where it stands: the places for a network. Several: the operations around it are several. None: unknown.
  std::vector<std::vector<ProposalPlace>> places;
};

[[nodiscard]] Productions list_productions(const engine::SketchProgram& sketch);

}  // namespace komuz::neural
