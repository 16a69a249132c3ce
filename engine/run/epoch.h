// SPDX-License-Identifier: Apache-2.0
// The candidates of an epoch, what is known of each before it is a row, and which of all candidates is the first with its program.
// The table of programs holds those of the whole input; slots, and sources, are of the epoch alone.
#pragma once
#include <algorithm>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/candidates/candidates.h"
#include "engine/run/epoch_slot.h"

namespace komuz::engine {

class Epoch {
 public:
  // The batch, which others fill, outlives it.
  Epoch(const CandidateBatch& batch, u32 threads)
      : batch_(batch), identities_(std::in_place, threads) {}

  // Of its candidates none is a row.
  void begin(u32 first_row) {
    first_row_ = first_row;
    committed_ = 0;
  }
  [[nodiscard]] u32 size() const { return static_cast<u32>(batch_.rows.size()); }
  [[nodiscard]] const Candidate& candidate(u32 i) const { return batch_.rows[i]; }
  // The row that candidate `i` is, or will be.
  [[nodiscard]] u32 row(u32 i) const { return first_row_ + i; }
  // So many of its first candidates are rows.
  [[nodiscard]] u32 committed() const { return committed_; }
  // One more is; its slot is clear, for the next epoch.
  void commit() { slots_[committed_++].clear(); }

  [[nodiscard]] EpochSlot& slot(u32 i) { return slots_[i]; }
  [[nodiscard]] const EpochSlot& slot(u32 i) const { return slots_[i]; }
  [[nodiscard]] CandidateResult& result(u32 i) { return slots_[i].result; }
  [[nodiscard]] const CandidateResult& result(u32 i) const { return slots_[i].result; }
  // A slot for each candidate. Those of a generation of a million take a while. False: a stop came before they were there.
  [[nodiscard]] bool make_slots(const std::stop_token& stop);
  // The same of few that have come to those that have one.
  void add_slots() { slots_.resize(std::max<size_t>(slots_.size(), size())); }

  // Candidate `i` has the program of this identity. True: so has an earlier one. Of candidates that are looked at the other way
  // round both are compiled: representative() finds the first, whatever the order was.
  bool is_duplicate(const frontend::TextHash& program, u32 i);
  // The row of the first candidate that has the program of this one, once it and all before it have been identified.
  [[nodiscard]] u32 representative(u32 i) const {
    const SharedIdentities::Place place = slots_[i].identity;
    return place == nullptr ? row(i) : SharedIdentities::first(place);
  }
  [[nodiscard]] bool is_first(u32 i) const { return representative(i) == row(i); }
  // Is it set aside, and not by the name of another?
  [[nodiscard]] bool is_set_aside(u32 i) const { return result(i).set_aside && is_first(i); }

  // The end of the run: nobody is identified any more.
  void forget_programs() { identities_.reset(); }

 private:
  const CandidateBatch& batch_;
  std::optional<SharedIdentities> identities_;
  u32 first_row_ = 0;
  u32 committed_ = 0;
  std::vector<EpochSlot> slots_;  // those of rows are clear
};

}  // namespace komuz::engine
