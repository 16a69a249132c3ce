// SPDX-License-Identifier: Apache-2.0
// What the threads of a device are given to search for variants of a sketch there (variant_search.h), and what they do: the
// proposals of a generation, which of them are new, and who is bred from next. What is proposed and learnt is what the methods on
// the host propose and learn (engine/search/proposals.h). Every step is done for all its elements before the next one begins;
// within a step they come in any order, and at once.
#pragma once
#include "engine/cuda/decision_rows.h"
#include "engine/cuda/known_programs.h"
#include "engine/search/proposals.h"
#include "engine/search/row_fitness.h"

namespace komuz::engine {

// Of the methods, those that a device has.
enum class DeviceMethod : u8 { Evolve, Local, Random };

// What has been proposed, by hashes, and who came with it first: turns are numbered through all generations.
struct FirstProposals {
  struct Slot {
    u64 hash;   // 0: none yet
    u64 first;  // turn · 2^32 + number of the proposal
  };
  Slot* slots;
  u64 mask;
};

// A proposal that is being made.
struct ProposalState {
  Random random{0};
  u64 hash = 0;
  u32 attempt = 0;
  bool is_made = false;
  EvolvedOrigin origin;
};

// One that is bred from, or may be.
struct Person {
  Fitness fitness;
  u64 behaviour, born, cost;
  u32 size;   // of its decisions
  u32 layer;  // in which it is now
  u32 moved;  // layers that it has moved up to it: of equals those that were there come first
  u32 place;  // among those of its layer
  u32 at;     // … of those that differ
  u32 rank_in_size;
  bool is_first;  // of its behaviour
  bool differs;   // … and of its cost
  bool stays;
};

// Where a climber is.
struct ClimberPlace {
  Climber climber;
  Fitness fitness;
};

struct SearchCounts {
  u64 left;                        // proposals that are not made yet
  u64 distinct;                    // proposals that were new
  u64 no_room;                     // … that had no room in a thread's lists
  u64 refused;                     // … that the host has to say something of
  u64 all;                         // different lists among all rows, where that is asked for
  u64 layers[AgeLayers::kLayers];  // persons that stay
};

struct SearchTask {
  VariantTables variants;
  DeviceMethod method;
  u64 seed, generation, turn;
  // Rows of the generation: `trials` that somebody else has proposed, and `count` proposals.
  u32 trials, count;
  DecisionRows proposals;
  FoundProgram* found;  // what came of each
  ProposalState* states;
  FirstProposals first, first_before;  // the latter while the table grows
  KnownHashes all;                     // slots null: nobody asks

  // Of the programs that the rows of a stretch have.
  u32 stretch_begin;
  KnownPrograms known;
  const u32* slots;
  const FoundProgram* programs;

  // Evolution: persons, by layers, the best first; behind them, in `pool`, what is learnt. `extra` are rows that count as
  // the oldest.
  Person *people, *next_people, *pool;
  DecisionRows people_decisions, next_decisions;
  u32 layer_begin[AgeLayers::kLayers + 1];  // of persons
  const u32* extra;
  u32 extras;
  u32 places;  // of a layer

  // Climbers: one for each proposal.
  ClimberPlace* climbers;
  DecisionRows climber_decisions;

  // Rows behind the trials from the best on, and some of them, one behind the other.
  u32* order;
  u32 order_begin;
  DecisionRows gathered;
  FoundProgram* gathered_found;

  SearchCounts* counts;
  u8* scratch;  // of each thread so many bytes
  size_t scratch_bytes;
  u32 threads;  // that have some

  [[nodiscard]] HD u32 persons() const { return layer_begin[AgeLayers::kLayers]; }
  [[nodiscard]] HD u32 pooled() const { return persons() + count + extras; }
};

enum class SearchStep : u8 {
  ClearFirst,     // each slot of the table
  MoveFirst,      // each slot of the table before
  ClearAll,       // each slot of the table
  ClearClimbers,  // each proposal
  Begin,          // each proposal
  BeginTurn,      // once
  Make,           // each proposal: with scratch
  Claim,          // each proposal
  Settle,         // each proposal
  Look,           // each row of a stretch
  Climb,          // each proposal
  BeginLayers,    // once
  Enter,          // each of `pool`, and so on to Keep
  Sort,
  FindFirst,
  FindDifferent,
  RankInSize,
  Stay,
  Keep,
  Order,   // each proposal
  Gather,  // some of the order
};

// Lists of a thread that makes proposals.
class SearchScratch {
 public:
  HD static VariationOf<Bounded>::Memory take(const SearchTask& task, u8* memory) {
    RowsMemory rows(memory);
    const u32 room = task.proposals.room, nesting = task.variants.nesting;
    VariationOf<Bounded>::Memory out;
    out.frames = rows.take<StepFrame>(nesting);
    out.number_frames = rows.take<NumberFrame>(nesting);
    out.own = rows.take<DecisionStretch>(room);
    out.others = rows.take<DecisionStretch>(room);
    out.fitting = rows.take<DecisionStretch>(room);
    out.part = rows.take<u32>(room);
    out.whole = rows.take<u32>(room);
    return out;
  }
  [[nodiscard]] static size_t bytes(const VariantTables& variants, u32 room) {
    return RowsMemory::bytes<StepFrame>(variants.nesting) +
           RowsMemory::bytes<NumberFrame>(variants.nesting) +
           3 * RowsMemory::bytes<DecisionStretch>(room) + 2 * RowsMemory::bytes<u32>(room);
  }
};

// A proposal's turn, as the methods see it.
struct DeviceTurn {
  VariationOf<Bounded>& variation;
  u32 number;
  u32 attempt;
};

// The layers, as a proposal looks at them.
struct DeviceParents {
  const SearchTask& task;

  [[nodiscard]] HD u32 size(u32 layer) const {
    return task.layer_begin[layer + 1] - task.layer_begin[layer];
  }
  [[nodiscard]] HD std::span<const u32> decisions(u32 layer, u32 rank) const {
    return task.people_decisions[task.layer_begin[layer] + rank];
  }
  [[nodiscard]] HD u64 born(u32 layer, u32 rank) const {
    return task.people[task.layer_begin[layer] + rank].born;
  }
};

template <class Machine>
class SearchElement {
 public:
  HD SearchElement(const SearchTask& task, u64 number, Machine machine, u8* scratch)
      : task_(task), number_(static_cast<u32>(number)), machine_(machine), scratch_(scratch) {}

  HD_CALL void run(SearchStep step) {
    switch (step) {
      case SearchStep::ClearFirst: task_.first.slots[number_] = {0, ~u64{0}}; break;
      case SearchStep::MoveFirst: move_first(); break;
      case SearchStep::ClearAll: task_.all.slots[number_] = 0; break;
      case SearchStep::ClearClimbers: task_.climbers[number_] = {}; break;
      case SearchStep::Begin: begin(); break;
      case SearchStep::BeginTurn: task_.counts->left = 0; break;
      case SearchStep::Make: make(); break;
      case SearchStep::Claim: claim(); break;
      case SearchStep::Settle: settle(); break;
      case SearchStep::Look: look(); break;
      case SearchStep::Climb: climb(); break;
      case SearchStep::BeginLayers: begin_layers(); break;
      case SearchStep::Enter: enter(); break;
      case SearchStep::Sort: sort(); break;
      case SearchStep::FindFirst: find_first(); break;
      case SearchStep::FindDifferent: find_different(); break;
      case SearchStep::RankInSize: rank_in_size(); break;
      case SearchStep::Stay: stay(); break;
      case SearchStep::Keep: keep(); break;
      case SearchStep::Order: order(); break;
      case SearchStep::Gather: gather(); break;
    }
  }

 private:
  HD ProposalState& state() const { return task_.states[number_]; }
  HD u32 row() const { return task_.trials + number_; }

  HD void begin() {
    ProposalState& own = state();
    own = {};
    own.random = chance_of(task_.seed, task_.generation, number_);
    task_.proposals.sizes[row()] = 0;
  }
  HD_CALL void make() {
    ProposalState& own = state();
    if (own.is_made) return;
    VariationOf<Bounded> variation(task_.variants, SearchScratch::take(task_, scratch_));
    variation.random = own.random;
    Rows<u32> decisions = task_.proposals.list(row());
    const bool goes_on = propose({variation, number_, own.attempt++}, own, decisions);
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
  HD_CALL bool propose(const DeviceTurn& turn, ProposalState& own, Rows<u32>& decisions) {
    switch (task_.method) {
      case DeviceMethod::Evolve:
        return evolve_proposal(turn, DeviceParents{task_}, task_.generation, own.origin, decisions);
      case DeviceMethod::Local:
        return task_.climbers[number_].climber.propose(turn, task_.climber_decisions[number_],
                                                       decisions);
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
  HD void move_first() {
    const FirstProposals::Slot& from = task_.first_before.slots[number_];
    if (from.hash != 0) slot_of(from.hash).first = from.first;
  }
  // Of two proposals that are the same the one that comes first stays.
  HD u64 turn_of_own() const { return task_.turn << 32 | number_; }
  HD void claim() {
    if (!state().is_made) machine_.min_into(slot_of(state().hash).first, turn_of_own());
  }
  HD void settle() {
    ProposalState& own = state();
    if (own.is_made) return;
    own.is_made = slot_of(own.hash).first == turn_of_own();
    machine_.fetch_add(own.is_made ? task_.counts->distinct : task_.counts->left, 1);
  }

  HD void look() {
    const KnownProgram& program = task_.known.slots[task_.slots[number_]];
    const u32 row = task_.stretch_begin + number_;
    task_.found[row] = task_.programs[program.found];
    if (task_.all.slots == nullptr) return;
    const u64 hash = hash_of_decisions(task_.proposals[row]);
    if (add_hash(task_.all, hash + (hash == 0), machine_)) machine_.fetch_add(task_.counts->all, 1);
  }

  HD void climb() {
    ClimberPlace& own = task_.climbers[number_];
    const Fitness& fitness = task_.found[row()].fitness;
    if (!own.climber.learn(fitness < own.fitness)) return;
    own.fitness = fitness;
    task_.climber_decisions.copy(number_, task_.proposals[row()]);
  }

  // From here on the generation is the next one.
  HD void begin_layers() {
    for (u32 layer = 0; layer < AgeLayers::kLayers; ++layer) task_.counts->layers[layer] = 0;
  }
  // The row that a person of the pool is new from.
  HD u32 row_of(u32 person) const {
    const u32 learnt = person - task_.persons();
    return learnt < task_.count ? task_.trials + learnt : task_.extra[learnt - task_.count];
  }
  HD std::span<const u32> decisions_of(u32 person) const {
    return person < task_.persons() ? task_.people_decisions[person]
                                    : task_.proposals[row_of(person)];
  }
  HD void enter() {
    Person own{};
    if (number_ < task_.persons()) {
      own = task_.people[number_];
    } else {
      const u32 learnt = number_ - task_.persons();
      const FoundProgram& found = task_.found[row_of(number_)];
      own.fitness = found.fitness;
      own.behaviour = found.behaviour;
      own.cost = cost_hash(found.fitness);
      own.size = static_cast<u32>(decisions_of(number_).size());
      if (learnt < task_.count) {
        own.layer = task_.states[learnt].origin.layer;
        own.born = task_.states[learnt].origin.born;
      } else {
        own.layer = AgeLayers::in_use(task_.generation - 1) - 1;
        own.born = 0;
      }
    }
    const u32 before = own.layer;
    while (is_too_old(own)) ++own.layer;
    own.moved = own.layer - before;
    task_.pool[number_] = own;
  }
  HD bool is_too_old(const Person& person) const {
    const u64 greatest = AgeLayers::greatest_age(person.layer);
    return task_.generation > greatest && person.born < task_.generation - greatest;
  }
  // What comes before what, as in a list of the layer that is sorted and keeps the order of equals.
  HD static bool comes_before(const Person& a, u32 a_number, const Person& b, u32 b_number) {
    if (a.fitness < b.fitness) return true;
    if (b.fitness < a.fitness) return false;
    return a.moved == b.moved ? a_number < b_number : a.moved < b.moved;
  }
  // How many of its layer there are of which this holds.
  template <class Holds>
  HD u32 count_others(const Holds& holds) const {
    const u32 layer = task_.pool[number_].layer;
    u32 count = 0;
    for (u32 k = 0; k < task_.pooled(); ++k) {
      const Person& other = task_.pool[k];
      count += other.layer == layer && holds(other, k);
    }
    return count;
  }
  HD void sort() {
    Person& own = task_.pool[number_];
    own.place = count_others(
        [&](const Person& other, u32 k) { return comes_before(other, k, own, number_); });
  }
  HD void find_first() {
    Person& own = task_.pool[number_];
    own.is_first = count_others([&](const Person& other, u32) {
                     return other.behaviour == own.behaviour && other.place < own.place;
                   }) == 0;
  }
  HD void find_different() {
    Person& own = task_.pool[number_];
    own.differs = own.is_first && count_others([&](const Person& other, u32) {
                                    return other.is_first && other.cost == own.cost &&
                                           other.place < own.place;
                                  }) == 0;
  }
  HD void rank_in_size() {
    Person& own = task_.pool[number_];
    own.at = count_others(
        [&](const Person& other, u32) { return other.differs && other.place < own.place; });
    own.rank_in_size = count_others([&](const Person& other, u32) {
      return other.differs && other.size == own.size && other.place < own.place;
    });
  }
  HD static bool is_chosen_before(const Person& a, const Person& b) {
    return a.rank_in_size == b.rank_in_size ? a.at < b.at : a.rank_in_size < b.rank_in_size;
  }
  // Those that come before it, in the order in which sizes take turns, have to leave it a place.
  HD void stay() {
    Person& own = task_.pool[number_];
    own.stays = own.differs && count_others([&](const Person& other, u32) {
                                 return other.differs && is_chosen_before(other, own);
                               }) < task_.places;
    if (own.stays) machine_.fetch_add(task_.counts->layers[own.layer], 1);
  }
  HD void keep() {
    const Person& own = task_.pool[number_];
    if (!own.stays) return;
    u64 to =
        count_others([&](const Person& other, u32) { return other.stays && other.at < own.at; });
    for (u32 layer = 0; layer < own.layer; ++layer) to += task_.counts->layers[layer];
    task_.next_people[to] = own;
    task_.next_decisions.copy(to, decisions_of(number_));
  }

  HD void order() {
    const Fitness& own = task_.found[row()].fitness;
    u32 place = 0;
    for (u32 k = 0; k < task_.count; ++k) {
      const Fitness& other = task_.found[task_.trials + k].fitness;
      place += other < own || (k < number_ && !(own < other));
    }
    task_.order[place] = row();
  }
  HD void gather() {
    const u32 row = task_.order[task_.order_begin + number_];
    task_.gathered.copy(number_, task_.proposals[row]);
    task_.gathered_found[number_] = task_.found[row];
  }

  const SearchTask& task_;
  u32 number_;
  Machine machine_;
  u8* scratch_;
};

}  // namespace komuz::engine
