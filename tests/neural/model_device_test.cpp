// SPDX-License-Identifier: Apache-2.0
// A model on a device gives the bits of the host: on the emulator with all sizes of blocks, and on a GPU where there is
// one. Without a GPU those tests say why they are skipped.
#include "neural/model/cuda/model_device.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/neural/random_model.h"

namespace komuz::neural {
namespace {

constexpr size_t kSharedBytes = 200'000;

// Inner widths of products, heads and all else are the least that there may be.
constexpr ModelSize kNarrowModel = {.d = 16,
                                    .heads = 1,
                                    .ff = 16,
                                    .encoder_layers = 1,
                                    .decoder_layers = 3,
                                    .source = 7,
                                    .target = 18,
                                    .words = 16,
                                    .types = 2};

std::vector<u8> some_words(Random& random, u32 count, u32 below) {
  std::vector<u8> words(count);
  for (u8& word : words) word = static_cast<u8>(random.below(below));
  return words;
}

std::unique_ptr<ModelDevice> open_or_fail(std::unique_ptr<ModelMachine> machine,
                                          const Model& model) {
  Result<std::unique_ptr<ModelDevice>> device = ModelDevice::open(std::move(machine), model);
  EXPECT_FALSE(device.problem()) << device.problem().text();
  return device.problem() ? nullptr : std::move(device).value();
}

// Walks of a device and of the host, whose rows are split, left out and reordered by chance, give the same bits at each
// step.
void expect_same_walk(ModelDevice& device, const Model& model, u32 steps, u32 most, u64 seed) {
  Random random(seed);
  const ModelSize& size = model.size();
  const u32 length = 1 + random.below(size.source);
  const std::vector<u8> words = some_words(random, length, size.words),
                        types = some_words(random, length, size.types);
  const EncodedSource source(model, words, types, best_simd_level());
  PrefixBatch expected(model, source, most, best_simd_level());
  Result<std::unique_ptr<DevicePrefixes>> made = device.prefixes(words, types, most);
  ASSERT_FALSE(made.problem()) << made.problem().text();
  DevicePrefixes& prefixes = *made.value();
  for (u32 step = 0; step < steps; ++step) {
    const std::vector<u8> next = some_words(random, expected.rows(), size.words),
                          next_types = some_words(random, expected.rows(), size.types);
    expected.step(next, next_types);
    prefixes.step(next, next_types);
    ASSERT_FALSE(prefixes.problem()) << prefixes.problem().text();
    ASSERT_EQ(prefixes.rows(), expected.rows());
    for (u32 row = 0; row < expected.rows(); ++row) {
      ASSERT_TRUE(std::isfinite(expected.logits(row)[0]));
      ASSERT_EQ(prefixes.logits(row).size(), size.words);
      ASSERT_EQ(std::memcmp(prefixes.logits(row).data(), expected.logits(row).data(),
                            size.words * sizeof(f32)),
                0)
          << "row " << row << " of " << expected.rows() << ", step " << step;
    }
    // Twice between two steps now and then.
    for (u32 times = random.below(3); times > 0; --times) {
      std::vector<u32> from(1 + random.below(most));
      for (u32& row : from) row = random.below(expected.rows());
      expected.keep(from);
      prefixes.keep(from);
    }
  }
}

TEST(ModelDevice, GivesTheBitsOfTheHost) {
  for (const ModelSize& size : {kOddModel, kNarrowModel}) {
    const Model model = random_model(size, 3);
    u64 seed = 10;
    // With few blocks at a time, each has many rows.
    for (const u32 warps : {1u, 2u, 4u})
      for (const u32 blocks : {1u, 3u, 5u, 100u}) {
        const auto device =
            open_or_fail(emulated_model_machine(++seed, warps, blocks, kSharedBytes), model);
        expect_same_walk(*device, model, size.d < 32 ? size.target : 5, 11, seed);
      }
  }
}

TEST(ModelDevice, FillsAllPlaces) {
  const Model model = random_model(kOddModel, 4);
  const auto device = open_or_fail(emulated_model_machine(5, 4, 2, kSharedBytes), model);
  expect_same_walk(*device, model, kOddModel.target, 3, 6);
}

TEST(ModelDevice, TakesOneSourceAfterAnother) {
  const Model model = random_model(kNarrowModel, 7);
  const auto device = open_or_fail(emulated_model_machine(8, 2, 4, kSharedBytes), model);
  for (u32 round = 0; round < 8; ++round)
    expect_same_walk(*device, model, 1 + round, 1 + 5 * round, round);
}

// Numbers that overflow, and what comes of them, are where they are on the host.
void expect_same_overflows(std::unique_ptr<ModelMachine> machine) {
  std::string bytes = random_model_bytes(kNarrowModel, 9);
  for (size_t i = bytes.size() - 4; i > bytes.size() - 8000; i -= 52) {
    const f32 large = 3e38f;
    std::memcpy(&bytes[i], &large, 4);
  }
  const Result<TensorFile> file = read_safetensors(bytes, "large");
  const Result<Model> read = read_model(file.value(), "large", kTestVocabulary);
  ASSERT_FALSE(read.problem()) << read.problem().text();
  const Model& model = read.value();
  const auto device = open_or_fail(std::move(machine), model);
  const std::vector<u8> words = {1, 2, 3}, types = {0, 1, 1};
  const EncodedSource source(model, words, types, best_simd_level());
  PrefixBatch expected(model, source, 2, best_simd_level());
  const auto prefixes = device->prefixes(words, types, 2).value();
  u32 unusual = 0;
  for (u32 step = 0; step < 6; ++step) {
    const u8 word = static_cast<u8>(step), type = 1;
    expected.step({&word, 1}, {&type, 1});
    prefixes->step({&word, 1}, {&type, 1});
    for (u32 i = 0; i < 16; ++i) {
      const f32 a = expected.logits(0)[i], b = prefixes->logits(0)[i];
      unusual += std::isfinite(a) ? 0 : 1;
      EXPECT_TRUE(std::isnan(a) ? std::isnan(b) : a == b) << a << ' ' << b;
    }
  }
  EXPECT_GT(unusual, 0u);
}
TEST(ModelDevice, OverflowsAsTheHostDoes) {
  expect_same_overflows(emulated_model_machine(1, 1, 4, kSharedBytes));
}

TEST(ModelDevice, SaysThatAModelIsTooWide) {
  const Model model = random_model(kOddModel, 1);
  const Problem problem = ModelDevice::open(emulated_model_machine(1, 1, 1, 2000), model).problem();
  EXPECT_TRUE(problem.is(ProblemKind::Device));
  EXPECT_NE(problem.message().find("too wide"), std::string::npos) << problem.message();
  EXPECT_FALSE(problem.remedy().empty());
}

// Fails at one of its calls.
class FailingMachine final : public ModelMachine {
 public:
  FailingMachine(u32 calls, u32& made)
      : calls_(calls), made_(made), machine_(emulated_model_machine(1, 1, 4, kSharedBytes)) {}
  Result<u8*> reserve(DeviceRoom room, size_t bytes) override {
    if (Problem problem = fails()) return problem;
    return machine_->reserve(room, bytes);
  }
  Result<u8*> reserve_host(HostRoom room, size_t bytes) override {
    if (Problem problem = fails()) return problem;
    return machine_->reserve_host(room, bytes);
  }
  Problem send(u8* to, const void* from, size_t bytes) override {
    return fails().then([&] { return machine_->send(to, from, bytes); });
  }
  Problem encode(const EncodeLaunch& launch, u32 rows) override {
    return fails().then([&] { return machine_->encode(launch, rows); });
  }
  Problem step(const StepLaunch& launch, u32 rows) override {
    return fails().then([&] { return machine_->step(launch, rows); });
  }
  Problem fetch(void* to, const u8* from, size_t bytes) override {
    return fails().then([&] { return machine_->fetch(to, from, bytes); });
  }
  Problem wait() override { return fails(); }
  [[nodiscard]] u32 blocks() const override { return machine_->blocks(); }
  [[nodiscard]] size_t shared_bytes() const override { return machine_->shared_bytes(); }

 private:
  Problem fails() { return made_++ == calls_ ? device_problem("it fails") : Problem(); }

  u32 calls_;
  u32& made_;
  std::unique_ptr<ModelMachine> machine_;
};

// Whatever call fails: that is said, and nothing is asked of the device afterwards.
TEST(ModelDevice, SaysWhatFails) {
  const Model model = random_model(kNarrowModel, 2);
  u32 said = 0;
  for (u32 calls = 0;; ++calls) {
    u32 made = 0;
    const Problem problem = [&]() -> Problem {
      Result<std::unique_ptr<ModelDevice>> device =
          ModelDevice::open(std::make_unique<FailingMachine>(calls, made), model);
      if (device.problem()) return device.problem();
      const std::vector<u8> words = {1, 2}, types = {0, 1};
      Result<std::unique_ptr<DevicePrefixes>> prefixes = device.value()->prefixes(words, types, 2);
      if (prefixes.problem()) return prefixes.problem();
      for (u32 step = 0; step < 3; ++step)
        prefixes.value()->step(std::span(words).first(1), std::span(types).first(1));
      if (prefixes.value()->problem()) {
        for (const f32 logit : prefixes.value()->logits(0)) EXPECT_EQ(logit, 0);
      }
      return prefixes.value()->problem();
    }();
    if (!problem) break;
    ++said;
    EXPECT_EQ(problem.message(), "it fails");
    EXPECT_EQ(made, calls + 1);
  }
  EXPECT_GT(said, 20u);
}

class CudaModel : public testing::Test {
 protected:
  void SetUp() override {
    Result<OpenedModelMachine> opened = open_model_machine();
    if (opened.problem()) GTEST_SKIP() << "no GPU: " << opened.problem().text();
    machine_ = std::move(opened.value().machine);
  }
  std::unique_ptr<ModelMachine> machine_;
};

TEST(CudaModelDoor, OpensADeviceOrSaysWhyNot) {
  const Result<OpenedModelMachine> opened = open_model_machine();
  if (opened.problem()) {
    EXPECT_TRUE(opened.problem().is(ProblemKind::Device));
    EXPECT_NE(opened.problem().message(), "");
  } else {
    EXPECT_NE(opened.value().machine, nullptr);
    EXPECT_NE(opened.value().name, "");
  }
}

TEST_F(CudaModel, GivesTheBitsOfTheHost) {
  const Model model = random_model(kOddModel, 3);
  const auto device = open_or_fail(std::move(machine_), model);
  for (u64 seed = 0; seed < 20; ++seed)
    expect_same_walk(*device, model, kOddModel.target, 1 + 7 * static_cast<u32>(seed), seed);
}
TEST_F(CudaModel, GivesTheBitsOfTheHostForTheLeastSizes) {
  const Model model = random_model(kNarrowModel, 3);
  const auto device = open_or_fail(std::move(machine_), model);
  for (u64 seed = 0; seed < 20; ++seed)
    expect_same_walk(*device, model, kNarrowModel.target, 50, seed);
}
TEST_F(CudaModel, OverflowsAsTheHostDoes) { expect_same_overflows(std::move(machine_)); }
// As many rows as need blocks of each size.
TEST_F(CudaModel, GivesTheBitsOfTheHostForManyRows) {
  const Model model = random_model(kSmallModel, 4);
  const auto device = open_or_fail(std::move(machine_), model);
  for (const u32 most : {16u, 200u, 500u, 1000u, 4096u})
    expect_same_walk(*device, model, most < 1000 ? 40 : 12, most, most);
}

}  // namespace
}  // namespace komuz::neural
