// SPDX-License-Identifier: Apache-2.0
#include "lsp/web/token.h"

#include <sys/random.h>

#include <array>

#include "base/ints.h"

namespace komuz::lsp {

std::string new_token() {
  // The system gives so few bytes at once, or waits until it can.
  std::array<u8, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string token;
  for (const u8 byte : bytes) {
    token += kDigits[byte >> 4];
    token += kDigits[byte & 15];
  }
  return token;
}

bool is_same_secret(std::string_view guess, std::string_view secret) {
  if (guess.size() != secret.size()) return false;
  // Volatile, so that no compiler ends the loop early.
  volatile u8 difference = 0;
  for (size_t k = 0; k < guess.size(); ++k)
    difference = static_cast<u8>(difference | static_cast<u8>(guess[k] ^ secret[k]));
  return difference == 0;
}

}  // namespace komuz::lsp
