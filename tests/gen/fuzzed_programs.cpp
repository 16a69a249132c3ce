// SPDX-License-Identifier: Apache-2.0
#include "tests/gen/fuzzed_programs.h"

#include "base/random.h"
#include "gen/gen.h"

namespace komuz::test {

std::string fuzzed_sketch(u64 seed) {
  Random random(seed ^ 0x5E7C);
  gen::Options options;
  options.functions = 1 + random.below(4);
  options.statements = random.below(5);
  options.depth = 1 + random.below(4);
  options.containers = random.below(2) != 0;
  options.chains = random.below(2) != 0;
  options.holes = true;
  return gen::generate_program(seed, options);
}

std::string fuzzed_program(u64 seed) {
  Random random(seed ^ 0xF0F0);
  gen::Options options;
  options.functions = 1 + random.below(8);
  options.statements = random.below(6);
  options.depth = 1 + random.below(5);
  options.containers = random.below(3) != 0;
  options.chains = random.below(2) != 0;
  return gen::generate_program(seed, options);
}

std::string damaged_program(u64 seed) {
  Random random(seed);
  const u64 own = random.next();
  std::string source = seed % 4 == 0 ? fuzzed_sketch(own) : fuzzed_program(own);
  for (u32 k = random.below(3) + 1; k > 0; --k)
    source = gen::mutate_source(source, random.next(),
                                random.below(2) != 0 ? gen::Mutation::Byte : gen::Mutation::Token);
  return source;
}

}  // namespace komuz::test
