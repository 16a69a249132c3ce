// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/bind_plan.h"

#include <algorithm>

#include "engine/sketch/grid_value.h"

namespace komuz::engine {

namespace {

// Points of all grids whose values are kept.
constexpr size_t kMostValues = size_t{1} << 14;

bool has_target(const Instruction& i) {
  const OpForm form = op_row(i.op).form;
  return form == OpForm::Branch || form == OpForm::Jump || form == OpForm::ShortCircuit ||
         form == OpForm::Loop || form == OpForm::End;
}

// Cuts one function after the other. Places in the code are numbers from the function's first instruction on.
class PlanCutter {
 public:
  PlanCutter(const Code& code, const std::vector<u32>& hole_at, BindPlan& out)
      : code_(code), hole_at_(hole_at), out_(out) {}

  void cut(const Function& f) {
    first_ = f.code_begin;
    count_ = f.code_end - f.code_begin;
    marks_.assign(count_ + 1, {});
    mark();
    const auto first_piece = static_cast<u32>(out_.pieces.size());
    out_.first_pieces.push_back(first_piece);
    add_pieces();
    connect(first_piece);
  }

 private:
  enum class Kind : u8 { Kept, Test, TestJump, ArmEnd };
  struct Mark {
    Kind kind = Kind::Kept;
    bool starts = false;   // a piece
    bool follows = false;  // of a test: it is for an alternative behind another one
    u32 piece = BindPlan::kNone;
  };

  [[nodiscard]] const Instruction& at(u32 place) const {
    return code_.instructions[first_ + place];
  }
  [[nodiscard]] u32 hole(u32 place) const { return hole_at_[first_ + place]; }
  [[nodiscard]] bool is_test(u32 place) const {
    return place < count_ && hole(place) != kNoHole && is_alternative_test(at(place));
  }

  // Where all code stays, jumps do, too.
  [[nodiscard]] bool is_moved_jump(u32 place) const { return loses_code_ && has_target(at(place)); }

  void mark() {
    marks_[0].starts = marks_[count_].starts = true;
    loses_code_ = false;
    for (u32 k = 0; k < count_; ++k) {
      if (!is_test(k)) continue;
      loses_code_ = true;
      const u32 behind = at(k + 1).b;
      marks_[k].kind = Kind::Test;
      marks_[k + 1].kind = Kind::TestJump;
      marks_[behind - 1].kind = Kind::ArmEnd;
      marks_[k + 2].starts = marks_[at(behind - 1).b].starts = true;
      if (is_test(behind) && hole(behind) == hole(k))
        marks_[behind].follows = true;
      else
        marks_[behind].starts = true;
    }
    for (u32 k = 0; k < count_; ++k)
      if (marks_[k].kind == Kind::Kept && is_moved_jump(k)) marks_[at(k).b].starts = true;
  }

  // Pieces that go on to places and tests, not yet to pieces and ways.
  void add_pieces() {
    BindPlan::Piece* open = nullptr;
    for (u32 k = 0; k <= count_; ++k) {
      Mark& mark = marks_[k];
      if (mark.starts) {
        if (open != nullptr) open->next = k;
        mark.piece = static_cast<u32>(out_.pieces.size());
        open = &out_.pieces.emplace_back();
        open->begin = open->end = first_ + k;
        open->first_target = open->behind_targets = static_cast<u32>(out_.targets.size());
      }
      if (k == count_) break;
      switch (mark.kind) {
        case Kind::Kept:
          open->end = first_ + k + 1;
          if (is_moved_jump(k)) {
            out_.targets.push_back({first_ + k, at(k).b});
            ++open->behind_targets;
          }
          break;
        case Kind::Test:
          if (mark.follows) break;
          open->hole = hole(k);
          open->next = k;
          open = nullptr;
          break;
        case Kind::TestJump: break;
        case Kind::ArmEnd:
          open->next = at(k).b;
          open = nullptr;
          break;
      }
    }
  }

  void connect(u32 first_piece) {
    for (u32 k = first_piece; k < out_.pieces.size(); ++k) {
      BindPlan::Piece& piece = out_.pieces[k];
      for (u32 t = piece.first_target; t < piece.behind_targets; ++t)
        out_.targets[t].piece = marks_[out_.targets[t].piece].piece;
      if (piece.next == BindPlan::kNone) continue;
      piece.next = piece.hole == kNoHole ? marks_[piece.next].piece : add_ways(piece.next);
    }
  }
  // Of the choice whose first test is there.
  [[nodiscard]] u32 add_ways(u32 test) {
    const auto first = static_cast<u32>(out_.ways.size());
    for (;; test = at(test + 1).b) {
      out_.ways.push_back(marks_[test + 2].piece);
      const u32 behind = at(test + 1).b;
      if (marks_[behind].follows) continue;
      out_.ways.push_back(marks_[behind].piece);
      return first;
    }
  }

  const Code& code_;
  const std::vector<u32>& hole_at_;
  BindPlan& out_;
  u32 first_ = 0, count_ = 0;  // of the function's instructions
  bool loses_code_ = false;    // there is a choice
  std::vector<Mark> marks_;    // by place, the last one behind the code
};

void add_grid(const Hole& hole, u32 number, u32 constant, BindPlan& out) {
  BindPlan::GridConstant grid{number, constant, BindPlan::kNone};
  if (hole.grid.points <= kMostValues - out.values.size()) {
    grid.first_value = static_cast<u32>(out.values.size());
    for (u64 point = 0; point < hole.grid.points; ++point)
      out.values.push_back(grid_value(hole.grid, point));
  }
  out.grids.push_back(grid);
}

}  // namespace

BindPlan make_bind_plan(const Code& code, const Sketch& sketch, const std::vector<u32>& hole_at) {
  BindPlan out;
  PlanCutter cutter(code, hole_at, out);
  for (const Function& f : code.functions) cutter.cut(f);
  out.instructions = code.instructions;
  for (u32 k = 0; k < hole_at.size(); ++k) {
    Instruction& i = out.instructions[k];
    if (hole_at[k] == kNoHole || is_alternative_test(i)) continue;
    i.op = Op::LoadConst;
    i.a = 0;
    add_grid(sketch.holes[hole_at[k]], hole_at[k], i.b, out);
  }
  out.instructions.resize(out.instructions.size() + BindPlan::kCopied);
  out.places = code.places;
  out.places.resize(out.places.size() + BindPlan::kCopied);
  return out;
}

}  // namespace komuz::engine
