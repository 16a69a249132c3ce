// SPDX-License-Identifier: Apache-2.0
#include "engine/sketch/sketch_candidates.h"

#include <set>

#include "tests/engine/sketch/sketches.h"

namespace komuz::engine {
namespace {

using test::expression_sketch;
using test::TestSketch;

std::string many_choices() {
  std::string text = "n";
  for (u32 k = 0; k < 70; ++k) text += " + ?[0, 1]";
  return text;
}

TEST(VariantName, IsANumberOrAListOfDecisions) {
  const TestSketch few = expression_sketch("?[?[1, 2], 3] + ?[n, m]");
  const TestSketch many = expression_sketch(many_choices());
  EXPECT_EQ(variant_name(few.plan, {0, 1, 0}), "#2");
  EXPECT_EQ(variant_name(many.plan, Decisions(70, 0)).substr(0, 10), "#[0,0,0,0,");
  const std::vector<std::pair<std::string, Decisions>> read = {
      {"#2", {0, 1, 0}},       {"2", {0, 1, 0}},  {"#0", {0, 0, 0}},  {"#5", {1, 1}},
      {"#[0,1,0]", {0, 1, 0}}, {"[1,1]", {1, 1}}, {"#002", {0, 1, 0}}};
  for (const auto& [text, wanted] : read) {
    Decisions decisions;
    EXPECT_EQ(read_variant_name(few.plan, text, decisions).text(), "") << text;
    EXPECT_EQ(decisions, wanted) << text;
  }
  for (u64 n = 0; n < few.count(); ++n) {
    Decisions decisions;
    EXPECT_EQ(
        read_variant_name(few.plan, variant_name(few.plan, few.decisions(n)), decisions).text(),
        "");
    EXPECT_EQ(decisions, few.decisions(n));
  }
  Decisions decisions;
  EXPECT_EQ(
      read_variant_name(many.plan, variant_name(many.plan, Decisions(70, 1)), decisions).text(),
      "");
  EXPECT_EQ(decisions, Decisions(70, 1));
  // Of one with too many variants the first ones have numbers, too.
  EXPECT_EQ(read_variant_name(many.plan, "#1", decisions).text(), "");
  EXPECT_EQ(decisions.back(), 1u);
}

TEST(VariantName, SaysWhatIsWrong) {
  const TestSketch sketch = expression_sketch("?[?[1, 2], 3] + ?[n, m]");
  const auto problem = [&](const char* text) {
    Decisions decisions;
    return read_variant_name(sketch.plan, text, decisions).text();
  };
  EXPECT_EQ(problem("#6"), "there is no variant `#6`: the sketch has 6, from #0 on");
  EXPECT_EQ(problem("#18446744073709551616"),
            "there is no variant `#18446744073709551616`: the sketch has 6, from #0 on");
  const auto is_none = [](std::string text) {
    return "`" + text + "` is no variant; write its number, as in `#123`";
  };
  for (const char* text :
       {"", "#", "#a", "#-1", "#+1", "##1", "# 1", "#1 ", "#1.0", "#0x1", "#]", "#1]"})
    EXPECT_EQ(problem(text), is_none(text));
  for (const char* text : {"#[", "#[1"})
    EXPECT_EQ(problem(text), is_none(text) + ", or its decisions, as in `#[3,0,17]`");
  for (const char* text : {"#[1,]", "#[,1]", "#[,]", "#[1,,1]", "#[1, 1]", "#[a]", "#[-1]",
                           "#[4294967296]", "#[1;1]", "#[[1]]"})
    EXPECT_EQ(problem(text), "`" + std::string(text) +
                                 "` is no list of decisions; they are numbers, as in `#[3,0,17]`");
  const std::pair<const char*, const char*> misfits[] = {
      {"#[]", "ends too soon: number 1 is of a choice, 0 to 1"},
      {"#[1]", "ends too soon: number 2 is of a choice, 0 to 1"},
      {"#[2,0]", "does not fit: number 1 is of a choice, 0 to 1, and not 2"},
      {"#[0,0]", "ends too soon: number 3 is of a choice, 0 to 1"},
      {"#[1,0,0]", "has 3 numbers, and this variant has 2 decisions"},
      {"#[0,0,2000]", "does not fit: number 3 is of a choice, 0 to 1, and not 2,000"}};
  for (const auto& [text, wrong] : misfits)
    EXPECT_EQ(problem(text),
              "`" + std::string(text) + "` " + wrong +
                  "; `komuz sketch`, and `:variants` in a session, show the decisions");
}

TEST(VariantName, NamesTheDecisionThatDoesNotFit) {
  const TestSketch sketch(
      "fn f(n: i64) -> i64 { ?k[1, n] + ?(0..1) + ?s(n) }\n"
      "space s(x: i64) -> i64 depth 1 { x, s + 1 }\n");
  const auto problem = [&](const char* text) {
    Decisions decisions;
    return read_variant_name(sketch.plan, text, decisions)
        .text()
        .substr(std::string(text).size() + 3);
  };
  const std::string rest = "; `komuz sketch`, and `:variants` in a session, show the decisions";
  EXPECT_EQ(problem("#[4]"), "does not fit: number 1 is of `?k`, 0 to 1, and not 4" + rest);
  EXPECT_EQ(problem("#[0,1]"), "does not fit: number 2 is of a grid, only 0, and not 1" + rest);
  EXPECT_EQ(problem("#[0,0]"), "ends too soon: number 3 is of an expression of `s`, 0 to 1" + rest);
  EXPECT_EQ(problem("#[0,0,1,1]"),
            "does not fit: number 4 is of an expression of `s`, and not 1, which leads to no "
            "variant" +
                rest);
}

TEST(VariantName, NumbersEndWhereSketchesHaveTooManyVariants) {
  Decisions decisions;
  EXPECT_EQ(
      read_variant_name(expression_sketch(many_choices()).plan, "#18446744073709551616", decisions)
          .text(),
      "numbers of variants are below 2^64, and `#18446744073709551616` is not; other variants "
      "are written as their decisions, as in `#[3,0,17]`");
}

struct Row {
  std::string id, source, error;
  bool operator==(const Row&) const = default;
};
std::vector<Row> read_all(const TestSketch& sketch, const VariantChoice& choice, size_t most = 7) {
  SketchCandidates candidates(sketch.source, sketch.plan, choice);
  std::vector<Row> rows;
  for (CandidateBatch batch;; batch.clear()) {
    candidates.read(batch, most);
    if (batch.rows.empty()) return rows;
    EXPECT_LE(batch.rows.size(), most);
    for (const Candidate& row : batch.rows) {
      Decisions decisions;
      EXPECT_TRUE(decisions_of(sketch.plan, row, decisions));
      rows.push_back({std::string(row.id), row.error.empty() ? sketch.filled(decisions) : "",
                      std::string(row.error)});
    }
  }
}

TEST(SketchCandidates, AreAllVariantsInOrder) {
  const TestSketch sketch = expression_sketch("?a[?(0..9), n] + ?(0..3)");
  const std::vector<Row> rows = read_all(sketch, {});
  ASSERT_EQ(rows.size(), 30u);
  for (u64 n = 0; n < rows.size(); ++n)
    EXPECT_EQ(rows[n], (Row{"#" + std::to_string(n), sketch.filled(n), ""}));
  // As many samples as there are, or more, are all.
  EXPECT_EQ(read_all(sketch, {.samples = 30}), rows);
  EXPECT_EQ(read_all(sketch, {.samples = 1'000, .seed = 5}), rows);
}

// One of each of so many equal parts: distinct, in range, in order.
TEST(SketchCandidates, SamplesAreOneOfEachPart) {
  const TestSketch sketch = expression_sketch("?(0..100) + ?(0..97)");
  for (const u64 samples : {1, 2, 7, 1'000, 4'850, 9'699}) {
    const std::vector<Row> rows = read_all(sketch, {.samples = samples, .seed = 3}, 1'000);
    ASSERT_EQ(rows.size(), samples);
    for (u64 k = 0; k < samples; ++k) {
      const u64 number = std::stoull(rows[k].id.substr(1));
      EXPECT_GE(number, 9'700 * k / samples);
      EXPECT_LT(number, 9'700 * (k + 1) / samples);
    }
  }
}

// The parts of numbers whose products with a place have more than 64 bits.
TEST(VariantNumbers, PartsAreThoseOfWholeNumbers) {
  Random random(5);
  for (u32 round = 0; round < 20'000; ++round) {
    VariantNumbers numbers{.all = random.next() >> random.below(40), .seed = round};
    numbers.count = 1 + random.next() % std::min(numbers.all + 1, VariantNumbers::kMostSamples);
    if (random.one_in(4)) numbers.count = std::min(numbers.all, VariantNumbers::kMostSamples);
    if (numbers.count >= numbers.all) continue;
    const u64 place = random.one_in(4) ? numbers.count - 1 : random.next() % numbers.count;
    const auto start = [&](u64 part) {
      return static_cast<u64>(static_cast<u128>(numbers.all) * part / numbers.count);
    };
    const u64 number = numbers.at(place);
    ASSERT_GE(number, start(place)) << numbers.all << " " << numbers.count << " " << place;
    ASSERT_LT(number, start(place + 1)) << numbers.all << " " << numbers.count << " " << place;
  }
}

TEST(SketchCandidates, SamplesFollowFromTheSeedAlone) {
  for (const TestSketch& sketch :
       {expression_sketch("?(0..100) + ?(0..97)"), expression_sketch(many_choices())}) {
    const VariantChoice choice{.samples = 50, .seed = 3};
    const std::vector<Row> rows = read_all(sketch, choice, 50);
    EXPECT_EQ(read_all(sketch, choice, 1), rows);
    EXPECT_NE(read_all(sketch, {.samples = 50, .seed = 4}), rows);
  }
}

TEST(SketchCandidates, SamplesOfTooManyToNumberAreDistinct) {
  const TestSketch sketch = expression_sketch(many_choices());
  std::set<std::string> ids;
  for (const Row& row : read_all(sketch, {.samples = 500})) {
    EXPECT_TRUE(row.id.starts_with("#[")) << row.id;
    Decisions decisions;
    EXPECT_EQ(read_variant_name(sketch.plan, row.id, decisions).text(), "");
    EXPECT_EQ(sketch.filled(decisions), row.source);
    ids.insert(row.id);
  }
  EXPECT_EQ(ids.size(), 500u);
}

TEST(SketchCandidates, OfASketchWithoutVariantsAreNone) {
  const TestSketch sketch(
      "fn f(n: i64) -> i64 { ?s(n) }\nspace s(x: i64) -> i64 depth 3 { s + 1 }\n");
  EXPECT_TRUE(read_all(sketch, {}).empty());
  EXPECT_TRUE(read_all(sketch, {.samples = 5}).empty());
  Decisions decisions;
  EXPECT_EQ(read_variant_name(sketch.plan, "#0", decisions).text(),
            "there is no variant `#0`: the sketch has none; a space needs an alternative without "
            "its own name");
}

// Four to the sixteenth power of decisions are in most variants.
TEST(SketchCandidates, ThatNoMemoryHoldsAreNotDrawn) {
  const TestSketch sketch(
      "fn f(x: f64) -> f64 { ?s(x) }\nspace s(x: f64) -> f64 depth 16 { s + s * s + s, x }\n");
  const std::vector<Row> rows = read_all(sketch, {.samples = 3});
  ASSERT_EQ(rows.size(), 3u);
  std::set<std::string> ids;
  for (const Row& row : rows) {
    EXPECT_EQ(row.error, "") << row.id;
    ids.insert(row.id);
  }
  EXPECT_EQ(ids.size(), 3u);
  Decisions decisions;
  EXPECT_EQ(read_variant_name(sketch.plan, "#0", decisions).text(),
            "`#0` is a variant that has more than 65,536 decisions");
}

}  // namespace
}  // namespace komuz::engine
