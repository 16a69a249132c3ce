// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/sketch_program.h"

#include <algorithm>

#include "base/hash.h"
#include "engine/sketch/grid_value.h"
#include "frontend_gpu/sketch.h"

namespace komuz::engine {

namespace {

bool has_target(OpForm form) {
  return form == OpForm::Branch || form == OpForm::Jump || form == OpForm::ShortCircuit ||
         form == OpForm::Loop || form == OpForm::End;
}
// The test for an alternative, with the jump past it behind it; else it is a number of a grid.
bool is_test(const Instruction& i) { return i.op == Op::LoadHole && i.type == Scalar::Bool; }

std::vector<u32> find_holes(const Code& code, const Sketch& sketch) {
  std::vector<u32> found(code.instructions.size(), SketchProgram::kNoHole);
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
      if (is_test(i) && hole_at[k] != SketchProgram::kNoHole) {
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
  SketchProgram out{
      std::move(source), VariantPlan(sketch), std::move(program.code), {}, BindObstacle::None};
  out.hole_at = find_holes(out.code, sketch);
  out.obstacle = find_obstacle(sketch, out.code, out.hole_at);
  return out;
}

bool has_decisions(const Sketch& sketch) {
  return std::ranges::any_of(sketch.holes,
                             [](const Hole& hole) { return hole.form != HoleForm::Free; });
}

bool Binder::bind(const Decisions& decisions, Code& out) {
  if (!sketch_.plan.decode(decisions, instances_)) return false;
  const Code& from = sketch_.code;
  out.instructions.clear();
  out.places.clear();
  out.constants = from.constants;
  out.functions = from.functions;
  // What was added to these stands behind what is the same in all variants.
  if (out.names.size() != from.names.size()) out.names = from.names;
  if (out.types.size() != from.types.size()) out.types = from.types;
  if (out.slot_types.size() != from.slot_types.size()) out.slot_types = from.slot_types;
  if (out.parameter_names.size() != from.parameter_names.size())
    out.parameter_names = from.parameter_names;
  for (Function& f : out.functions) copy_function(f, out);
  return true;
}

void Binder::copy_function(Function& f, Code& out) {
  const Code& from = sketch_.code;
  const u32 first = f.code_begin, count = f.code_end - f.code_begin;
  const u32 begin = static_cast<u32>(out.instructions.size());
  if (moved_to_.size() <= count) moved_to_.resize(count + 1);
  arms_.clear();
  for (u32 at = 0; at < count;) {
    moved_to_[at] = static_cast<u32>(out.instructions.size()) - begin;
    // The jump at the end of an arm, and the alternatives behind it.
    if (!arms_.empty() && arms_.back().jump == at) {
      const u32 behind = arms_.back().behind;
      for (; at < behind; ++at) moved_to_[at] = static_cast<u32>(out.instructions.size()) - begin;
      arms_.pop_back();
      continue;
    }
    Instruction i = from.instructions[first + at];
    const u32 hole = sketch_.hole_at[first + at];
    if (hole != SketchProgram::kNoHole) {
      const u32 decided = instances_[0].decided[hole];
      if (is_test(i)) {
        const u32 behind = from.instructions[first + at + 1].b;
        const bool is_taken = i.a == decided;
        if (is_taken) arms_.push_back({behind - 1, from.instructions[first + behind - 1].b});
        const u32 next = is_taken ? at + 2 : behind;
        for (; at < next; ++at) moved_to_[at] = static_cast<u32>(out.instructions.size()) - begin;
        continue;
      }
      i.op = Op::LoadConst;
      i.a = 0;
      out.constants[i.b] = grid_value(sketch_.plan.sketch().holes[hole].grid, decided);
    }
    out.instructions.push_back(i);
    out.places.push_back(from.places[first + at]);
    ++at;
  }
  moved_to_[count] = static_cast<u32>(out.instructions.size()) - begin;
  for (size_t k = begin; k < out.instructions.size(); ++k)
    if (has_target(op_row(out.instructions[k].op).form))
      out.instructions[k].b = moved_to_[out.instructions[k].b];
  f.code_begin = begin;
  f.code_end = static_cast<u32>(out.instructions.size());
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
