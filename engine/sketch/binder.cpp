// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/binder.h"

#include <algorithm>

#include "engine/sketch/grid_value.h"

namespace komuz::engine {

bool Binder::bind(const Decisions& decisions, Code& out) {
  if (!sketch_.plan.decode(decisions, variant_)) return false;
  copy_columns(out);
  end_ = 0;
  for (u32 number = 0; number < out.functions.size(); ++number) bind_function(number, out);
  out.instructions.resize(end_);
  out.places.resize(end_);
  sum_up_stack(plan_.functions, out.functions);
  return true;
}

// What was added to these stands behind what is the same in all variants. Of functions their places in the code and their stacks
// differ alone.
void Binder::copy_columns(Code& out) const {
  const Code& from = sketch_.code;
  const BoundFunctions& functions = plan_.functions;
  if (out.functions.size() != functions.headers.size()) out.functions = functions.headers;
  if (out.slot_types.size() != functions.slot_types.size()) out.slot_types = functions.slot_types;
  if (out.names.size() != from.names.size()) out.names = from.names;
  if (out.types.size() != from.types.size()) out.types = from.types;
  if (out.parameter_names.size() != from.parameter_names.size())
    out.parameter_names = from.parameter_names;
  out.constants = from.constants;
  for (const BindPlan::GridConstant& grid : plan_.grids)
    out.constants[grid.constant] = grid_number(grid, 0);
  // Without expressions from spaces, which may come again and again, no variant is larger than the sketch.
  if (out.instructions.size() < plan_.instructions.size()) {
    out.instructions.resize(plan_.instructions.size());
    out.places.resize(plan_.places.size());
  }
}

u64 Binder::grid_number(const BindPlan::GridConstant& grid, u32 instance) const {
  const u32 point = variant_.in(instance, grid.hole);
  return grid.first_value == BindPlan::kNone
             ? grid_value(sketch_.plan.sketch().holes[grid.hole].grid, point)
             : plan_.values[grid.first_value + point];
}

void Binder::bind_function(u32 number, Code& out) {
  function_ = number;
  begin_ = end_;
  most_stack_ = 0;
  parameter_slots_.clear();
  jumps_.clear();
  moved_to_.resize(plan_.pieces.size());
  copy_from(plan_.first_pieces[number], {}, out);
  for (const Jump& jump : jumps_) out.instructions[jump.instruction].b = moved_to_[jump.moved];
  Function& f = out.functions[number];
  f.code_begin = begin_;
  f.code_end = end_;
  f.max_stack = static_cast<u16>(most_stack_);
}

void Binder::copy_from(u32 number, const Frame& frame, Code& out) {
  for (;;) {
    const BindPlan::Piece& piece = plan_.pieces[number];
    moved_to_[frame.first_moved + number] = end_ - begin_;
    copy_piece(piece, frame, out);
    if (piece.enters != BindPlan::kNone) enter(piece, frame, out);
    if (piece.next == BindPlan::kNone) return;
    const u32 next = piece.hole == BindPlan::kNone
                         ? piece.next
                         : plan_.ways[piece.next + variant_.in(frame.instance, piece.hole)];
    // What is left out is where what comes behind it is.
    while (++number < next) moved_to_[frame.first_moved + number] = end_ - begin_;
  }
}

void Binder::copy_piece(const BindPlan::Piece& piece, const Frame& frame, Code& out) {
  most_stack_ = std::max(most_stack_, frame.stack + piece.max_stack);
  const u32 count = piece.end - piece.begin;
  if (out.instructions.size() < size_t{end_} + count + BindPlan::kCopied) {
    out.instructions.resize(2 * (end_ + count + BindPlan::kCopied));
    out.places.resize(out.instructions.size());
  }
  // Most pieces are short: what is copied too much is overwritten by the next one.
  for (u32 k = 0; k < count; k += BindPlan::kCopied) {
    std::copy_n(plan_.instructions.data() + piece.begin + k, BindPlan::kCopied,
                out.instructions.data() + end_ + k);
    std::copy_n(plan_.places.data() + piece.begin + k, BindPlan::kCopied,
                out.places.data() + end_ + k);
  }
  for (u32 p = piece.first_patch; p < piece.behind_patches; ++p)
    patch(plan_.patches[p], end_ + plan_.patches[p].instruction - piece.begin, frame, out);
  end_ += count;
}

void Binder::patch(const BindPlan::Patch& patch, u32 instruction, const Frame& frame, Code& out) {
  Instruction& i = out.instructions[instruction];
  switch (patch.kind) {
    case BindPlan::PatchKind::Target:
      jumps_.push_back({instruction, frame.first_moved + patch.value});
      break;
    case BindPlan::PatchKind::Slot: i.a = static_cast<u16>(slot(i.a, frame)); break;
    case BindPlan::PatchKind::Stored:
      i.a = static_cast<u16>(plan_.functions.first_slot(function_, patch.value) + i.a);
      break;
    case BindPlan::PatchKind::Grid:
      i.b = static_cast<u32>(out.constants.size());
      out.constants.push_back(grid_number(plan_.space_grids[patch.value], frame.instance));
      break;
  }
}

u32 Binder::slot(u32 own, const Frame& frame) const {
  if (frame.space == kNoSpace) return own;
  const u32 parameters = plan_.functions.spaces[frame.space].parameter_slots;
  return own < parameters ? parameter_slots_[frame.first_parameter + own]
                          : frame.first_variable + own - parameters;
}

void Binder::enter(const BindPlan::Piece& piece, const Frame& around, Code& out) {
  Frame frame = around;
  frame.instance = variant_.in(around.instance, piece.enters);
  frame.stack += piece.end_stack;
  const Instance& instance = variant_.instances[frame.instance];
  const BoundFunctions::Space& space = plan_.functions.spaces[instance.space];
  if (sketch_.plan.sketch().holes[piece.enters].form == HoleForm::Nested) {
    frame.first_variable += space.variable_slots;
  } else {
    const u32 first = plan_.functions.first_slot(function_, instance.space);
    frame.space = instance.space;
    frame.first_parameter = static_cast<u32>(parameter_slots_.size());
    frame.first_variable = first + space.stored_slots();
    for (u32 k = 0; k < space.parameter_slots; ++k)
      parameter_slots_.push_back(piece.first_argument == BindPlan::kNone
                                     ? first + k
                                     : slot(plan_.arguments[piece.first_argument + k], around));
  }
  const BindPlan::SpacePieces& pieces = plan_.spaces[instance.space];
  frame.first_moved = static_cast<u32>(moved_to_.size()) - pieces.first_piece;
  moved_to_.resize(moved_to_.size() + pieces.count);
  copy_from(plan_.ways[pieces.first_way + instance.alternative], frame, out);
}

}  // namespace komuz::engine
