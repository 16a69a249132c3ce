// SPDX-License-Identifier: Apache-2.0
#include "frontend_gpu/refine_brackets.h"

#include <algorithm>
#include <unordered_set>

#include "frontend_gpu/byte_masks.h"
#include "frontend_gpu/item_tokens.h"
#include "frontend_gpu/refine_text.h"

namespace komuz::frontend {

namespace {

// `'name:` is lexed as a character that no quote ends.
bool is_label(const Columns& c, Index t) {
  if (token_at(c, t) != Token::Char) return false;
  const std::string_view text = text_of(c, t);
  const size_t end = text.find_first_of(": ;}");
  return text.size() > 2 && text.back() != '\'' && end != std::string_view::npos && end > 1 &&
         is_word_byte(static_cast<u8>(text[1])) && !is_digit_byte(static_cast<u8>(text[1]));
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
      finding.node = kNone;
      finding.diagnostic = make_diagnostic(DiagnosticCode::AttributeOrLabel, c.token_start[t],
                                           static_cast<u32>(text_of(c, t).find_first_of(": ;}")));
      std::erase_if(findings, follows);
      return;
    }
  }
}

// What one bracket too few or too many does to those around it: `{ ( }`, `{ ) }`.
void refine_mismatched(const Columns& c, std::vector<Finding>& findings) {
  std::unordered_set<Index> without_closer, with_closer;  // items
  for (Finding& finding : findings) {
    Diagnostic& d = finding.diagnostic;
    if (d.code() != DiagnosticCode::MismatchedBracket) continue;
    if (c.source[d.begin] == '}') {
      without_closer.insert(finding.item);
    } else if (c.source[d.a] == '{') {
      d = make_diagnostic(DiagnosticCode::UnopenedBracket, d.begin, d.length);
      with_closer.insert(finding.item);
    }
  }
  std::erase_if(findings, [&](const Finding& f) {
    const DiagnosticCode code = f.diagnostic.code();
    const u8 bracket = c.source[f.diagnostic.begin];
    return (code == DiagnosticCode::UnclosedBracket && bracket == '{' &&
            without_closer.contains(f.item)) ||
           (code == DiagnosticCode::UnopenedBracket && bracket == '}' &&
            with_closer.contains(f.item));
  });
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
  refine_mismatched(c, findings);
  const auto opener = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) {
    return f.diagnostic.code() == DiagnosticCode::UnclosedBracket &&
           c.source[f.diagnostic.begin] == '{' && f.item + 1 < c.items;
  });
  const auto closer =
      std::find_if(findings.begin(), findings.end(), is(DiagnosticCode::UnopenedBracket));
  if (opener == findings.end() || closer == findings.end() || closer->item <= opener->item) return;
  // At the start of a line it stands where it should; a bracket is missing before it.
  const Index inner = c.token[first_nodes[opener->item + 1]];
  if (c.source[c.token_start[inner] - 1] == '\n') return;
  const bool constant = token_at(c, inner) == Token::Const;
  place_at_token(c, *opener, constant ? DiagnosticCode::LocalConstant : DiagnosticCode::NestedItem,
                 inner);
  findings.erase(closer);
}

}  // namespace komuz::frontend
