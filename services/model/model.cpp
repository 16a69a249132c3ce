// SPDX-License-Identifier: Apache-2.0
#include "services/model/model.h"

#include <algorithm>
#include <cmath>

#include "lang/ops/math/log.h"

namespace komuz::services::model {
namespace {

// The paper's constants, by their names.
namespace paper {
#define CONSTANT(Name, low, high, ...) constexpr Range k##Name = {low, high};
#include "services/model/paper.def"
}  // namespace paper

// What all of it is at its low figures, and at its high ones. `of` takes a function that picks the end.
template <class Of>
Range range_of(const Of& of) {
  return {of([](const Range& range) { return range.low; }),
          of([](const Range& range) { return range.high; })};
}

// (1), with the six phases of Algorithm 1. The paper says how two of them grow and not what share each has: here all have the same
// share of a program of PhaseBytes, four grow with n, parsing with n log n, optimising with n².
f64 phases(f64 seconds, f64 bytes, f64 known_bytes) {
  const f64 n = bytes / known_bytes;
  // Not libm's, whose last bits differ between machines.
  const f64 logarithm =
      log_lanes<LogBase::Ten>(std::max(bytes, 2.0)) / log_lanes<LogBase::Ten>(known_bytes);
  return seconds / 6 * (4 * n + n * logarithm + n * n);
}

}  // namespace

f64 Range::middle() const { return std::sqrt(low * high); }

Prediction predict_by_paper(PaperWay way, const Size& size, const Gpu& gpu) {
  const f64 k = static_cast<f64>(size.programs), n = static_cast<f64>(size.bytes);
  // (9) and (10) have k/P, so a GPU with more cores takes less.
  const auto batches = [&](const auto& end) {
    return k / end(paper::kBatch) * end(paper::kCores) / gpu.cores;
  };
  const auto one_program = [&](const auto& end) {
    return phases(end(paper::kPhases), n, end(paper::kPhaseBytes));
  };
  // (9): the sequence has the length of the program.
  const auto generate = [&](const auto& end) {
    return end(paper::kGenerate) * batches(end) * n / end(paper::kPhaseBytes);
  };
  const auto verify = [&](const auto& end) { return end(paper::kVerify) * batches(end); };
  const auto model_bytes = [&](const auto& end) {
    return end(paper::kWeights) + end(paper::kEmbeddings) +
           k * (end(paper::kCandidateCode) + end(paper::kCandidateState));
  };
  const auto source_bytes = [&](const auto& end) { return k * n * end(paper::kSourceMemory); };

  Prediction out;
  switch (way) {
    case PaperWay::Cpu:
      out.seconds = range_of([&](const auto& end) {
        return k * (2 * end(paper::kTransfer) + end(paper::kCompile) + end(paper::kExecute));
      });
      out.joules = range_of([&](const auto& end) { return k * end(paper::kTurnEnergy); });
      return out;
    case PaperWay::Traditional:
      // (2): beyond P programs, the next ones wait.
      out.seconds = range_of([&](const auto& end) {
        return std::ceil(k / gpu.cores) * one_program(end) + verify(end);
      });
      out.bytes = range_of(source_bytes);
      break;
    case PaperWay::Neural:
      out.seconds = range_of([&](const auto& end) { return generate(end) + verify(end); });
      out.bytes = range_of(model_bytes);
      break;
    case PaperWay::Hybrid:
      // (14) is of one program, the neural part shared by all.
      out.seconds = range_of([&](const auto& end) {
        const f64 neural = (generate(end) + verify(end)) / k, simple = end(paper::kSimpleShare);
        const f64 traditional = one_program(end) + verify(end) / k;
        return k * (simple * neural + (1 - simple) * traditional + end(paper::kRoute));
      });
      out.bytes = range_of([&](const auto& end) {
        return model_bytes(end) + (1 - end(paper::kSimpleShare)) * source_bytes(end);
      });
      break;
  }
  out.joules = {gpu.watts * out.seconds.low, gpu.watts * out.seconds.high};
  return out;
}

Terms terms_of(const Size& size) {
  const f64 programs = static_cast<f64>(size.programs), bytes = static_cast<f64>(size.bytes),
            cases = static_cast<f64>(size.cases);
  return {
#define TERM(Name, count, ...) count,
#include "services/model/terms.def"
  };
}

f64 sum_of(const Terms& factors, const Terms& counts) {
  f64 sum = 0;
  for (size_t term = 0; term < kTerms; ++term) sum += factors[term] * counts[term];
  return sum;
}

OurPrediction predict_ours(const Constants& constants, const OurQuestion& question) {
  const Terms counts = terms_of(question.size);
  const f64 busy = sum_of(constants.seconds, counts);
  return {busy / question.threads, busy * question.watts, sum_of(constants.bytes, counts)};
}

const Machine& our_machine() {
  static constexpr Machine kMachine =
#define MACHINE(processor, date, use) {processor, date, use};
#define WAY(...)
#include "services/model/constants.def"
      return kMachine;
}

std::span<const Constants> our_constants() {
#define PER(...) \
  { __VA_ARGS__ }
  static constexpr Constants kConstants[] = {
#define MACHINE(...)
#define WAY(Name, seconds, bytes) {neural::TierChoice::Name, seconds, bytes},
#include "services/model/constants.def"
  };
#undef PER
  return kConstants;
}

}  // namespace komuz::services::model
