// SPDX-License-Identifier: Apache-2.0
// `depth`, `limit`, `rec`, `in`, `space`, `test` and `prop` are names wherever they are not keywords. Services that look at tokens
// alone have to know that, too.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/candidates/load_modules.h"
#include "services/complete.h"
#include "services/editor/folding.h"
#include "services/editor/item_tokens.h"
#include "services/editor/token_kinds.h"
#include "services/editor/use_links.h"
#include "services/quick/quick_tokens.h"
#include "services/refactor/organize_uses.h"
#include "services/references.h"
#include "services/session/session_items.h"
#include "services/signature.h"

namespace komuz::test {
namespace {

constexpr std::string_view kText =
    "fn depth(n: i64) -> i64 { n }\n"
    "fn test(n: i64) -> i64 {\n"
    "  [\n"
    "    depth(n), test(n - 1), 1\n"
    "  ][0]\n"
    "}\n"
    "fn f(limit: i64) -> i64 { test(limit) }\n";

void read(services::Analysis& analysis, engine::ModuleLoader& loader, std::string_view text) {
  loader.load(text);
  analysis.read(text);
}

TEST(ContextualWords, BeginNoItemWhereTheyAreNames) {
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(kText));
  std::string names;
  for (const services::TokenItem& item : services::list_token_items(lexer.columns(), kText))
    names += std::string(item.name) + " ";
  EXPECT_EQ(names, "depth test f ");
  constexpr std::string_view kItems =
      "test \"a\" { assert true; }\nspace spot() -> i64 depth 2 { 1 }\n";
  static_cast<void>(lexer.identify(kItems));
  EXPECT_EQ(services::list_token_items(lexer.columns(), kItems).size(), 2u);
}

TEST(ContextualWords, EndNoBrackets) {
  engine::ModuleLoader loader;
  services::Analysis analysis(&loader.library());
  read(analysis, loader, kText);
  u32 lists = 0;
  for (const services::Fold& fold : services::list_folds(analysis))
    lists += kText[fold.begin] == '[';
  EXPECT_EQ(lists, 1u);
  const auto call = services::call_signature(analysis, static_cast<u32>(kText.find("n - 1")));
  ASSERT_TRUE(call.has_value());
  EXPECT_EQ(call->signature, "fn test(n: i64) -> i64");
}

TEST(ContextualWords, AreNeededWhereTheyAreNamed) {
  frontend::Compiler lexer;
  const std::string kept = services::keep_items_naming(lexer, kText, {"f"}).text;
  EXPECT_NE(kept.find("fn test("), std::string::npos) << kept;
  EXPECT_EQ(kept.find("fn depth("), std::string::npos) << kept;

  engine::ModuleLoader loader;
  services::QuickTokens tokens(&loader.library());
  services::Analysis whole(&loader.library());
  static_cast<void>(tokens.list(kText, whole));
  std::string edited(kText);
  edited.insert(edited.find("test(limit)"), "depth(1) + ");
  const auto place = static_cast<u32>(edited.find("depth(1)"));
  bool is_known = false;
  for (const services::KnownToken& token : tokens.list(edited, whole))
    is_known |= token.begin == place && token.name == services::NameKind::Function;
  EXPECT_EQ(tokens.quick(), 1u);
  EXPECT_TRUE(is_known);
}

// The text with a word is answered as the text with any other name of its length.
TEST(ContextualWords, AreFoundBehindABracket) {
  constexpr std::string_view kNamed =
      "type Box = Box(@: i64, side: i64);\n"
      "pub fn sum(@: [i64]) -> i64 { let n = [@.len()][0]; (@.len() + n) }\n"
      "fn raised() -> i64 { [1, 2].map(@ => @ + 1).sum() }\n"
      "prop \"it holds\" (@: i64) { assert Box(@: 1, side: 2).@ == 1; }\n";
  const auto answers = [&](std::string_view word) {
    std::string text;
    std::vector<u32> places;
    for (const char byte : kNamed) {
      if (byte != '@') {
        text += byte;
        continue;
      }
      places.push_back(static_cast<u32>(text.size()));
      text += word;
    }
    engine::ModuleLoader loader;
    services::Analysis analysis(&loader.library());
    read(analysis, loader, text);
    EXPECT_TRUE(analysis.is_sound()) << text;
    std::string out;
    for (const u32 place : places) {
      out += std::to_string(place) + ":";
      for (const services::Reference& one : services::find_references(analysis, place))
        out += " " + std::to_string(one.place.begin);
      out += "\n";
    }
    return out;
  };
  for (const std::string_view word : {"depth", "test", "limit", "rec", "in", "space", "prop"}) {
    std::string other(word);
    other[0] = 'z';
    const std::string found = answers(word);
    EXPECT_EQ(found, answers(other)) << word;
    EXPECT_EQ(found.find(":\n"), std::string::npos) << word << "\n" << found;
  }
}

// Behind a name no value can stand, whatever the name is.
TEST(ContextualWords, AreCompletedBehindAsNamesAre) {
  constexpr std::string_view kBegin = "fn f(@: i64) -> i64 { if ";
  const auto labels = [&](std::string word, std::string_view typed) {
    std::string text = std::string(kBegin) + std::string(typed);
    for (size_t at = 0; (at = text.find('@')) != std::string::npos;) text.replace(at, 1, word);
    const auto place = static_cast<u32>(text.size());
    text += " }\nfn g() -> i64 { 1 }\n";
    engine::ModuleLoader loader;
    services::Analysis analysis(&loader.library());
    read(analysis, loader, text);
    std::vector<std::string> out;
    for (const services::Completion& one : services::complete(analysis, place).list)
      out.push_back(one.text == word ? "@" : one.text);
    std::ranges::sort(out);
    return out;
  };
  for (const std::string_view word : {"depth", "test", "limit", "rec", "space", "prop"}) {
    std::string other(word);
    other[0] = 'z';
    for (const std::string_view typed : {"@ ", "1 - @ ", "@ > 1 && @ ", "(@) "})
      EXPECT_EQ(labels(std::string(word), typed), labels(other, typed)) << word << ": " << typed;
  }
}

TEST(ContextualWords, AreNamesOfUses) {
  engine::ModuleLoader loader;
  constexpr std::string_view kUses = "use rec.depth;\nuse a.{test, limit};\n";
  frontend::Compiler lexer;
  static_cast<void>(lexer.identify(kUses));
  std::string paths;
  for (const services::UseLink& link : services::list_use_links(lexer.columns(), kUses))
    paths += link.path + " ";
  EXPECT_EQ(paths, "rec.depth a ");
  // None of it is known, so nothing goes.
  services::Analysis analysis(&loader.library());
  read(analysis, loader, kUses);
  const std::vector<Edit> edits = services::organize_uses(analysis);
  ASSERT_EQ(edits.size(), 1u);
  EXPECT_EQ(edits[0].text, "use a.{limit, test};\nuse rec.depth;");

  services::Definitions session;
  session.add(
      {services::ItemForm::Function, "depth", "fn depth(n: i64) -> i64 { n }", "<stdin>", 1});
  EXPECT_EQ(services::items_behind("use a.{depth};\nfn f() -> i64 { depth(1) }", session,
                                   services::SessionItems::Named)
                .text,
            "");
}

// Such a text would name a module that nobody has loaded for it.
TEST(ContextualWords, WhereNoItemMayBeginNoneIsSorted) {
  engine::ModuleLoader loader;
  loader.load("use std.math;\nuse std.bits;\n");
  constexpr std::string_view kMisplaced = "fn f() -> f64 { 1.0 + use std.math; use std.bits; }\n";
  services::Analysis analysis(&loader.library());
  analysis.read(kMisplaced);
  EXPECT_TRUE(services::organize_uses(analysis).empty());
}

}  // namespace
}  // namespace komuz::test
