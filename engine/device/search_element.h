// SPDX-License-Identifier: Apache-2.0
// The action of a search step on one element. `machine` has atomic operations on words.
#pragma once
#include "engine/device/search_order.h"
#include "engine/device/search_pool.h"
#include "engine/device/search_proposals.h"
#include "engine/device/search_rows.h"
#include "engine/device/search_selection.h"

namespace komuz::engine {

template <class Machine>
class SearchElement {
 public:
  // `scratch`: the thread's own, for steps that need it.
  HD SearchElement(const SearchTask& task, u64 number, Machine machine, u8* scratch)
      : task_(task), number_(number), machine_(machine), scratch_(scratch) {}

  // clang-format off
  HD_CALL void run(SearchStep step) {
    switch (step) {
#define SEARCH_STEP(Name, action) \
  case SearchStep::Name: action; break;
#include "engine/device/search_steps.def"
    }
  }
  // clang-format on

 private:
  HD u32 number() const { return static_cast<u32>(number_); }
  HD ProposalSteps<Machine> proposal() const { return {task_, number(), machine_}; }
  HD RowSteps<Machine> row() const { return {task_, number_, machine_}; }
  HD OrderSteps order() const { return {task_, number()}; }
  HD IndividualSteps<Machine> individual() const { return {task_, number(), machine_}; }
  HD SelectionSteps<Machine> selection() const { return {task_, number_, machine_}; }

  const SearchTask& task_;
  u64 number_;
  Machine machine_;
  u8* scratch_;
};

}  // namespace komuz::engine
