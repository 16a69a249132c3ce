// SPDX-License-Identifier: Apache-2.0
#include "engine/device/variant_maker.h"

#include <algorithm>

#include "engine/device/make_variant.h"

namespace komuz::engine {
namespace {

// Most memory of a thread. The host makes variants that need more.
constexpr size_t kMostScratch = size_t{256} << 10;

struct LargestSpace {
  u32 holes = 0, pieces = 0, parameters = 0;
  u32 stack = 0;  // cells, of all spaces as deep as they nest
};
LargestSpace largest_space(const SketchProgram& sketch) {
  LargestSpace out;
  const VariantTables variants = sketch.plan.tables();
  const BindPlan& plan = sketch.bind_plan;
  for (u32 s = 0; s < plan.spaces.size(); ++s) {
    const SketchSpan holes = variants.space_holes[s];
    const BoundFunctions::Space& space = plan.functions.spaces[s];
    out.holes = std::max(out.holes, holes.end - holes.begin);
    out.pieces = std::max(out.pieces, plan.spaces[s].count);
    out.parameters = std::max(out.parameters, space.parameter_slots);
    out.stack += (sketch.plan.sketch().spaces[s].depth + 1) *
                 sketch.code.functions[space.function].max_stack;
  }
  return out;
}

// At scale 1 an expression from spaces has room for some dozens of parts, and instructions on arrays for about one
// cell on average.
VariantRoom room_of(const SketchProgram& sketch, u32 scale) {
  const BindPlan& plan = sketch.bind_plan;
  const LargestSpace space = largest_space(sketch);
  const u32 parts = plan.spaces.empty() ? 0 : 32 * scale;
  const auto code = static_cast<u32>(plan.instructions.size());
  const auto constants = static_cast<u32>(sketch.code.constants.size());
  const auto functions = static_cast<u32>(plan.functions.headers.size());
  u32 most_stack = 0;
  for (const Function& f : plan.functions.headers)
    most_stack = std::max<u32>(most_stack, f.max_stack);
  const u32 stack = most_stack + std::min(space.stack, 128 * scale) + 2;
  VariantRoom room;
  room.instances = 1 + parts;
  room.decided = sketch.plan.tables().hole_count + parts * space.holes + 1;
  room.instructions = code + parts * 8 + BindPlan::kCopied;
  room.constants = scale * (2 * constants + code) + parts * 8 + stack;
  room.binding = {.moved = static_cast<u32>(plan.pieces.size()) + parts * space.pieces,
                  .jumps = room.instructions,
                  .frames = parts,
                  .parameters = parts * space.parameters};
  room.code = {.ops = 2 * (scale * code + parts * 8) + 4 * stack + 32,
               .constants = room.constants,
               .lowering = {.functions = functions,
                            .calls = room.instructions,
                            .stack = stack,
                            .regions = room.instructions / 2 + 2,
                            .arms = room.instructions + stack}};
  return room;
}

}  // namespace

void VariantMaker::List::clear() {
  numbers_.clear();
  begins_.assign(1, 0);
  decisions_.clear();
}
void VariantMaker::List::add(u64 number) {
  numbers_.push_back(number);
  begins_.push_back(begins_.back());
}
void VariantMaker::List::add(std::span<const u32> decisions) {
  numbers_.push_back(VariantTask::kNoNumber);
  decisions_.insert(decisions_.end(), decisions.begin(), decisions.end());
  begins_.push_back(static_cast<u32>(decisions_.size()));
}

Problem VariantMaker::load_sketch(const SketchProgram& sketch, u32 entry, u32 added) {
  sketch_ = &sketch;
  const BoundFunctions& functions = sketch.bind_plan.functions;
  CodeView code = sketch.code.view();
  code.functions = functions.headers;
  static_cast<void>(vm::list_result_types(code, results_.types, results_.begins));
  task_ = {};
  task_.variants = sketch.plan.tables();
  task_.bind = bind_tables(sketch);
  task_.bind.points = nullptr;
  task_.slot_types = functions.slot_types;
  task_.result_types = results_.types;
  task_.result_begins = results_.begins;
  task_.entry = entry;
  task_.own_functions = static_cast<u32>(functions.headers.size()) - added;
  task_.room = room_of(sketch, scale_);
  task_.scratch_bytes = VariantWorkspace::bytes(task_);
  return load(task_);
}

bool VariantMaker::can_make(const SketchProgram& sketch) {
  const auto has_values = [](const BindPlan::GridConstant& grid) {
    return grid.first_value != BindPlan::kNone;
  };
  const BindPlan& plan = sketch.bind_plan;
  if (!std::ranges::all_of(plan.grids, has_values) ||
      !std::ranges::all_of(plan.space_grids, has_values))
    return false;
  VariantTask task{};
  task.variants = sketch.plan.tables();
  task.bind = bind_tables(sketch);
  task.room = room_of(sketch, 1);
  return VariantWorkspace::bytes(task) <= kMostScratch;
}

Problem VariantMaker::make(const List& variants) {
  task_.count = variants.size();
  task_.is_stretch = false;
  made_ = {};
  if (task_.count == 0) return {};
  Output out;
  const Input input{variants.numbers_, variants.begins_, variants.decisions_};
  if (Problem problem = run_task(input, out)) return problem;
  made_ = out.made;
  grow_code_room(out.counts);
  grow_room();
  return {};
}

Problem VariantMaker::make_stretch(const VariantStretch& stretch, u32 count, Stretched& out,
                                   u32& programs) {
  task_.count = count;
  task_.is_stretch = true;
  task_.stretch = stretch;
  made_ = {};
  Output made;
  if (Problem problem = run_task({}, made)) return problem;
  programs = static_cast<u32>(made.counts.programs);
  out = settle(made.counts);
  return {};
}

// Most variants have fewer operations than the sketch has instructions. The host makes those that exceed the room,
// too.
Problem VariantMaker::run_task(const Input& input, Output& out) {
  const u64 each = sketch_->bind_plan.instructions.size() + 32;
  set_code_room(each, task_.count);
  task_.code.most_ops = task_.code.most_constants = code_room();
  Problem problem = run(task_, input, out);
  code_ = out.code;
  return problem;
}

VariantTask VariantMaker::larger_task() const {
  VariantTask larger = task_;
  larger.room = room_of(*sketch_, 2 * scale_);
  larger.scratch_bytes = VariantWorkspace::bytes(larger);
  return larger;
}

bool VariantMaker::can_grow() const { return larger_task().scratch_bytes <= kMostScratch; }

// If many variants exceeded the room, the next ones get more.
void VariantMaker::grow_room() {
  const auto left = std::ranges::count(made_, Made::NoRoom, &MadeVariant::made);
  if (static_cast<size_t>(left) > made_.size() / 16 && can_grow()) grow();
}
void VariantMaker::grow() {
  task_ = larger_task();
  scale_ *= 2;
}

Result<std::unique_ptr<VariantMaker>> open_variant_maker(const vm::WarpDevice& device) {
  if (device.gpu() < 0) return host_variant_maker();
  return open_cuda_variant_maker(device.gpu());
}

}  // namespace komuz::engine
