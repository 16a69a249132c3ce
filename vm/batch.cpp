// SPDX-License-Identifier: Apache-2.0
// The batch machine: its choice of an instruction set, its memory, and the walk over the tiles of a job.
#include <cstring>
#include <new>

#include "vm/lane_machine.h"
#include "vm/lower.h"
#include "vm/one_lane.h"

namespace komuz::vm {

const LaneMachine& lane_machine(SimdLevel level) {
  switch (level) {
    case SimdLevel::Portable: return lane_machine_portable();
    case SimdLevel::Avx2: return lane_machine_avx2();
    case SimdLevel::Avx512: return lane_machine_avx512();
  }
  return lane_machine_portable();
}

namespace {

constexpr std::align_val_t kFrameAlignment{64};

// Wide registers are of no use to one lane.
const OneLane& one_lane(SimdLevel level) {
  static const OneLane portable(lane_machine_portable(), one_lane_handlers_portable());
  static const OneLane avx2(lane_machine_avx2(), one_lane_handlers_avx2());
  static const OneLane avx512(lane_machine_avx512(), one_lane_handlers_avx2());
  switch (level) {
    case SimdLevel::Portable: return portable;
    case SimdLevel::Avx2: return avx2;
    case SimdLevel::Avx512: return avx512;
  }
  return portable;
}

// Memory for the frames of a tile. It grows, never shrinks, and does not keep its contents.
class FrameMemory {
 public:
  FrameMemory() = default;
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;
  ~FrameMemory() { release(); }
  char* at_least(size_t bytes) {
    if (bytes > size_) {
      release();
      data_ = nullptr;  // there may be no memory
      size_ = 0;
      data_ = static_cast<char*>(::operator new(bytes, kFrameAlignment));
      size_ = bytes;
    }
    return data_;
  }

 private:
  void release() { ::operator delete(data_, kFrameAlignment); }
  char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace

bool is_stopped(const Tile& t) { return t.stop->stop_requested(); }

struct BatchMachine::Workspace {
  explicit Workspace(SimdLevel simd_level) : level(simd_level), machine(lane_machine(simd_level)) {}

  void lower(const Job& job);
  void prepare(const Job& job, OutcomesView out);
  void run(const Job& job);
  void move_columns(i64 tiles);
  void copy_arguments(const CasesView& cases);

  SimdLevel level;
  const LaneMachine& machine;
  BatchLowering lowering;
  LoweredProgram program;
  Tile tile;
  FrameMemory frames;
  std::vector<Waiting> regions;
  std::vector<CallRecord> calls;
  std::vector<u32> live_in_cycle;
};

void BatchMachine::Workspace::lower(const Job& job) {
  lowering.run(job, machine.handlers, program);
  if (job.cases.count == 1 && !program.is_straight) one_lane(level).use(program);
}

void BatchMachine::Workspace::prepare(const Job& job, OutcomesView out) {
  tile.frame = frames.at_least(size_t{program.frame_cells} * kCellBytes * program.tile_lanes);
  if (regions.size() < program.regions) regions.resize(program.regions);
  if (calls.size() < program.live_frames) calls.resize(program.live_frames);
  live_in_cycle.assign(program.cycles + 1, 0);
  tile.first_frame = tile.frame;
  tile.first_regions = tile.regions = regions.data();
  tile.calls = calls.data();
  tile.live_in_cycle = live_in_cycle.data();
  tile.program = &program;
  tile.budget = job.fuel;
  tile.stop = job.stop;
  tile.cases = job.cases.count;
  tile.out = out;
}

namespace {

i64& operand_of(LoweredOp& op, u8 which) { return which == 0 ? op.a : which == 1 ? op.b : op.c; }

}  // namespace

void BatchMachine::Workspace::move_columns(i64 tiles) {
  for (const LoweredProgram::ColumnUse& use : program.column_uses)
    operand_of(program.ops[use.op], use.operand) += tiles * program.tile_lanes * use.bytes;
}

// Up to the end of the last vector: lanes behind the last case are computed with, too, and the frame might hold
// subnormal numbers there, each of which takes a processor 150 cycles.
void BatchMachine::Workspace::copy_arguments(const CasesView& cases) {
  const size_t pitch = size_t{program.tile_lanes} * kCellBytes;
  for (size_t slot = 0; slot < cases.columns.size(); ++slot) {
    const ArgumentColumn& column = cases.columns[slot];
    const size_t bytes = scalar_bytes(column.type);
    std::memcpy(tile.first_frame + slot * pitch,
                static_cast<const char*>(column.data) + tile.first_case * bytes,
                (tile.count * bytes + kBroadcastBytes - 1) / kBroadcastBytes * kBroadcastBytes);
  }
}

void BatchMachine::Workspace::run(const Job& job) {
  const Function& entry = job.code.functions[job.function];
  for (u32 first = 0; first < job.cases.count; first += program.tile_lanes) {
    if (first != 0) move_columns(1);
    tile.first_case = first;
    const u32 left = job.cases.count - first;
    tile.count = left < program.tile_lanes ? left : program.tile_lanes;
    tile.frame = tile.first_frame;
    tile.regions = tile.first_regions;
    if (program.copies_arguments) copy_arguments(job.cases);
    if (entry.cycle != 0) live_in_cycle[entry.cycle] = 1;
    machine.run_tile(tile, program.ops.data() + program.first_op, entry.code_begin);
  }
}

BatchMachine::BatchMachine(SimdLevel level) : workspace_(new Workspace(level)) {}
BatchMachine::~BatchMachine() { delete workspace_; }
BatchMachine::BatchMachine(BatchMachine&& other) noexcept : workspace_(other.workspace_) {
  other.workspace_ = nullptr;
}
BatchMachine& BatchMachine::operator=(BatchMachine&& other) noexcept {
  std::swap(workspace_, other.workspace_);
  return *this;
}

SimdLevel BatchMachine::level() const { return workspace_->level; }

void BatchMachine::run(const Job& job, OutcomesView out) {
  if (job.cases.count == 0) return;
  Workspace& w = *workspace_;
  w.lower(job);
  w.prepare(job, out);
  w.run(job);
}

bool BatchMachine::run_again(const Job& job, OutcomesView out) {
  if (job.cases.count == 0) return true;
  Workspace& w = *workspace_;
  if (!w.lowering.renew_constants(job)) {
    run(job, out);
    return false;
  }
  w.move_columns(-i64{w.tile.first_case / w.program.tile_lanes});
  w.prepare(job, out);
  w.run(job);
  return true;
}

}  // namespace komuz::vm
