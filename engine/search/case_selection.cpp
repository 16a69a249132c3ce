// SPDX-License-Identifier: Apache-2.0
#include "engine/search/case_selection.h"

#include <algorithm>

#include "engine/search/survival.h"

namespace komuz::engine {

void CaseSelection::look_at(const std::vector<std::span<const f64>>& individuals) {
  columns_.individuals = static_cast<u32>(individuals.size());
  columns_.cases = static_cast<u32>(individuals.front().size());
  losses_.resize(size_t{columns_.individuals} * columns_.cases);
  gauges_.resize(columns_.cases);
  columns_.losses = losses_.data();
  for (Scratch& scratch : scratch_) {
    scratch.cases.resize(columns_.cases);
    scratch.pool.resize(columns_.individuals);
  }
  pool_.run(columns_.cases, [&](u32, u32 c) {
    if (stop_.stop_requested()) return;
    f64* const column = losses_.data() + size_t{c} * columns_.individuals;
    for (u32 one = 0; one < columns_.individuals; ++one) column[one] = individuals[one][c];
    gauges_[c] = gauge_of(column, columns_.individuals);
  });
}

u32 CaseSelection::rank(u32 worker, u32 most, Random& random) {
  Scratch& scratch = scratch_[worker];
  return rank_by_cases(columns_, gauges_.data(), most, random,
                       {scratch.cases.data(), scratch.pool.data()});
}

u32 CaseSelection::select(u32 worker, Random& random) {
  static_cast<void>(rank(worker, 1, random));
  return scratch_[worker].pool.front();
}

std::vector<bool> CaseSelection::survivors(u32 places, u64 seed, u64 generation) {
  constexpr u32 kRanked = Survival::kRanked;
  const u32 selections = places - 1;
  std::vector<u32> ranked(size_t{selections} * kRanked), counts(selections);
  std::vector<u32> asked(selections, kNone);
  pool_.run(selections, [&](u32 worker, u32 place) {
    if (stop_.stop_requested()) return;
    Random random = Survival::chance(seed, generation, place);
    counts[place] = rank(worker, kRanked, random);
    std::copy_n(scratch_[worker].pool.data(), counts[place], &ranked[size_t{place} * kRanked]);
  });
  std::vector<u64> owners(columns_.individuals, Survival::kFree);
  owners.front() = Survival::asking(0, kNone);
  for (u32 round = 1; round <= Survival::kRounds; ++round)
    for (u32 place = 0; place < selections; ++place) {
      const u32 next = Survival::next(&ranked[size_t{place} * kRanked], counts[place],
                                      owners.data(), asked[place], round, place);
      if (next == kNone) continue;
      asked[place] = next;
      owners[next] = std::min(owners[next], Survival::asking(round, place));
    }
  std::vector<bool> out;
  for (const u64 owner : owners) out.push_back(owner != Survival::kFree);
  auto left = static_cast<size_t>(places - std::ranges::count(out, true));
  for (size_t one = 0; left > 0; ++one)
    if (!out[one]) {
      out[one] = true;
      --left;
    }
  return out;
}

}  // namespace komuz::engine
