// SPDX-License-Identifier: Apache-2.0
#include "engine/device/expanded_maker.h"

#include <algorithm>
#include <cstring>

#include "engine/device/lower_variant.h"
#include "engine/device/write_variant.h"
#include "engine/sketch/fill_room.h"
#include "lang/link/link.h"

namespace komuz::engine {
namespace {

// Most memory of a thread. If a variant needs more, the host makes all variants.
constexpr size_t kMostThreadScratch = size_t{2} << 20;
// Most bytes of a stretch's texts. Their code may take 16 times as much (output_bytes_for).
constexpr u32 kMostText = 16u << 20;

size_t scratch_bytes(const ExpandRoom& room) {
  return std::max(VariantTextWriter::bytes(room), VariantLowering::bytes(room));
}

// Copies all tables into one block, laid out as on the device, where the block begins at `there`. Each table then
// points into that copy.
class TablesCopy {
 public:
  static constexpr size_t kAlignment = 16;

  template <class T>
  void count(std::span<const T>& table) {
    bytes_ += (table.size_bytes() + kAlignment - 1) / kAlignment * kAlignment;
  }
  void begin(u8* there) {
    copy_.resize(bytes_);
    there_ = there;
  }
  template <class T>
  void add(std::span<const T>& table) {
    if (!table.empty()) std::memcpy(copy_.data() + at_, table.data(), table.size_bytes());
    const size_t begin = at_;
    at_ += (table.size_bytes() + kAlignment - 1) / kAlignment * kAlignment;
    table = {reinterpret_cast<const T*>(there_ + begin), table.size()};
  }
  [[nodiscard]] size_t bytes() const { return bytes_; }
  [[nodiscard]] const u8* data() const { return copy_.data(); }

 private:
  std::vector<u8> copy_;
  size_t bytes_ = 0, at_ = 0;
  u8* there_ = nullptr;
};

}  // namespace

bool ExpandedMaker::can_make(const SketchProgram& sketch) {
  return FillPlan(sketch.source, sketch.plan, FillPlan::Points::InTables).can_fill();
}

Problem ExpandedMaker::load(ExpandedSketch sketch, frontend::BatchCompiler& compiler) {
  sketch_ = std::move(sketch);
  compiler_ = &compiler;
  fill_.emplace(sketch_.sketch->source, sketch_.sketch->plan, FillPlan::Points::InTables);
  const Library none;
  const Library& library = sketch_.library == nullptr ? none : *sketch_.library;
  std::vector<u32> files;
  list_files(library, sketch_.harness, sketch_.heads, files);
  library_.emplace(library, files);
  task_ = {};
  task_.variants = sketch_.sketch->plan.tables();
  task_.fill = fill_->tables();
  task_.fill.points_on_demand = nullptr;
  task_.interfaces = sketch_.interfaces;
  task_.library = library_->rows();
  task_.heads = sketch_.heads;
  if (sketch_.added)
    task_.added = {sketch_.added->instructions, sketch_.added->constants, sketch_.added->slot_types,
                   sketch_.added->header};
  task_.entry = sketch_.entry;
  task_.harness = sketch_.harness;
  task_.harness_entry = sketch_.harness_entry;
  task_.stack_limit = sketch_.stack_limit;
  use_room(room_of(scale_));
  Problem problem = send_tables();
  has_no_tables_ = is_full();
  return has_no_tables_ ? Problem() : problem;
}

Problem ExpandedMaker::send_tables() {
  TablesCopy copy;
  task_.for_each([&](auto& table) { copy.count(table); });
  u8* there = nullptr;
  Problem problem = reserve(static_cast<u32>(Part::Tables), copy.bytes(), there);
  copy.begin(there);
  task_.for_each([&](auto& table) { copy.add(table); });
  return std::move(problem).then([&] { return send(there, copy.data(), copy.bytes()); });
}

// At scale 1 a variant gets room for twice what the example needs.
ExpandRoom ExpandedMaker::room_of(u32 scale) const {
  const Code& example = sketch_.example;
  const auto about = [scale](size_t of_example) {
    return (scale + 1) * static_cast<u32>(of_example) + scale * 64;
  };
  const VariantTables variants = sketch_.sketch->plan.tables();  // the task's tables lie there
  const u32 parts = 32 * scale;                                  // of expressions from spaces
  u32 holes = 0;                                                 // of a space
  for (const SketchSpan& space : variants.space_holes)
    holes = std::max(holes, space.end - space.begin);
  u32 most_stack = 0;
  for (const Function& f : example.functions) most_stack = std::max<u32>(most_stack, f.max_stack);
  const u32 stack = about(most_stack);
  ExpandRoom room;
  room.decoder = {.nesting = variants.nesting,
                  .decided = variants.hole_count + parts * holes + 1,
                  .instances = 1 + parts};
  room.filling = filling_room(*fill_, sketch_.sketch->plan, scale);
  const u32 text =
      text_room(*fill_, sketch_.sketch->plan, scale) + static_cast<u32>(sketch_.interfaces.size());
  room.text = (text + 16) / 8 * 8;
  room.instructions = about(example.instructions.size());
  room.constants = about(example.constants.size());
  room.functions = about(example.functions.size());
  room.types = 4 * about(example.types.size());
  room.slots = about(example.slot_types.size());
  room.names = 4 * about(example.names.size());
  room.result_cells = room.slots;
  room.linking = library_->room(room.functions, room.constants, room.functions);
  room.code = {.ops = 2 * room.instructions + 4 * stack,
               .constants = 2 * (room.constants + room.instructions) + stack,
               .lowering = {.functions = room.functions,
                            .calls = room.instructions,
                            .stack = stack,
                            .regions = room.instructions / 2 + 2,
                            .arms = room.instructions + stack}};
  return room;
}

void ExpandedMaker::use_room(const ExpandRoom& room) {
  task_.room = room;
  task_.scratch_bytes = scratch_bytes(room);
}
// The host is faster than stretches of a few variants.
bool ExpandedMaker::fits(const ExpandRoom& room) {
  constexpr u32 kLeastStretch = 64;
  return scratch_bytes(room) <= kMostThreadScratch && room.text <= kMostText / kLeastStretch;
}
bool ExpandedMaker::can_grow() const { return fits(room_of(2 * scale_)); }
void ExpandedMaker::grow() { use_room(room_of(scale_ *= 2)); }

u32 ExpandedMaker::longest_stretch() const { return std::max(kMostText / task_.room.text, 1u); }

// Points the task to memory for the threads' results.
Problem ExpandedMaker::reserve_stretch() {
  Problem problem;
  const auto place = [&]<class T>(Part part, u64 rows, T*& out) {
    if (!problem) problem = reserve_rows(part, rows, out);
  };
  set_code_room(2 * sketch_.example.instructions.size() + 32, task_.count);
  task_.code.most_ops = task_.code.most_constants = code_room();
  place(Part::Texts, u64{task_.count} * task_.room.text, task_.texts);
  place(Part::Programs, task_.count, task_.programs);
  place(Part::Counts, 1, task_.counts);
  place(Part::Ops, code_room(), task_.code.ops);
  place(Part::Places, code_room(), task_.code.places);
  place(Part::Constants, code_room(), task_.code.constants);
  place(Part::Scratch, threads_for(task_) * task_.scratch_bytes, task_.scratch);
  task_.code.counts = &task_.counts->made;
  code_ = {task_.code.ops, task_.code.places, task_.code.constants};
  const ExpandCounts none{};
  return std::move(problem).then([&] { return send(task_.counts, &none, sizeof none); });
}

Problem ExpandedMaker::run_and_count(ExpandStep step, ExpandCounts& counts) {
  return run(step, task_).then([&] { return fetch(&counts, task_.counts, sizeof counts); });
}

Problem ExpandedMaker::compile(const ExpandCounts& written) {
  return compiler_->run_there({.text = reinterpret_cast<const u8*>(task_.texts),
                               .programs = task_.programs,
                               .count = task_.count,
                               .text_bytes = written.text_bytes,
                               .longest = static_cast<u32>(written.longest_text)},
                              task_.compiled);
}

// A variant without a text need not be compiled: either the stretch starts again with more room, or the host makes
// it.
Problem ExpandedMaker::make_stretch(const VariantStretch& stretch, u32 count, Stretched& out,
                                    u32& programs) {
  task_.count = count;
  task_.stretch = stretch;
  programs = 0;
  out = count == 0 ? Stretched::Done : Stretched::Never;
  if (count == 0 || has_no_tables_ || !fits(task_.room)) return {};
  ExpandCounts counts{};
  Problem problem = reserve_stretch();
  if (is_full()) return {};
  if (!problem) problem = run_and_count(ExpandStep::Write, counts);
  const bool has_texts = counts.made.no_room == 0 && counts.made.left == 0;
  if (!problem && has_texts) problem = compile(counts);
  if (task_.compiled.is_full) return {};
  if (!problem && has_texts) problem = run_and_count(ExpandStep::Lower, counts);
  if (problem) return problem;
  programs = static_cast<u32>(counts.made.programs);
  out = settle(counts.made);
  return {};
}

Result<std::unique_ptr<ExpandedMaker>> open_expanded_maker(const vm::WarpDevice& device) {
  if (device.gpu() < 0) return host_expanded_maker();
  return open_cuda_expanded_maker(device.gpu());
}

}  // namespace komuz::engine
