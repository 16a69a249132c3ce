// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/fill.h"

#include <algorithm>

#include "engine/sketch/grid_value.h"
#include "engine/value_text.h"

namespace komuz::engine {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
// Is it the name of a variable? Names of constants may stand for literals, whose types are open.
bool is_variable(std::string_view text) {
  return !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || text[0] == '_') &&
         std::ranges::all_of(text, is_word);
}
bool is_number_type(std::string_view type) {
  for (u32 k = 0; k < kScalarCount; ++k) {
    const Scalar scalar = static_cast<Scalar>(k);
    if (scalar != Scalar::Bool && scalar_name(scalar) == type) return true;
  }
  return false;
}

}  // namespace

Fill::Fill(std::string_view source, const VariantPlan& plan)
    : source_(source), plan_(plan), sketch_(plan.sketch()) {}

bool Fill::write(const Decisions& decisions, std::string& out) {
  if (!plan_.decode(decisions, instances_)) return false;
  replaced_.resize(std::max(replaced_.size(), instances_.size()));
  out.clear();
  out_ = text_ = &out;
  pieces_.clear();
  // Spaces are left out with the line end behind them.
  SketchSpan rest{0, static_cast<u32>(source_.size())};
  for (const Space& space : sketch_.spaces) {
    region({rest.begin, space.span.begin}, 0);
    rest.begin = space.span.end;
    if (rest.begin < source_.size() && source_[rest.begin] == '\n') ++rest.begin;
  }
  region(rest, 0);
  return true;
}

// The text of a span, of which a part is a hole or the name of a parameter.
void Fill::region(SketchSpan span, u32 instance) {
  const auto& holes = sketch_.holes;
  const u32 space = instances_[instance].space;
  auto next = std::ranges::lower_bound(holes, span.begin, {},
                                       [](const Hole& hole) { return hole.span.begin; });
  const std::vector<Argument>& replaced = replaced_[instance];
  u32 at = span.begin;
  const auto next_use = [&](u32 from, const Argument*& argument) {
    SketchSpan first{span.end, span.end};
    if (space == kNoSpace) return first;
    for (const Argument& candidate : replaced)
      for (const SketchSpan use : candidate.parameter->uses)
        if (use.begin >= from && use.begin < first.begin) first = use, argument = &candidate;
    return first;
  };
  while (at < span.end) {
    while (next != holes.end() && next->span.begin < at) ++next;
    const u32 hole_at =
        next != holes.end() && next->span.begin < span.end ? next->span.begin : span.end;
    const Argument* argument = nullptr;
    const SketchSpan use = next_use(at, argument);
    const u32 until = std::min(hole_at, use.begin);
    copy({at, until});
    at = until;
    if (at == span.end) return;
    if (use.begin < hole_at) {
      *out_ += argument->text;
      at = use.end;
    } else {
      hole(static_cast<u32>(next - holes.begin()), instance);
      at = next->span.end;
    }
  }
}

void Fill::copy(SketchSpan span) {
  if (out_ == text_) pieces_.push_back({static_cast<u32>(out_->size()), span.begin, true});
  *out_ += source_.substr(span.begin, span.end - span.begin);
}

u32 Fill::place_in_sketch(u32 offset) const {
  const auto behind = std::ranges::upper_bound(pieces_, offset, {}, &Piece::begin);
  if (behind == pieces_.begin()) return 0;
  const Piece& piece = *std::prev(behind);
  return piece.is_copied ? piece.source + (offset - piece.begin) : piece.source;
}

void Fill::hole(u32 number, u32 instance) {
  const Hole& hole = sketch_.holes[number];
  if (out_ == text_) pieces_.push_back({static_cast<u32>(out_->size()), hole.span.begin, false});
  const Instance& own = instances_[instance];
  const auto decided = [&] { return own.decided[number - own.first_hole]; };
  switch (hole.form) {
    case HoleForm::Free: return copy(hole.span);
    case HoleForm::Choice: return alternative(hole.alternatives[decided()], instance);
    case HoleForm::Grid: return this->number(hole.grid, decided());
    case HoleForm::Expansion: return with_arguments(hole, decided(), instance);
    case HoleForm::Nested: {
      const u32 inside = decided();
      replaced_[inside] = replaced_[instance];
      return alternative(sketch_.spaces[hole.expands].alternatives[instances_[inside].alternative],
                         inside);
    }
  }
}

bool Fill::touches_word() const { return !out_->empty() && is_word(out_->back()); }

void Fill::alternative(const Alternative& alternative, u32 instance) {
  if (alternative.type.empty()) {
    const bool closed = alternative.is_closed && !touches_word();
    if (!closed) *out_ += '(';
    region(alternative.span, instance);
    if (!closed) *out_ += ')';
    return;
  }
  if (is_number_type(alternative.type)) {
    if (touches_word()) *out_ += ' ';
    *out_ += alternative.type + "(";
    region(alternative.span, instance);
    *out_ += ')';
    return;
  }
  *out_ += "({ let it: " + alternative.type + " = ";
  region(alternative.span, instance);
  *out_ += "; it })";
}

// Parameters stand for variables by their names; for anything else, which is evaluated once, a `let` does. So it does where
// the space binds names that could hide the variables.
void Fill::with_arguments(const Hole& hole, u32 from, u32 instance) {
  const Space& space = sketch_.spaces[hole.expands];
  const Alternative& chosen = space.alternatives[instances_[from].alternative];
  std::vector<Argument> arguments;
  std::string* const out = out_;
  bool are_variables = !space.has_binders;
  for (size_t k = 0; k < space.parameters.size(); ++k) {
    std::string text;
    out_ = &text;
    region(hole.arguments[k], instance);
    are_variables &= is_variable(text);
    arguments.push_back({&space.parameters[k], std::move(text)});
  }
  out_ = out;
  std::vector<Argument>& replaced = replaced_[from];
  replaced.clear();
  std::string names, types, values;
  u32 bound = 0;
  for (Argument& argument : arguments) {
    if (are_variables || argument.parameter->is_slice) {
      if (!is_variable(argument.text)) argument.text = "(" + argument.text + ")";
      replaced.push_back(std::move(argument));
      continue;
    }
    const std::string_view comma = bound++ == 0 ? "" : ", ";
    names.append(comma).append(argument.parameter->name);
    types.append(comma).append(argument.parameter->type);
    values.append(comma).append(argument.text);
  }
  if (bound == 0) return alternative(chosen, from);
  if (bound > 1) names = "(" + names + ")", types = "(" + types + ")", values = "(" + values + ")";
  *out_ += "({ let " + names + ": " + types + " = " + values + "; ";
  alternative(chosen, from);
  *out_ += " })";
}

void Fill::number(const Grid& grid, u64 point) {
  *out_ += grid.type == Scalar::U8 ? "u8(" : "(";
  print_scalar(*out_, grid.type, grid_value(grid, point), ValueStyle::Source);
  *out_ += ')';
}

}  // namespace komuz::engine
