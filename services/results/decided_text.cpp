// SPDX-License-Identifier: Apache-2.0
#include "services/results/decided_text.h"

#include <algorithm>

#include "frontend_gpu/frontend.h"
#include "frontend_gpu/view.h"
#include "services/format.h"
#include "services/item_text.h"
#include "services/snippet.h"

namespace komuz::services {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

}  // namespace

std::string statements_on_one_line(std::string_view statements) {
  // A name or a number: the content of most holes.
  if (std::ranges::all_of(statements, [](char c) { return is_word_byte(c) || c == '.'; }))
    return std::string(statements);
  // A name that the statements do not call: a recursive function would be written with a bound.
  const std::string head = "fn " + std::string(kSnippetFunction) + "() -> () {";
  constexpr std::string_view kFoot = "}";
  frontend::Compiler compiler;
  const Formatted formatted = format(compiler, head + "\n" + std::string(statements) + "\n}\n");
  std::string_view body = statements;
  if (formatted.ok) {
    const std::string_view whole = trimmed(formatted.text);
    // If it is broken into lines, it has more commas.
    if (whole.find('\n') == std::string_view::npos)
      body = trimmed(whole.substr(head.size(), whole.size() - head.size() - kFoot.size()));
  }
  static_cast<void>(compiler.identify(body));
  const frontend::Columns& c = compiler.columns();
  return on_one_line(c, {0, c.tokens});
}

std::vector<FilledHole> list_filled(const engine::VariantPlan& plan, const engine::Fill& fill) {
  std::vector<FilledHole> out;
  const std::vector<Hole>& holes = plan.sketch().holes;
  u32 behind = 0;  // nested holes are shown with the outer one
  for (u32 number = 0; number < holes.size(); ++number) {
    const Hole& hole = holes[number];
    // Decisions of a space are shown where it is expanded.
    if (hole.within != kNoSpace || hole.form == HoleForm::Free || hole.span.begin < behind)
      continue;
    behind = hole.span.end;
    // The text beside a hole belongs to the program.
    const u32 begin = fill.offset_of(hole.span.begin - 1) + 1, end = fill.offset_of(hole.span.end);
    out.push_back({number, begin, std::max(begin, end)});
  }
  return out;
}

std::vector<Decided> list_decided(const engine::VariantPlan& plan, const engine::Fill& fill,
                                  std::string_view program, const IsShownElsewhere& is_shown,
                                  size_t most) {
  std::vector<Decided> out;
  const std::vector<u32>& all = plan.program().decisions;
  size_t bytes = 0;
  std::vector<u32> shown;
  for (const FilledHole& filled : list_filled(plan, fill)) {
    if (bytes > most) break;
    const auto decision = std::ranges::find_if(all, [&](u32 d) {
      const std::vector<u32>& places = plan.decision(d).holes;
      return std::ranges::find(places, filled.hole) != places.end();
    });
    if (decision == all.end() || std::ranges::find(shown, *decision) != shown.end() ||
        (is_shown && std::ranges::any_of(plan.decision(*decision).holes, is_shown)))
      continue;
    shown.push_back(*decision);
    const Hole& hole = plan.sketch().holes[filled.hole];
    out.push_back(
        {hole.expands == kNoSpace ? hole.name : plan.sketch().spaces[hole.expands].name,
         statements_on_one_line(trimmed(program.substr(filled.begin, filled.end - filled.begin))),
         filled.hole});
    bytes += out.back().name.size() + out.back().text.size();
  }
  return out;
}

std::string decided_text(std::span<const Decided> decided) {
  std::string text;
  for (const Decided& one : decided)
    text.append(text.empty() ? "" : ", ")
        .append(one.name.empty() ? "?" : one.name)
        .append(" = ")
        .append(one.text);
  return text;
}

}  // namespace komuz::services
