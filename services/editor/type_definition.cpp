// SPDX-License-Identifier: Apache-2.0
#include "services/editor/type_definition.h"

#include <algorithm>
#include <optional>

#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/symbols.h"

namespace komuz::services {
namespace {

std::optional<TypeId> type_of_binding(const Columns& c, u32 b) {
  const Index node = c.bind_node[b], item = c.item[node];
  switch (c.bind_kind[b]) {
    case BindKind::Function:
      if (!frontend::has_signature(c, item)) return std::nullopt;
      return frontend::result_type(c, item);
    case BindKind::Constant: return frontend::annotated_type(c, node);
    case BindKind::Type:
    case BindKind::Constructor: return frontend::made_type(c, item);
    case BindKind::Parameter:
    case BindKind::Let:
    case BindKind::Var:
    case BindKind::For:
    case BindKind::Pattern:
    case BindKind::Lambda: return c.bind_type[b];
    case BindKind::Import:
    case BindKind::Module:
    case BindKind::Limit:
    case BindKind::Match: break;
  }
  return std::nullopt;
}

std::optional<TypeId> type_at(const Analysis& analysis, Index node) {
  const Columns& c = analysis.columns();
  const Symbol symbol = symbol_of(analysis, node);
  switch (symbol.kind) {
    case Symbol::Kind::Binding: return type_of_binding(c, symbol.number);
    case Symbol::Kind::Field: {
      const Index colon = frontend::parent_of(c, symbol.number);
      if (colon == kNone || !frontend::is_field(c, colon)) return std::nullopt;
      return frontend::declared_type(c, c.right[colon]);
    }
    case Symbol::Kind::Scalar: return std::nullopt;
    case Symbol::Kind::Builtin:
    case Symbol::Kind::None: break;
  }
  if (frontend::node_kind(c, node) == Node::Hole) return c.want[node];
  // The bracket of a call or an index stands for what it gives.
  const Index above = frontend::parent_of(c, node);
  const Node kind = above == kNone ? Node::None : frontend::node_kind(c, above);
  if ((kind == Node::Call || kind == Node::Index) && c.right[above] == node) node = above;
  const frontend::NameRole role = frontend::name_role(frontend::node_context(c, node));
  const bool has_type = frontend::gives_value(role);
  return has_type ? std::optional<TypeId>(c.type[node]) : std::nullopt;
}

}  // namespace

std::vector<TextPlace> find_type_definitions(const Analysis& analysis, u32 place) {
  const Columns& c = analysis.columns();
  std::vector<TextPlace> found;
  const Index token = analysis.token_around(analysis.in_program(place));
  const Index node = token == kNone ? kNone : analysis.node_of(token);
  if (node == kNone) return found;
  const std::optional<TypeId> type = type_at(analysis, node);
  if (!type) return found;
  std::vector<TypeId> pending{*type};
  while (!pending.empty()) {
    const TypeId t = frontend::settled(pending.back());
    pending.pop_back();
    if (!frontend::is_tuple(t)) continue;
    const TypeForm form = frontend::form_of(c, t);
    if (form == TypeForm::Record || form == TypeForm::Sum) {
      const Index name = c.item_name[c.item[frontend::tuple_node(t)]];
      const auto defined = name == kNone ? std::nullopt : analysis.place_of(name);
      if (defined && std::ranges::find(found, *defined) == found.end()) found.push_back(*defined);
    } else if (form == TypeForm::Tuple) {
      frontend::PartsBackwards parts(c, t);
      for (Index e = parts.next(); e != kNone; e = parts.next())
        pending.push_back(frontend::part_type(c, t, e));
    } else {
      pending.push_back(frontend::held_type(c, t));
    }
  }
  return found;
}

}  // namespace komuz::services
