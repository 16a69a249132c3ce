// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/fill_room.h"

#include <algorithm>
#include <vector>

namespace komuz::engine {

namespace {

// The extent of a text without the expressions from spaces in it: its bytes, and how deep the walk goes.
struct Extent {
  u64 text = 0;
  u32 frames = 0, expansions = 0;
  bool has_expressions = false;  // from spaces

  void follow(const Extent& next) {
    text += next.text;
    or_else({0, next.frames, next.expansions, next.has_expressions});
  }
  void or_else(const Extent& other) {
    text = std::max(text, other.text);
    frames = std::max(frames, other.frames);
    expansions = std::max(expansions, other.expansions);
    has_expressions |= other.has_expressions;
  }
};

// Holes stand behind the hole that contains them, so going backwards all contents are known.
class Extents {
 public:
  explicit Extents(const FillTables& tables)
      : tables_(tables), holes_(tables.holes.size()), spaces_(tables.spaces.size()) {
    for (size_t point = 0; point + 1 < tables.point_begins.size(); ++point)
      longest_point_ =
          std::max(longest_point_, tables.point_begins[point + 1] - tables.point_begins[point]);
    for (size_t number = holes_.size(); number-- > 0;) holes_[number] = of_hole(number);
    program = of_stretch(tables.program);
    for (const FillTables::Hole& hole : tables.holes)
      for (u32 k = 0; k < ways_of_space(hole); ++k)
        spaces_[hole.space].or_else(of_way(tables.ways[hole.first_way + k]));
    for (const Extent& space : spaces_)
      longest_expression = std::max(longest_expression, space.text);
  }

  [[nodiscard]] const Extent& of_space(size_t space) const { return spaces_[space]; }

  Extent program;
  u64 longest_expression = 0;  // of one alternative
  u64 longest_arguments = 0;   // of one expansion
  bool nests_in_arguments = false;

 private:
  // A name that replaces another one may be longer.
  static constexpr u32 kName = 24, kDigits = 11;

  [[nodiscard]] static u32 size_of(SketchSpan span) { return span.end - span.begin; }
  // All holes of a space may hold the same, except for the texts around them.
  [[nodiscard]] u32 ways_of_space(const FillTables::Hole& hole) const {
    if (hole.form == HoleForm::Expansion) return 2 * hole.ways;
    return hole.form == HoleForm::Nested ? hole.ways : 0;
  }

  [[nodiscard]] Extent of_stretch(u32 part) const {
    Extent out{.frames = 1};
    for (; tables_.parts[part].kind != FillTables::PartKind::End; ++part) {
      const FillTables::Part& p = tables_.parts[part];
      if (p.kind == FillTables::PartKind::Copied) out.text += size_of(p.text);
      if (p.kind == FillTables::PartKind::Use)
        out.text += std::max(size_of(p.text) + kDigits, kName);
      if (p.kind != FillTables::PartKind::Hole) continue;
      Extent inside = holes_[p.what];
      ++inside.frames;
      out.follow(inside);
    }
    return out;
  }
  [[nodiscard]] Extent of_way(const FillTables::Way& way) const {
    Extent out = of_stretch(way.part);
    out.text += size_of(way.before) + size_of(way.behind) + 1;
    return out;
  }
  [[nodiscard]] Extent of_hole(size_t number) {
    const FillTables::Hole& hole = tables_.holes[number];
    Extent out;
    switch (hole.form) {
      case HoleForm::Free: break;
      case HoleForm::Grid: out.text = longest_point_ + 2; break;
      case HoleForm::Choice:
        for (u32 k = 0; k < hole.ways; ++k) out.or_else(of_way(tables_.ways[hole.first_way + k]));
        break;
      case HoleForm::Nested: out.has_expressions = true; break;
      case HoleForm::Expansion: {
        const FillTables::Space& space = tables_.spaces[hole.space];
        for (u32 k = 0; k < space.parameters; ++k) {
          out.follow(of_stretch(tables_.argument_parts[hole.first_argument + k]));
          const FillTables::Name& name = tables_.names[space.first_name + k];
          out.text += size_of(name.text) + size_of(name.type) + kDigits + 4;
        }
        nests_in_arguments |= out.has_expressions;
        longest_arguments = std::max(longest_arguments, out.text);
        out.text += 32;  // `({ let (): () = (); })`
        ++out.expansions;
        out.has_expressions = true;
        break;
      }
    }
    return out;
  }

  const FillTables& tables_;
  std::vector<Extent> holes_, spaces_;
  u32 longest_point_ = 0;
};

u64 parts_of(const VariantPlan& variants, u32 scale) {
  if (variants.sketch().spaces.empty()) return 0;
  return std::min(u64{32} * scale, variants.most_decisions());
}
u32 capped(u64 size) { return static_cast<u32>(std::min(size, u64{1} << 30)); }

u64 text_of_expressions(const Extents& extents, const VariantPlan& variants, u32 scale) {
  return parts_of(variants, scale) * extents.longest_expression;
}

}  // namespace

u32 text_room(const FillPlan& plan, const VariantPlan& variants, u32 scale) {
  const FillTables tables = plan.tables();
  const Extents extents(tables);
  u64 room = extents.program.text + text_of_expressions(extents, variants, scale);
  for (const FillTables::Space& space : tables.spaces)
    for (u32 k = 0; k < space.constants; ++k) {
      const FillTables::Name& name = tables.names[space.first_name + space.parameters + k];
      room += 2 * (name.text.end - name.text.begin) + name.type.end - name.type.begin + 32;
    }
  return capped(room + 1);
}

Filling<Bounded>::Room filling_room(const FillPlan& plan, const VariantPlan& variants, u32 scale) {
  const FillTables tables = plan.tables();
  const Extents extents(tables);
  const u64 parts = parts_of(variants, scale);
  u64 frames = 0, expansions = 0;
  u32 names = 0, constants = 0;
  for (size_t s = 0; s < tables.spaces.size(); ++s) {
    const u64 depth = std::min<u64>(variants.sketch().spaces[s].depth + u64{1}, parts);
    frames += depth * (extents.of_space(s).frames + 1);
    expansions += depth * extents.of_space(s).expansions;
    names = std::max(names, tables.spaces[s].parameters + tables.spaces[s].constants);
    constants += tables.spaces[s].constants;
  }
  frames += extents.program.frames + 1;
  expansions += extents.program.expansions;
  u64 apart = expansions * extents.longest_arguments;
  if (extents.nests_in_arguments) apart += text_of_expressions(extents, variants, scale);
  return {.frames = capped(frames),
          .expansions = capped(expansions),
          .arguments = capped(expansions * names),
          .apart = capped(apart),
          .aliases = constants};
}

}  // namespace komuz::engine
