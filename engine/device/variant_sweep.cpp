// SPDX-License-Identifier: Apache-2.0
#include "engine/device/variant_sweep.h"

#include <algorithm>
#include <cassert>

namespace komuz::engine {

Problem VariantSweep::begin(const Options& options) {
  options_ = options;
  is_other_known_ = are_other_behaviours_ = is_other_found_ = false;
  variants_ = programs_ = 0;
  counts_ = {};
  task_ = {};
  task_.kind = options.score;
  task_.line = options.line;
  task_.whole = options.whole;
  task_.most = options.best;
  task_.of_behaviours = options.of_behaviours;
  Problem problem =
      make_known(kFirstSlots).then([&] { return make_behaviours(kFirstSlots); }).then([&] {
        return reserve_stretch(options.longest_stretch);
      });
  if (!problem && options.most_decisions != 0) problem = reserve_decisions();
  if (!problem) problem = send(task_.counts, &counts_, sizeof counts_);
  return problem;
}

Problem VariantSweep::reserve_stretch(u32 count) {
  Problem problem;
  const auto place = [&]<class T>(Part part, u64 rows, T*& out) {
    if (!problem) problem = reserve_rows(part, rows, out);
  };
  u32 *slots = nullptr, *slot_of = nullptr, *bytes_of = nullptr;
  place(Part::Slots, count, slots);
  place(Part::SlotOf, count, slot_of);
  place(Part::BytesOf, count, bytes_of);
  place(Part::Programs, count, of_stretch_);
  place(Part::Types, u64{count} * options_.types.size(), types_);
  place(Part::Ranked, u64{options_.best} + count, task_.ranked);
  place(Part::InOrder, u64{options_.best} + count, task_.in_order);
  place(Part::Counts, 1, task_.counts);
  task_.slots = slots;
  task_.slot_of = slot_of;
  task_.bytes_of = bytes_of;
  std::vector<u8> types;
  for (u32 k = 0; k < count; ++k)
    types.insert(types.end(), options_.types.begin(), options_.types.end());
  if (!problem) problem = send(types_, types.data(), types.size());
  return problem;
}

Problem VariantSweep::reserve_decisions() {
  Problem problem;
  const auto place = [&](Part words, Part sizes, DecisionRows& out) {
    out.room = options_.most_decisions;
    if (!problem) problem = reserve_rows(words, u64{options_.best} * out.room, out.words);
    if (!problem) problem = reserve_rows(sizes, options_.best, out.sizes);
  };
  place(Part::BestDecisions, Part::BestSizes, task_.best_decisions);
  place(Part::DecisionsInOrder, Part::SizesInOrder, task_.decisions_in_order);
  found_room_ = 0;
  return std::move(problem).then([&] { return make_found(kFirstSlots / 2); });
}

// An empty table in the part that the one before is not in.
Problem VariantSweep::make_known(u64 slots) {
  task_.known_before = task_.known;
  is_other_known_ = !is_other_known_;
  task_.known.mask = slots - 1;
  return reserve_rows(is_other_known_ ? Part::OtherKnown : Part::Known, slots, task_.known.slots)
      .then([&] { return run(SweepStep::ClearKnown, task_, slots); });
}
Problem VariantSweep::make_behaviours(u64 slots) {
  task_.behaviours_before = task_.behaviours;
  are_other_behaviours_ = !are_other_behaviours_;
  task_.behaviours.mask = slots - 1;
  return reserve_rows(are_other_behaviours_ ? Part::OtherBehaviours : Part::Behaviours, slots,
                      task_.behaviours.slots)
      .then([&] { return run(SweepStep::ClearBehaviours, task_, slots); });
}

Problem VariantSweep::make_found(u64 programs) {
  task_.found_before = task_.found;
  is_other_found_ = !is_other_found_;
  found_room_ = programs;
  return reserve_rows(is_other_found_ ? Part::OtherFound : Part::Found, programs, task_.found);
}

// At most half full, also when so many more programs are new.
Problem VariantSweep::grow_tables(u32 more) {
  const u64 wanted = 2 * (programs_ + more);
  Problem problem;
  const auto slots_for = [wanted](u64 slots) {
    while (slots < wanted) slots *= 2;
    return slots;
  };
  if (const u64 slots = task_.known.mask + 1; slots < wanted) {
    problem = make_known(slots_for(slots));
    if (!problem) problem = run(SweepStep::MoveKnown, task_, slots);
  }
  if (const u64 slots = task_.behaviours.mask + 1; !problem && slots < wanted) {
    problem = make_behaviours(slots_for(slots));
    if (!problem) problem = run(SweepStep::MoveBehaviours, task_, slots);
  }
  if (!problem && task_.found != nullptr && found_room_ < programs_ + more) {
    problem = make_found(wanted);
    if (!problem) problem = run(SweepStep::MoveFound, task_, programs_);
  }
  return problem;
}

Problem VariantSweep::next(u32 count, VariantStretch& out, const DecisionRows& decisions) {
  assert(variants_ + count < kNone);
  Problem problem = grow_tables(count);
  if (problem) return problem;
  count_ = count;
  task_.first_row = static_cast<u32>(variants_);
  task_.first_program = static_cast<u32>(programs_);
  task_.decisions = decisions;
  // This is the sweep's own memory. The steps only read it.
  out = {.numbers = options_.numbers,
         .decisions = decisions,
         .first_row = task_.first_row,
         .known = task_.known,
         .slots = const_cast<u32*>(task_.slots),
         .programs = of_stretch_,
         .slot_of = const_cast<u32*>(task_.slot_of),
         .bytes_of = const_cast<u32*>(task_.bytes_of)};
  return {};
}

Problem VariantSweep::take(u32 programs, const ProgramScore* scores) {
  task_.scores = scores;
  Problem problem = run(SweepStep::BeginStretch, task_, 1)
                        .then([&] { return run(SweepStep::Rank, task_, programs); })
                        .then([&] { return fetch(&counts_, task_.counts, sizeof counts_); });
  task_.contenders = static_cast<u32>(counts_.contenders);
  if (!problem && task_.contenders != 0) {
    const u32 ranked = task_.best + task_.contenders;
    if (task_.of_behaviours) problem = run(SweepStep::FindOthers, task_, ranked);
    if (task_.of_behaviours && !problem) problem = fetch(&counts_, task_.counts, sizeof counts_);
    if (!problem) problem = run(SweepStep::Sort, task_, ranked);
    std::swap(task_.ranked, task_.in_order);
    std::swap(task_.best_decisions, task_.decisions_in_order);
    task_.best = std::min(ranked - static_cast<u32>(counts_.others), task_.most);
    if (!problem) problem = run(SweepStep::BeginCopies, task_, task_.best);
  }
  if (!problem) problem = run(SweepStep::Count, task_, count_);
  if (!problem) problem = fetch(&counts_, task_.counts, sizeof counts_);
  variants_ += count_;
  programs_ += programs;
  return problem;
}

Problem VariantSweep::fetch_best(std::vector<RankedProgram>& out) {
  out.resize(task_.best);
  return fetch(out.data(), task_.ranked, out.size() * sizeof(RankedProgram));
}

Problem VariantSweep::fetch_first(std::optional<RankedProgram>& out) {
  out.reset();
  return task_.best == 0 ? Problem() : fetch(&out.emplace(), task_.ranked, sizeof(RankedProgram));
}

Problem VariantSweep::fetch_best_decisions(std::vector<std::vector<u32>>& out) {
  const DecisionRows& best = task_.best_decisions;
  std::vector<u32> sizes(task_.best), words(u64{task_.best} * best.room);
  Problem problem = fetch(sizes.data(), best.sizes, sizes.size() * sizeof(u32)).then([&] {
    return fetch(words.data(), best.words, words.size() * sizeof(u32));
  });
  out.assign(!problem ? sizes.size() : 0, {});
  for (size_t k = 0; k < out.size(); ++k) {
    const u32* const own = words.data() + k * best.room;
    out[k].assign(own, own + sizes[k]);
  }
  return problem;
}

Result<std::unique_ptr<VariantSweep>> open_variant_sweep(const vm::WarpDevice& device,
                                                         size_t memory) {
  if (device.gpu() < 0) return host_variant_sweep(memory);
  return open_cuda_variant_sweep(device.gpu());
}

}  // namespace komuz::engine
