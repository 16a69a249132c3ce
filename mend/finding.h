// SPDX-License-Identifier: Apache-2.0
// A finding to be mended: its span in the source, and edits of it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "mend/mend.h"
#include "mend/source_text.h"

namespace komuz {

struct Fix {
  const Diagnostic& d;
  std::string_view source;
  std::string at = std::string(source_at(source, d.begin, d.length));
  u32 begin = d.begin, end = d.begin + static_cast<u32>(at.size());

  [[nodiscard]] std::optional<Edit> replace(std::string text) const {
    return Edit{begin, end, std::move(text)};
  }
  // An empty text means that the intended text is not certain.
  [[nodiscard]] std::optional<Edit> replace_unless_empty(std::string text) const {
    return replace_to(end, std::move(text));
  }
  // The same up to another byte.
  [[nodiscard]] std::optional<Edit> replace_to(u32 stop, std::string text) const {
    if (text.empty()) return std::nullopt;
    return Edit{begin, stop, std::move(text)};
  }
  [[nodiscard]] static std::optional<Edit> insert(u32 place, std::string text) {
    return Edit{place, place, std::move(text)};
  }
};

}  // namespace komuz
