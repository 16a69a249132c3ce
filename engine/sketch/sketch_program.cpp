// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/sketch_program.h"

#include <algorithm>

#include "base/counts.h"
#include "engine/sketch/bound_identity.h"
#include "frontend_gpu/sketch.h"

namespace komuz::engine {

namespace {

// True if a function calls one of its own cycle within an alternative, so that a variant may lack the call.
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

bool has_plain_values(const CodeView& code, const Function& f) {
  for (const std::string_view codes : {code.parameter_types(f), code.result_type(f)})
    for (size_t at = 0; at < codes.size();) {
      const TypeHead head = read_type_head(codes, at);
      if (head.code > kRecordCode) return false;
      at = head.end;
    }
  return true;
}

BindObstacle find_obstacle(const Sketch& sketch, const Code& code, const std::vector<u32>& hole_at,
                           const BoundFunctions& functions) {
  if (std::ranges::any_of(sketch.holes, &Hole::is_copied)) return BindObstacle::Copies;
  for (const BoundFunctions::Space& space : functions.spaces) {
    const Function& f = code.functions[space.function];
    if (!has_plain_values(code.view(), f)) return BindObstacle::SpaceOfLists;
    if (f.cycle != 0) return BindObstacle::Recursion;
  }
  return may_recurse(code, hole_at) ? BindObstacle::Recursion : BindObstacle::None;
}

}  // namespace

std::string_view obstacle_text(BindObstacle obstacle) {
  switch (obstacle) {
    case BindObstacle::None: break;
    case BindObstacle::Copies:
      return "it chooses between arrays, lists or sums, which are made before they are used";
    case BindObstacle::SpaceOfLists: return "a space takes or gives arrays, lists or sums";
    case BindObstacle::Recursion: return "whether a function is recursive depends on a decision";
    case BindObstacle::Frames: return "its expressions from spaces nest too deeply";
  }
  return {};
}

std::string free_holes_text(const Sketch& sketch) {
  constexpr size_t kMost = 5;
  std::string names;
  size_t free = 0;
  for (const Hole& hole : sketch.holes) {
    if (hole.form != HoleForm::Free) continue;
    if (++free <= kMost) names += ", `?" + hole.name + "`";
  }
  if (free == 0) return {};
  return counted(free, "free hole") + names + (free > kMost ? ", …" : "");
}

Problem unfitted_reals(const VariantPlan& plan) {
  for (const Hole& hole : plan.sketch().holes)
    if (hole.grid.is_real)
      return input_problem({}, "`?" + hole.name + "(real)` is any number, which has to be fitted",
                           "`komuz search`, and `:search` in a session, fit it");
  return {};
}

std::string open_holes_text(const VariantPlan& plan) {
  const size_t decisions = plan.program().decisions.size();
  const std::string free = free_holes_text(plan.sketch());
  std::string text = "this is a sketch with ";
  if (decisions != 0) text += counted(decisions, "decision") + (free.empty() ? "" : " and ");
  text += free + ", and traps HOLE where one is reached";
  if (!free.empty()) text += "; write what is missing in place of free holes";
  if (decisions != 0)
    text +=
        "; `komuz eval SKETCH.komuz`, with it alone, ranks its variants, and `komuz fill` writes "
        "one";
  return text;
}

std::optional<SketchProgram> read_sketch(std::string source, const frontend::Options& options) {
  frontend::Compiler compiler(options);
  frontend::Compilation program;
  compiler.compile(source, program);
  if (!program.ok) return std::nullopt;
  const auto own_size = static_cast<u32>(source.size());
  std::vector<SketchCopy> copies;
  if (std::optional<WrittenOut> written_out = compiler.written_out(source)) {
    source = std::move(written_out->text);
    copies = std::move(written_out->copies);
    compiler.compile(source, program);
    if (!program.ok) return std::nullopt;
  }
  const Sketch sketch = frontend::describe_sketch(compiler.columns());
  BoundFunctions functions = number_functions(program.code, sketch);
  const std::vector<u32> hole_at = find_code_holes(program.code, sketch, functions);
  BindObstacle obstacle = find_obstacle(sketch, program.code, hole_at, functions);
  BindPlan bind_plan;
  if (obstacle == BindObstacle::None) {
    bind_plan =
        make_bind_plan(program.code, sketch, options.stack_limit, hole_at, std::move(functions));
    if (!bind_plan.functions.fits) obstacle = BindObstacle::Frames;
  }
  return SketchProgram{std::move(source),       own_size, std::move(copies),   VariantPlan(sketch),
                       std::move(program.code), obstacle, std::move(bind_plan)};
}

bool has_decisions(const Sketch& sketch) {
  return std::ranges::any_of(sketch.holes,
                             [](const Hole& hole) { return hole.form != HoleForm::Free; });
}

namespace {

BoundView bound_view(const Code& code) {
  return {code.instructions.data(), code.constants.data(), code.functions.data(),
          static_cast<u32>(code.instructions.size()), static_cast<u32>(code.functions.size())};
}

}  // namespace

u64 bound_bytes(const Code& code) { return bytes_of(bound_view(code)); }

frontend::TextHash identity_of(const Code& code) {
  const Hash128 hash = hash_of(bound_view(code));
  return {hash.low, hash.high};
}

}  // namespace komuz::engine
