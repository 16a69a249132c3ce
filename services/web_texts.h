// SPDX-License-Identifier: Apache-2.0
// The style sheets and scripts that stand beside the code which uses them, by their names without the ending. The
// build makes the arrays (scripts/cmake/embed_texts.cmake).
#pragma once
#include <span>
#include <string_view>

namespace komuz::services {

struct WebText {
  std::string_view name;  // palette, chart, page
  std::string_view text;
};
[[nodiscard]] std::span<const WebText> style_sheets();
[[nodiscard]] std::span<const WebText> scripts();

// The text with this name, which must exist.
[[nodiscard]] constexpr std::string_view text_of(std::span<const WebText> texts,
                                                 std::string_view name) {
  for (const WebText& text : texts)
    if (text.name == name) return text.text;
  return {};
}

}  // namespace komuz::services
