// SPDX-License-Identifier: Apache-2.0
// Reads the words of one line of assembly text. A `;` outside quotes ends the line.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/ints.h"

namespace komuz {

class TextLine {
 public:
  explicit TextLine(std::string_view line) : rest_(line) {}

  [[nodiscard]] bool at_end();
  [[nodiscard]] bool next_is(std::string_view mark);
  // Takes `mark` if it comes next.
  [[nodiscard]] bool take(std::string_view mark);
  // A run of letters, digits and `_`; empty if none comes next.
  [[nodiscard]] std::string_view word();
  // Decimal, or hexadecimal after 0x; none if it is no number or above `most`.
  [[nodiscard]] std::optional<u64> number(u64 most);
  // A word that does not start with a digit, or a string in quotes with \xHH.
  [[nodiscard]] std::optional<std::string> name();

 private:
  void skip_blanks();
  [[nodiscard]] std::optional<std::string> quoted();

  std::string_view rest_;
};

}  // namespace komuz
