// SPDX-License-Identifier: Apache-2.0
#include <xmmintrin.h>

#include <algorithm>
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

void NativeCode::run(const NativeJob& job, OutcomesView out) const {
  const CompiledCode& code = owned_->code;
  std::vector<const void*> columns;
  for (const ArgumentColumn& column : job.cases.columns) columns.push_back(column.data);
  std::vector<std::byte> scratch(code.scratch_bytes);
  CaseState state;
  state.scratch = scratch.data();
  const std::stop_token never;
  const std::stop_callback on_stop(job.stop != nullptr ? *job.stop : never,
                                   [&state] { state.stop.store(1, std::memory_order_relaxed); });
  const PlainFloats floats;
  const u64 count = job.cases.count;
  for (u64 row = 0; row < count; ++row) {
    u64 ended = 0;
    if (job.fuel == 0) {
      state.left = state.reserve = 0;
      ended = static_cast<u64>(Trap::Fuel) | u64{1} << 8 | u64{owned_->place} << 32;
    } else {
      state.left = std::min(job.fuel - 1, kSlice);
      state.reserve = job.fuel - 1 - state.left;
      ended = code.run(&state, columns.data(), row, out.values.data() + row, count);
    }
    out.traps[row] = static_cast<Trap>(ended & 0xFF);
    out.places[row] = static_cast<u32>(ended >> 32);
    out.depths[row] = static_cast<u32>(ended >> 8 & 0xFF'FFFF);
    out.fuel[row] = job.fuel - state.left - state.reserve;
    if (ended != 0)
      for (u64 k = 0; k < owned_->results; ++k) out.values[k * count + row] = 0;
  }
}

}  // namespace komuz::backend
