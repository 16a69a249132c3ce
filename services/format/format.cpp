// SPDX-License-Identifier: Apache-2.0
#include "services/format.h"

#include <algorithm>

#include "services/apply_edits.h"
#include "services/format/layout.h"
#include "services/format/syntax_errors.h"

namespace komuz::services {

namespace {

// The compiler's error for its last program; None if the program can be formatted.
Diagnostic syntax_error(const frontend::Compiler& compiler,
                        const frontend::Compilation& compilation) {
  for (const Diagnostic& d : compilation.diagnostics)
    if (is_of_syntax(d.code())) return d;
  if (compiler.columns().nodes == 0) return make_diagnostic(DiagnosticCode::InternalRefused);
  return find_untold_error(Tree(compiler.columns()));
}

std::string laid_out(const Columns& c) {
  Tree tree(c);
  const Comments comments(c);
  Layout layout(tree);
  drop_redundant_tokens(tree, layout, comments);
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
  if (compiler.columns().bytes > spelled.text.size()) {
    // The interfaces of modules stand behind the text, and a layout needs no names.
    frontend::Compiler alone;
    return format(alone, source);
  }
  formatted.ok = syntax_error(compiler, compilation).code() == DiagnosticCode::None;
  if (formatted.ok) {
    formatted.text = laid_out(compiler.columns());
    return formatted;
  }
  compiler.compile(source, compilation);
  const Diagnostic error = syntax_error(compiler, compilation);
  formatted.diagnostics = std::move(compilation.diagnostics);
  // Errors about names are ignored, since no modules were loaded.
  std::erase_if(formatted.diagnostics, [](const Diagnostic& d) { return !is_of_syntax(d.code()); });
  if (formatted.diagnostics.empty() && error.code() != DiagnosticCode::None)
    formatted.diagnostics.push_back(error);
  return formatted;
}

}  // namespace komuz::services
