// SPDX-License-Identifier: Apache-2.0
// The input and output of device threads that rank the variants of a sketch after they are made and scored
// (variant_sweep.h), and the steps on each element. A step handles all its elements before the next one begins.
// Within a step elements are handled in any order, and at once.
#pragma once
#include "engine/device/decision_rows.h"
#include "engine/device/known_programs.h"
#include "engine/device/score_task.h"
#include "engine/search/row_fitness.h"

namespace komuz::engine {

// One of the best programs.
struct RankedProgram {
  RankKey key;
  u32 row = 0;   // the first row with this program
  u32 slot = 0;  // in the table of known programs
  u64 copies = 0;
  u64 copies_before = 0;  // of programs with its key, in rows before its own
  u64 behaviour = 0;
  u64 is_other = 0;  // where behaviours are wanted: a better program behaves the same
};
static_assert(sizeof(RankedProgram) == 64);

struct SweepCounts {
  u64 by_status[kStatuses];  // variants
  u64 duplicates;
  u64 behaviours;  // distinct ones
  u64 contenders;  // programs of the stretch that may be among the best
  u64 others;      // entries of `ranked` with is_other
  u64 left;  // programs of the stretch that take more ticks than they were given (ScoreLimits::at_fuel)
};

struct SweepTask {
  ScoreKind kind;
  // Those of ScoreBasis (score.h).
  LineBasis line;
  f64 whole;
  KnownPrograms known;
  KnownHashes behaviours;
  // The stretch: rows from first_row on, each with the slot of its program; and its new programs.
  u32 first_row;
  const u32* slots;
  const u32* slot_of;
  const u32* bytes_of;
  const ProgramScore* scores;
  // The best so far, in order, and behind them the contenders of the stretch.
  RankedProgram* ranked;
  u32 best, contenders;
  u32 most;                 // programs wanted
  bool of_behaviours;       // only the best program of each behaviour
  RankedProgram* in_order;  // room for sorting
  // In a search, whose variants have no numbers: the decisions of the stretch, and those of the best.
  DecisionRows decisions, best_decisions, decisions_in_order;
  // In a search that learns: the results of each program. New programs begin at first_program. Null: nobody learns.
  FoundProgram* found;
  u32 first_program;
  KnownPrograms known_before;  // the old table while it grows
  KnownHashes behaviours_before;
  const FoundProgram* found_before;
  SweepCounts* counts;
};

enum class SweepStep : u8 {
  ClearKnown,  // each slot of the tables
  ClearBehaviours,
  MoveKnown,  // each slot of the tables before
  MoveBehaviours,
  MoveFound,     // each program before
  BeginStretch,  // once
  Rank,          // each new program
  FindOthers,    // each of `ranked`
  Sort,          // each of `ranked`
  BeginCopies,   // each of the best, sorted
  Count,         // each variant of the stretch
};

// True if `a` precedes `b` in the ranking.
[[nodiscard]] HD bool comes_before(const RankedProgram& a, const RankedProgram& b) {
  return a.key == b.key ? a.row < b.row : a.key < b.key;
}

template <class Machine>
class SweepElement {
 public:
  HD SweepElement(const SweepTask& task, u64 number, Machine machine)
      : task_(task), number_(number), machine_(machine) {}

  HD void run(SweepStep step) {
    switch (step) {
      case SweepStep::ClearKnown: task_.known.slots[number_] = {}; break;
      case SweepStep::ClearBehaviours: task_.behaviours.slots[number_] = 0; break;
      case SweepStep::MoveKnown: move_known(); break;
      case SweepStep::MoveBehaviours: move_behaviour(); break;
      case SweepStep::MoveFound: task_.found[number_] = task_.found_before[number_]; break;
      case SweepStep::BeginStretch:
        task_.counts->contenders = task_.counts->others = task_.counts->left = 0;
        break;
      case SweepStep::Rank: rank(); break;
      case SweepStep::FindOthers: find_other(); break;
      case SweepStep::Sort: sort(); break;
      case SweepStep::BeginCopies: begin_copies(); break;
      case SweepStep::Count: count(); break;
    }
  }

 private:
  HD void move_known() {
    const KnownProgram& from = task_.known_before.slots[number_];
    if (from.low == 0) return;
    const u32 at = claim(task_.known, from.low, from.high, from.row, machine_).slot;
    task_.known.slots[at].place = from.place;
    task_.known.slots[at].status = from.status;
    task_.known.slots[at].found = from.found;
    if (from.place != kNone) task_.ranked[from.place].slot = at;
  }
  HD void move_behaviour() {
    const u64 hash = task_.behaviours_before.slots[number_];
    if (hash != 0) add_hash(task_.behaviours, hash, machine_);
  }

  // A program cannot enter a full list if its key is worse than the last one's, or equal, since it comes later.
  HD void rank() {
    const ProgramScore& score = task_.scores[number_];
    if (score.is_left) machine_.fetch_add(task_.counts->left, 1);
    const u32 slot = task_.slot_of[number_];
    ResultRow row;
    row.code_bytes = task_.bytes_of[number_];
    write_row(tally_of(score, task_.kind, task_.line, task_.whole), task_.kind,
              score.shown != kNone, score.trap, row);
    task_.known.slots[slot].status = row.status;
    if (task_.found != nullptr) {
      const u32 found = task_.first_program + static_cast<u32>(number_);
      task_.found[found] = {fitness_of(task_.kind, row), row.behaviour};
      task_.known.slots[slot].found = found;
    }
    const u64 behaviour = row.behaviour + (row.behaviour == 0);
    if (add_hash(task_.behaviours, behaviour, machine_))
      machine_.fetch_add(task_.counts->behaviours, 1);
    const RankKey key = rank_key(task_.kind, row);
    const bool is_full = task_.best == task_.most;
    if (is_full && !(key < task_.ranked[task_.best - 1].key)) return;
    const u64 at = task_.best + machine_.fetch_add(task_.counts->contenders, 1);
    task_.ranked[at] = {key, task_.known.slots[slot].row, slot, 0, 0, row.behaviour};
  }

  // A program that is an other is dropped: no better program of its behaviour ever leaves.
  HD void find_other() {
    RankedProgram& own = task_.ranked[number_];
    for (u32 k = 0; k < task_.best + task_.contenders && own.is_other == 0; ++k) {
      const RankedProgram& one = task_.ranked[k];
      own.is_other = one.behaviour == own.behaviour && comes_before(one, own);
    }
    if (own.is_other != 0) machine_.fetch_add(task_.counts->others, 1);
  }

  // The place of a program is the count of programs before it. Soon after the start only few take part.
  HD void sort() {
    const RankedProgram own = task_.ranked[number_];
    u32 place = 0;
    for (u32 k = 0; k < task_.best + task_.contenders; ++k)
      place += task_.ranked[k].is_other == 0 && comes_before(task_.ranked[k], own);
    const bool stays = own.is_other == 0 && place < task_.most;
    task_.known.slots[own.slot].place = stays ? place : kNone;
    if (!stays) return;
    task_.in_order[place] = own;
    if (task_.decisions.words == nullptr) return;
    const bool is_new = number_ >= task_.best;
    task_.decisions_in_order.copy(
        place, is_new ? task_.decisions[own.row - task_.first_row] : task_.best_decisions[number_]);
  }

  // Counts the copies in earlier stretches of a program that is new in the list. Programs of this stretch have none
  // there.
  HD void begin_copies() {
    RankedProgram& own = task_.ranked[number_];
    if (own.row < task_.first_row) return;
    for (u64 k = number_; k > 0 && task_.ranked[k - 1].key == own.key; --k)
      own.copies_before += task_.ranked[k - 1].copies;
  }

  HD void count() {
    const u32 row = task_.first_row + static_cast<u32>(number_);
    const KnownProgram& program = task_.known.slots[task_.slots[number_]];
    machine_.fetch_add(task_.counts->by_status[static_cast<u32>(program.status)], 1);
    if (program.row == row) return;
    machine_.fetch_add(task_.counts->duplicates, 1);
    if (program.place == kNone) return;
    machine_.fetch_add(task_.ranked[program.place].copies, 1);
    // Programs with the same key are adjacent, in the order of their rows.
    const RankKey key = task_.ranked[program.place].key;
    for (u32 k = program.place + 1; k < task_.best && task_.ranked[k].key == key; ++k)
      if (task_.ranked[k].row > row) machine_.fetch_add(task_.ranked[k].copies_before, 1);
  }

  const SweepTask& task_;
  u64 number_;
  Machine machine_;
};

}  // namespace komuz::engine
