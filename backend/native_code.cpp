// SPDX-License-Identifier: Apache-2.0
#include <xmmintrin.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "backend/abi.h"
#include "backend/backend.h"
#include "lang/ops/eval_cells.h"

namespace komuz::backend {
namespace {

// Floating-point arithmetic as compiled code means it: round to nearest, and subnormal numbers are numbers. Libraries
// such as those built with -ffast-math change it for the threads of a process.
class PlainFloats {
 public:
  PlainFloats() : before_(_mm_getcsr()) {
    if (before_ != kPlain) _mm_setcsr(kPlain);
  }
  ~PlainFloats() {
    if (before_ != kPlain) _mm_setcsr(before_);
  }
  PlainFloats(const PlainFloats&) = delete;
  PlainFloats& operator=(const PlainFloats&) = delete;

 private:
  static constexpr unsigned kPlain = 0x1F80;  // all exceptions masked
  unsigned before_;
};

// Sets a state's `stop` when a stop is requested.
class StopFlag {
 public:
  StopFlag(const std::stop_token* stop, std::atomic<u32>& flag)
      : on_stop_(stop != nullptr ? *stop : std::stop_token(), Raise{&flag}) {}

 private:
  struct Raise {
    std::atomic<u32>* flag;
    void operator()() const { flag->store(1, std::memory_order_relaxed); }
  };
  std::stop_callback<Raise> on_stop_;
};

std::vector<const void*> addresses(const CasesView& cases) {
  std::vector<const void*> columns;
  for (const ArgumentColumn& column : cases.columns) columns.push_back(column.data);
  return columns;
}

// The table of constants of the cases that run next.
class LoadedRows {
 public:
  // `cells`: of each variant, which has `each` cases. `lanes`: 1 for a table of the job.
  LoadedRows(std::span<const u64> cells, u64 count, u64 each, u64 lanes)
      : cells_(cells),
        count_(count),
        each_(std::max<u64>(each, 1)),
        lanes_(lanes),
        rows_((count * lanes + 7) / 8) {
    fill(0);
  }
  [[nodiscard]] const u64* rows() const { return count_ == 0 ? nullptr : rows_.data()->cells; }
  // For the cases from row `row` on.
  void use(u64 row) {
    if (lanes_ != 1 && cells_.size() != count_) fill(row);
  }

 private:
  struct alignas(64) Line {
    u64 cells[8];
  };
  // Lanes behind the last variant have its numbers.
  void fill(u64 row) {
    if (count_ == 0) return;
    u64* const rows = rows_.data()->cells;
    for (u64 lane = 0; lane < lanes_; ++lane) {
      const u64 first = std::min((row + lane) / each_ * count_, cells_.size() - count_);
      for (u64 k = 0; k < count_; ++k) rows[k * lanes_ + lane] = cells_[first + k];
    }
  }

  std::span<const u64> cells_;
  u64 count_, each_, lanes_;
  std::vector<Line> rows_;
};

void put_end(const OutcomesView& out, u64 row, u64 ended) {
  out.traps[row] = static_cast<Trap>(ended & 0xFF);
  out.places[row] = static_cast<u32>(ended >> 32);
  out.depths[row] = static_cast<u32>(ended >> 8 & 0xFF'FFFF);
}

}  // namespace

struct NativeCode::Owned {
  const AbiTable& table;
  CompiledCode code;
  u32 results;
  u32 place;  // the first instruction
  Loaded loaded;
};

NativeCode::NativeCode(const AbiTable& table, CompiledCode&& code, const Function& function,
                       Loaded loaded)
    : owned_(new Owned{table, std::exchange(code, {}), function.result_cells, function.code_begin,
                       std::move(loaded)}) {}
NativeCode::~NativeCode() {
  if (owned_ != nullptr) owned_->table.release(&owned_->code);
  delete owned_;
}
NativeCode::NativeCode(NativeCode&& other) noexcept
    : owned_(std::exchange(other.owned_, nullptr)) {}
NativeCode& NativeCode::operator=(NativeCode&& other) noexcept {
  std::swap(owned_, other.owned_);
  return *this;
}

u64 NativeCode::code_bytes() const { return owned_->code.code_bytes; }

u32 NativeCode::lanes() const { return owned_->code.lanes; }

std::span<const u32> NativeCode::loaded() const { return owned_->loaded.numbers; }

void NativeCode::run(const NativeJob& job, OutcomesView out) const {
  const PlainFloats floats;
  const Loaded& loaded = owned_->loaded;
  // Of each variant those that are loaded.
  std::vector<u64> cells;
  const size_t constants = job.constants.size() / job.variants;
  for (u32 variant = 0; variant < job.variants; ++variant)
    for (size_t k = 0; k < loaded.numbers.size(); ++k)
      cells.push_back(
          canonical_cell(loaded.types[k], job.constants[variant * constants + loaded.numbers[k]]));
  if (job.fuel == 0) {
    std::fill(out.values.begin(), out.values.end(), 0);
    std::fill(out.traps.begin(), out.traps.end(), Trap::Fuel);
    std::fill(out.places.begin(), out.places.end(), owned_->place);
    std::fill(out.depths.begin(), out.depths.end(), 1);
    std::fill(out.fuel.begin(), out.fuel.end(), 0);
  } else if (owned_->code.lanes == 1) {
    run_cases(job, cells, out);
  } else {
    run_lanes(job, cells, out);
  }
}

void NativeCode::run_cases(const NativeJob& job, std::span<const u64> cells,
                           OutcomesView out) const {
  const CompiledCode& code = owned_->code;
  const std::vector<const void*> columns = addresses(job.cases);
  std::vector<std::byte> scratch(code.scratch_bytes);
  SharedCaseState shared;
  CaseState& state = shared.state;
  state.scratch = scratch.data();
  const StopFlag flag(job.stop, state.stop);
  const u64 count = job.cases.count, each = count / job.variants;
  const u64 loaded = owned_->loaded.numbers.size();
  for (u64 row = 0; row < count; ++row) {
    shared.constants = cells.data() + row / each * loaded;
    // Without slices the count has a sign. Nobody uses up so many ticks.
    constexpr u64 kMost = ~u64{0} >> 1;
    state.left = std::min(job.fuel - 1, code.has_slices != 0 ? kSlice : kMost);
    state.reserve = job.fuel - 1 - state.left;
    const u64 ended = code.run(&state, columns.data(), row, out.values.data() + row, count);
    put_end(out, row, ended);
    out.fuel[row] = job.fuel - state.left - state.reserve;
    if (ended != 0)
      for (u64 k = 0; k < owned_->results; ++k) out.values[k * count + row] = 0;
  }
}

void NativeCode::run_lanes(const NativeJob& job, std::span<const u64> cells,
                           OutcomesView out) const {
  const CompiledCode& code = owned_->code;
  const u64 lanes = code.lanes, count = job.cases.count;
  const std::vector<const void*> columns = addresses(job.cases);
  constexpr size_t kAlign = 64;
  std::vector<std::byte> scratch(code.scratch_bytes + kAlign);
  LaneState state;
  state.scratch = scratch.data() + (kAlign - reinterpret_cast<uintptr_t>(scratch.data()) % kAlign);
  state.budget = job.fuel - 1;
  const StopFlag flag(job.stop, state.stop);
  static_assert(sizeof(Trap) == 1);
  state.values = out.values.data();
  state.stride = count;
  state.traps = reinterpret_cast<u8*>(out.traps.data());
  state.places = out.places.data();
  state.depths = out.depths.data();
  state.fuel = out.fuel.data();
  LoadedRows loaded(cells, owned_->loaded.numbers.size(), count / job.variants,
                    owned_->loaded.of == ConstantsOf::Case ? lanes : 1);
  state.constants = loaded.rows();
  u64 row = 0;
  for (; row + lanes <= count; row += lanes) {
    loaded.use(row);
    code.run_lanes(&state, columns.data(), row, lanes);
  }
  if (row == count) return;
  loaded.use(row);

  // The rest, in columns that are long enough.
  const u64 rows = count - row;
  std::vector<u64> arguments(columns.size() * lanes), values(owned_->results * lanes);
  std::vector<const void*> places;
  for (size_t k = 0; k < columns.size(); ++k) {
    const size_t bytes = scalar_bytes(job.cases.columns[k].type);
    std::memcpy(&arguments[k * lanes], static_cast<const std::byte*>(columns[k]) + row * bytes,
                rows * bytes);
    places.push_back(&arguments[k * lanes]);
  }
  struct {
    u64 fuel[kMostLanes];
    u32 places[kMostLanes], depths[kMostLanes];
    Trap traps[kMostLanes];
  } rest;
  state.values = values.data();
  state.stride = lanes;
  state.traps = reinterpret_cast<u8*>(rest.traps);
  state.places = rest.places;
  state.depths = rest.depths;
  state.fuel = rest.fuel;
  code.run_lanes(&state, places.data(), 0, rows);
  for (u64 k = 0; k < owned_->results; ++k)
    std::copy_n(&values[k * lanes], rows, &out.values[k * count + row]);
  std::copy_n(rest.traps, rows, &out.traps[row]);
  std::copy_n(rest.places, rows, &out.places[row]);
  std::copy_n(rest.depths, rows, &out.depths[row]);
  std::copy_n(rest.fuel, rows, &out.fuel[row]);
}

}  // namespace komuz::backend
