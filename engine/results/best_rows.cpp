// SPDX-License-Identifier: Apache-2.0
#include "engine/results/best_rows.h"

#include <algorithm>

namespace komuz::engine {

std::optional<u32> BestRows::same_behaviour(const ResultRow& row) const {
  const auto found = by_behaviour_.find(row.behaviour);
  if (!was_run(row) || found == by_behaviour_.end()) return std::nullopt;
  return found->second;
}

void BestRows::add(const ResultRow& row, std::string_view id, u32 number, const ScoreLine& line) {
  const RankKey key = rank_key(score_, row);
  if (const std::optional<u32> same = same_behaviour(row)) {
    const Place& place = places_.at(*same);
    if (!(key < rank_key(score_, place.group->programs[place.at].row))) return;
    drop(*same);
  }
  const bool is_full = places_.size() == most_;
  // The earlier ones of programs with equal keys stay.
  if (is_full && (most_ == 0 || !(key < groups_.rbegin()->first))) return;
  // All memory is allocated first: if it does not suffice, the program is not found anywhere.
  Program program{row, number, std::string(id), 0, 0, line};
  Group& group = groups_[key];
  program.copies_before = group.copies;
  places_[number] = {&group, group.programs.size()};
  if (of_behaviours_ && was_run(row)) by_behaviour_[row.behaviour] = number;
  group.programs.push_back(std::move(program));
  if (is_full) drop(groups_.rbegin()->second.programs.back().number);
}

void BestRows::add_known(const ResultRow& row, std::string_view id, u32 number, u64 copies,
                         u64 copies_before, const ScoreLine& line) {
  Group& group = groups_[rank_key(score_, row)];
  group.programs.push_back({row, number, std::string(id), copies, copies_before, line});
  group.copies += copies;
}

void BestRows::drop(u32 number) {
  const auto [group, at] = places_.at(number);
  std::vector<Program>& programs = group->programs;
  const ResultRow& row = programs[at].row;
  const RankKey key = rank_key(score_, row);
  if (of_behaviours_ && was_run(row)) by_behaviour_.erase(row.behaviour);
  places_.erase(number);
  programs.erase(programs.begin() + static_cast<std::ptrdiff_t>(at));
  for (size_t k = at; k < programs.size(); ++k) places_.at(programs[k].number).at = k;
  if (programs.empty()) groups_.erase(key);
}

void BestRows::add_copy(u32 number) {
  const auto found = places_.find(number);
  if (found == places_.end()) return;
  ++found->second.group->programs[found->second.at].copies;
  ++found->second.group->copies;
}

void BestRows::write(Results& out) const {
  struct Ranked {
    const Program* program;
    u64 rank;
  };
  std::vector<Ranked> ranked;
  u64 before = 0;  // candidates with better keys
  for (const auto& [key, group] : groups_) {
    for (size_t k = 0; k < group.programs.size(); ++k) {
      const Program& program = group.programs[k];
      const u64 rank = of_behaviours_ ? ranked.size() + 1 : before + program.copies_before + k + 1;
      ranked.push_back({&program, has_rank(key) ? rank : 0});
    }
    before += group.programs.size() + group.copies;
  }
  // Places in the ranking, sorted by input order.
  std::vector<u32> in_order(ranked.size());
  for (u32 place = 0; place < in_order.size(); ++place) in_order[place] = place;
  std::ranges::sort(in_order, {}, [&](u32 place) { return ranked[place].program->number; });
  out.rows.clear();
  out.lines.clear();
  out.ids.clear();
  out.ranking.resize(ranked.size());
  for (const u32 place : in_order) {
    const auto& [program, rank] = ranked[place];
    out.ranking[place] = static_cast<u32>(out.rows.size());
    out.rows.push_back(program->row).rank = static_cast<u32>(rank);
    if (fits_line(score_)) out.lines.push_back(program->line);
    out.add_id(program->id);
    if (out.summary) out.summary->copies.push_back(program->copies);
  }
}

}  // namespace komuz::engine
