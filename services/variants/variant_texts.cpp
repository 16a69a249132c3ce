// SPDX-License-Identifier: Apache-2.0
#include "services/variants/variant_texts.h"

#include <algorithm>
#include <map>

#include "engine/sketch/sketch_candidates.h"
#include "engine/sketch/unused_copies.h"
#include "frontend_gpu/frontend.h"
#include "services/format.h"
#include "services/results/decided_text.h"
#include "services/simplify/simplify.h"

namespace komuz::services {
namespace {

std::string laid_out(const std::string& program) {
  frontend::Compiler compiler;
  const Formatted out = format(compiler, program);
  return out.ok ? out.text : program;
}

// Does the variant come to this hole? One inside of an alternative that was not taken has no content.
bool is_reached(const Sketch& sketch, const engine::DecodedVariant& variant, u32 number) {
  const Hole& hole = sketch.holes[number];
  for (u32 k = 0; k < number; ++k) {
    const Hole& outer = sketch.holes[k];
    if (outer.within != kNoSpace || outer.form != HoleForm::Choice ||
        !contains(outer.span, hole.span))
      continue;
    const u32 taken = variant.in(0, k);
    if (taken >= outer.alternatives.size() || !contains(outer.alternatives[taken].span, hole.span))
      return false;
  }
  return true;
}

// Which alternative or point it takes.
u32 taken_in(const Hole& hole, const engine::DecodedVariant& variant, u32 number) {
  const u32 taken = variant.in(0, number);
  return hole.form == HoleForm::Expansion && taken < variant.instances.size()
             ? variant.instances[taken].alternative
             : taken;
}

}  // namespace

Problem VariantTexts::choose(std::string_view name) {
  engine::Decisions decisions;
  if (Problem problem = engine::read_variant_name(sketch_.plan, name, decisions)) return problem;
  if (!fill_.write(decisions, text_))
    return input_problem("there is no variant `" + std::string(name) + "`");
  return {};
}

std::vector<HoleContent> VariantTexts::holes() const {
  const Sketch& sketch = sketch_.plan.sketch();
  std::vector<HoleContent> out;
  for (const FilledHole& filled : list_filled(sketch_.plan, fill_)) {
    const Hole& hole = sketch.holes[filled.hole];
    // What stands behind the text is not shown.
    if (hole.span.begin >= own_size_) continue;
    const std::string written = text_.substr(filled.begin, filled.end - filled.begin);
    out.push_back({filled.hole, hole.span.begin, hole.span.end,
                   hole.expands == kNoSpace ? hole.name : sketch.spaces[hole.expands].name,
                   statements_on_one_line(written), written});
  }
  return out;
}

std::string VariantTexts::content_of(u32 hole) const {
  const SketchSpan span = sketch_.plan.sketch().holes[hole].span;
  // The text beside it stays.
  const u32 begin = fill_.offset_of(span.begin - 1) + 1;
  const u32 end = std::max(begin, fill_.offset_of(span.end));
  return statements_on_one_line(std::string_view(text_).substr(begin, end - begin));
}

std::string VariantTexts::line(size_t most) const {
  return decided_text(list_decided(sketch_.plan, fill_, text_, {}, most));
}

std::optional<u32> VariantTexts::place_of(u32 byte) const {
  for (const Hole& hole : sketch_.plan.sketch().holes)
    if (hole.within == kNoSpace && hole.form != HoleForm::Free && hole.span.begin < byte &&
        byte < hole.span.end)
      return std::nullopt;
  if (byte == 0) return 0;
  // What stands before it is text of the program, also where a hole follows; behind a hole it is the byte itself.
  const bool is_behind_hole = std::ranges::any_of(
      sketch_.plan.sketch().holes, [&](const Hole& hole) { return hole.span.end == byte; });
  return is_behind_hole ? fill_.offset_of(byte) : fill_.offset_of(byte - 1) + 1;
}

std::string VariantTexts::program(const Library* library) const {
  std::string text = text_;
  engine::drop_unused_copies(sketch_.copies, sketch_.own_size, fill_, text);
  if (own_size_ == sketch_.own_size) return simplified_text(text, library);
  const auto end_of = [this](u32 size) { return size == 0 ? 0 : fill_.offset_of(size - 1) + 1; };
  text.erase(end_of(own_size_), end_of(sketch_.own_size) - end_of(own_size_));
  return simplified_text(text, library);
}
std::string VariantTexts::whole_program() const {
  std::string text = text_;
  engine::drop_unused_copies(sketch_.copies, sketch_.own_size, fill_, text);
  return laid_out(text);
}

std::optional<u32> hole_at(const Sketch& sketch, u32 byte) {
  std::optional<u32> found;
  // An inner hole comes behind the outer one.
  for (u32 k = 0; k < sketch.holes.size(); ++k) {
    const Hole& hole = sketch.holes[k];
    if (hole.form != HoleForm::Free && hole.span.begin <= byte && byte <= hole.span.end) found = k;
  }
  return found;
}

std::vector<RankedAlternative> rank_alternatives(const RankedSketch& ranked, u32 number,
                                                 size_t most) {
  std::vector<RankedAlternative> out;
  const engine::SketchProgram& program = *ranked.sketch;
  const Sketch& sketch = program.plan.sketch();
  const Hole& hole = sketch.holes[number];
  if (hole.within != kNoSpace) return out;
  std::map<u32, u32> best;  // by what is taken: rows
  const size_t all = hole.form == HoleForm::Choice ? hole.alternatives.size()
                     : hole.form == HoleForm::Expansion
                         ? sketch.spaces[hole.expands].alternatives.size()
                         : std::min<u64>(hole.grid.points, most);
  engine::Decisions decisions;
  engine::DecodedVariant variant;
  for (const u32 row : ranked.results.ranking) {
    if (best.size() == std::min(all, most)) break;
    if (!ranked.results.rows[row].scored ||
        engine::read_variant_name(program.plan, ranked.results.id(row), decisions) ||
        !program.plan.decode(decisions, variant) || !is_reached(sketch, variant, number))
      continue;
    best.try_emplace(taken_in(hole, variant, number), row);
  }
  if (hole.form == HoleForm::Choice) {
    for (u32 k = 0; k < hole.alternatives.size() && k < most; ++k) {
      const SketchSpan span = hole.alternatives[k].span;
      const auto found = best.find(k);
      out.push_back(
          {statements_on_one_line(
               std::string_view(program.source).substr(span.begin, span.end - span.begin)),
           found == best.end() ? std::nullopt : std::optional(found->second)});
    }
    return out;
  }
  VariantTexts texts(program);
  for (const auto& [taken, row] : best)
    if (!texts.choose(ranked.results.id(row))) out.push_back({texts.content_of(number), row});
  return out;
}

}  // namespace komuz::services
