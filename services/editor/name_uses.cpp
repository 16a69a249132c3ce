// SPDX-License-Identifier: Apache-2.0
#include "services/editor/name_uses.h"

#include <algorithm>

#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/item_text.h"
#include "services/module_types.h"

namespace komuz::services {
namespace {

std::optional<SharedName::Kind> kind_of_binding(const Columns& c, u32 b) {
  switch (c.bind_kind[b]) {
    case BindKind::Function:
      return frontend::is_space(c, c.item[c.bind_node[b]]) ? SharedName::Kind::Space
                                                           : SharedName::Kind::Function;
    case BindKind::Constant: return SharedName::Kind::Constant;
    case BindKind::Type: return SharedName::Kind::Type;
    case BindKind::Constructor: return SharedName::Kind::Constructor;
    case BindKind::Import:
    case BindKind::Module:
    case BindKind::Parameter:
    case BindKind::Let:
    case BindKind::Var:
    case BindKind::For:
    case BindKind::Pattern:
    case BindKind::Lambda:
    case BindKind::Limit:
    case BindKind::Match: break;
  }
  return std::nullopt;
}

// The constructor whose field a name in a type item is: the last one before it.
std::string owner_of_field(const Columns& c, Index field) {
  for (Index i = field; i-- > 0 && c.item[i] == c.item[field];)
    if (frontend::node_context(c, i) == Context::Constructor &&
        frontend::node_kind(c, i) == Node::Name)
      return frontend::name_text(c, i);
  return {};
}

// The space that a hole is in, whose holes have names of their own; kNone: it is in none.
Index space_around(const Columns& c, Index hole) {
  const Index item = c.item[hole];
  return frontend::is_space(c, item) ? item : kNone;
}
bool is_decision(const Columns& c, Index hole) {
  if (frontend::node_kind(c, hole) != Node::Hole || frontend::node_length(c, hole) < 2)
    return false;
  const Index above = frontend::parent_of(c, hole);
  return above != kNone && frontend::is_hole(c.role[above]) && c.left[above] == hole;
}

}  // namespace

std::optional<SharedName> shared_name(const Analysis& analysis, const Symbol& symbol) {
  const Columns& c = analysis.columns();
  SharedName out;
  Index node = kNone;
  if (symbol.kind == Symbol::Kind::Field) {
    node = symbol.number;
    out.kind = SharedName::Kind::Field;
    out.owner = owner_of_field(c, node);
  } else if (symbol.kind == Symbol::Kind::Binding) {
    const auto kind = kind_of_binding(c, symbol.number);
    if (!kind) return std::nullopt;
    node = c.bind_node[symbol.number];
    out.kind = *kind;
  } else {
    return std::nullopt;
  }
  out.name = frontend::name_text(c, node);
  out.module = module_path(c, frontend::module_of(c, node));
  return out;
}

bool is_shown(const Analysis& analysis, const Symbol& symbol) {
  const Columns& c = analysis.columns();
  if (!shared_name(analysis, symbol)) return false;
  const Index node =
      symbol.kind == Symbol::Kind::Field ? symbol.number : u32{c.bind_node[symbol.number]};
  return c.item_public[c.item[node]] != 0;
}

std::optional<NameGroup> NameGroup::around(const Analysis& analysis, u32 place) {
  const Columns& c = analysis.columns();
  const Index token = analysis.token_around(analysis.in_program(place));
  const Index node = token == kNone ? kNone : analysis.node_of(token);
  if (node == kNone) return std::nullopt;
  NameGroup group(analysis);
  group.name_ = frontend::name_text(c, node);
  const Symbol symbol = symbol_of(analysis, node);
  if (frontend::node_kind(c, node) == Node::Hole && symbol.kind == Symbol::Kind::None) {
    if (frontend::node_length(c, node) < 2) return std::nullopt;
    group.hole_ = node;
    return group;
  }
  if (symbol.kind == Symbol::Kind::None) return std::nullopt;
  group.symbol_ = symbol;
  if (symbol.kind == Symbol::Kind::Binding && c.bind_kind[symbol.number] == BindKind::Pattern) {
    const Index own = c.bind_node[symbol.number];
    for (u32 b = 0; b < c.binds; ++b) {
      const Index other = c.bind_node[b];
      const bool is_same = b != symbol.number && c.bind_kind[b] == BindKind::Pattern &&
                           c.owner[other] == c.owner[own] && frontend::same_text(c, own, other) &&
                           frontend::are_alternatives(c, own, other);
      if (is_same) group.bindings_.push_back(b);
    }
  }
  return group;
}

NameGroup::NameGroup(const Analysis& analysis, SharedName shared)
    : analysis_(&analysis), name_(shared.name), shared_(std::move(shared)) {}

bool NameGroup::holds(Index node) const {
  const Columns& c = analysis_->columns();
  if (hole_ != kNone) {
    if (node == hole_) return true;
    return is_decision(c, hole_) && is_decision(c, node) &&
           space_around(c, node) == space_around(c, hole_) && frontend::same_text(c, node, hole_);
  }
  const Symbol symbol = symbol_of(*analysis_, node);
  if (symbol.kind == Symbol::Kind::None) return false;
  if (shared_) return shared_name(*analysis_, symbol) == shared_;
  if (symbol == symbol_) return true;
  return symbol.kind == Symbol::Kind::Binding &&
         std::ranges::find(bindings_, symbol.number) != bindings_.end();
}

std::vector<NameUse> NameGroup::uses() const {
  const Columns& c = analysis_->columns();
  const auto size = static_cast<u32>(analysis_->text().size());
  const u32 first = analysis_->in_program(0);
  std::vector<NameUse> found;
  for (Index t = 0; t < analysis_->own_tokens(); ++t) {
    // All that means the same is spelled the same.
    std::string_view spelled = text_of_token(c, t);
    const bool is_hole = frontend::token_at(c, t) == Token::Hole;
    if (is_hole) spelled.remove_prefix(1);
    if (spelled != name_) continue;
    const Index node = analysis_->node_of(t);
    if (node == kNone || !holds(node)) continue;
    const u32 begin = c.token_start[t] + (is_hole ? 1 : 0);
    const auto length = static_cast<u32>(spelled.size());
    if (begin < first || begin - first + length > size) continue;
    NameUse use{begin - first, begin - first + length, false};
    if (hole_ != kNone) {
      use.defines = found.empty();
    } else {
      const Symbol symbol = symbol_of(*analysis_, node);
      use.defines = defining_node(*analysis_, symbol) == node;
    }
    found.push_back(use);
  }
  return found;
}

Index NameGroup::item() const {
  const Columns& c = analysis_->columns();
  if (hole_ != kNone) return space_around(c, hole_);
  if (symbol_.kind != Symbol::Kind::Binding) return kNone;
  if (frontend::is_global(c.bind_kind[symbol_.number])) return kNone;
  return c.item[c.bind_node[symbol_.number]];
}

}  // namespace komuz::services
