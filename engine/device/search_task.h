// SPDX-License-Identifier: Apache-2.0
// The input and output of device threads that search for variants of a sketch (variant_search.h), and the steps that
// they take. search_element.h has each step's action on an element. A step handles all its elements before the next
// one begins. Within a step elements are handled in any order, and at once.
#pragma once
#include "engine/device/decision_rows.h"
#include "engine/device/known_programs.h"
#include "engine/search/proposals.h"
#include "engine/search/survival.h"

namespace komuz::engine {

// The methods that devices have.
enum class DeviceMethod : u8 { Evolve, Local, Random, Lexicase };

// A table of proposals by hash, with the turn that first made each. Turns are numbered through all generations.
struct FirstProposals {
  struct Slot {
    u64 hash;   // 0: none yet
    u64 first;  // turn · 2^32 + number of the proposal
  };
  Slot* slots;
  u64 mask;
};

// A proposal in the making.
struct ProposalState {
  Random random{0};
  u64 hash = 0;
  u32 attempt = 0;
  bool is_made = false;
  EvolvedOrigin origin;
};

// An individual of the population, or a candidate for it.
struct IndividualRow {
  Fitness fitness;
  u64 behaviour, born, cost;
  u32 size;   // of its decisions
  u32 layer;  // in which it is now
  u32 moved;  // layers that it moved up to reach this one; of equals the least moved come first
  u32 place;  // among all, by layers
  u32 rank_in_size;
  u32 column;     // of its losses, where these are looked at
  bool is_first;  // the first of its behaviour
  bool differs;   // the first of its behaviour and its cost
  bool stays;
};

// The sort orders of individuals or rows.
enum class SearchOrder : u8 {
  Rows,       // rows behind the trials: the best first
  Fitness,    // individuals, by layers
  Behaviour,  // individuals of one behaviour together
  Cost,       // likewise; the first of each behaviour in front
  Size,       // likewise; those that differ in front
  Turn,       // those that differ, in the order in which sizes take turns
  Stay,       // those that stay in front, in their order by Place
};

// The place of a climber.
struct ClimberPlace {
  Climber climber;
  Fitness fitness;
};

struct SearchCounts {
  u64 left;                        // proposals still to be made
  u64 distinct;                    // proposals that were new
  u64 no_room;                     // new proposals that exceeded a thread's lists
  u64 refused;                     // new proposals that the host has to comment on
  u64 all;                         // different lists among all rows, if counted
  u64 layers[AgeLayers::kLayers];  // individuals that stay
};

struct SearchTask {
  VariantTables variants;
  DeviceMethod method;
  u64 seed, generation, turn;
  // Rows of the generation: `trials` from elsewhere, then `count` proposals.
  u32 trials, count;
  DecisionRows proposals;
  FoundProgram* found;  // the result of each row
  ProposalState* states;
  FirstProposals first, first_before;  // the latter while the table grows
  KnownHashes all;                     // slots null: not counted

  // The programs of a stretch's rows.
  u32 stretch_begin;
  KnownPrograms known;
  const u32* slots;
  const FoundProgram* programs;

  // Evolution: individuals by layers, the best first; behind them, in `pool`, the newly learnt ones. `extra` rows count
  // as the oldest.
  IndividualRow *individuals, *next_individuals, *pool;
  DecisionRows individual_decisions, next_decisions;
  u32 layer_begin[AgeLayers::kLayers + 1];  // of individuals
  const u32* extra;
  u32 extras;
  u32 places;  // of a layer
  Staleness* staleness;

  // The sort in progress: numbers, sorted in runs of `run`, and their destination.
  SearchOrder order;
  u32 sorting, run;
  u32 *sorted, *next_sorted;

  // Climbers: one for each proposal.
  ClimberPlace* climbers;
  DecisionRows climber_decisions;

  // Some rows behind the trials, gathered one behind the other, from a position in `sorted` on.
  u32 gathered_begin;
  DecisionRows gathered;
  FoundProgram* gathered_found;
  f64* gathered_losses;
  u8* gathered_has_losses;

  // Learning from cases: the case scores of the stretch's programs, and the losses of the rows that were the first of
  // their programs.
  ScoreKind score;
  u32 cases;  // 0: cases are not learnt from
  const f64* case_scores;
  u32 first_row, first_program;  // of the stretch
  f64* losses;                   // row by row
  u8* has_losses;

  // Selection by cases: the columns that take part, and the bar for each case.
  LossColumns selected;
  CaseGauge* gauges;
  f64 *pool_losses, *individual_losses;  // columns
  // Survival: the individual that each place wants, and the place that each individual gets.
  u32 *ranked, *ranked_counts, *asked;
  u64* owners;
  u32 round;

  SearchCounts* counts;
  u8* scratch;  // of each thread so many bytes
  size_t scratch_bytes;
  u32 threads;  // with scratch

  [[nodiscard]] HD u32 individual_count() const { return layer_begin[AgeLayers::kLayers]; }
  [[nodiscard]] HD u32 pooled() const { return individual_count() + count + extras; }
};

// search_steps.def says what each step does, and over which elements.
enum class SearchStep : u8 {
#define SEARCH_STEP(Name, action) Name,
#include "engine/device/search_steps.def"
};

}  // namespace komuz::engine
