// SPDX-License-Identifier: Apache-2.0
#include "tests/services/format_fuzzers.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/random.h"
#include "gen/gen.h"
#include "services/format.h"
#include "tests/services/block_heads.h"
#include "tests/services/relayout.h"

namespace komuz::test {

std::string generated_source(u64 seed) {
  Random random(seed ^ 0xF0F0);
  gen::Options options;
  options.functions = 1 + random.below(6);
  options.statements = random.below(6);
  options.depth = 1 + random.below(6);
  options.holes = random.one_in(3);
  return gen::generate_program(seed, options);
}

FormatFuzzers::FormatFuzzers() {
  std::vector<std::filesystem::path> paths;
  const auto folder = std::filesystem::path(KOMUZ_SOURCE_DIR) / "tests/services/format";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".komuz") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    golden.push_back(text.str());
  }
}

std::string FormatFuzzers::program(u64 seed) {
  Random random(seed);
  if (!golden.empty() && random.one_in(2)) return random.pick(golden);
  return services::format(checker.compiler, generated_source(seed)).text;
}

std::string FormatFuzzers::generated(u64 seed) { return checker.check(generated_source(seed)); }

std::string FormatFuzzers::block_heads(u64 seed) {
  return checker.check(with_block_heads(checker.compiler, generated_source(seed)));
}

std::string FormatFuzzers::blanks(u64 seed) {
  const std::string plain = program(seed);
  if (!comments_of(checker.compiler, plain).empty()) return {};
  ++compared;
  const std::string other = relayout(checker.compiler, plain, seed, Relayout::Blanks);
  const std::string formatted = services::format(checker.compiler, other).text;
  if (formatted == plain) return {};
  return "blanks have a say\n---- other\n" + other + "\n---- formatted\n" + formatted +
         "\n---- wanted\n" + plain;
}

std::string FormatFuzzers::comments(u64 seed) {
  return checker.check(relayout(checker.compiler, program(seed), seed, Relayout::Comments));
}

std::string FormatFuzzers::damaged(u64 seed) {
  std::string source = program(seed);
  if (seed % 3 == 0) source = relayout(checker.compiler, source, seed, Relayout::Comments);
  const auto kind = seed % 2 == 0 ? gen::Mutation::Byte : gen::Mutation::Token;
  return checker.check(gen::mutate_source(source, seed, kind));
}

}  // namespace komuz::test
