// SPDX-License-Identifier: Apache-2.0
#include "services/simplify/statements.h"

#include <algorithm>

#include "engine/values/value_text.h"

namespace komuz::services {
namespace {

// What is looked at for one `let`.
constexpr u32 kMostSteps = 256;
constexpr size_t kMostOfOneName = 64;
// A value is written where it is used if the statement still fits a line.
constexpr u32 kMostColumns = 100;
// A `-` more in each place.
constexpr size_t kMostNegativeUses = 2;

bool is_control(Node kind) {
  return kind == Node::Else || kind == Node::Block || kind == Node::Body || kind == Node::Lambda;
}
bool is_fixed(BindKind kind) {
  switch (kind) {
    case BindKind::Constant:
    case BindKind::Parameter:
    case BindKind::Let:
    case BindKind::For:
    case BindKind::Pattern:
    case BindKind::Lambda: return true;
    default: return false;
  }
}

}  // namespace

StatementRewriter::StatementRewriter(Draft& draft, Facts& facts) : draft_(draft), facts_(facts) {
  const Columns& c = draft.columns();
  for (u32 b = 0; b < c.binds; ++b) {
    const Index node = c.bind_node[b];
    if (node >= draft.size() || draft[node].origin == kNone || !frontend::is_local(c.bind_kind[b]))
      continue;
    bindings_[draft[node].text].push_back(b);
    if (c.bind_kind[b] == BindKind::Let) binding_of_[node] = b;
  }
}

void StatementRewriter::run(u32 body) {
  std::vector<u32> below, lets;
  draft_.list_below(body, below);
  // What is written in a hole may use any name.
  for (const u32 n : below)
    if (draft_.kind(n) == Node::Hole) return open_blocks(body);
  for (const u32 n : below)
    if (draft_.kind(n) == Node::Let) split_tuple(n);
  list_uses(body);
  shorten_names();
  below.clear();
  draft_.list_below(body, below);
  for (const u32 n : below)
    if (draft_.kind(n) == Node::Let) lets.push_back(n);
  // The last one first: what it frees, or brings nearer, is seen by those before it.
  std::ranges::reverse(lets);
  for (const u32 let : lets) place_value(let);
  for (const u32 let : lets) drop_annotation(let);
  open_blocks(body);
}

void StatementRewriter::list_uses(u32 body) {
  uses_.clear();
  std::vector<u32> below;
  draft_.list_below(body, below);
  for (const u32 n : below)
    if (draft_.kind(n) == Node::Name && draft_[n].ref < draft_.columns().binds &&
        !binding_of_.contains(n))
      uses_[draft_[n].ref].push_back(n);
}

// `{ x }` is `x`; a block that ends another one opens into it, and `else { if … }` is `else if …`.
void StatementRewriter::open_blocks(u32 body) {
  std::vector<u32> below;
  draft_.list_below(body, below);
  for (const u32 n : below) {
    const Draft::DraftNode& block = draft_[n];
    if (block.kind != Node::Block || block.right == kNone || block.parent == kNone ||
        block.is_commented)
      continue;
    const u32 above = block.parent;
    const Node around = draft_.kind(above), content = draft_.kind(block.right);
    const bool is_value = draft_[block.right].is_value && content != Node::Semi &&
                          content != Node::Let && content != Node::Assign;
    const bool is_last =
        around == Node::Block || (around == Node::Semi && draft_[above].right == n &&
                                  draft_.kind(draft_[above].parent) == Node::Block);
    const bool is_operator = node_row(around).node_class == NodeClass::Arithmetic ||
                             node_row(around).node_class == NodeClass::Compare ||
                             node_row(around).node_class == NodeClass::Lazy ||
                             node_row(around).node_class == NodeClass::Unary;
    const bool is_held = around == Node::Paren || around == Node::Comma ||
                         (around == Node::Assign && draft_[above].right == n) || is_operator;
    const bool has_value = content != Node::Semi || draft_[block.right].right != kNone;
    const bool is_chained =
        around == Node::Else && draft_[above].right == n && content == Node::Else;
    const bool is_opened = block.is_value && ((is_last && has_value) || (is_value && is_held));
    if (!is_opened && !is_chained) continue;
    draft_.replace(n, block.right);
    ++made_;
  }
}

// `let (a, b): (A, B) = (x, y)` → `let a: A = x; let b: B = y`
void StatementRewriter::split_tuple(u32 let) {
  const u32 assign = draft_[let].right;
  if (draft_.kind(assign) != Node::Assign || draft_[let].is_commented) return;
  const Node around = draft_.kind(draft_[let].parent);
  if (around != Node::Semi) return;
  u32 pattern = draft_[assign].left, type = kNone;
  const u32 value = draft_[assign].right;
  if (draft_.kind(pattern) == Node::Colon) {
    type = draft_[pattern].right;
    pattern = draft_[pattern].left;
  }
  const auto list_in = [&](u32 paren) {
    const bool is_list =
        draft_.kind(paren) == Node::Paren && draft_.kind(draft_[paren].right) == Node::Comma;
    return is_list ? elements_of(draft_, draft_[paren].right) : std::vector<u32>();
  };
  const std::vector<u32> names = list_in(pattern), values = list_in(value),
                         types = type == kNone ? std::vector<u32>() : list_in(type);
  if (names.empty() || names.size() != values.size() ||
      (type != kNone && types.size() != names.size()))
    return;
  for (size_t k = 0; k < names.size(); ++k) {
    if (draft_.kind(names[k]) != Node::Name || draft_[names[k]].text == "_" ||
        draft_[values[k]].type == Scalar::None)
      return;
    // The values behind it are those of before.
    std::vector<u32> below;
    for (size_t later = k + 1; later < values.size(); ++later)
      draft_.list_below(values[later], below);
    for (const u32 n : below)
      if (draft_.kind(n) == Node::Name && draft_[n].text == draft_[names[k]].text) return;
  }
  u32 all = kNone;
  for (size_t k = 0; k < names.size(); ++k) {
    const u32 name =
        type == kNone ? names[k] : draft_.add(Node::Colon, Scalar::None, names[k], types[k]);
    const u32 one = draft_.add(Node::Assign, Scalar::None, name, values[k]);
    const u32 made = draft_.add(Node::Let, Scalar::None, kNone, one);
    for (const u32 node : {name, one, made}) facts_.learn(node);
    all = all == kNone ? made : draft_.add(Node::Semi, Scalar::None, all, made);
    facts_.learn(all);
  }
  draft_.replace(let, all);
  split_names_.insert(split_names_.end(), names.begin(), names.end());
  ++made_;
}

// Names of a tuple have numbers so that they hide no other name (engine/sketch/filling.h).
void StatementRewriter::shorten_names() {
  if (split_names_.empty()) return;
  if (words_.empty())
    for (u32 n = 0; n < draft_.size(); ++n)
      if (draft_.kind(n) == Node::Name || draft_.kind(n) == Node::Hole)
        words_.emplace(draft_[n].text);
  for (const u32 name : split_names_) {
    const std::string own(draft_[name].text);
    const size_t number = own.find_last_of('_');
    const bool is_numbered = number != std::string::npos && number != 0 &&
                             number + 1 < own.size() &&
                             own.find_first_not_of("0123456789", number + 1) == std::string::npos;
    const std::string base = own.substr(0, is_numbered ? number : 0);
    if (base.empty() || base == "_" || !words_.insert(base).second) continue;
    draft_.rename(name, base);
    for (const u32 use : uses_[binding_of_.at(name)]) draft_.rename(use, base);
    ++made_;
  }
  split_names_.clear();
}

// `let x: f64 = a + b` is `let x = a + b`: the value says what type it has.
void StatementRewriter::drop_annotation(u32 let) {
  const LetParts parts = parts_of(let);
  if (parts.let == kNone || !parts.is_annotated || draft_[let].is_commented ||
      draft_[let].parent == kNone)
    return;
  const Scalar type = draft_[parts.value].type;
  const bool is_plain = type == Scalar::F64 || type == Scalar::I64 || type == Scalar::Bool;
  if (!is_plain || draft_.is_literal(parts.value)) return;
  draft_.set_left(draft_[let].right, parts.name);
  ++made_;
}

StatementRewriter::LetParts StatementRewriter::parts_of(u32 let) const {
  LetParts parts;
  const u32 assign = draft_[let].right;
  if (draft_.kind(assign) != Node::Assign) return parts;
  u32 name = draft_[assign].left;
  if (draft_.kind(name) == Node::Colon) {
    parts.is_annotated = true;
    name = draft_[name].left;
  }
  const auto binding = binding_of_.find(name);
  if (draft_.kind(name) != Node::Name || binding == binding_of_.end()) return parts;
  parts.let = let;
  parts.name = name;
  parts.value = inside(draft_, draft_[assign].right);
  parts.binding = binding->second;
  return parts;
}

bool StatementRewriter::may_go(const LetParts& parts) const {
  const u32 above = draft_[parts.let].parent;
  if (draft_.kind(above) != Node::Semi || draft_[above].right == kNone ||
      draft_[above].left == kNone)
    return false;
  return !draft_[parts.let].is_commented && !draft_.has_comment_before(parts.let) &&
         !draft_.has_comment_behind(parts.let);
}

void StatementRewriter::remove(const LetParts& parts) {
  const u32 semi = draft_[parts.let].parent;
  draft_.replace(semi, draft_[semi].left == parts.let ? draft_[semi].right : draft_[semi].left);
  ++made_;
}
void StatementRewriter::forget_uses(u32 value) {
  std::vector<u32> below;
  draft_.list_below(value, below);
  for (const u32 n : below)
    if (const auto uses = uses_.find(draft_[n].ref);
        draft_.kind(n) == Node::Name && uses != uses_.end())
      std::erase(uses->second, n);
}

// Do the names of the value mean the same in the place of a use?
bool StatementRewriter::sees_same(u32 value, u32 use) const {
  const Columns& c = draft_.columns();
  const Index place = draft_[use].place;
  if (place == kNone) return false;
  std::vector<u32> waiting = {value};
  for (u32 step = 0; !waiting.empty(); ++step) {
    if (step == kMostSteps) return false;
    const Draft::DraftNode& n = draft_[waiting.back()];
    waiting.pop_back();
    if (n.left != kNone) waiting.push_back(n.left);
    if (n.right != kNone) waiting.push_back(n.right);
    if (n.kind == Node::Let || n.kind == Node::Lambda || n.kind == Node::Hole) return false;
    if (n.kind != Node::Name) continue;
    const auto same_name = bindings_.find(n.text);
    if (same_name == bindings_.end()) continue;
    if (same_name->second.size() > kMostOfOneName) return false;
    for (const u32 b : same_name->second) {
      if (b == n.ref || place < c.bind_from[b] || place >= c.bind_until[b]) continue;
      const bool is_outer = n.ref < c.binds && frontend::is_local(c.bind_kind[n.ref]) &&
                            c.bind_node[b] < c.bind_node[n.ref];
      if (!is_outer) return false;
    }
  }
  return true;
}
bool StatementRewriter::names_variable(u32 value) const {
  const Columns& c = draft_.columns();
  std::vector<u32> waiting = {value};
  for (u32 step = 0; !waiting.empty(); ++step) {
    if (step == kMostSteps) return true;
    const Draft::DraftNode& n = draft_[waiting.back()];
    waiting.pop_back();
    if (n.left != kNone) waiting.push_back(n.left);
    if (n.right != kNone) waiting.push_back(n.right);
    if (n.kind == Node::Name && n.ref < c.binds && c.bind_kind[n.ref] == BindKind::Var) return true;
  }
  return false;
}

u32 StatementRewriter::block_of(u32 let) const {
  u32 above = draft_[let].parent;
  for (u32 step = 0; draft_.kind(above) == Node::Semi && step < kMostSteps; ++step)
    above = draft_[above].parent;
  return draft_.kind(above) == Node::Block ? above : kNone;
}
u32 StatementRewriter::statement_of(u32 n, u32 block) const {
  for (u32 step = 0; step < kMostSteps; ++step) {
    const u32 above = draft_[n].parent;
    if (above == kNone) return kNone;
    if (above == block || draft_.kind(above) == Node::Semi || draft_.kind(above) == Node::Block)
      return n;
    n = above;
  }
  return kNone;
}
u32 StatementRewriter::next_statement(u32 let) const {
  u32 at = let;
  for (u32 step = 0; step < kMostSteps; ++step) {
    const u32 above = draft_[at].parent;
    if (draft_.kind(above) != Node::Semi) return kNone;
    if (draft_[above].left == at) {
      u32 next = draft_[above].right;
      while (draft_.kind(next) == Node::Semi) next = draft_[next].left;
      return next;
    }
    at = above;
  }
  return kNone;
}

// Not in a loop or a lambda inside of the block.
bool StatementRewriter::is_evaluated_once(u32 use, u32 block) const {
  u32 at = use;
  for (u32 step = 0; step < kMostSteps; ++step) {
    const u32 above = draft_[at].parent;
    if (above == block) return true;
    switch (draft_.kind(above)) {
      case Node::None:
      case Node::For:
      case Node::While:
      case Node::In:
      case Node::Lambda:
      case Node::Guard:
      case Node::Limit:
      case Node::Hole: return false;
      case Node::Body:
        if (draft_.kind(draft_[above].left) != Node::If) return false;
        break;
      default: break;
    }
    at = above;
  }
  return false;
}

// Is it evaluated in any case, and nothing before it that may trap?
bool StatementRewriter::is_evaluated_first(u32 use, u32 statement) const {
  u32 at = use;
  for (u32 step = 0; step < kMostSteps; ++step) {
    if (at == statement) return true;
    const u32 above = draft_[at].parent;
    if (above == kNone) return false;
    const Draft::DraftNode& n = draft_[above];
    const bool is_left = n.left == at;
    switch (node_row(n.kind).node_class) {
      case NodeClass::Arithmetic:
      case NodeClass::Compare:
      case NodeClass::Shift:
        if (!is_left && !facts_[n.left].is_calm) return false;
        break;
      case NodeClass::Unary: break;
      case NodeClass::Lazy:
        if (!is_left) return false;
        break;
      case NodeClass::Update: return false;
      case NodeClass::Other:
        switch (n.kind) {
          case Node::Paren:
          case Node::Let:
          case Node::Return:
          case Node::Assert:
          case Node::If: break;
          case Node::Comma:
            if (!is_left && !facts_[n.left].is_calm) return false;
            break;
          case Node::Call: {
            const u32 name = n.left;
            if (is_left || draft_.kind(name) != Node::Name || draft_[name].ref == kNone)
              return false;
            const u32 ref = draft_[name].ref;
            const bool is_function = ref < draft_.columns().binds
                                         ? draft_.columns().bind_kind[ref] == BindKind::Function
                                         : ref >= kBuiltinRef && ref - kBuiltinRef < kBuiltinCount;
            if (!is_function) return false;
            break;
          }
          case Node::Assign:
            if (is_left || draft_.kind(n.parent) != Node::Let) return false;
            break;
          case Node::Body:
            if (!is_left || draft_.kind(at) != Node::If) return false;
            break;
          case Node::Else:
            if (!is_left) return false;
            break;
          default: return false;
        }
        break;
    }
    at = above;
  }
  return false;
}

bool StatementRewriter::may_stand(u32 value, u32 use) const {
  if (!is_control(draft_.kind(value))) return true;
  switch (draft_.kind(draft_[use].parent)) {
    case Node::Assign: return draft_[draft_[use].parent].right == use;
    case Node::Block:
    case Node::Semi: return true;
    default: return false;
  }
}

void StatementRewriter::place_value(u32 let) {
  const LetParts parts = parts_of(let);
  if (parts.let == kNone || parts.value == kNone || !may_go(parts)) return;
  const u32 value = parts.value;
  std::vector<u32>& uses = uses_[parts.binding];
  const bool is_scalar = draft_[value].type != Scalar::None;
  if (uses.empty()) {
    if (!facts_[value].is_calm || !is_scalar) return;
    forget_uses(value);
    return remove(parts);
  }
  for (const u32 use : uses)
    if (!draft_[use].is_value || draft_[use].left != kNone) return;
  const Columns& c = draft_.columns();
  const u32 ref =
      draft_.kind(value) == Node::Name && draft_[value].left == kNone ? draft_[value].ref : kNone;
  const bool is_name = ref != kNone && (is_scalar || !parts.is_annotated) &&
                       (ref < c.binds ? is_fixed(c.bind_kind[ref]) : facts_[value].is_calm);
  const bool is_number =
      is_scalar && (draft_.is_literal(value) || draft_.kind(value) == Node::True ||
                    draft_.kind(value) == Node::False);
  const bool is_short = draft_.kind(value) != Node::Neg || uses.size() <= kMostNegativeUses;
  if (is_number && std::ranges::any_of(uses, [&](u32 use) { return draft_.is_converted(use); }))
    return;
  const auto sees_all = [&] {
    return std::ranges::all_of(uses, [&](u32 use) { return sees_same(value, use); });
  };
  if ((is_name || (is_number && is_short)) && sees_all()) {
    forget_uses(value);
    u32 leaf = value;
    // The number of an integer would be another exponent: `x ** 2` is a product.
    if (is_number && is_float(draft_[value].type) && facts_[value].cell) {
      const bool is_integer_text =
          draft_.kind(value) == Node::Int || draft_.kind(draft_[value].right) == Node::Int;
      if (is_integer_text) leaf = draft_.add_literal(draft_[value].type, *facts_[value].cell);
      if (leaf == kNone) return;
    }
    const std::vector<u32> places = uses;
    for (const u32 use : places) {
      const u32 copy = draft_.copy_leaf(leaf, use);
      draft_.replace(use, copy);
      if (is_name && ref < c.binds) uses_[ref].push_back(copy);
      std::vector<u32> made;
      draft_.list_below(copy, made);
      for (const u32 n : made) facts_.learn(n);
    }
    uses_[parts.binding].clear();
    return remove(parts);
  }
  if (uses.size() != 1 || !is_scalar) return;
  const u32 use = uses[0], block = block_of(let);
  if (block == kNone || draft_[use].type != draft_[value].type || !may_stand(value, use) ||
      draft_[value].is_commented || !sees_same(value, use))
    return;
  const bool moves_freely =
      facts_[value].is_calm && !names_variable(value) && is_evaluated_once(use, block);
  if (!moves_freely) {
    const u32 next = next_statement(let);
    if (next == kNone || !facts_[value].is_pure || !is_evaluated_first(use, next)) return;
  }
  const u32 statement = statement_of(use, block);
  if (statement == kNone) return;
  const u32 together = draft_.width(statement, kMostColumns) + draft_.width(value, kMostColumns);
  if (together > kMostColumns) return;
  const bool is_calm = facts_[value].is_calm;
  draft_.replace(use, value);
  uses_[parts.binding].clear();
  for (u32 at = draft_[value].parent; !is_calm && at != kNone && at != block;
       at = draft_[at].parent)
    facts_.forget_calm(at);
  remove(parts);
}

}  // namespace komuz::services
