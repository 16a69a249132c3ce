// SPDX-License-Identifier: Apache-2.0
// Predictions and measurements as people and programs read them.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "services/model/measure.h"

namespace komuz::services::model {

struct ModelReport {
  Size size;
  u32 threads = 1;
  f64 watts = kThreadWatts;
  bool states_watts = false;  // the user said so
  const Gpu* gpu = nullptr;   // of the paper's rows; null: those of a CPU alone
  std::optional<Measured> measured;
};

// "17.3 ms", "25.1 min", "1.2 kJ", "20 MB": three digits.
[[nodiscard]] std::string seconds_text(f64 seconds);
[[nodiscard]] std::string joules_text(f64 joules);
[[nodiscard]] std::string bytes_text(f64 bytes);

[[nodiscard]] std::string model_text(const ModelReport& report);
[[nodiscard]] nlohmann::ordered_json model_json(const ModelReport& report);

}  // namespace komuz::services::model
