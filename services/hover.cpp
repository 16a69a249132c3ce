// SPDX-License-Identifier: Apache-2.0
#include "services/hover.h"

#include <algorithm>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/sketch.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/value_nodes.h"

namespace komuz::services {

namespace {

// Sets the part of bytes [begin, end) of the program that belongs to the text.
void set_span(const Analysis& analysis, u32 begin, u32 end, Hover& out) {
  const u32 first = analysis.in_program(0), size = static_cast<u32>(analysis.text().size());
  out.begin = begin < first ? 0 : std::min(begin - first, size);
  out.end = end < first ? 0 : std::min(end - first, size);
}

std::string in_backticks(std::string_view text) { return "`" + std::string(text) + "`"; }

// The possible contents of a hole. In a text with errors only the type is known.
std::string alternatives_text(const Analysis& analysis, u32 byte) {
  if (!analysis.is_sound()) return "";
  const Sketch sketch = frontend::describe_sketch(analysis.columns());
  const auto hole =
      std::ranges::find_if(sketch.holes, [&](const Hole& h) { return h.span.begin == byte; });
  if (hole == sketch.holes.end()) return "";
  const std::string_view program = analysis.program();
  switch (hole->form) {
    case HoleForm::Free: return "left open\n";
    case HoleForm::Choice: {
      std::string out = "one of " + std::to_string(hole->alternatives.size()) + ":";
      for (const Alternative& a : hole->alternatives)
        out += " " + in_backticks(program.substr(a.span.begin, a.span.end - a.span.begin));
      return out + "\n";
    }
    case HoleForm::Grid:
      if (hole->grid.is_real) return "any number, which a search fits\n";
      return "one of " + std::to_string(hole->grid.points) + " numbers\n";
    case HoleForm::Expansion:
    case HoleForm::Nested:
      // A space of a module has the name of the hole.
      return "an expression from the space " +
             in_backticks(hole->expands == kNoSpace ? hole->name
                                                    : sketch.spaces[hole->expands].name) +
             "\n";
  }
  return "";
}

std::optional<Hover> hover_hole(const Analysis& analysis, Index node) {
  const Columns& c = analysis.columns();
  // The alternatives follow in brackets.
  const Index above = frontend::parent_of(c, node);
  const Node kind = above == kNone ? Node::None : frontend::node_kind(c, above);
  const bool is_applied = (kind == Node::Index || kind == Node::Call) && c.left[above] == node;
  // A free hole has the wanted type.
  const std::string type = frontend::written_type(c, is_applied ? c.type[above] : c.want[node]);
  const u32 begin = c.token_start[c.token[node]], length = c.token_length[c.token[node]];
  Hover out;
  set_span(analysis, begin, begin + length, out);
  out.kind = "hole";
  out.signature = std::string(analysis.program().substr(begin, length));
  if (!type.empty()) out.signature += ": " + type;
  out.text = alternatives_text(analysis, begin);
  return out;
}

std::optional<Hover> hover_name(const Analysis& analysis, Index node, const Symbol& symbol) {
  const Columns& c = analysis.columns();
  const SymbolText text = describe(analysis, symbol);
  if (text.signature.empty()) return std::nullopt;
  const Index t = c.token[node];
  Hover out;
  set_span(analysis, c.token_start[t], c.token_start[t] + c.token_length[t], out);
  out.kind = name_kind_word(text.kind);
  out.signature = text.signature;
  out.module = text.module;
  out.text = text.text;
  // Unless its value is already shown.
  if (!text.value.empty() && !text.signature.ends_with("= " + text.value))
    out.text += "is " + in_backticks(text.value) + "\n";
  return out;
}

std::optional<Hover> hover_value(const Analysis& analysis, Index node) {
  const Columns& c = analysis.columns();
  // The `(` of a call stands for the call, the bracket of an index for the element.
  const Index above = frontend::parent_of(c, node);
  const Node kind = above == kNone ? Node::None : frontend::node_kind(c, above);
  if ((kind == Node::Call || kind == Node::Index) && c.right[above] == node) node = above;
  if (!is_value_node(c, node)) return std::nullopt;
  const std::string type = frontend::written_type(c, c.type[node]);
  if (type.empty() || type == "()") return std::nullopt;
  const frontend::Span span = frontend::subtree_span(c, node);
  Hover out;
  set_span(analysis, span.begin, span.end, out);
  out.kind = "value";
  out.signature = type;
  return out;
}

}  // namespace

std::optional<Hover> hover(const Analysis& analysis, u32 place) {
  const Columns& c = analysis.columns();
  const Index token = analysis.token_around(analysis.in_program(place));
  if (token == kNone) return std::nullopt;
  const Index node = analysis.node_of(token);
  if (node == kNone) return std::nullopt;
  if (frontend::node_kind(c, node) == Node::Hole) return hover_hole(analysis, node);
  const Symbol symbol = symbol_of(analysis, node);
  if (symbol.kind != Symbol::Kind::None) return hover_name(analysis, node, symbol);
  return hover_value(analysis, node);
}

}  // namespace komuz::services
