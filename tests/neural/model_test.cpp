// SPDX-License-Identifier: Apache-2.0
// The model: kernels of all instruction sets give the bits of plain loops, a model gives the logits that PyTorch gave for
// it, prefixes that are kept are what they were, and files that are no sound models are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "neural/model/model.h"
#include "tests/neural/random_model.h"

namespace komuz::neural {
namespace {

std::vector<SimdLevel> levels() {
  std::vector<SimdLevel> found;
  for (const SimdLevel level : kSimdLevels)
    if (simd_level_supported(level)) found.push_back(level);
  return found;
}

Numbers random_numbers(Random& random, size_t count) {
  Numbers numbers(count);
  for (f32& number : numbers) number = static_cast<f32>(random.below(1 << 20)) / (1 << 17) - 4.0f;
  return numbers;
}

bool same_bits(std::span<const f32> a, std::span<const f32> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(ModelKernels, MultiplyAsOneChainOfFusedSteps) {
  Random random(1);
  for (u32 round = 0; round < 40; ++round) {
    const u32 rows = 1 + random.below(21), inner = 1 + random.below(70);
    const u32 columns = kPanel * (1 + random.below(9));
    const Numbers x = random_numbers(random, rows * inner);
    const Numbers weights = random_numbers(random, size_t{inner} * columns);
    const Numbers before = random_numbers(random, rows * columns);
    for (const Finish finish : {Finish::Store, Finish::Add, Finish::Relu}) {
      Numbers expected(before.size());
      for (u32 r = 0; r < rows; ++r)
        for (u32 c = 0; c < columns; ++c) {
          f32 sum = 0;
          for (u32 k = 0; k < inner; ++k)
            sum = std::fmaf(x[r * inner + k],
                            weights[(size_t{c / kPanel} * inner + k) * kPanel + c % kPanel], sum);
          if (finish == Finish::Add) sum = before[r * columns + c] + sum;
          if (finish == Finish::Relu) sum = sum > 0 ? sum : 0;
          expected[r * columns + c] = sum;
        }
      for (const SimdLevel level : levels()) {
        Numbers out = before;
        kernels(level).multiply({.rows = x.data(),
                                 .row_stride = inner,
                                 .row_count = rows,
                                 .panels = weights.data(),
                                 .inner = inner,
                                 .columns = columns,
                                 .out = out.data(),
                                 .out_stride = columns,
                                 .finish = finish});
        EXPECT_TRUE(same_bits(out, expected))
            << simd_level_name(level) << ' ' << rows << ' ' << inner;
      }
    }
  }
}

TEST(ModelKernels, GiveExponentialsAndShares) {
  Numbers numbers(1 << 16);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = -static_cast<f32>(i) / 700.0f;
  numbers.back() = -INFINITY;
  Numbers first;
  for (const SimdLevel level : levels()) {
    Numbers made = numbers;
    kernels(level).exponentials(made.data(), static_cast<u32>(made.size()));
    for (size_t i = 0; i < made.size(); ++i) {
      const f64 exact = numbers[i] < -87 ? 0 : std::exp(f64{numbers[i]});
      ASSERT_NEAR(made[i], exact, 2e-7 * exact) << numbers[i];
    }
    if (first.empty()) first = made;
    EXPECT_TRUE(same_bits(made, first)) << simd_level_name(level);
  }
}

TEST(ModelKernels, AgreeOnRows) {
  Random random(2);
  for (u32 round = 0; round < 20; ++round) {
    const u32 rows = 1 + random.below(5), d = kPanel * (1 + random.below(8));
    const u32 count = d - random.below(kPanel);
    const Numbers x = random_numbers(random, rows * d), gain = random_numbers(random, d);
    Numbers first_norm, first_shares;
    for (const SimdLevel level : levels()) {
      Numbers normed(x.size()), shares = x;
      kernels(level).normalise(x.data(), rows, d, gain.data(), normed.data());
      kernels(level).shares(shares.data(), d, rows, count, 0.7f);
      for (u32 r = 0; r < rows; ++r) {
        f64 mean = 0, square = 0, sum = 0, all = 0;
        for (u32 i = 0; i < d; ++i) mean += x[r * d + i] / static_cast<f64>(d);
        for (u32 i = 0; i < d; ++i) square += std::pow(x[r * d + i] - mean, 2) / d;
        for (u32 i = 0; i < count; ++i) all += std::exp(0.7 * x[r * d + i]);
        for (u32 i = 0; i < d; ++i) {
          ASSERT_NEAR(normed[r * d + i], (x[r * d + i] - mean) / std::sqrt(square + 1e-5) * gain[i],
                      1e-5 * 16);
          ASSERT_NEAR(shares[r * d + i], i < count ? std::exp(0.7 * x[r * d + i]) / all : 0, 1e-6);
          sum += shares[r * d + i];
        }
        EXPECT_NEAR(sum, 1, 1e-6);
      }
      if (first_norm.empty()) first_norm = normed, first_shares = shares;
      EXPECT_TRUE(same_bits(normed, first_norm) && same_bits(shares, first_shares))
          << simd_level_name(level);
    }
  }
}

std::vector<u8> random_words(Random& random, u32 count, u32 below) {
  std::vector<u8> words(count);
  for (u8& word : words) word = static_cast<u8>(random.below(below));
  return words;
}

// The logits of all steps, of rows that are split and reordered by chance.
Numbers logits_of_a_walk(const Model& model, u32 steps, u64 seed, SimdLevel level) {
  Random random(seed);
  const ModelSize& size = model.size();
  const u32 length = 1 + random.below(size.source);
  const EncodedSource source(model, random_words(random, length, size.words),
                             random_words(random, length, size.types), level);
  PrefixBatch prefixes(model, source, 19, level);
  Numbers all;
  for (u32 step = 0; step < steps; ++step) {
    prefixes.step(random_words(random, prefixes.rows(), size.words),
                  random_words(random, prefixes.rows(), size.types));
    for (u32 row = 0; row < prefixes.rows(); ++row)
      all.insert(all.end(), prefixes.logits(row).begin(), prefixes.logits(row).end());
    std::vector<u32> from(1 + random.below(19));
    for (u32& row : from) row = random.below(prefixes.rows());
    prefixes.keep(from);
  }
  return all;
}

TEST(Model, GivesTheSameBitsAtAllLevels) {
  for (const auto& [size, steps] : {std::pair{kOddModel, kOddModel.target}, {kSmallModel, 12}}) {
    const Model model = random_model(size, 3);
    const Numbers first = logits_of_a_walk(model, steps, 4, levels().back());
    for (const f32 logit : first) ASSERT_TRUE(std::isfinite(logit));
    for (const SimdLevel level : levels())
      EXPECT_TRUE(same_bits(logits_of_a_walk(model, steps, 4, level), first))
          << simd_level_name(level);
  }
}

// A row that has been copied, moved and shared gives what it gives alone.
TEST(Model, RowsDoNotDependOnEachOther) {
  const Model model = random_model(kOddModel, 5);
  const SimdLevel level = best_simd_level();
  Random random(6);
  const EncodedSource source(model, random_words(random, 11, 80), random_words(random, 11, 9),
                             level);
  PrefixBatch batch(model, source, 8, level);
  std::vector<std::vector<u8>> words(1), types(1);
  for (u32 step = 0; step < kOddModel.target; ++step) {
    const std::vector<u8> next = random_words(random, batch.rows(), 80),
                          next_types = random_words(random, batch.rows(), 9);
    for (u32 row = 0; row < batch.rows(); ++row) {
      words[row].push_back(next[row]);
      types[row].push_back(next_types[row]);
    }
    batch.step(next, next_types);
    if (step + 1 == kOddModel.target) break;
    std::vector<u32> from(1 + random.below(8));
    for (u32& row : from) row = random.below(batch.rows());
    batch.keep(from);
    std::vector<std::vector<u8>> kept_words, kept_types;
    for (const u32 row : from) {
      kept_words.push_back(words[row]);
      kept_types.push_back(types[row]);
    }
    words = kept_words;
    types = kept_types;
  }
  for (u32 row = 0; row < batch.rows(); ++row) {
    PrefixBatch alone(model, source, 1, level);
    for (u32 step = 0; step < kOddModel.target; ++step)
      alone.step({&words[row][step], 1}, {&types[row][step], 1});
    EXPECT_TRUE(same_bits(alone.logits(0), batch.logits(row))) << row;
  }
}

const std::string kData = KOMUZ_SOURCE_DIR "/tests/neural/data/";

std::span<const u8> row_of(const TensorFile& file, const char* name, u32 row) {
  const Tensor& tensor = file.tensors.at(name);
  const std::span<const char> bytes = file.bytes_of(tensor);
  return {reinterpret_cast<const u8*>(bytes.data()) + row * tensor.shape[1], tensor.shape[1]};
}

std::string file_or(const char* variable, const std::string& other) {
  const char* const given = std::getenv(variable);
  return given != nullptr ? given : other;
}

// neural/train/train.py --dump wrote these, and check_training.py has others compared.
TEST(Model, GivesTheLogitsOfPyTorch) {
  const Result<TensorFile> dump = read_safetensors_file(
      file_or("KOMUZ_TEST_LOGITS", kData + "tiny_logits.safetensors"), 64 << 20);
  ASSERT_FALSE(dump.problem()) << dump.problem().text();
  ModelVocabulary vocabulary = kTestVocabulary;
  vocabulary.hash = std::stoull(dump.value().metadata.at("vocabulary"), nullptr, 16);
  const Result<Model> model =
      read_model_file(file_or("KOMUZ_TEST_MODEL", kData + "tiny_model.safetensors"), vocabulary);
  ASSERT_FALSE(model.problem()) << model.problem().text();
  const std::vector<u64> shape = dump.value().tensors.at("logits").shape;
  ASSERT_EQ(shape.size(), 3u);
  ASSERT_GE(shape[0], 2u);
  const std::span<const char> bytes = dump.value().bytes_of(dump.value().tensors.at("logits"));
  f64 largest = 0;
  u64 places = 0, ties = 0;
  Numbers expected;
  for (u32 n = 0; n < shape[0]; ++n) {
    std::span<const u8> source = row_of(dump.value(), "source", n);
    const u64 length = source.size() - std::count(source.begin(), source.end(), 0);
    const EncodedSource encoded(model.value(), source.first(length),
                                row_of(dump.value(), "source_types", n).first(length),
                                best_simd_level());
    PrefixBatch batch(model.value(), encoded, 1, best_simd_level());
    const std::span<const u8> words = row_of(dump.value(), "words", n),
                              types = row_of(dump.value(), "types", n);
    for (u32 step = 0; step < shape[1]; ++step) {
      batch.step(words.subspan(step, 1), types.subspan(step, 1));
      expected.resize(shape[2]);
      std::memcpy(expected.data(), &bytes[(n * shape[1] + step) * shape[2] * 4], shape[2] * 4);
      for (u32 word = 0; word < shape[2]; ++word) {
        ASSERT_NEAR(batch.logits(0)[word], expected[word], 1e-4);
        largest = std::max(largest, std::abs(f64{expected[word]}));
      }
      // What is most probable is the same word, unless two are as near as the tolerance.
      const auto best = std::ranges::max_element(batch.logits(0)) - batch.logits(0).begin();
      const auto greedy = std::ranges::max_element(expected) - expected.begin();
      if (best != greedy) {
        ++ties;
        ASSERT_NEAR(expected[best], expected[greedy], 1e-4) << n << ' ' << step;
      }
      ++places;
    }
  }
  EXPECT_GT(largest, 1);
  EXPECT_LE(ties, places / 1000);
}

// Bytes of a model, changed; why it is refused.
struct ModelDamage {
  std::string_view from, to, why;
};
constexpr ModelDamage kModelDamages[] = {
    {R"("komuz.model":"1")", R"("komuz.model":"2")", "another version of models"},
    {R"("komuz.model":"1")", R"("komuz.modem":"1")", "does not say `komuz.model`"},
    {"0123456789abcdef", "0123456789abcdee", "trained for other instructions"},
    {"0123456789abcdef", "0123456789abcdeg", "does not say its `vocabulary`"},
    {R"("d":"96")", R"("d":"80")", "no multiples of 16"},
    {R"("d":"96")", R"("d":"00")", "no number from 1 to 1024"},
    {R"("d":"96")", R"("d":"64")", "another shape than its sizes say"},
    {R"("heads":"2")", R"("heads":"0")", "no number from 1 to 64"},
    {R"("heads":"2")", R"("heads":"4")", "no multiples of 16"},
    {R"("ff":"112")", R"("ff":"-12")", "no number from 1 to 4096"},
    {R"("ff":"112")", R"("fg":"112")", "does not say `ff`"},
    {R"("decoder_layers":"2")", R"("decoder_layers":"3")", "no tensor `decoder.2.self_norm`"},
    {R"("encoder_layers":"2")", R"("encoder_layers":"1")", "tensors that belong nowhere"},
    {R"("words":"80")", R"("words":"64")", "another shape"},
    {R"("encoder_norm")", R"("encoder_worm")", "no tensor `encoder_norm`"},
    {R"("F32","shape":[96])", R"("I32","shape":[96])", "numbers of type I32"},
};

TEST(Model, ThatIsDamagedIsRefused) {
  const std::string right = random_model_bytes(kOddModel, 7);
  const auto read = [](std::string bytes, const ModelVocabulary& vocabulary = kTestVocabulary) {
    const Result<TensorFile> file = read_safetensors(std::move(bytes), "m");
    EXPECT_FALSE(file.problem()) << file.problem().text();
    return read_model(file.value(), "m", vocabulary).problem();
  };
  EXPECT_FALSE(read(right));
  for (const ModelDamage& damage : kModelDamages) {
    std::string bytes = right;
    bytes.replace(bytes.find(damage.from), damage.from.size(), damage.to);
    const Problem problem = read(bytes);
    EXPECT_NE(problem.message().find(damage.why), std::string::npos)
        << damage.to << ": " << problem.message();
    EXPECT_FALSE(problem.remedy().empty());
  }
  EXPECT_NE(read(right, {.hash = kTestVocabulary.hash, .words = 81, .types = 2})
                .message()
                .find("fewer words"),
            std::string::npos);
  for (const f32 bad : {NAN, INFINITY, -INFINITY}) {
    std::string bytes = right;
    std::memcpy(&bytes[bytes.size() - 4], &bad, 4);
    EXPECT_NE(read(bytes).message().find("a weight that is not finite"), std::string::npos);
  }
}

// Whatever its bytes: refused, or a model that runs.
TEST(Model, MayHaveAnyBytes) {
  constexpr ModelSize kTiny = {.d = 16,
                               .heads = 1,
                               .ff = 16,
                               .encoder_layers = 1,
                               .decoder_layers = 1,
                               .source = 4,
                               .target = 4,
                               .words = 16,
                               .types = 2};
  const std::string right = random_model_bytes(kTiny, 8);
  Random random(9);
  u32 refused = 0, ran = 0;
  for (u32 round = 0; round < 3000; ++round) {
    std::string bytes = right;
    // Half of the changes are in the header.
    const size_t within = round % 2 == 0 ? bytes.size() - 11'000 : bytes.size();
    for (u32 n = 1 + random.below(2); n > 0; --n)
      bytes[random.below(within)] = static_cast<char>(random.next());
    const Result<TensorFile> file = read_safetensors(bytes, "m");
    if (file.problem()) continue;
    const Result<Model> model = read_model(file.value(), "m", kTestVocabulary);
    if (model.problem()) {
      ++refused;
      continue;
    }
    ++ran;
    const u8 words[] = {1, 2, 3}, types[] = {0, 1, 1};
    const EncodedSource source(model.value(), words, types, best_simd_level());
    PrefixBatch batch(model.value(), source, 1, best_simd_level());
    batch.step({words, 1}, {types, 1});
    EXPECT_EQ(batch.logits(0).size(), 16u);
  }
  EXPECT_GT(refused, 20u);
  EXPECT_GT(ran, 50u);
}

}  // namespace
}  // namespace komuz::neural
