// SPDX-License-Identifier: Apache-2.0
// Turns the contents of each hole of a variant into the variant's code: a walk from piece to piece that copies each
// (bind_plan.h). Written over a Storage (base/rows.h): Binder (binder.h) is the host's form, variant_maker.h the
// device's.
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "engine/sketch/bind_tables.h"
#include "engine/sketch/variant_tables.h"

namespace komuz::engine {

// The code of a variant. bind() says how many instructions and places count.
template <class Storage>
struct BoundRows {
  template <class T>
  using List = typename Storage::template List<T>;
  List<Instruction>& instructions;
  List<u32>& places;
  List<u64>& constants;
  List<Function>& functions;
};

// The stack of a call of each function, for code with max_stack set.
template <class Functions>
HD_CALL void sum_up_stack(const BindTables& tables, Functions& functions) {
  for (size_t k = 0; k < tables.callees_first.size(); ++k) {
    const u16 number = tables.callees_first[k];
    Function& f = functions[number];
    if (f.cycle != 0) continue;  // as in bound_functions.h
    u32 below = 0;
    for (u32 c = tables.callee_begins[number]; c < tables.callee_begins[number + 1]; ++c)
      below = std::max(below, functions[tables.callees[c]].stack_bytes);
    f.stack_bytes = below + (u32{f.slots} + f.max_stack) * static_cast<u32>(sizeof(u64));
  }
}

// A workspace. It stops allocating once it has been used for some variants.
template <class Storage>
class Binding {
 public:
  Binding() = default;
  // Limits on the lengths of its lists.
  struct Room {
    u32 moved = 0, jumps = 0, frames = 0, parameters = 0;
  };
  HD Binding(RowsMemory& memory, const Room& room)
      : parameter_slots_(memory.take<u32>(room.parameters)),
        moved_to_(memory.take<u32>(room.moved)),
        jumps_(memory.take<Jump>(room.jumps)),
        around_(memory.take<Around>(room.frames)) {}
  [[nodiscard]] static size_t bytes(const Room& room) {
    return RowsMemory::bytes<u32>(room.parameters) + RowsMemory::bytes<u32>(room.moved) +
           RowsMemory::bytes<Jump>(room.jumps) + RowsMemory::bytes<Around>(room.frames);
  }

  // Returns the number of the variant's instructions. `out.functions` holds the headers, and becomes the variant's
  // own. kNoRoom: some list is too short, or only the host knows a number of a grid.
  static constexpr u32 kNoRoom = ~0u;
  [[nodiscard]] HD_CALL u32 bind(const BindTables& tables, const DecodedRows<Storage>& variant,
                                 const BoundRows<Storage>& out) {
    tables_ = &tables;
    variant_ = &variant;
    end_ = 0;
    has_room_ = make_long(out.constants, tables.constants.size()) &&
                make_long(moved_to_, moved(tables.pieces.size()));
    if (!has_room_) return kNoRoom;
    for (size_t k = 0; k < tables.constants.size(); ++k) out.constants[k] = tables.constants[k];
    for (size_t k = 0; k < tables.grids.size(); ++k)
      out.constants[tables.grids[k].constant] = grid_number(tables.grids[k], 0);
    for (u32 number = 0; number < tables.headers.size() && has_room_; ++number)
      bind_function(number, out);
    if (!has_room_) return kNoRoom;
    sum_up_stack(tables, out.functions);
    return end_;
  }

 private:
  // The program itself, or an expression from a space, with the slots and other numbers of its own.
  struct Frame {
    u32 instance = 0;  // of the variant
    u32 space = kNoSpace;
    u32 stack = 0;            // cells below it
    u32 first_parameter = 0;  // of the space, in parameter_slots_
    u32 first_variable = 0;   // of the space: a slot
    u32 first_moved = 0;      // of piece 0, in moved_to_
  };
  struct Jump {
    u32 instruction = 0, moved = 0;  // in bound code, and the row of moved_to_ of its target
  };
  // The surroundings of an expression from a space: the walk goes on behind the piece.
  struct Around {
    Frame frame;
    u32 piece = 0;
  };

  HD_CALL void bind_function(u32 number, const BoundRows<Storage>& out) {
    function_ = number;
    begin_ = end_;
    most_stack_ = 0;
    parameter_slots_.clear();
    jumps_.clear();
    moved_to_.resize(moved(tables_->pieces.size()));
    walk(tables_->first_pieces[number], out);
    if (!has_room_) return;
    for (size_t k = 0; k < jumps_.size(); ++k)
      out.instructions[jumps_[k].instruction].b = moved_to_[jumps_[k].moved];
    Function& f = out.functions[number];
    f.code_begin = begin_;
    f.code_end = end_;
    f.max_stack = static_cast<u16>(most_stack_);
  }

  // Walks from the piece to the end of the function.
  HD_CALL void walk(u32 number, const BoundRows<Storage>& out) {
    Frame frame;
    around_.clear();
    for (;;) {
      const BindPlan::Piece& piece = tables_->pieces[number];
      if (tables_->has_jumps) moved_to_[frame.first_moved + number] = end_ - begin_;
      copy_piece(piece, frame, out);
      if (!has_room_) return;
      if (piece.enters != BindPlan::kNone) {
        has_room_ = has_room(around_, 1);
        if (!has_room_) return;
        around_.push_back({frame, number});
        number = enter(piece, frame);
        if (!has_room_) return;
        continue;
      }
      while (tables_->pieces[number].next == BindPlan::kNone) {
        if (around_.empty()) return;
        frame = around_.back().frame;
        number = around_.back().piece;
        around_.pop_back();
      }
      number = next_piece(number, frame);
    }
  }
  HD u32 next_piece(u32 number, const Frame& frame) {
    const BindPlan::Piece& piece = tables_->pieces[number];
    const u32 next = piece.hole == BindPlan::kNone
                         ? piece.next
                         : tables_->ways[piece.next + variant_->in(frame.instance, piece.hole)];
    if (!tables_->has_jumps) return next;
    // Omitted pieces are where the piece behind them is.
    while (++number < next) moved_to_[frame.first_moved + number] = end_ - begin_;
    return next;
  }

  HD void copy_piece(const BindPlan::Piece& piece, const Frame& frame,
                     const BoundRows<Storage>& out) {
    most_stack_ = std::max(most_stack_, frame.stack + piece.max_stack);
    const u32 count = piece.end - piece.begin;
    make_room(count + BindPlan::kCopied, out);
    if (!has_room_) return;
    // Most pieces are short. Whatever is copied in excess, the next piece overwrites.
    Instruction* const instructions = out.instructions.data() + end_;
    u32* const places = out.places.data() + end_;
    for (u32 k = 0; k < count; k += BindPlan::kCopied) {
      std::memcpy(instructions + k, tables_->instructions.data() + piece.begin + k,
                  BindPlan::kCopied * sizeof(Instruction));
      std::memcpy(places + k, tables_->places.data() + piece.begin + k,
                  BindPlan::kCopied * sizeof(u32));
    }
    for (u32 p = piece.first_patch; p < piece.behind_patches; ++p)
      patch(tables_->patches[p], end_ + tables_->patches[p].instruction - piece.begin, frame, out);
    end_ += count;
  }
  HD_CALL void make_room(u32 more, const BoundRows<Storage>& out) {
    const size_t size = out.instructions.size(), least = size_t{end_} + more;
    if (size >= least) return;
    has_room_ = has_room(out.instructions, least - size) && has_room(out.places, least - size);
    if (!has_room_) return;
    const bool may_double = has_room(out.instructions, 2 * least - size);
    out.instructions.resize(may_double ? 2 * least : least);
    out.places.resize(out.instructions.size());
  }

  HD void patch(const BindPlan::Patch& patch, u32 instruction, const Frame& frame,
                const BoundRows<Storage>& out) {
    Instruction& i = out.instructions[instruction];
    switch (patch.kind) {
      case BindPlan::PatchKind::Target:
        has_room_ = has_room_ && has_room(jumps_, 1);
        if (has_room_) jumps_.push_back({instruction, frame.first_moved + patch.value});
        break;
      case BindPlan::PatchKind::Slot: i.a = static_cast<u16>(slot(i.a, frame)); break;
      case BindPlan::PatchKind::Stored:
        i.a = static_cast<u16>(first_slot(patch.value) + i.a);
        break;
      case BindPlan::PatchKind::Grid:
        i.b = static_cast<u32>(out.constants.size());
        has_room_ = has_room_ && has_room(out.constants, 1);
        if (has_room_)
          out.constants.push_back(grid_number(tables_->space_grids[patch.value], frame.instance));
        break;
    }
  }

  HD u64 grid_number(const BindPlan::GridConstant& grid, u32 instance) {
    const u32 point = variant_->in(instance, grid.hole);
    if (grid.first_value != BindPlan::kNone) return tables_->values[grid.first_value + point];
    if constexpr (std::is_same_v<Storage, Growing>) {
      return grid_point(*tables_, grid.hole, point);
    } else {
      has_room_ = false;
      return 0;
    }
  }
  [[nodiscard]] HD u32 first_slot(u32 space) const {
    return tables_->first_slots[function_ * tables_->spaces.size() + space];
  }
  [[nodiscard]] HD u32 slot(u32 own, const Frame& frame) const {
    if (frame.space == kNoSpace) return own;
    const u32 parameters = tables_->space_slots[frame.space].parameters;
    return own < parameters ? parameter_slots_[frame.first_parameter + own]
                            : frame.first_variable + own - parameters;
  }

  // Returns the first piece of the expression; `frame` becomes the expression's.
  HD u32 enter(const BindPlan::Piece& piece, Frame& frame) {
    const Frame around = frame;
    frame.instance = variant_->in(around.instance, piece.enters);
    frame.stack += piece.end_stack;
    const Instance& instance = variant_->instances[frame.instance];
    const BoundFunctions::SpaceSlots& space = tables_->space_slots[instance.space];
    if (tables_->hole_forms[piece.enters] == HoleForm::Nested) {
      frame.first_variable += space.variables;
    } else {
      const u32 first = first_slot(instance.space);
      frame.space = instance.space;
      frame.first_parameter = static_cast<u32>(parameter_slots_.size());
      frame.first_variable = first + space.stored;
      has_room_ = has_room(parameter_slots_, space.parameters);
      for (u32 k = 0; k < space.parameters && has_room_; ++k)
        parameter_slots_.push_back(
            piece.first_argument == BindPlan::kNone
                ? first + k
                : slot(tables_->arguments[piece.first_argument + k], around));
    }
    const BindPlan::SpacePieces& pieces = tables_->spaces[instance.space];
    frame.first_moved = static_cast<u32>(moved_to_.size()) - pieces.first_piece;
    has_room_ = has_room_ && has_room(moved_to_, moved(pieces.count));
    if (!has_room_) return 0;
    moved_to_.resize(moved_to_.size() + moved(pieces.count));
    return tables_->ways[pieces.first_way + instance.alternative];
  }

  // The rows of moved_to_ for so many pieces.
  [[nodiscard]] HD size_t moved(size_t pieces) const { return tables_->has_jumps ? pieces : 0; }

  template <class T>
  using List = typename Storage::template List<T>;

  const BindTables* tables_ = nullptr;
  const DecodedRows<Storage>* variant_ = nullptr;
  List<u32> parameter_slots_;  // for the expressions of the function
  List<u32> moved_to_;         // by piece: where it begins in the bound function
  List<Jump> jumps_;
  List<Around> around_;
  u32 function_ = 0, begin_ = 0, end_ = 0;  // in bound code
  u32 most_stack_ = 0;
  bool has_room_ = true;
};

}  // namespace komuz::engine
