// SPDX-License-Identifier: Apache-2.0
// What so many programs of so many bytes would take on so many cases: a size in, latency, energy and memory of each way out.
//
//   by the paper    its equations with its own figures (paper.def), each from a low to a high one
//   by ours         a sum of terms (terms.def) whose factors were fitted to measurements of one machine (constants.def)
//
// The work is the same for all: candidates are there, and have to be compiled and run. So what a language model takes to write
// them is on no side, though (16) has it. The paper's times have no number of cases.
//
// Knows no clock: measure.h measures, and fit_constants.h fits.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "base/ints.h"
#include "neural/tier/tier.h"

namespace komuz::services::model {

struct Size {
  u64 programs = 1000, bytes = 1000, cases = 256;
};

// From the low figures to the high ones.
struct Range {
  f64 low = 0, high = 0;
  [[nodiscard]] f64 middle() const;  // the geometric mean
};

struct Gpu {
  std::string_view name;
  f64 cores = 0, watts = 0;
  std::string_view source;
};
inline constexpr Gpu kGpus[] = {
#define GPU(name, cores, watts, source) {name, cores, watts, source},
#include "services/model/gpus.def"
};

enum class PaperWay : u8 { Cpu, Traditional, Neural, Hybrid };
struct PaperWayRow {
  std::string_view name, equations, expected;
};
inline constexpr PaperWayRow kPaperWays[] = {
    {"CPU", "(16)", ""},
    {"GPU, traditional", "(1), (2), (10)", "2 to 5 times as fast as a CPU"},
    {"GPU, neural", "(9) to (11)", "10 to 100 times"},
    {"GPU, hybrid", "(13) to (15)", "5 to 20 times"},
};

struct Prediction {
  Range seconds, joules;
  std::optional<Range> bytes;  // none: the paper says nothing of it
};
[[nodiscard]] Prediction predict_by_paper(PaperWay way, const Size& size, const Gpu& gpu);

enum class Term : u8 {
#define TERM(Name, ...) Name,
#include "services/model/terms.def"
};
inline constexpr std::string_view kTermTexts[] = {
#define TERM(Name, count, what) what,
#include "services/model/terms.def"
};
inline constexpr size_t kTerms = std::size(kTermTexts);
using Terms = std::array<f64, kTerms>;
// How many there are of each in such a run.
[[nodiscard]] Terms terms_of(const Size& size);
// The factors times the counts.
[[nodiscard]] f64 sum_of(const Terms& factors, const Terms& counts);

// Of one way of ours: seconds of one thread, and bytes beside what the process has in any case.
struct Constants {
  neural::TierChoice way = neural::TierChoice::Traditional;
  Terms seconds = {}, bytes = {};
};
// A machine on which they were fitted.
struct Machine {
  std::string_view processor, date, use;
};
[[nodiscard]] const Machine& our_machine();
[[nodiscard]] std::span<const Constants> our_constants();

// The neural way was measured on programs of up to so many bytes. What it takes is not a matter of the size alone: a proof of one
// program in some hundred takes a second, and the longer programs are, the more windows they have.
inline constexpr u64 kMostNeuralBytes = 600;

// Threads share the work evenly: two took half of the time of one (docs/measurements.md).
struct OurQuestion {
  Size size;
  u32 threads = 1;
  f64 watts = 0;  // of a thread that is busy
};
struct OurPrediction {
  f64 seconds = 0, joules = 0, bytes = 0;
};
[[nodiscard]] OurPrediction predict_ours(const Constants& constants, const OurQuestion& question);

// The power of a busy thread, where nothing shows what it takes.
inline constexpr f64 kThreadWatts = 5.5;
inline constexpr std::string_view kThreadWattsSource =
    "350 W for the 64 cores of a Xeon Platinum 8592+, by its maker";

}  // namespace komuz::services::model
