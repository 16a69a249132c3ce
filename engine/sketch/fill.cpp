// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/fill.h"

#include <algorithm>

#include "engine/sketch/grid_value.h"
#include "engine/value_text.h"
#include "lang/nodes.h"

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
    : source_(source), plan_(plan), sketch_(plan.sketch()), points_(sketch_.holes.size()) {
  for (const Space& space : sketch_.spaces) left_out_.push_back(with_comments(space.span));
}

bool Fill::write(const Decisions& decisions, std::string& out) {
  if (!plan_.decode(decisions, variant_)) return false;
  replaced_.resize(std::max(replaced_.size(), variant_.instances.size()));
  out.clear();
  out_ = &out;
  out_pieces_ = &pieces_;
  pieces_.clear();
  fresh_names_ = 0;
  aliases_.clear();
  SketchSpan rest{0, static_cast<u32>(source_.size())};
  for (const SketchSpan left_out : left_out_) {
    region({rest.begin, std::max(rest.begin, left_out.begin)}, 0);
    rest.begin = left_out.end;
  }
  region(rest, 0);
  for (const Alias& alias : aliases_)
    out +=
        "\nconst " + alias.name + ": " + alias.constant->type + " = " + alias.constant->name + ";";
  if (!aliases_.empty()) out += '\n';
  return true;
}

const std::string& Fill::alias(const SpaceParameter& constant) {
  const auto known = std::ranges::find_if(
      aliases_, [&](const Alias& a) { return a.constant->name == constant.name; });
  if (known != aliases_.end()) return known->name;
  return aliases_.emplace_back(Alias{&constant, fresh_name(constant.name)}).name;
}

// Lines of comments right above it, lines of documentation above those, what stands behind it in its last line if
// that is a comment, and the line end.
SketchSpan Fill::with_comments(SketchSpan item) const {
  const auto start_of_line = [&](u32 at) {
    const size_t before = at == 0 ? std::string_view::npos : source_.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : static_cast<u32>(before + 1);
  };
  bool is_next = true;
  for (u32 end = start_of_line(item.begin); end > 0;) {
    const u32 begin = start_of_line(end - 1);
    std::string_view line = source_.substr(begin, end - begin);
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r\n"), line.size()));
    if (!line.empty() && !line.starts_with("//")) break;
    is_next &= !line.empty();
    if (is_next || line.starts_with("///")) item.begin = begin;
    end = begin;
  }
  const size_t behind = source_.find_first_not_of(" \t\r", item.end);
  const bool ends_line = behind == std::string_view::npos || source_[behind] == '\n' ||
                         source_.substr(behind).starts_with("//");
  if (!ends_line) return item;
  const size_t line_end = source_.find('\n', item.end);
  item.end = static_cast<u32>(std::min(line_end, source_.size() - 1) + 1);
  return item;
}

// The text of a span, of which a part is a hole or the name of a parameter.
void Fill::region(SketchSpan span, u32 instance) {
  const auto& holes = sketch_.holes;
  const u32 space = variant_.instances[instance].space;
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
      note_place(use.begin, false);
      *out_ += argument->text;
      at = use.end;
    } else {
      hole(static_cast<u32>(next - holes.begin()), instance);
      at = next->span.end;
    }
  }
}

void Fill::copy(SketchSpan span) {
  note_place(span.begin, true);
  *out_ += source_.substr(span.begin, span.end - span.begin);
}

void Fill::note_place(u32 source, bool is_copied) {
  out_pieces_->push_back({static_cast<u32>(out_->size()), source, is_copied});
}

void Fill::append(const Argument& argument) {
  const auto moved = static_cast<u32>(out_->size());
  for (const Piece& piece : argument.pieces)
    out_pieces_->push_back({moved + piece.begin, piece.source, piece.is_copied});
  *out_ += argument.text;
}

u32 Fill::place_in_sketch(u32 offset) const {
  const auto behind = std::ranges::upper_bound(pieces_, offset, {}, &Piece::begin);
  if (behind == pieces_.begin()) return 0;
  const Piece& piece = *std::prev(behind);
  return piece.is_copied ? piece.source + (offset - piece.begin) : piece.source;
}

// What is written behind a copied piece without one of its own seems to be part of it: of pieces that seem to hold
// the byte it is the one that begins nearest to it.
u32 Fill::offset_of(u32 place) const {
  const Piece* nearest = nullptr;
  for (const Piece& piece : pieces_) {
    const u32 end = &piece == &pieces_.back() ? ~0u : (&piece + 1)->begin;
    const bool may_hold =
        piece.is_copied && piece.source <= place && place - piece.source < end - piece.begin;
    if (may_hold && (nearest == nullptr || nearest->source < piece.source)) nearest = &piece;
  }
  return nearest == nullptr ? 0 : nearest->begin + (place - nearest->source);
}

void Fill::hole(u32 number, u32 instance) {
  const Hole& hole = sketch_.holes[number];
  note_place(hole.span.begin, false);
  const auto decided = [&] { return variant_.in(instance, number); };
  switch (hole.form) {
    case HoleForm::Free: return copy(hole.span);
    case HoleForm::Choice:
      return alternative(hole, hole.alternatives[decided()], instance, hole.least_level);
    case HoleForm::Grid: return this->number(hole, decided());
    case HoleForm::Expansion: return with_arguments(hole, decided(), instance);
    case HoleForm::Nested: {
      const u32 inside = decided();
      replaced_[inside] = replaced_[instance];
      return alternative(
          hole, sketch_.spaces[hole.expands].alternatives[variant_.instances[inside].alternative],
          inside, hole.least_level);
    }
  }
}

bool Fill::starts_line() const {
  const size_t last = out_->find_last_not_of(" \t\r");
  return last != std::string::npos && (*out_)[last] == '\n';
}
bool Fill::touches_word() const { return !out_->empty() && is_word(out_->back()); }

bool Fill::meets_word(u32 behind) const {
  return behind < source_.size() && is_word(source_[behind]);
}

const Hole* Fill::hole_at(SketchSpan span) const {
  const auto at = std::ranges::lower_bound(sketch_.holes, span.begin, {},
                                           [](const Hole& hole) { return hole.span.begin; });
  const bool is_it =
      at != sketch_.holes.end() && at->span.begin == span.begin && at->span.end == span.end;
  return is_it ? &*at : nullptr;
}

void Fill::alternative(const Hole& around, const Alternative& alternative, u32 instance,
                       u8 least_level) {
  const u32 behind = around.span.end;
  std::string_view type = alternative.type;
  // A free hole has the type that is said beside it, and is no choice where brackets follow.
  const Hole* const hole = hole_at(alternative.span);
  const bool is_free = hole != nullptr && hole->form == HoleForm::Free;
  if (is_free) type = hole->type;
  if (alternative.leaves && !is_free) {
    // It has no value, and what needs one is never come to, but may have its type from it.
    const bool has_type = !around.type.empty() && around.type != "()";
    *out_ += "({ ";
    if (has_type) out_->append("let it: ").append(around.type) += " = { ";
    region(alternative.span, instance);
    *out_ += has_type ? " }; it })" : " })";
    return;
  }
  if (type.empty()) {
    // At the start of a line a sign would go on with what stands above it.
    const bool holds =
        alternative.is_closed || (alternative.level >= least_level &&
                                  (is_word(source_[alternative.span.begin]) || !starts_line()));
    const bool closed = holds && !touches_word() && !meets_word(behind);
    if (!closed && around.is_statement) return statement(alternative, instance);
    if (!closed) *out_ += '(';
    region(alternative.span, instance);
    if (!closed) *out_ += ')';
    return;
  }
  if (is_number_type(type) && !is_free) {
    if (touches_word()) *out_ += ' ';
    out_->append(type) += '(';
    region(alternative.span, instance);
    *out_ += ')';
    return;
  }
  out_->append("({ let it: ").append(type) += " = ";
  region(alternative.span, instance);
  *out_ += "; it })";
}

// As the last statement of a block in parentheses: what stands in parentheses itself has to be used. No block is a
// statement, so that of one what is inside is written.
void Fill::statement(const Alternative& alternative, u32 instance) {
  SketchSpan inside = alternative.span;
  if (source_[inside.begin] == '{' && source_[inside.end - 1] == '}') ++inside.begin, --inside.end;
  *out_ += "({ ";
  region(inside, instance);
  *out_ += "; })";
}

std::string Fill::fresh_name(const std::string& name) {
  for (;;) {
    std::string fresh = name + "_" + std::to_string(++fresh_names_);
    if (source_.find(fresh) == std::string_view::npos) return fresh;
  }
}

// Variables are written in the place of parameters; for anything else, which is evaluated once, a `let` does. So it
// does where the space binds names that could hide the variables, or a block among the arguments could change them.
// A slice cannot be kept by a `let`: its text stands for it.
void Fill::with_arguments(const Hole& hole, u32 from, u32 instance) {
  const Space& space = sketch_.spaces[hole.expands];
  const Alternative& chosen = space.alternatives[variant_.instances[from].alternative];
  std::vector<Argument> arguments;
  std::string* const out = out_;
  std::vector<Piece>* const out_pieces = out_pieces_;
  bool has_slices = false, has_blocks = false;
  for (size_t k = 0; k < space.parameters.size(); ++k) {
    Argument argument{&space.parameters[k], {}, {}};
    out_ = &argument.text;
    out_pieces_ = &argument.pieces;
    region(hole.arguments[k], instance);
    has_slices |= space.parameters[k].is_slice;
    has_blocks |= argument.text.find('{') != std::string::npos;
    arguments.push_back(std::move(argument));
  }
  out_ = out;
  out_pieces_ = out_pieces;
  const auto is_in_place = [&](const Argument& argument) {
    return argument.parameter->is_slice ||
           (is_variable(argument.text) && !space.has_binders && !has_blocks);
  };
  const auto is_hidden = [&](const Argument& argument) {
    return is_in_place(argument) && std::ranges::any_of(arguments, [&](const Argument& other) {
             return !is_in_place(other) && other.parameter->name == argument.text;
           });
  };
  // The parameters' own names do as names of the `let`, unless something that they could hide stands where they
  // hold: the text of a slice, a variable, or an alternative inside of a block that binds one of them anew.
  const bool are_renamed =
      space.has_binders || has_slices || std::ranges::any_of(arguments, is_hidden);
  std::vector<Argument>& replaced = replaced_[from];
  replaced.clear();
  for (const SpaceParameter& constant : space.constants)
    replaced.push_back({&constant, alias(constant), {}});
  std::string names, types;
  std::vector<const Argument*> bound;
  for (Argument& argument : arguments) {
    if (is_in_place(argument)) {
      if (!is_variable(argument.text)) argument.text = "(" + argument.text + ")";
      replaced.push_back(std::move(argument));
      continue;
    }
    const std::string_view comma = bound.empty() ? "" : ", ";
    const std::string name =
        are_renamed ? fresh_name(argument.parameter->name) : argument.parameter->name;
    names.append(comma).append(name);
    types.append(comma).append(argument.parameter->type);
    bound.push_back(&argument);
    if (are_renamed) replaced.push_back({argument.parameter, name, {}});
  }
  if (bound.empty()) return alternative(hole, chosen, from, hole.least_level);
  const bool is_tuple = bound.size() > 1, is_in_block = ends_block(hole, instance);
  *out_ += is_in_block ? "let " : "({ let ";
  *out_ += is_tuple ? "(" + names + "): (" + types + ") = (" : names + ": " + types + " = ";
  for (size_t k = 0; k < bound.size(); ++k) {
    if (k != 0) *out_ += ", ";
    append(*bound[k]);
  }
  *out_ += is_tuple ? "); " : "; ";
  alternative(hole, chosen, from, kNeverOpen);
  if (!is_in_block) *out_ += " })";
}

bool Fill::ends_block(const Hole& hole, u32 instance) const {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t before = source_.substr(0, hole.span.begin).find_last_not_of(kBlanks);
  const size_t behind = source_.find_first_not_of(kBlanks, hole.span.end);
  if (instance != 0 || before == std::string_view::npos || behind == std::string_view::npos)
    return false;
  const size_t line = source_.rfind('\n', before) + 1;
  const bool may_be_comment = source_.substr(line, before - line).find("//") != std::string::npos;
  const bool begins = source_[before] == '{' || source_[before] == ';';
  return begins && source_[behind] == '}' && !may_be_comment;
}

const std::string& Fill::point_text(const Hole& hole, u64 point) {
  std::vector<std::string>& texts = points_[static_cast<size_t>(&hole - sketch_.holes.data())];
  if (texts.empty() && hole.grid.points <= room_for_points_) {
    room_for_points_ -= hole.grid.points;
    texts.resize(hole.grid.points);
  }
  std::string& text = texts.empty() ? other_point_ : texts[point];
  if (!texts.empty() && !text.empty()) return text;
  text.clear();
  print_scalar(text, hole.grid.type, grid_value(hole.grid, point), ValueStyle::Source);
  return text;
}

// The ends of a grid of bytes, as `'a'..='z'`, say its type, and so does each point.
void Fill::number(const Hole& hole, u64 point) {
  const bool is_of_bytes =
      hole.grid.type == Scalar::U8 &&
      source_.substr(hole.span.begin, hole.span.end - hole.span.begin).find('\'') !=
          std::string_view::npos;
  if (is_of_bytes) {
    const u64 cell = grid_value(hole.grid, point);
    const bool is_shown = cell >= ' ' && cell < 0x7F && cell != '\'' && cell != '\\';
    if (is_shown) {
      *out_ += {'(', '\'', static_cast<char>(cell), '\'', ')'};
      return;
    }
  }
  const std::string& text = point_text(hole, point);
  const bool is_negative = text.starts_with('-');
  // A literal is an operand of any operator on values.
  const u8 level = is_negative ? node_row(Node::Neg).level : node_row(Node::Dot).level;
  // At the start of a line a sign would go on with what stands above it.
  const bool holds = level >= hole.least_level && !(is_negative && starts_line());
  if (!is_of_bytes && holds && !touches_word() && !meets_word(hole.span.end)) {
    *out_ += text;
    return;
  }
  *out_ += is_of_bytes ? "u8(" : "(";
  *out_ += text;
  *out_ += ')';
}

}  // namespace komuz::engine
