// SPDX-License-Identifier: Apache-2.0
// Programs on columns of numbers. Rows are taken in blocks, whose arguments and outcomes stay in the first levels of cache. A block
// of a column that already lies as the machines read it (lang/cases.h) is not copied. Arrays begin anywhere in a line of the cache, but
// mostly all in the same place: the rows before the first line are a block of their own, and the blocks behind it lie well.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>

#include "engine/native/job_clock.h"
#include "engine/support/worker_pool.h"
#include "lang/type_codes.h"
#include "python/binding/problems.h"
#include "python/binding/program.h"
#include "vm/vm.h"

namespace komuz::python {
namespace {

constexpr u32 kBlock = 4096;                  // rows
constexpr size_t kStretch = size_t{1} << 16;  // rows that a thread takes at a time
constexpr size_t kAlignment = 64;

struct alignas(kAlignment) Block {
  std::byte bytes[kBlock * sizeof(u64)];
};

std::string misfit_text(const NumberColumn& column, size_t row, Scalar type) {
  std::string value = std::to_string(column.number(row));
  return "row " + std::to_string(row) + " of `" + column.name + "` is " + value + ", which no " +
         cell_type_text(type) + " is";
}

// Turns rows into numbers of a type. False: the number of row `bad` does not fit.
template <class To>
bool fill(To* to, const NumberColumn& column, size_t begin, size_t rows, size_t& bad) {
  for (size_t k = 0; k < rows; ++k) {
    const size_t row = begin + k;
    if constexpr (std::is_floating_point_v<To>) {
      to[k] = static_cast<To>(column.number(row));
    } else {
      const u64 whole = column.whole(row);
      to[k] = static_cast<To>(whole);
      const bool is_negative = is_signed(column.kind) && static_cast<i64>(whole) < 0;
      const bool fits =
          static_cast<u64>(static_cast<i64>(to[k])) == whole && is_negative == (to[k] < To{0});
      if (fits) continue;
      bad = row;
      return false;
    }
  }
  return true;
}

// The common case: most columns are of this type, and lie one number behind the other.
void fill_f64(f64* to, const NumberColumn& column, size_t begin, size_t rows) {
  const std::byte* from = column.at(begin);
  const std::ptrdiff_t stride = column.stride;
  if (stride == sizeof(f64)) {
    std::memcpy(to, from, rows * sizeof(f64));
    return;
  }
  for (size_t k = 0; k < rows; ++k, from += stride) std::memcpy(to + k, from, sizeof(f64));
}

// True if some row trapped. Looks at eight rows at a time.
bool any_trap(std::span<const Trap> traps) {
  static_assert(sizeof(Trap) == 1 && static_cast<u8>(Trap::None) == 0);
  u64 all = 0, eight = 0;
  size_t k = 0;
  for (; k + sizeof(u64) <= traps.size(); k += sizeof(u64)) {
    std::memcpy(&eight, traps.data() + k, sizeof(u64));
    all |= eight;
  }
  for (; k < traps.size(); ++k) all |= static_cast<u8>(traps[k]);
  return all != 0;
}

bool fill_block(Block& block, Scalar type, const NumberColumn& column, size_t begin, size_t rows,
                size_t& bad) {
  const auto as = [&]<class To>(To*) {
    return fill(reinterpret_cast<To*>(block.bytes), column, begin, rows, bad);
  };
  switch (type) {
    case Scalar::F64:
      if (column.kind != NumberKind::F64) return as(static_cast<f64*>(nullptr));
      fill_f64(reinterpret_cast<f64*>(block.bytes), column, begin, rows);
      return true;
    case Scalar::F32: return as(static_cast<f32*>(nullptr));
    case Scalar::I32: return as(static_cast<i32*>(nullptr));
    case Scalar::I64: return as(static_cast<i64*>(nullptr));
    case Scalar::Bool:
    case Scalar::U8: return as(static_cast<u8*>(nullptr));
    case Scalar::U32: return as(static_cast<u32*>(nullptr));
    case Scalar::U64: return as(static_cast<u64*>(nullptr));
    default: return false;
  }
}

// The type that numbers of a kind are as they lie in memory.
Scalar type_of(NumberKind kind) {
  switch (kind) {
    case NumberKind::I32: return Scalar::I32;
    case NumberKind::I64: return Scalar::I64;
    case NumberKind::U8: return Scalar::U8;
    case NumberKind::U32: return Scalar::U32;
    case NumberKind::U64: return Scalar::U64;
    case NumberKind::F32: return Scalar::F32;
    case NumberKind::F64: return Scalar::F64;
    default: return Scalar::None;
  }
}

// A kind of number that a parameter takes.
void check_kind(const NumberColumn& column, Scalar type) {
  const bool is_bool = column.kind == NumberKind::Bool;
  const bool fits = is_float(type)         ? !is_bool
                    : type == Scalar::Bool ? is_bool
                                           : !is_float(column.kind) && !is_bool;
  if (fits) return;
  raise(input_problem({},
                      "the parameter `" + column.name + "` is " + cell_type_text(type) +
                          ", and its column holds " + std::string(kind_name(column.kind)),
                      "give a column of the parameter's kind, such as by `.astype(...)`"));
}

// Does the column lie as the machines read it, but for where it begins?
bool is_as_read(const NumberColumn& column, Scalar type) {
  return type_of(column.kind) == type &&
         column.stride == static_cast<std::ptrdiff_t>(scalar_bytes(type));
}
bool is_aligned(const std::byte* at) { return std::bit_cast<std::uintptr_t>(at) % kAlignment == 0; }

// How many rows stand before the first one in which most columns are aligned.
size_t lead_of(std::span<const NumberColumn> columns, std::span<const Scalar> types, size_t rows) {
  if (rows < kBlock) return 0;
  size_t lead = 0;
  std::ptrdiff_t most = -1;
  for (size_t row = 0; row < kAlignment; ++row) {
    std::ptrdiff_t aligned = 0;
    for (size_t k = 0; k < columns.size(); ++k)
      aligned += is_as_read(columns[k], types[k]) && is_aligned(columns[k].at(row));
    if (aligned <= most) continue;
    most = aligned;
    lead = row;
  }
  return lead;
}

void store(std::byte* to, Scalar type, u64 cell) {
  // Cells are little-endian, so a smaller type is the first bytes of its cell.
  std::memcpy(to, &cell, scalar_bytes(type));
}

// All that the threads of a run share.
struct RowsRun {
  CodeView code;
  u32 function;
  std::span<const Scalar> parameters;
  std::span<const NumberColumn> columns;
  std::span<const ResultColumn> results;
  u8* traps;
  size_t rows, lead;
  u64 fuel;
  const std::stop_token* stop;
  ProgramTier& tier;
  const std::shared_ptr<engine::NativeTier>& native;
};

class Stretch {
 public:
  explicit Stretch(const RowsRun& run)
      : run_(run), blocks_(run.columns.size()), arguments_(run.columns.size()) {}

  // Problem: a number does not fit.
  Problem run(size_t begin, size_t end, RowTraps& out) {
    for (u32 rows = 0; begin < end && !run_.stop->stop_requested(); begin += rows) {
      const size_t left = begin < run_.lead ? run_.lead - begin : end - begin;
      rows = static_cast<u32>(std::min<size_t>(kBlock, left));
      for (size_t k = 0; k < run_.columns.size(); ++k)
        if (Problem misfit = take(k, begin, rows)) return misfit;
      run_block(begin, rows);
      if (any_trap(traps_)) note_traps(begin, out);
    }
    return {};
  }

 private:
  // A long call may become native from one block to the next.
  void run_block(size_t begin, u32 rows) {
    const std::span<u64> values = values_of(begin, rows);
    traps_.resize(rows);
    places_.resize(rows);
    depths_.resize(rows);
    ticks_.resize(rows);
    const CasesView cases{arguments_, rows};
    const OutcomesView outcomes{values, traps_, places_, depths_, ticks_};
    const ProgramTier::Way way = run_.tier.way();
    const bool is_timed = way.is_timed && run_.native != nullptr;
    if (is_timed) clock_.start();
    if (way.native != nullptr)
      way.native->run({cases, run_.fuel, run_.stop, run_.code.constants}, outcomes);
    else
      machine_.run({run_.code, run_.function, cases, run_.fuel, run_.stop}, outcomes);
    if (is_timed && !run_.stop->stop_requested()) note_work(way, clock_.stop());
    if (values.data() == values_.data()) give(begin, rows);
  }

  void note_work(const ProgramTier::Way& way, i64 ns) {
    const u64 ticks = std::accumulate(ticks_.begin(), ticks_.end(), u64{0});
    const ProgramTier::Work work{ticks_.size(), ticks, ns};
    if (way.native != nullptr)
      run_.tier.note_native(work, *run_.native);
    else
      run_.tier.note_batch(work, run_.native, run_.code, run_.function);
  }

  Problem take(size_t k, size_t begin, u32 rows) {
    const NumberColumn& column = run_.columns[k];
    const Scalar type = run_.parameters[k];
    const std::byte* const from = column.at(begin);
    arguments_[k].type = type;
    // The machines read up to the end of a line.
    const bool lies_well =
        is_as_read(column, type) && is_aligned(from) && is_aligned(column.at(begin + rows));
    arguments_[k].data = lies_well ? static_cast<const void*>(from) : blocks_[k].bytes;
    if (lies_well) return {};
    size_t bad = 0;
    if (fill_block(blocks_[k], type, column, begin, rows, bad)) return {};
    return input_problem({}, misfit_text(column, bad, type), "give numbers that the type has");
  }

  // One column of 64-bit results is written where it is to lie.
  std::span<u64> values_of(size_t begin, u32 rows) {
    if (run_.results.size() == 1 && scalar_bytes(run_.results[0].type) == sizeof(u64))
      return {reinterpret_cast<u64*>(run_.results[0].data) + begin, rows};
    values_.resize(run_.results.size() * rows);
    return values_;
  }

  void give(size_t begin, u32 rows) const {
    for (size_t cell = 0; cell < run_.results.size(); ++cell) {
      const ResultColumn& to = run_.results[cell];
      const size_t bytes = scalar_bytes(to.type);
      for (u32 k = 0; k < rows; ++k)
        store(to.data + (begin + k) * bytes, to.type, values_[cell * rows + k]);
    }
  }

  void note_traps(size_t begin, RowTraps& out) const {
    for (size_t k = 0; k < traps_.size(); ++k) {
      if (traps_[k] == Trap::None) continue;
      out.add(begin + k, traps_[k], places_[k], depths_[k]);
      if (run_.traps != nullptr) run_.traps[begin + k] = 1;
    }
  }

  const RowsRun& run_;
  vm::BatchMachine machine_;
  engine::JobClock clock_;
  std::vector<Block> blocks_;
  std::vector<ArgumentColumn> arguments_;
  std::vector<u64> values_, ticks_;
  std::vector<Trap> traps_;
  std::vector<u32> places_, depths_;
};

}  // namespace

RowTraps Program::run_rows(std::span<const NumberColumn> columns, size_t rows,
                           std::span<const ResultColumn> results, u8* traps,
                           const RowsOptions& options, const std::stop_token& stop) const {
  for (size_t k = 0; k < columns.size(); ++k) check_kind(columns[k], parameters_[k]);
  const RowsRun run{code_.view(), function_, parameters_, columns,
                    results,      traps,     rows,        lead_of(columns, parameters_, rows),
                    options.fuel, &stop,     tier_,       options.native};
  const auto stretches = static_cast<u32>((rows - run.lead + kStretch - 1) / kStretch);
  engine::WorkerPool pool(stretches <= 1 ? 1 : options.threads);
  std::vector<std::unique_ptr<Stretch>> runs(pool.size());
  std::vector<RowTraps> found(pool.size());
  std::mutex mutex;
  Problem problem;
  pool.run(stretches, [&](u32 worker, u32 index) {
    if (!runs[worker]) runs[worker] = std::make_unique<Stretch>(run);
    const size_t begin = index == 0 ? 0 : run.lead + index * kStretch;
    const size_t end = index + 1 == stretches ? rows : run.lead + (index + 1) * kStretch;
    Problem misfit = runs[worker]->run(begin, end, found[worker]);
    if (!misfit) return;
    const std::scoped_lock lock(mutex);
    if (!problem) problem = std::move(misfit);
  });
  raise(std::move(problem));
  RowTraps all;
  for (const RowTraps& of : found) all.add(of);
  return all;
}

}  // namespace komuz::python
