// SPDX-License-Identifier: Apache-2.0
#include "services/options/environment.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "base/simd_level.h"
#include "engine/device.h"
#include "engine/native/native_tier.h"
#include "neural/tier/tier.h"
#include "services/options/args.h"

namespace komuz::services {
namespace {

std::string error_of(const char* variable, std::span<const std::string_view> choices) {
  const std::string_view value = environment_value(variable);
  if (value.empty() || std::ranges::find(choices, value) != choices.end()) return {};
  return choice_error(variable, choices, value);
}

}  // namespace

std::string_view environment_value(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string environment_error() {
  std::vector<std::string_view> levels;
  for (const SimdLevel level : kSimdLevels) levels.push_back(simd_level_name(level));
  std::string error = error_of("KOMUZ_SIMD", levels);
  if (const std::string_view device = environment_value(kDeviceVariable);
      error.empty() && !device.empty())
    error = engine::read_device_choice(kDeviceVariable, device).problem().text();
  if (error.empty()) error = error_of("KOMUZ_NATIVE", engine::kNativeNames);
  if (error.empty()) error = error_of("KOMUZ_TIER", neural::kTierNames);
  if (error.empty()) error = backend::settings_of_environment().problem().text();
  return error;
}

}  // namespace komuz::services
