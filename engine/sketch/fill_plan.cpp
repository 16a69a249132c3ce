// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/fill_plan.h"

#include <algorithm>
#include <map>

#include "engine/sketch/point_texts.h"
#include "engine/sketch/with_comments.h"
#include "engine/sketch/written_text.h"
#include "lang/nodes.h"

namespace komuz::engine {

namespace {

using Enclosed = FillTables::Enclosed;
using PartKind = FillTables::PartKind;

bool is_number_type(std::string_view type) {
  for (u32 k = 0; k < kScalarCount; ++k) {
    const Scalar scalar = static_cast<Scalar>(k);
    if (scalar != Scalar::Bool && scalar_name(scalar) == type) return true;
  }
  return false;
}

// True if the hole is all that is left of a block. Its alternatives may bind names in that block.
bool fills_block(std::string_view source, SketchSpan hole) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t before = source.substr(0, hole.begin).find_last_not_of(kBlanks);
  const size_t behind = source.find_first_not_of(kBlanks, hole.end);
  if (before == std::string_view::npos || behind == std::string_view::npos) return false;
  const size_t line = source.rfind('\n', before) + 1;
  const bool may_be_comment = source.substr(line, before - line).find("//") != std::string::npos;
  const bool begins = source[before] == '{' || source[before] == ';';
  return begins && source[behind] == '}' && !may_be_comment;
}

// Numbers n for which `name_n` occurs in the source, even as the start of a longer word.
std::vector<u32> taken_numbers(std::string_view source, const std::string& name) {
  std::vector<u32> out;
  const std::string start = name + "_";
  for (size_t at = source.find(start); at != std::string_view::npos;
       at = source.find(start, at + 1)) {
    u64 number = 0;
    for (size_t digit = at + start.size(); digit < source.size(); ++digit) {
      const char c = source[digit];
      number = number * 10 + static_cast<u64>(c - '0');
      if (c < '0' || c > '9' || number == 0 || number > ~u32{0}) break;
      out.push_back(static_cast<u32>(number));
    }
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

class FillPlanBuilder {
 public:
  FillPlanBuilder(std::string_view source, const Sketch& sketch, FillPlan& plan)
      : source_(source), sketch_(sketch), plan_(plan), points_(source, sketch) {}

  void build(FillPlan::Points points) {
    plan_.text_ = source_;
    for (const Space& space : sketch_.spaces) add_space(space);
    add_program();
    for (u32 s = 0; s < sketch_.spaces.size(); ++s)
      for (const Alternative& alternative : sketch_.spaces[s].alternatives)
        space_parts_[s].push_back(add_stretch(alternative.span, s));
    for (u32 number = 0; number < sketch_.holes.size(); ++number) add_hole(number);
    add_points(points);
  }

 private:
  struct Use {
    SketchSpan span;
    u32 name = 0;
  };

  SketchSpan add_text(const std::string& text) {
    const auto [known, is_new] = texts_.try_emplace(text);
    if (is_new) {
      known->second.begin = static_cast<u32>(plan_.text_.size());
      plan_.text_ += text;
      known->second.end = static_cast<u32>(plan_.text_.size());
    }
    return known->second;
  }

  void add_space(const Space& space) {
    std::vector<Use>& uses = uses_.emplace_back();
    space_parts_.emplace_back();
    const auto first_name = static_cast<u32>(plan_.names_.size());
    const auto add_name = [&](const SpaceParameter& parameter) {
      const auto first_taken = static_cast<u32>(plan_.taken_.size());
      for (const u32 number : taken_numbers(source_, parameter.name))
        plan_.taken_.push_back(number);
      for (const SketchSpan use : parameter.uses)
        uses.push_back({use, static_cast<u32>(plan_.names_.size()) - first_name});
      plan_.names_.push_back({add_text(parameter.name), add_text(parameter.type), first_taken,
                              static_cast<u32>(plan_.taken_.size()), parameter.is_slice});
    };
    for (const SpaceParameter& parameter : space.parameters) add_name(parameter);
    for (const SpaceParameter& constant : space.constants) add_name(constant);
    std::ranges::sort(uses, {}, [](const Use& use) { return use.span.begin; });
    plan_.spaces_.push_back(
        {.first_name = first_name,
         .parameters = static_cast<u32>(space.parameters.size()),
         .constants = static_cast<u32>(space.constants.size()),
         .has_binders = space.has_binders,
         .has_slices = std::ranges::any_of(space.parameters, &SpaceParameter::is_slice)});
  }

  // Adds the program without its spaces and their comments.
  void add_program() {
    plan_.program_ = static_cast<u32>(plan_.parts_.size());
    SketchSpan rest{0, static_cast<u32>(source_.size())};
    for (const Space& space : sketch_.spaces) {
      const SketchSpan left_out = with_comments(source_, space.span);
      cut({rest.begin, std::max(rest.begin, left_out.begin)}, kNoSpace);
      rest.begin = left_out.end;
    }
    cut(rest, kNoSpace);
    plan_.parts_.push_back({});
  }
  // Returns the first part of the text there.
  u32 add_stretch(SketchSpan span, u32 space) {
    const auto first = static_cast<u32>(plan_.parts_.size());
    cut(span, space);
    plan_.parts_.push_back({});
    return first;
  }
  // `space`: the space that the text belongs to.
  void cut(SketchSpan span, u32 space) {
    const auto& holes = sketch_.holes;
    const auto add = [&](PartKind kind, u32 what, SketchSpan text) {
      plan_.parts_.push_back({kind, what, text});
    };
    u32 copied = span.begin;
    const auto copy_until = [&](u32 end) {
      if (copied < end) add(PartKind::Copied, 0, {copied, end});
    };
    std::span<const Use> uses;
    if (space != kNoSpace) uses = uses_[space];
    auto hole =
        std::ranges::lower_bound(holes, span.begin, {}, [](const Hole& h) { return h.span.begin; });
    auto use =
        std::ranges::lower_bound(uses, span.begin, {}, [](const Use& u) { return u.span.begin; });
    for (u32 at = span.begin; at < span.end;) {
      while (hole != holes.end() && hole->span.begin < at) ++hole;
      while (use != uses.end() && use->span.begin < at) ++use;
      const u32 hole_at = hole != holes.end() ? std::min(hole->span.begin, span.end) : span.end;
      if (use != uses.end() && use->span.begin < hole_at) {
        copy_until(use->span.begin);
        add(PartKind::Use, use->name, use->span);
        at = copied = use->span.end;
        continue;
      }
      if (hole_at == span.end) break;
      at = hole->span.end;
      // A free hole stays.
      if (hole->form == HoleForm::Free) continue;
      copy_until(hole_at);
      add(PartKind::Hole, static_cast<u32>(hole - holes.begin()), {});
      copied = at;
    }
    copy_until(span.end);
  }

  void add_hole(u32 number) {
    const Hole& hole = sketch_.holes[number];
    FillTables::Hole row{.form = hole.form, .place = hole.span.begin, .space = hole.expands};
    row.first_way = static_cast<u32>(plan_.ways_.size());
    switch (hole.form) {
      case HoleForm::Free: break;
      case HoleForm::Choice:
        for (const Alternative& a : hole.alternatives)
          add_way(hole, a, hole.within, add_stretch(a.span, hole.within), hole.least_level);
        break;
      case HoleForm::Grid: add_grid(number, row); break;
      case HoleForm::Expansion:
        row.fills_block = fills_block(source_, hole.span);
        row.first_argument = static_cast<u32>(plan_.argument_parts_.size());
        plan_.are_locals_.insert(plan_.are_locals_.end(), hole.are_locals.begin(),
                                 hole.are_locals.end());
        for (const SketchSpan argument : hole.arguments) {
          const u32 part = add_stretch(argument, hole.within);
          plan_.argument_parts_.push_back(part);
        }
        add_ways(hole, hole.least_level);
        row.ways = static_cast<u32>(sketch_.spaces[hole.expands].alternatives.size());
        add_ways(hole, kNeverOpen);
        break;
      case HoleForm::Nested: add_ways(hole, hole.least_level); break;
    }
    if (hole.form != HoleForm::Expansion)
      row.ways = static_cast<u32>(plan_.ways_.size()) - row.first_way;
    plan_.holes_.push_back(row);
  }
  void add_ways(const Hole& hole, u8 least_level) {
    const std::vector<Alternative>& alternatives = sketch_.spaces[hole.expands].alternatives;
    for (size_t k = 0; k < alternatives.size(); ++k)
      add_way(hole, alternatives[k], hole.expands, space_parts_[hole.expands][k], least_level);
  }

  // Adds what may stand in the hole. `least_level`: the level from which on it needs no parentheses.
  void add_way(const Hole& around, const Alternative& alternative, u32 space, u32 part,
               u8 least_level) {
    FillTables::Way way;
    way.part = way.enclosed_part = part;
    const auto enclose = [&](const std::string& before, const std::string& behind) {
      way.before = add_text(before);
      way.behind = add_text(behind);
    };
    // A free hole has the type that is stated beside it. It is no choice where brackets follow.
    const Hole* const inside = hole_at(alternative.span);
    const bool is_free = inside != nullptr && inside->form == HoleForm::Free;
    const std::string& type = is_free ? inside->type : alternative.type;
    if (alternative.leaves && !is_free) {
      // An alternative without a value may take its type from the hole; code that needs the value is never reached.
      const bool has_type = !around.type.empty() && around.type != "()";
      enclose(has_type ? "({ let it: " + around.type + " = { " : "({ ",
              has_type ? " }; it })" : " })");
    } else if (type.empty()) {
      way.enclosed = enclosed_without_type(around, alternative, least_level);
      if (around.is_statement) {
        // The alternative is the last statement of a block in parentheses. A `;` behind it drops its value, since a
        // value in parentheses must be used. A block is no statement, so only its content is written.
        const SketchSpan span = alternative.span;
        if (source_[span.begin] == '{' && source_[span.end - 1] == '}')
          way.enclosed_part = add_stretch({span.begin + 1, span.end - 1}, space);
        enclose("({ ", "; })");
      } else {
        enclose("(", ")");
      }
    } else if (alternative.is_integer_as_float && is_decimal(alternative.span)) {
      const bool is_bare = type == "f64" && source_[alternative.span.begin] != '-';
      way.enclosed = Enclosed::AfterSpace;
      if (is_bare)
        enclose("", ".0");
      else
        enclose(type == "f64" ? "(" : type + "(", ".0)");
    } else if (is_number_type(type) && !is_free && !alternative.is_integer_as_float) {
      way.enclosed = Enclosed::AfterSpace;
      enclose(type + "(", ")");
    } else {
      enclose("({ let it: " + type + " = ", "; it })");
    }
    plan_.ways_.push_back(way);
  }
  [[nodiscard]] Enclosed enclosed_without_type(const Hole& around, const Alternative& alternative,
                                               u8 least_level) const {
    const bool holds = alternative.is_closed || alternative.level >= least_level;
    if (!holds || meets_word(around)) return Enclosed::Always;
    // At the start of a line, a sign would continue the expression above it.
    const bool has_sign = !is_word(source_[alternative.span.begin]);
    return has_sign && !alternative.is_closed ? Enclosed::AtWordsAndLines : Enclosed::AtWords;
  }
  // True for an integer's literal such as `12` or `-12`, to which a point can be added.
  [[nodiscard]] bool is_decimal(SketchSpan span) const {
    const std::string_view text = source_.substr(span.begin, span.end - span.begin);
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const bool is_other = digits.size() > 1 && digits.starts_with('0');
    return !digits.empty() && !is_other &&
           digits.find_first_not_of("0123456789_") == std::string_view::npos;
  }
  // True if the hole's content must not run into the text behind it.
  [[nodiscard]] bool meets_word(const Hole& hole) const {
    return hole.span.end < source_.size() && is_word(source_[hole.span.end]);
  }
  [[nodiscard]] const Hole* hole_at(SketchSpan span) const {
    const auto at = std::ranges::lower_bound(sketch_.holes, span.begin, {},
                                             [](const Hole& hole) { return hole.span.begin; });
    const bool is_it =
        at != sketch_.holes.end() && at->span.begin == span.begin && at->span.end == span.end;
    return is_it ? &*at : nullptr;
  }

  void add_grid(u32 number, FillTables::Hole& row) const {
    if (points_.is_of_bytes(number)) return;
    const Hole& hole = sketch_.holes[number];
    const auto enclosed = [&](Node node, Enclosed otherwise) {
      const bool holds = node_row(node).level >= hole.least_level && !meets_word(hole);
      return holds ? otherwise : Enclosed::Always;
    };
    // A literal is an operand of any operator on values.
    row.number = enclosed(Node::Dot, Enclosed::AtWords);
    row.negative_number = enclosed(Node::Neg, Enclosed::AtWordsAndLines);
  }
  void add_points(FillPlan::Points points) {
    u64 count = 0;
    for (const Hole& hole : sketch_.holes)
      if (hole.form == HoleForm::Grid && count <= PointTexts::kMostKept)
        count += std::min(hole.grid.points, PointTexts::kMostKept + 1);
    plan_.can_fill_ =
        count == 0 || (points == FillPlan::Points::InTables && count <= PointTexts::kMostKept);
    if (!plan_.can_fill_) return;
    for (u32 number = 0; number < sketch_.holes.size(); ++number) {
      const Hole& hole = sketch_.holes[number];
      if (hole.form != HoleForm::Grid) continue;
      plan_.holes_[number].first_point = static_cast<u32>(plan_.point_begins_.size());
      for (u64 point = 0; point < hole.grid.points; ++point) {
        plan_.point_begins_.push_back(static_cast<u32>(plan_.text_.size()));
        plan_.text_ += points_.of(number, point);
      }
    }
    plan_.point_begins_.push_back(static_cast<u32>(plan_.text_.size()));
  }

  std::string_view source_;
  const Sketch& sketch_;
  FillPlan& plan_;
  PointTexts points_;
  std::map<std::string, SketchSpan> texts_;
  std::vector<std::vector<Use>> uses_;         // by space, in the order of the text
  std::vector<std::vector<u32>> space_parts_;  // by space and alternative: the first part
};

FillPlan::FillPlan(std::string_view source, const VariantPlan& variants, Points points) {
  FillPlanBuilder(source, variants.sketch(), *this).build(points);
}

FillTables FillPlan::tables() const {
  return {.text = text_,
          .parts = parts_,
          .ways = ways_,
          .holes = holes_,
          .argument_parts = argument_parts_,
          .are_locals = are_locals_,
          .spaces = spaces_,
          .names = names_,
          .taken = taken_,
          .point_begins = point_begins_,
          .program = program_};
}

}  // namespace komuz::engine
