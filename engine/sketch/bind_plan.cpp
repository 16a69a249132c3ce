// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/bind_plan.h"

#include <algorithm>

#include "lang/stack_effect.h"

namespace komuz::engine {

namespace {

// Limit on the points of all grids whose values are kept.
constexpr size_t kMostValues = size_t{1} << 14;

bool has_target(OpForm form) {
  return form == OpForm::Branch || form == OpForm::Jump || form == OpForm::ShortCircuit ||
         form == OpForm::Loop || form == OpForm::End;
}
// True if field a is a slot, or the first of several.
bool has_slot(OpForm form) {
  return form == OpForm::Load || form == OpForm::Store || form == OpForm::LoadSlots ||
         form == OpForm::StoreSlots || form == OpForm::LoadAt || form == OpForm::StoreAt ||
         form == OpForm::Ref || form == OpForm::ForNext || form == OpForm::Slot;
}

// True for the instructions of a value of zeros.
bool makes_zeros(Op op) { return op == Op::LoadConst || op == Op::LoadConsts || op == Op::Repeat; }
// True if the instruction belongs to the hole.
bool stands_for(const Instruction& i, u32 place, const Hole& hole,
                const BoundFunctions& functions) {
  switch (hole.form) {
    case HoleForm::Free: return false;
    case HoleForm::Choice:
    case HoleForm::Grid: return i.op == Op::LoadHole && place == hole.span.begin;
    case HoleForm::Nested: return i.op == Op::TrapNow && place == hole.span.begin;
    case HoleForm::Expansion: break;
  }
  return i.op == Op::Call && functions.space_of[i.a] != kNoSpace && place < hole.span.end;
}

// Cuts one function after the other into pieces. Places in the code count from the function's first instruction.
class PlanCutter {
 public:
  PlanCutter(const Code& code, const Sketch& sketch, const std::vector<u32>& hole_at, BindPlan& out)
      : code_(code), view_(code.view()), sketch_(sketch), hole_at_(hole_at), out_(out) {}

  void cut(u32 number) {
    number_ = number;
    function_ = &code_.functions[number];
    space_ = out_.functions.space_of[number];
    count_ = function_->code_end - function_->code_begin;
    marks_.assign(count_ + 1, {});
    mark();
    const auto first_piece = static_cast<u32>(out_.pieces.size());
    if (space_ == kNoSpace) out_.first_pieces.push_back(first_piece);
    add_pieces();
    connect(first_piece);
    if (space_ == kNoSpace) return;
    BindPlan::SpacePieces& space = out_.spaces[space_];
    space.first_piece = first_piece;
    space.count = static_cast<u32>(out_.pieces.size()) - first_piece;
    space.first_way = is_own_test(0) ? out_.pieces[first_piece].next : add_way(first_piece);
  }

 private:
  // LeftOut: tests, and instructions that stand for an expression from a space, which Enter enters.
  enum class Kind : u8 { Kept, Test, ArmEnd, Enter, LeftOut };
  struct Mark {
    Kind kind = Kind::Kept;
    bool starts = false;   // a piece
    bool follows = false;  // a test: for an alternative behind another one
    bool aliases = false;  // an Enter: arguments are variables
    bool is_last = false;  // an ArmEnd: nothing follows, since it ends an alternative of a space
    u32 piece = BindPlan::kNone;
  };

  [[nodiscard]] const Instruction& at(u32 place) const {
    return code_.instructions[function_->code_begin + place];
  }
  [[nodiscard]] u32 place_of(u32 place) const {
    return code_.places[function_->code_begin + place];
  }
  [[nodiscard]] u32 hole(u32 place) const { return hole_at_[function_->code_begin + place]; }
  [[nodiscard]] bool is_test(u32 place) const {
    return place < count_ && hole(place) != kNoHole && is_alternative_test(at(place));
  }
  // True for a test of the space that the function is.
  [[nodiscard]] bool is_own_test(u32 place) const {
    return is_test(place) && hole(place) >= sketch_.holes.size();
  }
  [[nodiscard]] bool enters(u32 place) const {
    return hole(place) != kNoHole && (at(place).op == Op::Call || at(place).op == Op::TrapNow);
  }

  // If all code stays, jumps stay, too.
  [[nodiscard]] bool is_moved_jump(u32 place) const {
    return moves_code_ && has_target(op_row(at(place).op).form);
  }

  void mark() {
    marks_[0].starts = marks_[count_].starts = true;
    moves_code_ = space_ != kNoSpace;
    for (u32 k = 0; k < count_; ++k) {
      if (is_test(k))
        mark_test(k);
      else if (enters(k))
        mark_entry(k);
    }
    if (space_ != kNoSpace) marks_[count_ - 1].kind = Kind::LeftOut;  // its RETURN
    for (u32 k = 0; k < count_; ++k)
      if (marks_[k].kind == Kind::Kept && is_moved_jump(k)) marks_[at(k).b].starts = true;
    for (u32 k = 0; k < count_; ++k)
      if (marks_[k].kind == Kind::Enter && at(k).op == Op::Call) find_arguments(k);
  }
  void mark_test(u32 k) {
    moves_code_ = true;
    const u32 behind = at(k + 1).b;
    marks_[k].kind = Kind::Test;
    marks_[k + 1].kind = Kind::LeftOut;
    marks_[behind - 1].kind = Kind::ArmEnd;
    marks_[behind - 1].is_last = is_own_test(k);
    marks_[k + 2].starts = marks_[at(behind - 1).b].starts = true;
    if (is_test(behind) && hole(behind) == hole(k))
      marks_[behind].follows = true;
    else
      marks_[behind].starts = true;
  }
  // A space's name among its alternatives is a trap and zeros.
  void mark_entry(u32 k) {
    moves_code_ = true;
    marks_[k].kind = Kind::Enter;
    u32 behind = k + 1;
    if (at(k).op == Op::TrapNow)
      for (; place_of(behind) == place_of(k) && makes_zeros(at(behind).op); ++behind)
        marks_[behind].kind = Kind::LeftOut;
    marks_[behind].starts = true;
  }
  // Arguments that are all variables need not be stored, since the variables do not change while the expression is
  // evaluated.
  void find_arguments(u32 k) {
    const u32 callee = out_.functions.space_of[at(k).a];
    BoundFunctions::Space& space = out_.functions.spaces[callee];
    const u32 arguments = space.parameter_slots;
    const Function& f = code_.functions[space.function];
    bool are_variables = view_.parameter_types(f).size() == 2 + arguments && arguments <= k;
    for (u32 n = 0; n < arguments && are_variables; ++n)
      are_variables = !marks_[k - n].starts && at(k - n - 1).op == Op::LoadVar;
    marks_[k].aliases = are_variables;
    if (!are_variables) {
      space.stores_arguments |= arguments != 0;
      return;
    }
    for (u32 n = 1; n <= arguments; ++n) marks_[k - n].kind = Kind::LeftOut;
  }

  // Adds pieces that still lead to places and tests, instead of pieces and ways.
  void add_pieces() {
    BindPlan::Piece* open = nullptr;
    i32 height = 0;
    for (u32 k = 0; k <= count_; ++k) {
      Mark& mark = marks_[k];
      if (mark.starts) {
        if (open != nullptr) close(*open, k);
        mark.piece = static_cast<u32>(out_.pieces.size());
        open = &out_.pieces.emplace_back();
        open->begin = static_cast<u32>(out_.instructions.size());
        open->first_patch = static_cast<u32>(out_.patches.size());
        open->max_stack = open->end_stack = static_cast<u32>(height);
      }
      if (k == count_) break;
      height += stack_effect(view_, *function_, at(k));
      switch (mark.kind) {
        case Kind::Kept:
          keep(k);
          open->end_stack = static_cast<u32>(height);
          open->max_stack = std::max(open->max_stack, open->end_stack);
          break;
        case Kind::Test:
          if (mark.follows) break;
          close(*open, k);
          open->hole = hole(k);
          open = nullptr;
          break;
        case Kind::ArmEnd:
          close(*open, mark.is_last ? BindPlan::kNone : at(k).b);
          open = nullptr;
          break;
        case Kind::Enter: enter(k, *open); break;
        case Kind::LeftOut: break;
      }
    }
    close(*open, BindPlan::kNone);
  }
  void close(BindPlan::Piece& piece, u32 next) {
    piece.end = static_cast<u32>(out_.instructions.size());
    piece.behind_patches = static_cast<u32>(out_.patches.size());
    piece.next = next;
  }
  void emit(Instruction instruction, u32 place) {
    out_.instructions.push_back(instruction);
    out_.places.push_back(place);
  }
  // A patch of the next emitted instruction.
  void patch(BindPlan::PatchKind kind, u32 value) {
    out_.patches.push_back({kind, static_cast<u32>(out_.instructions.size()), value});
  }
  void keep(u32 k) {
    Instruction i = at(k);
    const OpForm form = op_row(i.op).form;
    if (is_moved_jump(k)) patch(BindPlan::PatchKind::Target, i.b);
    if (space_ != kNoSpace && has_slot(form)) patch(BindPlan::PatchKind::Slot, 0);
    if (i.op == Op::Call) i.a = out_.functions.number_of[i.a];
    if (hole(k) != kNoHole) {
      add_grid(hole(k), i.b);
      i.op = Op::LoadConst;
      i.a = 0;
    }
    emit(i, place_of(k));
  }
  void add_grid(u32 number, u32 constant) {
    const Grid& own = sketch_.holes[number].grid;
    BindPlan::GridConstant grid{number, constant, BindPlan::kNone};
    if (own.points <= kMostValues - out_.values.size()) {
      grid.first_value = static_cast<u32>(out_.values.size());
      const GridPoints points(own);
      for (u64 point = 0; point < own.points; ++point) out_.values.push_back(points.at(point));
    } else {
      out_.points.resize(sketch_.holes.size());
      out_.points[number] = GridPoints(own);
    }
    if (space_ == kNoSpace) {
      out_.grids.push_back(grid);
      return;
    }
    patch(BindPlan::PatchKind::Grid, static_cast<u32>(out_.space_grids.size()));
    out_.space_grids.push_back(grid);
  }
  void enter(u32 k, BindPlan::Piece& piece) {
    piece.enters = hole(k);
    if (at(k).op == Op::TrapNow) return;
    const u32 callee = out_.functions.space_of[at(k).a];
    out_.functions.takes[number_].push_back(callee);
    if (space_ != kNoSpace) out_.functions.spaces[space_].takes.push_back(callee);
    const u32 arguments = out_.functions.spaces[callee].parameter_slots;
    if (marks_[k].aliases) {
      piece.first_argument = static_cast<u32>(out_.arguments.size());
      for (u32 n = arguments; n > 0; --n) out_.arguments.push_back(at(k - n).a);
      return;
    }
    piece.max_stack = std::max(piece.max_stack, piece.end_stack);
    piece.end_stack -= arguments;
    const Function& f = code_.functions[at(k).a];
    for (u32 n = arguments; n-- > 0;) {
      patch(BindPlan::PatchKind::Stored, callee);
      const auto type = static_cast<Scalar>(code_.slot_types[f.slots_begin + n]);
      emit({Op::StoreVar, type, static_cast<u16>(n), 0}, place_of(k));
    }
  }

  void connect(u32 first_piece) {
    for (u32 k = first_piece; k < out_.pieces.size(); ++k) {
      BindPlan::Piece& piece = out_.pieces[k];
      for (u32 p = piece.first_patch; p < piece.behind_patches; ++p) {
        BindPlan::Patch& patch = out_.patches[p];
        if (patch.kind == BindPlan::PatchKind::Target) patch.value = marks_[patch.value].piece;
      }
      if (piece.next == BindPlan::kNone) continue;
      piece.next = piece.hole == BindPlan::kNone ? marks_[piece.next].piece : add_ways(piece.next);
    }
  }
  u32 add_way(u32 piece) {
    out_.ways.push_back(piece);
    return static_cast<u32>(out_.ways.size()) - 1;
  }
  // The ways of the choice whose first test is there.
  [[nodiscard]] u32 add_ways(u32 test) {
    const u32 first = add_way(marks_[test + 2].piece);
    for (;;) {
      const u32 behind = at(test + 1).b;
      if (!marks_[behind].follows) {
        (void)add_way(marks_[behind].piece);
        return first;
      }
      test = behind;
      (void)add_way(marks_[test + 2].piece);
    }
  }

  const Code& code_;
  CodeView view_;
  const Sketch& sketch_;
  const std::vector<u32>& hole_at_;
  BindPlan& out_;
  u32 number_ = 0;  // of the function
  const Function* function_ = nullptr;
  u32 space_ = kNoSpace;     // the space that it is
  u32 count_ = 0;            // of its instructions
  bool moves_code_ = false;  // code is left out, or taken from a space
  std::vector<Mark> marks_;  // by place, the last one behind the code
};

}  // namespace

std::vector<u32> find_code_holes(const Code& code, const Sketch& sketch,
                                 const BoundFunctions& functions) {
  std::vector<u32> found(code.instructions.size(), kNoHole);
  for (u32 number = 0; number < code.functions.size(); ++number) {
    const Function& f = code.functions[number];
    const u32 space = functions.space_of[number];
    for (u32 k = f.code_begin; k < f.code_end; ++k) {
      const Instruction& i = code.instructions[k];
      if (i.op != Op::LoadHole && i.op != Op::TrapNow && i.op != Op::Call) continue;
      // A call has the place of the parenthesis behind the hole, the other instructions that of the hole's beginning.
      const auto behind = std::ranges::upper_bound(sketch.holes, code.places[k], {},
                                                   [](const Hole& h) { return h.span.begin; });
      const auto hole = behind == sketch.holes.begin() ? sketch.holes.end() : behind - 1;
      const bool is_own =
          hole != sketch.holes.end() && stands_for(i, code.places[k], *hole, functions);
      if (is_own)
        found[k] = static_cast<u32>(hole - sketch.holes.begin());
      else if (i.op == Op::LoadHole && space != kNoSpace && code.places[k] == f.place)
        found[k] = static_cast<u32>(sketch.holes.size()) + space;
    }
  }
  return found;
}

BindPlan make_bind_plan(const Code& code, const Sketch& sketch, u32 stack_limit,
                        const std::vector<u32>& hole_at, BoundFunctions functions) {
  BindPlan out;
  out.functions = std::move(functions);
  out.spaces.resize(sketch.spaces.size());
  for (const Hole& hole : sketch.holes) out.hole_forms.push_back(hole.form);
  PlanCutter cutter(code, sketch, hole_at, out);
  for (u32 number = 0; number < code.functions.size(); ++number) cutter.cut(number);
  lay_out_functions(code, sketch, stack_limit, out.functions);
  out.instructions.resize(out.instructions.size() + BindPlan::kCopied);
  out.places.resize(out.places.size() + BindPlan::kCopied);
  return out;
}

}  // namespace komuz::engine
