// SPDX-License-Identifier: Apache-2.0
#include "services/editor/inlay_hints.h"

#include <algorithm>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/editor/hole_hints.h"
#include "services/front_end_names.h"

namespace komuz::services {
namespace {

class InlayHints {
 public:
  InlayHints(const Analysis& analysis, u32 begin, u32 end)
      : analysis_(analysis),
        c_(analysis.columns()),
        first_(analysis.in_program(0)),
        begin_(begin),
        end_(std::min(end, static_cast<u32>(analysis.text().size()))) {}

  std::vector<InlayHint> list() {
    for (u32 b = 0; b < c_.binds; ++b) add_type(b);
    for (Index i = 0; i < c_.nodes && c_.token[i] < analysis_.own_tokens(); ++i)
      if (frontend::node_kind(c_, i) == Node::Call) add_parameters(i);
    for (const HoleHint& hole : list_hole_hints(analysis_))
      if (!hole.is_obvious)
        add({hole.end, HintKind::Hole, hole.count + (hole.count == "1" ? " variant" : " variants"),
             hole.begin, false});
    std::ranges::stable_sort(hints_, {}, &InlayHint::at);
    return std::move(hints_);
  }

 private:
  void add(InlayHint hint) {
    if (hint.at >= begin_ && hint.at <= end_) hints_.push_back(std::move(hint));
  }
  // The `=` left of which a name of a `let` stands; kNone: its type is written, or it is no such name.
  [[nodiscard]] Index binding_of(Index name) const {
    for (Index at = name, above = frontend::parent_of(c_, at); above != kNone;
         at = above, above = frontend::parent_of(c_, at)) {
      switch (frontend::node_kind(c_, above)) {
        case Node::Assign: return c_.left[above] == at ? above : kNone;
        // `(a, b): (f64, i64)`; of a pattern `V(x: a)` the name stands on the right.
        case Node::Colon:
          if (c_.left[above] == at) return kNone;
          break;
        case Node::Paren:
        case Node::Comma:
        case Node::Call: break;
        default: return kNone;
      }
    }
    return kNone;
  }
  // True if the value says what its type is: a literal, a conversion, a constructor.
  [[nodiscard]] bool says_type(Index value) const {
    while (frontend::node_kind(c_, value) == Node::Neg && c_.right[value] != kNone)
      value = c_.right[value];
    switch (frontend::node_kind(c_, value)) {
      case Node::Int:
      case Node::Float:
      case Node::String:
      case Node::Char:
      case Node::True:
      case Node::False: return true;
      case Node::Call: {
        const Index name = frontend::call_name(c_, value);
        if (name == kNone || frontend::node_kind(c_, name) != Node::Name) return false;
        if (frontend::scalar_spelled(c_, name) != frontend::kTypePending) return true;
        const Index ref = c_.ref[name];
        return ref < c_.binds && c_.bind_kind[ref] == BindKind::Constructor;
      }
      default: return false;
    }
  }
  void add_type(u32 b) {
    const BindKind kind = c_.bind_kind[b];
    if (kind != BindKind::Let && kind != BindKind::Var) return;
    const Index name = c_.bind_node[b], t = c_.token[name];
    if (t >= analysis_.own_tokens() || c_.token_start[t] < first_) return;
    const Index assign = binding_of(name);
    if (assign == kNone || c_.right[assign] == kNone) return;
    const bool is_whole = c_.left[assign] == name;
    if (is_whole && says_type(c_.right[assign])) return;
    const std::string type = frontend::written_type(c_, c_.bind_type[b]);
    if (type.empty() || type == "()") return;
    const u32 begin = c_.token_start[t] - first_;
    add({begin + c_.token_length[t], HintKind::Type, ": " + type, begin, is_whole});
  }

  // The names of what a call takes, in order; empty: they are not known.
  [[nodiscard]] std::vector<std::string> parameters_of(Index call) const {
    const Index name = frontend::call_name(c_, call);
    if (name == kNone || frontend::node_kind(c_, name) != Node::Name) return {};
    const Index ref = c_.ref[name];
    if (ref >= c_.binds) return {};
    const Index node = c_.bind_node[ref];
    Index paren = kNone;
    if (c_.bind_kind[ref] == BindKind::Constructor) paren = frontend::fields_of(c_, node);
    if (c_.bind_kind[ref] == BindKind::Function && frontend::has_signature(c_, c_.item[node]))
      paren = frontend::parameters_of(c_, c_.item[node]);
    if (paren == kNone || frontend::node_kind(c_, paren) != Node::Paren) return {};
    std::vector<std::string> names;
    frontend::ElementsBackwards elements(c_, paren);
    for (Index e = elements.next(); e != kNone; e = elements.next()) {
      const bool is_named = frontend::node_kind(c_, e) == Node::Colon && c_.left[e] != kNone &&
                            frontend::node_kind(c_, c_.left[e]) == Node::Name;
      names.push_back(is_named ? frontend::name_text(c_, c_.left[e]) : "");
    }
    std::ranges::reverse(names);
    return names;
  }
  // A value that says nothing of what it is for: no name stands in it.
  [[nodiscard]] bool is_bare(Index value) const {
    for (Index i = c_.begin[value]; i < c_.end[value]; ++i) {
      const Node kind = frontend::node_kind(c_, i);
      if (kind == Node::Name || kind == Node::Hole || kind == Node::Lambda || kind == Node::Spread)
        return false;
    }
    return true;
  }
  void add_parameters(Index call) {
    const Index paren = c_.right[call];
    if (paren == kNone || frontend::node_kind(c_, paren) != Node::Paren ||
        frontend::node_context(c_, paren) != Context::ArgsOpen)
      return;
    const std::vector<std::string> names = parameters_of(call);
    // What the only argument is for, the name of the function says.
    if (names.size() < 2) return;
    std::vector<Index> values;
    frontend::ElementsBackwards elements(c_, paren);
    for (Index e = elements.next(); e != kNone; e = elements.next()) values.push_back(e);
    std::ranges::reverse(values);
    const size_t before = frontend::call_receiver(c_, call) != kNone ? 1 : 0;
    if (values.size() + before > names.size()) return;
    for (size_t k = 0; k < values.size(); ++k) {
      const Index value = values[k];
      const std::string& name = names[k + before];
      if (name.empty() || frontend::node_kind(c_, value) == Node::Colon || !is_bare(value))
        continue;
      const u32 at = frontend::subtree_span(c_, value).begin;
      const Index callee = frontend::call_name(c_, call);
      if (at >= first_)
        add({at - first_, HintKind::Parameter, name + ":",
             c_.token_start[c_.token[callee]] - first_, false});
    }
  }

  const Analysis& analysis_;
  const Columns& c_;
  u32 first_, begin_, end_;
  std::vector<InlayHint> hints_;
};

}  // namespace

std::vector<InlayHint> list_inlay_hints(const Analysis& analysis, u32 begin, u32 end) {
  return InlayHints(analysis, begin, end).list();
}

}  // namespace komuz::services
