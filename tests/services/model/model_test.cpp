// SPDX-License-Identifier: Apache-2.0
// What many programs take: the paper's equations give the paper's figures, and ours what was measured. measured.jsonl is a run of
// bench/fit_model.py, of which constants.def was written; so no test takes a time.
#include "services/model/model.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "frontend_gpu/frontend.h"
#include "services/model/draw_overtaking.h"
#include "services/model/fit_constants.h"
#include "services/model/generated_programs.h"
#include "services/model/measure.h"
#include "services/model/model_text.h"

namespace komuz::test {
namespace {

using namespace services::model;

// What the issue of the model asks for, of sizes that the constants do not know.
constexpr f64 kMostError = 0.25;
const Gpu& paper_gpu() { return kGpus[0]; }

std::string text_of_file(const std::string& path) {
  std::ifstream file(std::string(KOMUZ_SOURCE_DIR) + "/" + path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}
bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
void expect_range(const Range& range, f64 low, f64 high) {
  EXPECT_DOUBLE_EQ(range.low, low);
  EXPECT_DOUBLE_EQ(range.high, high);
}
std::vector<Measurement> recorded() {
  Result<std::vector<Measurement>> read =
      read_measurements("measured.jsonl", text_of_file("tests/services/model/measured.jsonl"));
  EXPECT_EQ(read.problem().text(), "");
  return read.problem() ? std::vector<Measurement>() : std::move(read).value();
}

TEST(PaperModel, GivesThePapersFigures) {
  const Size size = {1000, 1000, 256};
  // 6.1: 150 to 700 ms for 1,000; 6.2: 300 W for as long.
  const Prediction neural = predict_by_paper(PaperWay::Neural, size, paper_gpu());
  expect_range(neural.seconds, 0.15, 0.7);
  expect_range(neural.joules, 45, 210);
  // 6.3: 1 to 12 GB.
  EXPECT_GT(neural.bytes->low, 1e9);
  EXPECT_LT(neural.bytes->high, 12e9);
  // (16) without the 10 ms of a language model: 62 to 1,504 ms a program; 6.2: 70 kJ.
  const Prediction cpu = predict_by_paper(PaperWay::Cpu, size, paper_gpu());
  expect_range(cpu.seconds, 62, 1504);
  expect_range(cpu.joules, 70'000, 70'000);
  EXPECT_FALSE(cpu.bytes.has_value());
  // (15): about 6 ms a program.
  const Prediction hybrid = predict_by_paper(PaperWay::Hybrid, size, paper_gpu());
  EXPECT_LT(hybrid.seconds.low, 6.16);
  EXPECT_GT(hybrid.seconds.high, 6.16);
  // (2): as long as one program, up to as many as there are cores; (10) grows with them.
  const Prediction few = predict_by_paper(PaperWay::Traditional, size, paper_gpu());
  expect_range(few.seconds, 0.02 + 0.05, 0.05 + 0.5);
  const Prediction many = predict_by_paper(PaperWay::Traditional, {10'001, 1000, 1}, paper_gpu());
  EXPECT_DOUBLE_EQ(many.seconds.low, 2 * 0.02 + 0.05 * 10.001);
}

TEST(PaperModel, GrowsWithTheLengthAsTheEquationsDo) {
  const auto seconds = [](u64 bytes) {
    return predict_by_paper(PaperWay::Traditional, {1, bytes, 1}, paper_gpu()).seconds.low -
           0.05 / 1000;
  };
  // Four phases of n, one of n log n, one of n².
  EXPECT_NEAR(seconds(10'000), 0.02 / 6 * (4 * 10 + 10 * 4.0 / 3 + 100), 1e-12);
  // 6.3: 20 to 200 MB for 100 programs of 10 to 100 KB.
  const Prediction small = predict_by_paper(PaperWay::Traditional, {100, 10'000, 1}, paper_gpu()),
                   large = predict_by_paper(PaperWay::Traditional, {100, 100'000, 1}, paper_gpu());
  EXPECT_DOUBLE_EQ(small.bytes->high, 20e6);
  EXPECT_DOUBLE_EQ(large.bytes->high, 200e6);
}

TEST(PaperModel, ALargerGpuTakesLessTimeAndMorePower) {
  const Gpu twice = {"twice", 20'000, 600, ""};
  const Size size = {1000, 1000, 1};
  expect_range(predict_by_paper(PaperWay::Neural, size, twice).seconds, 0.075, 0.35);
  expect_range(predict_by_paper(PaperWay::Neural, size, twice).joules, 45, 210);
}

TEST(OurModel, HalfOfTheSizesPredictTheOthers) {
  const Result<std::vector<FittedWay>> ways = fit_ways("measured.jsonl", recorded());
  ASSERT_EQ(ways.problem().text(), "");
  ASSERT_EQ(ways.value().size(), std::size(neural::kTierNames));
  for (const FittedWay& way : ways.value()) {
    SCOPED_TRACE(neural::kTierNames[static_cast<size_t>(way.constants.way)]);
    // How long a single proof takes is no matter of the size.
    const bool has_proofs = way.constants.way == neural::TierChoice::Neural;
    EXPECT_LE(has_proofs ? way.median_seconds : way.worst_seconds, kMostError);
    EXPECT_LE(way.worst_bytes, kMostError);
    EXPECT_LE(way.median_seconds, way.worst_seconds);
  }
}

TEST(OurModel, ItsConstantsAreThoseOfTheRecordedRun) {
  const std::vector<Measurement> measurements = recorded();
  const Result<std::vector<FittedWay>> ways = fit_ways("measured.jsonl", measurements);
  ASSERT_EQ(ways.problem().text(), "");
  const std::string kept = text_of_file("services/model/constants.def");
  EXPECT_TRUE(contains(kept, rows_of(ways.value()))) << rows_of(ways.value());
  EXPECT_EQ(our_machine().processor, measurements.front().processor);
  ASSERT_EQ(our_constants().size(), ways.value().size());
  for (const Measurement& measurement : measurements) {
    const Constants& constants = our_constants()[static_cast<size_t>(measurement.way)];
    EXPECT_EQ(constants.way, measurement.way);
    const OurPrediction said = predict_ours(constants, {measurement.size, 1, 10});
    EXPECT_DOUBLE_EQ(said.joules, 10 * said.seconds);
    if (measurement.way == neural::TierChoice::Neural) continue;
    EXPECT_NEAR(said.seconds / measurement.seconds, 1, kMostError);
  }
}

TEST(OurModel, ThreadsShareTheWorkAndNotTheEnergy) {
  const Size size = {1000, 1000, 256};
  const OurPrediction one = predict_ours(our_constants()[0], {size, 1, 5}),
                      two = predict_ours(our_constants()[0], {size, 2, 5});
  EXPECT_DOUBLE_EQ(one.seconds, 2 * two.seconds);
  EXPECT_DOUBLE_EQ(one.joules, two.joules);
}

TEST(FitFactors, FindsThoseOfWhichTheValuesAreMade) {
  const Terms wanted = {0.01, 0, 2e-6, 3e-8, 0, 0, 5e-12};
  std::vector<Sample> samples;
  for (const u64 programs : {10, 300, 9000})
    for (const u64 bytes : {100, 900, 4000})
      for (const u64 cases : {1, 70, 3000}) {
        const Terms counts = terms_of({programs, bytes, cases});
        samples.push_back({counts, sum_of(wanted, counts)});
      }
  const Terms found = fit_factors(samples);
  for (size_t term = 0; term < kTerms; ++term)
    EXPECT_NEAR(found[term], wanted[term], 1e-6 * wanted[term] + 1e-15) << kTermTexts[term];
}

TEST(FitFactors, AreNeverNegative) {
  std::vector<Sample> samples;
  // Falls as programs grow.
  for (const u64 bytes : {100, 200, 400, 800})
    samples.push_back({terms_of({1, bytes, 1}), 1.0 / static_cast<f64>(bytes)});
  for (const f64 factor : fit_factors(samples)) EXPECT_GE(factor, 0);
}

TEST(ReadMeasurements, SaysWhichLineIsNone) {
  const auto problem = [](std::string_view text) {
    return read_measurements("m.jsonl", text).problem().text();
  };
  const std::string line = text_of_file("tests/services/model/measured.jsonl");
  const std::string first = line.substr(0, line.find('\n') + 1);
  EXPECT_EQ(problem(first + "\n" + first), "");
  for (const char* wrong : {"{", "[]", "{\"programs\": 1}", "{\"measured\": null}"})
    EXPECT_EQ(problem(first + "\n" + wrong + "\n"),
              "m.jsonl:3: this line is no measurement of a CPU; `komuz model --measure --json` "
              "writes such lines");
  // On a GPU another one was measured.
  std::string on_gpu = first;
  on_gpu.insert(on_gpu.rfind("}}"), ", \"gpu\": {\"name\": \"a GPU\"}");
  EXPECT_TRUE(contains(problem(on_gpu), "m.jsonl:1: this line is no measurement of a CPU"));
  std::string other = first;
  const size_t at = other.find("\"processor\": \"");
  ASSERT_NE(at, other.npos);
  other.insert(at + 14, "Another ");
  EXPECT_TRUE(
      contains(problem(first + other), "m.jsonl: there are measurements of two processors"));
  EXPECT_TRUE(
      contains(fit_ways("m.jsonl", read_measurements("m.jsonl", first).value()).problem().text(),
               "14 sizes of the way `traditional` are needed, found 1; measure more of them"));
  EXPECT_EQ(fit_ways("m.jsonl", {}).problem().text(), "m.jsonl: there is no measurement");
}

TEST(GeneratedPrograms, HaveTheSizeCompileAndDiffer) {
  frontend::Compiler compiler;
  frontend::Compilation out;
  for (const u64 bytes : {kLeastProgram, u64{81}, u64{200}, u64{1000}, u64{12'345}}) {
    std::set<std::pair<u64, u64>> identities;
    for (u64 number = 0; number < 20; ++number) {
      const std::string text = generated_program(number, bytes);
      EXPECT_EQ(text.size(), bytes);
      EXPECT_EQ(text, generated_program(number, bytes));
      compiler.compile(text, out);
      EXPECT_TRUE(out.ok) << text;
      identities.insert({out.identity.low, out.identity.high});
    }
    EXPECT_EQ(identities.size(), 20u);
  }
}

TEST(Measure, RunsEveryProgramAndTakesTime) {
  const Result<Measured> made = measure({neural::TierChoice::Traditional, {20, 200, 16}, 1, 3}, {});
  ASSERT_EQ(made.problem().text(), "");
  const Measured& measured = made.value();
  EXPECT_GT(measured.low, 0);
  EXPECT_LE(measured.low, measured.median);
  EXPECT_LE(measured.median, measured.high);
  EXPECT_GT(measured.bytes, 20u * 200);
}

// Emulated devices in the place of GPUs, of which the driver says nothing.
TEST(Measure, OnDevicesItSaysWhichAndWhatTheyHad) {
  engine::Devices devices;
  for (const u32 number : {0u, 1u})
    devices.gpus.push_back(
        {std::make_unique<frontend::BatchCompiler>(frontend::emulated_device(3 + number, 2)),
         vm::emulated_warp_device(), "emulated", 4000 + number});
  class Seen final : public engine::ProgressSink {
   public:
    void on_progress(u64 done, std::optional<u64> total) override {
      EXPECT_GE(done, most);
      most = done;
      EXPECT_EQ(total, 2u * 12);
    }
    u64 most = 0;
  } seen;
  MeasuredRun run{.way = neural::TierChoice::Traditional, .size = {12, 100, 4}, .rounds = 2};
  run.devices = &devices;
  const Result<Measured> made = measure(run, {}, &seen);
  ASSERT_EQ(made.problem().text(), "");
  EXPECT_EQ(seen.most, 24u);
  ASSERT_TRUE(made.value().gpus);
  EXPECT_EQ(made.value().gpus->name, "emulated (cuda:4000) and emulated (cuda:4001)");
  EXPECT_FALSE(made.value().gpus->joules);
  EXPECT_FALSE(made.value().gpus->bytes);

  ModelReport report{.size = run.size, .gpu = &kGpus[0], .measured = made.value()};
  const std::string text = model_text(report);
  EXPECT_TRUE(
      contains(text, "Measured now, on emulated (cuda:4000) and emulated (cuda:4001) and "));
  EXPECT_TRUE(contains(text, "  the GPUs' own "));
  EXPECT_TRUE(contains(text, " not told  not told\n")) << text;
  EXPECT_TRUE(contains(text, "the driver's counters (NVML)"));
  EXPECT_TRUE(model_json(report)["measured"]["gpu"]["joules"].is_null());
  report.measured->gpus->joules = 2.5;
  report.measured->gpus->bytes = 3'000'000;
  const std::string told = model_text(report);
  EXPECT_TRUE(contains(told, " 2.5 J ") && contains(told, " 3 MB\n")) << told;
  EXPECT_EQ(model_json(report)["measured"]["gpu"]["joules"], 2.5);
  EXPECT_EQ(model_json(report)["measured"]["gpu"]["memory_bytes"], 3'000'000);

  run.way = neural::TierChoice::Hybrid;
  EXPECT_EQ(measure(run, {}).problem().text(),
            "of a GPU the traditional way is measured: cheaper code is looked for on the "
            "processor; leave `--tier` out, or give `--device cpu`");
}

TEST(Measure, RefusesWhatIsTooSmallOrTooLargeAndStops) {
  const auto problem = [](const Size& size, const std::stop_token& stop = {}) {
    return measure({neural::TierChoice::Traditional, size, 1, 1}, stop).problem();
  };
  EXPECT_EQ(
      problem({1, 79, 1}).text(),
      "`--measure` generates programs of 80 to 1,000,000 bytes; `--size` states another size");
  EXPECT_EQ(problem({10'000'000, 1000, 1}).text(),
            "`--measure` generates at most 1 GiB of programs, not 10,000,000 programs of 1,000 "
            "bytes; give a smaller `--programs` or `--size`");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(problem({1, 100, 20'000'000}).text(),
            "`--measure` generates at most 10,000,000 cases, not 20,000,000; give a smaller "
            "`--cases`");
  // A stop ends the making of programs, too.
  EXPECT_TRUE(problem({1'000'000, 1000, 10'000'000}, stop.get_token()).is(ProblemKind::Stop));
}

TEST(Overtaking, IsWhereTheTimesCross) {
  const std::vector<Overtaking> found = find_overtaking({});
  ASSERT_EQ(found.size(), 4u);
  // By the paper's equations, traditional overtakes neural: not the other way, as its table 2 says.
  ASSERT_FALSE(found[0].places.empty());
  for (const Overtaking::Place& place : found[0].places) {
    const auto seconds = [&](PaperWay way, f64 programs) {
      return predict_by_paper(way, {static_cast<u64>(programs), static_cast<u64>(place.bytes), 256},
                              paper_gpu())
          .seconds.middle();
    };
    const f64 at = place.programs;
    EXPECT_LT(seconds(PaperWay::Traditional, at), seconds(PaperWay::Neural, at));
    EXPECT_GE(seconds(PaperWay::Traditional, at - 2), seconds(PaperWay::Neural, at - 2));
  }
}

TEST(Overtaking, IsDrawnWithANoteForEachPair) {
  const std::string drawing = draw_overtaking({});
  EXPECT_EQ(drawing, draw_overtaking({}));
  EXPECT_TRUE(contains(drawing, "Where one way overtakes another"));
  for (const char* note :
       {"above the solid line the paper&#39;s GPU is faster than its neural way<",
        "above the dashed line the paper&#39;s GPU is faster than our CPU<",
        "our CPU is faster than its neural way from ", "our CPU is faster than its hybrid way "})
    EXPECT_TRUE(contains(drawing, note)) << note;
  EXPECT_TRUE(contains(drawing, "<path class=\"steps\" d=\"M"));
}

TEST(ModelText, HasThreeDigitsAndTheUnit) {
  EXPECT_EQ(seconds_text(0.01734), "17.3 ms");
  EXPECT_EQ(seconds_text(1504), "25.1 min");
  EXPECT_EQ(seconds_text(2e-11), "0.02 ns");
  EXPECT_EQ(seconds_text(1e9), "11,574 days");
  EXPECT_EQ(joules_text(70'000), "70 kJ");
  EXPECT_EQ(bytes_text(1234), "1.23 kB");
  EXPECT_EQ(bytes_text(999.7e6), "1,000 MB");
}

}  // namespace
}  // namespace komuz::test
