// SPDX-License-Identifier: Apache-2.0
#include "services/refactor/check_proposal.h"

#include <algorithm>
#include <map>
#include <utility>

#include "services/apply_edits.h"
#include "services/harness.h"
#include "services/refactor/expression.h"
#include "services/session/session_items.h"

namespace komuz::services {
namespace {

// How often each is said, whatever its place.
using Said = std::map<std::pair<DiagnosticCode, std::string>, u32>;

// Nothing: a stop came before.
std::optional<Said> diagnose(const std::string& text, const Library* library,
                             const std::stop_token& stop) {
  frontend::Options options{.examples = true, .library = library};
  frontend::Compilation compilation;
  const auto compile = [&] {
    frontend::Compiler compiler(options);
    compiler.stop_when(stop);
    compiler.compile(text, compilation);
  };
  compile();
  if (lacks_bodies(compilation.diagnostics)) {
    options.is_harness = true;
    compile();
  }
  if (compilation.stopped) return std::nullopt;
  Said said;
  const std::string_view told =
      compilation.text.empty() ? text : std::string_view(compilation.text);
  for (const Diagnostic& d : compilation.diagnostics)
    if (d.begin <= text.size()) ++said[{d.code(), diagnostic_message(d, told)}];
  return said;
}

// Does the text name no module that the other does not? Modules are loaded for what a text names; whether others are there depends
// on what was loaded before.
bool names_only(std::string_view after, std::string_view before) {
  frontend::Compiler lexer;
  const std::vector<std::string> known = lexer.list_modules(before);
  return std::ranges::all_of(lexer.list_modules(after), [&](const std::string& path) {
    return std::ranges::find(known, path) != known.end();
  });
}

}  // namespace

bool is_proven(const Analysis& analysis, const Proposal& proposal, const std::stop_token& stop) {
  const std::string after = with_edits(analysis.text(), proposal, &TypedEdit::edit);
  if (!names_only(after, analysis.text())) return false;
  const std::optional<Said> said =
      diagnose(with_items(after, analysis.items()), analysis.library(), stop);
  if (!said) return false;
  if (!said->empty()) {
    const std::optional<Said> said_before =
        diagnose(with_items(analysis.text(), analysis.items()), analysis.library(), stop);
    if (!said_before) return false;
    for (const auto& [what, times] : *said) {
      const auto found = said_before->find(what);
      if (found == said_before->end() || found->second < times) return false;
    }
  }
  Analysis now(analysis.library());
  now.read(after, analysis.items());
  i64 moved = 0;
  for (const TypedEdit& one : proposal) {
    const auto begin = static_cast<u32>(i64{one.edit.begin} + moved);
    const auto end = static_cast<u32>(begin + one.edit.text.size());
    moved += static_cast<i64>(one.edit.text.size()) - (i64{one.edit.end} - one.edit.begin);
    if (one.type.empty()) continue;
    const std::optional<Expression> there = expression_at(now, begin, end);
    if (!there || there->type != one.type) return false;
  }
  return true;
}

}  // namespace komuz::services
