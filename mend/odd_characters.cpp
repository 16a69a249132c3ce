// SPDX-License-Identifier: Apache-2.0
#include "mend/odd_characters.h"

#include <algorithm>
#include <cstdio>

#include "base/ints.h"

namespace komuz {
namespace {

struct OddRange {
  u32 first, last;
  std::string_view name, remedy;
};
constexpr std::string_view kBlank = "take it out", kMinus = "write `-`", kQuote = "write `\"`";
constexpr OddRange kOddRanges[] = {
    {0x00A0, 0x00A0, "a no-break space", kBlank},
    {0x1680, 0x1680, "a blank", kBlank},
    {0x2000, 0x200A, "a blank", kBlank},
    {0x200B, 0x200F, "a character without width", kBlank},
    {0x2010, 0x2015, "a dash", kMinus},
    {0x2018, 0x201B, "a quotation mark of typesetting", "write `'`"},
    {0x201C, 0x201F, "a quotation mark of typesetting", kQuote},
    {0x202F, 0x202F, "a narrow no-break space", kBlank},
    {0x205F, 0x205F, "a blank", kBlank},
    {0x2060, 0x2060, "a character without width", kBlank},
    {0x2212, 0x2212, "a minus sign of typesetting", kMinus},
    {0x3000, 0x3000, "a wide blank", kBlank},
    {0xFE58, 0xFE58, "a dash", kMinus},
    {0xFE63, 0xFE63, "a dash", kMinus},
    {0xFEFF, 0xFEFF, "a byte order mark", kBlank},
    {0xFF0B, 0xFF0B, "a wide plus sign", "write `+`"},
    {0xFF0D, 0xFF0D, "a wide minus sign", kMinus},
    {0xFF0E, 0xFF0E, "a wide full stop", "write `.`"},
    {0xFF10, 0xFF19, "a wide digit", "write digits of ASCII"},
};

// The character of two or three bytes that starts at `at`; 0 if there is none. Longer ones are not in the table.
u32 character_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t k) -> u32 {
    return at + k < text.size() ? static_cast<u8>(text[at + k]) : 0;
  };
  const auto goes_on = [&](size_t k) { return (byte(k) & 0xC0) == 0x80; };
  if ((byte(0) & 0xE0) == 0xC0 && goes_on(1)) return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
  if ((byte(0) & 0xF0) == 0xE0 && goes_on(1) && goes_on(2))
    return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return 0;
}

const OddRange* find_range(u32 character) {
  const auto* const range = std::ranges::find_if(
      kOddRanges, [&](const OddRange& r) { return character >= r.first && character <= r.last; });
  return range == std::end(kOddRanges) ? nullptr : range;
}

}  // namespace

bool is_odd_blank(std::string_view text) {
  const OddRange* const range = find_range(character_at(text, 0));
  const size_t length = (static_cast<u8>(text.empty() ? 0 : text[0]) & 0xE0) == 0xC0 ? 2 : 3;
  return range != nullptr && range->remedy == kBlank && text.size() == length;
}

OddCharacter find_odd_character(std::string_view text) {
  for (size_t at = 0; at < text.size(); ++at) {
    const OddRange* const range = find_range(character_at(text, at));
    if (range == nullptr) continue;
    char code[16];
    std::snprintf(code, sizeof code, "U+%04X, ", character_at(text, at));
    return {code + std::string(range->name), std::string(range->remedy)};
  }
  return {};
}

}  // namespace komuz
