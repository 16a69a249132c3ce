// SPDX-License-Identifier: Apache-2.0
// The environment variables that say how programs are run. Every command refuses a value that means nothing: who sets a
// variable and reads results must not wonder whether it was heard.
#pragma once
#include <string>
#include <string_view>

namespace komuz::cli {

// Empty: it is not set.
[[nodiscard]] std::string_view environment_value(const char* variable);

// What is wrong with the first of them that is; empty: nothing.
[[nodiscard]] std::string environment_error();

}  // namespace komuz::cli
