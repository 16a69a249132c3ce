// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "neural/corpus/corpus.h"
#include "neural/corpus/pair_maker.h"
#include "neural/corpus/skeleton.h"
#include "neural/corpus/splits.h"
#include "neural/corpus/vary.h"
#include "neural/decode/open_model.h"
#include "neural/equal/equality.h"
#include "neural/teacher/costs.h"
#include "neural/teacher/rewrite.h"
#include "neural/tokens/decoding.h"
#include "neural/tokens/read_words.h"
#include "neural/windows/windows.h"
#include "tests/neural/compiled.h"
#include "tests/neural/hand_written.h"

namespace komuz::neural {
namespace {

Corpus corpus_of(const CorpusOptions& options) {
  Result<Corpus> made = make_corpus(options, engine::Watch());
  EXPECT_FALSE(made.problem()) << made.problem().message();
  return std::move(made.value());
}

// The words of the first window of a function.
WordLine line_of(std::string_view text, Source& source) {
  const test::CompiledFunction compiled(text);
  const ComparedFunction f = compiled.get();
  const std::vector<CodeWindow> windows = find_code_windows(f.code, f.function);
  WordLine line;
  EXPECT_FALSE(windows.empty()) << text;
  if (windows.empty()) return line;
  const LoneWindow lone = lone_window(f.code, windows.front());
  EXPECT_EQ(write_source(lone.code.view(), source, line), Unwritten::None);
  return line;
}
WordLine line_of(std::string_view text) {
  Source source;
  return line_of(text, source);
}

// Calls act(code of a window) for each of some programs of the generator.
template <class Act>
void for_each_window(u32 programs, const Act& act) {
  const CorpusOptions options{.seed = 11};
  frontend::Compiler compiler;
  frontend::Compilation made;
  for (u32 k = 0; k < programs; ++k) {
    compiler.compile(corpus_program(options, k), made);
    ASSERT_TRUE(made.ok) << corpus_program(options, k);
    for (u32 f = 0; f < made.code.functions.size(); ++f)
      for (const CodeWindow& window : find_code_windows(made.code.view(), f))
        act(lone_window(made.code.view(), window).code.view());
  }
}

TEST(ScalarPrograms, CompileWhateverTheirFamilyAndSize) {
  frontend::Compiler compiler;
  frontend::Compilation made;
  for (u32 family = 0; family < std::size(gen::kFamilyNames); ++family) {
    u64 small = 0, large = 0;
    for (u64 seed = 0; seed < 400; ++seed)
      for (const u32 size : {2u, 5u, 12u, 40u, 120u}) {
        const std::string text =
            gen::generate_scalar_program(seed, static_cast<gen::Family>(family), size);
        EXPECT_EQ(text, gen::generate_scalar_program(seed, static_cast<gen::Family>(family), size));
        compiler.compile(text, made);
        ASSERT_TRUE(made.ok) << text;
        (size == 5 ? small : large) += size == 5 || size == 40 ? made.code.instructions.size() : 0;
      }
    EXPECT_GT(large, 2 * small) << gen::kFamilyNames[family];
  }
}

TEST(Corpus, HasTheSameBytesForAnyNumberOfThreads) {
  CorpusOptions options{.count = 3'000, .seed = 5, .threads = 1};
  const Corpus one = corpus_of(options);
  options.threads = 3;
  const Corpus three = corpus_of(options);
  EXPECT_EQ(one.size(), 3'000u);
  EXPECT_EQ(one.source, three.source);
  EXPECT_EQ(one.source_types, three.source_types);
  EXPECT_EQ(one.target, three.target);
  EXPECT_EQ(one.target_types, three.target_types);
  EXPECT_EQ(one.mask, three.mask);
  EXPECT_EQ(one.masks, three.masks);
  EXPECT_EQ(one.classes, three.classes);
  EXPECT_EQ(one.splits, three.splits);
  options.seed = 6;
  EXPECT_NE(one.source, corpus_of(options).source);
}

// The code of a pair's source, and of its target.
Result<Code> code_of(const Corpus& corpus, const CorpusOptions& options, u64 pair,
                     std::span<const u8> words) {
  Source source;
  WordLine line;
  frontend::Compiler compiler;
  frontend::Compilation made;
  compiler.compile(corpus_program(options, corpus.programs[pair]), made);
  for (u32 f = 0; f < made.code.functions.size(); ++f)
    for (const CodeWindow& window : find_code_windows(made.code.view(), f)) {
      const LoneWindow lone = lone_window(made.code.view(), window);
      if (write_source(lone.code.view(), source, line) == Unwritten::None &&
          std::ranges::equal(line.view(), corpus.source_of(pair)))
        return read_words(source, words);
    }
  return input_problem("no window of the program is the source");
}

TEST(Corpus, TargetsByTheModelAreProvedAndAtLeastAsCheapAsByRules) {
  const Result<const Model*> model = open_model();
  ASSERT_FALSE(model.problem()) << model.problem().message();
  CorpusOptions options{.count = 60, .seed = 5, .variants = 1};
  const Corpus ruled = corpus_of(options);
  options.teaching = Teaching::Model;
  options.model = model.value();
  options.candidates = 8;
  const Corpus corpus = corpus_of(options);
  EXPECT_EQ(corpus.source, ruled.source);
  EXPECT_TRUE(corpus.advantages.empty());
  for (u64 pair = 0; pair < corpus.size(); ++pair) {
    const auto source = code_of(corpus, options, pair, corpus.source_of(pair)),
               target = code_of(corpus, options, pair, corpus.target_of(pair)),
               by_rules = code_of(corpus, options, pair, ruled.target_of(pair));
    ASSERT_FALSE(source.problem() || target.problem() || by_rules.problem());
    EXPECT_LE(cost_of_code(target.value().view(), 0), cost_of_code(by_rules.value().view(), 0));
    const Result<Equality> compared =
        compare({source.value().view(), 0}, {target.value().view(), 0},
                {.fuel = FuelRule::Same, .resources = 200'000});
    ASSERT_FALSE(compared.problem());
    EXPECT_NE(compared.value().verdict, Verdict::Refuted) << words_text(corpus.target_of(pair));
  }
}

TEST(Corpus, DrawsAreWorthWhatTheyAreBetterThanTheOthersOfTheirSource) {
  const Result<const Model*> model = open_model();
  ASSERT_FALSE(model.problem()) << model.problem().message();
  // Small programs have the same words again and again, with other constants.
  CorpusOptions options{.count = 600, .seed = 5, .most_size = 8, .variants = 1, .threads = 1};
  options.model = model.value();
  options.draws = 8;
  const Corpus corpus = corpus_of(options);
  ASSERT_EQ(corpus.advantages.size(), corpus.size());
  u64 sources = 0;
  for (u64 pair = 0, next = 0; pair < corpus.size(); pair = next, ++sources) {
    f64 sum = 0, best = 0, worst = 0;
    bool is_whole = false;  // the last source may be cut short
    for (next = pair; next < corpus.size(); ++next) {
      is_whole = !std::ranges::equal(corpus.source_of(next), corpus.source_of(pair)) ||
                 corpus.programs[next] != corpus.programs[pair];
      if (is_whole) break;
      const Result<Code> source = code_of(corpus, options, next, corpus.source_of(next)),
                         target = code_of(corpus, options, next, corpus.target_of(next));
      ASSERT_FALSE(source.problem() || target.problem());
      const f64 advantage = corpus.advantages[next];
      sum += advantage;
      best = std::max(best, advantage);
      worst = std::min(worst, advantage);
      const Result<Equality> compared =
          compare({source.value().view(), 0}, {target.value().view(), 0},
                  {.fuel = FuelRule::Same, .inputs = kFirstInputs, .uses_solver = false});
      // What these inputs refute is worth less than the others.
      EXPECT_TRUE(compared.value().verdict != Verdict::Refuted || advantage < 0)
          << words_text(corpus.source_of(next)) << "\n"
          << words_text(corpus.target_of(next));
    }
    if (!is_whole) break;
    EXPECT_NEAR(sum, 0, 1e-5);
    EXPECT_GT(best, 0);
    EXPECT_LT(worst, 0);
  }
  EXPECT_GT(sources, 20u);
  options.threads = 3;
  const Corpus again = corpus_of(options);
  EXPECT_EQ(again.target, corpus.target);
  EXPECT_EQ(again.advantages, corpus.advantages);
}

TEST(Corpus, HasEachSourceOnceAndTargetsThatTheMaskAllows) {
  const Corpus corpus = corpus_of({.count = 4'000});
  std::set<std::vector<u8>> sources;
  for (u64 pair = 0; pair < corpus.size(); ++pair) {
    const std::span<const u8> source = corpus.source_of(pair), target = corpus.target_of(pair);
    std::vector<u8> key(source.begin(), source.end());
    const auto types = corpus.source_types.begin() + static_cast<i64>(pair * kMostSourceWords);
    key.insert(key.end(), types, types + static_cast<i64>(source.size()));
    EXPECT_TRUE(sources.insert(key).second) << words_text(source);
    ASSERT_FALSE(target.empty());
    EXPECT_EQ(source.back(), kEnd);
    EXPECT_EQ(target.back(), kEnd);
    for (u64 at = 0; at < target.size(); ++at) {
      const i32 row = corpus.mask[pair * kMostTargetWords + at];
      EXPECT_TRUE(corpus.masks[static_cast<u64>(row)].has(target[at])) << words_text(target);
    }
  }
  // All classes, and the splits that such programs have.
  for (const u8 size_class : std::vector<u8>{0, 1, 2})
    EXPECT_GT(std::ranges::count(corpus.classes, size_class), 200);
  EXPECT_GT(std::ranges::count(corpus.splits, static_cast<u8>(Split::Skeletons)), 100);
  EXPECT_GT(corpus.cheaper, corpus.size() / 3);
}

TEST(Corpus, EndsWhereThereAreNoMoreSources) {
  const Result<Corpus> made = make_corpus(
      {.count = 1'000'000, .least_size = 2, .most_size = 2, .families = 1, .variants = 1},
      engine::Watch());
  ASSERT_TRUE(made.problem());
  EXPECT_NE(made.problem().message().find("different sources"), std::string::npos);
  EXPECT_FALSE(made.problem().remedy().empty());
}

TEST(Corpus, IsAFileOfTensors) {
  const CorpusOptions options{.count = 100, .seed = 9};
  const Corpus corpus = corpus_of(options);
  std::string bytes;
  write_safetensors(corpus_tensors(corpus), corpus_metadata(corpus, options),
                    [&](std::string_view part) {
                      bytes += part;
                      return true;
                    });
  const Result<TensorFile> file = read_safetensors(bytes, "corpus");
  ASSERT_FALSE(file.problem()) << file.problem().message();
  EXPECT_EQ(file.value().metadata.at("komuz.corpus"), "1");
  EXPECT_EQ(file.value().metadata.at("seed"), "9");
  EXPECT_EQ(file.value().metadata.at("vocabulary").size(), 16u);
  const Tensor& source = file.value().tensors.at("source");
  EXPECT_EQ(source.shape, (std::vector<u64>{100, kMostSourceWords}));
  const std::span<const char> read = file.value().bytes_of(source);
  EXPECT_TRUE(std::equal(read.begin(), read.end(), corpus.source.begin(),
                         [](char a, u8 b) { return static_cast<u8>(a) == b; }));
  EXPECT_EQ(file.value().tensors.at("mask").type, TensorType::I32);
  EXPECT_EQ(file.value().tensors.at("masks").shape, (std::vector<u64>{corpus.masks.size(), 32}));
}

TEST(Corpus, WritingStopsWhereAPartIsNotTaken) {
  const CorpusOptions options{.count = 20};
  const Corpus corpus = corpus_of(options);
  u32 parts = 0;
  write_safetensors(corpus_tensors(corpus), corpus_metadata(corpus, options),
                    [&](std::string_view) { return ++parts < 3; });
  EXPECT_EQ(parts, 3u);
}

// Words say what the code says: of windows, of what the rules make of them, and of constants that are made anew.
TEST(Words, OfWindowsAndOfCheaperCodeAreReadBack) {
  Rewriter rewriter;
  Source source;
  WordLine line, target;
  u32 cheaper = 0, said = 0;
  for_each_window(400, [&](const CodeView& lone) {
    if (write_source(lone, source, line) != Unwritten::None) return;
    const Result<Code> again = read_words(source, line.view());
    ASSERT_FALSE(again.problem()) << again.problem().message() << words_text(line.view());
    EXPECT_EQ(again.value().instructions.size(), lone.instructions.size());
    const Code better = rewriter.rewrite(lone);
    if (!rewriter.is_cheaper()) return;
    ++cheaper;
    if (write_target(better.view(), source, target) != Unwritten::None) return;
    ++said;
    const Result<Code> read = read_words(source, target.view());
    ASSERT_FALSE(read.problem()) << read.problem().message() << words_text(target.view());
    const Result<Equality> equal =
        compare({lone, 0}, {read.value().view(), 0}, {.inputs = 200, .uses_solver = false});
    ASSERT_FALSE(equal.problem());
    EXPECT_NE(equal.value().verdict, Verdict::Refuted) << words_text(line.view()) << "\n"
                                                       << words_text(target.view());
  });
  EXPECT_GT(cheaper, 200u);
  EXPECT_GT(said, cheaper * 9 / 10);
}

TEST(Variants, HaveTheSkeletonOfTheirSource) {
  Random random(3);
  Source source, varied_source;
  WordLine line, varied;
  u32 changed = 0;
  for_each_window(400, [&](const CodeView& lone) {
    if (write_source(lone, source, line) != Unwritten::None) return;
    if (!vary(random, source, line, varied_source, varied)) return;
    ++changed;
    const Result<Code> code = read_words(varied_source, varied.view());
    ASSERT_FALSE(code.problem()) << words_text(line.view()) << "\n" << words_text(varied.view());
    EXPECT_EQ(varied.count, line.count);
  });
  EXPECT_GT(changed, 200u);
  const WordLine a = line_of("pub fn f(x: f64, y: f64) -> f64 { x * 3.5 + y * y }"),
                 b = line_of("pub fn f(a: f64, b: f64) -> f64 { a * a + 7.25 * b }"),
                 c = line_of("pub fn f(a: f32, b: f32) -> f32 { a * a + 7.25 * b }"),
                 d = line_of("pub fn f(a: f64, b: f64) -> f64 { a * a - 7.25 * b }");
  EXPECT_EQ(skeleton_hash(a), skeleton_hash(b));
  EXPECT_NE(skeleton_hash(a), skeleton_hash(c));
  EXPECT_NE(skeleton_hash(a), skeleton_hash(d));
  EXPECT_EQ(skeleton_hash(line_of("pub fn f(a: i64, b: i64) -> bool { a < b }")),
            skeleton_hash(line_of("pub fn f(x: i64, y: i64) -> bool { y > x }")));
}

// Variables change places only where neither needs the other.
TEST(Variants, KeepWhatAVariableNeeds) {
  Random random(4);
  Source source, varied_source;
  const WordLine line = line_of(
      "pub fn f(x: i64, y: i64) -> i64 { let a = x *% y; let b = a +% x; let c = y ^ x; a *% b *% "
      "c *% a *% b }",
      source);
  std::set<std::string> seen;
  for (u32 k = 0; k < 200; ++k) {
    WordLine varied;
    if (!vary(random, source, line, varied_source, varied)) continue;
    ASSERT_FALSE(read_words(varied_source, varied.view()).problem()) << words_text(varied.view());
    seen.insert(words_text(varied.view()));
  }
  EXPECT_GT(seen.size(), 4u);
}

TEST(Splits, AreByConstructAndLength) {
  EXPECT_EQ(split_of(line_of("pub fn f(a: i64, b: i64) -> i64 { if a < 3 { if b < 4 { let s = a *% "
                             "b; s *% s } else { b } } else { a } }")),
            Split::Families);
  EXPECT_EQ(split_of(line_of("pub fn f(a: i64, b: i64) -> bool { a < 3 && (if b < a { a > b *% 5 } "
                             "else { a == 9 }) }")),
            Split::Families);
  const WordLine longer = line_of(
      "pub fn f(a: i64, b: i64) -> i64 { a ^ (b & a) ^ (a | 77) ^ (b | 99) ^ (a & 1234) ^ (b & "
      "777) ^ (a | 555) ^ (b | 3333) ^ (a & 7654) ^ (b -% 8) ^ (a -% 9) ^ (a -% 1000) ^ (b -% "
      "2222) ^ (a +% 1001) ^ (b +% 2223) ^ (b +% 1001) ^ (a +% 2223) }");
  EXPECT_GT(longer.count, 64u);
  EXPECT_EQ(split_of(longer), Split::Longer);
}

TEST(HandWritten, AreAHundredFunctionsWithWords) {
  const std::vector<test::HandWritten> functions =
      test::read_hand_written(KOMUZ_SOURCE_DIR "/tests/neural/programs");
  EXPECT_EQ(functions.size(), 100u);
  for (const test::HandWritten& f : functions) {
    const std::vector<CodeWindow> windows = find_code_windows(f.code.view(), f.function);
    EXPECT_FALSE(windows.empty()) << f.name;
    for (const CodeWindow& window : windows) {
      Source source;
      WordLine line;
      const LoneWindow lone = lone_window(f.code.view(), window);
      ASSERT_EQ(write_source(lone.code.view(), source, line), Unwritten::None) << f.name;
      const Result<Code> again = read_words(source, line.view());
      ASSERT_FALSE(again.problem()) << f.name << ": " << again.problem().message();
      EXPECT_EQ(again.value().instructions, lone.code.instructions) << f.name;
    }
  }
}

}  // namespace
}  // namespace komuz::neural
