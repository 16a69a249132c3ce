// SPDX-License-Identifier: Apache-2.0
#include "services/refactor/extract_statements.h"

#include <algorithm>
#include <tuple>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/front_end_names.h"
#include "services/refactor/expression.h"
#include "services/refactor/new_item.h"
#include "services/value_nodes.h"

namespace komuz::services {
namespace {

struct Statement {
  Index node = kNone;
  u32 begin = 0, end = 0;  // bytes of the text, without a `;`
  bool is_last = false;    // nothing stands behind it in its block: it gives the block's value
};

Index block_of(const Columns& c, Index node) {
  Index above = frontend::parent_of(c, node);
  while (above != kNone && frontend::node_kind(c, above) == Node::Semi)
    above = frontend::parent_of(c, above);
  return above;
}

// The statements in [begin, end) that stand in one block, which fill it but for blanks and the last `;`.
std::vector<Statement> statements_in(const Analysis& analysis, u32 begin, u32 end) {
  const Columns& c = analysis.columns();
  std::vector<Statement> found;
  for (Index i = 0; i < c.nodes; ++i) {
    if (frontend::node_kind(c, i) != Node::Semi || c.token[i] >= analysis.own_tokens()) continue;
    for (const Index child : {Index{c.left[i]}, Index{c.right[i]}}) {
      if (child == kNone || frontend::node_kind(c, child) == Node::Semi) continue;
      const frontend::Span span = frontend::subtree_span(c, child);
      if (span.begin < begin || span.end > end) continue;
      found.push_back({child, span.begin, span.end, child == c.right[i]});
    }
  }
  std::ranges::sort(found, {}, &Statement::begin);
  if (found.empty() || found.front().begin != begin) return {};
  const Index block = block_of(c, found.front().node);
  std::erase_if(found, [&](const Statement& s) { return block_of(c, s.node) != block; });
  const std::string_view rest = analysis.text().substr(found.back().end, end - found.back().end);
  if (rest.find_first_not_of("; \t\r\n") != std::string_view::npos) return {};
  // A `Semi` to the left of another has its statement on the right, too.
  for (Statement& s : found) {
    const Index above = frontend::parent_of(c, s.node);
    const Index top = frontend::parent_of(c, above);
    const bool has_more = top != kNone && frontend::node_kind(c, top) == Node::Semi;
    s.is_last = s.is_last && !has_more;
  }
  return found;
}

// Does it leave the function, or a loop around the statement? Or has it a hole?
bool leaves(const Analysis& analysis, const Statement& statement) {
  const Columns& c = analysis.columns();
  for (Index i = c.begin[statement.node]; i < c.end[statement.node]; ++i) {
    const Node kind = frontend::node_kind(c, i);
    if (c.error[i] != 0 || kind == Node::Return || kind == Node::Hole) return true;
    if (kind != Node::Break && kind != Node::Continue) continue;
    bool is_inside = false;
    for (Index above = i; above != statement.node && !is_inside;) {
      above = frontend::parent_of(c, above);
      if (above == kNone) break;
      const Index head = frontend::node_kind(c, above) == Node::Body ? Index{c.left[above]} : kNone;
      if (head == kNone) continue;
      const Node loop = frontend::node_kind(c, head);
      is_inside = loop == Node::For || loop == Node::While || loop == Node::Limit;
    }
    if (!is_inside) return true;
  }
  return false;
}

struct Variable {
  u32 binding = 0;
  std::string name = {}, type = {};
  bool is_own = false;      // the statements introduce it
  bool is_changed = false;  // they assign to it
  bool is_result = false;
};

// What the statements use and change, in the order of their first uses, and which of it is used behind them.
class Variables {
 public:
  Variables(const Analysis& analysis, const std::vector<Statement>& statements)
      : c_(analysis.columns()),
        begin_(c_.begin[statements.front().node]),
        end_(c_.end[statements.back().node]) {
    for (Index i = begin_; i < end_; ++i) see(i);
    for (Index i = end_; i < c_.nodes && c_.item[i] == c_.item[begin_]; ++i) see_behind(i);
  }
  // Nothing: the type of one has no name.
  [[nodiscard]] std::optional<std::vector<Variable>> take() {
    for (Variable& v : list_) {
      v.name = frontend::name_text(c_, c_.bind_node[v.binding]);
      v.type = frontend::written_type(c_, c_.bind_type[v.binding]);
      // What is changed outside may be needed in the next round of a loop, too.
      if (!v.is_own && v.is_changed) v.is_result = true;
      const bool matters = !v.is_own || v.is_result;
      if (matters && (v.name.empty() || v.type.empty())) return std::nullopt;
    }
    return std::move(list_);
  }

 private:
  void see(Index i) {
    if (frontend::node_kind(c_, i) != Node::Name || c_.ref[i] >= c_.binds) return;
    const u32 binding = c_.ref[i];
    const BindKind kind = c_.bind_kind[binding];
    if (kind < BindKind::Parameter || frontend::is_hidden(kind)) return;
    const Index node = c_.bind_node[binding];
    auto known = std::ranges::find(list_, binding, &Variable::binding);
    if (known == list_.end()) {
      list_.push_back({.binding = binding, .is_own = node >= begin_ && node < end_});
      known = list_.end() - 1;
    }
    known->is_changed = known->is_changed || changes(i);
  }
  // Assigned to by itself, or an element or a field of it, or by an operation that changes a list.
  [[nodiscard]] bool changes(Index i) const {
    if (c_.bind_kind[c_.ref[i]] != BindKind::Var) return false;
    if (c_.bind_node[c_.ref[i]] == i) return false;
    return !is_value_node(c_, i) ||
           frontend::name_role(frontend::node_context(c_, i)) == frontend::NameRole::Base;
  }
  void see_behind(Index i) {
    if (frontend::node_kind(c_, i) != Node::Name || c_.ref[i] >= c_.binds) return;
    const auto known = std::ranges::find(list_, u32{c_.ref[i]}, &Variable::binding);
    if (known != list_.end() && known->is_own) known->is_result = true;
  }

  const Columns& c_;
  Index begin_, end_;
  std::vector<Variable> list_;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}
std::string tuple_of(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts[0] : "(" + joined(parts) + ")";
}

// What stands in front of the call that takes the results; nothing: no statement takes them all.
std::optional<std::string> taken(const Columns& c, const std::vector<Variable>& results) {
  if (results.empty()) return "";
  std::vector<std::string> names;
  u32 own = 0, variable = 0;
  for (const Variable& v : results) {
    names.push_back(v.name);
    own += v.is_own;
    variable += v.is_own && c.bind_kind[v.binding] == BindKind::Var;
  }
  if (own == 0) return tuple_of(names) + " = ";
  if (own != results.size() || (variable != 0 && variable != own)) return std::nullopt;
  return (variable == 0 ? "let " : "var ") + tuple_of(names) + " = ";
}

}  // namespace

std::vector<Proposal> extract_statements(const Analysis& analysis, u32 begin, u32 end) {
  const Columns& c = analysis.columns();
  const std::string_view text = analysis.text();
  std::tie(begin, end) = without_blanks(text, begin, end);
  if (begin >= end) return {};
  const std::vector<Statement> statements = statements_in(analysis, begin, end);
  if (statements.empty()) return {};
  for (const Statement& s : statements)
    if (leaves(analysis, s)) return {};
  const auto item = item_around(analysis, begin);
  auto variables = Variables(analysis, statements).take();
  if (!item || !variables) return {};

  const std::string name = free_name(analysis, "extracted");
  std::vector<std::string> parameters, arguments, values, types;
  std::vector<Variable> results;
  std::string copies;
  for (Variable& v : *variables) {
    if (!v.is_own) {
      parameters.push_back(v.name + ": " + v.type);
      arguments.push_back(v.name);
      if (v.is_changed) copies += "var " + v.name + " = " + v.name + ";\n";
    }
    if (!v.is_result) continue;
    values.push_back(v.name);
    types.push_back(v.type);
    results.push_back(std::move(v));
  }
  const Statement& last = statements.back();
  std::string type = "()";
  const bool gives_value = last.is_last && text[end - 1] != ';' && is_value_node(c, last.node);
  if (gives_value) type = frontend::written_type(c, c.type[last.node]);
  // The value of the block, and more beside it.
  if (type.empty() || (type != "()" && !results.empty())) return {};
  const auto taken_by = taken(c, results);
  if (!taken_by) return {};
  std::string body(text.substr(begin, end - begin));
  if (!results.empty()) {
    type = tuple_of(types);
    if (!body.ends_with(';') && !body.ends_with('}')) body += ';';
    body += "\n" + tuple_of(values);
  }
  const std::string function = formatted_item("fn " + name + "(" + joined(parameters) + ") -> " +
                                              type + " {\n" + copies + body + "\n}\n");
  const bool ends_statement = !results.empty() || text[end - 1] == ';' || text[end - 1] == '}';
  std::string call = *taken_by + name + "(" + joined(arguments) + ")";
  if (ends_statement && !gives_value) call += ";";
  return {{{{begin, end, std::move(call)}}, {{item->end, item->end, "\n\n" + function}}}};
}

}  // namespace komuz::services
