// SPDX-License-Identifier: Apache-2.0
// What a step of a search on a device does to one of its elements. `machine` has operations on a word that are atomic.
#pragma once
#include "engine/cuda/search_order.h"
#include "engine/cuda/search_people.h"
#include "engine/cuda/search_proposals.h"
#include "engine/cuda/search_rows.h"
#include "engine/cuda/search_selection.h"

namespace komuz::engine {

template <class Machine>
class SearchElement {
 public:
  // `scratch`: of the thread, for steps that take some.
  HD SearchElement(const SearchTask& task, u64 number, Machine machine, u8* scratch)
      : task_(task), number_(number), machine_(machine), scratch_(scratch) {}

  HD_CALL void run(SearchStep step) {
    switch (step) {
      case SearchStep::ClearFirst: task_.first.slots[number_] = {0, ~u64{0}}; break;
      case SearchStep::MoveFirst: proposal().move_first(); break;
      case SearchStep::ClearAll: task_.all.slots[number_] = 0; break;
      case SearchStep::ClearClimbers: task_.climbers[number_] = {}; break;
      case SearchStep::ClearStaleness: *task_.staleness = {}; break;
      case SearchStep::Begin: proposal().begin(); break;
      case SearchStep::BeginTurn: task_.counts->left = 0; break;
      case SearchStep::Make: proposal().make(scratch_); break;
      case SearchStep::Claim: proposal().claim(); break;
      case SearchStep::Settle: proposal().settle(); break;
      case SearchStep::Look: row().look(); break;
      case SearchStep::LookAtCases: row().look_at_cases(); break;
      case SearchStep::Climb: row().climb(); break;
      case SearchStep::BeginLayers: person().begin_layers(); break;
      case SearchStep::SortBlocks: order().sort_block(); break;
      case SearchStep::MergeRuns: order().merge(); break;
      case SearchStep::Gather: row().gather(); break;
      case SearchStep::GatherCases: row().gather_cases(); break;
      case SearchStep::Enter: person().enter(); break;
      case SearchStep::Place: person().place(); break;
      case SearchStep::FindFirst: person().find_first(); break;
      case SearchStep::FindDifferent: person().find_different(); break;
      case SearchStep::RankInSize: person().rank_in_size(); break;
      case SearchStep::Stay: person().stay(); break;
      case SearchStep::Keep: person().keep(); break;
      case SearchStep::EnterCases: selection().enter(); break;
      case SearchStep::FindUnlike: selection().find_unlike(); break;
      case SearchStep::BeginOwners: selection().begin_owner(); break;
      case SearchStep::TakePool: selection().take_pool(); break;
      case SearchStep::Gauge: selection().gauge(); break;
      case SearchStep::Rank: selection().rank(scratch_); break;
      case SearchStep::Ask: selection().ask(); break;
      case SearchStep::FindOwned: selection().find_owned(); break;
      case SearchStep::GrowStale: selection().grow_stale(); break;
      case SearchStep::TakePeople: selection().take_people(); break;
    }
  }

 private:
  HD u32 number() const { return static_cast<u32>(number_); }
  HD ProposalSteps<Machine> proposal() const { return {task_, number(), machine_}; }
  HD RowSteps<Machine> row() const { return {task_, number_, machine_}; }
  HD OrderSteps order() const { return {task_, number()}; }
  HD PeopleSteps<Machine> person() const { return {task_, number(), machine_}; }
  HD SelectionSteps<Machine> selection() const { return {task_, number_, machine_}; }

  const SearchTask& task_;
  u64 number_;
  Machine machine_;
  u8* scratch_;
};

}  // namespace komuz::engine
