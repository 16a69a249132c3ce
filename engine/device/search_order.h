// SPDX-License-Identifier: Apache-2.0
// Steps of a search on a device that sort individuals or rows. First each block is sorted by counting: the place of a
// number is the count of numbers in the block that come before it. Then sorted runs are merged in pairs: the place of
// a number is the count of numbers before it in its own run, which is its index there, plus the count in the other
// run, found by binary search. So n numbers take log n steps, and a step looks at log n numbers for each. No two
// numbers compare equal, since the smaller number comes first.
#pragma once
#include "engine/device/search_task.h"

namespace komuz::engine {

// Survival by layers of age sorts individuals several times. After each sort, each individual looks at its neighbours.
struct OrderedStep {
  SearchOrder order;
  SearchStep then;
};
inline constexpr OrderedStep kLayerSteps[] = {
    {SearchOrder::Fitness, SearchStep::Place},      {SearchOrder::Behaviour, SearchStep::FindFirst},
    {SearchOrder::Cost, SearchStep::FindDifferent}, {SearchOrder::Size, SearchStep::RankInSize},
    {SearchOrder::Turn, SearchStep::Stay},          {SearchOrder::Stay, SearchStep::Keep}};

class OrderSteps {
 public:
  static constexpr u32 kBlock = 32;

  HD OrderSteps(const SearchTask& task, u32 number) : task_(task), number_(number) {}

  HD void sort_block() {
    const u32 begin = number_ / kBlock * kBlock;
    const u32 end = begin + kBlock < task_.sorting ? begin + kBlock : task_.sorting;
    u32 before = 0;
    for (u32 other = begin; other < end; ++other)
      before += other != number_ && comes_before(other, number_);
    task_.next_sorted[begin + before] = number_;
  }
  HD void merge() {
    const u32 own = task_.sorted[number_], run = task_.run;
    const u32 begin = number_ / run * run, is_right = number_ / run % 2;
    const u32 others = is_right != 0 ? begin - run : begin + run;
    const u32 end = others + run < task_.sorting ? others + run : task_.sorting;
    u32 low = others, high = others < end ? end : others;
    while (low < high) {
      const u32 middle = low + (high - low) / 2;
      if (comes_before(task_.sorted[middle], own))
        low = middle + 1;
      else
        high = middle;
    }
    const u32 both = is_right != 0 ? others : begin;
    task_.next_sorted[both + (number_ - begin) + (low - others)] = own;
  }

 private:
  HD static i32 compared(const Fitness& a, const Fitness& b) { return (b < a) - (a < b); }
  template <class T>
  HD static i32 compared(T a, T b) {
    return (b < a) - (a < b);
  }
  HD bool comes_before(u32 a, u32 b) const {
    const i32 order =
        task_.order == SearchOrder::Rows
            ? compared(task_.found[task_.trials + a].fitness, task_.found[task_.trials + b].fitness)
            : compared_individuals(task_.pool[a], task_.pool[b]);
    return order == 0 ? a < b : order < 0;
  }
  // The rest comes behind all others.
  HD i32 compared_individuals(const IndividualRow& a, const IndividualRow& b) const {
    i32 order = 0;
    switch (task_.order) {
      case SearchOrder::Rows: return 0;
      case SearchOrder::Fitness:
        order = compared(a.layer, b.layer);
        if (order == 0) order = compared(a.fitness, b.fitness);
        return order == 0 ? compared(a.moved, b.moved) : order;
      case SearchOrder::Behaviour:
        order = compared(a.layer, b.layer);
        if (order == 0) order = compared(a.behaviour, b.behaviour);
        break;
      case SearchOrder::Cost:
        order = compared(b.is_first, a.is_first);
        if (order == 0) order = compared(a.layer, b.layer);
        if (order == 0) order = compared(a.cost, b.cost);
        break;
      case SearchOrder::Size:
        order = compared(b.differs, a.differs);
        if (order == 0) order = compared(a.layer, b.layer);
        if (order == 0) order = compared(a.size, b.size);
        break;
      case SearchOrder::Turn:
        order = compared(b.differs, a.differs);
        if (order == 0) order = compared(a.layer, b.layer);
        if (order == 0) order = compared(a.rank_in_size, b.rank_in_size);
        break;
      case SearchOrder::Stay: order = compared(b.stays, a.stays); break;
    }
    return order == 0 ? compared(a.place, b.place) : order;
  }

  const SearchTask& task_;
  u32 number_;
};

}  // namespace komuz::engine
