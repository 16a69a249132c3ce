// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/follow_ups.h"

#include <algorithm>

#include "frontend_gpu/tree.h"
#include "lang/aliases.h"

namespace komuz::frontend {

namespace {

std::string_view token_word(const Columns& c, Index t) {
  return {reinterpret_cast<const char*>(token_text(c, t)), c.token_length[t]};
}
std::string_view text_at(const Columns& c, const Diagnostic& d) {
  return {reinterpret_cast<const char*>(c.source + d.begin), d.length};
}
// The name behind a place, on the same line.
std::string_view word_behind(const Columns& c, u32 place) {
  while (place < c.bytes && c.source[place] == ' ') ++place;
  u32 end = place;
  while (end < c.bytes && is_word_byte(c.source[end])) ++end;
  return {reinterpret_cast<const char*>(c.source + place), end - place};
}

// The node at which each item starts.
std::vector<Index> find_first_nodes(const Columns& c) {
  std::vector<Index> first(c.items, kNone);
  for (Index i = c.nodes; i-- > 0;) first[c.item[i]] = i;
  return first;
}

// Tokens of an item: [first, end).
struct TokenRange {
  Index first, end;
};
TokenRange tokens_of(const Columns& c, const std::vector<Index>& first_nodes, Index item) {
  const Index first = c.token[first_nodes[item]];
  return {first, item + 1 < c.items ? c.token[first_nodes[item + 1]] : c.tokens};
}

// `'name:` is lexed as a character that no quote ends.
bool is_label(const Columns& c, Index t) {
  if (token_at(c, t) != Token::Char) return false;
  const std::string_view text = token_word(c, t);
  const size_t end = text.find_first_of(": ;}");
  return text.size() > 2 && text.back() != '\'' && end != std::string_view::npos && end > 1 &&
         is_word_byte(static_cast<u8>(text[1])) && !is_digit_byte(static_cast<u8>(text[1]));
}

bool is_of_brackets(DiagnosticCode code) {
  return code == DiagnosticCode::UnclosedBracket || code == DiagnosticCode::UnopenedBracket ||
         code == DiagnosticCode::MismatchedBracket;
}

void place_at_token(const Columns& c, Finding& finding, DiagnosticCode code, Index t) {
  finding.diagnostic = make_diagnostic(code, c.token_start[t], c.token_length[t]);
  finding.node = kNone;
}

void refine_labels(const Columns& c, const std::vector<Index>& first_nodes,
                   std::vector<Finding>& findings) {
  Index looked_at = kNone;
  for (Finding& finding : findings) {
    if (!is_of_brackets(finding.diagnostic.code()) || finding.item == looked_at) continue;
    looked_at = finding.item;
    const TokenRange tokens = tokens_of(c, first_nodes, finding.item);
    for (Index t = tokens.first; t < tokens.end; ++t) {
      if (!is_label(c, t)) continue;
      const auto follows = [&](const Finding& other) {
        return &other != &finding && other.item == looked_at &&
               is_of_brackets(other.diagnostic.code());
      };
      place_at_token(c, finding, DiagnosticCode::AttributeOrLabel, t);
      const size_t length = token_word(c, t).find_first_of(": ;}");
      finding.diagnostic = make_diagnostic(DiagnosticCode::AttributeOrLabel, c.token_start[t],
                                           static_cast<u32>(length));
      std::erase_if(findings, follows);
      return;
    }
  }
}

}  // namespace

void refine_brackets(const Columns& c, std::vector<Finding>& findings) {
  const auto is = [](DiagnosticCode code) {
    return [code](const Finding& f) { return f.diagnostic.code() == code; };
  };
  if (std::none_of(findings.begin(), findings.end(),
                   [](const Finding& f) { return is_of_brackets(f.diagnostic.code()); }))
    return;
  const std::vector<Index> first_nodes = find_first_nodes(c);
  refine_labels(c, first_nodes, findings);
  const auto opener = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.diagnostic.code() == DiagnosticCode::UnclosedBracket &&
           text_at(c, f.diagnostic) == "{" && f.item + 1 < c.items;
  });
  const auto closer =
      std::find_if(findings.begin(), findings.end(), is(DiagnosticCode::UnopenedBracket));
  if (opener == findings.end() || closer == findings.end() || closer->item <= opener->item) return;
  // At the start of a line it stands where it should; a bracket is missing before it.
  const Index inner = c.token[first_nodes[opener->item + 1]];
  if (c.source[c.token_start[inner] - 1] == '\n') return;
  place_at_token(c, *opener, DiagnosticCode::NestedItem, inner);
  findings.erase(closer);
}

FollowUps::FollowUps(const Columns& c, const std::vector<Finding>& findings) : c_(c) {
  if (findings.empty()) return;
  first_nodes_ = find_first_nodes(c);
  for (const Finding& finding : findings) {
    if (!items_.contains(finding.item)) items_.emplace(finding.item, look_at(finding.item));
    note(finding);
  }
}

FollowUps::BrokenItem FollowUps::look_at(Index item) {
  BrokenItem broken;
  const TokenRange tokens = tokens_of(c_, first_nodes_, item);
  Index t = tokens.first;
  if (token_at(c_, t) == Token::Pub) ++t;
  if (t + 1 < tokens.end) lost_names_.insert(token_word(c_, t + 1));
  while (t < tokens.end && token_at(c_, t) != Token::LBrace) ++t;
  if (t < tokens.end) broken.body = c_.token_start[t];
  return broken;
}

void FollowUps::note(const Finding& finding) {
  BrokenItem& item = items_.at(finding.item);
  const Diagnostic& d = finding.diagnostic;
  const DiagnosticCode code = d.code();
  const std::string_view stable_code = diagnostic_row(code).code;
  if (d.begin < item.body && (stable_code.starts_with("K00") || stable_code.starts_with("K01")))
    item.has_broken_head = true;
  if (code == DiagnosticCode::GenericFunction) item.is_generic = true;
  if (code == DiagnosticCode::WordOperator) {
    const AliasRow* const alias = find_alias(text_at(c_, d));
    if (alias != nullptr && alias->right == "else if") item.has_foreign_else = true;
    if (alias != nullptr && alias->kind == AliasKind::Item)
      lost_names_.insert(word_behind(c_, d.end()));
  }
  const bool binds = code == DiagnosticCode::LetWithoutValue ||
                     (code == DiagnosticCode::NotSupported &&
                      (d.a == kFeatureConstructors || d.a == kFeaturePatterns));
  if (!binds || finding.node == kNone) return;
  for (Index i = c_.begin[finding.node]; i < c_.end[finding.node]; ++i)
    if (node_kind(c_, i) == Node::Name) item.lost_names.insert(token_word(c_, c_.token[i]));
}

bool FollowUps::is_lost(const Finding& finding) const {
  const auto broken = items_.find(finding.item);
  if (broken == items_.end()) return false;  // a finding that it was not told of
  const BrokenItem& item = broken->second;
  const std::string_view word = text_at(c_, finding.diagnostic);
  const Index node = finding.node;
  switch (finding.diagnostic.code()) {
    case DiagnosticCode::UnknownName:
      return item.has_broken_head || item.lost_names.contains(word) || lost_names_.contains(word);
    case DiagnosticCode::UnknownFunction: return lost_names_.contains(word);
    case DiagnosticCode::UnknownType:
      return lost_names_.contains(word) ||
             (item.is_generic && finding.diagnostic.begin < item.body);
    case DiagnosticCode::UnusedValue: return item.has_foreign_else;
    case DiagnosticCode::ArgumentCount: {
      // `math.sqrt(x)` of an unknown `math`.
      if (node == kNone || node_kind(c_, c_.left[node]) != Node::Dot) return false;
      const Index receiver = c_.left[c_.left[node]];
      return static_cast<DiagnosticCode>(c_.error[receiver]) == DiagnosticCode::UnknownName;
    }
    default: return false;
  }
}

namespace {

// The node whose whole subtree a finding speaks for.
Index construct_of(const Columns& c, const Finding& finding) {
  const Index node = finding.node;
  if (node == kNone) return kNone;
  const Index parent = parent_of(c, node);
  const Node around = parent == kNone ? Node::None : node_kind(c, parent);
  switch (finding.diagnostic.code()) {
    case DiagnosticCode::NotSupported: {
      const bool hole = node_kind(c, node) == Node::Hole;
      const bool whole =
          around == Node::Body || (hole && (around == Node::Call || around == Node::Index));
      return whole ? parent : node;
    }
    case DiagnosticCode::RecordLiteral:
    case DiagnosticCode::WordOperator: return around == Node::Body ? parent : node;
    case DiagnosticCode::ClosureBars: return around == Node::BitOr ? parent : node;
    default: return kNone;
  }
}

}  // namespace

bool FollowUps::contain(const Finding& finding) {
  const Index node = finding.node;
  if (node != kNone && node >= covered_begin_ && node < covered_end_) return true;
  if (is_lost(finding)) return true;
  if (const Index construct = construct_of(c_, finding); construct != kNone) {
    covered_begin_ = c_.begin[construct];
    covered_end_ = c_.end[construct];
  }
  return false;
}

}  // namespace komuz::frontend
