// SPDX-License-Identifier: Apache-2.0
// Steps of a search on a device that make the proposals of a generation and find the new ones. The proposals are
// those of the host's methods (engine/search/proposals.h).
#pragma once
#include "engine/device/search_task.h"

namespace komuz::engine {

// Lists of a thread that makes proposals or ranks individuals by cases.
struct SearchScratch {
  VariationOf<Bounded>::Memory variation;
  LexicaseScratch lexicase;

  HD static SearchScratch take(const SearchTask& task, u8* memory) {
    RowsMemory rows(memory);
    const u32 room = task.proposals.room, nesting = task.variants.nesting;
    SearchScratch out;
    out.variation.frames = rows.take<StepFrame>(nesting);
    out.variation.number_frames = rows.take<NumberFrame>(nesting);
    out.variation.own = rows.take<DecisionStretch>(room);
    out.variation.others = rows.take<DecisionStretch>(room);
    out.variation.fitting = rows.take<DecisionStretch>(room);
    out.variation.part = rows.take<u32>(room);
    out.variation.whole = rows.take<u32>(room);
    out.lexicase = {rows.take<u32>(task.selected.cases).data(),
                    rows.take<u32>(task.selected.individuals).data()};
    return out;
  }
  // `cases` and `individuals`: most of each that take part in selection.
  [[nodiscard]] static size_t bytes(const VariantTables& variants, u32 room, u32 cases,
                                    u32 individuals) {
    return RowsMemory::bytes<StepFrame>(variants.nesting) +
           RowsMemory::bytes<NumberFrame>(variants.nesting) +
           3 * RowsMemory::bytes<DecisionStretch>(room) + 2 * RowsMemory::bytes<u32>(room) +
           RowsMemory::bytes<u32>(cases) + RowsMemory::bytes<u32>(individuals);
  }
};

// A proposal's turn, in the form that the methods take.
struct DeviceTurn {
  VariationOf<Bounded>& variation;
  u32 number;
  u32 attempt;
};

// The layers, in the form that a proposal looks at.
struct DeviceParents {
  const SearchTask& task;

  [[nodiscard]] HD u32 size(u32 layer) const {
    return task.layer_begin[layer + 1] - task.layer_begin[layer];
  }
  [[nodiscard]] HD std::span<const u32> decisions(u32 layer, u32 rank) const {
    return task.individual_decisions[task.layer_begin[layer] + rank];
  }
  [[nodiscard]] HD u64 born(u32 layer, u32 rank) const {
    return task.individuals[task.layer_begin[layer] + rank].born;
  }
};

template <class Machine>
class ProposalSteps {
 public:
  HD ProposalSteps(const SearchTask& task, u32 number, Machine machine)
      : task_(task), number_(number), machine_(machine) {}

  HD void begin() {
    ProposalState& own = state();
    own = {};
    own.random = chance_of(task_.seed, task_.generation, number_);
    task_.proposals.sizes[row()] = 0;
  }
  HD_CALL void make(u8* memory) {
    ProposalState& own = state();
    if (own.is_made) return;
    const SearchScratch scratch = SearchScratch::take(task_, memory);
    VariationOf<Bounded> variation(task_.variants, scratch.variation);
    variation.random = own.random;
    Rows<u32> decisions = task_.proposals.list(row());
    const bool goes_on =
        propose({variation, number_, own.attempt++}, own, scratch.lexicase, decisions);
    own.random = variation.random;
    task_.proposals.keep(row(), decisions);
    own.is_made = !goes_on || variation.ran_out() || decisions.empty();
    if (variation.ran_out())
      machine_.fetch_add(task_.counts->no_room, 1);
    else if (decisions.empty())
      machine_.fetch_add(task_.counts->refused, 1);
    else
      own.hash = hash_of_decisions(task_.proposals[row()]);
  }
  HD void clear_first() { task_.first.slots[number_] = {0, ~u64{0}}; }
  HD void move_first() {
    const FirstProposals::Slot& from = task_.first_before.slots[number_];
    if (from.hash != 0) slot_of(from.hash).first = from.first;
  }
  HD void claim() {
    if (!state().is_made) machine_.min_into(slot_of(state().hash).first, turn_of_own());
  }
  HD void settle() {
    ProposalState& own = state();
    if (own.is_made) return;
    own.is_made = slot_of(own.hash).first == turn_of_own();
    machine_.fetch_add(own.is_made ? task_.counts->distinct : task_.counts->left, 1);
  }

 private:
  HD ProposalState& state() const { return task_.states[number_]; }
  HD u32 row() const { return task_.trials + number_; }

  HD_CALL bool propose(const DeviceTurn& turn, ProposalState& own, const LexicaseScratch& scratch,
                       Rows<u32>& decisions) {
    switch (task_.method) {
      case DeviceMethod::Evolve:
        return evolve_proposal(turn, DeviceParents{task_}, task_.generation, own.origin, decisions);
      case DeviceMethod::Local:
        return task_.climbers[number_].climber.propose(turn, task_.climber_decisions[number_],
                                                       decisions);
      case DeviceMethod::Lexicase:
        return select_proposal(
            turn, task_.individual_count() != 0, own.origin.retries, decisions, [&] {
              static_cast<void>(
                  rank_by_cases(task_.selected, task_.gauges, 1, turn.variation.random, scratch));
              return task_.individual_decisions[scratch.pool[0]];
            });
      case DeviceMethod::Random: break;
    }
    return draw_proposal(turn, decisions);
  }

  HD FirstProposals::Slot& slot_of(u64 hash) const {
    hash += hash == 0;
    for (u64 at = hash & task_.first.mask;; at = (at + 1) & task_.first.mask) {
      const u64 before = machine_.compare_exchange(task_.first.slots[at].hash, 0, hash);
      if (before == 0 || before == hash) return task_.first.slots[at];
    }
  }
  // The first of equal proposals stays.
  HD u64 turn_of_own() const { return task_.turn << 32 | number_; }

  const SearchTask& task_;
  u32 number_;
  Machine machine_;
};

}  // namespace komuz::engine
