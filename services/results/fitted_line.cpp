// SPDX-License-Identifier: Apache-2.0
#include "services/results/fitted_line.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "engine/values/value_text.h"
#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/named_types.h"
#include "frontend_gpu/view.h"
#include "services/analysis.h"
#include "services/apply_edits.h"
#include "services/display_text.h"
#include "services/front_end_names.h"
#include "services/refactor/expression.h"
#include "services/results/ranking_text.h"
#include "services/symbols.h"

namespace komuz::services {
namespace {

std::string number_text(f64 number) {
  std::string out;
  engine::print_scalar(out, Scalar::F64, std::bit_cast<u64>(number), engine::ValueStyle::Source);
  return out;
}
// " + 0.75", " - 0.75", or nothing for 0.
std::string sum_with(f64 intercept) {
  if (intercept == 0) return {};
  return intercept < 0 ? " - " + number_text(-intercept) : " + " + number_text(intercept);
}
std::string scaled(const engine::ScoreLine& line, const std::string& value) {
  const std::string product = line.slope == 1 ? value : number_text(line.slope) + " * " + value;
  return product + sum_with(line.intercept);
}

// The entry of a program, as its columns have it.
struct Entry {
  Index item = kNone;
  Symbol symbol;
  std::string name;
};

std::optional<Entry> find_entry(const Analysis& analysis, std::string_view name) {
  const Columns& c = analysis.columns();
  std::vector<Index> functions, shown;
  for (Index item = 0; item < c.items; ++item) {
    const bool is_own = c.modules == 0 || c.item_module[item] == 0;
    if (!is_own || c.item_kind[item] != frontend::ItemKind::Function ||
        frontend::is_space(c, item) || !frontend::has_signature(c, item))
      continue;
    if (!name.empty() && frontend::name_text(c, c.item_name[item]) != name) continue;
    functions.push_back(item);
    if (c.item_public[item] != 0) shown.push_back(item);
  }
  const std::vector<Index>& found = name.empty() && !shown.empty() ? shown : functions;
  if (found.size() != 1) return std::nullopt;
  const Index of_name = c.item_name[found[0]];
  return Entry{found[0], symbol_of(analysis, of_name), frontend::name_text(c, of_name)};
}

// Names that mean the entry, in the order of the text; the first one is its own.
std::vector<Index> uses_of(const Analysis& analysis, const Entry& entry) {
  const Columns& c = analysis.columns();
  std::vector<Index> uses;
  for (Index i = 0; i < c.nodes && c.token[i] < analysis.own_tokens(); ++i)
    if (frontend::node_kind(c, i) == Node::Name && frontend::name_text(c, i) == entry.name &&
        (i == c.item_name[entry.item] || symbol_of(analysis, i) == entry.symbol))
      uses.push_back(i);
  return uses;
}

// The expression that gives the value of the entry's body, if nothing else does and it may stand in parentheses. `alone`: nothing
// stands before it.
struct Tail {
  Index node = kNone;
  bool is_alone = true;
};
std::optional<Tail> tail_of(const Analysis& analysis, const Entry& entry) {
  const Columns& c = analysis.columns();
  for (Index i = 0; i < c.nodes; ++i)
    if (c.item[i] == entry.item && frontend::node_kind(c, i) == Node::Return) return std::nullopt;
  const Index body = c.item_body[entry.item];
  const Index block = frontend::node_kind(c, body) == Node::Body ? Index{c.right[body]} : kNone;
  Tail out;
  out.node = block == kNone ? kNone : Index{c.right[block]};
  while (out.node != kNone && frontend::node_kind(c, out.node) == Node::Semi) {
    out.node = c.right[out.node];
    out.is_alone = false;
  }
  if (out.node == kNone) return std::nullopt;
  switch (frontend::node_kind(c, out.node)) {
    case Node::Else:
    case Node::Body:
    case Node::Block:
    case Node::Break:
    case Node::Continue: return std::nullopt;
    default: return out;
  }
}

std::string text_of_span(const Analysis& analysis, const frontend::Span& span) {
  return std::string(analysis.text().substr(span.begin, span.end - span.begin));
}

// The value of the body becomes an operand. Nothing: another form is needed.
std::optional<std::string> with_operand(const Analysis& analysis, const Entry& entry,
                                        const engine::ScoreLine& line) {
  const Columns& c = analysis.columns();
  const std::string type = frontend::written_type(c, frontend::result_type(c, entry.item));
  if (type != "f64" || uses_of(analysis, entry).size() > 1) return std::nullopt;
  const std::optional<Tail> tail = tail_of(analysis, entry);
  // A `-` would go on with the line before, if that has no `;`.
  if (!tail || (!tail->is_alone && line.slope < 0)) return std::nullopt;
  const frontend::Span span = frontend::subtree_span(c, tail->node);
  const Edit edit{span.begin, span.end, scaled(line, "(" + text_of_span(analysis, span) + ")")};
  return with_edits(analysis.text(), std::vector<Edit>{edit});
}

// A new entry calls the function that was the entry.
std::string with_call(const Analysis& analysis, const Entry& entry, const engine::ScoreLine& line) {
  const Columns& c = analysis.columns();
  const std::string inner = free_name(analysis, entry.name + "_formula");
  std::string arguments;
  for (u32 b = 0; b < c.binds; ++b)
    if (c.bind_kind[b] == BindKind::Parameter && c.item[c.bind_node[b]] == entry.item)
      arguments += (arguments.empty() ? "" : ", ") + frontend::name_text(c, c.bind_node[b]);
  std::string call = inner + "(" + arguments + ")";
  const std::string type = frontend::written_type(c, frontend::result_type(c, entry.item));
  if (type != "f64") call = "f64(" + call + ")";
  const std::string head =
      "pub fn " + entry.name +
      text_of_span(analysis, frontend::subtree_span(c, frontend::parameters_of(c, entry.item))) +
      " -> f64 {\n" + scaled(line, call) + "\n}\n\n";
  const frontend::TokenRange tokens = analysis.tokens_of(entry.item);
  const bool is_public = frontend::token_at(c, i64{tokens.first}) == Token::Pub;
  const u32 begin = c.token_start[tokens.first];
  std::vector<Edit> edits = {{begin, c.token_start[tokens.first + (is_public ? 1 : 0)], head}};
  for (const Index use : uses_of(analysis, entry)) {
    const u32 at = c.token_start[c.token[use]];
    edits.push_back({at, at + static_cast<u32>(entry.name.size()), inner});
  }
  std::ranges::sort(edits, {}, &Edit::begin);
  return with_edits(analysis.text(), edits);
}

bool compiles(std::string_view text, const Library* library) {
  frontend::Compiler compiler({.library = library});
  frontend::Compilation made;
  compiler.compile(text, made);
  return made.ok;
}

}  // namespace

std::string line_text(const engine::Results& results) {
  if (!results.best_line || results.ranking.empty()) return {};
  const std::string_view id = results.id(results.ranking.front());
  const engine::ScoreLine& line = *results.best_line;
  return fitted_at_both_ends(printable(id, ~0u), kShortIdWidth) + ": expected ≈ " +
         number_text(line.slope) + " · f" + sum_with(line.intercept) + "\n";
}

Result<std::string> with_line(std::string_view source, std::string_view entry,
                              const engine::ScoreLine& line, const Library* library) {
  Analysis analysis(library);
  analysis.read(source);
  const std::optional<Entry> found = find_entry(analysis, entry);
  if (!found)
    return input_problem(
               "the fitted line has no place in the best program, whose entry is not known")
        .with_remedy("name the entry by `--entry NAME`");
  const std::optional<std::string> operand = with_operand(analysis, *found, line);
  if (operand && (!analysis.is_sound() || compiles(*operand, library))) return *operand;
  return with_call(analysis, *found, line);
}

}  // namespace komuz::services
