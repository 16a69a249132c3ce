// SPDX-License-Identifier: Apache-2.0
#include "engine/run/variant_lanes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "engine/cases/slice_entry.h"
#include "engine/native/cheaper_code.h"

namespace komuz::engine {
namespace {

template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  static_assert(std::has_unique_object_representations_v<T>);
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Equal for equal instructions at equal places, and seldom equal for others.
u64 key_of(const Code& code) {
  u64 key = code.instructions.size();
  for (size_t k = 0; k < code.instructions.size(); ++k)
    key += (std::bit_cast<u64>(code.instructions[k]) + code.places[k]) * (2 * k + 1);
  return key;
}

bool has_loop(const Code& code) {
  return std::ranges::any_of(code.instructions,
                             [](const Instruction& i) { return i.op == Op::Loop; });
}

// Sets `count` lanes from `first` on to the value.
void fill(void* column, Scalar type, u32 first, u32 count, u64 cell) {
  const u32 bytes = scalar_bytes(type);
  // On a little-endian machine, the low bytes of a cell are the value.
  for (u32 lane = first; lane < first + count; ++lane)
    std::memcpy(static_cast<char*>(column) + size_t{lane} * bytes, &cell, bytes);
}

}  // namespace

VariantLanes::VariantLanes(const EvaluateOptions& options)
    : options_(options), tiered_(options.machines.native), scorer_(options), cases_(options) {}

bool VariantLanes::pays(const EvaluateOptions& options, const Suite& suite) {
  // Lanes run code as it is.
  if (options.machines.cheaper != nullptr && options.machines.cheaper->is_for_all()) return false;
  return options.machines.machine == MachineKind::Batch && suite.count != 0 &&
         suite.count <= kMostCases && suite.count * suite.result_types.size() <= kMostCells;
}

void VariantLanes::begin(const Suite& suite, const ScoreLimits& limits, std::stop_token stop) {
  suite_ = &suite;
  limits_ = limits;
  stop_ = std::move(stop);
}

bool VariantLanes::takes_next(const Code& code) {
  constexpr u32 kLookedAt = 256, kLeftOut = 4096;
  if (code.instructions.size() > kMostInstructions) return false;
  if (left_out_ != 0) return --left_out_ == 0;
  if (added_ < kLookedAt) return true;
  const bool pays = started_ * 4 <= added_ * 3;
  added_ = started_ = 0;
  if (!pays) left_out_ = kLeftOut;
  return pays;
}

u32 VariantLanes::find(u64 key, const Code& code, u32 entry) const {
  for (u32 k = 0; k < used_groups_; ++k) {
    const Group& group = groups_[k];
    if (keys_[k] == key && group.entry == entry &&
        group.code.constants.size() == code.constants.size() &&
        are_same(group.code.instructions, code.instructions) &&
        are_same(group.code.places, code.places) && are_same(group.code.functions, code.functions))
      return k;
  }
  return kNone;
}

u32 VariantLanes::start(u64 key, const Code& code, u32 entry, std::string_view source) {
  ++started_;
  keys_[used_groups_] = key;
  Group& group = groups_[used_groups_];
  group.code = code;
  group.entry = entry;
  group.source = source;
  group.constants.clear();
  group.results.clear();
  return used_groups_++;
}

void VariantLanes::add(const Code& code, u32 entry, std::string_view source, CandidateResult& out) {
  const u64 key = key_of(code);
  u32 number = find(key, code, entry);
  if (number == kNone && used_groups_ == kMostGroups) {
    const auto used = std::span(groups_).first(used_groups_);
    const auto waiting = [](const Group& group) { return group.results.size(); };
    run_and_remove(static_cast<u32>(std::ranges::max_element(used, {}, waiting) - used.begin()));
  }
  if (number == kNone) number = start(key, code, entry, source);
  ++added_;
  Group& group = groups_[number];
  group.constants.insert(group.constants.end(), code.constants.begin(), code.constants.end());
  group.results.push_back(&out);
  if (group.results.size() == kMostWaiting || group.constants.size() >= kMostConstants)
    run_and_remove(number);
}

void VariantLanes::run_and_remove(u32 number) {
  run_group(groups_[number]);
  --used_groups_;
  keys_[number] = keys_[used_groups_];
  if (number != used_groups_) std::swap(groups_[number], groups_[used_groups_]);
}

void VariantLanes::run_all() {
  while (used_groups_ != 0) run_and_remove(used_groups_ - 1);
}

void VariantLanes::run_group(Group& group) {
  if (stop_.stop_requested()) return;
  ticks_ = most_ticks_ = 0;
  set_fuel();
  const Company company = fits_lanes() ? Company::Variants : Company::Many;
  const bool is_native =
      tiered_.begin(group.code.view(), group.entry, company, group.constants, stop_);
  if (is_native)
    run_natively(group);
  else if (shares_lanes(group) && find_columns(group))
    run_as_lanes(group);
  else
    run_one_by_one(group);
  if (stop_.stop_requested()) return;
  const size_t variants = group.results.size();
  tiered_.end(group.code.view(), group.entry, group.constants, variants * suite_->count, ticks_);
  if (!is_native) note_ticks(variants);
}

void VariantLanes::set_fuel() {
  const u64 ticks = cases_.first_ticks(cases_.first_budget());
  fuel_ = suite_->has_slices ? slice_entry_fuel(ticks) : ticks;
}

// If there are few cases, a variant alone takes as many lanes as it has elements, and others do not wait for it.
bool VariantLanes::shares_lanes(const Group& group) const {
  constexpr u32 kFewLanes = 8, kFewOfLoops = 32;
  if (!fits_lanes() || few_are_long_) return false;
  const size_t lanes = group.results.size() * suite_->count;
  return lanes > kFewLanes && (lanes >= kFewOfLoops || !has_loop(group.code));
}

// In units of an operation on a vector. Finding the next operation takes several units.
void VariantLanes::note_ticks(size_t variants) {
  constexpr u64 kDispatch = 4, kVector = 8;
  const u64 rows = suite_->count, lanes = std::min<u64>(variants * rows, kLanes);
  const u64 jobs = (variants * rows + kLanes - 1) / kLanes;
  few_are_long_ = ticks_ * (kDispatch + (rows + kVector - 1) / kVector) <
                  jobs * most_ticks_ * (kDispatch + (lanes + kVector - 1) / kVector);
}

void VariantLanes::run_as_lanes(Group& group) {
  const auto variants = static_cast<u32>(group.results.size());
  const u32 most = kLanes / suite_->count;
  for (u32 first = 0, before = 0; first < variants; first += most) {
    const u32 count = std::min(most, variants - first), lanes = count * suite_->count;
    fill_columns(group, first, count);
    const OutcomesView all = outcomes(lanes);
    run_job({group.code.view(), group.entry, lanes_of(lanes), fuel_, &stop_, constants_},
            count == before, all);
    if (stop_.stop_requested()) return;
    before = count;
    for (u32 k = 0; k < count; ++k) score(group, first + k, part_of(all, k));
    counts_.as_lanes += count;
  }
}

void VariantLanes::run_one_by_one(Group& group) {
  for (size_t k = 0; k < group.results.size(); ++k) {
    use_constants(group, k);
    const OutcomesView own = outcomes(suite_->count);
    run_job(
        {group.code.view(), group.entry, suite_->view(0, suite_->count, arguments_), fuel_, &stop_},
        k != 0, own);
    if (stop_.stop_requested()) return;
    score(group, k, own);
  }
}

void VariantLanes::run_natively(Group& group) {
  const auto variants = static_cast<u32>(group.results.size());
  const size_t constants = group.code.constants.size();
  const u32 most = fits_lanes() ? kLanes / suite_->count : 1;
  for (u32 first = 0; first < variants; first += most) {
    const u32 count = std::min(most, variants - first), lanes = count * suite_->count;
    const CasesView cases =
        fits_lanes() ? lanes_of(lanes) : suite_->view(0, suite_->count, arguments_);
    const OutcomesView all = outcomes(lanes);
    tiered_.run({cases, fuel_, &stop_,
                 std::span(group.constants).subspan(first * constants, count * constants), count},
                all);
    if (stop_.stop_requested()) return;
    for (u32 k = 0; k < count; ++k) score(group, first + k, part_of(all, k));
  }
}

void VariantLanes::run_job(const vm::Job& job, bool again, const OutcomesView& out) {
  if (!again)
    machine_.run(job, out);
  else if (machine_.run_again(job, out))
    ++counts_.jobs_again;
}

void VariantLanes::use_constants(Group& group, size_t variant) {
  const size_t constants = group.code.constants.size();
  std::copy_n(group.constants.data() + variant * constants, constants, group.code.constants.data());
}

void VariantLanes::score(Group& group, size_t variant, const OutcomesView& outcomes) {
  CandidateResult& out = *group.results[variant];
  if (std::memchr(outcomes.traps.data(), static_cast<int>(Trap::Fuel), outcomes.traps.size())) {
    use_constants(group, variant);
    cases_.run({group.code.view(), group.entry, group.source, *suite_}, *suite_, limits_,
               cases_.first_budget(), stop_, out);
    ticks_ += cases_.ticks();
    most_ticks_ = std::max(most_ticks_, cases_.ticks());
    set_fuel();  // so that the next ones need not run twice
    return;
  }
  scorer_.begin(*suite_, limits_);
  scorer_.add(group.code.view(), group.source, 0, suite_->count, outcomes, out);
  ticks_ += scorer_.ticks();
  most_ticks_ = std::max(most_ticks_, scorer_.ticks());
  cases_.note_ticks(scorer_.ticks(), suite_->count);
  scorer_.finish(out);
}

CasesView VariantLanes::lanes_of(u32 lanes) {
  const u32 rows = suite_->count;
  const CasesView cases = suite_->view(0, rows, arguments_);
  if (argument_lanes_.size() != arguments_.size()) {
    argument_lanes_.resize(arguments_.size());
    for (size_t slot = 0; slot < arguments_.size(); ++slot) {
      const size_t bytes = size_t{rows} * scalar_bytes(arguments_[slot].type);
      char* const column = reinterpret_cast<char*>(&argument_lanes_[slot]);
      for (u32 variant = 0; (variant + 1) * rows <= kLanes; ++variant)
        std::memcpy(column + variant * bytes, cases.columns[slot].data, bytes);
    }
  }
  for (size_t slot = 0; slot < arguments_.size(); ++slot)
    arguments_[slot].data = &argument_lanes_[slot];
  return {arguments_, lanes};
}

OutcomesView VariantLanes::outcomes(u32 rows) {
  const size_t cells = rows * suite_->result_types.size();
  if (traps_.size() < rows) {
    traps_.resize(rows);
    places_.resize(rows);
    depths_.resize(rows);
    fuel_used_.resize(rows);
    values_.resize(cells);
    own_values_.resize(cells);
  }
  return {std::span(values_).first(cells), std::span(traps_).first(rows),
          std::span(places_).first(rows), std::span(depths_).first(rows),
          std::span(fuel_used_).first(rows)};
}

// The outcomes of one variant, whose values are separate in each column.
OutcomesView VariantLanes::part_of(const OutcomesView& all, size_t variant) {
  const u32 rows = suite_->count;
  const size_t lanes = all.traps.size(), cells = suite_->result_types.size();
  const size_t first = variant * rows;
  for (size_t cell = 0; cell < cells; ++cell)
    std::copy_n(all.values.data() + cell * lanes + first, rows, own_values_.data() + cell * rows);
  return {std::span(own_values_).first(cells * rows), all.traps.subspan(first, rows),
          all.places.subspan(first, rows), all.depths.subspan(first, rows),
          all.fuel.subspan(first, rows)};
}

// Turns constants that differ into columns. False: one of them is no constant of a single type.
bool VariantLanes::find_columns(const Group& group) {
  const size_t constants = group.code.constants.size(), variants = group.results.size();
  constant_types_.assign(constants, Scalar::None);
  is_shared_.assign(constants, false);
  for (const Instruction& i : group.code.instructions) {
    if (i.op == Op::LoadConst) {
      Scalar& type = constant_types_[i.b];
      if (type != Scalar::None && type != i.type) is_shared_[i.b] = true;
      type = i.type;
    }
    for (u32 k = 0; i.op == Op::LoadConsts && k < i.a; ++k) is_shared_[i.b + k] = true;
  }
  constants_.clear();
  for (u32 k = 0; k < constants; ++k) {
    const u64* const first = group.constants.data() + k;
    bool differs = false;
    for (size_t variant = 1; variant < variants; ++variant)
      differs |= first[variant * constants] != *first;
    if (differs && is_shared_[k]) return false;
    if (differs && constant_types_[k] != Scalar::None)
      constants_.push_back({k, {constant_types_[k], nullptr}});
  }
  if (constant_lanes_.size() < constants_.size()) constant_lanes_.resize(constants_.size());
  for (size_t k = 0; k < constants_.size(); ++k) constants_[k].values.data = &constant_lanes_[k];
  return true;
}

void VariantLanes::fill_columns(const Group& group, u32 first, u32 count) {
  const size_t constants = group.code.constants.size();
  for (size_t n = 0; n < constants_.size(); ++n)
    for (u32 k = 0; k < count; ++k)
      fill(&constant_lanes_[n], constants_[n].values.type, k * suite_->count, suite_->count,
           group.constants[(first + k) * constants + constants_[n].constant]);
}

}  // namespace komuz::engine
