// SPDX-License-Identifier: Apache-2.0
// Lines of JSON, as commands print them.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace komuz::cli {

// The object on one line, with its end. Sources may hold bytes that are not UTF-8, JSON may not: they become U+FFFD.
[[nodiscard]] std::string json_line(const nlohmann::ordered_json& object);

}  // namespace komuz::cli
