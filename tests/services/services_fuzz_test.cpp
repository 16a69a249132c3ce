// SPDX-License-Identifier: Apache-2.0
// Questions at any place of any text: there is always an answer, or none. KOMUZ_SEEDS is the number of texts; a
// failure is a crash, or a place outside of the text. Habits of other languages are also asked for their edits:
// unchanged, behind blanks, and cut off. Each edit is made by itself, and all of them together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/random.h"
#include "engine/candidates/load_modules.h"
#include "mend/mend.h"
#include "mend/standard_uses.h"
#include "services/apply_edits.h"
#include "services/complete.h"
#include "services/definition.h"
#include "services/editor/call_hierarchy.h"
#include "services/editor/folding.h"
#include "services/editor/format_range.h"
#include "services/editor/head_lines.h"
#include "services/editor/head_words.h"
#include "services/editor/indentation.h"
#include "services/editor/inlay_hints.h"
#include "services/editor/outline.h"
#include "services/editor/rename.h"
#include "services/editor/selection_ranges.h"
#include "services/editor/token_kinds.h"
#include "services/editor/type_definition.h"
#include "services/editor/unimported_names.h"
#include "services/hover.h"
#include "services/refactor/organize_uses.h"
#include "services/refactor/refactor.h"
#include "services/references.h"
#include "services/signature.h"
#include "services/variants/ranking_plan.h"
#include "tests/services/mistake_entries.h"
#include "tests/services/program_parts.h"

namespace komuz::test {
namespace {

using services::Analysis;

constexpr std::string_view kPieces[] = {"(", ")",  "[",      "]",    "{",    "}",        ";",
                                        ",", ".",  "?",      "use ", "fn ",  "pub use ", "\"",
                                        "'", "//", "match ", "=>",   "\xFF", "\n"};

std::string damaged(std::string text, Random& random) {
  for (u32 k = random.below(4); k > 0 && !text.empty(); --k) {
    const size_t at = random.below(text.size());
    switch (random.below(4)) {
      case 0: text.erase(at, 1 + random.below(12)); break;
      case 1: text.insert(at, random.pick(kPieces)); break;
      case 2: text.resize(at); break;
      default: text.insert(at, text.substr(random.below(text.size()), 1 + random.below(40))); break;
    }
  }
  return text;
}

bool lies_outside(const services::OutlineNode& node, u32 begin, u32 end) {
  const bool is_outside = node.begin < begin || node.end > end || node.begin > node.name_begin ||
                          node.name_begin > node.name_end || node.name_end > node.end;
  return is_outside || std::ranges::any_of(node.children, [&](const services::OutlineNode& child) {
           return lies_outside(child, node.begin, node.end);
         });
}
// The same of answers about the whole text.
std::string ask_of_all(const Analysis& analysis) {
  const auto size = static_cast<u32>(analysis.text().size());
  u32 at = 0;
  for (const services::KnownToken& token : services::list_tokens(analysis)) {
    if (token.begin < at || token.begin >= token.end || token.end > size) return "token";
    at = token.end;
  }
  for (const services::OutlineNode& node : services::outline(analysis))
    if (lies_outside(node, 0, size)) return "outline " + node.name;
  at = 0;
  for (const services::Fold& fold : services::list_folds(analysis)) {
    if (fold.begin < at || fold.begin >= fold.end || fold.end > size) return "fold";
    at = fold.begin;
  }
  const services::HeadLines head = services::read_head(analysis.text());
  for (const services::HeadFinding& one : head.findings)
    if (one.begin > one.end || one.end > size || one.message.empty()) return "head finding";
  for (const services::HeadLine& line : head.lines)
    if (line.begin > line.value_begin || line.value_begin >= line.value_end ||
        line.value_end > line.end || line.end > size)
      return "head line";
  return "";
}

// Selections that do not nest are wrong.
std::string ask_for_selections(const Analysis& analysis, u32 place) {
  const auto selections = services::selections_around(analysis, place);
  const auto size = static_cast<u32>(analysis.text().size());
  if (selections.empty() || selections.back() != services::SelectionRange{0, size})
    return "selection";
  for (size_t k = 1; k < selections.size(); ++k) {
    const services::SelectionRange &inner = selections[k - 1], &outer = selections[k];
    if (inner == outer || inner.begin < outer.begin || inner.end > outer.end) return "selection";
  }
  return "";
}
// Of questions that are about texts, and compile what they need of them.
std::string ask_of_texts(const Analysis& analysis, u32 place) {
  const std::string text(analysis.text());
  const auto size = static_cast<u32>(text.size());
  if (std::string wrong = ask_for_selections(analysis, place); !wrong.empty()) return wrong;
  if (const auto head = services::list_head_words(text, place))
    if (head->begin > head->end || head->end > size) return "head";
  services::RankingSources sources;
  sources.settings.cases = "data.csv";
  const services::RankingPlan plan = services::plan_ranking(text, sources);
  const bool is_value = engine::is_value_score(plan.score);
  if (plan.problem.empty() && (plan.cases.empty() || is_value == plan.harness.empty()))
    return "ranking plan";
  u32 behind = 0;
  for (const Edit& edit : services::organize_uses(analysis)) {
    if (edit.begin < behind || edit.begin > edit.end || edit.end > size) return "organize_uses";
    behind = edit.end;
  }
  for (const services::InlayHint& hint : services::list_inlay_hints(analysis, 0, size))
    if (hint.at > size || hint.about > size || hint.text.empty()) return "hint";
  if (const auto line = services::indentation_at(text, place))
    if (line->begin > line->end || line->end > size || line->blanks > size) return "indentation";
  for (const auto& item : services::format_range(text, place, place, {}).items)
    if (item.begin > item.end || item.end > size) return "format_range";
  for (const auto& called : services::functions_called(text, *analysis.library(), place))
    if (called.places.empty()) return "called";
  const auto found = services::find_name(text, *analysis.library(), place);
  if (!found) return "";
  for (const services::NameUse& use : found->uses)
    if (text.substr(use.begin, use.end - use.begin) != found->name) return "use";
  services::TextRename rename(text, found->name, "quite_another_name_");
  Analysis own(analysis.library(), services::Examples::Tests);
  if (rename.find(own, found->begin)) return "";
  if (rename.uses().size() != found->uses.size()) return "rename";
  static_cast<void>(rename.check(own));
  return "";
}

// Empty, or what is wrong with the answers.
std::string ask_everything(Analysis& analysis, u32 place) {
  const auto size = static_cast<u32>(analysis.text().size());
  const auto is_outside = [&](u32 begin, u32 end) { return begin > end || end > size; };
  const auto hovered = services::hover(analysis, place);
  if (hovered && is_outside(hovered->begin, hovered->end)) return "hover";
  const auto definition = services::find_definition(analysis, place);
  if (definition && definition->in == services::PlaceIn::Text &&
      is_outside(definition->begin, definition->end))
    return "definition";
  for (const auto& reference : services::find_references(analysis, place))
    if (is_outside(reference.place.begin, reference.place.end)) return "reference";
  const u32 begin = std::min(place, size), end = std::min(size, begin + place % 7);
  for (const services::RefactoringRow& row : services::kRefactorings) {
    const auto edits = services::refactor(row.refactoring, analysis, begin, end);
    u32 at = 0;
    for (const Edit& edit : edits.value_or(std::vector<Edit>())) {
      if (edit.begin < at || edit.begin > edit.end || edit.end > size) return std::string(row.kind);
      at = edit.end;
    }
  }
  if (const auto call = services::call_signature(analysis, place))
    for (const auto& parameter : call->parameters)
      if (parameter.end > call->signature.size()) return "signature";
  const services::Completions completions = services::complete(analysis, place);
  if (is_outside(completions.begin, completions.end)) return "completions";
  for (const auto& one : services::list_unimported_names(analysis, completions, place))
    if (const auto edit = services::bring_name(one.module, one.completion.text, analysis.text()))
      if (is_outside(edit->begin, edit->end)) return "bring_name";
  for (const services::TextPlace& type : services::find_type_definitions(analysis, place))
    if (type.in == services::PlaceIn::Text && is_outside(type.begin, type.end)) return "type";
  return ask_of_texts(analysis, place);
}

u64 seeds_of_test() {
  const char* const wanted = std::getenv("KOMUZ_SEEDS");
  return wanted == nullptr ? 400 : std::strtoull(wanted, nullptr, 10);
}

// Empty, or what is wrong with the edits of a text.
std::string make_edits(frontend::Compiler& compiler, const std::string& text) {
  frontend::Compilation compilation, rest;
  compiler.compile(text, compilation);
  const std::string told = compilation.text.empty() ? text : compilation.text;
  for (const Diagnostic& d : compilation.diagnostics) {
    if (diagnostic_message(d, told).empty()) return "no message";
    const std::optional<Edit> edit = diagnostic_fix(d, told);
    if (!edit) continue;
    if (edit->begin > edit->end || edit->end > told.size()) return "an edit outside of the text";
    if (edit->end > text.size()) continue;
    compiler.compile(text.substr(0, edit->begin) + edit->text + text.substr(edit->end), rest);
  }
  (void)services::fix_source(compiler, text, services::FixKind::All);
  return "";
}

// What fuzzers have found with more seeds than tests have time for.
TEST(ServicesFuzz, TextsThatFailedOnce) {
  frontend::Compiler compiler({.examples = true});
  for (const std::string text :
       {"fn f() -> i64 { [0;.len() + 4].len() }\n",
        "fn f(n: i64) -> i64 { [0;.len() +  4].len() + m where m = n }\n"}) {
    ASSERT_EQ(make_edits(compiler, text), "") << text;
    frontend::Compilation compilation;
    compiler.compile(text, compilation);
    EXPECT_FALSE(compilation.ok) << text;
    EXPECT_FALSE(compilation.diagnostics.empty()) << text;
  }
}

TEST(ServicesFuzz, EditsOfAnyMistake) {
  engine::ModuleLoader loader;
  loader.load(standard_use_items());
  frontend::Compiler compiler({.examples = true, .library = &loader.library()});
  const std::vector<std::string> programs = read_mistakes();
  ASSERT_GE(programs.size(), 60u);
  for (const std::string& program : programs) {
    const size_t line = program.find('\n') + 1, half = program.size() / 2;
    for (const std::string& text :
         {"\n " + program, program.substr(0, half), "\n  " + program.substr(half),
          " " + program.substr(std::min(program.find('{') + 1, line))})
      ASSERT_EQ(make_edits(compiler, text), "") << text;
  }
  for (u64 seed = 1; seed <= seeds_of_test(); ++seed) {
    Random random(seed);
    const std::string text = damaged(random.pick(programs), random);
    ASSERT_EQ(make_edits(compiler, text), "") << "seed " << seed << "\n" << text;
  }
}

TEST(ServicesFuzz, AnyPlaceOfAnyText) {
  const u64 seeds = seeds_of_test();
  std::vector<std::string> texts;
  for (const auto& path : corpus()) texts.push_back(read_text(path));
  engine::ModuleLoader loader;
  for (const std::string& text : texts) loader.load(text);
  Analysis analysis(&loader.library());
  for (u64 seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    const std::string_view head =
        random.one_in(2) ? "" : "//! cases: a.csv\n//! score: squared\n//! top: 12\n";
    const std::string text = damaged(std::string(head) + random.pick(texts), random);
    analysis.read(text);
    ASSERT_EQ(ask_of_all(analysis), "") << "seed " << seed;
    for (u32 k = 0; k < 4; ++k) {
      const u32 place = random.below(text.size() + 2);
      ASSERT_EQ(ask_everything(analysis, place), "") << "seed " << seed << ", byte " << place;
    }
  }
}

}  // namespace
}  // namespace komuz::test
