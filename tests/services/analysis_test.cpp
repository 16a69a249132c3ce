// SPDX-License-Identifier: Apache-2.0
#include "services/analysis.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace komuz::services
