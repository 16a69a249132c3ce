// SPDX-License-Identifier: Apache-2.0
#include "services/format/syntax_errors.h"

namespace komuz::services {

bool is_of_syntax(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::None:
    case DiagnosticCode::NotSupported:
    case DiagnosticCode::MissingBody:
    case DiagnosticCode::TooManyFunctions:
    case DiagnosticCode::TooManyParameters:
    case DiagnosticCode::TooManyUses:
    case DiagnosticCode::TupleTooWide:
    case DiagnosticCode::TooMuchCode:
    case DiagnosticCode::TooManyEntries:
    case DiagnosticCode::TypeArguments:
    case DiagnosticCode::TypeBrackets:
    case DiagnosticCode::BadLength:
    case DiagnosticCode::SlicePlace:
    case DiagnosticCode::RangePlace:
    case DiagnosticCode::BuiltinType: return false;
    default: return diagnostic_row(code).code < "K0200";
  }
}

namespace {

Diagnostic at(const Columns& c, DiagnosticCode code, Index t) {
  return make_diagnostic(code, c.token_start[t], c.token_length[t]);
}

bool is_closed(std::string_view literal) {
  const size_t last = literal.size() - 1;
  if (last == 0 || literal[last] != literal[0]) return false;
  return (last - 1 - literal.find_last_not_of('\\', last - 1)) % 2 == 0;
}

// A string or character literal without an end.
Index find_open_literal(const Columns& c) {
  const std::string_view source(reinterpret_cast<const char*>(c.source), c.bytes);
  for (Index t = 0; t < c.tokens; ++t) {
    const Token token = frontend::token_at(c, t);
    if (token != Token::String && token != Token::Char) continue;
    if (!is_closed(source.substr(c.token_start[t], c.token_length[t]))) return t;
  }
  return kNone;
}

// A line that starts with an operand, so that a `;` is understood before it, but is not directly in a block.
Index find_stray_line(const Tree& tree) {
  const Columns& c = tree.c;
  std::vector<u8> is_statement(c.nodes, 0);
  for (Index rank = c.nodes; rank-- > 0;) {  // from the root down
    const Index i = c.order[rank], above = tree.parent(i);
    const Node around = tree.kind(above);
    const bool in_block =
        around == Node::Block && tree.kind(tree.parent(above)) != Node::Dot;  // `use a.{b, c}`
    is_statement[i] = in_block || (around == Node::Semi && is_statement[above] != 0);
    if (tree.kind(i) != Node::Semi || is_statement[i] != 0) continue;
    if (tree.token(c.token[i]) != Token::Semi) return c.token[i];
  }
  return kNone;
}

}  // namespace

Diagnostic find_untold_error(const Tree& tree) {
  const Columns& c = tree.c;
  for (Index i = 0; i < c.nodes; ++i) {
    // A construct without a place here may have one in its surroundings, once that is supported.
    const DiagnosticCode code = static_cast<DiagnosticCode>(c.error[i]);
    if (code != DiagnosticCode::Unexpected && is_of_syntax(code)) return at(c, code, c.token[i]);
  }
  for (u32 b = 0; b < c.brackets; ++b)
    if (c.bracket_error[b] != 0)
      return at(c, static_cast<DiagnosticCode>(c.bracket_error[b]), c.bracket_token[b]);
  if (const Index t = find_open_literal(c); t != kNone)
    return at(c,
              tree.token(t) == Token::String ? DiagnosticCode::UnclosedString
                                             : DiagnosticCode::BadCharLiteral,
              t);
  if (const Index t = find_stray_line(tree); t != kNone)
    return at(c, DiagnosticCode::ExpectedOperator, t);
  return {};
}

}  // namespace komuz::services
