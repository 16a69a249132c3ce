// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/draft.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "engine/values/value_text.h"
#include "services/value_nodes.h"

namespace komuz::services {
namespace {

bool is_operand(Node kind) {
  switch (kind) {
    case Node::Name:
    case Node::Int:
    case Node::Float:
    case Node::True:
    case Node::False:
    case Node::Call:
    case Node::Index:
    case Node::Dot: return true;
    default: return false;
  }
}

}  // namespace

Draft::Draft(const Analysis& analysis) : analysis_(analysis) {
  const Columns& c = columns();
  const std::string_view text = analysis.program();
  const Index tokens = analysis.own_tokens();
  std::vector<Index> node_of(c.tokens, kNone);
  std::vector<std::string_view> closing(c.tokens);
  for (Index i = 0; i < c.nodes; ++i)
    if (c.token[i] < tokens) node_of[c.token[i]] = i;
  const auto token_text = [&](Index t) { return text.substr(c.token_start[t], c.token_length[t]); };
  for (u32 b = 0; b < c.brackets; ++b)
    if (c.bracket_mate[b] != kNone && c.bracket_token[c.bracket_mate[b]] < tokens)
      closing[c.bracket_token[b]] = token_text(c.bracket_token[c.bracket_mate[b]]);

  comments_.assign(tokens + 2, 0);
  u32 end = 0;
  for (Index t = 0; t <= tokens; ++t) {
    const u32 start = t < tokens ? u32{c.token_start[t]} : static_cast<u32>(text.size());
    const bool has_comment = text.substr(end, start - end).find("//") != std::string_view::npos;
    comments_[t + 1] = comments_[t] + (has_comment ? 1 : 0);
    if (t < tokens) end = start + c.token_length[t];
  }

  nodes_.resize(c.nodes);
  first_.assign(c.nodes, kNone);
  last_.assign(c.nodes, kNone);
  for (Index i = 0; i < c.nodes; ++i) {
    DraftNode& n = nodes_[i];
    const Index t = c.token[i];
    if (t >= tokens) continue;
    n.origin = n.place = i;
    n.kind = frontend::node_kind(c, i);
    if (n.kind == Node::NegExponent) n.kind = Node::Neg;
    const TypeId type = frontend::settled(c.type[i]);
    n.is_value = is_value_node(c, i);
    if (n.is_value && frontend::is_scalar(type)) n.type = frontend::as_scalar(type);
    n.is_own = node_of[t] == i;
    n.text = token_text(t);
    if (node_row(n.kind).side == Side::Open && n.is_own) n.closing = closing[t];
    if (n.kind == Node::Name) n.ref = c.ref[i];
    const auto own = [&](Index k) {
      return k != kNone && k < c.nodes && c.token[k] < tokens ? k : kNone;
    };
    n.left = own(c.left[i]);
    n.right = own(c.right[i]);
    first_[i] = c.token[c.begin[i]];
    const Index behind = c.end[i] - 1;
    const u32 open = c.key[behind] / kKeysPerDepth - c.key[i] / kKeysPerDepth;
    const bool opens = node_row(frontend::node_kind(c, behind)).side == Side::Open;
    last_[i] = std::min<Index>(c.token[behind] + open + (opens ? 1 : 0), tokens - 1);
    n.is_commented = has_comment(first_[i], last_[i]);
  }
  for (u32 i = 0; i < size(); ++i) {
    if (nodes_[i].origin == kNone) continue;
    if (nodes_[i].left != kNone) nodes_[nodes_[i].left].parent = i;
    if (nodes_[i].right != kNone) nodes_[nodes_[i].right].parent = i;
  }
  for (u32 i = 0; i < size(); ++i)
    if (nodes_[i].origin != kNone && nodes_[i].parent == kNone) roots_.push_back(i);
  for (u32 item = 0; item < c.items; ++item) {
    const Index body = c.item_body[item];
    if (c.item_kind[item] == frontend::ItemKind::Function && body != kNone && body < c.nodes &&
        kind(body) == Node::Body && nodes_[body].origin != kNone)
      bodies_.push_back(body);
  }
  drop_parentheses();
}

bool Draft::has_comment(Index first, Index last) const {
  return first < last && comments_[last + 1] != comments_[first + 1];
}
bool Draft::has_comment_before(u32 n) const {
  const Index origin = nodes_[n].origin;
  if (origin == kNone) return false;
  const Index t = first_[origin];
  return comments_[t + 1] != comments_[t];
}
bool Draft::has_comment_behind(u32 n) const {
  const Index origin = nodes_[n].origin;
  if (origin == kNone) return false;
  const Columns& c = columns();
  const std::string_view text = analysis_.program();
  const u32 begin = c.token_start[last_[origin]];
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  return line.find("//") != std::string_view::npos;
}

void Draft::drop_parentheses() {
  for (const u32 body : bodies_) {
    std::vector<u32> all;
    list_below(body, all);
    for (const u32 n : all)
      if (nodes_[n].kind == Node::Paren && may_drop(n)) replace(n, nodes_[n].right);
  }
}

// In their place the text gets parentheses where precedence needs them.
bool Draft::may_drop(u32 paren) const {
  const DraftNode& n = nodes_[paren];
  if (n.right == kNone || n.parent == kNone || !n.is_value || n.is_commented) return false;
  const Node content = kind(n.right), above = kind(n.parent);
  if (content == Node::Neg && nodes_[n.parent].right == paren &&
      (above == Node::Add || above == Node::Sub))
    return false;
  const bool is_applied =
      (above == Node::Call || above == Node::Index) && nodes_[n.parent].right == paren;
  if (is_applied) return false;
  if (content == Node::Block || content == Node::Else) {
    // The value of a block; elsewhere a block would be a statement.
    return above == Node::Block || (above == Node::Assign && nodes_[n.parent].right == paren) ||
           (above == Node::Semi && nodes_[n.parent].right == paren &&
            kind(nodes_[n.parent].parent) == Node::Block);
  }
  if (!(is_plain_operator(content) || is_operand(content))) return false;
  if (content == Node::Name && nodes_[n.right].origin != kNone &&
      is_contextual(frontend::token_at(columns(), columns().token[nodes_[n.right].origin])))
    return false;
  switch (above) {
    case Node::Paren:
      return nodes_[n.parent].is_value || kind(nodes_[n.parent].parent) == Node::Call;
    case Node::Comma: {
      u32 list = n.parent;
      while (kind(list) == Node::Comma) list = nodes_[list].parent;
      return kind(list) == Node::Paren;
    }
    case Node::Assign: return nodes_[n.parent].right == paren;
    case Node::Semi:
    case Node::Block:
    case Node::Return: return true;
    default: return is_plain_operator(above);
  }
}

u32 Draft::add(Node kind, Scalar type, u32 left, u32 right, std::string_view text) {
  DraftNode n;
  n.kind = kind;
  n.type = type;
  n.is_value = type != Scalar::None;
  if (text.empty()) text = node_row(kind).spelling;
  texts_.emplace_back(text);
  n.text = texts_.back();
  if (kind == Node::Paren) n.closing = ")";
  if (kind == Node::Block) n.closing = "}";
  // The bracket that makes a call or a body is a node of its own.
  n.is_own = kind != Node::Call && kind != Node::Body;
  const u32 number = size();
  nodes_.push_back(n);
  set_left(number, left);
  set_right(number, right);
  return number;
}
u32 Draft::add_name(std::string_view text, Scalar type, u32 ref) {
  const u32 n = add(Node::Name, type, kNone, kNone, text);
  nodes_[n].ref = ref;
  return n;
}
u32 Draft::add_call(u32 builtin, Scalar type, std::vector<u32> arguments) {
  const u32 name = add_name(kBuiltins[builtin].name, Scalar::None, kBuiltinRef + builtin);
  u32 list = kNone;
  for (const u32 argument : arguments)
    list = list == kNone ? argument : add(Node::Comma, Scalar::None, list, argument);
  const u32 paren = add(Node::Paren, Scalar::None, kNone, list);
  return add(Node::Call, type, name, paren);
}
u32 Draft::add_literal(Scalar type, u64 cell) {
  if (type == Scalar::Bool) return add(cell != 0 ? Node::True : Node::False, type, kNone, kNone);
  if (is_float(type) && !std::isfinite(engine::cell_as_f64(type, cell))) return kNone;
  std::string text;
  engine::print_scalar(text, type, cell, engine::ValueStyle::Source);
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.erase(0, 1);
  const u32 number = add(is_float(type) ? Node::Float : Node::Int, type, kNone, kNone, text);
  return is_negative ? add(Node::Neg, type, kNone, number) : number;
}
u32 Draft::copy_leaf(u32 n, u32 use) {
  DraftNode copy = nodes_[n];
  copy.parent = copy.origin = copy.left = copy.right = kNone;
  copy.place = nodes_[use].place;
  const u32 number = size(), below = nodes_[n].right;
  nodes_.push_back(copy);
  if (copy.kind == Node::Neg) set_right(number, copy_leaf(below, use));
  return number;
}

void Draft::rename(u32 n, std::string_view text) {
  texts_.emplace_back(text);
  nodes_[n].text = texts_.back();
}
void Draft::set_left(u32 n, u32 child) {
  nodes_[n].left = child;
  if (child != kNone) nodes_[child].parent = n;
}
void Draft::set_right(u32 n, u32 child) {
  nodes_[n].right = child;
  if (child != kNone) nodes_[child].parent = n;
}
void Draft::replace(u32 n, u32 by) {
  const u32 above = nodes_[n].parent;
  if (nodes_[above].left == n)
    set_left(above, by);
  else
    set_right(above, by);
  if (nodes_[n].parent == above && by != n) nodes_[n].parent = kNone;
}
std::vector<u32> Draft::new_typed_literals() const {
  std::vector<u32> out;
  for (const u32 n : shape().literals) {
    const Scalar type = nodes_[n].type;
    const bool is_default = nodes_[n].kind == Node::Int ? type == Scalar::I64 : type == Scalar::F64;
    if (nodes_[n].origin == kNone && !is_default) out.push_back(n);
  }
  return out;
}
void Draft::write_type(u32 literal) {
  u32 whole = literal;
  if (kind(nodes_[whole].parent) == Node::Neg) whole = nodes_[whole].parent;
  const Scalar type = nodes_[whole].type;
  for (u32 k = 0; k < kBuiltinCount; ++k) {
    if (kBuiltins[k].shape != BuiltinShape::Convert || kBuiltins[k].target != type) continue;
    // A place for the call, which takes that of the literal.
    const u32 above = nodes_[whole].parent;
    const bool is_left = nodes_[above].left == whole;
    const u32 call = add_call(k, type, {whole});
    if (is_left)
      set_left(above, call);
    else
      set_right(above, call);
    return;
  }
}

bool Draft::is_converted(u32 n) const {
  const u32 paren = nodes_[n].parent;
  if (kind(paren) != Node::Paren || kind(nodes_[paren].parent) != Node::Call) return false;
  const u32 name = nodes_[nodes_[paren].parent].left;
  if (kind(name) != Node::Name || nodes_[name].ref == kNone || nodes_[name].ref < kBuiltinRef)
    return false;
  const u32 builtin = nodes_[name].ref - kBuiltinRef;
  return builtin < kBuiltinCount && kBuiltins[builtin].target != Scalar::None &&
         kBuiltins[builtin].target != nodes_[n].type;
}
bool Draft::is_literal(u32 n) const {
  const Node own = kind(n);
  if (own == Node::Neg) n = nodes_[n].right;
  return kind(n) == Node::Int || kind(n) == Node::Float;
}

void Draft::list_below(u32 n, std::vector<u32>& out) const {
  walk(n, [&](u32 at, Part part) {
    if (part == Part::Behind) out.push_back(at);
  });
}

}  // namespace komuz::services
