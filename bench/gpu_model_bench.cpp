// SPDX-License-Identifier: Apache-2.0
// The model that comes with Komuz, on a GPU beside the CPU (one thread), for one window:
//
//   step/DEVICE/rows:N             a word more for each of N prefixes, of which each has 24: transfers, kernel, wait
//   encode/DEVICE                  the encoder
//   generate/DEVICE/candidates:N   N unique candidates: the encoder, all steps, and the host's work
//   host/candidates:N              what of that is the host's work: masks, scores and the choice of words
//   verified/DEVICE/candidates:N   generated, and judged (neural/optimise/judge.h). Where the prover is not there, as on the
//                                  GPU day, the judge has inputs alone
//
//   gpu_model_bench --benchmark_filter=host
#include <benchmark/benchmark.h>

#include <memory>
#include <optional>

#include "base/random.h"
#include "frontend_gpu/frontend.h"
#include "neural/decode/open_device.h"
#include "neural/decode/open_model.h"
#include "neural/decode/propose.h"
#include "neural/optimise/judge.h"
#include "neural/teacher/costs.h"
#include "neural/windows/windows.h"

namespace komuz::neural {
namespace {

constexpr u32 kPlaces = 24;
constexpr char kProgram[] =
    "pub fn blend(x: i64, y: i64, z: i64) -> i64 {\n"
    "  let low = if x < y { x } else { y };\n"
    "  let twice = z *% 2 +% z *% 2;\n"
    "  (low ^ 0) +% twice +% (y -% y)\n"
    "}\n";

enum class Where : u8 { Cpu, Gpu };
constexpr const char* kWhere[] = {"cpu", "gpu"};

// What all rows need; why there is nothing to measure.
struct Setting {
  std::string why;
  const Model* model = nullptr;
  Code lone;
  Source source;
  WordLine line;
  std::vector<u8> types;
};
const Setting& setting() {
  static const Setting only = [] {
    Setting made;
    const Result<const Model*> model = open_model();
    if (model.problem()) {
      made.why = model.problem().text();
      return made;
    }
    made.model = model.value();
    frontend::Compiler compiler;
    frontend::Compilation compiled;
    compiler.compile(kProgram, compiled);
    if (!compiled.ok) {
      made.why = "the program does not compile";
      return made;
    }
    const CodeView code = compiled.code.view();
    const std::vector<CodeWindow> windows = find_code_windows(code, 0);
    if (windows.empty()) {
      made.why = "the program has no window";
      return made;
    }
    made.lone = lone_window(code, windows[0]).code;
    if (write_source(made.lone.view(), made.source, made.line) != Unwritten::None)
      made.why = "the window has no words";
    for (const Scalar type : std::span(made.line.types).first(made.line.count))
      made.types.push_back(static_cast<u8>(type));
    return made;
  }();
  return only;
}

struct Gpu {
  std::string why;
  std::unique_ptr<ModelDevice> device;
};
Gpu& gpu() {
  static Gpu only = [] {
    Result<OpenedModelDevice> opened = open_model_device(*setting().model);
    if (opened.problem()) return Gpu{"no GPU: " + opened.problem().text(), nullptr};
    return Gpu{{}, std::move(opened).value().device};
  }();
  return only;
}

// Empty if the row can be measured.
std::string why_not(Where where) {
  if (!setting().why.empty()) return setting().why;
  return where == Where::Gpu ? gpu().why : std::string();
}
ModelDevice* device_of(Where where) { return where == Where::Gpu ? gpu().device.get() : nullptr; }

// Prefixes wherever they are.
class Batch {
 public:
  Batch(Where where, u32 most) {
    const Setting& s = setting();
    if (where == Where::Cpu) {
      source_.emplace(*s.model, s.line.view(), s.types, best_simd_level());
      prefixes_ = std::make_unique<PrefixBatch>(*s.model, *source_, most, best_simd_level());
      return;
    }
    Result<std::unique_ptr<DevicePrefixes>> made =
        gpu().device->prefixes(s.line.view(), s.types, most);
    if (made.problem()) {
      problem_ = made.problem();
      return;
    }
    on_device_ = made.value().get();
    prefixes_ = std::move(made).value();
  }
  [[nodiscard]] Prefixes& prefixes() { return *prefixes_; }
  // Empty: nothing has failed.
  [[nodiscard]] std::string problem() const {
    return on_device_ != nullptr ? on_device_->problem().text() : problem_.text();
  }

 private:
  std::optional<EncodedSource> source_;
  std::unique_ptr<Prefixes> prefixes_;
  DevicePrefixes* on_device_ = nullptr;
  Problem problem_;
};

// Multiplications and additions of a word of the decoder, without attention to other words.
f64 operations_of_a_word(const ModelSize& size) {
  const f64 d = size.d;
  return size.decoder_layers * (6 * d * d + 2 * d * size.ff) + d * size.words;
}

void step(benchmark::State& state, Where where, u32 rows) {
  if (const std::string why = why_not(where); !why.empty()) return state.SkipWithError(why.c_str());
  Random random(rows);
  std::vector<u8> words(rows), types(rows);
  for (u8& word : words) word = static_cast<u8>(random.below(setting().model->size().words));
  const std::vector<u32> from(rows, 0);
  for (auto _ : state) {
    state.PauseTiming();
    Batch batch(where, rows);
    if (!batch.problem().empty()) return state.SkipWithError(batch.problem().c_str());
    Prefixes& prefixes = batch.prefixes();
    for (u32 place = 0; place <= kPlaces; ++place) {
      const size_t count = prefixes.rows();
      if (place == kPlaces) state.ResumeTiming();
      prefixes.step(std::span(words).first(count), std::span(types).first(count));
      if (place == 0) prefixes.keep(from);
    }
    benchmark::DoNotOptimize(prefixes.logits(rows - 1).data());
    if (!batch.problem().empty()) return state.SkipWithError(batch.problem().c_str());
  }
  if (where == Where::Gpu)
    state.counters["need_fma_f32"] = rows * operations_of_a_word(setting().model->size());
}

// A batch of one row without words: all that is done is the encoder's. On a GPU a step waits for it.
void encode(benchmark::State& state, Where where) {
  if (const std::string why = why_not(where); !why.empty()) return state.SkipWithError(why.c_str());
  const u8 word = kBegin, type = 0;
  for (auto _ : state) {
    Batch batch(where, 1);
    if (!batch.problem().empty()) return state.SkipWithError(batch.problem().c_str());
    batch.prefixes().step({&word, 1}, {&type, 1});
    if (!batch.problem().empty()) return state.SkipWithError(batch.problem().c_str());
  }
}

void generate(benchmark::State& state, Where where, u32 candidates) {
  if (const std::string why = why_not(where); !why.empty()) return state.SkipWithError(why.c_str());
  const Setting& s = setting();
  size_t made = 0;
  for (auto _ : state) {
    Batch batch(where, candidates);
    if (!batch.problem().empty()) return state.SkipWithError(batch.problem().c_str());
    made = decode_with(batch.prefixes(), s.model->size(), s.source, {.count = candidates}).size();
    if (!batch.problem().empty()) return state.SkipWithError(batch.problem().c_str());
  }
  state.counters["made"] = static_cast<f64>(made);
}

// Gives the logits that were there in another run.
class Recorded final : public Prefixes {
 public:
  explicit Recorded(Prefixes* source) : source_(source) {}
  void replay() { source_ = nullptr, at_ = 0, rows_ = 1; }

  [[nodiscard]] u32 rows() const override { return rows_; }
  void keep(std::span<const u32> from) override {
    rows_ = static_cast<u32>(from.size());
    if (source_ != nullptr) source_->keep(from);
  }
  void step(std::span<const u8> words, std::span<const u8> types) override {
    ++at_;
    if (source_ == nullptr) return;
    source_->step(words, types);
    width_ = source_->logits(0).size();
    std::vector<f32>& now = steps_.emplace_back();
    for (u32 row = 0; row < source_->rows(); ++row)
      now.insert(now.end(), source_->logits(row).begin(), source_->logits(row).end());
  }
  [[nodiscard]] std::span<const f32> logits(u32 row) const override {
    return std::span(steps_[at_ - 1]).subspan(row * width_, width_);
  }

 private:
  Prefixes* source_;
  u32 rows_ = 1;
  size_t at_ = 0, width_ = 0;
  std::vector<std::vector<f32>> steps_;
};

void host(benchmark::State& state, u32 candidates) {
  if (const std::string why = why_not(Where::Cpu); !why.empty())
    return state.SkipWithError(why.c_str());
  const Setting& s = setting();
  Batch batch(Where::Cpu, candidates);
  Recorded recorded(&batch.prefixes());
  const size_t made =
      decode_with(recorded, s.model->size(), s.source, {.count = candidates}).size();
  for (auto _ : state) {
    recorded.replay();
    if (decode_with(recorded, s.model->size(), s.source, {.count = candidates}).size() != made)
      return state.SkipWithError("other candidates came from the same logits");
  }
  state.counters["made"] = static_cast<f64>(made);
}

void verified(benchmark::State& state, Where where, u32 candidates) {
  if (const std::string why = why_not(where); !why.empty()) return state.SkipWithError(why.c_str());
  const Setting& s = setting();
  const u64 cost = cost_of_code(s.lone.view(), 0);
  Judgement judged;
  size_t cheaper = 0;
  for (auto _ : state) {
    ModelProposals made = propose(*s.model, s.lone.view(), {.count = candidates}, device_of(where));
    if (made.problem) return state.SkipWithError(made.problem.text().c_str());
    std::vector<Proposal> proposals;
    cheaper = 0;
    for (ModelProposal& proposal : made.proposals) {
      const u64 its = cost_of_code(proposal.code.view(), 0);
      proposals.push_back({std::move(proposal.code), Author::Model, its});
      cheaper += its < cost ? 1 : 0;
    }
    judged = judge(s.lone.view(), cost, proposals, {});
  }
  state.counters["cheaper"] = static_cast<f64>(cheaper);
  state.counters["refuted"] = judged.refuted;
  state.counters["chosen"] = judged.choice ? 1 : 0;
}

// Rows do the same each time; a thousand candidates take a second on the CPU.
constexpr u32 kTimes = 20, kFewTimes = 3;

void name_rows() {
  const auto name = [](const std::string& row, u32 times, auto function, const auto&... more) {
    benchmark::RegisterBenchmark(row.c_str(), function, more...)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(times);
  };
  for (const Where where : {Where::Gpu, Where::Cpu}) {
    const std::string end = kWhere[static_cast<u8>(where)];
    name("encode/" + end, kTimes, encode, where);
    for (const u32 count : {16u, 1000u}) {
      const std::string number = std::to_string(count);
      const u32 times = where == Where::Cpu && count > 16 ? kFewTimes : kTimes;
      name("step/" + end + "/rows:" + number, times, step, where, count);
      name("generate/" + end + "/candidates:" + number, times, generate, where, count);
      name("verified/" + end + "/candidates:" + number, times, verified, where, count);
    }
  }
  for (const u32 count : {16u, 1000u})
    name("host/candidates:" + std::to_string(count), kTimes, host, count);
}

}  // namespace
}  // namespace komuz::neural

int main(int argc, char** argv) {
  komuz::neural::name_rows();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
