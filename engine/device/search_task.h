// SPDX-License-Identifier: Apache-2.0
// What the threads of a device are given to search for variants of a sketch there (variant_search.h), and which steps they take. What
// a step does to an element is in search_element.h. Every step is done for all its elements before the next one begins;
// within a step they come in any order, and at once.
#pragma once
#include "engine/device/decision_rows.h"
#include "engine/device/known_programs.h"
#include "engine/search/proposals.h"
#include "engine/search/survival.h"

namespace komuz::engine {

// Of the methods, those that a device has.
enum class DeviceMethod : u8 { Evolve, Local, Random, Lexicase };

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
  u32 place;  // among all, by layers
  u32 rank_in_size;
  u32 column;     // of its losses, where these are looked at
  bool is_first;  // of its behaviour
  bool differs;   // … and of its cost
  bool stays;
};

// What persons, or rows, are put in order by.
enum class SearchOrder : u8 {
  Rows,       // rows behind the trials: the best first
  Fitness,    // persons, by layers
  Behaviour,  // … those of one together
  Cost,       // likewise, those that are the first of their behaviour before others
  Size,       // likewise, those that differ before others
  Turn,       // those that differ in the order in which sizes take turns
  Stay,       // those that stay before others, as they stand in Place
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
  Staleness* staleness;

  // What is being put in order: numbers, which are sorted in stretches of `run`, and where they go.
  SearchOrder order;
  u32 sorting, run;
  u32 *sorted, *next_sorted;

  // Climbers: one for each proposal.
  ClimberPlace* climbers;
  DecisionRows climber_decisions;

  // Some rows behind the trials, from one of `sorted` on, one behind the other.
  u32 gathered_begin;
  DecisionRows gathered;
  FoundProgram* gathered_found;
  f64* gathered_losses;
  u8* gathered_has_losses;

  // Where cases are learnt from: what they brought to programs of the stretch, and what was lost on them by rows that were the
  // first of their programs.
  ScoreKind score;
  u32 cases;  // 0: nobody learns from them
  const f64* case_scores;
  u32 first_row, first_program;  // of the stretch
  f64* losses;                   // of each row one behind the other
  u8* has_losses;

  // Selection by them: of whom, and what is good on each case.
  LossColumns selected;
  CaseGauge* gauges;
  f64 *pool_losses, *people_losses;  // columns
  // Survival: of each place whom it would have, and of each individual who has it.
  u32 *ranked, *ranked_counts, *asked;
  u64* owners;
  u32 round;

  SearchCounts* counts;
  u8* scratch;  // of each thread so many bytes
  size_t scratch_bytes;
  u32 threads;  // that have some

  [[nodiscard]] HD u32 persons() const { return layer_begin[AgeLayers::kLayers]; }
  [[nodiscard]] HD u32 pooled() const { return persons() + count + extras; }
};

// What each does, and over what, is in the table.
enum class SearchStep : u8 {
#define SEARCH_STEP(Name, action) Name,
#include "engine/device/search_steps.def"
};

}  // namespace komuz::engine
