// SPDX-License-Identifier: Apache-2.0
// The files of services/explanations, by the names of their codes and traps. The build makes the array
// (scripts/cmake/embed_texts.cmake).
#pragma once
#include <span>
#include <string_view>

namespace komuz::services {

struct ExplanationText {
  std::string_view name;  // K0401, DIV_ZERO
  std::string_view text;
};
[[nodiscard]] std::span<const ExplanationText> explanation_texts();

}  // namespace komuz::services
