// SPDX-License-Identifier: Apache-2.0
// The secret in the address of a server that browsers may reach: whoever was not told it cannot talk to the server.
#pragma once
#include <string>
#include <string_view>

namespace komuz::lsp {

// 128 random bits of the system as 32 hexadecimal digits; empty: the system gives none.
[[nodiscard]] std::string new_token();

// Takes as long for every text of a length, so that nobody learns by waiting how much of a guess was right.
[[nodiscard]] bool is_same_secret(std::string_view guess, std::string_view secret);

}  // namespace komuz::lsp
