// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/sketch_program.h"

#include <algorithm>

#include "base/hash.h"
#include "engine/sketch/grid_value.h"
#include "frontend_gpu/sketch.h"

namespace komuz::engine {

namespace {

std::vector<u32> find_holes(const Code& code, const Sketch& sketch) {
  std::vector<u32> found(code.instructions.size(), kNoHole);
  for (size_t k = 0; k < found.size(); ++k) {
    if (code.instructions[k].op != Op::LoadHole) continue;
    const auto hole = std::ranges::lower_bound(sketch.holes, code.places[k], {},
                                               [](const Hole& h) { return h.span.begin; });
    const bool is_own = hole != sketch.holes.end() && hole->span.begin == code.places[k];
    if (is_own) found[k] = static_cast<u32>(hole - sketch.holes.begin());
  }
  return found;
}

// Does a function call one of its own cycle in an alternative, which a variant may do without?
bool may_recurse(const Code& code, const std::vector<u32>& hole_at) {
  for (const Function& f : code.functions) {
    if (f.cycle == 0) continue;
    u32 alternatives_end = f.code_begin;  // of the outermost choice so far
    for (u32 k = f.code_begin; k < f.code_end; ++k) {
      const Instruction& i = code.instructions[k];
      if (is_alternative_test(i) && hole_at[k] != kNoHole) {
        const u32 behind = f.code_begin + code.instructions[k + 1].b;
        alternatives_end =
            std::max(alternatives_end, f.code_begin + code.instructions[behind - 1].b);
      }
      if (k < alternatives_end && i.op == Op::Call && code.functions[i.a].cycle == f.cycle)
        return true;
    }
  }
  return false;
}

BindObstacle find_obstacle(const Sketch& sketch, const Code& code,
                           const std::vector<u32>& hole_at) {
  for (const Hole& hole : sketch.holes) {
    if (hole.form == HoleForm::Expansion) return BindObstacle::Spaces;
    if (hole.is_copied) return BindObstacle::Copies;
  }
  return may_recurse(code, hole_at) ? BindObstacle::Recursion : BindObstacle::None;
}

}  // namespace

std::string_view obstacle_text(BindObstacle obstacle) {
  switch (obstacle) {
    case BindObstacle::None: break;
    case BindObstacle::Spaces: return "it takes expressions from spaces";
    case BindObstacle::Copies:
      return "it chooses between arrays or lists, which are made before they are used";
    case BindObstacle::Recursion: return "whether a function is recursive depends on a decision";
  }
  return {};
}

std::optional<SketchProgram> read_sketch(std::string source, const frontend::Options& options) {
  frontend::Compiler compiler(options);
  frontend::Compilation program;
  compiler.compile(source, program);
  if (!program.ok) return std::nullopt;
  const Sketch sketch = frontend::describe_sketch(compiler.columns());
  const std::vector<u32> hole_at = find_holes(program.code, sketch);
  const BindObstacle obstacle = find_obstacle(sketch, program.code, hole_at);
  BindPlan bind_plan;
  if (obstacle == BindObstacle::None) bind_plan = make_bind_plan(program.code, sketch, hole_at);
  return SketchProgram{std::move(source), VariantPlan(sketch), std::move(program.code), obstacle,
                       std::move(bind_plan)};
}

bool has_decisions(const Sketch& sketch) {
  return std::ranges::any_of(sketch.holes,
                             [](const Hole& hole) { return hole.form != HoleForm::Free; });
}

bool Binder::bind(const Decisions& decisions, Code& out) {
  if (!sketch_.plan.decode(decisions, instances_)) return false;
  const Code& from = sketch_.code;
  // What was added to these stands behind what is the same in all variants. Of functions their places in the code differ alone.
  if (out.functions.size() != from.functions.size()) out.functions = from.functions;
  if (out.names.size() != from.names.size()) out.names = from.names;
  if (out.types.size() != from.types.size()) out.types = from.types;
  if (out.slot_types.size() != from.slot_types.size()) out.slot_types = from.slot_types;
  if (out.parameter_names.size() != from.parameter_names.size())
    out.parameter_names = from.parameter_names;
  out.constants = from.constants;
  for (const BindPlan::GridConstant& grid : sketch_.bind_plan.grids) {
    const u32 point = instances_[0].decided[grid.hole];
    out.constants[grid.constant] =
        grid.first_value == BindPlan::kNone
            ? grid_value(sketch_.plan.sketch().holes[grid.hole].grid, point)
            : sketch_.bind_plan.values[grid.first_value + point];
  }
  copy_pieces(out);
  return true;
}

void Binder::copy_pieces(Code& out) {
  const BindPlan& plan = sketch_.bind_plan;
  // No variant is larger than the sketch.
  out.instructions.resize(plan.instructions.size());
  out.places.resize(plan.places.size());
  moved_to_.resize(plan.pieces.size());
  u32 at = 0;
  for (size_t f = 0; f < out.functions.size(); ++f) {
    const u32 begin = at;
    jumps_.clear();
    for (u32 number = plan.first_pieces[f];;) {
      const BindPlan::Piece& piece = plan.pieces[number];
      moved_to_[number] = at - begin;
      for (u32 t = piece.first_target; t < piece.behind_targets; ++t)
        jumps_.push_back({at + plan.targets[t].instruction - piece.begin, plan.targets[t].piece});
      // Most pieces are short: what is copied too much is overwritten by the next one.
      for (u32 k = 0; k < piece.end - piece.begin; k += BindPlan::kCopied) {
        std::copy_n(plan.instructions.data() + piece.begin + k, BindPlan::kCopied,
                    out.instructions.data() + at + k);
        std::copy_n(plan.places.data() + piece.begin + k, BindPlan::kCopied,
                    out.places.data() + at + k);
      }
      at += piece.end - piece.begin;
      if (piece.next == BindPlan::kNone) break;
      const u32 next = piece.hole == kNoHole
                           ? piece.next
                           : plan.ways[piece.next + instances_[0].decided[piece.hole]];
      // What is left out is where what comes behind it is.
      while (++number < next) moved_to_[number] = at - begin;
    }
    for (const Jump& jump : jumps_) out.instructions[jump.instruction].b = moved_to_[jump.piece];
    out.functions[f].code_begin = begin;
    out.functions[f].code_end = at;
  }
  out.instructions.resize(at);
  out.places.resize(at);
}

u64 bound_bytes(const Code& code) {
  u64 constants = 0;
  for (const Instruction& i : code.instructions)
    constants += i.op == Op::LoadConst ? 1 : i.op == Op::LoadConsts ? i.a : 0;
  return code.instructions.size() * sizeof(Instruction) + constants * sizeof(u64);
}

frontend::TextHash identity_of(const Code& code) {
  Hash128 hash;
  for (const Instruction& i : code.instructions) {
    const bool is_constant = i.op == Op::LoadConst;
    hash.add(static_cast<u64>(i.op) | static_cast<u64>(i.type) << 8 | static_cast<u64>(i.a) << 16 |
             static_cast<u64>(is_constant ? 0 : i.b) << 32);
    if (is_constant) hash.add(code.constants[i.b]);
  }
  for (const Function& f : code.functions) hash.add(f.code_end);
  return {hash.low, hash.high};
}

}  // namespace komuz::engine
