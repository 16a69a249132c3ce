// SPDX-License-Identifier: Apache-2.0
#include "services/session/session_items.h"

#include <gtest/gtest.h>

#include "services/analysis.h"
#include "services/definition.h"
#include "services/hover.h"
#include "services/items.h"

namespace komuz::services {
namespace {

Definitions defined(const std::string& text) {
  Definitions definitions;
  frontend::Compiler compiler;
  frontend::Compilation compiled;
  compiler.compile(text, compiled);
  for (const TextItem& item : list_items(compiler, text))
    definitions.add(
        {item.form, item.name, text.substr(item.begin, item.end - item.begin), "<stdin>", 1});
  return definitions;
}

constexpr std::string_view kSession =
    "/// >>> half(1.0) == 0.5\n"
    "pub fn half(x: f64) -> f64 { quarter(x) * 2.0 }\n"
    "fn quarter(x: f64) -> f64 { x / 4.0 }\n"
    "type Road = Road(length: f64);\n"
    "use std.math.{erf};\n";

std::string behind(std::string_view text, SessionItems which = SessionItems::Named) {
  return items_behind(text, defined(std::string(kSession)), which).text;
}

TEST(SessionItems, AreThoseThatATextNeeds) {
  EXPECT_EQ(behind("fn f() -> i64 { 1 }"), "");
  EXPECT_EQ(behind("fn f(x: f64) -> f64 { half(x) }"),
            "/////// half(1.0) == 0.5\n"
            "    fn half(x: f64) -> f64 { quarter(x) * 2.0 }\n"
            "fn quarter(x: f64) -> f64 { x / 4.0 }\n");
  EXPECT_EQ(behind("fn f(r: Road) -> f64 { r.length }"), "type Road = Road(length: f64);\n");
}

TEST(SessionItems, GiveWayToThoseOfTheText) {
  EXPECT_EQ(behind("fn half(x: f64) -> f64 { x }\nfn f() -> f64 { half(1.0) }"), "");
  EXPECT_EQ(behind("type Way = Road(length: f64);\nfn f(r: Way) -> f64 { r.length }"), "");
  EXPECT_EQ(behind("use std.math.{erf};\nfn f() -> f64 { erf(1.0) }"), "");
  EXPECT_NE(behind("fn f() -> f64 { erf(1.0) }"), "");
  // A name inside of a body is none of the text's own.
  EXPECT_NE(behind("fn f() -> f64 { let half = 1.0; half }"), "");
}

TEST(SessionItems, AllAreThereForCompletion) {
  const std::string all = behind("fn quarter(x: f64) -> f64 { x }", SessionItems::All);
  EXPECT_NE(all.find("fn half"), std::string::npos);
  EXPECT_EQ(all.find("fn quarter(x: f64) -> f64 { x / 4.0 }"), std::string::npos);
  EXPECT_NE(all.find("/// >>> half"), std::string::npos);
}

TEST(SessionItems, WhatIsLeftOpenIsLeftOut) {
  const Definitions session = defined("pub fn brake(x: f64) -> f64;\n");
  EXPECT_EQ(items_behind("fn f() -> f64 { brake(1.0) }", session, SessionItems::Named).text, "");
}

TEST(SessionItems, HolesAreFoundInCodeAlone) {
  EXPECT_TRUE(has_holes("fn f() -> f64 { ?k[1.0, 2.0] }"));
  EXPECT_FALSE(has_holes("// why?\nfn f() -> bool { \"?\" == \"!\" }"));
}

TEST(SessionItems, PlacesOfAnAnalysisAreThoseOfTheItems) {
  const std::string text = "fn f(x: f64) -> f64 { half(x) }";
  const DefinitionText items =
      items_behind(text, defined(std::string(kSession)), SessionItems::All);
  Analysis analysis;
  analysis.read(text, items.text);
  const auto place = static_cast<u32>(text.find("half"));
  const auto found = find_definition(analysis, place);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->in, PlaceIn::Items);
  EXPECT_EQ(items.text.substr(found->begin, found->end - found->begin), "half");
  ASSERT_NE(items.part_at(found->begin), nullptr);
  EXPECT_EQ(items.part_at(found->begin)->definition->name, "half");
  const auto words = hover(analysis, place);
  ASSERT_TRUE(words);
  EXPECT_EQ(words->text, ">>> half(1.0) == 0.5\n");
  EXPECT_EQ(analysis.text(), text);
  EXPECT_EQ(analysis.items(), items.text);
}

}  // namespace
}  // namespace komuz::services
