// SPDX-License-Identifier: Apache-2.0
#include "engine/search/variation.h"

#include <algorithm>
#include <span>

namespace komuz::engine {
namespace {

std::ptrdiff_t offset(size_t at) { return static_cast<std::ptrdiff_t>(at); }

// Elements of `part` take the place of a stretch, where that does not make the list too long.
void replace(Decisions& decisions, const DecisionStretch& at, std::span<const u32> part) {
  if (decisions.size() - (at.end - at.begin) + part.size() > kMostDecisions) return;
  const auto begin = decisions.begin() + offset(at.begin);
  const auto behind = decisions.erase(begin, begin + offset(at.end - at.begin));
  decisions.insert(behind, part.begin(), part.end());
}

std::span<const u32> part_of(const Decisions& decisions, const DecisionStretch& at) {
  return std::span(decisions).subspan(at.begin, at.end - at.begin);
}

}  // namespace

void Variation::mutate(Decisions& decisions) {
  plan_.list_stretches(decisions, own_);
  if (own_.empty()) return;
  const DecisionStretch at = own_[random.below(own_.size())];
  const Decision& decision = plan_.decision(at.decision);
  if (decision.form == HoleForm::Grid && !random.one_in(4))
    return move_point(decisions[at.begin], decision.points);
  switch (random.below(4)) {
    case 0:
      if (go_another_way(decisions, at)) return;
      break;
    case 1:
      if (insert_above(decisions, at)) return;
      break;
    case 2:
      if (hoist(decisions, at)) return;
      break;
    default: break;
  }
  redraw(decisions, at);
}

void Variation::cross(Decisions& decisions, const Decisions& from) {
  plan_.list_stretches(decisions, own_);
  plan_.list_stretches(from, others_);
  if (own_.empty()) return;
  const DecisionStretch at = own_[random.below(own_.size())];
  fitting_.clear();
  for (const DecisionStretch& other : others_)
    if (plan_.fits(from, other, at)) fitting_.push_back(other);
  replace_by_fitting(decisions, at, from);
}

void Variation::move_point(u32& point, u64 points) {
  const u64 reach = std::max<u64>(1, points >> (1 + random.below(6)));
  const u64 by = 1 + (random.next() >> 32) % reach;
  const bool down = random.below(2) != 0;
  if (down)
    point = static_cast<u32>(point > by ? point - by : 0);
  else
    point = static_cast<u32>(std::min<u64>(point + by, points - 1));
}

void Variation::redraw(Decisions& decisions, const DecisionStretch& at) {
  if (draw_part(at)) replace(decisions, at, part_);
}

bool Variation::go_another_way(Decisions& decisions, const DecisionStretch& at) {
  constexpr u32 kTries = 10;
  const Decision& decision = plan_.decision(at.decision);
  const size_t ways = decision.space == kNoSpace
                          ? decision.alternatives.size()
                          : plan_.sketch().spaces[decision.space].alternatives.size();
  if (ways < 2) return false;
  u32& way = decisions[at.begin];
  const u32 before = way;
  for (u32 k = 0; k < kTries; ++k) {
    way = random.below(ways);
    if (way != before && plan_.fits(decisions, at, at)) return true;
  }
  way = before;
  return false;
}

bool Variation::insert_above(Decisions& decisions, const DecisionStretch& at) {
  constexpr u32 kTries = 4;  // many draws have nothing below
  for (u32 k = 0; k < kTries; ++k) {
    if (!draw_part(at) || part_.size() < 2) continue;
    whole_ = decisions;
    replace(whole_, at, part_);
    plan_.list_stretches(whole_, others_);
    fitting_.clear();
    for (const DecisionStretch& other : others_)
      if (other.begin > at.begin && other.end <= at.begin + part_.size() &&
          plan_.fits(decisions, at, other))
        fitting_.push_back(other);
    if (fitting_.empty()) continue;
    replace(whole_, fitting_[random.below(fitting_.size())], part_of(decisions, at));
    std::swap(decisions, whole_);
    return true;
  }
  return false;
}

bool Variation::hoist(Decisions& decisions, const DecisionStretch& at) {
  fitting_.clear();
  for (const DecisionStretch& other : own_)
    if (other.begin > at.begin && other.end <= at.end && plan_.fits(decisions, other, at))
      fitting_.push_back(other);
  return replace_by_fitting(decisions, at, decisions);
}

bool Variation::replace_by_fitting(Decisions& decisions, const DecisionStretch& at,
                                   const Decisions& from) {
  if (fitting_.empty()) return false;
  const std::span<const u32> part = part_of(from, fitting_[random.below(fitting_.size())]);
  part_.assign(part.begin(), part.end());
  replace(decisions, at, part_);
  return true;
}

}  // namespace komuz::engine
