// SPDX-License-Identifier: Apache-2.0
// A program in C++ that calls functions of window.komuz for many rows at once.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "window.h"

int main() {
  const std::vector<std::int64_t> totals = {10, 11, 12}, parts = {2, 0, 5};
  std::vector<std::int64_t> shares(totals.size());
  std::vector<komuz_trap> traps(totals.size());
  const std::int32_t first =
      share_rows(totals.size(), totals.data(), parts.data(), shares.data(), traps.data());
  std::printf("the first trap is %d\n", first);
  for (std::size_t row = 0; row < totals.size(); ++row) {
    std::printf("%lld trap %u", static_cast<long long>(shares[row]), traps[row].trap);
    if (traps[row].line != 0) std::printf(" at %u:%u", traps[row].line, traps[row].column);
    std::printf("\n");
  }
}
