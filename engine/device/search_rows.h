// SPDX-License-Identifier: Apache-2.0
// Steps of a search on a device that look at the results of a generation's rows, and gather the results that the
// tuner of constants gets.
#pragma once
#include "engine/device/search_task.h"

namespace komuz::engine {

template <class Machine>
class RowSteps {
 public:
  HD RowSteps(const SearchTask& task, u64 number, Machine machine)
      : task_(task), number_(number), machine_(machine) {}

  HD void look() {
    const KnownProgram& program = task_.known.slots[task_.slots[number_]];
    const u64 row = task_.stretch_begin + number_;
    task_.found[row] = task_.programs[program.found];
    if (task_.all.slots == nullptr) return;
    const u64 hash = hash_of_decisions(task_.proposals[row]);
    if (add_hash(task_.all, hash + (hash == 0), machine_)) machine_.fetch_add(task_.counts->all, 1);
  }
  // A row whose program was looked at before has no results of its own.
  HD void look_at_cases() {
    const u64 own = number_ / task_.cases, c = number_ % task_.cases;
    const KnownProgram& program = task_.known.slots[task_.slots[own]];
    const u64 row = task_.stretch_begin + own;
    const bool is_new = program.row == task_.first_row + own;
    if (c == 0) task_.has_losses[row] = is_new;
    if (!is_new) return;
    const u64 of_stretch = program.found - task_.first_program;
    task_.losses[row * task_.cases + c] =
        case_loss(task_.score, task_.case_scores[of_stretch * task_.cases + c]);
  }

  HD void climb() {
    ClimberPlace& own = task_.climbers[number_];
    const u64 row = task_.trials + number_;
    const Fitness& fitness = task_.found[row].fitness;
    if (!own.climber.learn(fitness < own.fitness)) return;
    own.fitness = fitness;
    task_.climber_decisions.copy(number_, task_.proposals[row]);
  }

  HD void gather() {
    const u64 row = gathered_row(number_);
    task_.gathered.copy(number_, task_.proposals[row]);
    task_.gathered_found[number_] = task_.found[row];
    if (task_.cases != 0) task_.gathered_has_losses[number_] = task_.has_losses[row];
  }
  HD void gather_cases() {
    const u64 row = gathered_row(number_ / task_.cases), c = number_ % task_.cases;
    task_.gathered_losses[number_] = task_.losses[row * task_.cases + c];
  }

 private:
  HD u64 gathered_row(u64 gathered) const {
    return task_.trials + task_.sorted[task_.gathered_begin + gathered];
  }

  const SearchTask& task_;
  u64 number_;
  Machine machine_;
};

}  // namespace komuz::engine
