// SPDX-License-Identifier: Apache-2.0
// What editors ask about whole texts, on all programs of the repository: hints are right where they are written out, lines are indented as
// the formatter has them, calls are found in both directions.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "services/complete.h"
#include "services/editor/call_hierarchy.h"
#include "services/editor/call_snippet.h"
#include "services/editor/find_items.h"
#include "services/editor/find_name.h"
#include "services/editor/format_range.h"
#include "services/editor/indentation.h"
#include "services/editor/inlay_hints.h"
#include "services/editor/selection_ranges.h"
#include "services/editor/unimported_names.h"
#include "services/format.h"
#include "tests/services/program_parts.h"

namespace komuz::test {
namespace {

using services::Analysis;

TEST(InlayHints, TypesThatAreWrittenOutAreThoseThatWereMeant) {
  u32 written = 0;
  for (const auto& path : corpus()) {
    std::string text = read_text(path);
    engine::ModuleLoader loader;
    loader.load(text);
    Analysis analysis(&loader.library());
    analysis.read(text);
    if (!analysis.is_sound()) continue;
    auto hints = services::list_inlay_hints(analysis, 0, static_cast<u32>(text.size()));
    std::ranges::reverse(hints);
    for (const services::InlayHint& hint : hints) {
      // A name of a module's type may not be known here.
      if (!hint.is_code) continue;
      std::string one = text;
      one.insert(hint.at, hint.text);
      analysis.read(one);
      EXPECT_TRUE(analysis.is_sound()) << path << ": `" << hint.text << "` at byte " << hint.at;
      ++written;
      if (written % 50 == 0) break;  // enough of one text
    }
  }
  EXPECT_GT(written, 100u);
}

// A client reads each as an object in the one before it.
TEST(Selections, AreNotDeeperThanClientsRead) {
  for (const char* const bracket : {"(", "-"}) {
    std::string text = "// What it is for.\nfn deep(x: i64) -> i64 { ";
    for (u32 k = 0; k < 5000; ++k) text += bracket;
    const auto place = static_cast<u32>(text.size());
    text += "x";
    for (u32 k = 0; *bracket == '(' && k < 5000; ++k) text += ")";
    text += " }\nfn other() -> i64 { 1 }\n";
    Analysis analysis(nullptr);
    analysis.read(text);
    const auto found = services::selections_around(analysis, place);
    ASSERT_EQ(found.size(), 100u);
    EXPECT_EQ(found[0], (services::SelectionRange{place, place + 1}));
    for (size_t k = 1; k < found.size(); ++k) {
      EXPECT_LE(found[k].begin, found[k - 1].begin);
      EXPECT_GE(found[k].end, found[k - 1].end);
    }
    const auto item = static_cast<u32>(text.find("fn deep")),
               end = static_cast<u32>(text.find("\nfn o"));
    EXPECT_EQ(found[97], (services::SelectionRange{item, end}));
    EXPECT_EQ(found[98], (services::SelectionRange{0, end}));
    EXPECT_EQ(found[99], (services::SelectionRange{0, static_cast<u32>(text.size())}));
  }
}

TEST(Indentation, IsThatOfTheFormatter) {
  u32 lines = 0, same = 0;
  frontend::Compiler compiler;
  for (const auto& path : corpus()) {
    const services::Formatted formatted = services::format(compiler, read_text(path));
    if (!formatted.ok || formatted.text.size() > 20'000) continue;
    const std::string_view text = formatted.text;
    for (size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size() - 1) + 1) {
      const std::string_view line = text.substr(at, text.find('\n', at) - at);
      const size_t words = line.find_first_not_of(' ');
      if (words == std::string_view::npos) continue;
      const auto found = services::indentation_at(text, static_cast<u32>(at));
      if (!found) continue;
      ++lines;
      same += found->blanks == words;
    }
  }
  EXPECT_GT(lines, 2000u);
  // The formatter knows what comes: an operator that begins a line deep inside of others, the value behind a `=`.
  EXPECT_GT(same, lines / 100 * 97) << same << " of " << lines;
}

TEST(FormatRange, OneItemIsFormattedAsInTheWholeText) {
  frontend::Compiler compiler;
  u32 items = 0;
  for (const auto& path : corpus()) {
    std::string text = read_text(path);
    const services::Formatted whole = services::format(compiler, text);
    if (!whole.ok || text.size() > 20'000) continue;
    const auto range = services::format_range(text, 0, static_cast<u32>(text.size()), {});
    ASSERT_EQ(range.wrong.code(), DiagnosticCode::None) << path;
    for (size_t k = range.items.size(); k-- > 0;) {
      const services::FormattedItem& item = range.items[k];
      text.replace(item.begin, item.end - item.begin, item.text);
      ++items;
    }
    EXPECT_EQ(services::format(compiler, text).text, whole.text) << path;
  }
  EXPECT_GT(items, 200u);
}

TEST(CallHierarchy, WhomAnItemCallsIsCalledByIt) {
  u32 calls = 0;
  for (const auto& path : corpus()) {
    const std::string text = read_text(path);
    if (text.size() > 10'000) continue;
    engine::ModuleLoader loader;
    loader.load(text);
    const Library& library = loader.library();
    for (size_t at = text.find("fn "); at != std::string::npos; at = text.find("fn ", at + 1)) {
      const auto place = static_cast<u32>(at + 3);
      const auto item = services::call_item_at(text, place);
      if (!item) continue;
      for (const services::CalledFunction& called :
           services::functions_called(text, library, place)) {
        if (called.place.in != services::PlaceIn::Text) continue;
        const auto name = services::find_name(text, library, called.place.begin);
        ASSERT_TRUE(name) << path;
        const auto callers = services::group_by_item(text, name->uses);
        EXPECT_TRUE(std::ranges::any_of(callers,
                                        [&](const services::Calls& one) {
                                          return one.item.name_begin == item->name_begin &&
                                                 one.places == called.places;
                                        }))
            << path << ": " << item->name << " calls " << name->name;
        ++calls;
      }
    }
  }
  EXPECT_GT(calls, 50u);
}

TEST(FindItems, LettersInTheirOrderAndTheNearestFirst) {
  const auto match = [](const char* name, const char* letters) {
    return services::letters_match(name, letters);
  };
  EXPECT_EQ(match("first_fit", "first_fit"), 0u);
  EXPECT_FALSE(match("first_fit", "tif"));
  EXPECT_LT(match("first_fit", "ff"), match("buffer_fold", "ff"));
  EXPECT_LT(match("fit", "fi"), match("first_fit", "fi"));
  EXPECT_LT(match("Fit", "F"), match("fit", "F"));
  // A letter that begins a later word is no reason to miss one in this word.
  EXPECT_TRUE(match("aab_a", "aab"));
  frontend::Compiler lexer;
  std::vector<std::string> names;
  for (const services::FoundItem& item : services::find_items(
           lexer,
           "type S = | Circle(r: f64) | Square;\ntype V = V(c: S);\nfn circle() -> i64 { 1 }\n",
           "c"))
    names.push_back(item.name + " of " + item.container);
  EXPECT_EQ(names, (std::vector<std::string>{"Circle of S", "circle of "}));
}

TEST(UnimportedNames, OfAModuleThatIsUsedBehindItsName) {
  const auto listed = [](const std::string& uses) {
    engine::ModuleLoader loader;
    const std::string text = uses + "fn f(x: f64) -> f64 { smooth }\n";
    loader.load(text);
    Analysis analysis(&loader.library());
    analysis.read(text);
    const auto place = static_cast<u32>(text.find(" }"));
    std::string out;
    for (const auto& one :
         services::list_unimported_names(analysis, services::complete(analysis, place), place))
      out += one.completion.text + " ";
    return out;
  };
  EXPECT_EQ(listed(""), "smoothstep ");
  EXPECT_EQ(listed("use std.math;\n"), "math.smoothstep ");
  EXPECT_EQ(listed("use std.math.{lerp};\n"), "smoothstep ");
  EXPECT_EQ(listed("use std.math.{smoothstep};\n"), "");
}
TEST(UnimportedNames, TheirUseMakesThemMeanSomething) {
  engine::ModuleLoader loader;
  const std::string text = "use std.list.{take};\n\nfn f(x: f64) -> f64 { smooth }\n";
  loader.load(text);
  Analysis analysis(&loader.library());
  analysis.read(text);
  const auto place = static_cast<u32>(text.find(" }"));
  const services::Completions known = services::complete(analysis, place);
  const auto names = services::list_unimported_names(analysis, known, place);
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(names[0].completion.text, "smoothstep");
  const auto edit = services::bring_name(names[0].module, names[0].completion.text, text);
  ASSERT_TRUE(edit);
  std::string with = text;
  with.replace(place - 6, 6, "smoothstep(0.0, 1.0, x)");
  with.replace(edit->begin, edit->end - edit->begin, edit->text);
  loader.load(with);
  analysis.read(with);
  EXPECT_TRUE(analysis.is_sound()) << with;
  EXPECT_EQ(services::arguments_to_write(analysis.text(), known, names[0].completion),
            (std::vector<std::string>{"a", "b", "x"}));
}

}  // namespace
}  // namespace komuz::test
