// SPDX-License-Identifier: Apache-2.0
#include "engine/variant_lanes.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "engine/slice_entry.h"

namespace komuz::engine {
namespace {

template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  static_assert(std::has_unique_object_representations_v<T>);
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Equal for equal instructions, and seldom for others.
u64 key_of(const Code& code) {
  u64 key = code.instructions.size();
  for (size_t k = 0; k < code.instructions.size(); ++k)
    key += std::bit_cast<u64>(code.instructions[k]) * (2 * k + 1);
  return key;
}

// `count` lanes from `first` on get the value.
void fill(void* column, Scalar type, u32 first, u32 count, u64 cell) {
  const u32 bytes = scalar_bytes(type);
  // The low bytes of a cell are the value, on a little-endian machine.
  for (u32 lane = first; lane < first + count; ++lane)
    std::memcpy(static_cast<char*>(column) + size_t{lane} * bytes, &cell, bytes);
}

}  // namespace

VariantLanes::VariantLanes(const EvaluateOptions& options) : options_(options), scorer_(options) {}

bool VariantLanes::pays(const EvaluateOptions& options, const Suite& suite) {
  return options.machine == MachineKind::Batch && suite.count != 0 && suite.count <= kMostCases &&
         suite.count * suite.result_types.size() <= kMostCells;
}

bool VariantLanes::takes_next() {
  constexpr u32 kLookedAt = 256, kLeftOut = 4096;
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
        are_same(group.code.functions, code.functions))
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

void VariantLanes::add(const Code& code, u32 entry, std::string_view source, const Suite& suite,
                       const ScoreLimits& limits, const std::stop_token& stop,
                       CandidateResult& out) {
  const u64 key = key_of(code);
  u32 number = find(key, code, entry);
  if (number == kNone && used_groups_ == kMostGroups) run_all(suite, limits, stop);
  if (number == kNone) number = start(key, code, entry, source);
  ++added_;
  Group& group = groups_[number];
  group.constants.insert(group.constants.end(), code.constants.begin(), code.constants.end());
  group.results.push_back(&out);
  if (group.results.size() < kMostWaiting && group.constants.size() < kMostConstants) return;
  run(group, suite, limits, stop);
  --used_groups_;
  keys_[number] = keys_[used_groups_];
  if (number != used_groups_) std::swap(group, groups_[used_groups_]);
}

void VariantLanes::run_all(const Suite& suite, const ScoreLimits& limits,
                           const std::stop_token& stop) {
  for (u32 k = 0; k < used_groups_; ++k) run(groups_[k], suite, limits, stop);
  used_groups_ = 0;
}

// Lanes of a case or two take elements, too, but not of several variants (vm::Job).
void VariantLanes::run(Group& group, const Suite& suite, const ScoreLimits& limits,
                       const std::stop_token& stop) {
  constexpr u32 kFewLanes = 8;
  const Run run{suite, limits, stop,
                suite.has_slices ? slice_entry_fuel(options_.fuel) : options_.fuel};
  const bool shares = fits_lanes(suite) && group.results.size() * suite.count > kFewLanes;
  if (shares && find_columns(group))
    run_as_lanes(group, run);
  else
    run_one_by_one(group, run);
}

void VariantLanes::run_as_lanes(const Group& group, const Run& run) {
  const u32 rows = run.suite.count, variants = static_cast<u32>(group.results.size());
  const u32 most = kLanes / rows;
  for (u32 first = 0, before = 0; first < variants; first += most) {
    const u32 count = std::min(most, variants - first);
    fill_columns(group, first, count, rows);
    const OutcomesView all = outcomes(count * rows, run.suite.result_types.size());
    const vm::Job job{group.code.view(), group.entry, lanes_of(run.suite, count * rows),
                      run.fuel,          &run.stop,   constants_};
    if (count == before)
      machine_.run_again(job, all);
    else
      machine_.run(job, all);
    if (run.stop.stop_requested()) return;
    before = count;
    for (u32 k = 0; k < count; ++k) score(group, first + k, run, part_of(all, k, rows));
  }
}

void VariantLanes::run_one_by_one(Group& group, const Run& run) {
  const size_t constants = group.code.constants.size();
  for (size_t k = 0; k < group.results.size(); ++k) {
    std::copy_n(group.constants.data() + k * constants, constants, group.code.constants.data());
    const OutcomesView own = outcomes(run.suite.count, run.suite.result_types.size());
    const vm::Job job{group.code.view(), group.entry,
                      run.suite.view(0, run.suite.count, arguments_), run.fuel, &run.stop};
    if (k != 0)
      machine_.run_again(job, own);
    else
      machine_.run(job, own);
    if (run.stop.stop_requested()) return;
    score(group, k, run, own);
  }
}

void VariantLanes::score(const Group& group, size_t variant, const Run& run,
                         const OutcomesView& outcomes) {
  CandidateResult& out = *group.results[variant];
  scorer_.begin(run.suite, run.limits);
  scorer_.add(group.code.view(), group.source, 0, run.suite.count, outcomes, out);
  scorer_.finish(out);
}

CasesView VariantLanes::lanes_of(const Suite& suite, u32 lanes) {
  const u32 rows = suite.count;
  const CasesView cases = suite.view(0, rows, arguments_);
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

OutcomesView VariantLanes::outcomes(u32 rows, size_t result_cells) {
  if (traps_.size() < rows) {
    traps_.resize(rows);
    places_.resize(rows);
    depths_.resize(rows);
    fuel_.resize(rows);
    values_.resize(rows * result_cells);
    own_values_.resize(rows * result_cells);
  }
  return {std::span(values_).first(rows * result_cells), std::span(traps_).first(rows),
          std::span(places_).first(rows), std::span(depths_).first(rows),
          std::span(fuel_).first(rows)};
}

// The outcomes of one variant, whose values stand apart in each column.
OutcomesView VariantLanes::part_of(const OutcomesView& all, size_t variant, u32 rows) {
  const size_t lanes = all.traps.size(), cells = all.values.size() / lanes, first = variant * rows;
  for (size_t cell = 0; cell < cells; ++cell)
    std::copy_n(all.values.begin() + static_cast<std::ptrdiff_t>(cell * lanes + first), rows,
                own_values_.begin() + static_cast<std::ptrdiff_t>(cell * rows));
  return {std::span(own_values_).first(cells * rows), all.traps.subspan(first, rows),
          all.places.subspan(first, rows), all.depths.subspan(first, rows),
          all.fuel.subspan(first, rows)};
}

// Constants that differ become columns. False: one of them is no constant of one type alone.
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

void VariantLanes::fill_columns(const Group& group, u32 first, u32 count, u32 rows) {
  const size_t constants = group.code.constants.size();
  for (size_t n = 0; n < constants_.size(); ++n)
    for (u32 k = 0; k < count; ++k)
      fill(&constant_lanes_[n], constants_[n].values.type, k * rows, rows,
           group.constants[(first + k) * constants + constants_[n].constant]);
}

}  // namespace komuz::engine
