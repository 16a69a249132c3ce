// SPDX-License-Identifier: Apache-2.0
#include "cli/files/json_line.h"

#include <nlohmann/json.hpp>

namespace komuz::cli {

std::string json_line(const nlohmann::ordered_json& object) {
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace komuz::cli
