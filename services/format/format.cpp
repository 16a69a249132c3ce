// SPDX-License-Identifier: Apache-2.0
#include "services/format.h"

#include <algorithm>

#include "services/fix.h"
#include "services/format/layout.h"

namespace komuz::services {

namespace {

// Is it about the text, the tokens or the tree? Such errors have numbers below 200; some of those are about what a tree
// stands for.
bool is_of_syntax(DiagnosticCode code) {
  switch (code) {
    case DiagnosticCode::None:
    case DiagnosticCode::NotSupported:
    case DiagnosticCode::MissingBody:
    case DiagnosticCode::TooManyFunctions:
    case DiagnosticCode::TooManyParameters:
    case DiagnosticCode::TupleTooWide:
    case DiagnosticCode::TooMuchCode:
    case DiagnosticCode::TooManyEntries:
    case DiagnosticCode::BuiltinType: return false;
    default: return diagnostic_row(code).code < "K0200";
  }
}

bool is_closed(std::string_view literal) {
  const size_t last = literal.size() - 1;
  if (last == 0 || literal[last] != literal[0]) return false;
  return (last - 1 - literal.find_last_not_of('\\', last - 1)) % 2 == 0;
}

// The first error of syntax, None if there is none. Some are not told: they follow from others, there are too many of them,
// or they stand inside of what is not supported yet, where the front end looks at tokens and brackets alone.
Diagnostic find_syntax_error(const Columns& c, const frontend::Compilation& compilation) {
  for (const Diagnostic& d : compilation.diagnostics)
    if (is_of_syntax(d.code())) return d;
  const auto at = [&c](DiagnosticCode code, Index t) {
    return make_diagnostic(code, c.token_start[t], c.token_length[t]);
  };
  if (c.tokens == 0 || c.nodes == 0) return at(DiagnosticCode::InternalRefused, 0);
  for (Index i = 0; i < c.nodes; ++i) {
    // What has no place here may have one in what is around it, when that is supported.
    const DiagnosticCode code = static_cast<DiagnosticCode>(c.error[i]);
    if (code != DiagnosticCode::Unexpected && is_of_syntax(code)) return at(code, c.token[i]);
  }
  for (u32 b = 0; b < c.brackets; ++b)
    if (c.bracket_error[b] != 0)
      return at(static_cast<DiagnosticCode>(c.bracket_error[b]), c.bracket_token[b]);
  const std::string_view source(reinterpret_cast<const char*>(c.source), c.bytes);
  for (Index t = 0; t < c.tokens; ++t) {
    const Token token = frontend::token_at(c, t);
    if (token != Token::String && token != Token::Char) continue;
    if (is_closed(source.substr(c.token_start[t], c.token_length[t]))) continue;
    return at(
        token == Token::String ? DiagnosticCode::UnclosedString : DiagnosticCode::BadCharLiteral,
        t);
  }
  return {};
}

std::string laid_out(const Columns& c) {
  Tree tree(c);
  const Comments comments(c);
  Layout layout(tree);
  drop_redundant_parentheses(tree, layout, comments);
  lay_out_expressions(layout);
  lay_out_lists(layout);
  lay_out_blocks(layout);
  return print_document(make_document(layout, comments));
}

}  // namespace

Formatted format(frontend::Compiler& compiler, std::string_view source) {
  const Fixed spelled = fix_source(compiler, source, FixKind::Spelling);
  Formatted formatted;
  frontend::Compilation compilation;
  compiler.compile(spelled.text, compilation);
  formatted.ok = find_syntax_error(compiler.columns(), compilation).code() == DiagnosticCode::None;
  if (formatted.ok) {
    formatted.text = laid_out(compiler.columns());
    return formatted;
  }
  compiler.compile(source, compilation);
  const Diagnostic error = find_syntax_error(compiler.columns(), compilation);
  formatted.diagnostics = std::move(compilation.diagnostics);
  const auto is_told = [&](const Diagnostic& d) { return is_of_syntax(d.code()); };
  if (error.code() != DiagnosticCode::None && std::ranges::none_of(formatted.diagnostics, is_told))
    formatted.diagnostics.push_back(error);
  return formatted;
}

}  // namespace komuz::services
