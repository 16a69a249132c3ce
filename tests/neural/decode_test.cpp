// SPDX-License-Identifier: Apache-2.0
// Decoding, with a model of random weights: its candidates are code, are as probable as they say, come as often as they
// should, and are the same on every machine.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "lang/check/check_code.h"
#include "neural/decode/decode.h"
#include "neural/decode/open_device.h"
#include "neural/decode/open_model.h"
#include "neural/decode/propose.h"
#include "neural/decode/word_scores.h"
#include "neural/tokens/read_words.h"
#include "tests/neural/random_model.h"

namespace komuz::neural {
namespace {

ModelSize model_of(u32 target) {
  return {.d = 32,
          .heads = 2,
          .ff = 32,
          .encoder_layers = 1,
          .decoder_layers = 1,
          .source = 96,
          .target = target,
          .words = 256,
          .types = 16};
}

// f(V0: i64, V1: i64, V2: bool) -> i64 with two constants, as a source.
struct Question {
  Source source{std::vector{Scalar::I64, Scalar::I64, Scalar::Bool},
                {},
                std::vector<TypedCell>{{Scalar::I64, 1000}, {Scalar::I64, 77}},
                Scalar::I64};
  WordLine line;
  Question() {
    for (const u8 word : {word_of(WordKind::Input, 0), word_of(WordKind::Input, 1), kEnd}) {
      line.types[line.count] = Scalar::I64;
      line.words[line.count++] = word;
    }
  }
};

constexpr DecodeMethod kAll[] = {DecodeMethod::Unique, DecodeMethod::Beam, DecodeMethod::Sample,
                                 DecodeMethod::Greedy};

std::vector<Candidate> ask(const Model& model, DecodeOptions options) {
  const Question question;
  return decode(model, question.source, question.line, options);
}

// What the model says of a target, word by word.
f64 log_probability(const Model& model, std::span<const u8> words) {
  const Question question;
  u8 types[96];
  for (u32 i = 0; i < question.line.count; ++i) types[i] = static_cast<u8>(question.line.types[i]);
  const EncodedSource encoded(model, question.line.view(), {types, question.line.count},
                              best_simd_level());
  PrefixBatch batch(model, encoded, 1, best_simd_level());
  Decoding prefix(question.source, model.size().target);
  u8 word = kBegin, type = 0;
  f64 sum = 0;
  for (const u8 next : words) {
    batch.step({&word, 1}, {&type, 1});
    f64 all = 0;
    prefix.allowed().for_each([&](u8 w) { all += std::exp(f64{batch.logits(0)[w]}); });
    sum += batch.logits(0)[next] - std::log(all);
    EXPECT_TRUE(prefix.feed(next));
    word = next;
    type = static_cast<u8>(prefix.top_type());
  }
  EXPECT_TRUE(prefix.is_done());
  return sum;
}

TEST(Decode, GivesSoundCandidatesThatAreAsProbableAsTheySay) {
  const Model model = random_model(model_of(96), 1);
  for (const DecodeMethod method : kAll)
    for (const f64 temperature : {0.0, 0.5, 1.0}) {
      const std::vector<Candidate> candidates =
          ask(model, {.method = method, .count = 12, .temperature = temperature, .seed = 5});
      ASSERT_FALSE(candidates.empty());
      std::set<std::vector<u8>> distinct;
      u32 times = 0;
      for (const Candidate& candidate : candidates) {
        const Question question;
        const Result<Code> code = read_words(question.source, candidate.words);
        EXPECT_FALSE(code.problem()) << words_text(candidate.words) << code.problem().text();
        EXPECT_NEAR(candidate.log_probability, log_probability(model, candidate.words), 1e-4);
        distinct.insert(candidate.words);
        times += candidate.times;
      }
      EXPECT_EQ(distinct.size(), candidates.size());
      EXPECT_EQ(times, method == DecodeMethod::Greedy ? 1u : 12u);
      const bool ranks = method == DecodeMethod::Unique || method == DecodeMethod::Beam;
      for (size_t i = 1; ranks && i < candidates.size(); ++i)
        EXPECT_LE(candidates[i].log_probability, candidates[i - 1].log_probability);
    }
}

bool same(const std::vector<Candidate>& a, const std::vector<Candidate>& b) {
  return std::ranges::equal(a, b, [](const Candidate& x, const Candidate& y) {
    return x.words == y.words && x.log_probability == y.log_probability && x.times == y.times;
  });
}

TEST(Decode, IsTheSameAtAllLevels) {
  const Model model = random_model(model_of(20), 2);
  for (const DecodeMethod method : kAll)
    for (const u64 seed : {1, 2}) {
      DecodeOptions options = {.method = method,
                               .count = 16,
                               .temperature = 0.8,
                               .nucleus = 0.95,
                               .seed = seed,
                               .level = SimdLevel::Portable};
      const std::vector<Candidate> first = ask(model, options);
      for (const SimdLevel level : kSimdLevels) {
        if (!simd_level_supported(level)) continue;
        options.level = level;
        EXPECT_TRUE(same(ask(model, options), first)) << simd_level_name(level);
      }
      options.seed += 100;
      const bool draws = method == DecodeMethod::Unique || method == DecodeMethod::Sample;
      EXPECT_EQ(same(ask(model, options), first), !draws);
    }
}

// With logits that a device calculates.
TEST(Decode, IsTheSameOnADevice) {
  const Model model = random_model(model_of(12), 2);
  const Question question;
  Result<std::unique_ptr<ModelDevice>> device =
      ModelDevice::open(emulated_model_machine(3, 2, 4, 200'000), model);
  ASSERT_FALSE(device.problem()) << device.problem().text();
  for (const DecodeMethod method : kAll) {
    const DecodeOptions options = {
        .method = method, .count = 10, .temperature = 0.8, .nucleus = 0.95, .seed = 1};
    const Result<std::vector<Candidate>> made =
        decode_on(*device.value(), model, question.source, question.line, options);
    ASSERT_FALSE(made.problem()) << made.problem().text();
    EXPECT_FALSE(made.value().empty());
    EXPECT_TRUE(same(made.value(), ask(model, options)));
  }
}

TEST(Decode, TakesNoSourceThatIsTooLong) {
  ModelSize size = model_of(12);
  size.source = 2;
  const Model model = random_model(size, 2);
  const Question question;
  Result<std::unique_ptr<ModelDevice>> device =
      ModelDevice::open(emulated_model_machine(3, 2, 4, 200'000), model);
  ASSERT_FALSE(device.problem()) << device.problem().text();
  EXPECT_TRUE(ask(model, {}).empty());
  EXPECT_TRUE(
      decode_on(*device.value(), model, question.source, question.line, {}).value().empty());
}

// All targets of a model whose targets are short, and what it says of each: every prefix is computed by itself.
std::vector<Candidate> all_targets(const Model& model) {
  const Question question;
  u8 types[96];
  for (u32 i = 0; i < question.line.count; ++i) types[i] = static_cast<u8>(question.line.types[i]);
  const EncodedSource encoded(model, question.line.view(), {types, question.line.count},
                              best_simd_level());
  struct Open {
    Decoding prefix;
    std::vector<u8> words, word_types;
    f64 log_probability;
  };
  std::vector<Open> open{{Decoding(question.source, model.size().target), {kBegin}, {0}, 0}};
  std::vector<Candidate> found;
  while (!open.empty()) {
    const Open last = std::move(open.back());
    open.pop_back();
    PrefixBatch batch(model, encoded, 1, best_simd_level());
    for (size_t i = 0; i < last.words.size(); ++i)
      batch.step({&last.words[i], 1}, {&last.word_types[i], 1});
    f64 all = 0;
    last.prefix.allowed().for_each([&](u8 w) { all += std::exp(f64{batch.logits(0)[w]}); });
    last.prefix.allowed().for_each([&](u8 word) {
      Open next = last;
      next.log_probability += batch.logits(0)[word] - std::log(all);
      next.prefix.feed(word);
      next.words.push_back(word);
      next.word_types.push_back(static_cast<u8>(next.prefix.top_type()));
      if (next.prefix.is_done())
        found.push_back({{next.words.begin() + 1, next.words.end()}, next.log_probability, 1});
      else
        open.push_back(std::move(next));
    });
  }
  std::ranges::sort(found, std::greater<>(), &Candidate::log_probability);
  return found;
}

TEST(Decode, FindsTheMostProbableTargets) {
  const Model model = random_model(model_of(4), 3);
  const std::vector<Candidate> expected = all_targets(model);
  f64 all = 0;
  for (const Candidate& candidate : expected) all += std::exp(candidate.log_probability);
  EXPECT_NEAR(all, 1, 1e-5);
  ASSERT_GT(expected.size(), 1000u);
  // So wide that no prefix is lost.
  const std::vector<Candidate> found = ask(model, {.count = 3000});
  ASSERT_EQ(found.size(), std::min<size_t>(expected.size(), 3000));
  for (u32 i = 0; i < 300; ++i)
    EXPECT_NEAR(found[i].log_probability, expected[i].log_probability, 1e-5) << i;
}

// A beam in plain words: all continuations of all prefixes, sorted, and the best of these and of what has ended are kept.
std::vector<Candidate> plain_beam(const Model& model, u32 count) {
  const Question question;
  u8 types[96];
  for (u32 i = 0; i < question.line.count; ++i) types[i] = static_cast<u8>(question.line.types[i]);
  const EncodedSource encoded(model, question.line.view(), {types, question.line.count},
                              best_simd_level());
  PrefixBatch batch(model, encoded, count, best_simd_level());
  WordScores scores(kernels(best_simd_level()), model.size().words);
  struct Prefix {
    Decoding decoding;
    std::vector<u8> words;
    f64 log_probability = 0;
    u32 from = 0;
  };
  std::vector<Prefix> open{{Decoding(question.source, model.size().target), {}}}, ended;
  std::vector<u8> words{kBegin}, word_types{0};
  const auto is_better = [](const Prefix& a, const Prefix& b) {
    return a.log_probability > b.log_probability;
  };
  while (!open.empty()) {
    batch.step(words, word_types);
    std::vector<Prefix> all = std::move(ended);
    for (u32 row = 0; row < open.size(); ++row) {
      scores.take(batch.logits(row), open[row].decoding.allowed(), 1);
      open[row].decoding.allowed().for_each([&](u8 word) {
        Prefix next = open[row];
        next.log_probability += scores.log_probability(word);
        next.decoding.feed(word);
        next.words.push_back(word);
        next.from = row;
        all.push_back(next);
      });
    }
    std::stable_sort(all.begin(), all.end(), is_better);
    if (all.size() > count) all.erase(all.begin() + count, all.end());
    open.clear();
    ended.clear();
    for (const Prefix& prefix : all) (prefix.decoding.is_done() ? ended : open).push_back(prefix);
    std::stable_sort(open.begin(), open.end(),
                     [](const Prefix& a, const Prefix& b) { return a.from < b.from; });
    words.clear();
    word_types.clear();
    std::vector<u32> from;
    for (const Prefix& prefix : open) {
      words.push_back(prefix.words.back());
      word_types.push_back(static_cast<u8>(prefix.decoding.top_type()));
      from.push_back(prefix.from);
    }
    batch.keep(from);
  }
  std::stable_sort(ended.begin(), ended.end(), is_better);
  std::vector<Candidate> candidates;
  for (const Prefix& prefix : ended)
    candidates.push_back({prefix.words, prefix.log_probability, 1});
  return candidates;
}

TEST(Decode, LeavesNothingOutThatIsAmongTheBest) {
  for (const u64 seed : {10, 11}) {
    const Model model = random_model(model_of(11), seed);
    for (const u32 count : {1u, 2u, 7u, 80u}) {
      const std::vector<Candidate> expected = plain_beam(model, count);
      ASSERT_EQ(expected.size(), count);
      EXPECT_TRUE(same(ask(model, {.count = count}), expected)) << seed << ' ' << count;
      EXPECT_TRUE(same(ask(model, {.method = DecodeMethod::Beam, .count = count}), expected));
    }
  }
}

// Draws, with and without replacement, come as often as they are probable.
TEST(Decode, DrawsByProbability) {
  const Model model = random_model(model_of(4), 4);
  const auto is_even = [](const Candidate& candidate) { return candidate.words[0] % 2 == 0; };
  f64 share = 0;
  for (const Candidate& candidate : all_targets(model))
    if (is_even(candidate)) share += std::exp(candidate.log_probability);
  ASSERT_GT(share, 0.02);
  ASSERT_LT(share, 0.98);
  constexpr u32 kDraws = 4000;
  const f64 room = 4 * std::sqrt(kDraws * share * (1 - share));
  u32 sampled = 0, first_of_unique = 0;
  for (const Candidate& candidate :
       ask(model, {.method = DecodeMethod::Sample, .count = kDraws, .temperature = 1, .seed = 9}))
    if (is_even(candidate)) sampled += candidate.times;
  EXPECT_NEAR(sampled, kDraws * share, room);
  for (u64 seed = 0; seed < kDraws; ++seed)
    first_of_unique += is_even(ask(model, {.count = 1, .temperature = 1, .seed = seed})[0]) ? 1 : 0;
  EXPECT_NEAR(first_of_unique, kDraws * share, room);
}

// The file that the variable names is the only one that is looked for.
TEST(OpenModel, SaysWhyThereIsNone) {
  setenv("KOMUZ_TEST_MODEL_FILE", "/no/such.safetensors", 1);
  EXPECT_NE(find_model("KOMUZ_TEST_MODEL_FILE").problem().message().find("cannot read"),
            std::string::npos);
  setenv("KOMUZ_TEST_MODEL_FILE", KOMUZ_SOURCE_DIR "/tests/neural/data/tiny_model.safetensors", 1);
  const Problem other = find_model("KOMUZ_TEST_MODEL_FILE").problem();
  EXPECT_EQ(other.message(), "this model was trained for other instructions than this Komuz has");
  EXPECT_FALSE(other.remedy().empty());
}

// A pipe would be waited for, as nobody writes to it.
TEST(OpenModel, IsARegularFile) {
  const std::string pipe = testing::TempDir() + "komuz_model_pipe_" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  setenv("KOMUZ_TEST_MODEL_FILE", pipe.c_str(), 1);
  const Problem problem = find_model("KOMUZ_TEST_MODEL_FILE").problem();
  unlink(pipe.c_str());
  EXPECT_EQ(problem.message(), "this is no regular file");
  EXPECT_EQ(problem.place().file, pipe);
  EXPECT_FALSE(problem.remedy().empty());
}

// From code to code: what is proposed has the types of what it may replace.
TEST(Propose, GivesCheckedCode) {
  const Model model = random_model(model_of(96), 8);
  const Question question;
  const Code lone =
      read_words(question.source,
                 std::vector<u8>{word_of(WordKind::Input, 0), word_of(WordKind::Constant, 1),
                                 operation_word({Op::Add, Scalar::I64, 0, 0}), kEnd})
          .value();
  const ModelProposals made = propose(model, lone.view(), {.count = 8});
  EXPECT_EQ(made.unwritten, Unwritten::None);
  ASSERT_EQ(made.proposals.size(), 8u);
  for (const ModelProposal& proposal : made.proposals) {
    ASSERT_EQ(proposal.code.functions.size(), 1u);
    EXPECT_EQ(proposal.code.functions[0].parameter_slots, lone.functions[0].parameter_slots);
    std::vector<Function> functions = proposal.code.functions;
    EXPECT_FALSE(check_code(proposal.code.view(), functions));
  }
}

// Candidates that are proposed on a device are those of the host.
TEST(Propose, TakesADevice) {
  const Model model = random_model(model_of(10), 8);
  const Question question;
  const Code lone =
      read_words(question.source,
                 std::vector<u8>{word_of(WordKind::Input, 0), word_of(WordKind::Input, 1),
                                 operation_word({Op::Add, Scalar::I64, 0, 0}), kEnd})
          .value();
  Result<std::unique_ptr<ModelDevice>> device =
      ModelDevice::open(emulated_model_machine(3, 4, 4, 200'000), model);
  ASSERT_FALSE(device.problem()) << device.problem().text();
  const ModelProposals here = propose(model, lone.view(), {.count = 6}),
                       there = propose(model, lone.view(), {.count = 6}, device.value().get());
  EXPECT_FALSE(there.problem) << there.problem.text();
  ASSERT_EQ(here.proposals.size(), 6u);
  ASSERT_EQ(there.proposals.size(), 6u);
  for (u32 i = 0; i < 6; ++i)
    EXPECT_EQ(here.proposals[i].candidate.words, there.proposals[i].candidate.words);
}

// On a GPU with the model that comes with Komuz; where there is none, why.
TEST(CudaDecode, GivesTheCandidatesOfTheHost) {
  const Result<const Model*> model = open_model();
  ASSERT_FALSE(model.problem()) << model.problem().text();
  Result<OpenedModelDevice> opened = open_model_device(*model.value());
  if (opened.problem()) GTEST_SKIP() << "no GPU: " << opened.problem().text();
  const Question question;
  for (const DecodeMethod method : kAll)
    for (const u32 count : {1u, 16u, 300u, 1000u}) {
      const DecodeOptions options = {
          .method = method, .count = count, .temperature = 0.9, .nucleus = 0.95, .seed = count};
      const Result<std::vector<Candidate>> made = decode_on(
          *opened.value().device, *model.value(), question.source, question.line, options);
      ASSERT_FALSE(made.problem()) << made.problem().text();
      EXPECT_TRUE(same(made.value(), ask(*model.value(), options))) << count;
    }
}

TEST(Decode, AStopEndsItBetweenWords) {
  const Model model = random_model(model_of(30), 6);
  std::stop_source source;
  const std::stop_token stop = source.get_token();
  EXPECT_FALSE(ask(model, {.count = 4, .stop = &stop}).empty());
  source.request_stop();
  EXPECT_TRUE(ask(model, {.count = 4, .stop = &stop}).empty());
}

TEST(Decode, TheLeastTemperatureIsNoNoise) {
  const Model model = random_model(model_of(30), 6);
  const Candidate greedy = ask(model, {.method = DecodeMethod::Greedy})[0];
  const std::vector<Candidate> drawn =
      ask(model, {.method = DecodeMethod::Sample, .count = 50, .temperature = kLeastTemperature});
  ASSERT_EQ(drawn.size(), 1u);
  EXPECT_EQ(drawn[0].words, greedy.words);
}

TEST(Decode, NarrowDrawsAreGreedy) {
  const Model model = random_model(model_of(30), 6);
  const Candidate greedy = ask(model, {.method = DecodeMethod::Greedy})[0];
  for (const auto& [temperature, nucleus] : {std::pair{0.0, 1.0}, {1.0, 1e-9}, {0.001, 1.0}}) {
    const std::vector<Candidate> drawn = ask(model, {.method = DecodeMethod::Sample,
                                                     .count = 50,
                                                     .temperature = temperature,
                                                     .nucleus = nucleus});
    ASSERT_EQ(drawn.size(), 1u);
    EXPECT_EQ(drawn[0].times, 50u);
    EXPECT_EQ(drawn[0].words, greedy.words);
  }
}

}  // namespace
}  // namespace komuz::neural
