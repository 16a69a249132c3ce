// SPDX-License-Identifier: Apache-2.0
// Texts that are edited again and again: what is found of the items that an edit concerns is what is found of the whole text, in
// findings, their words and fixes, and in tokens. KOMUZ_SEEDS is the number of scripts, each of them 40 edits of a text of the
// repository.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "base/random.h"
#include "mend/mend.h"
#include "services/definition.h"
#include "services/editor/finding_notes.h"
#include "services/editor/fixes.h"
#include "services/editor/type_definition.h"
#include "services/hover.h"
#include "services/quick/quick_check.h"
#include "services/quick/quick_tokens.h"
#include "services/signature.h"
#include "tests/services/program_parts.h"

namespace komuz::test {
namespace {

using services::CheckedText;
using services::KnownToken;

constexpr u32 kEdits = 40;
constexpr std::string_view kDamage[] = {"(",         ")",     "{",       "}",
                                        "[",         "\"",    "'",       "\n",
                                        "\r\n",      "?",     "?a",      "fn ",
                                        "use ",      "\xFF",  "/// >>>", "\n/// >>> ",
                                        " // total", "rec 3", "\n}\n",   "test \"a\" { }\n"};
constexpr std::string_view kTyped[] = {" ",
                                       "x",
                                       "total",
                                       " + 1",
                                       " * 2.0",
                                       "()",
                                       "{}",
                                       "[]",
                                       ";",
                                       ",",
                                       ".",
                                       "1",
                                       ".5",
                                       "-1",
                                       "f(",
                                       ")",
                                       "let a = 1;",
                                       " let b = 2.5; ",
                                       "return ",
                                       " if true { } ",
                                       "match a {",
                                       "\n",
                                       " // x",
                                       "\xC3\xA9",
                                       "min(1)",
                                       "traps",
                                       "std.math.sqrt(2.0)",
                                       "assert ",
                                       "\n// y\n",
                                       " ^ 2",
                                       " let type",
                                       " let t",
                                       "d = 2;"};

// A script of an editor's hands: they type at one place for a while, take some of it back, and go elsewhere, mostly with the text
// as it was before.
class Hands {
 public:
  Hands(std::string text, Random& random) : text_(std::move(text)), random_(random) { move(); }

  const std::string& next() {
    if (random_.below(10) == 0) {
      if (random_.below(5) != 0) text_ = before_;
      move();
    }
    switch (random_.below(12)) {
      case 0: text_.erase(at_, 1 + random_.below(3)); break;
      case 1: text_.erase(at_, text_.find('\n', at_) - at_); break;
      case 2: insert(text_.substr(random_.below(text_.size() + 1), 1 + random_.below(30))); break;
      case 3:
      case 4: insert(word()); break;
      case 5:
      case 6:
        if (at_ > 0) text_.erase(--at_, 1);
        break;
      case 7: text_ = before_; break;
      case 8: insert(random_.pick(kDamage)); break;
      default: insert(random_.pick(kTyped));
    }
    at_ = std::min(at_, text_.size());
    return text_;
  }

  // Where they are, or where they might go.
  [[nodiscard]] u32 place(Random& random) const {
    return static_cast<u32>(random.below(2) == 0 ? at_ : random.below(text_.size() + 1));
  }

 private:
  void insert(std::string_view piece) {
    text_.insert(at_, piece);
    at_ += piece.size();
  }
  // Mostly into a body, behind a statement.
  void move() {
    before_ = text_;
    at_ = random_.below(text_.size() + 1);
    if (random_.below(8) == 0) return;
    const size_t found = text_.find_first_of("{;", at_);
    if (found != std::string::npos) at_ = found + 1;
  }
  // One that stands elsewhere, as a name is used that is defined there.
  std::string word() {
    size_t begin = random_.below(text_.size() + 1);
    const auto is_word = [&](size_t k) {
      return k < text_.size() &&
             (std::isalnum(static_cast<unsigned char>(text_[k])) != 0 || text_[k] == '_');
    };
    while (begin < text_.size() && !is_word(begin)) ++begin;
    size_t end = begin;
    while (is_word(end)) ++end;
    return text_.substr(begin, end - begin);
  }

  std::string text_, before_;
  Random& random_;
  size_t at_ = 0;
};

// What an editor shows of it.
std::string shown(const CheckedText& checked, size_t size) {
  std::string out = checked.is_harness ? "harness\n" : "";
  for (const Diagnostic& d : checked.diagnostics) {
    out += std::to_string(d.begin) + "+" + std::to_string(d.length) + " " +
           std::string(diagnostic_row(d.code()).code) + " " + diagnostic_message(d, checked.text);
    for (const auto& place :
         services::related_places(d, std::string_view(checked.text).substr(0, size)))
      out += "\n  " + std::to_string(place.begin) + "-" + std::to_string(place.end) + " " +
             place.message;
    if (const auto fix = services::offered_fix(d, checked.text, size))
      out += "\n  " + fix->title + " " + std::to_string(fix->edit.begin) + "-" +
             std::to_string(fix->edit.end) + " `" + fix->edit.text + "`";
    out += "\n";
  }
  return out;
}
std::string shown(const std::vector<KnownToken>& tokens) {
  std::string out;
  for (const KnownToken& token : tokens)
    out += std::to_string(token.begin) + "-" + std::to_string(token.end) + " " +
           std::to_string(static_cast<u32>(token.kind)) + " " +
           (token.name ? std::to_string(static_cast<u32>(*token.name)) : "-") + " " +
           std::to_string(token.defines) + std::to_string(token.is_variable) +
           std::to_string(token.is_given) + "\n";
  return out;
}
// Is that what has become of a list, without what stands in the part that is new?
bool is_change(const std::vector<KnownToken>& before, const std::vector<KnownToken>& now,
               const services::QuickTokens::Change& change) {
  const size_t old_end = size_t{change.first} + change.removed,
               end = size_t{change.first} + change.added;
  if (old_end > before.size() || end > now.size() || before.size() - old_end != now.size() - end)
    return false;
  const auto are_equal = [&](size_t first, size_t last, size_t other, u32 shift) {
    std::vector<KnownToken> old(before.begin() + static_cast<std::ptrdiff_t>(first),
                                before.begin() + static_cast<std::ptrdiff_t>(last));
    for (KnownToken& token : old) {
      token.begin += shift;
      token.end += shift;
    }
    const auto at = now.begin() + static_cast<std::ptrdiff_t>(other);
    return shown(old) == shown({at, at + static_cast<std::ptrdiff_t>(old.size())});
  };
  const u32 shift = old_end == before.size() ? 0 : now[end].begin - before[old_end].begin;
  return are_equal(0, change.first, 0, 0) && are_equal(old_end, before.size(), end, shift);
}
// What is answered about a place.
std::string answers_at(const services::Analysis& analysis, u32 byte) {
  std::string out;
  const auto add_place = [&](std::string_view what, const services::TextPlace& place) {
    out += std::string(what) + " " + std::to_string(static_cast<u32>(place.in)) + place.module +
           " " + std::to_string(place.begin) + "-" + std::to_string(place.end) + "\n";
  };
  if (const auto found = services::hover(analysis, byte))
    out += std::to_string(found->begin) + "-" + std::to_string(found->end) + " " + found->kind +
           " " + found->signature + " " + found->module + " " + found->text + "\n";
  if (const auto place = services::find_definition(analysis, byte)) add_place("definition", *place);
  for (const services::TextPlace& place : services::find_type_definitions(analysis, byte))
    add_place("type", place);
  if (const auto found = services::call_signature(analysis, byte)) {
    out += found->signature + " " + std::to_string(found->active) + " " + found->module + " " +
           found->text;
    for (const auto& [begin, end] : found->parameters)
      out += " " + std::to_string(begin) + "-" + std::to_string(end);
    out += "\n";
  }
  return out;
}
// The tokens of a text for which only its own modules have been loaded.
std::string shown_alone(std::string_view text) {
  engine::ModuleLoader loader;
  loader.load(text);
  services::Analysis analysis(&loader.library());
  analysis.read(text);
  return shown(services::list_tokens(analysis));
}
// The lines of two that differ first.
std::string lines_that_differ(const std::string& quick, const std::string& whole) {
  const size_t at = static_cast<size_t>(std::ranges::mismatch(quick, whole).in1 - quick.begin());
  const auto line = [at](const std::string& text) {
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return text.substr(begin, text.find('\n', at) - begin);
  };
  return "quick: " + line(quick) + "\nwhole: " + line(whole);
}

u64 scripts_of_test() {
  const char* const wanted = std::getenv("KOMUZ_SEEDS");
  return wanted == nullptr ? 150 : std::strtoull(wanted, nullptr, 10);
}

TEST(QuickAnswers, AreThoseOfTheWholeText) {
  std::vector<std::string> texts;
  for (const auto& path : corpus())
    if (std::string text = read_text(path); text.size() > 200 && text.size() < 40000)
      texts.push_back(std::move(text));
  engine::ModuleLoader loader;
  for (const std::string& text : texts) loader.load(text);
  u64 asked = 0, quick_checks = 0, quick_lists = 0, changes = 0, answers = 0;
  const u64 scripts = scripts_of_test();
  const char* const first = std::getenv("KOMUZ_FIRST_SEED");
  const u64 begin = first == nullptr ? 1 : std::strtoull(first, nullptr, 10);
  for (u64 seed = begin; seed < begin + scripts; ++seed) {
    Random random(seed);
    Hands hands(random.pick(texts), random);
    services::QuickCheck check;
    services::QuickTokens tokens(&loader.library());
    services::Analysis own(&loader.library()), whole(&loader.library()), near(&loader.library());
    Random marks(seed);
    std::vector<KnownToken> marked;
    std::string text;
    for (u32 k = 0; k < kEdits; ++k) {
      const std::string before = text;
      text = hands.next();
      // A text may name modules that nobody named before.
      loader.load(text);
      const std::string all = shown(services::check_text(text, loader), text.size());
      const std::string few = shown(check.check(text, loader), text.size());
      ASSERT_EQ(few, all) << "seed " << seed << ", edit " << k << "\n"
                          << lines_that_differ(few, all) << "\n--- text\n"
                          << text << "\n--- before\n"
                          << before;
      whole.read(text);
      const std::vector<KnownToken>& listed = tokens.list(text, own);
      if (tokens.change()) {
        ASSERT_TRUE(is_change(marked, listed, *tokens.change()))
            << "what has become of the tokens, seed " << seed << ", edit " << k;
        ++changes;
      }
      if (k == 0 || marks.below(4) == 0) {
        tokens.mark();
        marked = listed;
      }
      const u32 place = hands.place(marks);
      if (const auto around = check.text_around(text, place)) {
        near.read_part(around->text, around->has_errors);
        const std::string few_answers = answers_at(near, place),
                          all_answers = answers_at(whole, place);
        ASSERT_EQ(few_answers, all_answers)
            << "answers at " << place << ", seed " << seed << ", edit " << k << "\n"
            << lines_that_differ(few_answers, all_answers) << "\n--- text\n"
            << text;
        answers += !all_answers.empty();
      }
      const std::string all_tokens = shown(services::list_tokens(whole));
      const std::string few_tokens = shown(listed);
      ASSERT_TRUE(few_tokens == all_tokens)
          << "tokens, seed " << seed << ", edit " << k << "\n"
          << lines_that_differ(few_tokens, all_tokens) << "\n--- text\n"
          << text << "\n--- before\n"
          << before;
      if (k % 20 == 19) {
        ASSERT_TRUE(all_tokens == shown_alone(text))
            << "tokens of a session of its own, seed " << seed << ", edit " << k << "\n--- text\n"
            << text;
      }
      ++asked;
    }
    quick_checks += check.quick();
    quick_lists += tokens.quick();
  }
  std::printf("%llu edits: %llu checked and %llu listed by a part of the text\n",
              static_cast<unsigned long long>(asked), static_cast<unsigned long long>(quick_checks),
              static_cast<unsigned long long>(quick_lists));
  // Otherwise the comparison says nothing.
  EXPECT_GT(quick_checks, asked / 10);
  EXPECT_GT(quick_lists, asked / 10);
  EXPECT_GT(changes, asked / 10);
  EXPECT_GT(answers, asked / 10);
}

// Without the bracket the `use` begins an item, and it did not before: nobody has loaded that module for this text.
TEST(QuickAnswers, AMendedTextUsesNoModuleThatOnlyOthersUse) {
  constexpr std::string_view kText =
      "fn f() -> f64 { 1.0 } ) use std.math;\nfn g() -> f64 { math.sqrt(2.0) }\n";
  engine::ModuleLoader loader;
  loader.load("use std.math;\n");
  loader.load(kText);
  services::Analysis analysis(&loader.library());
  analysis.read(kText);
  EXPECT_EQ(shown(services::list_tokens(analysis)), shown_alone(kText));
}

}  // namespace
}  // namespace komuz::test
