// SPDX-License-Identifier: Apache-2.0
#include "services/analysis.h"

#include <gtest/gtest.h>

#include "services/complete.h"
#include "services/definition.h"
#include "services/hover.h"
#include "services/references.h"

namespace komuz::services {
namespace {

// The signature of what stands where the `|` is in the text.
std::string hovered(Analysis& analysis, std::string text) {
  const auto place = static_cast<u32>(text.find('|'));
  text.erase(place, 1);
  analysis.read(text);
  const auto found = hover(analysis, place);
  return found ? found->signature : "";
}

TEST(Analysis, TextsThatAreNoneHaveNoAnswers) {
  Analysis analysis;
  for (const std::string text : {"|", "|// alone", "f\xFF|", "| ", "|\n\n"})
    EXPECT_EQ(hovered(analysis, text), "") << text;
}

TEST(Analysis, APlaceBehindAWordIsTheWords) {
  Analysis analysis;
  EXPECT_EQ(hovered(analysis, "fn f(x: f64) -> f64 { x| }"), "x: f64");
  EXPECT_EQ(hovered(analysis, "fn f(x: f64) -> f64 { abs|(x) }"),
            "abs(T) -> T, T one of i32, i64, f32, f64");
  EXPECT_EQ(hovered(analysis, "fn f(x: f64) -> f64 { -|x }"), "x: f64");
  EXPECT_EQ(hovered(analysis, "fn f(x: f64) -> f64 { x } |"), "");
}

TEST(Analysis, ASnippetIsAskedByItsOwnPlaces) {
  const std::vector<SnippetName> variables = {{"speed", "f64"}};
  Analysis analysis;
  const std::string text = "let y = half(speed); y", items = "fn half(x: f64) -> f64 { x / 2.0 }\n";
  analysis.read(Snippet{text, variables, items});
  EXPECT_EQ(analysis.text(), text);
  const auto answer = hover(analysis, static_cast<u32>(text.find("speed")));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->signature, "speed: f64");
  EXPECT_EQ(text.substr(answer->begin, answer->end - answer->begin), "speed");
  EXPECT_EQ(find_definition(analysis, static_cast<u32>(text.find("speed"))), std::nullopt);
  EXPECT_EQ(find_definition(analysis, static_cast<u32>(text.find("half"))),
            (TextPlace{PlaceIn::Items, "", 3, 7}));
  EXPECT_EQ(find_definition(analysis, static_cast<u32>(text.size())),
            (TextPlace{PlaceIn::Text, "", 4, 5}));
  const auto references = find_references(analysis, 8);
  ASSERT_EQ(references.size(), 2u);
  EXPECT_FALSE(references[0].defines);
  EXPECT_TRUE(references[1].defines);
}

// The first suggestion at the `|` among those that the text knows and the language does not.
std::vector<std::string> completed(const std::string& marked,
                                   const std::vector<SnippetName>& variables,
                                   std::string_view items) {
  std::string text = marked;
  const auto place = static_cast<u32>(text.find('|'));
  text.erase(place, 1);
  Analysis analysis;
  analysis.read(Snippet{text, variables, items});
  const Completions found = complete(analysis, place);
  EXPECT_EQ(found.end, place) << marked;
  std::vector<std::string> names;
  for (const Completion& one : found.list) names.push_back(one.text);
  if (names.size() > 3) names.resize(3);
  return names;
}

TEST(Analysis, ASnippetIsCompletedWithItsVariablesAndItems) {
  using Names = std::vector<std::string>;
  const std::vector<SnippetName> variables = {{"speed", "f64"}, {"v", "Vec2"}, {"count", "i64"}};
  const std::string items =
      "type Vec2 = Vec2(x: f64, y: f64);\nfn half(x: f64) -> f64 { x / 2.0 }\n";
  EXPECT_EQ(completed("half(|", variables, items), (Names{"speed", "half", "abs"}));
  EXPECT_EQ(completed("let a = sp|", variables, items), (Names{"speed"}));
  EXPECT_EQ(completed("let own = 2; ow|", variables, items), (Names{"own"}));
  EXPECT_EQ(completed("v.|", variables, items), (Names{"x", "y"}));
  EXPECT_EQ(completed("let p: Vec2 = |", variables, items)[0], "v");
  // Names of the program that it is put into are nobody's.
  EXPECT_EQ(completed("snippet|", variables, items), Names{});
  EXPECT_EQ(completed("value_|", variables, items), Names{});
}

TEST(Analysis, ModulesThatNothingImportsAreRead) {
  using Names = std::vector<std::string>;
  const std::vector<SnippetName> variables = {{"math", "f64"}};
  EXPECT_EQ(completed("std.geom.pol|", {}, ""), (Names{"polar"}));
  EXPECT_EQ(completed("1.0 + geom.Ve|", {}, ""), (Names{"Vec2", "Vec3"}));
  EXPECT_EQ(completed("std.geo|", {}, ""), (Names{"geom"}));
  EXPECT_EQ(completed("std.nothing.|", {}, ""), Names{});
  // A name that means something is no module.
  EXPECT_EQ(completed("math.ler|", {}, ""), (Names{"lerp"}));
  EXPECT_EQ(completed("math.ler|", variables, ""), Names{});
  Analysis analysis;
  const std::string text = "use std.geom.{pol";
  analysis.read(text);
  const Completions found = complete(analysis, static_cast<u32>(text.size()));
  ASSERT_EQ(found.list.size(), 1u);
  EXPECT_EQ(found.list[0].text, "polar");
}

// Nothing is listed if a word would be no name: in comments, texts, numbers, and in place of a new name.
TEST(Analysis, SomePlacesTakeNoWord) {
  for (const char* const text : {"// spe|", "\"spe|", "\"spe|ed\"", "12|", "'s|"})
    EXPECT_TRUE(completed(text, {{"speed", "f64"}}, "").empty()) << text;
}

TEST(Analysis, AQuestionLeavesTheAnswersAboutTheTextAlone) {
  Analysis analysis;
  const std::string text = "fn f(x: f64) -> f64 { x }";
  analysis.read(text);
  const auto before = hover(analysis, 5);
  ASSERT_FALSE(complete(analysis, 23).list.empty());
  const auto behind = hover(analysis, 5);
  ASSERT_TRUE(before && behind);
  EXPECT_EQ(before->signature, behind->signature);
}

}  // namespace
}  // namespace komuz::services
