// SPDX-License-Identifier: Apache-2.0
#include <xmmintrin.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "backend/abi.h"
#include "backend/backend.h"

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
};

NativeCode::NativeCode(const AbiTable& table, CompiledCode&& code, const Function& function,
                       u32 place)
    : owned_(new Owned{table, std::exchange(code, {}), function.result_cells, place}) {}
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

void NativeCode::run(const NativeJob& job, OutcomesView out) const {
  const PlainFloats floats;
  if (job.fuel == 0) {
    std::fill(out.values.begin(), out.values.end(), 0);
    std::fill(out.traps.begin(), out.traps.end(), Trap::Fuel);
    std::fill(out.places.begin(), out.places.end(), owned_->place);
    std::fill(out.depths.begin(), out.depths.end(), 1);
    std::fill(out.fuel.begin(), out.fuel.end(), 0);
  } else if (owned_->code.lanes == 1) {
    run_cases(job, out);
  } else {
    run_lanes(job, out);
  }
}

void NativeCode::run_cases(const NativeJob& job, OutcomesView out) const {
  const CompiledCode& code = owned_->code;
  const std::vector<const void*> columns = addresses(job.cases);
  std::vector<std::byte> scratch(code.scratch_bytes);
  CaseState state;
  state.scratch = scratch.data();
  const StopFlag flag(job.stop, state.stop);
  const u64 count = job.cases.count;
  for (u64 row = 0; row < count; ++row) {
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

void NativeCode::run_lanes(const NativeJob& job, OutcomesView out) const {
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
  u64 row = 0;
  for (; row + lanes <= count; row += lanes) code.run_lanes(&state, columns.data(), row, lanes);
  if (row == count) return;

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
