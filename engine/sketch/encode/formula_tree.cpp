// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/encode/formula_tree.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "engine/values/value_text.h"
#include "frontend_gpu/view.h"
#include "lang/builtins.h"

namespace komuz::engine {
namespace {

using frontend::Columns;
using frontend::Index;
constexpr Index kNoNode = frontend::kNone;

class TreeReader {
 public:
  TreeReader(const Columns& c, const Sketch& sketch) : c_(c), sketch_(sketch) {
    for (u32 k = 0; k < sketch.holes.size(); ++k) hole_at_.emplace(sketch.holes[k].span.begin, k);
    out_.choices.resize(sketch.holes.size());
  }

  FormulaTree read() {
    std::vector<Index> spaces;
    for (Index item = 0; item < c_.items; ++item) {
      if (c_.item_kind[item] != frontend::ItemKind::Function || !is_own(item)) continue;
      const Index body = c_.item_body[item];
      if (frontend::is_space(c_, item)) {
        read_below(c_.right[body]);
        out_.spaces.push_back(elements(c_.right[body]));
        continue;
      }
      if (c_.item_public[item] == 0) continue;
      read_below(body);
      // There is one: the program has an entry.
      out_.root = value(c_.right[body]);
      frontend::ElementsBackwards parameters(c_, frontend::parameters_of(c_, item));
      for (Index e = parameters.next(); e != kNoNode; e = parameters.next())
        out_.parameters.push_back(text_of(c_.left[e]));
      std::ranges::reverse(out_.parameters);
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_own(Index item) const {
    return c_.modules == 0 || c_.item_module[item] == 0;
  }
  [[nodiscard]] std::string_view text_of(Index node) const {
    return {reinterpret_cast<const char*>(frontend::node_text(c_, node)),
            frontend::node_length(c_, node)};
  }
  [[nodiscard]] u32 value(Index node) const {
    const auto known = values_.find(node);
    return known == values_.end() ? FormulaTree::kNone : known->second;
  }
  [[nodiscard]] std::vector<u32> elements(Index list) const {
    std::vector<u32> out;
    frontend::ElementsBackwards all(c_, list);
    for (Index e = all.next(); e != kNoNode; e = all.next()) out.push_back(value(e));
    std::ranges::reverse(out);
    return out;
  }

  // Reads the nodes below one, each behind its children.
  void read_below(Index root) {
    std::vector<std::pair<Index, bool>> open = {{root, false}};
    while (!open.empty()) {
      const auto [node, is_left] = open.back();
      open.pop_back();
      if (node == kNoNode) continue;
      if (is_left) {
        read_node(node);
        continue;
      }
      open.emplace_back(node, true);
      open.emplace_back(c_.right[node], false);
      open.emplace_back(c_.left[node], false);
    }
  }
  void give(Index node, FormulaNode made) {
    // What holds something that is no formula is none.
    for (const u32 operand : made.operands)
      if (operand == FormulaTree::kNone) return;
    values_[node] = static_cast<u32>(out_.nodes.size());
    out_.nodes.push_back(std::move(made));
  }
  void give_operation(Index node, FormulaKind kind) {
    FormulaNode made{.kind = kind};
    if (c_.left[node] != kNoNode) made.operands.push_back(value(c_.left[node]));
    made.operands.push_back(value(c_.right[node]));
    give(node, std::move(made));
  }
  void pass(Index node, Index from) {
    if (from != kNoNode && values_.contains(from)) values_[node] = values_[from];
  }

  void read_node(Index node) {
    const Node kind = frontend::node_kind(c_, node);
    if (read_hole(node, kind)) return;
    switch (kind) {
      case Node::Paren:
      case Node::Block:
      case Node::Body: return pass(node, c_.right[node]);
      case Node::Semi: return pass(node, c_.right[node]);
      case Node::Let: return bind(node);
      case Node::Name: return read_name(node);
      case Node::Int:
      case Node::Float: return read_number(node);
      case Node::Neg:
      case Node::NegExponent: return give_operation(node, FormulaKind::Neg);
      case Node::Add: return give_operation(node, FormulaKind::Add);
      case Node::Sub: return give_operation(node, FormulaKind::Sub);
      case Node::Mul: return give_operation(node, FormulaKind::Mul);
      case Node::Div: return give_operation(node, FormulaKind::Div);
      case Node::Pow: return give_operation(node, FormulaKind::Pow);
      case Node::Call: return read_call(node);
      case Node::Else: return read_choice(node);
      default: return;
    }
  }
  bool read_hole(Index node, Node kind) {
    const bool may_be =
        kind == Node::Hole || kind == Node::Call || kind == Node::Index || kind == Node::Name;
    if (!may_be) return false;
    const Index first = kind == Node::Call || kind == Node::Index ? c_.left[node] : node;
    if (first == kNoNode) return false;
    const auto found = hole_at_.find(c_.token_start[c_.token[first]]);
    if (found == hole_at_.end()) return false;
    const u32 hole = found->second;
    if (sketch_.holes[hole].form == HoleForm::Choice && kind == Node::Index)
      out_.choices[hole] = elements(c_.right[node]);
    give(node, {.kind = FormulaKind::Hole, .hole = hole});
    return true;
  }
  void read_name(Index node) {
    const u32 ref = c_.ref[node];
    if (ref < c_.binds) {
      const Index bound = c_.bind_node[ref];
      if (bound == node) return;
      if (const auto known = bound_.find(bound); known != bound_.end()) {
        values_[node] = known->second;
        return;
      }
      if (c_.bind_kind[ref] != frontend::BindKind::Parameter) return;
    }
    for (u32 k = 0; k < kConstantCount && ref >= c_.binds; ++k)
      if (const ConstantRow& one = builtin_constant(k);
          one.name == text_of(node) && one.type == Scalar::None)
        return give(node, {.kind = FormulaKind::Number, .number = std::bit_cast<f64>(one.bits)});
    give(node, {.kind = FormulaKind::Name, .text = text_of(node)});
  }
  // `let name = value`, also with a type behind the name.
  void bind(Index node) {
    const Index assign = c_.right[node];
    if (assign == kNoNode || frontend::node_kind(c_, assign) != Node::Assign) return;
    Index name = c_.left[assign];
    if (frontend::node_kind(c_, name) == Node::Colon) name = c_.left[name];
    if (const u32 known = value(c_.right[assign]); known != FormulaTree::kNone)
      bound_[name] = known;
  }
  void read_number(Index node) {
    u64 bits = 0;
    if (parse_scalar(Scalar::F64, text_of(node), ValueStyle::Source, bits) &&
        parse_scalar(Scalar::F64, text_of(node), ValueStyle::Text, bits))
      return;
    give(node, {.kind = FormulaKind::Number, .number = std::bit_cast<f64>(bits)});
  }
  void read_call(Index node) {
    if (frontend::call_receiver(c_, node) != kNoNode) return;
    const Index name = frontend::call_name(c_, node);
    if (frontend::node_kind(c_, name) != Node::Name || c_.ref[name] < c_.binds) return;
    give(node,
         {.kind = FormulaKind::Call, .text = text_of(name), .operands = elements(c_.right[node])});
  }
  // `if a < b { x } else { y }`; the other comparisons are this one with two exchanged.
  void read_choice(Index node) {
    const Index then = c_.left[node];
    if (then == kNoNode || frontend::node_kind(c_, then) != Node::Body) return;
    const Index head = c_.left[then];
    if (head == kNoNode || frontend::node_kind(c_, head) != Node::If) return;
    const Index condition = frontend::inside_parentheses(c_, c_.right[head]);
    const Node kind = frontend::node_kind(c_, condition);
    if (kind != Node::Lt && kind != Node::Gt && kind != Node::Le && kind != Node::Ge) return;
    u32 a = value(c_.left[condition]), b = value(c_.right[condition]);
    u32 x = value(c_.right[then]), y = value(c_.right[node]);
    // a <= b is not b < a. Only a NaN tells them apart in another way.
    if (kind == Node::Gt || kind == Node::Le) std::swap(a, b);
    if (kind == Node::Le || kind == Node::Ge) std::swap(x, y);
    give(node, {.kind = FormulaKind::If, .text = "if", .operands = {a, b, x, y}});
  }

  const Columns& c_;
  const Sketch& sketch_;
  std::unordered_map<u32, u32> hole_at_;
  std::unordered_map<Index, u32> values_, bound_;
  FormulaTree out_;
};

}  // namespace

FormulaTree read_formula_tree(const frontend::Columns& c, const Sketch& sketch) {
  return TreeReader(c, sketch).read();
}

}  // namespace komuz::engine
