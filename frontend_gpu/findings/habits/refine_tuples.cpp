// SPDX-License-Identifier: Apache-2.0
// A chain of commas leans left, and binds looser than the word that starts a statement: `let a, b = t` is
// `(let a), (b = t)`. The elements show what is meant: names up to the one that is assigned, values from there on.
#include "frontend_gpu/findings/habits/refine_tuples.h"

#include <algorithm>
#include <vector>

#include "frontend_gpu/findings/collect.h"
#include "frontend_gpu/tree/tree.h"
#include "mend/name_edits.h"

namespace komuz::frontend {

namespace {

constexpr size_t kMostElements = 16;

std::vector<Index> elements_of(const Columns& c, Index list) {
  std::vector<Index> elements;
  Index at = list;
  for (; at != kNone && node_kind(c, at) == Node::Comma; at = c.left[at]) {
    if (c.right[at] == kNone || elements.size() == kMostElements) return {};
    elements.push_back(c.right[at]);
  }
  if (at == kNone) return {};
  elements.push_back(at);
  std::ranges::reverse(elements);
  return elements;
}

// True for the last statement of a block, where a value may stand.
bool ends_block(const Columns& c, Index node) {
  Index above = parent_of(c, node), below = node;
  if (above != kNone && node_kind(c, above) == Node::Semi && c.right[above] == node) {
    below = above;
    above = parent_of(c, above);
  }
  return above != kNone && node_kind(c, above) == Node::Block && c.right[above] == below;
}

bool is_name(const Columns& c, Index node) {
  return node != kNone && node_kind(c, node) == Node::Name;
}

// `for i, x in …`: the token behind the last name; kNone: it is something else.
Index end_of_names(const Columns& c, Index first) {
  Index t = first;
  while (token_at(c, t) == Token::Name && token_at(c, i64{t} + 1) == Token::Comma) t += 2;
  return token_at(c, t) == Token::Name && token_at(c, i64{t} + 1) == Token::In ? t + 1 : kNone;
}

// True for the name of an array, list or slice of numbers, as far as the type behind `xs:` shows. Such elements are
// no pairs, so two names before the `in` are a number and an element.
bool is_of_numbers(const Columns& c, Index xs) {
  if (token_at(c, xs) != Token::Name || token_at(c, i64{xs} + 1) != Token::LBrace) return false;
  for (Index t = xs; t > 0 && xs - t < kLongestBrackets && token_at(c, t) != Token::Fn; --t) {
    if (text_of(c, i64{t} - 1) != text_of(c, xs) || token_at(c, t) != Token::Colon) continue;
    const Index bracket = token_at(c, i64{t} + 1) == Token::LBracket ? t + 1 : t + 2;
    const std::string_view held = text_of(c, i64{bracket} + 1);
    return token_at(c, bracket) == Token::LBracket && is_scalar_name(held);
  }
  return false;
}

}  // namespace

Index whole_list(const Columns& c, Index node) {
  Index list = node;
  for (Index above = parent_of(c, list);
       above != kNone && node_kind(c, above) == Node::Comma && c.left[above] == list;
       above = parent_of(c, list))
    list = above;
  return list;
}

bool refine_tuple(const Columns& c, Index comma, Diagnostic& row) {
  const Index list = whole_list(c, comma);
  const std::vector<Index> elements = elements_of(c, list);
  if (elements.size() < 2) return false;
  const Index first = elements[0];
  const Span all = subtree_span(c, list);
  const auto say = [&](u32 begin, u32 end) {
    row.a = begin;
    row.b = end;
    return true;
  };
  const Node kind = node_kind(c, first);
  if (kind == Node::Return && c.right[first] != kNone)
    return say(subtree_span(c, c.right[first]).begin, all.end);
  if (kind == Node::For) {
    const Index names = c.token[first] + 1, end = end_of_names(c, names);
    if (end == kNone) return false;
    const bool counts = end == names + 3 && is_of_numbers(c, end + 1);
    return say(c.token_start[names], end_of(c, counts ? end + 1 : end - 1));
  }
  const bool binds = kind == Node::Let || kind == Node::Var;
  const auto is_assigned = [&c](Index e) { return node_kind(c, e) == Node::Assign; };
  const auto assigned = std::ranges::find_if(elements, is_assigned);
  if (assigned == elements.end()) {
    const bool is_value = !binds && ends_block(c, list);
    return is_value && say(all.begin, all.end);
  }
  const size_t names = static_cast<size_t>(assigned - elements.begin()) + 1;
  const size_t values = elements.size() - names + 1;
  // `let a = 1, b = 2` says two things.
  if (names < 2 || (values != 1 && values != names) ||
      std::ranges::count_if(elements, is_assigned) != 1)
    return false;
  const Index left = binds ? Index{c.right[first]} : first;
  // A `let` binds names; an assignment may also go to parts.
  const auto is_place = [&](Index e) {
    const bool is_part =
        !binds && e != kNone && (node_kind(c, e) == Node::Index || node_kind(c, e) == Node::Dot);
    return is_part || is_name(c, e);
  };
  bool are_places = is_place(left) && is_place(c.left[*assigned]);
  for (size_t k = 1; k + 1 < names; ++k) are_places &= is_place(elements[k]);
  return are_places && c.right[*assigned] != kNone && say(subtree_span(c, left).begin, all.end);
}

}  // namespace komuz::frontend
