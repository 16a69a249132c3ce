// SPDX-License-Identifier: Apache-2.0
// One step of each fuzzer of the formatter. A step is named by its seed. An empty answer means success; otherwise it
// tells the fault. The programs are generated ones, and the golden files of the formatter, which cover the whole
// grammar.
#pragma once
#include "tests/services/format_checks.h"

namespace komuz::test {

struct FormatFuzzers {
  FormatFuzzers();

  FormatChecker checker{};
  std::vector<std::string> golden;
  u64 compared = 0;  // so that a run that tests nothing is noticed

  [[nodiscard]] std::string generated(u64 seed);
  // Heads that end in blocks.
  [[nodiscard]] std::string block_heads(u64 seed);
  // Other blanks and line ends, the same text.
  [[nodiscard]] std::string blanks(u64 seed);
  // Comments anywhere.
  [[nodiscard]] std::string comments(u64 seed);
  // A damaged program, with or without comments.
  [[nodiscard]] std::string damaged(u64 seed);

 private:
  // A formatted program.
  [[nodiscard]] std::string program(u64 seed);
};

// A generated program.
[[nodiscard]] std::string generated_source(u64 seed);

}  // namespace komuz::test
