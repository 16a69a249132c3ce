// SPDX-License-Identifier: Apache-2.0
// What the mask and the corpus take:
//
//   corpus_bench [PAIRS] [SEED]
//
// First a table for one thread: nanoseconds for a step of the mask, and for a copy of a prefix. Then pairs a second on all
// threads, without the teacher and with its rules.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "base/random.h"
#include "engine/support/watch.h"
#include "neural/corpus/corpus.h"
#include "neural/tokens/decoding.h"
#include "tests/neural/random_words.h"

namespace komuz::neural {
namespace {

// Of this thread or process, whatever else the processor does.
f64 processor_seconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<f64>(now.tv_sec) + 1e-9 * static_cast<f64>(now.tv_nsec);
}

// Random targets: their steps are taken again, and so are the copies of all prefixes.
void measure_mask(u64 seed) {
  constexpr u32 kTargets = 4'000;
  Random random(seed);
  const Scalar inputs[] = {Scalar::I64, Scalar::F64, Scalar::Bool, Scalar::U32};
  const TypedCell constants[] = {{Scalar::I64, 77}, {Scalar::F64, 0x4000'0000'0000'0001u}};
  const Source source(inputs, {}, constants, Scalar::F64);
  std::vector<std::vector<u8>> targets(kTargets);
  u64 steps = 0;
  for (std::vector<u8>& target : targets) {
    for (Decoding prefix(source); !prefix.is_done();) {
      target.push_back(random_word(random, prefix.allowed()));
      prefix.feed(target.back());
    }
    steps += target.size();
  }
  u64 seen = 0;
  f64 start = processor_seconds();
  for (const std::vector<u8>& target : targets) {
    Decoding prefix(source);
    for (const u8 word : target) {
      prefix.feed(word);
      seen += prefix.allowed().bits[0] & 1;
    }
  }
  const f64 step = (processor_seconds() - start) / static_cast<f64>(steps);
  Decoding prefix(source), other(source);
  start = processor_seconds();
  constexpr u32 kCopies = 1'000'000;
  for (u32 k = 0; k < kCopies; ++k) {
    other = prefix;
    asm volatile("" : : "r"(&other) : "memory");
  }
  const f64 copy = (processor_seconds() - start) / kCopies;
  std::printf("| mask | |\n| --- | --- |\n");
  std::printf("| a step | %.0f ns |\n| a copy of a prefix, %zu bytes | %.0f ns |\n\n", step * 1e9,
              sizeof(Decoding), copy * 1e9);
  if (seen == ~u64{0}) std::printf("\n");
}

void measure_corpus(u64 count, u64 seed) {
  std::printf("| targets | pairs a second | a processor second |\n| --- | --- | --- |\n");
  for (const Teaching teaching : {Teaching::None, Teaching::Rules}) {
    const CorpusOptions options{.count = count, .seed = seed, .teaching = teaching};
    const auto start = std::chrono::steady_clock::now();
    const f64 processors = processor_seconds(CLOCK_PROCESS_CPUTIME_ID);
    const Result<Corpus> made = make_corpus(options, engine::Watch());
    if (made.problem()) {
      std::fprintf(stderr, "%s\n", made.problem().text().c_str());
      return;
    }
    const auto pairs = static_cast<f64>(made.value().size());
    const std::chrono::duration<f64> passed = std::chrono::steady_clock::now() - start;
    std::printf("| %s | %.0f | %.0f |\n", teaching == Teaching::None ? "the sources" : "by rules",
                pairs / passed.count(),
                pairs / (processor_seconds(CLOCK_PROCESS_CPUTIME_ID) - processors));
  }
}

}  // namespace
}  // namespace komuz::neural

int main(int count, char** arguments) {
  const auto number = [&](int at, komuz::u64 otherwise) {
    return count > at ? std::strtoull(arguments[at], nullptr, 10) : otherwise;
  };
  komuz::neural::measure_mask(number(2, 1));
  komuz::neural::measure_corpus(number(1, 200'000), number(2, 1));
  return 0;
}
